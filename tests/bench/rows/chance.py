"""Programs that draw random numbers: chains, paths, integrals.  All use the generator of ours, written anew here."""
import numpy as np

from rows import Plain

WORDS = """
static inline void block(const unsigned key[2], unsigned long at, unsigned w[4])
{
    unsigned k0 = key[0], k1 = key[1], c0 = (unsigned)at, c1 = (unsigned)(at >> 32), c2 = w[2], c3 = w[3];
    for (int i = 0; i < 10; i++, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
        unsigned long p = 0xD2511F53UL * c0, q = 0xCD9E8D57UL * c2;
        c0 = (unsigned)(q >> 32) ^ c1 ^ k0; c1 = (unsigned)q;
        c2 = (unsigned)(p >> 32) ^ c3 ^ k1; c3 = (unsigned)p;
    }
    w[0] = c0; w[1] = c1; w[2] = c2; w[3] = c3;
}
static inline double unit(unsigned low, unsigned high) { return (high * 0x1p21 + (low >> 11)) * 0x1p-53; }
static inline double unit_at(const unsigned key[2], unsigned long at)
{
    unsigned w[4] = {0};
    block(key, at, w);
    return unit(w[0], w[1]);
}
static inline double normal_at(const unsigned key[2], unsigned long at, unsigned low, unsigned high)
{
    unsigned w[4] = {0, 0, low, high};
    block(key, at, w);
    return sqrt(-2 * log(1 - unit(w[0], w[1]))) * cos(6.283185307179586 * unit(w[2], w[3]));
}
"""


def words(key, at, upper=(0, 0)):
    """Philox4x32-10 of a key and counters; arrays of the four words."""
    k = [np.uint64(v) for v in key]
    c = [np.asarray(v, np.uint64) for v in (at, np.zeros_like(at), *(np.zeros_like(at) + np.asarray(u) for u in upper))]
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(q >> np.uint64(32)) ^ c[1] ^ k[0], q & low, (p >> np.uint64(32)) ^ c[3] ^ k[1], p & low]
        k = [(k[0] + np.uint64(0x9E3779B9)) & low, (k[1] + np.uint64(0xBB67AE85)) & low]
    return c


def unit(low, high):
    return (high.astype(float) * 2.0 ** 21 + (low >> np.uint64(11)).astype(float)) * 2.0 ** -53


def normals(key, at, upper=(0, 0)):
    """Both numbers of each block."""
    a, b, c, d = words(key, at, upper)
    radius, turn = np.sqrt(-2 * np.log(1 - unit(a, b))), 2 * np.pi * unit(c, d)
    return radius * np.cos(turn), radius * np.sin(turn)


class Metropolis(Plain):
    title = "Metropolis chain, 10^6 steps"
    why = "Each draw is a call, and makes both numbers of a block for the one that is taken."
    history = (4.5, 2.2)
    full, tiny = {"T": 1000000}, {"T": 100}
    inputs = staticmethod(lambda sizes, random: {"width": 1.5})
    outputs = {"total": "f8", "accepted": "i8"}
    gradus = """M = scan t for {T} from x = 0.0, r = rng(7), s = 0.0, k = 0 {
        z, q = normal(r[t-1])
        u, r[t] = uniform(q)
        y = x[t-1] + width * z
        take = log(u) < 0.5 * (x[t-1] * x[t-1] - y * y)
        x[t] = where(take, y, x[t-1])
        s[t] = s[t-1] + x[t]
        k[t] = k[t-1] + i64(take)
    }"""
    results = ("M.final.s", "M.final.k")
    head = WORDS
    tolerance = 1e-7
    c = """
    const unsigned key[2] = {7, 0};
    double x = 0, s = 0;
    long k = 0;
    for (long t = 0; t < T; t++) {
        double y = x + width * normal_at(key, 2 * t, 0, 0), u = unit_at(key, 2 * t + 1);
        if (log(u) < 0.5 * (x * x - y * y)) { x = y; k++; }
        s += x;
    }
    *total = s; *accepted = k;"""
    share, shrinks = {"NumPy": 10}, "T"

    @staticmethod
    def numpy(width, T):
        z = normals((7, 0), np.arange(0, 2 * T, 2))[0]
        a, b, _, _ = words((7, 0), np.arange(1, 2 * T, 2))
        u = unit(a, b)
        x, s, k = 0.0, 0.0, 0
        for t in range(T):
            y = x + width * z[t]
            if np.log(u[t]) < 0.5 * (x * x - y * y):
                x, k = y, k + 1
            s += x
        return (np.float64(s), np.int64(k))


