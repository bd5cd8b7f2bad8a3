"""Programs of which people write many and that no row was tuned for: stencils, pairwise forces, shortest paths,
hidden Markov models, clusters, volatility, roots."""
import numpy as np

from rows import Row


class Convolution(Row):
    title = "3 x 3 convolution by slices, 512 x 512"
    full, tiny = {"N": 512, "M": 510}, {"N": 9, "M": 7}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=(sizes["N"], sizes["N"])), "w": random.normal(size=(3, 3))})
    outputs = {"out": "f8 M M"}
    gradus = "y = " + " + ".join(f"w[{i}, {j}] * x[{i}:{{M}}+{i}, {j}:{{M}}+{j}]" for i in range(3) for j in range(3))
    results = ("y",)
    c = """
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            double s = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) s += w[a * 3 + b] * x[(i + a) * N + j + b];
            out[i * M + j] = s;
        }"""

    @staticmethod
    def numpy(x, w, M):
        y = np.zeros((M, M))
        for i in range(3):
            for j in range(3):
                y += w[i, j] * x[i:M + i, j:M + j]
        return (y,)

    @staticmethod
    def torch(torch, x, w, M):
        return (sum(w[i, j] * x[i:M + i, j:M + j] for i in range(3) for j in range(3)),)


class Bodies(Row):
    title = "n-body, 100 bodies, 500 steps"
    history = (10.2, 1.1)
    full, tiny = {"N": 100, "D": 3, "T": 500}, {"N": 7, "D": 3, "T": 5}
    inputs = staticmethod(lambda sizes, random: {"p0": random.normal(size=(sizes["N"], 3)), "m": random.uniform(0.5, 1.5, sizes["N"])})
    outputs = {"p": "f8 N D", "v": "f8 N D"}
    gradus = """B = scan t for {T} from p = p0, v = zeros_like(p0) {
        d = reshape(p[t-1], (1, {N}, 3)) - reshape(p[t-1], ({N}, 1, 3))
        s = sum(d * d, axis=2) + 0.01
        a = sum(reshape(m / (s * sqrt(s)), ({N}, {N}, 1)) * d, axis=1)
        v[t] = v[t-1] + 0.0001 * a
        p[t] = p[t-1] + 0.0001 * v[t]
    }"""
    results = ("B.final.p", "B.final.v")
    c = """
    double a[N][3];
    memcpy(p, p0, sizeof(double) * N * 3);
    memset(v, 0, sizeof(double) * N * 3);
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < N; i++) {
            double ax = 0, ay = 0, az = 0;
            for (int j = 0; j < N; j++) {
                double x = p[3 * j] - p[3 * i], y = p[3 * j + 1] - p[3 * i + 1], z = p[3 * j + 2] - p[3 * i + 2];
                double s = x * x + y * y + z * z + 0.01, f = m[j] / (s * sqrt(s));
                ax += f * x; ay += f * y; az += f * z;
            }
            a[i][0] = ax; a[i][1] = ay; a[i][2] = az;
        }
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 3; k++) { v[3 * i + k] += 0.0001 * a[i][k]; p[3 * i + k] += 0.0001 * v[3 * i + k]; }
    }"""

    @staticmethod
    def numpy(p0, m, T):
        p, v = p0, np.zeros_like(p0)
        for _ in range(T):
            d = np.expand_dims(p, 0) - np.expand_dims(p, 1)
            s = (d * d).sum(axis=2) + 0.01
            v = v + 0.0001 * (np.expand_dims(m / (s * np.sqrt(s)), 2) * d).sum(axis=1)
            p = p + 0.0001 * v
        return (p, v)

    @staticmethod
    def torch(torch, p0, m, T):
        p, v = p0, torch.zeros_like(p0)
        for _ in range(T):
            d = p[None, :] - p[:, None]
            s = (d * d).sum(2) + 0.01
            v = v + 0.0001 * ((m / (s * torch.sqrt(s)))[:, :, None] * d).sum(1)
            p = p + 0.0001 * v
        return (p, v)


