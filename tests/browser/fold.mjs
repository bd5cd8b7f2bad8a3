/* What is folded: turned, unfolded all at once, unfolded in place. */
import { check, dir, hash, live, need, open, picked, same, settle, shown, violations } from './page.mjs';
import { walkInPage } from './walks.mjs';

const turnUp = page => page.evaluate(() => [...document.querySelectorAll('.turning:not(.off) .count')].map(e => e.textContent));
const drawnNow = page => page.locator('.sheet:not(.away) .node:not(.off)').count();

check('layers: what repeats is drawn once and said; it turns, and nothing moves', async () => {
  const page = await open('layers'), words = await page.locator('#folded').textContent();
  need(/^folded: \d+ nodes \u00d7\d+.*u unfolds$/.test(words), words);
  need((await live(page)).startsWith('folded: '), 'it is not said');
  const few = await drawnNow(page), at = async () => (await shown(page)).filter(n => !n.box).map(n => `${n.x},${n.y}`).sort();
  need(few < 30, `${few} nodes`);
  const before = await at(), [first] = await turnUp(page), labels = async () => (await shown(page)).map(n => n.label).sort().join();
  const was = await labels();
  await page.keyboard.press(']');
  need((await turnUp(page))[0] !== first, 'the same turn');
  need(await labels() !== was, 'the same nodes');
  same(await at(), before, 'places');
  await page.locator('.turning:not(.off) .turner').first().click();
  same((await turnUp(page))[0], first, 'turned back');
  await page.close();
  return words;
});

check('layers: every step turns to what it changes', async () => {
  const page = await open('layers', '', { reducedMotion: 'reduce' });
  const [steps, wrong] = await page.evaluate(walkInPage);
  await page.close();
  need(!wrong.length, `${wrong.length} of ${steps}: ${wrong.slice(0, 9).join('; ')}`);
  return `${steps} places`;
});

check('layers: search, and an address, find what is folded and turn to it', async () => {
  const page = await open('layers', '#source/0');
  await page.keyboard.press('/');
  await page.keyboard.type('z37');
  await page.keyboard.press('Enter');
  const label = await picked(page).getAttribute('aria-label');
  need(label.includes('z37'), label);
  const again = await open('layers', await hash(page));
  same(await picked(again).getAttribute('aria-label'), label, 'by its address');
  same(await turnUp(again), await turnUp(page), 'turns');
  await again.close();
  await page.close();
});

check('layers: all of it by u, and once again', async () => {
  const page = await open('layers', '', { reducedMotion: 'reduce' }), few = await drawnNow(page);
  await page.keyboard.press('u');
  await shown(page);
  need(await drawnNow(page) > 400, `${await drawnNow(page)} nodes`);
  need(await page.locator('#folded').textContent() === '' && await page.locator('#unfold').textContent() === 'fold', 'it says that it is folded');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.locator('#unfold').click();
  await shown(page);
  same(await drawnNow(page), few, 'folded again');
  await violations(page);
  await page.close();
});

check('loops: closed where there are too many nodes, marked where a step changes one; a key or a search opens', async () => {
  const page = await open('loops', '', { reducedMotion: 'reduce' }), few = await drawnNow(page), tabs = page.locator('.sheet:not(.away) .tab.shut:not(.off)', { hasText: 'closed: ' });
  need(few < 150 && await tabs.count() >= 12, `${few} nodes, ${await tabs.count()} closed`);
  need(/\d+ inner graphs closed; u unfolds/.test(await page.locator('#folded').textContent()), 'it is not said');
  const [steps, wrong] = await page.evaluate(walkInPage);
  need(!wrong.length, `${wrong.length} of ${steps}: ${wrong.slice(0, 9).join('; ')}`);
  await page.keyboard.press('Home');
  await page.keyboard.press('u');
  await shown(page);
  need(await drawnNow(page) > 400, 'it does not open');
  await page.keyboard.press('u');
  await shown(page);
  same(await drawnNow(page), few, 'closed again');
  await page.keyboard.press('/');
  await page.keyboard.type('q7');
  await page.keyboard.press('Enter');
  await shown(page);
  need((await picked(page).getAttribute('aria-label')).includes('q7'), 'not found');
  await violations(page);
  await page.close();
  return `${steps} places`;
});

check('an address that names nothing unfolds nothing', async () => {
  for (const name of ['layers', 'loops', 'small']) {
    const page = await open(name, '#source/0/0/b999.f77.b-1.all2.%3Cb%3E');
    need((await hash(page)).endsWith('#source/0'), await hash(page));
    need(await drawnNow(page) > 0, 'nothing is drawn');
    await page.close();
  }
});

