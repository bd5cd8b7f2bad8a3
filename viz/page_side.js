/* The list of passes and steps on the left; what is said of a step and of a node on the right. */

function el(tag, props, ...children) {
  const e = document.createElement(tag);
  for (const k in props)
    if (k === 'class') e.className = props[k];
    else if (k.startsWith('on')) e[k] = props[k];
    else if (props[k] !== undefined) e.setAttribute(k, props[k]);
  e.append(...children.flat().filter(c => c !== null && c !== undefined && c !== ''));
  return e;
}

const passTitles = { source: 'as written', result: 'result' };
const passName = p => passTitles[p.name] && p.steps === undefined ? passTitles[p.name] : p.name;
const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
function classChips(classes) {
  return classes.map(c => el('span', { class: 'chip', title: (classMeaning[c] ?? [c, ''])[1] }, c));
}

const tree = {
  root: document.getElementById('tree'),
  items: [],       /* by stop */
  shut: new Set(), /* rows whose inner rows are not shown */
  onstop: null,

  build() {
    for (const pass of passes) {
      const body = passName(pass), empty = !pass.view;
      const item = el('div', {
        class: 'item pass' + (empty ? ' empty' : ''), role: 'treeitem', 'aria-level': 1, 'aria-selected': 'false',
        tabindex: -1, 'aria-disabled': empty ? 'true' : undefined, title: pass.doc || undefined,
        'aria-expanded': pass.rows.length ? 'true' : undefined,
      }, el('span', { class: 'name' }, body),
        el('span', { class: 'count' }, pass.steps === undefined ? '' : empty ? 'nothing' : `${plural(pass.steps, 'step')}`));
      this.root.append(item);
      if (empty) continue;
      this.add(item, pass.stop);
      for (const row of pass.rows) this.addRow(row);
    }
    this.refresh();
  },
  add(item, stop) {
    this.items[stop] = item;
    item.onclick = () => this.onstop(stop);
  },
  addRow(row) {
    const item = el('div', {
      class: 'item row' + (row.again ? ' again' : ''), role: 'treeitem', 'aria-level': row.depth + 2,
      'aria-selected': 'false', tabindex: -1, 'aria-expanded': row.whole ? 'true' : undefined,
      style: `--depth:${row.depth}`,
    }, el('span', { class: 'number' }, row.number),
      el('span', { class: 'name' }, row.rule === 'inner' ? 'inside a body' : row.rule),
      el('span', { class: 'chips' }, ...classChips(row.classes)));
    if (row.whole)
      item.prepend(el('span', { class: 'twist', 'aria-hidden': 'true', onclick: e => { e.stopPropagation(); this.toggle(row); } }));
    this.root.append(item);
    this.add(item, row.stop);
  },
  isHidden(stop) {
    const { row } = stops[stop];
    return !!row && [...this.shut].some(owner => isInside(row, owner));
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
  },
  select(stop) {
    this.openTo(stop);
    if (this.now !== undefined) {
      this.items[this.now].setAttribute('aria-selected', 'false');
      this.items[this.now].tabIndex = -1;
    }
    this.now = stop;
    const item = this.items[stop];
    item.setAttribute('aria-selected', 'true');
    item.tabIndex = 0;
    if (this.root.contains(document.activeElement)) item.focus({ preventScroll: true });
    const list = this.root.parentNode, r = item.getBoundingClientRect(), box = list.getBoundingClientRect();
    if (r.top < box.top + 40 || r.bottom > box.bottom - 40) list.scrollTop += r.top - box.top - box.height / 3;
  },
  /* The next stop that is shown, in a direction. */
  beside(stop, by) {
    for (let i = stop + by; i >= 0 && i < stops.length; i += by) if (!this.isHidden(i)) return i;
    return stop;
  },
};

/* ---- right: the step ---- */

const info = { step: document.getElementById('step'), node: document.getElementById('node'), ongoto: null, onnode: null };

/* Text in which %12 is a button. */
function withNodes(s) {
  return s.split(/(%\d+)/).map(part => /^%\d+$/.test(part)
    ? el('button', { class: 'ref', onclick: () => info.onnode(+part.slice(1)) }, part) : part);
}

