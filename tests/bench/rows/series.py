"""Sequences, signals, samples and points: dynamic programs, transforms, neighbours, densities, spins."""
import numpy as np

from rows import Plain
from rows.chance import WORDS, unit, words


class Viterbi(Plain):
    title = "Viterbi, 16 states, 10^4 steps"
    why = "argmax is a pass of its own over the sums, which are stored for it."
    history = (12.1, 2.5)
    full, tiny = {"T": 10000, "N": 16}, {"T": 20, "N": 5}
    inputs = staticmethod(lambda sizes, random: {"A": np.log(random.dirichlet(np.ones(sizes["N"]), sizes["N"])),
                                                 "e": random.normal(size=(sizes["T"], sizes["N"]))})
    outputs = {"out": "i8 T N"}
    gradus = """V = scan t over e from a = zeros({N}), k = zeros({N}, dtype=i64) {
        s = reshape(a[t-1], ({N}, 1)) + A
        k[t] = argmax(s, axis=0)
        a[t] = max(s, axis=0) + e[t]
    }"""
    results = ("V.k",)
    c = """
    double a[N] = {0}, next[N];
    for (int t = 0; t < T; t++) {
        for (int j = 0; j < N; j++) { next[j] = a[0] + A[j]; out[t * N + j] = 0; }
        for (int i = 1; i < N; i++)
            for (int j = 0; j < N; j++) {
                double s = a[i] + A[i * N + j];
                out[t * N + j] = s > next[j] ? i : out[t * N + j];
                next[j] = s > next[j] ? s : next[j];
            }
        for (int j = 0; j < N; j++) a[j] = next[j] + e[t * N + j];
    }"""
    share, shrinks = {"NumPy": 10}, "T"

    @staticmethod
    def numpy(A, e, T, N):
        a, k = np.zeros(N), np.empty((T, N), np.int64)
        for t in range(T):
            s = a[:, None] + A
            k[t] = s.argmax(axis=0)
            a = s.max(axis=0) + e[t]
        return (k,)


class Warping(Plain):
    title = "dynamic time warping, 400 x 400"
    history = (3.46, 1.2)
    full, tiny = {"N": 400}, {"N": 7}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=sizes["N"]), "y": random.normal(size=sizes["N"])})
    outputs = {"out": "f8"}
    gradus = """W = scan i over x from row = full({N}, 1e300) {
        up = row[i-1]
        corner = concat((full(1, where(i == 0, 0.0, 1e300)), up[:-1]))
        best = minimum(up, corner)
        R = scan j over y, best from d = 1e300 { d[j] = abs(x[i] - y[j]) + minimum(best[j], d[j-1]) }
        row[i] = R
    }
    last = W.final[{N} - 1]"""
    results = ("last",)
    c = """
    double row[N];
    for (int j = 0; j < N; j++) row[j] = 1e300;
    for (int i = 0; i < N; i++) {
        double corner = i ? 1e300 : 0, left = 1e300;
        for (int j = 0; j < N; j++) {
            double up = row[j], best = up < corner ? up : corner;
            best = left < best ? left : best;
            row[j] = left = fabs(x[i] - y[j]) + best;
            corner = up;
        }
    }
    *out = row[N - 1];"""

    @staticmethod
    def numpy(x, y, N):
        row = [1e300] * N
        for i in range(N):
            corner, left = (1e300 if i else 0.0), 1e300
            for j in range(N):
                up = row[j]
                row[j] = left = abs(x[i] - y[j]) + min(up, corner, left)
                corner = up
        return (np.float64(row[-1]),)

    share, shrinks = {"NumPy": 1}, "N"


class Subsequence(Plain):
    title = "longest common subsequence, 1000 x 1000"
    full, tiny = {"N": 1000}, {"N": 9}
    inputs = staticmethod(lambda sizes, random: {"x": random.integers(0, 4, sizes["N"]), "y": random.integers(0, 4, sizes["N"])})
    outputs = {"out": "i8"}
    gradus = """S = scan i over x from row = zeros({N} + 1, dtype=i64) {
        up = row[i-1]
        here = maximum(up[1:], up[:-1] + i64(y == x[i]))
        row[i] = concat((zeros(1, dtype=i64), cummax(here)))
    }
    last = S.final[{N}]"""
    results = ("last",)
    c = """
    static long row[N + 1];
    memset(row, 0, sizeof row);
    for (int i = 0; i < N; i++) {
        long corner = 0;
        for (int j = 1; j <= N; j++) {
            long up = row[j], best = corner + (x[i] == y[j - 1]);
            best = up > best ? up : best;
            row[j] = row[j - 1] > best ? row[j - 1] : best;
            corner = up;
        }
    }
    *out = row[N];"""

    @staticmethod
    def numpy(x, y, N):
        row = np.zeros(N + 1, np.int64)
        for v in x:
            row[1:] = np.maximum.accumulate(np.maximum(row[1:], row[:-1] + (y == v)))
        return (row[N],)


