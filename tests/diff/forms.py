#!/usr/bin/python3
"""Forms of arguments that NumPy has: keepdims of argmin and argmax, split at positions, masks in reductions and as
indices, initial values; and folds and maps over tuples against Python loops."""
import warnings

import numpy as np
from ops import text
from run import Tally, batch, decode

rng = np.random.default_rng(16)
SHAPES = [(4,), (2, 3), (3, 1, 2), (1,), (0,), (2, 0)]
ERROR = object()


def named(values):
    dtypes = {"f": "f64", "i": "i64", "b": "bool"}
    return "".join(f"{k} : {dtypes[v.dtype.kind]}{list(v.shape) if v.ndim else ''} = {text(v)}\n" for k, v in values.items())


def reductions(x, m, name):
    """(program text, expected) of one input; `name` tells its variables apart."""
    axes = [None, *range(-x.ndim, x.ndim)] + ([(0, 1)] if x.ndim > 1 else [])
    for axis in axes:
        for keep in (False, True):
            tail = f"axis={axis}, keepdims={str(keep).lower()}" if axis is not None else f"keepdims={str(keep).lower()}"
            both = dict(axis=axis, keepdims=keep)
            for f in ("sum", "prod", "mean", "var", "std"):
                yield f"{f}({name}, {tail}, where=m{name})", getattr(np, f)(x, where=m, **both)
            for ddof in (1, 2):
                yield f"var({name}, {tail}, ddof={ddof}, where=m{name})", np.var(x, where=m, ddof=ddof, **both)
            for f in ("any", "all"):
                yield f"{f}({name} > 0, {tail}, where=m{name})", getattr(np, f)(x > 0, where=m, **both)
            full = x.size or not isinstance(axis, type(None)) and 0 not in np.take(x.shape, axis, mode="wrap").ravel()
            for f, start in (("min", 0.5), ("max", -0.5)):
                if full:
                    yield f"{f}({name}, {tail}, where=m{name}, initial={start})", getattr(np, f)(x, where=m, initial=start, **both)
                    yield f"{f}({name}, {tail}, initial={start})", getattr(np, f)(x, initial=start, **both)
                    if not isinstance(axis, tuple):
                        yield f"arg{f}({name}, {tail})", getattr(np, f"arg{f}")(x, **both)
    yield f"max({name}, where=m{name})", ERROR
    yield f"sum({name}, where={name})", ERROR


def pieces(x, name):
    for axis in range(x.ndim):
        for cuts in ([2], [1, 4], [0], [-1], [1, 1], [3, 1], [7]):
            parts = np.split(x, cuts, axis=axis)
            for k, part in enumerate(parts):
                for form in (f"[{', '.join(map(str, cuts))}]", f"({', '.join(map(str, cuts))},)"):
                    yield f"split({name}, {form}, axis={axis})[{k}]", part


def masks(x, m, name):
    yield f"{name}[m{name}]", x[m]
    yield f"{name}[{name} > 0]", x[x > 0]
    yield f"{name}[not m{name}] * 2", x[~m] * 2
    yield f"size({name}[m{name}], 0)", np.int64(m.sum())
    first = np.array([k % 2 == 0 for k in range(x.shape[0])])
    if x.shape[0]:
        yield f"{name}[{text(first)}]", x[first]
    written = x.copy()
    written[m] = 7
    yield f"{name} with [m{name}] = 7", written
    written = x.copy()
    written[m] += 2.5
    yield f"{name} with [m{name}] += 2.5", written
    inner = np.zeros_like(x)
    inner[m] = 2 * x[m]
    yield f"grad(sum(sqr({name}[m{name}])), {name})", inner
    yield f"{name}[{text(np.ones(x.shape[0] + 1, bool))}]", ERROR


