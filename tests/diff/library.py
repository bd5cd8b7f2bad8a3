#!/usr/bin/python3
"""The functions that the prelude defines, and others of that kind, against NumPy and SciPy.

    library.py [PROGRAM]

Values over dtypes, axes, empty arrays and strided views, with sizes known, symbolic and in loops; gradients against
central differences; lanes of vmap; what is refused.  The last line is `N passed, N failed`.
"""
import itertools
import sys

import numpy as np
from more import Cases, definite, good, normal
from scipy import special
from windows import bordered, counts, pair, windows

FLOATS = (np.float64, np.float32)
NUMBERS = FLOATS + (np.int64, np.int32)


def numbers(dtype, *shape):
    return (normal(*shape) * 4).astype(dtype)


def wide(dtype):
    """What floats a function of NumPy gives for this dtype."""
    return dtype if dtype in FLOATS else np.float64


def f(x):
    return x.astype(wide(x.dtype.type))


VIEWS = (("x", lambda x: x), ("x[::-2]", lambda x: x[::-2]), ("x'", lambda x: np.swapaxes(x, -1, -2)),
         ("x[:, 1:]", lambda x: x[:, 1:]), ("x[:0]", lambda x: x[:0]))


def layer_norm(x, scale=1, shift=0, axis=-1, eps=1e-5):
    return (f(x) - f(x).mean(axis=axis, keepdims=True)) / np.sqrt(f(x).var(axis=axis, keepdims=True) + eps) * scale + shift


def activations(c):
    table = (("gelu(x)", lambda x: f(x) * special.ndtr(f(x))), ("silu(x)", lambda x: f(x) * special.expit(f(x))),
             ("elu(x)", lambda x: np.where(x > 0, f(x), np.expm1(np.minimum(f(x), 0))).astype(f(x).dtype)),
             ("elu(x, alpha=0.5)", lambda x: np.where(x > 0, f(x), 0.5 * np.expm1(np.minimum(f(x), 0))).astype(f(x).dtype)),
             ("leaky_relu(x)", lambda x: np.where(x > 0, f(x), 0.01 * f(x)).astype(f(x).dtype)),
             ("leaky_relu(x, slope=0.2)", lambda x: np.where(x > 0, f(x), 0.2 * f(x)).astype(f(x).dtype)))
    for (text, oracle), dtype, shape in itertools.product(table, NUMBERS, ((), (5,), (3, 4), (0, 3))):
        c.value(text, oracle, x=numbers(dtype, *shape) if shape else np.asarray(dtype(1.5)))
    for text, oracle in table:
        for shape in ((5,), (2, 3)):
            c.both(text, oracle, x=normal(*shape))
            c.gradient(text, oracle, "x", x=normal(*shape))
        for view, cut in VIEWS:
            c.value(text.replace("x", view, 1) if "elu(x" not in text else text.replace("(x", "(" + view),
                    lambda x, o=oracle, k=cut: o(k(x)), x=normal(4, 3))
        name, rest = text.split("(x", 1)
        c.value("vmap(v -> %s(v%s)(x)" % (name, rest), oracle, x=normal(3, 4))
        c.value("%s(x)" % name, lambda x, o=dict(table)["%s(x)" % name]: o(x), x=np.array([-40.0, -7, -0.0, 0, 1e-300, 30, np.inf]))


def layers(c):
    for dtype, axis in itertools.product(NUMBERS, (-1, 0, 1, (0, 1))):
        c.value("layer_norm(x, axis=%s)" % (axis,), lambda x, a=axis: layer_norm(x, axis=a), x=numbers(dtype, 3, 4))
        c.value("batch_norm(x, axis=%s)" % (axis,), lambda x, a=axis: layer_norm(x, axis=a), x=numbers(dtype, 3, 4))
    for text, oracle in (("layer_norm(x, s, b)", lambda x, s, b: layer_norm(x, s, b)),
                         ("batch_norm(x, s, b, eps=0.1)", lambda x, s, b: layer_norm(x, s, b, 0, 0.1))):
        given = {"x": normal(3, 4), "s": normal(4), "b": normal(4)}
        c.both(text, oracle, **given)
        for by in "xsb":
            c.gradient(text, oracle, by, **given)
            c.gradient(text, oracle, by, True, **given)
    for view, cut in VIEWS[:4]:
        c.value("layer_norm(%s)" % view, lambda x, k=cut: layer_norm(k(x)), x=normal(4, 3))
    c.value("vmap(layer_norm)(x)", layer_norm, x=normal(2, 3, 4))
    c.value("batch_norm(x, axis=(0, 2, 3))", lambda x: layer_norm(x, axis=(0, 2, 3)), x=normal(2, 3, 2, 2))


