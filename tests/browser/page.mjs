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

async function runOne([what, run]) {
  try {
    const said = await run();
    counts.passed++;
    console.log(`  ${what}${said ? ': ' + said : ''}`);
  } catch (e) {
    counts.failed++;
    console.log(`FAILED: ${what}\n    ${String(e.message ?? e).slice(0, 1500)}`);
  }
}

/* Checks wait more than they work, so a few of them run beside each other, each on pages of its own. */
const waiting = [];
export function check(what, run) { if (only.test(what)) waiting.push([what, run]); }
export async function runAll() {
  const one = async () => { for (let c; (c = waiting.shift());) await runOne(c); };
  await Promise.all([one(), one(), one(), one()]);
}

/* The steps of a page, as its list names them: [{pass, number, rule, at}], `at` being the address. */
export function stepsOf(name) {
  const data = JSON.parse(readFileSync(`${dir}/${name}.html`, 'utf8').match(/id="data">(.*?)<\/script>/s)[1]);
  const of = (pass, rows) => rows.map(r => ({ pass, number: data.strings[r[0]], rule: data.strings[data.rules[r[3]][0]] }));
  return data.passes.flatMap(p => [p, ...(p.opened ?? []).map(o => ({ name: p.name, rows: o[1] }))].flatMap(q => of(q.name, q.rows ?? [])))
    .map(s => ({ ...s, at: `#${s.pass}/${s.number}`, words: `${s.pass} ${s.number}` }));
}
/* The first step of a rule. */
export function stepOf(name, rule) {
  const found = stepsOf(name).find(s => s.rule === rule);
  if (!found) throw new Error(`no step of ${rule} in ${name}`);
  return found;
}
export function need(ok, why) { if (!ok) throw new Error(why); }
export function same(a, b, what) { need(JSON.stringify(a) === JSON.stringify(b), `${what}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`); }

export async function open(name, hash = '', options = {}, ready = '[role=treeitem][aria-selected=true]') {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  page.setDefaultTimeout(120000); /* ends what hangs; a busy machine is no fault */
  page.on('console', m => { if (['error', 'warning'].includes(m.type())) problems.push(`${name}: ${m.text()}`); });
  page.on('pageerror', e => problems.push(`${name}: ${e.message}`));
  page.on('request', r => { if (!r.url().startsWith('data:') && r.url().replace(/#.*/, '') !== pathToFileURL(`${dir}/${name}.html`).href) problems.push('request ' + r.url()); });
  await page.addInitScript(() => {
    /* what is put off can be held back while a key is timed */
    window.held = null;
    for (const name of ['requestIdleCallback', 'requestAnimationFrame']) {
      const real = window[name].bind(window);
      window[name] = (f, how) => window.held ? window.held.push(() => real(f, how)) : real(f, ...(how ? [how] : []));
    }
  });
  await page.goto(pathToFileURL(`${dir}/${name}.html`) + hash);
  await page.waitForFunction(what => document.querySelector(what), ready);
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
      moved: g.classList.contains('moved'),
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

/* What a key costs until the next frame: how many elements of the page it touches (changes, makes or
   takes away), which is the same on every machine, and, to tell, the processor time of the page's main
   thread in ms: script, style and layout. */
export async function stepCost(page, key) {
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
  const [now, touched] = await page.evaluate(k => {
    const seen = new Set(), watch = new MutationObserver(() => {});
    window.held = [];
    watch.observe(document.documentElement, { subtree: true, attributes: true, childList: true, characterData: true });
    document.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true }));
    document.body.getBoundingClientRect();
    for (const { target, addedNodes, removedNodes } of watch.takeRecords()) {
      seen.add(target);
      for (const n of [...addedNodes, ...removedNodes]) {
        seen.add(n);
        for (const e of n.querySelectorAll?.('*') ?? []) seen.add(e);
      }
    }
    watch.disconnect();
    return [document.getElementById('place').textContent, seen.size];
  }, key);
  const ms = await read() - before;
  await page.evaluate(() => { const list = window.held; window.held = null; for (const f of list) f(); });
  return { ms, touched, now };
}
