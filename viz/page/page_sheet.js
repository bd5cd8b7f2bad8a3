/* The sheet of a view: every slot is drawn once, in each of its versions, where the layout has it.
   A step only changes classes and visibility, so it needs no layout; what is off stays laid out. */

const SVG = 'http://www.w3.org/2000/svg';
const glyphs = { added: '+', removed: '\u2212', changed: '~' };
const strokes = { added: 'M-4 0H4M0-4V4', removed: 'M-4 0H4', changed: 'M-4.2 1.2C-3-2-1.2-1.8 0 0S3 2 4.2-1.2' };
const pills = new Set(['input', 'shared', 'param', 'state', 'sequence', 'capture']);
const WRAP = 34, WRAP_TYPE = 44, LABEL_H = 17.5, TYPE_H = 14.5, TAB_H = 21;
const AT_ONCE = 70; /* parts that change in one frame */

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

function nodeName(show, mark) {
  return `${show.label}${show.id ? ' %' + show.id : ''} ${show.type}${show.value ? ' = ' + show.value : ''}${show.role !== 'none' ? ', ' + show.role : ''}${mark ? ', ' + mark : ''}`;
}

const looks = show => `node op-${show.cls} role-${show.role}`;

class Sheet {
  constructor(view, parent) {
    const { width, height } = view.layout;
    this.view = view;
    this.shut = view.base.shut ??= new Set(); /* slots of boxes that the reader closed, at all stops */
    this.frame = null;
    this.root = svg('svg', { class: 'sheet away', 'aria-hidden': 'true', width, height, viewBox: `0 0 ${width} ${height}`, role: 'group' }, parent);
    const layers = Object.fromEntries(['frames', 'folds', 'edges', 'nodes', 'tabs'].map(name => [name, svg('g', { class: name }, this.root)]));
    this.layers = layers;
    this.boxes = new Array(view.frames.length).fill(null);
    this.edges = new Array(view.lines.length).fill(null);
    this.nodes = new Array(view.slots.length).fill(null);
    this.work = this.draw();
    this.done = !!view.fold; /* of what is folded little is ever shown: it is drawn when it is */
    this.folds = view.fold?.frames.map((f, i) => this.drawFold(f, i)) ?? [];
  }

  /* Draws on until `late` says so; all of it without. */
  build(late) {
    while (!this.done && !late?.()) this.done = this.work.next().done;
    return this.done;
  }
  * draw() {
    for (let i = 0; i < this.boxes.length; i++) { this.boxAt(i); yield; }
    for (let i = 0; i < this.edges.length; i++) { this.edgeAt(i); yield; }
    for (const i of this.readingOrder()) { this.nodeAt(i); yield; }
  }
  /* The slots of what is drawn, as one reads: from above to below, from the left to the right. */
  readingOrder() {
    const { nodes } = this.view.layout, list = [...nodes.keys()].filter(i => nodes[i]);
    return list.sort((a, b) => nodes[a][1] - nodes[b][1] || nodes[a][0] - nodes[b][0]);
  }
  nodeAt(i) { return this.nodes[i] ??= this.drawNode(this.view.slots[i], i, this.layers.nodes); }
  boxAt(i) { return this.boxes[i] ??= this.drawBox(this.view.frames[i], i, this.layers.frames, this.layers.tabs); }
  edgeAt(i) { return this.edges[i] ??= this.drawEdge(this.view.lines[i], i, this.layers.edges); }

  /* ---- drawing ---- */

  drawNode(slot, i, layer) {
    const at = this.view.layout.nodes[i];
    if (!at) return null;
    const [x, y, w, h] = at, g = svg('g', { class: looks(slot.shows[0]) + ' off', role: 'button', tabindex: -1, 'data-slot': i, 'data-in': slot.box, 'aria-hidden': 'true' }, layer);
    const has = role => slot.shows.some(s => s.role === role), r = pills.has(slot.shows[0].role) ? Math.min(h / 2, 16) : 6;
    if (has('sequence')) svg('rect', { class: 'card', x: x + 4, y: y + 4, width: w, height: h, rx: r }, g);
    svg('rect', { class: 'halo', x: x - 5, y: y - 5, width: w + 10, height: h + 10, rx: r + 5 }, g);
    svg('rect', { class: 'shape', x, y, width: w, height: h, rx: r }, g);
    if (has('shared') || has('output'))
      svg('rect', { class: 'inner', x: x + 3.5, y: y + 3.5, width: w - 7, height: h - 7, rx: Math.max(r - 3.5, 2) }, g);
    const words = slot.shows.map(s => this.drawWords(at, s, g));
    return { g, words, at, hidden: true, label: '', looks: looks(slot.shows[0]), name: looks(slot.shows[0]) + ' off', version: 0, written: -1, badge: null, spot: [x + w - 3, y + 3] };
  }

