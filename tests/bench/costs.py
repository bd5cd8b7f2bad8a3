"""What gradients cost over their forward, in time, memory and steps; what it costs to write one row of a
carried array; start-up. Ratios of times in one run; nothing here passes or fails."""
import json
import os
import subprocess
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
GRADUS = os.path.join(ROOT, "build", "gradus")

PROGRAM = """
r : f64 = 3.7
L = scan t for 1000000 from x = 0.3 { x[t] = r * x[t-1] * (1 - x[t-1]) }
W : f64[128,128] = 0.01 * ones((128, 128))
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


def gradus(expressions):
    """What :time measures of each, in this order: the best run of three rounds, which other work on the machine
    disturbs least."""
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
    names = ["R.final", "grad(sum(R.final), W)", "grad(sum(R.final), short)", "L.final", "grad(L.final, r)",
             "grad(A.final, r)", "U.final", "grad(U.final, r)", "F.final[0]", "M.final[0]"]
    forward, by_weights, by_sequence, loop, plain, auto, until, until_auto, few, many = told = gradus(names)
    assert len(told) == len(names)
    rows = [("tanh RNN, 200 steps of 128, its gradient by the weights", by_weights, forward, "its forward"),
            ("the same, by the sequence", by_sequence, forward, "its forward"),
            ("scalar recurrence, 10^6 steps, its gradient", plain, loop, "its forward, no trace"),
            ("the same, checkpoint auto", auto, plain, "the plain gradient"),
            ("the same, stopped by until", until_auto, until, "its forward")]
    for name, ours, other, what in rows:
        print(f"{name:56s} {1e3 * ours['best_s']:8.2f} ms   {ours['best_s'] / other['best_s']:5.2f} x {what}")
    million = 10**6
    for name, d in (("plain", plain), ("checkpoint auto", auto), ("checkpoint auto, until", until_auto)):
        print(f"memory of that gradient, {name:32s} {d['peak_bytes'] / 1e3:8.1f} KB   1/{plain['peak_bytes'] / d['peak_bytes']:.0f} of plain,"
              f" {d['loop_steps'] / million - 1:.2f} sweeps forward")
    step = [d["best_s"] / 300000 for d in (few, many)]
    print(f"a row of 16 written per step, of 10^3 rows            {1e9 * step[0]:8.1f} ns a step")
    print(f"a row of 16 written per step, of 10^5 rows            {1e9 * step[1]:8.1f} ns a step   {step[1] / step[0]:5.2f} x that of 10^3")
    print(f"start-up, `-e 1`: {1e3 * start_up():.1f} ms")


if __name__ == "__main__":
    sys.exit(main())
