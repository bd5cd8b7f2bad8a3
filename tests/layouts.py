"""Where drawings put things: gradients in two halves, successive states, crowds of inputs. Families of drawings.py.

Reads the JSON of a drawing: the scene and its layout, [x, y, width, height] of each node and box, the points of each edge.
"""
import io
import json
import math
import pathlib

import labels

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
RNN = "x : f64[n, k]\nW : f64[k, k]\nR = scan t over x from h = zeros(k) { h[t] = tanh(W @ h[t-1] + x[t]) }\n"
NESTED = """A : f64[3, 4]
w : f64[4]
S = scan i over A from h = zeros(4) {
  r = scan j over a = A[i] from q = 1.0 { q[j] = q[j-1] * a[j] + w[0] }
  h[i] = tanh(h[i-1] * w + r.final)
}
"""
TWO = """x : f64[5]
w : f64
S = scan t over x from h = 0.0 { h[t] = tanh(h[t-1] * w + x[t]) }
T = scan t over u = S from g = 0.0 { g[t] = sigmoid(g[t-1] + w * u[t]) }
"""


class Drawn:
    def __init__(self, data):
        scene = json.loads(data)
        self.nodes, self.boxes, self.edges = scene["nodes"], scene["boxes"], scene["edges"]
        self.at, self.frames, self.ways = (scene["layout"][k] for k in ("nodes", "boxes", "edges"))
        self.size = scene["layout"]["width"], scene["layout"]["height"]
        self.desc = scene.get("desc", "")

    def kinds(self, node):
        """Of the boxes around it, from the inside."""
        box, kinds = self.nodes[node - 1].get("box", 0), []
        while box:
            kinds.append(self.boxes[box - 1].get("kind"))
            box = self.boxes[box - 1].get("parent", 0)
        return kinds

    def middle(self, node, axis):
        at = self.at[node - 1]
        return at[axis] + at[2 + axis] / 2


def runs_through(d, k, axis):
    """Nodes that the straight pieces of edge k lie on, but for its own ends."""
    e, way = d.edges[k], d.ways[k]
    points = list(zip(way[::2], way[1::2]))
    found = []
    for i, at in enumerate(d.at):
        if at is None or i + 1 in (e.get("from"), e.get("to")):
            continue
        for a, b in zip(points, points[1:]):
            level = abs(a[axis] - b[axis]) < 0.2
            low, high = sorted((a[1 - axis], b[1 - axis]))
            if level and at[axis] + 1 < a[axis] < at[axis] + at[2 + axis] - 1 and \
                    low < at[1 - axis] + at[3 - axis] - 1 and high > at[1 - axis] + 1:
                found.append(d.nodes[i].get("label"))
    return found


def mirror(p, check):
    """An adjoint stands at the height of what it belongs to, and traces come in straight, over no node."""
    lstm = (EXAMPLES / "lstm.gr").read_text(encoding="utf-8")
    rnn = (EXAMPLES / "rnn.gr").read_text(encoding="utf-8")
    rungs = links = 0
    for what, program, e in (("LSTM", lstm, "grad(loss, Uf)"), ("RNN", rnn, "gW"),
                             ("small RNN", RNN, "grad(sum(sqr(R.final)), W)"),
                             ("loop in a loop", NESTED, "grad(sum(S.final), w)"),
                             ("loop after a loop", TWO, "grad(sum(T), [w, x])")):
        for state in ("differentiate", "loops", "specialize"):
            if program is TWO and state == "differentiate":
                continue  # what the way back computes again makes its first loop higher than the forward one
            for axis, more in ((1, ""), (0, " dir=LR")):
                name = f"{what} after {state}{more}"
                _, messages, files = p.run(program + f":draw {e} x.json pass={state} adjoint=beside{more}\n")
                if not check(name + " is drawn", "x.json" in files and "laid out" not in messages, messages):
                    continue
                d = Drawn(files["x.json"])
                for k, edge in enumerate(d.edges):
                    a, z = edge.get("from"), edge.get("to")
                    kinds = (d.kinds(a) if a else [], d.kinds(z) if z else [])
                    if edge.get("kind") == "adjoint-of" and "scan" in kinds[0] and d.nodes[a - 1].get("role") != "state":
                        links += 1
                        off = abs(d.middle(a, axis) - d.middle(z, axis))
                        check(f"{name}: {d.nodes[a - 1]['label']} beside {d.nodes[z - 1]['label']}", off < 0.6, off)
                    if edge.get("kind") == "sequence" and "forward" in kinds[0] and "adjoint" in kinds[1] and d.ways[k]:
                        rungs += 1
                        tip = d.ways[k][-2:]
                        check(f"{name}: the rung of {d.nodes[z - 1]['label']} comes in straight",
                              abs(tip[axis] - d.middle(z, axis)) < 0.6, (tip, d.at[z - 1]))
                        through = runs_through(d, k, axis)
                        check(f"{name}: the rung of {d.nodes[z - 1]['label']} is free", not through, through)
                forward = d.frames[next(i for i, b in enumerate(d.boxes) if b.get("kind") == "forward")]
                adjoint = d.frames[next(i for i, b in enumerate(d.boxes) if b.get("kind") == "adjoint")]
                check(name + ": the halves are beside each other",
                      forward[1 - axis] + forward[3 - axis] < adjoint[1 - axis], (forward, adjoint))
    check("there are rungs and links", rungs > 40 and links > 20, (rungs, links))


