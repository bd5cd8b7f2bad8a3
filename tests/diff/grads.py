#!/usr/bin/python3
"""Derivatives against differences: expressions and loops, first and second order, all modes.

Each case is a function of some inputs. In a random direction d its derivative is compared with the five-point
difference of its values, both evaluated by gradus; forward mode is compared with the gradient, and both orders of
mixing the two modes with forward over forward; third derivatives of some.
"""
import itertools

import numpy as np
from ops import elementwise_rows, text
from run import Tally, batch, decode

rng = np.random.default_rng(7)
H = 2.0 ** -10                                              # the error of the difference is of order H^4
INPUTS = {"a": (3,), "b": (3,), "s": (), "W": (3, 3), "V": (3, 3), "u": (6, 3), "w": (6,), "x0": (2, 3)}


def values(lo=-0.9, hi=0.9):
    return {k: np.round(rng.uniform(lo, hi, shape), 3) for k, shape in INPUTS.items()}


# ---- what is differentiated: (text of a scalar, its inputs) -----------------------------------

def elementwise():
    """Every operator with a derivative, on the domain that its row states."""
    for arity, name, kind, derivatives, oracle, lo, hi in elementwise_rows():
        if not any(derivatives):
            continue
        x = f"({(lo + hi) / 2!r} + {0.45 * (hi - lo)!r} * a)"      # a is in (-0.9, 0.9)
        z = f"({(lo + hi) / 2!r} + {0.45 * (hi - lo)!r} * b)"
        if arity == 1:
            yield f"sum({name}({x}) * b)", "ab"
        elif not derivatives[0]:                                # a whole number, such as an order
            yield from ((f"sum({name}({n}, {z}) * V)", "bV") for n in range(4))
        else:
            yield f"sum({name}({x}, {z}) * V)", "abV"


EXPRESSIONS = [
    "sum(W @ a)", "sum(a @ W * b)", "a @ W @ b", "sum((W @ V)' * W)", "sum(W' @ (W @ a))", "sum(W[1:] @ V[:, ::2])",
    "sum(u @ W)", "dot(a, b) * s", "sum(outer(a, b) * W)", "trace(W @ V)", "sum(a[:, None] * W * b)",
    "mean(W * V)", "var(W) + std(V)", "sum(mean(W, axis=0) * a)", "prod(a) + prod(W + 2)", "sum(prod(W + 1.5, axis=1) * b)",
    "norm(W)", "sum(norm(W, axis=0) * a)", "logsumexp(W) * s", "sum(logsumexp(W, axis=1) * a)",
    "sum(softmax(W) * V)", "sum(log_softmax(W, axis=0) * V)", "max(a) * min(b)", "sum(ptp(W, axis=0) * b) + ptp(a) * s", "sum(max(W, axis=0) * b)",
    "sum(cumsum(a) * b)", "sum(cumprod(a + 2) * b)", "sum(cumsum(W, axis=1) * V)", "sum(cummax(a) * b)",
    "sum(where(a > b, sin(a), b * b))", "sum(clip(W, -0.5, 0.5) * V)", "sum(maximum(a, b) * minimum(a, s))",
    "sum(reshape(u, (3, 6)) @ u)", "sum(flip(W) * V)", "sum(flip(a) * cumsum(b))", "sum(concat((W, V), axis=1)[1])",
    "sum(stack((a, b)) @ W)", "sum([a, b, a * b] @ W)", "sum(broadcast_to(a, (4, 3)) ^ 2)", "sum(squeeze(W[:1]) * a)",
    "sum(expand_dims(a, 1) * W)", "sum(transpose(W) * V * s)", "sum(swapaxes(W, 0, 1) @ V)",
    "W[0, 1] * W[2, 2] + a[-1]", "sum(W[1] * a) + sum(W[:, 0] * b)", "sum(u[::2] @ W)", "sum(u[4:1:-1] * V)",
    "sum(W[[0, 0, 2]] * V)", "sum(W[:, [2, 0]] @ W[[1, 1]])", "sum(take(a, [2, 2, 0]) * b)",
    "sum((W with [1] = a) * V)", "sum((W with [0, 2] = s) * V)", "sum((W with [:, 1] += b) ^ 2)",
    "sum((a with [::2] = [s, s * s]) * b)", "sum((a with [[0, 0, 2]] += b) ^ 2)", "sum((W with [1:, :2] = V[:2, 1:]) * W)",
    "if s > 0 then sum(sin(a)) else sum(a * b)", "{ t = W @ a; r = tanh(t); sum(r * t) }", "(f -> f(f(s)))(z -> sin(z) * z + a[0])",
    "s * s + 0 * sum(a)", "s ^ 3 + 2.0 ^ s + (1.5 + s) ^ (2 + s)", "sum((a + 2) ^ b)", "sum(solve(W + 4 * eye(3), a) * b)",
    "sum(inv(V + 4 * eye(3)) @ a)", "det(W + 3 * eye(3))", "sum(cholesky(W @ W' + 3 * eye(3)) @ b)",
    "sum(tril(W) @ triu(V))", "sum(diag(a) @ W) + sum(diag(W))", "sum(roll(a, 1) * b)", "sum(pad(a, 1) * pad(b, (2, 0)))",
    "sum(tile(a, 2) * repeat(b, 2))", "sum(sort(a) * b)", "sum(einsum(\"ij,jk->ki\", W, V) * W)",
    "sum(scan i for 3 { r[i] = grad(sum(tanh(W @ a)), a)[i] * b[i] })", "sum(jacobian(tanh(W @ a), a) * V)",
    "sum(grad(sum(tanh(W @ a)), a) * b)", "sum(vjp(W @ a * a, a, b))", "sum(jvp(sin(a) * a, a, b))",
]

