"""Recurrent nets: a product and some elementwise work per step."""
import numpy as np

from rows import Row


def net(*names_batch):
    """Inputs of a tanh net: weights W, what is added in each step u."""
    def inputs(sizes, random):
        h = sizes["H"]
        batch = tuple(sizes[name] for name in names_batch)
        return {"W": random.normal(size=(h, h)) / np.sqrt(h), "u": random.normal(size=(sizes["T"], *batch, h))}
    return staticmethod(inputs)


class Rnn(Row):
    title = "RNN, h 32, 1000 steps"
    full, tiny = {"T": 1000, "H": 32}, {"T": 5, "H": 3}
    inputs = net()
    outputs = {"out": "f8 T H"}
    gradus = "R = scan t over u from h = zeros({H}) { h[t] = tanh(h[t-1] @ W + u[t]) }"
    results = ("R",)
    c = """
    static double zero[H];
    for (int t = 0; t < T; t++) {
        double *o = out + t * H;
        memcpy(o, u + t * H, sizeof zero);
        cblas_dgemv(CblasRowMajor, CblasTrans, H, H, 1, W, H, t ? o - H : zero, 1, 1, o, 1);
        for (int i = 0; i < H; i++) o[i] = tanh(o[i]);
    }"""

    @staticmethod
    def numpy(W, u, T, H):
        out, h = np.empty((T, H)), np.zeros(H)
        for t in range(T):
            h = np.tanh(h @ W + u[t])
            out[t] = h
        return (out,)

    @staticmethod
    def torch(torch, W, u, T, H):
        out, h = [], torch.zeros(H, dtype=torch.float64)
        for t in range(T):
            h = torch.tanh(h @ W + u[t])
            out.append(h)
        return (torch.stack(out),)


class RnnGradient(Row):
    title = "  its gradient with respect to the weights"
    why = "Runs differ by a tenth; the loop without its gradient takes 1.09 times as long."
    full, tiny, inputs = Rnn.full, Rnn.tiny, Rnn.inputs
    outputs = {"dW": "f8 H H"}
    gradus = Rnn.gradus
    results = ("grad(sum(R * R), W)",)
    c = """
    static double all[(T + 1) * H], delta[T * H], d[H];
    double *h = all + H;
    for (int i = 0; i < H; i++) d[i] = 0;
    for (int t = 0; t < T; t++) {
        double *o = h + t * H;
        memcpy(o, u + t * H, sizeof d);
        cblas_dgemv(CblasRowMajor, CblasTrans, H, H, 1, W, H, o - H, 1, 1, o, 1);
        for (int i = 0; i < H; i++) o[i] = tanh(o[i]);
    }
    for (int t = T - 1; t >= 0; t--) {
        double *o = h + t * H, *e = delta + t * H;
        for (int i = 0; i < H; i++) e[i] = (d[i] + 2 * o[i]) * (1 - o[i] * o[i]);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, H, H, 1, W, H, e, 1, 0, d, 1);
    }
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, H, H, T, 1, all, H, delta, H, 0, dW, H);"""
    tolerance = 1e-7

    @staticmethod
    def numpy(W, u, T, H):
        h, delta, d = np.zeros((T + 1, H)), np.empty((T, H)), np.zeros(H)
        for t in range(T):
            h[t + 1] = np.tanh(h[t] @ W + u[t])
        for t in range(T - 1, -1, -1):
            delta[t] = (d + 2 * h[t + 1]) * (1 - h[t + 1] * h[t + 1])
            d = W @ delta[t]
        return (h[:-1].T @ delta,)

    @staticmethod
    def torch(torch, W, u, T, H):
        W = W.detach().requires_grad_()
        h = Rnn.torch(torch, W, u, T, H)[0]
        return torch.autograd.grad((h * h).sum(), W)


