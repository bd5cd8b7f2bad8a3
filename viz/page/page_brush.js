/* What the pointer or the focus is on stands out in the picture and in the text of the state at once. */

const brush = {
  id: 0, part: null,
  /* The node or box of that number; 0: nothing. */
  show(id) {
    if (id === this.id) return;
    this.part?.g.classList.remove('brushed');
    const { frame } = graph.sheet, place = id > 0 ? placeOf(frame, id) : null, part = place && graph.partAt(place);
    this.id = id;
    this.part = part && !part.off ? part : null;
    this.part?.g.classList.add('brushed');
    listing.near(id);
  },
  from(e) { this.show(e.target.closest ? this.idAt(e.target) : 0); },
  idAt(e) {
    const g = e.closest('.node:not(.off), .tab:not(.off)'), words = e.closest('#text [data-id]');
    return +((g ?? words)?.dataset.id ?? 0);
  },
};
for (const root of [graph.root, listing.lines]) {
  for (const kind of ['pointerover', 'focusin']) root.addEventListener(kind, e => brush.from(e));
  for (const kind of ['pointerleave', 'focusout']) root.addEventListener(kind, () => brush.show(0));
}

/* By arrow keys in the text: the next line that shows a node of its own; its number, or 0. */
function walkText(by) {
  const rows = [...listing.lines.children], own = row => +(row.querySelector('[data-id]')?.dataset.id ?? 0);
  let at = rows.findIndex(row => row.classList.contains('at'));
  if (at < 0 && by < 0) at = rows.length;
  for (at += by; rows[at] && !own(rows[at]); at += by);
  if (!rows[at]) return 0;
  for (const row of rows) row.classList.toggle('at', row === rows[at]);
  rows[at].scrollIntoView({ block: 'nearest' });
  brush.show(own(rows[at]));
  return brush.id;
}
