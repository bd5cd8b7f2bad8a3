"""Statistics and learning: losses of batches, descents, mixtures, attention, filters."""
import numpy as np

from rows import Plain


class CrossEntropy(Plain):
    title = "softmax cross-entropy, 10^4 x 10, its gradient"
    full, tiny = {"M": 10000, "N": 10}, {"M": 13, "N": 4}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=(sizes["M"], sizes["N"])), "label": random.integers(0, sizes["N"], sizes["M"])})
    outputs = {"out": "f8 M N"}
    gradus = "loss = -mean(sum(log_softmax(x) * one_hot(label, {N}, dtype=f64), axis=1))"
    results = ("grad(loss, x)",)
    c = """
    for (int i = 0; i < M; i++) {
        double most = x[i * N], s = 0, e[N];
        for (int j = 1; j < N; j++) most = x[i * N + j] > most ? x[i * N + j] : most;
        for (int j = 0; j < N; j++) { e[j] = exp(x[i * N + j] - most); s += e[j]; }
        for (int j = 0; j < N; j++) out[i * N + j] = (e[j] / s - (j == label[i])) / M;
    }"""

    @staticmethod
    def numpy(x, label, N):
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return ((e / e.sum(axis=1, keepdims=True) - np.eye(N)[label]) / len(x),)


class Ridge(Plain):
    title = "ridge regression by descent, 1000 x 20, 200 steps"
    full, tiny = {"M": 1000, "N": 20, "T": 200}, {"M": 12, "N": 3, "T": 5}
    inputs = staticmethod(lambda sizes, random: {"A": random.normal(size=(sizes["M"], sizes["N"])), "b": random.normal(size=sizes["M"])})
    outputs = {"out": "f8 N"}
    gradus = """loss(w) = sum((A @ w - b) ^ 2) / {M} + 0.1 * sum(w * w)
    R = scan t for {T} from w = zeros({N}) { v = w[t-1]; w[t] = v - 0.1 * grad(loss(v), v) }"""
    results = ("R.final",)
    c = """
    double r[M], g[N];
    memset(out, 0, sizeof g);
    for (int t = 0; t < T; t++) {
        memcpy(r, b, sizeof r);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, M, N, 1, A, N, out, 1, -1, r, 1);
        cblas_dgemv(CblasRowMajor, CblasTrans, M, N, 2.0 / M, A, N, r, 1, 0, g, 1);
        for (int j = 0; j < N; j++) out[j] -= 0.1 * (g[j] + 0.2 * out[j]);
    }"""

    @staticmethod
    def numpy(A, b, M, N, T):
        w = np.zeros(N)
        for _ in range(T):
            w = w - 0.1 * (2 / M * (A.T @ (A @ w - b)) + 0.2 * w)
        return (w,)


