/* Uses the pages of :explore as a reader would: by keyboard, by address, by search, in the dark, on
   paper. Arguments: the folder of the pages and of node_modules; --short: without the long walks.
   Ends with "N passed, N failed". */
import { readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { check, close, counts, dir, hash, live, need, open, picked, place, problems, runAll, same, settle, shown, stepCost, stepOf, violations } from './page.mjs';
import { openRows, readInPage, walkInPage } from './walks.mjs';
import './fold.mjs';
import './film.mjs';
import './growth.mjs';
import './questions.mjs';

const short = process.argv.includes('--short');
const all = short ? ['rnn', 'small', 'none'] : ['rnn', 'lstm', 'nested', 'chain', 'net', 'small', 'none'];

/* Steps of the RNN's gradient that are looked at. */
const derivative = stepOf('rnn', 'expand-derivative'), sequence = stepOf('rnn', 'sequence-dot'), inner = stepOf('rnn', 'inner');
const fused = stepOf('rnn', 'fuse');

/* ---- every step ---- */

/* Walks with one key to the end; `look` is called at each stop. */
async function walk(page, key, look) {
  let count = 1;
  for (let last = await place(page); ; count++) {
    await look?.(last);
    await page.keyboard.press(key);
    const now = await place(page);
    if (now === last) return count;
    last = now;
  }
}

for (const name of all)
  check(`${name}: every step by keyboard; the counter counts them; each press changes something`, async () => {
    const page = await open(name), items = await page.locator('#tree .item:not(.empty, .head):not([hidden])').count();
    let before = '', at = 0;
    const visited = await walk(page, 'j', async words => {
      await page.waitForFunction(() => !document.querySelector('.sheet.away:not([aria-hidden])'));
      at++;
      need(words.endsWith(`${at}/${items}`), `${words} is place ${at} of ${items}`);
      const now = JSON.stringify((await shown(page)).map(n => [n.label, n.mark]));
      need(now !== before || await page.locator('#tree .again[aria-selected=true]').count(), `nothing changes at ${words}`);
      before = now;
    });
    need(visited === items, `${visited} places of ${items}`);
    need(await page.locator('#next').isDisabled(), 'not at the end');
    need(await walk(page, 'k') === items, 'another way back');
    need(await page.locator('#prev').isDisabled(), 'not back at the start');
    await page.close();
    return `${visited} places`;
  });

for (const name of all)
  check(`${name}: what is highlighted has changed, and what has changed is highlighted`, async () => {
    const truth = JSON.parse(readFileSync(`${dir}/${name}.json`, 'utf8')), page = await open(name);
    let marks = 0, steps = 0, wrong = [];
    for (const [pass, rows] of Object.entries(truth))
      for (const [number, truly] of Object.entries(rows)) {
        await page.evaluate(h => { location.hash = h; }, `#${pass}/${number}`);
        await page.waitForFunction(n => document.getElementById('place').textContent.startsWith(n), `${pass} ${number} `);
        const nodes = (await shown(page)).filter(n => n.id), drawn = new Set(nodes.map(n => n.id));
        need(nodes.every(n => n.drawn && !n.hidden), 'something that is shown is hidden');
        /* what moved is drawn where it is now, too, but a result, which is drawn only as an output */
        for (const n of nodes.filter(n => n.moved))
          need(nodes.some(m => m.id === n.id && !m.moved) || n.label.includes(', output'), `%${n.id} is nowhere at ${pass} ${number}`);
        for (const [mark, list] of Object.entries(truly)) {
          const got = new Set(nodes.filter(n => n.mark === mark).map(n => n.id)), want = new Set(list);
          /* results and sizes are not drawn */
          for (const k of list) if (drawn.has(k) && !got.has(k)) wrong.push(`${pass} ${number}: %${k} is not ${mark}`);
          for (const k of got) if (!want.has(k)) wrong.push(`${pass} ${number}: %${k} is ${mark} for nothing`);
          marks += list.length;
        }
        steps++;
      }
    await page.close();
    need(!wrong.length, wrong.slice(0, 12).join('; '));
    return `${steps} steps, ${marks} changes`;
  });

/* Times are told, on any machine under any load; what is counted decides. */
const TOUCHED = 600;
for (const name of short ? ['rnn', 'layers'] : ['rnn', 'lstm', 'nested', 'net', 'layers'])
  check(`${name}: a step touches at most ${TOUCHED} elements`, async () => {
    const page = await open(name), costs = [];
    await page.evaluate(openRows);
    for (const key of ['j', 'k'])
      for (let last = await place(page); ;) {
        const cost = await stepCost(page, key);
        if (cost.now === last) break;
        last = cost.now;
        costs.push(cost);
      }
    const nodes = Math.max(...(await page.evaluate(() => [...document.querySelectorAll('.sheet')].map(s => s.querySelectorAll('.node').length))));
    await page.close();
    const by = what => costs.toSorted((a, b) => b[what] - a[what]), [most] = by('touched'), [slowest] = by('ms');
    const told = `${costs.length} steps, up to ${nodes} nodes: median ${by('touched')[costs.length >> 1].touched} elements, most ${most.touched} at ${most.now}; ` +
      `median ${by('ms')[costs.length >> 1].ms.toFixed(1)} ms, worst ${slowest.ms.toFixed(1)} ms at ${slowest.now}`;
    need(most.touched <= TOUCHED, told);
    return told;
  });

for (const name of short ? ['rnn'] : ['rnn', 'lstm', 'nested', 'net'])
  check(`${name}: after each step something that changed is in view, child steps too`, async () => {
    const page = await open(name, '', { reducedMotion: 'reduce' });
    await page.evaluate(openRows);
    const [steps, wrong] = await page.evaluate(walkInPage);
    await page.close();
    need(!wrong.length, `${wrong.length} of ${steps}: ${wrong.slice(0, 9).join('; ')}`);
    return `${steps} places`;
  });

for (const name of short ? ['rnn'] : ['rnn', 'lstm', 'nested', 'net', 'calls'])
  check(`${name}: at every step words stand in their nodes, and none lie on others`, async () => {
    const page = await open(name, '', { reducedMotion: 'reduce' }), [words, wrong] = await page.evaluate(readInPage);
    await page.close();
    need(!wrong.length, `${wrong.length}: ${wrong.slice(0, 9).join('; ')}`);
    return `${words} words`;
  });

check('what is written from right to left keeps to its place; a long name is cut in the middle', async () => {
  const page = await open('names', '', { reducedMotion: 'reduce' }), texts = () => page.locator('.sheet:not(.away) .node:not(.off)').evaluateAll(list => list.map(g => {
    const [name, id] = [g.querySelector('.words:not(.old) .label').firstChild, g.querySelector('.words:not(.old) .id')], range = document.createRange();
    range.selectNodeContents(name);
    return { name: name.textContent, left: range.getBoundingClientRect().right <= (id?.getBoundingClientRect().left ?? Infinity) + 1 };
  }));
  const all = await texts(), right = all.find(t => t.name.includes('\u05e9\u05dc\u05d5\u05dd'));
  need(right?.left, `the number is not right of the name: ${JSON.stringify(all)}`);
  need(all.every(t => t.name.length < 120), 'a long name is not cut');
  need(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll('#info section')].every(s => s.scrollWidth <= s.clientWidth)), 'wider than the screen');
  const [words, wrong] = await page.evaluate(readInPage);
  need(!wrong.length, wrong.slice(0, 9).join('; '));
  await page.screenshot({ path: `${dir}/names.png` });
  await violations(page);
  await page.close();
  return `${words} words`;
});

