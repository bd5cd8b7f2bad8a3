#!/usr/bin/python3
"""Operators of the language against NumPy: dtype, shape and values of thousands of statements.

The elementwise operators, their oracles and domains come from core/ops/elem.def; all else is listed here.
Where the language decides otherwise than NumPy (bools, weak numbers, empty extremes), the oracle says so.
"""
import itertools
import math
import re
import statistics
import warnings

import numpy as np
from run import DTYPES, ROOT, Tally, batch, decode, same

SHAPES = [(), (1,), (3,), (0,), (2, 3), (1, 3), (2, 1), (3, 3), (2, 0), (2, 3, 4), (1, 1, 3)]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, math.inf, -math.inf, math.nan, 1e300, -1e-300]
ERROR = object()                                            # the statement must fail
rng = np.random.default_rng(20240607)


def text(a):
    """A value as the language writes it."""
    if isinstance(a, np.ndarray) and a.ndim:
        return f"zeros({tuple(a.shape)}, dtype={NAMES[a.dtype]})" if not a.size else f"[{', '.join(map(text, a))}]"
    v = a.item() if isinstance(a, (np.ndarray, np.generic)) else a
    if isinstance(v, bool):
        return str(v).lower()
    return repr(v)


NAMES = {np.dtype(t): name for name, t in DTYPES.items()}


class Pool:
    """The inputs, declared once at the head of each program."""

    def __init__(self):
        self.lines, self.values = [], {}

    def add(self, value):
        name = f"v{len(self.values)}"
        sizes = f"[{', '.join(map(str, value.shape))}]" if value.ndim else ""
        self.lines.append(f"{name} : {NAMES[value.dtype]}{sizes} = {text(value)}\n")
        self.values[name] = value
        return name

    def draw(self, dtype, shape, lo=-3, hi=3):
        if dtype == "bool":
            value = rng.random(shape) < 0.5
        elif dtype[0] == "i":
            value = rng.integers(math.ceil(lo), math.floor(hi) + 1, shape)
        else:
            value = np.round(rng.uniform(lo, hi, shape), 4)
        return self.add(np.asarray(value, DTYPES[dtype]))


class Cases:
    def __init__(self):
        self.pool, self.rows, self.cache = Pool(), [], {}

    def operand(self, dtype, shape, lo=-3, hi=3):
        """An input that serves many statements: (name, value)."""
        key = dtype, shape, lo, hi
        if key not in self.cache:
            self.cache[key] = self.pool.draw(dtype, shape, lo, hi)
        return self.cache[key], self.pool.values[self.cache[key]]

    def add(self, line, want, rtol=1e-13):
        """want: the value, or a function that gives it; an exception means that the statement must fail."""
        if callable(want):
            with np.errstate(all="ignore"):
                try:
                    want = want()
                except (ValueError, IndexError, TypeError, ZeroDivisionError):
                    want = ERROR
        self.rows.append((line, want, rtol))

    def run(self, tally):
        results = batch([row[0] for row in self.rows], "".join(self.pool.lines))
        for (line, want, rtol), got in zip(self.rows, results):
            if want is ERROR:
                tally.check(got["kind"] == "error", lambda: f"{line}\n  an error was expected, ours {got}")
                continue
            ours = decode(got) if got["kind"] == "value" else None
            tol = max(rtol, 1e-6) if np.asarray(want).dtype == np.float32 else rtol
            tally.check(same(ours, want, rtol=tol, atol=1e-300),
                        lambda: f"{line}\n{difference(ours, np.asarray(want), got.get('message'))}{self.where(line)}")

    def where(self, line):
        names = dict.fromkeys(re.findall(r"v\d+", line))
        return "".join(f"  with {self.pool.lines[int(n[1:])][:200].rstrip()}\n" for n in names)


def difference(ours, theirs, message):
    """In a few lines what differs: the error, the types, or the first unequal elements."""
    if ours is None or isinstance(ours, list):
        return f"  ours  {message or ours}\n  numpy {theirs.dtype}{list(theirs.shape)} {theirs.ravel()[:6]}\n"
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return f"  ours  {ours.dtype}{list(ours.shape)}\n  numpy {theirs.dtype}{list(theirs.shape)}\n"
    bad = [i for i in np.ndindex(*ours.shape) if not same(ours[i], theirs[i], rtol=1e-15)][:4]
    return "".join(f"  at {list(i)}: ours {ours[i]!r}, numpy {theirs[i]!r}\n" for i in bad)


