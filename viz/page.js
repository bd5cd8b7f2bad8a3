/* What is looked at: a stop, a mode, a node; kept in the address and shown by the parts. */

const $ = id => document.getElementById(id);
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const now = { stop: 0, mode: 'change', place: null, id: 0, frame: null };

function passKey(pass) { return encodeURIComponent(pass.name); }
function address() {
  const s = stops[now.stop];
  return `#${passKey(s.pass)}/${s.number}` + (now.id ? '/' + now.id : '');
}

function readAddress() {
  const [name, number, id] = location.hash.slice(1).split('/');
  let pass = null;
  try { pass = passes.find(p => p.view && p.name === decodeURIComponent(name ?? '')); } catch { /* not ours */ }
  if (!pass) return null;
  const stop = stops.find(s => s.pass === pass && s.number === (number ?? '0'))?.index ?? pass.stop;
  return { stop, id: /^\d+$/.test(id ?? '') ? +id : 0 };
}

function focusIds(row) {
  const ids = new Set();
  if (row && !row.changes.some(c => c.was === c.is && !c.before))
    for (const c of row.changes) { if (c.before) ids.add(c.before); if (c.after) ids.add(c.after); }
  return ids;
}

/* Shows everything again; `move` says whether the picture may be moved to the change. */
function render(move) {
  const stop = stops[now.stop], samePass = graph.view === stop.pass.view;
  const frame = now.frame = finder.frame = frameOf(stop, now.mode);
  graph.show(frame, now.mode === 'change' ? focusIds(stop.row) : new Set());
  if (!samePass) graph.start();
  now.place = now.place && samePass && !now.id ? now.place : placeOf(frame, now.id);
  if (now.place && !(now.place.kind === 'node' ? frame.nodes : frame.boxes)[now.place.slot].show) now.place = null;
  graph.pick(now.place);
  if (move) graph.follow(samePass && !calm.matches);
  if (stop.row) showRow(stop.row, frame);
  else showStart(stop.pass, frame);
  showNodeInfo(now.place, frame, now.id);
  outline.show(frame);
  $('place').textContent = `${passName(stop.pass)} ${stop.row ? stop.number : 'start'} \u00b7 ${now.stop + 1}/${stops.length}`;
  document.querySelectorAll('[data-mode]').forEach(b => {
    b.setAttribute('aria-checked', String(b.dataset.mode === now.mode));
    b.tabIndex = b.dataset.mode === now.mode ? 0 : -1;
  });
  graph.root.setAttribute('aria-label', `Graph of ${data.title}, ${passName(stop.pass)} step ${stop.number}: ${frame.nodes.filter(n => n.show).length} nodes`);
  $('prev').disabled = now.stop === 0;
  $('next').disabled = now.stop === stops.length - 1;
  tree.select(now.stop);
}

function announce() {
  const { row, pass } = stops[now.stop];
  const marks = row ? countMarks(now.frame) : '';
  $('live').textContent = row ? `step ${row.number}, ${row.rule}: ${text((data.rules[row.rule] ?? [0, 0])[1])}; ${marks}` : `${passName(pass)}, start`;
}

function save(push) {
  if (location.hash === address()) return;
  try { history[push ? 'pushState' : 'replaceState'](null, '', address()); } catch { location.replace(address()); }
}

function goTo(stop, id) {
  if (stop < 0 || stop >= stops.length) return;
  now.stop = stop;
  if (id !== undefined && id !== null) { now.id = id; now.place = null; }
  render(true);
  save(false);
  announce();
  if (id) graph.reveal(pickedArea() ?? [0, 0, 1, 1], !calm.matches);
}

function pickedArea() {
  const part = now.place && graph.partAt(now.place);
  if (!part) return null;
  const [x, y, w, h] = part.at;
  return [x, y, x + w, y + (now.place.kind === 'box' ? 40 : h)];
}

function openTo(place) {
  const { view } = now.frame, box = (place.kind === 'node' ? view.slots : view.frames)[place.slot].box;
  graph.openAround(box);
}

