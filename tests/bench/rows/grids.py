"""Grids whose points read their neighbours: by roll, by pad, by slices, in loops and once."""
import numpy as np

from rows import Plain


class Life(Plain):
    title = "game of life by roll, 512 x 512, 100 steps"
    why = "Sums of three rows are computed again for each neighbor, where C stores them."
    history = (3.9, 1.3)
    full, tiny = {"N": 512, "T": 100}, {"N": 9, "T": 4}
    inputs = staticmethod(lambda sizes, random: {"start": random.integers(0, 2, (sizes["N"], sizes["N"]))})
    outputs = {"out": "i8 N N"}
    gradus = """L = scan t for {T} from a = i32(start) {
        row = a[t-1] + roll(a[t-1], 1, axis=0) + roll(a[t-1], -1, axis=0)
        n = row + roll(row, 1, axis=1) + roll(row, -1, axis=1) - a[t-1]
        a[t] = i32(n == 3 or (n == 2 and a[t-1] == 1))
    }
    last = i64(L.final)"""
    results = ("last",)
    c = """
    static int a[N][N], row[N][N];
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = start[i * N + j];
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < N; i++) {
            int up = i ? i - 1 : N - 1, down = i < N - 1 ? i + 1 : 0;
            for (int j = 0; j < N; j++) row[i][j] = a[i][j] + a[up][j] + a[down][j];
        }
        for (int i = 0; i < N; i++) {
            int first = row[i][N - 1] + row[i][0] + row[i][1] - a[i][0];
            int last = row[i][N - 2] + row[i][N - 1] + row[i][0] - a[i][N - 1];
            for (int j = 1; j < N - 1; j++) {
                int n = row[i][j - 1] + row[i][j] + row[i][j + 1] - a[i][j];
                a[i][j] = (n == 3) | ((n == 2) & a[i][j]);
            }
            a[i][0] = first == 3 || (first == 2 && a[i][0]);
            a[i][N - 1] = last == 3 || (last == 2 && a[i][N - 1]);
        }
    }
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) out[i * N + j] = a[i][j];"""

    @staticmethod
    def numpy(start, T):
        a = start.astype(np.int32)
        for _ in range(T):
            row = a + np.roll(a, 1, 0) + np.roll(a, -1, 0)
            n = row + np.roll(row, 1, 1) + np.roll(row, -1, 1) - a
            a = ((n == 3) | ((n == 2) & (a == 1))).astype(np.int32)
        return (a.astype(np.int64),)


class Padded(Plain):
    title = "3 x 3 convolution by pad and slices, 512 x 512"
    why = "The padded array is a copy that C makes too, with one more pass."
    full, tiny = {"N": 512}, {"N": 9}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=(sizes["N"], sizes["N"])), "w": random.normal(size=(3, 3))})
    outputs = {"out": "f8 N N"}
    gradus = "q = pad(x, 1)\ny = " + " + ".join(f"w[{i}, {j}] * q[{i}:{{N}}+{i}, {j}:{{N}}+{j}]" for i in range(3) for j in range(3))
    results = ("y",)
    c = """
    static double q[N + 2][N + 2];
    for (int i = 0; i < N; i++) memcpy(&q[i + 1][1], x + i * N, sizeof(double) * N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) s += w[a * 3 + b] * q[i + a][j + b];
            out[i * N + j] = s;
        }"""

    @staticmethod
    def numpy(x, w, N):
        q = np.pad(x, 1)
        return (sum(w[i, j] * q[i:N + i, j:N + j] for i in range(3) for j in range(3)),)


