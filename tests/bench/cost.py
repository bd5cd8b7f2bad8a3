#!/usr/bin/python3
"""How well :cost predicts: its time against measured time (the best of :time, the virtual machine alone).

    cost.py [--gradus PROGRAM] [--json FILE] [WORD...]

For each program the ratio measured/predicted; over all of them Spearman's rank correlation and the worst factor, once
as they are and once relative to the median ratio, which is what this machine is slower or faster than that of the
model.  Numbers, no test.  No run takes more than some milliseconds, so that on a busy machine the best of many is
still one in which nothing else ran.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

TRIES = 4
LOGISTIC = "s = scan t for n from s = 0.3 + 0 * r { s[t] = r * s[t-1] * (1 - s[t-1]) }"
RNN = ("x : f64[n, m] = reshape(sin(linspace(0, 9, n * m)), (n, m))\n"
       "W : f64[m, m] = reshape(0.1 * cos(linspace(0, 99, m * m)), (m, m))\n"
       "h = scan t over x from h = zeros(m) { h[t] = tanh(h[t-1] @ W + x[t]) }")
VECTOR = "x : f64[n] = linspace(0.1, 2, n)\n"
MATRIX = "A : f64[n, n] = reshape(sin(linspace(0, 99, n * n)), (n, n))\n"

# name: program with {n} and {m}, expression, sizes
PROGRAMS = {
    "logistic map": (f"r : f64 = 3.7\nn : i64 = {{n}}\n{LOGISTIC}", "s", [(1000, 0), (30000, 0), (300000, 0)]),
    "last of it": (f"r : f64 = 3.7\nn : i64 = {{n}}\n{LOGISTIC}", "s.final", [(100000, 0)]),
    "its gradient": (f"r : f64 = 3.7\nn : i64 = {{n}}\n{LOGISTIC}", "grad(sum(s), r)", [(1000, 0), (100000, 0)]),
    "A^k": ("A : f64[{n}] = linspace(0.5, 1.5, {n})\n"
            "p = scan t for 100 from p = ones_like(A) {{ p[t] = p[t-1] * A }}", "p.final", [(1000, 0), (100000, 0)]),
    "lorenz": ("n : i64 = {n}\nl = scan t for n from a = 1.0, b = 1.0, c = 1.0 {{\n"
               "  a[t] = a[t-1] + 0.01 * (10 * (b[t-1] - a[t-1]))\n"
               "  b[t] = b[t-1] + 0.01 * (a[t-1] * (28 - c[t-1]) - b[t-1])\n"
               "  c[t] = c[t-1] + 0.01 * (a[t-1] * b[t-1] - 2.6666 * c[t-1])\n}}", "l", [(100000, 0)]),
    "sines": ("n : i64 = {n}\ns = scan t for n from a = 0.5 {{ a[t] = sin(a[t-1]) + exp(-a[t-1]) }}", "s.final",
              [(100000, 0)]),
    "heat": ("n : i64 = {n}\nu : f64[{m}] = sin(linspace(0, 3, {m}))\nh = scan t for n from v = u {{\n"
             "  v[t] = concat((v[t-1][:1], v[t-1][1:-1] + 0.1 * (v[t-1][2:] - 2 * v[t-1][1:-1] + v[t-1][:-2]),"
             " v[t-1][-1:]))\n}}", "h.final", [(100, 1000), (1000, 1000), (5, 100000)]),
    "chain": (VECTOR + "y = sigmoid(1.3 * x + 0.2) * tanh(x) - log1p(exp(x))", "y",
              [(1000, 0), (30000, 0), (300000, 0)]),
    "its gradient ": (VECTOR + "y = sigmoid(1.3 * x + 0.2) * tanh(x) - log1p(exp(x))", "grad(sum(y), x)",
                      [(1000, 0), (200000, 0)]),
    "sum of squares": (VECTOR, "sum(x * x)", [(1000, 0), (100000, 0), (4000000, 0)]),
    "add": (VECTOR, "x + 1", [(100, 0), (100000, 0), (4000000, 0)]),
    "powers": (VECTOR, "x ^ 1.7", [(3000, 0), (200000, 0)]),
    "softmax": (MATRIX, "softmax(A, axis=1)", [(100, 0), (1000, 0)]),
    "variance": (MATRIX, "var(A, axis=1)", [(100, 0), (1000, 0)]),
    "columns": (MATRIX, "sum(A * A, axis=0)", [(100, 0), (1000, 0)]),
    "product": (MATRIX, "A @ A", [(8, 0), (64, 0), (300, 0)]),
    "matrix by vector": (MATRIX + "v : f64[n] = linspace(0, 1, n)", "A @ v", [(30, 0), (1000, 0)]),
    "solve": (MATRIX + "v : f64[n] = linspace(0, 1, n)", "solve(A + 50 * eye(n), v)", [(20, 0), (300, 0)]),
    "cholesky": (MATRIX, "cholesky(A @ A' + 50 * eye(n))", [(20, 0), (300, 0)]),
    "sort": (VECTOR, "sort(sin(100 * x))", [(1000, 0), (20000, 0)]),
    "cumsum": (VECTOR, "cumsum(x)", [(1000, 0), (1000000, 0)]),
    "transposed": (MATRIX, "A' + 1", [(100, 0), (1000, 0)]),
    "rnn": (RNN, "sum(h)", [(100, 8), (1000, 32), (100, 256)]),
    "its gradient  ": (RNN, "grad(sum(h), W)", [(100, 8), (1000, 32)]),
    "rows written": ("n : i64 = {n}\na = scan t for n from z = zeros({m}) {{ z[t] = z[t-1] with [t % {m}] = 1.5 }}",
                     "a.final", [(10000, 1000)]),
    "branches": ("n : i64 = {n}\nb = scan t for n from z = 0.2 {{ z[t] = if z[t-1] > 0.5 then z[t-1] * 0.3"
                 " else sin(z[t-1]) + 0.4 }}", "b.final", [(20000, 0)]),
}


def cases(words):
    for name, (program, expression, sizes) in PROGRAMS.items():
        for n, m in sizes:
            title = f"{name.strip()} {n}" + (f" x {m}" if m else "")
            if not words or any(w in title for w in words):
                text = program.replace("linspace(0, 9, n * m)", f"linspace(0, 9, {n * m})")
                text = text.replace("linspace(0, 99, m * m)", f"linspace(0, 99, {m * m})")
                text = text.replace("linspace(0, 99, n * n)", f"linspace(0, 99, {n * n})")
                if "f64[n" in text:
                    text = text.replace("n, m)", f"{n}, {m})").replace("(m, m)", f"({m}, {m})").replace("zeros(m)", f"zeros({m})")
                    text = text.replace("(n, n)", f"({n}, {n})").replace(", n)", f", {n})").replace("[n, m]", f"[{n}, {m}]")
                    text = text.replace("[m, m]", f"[{m}, {m}]").replace("[n, n]", f"[{n}, {n}]").replace("[n]", f"[{n}]")
                    expression_here = expression.replace("eye(n)", f"eye({n})")
                else:
                    expression_here = expression
                yield title, text.replace("{n}", str(n)).replace("{m}", str(m)).replace("{{", "{").replace("}}", "}"), expression_here


def ask(gradus, program, expression):
    """(predicted, measured) in seconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".gr") as f:
        f.write(f"{program}\n:cost {expression}\n" + TRIES * f":time {expression}\n")
        f.flush()
        run = subprocess.run([gradus, "--json", f.name], env={**os.environ, "GRADUS_NATIVE": "off"}, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=600)
    predicted, times = None, []
    for line in run.stdout.splitlines():
        reply = json.loads(line)
        if reply["kind"] == "command" and reply["command"] == "cost":
            predicted = reply["data"]["seconds"]
        elif reply["kind"] == "command":
            times.append(reply["data"]["best_s"])
        elif reply["kind"] == "error":
            raise SystemExit(f"{reply['message']}\n{program}\n{expression}")
    return predicted, min(times)


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    out = [0.0] * len(values)
    for place, i in enumerate(order):
        out[i] = place
    return out


