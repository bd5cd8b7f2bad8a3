#!/usr/bin/python3
"""What default passes make of numbers at the ends of their range, and of sums over nothing.

    overflow.py [--gradus PROGRAM] [--seed N] [--cases N]

Values with all passes are compared with those without rules: the same number up to rounding, the same nan, infinity
and sign of zero.  Three parts: forms whose values are known; sums over nothing, at infinite and nan factors; --cases
random expressions over numbers from 1e-308 to 1e308.  Of random ones a value that differs must be that of exact
arithmetic: the way as written may overflow, underflow or give nan where another does not (class N+).
The last line is "N passed, N failed".
"""
import argparse
import fractions
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "soak"))
import runs  # noqa: E402

# Declarations, an expression, its value.
KNOWN = [
    ("y : f64 = 1e-160", "y * (1e300 * y)", 1e-20),
    ("y : f64 = 1e-160", "y * (1e300 * y) * 1e20", 1.0),
    ("y : f32[2] = [3e25, 4e25]", "(y * 1e-25) * (y * 1e-25)", [9.0, 16.0]),
    ("m : f64 = 1e200; k : f64 = 1e-200", "m * k * m * k", 1.0),
    ("m : f64 = 1e200; k : f64 = 1e-200", "(m * k) * (m * k)", 1.0),
    ("m : f64 = 1e200; k : f64 = 1e-200", "abs(m) * abs(k) * abs(m)", 1e200),
    ("m : f64 = 1e200; k : f64 = 1e-300", "m * (m * k)", 1e100),
    ("v : f64[2] = [1e308, 1e308]", "sum(1e-10 * v)", 2e298),
    ("v : f64[2] = [1e308, 1e308]", "mean(0.25 * v)", 2.5e307),
    ("v : f64[2] = [1e308, 1e308]", "var(1e-10 * v)", 0.0),
    ("v : f64[2] = [1e308, 1e308]", "sum(v / 2)", 1e308),
    ("v : f64[2] = [1e308, 1e308]; a : f64 = 0.0", "sum(a * v)", 0.0),
    ("v : f64[2] = [1e308, 1e308]", "cumsum(0.0 * v)", [0.0, 0.0]),
    ("v : f64[2] = [1.0, -1.0]; a : f64 = -1.0", "sum(a * v)", 0.0),
    ("v : f64[2] = [0.0, 1e308]; y : f64 = 1e308", "v * y * y", [0.0, math.inf]),
    ("v : f64[2] = [1e308, 1.0]", "(scan t over v from s = 1.0 { s[t] = s[t-1] * (v[t] * 1e-308) }).final", 1e-308),
    ("v : f64[3] = [1e308, 1e308, -1e308]", "v[0] + (v[1] + v[2])", 1e308),
    ("v : f64[2] = [-0.0, -0.0]", "(scan t over v from s = 0.0 { s[t] = s[t-1] + v[t] }).final", 0.0),
    ("h : f64 = 0.0", "(h * 1e200) * 1e200", 0.0),
    ("h : f64 = inf", "(h * 1e-200) * 1e-200", math.inf),
    ("h : f64 = -inf", "(h + 1e308) + 1e308", -math.inf),
    ("h : f64 = 0.3", "maximum(ceil(-0.5 * sigmoid(h)), 0.0)", 0.0),
    ("h : f64 = 0.3", "minimum(0.0, ceil(-0.5 * sigmoid(h)))", -0.0),
    ("A : f64[2, 2] = [[1e200, 0.0], [0.0, 1e200]]; B : f64[2, 2] = [[1e-200, 0.0], [0.0, 1e-200]]", "det(A @ B)", 1.0),
    ("h : f64 = 0.0; k : f64 = inf", "exp(h)^k", 1.0),
    ("h : f64 = -0.0", "sqr(sqrt(h))", 0.0),
    ("h : f64 = 2.5", "-(h - h)", -0.0),
    ("h : f64 = 1e-160", "where(h * (1e300 * h) > 1e-21, 1.0, 2.0)", 1.0),
    ("h : f64 = 1e-160", "(if h * (1e300 * h) > 1.00001e-20 then 1.0 else 2.0)", 2.0),
    ("h : f64 = 1e200", "(scan t for 9 from s = h { s[t] = s[t-1] * (1e-300 * s[t-1]); until s[t] < 1e150 }).steps", 1),
]

