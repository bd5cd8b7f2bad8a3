/* Shapes at edges: that of the value which an edge carries, in the middle of it, where nothing else stands. */

const shapes = {
  on: false, button: document.getElementById('shapes-on'), timer: 0,
  toggle() {
    this.on = !this.on;
    document.body.classList.toggle('shaped', this.on);
    this.button.setAttribute('aria-pressed', String(this.on));
    if (this.on) this.write(graph.sheet);
    return this.on ? 'shapes at edges' : 'no shapes at edges';
  },
  /* Not in the middle of a step. */
  later() {
    clearTimeout(this.timer);
    if (this.on) this.timer = setTimeout(() => this.write(graph.sheet), 40);
  },
  write(sheet) {
    if (!sheet.frame) return;
    for (const part of sheet.edges) if (part && !part.off) this.writeAt(sheet, part);
  },
  /* Of a loop's results the frame does not tell which one it is: the node that is one does. */
  wordsOf({ nodes }, { from, fromBox, to, toBox }) {
    const show = !fromBox ? nodes[from - 1]?.show : toBox ? null : nodes[to - 1]?.show;
    return (show?.type.match(/\[(.*)\]$/)?.[1] ?? '').replace(/, /g, '\u00d7');
  },
  writeAt(sheet, part) {
    const words = this.wordsOf(sheet.frame, part.line);
    if (part.shape === words) return;
    part.shape = words;
    part.g.querySelector('.size')?.remove();
    if (!words) return;
    const line = part.g.querySelector('.line'), n = line.getTotalLength(), w = words.length * 6.6;
    for (const k of [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74])
      for (const side of [4, -4 - w]) {
        const { x, y } = line.getPointAtLength(n * k), rect = [x + side, y - 8, w, 11];
        if (sheet.covered.has(rect)) continue;
        sheet.covered.add(rect);
        svg('text', { class: 'size', x: x + side, y: y + 1 }, part.g).textContent = words;
        return;
      }
  },
};