  drawWords([x, y, w, h], show, parent) {
    const label = wrap(show.label, WRAP, 3), type = wrap(show.type, WRAP_TYPE, 2);
    const value = show.value ? wrap('= ' + show.value, WRAP_TYPE, 2) : [];
    const g = svg('g', { class: 'words old' }, parent);
    let top = y + (h - label.length * LABEL_H - (type.length + value.length) * TYPE_H) / 2;
    label.forEach((s, k) => {
      const t = svg('text', { class: 'label', x: x + w / 2, y: top + 13.5 }, g);
      t.textContent = apart(s);
      if (show.id && k === label.length - 1) svg('tspan', { class: 'id', dx: 3 }, t).textContent = ' %' + show.id;
      top += LABEL_H;
    });
    const from = top;
    for (const s of [...type, ...value]) {
      g.append(' ');
      svg('text', { class: 'type', x: x + w / 2, y: top + 11 }, g).textContent = s;
      top += TYPE_H;
    }
    /* what can be shown in place of the type: as much of the value as there is room for */
    const worth = show.value ? '' : show.id ? nodeFacts(show.id)?.value ?? '' : '', room = Math.floor((w - 16) / 6.7);
    if (worth) svg('text', { class: 'worth', x: x + w / 2, y: from + 11 }, g).textContent = worth.length > room ? worth.slice(0, room - 1) + '\u2026' : worth;
    if (worth) g.classList.add('known');
    return g;
  }

  drawBox(box, i, frames, tabs) {
    const at = this.view.layout.boxes[i];
    if (!at) return null;
    const [x, y, w, h] = at, kind = ' off kind-' + box.shows[0].kind;
    const frame = svg('g', { class: 'box' + kind }, frames);
    svg('rect', { class: 'shape', x, y, width: w, height: h, rx: 9 }, frame);
    const g = svg('g', { class: 'tab' + kind, role: 'button', tabindex: -1, 'data-box': i, 'data-in': box.box, 'aria-hidden': 'true' }, tabs);
    svg('rect', { class: 'cover', x: x + 1, y: y + 1, width: w - 2, height: h - 2, rx: 8 }, g);
    const halo = svg('rect', { class: 'halo', x: x - 4, y: y - 4, height: TAB_H + 8, rx: 9 }, g);
    const plate = svg('rect', { class: 'plate', x, y, height: TAB_H, rx: 9 }, g);
    const words = svg('text', { x: x + 10, y: y + 15 }, g);
    const low = !!this.view.fold?.closed[i], note = svg('text', { class: low ? 'note low' : 'note', x: x + w / 2, y: low ? y + 46 : y + h / 2 + 4 }, g);
    return { g, frame, halo, plate, words, note, at, kind: box.shows[0].kind, hidden: true, label: '', name: '', badge: null, spot: [x, y + 2], version: 0, written: -1 };
  }

