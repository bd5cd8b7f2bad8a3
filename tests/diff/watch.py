#!/usr/bin/python3
"""`:trace LOSS grad=x`: what the loss changes by with every state at every row, against the language itself.

A loop over random states, some of which start from one node, step alike, only pass each other on or reach back
several steps. What a table shows of some steps (`at=`, `rows=`) is what the whole table says of them. The same loop with a small number added to every state at every step (a sequence of zeros) has as the
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


WINDOWS = [(0, 1), (1, 1), (2, 1), (1, 2)]


def window_commands(command):
    return "".join(f"{command} at={first}.. rows={rows}\n" for first, rows in WINDOWS)


def same_rows(some, all_rows, names):
    """Some rows are those of the whole table with these names (and no others). A loop may not know that nothing
    flows to a state, and give 0 where the whole table leaves the cell or the row out."""
    whole, part = ({row[0]: [np.array(cell or 0, float) for cell in row[1:]] for row in rows} for rows in (all_rows, some))
    known = {name for name in names if name in whole or name in part}
    return set(part) <= known and all(
        np.allclose(a, b, rtol=1e-12) for name in known if name in part or np.any(np.concatenate([np.ravel(v) for v in whole[name]]))
        for a, b in zip(part[name], whole.get(name, [0.0] * len(part[name]))))


def check_windows(tally, text, tables, backwards):
    """tables[0] is whole; the others are its windows, in order."""
    whole = tables[0]
    steps = [row[0] for row in whole["rows"] if row[0] != "init"]
    for (first, rows), part in zip(WINDOWS, tables[1:]):
        names = ["init"] * (first == 0) + steps[first:first + rows]
        tally.check(same_rows(part["rows"], whole["rows"], names), lambda: f"{text}from={first} rows={rows}: {part}")
        if backwards:
            tally.check(same_rows(part["backward_rows"], whole["backward_rows"], names[::-1]) and
                        np.allclose(part["gradient"], whole["gradient"], rtol=1e-12),
                        lambda: f"{text}from={first} rows={rows} backwards: {part}\n{whole}")


def check(tally, seed):
    states, way, reach, inits, equations = program(seed)
    zeros = "".join(f"e{s} : f64[{STEPS}] = zeros({STEPS})\n" for s in states)
    setup = ("x : f64 = 0.75\na : f64 = 0.5\nb : f64 = -0.25\nc : f64 = 0.375\nu : f64[3] = [0.5, -1.0, 0.25]\n"
             "aa = stack((a, a))\naaa = stack((a, a, a))\n" + zeros +
             "as : f64 = 0.5\nbs : f64 = -0.25\naas = stack((as, as))\naaas = stack((as, as, as))\n")
    plain = scan_text("S", states, way, reach, inits, equations, False)
    shaken = scan_text("P", states, way, reach, inits, equations, True)
    text = (setup + plain + shaken + f"L = {loss_text('S', states, reach, seed)}\nM = {loss_text('P', states, reach, seed)}\n"
            "L\nM\n" + ":trace L grad=x\n" + window_commands(":trace L grad=x") +
            "".join(f"grad(M, e{s}, unconnected=zero)\n" for s in states))
    objects, status, err = gradus(program=text)
    wrong = [o for o in objects if o["kind"] == "error"]
    if status or wrong:
        return tally.check(False, f"{text}{err}{wrong[:1]}")
    values = [np.array(o["value"]) for o in objects if o["kind"] == "value"]
    tables = [o["data"] for o in objects if o["kind"] == "command" and o["command"] == "trace"]
    table = tables[0]
    check_windows(tally, text, tables, True)
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


# Loops of other kinds: the expression to watch, and what its gradient is by (or None).
OTHERS = {
    "scan t from a = x { a[t] = a[t-1] * 1.5; b[t] = 2 * a[t]; until a[t] > 3 }": ("S.final.a + sum(S.b)", "x"),
    "scan t over u from a = x { a[t] = a[t-1] * u[t]; until t >= 3 }": ("sum(S * S)", "u"),
    "scan t over u from a = x { a[t] = a[t-1] + u[t] * u[t-1] }": ("sum(S)", "u"),
    "scan t over u checkpoint 2 from a = x { a[t] = sin(a[t-1]) * u[t] }": ("sum(S)", "x"),
    "scan t over u from a = x, r = rng(3) { e, r[t] = normal(r[t-1]); a[t] = a[t-1] * e + u[t] }": ("sum(S.a)", "u"),
    "scan t over u from a = [x, x, 1] { a[t] = [sum(a[t-1]), u[t], x] * a[t-1] }": ("sum(S)", "x"),
    "scan t over u from a = x { a[t] = (scan i over u from b = a[t-1] { b[i] = b[i-1] * u[i] }).final }": ("sum(S)", "u"),
    "scan t over u from a = x { a[t] = if t % 2 == 0 then a[t-1] * x else a[t-1] + x }": ("sum(S)", "x"),
    "scan t for 4 from k = 1, a = x { k[t] = k[t-1] * 2; a[t] = a[t-1] * x + f64(k[t]) }": ("sum(S.a)", "x"),
    "vmap(v -> (scan t over u from a = v { a[t] = a[t-1] * u[t]; until a[t] > 1 }).final)([x, 2 * x])": ("sum(S)", "x"),
}


def check_other(tally, loop, loss, by):
    text = (f"x : f64 = 0.75\nu : f64[5] = [0.5, -1.0, 0.25, 3.0, 1.5]\nS = {loop}\nL = {loss}\n"
            f":trace L grad={by}\n" + window_commands(f":trace L grad={by}"))
    objects, status, err = gradus(program=text)
    tables = [o["data"] for o in objects if o["kind"] == "command"]
    if status or len(tables) != 1 + len(WINDOWS):
        return tally.check(False, f"{text}{err}{[o for o in objects if o['kind'] == 'error']}")
    return check_windows(tally, text, tables, True)


def main():
    tally = Tally()
    for seed in range(60):
        check(tally, seed)
    for loop, (loss, by) in OTHERS.items():
        check_other(tally, loop, loss, by)
    print(f"{tally.passed} passed, {tally.failed} failed")
    raise SystemExit(tally.failed > 0)


if __name__ == "__main__":
    main()
