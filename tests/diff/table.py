#!/usr/bin/python3
"""Every function of the language, every dtype that it takes, many shapes: against NumPy.

The list of functions and their dtypes is what the program itself says (gradus --language); a function without a
row here, or a dtype of one without a compared value, is a failure. Operands have rank 0 to 8, axes of length 0,
negative strides (they are slices of inputs), NaN, infinities, both zeros, the extremes of integers.

Compared are dtype, shape and value: exactly ("exact": bit for bit, the sign of zero too), within 4 units in the last
place of the true value, computed in extended precision ("ulp"), or within 1e-13 of the sum of magnitudes ("sum").
"""
import atexit
import collections
import ctypes
import itertools
import math
import re
import shutil
import subprocess
import tempfile
import warnings

import numpy as np
from scipy import special
from ops import NAMES, digamma, elementwise_rows, promote, text, tup
from run import DTYPES, GRADUS, MADE, Tally, batch, decode
from spectral import eigh, lstsq, pinv, qr, svd
from windows import conv2d, max_pool

rng = np.random.default_rng(20260607)
FLOAT, LONG = ("f32", "f64"), np.longdouble
SHAPES = [(), (7,), (0,), (2, 3), (3, 0), (2, 1, 3), (2, 2, 1, 3), (1, 2, 2, 1, 2), (2, 1, 2, 1, 2, 1),
          (1, 2, 1, 0, 1, 2, 1), (2, 1, 1, 2, 1, 1, 1, 2)]
SPECIAL = {"f": [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, np.inf, -np.inf, np.nan, 1e-300, -1e300, 5e-324, 1e-40, 2.5e38],
           "i32": [0, 1, -1, 2, -3, 7, 2 ** 31 - 1, -2 ** 31, 1 << 16], "bool": [True, False],
           "i64": [0, 1, -1, 2, -3, 7, 2 ** 63 - 1, -2 ** 63, 1 << 32]}


# Compared in densities.py, draws.py, fourier.py and library.py.
ELSEWHERE = re.compile(r"\w+_log(pdf|pmf)|top_k|nonzero|unique(_counts|_inverse)?|betaln|gammaincc?|betainc|exponential|gamma|beta|dirichlet|student_t|poisson|(bi|multi)nomial|choice|"
                       r"multivariate_normal|dropout|expm|real|imag|conj|cmul|cdiv|cabs|cexp|i?r?fft|i?fft2|convolve|cov|corrcoef")


def functions():
    """name -> dtypes that the program says it takes (all, where it says nothing)."""
    page = subprocess.run([GRADUS, "--language"], capture_output=True, text=True, check=True).stdout
    found = {}
    for part in page.split("\n#### `")[1:]:
        name, body = re.match(r"\w+", part)[0], part.split("```")[0]
        types = re.search(r"\bdtypes: (.*)", body)
        found[name] = re.findall(r"\b(bool|[if](?:32|64))\b(?=[^;.]*(?:give|stay))", types[1]) if types else list(DTYPES)
    return found


# ---- operands: inputs, and slices of them -----------------------------------------------------

class Program:
    def __init__(self):
        self.inputs, self.rows, self.cache = [], [], {}

    def name(self, value):
        if value.dtype.kind == "f":                         # exact numbers: nan and inf by name
            with np.errstate(over="ignore"):
                value = value.astype(value.dtype)
        name = f"v{len(self.inputs)}"
        sizes = f"[{', '.join(map(str, value.shape))}]" if value.ndim else ""
        self.inputs.append(f"{name} : {NAMES[value.dtype]}{sizes} = {text(value)}\n")
        return name

    def operand(self, dtype, shape, lo=None, hi=None, key=0):
        """(text, value): wild without a domain, and every second one read backwards, or every second element."""
        key = dtype, shape, lo, hi, key
        if key not in self.cache:
            view = len(self.cache) % 3 if shape and 0 not in shape else 0
            stored = list(shape)
            stored[-1:] = [shape[-1] * view] if view else stored[-1:]
            value = self.values(dtype, tuple(stored), lo, hi)
            sub = {0: (), 1: (Ellipsis, slice(None, None, -1)), 2: (Ellipsis, slice(None, None, -2))}[view]
            self.cache[key] = self.name(value) + ("", "[..., ::-1]", "[..., ::-2]")[view], value[sub] if view else value
        return self.cache[key]

    def values(self, dtype, shape, lo, hi):
        if dtype == "bool":
            return np.asarray(rng.random(shape) < 0.5)
        kind = "f" if dtype[0] == "f" else dtype
        if lo is None:
            value = rng.choice(np.array(SPECIAL[kind]), shape)
            some = rng.normal(0, 3, shape) if kind == "f" else rng.integers(-9, 10, shape)
            value = np.where(rng.random(shape) < 0.4, some, value)
        elif kind == "f":
            value = rng.uniform(lo, hi, shape)
        else:
            value = rng.integers(int(np.ceil(lo)), int(np.floor(hi)) + 1, shape)
        with np.errstate(all="ignore"):
            return np.asarray(value).astype(DTYPES[dtype])

    def add(self, name, dtype, line, want, how="exact"):
        """want: a value, a list of them, or a function that gives it; an exception: an error is wanted."""
        with np.errstate(all="ignore"):
            try:
                want = want() if callable(want) and how[0] != "check" else want
            except (ValueError, IndexError, ZeroDivisionError, np.linalg.LinAlgError):
                want = None
        self.rows.append((name, dtype, line, want, how))


# ---- comparison -------------------------------------------------------------------------------

def ulps(got, want):
    """Distance in units in the last place of got's dtype; want is in extended precision."""
    info = np.finfo(got.dtype)
    near = want.astype(got.dtype)
    unit = np.maximum(np.spacing(np.abs(np.where(np.isfinite(near), near, info.max))), info.smallest_subnormal)
    away = np.abs(got.astype(LONG) - want) / unit.astype(LONG)
    even = (got == near) | (np.isnan(got) & np.isnan(want))
    return np.where(even, 0, np.where(np.isnan(away), np.inf, away)).astype(float)


def same_zeros(got, want):
    zero = (got == 0) & (want == 0)
    return np.array_equal(np.signbit(got)[zero], np.signbit(want)[zero])