  drawEdge(line, i, layer) {
    const ways = this.waysOf(i);
    if (!ways.length) return null;
    const g = svg('g', { class: 'edge off kind-' + line.kind, 'aria-hidden': 'true' }, layer);
    const part = { g, at: null, hidden: true, name: '', near: false, form: 7, line, slot: i };
    this.drawWays(part, ways);
    return part;
  }
  /* The ways of an edge: one, or, where it is cut at frames, those of its parts that `form` names: 1 inside the
     frame that it leaves, 2 between, 4 inside the one that it enters. */
  waysOf(i, form = 7) {
    const { fold, layout } = this.view;
    if (!fold) return [layout.edges[i]].filter(Boolean);
    const k = fold.paths[i];
    if (k < 0) return [];
    return [form & 1 && fold.tails[k], form & 2 && layout.edges[k], form & 4 && fold.heads[k]].filter(w => w?.length);
  }
  drawWays(part, ways) {
    const { line, g } = part, all = [];
    let d = '', tip = null, from = null, last = null, first = null;
    for (const flat of ways) {
      const p = [];
      for (let k = 0; k < flat.length; k += 2) p.push([flat[k], flat[k + 1]]);
      const tipped = p.length % 3 === 2 || p.length === 3, body = tipped && p.length > 2 ? p.slice(0, -1) : p;
      d += 'M' + body[0];
      if (body.length > 2) for (let k = 1; k + 2 < body.length; k += 3) d += 'C' + body.slice(k, k + 3).join(' ');
      else if (body.length > 1) d += 'L' + body[1];
      tip = tipped ? p[p.length - 1] : null;
      from = p.length > 2 ? body[body.length - 1] : body[0];
      first ??= body;
      last = [tip ?? body[body.length - 1], body[body.length - 2] ?? body[0]];
      all.push(...p);
    }
    g.replaceChildren();
    part.shape = null; /* it is written anew (page_shapes.js) */
    svg('path', { class: 'line', d }, g);
    if (line.kind === 'sequence') svg('path', { class: 'core', d }, g);
    if (tip) svg('path', { class: 'tip', d: arrow(from, tip) }, g);
    this.covered ??= new Covered([...this.view.layout.nodes.filter(Boolean), ...this.view.layout.boxes.filter(Boolean).map(([left, top, wide]) => [left, top, Math.min(wide, 90), TAB_H])]);
    if (line.head) endText(g, line.head, ...last, this.covered);
    if (line.tail) endText(g, line.tail, first[0], first[1] ?? first[0], this.covered);
    const xs = all.map(q => q[0]), ys = all.map(q => q[1]), x = Math.min(...xs), y = Math.min(...ys);
    part.at = [x, y, Math.max(...xs) - x, Math.max(...ys) - y];
  }

  /* The frame of what repeats: a stack of cards, of which one is turned up, or, unfolded, all of them. */
  drawFold({ group, part, at: [x, y, w, h], cards }, i) {
    const g = svg('g', { class: 'fold off' }, this.layers.folds), n = this.view.fold.turns[group];
    const tab = svg('g', { class: 'turning off' }, this.layers.tabs), wide = cards ? 40 : 96 + 9 * `${n} of ${n}`.length;
    const card = (name, [left, top, width, height]) => svg('rect', { class: name, x: left, y: top, width, height, rx: 9 }, g);
    if (!cards) for (const k of [8, 4]) card('card', [x + k, y + k, w, h]);
    card('shape', [x, y, w, h]);
    for (const c of cards ?? []) {
      card('card', c.at);
      svg('text', { class: 'turn', x: c.at[0] + 10, y: c.at[1] + 15 }, g).textContent = `${c.turn + 1} of ${n}`;
    }
    svg('rect', { class: 'plate', x, y, width: Math.min(w, wide + 82), height: TAB_H, rx: 9 }, tab);
    const button = (left, words, label, what) => {
      const b = svg('g', { class: 'turner', role: 'button', tabindex: -1, 'aria-label': label, ...what }, tab);
      svg('rect', { class: 'press', x: x + left, y, width: 26, height: TAB_H, rx: 9 }, b);
      svg('text', { x: x + left + 13, y: y + 15.5 }, b).textContent = words;
    };
    const unfold = { 'data-key': frameKey(i), 'aria-expanded': String(!!cards) };
    if (cards) button(0, '\u25be', `fold ${n} turns`, unfold);
    else {
      button(0, '\u2039', 'the turn before', { 'data-group': group, 'data-by': -1 });
      button(wide - 26, '\u203a', 'the next turn', { 'data-group': group, 'data-by': 1 });
      button(wide + 46, '\u25b8', `unfold ${n} turns here`, unfold);
    }
    const words = svg('text', { class: 'count', x: x + 26 + (wide - 52) / 2, y: y + 15 }, tab);
    svg('text', { class: 'times', x: x + (cards ? 30 : wide + 4), y: y + 15 }, tab).textContent = '\u00d7' + n;
    return { g, tab, words, group, part, cards, at: [x, y, w, h], off: true, name: null };
  }

