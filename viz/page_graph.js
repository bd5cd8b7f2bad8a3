/* The picture: every slot of a pass is drawn once where the layout has it; a step only shows,
   hides, marks and relabels.  Also panning, zooming and the overview. */

const SVG = 'http://www.w3.org/2000/svg';
const glyphs = { added: '+', removed: '\u2212', changed: '~' };
const pills = new Set(['input', 'shared', 'param', 'state', 'sequence', 'capture']);
const WRAP = 34, WRAP_TYPE = 44, LABEL_H = 17.5, TYPE_H = 14.5, TAB_H = 21;

function svg(tag, attrs, parent) {
  const e = document.createElementNS(SVG, tag);
  for (const k in attrs) e.setAttribute(k, attrs[k]);
  if (parent) parent.append(e);
  return e;
}

function wrap(s, max, lines) {
  const out = [];
  let at = [...s];
  while (at.length && out.length < lines) {
    if (at.length <= max) { out.push(at.join('')); at = []; break; }
    let cut = max;
    for (let i = max; i > max / 2; i--) if (' ,;)]'.includes(at[i - 1])) { cut = i; break; }
    out.push(at.slice(0, cut).join('').trimEnd());
    at = at.slice(cut);
    while (at[0] === ' ') at.shift();
  }
  if (at.length) out[out.length - 1] += '\u2026';
  return out;
}

