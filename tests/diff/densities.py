#!/usr/bin/python3
"""Logarithms of densities, top_k and draws of the exponential distribution, against SciPy and NumPy.

    densities.py [PROGRAM]

Values within and outside of the support and at its ends, over dtypes, with parameters of one number and of the shape of x;
gradients by each argument; lanes of vmap; what is refused.  The last line is `N passed, N failed`.
"""
import itertools
import sys

import numpy as np
from more import Cases, definite, normal
from scipy import special, stats


def positive(*shape):
    return np.abs(normal(*shape)) + 0.3


def unit(*shape):
    return special.expit(normal(*shape))


def counts(*shape):
    return np.floor(np.abs(normal(*shape)) * 3)


# name, what SciPy says of the same arguments, values (some outside of the support), parameters
REAL = [
    ("normal_logpdf", lambda x, m, s: stats.norm.logpdf(x, m, s), normal, (normal, positive)),
    ("uniform_logpdf", lambda x, a, b: stats.uniform.logpdf(x, a, b - a), normal, (lambda *s: -positive(*s), positive)),
    ("exponential_logpdf", lambda x, s: stats.expon.logpdf(x, scale=s), normal, (positive,)),
    ("gamma_logpdf", lambda x, a, s: stats.gamma.logpdf(x, a, scale=s), normal, (positive, positive)),
    ("beta_logpdf", lambda x, a, b: stats.beta.logpdf(x, a, b), lambda *s: normal(*s) * 0.5 + 0.5, (positive, positive)),
    ("student_t_logpdf", lambda x, d, m, s: stats.t.logpdf(x, d, m, s), normal, (positive, normal, positive)),
]
WHOLE = [
    ("bernoulli_logpmf", lambda k, p: stats.bernoulli.logpmf(k, p), lambda *s: counts(*s) % 3, (unit,)),
    ("poisson_logpmf", lambda k, r: stats.poisson.logpmf(k, r), lambda *s: counts(*s) - 1, (positive,)),
    ("binomial_logpmf", lambda k, n, p: stats.binom.logpmf(k, n, p), lambda *s: counts(*s) - 1, (lambda *s: np.full(s, 4.0), unit)),
    ("randint_logpmf", lambda k, a, b: stats.randint.logpmf(k, a, b), lambda *s: counts(*s) - 2,
     (lambda *s: np.full(s, -1.0), lambda *s: np.full(s, 5.0))),
]
NAMES = "xabcd"


def calls(table):
    for name, oracle, values, parameters in table:
        yield "%s(%s)" % (name, ", ".join(NAMES[:len(parameters) + 1])), oracle, values, parameters


def densities(c):
    for text, oracle, values, parameters in calls(REAL + WHOLE):
        for shape, own in itertools.product(((), (7,), (2, 3), (0,)), (False, True)):
            given = [values(*shape)] + [p(*(shape if own else ())) for p in parameters]
            given = {k: np.asarray(v) for k, v in zip(NAMES, given)}
            c.both(text, lambda *v, o=oracle: np.asarray(o(*v)), **given)
            single = {k: v.astype(np.float32) for k, v in given.items()}
            c.value(text, lambda *v, o=oracle: np.asarray(o(*[u.astype(float) for u in v]), dtype=np.float32), tol=2e-4, **single)
        x = values(5)
        given = {k: np.asarray(v) for k, v in zip(NAMES, [x] + [p() if callable(p) else p for p in parameters])}
        c.value("vmap(v -> %s)(x)" % text.replace("(x", "(v", 1), lambda *v, o=oracle: o(*v), **given)
    for text, oracle, values, parameters in calls(WHOLE):
        for dtype in (np.int64, np.int32):
            given = dict(zip(NAMES, [values(6).astype(dtype)] + [np.asarray(p()) for p in parameters]))
            c.value(text, lambda *v, o=oracle: o(*v), **given)


