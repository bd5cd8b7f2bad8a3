#!/usr/bin/python3
"""Every operator through every writer of :export, alone and as an operand of every other.

    export_operators.py [--gradus PROGRAM] [--share N] [--targets c,numpy,..] [--show]

Each operator of `:ops` has a form here, or a reason why it has none; one that has neither is a failure.  Of each form
each operand is replaced by every form of its type: in f64, and in f32 where that is another type.  What gradus can
evaluate is exported, many expressions to a file, with the rules on and, so that what is written is as it was put
together, with the rules off.  C is compiled and run, and NumPy, and PyTorch and Numba where they are asked for; JAX, and
these if not asked for, have to be Python (ast.parse).  --share N takes one in N of those with an operand replaced, and the others in f64 with the rules on.
The last line is "N passed, N failed".
"""
import argparse
import ast
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS / "soak")]
import export  # noqa: E402
import export_programs  # noqa: E402
import runs  # noqa: E402

BATCH = 40
TARGETS = ("c", "numpy", "numba", "jax", "torch")

# Types: s a float, v f[3], m f[3, 3], k i64[3], i i64, b bool[3], o bool.  Leaves of each.
LEAVES = {"s": "a", "v": "x", "m": "A", "k": "p", "i": "n", "b": "t", "o": "c"}
INPUTS = """x : f64[3] = [0.3, 1.25, 0.7]
y : f64[3] = [0.6, -0.4, 1.5]
a : f64 = 0.8
A : f64[3, 3] = [[0.9, 0.2, -0.4], [0.1, 1.2, 0.3], [0.5, -0.6, 1.1]]
p : i64[3] = [2, 1, 3]
q : i64[3] = [1, 3, 2]
n : i64 = 2
t : bool[3] = [true, false, true]
u : bool[3] = [true, true, false]
c : bool = true"""