class Moving(Plain):
    title = "moving average and deviation of 50, 10^6"
    why = "gcc adds in another order with -ffast-math; without it the ratio is 0.4."
    full, tiny = {"N": 1000000, "M": 999951, "K": 50}, {"N": 30, "M": 26, "K": 5}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=sizes["N"])})
    outputs = {"mean": "f8 M", "out": "f8 M"}
    gradus = """c = concat((zeros(1), cumsum(x))); s = concat((zeros(1), cumsum(x * x)))
    m = (c[{K}:] - c[:-{K}]) / {K}
    d = sqrt(maximum((s[{K}:] - s[:-{K}]) / {K} - m * m, 0.0))"""
    results = ("m", "d")
    tolerance = 1e-7
    c = """
    static double c[N + 1], s[N + 1];
    for (int i = 0; i < N; i++) { c[i + 1] = c[i] + x[i]; s[i + 1] = s[i] + x[i] * x[i]; }
    for (int i = 0; i < M; i++) {
        double m = (c[i + K] - c[i]) / K, v = (s[i + K] - s[i]) / K - m * m;
        mean[i] = m;
        out[i] = sqrt(v > 0 ? v : 0);
    }"""

    @staticmethod
    def numpy(x, K):
        c, s = np.append(0, np.cumsum(x)), np.append(0, np.cumsum(x * x))
        m = (c[K:] - c[:-K]) / K
        return m, np.sqrt(np.maximum((s[K:] - s[:-K]) / K - m * m, 0))


class Drawdown(Plain):
    title = "largest drawdown of a price, 10^6"
    why = "The prices and their running maximum are arrays; C keeps both in registers."
    full, tiny = {"N": 1000000}, {"N": 30}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=sizes["N"]) * 0.01})
    outputs = {"out": "f8"}
    gradus = "price = exp(cumsum(x)); worst = max(1 - price / cummax(price))"
    results = ("worst",)
    c = """
    double s = 0, most = 0, worst = 0;
    for (int i = 0; i < N; i++) {
        s += x[i];
        double p = exp(s);
        most = p > most ? p : most;
        double d = 1 - p / most;
        worst = d > worst ? d : worst;
    }
    *out = worst;"""

    @staticmethod
    def numpy(x):
        price = np.exp(np.cumsum(x))
        return (np.max(1 - price / np.maximum.accumulate(price)),)


class Histogram(Plain):
    title = "histogram and means of 64 bins, 10^6"
    why = "How many bins there are depends on the largest position, so a first pass computes positions and a second counts; C does both in one."
    history = (8.4, 3.4)
    full, tiny = {"N": 1000000, "K": 64}, {"N": 40, "K": 5}
    inputs = staticmethod(lambda sizes, random: {"x": random.uniform(0, 1, sizes["N"]), "v": random.normal(size=sizes["N"])})
    outputs = {"count": "i8 K", "out": "f8 K"}
    gradus = """bin = i64(floor(x * {K}))
    n = bincount(bin, minlength={K})
    m = segment_sum(v, bin, {K}) / f64(maximum(n, 1))"""
    results = ("n", "m")
    c = """
    for (int k = 0; k < K; k++) { count[k] = 0; out[k] = 0; }
    for (int i = 0; i < N; i++) {
        int k = (int)floor(x[i] * K);
        count[k]++;
        out[k] += v[i];
    }
    for (int k = 0; k < K; k++) out[k] /= count[k] > 1 ? count[k] : 1;"""

    @staticmethod
    def numpy(x, v, K):
        k = np.floor(x * K).astype(np.int64)
        n = np.bincount(k, minlength=K)
        return n, np.bincount(k, v, minlength=K) / np.maximum(n, 1)


