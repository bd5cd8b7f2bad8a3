#!/usr/bin/python3
"""The audit of figures (:draw style=figure), and made cases of them; drawings.py runs these.

    figures.py FILE.svg...      what lies on what in these figures

Reads the geometry of the SVG and nothing else: frames, formulas and circles, words, lines.
"""
import html
import json
import pathlib
import os
import re
import sys
import unicodedata
import xml.etree.ElementTree as ET

import layers

SVG = "{http://www.w3.org/2000/svg}"
NARROW = {**dict.fromkeys("ijl.,:;'|", .28), **dict.fromkeys("ftr()[]-1 \u00a0\u2009", .38), **dict.fromkeys("mwMW@", .95)}


def number(e, key):
    return float(e.get(key) or 0)


def rect_of(e):
    return number(e, "x"), number(e, "y"), number(e, "x") + number(e, "width"), number(e, "y") + number(e, "height")


def overlap(a, b, slack):
    return min(a[2], b[2]) - max(a[0], b[0]) > slack and min(a[3], b[3]) - max(a[1], b[1]) > slack


def inside(a, b, slack=1.0):
    return a[0] >= b[0] - slack and a[1] >= b[1] - slack and a[2] <= b[2] + slack and a[3] <= b[3] + slack


def pieces(a, b):
    """A line, if it is slanted in pieces as small as a letter's stroke, since of each only the rectangle is looked at."""
    n = 1 if a[0] == b[0] or a[1] == b[1] else int(max(abs(b[0] - a[0]), abs(b[1] - a[1])) / 2) + 1
    at = [(a[0] + (b[0] - a[0]) * i / n, a[1] + (b[1] - a[1]) * i / n) for i in range(n + 1)]
    return zip(at, at[1:])


class Figure:
    """Rectangles (left, top, right, bottom) in the units of the picture."""

    def __init__(self, svg):
        root = ET.fromstring(svg)
        self.size = number(root, "font-size")
        self.box = tuple(float(x) for x in root.get("viewBox").split())
        self.mm = float(root.get("width").removesuffix("mm"))
        self.letters = self.size * self.mm / self.box[2] * 72 / 25.4  # points
        self.frames, self.nodes, self.words, self.lines = [], [], [], []
        drawing = root.find(SVG + "g")
        shift = float(re.match(r"translate\(([\d.]+)", drawing.get("transform"))[1])
        self.room = (-shift, -shift, self.box[2] - shift, self.box[3] - shift)
        for e in drawing.iter():
            if e.tag == SVG + "g" and e.get("class") in ("frame", "node"):
                (self.frames if e.get("class") == "frame" else self.nodes).append(rect_of(e.find(SVG + "rect")))
            elif e.tag == SVG + "text":
                self.words.append((self.word_rect(e), "".join(e.itertext())))
            elif e.tag == SVG + "path" and e.get("fill") == "none":
                at = [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", re.sub("[MLQ]", " ", e.get("d")))]
                self.lines += [(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]) + .01, max(a[1], b[1]) + .01)
                               for c, d in zip(at, at[1:]) for a, b in pieces(c, d)]

    def word_rect(self, e):
        w = sum(NARROW.get(c, .6) for c in "".join(e.itertext()) if not unicodedata.combining(c)) * self.size * .93
        x, y = number(e, "x"), number(e, "y")
        left = {"middle": x - w / 2, "end": x - w}.get(e.get("text-anchor"), x)
        return left, y - .72 * self.size, left + w, y + .13 * self.size

    def faults(self):
        """What lies on what, in words."""
        found = []
        for i, a in enumerate(self.nodes):
            found += [f"node {a} on node {b}" for b in self.nodes[:i] if overlap(a, b, .3)]
            found += [f"node {a} on frame {b}" for b in self.frames if overlap(a, b, .3) and not inside(a, b)]
        for i, a in enumerate(self.frames):
            found += [f"frame {a} on frame {b}" for b in self.frames[:i]
                      if overlap(a, b, .3) and not inside(a, b) and not inside(b, a)]
        for i, (a, word) in enumerate(self.words):
            found += [f"{word!r} on {other!r}" for b, other in self.words[:i] if overlap(a, b, .5)]
            found += [f"{word!r} on the border of {b}" for b in self.nodes + self.frames
                      if overlap(a, b, 1) and not inside(a, b, 3)]
            found += [f"{word!r} on line {b}" for b in self.lines if overlap(a, (b[0] - 1, b[1] - 1, b[2] + 1, b[3] + 1), 1.8)]
        for a in self.nodes:
            found += [f"line {b} through node {a}" for b in self.lines if overlap((a[0] + 2, a[1] + 2, a[2] - 2, a[3] - 2), b, 0)]
        return found + [f"{a} outside" for a in self.nodes + self.frames + [w for w, _ in self.words] if not inside(a, self.room, 4)]


