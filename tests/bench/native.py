"""Scans in the virtual machine and in the native tier against C by hand (gcc -O3 -march=native, the better of with and
without -ffast-math), in one run, as ratios. Nothing here passes or fails."""
import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
GRADUS = os.path.join(ROOT, "build", "gradus")

C_SOURCE = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
enum { N = 1000000, S = 512 };
static double a[N], b[N], c[2 * N], d[N];
static long counts[S * S];
volatile double r = 3.7, zero = 0;
static double sink;
static void logistic(void) { double x = 0.3, q = r; for (int i = 0; i < N; i++) { x = q * x * (1 - x); a[i] = x; } }
static void logistic_grad(void) {
    double x = 0.3, q = r, dr = 0, dx = 1;
    for (int i = 0; i < N; i++) { a[i] = x; x = q * x * (1 - x); }
    for (int i = N - 1; i >= 0; i--) { x = a[i]; dr += dx * x * (1 - x); dx = dx * q * (1 - x) - dx * q * x; }
    sink += dr;
}
static void power(int n, int runs) {
    for (int i = 0; i < n; i++) { double x = 1, v = b[i]; for (int t = 0; t < 100; t++) x *= v; d[i] = x; }
    (void)runs;
}
static void power_large(void) { power(N, 1); }
static void power_small(void) { power(1000, 1); }
static void until(void) {
    double s = 0.5; long i = 0, most = N + (long)zero;
    for (; i < most; i++) { s = s * 1.00001 + 0.01 * s * (1 - s * 0.001); if (s > 1e9) break; }
    sink += s;
}
static void ar2(void) {
    double x = 0, y = 0;
    for (int i = 0; i < N; i++) { double z = 0.6 * x - 0.2 * y + b[i]; y = x; x = z; a[i] = z; }
}
static void lorenz(void) {
    double x = 1, y = 1, z = 1, h = 0.01 + zero;
    for (int i = 0; i < N; i++) {
        double p = x + h * 10 * (y - x), q = y + h * (x * (28 - z) - y), s = z + h * (x * y - 8. / 3 * z);
        x = p, y = q, z = s;
    }
    sink += x + y + z;
}
static void heat(void) {
    enum { M = 1000, T = 1000 };
    double *u = c, *v = c + M;
    for (int i = 0; i < M; i++) u[i] = b[i];
    for (int t = 0; t < T; t++) {
        v[0] = u[0]; v[M - 1] = u[M - 1];
        for (int i = 1; i < M - 1; i++) v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        double *w = u; u = v; v = w;
    }
    sink += u[5];
}
static void mandelbrot(void) {
    for (int k = 0; k < S * S; k++) {
        double cr = -2 + 3. * (k % S) / S, ci = -1.5 + 3. * (k / S) / S, x = 0, y = 0; long n = 0;
        for (int t = 0; t < 100; t++) {
            double p = x * x - y * y + cr, q = 2 * x * y + ci;
            int in = x * x + y * y <= 4;
            x = in ? p : x; y = in ? q : y; n += in;
        }
        counts[k] = n;
    }
}
static void nested(void) {
    double s = 0;
    for (int i = 0; i < 1000; i++) {
        double x = b[i];
        for (int t = 0; t < 1000; t++) x = x * 0.99 + 0.01 * s;
        s = 0.5 * s + x; a[i] = s;
    }
}
static void collatz(void) {
    long s = 0, k = 27 + (long)zero;
    for (int i = 0; i < N; i++) { k = k % 2 == 0 ? k / 2 : 3 * k + 1; s += k; }
    sink += s;
}
static void run(const char *name, void (*f)(void)) {
    double best = 1e9, one = 0, all = 0;
    for (int i = 0; i < 3 || (all < 0.3 && i < 200); i++) { one = now(); f(); one = now() - one; all += one; if (one < best) best = one; }
    printf("%s %.9g\n", name, best);
}
int main(void) {
    for (int i = 0; i < N; i++) b[i] = 1e-6 * i;
    run("logistic", logistic); run("logistic_grad", logistic_grad); run("power_large", power_large);
    run("power_small", power_small); run("until", until); run("ar2", ar2); run("lorenz", lorenz); run("heat", heat);
    run("mandelbrot", mandelbrot); run("nested", nested); run("collatz", collatz);
    volatile double keep = sink + a[5] + d[7] + (double)counts[3] + c[9];
    return (void)keep, 0;
}
"""

PROGRAM = """
r : f64 = 3.7
h : f64 = 0.01
v : f64[1000000] = arange(1000000) * 0.000001
w : f64[1000] = v[:1000]
L = scan t for 1000000 from x = 0.3 { x[t] = r * x[t-1] * (1 - x[t-1]) }
A = scan t for 100 from p = ones_like(v) { p[t] = p[t-1] * v }
B = scan t for 100 from p = ones_like(w) { p[t] = p[t-1] * w }
U = scan t for 1000000 from s = 0.5 { s[t] = s[t-1] * 1.00001 + h * s[t-1] * (1 - s[t-1] * 0.001); until s[t] > 1e9 }
R = scan t over v from x = zeros(2) { x[t] = 0.6 * x[t-1] - 0.2 * x[t-2] + v[t] }
Z = scan t for 1000000 from x = 1.0, y = 1.0, z = 1.0 {
  x[t] = x[t-1] + h * 10 * (y[t-1] - x[t-1])
  y[t] = y[t-1] + h * (x[t-1] * (28 - z[t-1]) - y[t-1])
  z[t] = z[t-1] + h * (x[t-1] * y[t-1] - 8/3 * z[t-1])
}
H = scan t for 1000 from q = w {
  q[t] = concat((q[t-1][:1], q[t-1][1:-1] + 0.1 * (q[t-1][:-2] - 2 * q[t-1][1:-1] + q[t-1][2:]), q[t-1][-1:]))
}
re : f64[512, 512] = broadcast_to(-2 + 3 * arange(512) / 512, (512, 512))
im : f64[512, 512] = (broadcast_to(-1.5 + 3 * arange(512) / 512, (512, 512)))'
M = scan t for 100 from x = zeros_like(re), y = zeros_like(re), n = i64(zeros_like(re)) {
  in = x[t-1] * x[t-1] + y[t-1] * y[t-1] <= 4
  x[t] = where(in, x[t-1] * x[t-1] - y[t-1] * y[t-1] + re, x[t-1])
  y[t] = where(in, 2 * x[t-1] * y[t-1] + im, y[t-1])
  n[t] = n[t-1] + i64(in)
}
N = scan i over w from s = 0.0 {
  I = scan j for 1000 from x = w[i] { x[j] = x[j-1] * 0.99 + h * s[i-1] }
  s[i] = 0.5 * s[i-1] + I.final
}
k0 : i64 = 27
K = scan t for 1000000 from k = k0, s = 0 {
  k[t] = if k[t-1] % 2 == 0 then k[t-1] // 2 else 3 * k[t-1] + 1
  s[t] = s[t-1] + k[t]
}
"""

ROWS = [("logistic", "L", "logistic map, 10^6 steps, trace"),
        ("logistic_grad", "grad(L.final, r)", "its gradient"),
        ("power_large", "A.final", "A^100, 10^6 elements"),
        ("power_small", "B.final", "A^100, 10^3 elements"),
        ("until", "U.final", "until, 10^6 steps"),
        ("ar2", "R", "AR(2), 10^6 steps, trace"),
        ("lorenz", "Z.final", "Lorenz, 10^6 steps"),
        ("heat", "H.final", "1-D heat, 1000 x 1000"),
        ("mandelbrot", "M.final.n", "Mandelbrot, 512 x 512 x 100"),
        ("nested", "N", "nested scalar scans, 1000 x 1000"),
        ("collatz", "K.final.s", "if and integers, 10^6 steps")]


def c_times():
    best = {}
    with tempfile.TemporaryDirectory() as d:
        src, exe = os.path.join(d, "b.c"), os.path.join(d, "b")
        with open(src, "w", encoding="utf-8") as f:
            f.write(C_SOURCE)
        for more in ([], ["-ffast-math"]):
            subprocess.run(["gcc", "-O3", "-march=native", *more, src, "-o", exe, "-lm"], check=True)
            for line in subprocess.run([exe], capture_output=True, text=True, check=True).stdout.splitlines():
                name, seconds = line.split()
                best[name] = min(best.get(name, 1e9), float(seconds))
    return best


def gradus_times(mode):
    lines = "".join(f":time {expression}\n" for _, expression, _ in ROWS)
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "GRADUS_NATIVE": mode, "XDG_CACHE_HOME": cache}
        out = subprocess.run([GRADUS, "--no-init", "--json"], input=PROGRAM + lines, capture_output=True, text=True,
                             env=env, check=False).stdout
    objects = [json.loads(line) for line in out.splitlines()]
    for o in objects:
        if o["kind"] == "error":
            print(o["message"], file=sys.stderr)
    return [o["data"]["best_s"] for o in objects if o.get("command") == "time"]


def main():
    c, machine, native = c_times(), gradus_times("off"), gradus_times("on")
    if not len(machine) == len(native) == len(ROWS):
        return 1
    print(f"{'':36s} {'C':>9s} {'machine':>9s} {'native':>9s}   machine/C  native/C")
    ratios = []
    for (name, _, title), m, n in zip(ROWS, machine, native):
        ratios.append((m / c[name], n / c[name]))
        print(f"{title:36s} {1e3 * c[name]:6.3f} ms {1e3 * m:6.3f} ms {1e3 * n:6.3f} ms   {m / c[name]:9.2f}  {n / c[name]:8.2f}")
    means = [math.exp(sum(math.log(r[k]) for r in ratios) / len(ratios)) for k in range(2)]
    print(f"{'geometric mean':36s} {'':32s}   {means[0]:9.2f}  {means[1]:8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