def gradients():
    """(What, program, expression)"""
    lstm, rnn, checkpoint = ((EXAMPLES / f"{name}.gr").read_text(encoding="utf-8") for name in ("lstm", "rnn", "checkpoint"))
    return (("LSTM", lstm, "grad(loss, Uf)"), ("RNN", rnn, "gW"), ("checkpoints", checkpoint, "h"),
            ("small RNN", RNN, "grad(sum(sqr(R.final)), W)"), ("loop in a loop", NESTED, "grad(sum(S.final), w)"),
            ("loop after a loop", TWO, "grad(sum(T), [w, x])"))


def loops_back(p, check):
    """No loop back runs through a node, and none ends where another edge begins."""
    pictures = loops = 0
    for what, program, e in gradients():
        names = {f"{state} {way} {halves}".strip(): f"{state}-{way}-{halves}.svg" for state in ("loops", "specialize", "fuse")
                 for way in ("TB", "LR") for halves in ("", "beside")}
        draws = "".join(f":draw {e} {file} pass={name.split()[0]} dir={name.split()[1]}"
                        + (" adjoint=beside" if "beside" in name else "") + "\n" for name, file in names.items())
        _, messages, files = p.run(program + draws)
        for name, file in names.items():
            if not check(f"{what}, {name} is drawn", file in files, messages):
                continue
            n, found = labels.loop_faults(io.BytesIO(files[file]))
            pictures, loops = pictures + 1, loops + n
            check(f"{what}, {name}: loops back are free", not found, found)
    check("there are loops back", pictures == 72 and loops > 300, (pictures, loops))


def crowds(p, check):
    """Many inputs of one node stand in several rows; very many are drawn as one, and that is said."""
    for n, folded in ((12, False), (20, False), (24, False), (25, True), (500, True)):
        program = "".join(f"a{i} : f64[3]\n" for i in range(n)) + "y = " + " + ".join(f"a{i}" for i in range(n)) + "\n"
        out, messages, files = p.run(program + ":draw y x.json\n:draw y all.json inner=open\n:draw y x.svg\n")
        if not check(f"{n} inputs are drawn", len(files) == 3, messages):
            continue
        d, every = Drawn(files["x.json"]), Drawn(files["all.json"])
        check(f"{n} inputs: drawn as one", (len(d.nodes) == 2) == folded and len(every.nodes) == n + 1, out)
        check(f"{n} inputs: it is said", ("inner=open draws them all" in messages) == folded, messages)
        if folded:
            label = f"{n} inputs: a0 … a{n - 1}"
            names = [node["label"] for node in d.nodes]
            check(f"{n} inputs: which ones", label in names and label.encode() in files["x.svg"], names)
        rows = {}
        for k, node in enumerate(every.nodes, 1):
            if node.get("role") == "input":
                rows.setdefault(every.middle(k, 1), []).append(int(node["label"][1:]))
        widest = max(map(len, rows.values()))
        check(f"{n} inputs: rows", widest <= (12 if n < 100 else n / 4), widest)
        first = [min(row) for _, row in sorted(rows.items())]
        check(f"{n} inputs: in order", first == sorted(first) and sum(map(len, rows.values())) == n, first)