LSTM = """x : f64[T, n]
Wi : f64[n, m]
Wf : f64[n, m]
Wo : f64[n, m]
Wc : f64[n, m]
Ui : f64[m, m]
Uf : f64[m, m]
Uo : f64[m, m]
Uc : f64[m, m]
bi : f64[m]
bf : f64[m]
bo : f64[m]
bc : f64[m]
S = scan t over x from h = zeros(m), c = zeros(m) {
  i = sigmoid(x[t] @ Wi + h[t-1] @ Ui + bi)
  f = sigmoid(x[t] @ Wf + h[t-1] @ Uf + bf)
  o = sigmoid(x[t] @ Wo + h[t-1] @ Uo + bo)
  c[t] = f * c[t-1] + i * tanh(x[t] @ Wc + h[t-1] @ Uc + bc)
  h[t] = o * tanh(c[t])
}
loss = sum(sqr(S.final.h))
"""


def audited(p, check, what, program, options, file="a.svg", whole=True):
    """The figure, if there is one, and the messages."""
    _, messages, files = p.run(f"{program}:draw {options} style=figure {file}\n", whole=whole)
    if file not in files:
        return None, messages
    figure = Figure(files[file])
    faults = figure.faults()
    check(f"figure {what}: nothing lies on anything", not faults, faults[:3])
    return figure, messages


def widths(p, check):
    """Width and letters are kept, or it is said what there must be."""
    before = 0.0
    for cm in (2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 20, 30):
        figure, messages = audited(p, check, f"{cm} cm", LSTM, f"S.h width={cm}cm")
        if figure is None:
            least = re.search(r"this figure is ([\d.]+) cm wide at least", messages)
            check(f"{cm} cm is refused with a reason", least and float(least[1]) > cm and before == 0, messages)
            continue
        before = figure.mm
        check(f"{cm} cm is kept", figure.mm <= cm * 10 + .01, figure.mm)
        check(f"{cm} cm has letters of 7 pt", figure.letters >= 6.9999, figure.letters)
        shown = any("folded" in word or "abbreviated" in word for _, word in figure.words)
        told = "folded" in messages or "abbreviated" in messages
        check(f"{cm} cm: what is folded is told, and not in the figure", not shown and (told or len(figure.nodes) == 9),
              (shown, len(figure.nodes), messages))
    check("some width is kept", before > 0)
    figure, _ = audited(p, check, "LSTM at 14 cm", LSTM, "S.h width=14cm min=7pt")
    check("an LSTM has at most 20 boxes", figure and 9 <= len(figure.nodes) + len(figure.frames) <= 20,
          figure and len(figure.nodes))
    figure, _ = audited(p, check, "large letters", LSTM, "S.h min=14pt")
    check("letters are as large as asked for", figure and figure.letters >= 13.999, figure and figure.letters)
    figure, _ = audited(p, check, "gradient", LSTM, "grad(loss, [Uf, Wi, bo]) width=16cm pass=differentiate")
    check("a gradient has two frames", figure and len(figure.frames) == 2)


def errors(p, check):
    program = "x : f64[3]\n"
    for options, words in (("style=figure width=wide", "width= is a length: width=14cm"),
                           ("style=figure width=0cm", "width= is a length"),
                           ("style=figure min=7", "min= is a length: min=7pt"),
                           ("style=figure min=-1pt", "min= is a length"),
                           ("width=14cm", "width= goes with style=figure"),
                           ("index=sub", "index= goes with style=figure"),
                           ("style=figure values=data", "x has no value"),
                           ("style=figure adjoint=on", "reverse mode starts from a single real number"),
                           ("style=figure adjoint=beside", "an adjoint is written in the box of its value"),
                           ("style=figure adjoint=on pass=fuse", "the expression as it is written"),
                           ("style=figure film=on step=1", "a figure writes many of them into one formula"),
                           ("style=figure inner=closed unroll=2", "the steps of a closed loop are not drawn"),
                           ("style=figure focus=%9", "there is no node %9"),
                           ("style=figure dir=LR", "formulas are read from left to right"),
                           ("style=book", "style= is graph or figure")):
        _, messages, files = p.run(f"{program}:draw x * 2 a.svg {options}\n")
        check(f"{options}: the error says why", words in messages and not files, messages)


RNN = """x : f64[T, n]
z : f64[4, n]
U : f64[n, m]
W : f64[m, m]
V : f64[m, k]
b : f64[m]
h0 : f64[m]
S = scan t over x from h = h0 { h[t] = tanh(x[t] @ U + h[t-1] @ W + b) }
R = scan t over z from h = zeros(m) { h[t] = tanh(z[t] @ U + h[t-1] @ W + b); o[t] = h[t] @ V }
f(Q, K) = softmax(tanh(Q) @ K' / sqrt(2.0), axis=1)
"""