function showStart(pass, frame) {
  const facts = pass.steps === undefined ? [] : [
    el('p', {}, pass.doc),
    el('p', { class: 'muted' }, `${plural(pass.steps, 'step')}, ${pass.sizes[0]} \u2192 ${pass.sizes[1]} nodes, ${pass.end}`)];
  const what = pass.name === 'source' ? 'The graph as it was written, before any step.'
    : pass.name === 'result' ? 'The graph after all passes.' : 'The graph before the first step of this pass.';
  info.step.replaceChildren(el('h2', {}, passName(pass)), ...facts,
    pass.steps === undefined || pass.rows.length ? el('p', {}, what) : '',
    el('p', { class: 'muted' }, `${plural(frame.nodes.filter(n => n.show).length, 'node')} drawn.`),
    data.notes ? el('p', { class: 'note' }, data.notes) : '');
}

function changeList(row) {
  const seen = row.changes.slice(0, 8);
  const out = seen.map(c => el('div', { class: 'rewrite' },
    el('div', { class: 'was' }, el('span', { class: 'sign', 'aria-label': 'before' }, '\u2212'), el('code', {}, ...(c.before ? [el('b', {}, ...withNodes('%' + c.before)), ' '] : []), ...withNodes(c.was))),
    el('div', { class: 'is' }, el('span', { class: 'sign', 'aria-label': 'after' }, '+'), el('code', {}, ...(c.after ? [el('b', {}, ...withNodes('%' + c.after)), ' '] : []), ...withNodes(c.is)))));
  if (row.changes.length > seen.length)
    out.push(el('p', { class: 'muted' }, `and ${row.changes.length - seen.length} more`));
  return out;
}

function showRow(row, frame) {
  const rule = data.rules[row.rule] ?? [0, 0, 0];
  const [ruleText, reason, source] = rule.map(text);
  info.step.replaceChildren(
    el('p', { class: 'kicker' }, `${passes[row.pass].name} \u00b7 step ${row.number}`),
    el('h2', {}, row.rule === 'inner' ? 'inside a body' : row.rule),
    el('p', { class: 'reason' }, reason + (row.again ? ' (the same change as before)' : '')),
    ruleText ? el('pre', { class: 'rule', 'aria-label': 'the rule', tabindex: 0 }, ruleText) : '',
    source ? el('p', { class: 'muted' }, source === 'in C' ? 'a rule written in C' : ['rule at ', el('code', {}, source)]) : '',
    row.evidence ? el('p', { class: 'evidence' }, el('b', {}, 'because '), row.evidence) : '',
    el('ul', { class: 'classes', 'aria-label': 'classes' }, ...row.classes.map(c => el('li', {},
      el('span', { class: 'chip' }, c), el('span', {}, el('b', {}, (classMeaning[c] ?? [c])[0]), ' ', (classMeaning[c] ?? ['', ''])[1])))),
    el('h3', {}, 'before \u21d2 after'), ...changeList(row),
    el('p', { class: 'muted' }, countMarks(frame)));
}

function countMarks(frame) {
  const n = { added: 0, removed: 0, changed: 0 };
  for (const x of frame.nodes) if (x.mark) n[x.mark]++;
  const words = Object.entries(n).filter(([, k]) => k).map(([w, k]) => `${glyphs[w]}${k} ${w}`);
  return words.length ? 'nodes: ' + words.join(', ') : 'no node of this picture is new; operands or order changed';
}

/* ---- right: the node ---- */

function linkItem(link, line) {
  const { row } = link;
  return el('li', {}, el('button', { class: 'step-link', onclick: () => info.ongoto(row.stop, link.show) },
    `${passes[row.pass].name} ${row.number}`), ' ', ...line);
}

function historyItems(id) {
  return historyOf(id).map(h => linkItem({ ...h, show: h.id }, [
    el('b', {}, h.how === 'moved' ? '' : h.row.rule === 'inner' ? 'inside its body' : h.row.rule),
    ...(h.how === 'moved' ? ['an operand changed; was '] : h.how === 'made' ? [' replaced '] : [' brought it in, for ']),
    ...withNodes('%' + h.from)]));
}

function futureItems(id) {
  return futureOf(id).map(h => linkItem({ ...h, show: h.to || null }, [
    el('b', {}, h.how === 'moved' ? '' : h.row.rule === 'inner' ? 'inside its body' : h.row.rule),
    h.how === 'moved' ? 'an operand changed; becomes ' : ' replaced it by ', ...withNodes(h.to ? '%' + h.to : h.is ?? '')]));
}