function pick(place, reveal) {
  now.place = place;
  now.id = 0;
  if (place) {
    openTo(place);
    now.id = (place.kind === 'node' ? now.frame.nodes : now.frame.boxes)[place.slot].show?.id ?? 0;
  }
  const { place: kept } = now;
  graph.show(now.frame, now.mode === 'change' ? focusIds(stops[now.stop].row) : new Set());
  graph.pick(kept);
  showNodeInfo(kept, now.frame, now.id);
  if (reveal && pickedArea()) graph.reveal(pickedArea(), !calm.matches);
  save(true);
}

function pickId(id, place) {
  if (place) return pick(place, true);
  const found = placeOf(now.frame, id);
  if (found) return pick(found, true);
  now.place = null;
  now.id = id;
  graph.pick(null);
  showNodeInfo(null, now.frame, id);
  save(true);
}

function movePass(by) {
  const { pass } = stops[now.stop], list = stops.filter(s => !s.row);
  const at = list.findIndex(s => s.pass === pass);
  const to = by < 0 && stops[now.stop].row ? at : at + by;
  if (list[to]) goTo(list[to].index);
}

/* From a picked node along edges. */
function follow(key) {
  if (!now.place) return false;
  const ins = neighbours(now.frame, now.place, 'in'), outs = neighbours(now.frame, now.place, 'out');
  let to = key === 'ArrowUp' ? ins[0] : key === 'ArrowDown' ? outs[0] : null;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const same = p => p.kind === now.place.kind && p.slot === now.place.slot;
    const all = outs.flatMap(u => neighbours(now.frame, u, 'in')), k = all.findIndex(same);
    to = all.length > 1 ? all[(k + (key === 'ArrowRight' ? 1 : all.length - 1)) % all.length] : null;
  }
  if (to) { pick(to, true); graph.partAt(to)?.g.focus({ preventScroll: true }); }
  return true;
}

function alongHistory(back) {
  const link = now.id && (back ? historyOf(now.id)[0] : futureOf(now.id)[0]);
  if (!link) return;
  if (back) { now.mode = 'change'; goTo(link.row.stop, link.from || now.id); }
  else goTo(link.row.stop, link.to || now.id);
}

function setMode(mode) { now.mode = mode; render(false); }
function nextMode() { const m = ['before', 'change', 'after']; setMode(m[(m.indexOf(now.mode) + 1) % 3]); }

function toggleTheme() {
  const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}

function escape() {
  if (!finder.list.hidden) finder.key({ key: 'Escape' });
  else { pick(null); tree.items[now.stop].focus(); }
}

const keys = {
  j: () => goTo(tree.beside(now.stop, 1)), k: () => goTo(tree.beside(now.stop, -1)),
  ArrowRight: () => goTo(tree.beside(now.stop, 1)), ArrowLeft: () => goTo(tree.beside(now.stop, -1)),
  J: () => movePass(1), K: () => movePass(-1),
  'Shift+ArrowRight': () => movePass(1), 'Shift+ArrowLeft': () => movePass(-1),
  'Shift+ArrowDown': () => movePass(1), 'Shift+ArrowUp': () => movePass(-1),
  Home: () => goTo(0), End: () => goTo(stops.length - 1), v: nextMode,
  f: () => graph.fit(), c: () => { const a = graph.changeArea(); if (a) graph.zoomTo(a, 1.1, !calm.matches); },
  '+': () => graph.zoomBy(1.25), '=': () => graph.zoomBy(1.25), '-': () => graph.zoomBy(0.8),
  '/': () => finder.input.focus(), t: toggleTheme, '?': showHelp, Escape: escape,
  b: () => alongHistory(true), n: () => alongHistory(false),
  o: () => { outline.root.open = !outline.root.open; if (outline.root.open) { outline.show(now.frame); outline.root.querySelector('summary').focus(); } },
};

