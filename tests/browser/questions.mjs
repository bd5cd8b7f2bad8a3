/* Ten questions of a reader, each answered by what stands on the page after at most five keys. */
import { check, hash, need, open } from './page.mjs';

const MOST_KEYS = 5;
/* A question, the keys, where the answer stands, and the answer. */
const questions = {
  rnn: [
    ['what does it compute?', [], '#says', /gW = grad\(sum\(\(y − 1\)²\) \+ 0\.1 sum\(x²\), W\)/],
    ['what does a step of the loop compute?', [], '#says', /where x\[t\] = tanh\(x\[t-1\] W \+ u\[t\] W1[^]*y\[t\] = x\[t-3\] Wout/],
    ['what does this loop keep?', ['/', 's', 'c', 'Enter'], '#node', /keeps\s*x\[t-1\] x\[t-2\] x\[t-3\] y\[t-1\]/],
    ['in which line was the loop written?', ['/', 's', 'c', 'Enter'], '#node', /examples\/rnn\.gr, line 21/],
    ['which steps changed the loop?', ['/', 's', 'c', 'Enter'], '#node', /differentiate 2\s*expand-derivative\s*changed it/],
    ['which step made this node?', ['End', '.', ','], '#node', /specialize 15\s*gemm\s*put it in place of/],
    ['what is the gradient of these inputs?', ['End', '.', ','], '#node', /value\s*\[\[-0\.389479, 0\.784499, -0\.540771\]/],
    ['what reads this input?', ['.', 'ArrowDown'], '#node', /x0\[2\]/],
  ],
  small: [
    ['where did log go?', ['/', 'l', 'o', 'g', 'Enter'], '#node', /stabilize 1\s*log1p\s*replaced it by/],
    ['may the step change results, and where is its rule?', ['j'], '#step', /stabilize\.rules:5[^]*rounding\s*may change how results are rounded/],
  ],
  'film-back': [
    ['what is the derivative by x?', ['b', 'End'], '#equations', /d x\s*added up\s*1\.83995/],
  ],
};

for (const [name, list] of Object.entries(questions))
  check(`${name}: questions are answered by at most ${MOST_KEYS} keys`, async () => {
    const page = await open(name, '', { reducedMotion: 'reduce' }, name.startsWith('film') ? '.equation' : undefined);
    for (const [question, keys, where, answer] of list) {
      need(keys.length <= MOST_KEYS, `${question} takes ${keys.length} keys`);
      for (const key of keys) await page.keyboard.press(key);
      await page.waitForFunction(([at, source]) => new RegExp(source).test(document.querySelector(at).innerText.replace(/\s+/g, ' ')), [where, answer.source], { timeout: 5000 })
        .catch(async () => need(false, `${question} ${await page.locator(where).innerText()}`));
      await hash(page); /* written by now, so that it does not come after this */
      await page.evaluate(() => history.replaceState(null, '', location.pathname));
      await page.reload();
      await page.waitForFunction(name.startsWith('film') ? () => document.querySelector('.equation') : () => document.querySelector('[role=treeitem][aria-selected=true]'));
    }
    await page.close();
    return list.map(q => q[0]).join(' ');
  });
