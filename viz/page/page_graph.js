/* The window on the sheets: which one is shown, panning, zooming, the overview.
   The sheets beside the present one are drawn while nothing else is to do. */

const KEPT = 8; /* sheets at most; the one unused for longest goes */
const READ = 0.6, MOST = 1.5; /* the least scale at which one reads, the largest that a picture is given by itself */
const MOVING = 300; /* ms for what moves from one stop to the next */

const graph = {
  root: document.getElementById('graph'), twin: document.getElementById('twin'), other: null, map: document.getElementById('map'),
  sheet: null, sheets: new Map(), scale: 1, x: 0, y: 0, onpick: null, ontoggle: null,
  get view() { return this.sheet?.view ?? null; },
  unfolded: new Map(), /* folded view -> what of it is unfolded: keys (page_unfold.js), or 'all' */
  keysOf(view) { return this.unfolded.get(view) ?? new Set(); },
  viewOf(view) {
    const keys = view.fold ? this.keysOf(view) : new Set();
    return keys.has('all') ? view.wide : keys.size ? unfoldedView(view, keys) : view;
  },
  unfold(view, keys) { this.unfolded.set(view, new Set(view.fold ? [...keys].filter(k => k === 'all' || isKey(view, k)) : [])); },
  /* Turns what repeats to what changed, or is picked; unfolds what that is closed in. */
  face(frame, focus, place) {
    const { view } = frame;
    if (!view.fold) return;
    if (place && !hasPlace(this.viewOf(view), place)) this.unfold(view, [...this.keysOf(view), keyAt(view, place)]);
    faceChange(view, frame, focus, place);
  },
  turn(group, by, frame) {
    const { fold } = frame.view, there = turnsIn(frame.view, frame, new Set());
    const g = group ?? there.findIndex(t => t.shown.some(n => n));
    if (g < 0) return;
    for (let k = fold.at[g] + by; k >= 0 && k < fold.turns[g]; k += by) if (there[g].shown[k]) { fold.at[g] = k; return turnAlong(frame.view, frame, g); }
  },

  /* ---- sheets ---- */

  sheetOf(view) {
    let sheet = this.sheets.get(view);
    this.sheets.delete(view);
    for (const [old, s] of this.sheets) {
      if (this.sheets.size < KEPT) break;
      if (s === this.sheet) continue;
      s.root.remove();
      this.sheets.delete(old);
    }
    sheet ??= new Sheet(view, this.root);
    this.sheets.set(view, sheet);
    return sheet;
  },
  open(view) {
    if (this.view === this.viewOf(view)) return;
    const sheet = this.sheetOf(this.viewOf(view));
    sheet.build();
    if (this.sheet) {
      this.sheet.leave();
      this.sheet.root.classList.add('away');
      this.sheet.root.setAttribute('aria-hidden', 'true');
    }
    this.left = this.sheet && { sheet: this.sheet, scale: this.scale, x: this.x, y: this.y };
    sheet.root.classList.remove('away');
    sheet.root.removeAttribute('aria-hidden');
    this.sheet = sheet;
    this.drawMap();
  },
  /* Draws these in advance, each laid out with its first frame. */
  prepare(list) {
    this.waiting = list;
    if (this.idle) return;
    /* on a busy machine nothing is ever idle: then a little at a time */
    const idle = window.requestIdleCallback ? f => window.requestIdleCallback(f, { timeout: 300 }) : f => setTimeout(() => f({ timeRemaining: () => 8 }), 30);
    const work = deadline => {
      const began = performance.now(), late = () => deadline.didTimeout ? performance.now() - began > 8 : deadline.timeRemaining() < 2;
      this.idle = null;
      while (this.waiting.length) {
        const [view, frame] = this.waiting[0], sheet = this.sheetOf(this.viewOf(view));
        if (!sheet.build(late)) break;
        if (!sheet.frame) { this.face(frame(), new Set(), null); sheet.plan(frame(), new Set()); sheet.applyAll(); sheet.leave(); }
        this.waiting.shift();
        if (late()) break;
      }
      if (this.waiting.length) this.idle = idle(work);
      else this.root.dataset.ready = 'true';
    };
    delete this.root.dataset.ready;
    this.idle = idle(work);
  },

  /* What is shown next; draw() makes it so, when the window stands where it shall stand. */
  show(frame, focus) {
    if (this.viewOf(frame.view) !== this.view) this.open(frame.view);
    this.sheet.plan(frame, focus);
  },
  draw() {
    const [w, h] = this.size(), area = [-this.x, -this.y, w - this.x, h - this.y].map(v => v / this.scale);
    this.sheet.apply([area, this.area ?? area]);
    this.area = area;
    this.dotting ??= setTimeout(() => { this.dotting = null; this.drawDots(); });
  },
  /* Two pictures side by side, or one. */
  divide(on) {
    this.root.parentNode.classList.toggle('both', on);
    this.box = null;
    if (!on && this.other) this.other.root.remove(), this.other = null;
  },
  /* What was before the step, in the picture on the left, which moves with the other one; not in the middle of a step. */
  showTwin(frame, focus, id) {
    clearTimeout(this.twinning);
    this.twinning = setTimeout(() => {
      const view = this.viewOf(frame.view);
      if (this.other?.view !== view) {
        this.other?.root.remove();
        this.other = new Sheet(view, this.twin);
        this.other.build();
        this.other.root.classList.remove('away');
      }
      this.other.pick(placeOf(frame, id));
      this.other.plan(frame, focus);
      this.other.applyAll();
      this.other.leave();
      this.place(false);
    });
  },
  pick(place) { this.sheet.pick(place); },
  partAt(place) { return this.sheet.partAt(place); },

  /* ---- the window ---- */
  box: null, /* measuring would lay out the page in the middle of a step */
  size() {
    if (!this.box) {
      const r = this.root.getBoundingClientRect(), over = sheetOver();
      this.box = [r.width || 800, (over ? Math.min(over.top, r.bottom) - r.top : r.height) || 600];
    }
    return this.box;
  },
  place(smooth) {
    const { root } = this.sheet;
    root.classList.toggle('smooth', !!smooth);
    for (const r of [root, this.other?.root]) if (r) r.style.transform = `translate(${this.x}px,${this.y}px) scale(${this.scale})`;
    this.window();
  },
  /* Where what is shown stands. */
  shownArea(edges = []) { return this.areaOf([...this.sheet.nodes, ...this.sheet.boxes, ...this.sheet.folds, ...edges], p => !p.off); },
  fit() { this.own = false; this.zoomTo(this.shownArea() ?? [0, 0, 1, 1], MOST, !calm.matches); },
  /* What lies over the picture: the words above it, the buttons below. */
  get over() { return [16, this.view.fold ? 86 : 58]; },
  zoomTo([x0, y0, x1, y1], most, smooth) {
    const [w, h] = this.size(), pad = 28, [top, bottom] = this.over;
    this.scale = Math.min(most, (w - 2 * pad) / (x1 - x0), (h - top - bottom) / (y1 - y0));
    this.x = (w - (x0 + x1) * this.scale) / 2;
    this.y = (h + top - bottom - (y0 + y1) * this.scale) / 2;
    this.place(smooth);
  },
  /* A readable first view: everything shown if it can be read, else its top. */
  start() {
    const area = this.shownArea();
    if (!area) return;
    const [w, h] = this.size(), width = area[2] - area[0], height = area[3] - area[1], [top, bottom] = this.over;
    const all = Math.min((w - 60) / width, (h - top - bottom) / height, MOST);
    this.scale = Math.max(all, READ);
    this.x = (w - (area[0] + area[2]) * this.scale) / 2;
    this.y = all >= READ ? (h + top - bottom - (area[1] + area[3]) * this.scale) / 2 : top + 12 - area[1] * this.scale;
    this.place(false);
  },
  /* After a step to another layout: the scale stays where that shows all of it, not too small; else all of it
     is shown, if it can be read; else what changed. What stays moves there from where it stood. */
  arrive() {
    const area = this.shownArea(), { left } = this;
    if (!area) return;
    const [w, h] = this.size(), [top, bottom] = this.over;
    const all = Math.min((w - 60) / (area[2] - area[0]), (h - top - bottom) / (area[3] - area[1]), MOST);
    const keeps = left && this.scale <= all && (this.own || this.scale >= 0.75 * all);
    if (all < READ || this.own && !keeps) {
      if (!this.own) this.scale = READ;
      const core = this.nearestTo(this.changeArea(true) ?? this.changeArea()) ?? [area[0], area[1], area[2], area[1]];
      this.toMiddle(core, area);
    } else {
      this.scale = keeps ? this.scale : all;
      this.toMiddle(area, area);
    }
    this.place(false);
    this.glide();
  },
  nearestTo(area) { return area && this.nearestChange([(area[0] + area[2]) / 2, (area[1] + area[3]) / 2]); },
  /* An area to the middle of what nothing lies over, but without leaving room empty beside `all`. */
  toMiddle([x0, y0, x1, y1], all) {
    const [w, h] = this.size(), [top, bottom] = this.over, s = this.scale;
    const put = (low, high, least, most, from, to) => {
      const room = to - from, at = from + (room - (low + high) * s) / 2;
      return (most - least) * s <= room ? from + (room - (least + most) * s) / 2 : Math.min(from - least * s, Math.max(to - most * s, at));
    };
    this.x = put(x0, x1, all[0], all[2], 24, w - 24);
    this.y = put(y0, y1, all[1], all[3], top, h - bottom);
  },
  /* What is in both layouts moves from where it stood; the lines come up. */
  glide() {
    const { left, sheet } = this;
    if (!left || calm.matches || left.sheet.view.base !== sheet.view.base) return;
    const [w, h] = this.size(), r = left.scale / this.scale, timing = { duration: MOVING, easing: 'ease-in-out' };
    const corner = (at, s, x, y) => [at[0] * s + x, at[1] * s + y];
    const move = (part, was, elements) => {
      if (!part || part.off || !was || was.off) return;
      const from = corner(was.at, left.scale, left.x, left.y), to = corner(part.at, this.scale, this.x, this.y);
      const far = Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1]);
      if (far < 2 || to[0] > w || to[1] > h || to[0] + part.at[2] * this.scale < 0 || to[1] + part.at[3] * this.scale < 0) return;
      const shift = `translate(${(from[0] - to[0]) / this.scale}px, ${(from[1] - to[1]) / this.scale}px)`;
      for (const e of elements) e.animate([{ transform: `${shift} scale(${r})`, transformOrigin: `${part.at[0]}px ${part.at[1]}px` }, { transform: 'none', transformOrigin: `${part.at[0]}px ${part.at[1]}px` }], timing);
    };
    sheet.nodes.forEach((part, i) => move(part, left.sheet.nodes[i], part ? [part.g] : []));
    sheet.boxes.forEach((part, i) => move(part, left.sheet.boxes[i], part ? [part.g, part.frame] : []));
    sheet.layers.edges.animate([{ opacity: 0 }, { opacity: 0, offset: 0.4 }, { opacity: 1 }], timing);
  },
  /* Brings an area into view, clear of what lies over the picture, moving no more than needed. */
  reveal([x0, y0, x1, y1], smooth) {
    const [w, h] = this.size(), pad = Math.min(90, w / 8, h / 8), over = this.over.map(v => Math.max(v, pad));
    if ((x1 - x0) * this.scale > w - 2 * pad || (y1 - y0) * this.scale > h - over[0] - over[1])
      return this.zoomTo([x0, y0, x1, y1], this.scale, smooth);
    const left = x0 * this.scale + this.x, right = x1 * this.scale + this.x;
    const top = y0 * this.scale + this.y, bottom = y1 * this.scale + this.y;
    this.x += left < pad ? pad - left : right > w - pad ? w - pad - right : 0;
    this.y += top < over[0] ? over[0] - top : bottom > h - over[1] ? h - over[1] - bottom : 0;
    this.place(smooth);
  },
  /* Goes to a change: all of it if that can be read, else what the rule put there. */
  follow(smooth) {
    const all = this.changeArea(), [w, h] = this.size();
    if (!all) return this.seesLittle() && this.start();
    const fits = Math.min((w - 92) / (all[2] - all[0]), (h - 92) / (all[3] - all[1]));
    if (this.scale < 0.5) this.scale = Math.min(0.8, Math.max(fits, READ));
    if (fits >= 0.5) return this.reveal(all, smooth);
    const core = this.changeArea(true) ?? all;
    this.scale = Math.max(this.scale, READ);
    this.reveal(this.nearestChange([(core[0] + core[2]) / 2, (core[1] + core[3]) / 2]) ?? core, smooth);
  },
  /* Are hardly any nodes in the window? */
  seesLittle() {
    const s = this.scale, [w, h] = this.size(), all = this.sheet.nodes.filter(p => p && !p.off);
    const seen = all.filter(({ at: [x, y, wide, high] }) => x * s + this.x > 0 && (x + wide) * s + this.x < w && y * s + this.y > 0 && (y + high) * s + this.y < h);
    return seen.length < Math.min(3, all.length);
  },
  /* Of what a step marks or rewrites the part nearest to a point, and all that fits into the window with it. */
  nearestChange([x, y]) {
    const parts = this.changedParts().map(p => p.at);
    const far = a => Math.hypot(a[0] + a[2] / 2 - x, a[1] + a[3] / 2 - y);
    let best = null;
    const [w, h] = this.size().map(v => (v - 180) / this.scale);
    for (const [px, py, pw, ph] of parts.sort((a, b) => far(a) - far(b))) {
      const part = [px, py, px + Math.min(pw, w), py + Math.min(ph, h)];
      const both = best ? [Math.min(best[0], part[0]), Math.min(best[1], part[1]), Math.max(best[2], part[2]), Math.max(best[3], part[3])] : part;
      if (!best || both[2] - both[0] <= w && both[3] - both[1] <= h) best = both;
    }
    return best;
  },
  /* What a step marks or rewrites: nodes, else boxes, else edges. */
  changedParts() {
    const nodes = this.sheet.nodes.filter(p => p && !p.off && (p.redex || p.mark in strokes));
    if (nodes.length) return nodes;
    const boxes = this.sheet.boxes.filter(p => p && !p.off && (p.redex || p.mark in strokes));
    return boxes.length ? boxes : this.sheet.edges.filter(p => p && !p.off && p.mark in strokes);
  },
  pan(dx, dy) {
    const [w, h] = this.size();
    this.x += dx * w / 5;
    this.y += dy * h / 5;
    this.place(!calm.matches);
  },
  areaOf(parts, fits) {
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
    for (const p of parts) {
      if (!p || !fits(p)) continue;
      const [x, y, w, h] = p.at;
      x0 = Math.min(x0, x); y0 = Math.min(y0, y);
      x1 = Math.max(x1, x + w); y1 = Math.max(y1, y + h);
    }
    return x0 === Infinity ? null : [x0, y0, x1, y1];
  },
  /* Where the step is: what it marks and what it rewrites; or the latter only. */
  changeArea(core) {
    const parts = this.changedParts();
    return this.areaOf(parts, p => !core || p.redex) ?? this.areaOf(parts, () => true);
  },
  zoomBy(k, cx, cy) {
    this.own = true; /* the reader's scale, until all is fitted again */
    const [w, h] = this.size(), x = cx ?? w / 2, y = cy ?? h / 2, to = Math.min(3, Math.max(0.05, this.scale * k));
    this.x = x - (x - this.x) * (to / this.scale);
    this.y = y - (y - this.y) * (to / this.scale);
    this.scale = to;
    this.place(cx === undefined && !calm.matches);
  },

  /* ---- the overview ---- */
  drawMap() {
    const { width, height } = this.view.layout;
    this.map.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const k = Math.min(150 / width, 130 / height);
    this.map.style.width = Math.max(40, width * k + 14) + 'px';
    this.map.style.height = Math.max(24, height * k + 14) + 'px';
  },
  /* What is shown, a path for each mark: a step touches few elements, however many nodes there are. */
  drawDots() {
    const ways = { dot: '', added: '', removed: '', changed: '' };
    for (const p of this.sheet.nodes) if (p && !p.off) ways[p.mark in ways ? p.mark : 'dot'] += `M${p.at[0]} ${p.at[1]}h${p.at[2]}v${p.at[3]}h${-p.at[2]}z`;
    for (const name in ways) if (this.dots[name].getAttribute('d') !== ways[name]) this.dots[name].setAttribute('d', ways[name]);
  },
  window() {
    const [w, h] = this.size(), s = this.scale, { width, height } = this.view.layout;
    const all = w / s >= width && h / s >= height && this.x >= 0 && this.y >= 0;
    this.map.classList.toggle('idle', all);
    const at = { x: -this.x / s, y: -this.y / s, width: w / s, height: h / s };
    for (const k in at) this.glass.setAttribute(k, at[k]);
  },
};