check('500 inputs: folded, and every pass can be read', async () => {
  if (short) return 'LEFT OUT of the short run';
  const page = await open('inputs', '', { reducedMotion: 'reduce' });
  need((await page.locator('#folded').textContent()).startsWith('folded: '), 'not folded');
  for (let last = ''; last !== await place(page); await page.keyboard.press('J')) {
    last = await place(page);
    const drawn = (await shown(page)).filter(n => !n.box).length;
    need(drawn > 0 && drawn < 250, `${drawn} nodes at ${last}`);
  }
  await violations(page);
  await page.close();
});

check('100 nodes and 50 steps take less than 270 KB', async () => {
  const name = short ? 'rnn' : 'chain', page = await open(name), bytes = statSync(`${dir}/${name}.html`).size;
  const nodes = (await shown(page)).length, steps = await page.locator('#tree .row').count();
  await page.close();
  if (!short) need(nodes >= 100 && steps >= 50, `${nodes} nodes, ${steps} steps`);
  const packed = gzipSync(readFileSync(`${dir}/${name}.html`)).length;
  if (!short) need(bytes < 270000, `${bytes} bytes`);
  return `${nodes} nodes, ${steps} steps, ${bytes} bytes, ${packed} packed`;
});

/* To a step by its address. */
async function goTo(page, step) {
  await page.evaluate(h => { location.hash = h; }, step.at);
  await page.waitForFunction(p => document.getElementById('place').textContent.startsWith(p), step.words + ' ');
}

/* ---- the list ---- */

check('a pass at a time; empty ones are dimmed and skipped', async () => {
  const page = await open('rnn'), names = [], want = await page.evaluate(() => [...document.querySelectorAll('#tree .pass:not(.empty) .name')].map(e => e.textContent));
  for (let i = 0; i < want.length; i++) { names.push((await place(page)).replace(/ ([\d.]+ \u00b7 )?\d+\/\d+$/, '')); await page.keyboard.press('Shift+J'); }
  same(names, want, 'passes');
  need(await page.locator('#tree .pass.empty[aria-disabled=true]').count() === 1, 'what did nothing is not one line');
  need((await page.locator('#tree .empty').innerText()).startsWith('nothing to do: '), 'nothing says what did nothing');
  await page.keyboard.press('Shift+K');
  await page.close();
});

check('inner steps close and open; steps by rule, too', async () => {
  const page = await open('rnn', inner.at);
  const rows = () => page.evaluate(() => [...document.querySelectorAll('#tree .item')].filter(e => !e.hidden).map(e => e.textContent));
  await page.locator('#tree [aria-selected=true]').focus();
  if (await page.locator('#tree [aria-selected=true]').getAttribute('aria-expanded') === 'false') await page.keyboard.press('ArrowRight');
  const before = await rows();
  await page.keyboard.press('ArrowLeft');
  need((await rows()).length < before.length, 'not closed');
  await page.keyboard.press('ArrowRight');
  same(await rows(), before, 'not opened');
  await page.keyboard.press('g');
  const groups = page.locator('#tree .group');
  need(await groups.count() > 3, 'no groups');
  need((await rows()).length === before.length + await groups.count(), 'rows were lost');
  await goTo(page, sequence);
  await page.locator('#tree [aria-selected=true]').focus();
  await page.keyboard.press('ArrowLeft');
  need((await page.evaluate(() => document.activeElement.className)).includes('group'), 'not on its group');
  need(await page.locator('#tree [aria-selected=true]').isHidden(), 'group not closed');
  await page.keyboard.press('Enter');
  need(await page.locator('#tree [aria-selected=true]').isVisible(), 'group not opened');
  await page.keyboard.press('g');
  same(await rows(), before, 'another order than before');
  await page.close();
});

