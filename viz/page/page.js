/* What is looked at: a stop, a mode, a node; kept in the address and shown by the parts. */

const $ = id => document.getElementById(id);
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const modeButtons = [...document.querySelectorAll('[data-mode]')], orderButtons = [...document.querySelectorAll('[data-order]')];
const now = { stop: 0, mode: 'change', place: null, id: 0, frame: null }; /* id: the thing that is picked */

function passKey(pass) { return encodeURIComponent(pass.name); }
function address() {
  const s = stops[now.stop];
  const keys = [...graph.keysOf(s.view)].sort().join('.');
  return `#${passKey(s.pass)}/${s.number}` + (now.id || keys ? '/' + now.id : '') + (keys && '/' + keys);
}

/* Where the address leads; `lost`: what it names that is not here, and is told. */
function readAddress() {
  const [name, number, id, keys] = location.hash.slice(1).split('/');
  let pass = null;
  if (!name) return null;
  try { pass = passes.find(p => p.drawn && p.name === decodeURIComponent(name)); } catch { /* not ours */ }
  if (!pass) return { stop: now.stop, id: now.id, keys: [], lost: 'this page has no such pass' };
  const stop = stops.find(s => s.pass === pass && s.number === (number ?? '0'))?.index, known = stop !== undefined || (number ?? '0') === '0';
  return { stop: stop ?? pass.stop, id: /^-?\d+$/.test(id ?? '') ? +id : 0, keys: keys?.split('.') ?? [], lost: known ? '' : `${pass.name} has no step ${number.slice(0, 12)}` };
}
function showLost({ lost }) {
  if (!lost) return;
  info.where.append(el('span', { class: 'lost' }, ` \u00b7 of the address: ${lost}`));
  $('live').textContent = `${lost}; this is ${$('place').textContent}`;
}

function focusIds(row) {
  const ids = new Set();
  if (row && !row.changes.some(c => c.was === c.is && !c.before))
    for (const c of row.changes) { if (c.before) ids.add(c.before); if (c.after) ids.add(c.after); }
  return ids;
}

/* Shows everything again; `move` says whether the picture may be moved to the change.
   What measures comes last: until then nothing has to be laid out. */
function render(move) {
  const stop = stops[now.stop], stays = !!graph.view && (graph.view.base === stop.base || graph.view === graph.viewOf(stop.view));
  const was = now.frame, frame = now.frame = finder.frame = frameOf(stop, frameMode()), focus = focusOf(stop);
  if (was?.view.fold && stop.view.fold && was.view !== stop.view && !graph.unfolded.has(stop.view)) graph.unfold(stop.view, keysThere(was, graph.keysOf(was.view), frame));
  now.place = now.place && stays && !now.id ? now.place : placeOf(frame, now.id);
  if (now.place && !(now.place.kind === 'node' ? frame.nodes : frame.boxes)[now.place.slot].show) now.place = null;
  frame.only = onlyAround(frame);
  if (move) graph.face(frame, focus, now.place);
  const same = graph.view === graph.viewOf(stop.view);
  if (!same) graph.open(stop.view);
  graph.pick(now.place);
  graph.show(frame, focus);
  if (!same && stays && !stop.view.fold) graph.arrive();
  else {
    if (!same) graph.start();
    if (move) graph.follow(same && !calm.matches);
  }
  graph.draw();
  brush.show(0);
  if (now.mode === 'both') graph.showTwin(frameOf(stop, 'was'), focus, now.id);
  if (stop.row) showRow(stop.row, now.mode === 'both' ? frameOf(stop, 'change') : frame);
  else showStart(stop.pass, frame);
  showNodeInfo(now.place, frame, now.id);
  showWhere(stop, frame, now.place);
  program.show(now.id);
  card.hide();
  if (!legend.root.hidden) legend.write(frame);
  tree.select(now.stop);
  showBar(stop, frame);
  showSentence(stop, now.mode);
  tree.scroll();
  outline.later(frame);
  textLater();
  shapes.later();
  graph.prepare(viewsBeside());
}

function focusOf(stop) {
  const ids = now.mode === 'change' || now.mode === 'both' ? focusIds(stop.row) : new Set();
  return Object.assign(ids, { found: foundAt(stop) });
}

