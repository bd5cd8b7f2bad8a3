/* Search, the outline of the graph as text, and the help of keys. */

const finder = {
  input: document.getElementById('find'), list: document.getElementById('hits'), hits: [], at: -1,
  frame: null, onplace: null, onstop: null,

  /* Nodes of this view (what is shown now first; closed bodies hide nothing), then steps by rule,
     then nodes of other passes. */
  search(query) {
    const q = query.trim().toLowerCase(), hits = [], steps = [], others = [];
    if (!q) return this.found();
    const fits = s => s.toLowerCase().includes(q), number = /^%?\d+$/.test(q) ? +q.replace('%', '') : 0;
    const matches = s => number ? s.id === number : fits(s.label) || fits(s.type ?? s.more) || fits(s.op ?? '');
    const here = this.frame.base, seen = new Set();
    const scan = (view, kind, slots, marks) => slots.forEach((s, slot) => {
      const shown = marks?.[slot].show, inside = s.box ? view.frames[s.box - 1].shows.at(-1).label : '';
      if (shown && matches(shown)) return hits.push({ kind, view, slot, show: shown, now: true, inside });
      for (const show of s.shows)
        if (show !== shown && matches(show) && !(view !== here && show.id && seen.has(show.id))) {
          if (show.id) seen.add(show.id);
          return (view === here ? hits : others).push({ kind, view, slot, show, now: false, inside });
        }
    });
    scan(here, 'node', here.slots, this.frame.nodes);
    scan(here, 'box', here.frames, this.frame.boxes);
    for (const h of hits) if (h.show.id) seen.add(h.show.id);
    for (const s of stops) {
      if (s.row && (s.row.number === q || fits(s.row.rule))) steps.push({ kind: 'step', stop: s.index, row: s.row });
      if (s.base === here || s.base.searched === query) continue;
      s.base.searched = query;
      scan(s.base, 'node', s.base.slots);
      scan(s.base, 'box', s.base.frames);
    }
    for (const s of stops) delete s.base.searched;
    hits.sort((a, b) => b.now - a.now);
    return [...hits, ...steps, ...others];
  },

  /* With nothing typed: what the pattern matches, each node once. */
  found() {
    const ids = new Set((data.found?.places ?? []).map(([id]) => id));
    return [...ids].flatMap(id => this.search('%' + id).filter(h => h.show?.id === id).slice(0, 1));
  },

  update() {
    const all = this.search(this.input.value);
    this.hits = all.slice(0, 60);
    this.at = this.hits.length ? 0 : -1;
    this.list.replaceChildren(...this.hits.map((h, i) => el('div', {
      role: 'option', id: 'hit' + i, class: 'hit' + (h.now === false ? ' elsewhere' : ''), onclick: () => this.choose(i),
    }, ...this.line(h))));
    if (this.input.value.trim() && !this.hits.length) this.list.append(el('div', { role: 'option', 'aria-disabled': 'true', class: 'none' }, 'nothing found'));
    if (all.length > this.hits.length)
      this.list.append(el('div', { role: 'option', 'aria-disabled': 'true', class: 'none' }, `and ${all.length - this.hits.length} more: type on`));
    this.list.hidden = !this.input.value.trim() && !this.hits.length;
    this.input.setAttribute('aria-expanded', String(!this.list.hidden));
    this.mark();
  },
  line(h) {
    if (h.kind === 'step') return [el('b', {}, 'step ' + h.row.number), ' ', h.row.rule, el('span', { class: 'muted' }, ' ' + passes[h.row.pass].name)];
    const where = (h.inside ? ' in ' + h.inside : '') + (h.now ? '' : ', in ' + passName(stops[stopShowing(h, now.stop)].pass));
    return [h.show.id ? el('b', {}, '%' + h.show.id + ' ') : '', h.show.label, el('code', {}, ' ' + (h.show.type ?? h.show.more)), el('span', { class: 'muted' }, where)];
  },
  mark() {
    [...this.list.children].forEach((e, i) => e.setAttribute('aria-selected', String(i === this.at)));
    if (this.at >= 0) {
      this.input.setAttribute('aria-activedescendant', 'hit' + this.at);
      this.list.children[this.at].scrollIntoView({ block: 'nearest' });
    } else this.input.removeAttribute('aria-activedescendant');
  },
  choose(i) {
    const h = this.hits[i];
    if (!h) return;
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    if (h.kind === 'step') this.onstop(h.stop);
    else this.onplace(h);
  },
  /* true: used */
  key(e) {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      if (this.hits.length) this.at = (this.at + (e.key === 'ArrowDown' ? 1 : -1) + this.hits.length) % this.hits.length;
      this.mark();
    } else if (e.key === 'Enter') {
      this.choose(this.at);
    } else if (e.key === 'Escape') {
      this.list.hidden = true;
      this.input.value = '';
      this.input.setAttribute('aria-expanded', 'false');
      this.input.blur();
    } else return false;
    return true;
  },
};