def straight(figure, name):
    """Do the lines at these words stand at one height?"""
    heights = {round(r[3], 1) for r, word in figure.words if re.fullmatch(name + r"\[-?\d+\]", word)}
    return len(heights) == 1


def steps(p, check):
    """A loop as a row of its steps."""
    figure, messages = audited(p, check, "of 4 steps", RNN, "S.h unroll=4 width=16cm min=7pt")
    if check("4 steps of an RNN are 16 cm wide", figure, messages):
        words = [word for _, word in figure.words]
        check("each step has a frame, and the others one", len(figure.frames) == 6, len(figure.frames))
        check("steps are named by their numbers", {"h[-1]", "h[0]", "h[3]", "x[0]", "x[3]"} <= set(words), words)
        check("states are one straight line", straight(figure, "h"), words)
    figure, messages = audited(p, check, "of all steps", RNN, "R.o unroll=4")
    words = figure and [word for _, word in figure.words]
    check("what each step gives is told once", figure and all(words.count(f"o[{i}]") == 1 for i in range(4)) and
          not any("more" in word or "and so on" in word for word in words), words)
    rise = figure and [r for r, word in figure.words if word.startswith("o[")][:4]
    check("it leaves above the steps", rise and all(r[3] < min(f[1] for f in figure.frames[1:]) for r in
          [r for r, word in figure.words if re.fullmatch(r"o\[\d\]", word)]), rise)
    figure, messages = audited(p, check, "of 2 of 4 steps", RNN, "sum(sqr(R.o)) unroll=2")
    words = figure and [word for _, word in figure.words]
    check("the others are counted", figure and "2 more" in words and any(": 2 of 4 steps" in word for word in words), words)
    audited(p, check, "of an LSTM's steps", LSTM, "S.h unroll=3")
    audited(p, check, "of a gradient's steps", RNN, "grad(sum(R.o), W) unroll=4 pass=differentiate")


def asked(p, check):
    """What is told only if it is asked for."""
    figure, messages = audited(p, check, "with types", RNN, "R.o types=on")
    words = figure and [word for _, word in figure.words]
    check("shapes stand at lines", figure and {"m", "k", "z[t]\u00a0:\u00a0n"} <= set(words), words)
    check("those of inputs stand below", figure and any("z : 4\u00d7n" in word for word in words), words)
    given = "a : f64 = 2.0\nb = a * a\nc = sin(b) + b\n"
    figure, messages = audited(p, check, "with values", given, "c values=grad ids=on")
    words = figure and [word for _, word in figure.words]
    check("values and derivatives stand at formulas", figure and any("= 4,\u00a0 \u2202 = 0.346356" in word for word in words), words)
    check("numbers stand there, too", figure and any(word.startswith("%2") for word in words), words)
    figure, messages = audited(p, check, "near a node", "a : f64\n" + "".join(
        f"v{i} = sin({'a' if i == 0 else f'v{i - 1}'} + {i})\n" for i in range(6)), "v5 focus=%4 depth=1")
    check("focus= keeps what is near", figure and len(figure.nodes) == 3 and "around %4" in messages, messages)
    figure, messages = audited(p, check, "of closed frames", RNN, "f(S.h, S.h * 2) inner=closed")
    check("inner=closed draws no formula in a frame", figure and not any(
        inside(n, f) for n in figure.nodes for f in figure.frames) and len(figure.frames) == 2, messages)
    figure, messages = audited(p, check, "of a call", RNN, "f(S.h, S.h * 2)")
    words = figure and [word for _, word in figure.words]
    check("what is computed enters a call under its name there", figure and {"Q", "K"} <= set(words), words)


REVERSE = """x1 : f64 = 0.5
x2 : f64 = 4.2
y = x1 * x2 + sin(x1)
x : f64[n]
W : f64[m, n]
b : f64[m]
L = sum(sqr(tanh(W @ x + b))) / 2
s0 = x1
""" + "".join(f"s{i} = sin(s{i - 1}) * {'x2' if i % 3 else f's{i // 2}'}\n" for i in range(1, 15))


def deep(p, check):
    """A net of a hundred layers is a row of a few boxes."""
    for cm in (20, 14, 8.5):
        figure, _ = audited(p, check, f"of a hundred layers at {cm} cm", layers.program(layers.simple(layers.LAYERS[0]), 100),
                            f"y style=figure index=sub width={cm}cm")
        if figure:
            check(f"a hundred layers keep {cm} cm", figure.mm <= 10 * cm + .01 and len(figure.nodes) == 3, (figure.mm, figure.nodes))


