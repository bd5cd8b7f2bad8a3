"use strict";
/* A film: the data has tracks, a track its frames; the place is track and frame. One without a loop
 * has a picture: its forward frames are the nodes, its backward frames the edges. */
const data = JSON.parse(document.getElementById("data").textContent);
const id = (name) => document.getElementById(name);
const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 400, HEIGHT = 112, LEFT = 6, RIGHT = 6, TOP = 8, BOTTOM = 18;
let track = 0;
let at = data.tracks.map(() => 0);
let timer = 0;

const here = () => data.tracks[track];

/* ---- texts ---- */

/* "h[t-1]" where the index is 4: "h[3]". */
function inRow(name, index) {
  return name.replace(/\[\p{L}[\p{L}\p{N}_]*([+-]\d+)?\]$/u, (all, by) => `[${index + Number(by || 0)}]`);
}

function formula(line, t, frame, filled) {
  return line.formula.map((part) => {
    if (typeof part === "string")
      return part;
    const [place, alone] = part, value = frame.values[place];
    if (!filled || value === null)
      return inRow(t.names[place], frame.index);
    return value.startsWith("-") && !alone ? `(${value})` : value;
  }).join("");
}

function element(tag, name, text) {
  const e = document.createElement(tag);
  if (name)
    e.className = name;
  if (text !== undefined)
    e.textContent = text;
  return e;
}

function putEquations(t, frame) {
  const rows = t.lines.map((line, i) => {
    const row = element("div", line.kept ? "equation kept" : "equation");
    const plain = formula(line, t, frame, false), filled = formula(line, t, frame, true);
    const value = frame.lines[i];
    const side = element("div", "side");
    side.append(element("span", "part", plain), " ");
    if (filled !== plain && filled !== value)
      side.append(element("span", "part", filled), " ");
    const shown = element("span", "part");
    shown.append(element("span", /nan|inf/.test(value) ? "value bad" : "value", value));
    side.append(shown);
    row.append(element("div", "name", inRow(line.name, frame.index)), side);
    return row;
  });
  id("equations").replaceChildren(...rows);
}

/* ---- curves ---- */

function draw(tag, attributes) {
  const e = document.createElementNS(SVG, tag);
  for (const key in attributes)
    e.setAttribute(key, attributes[key]);
  return e;
}

/* Breaks where a number is not finite (null). */
function pathOf(points) {
  let pen = "M", d = "";
  for (const [x, y] of points) {
    if (y === null) {
      pen = "M";
      continue;
    }
    d += `${pen}${x.toFixed(1)},${y.toFixed(1)}`;
    pen = "L";
  }
  return d;
}

function range(state) {
  let low = Infinity, high = -Infinity;
  for (const row of state.rows)
    for (const y of row)
      if (y !== null) {
        low = Math.min(low, y);
        high = Math.max(high, y);
      }
  return [low, high];
}

/* Rows run to the right with the index, whichever way the loop goes. */
function putCurve(t, state, now) {
  const n = state.rows.length - 1, [low, high] = range(state);
  const place = (k) => LEFT + (WIDTH - LEFT - RIGHT) * ((t.reverse ? n - k : k) / Math.max(1, n));
  const level = (y) => y === null ? null
    : TOP + (HEIGHT - TOP - BOTTOM) * (high > low ? 1 - (y - low) / (high - low) : 0.5);
  const svg = draw("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img"});
  const name = inRow(state.name, t.frames[now].index);
  const values = state.rows[now + 1].map((y) => y === null ? "nan or inf" : Number(y.toPrecision(4))).join(", ");
  svg.setAttribute("aria-label", `${name} so far; now ${values}`);
  svg.append(draw("line", {class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM}));
  svg.append(draw("line", {class: "now", x1: place(now + 1), x2: place(now + 1), y1: TOP, y2: HEIGHT - BOTTOM}));
  for (let e = 0; e < state.rows[0].length; e++) {
    const points = state.rows.map((row, k) => [place(k), level(row[e])]);
    svg.append(draw("path", {class: "later", stroke: `var(--c${e})`, d: pathOf(points)}));
    svg.append(draw("path", {stroke: `var(--c${e})`, d: pathOf(points.slice(0, now + 2))}));
  }
  const figure = element("figure");
  const caption = Number.isFinite(low) ? `from ${Number(low.toPrecision(4))} to ${Number(high.toPrecision(4))}` : "";
  figure.append(element("figcaption", "", `${name} = ${values}`), svg, element("p", "", caption));
  return figure;
}

/* ---- code without a loop: the graph with the numbers so far ---- */

/* A number that stands in a product: a negative one in parentheses. */
const factor = (text) => text.startsWith("-") ? `(${text})` : text;

function equation(name, ...parts) {
  const row = element("div", "equation kept"), side = element("div", "side");
  const value = element("span", "part");
  value.append(element("span", /nan|inf/.test(parts.at(-1)) ? "value bad" : "value", parts.pop()));
  for (const part of parts.filter((p, i) => p && p !== parts[i - 1] && p !== value.textContent))
    side.append(element("span", "part", part), " ");
  side.append(value);
  row.append(element("div", "name", name), side);
  return row;
}

const slope = (k) => `d ${data.tracks[0].frames[k].name}`;

/* What an edge brings, the rule first, and what has come to its node by then. */
function edgeRows(edge) {
  const local = edge.local && `${slope(edge.to)} * ${factor(edge.local)}`;
  const filled = edge.local && `${factor(edge.in)} * ${factor(edge.local)}`;
  const rows = [equation(`${slope(edge.from)}, through ${data.tracks[0].frames[edge.to].name}`, local, filled, edge.part)];
  if (edge.adds)
    rows.push(equation(slope(edge.from), "added up", edge.sum));
  if (edge.rule)
    rows.unshift(element("div", "rule", edge.rule));
  return rows;
}

