#!/usr/bin/python3
"""Boxes and lines of `:graph EXPR boxes=on`, read back: every line leads from where its value comes to where the scene
says that it goes, and no edge is missing.

    boxes.py [--gradus PROGRAM] [WORD...]      WORDs select programs

What the programs of examples/ and tests/golden define is shown as boxes and as a scene (:draw FILE.json).
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import tempfile

import golden

ROOT = pathlib.Path(__file__).resolve().parent.parent
UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
STEP = {UP: (0, -1), RIGHT: (1, 0), DOWN: (0, 1), LEFT: (-1, 0)}
BACK = {UP: DOWN, DOWN: UP, LEFT: RIGHT, RIGHT: LEFT}
LINES = dict(zip("│╎─╌└┌├┘┴┐┤┬┼", (5, 5, 10, 10, 3, 6, 7, 9, 11, 12, 13, 14, 15)))
CORNERS = {"┌": "┐└", "╭": "╮╰", "┏": "┓┗", "╔": "╗╚"}
OTHERS = [  # what examples do not have
    "a : f64\nb : f64\nz = where(a > b, a - b, b / a)",
    "a : f64\nq = if a > 0 then a * 2 else (if a > -1 then -a else a ^ 2)",
    "M : f64[3, 3]\nz = (scan i for 3 from A = M { A[i] = (scan j for 2 from B = A[i-1] { B[j] = B[j-1] @ M }).final })",
    "a : f64\nr = scan t for 10 from p = 1.0, q = a { p[t] = q[t-1] * a; q[t] = p[t-1] + q[t-1]; until p[t] > 100 }\n"
    "z = (r.final.p, r.final.q, r.steps, r.stopped, r.p, r.q)",
    "x : f64[4]\nz = sum(x * sin(x)) + sum(x * cos(x)) + sum(x) * max(x) / min(x) - x[0] * x[1]",
    "a : f64\nb : f64\nc : f64\nd : f64\nz = (a - b) * (b - c) * (c - d) * (d - a) * (a - c) * (b - d)",
]


# Two values that change columns between a row of bends and the fixed ends of a frame share a piece of a column.
KNOWN = {"gaussian_process.gr": 2}


class Picture:
    """Boxes of a picture and where its lines lead."""

    def __init__(self, text):
        rows = text.splitlines()
        width = max(map(len, rows), default=0)
        self.rows = [row.ljust(width) for row in rows]
        self.boxes = []  # (x, y, w, h, text)
        self.frames = []
        for y, row in enumerate(self.rows):
            for x, c in enumerate(row):
                if c in CORNERS:
                    self.find_box(x, y, *CORNERS[c])

    def at(self, x, y):
        return self.rows[y][x] if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[0]) else " "

    def find_box(self, x, y, right, below):
        if self.at(x, y) == "╔":
            w = next((i for i in range(1, len(self.rows[0]) - x) if self.at(x + i, y) == right
                      and self.at(x + i, y + 1) == "║"), 0)
            h = next((k for k in range(1, len(self.rows) - y) if self.at(x, y + k) == below), 0)
            self.frames.append((x, y, w + 1, h + 1))
            return
        side = self.at(x, y + 1)
        if side not in "│┃" or self.at(x, y + 2) != below:
            return
        w = next((i for i in range(1, len(self.rows[0]) - x) if self.at(x + i, y) in "┐╮┓"), 0)
        label = self.rows[y + 1][x + 1:x + w]
        if self.at(x + w, y + 1) == side and self.at(x + w, y) == right and label[:1] == label[-1:] == " ":
            self.boxes.append((x, y, w + 1, 3, label.strip()))

    def box_at(self, x, y):
        return next((b[4] for b in self.boxes if b[0] <= x < b[0] + b[2] and b[1] <= y < b[1] + b[3]), None)

    def frame_ends(self, x, y):
        return any(fx < x < fx + w - 1 and y in (fy, fy + h - 1) for fx, fy, w, h in self.frames)

    def follow(self, x, y):
        """All ends of the line that leaves (x, y) downwards."""
        ends, seen, waiting = [], set(), [(x, y, DOWN)]
        while waiting:
            x, y, way = waiting.pop()
            x, y = x + STEP[way][0], y + STEP[way][1]
            if (x, y, way) in seen:
                continue
            seen.add((x, y, way))
            c, name = self.at(x, y), self.box_at(x, y)
            if name is not None:
                assert way == DOWN and (c == "▼" or c.isdigit()), f"a line enters {name} at {c!r}"
                ends.append(name)
            elif self.frame_ends(x, y):
                assert way == DOWN and c in "╪╧▼", f"a line runs into a frame at {x}, {y}: {c!r}"
                if c == "╪":
                    waiting.append((x, y, way))
                else:
                    ends.append("a frame")
            elif LINES.get(c, 0) & BACK[way]:
                waiting += [(x, y, w) for w in STEP if LINES[c] & w and w != BACK[way]]
            else:  # it passes below an upright one
                assert LINES.get(c) == UP | DOWN and way in (LEFT, RIGHT), f"a line ends at {x}, {y}: {c!r}"
                waiting.append((x, y, way))
        return ends

    def edges(self):
        found = collections.Counter()
        for x, y, w, h, name in self.boxes:
            for i in range(1, w - 1):
                if self.at(x + i, y + h - 1) in "┬┯":
                    for end in self.follow(x + i, y + h - 1):
                        found[name, end] += 1
        for fx, fy, w, h in self.frames:
            for i in range(1, w - 1):
                if self.at(fx + i, fy + h - 1) == "╤":
                    for end in self.follow(fx + i, fy + h - 1):
                        found["a frame", end] += 1
        return found


def expected(scene):
    """The same of the scene, by labels as boxes have them."""
    labels = [n.get("label", n["op"]) for n in scene["nodes"]]

    def text(n):
        label = n.get("label", n["op"])
        number = f"%{n['id']}" if n.get("id") else None
        if number and any(re.search(re.escape(number) + r"(?!\d)", other) for other in labels):
            label = f"{number} = {label}"
        if n.get("role") in ("input", "shared") and "detail" in n:
            label += f" : {n['detail']}"
        return label + (f" = {n['value']}" if "value" in n else "")

    names = [text(n) for n in scene["nodes"]]
    found = collections.Counter()
    for e in scene["edges"]:
        ends = [names[e[end] - 1] if e.get(end) and not e.get(f"{end}_box") else "a frame" for end in ("from", "to")]
        found[tuple(ends)] += e.get("kind") != "adjoint"
    return +found


def names_of(gradus, program, files):
    out = run(gradus, program + "\n:vars\n", ["--json"], files)[0].splitlines()
    rows = [json.loads(line) for line in out]
    found = [r["data"]["vars"] for r in rows if r.get("command") == "vars"]
    return [v["name"] for v in found[-1] if v["kind"] == "definition"] if found else []


def run(gradus, program, args, files, name=None):
    with tempfile.TemporaryDirectory(prefix="gradus-boxes-") as folder:
        for extra in (files.iterdir() if files else ()):
            if extra.is_file() and extra.suffix not in (".t", ".gr"):
                pathlib.Path(folder, extra.name).write_bytes(extra.read_bytes())
        pathlib.Path(folder, "input.gr").write_text(program, encoding="utf-8")
        done = subprocess.run([gradus, "--no-init", *args, "input.gr"], cwd=folder, env=golden.environment(folder),
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=600, check=False)
        made = pathlib.Path(folder, name) if name else None
        return done.stdout.decode("utf-8"), made.read_text(encoding="utf-8") if made and made.exists() else ""


def check_program(gradus, where, program, files):
    """Problems, and how many pictures and edges were read."""
    problems, pictures, edges = [], 0, 0
    for name, state in [(n, s) for n in names_of(gradus, program, files) for s in ("", " pass=loops", " pass=lower")]:
        more = f"\n:set width 9999\n:draw {name} scene.json{state}\n:graph {name} boxes=on{state}\n"
        out, scene = run(gradus, program + more, ["--json"], files, "scene.json")
        last = json.loads(out.splitlines()[-1]) if out else {}
        if last.get("kind") == "error" or not scene:
            continue  # no graph, or too many nodes
        try:
            found, want = Picture(last["text"]).edges(), expected(json.loads(scene))
            if found != want:
                problems.append(f"{where}: {name}{state}: missing {dict(want - found)}, too many {dict(found - want)}")
        except AssertionError as problem:
            problems.append(f"{where}: {name}{state}: {problem}")
        pictures += 1
        edges += sum(want.values())
    return problems, pictures, edges


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradus", default=ROOT / "build/gradus")
    parser.add_argument("--share", type=int, default=1, help="one in so many of the programs in files")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    gradus = pathlib.Path(args.gradus).resolve()
    programs = [(f"program {i + 1}", text, None) for i, text in enumerate(OTHERS)]
    paths = sorted((ROOT / "examples").glob("*.gr")) + sorted((ROOT / "tests/golden").glob("*-loops/*.t"))
    for path in paths[::args.share]:
        text = path.read_text(encoding="utf-8")
        programs.append((path.name, golden.split(text)[0] if path.suffix == ".t" else text, path.parent))
    programs = [p for p in programs if not args.words or any(w in p[0] for w in args.words)]
    failed = pictures = edges = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for (where, _, _), (problems, n, m) in zip(programs, pool.map(lambda p: check_program(gradus, *p), programs)):
            if 0 < len(problems) <= KNOWN.get(where, 0):
                print(f"KNOWN {where}: {len(problems)}")
                problems, n = [], n - len(problems)
            failed += len(problems)
            pictures, edges = pictures + n, edges + m
            for problem in problems:
                print(f"FAIL {problem[:600]}")
    print(f"{pictures} pictures, {edges} edges")
    print(f"{pictures - failed} passed, {failed} failed")
    return failed > 0 or (not args.words and pictures < 50)


if __name__ == "__main__":
    raise SystemExit(main())