class Markov(Row):
    title = "hidden Markov model, 16 states, 10^4 steps"
    why = "exp of 16 x 16 numbers is called on memory, not on registers."
    history = (2.44, 1.7)
    full, tiny = {"T": 10000, "N": 16}, {"T": 20, "N": 5}
    inputs = staticmethod(lambda sizes, random: {"A": np.log(random.dirichlet(np.ones(sizes["N"]), sizes["N"])),
                                                 "e": random.normal(size=(sizes["T"], sizes["N"]))})
    outputs = {"out": "f8 N"}
    gradus = """a = scan t over e from a = zeros({N}) {
        a[t] = logsumexp(reshape(a[t-1], ({N}, 1)) + A, axis=0) + e[t]
    }"""
    results = ("a.final",)
    c = """
    double next[N];
    memset(out, 0, sizeof next);
    for (int t = 0; t < T; t++) {
        for (int j = 0; j < N; j++) {
            double most = out[0] + A[j], s = 0;
            for (int i = 1; i < N; i++) { double x = out[i] + A[i * N + j]; most = x > most ? x : most; }
            for (int i = 0; i < N; i++) s += exp(out[i] + A[i * N + j] - most);
            next[j] = most + log(s) + e[t * N + j];
        }
        memcpy(out, next, sizeof next);
    }"""
    share = {"NumPy": 10, "PyTorch": 10}
    shrinks = "T"

    @staticmethod
    def numpy(A, e, N):
        a = np.zeros(N)
        for t in range(len(e)):
            x = np.expand_dims(a, 1) + A
            most = x.max()
            a = most + np.log(np.exp(x - most).sum(axis=0)) + e[t]
        return (a,)

    @staticmethod
    def torch(torch, A, e, N):
        a = torch.zeros(N, dtype=e.dtype)
        for t in range(len(e)):
            a = torch.logsumexp(a[:, None] + A, 0) + e[t]
        return (a,)


class Paths(Row):
    title = "Floyd-Warshall, 200 nodes"
    why = "The next state is written beside the last."
    history = (3.9, 1.6)
    full, tiny = {"N": 200}, {"N": 8}
    inputs = staticmethod(lambda sizes, random: {"w": random.uniform(1, 100, (sizes["N"], sizes["N"]))})
    outputs = {"out": "f8 N N"}
    gradus = """d = scan t for {N} from d = w {
        d[t] = minimum(d[t-1], reshape(d[t-1][:, t-1], ({N}, 1)) + reshape(d[t-1][t-1], (1, {N})))
    }"""
    results = ("d.final",)
    c = """
    memcpy(out, w, sizeof(double) * N * N);
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++) {
            double to = out[i * N + k];
            for (int j = 0; j < N; j++) { double x = to + out[k * N + j]; out[i * N + j] = x < out[i * N + j] ? x : out[i * N + j]; }
        }"""

    @staticmethod
    def numpy(w, N):
        d = w.copy()
        for k in range(N):
            d = np.minimum(d, np.expand_dims(d[:, k], 1) + d[k])
        return (d,)

    @staticmethod
    def torch(torch, w, N):
        d = w.clone()
        for k in range(N):
            d = torch.minimum(d, d[:, k:k + 1] + d[k:k + 1])
        return (d,)


