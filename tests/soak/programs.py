"""Random typed programs: text in the language, and the same computed with PyTorch.

program(seed, kind) is a Program; the same seed gives the same program.  A term is a tuple
(form, type, operands, more) with type (dtype, shape); text() prints it, torch_programs.py evaluates it.  Values
stay tame: what grows goes through tanh or sin, what has a pole is kept away from it, so that rounding is all
that two ways to compute it may differ by.  Of kind WILD nothing is kept away from anything, and constants are of
all scales.  Of kind TORCH a program has only what PyTorch has, too.
"""
import random

TAME, TORCH, WILD = range(3)
F64, F32, I64, BOOL = "f64", "f32", "i64", "bool"
FLOATS = (F64, F32)
INPUTS = {"x": (F64, (3,)), "y": (F64, (2, 3)), "s": (F64, ()), "A": (F64, (3, 3)), "z": (F32, (3,)),
          "w": (F32, (2,)), "k": (I64, (3,)), "n": (I64, ()), "b": (BOOL, (3,)), "o": (F64, (0,)),
          "O": (F64, (0, 3))}
SHAPES = ((), (), (3,), (3,), (2,), (2, 3), (3, 3), (0,), (0, 3))
UNARY = ("tanh", "sin", "cos", "sigmoid", "neg", "exp_", "log_", "sqrt_", "sqr_", "softplus", "recip_", "erf", "abs",
         "relu", "log1p_", "expm1_", "atan", "stop")
BINARY = ("+", "-", "*", "/_", "minimum", "maximum", "^_", "hypot_", "logaddexp")
TEXT1 = {"neg": "(-{0})", "exp_": "exp(sin({0}))", "log_": "log(1.5 + sqr({0}))", "sqrt_": "sqrt(0.5 + sqr({0}))",
         "sqr_": "sqr(tanh({0}))", "recip_": "(1 / (1 + sqr({0})))", "log1p_": "log(1 + exp(tanh({0})))",
         "expm1_": "(exp(tanh({0})) - 1)", "stop": "stop_gradient({0})", "recip": "(1 / {0})", "plain": "({0})"}
TEXT2 = {"/_": "({0} / (2 + cos({1})))", "^_": "((1.5 + tanh({0})) ^ sin({1}))", "hypot_": "hypot({0}, 1 + sqr({1}))"}
SCALES = {F64: ("1e300", "1e-300", "-1e200", "1e-200", "1e155", "1e-160", "1e16", "1e-9", "3.0", "1e308", "0", "1"),
          F32: ("1e30", "1e-30", "-1e25", "1e-25", "1e19", "1e-20", "1e7", "1e-5", "3.0", "3e38", "0", "1")}


def literal(rng, dtype, wild=False):
    if wild and dtype in FLOATS and rng.random() < 0.4:
        return rng.choice(SCALES[dtype])
    if dtype == I64:
        return rng.choice(("0", "1", "2", "3", "-1", "-2", "5"))
    if dtype == BOOL:
        return rng.choice(("true", "false"))
    return rng.choice(("0.5", "1.0", "2.0", "-0.7", "0.0", "1.3", "-1.0", "0.25"))