# ---- elementwise -----------------------------------------------------------------------------

EXACT = ("lgamma", "digamma", "erfinv", "erfcx", "logerfc")              # their oracles know only the domain
LOOSE = {"erfinv": 1e-9, "lgamma": 1e-11, "log1mexp": 1e-12, "sigmoid": 1e-12, "erfc": 1e-12, "tan": 1e-12}


def digamma(x):
    x, shift = np.asarray(x, float), 0.0
    while np.any(x < 12):
        shift, x = shift - np.where(x < 12, 1 / x, 0), np.where(x < 12, x + 1, x)
    s = 1 / x ** 2
    return shift + np.log(x) - 0.5 / x - s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s / 132))))


def fields(row):
    """The arguments of a row of elem.def: split at commas outside parentheses and strings."""
    out, depth, quoted = [""], 0, False
    for ch in row:
        quoted ^= ch == '"'
        depth += 0 if quoted else (ch == "(") - (ch == ")")
        if ch == "," and not depth and not quoted:
            out.append("")
        else:
            out[-1] += ch
    return [f.strip().strip('"') for f in out]


def elementwise_rows():
    """(arity, name, how it treats integers, derivatives, oracle, lo, hi) of each row."""
    for line in (ROOT / "core/ops/elem.def").read_text(encoding="utf-8").splitlines():
        if m := re.match(r"ELEM([12])\((.*)\)$", line):
            row = fields(m[2])
            arity, n = int(m[1]), 5 + int(m[1])
            yield arity, row[1], row[4].split("(")[0], row[5:n], row[n], float(row[n + 1]), float(row[n + 2])


def call(name, *args):
    if name in ("and", "or"):
        return f"({args[0]}) {name} ({args[1]})"
    return f"not {args[0]}" if name == "not" else f"{name}({', '.join(args)})"


def promote(*dtypes):
    """Of two or more strong dtypes, as NumPy."""
    out = np.result_type(*[DTYPES[d] for d in dtypes])
    return NAMES[np.dtype(out)]


def oracle_value(name, kind, oracle, values):
    """The oracle in double precision (or whole numbers), rounded to the dtype that the language gives."""
    common = promote(*[NAMES[v.dtype] for v in values])
    whole = common[0] in "ib"
    if whole and kind == "FLOATS":
        common, whole = "f64", False
    if common == "bool" and kind in ("INT", "FAIL"):
        common = "i64"
    cast = DTYPES[common] if whole else np.float64
    scope = dict(zip("xz", (v.astype(DTYPES[common]).astype(cast) for v in values)))
    if name == "digamma":
        out = digamma(scope["x"])
    elif name == "xlogy":                                   # as SciPy: 0 * log(nan) is nan
        out = np.where((scope["x"] == 0) & ~np.isnan(scope["z"]), 0, scope["x"] * np.log(scope["z"]))
    else:
        if not scope["x"].size and "vectorize" in oracle:
            return scope["x"].astype(DTYPES[common])
        out = np.asarray(eval(oracle, {"np": np, "math": math, "statistics": statistics}, scope))
    if out.dtype == np.bool_ and common != "bool" or kind in ("TEST", "BOOLS"):
        return out.astype(np.bool_)
    return out.astype(DTYPES[common])


def elementwise(c):
    pairs = [((), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 3), ()), ((2, 1), (1, 3)), ((2, 3, 4), (3, 4)),
             ((2, 3, 4), (3, 1)), ((0,), (1,)), ((2, 0), ()), ((1,), (3,))]
    for arity, name, kind, _, oracle, lo, hi in elementwise_rows():
        if not oracle and name != "digamma":
            continue
        integers_only = name.startswith("bitwise") or name.endswith("shift")
        for dtype in DTYPES:
            if kind == "BOOLS" and dtype != "bool" or integers_only and dtype[0] == "f":
                continue
            if dtype[0] in "ib" and lo >= -1 and (hi <= 1 or name == "acosh" or name in EXACT):
                continue                                    # no whole number is in its domain
            low, high = lo, hi
            if dtype[0] == "i" and (high - low < 2 or kind == "FAIL"):
                low, high = 1, 3
            if dtype == "bool" and kind == "FAIL":
                continue
            for shapes in ([(s,) for s in SHAPES] if arity == 1 else pairs):
                names, values = zip(*[c.operand(dtype, s, low, high + (i and 1e-9)) for i, s in enumerate(shapes)])
                c.add(call(name, *names), lambda n=name, k=kind, o=oracle, v=values: oracle_value(n, k, o, v),
                      LOOSE.get(name, 1e-13))
        if integers_only or kind == "BOOLS" or name in EXACT:
            continue
        special = np.array(SPECIAL)
        if arity == 1:
            key = c.cache.setdefault("special", None) or c.pool.add(special)
            c.cache["special"] = key
            c.add(call(name, key), lambda n=name, k=kind, o=oracle: oracle_value(n, k, o, [special]), 1e-12)
        else:
            a, b = np.repeat(special, len(special)), np.tile(special, len(special))
            if "grid" not in c.cache:
                c.cache["grid"] = c.pool.add(a), c.pool.add(b)
            c.add(call(name, *c.cache["grid"]), lambda n=name, k=kind, o=oracle, v=(a, b): oracle_value(n, k, o, v), 1e-12)