EDIT = """a : i64[n]
b : i64[m]
D = scan i over a from d = f64(arange(m + 1)) {
  r = scan j over b from r = i + 1.0 { r[j] = minimum(minimum(d[i-1][j+1] + 1, r[j-1] + 1), d[i-1][j] + (if a[i] == b[j] then 0.0 else 1.0)) }
  d[i] = concat((expand_dims(i + 1.0, axis=0), r))
}
"""
CHAIN = "A : f64[K, K]\npi0 : f64[K]\nx : f64[T, K]\nalpha = scan t over x from alpha = pi0 { alpha[t] = (alpha[t-1] @ A) * x[t] }\n"


def arrows(p, program, options):
    """{cell: cells that it reads} of a figure of cells, or the messages."""
    _, messages, files = p.run(f"{program}:draw {options} style=figure a.json\n")
    if "a.json" not in files:
        return messages
    scene = json.loads(files["a.json"])
    read = {n["label"]: set() for n in scene["nodes"] if n["op"] == "cell"}
    for e in scene["edges"]:
        read[scene["nodes"][e["to"] - 1]["label"]].add(scene["nodes"][e["from"] - 1]["label"])
    return read


def cells(p, check):
    """A scan in a scan is a grid, a scan with a matrix product a trellis; what is read otherwise is neither."""
    def grid(name, rows, columns, reads):
        return {f"{name}({i},{j})": {f"{name}({i + di},{j + dj})" for di, dj in reads} for i in range(rows) for j in range(columns)}
    check("edit distance: three arrows into each cell", arrows(p, EDIT, "D cells=on") == grid("r", 3, 3, [(-1, 0), (0, -1), (-1, -1)]))
    small = EDIT.replace("[n]", "[2]").replace("[m]", "[4]").replace("m + 1", "5")
    check("of rows and columns as many as asked", arrows(p, EDIT, "D cells=on unroll=2,5") == grid("r", 2, 5, [(-1, 0), (0, -1), (-1, -1)]))
    check("a small grid is drawn whole", arrows(p, small, "D cells=on unroll=9") == grid("r", 2, 4, [(-1, 0), (0, -1), (-1, -1)]))
    plain = EDIT.replace("minimum(d[i-1][j+1] + 1, r[j-1] + 1)", "r[j-1] + 1")
    check("without the value above there are two", arrows(p, plain, "D cells=on unroll=2") == grid("r", 2, 2, [(0, -1), (-1, -1)]))
    for what, program in (("the whole row", EDIT.replace("d[i-1][j+1] + 1", "sum(d[i-1])")), ("from the end", EDIT.replace("d[i-1][j+1]", "d[i-1][m - j]")),
                          ("in the initial value", EDIT.replace("r = i + 1.0 {", "r = d[i-1][0] {")), ("no loop", "D = 1 + 2\n")):
        read = arrows(p, program, "D cells=on")
        check(f"read {what}: no grid", isinstance(read, str) and "no loop in this is a grid" in read, read)
    for k, states in (("4", ["0", "1", "2", "3"]), ("500", ["0", "1", "499"]), ("K", ["0", "1", "K-1"])):
        read = arrows(p, CHAIN.replace("K", k), "alpha cells=on unroll=2")
        check(f"a trellis of {k} states", read == {f"alpha({t},{s})": {f"alpha(0,{u})" if t else f"pi0({u})" for u in states}
                                                  for t in (0, 1) for s in states}, read)
    for name, program, asked in (("grid", EDIT, "D"), ("trellis", CHAIN, "alpha"), ("long names", CHAIN.replace("alpha", "a" * 200), "a" * 200)):
        for cm in (8.5, 14):
            figure, messages = audited(p, check, f"of a {name} at {cm} cm", program, f"{asked} cells=on index=sub width={cm}cm title=\"\"")
            check(f"{name} at {cm} cm", figure.mm <= 10 * cm + .01 if figure else "wide at least" in messages, messages)
    for options, why in (("cells=on unroll=13", "up to 12"), ("cells=on unroll=0", "up to 12"), ("cells=on unroll=3,", "up to 12"), ("cells=on unroll=2,3,4", "up to 12"), ("cells=on values=on", "values= does not go with cells="), ("cells=on types=on", "types= does not")):
        read = arrows(p, EDIT, f"D {options}")
        check(f"{options} is refused", isinstance(read, str) and why in read, read)
    check("rows and columns go with cells", "go with cells=on" in p.run(EDIT + ":draw D a.svg unroll=3,4\n")[1])
    check("cells= goes with figures", "goes with style=figure" in p.run(EDIT + ":draw D a.svg cells=on\n")[1])
    status, svg, messages = p.draw({"style": "figure", "nodes": [{"op": "cell", "label": "a", "row": 1, "column": 1}, {"op": "cell", "label": "b", "row": 900}],
                                    "boxes": [{"title": "t"}], "edges": [{"from": 1, "to": 1}, {"from": 1, "to_box": 1}, {"from": 1, "to": 2}]})
    check("odd cells are drawn or refused", status == 0 and svg.startswith(b"<svg"), messages)


