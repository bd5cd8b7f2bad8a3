#!/usr/bin/python3
"""Random programs, exported and run: what they print is what gradus prints.

    export_programs.py [--gradus PROGRAM] [--seed N] [--cases N] [--targets c,numpy,numba,torch] [--show]

The generator is that of programs.py, with updates along any axis, additions to one place several times,
positions in a matrix, checks and reductions over several axes beside it.  Values and gradients to the third order are
exported with `values=yes`; C is compiled, Python is imported.  --cases is the number of programs for C and for NumPy (2000 once, 120 in the soak);
Numba, which compiles each function, and PyTorch get a tenth.  A program that fails in gradus has to fail in C.  What a target cannot say has
to be an `export` error at a place in the program; these are counted and told by reason.  A difference is made small
and printed with its seed.  The last line is "N passed, N failed".
"""
import argparse
import collections
import concurrent.futures
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import programs as P  # noqa: E402
import runs as R  # noqa: E402

BATCH = 25
SHARE = {"c": 1, "numpy": 1, "numba": 10, "torch": 10}  # of the cases, one in so many
FLAGS = ["-std=c11", "-O1", "-ffp-contract=off", "-w"]


class Writer(P.Writer):
    """More forms: those that writers of other languages have trouble with."""

    def float_forms(self):
        return super().float_forms() + [self.anywhere, self.anywhere, self.several, self.matrix, self.checked,
                                        self.two_axes, self.seen_through, self.seen_through, self.position]

    def int_forms(self):
        return super().int_forms() + [self.position_of, self.seen_through]

    def written(self, t, text, *ops):
        return ("written", t, ops, text)

    def anywhere(self, t, d, names):
        """x with [:, k] = v, or with [:, a:b:c] += v"""
        if len(t[1]) != 2 or 0 in t[1]:
            return None
        how, k = self.rng.choice(("=", "+=")), self.rng.randrange(t[1][1])
        if self.rng.random() < 0.5:
            v = self.term((t[0], self.rng.choice(((t[1][0],), ()))), d, names)
            return self.written(t, f"({{0}} with [:, {k}] {how} {{1}})", self.term(t, d, names), v)
        return self.written(t, f"({{0}} with [:, 1:3] {how} {{1}}[:, 1:3])", self.term(t, d, names), self.term(t, d, names))

    def several(self, t, d, names):
        """Rows, or columns, some of them twice."""
        if not t[1] or 0 in t[1]:
            return None
        axis = self.rng.randrange(len(t[1]))
        at = [self.rng.randrange(t[1][axis]) for _ in range(3)]
        how = "+=" if len(set(at)) < 3 or self.rng.random() < 0.7 else "="
        shape = t[1][:axis] + (3,) + t[1][axis + 1:]
        return self.written(t, f"({{0}} with [{':, ' * axis}{at}] {how} {{1}})", self.term(t, d, names),
                            self.term((t[0], shape), d, names))

    def matrix(self, t, d, names):
        """Positions in a matrix."""
        if len(t[1]) != 2 or 0 in t[1]:
            return None
        at = [[self.rng.randrange(3) for _ in range(t[1][1])] for _ in range(t[1][0])]
        return self.written(t, f"({{0}})[{at}]", self.term((t[0], (3,)), d, names))

    def checked(self, t, d, names):
        said = self.rng.choice(("no", "50% \\\\ \\\"here\\\"", "two\\nlines", "\u00e4??/%d"))
        return self.written(t, f"{{{{ check(sum({{0}}) < 1e9, \"{said}\"); {{1}} }}}}", self.term((t[0], (3,)), d, names),
                            self.term(t, d, names))

    def two_axes(self, t, d, names):
        if len(t[1]) > 1 or 0 in t[1]:
            return None
        name = self.rng.choice(("sum", "mean", "max", "logsumexp"))
        if not t[1]:
            return self.written(t, f"{name}({{0}})", self.term((t[0], (2, 3)), d, names))
        return self.written(t, f"{name}(tanh({{0}}[:, :, None] * {{1}}[:, None, :]), axis=(0, 2))",
                            self.term((t[0], (2,) + t[1]), d, names), self.term((t[0], (2, 3)), d, names))

    def seen_through(self, t, d, names):
        """What writes its operand alone, in the middle of signs."""
        inner = self.binary(t, d, names) if t[0] != P.I64 else self.int_binary(t, d, names)
        through = self.rng.choice(("stop_gradient({1})", "{{ check({0} < 1e9, \"small\"); {1} }}",
                                   f"{t[0]}({{1}})", "({1} + 0)", "({1} * 1)"))
        sign = self.rng.choice(("-", "*", "+") if t[0] == P.I64 else ("-", "*", "/ (2 + cos", "-"))
        close = ")" if "(" in sign else ""
        return self.written(t, f"({{2}} {sign}({through}){close})", self.term((P.F64, ()), 0, {}), inner,
                            self.term(t, d, names))

    def position(self, t, d, names):
        if t[1] or t[0] != P.F64:
            return None
        return self.cast(self.position_of((P.I64, ()), d, names), t[0])

    def position_of(self, t, d, names):
        name = self.rng.choice(("argmax", "argmin"))
        if not t[1]:
            return self.written(t, f"{name}({{0}})", self.term((self.rng.choice((P.F64, P.BOOL)), (3,)), d, names))
        if t[1] == (0,):
            return None
        shape = t[1] + (3,) if len(t[1]) == 1 else None
        return shape and self.written(t, f"{name}({{0}}, axis=1)", self.term((P.F64, shape), d, names))