# ---- promotion -------------------------------------------------------------------------------

INFIX = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.true_divide, "//": np.floor_divide,
         "%": np.remainder, "^": np.power, "<": np.less, "==": np.equal, ">=": np.greater_equal, "!=": np.not_equal}


def infix(op, x, z, dtype):
    if op in ("+", "-", "*", "/", "//", "%", "^") and dtype == "bool":
        dtype = "i64"
    if op == "/" and dtype[0] == "i":
        dtype = "f64"
    x, z = np.asarray(x).astype(DTYPES[dtype]), np.asarray(z).astype(DTYPES[dtype])
    if op in ("//", "%") and dtype[0] == "i" and np.any(z == 0):
        raise ZeroDivisionError
    return np.asarray(INFIX[op](x, z))


def promotion(c):
    for op, (a, b), (s, t) in itertools.product(INFIX, itertools.product(DTYPES, DTYPES),
                                                [((3,), ()), ((2, 3), (3,)), ((), ())]):
        x, z = c.operand(a, s, 1, 3), c.operand(b, t, 1, 2)
        c.add(f"{x[0]} {op} {z[0]}", lambda: infix(op, x[1], z[1], promote(a, b)))
        c.add(f"where({x[0]} > 1, {x[0]}, {z[0]})",
              lambda: np.where(x[1] > 1, x[1], z[1]).astype(DTYPES[promote(a, b)]))
    for op, dtype, literal in itertools.product(INFIX, DTYPES, ("2", "2.5", "3", "1e3", "true")):
        x = c.operand(dtype, (3,), 1, 3)
        value = {"true": True}.get(literal) or eval(literal)
        if literal == "true":
            common = dtype
        elif isinstance(value, float):
            common = dtype if dtype[0] == "f" else "f64"
        else:
            common = "i64" if dtype == "bool" else dtype
        c.add(f"{x[0]} {op} {literal}", lambda: infix(op, x[1], value, common))
        c.add(f"{literal} {op} {x[0]}", lambda: infix(op, value, x[1], common))
    for a, b in itertools.product(DTYPES, DTYPES):
        x = c.operand(a, (2, 3))
        c.add(f"{b}({x[0]})", x[1].astype(DTYPES[b]))
    special = c.pool.add(np.array([math.nan, math.inf, -math.inf, 2.9, -2.9, 1e10, -0.0]))
    big = 2 ** 31 - 1
    c.add(f"i32({special})", np.array([0, big, -big - 1, 2, -2, big, 0], np.int32))
    c.add(f"i64({special})", np.array([0, 2 ** 63 - 1, -2 ** 63, 2, -2, 10 ** 10, 0]))
    c.add(f"bool({special})", np.array([True] * 6 + [False]))
    wide = c.pool.add(np.array([2 ** 31, -2 ** 40 + 5, 2 ** 63 - 1, -2 ** 63 + 1]))
    c.add(f"i32({wide})", c.pool.values[wide].astype(np.int32))
    for op in ("+", "-", "*"):
        with np.errstate(all="ignore"):
            c.add(f"{wide} {op} {wide}", INFIX[op](c.pool.values[wide], c.pool.values[wide]))


# ---- reductions ------------------------------------------------------------------------------

def axes_of(rank):
    out = [None] + list(range(-rank, rank)) + [t for n in (2, 3) for t in itertools.combinations(range(rank), n)]
    return out + ([rank, -rank - 1] if rank else [0])


def number_of(x):
    return x.astype(np.float64) if x.dtype.kind in "bi" else x


