"""Loops whose step is a few scalars, and elementwise loops over a state: what is lost per step shows here."""
import numpy as np

from rows import Row

EAGER = {"NumPy": 20, "PyTorch": 500}  # a step of these is microseconds, each as long as the other


class Logistic(Row):
    # Under r = 3.2 the map has a stable cycle, so that all roundings give the same values.
    title = "logistic map, trace"
    full, tiny = {"N": 1000000}, {"N": 60}
    inputs = staticmethod(lambda sizes, random: {"r": 3.2})
    outputs = {"trace": "f8 N"}
    gradus = "L = scan t for {N} from x = 0.3 { x[t] = r * x[t-1] * (1 - x[t-1]) }"
    results = ("L",)
    c = "double x = 0.3; for (int i = 0; i < N; i++) { x = r * x * (1 - x); trace[i] = x; }"
    share, shrinks = EAGER, "N"

    @staticmethod
    def numpy(r, N):
        x, trace = 0.3, np.empty(N)
        for i in range(N):
            x = r * x * (1 - x)
            trace[i] = x
        return (trace,)

    @staticmethod
    def torch(torch, r, N):
        x, trace = torch.tensor(0.3, dtype=torch.float64), []
        for _ in range(N):
            x = r * x * (1 - x)
            trace.append(x)
        return (torch.stack(trace),)


class LogisticGradient(Row):
    title = "  its gradient"
    full, tiny, inputs, gradus = Logistic.full, Logistic.tiny, Logistic.inputs, Logistic.gradus
    outputs = {"out": "f8"}
    results = ("grad(sum(L), r)",)  # of the sum: the last step alone hardly depends on the first
    c = """
    static double a[N];
    double x = 0.3, dr = 0, dx = 0;
    for (int i = 0; i < N; i++) { a[i] = x; x = r * x * (1 - x); }
    for (int i = N - 1; i >= 0; i--) { x = a[i]; dx += 1; dr += dx * x * (1 - x); dx = dx * r * (1 - x) - dx * r * x; }
    *out = dr;"""
    share, shrinks = EAGER, "N"

    @staticmethod
    def numpy(r, N):
        a, x, dr, dx = np.empty(N), 0.3, 0.0, 0.0
        for i in range(N):
            a[i] = x
            x = r * x * (1 - x)
        for i in range(N - 1, -1, -1):
            x = a[i]
            dx += 1
            dr += dx * x * (1 - x)
            dx = dx * r * (1 - x) - dx * r * x
        return (dr,)

    @staticmethod
    def torch(torch, r, N):
        q = torch.tensor(r, dtype=torch.float64, requires_grad=True)
        return torch.autograd.grad(Logistic.torch(torch, q, N)[0].sum(), q)


class PowerLarge(Row):
    # How many steps is an input: with a constant -ffast-math computes another thing, v^100 by squaring.
    title = "A^100, 10^6 elements"
    why = "gcc takes 512 bits at once; with 256, as ours, the ratio is 0.8."
    full, tiny = {"N": 1000000}, {"N": 1030}
    inputs = staticmethod(lambda sizes, random: {"v": random.uniform(0.9, 1.1, sizes["N"]), "k": 100})
    outputs = {"out": "f8 N"}
    gradus = "P = scan t for k from p = ones_like(v) { p[t] = p[t-1] * v }"
    results = ("P.final",)
    c = """
    enum { BLOCK = 64 }; /* stays in registers */
    long i = 0;
    for (; i + BLOCK <= N; i += BLOCK) {
        double x[BLOCK];
        for (int j = 0; j < BLOCK; j++) x[j] = 1;
        for (long t = 0; t < k; t++)
            for (int j = 0; j < BLOCK; j++) x[j] *= v[i + j];
        for (int j = 0; j < BLOCK; j++) out[i + j] = x[j];
    }
    for (; i < N; i++) { double x = 1; for (long t = 0; t < k; t++) x *= v[i]; out[i] = x; }"""

    @staticmethod
    def numpy(v, k):
        p = np.ones_like(v)
        for _ in range(k):
            p = p * v
        return (p,)

    @staticmethod
    def numba(v, k, N):
        p = np.empty(N)
        for i in range(N):
            x = 1.0
            for _ in range(k):
                x *= v[i]
            p[i] = x
        return (p,)

    @staticmethod
    def torch(torch, v, k):
        p = torch.ones_like(v)
        for _ in range(k):
            p = p * v
        return (p,)


