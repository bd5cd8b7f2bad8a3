#!/usr/bin/python3
"""Weak numbers: a literal next to a typed operand means the same as one of the dtype that it is to take.

In each template X, A, S are a typed vector, matrix and scalar, and V, M, W a vector, matrix and number of literals.
Whatever the template, it must give the type and the bits of the same one with every literal cast: to the dtype of
the operand, or to f64 if that is of integers and the literals are not (DESIGN 2.2). Every row of the table of
builtins has templates or is named below as one that has nothing to adapt.
"""
import re

import numpy as np
from ops import elementwise_rows
from run import MADE, ROOT, Tally, batch, decode

LITERALS = {"whole": {"W": "2", "V": "[2, 1]", "M": "[[2, 1], [1, 3]]"},
            "float": {"W": "0.5", "V": "[0.5, 1.0]", "M": "[[2.5, 1.0], [1.0, 3.5]]"}}
TYPED = {"f32": {"X": "xf", "A": "af", "S": "sf"}, "i32": {"X": "xi", "A": "ai", "S": "si"}}
PRELUDE = ("xf : f32[2] = [1.25, 3]\naf : f32[2, 2] = [[1.25, 2], [3, 5]]\nsf : f32 = 1.5\nxi : i32[2] = [1, 3]\n"
           "ai : i32[2, 2] = [[1, 2], [3, 5]]\nsi : i32 = 3\nb : bool[2] = [true, false]\nc : bool = false\nr = rng(3)\n"
           "f(a, b) = a * b\ng(a, b=2.5) = a * b\n")
BUILTINS = {
    "where": ["where(b, X, W)", "where(b, W, X)", "where(b, X, V)", "where(c, S, W)"],
    "xor": ["xor(X, W)", "xor(V, X)"],
    "clip": ["clip(X, W, 3)", "clip(X, 0, W)", "clip(W, S, 3)", "clip(V, S, X)", "clip(X, W, S)"],
    "concat": ["concat((X, V))", "concat((V, X))", "concat((V, X, [2, 3]))", "concat((A, M), axis=1)"],
    "stack": ["stack((S, W))", "stack((W, S, 3))", "stack((X, V), axis=1)"],
    "dot": ["dot(X, V)", "dot(V, X)", "dot(M, A)"], "matmul": ["matmul(A, M)", "matmul(V, A)"],
    "outer": ["outer(X, V)", "outer(V, X)"],
    "conv2d": ["conv2d(A, M)", "conv2d(M, A)"],
    "einsum": ['einsum("i,i->", X, V)', 'einsum("ij,j->i", M, X)', 'einsum("i,i,i->i", V, X, [1, 2])'],
    "solve": ["solve(A, V)", "solve(M, X)"],
    "solve_triangular": ["solve_triangular(A, V)", "solve_triangular(M, X, lower=true)"],
    "tensordot": ["tensordot(X, V, 1)", "tensordot(X, [1, 2, 3], 0)"], "nan_to_num": ["nan_to_num(X, W)", "nan_to_num(X, posinf=W)"],
    "searchsorted": ["searchsorted(X, W)", "searchsorted([1, 2, 3], X)", "searchsorted(V, X)"],
    "arange": ["arange(0, 4, S)", "arange(0, S)", "arange(S, 5)"],
    "uniform": ["uniform(r, (2,), S, W + 5)[0]"], "normal": ["normal(r, (2,), X, V)[0]", "normal(r, (2,), X, W)[0]"],
    "randint": ["randint(r, 1, 5)[0]"],
    "grad": ["grad(S * W, S)"], "value_and_grad": ["value_and_grad(S * W, S)[0]"], "vjp": ["vjp(X * W, X, V)"],
    "jvp": ["jvp(X * W, X, V)"], "jacobian": ["jacobian(X * V, X)"], "hessian": ["hessian(S * S * W, S)"],
    "vmap": ["vmap((u, v) -> u * v)(X, V)", "vmap((u, v) -> u * v, in_axes=(0, None))(X, W)", "vmap(f)(V, X)"],
}
# One tensor, or numbers that are no values of the result: nothing meets.
ALONE = """sum prod mean var std min max ptp any all argmin argmax logsumexp softmax log_softmax norm peak cumsum cumprod
cummax shape size reshape transpose swapaxes squeeze expand_dims broadcast_to flip zeros ones full empty fits zeros_like ones_like
full_like linspace eye one_hot take roll pad max_pool tile repeat tril triu diag match_shape sort argsort trace cholesky inv det
slogdet dft qr svd eigh pinv diagonal moveaxis ndim avg_pool
real imag iscomplexobj rng rng_state split bernoulli permutation categorical load save bool i32 i64 f32 f64 stop_gradient""".split()
LANGUAGE = [
    "X + W", "W - X", "X * V", "V / X", "X // 2", "X % W", "X ^ 2", "2 ^ S", "X & W", "V | X", "~X & 2", "X & ~W", "X @ V", "M @ X", "A @ M", "X < W", "W == X", "V >= X",
    "[S, W]", "[W, 2, S]", "[X, V]", "[V, X, [1, 2]]", "[[S, W], [1, 2]]", "if c then S else W", "if c then W else S",
    "if c then X else V", "(if c then (X, W) else (X, S))[1]", "(if c then (W, X) else (S, X))[0]",
    "(V with [0] = S)", "(V with [0] += S)", "f(X, W)", "f(V, X)", "{ k = W; X * k }", "{ k = V; k * X }", "{ k = V; k[0] * X }",
    "(a -> a * W)(X)", "f(f(X, W), W)", "X * (W + 1)", "X * -W", "X + (1 + W) * 2", "X * V[1]", "where(b, X, W) * W",
    "map(v -> v * W, X)", "map((u, v) -> u * v, X, V)", "foldl((a, v) -> a + v, X, W)", "foldr((a, v) -> a * v, X, W)",
    "scan t over X from s = W { s[t] = s[t-1] + X[t] }", "scan t over X from s = W { s[t] = s[t-1] * 2 + X[t] }",
    "scan t over X from s = V { s[t] = s[t-2] * s[t-1] + X[t] }", "scan t over X from s = W { s[t] = s[t+1] + X[t] }",
    "scan t over q = V { y[t] = X[t] * q[t] }", "scan t over q = V { y[t] = X[t] * q[0] }",
    "scan t over X from s = V { s[t] = s[t-1] * X[t] }", "scan t over X from s = W { k = s[t-1] * 2; s[t] = k + X[t] }",
    "(scan t over X from p = W, s = W { p[t] = s[t-1]; s[t] = p[t-1] + X[t] }).p",
    "(scan t over X from p = W, s = 1 { p[t] = s[t-1] * S; s[t] = p[t] + 1 }).s",
    "(scan t over X from p = W, s = W { p[t] = s[t-1] + 1; s[t] = f(p[t-1], X[t]) }).p",
    "(scan t over X from s = W { s[t] = (scan u over X from q = s[t-1] { q[u] = q[u-1] * X[u] }).final })",
    "scan t over X from s = W { s[t] = if c then s[t-1] else X[t] * s[t-1] }",
    "scan t over X from s = W { s[t] = [s[t-1], X[t]][0] + [s[t-1], W][1] }",
    "scan t over X from s = V { s[t] = (s[t-1] with [0] = X[t]) }",
]


