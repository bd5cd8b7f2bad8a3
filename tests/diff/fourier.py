#!/usr/bin/python3
"""Fourier transforms, complex numbers and expm against NumPy and SciPy.

    fourier.py [PROGRAM]

Lengths that are powers of two, products of small numbers, primes below and above what has a matrix of its own; dtypes, axes,
lengths cut and filled up; gradients, lanes of vmap; what is refused.  The last line is `N passed, N failed`.
"""
import sys

import numpy as np
from more import Cases, normal
from scipy import linalg


def parts(z):
    return z.real.copy(), z.imag.copy()


LENGTHS = (*range(1, 65), 67, 74, 81, 96, 100, 127, 128, 134, 210, 243, 256, 331, 1000, 1021)


def transforms(c):
    for n in LENGTHS:
        x, y = normal(n), normal(n)
        c.value("fft(x)", lambda x: parts(np.fft.fft(x)), tol=1e-11, x=x)
        c.value("fft((re=x, im=y))", lambda x, y: parts(np.fft.fft(x + 1j * y)), tol=1e-11, x=x, y=y)
        c.value("ifft((re=x, im=y))", lambda x, y: parts(np.fft.ifft(x + 1j * y)), tol=1e-11, x=x, y=y)
        c.value("rfft(x)", lambda x: parts(np.fft.rfft(x)), tol=1e-11, x=x)
        c.value("irfft((re=x, im=y), %d)" % n, lambda x, y: np.fft.irfft(x + 1j * y, len(x)), tol=1e-11, x=x, y=y)
        c.value("irfft(rfft(x), %d)" % n, lambda x: x, tol=1e-11, x=x)
    for n in (10007, 16384, 3 * 5 * 7 * 11 * 13 * 2, 61 * 59 * 7, 2 ** 17):
        c.value("fft(x)", lambda x: parts(np.fft.fft(x)), tol=1e-10, x=normal(n))
    for dtype in (np.float32, np.int64, np.int32, bool):
        x = (3 * normal(2, 12)).astype(dtype)
        to = np.float32 if dtype == np.float32 else np.float64
        c.value("fft(x)", lambda x, to=to: tuple(v.astype(to) for v in parts(np.fft.fft(x))), x=x)
    for shape in ((40, 3), (2, 5, 12), (17, 67), (3, 300), (16, 16), (1, 8)):
        x, y = normal(*shape), normal(*shape)
        c.value("fft((re=x, im=y))", lambda x, y: parts(np.fft.fft(x + 1j * y)), tol=1e-11, x=x, y=y)
        c.value("fft(x)", lambda x: parts(np.fft.fft(x)), tol=1e-11, x=x)
    for n in (5, 64, 67, 30030):
        x, y = normal(n).astype(np.float32), normal(n).astype(np.float32)
        c.value("fft((re=x, im=y))", lambda x, y: tuple(v.astype(np.float32) for v in parts(np.fft.fft(x.astype(float) + 1j * y))), tol=1e-5, x=x, y=y)
    for axis in (0, 1, -1, -2, -3):
        x, y = normal(3, 6, 5), normal(3, 6, 5)
        c.value("fft((re=x, im=y), axis=%d)" % axis, lambda x, y, a=axis: parts(np.fft.fft(x + 1j * y, axis=a)), x=x, y=y)
        c.value("rfft(x, axis=%d)" % axis, lambda x, a=axis: parts(np.fft.rfft(x, axis=a)), x=x)
        c.value("irfft((re=x, im=y), axis=%d)" % axis, lambda x, y, a=axis: np.fft.irfft(x + 1j * y, axis=a), x=x, y=y)
        for n in (3, 8):
            c.value("fft(x, %d, %d)" % (n, axis), lambda x, a=axis, n=n: parts(np.fft.fft(x, n, a)), x=x)
            c.value("ifft(x, %d, %d)" % (n, axis), lambda x, a=axis, n=n: parts(np.fft.ifft(x, n, a)), x=x)
            c.value("rfft(x, %d, %d)" % (n, axis), lambda x, a=axis, n=n: parts(np.fft.rfft(x, n, a)), x=x)
            c.value("irfft(x, %d, %d)" % (n, axis), lambda x, a=axis, n=n: np.fft.irfft(x, n, a), x=x)
    c.value("fft(x)", lambda x: parts(np.fft.fft(x)), x=normal(0, 4))
    for shape in ((3, 4), (2, 5, 6)):
        x, y = normal(*shape), normal(*shape)
        c.value("fft2((re=x, im=y))", lambda x, y: parts(np.fft.fft2(x + 1j * y)), x=x, y=y)
        c.value("fft2(x)", lambda x: parts(np.fft.fft2(x)), x=x)
        c.value("ifft2((re=x, im=y))", lambda x, y: parts(np.fft.ifft2(x + 1j * y)), x=x, y=y)
    for n, m in ((5, 3), (2, 6), (1, 4), (7, 1)):
        c.value("convolve(x, w)", np.convolve, x=normal(n), w=normal(m))
        c.value("convolve(x, w)", np.convolve, x=(9 * normal(n)).astype(np.int64), w=(9 * normal(m)).astype(np.int64))
        c.gradient("convolve(x, w)", np.convolve, "w", tol=2e-5, x=normal(n), w=normal(m))
    for ddof in (0, 1):
        c.value("cov(x, %d)" % ddof, lambda x, d=ddof: np.cov(x, ddof=d), x=normal(3, 6))
        c.value("cov(x, ddof=%d)" % ddof, lambda x, d=ddof: np.cov(x, ddof=d), x=normal(6))
    c.value("corrcoef(x)", np.corrcoef, x=normal(3, 6))
    c.gradient("corrcoef(x)[0, 1]", lambda x: np.corrcoef(x)[0, 1], "x", tol=2e-5, x=normal(3, 6))
    c.value("fft(x[::2])", lambda x: parts(np.fft.fft(x[::2])), x=normal(12))
    c.value("vmap(v -> fft(v))(x)", lambda x: parts(np.fft.fft(x)), x=normal(4, 33))
    c.value("vmap(v -> irfft(rfft(v)))(x)", lambda x: x, x=normal(4, 8))