class Mixture(Plain):
    title = "EM of a Gaussian mixture, 10^4 points, 8 parts, 20 rounds"
    why = "Responsibilities are stored, and sums over the first axis are passes of their own."
    history = (2.8, 2.1)
    full, tiny = {"M": 10000, "K": 8, "T": 20}, {"M": 30, "K": 3, "T": 3}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=sizes["M"]) + random.integers(0, 3, sizes["M"]) * 4, "m0": np.linspace(-1, 9, sizes["K"])})
    outputs = {"m": "f8 K", "v": "f8 K"}
    gradus = """E = scan t for {T} from m = m0, v = ones({K}), p = full({K}, 1.0 / {K}) {
        d = reshape(x, ({M}, 1)) - m[t-1]
        q = p[t-1] / sqrt(v[t-1]) * exp(-0.5 * d * d / v[t-1])
        r = q / sum(q, axis=1, keepdims=true)
        n = sum(r, axis=0)
        m[t] = sum(r * reshape(x, ({M}, 1)), axis=0) / n
        v[t] = sum(r * (reshape(x, ({M}, 1)) - m[t]) ^ 2, axis=0) / n + 0.01
        p[t] = n / {M}
    }"""
    results = ("E.final.m", "E.final.v")
    c = """
    static double r[M][K];
    double p[K], n[K];
    for (int k = 0; k < K; k++) { m[k] = m0[k]; v[k] = 1; p[k] = 1.0 / K; }
    for (int t = 0; t < T; t++) {
        double scale[K], mean[K] = {0};
        for (int k = 0; k < K; k++) { scale[k] = p[k] / sqrt(v[k]); n[k] = 0; }
        for (int i = 0; i < M; i++) {
            double s = 0;
            for (int k = 0; k < K; k++) { double d = x[i] - m[k]; r[i][k] = scale[k] * exp(-0.5 * d * d / v[k]); s += r[i][k]; }
            for (int k = 0; k < K; k++) { r[i][k] /= s; n[k] += r[i][k]; mean[k] += r[i][k] * x[i]; }
        }
        for (int k = 0; k < K; k++) { m[k] = mean[k] / n[k]; v[k] = 0; }
        for (int i = 0; i < M; i++)
            for (int k = 0; k < K; k++) v[k] += r[i][k] * (x[i] - m[k]) * (x[i] - m[k]);
        for (int k = 0; k < K; k++) { v[k] = v[k] / n[k] + 0.01; p[k] = n[k] / M; }
    }"""

    @staticmethod
    def numpy(x, m0, K, T):
        m, v, p = m0, np.ones(K), np.full(K, 1 / K)
        for _ in range(T):
            q = p / np.sqrt(v) * np.exp(-0.5 * (x[:, None] - m) ** 2 / v)
            r = q / q.sum(axis=1, keepdims=True)
            n = r.sum(axis=0)
            m = (r * x[:, None]).sum(axis=0) / n
            v = (r * (x[:, None] - m) ** 2).sum(axis=0) / n + 0.01
            p = n / len(x)
        return m, v


class Attention(Plain):
    title = "attention, 512 x 64, causal"
    history = (2.14, 1.1)
    full, tiny = {"N": 512, "D": 64}, {"N": 6, "D": 4}
    inputs = staticmethod(lambda sizes, random: {n: random.normal(size=(sizes["N"], sizes["D"])) for n in "QKV"})
    outputs = {"out": "f8 N D"}
    gradus = """i = iota({N}); seen = reshape(i, ({N}, 1)) >= reshape(i, (1, {N}))
    y = softmax(where(seen, Q @ K' / sqrt(f64({D})), -1e9)) @ V"""
    results = ("y",)
    c = """
    static double S[N][N];
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, N, N, D, 1 / sqrt(D), Q, D, K, D, 0, S[0], N);
    for (int i = 0; i < N; i++) {
        double most = S[i][0], s = 0;
        for (int j = 1; j <= i; j++) most = S[i][j] > most ? S[i][j] : most;
        for (int j = 0; j <= i; j++) { S[i][j] = exp(S[i][j] - most); s += S[i][j]; }
        for (int j = 0; j < N; j++) S[i][j] = j <= i ? S[i][j] / s : 0;
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, D, N, 1, S[0], N, V, D, 0, out, D);"""

    @staticmethod
    def numpy(Q, K, V, N, D):
        S = np.where(np.tril(np.ones((N, N), bool)), Q @ K.T / np.sqrt(D), -1e9)
        e = np.exp(S - S.max(axis=1, keepdims=True))
        return (e / e.sum(axis=1, keepdims=True) @ V,)