  /* The sign of a mark, made when it is first needed; what only moved has none. */
  sign(part, mark) {
    if (!strokes[mark]) return;
    if (!part.badge) {
      part.badge = svg('g', { class: 'badge' }, part.g);
      svg('circle', { r: 8 }, part.badge);
      part.stroke = svg('path', {}, part.badge);
    }
    part.badge.setAttribute('transform', `translate(${part.spot})`);
    part.stroke.setAttribute('d', strokes[mark]);
  }

  /* ---- showing a step ---- */

  /* First what each part is to be, then, when it is known what the window shows, the changes. */
  plan(frame, focus) {
    const { frames, slots, lines } = this.view;
    this.frame = frame;
    this.todo = new Set();
    /* 1: stands in a closed box */
    const hides = new Uint8Array(frames.length + 1);
    frames.forEach((b, i) => { hides[i + 1] = this.shut.has(i) || hides[b.box] ? 1 : 0; });
    const { fold } = this.view;
    const gone = (stands, i) => fold && stands.group[i] >= 0 && stands.turn[i] !== fold.at[stands.group[i]];
    const { only } = frame, far = (list, i) => only && !only[list].has(i);
    const away = { nodes: slots.map((s, i) => hides[s.box] || gone(fold?.nodes, i) || far('nodes', i)), boxes: frames.map((b, i) => hides[b.box] || gone(fold?.boxes, i) || far('boxes', i)) };
    slots.forEach((_, i) => {
      const part = this.nodes[i] ?? (frame.nodes[i].show && !away.nodes[i] ? this.nodeAt(i) : null);
      if (part) this.planNode(part, frame.nodes[i], away.nodes[i], focus);
    });
    frames.forEach((_, i) => {
      const part = this.boxes[i] ?? (frame.boxes[i].show && !away.boxes[i] ? this.boxAt(i) : null);
      if (part) this.planBox(part, frame.boxes[i], i, away.boxes[i], focus);
    });
    const forms = fold ? this.formsOf(frame, gone) : null;
    lines.forEach((line, i) => {
      const part = this.edges[i] ?? (forms?.[i] ? this.edgeAt(i) : null);
      if (part) this.planEdge(part, frame.edges[i], line, hides, forms ? forms[i] : 7);
    });
    if (fold) this.planFolds(frame, focus);
    this.setEntry();
  }

  /* The one part that Tab leads to: what is picked, else what the step rewrites, else the first. */
  setEntry() {
    const drawn = [...this.nodes, ...this.boxes].filter(p => p && !p.off);
    const entry = this.picked ?? drawn.find(p => p.redex) ?? drawn[0] ?? null;
    if (entry === this.entry) return;
    this.entry?.g.setAttribute('tabindex', -1);
    entry?.g.setAttribute('tabindex', 0);
    this.entry = entry;
  }
  leave() {
    this.pick(null);
    this.entry?.g.setAttribute('tabindex', -1);
    this.entry = null;
    for (const part of this.folds) { this.reach(part, false); part.name = null; }
  }
  /* Whether Tab leads to the buttons of a frame. */
  reach(part, on) { for (const b of part.tab.querySelectorAll('.turner')) b.setAttribute('tabindex', on ? 0 : -1); }

  planNode(part, { version, show, mark }, hidden, focus) {
    part.off = !show || !!hidden;
    part.mark = mark;
    part.show = show;
    part.redex = !!show && show.id !== 0 && focus.has(show.id);
    part.found = !!show && !!focus.found?.has(show.id);
    if (show) {
      /* what is off keeps its looks: taking them away would cost its children a new style */
      part.version = version;
      part.looks = looks(show) + shading.classOf(show);
    }
    part.next = `${part.looks}${mark ? ' ' + mark : ''}${part.off ? ' off' : ''}${part.redex ? ' redex' : ''}${part.found ? ' found' : ''}${part.picked ? ' picked' : ''}`;
    if (part.next !== part.name || part.version !== part.written) this.todo.add(part);
  }

