"""Numerical methods as courses teach them: iterative solvers, factorisations by hand, quadrature, roots, differential equations."""
import numpy as np

from rows import Plain


def system(sizes, random):
    n = sizes["N"]
    return {"A": random.normal(size=(n, n)) / n + 3 * np.eye(n), "b": random.normal(size=n)}


def positive(sizes, random):
    n = sizes["N"]
    q = random.normal(size=(n, n))
    return {"A": q @ q.T / n + np.eye(n), "b": random.normal(size=n)}


class Jacobi(Plain):
    title = "Jacobi iteration, 500 x 500, 100 rounds"
    full, tiny, inputs = {"N": 500, "T": 100}, {"N": 6, "T": 4}, staticmethod(system)
    outputs = {"out": "f8 N"}
    gradus = """d = diag(A); rest = A - diag(d)
    J = scan t for {T} from x = zeros({N}) { x[t] = (b - rest @ x[t-1]) / d }"""
    results = ("J.final",)
    c = """
    static double rest[N * N];
    double next[N];
    memcpy(rest, A, sizeof rest);
    for (int i = 0; i < N; i++) { rest[i * N + i] = 0; out[i] = 0; }
    for (int t = 0; t < T; t++) {
        memcpy(next, b, sizeof next);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, -1, rest, N, out, 1, 1, next, 1);
        for (int i = 0; i < N; i++) out[i] = next[i] / A[i * N + i];
    }"""

    @staticmethod
    def numpy(A, b, T):
        d = np.diag(A)
        rest, x = A - np.diag(d), np.zeros(len(b))
        for _ in range(T):
            x = (b - rest @ x) / d
        return (x,)


class Seidel(Plain):
    title = "Gauss-Seidel, 200 x 200, 20 rounds"
    history = (5.6, 1.2)
    full, tiny, inputs = {"N": 200, "T": 20}, {"N": 6, "T": 3}, staticmethod(system)
    outputs = {"out": "f8 N"}
    gradus = """G = scan t for {T} from x = zeros({N}) {
        I = scan i for {N} from y = x[t-1] { y[i] = set_index(y[i-1], i, y[i-1][i] + (b[i] - A[i] @ y[i-1]) / A[i, i]) }
        x[t] = I.final
    }"""
    results = ("G.final",)
    c = """
    memset(out, 0, sizeof(double) * N);
    for (int t = 0; t < T; t++)
        for (int i = 0; i < N; i++) {
            double s = b[i];
            for (int j = 0; j < N; j++) s -= A[i * N + j] * out[j];
            out[i] += s / A[i * N + i];
        }"""

    @staticmethod
    def numpy(A, b, N, T):
        x = np.zeros(N)
        for _ in range(T):
            for i in range(N):
                x[i] += (b[i] - A[i] @ x) / A[i, i]
        return (x,)


class Conjugate(Plain):
    title = "conjugate gradients by hand, 500 x 500, 60 rounds"
    full, tiny, inputs = {"N": 500, "T": 60}, {"N": 6, "T": 4}, staticmethod(positive)
    outputs = {"out": "f8 N"}
    gradus = """C = scan t for {T} from x = zeros({N}), r = b, p = b, s = b @ b {
        q = A @ p[t-1]
        alpha = s[t-1] / (p[t-1] @ q)
        x[t] = x[t-1] + alpha * p[t-1]
        r[t] = r[t-1] - alpha * q
        s[t] = r[t] @ r[t]
        p[t] = r[t] + s[t] / s[t-1] * p[t-1]
    }"""
    results = ("C.final.x",)
    c = """
    static double r[N], p[N], q[N];
    double s = 0;
    for (int i = 0; i < N; i++) { out[i] = 0; r[i] = p[i] = b[i]; s += b[i] * b[i]; }
    for (int t = 0; t < T; t++) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, 1, A, N, p, 1, 0, q, 1);
        double u = 0, v = 0;
        for (int i = 0; i < N; i++) u += p[i] * q[i];
        u = s / u;
        for (int i = 0; i < N; i++) { out[i] += u * p[i]; r[i] -= u * q[i]; v += r[i] * r[i]; }
        for (int i = 0; i < N; i++) p[i] = r[i] + v / s * p[i];
        s = v;
    }"""

    @staticmethod
    def numpy(A, b, T):
        x, r, p, s = np.zeros(len(b)), b, b, b @ b
        for _ in range(T):
            q = A @ p
            alpha = s / (p @ q)
            x, r = x + alpha * p, r - alpha * q
            v = r @ r
            p, s = r + v / s * p, v
        return (x,)