class Writer:
    """Makes terms.  `names` maps what can be read to its type."""

    def __init__(self, rng, kind=TAME):
        self.rng, self.torch, self.wild, self.count = rng, kind == TORCH, kind == WILD, 0
        self.shapes = [s for s in SHAPES if not self.torch or 0 not in s]

    def one_of(self, names):
        """One of them; "exp_", a tame form of exp, may be exp itself in a wild program."""
        name = self.rng.choice(names)
        return name.rstrip("_") if self.wild and self.rng.random() < 0.6 else name

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def leaf(self, t, names):
        fits = [n for n, u in names.items() if u == t]
        if fits and self.rng.random() < 0.85:
            return ("name", t, (), self.rng.choice(fits))
        if t[1] == ():
            return ("number", t, (), literal(self.rng, t[0], self.wild))
        near = [n for n, u in names.items() if u[1] == t[1]]
        if near and self.rng.random() < 0.6:
            return self.cast(("name", names[near[0]], (), near[0]), t[0])
        return ("full", t, (("number", (t[0], ()), (), literal(self.rng, t[0], self.wild)),), None)

    def cast(self, term, dtype):
        have = term[1][0]
        if have == dtype:
            return term
        if dtype == BOOL:
            zero = ("number", (have, ()), (), "0" if have == I64 else "0.1")
            return ("compare", (BOOL, term[1][1]), (term, zero), ">")
        if dtype == I64 and have in FLOATS:
            term = ("tame", term[1], (term,), None)
        return ("cast", (dtype, term[1][1]), (term,), None)

    def term(self, t, depth, names):
        if depth <= 0 or self.rng.random() < 0.08:
            return self.leaf(t, names)
        forms = {F64: self.float_forms, F32: self.float_forms, I64: self.int_forms, BOOL: self.bool_forms}[t[0]]()
        for _ in range(6):
            made = self.rng.choice(forms)(t, depth - 1, names)
            if made is not None:
                return made
        return self.leaf(t, names)

    def float_forms(self):
        common = [self.unary] * 4 + [self.binary] * 6 + [self.where, self.reduce, self.reduce, self.matmul, self.index,
                                                        self.reverse, self.stack, self.block, self.scan, self.scan,
                                                        self.loop, self.vmap, self.branch, self.call, self.along,
                                                        self.transpose, self.update, self.gather, self.state_free]
        return common if self.torch else common + [self.casts, self.until, self.solve, self.gradient, self.nested,
                                                   self.fold, self.steps]

    def int_forms(self):
        if self.torch:
            return [self.int_binary, self.int_binary, self.where, self.reverse, self.index]
        return [self.int_binary, self.int_binary, self.where, self.casts, self.reduce_int, self.reverse, self.index,
                self.divide]

    def bool_forms(self):
        return [self.compare, self.compare, self.logic]

    # ---- elementwise ----

    def unary(self, t, d, names):
        return ("unary", t, (self.term(t, d, names),), self.one_of(UNARY))

    def pair(self, t, d, names):
        a, b = self.term(t, d, names), self.term((t[0], t[1] if self.rng.random() < 0.7 else ()), d, names)
        return (a, b) if self.rng.random() < 0.5 or not t[1] else (b, a)

    def binary(self, t, d, names):
        return ("binary", t, self.pair(t, d, names), self.one_of(BINARY))

    def int_binary(self, t, d, names):
        return ("binary", t, self.pair(t, d, names), self.rng.choice(("+", "-", "*", "minimum", "maximum")))

    def divide(self, t, d, names):
        return ("divide", t, (self.term(t, d, names), self.term((I64, ()), d, names)), self.one_of(("//_", "%_")))

    def where(self, t, d, names):
        return ("where", t, (self.term((BOOL, t[1]), d, names), *self.pair((t[0], t[1]), d, names)), None)

    def casts(self, t, d, names):
        dtype = self.rng.choice([k for k in (F64, F32, I64, BOOL) if k != t[0] and (t[0] != I64 or k != F32)])
        return self.cast(self.term((dtype, t[1]), d, names), t[0])

    def compare(self, t, d, names):
        dtype = self.rng.choice((F64, F64, I64))
        return ("compare", t, (self.term((dtype, t[1]), d, names), self.term((dtype, ()), d, names)),
                self.rng.choice(("<", ">", "<=", ">=")))

    def logic(self, t, d, names):
        return ("logic", t, (self.term(t, d, names), self.term(t, d, names)), self.rng.choice(("and", "or")))

    # ---- shapes ----

    def wider(self, t):
        """A shape that loses an axis to become t's; the axis."""
        options = [(s, axis) for s in set(self.shapes) for axis in range(len(s)) if s[:axis] + s[axis + 1:] == t[1]]
        return self.rng.choice(sorted(options)) if options else (None, 0)

    def reduce(self, t, d, names):
        shape, axis = self.wider(t)
        if shape is None:
            return None
        name = self.one_of(("sum", "sum", "mean", "prod_", "max", "logsumexp", "var_"))
        if shape[axis] == 0 and name in ("max", "mean", "var_", "var", "logsumexp"):
            name = "sum"
        return ("reduce", t, (self.term((t[0], shape), d, names),), (name, axis))

    def reduce_int(self, t, d, names):
        shape, axis = self.wider(t)
        if shape is None or shape[axis] == 0:
            return None
        name = self.rng.choice(("sum", "argmax", "max"))
        dtype = F64 if name == "argmax" else I64
        return ("reduce", t, (self.term((dtype, shape), d, names),), (name, axis))

    def matmul(self, t, d, names):
        inner = self.rng.choice((2, 3, 3, 0) if not self.torch else (2, 3))
        if len(t[1]) == 2:
            a, b = (t[1][0], inner), (inner, t[1][1])
        elif len(t[1]) == 1:
            a, b = ((t[1][0], inner), (inner,)) if self.rng.random() < 0.5 else ((inner,), (inner, t[1][0]))
        else:
            a, b = (inner,), (inner,)
        return ("matmul", t, (self.term((t[0], a), d - 1, names), self.term((t[0], b), d - 1, names)), None)

    def transpose(self, t, d, names):
        if len(t[1]) != 2:
            return None
        return ("transpose", t, (self.term((t[0], t[1][::-1]), d, names),), None)

    def index(self, t, d, names):
        shape, axis = self.wider(t)
        if shape is None or axis != 0 or shape[0] == 0:
            return None
        at = self.rng.choice((str(self.rng.randrange(shape[0])), str(-self.rng.randrange(1, shape[0] + 1))))
        return ("index", t, (self.term((t[0], shape), d, names),), at)

    def reverse(self, t, d, names):
        if not t[1]:
            return None
        return ("reverse", t, (self.term(t, d, names),), None)

    def gather(self, t, d, names):
        if not t[1] or t[1][0] == 0:
            return None
        rows = self.rng.choice((2, 3))
        at = [self.rng.randrange(rows) for _ in range(t[1][0])]
        return ("gather", t, (self.term((t[0], (rows,) + t[1][1:]), d, names),), at)

    def stack(self, t, d, names):
        if not t[1] or t[1][0] == 0:
            return None
        return ("stack", t, tuple(self.term((t[0], t[1][1:]), d - 1, names) for _ in range(t[1][0])), None)

    def along(self, t, d, names):
        if not t[1] or t[1][-1] == 0:
            return None
        return ("along", t, (self.term(t, d, names),), self.one_of(("cumsum", "softmax", "cumprod_", "log_softmax")))

    def update(self, t, d, names):
        if not t[1] or t[1][0] == 0:
            return None
        return ("update", t, (self.term(t, d, names), self.term((t[0], t[1][1:]), d, names)),
                (self.rng.randrange(t[1][0]), self.rng.choice(("=", "+="))))

    def solve(self, t, d, names):
        if t != (F64, (3,)):
            return None
        return ("solve", t, (self.term((F64, (3, 3)), d - 1, names), self.term(t, d, names)), None)

    # ---- binding forms ----

    def block(self, t, d, names):
        u = (t[0], self.rng.choice(self.shapes))
        v = self.fresh("v")
        return ("block", t, (self.term(u, d, names), self.term(t, d, {**names, v: u})), v)

    def call(self, t, d, names):
        u = (t[0], self.rng.choice(self.shapes))
        v = self.fresh("v")
        return ("call", t, (self.term(u, d, names), self.term(t, d, {**names, v: u})), v)

    def branch(self, t, d, names):
        return ("if", t, (self.term((BOOL, ()), d, names), self.term(t, d, names), self.term(t, d, names)), None)

    def vmap(self, t, d, names):
        if not t[1] or t[1][0] == 0:
            return None
        u = (t[0], (t[1][0],) + self.rng.choice(((), (3,), (2,))))
        v = self.fresh("v")
        body = self.term((t[0], t[1][1:]), d, {**names, v: (u[0], u[1][1:])})
        return ("vmap", t, (self.term(u, d, names), body), v)

    def bound_by(self, names):
        """What keeps a state from growing."""
        return "plain" if self.wild and self.rng.random() < 0.6 else self.rng.choice(names)

    def one_scan(self, state, d, names, length, until=False):
        """A loop over a sequence with one or two states; the fields of its term."""
        rng = self.rng
        seq = (state[0], (length,) + rng.choice(((), (3,))))
        u, q, p = self.fresh("u"), self.fresh("q"), self.fresh("p") if rng.random() < 0.3 else None
        reach = 1 if rng.random() < 0.75 else 2
        back = not until and rng.random() < 0.3
        taps = {f"{q}@{k}": state for k in range(1, reach + 1)}
        other = (state[0], rng.choice(((), (3,))))
        inside = {n: k for n, k in names.items() if "@" not in n}
        inside.update(taps)
        inside[u + "@0"] = (seq[0], seq[1][1:])
        inits = [self.term(state, d - 1, names) for _ in range(reach)]
        parts = [self.term(seq, d - 1, names)]
        bodies = []
        if p:
            inside[p + "@1"] = other
            bodies.append(("unary", other, (self.term(other, d - 1, inside),), self.bound_by(("tanh",))))
            inside[p + "@0"] = other
            inits.append(self.term(other, d - 1, names))
        bodies.append(("unary", state, (self.term(state, d, inside),), self.bound_by(("tanh", "sin"))))
        if reach > 1 or rng.random() < 0.7:
            bodies[-1] = ("unary", state, (("binary", state, (("name", state, (), f"{q}@{reach}"), bodies[-1]),
                                            rng.choice(("*", "+"))),), self.bound_by(("sin",)))
        return parts, inits, bodies, dict(u=u, q=q, p=p, reach=reach, back=back)

    def scan(self, t, d, names):
        """The final state."""
        if d < 1:
            return None
        length = self.rng.choice((0, 1, 2, 3, 3, 3)) if not self.torch else self.rng.choice((1, 2, 3, 3))
        parts, inits, bodies, more = self.one_scan(t, d, names, length)
        return ("scan", t, (*parts, *inits, *bodies), {**more, "take": "final", "length": length})

    def loop(self, t, d, names):
        """The trace."""
        if d < 1 or not t[1]:
            return None
        parts, inits, bodies, more = self.one_scan((t[0], t[1][1:]), d, names, t[1][0])
        return ("scan", t, (*parts, *inits, *bodies), {**more, "take": "trace", "length": t[1][0]})

    def until(self, t, d, names):
        if d < 1:
            return None
        parts, inits, bodies, more = self.one_scan(t, d, names, 3, True)
        return ("scan", t, (*parts, *inits, *bodies), {**more, "take": "final", "length": 3,
                                                       "until": self.rng.choice(("0.3", "-0.2", "0.9"))})

    def steps(self, t, d, names):
        if d < 1 or t[1]:
            return None
        state = (t[0], ())
        parts, inits, bodies, more = self.one_scan(state, d, names, 3, True)
        made = ("scan", (I64, ()), (*parts, *inits, *bodies), {**more, "take": "steps", "length": 3, "until": "0.1"})
        return ("cast", t, (made,), None)

    def nested(self, t, d, names):
        """A sum over a loop in a loop."""
        if d < 2 or t[1]:
            return None
        rows = self.fresh("u")
        inside = {n: k for n, k in names.items() if "@" not in n}
        inside[rows + "@0"] = (t[0], (3,))
        inner = self.scan(t, d - 1, {**inside})
        return inner and ("map", t, (self.term((t[0], (2, 3)), d - 1, names), inner), rows)

    def state_free(self, t, d, names):
        """A map written as a loop without a state."""
        if d < 1 or not t[1] or t[1][0] == 0:
            return None
        u = self.fresh("u")
        inside = {n: k for n, k in names.items() if "@" not in n}
        inside[u + "@0"] = (t[0], (3,))
        body = self.term((t[0], t[1][1:]), d, inside)
        return ("rows", t, (self.term((t[0], (t[1][0], 3)), d - 1, names), body), u)

    def fold(self, t, d, names):
        if t[1]:
            return None
        a, v = self.fresh("a"), self.fresh("v")
        plain = {n: k for n, k in names.items() if "@" not in n}
        body = ("unary", t, (self.term(t, d, {**plain, a: t, v: t}),), self.bound_by(("tanh",)))
        return ("fold", t, (self.term((t[0], (3,)), d, names), body), (a, v, self.rng.choice(("foldl", "foldr"))))

    def gradient(self, t, d, names):
        v = self.fresh("v")
        body = self.term((t[0], self.rng.choice(((), (3,)))), d, {**names, v: t})
        return ("grad", t, (self.term(t, d - 1, names), body), v)


