#!/usr/bin/python3
"""Derivatives inside bodies see how elements, arguments and lanes depend on what is outside, against NumPy.

Each case names the same derivative in another place: in a scan over an alias, over what a function gives, in nested
scans, in `map`, in `vmap`, in a function that gets the value as an argument, under `if`, by grad, jvp, vjp, jacobian
and hessian.
"""
import numpy as np
from run import Tally, batch, decode

X = np.array([0.5, -1.25, 2.0])
W = np.array([1.5, 0.25, -0.75])
Y = X * X * W                                             # y = x * x * w
DY = np.diag(2 * X * W)                                   # its Jacobian by x
PRELUDE = (f"x : f64[3] = {X.tolist()}\nw : f64[3] = {W.tolist()}\ny = x * x * w\nalias = y\nf(z) = z * z * w\n"
           "z = f(x)\npair(a) = (a * a * w, a + w)\nfst, snd = pair(x)\nM = outer(x, y)\ninner(a) = grad(sum(a * a), x)\n"
           "half(v) = v / 2\nk : i64 = 3\n")
SQUARE = 2 * Y[:, None] * DY                              # the Jacobian of y * y
PRODUCTS = np.array([[DY[i] * Y[j] + Y[i] * DY[j] for j in range(3)] for i in range(3)])
OUTER = np.array([[[(i == m) * Y[j] + X[i] * DY[j, m] for m in range(3)] for j in range(3)] for i in range(3)])

