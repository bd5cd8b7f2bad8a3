"""How far from C: the same loops in Gradus and in C (gcc -O3, OpenBLAS where Gradus uses it), in one
run, as ratios; what gradients cost over their forward, in time, memory and steps; what it costs to
write one row of a carried array. The machine's noise hits both sides; nothing here passes or fails."""
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
GRADUS = os.path.join(ROOT, "build", "gradus")

C_SOURCE = r"""
#include <math.h>
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static double best(void (*f)(void), int runs) {
    double b = 1e9;
    for (int i = 0; i < runs; i++) { double t = now(); f(); t = now() - t; if (t < b) b = t; }
    return b;
}
enum { N = 1000000, T = 1000, H = 128 };
static double trace[N], xs[N], ys[N], W[H * H], u[T * H], h[(T + 1) * H];
volatile double r = 3.7;
static void logistic(void) { double x = 0.3, q = r; for (int i = 0; i < N; i++) { x = q * x * (1 - x); trace[i] = x; } }
static void chain(void) { for (int i = 0; i < N; i++) { double a = 1.3 * xs[i] + .2; ys[i] = 1 / (1 + exp(-a)) * tanh(xs[i]) - log1p(exp(xs[i])); } }
static void rnn(void) {
    for (int t = 0; t < T; t++) {
        double *o = h + (t + 1) * H;
        for (int i = 0; i < H; i++) o[i] = u[t * H + i];
        cblas_dgemv(CblasRowMajor, CblasTrans, H, H, 1, W, H, h + t * H, 1, 1, o, 1);
        for (int i = 0; i < H; i++) o[i] = tanh(o[i]);
    }
}
int main(void) {
    for (int i = 0; i < N; i++) xs[i] = 1e-6 * i;
    for (int i = 0; i < H * H; i++) W[i] = 0.01;
    for (int i = 0; i < T * H; i++) u[i] = 1;
    printf("%g %g %g\n", best(logistic, 20), best(chain, 10), best(rnn, 20));
    return trace[5] + ys[5] + h[5] > 1e9;
}
"""

PROGRAM = """
r : f64 = 3.7
L = scan t for 1000000 from x = 0.3 { x[t] = r * x[t-1] * (1 - x[t-1]) }
v : f64[1000000] = arange(1000000) * 0.000001
b = sigmoid(1.3*v + 0.2) * tanh(v) - log1p(exp(v))
W : f64[128,128] = 0.01 * ones((128, 128))
u : f64[1000,128] = ones((1000, 128))
H = scan t over u from h = zeros(128) { h[t] = tanh(h[t-1] @ W + u[t]) }
A = scan t for 1000000 from x = 0.3 checkpoint auto { x[t] = r * x[t-1] * (1 - x[t-1]) }
U = scan t for 2000000 from x = 0.3 checkpoint auto { x[t] = r * x[t-1] * (1 - x[t-1]); until t == 999999 }
short : f64[200,128] = ones((200, 128))
R = scan t over short from h = zeros(128) { h[t] = tanh(h[t-1] @ W + short[t]) }
w : f64[16] = ones(16)
few : f64[1000,16] = zeros((1000, 16))
many : f64[100000,16] = zeros((100000, 16))
F = scan t for 300000 from x = few { x[t] = x[t-1] with [t % 1000] = w * f64(t) }
M = scan t for 300000 from x = many { x[t] = x[t-1] with [t % 1000] = w * f64(t) }
"""


def c_times():
    with tempfile.TemporaryDirectory() as d:
        src, exe = os.path.join(d, "b.c"), os.path.join(d, "b")
        with open(src, "w") as f:
            f.write(C_SOURCE)
        subprocess.run(["gcc", "-O3", "-march=native", "-ffp-contract=off", src, "-o", exe, "-lopenblas", "-lm"], check=True)
        return [float(x) for x in subprocess.run([exe], capture_output=True, text=True, check=True).stdout.split()]


def gradus(expressions):
    """What :time measures of each, in this order: the best run of three rounds, which other work on the machine
    disturbs least, as for C."""
    lines = "".join(f":time {e}\n" for e in expressions)
    rounds = []
    for _ in range(3):
        out = subprocess.run([GRADUS, "--no-init", "--json"], input=PROGRAM + lines, capture_output=True, text=True, check=True).stdout
        rounds.append([o["data"] for o in map(json.loads, out.splitlines()) if o.get("command") == "time"])
    return [min(same, key=lambda d: d["best_s"]) for same in zip(*rounds)]


def start_up():
    times = []
    for _ in range(30):
        t = time.perf_counter()
        subprocess.run([GRADUS, "--no-init", "-e", "1"], stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - t)
    return sorted(times)[len(times) // 2]


def main():
    logistic, chain, rnn = c_times()
    g = gradus(["L", "b", "H", "grad(sum(R.final), W)", "grad(sum(R.final), short)", "L.final", "grad(L.final, r)",
                "grad(A.final, r)", "U.final", "grad(U.final, r)", "F.final[0]", "M.final[0]", "R.final"])
    times = [d["best_s"] for d in g]
    rows = [("scalar recurrence, 10^6 steps with trace", times[0], logistic, "gcc -O3"),
            ("sigmoid(..)*tanh(x)-log1p(exp(x)), 10^6", times[1], chain, "gcc -O3 + libm"),
            ("tanh RNN, 1000 steps of 128", times[2], rnn, "gcc -O3 + OpenBLAS"),
            # short, so that a run fits in between what else the machine does
            ("its gradient by the weights, 200 steps", times[3], times[12], "its forward"),
            ("its gradient by the sequence, 200 steps", times[4], times[12], "its forward"),
            ("scalar recurrence, 10^6 steps, its gradient", times[6], times[5], "its forward, no trace"),
            ("the same, checkpoint auto", times[7], times[6], "the plain gradient"),
            ("the same, stopped by until", times[9], times[8], "its forward")]
    for name, ours, theirs, what in rows:
        print(f"{name:45s} {1e3 * ours:8.2f} ms   {ours / theirs:5.2f} x {what}")
    million = 10**6
    for name, d in (("plain", g[6]), ("checkpoint auto", g[7]), ("checkpoint auto, until", g[9])):
        print(f"memory of that gradient, {name:23s} {d['peak_bytes'] / 1e3:8.1f} KB   1/{g[6]['peak_bytes'] / d['peak_bytes']:.0f} of plain,"
              f" {d['loop_steps'] / million - 1:.2f} sweeps forward")
    step = [t / 300000 for t in times[10:12]]
    print(f"a row of 16 written per step, of 10^3 rows {1e9 * step[0]:8.1f} ns a step")
    print(f"a row of 16 written per step, of 10^5 rows {1e9 * step[1]:8.1f} ns a step   {step[1] / step[0]:5.2f} x that of 10^3")
    print(f"start-up, `-e 1`: {1e3 * start_up():.1f} ms")


if __name__ == "__main__":
    sys.exit(main())