# By operator: forms "result < operands: text"; other operands than those in braces stay what they are.
FORMS = {
    "check": ["v < b v: {{ check({0}, \"no\"); {1} }}", "s < o s: {{ check({0}, \"a \\\"b\\\" %d ??/\"); {1} }}"],
    "match_shape": ["v < v v: vmap((r, l) -> r - l)({0}, {1})"],
    "stop_gradient": ["v < v: stop_gradient({0})", "s < s: stop_gradient({0})"],
    "scan": ["s < s v: (scan j over w = {1} from h = {0} {{ h[j] = h[j-1] * w[j] }}).final",
             "v < s v: scan j over w = {1} from h = {0} {{ h[j] = w[j] - h[j-1] }}",
             "i < s v: (scan j over w = {1} from h = {0} {{ h[j] = w[j] - h[j-1]; until h[j] < 0 }}).steps"],
    "ifelse": ["s < s o: if c then (if {1} then {0} * 2 else sin({0}) * {0}) else {0}", "v < o v v: if {0} then {1} else {2}", "s < o s s: if {0} then {1} else {2}"],
    "call": ["v < v: (w -> w * w)({0})"],
    "grad": ["v < v: {{ w = {0}; grad(sum(w * w * w), w) }}", "s < s: {{ w = {0}; grad(sin(w) * w, w) }}"],
    "vmap": ["v < m: vmap(r -> sum(r) * r[0])({0})"],
    "where": ["v < b v v: where({0}, {1}, {2})", "v < o v s: where({0}, {1}, {2})", "s < o s s: where({0}, {1}, {2})",
              "v < b s v: where({0}, {1}, {2})"],
    "cast": ["v < k: FLOAT({0})", "k < v: i64({0} * 1e300 / 0 * sign({0} - 0.5))", "k < v: i64({0})", "b < v: bool({0})", "k < b: i64({0})", "s < o: FLOAT({0})", "i < s: i64({0})",
             "v < v: FLOAT(f32({0}))", "k < k: i64(i32({0}))"],
    "neg": ["v < v: -{0}", "s < s: -{0}", "k < k: -{0}"],
    "abs": ["v < v: abs({0})", "k < k: abs({0})"],
    "sign": ["v < v: sign({0})", "k < k: sign({0})"],
    "sqr": ["v < v: sqr({0})", "k < k: sqr({0})", "s < s: sqr({0})"],
    "reciprocal": ["v < v: 1 / {0}", "s < s: reciprocal({0})"],
    "floor": ["v < v: floor({0})"], "isnan": ["b < v: isnan({0})"], "isinf": ["b < v: isinf({0})"],
    "isfinite": ["b < v: isfinite({0})"],
    "add": ["v < v v: {0} + {1}", "v < s v: {0} + {1}", "s < s s: {0} + {1}", "k < k k: {0} + {1}", "v < v b: {0} + {1}"],
    "sub": ["v < v v: {0} - {1}", "s < s s: {0} - {1}", "k < k k: {0} - {1}", "i < i i: {0} - {1}"],
    "mul": ["v < v v: {0} * {1}", "s < s s: {0} * {1}", "k < k k: {0} * {1}", "v < b v: {0} * {1}"],
    "div": ["v < v v: {0} / {1}", "s < s s: {0} / {1}", "v < s v: {0} / {1}", "v < k k: FLOAT({0} / {1})"],
    "floordiv": ["v < v v: {0} // {1}", "k < k k: {0} // {1}", "i < i i: {0} // {1}"],
    "mod": ["v < v v: {0} % {1}", "k < k k: {0} % {1}"],
    "pow": ["v < v v: {0} ^ {1}", "k < k k: {0} ^ {1}", "s < s s: {0} ^ {1}"],
    "minimum": ["v < v v: minimum({0}, {1})", "k < k k: minimum({0}, {1})"],
    "maximum": ["v < v v: maximum({0}, {1})", "k < k k: maximum({0}, {1})"],
    "polygamma": ["v < v: polygamma(2, {0})"], "ierfcx": ["v < v: ierfcx(1, {0})"],
    "logical_not": ["b < b: not {0}", "o < o: not {0}"],
    "logical_and": ["b < b b: {0} and {1}", "o < o o: {0} and {1}"],
    "logical_or": ["b < b b: {0} or {1}", "o < o o: {0} or {1}"],
    "bitwise_not": ["k < k: bitwise_not({0})", "b < b: bitwise_not({0})"],
    "bitwise_and": ["k < k k: bitwise_and({0}, {1})", "b < b b: bitwise_and({0}, {1})"],
    "bitwise_or": ["k < k k: bitwise_or({0}, {1})"], "bitwise_xor": ["k < k k: bitwise_xor({0}, {1})", "b < b b: bitwise_xor({0}, {1})"],
    "left_shift": ["k < k k: left_shift({0}, {1})"], "right_shift": ["k < k k: right_shift({0}, {1})"],
    "sum": ["s < v: sum({0})", "v < m: sum({0}, axis=0)", "i < k: sum({0})", "i < b: sum({0})"],
    "prod": ["s < v: prod({0})", "v < m: prod({0}, axis=1)"],
    "max": ["s < v: max({0})", "v < m: max({0}, axis=0)"], "min": ["s < v: min({0})", "i < k: min({0})"],
    "ptp": ["s < v: ptp({0})", "v < m: ptp({0}, axis=1)"],
    "any": ["o < b: any({0})"], "all": ["o < b: all({0})"],
    "argmax": ["i < v: argmax({0})", "k < m: argmax({0}, axis=1)", "i < b: argmax({0})"], "argmin": ["i < v: argmin({0})"],
    "cumsum": ["v < v: cumsum({0})", "m < m: cumsum({0}, axis=1, reverse=true)"],
    "cumprod": ["v < v: cumprod({0})", "m < m: cumprod({0}, axis=0)"], "cummax": ["v < v: cummax({0})", "m < m: cummax({0}, axis=0)"],
    "softmax": ["v < v: softmax({0})", "m < m: softmax({0}, axis=0)"], "log_softmax": ["v < v: log_softmax({0})", "m < m: log_softmax({0}, axis=1)"],
    "logsumexp": ["s < v: logsumexp({0})", "v < m: logsumexp({0}, axis=1)"],
    "mean": ["s < v: mean({0})", "v < m: mean({0}, axis=0)"], "var": ["s < v: var({0}, ddof=1)", "v < m: var({0}, axis=0)"],
    "std": ["s < v: std({0})"], "norm": ["s < v: norm({0})", "v < m: norm({0}, axis=1)"],
    "dim": ["i < m: size({0}, 1)"], "reshape": ["v < m: reshape({0}, (9,))[2:5]", "m < m: reshape(reshape({0}, (9,)), (3, 3))"],
    "transpose": ["m < m: {0}'", "m < m: ({0}[:, :, None] * {0}[:, None, :])[:, 1]'"],
    "broadcast": ["m < v: {0}[:, None] + zeros((3, 3))", "v < s: full((3,), {0})", "m < s: full((3, 3), {0})"],
    "expand_dims": ["m < v: {0}[:, None] * {0}"], "squeeze": ["v < v: squeeze({0}[None], axis=0)"],
    "concat": ["v < v v: concat(({0}, {1}), axis=0)[2:5]", "v < s s s: [{0}, {1}, {2}]", "m < v v v: stack(({0}, {1}, {2}))"],
    "flip": ["v < v: {0}[::-1]", "m < m: flip({0}, axis=1)"], "iota": ["k < i: arange({0} * 0 + 3)"], "triangle": ["m < m: tril({0}, k=-1)", "m < m: triu({0})"],
    "eye": ["m < m: eye(3) @ {0}", "m < i: eye(3, 3, k={0} % 2)"], "one_hot": ["m < k: one_hot({0} % 3, 3)"],
    "trace": ["s < m: trace({0})"], "diag": ["v < m: diag({0})", "m < v: diag({0})", "m < v: diag({0}[1:], k=-1)"],
    "roll": ["v < v: roll({0}, 1)", "m < m i: roll({0}, {1}, axis=1)"], "pad": ["v < v s: pad({0}[1:], (1, 0), constant_values={1})", "m < m: pad({0}[1:, :2], ((1, 0), (0, 1)))"],
    "conv2d": ["m < m m: conv2d({0}, {1}[:2], pad=1)[:3, :3]", "v < m v: conv2d({0}, {1}[None])[:, 0]",
               "m < m m: conv2d({0}[None], [[{1}], [{0}]], stride=2, pad=2)[0]"],
    "max_pool": ["v < m: max_pool({0}, (1, 3))[:, 0]", "m < m: max_pool({0}, 2, stride=1, pad=1)[1:, 1:]"],
    "repeat": ["v < v: repeat({0}[:1], 3)", "m < m: repeat({0}[:1], 3, axis=0)"], "linspace": ["v < s s: FLOAT(linspace({0}, {1}, 3))"],
    "index": ["s < v: {0}[1]", "v < m: {0}[:, 2]", "v < m i: {0}[{1} % 3]", "i < k: {0}[-1]"],
    "slice": ["m < m: {0}[:, ::-1]", "v < v: concat(({0}[1:], {0}[:1]), axis=0)", "v < v: concat(({0}[::2], {0}[1:2]), axis=0)"],
    "gather": ["v < v k: {0}[{1} % 3]", "m < v: {0}[[[0, 1, 2], [2, 1, 0], [1, 1, 2]]]", "m < m k: {0}[:, {1} % 3]"],
    "set_index": ["v < v s: {0} with [1] = {1}", "m < m v: {0} with [:, 1] += {1}", "m < m s: {0} with [2] = {1}"],
    "set_slice": ["v < v v: {0} with [1:] = {1}[1:]", "m < m m: {0} with [:, :2] += {1}[:, 1:]"],
    "scatter": ["v < v k v: {0} with [{1} % 3] += {2}", "m < m k m: {0} with [:, {1} % 3] += {2}", "m < m m: {0} with [[0, 2, 0]] += {1}",
                "v < v k: {0} with [{1} % 3] += 1"],
    "sort": ["v < v: sort({0})", "m < m: sort({0}, axis=0)"], "argsort": ["k < v: argsort({0})", "k < m: argsort({0}, axis=1)[1]"],
    "searchsorted": ["k < v v: searchsorted(sort({0}), {1})"],
    "matmul": ["v < m v: {0} @ {1}", "m < m m: {0} @ {1}", "s < v v: {0} @ {1}", "v < v m: {0} @ {1}", "k < k: ({0}[:, None] * {0}) @ {0}"],
    "cholesky": ["m < m: cholesky({0} @ {0}' + 4 * eye(3))"], "solve": ["v < m v: solve({0} @ {0}' + 4 * eye(3), {1})"],
    "solve_triangular": ["v < m v: solve_triangular(tril({0}) + 4 * eye(3), {1})"],
    "inv": ["m < m: inv({0} @ {0}' + 4 * eye(3))"], "det": ["s < m: det({0} + 4 * eye(3))"], "slogdet": ["s < m: slogdet({0} @ {0}' + eye(3))[1]"],
    "dft": ["m < m m: dft({0}, {1})[1]", "v < v: dft({0})[1] + dft({0})[0]", "m < m: dft({0})[0]"],
    "qr": ["m < m: qr({0} + 4 * eye(3))[1]", "m < m: qr({0} + 4 * eye(3))[0]"], "svd": ["v < m: svd({0} + 4 * eye(3))[1]"],
    "eigh": ["v < m: eigh({0} @ {0}' + eye(3))[0]"], "pinv": ["m < m: pinv({0} + 4 * eye(3))"],
    "rng": ["v < i: FLOAT(uniform(rng({0}), 3)[0])"], "split_rng": ["v < i: FLOAT(uniform(split(rng({0}), 2)[1], 3)[0])"],
    "uniform": ["v < v: FLOAT(uniform(rng(1), 3)[0]) - {0}"], "normal": ["v < v: FLOAT(normal(rng(2), 3)[0]) * {0}"],
    "bernoulli": ["b < v: bernoulli(rng(3), sigmoid({0}))[0]"], "randint": ["k < k: randint(rng(4), 9, 3)[0] - {0}"],
    "categorical": ["i < v: categorical(rng(5), {0} * {0} + 0.1)[0]"], "permutation": ["k < k: permutation(rng(6), 3)[0] - {0}"],
}
UNARY = """one_minus_sqr sqrt rsqrt exp exp2 expm1 log log2 log10 log1p sin cos sinpi cospi tan asin acos atan sinh cosh tanh asinh acosh
atanh sigmoid softplus relu log1mexp erf erfc erfcx logerfc erfinv lgamma digamma ceil round trunc""".split()
BINARY = "atan2 logaddexp xlogy hypot".split()
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
# Operators that no form has, and why.
NONE = dict.fromkeys("param const input shared size tuple proj hole".split(), "what others are made of") | dict.fromkeys("not and or".split(), "signs") | dict.fromkeys(
    "loop fused gemm gemv ger".split(), "made by later passes") | {
    "vjp": "taken apart, as grad", "jvp": "taken apart, as grad", "peak": "part of logsumexp", "recurrence": "of derivatives"}