/* Where each node, box and frame stands, in pixels of the window. */
const standing = page => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.sheet:not(.away) :is(.node, .tab, .turning):not(.off)')].map(g => {
  const r = g.querySelector('.shape, .plate').getBoundingClientRect();
  return [g.dataset.slot ?? (g.dataset.box ? 'box ' + g.dataset.box : 'frame ' + g.querySelector('[data-key]').dataset.key), { x: r.left, y: r.top, right: r.right, bottom: r.bottom }];
})));
const apart = (a, b) => a.x >= b.right || b.x >= a.right || a.y >= b.bottom || b.y >= a.bottom;

/* What stands left of and above a corner stays, all else moves right and down only; no node lies on another. */
function needsRoomOnly(was, is, key) {
  const corner = was[key];
  need(Math.abs(is[key].x - corner.x) < 3 && Math.abs(is[key].y - corner.y) < 3, `${key} moved from ${JSON.stringify(corner)} to ${JSON.stringify(is[key])}`);
  for (const k in was) {
    if (!is[k]) continue;
    const [dx, dy] = [is[k].x - was[k].x, is[k].y - was[k].y];
    need(dx >= -2 && dy >= -2, `${k} moved by ${dx}, ${dy}`);
    if (was[k].right <= corner.x) need(dx < 3, `${k}, left of it, moved by ${dx}`);
    if (was[k].bottom <= corner.y) need(dy < 3, `${k}, above it, moved by ${dy}`);
  }
  const nodes = Object.entries(is).filter(([k]) => /^\d+$/.test(k)).sort(([, a], [, b]) => a.x - b.x);
  nodes.forEach(([k, a], i) => {
    for (const [l, b] of nodes.slice(i + 1)) {
      if (b.x >= a.right) break;
      need(apart(a, b), `${k} lies on ${l}`);
    }
  });
}

check('loops: one unfolds where it stands, by click, key and button, the rest stays folded', async () => {
  const page = await open('loops', '', { reducedMotion: 'reduce' }), shut = page.locator('.sheet:not(.away) .tab.shut:not(.off)', { hasText: 'closed: ' });
  await page.keyboard.press('f');
  const few = await drawnNow(page), closed = await shut.count(), was = await standing(page), key = 'box ' + await shut.nth(2).getAttribute('data-box');
  await shut.nth(2).click();
  await shown(page);
  same(await shut.count(), closed - 1, 'how many are closed');
  const many = await drawnNow(page);
  need(many > few && many < few + 100, `${few} nodes, then ${many}`);
  needsRoomOnly(was, await standing(page), key);
  need((await hash(page)).endsWith('/' + key.replace('box ', 'b')), await hash(page));
  const tab = page.locator(`.sheet:not(.away) [data-box="${key.slice(4)}"]`);
  need(await tab.getAttribute('aria-expanded') === 'true' && await tab.evaluate(e => e === document.activeElement && e.classList.contains('picked')), 'it is not picked, or lost the focus');
  const other = await open('loops', await hash(page));
  same(await drawnNow(other), many, 'by its address');
  await other.close();
  for (let i = 0; i < 4; i++) await page.keyboard.press('j');
  need(await drawnNow(page) > few && (await hash(page)).includes(key.replace('box ', 'b')), 'a step folds it');
  for (let i = 0; i < 4; i++) await page.keyboard.press('k');
  await page.keyboard.press('e');
  await shown(page);
  same(await drawnNow(page), few, 'folded by key');
  const back = await standing(page);
  same(Object.keys(back), Object.keys(was), 'what is drawn');
  const scale = (back[key].right - back[key].x) / (was[key].right - was[key].x);
  for (const k in was)
    for (const side of ['x', 'y'])
      need(Math.abs((back[k][side] - back[key][side]) / scale - (was[k][side] - was[key][side])) < 4 / Math.min(scale, 1), `${k} does not stand where it stood`);
  await page.locator('#here').click();
  await shown(page);
  same(await drawnNow(page), many, 'by the button');
  await hash(page);
  await page.goBack();
  await page.waitForFunction(n => document.querySelectorAll('.sheet:not(.away) .node:not(.off)').length === n, few);
  await page.goForward();
  await page.waitForFunction(n => document.querySelectorAll('.sheet:not(.away) .node:not(.off)').length === n, many);
  await violations(page);
  await page.screenshot({ path: `${dir}/unfolded-loop.png` });
  await page.close();
  return `${few} nodes, unfolded ${many}`;
});