class Diffusion(Plain):
    title = "SDE paths, vmap of a scan with draws, 10^4 x 250"
    history = (20.7, 1.0)
    full, tiny = {"N": 10000, "T": 250}, {"N": 9, "T": 7}
    inputs = staticmethod(lambda sizes, random: {"mu": 0.05, "sigma": 0.2})
    outputs = {"out": "f8 N"}
    gradus = """path(r0) = (scan t for {T} from x = 1.0, r = r0 {
        z, r[t] = normal(r[t-1])
        x[t] = x[t-1] + mu * x[t-1] * 0.004 + sigma * x[t-1] * sqrt(0.004) * z
    }).final.x
    ends = vmap(path)(split(rng(3), {N}))"""
    results = ("ends",)
    head = WORDS
    c = """
    for (int i = 0; i < N; i++) {
        unsigned w[4] = {0};
        const unsigned parent[2] = {~3U, ~0U};
        block(parent, i, w);
        const unsigned key[2] = {w[0], w[1]};
        double x = 1;
        for (int t = 0; t < T; t++) x = x + mu * x * 0.004 + sigma * x * sqrt(0.004) * normal_at(key, t, w[2], w[3]);
        out[i] = x;
    }"""

    @staticmethod
    def numpy(mu, sigma, N, T):
        a, b, c, d = words((0xFFFFFFFF - 3, 0xFFFFFFFF), np.arange(N))
        x = np.ones(N)
        for t in range(T):
            z = normals((a, b), np.full(N, t), (c, d))[0]
            x = x + mu * x * 0.004 + sigma * x * np.sqrt(0.004) * z
        return (x,)


class Quadrature(Plain):
    title = "Monte Carlo integral, 10^6 points, 8 dimensions"
    why = "gcc takes 512 bits at once; with 256 the ratio is 1.0."
    history = (2.4, 1.1)
    full, tiny = {"N": 1000000, "D": 8}, {"N": 40, "D": 8}
    outputs = {"out": "f8"}
    gradus = """u, after = uniform(rng(5), ({N}, {D}))
    value = mean(exp(-sum(u * u, axis=1)))"""
    results = ("value",)
    head = WORDS
    c = """
    const unsigned key[2] = {5, 0};
    double total = 0;
    for (long i = 0; i < N; i++) {
        double s = 0;
        for (int j = 0; j < D / 2; j++) {
            unsigned w[4] = {0};
            block(key, i * (D / 2) + j, w);
            double a = unit(w[0], w[1]), b = unit(w[2], w[3]);
            s += a * a + b * b;
        }
        total += exp(-s);
    }
    *out = total / N;"""

    @staticmethod
    def numpy(N, D):
        a, b, c, d = words((5, 0), np.arange(N * D // 2))
        u = np.stack([unit(a, b), unit(c, d)], axis=1).reshape(N, D)
        return (np.mean(np.exp(-(u * u).sum(axis=1))),)


class Walks(Plain):
    title = "random walks with drift, 1000 x 1000, draws of a step at once"
    full, tiny = {"N": 1000, "T": 1000}, {"N": 8, "T": 5}
    outputs = {"out": "f8 N"}
    gradus = """W = scan t for {T} from x = zeros({N}), r = rng(9) {
        z, r[t] = normal(r[t-1], {N})
        x[t] = 0.99 * x[t-1] + 0.1 * z
    }"""
    results = ("W.final.x",)
    head = WORDS
    c = """
    const unsigned key[2] = {9, 0};
    static double z[N];
    for (int i = 0; i < N; i++) out[i] = 0;
    for (long t = 0; t < T; t++) {
        for (int i = 0; i < N / 2; i++) {
            unsigned w[4] = {0};
            block(key, t * (N / 2) + i, w);
            double radius = sqrt(-2 * log(1 - unit(w[0], w[1]))), turn = 6.283185307179586 * unit(w[2], w[3]);
            z[2 * i] = radius * cos(turn);
            z[2 * i + 1] = radius * sin(turn);
        }
        for (int i = 0; i < N; i++) out[i] = 0.99 * out[i] + 0.1 * z[i];
    }"""

    @staticmethod
    def numpy(N, T):
        x = np.zeros(N)
        for t in range(T):
            x = 0.99 * x + 0.1 * np.stack(normals((9, 0), t * (N // 2) + np.arange(N // 2)), axis=1).reshape(N)
        return (x,)