def logsumexp(x, axis=None, keepdims=False):
    dtype = np.float32 if x.dtype == np.float32 else np.float64
    x = x.astype(np.float64)
    m = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    m = np.where(np.isfinite(m), m, 0)
    s = np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True)) + m
    return np.asarray(s if keepdims else np.max(s, axis=axis, initial=-np.inf)).astype(dtype)


def total(f):
    return lambda x, axis=None, keepdims=False: f(x.astype(np.int64) if x.dtype.kind in "bi" else x, axis=axis,
                                                  keepdims=keepdims)


def floats(f):
    return lambda x, **k: f(number_of(x), **k)


REDUCTIONS = {"sum": total(np.sum), "prod": total(np.prod), "mean": floats(np.mean), "var": floats(np.var),
              "std": floats(np.std), "min": np.min, "max": np.max, "ptp": np.ptp, "any": np.any, "all": np.all,
              "logsumexp": logsumexp,
              "norm": floats(lambda x, axis=None, keepdims=False: np.sqrt(np.sum(x * x, axis=axis, keepdims=keepdims)))}


def checked(f, x, axis, **more):
    for a in [axis] if isinstance(axis, int) else axis or ():
        if not -x.ndim <= a < x.ndim:
            raise IndexError
    return np.asarray(f(x, axis=axis, **more))


def reductions(c):
    for name, f in REDUCTIONS.items():
        for shape, dtype in itertools.product(SHAPES, DTYPES):
            x = c.operand(dtype, shape)
            for axis in axes_of(len(shape)) if dtype in ("f64", "i32") else [None, -1, 0]:
                if axis in (-1, 0) and not shape:
                    continue
                for keep in (False, True):
                    args = "" if axis is None else f", axis={axis}"
                    c.add(f"{name}({x[0]}{args}{', keepdims=true' if keep else ''})",
                          lambda: checked(f, x[1], axis, keepdims=keep), 1e-12)
    for name, f in (("argmin", np.argmin), ("argmax", np.argmax), ("cumsum", np.cumsum), ("cumprod", np.cumprod),
                    ("cummax", lambda x, axis=None: np.maximum.accumulate(x.ravel() if axis is None else x, axis or 0))):
        for shape, dtype in itertools.product(SHAPES, ("f64", "f32", "i64", "i32", "bool")):
            if name[0] == "c" and not shape:
                continue
            x = c.operand(dtype, shape)
            wide = x[1].astype(np.int64) if dtype in ("i32", "bool") and name in ("cumsum", "cumprod") else x[1]
            for axis in [None] + [a for a in range(-len(shape), len(shape) + 1)]:
                c.add(f"{name}({x[0]}{'' if axis is None else f', axis={axis}'})", lambda: checked(f, wide, axis), 1e-12)
    nans = c.pool.add(np.array([[1, math.nan, 3], [math.nan, 0, math.inf], [-math.inf, 2, 2]]))
    for name, axis in itertools.product(("min", "max", "sum", "prod", "mean", "argmin", "argmax", "any", "all"), (None, 0, 1)):
        c.add(f"{name}({nans}{'' if axis is None else f', axis={axis}'})",
              lambda: np.asarray(getattr(np, name)(c.pool.values[nans], axis=axis)))
    for dtype, shape, ddof in itertools.product(("f64", "f32", "i64"), ((3,), (2, 3)), (0, 1, 2)):
        x = c.operand(dtype, shape)
        c.add(f"var({x[0]}, axis=0, ddof={ddof})", lambda: np.asarray(np.var(number_of(x[1]), axis=0, ddof=ddof)), 1e-12)
    for dtype, shape in itertools.product(("f64", "f32", "i64"), [s for s in SHAPES if s]):
        x = c.operand(dtype, shape)
        for axis in range(-len(shape), len(shape)):
            c.add(f"log_softmax({x[0]}, axis={axis})",
                  lambda: number_of(x[1]) - logsumexp(x[1], axis=axis, keepdims=True), 1e-4 if dtype == "f32" else 1e-12)
            c.add(f"softmax({x[0]}, axis={axis})",
                  lambda: np.exp(number_of(x[1]) - logsumexp(x[1], axis=axis, keepdims=True)), 1e-12)
        for axis in [a for a in axes_of(len(shape)) if isinstance(a, tuple)] + [()]:
            c.add(f"softmax({x[0]}, axis={axis})",
                  lambda: np.exp(number_of(x[1]) - logsumexp(x[1], axis=axis, keepdims=True)), 1e-12)
            for ddof, keep in itertools.product((0, 1), (False, True)):
                c.add(f"std({x[0]}, axis={axis}, ddof={ddof}{', keepdims=true' if keep else ''})",
                      lambda: np.asarray(np.std(number_of(x[1]), axis=axis, ddof=ddof, keepdims=keep)), 1e-12)
    for dtype, axis in itertools.product(("f64", "f32"), (0, 1, (0, 1))):
        x = c.pool.add(np.array([[np.inf, 1, 2], [3, -np.inf, 4]], dtype={"f64": float, "f32": np.float32}[dtype]))
        soft = lambda: (lambda e: e / e.sum(axis=axis, keepdims=True))(np.exp(c.pool.values[x] - c.pool.values[x].max(axis=axis, keepdims=True)))
        c.add(f"softmax({x}, axis={axis})", soft, 1e-6 if dtype == "f32" else 1e-12)
        c.add(f"log_softmax({x}, axis={axis})", lambda: np.log(soft()), 1e-6 if dtype == "f32" else 1e-12)