class RnnBatch(Row):
    title = "RNN, h 128, batch 32, 100 steps"
    full, tiny = {"T": 100, "B": 32, "H": 128}, {"T": 4, "B": 2, "H": 3}
    inputs = net("B")
    outputs = {"out": "f8 T B H"}
    gradus = "R = scan t over u from h = zeros(({B}, {H})) { h[t] = tanh(h[t-1] @ W + u[t]) }"
    results = ("R",)
    c = """
    static double zero[B * H];
    for (int t = 0; t < T; t++) {
        double *o = out + t * B * H;
        memcpy(o, u + t * B * H, sizeof zero);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, B, H, H, 1, t ? o - B * H : zero, H, W, H, 1, o, H);
        for (int i = 0; i < B * H; i++) o[i] = tanh(o[i]);
    }"""

    @staticmethod
    def numpy(W, u, T, B, H):
        out, h = np.empty((T, B, H)), np.zeros((B, H))
        for t in range(T):
            h = np.tanh(h @ W + u[t])
            out[t] = h
        return (out,)

    @staticmethod
    def torch(torch, W, u, T, B, H):
        out, h = [], torch.zeros((B, H), dtype=torch.float64)
        for t in range(T):
            h = torch.tanh(torch.addmm(u[t], h, W))
            out.append(h)
        return (torch.stack(out),)


def memory(sizes, random):
    h, k = sizes["H"], sizes["K"]
    return {"x": random.normal(size=(sizes["T"], k)), "W": random.normal(size=(k, 4 * h)) / np.sqrt(k),
            "U": random.normal(size=(h, 4 * h)) / np.sqrt(h), "b": random.normal(size=4 * h)}


class Lstm(Row):
    title = "LSTM, h 128, 500 steps"
    full, tiny = {"T": 500, "K": 64, "H": 128}, {"T": 4, "K": 2, "H": 3}
    inputs = staticmethod(memory)
    outputs = {"out": "f8 T H"}
    gradus = """S = scan t over x from h = zeros({H}), c = zeros({H}) {
      z = x[t] @ W + h[t-1] @ U + b
      c[t] = sigmoid(z[{H}:2*{H}]) * c[t-1] + sigmoid(z[:{H}]) * tanh(z[2*{H}:3*{H}])
      h[t] = sigmoid(z[3*{H}:]) * tanh(c[t])
    }"""
    results = ("S.h",)
    c = """
    static double z[T * 4 * H], s[H], zero[H];
    for (int i = 0; i < H; i++) s[i] = 0;
    for (int t = 0; t < T; t++) memcpy(z + t * 4 * H, b, 4 * H * sizeof *b);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, T, 4 * H, K, 1, x, K, W, 4 * H, 1, z, 4 * H);
    for (int t = 0; t < T; t++) {
        double *a = z + t * 4 * H, *o = out + t * H;
        cblas_dgemv(CblasRowMajor, CblasTrans, H, 4 * H, 1, U, 4 * H, t ? o - H : zero, 1, 1, a, 1);
        for (int i = 0; i < H; i++) {
            s[i] = s[i] / (1 + exp(-a[H + i])) + tanh(a[2 * H + i]) / (1 + exp(-a[i]));
            o[i] = tanh(s[i]) / (1 + exp(-a[3 * H + i]));
        }
    }"""

    @staticmethod
    def numpy(x, W, U, b, T, H):
        out, h, c, z = np.empty((T, H)), np.zeros(H), np.zeros(H), x @ W + b
        for t in range(T):
            a = z[t] + h @ U
            gates = 1 / (1 + np.exp(-a))
            c = gates[H:2 * H] * c + gates[:H] * np.tanh(a[2 * H:3 * H])
            h = gates[3 * H:] * np.tanh(c)
            out[t] = h
        return (out,)

    @staticmethod
    def torch(torch, x, W, U, b, H):
        zero = torch.zeros((1, 1, H), dtype=torch.float64)
        weights = [W.T.contiguous(), U.T.contiguous(), b, torch.zeros_like(b)]
        return (torch._VF.lstm(x[:, None], (zero, zero), weights, True, 1, 0.0, False, False, False)[0][:, 0],)
