/* Firefox, driven by WebDriver BiDi (W3C): as much of it as the checks of the pages need. playwright-core
   drives builds of Firefox of its own only, which a distribution does not have. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const WAIT = 120000; /* ends what hangs; a busy machine is no fault */

/* Where it listens, as it says itself. */
function started(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', s => {
      said += s;
      const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
    child.on('exit', code => reject(new Error(`Firefox ended with ${code}: ${said.slice(-500)}`)));
  });
}

function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`${what} hangs`)), WAIT); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/* What script.evaluate gives, as plain values. */
function plain(v) {
  if (v.type === 'array') return v.value.map(plain);
  if (v.type === 'object') return Object.fromEntries(v.value.map(([k, x]) => [k, plain(x)]));
  return v.type === 'null' || v.type === 'undefined' ? null : v.value;
}

const keyNames = {
  Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004', ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015', Home: '\uE011', End: '\uE010',
};

/* A started Firefox; `heard(text)` is told each message of a page and each request to somewhere else. */
export async function startFirefox(program, modules, heard) {
  const { default: WebSocket } = await import(pathToFileURL(`${modules}/ws/wrapper.mjs`));
  const home = mkdtempSync(join(tmpdir(), 'firefox-'));
  writeFileSync(join(home, 'user.js'), 'user_pref("ui.prefersReducedMotion", 1);\n');
  const child = spawn(program, ['--headless', '--remote-debugging-port=0', '--profile', home, '--no-remote'],
    { env: { ...process.env, HOME: home, MOZ_HEADLESS: '1' }, stdio: ['ignore', 'ignore', 'pipe'] });
  const socket = new WebSocket(`${await within(started(child), 'Firefox')}/session`), open = new Map();
  await new Promise((resolve, reject) => { socket.on('open', resolve); socket.on('error', reject); });
  let last = 0;
  const send = (method, params = {}) => within(new Promise((resolve, reject) => {
    open.set(++last, { resolve, reject, method });
    socket.send(JSON.stringify({ id: last, method, params }));
  }), method);
  socket.on('message', bytes => {
    const m = JSON.parse(bytes), call = open.get(m.id);
    if (m.type === 'event') {
      if (m.method === 'log.entryAdded' && ['error', 'warn'].includes(m.params.level)) heard(m.params.text);
      if (m.method === 'network.beforeRequestSent' && !/^(file|data|about|moz-extension):/.test(m.params.request.url)) heard('request ' + m.params.request.url);
      return;
    }
    open.delete(m.id);
    if (m.type === 'error') call?.reject(new Error(`${call.method}: ${m.message}`));
    else call?.resolve(m.result);
  });
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] });
  let context = null;

  const evaluate = async (f, ...args) => {
    const r = await send('script.evaluate', {
      expression: `(${f})(...${JSON.stringify(args)})`, target: { context }, awaitPromise: true,
      serializationOptions: { maxObjectDepth: 6 },
    });
    if (r.type === 'exception') throw new Error(r.exceptionDetails.text);
    return plain(r.result);
  };
  const act = (type, id, actions, more = {}) => send('input.performActions', { context, actions: [{ type, id, actions, ...more }] });
  return {
    evaluate,
    async open(path, hash, [width, height]) {
      /* in a tab of its own: a change of the hash alone does not load */
      const before = context;
      ({ context } = await send('browsingContext.create', { type: 'tab' }));
      if (before) await send('browsingContext.close', { context: before });
      await send('browsingContext.setViewport', { context, viewport: { width, height } });
      await send('browsingContext.navigate', { context, url: pathToFileURL(path) + hash, wait: 'complete' });
    },
    press: key => act('key', 'keys', [{ type: 'keyDown', value: keyNames[key] ?? key }, { type: 'keyUp', value: keyNames[key] ?? key }]),
    async type(words) { for (const c of words) await this.press(c); },
    click: (x, y, pointerType = 'mouse') => act('pointer', pointerType, [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y) }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 },
    ], { parameters: { pointerType } }),
    drag: (x, y, dx, dy) => act('pointer', 'mouse', [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y) }, { type: 'pointerDown', button: 0 },
      { type: 'pointerMove', x: Math.round(x + dx / 2), y: Math.round(y + dy / 2) }, { type: 'pointerMove', x: Math.round(x + dx), y: Math.round(y + dy) },
      { type: 'pointerUp', button: 0 },
    ], { parameters: { pointerType: 'mouse' } }),
    async screenshot() { return Buffer.from((await send('browsingContext.captureScreenshot', { context })).data, 'base64'); },
    async close() {
      const gone = new Promise(f => child.once('exit', f));
      send('browser.close').catch(() => {});
      setTimeout(() => child.kill('SIGKILL'), 8000).unref();
      await gone;
      socket.terminate();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
