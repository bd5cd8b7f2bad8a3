"use strict";
/* An e-graph as it grows: one drawing with a frame for each iteration, of which one is looked at. */
const data = JSON.parse(document.getElementById("data").textContent);
const id = (name) => document.getElementById(name);
id("picture").innerHTML = data.svg;
const svg = id("picture").querySelector("svg");
/* Where a frame is, in the units of the whole drawing. */
const frames = [...svg.querySelectorAll(".box.kind-frame > .frame")].map((rect) => {
  const box = rect.getBBox(), to = svg.getScreenCTM().inverse().multiply(rect.getScreenCTM());
  return [box.x * to.a + to.e, box.y * to.d + to.f, box.width * to.a, box.height * to.d];
});
const last = Math.max(0, data.frames.length - 1);
const SMALLEST = 0.9; /* of its own size: letters stay legible, the picture is scrolled */
let at = 0;

function show() {
  const frame = frames[at], told = data.frames[at];
  if (frame) {
    const [x, y, w, h] = frame;
    svg.setAttribute("viewBox", `${x - 12} ${y - 12} ${w + 24} ${h + 24}`);
    const scale = Math.max(SMALLEST, Math.min(1, id("picture").clientWidth / (w + 24)));
    svg.setAttribute("width", scale * (w + 24));
    svg.setAttribute("height", scale * (h + 24));
  }
  const slider = id("slider"), text = `${told.title}: ${told.size}`;
  slider.max = last;
  slider.value = at;
  slider.disabled = last < 1;
  slider.setAttribute("aria-valuetext", text);
  svg.setAttribute("aria-label", `the e-graph ${text}`);
  id("place").textContent = text;
  id("first").disabled = id("prev").disabled = at === 0;
  id("last").disabled = id("next").disabled = at === last;
}

function go(to) {
  at = Math.max(0, Math.min(last, to));
  show();
}

function light() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
}

const keys = {
  ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1),
  Home: () => go(0), End: () => go(last), t: light,
};

addEventListener("resize", show);
document.addEventListener("keydown", (event) => {
  const f = keys[event.key];
  if (!f || event.ctrlKey || event.altKey || event.metaKey)
    return;
  event.preventDefault();
  f();
});
id("next").onclick = () => go(at + 1);
id("prev").onclick = () => go(at - 1);
id("first").onclick = () => go(0);
id("last").onclick = () => go(last);
id("theme").onclick = light;
id("slider").oninput = (event) => go(Number(event.target.value));
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
id("title").textContent = data.title;
id("note").textContent = data.note;
show();
id("picture").scrollLeft = (id("picture").scrollWidth - id("picture").clientWidth) / 2;