# ---- running what was written ----

class Failed(Exception):
    """It ran and ended with an error, as it should if gradus does."""


def run_c(path):
    exe = path.with_suffix("")
    made = subprocess.run(["gcc", *FLAGS, str(path), "-o", str(exe), "-lm"], capture_output=True, text=True, check=False)
    if made.returncode:
        raise ValueError(made.stderr[:500])
    ran = subprocess.run([str(exe)], capture_output=True, text=True, timeout=60, check=False)
    exe.unlink()
    if ran.returncode == 1:
        raise Failed(ran.stderr.strip())
    return [json.loads(x) for x in ran.stdout.splitlines()]


def run_python(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec.loader.exec_module(module)
        module.main()
    return [json.loads(x) for x in out.getvalue().splitlines()]


def run_file(target, path):
    """(printed, None), or (None, what went wrong)"""
    try:
        return (run_c if target == "c" else run_python)(path), None
    except Failed as e:
        return None, ("error", str(e))
    except Exception as e:  # whatever a library raises
        return None, ("fault", f"{type(e).__name__}: {str(e)[:400]}")


def export_all(gradus, target, head, wanted, folder):
    """wanted: (statements, names) by case.  For each: {name: (value or error of gradus, file or refusal)}."""
    lines, owner = list(head), {}
    ending = "c" if target == "c" else "py"
    for i, (statements, names) in enumerate(wanted):
        for s in statements:
            lines.append(s)
            owner[len(lines)] = (i, None)
        for k, name in enumerate(names):
            file = f"{folder}/e{i}_{k}.{ending}"
            lines += [name, f":export {name} {file} to={target} values=on"]
            owner[len(lines) - 1] = owner[len(lines)] = (i, name)
    text = pathlib.Path(folder, "input.gr")
    text.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run([gradus, "--json", str(text)], capture_output=True, text=True, timeout=600, check=False)
    if done.returncode not in (0, 1):
        return None, f"exit status {done.returncode}: {done.stderr[-400:]}"
    out = [{} for _ in wanted]
    for o in map(json.loads, done.stdout.splitlines()):
        if o["kind"] == "command" and o["command"] == "export":
            i, k = map(int, re.search(r"e(\d+)_(\d+)\.\w+$", o["data"]["file"]).groups())
            out[i].setdefault(wanted[i][1][k], {})["file"] = pathlib.Path(o["data"]["file"])
        elif o["kind"] == "error" and o["code"] == "export":
            # The place is that of the operator; the order tells whose it is.
            out_of = next(((i, n) for i, (_, names) in enumerate(wanted) for n in names
                           if "value" in out[i].get(n, {}) and not {"file", "refused"} & set(out[i][n])), None)
            if out_of:
                out[out_of[0]][out_of[1]]["refused"] = o
        elif o["kind"] == "error":
            i, name = owner.get(o["line"], (None, None))
            for n in wanted[i][1] if i is not None and name is None else [name] if i is not None else []:
                out[i].setdefault(n, {}).setdefault("value", o)
        elif o["kind"] == "value":
            for i, (_, names) in enumerate(wanted):
                if o["name"] in names:
                    out[i].setdefault(o["name"], {})["value"] = o
    return out, ""


def verdict(target, found, order, single, runs):
    """None where the same, (kind, text) otherwise: refused, error, fault, different."""
    value = found.get("value")
    if "refused" in found:
        o = found["refused"]
        return ("refused", re.sub(r"\d+", "N", o["message"])) if o.get("line") else ("different", f"refused without a place: {o['message']}")
    if value is None or "file" not in found:
        return "none", value and value.get("message")
    printed, wrong = runs(target, found["file"])
    if value["kind"] == "error":
        # What fails is stated in Python by exceptions of many kinds.
        failed = wrong is not None and (wrong[0] == "error" or target != "c")
        return ("none", "") if failed or target != "c" else ("different", f"runs, but gradus says {value['message']} ({wrong})")
    if wrong:
        return "different", f"{wrong[0]}: {wrong[1]}"
    got = printed[0]
    why = R.differ((value["type"], value["value"]), (got["type"], got["value"]), order, single)
    return ("different", why) if why else None


class Tally:
    def __init__(self):
        self.same, self.failed, self.left, self.reasons = 0, 0, 0, collections.Counter()


def verdicts(gradus, target, seed, batch, pool):
    """For each program the first thing that is wrong with it, or None."""
    with tempfile.TemporaryDirectory(prefix="gradus-export-") as folder:
        found, why = export_all(gradus, target, P.inputs_text(seed), [p.lines(f"p{i}_") for i, p in enumerate(batch)], folder)
        if found is None:
            return [("different", why)] * len(batch)
        ran = {}
        if target == "c":
            files = [f["file"] for case in found for f in case.values() if "file" in f]
            ran = dict(zip(files, pool.map(lambda f: run_file("c", f), files)))
        out = []
        for p, case in zip(batch, found):
            all_of = [verdict(target, f, int(n[-1]) if n[-2] == "g" else 0, R.is_single(p),
                              lambda t, f: ran[f] if f in ran else run_file(t, f)) for n, f in case.items()]
            worst = [v for v in all_of if v and v[0] == "different"] or [v for v in all_of if v]
            out.append(worst[0] if worst else None if all_of else ("none", None))
        return out


def shrink(gradus, target, seed, p, why, pool):
    for _ in range(40):
        for e in P.smaller(p.value, set(P.INPUTS)):
            if P.size(e) >= P.size(p.value):
                continue
            for order in sorted({p.order, 1, 0}):
                by = p.by if order else None
                if by and by not in P.names_in(e):
                    continue
                q = P.Program(p.seed, e, by, order)
                now = verdicts(gradus, target, seed, [q], pool)[0]
                if now and now[0] == "different" and now[1].split(":")[:2] == why.split(":")[:2]:
                    break
            else:
                continue
            p, why = q, now[1]
            break
        else:
            return p, why
    return p, why


def one_target(o, target, pool):
    tally = Tally()
    cases = max(1, o.cases // SHARE[target])
    for seed in range(o.seed, o.seed + cases, BATCH):
        batch = [P.program(s, writer=Writer) for s in range(seed, min(seed + BATCH, o.seed + cases))]
        for p, v in zip(batch, verdicts(o.gradus, target, seed, batch, pool)):
            if v is None:
                tally.same += 1
            elif v[0] == "none":
                tally.left += 1
            elif v[0] == "refused":
                tally.reasons[v[1]] += 1
            else:
                tally.failed += 1
                if tally.failed > o.most:
                    continue
                q, why = shrink(o.gradus, target, seed, p, v[1], pool) if o.small else (p, v[1])
                print(f"FAILED: {target}: seed {p.seed} (inputs {seed}): {why}")
                print("    " + "\n    ".join(x for x in P.inputs_text(seed) if x.split()[0] in P.names_in(q.value) | {q.by}))
                print("    " + "\n    ".join(sum(q.lines(""), [])), flush=True)
    print(f"{target}: {cases} programs, {tally.same} give the same, {tally.failed} do not, {tally.left} fail in gradus, "
          f"{sum(tally.reasons.values())} cannot be said")
    for reason, count in tally.reasons.most_common(12):
        print(f"  {count:4d}  {reason}")
    if not tally.same:
        print(f"FAILED: {target}: nothing was compared")
        tally.failed += 1
    return tally.same, tally.failed


def available(target):
    needed = {"c": "gcc"}.get(target, target)
    there = shutil.which("gcc") if target == "c" else importlib.util.find_spec(needed)
    if not there:
        print(f"LEFT OUT: {needed} is not installed ({target})")
    return bool(there)


def main():
    args = argparse.ArgumentParser(description="random programs, exported and run")
    args.add_argument("--gradus", default=str(R.ROOT / "build" / "gradus"))
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--cases", type=int, default=120)
    args.add_argument("--targets", default="c,numpy,numba,torch")
    args.add_argument("--most", type=int, default=10, help="differences that are printed")
    args.add_argument("--small", type=int, default=1, help="0: as they are")
    o = args.parse_args()
    os.environ["GRADUS_NATIVE"] = "off"
    os.environ.setdefault("NUMBA_OPT", "0")  # compiling is most of its time
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for target in o.targets.split(","):
            if available(target):
                same, wrong = one_target(o, target, pool)
                passed, failed = passed + same, failed + wrong
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
