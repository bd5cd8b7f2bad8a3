/* What is said of a step and of a node, on the right. */

/* ---- the step ---- */

const info = { step: document.getElementById('step'), node: document.getElementById('node'), where: document.getElementById('where'), ongoto: null, onnode: null };

/* Text in which %12 is a button. */
function withNodes(s) {
  return s.split(/(%\d+)/).map(part => /^%\d+$/.test(part)
    ? el('button', { class: 'ref', onclick: () => info.onnode(+part.slice(1)) }, part) : part);
}

function showStart(pass, frame) {
  const facts = pass.steps === undefined ? [] : [
    el('p', {}, pass.doc),
    el('p', { class: 'muted' }, `${plural(pass.steps, 'step')}, ${pass.sizes[0]} \u2192 ${pass.sizes[1]} nodes, ${pass.end}`)];
  const what = pass.name === 'source' ? 'The graph as it was written, before any step. Above it are its results as formulas; each arrow leads from a value to what uses it. Step on with \u2192.'
    : 'The graph after all passes.';
  info.step.replaceChildren(el('h2', {}, passName(pass)), ...facts,
    pass.steps === undefined || pass.rows.length ? el('p', {}, what) : '',
    el('p', { class: 'muted' }, `${plural(frame.count, 'node')} drawn.`),
    data.notes ? el('p', { class: 'note' }, data.notes) : '');
}

/* Two texts as lists of [words, differs]: what is not in the longest common sequence of words differs. */
const MOST_WORDS = 300;
function wordsThatDiffer(was, is) {
  const [a, b] = [was, is].map(s => s.match(/[\p{L}\p{N}_.%]+|\s+|[^\s]/gu) ?? []);
  if (a.length > MOST_WORDS || b.length > MOST_WORDS || was === is) return [[[was, false]], [[is, false]]];
  const width = b.length + 1, best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      best[i * width + j] = a[i] === b[j] ? best[(i + 1) * width + j + 1] + 1 : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
  const out = [[], []];
  const add = (list, word, differs) => {
    if (list.at(-1)?.[1] === differs) list.at(-1)[0] += word;
    else list.push([word, differs]);
  };
  for (let i = 0, j = 0; i < a.length || j < b.length;)
    if (i < a.length && j < b.length && a[i] === b[j]) { add(out[0], a[i++], false); add(out[1], b[j++], false); }
    else if (j >= b.length || i < a.length && best[(i + 1) * width + j] >= best[i * width + j + 1]) add(out[0], a[i++], true);
    else add(out[1], b[j++], true);
  return out;
}

function changeItem(c) {
  const [was, is] = wordsThatDiffer(c.was, c.is);
  const side = (name, sign, label, id, words, tag) => el('div', { class: name }, el('span', { class: 'sign', 'aria-label': label }, sign),
    el('code', {}, ...(id ? [el('b', {}, ...withNodes('%' + id)), ' '] : []),
      ...words.flatMap(([s, differs]) => differs && s.trim() ? [el(tag, {}, ...withNodes(s))] : withNodes(s))));
  return el('div', { class: 'rewrite' }, side('was', '\u2212', 'before', c.before, was, 'del'), side('is', '+', 'after', c.after, is, 'ins'));
}

/* The first ones at once, some in the next frame, all the others when they are asked for. */
const AT_FIRST = 3, LISTED = 8;
function changeList(row) {
  const out = row.changes.slice(0, AT_FIRST).map(changeItem), next = row.changes.slice(AT_FIRST, LISTED), more = row.changes.slice(LISTED);
  if (next.length) requestAnimationFrame(() => { if (out[AT_FIRST - 1].isConnected) out[AT_FIRST - 1].after(...next.map(changeItem)); });
  if (more.length) {
    const rest = el('details', { ontoggle: () => { if (rest.open && rest.children.length === 1) rest.append(...more.map(changeItem)); } },
      el('summary', {}, `${more.length} more`));
    out.push(rest);
  }
  return out;
}

function openHint(row) {
  if (!row.opens) return '';
  const n = allRows.filter(r => r.pass === row.pass && ownerOf(r) === row).length;
  return el('p', {}, el('button', { class: 'wide', onclick: () => { tree.toggle(row); showRow(row, now.frame); } },
    tree.shut.has(row) ? `open it: ${plural(n, 'step')}, a rule each` : 'close its steps'));
}