/* The nodes that the pattern matches after as many steps. */
function foundAt(stop) {
  const steps = parseInt(stops.slice(0, stop.index + 1).findLast(s => s.row)?.number ?? '0', 10);
  return new Set((data.found?.places ?? []).filter(([, from, until]) => from <= steps && steps <= until).map(([id]) => id));
}

function showBar({ pass, row, number }, frame) {
  $('place').replaceChildren(el('span', { class: 'of' }, passName(pass) + ' '), `${row ? number + ' \u00b7 ' : ''}${tree.count(now.stop).join('/')}`);
  for (const b of modeButtons) {
    b.setAttribute('aria-checked', String(b.dataset.mode === now.mode));
    b.tabIndex = b.dataset.mode === now.mode ? 0 : -1;
  }
  graph.root.setAttribute('aria-label', `Graph of ${data.title}, ${passName(pass)} step ${number}: ${plural(frame.count, 'node')}`);
  $('unfold').hidden = !frame.view.fold;
  $('unfold').textContent = graph.view.fold ? 'unfold' : 'fold';
  $('folded').textContent = graph.view.fold ? foldWords(graph.view, frame) : '';
  $('prev').disabled = tree.beside(now.stop, -1) === now.stop;
  $('next').disabled = tree.beside(now.stop, 1) === now.stop;
}

/* The views one can get to by one key, with the frames they would show first. */
function viewsBeside() {
  const out = [], add = i => {
    const s = stops[i];
    if (s && graph.viewOf(s.view) !== graph.view && !out.some(o => o[0] === s.view)) out.push([s.view, () => frameOf(s, frameMode())]);
  };
  for (let i = now.stop; i < stops.length && out.length < 1; i++) add(i);
  for (let i = now.stop; i >= 0 && out.length < 2; i--) add(i);
  const { pass } = stops[now.stop];
  add(stops.find(s => s.pass.index > pass.index)?.index);
  return out;
}

function announce() {
  const { row, pass } = stops[now.stop];
  $('live').textContent = row ? `step ${row.number}, ${ruleName(row)}: ${row.reason}; ${countMarks(now.frame)}` : `${passName(pass)}, start`;
}

/* Steps one after the other are one entry of the browser's history; a jump is an entry of its own.
   Browsers refuse many changes of the address in short time, so it follows when keys are held. */
const saver = { timer: 0, at: 0, push: false, walking: false, hash: '' };
function save(push) {
  if (push && saver.push) writeAddress();
  saver.push ||= push;
  saver.hash = address();
  clearTimeout(saver.timer);
  /* after the step is painted: writing it may take longer than all else */
  saver.timer = setTimeout(writeAddress, saver.push ? 0 : Math.max(0, 120 - (performance.now() - saver.at)));
}
function writeAddress() {
  const { push, hash } = saver;
  clearTimeout(saver.timer);
  saver.push = false;
  saver.at = performance.now();
  if (location.hash === hash) return;
  try { history[push ? 'pushState' : 'replaceState'](null, '', hash); } catch { location.replace(hash); }
}

function goTo(stop, id, jump = true) {
  if (stop < 0 || stop >= stops.length || stop === now.stop && !id) return;
  now.stop = stop;
  if (id !== undefined && id !== null) { now.id = id; now.place = null; }
  render(true);
  save(jump || !saver.walking);
  saver.walking = !jump;
  announce();
  if (id) graph.reveal(pickedArea() ?? [0, 0, 1, 1], !calm.matches);
}
function walk(by) { goTo(tree.beside(now.stop, by), null, false); }

function pickedArea() {
  const part = now.place && graph.partAt(now.place);
  if (!part) return null;
  const [x, y, w, h] = part.at;
  return [x, y, x + w, y + (now.place.kind === 'box' ? 40 : h)];
}

function pick(place, reveal) {
  now.place = place;
  now.id = 0;
  saver.walking = false;
  if (place) {
    const { view } = now.frame;
    graph.sheet.openAround((place.kind === 'node' ? view.slots : view.frames)[place.slot].box);
    now.id = (place.kind === 'node' ? now.frame.nodes : now.frame.boxes)[place.slot].show?.key ?? 0;
  }
  showPicked(place, now.id);
  if (reveal && pickedArea()) graph.reveal(pickedArea(), !calm.matches);
}