class Elimination(Plain):
    title = "LU by hand, 100 x 100"
    why = "What a step leaves is told by masks, which are computed; the column of factors is copied, and looked at for infinities."
    history = (10.2, 1.5)
    full, tiny = {"N": 100}, {"N": 6}
    inputs = staticmethod(lambda sizes, random: {"A": random.normal(size=(sizes["N"], sizes["N"])) + sizes["N"] * np.eye(sizes["N"])})
    outputs = {"out": "f8 N N"}
    gradus = """i = iota({N})
    L = scan k for {N} from a = A {
        x = a[k-1]
        f = where(i > k, x[:, k] / x[k, k], 0.0)
        below = x - reshape(f, ({N}, 1)) * reshape(where(i >= k, x[k], 0.0), (1, {N}))
        a[k] = where(reshape(i > k, ({N}, 1)) and reshape(i == k, (1, {N})), broadcast_to(reshape(f, ({N}, 1)), ({N}, {N})), below)
    }"""
    results = ("L.final",)
    c = """
    memcpy(out, A, sizeof(double) * N * N);
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            double f = out[i * N + k] /= out[k * N + k];
            for (int j = k + 1; j < N; j++) out[i * N + j] -= f * out[k * N + j];
        }"""

    @staticmethod
    def numpy(A, N):
        x = A.copy()
        for k in range(N):
            x[k + 1:, k] /= x[k, k]
            x[k + 1:, k + 1:] -= np.outer(x[k + 1:, k], x[k, k + 1:])
        return (x,)


class Sums(Plain):
    title = "prefix sums by rows, 2000 x 500"
    full, tiny = {"M": 2000, "N": 500}, {"M": 7, "N": 9}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=(sizes["M"], sizes["N"]))})
    outputs = {"out": "f8 M N"}
    gradus = "y = cumsum(x, axis=1)"
    results = ("y",)
    c = """
    for (int i = 0; i < M; i++) {
        double s = 0;
        for (int j = 0; j < N; j++) out[i * N + j] = s += x[i * N + j];
    }"""

    @staticmethod
    def numpy(x):
        return (np.cumsum(x, axis=1),)


class Wavelet(Plain):
    title = "Haar wavelets, 2^20, 10 levels"
    history = (6.22, 0.96)
    full, tiny = {"N": 1 << 20}, {"N": 2048}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=sizes["N"])})
    outputs = {"out": "f8 N"}
    gradus = "\n".join(["a0 = x"] + [f"p{k} = reshape(a{k}, ({{N}} // {2 << k}, 2)); a{k + 1} = (p{k}[:, 0] + p{k}[:, 1]) * 0.5; d{k} = (p{k}[:, 0] - p{k}[:, 1]) * 0.5"
                                    for k in range(10)] + ["y = concat((a10, " + ", ".join(f"d{k}" for k in reversed(range(10))) + "))"])
    results = ("y",)
    c = """
    static double a[N / 2];
    const double *from = x;
    for (int n = N / 2, k = 0; k < 10; k++, n /= 2, from = a)
        for (int i = 0; i < n; i++) {
            double u = from[2 * i], v = from[2 * i + 1];
            a[i] = (u + v) * 0.5;
            out[n + i] = (u - v) * 0.5;
        }
    memcpy(out, a, sizeof(double) * N / 1024);"""

    @staticmethod
    def numpy(x):
        parts = []
        for _ in range(10):
            parts.append((x[::2] - x[1::2]) * 0.5)
            x = (x[::2] + x[1::2]) * 0.5
        return (np.concatenate([x] + parts[::-1]),)


class Filter(Plain):
    title = "recursive filter of 8 channels, 10^5 samples"
    full, tiny = {"T": 100000, "N": 8}, {"T": 20, "N": 3}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=(sizes["T"], sizes["N"]))})
    outputs = {"out": "f8 T N"}
    gradus = "F = scan t over x from y = zeros((2, {N})) { y[t] = 0.2 * x[t] + 1.2 * y[t-1] - 0.4 * y[t-2] }"
    results = ("F",)
    c = """
    double u[N] = {0}, v[N] = {0};
    for (int t = 0; t < T; t++)
        for (int j = 0; j < N; j++) {
            double y = 0.2 * x[t * N + j] + 1.2 * u[j] - 0.4 * v[j];
            v[j] = u[j];
            out[t * N + j] = u[j] = y;
        }"""

    @staticmethod
    def numpy(x):
        y = np.zeros((len(x) + 2, x.shape[1]))
        for t in range(len(x)):
            y[t + 2] = 0.2 * x[t] + 1.2 * y[t + 1] - 0.4 * y[t]
        return (y[2:],)

    share, shrinks = {"NumPy": 10}, "T"