# ---- shapes ----------------------------------------------------------------------------------

def tup(values):
    values = tuple(int(v) for v in values)
    return "()" if not values else f"({values[0]},)" if len(values) == 1 else str(values)


def shapes(c):
    for shape, dtype in itertools.product(SHAPES, ("f64", "i32", "bool")):
        name, x = c.operand(dtype, shape)
        rank = len(shape)
        c.add(f"shape({name})", np.array(shape, np.int64))
        c.add(f"size({name})", np.int64(x.size))
        c.add(f"transpose({name})", x.T)
        c.add(f"reshape({name}, -1)", lambda: x.reshape(-1) if x.size else x.reshape(0))
        c.add(f"squeeze({name})", np.squeeze(x))
        c.add(f"flip({name})", np.flip(x))
        if rank >= 2:
            c.add(f"{name}'", np.swapaxes(x, -1, -2))
        else:
            c.add(f"{name}'", ERROR)
        for target in [(x.size,), (1, x.size), (x.size, 1), (2, -1), (3, -1, 1), (5, 7)]:
            c.add(f"reshape({name}, {tup(target)})", lambda: x.reshape(target))
        for axes in itertools.permutations(range(rank)):
            c.add(f"transpose({name}, axes={tup(axes)})", x.transpose(axes))
        for a in range(-rank - 1, rank + 1):
            c.add(f"expand_dims({name}, {a})", lambda: np.expand_dims(x, a))
            c.add(f"squeeze({name}, {a})", lambda: checked(np.squeeze, x, a))
            c.add(f"flip({name}, {a})", lambda: checked(np.flip, x, a))
            c.add(f"size({name}, {a})", lambda: np.int64(shape[a]))
            for b in range(-rank, rank):
                c.add(f"swapaxes({name}, {a}, {b})", lambda: np.swapaxes(x, a, b))
        for target in [(2, 3), (3,), (2, 3, 4), (4, 2, 3), (2, 0), (0,), (), (2, 1, 3)]:
            c.add(f"broadcast_to({name}, {tup(target)})", lambda: np.broadcast_to(x, target))
        for like, value in (("zeros_like", 0), ("ones_like", 1)):
            c.add(f"{like}({name})", np.full_like(x, value))
    for (s, t), (a, b) in itertools.product(itertools.product(SHAPES, SHAPES), (("f64", "f64"), ("i32", "f32"))):
        x, z = c.operand(a, s), c.operand(b, t)
        to = DTYPES[promote(a, b)]
        for axis in (0, -1, 1):
            def joined(f):
                return f((x[1].astype(to), z[1].astype(to)), axis=axis)
            c.add(f"concat(({x[0]}, {z[0]}), axis={axis})", lambda: joined(np.concatenate))
            if s == t:
                c.add(f"stack(({x[0]}, {z[0]}), axis={axis})", lambda: joined(np.stack))
    for shape, dtype in itertools.product([(), (2,), (2, 0), (2, 3)], DTYPES):
        s = tup(shape)
        c.add(f"zeros({s}, dtype={dtype})", np.zeros(shape, DTYPES[dtype]))
        c.add(f"ones({s}, dtype={dtype})", np.ones(shape, DTYPES[dtype]))
        c.add(f"full({s}, 1, dtype={dtype})", np.full(shape, 1, DTYPES[dtype]))
    c.add("zeros(3)", np.zeros(3))
    c.add("full((2, 2), 7)", np.full((2, 2), 7))
    c.add("full(2, 7.5)", np.full(2, 7.5))
    for start, stop, step in itertools.product((0, 2, -3, 10), (0, 5, -4), (1, 2, 3, -1, -2)):
        c.add(f"arange({start}, {stop}, {step})", np.arange(start, stop, step))
    for args in ((0.0, 1.0, 0.25), (1.0, 0.0, -0.3), (0, 1, 0.1)):
        c.add(f"arange{args}", np.arange(*args))
    for n in range(5):
        c.add(f"arange({n})", np.arange(n))
        for m, k in itertools.product(range(4), (-2, -1, 0, 1, 3)):
            c.add(f"eye({n}, {m}, {k})", np.eye(n, m, k))
        for lo, hi in ((0, 1), (-2.5, 7), (3, 3)):
            c.add(f"linspace({lo}, {hi}, {n})", np.linspace(lo, hi, n))
        index = np.array([0, 2, -1, 4])
        c.add(f"one_hot([0, 2, -1, 4], {n})", np.where(index[:, None] == np.arange(n), 1.0, 0.0))


