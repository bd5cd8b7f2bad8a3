#!/usr/bin/python3
"""qr, svd, eigh, eigvalsh, pinv and lstsq against NumPy, with the signs that the language fixes.

    spectral.py [PROGRAM]

Values of tall, wide, square, singular and empty matrices, in batches, of f64 and f32; gradients and tangents against
central differences; lanes of vmap; equal values; what is refused.  The last line is `N passed, N failed`.
"""
import itertools
import sys

import numpy as np
from more import Cases, definite, good, normal


def numbers(dtype, *shape):
    return normal(*shape).astype(dtype)


def signs(v):
    if not v.size:
        return np.ones(v.shape[:-2] + (1, v.shape[-1]), dtype=v.dtype)
    size = np.abs(v)
    first = np.argmax(size >= 0.999 * size.max(axis=-2, keepdims=True, initial=0), axis=-2)
    return np.where(np.take_along_axis(v, first[..., None, :], axis=-2) < 0, -1, 1).astype(v.dtype)


def qr(a):
    q, r = np.linalg.qr(a)
    sign = np.where(np.diagonal(r, 0, -2, -1) < 0, -1, 1).astype(a.dtype)
    return q * sign[..., None, :], r * sign[..., None]


def svd(a):
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    return u * signs(u), s, vt * np.swapaxes(signs(u), -1, -2)


def eigh(a):
    w, v = np.linalg.eigh(a)
    return w, v * signs(v)


def pinv(a):
    return np.linalg.pinv(a, rcond=max(a.shape[-2:]) * np.finfo(a.dtype).eps)


def lstsq(a, b):
    return np.linalg.lstsq(a, b, rcond=max(a.shape) * np.finfo(a.dtype).eps)[0]


SHAPES = ((1, 1), (3, 3), (4, 2), (2, 4), (5, 1), (1, 5), (2, 4, 3), (3, 2, 3), (2, 2, 3, 3), (0, 3), (3, 0), (0, 2, 2))


def symmetric(*shape):
    a = normal(*shape)
    return a + np.swapaxes(a, -1, -2)


def values(c):
    for shape, dtype in itertools.product(SHAPES, (np.float64, np.float32)):
        a, tol = numbers(dtype, *shape), 1e-10 if dtype == np.float64 else 2e-3
        for text, oracle in (("qr(A)", qr), ("svd(A)", svd), ("pinv(A)", pinv)):
            if 0 in shape[-2:] and oracle is pinv:
                continue
            c.value(text, oracle, A=a, tol=tol)
            c.value(text, oracle, A=a, tol=tol, symbolic=True)
        if 0 not in shape:
            c.value("svd(A')", lambda A: svd(np.swapaxes(A, -1, -2)), A=a, tol=tol)
            c.value("qr(A[..., ::-1])", lambda A: qr(A[..., ::-1]), A=a, tol=tol)
    for shape, dtype in itertools.product(((1, 1), (2, 2), (5, 5), (3, 4, 4), (2, 1, 3, 3), (0, 0), (0, 2, 2)), (np.float64, np.float32)):
        a, tol = symmetric(*shape).astype(dtype), 1e-10 if dtype == np.float64 else 2e-3
        for text, oracle in (("eigh(A)", eigh), ("eigvalsh(A)", np.linalg.eigvalsh)):
            c.value(text, oracle, A=a, tol=tol)
            c.value(text, oracle, A=a, tol=tol, symbolic=True)
        c.value("eigh(tril(A))", eigh, A=a, tol=tol)
    for shape, b in (((5, 3), (5,)), ((5, 3), (5, 2)), ((3, 5), (3,)), ((3, 3), (3, 1)), ((4, 1), (4,))):
        c.both("lstsq(A, b)", lstsq, A=normal(*shape), b=normal(*b))
        c.value("lstsq(A, b)", lstsq, A=numbers(np.float32, *shape), b=numbers(np.float32, *b), tol=1e-3)
    thin = normal(5, 2)
    flat = thin @ normal(2, 4)
    c.value("pinv(A)", pinv, A=flat, tol=1e-9)
    c.value("svd(A)[1]", lambda A: np.linalg.svd(A)[1], A=flat, tol=1e-9)
    c.value("lstsq(A, b)", lstsq, A=flat, b=normal(5), tol=1e-9)
    c.value("pinv(A)", lambda A: np.zeros((3, 2)), A=np.zeros((2, 3)))
    c.value("eigvalsh(A)", lambda A: np.array([-1.0, 1]), A=np.array([[0, 99], [1, 0]]))
    c.value("svd(A)[1]", lambda A: np.linalg.svd(A)[1], A=np.array([[1, 2], [3, 4]]), tol=1e-10)
    for text in ("svd(A)[1]", "eigh(A)[0]", "qr(A)[0]", "pinv(A)"):
        c.value("isnan(%s)" % text, lambda A, t=text: np.ones(2 if t[0] in "se" else (2, 2), dtype=bool), A=np.array([[1, 2], [np.nan, 1]]))
    c.value("eigh(A)[0]", lambda A: np.array([1.0, 1]), A=np.array([[1, np.nan], [0, 1]]))


