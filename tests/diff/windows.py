#!/usr/bin/python3
"""conv2d and max_pool against loops over windows in NumPy.

    windows.py [PROGRAM]

Values, gradients (central differences), tangents, lanes of vmap, second derivatives; sizes known and
symbolic; strides, borders, groups, batches, kernels without channels.  The last line is `N passed, N failed`.
"""
import itertools
import sys

import numpy as np
from more import Cases, normal


def pair(v):
    return v if isinstance(v, tuple) else (v, v)


def bordered(x, pad, value):
    widths = [(0, 0)] * (x.ndim - 2) + [(p, p) for p in pair(pad)]
    return np.pad(x, widths, constant_values=value)


def windows(x, size, stride):
    """(row, column, window) of the last two axes."""
    for i, top in enumerate(range(0, x.shape[-2] - size[0] + 1, stride[0])):
        for j, left in enumerate(range(0, x.shape[-1] - size[1] + 1, stride[1])):
            yield i, j, x[..., top:top + size[0], left:left + size[1]]


def counts(x, size, stride):
    return tuple((x.shape[k - 2] - size[k]) // stride[k] + 1 for k in range(2))


def conv2d(x, w, stride=1, pad=0, groups=1):
    if w.ndim == 2:
        return conv2d(np.expand_dims(x, -3), w[None, None], stride, pad)[..., 0, :, :]
    x, stride = bordered(x, pad, 0), pair(stride)
    y = np.zeros(x.shape[:-3] + w.shape[:1] + counts(x, w.shape[2:], stride), dtype=x.dtype)
    for o in range(w.shape[0]):
        first = o // (w.shape[0] // groups) * w.shape[1]
        for i, j, seen in windows(x[..., first:first + w.shape[1], :, :], w.shape[2:], stride):
            y[..., o, i, j] = (seen * w[o]).sum(axis=(-3, -2, -1))
    return y


def max_pool(x, size, stride=None, pad=0):
    size, stride = pair(size), pair(size if stride is None else stride)
    x = bordered(x, pad, -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min)
    y = np.zeros(x.shape[:-2] + counts(x, size, stride), dtype=x.dtype)
    for i, j, seen in windows(x, size, stride):
        y[..., i, j] = seen.max(axis=(-2, -1))
    return y


def options(**given):
    return "".join(", %s=%s" % (k, v) for k, v in given.items())


def convolutions(c):
    shapes = [((4, 5), (3, 2)), ((2, 3, 4), (2, 3)), ((2, 4, 3), (2, 2, 3, 2)), ((2, 2, 3, 4), (3, 2, 2, 3)),
              ((2, 1, 2, 3, 3), (2, 2, 2, 2)), ((2, 3, 3), (2, 2, 3, 3)), ((1, 1, 1), (1, 1, 1, 1))]
    for (xs, ws), stride, pad in itertools.product(shapes, (1, (2, 1)), (0, (1, 2))):
        given = dict({"stride": stride} if stride != 1 else {}, **({"pad": pad} if pad else {}))
        text = "conv2d(x, w%s)" % options(**given)
        f = lambda x, w, g=given: conv2d(x, w, **g)
        c.both(text, f, x=normal(*xs), w=normal(*ws))
        for by in "xw":
            c.gradient(text, f, by, stride == 1, x=normal(*xs), w=normal(*ws))
    for groups, stride in itertools.product((2, 3), (1, 2)):
        text, f = "conv2d(x, w%s)" % options(stride=stride, groups=groups), lambda x, w, g=groups, s=stride: conv2d(
            x, w, s, groups=g)
        for xs in ((6, 5, 4), (2, 6, 5, 4)):
            c.both(text, f, x=normal(*xs), w=normal(6, 6 // groups, 2, 3))
            for by in "xw":
                c.gradient(text, f, by, x=normal(*xs), w=normal(6, 6 // groups, 2, 3))
    whole = np.arange(24).reshape(2, 3, 4)
    c.both("conv2d(x, w, pad=1)", lambda x, w: conv2d(x, w, pad=1), x=whole, w=whole[:, :2, :2].reshape(2, 2, 2, 1))
    c.both("conv2d(x, w)", conv2d, x=normal(2, 4, 4).astype(np.float32), w=normal(3, 2, 2, 2).astype(np.float32))


def derived(c):
    """Tangents, lanes, second derivatives."""
    x, w, dx, dw = normal(2, 5, 5), normal(3, 2, 2, 3), normal(2, 5, 5), normal(3, 2, 2, 3)
    for stride in (1, 2):
        text = "conv2d(x, w%s)" % options(stride=stride, pad=1)
        f = lambda x, w, s=stride: conv2d(x, w, s, 1)
        c.value("jvp(%s, (x, w), (dx, dw))" % text, lambda x, w, dx, dw: f(dx, w) + f(x, dw), x=x, w=w, dx=dx, dw=dw)
        c.value("vmap(v -> conv2d(v, w%s))(x)" % options(stride=stride, pad=1),
                lambda x, w: f(x, w), x=normal(4, 2, 5, 5), w=w)
        c.value("vmap(u -> conv2d(x, u%s))(w)" % options(stride=stride, pad=1),
                lambda x, w: np.stack([f(x, u) for u in w]), x=x, w=normal(4, 3, 2, 2, 3))
        c.gradient("grad(sum(%s ^ 3), x)" % text, lambda x, w: slope(x, w, stride), "w", tol=2e-5, x=x, w=w)


def slope(x, w, stride):
    """The gradient of sum(conv2d(x, w) ** 3) by x."""
    y = conv2d(x, w, stride, 1)
    dx = np.zeros(x.shape[:1] + (x.shape[1] + 2, x.shape[2] + 2))
    for o, i, j in np.ndindex(*y.shape):
        dx[:, i * stride:i * stride + w.shape[2], j * stride:j * stride + w.shape[3]] += 3 * y[o, i, j] ** 2 * w[o]
    return dx[:, 1:-1, 1:-1]


def pools(c):
    for xs, size, stride, pad in itertools.product(((5, 6), (2, 6, 5), (2, 2, 4, 4)), (2, 3, (1, 3)), (None, 1, (2, 1)),
                                                   (0, 1)):
        if pad > min(pair(size)) // 2:
            continue
        given = dict({"stride": stride} if stride else {}, **({"pad": pad} if pad else {}))
        text, f = "max_pool(x, %s%s)" % (size, options(**given)), lambda x, s=size, g=given: max_pool(x, s, **g)
        c.both(text, f, x=normal(*xs))
        c.gradient(text, f, "x", not pad, x=normal(*xs))
    c.both("max_pool(x, 2, pad=1)", lambda x: max_pool(x, 2, pad=1), x=np.arange(-12, 12).reshape(2, 3, 4))
    c.value("vmap(v -> max_pool(v, 2))(x)", lambda x: max_pool(x, 2), x=normal(3, 4, 4))
    c.value("grad(max_pool(x, 2)[0, 0], x)", lambda x: np.full((2, 2), 0.25), x=np.ones((2, 2)))


def refused(c):
    image, kernel = normal(2, 4, 4), normal(3, 2, 2, 2)
    for text, code in (("conv2d(x, w[:, :1])", "shape-mismatch"), ("conv2d(x, w, stride=0)", "range"),
                       ("conv2d(x, w, pad=-1)", "range"), ("conv2d(x, w, groups=2)", "range"),
                       ("conv2d(x, w, stride=(1, 2, 3))", "arity"), ("conv2d(x[0, 0], w)", "rank"),
                       ("conv2d(x, w[0])", "rank"), ("conv2d(x[0], w)", "rank"), ("conv2d(x, ones((5, 2)))", "shape-mismatch"),
                       ("conv2d(x > 0, w > 0)", "type-mismatch"), ("conv2d(x, w, stride=0.5)", "not-constant"),
                       ("max_pool(x, 5)", "shape-mismatch"), ("max_pool(x, 0)", "range"), ("max_pool(x, 2, pad=2)", "range"),
                       ("max_pool(x[0, 0], 2)", "rank"), ("max_pool(x > 0, 2)", "type-mismatch"), ("max_pool(x)", "arity")):
        c.error(text, code, x=image, w=kernel)


def main():
    c = Cases()
    for part in (convolutions, derived, pools, refused):
        part(c)
        c.finish()
    print("%d passed, %d failed" % (c.passed, c.failed))
    return 1 if c.failed else 0


if __name__ == "__main__":
    sys.exit(main())
