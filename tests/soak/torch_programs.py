#!/usr/bin/python3
"""Random programs against PyTorch: values, and gradients to the third order with torch.autograd.grad.

    torch_programs.py [--gradus PROGRAM] [--seed N] [--cases N]

The same generator as programs.py, with the forms that both can say.  The last line is "N passed, N failed".
"""
import argparse
import math
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs as P  # noqa: E402
import runs as R  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

BATCH = 100


def dtype_of(t):
    return {P.F64: torch.float64, P.F32: torch.float32, P.I64: torch.int64, P.BOOL: torch.bool}[t[0]]


def relu(a):
    return torch.where(a > 0, a, torch.zeros_like(a))


UNARY = {
    "neg": lambda a: -a, "exp_": lambda a: torch.exp(torch.sin(a)), "log_": lambda a: torch.log(1.5 + a * a),
    "sqrt_": lambda a: torch.sqrt(0.5 + a * a), "sqr_": lambda a: torch.tanh(a) * torch.tanh(a),
    "recip_": lambda a: 1 / (1 + a * a), "log1p_": lambda a: torch.log(1 + torch.exp(torch.tanh(a))),
    "expm1_": lambda a: torch.exp(torch.tanh(a)) - 1, "stop": lambda a: a.detach(), "relu": relu,
    "softplus": lambda a: torch.logaddexp(a, torch.zeros_like(a)),
}


def hypot(a, b):
    return torch.sqrt(a * a + b * b)


BINARY = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/_": lambda a, b: a / (2 + torch.cos(b)), "^_": lambda a, b: (1.5 + torch.tanh(a)) ** torch.sin(b),
    "hypot_": lambda a, b: hypot(a, 1 + b * b), "minimum": lambda a, b: torch.minimum(a, b),
    "maximum": lambda a, b: torch.maximum(a, b), "logaddexp": lambda a, b: torch.logaddexp(a, b),
}


def logsumexp(a, axis):
    return torch.logsumexp(a, axis)


def product(a, axis):
    out = torch.ones_like(a.select(axis, 0))
    for i in range(a.shape[axis]):
        out = out * a.select(axis, i)
    return out


def running(a, axis, step):
    rows, total = [], None
    for i in range(a.shape[axis]):
        x = a.select(axis, i)
        total = x if total is None else step(total, x)
        rows.append(total)
    return torch.stack(rows, axis) if rows else a


