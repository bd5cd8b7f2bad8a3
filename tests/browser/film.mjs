/* The pages of :play: every frame by keyboard, the other way, by slider, on a phone, in the dark. */
import { readFileSync } from 'node:fs';
import { check, dir, need, open, same, violations } from './page.mjs';

const data = name => JSON.parse(readFileSync(`${dir}/${name}.html`, 'utf8').match(/id="data">(.*?)<\/script>/s)[1]);
const film = (name, options) => open(name, '', options, '.equation');
const place = page => page.locator('#place').textContent();
const equations = page => page.locator('.equation').allTextContents();

check('film: every frame by keyboard, and back', async () => {
  const page = await film('film'), frames = data('film').tracks[0].frames;
  for (const f of frames) {
    need((await place(page)).startsWith(`step ${f.step} of 0..${frames.length - 1}, t = ${f.index}`), await place(page));
    const values = await page.locator('.value').allTextContents();
    same(values, f.lines, `the values of step ${f.step}`);
    await page.keyboard.press('ArrowRight');
  }
  need(await page.locator('#next').isDisabled(), 'not at the end');
  await page.keyboard.press('Home');
  need((await place(page)).startsWith('step 0 '), 'Home leads elsewhere');
  need(await page.locator('#prev').isDisabled(), 'not at the start');
  await page.close();
  return `${frames.length} frames`;
});

check('film: the values stand in the equations', async () => {
  const page = await film('film');
  await page.keyboard.press('ArrowRight');
  same((await equations(page)).map(t => t.replace(/\s+/g, ' ')),
    ['aw * x[1] 0.5 * (-0.4) -0.2', 'h[1]tanh(a + h[0]) tanh(-0.2 + 0.833655) 0.560564'], 'step 1');
  await page.close();
});

check('film: the way back is at the same row', async () => {
  const page = await film('film');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('b');
  const last = data('film').tracks[1].frames.length - 1;
  need((await place(page)).startsWith(`step ${last - 1} of 0..${last}, t = 1`), await place(page));
  need((await equations(page)).some(t => t.startsWith('sum_d_w')), 'no sum of the gradient');
  await page.locator('#ways button').first().click();
  need((await place(page)).startsWith('step 1 '), 'not back');
  await page.close();
});

check('film: slider, buttons and playing', async () => {
  const page = await film('film');
  await page.locator('#slider').fill('2');
  need((await place(page)).startsWith('step 2 '), 'the slider moves nothing');
  need((await page.locator('#slider').getAttribute('aria-valuetext')).startsWith('step 2 '), 'the slider tells nothing');
  await page.locator('#first').click();
  await page.keyboard.press('t');
  await page.locator('#run').click();
  await page.waitForFunction(() => document.getElementById('next').disabled);
  need(await page.locator('#run').getAttribute('aria-pressed') === 'false', 'it plays on at the end');
  await page.close();
});

check('film: a loop without steps', async () => {
  const page = await open('film-none', '', {}, '#place');
  need(await place(page) === 'the loop takes no steps', await place(page));
  await violations(page);
  await page.close();
});

check('film: without a loop, numbers come into the graph on a phone', async () => {
  const page = await film('film-back', { viewport: { width: 390, height: 844 } });
  const [nodes, edges] = data('film-back').tracks.map(t => t.frames);
  const texts = what => page.locator(`#picture .${what}`).allTextContents();
  for (const [k, node] of nodes.entries()) {
    same((await texts('value')).filter(Boolean), nodes.slice(0, k + 1).map(n => n.value), `the values at ${node.name}`);
    await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('b');
  for (const edge of edges) {
    need((await texts('slope')).includes(`d ${nodes[edge.from].name} = ${edge.sum}`), `nothing of ${edge.place}`);
    need(await page.evaluate(() => {
      const view = document.getElementById('picture').getBoundingClientRect();
      return [...document.querySelectorAll('#picture .node.lit')].some(g => {
        const at = g.getBoundingClientRect();
        return at.left >= view.left - 1 && at.right <= view.right + 1 && at.top >= view.top - 1 && at.bottom <= view.bottom + 1;
      });
    }), `${edge.place} is out of view`);
    await page.keyboard.press('ArrowRight');
  }
  need(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it is wider than the screen');
  await page.screenshot({ path: `${dir}/film-back.png` });
  await violations(page);
  await page.close();
  return `${nodes.length} nodes, ${edges.length} edges`;
});

for (const scheme of ['light', 'dark'])
  for (const [width, height] of [[1280, 800], [360, 640]])
    check(`film: axe finds nothing, nothing is cut: ${width}, ${scheme}`, async () => {
      const page = await film('film', { viewport: { width, height }, colorScheme: scheme });
      await page.keyboard.press('b');
      await page.keyboard.press('End');
      need(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it is wider than the screen');
      await page.screenshot({ path: `${dir}/film-${width}-${scheme}.png`, fullPage: true });
      await violations(page);
      await page.close();
    });
