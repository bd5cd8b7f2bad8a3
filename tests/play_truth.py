"""Frames of :play against what :trace tells of the same loops, which writes steps out instead of running them one by one;
of code without a loop, against grad and a count of nodes and edges.

    play_truth.py GRADUS      prints what differs; the last line: N passed, N failed
"""
import html.parser
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

DATA = """x : f64[7] = [0.2, 0.4, -0.3, 0.8, 0.1, -1.5, 2]
w : f64 = 0.5
W : f64[2, 2] = [[1, 0.5], [-0.5, 0.25]]
n : i64 = 5
"""
# Name, definitions, expression, by what it is differentiated (or nothing).
LOOPS = [
    ("scalar", "H = scan t over x from h = 1.1 { a = w * x[t]; h[t] = tanh(a + h[t-1]) }", "sum(H^2)", "w"),
    ("by its sequence", "H = scan t over x from h = 1.1 { h[t] = tanh(x[t] * h[t-1]) }", "H.final", "x"),
    ("vector", "S = scan t over x from h = [1.0, 0.0], c = 0.0 { z = W @ h[t-1]; h[t] = tanh(z + x[t]); "
     "c[t] = c[t-1] + sum(h[t]) * x[t-1] }", "S.final.c", "W"),
    ("backwards", "G = scan t over x from G = 0.0 { G[t] = x[t] + w * G[t+1] }", "sum(G)", "w"),
    ("two taps", "F = scan t for 8 from f = [0.0, 1.0] { f[t] = f[t-1] + w * f[t-2] }", "sum(F)", "w"),
    ("until", "R = scan t from a = 1.0 { a[t] = (a[t-1] + 2 / a[t-1]) / 2; until abs(a[t] ^ 2 - 2) < 1e-12 }", "sum(R)", ""),
    ("until over a sequence", "U = scan t over x from s = w { s[t] = s[t-1] + x[t]; until s[t] > 1 }", "sum(U)", "w"),
    ("no step", "Z = scan t for 0 from p = w { p[t] = 2 * p[t-1] }", "sum(Z)", ""),
    ("no state", "M = scan t over x { y[t] = x[t-2] - x[t] ^ 2 }", "sum(M)", ""),
    ("random", "K = scan t for 6 from p = 0.0, g = rng(7) { e, g[t] = normal(g[t-1]); p[t] = p[t-1] + e * w }", "K.final.p", "w"),
    ("counted", "C = scan t for n from k = 1, b = true { k[t] = k[t-1] * 3; b[t] = not b[t-1] }", "C.k", ""),
    ("a loop inside", "N = scan i for n from m = 1.0 { q = scan j for i + 1 from r = m[i-1] { r[j] = r[j-1] * w + 1 }; "
     "m[i] = sum(q) / 3 }", "sum(N)", ""),
    ("singular", "L = scan t for 6 from v = 1.0 { v[t] = log(v[t-1]) + w }", "sum(L)", ""),
    ("long", "O = scan t for 3000 from h = 0.1 { h[t] = 3.7 * h[t-1] * (1 - h[t-1]) }", "sum(O)", ""),
]


def run(gradus, text):
    done = subprocess.run([gradus, "--json", "-"], input=text, capture_output=True, text=True, check=False, timeout=120)
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    problems = [o for o in objects if o["kind"] == "error"]
    if problems or done.returncode:
        raise ValueError(f"{problems or done.stderr}")
    return [o for o in objects if o["kind"] == "command"]


def in_row(column, row):
    return re.sub(r"\[[^\]]*\]$", f"[{row}]", column)


def same(a, b):
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(same(p, q) for p, q in zip(a, b))
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= 1e-12 * max(1.0, abs(a), abs(b))
    return a == b