class Fourier(Plain):
    title = "power spectrum by FFT, 2^18"
    full, tiny = {"N": 1 << 18, "H": 1 << 17}, {"N": 64, "H": 32}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=sizes["N"])})
    outputs = {"out": "f8 N"}
    gradus = "F = fft(x); p = real(F) ^ 2 + imag(F) ^ 2"
    results = ("p",)
    c = """
    static double a[2 * N], b[2 * N], w[N];
    static int known;
    for (int k = 0; k < H && !known; k++) { w[2 * k] = cos(2 * M_PI * k / N); w[2 * k + 1] = -sin(2 * M_PI * k / N); }
    known = 1;
    for (int i = 0; i < N; i++) { a[2 * i] = x[i]; a[2 * i + 1] = 0; }
    double *from = a, *to = b;
    for (int n = H, s = 1; n >= 1; n /= 2, s *= 2) { /* Stockham's */
        for (int p = 0; p < n; p++) {
            double c = w[2 * p * s], d = w[2 * p * s + 1];
            const double *u = from + 2 * s * p, *v = u + 2 * s * n;
            double *y = to + 4 * s * p, *z = y + 2 * s;
            for (int q = 0; q < 2 * s; q += 2) {
                double e = u[q] - v[q], f = u[q + 1] - v[q + 1];
                y[q] = u[q] + v[q];
                y[q + 1] = u[q + 1] + v[q + 1];
                z[q] = e * c - f * d;
                z[q + 1] = e * d + f * c;
            }
        }
        double *t = from; from = to; to = t;
    }
    for (int i = 0; i < N; i++) out[i] = from[2 * i] * from[2 * i] + from[2 * i + 1] * from[2 * i + 1];"""

    @staticmethod
    def numpy(x):
        return (np.abs(np.fft.fft(x)) ** 2,)


class Density(Plain):
    title = "kernel density, 10^4 samples, 400 points"
    why = "Values of exp are summed by a pass over a tile, after the tile is computed."
    history = (2.4, 1.5)
    full, tiny = {"N": 10000, "M": 400}, {"N": 20, "M": 7}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=sizes["N"]), "at": np.linspace(-3, 3, sizes["M"])})
    outputs = {"out": "f8 M"}
    gradus = "y = mean(exp(-0.5 * ((reshape(at, ({M}, 1)) - reshape(x, (1, {N}))) / 0.2) ^ 2), axis=1) / (0.2 * sqrt(2 * pi))"
    results = ("y",)
    c = """
    for (int i = 0; i < M; i++) {
        double s = 0;
        for (int j = 0; j < N; j++) { double d = (at[i] - x[j]) / 0.2; s += exp(-0.5 * d * d); }
        out[i] = s / N / (0.2 * sqrt(2 * M_PI));
    }"""

    @staticmethod
    def numpy(x, at):
        return (np.exp(-0.5 * ((at[:, None] - x) / 0.2) ** 2).mean(axis=1) / (0.2 * np.sqrt(2 * np.pi)),)


class Neighbours(Plain):
    title = "nearest neighbours, 2000 of 2000 points in 3 dimensions"
    history = (9.1, 0.7)
    full, tiny = {"N": 2000, "M": 2000, "D": 3}, {"N": 9, "M": 7, "D": 3}
    inputs = staticmethod(lambda sizes, random: {"p": random.normal(size=(sizes["N"], 3)), "q": random.normal(size=(sizes["M"], 3))})
    outputs = {"out": "i8 N"}
    gradus = "near = argmin(sum((reshape(p, ({N}, 1, 3)) - reshape(q, (1, {M}, 3))) ^ 2, axis=2), axis=1)"
    results = ("near",)
    c = """
    for (int i = 0; i < N; i++) {
        double best = INFINITY;
        int at = 0;
        for (int j = 0; j < M; j++) {
            double x = p[3 * i] - q[3 * j], y = p[3 * i + 1] - q[3 * j + 1], z = p[3 * i + 2] - q[3 * j + 2], s = x * x + y * y + z * z;
            at = s < best ? j : at;
            best = s < best ? s : best;
        }
        out[i] = at;
    }"""

    @staticmethod
    def numpy(p, q):
        return (np.argmin(((p[:, None] - q) ** 2).sum(axis=2), axis=1),)


class Mutual(Plain):
    title = "mutual distances of 1500 points in 3 dimensions"
    why = "gcc adds in another order with -ffast-math; without it the ratio is 0.4."
    history = (13.4, 0.9)
    full, tiny = {"N": 1500, "D": 3}, {"N": 9, "D": 3}
    inputs = staticmethod(lambda sizes, random: {"p": random.normal(size=(sizes["N"], 3))})
    outputs = {"out": "f8 N N"}
    gradus = "d = sqrt(sum((reshape(p, ({N}, 1, 3)) - reshape(p, (1, {N}, 3))) ^ 2, axis=2))"
    results = ("d",)
    c = """
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double x = p[3 * i] - p[3 * j], y = p[3 * i + 1] - p[3 * j + 1], z = p[3 * i + 2] - p[3 * j + 2];
            out[i * N + j] = sqrt(x * x + y * y + z * z);
        }"""

    @staticmethod
    def numpy(p):
        return (np.sqrt(((p[:, None] - p) ** 2).sum(axis=2)),)