# ---- indexing --------------------------------------------------------------------------------

def random_sub(n, arrays):
    kind = rng.integers(0, 6 if arrays else 5)
    bound = [None, *range(-n - 2, n + 3)]
    if kind == 0:
        return int(rng.integers(-n - 1, n + 2))
    if kind < 3:
        step = [None, 1, 2, 3, -1, -2][rng.integers(6)]
        return slice(bound[rng.integers(len(bound))], bound[rng.integers(len(bound))], step)
    if kind == 5 and n:
        shape = [(3,), (2, 2), (0,)][rng.integers(3)]
        return rng.integers(-n, n, shape)
    return slice(None)


def sub_text(s):
    if isinstance(s, slice):
        part = ["" if v is None else str(v) for v in (s.start, s.stop, s.step)]
        return ":".join(part if part[2] else part[:2])
    if s is None or s is Ellipsis:
        return "None" if s is None else "..."
    return text(s) if not isinstance(s, np.ndarray) or s.size else "zeros(0, dtype=i64)"


def random_index(shape, writing=False):
    subs, arrays = [], True
    for n in shape[:rng.integers(1, len(shape) + 1)]:
        subs.append(random_sub(n, arrays))
        arrays = arrays and not isinstance(subs[-1], np.ndarray)
    if not writing and rng.random() < 0.3:
        subs.insert(rng.integers(len(subs) + 1), None)
    if rng.random() < 0.3:
        subs.insert(len(subs) if rng.random() < 0.5 else 0, Ellipsis)
    has_array = any(isinstance(s, np.ndarray) for s in subs)
    if has_array and any(isinstance(s, int) for s in subs):    # NumPy moves the axes then; so do we, or refuse
        subs = [slice(None) if isinstance(s, int) else s for s in subs]
    if has_array and Ellipsis in [s if s is Ellipsis else 0 for s in subs]:
        subs = [s for s in subs if s is not Ellipsis]
    return tuple(subs)


def indexing(c, count=900):
    for _ in range(count):
        shape = [s for s in SHAPES if s][rng.integers(len(SHAPES) - 1)]
        name, x = c.operand(("f64", "i32")[rng.integers(2)], shape)
        index = random_index(shape)
        c.add(f"{name}[{', '.join(map(sub_text, index))}]", lambda: np.asarray(x[index]))
    for _ in range(count):
        shape = [s for s in SHAPES if s][rng.integers(len(SHAPES) - 1)]
        name, x = c.operand("f64", shape)
        index = random_index(shape, writing=True)
        add = rng.random() < 0.5
        try:
            part = x[index].shape
        except IndexError:
            part = ()
        value, array = c.operand("f64", part if rng.random() < 0.5 and len(part) < 4 else (), -1, 2)

        def written():
            out = x.copy()
            if add:
                np.add.at(out, index, array)
            else:
                out[index] = array
            return out
        c.add(f"{name} with [{', '.join(map(sub_text, index))}] {'+=' if add else '='} {value}", written, 1e-12)
    for shape, axis in itertools.product(((3,), (2, 3), (2, 3, 4)), (None, 0, 1, -1)):
        name, x = c.operand("f64", shape)
        c.add(f"take({name}, [0, -1, 1]{'' if axis is None else f', axis={axis}'})",
              lambda: np.take(x, [0, -1, 1], axis=axis))