def gradients(c):
    for text, oracle, values, parameters in calls(REAL):
        if "uniform" in text:
            continue
        x = {"beta": unit, "gamm": positive, "expo": positive}.get(text[:4], values)(5)
        for by, symbolic in itertools.product(range(len(parameters) + 1), (False, True)):
            given = dict(zip(NAMES, [x] + [p(5) for p in parameters]))
            c.gradient(text, lambda *v, o=oracle: o(*v), NAMES[by], symbolic, tol=2e-5, **given)
    for text, oracle, values, parameters in calls(WHOLE[:3]):
        k = np.array([0.0, 1, 1, 0])
        given = dict(zip(NAMES, [k] + [p(4) for p in parameters]))
        c.gradient(text, lambda *v, o=oracle: o(*v), NAMES[len(parameters)], tol=2e-5, **given)
    for text, want in (("gamma_logpdf(x, 2)", lambda x: np.where(x < 0, 0, 1 / np.where(x < 0, 1, x) - 1)),
                       ("exponential_logpdf(x)", lambda x: np.where(x < 0, 0.0, -1)), ("uniform_logpdf(x)", lambda x: 0 * x),
                       ("beta_logpdf(x, 2, 1)", lambda x: np.where((x < 0) | (x > 1), 0, 1 / np.where(x < 0, 1, x)))):
        c.value("grad(sum(%s), x)" % text, want, x=np.array([-1.0, 0.5, 2]))


def ends(c):
    edge = np.array([-np.inf, -1.0, 0, 1, 4, np.inf])
    for text, oracle in (("normal_logpdf(x)", stats.norm.logpdf), ("uniform_logpdf(x)", stats.uniform.logpdf),
                         ("exponential_logpdf(x)", stats.expon.logpdf), ("student_t_logpdf(x, 3)", lambda x: stats.t.logpdf(x, 3)),
                         ("gamma_logpdf(x[:5], 1)", lambda x: stats.gamma.logpdf(x[:5], 1)),
                         ("beta_logpdf(x, 1, 1)", lambda x: np.where((x < 0) | (x > 1), -np.inf, 0.0)),
                         ("poisson_logpmf(x[:5], 0)", lambda x: stats.poisson.logpmf(x[:5], 0)),
                         ("poisson_logpmf(x[:5] + 0.5, 1)", lambda x: stats.poisson.logpmf(x[:5] + 0.5, 1)),
                         ("bernoulli_logpmf(x, 0)", lambda x: np.where(x == 0, 0.0, -np.inf)),
                         ("bernoulli_logpmf(x, 1)", lambda x: np.where(x == 1, 0.0, -np.inf)),
                         ("binomial_logpmf(x, 4, 1)", lambda x: np.where(x == 4, 0.0, -np.inf)),
                         ("binomial_logpmf(x, 4, 0)", lambda x: np.where(x == 0, 0.0, -np.inf))):
        c.value(text, oracle, x=edge)
    c.value("normal_logpdf(x)", lambda x: np.array([np.nan]), x=np.array([np.nan]))
    c.value("bernoulli_logpmf(k, 0.25)", lambda k: np.log([0.25, 0.75]), k=np.array([True, False]))


def rows(c):
    for n, shape in itertools.product((1, 3), ((), (4,))):
        m, s, x = normal(n), definite(n, n), normal(*shape, n)
        c.both("multivariate_normal_logpdf(x, m, s)", lambda x, m, s: np.asarray(stats.multivariate_normal.logpdf(x, m, s)).reshape(x.shape[:-1]),
               x=x, m=m, s=s)
        c.gradient("multivariate_normal_logpdf(x, m, tril(s) + tril(s, -1)')", lambda x, m, s: stats.multivariate_normal.logpdf(
            x, m, np.tril(s) + np.tril(s, -1).T), "s", x=x, m=m, s=s, tol=2e-5)
        c.gradient("multivariate_normal_logpdf(x, m, s)", stats.multivariate_normal.logpdf, "m", x=x, m=m, s=s)
    p = np.abs(normal(3, 4))
    c.both("categorical_logpmf(k, p)", lambda k, p: np.log(p[np.arange(3), k] / p.sum(axis=-1)), k=np.array([3, 0, 2]), p=p)
    c.gradient("categorical_logpmf(k, p)", lambda k, p: np.log(p[np.arange(3), k] / p.sum(axis=-1)), "p", k=np.array([3, 0, 2]), p=p)
    c.value("categorical_logpmf(k, p)", lambda k, p: np.array([-np.inf] * 3), k=np.array([4, -1, 9]), p=p)
    c.value("betaln(a, b)", special.betaln, a=positive(5), b=positive(5))
    for by in "ab":
        c.gradient("betaln(a, b)", special.betaln, by, a=positive(5), b=positive(5))