def folds():
    x = np.array([3.0, 1.0, 2.0, 5.0])
    total, best, seen = 10.0, -np.inf, []
    for v in x:
        total, best = total + v, max(best, v)
        seen.append((total, best))
    yield "foldl((a, v) -> (a[0] + v, maximum(a[1], v)), x, (10, -inf))[0]", np.float64(total)
    yield "foldl((a, v) -> (a[0] + v, maximum(a[1], v)), x, (10, -inf))[1]", np.float64(best)
    yield "reduce((a, v) -> (a[0] + v, a[1] * v), x, (0, 1))[1]", np.float64(30)
    yield "reduce((a, v) -> a * 2 + v, x, 1)", np.float64(16 + 24 + 4 + 4 + 5)
    yield "reduce((a, v) -> a * 2 + v, x)", np.float64(24 + 4 + 4 + 5)
    yield "foldr((a, v) -> (a[0] * 0.5 + v, a[0]), x, (0, 0))[1]", np.float64(1 + 0.5 * (2 + 0.5 * 5))
    yield "map(v -> (v, v * v), x)[1]", x * x
    yield "map((u, v) -> (u + v, (u, v)), x, 2 * x)[1][1]", 2 * x
    yield "(scan t over x from s = (10.0, -inf) { s[t] = (s[t-1][0] + x[t], maximum(s[t-1][1], x[t])) })[0]", np.array(seen)[:, 0]
    yield "(scan t over x from s = (10.0, -inf) { s[t] = (s[t-1][0] + x[t], maximum(s[t-1][1], x[t])) }).final[1]", np.float64(5)
    yield "(scan t over x from s = (1.0, (2.0, 3.0)) { s[t] = (s[t-1][1][1], (s[t-1][0], s[t-1][1][0])) }).s[1][0]", np.array([1.0, 3, 2, 1])
    yield "(scan t over x from s = (zeros(2), ones(2)) { s[t] = (s[t-2][1] + x[t], s[t-1][0]) }).final[0]", np.float64(9)
    yield "(scan t over x from s = (0.0, 1.0) { s[t] = (s[t+1][1], s[t+1][0] + x[t]) }).s[0]", np.array([6.0, 3, 5, 1])
    yield "grad(foldl((a, v) -> (a[0] + v * a[1], a[1] * v), x, (0, 1))[0], x)", slope()
    yield "vmap(v -> foldl((a, w) -> (a[0] + w, a[1] * w), v, (0, 1))[1])(stack((x, 2 * x)))", np.array([30.0, 480])
    yield "foldl((a, v) -> v, x, (0, 1))", ERROR
    yield "foldl((a, v) -> (v, (v, v)), x, (v -> v, 1))", ERROR
    yield "(scan t over x from s = ((0.0, 1.0), 2.0) { s[t] = (x[t], (x[t], x[t])) }).final[1]", ERROR


def slope():
    """The last gradient by differences in place of a formula by hand."""
    def f(x):
        a, b = 0.0, 1.0
        for v in x:
            a, b = a + v * b, b * v
        return a
    x, h = np.array([3.0, 1.0, 2.0, 5.0]), 1e-6
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(4)])


def main():
    warnings.simplefilter("ignore")
    tally, cases, inputs = Tally(), [], {"x": np.array([3.0, 1.0, 2.0, 5.0])}
    for k, shape in enumerate(SHAPES):
        x, m = np.round(rng.normal(size=shape), 3), rng.random(shape) < 0.6
        inputs[f"v{k}"], inputs[f"mv{k}"] = x, m
        cases += [*reductions(x, m, f"v{k}"), *pieces(x, f"v{k}"), *masks(x, m, f"v{k}")]
    cases += folds()
    for (asked, want), got in zip(cases, batch([asked for asked, _ in cases], named(inputs))):
        if want is ERROR or got["kind"] == "error":
            tally.check(want is ERROR and got["kind"] == "error", f"{asked}: {got.get('message', 'is no error')}")
            continue
        want = np.asarray(want)
        value = decode(got)
        loose = 1e-6 if asked.startswith("grad(foldl") else 1e-11
        ok = value.shape == want.shape and value.dtype == want.dtype and np.allclose(value, want, rtol=loose, atol=1e-13, equal_nan=True)
        tally.check(ok, f"{asked}: {got['type']} {value} is not {want.dtype} {want}")
    print(f"{tally.passed} passed, {tally.failed} failed")
    raise SystemExit(tally.failed > 0)


if __name__ == "__main__":
    main()
