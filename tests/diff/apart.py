#!/usr/bin/python3
"""Stable forms whose halves are apart: log(softmax(x)[k]). Every form of FORMS with everything of BETWEEN between its
halves, in f64 and f32: value, gradient and second derivative are those of the form that is stable as it is written.

A form is a text with {..} round what is computed first; what stands between goes round that. Each form is tried where the
function computed as it is written leaves the range, so a form that is not found shows. Every seventh case; --all: all."""
import sys

import numpy as np
from run import Tally, batch, decode

# form, what it is when nothing is between, inputs of x (three numbers) in f64, in f32
BIG, BIG32 = "[1000.0, -1000.0, 3.0]", "[200.0, -200.0, 3.0]"
UP, UP32 = "[800.0, 900.0, 0.5]", "[100.0, 120.0, 0.5]"
DOWN, DOWN32 = "[-1e-20, -800.0, -0.5]", "[-1e-6, -80.0, -0.5]"
TAIL, TAIL32 = "[30.0, 40.0, 0.5]", "[12.0, 14.0, 0.5]"
FORMS = [
    ("log({softmax(x)})", "log_softmax(x)", BIG, BIG32),
    ("log({exp(x) / sum(exp(x))})", "log_softmax(x)", UP, UP32),
    ("log({sigmoid(x)})", "-softplus(-x)", BIG, BIG32),
    ("log(1 - {sigmoid(x)})", "-softplus(x)", BIG, BIG32),
    ("log(1 + {exp(x)})", "softplus(x)", UP, UP32),
    ("log1p({exp(x)})", "softplus(x)", UP, UP32),
    ("log({1 + exp(x)})", "softplus(x)", UP, UP32),
    ("log(1 - {exp(x)})", "log1mexp(x)", DOWN, DOWN32),
    ("log(-{expm1(x)})", "log1mexp(x)", DOWN, DOWN32),
    ("log({exp(x) - 1})", "x + log1mexp(-x)", UP, UP32),
    ("{exp(x)} - 1", "expm1(x)", DOWN, DOWN32),
    ("1 - {exp(x)}", "-expm1(x)", DOWN, DOWN32),
    ("1 / (1 + {exp(x)})", "sigmoid(-x)", UP, UP32),
    ("{exp(x)} / (1 + {exp(x)})", "sigmoid(x)", UP, UP32),
    ("{exp(x)} / ({exp(x)} + {exp(0.5 * x)})", "sigmoid(0.5 * x)", UP, UP32),
    ("1 - {erf(x)}", "erfc(x)", "[8.0, 9.0, 0.5]", "[5.0, 6.0, 0.5]"),
    ("log({erfc(x)})", "logerfc(x)", TAIL, TAIL32),
    ("log(0.5 * {erfc(x)})", "logerfc(x) - 0.6931471805599453", TAIL, TAIL32),
    ("exp({sqr(x)}) * {erfc(x)}", "erfcx(x)", TAIL, TAIL32),
    ("log({exp(x)} + {exp(0.5 * x)})", "logaddexp(x, 0.5 * x)", UP, UP32),
    ("log({exp(x)} + {exp(0.5 * x)} + {exp(0.25 * x)})", "logaddexp(logaddexp(x, 0.5 * x), 0.25 * x)", UP, UP32),
    ("log({sum(exp(X), axis=1)})", "logsumexp(X, axis=1)", UP, UP32),
    ("log({mean(exp(X), axis=1)})", "logsumexp(X, axis=1) - 1.0986122886681098", UP, UP32),
    ("log({cosh(x)})", "logaddexp(x, -x) - 0.6931471805599453", BIG, BIG32),
    ("log({sinh(x)})", "x + log1mexp(-2 * x) - 0.6931471805599453", UP, UP32),
    ("log(abs({sinh(x)}))", "abs(x) + log1mexp(-2 * abs(x)) - 0.6931471805599453", BIG, BIG32),
    ("{sinh(x)} / {cosh(x)}", "tanh(x)", UP, UP32),
    ("log({sqrt(1e-300 * exp(x))})", "0.5 * (log(1e-300) + x)", UP, None),
    ("log({reciprocal(exp(x))})", "-x", UP, UP32),
    ("sqrt({sqr(x)} + {sqr(2 * x)})", "hypot(x, 2 * x)", "[1e200, 1e-200, 3.0]", "[1e30, 1e-30, 3.0]"),
]
# around what stands in {..}; `F` in the second text is what the whole form gives
BETWEEN = [
    ("{}", "F"),
    ("{}[1]", "F[1]"),
    ("{}[-1]", "F[-1]"),
    ("{}[0:2]", "F[0:2]"),
    ("{}[::-1]", "F[::-1]"),
    ("{}[[2, 0, 0]]", "F[[2, 0, 0]]"),
    ("reshape({}, (3, 1))", "reshape(F, (3, 1))"),
    ("{}[:, None]'", "F[:, None]'"),
    ("broadcast_to({}, (2, 3))", "broadcast_to(F, (2, 3))"),
    ("broadcast_to({}[1], (2,))", "broadcast_to(F[1], (2,))"),
    ("concat(({}, {}[:1]))[2:]", "concat((F, F[:1]))[2:]"),
    ("where(x > 1, {}, {}[::-1])", "where(x > 1, F, F[::-1])"),
    ("({} with [0] = {}[2])", "(F with [0] = F[2])"),
    ("(if sum(x) > -1e9 then {}[1] else {}[0])", "F[1]"),
    ("(if sum(x) > -1e9 then {}[1:] else 2 * {}[:2])[0]", "F[1]"),
    ("{}[:, None][[1, 2]][:, 0][::-1]", "F[[2, 1]]"),
]
# programs whose result is `y`; G is what stands in {..}, R the rest round it, with @ for its place; `F` as above
LOOPS = [
    ("G = {g}; S = scan t over G {{ y[t] = {f(G[t])} }}; y = S", "F"),
    ("G = {g}; S = scan t for 3 {{ y[t] = {f(G[t])} }}; y = S", "F"),
    ("G = {g}; S = scan t for 3 from s = 0.0 * x[0] {{ s[t] = s[t-1] + {f(G[2 - t])} }}; y = S.final", "sum(F)"),
    ("G = {g}; S = scan t for 3 {{ y[t] = G[t] * 1 }}; y = {f(S)}", "F"),
    ("G = {g}; S = scan t for 2 {{ y[t] = G }}; y = {f(S[1])}", "F"),
    ("G = {g}; y = vmap(u -> {f(u)})(G)", "F"),
    ("G = {g}; y = vmap(u -> {f(u[1])})(broadcast_to(G, (2, 3)))", "broadcast_to(F[1], (2,))"),
    ("G = {g}; y = if sum(x) > -1e9 then {f(G[0])} else {f(G[1])}", "F[0]"),
]