function treeKey(key) {
  const { row } = stops[now.stop];
  if (key === 'ArrowDown') goTo(tree.beside(now.stop, 1));
  else if (key === 'ArrowUp') goTo(tree.beside(now.stop, -1));
  else if (key === 'ArrowRight') row?.whole && tree.shut.has(row) ? tree.toggle(row, false) : goTo(tree.beside(now.stop, 1));
  else if (key === 'ArrowLeft') {
    if (row?.whole && !tree.shut.has(row)) return tree.toggle(row, true), true;
    const up = row && row.number.includes('.') ? allRows.find(r => r.pass === row.pass && r.number === row.number.replace(/\.\d+$/, '')) : null;
    goTo(up ? up.stop : row ? stops.find(s => s.pass === stops[now.stop].pass).index : now.stop);
  } else return false;
  return true;
}

document.addEventListener('keydown', e => {
  if (e.target === finder.input) return finder.key(e);
  if (e.altKey || e.ctrlKey || e.metaKey || $('keys').open && e.key !== '?') return;
  const name = (e.shiftKey && e.key.startsWith('Arrow') ? 'Shift+' : '') + e.key;
  const arrow = /^Arrow/.test(name), onNode = e.target.closest?.('.node,.tab');
  if (onNode && (e.key === 'Enter' || e.key === ' ')) { e.preventDefault(); onNode.dispatchEvent(new MouseEvent('click', { bubbles: true })); return; }
  if (arrow && onNode) { e.preventDefault(); follow(name); return; }
  if (arrow && tree.root.contains(e.target)) { if (treeKey(name)) e.preventDefault(); return; }
  if (arrow && e.target.closest?.('.modes')) { e.preventDefault(); nextMode(); document.querySelector('[aria-checked=true]').focus(); return; }
  if ((e.key === 'ArrowUp' || e.key === 'ArrowDown') && !e.shiftKey) return;
  if (keys[name]) { e.preventDefault(); keys[name](); }
});

/* ---- wiring ---- */

tree.onstop = goTo;
info.ongoto = goTo;
info.onnode = pickId;
finder.onstop = goTo;
finder.onplace = h => {
  if (!h.now) { now.id = 0; goTo(stopShowing(h, now.stop)); }
  pick({ kind: h.kind, slot: h.slot }, true);
  graph.partAt(h)?.g.focus({ preventScroll: true });
};
outline.onpick = p => pick(p, true);
outline.root.ontoggle = () => outline.show(now.frame);
graph.onpick = p => pick(p, false);
graph.ontoggle = i => { graph.setClosed(i, !graph.isClosed(i)); };
finder.input.oninput = () => finder.update();
finder.input.onfocus = () => finder.update();
finder.input.onblur = () => setTimeout(() => { finder.list.hidden = true; }, 150);
$('prev').onclick = keys.k;
$('next').onclick = keys.j;
$('fit').onclick = keys.f;
$('show').onclick = keys.c;
$('more').onclick = keys['+'];
$('less').onclick = keys['-'];
$('theme').onclick = toggleTheme;
$('help').onclick = showHelp;
document.querySelectorAll('[data-mode]').forEach(b => { b.onclick = () => setMode(b.dataset.mode); });
addEventListener('hashchange', () => { const to = readAddress(); if (to && location.hash !== address()) { now.id = to.id; now.place = null; now.stop = to.stop; render(true); } });
addEventListener('popstate', () => { const to = readAddress(); if (to) { now.id = to.id; now.place = null; now.stop = to.stop; render(true); } });
new ResizeObserver(() => { graph.box = null; if (graph.view) graph.place(false); }).observe(graph.root);
addEventListener('beforeprint', () => { graph.root.setAttribute('viewBox', `0 0 ${graph.view.layout.width} ${graph.view.layout.height}`); });
addEventListener('afterprint', () => { graph.root.removeAttribute('viewBox'); });

$('title').textContent = data.title;
$('title').title = data.title;
tree.build();
{
  const to = readAddress();
  if (to) { now.stop = to.stop; now.id = to.id; }
  render(true);
  if (now.id && pickedArea()) graph.reveal(pickedArea(), false);
  save(false);
}