# On these the writers refuse, with a place: random numbers are those of gradus in C alone.
REFUSED = re.compile(r"no generator that gives the same random numbers|has no function `(ierfcx|dft|qr|svd|eigh|pinv)`|has no equivalent of `(qr|svd|eigh|pinv)`")


class Form:
    def __init__(self, op, line):
        head, self.text = line.split(": ", 1)
        self.op = op
        self.out, self.operands = head.split(" < ")[0], head.split(" < ")[1].split()


def forms():
    out = [Form(op, line) for op, lines in FORMS.items() for line in lines]
    out += [Form(op, f"v < v: {op}({{0}})") for op in UNARY] + [Form(op, f"v < v v: {op}({{0}}, {{1}})") for op in BINARY]
    out += [Form(op, f"s < s: {op}({{0}})") for op in ("exp", "sigmoid", "erf", "relu", "softplus", "lgamma")]
    for op, sign in COMPARE.items():
        out += [Form(op, f"b < v v: {{0}} {sign} {{1}}"), Form(op, f"o < s s: {{0}} {sign} {{1}}"), Form(op, f"b < k k: {{0}} {sign} {{1}}")]
    return out


OTHERS = {"v": "y", "k": "q", "b": "u"}  # so that two operands are not one


def leaf(kind, k):
    return OTHERS.get(kind, LEAVES[kind]) if k else LEAVES[kind]


