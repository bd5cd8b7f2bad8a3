/* The list of passes and steps, on the left: in the order of the steps or by rule.
   Rows below a closed row, or in a closed group, are hidden and stepped over. */

function el(tag, props, ...children) {
  const e = document.createElement(tag);
  for (const k in props)
    if (k === 'class') e.className = props[k];
    else if (k.startsWith('on')) e[k] = props[k];
    else if (props[k] !== undefined) e.setAttribute(k, props[k]);
  e.append(...children.flat().filter(c => c !== null && c !== undefined && c !== ''));
  return e;
}

const ruleName = row => row.rule === 'inner' ? 'inside a body' + (row.only ? ': ' + row.only.rule : '') : row.rule;
const passTitles = { source: 'as written', result: 'result' };
const passName = p => passTitles[p.name] && p.steps === undefined ? passTitles[p.name] : p.name;
const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
function classChips(classes) {
  return classes.map(c => el('span', { class: 'chip', title: (classMeaning[c] ?? [c, ''])[1] }, c));
}

/* The classes that occur, with what they say. */
function classLegend() {
  const there = Object.keys(classMeaning).filter(c => allRows.some(r => r.classes.includes(c)));
  return there.map(c => el('li', { title: classMeaning[c][1] }, el('span', { class: 'chip' }, c), ' ', classMeaning[c][0]));
}