def spearman(a, b):
    """Without ties: no two times are the same."""
    n = len(a)
    return 1 - 6 * sum((x - y) ** 2 for x, y in zip(ranks(a), ranks(b))) / (n * (n * n - 1)) if n > 1 else 1.0


def worst(ratios):
    return max(max(r, 1 / r) for r in ratios)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    p.add_argument("--json")
    p.add_argument("words", nargs="*")
    a = p.parse_args()
    rows = []
    print(f"{'program':28} {'predicted':>12} {'measured':>12} {'ratio':>7}")
    for name, program, expression in cases(a.words):
        predicted, measured = ask(a.gradus, program, expression)
        rows.append((name, predicted, measured))
        print(f"{name:28} {predicted * 1e6:9.1f} us {measured * 1e6:9.1f} us {measured / predicted:7.2f}", flush=True)
    ratios = [m / p for _, p, m in rows]
    middle = statistics.median(ratios)
    rank = spearman([p for _, p, _ in rows], [m for _, _, m in rows])
    print(f"{len(rows)} programs: rank correlation {rank:.3f}, median ratio {middle:.2f}, worst factor "
          f"{worst(ratios):.1f}, relative to the median {worst([r / middle for r in ratios]):.1f}")
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps({"rows": rows, "spearman": rank, "median": middle,
                                                    "worst": worst(ratios)}), encoding="utf-8")


if __name__ == "__main__":
    main()