check('a derivative opens into its rules, one a step', async () => {
  const page = await open('rnn', derivative.at);
  await page.locator('#step .wide').click();
  await page.keyboard.press('j');
  need((await place(page)).startsWith(derivative.words + '.1 '), await place(page));
  const rules = [];
  for (let at = await place(page); at.startsWith(derivative.words + '.'); at = await place(page)) {
    rules.push(await page.locator('#step h2').textContent());
    need((await shown(page)).length > 1, 'no graph');
    await page.keyboard.press('j');
  }
  need(rules.length >= 8 && rules.every(r => r.startsWith('d ')), rules.join());
  await page.close();
  return `${rules.length} steps`;
});

/* ---- what the page says ---- */

/* How much of the view what is shown takes: its larger share of width and height; and whether letters can be read. */
const fillInPage = () => {
  const root = document.getElementById('graph'), stage = root.getBoundingClientRect();
  let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
  for (const e of document.querySelectorAll('.sheet:not(.away) .node:not(.off) > .shape')) {
    const r = e.getBoundingClientRect();
    x0 = Math.min(x0, Math.max(r.left, stage.left)); x1 = Math.max(x1, Math.min(r.right, stage.right));
    y0 = Math.min(y0, Math.max(r.top, stage.top)); y1 = Math.max(y1, Math.min(r.bottom, stage.bottom));
  }
  return [Math.max((x1 - x0) / stage.width, (y1 - y0) / stage.height), new DOMMatrix(getComputedStyle(document.querySelector('.sheet:not(.away)')).transform).a];
};
for (const [where, size] of [['desktop', { width: 1440, height: 900 }], ['phone', { width: 390, height: 844 }]])
  for (const name of all)
    check(`${name}: every state fills a third of its view, ${where}`, async () => {
      const page = await open(name, '', { reducedMotion: 'reduce', viewport: size });
      let least = 1;
      await walk(page, 'j', async at => {
        await settle(page);
        const [share, scale] = await page.evaluate(fillInPage);
        least = Math.min(least, share);
        need(scale >= 0.59, `letters of ${(13.5 * scale).toFixed(1)} px at ${at}`);
        need(share >= 1 / 3 || scale >= 1.49, `${(100 * share).toFixed(0)} % at ${at}, scale ${scale}`);
      });
      await page.close();
      return `at least ${(100 * least).toFixed(0)} % of the width or height`;
    });

check('formulas of the results stand above the picture; what the step changed in them stands out', async () => {
  const page = await open('small'), says = () => page.locator('#says').innerText();
  same(await says(), 'log(1 + x)', 'as written');
  await page.keyboard.press('j');
  same(await says(), 'log1p(x)', 'after the step');
  need((await page.locator('#says ins').allInnerTexts()).join('').includes('log1p'), 'nothing stands out');
  await page.locator('[data-mode=before]').click();
  same(await says(), 'log(1 + x)', 'before the step');
  await page.close();
  const rnn = await open('rnn');
  need((await rnn.locator('#says').innerText()).startsWith('gW = '), 'no name');
  need((await rnn.locator('#classes').innerText()).includes('rounding'), 'no word for a class');
  const labels = await rnn.locator('.sheet:not(.away) .node:not(.off) .label').evaluateAll(list => list.map(t => t.firstChild.textContent));
  need(!labels.some(s => /%\d/.test(s)), `a number in a label: ${labels}`);
  await rnn.close();
});

check('the text of a state and the picture show each other what is picked', async () => {
  const page = await open('small', '#stabilize/1');
  await page.keyboard.press('p');
  await page.waitForSelector('#text .added');
  same(await page.locator('#text .removed code').allInnerTexts(), ['log(1 + x)'], 'lines that went');
  same(await page.locator('#text .added code').allInnerTexts(), ['log1p(x)'], 'lines that came');
  await page.locator('#text .added [data-id]').first().click();
  need((await picked(page).getAttribute('aria-label')).startsWith('log1p'), 'the text does not pick');
  await page.keyboard.press(',');
  const id = await picked(page).getAttribute('data-id');
  await page.waitForFunction(k => [...document.querySelectorAll('#text .lit')].some(e => e.dataset.id === k), id);
  await page.close();
});

check('the text of a state and the picture show each other what the pointer or the focus is on', async () => {
  const page = await open('rnn', '#differentiate/6', { reducedMotion: 'reduce' });
  await page.keyboard.press('p');
  await page.waitForSelector('#text [data-id]');
  const near = () => page.evaluate(() => [...new Set([...document.querySelectorAll('#text .near')].map(e => e.dataset.id))]);
  const brushed = () => page.evaluate(() => [...document.querySelectorAll('.sheet:not(.away) .brushed')].map(e => e.dataset.id));
  const id = await page.evaluate(() => {
    const said = new Set([...document.querySelectorAll('#text [data-id]')].map(e => e.dataset.id));
    return [...document.querySelectorAll('.sheet:not(.away) .node:not(.off)')].find(g => said.has(g.dataset.id)).dataset.id;
  });
  await page.locator(`.sheet:not(.away) .node[data-id="${id}"]`).dispatchEvent('pointerover');
  same([await near(), await brushed()], [[id], [id]], 'from the picture');
  await page.locator('#graph').dispatchEvent('pointerleave');
  same([await near(), await brushed()], [[], []], 'the pointer is elsewhere');
  await page.locator(`#text [data-id="${id}"]`).first().dispatchEvent('pointerover');
  same([await near(), await brushed()], [[id], [id]], 'from the text');
  await page.locator('#text').focus();
  const seen = [];
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press('ArrowDown');
    seen.push((await near())[0]);
    need((await live(page)).includes('%' + seen[i]), `${await live(page)} is not what is told of %${seen[i]}`);
  }
  need(new Set(seen).size === 4, `lines of ${seen}`);
  await page.keyboard.press('ArrowUp');
  same(await near(), [seen[2]], 'back');
  await page.keyboard.press('Enter');
  need((await hash(page)).endsWith('/' + seen[2]), 'Enter does not pick');
  await page.close();
});