function showPicked(place, id) {
  if (place) graph.face(now.frame, focusOf(stops[now.stop]), place);
  now.frame.only = onlyAround(now.frame);
  graph.open(now.frame.view);
  graph.pick(place);
  graph.show(now.frame, focusOf(stops[now.stop]));
  graph.draw();
  if (now.mode === 'both') graph.showTwin(frameOf(stops[now.stop], 'was'), focusOf(stops[now.stop]), id);
  showNodeInfo(place, now.frame, id);
  showWhere(stops[now.stop], now.frame, place);
  program.show(id);
  textLater();
  if (place && narrow.matches) openSheet('info');
  save(true);
}

function pickId(id, place) {
  if (place) return pick(place, true);
  const found = placeOf(now.frame, id);
  if (found) return pick(found, true);
  now.place = null;
  now.id = id;
  saver.walking = false;
  showPicked(null, id);
}

function movePass(by) {
  const { pass } = stops[now.stop], list = passes.filter(p => p.drawn), at = list.indexOf(pass);
  const to = by < 0 && now.stop > pass.stop ? at : at + by;
  if (list[to]) goTo(list[to].stop);
}

/* From a picked node along edges: up to its first operand, down to its first user, sideways to the
   other operands of the same user; digits to the operand of that number, with Shift to the user. */
function follow(key) {
  if (!now.place) return false;
  const same = p => p.kind === now.place.kind && p.slot === now.place.slot;
  const ins = neighbours(now.frame, now.place, 'in'), outs = neighbours(now.frame, now.place, 'out');
  let to = key === 'ArrowUp' ? ins[0] : key === 'ArrowDown' ? outs[0] : null;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const all = outs.flatMap(u => neighbours(now.frame, u, 'in')), k = all.findIndex(same);
    to = all.length > 1 ? all[(k + (key === 'ArrowRight' ? 1 : all.length - 1)) % all.length] : null;
  }
  const digit = /^(Shift\+)?Digit([1-9])$/.exec(key);
  if (digit) to = (digit[1] ? outs : ins)[digit[2] - 1];
  if (to) { pick(to, true); focusPart(to); }
  return true;
}
function placeAt(g) { return g.dataset.slot ? { kind: 'node', slot: +g.dataset.slot } : { kind: 'box', slot: +g.dataset.box }; }
function focusPart(place) { graph.partAt(place)?.g.focus({ preventScroll: true }); }

/* To the step before or after this one that made, changed or ended what is picked; from the first to what
   stood there, from the last to what was put there. */
function alongHistory(back) {
  const life = now.id > 0 ? lifeOf(now.id) : null;
  if (!life) return;
  const rows = [life.made, ...life.changed.map(c => c.row), life.gone].filter(Boolean);
  const to = back ? rows.findLast(r => r.stop < now.stop) : rows.find(r => r.stop > now.stop);
  if (to) return goTo(to.stop, now.id);
  const { row } = stops[now.stop];
  const other = back ? life.from || life.copyOf : row && changeOf(row, 'before', now.id)?.after;
  if (other) pickId(other);
}

/* On a narrow screen the list, the details and the rest are sheets over the picture, one at a time. */
const narrow = matchMedia('(max-width: 700px)'), sheetButtons = [...document.querySelectorAll('[data-sheet]')];
function openSheet(name) {
  document.body.dataset.open = name;
  for (const b of sheetButtons) b.setAttribute('aria-expanded', String(b.dataset.sheet === name));
  graph.box = null;
  const area = sheetOver() && (pickedArea() ?? graph.changeArea());
  if (area) graph.reveal(area, !calm.matches);
}
/* Where a sheet lies over the picture; null: none does. */
function sheetOver() {
  const { open } = document.body.dataset;
  return narrow.matches && (open === 'steps' || open === 'info') ? $(open).getBoundingClientRect() : null;
}