def holes(form):
    """The parts of a form: texts, and what stands in {..}, by turns."""
    parts, start = [], 0
    for i, c in enumerate(form):
        if c == "{":
            parts.append(form[start:i])
            start = i + 1
        elif c == "}":
            parts.append(form[start:i])
            start = i + 1
    return parts + [form[start:]]


def between(form, around):
    parts = holes(form)
    return "".join(p if k % 2 == 0 else around.replace("{}", f"({p})") for k, p in enumerate(parts))


def loop(form, program):
    """A loop needs one value that is computed outside: forms with one hole only."""
    parts = holes(form)
    if len(parts) != 3:
        return None
    out = program
    while "{f(" in out:
        at = out.index("{f(")
        end, depth = at + 3, 1
        while depth:
            depth += {"(": 1, ")": -1}.get(out[end], 0)
            end += 1
        inner = out[at + 3:end - 1]
        out = out[:at] + parts[0] + "(" + inner + ")" + parts[2] + out[end + 1:]
    return out.replace("{g}", parts[1]).replace("{{", "{").replace("}}", "}")


def main():
    tally = Tally()
    every = 1 if "--all" in sys.argv[1:] else 7
    cases = []
    for number, (form, plain, big, small) in enumerate(FORMS):
        for dtype, x in (("f64", big), ("f32", small)):
            if x is None:
                continue
            for k, (around, outer) in enumerate(BETWEEN):
                cases.append((dtype, x, f"y = {between(form, around)}", f"F = {plain}; y = {outer}", form, around))
            for program, outer in LOOPS:
                ours = loop(form, program)
                if ours:
                    cases.append((dtype, x, ours, f"F = {plain}; y = {outer}", form, program))
    lines, what, inputs = [], [], {}
    for i, (dtype, x, ours, theirs, form, around) in enumerate(cases):
        if i % every:
            continue
        if (dtype, x) not in inputs:
            inputs[dtype, x] = f"x{len(inputs)}"
        x = inputs[dtype, x]
        for body in (ours, theirs):
            text = (f"{{ X = x[:, None] + {dtype}([0.0, 0.5, -0.25]); {body}; u = reshape(y, (-1,)); "
                    f"sum(u * cos({dtype}(arange(size(u, 0))))) }}")
            first = f"grad(x -> {text})"
            lines.append(f"(x -> {text})({x})")
            lines.append(f"{first}({x})")
            lines.append(f"grad(x -> sum({first}(x) * {dtype}([1.0, 0.5, 0.25])))({x})")
        what.append((dtype, form, around))
    results = batch(lines, prelude="".join(f"{name} := {dtype}({x})\n" for (dtype, x), name in inputs.items()))
    for i, (dtype, form, around) in enumerate(what):
        for order in range(3):
            got, want = results[6 * i + order], results[6 * i + 3 + order]
            name = f"{dtype} {form}, {around}, order {order}"
            if want["kind"] == "error":
                raise SystemExit(f"{name}: the plain form fails: {want['message']}\n{lines[6 * i + 3 + order]}")
            if got["kind"] == "error":
                tally.check(False, f"{name}: {got['message']}\n{lines[6 * i + order]}")
                continue
            a, b = decode(got), decode(want)
            rtol = 1e-9 if dtype == "f64" else 2e-4
            scale = np.max(np.abs(b), initial=0)
            good = a.dtype == b.dtype and np.all(np.isfinite(b)) and np.allclose(a, b, rtol=rtol, atol=rtol * 1e-3 * scale)
            tally.check(good, f"{name}: {a} instead of {b}\n{lines[6 * i + order]}")
    tally.end()


if __name__ == "__main__":
    main()