def agrees(got, want, how):
    want = np.asarray(want)
    if got is None or isinstance(got, list) or got.shape != want.shape:
        return False
    if how[0] in ("exact", "value") or want.dtype.kind != "f":
        return got.dtype == want.dtype and (np.array_equal(got, want) if want.dtype.kind != "f" else
                                            np.array_equal(got, want, equal_nan=True) and (how[0] == "value" or same_zeros(got, want)))
    kind, bound, dtype = how[0], how[1], how[2]
    if got.dtype != DTYPES[dtype]:
        return False
    with np.errstate(all="ignore"):
        if kind == "ulp":
            return bool(np.all(ulps(got, want.astype(LONG)) <= bound)) and same_zeros(got, want)
        scale = np.asarray(how[3], float)                   # of the sum of magnitudes
        eps = bound if dtype == "f64" else max(bound, 2e-6)
        same = (got == want.astype(got.dtype)) | (np.isnan(got) & np.isnan(want))
        return bool(np.all(same | (np.abs(got.astype(LONG) - want) <= eps * scale)))


# ---- elementwise ------------------------------------------------------------------------------

LIBM = ctypes.CDLL("libm.so.6")


def libm(name):
    f = getattr(LIBM, name)
    f.restype, f.argtypes = ctypes.c_longdouble, [ctypes.c_longdouble]
    # ctypes passes a Python float: the double is exact, the result is rounded to double
    return lambda x: np.vectorize(lambda v: f(float(v)), otypes=[float])(x) if x.size else x.astype(float)


def long_erfinv(x):
    import statistics
    inverse = np.vectorize(lambda t: statistics.NormalDist().inv_cdf((t + 1) / 2) / 2 ** 0.5 if abs(t) < 1 else t * np.inf if abs(t) == 1 else np.nan,
                           otypes=[float])
    return inverse(x.astype(float)) if x.size else x


def polygamma(n, x):
    """Sums of (x + k)^-(n + 1) and Euler and Maclaurin's formula, in extended precision; for x > 0."""
    n, x = np.broadcast_arrays(n, x)
    out = np.empty(x.shape, LONG)
    for i in np.ndindex(*x.shape):
        s, a, total = int(n[i]) + 1, x[i], LONG(0)
        if s == 1:
            out[i] = digamma(np.asarray(x[i], float))
            continue
        for _ in range(40):
            total, a = total + a ** -s, a + 1
        total += a ** (1 - s) / (s - 1) + a ** -s / 2 + s * a ** (-s - 1) / 12 - s * (s + 1) * (s + 2) * a ** (-s - 3) / 720
        total += s * (s + 1) * (s + 2) * (s + 3) * (s + 4) * a ** (-s - 5) / 30240
        out[i] = (-1) ** s * np.prod(np.arange(1, s, dtype=LONG)) * total
    return out


def ierfcx(n, x):
    """2 / sqrt(pi) times the integral of t^n / n! exp(-t^2 - 2 x t) over t > 0, in extended precision: t = exp(u - exp(-u))."""
    n, x = np.broadcast_arrays(n, x)
    u = np.arange(LONG(-4.5), LONG(2.7), LONG(1) / 128)
    t = np.exp(u - np.exp(-u))
    weight = t * (1 + np.exp(-u)) / 128 * 2 / np.sqrt(np.arctan(LONG(1)) * 4)
    whole = lambda k, v: k >= 0 and k == np.floor(k) and v == v
    value = lambda k, v: np.sum(weight * t ** k * np.exp(-t * t - 2 * v * t)) / math.factorial(int(k)) if whole(k, v) else np.nan
    return np.array([value(*kv) for kv in zip(n.ravel(), x.ravel())], LONG).reshape(x.shape)


def logerfc(x):
    y = libm("erfl")(x).astype(LONG)
    return np.where(x < 0.5, np.log1p(-y), np.log(libm("erfcl")(x).astype(LONG)))


def long_sinpi(x):
    with np.errstate(invalid="ignore"):
        r = np.remainder(x.astype(LONG), 2)
    r = np.where(r > 1, r - 2, r)
    d = np.where(np.abs(r) > 0.5, np.copysign(1 - np.abs(r), r), r)
    y = np.sin(np.arctan(LONG(1)) * 4 * d)
    return np.where(y == 0, np.copysign(LONG(0), x), y)


def long_cospi(x):
    with np.errstate(invalid="ignore"):
        return long_sinpi(np.remainder(x.astype(LONG), 2) + LONG(0.5)) + LONG(0)


ORACLES = {  # where the oracle of elem.def is not good enough beyond its domain, or in extended precision
    "log1mexp": lambda x: np.where(x < -0.7, np.log1p(-np.exp(x)), np.log(-np.expm1(x))),
    "sinpi": long_sinpi, "cospi": long_cospi, "erf": libm("erfl"), "erfc": libm("erfcl"), "lgamma": libm("lgammal"), "erfinv": long_erfinv,
    "digamma": lambda x: digamma(np.asarray(x, float)), "polygamma": polygamma,
    "erfcx": lambda x: ierfcx(LONG(0), x), "ierfcx": ierfcx, "logerfc": logerfc,
    "sigmoid": lambda x: np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x))),
    "softplus": lambda x: np.where(x > 0, x, 0) + np.log1p(np.exp(-np.abs(x))),
    "xlogy": lambda x, z: np.where((x == 0) & ~np.isnan(z), 0, x * np.log(z)),
    "minimum": lambda x, z: np.where(np.isnan(x), x, np.where(np.isnan(z), z, np.where(x <= z, x, z))),
    "maximum": lambda x, z: np.where(np.isnan(x), x, np.where(np.isnan(z), z, np.where(x >= z, x, z))),
    "relu": lambda x: np.where(x <= 0, np.zeros_like(x), x),
}
TAME = {"lgamma", "erfinv", "digamma", "polygamma", "erfcx", "ierfcx", "logerfc"}  # compared within their domain only
BOUNDS = {"erfinv": 64, "lgamma": 64, "ierfcx": 16}  # our oracles are no better; ierfcx is a product of n + 1 numbers
# Correctly rounded by definition, so that extended precision would round twice: in the dtype itself.
OWN = {"neg", "abs", "sign", "reciprocal", "sqr", "sqrt", "relu", "floor", "ceil", "round", "trunc", "add", "sub", "mul", "div",
       "minimum", "maximum", "floordiv", "mod", "isnan", "isinf", "isfinite", "eq", "ne", "lt", "le", "gt", "ge"}


