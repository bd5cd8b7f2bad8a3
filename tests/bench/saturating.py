#!/usr/bin/python3
"""How fast equality saturation is: patterns searched and matches applied over e-graphs of several sizes.

    saturating.py [--gradus PROGRAM] [WORD...]

For each expression and limit: e-nodes and iterations; ways that patterns matched and how many of them a second of
searching; new ones (a way that was applied already is not applied again); the time of all iterations (searching,
applying, restoring congruence), e-nodes a second of that.  What is extracted and proved is not in it.  Numbers, no test.
"""
import argparse
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCALARS = "x : f64; y : f64; z : f64; t : f64"
MATRICES = "A : f64[n, n]; B : f64[n, n]; C : f64[n, n]; v : f64[n]; w : f64[n]"
RNN = ("W : f64[4, 4]; U : f64[3, 4]; X : f64[10, 3]; h0 : f64[4]\n"
       "h = scan k over X from s = h0 { s[k] = tanh(s[k-1] @ W + X[k] @ U) }")

# name: declarations, expression, limits of e-nodes
WORK = {
    "product": (SCALARS, " * ".join(f"(x + {k} * y)" for k in range(1, 6)), [1000, 8000]),
    "mixed": (SCALARS, "sin(x + y) * exp(x * 2) / (y + log(1 + exp(x))) + (x - y) / 2 - (y - x) / z",
              [1000, 8000, 100000]),
    "quotients": (SCALARS, "(x / y + y / z + z / t) * (x - y) / (exp(x + z) * exp(t))", [1000, 8000, 100000]),
    "matrices": (MATRICES, "((A @ B) @ C + (A @ C) @ B) @ v + (B @ (A + C)) @ (v + w)", [1000, 8000, 100000]),
    "RNN gradient": (RNN, "grad(sum(h.final), [W, U])", [5000]),
}


def run(gradus, declarations, expression, nodes):
    text = f"{declarations}\n:saturate {expression} nodes={nodes} iterations=100 times=on\n"
    done = subprocess.run([gradus, "--no-init", "--json", "-"], input=text, capture_output=True, text=True, check=False)
    for row in map(json.loads, done.stdout.splitlines()):
        if row.get("command") == "saturate":
            return row["data"]
        if row["kind"] == "error":
            raise SystemExit(f"{expression}: {row['message']}")
    raise SystemExit(f"{expression}: nothing was told")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    parser.add_argument("--rounds", type=int, default=3, help="of which the fastest counts")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    print("                  e-nodes  rounds      found   search  found/s      new   new/s      all  e-nodes/s  cost")
    for name, (declarations, expression, limits) in WORK.items():
        for nodes in limits:
            if args.words and not any(w in f"{name} {nodes}" for w in args.words):
                continue
            rounds = [run(args.gradus, declarations, expression, nodes) for _ in range(args.rounds)]
            search, whole = (min(sum(r[key] for r in d["iterations"]) for d in rounds) for key in ("search_seconds", "seconds"))
            data = rounds[0]
            rows = data["iterations"]
            found, new = sum(r["searched"] for r in rows), sum(r["matches"] for r in rows)
            print(f"{name:14s} {rows[-1]['nodes']:10d} {len(rows):7d} {found:10d} {search:7.3f}s {found / search / 1e6:7.2f}M"
                  f" {new:8d} {new / search / 1e6:6.2f}M {whole:7.3f}s {rows[-1]['nodes'] / whole:9.0f} "
                  f" {data['cost_after']:.6g}, {data['stop']}", flush=True)
    print(f"the load was {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