def runs_back(e):
    """Does the scan run from the last row to the first?  Only what reads a state has a direction."""
    more, ninit = e[3], e[3]["reach"] + (e[3]["p"] is not None)
    read = set().union(*(names_in(x) for x in e[2][1 + ninit:]))
    return more["back"] and any(n.split("@")[0] in (more["q"], more["p"]) and not n.endswith("@0") for n in read)


# ---- text ----

def name_text(name, back, index):
    if "@" not in name:
        return name
    base, k = name.split("@")
    if k == "0":
        return f"{base}[{index}]"
    return f"{base}[{index}{'+' if back.get(base) else '-'}{k}]"


def shape_text(shape):
    return "()" if not shape else "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def text(e, back=None, index=None):
    back, index = back or {}, index or {}
    form, t, ops, more = e

    def go(x):
        return text(x, back, index)

    if form == "name":
        return name_text(more, back, index.get(more.split("@")[0], "t"))
    if form == "number":
        return f"f32({more})" if t[0] == F32 else more if not more.startswith("-") else f"({more})"
    if form in ("scan", "map", "rows"):
        return loop_text(e, back, index)
    a = [go(x) for x in ops]
    if form == "written":  # as `more` has it, with the operands in its braces
        return more.format(*a)
    if form == "full":
        return f"full({shape_text(t[1])}, {a[0]})"
    if form == "cast":
        return f"{t[0]}({a[0]})"
    if form == "tame":
        return f"(3 * sin({a[0]}))"
    if form == "compare" or form == "logic":
        return f"({a[0]} {more} {a[1]})"
    if form == "unary":
        return TEXT1.get(more, more + "({0})").format(*a)
    if form == "binary":
        return TEXT2.get(more, "({0} %s {1})" % more if more in "+-*/^" else more + "({0}, {1})").format(*a)
    if form == "divide":
        by = f"(1 + {a[1]} * {a[1]} % 7)" if more.endswith("_") else a[1]
        return f"({a[0]} {more.rstrip('_')} {by})"
    if form == "where":
        return f"where({', '.join(a)})"
    if form == "reduce":
        name, axis = more
        inner = f"tanh({a[0]})" if name.endswith("_") else a[0]
        return f"{name.rstrip('_')}({inner}, axis={axis})"
    if form == "matmul":
        return f"({a[0]} @ {a[1]})"
    if form == "transpose":
        return f"({a[0]})'"
    if form == "index":
        return f"({a[0]})[{more}]"
    if form == "reverse":
        return f"({a[0]})[::-1]"
    if form == "gather":
        return f"({a[0]})[{more}]"
    if form == "stack":
        return f"stack(({', '.join(a)},))"
    if form == "along":
        inner = f"tanh({a[0]})" if more.endswith("_") else a[0]
        return f"{more.rstrip('_')}({inner}, axis={len(t[1]) - 1})"
    if form == "update":
        return f"({a[0]} with [{more[0]}] {more[1]} {a[1]})"
    if form == "solve":
        return f"solve(4 * eye(3) + tanh({a[0]}), {a[1]})"
    if form == "block":
        return f"{{ {more} = {a[0]}; {a[1]} }}"
    if form == "call":
        return f"({more} -> {a[1]})({a[0]})"
    if form == "if":
        return f"(if {a[0]} then {a[1]} else {a[2]})"
    if form == "vmap":
        return f"vmap({more} -> {a[1]})({a[0]})"
    if form == "fold":
        return f"{more[2]}(({more[0]}, {more[1]}) -> {a[1]}, {a[0]}, {'f32(0.5)' if t[0] == F32 else '0.5'})"
    if form == "grad":
        return f"{{ {more} = {a[0]}; grad(sum({a[1]}) + 0.5 * sum(sqr({more})), {more}) }}"
    raise ValueError(form)