function showRow(row, frame) {
  const { ruleText, reason, source } = row.only ?? row;
  info.step.replaceChildren(
    el('p', { class: 'kicker' }, `${passes[row.pass].name} \u00b7 step ${row.number}`),
    el('h2', {}, ruleName(row)),
    el('p', { class: 'reason' }, reason + (row.again ? ' (the same change as before)' : '')),
    ruleText ? el('pre', { class: 'rule', 'aria-label': 'the rule', tabindex: 0 }, ruleText) : '',
    openHint(row),
    source ? el('p', { class: 'muted' }, ruleOrigin(source)) : '',
    row.evidence ? el('p', { class: 'evidence' }, el('b', {}, 'It may, because '), row.evidence) : '',
    el('ul', { class: 'classes', 'aria-label': 'classes' }, ...row.classes.map(c => el('li', {},
      el('span', { class: 'chip' }, c), el('span', {}, el('b', {}, (classMeaning[c] ?? [c])[0]), ' ', (classMeaning[c] ?? ['', ''])[1])))),
    el('h3', {}, 'before \u21d2 after'), ...changeList(row),
    el('p', { class: 'muted' }, countMarks(frame)),
    passes[row.pass].doc ? el('p', { class: 'muted' }, el('b', {}, passes[row.pass].name), ' ', passes[row.pass].doc) : '');
}

/* Where a rule comes from, so that who has never seen one knows what that means. */
function ruleOrigin(source) {
  if (source === 'in C') return 'A function of Gradus rather than a pattern: what it looks for cannot be written as one expression that becomes another.';
  return source.includes(':') ? ['The rule is written in ', el('code', {}, source), '.'] : source;
}

/* ---- what the state says: formulas above the picture ---- */

/* The formulas of the results in the state that is shown; what the step changed in them stands out. */
function showSentence({ before, after, row, base }, mode) {
  const state = mode === 'before' ? before : after, is = sentenceOf(base, state), was = row && mode === 'change' ? sentenceOf(base, before) : is;
  const words = wordsThatDiffer(was, is)[1];
  document.getElementById('says').replaceChildren(...words.map(([s, differs]) => differs && s.trim() ? el('ins', {}, s) : s));
}

/* ---- the state as text ---- */

const listing = {
  root: document.getElementById('listing'), lines: document.getElementById('text'), now: '',
  /* The lines of the state, those that the step took away or put there marked. */
  show(stop, mode, id) {
    if (!this.root.open) return;
    const key = `${stop.index} ${mode}`;
    if (this.now !== key) this.write(stop, mode);
    this.now = key;
    this.mark(id);
  },
  write({ before, after, base }, mode) {
    const was = programOf(base, before), is = programOf(base, after);
    const rows = mode === 'before' ? was.map(s => ['', s]) : mode === 'after' || before === after ? is.map(s => ['', s]) : linesThatDiffer(was, is);
    /* spans go on over lines, and those of what is gone are not those of what is there */
    const open = { removed: [], other: [] };
    this.lines.replaceChildren(...rows.map(([mark, s]) =>
      el('div', { class: 'text ' + mark }, el('span', { class: 'sign', 'aria-label': mark || undefined }, mark ? glyphs[mark] : ' '), el('code', {}, ...this.spans(s, open[mark === 'removed' ? 'removed' : 'other'])))));
  },
  /* A line as nested spans; `open`: the numbers of those that the line before left open. */
  spans(s, open) {
    const root = el('code', {});
    let at = root;
    const into = id => { const span = el('span', { 'data-id': id }); at.append(span); at = span; };
    open.forEach(into);
    for (const part of s.split(/(\x91\d+\x92|\x9c)/)) {
      if (part[0] === '\x91') { open.push(+part.slice(1, -1)); into(open.at(-1)); }
      else if (part === '\x9c') { if (open.length) { open.pop(); at = at.parentNode ?? root; } }
      else if (part) at.append(part);
    }
    return [...root.childNodes];
  },
  /* What the pointer is on, more faintly than what is picked. */
  near(id) {
    for (const e of this.lines.querySelectorAll('.near')) e.classList.remove('near');
    if (id > 0) for (const e of this.lines.querySelectorAll(`[data-id="${id}"]`)) e.classList.add('near');
  },
  /* The picked node, where it stands in the text. */
  mark(id) {
    for (const e of this.lines.querySelectorAll('.lit')) e.classList.remove('lit');
    const all = id > 0 ? [...this.lines.querySelectorAll(`[data-id="${id}"]`)] : [];
    for (const e of all) e.classList.add('lit');
    all[0]?.scrollIntoView({ block: 'nearest' });
  },
};