  /* Which parts of each edge are drawn: what is inside a frame only of the turn that is shown, what is between
     frames once for all turns. 0: nothing; 7: all of it. */
  formsOf(frame, gone) {
    const { fold, lines, layout } = this.view, forms = new Uint8Array(lines.length), carriers = new Map();
    lines.forEach((e, i) => {
      const { version, mark } = frame.edges[i], k = fold.paths[i];
      if (version < 0 || k < 0) return;
      const from = !(e.fromBox ? gone(fold.boxes, e.fromBox - 1) : gone(fold.nodes, e.from - 1));
      const to = !(e.toBox ? gone(fold.boxes, e.toBox - 1) : gone(fold.nodes, e.to - 1));
      if (!fold.tails[k].length && !fold.heads[k].length && (fold.mine?.has(k) || this.isWithin(e))) { forms[i] = from && to ? 7 : 0; return; }
      forms[i] = (from && fold.tails[k].length ? 1 : 0) | (to && fold.heads[k].length ? 4 : 0);
      const rank = 4 * (from + to) + (mark ? 1 : 0), best = carriers.get(k);
      if (layout.edges[k] && (!best || rank > best[1])) carriers.set(k, [i, rank]);
    });
    for (const [i] of carriers.values()) forms[i] |= 2;
    return forms;
  }
  /* Are both ends in one frame? */
  isWithin(e) {
    const { nodes, boxes } = this.view.fold, of = (node, box) => box ? [boxes.group[box - 1], boxes.part[box - 1]] : [nodes.group[node - 1], nodes.part[node - 1]];
    const [g, p] = of(e.from, e.fromBox), [h, q] = of(e.to, e.toBox);
    return g >= 0 && g === h && p === q;
  }

  planFolds(frame, focus) {
    const { fold } = this.view, turns = turnsIn(this.view, frame, focus);
    for (const part of this.folds) {
      const { shown, changed } = turns[part.group], k = fold.at[part.group];
      const off = !part.cards && (!shown.some(n => n) || k < 0) || !this.isSeen(part);
      const words = part.cards ? '' : `${k + 1} of ${fold.turns[part.group]}`, more = changed.size > 1 ? `${changed.size} turns change` : '';
      const name = `${off ? ' off' : ''}${changed.size ? ' marked' : ''}`;
      part.off = off;
      if (part.name !== name) {
        part.g.setAttribute('class', 'fold' + name);
        part.tab.setAttribute('class', 'turning' + name);
        this.reach(part, !off);
        part.name = name;
      }
      if (part.said !== words + more) {
        part.words.textContent = words;
        part.tab.setAttribute('aria-label', more);
        part.said = words + more;
      }
    }
  }
  /* Does the turn that is up show anything in this frame? */
  isSeen({ group, part }) {
    const { nodes } = this.view.fold.stands ?? this.view.fold;
    return this.nodes.some((p, i) => p && !p.off && nodes.group[i] === group && nodes.part[i] === part);
  }

  planEdge(part, now, line, hides, form) {
    const { frames, slots } = this.view;
    const boxOf = (node, box) => box || (node ? slots[node - 1].box : 0);
    const from = boxOf(line.from, line.fromBox), to = boxOf(line.to, line.toBox);
    const { only } = this.frame, there = (node, box) => box ? only.boxes.has(box - 1) : only.nodes.has(node - 1);
    part.off = now.version < 0 || !form || !!only && !(there(line.from, line.fromBox) && there(line.to, line.toBox));
    part.nextForm = form;
    part.near = this.isNear(line);
    if (!part.off && hides[from] && hides[to])
      for (const k of frames[from - 1].around) part.off ||= this.shut.has(k - 1) && frames[to - 1].around.includes(k);
    part.mark = now.mark;
    part.next = `edge kind-${line.kind}${now.mark ? ' ' + now.mark : ''}${part.off ? ' off' : ''}${part.near ? ' near' : ''}`;
    if (part.next !== part.name || this.view.fold && !part.off && part.form !== form) this.todo.add(part);
  }

