#!/usr/bin/python3
"""Nothing ends at a fixed number: loops of 70 and 130 states, taps, arguments and wanted values against NumPy."""
import numpy as np
from run import Tally, decode, gradus

U = np.array([1.0, 0.5, 0.25])


def step_matrix(n, u):
    return 0.5 * np.eye(n) + u * np.roll(np.eye(n), 1, axis=1)        # s_i' = s_i / 2 + u s_(i+1)


def program(n):
    start = ", ".join(f"s{i} = x * {i + 1}.0" for i in range(n))
    body = "; ".join(f"s{i}[t] = s{i}[t-1] * 0.5 + s{(i + 1) % n}[t-1] * u[t]" for i in range(n))
    apart = "; ".join(f"r{i}[t] = r{i}[t-1] * 0.5" for i in range(n))
    taps = " + ".join(f"h[t-{i}]" for i in range(n))
    names = ", ".join(f"a{i}" for i in range(n))
    last = n - 1
    return (f"x : f64 = 0.5\nu : f64[3] = {U.tolist()}\nh : f64[200] = arange(200) * 1.0\n"
            f"S = scan t over u from {start} {{ {body} }}\n"
            f"R = scan t for 3 from {start.replace('s', 'r')} {{ {apart} }}\n"
            f"f(x) = {{ S = scan t over u from {start} {{ {body} }}; sum(stack(S.final)) }}\n"
            f"T = scan t over h {{ y[t] = {taps} }}\n"
            f"P = scan t for 1 from s = h[:{n}] {{ s[t] = {' + '.join(f's[t-{i + 1}]' for i in range(n))} }}\n"
            f"g({names}) = a0 + 2 * a{last}\n"
            f"L = sum(stack(S.final))\n"), [
                "stack(S.final)", f"S.final[{last}]", f"S.s{last}", f"stack(S)[{last}]", "grad(L, x)",
                f"grad(L + S.s{last}[-1], u)", "vmap(f)(stack((x, 2 * x)))", "vmap(grad(f))(stack((x, 2 * x)))",
                "jvp(L, x, 1.0)", f"S.s3[-1] + R.final.r{last}", "sum(stack(S.final) * stack(R.final))",
                "T[0]", "P.final", f"g({', '.join(f'{i}.0' for i in range(n))})",
                f"grad({' + '.join(f'x * {i}.0' for i in range(n))}, ({', '.join(['x'] * n)}))[{last}]",
                ":trace L grad=x", ":trace L at=0..1 all=on", ":draw L many.svg", ":draw L some.json unroll=1 values=grad",
                f":steps R.r3[-1] + R.final.r{last} rule=dead-results"]


def expected(n):
    start = 0.5 * np.arange(1, n + 1)
    rows, sums = [start], []
    for u in U:
        rows.append(step_matrix(n, u) @ rows[-1])
    final, rest = rows[-1], start / 8
    total = step_matrix(n, U[2]) @ step_matrix(n, U[1]) @ step_matrix(n, U[0])
    for k, _ in enumerate(U):                                  # the gradient by u: one factor replaced
        parts = [step_matrix(n, u) for u in U]
        parts[k] = np.roll(np.eye(n), 1, axis=1)
        out = parts[2] @ parts[1] @ parts[0] @ start
        sums.append(out.sum() + out[-1])
    slope = (total @ (start * 2)).sum()
    trace = np.array(rows[1:])
    return [final, final[-1], trace[:, -1], trace[:, -1], slope, np.array(sums), np.array([1, 2]) * final.sum(),
            np.full(2, slope), slope, final[3] + rest[-1], (final * rest).sum(), np.arange(n).sum() * 1.0,
            np.arange(n).sum() * 1.0, 2.0 * (n - 1), n * (n - 1) / 2.0]


def main():
    tally = Tally()
    for n in (70, 130):
        text, asked = program(n)
        objects, status, err = gradus(program=text + "\n".join(asked) + "\n")
        tally.check(status == 0, f"{n} states: exit status {status} {err}")
        results = [o for o in objects if o["kind"] != "graph"]
        for what, want, got in zip(asked, expected(n), results):
            value = decode(got) if got["kind"] == "value" else got
            tally.check(got["kind"] == "value" and np.allclose(value, want, rtol=1e-11),
                        lambda what=what, value=value, want=want: f"{n} states: {what}: {value} is not {want}")
        data = {o["command"]: o["data"] for o in objects if o["kind"] == "command"}
        states, values = [o["data"] for o in objects if o.get("command") == "trace"]
        tally.check(len(states["columns"]) == n + 1 and len(states["backward_columns"]) == n + 1,
                    f"{n} states: columns of :trace")
        tally.check(len(values["rows"]) == 4 * n + 1, f"{n} states: rows of :trace all=on")
        tally.check(any(s["rule"] == "dead-results" for s in data["steps"]["steps"]), f"{n} states: dead-results")
    print(f"{tally.passed} passed, {tally.failed} failed")
    raise SystemExit(tally.failed > 0)


if __name__ == "__main__":
    main()