/* Unfolds what a key names where it stands, or folds it; its corner stays where it is in the window. */
function unfoldHere(key) {
  const { frame } = now, { view } = frame, keys = new Set(graph.keysOf(view)), was = rectOf(graph.view, key);
  const opens = !keys.delete(key), box = key[0] === 'b' ? { kind: 'box', slot: +key.slice(1) } : null;
  if (opens) keys.add(key);
  /* what is folded away is not picked any more: the box is, that it is in */
  if (!opens && box && now.place && keyAt(view, now.place) === key) { now.place = box; now.id = frame.boxes[box.slot].show?.key ?? 0; }
  graph.unfold(view, keys);
  graph.face(frame, focusOf(stops[now.stop]), now.place);
  showUnfolded();
  const is = rectOf(graph.view, key);
  graph.x += (was[0] - is[0]) * graph.scale;
  graph.y += (was[1] - is[1]) * graph.scale;
  graph.place(false);
  graph.draw();
  save(true);
  if (box) focusPart(box);
  else graph.root.querySelector(`.sheet:not(.away) [data-key=${key}]`)?.focus({ preventScroll: true });
  $('live').textContent = `${opens ? 'unfolded' : 'folded'}; ${plural(frame.count, 'node')}`;
}
function showUnfolded() {
  const { frame } = now, focus = focusOf(stops[now.stop]);
  graph.open(frame.view);
  graph.pick(now.place);
  graph.show(frame, focus);
  showNodeInfo(now.place, frame, now.id);
  showBar(stops[now.stop], frame);
}
/* What is picked; else the first that is folded. */
function unfoldPicked() {
  const { view } = now.frame, first = graph.root.querySelector('.sheet:not(.away) .turning:not(.off) [data-key]')?.dataset.key;
  const key = !view.fold || graph.view === view.wide ? null : now.place ? keyAt(view, now.place) : first;
  if (key) unfoldHere(key);
}

/* Draws all of what is folded, or folds all. */
function unfold() {
  const { view } = now.frame;
  if (!view.fold) return;
  graph.unfold(view, graph.view === view.wide ? [] : ['all']);
  render(false);
  graph.start();
  if (pickedArea()) graph.reveal(pickedArea(), false);
  else graph.follow(false);
  graph.draw();
  save(true);
  $('live').textContent = $('folded').textContent;
}

/* To another turn of a group; without one, of that which holds what is picked, else of the first that is drawn. */
function turn(group, by) {
  if (!graph.view.fold) return;
  const stands = now.place && standsOf(graph.view.fold, now.place.kind);
  graph.turn(group ?? (stands && stands.group[now.place.slot] >= 0 ? stands.group[now.place.slot] : null), by, now.frame);
  graph.show(now.frame, focusOf(stops[now.stop]));
  graph.draw();
}

/* What the picture shows; of both, the one on the right. */
function frameMode() { return now.mode === 'both' ? 'is' : now.mode; }
function setMode(mode) {
  const fits = (mode === 'both') !== (now.mode === 'both');
  now.mode = mode;
  graph.divide(mode === 'both');
  render(false);
  if (fits) { graph.own = false; graph.left = null; graph.arrive(); graph.draw(); }
}
function nextMode() { const m = modeButtons.map(b => b.dataset.mode).filter(k => k !== 'both' || !narrow.matches); setMode(m[(m.indexOf(now.mode) + 1) % m.length]); }

function toggleTheme() {
  const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}

function escape() {
  if (!finder.list.hidden) finder.key({ key: 'Escape' });
  else { pick(null); tree.items[now.stop].focus(); }
}

const keys = {
  j: () => walk(1), k: () => walk(-1), ArrowRight: () => walk(1), ArrowLeft: () => walk(-1),
  J: () => movePass(1), K: () => movePass(-1),
  'Shift+ArrowRight': () => movePass(1), 'Shift+ArrowLeft': () => movePass(-1),
  'Shift+ArrowDown': () => movePass(1), 'Shift+ArrowUp': () => movePass(-1),
  Home: () => goTo(0), End: () => goTo(stops.length - 1), v: nextMode,
  l: () => legend.toggle(), f: () => graph.fit(), c: () => { const a = graph.changeArea(); if (a) graph.zoomTo(a, 1.1, !calm.matches); },
  '+': () => graph.zoomBy(1.25), '=': () => graph.zoomBy(1.25), '-': () => graph.zoomBy(0.8),
  w: () => graph.pan(0, 1), s: () => graph.pan(0, -1), a: () => graph.pan(1, 0), d: () => graph.pan(-1, 0),
  '/': search, t: toggleTheme, g: () => setOrder(!tree.byRule), i: () => $('info').focus(), '?': showHelp, Escape: escape,
  b: () => alongHistory(true), n: () => alongHistory(false),
  u: () => unfold(), e: () => unfoldPicked(), '[': () => turn(null, -1), ']': () => turn(null, 1),
  p: () => { listing.root.open = !listing.root.open; if (listing.root.open) listing.root.querySelector('summary').focus(); },
  h: toggleAround, m: toggleValues, y: nextShade, z: toggleShapes, x: () => saveView(false), X: () => saveView(true), '.': () => readOn(1), ',': () => readOn(-1),
  o: () => { outline.root.open = !outline.root.open; if (outline.root.open) { outline.show(now.frame); outline.root.querySelector('summary').focus(); } },
};