check('before and after side by side: each marked, moved together; not on a phone', async () => {
  const page = await open('small', '#stabilize/1', { reducedMotion: 'reduce' });
  const side = root => page.evaluate(r => [...document.querySelectorAll(`#${r} .sheet:not(.away) .node:not(.off)`)].map(g =>
    [g.getAttribute('aria-label').split(' ')[0], ['added', 'removed', 'changed'].find(m => g.classList.contains(m)) ?? '']).sort(), root);
  for (let i = 0; i < 2; i++) await page.keyboard.press('v');
  await page.waitForFunction(() => document.querySelector('#twin .sheet'));
  const was = await side('twin'), is = await side('graph');
  need(was.some(([l, m]) => l === 'log' && m === 'removed') && !was.some(([l]) => l === 'log1p'), `before: ${was}`);
  need(is.some(([l, m]) => l === 'log1p' && m === 'added') && !is.some(([l]) => l === 'log'), `after: ${is}`);
  const placed = () => page.evaluate(() => ['twin', 'graph'].map(r => document.querySelector(`#${r} .sheet:not(.away)`).style.transform));
  for (const act of [() => page.keyboard.press('+'), () => page.locator('#twin').dispatchEvent('wheel', { deltaY: 90, bubbles: true })]) {
    const [, before] = await placed();
    await act();
    const [a, b] = await placed();
    need(a === b && b !== before, `${a} and ${b}, before ${before}`);
  }
  await page.locator('#twin .node.removed.redex').dispatchEvent('click');
  need(/log/.test(await page.locator('#node h2').innerText()), 'a node on the left is not picked');
  await page.keyboard.press('j');
  await violations(page);
  await page.keyboard.press('v');
  need(!(await page.locator('#twin').isVisible()) && await page.locator('#twin .sheet').count() === 0, 'it stays');
  await page.close();
  const phone = await open('small', '#stabilize/1', { viewport: { width: 390, height: 844 } });
  for (let i = 0; i < 3; i++) await phone.keyboard.press('v');
  same(await phone.locator('[data-mode][aria-checked=true]').getAttribute('data-mode'), 'change', 'three are left');
  await phone.close();
});

check('nodes filled by operations and bytes, on a scale that is told; words keep their contrast', async () => {
  const page = await open('rnn', '#differentiate/6', { reducedMotion: 'reduce' });
  const shades = () => page.evaluate(() => [...document.querySelectorAll('.sheet:not(.away) .node:not(.off)')].map(g => [...g.classList].find(c => /^shade-/.test(c)) ?? ''));
  need((await shades()).every(s => !s), 'filled at first');
  for (const name of ['operations', 'bytes']) {
    await page.keyboard.press('y');
    await page.waitForFunction(() => !('busy' in document.getElementById('graph').dataset));
    need((await page.locator('#scale').innerText()).startsWith(name), 'the scale');
    const kinds = new Set(await shades());
    need(kinds.size > 2 && !kinds.has(''), [...kinds].join(' '));
    need((await live(page)).startsWith(`filled by ${name}`), 'it is not told');
    await violations(page);
  }
  await page.keyboard.press('t');
  await violations(page);
  await page.keyboard.press('y');
  need((await shades()).every(s => !s) && !(await page.locator('#scale').innerText()), 'not back');
  await page.close();
});

check('what color= and whynot= ask for: filled at first, and the rules that came near a node', async () => {
  const page = await open('asked', '', { reducedMotion: 'reduce' });
  need(/^time 0 s/.test(await page.locator('#scale').innerText()), await page.locator('#scale').innerText());
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelectorAll('.sheet:not(.away) .node:not(.off):is(.shade-3, .shade-4, .shade-5, .shade-6)').length);
  await page.keyboard.press('Home');
  await page.keyboard.press('/');
  await page.keyboard.type('*');
  await page.keyboard.press('Enter');
  need(/rules that did not fire[^]*exp-exp: 3 of 5/i.test(await page.locator('#node').innerText()), await page.locator('#node').innerText());
  await violations(page);
  await page.close();
  const other = await open('small', '', { reducedMotion: 'reduce' });
  await other.keyboard.press('.');
  need(!/did not fire/i.test(await other.locator('#node').innerText()), 'told unasked');
  await other.close();
});

check('an address that names what is not there: the page opens, and says so', async () => {
  for (const [at, place, words] of [['#nonsense/99', /^as written/, /no such pass/], ['#differentiate/999', /^differentiate/, /differentiate has no step 999/], ['#%E0%A4%A/1', /^as written/, /no such pass/]]) {
    const page = await open('rnn', at, { reducedMotion: 'reduce' });
    need(place.test(await page.locator('#place').innerText()), at);
    need(words.test(await page.locator('#where').innerText()) && words.test(await live(page)), `${at}: ${await page.locator('#where').innerText()}`);
    await violations(page);
    await page.keyboard.press('j');
    need(!(await page.locator('.lost').count()), 'it stays');
    await page.close();
  }
  const page = await open('rnn', '#differentiate/2/99999', { reducedMotion: 'reduce' });
  need(/no such node/.test(await page.locator('#node').innerText()), 'a node that is nowhere');
  await page.close();
});

