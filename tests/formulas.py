#!/usr/bin/python3
"""Formulas of every golden program and example: pdflatex takes what `:export F.tex` writes, and F.typ is well formed.

    formulas.py [--gradus PROGRAM] [--keep FOLDER] [WORD...]

After each statement that prints something stands an `:export`, with derivatives written out and with their signs.
pdflatex has to take each file without an error.  No Typst is here: its brackets have to close, and each word that is
no text has to be one that Typst knows.  GRADUS_EFFORT=10 takes a tenth of the programs.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import export
import golden
import native

WAYS = (("tex", ""), ("tex", " grad=native"), ("typ", ""), ("typ", " grad=native"))
DOCUMENT = ("\\documentclass{article}\n\\usepackage{amsmath,amssymb,lmodern}\n\\usepackage[T1]{fontenc}\n"
            "\\usepackage[margin=1cm,paperwidth=40cm]{geometry}\n\\begin{document}\n%s\\end{document}\n")

# What the writer uses of Typst's mathematics: https://typst.app/docs/reference/math/ and reference/symbols/sym/.
TYPST = set("""frac upright op overline dot thin sum product max min floor ceil abs norm sqrt cases quad wide limits true lr
top oo RR ZZ bold mat exp log sin cos tan sinh cosh tanh arcsin arccos arctan det mod log_2 log_10 sum_ product_ max_ amp
min_""".split())


def typst_faults(text):
    """What is wrong with the text of a formula, as far as can be told without Typst."""
    body = re.sub(r"(?m)^//.*\n?", "", text)
    if body.count("$") != 2:
        yield "the formula is not between two $"
    open_brackets, closing = [], {")": "(", "]": "[", "}": "{"}
    plain = re.sub(r'"(?:\\.|[^"\\])*"', "1", body)
    if '"' in plain:
        yield "a text does not end"
    for c in plain:
        if c in "([{":
            open_brackets.append(c)
        elif c in closing and (not open_brackets or open_brackets.pop() != closing[c]):
            yield f"{c} closes nothing"
    if open_brackets:
        yield f"{open_brackets[-1]} is not closed"
    for word in re.findall(r"[A-Za-z]{2,}", plain):
        if word not in TYPST:
            yield f"Typst does not know {word}"
    if re.search(r"[_^]\s*(?:[_^)\]]|$)", plain) or re.search(r"\(\s*,|,\s*,", plain):
        yield "an operand is missing"


def export_all(gradus, path, program, folder):
    """The files that are written, with what they are of, and what could not be written."""
    for extra in path.parent.iterdir():
        if extra.is_file() and extra.suffix != ".t":
            shutil.copy(extra, folder)
    lines, asked = [], {}
    for line, alone in export.statements(program):
        lines.append(line)
        for suffix, how in WAYS if alone else ():
            name = f"e{len(asked)}.{suffix}"
            asked[name] = line + how
            lines.append(f":export {line.split('#')[0].strip()} {name}{how}")
    pathlib.Path(folder, "input.gr").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run([gradus, "--json", "input.gr"], cwd=folder, env=golden.environment(folder), timeout=300,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    faults = [f"it ended with status {done.returncode}: {done.stderr.decode()[-300:]}"] if done.returncode not in (0, 1, 3) else []
    refused = [o["message"] for o in map(json.loads, done.stdout.decode("utf-8").splitlines())
               if o["kind"] == "error" and o["code"] == "export"]
    return {name: what for name, what in asked.items() if pathlib.Path(folder, name).exists()}, refused, faults


def latex_faults(folder, names):
    pathlib.Path(folder, "document.tex").write_text(DOCUMENT % "".join(f"\\input{{{n}}}\\clearpage\n" for n in names), encoding="utf-8")
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-file-line-error", "document.tex"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False)
    said = done.stdout.decode("utf-8", "replace").replace("\n", "\0")
    for name, message in re.findall(r"\0\./?([\w.]+):\d+: (.{1,200}?)\0", said):
        yield name, message
    if "Emergency stop" in said or "no output PDF" in said.lower():
        yield names[0], "no page was made"


def latex_works():
    """Does pdflatex take a document with our preamble?  A package may be missing, or its fonts."""
    if not shutil.which("pdflatex"):
        return False
    with tempfile.TemporaryDirectory(prefix="gradus-formulas-") as folder:
        pathlib.Path(folder, "e.tex").write_text("$x$\n", encoding="utf-8")
        return not list(latex_faults(folder, ["e.tex"])) and pathlib.Path(folder, "document.pdf").exists()


def run_program(args, path, program):
    with tempfile.TemporaryDirectory(prefix="gradus-formulas-") as folder:
        files, refused, faults = export_all(args.gradus, path, program, folder)
        texts = [n for n in files if n.endswith(".tex")]
        bad = {}
        for name in files:
            if name.endswith(".typ"):
                for fault in typst_faults(pathlib.Path(folder, name).read_text(encoding="utf-8")):
                    bad.setdefault(name, fault)
        if texts and args.latex:
            for name, message in latex_faults(folder, texts):
                bad.setdefault(name, message)
        if args.keep:
            shutil.copytree(folder, pathlib.Path(args.keep, path.parent.name + "-" + path.stem), dirs_exist_ok=True)
        checked = [n for n in files if args.latex or n.endswith(".typ")]
        return len(checked), refused, faults + [f"{files.get(n, n)} {n}: {why}" for n, why in bad.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradus", default=str(export.ROOT / "build" / "gradus"))
    parser.add_argument("--keep")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    args.gradus = os.path.abspath(args.gradus)
    args.latex = latex_works()
    if not args.latex:
        print("LEFT OUT: no formula was given to pdflatex, which is not installed, or not with amsmath, amssymb and lmodern")
    chosen = [(p, t) for p, t in native.programs() if not args.words or any(w in str(p) for w in args.words)]
    chosen = [(p, t) for p, t in chosen if ":set memory" not in t]
    chosen = chosen[::max(1, round(100 / float(os.environ.get("GRADUS_EFFORT") or 100)))]
    checked = failed = refused = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (path, _), (n, why, faults) in zip(chosen, pool.map(lambda item: run_program(args, *item), chosen)):
            checked, refused, failed = checked + n, refused + len(why), failed + len(faults)
            for text in why:
                print(f"{path.relative_to(export.ROOT)}: cannot be said: {text}")
            for fault in faults:
                print(f"{path.relative_to(export.ROOT)}: {fault}")
    print(f"{checked} files of formulas, {refused} cannot be said")
    print(f"{checked - failed} passed, {failed} failed")
    return failed != 0 or not checked


if __name__ == "__main__":
    sys.exit(main())
