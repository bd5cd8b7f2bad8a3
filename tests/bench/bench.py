#!/usr/bin/python3
"""Gradus side by side with C, NumPy, Numba and PyTorch: ratios of times, in one run, one thread each.

    bench.py [ROW...] [--native | --vm] [--alone] [--rounds K] [--cflags=FLAGS] [--gradus PROGRAM] [--csv FILE] [--svg FILE]
    bench.py --table CSV          what a run wrote, by kind, as Markdown
    bench.py --check [ROW...]     no times: at tiny sizes all agree, both tiers of ours to the bit
    bench.py drawing | rewriting | costs | saturating | questions     the other benches, with what follows as their arguments

ROW is a part of a row's name or title.  Before a row is timed the values of all are compared.  Then the engines
take turns, so that what else the machine does hits all of them, and the best of each is taken.  C is the better
of gcc -O3 -march=native with and without -ffast-math, with libmvec and OpenBLAS; --cflags adds
to that: "-ffp-contract=off -mprefer-vector-width=256" is the arithmetic that ours keeps to.  `machine` is our virtual
machine alone, `native` with its C; --alone leaves out NumPy, Numba and PyTorch.  PyTorch and NumPy run long scalar loops in parts, counted up.  Numbers to
reach: native at most 1.25 x C on a row and 1.1 x in the mean, the machine at most 3 x; ours (the native tier) ahead of
NumPy, Numba and PyTorch.  What misses is marked and listed.
"""
import argparse
import concurrent.futures
import csv
import importlib.util
import math
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", NUMBA_NUM_THREADS="1")

import numpy as np  # noqa: E402  (after the threads are set)

import engines  # noqa: E402
from rows import all_rows  # noqa: E402

LIMITS = {"machine": 3.0, "native": 1.25}
MEANS = {"machine": 3.0, "native": 1.1}
THEIRS = ("NumPy", "Numba", "PyTorch")
BUDGET = 0.2  # seconds of an engine on a row in a round
MUCH_LONGER = 4  # times the time of C
OTHERS = ("drawing", "rewriting", "costs", "saturating", "questions")


# ---- values ----

def make(row, sizes):
    return row.inputs(sizes, np.random.default_rng(1))


def differences(row, name, got, expected):
    """Why these values are not those, or nothing."""
    if len(got) != len(expected):
        return f"{name}: {len(got)} values, not {len(expected)}"
    for output, g, e in zip(row.outputs, got, expected):
        if g.shape != e.shape:
            return f"{name}: {output} has the shape {g.shape}, not {e.shape}"
        scale = max(1.0, float(np.max(np.abs(e))) if e.size else 1.0)
        if not np.all(np.isfinite(e)):
            return f"{name}: {output} is not finite, which compares nothing"
        far = ~(np.abs(g - e) <= row.tolerance * scale)
        if far.mean() > row.differing:
            i = np.unravel_index(np.argmax(far), far.shape)
            return f"{name}: {far.sum()} of {far.size} of {output} differ, at {tuple(map(int, i))} {g[i]} and {e[i]}"
    return None


