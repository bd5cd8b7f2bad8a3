/* The data of the page: passes, stops (the places one can step to), which slot shows what in
   which state, and where each node comes from and goes to.  Nothing here touches the document.
   A slot is a place in a layout; its version in a state is an index, -1: not there. */

const data = JSON.parse(document.getElementById('data').textContent);
const text = i => data.strings[i] ?? '';
/* Names that no line holds, cut in the middle. */
const short = s => s.replace(/[\p{L}\p{N}_]{80,}/gu, w => `${w.slice(0, 50)}\u2026${w.slice(-20)}`);
/* What is written from right to left, so that what follows stays right of it. */
const apart = s => /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(s) ? `\u2068${s}\u2069` : s;

const classMeaning = {
  E: ['exact', 'the same bits for every input'],
  Z: ['sign of zero', 'may change the sign of a zero'],
  R: ['rounding', 'may change how results are rounded'],
  'N+': ['fewer nan', 'removes nan or infinity that the source would give'],
  'N-': ['hides nan', 'may hide nan or infinity'],
  O: ['overflow', 'may leave the range of numbers, where the source does not'],
  D: ['needs a fact', 'applies only where a fact was proved'],
  S: ['hides an error', 'may hide an error'],
  C: ['cost', 'changes cost only'],
};

/* Whole numbers, five bits a letter, lowest first; a letter with bit 5 goes on, bit 0 is the sign. */
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const valueOf = new Map([...letters].map((c, i) => [c, i]));
function readNumbers(s) {
  const out = [];
  let value = 0, shift = 0;
  for (const c of s) {
    const bits = valueOf.get(c);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    out.push(value & 1 ? -(value >> 1) : value >> 1);
    value = shift = 0;
  }
  return out;
}

/* A list by what differs from the one before, from place k on: the list, and the place behind it. */
function readSince(all, k, was) {
  const more = all[k] - 1, [head, tail] = all.slice(k + 1, k + 3), from = k + 3;
  if (more < 0) return [was, k + 1];
  return [[...was.slice(0, head), ...all.slice(from, from + more), ...tail ? was.slice(-tail) : []], from + more];
}

/* The points of an edge (page_layout.c): its start, three for each curve, and the tip, from what is written of it. */
function readEdge([x, y, tip, ...curves]) {
  const out = [x, y];
  let level = false; /* is that how it runs here? */
  for (const [way, dy] of pairs(curves)) {
    const dx = way >> 1, [tx, ty] = [x + dx, y + dy];
    if (way & 1) {
      const [cx, cy] = level ? [tx, y] : [x, ty], near = (a, c) => Math.round((a + 2 * c) / 3);
      out.push(near(x, cx), near(y, cy), near(tx, cx), near(ty, cy), tx, ty);
      level = !level;
    } else {
      const half = Math.round(y + dy / 2);
      out.push(x, half, tx, half, tx, ty);
      level = dy === 0;
    }
    [x, y] = [tx, ty];
  }
  if (tip) out.push(x, y + tip);
  return out;
}

function readRule(i) {
  const [rule, ruleText, reason, source] = data.rules[i].map(text);
  return { rule, ruleText, reason, source };
}

/* Rows as objects. */
function readRow(pass, view, r) {
  return {
    pass, get view() { return view(); }, number: text(r[0]), depth: r[1], whole: r[2] === 1, ...readRule(r[3]),
    classes: text(r[4]).split(' ').filter(Boolean), evidence: text(r[5]), again: r[6] === 1,
    before: r[7], after: r[8],
    changes: r[9].map(c => ({ before: c[0], after: c[1], was: short(text(c[2])), is: short(text(c[3])) })),
    changed: { nodes: new Set(readNumbers(r[10])), boxes: new Set(readNumbers(r[11])) },
    kept: new Set(readNumbers(r[12])),
  };
}

function pairs(flat) {
  const out = [];
  for (let i = 0; i < flat.length; i += 2) out.push([flat[i], flat[i + 1]]);
  return out;
}

/* Layouts of two states at a time, each written as what differs from the one before (page_stops.c): they are read
   up to the one that is asked for. */
