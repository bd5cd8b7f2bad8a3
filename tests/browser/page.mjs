/* Opening a page in Chromium, and what the tests ask of it. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export const dir = process.argv[2];
const { chromium } = await import(pathToFileURL(`${dir}/node_modules/playwright-core/index.mjs`));
const axe = readFileSync(`${dir}/node_modules/axe-core/axe.min.js`, 'utf8');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});

export const problems = []; /* messages and requests of all pages */
export const counts = { passed: 0, failed: 0 };

const only = new RegExp(process.argv.find(a => a.startsWith('--only='))?.slice(7) ?? '');

export async function check(what, run) {
  if (!only.test(what)) return;
  try {
    const said = await run();
    counts.passed++;
    console.log(`  ${what}${said ? ': ' + said : ''}`);
  } catch (e) {
    counts.failed++;
    console.log(`FAILED: ${what}\n    ${String(e.message ?? e).slice(0, 1500)}`);
  }
}
export function need(ok, why) { if (!ok) throw new Error(why); }
export function same(a, b, what) { need(JSON.stringify(a) === JSON.stringify(b), `${what}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`); }

export async function open(name, hash = '', options = {}) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  page.setDefaultTimeout(10000);
  page.on('console', m => { if (['error', 'warning'].includes(m.type())) problems.push(`${name}: ${m.text()}`); });
  page.on('pageerror', e => problems.push(`${name}: ${e.message}`));
  page.on('request', r => { if (!r.url().startsWith('data:') && r.url().replace(/#.*/, '') !== pathToFileURL(`${dir}/${name}.html`).href) problems.push('request ' + r.url()); });
  await page.addInitScript(() => {
    /* what is put off can be held back while a key is timed */
    window.held = null;
    for (const name of ['requestIdleCallback', 'requestAnimationFrame']) {
      const real = window[name].bind(window);
      window[name] = f => window.held ? window.held.push(() => real(f)) : real(f);
    }
  });
  await page.goto(pathToFileURL(`${dir}/${name}.html`) + hash);
  await page.waitForFunction(() => document.querySelector('[role=treeitem][aria-selected=true]'));
  return page;
}
export const close = () => browser.close();

/* Until everything beside is drawn. */
export const settle = page => page.waitForFunction(() => document.getElementById('graph').dataset.ready, null, { polling: 20 });
export const place = page => page.locator('#place').textContent();
export const hash = async page => { await page.waitForTimeout(140); return page.evaluate(() => location.hash); };
export const live = page => page.locator('#live').textContent();
export const picked = page => page.locator('.sheet:not(.away) .picked');

/* Nodes and boxes as they are drawn now. */
export async function shown(page) {
  await page.waitForFunction(() => !('busy' in document.getElementById('graph').dataset), null, { polling: 10 });
  return page.evaluate(() => {
    const at = g => g.querySelector('.shape, .plate'), mark = g => ['added', 'removed', 'changed'].find(m => g.classList.contains(m)) ?? '';
    return [...document.querySelectorAll('.sheet:not(.away) :is(.node, .tab):not(.off)')].map(g => ({
      key: g.dataset.slot ?? 'box ' + g.dataset.box, box: 'box' in g.dataset, within: g.dataset.in, id: +g.dataset.id,
      mark: mark(g), label: g.getAttribute('aria-label'), x: +at(g).getAttribute('x'), y: +at(g).getAttribute('y'), hidden: g.getAttribute('aria-hidden'),
      drawn: Number(getComputedStyle(g).opacity) === 1 && getComputedStyle(g).visibility === 'visible',
    }));
  });
}

export async function violations(page) {
  const found = await page.evaluate(async source => {
    const load = new Function(source + '; return window.axe');
    const r = await load().run(document, {
      resultTypes: ['violations'],
      /* experimental, and it takes operators for punctuation: '* 0.2' is not found in '* 0.2' */
      rules: { 'label-content-name-mismatch': { enabled: false } },
    });
    return r.violations.map(v => `${v.id}: ${v.nodes.length} (${v.nodes[0].target} ${v.nodes[0].failureSummary.slice(0, 200)})`);
  }, axe);
  need(!found.length, found.join('\n    '));
}

/* Processor time of the page's main thread from a key to the next frame, in ms: script, style and
   layout. Other programs on the machine do not count. */
export async function stepTime(page, key) {
  const session = page.session ??= await page.context().newCDPSession(page);
  if (!page.measured) await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  page.measured = true;
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = name => metrics.find(m => m.name === name).value * 1000;
    return of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration');
  };
  await settle(page);
  const before = await read();
  const now = await page.evaluate(k => {
    window.held = [];
    document.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true }));
    document.body.getBoundingClientRect();
    return document.getElementById('place').textContent;
  }, key);
  const ms = await read() - before;
  await page.evaluate(() => { const list = window.held; window.held = null; for (const f of list) f(); });
  return [ms, now];
}