REDUCE = {
    "sum": lambda a, k: a.sum(k), "mean": lambda a, k: a.mean(k), "prod_": lambda a, k: product(torch.tanh(a), k),
    "max": lambda a, k: a.amax(k), "logsumexp": logsumexp,
    "var_": lambda a, k: ((torch.tanh(a) - torch.tanh(a).mean(k, keepdim=True)) ** 2).mean(k),
}
ALONG = {
    "cumsum": lambda a, k: running(a, k, lambda x, y: x + y), "softmax": lambda a, k: torch.softmax(a, k),
    "cumprod_": lambda a, k: running(torch.tanh(a), k, lambda x, y: x * y),
    "log_softmax": lambda a, k: torch.log_softmax(a, k),
}
COMPARE = {"<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}


def value(e, env):
    form, t, ops, more = e
    if form == "name":
        return env[more]
    if form == "number":
        return torch.tensor({"true": True, "false": False}.get(more, None) if t[0] == P.BOOL else float(more),
                            dtype=dtype_of(t))
    if form in ("block", "call"):
        return value(ops[1], {**env, more: value(ops[0], env)})
    if form == "if":
        return value(ops[1] if bool(value(ops[0], env)) else ops[2], env)
    if form in ("vmap", "rows"):
        name = more if form == "vmap" else more + "@0"
        return torch.stack([value(ops[1], {**env, name: row}) for row in value(ops[0], env)])
    if form == "scan":
        return scan(e, env)
    a = [value(x, env) for x in ops]
    if form == "full":
        return a[0].expand(t[1]).clone()
    if form == "cast":
        return a[0].to(dtype_of(t))
    if form == "tame":
        return 3 * torch.sin(a[0])
    if form == "compare":
        return COMPARE[more](a[0], a[1])
    if form == "logic":
        return a[0] & a[1] if more == "and" else a[0] | a[1]
    if form == "unary":
        return UNARY[more](a[0]) if more in UNARY else getattr(torch, more)(a[0])
    if form == "binary":
        return BINARY[more](*torch.broadcast_tensors(*a))
    if form == "where":
        return torch.where(*torch.broadcast_tensors(*a))
    if form == "reduce":
        return REDUCE[more[0]](a[0], more[1])
    if form == "matmul":
        return a[0] @ a[1]
    if form == "transpose":
        return a[0].T
    if form == "index":
        return a[0][int(more)]
    if form == "reverse":
        return a[0].flip(0)
    if form == "gather":
        return a[0][more]
    if form == "stack":
        return torch.stack(a)
    if form == "along":
        return ALONG[more](a[0], len(t[1]) - 1)
    if form == "update":
        at, how = more
        row = a[1] if how == "=" else a[0][at] + a[1]
        return torch.stack([row if i == at else a[0][i] for i in range(a[0].shape[0])])
    raise ValueError(form)


def scan(e, env):
    ops, m = e[2], e[3]
    q, p, u, reach = m["q"], m["p"], m["u"], m["reach"]
    rows = list(value(ops[0], env))
    ninit = reach + (p is not None)
    inits = [value(x, env) for x in ops[1:1 + ninit]]
    bodies, back = ops[1 + ninit:], P.runs_back(e)
    past = inits[:reach]  # in order of t; running backwards the rows after the last t
    past = past[::-1] if back else past
    other = inits[-1] if p else None
    trace = []
    for row in rows[::-1] if back else rows:
        now = {**env, u + "@0": row, **{f"{q}@{k}": past[-k] for k in range(1, reach + 1)}}
        if p:
            now[p + "@1"] = other
            other = now[p + "@0"] = value(bodies[0], now)
        past = past + [value(bodies[-1], now)]
        trace.append(past[-1])
    if m["take"] == "final":
        return past[-1]
    return torch.stack(trace[::-1] if back else trace)


def inputs(seed):
    rng = random.Random(seed)
    env = {}
    for line in P.inputs_text(seed):
        name, rest = line.split(" : ")
        dtype, shape = P.INPUTS[name]
        if 0 not in shape:
            words = rest.split(" = ")[1].replace("true", "True").replace("false", "False")
            env[name] = torch.tensor(eval(words), dtype=dtype_of((dtype, shape)))  # pylint: disable=eval-used
    del rng
    return env


def answers(p, seed):
    """The values that the program's names have."""
    env = inputs(seed)
    if p.by:
        env[p.by].requires_grad_(True)
    v = value(p.value, env)
    out = {"v": v}
    if p.by:
        x = env[p.by]
        g = torch.sin(v).sum() + 0.5 * (x * x).sum()
        for k in range(1, p.order + 1):
            got = torch.autograd.grad(g if k == 1 else h.sum(), x, create_graph=True, allow_unused=True)[0]
            got = torch.zeros_like(x) if got is None else got
            out[f"g{k}"] = got
            h = torch.cos(got) + got * x
    return {n: (t, a.detach().tolist()) for (n, a), t in zip(out.items(), [None] * len(out))}


def compare(p, got, want):
    if "error" in got:
        return f"is refused: {got['error']}"
    for name, (_, w) in want.items():
        t, v = got.get(name, ("missing", 0))
        finite = all(math.isfinite(float(x)) for x in R.flat(w))
        why = R.differ((t, v), (t, w), int(name[1]) if name[0] == "g" else 0, R.is_single(p)) if finite else None
        if why:
            return f"{name}: {why} (PyTorch)"
    return None


def main():
    args = argparse.ArgumentParser(description="random programs against PyTorch")
    args.add_argument("--gradus", default=str(R.ROOT / "build" / "gradus"))
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--cases", type=int, default=5000)
    o = args.parse_args()
    if torch is None:
        print("LEFT OUT: random programs were not compared with PyTorch (scripts/deps.sh soak installs it)")
        print("0 passed, 0 failed")
        return 0
    torch.set_num_threads(1)
    same = failed = 0
    orders = {}
    for seed in range(o.seed, o.seed + o.cases, BATCH):
        batch = [P.program(s, P.TORCH) for s in range(seed, min(seed + BATCH, o.seed + o.cases))]
        found, why = R.results(o.gradus, P.inputs_text(seed), batch)
        if found is None:
            print(f"FAILED: seeds from {seed}: {why}")
            failed += 1
            continue
        for p, got in zip(batch, found):
            why = compare(p, got, answers(p, seed))
            orders[p.order] = orders.get(p.order, 0) + 1
            same += why is None
            failed += why is not None
            if why and failed <= 10:
                p, why = shrink(o.gradus, seed, p, why)
                print(f"FAILED: seed {p.seed} (inputs {seed}): {why}")
                used = P.names_in(p.value) | {p.by}
                print("    " + "\n    ".join(x for x in P.inputs_text(seed) if x.split()[0] in used))
                print("    " + "\n    ".join(sum(p.lines(""), [])))
    print("programs by order of the gradient: " + ", ".join(f"{k}: {orders[k]}" for k in sorted(orders)))
    print(f"{same} passed, {failed} failed")
    return failed > 0


def shrink(gradus, seed, p, why):
    names = {n for n, t in P.INPUTS.items() if 0 not in t[1]}
    for _ in range(30):
        for e in P.smaller(p.value, names):
            by = p.by if p.by in P.names_in(e) else None
            q = P.Program(p.seed, e, by, p.order if by else 0)
            if P.size(e) >= P.size(p.value):
                continue
            found, _ = R.results(gradus, P.inputs_text(seed), [q])
            try:
                now = found and compare(q, found[0], answers(q, seed))
            except (KeyError, RuntimeError):  # not a program
                continue
            if now and now.split(":")[0] == why.split(":")[0]:
                p, why = q, now
                break
        else:
            break
    return p, why


if __name__ == "__main__":
    sys.exit(main())