CASES = [
    ("scan i over y { r[i] = grad(y[i], x) }", DY),
    ("scan i over alias { r[i] = grad(alias[i], x) }", DY),
    ("scan i over q = x * x * w { r[i] = grad(q[i], x) }", DY),
    ("scan i over q = alias { r[i] = grad(q[i], x) }", DY),
    ("scan i over z { r[i] = grad(z[i], x) }", DY),
    ("scan i over fst { r[i] = grad(fst[i], x) }", DY),
    ("scan i over y for k { r[i] = grad(y[i], x) }", DY),
    ("scan i for k { r[i] = grad(y[i], x) }", DY),
    ("scan i over y { r[i] = grad(y[i] * y[i], x) }", SQUARE),
    ("scan i over y { q = y[i]; r[i] = grad(q * q, x) }", SQUARE),
    ("scan i over y { q = y[i]; r[i] = grad(q * q, q) }", 2 * Y),
    ("scan i over y { r[i] = grad(y[i] * y[i], [y[i], x])[1] }", SQUARE),
    ("scan i over y { r[i] = grad(y[i] * y[i], [y[i], x])[0] }", 2 * Y),
    ("scan i over y { r[i] = value_and_grad(y[i] * y[i], x)[0] }", Y * Y),
    ("scan i over y { r[i] = grad(y[i] * y[i], y) }", np.diag(2 * Y)),
    ("scan i over y { r[i] = grad(y[i] * sum(y), y) }", np.diag([Y.sum()] * 3) + Y[:, None]),
    ("scan i over x { r[i] = grad(x[i] * sum(x), x) }", np.diag([X.sum()] * 3) + X[:, None]),
    ("scan i over x { r[i] = grad(x[i] * sum(x), x[i]) }", np.full(3, X.sum())),
    ("scan i over y { r[i] = grad(y[i+1] * y[i-1], x) }", [DY[2] * Y[0] + DY[0] * Y[2]]),
    ("scan i over y from s = 0.0 { r[i] = grad(y[i], x); s[i] = s[i+1] + y[i] }.r", DY),
    ("scan i over y from s = zeros(3) { s[i] = s[i-1] + grad(y[i], x) }.s", np.cumsum(DY, axis=0)),
    ("scan i over y { r[i] = if y[i] > 0 then grad(y[i] * y[i], x) else zeros(3) }", SQUARE * (Y > 0)[:, None]),
    ("scan i over y { r[i] = grad(if y[i] > 0 then y[i] * y[i] else y[i], x) }", np.where((Y > 0)[:, None], SQUARE, DY)),
    ("scan i over y { r[i] = scan j over y { s[j] = grad(y[i] * y[j], x) } }", PRODUCTS),
    ("scan i over y { r[i] = scan j over q = y[i] * y { s[j] = grad(q[j], x) } }", PRODUCTS),
    ("scan i over M { r[i] = scan j over q = M[i] { s[j] = grad(q[j], x) } }", OUTER),
    ("scan i over M { r[i] = jacobian(M[i], x) }", OUTER),
    ("scan i over y { r[i] = jacobian(y[i] * x, x) }", np.array([X[:, None] * DY[i] + Y[i] * np.eye(3) for i in range(3)])),
    ("scan i over y { r[i] = hessian(y[i], x) }", np.array([np.diag(2 * W * (np.arange(3) == i)) for i in range(3)])),
    ("scan i over y { r[i] = jvp(y[i], x, w) }", DY @ W),
    ("scan i over y { r[i] = jvp(y[i] * y[i], (x, w), (w, x)) }", SQUARE @ W + 2 * Y * X * X * X),
    ("scan i over y { r[i] = jvp((y[i], y[i] * y[i]), x, w)[1] }", SQUARE @ W),
    ("scan i over y { r[i] = vjp(y[i] * y[i], x, 2.0) }", 2 * SQUARE),
    ("scan i over y { r[i] = vjp(y[i] * x, (x, w), ones(3))[1] }", np.diag(X * X) * X.sum()),
    ("scan i over y { r[i] = grad(half(y[i]), x) }", DY / 2),
    ("scan i over y { r[i] = { g(v) = grad(v * v, x); g(y[i]) } }", SQUARE),
    ("map(v -> grad(v, x), y)", DY),
    ("map(v -> grad(v * v, x), alias)", SQUARE),
    ("map((v, u) -> grad(v * u, x), y, x)", np.array([DY[i] * X[i] + Y[i] * np.eye(3)[i] for i in range(3)])),
    ("map(v -> map(u -> grad(v * u, x), y), y)", PRODUCTS),
    ("vmap(v -> grad(v * v, x))(y)", SQUARE),
    ("vmap(v -> vmap(u -> grad(v * u, x))(y))(y)", PRODUCTS),
    ("vmap((v, u) -> grad(v * u, x), in_axes=(0, None))(y, 2.0)", 2 * DY),
    ("vmap(c -> grad(sum(c), x), in_axes=1)(M)", np.array([OUTER[:, j].sum(axis=0) for j in range(3)])),
    ("vmap(v -> jvp(v * v, x, w))(y)", SQUARE @ W),
    ("vmap(grad(v -> sum(grad(v * v * x[0], x))))(y)", 2 * Y),
    ("inner(y)", (2 * Y) @ DY),
    ("inner(x)", 2 * X),
    ("inner(inner(y))", None),
    ("(a -> grad(sum(a * a), x))(y)", (2 * Y) @ DY),
    ("grad(a -> sum(grad(sum(a * x), x) * a))(y)", 2 * Y),
    ("foldl((a, v) -> a + grad(v * v, x), y, zeros(3))", SQUARE.sum(axis=0)),
    ("grad(sum(scan i over y { r[i] = sum(grad(y[i] * y[i], x)) }), x)", 12 * X * X * W * W),
    ("grad(sum(map(v -> sum(grad(v * v, x)), y)), w)", 8 * X ** 3 * W),
]


def main():
    tally = Tally()
    results = batch([text for text, _ in CASES], PRELUDE)
    for (text, want), got in zip(CASES, results):
        if got["kind"] == "error":
            tally.check(False, f"{text}: {got['message']}")
            continue
        value = decode(got)
        if want is None:                                  # the same with the inner one written out
            want = decode(batch(["grad(sum(inner(y) * inner(y)), x)"], PRELUDE)[0])
        tally.check(value.shape == np.shape(want) and np.allclose(value, want, rtol=1e-12, atol=1e-14),
                    lambda text=text, value=value, want=want: f"{text}:\n{value}\nis not\n{np.array(want)}")
    print(f"{tally.passed} passed, {tally.failed} failed")
    raise SystemExit(tally.failed > 0)


if __name__ == "__main__":
    main()