graph.dots = Object.fromEntries(['dot', 'added', 'removed', 'changed'].map(name => [name, svg('path', { class: name }, graph.map)]));
graph.glass = svg('rect', { class: 'glass' }, graph.map);

/* ---- paper ---- */

/* What is shown fills the width of the paper. */
const paper = matchMedia('print');
paper.addEventListener('change', () => {
  const { root, view } = graph.sheet, { width, height } = view.layout;
  const [x0, y0, x1, y1] = paper.matches && graph.shownArea(graph.sheet.edges) || [0, 0, width, height], pad = paper.matches ? 8 : 0;
  const area = [x0 - pad, y0 - pad, x1 - x0 + 2 * pad, y1 - y0 + 2 * pad];
  root.setAttribute('viewBox', area.join(' '));
  root.setAttribute('width', area[2]);
  root.setAttribute('height', area[3]);
});

/* ---- pointers ---- */
for (const stage of [graph.root, graph.twin]) {
  /* One pointer moves the picture, wherever it is put down; two pinch it. What hardly moved is a click. */
  const down = new Map(), STILL = 5;
  let moved = false;
  const at = e => { const r = stage.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
  const middle = () => { const p = [...down.values()]; return [0, 1].map(k => p.reduce((s, q) => s + q[k], 0) / p.length); };
  const spread = () => { const [a, b] = [...down.values()]; return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0; };
  stage.addEventListener('click', e => {
    if (moved) return;
    const node = e.target.closest('.node:not(.off)'), tab = e.target.closest('.tab:not(.off)'), turner = e.target.closest('.turner');
    if (stage === graph.twin) return graph.onid(+((node ?? tab)?.dataset.id ?? 0));
    if (turner?.dataset.key) return graph.onunfold(turner.dataset.key);
    if (turner) return graph.onturn(+turner.dataset.group, +turner.dataset.by);
    if (node) graph.onpick({ kind: 'node', slot: +node.dataset.slot });
    else if (tab) graph.ontoggle({ kind: 'box', slot: +tab.dataset.box });
    else graph.onpick(null);
  });
  stage.addEventListener('pointerdown', e => {
    if (e.button !== 0) return;
    if (!down.size) moved = false;
    down.set(e.pointerId, at(e));
    card.hide();
  });
  stage.addEventListener('pointermove', e => {
    if (!down.has(e.pointerId)) return;
    const [x0, y0] = middle(), wide = spread(), was = down.get(e.pointerId), is = at(e);
    if (!moved && down.size === 1 && Math.hypot(is[0] - was[0], is[1] - was[1]) < STILL) return;
    if (!moved) for (const id of down.keys()) stage.setPointerCapture(id);
    moved = true;
    down.set(e.pointerId, is);
    const [x, y] = middle();
    graph.x += x - x0;
    graph.y += y - y0;
    if (wide > 10) graph.zoomBy(spread() / wide, x, y);
    else graph.place(false);
  });
  const lift = e => { down.delete(e.pointerId); };
  for (const kind of ['pointerup', 'pointercancel']) stage.addEventListener(kind, lift);
  stage.addEventListener('wheel', e => {
    e.preventDefault();
    const lines = e.deltaMode === 1 ? 16 : 1, [dx, dy] = [e.deltaX * lines, e.deltaY * lines];
    /* a notch is a fifth, a pinch on a pad comes in small parts */
    if (e.ctrlKey || e.metaKey) graph.zoomBy(Math.exp(-Math.max(-40, Math.min(40, dy)) / 220), ...at(e));
    else { graph.x -= e.shiftKey ? dy : dx; graph.y -= e.shiftKey ? 0 : dy; graph.place(false); }
  }, { passive: false });
}
graph.map.addEventListener('pointerdown', e => {
  const r = graph.map.getBoundingClientRect(), { width, height } = graph.view.layout, [w, h] = graph.size();
  const k = Math.max(width / r.width, height / r.height);
  graph.x = w / 2 - ((e.clientX - r.left - r.width / 2) * k + width / 2) * graph.scale;
  graph.y = h / 2 - ((e.clientY - r.top - r.height / 2) * k + height / 2) * graph.scale;
  graph.place(!calm.matches);
});