class StopLayouts {
  constructor(view, { rooms, layouts }) {
    const corners = n => Array.from({ length: n }, () => [0, 0, 0, 0]);
    this.view = view;
    this.list = layouts;
    this.places = new Map(layouts.map(([before, after], i) => [`${before} ${after}`, i]));
    this.made = [];
    this.nodes = corners(view.slots.length);
    this.boxes = corners(view.frames.length);
    this.ways = view.lines.map(() => []);
    pairs(readNumbers(rooms)).forEach(([w, h], i) => { this.nodes[i][2] = w; this.nodes[i][3] = h; });
  }
  at(before, after) {
    const i = this.places.get(`${before} ${after}`) ?? 0;
    while (this.made.length <= i) this.made.push(this.read(this.list[this.made.length]));
    return this.made[i];
  }
  read([before, after, width, height, nodes, boxes, edges]) {
    const { at } = this.view, there = (list, i) => at[before][list][i] >= 0 || at[after][list][i] >= 0;
    const move = (list, was, s, count) => {
      const ways = readNumbers(s);
      let k = 0;
      return was.map((place, i) => {
        if (!there(list, i)) return null;
        for (let n = 0; n < count; n++) place[n] += ways[k++];
        return place.slice();
      });
    };
    const out = { width, height, nodes: move('nodes', this.nodes, nodes, 2), boxes: move('boxes', this.boxes, boxes, 4) };
    out.edges = this.readEdges(edges, i => there('edges', i));
    return out;
  }
  readEdges(s, there) {
    const all = readNumbers(s);
    let k = 0;
    return this.view.lines.map((line, i) => {
      if (!there(i)) return null;
      [this.ways[i], k] = readSince(all, k, this.ways[i]);
      const [x, y] = line.fromBox ? this.boxes[line.fromBox - 1] : this.nodes[line.from - 1], [dx, dy, ...way] = this.ways[i];
      return readEdge([x + dx, y + dy, ...way]);
    });
  }
}

/* The view of a stop: all of its view, laid out for two states. What is folded has one layout for all. */
function viewAt(base, before, after) {
  if (!base.stopLayouts) return base;
  const layout = base.stopLayouts.at(before, after);
  if (!layout.view) {
    layout.view = Object.create(base);
    layout.view.layout = layout;
  }
  return layout.view;
}

function readLayout([width, height, nodes, boxes, edges]) {
  const drawn = list => list.length ? list : null;
  return {
    width, height, nodes: nodes.map(s => drawn(readNumbers(s))), boxes: boxes.map(s => drawn(readNumbers(s))),
    edges: edges.map(s => s ? readEdge(readNumbers(s)) : null),
  };
}

/* Which thing is shown: its number, or, where it has none, a negative one that is not told. */
const named = key => ({ key, id: Math.max(key, 0) });

/* A show that is a number differs in that only from the one before. */
function readShows(list) {
  const out = [];
  for (const s of list)
    out.push(typeof s === 'number' ? { ...out.at(-1), ...named(s) } : {
      ...named(s[0]), label: short(text(s[1])), type: text(s[2]), value: text(s[3]),
      cls: data.classes[s[4]], role: data.roles[s[5]], op: text(s[6]),
    });
  return out;
}

function readLines(s) {
  const all = readNumbers(s), out = [];
  for (let i = 0; i < all.length; i += 7) {
    const [from, fromBox, to, toBox, kind, head, tail] = all.slice(i, i + 7);
    out.push({ from, fromBox, to, toBox, kind: data.edges[kind], head: text(head), tail: text(tail) });
  }
  return out;
}

function readView(v) {
  v.base = v;
  v.slots = v.nodes.map(n => ({ box: n[0], shows: readShows(n.slice(1)) }));
  v.frames = v.boxes.map(b => ({
    box: b[0],
    shows: b.slice(1).map(s => ({
      ...named(s[0]), label: short(text(s[1])), more: short(text(s[2])), repeat: s[3], closed: s[4] === 1, kind: data.kinds[s[5]],
    })),
  }));
  /* the boxes that hold a box, itself first */
  for (const [i, b] of v.frames.entries()) b.around = [i + 1, ...(b.box ? v.frames[b.box - 1].around : [])];
  v.lines = readLines(v.edges);
  const kinds = [v.slots, v.frames, v.lines];
  let now = kinds.map(k => new Int16Array(k.length).fill(-1));
  v.at = v.states.map(s => {
    now = now.map(a => a.slice());
    s.forEach((list, k) => {
      let slot = 0;
      for (const [way, shows] of pairs(readNumbers(list))) now[k][(slot += way) - 1] = shows;
    });
    return { nodes: now[0], boxes: now[1], edges: now[2] };
  });
  if (v.folded) v.layout = readLayout(v.layout);
  else v.stopLayouts = new StopLayouts(v, v.layout);
  return v.folded ? foldedView(v, v.folded) : v;
}

/* A view that is read when it is first needed: of the steps below many rows few are ever looked at. */
function later(v) {
  let read = null;
  return () => read ??= readView(v);
}

/* Passes share a view, in which what goes on from pass to pass has one slot; only where the graph
   becomes another one, as where a derivative is expanded, a second one starts. */