class Plate(Plain):
    title = "heat equation, 256 x 256, 200 steps"
    history = (2.1, 1.0)
    full, tiny = {"N": 256, "T": 200}, {"N": 9, "T": 5}
    inputs = staticmethod(lambda sizes, random: {"u0": random.normal(size=(sizes["N"], sizes["N"]))})
    outputs = {"out": "f8 N N"}
    gradus = """H = scan t for {T} from u = u0 {
        v = u[t-1]
        inner = v[1:-1, 1:-1] + 0.2 * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4 * v[1:-1, 1:-1])
        u[t] = pad(inner, 1)
    }"""
    results = ("H.final",)
    c = """
    static double a[N * N], b[N * N];
    double *u = a, *v = b;
    memcpy(u, u0, sizeof a);
    memset(v, 0, sizeof b);
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                const double *p = u + i * N + j;
                v[i * N + j] = p[0] + 0.2 * (p[-N] + p[N] + p[-1] + p[1] - 4 * p[0]);
            }
        double *w = u; u = v; v = w;
        if (!t) memset(v, 0, sizeof a);
    }
    memcpy(out, u, sizeof a);"""

    @staticmethod
    def numpy(u0, T):
        u = u0
        for _ in range(T):
            v = u
            u = np.zeros_like(v)
            u[1:-1, 1:-1] = v[1:-1, 1:-1] + 0.2 * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4 * v[1:-1, 1:-1])
        return (u,)


class Wave(Plain):
    title = "wave equation by roll, 10^4 points, 1000 steps"
    full, tiny = {"N": 10000, "T": 1000}, {"N": 12, "T": 5}
    inputs = staticmethod(lambda sizes, random: {"u0": random.normal(size=sizes["N"])})
    outputs = {"out": "f8 N"}
    gradus = """W = scan t for {T} from u = u0, v = zeros({N}) {
        v[t] = v[t-1] + 0.1 * (roll(u[t-1], 1) + roll(u[t-1], -1) - 2 * u[t-1])
        u[t] = u[t-1] + v[t]
    }"""
    results = ("W.final.u",)
    c = """
    static double v[N], a[N + 2];
    double *u = a + 1;
    memcpy(u, u0, sizeof v);
    memset(v, 0, sizeof v);
    for (int t = 0; t < T; t++) {
        u[-1] = u[N - 1]; u[N] = u[0];
        for (int i = 0; i < N; i++) v[i] += 0.1 * (u[i - 1] + u[i + 1] - 2 * u[i]);
        for (int i = 0; i < N; i++) u[i] += v[i];
    }
    memcpy(out, u, sizeof v);"""

    @staticmethod
    def numpy(u0, T):
        u, v = u0, np.zeros_like(u0)
        for _ in range(T):
            v = v + 0.1 * (np.roll(u, 1) + np.roll(u, -1) - 2 * u)
            u = u + v
        return (u,)


class Resize(Plain):
    title = "bilinear resize by gather, 512 x 512 to 1000 x 1000"
    why = "Elements are gathered into tiles before they are weighted, and the weighted rows are an array; C keeps one row."
    history = (3.0, 2.2)
    full, tiny = {"N": 512, "M": 1000}, {"N": 8, "M": 13}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=(sizes["N"], sizes["N"]))})
    outputs = {"out": "f8 M M"}
    gradus = """at = f64(iota({M})) * (({N} - 1) / ({M} - 1)); low = minimum(i64(at), {N} - 2); part = at - f64(low)
    down = reshape(part, ({M}, 1)); right = reshape(part, (1, {M}))
    rows = x[low] * (1 - down) + x[low + 1] * down
    y = take(rows, low, axis=1) * (1 - right) + take(rows, low + 1, axis=1) * right"""
    results = ("y",)
    c = """
    static int low[M];
    static double part[M], row[N];
    for (int i = 0; i < M; i++) {
        double at = i * ((double)(N - 1) / (M - 1));
        low[i] = (int)at < N - 2 ? (int)at : N - 2;
        part[i] = at - low[i];
    }
    for (int i = 0; i < M; i++) {
        const double *p = x + low[i] * N;
        for (int j = 0; j < N; j++) row[j] = p[j] * (1 - part[i]) + p[j + N] * part[i];
        for (int j = 0; j < M; j++) out[i * M + j] = row[low[j]] * (1 - part[j]) + row[low[j] + 1] * part[j];
    }"""

    @staticmethod
    def numpy(x, N, M):
        at = np.arange(M) * ((N - 1) / (M - 1))
        low = np.minimum(at.astype(np.int64), N - 2)
        part = at - low
        rows = x[low] * (1 - part[:, None]) + x[low + 1] * part[:, None]
        return (rows[:, low] * (1 - part) + rows[:, low + 1] * part,)