class Spins(Plain):
    title = "Ising model, 256 x 256, 40 sweeps of a chessboard"
    full, tiny = {"N": 256, "T": 40}, {"N": 8, "T": 3}
    inputs = staticmethod(lambda sizes, random: {"s0": random.integers(0, 2, (sizes["N"], sizes["N"])) * 2.0 - 1})
    outputs = {"out": "f8 N N"}
    gradus = """i = iota({N}); black = (reshape(i, ({N}, 1)) + reshape(i, (1, {N}))) % 2 == 0
    flip(s, u, who) = {
        n = roll(s, 1, axis=0) + roll(s, -1, axis=0) + roll(s, 1, axis=1) + roll(s, -1, axis=1)
        where(who and u < exp(-0.8 * s * n), -s, s)
    }
    I = scan t for {T} from s = s0, r = rng(11) {
        u, q = uniform(r[t-1], ({N}, {N}))
        v, r[t] = uniform(q, ({N}, {N}))
        h = flip(s[t-1], u, black)
        s[t] = flip(h, v, not black)
    }"""
    results = ("I.final.s",)
    head = WORDS
    c = """
    const unsigned key[2] = {11, 0};
    memcpy(out, s0, sizeof(double) * N * N);
    for (long t = 0; t < 2 * T; t++)
        for (int i = 0; i < N; i++) {
            double *up = out + (i ? i - 1 : N - 1) * N, *down = out + (i < N - 1 ? i + 1 : 0) * N, *row = out + i * N;
            for (int j = 0; j < N; j += 2) {
                unsigned w[4] = {0};
                block(key, (t * N * N + i * N + j) / 2, w);
                int k = j + ((i + t) & 1);
                double u = (i + t) & 1 ? unit(w[2], w[3]) : unit(w[0], w[1]), s = row[k];
                double n = up[k] + down[k] + row[k ? k - 1 : N - 1] + row[k < N - 1 ? k + 1 : 0];
                row[k] = u < exp(-0.8 * s * n) ? -s : s;
            }
        }"""

    @staticmethod
    def numpy(s0, N, T):
        i, s = np.arange(N), s0
        black = (i[:, None] + i) % 2 == 0
        for t in range(2 * T):
            a, b, c, d = words((11, 0), t * (N * N // 2) + np.arange(N * N // 2))
            u = np.stack([unit(a, b), unit(c, d)], axis=1).reshape(N, N)
            n = np.roll(s, 1, 0) + np.roll(s, -1, 0) + np.roll(s, 1, 1) + np.roll(s, -1, 1)
            s = np.where((black if t % 2 == 0 else ~black) & (u < np.exp(-0.8 * s * n)), -s, s)
        return (s,)


class Lotka(Plain):
    title = "predators and prey, gradient by a rate through 10^5 steps"
    full, tiny = {"T": 100000}, {"T": 30}
    inputs = staticmethod(lambda sizes, random: {"a": 1.1, "h": 0.0001})
    outputs = {"out": "f8"}
    gradus = """L = scan t for {T} from x = 1.0, y = 0.5 {
        x[t] = x[t-1] + h * x[t-1] * (a - y[t-1])
        y[t] = y[t-1] + h * y[t-1] * (x[t-1] - 0.4)
    }"""
    results = ("grad(L.final.x, a)",)
    c = """
    static double u[T], v[T];
    double x = 1, y = 0.5;
    for (int t = 0; t < T; t++) { u[t] = x; v[t] = y; double p = x + h * x * (a - y); y = y + h * y * (x - 0.4); x = p; }
    double dx = 1, dy = 0, da = 0;
    for (int t = T - 1; t >= 0; t--) {
        x = u[t]; y = v[t];
        da += dx * h * x;
        double p = dx + dx * h * (a - y) + dy * h * y;
        dy = dy + dy * h * (x - 0.4) - dx * h * x;
        dx = p;
    }
    *out = da;"""
    share, shrinks = {"NumPy": 10}, "T"

    @staticmethod
    def numpy(a, h, T):
        u, v, x, y = np.empty(T), np.empty(T), 1.0, 0.5
        for t in range(T):
            u[t], v[t] = x, y
            x, y = x + h * x * (a - y), y + h * y * (x - 0.4)
        dx, dy, da = 1.0, 0.0, 0.0
        for t in range(T - 1, -1, -1):
            x, y = u[t], v[t]
            da += dx * h * x
            dx, dy = dx + dx * h * (a - y) + dy * h * y, dy + dy * h * (x - 0.4) - dx * h * x
        return (np.float64(da),)
