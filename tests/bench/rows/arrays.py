"""Elementwise chains, reductions, softmax, products: what is lost per element, and per pass over memory."""
import numpy as np

from rows import Row


class Chain(Row):
    title = "elementwise chain, 10^6"
    full, tiny = {"N": 1000000}, {"N": 1500}
    inputs = staticmethod(lambda sizes, random: {"v": random.uniform(-3, 3, sizes["N"])})
    outputs = {"out": "f8 N"}
    gradus = "b = sigmoid(1.3 * v + 0.2) * tanh(v) - log1p(exp(v))"
    results = ("b",)
    c = "for (int i = 0; i < N; i++) out[i] = 1 / (1 + exp(-(1.3 * v[i] + 0.2))) * tanh(v[i]) - log1p(exp(v[i]));"

    @staticmethod
    def numpy(v):
        return (1 / (1 + np.exp(-(1.3 * v + 0.2))) * np.tanh(v) - np.log1p(np.exp(v)),)

    @staticmethod
    def torch(torch, v):
        return (torch.sigmoid(1.3 * v + 0.2) * torch.tanh(v) - torch.log1p(torch.exp(v)),)


class ChainGradient(Row):
    title = "  its gradient"
    why = "gcc takes 512 bits at once; with 256 the ratio is 1.0."
    full, tiny, inputs, outputs = Chain.full, Chain.tiny, Chain.inputs, Chain.outputs
    gradus = Chain.gradus
    results = ("grad(sum(b), v)",)
    c = """
    for (int i = 0; i < N; i++) {
        double s = 1 / (1 + exp(-(1.3 * v[i] + 0.2))), t = tanh(v[i]), e = exp(v[i]);
        out[i] = 1.3 * s * (1 - s) * t + s * (1 - t * t) - e / (1 + e);
    }"""

    @staticmethod
    def numpy(v):
        s, t, e = 1 / (1 + np.exp(-(1.3 * v + 0.2))), np.tanh(v), np.exp(v)
        return (1.3 * s * (1 - s) * t + s * (1 - t * t) - e / (1 + e),)

    @staticmethod
    def torch(torch, v):
        v = v.detach().requires_grad_()
        return torch.autograd.grad(Chain.torch(torch, v)[0].sum(), v)


class Softmax(Row):
    title = "softmax, 1000 x 1000"
    why = "gcc takes 512 bits at once in sums, which have another order; with 256 the ratio is 1.1."
    full, tiny = {"M": 1000, "N": 1000}, {"M": 3, "N": 13}
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=(sizes["M"], sizes["N"]))})
    outputs = {"out": "f8 M N"}
    gradus = "y = softmax(x, axis=1)"
    results = ("y",)
    c = """
    for (int i = 0; i < M; i++) {
        const double *a = x + (long)i * N;
        double *b = out + (long)i * N, top = a[0], s = 0;
        for (int j = 1; j < N; j++) top = a[j] > top ? a[j] : top;
        for (int j = 0; j < N; j++) { b[j] = exp(a[j] - top); s += b[j]; }
        for (int j = 0; j < N; j++) b[j] /= s;
    }"""

    @staticmethod
    def numpy(x):
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return (e / e.sum(axis=1, keepdims=True),)

    @staticmethod
    def numba(x, M, N):
        out = np.empty((M, N))
        for i in range(M):
            top, s = x[i, 0], 0.0
            for j in range(1, N):
                top = max(top, x[i, j])
            for j in range(N):
                out[i, j] = np.exp(x[i, j] - top)
                s += out[i, j]
            for j in range(N):
                out[i, j] /= s
        return (out,)

    @staticmethod
    def torch(torch, x):
        return (torch.softmax(x, 1),)


class SoftmaxGradient(Row):
    title = "  its gradient"
    why = "gcc takes 512 bits at once and joins products and sums; with neither the ratio is 1.2."
    full, tiny, outputs = Softmax.full, Softmax.tiny, Softmax.outputs
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=(sizes["M"], sizes["N"])),
                                                 "w": random.normal(size=(sizes["M"], sizes["N"]))})
    gradus = Softmax.gradus
    results = ("grad(sum(y * w), x)",)
    c = """
    for (int i = 0; i < M; i++) {
        const double *a = x + (long)i * N, *g = w + (long)i * N;
        double *b = out + (long)i * N, top = a[0], s = 0, d = 0;
        for (int j = 1; j < N; j++) top = a[j] > top ? a[j] : top;
        for (int j = 0; j < N; j++) { b[j] = exp(a[j] - top); s += b[j]; d += b[j] * g[j]; }
        d /= s; s = 1 / s;
        for (int j = 0; j < N; j++) b[j] = b[j] * s * (g[j] - d);
    }"""

    @staticmethod
    def numpy(x, w):
        y = Softmax.numpy(x)[0]
        return (y * (w - (w * y).sum(axis=1, keepdims=True)),)

    @staticmethod
    def numba(x, w, M, N):
        out = np.empty((M, N))
        for i in range(M):
            top, s, d = x[i, 0], 0.0, 0.0
            for j in range(1, N):
                top = max(top, x[i, j])
            for j in range(N):
                out[i, j] = np.exp(x[i, j] - top)
                s += out[i, j]
                d += out[i, j] * w[i, j]
            for j in range(N):
                out[i, j] = out[i, j] / s * (w[i, j] - d / s)
        return (out,)

    @staticmethod
    def torch(torch, x, w):
        x = x.detach().requires_grad_()
        return torch.autograd.grad((torch.softmax(x, 1) * w).sum(), x)