def gradients(c):
    for n in (1, 4, 33, 34, 67):
        x, y = normal(n), normal(n)
        for by in "xy":
            for k, part in enumerate(("re", "im")):
                c.gradient("fft((re=x, im=y)).%s" % part, lambda x, y, k=k: parts(np.fft.fft(x + 1j * y))[k], by, tol=2e-5, x=x, y=y)
                c.gradient("ifft((re=x, im=y)).%s" % part, lambda x, y, k=k: parts(np.fft.ifft(x + 1j * y))[k], by, tol=2e-5, x=x, y=y)
    c.gradient("irfft((re=x, im=y))", lambda x, y: np.fft.irfft(x + 1j * y), "y", tol=2e-5, x=normal(5), y=normal(5))


def numbers(c):
    for shape in ((), (4,), (2, 3)):
        a, b, d, e = (normal(*shape) for _ in range(4))
        for text, of in (("cmul", lambda z, w: z * w), ("cdiv", lambda z, w: z / w)):
            c.value(text + "((re=a, im=b), (re=d, im=e))", lambda a, b, d, e, of=of: parts(np.asarray(of(a + 1j * b, d + 1j * e))), a=a, b=b, d=d, e=e)
            c.value(text + "(a, (re=d, im=e))", lambda a, d, e, of=of: parts(np.asarray(of(a, d + 1j * e))), a=a, d=d, e=e)
            c.value(text + "((re=a, im=b), d)", lambda a, b, d, of=of: parts(np.asarray(of(a + 1j * b, d))), a=a, b=b, d=d)
            for by in "abde":
                for k, part in enumerate(("re", "im")):
                    c.gradient(text + "((re=a, im=b), (re=d, im=e)).%s" % part, lambda a, b, d, e, of=of, k=k:
                               parts(np.asarray(of(a + 1j * b, d + 1j * e)))[k], by, tol=2e-5 * (1 + np.max(np.abs(1 / (d * d + e * e)))), a=a, b=b, d=d, e=e)
        c.value("cabs((re=a, im=b))", lambda a, b: np.abs(a + 1j * b), a=a, b=b)
        c.value("cabs(a)", np.abs, a=a)
        c.value("cexp((re=a, im=b))", lambda a, b: parts(np.exp(a + 1j * b)), a=a, b=b)
        c.value("conj((re=a, im=b))", lambda a, b: (a, -b), a=a, b=b)
        c.value("real(a)", lambda a: a, a=a)
        c.value("imag(a)", np.zeros_like, a=a)
    big = np.array(1e200)
    c.value("cdiv((re=a, im=a), (re=a, im=a))", lambda a: (np.array(1.0), np.array(0.0)), a=big)


def exponentials(c):
    for n in (0, 1, 2, 3, 6):
        for scale in (1e-3, 0.1, 1, 10):
            A = scale * normal(n, n)
            c.value("expm(A)", lambda A: linalg.expm(A) if A.size else A, tol=1e-10 * np.exp(scale), A=A)
    c.value("vmap(expm)(A)", lambda A: np.stack([linalg.expm(a) for a in A]), tol=1e-10, A=normal(3, 2, 2))
    c.value("expm(A)", lambda A: np.array([[1.0, 1e6], [0, 1]]), A=np.array([[0.0, 1e6], [0, 0]]), tol=1e-9)
    for scale in (0.3, 3):
        c.gradient("expm(A)", linalg.expm, "A", tol=1e-5 * np.exp(3 * scale), A=scale * normal(3, 3))


def refused(c):
    x = normal(4)
    for text, code in (("fft(1.0)", "check"), ("fft(x, 0)", "check"), ("fft(x, -1)", "check"), ("fft(x, axis=1)", "axis"), ("fft(zeros(0))", "check"),
                       ("fft((a=x, b=x))", "type-mismatch"), ("fft((re=x, im=x[1:]))", "shape-mismatch"), ("irfft(1.0)", "check"), ("irfft(x, 0)", "check"),
                       ("(re=x, im=x) * (re=x, im=x)", "type-mismatch"), ("cmul((x, x), x)", "type-mismatch"), ("conj((re=x))", "type-mismatch"),
                       ("expm(x)", "check"), ("expm(zeros((2, 3)))", "check"), ("expm([[nan]])", "check")):
        c.error(text, code, x=x)


def main():
    c = Cases()
    for part in (transforms, gradients, numbers, exponentials, refused):
        part(c)
        c.finish()
    print("%d passed, %d failed" % (c.passed, c.failed))
    return 1 if c.failed else 0


if __name__ == "__main__":
    sys.exit(main())
