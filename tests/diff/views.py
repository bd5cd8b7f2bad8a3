#!/usr/bin/python3
"""Operands that fused groups read where they lie: slices, reversed and transposed arrays, broadcasts, of each other.

    views.py [PROGRAM]

Elements and reductions of sums of such views against NumPy, in the virtual machine and in native code, with one thread
and with three, at lengths around those at which rows and tiles end.  The last line is `N passed, N failed`.
"""
import os
import random
import sys

import numpy as np

import run

SIZES = ((3, 5), (7, 300), (300, 7), (33, 1040), (2, 5000))
COMPILED = ((7, 300), (300, 7))


def view(rng, shape):
    """(text, function) of a view of a larger x or y that has this shape."""
    n, m = shape
    name = rng.choice("xy")
    a, b = rng.randint(0, 2), rng.randint(0, 2)
    kind = rng.randrange(6)
    if kind == 0:
        return f"{name}[{a}:{a + n}, {b}:{b + m}]", lambda v: v[name][a:a + n, b:b + m]
    if kind == 1:
        return f"{name}[{a}:{a + 2 * n}:2, {b}:{b + m}]", lambda v: v[name][a:a + 2 * n:2, b:b + m]
    if kind == 2:
        return f"{name}[{a}:{a + n}, {b}:{b + m}][::-1, ::-1]", lambda v: v[name][a:a + n, b:b + m][::-1, ::-1]
    if kind == 3:
        return f"{name}T[{b}:{b + m}, {a}:{a + n}]'", lambda v: v[name].T[b:b + m, a:a + n].T
    if kind == 4:
        return f"{name}[{a}, {b}:{b + m}]", lambda v: np.broadcast_to(v[name][a, b:b + m], shape)
    return f"{name}[{a}:{a + n}, {b}:{b + 1}]", lambda v: np.broadcast_to(v[name][a:a + n, b:b + 1], shape)


def cases(rng, shape):
    """(text, value) of groups over views."""
    x = np.sin(np.arange((2 * shape[0] + 3) * (shape[1] + 3)) * .37).reshape(2 * shape[0] + 3, shape[1] + 3)
    values = {"x": x, "y": np.cos(x * 5)}
    inputs = "".join(f"{k} : f64[{v.shape[0]}, {v.shape[1]}] = {v.tolist()}\n" for k, v in values.items()) + "xT = x'\nyT = y'\n"
    found = []
    for k in range(9):
        parts = [view(rng, shape) for _ in range(3)]
        (ta, a), (tb, b), (tc, c) = parts
        total = np.zeros(shape) + a(values) * b(values) - c(values) / 3
        text = f"zeros(({shape[0]}, {shape[1]})) + {ta} * {tb} - {tc} / 3"
        found.append((f"sum({text}, axis={k % 2})", total.sum(axis=k % 2)) if k % 3 else (text, total))
    return inputs, found


def main():
    rng, tally = random.Random(5), run.Tally()
    for shape in SIZES:
        inputs, found = cases(rng, shape)
        for native, threads in (("off", "1"), ("off", "3"), ("on", "3")):
            if native == "on" and shape not in COMPILED:
                continue
            os.environ.update(GRADUS_NATIVE=native, GRADUS_THREADS=threads)
            for (text, want), got in zip(found, run.batch([text for text, _ in found], inputs)):
                ok = got["kind"] == "value" and run.same(run.decode(got), want, rtol=1e-9, atol=1e-12)
                tally.check(ok, f"native {native}, {threads} threads, {shape}: {text}: {str(got)[:200]}")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