# ---- products --------------------------------------------------------------------------------

def products(c):
    vector, matrix = [(3,), (4,), (0,), (1,)], [(2, 3), (3, 3), (3, 4), (2, 0), (0, 3), (1, 3), (3, 1)]
    stacks = [(2, 2, 3), (2, 3, 4), (1, 3, 2), (5, 1, 2, 3)]
    kinds = (("f64", "f64"), ("f32", "f32"), ("f32", "f64"), ("i64", "i64"), ("i32", "f64"))
    for s, t in itertools.product(vector + matrix + stacks, repeat=2):
        for a, b in kinds:
            x, z = c.operand(a, s), c.operand(b, t)
            to = DTYPES[promote(a, b)]
            c.add(f"{x[0]} @ {z[0]}", lambda: np.matmul(x[1].astype(to), z[1].astype(to)), 1e-12 if to != np.float32 else 1e-5)
    for s, t in itertools.product([()] + vector + matrix[:4], repeat=2):
        x, z = c.operand("f64", s), c.operand("f64", t)
        c.add(f"dot({x[0]}, {z[0]})", lambda: np.asarray(np.dot(x[1], z[1])), 1e-12)
        if len(s) == len(t) == 1:
            c.add(f"outer({x[0]}, {z[0]})", np.outer(x[1], z[1]))
    for s in matrix:
        x = c.operand("f64", s)
        c.add(f"trace({x[0]})", np.asarray(np.trace(x[1])), 1e-12)
    for n in (50, 200):                                     # above the size where BLAS takes over
        x, z = c.operand("f64", (n, n + 1)), c.operand("f64", (n + 1, n))
        c.add(f"sum({x[0]} @ {z[0]}, axis=0)", (x[1] @ z[1]).sum(0), 1e-9)


# ---- the rest of the functions -----------------------------------------------------------------

def ordered(x, axis):
    """np.sort puts NaN last, as we do."""
    return np.sort(x, axis=axis)


def rearranging(c):
    nans = c.pool.add(np.array([[3, math.nan, 1, -math.inf], [math.inf, 0, math.nan, 2]]))
    for axis in (0, 1, -1):
        c.add(f"sort({nans}, axis={axis})", ordered(c.pool.values[nans], axis))
        c.add(f"argsort({nans}, axis={axis})", np.argsort(c.pool.values[nans], axis=axis, kind="stable"))
    for shape, dtype in itertools.product([s for s in SHAPES if s], ("f64", "f32", "i64", "i32", "bool")):
        name, x = c.operand(dtype, shape)
        for axis in range(-len(shape), len(shape)):
            c.add(f"sort({name}, axis={axis})", ordered(x, axis))
            c.add(f"argsort({name}, axis={axis})", np.argsort(x, axis=axis, kind="stable"))
            for k in (0, 1, -2, 7):
                c.add(f"roll({name}, {k}, axis={axis})", np.roll(x, k, axis=axis))
            for n in (0, 1, 3):
                c.add(f"repeat({name}, {n}, axis={axis})", np.repeat(x, n, axis=axis))
            c.add(f"repeat({name}, -1, axis={axis})", ERROR)
            parts = shape[axis] // 2 or 1
            if shape[axis] and shape[axis] % parts == 0:
                c.add(f"split({name}, {parts}, axis={axis})[{parts - 1}]", np.split(x, parts, axis=axis)[-1])
            if shape[axis] > 2:
                c.add(f"split({name}, (1, 2), axis={axis})[1]", np.split(x, (1, 2), axis=axis)[1])
        c.add(f"roll({name}, 2)", np.roll(x, 2))
        c.add(f"repeat({name}, 2)", np.repeat(x, 2))
        for reps in (0, 2, (2, 1), (1, 3), (2, 1, 2)):
            c.add(f"tile({name}, {reps})", np.tile(x, reps))
        for k in (-2, -1, 0, 1, 3):
            if len(shape) > 1:
                c.add(f"tril({name}, {k})", np.tril(x, k))
                c.add(f"triu({name}, {k})", np.triu(x, k))
            if len(shape) < 3:
                c.add(f"diag({name}, {k})", np.diag(x, k))
        for width in (0, 1, (1, 2)):
            c.add(f"pad({name}, {width})", np.pad(x, width))
        c.add(f"pad({name}, ({', '.join(['(1, 0)'] * len(shape))},), constant_values={text(dtype == 'bool' or 1)})",
              np.pad(x, [(1, 0)] * len(shape), constant_values=1))
    for dtype in ("f64", "i64", "i32"):
        table = c.pool.add(np.sort(c.operand(dtype, (3,))[1]))
        name, x = c.operand(dtype, (2, 3))
        for side in ("left", "right"):
            c.add(f'searchsorted({table}, {name}, side="{side}")', np.searchsorted(c.pool.values[table], x, side=side))
            c.add(f'searchsorted({table}, 0, side="{side}")', np.int64(np.searchsorted(c.pool.values[table], 0, side=side)))