class PowerSmall(PowerLarge):
    title = "A^100, 10^3 elements"
    why = "gcc takes 512 bits at once; with 256, as ours, the ratio is 0.9."
    full, tiny = {"N": 1000}, {"N": 7}


class Until(Row):
    title = "until, 10^6 steps"
    full, tiny = {"N": 1000000}, {"N": 90}
    inputs = staticmethod(lambda sizes, random: {"h": 0.01, "bound": 1e9})
    outputs = {"out": "f8"}
    gradus = """U = scan t for {N} from s = 0.5 {
      s[t] = s[t-1] * 1.00001 + h * s[t-1] * (1 - s[t-1] * 0.001); until s[t] > bound
    }"""
    results = ("U.final",)
    c = """
    double s = 0.5;
    for (long i = 0; i < N; i++) { s = s * 1.00001 + h * s * (1 - s * 0.001); if (s > bound) break; }
    *out = s;"""
    share, shrinks = EAGER, "N"

    @staticmethod
    def numpy(h, bound, N):
        s = 0.5
        for _ in range(N):
            s = s * 1.00001 + h * s * (1 - s * 0.001)
            if s > bound:
                break
        return (s,)

    @staticmethod
    def torch(torch, h, bound, N):
        s = torch.tensor(0.5, dtype=torch.float64)
        for _ in range(N):
            s = s * 1.00001 + h * s * (1 - s * 0.001)
            if s > bound:
                break
        return (s,)


class Ar2(Row):
    title = "AR(2), trace"
    full, tiny = {"N": 1000000}, {"N": 100}
    inputs = staticmethod(lambda sizes, random: {"v": random.normal(size=sizes["N"]), "a": 0.6, "b": -0.2})
    outputs = {"out": "f8 N"}
    gradus = "R = scan t over v from x = zeros(2) { x[t] = a * x[t-1] + b * x[t-2] + v[t] }"
    results = ("R",)
    c = "double x = 0, y = 0; for (int i = 0; i < N; i++) { double z = a * x + b * y + v[i]; y = x; x = z; out[i] = z; }"
    share, shrinks = EAGER, "N"

    @staticmethod
    def numpy(v, a, b, N):
        out, x, y = np.empty(N), 0.0, 0.0
        for i in range(N):
            x, y = a * x + b * y + v[i], x
            out[i] = x
        return (out,)

    @staticmethod
    def torch(torch, v, a, b, N):
        out, x, y = [], torch.zeros((), dtype=torch.float64), torch.zeros((), dtype=torch.float64)
        for i in range(N):
            x, y = a * x + b * y + v[i], x
            out.append(x)
        return (torch.stack(out),)


class Ar2Gradient(Row):
    title = "  its gradient by both coefficients"
    full, tiny, inputs = Ar2.full, Ar2.tiny, Ar2.inputs
    outputs = {"da": "f8", "db": "f8"}
    gradus = Ar2.gradus + "\ng = grad(sum(R * R), (a, b))"
    results = ("g[0]", "g[1]")
    c = """
    static double s[N + 2];
    double *x = s + 2, dx = 0, dy = 0, sa = 0, sb = 0;
    for (int i = 0; i < N; i++) x[i] = a * x[i - 1] + b * x[i - 2] + v[i];
    for (int i = N - 1; i >= 0; i--) {
        double d = dx + 2 * x[i];
        sa += d * x[i - 1]; sb += d * x[i - 2];
        dx = dy + a * d; dy = b * d;
    }
    *da = sa; *db = sb;"""
    share, shrinks, tolerance = EAGER, "N", 1e-7

    @staticmethod
    def numpy(v, a, b, N):
        x, dx, dy, da, db = np.zeros(N + 2), 0.0, 0.0, 0.0, 0.0
        for i in range(N):
            x[i + 2] = a * x[i + 1] + b * x[i] + v[i]
        for i in range(N - 1, -1, -1):
            d = dx + 2 * x[i + 2]
            da += d * x[i + 1]
            db += d * x[i]
            dx = dy + a * d
            dy = b * d
        return (da, db)

    @staticmethod
    def torch(torch, v, a, b, N):
        a, b = (torch.tensor(q, dtype=torch.float64, requires_grad=True) for q in (a, b))
        out = torch.stack(list(Ar2.torch(torch, v, a, b, N)))
        return torch.autograd.grad((out * out).sum(), (a, b))