def incomplete(c):
    """Both ways of each function, at places where a coefficient of its series or fraction is 0, too; its ends."""
    shapes = np.array([0.01, 0.4, 1, 1, 2, 3, 3, 15.9, 16, 100, 300])
    place = np.array([0.5, 0.1, 0.2, 5, 3.5, 1, 20, 12, 20, 90, 310])
    other = np.array([3, 0.4, 1, 2, 2.5, 4, 1, 1, 30, 100, 10])
    share = np.array([0.1, 0.9, 0.5, 0.7, 1e-5, 0.4, 0.2, 0.9, 0.3, 0.51, 0.98])
    both = ("gammainc(a, x)", special.gammainc, dict(a=shapes, x=place)), ("gammaincc(a, x)", special.gammaincc, dict(a=shapes, x=place)), \
        ("betainc(a, b, x)", special.betainc, dict(a=shapes, b=other, x=share))
    for text, oracle, given in both:
        c.both(text, oracle, **given)
        c.value("vmap(x -> %s)(x)" % text, lambda *v, o=oracle: o(*v[:-1], v[-1][:, None]), **given)
        c.value(text, lambda *v, o=oracle: o(*[u.astype(float) for u in v]).astype(np.float32), tol=2e-3,
                **{k: v.astype(np.float32) for k, v in given.items()})
        c.value(text, oracle, **dict({k: v[:, None] for k, v in given.items()}, x=given["x"]))
        for by in given:
            c.gradient(text, oracle, by, tol=2e-5, **{k: v[1:9] for k, v in given.items()})
    ends = np.array([0, np.inf, np.nan])
    c.value("gammainc(2, x)", lambda x: np.array([0, 1, np.nan]), x=ends)
    c.value("gammaincc(2, x)", lambda x: np.array([1, 0, np.nan]), x=ends)
    c.value("betainc(2, 3, x)", lambda x: np.array([0, 1, np.nan]), x=np.array([0, 1, np.nan]))
    c.value("gammainc(2, x)", lambda x: x, x=np.array([], dtype=float))
    c.value("gammainc(k, k)", lambda k: special.gammainc(k, k), k=np.array([1, 2, 30]))
    c.value("grad(sum(gammainc(a, x)), x)", lambda a, x: np.array([np.inf, 1, 0]), a=np.array([0.5, 1, 2]), x=np.zeros(3))
    c.value("grad(sum(betainc(a, 1, x)), x)", lambda a, x: np.array([np.inf, 1, 0, 2]), a=np.array([0.5, 1, 2, 2]), x=np.array([0.0, 0, 0, 1]))


def multinomials(c):
    p = np.array([[0.2, 0.3, 0.5], [0.1, 0.9, 0], [0.25, 0.5, 0.25]])
    k = np.array([[1.0, 2, 3], [1, 5, 0], [2, 2, 3]])
    for dtype in (float, np.int64, np.int32):
        c.value("multinomial_logpmf(k, 6, p)", lambda k, p: np.array([stats.multinomial.logpmf(u, 6, v) for u, v in zip(k, p)]), k=k.astype(dtype), p=p)
    c.both("multinomial_logpmf(k, n, p)", lambda k, n, p: stats.multinomial.logpmf(k, n, p), k=k[0], n=np.asarray(6.0), p=p[0])
    c.gradient("multinomial_logpmf(k, 6, p)", lambda k, p: np.sum(k * np.log(p / p.sum())), "p", k=k[0], p=p[0])
    c.value("multinomial_logpmf(k, 3, [1, 1])", lambda k: np.full(4, -np.inf), k=np.array([[1.5, 1.5], [-1, 4], [1, 1], [0, np.nan]]))


def top_k(x, k):
    order = np.argsort(-x, axis=-1, kind="stable")[..., :k]
    return np.take_along_axis(x, order, axis=-1), order


def largest(c):
    for dtype, shape in itertools.product((np.float64, np.float32, np.int64, np.int32), ((5,), (3, 4), (2, 1, 6), (0, 3))):
        for k in range(0, shape[-1] + 1, 2):
            x = np.round(normal(*shape) * 2).astype(dtype)
            c.value("top_k(x, %d)" % k, lambda x, k=k: top_k(x, k), x=x)
            c.value("top_k(x[..., ::-1], %d)" % k, lambda x, k=k: top_k(x[..., ::-1], k), x=x)
    c.both("top_k(x, 2)", lambda x: top_k(x, 2), x=normal(3, 4))
    c.gradient("top_k(x, 2)[0]", lambda x: top_k(x, 2)[0], "x", x=normal(3, 4))
    c.gradient("top_k(x, 2)[0]", lambda x: top_k(x, 2)[0], "x", True, x=normal(5))
    c.value("vmap(v -> top_k(v, 2))(x)", lambda x: top_k(x, 2), x=normal(3, 4))
    c.value("top_k(x, 3)", lambda x: (np.array([np.nan, np.inf, 2]), np.array([1, 2, 3])), x=np.array([1, np.nan, np.inf, 2, -np.inf]))
    c.value("top_k(x, 2)", lambda x: (np.array([5, 5]), np.array([0, 2])), x=np.array([5, -2 ** 63, 5, 1]))
    c.value("top_k(x, 2)", lambda x: (np.array([True, True]), np.array([1, 3])), x=np.array([False, True, False, True]))
    for scale in (1.0, 0.1):
        c.value("{ x, r = exponential(rng(3), 40000, scale=s); [mean(x) / s, var(x) / s ^ 2, f64(min(x) >= 0)] }",
                lambda s: np.array([1.0, 1, 1]), tol=0.03, s=np.asarray(scale))
    c.value("{ x, r = exponential(rng(3), (2, 3)); x }", lambda u: -np.log1p(-u), u=draw())


