#!/usr/bin/python3
"""Crossings of our layout against dot's, on the pictures of tests/golden/draw that dot laid out.

    crossings.py [PROGRAM]     PROGRAM: build/tests/lay_scene

The same scenes: dot's ways are read from the golden SVG, ours from what the program prints.  In all there may be
at most 1.15 times as many, and on no picture a quarter and three more.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parents[1]
MOST = 1.15
NUMBER = r"-?\d+(?:\.\d+)?"


def curve(points):
    """A start and three points for each Bezier curve, as short straight lines."""
    out = []
    for i in range(0, len(points) - 3, 3):
        for k in range(13):
            t = k / 12
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3)
            out.append(tuple(sum(w * p[axis] for w, p in zip(weights, points[i:i + 4])) for axis in (0, 1)))
    return out


def pairs(numbers):
    return list(zip(numbers[::2], numbers[1::2]))


def svg_way(d):
    """The path of an edge: M and L straight on, C curves, H and V level and upright."""
    way = []
    for letter, rest in re.findall(r"([MLCHV])([^MLCHVz]*)", d):
        numbers = [float(x) for x in re.findall(NUMBER, rest)]
        if letter == "C":
            way += curve([way[-1]] + pairs(numbers))
        elif letter == "H":
            way += [(x, way[-1][1]) for x in numbers]
        elif letter == "V":
            way += [(way[-1][0], y) for y in numbers]
        else:
            way += pairs(numbers)
    return way


def dot_ways(svg):
    groups = re.findall(r'<g class="edge kind-(\S+?)[ "].*?</g>', svg, re.S)
    bodies = re.findall(r'<g class="edge kind-.*?</g>', svg, re.S)
    return [svg_way(d) for kind, body in zip(groups, bodies) if kind != "adjoint-of"
            for d in re.findall(r'<path class="line"[^>]* d="([^"]*)"', body)]


def our_ways(program, scene):
    out = subprocess.run([program, scene], capture_output=True, text=True, check=True).stdout
    ways = []
    for line in out.splitlines():
        points = pairs([int(x) for x in line.split()])
        ways.append(curve(points) + points[-1:] if len(points) > 3 else points)
    return ways


def side(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def cross(a, b):
    return sum(side(p, q, r) * side(p, q, s) < -1e-6 and side(r, s, p) * side(r, s, q) < -1e-6
               for p, q in zip(a, a[1:]) for r, s in zip(b, b[1:]))


def reach(way):
    xs, ys = [p[0] for p in way], [p[1] for p in way]
    return min(xs), max(xs), min(ys), max(ys)


def crossings(ways):
    reaches = [reach(w) for w in ways]
    count = 0
    for i, a in enumerate(ways):
        for k in range(i):
            p, q = reaches[i], reaches[k]
            if p[0] <= q[1] and q[0] <= p[1] and p[2] <= q[3] and q[2] <= p[3]:
                count += cross(a, ways[k])
    return count


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else HERE.parent / "build/tests/lay_scene"
    failed = pictures = dots = ours = 0
    for scene in sorted((HERE / "golden/draw").glob("*.json")):
        if scene.stem.startswith(("figure", "film")):  # those are not laid out by dot
            continue
        dot = crossings(dot_ways(scene.with_suffix(".svg").read_text(encoding="utf-8")))
        our = crossings(our_ways(program, scene))
        pictures, dots, ours = pictures + 1, dots + dot, ours + our
        bad = our > 1.25 * dot + 3
        failed += bad
        print(f"{scene.stem:20} dot {dot:4}  ours {our:4}{'   too many' if bad else ''}")
    bad = ours > MOST * dots
    print(f"all: dot {dots}, ours {ours}: {ours / dots:.3f}{', more than' if bad else ', at most'} {MOST}")
    failed += bad
    print(f"{pictures + 1 - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
