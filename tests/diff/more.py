#!/usr/bin/python3
"""Linear algebra, einsum, sorting, rearranging, index arrays and files against NumPy.

    more.py [PROGRAM]

Each case is an expression over declared inputs and a NumPy function of the same arrays.
Values are compared exactly for integers and bools and to 1e-12 for floats; gradients of a
weighted sum are compared with central differences of the NumPy function.
The last line is `N passed, N failed`.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRADUS = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else str(ROOT / "build" / "gradus")
RNG = np.random.RandomState(7)
NAMES = {"float64": "f64", "float32": "f32", "int64": "i64", "int32": "i32", "bool": "bool"}


def literal(x):
    if isinstance(x, list):
        return "[" + ", ".join(map(literal, x)) + "]"
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, float):
        if x != x:
            return "nan"
        if x in (float("inf"), float("-inf")):
            return "inf" if x > 0 else "-inf"
    return repr(x)


def shape_text(x):
    return "[" + ", ".join(map(str, x.shape)) + "]" if x.ndim else ""


def initial(x):
    if x.size == 0:
        return "zeros((%s,), dtype=%s)" % (", ".join(map(str, x.shape)), NAMES[x.dtype.name])
    return literal(x.tolist())


def run(program, folder=None):
    done = subprocess.run([GRADUS, "--json"], input=program, capture_output=True, text=True, timeout=300,
                          cwd=folder, check=False)
    if done.returncode not in (0, 1, 3):
        print("status", done.returncode, done.stderr[-2000:])
    return [json.loads(line) for line in done.stdout.splitlines()]


def array(o):
    if o["kind"] != "value":
        raise ValueError("%s: %s" % (o.get("code"), o.get("message", o)))
    if "values" in o:
        return tuple(array(v) for v in o["values"])
    names = {v: k for k, v in NAMES.items()}
    flat = np.array(o["value"], dtype=object).reshape(-1) if o["value"] != [] else np.array([])
    return np.array([float(v) if isinstance(v, str) else v for v in flat],
                    dtype=names[o["dtype"]]).reshape(o["shape"])


class Cases:
    def __init__(self):
        self.lines, self.checks, self.passed, self.failed = [], [], 0, 0
        self.known = {}

    def inputs(self, arrays, symbolic):
        names = {}
        for key, x in arrays.items():
            x = np.asarray(x)
            name = "v%d" % len(self.known)
            self.known[name] = x
            sizes = ", ".join("%s_%d" % (name, i) for i in range(x.ndim))
            shape = ("[%s]" % sizes if x.ndim else "") if symbolic else shape_text(x)
            self.lines.append("%s : %s%s = %s" % (name, NAMES[x.dtype.name], shape, initial(x)))
            names[key] = name
        return names

    def text(self, template, names):
        """The template with input names for the words outside of strings."""
        out, word, quoted = "", "", False
        for c in template + "\0":
            quoted ^= c == '"'
            if quoted and c != '"':
                out += c
                continue
            if c.isalnum() or c == "_":
                word += c
                continue
            out += names.get(word, word) + c
            word = ""
        return out[:-1]

    def value(self, template, oracle, symbolic=False, tol=1e-12, kind=True, **arrays):
        names = self.inputs(arrays, symbolic)
        text = self.text(template, names)
        want = oracle(*[np.asarray(v) for v in arrays.values()])
        self.lines.append(text)
        self.checks.append((template + (" (symbolic)" if symbolic else ""), arrays, want, tol, kind))

    def both(self, template, oracle, **arrays):
        self.value(template, oracle, **arrays)
        self.value(template, oracle, symbolic=True, **arrays)
        self.function(template, oracle, **arrays)

    def function(self, template, oracle, **arrays):
        """As a function of inputs whose sizes are names, in a scan of two steps."""
        names = self.inputs(arrays, True)
        f = "fun%d" % len(self.checks)
        want = oracle(*[np.asarray(v) for v in arrays.values()])
        self.lines.append("%s(%s) = %s" % (f, ", ".join(arrays), template))
        call = "%s(%s)" % (f, ", ".join(names.values()))
        if isinstance(want, tuple):
            self.lines.append(call)
        else:
            self.lines.append("(scan step for 2 { out[step] = %s })[1]" % call)
        self.checks.append((template + " (function)", arrays, want, 1e-12, True))

    def gradient(self, template, oracle, wrt, symbolic=False, tol=2e-6, **arrays):
        arrays = {k: np.asarray(v) for k, v in arrays.items()}
        y = np.asarray(oracle(*arrays.values()), dtype=float)
        weights = np.cos(1 + np.arange(y.size, dtype=float)).reshape(y.shape)
        names = self.inputs(dict(arrays, weights_=weights), symbolic)
        text = "grad(sum(%s * %s), %s)" % (self.text("(" + template + ")", names), names["weights_"], names[wrt])
        x = arrays[wrt]
        want = np.zeros_like(x)
        for i in np.ndindex(*x.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = x.copy()
                moved[i] += step
                ends.append(np.sum(oracle(*dict(arrays, **{wrt: moved}).values()) * weights))
            want[i] = (ends[0] - ends[1]) / 2e-6
        self.lines.append(text)
        self.checks.append(("grad by %s of %s%s" % (wrt, template, " (symbolic)" if symbolic else ""), arrays, want,
                            tol, True))

    def error(self, text, code, **arrays):
        names = self.inputs(arrays, False)
        self.lines.append(self.text(text, names))
        self.checks.append((text, arrays, code, None, True))

    def compare(self, got, want, tol, kind):
        if tol is None:
            assert got["kind"] == "error" and got["code"] == want, "wanted error %s, got %s" % (want, str(got)[:300])
            return
        got = array(got)
        if not isinstance(want, tuple):
            got, want = (got,), (want,)
        assert len(got) == len(want), "a tuple of %d" % len(got)
        for g, w in zip(got, want):
            w = np.asarray(w)
            assert g.shape == w.shape, "shape %s, wanted %s" % (g.shape, w.shape)
            if kind:
                assert g.dtype == w.dtype, "dtype %s, wanted %s" % (g.dtype, w.dtype)
            if w.dtype.kind == "f":
                np.testing.assert_allclose(g, w, rtol=tol if w.dtype == np.float64 else max(tol, 2e-4),
                                           atol=tol if w.dtype == np.float64 else max(tol, 2e-4))
            else:
                np.testing.assert_array_equal(g, w)

    def finish(self):
        got = run("\n".join(self.lines) + "\n")
        if len(got) != len(self.checks):
            for o in got:
                if o["kind"] == "error" and not any(o.get("code") == c[2] for c in self.checks if c[3] is None):
                    print("   ", o)
            print("answers: %d, wanted %d" % (len(got), len(self.checks)))
            self.failed += abs(len(got) - len(self.checks)) or 1
        for o, (name, arrays, want, tol, kind) in zip(got, self.checks):
            try:
                self.compare(o, want, tol, kind)
                self.passed += 1
            except (AssertionError, ValueError) as e:
                self.failed += 1
                shapes = ", ".join("%s %s" % (k, np.asarray(v).shape) for k, v in arrays.items())
                print("FAIL %s [%s]: %s" % (name, shapes, " ".join(str(e).split())[:400]))
        self.lines, self.checks = [], []


def normal(*shape):
    return RNG.normal(size=shape)


def good(*shape):
    """Well conditioned matrices."""
    return normal(*shape) + 3 * np.eye(shape[-1])


def definite(*shape):
    m = normal(*shape)
    return m @ np.swapaxes(m, -1, -2) + shape[-1] * np.eye(shape[-1])


def triangular(a, b, lower=False, trans=0, unit=False):
    t = np.tril(a) if lower else np.triu(a)
    if unit:
        d = np.arange(a.shape[-1])
        t = t.copy()
        t[..., d, d] = 1
    t = np.swapaxes(t, -1, -2) if trans else t
    return np.linalg.solve(t, b)


def linear_algebra(c):
    for n in (1, 2, 3, 5):
        for f in (np.float64, np.float32):
            a, b, m = good(n, n).astype(f), normal(n).astype(f), normal(n, 4).astype(f)
            c.both("solve(A, b)", lambda A, b: np.linalg.solve(A, b), A=a, b=b)
            c.both("solve(A, b)", lambda A, b: np.linalg.solve(A, b), A=a, b=m)
            c.value("inv(A)", lambda A: np.linalg.inv(A), A=a)
            c.value("det(A)", lambda A: np.linalg.det(A), A=a)
            c.value("slogdet(A)", lambda A: tuple(np.linalg.slogdet(A)), A=a)
            c.both("cholesky(A)", lambda A: np.linalg.cholesky(A), A=definite(n, n).astype(f))
            for lower in (False, True):
                for trans in (0, 1):
                    for unit in (False, True):
                        text = "solve_triangular(A, b, lower=%s, trans=%d, unit_diagonal=%s)" % (
                            str(lower).lower(), trans, str(unit).lower())
                        c.value(text, lambda A, b, l=lower, t=trans, u=unit: triangular(A, b, l, t, u), A=a,
                                b=m if trans else b)
    for batch in ((2,), (3, 2)):
        a, m = good(*batch, 3, 3), normal(*batch, 3, 2)
        c.both("solve(A, b)", lambda A, b: np.linalg.solve(A, b), A=a, b=m)
        c.both("solve(A, b)", lambda A, b: np.linalg.solve(A, b), A=a, b=normal(*batch, 3))
        c.value("solve(A, b)", lambda A, b: np.linalg.solve(A, b), A=good(3, 3), b=normal(4, *batch, 3, 2))
        c.value("solve(A, b)", lambda A, b: np.stack([np.linalg.solve(x, b) for x in A.reshape(-1, 3, 3)]
                                                     ).reshape(A.shape[:-1]), A=a, b=normal(3))
        c.value("solve(A, b)", lambda A, b: np.linalg.solve(A, b), A=good(1, *batch[1:], 3, 3), b=m)
        c.both("inv(A)", lambda A: np.linalg.inv(A), A=a)
        c.both("det(A)", lambda A: np.linalg.det(A), A=a)
        c.both("slogdet(A)", lambda A: tuple(np.linalg.slogdet(A)), A=a)
        c.both("cholesky(A)", lambda A: np.linalg.cholesky(A), A=definite(*batch, 3, 3))
        c.value("solve_triangular(A, b)", triangular, A=a, b=m)
    c.value("inv(A)", lambda A: np.linalg.inv(A), A=np.array([[2, 1], [1, 3]]))
    c.value("det(A)", lambda A: np.linalg.det(A), A=np.array([[2, 1], [1, 3]], dtype=np.int32))
    c.value("solve([[2, 1], [1, 3]], b)", lambda b: np.linalg.solve(np.array([[2, 1], [1, 3.]], dtype=np.float32), b),
            b=np.array([1, 2], dtype=np.float32))
    c.value("det([[1, 2], [2, 4]])", lambda: np.float64(0))
    for n in (1, 2, 3, 4):
        a, m = good(n, n), normal(n, 2)
        for s in (False, True):
            for by in "Ab":
                c.gradient("solve(A, b)", np.linalg.solve, by, s, A=a, b=m)
                c.gradient("solve(A, b)", np.linalg.solve, by, s, A=a, b=normal(n))
                for text, opts in (("", {}), (", lower=true", {"lower": True}), (", trans=1", {"trans": 1}),
                                   (", lower=true, trans=1, unit_diagonal=true",
                                    {"lower": True, "trans": 1, "unit": True})):
                    c.gradient("solve_triangular(A, b%s)" % text, lambda A, b, o=opts: triangular(A, b, **o), by, s,
                               A=a, b=m)
            c.gradient("inv(A)", np.linalg.inv, "A", s, A=a)
            c.gradient("det(A)", np.linalg.det, "A", s, A=a)
            c.gradient("slogdet(A)[1]", lambda A: np.linalg.slogdet(A)[1], "A", s, A=a)
            # only the lower triangle is read, as by LAPACK
            c.gradient("cholesky(A)", lambda A: np.linalg.cholesky(np.tril(A) + np.tril(A, -1).T), "A", s,
                       A=definite(n, n))
    c.gradient("solve(A, b)", np.linalg.solve, "A", A=good(2, 3, 3), b=normal(2, 3))
    c.gradient("solve(A, b)", np.linalg.solve, "A", A=good(3, 3), b=normal(2, 2, 3, 1))
    c.gradient("inv(A)", np.linalg.inv, "A", A=good(2, 3, 3))
    c.gradient("det(A)", np.linalg.det, "A", A=good(2, 3, 3))
    c.gradient("slogdet(A)[1]", lambda A: np.linalg.slogdet(A)[1], "A", A=good(2, 2, 3, 3))
    c.gradient("cholesky(A)", lambda A: np.linalg.cholesky(np.tril(A) + np.swapaxes(np.tril(A, -1), -1, -2)), "A",
               A=definite(2, 3, 3))


def products(c):
    shapes = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((2, 2, 3), (3,)), ((2, 2, 3), (3, 4)),
              ((3,), (2, 3, 4)), ((2, 3), (2, 3, 4)), ((5, 2, 3), (2, 3, 4)), ((5, 2, 3), (4, 2, 3, 2)),
              ((1, 2, 3), (3, 1)), ((0, 3), (3, 2)), ((2, 0), (0, 2)), ((2, 2, 0), (2, 0, 3))]
    for a, b in shapes:
        for f in (np.float64, np.int64):
            x, y = (10 * normal(*a)).astype(f), (10 * normal(*b)).astype(f)
            c.both("dot(a, b)", lambda a, b: np.dot(a, b), a=x, b=y)
    for a, b in shapes[4:9] + shapes[9:10]:
        c.gradient("dot(a, b)", np.dot, "a", a=normal(*a), b=normal(*b))
        c.gradient("dot(a, b)", np.dot, "b", True, a=normal(*a), b=normal(*b))
    for a, b in (((2, 3), (5, 3, 4)), ((5, 2, 3), (3, 4)), ((5, 2, 3), (5, 3, 4)), ((1, 2, 3), (5, 3, 4)),
                 ((6, 5, 2, 3), (5, 3, 4)), ((5, 2, 3), (6, 5, 3, 4)), ((6, 1, 2, 3), (5, 3, 4)),
                 ((6, 1, 2, 3), (1, 5, 3, 4)), ((3,), (5, 3, 4)), ((6, 5, 2, 3), (3,))):
        c.value("matmul(a, b)", np.matmul, a=normal(*a), b=normal(*b))
        c.value("matmul(a, b)", np.matmul, a=(9 * normal(*a)).astype(int), b=(9 * normal(*b)).astype(int))
        c.gradient("matmul(a, b)", np.matmul, "a", a=normal(*a), b=normal(*b))
        c.gradient("matmul(a, b)", np.matmul, "b", a=normal(*a), b=normal(*b))
    c.both("matmul(a, b)", np.matmul, a=normal(6, 5, 2, 3), b=normal(5, 3, 4))


def sums_of_products(c):
    one = [("ii->i", (3, 3)), ("ii", (3, 3)), ("ij->ji", (2, 3)), ("ji", (2, 3)), ("ij->", (2, 3)), ("ij->j", (2, 3)),
           ("iij->j", (2, 2, 3)), ("iij->ij", (2, 2, 3)), ("iji->j", (2, 3, 2)), ("iii->i", (3, 3, 3)), ("iii", (2, 2, 2)),
           ("ijj", (2, 3, 3)), ("...i->...", (2, 3, 4)), ("i...->...i", (2, 3, 4)), ("...ii->...i", (4, 3, 3)),
           ("ba", (2, 3)), ("a", (3,)), ("aabb->ab", (2, 2, 3, 3)), ("ij -> ji", (2, 3)), ("Ab->bA", (2, 3)), ("->", ()),
           ("...", (2, 3)), ("ij->ij", (0, 3)), ("ij->i", (2, 0))]
    for spec, a in one:
        c.both('einsum("%s", a)' % spec, lambda a, s=spec: np.einsum(s, a), a=normal(*a))
        c.value('einsum("%s", a)' % spec, lambda a, s=spec: np.einsum(s, a), a=(9 * normal(*a) + 0).astype(np.int32))
        if a and 0 not in a:
            c.gradient('einsum("%s", a)' % spec, lambda a, s=spec: np.einsum(s, a), "a", a=normal(*a))
            c.gradient('einsum("%s", a)' % spec, lambda a, s=spec: np.einsum(s, a), "a", True, a=normal(*a))
    two = [("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ij,kj->ik", (2, 3), (4, 3)), ("i,i->", (3,), (3,)),
           ("i,i", (3,), (3,)), ("i,j->ij", (3,), (4,)), ("i,j->ji", (3,), (4,)), ("ij,j->i", (2, 3), (3,)),
           ("ij,i->j", (2, 3), (2,)), ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)), ("bij,jk->bik", (5, 2, 3), (3, 4)),
           ("ij,ij->", (2, 3), (2, 3)), ("ij,ij->ij", (2, 3), (2, 3)), ("ij,ji->ij", (2, 3), (3, 2)),
           ("ijk,kl->lji", (2, 3, 4), (4, 2)), ("ij,kl->", (2, 3), (2, 2)), ("ij,kl->il", (2, 3), (2, 2)),
           ("ijk,ilk->jl", (2, 3, 4), (2, 5, 4)), ("...ij,...jk->...ik", (5, 2, 3), (5, 3, 4)),
           ("...ij,...jk->...ik", (2, 3), (5, 3, 4)), ("...ij,...jk", (6, 1, 2, 3), (5, 3, 4)), ("ii,ij->j", (3, 3), (3, 2)),
           ("abc,cd->dab", (2, 3, 4), (4, 2)), (",i->i", (), (3,)), ("ij,jk->ik", (2, 1), (3, 4)), ("i,i->i", (1,), (3,)),
           ("bhqd,bhkd->bhqk", (2, 2, 3, 4), (2, 2, 5, 4)), ("ij,j->ij", (2, 3), (3,)), ("ijk,jil->kl", (2, 3, 4), (3, 2, 5)),
           ("ij,jk->ik", (0, 3), (3, 2)), ("ij,jk->ik", (2, 0), (0, 2)), ("ba,cb", (2, 3), (4, 2))]
    for spec, a, b in two:
        f = lambda a, b, s=spec: np.einsum(s, a, b)
        text = 'einsum("%s", a, b)' % spec
        ones = 1 in a or 1 in b
        c.value(text, f, a=normal(*a), b=normal(*b))
        if not ones:
            c.value(text, f, symbolic=True, a=normal(*a), b=normal(*b))
        for d in (np.int64, np.int32, np.float32):
            c.value(text, f, a=np.asarray(9 * normal(*a)).astype(d), b=np.asarray(9 * normal(*b)).astype(d))
        if 0 not in a + b:
            c.gradient(text, f, "a", a=normal(*a), b=normal(*b))
            c.gradient(text, f, "b", not ones, a=normal(*a), b=normal(*b))
    for spec, a, b, d in (("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)), ("i,i,i->", (3,), (3,), (3,)),
                          ("i,j,k->kij", (2,), (3,), (4,)), ("ij,jk,ki->", (2, 3), (3, 4), (4, 2)),
                          ("bi,ij,bj->b", (5, 2), (2, 3), (5, 3)), ("ai,bi,ci->abc", (2, 3), (4, 3), (5, 3))):
        f = lambda a, b, d, s=spec: np.einsum(s, a, b, d)
        c.both('einsum("%s", a, b, d)' % spec, f, a=normal(*a), b=normal(*b), d=normal(*d))
        for by in "abd":
            c.gradient('einsum("%s", a, b, d)' % spec, f, by, a=normal(*a), b=normal(*b), d=normal(*d))
    c.value('einsum("ij,jk", a, b)', lambda a, b: np.einsum("ij,jk", a, b), a=normal(2, 3).astype(np.float32),
            b=normal(3, 2).astype(np.float32))
    c.value('einsum("ij,jk", a, [[1, 2], [3, 4], [5, 6]])',
            lambda a: a @ np.array([[1, 2], [3, 4], [5, 6]], dtype=np.float32), a=normal(2, 3).astype(np.float32))


def sorting(c):
    with_nan = np.array([3.0, np.nan, -1.0, np.inf, -np.inf, 0.0, 2.5])
    for x in (normal(7), with_nan, normal(1), np.zeros(0), RNG.randint(0, 4, 9), RNG.randint(0, 4, 9).astype(np.int32),
              normal(8).astype(np.float32), RNG.randint(0, 2, 6).astype(bool)):
        c.both("sort(x)", lambda x: np.sort(x), x=x)
        c.both("argsort(x)", lambda x: np.argsort(x, kind="stable"), x=x)
    for shape in ((3, 4), (2, 3, 4), (3, 0), (1, 5)):
        for axis in range(-len(shape), len(shape)):
            x = RNG.randint(0, 5, shape)
            c.value("sort(x, axis=%d)" % axis, lambda x, a=axis: np.sort(x, a), x=x)
            c.value("argsort(x, %d)" % axis, lambda x, a=axis: np.argsort(x, a, kind="stable"), x=x)
            c.value("sort(x, axis=%d)" % axis, lambda x, a=axis: np.sort(x, a), x=normal(*shape), symbolic=True)
        c.value("sort(x, axis=None)", lambda x: np.sort(x, None), x=normal(*shape))
        c.value("argsort(x, axis=None)", lambda x: np.argsort(x, None), x=normal(*shape))
    for axis in (0, 1, 2, -1):
        c.gradient("sort(x, axis=%d)" % axis, lambda x, a=axis: np.sort(x, a), "x", x=normal(2, 3, 4))
        c.gradient("sort(x, axis=%d)" % axis, lambda x, a=axis: np.sort(x, a), "x", True, x=normal(2, 3, 4))
    c.gradient("sort(x)", np.sort, "x", x=normal(6))
    c.gradient("sort(x, axis=None)", lambda x: np.sort(x, None), "x", x=normal(2, 3))
    for a in (np.array([1.0, 2, 2, 3]), np.zeros(0), np.array([1, 2, 2, 5])):
        for v in (np.array([0.5, 1, 2, 2.5, 9]), np.array(2.0), np.array([[1, 2], [3, 4.0]]), np.array([2, 5, 1])):
            for side in ("left", "right"):
                c.both('searchsorted(a, v, side="%s")' % side, lambda a, v, s=side: np.searchsorted(a, v, s), a=a, v=v)
    c.value("searchsorted(a, 2)", lambda a: np.searchsorted(a, 2), a=np.array([1.0, 2, 2, 3]))


def triangles(c):
    for shape in ((3, 3), (2, 4), (4, 2), (1, 1), (0, 3), (2, 3, 3)):
        for k in (-2, -1, 0, 1, 3):
            for x in (normal(*shape), (9 * normal(*shape)).astype(int), normal(*shape) > 0):
                c.value("tril(x, k=%d)" % k, lambda x, k=k: np.tril(x, k), x=x)
                c.value("triu(x, %d)" % k, lambda x, k=k: np.triu(x, k), x=x)
    c.both("tril(x)", np.tril, x=normal(3, 3))
    for k in (-3, -2, -1, 0, 1, 2, 5):
        for x in (normal(3), np.array([1, 2]), np.zeros(0), normal(3, 3), normal(2, 4), normal(4, 2), normal(3) > 0,
                  normal(3, 3).astype(np.float32)):
            if x.size == 0 and k == 0:
                continue
            c.both("diag(x, k=%d)" % k, lambda x, k=k: np.diag(x, k), x=x)
        for x in (normal(3), normal(3, 3), normal(2, 4)):
            if k <= 2:
                c.gradient("diag(x, k=%d)" % k, lambda x, k=k: np.diag(x, k), "x", x=x)
                c.gradient("diag(x, k=%d)" % k, lambda x, k=k: np.diag(x, k), "x", True, x=x)
        c.gradient("tril(x, k=%d)" % k, lambda x, k=k: np.tril(x, k), "x", x=normal(3, 4))
        c.gradient("triu(x, k=%d)" % k, lambda x, k=k: np.triu(x, k), "x", x=normal(2, 3, 4))
    c.value("diag(diag(x))", lambda x: np.diag(np.diag(x)), x=normal(3, 3))


def rearranging(c):
    for k in (-7, -1, 0, 1, 2, 12):
        for x in (normal(5), normal(2, 3), np.zeros((0, 2)), normal(2, 3, 2), normal(4) > 0, np.float64(3)):
            c.both("roll(x, %d)" % k, lambda x, k=k: np.roll(x, k), x=x)
        for axis in (0, 1, -1):
            c.both("roll(x, %d, axis=%d)" % (k, axis), lambda x, k=k, a=axis: np.roll(x, k, a), x=normal(3, 4))
        c.gradient("roll(x, %d)" % k, lambda x, k=k: np.roll(x, k), "x", x=normal(2, 3))
        c.gradient("roll(x, %d, axis=1)" % k, lambda x, k=k: np.roll(x, k, 1), "x", True, x=normal(2, 3))
    c.both("roll(x, (1, 2), axis=(0, 1))", lambda x: np.roll(x, (1, 2), (0, 1)), x=normal(3, 4))
    c.both("roll(x, 1, axis=(0, 1))", lambda x: np.roll(x, 1, (0, 1)), x=normal(3, 4))
    c.value("roll(x, k)", lambda x, k: np.roll(x, k), x=normal(5), k=np.int64(-3))
    pads = [("1", 1), ("0", 0), ("(1, 2)", (1, 2)), ("((1, 2), (0, 0))", ((1, 2), (0, 0))), ("((0, 1), (3, 0))",
            ((0, 1), (3, 0))), ("((2, 1),)", ((2, 1),)), ("(2,)", (2,))]
    for text, w in pads:
        for x in (normal(2, 3), (9 * normal(2, 3)).astype(int), normal(0, 2), normal(2, 2) > 0):
            c.both("pad(x, %s)" % text, lambda x, w=w: np.pad(x, w), x=x)
        c.value("pad(x, %s, constant_values=7)" % text, lambda x, w=w: np.pad(x, w, constant_values=7),
                x=normal(2, 3).astype(np.float32))
        c.gradient("pad(x, %s)" % text, lambda x, w=w: np.pad(x, w), "x", x=normal(2, 3))
        c.gradient("pad(x, %s)" % text, lambda x, w=w: np.pad(x, w), "x", True, x=normal(2, 3))
    c.gradient("pad(x, 1, constant_values=v)", lambda x, v: np.pad(x, 1, constant_values=v), "v", x=normal(2, 2),
               v=np.float64(0.5))
    for text, reps in (("2", 2), ("(2,)", (2,)), ("(2, 3)", (2, 3)), ("(2, 1, 2)", (2, 1, 2)), ("0", 0), ("1", 1),
                       ("(1, 0)", (1, 0))):
        for x in (normal(3), normal(2, 3), np.float64(2), (9 * normal(2, 2)).astype(int), normal(0, 2)):
            c.both("tile(x, %s)" % text, lambda x, r=reps: np.tile(x, r), x=x)
        if 0 not in np.atleast_1d(reps):
            c.gradient("tile(x, %s)" % text, lambda x, r=reps: np.tile(x, r), "x", x=normal(2, 3))
    for n in (0, 1, 3):
        for x in (normal(3), normal(2, 3), np.float64(2), normal(2, 2) > 0):
            c.both("repeat(x, %d)" % n, lambda x, n=n: np.repeat(x, n), x=x)
        for axis in (0, 1, -1, 2):
            c.both("repeat(x, %d, axis=%d)" % (n, axis), lambda x, n=n, a=axis: np.repeat(x, n, a), x=normal(2, 3, 2))
    c.both("repeat(x, [1, 0, 2])", lambda x: np.repeat(x, [1, 0, 2]), x=normal(3))
    c.both("repeat(x, n, axis=1)", lambda x, n: np.repeat(x, n, 1), x=normal(2, 3), n=np.array([2, 0, 1]))
    c.gradient("repeat(x, 2)", lambda x: np.repeat(x, 2), "x", x=normal(2, 3))
    c.gradient("repeat(x, 2, axis=0)", lambda x: np.repeat(x, 2, 0), "x", True, x=normal(2, 3))
    c.gradient("repeat(x, [1, 0, 2])", lambda x: np.repeat(x, [1, 0, 2]), "x", x=normal(3))
    eight = normal(1, 2, 1, 1, 2, 1, 1, 2)
    c.value("tile(x, 2)", lambda x: np.tile(x, 2), x=eight)
    c.value("repeat(x, 2, axis=4)", lambda x: np.repeat(x, 2, 4), x=eight)


READS = ["[i, j]", "[i, j, 0]", "[i, 0, j]", "[0, i, j]", "[i, :, j]", "[:, i, j]", "[..., i, j]", "[i, ..., j]",
         "[i, :, 0]", "[0, :, i]", "[:, 0, i]", "[0, i]", "[i, j, k]", "[i, 1:, j]", "[1:, i, j]", "[i, j, ::-1]",
         "[i, None, j]", "[None, i, j]", "[i, None, :, j]", "[m, i]", "[m, i, 0]", "[i, m]", "[m, :, i]", "[m, 1:2, m]",
         "[i, [[0], [1]]]", "[-1, :, i]", "[i, j, None]", "[..., m, i]", "[i, 0, :]", "[i, :, -1]", "[one, :, i]"]


def index_arrays(c):
    i, j, k = np.array([0, 2, 1]), np.array([1, -1, 0]), np.array([3, 0, -4])
    m, one = np.array([[0, 1, 1], [2, 0, -1]]), np.array([1])

    def part(sub):
        return lambda x, i, j, k, m, one: eval("x" + sub.replace("[[0], [1]]", "np.array([[0], [1]])"))

    for sub in READS:
        if sub == "[i, [[0], [1]]]":
            sub = "[i, [[0], [1], [2]]]"
        f = part(sub) if "[[" not in sub else lambda x, i, j, k, m, one: x[i, np.array([[0], [1], [2]])]
        args = dict(i=i, j=j, k=k, m=m, one=one)
        x = normal(3, 3, 4)
        c.value("x" + sub, f, x=x, **args)
        c.value("x" + sub, f, x=(9 * x).astype(int), **{n: v.astype(np.int32) for n, v in args.items()})
        c.gradient("x" + sub, f, "x", x=x, **args)
        if "None" in sub:
            continue

        def written(add, x, v, f=f, sub=sub, **idx):
            x = x.copy()
            where = np.arange(x.size).reshape(x.shape)
            places = f(where, **idx)
            if add:
                np.add.at(x.reshape(-1), places, np.broadcast_to(v, places.shape))
            else:
                x.reshape(-1)[places] = v
            return x

        shape = f(x, **args).shape
        for add, op in ((False, "="), (True, "+=")):
            g = lambda x, v, i, j, k, m, one, a=add: written(a, x, v, i=i, j=j, k=k, m=m, one=one)
            for v in (normal(*shape), np.float64(2.5), normal(*shape[-1:])):
                c.value("x with %s %s v" % (sub, op), g, x=x, v=v, **args)
            for by in "xv":
                c.gradient("x with %s %s v" % (sub, op), g, by, x=x, v=normal(*shape), **args)
    # symbolic lengths: each index array needs the length of the others
    f = lambda x, i: x[i, i]
    c.value("x[i, i]", f, symbolic=True, x=normal(3, 3, 4), i=i)
    c.gradient("x[i, i]", f, "x", True, x=normal(3, 3, 4), i=i)
    c.value("x[i, :, i]", lambda x, i: x[i, :, i], symbolic=True, x=normal(3, 3, 4), i=i)
    c.value("x[i, i]", f, x=normal(3, 3), i=np.zeros(0, dtype=int))
    c.value("x[arange(3), i]", lambda x, i: x[np.arange(3), i], x=normal(3, 3), i=i)
    for n, sub in ((3, "[i, [0, 9, 0]]"), (0, "[[0, 5, 1], i]"), (1, "[i, 3, i]")):
        c.error("x" + sub, "index", x=normal(3, 3, 4), i=i)
    c.error("x[i, j]", "index", x=normal(3, 3, 4), i=i, j=np.array([0, 9, 0]))
    c.error("x[i, [0, 1]]", "shape-mismatch", x=normal(3, 3, 4), i=i)
    c.error("x[x > 0, i]", "type-mismatch", x=normal(3, 3, 4), i=i)


ERRORS = [
    ("solve(A)", "arity"), ("solve(A, b, 1)", "arity"), ("solve(b, b)", "rank"), ("solve(R, b)", "shape-mismatch"),
    ("solve(A, w)", "shape-mismatch"), ("solve(A, 1.0)", "rank"), ("solve(zeros((3, 3)), b)", "singular"),
    ("inv(zeros((2, 2)))", "singular"), ("inv(b)", "rank"), ("inv(R)", "shape-mismatch"), ("inv()", "arity"),
    ("inv(rng(1))", "type-mismatch"), ("inv((A, A))", "type-mismatch"), ("det(R)", "shape-mismatch"), ("det(3)", "rank"),
    ("slogdet(b)", "rank"), ("cholesky(-eye(2))", "not-positive-definite"), ("cholesky(R)", "shape-mismatch"),
    ("solve_triangular(A, b, trans=2)", "range"), ("solve_triangular(A, b, lower=1)", "type-mismatch"),
    ("solve_triangular(A, b, upper=true)", "unknown-name"), ("solve_triangular(zeros((2, 2)), [1, 2])", "singular"),
    ("sort(1.0)", "axis"), ("sort(A, axis=2)", "axis"), ("sort(rng(1))", "type-mismatch"), ("argsort(A, axis=-3)", "axis"),
    ("sort(A, 0, 1)", "arity"), ("searchsorted(A, 1)", "rank"), ('searchsorted(b, 1, side="up")', "type-mismatch"),
    ("searchsorted(b, 1, side=1)", "type-mismatch"), ("searchsorted(b)", "arity"), ("tril(b)", "rank"), ("triu(1)", "rank"),
    ("tril(A, k=0.5)", "not-constant"), ("diag(1)", "rank"), ("diag(zeros((2, 2, 2)))", "rank"), ("diag(rng(1))", "rank"),
    ("roll(b, 1, axis=1)", "axis"), ("roll(b, 0.5)", "type-mismatch"), ("roll(b)", "arity"), ("roll(A, (1, 2), axis=0)", "arity"),
    ("pad(A, -1)", "range"), ("pad(A, (1, 2, 3))", "arity"), ("pad(A, ((1, 2), (0, 0), (1, 1)))", "arity"), ("pad(A, 0.5)",
    "type-mismatch"), ("pad(A, 1, constant_values=b)", "type-mismatch"), ("pad(arange(3), 1, constant_values=0.5)",
    "type-mismatch"), ("pad(A)", "arity"), ("tile(b, -1)", "range"), ("tile(b, 0.5)", "type-mismatch"), ("tile(b)", "arity"),
    ("tile(b, (1, 1, 1, 1, 1, 1, 1, 1, 1))", "rank"), ("repeat(b, -1)", "range"), ("repeat(b, 0.5)", "type-mismatch"),
    ("repeat(b, 2, axis=1)", "axis"), ("repeat(b, [1, 2])", "shape-mismatch"), ("repeat(b, [1, -1, 2])", "check"),
    ("repeat(b)", "arity"), ('einsum("ij", b)', "rank"), ('einsum("i,j", b)', "arity"), ('einsum("i", b, b)', "arity"),
    ('einsum("i->j", b)', "einsum"), ('einsum("i->ii", b)', "einsum"), ('einsum("i1", b)', "einsum"), ('einsum(b, b)',
    "type-mismatch"), ('einsum("i,i", b, w)', "shape-mismatch"), ('einsum("ii", R)', "shape-mismatch"), ('einsum("i")',
    "arity"), ('einsum("i->i,i", b)', "einsum"), ('einsum("......i", A)', "einsum"), ('einsum("i", "j")', "type-mismatch"),
    ('einsum("i", rng(1))', "type-mismatch"), ('einsum("", rng(1))', "type-mismatch"), ("permutation(1, 2)", "type-mismatch"),
    ("permutation(rng(1), -2)", "range"), ("permutation(rng(1), 0.5)", "type-mismatch"), ("categorical(rng(1), 0.5)", "rank"),
    ("categorical(b, b)", "type-mismatch"), ("categorical(rng(1), zeros((2, 0)))", "empty"), ("dot(A, w)", "shape-mismatch"),
    ("dot(zeros((2, 3, 4)), zeros((3, 3, 2)))", "shape-mismatch"), ("dot(zeros((1, 1, 1, 1, 1)), zeros((1, 1, 1, 1, 1, 1)))",
    "rank"), ("matmul(zeros((2, 3, 4)), zeros((3, 4, 5)))", "shape-mismatch"), ('load("none.npy")', "io"), ("load(1)",
    "type-mismatch"), ('load("")', "io"), ('load("/")', "io"), ('save(A, "/none/a.npy")', "io"), ("save(A, 1)",
    "type-mismatch"), ('save(rng(1), "r.npy")', "type-mismatch"), ('save(unset, "u.npy")', "no-value"), ("save(A)", "arity"),
    ('save((A, A), "t.npy")', "type-mismatch"), ('if true then save(A, "x.npy") else 1', "context"),
    ('map(v -> save(v, "x.npy"), A)', "context"),
]


def errors(c):
    names = c.inputs({"A": good(3, 3), "R": normal(2, 3), "b": normal(3), "w": normal(4)}, False)
    c.lines.append("unset : f64[3]")
    for text, code in ERRORS:
        c.lines.append(c.text(text, names))
        c.checks.append((text, {}, code, None, True))


def random_draws(c):
    for n in (0, 1, 2, 10, 100):
        got = run("permutation(rng(3), %d)[0]\n" % n)
        ok = got[0]["kind"] == "value" and sorted(got[0]["value"]) == list(range(n)) and got[0]["dtype"] == "i64"
        count(c, ok, "permutation of %d: %s" % (n, str(got)[:200]))
    got = run("p : f64[2, 3] = [[0, 1, 0], [0, 0, 2]]\ncategorical(rng(3), p)[0]\n"
              "S = scan t for 4000 from r = rng(5) { i[t], r[t] = categorical(r[t-1], [1, 2, 5]) }\n"
              "bincount = sum(one_hot(S.i, 3), axis=0)\nbincount\n")
    count(c, got[0].get("value") == [1, 2], "categorical, certain: %s" % got[0])
    share = np.array(got[1]["value"]) / 4000 if got[1]["kind"] == "value" else np.zeros(3)
    count(c, np.abs(share - np.array([1, 2, 5]) / 8).max() < 0.03, "categorical, shares: %s" % got[1])


def count(c, ok, message):
    c.passed, c.failed = c.passed + bool(ok), c.failed + (not ok)
    if not ok:
        print("FAIL", message)


def hostile(folder):
    """Files that are not what they say."""
    good_file = folder / "good.npy"
    np.save(good_file, np.arange(6.0).reshape(2, 3))
    whole = good_file.read_bytes()
    yield b""
    yield b"not numpy at all"
    yield whole[:6]
    yield whole[:8]
    yield whole[:40]
    yield whole[:-1]
    yield whole.replace(b"(2, 3)", b"(2,-3)")
    yield whole.replace(b"(2, 3), }     ", b"(99999999999,)}", 1)
    yield whole.replace(b"<f8", b"<c8")
    yield whole.replace(b"<f8", b"|O8")
    yield whole.replace(b"'descr'", b"'descx'")
    yield whole.replace(b"{", b"(")
    yield b"\x93NUMPY\x01\x00\xff\xff" + b" " * 20
    yield b"\x93NUMPY\x09\x00" + whole[8:]
    yield b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + whole[10:]


def files(c):
    with tempfile.TemporaryDirectory(prefix="gradus-more-") as name:
        folder = pathlib.Path(name)
        samples = [normal(2, 3), normal(3).astype(np.float32), np.arange(4), np.arange(4, dtype=np.int32),
                   np.array([True, False]), np.float64(2.5), np.zeros((0, 3)), np.asfortranarray(normal(2, 3)),
                   np.arange(5, dtype=">i4"), np.arange(5, dtype=np.uint8), normal(2, 2, 2).astype(">f8"),
                   np.array([1, -2], dtype=np.int16)]
        lines = []
        for i, x in enumerate(samples):
            np.save(folder / ("in%d.npy" % i), x)
            lines += ['save(load("in%d.npy"), "out%d.npy")' % (i, i), 'load("out%d.npy")' % i]
        lines += ["x : f64[2] = [1, 2]", 'save(x * 2, "x.npy")', "x := [5, 6]", 'save(x * 2, "y.npy")', 'load("x.npy")',
                  'load("y.npy")', "shared W : f64[2] = [1, 1]", "in alt { W := W + 1 ; save(W, \"w.npy\") }",
                  'sum(load("y.npy") * x)', 'grad(sum(load("y.npy") * x), x)']
        got = [o for o in run("\n".join(lines) + "\n", name) if not (o["kind"] == "value" and o.get("values") == [])]
        count(c, len(got) == len(samples) + 4, "files: %d answers" % len(got))
        for i, x in enumerate(samples):
            back = np.load(folder / ("out%d.npy" % i)) if (folder / ("out%d.npy" % i)).exists() else None
            count(c, back is not None and back.shape == x.shape and np.array_equal(back, x), "save of file %d" % i)
            count(c, i < len(got) and got[i]["kind"] == "value" and np.array_equal(array(got[i]), x),
                  "load of file %d: %s" % (i, got[i] if i < len(got) else "nothing"))
        for o, want in zip(got[len(samples):], ([2.0, 4.0], [10.0, 12.0], 122.0, [10.0, 12.0])):
            count(c, o.get("value") == want, "files: %s, wanted %s" % (o, want))
        count(c, np.array_equal(np.load(folder / "w.npy"), [2, 2]), "save in a context")
        for i, data in enumerate(hostile(folder)):
            (folder / "bad.npy").write_bytes(data)
            got = run('load("bad.npy")\n1\n', name)
            count(c, len(got) == 2 and got[0].get("code") == "io" and "bad.npy" in got[0]["message"] and
                  got[1].get("value") == 1, "hostile file %d: %s" % (i, got))


def main():
    c = Cases()
    for group in (linear_algebra, products, sums_of_products, sorting, triangles, rearranging, index_arrays, errors):
        before = c.passed
        group(c)
        c.finish()
        print("%s: %d" % (group.__name__.replace("_", " "), c.passed - before))
    random_draws(c)
    files(c)
    print("%d passed, %d failed" % (c.passed, c.failed))
    sys.exit(1 if c.failed else 0)


if __name__ == "__main__":
    main()