  planBox(part, { show, mark, version }, i, hidden, focus) {
    part.off = !show || !!hidden;
    if (this.view.fold?.closed[i] && show && !mark && this.changesIn(i + 1)) mark = 'changed';
    part.mark = mark;
    part.show = show;
    part.shut = !!show && (show.closed || this.shut.has(i) || !!this.view.fold?.closed[i]);
    part.redex = !!show && show.id !== 0 && focus.has(show.id);
    part.found = !!show && !!focus.found?.has(show.id);
    if (show) part.version = version;
    part.kind = show?.kind ?? part.kind;
    part.frameClass = ` kind-${part.kind}${mark ? ' ' + mark : ''}${part.off ? ' off' : ''}${part.shut ? ' shut' : ''}`;
    part.next = part.frameClass + (part.redex ? ' redex' : '') + (part.found ? ' found' : '') + (part.picked ? ' picked' : '');
    const inside = part.shut && (this.shut.has(i) || this.view.fold?.closed[i]) && !part.off ? `closed: ${plural(this.countIn(i + 1), 'node')}` : '';
    if (part.next === part.name && part.version === part.written && inside === part.inside) return;
    part.inside = inside;
    this.todo.add(part);
  }

  /* Changes first what stands in one of these areas, nodes before edges; what is too much for one
     frame in the next ones. */
  apply(areas) {
    const seen = ([x, y, w, h]) => areas.some(a => x < a[2] && x + w > a[0] && y < a[3] && y + h > a[1]);
    if (this.todo.size > AT_ONCE) {
      const rank = part => (seen(part.at) ? 0 : 2) + (part.label === undefined ? 1 : 0);
      const ranks = [[], [], [], []];
      for (const part of this.todo) ranks[rank(part)].push(part);
      this.todo = new Set(ranks.flat());
    }
    this.applySome();
  }
  applyAll() { for (const part of this.todo) this.change(part); }
  applySome() {
    const place = this.root.parentNode;
    if (!place) return; // another picture was shown while this one waited for its frame
    let n = AT_ONCE;
    for (const part of this.todo) if (n-- > 0) this.change(part); else break;
    place.toggleAttribute('data-busy', this.todo.size > 0);
    if (this.todo.size) this.pending ??= requestAnimationFrame(() => { this.pending = null; this.applySome(); });
  }

  change(part) {
    this.todo.delete(part);
    if (part.line && !part.off && this.view.fold && part.form !== part.nextForm) {
      part.form = part.nextForm;
      this.drawWays(part, this.waysOf(part.slot, part.form));
    }
    if (part.name !== part.next) {
      part.g.setAttribute('class', (part.frame ? 'tab' : '') + part.next);
      if (part.hidden !== part.off) {
        part.hidden = part.off;
        if (part.off) part.g.setAttribute('aria-hidden', 'true');
        else part.g.removeAttribute('aria-hidden');
      }
      part.name = part.next;
      if (part.frame) part.frame.setAttribute('class', 'box' + part.frameClass);
    }
    if (!part.show) return;
    if (part.frame) this.changeTab(part);
    else this.changeWords(part);
    if (part.shown !== part.mark) this.sign(part, part.shown = part.mark);
  }

  name(part, label) {
    if (part.label === label) return;
    part.g.setAttribute('aria-label', part.label = label);
    part.g.setAttribute('data-id', part.show.id);
  }

  changeWords(part) {
    if (part.written !== part.version) {
      part.words[part.written]?.classList.add('old');
      part.words[part.version].classList.remove('old');
      part.written = part.version;
    }
    const label = nodeName(part.show, part.mark);
    this.name(part, label);
  }

  changeTab(part) {
    const { show, mark } = part;
    if (part.written !== part.version || part.wasShut !== part.shut) {
      this.writeTab(part, show, part.shut);
      part.shown = null;
    }
    part.written = part.version;
    part.wasShut = part.shut;
    part.note.textContent = part.inside;
    const label = `${show.label}${show.id ? ' %' + show.id : ''}${show.repeat > 1 ? ' \u00d7' + show.repeat : ''} ${show.more}${mark ? ', ' + mark : ''}`;
    this.name(part, label);
  }

