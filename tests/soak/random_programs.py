#!/usr/bin/python3
"""Random programs with all passes on against all passes off: values and gradients to the third order.

    random_programs.py [--gradus PROGRAM] [--seed N] [--cases N] [--alone N] [--show]

Off means: calls in place, derivatives expanded, no other rule.  Each of --cases programs is compared; then a
sample of --alone programs with each pass off alone.  What fails with the passes on must fail with them off; the
converse may be: what is not needed does not run.  A difference is made small and printed with its seed.
The last line is "N passed, N failed".
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BATCH = 50
PASSES = "inline canonicalize stabilize differentiate expand loops specialize fuse lower".split()


def run(gradus, head, lines):
    """What a program prints, each with the number of its line."""
    with tempfile.NamedTemporaryFile("w", suffix=".gr", delete=False) as f:
        f.write("\n".join(head + lines) + "\n")
    try:
        done = subprocess.run([gradus, "--json", f.name], capture_output=True, text=True, timeout=900, check=False)
    finally:
        os.unlink(f.name)
    if done.returncode not in (0, 1):
        return None, f"exit status {done.returncode}: {done.stderr[-400:]}"
    return [json.loads(x) for x in done.stdout.splitlines()], ""


def switched_off(gradus):
    """Statements that leave only what is needed to compute at all."""
    found, why = run(gradus, [], [f":rules {p}" for p in ("canonicalize", "stabilize")])
    if found is None:
        sys.exit(why)
    names = [line.split()[1] for part in found for line in part.get("text", "").splitlines() if " [" in line]
    if len(names) < 50:
        sys.exit("the rules that are to be off cannot be told")
    return [":set passes inline differentiate"] + [f":set rule {n} off" for n in names]


def results(gradus, head, batch):
    """For each program: name -> its value, or the code of its error."""
    lines, owner, wanted = [], {}, []
    for i, p in enumerate(batch):
        statements, names = p.lines(f"p{i}_")
        for s in statements + names:
            lines.append(s)
            owner[len(head) + len(lines)] = i
        wanted.append(names)
    objects, why = run(gradus, head, lines)
    if objects is None:
        return None, why
    out = [{} for _ in batch]
    for o in objects:
        if o["kind"] == "error":
            i = owner.get(o["line"])
            if i is not None:
                out[i].setdefault("error", (o["code"], o["message"]))
        elif o["kind"] == "value" and o["name"] and "_" in o["name"]:
            i = int(o["name"][1:].split("_")[0])
            out[i][o["name"].split("_")[1]] = (o["type"], o["value"])
    return out, ""


def flat(v):
    return [x for w in v for x in flat(w)] if isinstance(v, list) else [v]


def differ(a, b, order, single):
    """Why two values are not the same up to rounding, or None."""
    if a[0] != b[0]:
        return f"types {a[0]} and {b[0]}"
    xs, ys = flat(a[1]), flat(b[1])
    if len(xs) != len(ys):
        return "sizes"
    if a[0].startswith(("i64", "bool")):
        return None if xs == ys else f"{xs} and {ys}"
    bound = (1e-3 if single else 1e-9) * 10 ** order
    xs, ys = [float(x) for x in xs], [float(y) for y in ys]
    scale = max([1.0] + [abs(v) for v in xs + ys if math.isfinite(v)])
    if scale > 1e7:
        return None  # not tame: rounding may be all
    for x, y in zip(xs, ys):
        if not (x == y or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= bound * scale):
            return f"{x!r} and {y!r}"
    return None


def compare(on, off, single=True):
    """None, or what is wrong.  `single`: something is computed in f32."""
    if "error" in on and "error" not in off:
        return f"fails with the passes only: {on['error']}"
    for name in off:
        if name == "error" or name not in on:
            continue
        why = differ(on[name], off[name], int(name[1]) if name[0] == "g" else 0, single)
        if why:
            return f"{name}: {why} (with and without)"
    return None


def is_single(p):
    return bool(programs.names_in(p.value) & {"z", "w"}) or "f32" in programs.text(p.value)


def check_one(gradus, head, on, off, p):
    a, why = results(gradus, head + on, [p])
    b, why_off = results(gradus, head + off, [p])
    if a is None or b is None:
        return why or why_off
    return compare(a[0], b[0], is_single(p))


def shrink(gradus, head, on, off, p, why):
    for _ in range(30):
        for e in programs.smaller(p.value, set(programs.INPUTS)):
            if programs.size(e) >= programs.size(p.value):
                continue
            for order in sorted({p.order, 1, 0}):
                by = p.by if order else None
                if by and by not in programs.names_in(e):
                    continue
                q = programs.Program(p.seed, e, by, order)
                now = check_one(gradus, head, on, off, q)
                if now and now.split(":")[0] == why.split(":")[0]:
                    break
            else:
                continue
            p, why = q, now
            break
        else:
            return p, why
    return p, why


class Tally:
    def __init__(self):
        self.same = self.failed = self.errors = self.values = 0


def one_batch(o, tally, seed, count, on, off):
    head = programs.inputs_text(seed)
    batch = [programs.program(s) for s in range(seed, seed + count)]
    a, why = results(o.gradus, head + on, batch)
    b, why_off = results(o.gradus, head + off, batch)
    if a is None or b is None:  # one of them brought it down
        if count == 1:
            tally.failed += 1
            print(f"FAILED: seed {seed}: {why or why_off}\n    " + "\n    ".join(head + batch[0].lines("p")[0]))
            return
        for k in range(count):
            one_batch(o, tally, seed + k, 1, on, off)
        return
    for p, x, y in zip(batch, a, b):
        tally.errors += "error" in x and "error" in y
        tally.values += len(x)
        why = compare(x, y, is_single(p))
        if o.show and "error" in x:
            print(p.seed, x["error"], "|", p.lines("p")[0][0])
        if why is None:
            tally.same += 1
            continue
        tally.failed += 1
        if tally.failed > 10:
            continue
        small, why = shrink(o.gradus, head, on, off, p, why)
        print(f"FAILED: seed {p.seed} (inputs {seed}, {' '.join(on)} against {' '.join(off[:1])}): {why}")
        print("    " + "\n    ".join(x for x in head if x.split()[0] in programs.names_in(small.value)))
        print("    " + "\n    ".join(sum(small.lines(""), [])))


def main():
    args = argparse.ArgumentParser(description="random programs, passes on against off")
    args.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--cases", type=int, default=20000)
    args.add_argument("--alone", type=int, default=300)
    args.add_argument("--show", action="store_true", help="tell what is refused")
    o = args.parse_args()
    off, tally = switched_off(o.gradus), Tally()
    for seed in range(o.seed, o.seed + o.cases, BATCH):
        one_batch(o, tally, seed, min(BATCH, o.seed + o.cases - seed), [], off)
    done = o.cases
    for name in [p for p in PASSES if p not in ("inline", "differentiate")]:
        for seed in range(o.seed, o.seed + o.alone, BATCH):
            one_batch(o, tally, seed, min(BATCH, o.seed + o.alone - seed), [f":set pass {name} off"], off)
        done += o.alone
    print(f"{done} programs, {tally.values} values; {tally.errors} fail both ways")
    if tally.errors * 10 > done:
        tally.failed += 1
        print("FAILED: too many programs are refused to tell much")
    print(f"{tally.same} passed, {tally.failed} failed")
    return tally.failed > 0


if __name__ == "__main__":
    sys.exit(main())