def composites():
    """Every composite over all axes of matrices that are not square; masks; one inside the other."""
    for name, shape in itertools.product(("softmax", "log_softmax", "logsumexp", "mean", "var", "std", "norm"), ("u", "x0")):
        for axis in ("None", "0", "-1", "(0, 1)", "()"):
            if axis == "()" and name in ("std", "var", "norm") or axis == "None" and "softmax" in name:
                continue
            keep = "" if "softmax" in name else ", keepdims=true"
            ddof = ", ddof=1" if name in ("std", "var") and axis != "()" else ""
            yield f"sum(sin({name}({shape} * a, axis={axis}{ddof}{keep}) * {shape}))", "aux0"
    for name in ("softmax", "log_softmax", "logsumexp", "mean", "norm"):
        yield f"sum(where(u > 0, {name}(u{', axis=0' if 'softmax' in name else ', axis=0, keepdims=true'}), u) * u)", "u"
        yield f"sum(where(w > 0, {name}(u, axis=1), w)) * s" if "softmax" not in name else f"sum(where(w[:, None] > 0, {name}(u), u))", "usw"
        yield f"if s > 0 then sum(sqr({name}(u * a))) else sum({name}(u * b) * s)", "absu"
    yield "-sum(log(softmax(u @ W)) * u)", "uW"
    yield "sum(exp(u) / sum(exp(u), axis=1, keepdims=true) * u)", "u"
    yield "sum(exp(u - logsumexp(u, axis=0, keepdims=true)) * u)", "u"
    yield "sum(log(sum(exp(u * a), axis=1)) * w)", "auw"
    yield "logsumexp(softmax(u) * log_softmax(u, axis=0))", "u"