class Clusters(Row):
    title = "k-means step, 10^4 x 8, 16 centres"
    history = (2.8, 1.2)
    full, tiny = {"M": 10000, "N": 8, "K": 16}, {"M": 60, "N": 3, "K": 4}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=(sizes["M"], sizes["N"])), "c0": random.normal(size=(sizes["K"], sizes["N"]))})
    outputs = {"out": "f8 K N"}
    gradus = """near = argmin(reshape(sum(c0 * c0, axis=1), (1, {K})) - 2 * x @ c0', axis=1)
    member = f64(reshape(near, ({M}, 1)) == reshape(iota({K}), (1, {K})))
    moved = (member' @ x) / reshape(maximum(sum(member, axis=0), 1), ({K}, 1))"""
    results = ("moved",)
    c = """
    double count[K] = {0}, square[K];
    memset(out, 0, sizeof(double) * K * N);
    for (int k = 0; k < K; k++) { square[k] = 0; for (int j = 0; j < N; j++) square[k] += c0[k * N + j] * c0[k * N + j]; }
    for (int i = 0; i < M; i++) {
        int at = 0;
        double least = INFINITY;
        for (int k = 0; k < K; k++) {
            double s = 0;
            for (int j = 0; j < N; j++) s += x[i * N + j] * c0[k * N + j];
            s = square[k] - 2 * s;
            if (s < least) { least = s; at = k; }
        }
        count[at]++;
        for (int j = 0; j < N; j++) out[at * N + j] += x[i * N + j];
    }
    for (int k = 0; k < K; k++) for (int j = 0; j < N; j++) out[k * N + j] /= count[k] > 1 ? count[k] : 1;"""

    @staticmethod
    def numpy(x, c0, K):
        near = np.argmin((c0 * c0).sum(axis=1) - 2 * (x @ c0.T), axis=1)
        member = (np.expand_dims(near, 1) == np.arange(K)).astype(np.float64)
        return ((member.T @ x) / np.expand_dims(np.maximum(member.sum(axis=0), 1), 1),)

    @staticmethod
    def torch(torch, x, c0, K):
        near = torch.argmin((c0 * c0).sum(1) - 2 * (x @ c0.T), 1)
        member = (near[:, None] == torch.arange(K)).to(x.dtype)
        return ((member.T @ x) / torch.clamp(member.sum(0), min=1)[:, None],)


class Garch(Row):
    title = "GARCH(1, 1) likelihood, 10^5 returns"
    why = "gcc joins products and sums (fused multiply-add) on the chain from step to step; ours round each, as the virtual machine does."
    full, tiny = {"N": 100000}, {"N": 50}
    inputs = staticmethod(lambda sizes, random: {"r": random.normal(size=sizes["N"]), "w": 0.1, "a": 0.1, "b": 0.8})
    outputs = {"out": "f8"}
    gradus = """G = scan t over r from h = 1.0, l = 0.0 {
        h[t] = w + a * r[t] * r[t] + b * h[t-1]
        l[t] = l[t-1] + log(h[t]) + r[t] * r[t] / h[t]
    }"""
    results = ("G.final.l",)
    c = """
    double h = 1, l = 0;
    for (int t = 0; t < N; t++) { h = w + a * r[t] * r[t] + b * h; l = l + log(h) + r[t] * r[t] / h; }
    *out = l;"""
    share = {"NumPy": 10, "PyTorch": 100}
    shrinks = "N"

    @staticmethod
    def numpy(r, w, a, b):
        h, s = 1.0, 0.0
        for x in r:
            h = w + a * x * x + b * h
            s += np.log(h) + x * x / h
        return (s,)

    @staticmethod
    def torch(torch, r, w, a, b):
        h, s = torch.ones((), dtype=r.dtype), torch.zeros((), dtype=r.dtype)
        for x in r:
            h = w + a * x * x + b * h
            s = s + torch.log(h) + x * x / h
        return (s,)


class Roots(Row):
    title = "Newton's method, 10^5 roots, 20 steps"
    history = (1.99, 1.05)
    full, tiny = {"N": 100000}, {"N": 30}
    inputs = staticmethod(lambda sizes, random: {"c": random.uniform(1, 10, sizes["N"])})
    outputs = {"out": "f8 N"}
    gradus = "z = scan t for 20 from z = c { z[t] = z[t-1] - (z[t-1] ^ 3 - c) / (3 * z[t-1] ^ 2) }"
    results = ("z.final",)
    c = """
    for (int g = 0; g < N; g += 64) {
        int n = N - g < 64 ? N - g : 64;
        double z[64];
        for (int i = 0; i < n; i++) z[i] = c[g + i];
        for (int t = 0; t < 20; t++)
            for (int i = 0; i < n; i++) z[i] = z[i] - (z[i] * z[i] * z[i] - c[g + i]) / (3 * z[i] * z[i]);
        for (int i = 0; i < n; i++) out[g + i] = z[i];
    }"""

    @staticmethod
    def numpy(c):
        z = c
        for _ in range(20):
            z = z - (z * z * z - c) / (3 * z * z)
        return (z,)

    @staticmethod
    def torch(torch, c):
        z = c
        for _ in range(20):
            z = z - (z * z * z - c) / (3 * z * z)
        return (z,)
