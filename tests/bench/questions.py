#!/usr/bin/python3
"""How long questions about large graphs take: :find in 10^5 nodes, :diff of two graphs of 10^4, the ten cheapest of 10^4 e-nodes.

    questions.py [--gradus PROGRAM] [--runs N]

Each is the processor time of a process that asks, less that of one that does everything but ask; the least of N runs, so that
a busy machine measures the same.  The exit status is 1 if one takes longer than it should.
"""
import argparse
import os
import resource
import subprocess
import sys

CHAIN = "x : f64\n:set passes inline\n{name}0 = x\n"


def chain(name, links, odd=None):
    """Three nodes a link; the odd one has another constant."""
    lines = [f"{name}{i} = sin({name}{i - 1} * {2.5 if i == odd else 1.5}) + {name}{i - 1}\n" for i in range(1, links + 1)]
    return CHAIN.format(name=name) + "".join(lines)


SUM = "x : f64; y : f64; z : f64; t : f64\n:saturate (x / y + y / z + z / t) * (x - y) / (exp(x + z) * exp(t)) nodes=10000"
CASES = [  # what, the program, what comes before the question, the question, its limit in seconds
    ("find, 10^5 nodes", chain("a", 33333), ":find tan(p) in a33333\n", ":find exp(p) in a33333\n", 0.2),
    ("diff, 10^4 nodes", chain("a", 3333) + chain("b", 3333, odd=1700), "", ":diff a3333, b3333\n", 1.0),
    ("best=10, 10^4 e-nodes", SUM, "\n", " best=10\n", 0.2),
]


def seconds(gradus, text):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([gradus], input=text, text=True, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradus", default=os.environ.get("GRADUS", "build/gradus"))
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    slow = 0
    for what, program, without, question, limit in CASES:
        asked, plain = (min(seconds(args.gradus, program + more) for _ in range(args.runs)) for more in
                        ((without if without != "\n" else "") + question, without))
        slow += asked - plain > limit
        print(f"{what:24s} {asked - plain:6.3f} s, of {asked:.3f} s; at most {limit} s")
    return slow > 0


if __name__ == "__main__":
    sys.exit(main())