# The body, the states with their inits, what it runs over. `%` stands for the clause of steps.
LOOPS = [
    ("x[t] = x[t-1] * a", "x = b", ""),
    ("x[t] = tanh(W @ x[t-1] + b)", "x = a", ""),
    ("x[t] = tanh(x[t-1] @ W + u[t])", "x = a", "u"),
    ("x[t] = tanh(x[t-1] @ W + u[t] * u[t-2])", "x = a", "u"),
    ("x[t] = tanh(x[t-1] @ W + u[t+1] - u[t-1])", "x = a", "u"),
    ("x[t] = sin(x[t-1] + 0.3 * x[t-2] * a)", "x = x0", ""),
    ("x[t] = 0.5 * x[t-2] + u[t] * s", "x = x0", "u"),
    ("x[t] = x[t+1] * a + u[t]", "x = b", "u"),
    ("x[t] = tanh(W @ x[t+2]) + x[t+1] * u[t]", "x = x0", "u"),
    ("p = x[t-1] * s; x[t] = sin(p) + p * y[t-1]; y[t] = x[t] * y[t-1] + u[t]", "x = a, y = b", "u"),
    ("x[t] = y[t-1] * a; y[t] = x[t-1] + 0.1 * x[t] * W[1]", "x = a, y = b", ""),
    ("x[t] = x[t-1] * (0.9 + 0.01 * f64(t))", "x = a", ""),
    ("n[t] = n[t-1] + 1; x[t] = x[t-1] / f64(n[t])", "n = 0, x = a", ""),
    ("x[t] = x[t-1] with [1] = s * x[t-1, 0]", "x = a", ""),
    ("x[t] = x[t-1] with [0] += w[t]", "x = a", "w"),
    ("x[t] = if w[t] > 0 then x[t-1] * s else sin(x[t-1])", "x = a", "w"),
    ("x[t] = where(x[t-1] > 0, x[t-1] * a, b)", "x = a", ""),
    ("x[t] = x[t-1] + sum(scan j over a { r[j] = sin(a[j] * x[t-1, 0]) })", "x = b", ""),
    ("x[t] = (scan j for 2 from z = x[t-1] { z[j] = tanh(W @ z[j-1] + u[t]) }).final", "x = a", "u"),
    ("x[t] = a * w[t]", "", "w"),
    ("x[t] = u[t] @ W", "", "u"),
    ("x[t] = x[t-1] - 0.1 * grad(sum((W @ b) * sin(b)), b) * x[t-1]", "x = a", ""),
    ("x[t] = grad(sum(sin(b * s)), b) * f64(t)", "", "w"),
    ("x[t] = max(x[t-1]) * a + u[t]", "x = b", "u"),
    ("x[t] = softmax(W @ x[t-1]) * u[t] + mean(x[t-1])", "x = a", "u"),
    ("x[t] = x[t+1] - log_softmax(outer(x[t+1], u[t]), axis=0)[1] * s + std(x[t+1] * a)", "x = a", "u"),
    ("x[t] = tanh(logsumexp(outer(x[t-1], a), axis=(0,)) - logsumexp(W * u[t]) + var(u) * norm(x[t-1]))", "x = b", "u"),
    ("x[t] = x[t-1]; y[t] = y[t-1] * x[t-1]", "x = a, y = b", ""),
]


def loops():
    for (body, inits, over), steps, mode in itertools.product(LOOPS, (0, 1, 2, 5), ("final", "trace", "last", "mixed")):
        if mode in ("final", "mixed") and not inits or steps == 0 and mode == "last":
            continue
        if over and steps == 5 and ("t-2" in body or "t-1]\"" in body or "t+1" in body and "t-1" in body):
            continue                                        # u is too short for that many
        counted = f"k{steps}" if steps != 2 else "2"        # an input, so that the number is not known, and a constant
        head = f"scan t {'over ' + over if over else ''} for {counted} {'from ' + inits if inits else ''}"
        if over and steps == 5:
            head = head.replace(f"for {counted}", "")       # all rows
        final = {"final": "sum(S.final.x * a)", "trace": "sum(sin(S.x))", "last": "sum(S.x[-1])",
                 "mixed": "sum(S.x) * s + sum(S.final.x)"}[mode]
        if "," in inits and "y" in inits:
            final += " + sum(S.final.y)" if mode != "trace" else " + sum(S.y[:1])"
        policy = "checkpoint 2" if mode == "last" else ""
        yield f"{{ S = {head} {policy} {{ {body} }}; {final} }}", INPUTS


def untils():
    """The number of steps must not change within the difference: thresholds are far from the values."""
    for stop, final in itertools.product(("t == 2", "x[t] > 100", "sum(y[t]) > 50", "t >= 9"),
                                         ("x.final", "x[-1]")):
        body = "x[t] = x[t-1] * (3 + s); y[t] = y[t-1] * 2 + a"
        whole = {"x.final": "S.final.x + sum(S.final.y * b)", "x[-1]": "S.x[-1] + sum(S.y)"}[final]
        for clause in ("for 8", ""):
            yield f"{{ S = scan t {clause} from x = 2 + s, y = 3 + a {{ {body}; until {stop} }}; {whole} }}", INPUTS
    yield "sum(scan t over u { r[t] = u[t] * w[0]; until t == 3 })", INPUTS
    yield "{ S = scan t over u from x = a { x[t] = x[t-1] * u[t] + W[0]; until t == 3 }; sum(S.final * b) + sum(S[:2]) }", INPUTS