check('shapes at edges: those of the values, on no node, by a key and back', async () => {
  const page = await open('rnn', '#source/0', { reducedMotion: 'reduce' });
  const sizes = () => page.evaluate(() => [...document.querySelectorAll('.sheet:not(.away) .size')].filter(e => getComputedStyle(e).display !== 'none').map(e => {
    const r = e.getBoundingClientRect();
    return { words: e.textContent, at: [r.left, r.top, r.right, r.bottom] };
  }));
  need(!(await sizes()).length, 'there at first');
  await page.keyboard.press('z');
  const all = await sizes(), words = new Set(all.map(s => s.words));
  need(all.length > 15 && words.has('3\u00d73') && words.has('T\u00d72'), [...words].join(' '));
  const hits = await page.evaluate(list => {
    const nodes = [...document.querySelectorAll('.sheet:not(.away) .node:not(.off) .shape')].map(e => e.getBoundingClientRect());
    return list.filter(({ at: [l, t, r, b] }) => nodes.some(n => l + 2 < n.right && r - 2 > n.left && t + 3 < n.bottom && b - 3 > n.top)).map(s => s.words);
  }, all);
  need(!hits.length, 'on nodes: ' + hits.join(' '));
  await violations(page);
  await page.keyboard.press('j');
  await page.waitForFunction(() => document.querySelectorAll('.sheet:not(.away) .size').length > 15);
  await page.keyboard.press('z');
  need(!(await sizes()).length, 'still there');
  await page.close();
});

check('nodes by key in reading order, told as one goes; only what is around one', async () => {
  const page = await open('rnn', '#source/0', { reducedMotion: 'reduce' }), seen = new Set();
  let last = -1;
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('.');
    const g = picked(page), y = (await page.evaluate(() => document.querySelector('.sheet:not(.away) .picked .shape').y.baseVal.value));
    need(y >= last, 'upwards');
    last = y;
    seen.add(await g.getAttribute('aria-label'));
    need(await g.evaluate(e => document.activeElement === e), 'it has no focus, so nothing is told');
  }
  need(seen.size === 12, `${seen.size} nodes`);
  const before = (await shown(page)).length;
  await page.keyboard.press('h');
  await settle(page);
  const few = (await shown(page)).length;
  need(few >= 2 && few < before, `${few} of ${before}`);
  await page.keyboard.press('h');
  await settle(page);
  need((await shown(page)).length === before, 'they do not come back');
  await page.close();
  return `${few} of ${before} nodes around one`;
});

check('the view as a file: SVG that stands alone, PNG', async () => {
  const page = await open('rnn', sequence.at);
  for (const [key, ending, starts] of [['x', '.svg', '<svg '], ['X', '.png', '\u0089PNG']]) {
    const wait = page.waitForEvent('download');
    await page.keyboard.press(key);
    const file = await wait, bytes = readFileSync(await file.path(), 'latin1');
    need(file.suggestedFilename().endsWith(ending) && bytes.startsWith(starts), `${file.suggestedFilename()}: ${bytes.slice(0, 20)}`);
    if (key === 'x') need(bytes.includes('tanh') && !/var\(|class=|style=/.test(bytes), 'no words, or it needs the page');
  }
  await page.close();
});

check('what stays moves from where it stood, unless no motion is wanted', async () => {
  for (const [reducedMotion, moves] of [['no-preference', true], ['reduce', false]]) {
    const page = await open('rnn', '#source/0', { reducedMotion });
    await page.waitForSelector('#graph[data-ready]');
    const times = await page.evaluate(() => {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
      return document.getAnimations().filter(a => a.effect.target.closest?.('.sheet')).map(a => a.effect.getComputedTiming().duration);
    });
    need((moves ? times.length > 3 : times.length === 0) && times.every(t => t <= 300), `${times.length} parts move, up to ${Math.max(0, ...times)} ms`);
    await page.close();
  }
});

check('on a phone / opens the search; the list of keys begins at its beginning', async () => {
  const page = await open('rnn', '#source/0', { viewport: { width: 390, height: 844 } });
  await page.keyboard.press('/');
  await page.keyboard.type('tanh');
  same(await page.locator('#find').inputValue(), 'tanh', 'typed');
  need(await page.locator('#hits .hit').count() >= 1, 'nothing found');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  need(await page.locator('#keys').evaluate(d => d.open && d.scrollTop === 0), 'not at its beginning');
  await page.close();
});

/* ---- one node ---- */

check('one click: history, type, shape, value, cost, the line it was written in', async () => {
  const page = await open('rnn', sequence.at);
  await page.keyboard.press('k');
  await page.keyboard.press('f');
  await page.waitForTimeout(400);
  const told = async words => {
    await page.locator('.sheet:not(.away) .node:not(.off)', { hasText: words }).first().click();
    return (await page.locator('#node').innerText()).toLowerCase();
  };
  const outer = await told('zeros'), inner = await told('tanh');
  for (const part of ['operator', 'type', 'shape', 'value', 'bytes', 'used by', 'where it comes from', 'what becomes of it'])
    need(outer.includes(part), `nothing about ${part}: ${outer}`);
  for (const part of ['operations', 'operands', fused.words, 'rnn.gr, line'])
    need(inner.includes(part), `nothing about ${part}: ${inner}`);
  need((await page.locator('#node mark').innerText()).startsWith('tanh(x[t-1]'), 'no line of the source');
  await page.close();
});

check('what is picked is told in sight, its life first; where it is; it stays picked as long as it lives', async () => {
  const page = await open('rnn', fused.at, { reducedMotion: 'reduce' });
  const inSight = async () => {
    const r = await page.locator('#node .history').first().boundingBox(), h = await page.locator('#node h2').boundingBox();
    need(h && r && h.y >= 0 && r.y + Math.min(r.height, 60) <= 900, `not in sight: ${JSON.stringify([h, r])}`);
  };
  need(/fuse.*inside a body.*fuse.*scan.*body/.test(await page.locator('#where').innerText()), await page.locator('#where').innerText());
  await page.locator('#tree .item', { hasText: 'sequence-dot' }).first().click();
  await page.locator('.sheet:not(.away) .node:not(.off)', { hasText: 'tanh' }).first().click();
  await inSight();
  const told = await page.locator('#node h2').textContent();
  need((await page.locator('#where').innerText()).includes('scan'), 'no way to it');
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press('j');
    same(await page.locator('#node h2').textContent(), told, 'what is picked');
    need(await picked(page).count() === 1, `not picked at ${await place(page)}`);
  }
  await page.locator('#where button').first().click();
  need((await place(page)).startsWith('loops '), await place(page));
  await page.keyboard.press('/');
  await page.keyboard.type('tanh');
  await page.keyboard.press('Enter');
  await inSight();
  await page.close();
});