def part(row, engine, sizes):
    """The sizes on which an engine runs, and how often their time counts."""
    k = row.share.get(engine.name, 1)
    return ({**sizes, row.shrinks: sizes[row.shrinks] // k} if k > 1 else sizes), k


def compare(row, sizes, used, shares=True):
    """Faults of a row: engines whose values are not those of NumPy."""
    faults, ours, expected = [], {}, {}
    for engine in used:
        own = part(row, engine, sizes)[0] if shares else sizes
        inputs, key = make(row, own), tuple(own.values())
        try:
            if key not in expected:
                expected[key] = engines.NumPy().values(row, own, inputs)[0]
            for got in engine.values(row, own, inputs):
                faults.append(differences(row, engine.name, got, expected[key]))
                ours[engine.name] = got
        except engines.Failed as e:
            faults.append(f"{engine.name}: {e}")
    if "machine" in ours and "native" in ours and any(a.tobytes() != b.tobytes() for a, b in zip(ours["machine"], ours["native"])):
        faults.append("the tiers of Gradus differ")
    return [f"{row.name()}: {f}" for f in faults if f]


def spoiled(engine):
    """The engine with a value a little off, to see that it is told."""
    right = engine.values
    engine.values = lambda row, sizes, inputs: [[v * (1 + 1e-6) for v in outs] for outs in right(row, sizes, inputs)]
    return engine


def check(rows, folder, spoil):
    c = engines.C([(r, r.tiny, make(r, r.tiny)) for r in rows], folder)
    used = [c, engines.Gradus("off", folder), engines.Gradus("on", folder)]
    used = [spoiled(e) if type(e).__name__ == spoil else e for e in used]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for faults in pool.map(lambda r: compare(r, r.tiny, used, shares=False), rows):
            failed += bool(faults)
            for fault in faults:
                print(fault)
    print(f"{len(rows) - failed} passed, {failed} failed")
    return failed != 0


# ---- times ----

def theirs_here():
    found = [engines.NumPy()]
    for engine, module, package in ((engines.Numba, "numba", "python3-numba"), (engines.PyTorch, "torch", "python3-torch")):
        if importlib.util.find_spec(module):
            found.append(engine())
        else:
            print(f"LEFT OUT: {engine.name}, which is not installed ({package})")
    return found


def measure(row, used, rounds):
    """name -> seconds, the best of the rounds; one round is enough for an engine that takes that much longer."""
    best = {}
    made = {e.name: (*part(row, e, row.full), make(row, part(row, e, row.full)[0])) for e in used}
    for _ in range(rounds):
        for engine in used:
            if best.get(engine.name, 0) > MUCH_LONGER * best.get("C", math.inf):
                continue
            sizes, k, inputs = made[engine.name]
            taken = k * engine.seconds(row, sizes, inputs, BUDGET)
            best[engine.name] = min(best.get(engine.name, math.inf), taken)
    return best


def ours_of(times):
    return times.get("native", times.get("machine"))


def misses(times):
    """(engine, ratio, limit) of what is over its number."""
    out = [(name, times[name] / times["C"], limit) for name, limit in LIMITS.items() if name in times]
    out = [(f"{name} / C", ratio, limit) for name, ratio, limit in out if ratio > limit]
    return out + [(f"ours / {name}", ours_of(times) / times[name], 1.0) for name in THEIRS
                  if name in times and ours_of(times) > times[name]]


def geometric(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def columns(used):
    return [e.name for e in used if e.name != "C"]


def print_row(number, row, times, names):
    missed = {what for what, _, _ in misses(times)}
    cells = []
    for name in names:
        mark = "*" if f"{name} / C" in missed or f"ours / {name}" in missed else " "
        cells.append(f"{times[name] / times['C']:8.2f}{mark}" if name in times else f"{'-':>8s} ")
    before = " native {} before, {} after it was worked on".format(*row.history) if row.history else ""
    print(f"{number:2d} {row.title:40s} {1e3 * times['C']:9.3f} ms {''.join(cells)}{before}", flush=True)


def print_means(all_times, names):
    cells = [f"{geometric([t[name] / t['C'] for t in all_times if name in t]):8.2f} " for name in names]
    print(f"   {'geometric mean':40s} {'':12s} {''.join(cells)}")
    for name in THEIRS:
        if name in names:
            print(f"   {'ours / ' + name + ', geometric mean':40s} {'':12s} "
                  f"{geometric([ours_of(t) / t[name] for t in all_times if name in t]):8.3f}")


def print_misses(rows, all_times, names):
    lines = []
    for row, times in zip(rows, all_times):
        lines += [f"  {row.name():24s} {what:16s} {ratio:7.2f}, at most {limit:.2f}: {ratio / limit:.2f} x too much"
                  for what, ratio, limit in misses(times)]
    for name, limit in MEANS.items():
        mean = geometric([t[name] / t["C"] for t in all_times if name in t]) if name in names else 0
        if mean > limit:
            lines.append(f"  {'geometric mean':24s} {name + ' / C':16s} {mean:7.2f}, at most {limit:.2f}: {mean / limit:.2f} x too much")
    print(f"* misses its number: {len(lines)}" if lines else "every number is reached")
    print("\n".join(lines))


def write_csv(path, rows, all_times, names):
    lines = ["row,title,C_seconds," + ",".join(f"{n}_over_C" for n in names)]
    for row, times in zip(rows, all_times):
        lines.append(",".join([row.name(), '"' + row.title.strip() + '"', f"{times['C']:.6g}",
                               *(f"{times[n] / times['C']:.4g}" if n in times else "" for n in names)]))
    pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def draw(all_times, names, svg):
    """The ratios by our own :plot, in the terminal and as SVG: log10(time / C) over the number of the row."""
    text = [f"row = arange(1, {len(all_times) + 1})"]
    for name in names:
        values = ", ".join(f"{math.log10(t[name] / t['C']):.4f}" if name in t else "nan" for t in all_times)
        text.append(f"{name.lower()} : f64[{len(all_times)}] = [{values}]")
    what = ", ".join(n.lower() for n in names)
    title = 'title="log10(time / C), by row"'
    text += [f":plot {what} over row kind=points height=24 width=100 {title}",
             f":plot {what} {svg.name} over row kind=points {title}"]
    subprocess.run([str(engines.GRADUS), "--no-init"], input="\n".join(text) + "\n", text=True, cwd=svg.parent, check=False)


# ---- what a run wrote, by kind ----

def whole_title(row):
    """A title that begins with spaces goes on from that of the row before."""
    rows = all_rows()
    before = rows[rows.index(row) - 1].title if row.title.startswith(" ") else ""
    return f"{before}, {row.title.strip()}" if before else row.title


def read_csv(path):
    """[(row, ratio of ours)] of a run."""
    rows = {r.name(): r for r in all_rows()}
    with open(path, encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    ours = "native_over_C" if read and "native_over_C" in read[0] else "machine_over_C"
    return [(rows[r["row"]], float(r[ours])) for r in read if r["row"] in rows]


def print_table(path):
    """Mean and worst by kind, and a sentence for each row above the number to reach."""
    kinds = {}
    for row, ratio in read_csv(path):
        kinds.setdefault(row.kind(), []).append((ratio, row))
    print("| kind | programs | mean | worst | which |\n|---|---|---|---|---|")
    for kind, found in kinds.items():
        worst, row = max(found, key=lambda f: f[0])
        mean = geometric([ratio for ratio, _ in found])
        print(f"| {kind} | {len(found)} | {mean:.2f} | {worst:.2f} | {whole_title(row)} |")
    every = [ratio for found in kinds.values() for ratio, _ in found]
    print(f"| all | {len(every)} | {geometric(every):.2f} | {max(every):.2f} | |\n")
    above = sorted((f for found in kinds.values() for f in found if f[0] > LIMITS["native"]), key=lambda f: -f[0])
    for ratio, row in above:
        before = f" ({row.history[0]:g} before it was worked on)" if row.history else ""
        print(f"- {whole_title(row)}: {ratio:.2f}{before}. {row.why or 'Not looked into yet.'}")


# ---- ----

def chosen_rows(words):
    rows = [r for r in all_rows() if not words or any(w.lower() in f"{r.name()} {r.title}".lower() for w in words)]
    if not rows:
        sys.exit("no such row; there are: " + ", ".join(r.name() for r in all_rows()))
    return rows


def bench(args, rows, folder):
    ours = [engines.Gradus(mode, folder) for mode, wanted in (("off", not args.native), ("on", not args.vm)) if wanted]
    used = [engines.C([(r, r.full, make(r, r.full)) for r in rows], folder, args.cflags.split()), *([] if args.alone else theirs_here()), *ours]
    names = [e.name for e in ours] + [n for n in columns(used) if n in THEIRS]
    print(f"   {'time / time of C':40s} {'C':>9s}    {''.join(f'{n:>8s} ' for n in names)}", flush=True)
    all_times, faults = [], []
    for number, row in enumerate(rows, 1):
        runs = [e for e in used if e.name not in THEIRS or e.name in row.theirs]
        wrong = compare(row, row.full, [e for e in runs if e.name != "NumPy"])
        if wrong:
            faults += wrong
            print(f"{number:2d} {row.title:40s} the values differ", flush=True)
            continue
        all_times.append((row, measure(row, runs, args.rounds)))
        print_row(number, *all_times[-1], names)
    if all_times:
        names = [n for n in names if any(n in t for _, t in all_times)]
        kept, times = [r for r, _ in all_times], [t for _, t in all_times]
        print_means(times, names)
        print_misses(kept, times, names)
        write_csv(args.csv, kept, times, names)
        draw(times, names, pathlib.Path(args.svg).resolve())
        print(f"written: {args.csv}, {args.svg}")
    print("".join(f"error: {f}\n" for f in faults), end="")
    return bool(faults)


def main():
    if len(sys.argv) > 1 and sys.argv[1] in OTHERS:
        sys.argv[:2] = [str(pathlib.Path(__file__).with_name(sys.argv[1] + ".py"))]
        runpy.run_path(sys.argv[0], run_name="__main__")
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--table", metavar="CSV")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--spoil", help=argparse.SUPPRESS)
    tier = parser.add_mutually_exclusive_group()
    tier.add_argument("--native", action="store_true")
    tier.add_argument("--vm", action="store_true")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cflags", default="")
    parser.add_argument("--gradus", default=str(engines.GRADUS))
    parser.add_argument("--csv", default=str(engines.ROOT / "build" / "bench.csv"))
    parser.add_argument("--svg", default=str(engines.ROOT / "build" / "bench.svg"))
    args = parser.parse_args()
    if args.table:
        return print_table(args.table)
    rows = chosen_rows(args.rows)
    engines.GRADUS = pathlib.Path(args.gradus).resolve()
    with tempfile.TemporaryDirectory(prefix="gradus-bench-") as folder:
        return check(rows, pathlib.Path(folder), args.spoil) if args.check else bench(args, rows, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
