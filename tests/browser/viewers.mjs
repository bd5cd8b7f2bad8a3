/* The same drawing in Chromium, resvg and rsvg-convert, alone and beside others in a page.
 *
 *   viewers.mjs FOLDER GRADUS
 *
 * FOLDER has node_modules with playwright-core and @resvg/resvg-js, and takes the pictures that differ. Pictures are
 * compared in cells of 8 x 8 pixels: letters may be hinted and smoothed in other ways, colours and places may not differ. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [folder, gradus] = process.argv.slice(2).map(p => resolve(p));
const require = createRequire(join(folder, 'node_modules', 'x.js'));
const { chromium } = require('playwright-core');
const { Resvg } = require('@resvg/resvg-js');
const MEAN = 3, WORST = 80; /* of 255: over the whole picture; in one cell, where a small letter is half a pixel further on */
const out = join(folder, 'viewers');
mkdirSync(out, { recursive: true });

const program = `x : f64[T, 3]
W : f64[3, 2]
U : f64[2, 2]
S = scan t over x from h = zeros(2) { h[t] = tanh(x[t] @ W + h[t-1] @ U) }
`;
/* The drawing's text, by gradus itself. */
function drawn(name, options) {
  writeFileSync(join(out, 'p.gr'), `${program}:draw sum(S.final) "${join(out, name)}.svg" ${options}\n`);
  execFileSync(gradus, [join(out, 'p.gr')], { stdio: ['ignore', 'ignore', 'inherit'] });
  return readFileSync(join(out, `${name}.svg`), 'utf8');
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});
const page = await browser.newPage({ viewport: { width: 1600, height: 1200 } });
const inBrowser = async (svg, colorScheme) => {
  await page.emulateMedia({ colorScheme });
  await page.setContent(`<body style="margin:0"><img style="display:block" src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`);
  await page.locator('img').evaluate(i => i.decode());
  return page.locator('img').screenshot();
};
const byResvg = svg => new Resvg(svg, { font: { loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans' } }).render().asPng();
const hasRsvg = spawnSync('rsvg-convert', ['--version']).status === 0;
const byRsvg = svg => execFileSync('rsvg-convert', { input: svg, maxBuffer: 1 << 28 });

/* Mean and largest difference of the cells of two PNGs. */
const compare = (a, b) => page.evaluate(async pair => {
  const [p, q] = await Promise.all(pair.map(async data => {
    const image = new Image();
    image.src = 'data:image/png;base64,' + data;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), c = canvas.getContext('2d');
    c.fillStyle = '#fff';
    c.fillRect(0, 0, image.width, image.height);
    c.drawImage(image, 0, 0);
    return c.getImageData(0, 0, image.width, image.height);
  }));
  if (Math.abs(p.width - q.width) > 1 || Math.abs(p.height - q.height) > 1) return { size: [p.width, p.height, q.width, q.height] };
  const cells = new Map();
  for (let y = 0; y < Math.min(p.height, q.height); y++)
    for (let x = 0; x < Math.min(p.width, q.width); x++) {
      const key = (y >> 3) * 8192 + (x >> 3), cell = cells.get(key) ?? [0, 0, 0, 0];
      for (let k = 0; k < 3; k++) cell[k] += p.data[4 * (y * p.width + x) + k] - q.data[4 * (y * q.width + x) + k];
      cell[3]++;
      cells.set(key, cell);
    }
  let sum = 0, worst = 0, at = 0;
  for (const [key, c] of cells) {
    if (c[3] < 64) continue; /* the edge, which may fall between pixels */
    const d = Math.max(...c.slice(0, 3).map(v => Math.abs(v / c[3])));
    sum += d;
    if (d > worst) worst = d, at = key;
  }
  return { mean: sum / cells.size, worst, at: [(at % 8192) * 8, Math.floor(at / 8192) * 8] };
}, [a, b].map(png => Buffer.from(png).toString('base64')));

const counts = { passed: 0, failed: 0 };
let most = { mean: 0, worst: 0 };
async function same(what, a, b) {
  const d = await compare(a, b), ok = !d.size && d.mean <= MEAN && d.worst <= WORST;
  counts[ok ? 'passed' : 'failed']++;
  if (!d.size) most = { mean: Math.max(most.mean, d.mean), worst: Math.max(most.worst, d.worst) };
  if (ok) return;
  console.log(`FAILED: ${what}: ${JSON.stringify(d)}`);
  writeFileSync(join(out, `${what.replace(/\W+/g, '_')}_a.png`), a);
  writeFileSync(join(out, `${what.replace(/\W+/g, '_')}_b.png`), b);
}
async function everywhere(name, svg, scheme = 'light', literal = svg) {
  const seen = await inBrowser(svg, scheme);
  await same(`${name}, Chromium and resvg`, seen, byResvg(literal));
  if (hasRsvg) await same(`${name}, Chromium and rsvg`, seen, byRsvg(literal));
}

/* Those of the tests, as they are. */
for (const name of readdirSync('tests/golden/draw').filter(n => n.endsWith('.svg')))
  await everywhere(name, readFileSync(join('tests/golden/draw', name), 'utf8'));

/* Every theme, and a reader whose screen is dark. */
const auto = drawn('auto', ''), light = drawn('light', 'theme=light'), dark = drawn('dark', 'theme=dark');
const other = drawn('other', 'theme=dark step=1');
await everywhere('light', light, 'dark');
await everywhere('dark', dark);
await everywhere('auto on a dark screen', auto, 'dark', dark);

/* All in one page: none changes another. */
await page.emulateMedia({ colorScheme: 'light' });
const pictures = { auto, light, dark, other };
const alone = {};
for (const name in pictures) alone[name] = await inBrowser(pictures[name], 'light');
await page.setContent(`<body style="margin:0">${Object.values(pictures).map(s => `<div>${s}</div>`).join('')}`);
const twice = await page.evaluate(() => {
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  return ids.filter((id, i) => ids.indexOf(id) !== i);
});
counts[twice.length ? 'failed' : 'passed']++;
if (twice.length) console.log(`FAILED: ids twice in a page: ${twice.slice(0, 5)}`);
let i = 0;
const shots = [];
for (const name in pictures) shots.push([name, await page.locator('svg').nth(i++).screenshot()]);
for (const [name, shot] of shots) await same(`${name} beside others`, shot, alone[name]);

await browser.close();
if (!hasRsvg) console.log('LEFT OUT: rsvg-convert is not installed');
console.log(`largest difference: ${most.mean.toFixed(2)} on average, ${most.worst.toFixed(0)} in a cell, of 255`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed ? 1 : 0);