def loop_text(e, back, index):
    form, t, ops, more = e
    outer = [text(x, back, index) for x in ops[:1]]
    at = "t" + (more["u"] if form == "scan" else more)[1:]
    if form in ("map", "rows"):
        inside = {**index, more: at}
        row = f"(scan {at} over {more} = {outer[0]} {{ r{more} = 1; m{more}[{at}] = {text(ops[1], back, inside)} }})"
        return f"sum({row})" if form == "map" else row
    q, p, u = more["q"], more["p"], more["u"]
    ninit = more["reach"] + (p is not None)
    inits = [text(x, back, index) for x in ops[1:1 + ninit]]
    inside = {**index, q: at, u: at, **({p: at} if p else {})}
    back = {**back, q: more["back"], p: more["back"]}
    bodies = [text(x, back, inside) for x in ops[1 + ninit:]]
    first = inits[0] if more["reach"] == 1 else f"stack(({', '.join(inits[:more['reach']])}))"
    states = f"{q} = {first}" + (f", {p} = {inits[-1]}" if p else "")
    lines = ([f"{p}[{at}] = {bodies[0]}"] if p else []) + [f"{q}[{at}] = {bodies[-1]}"]
    if more.get("until"):
        lines.append(f"until sum({q}[{at}]) > {more['until']}")
    scan = f"(scan {at} over {u} = {outer[0]} from {states} {{ {'; '.join(lines)} }})"
    if more["take"] == "steps":
        return scan + ".steps"
    if more["take"] == "final":
        return f"{scan}.final" + (f".{q}" if p else "")
    return scan + (f".{q}" if p else "")