check('Tab leads to the list, to what the step rewrites, to the details', async () => {
  const page = await open('small', '#stabilize/1'), reached = new Set();
  for (let i = 0; i < 26; i++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => {
      const e = document.activeElement;
      return e.closest('#tree') ? 'list' : e.closest('.sheet:not(.away)') ? `graph ${e.classList.contains('redex')}` : e.closest('#info') ? 'details' : e.id || e.closest('[id]')?.id;
    }));
    if (reached.has('graph true') && !reached.has('picked')) {
      await page.keyboard.press('Enter');
      need(await picked(page).count() === 1, 'Enter does not pick');
      reached.add('picked');
    }
  }
  for (const part of ['list', 'graph true', 'details', 'find']) need(reached.has(part), `never at ${part}: ${[...reached]}`);
  await page.close();
});

check('a step tells its rule, reason, conditions, before and after', async () => {
  const page = await open('rnn', sequence.at), words = await page.locator('#step').innerText();
  for (const part of ['sequence-dot', 'because', 'rounding', 'scan('])
    need(words.includes(part), `no ${part}: ${words}`);
  need(await page.locator('#step .was').count() >= 1 && await page.locator('#step .is').count() >= 1, 'no before and after');
  need(await page.locator('.sheet:not(.away) .redex:not(.off)').count() >= 1, 'nothing is outlined');
  const differ = await page.locator('#step :is(del, ins)').allInnerTexts();
  need(differ.join(' ').includes('W1') && !differ.join(' ').includes('scan'), `the words that differ: ${differ}`);
  await page.close();
  const small = await open('small', '#stabilize/1');
  need((await small.locator('#step .rule').innerText()).includes('log(1 + x) => log1p(x)'), 'no rule text');
  const marks = (await shown(small)).filter(n => n.mark).map(n => `${n.mark} ${n.label.split(' %')[0]}`).sort();
  same(marks, ['added log1p', 'removed 1.0 + x', 'removed log'], 'marks');
  await small.close();
});

check('operands and users by key', async () => {
  const page = await open('rnn', '#source/0');
  await page.locator('.sheet:not(.away) .node:not(.off)', { hasText: 'tanh' }).first().click();
  const label = () => picked(page).getAttribute('aria-label');
  const tanh = await label();
  await page.locator('.sheet:not(.away) .picked').focus();
  await page.keyboard.press('ArrowUp');
  const operand = await label();
  need(operand !== tanh, 'no operand');
  await page.keyboard.press('ArrowDown');
  same(await label(), tanh, 'not back');
  await page.keyboard.press('Digit1');
  same(await label(), operand, 'not the first operand');
  await page.keyboard.press('2');
  const second = await label();
  await page.keyboard.press('ArrowLeft');
  need(await label() !== second, 'no neighbour');
  await page.keyboard.press('Escape');
  need(await picked(page).count() === 0, 'still picked');
  await page.close();
});

/* ---- pointers ---- */

const window_ = page => page.evaluate(() => {
  const m = new DOMMatrix(getComputedStyle(document.querySelector('.sheet:not(.away)')).transform);
  return { x: m.e, y: m.f, scale: m.a };
});
const near = (a, b, what) => need(Math.abs(a - b) < 1.5, `${what}: ${a}, not ${b}`);

check('wheel, drag from anywhere, pinch; a click after a drag picks nothing', async () => {
  const page = await open('rnn', sequence.at, { reducedMotion: 'reduce', hasTouch: true });
  const node = await page.locator('.sheet:not(.away) .node.added:not(.off)').first().boundingBox();
  const [x, y] = [node.x + node.width / 2, node.y + node.height / 2];
  let was = await window_(page);
  await page.mouse.move(x, y);
  need(await page.locator('#card').isVisible() && (await page.locator('#card').innerText()).includes('f64['), 'no card');
  await page.mouse.down();
  await page.mouse.move(x + 40, y - 25, { steps: 4 });
  await page.mouse.up();
  let is = await window_(page);
  near(is.x - was.x, 40, 'dragged');
  near(is.y - was.y, -25, 'dragged');
  need(await picked(page).count() === 0, 'a drag picks');
  await page.mouse.wheel(0, 60);
  was = is;
  is = await window_(page);
  near(is.y - was.y, -60, 'wheel');
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -120);
  await page.keyboard.up('Control');
  was = is;
  is = await window_(page);
  need(is.scale > was.scale && is.scale < 1.3 * was.scale, `a notch: ${was.scale} to ${is.scale}`);
  const touch = await page.context().newCDPSession(page);
  const fingers = (type, ...points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })) });
  const stage = await page.locator('#graph').boundingBox(), [cx, cy] = [stage.x + stage.width / 2, stage.y + stage.height / 2];
  was = is;
  await fingers('touchStart', [cx - 50, cy], [cx + 50, cy]);
  await fingers('touchMove', [cx - 100, cy], [cx + 100, cy]);
  await fingers('touchEnd');
  is = await window_(page);
  need(Math.abs(is.scale / was.scale - 2) < 0.1, `pinched by ${is.scale / was.scale}`);
  near((cx - stage.x - is.x) / is.scale, (cx - stage.x - was.x) / was.scale, 'the middle of a pinch');
  await page.close();
});