const tree = {
  root: document.getElementById('tree'),
  heads: [],         /* by pass */
  items: [],         /* by stop */
  groups: new Map(), /* "pass rule" -> {item, rows, shut} */
  shut: new Set(),   /* rows whose inner rows are not shown */
  byRule: false,
  onstop: null,

  build() {
    for (const pass of passes) {
      this.heads.push(pass.rows.length || stops.some(s => s.pass === pass) ? this.head(pass) : null);
      for (const row of pass.rows) this.addRow(row);
    }
    this.idle = this.idlePasses();
    this.arrange(false);
    document.getElementById('classes').append(...classLegend());
  },
  /* Of a pass with steps: a heading, which leads to the first of them. */
  head(pass) {
    const own = !pass.rows.length, item = el('div', {
      class: 'item pass' + (own ? '' : ' head'), role: 'treeitem', 'aria-level': 1, 'aria-selected': 'false',
      tabindex: -1, title: pass.doc || undefined, 'aria-expanded': pass.rows.length ? 'true' : undefined,
    }, el('span', { class: 'name' }, passName(pass)), el('span', { class: 'count' }, pass.steps === undefined ? '' : plural(pass.steps, 'step')));
    if (own) this.add(item, pass.stop);
    else item.onclick = () => this.onstop(pass.stop);
    return item;
  },
  /* The passes that did nothing, on one line. */
  idlePasses() {
    const none = passes.filter(p => !p.drawn);
    return none.length ? el('div', { class: 'item pass empty', role: 'treeitem', 'aria-level': 1, 'aria-selected': 'false', 'aria-disabled': 'true', tabindex: -1 },
      el('span', { class: 'name' }, 'nothing to do: ', ...none.flatMap((p, i) => [i ? ', ' : '', el('span', { title: p.doc }, passName(p))]))) : null;
  },
  add(item, stop) {
    this.items[stop] = item;
    item.onclick = () => this.onstop(stop);
  },
  addRow(row) {
    const folds = row.whole || row.opens;
    if (row.opens || row.only) this.shut.add(row);
    const item = el('div', {
      class: 'item row' + (row.again ? ' again' : ''), role: 'treeitem', 'aria-level': row.depth + 2,
      'aria-selected': 'false', tabindex: -1, 'aria-expanded': folds ? String(!this.shut.has(row)) : undefined,
      style: `--depth:${row.depth}`,
    }, el('span', { class: 'number' }, row.number),
      el('span', { class: 'name' }, ruleName(row)),
      el('span', { class: 'chips' }, ...classChips(row.classes)));
    if (folds)
      item.prepend(el('span', { class: 'twist', 'aria-hidden': 'true', onclick: e => { e.stopPropagation(); this.toggle(row); } }));
    this.add(item, row.stop);
  },

  /* ---- order ---- */

  /* Puts the items in order: as they happened, or those of one rule of a pass together. */
  arrange(byRule) {
    this.byRule = byRule;
    this.groups.clear();
    this.root.classList.toggle('by-rule', byRule);
    const list = passes.flatMap((pass, i) => [this.heads[i], ...(byRule ? this.grouped(pass) : pass.rows.map(r => this.items[r.stop]))]);
    this.root.replaceChildren(...[...list, this.idle].filter(Boolean));
    for (const row of allRows) this.items[row.stop].setAttribute('aria-level', row.depth + (byRule ? 3 : 2));
    this.refresh();
  },
  grouped(pass) {
    const list = [];
    let last = null;
    for (const row of pass.rows) {
      if (!row.depth) {
        const key = `${pass.index} ${row.rule}`;
        if (!this.groups.has(key)) {
          this.groups.set(key, { item: null, rows: [], count: 0, shut: false });
          list.push(key);
        }
        last = this.groups.get(key);
        last.count++;
      }
      last.rows.push(row);
      row.group = last;
    }
    return list.flatMap(key => {
      const group = this.groups.get(key);
      group.item = el('div', {
        class: 'item group', role: 'treeitem', 'aria-level': 2, 'aria-expanded': 'true', 'aria-selected': 'false', tabindex: -1,
        onclick: () => this.toggleGroup(group),
      }, el('span', { class: 'twist', 'aria-hidden': 'true' }), el('span', { class: 'name' }, ruleName(group.rows[0])),
        el('span', { class: 'count' }, '\u00d7' + group.count));
      group.item.group = group;
      return [group.item, ...group.rows.map(r => this.items[r.stop])];
    });
  },
  toggleGroup(group, shut = !group.shut) {
    group.shut = shut;
    group.item.setAttribute('aria-expanded', String(!shut));
    this.refresh();
  },

  /* ---- closing ---- */

  isHidden(stop) {
    const { row } = stops[stop];
    return !!row && (this.byRule && row.group.shut || [...this.shut].some(owner => isInside(row, owner)));
  },
  toggle(row, shut = !this.shut.has(row)) {
    this.shut[shut ? 'add' : 'delete'](row);
    this.items[row.stop].setAttribute('aria-expanded', String(!shut));
    this.refresh();
  },
  refresh() { this.items.forEach((item, i) => { item.hidden = this.isHidden(i); }); },
  openTo(stop) {
    const { row } = stops[stop];
    for (const owner of [...this.shut]) if (row && isInside(row, owner)) this.toggle(owner, false);
    if (this.byRule && row?.group.shut) this.toggleGroup(row.group, false);
  },

  select(stop) {
    this.openTo(stop);
    const was = this.items[this.now];
    if (was) {
      was.setAttribute('aria-selected', 'false');
      was.tabIndex = -1;
    }
    this.now = stop;
    const item = this.items[stop];
    item.setAttribute('aria-selected', 'true');
    item.tabIndex = 0;
  },
  /* Measures, so it is called when everything else of a step is written. */
  scroll() {
    const item = this.items[this.now], list = this.root.parentNode;
    if (this.root.contains(document.activeElement)) item.focus({ preventScroll: true });
    const r = item.getBoundingClientRect(), box = list.getBoundingClientRect();
    if (r.top < box.top + 70 || r.bottom > box.bottom - 40) list.scrollTop += r.top - box.top - box.height / 3;
  },
  /* [which of the stops that keys visit this is, how many there are] */
  count(stop) {
    let at = 0, all = 0;
    for (let i = 0; i < stops.length; i++) if (!this.isHidden(i)) { all++; at += i <= stop; }
    return [at, all];
  },
  /* The next stop that is shown, in a direction. */
  beside(stop, by) {
    for (let i = stop + by; i >= 0 && i < stops.length; i += by) if (!this.isHidden(i)) return i;
    return stop;
  },

  /* ---- keys ---- */

  /* An arrow on the list; false: not used. */
  key(name, stop) {
    const group = document.activeElement?.group, { row, pass } = stops[stop];
    if (group) return this.groupKey(name, group);
    if (name === 'ArrowDown') this.onstop(this.beside(stop, 1), null, false);
    else if (name === 'ArrowUp') this.onstop(this.beside(stop, -1), null, false);
    else if (name === 'ArrowRight') {
      if (row && this.shut.has(row)) this.toggle(row, false);
      else this.onstop(this.beside(stop, 1), null, false);
    } else if (name === 'ArrowLeft') {
      if (row && (row.whole || row.opens) && !this.shut.has(row)) this.toggle(row, true);
      else if (row?.depth) this.onstop(ownerOf(row).stop);
      else if (row && this.byRule) { this.toggleGroup(row.group, true); row.group.item.focus(); }
      else this.onstop(pass.stop);
    } else return false;
    return true;
  },
  groupKey(name, group) {
    if (name === 'ArrowRight') this.toggleGroup(group, false);
    else if (name === 'ArrowLeft') this.toggleGroup(group, true);
    const all = [...this.root.children].filter(e => !e.hidden && !e.matches('.empty,.head')), k = all.indexOf(group.item);
    const to = name === 'ArrowDown' ? all[k + 1] : name === 'ArrowUp' ? all[k - 1] : null;
    const at = to ? this.items.indexOf(to) : -1;
    if (to?.group) to.focus();
    else if (at >= 0) { to.focus(); this.onstop(at, null, false); }
    return true;
  },
};