def expressions():
    """(text, operators)"""
    all_forms = forms()
    for f in all_forms:
        yield f.text.format(*(leaf(t, k) for k, t in enumerate(f.operands))), (f.op,)
        for k, t in enumerate(f.operands):
            for g in all_forms:
                if g.out == t:
                    inner = "(" + g.text.format(*(leaf(u, j) for j, u in enumerate(g.operands))) + ")"
                    yield f.text.format(*(inner if j == k else leaf(u, j) for j, u in enumerate(f.operands))), (f.op, g.op)


def in_f32(text):
    return re.sub(r"f64|FLOAT", "f32", text)


def run(gradus, lines):
    with tempfile.NamedTemporaryFile("w", suffix=".gr", delete=False) as f:
        f.write("\n".join(lines) + "\n")
    try:
        done = subprocess.run([gradus, "--json", f.name], capture_output=True, text=True, timeout=900, check=False)
    finally:
        os.unlink(f.name)
    if done.returncode not in (0, 1):
        sys.exit(f"exit status {done.returncode}: {done.stderr[-400:]}")
    return [json.loads(x) for x in done.stdout.splitlines()]


def values_of(gradus, head, texts):
    """{text: value} of those that have one."""
    lines = [line for k, t in enumerate(texts) for line in (f"e_{k} = {t}", f"e_{k}")]
    objects = run(gradus, head + lines)
    return {texts[int(o["name"][2:])]: o for o in objects if o["kind"] == "value" and o["name"].startswith("e_")}