check('legend; the program with what is picked marked', async () => {
  const page = await open('rnn', sequence.at);
  await page.keyboard.press('l');
  const words = await page.locator('#shapes').innerText();
  for (const part of ['linalg', 'state: carried', 'capture:', 'a row a step']) need(words.includes(part), `no ${part}: ${words}`);
  await page.keyboard.press('l');
  need(await page.locator('#shapes').isHidden(), 'it stays');
  need((await page.locator('#source').innerText()).includes('x[t] = tanh(x[t-1]'), 'no program');
  await page.keyboard.press('f');
  await page.locator('.sheet:not(.away) .node:not(.off)', { hasText: 'tanh' }).first().click();
  need((await page.locator('#source mark').innerText()).startsWith('tanh(x[t-1]'), 'no mark');
  await page.close();
});

for (const scheme of ['light', 'dark'])
  check(`on a phone: one bar, sheets, ${scheme}`, async () => {
    const page = await open('rnn', sequence.at, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: scheme, reducedMotion: 'reduce' });
    await settle(page);
    need((await page.locator('header').boundingBox()).height < 60, 'more than one bar');
    need(await page.evaluate(() => document.documentElement.scrollWidth) <= 390, 'wider than the screen');
    need(await page.locator('#steps').isHidden() && await page.locator('#info').isHidden() && await page.locator('#map').isHidden(), 'the picture is covered');
    await page.screenshot({ path: `${dir}/phone-${scheme}.png` });
    await page.locator('[data-sheet=steps]').tap();
    await page.locator('#tree .item', { hasText: 'mul-self' }).first().tap();
    need((await place(page)).startsWith('specialize'), await place(page));
    await page.locator('[data-sheet=steps]').tap();
    need(await page.locator('#steps').isHidden(), 'the list stays');
    await page.locator('.sheet:not(.away) .node.redex:not(.off)').first().tap();
    need(await page.locator('#node h2').isVisible(), 'no details');
    const sheet = await page.locator('#info').boundingBox(), node = await picked(page).boundingBox();
    need(node.y >= 0 && node.y + node.height <= sheet.y && node.x >= 0 && node.x + node.width <= 391, `what is picked is not in sight: ${JSON.stringify([node, sheet])}`);
    need(await page.locator('#place').evaluate(e => e.scrollWidth <= e.clientWidth), 'the place is cut');
    await page.screenshot({ path: `${dir}/phone-details-${scheme}.png` });
    await violations(page);
    await page.locator('[data-sheet=more]').tap();
    await page.locator('#find').fill('tanh');
    need(await page.locator('#hits .hit').count() >= 1, 'nothing found');
    await page.close();
  });

/* ---- search ---- */

check('search finds what is in a closed loop, and opens it', async () => {
  const page = await open('rnn', '#source/0'), tab = page.locator('.sheet:not(.away) .tab.kind-scan:not(.off)').first();
  await tab.focus();
  await page.keyboard.press('Enter');
  need(await tab.evaluate(e => e.classList.contains('shut')) && await tab.getAttribute('aria-expanded') === 'false', 'not closed');
  const before = (await shown(page)).length;
  await page.keyboard.press('/');
  await page.keyboard.type('tanh');
  need(await page.locator('#hits .hit').count() >= 1, 'nothing found');
  await page.screenshot({ path: `${dir}/search.png` });
  await page.keyboard.press('Enter');
  need(await tab.getAttribute('aria-expanded') === 'true', 'still closed');
  need((await shown(page)).length > before, 'nothing came back');
  need((await picked(page).getAttribute('aria-label')).includes('tanh'), 'not picked');
  await page.close();
});

check('search finds steps, numbers, and nodes of other passes', async () => {
  const page = await open('rnn', '#source/0');
  const find = async words => { await page.keyboard.press('/'); await page.locator('#find').fill(words); };
  await find('sequence-dot');
  await page.keyboard.press('Enter');
  need((await place(page)).startsWith(sequence.words + ' '), await place(page));
  await find('gemm');
  need(await page.locator('#hits .hit').count() >= 2, 'no gemm');
  await page.locator('#hits .hit', { hasText: 'in specialize' }).first().click();
  need((await place(page)).startsWith('specialize'), await place(page));
  need((await picked(page).getAttribute('aria-label')).includes('gemm'), 'not picked');
  await find('no such thing');
  need((await page.locator('#hits').innerText()).includes('nothing found'), 'found');
  await page.keyboard.press('Escape');
  need(await page.locator('#hits').isHidden(), 'still open');
  await page.close();
});

/* ---- addresses ---- */

check('an address leads to its step and node', async () => {
  let page = await open('rnn', sequence.at);
  need((await place(page)).startsWith(sequence.words + ' '), await place(page));
  const added = page.locator('.sheet:not(.away) .node.added:not(.off)');
  for (const [which, like] of [['with a number', /^[1-9]\d*$/], ['without', /^-[1-9]\d*$/]]) {
    const k = (await added.evaluateAll(list => list.map(g => g.getAttribute('data-id')))).findIndex(id => (id !== '0') === (which === 'with a number'));
    if (k < 0 && which === 'without') continue;
    await added.nth(k).click();
    const at = await hash(page);
    need(at.startsWith(sequence.at + '/') && like.test(at.slice(sequence.at.length + 1)), at);
    const told = await page.locator('#node h2').textContent(), again = await open('rnn', at);
    same(await again.locator('#node h2').textContent(), told, 'node');
    need(await picked(again).count() === 1, 'not picked');
    if (which === 'with a number') await again.locator('#node .step-link').first().click();
    await goTo(again, inner);
    await again.close();
  }
  await page.close();
  page = await open('rnn', '#nonsense/%%%/<script>');
  need((await place(page)).startsWith('as written'), 'nonsense');
  await page.close();
});

