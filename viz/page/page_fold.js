/* What repeats, such as the layers of a net, drawn once: a frame that shows one turn at a time. All turns
   have the same places, so turning moves nothing. Where that is not enough, loops are closed. Unfolded, the
   view has another layout, with room for all. */

/* Which group, part and turn a slot belongs to; group -1: it is there once. */
function readStands(s, n) {
  const all = readNumbers(s), out = { group: new Int16Array(n).fill(-1), part: new Uint8Array(n), turn: new Int16Array(n) };
  for (let i = 0, k = 0; i < n; i++) {
    const stand = all[k++];
    if (!stand) continue;
    out.group[i] = (stand - 1) >> 1;
    out.part[i] = (stand - 1) & 1;
    out.turn[i] = all[k++];
  }
  return out;
}

/* The view in which that is folded; `wide` is the one in which it is not. */
function foldedView(wide, [turns, folds, nodes, boxes, paths, closed, layout]) {
  const view = Object.create(wide), places = readLayout(layout), drawn = list => list.map(s => s ? readEdge(readNumbers(s)) : []);
  const counts = readNumbers(turns), flat = readNumbers(folds), frames = [];
  for (let i = 0; i < flat.length; i += 3) frames.push({ group: flat[i], part: flat[i + 1], box: flat[i + 2], at: places.boxes[wide.frames.length + i / 3] });
  view.wide = wide;
  view.base = view;
  view.layout = places;
  view.fold = {
    turns: counts, frames, nodes: readStands(nodes, wide.slots.length), boxes: readStands(boxes, wide.frames.length),
    paths: readNumbers(paths).map(k => k - 1), closed: readNumbers(closed), tails: drawn(layout[5]), heads: drawn(layout[6]), at: new Int16Array(counts.length).fill(-1),
  };
  return view;
}

const standsOf = (fold, kind) => kind === 'node' ? fold.nodes : fold.boxes;

/* How many nodes each turn of a group shows, and which turns a step marks or rewrites. */
function turnsIn(view, frame, focus) {
  const { fold } = view, out = fold.turns.map(n => ({ shown: new Uint16Array(n), changed: new Set(), core: new Set() }));
  const look = (list, { group, turn }, counts) => list.forEach((x, i) => {
    if (group[i] < 0 || !x.show) return;
    const g = out[group[i]];
    if (counts) g.shown[turn[i]]++;
    if (x.mark in frame.marks) g.changed.add(turn[i]);
    if (x.show.id && focus.has(x.show.id)) g.core.add(turn[i]);
  });
  look(frame.nodes, fold.nodes, true);
  look(frame.boxes, fold.boxes, false);
  return out;
}

/* Turns each group to where something changed, or to what is picked; else it stays, if anything is there. */
function faceChange(view, frame, focus, place) {
  const { fold } = view, turns = turnsIn(view, frame, focus), stands = place && standsOf(fold, place.kind);
  const wanted = turns.map(t => t.core.size ? t.core : t.changed);
  let lead = stands ? stands.group[place.slot] : -1;
  turns.forEach(({ shown }, g) => {
    const now = fold.at[g];
    if (g === lead) fold.at[g] = stands.turn[place.slot];
    else if (wanted[g].size && !wanted[g].has(now)) fold.at[g] = Math.min(...wanted[g]);
    else if (!wanted[g].size && (now < 0 || !shown[now])) fold.at[g] = Math.max(0, shown.indexOf(Math.max(...shown)));
  });
  if (lead < 0) lead = wanted.findIndex(w => w.size);
  if (fold.turns.length) turnAlong(view, frame, Math.max(lead, 0), (g, k) => !wanted[g].size || wanted[g].has(k));
}

/* Turns the other groups to the turns that are tied to the one that a group shows, where these `may` be shown. */
function turnAlong(view, frame, lead, may = () => true) {
  const { fold, lines } = view, known = new Set([lead]);
  const stand = (node, box) => box ? [fold.boxes.group[box - 1], fold.boxes.turn[box - 1]] : [fold.nodes.group[node - 1], fold.nodes.turn[node - 1]];
  for (const from of known) {
    const votes = new Map(); /* group -> turn -> ties */
    const vote = (g, k) => {
      if (g < 0 || known.has(g)) return;
      if (!votes.has(g)) votes.set(g, new Map());
      votes.get(g).set(k, (votes.get(g).get(k) ?? 0) + 1);
    };
    lines.forEach((e, i) => {
      if (frame.edges[i].version < 0) return;
      const [g, k] = stand(e.from, e.fromBox), [h, l] = stand(e.to, e.toBox);
      if (g === from && k === fold.at[g]) vote(h, l);
      if (h === from && l === fold.at[h]) vote(g, k);
    });
    for (const [g, turns] of votes) {
      const [[k]] = [...turns].sort((a, b) => b[1] - a[1]);
      known.add(g);
      if (may(g, k)) fold.at[g] = k;
    }
  }
}

/* Can this be seen without unfolding anything? */
const hasPlace = (view, { kind, slot }) => !!(kind === 'node' ? view.layout.nodes : view.layout.boxes)[slot];

/* "folded: 16 nodes x102, 7 x100; 3 loops closed" */
function foldWords(view, frame) {
  const parts = turnsIn(view, frame, new Set()).map(({ shown }, g) => [Math.max(...shown), view.fold.turns[g]]).filter(([n]) => n);
  const shut = frame.boxes.filter((b, i) => b.show && view.fold.closed[i] && view.layout.boxes[i]).length;
  const words = [parts.map(([n, times], i) => `${i ? n : plural(n, 'node')} \u00d7${times}`).join(', '), shut ? `${shut} inner graph${shut > 1 ? 's' : ''} closed` : ''].filter(Boolean);
  return words.length ? `folded: ${words.join('; ')}; u unfolds` : '';
}
