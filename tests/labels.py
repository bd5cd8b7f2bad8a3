#!/usr/bin/python3
"""The audit of pictures: no text of an edge lies on a node, on the tab of a box or on another text; no loop back runs
through a node, and none ends where another edge begins.

    labels.py [FILE.svg...]

Without files: all pictures that the examples ship and all golden ones. Reads the geometry of the SVG and nothing else, so it
knows nothing of how the places were found. The last line is "N passed, N failed".
"""
import math
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parent.parent
SVG = "{http://www.w3.org/2000/svg}"
SLACK = 0.5  # px: what touches does not overlap


def classes(e):
    return (e.get("class") or "").split()


def number(e, key):
    return float(e.get(key) or 0)


def rect_of(e):
    x, y = number(e, "x"), number(e, "y")
    return (x, y, x + number(e, "width"), y + number(e, "height"))


def text_rect(e):
    """About what it covers in DejaVu Sans or its Mono."""
    size, x, y = number(e, "font-size"), number(e, "x"), number(e, "y")
    widths = [0.602 if "mono" in classes(e) else 0.34 if c in "fijlrt .,:;()[]-1" else 0.62 for c in "".join(e.itertext())]
    w = sum(widths) * size
    left = {"middle": x - w / 2, "end": x - w}.get(e.get("text-anchor"), x)
    return (left, y - 0.74 * size, left + w, y + 0.16 * size)


def plate_rect(e):
    """A path that begins at its left or, rounded, ten pixels from it, and goes right first."""
    x, y, w = map(float, re.match(r"M([-\d.]+) ([-\d.]+)h([-\d.]+)", e.get("d")).groups())
    return (x, y, x + w, y + 21)


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > SLACK and min(a[3], b[3]) - max(a[1], b[1]) > SLACK


def parts(root):
    nodes, tabs, texts = [], [], []
    for group in root.iter(SVG + "g"):
        kind = classes(group)
        if "node" in kind:
            shape = next((r for r in group.findall(SVG + "rect") if classes(r) == ["shape"]), None)
            if shape is not None:
                nodes.append((rect_of(shape), "".join(group.find(SVG + "title").itertext()).split("\n")[0]))
        elif "tab" in kind and group.find(SVG + "path") is not None:
            tabs.append((plate_rect(group.find(SVG + "path")), "a tab"))
        elif "edge" in kind:
            texts += [(text_rect(t), "".join(t.itertext())) for t in group.findall(SVG + "text") if "halo" in classes(t)]
    return nodes, tabs, texts


def overlaps(path):
    """(How many texts there are, what overlaps.)"""
    nodes, tabs, texts = parts(ET.parse(path).getroot())
    found = [f"{word!r} lies on {name!r}" for rect, word in texts for other, name in nodes + tabs if overlap(rect, other)]
    found += [f"{a[1]!r} and {b[1]!r} lie on each other" for i, a in enumerate(texts) for b in texts[i + 1:]
              if overlap(a[0], b[0])]
    return len(texts), found


def points(path):
    """Of its line, which is made of cubic curves: 17 on each."""
    at = [float(x) for x in re.findall(r"-?[\d.]+", path.get("d"))]
    at = list(zip(at[::2], at[1::2]))
    line = at[:1]
    for curve in zip(at[::3], at[1::3], at[2::3], at[3::3]):
        for k in range(1, 17):
            t = k / 16
            share = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3)
            line.append(tuple(sum(w * q[axis] for w, q in zip(share, curve)) for axis in (0, 1)))
    return line


def loop_faults(path):
    """(How many loops back there are, what is wrong with them.)"""
    root, found = ET.parse(path).getroot(), []
    edges = [g for g in root.iter(SVG + "g") if "edge" in classes(g) and g.get("id")]  # not the legend
    lines = [(g, points(g.find(SVG + "path"))) for g in edges]
    loops = [(g, line) for g, line in lines if "kind-loopback" in classes(g)]
    shapes = [(g.get("id"), rect_of(r)) for g in root.iter(SVG + "g") if "node" in classes(g)
              for r in g.findall(SVG + "rect") if classes(r) == ["shape"]]
    for g, line in loops:
        ends = (g.get("data-from"), g.get("data-to"))
        for name, rect in shapes:
            if name not in ends and any(overlap((x - 1, y - 1, x + 1, y + 1), rect) for x, y in line):
                found.append(f"{g.get('id')} runs through {name}")
        for other, way in lines:
            if other is not g and math.dist(line[-1], way[0]) < 5:
                found.append(f"{g.get('id')} ends where {other.get('id')} begins")
    return len(loops), found


def shipped():
    return [*sorted((ROOT / "examples").rglob("*.svg")), *sorted((ROOT / "tests" / "golden").rglob("*.svg"))]


def main():
    total, failed, files = 0, 0, [pathlib.Path(f) for f in sys.argv[1:]] or shipped()
    for path in files:
        n, found = overlaps(path)
        found += loop_faults(path)[1]
        total += n
        failed += bool(found)
        if found:
            print(f"FAILED: {path}: {'; '.join(found)}")
    print(f"{total} texts at edges")
    print(f"{len(files) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
