#!/usr/bin/python3
"""Every value that the programs in examples/ print, computed again with NumPy.

Each function below yields, in order, what its example prints. Gradients are found by complex steps
through the same forward code. What is random is tested for what any sampler must fulfil.
"""
import sys

import numpy as np
from run import ROOT, Tally, decode, gradus, same


def complex_grad(f, x, h=1e-30):
    """df/dx of a real analytic f: exact to rounding."""
    g = np.zeros(x.shape)
    for i in np.ndindex(*x.shape):
        z = x.astype(complex)
        z[i] += 1j * h
        g[i] = f(z).imag / h
    return g


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Any_:
    """Accepts a value that passes a test."""

    def __init__(self, test):
        self.test = test


def power(_):
    A = np.arange(10.0)
    trace = np.stack([A ** t for t in range(1, 5)])
    yield from (trace[:, 3], trace[-1], trace[-1], A ** 2, np.ones(10), np.int64(0), 4 * A ** 3)


def polynomial(_):
    c, x = np.array([1.0, 0, 2]), 3.0
    yield from (c * x ** np.arange(3), np.polyval(c[::-1], x), np.polyval(c[::-1], x))
    slope = np.polyval(np.polyder(c[::-1]), x)
    yield from (slope, slope, c * np.arange(3))


def triangular(_):
    yield from (np.cumsum(np.arange(15)), np.bool_(True), np.int64(105))


def set_at_position(_):
    out = np.zeros((2, 5, 5))
    out[0, 1, 1], out[1, 2, 3] = 42, 50
    yield from (out[0], out[1], np.array(out.shape), out.sum(0)[2], out.sum(), np.ones(2))


def convnet(_):
    yield from (np.array([4, 6, 6]), np.array([8, 2, 2]), np.array([4, 1, 3, 3]), np.bool_(True), np.bool_(False))


def shared_update(_):
    a = 1
    for _ in range(2):
        b, c, a = a + 1, a + 10 + 1, a + 10
        yield from (np.int64(b), np.int64(c), np.int64(a))
    yield from ([np.int64(22), np.int64(32)],) * 2
    yield from (np.int64(21), np.int64(111), np.int64(21))


def pca(_):
    t = np.linspace(-1, 1, 40)
    points = np.stack([2 * t + 0.1 * np.sin(9 * t), t + 0.2 * np.cos(7 * t)], axis=1)
    u, s, vt = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    yield from (np.round(1000 * s ** 2 / 40), np.float64(1000), np.round(1000 * np.abs(vt[0])), np.array([40]))
    yield from (np.bool_(True), np.bool_(True))


def newton(_):
    for a in (2.0, 1e6):
        x, steps = 1.0, 0
        while not steps or not abs(x ** 2 - a) < 1e-12:
            x, steps = (x + a / x) / 2, steps + 1
        yield from (np.float64(x), np.int64(steps))
    yield from (np.bool_(True), np.float64(2), np.bool_(True))


def mandelbrot(_):
    re, im = np.linspace(-2.0, 0.6, 24), np.linspace(-1.2, 1.2, 9)
    picture = np.zeros((9, 24), int)
    for i, j in np.ndindex(9, 24):
        z = 0j
        for t in range(1, 51):
            z = complex(z.real ** 2 - z.imag ** 2 + re[j], 2 * z.real * z.imag + im[i])
            if abs(z) > 2:
                picture[i, j] = t
                break
    yield from (np.array([9, 24]), picture.sum(), picture[4], np.bool_(True))


def powers_of_two(_):
    p = 2.0 ** np.arange(1, 7)
    yield from (p, np.int64(6), np.bool_(True), np.float64(1024), np.int64(10), p[:5], np.bool_(False),
                np.float64(1024))