class LayerNorm(Row):
    title = "layer norm, 1000 x 1000"
    why = "gcc takes 512 bits at once in sums, which have another order; with 256 the ratio is 1.1."
    full, tiny = Softmax.full, Softmax.tiny
    inputs = staticmethod(lambda sizes, random: {"x": random.normal(size=(sizes["M"], sizes["N"])),
                                                 "g": random.normal(size=sizes["N"]), "b": random.normal(size=sizes["N"])})
    outputs = Softmax.outputs
    gradus = "y = (x - mean(x, axis=1, keepdims=true)) / sqrt(var(x, axis=1, keepdims=true) + 0.00001) * g + b"
    results = ("y",)
    c = """
    for (int i = 0; i < M; i++) {
        const double *a = x + (long)i * N;
        double *o = out + (long)i * N, m = 0, q = 0;
        for (int j = 0; j < N; j++) m += a[j];
        m /= N;
        for (int j = 0; j < N; j++) q += (a[j] - m) * (a[j] - m);
        q = 1 / sqrt(q / N + 0.00001);
        for (int j = 0; j < N; j++) o[j] = (a[j] - m) * q * g[j] + b[j];
    }"""

    @staticmethod
    def numpy(x, g, b):
        m = x.mean(axis=1, keepdims=True)
        d = x - m
        return (d / np.sqrt((d * d).mean(axis=1, keepdims=True) + 0.00001) * g + b,)

    @staticmethod
    def numba(x, g, b, M, N):
        out = np.empty((M, N))
        for i in range(M):
            m, q = 0.0, 0.0
            for j in range(N):
                m += x[i, j]
            m /= N
            for j in range(N):
                q += (x[i, j] - m) * (x[i, j] - m)
            q = 1 / np.sqrt(q / N + 0.00001)
            for j in range(N):
                out[i, j] = (x[i, j] - m) * q * g[j] + b[j]
        return (out,)

    @staticmethod
    def torch(torch, x, g, b, N):
        return (torch.nn.functional.layer_norm(x, (N,), g, b, 0.00001),)


class SumFirst(Row):
    title = "sum of squares, first axis, 1000 x 1000"
    why = "gcc joins products and sums (fused multiply-add); without, the ratio is 1.0."
    full, tiny, inputs = Softmax.full, Softmax.tiny, Softmax.inputs
    outputs = {"out": "f8 N"}
    gradus = "s = sum(x * x, axis=0)"
    results = ("s",)
    c = """
    for (int j = 0; j < N; j++) out[j] = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) out[j] += x[(long)i * N + j] * x[(long)i * N + j];"""

    @staticmethod
    def numpy(x):
        return ((x * x).sum(axis=0),)

    @staticmethod
    def numba(x, M, N):
        out = np.zeros(N)
        for i in range(M):
            for j in range(N):
                out[j] += x[i, j] * x[i, j]
        return (out,)

    @staticmethod
    def torch(torch, x):
        return ((x * x).sum(0),)


class ProductLarge(Row):
    title = "matrix product, 512 x 512"
    full, tiny = {"N": 512}, {"N": 33}
    inputs = staticmethod(lambda sizes, random: {"a": random.normal(size=(sizes["N"],) * 2), "b": random.normal(size=(sizes["N"],) * 2)})
    outputs = {"out": "f8 N N"}
    gradus = "p = a @ b"
    results = ("p",)
    c = "cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, out, N);"

    @staticmethod
    def numpy(a, b):
        return (a @ b,)

    @staticmethod
    def torch(torch, a, b):
        return (a @ b,)


class ProductSmall(Row):
    title = "1000 matrix products, 16 x 16"
    why = "Each product is a call of OpenBLAS, as in C, and finds its operands anew."
    full, tiny = {"K": 1000, "N": 16}, {"K": 3, "N": 5}
    inputs = staticmethod(lambda sizes, random: {name: random.normal(size=(sizes["K"], sizes["N"], sizes["N"])) for name in "ab"})
    outputs = {"out": "f8 K N N"}
    gradus = "p = a @ b"
    results = ("p",)
    c = """
    for (int k = 0; k < K; k++)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a + k * N * N, N, b + k * N * N, N, 0,
                    out + k * N * N, N);"""

    @staticmethod
    def numpy(a, b):
        return (a @ b,)

    @staticmethod
    def numba(a, b, K, N):
        out = np.zeros((K, N, N))
        for k in range(K):
            for i in range(N):
                for m in range(N):
                    for j in range(N):
                        out[k, i, j] += a[k, i, m] * b[k, m, j]
        return (out,)

    @staticmethod
    def torch(torch, a, b):
        return (a @ b,)
