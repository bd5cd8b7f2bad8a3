#!/usr/bin/python3
"""A program with a tuple of parameters computes the bits of the same program with a name for each.

    tuples.py [--gradus PROGRAM] [--cases N] [--seed N] [--show]

Each random model has its parameters in one tuple, named or not, nested or not, and once more under names of
their own, p_W and so on.  Compared are the loss, gradients of first and second order, training by a loop
and by stores, a vmap, and of some what exported programs print, in C and by NumPy.  Up to rounding are compared
second derivatives and exports of them, and what grad(f)(p) gives with grad(f(p), p): other graphs.
The last line is "N passed, N failed".
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TYPES = {"W": "f64[3, 2]", "v": "f64[2]", "b": "f64[2]", "c": "f64"}
DATA = [
    "x : f64[5, 3] = reshape(sin(f64(arange(15))), (5, 3))",
    "y : f64[5] = cos(f64(arange(5)))",
]


def shape_of(type_):
    return [int(k) for k in re.findall(r"\d+", type_[3:])]


class Part:
    """The structure of a tuple: a name of TYPES, or a list of (name or None, Part)."""

    def __init__(self, leaf=None, items=None):
        self.leaf, self.items = leaf, items

    @property
    def named(self):
        return self.items and self.items[0][0] is not None

    def leaves(self, path="p", dotted="p"):
        """(leaf, how it is read, its name in the other program)"""
        if self.leaf:
            return [(self.leaf, path, dotted.replace(".", "_"))]
        found = []
        for i, (name, part) in enumerate(self.items):
            found += part.leaves(f"{path}.{name}" if name else f"{path}[{i}]", f"{dotted}.{name or i}")
        return found

    def text(self, of, mark):
        """As a type (mark ": ") or a value (mark "=")."""
        if self.leaf:
            return of(self.leaf)
        inside = ", ".join((name + mark if name else "") + part.text(of, mark) for name, part in self.items)
        return f"({inside}{',' if len(self.items) == 1 and not self.named else ''})"


def structure(rng, leaves, depth=0):
    """The leaves, in some order, in a tuple that may have tuples in it."""
    leaves = leaves[:]
    if not depth:
        rng.shuffle(leaves)
    named = rng.random() < 0.7
    items = []
    while leaves:
        n = rng.randint(1, len(leaves)) if depth < 2 and rng.random() < 0.35 else 1
        taken, leaves = leaves[:n], leaves[n:]
        inner = n > 1 or (depth < 2 and rng.random() < 0.1)
        part = structure(rng, taken, depth + 1) if inner else Part(leaf=taken[0])
        items.append((part.leaf or f"part{len(items)}" if named else None, part))
    return Part(items=items)


def value(rng, shape):
    if not shape:
        return repr(round(rng.uniform(-1, 1), 3))
    return "[" + ", ".join(value(rng, shape[1:]) for _ in range(shape[0])) + "]"


def model(rng):
    """A loss: a text with {W}, {v} and so on."""
    h = "x @ {W}"
    h += rng.choice([" + {b}", " - {b}", " * {b}", ""])
    h = rng.choice(["tanh({})", "sigmoid({})", "softplus({})", "sin({})", "({}) ^ 2", "exp(-({}) ^ 2)"]).replace("{}", h, 1)
    out = f"{h} @ {{v}}" + rng.choice([" + {c}", " * {c}", " - {c} ^ 2", ""])
    out = rng.choice(
        [
            "{}",
            "(if {c} > 0 then {} else 2 * ({}))",
            "(scan i over x from s = {c} { s[i] = 0.5 * s[i-1] + sum(x[i] @ {W} * {v}) }) + {}",
        ]
    ).replace("{}", out)
    return rng.choice(["mean(({} - y) ^ 2)", "sum(({} - y) ^ 2) / 3", "sum(abs({} - y))"]).replace("{}", out)


def used(text):
    return [k for k in TYPES if "{" + k + "}" in text]


def filled(text, names):
    for k, name in names.items():
        text = text.replace("{" + k + "}", name)
    return text


def squares(texts):
    return " + ".join(f"sum({t} ^ 2)" for t in texts)


class Case:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.seed = seed
        self.loss = model(rng)
        self.form = structure(rng, used(self.loss))
        self.start = {k: value(rng, shape_of(TYPES[k])) for k in used(self.loss)}
        self.lanes = {k: value(rng, [3] + shape_of(TYPES[k])) for k in used(self.loss)}
        self.shared = rng.choice(["", "shared "])
        self.rate = rng.choice(["0.01", "0.1"])

    def tuple_program(self):
        form, start = self.form, self.start
        reads = {leaf: path for leaf, path, _ in form.leaves()}
        of_g = [path for _, path, _ in form.leaves(path="g")]
        q = "q[t-1]"
        return DATA + [
            f"{self.shared}p : {form.text(TYPES.get, ': ')} = {form.text(start.get, '=')}",
            f"loss(p) = {filled(self.loss, reads)}",
            "l = loss(p)",
            "l",
            "g = grad(l, p)",
            "g",
            f"second = grad({squares(of_g)}, p)",
            "second",
            f"S = scan t for 4 from q = p {{ q[t] = {q} - {self.rate} * grad(loss({q}), {q}); l[t] = loss({q}) }}",
            "S.final",
            "S.l",
            f"vmap(loss)({form.text(self.lanes.get, '=')})",
            "near = grad(loss)(p)",
            "near",
            f"p := p - {self.rate} * g",
            "p",
        ]

    def separate_program(self):
        leaves = self.form.leaves()
        names = [name for _, _, name in leaves]
        kept = "\n".join(f"{self.shared}{n} : {TYPES[k]} = {self.start[k]}" for k, _, n in leaves)
        own = {leaf: name for leaf, _, name in leaves}
        listed = ", ".join(names)
        before = [f"{n}[t-1]" for n in (f"q{n[1:]}" for n in names)]
        q = [f"q{n[1:]}" for n in names]
        g = [f"g{n[1:]}" for n in names]
        alone = len(names) == 1
        gradient = f"[{', '.join(before)}]"
        return DATA + [
            kept,
            f"loss({listed}) = {filled(self.loss, own)}",
            f"l = loss({listed})",
            "l",
            f"g = grad(l, [{listed}])",
            "g",
            f"second = grad({squares(f'g[{i}]' for i in range(len(names)))}, [{listed}])",
            "second",
            f"S = scan t for 4 from {', '.join(f'{a} = {n}' for a, n in zip(q, names))} {{ "
            + (f"{g[0]} = grad(loss({before[0]}), {before[0]}); " if alone
               else f"{', '.join(g)} = grad(loss({', '.join(before)}), {gradient}); ")
            + "; ".join(f"{a}[t] = {b} - {self.rate} * {d}" for a, b, d in zip(q, before, g))
            + f"; l[t] = loss({', '.join(before)}) }}",
            "S.final",
            "S.l",
            f"vmap(loss)({', '.join(self.lanes[k] for k, _, _ in leaves)})",
            "near = g",
            "near",
            f"{listed} := {', '.join(f'{n} - {self.rate} * g[{i}]' for i, n in enumerate(names))}",
            f"({listed},)",
        ]


def leaves_of(answer):
    if answer.get("kind") != "value":
        return [json.dumps(answer)[:400]]
    if "values" in answer:
        return [x for part in answer["values"] for x in leaves_of(part)]
    return [(answer["dtype"], answer["shape"], json.dumps(answer["value"]))]


def numbers(text):
    return [float(x) for x in re.findall(r"-?\d[\d.e+-]*", text)]


def is_near(a, b):
    if len(a) != len(b):
        return False
    pairs = [(x, y) for p, q in zip(a, b) for x, y in zip(numbers(p[2]), numbers(q[2]))]
    return all(abs(x - y) <= 1e-11 * (1 + abs(x)) for x, y in pairs)


def run(gradus, lines, folder, name):
    path = folder / f"{name}.gr"
    path.write_text("\n".join(lines) + "\n")
    done = subprocess.run([gradus, "--json", str(path)], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode not in (0, 1):
        return [{"kind": "crash", "status": done.returncode}]
    return [json.loads(x) for x in done.stdout.splitlines()]


def exports(folder, name):
    asked = "(g, S.final, second)"
    return [f":export {asked} {folder}/{name}.{kind} values=on" for kind in ("c", "py")]


def exported(folder, name):
    """What the exported programs print: in C, by NumPy."""
    flags = ["-std=c11", "-O1", "-ffp-contract=off"]
    program = folder / name
    subprocess.run(["cc", *flags, "-o", program, f"{program}.c", "-lm"], check=True, capture_output=True)
    printed = []
    for command in ([str(program)], [sys.executable, f"{program}.py"]):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        printed.append([x for line in done.stdout.splitlines() for x in leaves_of(json.loads(line))])
    return printed


# Second derivatives, whose terms and factors are put in an order in which names have a part; and the gradient of the
# function, which is another graph.
ROUNDED = (2, 6)


def compare(gradus, case, folder, with_exports):
    programs = {"t": case.tuple_program(), "s": case.separate_program()}
    answers = {}
    for name, lines in programs.items():
        asked = exports(folder, name) if with_exports else []
        answers[name] = [a for a in run(gradus, lines[:-2] + asked + lines[-2:], folder, name)
                         if a.get("kind") != "command"]
    a, b = answers["t"], answers["s"]
    if len(a) != len(b) or len(a) != 8:
        wrong = [x for x in a + b if x.get("kind") != "value"]
        return f"{len(a)} and {len(b)} answers: {json.dumps(wrong)[:600]}"
    for i, (x, y) in enumerate(zip(a, b)):
        x, y = leaves_of(x), leaves_of(y)
        if not (is_near(x, y) if i in ROUNDED else x == y):
            return f"answer {i}: {x} and {y}"
    if with_exports:
        own = [x for i in (1, 3, 2) for x in leaves_of(a[i])]
        for library, x, y in zip(("C", "NumPy"), *(exported(folder, name) for name in "ts")):
            if not is_near(x, y):
                return f"{library}: {x} and {y}"
            if not is_near(x, own):
                return f"{library}: {x}, and gradus {own}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    parser.add_argument("--cases", type=int, default=12)
    parser.add_argument("--exports", type=int, default=2, help="so many are exported")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    passed = failed = 0
    for seed in range(args.seed, args.seed + args.cases):
        case = Case(seed)
        if args.show:
            print("\n".join(case.tuple_program() + ["---"] + case.separate_program()))
        with tempfile.TemporaryDirectory() as folder:
            why = compare(args.gradus, case, pathlib.Path(folder), seed < args.seed + args.exports)
        passed += not why
        failed += bool(why)
        if why:
            print(f"--seed {seed} --cases 1: {why}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
