/* One thing of a folded view unfolded where it stands: a closed box shows what is in it, the frame of what
   repeats all its turns, one below the other. Everything else keeps its place, but what is right of it or below
   moves on by as much as it grows.

   In each direction a number x of the folded layout becomes x + shift(x): the longest chain of growing things
   that end up to there. So nothing comes to lie on anything: what is apart stays apart, what holds still holds. */

const UNFOLDED = { head: 30, gap: 16, pad: 12, lane: 26 };

/* The shift of numbers, and what each item's length is where only what it holds grew. An item has `from`, `to`,
   and `want(length)`. */
function shiftsOf(items) {
  const jumps = [];
  const shift = x => jumps.reduce((most, [end, by]) => end <= x && by > most ? by : most, 0);
  for (const item of items.toSorted((a, b) => a.to - b.to || b.from - a.from)) {
    const start = shift(item.from), length = item.to - item.from;
    item.held = length + shift(item.to) - start;
    jumps.push([item.to, start + Math.max(item.held, item.want(item.held)) - length]);
  }
  return shift;
}

/* ---- ways: cubic pieces and, where there is one, a tip ---- */

function readWay(flat) {
  const p = [];
  for (let k = 0; k < flat.length; k += 2) p.push([flat[k], flat[k + 1]]);
  const tipped = p.length === 3 || p.length > 2 && p.length % 3 === 2, tip = tipped ? p.pop() : null;
  if (p.length === 2) p.splice(1, 0, mean(p[0], p[1], 1 / 3), mean(p[0], p[1], 2 / 3));
  return { p, tip };
}
const mean = ([a, b], [c, d], t) => [a + (c - a) * t, b + (d - b) * t];
const mapWay = ({ p, tip }, f) => ({ p: p.map(f), tip: tip && f(tip) });
const writeWay = ({ p, tip }) => (tip ? [...p, tip] : p).flat().map(Math.round);

const isIn = ([x, y, w, h], [px, py]) => px >= x && px <= x + w && py >= y && py <= y + h;

/* A cubic piece in two, at t. */
function cutPiece([a, b, c, d], t) {
  const e = mean(a, b, t), f = mean(b, c, t), g = mean(c, d, t), h = mean(e, f, t), i = mean(f, g, t), j = mean(h, i, t);
  return [[a, e, h, j], [j, i, g, d]];
}

/* What of a way is in a rectangle: up to where it first leaves it, or from where it last enters it; all, if it does not. */
function partIn({ p, tip }, rect, enters) {
  const inside = q => isIn(rect, q), n = p.length - 4, steps = 16;
  for (let s = 0; s < (p.length - 1) / 3 * steps; s++) {
    const k = enters ? n - 3 * Math.floor(s / steps) : 3 * Math.floor(s / steps), i = enters ? steps - 1 - s % steps : s % steps;
    const piece = p.slice(k, k + 4), at = t => inside(cutPiece(piece, t)[0][3]);
    let [low, high] = [i / steps, (i + 1) / steps];
    if (at(low) === enters || at(high) !== enters) continue;
    for (let m = 0; m < 10; m++) if (at((low + high) / 2) === enters) high = (low + high) / 2; else low = (low + high) / 2;
    const [left, right] = cutPiece(piece, (low + high) / 2);
    return enters ? { p: [...right, ...p.slice(k + 4)], tip } : { p: [...p.slice(0, k), ...left], tip: null };
  }
  return { p, tip };
}

/* From a to b: straight down, or by a lane at x. */
function connect(a, b, lane) {
  if (Math.hypot(a[0] - b[0], a[1] - b[1]) < 1) return [];
  const y = (a[1] + b[1]) / 2, step = UNFOLDED.gap;
  if (lane === null) return [[a[0], y], [b[0], y], b];
  const from = [lane, a[1] + step], to = [lane, b[1] - step];
  return [[a[0], from[1]], [lane, a[1]], from, mean(from, to, 1 / 3), mean(from, to, 2 / 3), to, [lane, b[1]], [b[0], to[1]], b];
}

