/* Uses the pages of :explore as a reader would: by keyboard, by address, by search, in the dark.
   Arguments: the folder of the pages and of node_modules. Ends with "N passed, N failed". */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const dir = process.argv[2];
const { chromium } = await import(pathToFileURL(`${dir}/node_modules/playwright-core/index.mjs`));
const axe = readFileSync(`${dir}/node_modules/axe-core/axe.min.js`, 'utf8');
let passed = 0, failed = 0;

async function check(what, run) {
  try {
    const said = await run();
    passed++;
    if (said) console.log(`  ${what}: ${said}`);
  } catch (e) {
    failed++;
    console.log(`FAILED: ${what}\n    ${String(e.message ?? e).slice(0, 800)}`);
  }
}
function need(ok, why) { if (!ok) throw new Error(why); }

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});
const problems = [];

async function open(name, hash = '', options = {}) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  page.on('console', m => { if (['error', 'warning'].includes(m.type())) problems.push(m.text()); });
  page.on('pageerror', e => problems.push(e.message));
  page.on('request', r => { if (!r.url().startsWith('file:') && !r.url().startsWith('data:')) problems.push('request ' + r.url()); });
  await page.goto(pathToFileURL(`${dir}/${name}.html`) + hash);
  await page.waitForFunction(() => document.querySelector('[aria-selected=true]'));
  return page;
}
const place = page => page.locator('#place').textContent();
const shown = page => page.evaluate(() => [...document.querySelectorAll('#graph .node:not(.off)')].map(g => {
  const r = g.querySelector('.shape');
  return { slot: g.dataset.slot, label: g.getAttribute('aria-label'), x: r.getAttribute('x'), y: r.getAttribute('y') };
}));

for (const name of ['rnn', 'lstm', 'small', 'none']) {
  await check(`${name}: every step by keyboard; nothing moves within a pass`, async () => {
    const page = await open(name), seen = new Set(), at = new Map();
    const count = await page.evaluate(() => document.querySelectorAll('#tree .item:not(.empty)').length);
    for (let i = 0; i < count; i++) {
      seen.add(await place(page));
      const pass = (await page.evaluate(() => location.hash)).split('/')[0];
      for (const n of await shown(page)) {
        const key = `${pass} ${n.slot}`, now = `${n.x},${n.y}`;
        need(!at.has(key) || at.get(key) === now, `${key} moved`);
        at.set(key, now);
      }
      await page.keyboard.press('j');
    }
    need(seen.size === count, `${seen.size} places of ${count}`);
    need(await page.locator('#next').isDisabled(), 'not at the end');
    for (let i = 0; i < count; i++) await page.keyboard.press('k');
    need(await page.locator('#prev').isDisabled(), 'not back at the start');
    await page.close();
    return `${count} places`;
  });
}

await check('a step is shown in less than 16 ms', async () => {
  const page = await open('lstm', '#differentiate/0');
  const times = await page.evaluate(() => {
    const out = [], press = key => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    for (let i = 0; i < 24; i++) {
      const start = performance.now();
      press(i < 12 ? 'j' : 'k');
      document.getElementById('graph').getBoundingClientRect(); /* style and layout are done now */
      out.push(performance.now() - start);
    }
    return out.sort((a, b) => a - b);
  });
  await page.close();
  const median = times[times.length / 2];
  need(median < 16, `median ${median.toFixed(1)} ms`);
  return `median ${median.toFixed(1)} ms, worst ${times.at(-1).toFixed(1)} ms`;
});

await check('a pass at a time', async () => {
  const page = await open('rnn');
  const names = [];
  for (let i = 0; i < 6; i++) { names.push((await page.evaluate(() => location.hash)).slice(1).split('/')[0]); await page.keyboard.press('Shift+J'); }
  await page.close();
  need(names.join() === 'source,canonicalize,differentiate,loops,specialize,result', names.join());
});

