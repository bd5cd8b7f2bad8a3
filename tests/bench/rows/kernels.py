"""Kernels that programs call by name: sorting, extremes and their places, running sums, small matrices in loops."""
import numpy as np

from rows import Row

SORT = """
    typedef unsigned long u64;
    static u64 key[N], other[N];
    static int place[N], moved[N];
    for (int i = 0; i < N; i++) {
        u64 bits;
        memcpy(&bits, v + i, 8);
        key[i] = bits >> 63 ? ~bits : bits | 1UL << 63;
        place[i] = i;
    }
    u64 *a = key, *b = other;
    int *p = place, *q = moved;
    for (int low = 0; low < 64; low += 8) {
        int at[256] = {0}, next = 0;
        for (int i = 0; i < N; i++) at[a[i] >> low & 255]++;
        for (int d = 0; d < 256; d++) { int n = at[d]; at[d] = next; next += n; }
        for (int i = 0; i < N; i++) { int to = at[a[i] >> low & 255]++; b[to] = a[i]; PLACES }
        u64 *t = a; a = b; b = t;
        int *u = p; p = q; q = u;
    }
    for (int i = 0; i < N; i++) { RESULT }"""


class Sort(Row):
    title = "sort, 10^6"
    history = (5.9, 0.6)
    full, tiny = {"N": 1000000}, {"N": 1500}
    inputs = staticmethod(lambda sizes, random: {"v": random.normal(size=sizes["N"])})
    outputs = {"out": "f8 N"}
    gradus = "s = sort(v)"
    results = ("s",)
    c = SORT.replace("PLACES", "").replace("RESULT", "u64 k = a[i] >> 63 ? a[i] ^ 1UL << 63 : ~a[i]; memcpy(out + i, &k, 8);")

    @staticmethod
    def numpy(v):
        return (np.sort(v),)

    @staticmethod
    def torch(torch, v):
        return (torch.sort(v)[0],)


class Argsort(Row):
    title = "argsort, 10^6"
    history = (11, 0.2)
    full, tiny, inputs = Sort.full, Sort.tiny, Sort.inputs
    outputs = {"out": "i8 N"}
    gradus = "s = argsort(v)"
    results = ("s",)
    c = SORT.replace("PLACES", "q[to] = p[i];").replace("RESULT", "out[i] = p[i];")

    @staticmethod
    def numpy(v):
        return (np.argsort(v, kind="stable"),)

    @staticmethod
    def numba(v):
        return (np.argsort(v, kind="mergesort"),)

    @staticmethod
    def torch(torch, v):
        return (torch.argsort(v),)


class ArgmaxFirst(Row):
    title = "argmax, first axis, 2000 x 2000"
    why = "Each element is also compared with itself, because the first nan wins, which C leaves out."
    history = (6.9, 0.9)
    full, tiny = {"M": 2000, "N": 2000}, {"M": 37, "N": 21}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=(sizes["M"], sizes["N"]))})
    outputs = {"out": "i8 N"}
    gradus = "k = argmax(x, axis=0)"
    results = ("k",)
    c = """
    double best[N];
    for (int j = 0; j < N; j++) { best[j] = x[j]; out[j] = 0; }
    for (long i = 1; i < M; i++)
        for (int j = 0; j < N; j++) {
            double v = x[i * N + j];
            out[j] = v > best[j] ? i : out[j];
            best[j] = v > best[j] ? v : best[j];
        }"""

    @staticmethod
    def numpy(x):
        return (np.argmax(x, axis=0),)

    @staticmethod
    def numba(x, M, N):
        out = np.zeros(N, np.int64)
        best = x[0].copy()
        for i in range(1, M):
            for j in range(N):
                if x[i, j] > best[j]:
                    best[j], out[j] = x[i, j], i
        return (out,)

    @staticmethod
    def torch(torch, x):
        return (torch.argmax(x, 0),)


class ArgmaxLast(Row):
    title = "argmax, last axis, 2000 x 2000"
    history = (2.1, 0.8)
    full, tiny, inputs = ArgmaxFirst.full, ArgmaxFirst.tiny, ArgmaxFirst.inputs
    outputs = {"out": "i8 M"}
    gradus = "k = argmax(x, axis=1)"
    results = ("k",)
    c = """
    for (long i = 0; i < M; i++) {
        const double *a = x + i * N;
        double best = a[0];
        int at = 0;
        for (int j = 1; j < N; j++) best = a[j] > best ? a[j] : best;
        while (a[at] != best) at++;
        out[i] = at;
    }"""

    @staticmethod
    def numpy(x):
        return (np.argmax(x, axis=1),)

    @staticmethod
    def numba(x, M, N):
        out = np.zeros(M, np.int64)
        for i in range(M):
            for j in range(1, N):
                if x[i, j] > x[i, out[i]]:
                    out[i] = j
        return (out,)

    @staticmethod
    def torch(torch, x):
        return (torch.argmax(x, 1),)


class MaxLast(Row):
    title = "max, last axis, 2000 x 2000"
    history = (2.8, 1.1)
    full, tiny, inputs = ArgmaxFirst.full, ArgmaxFirst.tiny, ArgmaxFirst.inputs
    outputs = {"out": "f8 M"}
    gradus = "k = max(x, axis=1)"
    results = ("k",)
    c = """
    for (long i = 0; i < M; i++) {
        double best = x[i * N];
        for (int j = 1; j < N; j++) best = x[i * N + j] > best ? x[i * N + j] : best;
        out[i] = best;
    }"""

    @staticmethod
    def numpy(x):
        return (np.max(x, axis=1),)

    @staticmethod
    def numba(x, M, N):
        out = np.empty(M)
        for i in range(M):
            out[i] = x[i, 0]
            for j in range(1, N):
                out[i] = max(out[i], x[i, j])
        return (out,)

    @staticmethod
    def torch(torch, x):
        return (torch.amax(x, 1),)