class Counts:
    def __init__(self):
        self.passed, self.failed, self.refused = collections.Counter(), collections.Counter(), collections.Counter()

    def fail(self, target, text, why):
        self.failed[target] += 1
        if self.failed[target] <= 12:
            print(f"FAILED: {target}: {text}: {why}")


def batch(o, head, target, texts, values, folder, counts, runs):
    """One file with all of them; where that fails, one with each."""
    file = pathlib.Path(folder, f"f{abs(hash((target, texts[0], len(texts))))}.{'c' if target == 'c' else 'py'}")
    tuple_text = texts[0] if len(texts) == 1 else "(" + ", ".join(texts) + ")"
    objects = run(o.gradus, [*head, f":export {tuple_text} {file} to={target} values=on"])
    wrong = next((x for x in objects if x["kind"] == "error"), None)
    if wrong:
        if len(texts) > 1:
            return [g for t in texts for g in batch(o, head, target, [t], values, folder, counts, runs)]
        if wrong["code"] == "export" and REFUSED.search(wrong["message"]) and wrong["line"]:
            counts.refused[target] += 1
        else:
            counts.fail(target, texts[0], wrong["message"])
        return []
    if not runs:
        try:
            ast.parse(file.read_text(encoding="utf-8"))
            counts.passed[target] += len(texts)
        except SyntaxError as e:
            counts.fail(target, tuple_text[:200], e)
        return []
    return [(file, texts)]


