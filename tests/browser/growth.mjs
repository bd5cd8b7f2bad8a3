/* The page of an e-graph: every iteration by keyboard, by finger on a phone, words that can be read. */
import { readFileSync } from 'node:fs';
import { check, dir, need, open, violations } from './page.mjs';

const data = JSON.parse(readFileSync(`${dir}/growth.html`, 'utf8').match(/id="data">(.*?)<\/script>/s)[1]);
const growth = options => open('growth', '', options, '#picture svg[width]');
const place = page => page.locator('#place').textContent();
const last = data.frames.length - 1;

/* The least contrast of a title of a class with its plate, and the least height of letters in the window. */
const words = page => page.evaluate(() => {
  const light = css => { const [r, g, b] = css.match(/[\d.]+/g).map(v => { const c = v / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const tabs = [...document.querySelectorAll('#picture .tab')].map(t => contrast(getComputedStyle(t.querySelector('text')).fill, getComputedStyle(t.querySelector('.plate')).fill));
  const scale = document.querySelector('#picture svg').getScreenCTM().a;
  const sizes = [...document.querySelectorAll('#picture .node text')].map(t => parseFloat(getComputedStyle(t).fontSize) * scale);
  return { contrast: Math.min(...tabs), size: Math.min(...sizes) };
});

check('growth: every iteration by keyboard, and back', async () => {
  const page = await growth();
  for (const f of data.frames) {
    need((await place(page)) === `${f.title}: ${f.size}`, await place(page));
    await page.keyboard.press('ArrowRight');
  }
  need(last > 1 && await page.locator('#next').isDisabled(), 'not at the end');
  await page.keyboard.press('Home');
  need(await page.locator('#prev').isDisabled(), 'not at the start');
  await page.close();
  return `${last + 1} frames`;
});

for (const colorScheme of ['light', 'dark'])
  for (const [width, height] of [[1280, 800], [390, 844]])
    check(`growth: by buttons, words can be read, axe finds nothing: ${width}, ${colorScheme}`, async () => {
      const page = await growth({ viewport: { width, height }, colorScheme, hasTouch: width < 700 });
      for (let k = 0; k < last; k++) {
        await (width < 700 ? page.locator('#next').tap() : page.locator('#next').click());
        const { contrast, size } = await words(page);
        need(contrast >= 4.5, `a title has a contrast of ${contrast.toFixed(2)}`);
        need(size >= 9, `letters of ${size.toFixed(1)} pixels`);
        need(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it is wider than the screen');
      }
      need((await place(page)).startsWith(data.frames[last].title), await place(page));
      const small = await page.evaluate(() => [...document.querySelectorAll('button')].map(b => b.getBoundingClientRect()).filter(r => r.width < 44 || r.height < 44).length);
      need(!small, `${small} buttons are smaller than a finger`);
      const seen = await page.evaluate(() => { const r = document.getElementById('picture').getBoundingClientRect(); return Math.min(r.bottom, innerHeight) - r.top; });
      need(seen > height / 3, `${seen} pixels of the picture are in view`);
      await page.screenshot({ path: `${dir}/growth-${width}-${colorScheme}.png` });
      await violations(page);
      await page.close();
    });
