#!/usr/bin/python3
"""^C: whatever runs ends soon, says so, and the session goes on with all that it knew.

    interrupt.py [--gradus PROGRAM] [--runs N] [--short] [--times] [WORD...]      WORDs select cases

Each case is a session of its own that defines something large and is told to do what would take long.  SIGINT comes at a
random moment (GRADUS_SEED); after it the session has to answer another question.  That is a matter of the program and
not of how busy the machine is: each case would take much longer than the limit, if ^C were not looked at.  --times
prints how long the answers took.
"""
import argparse
import os
import pathlib
import random
import select
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 10.0  # seconds until the session must have answered; in peace it is a fiftieth of that

# 9,000 nodes and thousands of steps.
DEEP = ("x : f64[3] = [0.1, 0.2, 0.3]\n"
        + "y0 = x\n" + "".join(f"y{i} = tanh(y{i - 1} * {i}.5 + x) + exp(-y{i - 1})\n" for i in range(1, 400))
        + "g = grad(sum(y399), x)\n")
WIDE = "a : f64[100000000] = zeros(100000000)\n"
NET = ("A : f64[40, 40] = ones((40, 40))\nr = scan t for 1000000 from s = A { s[t] = tanh(s[t-1] @ A) }\n")
LOOPS = ("x : f64[5] = ones(5)\n" + "".join(
    f"s{i} = scan t for 5 from h = x, c = x * {i} {{ h[t] = tanh(h[t-1] + c[t-1]); c[t] = h[t-1] * c[t-1] + {i} }}\n" for i in range(1, 30))
    + "l = sum(" + " + ".join(f"s{i}.final[0]" for i in range(1, 30)) + ")\n")
CHAIN = "x : f64 = 1.5\n" + "e = " + " + ".join(f"x ^ {i} * exp({i} * x)" for i in range(1, 120)) + "\n"

CASES = {  # name: (setup, command)
    "urandom": ("", 'load("/dev/urandom")'),
    "zero": ("", 'load("/dev/zero")'),
    "fifo": ("", 'load("fifo")'),
    "endless-npy": ("", 'load("endless")'),
    "load-urandom": ("", ":load /dev/urandom"),
    "load-fifo": ("", ":load fifo"),
    "load-endless": ("", ":load lines"),
    "print": (":set print 0\n" + WIDE, "a"),
    "print-2d": (":set print 0\nb = reshape(arange(100000000), (10000, 10000))\n", "b"),
    "save": (WIDE, ":save saved.gr"),
    "sort": ("", "repeat 1000 { sum(sort(sin(arange(30000000)))) }"),
    "argsort": ("", "repeat 1000 { sum(argsort(sin(arange(30000000)))) }"),
    "save-npy": (WIDE, "repeat 1000 { save(a, \"saved.npy\") }"),
    "plot": (WIDE, ":plot a"),
    "plot-svg": ("", ":plot zeros(100000000) p.svg"),
    "plot-hist": ("", ":plot zeros(100000000) kind=bars"),
    "plot-heat": ("", ":plot zeros((10000, 10000))"),
    "eval": (NET, "r.final[0]"),
    "threads": (":set threads 3\nu : f64[3000000] = sin(arange(3000000) * 0.7)\n",
                "sum((scan t for 100000 from a = u { a[t] = a[t-1] * 0.9 + tanh(a[t-1]) * u }).final)"),
    "threads-products": (":set threads 3\nA : f64[900, 900] = ones((900, 900))\n", "repeat 10000 { sum(A @ A + softmax(A, axis=1)) }"),
    "steps": (DEEP, ":steps g"),
    "steps-open": (DEEP, ":steps g open=all"),
    "graph": (DEEP, ":graph g"),
    "graph-ssa": (DEEP, ":graph g ssa=on"),
    "graph-boxes": (DEEP, ":graph g boxes=on"),
    "explore": (DEEP, ":explore g e.html"),
    "audit": (DEEP, ":audit g"),
    "draw": (DEEP, ":draw g d.svg"),
    "draw-figure": (DEEP, ":draw g d.svg style=figure"),
    "saturate": (CHAIN, ":saturate grad(e, x)"),
    "find": (DEEP, ":find exp(a) * tanh(b) in g"),
    "diff": (DEEP, ":diff g pass=lower, grad(sum(2 * y399), x)"),
    "discover": ("", ":discover maximum minimum abs + - * size=6"),
    "equal": (CHAIN, ":equal grad(e, x), grad(e * 1, x) + 0 * e"),
    "derivation": (DEEP, ":export g d.md steps=on"),
    "reduce": (DEEP, ":reduce g while not fires log1p"),
    "compare": (DEEP, ":compare g"),
    "diff": (DEEP, ":diff g"),
    "explain": (DEEP, ":explain g"),
    "export-c": (DEEP, ":export g g.c"),
    "export-py": (DEEP, ":export g g.py"),
    "export-tex": (DEEP, ":export g g.tex"),
    "loops-explore": (LOOPS, ":explore grad(l, x) e.html"),
    "loops-steps": (LOOPS, ":steps grad(l, x) open=all"),
    "loops-audit": (LOOPS, ":audit grad(l, x) open=all"),
    "loops-draw": (LOOPS, ":draw grad(l, x) d.svg"),
    "hessian": (DEEP, "hessian(sum(y30), x)"),
    "hessian-steps": (DEEP, ":steps hessian(sum(y60), x)"),
    "program": ("", ":load big.gr"),
    "literal": ("", ":load literal.gr"),
    "nested": ("", ":load calls.gr"),
    "play": (NET, ":play r f.html"),
    "plan": (DEEP, ":plan grad(sum(y399), x)"),
    "moves": (DEEP, ":move g"),
    "audit-all": (DEEP, ":audit g open=all"),
    "profile": (NET, ":profile r.final[0]"),
    "vars": (":set print 0\n" + WIDE, ":vars"),
}