/* On a phone the field is in a sheet: what is typed next is meant for it. */
function search() {
  if (narrow.matches) openSheet('more');
  finder.input.focus();
}

/* ---- all but a neighbourhood hidden ---- */

const NEAR = 2; /* edges from the picked node */
let around = false;
function onlyAround(frame) {
  if (!around || !now.place) return null;
  const only = { nodes: new Set(), boxes: new Set() }, add = p => (p.kind === 'node' ? only.nodes : only.boxes).add(p.slot);
  let edge = [now.place];
  add(now.place);
  for (let k = 0; k < NEAR; k++) {
    edge = edge.flatMap(p => [...neighbours(frame, p, 'in'), ...neighbours(frame, p, 'out')]).filter(p => !(p.kind === 'node' ? only.nodes : only.boxes).has(p.slot));
    edge.forEach(add);
  }
  /* the boxes that they stand in, and all that stands in one that is near as a whole */
  const { slots, frames } = frame.view, whole = new Set(only.boxes);
  slots.forEach((s, i) => { if (boxesAround(frame.view, s.box).some(k => whole.has(k - 1)) && whole.has(s.box - 1)) only.nodes.add(i); });
  for (const i of only.nodes) for (const k of boxesAround(frame.view, slots[i].box)) only.boxes.add(k - 1);
  for (const i of [...only.boxes]) for (const k of boxesAround(frame.view, frames[i].box)) only.boxes.add(k - 1);
  return only;
}
function toggleAround() {
  if (!now.place && !around) { $('live').textContent = 'pick a node first: all but what is around it is hidden then'; return; }
  around = !around;
  $('around').setAttribute('aria-pressed', String(around));
  render(false);
  graph.fit();
  graph.draw();
  $('live').textContent = around ? `only what is ${NEAR} edges from what is picked` : 'all of it again';
}

/* ---- values, reading order ---- */

function toggleValues() {
  const on = document.body.classList.toggle('values');
  $('worth').setAttribute('aria-pressed', String(on));
  $('live').textContent = on ? 'values where they are known' : 'types';
}

function toggleShapes() { $('live').textContent = shapes.toggle(); }

function nextShade() {
  const said = shading.next();
  render(false);
  $('live').textContent = said;
}

/* The next node as one reads the picture: from above to below, from the left to the right. */
function readOn(by) {
  const { sheet } = graph, all = sheet.readingOrder().filter(i => sheet.nodes[i] && !sheet.nodes[i].off);
  if (!all.length) return;
  const at = now.place?.kind === 'node' ? all.indexOf(now.place.slot) : by > 0 ? -1 : 0;
  const place = { kind: 'node', slot: all[(at + by + all.length) % all.length] };
  pick(place, true);
  focusPart(place);
}

/* ---- the view as a file ---- */