# ---- programs ---------------------------------------------------------------------------------

def shifted(case, names, k):
    """The call of a case with its inputs moved by k H d."""
    return f"{case}({', '.join(f'{n} + {k * H!r} * d_{n}' for n in names)})"


def main():
    cases = [(t, n) for source in (elementwise(), [(t, INPUTS) for t in EXPRESSIONS], composites(), loops(), untils()) for t, n in source]
    tally, data, way = Tally(), values(), values()
    prelude = "".join(f"k{k} : i64 = {k}\n" for k in (0, 1, 5))
    for name, v in data.items():
        sizes = str(list(v.shape)) if v.ndim else ""
        prelude += f"{name} : f64{sizes} = {text(v)}\nd_{name} : f64{sizes} = {text(way[name])}\n"
    lines, about = [], []
    for i, (body, uses) in enumerate(cases):
        names = [n for n in INPUTS if n in uses]
        case, inputs = f"case{i}", ", ".join(names)
        prelude += f"{case}({inputs}) = {body}\n"
        call, wrt = f"{case}({inputs})", f"[{inputs}]"
        grads = f"{{ g = grad({call}, {wrt}, unconnected=zero); "
        dot = " + ".join(f"sum(g[{k}] * d_{n})" for k, n in enumerate(names))
        difference = (f"(8 * ({shifted(case, names, 1)} - {shifted(case, names, -1)}) - {shifted(case, names, 2)} "
                      f"+ {shifted(case, names, -2)}) / {12 * H!r}")
        lines.append(f"{grads}({dot}, {difference}) }}")
        about.append((body, "gradient, difference"))
        along = f"[{', '.join('d_' + m for m in names)}]"
        first = f"jvp({call}, {wrt}, {along})"
        lines.append(f"{grads}({first}, {dot}) }}")
        about.append((body, "forward, reverse"))
        lines.append(f"(jvp({first}, {wrt}, {along}), {{ g = grad({first}, {wrt}, unconnected=zero); {dot} }})")
        about.append((body, "forward over forward, reverse over forward"))
        lines.append(f"(jvp({first}, {wrt}, {along}), {grads}jvp({dot}, {wrt}, {along}) }})")
        about.append((body, "forward over forward, forward over reverse"))
        if i % 5 == 0:
            second = f"jvp({first}, {wrt}, {along})"
            lines.append(f"(jvp({second}, {wrt}, {along}), {{ g = grad({second}, {wrt}, unconnected=zero); {dot} }})")
            about.append((body, "third derivative, forward and reverse"))
        if i % 3 == 0:                                      # second order: the gradient of |gradient|^2 of one input
            n = names[0]
            inner = f"({', '.join(names)}) -> sum(sqr(grad({call}, {n}, unconnected=zero)))"
            move = [f"({inner})({', '.join(m + (f' + {k * H!r} * d_{m}' if m == n else '') for m in names)})"
                    for k in (1, -1, 2, -2)]
            lines.append(f"(sum(grad(({inner})({inputs}), {n}, unconnected=zero) * d_{n}), "
                         f"(8 * ({move[0]} - {move[1]}) - {move[2]} + {move[3]}) / {12 * H!r})")
            about.append((body, "second derivative, difference"))
    for (body, what), got in zip(about, batch(lines, prelude, size=200)):
        pair = decode(got) if got["kind"] == "value" else None
        bound = 5e-6 if what.startswith("second") else 2e-7  # H^4 times a higher derivative
        ok = pair is not None and np.isfinite(pair[1]) and abs(pair[0] - pair[1]) <= bound * max(1, abs(pair[1]))
        tally.check(ok, lambda: f"{body}\n  {what}: {pair and [float(v) for v in pair]} {got.get('message', '')}")
    tally.end()


if __name__ == "__main__":
    main()