def judge(o, head, target, file, texts, values, folder, counts, printed, wrong):
    close = 1e-4 if any("f32" in line for line in head) else 1e-8  # also of what was f32 on the way
    got = [x for p in printed or [] for x in export.leaves(p)]
    expected = [x for t in texts for x in export.leaves(values[t])]
    # What a nan spreads to in a system of equations depends on the order of the steps.
    spreads = all("nan" in str(x["value"]) for x in expected) and re.search("solve|inv|det|cholesky", texts[0])
    if not wrong and len(got) == len(expected) and (spreads or all(export.same(x, y, close) for x, y in zip(expected, got))):
        counts.passed[target] += len(texts)
    elif len(texts) > 1:
        for t in texts:
            for f, one in batch(o, head, target, [t], values, folder, counts, True):
                judge(o, head, target, f, one, values, folder, counts, *export_programs.run_file(target, f))
    else:
        counts.fail(target, texts[0], wrong[1] if wrong else f"{got[0]['value']} and not {expected[0]['value']}")


def all_of(o, head, exprs, counts, pool, targets):
    values = values_of(o.gradus, head, exprs)
    texts = list(values)
    if len(texts) < 0.9 * len(exprs):
        counts.fail("all", "gradus", f"has values of {len(texts)} of {len(exprs)} expressions only")
    with tempfile.TemporaryDirectory(prefix="gradus-export-") as folder:
        for target in targets:
            runs = target in o.run
            parts = [texts[k:k + BATCH] for k in range(0, len(texts), BATCH)]
            written = [w for part in pool.map(lambda p: batch(o, head, target, p, values, folder, counts, runs), parts) for w in part]
            results = pool.map(lambda w: export_programs.run_file(target, w[0]), written) if target == "c" else (
                export_programs.run_file(target, w[0]) for w in written)
            for (file, part), (printed, wrong) in zip(written, results):
                judge(o, head, target, file, part, values, folder, counts, printed, wrong)
    return len(texts)


def main():
    args = argparse.ArgumentParser(description="every operator through every writer")
    args.add_argument("--gradus", default=str(TESTS.parent / "build" / "gradus"))
    args.add_argument("--share", type=int, default=1)
    args.add_argument("--targets", default=",".join(TARGETS))
    args.add_argument("--run", default="c,numpy", help="those whose files are run")
    o = args.parse_args()
    os.environ["GRADUS_NATIVE"] = "off"
    o.run = [t for t in o.run.split(",") if export_programs.available(t)]
    targets = [t for t in o.targets.split(",") if t in o.run or t not in ("c", "numpy")]
    counts = Counts()
    known = {f.op for f in forms()} | set(NONE)
    for line in run(o.gradus, [":ops"])[0]["text"].splitlines():
        if line.split()[1] != "prelude" and line.split()[0] not in known:
            counts.fail("all", line.split()[0], "an operator without a form in tests/export_operators.py")
    alone = list(dict.fromkeys(t for t, ops in expressions() if len(ops) == 1))
    exprs = [t for t in dict.fromkeys(t for t, _ in expressions()) if t not in alone][::o.share]
    off = runs.switched_off(o.gradus)
    total = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for single in (False, True):
            for rules in ([], off):
                dtype = (lambda t: in_f32(t)) if single else (lambda t: t.replace("FLOAT", "f64"))
                head = [dtype(line) for line in INPUTS.splitlines()] + rules
                some = exprs[int(single) + 2 * bool(rules)::4] if o.share > 1 else exprs
                some = some + alone if o.share == 1 or not (single or rules) else some
                total += all_of(o, head, list(dict.fromkeys(map(dtype, some))), counts, pool, targets)
    for target in targets:
        print(f"{target}: {counts.passed[target]} of {total} {'agree' if target in o.run else 'are Python'}, {counts.failed[target]} "
              f"not, {counts.refused[target]} cannot be said")
    print(f"{sum(counts.passed.values())} passed, {sum(counts.failed.values())} failed")
    return sum(counts.failed.values()) > 0


if __name__ == "__main__":
    sys.exit(main())