class Spectral(Plain):
    title = "spectral norm of a matrix made of its places, 400, 10 rounds"
    why = "The transposed matrix is an array of its own, so the products read two matrices where C reads one."
    full, tiny = {"N": 400, "T": 10}, {"N": 7, "T": 2}
    outputs = {"out": "f8"}
    gradus = """i = f64(reshape(iota({N}), ({N}, 1))); j = f64(reshape(iota({N}), (1, {N})))
    A = 1 / ((i + j) * (i + j + 1) / 2 + i + 1)
    S = scan t for {T} from u = ones({N}), v = ones({N}) { v[t] = A' @ (A @ u[t-1]); u[t] = A' @ (A @ v[t]) }
    norm2 = sqrt((S.final.u @ S.final.v) / (S.final.v @ S.final.v))"""
    results = ("norm2",)
    c = """
    static double A[N * N], w[N], u[N], v[N];
    for (int i = 0; i < N; i++) {
        u[i] = 1;
        for (int j = 0; j < N; j++) A[i * N + j] = 1 / ((i + j) * (i + j + 1) / 2 + i + 1.0);
    }
    for (int t = 0; t < T; t++) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, 1, A, N, u, 1, 0, w, 1);
        cblas_dgemv(CblasRowMajor, CblasTrans, N, N, 1, A, N, w, 1, 0, v, 1);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, 1, A, N, v, 1, 0, w, 1);
        cblas_dgemv(CblasRowMajor, CblasTrans, N, N, 1, A, N, w, 1, 0, u, 1);
    }
    double a = 0, b = 0;
    for (int i = 0; i < N; i++) { a += u[i] * v[i]; b += v[i] * v[i]; }
    *out = sqrt(a / b);"""

    @staticmethod
    def numpy(N, T):
        i = np.arange(N, dtype=float)
        A = 1 / ((i[:, None] + i) * (i[:, None] + i + 1) / 2 + i[:, None] + 1)
        u = np.ones(N)
        for _ in range(T):
            v = A.T @ (A @ u)
            u = A.T @ (A @ v)
        return (np.sqrt((u @ v) / (v @ v)),)


class Schmidt(Plain):
    title = "Gram-Schmidt by hand, 200 x 60"
    why = "The products of all rows with the new one are computed by OpenBLAS at each step; C visits those that are left, half of them."
    history = (2.23, 1.5)
    full, tiny = {"M": 200, "N": 60}, {"M": 8, "N": 4}
    inputs = staticmethod(lambda sizes, random: {"A": random.normal(size=(sizes["N"], sizes["M"]))})
    outputs = {"out": "f8 N M"}
    gradus = """G = scan k for {N} from q = A {
        u = q[k-1][k] / sqrt(sum(q[k-1][k] ^ 2))
        f = where(iota({N}) > k, q[k-1] @ u, 0.0)
        q[k] = set_index(q[k-1] - reshape(f, ({N}, 1)) * reshape(u, (1, {M})), k, u)
    }"""
    results = ("G.final",)
    c = """
    memcpy(out, A, sizeof(double) * N * M);
    for (int k = 0; k < N; k++) {
        double s = 0, *u = out + k * M;
        for (int j = 0; j < M; j++) s += u[j] * u[j];
        s = sqrt(s);
        for (int j = 0; j < M; j++) u[j] /= s;
        for (int i = k + 1; i < N; i++) {
            double f = 0, *v = out + i * M;
            for (int j = 0; j < M; j++) f += u[j] * v[j];
            for (int j = 0; j < M; j++) v[j] -= f * u[j];
        }
    }"""

    @staticmethod
    def numpy(A, N):
        q = A.copy()
        for k in range(N):
            q[k] /= np.sqrt(q[k] @ q[k])
            q[k + 1:] -= np.outer(q[k + 1:] @ q[k], q[k])
        return (q,)


