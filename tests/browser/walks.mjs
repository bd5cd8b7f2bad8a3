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
