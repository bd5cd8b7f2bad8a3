#!/usr/bin/python3
"""Exported C against our own values, on every golden program and every example.

    export.py [--gradus PROGRAM] [WORD...]

After each statement that prints a value stands `:export .. values=on`; the file is compiled, with gcc and with clang
where they are, and what it prints compared: shapes and integers exactly, floats to 1e-9 (f32: 1e-4) of the largest.
What C cannot say is counted, by reason.  GRADUS_EFFORT=10 takes a tenth of the programs.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import golden
import native

ROOT = native.ROOT
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-tautological-compare", "-Wno-unused-variable",
         "-Wno-unused-function", "-Wno-unused-but-set-variable"]

# All that gcc has: it may then take loops apart, reorder and vectorize them.  Without contraction, so that
# what a chaotic recurrence gives is that of the operations as written.
LEVELS = {"gcc": ["-O3", "-march=native", "-ffp-contract=off", "-Wno-maybe-uninitialized"], "clang": ["-O1"]}


def statements(program):
    """The lines of a program; True where one is an expression that stands alone."""
    depth, goes_on = 0, False
    for line in program.splitlines():
        plain = re.sub(r'"[^"]*"|#.*', "", line)
        alone = depth == 0 and re.match(r"[A-Za-z_(\[0-9-]", plain) is not None and not re.search(
            r"(?<![<>=!])=(?!=)|:|\b(in|repeat|shared|else|then|scan)\b|;", plain)
        depth += sum(plain.count(c) for c in "([{") - sum(plain.count(c) for c in ")]}")
        open_end = re.search(r"[-+*/@,=^]\s*$|\b(and|or|not|then|else)\s*$", plain) is not None
        yield line, alone and depth == 0 and not open_end and not goes_on
        goes_on = open_end


def numbers(value):
    if isinstance(value, list):
        for v in value:
            yield from numbers(v)
    else:
        yield float(value) if not isinstance(value, bool) else value


def same(a, b, close=1e-9):
    if a["dtype"] != b["dtype"] or a["shape"] != b["shape"]:
        return False
    xs, ys = list(numbers(a["value"])), list(numbers(b["value"]))
    if not a["dtype"].startswith("f"):
        return xs == ys
    finite = [abs(x) for x in xs if abs(x) < float("inf")]
    bound = (close if a["dtype"] == "f64" else 1e-4) * max(finite + [1e-300])
    return len(xs) == len(ys) and all(x == y or (x != x and y != y) or abs(x - y) <= bound for x, y in zip(xs, ys))


def leaves(o):
    for v in o.get("values", [o]):
        yield from leaves(v) if "values" in v else [v]


def run_program(args, path, program):
    """(exported, reasons, faults) of one program."""
    reasons, faults, exported = collections.Counter(), [], 0
    with tempfile.TemporaryDirectory(prefix="gradus-export-") as folder:
        for extra in path.parent.iterdir():
            if extra.is_file() and extra.suffix != ".t":
                shutil.copy(extra, folder)
        lines, asked = [], []
        for line, alone in statements(program):
            if alone:
                lines.append(":set width")  # what came before it is not its value: () prints nothing
            lines.append(line)
            if alone:
                name = f"out{len(asked)}.c"
                lines.append(f":export {line.split('#')[0].strip()} {name} values=yes")
                asked.append((name, line))
        pathlib.Path(folder, "input.gr").write_text("\n".join(lines) + "\n", encoding="utf-8")
        env = golden.environment(folder)
        env["GRADUS_NATIVE"] = "off"
        done = subprocess.run([args.gradus, "--json", "input.gr"], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300, check=False)
        before = None
        results = {}
        for text in done.stdout.decode("utf-8").splitlines():
            o = json.loads(text)
            if o["kind"] == "command" and o["command"] == "export":
                results[o["data"]["file"]] = before
                before = None
            elif o["kind"] == "error" and o["code"] == "export":
                reasons[re.sub(r"\d+", "N", o["message"])] += 1
                before = None
            elif o["kind"] in ("value", "error"):
                before = o
            elif o["kind"] == "command" and o["command"] == "set":
                before = None
        for name, line in asked:
            source = pathlib.Path(folder, name)
            if not source.exists():
                continue
            printed = results.get(name)
            if not printed:
                continue
            # After an error of ours the program ends with one, too.
            expected = list(leaves(printed)) if printed["kind"] == "value" else []
            exported += 1
            for cc in args.compilers:
                exe = pathlib.Path(folder, "program")
                made = subprocess.run([cc, *FLAGS, *LEVELS[cc], str(source), "-o", str(exe), "-lm"], stderr=subprocess.PIPE, check=False)
                if made.returncode:
                    faults.append(f"{line}: {cc}: {made.stderr.decode()[:600]}")
                    break
                ran = subprocess.run([str(exe)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
                got = [json.loads(t) for t in ran.stdout.decode().splitlines()]
                if len(got) != len(expected) or (ran.returncode != 0) != (not expected) or not all(same(a, b) for a, b in zip(expected, got)):
                    faults.append(f"{line}: {cc}: {got if got else ran.stderr.decode()}\n    not {expected}"[:900])
                    break
    return exported, reasons, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    args.gradus = os.path.abspath(args.gradus)
    args.compilers = [cc for cc in ("gcc", "clang") if native.compiles(cc)]
    if not args.compilers:
        print("LEFT OUT: no C compiler\n0 passed, 0 failed")
        return 0
    chosen = [(p, t) for p, t in native.programs() if not args.words or any(w in str(p) for w in args.words)]
    chosen = [(p, t) for p, t in chosen if ":set memory" not in t]
    chosen = chosen[::max(1, round(100 / float(os.environ.get("GRADUS_EFFORT") or 100)))]
    exported, failed, reasons = 0, 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (path, _), (n, why, faults) in zip(chosen, pool.map(lambda item: run_program(args, *item), chosen)):
            exported += n
            reasons += why
            failed += len(faults)
            for fault in faults:
                print(f"{path.relative_to(ROOT)}: {fault}")
    print(f"{exported} expressions of {len(chosen)} programs as C with {' and '.join(args.compilers)}; cannot be said: {sum(reasons.values())}")
    for reason, count in reasons.most_common():
        print(f"  {count:4d}  {reason}")
    print(f"{exported - failed} passed, {failed} failed")
    return failed != 0 or not exported


if __name__ == "__main__":
    sys.exit(main())