class Lorenz(Row):
    # rho = 10: it comes to rest, so that all roundings give the same values.
    title = "Lorenz, 10^6 steps"
    why = "gcc joins products and sums (fused multiply-add) on the chain from step to step; ours round each, as the virtual machine does."
    full, tiny = {"N": 1000000}, {"N": 100}
    inputs = staticmethod(lambda sizes, random: {"h": 0.01, "rho": 10.0})
    outputs = {"ox": "f8", "oy": "f8", "oz": "f8"}
    gradus = """Z = scan t for {N} from x = 1.0, y = 1.0, z = 1.0 {
      x[t] = x[t-1] + h * 10 * (y[t-1] - x[t-1])
      y[t] = y[t-1] + h * (x[t-1] * (rho - z[t-1]) - y[t-1])
      z[t] = z[t-1] + h * (x[t-1] * y[t-1] - 8/3 * z[t-1])
    }"""
    results = ("Z.final.x", "Z.final.y", "Z.final.z")
    c = """
    double x = 1, y = 1, z = 1;
    for (int i = 0; i < N; i++) {
        double p = x + h * 10 * (y - x), q = y + h * (x * (rho - z) - y), s = z + h * (x * y - 8. / 3 * z);
        x = p, y = q, z = s;
    }
    *ox = x; *oy = y; *oz = z;"""
    share, shrinks = EAGER, "N"

    @staticmethod
    def numpy(h, rho, N):
        x = y = z = 1.0
        for _ in range(N):
            x, y, z = x + h * 10 * (y - x), y + h * (x * (rho - z) - y), z + h * (x * y - 8 / 3 * z)
        return (x, y, z)

    @staticmethod
    def torch(torch, h, rho, N):
        x = y = z = torch.ones((), dtype=torch.float64)
        for _ in range(N):
            x, y, z = x + h * 10 * (y - x), y + h * (x * (rho - z) - y), z + h * (x * y - 8 / 3 * z)
        return (x, y, z)


class Heat(Row):
    title = "1-D heat, 1000 x 1000"
    full, tiny = {"N": 1000, "T": 1000}, {"N": 9, "T": 5}
    inputs = staticmethod(lambda sizes, random: {"w": random.uniform(0, 1, sizes["N"]), "k": 0.1})
    outputs = {"out": "f8 N"}
    gradus = """H = scan t for {T} from q = w {
      q[t] = concat((q[t-1][:1], q[t-1][1:-1] + k * (q[t-1][:-2] - 2 * q[t-1][1:-1] + q[t-1][2:]), q[t-1][-1:]))
    }"""
    results = ("H.final",)
    c = """
    static double both[2][N];
    double *u = both[0], *restrict n = both[1];
    for (int i = 0; i < N; i++) u[i] = w[i];
    for (int t = 0; t < T; t++) {
        n[0] = u[0]; n[N - 1] = u[N - 1];
        for (int i = 1; i < N - 1; i++) n[i] = u[i] + k * (u[i - 1] - 2 * u[i] + u[i + 1]);
        double *old = u; u = n; n = old;
    }
    for (int i = 0; i < N; i++) out[i] = u[i];"""

    @staticmethod
    def numpy(w, k, T):
        u = w
        for _ in range(T):
            n = u.copy()
            n[1:-1] = u[1:-1] + k * (u[:-2] - 2 * u[1:-1] + u[2:])
            u = n
        return (u,)

    @staticmethod
    def numba(w, k, T, N):
        u, n = w.copy(), w.copy()
        for _ in range(T):
            for i in range(1, N - 1):
                n[i] = u[i] + k * (u[i - 1] - 2 * u[i] + u[i + 1])
            u, n = n, u
        return (u,)

    @staticmethod
    def torch(torch, w, k, T):
        u = w
        for _ in range(T):
            u = torch.cat((u[:1], u[1:-1] + k * (u[:-2] - 2 * u[1:-1] + u[2:]), u[-1:]))
        return (u,)


def plane(sizes, random):
    x = np.arange(sizes["S"]) / sizes["S"] * 3
    return {"re": np.tile(x - 2, (len(x), 1)), "im": np.tile(x[:, None] - 1.5, (1, len(x)))}