def written(template, typed, literals):
    return re.sub(r"\b[XASVMW]\b", lambda m: {**typed, **literals}[m[0]], template)


def cast_literals(literals, dtype):
    """The same numbers as values of that dtype; `f64([..])` of literals is such a constant."""
    return {k: f"{dtype}({v})" for k, v in literals.items()}


def templates():
    table = (ROOT / "core/lang/builtins.def").read_text(encoding="utf-8")
    names = re.findall(r"^B\( *(\w+),", table, re.MULTILINE)
    missing = [n for n in names if n not in BUILTINS and n not in ALONE and n not in MADE]
    for name in names:
        yield from BUILTINS.get(name, [])
    for arity, name, kind, _, _, lo, hi in elementwise_rows():
        if arity == 2 and name.isidentifier() and name not in ("and", "or"):
            yield f"{name}(X, 2)" if "bit" in name or name in ("polygamma",) else f"{name}(X, W)"
            if "bit" not in name and name != "polygamma":
                yield f"{name}(W, X)"
    yield from LANGUAGE
    if missing:
        raise SystemExit(f"no templates for {missing}")


def main():
    tally = Tally()
    asked = []
    for template in dict.fromkeys(templates()):
        for dtype, typed in TYPED.items():
            for kind, literals in LITERALS.items():
                wanted = "f64" if dtype == "i32" and kind == "float" else dtype
                asked.append((written(template, typed, literals), written(template, typed, cast_literals(literals, wanted))))
    plain = [t for pair in asked for t in pair]
    results = batch(plain, PRELUDE)
    for k, (ours, theirs) in enumerate(asked):
        a, b = results[2 * k], results[2 * k + 1]
        if b["kind"] == "error":
            tally.check(a["kind"] == "error", f"{ours} is fine but {theirs}: {b['message']}")
            continue
        ok = a["kind"] == "value" and a["type"] == b["type"] and np.array_equal(decode(a), decode(b), equal_nan=True)
        tally.check(ok, f"{ours}: {a.get('type', a.get('message'))} {a.get('value')}\n  but {theirs}: {b['type']} {b.get('value')}")
    print(f"{tally.passed} passed, {tally.failed} failed")
    raise SystemExit(tally.failed > 0)


if __name__ == "__main__":
    main()