def draw():
    """The uniform numbers that rng(3) gives."""
    from more import array, run
    return array(run("uniform(rng(3), (2, 3))[0]\n")[0])


def refused(c):
    x = normal(3)
    for text, code in (
            ("normal_logpdf(x, 0, 0)", "check"), ("normal_logpdf(x, 0, -x ^ 2)", "check"), ("normal_logpdf(x, zeros(2))", "shape-mismatch"),
            ("normal_logpdf(x, 0, nan)", "check"), ("uniform_logpdf(x, 1, 1)", "check"), ("uniform_logpdf(x, 2, 1)", "check"),
            ("bernoulli_logpmf(1, 1.5)", "check"), ("bernoulli_logpmf(1, -0.5)", "check"), ("bernoulli_logpmf(1, nan)", "check"),
            ("bernoulli_logpmf([1, 0], [0.5, 2])", "check"), ("randint_logpmf(1, 3, 3)", "check"), ("categorical_logpmf(0, 1.0)", "check"),
            ("categorical_logpmf(0, [-1.0, 2])", "check"), ("categorical_logpmf(0, [0.0, 0])", "check"), ("categorical_logpmf(0.5, [1.0, 2])", "type-mismatch"),
            ("exponential_logpdf(x, 0)", "check"), ("gamma_logpdf(x, 0)", "check"), ("gamma_logpdf(x, 1, -1)", "check"), ("beta_logpdf(x, -1, 1)", "check"),
            ("beta_logpdf(x, 1, 0)", "check"), ("poisson_logpmf(1, -1)", "check"), ("binomial_logpmf(1, -1, 0.5)", "check"), ("binomial_logpmf(1, 2, 2)", "check"),
            ("student_t_logpdf(x, 0)", "check"), ("student_t_logpdf(x, 1, 0, 0)", "check"), ("multivariate_normal_logpdf(1.0, 0.0, eye(1))", "check"),
            ("multivariate_normal_logpdf(x, x, -eye(3))", "not-positive-definite"), ("multivariate_normal_logpdf(x, x, eye(2))", "shape-mismatch"),
            ("exponential(rng(1), 3, scale=0)", "check"), ("exponential(1, 3)", "type-mismatch"), ("top_k(x, 4)", "check"), ("top_k(x, -1)", "check"),
            ("gammainc(0, x)", "check"), ("gammaincc(1, -x ^ 2)", "check"), ("gammainc(ones(2), x)", "shape-mismatch"), ("betainc(1, 0, x)", "check"),
            ("betainc(0, 1, x)", "check"), ("betainc(1, 1, 1.5)", "check"), ("betainc(1, 1)", "arity"), ("multinomial_logpmf(1, 1, 1.0)", "check"),
            ("multinomial_logpmf([1], -1, [1.0])", "check"), ("multinomial_logpmf([1], 1, [0.0])", "check"), ("multinomial_logpmf([1], 1, [-1.0])", "check"),
            ("top_k(1.0, 1)", "check"), ("top_k(x, 0.5)", "type-mismatch"), ("normal_logpdf()", "arity"), ("normal_logpdf(x, 0, 1, 2)", "arity"),
            ("normal_logpdf(x, sd=1)", "unknown-name")):
        c.error(text, code, x=x)


def main():
    c = Cases()
    for part in (densities, gradients, ends, rows, incomplete, multinomials, largest, refused):
        part(c)
        c.finish()
    print("%d passed, %d failed" % (c.passed, c.failed))
    return 1 if c.failed else 0


if __name__ == "__main__":
    sys.exit(main())
