#!/usr/bin/python3
"""Draws of random numbers: their distribution against SciPy's, with fixed seeds.

    draws.py [PROGRAM]

Numbers that have a density by the test of Kolmogorov and Smirnov, whole numbers by that of chi square, at parameters on both
sides of where an algorithm gives way to another; ends, shapes and states; what is refused.  The last line is
`N passed, N failed`.
"""
import sys

import numpy as np
from more import array, run
from scipy import stats

N, LEAST = 4000, 1e-3  # draws of each case; the smallest p-value, which these seeds are far from


def whole(k, of):
    """Bins of at least ten numbers each."""
    expect = of.pmf(np.arange(k.max() + 1)) * len(k)
    edges, room = [0], 0.0
    for i, e in enumerate(expect):
        room += e
        if room >= 10:
            edges.append(i + 1)
            room = 0.0
    edges[-1] = 10 ** 12
    counts = np.histogram(k, edges)[0]
    shares = np.diff(of.cdf(np.array(edges) - 1))
    return stats.chisquare(counts, shares * len(k) / shares.sum() * counts.sum() / len(k))[1] if len(counts) > 1 else 1.0


DENSITIES = [("gamma(rng(%d), a, S)", stats.gamma, (0.1, 0.5, 1.0, 1.5, 8.0, 300.0)), ("gamma(rng(%d), a, S, scale=3)", lambda a: stats.gamma(a, scale=3), (0.7, 4.0)),
             ("beta(rng(%d), a, 2)", lambda a: stats.beta(a, 2), (0.3, 1.0, 5.0)), ("student_t(rng(%d), a, S)", stats.t, (0.8, 3.0, 40.0)),
             ("student_t(rng(%d), a, S, 1, 2)", lambda a: stats.t(a, 1, 2), (5.0,))]
MASSES = [("poisson(rng(%d), a, S)", stats.poisson, (0.2, 3.0, 9.99, 10.0, 25.0, 1000.0)), ("binomial(rng(%d), 12, a, S)", lambda a: stats.binom(12, a), (0.1, 0.5, 0.95)),
          ("binomial(rng(%d), 200, a, S)", lambda a: stats.binom(200, a), (0.01, 0.049, 0.06, 0.5, 0.8, 0.99)),
          ("choice(rng(%d), 5, S, p=[1.0, 2, 0, 4, 1])", lambda a: stats.rv_discrete(values=(range(5), np.array([1.0, 2, 0, 4, 1]) / 8)), (0.0,))]


def cases():
    for seed, (text, of, parameters) in enumerate(DENSITIES + MASSES):
        for a in parameters:
            call = text % (seed + 1)
            call = call.replace("a, 2)", "full(S, a), 2)") if call.startswith("beta") else call
            yield call.replace("S", str(N)).replace("a,", "%r," % a).replace("a)", "%r)" % a), of(a), text in [m[0] for m in MASSES]


def distributions():
    all_cases = list(cases())
    for o, (text, of, is_whole) in zip(run("".join("(%s)[0]\n" % text for text, _, _ in all_cases)), all_cases):
        x = array(o)
        p = whole(x, of) if is_whole else stats.kstest(x, of.cdf)[1]
        yield x.shape == (N,) and p > LEAST, "%s: p = %s" % (text, p)


def vectors():
    got = [array(o) for o in run("multivariate_normal(rng(1), [1.0, -2], [[2.0, 1], [1, 3]], 20000)[0]\n"
                                 "dirichlet(rng(2), broadcast_to([1.0, 2, 3], (20000, 3)))[0]\n"
                                 "dropout(rng(3), ones(20000), 0.2)[0]\n"
                                 "vmap(s -> gamma(s, 2.0, 2000)[0])(split(rng(4), 3))\n"
                                 "vmap(s -> poisson(s, [3.0, 30], (2000, 2))[0])(split(rng(5), 3))\n"
                                 "multinomial(rng(6), 40, [2.0, 1, 0, 5], 4000)[0]\n"
                                 "vmap(s -> multinomial(s, [5, 40], [[1.0, 3], [1, 1]], (2000, 2))[0])(split(rng(7), 2))\n")]
    yield np.allclose(got[0].mean(0), [1, -2], atol=0.05) and np.allclose(np.cov(got[0].T), [[2, 1], [1, 3]], atol=0.1), "multivariate_normal"
    yield np.allclose(got[1].sum(1), 1) and stats.kstest(got[1][:, 0], stats.beta(1, 5).cdf)[1] > LEAST, "dirichlet"
    yield set(np.unique(got[2])) == {0.0, 1.25} and abs((got[2] == 0).mean() - 0.2) < 0.01, "dropout"
    yield all(stats.kstest(row, stats.gamma(2).cdf)[1] > LEAST for row in got[3]), "lanes of gamma"
    yield all(whole(got[5][:, k], stats.binom(40, q)) > LEAST for k, q in enumerate((0.25, 0.125, 0, 0.625)) if q) and (got[5].sum(1) == 40).all() \
        and abs(np.cov(got[5].T)[0, 3] + 40 * 0.25 * 0.625) < 0.6, "multinomial"
    yield all(whole(row[:, k, 0], stats.binom(n, q)) > LEAST for row in got[6] for k, (n, q) in enumerate(((5, 0.25), (40, 0.5)))), "lanes of multinomial"
    yield all(whole(row[:, k], stats.poisson(m)) > LEAST for row in got[4] for k, m in enumerate((3, 30))), "lanes of poisson"


