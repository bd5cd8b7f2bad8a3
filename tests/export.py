#!/usr/bin/python3
"""What `:export` writes computes what gradus computes.

    export.py [--gradus PROGRAM] [--targets numpy,torch] [--verbose] [WORD...]

After each expression of the golden programs and the examples stands `:export EXPR FILE values=yes`; the
file is run and the object that it prints is compared with that of `gradus --json`.  Where a target
cannot say something, gradus has to say so with code `unsupported`; those are counted and told.  A
target whose library is not installed is named.  JAX runs on tests/jax_stand_in.py where it is not
installed: loops and branches as JAX runs them, on NumPy's arrays.
"""
import argparse
import collections
import contextlib
import importlib.util
import io
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

import jax_stand_in as stand_in

ROOT = pathlib.Path(__file__).resolve().parent
DEFINITION = re.compile(r"^\s*(shared\s+|using\s+)?[\w' ,()]+(:[^=]*)?(:=|=[^=]|$)|^\s*\w+\s*:\s|^\s*(in|repeat|load|def|using)\b")
NEEDED = {"numpy": "numpy", "numba": "numba", "jax": "jax", "torch": "torch"}


def statements(text):
    """The lines of a program, those that belong together as one."""
    part, depth = [], 0
    for line in text.split("\n"):
        part.append(line)
        code = re.sub(r'"[^"]*"|#.*', "", line)
        depth += sum(code.count(c) for c in "([{") - sum(code.count(c) for c in ")]}")
        if depth <= 0 and not code.rstrip().endswith(("=", "+", "-", "*", "\\", ",")):
            yield "\n".join(part)
            part, depth = [], 0
    if part:
        yield "\n".join(part)


def is_expression(statement):
    code = re.sub(r"#.*", "", statement).strip()
    if not code or code.startswith(":") or ";" in code.split("{")[0]:
        return False
    if re.fullmatch(r"\w+", code):
        return True
    return not DEFINITION.match(code) or "==" in code.split("(")[0]


def exported(program, target, folder):
    """The program with an `:export` after each expression, and the files these write."""
    out, files = [], []
    for statement in statements(program):
        out.append(statement)
        if is_expression(statement):
            code = re.sub(r"#.*", "", statement).strip().rstrip(";")
            if "\n" in code:
                continue
            files.append(f"{folder}/e{len(files)}.py")
            out.append(f":export {code} {files[-1]} to={target} values=yes")
    return "\n".join(out) + "\n", files


def flat(o):
    """The tensors of a value: functions give those of nested tuples one after the other."""
    return [t for v in o["values"] for t in flat(v)] if "values" in o else [o]


def same_values(a, b, close):
    a, b = flat(a), flat(b)
    return len(a) == len(b) and all(same(x, y, close) for x, y in zip(a, b))


def same(a, b, close):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y, close) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return all(same(a.get(k), b.get(k), close) for k in ("dtype", "shape", "value"))
    if isinstance(a, float) or isinstance(b, float):
        try:
            return math.isclose(a, b, rel_tol=close, abs_tol=close)
        except TypeError:
            return a == b
    return a == b


def tolerance(value):
    return 2e-4 if "f32" in json.dumps(value.get("type", "")) else 1e-8


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


def check(counts, target, name, value, answer, path, verbose):
    if answer["kind"] == "error":
        if answer["code"] == "unsupported":
            counts[target, "cannot"] += 1
            if verbose:
                print(f"cannot {target} {name}: {answer['message']} ({answer.get('hint')})")
        elif answer["code"] not in ("no-value", "usage", "unknown-name"):
            counts.fail(target, name, answer["message"])
        return
    try:
        got = run_file(path)
    except stand_in.SkipsRows:
        counts[target, "no step"] += 1
        return
    except Exception as error:  # whatever the library raises is what is to be told
        counts.fail(target, name, f"{type(error).__name__}: {str(error)[:300]}")
        return
    if same_values(value, got, tolerance(value)):
        counts[target, "passed"] += 1
    else:
        counts.fail(target, name, f"{json.dumps(value)[:200]} but {json.dumps(got)[:200]}")


def check_program(gradus, counts, target, name, program, cwd, verbose):
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as place:
        for extra in cwd.iterdir():
            if extra.is_file() and extra.suffix != ".t":
                shutil.copy(extra, place)
        text, files = exported(program, target, folder)
        run = subprocess.run([gradus, "--json", "-"], input=text, capture_output=True, text=True, cwd=place, timeout=600)
        objects = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        written = [i for i, o in enumerate(objects) if o.get("command") == "export"
                   or o["kind"] == "error" and o.get("code") == "unsupported"]
        for i in written:
            value = objects[i - 1] if i else {}
            path = objects[i].get("data", {}).get("file")
            if value.get("kind") == "value":
                check(counts, target, f"{name} {value.get('name') or ''}", value, objects[i], path, verbose)


def programs(words):
    for path in sorted(ROOT.glob("golden/*/*.t")) + sorted(ROOT.glob("../examples/*.gr")):
        name = f"{path.parent.name}/{path.stem}"
        text = path.read_text().partition("\n---\n")[0] if path.suffix == ".t" else path.read_text()
        if path.parent.name in ("error", "repl", "draw", "scene", "rewrite") or (words and not any(w in name for w in words)):
            continue
        yield name, text, path.parent


def available(target):
    found = importlib.util.find_spec(NEEDED[target]) is not None
    if not found and target == "jax":
        print("jax is not installed: its programs run on tests/jax_stand_in.py")
        stand_in.install()
        return True
    if not found:
        print(f"LEFT OUT: {target} is not installed")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradus", default=str(ROOT.parent / "build" / "gradus"))
    parser.add_argument("--targets", default="numpy,numba,jax,torch")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    gradus = os.path.abspath(args.gradus)
    counts = Counts()
    for target in args.targets.split(","):
        if not available(target):
            continue
        for name, text, cwd in programs(args.words):
            check_program(gradus, counts, target, name, text, cwd, args.verbose)
        print(f"{target}: {counts[target, 'passed']} agree, {counts[target, 'failed']} do not, "
              f"{counts[target, 'cannot']} cannot be said"
              + (f", {counts[target, 'no step']} loops without a step left out" if counts[target, "no step"] else ""))
    passed = sum(v for (_, kind), v in counts.items() if kind == "passed")
    failed = sum(v for (_, kind), v in counts.items() if kind == "failed")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