/* One way on to another. */
function joinWays(a, b, lane = null) {
  return a && b ? { p: [...a.p, ...connect(a.p.at(-1), b.p[0], lane), ...b.p.slice(1)], tip: b.tip } : a ?? b;
}

/* Another end, or beginning, of a way. */
function aimEnd({ p }, to) { return { p: [...p.slice(0, -2), [to[0], p.at(-2)[1]], to], tip: null }; }
function aimStart({ p, tip }, from) { return { p: [from, [from[0], p[1][1]], ...p.slice(2)], tip }; }

/* ---- what is unfolded ---- */

const boxKey = slot => 'b' + slot, frameKey = i => 'f' + i;

/* The closed box, as the folded view draws it, that is or holds a box (slot + 1; 0: none); -1: none does. */
function closedAround(view, box) {
  return (boxesAround(view, box).findLast(k => view.fold.closed[k - 1]) ?? 0) - 1;
}
/* What would have to be unfolded, or folded, at a place: a closed box before a frame; null: nothing. */
function keyAt(view, { kind, slot }) {
  const box = closedAround(view, kind === 'box' ? slot + 1 : view.slots[slot].box), { group, part } = standsOf(view.fold, kind);
  if (box >= 0) return boxKey(box);
  const i = view.fold.frames.findIndex(f => f.group === group[slot] && f.part === part[slot]);
  return i >= 0 ? frameKey(i) : null;
}
/* Is there such a thing? Addresses are written by hand, too. */
function isKey(view, key) {
  const [, kind, i] = /^([bf])(\d+)$/.exec(key) ?? [];
  return kind === 'b' ? !!view.layout.boxes[i] && closedAround(view, +i + 1) === +i : kind === 'f' && +i < view.fold.frames.length;
}
function rectOf(view, key) {
  const i = +key.slice(1);
  return key[0] === 'b' ? view.layout.boxes[i] : view.fold?.frames[i].at;
}

/* The keys in another view of what keys name in a frame: where the same things stand there. */
function keysThere(frame, keys, there) {
  const { view } = frame, out = new Set();
  for (const key of keys) {
    const i = +key.slice(1), f = view.fold.frames[i], { group, part } = view.fold.nodes;
    const things = key === 'all' ? [] : key[0] === 'b' ? [frame.boxes[i]] : frame.nodes.filter((_, n) => group[n] === f.group && part[n] === f.part);
    const found = things.map(t => t.show && placeOf(there, t.show.key)).find(p => p && keyAt(there.view, p)?.[0] === key[0]);
    if (key === 'all') out.add(key);
    else if (found) out.add(keyAt(there.view, found));
  }
  return out;
}

class Unfolding {
  constructor(view, keys) {
    const { fold, layout, wide } = view, of = kind => [...keys].filter(k => k[0] === kind).map(k => +k.slice(1));
    this.view = view;
    this.boxes = new Set(of('b'));
    this.empty = new Set(view.frames.keys());
    for (const { box } of [...view.frames, ...view.slots]) this.empty.delete(box - 1);
    this.frames = new Map(of('f').map(i => [i, this.orderOf(i)]));
    const both = axis => {
      const long = 2 + axis, item = (rect, want) => ({ from: rect[axis], to: rect[axis] + rect[long], want });
      const frames = [...this.frames].map(([i, order]) => {
        const { head, gap, pad, lane } = UNFOLDED, n = order.length;
        return Object.assign(item(fold.frames[i].at, axis ? held => head + n * (held + gap) - gap + pad : held => held + 2 * pad + lane), { frame: i });
      });
      const shift = shiftsOf([...[...this.boxes].map(b => item(layout.boxes[b], () => wide.layout.boxes[b][long])), ...frames]);
      return { shift, cells: new Map(frames.map(f => [f.frame, f.held])) };
    };
    [this.x, this.y] = [both(0), both(1)];
  }