await check('an address leads to its step and node, also back', async () => {
  let page = await open('rnn', '#loops/11');
  need((await place(page)).startsWith('loops 11'), await place(page));
  await page.locator('#graph .node.added').first().click();
  const hash = await page.evaluate(() => location.hash);
  need(/^#loops\/11\/\d+$/.test(hash), hash);
  const told = await page.locator('#node h2').textContent();
  await page.close();
  page = await open('rnn', hash);
  need((await page.locator('#node h2').textContent()) === told, 'another node');
  need(await page.locator('#graph .picked').count() === 1, 'not picked');
  need((await page.locator('#node .history li').count()) >= 1, 'no history');
  await page.locator('#node .step-link').first().click();
  await page.evaluate(h => { location.hash = h; }, '#loops/13');
  await page.waitForFunction(() => document.getElementById('place').textContent.startsWith('loops 13'));
  await page.close();
  page = await open('rnn', '#nonsense/%%%/<script>');
  need((await place(page)).startsWith('as written'), 'nonsense');
  await page.close();
});

await check('marks are right: steps add, remove, and are outlined', async () => {
  const page = await open('small', '#stabilize/1');
  const marks = await page.evaluate(() => [...document.querySelectorAll('#graph .node:is(.added,.removed,.changed):not(.off)')].map(g => `${g.querySelector('.badge text').textContent} ${g.querySelector('.label').firstChild.textContent}`));
  need(marks.sort().join('|') === '+ log1p|\u2212 1.0 + \u00b7|\u2212 log'.split('|').sort().join('|'), marks.join('|'));
  await page.close();
});

await check('search finds what is in a closed loop, and opens it', async () => {
  const page = await open('rnn', '#source/0');
  await page.locator('#graph .tab.kind-scan').focus();
  await page.keyboard.press('Enter');
  need(await page.locator('#graph .tab.kind-scan.shut').count() === 1, 'not closed');
  const before = (await shown(page)).length;
  await page.keyboard.press('/');
  await page.keyboard.type('tanh');
  need(await page.locator('#hits .hit').count() >= 1, 'nothing found');
  await page.keyboard.press('Enter');
  need(await page.locator('#graph .tab.kind-scan.shut').count() === 0, 'still closed');
  need((await shown(page)).length > before, 'nothing came back');
  need((await page.locator('#graph .picked').getAttribute('aria-label')).includes('tanh'), 'not picked');
  await page.keyboard.press('ArrowUp');
  need(!(await page.locator('#graph .picked').getAttribute('aria-label')).includes('tanh'), 'no operand');
  await page.keyboard.press('Escape');
  need(await page.locator('#graph .picked').count() === 0, 'still picked');
  await page.close();
});

await check('inner steps close and open in the list', async () => {
  const page = await open('rnn', '#canonicalize/1');
  const rows = () => page.evaluate(() => [...document.querySelectorAll('#tree .item')].filter(e => !e.hidden).length);
  const all = await rows();
  await page.locator('#tree [aria-selected=true]').focus();
  await page.keyboard.press('ArrowLeft');
  need(await rows() < all, 'not closed');
  await page.keyboard.press('ArrowRight');
  need(await rows() === all, 'not opened');
  await page.close();
});

await check('dark, light and by hand', async () => {
  const paper = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await open('small', '', { colorScheme: 'light' }), dark = await open('small', '', { colorScheme: 'dark' });
  const [a, b] = [await paper(light), await paper(dark)];
  need(a !== b, 'the same');
  await light.keyboard.press('t');
  need(await paper(light) === b, 'no toggle');
  await light.close();
  await dark.close();
});

await check('outline, help, live region', async () => {
  const page = await open('rnn', '#loops/10');
  await page.keyboard.press('j');
  need((await page.locator('#live').textContent()).includes('sequence-dot'), 'not announced');
  await page.keyboard.press('o');
  need(await page.locator('#lines button').count() > 40, 'no outline');
  await page.keyboard.press('?');
  need(await page.locator('#keys').evaluate(d => d.open), 'no help');
  await page.keyboard.press('Escape');
  need(!await page.locator('#keys').evaluate(d => d.open), 'help stays');
  await page.close();
});

for (const scheme of ['light', 'dark'])
  await check(`axe finds nothing (${scheme})`, async () => {
    const page = await open('rnn', '#loops/11', { colorScheme: scheme, reducedMotion: 'reduce' });
    await page.locator('#graph .node.added').first().click();
    await page.screenshot({ path: `${dir}/${scheme}.png` });
    const found = await page.evaluate(async source => {
      const load = new Function(source + '; return window.axe');
      const r = await load().run(document, {
        resultTypes: ['violations'],
        /* experimental, and it takes operators for punctuation: '* 0.2' is not found in '* 0.2' */
        rules: { 'label-content-name-mismatch': { enabled: false } },
      });
      return r.violations.map(v => `${v.id}: ${v.nodes.length} (${v.nodes[0].target} ${v.nodes[0].failureSummary.slice(0, 160)})`);
    }, axe);
    await page.close();
    need(!found.length, found.join('\n    '));
  });

await check('no message, no request', async () => need(!problems.length, problems.join('\n    ')));
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