def reverse(p, check):
    """Reverse mode: names, adjoints, factors, and an arrow back for each."""
    bar = "\u0304"
    for cm in (8.5, 14):
        figure, messages = audited(p, check, f"of reverse mode at {cm} cm", REVERSE, f"y adjoint=on values=on width={cm}cm")
        words = figure and [word for _, word in figure.words]
        check(f"at {cm} cm values, adjoints and factors are there", figure and figure.mm <= cm * 10 + .01 and
              {"v1 = x1 \u00b7 x2 = 2.1", f"x{bar}1 = 5.078", f"x{bar}2 = 0.5", "x2 = 4.2", "cos(x1) = 0.8776", "1"} <= set(words), words)
    figure, messages = audited(p, check, "of reverse mode over arrays", REVERSE, "grad(L, [W, b]) adjoint=on width=14cm")
    words = figure and [word for _, word in figure.words]
    check("factors of arrays are diagonals, or names", figure and {"I", "diag(1 \u2212 v3\u00b2)", "\u2202v1/\u2202W", "ones(m)"} <= set(words) and
          f"x{bar}" not in " ".join(words), words)
    figure, messages = audited(p, check, "of reverse mode over 30 values", REVERSE, "s14 adjoint=on width=14cm")
    check("30 values have a box each", figure and len(figure.nodes) == 30 and figure.mm <= 140.01, messages)
    _, messages, files = p.run(REVERSE + "".join(f":draw y a.{ext} style=figure adjoint=on\n" for ext in ("svg", "tex")))
    back = files.get("a.svg", b"").count(b"stroke-dasharray"), files.get("a.tex", b"").count(b"dash pattern")
    check("each of the 5 lines has one back", back == (5, 5), (back, messages))


def sizes(p, check):
    """Large and odd graphs: a figure or a reason, never anything lying on anything."""
    many = "".join(f"x{i} : f64\n" for i in range(300))
    figure, messages = audited(p, check, "of 300 inputs", many, "+".join(f"x{i}" for i in range(300)) + " width=14cm", whole=False)
    check("300 inputs are drawn or refused", figure or "wide at least" in messages, messages)
    chain = "x : f64[4]\nv0 = x\n" + "".join(f"v{i} = tanh(v{i - 1} + {i})\n" for i in range(1, 40))
    figure, messages = audited(p, check, "of a chain", chain, "v39")
    check("a chain of names is a chain of formulas, which begins at its input", figure and len(figure.nodes) == 40, messages)
    long = "x : f64\n"
    figure, messages = audited(p, check, "of a long formula", long, "sin(" * 200 + "x" + ")" * 200 + " width=10cm repeat=off")
    check("a long formula is cut into parts", figure and 5 < len(figure.nodes) < 60, messages)
    nested = "x : f64[T]\nS = scan i over x from a = 0.0 { T = scan j for 3 from b = a[i-1] { b[j] = b[j-1] * x[i] }; a[i] = T.final }\n"
    figure, messages = audited(p, check, "of a loop in a loop", nested, "S.a")
    check("a loop in a loop", figure and len(figure.frames) == 2, messages)
    audited(p, check, "of a constant", "", "1.0")
    name = "a" * 10000
    figure, messages = audited(p, check, "of a long name", f"{name} : f64[3]\n", f"tanh({name}) width=14cm", whole=False)
    check("a long name is shortened", figure and figure.mm <= 140.01 and any("\u2026" in word for _, word in figure.words), messages)
    figure, messages = audited(p, check, "too narrow for anything", nested, "S.a width=1cm")
    check("1 cm is refused", not figure and "wide at least" in messages, messages)
    both = "u : f64[T]\nS = scan t over u from s = 0.0 { s[t] = s[t-1] + u[t] }\n" \
           "P = scan t over S from p = 1.0 { p[t] = p[t-1] * S[t] }\n"
    figure, messages = audited(p, check, "of two loops backwards", both, "grad(sum(sqr(P)), u) width=14cm pass=differentiate")
    words = figure and [word for _, word in figure.words]
    check("a body that two loops share is named after each", figure and
          {"\u03b4\u207as[t]", "s[t]"} <= set(words) and any(word.startswith("s[t] = ") for word in words) and
          any(word.startswith("\u03b4\u207as[t-1] = ") for word in words), words)