const graph = {
  root: document.getElementById('graph'), map: document.getElementById('map'),
  view: null, frame: null, parts: null, scale: 1, x: 0, y: 0, closed: new Map(),
  onpick: null, ontoggle: null,

  /* ---- drawing a pass ---- */

  open(view) {
    this.view = view;
    this.frame = null;
    this.root.replaceChildren();
    this.sheet = svg('g', { class: 'sheet' }, this.root);
    const layers = ['frames', 'edges', 'nodes', 'tabs'].map(name => svg('g', { class: name }, this.sheet));
    this.parts = {
      boxes: view.frames.map((b, i) => this.drawBox(b, i, layers[0], layers[3])),
      edges: view.lines.map((e, i) => this.drawEdge(e, i, layers[1])),
      nodes: view.slots.map((n, i) => this.drawNode(n, i, layers[2])),
    };
    this.drawMap();
  },

  drawNode(slot, i, layer) {
    const at = this.view.layout.nodes[i];
    if (!at) return null;
    const [x, y, w, h] = at, g = svg('g', { class: 'node', role: 'button', tabindex: -1, 'data-slot': i }, layer);
    const pill = pills.has(slot.shows[0].role), r = pill ? Math.min(h / 2, 16) : 6;
    if (slot.shows[0].role === 'sequence')
      svg('rect', { class: 'card', x: x + 4, y: y + 4, width: w, height: h, rx: r }, g);
    svg('rect', { class: 'halo', x: x - 5, y: y - 5, width: w + 10, height: h + 10, rx: r + 5 }, g);
    svg('rect', { class: 'shape', x, y, width: w, height: h, rx: r }, g);
    svg('rect', { class: 'inner', x: x + 3.5, y: y + 3.5, width: w - 7, height: h - 7, rx: Math.max(r - 3.5, 2) }, g);
    const lines = svg('g', { class: 'words' }, g), badge = this.drawBadge(x + w - 3, y + 3, g);
    g.onclick = e => { e.stopPropagation(); this.onpick({ kind: 'node', slot: i }); };
    return { g, lines, badge, at, version: -2, mark: null };
  },

  drawBadge(x, y, parent) {
    const g = svg('g', { class: 'badge' }, parent);
    svg('circle', { cx: x, cy: y, r: 8 }, g);
    return svg('text', { x, y: y + 4.6, 'text-anchor': 'middle' }, g);
  },

  drawBox(box, i, frames, tabs) {
    const at = this.view.layout.boxes[i];
    if (!at) return null;
    const [x, y, w, h] = at;
    const frame = svg('g', { class: 'box kind-' + box.kind }, frames);
    svg('rect', { class: 'shape', x, y, width: w, height: h, rx: 9 }, frame);
    const g = svg('g', { class: 'tab kind-' + box.kind, role: 'button', tabindex: -1 }, tabs);
    svg('rect', { class: 'cover', x: x + 1, y: y + 1, width: w - 2, height: h - 2, rx: 8 }, g);
    const halo = svg('rect', { class: 'halo', x: x - 4, y: y - 4, height: TAB_H + 8, rx: 9 }, g);
    const plate = svg('rect', { class: 'plate', x, y, height: TAB_H, rx: 9 }, g);
    const words = svg('text', { x: x + 10, y: y + 15 }, g);
    const note = svg('text', { class: 'note', x: x + w / 2, y: y + h / 2 + 4, 'text-anchor': 'middle' }, g);
    const badge = this.drawBadge(0, y + 2, g);
    g.onclick = e => { e.stopPropagation(); this.ontoggle(i); this.onpick({ kind: 'box', slot: i }); };
    return { g, frame, halo, plate, words, note, badge, at, version: -2, mark: null };
  },

  drawEdge(line, i, layer) {
    const flat = this.view.layout.edges[i];
    if (!flat) return null;
    const p = [];
    for (let k = 0; k < flat.length; k += 2) p.push([flat[k], flat[k + 1]]);
    const tipped = p.length % 3 === 2 || p.length === 3, tip = p[p.length - 1];
    const body = tipped && p.length > 2 ? p.slice(0, -1) : p;
    let d = 'M' + body[0];
    if (body.length > 2) for (let k = 1; k + 2 < body.length; k += 3) d += 'C' + body.slice(k, k + 3).join(' ');
    else d += 'L' + body[1];
    const g = svg('g', { class: 'edge kind-' + line.kind }, layer);
    svg('path', { class: 'line', d }, g);
    if (line.kind === 'sequence') svg('path', { class: 'core', d }, g);
    if (tipped) svg('path', { class: 'tip', d: arrow(p.length > 2 ? body[body.length - 1] : body[0], tip) }, g);
    const before = body[body.length - 2];
    if (line.head) endText(g, line.head, tip, before);
    if (line.tail) endText(g, line.tail, body[0], body[1]);
    return { g, version: -2, mark: null };
  },

  /* ---- showing a step ---- */

  show(frame, focus) {
    if (frame.view !== this.view) this.open(frame.view);
    this.frame = frame;
    this.inside = new Set();
    frame.view.frames.forEach((b, i) => { if (this.isClosed(i)) this.inside.add(i + 1); });
    this.parts.nodes.forEach((part, i) => part && this.showNode(part, frame.nodes[i], frame.view.slots[i], focus));
    this.parts.edges.forEach((part, i) => part && this.showEdge(part, frame.edges[i], frame.view.lines[i]));
    this.parts.boxes.forEach((part, i) => part && this.showBox(part, frame.boxes[i], i, focus));
    this.marks();
  },

  hides(box) { return boxesAround(this.view, box).some(k => this.inside.has(k)); },

  showNode(part, now, slot, focus) {
    const { show, mark } = now, hidden = !show || this.hides(slot.box);
    part.g.classList.toggle('off', hidden);
    if (!show) return;
    const outlined = focus.has(show.id) && show.id !== 0;
    part.g.classList.toggle('redex', outlined);
    if (part.show === show && part.mark === mark) return;
    part.g.setAttribute('class', `node op-${show.cls} role-${show.role}${mark ? ' ' + mark : ''}${hidden ? ' off' : ''}${outlined ? ' redex' : ''}${part.picked ? ' picked' : ''}`);
    if (part.show !== show) this.writeNode(part, show);
    part.g.setAttribute('aria-label', nodeName(show, mark));
    part.badge.textContent = glyphs[mark] ?? '';
    part.show = show;
    part.mark = mark;
  },

  writeNode(part, show) {
    const [x, y, w, h] = part.at, label = wrap(show.label, WRAP, 3), type = wrap(show.type, WRAP_TYPE, 2);
    const value = show.value ? wrap('= ' + show.value, WRAP_TYPE, 2) : [];
    let top = y + (h - label.length * LABEL_H - (type.length + value.length) * TYPE_H) / 2;
    part.lines.replaceChildren();
    label.forEach((s, k) => {
      const t = svg('text', { class: 'label', x: x + w / 2, y: top + 13.5, 'text-anchor': 'middle' }, part.lines);
      t.textContent = s;
      if (show.id && k === label.length - 1) {
        const id = svg('tspan', { class: 'id', dx: 3 }, t);
        id.textContent = ' %' + show.id;
      }
      top += LABEL_H;
    });
    for (const s of [...type, ...value]) {
      part.lines.append(' ');
      svg('text', { class: 'type', x: x + w / 2, y: top + 11, 'text-anchor': 'middle' }, part.lines).textContent = s;
      top += TYPE_H;
    }
  },

  showEdge(part, now, line) {
    const boxOf = (node, box) => box || (node ? this.view.slots[node - 1].box : 0);
    const from = boxOf(line.from, line.fromBox), to = boxOf(line.to, line.toBox);
    const hidden = now.version < 0 || boxesAround(this.view, from).some(k => this.inside.has(k) && boxesAround(this.view, to).includes(k));
    const name = `edge kind-${line.kind}${now.mark ? ' ' + now.mark : ''}${hidden ? ' off' : ''}${part.near ? ' near' : ''}`;
    if (part.name === name) return;
    part.name = name;
    part.g.setAttribute('class', name);
  },

  showBox(part, now, i, focus) {
    const { show, mark } = now, box = this.view.frames[i];
    const off = !show || this.hides(box.box);
    const shut = show && (show.closed || this.isClosed(i));
    const name = ` kind-${box.kind}${mark ? ' ' + mark : ''}${off ? ' off' : ''}${shut ? ' shut' : ''}`;
    part.frame.setAttribute('class', 'box' + name);
    part.g.setAttribute('class', 'tab' + name + (show && focus.has(show.id) ? ' redex' : '') + (part.picked ? ' picked' : ''));
    if (!show) return;
    const id = show.id ? ' %' + show.id : '', times = show.repeat > 1 ? ' \u00d7' + show.repeat : '';
    part.words.replaceChildren();
    part.words.append((shut ? '\u25b8 ' : '\u25be ') + show.label);
    svg('tspan', { class: 'id', dx: 5 }, part.words).textContent = id + times;
    const width = Math.min(part.at[2], 30 + show.label.length * 8.3 + (id + times).length * 6.3 + (show.more && !shut ? show.more.length * 6.2 + 8 : 0));
    if (show.more) svg('tspan', { class: 'more', dx: 8 }, part.words).textContent = show.more;
    part.plate.setAttribute('width', width);
    part.halo.setAttribute('width', width + 8);
    const inner = !shut ? 0 : this.frame.nodes.filter((n, k) => n.show && boxesAround(this.view, this.view.slots[k].box).includes(i + 1)).length;
    part.note.textContent = inner ? `closed: ${inner} nodes` : '';
    for (const e of part.badge.parentNode.children) e.setAttribute(e.tagName === 'circle' ? 'cx' : 'x', part.at[0] + width - 2);
    part.badge.textContent = glyphs[mark] ?? '';
    part.g.setAttribute('aria-expanded', String(!shut));
    part.g.setAttribute('aria-label', `${show.label}${id}${times} ${show.more}${mark ? ', ' + mark : ''}`);
  },

  /* ---- closing ---- */
  isClosed(i) { return (this.closed.get(this.view) ?? new Set()).has(i); },
  setClosed(i, shut) {
    if (!this.closed.has(this.view)) this.closed.set(this.view, new Set());
    this.closed.get(this.view)[shut ? 'add' : 'delete'](i);
  },
  openAround(box) { for (const k of boxesAround(this.view, box)) this.setClosed(k - 1, false); },

  pick(place) {
    for (const list of [this.parts.nodes, this.parts.boxes])
      for (const part of list)
        if (part?.picked) { part.picked = false; part.g.classList.remove('picked'); part.g.setAttribute('tabindex', -1); }
    this.parts.edges.forEach(p => { if (p?.near) { p.near = false; p.name = null; p.g.classList.remove('near'); } });
    const part = place && this.partAt(place);
    if (!part) return;
    part.picked = true;
    part.g.classList.add('picked');
    part.g.setAttribute('tabindex', 0);
    this.near(place);
  },
  partAt(place) { return this.parts[place.kind === 'node' ? 'nodes' : 'boxes'][place.slot]; },

  /* Edges at the picked node stand out. */
  near(place) {
    this.parts.edges.forEach((part, i) => {
      if (!part) return;
      const e = this.view.lines[i], k = place.slot + 1;
      const at = place.kind === 'node' ? e.from === k || e.to === k : e.fromBox === k || e.toBox === k;
      part.near = at;
      part.g.classList.toggle('near', at);
    });
  },

  /* ---- the window on the sheet ---- */
  box: null, /* measuring would lay out the page in the middle of a step */
  size() {
    if (!this.box) { const r = this.root.getBoundingClientRect(); this.box = [r.width || 800, r.height || 600]; }
    return this.box;
  },
  place(smooth) {
    this.sheet.classList.toggle('smooth', !!smooth);
    this.sheet.style.transform = `translate(${this.x}px,${this.y}px) scale(${this.scale})`;
    this.window();
  },
  extent() {
    const out = [Infinity, Infinity, -Infinity, -Infinity];
    const take = part => {
      const [x, y, w, h] = part.at;
      out[0] = Math.min(out[0], x); out[1] = Math.min(out[1], y);
      out[2] = Math.max(out[2], x + w); out[3] = Math.max(out[3], y + h);
    };
    return { out, take };
  },
  fit() { const { width, height } = this.view.layout; this.zoomTo([0, 0, width, height], 1.1, true); },
  zoomTo([x0, y0, x1, y1], most, smooth) {
    const [w, h] = this.size(), pad = 28;
    this.scale = Math.min(most, (w - 2 * pad) / (x1 - x0), (h - 2 * pad) / (y1 - y0));
    this.x = (w - (x0 + x1) * this.scale) / 2;
    this.y = (h - (y0 + y1) * this.scale) / 2;
    this.place(smooth);
  },
  /* A readable first view: everything if it can be read, else the top. */
  start() {
    const { width, height } = this.view.layout, [w, h] = this.size();
    const all = Math.min((w - 40) / width, (h - 40) / height, 1.1);
    this.scale = Math.max(all, 0.55);
    this.x = (w - width * this.scale) / 2;
    this.y = all >= 0.55 ? (h - height * this.scale) / 2 : 20;
    this.place(false);
  },
  /* Brings an area into view, moving no more than needed. */
  reveal([x0, y0, x1, y1], smooth) {
    const [w, h] = this.size(), pad = Math.min(90, w / 8, h / 8);
    if ((x1 - x0) * this.scale > w - 2 * pad || (y1 - y0) * this.scale > h - 2 * pad)
      return this.zoomTo([x0, y0, x1, y1], this.scale, smooth);
    const left = x0 * this.scale + this.x, right = x1 * this.scale + this.x;
    const top = y0 * this.scale + this.y, bottom = y1 * this.scale + this.y;
    this.x += left < pad ? pad - left : right > w - pad ? w - pad - right : 0;
    this.y += top < pad ? pad - top : bottom > h - pad ? h - pad - bottom : 0;
    this.place(smooth);
  },
  /* Goes to a change: all of it if that can be read, else what the rule put there. */
  follow(smooth) {
    const all = this.changeArea(), [w, h] = this.size();
    if (!all) return;
    const fits = Math.min((w - 92) / (all[2] - all[0]), (h - 92) / (all[3] - all[1]));
    if (this.scale < 0.45) this.scale = Math.min(0.8, Math.max(fits, 0.55));
    if (fits >= 0.45) return this.reveal(all, smooth);
    const [x0, y0, x1, y1] = this.changeArea(true) ?? all;
    this.scale = Math.max(this.scale, 0.55);
    this.reveal([(x0 + x1) / 2 - 60, (y0 + y1) / 2 - 60, (x0 + x1) / 2 + 60, (y0 + y1) / 2 + 60], smooth);
  },
  /* Where the step is: what it marks and what it rewrites; or the latter only. */
  changeArea(core) {
    const { out, take } = this.extent();
    this.parts.nodes.forEach(p => p && !p.g.classList.contains('off') && (!core && p.mark || p.g.classList.contains('redex')) && take(p));
    if (out[0] === Infinity)
      this.parts.boxes.forEach(p => p && /added|removed|redex/.test(p.g.getAttribute('class')) && take(p));
    return out[0] === Infinity ? null : out;
  },
  zoomBy(k, cx, cy) {
    const [w, h] = this.size(), x = cx ?? w / 2, y = cy ?? h / 2, to = Math.min(3, Math.max(0.05, this.scale * k));
    this.x = x - (x - this.x) * (to / this.scale);
    this.y = y - (y - this.y) * (to / this.scale);
    this.scale = to;
    this.place(cx === undefined);
  },

  /* ---- the overview ---- */
  drawMap() {
    const { width, height } = this.view.layout;
    this.map.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.map.replaceChildren();
    this.dots = this.parts.nodes.map(p => p && svg('rect', { x: p.at[0], y: p.at[1], width: p.at[2], height: p.at[3] }, this.map));
    this.glass = svg('rect', { class: 'glass' }, this.map);
  },
  marks() {
    this.parts.nodes.forEach((p, i) => p && this.dots[i].setAttribute('class', p.g.classList.contains('off') ? 'off' : 'dot ' + (this.frame.nodes[i].mark || '')));
  },
  window() {
    const [w, h] = this.size(), s = this.scale, { width, height } = this.view.layout;
    const all = w / s >= width && h / s >= height && this.x >= 0 && this.y >= 0;
    this.map.classList.toggle('idle', all);
    for (const [k, v] of Object.entries({ x: -this.x / s, y: -this.y / s, width: w / s, height: h / s })) this.glass.setAttribute(k, v);
  },
};