def common_dtype(kind, dtypes):
    """In which dtype an operator works."""
    common = promote(*dtypes)
    if common[0] in "ib" and kind == "FLOATS":
        return "f64"
    return "i64" if common == "bool" and kind in ("INT", "FAIL", "SAME") else common


def element(name, kind, oracle, values):
    """The oracle's value and how to compare with it."""
    common = common_dtype(kind, [NAMES[v.dtype] for v in values])
    own = name in OWN or common[0] in "ib"
    args = [v.astype(DTYPES[common]).astype(DTYPES[common] if own else LONG) for v in values]
    if kind == "FAIL" and common[0] in "ib":
        check_integers(name, args)
    if kind == "SAME" and common[0] in "ib":
        return args[0], ("exact",)
    if name in ORACLES and not (common[0] in "ib"):
        out = ORACLES[name](*args)
    else:
        out = np.asarray(eval(oracle, {"np": np}, dict(zip("xz", args))))
    if out.dtype == np.bool_:
        return out, ("exact",)
    if name in ("digamma", "polygamma"):                    # the first has a zero at 1.46
        return out, ("sum", 4e-15, common, np.abs(out) + 1)
    if own:
        return out.astype(DTYPES[common]), ("exact",)
    return out, ("ulp", BOUNDS.get(name, 4), common)


def check_integers(name, args):
    x, z = args
    if not np.broadcast(x, z).size:
        return
    bits = x.dtype.itemsize * 8
    if name in ("floordiv", "mod") and np.any(z == 0) or name == "pow" and np.any(z < 0) or \
            name.endswith("shift") and np.any((z < 0) | (z >= bits)):
        raise ZeroDivisionError


def call(name, *args):
    if name in ("and", "or"):
        return f"({args[0]}) {name} ({args[1]})"
    return f"not {args[0]}" if name == "not" else f"{name}({', '.join(args)})"


def elementwise(p, takes):
    for arity, name, kind, derivatives, oracle, lo, hi in elementwise_rows():
        for dtype in takes[name]:
            whole = dtype[0] in "ib"
            domains = [(None, None)] if not whole or kind != "FAIL" else []
            low, high = (lo, hi) if not whole else (max(1, int(lo)), max(3, int(hi)))
            domains = [(low, high)] if name in TAME else domains + [(low, high)]
            for (lo1, hi1), shape in itertools.product(domains, SHAPES):
                operands = [p.operand(dtype, shape, lo1, hi1)]
                if arity == 2:
                    other = () if len(shape) == 1 else shape[1:] if len(shape) % 2 else shape
                    order = not derivatives[0] and derivatives[1]   # a whole number
                    wild = name in ("left_shift", "right_shift", "floordiv", "mod", "pow") and whole
                    operands.append(p.operand(dtype, other, 1 if wild else lo1, 5 if wild else hi1, 1))
                    if order:
                        operands[0] = f"floor({operands[0][0]})", np.floor(operands[0][1]) if not whole else operands[0][1]
                    if wild:                                # the extremes on the left
                        operands[0] = p.operand(dtype, shape)
                names, values = zip(*operands)
                if len(names) == 2 and len(values[1].shape) > len(values[0].shape):
                    continue
                fails = False
                with np.errstate(all="ignore"):
                    try:
                        want, how = element(name, kind, oracle, values)
                    except ZeroDivisionError:
                        fails = True
                p.add(name, dtype, call(name, *names), None if fails else want, None if fails else how)
    for dtype, shape in itertools.product(DTYPES, SHAPES):
        c, x, z = p.operand("bool", shape), p.operand(dtype, shape), p.operand(dtype, shape, key=1)
        if dtype in takes["xor"]:
            p.add("xor", dtype, f"xor({x[0]}, {z[0]})", x[1] ^ z[1])
            p.add("xor", dtype, f"xor(~{x[0]} & {z[0]} | {x[0]}, {z[0]})", (~x[1] & z[1] | x[1]) ^ z[1])
        if dtype in takes["where"]:
            p.add("where", dtype, f"where({c[0]}, {x[0]}, {z[0]})", np.where(c[1], x[1], z[1]))
        lo, hi = p.operand(dtype, (), -2, 0), p.operand(dtype, (), 1, 3)
        if dtype in takes["clip"] and dtype != "bool":
            p.add("clip", dtype, f"clip({x[0]}, {lo[0]}, {hi[0]})", np.clip(x[1], lo[1], hi[1]))
        elif dtype in takes["clip"]:
            p.add("clip", dtype, f"clip({x[0]}, false, true)", x[1])


# ---- reductions, sorting ----------------------------------------------------------------------

