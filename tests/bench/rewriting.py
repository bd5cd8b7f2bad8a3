"""What rewriting costs: large generated graphs taken through all passes, in absolute numbers and as
ratios (ten times the nodes, the gradient over its forward); what a question about one of many steps
costs.  Nothing here passes or fails; tests/prop/prop_record.c and prop_rules.c hold the limits."""
import json
import os
import subprocess
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
GRADUS = os.path.join(ROOT, "build", "gradus")
VECTOR = "x : f64[8] = [1, 2, 3, 4, 5, 6, 7, 8]"


def chain(nodes):
    """Each value from the one before: as deep as it is large."""
    lines = [VECTOR, "a0 = x"]
    for i in range(nodes // 2):
        lines.append(f"a{i + 1} = tanh(a{i}) + {i % 7}.5")
    return lines, f"a{nodes // 2}"


def tree(nodes):
    """A balanced tree over distinct leaves."""
    leaves = 1 << (nodes // 4).bit_length()
    lines, names = [VECTOR], []
    for i in range(leaves):
        lines.append(f"b{i} = x * {i}.5")
        names.append(f"b{i}")
    while len(names) > 1:
        pairs = []
        for i in range(0, len(names), 2):
            lines.append(f"c{len(lines)} = tanh({names[i]} * {names[i + 1]})")
            pairs.append(f"c{len(lines) - 1}")
        names = pairs
    return lines, names[0]


def lstm(steps):
    """A recurrent net unrolled by hand."""
    lines = ["W : f64[4, 16]", "U : f64[4, 16]", "b : f64[16]", f"X : f64[{steps}, 4]", "h0 = zeros(4)", "c0 = zeros(4)"]
    for t in range(steps):
        lines.append(f"g{t} = X[{t}] @ W + h{t} @ U + b")
        for k, gate in enumerate("ifo"):
            lines.append(f"{gate}{t} = sigmoid(g{t}[{4 * k}:{4 * k + 4}])")
        lines.append(f"u{t} = tanh(g{t}[12:16])")
        lines.append(f"c{t + 1} = f{t} * c{t} + i{t} * u{t}")
        lines.append(f"h{t + 1} = o{t} * tanh(c{t + 1})")
    return lines, f"sum(h{steps})"


def simplifiable(steps):
    """About a step for every three nodes."""
    lines = ["x : f64 = 0.5", "a0 = x"]
    for i in range(steps // 3):
        lines.append(f"a{i + 1} = sin((log(1 + exp(a{i})) - x) * 1)")
    return lines, f"a{steps // 3}"


def run(lines, *commands):
    """The data of each command, and the processor time of the whole run."""
    before = os.times()
    out = subprocess.run([GRADUS, "--json", "-"], input="\n".join([*lines, *commands]), stdout=subprocess.PIPE,
                         text=True, check=False)
    after = os.times()
    rows = [json.loads(line) for line in out.stdout.splitlines()]
    wrong = [row for row in rows if row["kind"] == "error"]
    if wrong:
        sys.exit(f"{wrong[0]['message']} in {commands}")
    data = [row["data"] for row in rows if row["kind"] == "command"]
    return data, after.children_user + after.children_system - before.children_user - before.children_system


def passes(lines, expression, rounds=3):
    """Nodes before and after, steps, and the least time of some runs."""
    best = None
    for _ in range(rounds):
        (data,), _ = run(lines, f":passes {expression} times=on")
        ps = data["passes"]
        seconds = sum(p["seconds"] for p in ps)
        if best is None or seconds < best[3]:
            best = ps[0]["nodes_before"], ps[-1]["nodes_after"], sum(p["steps"] for p in ps), seconds
    return best


def show(name, measured):
    before, after, steps, seconds = measured
    size = max(before, after)
    print(f"  {name:34s} {before:7d} -> {after:7d} nodes {steps:7d} steps {1e3 * seconds:8.1f} ms"
          f" {1e6 * seconds / size:6.2f} us a node")
    return seconds


def large_graphs():
    print("rewriting (parsing and printing not counted)")
    for name, make, wrt in [("chain", chain, "x"), ("tree", tree, "x")]:
        lines, y = make(10**4)
        show(f"{name}, 10^4", passes(lines, y))
        small = show(f"gradient of {name}, 10^4", passes(lines, f"grad(sum({y}), {wrt})"))
        lines, y = make(10**5)
        forward = show(f"{name}, 10^5", passes(lines, y))
        large = show(f"gradient of {name}, 10^5", passes(lines, f"grad(sum({y}), {wrt})"))
        print(f"    ten times the nodes: {large / small:.1f} times the time;"
              f" the gradient: {large / forward:.1f} times its forward")
    lines, y = lstm(300)
    forward = show("LSTM unrolled 300 times", passes(lines, y))
    gradient = show("its gradient", passes(lines, f"grad({y}, [W, U, b])"))
    print(f"    the gradient: {gradient / forward:.1f} times its forward")


def questions():
    lines, y = simplifiable(10000)
    (data,), base = run(lines, f":passes {y}")
    steps = sum(p["steps"] for p in data["passes"])
    places = [1 + steps * i // 40 for i in range(40)]
    _, walked = run(lines, f":passes {y}", *[f":step step={k}" for k in places])
    print(f"questions about one of {steps} steps (processor time, printing counted)")
    print(f"  going to a step    {1e3 * (walked - base) / len(places):8.3f} ms")
    stood = data["passes"][0]["nodes_before"]  # the nodes of the start have the first numbers
    nodes = [1 + stood * i // 200 for i in range(200)]
    _, asked = run(lines, f":passes {y}", *[f":why %{k}" for k in nodes])
    print(f"  why a node is there {1e3 * (asked - base) / len(nodes):7.3f} ms")


def main():
    start = time.time()
    large_graphs()
    questions()
    print(f"{time.time() - start:.0f} s in all; the load was {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