def constants(p, check):
    """Constants stand as numbers, zero starts not at all."""
    program = "u : f64[9]\nc : f64\n"
    for start in ("[0.0, 0.0]", "[0.5, -1.0]"):
        loop = f"A = scan t over u from y = {start} {{ y[t] = c * y[t-1] + 0.5 * y[t-2] + u[t] }}\n"
        for e, at in (("A", ""), ("grad(sum(A), c)", ""), ("grad(sum(A), c)", "pass=loops")):
            figure, messages = audited(p, check, f"of {e} from {start} {at}", program + loop, f"{e} width=14cm {at}")
            words = figure and [word for _, word in figure.words]
            told = "[0.0" in start or figure and ("[0.5, \u22121.0]" in words or {"0.5", "\u22121.0"} <= set(words))
            check(f"{e} from {start} {at}: its start is told if it is not zero", told and
                  not any("const" in word or word == "z1" for word in words), (words, messages))
    figure, messages = audited(p, check, "of a vector", program, "u[:3] * [1.0, -2.0, 3.0]")
    check("a short vector is written out", figure and any("[1, \u22122, 3]" in word for _, word in figure.words), messages)


def steps_told(p, check):
    """How often a loop runs stands in its title or nowhere; under a name, beside the loop as well."""
    start = "T : i64\nw : f64[2]\n"
    loop = "h = scan t for {} from h = w {{ h[t] = tanh(h[t-1] * w) }}\n"
    for what, before, count, box in (("a formula", "", "2 * T - 4", 0), ("a name", "m = 2 * T - 4\n", "m", 1)):
        figure, messages = audited(p, check, f"of {what} of steps", start + before + loop.format(count), "grad(sum(h), w)")
        words = figure and [word for _, word in figure.words]
        told = "m steps" if box else "2\u2009T \u2212 4 steps"
        check(f"{what} of steps is told", figure and told in words and len(figure.nodes) == 2 + box, (words, messages))
    rnn = (pathlib.Path(__file__).resolve().parent.parent / "examples" / "rnn.gr").read_text(encoding="utf-8")
    figure, messages = audited(p, check, "of a gradient by steps", rnn, "gW")
    words = figure and [word for _, word in figure.words]
    check("rows are told, not their number", figure and not any("maximum" in word for word in words), (words, messages))


PAIRS_IN = """x : f64[5]
A : f64[3, 3]
B : f64[3, 3]
a : f64
b : f64
"""
LOOP = "S = scan t over x from s = a {0}{{ s[t] = tanh(s[t-1] * b + x[t]) }}\n"
PAIRS = {  # what differs in an attribute or operand of a frame, or in which operand of a circle is which
    "checkpoint": (LOOP.format("") + "S", LOOP.format("checkpoint 2 ") + "S"),
    "how many are kept": (LOOP.format("checkpoint auto ") + "S", LOOP.format("checkpoint 2 ") + "S"),
    "truncation": (LOOP.format("") + "grad(S.final, b)", LOOP.format("") + "grad(S.final, b, truncate=2)"),
    "truncated steps": (LOOP.format("") + "grad(S.final, b, truncate=3)", LOOP.format("") + "grad(S.final, b, truncate=2)"),
    "what a gradient is by": (LOOP.format("") + "grad(S.final, b)", LOOP.format("") + "grad(S.final, a)"),
    "axes of lanes": ("vmap(r -> r * r[0])(A)", "vmap(r -> r * r[0], in_axes=1)(A)"),
    "axes of results": ("vmap(r -> r * r[0])(A)", "vmap(r -> r * r[0], out_axes=1)(A)"),
    "axes of one of two": ("vmap((r, q) -> r * q)(A, B)", "vmap((r, q) -> r * q, in_axes=(0, 1))(A, B)"),
    "a lane and the whole": ("vmap(r -> sum(r) * r)(A)", "vmap(r -> sum(A) * r)(A)"),
    "cotangents": ("vjp(sin(a) * b, a, 2.0)", "vjp(sin(a) * b, a, 3.0)"),
    "tangents": ("jvp(sin(a) * b, a, 2.0)", "jvp(sin(a) * b, a, 3.0)"),
    "what is pulled back to": ("vjp(sin(a) * b, a, 2.0)", "vjp(sin(a) * b, b, 2.0)"),
    "the mode": ("jvp(sin(a) * b, a, 2.0)", "vjp(sin(a) * b, a, 2.0)"),
    "branches": ("if a > 0 then sin(a) else b", "if a > 0 then b else sin(a)"),
    "steps": ("scan t for 3 from s = a { s[t] = s[t-1] * b }", "scan t for 4 from s = a { s[t] = s[t-1] * b }"),
    "a start": ("scan t for 3 from s = a { s[t] = s[t-1] * b }", "scan t for 3 from s = 0.0 { s[t] = s[t-1] * b }"),
    "until": ("scan t for 3 from s = a { s[t] = s[t-1] * b; until s[t] > 1 }", "scan t for 3 from s = a { s[t] = s[t-1] * b }"),
    "the order of a difference": ("scan t over x from s = a { s[t] = tanh(s[t-1]) - sin(x[t]) }",
                                  "scan t over x from s = a { s[t] = sin(x[t]) - tanh(s[t-1]) }"),
    "random results": ("uniform(rng(1), 3)[0]", "normal(rng(1), 3)[0]"),
    "a transpose": ("{ C = A @ B; C' }", "{ C = A @ B; C }"),
    "a stopped gradient": ("stop_gradient(a) * b", "a * b"),
    "a cast": ("f64(f32(a)) * b", "a * b"),
}


