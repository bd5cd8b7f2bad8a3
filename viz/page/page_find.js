/* Search, the outline of the graph as text, and the help of keys. */

const finder = {
  input: document.getElementById('find'), list: document.getElementById('hits'), hits: [], at: -1,
  frame: null, onplace: null, onstop: null,

  /* Nodes of this view (what is shown now first; closed bodies hide nothing), then steps by rule,
     then nodes of other passes. */
  search(query) {
    const q = query.trim().toLowerCase(), hits = [], steps = [], others = [];
    if (!q) return hits;
    const fits = s => s.toLowerCase().includes(q), number = /^%?\d+$/.test(q) ? +q.replace('%', '') : 0;
    const matches = s => number ? s.id === number : fits(s.label) || fits(s.type ?? s.more) || fits(s.op ?? '');
    const here = this.frame.view, seen = new Set();
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
      if (s.view === here || s.view.searched === query) continue;
      s.view.searched = query;
      scan(s.view, 'node', s.view.slots);
      scan(s.view, 'box', s.view.frames);
    }
    for (const s of stops) delete s.view.searched;
    hits.sort((a, b) => b.now - a.now);
    return [...hits, ...steps, ...others];
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
    this.list.hidden = !this.input.value.trim();
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
  const all = stops.filter(s => s.view === hit.view);
  const list = hit.kind === 'node' ? 'nodes' : 'boxes', of = hit.kind === 'node' ? 'slots' : 'frames';
  const fits = s => { const v = s.view, k = v.at[s.after][list][hit.slot]; return k >= 0 && v[of][hit.slot].shows[k] === hit.show; };
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
  [['Home', 'End'], 'as written; the result'], [['v'], 'before, change, after'], [['g'], 'list by step, by rule'],
  [['\u2191', '\u2193'], 'in the list: previous, next step'], [['\u2190', '\u2192'], 'in the list: close, open what is below'],
  [['Tab'], 'to the list, to what the step rewrites, to the details'],
  [['\u2191', '\u2193'], 'on a node: its first operand, its first user'], [['\u2190', '\u2192'], 'on a node: other operands of the same user'],
  [['1', '9'], 'on a node: that operand; with Shift, that user'], [['Enter'], 'on a loop: open or close its body'],
  [['b', 'n'], 'back to what the picked node was, on to what became of it'],
  [['f'], 'fit everything'], [['c'], 'go to the change'], [['+', '\u2212'], 'larger, smaller'], [['w', 'a', 's', 'd'], 'move the picture'], [['/'], 'search'], [['i'], 'to the details'],
  [['o'], 'outline as text'], [['t'], 'light or dark'], [['Esc'], 'nothing picked'], [['?'], 'this list'],
];

function showHelp() {
  const dialog = document.getElementById('keys');
  if (dialog.open) return dialog.close();
  dialog.replaceChildren(el('h2', { id: 'keys-title' }, 'Keys'),
    el('dl', {}, ...keyList.flatMap(([names, what]) => [el('dt', {}, ...names.flatMap((k, i) => [i ? ' ' : '', el('kbd', {}, k)])), el('dd', {}, what)])),
    el('h2', {}, 'Marks'),
    el('p', {}, '+ solid green: added by the step. \u2212 dashed red: removed. ~ amber: changed. Dotted outline: what the rule rewrites and what it puts there. Nothing moves within a pass.'),
    el('form', { method: 'dialog' }, el('button', {}, 'close')));
  dialog.showModal();
}

/* The marks, in a corner of the picture. */
for (const mark of ['added', 'removed', 'changed'])
  document.getElementById('legend').append(el('span', {}, el('b', { style: `background:var(--${{ added: 'add', removed: 'del', changed: 'mod' }[mark]})` }, glyphs[mark]), mark));