const views = data.views.map(later);
const passes = data.passes.map((p, i) => {
  const view = p.at === undefined ? null : views[p.view], rows = (p.rows ?? []).map(r => readRow(i, view, r));
  /* child steps of a derivative have graphs, and so a view, of their own */
  for (const [number, list, own] of p.opened ?? []) {
    const child = later(own), at = rows.findIndex(r => r.number === number);
    rows[at].opens = true;
    rows.splice(at + 1, 0, ...list.map(r => readRow(i, child, r)));
  }
  return { ...p, end: p.stop, stop: -1, index: i, drawn: !!view, get view() { return view?.() ?? null; }, rows };
});

/* A body that one step changes: what that step says is said of the whole, and it is no stop of its own at first. */
for (const pass of passes)
  pass.rows.forEach((row, i) => {
    const child = pass.rows[i + 1];
    const isBelow = other => isInside(other, row) && !other.number.slice(row.number.length + 1).includes('.');
    if (row.whole && child && pass.rows.filter(isBelow).length === 1) row.only = child;
  });

/* ---- stops: what was written, the rows of all passes, the result ---- */
const stops = [];
function addStop(pass, row, before, after) {
  const of = row ?? pass;
  stops.push({ pass, row, get view() { return viewAt(of.view, before, after); }, get base() { return of.view; }, number: row?.number ?? '0', before, after });
}
const anyStep = passes.some(p => p.rows.length);
for (const pass of passes) {
  if (!pass.drawn) continue;
  /* the state before the first step of a pass is the one that was shown last */
  if (pass.steps === undefined && (pass.name === 'source' || anyStep)) addStop(pass, null, pass.at, pass.at);
  for (const row of pass.rows) addStop(pass, row, row.before, row.after);
}
stops.forEach((s, i) => { s.index = i; if (s.row) s.row.stop = i; else s.pass.stop = i; });
for (const pass of passes) if (pass.stop < 0) pass.stop = pass.rows[0]?.stop ?? stops.length - 1;
const allRows = passes.flatMap(p => p.rows);

/* Rows below a row of an inner graph. */
function isInside(row, owner) {
  return row.pass === owner.pass && row.number.startsWith(owner.number + '.');
}

function ownerOf(row) {
  const number = row.number.replace(/\.\d+$/, '');
  return allRows.find(r => r.pass === row.pass && r.number === number);
}

/* ---- history ---- */

/* The row of a step, or the one around it that is listed. */
const rowOf = new Map(allRows.map(r => [r.number, r]));
function readStep(i) {
  for (let number = text(i); number; number = number.replace(/\.?\d+$/, '')) if (rowOf.has(number)) return rowOf.get(number);
  return null;
}

/* The life of a thing: what it is a copy of, what stood there before, the rows with which it came
   and goes, and those that changed it. */
const lives = data.lives.map(s => {
  const [copyOf, from, gone, made, ...changed] = readNumbers(s);
  return made === undefined ? null : {
    copyOf, from, gone: readStep(gone), made: readStep(made),
    changed: changed.map(k => ({ row: readStep(k >> 1), operands: (k & 1) === 1 })).filter(c => c.row),
  };
});
const lifeOf = id => lives[id - 1] ?? null;
const copies = new Map(); /* number -> those of its copies */
lives.forEach((l, i) => { if (l?.copyOf) copies.set(l.copyOf, [...copies.get(l.copyOf) ?? [], i + 1]); });

function nodeFacts(id) {
  const n = data.nodes[id - 1];
  return n ? {
    op: text(n[0]), type: text(n[1]), source: short(text(n[2])), value: text(n[3]), flops: text(n[4]), bytes: text(n[5]),
    file: text(n[6]), line: n[7], code: text(n[8]), column: n[9], length: n[10],
  } : null;
}

/* ---- what a stop shows ---- */

/* What a slot is in a stop: [version, mark]; a version of -1 is not drawn. `changed`: the step changed
   the thing that it holds. What is elsewhere on the other side neither comes nor goes. */
function resolve(before, after, mode, changed, elsewhere) {
  if (mode === 'before') return [before, ''];
  if (mode === 'after') return [after, ''];
  if (mode === 'was' || mode === 'is') return sideOf(before, after, mode, changed, elsewhere);
  if (before === after || before >= 0 && after >= 0) return [after, changed ? 'changed' : ''];
  if (before < 0 && after < 0) return [-1, ''];
  const version = Math.max(before, after);
  if (elsewhere(version)) return [version, before >= 0 ? 'moved' : changed ? 'changed' : ''];
  return [version, before < 0 ? 'added' : 'removed'];
}

/* One of two pictures side by side: of what was or of what is, marked by what the step did to it. */
function sideOf(before, after, side, changed, elsewhere) {
  const version = side === 'was' ? before : after, mark = resolve(before, after, 'change', changed, elsewhere)[1];
  return [version, version < 0 || mark === 'moved' ? '' : mark];
}