# Over an empty x: f64[n] and a factor z.
NOTHING = """sum(x * z)|sum(z * x)|sum(x / z)|sum(z / (x + 1))|sum(full(size(x, 0), z))|sum(broadcast_to(z, (size(x, 0),)))
sum(z * x * z)|sum(z * (x * z))|sum((z * x) / z)|sum(-x * z)|sum(x * z + x * z)|sum(x * z - x)|sum(z * (x + x))|x @ (z * x)
(z * x) @ x|z * (x @ x)|sum(z * sqr(x))|sum(sqr(z * x))|norm(z * x)|norm(x * z)|sum(abs(z * x))|sum(abs(z) * abs(x))
sum(cumsum(z * x))|sum(flip(z * x))|sum(where(x > 0, z, z))|sum(exp(z) * x)|sum(z^2 * x)|sum(2 * z * x)|prod(x * z)
sum(x[:, None] * z)|sum(x[:, None] * z, axis=0)|sum((x[:, None] @ x[None, :]) * z)|sum(z * x) + sum(z * x)
logsumexp(x * z)|sum(x) * 2.0|sum(z * 0.0 * x)|z + sum(z * x)|sum(max([z, 1.0]) * x)
(scan t over x from s = 0.0 { s[t] = s[t-1] + z * x[t] }).final|(scan t over x from s = 0.0 { s[t] = s[t-1] + z }).final
(scan t over x from s = -0.0 { s[t] = s[t-1] + x[t] * z }).final|(scan t over x from s = 1.0 { s[t] = s[t-1] * z }).final
(scan t over x from s = 0.0 { s[t] = s[t-1] + z * (z * x[t]) }).final|grad(sum(z * x * z), z)|grad(sum(z * x), x)
(scan t over x from s = [0.0, 0.0] { s[t] = s[t-1] + z * x[t] }).final"""

SCALES = "0.0 -0.0 1.0 -1.0 2.5 -0.3 1e200 -1e200 1e-200 1e155 1e-160 1e308 1e-308 1e300 -1e-300 inf -inf nan 3e100".split()
SMALL = {"1e200": "1e25", "1e-200": "1e-25", "1e155": "1e19", "1e-160": "1e-20", "1e308": "3e38", "1e-308": "1e-38",
         "1e300": "1e37", "1e-300": "1e-37", "3e100": "3e12"}


def flat(v):
    return [x for w in v for x in flat(w)] if isinstance(v, list) else [float(v)]


def values(gradus, head, forms):
    """Of each (declarations, expression): its numbers, or the code of its error."""
    lines, owner = list(head), {}
    for i, (declarations, expression) in enumerate(forms):
        names = re.findall(r"(\w+) :", declarations)

        def mine(text, i=i, names=names):
            return re.sub(r"\b(%s)\b" % "|".join(names + ["n"]), lambda m: f"{m.group(1)}_{i}", text)

        lines += [mine(d) for d in declarations.split("; ")]
        lines.append(mine(expression))
        owner[len(lines)] = i
    with tempfile.NamedTemporaryFile("w", suffix=".gr", delete=False) as f:
        f.write("\n".join(lines) + "\n")
    done = subprocess.run([gradus, "--json", f.name], capture_output=True, text=True, timeout=600, check=False)
    os.unlink(f.name)
    if done.returncode not in (0, 1):
        sys.exit(f"exit status {done.returncode}: {done.stderr[-400:]}")
    out = [None] * len(forms)
    at = [owner[k] for k in sorted(owner)]
    for line in done.stdout.splitlines():
        o = json.loads(line)
        if o["kind"] == "error" and o.get("line") in owner:
            i = owner[o["line"]]
            out[i] = out[i] or o["code"]
            at.remove(i)
        elif o["kind"] == "value":
            out[at.pop(0)] = flat(o["value"])
    return out


def same_number(a, b, close):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if a == 0 and b == 0:
        return math.copysign(1, a) == math.copysign(1, b)
    return a == b or (math.isfinite(a) and math.isfinite(b) and abs(a - b) <= close * max(abs(a), abs(b)))


def same(u, v, close=1e-9):
    if not isinstance(u, list) or not isinstance(v, list):
        return u == v and u is not None
    return len(u) == len(v) and all(same_number(a, b, close) for a, b in zip(u, v))