# ---- programs ----

class Program:
    """`value` and gradients of orders 1 to `order` of its weighted sum by `by` (None: no gradient)."""

    def __init__(self, seed, value, by, order, wild=False):
        self.seed, self.value, self.by, self.order, self.wild = seed, value, by, order, wild

    def lines(self, prefix):
        """Statements and the names whose values count."""
        out = [f"{prefix}v = {text(self.value)}"]
        names = [prefix + "v"]
        shape = INPUTS[self.by][1] if self.by else None
        if self.by:
            loss = f"sum({prefix}v)" if self.wild and self.seed % 3 else f"sum(sin({prefix}v))"
            out.append(f"{prefix}g0 = {loss} + 0.5 * sum(sqr({self.by}))")
            for k in range(1, self.order + 1):
                out.append(f"{prefix}g{k} = grad({'sum' if k > 1 and shape else ''}({prefix}{'h' if k > 1 else 'g'}{k - 1}), {self.by})")
                other = f"{prefix}g{k}" if self.wild and self.seed % 2 else f"cos({prefix}g{k})"
                out.append(f"{prefix}h{k} = {other} + {prefix}g{k} * {self.by}")
                names.append(f"{prefix}g{k}")
        return out, names


def program(seed, kind=TAME, writer=Writer):
    rng, torch = random.Random(seed * 3 + kind), kind == TORCH
    w = writer(rng, kind)
    t = (rng.choice((F64, F64, F64, F32)) if torch else rng.choice((F64, F64, F64, F32, I64, BOOL)), rng.choice(w.shapes))
    names = {n: u for n, u in INPUTS.items() if not torch or (0 not in u[1])}
    value = w.term(t, rng.choice((3, 4, 5, 6)), names)
    for _ in range(6):
        if not 12 <= size(value) <= 300:
            value = w.term(t, rng.choice((4, 5)), names)
    by, order = None, 0
    if t[0] in FLOATS and rng.random() < 0.75:
        read = sorted(n for n in names_in(value) if n in INPUTS and INPUTS[n][0] in FLOATS)
        by = rng.choice(read) if read else None
        order = rng.choice((1, 1, 2, 3)) if by else 0
    return Program(seed, value, by, order, kind == WILD)