check('back and forward of the browser', async () => {
  const page = await open('rnn', sequence.at);
  await page.locator('.sheet:not(.away) .node.added:not(.off)').first().click();
  await page.locator('#tree .item', { hasText: 'mul-self' }).first().click();
  const far = await place(page);
  for (let i = 0; i < 3; i++) await page.keyboard.press('k');
  await hash(page);
  const near = await place(page);
  await page.goBack();
  await page.waitForFunction(p => document.getElementById('place').textContent === p, far);
  await page.goBack();
  await page.waitForFunction(p => document.getElementById('place').textContent.startsWith(p), sequence.words + ' ');
  need(await picked(page).count() === 1, 'the node is not picked again');
  await page.goForward();
  await page.goForward();
  await page.waitForFunction(p => document.getElementById('place').textContent === p, near);
  await page.close();
});

/* ---- looks ---- */

check('dark, light, by hand; no motion where none is wanted', async () => {
  const paper = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await open('small', '', { colorScheme: 'light' }), dark = await open('small', '', { colorScheme: 'dark' });
  const [a, b] = [await paper(light), await paper(dark)];
  need(a !== b, 'the same');
  await light.keyboard.press('t');
  same(await paper(light), b, 'no toggle');
  await light.close();
  await dark.close();
  const still = await open('rnn', sequence.at, { reducedMotion: 'reduce' });
  await still.keyboard.press('j');
  await still.keyboard.press('f');
  need(await still.locator('.sheet.smooth').count() === 0, 'it moves');
  need(await still.evaluate(() => getComputedStyle(document.querySelector('.sheet')).transitionDuration) === '0s', 'a transition');
  await still.close();
});

check('on paper: the graph whole, the step, no controls', async () => {
  const page = await open('rnn', sequence.at);
  await page.emulateMedia({ media: 'print' });
  for (const part of ['#steps', '#find', '.zoom', '#map']) need(await page.locator(part).first().isHidden(), `${part} is printed`);
  const [sheet, width] = await page.evaluate(() => [document.querySelector('.sheet:not(.away)').getBoundingClientRect().toJSON(), innerWidth]);
  need(sheet.left >= 0 && sheet.right <= width + 1, `cut: ${sheet.left} to ${sheet.right} of ${width}`);
  need(await page.locator('#step').isVisible(), 'no step');
  await page.screenshot({ path: `${dir}/print.png`, fullPage: true });
  const pdf = await page.pdf({ path: `${dir}/print.pdf`, format: 'A4' });
  await page.close();
  return `${pdf.length} bytes of PDF`;
});

check('outline, help, live region', async () => {
  const page = await open('rnn', sequence.at);
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  need((await live(page)).includes('sequence-dot'), 'not announced');
  await page.keyboard.press('o');
  const nodes = (await shown(page)).length;
  await page.waitForFunction(n => document.querySelectorAll('#lines button').length >= n, nodes);
  await page.keyboard.press('?');
  need(await page.locator('#keys').evaluate(d => d.open), 'no help');
  await page.screenshot({ path: `${dir}/help.png` });
  await page.keyboard.press('Escape');
  need(!await page.locator('#keys').evaluate(d => d.open), 'help stays');
  await page.close();
  return `${nodes} lines`;
});

/* ---- for everybody ---- */

/* What is inside a closed one is gone with it. */
async function closeAll(page) {
  const open = page.locator('.sheet:not(.away) .tab:not(.off)[aria-expanded="true"]');
  for (let n = await open.count(); n > 0; n = await open.count()) {
    await open.first().focus();
    await page.keyboard.press('Enter');
  }
}

const states = {
  'a step': ['rnn', sequence.at, null],
  'a node': ['rnn', sequence.at, async page => { await page.locator('.sheet:not(.away) .node.added:not(.off)').first().click(); }],
  'closed loops': ['rnn', '#result/0', closeAll],
  'by rule': ['rnn', sequence.at, async page => { await page.keyboard.press('g'); }],
  'child steps': ['rnn', derivative.at + '.2', null],
  'search': ['rnn', '#source/0', async page => { await page.keyboard.press('/'); await page.keyboard.type('a'); }],
  'nothing found': ['rnn', '#source/0', async page => { await page.keyboard.press('/'); await page.keyboard.type('qqq'); }],
  'outline': ['nested', short ? '' : stepOf('nested', 'expand-derivative').at, async page => { await page.keyboard.press('o'); await page.waitForSelector('#lines button'); }],
  'help': ['small', '', async page => { await page.keyboard.press('?'); }],
  'print': ['rnn', sequence.at, async page => { await page.emulateMedia({ media: 'print' }); }],
  'nothing to do': ['none', '', null],
};
for (const scheme of ['light', 'dark'])
  for (const [what, [name, at, act]] of Object.entries(states)) {
    if (short && (!all.includes(name) || scheme === 'dark' && what !== 'a node')) continue;
    check(`axe finds nothing: ${what}, ${scheme}`, async () => {
      const page = await open(name, at, { colorScheme: scheme, reducedMotion: 'reduce' });
      await settle(page);
      await act?.(page);
      await page.screenshot({ path: `${dir}/${what.replaceAll(' ', '-')}-${scheme}.png` });
      await violations(page);
      await page.close();
    });
  }

await runAll();
check('no message, no request', async () => need(!problems.length, problems.join('\n    ')));
await runAll();
await close();
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed ? 1 : 0);