def systems(c):
    for spec, s in {"ij,jk->ik": ((2, 3), (3, 3)), "ij,jk": ((2, 3), (3, 3)), "ij->ji": ((2, 3),), "ij->": ((2, 3),),
                    "ii": ((3, 3),), "ii->i": ((3, 3),), "i,i": ((3,), (3,)), "i,j->ij": ((3,), (3,)),
                    "ij,ij->i": ((2, 3), (2, 3)), "bij,bjk->bik": ((2, 3, 4), (2, 4, 3)), "ij,kj,k->i": ((2, 3), (3, 3), (3,)),
                    "...ij->...ji": ((2, 3, 4),), "ijk->kij": ((2, 3, 4),), "ij,j": ((2, 3), (3,)), "ba": ((2, 3),)}.items():
        for dtype in ("f64", "f32", "i64"):
            operands = [c.operand(dtype, shape) for shape in s]
            c.add(f'einsum("{spec}", {", ".join(n for n, _ in operands)})', np.einsum(spec, *[v for _, v in operands]), 1e-5 if dtype == "f32" else 1e-12)
    for n, batch_shape, dtype in itertools.product((1, 2, 3, 8), ((), (2,), (2, 1)), ("f64", "f32")):
        near = DTYPES[dtype]
        A = np.round(rng.uniform(-1, 1, (*batch_shape, n, n)), 3) + (n + 1) * np.eye(n)
        B = np.round(rng.uniform(-1, 1, (*batch_shape, n, 2)), 3)
        a, b = c.pool.add(A.astype(near)), c.pool.add(B.astype(near))
        A, B = (c.pool.values[v].astype(float) for v in (a, b))
        tol = 1e-4 if dtype == "f32" else 1e-10
        sign, logabs = np.linalg.slogdet(A)
        spd = A @ np.swapaxes(A, -1, -2)
        s = c.pool.add(spd.astype(near))
        spd = c.pool.values[s].astype(float)
        c.add(f"solve({a}, {b})", np.linalg.solve(A, B).astype(near), tol)
        c.add(f"inv({a})", np.linalg.inv(A).astype(near), tol)
        c.add(f"det({a})", np.asarray(np.linalg.det(A)).astype(near), tol)
        c.add(f"slogdet({a})[0]", np.asarray(sign).astype(near), tol)
        c.add(f"slogdet({a})[1]", np.asarray(logabs).astype(near), tol)
        c.add(f"cholesky({s})", np.linalg.cholesky(spd).astype(near), tol)
        for lower, trans, unit in itertools.product((False, True), (0, 1), (False, True)):
            T = np.tril(A) if lower else np.triu(A)
            if unit:
                T = T * (1 - np.eye(n)) + np.eye(n)
            want = np.linalg.solve(np.swapaxes(T, -1, -2) if trans else T, B)
            c.add(f"solve_triangular({a}, {b}, lower={text(lower)}, trans={trans}, unit_diagonal={text(unit)})",
                  want.astype(near), tol)
    c.add("solve([[1.0, 2], [2, 4]], [1.0, 2])", ERROR)
    c.add("inv(zeros((2, 2)))", ERROR)
    c.add("cholesky([[1.0, 2], [2, 1]])", ERROR)
    c.add("det([[1.0, 2], [2, 4]])", np.float64(0))


def main():
    warnings.simplefilter("ignore")
    tally = Tally()
    for family in (elementwise, promotion, reductions, shapes, indexing, products, rearranging, systems):
        cases = Cases()
        family(cases)
        before, tally.shown = (tally.passed, tally.failed), 0
        cases.run(tally)
        print(f"{family.__name__}: {tally.passed - before[0]} passed, {tally.failed - before[1]} failed,")
    tally.end()


if __name__ == "__main__":
    main()
