#!/usr/bin/python3
"""Names of an author that mean something in the target do not get in its way.

    export_names.py [--gradus PROGRAM] [--targets c,numpy,torch,jax]

A program that needs loops and helpers is exported; every identifier in what is written, every word and builtin of
Python, and everything that C's headers declare becomes the name of an input, of a size, of a state and of the function.
What is exported then has to give what gradus gives.
"""
import argparse
import builtins
import contextlib
import importlib.util
import json
import keyword
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import export
import export_python

HEADERS = "".join(f"#include <{name}.h>\n" for name in ("math", "stdbool", "stdint", "stdio", "stdlib", "string"))
BASE = """rows_(v) = dim(v, axis=0)
q_ : f64[2] = [0.25, 0.5]
S_ = scan t_ over q_ from h_ = 1.0, a_ = q_ { h_[t_] = q_[t_] * h_[t_-1] + floor(7.5 * h_[t_-1]) % 3.0; a_[t_] = a_[t_-1] / 2 }
U_ = scan t_ for 9 from r_ = 1.0 { r_[t_] = (r_[t_-1] + 0.5 / r_[t_-1]) / 2; until abs(r_[t_] - r_[t_-1]) < 1e-3 }
W_ = 1.0 * reshape(arange(24), (2, 3, 4))
more_ = sum(mean(W_, axis=(0, 2)) * max(W_, axis=(0, 2))) + sum(argmax(W_, axis=1)) + sum(transpose(W_, axes=(2, 0, 1))[::-1] * 0.5) + sum((W_ with [:, [1, 1]] += 1.0)[:, [0, 2]]) + sum(cumsum(W_, axis=1)[:, :, 1]) + sum(tril(W_[0]))
pre_ = more_ + sum(erf(q_) + erfc(q_) + softplus(q_) + sigmoid(q_) + lgamma(q_)) + sum(S_.h_) + sum(S_.a_) + sum(U_) + max(q_)
"""
# What C has that the others have not.
BASE_C = BASE.replace("pre_ =", """g_, _ = normal(split(rng(5), 2)[1], 3)
order_ = argsort(g_)[0] + i64(slogdet(q_ * [[1, 2], [3, 4]])[1]) + searchsorted(q_, 0.3)
pre_ = order_ + sum(g_) + sum(digamma(q_ + 1)) +""")
AT_ONCE = 100


def base(target):
    return BASE_C if target == "c" else BASE


def run(gradus, program, folder):
    done = subprocess.run([gradus, "--json", "-"], input=program, capture_output=True, text=True, cwd=folder, timeout=300)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def headers(cc):
    """What C's headers declare and define, with -std=c11 and without."""
    names = set()
    for std in ("c11", "gnu17"):
        for mode in (["-E", "-P"], ["-E", "-dM"]):
            out = subprocess.run([cc, f"-std={std}", *mode, "-xc", "-"], input=HEADERS, capture_output=True, text=True, check=True)
            names |= set(re.findall(r"\b[A-Za-z]\w*", out.stdout))
    return {n for n in names if not n.startswith("_")}


def written_names(gradus, target, folder):
    """The identifiers of an exported file, without texts and comments."""
    path = pathlib.Path(folder, "base.c" if target == "c" else "base.py")
    run(gradus, f"{base(target)}:export pre_ {path} to={target} values=on\n", folder)
    text = re.sub(r'""".*?"""|/\*.*?\*/', "", path.read_text(encoding="utf-8"), flags=re.S)
    found = set(re.findall(r"\b[A-Za-z]\w*", re.sub(r'"(\\.|[^"\\])*"|#.*', "", text)))
    return found | {n.rstrip("_") for n in found}