SHORT = ("zero", "endless-npy", "load-endless", "print", "plot", "loops-steps", "loops-audit", "program", "nested", "eval")


def files(folder):
    os.mkfifo(folder / "fifo")
    (folder / "big.gr").write_text("x : f64 = 1.0\n" + "".join(f"v{i} = x * {i} + {i - 1}\n" for i in range(400000)))
    (folder / "literal.gr").write_text("x = [" + ", ".join(str(i) for i in range(5000000)) + "]\n")
    (folder / "calls.gr").write_text("f0(x) = x + 1\n" + "".join(f"f{i}(x) = f{i - 1}(x) * f{i - 1}(x + {i})\n" for i in range(1, 30)) + "f29(1.0)\n")


class Session:
    def __init__(self, gradus, folder):
        env = dict(os.environ, HOME=str(folder), XDG_CACHE_HOME=str(folder), XDG_STATE_HOME=str(folder), TERM="dumb", LC_ALL="C.UTF-8")
        self.child = subprocess.Popen([gradus, "-i", "--no-init"], cwd=folder, env=env, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.said = b""

    def send(self, text):
        self.child.stdin.write(text.encode())
        self.child.stdin.flush()

    def wait(self, word, limit):
        """Seconds until the program has printed the word; None: it has not."""
        start = time.monotonic()
        while word not in self.said:
            left = limit - (time.monotonic() - start)
            if left <= 0 or not select.select([self.child.stdout], [], [], left)[0]:
                return None
            got = os.read(self.child.stdout.fileno(), 1 << 20)
            if not got:
                return None
            self.said = (self.said + got)[-(1 << 16):]
        return time.monotonic() - start

    def drain(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.child.stdout], [], [], left)[0]:
                got = os.read(self.child.stdout.fileno(), 1 << 20)
                if not got:
                    return
                self.said = (self.said + got)[-(1 << 16):]

    def close(self):
        self.child.kill()
        self.child.wait()


def run(gradus, folder, case, delay):
    """Seconds until the session answered, whether it had been at work, and what it said."""
    setup, command = CASES[case]
    s = Session(gradus, folder)
    feeder = None
    try:
        s.send(setup + "\n2 * 1111\n")
        if s.wait(b"2222", 60) is None:
            return None, "it was not ready: " + s.said.decode("utf-8", "replace")[-300:]
        if case.startswith("endless") or case == "load-endless":
            name = "endless" if case.startswith("endless") else "lines"
            if not (folder / name).exists():
                os.mkfifo(folder / name)
            head = r"\223NUMPY\001\000\166\000{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000,), }" + " " * 57 + r"\n"
            what = f'printf "{head}"; cat /dev/zero' if name == "endless" else "yes 1+1"
            feeder = subprocess.Popen(["sh", "-c", f"({what}) > {name} 2>/dev/null"], cwd=folder, start_new_session=True)
        s.send(command + "\n")
        s.drain(delay)
        s.said = b""
        s.child.send_signal(signal.SIGINT)
        s.send("3 * 1111\n")
        took = s.wait(b"3333", LIMIT)
        text = s.said.decode("utf-8", "replace")
        if took is None:
            return None, f"no answer within {LIMIT:g} s: {text[-300:]}"
        return took, text
    finally:
        s.close()
        if feeder:
            os.killpg(feeder.pid, signal.SIGKILL)
            feeder.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="a few of them")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    gradus = os.path.abspath(args.gradus)
    chance = random.Random(int(os.environ.get("GRADUS_SEED") or 1))
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="gradus-interrupt-") as name:
        folder = pathlib.Path(name)
        files(folder)
        for case in CASES:
            if not any(w in case for w in args.words) if args.words else args.short and case not in SHORT:
                continue
            for _ in range(args.runs):
                delay = chance.uniform(0.05, 1.0)
                took, said = run(gradus, folder, case, delay)
                litter = [f.name for f in folder.iterdir() if f.name.startswith(".gradus-")]
                if took is None or litter:
                    failed += 1
                    print(f"{case}, after {delay:.2f} s: {said} {litter or ''}")
                else:
                    passed += 1
                if args.times:
                    print(f"{case:16s} after {delay:.2f} s: {'-' if took is None else f'{took:.3f}'} s", "" if "interrupted" in said else f"(not interrupted: {said[:150]!r})")
                    sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or not passed


if __name__ == "__main__":
    sys.exit(main())