/* A stop near `from` at which a slot shows this version. */
function stopShowing(hit, from) {
  const all = stops.filter(s => s.base === hit.view);
  const list = hit.kind === 'node' ? 'nodes' : 'boxes', of = hit.kind === 'node' ? 'slots' : 'frames';
  const fits = s => { const v = s.base, k = v.at[s.after][list][hit.slot]; return k >= 0 && v[of][hit.slot].shows[k] === hit.show; };
  return all.filter(fits).sort((a, b) => Math.abs(a.index - from) - Math.abs(b.index - from))[0]?.index ?? from;
}

/* ---- outline ---- */

const outline = {
  root: document.getElementById('outline'), lines: document.getElementById('lines'), onpick: null,
  /* Not in the middle of a step: it may be long. */
  later(frame) {
    clearTimeout(this.timer);
    if (this.root.open) this.timer = setTimeout(() => this.show(frame), 60);
  },
  show(frame) {
    if (!this.root.open) return;
    const list = box => {
      const ul = el('ul', {});
      frame.boxes.forEach((b, i) => {
        if (!b.show || frame.view.frames[i].box !== box) return;
        ul.append(el('li', {}, this.button({ kind: 'box', slot: i }, `${glyphs[b.mark] ?? ''} ${b.show.label}${b.show.id ? ' %' + b.show.id : ''} ${b.show.more}`), list(i + 1)));
      });
      frame.nodes.forEach((n, i) => {
        if (!n.show || frame.view.slots[i].box !== box) return;
        const place = { kind: 'node', slot: i }, ins = neighbours(frame, place, 'in').map(p => placeLabel(frame, p));
        ul.append(el('li', { class: n.mark }, this.button(place, `${glyphs[n.mark] ?? ''} ${n.show.id ? '%' + n.show.id + ' ' : ''}${n.show.label} : ${n.show.type}`),
          ins.length ? el('span', { class: 'muted' }, ' of ' + ins.join(', ')) : ''));
      });
      return ul;
    };
    this.lines.replaceChildren(list(0));
  },
  button(place, words) { return el('button', { class: 'ref', onclick: () => this.onpick(place) }, words.trim()); },
};

/* ---- help ---- */

const keyList = [
  [['j', '\u2192'], 'next step'], [['k', '\u2190'], 'step back'], [['J', 'K'], 'next, previous pass that did something'],
  [['Home', 'End'], 'as written; the result'], [['v'], 'before, change, after, both side by side'], [['g'], 'list by step, by rule'],
  [['\u2191', '\u2193'], 'in the list: previous, next step'], [['\u2190', '\u2192'], 'in the list: close, open what is below'],
  [['Tab'], 'to the list, to what the step rewrites, to the details'],
  [['\u2191', '\u2193'], 'on a node: its first operand, its first user'], [['\u2190', '\u2192'], 'on a node: other operands of the same user'],
  [['1 \u2026 9'], 'on a node: that operand; with Shift, that user'], [['.', ','], 'the next node, the one before, as one reads'], [['Enter'], 'on a loop: open or close its body'],
  [['b', 'n'], 'back to what the picked node was, on to what became of it'],
  [['u'], 'unfold all that is folded, fold it'], [['e'], 'unfold what is picked where it stands, fold it'], [['[', ']'], 'what repeats: the turn before, the next one'], [['f'], 'fit everything'], [['c'], 'go to the change'], [['+', '\u2212'], 'larger, smaller'], [['w', 'a', 's', 'd'], 'move the picture'], [['/'], 'search'], [['i'], 'to the details'],
  [['p'], 'text of this state'], [['\u2191', '\u2193'], 'in the text: the node of the next line; Enter picks it'], [['o'], 'outline as text'], [['h'], 'only what is around the picked node'], [['m'], 'values in place of types'], [['z'], 'shapes at edges'], [['y'], 'filled by operations, by bytes, by kind'], [['x', 'X'], 'save the view as SVG, as PNG'], [['l'], 'legend'], [['t'], 'light or dark'], [['Esc'], 'nothing picked'], [['?'], 'this list'],
];

function showHelp() {
  const dialog = document.getElementById('keys');
  if (dialog.open) return dialog.close();
  dialog.replaceChildren(el('form', { method: 'dialog' }, el('button', { autofocus: '' }, 'close')), el('h2', { id: 'keys-title' }, 'Keys'),
    el('dl', {}, ...keyList.flatMap(([names, what]) => [el('dt', {}, ...names.flatMap((k, i) => [i ? ' ' : '', el('kbd', {}, k)])), el('dd', {}, what)])),
    el('h2', {}, 'Marks'),
    el('p', {}, '+ solid green: added by the step. \u2212 dashed red: removed. ~ amber: changed. Dotted outline: what the rule rewrites and what it puts there. What stays moves to its next place.'));
  dialog.showModal();
  dialog.scrollTop = 0;
}

/* ---- legend ---- */

/* The marks, in a corner of the picture. */
for (const mark of ['added', 'removed', 'changed'])
  document.getElementById('legend').append(el('span', {}, el('b', { style: `background:var(--${{ added: 'add', removed: 'del', changed: 'mod' }[mark]})` }, glyphs[mark]), mark));