  /* The turns of a frame from top to bottom, as values flow. */
  orderOf(i) {
    const { fold, lines } = this.view, { group, part } = fold.frames[i], n = fold.turns[group], turns = Array.from({ length: n }, (_, k) => k);
    let on = 0;
    for (const e of lines) {
      if (e.kind === 'loopback') continue;
      const [a, b] = [[e.from, e.fromBox], [e.to, e.toBox]].map(([node, box]) => this.standOf(node, box));
      if (a.group === group && b.group === group && a.part === part && b.part === part) on += Math.sign(b.turn - a.turn);
    }
    return on < 0 ? turns.reverse() : turns;
  }
  standOf(node, box) {
    const { fold } = this.view, s = box ? fold.boxes : fold.nodes, k = (box || node) - 1;
    return { group: s.group[k], part: s.part[k], turn: s.turn[k] };
  }
  /* How far the turn in which something stands is moved within an unfolded frame; [0, 0]: it is in none. */
  offset({ group, part, turn }) {
    const i = group < 0 ? undefined : [...this.frames.keys()].find(f => this.view.fold.frames[f].group === group && this.view.fold.frames[f].part === part);
    if (i === undefined) return { frame: -1, at: 0, by: [0, 0] };
    const at = this.frames.get(i).indexOf(turn), { head, gap, pad } = UNFOLDED;
    return { frame: i, at, by: [pad, head + at * (this.y.cells.get(i) + gap)] };
  }

  /* Does a box keep its size? What is closed does, as a node. */
  isSolid(i) { return !this.boxes.has(i) && (this.view.fold.closed[i] === 1 || this.empty.has(i)); }
  point([x, y]) { return [x + this.x.shift(x), y + this.y.shift(y)]; }
  rect([x, y, w, h]) { const [a, b] = this.point([x, y]), [c, d] = this.point([x + w, y + h]); return [a, b, c - a, d - b]; }

  /* ---- nodes and boxes ---- */

  /* The unfolded box that holds a box or node from inside; -1: none. */
  holder(box) { const b = box ? closedAround(this.view, box) : -1; return this.boxes.has(b) ? b : -1; }

  placeNode(i) {
    const { view } = this, b = this.holder(view.slots[i].box), at = (b < 0 ? view : view.wide).layout.nodes[i];
    if (!at) return null;
    const [x, y, w, h] = at, [px, py] = b < 0 ? this.point([x, y]) : [x, y], [dx, dy] = b < 0 ? this.offset(this.standOf(i + 1, 0)).by : this.into(b);
    return [px + dx, py + dy, w, h];
  }
  placeBox(i) {
    const { view } = this, b = this.holder(view.frames[i].box), at = (b < 0 ? view : view.wide).layout.boxes[i];
    if (!at) return null;
    const [x, y, w, h] = b < 0 ? this.isSolid(i) ? [...this.point(at), at[2], at[3]] : this.rect(at) : at, [dx, dy] = b < 0 ? this.offset(this.standOf(0, i + 1)).by : this.into(b);
    return [x + dx, y + dy, w, h];
  }
  /* From where all that is unfolded has a box, with what is in it, to where it stands here. */
  into(b) {
    const [x, y] = this.placeBox(b), at = this.view.wide.layout.boxes[b];
    return [x - at[0], y - at[1]];
  }
  placeFrame(i) {
    const { at } = this.view.fold.frames[i], rect = this.rect(at), order = this.frames.get(i), { head, gap, pad } = UNFOLDED;
    if (!order) return { at: rect };
    const [w, h] = [this.x.cells.get(i), this.y.cells.get(i)];
    return { at: rect, cards: order.map((turn, k) => ({ turn, at: [rect[0] + pad, rect[1] + head + k * (h + gap), w, h] })) };
  }