def names_in(e):
    if e[0] == "name":
        return {e[3]}
    return set().union(*(names_in(x) for x in e[2])) if e[2] else set()


def size(e):
    return 1 + sum(size(x) for x in e[2])


def inputs_text(seed):
    """The inputs with values: one set for each batch."""
    rng = random.Random(seed)

    def value(dtype, shape):
        if not shape:
            return {I64: str(rng.randrange(-3, 7)), BOOL: rng.choice(("true", "false"))}.get(
                dtype, f"{rng.choice((0.3, -0.8, 1.1, 0.6)) + rng.randrange(100) / 1000:.3f}")
        return "[" + ", ".join(value(dtype, shape[1:]) for _ in range(shape[0])) + "]"

    return [f"{n} : {d}{list(s) if s else ''} = " + (value(d, s) if 0 not in s else f"zeros({shape_text(s)})")
            for n, (d, s) in INPUTS.items()]


def bound(e):
    """What a term binds for some of its operands."""
    form, more = e[0], e[3]
    if form in ("block", "call", "vmap", "grad"):
        return {more}
    if form in ("rows", "map"):
        return {more + "@0"}
    if form == "fold":
        return set(more[:2])
    if form == "scan":
        return {more["u"] + "@0", *(f"{more['q']}@{k}" for k in (1, 2)), *(f"{more['p']}@{k}" for k in (0, 1))}
    return set()


def smaller(e, names):
    """Terms that are like e but smaller, the smallest first; a few may read what is not bound there."""
    out = [x for x in e[2] if x[1] == e[1] and names_in(x) <= names]
    w = Writer(random.Random(1), TORCH)
    if e[0] not in ("name", "number"):
        out.append(w.leaf(e[1], {n: t for n, t in INPUTS.items() if n in names}))
    for i, x in enumerate(e[2]):
        for y in smaller(x, names | bound(e)):
            out.append((e[0], e[1], e[2][:i] + (y,) + e[2][i + 1:], e[3]))
    return sorted(out, key=size)
