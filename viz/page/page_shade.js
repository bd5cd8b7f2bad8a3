/* Nodes filled by a number: what they take, or what color= asked for, on one scale for all states. */

const amounts = [
  { name: 'operations', unit: '', of: id => data.amounts[2 * id - 2] },
  { name: 'bytes', unit: '', of: id => data.amounts[2 * id - 1] },
];
for (const a of amounts) {
  const { of } = a;
  a.of = id => of(id) >= 0 ? of(id) : undefined;
  /* as orders of magnitude: the cheap ones differ, too */
  a.part = (x, least, most) => most > 0 ? Math.log1p(x) / Math.log1p(most) : 0;
}
/* What color= asked for comes first: costs are those of the result, a file may have numbers below 0. */
if (data.scale) {
  const { name, unit, of } = data.scale, known = new Map(of);
  amounts.unshift({ name, unit, of: id => known.get(id), part: (x, least, most) => most > least ? (x - least) / (most - least) : 0 });
}
const SHADES = 6;

const shading = {
  by: null, least: 0, most: 0,
  root: document.getElementById('scale'), button: document.getElementById('shade'),
  /* By the first amount, the next, none. */
  next() {
    this.by = amounts[amounts.indexOf(this.by) + 1] ?? null;
    const all = this.by ? data.nodes.map((_, i) => this.by.of(i + 1) ?? 0) : [];
    this.least = all.reduce((a, b) => Math.min(a, b), 0);
    this.most = all.reduce((a, b) => Math.max(a, b), 0);
    this.button.setAttribute('aria-pressed', String(!!this.by));
    this.root.replaceChildren(...this.by ? this.scale() : []);
    return this.by ? `filled by ${this.by.name}, up to ${this.tell(this.most)}` : 'filled by kind';
  },
  classOf(show) {
    const x = this.by && show.id ? this.by.of(show.id) : undefined;
    return !this.by ? '' : x === undefined ? ' shade shade-none' : ` shade shade-${Math.round(this.by.part(x, this.least, this.most) * SHADES)}`;
  },
  tell(x, { unit } = this.by) {
    if (unit === 's' && x > 0) { const k = x < 1e-3 ? 0 : x < 1 ? 1 : 2; return `${Number((x * 10 ** (6 - 3 * k)).toPrecision(3))} ${['\u00b5s', 'ms', 's'][k]}`; }
    return (Number.isInteger(x) && Math.abs(x) < 1e6 ? million(String(x)) : String(Number(x.toPrecision(4)))) + (unit && ' ' + unit);
  },
  scale() {
    const steps = Array.from({ length: SHADES + 1 }, (_, k) => el('span', { class: `shade-${k}` }));
    return [`${this.by.name} `, this.tell(this.least) + ' ', ...steps, ` ${this.tell(this.most)}`];
  },
  /* What color= says of a node, for the details. */
  rows(id) {
    const x = data.scale ? amounts[0].of(id) : undefined;
    return x === undefined ? [] : factRow(amounts[0].name, this.tell(x, amounts[0]));
  },
};