def cross_entropy(z, t):
    logp = f(z) - special.logsumexp(f(z), axis=-1, keepdims=True)
    if t.ndim == z.ndim:
        return -(logp * t).sum(axis=-1).mean()
    return -np.take_along_axis(logp, t[..., None].astype(np.int64), axis=-1).mean()


def entropies(c):
    for dtype, shape in itertools.product(FLOATS, ((4,), (3, 4), (2, 3, 4), (5, 1))):
        z, t = numbers(dtype, *shape), np.abs(numbers(np.int64, *shape[:-1])) % shape[-1] if len(shape) > 1 else np.int64(2)
        p = special.softmax(normal(*shape), axis=-1).astype(dtype)
        c.both("cross_entropy(z, t)", lambda z, t: dtype_as(z, cross_entropy(z, t)), z=z, t=t)
        c.both("cross_entropy(z, p)", lambda z, p: dtype_as(z, cross_entropy(z, p)), z=z, p=p)
        if dtype == np.float64:
            c.gradient("cross_entropy(z, t)", cross_entropy, "z", z=z, t=t)
            c.gradient("cross_entropy(z, p)", cross_entropy, "z", True, z=z, p=p)
            c.gradient("cross_entropy(z, p)", cross_entropy, "p", z=z, p=p)
    c.value("vmap(cross_entropy)(z, t)", lambda z, t: np.array([cross_entropy(a, b) for a, b in zip(z, t)]),
            z=normal(3, 2, 4), t=np.array([[0, 1], [2, 3], [3, 0]]))
    c.value("cross_entropy(z, t)", cross_entropy, z=np.array([[1e3, 0], [0, -1e3]]), t=np.array([0, 1]))


def dtype_as(x, y):
    return np.asarray(y, dtype=x.dtype)


