#!/usr/bin/python3
"""How long drawings take: layout and SVG by gradus-draw, and by plain dot on the same graphs.

    drawing.py [--gradus PROGRAM] [--json FILE] [--quick]

The graphs are those on which other viewers were measured: made DAGs of operators "op f32[64,64]", about 1.53
edges into a node, mostly from near, 7 % from anywhere before, drawn from left to right.  Times are seconds of processor time (least of the runs), so that a
busy machine does not count; `clock` is on the wall.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import time

LIMITS = {500: 0.5, 1000: 2.0, 2000: 10.0}


def graph(n, seed=1):
    r = random.Random(seed)
    edges = set()
    for i in range(1, n):
        for _ in range(1 + (r.random() < 0.53)):
            far = r.random() < 0.07
            edges.add((r.randrange(i) if far else max(0, i - 1 - r.randrange(8)), i))
    return sorted(edges)


def scene(n, edges):
    nodes = [{"id": i + 1, "op": "op", "label": f"op{i % 17}", "detail": "f32[64,64]", "class": "elementwise"}
             for i in range(n)]
    out = {"title": f"{n} nodes", "direction": "LR", "nodes": nodes,
           "edges": [{"from": a + 1, "to": b + 1, "label": "f32[64,64]"} for a, b in edges]}
    return json.dumps(out)


def dot(n, edges):
    lines = ["digraph { rankdir=LR; node [shape=box]"]
    lines += [f'n{i} [label="op{i % 17}\\nf32[64,64]"]' for i in range(n)]
    return "\n".join(lines + [f"n{a} -> n{b}" for a, b in edges] + ["}"])


def measure(command, text, runs, limit=300):
    """(processor seconds, clock seconds, output, messages) of the best run; None if it took too long."""
    best = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        try:
            done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=limit, check=True)
        except subprocess.TimeoutExpired:
            return None
        clock = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if best is None or work < best[0]:
            best = (work, clock, done.stdout, done.stderr.decode())
    return best


def main():
    args = argparse.ArgumentParser(description="how long drawings take")
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    args.add_argument("--gradus", default=str(root / "build" / "gradus"))
    args.add_argument("--json", default="")
    args.add_argument("--quick", action="store_true", help="up to 500 nodes, one run")
    o = args.parse_args()
    drawer = str(pathlib.Path(o.gradus).with_name("gradus-draw"))
    rows, missed = [], []
    print(f"{'nodes':>6} {'edges':>6} {'work':>7} {'clock':>7} {'limit':>6} {'SVG':>9}  {'dot -Tsvg':>9}  how")
    for n in (50, 100, 200, 500) if o.quick else (50, 100, 200, 500, 1000, 2000):
        edges = graph(n)
        runs = 1 if o.quick or n > 1000 else 3
        work, clock, svg, said = measure([drawer], scene(n, edges), runs)
        plain = measure(["dot", "-Tsvg"], dot(n, edges), 1, 60) if shutil.which("dot") and n <= 1000 else None
        limit = LIMITS.get(n)
        if limit and work > limit:
            missed.append(n)
        how = said.strip().replace("gradus-draw: ", "") or "in full"
        print(f"{n:6} {len(edges):6} {work:6.2f}s {clock:6.2f}s {limit or '':>6} {len(svg):9}  "
              f"{f'{plain[0]:.2f}s' if plain else '':>9}  {how}")
        rows.append({"nodes": n, "edges": len(edges), "work_s": work, "clock_s": clock, "limit_s": limit,
                     "svg_bytes": len(svg), "dot_s": plain[0] if plain else None, "how": how})
    if o.json:
        pathlib.Path(o.json).write_text(json.dumps({"drawing": rows}, indent=1) + os.linesep, encoding="utf-8")
    print("all within their limits" if not missed else f"over the limit: {missed}")


if __name__ == "__main__":
    main()