def pairs(p, check):
    """Graphs that differ have figures of other words."""
    for what, programs in PAIRS.items():
        words = []
        for program in programs:
            before, _, asked = program.rpartition("\n")
            _, messages, files = p.run(f"{PAIRS_IN}{before}\n:draw {asked} a.svg style=figure\n")
            if not check(f"{what}: {asked} is drawn", "a.svg" in files, messages):
                break
            words.append([word for _, word in Figure(files["a.svg"]).words])
        check(f"{what} is seen", len(words) == 2 and words[0] != words[1], words)


PASSES = ("", "pass=differentiate", "pass=loops", "pass=fuse", "pass=lower")


def worth_drawing(source):
    """What an example defines, and the derivatives that it asks for."""
    found, depth = [], 0
    for line in source.splitlines():
        line = line.split("#")[0].rstrip()
        defined = re.match(r"([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*=[^=>]", line)
        if depth == 0 and defined:
            found += [name.strip() for name in defined[1].split(",")]
        elif depth == 0 and "grad(" in line and "=" not in line and not line[0].isspace():
            found.append(line)
        depth += sum(line.count(c) for c in "{[(") - sum(line.count(c) for c in "}])")
    return list(dict.fromkeys(found))


def printed(p, check):
    """All that the examples define, before and after each pass, at the width of a page of a book."""
    drawn = folded = 0
    every = max(1, round(100 / float(os.environ.get("GRADUS_EFFORT") or 100)))
    for path in sorted((pathlib.Path(__file__).parent.parent / "examples").glob("*.gr")):
        source = path.read_text(encoding="utf-8")
        asked = [(what, at) for what in worth_drawing(source) for at in PASSES][::every]
        commands = [f":draw {what} {k}.svg style=figure width=14cm min=7pt {at}" for k, (what, at) in enumerate(asked)]
        _, messages, files = p.run(source + "\n" + "\n".join(commands) + "\n", whole=False)
        folded += len(re.findall("(folded|shortened) to keep the width", messages))
        for k, (what, at) in enumerate(asked):
            name = f"{path.stem}: {what} {at}"
            if f"{k}.svg" not in files:  # functions are no graphs
                check(f"{name} is drawn", re.search(rf"draw {re.escape(what)} {k}\.svg", messages) and
                      "wide at least" not in messages, messages[:200])
                continue
            figure = Figure(files[f"{k}.svg"])
            drawn += 1
            check(f"{name} keeps 14 cm and 7 pt", figure.mm <= 140.01 and figure.letters >= 6.9999, (figure.mm, figure.letters))
            check(f"{name}: nothing lies on anything", not figure.faults(), figure.faults()[:3])
    few = folded < drawn / 5 or every > 2  # of a sample it says little
    check("examples are drawn, few of them folded", drawn > 250 / every and few, (drawn, folded))


def textbook_figures():
    """(name, program, what is drawn) of each figure of examples/figures.in.md."""
    page = (pathlib.Path(__file__).parent.parent / "examples" / "figures.in.md").read_text(encoding="utf-8")
    for program, command in re.findall(r"```gradus fresh\n(.*?)```\n\n.*?```gradus\n(.*?)```", page, re.S):
        for asked, name, options in re.findall(r":draw (\S+) figures/(\w+)\.svg (.*style=figure.*)", command):
            yield name, program, " ".join([asked] + re.findall(r"(?:adjoint|values|cells)=\w+", options))


def blank_share(figure):
    """How much of the picture is outside all frames, formulas and words."""
    left, top, right, bottom = figure.room
    step = 4
    filled = figure.frames + figure.nodes + [rect for rect, _ in figure.words]
    spots = [(left + step * (i + .5), top + step * (k + .5)) for i in range(int((right - left) / step))
             for k in range(int((bottom - top) / step))]
    covered = sum(any(a[0] <= x <= a[2] and a[1] <= y <= a[3] for a in filled) for x, y in spots)
    return 1 - covered / max(1, len(spots))