const roleMeaning = {
  input: 'given from outside', shared: 'lasts between evaluations', param: 'parameter of a body', state: 'carried from step to step',
  sequence: 'one row a step', capture: 'taken from outside the body', output: 'result', const: 'constant',
};
const edgeMeaning = {
  state: 'a state enters or leaves', loopback: 'back to the next step', capture: 'into a body, the same at each step',
  sequence: 'an array, a row a step', until: 'the condition to stop', 'adjoint-of': 'derivative of',
};

/* What the shapes, colours and lines of this picture say; made when it is asked for. */
const legend = {
  root: document.getElementById('shapes'), button: document.getElementById('key'),
  toggle(open = this.root.hidden) {
    this.root.hidden = !open;
    this.button.setAttribute('aria-expanded', String(open));
    if (open) this.write(graph.sheet.frame);
  },
  write(frame) {
    const there = frame.nodes.filter(n => n.show).map(n => n.show), used = (list, key) => [...new Set(list.map(s => s[key]))];
    const swatch = (name, draw) => { const e = svg('svg', { width: 34, height: 18, 'aria-hidden': 'true' }); draw(svg('g', { class: name }, e)); return e; };
    const box = g => svg('rect', { class: 'shape', x: 2, y: 2, width: 30, height: 14, rx: 4 }, g);
    const item = (picture, words) => el('li', {}, picture, el('span', {}, words));
    const lines = [...new Set(frame.view.lines.filter((_, i) => frame.edges[i].version >= 0).map(l => l.kind))];
    this.root.replaceChildren(el('ul', {},
      ...used(there, 'cls').filter(c => c !== 'input' && c !== 'const').map(c => item(swatch('node op-' + c, box), c)),
      ...used(there, 'role').filter(r => roleMeaning[r]).map(r => item(swatch(`node op-structural role-${r}`, box), `${r}: ${roleMeaning[r]}`)),
      ...lines.filter(k => edgeMeaning[k]).map(k => item(swatch(`edge kind-${k}`, g => svg('path', { class: 'line', d: 'M2 9H32' }, g)), edgeMeaning[k]))));
  },
};

/* ---- the card of what the pointer is on ---- */

const card = {
  root: document.getElementById('card'),
  hide() { this.root.hidden = true; },
  show(e) {
    const g = e.pointerType === 'touch' ? null : e.target.closest?.('.node:not(.off),.tab:not(.off)');
    if (!g) return this.hide();
    const { frame } = graph.sheet, at = g.dataset.slot ? frame.nodes[g.dataset.slot] : frame.boxes[g.dataset.box], { show } = at;
    if (!show) return this.hide();
    const facts = show.id ? nodeFacts(show.id) : null;
    this.root.replaceChildren(el('b', {}, apart(show.label)), show.id ? ` %${show.id}` : '', el('br', {}), el('code', {}, show.type ?? show.more),
      facts?.source ? el('code', { class: 'means' }, facts.source) : '', facts?.value || show.value ? el('code', { class: 'means' }, '= ' + (facts?.value || show.value)) : '',
      at.mark ? el('span', { class: 'mark ' + at.mark }, `${glyphs[at.mark] ?? '\u2192'} ${at.mark}`) : '');
    this.root.hidden = false;
    const stage = this.root.offsetParent.getBoundingClientRect(), r = g.getBoundingClientRect(), w = this.root.offsetWidth, h = this.root.offsetHeight;
    const below = r.bottom - stage.top + 8;
    this.root.style.left = Math.max(6, Math.min(stage.width - w - 6, r.left - stage.left)) + 'px';
    this.root.style.top = (below + h < stage.height ? below : Math.max(6, r.top - stage.top - h - 8)) + 'px';
  },
};
graph.root.addEventListener('pointerover', e => card.show(e));
graph.root.addEventListener('pointerleave', () => card.hide());

/* ---- the program ---- */

/* The lines in which nodes of the page were written, the span of what is picked marked. */
const program = {
  root: document.getElementById('program'), source: document.getElementById('source'), lines: null,
  read() {
    const seen = new Map();
    data.nodes.forEach((n, i) => {
      const f = n ? nodeFacts(i + 1) : null;
      if (f?.line) seen.set(`${f.file} ${String(f.line).padStart(7, '0')}`, f);
    });
    return [...seen].sort(([a], [b]) => a < b ? -1 : 1).map(([, f]) => f);
  },
  show(id) {
    this.lines ??= this.read();
    this.root.hidden = !this.lines.length;
    if (!this.root.open || this.root.hidden || this.shown === id) return;
    this.shown = id;
    const at = id > 0 ? nodeFacts(id) : null;
    this.source.replaceChildren(...this.lines.map(f => {
      const here = at && at.file === f.file && at.line === f.line, all = [...f.code], from = here ? at.column - 1 : 0, to = here ? from + at.length : 0;
      const cut = (i, j) => all.slice(i, j).join('');
      return el('div', { class: 'text' + (here ? ' here' : '') }, el('span', { class: 'number' }, f.line), el('code', {}, cut(0, from), here ? el('mark', {}, cut(from, to)) : '', cut(to, all.length)));
    }));
    this.source.querySelector('.here')?.scrollIntoView({ block: 'nearest' });
  },
};
program.root.open = true;