/* The things of a state; of the last few that were asked for. */
const thingSets = new Map(), SETS = 8;
function thingsOf(view, at) {
  let set = thingSets.get(at);
  if (!set) {
    if (thingSets.size >= SETS) thingSets.delete(thingSets.keys().next().value);
    set = new Set();
    view.slots.forEach((s, i) => { if (at.nodes[i] >= 0) set.add(s.shows[at.nodes[i]].key); });
    view.frames.forEach((s, i) => { if (at.boxes[i] >= 0) set.add(s.shows[at.boxes[i]].key); });
    thingSets.set(at, set);
  }
  return set;
}

const boxesAround = (view, k) => k ? view.frames[k - 1].around : [];

const framesOf = new Map(), PARTS = 1e6; /* of all frames that are kept */
const ABSENT = { version: -1, mark: '', show: null };
function frameOf(stop, mode) {
  const key = `${stop.index} ${mode}`;
  if (!framesOf.has(key)) {
    if (framesOf.size * (stop.base.slots.length + stop.base.lines.length) > PARTS) framesOf.clear();
    framesOf.set(key, makeFrame(stop, mode));
  }
  return framesOf.get(key);
}

function makeFrame(stop, mode) {
  const { view, base } = stop, b = view.at[stop.before], a = view.at[stop.after];
  const frame = { view, base, stop, count: 0, marks: { added: 0, removed: 0, changed: 0 } };
  const changed = stop.row?.changed, was = thingsOf(view, b), is = thingsOf(view, a);
  const there = (shows, before) => k => shows[k].key !== 0 && ((before < 0 ? was : is).has(shows[k].key) || stop.row.kept.has(shows[k].key));
  frame.nodes = view.slots.map((slot, i) => {
    if (b.nodes[i] < 0 && a.nodes[i] < 0) return ABSENT;
    const [version, mark] = resolve(b.nodes[i], a.nodes[i], mode, changed?.nodes.has(i + 1), there(slot.shows, b.nodes[i]));
    if (mark in frame.marks) frame.marks[mark]++;
    if (version >= 0) frame.count++;
    return { version, mark, show: version < 0 ? null : slot.shows[version] };
  });
  frame.edges = view.lines.map((line, i) => {
    if (b.edges[i] < 0 && a.edges[i] < 0) return ABSENT;
    const [version, mark] = resolve(b.edges[i], a.edges[i], mode, false, () => false);
    return { version, mark };
  });
  frame.boxes = view.frames.map((box, i) => {
    const [version, mark] = resolve(b.boxes[i], a.boxes[i], mode, changed?.boxes.has(i + 1), there(box.shows, b.boxes[i]));
    return { version, mark, show: version < 0 ? null : box.shows[version] };
  });
  return frame;
}

/* The place of a thing in a frame: {kind, slot}, or null; where it stands rather than where it stood. */
function placeOf(frame, key) {
  if (!key) return null;
  let k = frame.nodes.findIndex(n => n.show && n.show.key === key && n.mark !== 'removed' && n.mark !== 'moved');
  if (k < 0) k = frame.nodes.findIndex(n => n.show && n.show.key === key);
  if (k >= 0) return { kind: 'node', slot: k };
  k = frame.boxes.findIndex(n => n.show && n.show.key === key);
  return k >= 0 ? { kind: 'box', slot: k } : null;
}

/* The stop nearest to `from` whose graph has a thing; -1: none has. */
function stopWith(key, from) {
  let best = -1;
  const versions = new Map(); /* view -> [list, slot, version] */
  for (const { base: view } of stops) {
    if (versions.has(view)) continue;
    const found = [];
    view.slots.forEach((s, i) => s.shows.forEach((v, k) => { if (v.key === key) found.push(['nodes', i, k]); }));
    view.frames.forEach((s, i) => s.shows.forEach((v, k) => { if (v.key === key) found.push(['boxes', i, k]); }));
    versions.set(view, found);
  }
  stops.forEach((s, i) => {
    if (best >= 0 && Math.abs(i - from) >= Math.abs(best - from)) return;
    if (versions.get(s.base).some(([list, slot, k]) => s.base.at[s.after][list][slot] === k)) best = i;
  });
  return best;
}

/* ---- what a state says ---- */

/* The formulas of its results, one a line. */
const sentenceOf = (view, state) => text(view.texts[state][0]);
/* The lines of its program; \x91 number \x92 text \x9c is what shows a node. */
function programOf(view, state) {
  const known = view.base.programs ??= [];
  while (known.length <= state) known.push(readSince(readNumbers(view.texts[known.length][1]), 0, known.at(-1) ?? [])[0]);
  return known[state].map(text);
}