def checkpoint(_):
    A = np.array([0.5, 1, 1.5, 2])
    yield from (A ** 12, 12 * A ** 11, np.bool_(True), np.float64(0))
    yield from (np.bool_(True), np.int64(4), np.float64(12 * 3.2 ** 2), np.float64(4 * 3.2 ** 3), np.float64(3.2 ** 3))


def jacobian(_):
    W, x = np.array([[1, 2, -1], [0.5, -2, 3]]), np.array([0.2, -0.4, 0.1])
    rows = [complex_grad(lambda z, r=r: np.tanh(W[r] @ z), x) for r in range(2)]
    y = np.tanh(W @ x)
    curvature = 2 * (1 - y ** 2) ** 2 - 4 * y ** 2 * (1 - y ** 2)        # (y^2)'' by the argument of tanh
    yield from (np.stack(rows), np.bool_(True), np.bool_(True), ((W.T * curvature) @ W)[0])
    yield from (np.bool_(True),) * 3


def rnn_forward(u, W, W1, W2, Wf, Wout, x0, y0):
    x, y = list(x0), [y0]
    for t in range(4, len(u)):
        now = np.tanh(x[-1] @ W + u[t] @ W1 + u[t - 4] @ W2 + y[-1] @ Wf)
        y.append(x[-3] @ Wout)
        x.append(now)
    return np.stack(x[3:]), np.stack(y[1:])


def rnn(_):
    u = np.array([[0.1, 0.9], [0.4, -0.2], [-0.7, 0.5], [0.3, 0.3], [0.8, -0.6], [-0.5, 0.2], [0.6, 0.7],
                  [-0.1, -0.4], [0.2, 0.1]])
    W = np.array([[0.2, -0.4, 0.1], [0.5, 0.3, -0.2], [-0.3, 0.1, 0.4]])
    W1 = np.array([[0.6, -0.1, 0.2], [-0.3, 0.7, 0.1]])
    W2 = np.array([[-0.2, 0.4, 0.5], [0.1, -0.6, 0.3]])
    Wf, Wout = np.array([[0.3, -0.2, 0.6]]), np.array([[0.5], [-0.7], [0.9]])
    x0, y0 = np.array([[0.1, 0.2, 0.3], [0.0, -0.1, 0.2], [0.3, 0.1, -0.2]]), np.array([0.5])

    def loss(u, W, Wf):
        x, y = rnn_forward(u, W, W1, W2, Wf, Wout, x0, y0)
        return ((y - 1) ** 2).sum() + 0.1 * (x ** 2).sum()

    x, y = rnn_forward(u, W, W1, W2, Wf, Wout, x0, y0)
    yield from (np.array([5, 3]), y[:, 0], x[-1], x0 @ Wout, loss(u, W, Wf))
    yield complex_grad(lambda z: loss(u, z, Wf), W)
    yield complex_grad(lambda z: loss(u, W, z), Wf)
    gu = complex_grad(lambda z: loss(z, W, Wf), u)
    yield from (gu[0], gu[-1])


def tour(_):
    u = np.array([[0.1, 0.9], [0.4, -0.2], [-0.7, 0.5], [0.3, 0.3], [0.8, -0.6], [-0.5, 0.2], [0.6, 0.7]])
    W, W1 = np.array([[0.2, -0.4], [0.5, 0.3]]), np.array([[0.6, -0.1], [-0.3, 0.7]])
    W2, Wf, Wout = np.array([[-0.2, 0.4], [0.1, -0.6]]), np.array([[0.3, -0.2]]), np.array([[0.5], [-0.7]])
    x0, y0 = np.array([[0.1, 0.2], [0.0, -0.1], [0.3, 0.1]]), np.array([0.5])

    def loss(W, Wout):
        x, y = rnn_forward(u, W, W1, W2, Wf, Wout, x0, y0)
        return ((y - 1) ** 2).sum() + (x ** 2).sum()

    yield from (rnn_forward(u, W, W1, W2, Wf, Wout, x0, y0)[1], loss(W, Wout))
    yield complex_grad(lambda z: loss(z, Wout), W)
    for _ in range(50):
        W, Wout = (W - 0.1 * complex_grad(lambda z, v=Wout: loss(z, v), W),
                   Wout - 0.1 * complex_grad(lambda z, v=W: loss(v, z), Wout))
    yield loss(W, Wout)