def textbook(p, check):
    """The figures of textbooks at the widths of a column, a page and a wide page."""
    found = list(textbook_figures())
    check("there are figures of textbooks", len(found) >= 12, found)
    lists = 0
    for name, program, asked in found:
        what, _, more = asked.partition(" ")
        options = [f"{what} {cm}.svg {more} style=figure index=sub width={cm}cm" for cm in (8.5, 14, 18)]
        _, messages, files = p.run(program + "".join(f":draw {o}\n" for o in options))
        lists += messages.count("the whole is a list")
        for cm in (8.5, 14, 18):
            what = f"{name} at {cm} cm"
            if not check(f"{what} is drawn", f"{cm}.svg" in files, messages):
                continue
            figure = Figure(files[f"{cm}.svg"])
            check(f"{what}: nothing lies on anything", not figure.faults(), figure.faults()[:3])
            check(f"{what} keeps the width and 7 pt", figure.mm <= 10 * cm + .01 and figure.letters >= 6.9999)
            words = " ".join(word for _, word in figure.words)
            check(f"{what}: Greek letters, no words for them", not re.search(r"alpha|beta|epsilon|_hat", words), words)
            check(f"{what} is not mostly blank", blank_share(figure) < .74, blank_share(figure))
            left, top, right, bottom = figure.room
            check(f"{what} is one row", name != "rnn" or cm < 14 or right - left > 3 * (bottom - top), figure.room)
    check("lines are left out of at most one figure at one width", lists <= 1, lists)
    shapes(p, check, found)


def shapes(p, check, found):
    """What a layer makes of its input stands at the lines between the layers."""
    program, asked = next((program, asked) for name, program, asked in found if name == "conv")
    figure, messages = audited(p, check, "of a net's shapes", program, f"{asked} width=14cm types=on")
    for shape in ("1\u00d728\u00d728", "6\u00d724\u00d724", "6\u00d712\u00d712", "16\u00d78\u00d78", "16\u00d74\u00d74"):
        at = [rect for rect, word in figure.words if word.endswith(shape)] if figure else []
        check(f"{shape} stands at a line", any(not any(inside(rect, node) for node in figure.nodes) for rect in at), messages)


def texts(p, check, sound, hostile):
    """Any text in a scene: never markup."""
    for name, text in hostile.items():
        scene = {"style": "figure", "title": text, "caption": text, "nodes": [
            {"op": "formula", "label": text, "box": 1}, {"op": text, "label": text, "box": 1},
            {"op": "state", "role": "state", "label": text, "box": 1}, {"op": "output", "role": "output", "label": text}],
            "boxes": [{"title": text, "subtitle": text}],
            "edges": [{"from": 3, "to": 1}, {"from": 1, "to": 2}, {"from": 2, "to": 4}]}
        status, svg, messages = p.draw(scene)
        if check(f"figure with hostile text {name}", status == 0, messages):
            sound(f"figure with hostile text {name}", svg)


def audit_fails(check, svg):
    """The audit finds what is moved onto something else."""
    texts = list(re.finditer(r'(<text[^>]*) x="([\d.]+)" y="([\d.]+)"', svg))
    first, last = texts[0], texts[-1]
    moved = svg[:last.start()] + f'{last[1]} x="{first[2]}" y="{first[3]}"' + svg[last.end():]
    check("the audit finds a word on a word", Figure(svg).faults() == [] and Figure(moved).faults() != [])
    wider = re.sub(r'(<g class="node">.*?<rect[^>]* width=")([\d.]+)', lambda m: m[1] + "300", svg, count=1, flags=re.S)
    check("the audit finds a node on others", Figure(wider).faults() != [])


def family(p, check, sound, hostile, golden):
    textbook(p, check)
    deep(p, check)
    cells(p, check)
    layers.family(p, check)
    for path in sorted(golden.glob("figure_*.svg")):
        faults = Figure(path.read_text(encoding="utf-8")).faults()
        check(f"{path.name}: nothing lies on anything", not faults, faults[:3])
    audit_fails(check, (golden / "figure_lstm.svg").read_text(encoding="utf-8"))
    widths(p, check)
    errors(p, check)
    steps(p, check)
    asked(p, check)
    reverse(p, check)
    sizes(p, check)
    constants(p, check)
    steps_told(p, check)
    pairs(p, check)
    printed(p, check)
    texts(p, check, sound, hostile)


def main():
    bad = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            faults = Figure(file.read()).faults()
        bad += bool(faults)
        print(f"{path}: {html.unescape('; '.join(faults)) or 'fine'}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
