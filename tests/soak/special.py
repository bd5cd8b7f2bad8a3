#!/usr/bin/python3
"""digamma and polygamma against SciPy's: large, small and negative arguments, poles, and orders up to 30.

    special.py [--gradus PROGRAM] [--cases N]

The last line is "N passed, N failed".
"""
import argparse
import fractions
import json
import math
import pathlib
import subprocess
import sys

import numpy as np

try:
    from scipy import special
except ImportError:
    print("LEFT OUT: scipy is not installed\n0 passed, 0 failed")
    sys.exit(0)

ROOT = pathlib.Path(__file__).resolve().parents[2]
EDGES = [0.0, -0.0, 5e-324, -5e-324, 1e-300, 1e-10, -1e-10, 0.5, 1.0, 1.4616321449683622, 2.0, 1e8, 1e15, 1e154, 1e162, 1e300,
         np.inf, -np.inf, np.nan, -0.5, -1.0, -1.5, -2.0, -3.0000001, -10.25, -1e5 - 0.5]


def said(x):
    return "nan" if np.isnan(x) else ("-" if x < 0 else "") + "inf" if np.isinf(x) else repr(float(x))


def points(n, rng):
    wide = 10.0 ** rng.uniform(-300, 300, n // 3)
    near = rng.uniform(0, 30, n // 3)
    left = -rng.uniform(0, 30, n - 2 * (n // 3))
    return np.concatenate([EDGES, wide, near, left])


def ours(gradus, calls):
    """The value of each call."""
    run = subprocess.run([gradus, "--json", "-"], input="\n".join(calls) + "\n", capture_output=True, text=True, check=True)
    values = [json.loads(line)["value"] for line in run.stdout.splitlines()]
    return np.array([np.array(v, dtype=object) for v in values]).astype(float)


TINY = 5e-324


def near(a, b, x, order):
    """Close in relation to the value, however small, and to what moving x by a rounding makes of it."""
    if not np.isfinite([a, b, x]).all():
        return a == b or (np.isnan(a) and np.isnan(b))
    if order:  # about a power of x
        moved = (order + 2) * 1e-15 * abs(b)
    elif x > 0:  # it has a zero
        moved = 1e-15 * min(abs(x) * special.polygamma(1, x), abs(b) + 10)
    else:
        moved = 4e-15 * abs(x) * steepness(x, order)
    return abs(a - b) <= 1e-12 * abs(b) + moved + 4 * TINY


def first_terms(n, x):
    """polygamma(n, x) for large x, where SciPy's zeta function underflows: NIST DLMF 5.15.8, exactly."""
    x = fractions.Fraction(x)
    terms = (fractions.Fraction(math.factorial(n - 1)) / x ** n, fractions.Fraction(math.factorial(n), 2) / x ** (n + 1),
             fractions.Fraction(math.factorial(n + 1), 12) / x ** (n + 2))
    return (-1) ** (n + 1) * float(sum(terms))


def steepness(x, order):
    """A bound of the derivative: the nearest pole's term."""
    away = abs(x - round(x))
    return np.inf if away == 0 else 2 * special.gamma(order + 2) / away ** (order + 2)


def main():
    args = argparse.ArgumentParser(description="digamma and polygamma against SciPy")
    args.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    args.add_argument("--cases", type=int, default=300)
    args.add_argument("--seed", type=int, default=1)
    o = args.parse_args()
    rng = np.random.default_rng(o.seed)
    xs = points(o.cases, rng)
    passed = failed = 0
    rows = [("digamma", 0, x) for x in xs] + [("polygamma", n, x) for n in (0, 1, 2, 3, 7, 30)
                                                  for x in xs if n == 0 or not np.signbit(x)]  # SciPy has no order above 0 there
    calls = [f"digamma({said(x)})" if name == "digamma" else f"polygamma({n}, {said(x)})" for name, n, x in rows]
    for (name, n, x), call, got in zip(rows, calls, ours(o.gradus, calls)):
        with np.errstate(all="ignore"):
            want = float(special.digamma(x) if n == 0 else first_terms(n, x) if 1e8 < x < np.inf else special.polygamma(n, x))
            ok = near(got, want, x, n)
        passed, failed = passed + ok, failed + (not ok)
        if not ok and failed < 20:
            print(f"FAILED: {call} = {got!r}, and not {want!r}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