  /* ---- edges ---- */

  /* An end: the slot it is drawn at in the folded layout, where its turn is, the unfolded box that it is inside of. */
  endOf(node, box) {
    const around = box ? this.view.frames[box - 1].box : this.view.slots[node - 1].box, inside = this.holder(around);
    return { node, box, inside, ...this.offset(this.standOf(node, box)) };
  }
  /* How what keeps its size takes the end of a way along; null: the way ends at a box that is stretched. */
  drag(node, box) {
    const { view } = this, closed = closedAround(view, box || view.slots[node - 1].box), k = closed < 0 ? box - 1 : closed;
    const at = k < 0 ? view.layout.nodes[node - 1] : this.isSolid(k) ? view.layout.boxes[k] : null;
    return at && [this.x.shift(at[0]), this.y.shift(at[1])];
  }
  /* What is within an unfolded frame ends at its border, before that moves on. */
  moved(flat, from, to, frame = -1) {
    const way = readWay(flat), n = way.p.length, by = (d, q) => [q[0] + d[0], q[1] + d[1]], rect = frame < 0 ? null : this.view.fold.frames[frame].at;
    const point = q => rect ? by([0, 1].map(k => [this.x, this.y][k].shift(Math.min(q[k], rect[k] + rect[k + 2] - 1))), q) : this.point(q);
    const p = way.p.map((q, k) => from && k < 2 ? by(from, q) : to && k >= n - 2 ? by(to, q) : point(q));
    return { p, tip: way.tip && (to ? by(to, way.tip) : point(way.tip)) };
  }
  byOffset(way, { by: [dx, dy] }) { return mapWay(way, ([x, y]) => [x + dx, y + dy]); }
  laneOf(i) { const [x, , w] = this.rect(this.view.fold.frames[i].at); return x + w - UNFOLDED.lane / 2 - 2; }

  /* The part of the way of an edge that is inside an unfolded box; all of it, unless it leaves it or enters it. */
  insideWay(i, b, enters = null) {
    const { layout } = this.view.wide, flat = layout.edges[i], [dx, dy] = this.into(b);
    if (!flat) return null;
    const way = enters === null ? readWay(flat) : partIn(readWay(flat), layout.boxes[b], enters);
    return mapWay(way, ([x, y]) => [x + dx, y + dy]);
  }

  /* The ways of an edge that has an end in something unfolded: within the frame that it leaves, between, within
     the one that it enters; all in one where a frame is unfolded. */
  waysOf(i, from, to, k) {
    const { fold, layout } = this.view, [tail, middle, head] = k < 0 ? [[], null, []] : [fold.tails[k], layout.edges[k], fold.heads[k]];
    if (from.inside >= 0 && from.inside === to.inside) return [null, this.insideWay(i, from.inside), null];
    const first = tail.length ? 0 : 1, last = head.length ? 2 : 1, drag = [this.drag(from.node, from.box), this.drag(to.node, to.box)];
    const frames = [from.frame, from.frame === to.frame && first === last ? from.frame : -1, to.frame];
    const ways = [tail.length && tail, middle, head.length && head].map((flat, n) => flat ? this.moved(flat, n === first && drag[0], n === last && drag[1], frames[n]) : null);
    if (!ways[first] || !ways[last]) return [null, null, null];
    ways[first] = this.byOffset(ways[first], from);
    if (last > first) ways[last] = this.byOffset(ways[last], to);
    const out = from.inside >= 0 && this.insideWay(i, from.inside, false), into = to.inside >= 0 && this.insideWay(i, to.inside, true);
    if (out) ways[first] = joinWays(out, aimStart(ways[first], out.p.at(-1)));
    if (into) ways[last] = joinWays(aimEnd(ways[last], into.p[0]), into);
    return from.frame < 0 && to.frame < 0 ? ways : [null, this.inOne(ways, from, to), null];
  }
  inOne([tail, middle, head], from, to) {
    const lane = ({ frame }, direct) => frame < 0 || direct ? null : this.laneOf(frame), order = this.frames.get(from.frame);
    const cut = w => w && { ...w, tip: null };
    if (tail && head && !middle) return joinWays(cut(tail), head, lane(from, to.at === from.at + 1));
    const begun = tail && middle ? joinWays(cut(tail), middle, lane(from, from.at === order?.length - 1)) : tail ?? middle;
    return head ? joinWays(cut(begun), head, lane(to, to.at === 0)) : begun;
  }