def conv1d(x, w, stride=1, pad=0, groups=1):
    if w.ndim == 1:
        return conv1d(x[..., None, :], w[None, None], stride, pad)[..., 0, :]
    x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(pad, pad)])
    n, k = x.shape[-1], w.shape[-1]
    y = np.zeros(x.shape[:-2] + (w.shape[0], (n - k) // stride + 1), dtype=x.dtype)
    for o, i in np.ndindex(w.shape[0], y.shape[-1]):
        first = o // (w.shape[0] // groups) * w.shape[1]
        y[..., o, i] = (x[..., first:first + w.shape[1], i * stride:i * stride + k] * w[o]).sum(axis=(-2, -1))
    return y


def avg_pool(x, size, stride=None, pad=0):
    size, stride = pair(size), pair(size if stride is None else stride)
    x = bordered(f(x), pad, 0)
    y = np.zeros(x.shape[:-2] + counts(x, size, stride), dtype=x.dtype)
    for i, j, seen in windows(x, size, stride):
        y[..., i, j] = seen.mean(axis=(-2, -1), dtype=np.float64)
    return y


def convolutions(c):
    for (xs, ws, groups), stride, pad in itertools.product(
            (((6,), (3,), 1), ((2, 6), (3,), 1), ((2, 6), (4, 2, 3), 1), ((3, 4, 7), (2, 2, 2), 2), ((1, 5), (1, 1, 5), 1)), (1, 2),
            (0, 2)):
        text = "conv1d(x, w, stride=%d, pad=%d, groups=%d)" % (stride, pad, groups)
        oracle = lambda x, w, s=stride, p=pad, g=groups: conv1d(x, w, s, p, g)
        c.both(text, oracle, x=normal(*xs), w=normal(*ws))
        c.value(text, oracle, x=numbers(np.int64, *xs), w=numbers(np.int64, *ws))
        c.value(text, oracle, x=numbers(np.float32, *xs), w=numbers(np.float32, *ws))
        for by in "xw":
            c.gradient(text, oracle, by, x=normal(*xs), w=normal(*ws))
    c.value("vmap(v -> conv1d(v, w))(x)", conv1d, x=normal(4, 2, 6), w=normal(3, 2, 2))
    for xs, size, stride, pad in itertools.product(((5, 6), (2, 6, 5), (2, 2, 4, 4)), (2, (1, 3)), (None, 1, (2, 1)), (0, 1)):
        if pad > min(pair(size)) // 2:
            continue
        text = "avg_pool(x, %s, stride=%s, pad=%d)" % (size, stride, pad)
        oracle = lambda x, s=size, k=stride, p=pad: avg_pool(x, s, k, p)
        c.both(text, oracle, x=normal(*xs))
        c.value(text, oracle, x=numbers(np.int64, *xs))
        c.value(text, oracle, x=numbers(np.float32, *xs))
        c.gradient(text, oracle, "x", not pad, x=normal(*xs))
    c.value("vmap(v -> avg_pool(v, 2))(x)", lambda x: avg_pool(x, 2), x=normal(3, 4, 4))


def diff(x, n=1, axis=-1):
    return np.diff(x, n, axis)


def order(c):
    for dtype, n, axis in itertools.product(NUMBERS, (0, 1, 2, 3), (0, 1, -1)):
        c.value("diff(x, %d, axis=%d)" % (n, axis), lambda x, n=n, a=axis: diff(x, n, a), x=numbers(dtype, 3, 4))
    for shape, axis in itertools.product(((4,), (3, 4), (2, 3, 4), (0, 3), (1,)), (0, -1)):
        c.both("diff(x, axis=%d)" % axis, lambda x, a=axis: diff(x, 1, a), x=normal(*shape))
        c.gradient("diff(x, axis=%d)" % axis, lambda x, a=axis: diff(x, 1, a), "x", x=normal(*shape))
    for view, cut in VIEWS:
        c.value("diff(%s)" % view, lambda x, k=cut: diff(k(x)), x=normal(4, 3))
    c.value("vmap(v -> diff(v, 2))(x)", lambda x: diff(x, 2), x=normal(3, 5))
    shares = (0.0, 0.5, 1.0, 0.3, [0.0, 0.25, 0.9])
    for dtype, q, axis, keep in itertools.product(NUMBERS, shares, (None, 0, 1, -1), (False, True)):
        text = "quantile(x, %s, axis=%s, keepdims=%s)" % (q, axis, str(keep).lower())
        for shape in ((3, 4), (1, 5)):
            c.value(text, lambda x, q=q, a=axis, k=keep: np.asarray(np.quantile(f(x).astype(np.float64), q, axis=a, keepdims=k),
                                                                    dtype=f(x).dtype), x=numbers(dtype, *shape))
    for axis, keep, shape in itertools.product((None, 0, -1), (False, True), ((5,), (4,), (3, 4), (2, 1, 3))):
        text = "median(x, axis=%s, keepdims=%s)" % (axis, str(keep).lower())
        oracle = lambda x, a=axis, k=keep: np.median(x, axis=a, keepdims=k)
        c.both(text, oracle, x=normal(*shape))
        c.gradient(text, oracle, "x", x=normal(*shape))
        text = "quantile(x, 0.37, axis=%s)" % axis
        c.gradient(text, lambda x, a=axis: np.quantile(x, 0.37, axis=a), "x", True, x=normal(*shape))
    for q in (0.31, 0.77):
        c.gradient("quantile(x, q)", np.quantile, "q", x=normal(6), q=np.asarray(q))
        c.both("quantile(x, q, axis=0)", lambda x, q: np.quantile(x, q, axis=0), x=normal(6, 2), q=np.array([q, 0.5]))
    c.value("quantile(x, 0.5)", np.median, x=np.array([1, np.nan, 3]))
    c.value("median(x, axis=1)", lambda x: np.median(x, axis=1), x=np.array([[1, np.inf, 3], [-np.inf, np.inf, np.inf], [1, np.nan, 2]]))
    c.value("vmap(median)(x)", lambda x: np.median(x, axis=1), x=normal(3, 4))


def interpolation(c):
    xp, fp = np.cumsum(np.abs(normal(5))), normal(5)
    points = np.concatenate([xp, xp + 0.01, [-9.0, 99.0, np.inf, -np.inf]])
    for dtype in FLOATS:
        for x in (points, points.reshape(2, 7), np.asarray(xp[2] + 0.1), points[:0]):
            c.value("interp(x, xp, fp)", lambda x, xp, fp: np.asarray(np.interp(x, xp, fp), dtype=x.dtype), x=x.astype(dtype),
                    xp=xp.astype(dtype), fp=fp.astype(dtype))
    c.both("interp(x, xp, fp)", np.interp, x=points, xp=xp, fp=fp)
    c.value("interp(x, xp, fp)", np.interp, x=np.array([0.0, 1, 2]), xp=np.array([1.0]), fp=np.array([7.0]))
    c.value("interp(x, xp, fp)", np.interp, x=np.array([np.nan, 1.5]), xp=np.array([1.0, 2]), fp=np.array([7.0, 8]))
    inner = np.array([xp[0] + 0.01, xp[1] + 0.03, xp[3] + 0.02, -1.0, 99.0])
    for by in ("x", "xp", "fp"):
        c.gradient("interp(x, xp, fp)", np.interp, by, x=inner, xp=xp, fp=fp)
    c.value("vmap(v -> interp(v, xp, fp))(x)", np.interp, x=points.reshape(2, 7), xp=xp, fp=fp)
    c.value("vmap(v -> interp(x, xp, v))(fp)", lambda x, xp, fp: np.stack([np.interp(x, xp, v) for v in fp]), x=inner, xp=xp,
            fp=normal(3, 5))


def segment_sum(x, ids, n):
    y = np.zeros((n,) + x.shape[1:], dtype=x.dtype)
    np.add.at(y, ids, x)
    return y


def counting(c):
    for dtype, axis, keep in itertools.product(NUMBERS + (np.bool_,), (None, 0, 1, (0, 1)), (False, True)):
        for shape in ((3, 4), (0, 2)):
            c.value("count_nonzero(x, axis=%s, keepdims=%s)" % (axis, str(keep).lower()),
                    lambda x, a=axis, k=keep: np.asarray(np.count_nonzero(x, axis=a, keepdims=k), dtype=np.int64),
                    x=(normal(*shape) * 1.5).astype(dtype))
    for dtype, least in itertools.product((np.int64, np.int32), (0, 3, 9)):
        for x in (np.array([1, 0, 4, 4, 4]), np.array([], dtype=int), np.array([2])):
            c.value("bincount(x, minlength=%d)" % least, lambda x, m=least: np.bincount(x, minlength=m), x=x.astype(dtype))
            c.value("bincount(x, w, minlength=%d)" % least, lambda x, w, m=least: np.bincount(x, w, m), x=x.astype(dtype),
                    w=normal(x.size), kind=False)
    wild = np.array([1, 0, 3, -2, 0, 3, np.nan, np.nan, np.inf])
    for x in (wild, np.zeros(0), np.zeros(4), np.array([2, 0, 2]), np.array([True, False, True]), np.array([[0.0, 2], [3, 0]])):
        c.value("unique(x)", np.unique, x=x)
        c.value("unique_counts(x)", lambda x: np.unique(x, return_counts=True), x=x)
        c.value("nonzero(reshape(x, -1))", lambda x: np.flatnonzero(x), x=x)
        if x is not wild:  # NumPy gives each nan a place of its own
            c.value("unique_inverse(x)", lambda x: tuple(v.reshape(s) for v, s in zip(np.unique(x, return_inverse=True), (-1, x.shape))), x=x)
    c.value("nonzero(x)", np.nonzero, x=np.array([[0, 2, 1], [3, 0, 0]]))
    c.value("nonzero(x)", np.nonzero, x=np.array([[[0, 2], [1, 0]], [[0, 0], [1, 1]]]))
    c.gradient("unique(x)[:2]", lambda x: np.unique(x)[:2], "x", x=np.array([2.0, -1, 3]))
    for text, of in (("a[1:] - a[:-1]", np.diff), ("diff(a)", np.diff), ("a[::-1]", lambda a: a[::-1]), ("size(a) + a", lambda a: len(a) + a),
                     ("reshape(a, (-1, 1))", lambda a: a[:, None]), ("{ S = scan i over a from s = 0 { s[i] = s[i-1] + a[i] }; S }", np.cumsum)):
        c.value("{ a = nonzero(x); %s }" % text, lambda x, of=of: of(np.flatnonzero(x)), x=wild)  # lengths that only the values say
    c.both("bincount(x)", np.bincount, x=np.array([3, 1, 3]))
    c.gradient("bincount(x, w)", np.bincount, "w", x=np.array([3, 1, 3]), w=normal(3))
    for dtype, shape in itertools.product(FLOATS, ((5,), (5, 2), (5, 2, 3), (5, 0))):
        given = {"x": numbers(dtype, *shape), "ids": np.array([2, 0, 2, 2, 3])}
        c.both("segment_sum(x, ids, 5)", lambda x, ids: segment_sum(x, ids, 5), **given)
        if dtype == np.float64 and 0 not in shape:
            c.gradient("segment_sum(x, ids, 5)", lambda x, ids: segment_sum(x, ids, 5), "x", **given)
    c.value("vmap(v -> segment_sum(v, ids, 3))(x)", lambda x, ids: np.stack([segment_sum(v, ids, 3) for v in x]), x=normal(2, 4),
            ids=np.array([0, 2, 2, 0]))
    for dtype, bins in itertools.product(NUMBERS, (1, 4, 10)):
        for x in (numbers(dtype, 30), numbers(dtype, 5, 6), np.full(4, 2, dtype=dtype), numbers(dtype, 0)):
            c.value("histogram(x, %d)" % bins, lambda x, b=bins: np.histogram(x.astype(np.float64), b), x=x, kind=False)
            c.value("histogram(x, %d, range=(-2, 3))" % bins, lambda x, b=bins: np.histogram(x.astype(np.float64), b, (-2, 3)), x=x,
                    kind=False)
    edges = np.array([-2.0, -1, 0.5, 0.5, 4])
    c.value("histogram(x, e)", np.histogram, x=normal(40) * 3, e=edges)
    c.value("histogram(x, e, weights=w)", lambda x, e, w: np.histogram(x, e, weights=w), x=normal(40), e=edges, w=normal(40))
    c.value("histogram(x, e)", np.histogram, x=np.array([-2.0, 4, 4.1, np.nan, 0.5, np.inf]), e=edges)
    c.gradient("histogram(x, e, weights=w)[0]", lambda x, e, w: np.histogram(x, e, weights=w)[0], "w", x=normal(10), e=edges,
               w=normal(10))


def products(c):
    for dp, dx in itertools.product(NUMBERS, NUMBERS):
        for n, shape in ((4, (3,)), (1, (2, 2)), (0, (3,)), (3, ())):
            x = numbers(dx, *shape) if shape else np.asarray(dx(3))
            c.value("polyval(p, x)", np.polyval, p=numbers(dp, n), x=x, kind=False, tol=1e-12 if np.float32 not in (dp, dx) else 1e-3)
    c.both("polyval(p, x)", np.polyval, p=normal(4), x=normal(3))
    for by in "px":
        c.gradient("polyval(p, x)", np.polyval, by, p=normal(4), x=normal(3))
        c.gradient("polyval(p, x)", np.polyval, by, True, p=normal(4), x=normal(3))
    c.value("vmap(v -> polyval(v, x))(p)", lambda p, x: np.stack([np.polyval(v, x) for v in p]), p=normal(3, 4), x=normal(2))
    for start, stop, n, base in ((0, 3, 4, 10), (-1.5, 2, 7, 2), (1, 1, 1, 10), (0, 1, 0, 3.5), (2, -2, 5, 10)):
        c.value("logspace(a, b, %d, base=%s) + 0 * a" % (n, base), lambda a, b, n=n, k=base: np.logspace(a, b, n, base=k),
                a=np.asarray(float(start)), b=np.asarray(float(stop)))
    c.gradient("logspace(a, b, 4)", lambda a, b: np.logspace(a, b, 4), "a", a=np.asarray(0.1), b=np.asarray(0.5))
    for dtype in NUMBERS + (np.bool_,):
        c.value("meshgrid(x, y)", lambda x, y: tuple(np.meshgrid(x, y)), x=numbers(dtype, 3), y=numbers(dtype, 2))
        c.value("meshgrid(x, y, z)", lambda x, y, z: tuple(np.meshgrid(x, y, z)), x=numbers(dtype, 3), y=numbers(dtype, 0),
                z=numbers(dtype, 2))
    c.both("meshgrid(x, y)", lambda x, y: tuple(np.meshgrid(x, y)), x=normal(3), y=normal(2))
    for dtype, (s, t) in itertools.product(NUMBERS, (((3,), (3,)), ((4, 3), (4, 3)), ((4, 3), (3,)), ((2, 4, 3), (4, 3)), ((0, 3), (3,)))):
        c.value("cross(x, y)", np.cross, x=numbers(dtype, *s), y=numbers(dtype, *t))
        if dtype == np.float64 and 0 not in s:
            for by in "xy":
                c.gradient("cross(x, y)", np.cross, by, x=normal(*s), y=normal(*t))
    c.value("vmap(cross)(x, y)", np.cross, x=normal(4, 3), y=normal(4, 3))
    for dtype, (s, t) in itertools.product(NUMBERS, (((3,), (2,)), ((2, 3), (4, 1)), ((1, 1), (2, 2)), ((0, 2), (2, 2)))):
        c.value("kron(x, y)", np.kron, x=numbers(dtype, *s), y=numbers(dtype, *t))
    for by in "xy":
        c.gradient("kron(x, y)", np.kron, by, x=normal(2, 3), y=normal(2, 2))
        c.gradient("kron(x, y)", np.kron, by, True, x=normal(3), y=normal(2))
    c.both("kron(x, y)", np.kron, x=normal(2, 3), y=normal(2, 2))
    c.value("vmap(v -> kron(v, y))(x)", lambda x, y: np.stack([np.kron(v, y) for v in x]), x=normal(3, 2, 2), y=normal(1, 2))
    for n in (-3, -1, 0, 1, 2, 5, 8):
        text, oracle = "matrix_power(x, %d)" % n, lambda x, n=n: np.linalg.matrix_power(x, n)
        for x in (good(3, 3) / 3, good(2, 2, 2) / 2):
            c.value(text, oracle, x=x, tol=1e-10)
            if n:
                c.gradient(text, oracle, "x", x=x, tol=2e-5)
        c.value("vmap(v -> matrix_power(v, %d))(x)" % n, oracle, x=good(3, 2, 2) / 2, tol=1e-10)
        if n >= 0:
            c.value(text, oracle, x=numbers(np.int64, 3, 3))
    c.value("matrix_power(x, 3)", lambda x: np.linalg.matrix_power(x, 3), symbolic=True, x=good(3, 3), tol=1e-10)
    forms = (((3, 4), (4, 2), "1", 1), ((3, 4), (3, 4), "2", 2), ((2, 3), (4,), "0", 0), ((3, 4), (2, 3), "(0, 1)", (0, 1)),
             ((2, 3, 4), (4, 3, 5), "((1, 2), (1, 0))", ((1, 2), (1, 0))), ((3,), (3,), "(-1, 0)", (-1, 0)), ((2, 0), (0, 3), "1", 1))
    for dtype, (s, t, axes, known) in itertools.product(NUMBERS, forms):
        c.value("tensordot(x, y, axes=%s)" % axes, lambda x, y, a=known: np.tensordot(x, y, a), x=numbers(dtype, *s), y=numbers(dtype, *t),
                kind=dtype != np.int32)
    for s, t, axes, known in forms[:-1]:
        oracle = lambda x, y, a=known: np.tensordot(x, y, a)
        c.both("tensordot(x, y, axes=%s)" % axes, oracle, x=normal(*s), y=normal(*t))
        for by in "xy":
            c.gradient("tensordot(x, y, axes=%s)" % axes, oracle, by, x=normal(*s), y=normal(*t))
    c.value("vmap(v -> tensordot(v, y))(x)", lambda x, y: np.stack([np.tensordot(v, y) for v in x]), x=normal(3, 2, 3), y=normal(2, 3))


def odd_numbers(c):
    odd = np.array([[1, np.nan, np.inf], [-np.inf, 0, 1e30]])
    for dtype in FLOATS:
        x = odd.astype(dtype)
        c.value("nan_to_num(x)", np.nan_to_num, x=x)
        c.value("nan_to_num(x, nan=7, posinf=8, neginf=-9)", lambda x: np.nan_to_num(x, nan=7, posinf=8, neginf=-9), x=x)
        for rtol, atol in ((1e-5, 1e-8), (0, 0.5), (0.1, 0)):
            for y in (x, x * dtype(1.05), x + dtype(0.4), -x):
                for nan in (False, True):
                    c.value("isclose(x, y, rtol=%s, atol=%s, equal_nan=%s)" % (rtol, atol, str(nan).lower()),
                            lambda x, y, r=rtol, a=atol, n=nan: np.isclose(x, y, r, a, n), x=x, y=y)
                    c.value("allclose(x, y, rtol=%s, atol=%s, equal_nan=%s)" % (rtol, atol, str(nan).lower()),
                            lambda x, y, r=rtol, a=atol, n=nan: np.asarray(np.allclose(x, y, r, a, n)), x=x, y=y)
    c.value("nan_to_num(x)", lambda x: x, x=np.arange(3))
    c.value("isclose(x, y)", np.isclose, x=np.arange(3), y=np.array([0, 1, 3]))
    c.both("isclose(x, y)", np.isclose, x=normal(3), y=normal(3))
    c.value("grad(sum(nan_to_num(x)), x)", lambda x: np.isfinite(x) * 1.0, x=odd)
    c.value("vmap(nan_to_num)(x)", np.nan_to_num, x=odd)


def axes(c):
    for source, target in itertools.product((0, 1, 2, -1), repeat=2):
        c.both("moveaxis(x, %d, %d)" % (source, target), lambda x, s=source, t=target: np.moveaxis(x, s, t), x=normal(2, 3, 4))
    for shape, k in itertools.product(((3, 4), (4, 3), (2, 3, 3), (0, 2), (2, 2, 1, 4)), (-2, 0, 1, 9)):
        oracle = lambda x, k=k: np.diagonal(x, k, -2, -1)
        c.both("diagonal(x, %d)" % k, oracle, x=normal(*shape))
        if k < 9:
            c.gradient("diagonal(x, %d)" % k, oracle, "x", x=normal(*shape))
    for dtype in NUMBERS + (np.bool_,):
        c.value("diagonal(x)", lambda x: np.diagonal(x, 0, -2, -1), x=numbers(dtype, 2, 3, 3))
    c.value("vmap(diagonal)(x)", lambda x: np.diagonal(x, 0, -2, -1), x=normal(2, 3, 3))
    c.value("ndim(x) + 0", lambda x: np.asarray(x.ndim), x=normal(2, 3))


def refused(c):
    x, v, m = normal(3, 4), normal(5), definite(3, 3)
    for text, code in (
            ("layer_norm(x, axis=2)", "axis"), ("layer_norm(x, ones(3))", "shape-mismatch"),
            ("cross_entropy(x, [0, 1, 4])", "check"), ("cross_entropy(x, [0, 1, -1])", "check"),
            ("cross_entropy(x, [0, 1])", "shape-mismatch"), ("cross_entropy(1.0, 0)", "check"), ("cross_entropy(x, 0)", "check"),
            ("cross_entropy(x, ones((3, 5)))", "shape-mismatch"), ("cross_entropy(x, [0.5, 1, 2])", "type-mismatch"),
            ("conv1d(1.0, v)", "check"), ("conv1d(x, ones((2, 2)))", "check"), ("conv1d(x, ones((2, 2, 2)))", "check"),
            ("conv1d(v, ones((2, 2, 2)))", "check"), ("conv1d(v, ones(6))", "shape-mismatch"), ("conv1d(v, ones(2), pad=-1)", "range"),
            ("conv1d(v, ones(2), stride=0)", "range"), ("conv1d(v, ones(2), groups=2)", "check"),
            ("avg_pool(x, 5)", "shape-mismatch"), ("avg_pool(x, 0)", "range"), ("avg_pool(x, 2, pad=2)", "range"), ("avg_pool(v, 2)", "rank"),
            ("diff(1.0)", "check"), ("diff(x, -1)", "check"), ("diff(x, axis=2)", "axis"), ("diff(x, 0.5)", "check"),
            ("quantile(x, 1.5)", "check"), ("quantile(x, -0.5)", "check"), ("quantile(x, nan)", "check"), ("quantile(x, [0.5, 2])", "check"),
            ("quantile(x, [[0.5]])", "check"), ("quantile(zeros(0), 0.5)", "check"), ("quantile(x, 0.5, axis=2)", "axis"),
            ("median(x[:0], axis=0)", "check"), ("interp(1.0, [2, 1], [0, 1])", "check"), ("interp(1.0, [1, 2], [0, 1, 2])", "check"),
            ("interp(1.0, zeros(0), zeros(0))", "check"), ("interp(1.0, x, v)", "check"), ("bincount([1, -2])", "check"),
            ("bincount([[1]])", "check"), ("bincount([0.5])", "type-mismatch"), ("bincount([1], minlength=-1)", "check"),
            ("bincount([1, 2], [0.5])", "shape-mismatch"), ("segment_sum(x, [0, 1, 3], 3)", "check"), ("segment_sum(x, [0, 1], 3)", "check"),
            ("segment_sum(x, [0, -1, 1], 3)", "check"), ("segment_sum(1.0, [0], 3)", "check"), ("segment_sum(v, x, 3)", "check"),
            ("histogram(v, 0)", "check"), ("histogram(v, [1, 0])", "check"), ("histogram(v, [1])", "check"), ("histogram([nan, 1], 2)", "check"),
            ("histogram(v, 2, range=(1, 0))", "check"), ("histogram(v, x)", "check"), ("polyval(x, 1)", "check"),
            ("meshgrid(x, v)", "check"), ("cross(x, x)", "check"), ("cross(1, v)", "check"), ("kron(v, x)", "check"), ("kron(1, 2)", "check"),
            ("matrix_power(x, 2)", "check"), ("matrix_power(v, 2)", "check"), ("matrix_power(0 * m, -1)", "singular"),
            ("matrix_power(m, 0.5)", "check"), ("tensordot(x, x, axes=1)", "shape-mismatch"), ("tensordot(x, x, axes=3)", "axis"),
            ("tensordot(x, x, axes=-1)", "axis"), ("tensordot(x, x, axes=(0, 2))", "axis"), ("tensordot(x, x, axes=((0, 0), (0, 1)))", "axis"),
            ("tensordot(x, x, axes=((0, 1), 0))", "arity"), ("tensordot(x, x, axes=(0, 1, 2))", "arity"), ("diagonal(v)", "rank"),
            ("moveaxis(x, 2, 0)", "axis"), ("moveaxis(x, 0, -3)", "axis"), ("nan_to_num(rng(1))", "type-mismatch"),
            ("nan_to_num(x, nan=v)", "rank"), ("isclose(x, v)", "shape-mismatch"), ("count_nonzero(x, axis=2)", "axis")):
        c.error(text, code, x=x, v=v, m=m)


def main():
    c = Cases()
    for part in (activations, layers, entropies, convolutions, order, interpolation, counting, products, odd_numbers, axes, refused):
        part(c)
        c.finish()
    print("%d passed, %d failed" % (c.passed, c.failed))
    return 1 if c.failed else 0


if __name__ == "__main__":
    sys.exit(main())