function arrow([x, y], [tx, ty]) {
  const dx = tx - x, dy = ty - y, n = Math.hypot(dx, dy) || 1, k = Math.min(n, 9), ux = dx / n, uy = dy / n;
  const bx = tx - ux * k, by = ty - uy * k;
  return `M${tx} ${ty}L${bx - uy * 4} ${by + ux * 4}L${bx + uy * 4} ${by - ux * 4}Z`;
}

function endText(g, s, [x, y], [px, py]) {
  const n = Math.hypot(px - x, py - y) || 1, k = Math.min(14, n / 2);
  svg('text', { class: 'end', x: x + (px - x) / n * k + 5, y: y + (py - y) / n * k + 3 }, g).textContent = s;
}

function nodeName(show, mark) {
  return `${show.label}${show.id ? ' %' + show.id : ''} ${show.type}${show.value ? ' = ' + show.value : ''}${show.role !== 'none' ? ', ' + show.role : ''}${mark ? ', ' + mark : ''}`;
}

/* Panning by hand. */
{
  let from = null;
  const stage = graph.root;
  stage.addEventListener('pointerdown', e => {
    if (e.button === 0 && !e.target.closest('.node,.tab')) { from = [e.clientX - graph.x, e.clientY - graph.y, e.clientX, e.clientY]; stage.setPointerCapture(e.pointerId); }
  });
  stage.addEventListener('pointermove', e => {
    if (!from) return;
    graph.x = e.clientX - from[0];
    graph.y = e.clientY - from[1];
    graph.place(false);
  });
  stage.addEventListener('pointerup', e => {
    if (from && Math.hypot(e.clientX - from[2], e.clientY - from[3]) < 4) graph.onpick(null);
    from = null;
  });
  stage.addEventListener('wheel', e => {
    e.preventDefault();
    const r = stage.getBoundingClientRect();
    if (e.ctrlKey || e.metaKey) graph.zoomBy(Math.exp(-e.deltaY / 200), e.clientX - r.left, e.clientY - r.top);
    else { graph.x -= e.shiftKey ? e.deltaY : e.deltaX; graph.y -= e.shiftKey ? 0 : e.deltaY; graph.place(false); }
  }, { passive: false });
  graph.map.addEventListener('pointerdown', e => {
    const r = graph.map.getBoundingClientRect(), { width, height } = graph.view.layout, [w, h] = graph.size();
    const k = Math.max(width / r.width, height / r.height);
    graph.x = w / 2 - ((e.clientX - r.left - r.width / 2) * k + width / 2) * graph.scale;
    graph.y = h / 2 - ((e.clientY - r.top - r.height / 2) * k + height / 2) * graph.scale;
    graph.place(true);
  });
}
