/* Search, the outline of the graph as text, and the help of keys. */

const finder = {
  input: document.getElementById('find'), list: document.getElementById('hits'), hits: [], at: -1,
  frame: null, onplace: null, onstop: null,

  /* Nodes of this pass (what is shown now first, bodies included), then steps by rule. */
  search(query) {
    const q = query.trim().toLowerCase(), hits = [];
    if (!q) return hits;
    const { view } = this.frame, fits = s => s.toLowerCase().includes(q);
    const number = /^%?\d+$/.test(q) ? +q.replace('%', '') : 0;
    const add = (kind, slot, show, now, inside) => {
      if (number ? show.id !== number : !(fits(show.label) || fits(show.type ?? show.more) || fits(show.op ?? '')))
        return false;
      hits.push({ kind, slot, show, now, inside });
      return true;
    };
    const scan = (kind, slots, marks) => slots.forEach((s, i) => {
      const now = marks[i].show, box = s.box ? view.frames[s.box - 1].shows.at(-1).label : '';
      if (now && add(kind, i, now, true, box)) return;
      for (const v of s.shows) if (v !== now && add(kind, i, v, false, box)) break;
    });
    scan('node', view.slots, this.frame.nodes);
    scan('box', view.frames, this.frame.boxes);
    hits.sort((a, b) => b.now - a.now);
    for (const s of stops)
      if (s.row && (s.row.number === q || fits(s.row.rule))) hits.push({ kind: 'step', stop: s.index, row: s.row });
    return hits;
  },

  update() {
    this.hits = this.search(this.input.value).slice(0, 60);
    this.at = this.hits.length ? 0 : -1;
    this.list.replaceChildren(...this.hits.map((h, i) => el('div', {
      role: 'option', id: 'hit' + i, class: 'hit' + (h.now === false ? ' elsewhere' : ''), onclick: () => this.choose(i),
    }, ...this.line(h))));
    if (this.input.value.trim() && !this.hits.length) this.list.append(el('div', { role: 'option', 'aria-disabled': 'true', class: 'none' }, 'nothing found in this pass'));
    this.list.hidden = !this.input.value.trim();
    this.input.setAttribute('aria-expanded', String(!this.list.hidden));
    this.mark();
  },
  line(h) {
    if (h.kind === 'step') return [el('b', {}, 'step ' + h.row.number), ' ', h.row.rule, el('span', { class: 'muted' }, ' ' + passes[h.row.pass].name)];
    const where = (h.inside ? ' in ' + h.inside : '') + (h.now ? '' : ', at another step');
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
  key(e) {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      e.preventDefault();
      if (this.hits.length) this.at = (this.at + (e.key === 'ArrowDown' ? 1 : -1) + this.hits.length) % this.hits.length;
      this.mark();
    } else if (e.key === 'Enter') {
      this.choose(this.at);
    } else if (e.key === 'Escape') {
      this.list.hidden = true;
      this.input.value = '';
      this.input.setAttribute('aria-expanded', 'false');
      this.input.blur();
    }
  },
};

/* A stop near `from` at which a slot shows this version. */
function stopShowing(hit, from) {
  const all = stops.filter(s => s.pass === stops[from].pass);
  const list = hit.kind === 'node' ? 'nodes' : 'boxes', of = hit.kind === 'node' ? 'slots' : 'frames';
  const fits = s => { const v = s.pass.view, k = v.at[s.after][list][hit.slot]; return k >= 0 && v[of][hit.slot].shows[k] === hit.show; };
  return all.filter(fits).sort((a, b) => Math.abs(a.index - from) - Math.abs(b.index - from))[0]?.index ?? from;
}

/* ---- outline ---- */

const outline = {
  root: document.getElementById('outline'), lines: document.getElementById('lines'), onpick: null,
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
  ['j, \u2192', 'next step'], ['k, \u2190', 'step back'], ['J, K', 'next, previous pass that did something'],
  ['Home, End', 'as written; the result'], ['v', 'before, change, after'], ['\u2191 \u2193 in the list', 'next, previous step'],
  ['\u2190 \u2192 in the list', 'close, open steps inside a body'],
  ['\u2191 \u2193 on a node', 'its first operand, its first user'], ['\u2190 \u2192 on a node', 'other operands of the same user'],
  ['Enter on a loop', 'open or close its body'], ['b', 'back in the history of the picked node'], ['n', 'on to what became of it'],
  ['f', 'fit everything'], ['c', 'go to the change'], ['+ \u2212', 'larger, smaller'], ['/', 'search'], ['o', 'outline as text'],
  ['t', 'light or dark'], ['Esc', 'nothing picked'], ['?', 'this list'],
];

function showHelp() {
  const dialog = document.getElementById('keys');
  if (dialog.open) return dialog.close();
  dialog.replaceChildren(el('h2', { id: 'keys-title' }, 'Keys'),
    el('dl', {}, ...keyList.flatMap(([k, what]) => [el('dt', {}, ...k.split(/(, | )/).map(s => /^(,? |)$/.test(s) || s.length > 5 || /^(in|on|the|a)$/.test(s) || s === 'list' || s === 'node' || s === 'loop' ? s : el('kbd', {}, s))), el('dd', {}, what)])),
    el('h2', {}, 'Marks'),
    el('p', {}, '+ solid green: added by the step. \u2212 dashed red: removed. ~ amber: changed. Dotted outline: what the rule rewrites and what it puts there. Nothing moves within a pass.'),
    el('form', { method: 'dialog' }, el('button', {}, 'close')));
  dialog.showModal();
}

/* The marks, in a corner of the picture. */
for (const mark of ['added', 'removed', 'changed'])
  document.getElementById('legend').append(el('span', {}, el('b', { style: `background:var(--${{ added: 'add', removed: 'del', changed: 'mod' }[mark]})` }, glyphs[mark]), mark));