def frames_of(d):
    """By frame: place -> the middle of what stands there, as seen from the frame's corner; and its mark."""
    found = {}
    for k, node in enumerate(d.nodes):
        box = node.get("box", 0)
        while box and d.boxes[box - 1].get("parent"):
            box = d.boxes[box - 1]["parent"]
        if d.at[k]:
            x, y = d.frames[box - 1][:2]
            found.setdefault(box, {})[node["place"]] = (d.middle(k + 1, 0) - x, d.middle(k + 1, 1) - y, node.get("mark"))
    return [found[box] for box in sorted(found)]


def films(p, check):
    """What goes on from one step to the next stays where it is; so does what the step removes."""
    rnn, lstm = ((EXAMPLES / f"{name}.gr").read_text(encoding="utf-8") for name in ("rnn", "lstm"))
    for what, program, e, steps, most in (("RNN", rnn, "gW", "3..17", 0), ("LSTM", lstm, "S.h", "1..7", 0.1),
                                          ("LSTM's gradient", lstm, "grad(loss, Uf)", "1..21", 0.11)):
        _, messages, files = p.run(program + f":draw {e} x.json step={steps} film=on\n:draw {e} x.svg step={steps} film=on\n")
        if not check(f"film of {what} is drawn", len(files) == 2, messages):
            continue
        moved = stayed = removed = 0
        frames = frames_of(Drawn(files["x.json"]))
        for before, after in zip(frames, frames[1:]):
            for place in before.keys() & after.keys():
                far = max(abs(before[place][i] - after[place][i]) for i in (0, 1)) > 1
                moved, stayed = moved + far, stayed + (not far)
                removed += after[place][2] == "removed"
        check(f"film of {what}: at most {most:.0%} of what goes on moves", moved <= most * (moved + stayed), (moved, stayed))
        check(f"film of {what}: there is enough to move and to remove", stayed > 150 and removed > 10, (stayed, removed))


def replaced(d):
    """(Gone, come): rectangles of what one reader read and of what it reads now, by the nearest."""
    def home(code):
        return d.nodes[code - 1].get("box", 0) if code > 0 else d.boxes[-code - 1].get("parent", 0)

    def around(code):
        boxes = [home(code)]
        while boxes[-1]:
            boxes.append(home(-boxes[-1]))
        return boxes

    def end(e, side):
        return -e[side + "_box"] if side + "_box" in e else e.get(side)

    found = {"removed": {}, "added": {}}
    for e in d.edges:
        a, z, mark = end(e, "from"), end(e, "to"), e.get("mark")
        if a and z and mark in found and (d.nodes[a - 1] if a > 0 else d.boxes[-a - 1]).get("mark") == mark:
            while home(z) not in around(a):
                z = -home(z)
            found[mark].setdefault((z, home(a)), set()).add(a)
    for reader, gone in found["removed"].items():
        come = found["added"].get(reader, ())
        if len(gone) == len(come):
            rects = [[(d.at[a - 1] if a > 0 else d.frames[-a - 1]) for a in side] for side in (gone, come)]
            for rect in rects[0]:
                yield rect, min(rects[1], key=lambda r: math.hypot(r[0] - rect[0], r[1] - rect[1]))


def ghosts(p, check):
    """What a step removes stands beside what comes in its place, or just above or below it."""
    rnn, lstm = ((EXAMPLES / f"{name}.gr").read_text(encoding="utf-8") for name in ("rnn", "lstm"))
    for what, program, e, least in (("RNN", rnn, "gW", 8), ("LSTM", lstm, "grad(loss, Uf)", 12)):
        counted = p.run(program + f":graph {e} ssa=on step=0\n", "--json")[0]
        last = json.loads(counted.splitlines()[-1])["data"]["steps"]
        draws = "".join(f":draw {e} {k}.json step={k}\n" for k in range(1, last + 1))
        _, messages, files = p.run(program + draws)
        if not check(f"{what}: all steps are drawn", len(files) == last, messages):
            continue
        pairs = 0
        for k in range(1, last + 1):
            for (x, y, w, h), (x2, y2, w2, h2) in replaced(Drawn(files[f"{k}.json"])):
                pairs += 1
                across, down = max(x2 - x - w, x - x2 - w2), max(y2 - y - h, y - y2 - h2)
                check(f"{what}, step {k}: what went is beside what came", across < 60 and down < 180, (across, down))
        check(f"{what}: something is replaced", pairs >= least, pairs)


def families(p, check):
    for family in (mirror, loops_back, crowds, films, ghosts):
        family(p, check)
