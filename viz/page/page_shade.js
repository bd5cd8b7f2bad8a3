/* Nodes filled by a number: what they take, on one scale for all states. */

const amounts = [
  { name: 'operations', of: id => data.amounts[2 * id - 2] },
  { name: 'bytes', of: id => data.amounts[2 * id - 1] },
];
const SHADES = 6;

const shading = {
  by: null, most: 0,
  root: document.getElementById('scale'), button: document.getElementById('shade'),
  /* By the first amount, the next, none. */
  next() {
    this.by = amounts[amounts.indexOf(this.by) + 1] ?? null;
    this.most = this.by ? data.nodes.reduce((most, _, i) => Math.max(most, this.by.of(i + 1)), 0) : 0;
    this.button.setAttribute('aria-pressed', String(!!this.by));
    this.root.replaceChildren(...this.by ? this.scale() : []);
    return this.by ? `filled by ${this.by.name}, up to ${this.tell(this.most)}` : 'filled by kind';
  },
  /* As orders of magnitude: the cheap ones differ, too. */
  part(x) { return x > 0 && this.most > 0 ? Math.log1p(x) / Math.log1p(this.most) : 0; },
  classOf(show) {
    const x = this.by && show.id ? this.by.of(show.id) : -1;
    return !this.by ? '' : x < 0 ? ' shade shade-none' : ` shade shade-${Math.round(this.part(x) * SHADES)}`;
  },
  tell(x) { return million(String(x < 1e6 ? Math.round(x) : x.toPrecision(3))); },
  scale() {
    const steps = Array.from({ length: SHADES + 1 }, (_, k) => el('span', { class: `shade-${k}` }));
    return [`${this.by.name} `, '0 ', ...steps, ` ${this.tell(this.most)}`];
  },
};
