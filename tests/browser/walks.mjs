/* What is asked of a page in the page itself, in any browser: each function is sent there as text. */

/* Steps to the end by key; after each step something that changed must be in view. [places, complaints]. */
export async function walkInPage() {
  const wrong = [], place = document.getElementById('place'), root = document.getElementById('graph');
  const frames = () => new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)));
  let steps = 0;
  for (let last = ''; last !== place.textContent; steps++) {
    last = place.textContent;
    while ('busy' in root.dataset) await frames();
    const stage = root.getBoundingClientRect(), row = document.querySelector('#tree .row[aria-selected=true]');
    const marked = [...document.querySelectorAll('.sheet:not(.away) :is(.added,.removed,.changed,.redex):not(.off)')];
    const seen = marked.some(e => {
      const r = (e.querySelector('.shape,.plate') ?? e).getBoundingClientRect();
      return Math.min(r.right, stage.right) - Math.max(r.left, stage.left) > 3 && Math.min(r.bottom, stage.bottom) - Math.max(r.top, stage.top) > 3;
    });
    if (row && !seen && !(row.classList.contains('again') && !marked.length)) wrong.push(`${last} (${marked.length} marked)`);
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
  }
  return [steps, wrong];
}

/* Steps to the end by key; after each step no words of what is drawn may leave their node, lie on a node, or on
   words at another edge. [words, complaints]. */
export async function readInPage() {
  const wrong = new Set(), place = document.getElementById('place'), root = document.getElementById('graph');
  const frame = () => new Promise(requestAnimationFrame), rect = e => { const b = e.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height]; };
  const meet = ([a, b, c, d], [x, y, z, w], by) => a + by < z && x + by < c && b + by < w && y + by < d;
  let words = 0;
  for (let last = ''; last !== place.textContent;) {
    last = place.textContent;
    while ('busy' in root.dataset) await frame();
    const sheet = root.querySelector('.sheet:not(.away)'), label = e => (e.getAttribute('aria-label') ?? e.textContent).slice(0, 30);
    const nodes = [...sheet.querySelectorAll('.node:not(.off)')].map(g => [g, rect(g.querySelector('.shape'))]);
    for (const [g, [x, y, z, w]] of nodes)
      for (const t of g.querySelectorAll('.words:not(.old) text')) {
        if (getComputedStyle(t).display === 'none') continue;
        const [a, b, c, d] = rect(t);
        words++;
        if (a < x - 1 || c > z + 1 || b < y - 1 || d > w + 2) wrong.add(`${t.textContent.slice(0, 30)} leaves ${label(g)}`);
      }
    const ends = [...sheet.querySelectorAll('.edge:not(.off) .end')].map(t => [t, rect(t)]);
    ends.forEach(([t, at], i) => {
      words++;
      for (const [g, box] of nodes) if (meet(at, box, 2.5)) wrong.add(`${t.textContent} lies on ${label(g)} at ${last}`);
      for (const [u, box] of ends.slice(i + 1)) if (meet(at, box, 2.5)) wrong.add(`${t.textContent} lies on ${u.textContent} at ${last}`);
    });
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
  }
  return [words, [...wrong]];
}

/* Opens every row of the list that has steps below. */
export function openRows() {
  document.querySelectorAll('#tree .item[aria-expanded=false] .twist').forEach(e => e.click());
}

/* The middle of the first thing that fits a selector, in the window. */
export function middleOf(selector) {
  const e = document.querySelector(selector);
  const r = (e.querySelector('.shape,.plate') ?? e).getBoundingClientRect();
  return [r.left + r.width / 2, r.top + r.height / 2];
}

/* Nodes drawn now, by mark, with what is told of them. */
export function marksInPage() {
  return [...document.querySelectorAll('.sheet:not(.away) .node:not(.off)')].map(g => ({
    mark: ['added', 'removed', 'changed'].find(m => g.classList.contains(m)) ?? '', label: g.getAttribute('aria-label') ?? '', id: +g.dataset.id,
    drawn: Number(getComputedStyle(g).opacity) === 1 && getComputedStyle(g).visibility === 'visible',
  }));
}

/* Until the picture is as it shall be; true. */
export async function settled() {
  while ('busy' in document.getElementById('graph').dataset) await new Promise(requestAnimationFrame);
  return true;
}