def axes_of(rank):
    some = [a for a in range(-rank, rank) if rank < 4 or a in (0, -1, rank // 2)]
    return [None, *some] + [t for t in itertools.combinations(range(rank), 2)][:3] + [tuple(range(rank))]


def widened(x, to="i64"):
    return x.astype(np.int64) if x.dtype.kind in "bi" and to == "i64" else x.astype(float) if x.dtype.kind in "bi" else x


def reduction(name, x, **k):
    """(the value in extended precision, the sum of magnitudes)"""
    y = widened(x, "f64").astype(LONG)
    total = np.sum(np.abs(y), **k)
    if name == "sum":
        return np.sum(y, **k), total
    if name == "prod":
        return np.prod(y, **k), np.abs(np.prod(y, **k))
    if name == "norm":
        return np.sqrt(np.sum(y * y, **k)), np.sqrt(np.sum(y * y, **k)) + 1e-20
    if name == "mean":
        return np.mean(y, **k), np.mean(np.abs(y), **k)
    if name == "logsumexp":
        m = np.max(y, axis=k["axis"], keepdims=True, initial=-np.inf)
        m = np.where(np.isfinite(m), m, 0)
        out = np.log(np.sum(np.exp(y - m), axis=k["axis"], keepdims=True)) + m
        return out.reshape(np.sum(y, **k).shape), np.abs(out).reshape(np.sum(y, **k).shape) + 1
    f = {"var": np.var, "std": np.std}[name]
    return f(y, **k), f(y, **k) + np.abs(np.mean(y, **k)) * (1e-3 if name == "std" else 0)


def reductions(p, takes):
    exact = {"min": np.min, "max": np.max, "ptp": np.ptp, "any": np.any, "all": np.all}
    for name in ("sum", "prod", "mean", "var", "std", "norm", "logsumexp", "min", "max", "ptp", "any", "all", "peak"):
        for dtype, shape, wild in itertools.product(takes[name], SHAPES, (True, False)):
            x = p.operand(dtype, shape, *(() if wild else (-3, 3)))
            out = dtype if dtype[0] == "f" else "f64"
            for i, axis in enumerate(axes_of(len(shape))):
                k = {"axis": axis, "keepdims": i % 2 == 1}
                line = f"{name}({x[0]}, axis={axis}{', keepdims=true' if i % 2 else ''})"
                if name in exact:
                    p.add(name, dtype, line, lambda: np.asarray(exact[name](x[1], **k)), "value")
                elif name in ("sum", "prod") and dtype[0] in "ib":
                    p.add(name, dtype, line, lambda: np.asarray(getattr(np, name)(widened(x[1]), **k)))
                elif name == "peak":
                    y = np.max(np.nan_to_num(x[1].astype(float), nan=-np.inf, posinf=np.inf, neginf=-np.inf), initial=-np.inf, **k) \
                        if not np.isnan(x[1].astype(float)).any() else None
                    if y is not None:
                        p.add(name, dtype, line, np.asarray(np.where(y == -np.inf, 0, y).astype(DTYPES[out])), "value")
                else:
                    with np.errstate(all="ignore"):
                        want, scale = reduction(name, x[1], **k)
                    if wild and name in ("var", "std", "norm", "sum", "mean", "prod") and not np.all(np.abs(scale) < 1e30):
                        want, scale = np.asarray(want), np.where(np.isfinite(scale), scale, np.inf)
                        if np.any(np.abs(x[1].astype(float)[np.isfinite(x[1])]) > 1e30):
                            continue                        # overflows on the way, in the order of the sum
                    p.add(name, dtype, line, want, ("sum", 1e-13, out, scale))
    for name, f in (("argmin", np.argmin), ("argmax", np.argmax)):
        for dtype, shape in itertools.product(takes[name], SHAPES):
            x = p.operand(dtype, shape)
            for axis in [None, *range(-len(shape), len(shape))]:
                p.add(name, dtype, f"{name}({x[0]}, axis={axis})", lambda: np.asarray(f(x[1], axis=axis)))


def running(p, takes):
    for name, f in (("cumsum", np.cumsum), ("cumprod", np.cumprod), ("cummax", None)):
        for dtype, shape, wild in itertools.product(takes[name], SHAPES[1:], (True, False)):
            x = p.operand(dtype, shape, *(() if wild and dtype[0] in "ib" or name == "cummax" else (-2, 2)))
            for axis in [None, *range(-len(shape), len(shape))]:
                line = f"{name}({x[0]}, axis={axis})"
                flat, at = (x[1].ravel(), 0) if axis is None else (x[1], axis)
                if f is None:
                    p.add(name, dtype, line, lambda: np.maximum.accumulate(flat, at), "value")
                elif dtype[0] in "ib":
                    p.add(name, dtype, line, lambda: f(widened(flat), axis=at))
                else:
                    y = flat.astype(LONG)
                    p.add(name, dtype, line, f(y, axis=at), ("sum", 1e-13, dtype, np.abs(f(np.abs(y), axis=at))))
    for name, dtype, shape in itertools.product(("softmax", "log_softmax"), takes["softmax"], SHAPES[1:]):
        x = p.operand(dtype, shape, -3, 3)
        for axis in [-1, 0, tuple(range(len(shape)))]:
            out = dtype if dtype[0] == "f" else "f64"
            y, _ = reduction("logsumexp", x[1], axis=axis, keepdims=True)
            y = widened(x[1], "f64").astype(LONG) - y
            want = np.exp(y) if name == "softmax" else y
            spoilt = np.any(x[1] == np.inf, axis=axis, keepdims=True) if x[1].dtype.kind == "f" else False
            want = np.where(spoilt, np.nan, want)           # inf / inf, and its logarithm
            p.add(name, dtype, f"{name}({x[0]}, axis={axis})", want, ("sum", 1e-13, out, np.abs(want) + (name[0] == "l")))
    for dtype, shape in itertools.product(takes["sort"], SHAPES[1:]):
        x = p.operand(dtype, shape)
        for axis in range(-len(shape), len(shape)):
            order = np.argsort(x[1], axis=axis, kind="stable")
            p.add("argsort", dtype, f"argsort({x[0]}, axis={axis})", order)
            p.add("sort", dtype, f"sort({x[0]}, axis={axis})", np.take_along_axis(x[1], order, axis))
    for dtype, shape, side in itertools.product(takes["searchsorted"], SHAPES, ("left", "right")):
        x, v = p.operand(dtype, (7,)), p.operand(dtype, shape, key=1)
        p.add("searchsorted", dtype, f'searchsorted(sort({x[0]}), {v[0]}, side="{side}")',
              np.asarray(np.searchsorted(np.sort(x[1]), v[1], side=side)))


# ---- shapes -----------------------------------------------------------------------------------

def shapes(p, takes):
    for dtype, shape in itertools.product(DTYPES, SHAPES):
        x, v = p.operand(dtype, shape)
        n = len(shape)
        add = lambda name, args, want, how="exact": p.add(name, dtype, f"{name}({x}{', ' if args else ''}{args})", want)
        add("shape", "", np.array(shape, np.int64))
        add("size", "", np.int64(v.size))
        add("reshape", tup((*shape, 1) if n < 8 else shape[:-2] + (shape[-2] * shape[-1],)),
            lambda: v.reshape((*shape, 1) if n < 8 else shape[:-2] + (shape[-2] * shape[-1],)))
        add("reshape", "-1" if v.size else "0", v.reshape(-1))
        add("transpose", "", v.T)
        order = tuple(int(i) for i in rng.permutation(n))
        add("transpose", f"axes={tup(order)}", v.transpose(order))
        add("squeeze", "", np.squeeze(v))
        add("flip", "", np.flip(v))
        add("zeros_like", "", np.zeros_like(v))
        add("ones_like", "", np.ones_like(v))
        add("full_like", "true" if dtype == "bool" else "3", np.full_like(v, 3))
        add("match_shape", x, v)
        add("stop_gradient", "", v)
        add("tile", "2" if n < 8 else "1", np.tile(v, 2 if n < 8 else 1))
        add("repeat", "2", np.repeat(v, 2))
        add("roll", "3", np.roll(v, 3))
        add("pad", "1" if n else "0", np.pad(v, 1 if n else 0))
        if n < 8:
            add("broadcast_to", tup((2,) + shape), np.broadcast_to(v, (2,) + shape))
        for axis in range(-n, n):
            add("size", f"{axis}", np.int64(shape[axis]))
            add("flip", f"{axis}", np.flip(v, axis))
            add("swapaxes", f"{axis}, 0", np.swapaxes(v, axis, 0))
            add("roll", f"-2, axis={axis}", np.roll(v, -2, axis))
            add("repeat", f"3, axis={axis}", np.repeat(v, 3, axis))
            if shape[axis] == 1:
                add("squeeze", f"{axis}", np.squeeze(v, axis))
            if shape[axis]:
                i = rng.integers(-shape[axis], shape[axis], (2, 2) if n < 8 else (3,))
                add("take", f"{text(i)}, axis={axis}", np.take(v, i, axis))
            z, w = p.operand(dtype, shape, key=1)
            p.add("concat", dtype, f"concat(({x}, {z}), axis={axis})", np.concatenate((v, w), axis))
            if n < 8:
                p.add("stack", dtype, f"stack(({x}, {z}), axis={axis})", np.stack((v, w), axis))
            for cuts in ((1,), (1, 9), (-1,), (2, 1)):
                p.add("split", dtype, f"split({x}, {tup(cuts)}, axis={axis})", lambda: np.split(v, cuts, axis))
        if n < 8:
            for axis in range(-n - 1, n + 1):
                add("expand_dims", f"{axis}", np.expand_dims(v, axis))
        if v.size:
            add("take", "[0, -1]", np.take(v, [0, -1]))
        for k in (-1, 0, 2) if n > 1 else ():
            add("tril", f"{k}", np.tril(v, k))
            add("triu", f"{k}", np.triu(v, k))
        for k in (-1, 0, 2) if n in (1, 2) else ():
            add("diag", f"{k}", np.diag(v, k))
        for to in DTYPES:
            p.add(to, dtype, f"{to}({x})", lambda: cast(v, to))
        if dtype[0] == "i":
            i = p.operand(dtype, shape, -2, 4)
            p.add("one_hot", dtype, f"one_hot({i[0]}, 3)" if n < 8 else f"one_hot({i[0]}[0], 3)",
                  (lambda a: np.where(a[..., None] == np.arange(3), 1.0, 0.0))(i[1] if n < 8 else i[1][0]))


def cast(v, to):
    """Truncates, saturates, nan gives 0; integers wrap."""
    if v.dtype.kind != "f" or to[0] not in "i":
        return v.astype(DTYPES[to])
    info = np.iinfo(DTYPES[to])
    whole = np.where(np.isnan(v), 0, np.trunc(v.astype(LONG)))
    return np.array([min(max(int(w) if np.isfinite(w) else (info.max if w > 0 else info.min), info.min), info.max)
                     for w in whole.ravel()], DTYPES[to]).reshape(v.shape)


def made(p, takes):
    for dtype in DTYPES:
        d = DTYPES[dtype]
        for shape in SHAPES:
            s = tup(shape)
            p.add("zeros", dtype, f"zeros({s}, dtype={dtype})", np.zeros(shape, d))
            p.add("ones", dtype, f"ones({s}, dtype={dtype})", np.ones(shape, d))
            if 0 in shape:
                p.add("empty", dtype, f"empty({s}, dtype={dtype})", np.empty(shape, d))
            x = p.operand(dtype, ())
            p.add("full", dtype, f"full({s}, {x[0]})", np.full(shape, x[1]))
            a, b = p.operand(dtype, shape, 0, 5), p.operand(dtype, shape, 0, 5, 1)
            sign, f = ("and", np.logical_and) if dtype == "bool" else ("+", np.add)
            p.add("fits", dtype, f"fits({a[0]} {sign} {b[0]})", f(a[1], b[1]))
        if dtype == "bool":
            continue
        for start, stop, step in itertools.product((0, -3, 10), (0, 5, -4), (1, 3, -2)):
            a, b, c = (p.name(np.asarray(v, d)) for v in (start, stop, step))
            p.add("arange", dtype, f"arange({a}, {b}, {c})", np.arange(start, stop, step).astype(d))
        for n in (0, 1, 2, 5):
            a, b = p.operand(dtype, (), -3, 0), p.operand(dtype, (), 2, 5, 1)
            if dtype[0] == "f":
                want = np.linspace(a[1].astype(LONG), b[1].astype(LONG), n)
                p.add("linspace", dtype, f"linspace({a[0]}, {b[0]}, {n}, dtype={dtype})", want, ("sum", 1e-15, dtype, np.abs(want) + 1))
            else:
                p.add("linspace", dtype, f"linspace({a[0]}, {b[0]}, {n})", np.linspace(a[1], b[1], n), ("sum", 1e-15, "f64", 1.0))
    for dtype, n, m, k in itertools.product(DTYPES, (0, 1, 4), (0, 3), (-2, 0, 1)):
        p.add("eye", dtype, f"eye({n}, {m}, {k}, dtype={dtype})", np.eye(n, m, k, DTYPES[dtype]))


# ---- linear algebra ---------------------------------------------------------------------------

def products(p, takes):
    pairs = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((2, 0), (0, 3)), ((5, 2, 3), (3, 4)), ((2, 1, 2, 3), (4, 3, 2)),
             ((0, 3), (3, 2)), ((1, 2, 1, 2, 1, 2, 3), (3, 2)), ((40, 30), (30, 50))]
    for name, f in (("matmul", np.matmul), ("dot", np.dot)):
        for dtype, (s, t) in itertools.product(takes[name], pairs):
            if name == "dot" and len(s) + len(t) > 9:
                continue
            a, b = p.operand(dtype, s, -3, 3), p.operand(dtype, t, -3, 3, 1)
            product(p, name, dtype, f"{name}({a[0]}, {b[0]})", f, a[1], b[1])
    for dtype, n, m in itertools.product(takes["outer"], (0, 1, 5), (3, 4)):
        a, b = p.operand(dtype, (n,), -3, 3), p.operand(dtype, (m,), -3, 3, 1)
        product(p, "outer", dtype, f"outer({a[0]}, {b[0]})", np.outer, a[1], b[1])
    for dtype, s in itertools.product(takes["trace"], ((3, 3), (2, 3), (0, 0), (0, 2), (1, 1))):
        a = p.operand(dtype, s, -3, 3)
        product(p, "trace", dtype, f"trace({a[0]})", np.trace, a[1])
    for dtype, (spec, *s) in itertools.product(takes["einsum"], (("ij,jk->ik", (2, 3), (3, 4)), ("ii->i", (3, 3)), ("ij->", (2, 3)), ("bij,bjk->bik", (2, 2, 3), (2, 3, 2)),
                                                                 ("i,j->ji", (3,), (2,)), ("...i,i", (2, 1, 3), (3,)), ("abcdefgh->hgfedcba", (1, 2, 1, 2, 1, 1, 2, 1)))):
        operands = [p.operand(dtype, shape, -3, 3, k) for k, shape in enumerate(s)]
        product(p, "einsum", dtype, f'einsum("{spec}", {", ".join(n for n, _ in operands)})', lambda *v: np.einsum(spec, *v), *[v for _, v in operands])


def windows(p, takes):
    for dtype, s in itertools.product(ONLY["conv2d"], ((3, 4), (2, 3, 4), (1, 2, 3, 4), (0, 3, 4))):
        a, w = p.operand(dtype, s, -3, 3), p.operand(dtype, (2, 3), -3, 3, 1)
        product(p, "conv2d", dtype, f"conv2d({a[0]}, {w[0]}, stride=2, pad=1)", lambda x, w: conv2d(x, w, 2, 1), a[1], w[1])
        p.add("max_pool", dtype, f"max_pool({a[0]}, 2, stride=1, pad=1)", max_pool(a[1], 2, 1, 1))


def moments(x, axis=-1):
    return (x - x.mean(axis=axis, keepdims=True)) / np.sqrt(x.var(axis=axis, keepdims=True) + 1e-5)


# name, a call of x, its shape, the oracle in f64: what gives floats
FLOATING = [
    ("gelu", "gelu({0})", (2, 3), lambda x: x * special.ndtr(x)), ("silu", "silu({0})", (2, 3), lambda x: x * special.expit(x)),
    ("elu", "elu({0})", (2, 3), lambda x: np.where(x > 0, x, np.expm1(x))),
    ("leaky_relu", "leaky_relu({0})", (2, 3), lambda x: np.where(x > 0, x, 0.01 * x)),
    ("layer_norm", "layer_norm({0})", (2, 3), moments), ("batch_norm", "batch_norm({0})", (2, 3), lambda x: moments(x, 0)),
    ("cross_entropy", "cross_entropy({0}, [0, 2])", (2, 3), lambda x: -np.mean((x - special.logsumexp(x, axis=-1, keepdims=True))[[0, 1], [0, 2]])),
    ("avg_pool", "avg_pool({0}, 2)", (2, 4, 5), lambda x: x[:, :, :4].reshape(2, 2, 2, 2, 2).mean(axis=(2, 4))),
    ("quantile", "quantile({0}, 0.3)", (7,), lambda x: np.quantile(x, 0.3)), ("median", "median({0}, axis=1)", (2, 3), lambda x: np.median(x, axis=1)),
    ("interp", "interp({0}, [-2, 0, 3], [1.5, 2, 0])", (2, 3), lambda x: np.interp(x, [-2, 0, 3], [1.5, 2, 0])),
    ("dft", "dft({0}, {0})", (2, 6), lambda x: [np.real((1 + 1j) * np.fft.fft(x)), np.imag((1 + 1j) * np.fft.fft(x))]),
    ("iscomplexobj", "iscomplexobj({0})", (2, 3), np.iscomplexobj),
    ("qr", "qr({0} + 9 * eye(4, 3))", (4, 3), lambda x: list(qr(x + 9 * np.eye(4, 3)))),
    ("svd", "svd({0} + diag([9, 14, 20]))[1]", (3, 3), lambda x: svd(x + np.diag([9, 14, 20]))[1]),
    ("eigh", "eigh({0} + diag([9, 14, 20]))", (3, 3), lambda x: list(eigh(x + np.diag([9, 14, 20])))),
    ("eigvalsh", "eigvalsh({0} + diag([9, 14, 20]))", (3, 3), lambda x: eigh(x + np.diag([9, 14, 20]))[0]),
    ("pinv", "pinv({0} + 9 * eye(4, 3))", (4, 3), lambda x: pinv(x + 9 * np.eye(4, 3))),
    ("lstsq", "lstsq({0} + 9 * eye(4, 3), [1, 2, 3, 4])", (4, 3), lambda x: lstsq(x + 9 * np.eye(4, 3), np.arange(1.0, 5))),
]
# the same of what keeps the dtype
KEEPING = [
    ("diff", "diff({0}, axis=0)", (3, 2), lambda x: np.diff(x, axis=0)), ("moveaxis", "moveaxis({0}, 0, 2)", (2, 3, 4), lambda x: np.moveaxis(x, 0, 2)),
    ("diagonal", "diagonal({0}, 1)", (2, 3, 4), lambda x: np.diagonal(x, 1, -2, -1)), ("cross", "cross({0}, {0}[::-1])", (2, 3), lambda x: np.cross(x, x[::-1])),
    ("conv1d", "conv1d({0}, {0}[:2])", (6,), lambda x: np.correlate(x, x[:2])), ("tensordot", "tensordot({0}, {0}, axes=((0,), (0,)))", (3, 2), lambda x: x.T @ x),
    ("kron", "kron({0}, {0}[:1])", (2, 3), lambda x: np.kron(x, x[:1])), ("polyval", "polyval({0}, {0})", (3,), lambda x: np.polyval(x, x)),
    ("matrix_power", "matrix_power({0}, 3)", (3, 3), lambda x: np.linalg.matrix_power(x, 3)),
    ("segment_sum", "segment_sum({0}, [1, 0, 1], 2)", (3, 2), lambda x: np.stack([x[1], x[0] + x[2]])),
    ("nan_to_num", "nan_to_num({0})", (2, 3), np.nan_to_num), ("meshgrid", "meshgrid({0}, {0})", (3,), lambda x: np.meshgrid(x, x)),
]


def library(p, takes):
    for table, keeps in ((FLOATING, False), (KEEPING, True)):
        for (name, call, shape, oracle), key in itertools.product(table, range(4)):
            for dtype in ONLY.get(name, takes[name]):
                x, v = p.operand(dtype, shape, -4, 4, key)
                whole = keeps and dtype[0] in "ib"
                want = oracle(v if whole else v.astype(float))
                many = isinstance(want, list)
                out = dtype if dtype[0] == "f" else "f64"
                scale = [np.max(np.abs(w), initial=0) * 100 for w in (want if many else [want])]
                p.add(name, dtype, call.format(x), want, "exact" if whole else ("sum", 1e-13, out, scale if many else scale[0]))
    for dtype in DTYPES:
        x, v = p.operand(dtype, (2, 3), -2, 2)
        wide = v.astype(float)
        p.add("ndim", dtype, f"ndim({x}) + 0", np.asarray(2))
        p.add("count_nonzero", dtype, f"count_nonzero({x}, axis=0)", np.count_nonzero(v, axis=0))
        p.add("isclose", dtype, f"isclose({x}, {x} + 1e-9)", np.isclose(wide, wide + 1e-9))
        p.add("allclose", dtype, f"allclose({x}, {x} + 0.5)", np.asarray(np.allclose(wide, wide + 0.5)))
        p.add("histogram", dtype, f"histogram({x}, [-2, 0, 1, 2])[0]", np.histogram(wide, [-2, 0, 1, 2])[0])
        p.add("logspace", dtype, f"logspace({x}[0, 0], 1, 3)", np.logspace(wide[0, 0], 1, 3), ("sum", 1e-13, dtype if dtype[0] == "f" else "f64", 100))
    for dtype in ONLY["bincount"]:
        x, v = p.operand(dtype, (5,), 0, 4)
        p.add("bincount", dtype, f"bincount({x})", np.bincount(v))


def product(p, name, dtype, line, f, *values):
    if dtype[0] in "ib":
        p.add(name, dtype, line, np.asarray(f(*[widened(v) if dtype == "bool" or name == "trace" else v for v in values])))
    else:
        wide = [v.astype(LONG) for v in values]
        p.add(name, dtype, line, np.asarray(f(*wide)), ("sum", 1e-13, dtype, np.asarray(f(*[np.abs(v) for v in wide]))))


def systems(p, takes):
    for n, stack, dtype in itertools.product((1, 2, 3, 8), ((), (2,), (0,), (2, 1, 2)), DTYPES):
        def square(shift):
            whole = dtype[0] in "ib"
            m = rng.integers(-3, 4, (*stack, n, n)) + 20 * np.eye(n, dtype=int) if whole else np.round(rng.uniform(-1, 1, (*stack, n, n)), 3) + (n + 1) * np.eye(n)
            m = np.eye(n) + np.zeros((*stack, 1, 1)) if dtype == "bool" else m
            return m @ np.swapaxes(m, -1, -2) if shift else m
        A, S = (square(k).astype(DTYPES[dtype]) for k in (0, 1))
        B = p.values(dtype, (*stack, n, 2), -3, 3)
        a, s, b = (p.name(v) for v in (A, S, B))
        A, S, B = (v.astype(float) for v in (A, S, B))
        out = dtype if dtype[0] == "f" else "f64"

        def add(name, line, want, f=1):
            if dtype in takes[name]:
                scale = [np.abs(w) + f * np.max(np.abs(w), initial=0) for w in want] if isinstance(want, list) else np.abs(want) + np.max(np.abs(want), initial=0)
                p.add(name, dtype, line, want, ("sum", 1e-12, out, scale))
        add("solve", f"solve({a}, {b})", np.linalg.solve(A, B))
        add("inv", f"inv({a})", np.linalg.inv(A))
        add("det", f"det({a})", np.asarray(np.linalg.det(A)))
        add("slogdet", f"slogdet({a})", [np.asarray(v) for v in np.linalg.slogdet(A)])
        add("cholesky", f"cholesky({s})", np.linalg.cholesky(S))
        for lower, trans in itertools.product((False, True), (0, 1)):
            T = np.tril(A) if lower else np.triu(A)
            add("solve_triangular", f"solve_triangular({a}, {b}, lower={text(lower)}, trans={trans})",
                np.linalg.solve(np.swapaxes(T, -1, -2) if trans else T, B))


# ---- random numbers, derivatives, folds, files ------------------------------------------------

def drawn(p, takes):
    def near(low, high, mean):
        return lambda v, nxt: low <= v.min() and v.max() <= high and abs(v.mean() - mean) < 0.05 * (high - low)
    for seed in (0, 1, -5, 2 ** 40):
        checks = [("uniform", "rng({0}), (100, 50), -1, 3", "f64", near(-1, 3, 1)), ("normal", "rng({0}), (100, 50), 2, 0.5", "f64", near(-1, 5, 2)),
                  ("randint", "rng({0}), -2, 8, (100, 50)", "i64", near(-2, 7, 2.5)), ("bernoulli", "rng({0}), full((100, 50), 0.25)", "bool", near(0, 1, 0.25)),
                  ("permutation", "rng({0}), 5000", "i64", lambda v, nxt: np.array_equal(np.sort(v), np.arange(5000))),
                  ("categorical", "rng({0}), full((100, 50, 4), 0.5)", "i64", near(0, 3, 1.5))]
        for name, args, dtype, check in checks:
            p.add(name, dtype, f"{name}({args.format(seed)})", check, ("check", dtype))
            for asked in ("i32", "i64", "f32", "f64") if name not in ("uniform", "normal") else ("f32", "f64"):
                p.add(name, dtype, f"{name}({args.format(seed)}, dtype={asked})", check, ("check", asked))
    p.add("rng_state", "i64", "uniform(rng_state(5, 1, 0, 0, 0, 0), 1000)", near(0, 1, 0.5), ("check", "f64"))
    for name, dtype in itertools.product(("rng", "split"), ("i32", "i64")):
        seed = p.operand(dtype, (), 0, 9)
        p.add("rng", dtype, f"uniform(rng({seed[0]}), 1000)", near(0, 1, 0.5), ("check", "f64"))
        p.add("split", dtype, f"uniform(split(rng({seed[0]}), 3)[1], 1000)", near(0, 1, 0.5), ("check", "f64"))


def derived(p, takes):
    for dtype, shape in itertools.product(FLOAT, SHAPES):
        x, v = p.operand(dtype, shape, -3, 3)
        d, w = p.operand(dtype, shape, -3, 3, 1)
        p.add("grad", dtype, f"grad(sum({x} * {x}), {x.split('[')[0]})" if "[" not in x else f"(a -> grad(sum(a * a), a))({x})", v + v)
        p.add("value_and_grad", dtype, f"(a -> value_and_grad(sum(a - a), a))({x})", [np.asarray(v.dtype.type(0)), np.zeros_like(v)])
        p.add("vjp", dtype, f"(a -> vjp(a * a, a, {d}))({x})", v * w + v * w)
        p.add("jvp", dtype, f"(a -> jvp(a * a, a, {d}))({x})", v * w + v * w)
        if len(shape) < 5 and v.size:
            eye = np.eye(v.size).reshape(shape + shape).astype(v.dtype)
            p.add("jacobian", dtype, f"(a -> jacobian(3 * a, a))({x})", np.asarray(3 * eye, v.dtype))
            p.add("hessian", dtype, f"(a -> hessian(sum(a * a), a))({x})", np.asarray(2 * eye, v.dtype))
            p.add("jacobian", dtype, f"jacobian(a -> 3 * a)({x})", np.asarray(3 * eye, v.dtype))
            p.add("hessian", dtype, f"hessian(a -> sum(a * a))({x})", np.asarray(2 * eye, v.dtype))
    for dtype, shape in itertools.product(DTYPES, SHAPES[1:]):
        x, v = p.operand(dtype, shape)
        for axis in range(-len(shape), len(shape)):
            p.add("vmap", dtype, f"vmap(a -> flip(a), in_axes={axis}, out_axes={axis})({x})" if len(shape) > 1 else f"vmap(a -> a)({x})",
                  np.flip(v, [a for a in range(len(shape)) if a != axis % len(shape)]) if len(shape) > 1 else v)
        p.add("map", dtype, f"map(a -> not isnan(a), {x})", ~np.isnan(v) if dtype[0] == "f" else np.ones(shape, bool))
        if shape[0]:
            p.add("foldl", dtype, f"foldl((acc, a) -> a, {x}, {x}[0])", v[-1])
            p.add("foldr", dtype, f"foldr((acc, a) -> a, {x}, {x}[0])", v[0])
            p.add("reduce", dtype, f"reduce((acc, a) -> acc, {x})", v[0])


def files(p, takes):
    folder = tempfile.mkdtemp(prefix="gradus-table-")
    atexit.register(shutil.rmtree, folder)
    for dtype, shape in itertools.product(DTYPES, SHAPES):
        x, v = p.operand(dtype, shape)
        for k, order in enumerate((v, np.asarray(v, order="F"), v.astype(v.dtype.newbyteorder()))):
            np.save(f"{folder}/{dtype}{len(shape)}{k}{len(p.rows)}.npy", order)
            p.add("load", dtype, f'load("{folder}/{dtype}{len(shape)}{k}{len(p.rows)}.npy")', v)
        path = f"{folder}/out{len(p.rows)}.npy"
        p.add("save", dtype, f'save({x}, "{path}"); load("{path}")', v)


# ---- all of it --------------------------------------------------------------------------------

ONLY = {  # functions whose operands are of these dtypes only, where the program does not say so
    **dict.fromkeys(("grad", "value_and_grad", "vjp", "jvp", "jacobian", "hessian"), FLOAT), "one_hot": ("i32", "i64"),
    **dict.fromkeys(("conv2d", "max_pool", "avg_pool", "elu", "leaky_relu", "diff", "cross", "conv1d", "kron", "polyval", "matrix_power",
                     "segment_sum", "cross_entropy", "layer_norm", "batch_norm", "quantile", "median", "interp", "gelu", "silu",
                     "dft", "qr", "svd", "eigh", "eigvalsh", "pinv", "lstsq", "logspace", "tensordot", "nan_to_num", "isclose", "allclose", "histogram"),
                    ("i32", "i64", "f32", "f64")), "bincount": ("i32", "i64"), "arange": ("i32", "i64", "f32", "f64"), "linspace": ("i32", "i64", "f32", "f64"), "rng": ("i32", "i64"), "rng_state": ("i64",), "uniform": ("f64",), "normal": ("f64",),
    **dict.fromkeys(MADE, ()), "bernoulli": ("bool",), "randint": ("i64",), "permutation": ("i64",), "categorical": ("i64",)}


def judge(got, want, how):
    """Whether a result is what it should be, and the largest error in units in the last place."""
    if want is None:
        return got["kind"] == "error"
    if got["kind"] != "value":
        return False
    ours = decode(got)
    if how[0] == "check":
        return ours[0].dtype == DTYPES[how[1]] and bool(want(*ours)) if isinstance(ours, list) else False
    if isinstance(want, list):
        return isinstance(ours, list) and len(ours) == len(want) and all(
            agrees(o, w, how if len(how) < 4 else (*how[:3], how[3][i])) for i, (o, w) in enumerate(zip(ours, want)))
    return agrees(ours, want, how)


def report(line, got, want, program):
    ours = decode(got) if got["kind"] == "value" else got.get("message")
    inputs = "".join(f"  with {program.inputs[int(v[1:])][:300]}" for v in dict.fromkeys(re.findall(r"\bv\d+\b", line)))
    return f"{line}\n  ours   {' '.join(repr(ours).split())[:300]}\n  wanted {' '.join(repr(want).split())[:300]}\n{inputs}"


def main():
    warnings.simplefilter("ignore")
    takes, tally = functions(), Tally()
    counts = collections.Counter()
    for family in (elementwise, reductions, running, shapes, made, products, windows, library, systems, drawn, derived, files):
        p = Program()
        family(p, takes)
        tally.shown = 0
        for start in range(0, len(p.rows), 400):            # only the inputs that these statements mention
            rows = p.rows[start:start + 400]
            used = sorted({int(v[1:]) for row in rows for v in re.findall(r"\bv\d+\b", row[2])})
            results = batch([row[2] for row in rows], "".join(p.inputs[v] for v in used))
            for (name, dtype, line, want, how), got in zip(rows, results):
                how = (how,) if isinstance(how, str) else how
                with np.errstate(all="ignore"):
                    ok = judge(got, want, how)
                counts[name, dtype] += ok and got["kind"] == "value"
                tally.check(ok, lambda: report(line, got, want, p))
        print(f"{family.__name__}: {len(p.rows)} cases")
    pairs = [(name, dtype) for name, dtypes in takes.items() for dtype in ONLY.get(name, dtypes)
             if not ELSEWHERE.fullmatch(name)]
    for name, dtype in pairs:
        tally.check(counts[name, dtype] > 0, f"{name} has no compared value for {dtype}")
    print(f"{len(takes)} functions, {len(pairs)} pairs of a function and a dtype, at least {min(counts[k] for k in pairs)} cases each")
    tally.end()


if __name__ == "__main__":
    main()