function markNode(node, k, now, backward) {
  const group = id(`n${k}`), reached = backward || k <= now;
  const edges = backward ? data.tracks[1].frames.slice(0, now + 1) : [];
  const last = edges.findLast((e) => e.from === k), first = edges.length > 0 && k === data.tracks[0].frames.length - 1;
  const d = last ? last.sum : first ? edges[0].in : "";
  group.classList.toggle("ahead", !reached);
  group.querySelector(".value").textContent = reached ? node.value : "";
  group.querySelector(".slope").textContent = d && `${slope(k)} = ${d}`;
}

function putGraph(t, frame, now) {
  const nodes = data.tracks[0].frames, line = t.backward ? frame.line : -1;
  nodes.forEach((node, k) => markNode(node, k, now, t.backward));
  for (const group of id("picture").querySelectorAll(".node, .edge"))
    group.classList.remove("lit");
  for (const name of t.backward ? [`n${frame.from}`, `n${frame.to}`, `e${line}`] : [`n${now}`])
    id(name)?.classList.add("lit");
  id("place").textContent = frame.place;
  id("slider").setAttribute("aria-valuetext", frame.place);
  id("equations").replaceChildren(...(t.backward ? edgeRows(frame)
    : [equation(frame.name, frame.formula, frame.filled, frame.value)]));
  follow(id(`n${t.backward ? frame.from : now}`));
}

/* Brings what happens into view where the picture is scrolled. */
function follow(group) {
  const view = id("picture"), box = view.getBoundingClientRect(), at = group.getBoundingClientRect();
  view.scrollLeft += at.left + at.width / 2 - box.left - box.width / 2;
  view.scrollTop += at.top + at.height / 2 - box.top - box.height / 2;
}

/* ---- the whole ---- */

function show() {
  const t = here(), now = at[track], frame = t.frames[now], last = t.frames.length - 1;
  id("title").textContent = t.title;
  id("about").textContent = data.about === t.title ? "" : data.about;
  for (const b of id("ways").children)
    b.setAttribute("aria-pressed", String(Number(b.dataset.track) === track));
  const slider = id("slider");
  slider.max = Math.max(0, last);
  slider.value = now;
  for (const name of ["prev", "first"])
    id(name).disabled = now === 0;
  for (const name of ["next", "last"])
    id(name).disabled = now >= last;
  slider.disabled = id("run").disabled = last < 1;
  if (data.picture) {
    putGraph(t, frame, now);
    return;
  }
  if (!frame) {
    id("place").textContent = "the loop takes no steps";
    return;
  }
  const ends = t.stopped && frame.step + 1 === t.steps ? ", until stops here" : "";
  const text = `step ${frame.step} of 0..${t.steps - 1}, t = ${frame.index}${ends}`;
  id("place").textContent = text;
  slider.setAttribute("aria-valuetext", text);
  putEquations(t, frame);
  id("curves").replaceChildren(...t.states.map((s) => putCurve(t, s, now)));
}

function go(to) {
  const last = here().frames.length - 1;
  at[track] = Math.max(0, Math.min(last, to));
  if (at[track] >= last)
    stop();
  show();
}

/* The same row on the other way. */
function turn(to) {
  const row = here().frames[at[track]];
  track = to;
  const same = row && !data.picture ? here().frames.findIndex((f) => f.index === row.index) : -1;
  if (same >= 0)
    at[track] = same;
  stop();
  show();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  id("run").textContent = "▶";
  id("run").setAttribute("aria-pressed", "false");
}

function run() {
  if (timer) {
    stop();
    return;
  }
  if (at[track] === here().frames.length - 1)
    at[track] = 0;
  timer = setInterval(() => go(at[track] + 1), 700);
  id("run").textContent = "❚❚";
  id("run").setAttribute("aria-pressed", "true");
}

function light() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
}

const keys = {
  ArrowRight: () => go(at[track] + 1), ArrowLeft: () => go(at[track] - 1),
  PageDown: () => go(at[track] + 10), PageUp: () => go(at[track] - 10),
  Home: () => go(0), End: () => go(here().frames.length - 1),
  " ": run, b: () => data.tracks.length > 1 && turn(1 - track), t: light,
};

document.addEventListener("keydown", (event) => {
  const f = keys[event.key];
  const pressed = event.key === " " && event.target.tagName === "BUTTON";
  if (!f || event.ctrlKey || event.altKey || event.metaKey || pressed)
    return;
  event.preventDefault();
  f();
});
id("next").onclick = () => go(at[track] + 1);
id("prev").onclick = () => go(at[track] - 1);
id("first").onclick = () => go(0);
id("last").onclick = () => go(here().frames.length - 1);
id("run").onclick = run;
id("theme").onclick = light;
id("slider").oninput = (event) => go(Number(event.target.value));
if (data.picture) {
  id("picture").innerHTML = data.picture;
  id("picture").hidden = false;
  id("picture").tabIndex = 0;
  id("curves").remove();
}
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
if (data.tracks.length > 1) {
  id("ways").hidden = false;
  data.tracks.forEach((t, i) => {
    const b = element("button", "", t.backward ? "backward" : "forward");
    b.dataset.track = i;
    b.onclick = () => turn(i);
    id("ways").append(b);
  });
} else {
  id("turnkey").remove();
}
show();