def lstm(_):
    x = np.array([[0.5, -1.0], [1.5, 0.3], [-0.2, 0.8], [0.0, 1.1]])
    M = {"Wi": [[0.4, -0.3], [0.2, 0.7]], "Wf": [[-0.1, 0.6], [0.5, 0.2]], "Wo": [[0.3, 0.3], [-0.4, 0.1]],
         "Wc": [[0.8, -0.2], [0.1, 0.9]], "Ui": [[0.1, 0.2], [-0.3, 0.4]], "Uf": [[0.5, -0.2], [0.1, 0.3]],
         "Uo": [[-0.2, 0.1], [0.6, 0.2]], "Uc": [[0.3, -0.5], [0.2, 0.1]], "bi": [0.1, 0], "bf": [1, 1],
         "bo": [0, 0.2], "bc": [-0.1, 0.1]}
    M = {k: np.array(v, float) for k, v in M.items()}

    def run(**new):
        m = {**M, **new}
        h, c, hs = np.zeros(2), np.zeros(2), []
        for row in x:
            gate = {g: row @ m["W" + g] + h @ m["U" + g] + m["b" + g] for g in "ifoc"}
            c = sigmoid(gate["f"]) * c + sigmoid(gate["i"]) * np.tanh(gate["c"])
            h = sigmoid(gate["o"]) * np.tanh(c)
            hs.append(h)
        return np.stack(hs), c

    def loss(**new):
        return ((run(**new)[0][-1] - [0.5, -0.5]) ** 2).sum()

    yield from (*run(), loss())
    for name in ("Uf", "Wc"):
        yield complex_grad(lambda z, n=name: loss(**{n: z}), M[name])


def gibbs(got):
    """The draws are ours; what NumPy can say is what they must look like."""
    W, bv, bh = np.array([[0.3, -0.5], [0.8, 0.1]]), np.array([0.2, -0.1]), np.array([-0.4, 0.6])
    corners = np.array([[i, j] for i in (0.0, 1) for j in (0.0, 1)])

    def chances(p):                                         # of each corner, for independent units
        return np.prod(np.where(corners == 1, p, 1 - p), axis=1)

    transition = np.stack([chances(sigmoid(v @ W + bh)) for v in corners]) @ np.stack(
        [chances(sigmoid(h @ W.T + bv)) for h in corners])
    stationary = np.linalg.matrix_power(transition, 200)[0] @ corners
    trace = got[0]
    yield Any_(lambda v: v.shape == (10, 2) and v.dtype == np.float64 and set(np.unique(v)) <= {0.0, 1.0})
    yield from (trace[-1], trace[-1], np.bool_(True), np.bool_(False), sigmoid(np.array([1.0, 0]) @ W + bh))
    yield Any_(lambda v: v.shape == (2,) and np.all(np.abs(v - stationary) < 0.03))      # four standard errors


def mlp(_):
    """The weights are drawn; what training must reach from any of them is known."""
    yield from (np.bool_(True), np.ones(4, bool), np.bool_(True), np.array([50, 2, 8]), np.bool_(True), np.bool_(True))


