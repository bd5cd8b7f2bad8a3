"""Dynamic programming and graphs: tables filled row by row, paths by relaxation, ranks by powers."""
import numpy as np

from rows import Plain


class Knapsack(Plain):
    title = "knapsack, 200 things, capacity 10^4"
    why = "All places are written into a second array, those below the weight as copies; C changes those above it in place."
    history = (13.0, 1.4)
    full, tiny = {"N": 200, "W": 10000, "L": 10001}, {"N": 6, "W": 30, "L": 31}
    inputs = staticmethod(lambda sizes, random: {"weight": random.integers(1, sizes["W"] // 4, sizes["N"]), "value": random.uniform(1, 100, sizes["N"])})
    outputs = {"out": "f8 L"}
    gradus = """places = iota({L})
    K = scan t over weight, value from d = zeros({L}) {
        taken = gather(d[t-1], maximum(places - weight[t], 0)) + value[t]
        d[t] = where(places >= weight[t], maximum(d[t-1], taken), d[t-1])
    }"""
    results = ("K.final",)
    c = """
    memset(out, 0, sizeof(double) * L);
    for (int i = 0; i < N; i++)
        for (int w = L - 1; w >= weight[i]; w--) {
            double other = out[w - weight[i]] + value[i];
            out[w] = other > out[w] ? other : out[w];
        }"""

    @staticmethod
    def numpy(weight, value, L):
        d = np.zeros(L)
        for w, v in zip(weight, value):
            d[w:] = np.maximum(d[w:], d[:L - w] + v)
        return (d,)


class Relaxation(Plain):
    title = "Bellman-Ford, 400 nodes, all edges, 50 rounds"
    why = "Minima look for nan, which C leaves out; without -ffast-math the ratio is 1.4."
    history = (4.2, 1.1)
    full, tiny = {"N": 400, "T": 50}, {"N": 8, "T": 3}
    inputs = staticmethod(lambda sizes, random: {"w": random.uniform(1, 100, (sizes["N"], sizes["N"]))})
    outputs = {"out": "f8 N"}
    gradus = """d0 = where(iota({N}) == 0, 0.0, 1e9)
    B = scan t for {T} from d = d0 { d[t] = minimum(d[t-1], min(reshape(d[t-1], ({N}, 1)) + w, axis=0)) }"""
    results = ("B.final",)
    c = """
    double next[N];
    for (int i = 0; i < N; i++) out[i] = i ? 1e9 : 0;
    for (int t = 0; t < T; t++) {
        memcpy(next, out, sizeof next);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) { double x = out[i] + w[i * N + j]; next[j] = x < next[j] ? x : next[j]; }
        memcpy(out, next, sizeof next);
    }"""

    @staticmethod
    def numpy(w, N, T):
        d = np.where(np.arange(N) == 0, 0.0, 1e9)
        for _ in range(T):
            d = np.minimum(d, (d[:, None] + w).min(axis=0))
        return (d,)


class Ranks(Plain):
    title = "PageRank, 10^4 pages, 10^5 links, 50 rounds"
    why = "Positions are made and checked, a few hundred at a time, before they are used."
    history = (3.1, 1.3)
    full, tiny = {"N": 10000, "M": 100000, "T": 50}, {"N": 9, "M": 30, "T": 4}

    @staticmethod
    def inputs(sizes, random):
        n, m = sizes["N"], sizes["M"]
        a = random.integers(0, n, m)
        return {"a": a, "b": random.integers(0, n, m), "share": 1.0 / np.maximum(np.bincount(a, minlength=n), 1)}

    outputs = {"out": "f8 N"}
    gradus = """P = scan t for {T} from r = full({N}, 1.0 / {N}) {
        flow = gather(r[t-1] * share, a)
        r[t] = 0.15 / {N} + 0.85 * scatter(zeros({N}), b, flow, mode=1)
    }"""
    results = ("P.final",)
    c = """
    static double flow[N], next[N];
    for (int i = 0; i < N; i++) out[i] = 1.0 / N;
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < N; i++) { flow[i] = out[i] * share[i]; next[i] = 0; }
        for (int e = 0; e < M; e++) next[b[e]] += flow[a[e]];
        for (int i = 0; i < N; i++) out[i] = 0.15 / N + 0.85 * next[i];
    }"""

    @staticmethod
    def numpy(a, b, share, N, T):
        r = np.full(N, 1.0 / N)
        for _ in range(T):
            r = 0.15 / N + 0.85 * np.bincount(b, (r * share)[a], minlength=N)
        return (r,)


class Distances(Plain):
    title = "edit distances of 256 pairs, 100 letters"
    why = "Each step reads the row of the step before and writes another one; C keeps one row in place."
    history = (2.95, 1.5)
    full, tiny = {"B": 256, "N": 100, "M": 101}, {"B": 3, "N": 6, "M": 7}
    inputs = staticmethod(lambda sizes, random: {"x": random.integers(0, 4, (sizes["N"], sizes["B"])), "y": random.integers(0, 4, (sizes["N"], sizes["B"]))})
    outputs = {"out": "i8 B"}
    gradus = """first = broadcast_to(reshape(iota({M}), ({M}, 1)), ({M}, {B}))
    E = scan i over x from row = first {
        old = row[i-1]
        cost = minimum(old[1:] + 1, old[:-1] + i64(y != reshape(x[i], (1, {B}))))
        R = scan j over cost from d = full({B}, i + 1) { d[j] = minimum(cost[j], d[j-1] + 1) }
        row[i] = concat((full((1, {B}), i + 1), R), axis=0)
    }
    last = E.final[{N}]"""
    results = ("last",)
    c = """
    static long row[M][B];
    for (int j = 0; j < M; j++) for (int k = 0; k < B; k++) row[j][k] = j;
    for (int i = 0; i < N; i++) {
        long before[B];
        for (int k = 0; k < B; k++) { before[k] = row[0][k]; row[0][k] = i + 1; }
        for (int j = 1; j < M; j++)
            for (int k = 0; k < B; k++) {
                long up = row[j][k] + 1, left = row[j - 1][k] + 1, same = before[k] + (x[i * B + k] != y[(j - 1) * B + k]);
                long best = up < left ? up : left;
                before[k] = row[j][k];
                row[j][k] = same < best ? same : best;
            }
    }
    memcpy(out, row[N], sizeof(long) * B);"""

    @staticmethod
    def numpy(x, y, N, B, M):
        row = np.broadcast_to(np.arange(M)[:, None], (M, B))
        for i in range(N):
            cost = np.minimum(row[1:] + 1, row[:-1] + (y != x[i]))
            new = np.empty((M, B), np.int64)
            new[0] = i + 1
            for j in range(N):
                new[j + 1] = np.minimum(cost[j], new[j] + 1)
            row = new
        return (row[N],)