def usable(gradus, names, folder):
    """Those that the language allows as an input, a size and a state."""
    names = sorted(n for n in names if not n.endswith("_"))
    objects = run(gradus, "".join(f"{n} : f64[2]\nv_{k} : f64[{n}]\ns_{k} = scan t_ for 2 from {n} = 1 {{ {n}[t_] = {n}[t_-1] }}\n"
                                  for k, n in enumerate(names)), folder)
    bad = {names[(o["line"] - 1) // 3] for o in objects if o["kind"] == "error"}
    return [n for n in names if n not in bad]


def program(target, role, names):
    """One in which all these names play the role."""
    lines, terms = [base(target)], ["pre_"]
    for k, n in enumerate(names):
        weight = 1 + k / 7
        if role == "input":
            lines.append(f"{n} : f64[2] = [{weight}, {k}]\n")
            terms.append(f"{n}[0] * {n}[1]")
        elif role == "size":
            lines.append(f"v_{k} : f64[{n}] = [{', '.join([str(weight)] * (k % 3 + 1))}]\n")
            terms.append(f"v_{k}[0] * rows_(v_{k})")
        else:
            lines.append(f"s_{k} = scan t_ over q_ from {n} = {weight} {{ {n}[t_] = 0.5 * {n}[t_-1] + q_[t_] }}\n")
            terms.append(f"s_{k}[1]")
    return "".join(lines) + "all_ = " + " + ".join(terms) + "\nall_\n"


def run_c(path, folder):
    exe = pathlib.Path(folder, "program")
    subprocess.run([os.environ.get("CC") or "cc", "-w", str(path), "-o", str(exe), "-lm"], check=True, capture_output=True, text=True)
    return json.loads(subprocess.run([str(exe)], check=True, capture_output=True, text=True).stdout)


def check(gradus, target, role, names, folder):
    """None, or what is wrong with these names."""
    path = pathlib.Path(folder, "e.c" if target == "c" else "e.py")
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    objects = run(gradus, program(target, role, names) + f":export all_ {path} to={target} values=on\n", folder)
    value = [o for o in objects if o["kind"] == "value"]
    if len(value) != 1 or not path.exists():
        return f"gradus: {objects[-1]}"
    try:
        got = run_c(path, folder) if target == "c" else export_python.run_file(path)
    except subprocess.CalledProcessError as error:
        return error.stderr[:300]
    except Exception as error:  # whatever the library raises is what is to be told
        return f"{type(error).__name__}: {error}"[:300]
    return None if export_python.agree(value[0], got) else f"{got['value']}, not {value[0]['value']}"


def narrowed(gradus, target, role, names, folder):
    """The names that are wrong."""
    why = check(gradus, target, role, names, folder)
    if why and len(names) == 1:
        yield names[0], why
    elif why:
        half = len(names) // 2
        yield from narrowed(gradus, target, role, names[:half], folder)
        yield from narrowed(gradus, target, role, names[half:], folder)


def function_names(gradus, cc, names, folder):
    """Functions of these names beside C's own and what an exported file has; the compiler's complaint, or None."""
    run(gradus, "".join(f"{n} = 1.5\n:export {n} f_{k}.c\n" for k, n in enumerate(names)), folder)
    made = [re.search(r"^const char \*(\w+)\(", p.read_text(encoding="utf-8"), re.M).group(1) for p in pathlib.Path(folder).glob("f_*.c")]
    text = HEADERS + pathlib.Path(folder, "base.c").read_text(encoding="utf-8") + "".join(f"const char *{n}(double *);\n" for n in made)
    done = subprocess.run([cc, "-std=gnu17", "-fsyntax-only", "-xc", "-"], input=text, capture_output=True, text=True, check=False)
    return len(made), (done.stderr[:600] if done.returncode or len(made) != len(names) else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradus", default=str(export.ROOT / "build" / "gradus"))
    parser.add_argument("--targets", default="c,numpy,torch,jax")
    args = parser.parse_args()
    gradus = os.path.abspath(args.gradus)
    cc = os.environ.get("CC") or "cc"
    cc = cc if export.native.compiles(cc) else None
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for target in args.targets.split(","):
            if target == "c" and not cc or target != "c" and not export_python.available(target):
                print(f"LEFT OUT: {target}")
                continue
            names = written_names(gradus, target, folder)
            names |= headers(cc) if target == "c" else set(dir(builtins)) | set(keyword.kwlist)
            names = usable(gradus, names, folder)
            for role in ("input", "size", "state"):
                for k in range(0, len(names), AT_ONCE):
                    part = names[k:k + AT_ONCE]
                    wrong = list(narrowed(gradus, target, role, part, folder))
                    for name, why in wrong:
                        print(f"FAIL {target}: {role} {name}: {why}")
                    failed += len(wrong)
                    passed += len(part) - len(wrong)
            print(f"{target}: {len(names)} names as input, size and state")
            if target == "c":
                count, wrong = function_names(gradus, cc, names, folder)
                passed, failed = passed + count, failed + (wrong is not None)
                print(f"c: {count} names as function" + (f": FAIL {wrong}" if wrong else ""))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