  /* ---- all ---- */

  build() {
    const { view } = this, { fold, layout, lines } = view, out = Object.create(view), mine = new Set();
    const shared = k => layout.edges[k] && this.moved(layout.edges[k], ...this.dragsOf[k].map((d, n) => (n ? fold.heads : fold.tails)[k].length ? null : d));
    const paths = [...fold.paths], edges = [], tails = [], heads = [];
    this.dragsOf = fold.paths.reduce((all, k, i) => { all[k] ??= [this.drag(lines[i].from, lines[i].fromBox), this.drag(lines[i].to, lines[i].toBox)]; return all; }, {});
    layout.edges.forEach((_, k) => {
      const way = this.dragsOf[k] && shared(k);
      edges.push(way ? writeWay(way) : null);
      tails.push(fold.tails[k].length ? writeWay(this.moved(fold.tails[k], this.dragsOf[k]?.[0] ?? null, null)) : []);
      heads.push(fold.heads[k].length ? writeWay(this.moved(fold.heads[k], null, this.dragsOf[k]?.[1] ?? null)) : []);
    });
    lines.forEach((e, i) => {
      const from = this.endOf(e.from, e.fromBox), to = this.endOf(e.to, e.toBox), k = fold.paths[i];
      if (from.inside < 0 && to.inside < 0 && from.frame < 0 && to.frame < 0) return;
      const [tail, middle, head] = this.waysOf(i, from, to, k);
      paths[i] = tail || middle || head ? edges.length : -1;
      if (paths[i] < 0) return;
      mine.add(edges.length);
      edges.push(middle && writeWay(middle));
      tails.push(tail ? writeWay(tail) : []);
      heads.push(head ? writeWay(head) : []);
    });
    const [width, height] = this.point([layout.width, layout.height]);
    out.layout = { width, height, nodes: view.slots.map((_, i) => this.placeNode(i)), boxes: view.frames.map((_, i) => this.placeBox(i)), edges };
    out.fold = {
      ...fold, paths, tails, heads, mine, closed: fold.closed.map((c, i) => c && this.holder(i + 1) < 0 ? 1 : 0),
      frames: fold.frames.map((f, i) => ({ ...f, ...this.placeFrame(i) })),
      nodes: this.standsLeft(fold.nodes, i => view.slots[i].box), boxes: this.standsLeft(fold.boxes, i => view.frames[i].box), stands: fold,
    };
    return out;
  }
  /* What stands in one turn only: not what is in an unfolded frame, or repeats in an unfolded box. */
  standsLeft({ group, part, turn }, boxOf) {
    const left = group.map((g, i) => {
      const b = this.holder(boxOf(i)), own = b < 0 || this.view.fold.boxes.group[b] === g;
      return g >= 0 && own && this.offset({ group: g, part: part[i], turn: turn[i] }).frame < 0 ? g : -1;
    });
    return { group: left, part, turn };
  }
}

/* The view with these unfolded in place; the last few are kept. */
const unfoldings = new Map();
function unfoldedView(view, keys) {
  const name = [...keys].sort().join('.');
  if (!unfoldings.has(view)) unfoldings.set(view, new Map());
  const known = unfoldings.get(view);
  if (!known.has(name)) {
    if (known.size > 7) known.delete(known.keys().next().value);
    known.set(name, new Unfolding(view, keys).build());
  }
  return known.get(name);
}