/* Two lists of lines as [mark, line], by their longest common sequence; what they begin and end with alike is not compared. */
function linesThatDiffer(was, is) {
  let head = 0, tail = 0;
  while (head < was.length && head < is.length && was[head] === is[head]) head++;
  while (tail < was.length - head && tail < is.length - head && was.at(-1 - tail) === is.at(-1 - tail)) tail++;
  const a = was.slice(head, was.length - tail), b = is.slice(head, is.length - tail), out = [];
  const same = s => ['', s];
  out.push(...is.slice(0, head).map(same));
  const width = b.length + 1, best = a.length * b.length < 1e6 ? new Uint16Array((a.length + 1) * width) : null;
  for (let i = a.length - 1; best && i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      best[i * width + j] = a[i] === b[j] ? best[(i + 1) * width + j + 1] + 1 : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
  for (let i = 0, j = 0; i < a.length || j < b.length;)
    if (best && i < a.length && j < b.length && a[i] === b[j]) { out.push(same(b[j++])); i++; }
    else if (i < a.length && (j >= b.length || !best || best[(i + 1) * width + j] >= best[i * width + j + 1])) out.push(['removed', a[i++]]);
    else out.push(['added', b[j++]]);
  out.push(...is.slice(is.length - tail).map(same));
  return out;
}

function countMarks(frame) {
  const n = frame.marks;
  const words = Object.entries(n).filter(([, k]) => k).map(([w, k]) => `${glyphs[w]}${k} ${w}`);
  return words.length ? 'nodes: ' + words.join(', ') : 'no node of this picture is new; operands or order changed';
}

/* ---- where ---- */

const boxWords = { grad: 'gradient', vjp: 'derivative', jvp: 'derivative', fused: 'fused', then: 'then', else: 'else' };
function boxWord(show) {
  const word = boxWords[show.kind] ?? show.kind;
  return (/backwards|reverse/.test(show.more) ? 'reversed ' : '') + word;
}

/* The boxes around what a step changes, or around what is picked: the outermost first. */
function boxesOfInterest(frame, place) {
  const { view } = frame;
  if (place) return boxesAround(view, (place.kind === 'node' ? view.slots : view.frames)[place.slot].box).toReversed();
  let common = null;
  frame.nodes.forEach((n, i) => {
    if (!(n.mark in frame.marks)) return;
    const around = boxesAround(view, view.slots[i].box).toReversed();
    common = common ? common.filter((k, at) => around[at] === k) : around;
  });
  return common ?? [];
}

/* "differentiate > expand-derivative > gradient > reversed scan > body": each leads there. */
function showWhere({ pass, row }, frame, place) {
  const parts = [], add = (words, onclick) => parts.push(parts.length ? el('span', { 'aria-hidden': 'true' }, ' \u203a ') : '', el('button', { onclick }, words));
  add(passName(pass), () => info.ongoto(pass.stop));
  const owners = [];
  for (let r = row; r; r = r.depth ? ownerOf(r) : null) owners.unshift(r);
  for (const r of owners) add(`${r.number} ${ruleName(r)}`, () => info.ongoto(r.stop));
  const around = boxesOfInterest(frame, place);
  for (const k of around) {
    const { show } = frame.boxes[k - 1];
    if (show) add(boxWord(show), () => info.onnode(null, { kind: 'box', slot: k - 1 }));
  }
  const last = around.length ? frame.boxes[around.at(-1) - 1].show : null;
  if (last && /scan|loop/.test(last.kind)) parts.push(el('span', { 'aria-hidden': 'true' }, ' \u203a '), 'body');
  info.where.replaceChildren(...parts);
}

/* ---- the node ---- */

function linkItem(link, line) {
  const { row } = link;
  return el('li', {}, el('button', { class: 'step-link', onclick: () => info.ongoto(row.stop, link.show) },
    `${passes[row.pass].name} ${row.number}`), ' ', ...line);
}

/* How a step replaced a thing: the change that says so, if it lists it. */
const changeOf = (row, side, id) => row.changes.find(c => c[side] === id);

function historyItems(id, life) {
  const out = [];
  if (life.made) out.push(linkItem({ row: life.made, show: id }, [el('b', {}, ruleName(life.made)),
    life.copyOf ? ' made it, a copy of ' : changeOf(life.made, 'after', id) ? ' put it in place of ' : ' brought it in',
    ...withNodes(life.copyOf ? '%' + life.copyOf : changeOf(life.made, 'after', id) && life.from ? '%' + life.from : ''),
  ]));
  for (const { row, operands } of life.changed)
    out.push(linkItem({ row, show: id }, [el('b', {}, ruleName(row)), operands ? ' gave it other operands' : ' changed it']));
  return out;
}

function endItems(id, { gone }) {
  const c = gone && changeOf(gone, 'before', id), on = copies.get(id) ?? [];
  const more = on.length ? [el('li', {}, 'copied as ', ...on.flatMap(k => [...withNodes('%' + k), ' ']))] : [];
  if (!gone) return [...more, el('li', {}, survives(id) ? 'It stays to the end.' : 'It stands between these steps only.')];
  return [...more, linkItem({ row: gone, show: c?.after || null }, c
    ? [el('b', {}, ruleName(gone)), ' replaced it by ', ...withNodes(c.after ? '%' + c.after : c.is)]
    : ['It is no longer needed: ', el('b', {}, ruleName(gone))])];
}

function factRow(name, ...value) { return [el('dt', {}, name), el('dd', {}, ...value)]; }

/* The line of the source with the part that the node was written as. */
function sourceLine(facts) {
  const all = [...facts.code], from = facts.column - 1, to = from + Math.max(facts.length, 1), lead = all.findIndex(c => c !== ' ');
  const cut = (i, j) => all.slice(Math.max(i, lead), Math.max(j, lead)).join('');
  return el('div', { class: 'place' }, el('div', {}, `${facts.file}, line ${facts.line}`),
    el('code', { class: 'line' }, cut(0, from), el('mark', {}, cut(from, to)), cut(to, all.length)));
}

const million = s => s.replace(/\d{4,}/g, d => d.replace(/(?=(\d{3})+$)\B/g, '\u202f'));

function costRows(facts) {
  const out = [];
  if (facts.flops && facts.flops !== '0') out.push(...factRow('operations', million(facts.flops)));
  if (facts.bytes && facts.bytes !== '0') out.push(...factRow('bytes moved', million(facts.bytes)));
  return out;
}

function nodeFactRows(place, frame, show, facts) {
  if (!facts && !show) return [];
  const type = facts?.type || show?.type || 'tuple', shape = type.match(/\[(.*)\]$/);
  return [...factRow('operator', show?.op || facts?.op), ...factRow('type', el('code', {}, type)),
    ...(shape ? factRow('shape', el('code', {}, shape[1])) : []),
    ...(facts?.source ? factRow('means', el('code', {}, ...withNodes(facts.source))) : []),
    ...(facts?.value || show?.value ? factRow('value', el('code', {}, facts?.value || show.value)) : []),
    ...(facts ? costRows(facts) : []), ...shading.rows(show?.id ?? 0),
    ...(show?.role && show.role !== 'none' ? factRow('role', show.role) : []),
    ...keptRow(place, frame), ...operandRows(place, frame)];
}

/* What a loop keeps from step to step. */
function keptRow(place, frame) {
  if (place?.kind !== 'box') return [];
  const states = frame.nodes.flatMap((n, i) => n.show?.role === 'state' && frame.view.slots[i].box === place.slot + 1 ? [{ kind: 'node', slot: i }] : []);
  return states.length ? factRow('keeps', ...refs(states, p => frame.nodes[p.slot].show.label)) : [];
}

/* Places as buttons that lead there. */
function refs(places, label) {
  return places.flatMap((p, i) => [i ? ' ' : '', el('button', { class: 'ref', onclick: () => info.onnode(null, p) }, label(p))]);
}

/* The life of a thing: which steps made, changed and ended it. */
function historyParts(number) {
  const life = lifeOf(number);
  if (!life) return [];
  const source = nodeFacts(number);
  return [el('h3', {}, 'where it comes from'), el('ol', { class: 'history' },
    life.made ? '' : el('li', { class: 'origin' }, 'in the source', source?.line ? sourceLine(source) : ''),
    ...historyItems(number, life),
    life.made && source?.line ? el('li', { class: 'origin' }, 'from the source', sourceLine(source)) : ''),
  el('h3', {}, 'what becomes of it'), el('ol', { class: 'history' }, ...endItems(number, life))];
}

/* Which rules came near here and what stopped each, the nearest first; nothing where it was not asked for. */
function unfiredParts(number) {
  if (!data.unfired || number <= 0) return [];
  const all = data.unfired.filter(([id]) => id === number).map(([, ...words]) => words.map(text));
  const line = ([rule, why, step]) => el('li', {}, el('b', {}, rule), ': ', ...withNodes(why), ' ',
    rowOf.has(step) ? el('button', { class: 'step-link', onclick: () => info.ongoto(rowOf.get(step).stop) }, 'see step ' + step) : '');
  return [el('h3', {}, 'rules that did not fire'), all.length ? el('ul', { class: 'history' }, ...all.map(line))
    : el('p', { class: 'muted' }, 'None came near here.')];
}

function absent(key) {
  const there = stopWith(key, now.stop);
  if (there < 0 && !nodeFacts(key)) return el('p', { class: 'note' }, 'This page has no such node.');
  return el('p', { class: 'note' }, 'Not drawn at this step: it is not there yet, or no longer, or it is written into its users. ',
    there < 0 ? '' : el('button', { class: 'step-link', onclick: () => info.ongoto(there, key) },
      `See it at ${stops[there].row ? 'step ' + stops[there].number : passName(stops[there].pass)}.`));
}

function showNodeInfo(place, frame, key) {
  info.step.parentNode.classList.toggle('picks', !!(place || key));
  if (!place && !key) {
    info.node.replaceChildren(el('p', { class: 'muted hint' }, 'Pick a node to see where it comes from and what becomes of it.'));
    return;
  }
  const at = place && (place.kind === 'node' ? frame.nodes : frame.boxes)[place.slot];
  const show = at?.show, number = Math.max(key || show?.key || 0, 0), facts = number ? nodeFacts(number) : null;
  info.node.replaceChildren(
    el('h2', {}, apart(show ? show.label : facts?.op ?? ''), number ? el('span', { class: 'id' }, ' %' + number) : ''),
    place ? unfoldButton(place) : absent(key),
    at?.mark ? el('p', { class: 'mark ' + at.mark }, `${glyphs[at.mark] ?? '\u2192'} ${at.mark} by this step`) : '',
    ...historyParts(number), ...unfiredParts(number),
    el('h3', {}, 'what it is'), el('dl', {}, ...nodeFactRows(place, frame, show, facts)));
  info.node.scrollTop = 0;
}

/* What is folded at a place is unfolded there, and folded again. */
function unfoldButton(place) {
  const { view } = now.frame, key = view.fold && graph.view !== view.wide ? keyAt(view, place) : null;
  if (!key) return '';
  const open = graph.keysOf(view).has(key), i = +key.slice(1);
  const what = key[0] === 'f' ? `${view.fold.turns[view.fold.frames[i].group]} turns` : `what is in ${now.frame.boxes[i].show?.label ?? 'it'}`;
  return el('p', {}, el('button', { class: 'wide', id: 'here', 'aria-expanded': String(open), onclick: () => unfoldHere(key) }, `${open ? 'fold' : 'unfold'} ${what} here`, ' ', el('kbd', {}, 'e')));
}

function survives(id) {
  const { view, after } = stops.at(-1);
  return thingsOf(view, view.at[after]).has(id);
}

function operandRows(place, frame) {
  if (!place) return [];
  const side = (dir, name) => {
    const list = neighbours(frame, place, dir);
    return list.length ? factRow(name, ...refs(list, p => placeLabel(frame, p))) : [];
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