class Mandelbrot(Row):
    title = "Mandelbrot, 512 x 512 x 100"
    full, tiny = {"S": 512}, {"S": 13}
    inputs = staticmethod(plane)
    outputs = {"counts": "i8 S S"}
    gradus = """M = scan t for 100 from x = zeros_like(re), y = zeros_like(re), n = i64(zeros_like(re)) {
      in = x[t-1] * x[t-1] + y[t-1] * y[t-1] <= 4
      x[t] = where(in, x[t-1] * x[t-1] - y[t-1] * y[t-1] + re, x[t-1])
      y[t] = where(in, 2 * x[t-1] * y[t-1] + im, y[t-1])
      n[t] = n[t-1] + i64(in)
    }"""
    results = ("M.final.n",)
    c = """
    for (int k = 0; k < S * S; k++) {
        double x = 0, y = 0; long n = 0;
        for (int t = 0; t < 100; t++) {
            double p = x * x - y * y + re[k], q = 2 * x * y + im[k];
            int in = x * x + y * y <= 4;
            x = in ? p : x; y = in ? q : y; n += in;
        }
        counts[k] = n;
    }"""
    differing = 1e-3

    @staticmethod
    def numpy(re, im):
        x, y, n = np.zeros_like(re), np.zeros_like(re), np.zeros(re.shape, np.int64)
        for _ in range(100):
            inside = x * x + y * y <= 4
            x, y = np.where(inside, x * x - y * y + re, x), np.where(inside, 2 * x * y + im, y)
            n += inside
        return (n,)

    @staticmethod
    def numba(re, im, S):
        counts = np.zeros((S, S), np.int64)
        for i in range(S):
            for j in range(S):
                x, y, a, b = 0.0, 0.0, re[i, j], im[i, j]
                for _ in range(100):
                    if not x * x + y * y <= 4:
                        break
                    x, y = x * x - y * y + a, 2 * x * y + b
                    counts[i, j] += 1
        return (counts,)

    @staticmethod
    def torch(torch, re, im):
        x, y, n = torch.zeros_like(re), torch.zeros_like(re), torch.zeros(re.shape, dtype=torch.int64)
        for _ in range(100):
            inside = x * x + y * y <= 4
            x, y = torch.where(inside, x * x - y * y + re, x), torch.where(inside, 2 * x * y + im, y)
            n += inside
        return (n,)


class Nested(Row):
    title = "nested scalar scans, 1000 x 1000"
    why = "gcc joins products and sums (fused multiply-add) on the chain from step to step; ours round each, as the virtual machine does."
    full, tiny = {"N": 1000, "T": 1000}, {"N": 6, "T": 5}
    inputs = staticmethod(lambda sizes, random: {"w": random.uniform(0, 1, sizes["N"]), "h": 0.01})
    outputs = {"out": "f8 N"}
    gradus = """N = scan i over w from s = 0.0 {
      I = scan j for {T} from x = w[i] { x[j] = x[j-1] * 0.99 + h * s[i-1] }
      s[i] = 0.5 * s[i-1] + I.final
    }"""
    results = ("N",)
    c = """
    double s = 0;
    for (int i = 0; i < N; i++) {
        double x = w[i];
        for (int t = 0; t < T; t++) x = x * 0.99 + h * s;
        s = 0.5 * s + x; out[i] = s;
    }"""
    share, shrinks = EAGER, "N"

    @staticmethod
    def numpy(w, h, N, T):
        s, out = 0.0, np.empty(N)
        for i in range(N):
            x = w[i]
            for _ in range(T):
                x = x * 0.99 + h * s
            s = 0.5 * s + x
            out[i] = s
        return (out,)

    @staticmethod
    def torch(torch, w, h, N, T):
        s, out = torch.zeros((), dtype=torch.float64), []
        for i in range(N):
            x = w[i]
            for _ in range(T):
                x = x * 0.99 + h * s
            s = 0.5 * s + x
            out.append(s)
        return (torch.stack(out),)


class Collatz(Row):
    title = "if and integers, 10^6 steps"
    full, tiny = {"N": 1000000}, {"N": 150}
    inputs = staticmethod(lambda sizes, random: {"first": 27})
    outputs = {"out": "i8"}
    gradus = """K = scan t for {N} from k = first, s = 0 {
      k[t] = if k[t-1] % 2 == 0 then k[t-1] // 2 else 3 * k[t-1] + 1
      s[t] = s[t-1] + k[t]
    }"""
    results = ("K.final.s",)
    c = """
    long s = 0, k = first;
    for (int i = 0; i < N; i++) { k = k % 2 == 0 ? k / 2 : 3 * k + 1; s += k; }
    *out = s;"""
    share, shrinks = EAGER, "N"

    @staticmethod
    def numpy(first, N):
        k, s = first, 0
        for _ in range(N):
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            s += k
        return (s,)

    @staticmethod
    def torch(torch, first, N):
        k, s = torch.tensor(first), torch.zeros((), dtype=torch.int64)
        for _ in range(N):
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            s = s + k
        return (s,)