function factRow(name, ...value) { return [el('dt', {}, name), el('dd', {}, ...value)]; }

function showNodeInfo(place, frame, id) {
  if (!place && !id) {
    info.node.replaceChildren(el('p', { class: 'muted hint' }, 'Pick a node to see where it comes from and what becomes of it.'));
    return;
  }
  const at = place && (place.kind === 'node' ? frame.nodes : frame.boxes)[place.slot];
  const show = at?.show, number = id || show?.id || 0, facts = number ? nodeFacts(number) : null;
  const back = number ? historyItems(number) : [], on = number ? futureItems(number) : [];
  const from = number ? historyOf(number).at(-1)?.from || number : 0, origin0 = from ? nodeFacts(from) : null;
  info.node.replaceChildren(
    el('h2', {}, show ? show.label : facts?.op ?? '', number ? el('span', { class: 'id' }, ' %' + number) : ''),
    place ? '' : el('p', { class: 'note' }, 'Not drawn at this step: it is not there yet, or no longer, or it is written into its users.'),
    at?.mark ? el('p', { class: 'mark ' + at.mark }, `${glyphs[at.mark]} ${at.mark} by this step`) : '',
    el('dl', {}, ...(facts || show ? [...factRow('operator', facts?.op ?? show.op), ...factRow('type', el('code', {}, facts?.type || show?.type || 'tuple'))] : []),
      ...(facts?.source ? factRow('means', el('code', {}, ...withNodes(facts.source))) : []),
      ...(show?.role && show.role !== 'none' ? factRow('role', show.role) : []),
      ...operandRows(place, frame)),
    ...(number ? [el('h3', {}, 'where it comes from'), el('ol', { class: 'history' }, ...back,
      el('li', { class: 'origin' }, back.length ? 'from the source: ' : 'in the source', ...(back.length ? withNodes('%' + from) : []),
        ...(origin0?.line ? [el('div', { class: 'place' }, `${origin0.file}:${origin0.line} `, el('code', {}, origin0.code))] : [])))] : []),
    ...(on.length ? [el('h3', {}, 'what becomes of it'), el('ol', { class: 'history' }, ...on)]
      : number && (place || survives(number)) ? [el('h3', {}, 'what becomes of it'), el('p', { class: 'muted' }, survives(number) ? 'It stays to the end.' : 'It is no longer needed.')] : []));
}

function survives(id) {
  const last = passes.at(-1).view;
  return !!last && (last.slots.some(s => s.shows.some(v => v.id === id)) || last.frames.some(s => s.shows.some(v => v.id === id)));
}

function operandRows(place, frame) {
  if (!place) return [];
  const side = (dir, name) => {
    const list = neighbours(frame, place, dir);
    return list.length ? factRow(name, ...list.flatMap((p, i) => [i ? ' ' : '', el('button', {
      class: 'ref', onclick: () => info.onnode(null, p) }, placeLabel(frame, p))])) : [];
  };
  return [...side('in', 'operands'), ...side('out', 'used by')];
}

function placeLabel(frame, place) {
  const show = (place.kind === 'node' ? frame.nodes : frame.boxes)[place.slot].show;
  return show.id ? '%' + show.id : show.label;
}

/* What edges lead to ('in') or from ('out') a place. */
function neighbours(frame, place, dir) {
  const out = [], k = place.slot + 1, isBox = place.kind === 'box';
  frame.view.lines.forEach((e, i) => {
    if (frame.edges[i].version < 0 || e.kind === 'loopback') return;
    const [near, nearBox, far, farBox] = dir === 'in' ? [e.to, e.toBox, e.from, e.fromBox] : [e.from, e.fromBox, e.to, e.toBox];
    if (isBox ? nearBox !== k : near !== k || nearBox) return;
    const p = farBox ? { kind: 'box', slot: farBox - 1 } : { kind: 'node', slot: far - 1 };
    const there = (farBox ? frame.boxes : frame.nodes)[p.slot];
    if (there.show && !out.some(q => q.kind === p.kind && q.slot === p.slot)) out.push(p);
  });
  return out;
}