class CholeskyByHand(Plain):
    title = "Cholesky by hand, 100 x 100"
    why = "Both triangles of what is left are computed at each step, a third of all elements; C visits one, a sixth."
    history = (9.7, 2.6)
    full, tiny, inputs = {"N": 100}, {"N": 6}, staticmethod(positive)
    outputs = {"out": "f8 N N"}
    gradus = """i = iota({N})
    C = scan k for {N} from a = A, l = zeros(({N}, {N})) {
        c = where(i >= k, a[k-1][:, k] / sqrt(a[k-1][k, k]), 0.0)
        a[k] = a[k-1] - outer(c, c)
        l[k] = set_index(l[k-1], k, c)
    }
    L = C.final.l'"""
    results = ("L",)
    c = """
    memset(out, 0, sizeof(double) * N * N);
    for (int j = 0; j < N; j++)
        for (int i = j; i < N; i++) {
            double s = A[i * N + j];
            for (int k = 0; k < j; k++) s -= out[i * N + k] * out[j * N + k];
            out[i * N + j] = i == j ? sqrt(s) : s / out[j * N + j];
        }"""

    @staticmethod
    def numpy(A):
        return (np.linalg.cholesky(A),)


class Tridiagonal(Plain):
    title = "tridiagonal system by two sweeps, 10^6"
    full, tiny = {"N": 1000000}, {"N": 40}
    inputs = staticmethod(lambda sizes, random: {"d": random.uniform(3, 4, sizes["N"]), "b": random.normal(size=sizes["N"])})
    outputs = {"out": "f8 N"}
    gradus = """F = scan t over d, b from c = 0.0, y = 0.0 {
        w = 1 / (d[t] - c[t-1])
        c[t] = w
        y[t] = (b[t] + y[t-1]) * w
    }
    c = F.c; y = F.y
    B = scan t over c, y from x = 0.0 reverse { x[t] = y[t] + c[t] * x[t+1] }"""
    results = ("B",)
    c = """
    static double c[N], y[N];
    double p = 0, q = 0;
    for (int i = 0; i < N; i++) { double w = 1 / (d[i] - p); c[i] = p = w; y[i] = q = (b[i] + q) * w; }
    double x = 0;
    for (int i = N - 1; i >= 0; i--) out[i] = x = y[i] + c[i] * x;"""
    share, shrinks = {"NumPy": 20}, "N"

    @staticmethod
    def numpy(d, b, N):
        c, y, out, p, q, x = np.empty(N), np.empty(N), np.empty(N), 0.0, 0.0, 0.0
        for i in range(N):
            w = 1 / (d[i] - p)
            c[i] = p = w
            y[i] = q = (b[i] + q) * w
        for i in range(N - 1, -1, -1):
            out[i] = x = y[i] + c[i] * x
        return (out,)


class LogisticNewton(Plain):
    title = "logistic regression by Newton, 10^4 x 8, 6 rounds"
    full, tiny = {"M": 10000, "N": 8, "T": 6}, {"M": 40, "N": 3, "T": 3}
    inputs = staticmethod(lambda sizes, random: {"X": random.normal(size=(sizes["M"], sizes["N"])), "y": random.integers(0, 2, sizes["M"]).astype(float)})
    outputs = {"out": "f8 N"}
    gradus = """R = scan t for {T} from w = zeros({N}) {
        p = sigmoid(X @ w[t-1])
        g = X' @ (p - y) + w[t-1]
        H = X' @ (X * reshape(p * (1 - p), ({M}, 1))) + eye({N})
        w[t] = w[t-1] - solve(H, g)
    }"""
    results = ("R.final",)
    c = """
    memset(out, 0, sizeof(double) * N);
    for (int t = 0; t < T; t++) {
        double H[N][N] = {0}, g[N];
        for (int j = 0; j < N; j++) { g[j] = out[j]; H[j][j] = 1; }
        for (int i = 0; i < M; i++) {
            const double *x = X + i * N;
            double z = 0;
            for (int j = 0; j < N; j++) z += x[j] * out[j];
            double p = 1 / (1 + exp(-z)), q = p * (1 - p);
            for (int j = 0; j < N; j++) {
                g[j] += x[j] * (p - y[i]);
                double f = q * x[j];
                for (int k = 0; k < N; k++) H[j][k] += f * x[k];
            }
        }
        for (int k = 0; k < N; k++)
            for (int i = k + 1; i < N; i++) {
                double f = H[i][k] / H[k][k];
                for (int j = k; j < N; j++) H[i][j] -= f * H[k][j];
                g[i] -= f * g[k];
            }
        for (int i = N - 1; i >= 0; i--) {
            for (int j = i + 1; j < N; j++) g[i] -= H[i][j] * g[j];
            g[i] /= H[i][i];
        }
        for (int j = 0; j < N; j++) out[j] -= g[j];
    }"""

    @staticmethod
    def numpy(X, y, N, T):
        w = np.zeros(N)
        for _ in range(T):
            p = 1 / (1 + np.exp(-(X @ w)))
            w = w - np.linalg.solve(X.T @ (X * (p * (1 - p))[:, None]) + np.eye(N), X.T @ (p - y) + w)
        return (w,)