class Cumsum(Row):
    title = "cumsum, 10^7"
    history = (9.3, 1.9)
    full, tiny, inputs = {"N": 10000000}, Sort.tiny, Sort.inputs
    outputs = {"out": "f8 N"}
    gradus = "c = cumsum(v)"
    results = ("c",)
    c = "double s = 0; for (int i = 0; i < N; i++) { s += v[i]; out[i] = s; }"

    @staticmethod
    def numpy(v):
        return (np.cumsum(v),)

    @staticmethod
    def torch(torch, v):
        return (torch.cumsum(v, 0),)


class CumsumGradient(Row):
    title = "  its gradient"
    history = (4.6, 1.3)
    full, tiny, inputs, outputs = Cumsum.full, Cumsum.tiny, Cumsum.inputs, Cumsum.outputs
    gradus = Cumsum.gradus
    results = ("grad(sum(c * c), v)",)
    c = """
    double s = 0, g = 0;
    for (int i = 0; i < N; i++) { s += v[i]; out[i] = s; }
    for (int i = N - 1; i >= 0; i--) { g += 2 * out[i]; out[i] = g; }"""

    @staticmethod
    def numpy(v):
        return (np.cumsum(2 * np.cumsum(v)[::-1])[::-1],)

    @staticmethod
    def torch(torch, v):
        v = v.detach().requires_grad_()
        c = torch.cumsum(v, 0)
        return torch.autograd.grad((c * c).sum(), v)


class Kalman(Row):
    title = "Kalman filter, 4 states, 10^4 steps"
    why = "Ten products of 4 x 4 matrices each pass through memory."
    history = (138, 1.8)
    full, tiny = {"T": 10000, "N": 4, "M": 2}, {"T": 50, "N": 4, "M": 2}

    @staticmethod
    def inputs(sizes, random):
        steps, n, m = sizes["T"], sizes["N"], sizes["M"]
        return {"F": np.eye(n) + 0.1 * np.eye(n, k=m), "H": np.eye(m, n), "Q": 0.01 * np.eye(n), "R": 0.1 * np.eye(m),
                "z": np.cumsum(random.normal(size=(steps, m)) * 0.1, axis=0)}

    outputs = {"x": "f8 N", "P": "f8 N N"}
    gradus = """
    k = scan t over z from x = zeros({N}), P = eye({N}) {
        m = F @ x[t-1]
        C = F @ P[t-1] @ F' + Q
        S = H @ C @ H' + R
        K = C @ H' @ inv(S)
        x[t] = m + K @ (z[t] - H @ m)
        P[t] = C - K @ H @ C
    }"""
    results = ("k.final.x", "k.final.P")
    c = """
    double C[N][N], A[N][N], S[M][M], B[N][M], K[N][M], m[N], e[M];
    for (int i = 0; i < N; i++) { x[i] = 0; for (int j = 0; j < N; j++) P[i * N + j] = i == j; }
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < N; i++) { m[i] = 0; for (int j = 0; j < N; j++) m[i] += F[i * N + j] * x[j]; }
        for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {
            A[i][j] = 0; for (int k = 0; k < N; k++) A[i][j] += F[i * N + k] * P[k * N + j]; }
        for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {
            C[i][j] = Q[i * N + j]; for (int k = 0; k < N; k++) C[i][j] += A[i][k] * F[j * N + k]; }
        for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) {
            B[i][j] = 0; for (int k = 0; k < N; k++) B[i][j] += C[i][k] * H[j * N + k]; }
        for (int i = 0; i < M; i++) for (int j = 0; j < M; j++) {
            S[i][j] = R[i * M + j]; for (int k = 0; k < N; k++) S[i][j] += H[i * N + k] * B[k][j]; }
        double det = S[0][0] * S[1][1] - S[0][1] * S[1][0];
        double inverse[2][2] = {{S[1][1] / det, -S[0][1] / det}, {-S[1][0] / det, S[0][0] / det}};
        for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) {
            K[i][j] = 0; for (int k = 0; k < M; k++) K[i][j] += B[i][k] * inverse[k][j]; }
        for (int i = 0; i < M; i++) { e[i] = z[t * M + i]; for (int j = 0; j < N; j++) e[i] -= H[i * N + j] * m[j]; }
        for (int i = 0; i < N; i++) { x[i] = m[i]; for (int j = 0; j < M; j++) x[i] += K[i][j] * e[j]; }
        for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {
            P[i * N + j] = C[i][j]; for (int k = 0; k < M; k++) P[i * N + j] -= K[i][k] * B[j][k]; }
    }"""

    @staticmethod
    def numpy(F, H, Q, R, z, N):
        x, P = np.zeros(N), np.eye(N)
        for t in range(len(z)):
            m, C = F @ x, F @ P @ F.T + Q
            K = C @ H.T @ np.linalg.inv(H @ C @ H.T + R)
            x, P = m + K @ (z[t] - H @ m), C - K @ H @ C
        return x, P

    @staticmethod
    def torch(torch, F, H, Q, R, z, N):
        x, P = torch.zeros(N, dtype=z.dtype), torch.eye(N, dtype=z.dtype)
        for t in range(len(z)):
            m, C = F @ x, F @ P @ F.T + Q
            K = C @ H.T @ torch.linalg.inv(H @ C @ H.T + R)
            x, P = m + K @ (z[t] - H @ m), C - K @ H @ C
        return x, P

    share = {"NumPy": 20, "PyTorch": 50}
    shrinks = "T"