EXACT = [("binomial(rng(1), [0, 5, 6, 100], [0.5, 0, 1, 1])[0]", [0, 0, 6, 100]), ("poisson(rng(1), zeros(3))[0]", [0, 0, 0]),
         ("multinomial(rng(1), [3, 0], [[0, 1.0, 0], [1, 1, 1]])[0]", [[0, 3, 0], [0, 0, 0]]), ("shape(multinomial(rng(1), 3, [1, 2], (2, 3))[0])", [2, 3, 2]),
         ("{ k, r = multinomial(rng(1), 50, [1, 1]); l, r2 = multinomial(r, 50, [1, 1]); any(k != l) }", True),
         ("shape(gamma(rng(1), [1.0, 2], (3, 2))[0])", [3, 2]), ("shape(beta(rng(1), ones((2, 1)), ones(3))[0])", [2, 3]), ("shape(gamma(rng(1), ones(0))[0])", [0]),
         ("sort(choice(rng(1), 6, 6, replace=false)[0])", [0, 1, 2, 3, 4, 5]), ("shape(choice(rng(1), eye(3), (2, 2))[0])", [2, 2, 3]),
         ("choice(rng(1), [7, 8], (), p=[0, 1])[0]", 8), ("{ x, r = gamma(rng(1), 2.0); y, r2 = gamma(r, 2.0); [x != y] }", [True]),
         ("dropout(rng(1), [1.0, 2], 0)[0]", [1, 2]), ("grad(s -> gamma(rng(1), 2.0, (), s)[0])(3.0) == gamma(rng(1), 2.0)[0]", True),
         ("grad(x -> sum(dropout(rng(3), x, 0.5)[0]))(ones(4)) == dropout(rng(3), ones(4), 0.5)[0]", [True] * 4)]
REFUSED = [("gamma(rng(1), 0)", "check"), ("gamma(rng(1), [1.0, nan])", "check"), ("gamma(rng(1), 1, scale=0)", "check"), ("gamma(1, 1)", "type-mismatch"),
           ("gamma(rng(1), ones(2), 3)", "shape-mismatch"), ("gamma(rng(1), 1.0, -1)", "negative-size"), ("beta(rng(1), 1, 0)", "check"),
           ("dirichlet(rng(1), 1.0)", "check"), ("dirichlet(rng(1), [1.0, -1])", "check"), ("student_t(rng(1), 0)", "check"), ("poisson(rng(1), -1)", "check"),
           ("poisson(rng(1), nan)", "check"), ("binomial(rng(1), -1, 0.5)", "check"), ("binomial(rng(1), 3, 1.5)", "check"), ("choice(rng(1), 0)", "check"),
           ("choice(rng(1), [1, 2], 3, replace=false)", "check"), ("choice(rng(1), [1, 2], p=[1.0])", "check"), ("choice(rng(1), [1, 2], p=[1.0, -1])", "check"),
           ("choice(rng(1), [1, 2], p=[0, 0])", "check"), ("choice(rng(1), 2, 1, false, [1, 1])", "check"), ("multivariate_normal(rng(1), 1.0, eye(1))", "check"),
           ("multivariate_normal(rng(1), [1.0], eye(2))", "check"), ("multivariate_normal(rng(1), [1.0], -eye(1))", "not-positive-definite"),
           ("multinomial(rng(1), 1, 1.0)", "check"), ("multinomial(rng(1), -1, [1.0])", "check"), ("multinomial(rng(1), 1, [1, -1])", "check"),
           ("multinomial(rng(1), 1, [0.0])", "check"), ("dropout(rng(1), [1.0], 1)", "check")]


def rest():
    for o, (text, want) in zip(run("".join(text + "\n" for text, _ in EXACT)), EXACT):
        yield o["kind"] == "value" and np.array_equal(array(o), want), "%s: %s" % (text, o)
    for o, (text, code) in zip(run("".join(text + "\n" for text, _ in REFUSED)), REFUSED):
        yield o.get("code") == code, "%s: %s" % (text, str(o)[:200])


def main():
    passed = failed = 0
    for part in (distributions, vectors, rest):
        for ok, what in part():
            passed, failed = passed + bool(ok), failed + (not ok)
            if not ok:
                print("FAIL", what)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