class Pendulum(Plain):
    title = "pendulum by Runge-Kutta, 10^5 steps"
    why = "gcc joins products and sums (fused multiply-add) on the chain from step to step; ours round each, as the virtual machine does."
    full, tiny = {"T": 100000}, {"T": 30}
    inputs = staticmethod(lambda sizes, random: {"h": 0.001, "k": 0.1})
    outputs = {"out": "f8 T"}
    gradus = """f(a, w) = -sin(a) - k * w
    P = scan t for {T} from a = 1.0, w = 0.0 {
        a1 = w[t-1]; w1 = f(a[t-1], w[t-1])
        a2 = w[t-1] + 0.5 * h * w1; w2 = f(a[t-1] + 0.5 * h * a1, a2)
        a3 = w[t-1] + 0.5 * h * w2; w3 = f(a[t-1] + 0.5 * h * a2, a3)
        a4 = w[t-1] + h * w3; w4 = f(a[t-1] + h * a3, a4)
        a[t] = a[t-1] + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        w[t] = w[t-1] + h / 6 * (w1 + 2 * w2 + 2 * w3 + w4)
    }"""
    results = ("P.a",)
    c = """
    double a = 1, w = 0;
    for (int t = 0; t < T; t++) {
        double a1 = w, w1 = -sin(a) - k * w;
        double a2 = w + 0.5 * h * w1, w2 = -sin(a + 0.5 * h * a1) - k * a2;
        double a3 = w + 0.5 * h * w2, w3 = -sin(a + 0.5 * h * a2) - k * a3;
        double a4 = w + h * w3, w4 = -sin(a + h * a3) - k * a4;
        out[t] = a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    }"""
    share, shrinks = {"NumPy": 10}, "T"

    @staticmethod
    def numpy(h, k, T):
        def f(a, w):
            return -np.sin(a) - k * w
        a, w, out = 1.0, 0.0, np.empty(T)
        for t in range(T):
            a1, w1 = w, f(a, w)
            a2 = w + 0.5 * h * w1
            w2 = f(a + 0.5 * h * a1, a2)
            a3 = w + 0.5 * h * w2
            w3 = f(a + 0.5 * h * a2, a3)
            a4 = w + h * w3
            w4 = f(a + h * a3, a4)
            a, w = a + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), w + h / 6 * (w1 + 2 * w2 + 2 * w3 + w4)
            out[t] = a
        return (out,)


class Simpson(Plain):
    title = "Simpson's rule, 10^6 intervals"
    why = "gcc takes 512 bits at once; with 256, as ours, the ratio is 1.3."
    history = (1.77, 1.64)
    full, tiny = {"N": 1000000}, {"N": 40}
    inputs = staticmethod(lambda sizes, random: {"a": 0.0, "b": 3.0})
    outputs = {"out": "f8"}
    gradus = """f(x) = exp(-x * x) * sin(3 * x)
    h = (b - a) / {N}
    x = a + h * f64(iota({N} + 1))
    y = f(x)
    area = h / 3 * (y[0] + 4 * sum(y[1:{N}:2]) + 2 * sum(y[2:{N}:2]) + y[{N}])"""
    results = ("area",)
    c = """
    double h = (b - a) / N, odd = 0, even = 0;
    for (int i = 1; i < N; i += 2) { double x = a + h * i; odd += exp(-x * x) * sin(3 * x); }
    for (int i = 2; i < N; i += 2) { double x = a + h * i; even += exp(-x * x) * sin(3 * x); }
    *out = h / 3 * (exp(-a * a) * sin(3 * a) + 4 * odd + 2 * even + exp(-b * b) * sin(3 * b));"""

    @staticmethod
    def numpy(a, b, N):
        h = (b - a) / N
        x = a + h * np.arange(N + 1)
        y = np.exp(-x * x) * np.sin(3 * x)
        return (h / 3 * (y[0] + 4 * y[1:N:2].sum() + 2 * y[2:N:2].sum() + y[N]),)