def compare_forward(frames, watched):
    """Every value that :trace shows stands in the frame of its row."""
    told = [f for f in frames if f["direction"] == "forward"]
    offset = told[0]["index"] - told[0]["step"] if told and not watched["reversed"] else 0
    count = 0
    for cells in watched["rows"]:
        if cells[0] == "init":
            continue
        frame = next(f for f in told if f["index"] - offset == int(cells[0]))
        values = {e["name"]: e["value"] for e in frame["equations"]}
        for column, cell in zip(watched["columns"][1:], cells[1:]):
            name = in_row(column, frame["index"])
            if name in values:
                count += 1
                if not same(values[name], cell):
                    raise ValueError(f"{name}: {values[name]} in the film, {cell} in :trace")
    return count


def compare_gradient(frames, watched, by):
    last = [f for f in frames if f["direction"] == "backward"][-1]
    sums = [e for e in last["equations"] if e["name"] == f"sum_d_{by}"]
    if not sums and any(e["name"].startswith("sum_d_") for e in last["equations"]):
        raise ValueError(f"no sum of the gradient by {by}")
    for e in sums:
        if not same(e["value"], watched["gradient"]):
            raise ValueError(f"{e['name']}: {e['value']} at the end, but the gradient is {watched['gradient']}")


class Page(html.parser.HTMLParser):
    """What a page asks for, and its data."""

    def __init__(self):
        super().__init__()
        self.asked, self.data, self.inside = [], "", False

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.asked += [v for k, v in attrs.items() if k in ("src", "href") and not v.startswith("data:")]
        self.inside = tag == "script" and attrs.get("id") == "data"

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.data += data


def compare_page(path, frames):
    """The page asks for nothing, and has the frames of the film."""
    page = Page()
    text = path.read_text(encoding="utf-8")
    page.feed(text)
    if page.asked or re.search(r"\b(fetch|import|XMLHttpRequest)\b|@import|url\(", text):
        raise ValueError(f"the page asks for {page.asked or 'something'}")
    tracks = json.loads(page.data)["tracks"]
    steps = [(t["backward"], f["step"], f["index"]) for t in tracks for f in t["frames"]]
    want = [(f["direction"] == "backward", f["step"], f["index"]) for f in frames if "index" in f]
    if steps != want[:len(steps)] or (len(steps) < len(want) and len(steps) < 1000):
        raise ValueError(f"the page has {len(steps)} frames, the film {len(want)}")
    for t in tracks:
        for f in t["frames"]:
            if len(f["lines"]) != len(t["lines"]) or len(f["values"]) != len(t["names"]):
                raise ValueError(f"frame {f['step']} lacks lines")
        for s in t["states"]:
            if len(s["rows"]) != len(t["frames"]) + 1:
                raise ValueError(f"the curve of {s['name']} has {len(s['rows'])} rows")


def check(gradus, definitions, expression, by, folder):
    grad = f" grad={by}" if by else ""
    page = pathlib.Path(folder, "film.html")
    commands = (f":trace {expression} rows=1000\n:play {expression} at=0..999{grad}\n"
                f":play {expression} {page}{grad}\n" + (f":trace {expression} rows=1000{grad}\n" if by else ""))
    told = [o["data"] for o in run(gradus, DATA + definitions + "\n" + commands)]
    watched, frames = told[0], told[1]["frames"]
    rows = [c[0] for c in watched["rows"] if c[0] != "init"]
    watched["reversed"] = len(rows) > 1 and int(rows[0]) > int(rows[-1])
    if watched["steps"] != told[1]["steps"] or watched["stopped"] != told[1]["stopped"]:
        raise ValueError(f"{told[1]['steps']} steps in the film, {watched['steps']} in :trace")
    count = compare_forward(frames, watched) if watched["steps"] else 1
    if not count:
        raise ValueError("nothing was compared")
    if by:
        compare_gradient(frames, told[-1], by)
    compare_page(page, frames)


# Operators of one node each, and how many operands they take.
OPERATORS = {"tanh({})": 1, "sin({})": 1, "sigmoid({})": 1, "{} + {}": 2, "{} - {}": 2, "{} * {}": 2,
             "{} / {}": 2, "maximum({}, {})": 2}
