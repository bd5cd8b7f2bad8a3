#!/usr/bin/python3
"""`:watch LOSS grad=x`: what the loss changes by with every state at every row, against the language itself.

A loop over random states, some of which start from one node, step alike, only pass each other on or reach back
several steps. The same loop with a small number added to every state at every step (a sequence of zeros) has as the
gradient by that sequence what the row of the table must say.
"""
import random

import numpy as np
from run import Tally, gradus

STEPS = 3
NAMES = "pqrs"


def equation(rng, name, states, reach, done, way):
    """The right side of one state. Earlier equations of this step are read only where they are sums of their own."""
    back = [f"{s}[t{way}{rng.randint(1, reach[s])}]" for s in states]
    kind = rng.random()
    if kind < 0.12:
        return rng.choice(back)                                 # passes on
    if kind < 0.2:
        return "c"
    if kind < 0.35:
        return "x * u[t] + c"                                   # perhaps the same node as another's
    now = [f"{s}[t]" for s in done]
    terms = rng.sample(back, min(len(back), rng.randint(1, 3))) + rng.sample(now, min(len(now), rng.randint(0, 1)))
    return " + ".join(f"{0.5 + NAMES.index(name) / 8 + k / 16} * {t}" for k, t in enumerate(terms)) + \
        f" * x + sin({rng.choice(back)}) + {NAMES.index(name)}.25 * u[t]"


def program(seed):
    rng = random.Random(seed)
    states = NAMES[:rng.randint(1, 4)]
    way = rng.choice("--+")
    reach = {s: rng.choice([1, 1, 1, 2, 3]) for s in states}
    inits = {s: (rng.choice(["a", "a", "b"]) if reach[s] == 1 else ["", "", "aa", "aaa"][reach[s]]) for s in states}
    equations, done = [], []
    for s in states:
        right = equation(rng, s, states, reach, done, way)
        equations.append((s, right))
        if "sin" in right:
            done.append(s)
    return states, way, reach, inits, equations


def scan_text(name, states, way, reach, inits, equations, shaken):
    over = ", ".join(["u"] + [f"e{s}" for s in states] * shaken)
    start = ", ".join(f"{s} = {inits[s]}{'s' if shaken else ''}" for s in states)
    body = "; ".join(f"{s}[t] = {right}" + (f" + e{s}[t]" if shaken else "") for s, right in equations)
    keep = "".join(f"; k{s}[t] = {s}[t{way}{reach[s]}]" for s in states if reach[s] > 1)
    return f"{name} = scan t over {over} from {start} {{ {body}{keep} }}\n"


def loss_text(scan, states, reach, seed):
    rng = random.Random(seed)
    field = (lambda where, s: f"{scan}{where}") if len(states) == 1 and reach[states[0]] == 1 else \
        (lambda where, s: f"{scan}{where}.{s}")
    parts = []
    for s in states:
        parts += [f"{rng.randint(1, 9)} * {field('.final', s)}"] * (rng.random() < 0.7)
        parts += [f"x * sum({field('', s)} * [1.5, 2.0, {rng.randint(1, 5)}.0])"] * (rng.random() < 0.5)
    return " + ".join(parts) or f"x * {field('.final', states[0])}"


def check(tally, seed):
    states, way, reach, inits, equations = program(seed)
    zeros = "".join(f"e{s} : f64[{STEPS}] = zeros({STEPS})\n" for s in states)
    setup = ("x : f64 = 0.75\na : f64 = 0.5\nb : f64 = -0.25\nc : f64 = 0.375\nu : f64[3] = [0.5, -1.0, 0.25]\n"
             "aa = stack((a, a))\naaa = stack((a, a, a))\n" + zeros +
             "as : f64 = 0.5\nbs : f64 = -0.25\naas = stack((as, as))\naaas = stack((as, as, as))\n")
    plain = scan_text("S", states, way, reach, inits, equations, False)
    shaken = scan_text("P", states, way, reach, inits, equations, True)
    text = (setup + plain + shaken + f"L = {loss_text('S', states, reach, seed)}\nM = {loss_text('P', states, reach, seed)}\n"
            "L\nM\n" + ":watch L grad=x\n" + "".join(f"grad(M, e{s}, unconnected=zero)\n" for s in states))
    objects, status, err = gradus(program=text)
    wrong = [o for o in objects if o["kind"] == "error"]
    if status or wrong:
        return tally.check(False, f"{text}{err}{wrong[:1]}")
    values = [np.array(o["value"]) for o in objects if o["kind"] == "value"]
    table = next(o["data"] for o in objects if o["kind"] == "command" and o["command"] == "watch")
    tally.check(np.allclose(values[0], values[1], rtol=1e-12), lambda: f"{text}: {values[:2]}")
    columns = table["backward_columns"][1:]
    expected = dict(zip(states, values[2:]))
    tally.check(sorted(columns) == sorted(f"{s}[t]" for s in states), lambda: f"{text}{columns}")
    rows = {row[0]: dict(zip(columns, row[1:])) for row in table["backward_rows"]}
    for s in states:
        ours = np.array([rows.get(str(t), {}).get(f"{s}[t]") or 0.0 for t in range(STEPS)])
        tally.check(np.allclose(ours, expected[s], rtol=1e-12),
                    lambda s=s, ours=ours: f"{text}{s}: {ours} but {expected[s]}")
    return None


def main():
    tally = Tally()
    for seed in range(60):
        check(tally, seed)
    print(f"{tally.passed} passed, {tally.failed} failed")
    raise SystemExit(tally.failed > 0)


if __name__ == "__main__":
    main()
