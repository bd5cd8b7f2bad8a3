#!/usr/bin/python3
"""What `:export` writes computes what gradus computes.

    export_python.py [--gradus PROGRAM] [--targets numpy,torch] [--verbose] [WORD...]

GRADUS_EFFORT=50 takes every other program.

After each expression of the golden programs and the examples stands `:export EXPR FILE values=on`; the
file is run and the object that it prints is compared with that of `gradus --json`.  Where a target
cannot say something, gradus has to say so with code `export`; those are counted and told.  A
target whose library is not installed is named.  JAX runs on tests/jax_stand_in.py where it is not
installed: loops and branches as JAX runs them, on NumPy's arrays.
"""
import argparse
import collections
import contextlib
import functools
import importlib.util
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings

import export
import jax_stand_in as stand_in

ROOT = pathlib.Path(__file__).resolve().parent
CLOSE = 1e-8  # other functions, other orders of sums
ELSEWHERE = ("error", "repl", "draw", "scene", "rewrite")  # about other things, and slow
# "-native": the library takes the derivatives (grad=native), in programs that have some.
NEEDED = {"numpy": "numpy", "numba": "numba", "jax": "jax", "torch": "torch", "jax-native": "jax", "torch-native": "torch"}

# Where PyTorch's own derivatives are others, so many: of cholesky it gives a symmetric one; at the edge of what a
# branch of `where` or a root is defined for, nan where ours are numbers; of det at singular matrices, by its version,
# zero or numbers of another size, and of single precision an error.
OTHERS = {("torch-native", "values-eval/batches"): 1, ("torch-native", "values-grad/kinks"): 2,
          ("torch-native", "values-grad/det_singular"): 4}


def exported(program, target, folder):
    """The program with an `:export` after each expression that stands alone."""
    out, n = [], 0
    library, _, native = target.partition("-")
    how = f"to={library} values=yes" + (" grad=native" if native else "")
    for line, alone in export.statements(program):
        out.append(line)
        if alone:
            out.append(f":export {line.split('#')[0].strip()} {folder}/e{n}.py {how}")
            n += 1
    return "\n".join(out) + "\n"


def agree(a, b):
    """Functions give the tensors of nested tuples one after the other."""
    a, b = list(export.leaves(a)), list(export.leaves(b))
    return len(a) == len(b) and all(export.same(x, y, CLOSE) for x, y in zip(a, b))


def run_file(path):
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec.loader.exec_module(module)
        module.main()
    return json.loads(out.getvalue())


class Counts(collections.Counter):
    def fail(self, target, name, what):
        self[target, "failed"] += 1
        print(f"FAIL {target} {name}: {what}")
        print("  `gradus reduce FILE EXPR -- COMMAND` finds the smallest program that still fails")


def check(counts, target, name, value, answer, path, verbose):
    if answer["kind"] == "error":
        if answer["code"] == "export":
            counts[target, "cannot"] += 1
            if verbose:
                print(f"cannot {target} {name}: {answer['message']} ({answer.get('hint')})")
        elif answer["code"] not in ("no-value", "usage", "unknown-name"):
            counts.fail(target, name, answer["message"])
        return
    try:
        got = run_file(path)
        # An empty tuple prints nothing, so what is before is another value.
        wrong = None if got.get("type") == "()" or agree(value, got) else f"{json.dumps(value)[:200]} but {json.dumps(got)[:200]}"
    except stand_in.SkipsRows:
        counts[target, "no step"] += 1
        return
    except Exception as error:  # whatever the library raises is what is to be told
        wrong = f"{type(error).__name__}: {str(error)[:300]}"
    where = target, name.split()[0]
    if not wrong:
        counts[target, "passed"] += 1
    elif counts[where, "other"] < OTHERS.get(where, 0):
        counts[where, "other"] += 1
    else:
        counts.fail(target, name, wrong)


def check_program(gradus, counts, target, name, program, cwd, verbose):
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as place:
        for extra in cwd.iterdir():
            if extra.is_file() and extra.suffix != ".t":
                shutil.copy(extra, place)
        text = exported(program, target, folder)
        run = subprocess.run([gradus, "--json", "-"], input=text, capture_output=True, text=True, cwd=place, timeout=600)
        objects = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        written = [i for i, o in enumerate(objects) if o.get("command") == "export"
                   or o["kind"] == "error" and o.get("code") == "export"]
        for i in written:
            value = objects[i - 1] if i else {}
            path = objects[i].get("data", {}).get("file")
            if value.get("kind") == "value":
                check(counts, target, f"{name} {value.get('name') or ''}", value, objects[i], path, verbose)


def programs(words):
    for path, text in export.native.programs():
        name = f"{path.parent.name}/{path.stem}"
        if path.parent.name.split("-")[-1] not in ELSEWHERE and (not words or any(w in name for w in words)):
            yield name, text, path.parent


# What a module needs of others is asked for, too: Numba's `@` is SciPy's.
PROBES = {"numba": "import numba, scipy.linalg.cython_blas", "torch": "import torch; torch.ones(2).sum().item()"}


@functools.lru_cache(None)
def works(module):
    """Can it be imported, and does what it builds on work?  A module may be there without that."""
    return importlib.util.find_spec(module) is not None and not subprocess.run(
        [sys.executable, "-c", PROBES.get(module, f"import {module}")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode


def available(target):
    found = works(NEEDED[target])
    if not found and target == "jax":
        print("jax is not installed: its programs run on tests/jax_stand_in.py")
        stand_in.install()
        return True
    if not found:
        print(f"LEFT OUT: {NEEDED[target]} is not installed, or not with what it needs ({target})")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradus", default=str(ROOT.parent / "build" / "gradus"))
    parser.add_argument("--targets", default="numpy,numba,jax,torch")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    gradus = os.path.abspath(args.gradus)
    every = max(1, round(100 / float(os.environ.get("GRADUS_EFFORT") or 100)))
    counts = Counts()
    for target in args.targets.split(","):
        if not available(target):
            continue
        for name, text, cwd in list(programs(args.words))[::every]:
            if target.endswith("-native") and "grad(" not in text:
                continue
            check_program(gradus, counts, target, name, text, cwd, args.verbose)
        if not counts[target, "passed"]:
            counts.fail(target, "all", "nothing was compared")
        print(f"{target}: {counts[target, 'passed']} agree, {counts[target, 'failed']} do not, "
              f"{counts[target, 'cannot']} cannot be said"
              + (f", {counts[target, 'no step']} loops without a step left out" if counts[target, "no step"] else ""))
    passed = sum(v for (_, kind), v in counts.items() if kind == "passed")
    failed = sum(v for (_, kind), v in counts.items() if kind == "failed")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