EXPRESSIONS, INPUTS = 200, ["x0", "x1", "x2"]


def random_program(draw, number):
    """Lines of one operator each; the nodes and edges of what the last one depends on, and that line's name."""
    lines, made = [], {}
    values, operands = list(INPUTS), {name: [] for name in INPUTS}
    while len(lines) < 7:
        form = draw.choice(list(OPERATORS))
        names = draw.sample(values[-4:], OPERATORS[form]) if draw.random() < 0.8 or form != "{} * {}" else [values[-1]] * 2
        key = (form, *(sorted(names) if form in ("{} + {}", "{} * {}", "maximum({}, {})") else names))
        if key in made:
            continue
        name = made[key] = f"p{number}_{len(lines)}"
        lines.append(f"{name} = {form.format(*names)}")
        values.append(name)
        operands[name] = sorted(set(names)) if form == "{} * {}" else names  # x * x passes its derivative back once
    seen, stack = set(), [values[-1]]
    while stack:
        name = stack.pop()
        if name not in seen:
            seen.add(name)
            stack += operands[name]
    return lines, len(seen), sum(len(operands[name]) for name in seen), values[-1], sorted(seen & set(INPUTS))


def check_backward(frames, gradient, names):
    """What the edges bring adds up, and ends at the numbers of grad, to the last bit."""
    sums = {}
    for f in (f for f in frames if f["direction"] == "backward"):
        part = float(f["part"]) # "inf" stands for one
        sums[f["from"]] = sums[f["from"]] + part if f["from"] in sums else part
        if not identical(sums[f["from"]], f["sum"]):
            raise ValueError(f"{f['from']}: {f['sum']} in the film, {sums[f['from']]} added up")
    for name, want in zip(names, gradient):
        if not identical(sums[name], want):
            raise ValueError(f"d {name}: {sums[name]!r} in the film, {want!r} by grad")


def identical(a, b):
    return str(float(a)) == str(float(b)) # -0.0 and 0.0 differ, nan and nan do not


def check_straight(gradus):
    draw = random.Random(29)
    programs = [random_program(draw, k) for k in range(EXPRESSIONS)]
    text = "x0 : f64 = 0.7\nx1 : f64 = -1.3\nx2 : f64 = 2.1\n:set passes differentiate\n:set steps 1\n"
    for lines, _, _, last, names in programs:
        text += "\n".join(lines) + f"\ngrad({last}, [{', '.join(names)}])\n:play {last} at=0..99\n"
    done = subprocess.run([gradus, "--json", "-"], input=text, capture_output=True, text=True, check=False, timeout=120)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    gradients = [o for o in told if o["kind"] == "value"]
    films = [o["data"] for o in told if o.get("command") == "play"]
    if len(films) != len(programs) or len(gradients) != len(programs):
        raise ValueError(f"{len(films)} films, {len(gradients)} gradients: {[o for o in told if o['kind'] == 'error'][:1]}")
    for (lines, nodes, edges, _, names), gradient, film in zip(programs, gradients, films):
        counts = [sum(f["direction"] == way for f in film["frames"]) for way in ("forward", "backward")]
        if counts != [nodes, edges] or [film["nodes"], film["edges"]] != counts:
            raise ValueError(f"{lines}: {counts} frames, {nodes} nodes and {edges} edges")
        check_backward(film["frames"], [v["value"] for v in gradient.get("values", [gradient])], names)


def main():
    passed = failed = 0
    try:
        check_straight(sys.argv[1])
        passed += 1
    except (ValueError, KeyError) as problem:
        failed += 1
        print(f"FAILED without a loop: {problem}")
    with tempfile.TemporaryDirectory() as folder:
        for name, definitions, expression, by in LOOPS:
            try:
                check(sys.argv[1], definitions, expression, by, folder)
                passed += 1
            except (ValueError, KeyError, StopIteration, OSError) as problem:
                failed += 1
                print(f"FAILED {name}: {type(problem).__name__}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