def gradients(c):
    cases = [("qr(A)[0]", lambda A: qr(A)[0], ((3, 3), (4, 2), (2, 4), (2, 3, 3), (2, 2, 3))),
             ("qr(A)[1]", lambda A: qr(A)[1], ((3, 3), (4, 2), (2, 4), (2, 3, 3), (2, 2, 3))),
             ("svd(A)[0]", lambda A: svd(A)[0], ((3, 3), (4, 2), (2, 4), (2, 3, 2))),
             ("svd(A)[1]", lambda A: svd(A)[1], ((3, 3), (4, 2), (2, 4), (2, 3, 2))),
             ("svd(A)[2]", lambda A: svd(A)[2], ((3, 3), (4, 2), (2, 4), (2, 3, 2))),
             ("{ U, s, Vt = svd(A); U[..., :1] * s[..., :1] @ Vt[..., :1, :] }",
              lambda A: (lambda u, s, vt: u[..., :1] * s[..., None, :1] @ vt[..., :1, :])(*svd(A)), ((3, 3), (4, 2))),
             ("eigh(A)[0]", lambda A: eigh(A)[0], ((3, 3), (2, 3, 3), (1, 1))),
             ("eigh(A)[1]", lambda A: eigh(A)[1], ((3, 3), (2, 3, 3))),
             ("eigvalsh(A)", np.linalg.eigvalsh, ((3, 3),)),
             ("pinv(A)", pinv, ((3, 3), (4, 2), (2, 4), (2, 3, 2)))]
    for text, oracle, shapes in cases:
        for shape in shapes:
            a = good(*shape[:-2], max(shape[-2:]), max(shape[-2:]))[..., :shape[-2], :shape[-1]] * np.arange(1.0, shape[-1] + 1)
            c.gradient(text, oracle, "A", A=a, tol=3e-5)
            if shape[-2] >= shape[-1]:
                c.gradient(text, oracle, "A", True, A=a, tol=3e-5)
            da = normal(*shape)
            want = lambda A, dA, o=oracle: (o(A + 1e-6 * dA) - o(A - 1e-6 * dA)) / 2e-6
            if "{" not in text:
                c.value("jvp(%s, A, dA)" % text, want if "eig" not in text else
                        lambda A, dA, o=oracle: (o(A + 1e-6 * dA) - o(A - 1e-6 * dA)) / 2e-6, A=a, dA=da, tol=3e-5)
    for by in "Ab":
        c.gradient("lstsq(A, b)", lstsq, by, A=normal(5, 3), b=normal(5), tol=2e-5)
    wide = normal(2, 4)
    c.gradient("lstsq(A, b)", lstsq, "A", A=wide, b=normal(2, 2), tol=2e-5)
    m = definite(3, 3) + np.diag([0.0, 3, 7])
    gap = lambda A: (lambda w: w[2] - w[0])(np.linalg.eigvalsh(A))
    slope = lambda A: (lambda g: np.tril(g + g.T) - np.diag(np.diag(g)))(
        (lambda w, v: np.outer(v[:, 2], v[:, 2]) - np.outer(v[:, 0], v[:, 0]))(*eigh(A)))
    c.value("grad(eigvalsh(A)[2] - eigvalsh(A)[0], A)", slope, A=m, tol=1e-10)
    c.gradient("grad(eigvalsh(A)[2] - eigvalsh(A)[0], A)", slope, "A", A=m, tol=3e-5)
    c.gradient("grad(sum(svd(A)[1] ^ 3), A)", lambda A: (lambda u, s, vt: 3 * u * s**2 @ vt)(*svd(A)), "A", A=normal(3, 2), tol=3e-5)
    c.value("%s + 0 * A[0, 0]" % "eigvalsh(A)[2] - eigvalsh(A)[0]", lambda A: np.asarray(gap(A)), A=m, tol=1e-10)
    same = np.eye(3)
    for text in ("eigh(A)[1][0, 0]", "svd(A)[0][0, 0]", "svd(A)[2][0, 1]"):
        c.value("any(isnan(grad(%s, A)))" % text, lambda A: np.asarray(True), A=same)
    c.value("grad(sum(eigh(A)[0]), A)", lambda A: np.eye(3), A=same)
    c.value("grad(sum(svd(A)[1]), A)", lambda A: np.eye(3), A=same)