check('layers: one frame shows all its turns where it stands; what is picked stays picked; other frames stay folded', async () => {
  const page = await open('layers', '', { reducedMotion: 'reduce' }), few = await drawnNow(page), was = await standing(page);
  const keys = await page.locator('.sheet:not(.away) .turning:not(.off) [data-key]').evaluateAll(list => list.map(b => b.dataset.key));
  need(keys.length >= 1, `frames: ${keys}`);
  const key = keys.at(-1);
  await page.locator('.sheet:not(.away) .node.op-linalg:not(.off)').click();
  const label = await picked(page).getAttribute('aria-label'), button = page.locator(`.sheet:not(.away) .turner[data-key=${key}]`);
  await button.focus();
  await page.keyboard.press('Enter');
  await shown(page);
  need(await drawnNow(page) >= few + 89 * 4, `${await drawnNow(page)} nodes`);
  same(await picked(page).getAttribute('aria-label'), label, 'what is picked');
  need(await page.evaluate(k => document.activeElement?.dataset.key === k, key), 'the focus is lost');
  same(await page.locator('.sheet:not(.away) .turning:not(.off) [aria-expanded=false]').count(), keys.length - 1, 'frames that are folded');
  needsRoomOnly(was, await standing(page), 'frame ' + key);
  const turns = await page.locator('.sheet:not(.away) .fold:not(.off) .turn').allTextContents();
  same(turns.length, 90, 'turns');
  need(turns[0] === '1 of 90' && turns[89] === '90 of 90', `they run from ${turns[0]} to ${turns[89]}`);
  await page.screenshot({ path: `${dir}/unfolded-layers.png` });
  await violations(page);
  await button.click();
  await shown(page);
  same(await drawnNow(page), few, 'folded again');
  const back = await standing(page);
  for (const k in was) need(Math.abs(back[k].x - was[k].x) < 1 && Math.abs(back[k].y - was[k].y) < 1, `${k} does not stand where it stood`);
  await page.close();
});

for (const [name, keys] of [['layers', 'f0'], ['loops', 'b1.b5']])
  check(`${name}: with something unfolded, every step shows what it changes, and the steps keep it`, async () => {
    const page = await open(name, '#source/0/0/' + keys, { reducedMotion: 'reduce' });
    const [steps, wrong] = await page.evaluate(walkInPage);
    need(!wrong.length, `${wrong.length} of ${steps}: ${wrong.slice(0, 9).join('; ')}`);
    need((await hash(page)).endsWith('/' + keys), await hash(page));
    await page.close();
    return `${steps} places`;
  });

if (!process.argv.includes('--short'))
  check('deep: what is unfolded stays so where the graph becomes another one', async () => {
    const page = await open('deep', '', { reducedMotion: 'reduce' }), folded = () => page.locator('.sheet:not(.away) .turning:not(.off) [aria-expanded=false]').count();
    const few = await drawnNow(page), all = await folded();
    await page.keyboard.press('e');
    await shown(page);
    const many = await drawnNow(page);
    need(many >= few + 74 && await folded() === all - 1, `${few} nodes, then ${many}; ${all} frames, then ${await folded()}`);
    await page.keyboard.press('Shift+J');
    await shown(page);
    need((await page.locator('#place').textContent()).startsWith('differentiate '), 'another pass');
    const unfolded = await page.locator('.sheet:not(.away) .turning:not(.off) [aria-expanded=true]').count(); /* of this graph, which may have more frames */
    need(await drawnNow(page) >= many && unfolded === 1, `${await drawnNow(page)} nodes; ${unfolded} frames are unfolded`);
    await page.close();
    return `${few} nodes, unfolded ${many}`;
  });

check('on a phone: a tap unfolds one loop, another folds it', async () => {
  const page = await open('loops', '', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
  await settle(page);
  const shut = page.locator('.sheet:not(.away) .tab.shut:not(.off)', { hasText: 'closed: ' }), few = await drawnNow(page);
  const seen = await shut.evaluateAll(list => list.findIndex(e => { const r = e.querySelector('.plate').getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth && r.top > 100 && r.bottom < 600; }));
  need(seen >= 0, 'none is in sight');
  const box = await shut.nth(seen).getAttribute('data-box'), tab = page.locator(`.sheet:not(.away) [data-box="${box}"] .plate`);
  await tab.tap();
  await shown(page);
  need(await drawnNow(page) > few, 'it is not unfolded');
  await page.screenshot({ path: `${dir}/phone-unfolded.png` });
  await page.locator('[data-sheet=info]').tap();
  await tab.tap();
  await shown(page);
  same(await drawnNow(page), few, 'folded again');
  await page.close();
});