# ---- random expressions over numbers ----


def term(r, depth):
    if depth == 0:
        return r.choice(["a", "b", "c", "a", "b", r.choice([s for s in SCALES if "n" not in s])])
    k = r.randrange(10)
    if k < 8:
        return f"({term(r, depth - 1)} {r.choice('****/+-')} {term(r, depth - 1)})"
    return f"{r.choice(['abs', 'sqr', '-'])}({term(r, depth - 1)})"


def random_form(seed):
    r = random.Random(seed)
    small = r.random() < 0.25
    dtype = "f32" if small else "f64"
    text = "; ".join(f"{v} : {dtype} = {r.choice(SCALES)}" for v in "abc") + "|" + term(r, r.choice([2, 3, 4]))
    if small:
        text = re.sub(r"[\d.]+e-?\d+", lambda m: SMALL.get(m.group(0), m.group(0)), text)
    return tuple(text.split("|"))


class Paper:
    """A number without rounding and without an end of its range, and what it is made of without signs."""

    def __init__(self, value, size=None):
        self.value = value
        self.size = abs(value) if size is None else size

    def __add__(self, o):
        return Paper(self.value + o.value, self.size + o.size)

    def __sub__(self, o):
        return self + -o

    def __mul__(self, o):
        return Paper(self.value * o.value, self.size * o.size)

    def __truediv__(self, o):
        return Paper(self.value / o.value, self.size * o.size / o.value**2)

    def __neg__(self):
        return Paper(-self.value, self.size)

    def __abs__(self):
        return Paper(abs(self.value), self.size)


def on_paper(declarations, expression):
    """None: an input is no number, or it divides by 0."""
    scope = {"sqr": lambda x: x * x, "P": lambda x: Paper(fractions.Fraction(x))}
    try:
        for d in declarations.split("; "):
            if re.search(rf"\b{d[0]}\b", expression):
                scope[d[0]] = scope["P"](d.split("= ")[1])
        exact = re.sub(r"(?<![\w.])\d[\d.]*(?:e-?\d+)?", lambda m: f"P('{m.group(0)}')", expression)
        return eval(exact, scope)  # pylint: disable=eval-used
    except (ValueError, ZeroDivisionError):
        return None


def is_better(form, written, value, close):
    """Is it what arithmetic without limits gives, which the way as written left?"""
    paper = on_paper(*form)
    if paper is None:
        return not math.isfinite(written)  # infinity times what underflowed, and the like
    most, least = (3.5e38, 1e-45) if "f32" in form[0] else (1.8e308, 5e-324)
    if not math.isfinite(value):
        return math.isinf(value) and abs(paper.value) > most
    off = abs(fractions.Fraction(value) - paper.value)
    return off <= fractions.Fraction(close) * paper.size + fractions.Fraction(least)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--cases", type=int, default=1500)
    o = p.parse_args()
    off = runs.switched_off(o.gradus)
    passed = failed = 0

    def report(ok, form, *told):
        nonlocal passed, failed
        passed += ok
        failed += not ok
        if not ok:
            print("FAILED", *form, *told)

    known = values(o.gradus, [], [k[:2] for k in KNOWN])
    for k, v in zip(KNOWN, known):
        report(same(flat(k[2]) if isinstance(k[2], list) else [float(k[2])], v), k[:2], "expected", k[2], "got", v)

    nothing = [(f"x : {d}[n] = []; z : {d} = {z}", e) for e in re.split(r"[|\n]", NOTHING)
               for z in ("inf", "nan", "-inf", "0.0", "-2.0") for d in ("f64", "f32")]
    for f, u, v in zip(nothing, values(o.gradus, off, nothing), values(o.gradus, [], nothing)):
        report(same(u, v), f, "as written", u, "with passes", v)

    for start in range(0, o.cases, 500):
        forms = [random_form(f"{o.seed} {k}") for k in range(start, min(start + 500, o.cases))]
        for f, u, v in zip(forms, values(o.gradus, off, forms), values(o.gradus, [], forms)):
            close = 1e-4 if "f32" in f[0] else 1e-9
            ok = same(u, v, close) or (isinstance(v, list) and isinstance(u, list) and is_better(f, u[0], v[0], close))
            report(ok, f, "as written", u, "with passes", v, "seed", o.seed)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