  writeTab(part, show, shut) {
    const id = show.id ? ' %' + show.id : '', times = show.repeat > 1 ? ' \u00d7' + show.repeat : '';
    part.words.replaceChildren((shut ? '\u25b8 ' : '\u25be ') + apart(show.label));
    svg('tspan', { class: 'id', dx: 5 }, part.words).textContent = id + times;
    if (show.more && !shut) svg('tspan', { class: 'more', dx: 8 }, part.words).textContent = show.more;
    const width = Math.min(part.at[2], 30 + show.label.length * 8.3 + (id + times).length * 6.3 + (show.more && !shut ? show.more.length * 6.2 + 8 : 0));
    part.plate.setAttribute('width', width);
    part.halo.setAttribute('width', width + 8);
    part.spot = [part.at[0] + width - 2, part.at[1] + 2];
    part.g.setAttribute('aria-expanded', String(!shut));
  }

  /* Does the step change anything in a box? */
  changesIn(box) {
    const { slots, frames } = this.view;
    return this.frame.nodes.some((x, k) => x.mark in this.frame.marks && slots[k].box && frames[slots[k].box - 1].around.includes(box));
  }
  /* Nodes that are shown in a box, at any depth. */
  countIn(box) {
    const { slots, frames } = this.view;
    return this.frame.nodes.reduce((n, x, k) => n + (x.show && slots[k].box && frames[slots[k].box - 1].around.includes(box) ? 1 : 0), 0);
  }

  /* ---- closing, picking ---- */

  toggle(i) { this.shut[this.shut.has(i) ? 'delete' : 'add'](i); }
  openAround(box) { if (box) for (const k of this.view.frames[box - 1].around) this.shut.delete(k - 1); }
  partAt({ kind, slot }) { return kind === 'node' ? this.nodeAt(slot) : this.boxAt(slot); }

  /* The picked part, and the edges at it, stand out; shown at the next show(). */
  pick(place) {
    if (this.picked) this.picked.picked = false;
    this.picked = place ? this.partAt(place) : null;
    if (this.picked) this.picked.picked = true;
    this.place = place;
  }
  /* Does an edge end at what is picked? */
  isNear(e) {
    const { place } = this, k = place ? place.slot + 1 : -1;
    return place?.kind === 'node' ? e.from === k || e.to === k : !!place && (e.fromBox === k || e.toBox === k);
  }
}

function arrow([x, y], [tx, ty]) {
  const dx = tx - x, dy = ty - y, n = Math.hypot(dx, dy) || 1, k = Math.min(n, 9), ux = dx / n, uy = dy / n;
  const bx = tx - ux * k, by = ty - uy * k, f = v => Math.round(v * 10) / 10;
  return `M${tx} ${ty}L${f(bx - uy * 4)} ${f(by + ux * 4)}L${f(bx + uy * 4)} ${f(by - ux * 4)}Z`;
}

/* What of a sheet is covered, by cells: finds what lies on a rectangle without asking all. */
class Covered {
  constructor(rects) {
    this.cells = new Map();
    for (const r of rects) if (r) this.add(r);
  }
  add(r) { for (const k of this.keys(r)) { if (!this.cells.has(k)) this.cells.set(k, []); this.cells.get(k).push(r); } }
  * keys([x, y, w, h]) { for (let i = x >> 7; i <= x + w >> 7; i++) for (let j = y >> 7; j <= y + h >> 7; j++) yield i * 65536 + j; }
  has([x, y, w, h]) {
    for (const k of this.keys([x, y, w, h]))
      for (const [a, b, c, d] of this.cells.get(k) ?? []) if (x < a + c && a < x + w && y < b + d && b < y + h) return true;
    return false;
  }
}

/* The words at an end of an edge: beside it, where nothing else stands. */
function endText(g, s, [x, y], [px, py], covered) {
  const n = Math.hypot(px - x, py - y) || 1, ux = (px - x) / n, uy = (py - y) / n, w = s.length * 6.3;
  const places = [14, 8, 24, 34, 46, 60].flatMap(k => [5, -4 - w].map(side => [x + ux * k + side, y + uy * k + 3])), rect = ([a, b]) => [a, b - 8, w, 10];
  const at = places.find(p => !covered.has(rect(p))) ?? places[0];
  covered.add(rect(at));
  svg('text', { class: 'end', x: at[0], y: at[1] }, g).textContent = s;
}