def lanes(c):
    tall, wide, sym = normal(3, 4, 2), normal(3, 2, 4), symmetric(3, 4, 4)
    for a in (tall, wide):
        c.value("vmap(qr)(A)", qr, A=a, tol=1e-10)
        c.value("vmap(svd)(A)", svd, A=a, tol=1e-10)
        c.value("vmap(pinv)(A)", pinv, A=a, tol=1e-10)
    c.value("vmap(eigh)(A)", eigh, A=sym, tol=1e-10)
    c.value("vmap(eigvalsh)(A)", np.linalg.eigvalsh, A=sym, tol=1e-10)
    c.value("vmap(lstsq)(A, b)", lambda A, b: np.stack([lstsq(p, q) for p, q in zip(A, b)]), A=tall, b=normal(3, 4), tol=1e-10)
    c.value("vmap(v -> grad(w -> sum(svd(w)[1]))(v))(A)", lambda A: (lambda u, s, vt: u @ vt)(*svd(A)), A=tall, tol=1e-10)
    c.value("(scan t over A { s[t] = svd(A[t])[1] })", lambda A: svd(A)[1], A=tall, tol=1e-10)


def refused(c):
    for text, code in (("qr(1.0)", "rank"), ("qr(v)", "rank"), ("svd(v)", "rank"), ("eigh(A)", "shape-mismatch"), ("eigh(v)", "rank"),
                       ("pinv(v)", "rank"), ("eigvalsh(A)", "shape-mismatch"), ("lstsq(A, v)", "shape-mismatch"), ("lstsq(v, v)", "check"),
                       ("lstsq(A, 1.0)", "check"), ("qr(rng(1))", "type-mismatch"), ("svd((1, 2))", "type-mismatch"), ("svd()", "arity"),
                       ("grad(sum(qr(0 * A)[0]), A)", "singular")):
        c.error(text, code, A=normal(4, 3), v=normal(5))


def main():
    c = Cases()
    for part in (values, gradients, lanes, refused):
        part(c)
        c.finish()
    print("%d passed, %d failed" % (c.passed, c.failed))
    return 1 if c.failed else 0


if __name__ == "__main__":
    sys.exit(main())