def gaussian_process(_):
    """Algorithm 2.1 of the book, without its triangles."""
    x = np.linspace(0, 2 * np.pi, 9)

    def kernel(a, b, length):
        return np.exp(-0.5 * ((a[:, None] - b) / length) ** 2)

    def predict(at, length):
        K, k = kernel(x, x, length) + 1e-4 * np.eye(9), kernel(x, at, length)
        return k.T @ np.linalg.solve(K, np.sin(x)), np.sqrt(1 - np.sum(k * np.linalg.solve(K, k), axis=0))

    at = np.linspace(0, 2 * np.pi, 33)
    mean, std = predict(at, 1.5)
    yield from (np.bool_(np.max(np.abs(mean - np.sin(at))) < 0.03), np.bool_(np.max(std) < 0.1))
    yield from (np.round(1e4 * predict(np.array([1.0, 3.0]), 1.5)[0]), np.round(100 * predict(np.array([20.0]), 1.5)[1]))
    yield from (np.bool_(True), np.bool_(True), np.array([9]))


def wave(_):
    n, k = 64, np.arange(33)
    x = np.arange(n) * 2 * np.pi / n
    u0 = np.exp(-4 * (x - np.pi) ** 2)
    film = np.stack([np.fft.irfft(np.cos(0.5 * k * t) * np.fft.rfft(u0)) for t in np.linspace(0, 4 * np.pi, 9)])
    slope = np.fft.irfft(1j * k * np.fft.rfft(u0))
    yield from (np.bool_(np.max(np.abs(slope + 8 * (x - np.pi) * u0)) < 1e-6), np.array([9, 64]), np.round(1000 * film[1, 30:34]))
    yield from (np.argmax(film[4]), np.bool_(True), np.bool_(True), np.bool_(True), np.bool_(True), np.bool_(True))


def viterbi(_):
    """By trying all paths."""
    start, move = np.log([0.6, 0.4]), np.log([[0.7, 0.3], [0.4, 0.6]])
    emit, seen = np.log([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]), [0, 1, 2, 2, 1, 0, 0]

    def score(path):
        return start[path[0]] + sum(emit[s, z] for s, z in zip(path, seen)) + sum(move[a, b] for a, b in zip(path, path[1:]))

    best = max(np.ndindex(*[2] * 7), key=score)
    counts = np.zeros((2, 2))
    np.add.at(counts, (best[:-1], best[1:]), 1)
    yield from (np.array(best), np.round(1e7 * np.exp(score(best))), counts)


def hierarchical(_):
    y, s = np.array([28.0, 8, -3, 7, -1, 1, 18, 12]), np.array([15.0, 10, 16, 11, 9, 11, 10, 18])

    def normal(x, std=1.0):
        return -0.5 * (x / std) ** 2 - np.log(std * np.sqrt(2 * np.pi))

    cauchy = -np.log(np.pi * 5 * (1 + 1 / 25))
    yield np.round(1000 * (normal(0.0, 5.0) + np.log(2) + cauchy + 8 * normal(0.0) + np.sum(normal(y, s))))
    yield from (np.bool_(True), np.bool_(True), np.bool_(True))


def digits(_):
    """What any network of this form reaches."""
    yield from (np.bool_(True), np.bool_(True), np.bool_(True))


def expect(_):
    """It states what rewriting makes of expressions, and prints nothing."""
    return ()


def main():
    tally = Tally()
    for path in sorted((ROOT / "examples").glob("*.gr")):
        oracle = globals().get(path.stem)
        tally.check(oracle, f"{path.name}: no function {path.stem} computes its values")
        if not oracle:
            continue
        objects, status, err = gradus(str(path))
        tally.check(status == 0, f"{path.name}: exit status {status} {err}")
        got = [decode(o) for o in objects if o["kind"] == "value"]
        want = list(oracle(got))
        tally.check(len(got) == len(want), f"{path.name}: {len(got)} values, {len(want)} expected")
        for i, (a, b) in enumerate(zip(got, want)):
            if isinstance(b, Any_):
                ok = b.test(a)
            elif isinstance(b, list):
                ok = len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
            else:
                ok = same(a, b, atol=1e-15)
            tally.check(ok, lambda: f"{path.name}: value {i + 1}\n  ours  {a!r}\n  numpy {b!r}")
    tally.end()


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests" / "diff"))
    main()