class Bisection(Plain):
    title = "bisection, 10^5 roots, 40 steps"
    full, tiny = {"N": 100000, "T": 40}, {"N": 30, "T": 8}
    inputs = staticmethod(lambda sizes, random: {"c": random.uniform(1, 10, sizes["N"])})
    outputs = {"out": "f8 N"}
    gradus = """B = scan t for {T} from l = zeros_like(c), u = full({N}, 3.0) {
        m = 0.5 * (l[t-1] + u[t-1])
        low = m * m * m + m < c
        l[t] = where(low, m, l[t-1])
        u[t] = where(low, u[t-1], m)
    }"""
    results = ("B.final.l",)
    c = """
    for (int g = 0; g < N; g += 64) {
        int n = N - g < 64 ? N - g : 64;
        double l[64], u[64];
        for (int i = 0; i < n; i++) { l[i] = 0; u[i] = 3; }
        for (int t = 0; t < T; t++)
            for (int i = 0; i < n; i++) {
                double m = 0.5 * (l[i] + u[i]);
                int low = m * m * m + m < c[g + i];
                l[i] = low ? m : l[i];
                u[i] = low ? u[i] : m;
            }
        for (int i = 0; i < n; i++) out[g + i] = l[i];
    }"""

    @staticmethod
    def numpy(c, T):
        low, high = np.zeros_like(c), np.full_like(c, 3)
        for _ in range(T):
            m = 0.5 * (low + high)
            below = m * m * m + m < c
            low, high = np.where(below, m, low), np.where(below, high, m)
        return (low,)


class Horner(Plain):
    title = "polynomial of degree 20 by Horner, 10^5 points"
    full, tiny = {"N": 100000, "K": 21}, {"N": 30, "K": 5}
    inputs = staticmethod(lambda sizes, random: {"x": random.uniform(-1, 1, sizes["N"]), "p": random.normal(size=sizes["K"])})
    outputs = {"out": "f8 N"}
    gradus = "H = scan t over p from y = zeros_like(x) { y[t] = y[t-1] * x + p[t] }"
    results = ("H.final",)
    c = """
    for (int i = 0; i < N; i++) {
        double y = 0;
        for (int k = 0; k < K; k++) y = y * x[i] + p[k];
        out[i] = y;
    }"""

    @staticmethod
    def numpy(x, p):
        y = np.zeros_like(x)
        for v in p:
            y = y * x + v
        return (y,)


class Options(Plain):
    title = "Black-Scholes, 10^6 prices"
    full, tiny = {"N": 1000000}, {"N": 30}
    inputs = staticmethod(lambda sizes, random: {"s": random.uniform(50, 150, sizes["N"]), "k": random.uniform(50, 150, sizes["N"]),
                                                 "t": random.uniform(0.1, 2, sizes["N"])})
    outputs = {"out": "f8 N"}
    gradus = """q = 0.2 * sqrt(t)
    d = (log(s / k) + (0.03 + 0.02) * t) / q
    phi(x) = 0.5 * (1 + erf(x / sqrt(2.0)))
    price = s * phi(d) - k * exp(-0.03 * t) * phi(d - q)"""
    results = ("price",)
    c = """
    for (int i = 0; i < N; i++) {
        double q = 0.2 * sqrt(t[i]), d = (log(s[i] / k[i]) + (0.03 + 0.02) * t[i]) / q;
        out[i] = s[i] * (0.5 * (1 + erf(d / sqrt(2)))) - k[i] * exp(-0.03 * t[i]) * (0.5 * (1 + erf((d - q) / sqrt(2))));
    }"""

    @staticmethod
    def numpy(s, k, t):
        from scipy.special import erf  # pylint: disable=import-outside-toplevel
        q = 0.2 * np.sqrt(t)
        d = (np.log(s / k) + 0.05 * t) / q
        return (s * 0.5 * (1 + erf(d / np.sqrt(2))) - k * np.exp(-0.03 * t) * 0.5 * (1 + erf((d - q) / np.sqrt(2))),)