const LOOKS = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'paint-order', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor'];
/* What is shown as SVG that needs nothing else: looks as attributes, nothing that is hidden. */
function viewAsSvg() {
  const pad = 12, [x0, y0, x1, y1] = graph.shownArea(graph.sheet.edges), [w, h] = [x1 - x0 + 2 * pad, y1 - y0 + 2 * pad];
  const out = svg('svg', { xmlns: SVG, width: w, height: h, viewBox: `${x0 - pad} ${y0 - pad} ${w} ${h}` });
  svg('title', {}, out).textContent = `${data.title}: ${$('place').textContent}`;
  svg('rect', { x: x0 - pad, y: y0 - pad, width: w, height: h, fill: getComputedStyle(document.body).backgroundColor }, out);
  const copy = (from, to) => {
    for (const e of from.childNodes) {
      if (e.nodeType === 3) { to.append(e.textContent); continue; }
      const style = getComputedStyle(e);
      if (e.matches('.off, .halo') || style.visibility !== 'visible' || style.display === 'none') continue;
      const made = svg(e.localName, {}, to);
      for (const { name, value } of e.attributes) if (/^(d|x|y|x1|y1|x2|y2|r|rx|dx|cx|cy|width|height|transform)$/.test(name)) made.setAttribute(name, value);
      if (e.localName !== 'g') for (const name of LOOKS) { const v = style.getPropertyValue(name); if (v && v !== 'none' || name === 'fill') made.setAttribute(name, v); }
      copy(e, made);
    }
  };
  copy(graph.sheet.root, out);
  return [new XMLSerializer().serializeToString(out), w, h];
}
function saveAs(url, ending) {
  const name = `${data.title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 40)}-${stops[now.stop].pass.name}-${stops[now.stop].number}`;
  el('a', { href: url, download: name + ending }).click();
}
function saveView(asPng) {
  const [text, w, h] = viewAsSvg(), url = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
  if (!asPng) { saveAs(url, '.svg'); $('live').textContent = 'saved as SVG'; return; }
  const picture = new Image(), k = Math.min(2, 8000 / Math.max(w, h));
  picture.onload = () => {
    const canvas = el('canvas', { width: Math.round(w * k), height: Math.round(h * k) });
    canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
    saveAs(canvas.toDataURL('image/png'), '.png');
    $('live').textContent = 'saved as PNG';
  };
  picture.onerror = () => { $('live').textContent = 'this browser makes no PNG of it: take the SVG'; };
  picture.src = url;
}

/* ---- the text of the state ---- */

/* To the next line of the text, and to its node in the picture. */
function readText(by) {
  const id = walkText(by), { part } = brush;
  if (!id) return;
  const facts = nodeFacts(id), [x, y, w, h] = part?.at ?? [0, 0, 0, 0];
  if (part) graph.reveal([x, y, x + w, y + Math.min(h, 60)], !calm.matches);
  $('live').textContent = part?.label ?? `${facts?.op ?? ''} %${id}`;
}

/* Not in the middle of a step. */
let texting = 0;
function textLater() {
  clearTimeout(texting);
  if (listing.root.open) texting = setTimeout(() => listing.show(stops[now.stop], now.mode, now.id), 40);
}
listing.root.ontoggle = () => listing.show(stops[now.stop], now.mode, now.id);
listing.lines.onclick = e => {
  const id = +(e.target.closest('[data-id]')?.dataset.id ?? 0);
  if (id) pickId(id);
};

function setOrder(byRule) {
  tree.arrange(byRule);
  for (const b of orderButtons) {
    b.setAttribute('aria-checked', String((b.dataset.order === 'rule') === byRule));
    b.tabIndex = b.getAttribute('aria-checked') === 'true' ? 0 : -1;
  }
  tree.scroll();
}

/* Arrows within a group of radio buttons. */
function radioKey(e) {
  const group = e.target.closest?.('[role=radiogroup]');
  if (!group || !/^Arrow/.test(e.key)) return false;
  const all = [...group.children], by = /Right|Down/.test(e.key) ? 1 : all.length - 1;
  const to = all[(all.indexOf(e.target) + by) % all.length];
  to.click();
  to.focus();
  return true;
}

function onKey(e) {
  if (e.target === finder.input) return finder.key(e);
  if (e.altKey || e.ctrlKey || e.metaKey || $('keys').open && e.key !== '?') return false;
  const name = (e.shiftKey && e.key.startsWith('Arrow') ? 'Shift+' : '') + e.key;
  const arrow = /^Arrow/.test(name), onNode = e.target.closest?.('.node,.tab'), turner = e.target.closest?.('.turner');
  const press = e.key === 'Enter' || e.key === ' ';
  if ((onNode || turner) && press) return (onNode ?? turner).dispatchEvent(new MouseEvent('click', { bubbles: true })), true;
  if (e.target.group && press) return tree.toggleGroup(e.target.group), true;
  if (onNode && arrow) {
    if (!now.place) graph.onpick(placeAt(onNode));
    return follow(name);
  }
  if (/^Digit[1-9]$/.test(e.code) && now.place) return follow((e.shiftKey ? 'Shift+' : '') + e.code);
  if (arrow && tree.root.contains(e.target)) return tree.key(name, now.stop);
  if (radioKey(e)) return true;
  if (listing.lines.contains(e.target)) {
    if (name === 'ArrowUp' || name === 'ArrowDown') return readText(name === 'ArrowDown' ? 1 : -1), true;
    if (press && brush.id) return pickId(brush.id), true;
  }
  if ((e.key === 'ArrowUp' || e.key === 'ArrowDown') && !e.shiftKey) return false;
  if (!keys[name]) return false;
  keys[name]();
  return true;
}
document.addEventListener('keydown', e => { if (onKey(e)) e.preventDefault(); });

/* ---- wiring ---- */

tree.onstop = goTo;
info.ongoto = (stop, id) => goTo(stop, id);
info.onnode = pickId;
finder.onstop = stop => goTo(stop);
finder.onplace = h => {
  if (!h.now) { now.id = 0; goTo(stopShowing(h, now.stop)); }
  pick({ kind: h.kind, slot: h.slot }, true);
  focusPart(h);
};
outline.onpick = p => pick(p, true);
outline.root.ontoggle = () => outline.show(now.frame);
graph.onpick = p => pick(p, false);
graph.onturn = turn;
graph.onunfold = unfoldHere;
graph.onid = pickId;
graph.ontoggle = p => {
  pick(p, false);
  if (graph.view.fold && keyAt(now.frame.view, p) === boxKey(p.slot)) return unfoldHere(boxKey(p.slot));
  graph.sheet.toggle(p.slot);
  showPicked(p, now.id);
};
if (data.found) finder.input.placeholder = `${plural(data.found.places.length, 'place')} of ${data.found.pattern}`;
finder.input.oninput = () => finder.update();
finder.input.onfocus = () => finder.update();
finder.input.onblur = () => setTimeout(() => { finder.list.hidden = true; }, 150);
$('prev').onclick = keys.k;
$('next').onclick = keys.j;
$('fit').onclick = keys.f;
$('show').onclick = keys.c;
$('unfold').onclick = keys.u;
$('around').onclick = toggleAround;
$('worth').onclick = toggleValues;
$('shapes-on').onclick = toggleShapes;
$('shade').onclick = nextShade;
$('save').onclick = e => saveView(e.shiftKey);
$('more').onclick = keys['+'];
$('less').onclick = keys['-'];
$('theme').onclick = toggleTheme;
$('key').onclick = () => legend.toggle();
program.root.ontoggle = () => program.show(now.id);
for (const b of sheetButtons) b.onclick = () => openSheet(document.body.dataset.open === b.dataset.sheet ? '' : b.dataset.sheet);
$('help').onclick = showHelp;
for (const b of modeButtons) b.onclick = () => setMode(b.dataset.mode);
for (const b of orderButtons) b.onclick = () => setOrder(b.dataset.order === 'rule');

/* The address was changed: back, forward, or by hand. */
function readBack() {
  const to = readAddress();
  if (!to || location.hash === address()) return;
  now.id = to.id;
  now.place = null;
  now.stop = to.stop;
  graph.unfold(stops[to.stop].view, to.keys);
  saver.walking = false;
  render(true);
  if (now.id && pickedArea()) graph.reveal(pickedArea(), !calm.matches);
  announce();
  showLost(to);
}
addEventListener('hashchange', readBack);
addEventListener('popstate', readBack);
new ResizeObserver(() => { graph.box = null; if (graph.view) graph.place(false); }).observe(graph.root);

$('title').textContent = data.title;
$('title').title = data.title;
tree.build();
{
  const to = readAddress();
  if (to) { now.stop = to.stop; now.id = to.id; graph.unfold(stops[to.stop].view, to.keys); }
  if (data.scale) shading.next();
  render(true);
  if (now.id && pickedArea()) graph.reveal(pickedArea(), false);
  if (graph.view.fold) $('live').textContent = $('folded').textContent;
  if (to) showLost(to);
  save(false);
}
