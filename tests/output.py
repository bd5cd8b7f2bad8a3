#!/usr/bin/python3
"""What --json prints is what repl/commands/output.schema.json says; the examples of commands run.

    output.py [--gradus PROGRAM] [WORD...]

All programs of tests/golden, the examples of functions and commands that :help shows, and the files of
examples/ are run with --json, and each line is checked.  The examples of commands are run as text, too: each
prints something, and none an error.  Those that begin with `# at the prompt` are typed.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import golden

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "repl/commands/output.schema.json").read_text(encoding="utf-8"))
SILENT = ("quit", "export")  # what they do is not told
TYPED = "# at the prompt\n"
TIMES = """x : f64 = 2
:steps grad(x ^ 3, x) times=on open=all
:steps grad(x ^ 3, x) by=rule times=on
:passes grad(x ^ 3, x) times=on
:saturate grad(x ^ 3, x) times=on
:explain grad(x ^ 3, x) times=on
"""


def sections(path):
    """(name, program) of each section of an examples file."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return [tuple(part.split("\n", 1)) for part in text.split("\n## ")[1:]]


def run(gradus, program, args, files=None):
    """Output, errors and status of a program in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="gradus-output-") as folder:
        for extra in (files.iterdir() if files else ()):
            if extra.is_file() and extra.suffix != ".t":
                shutil.copy(extra, folder)
        pathlib.Path(folder, "input.gr").write_text(program, encoding="utf-8")
        done = subprocess.run([gradus, "--no-init", *args, "input.gr"], cwd=folder, env=golden.environment(folder),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, check=False)
        return done.stdout.decode("utf-8"), done.stderr.decode("utf-8"), done.returncode


def typed(gradus, program):
    """What a prompt shows for the lines of a program."""
    sys.path.append(str(ROOT / "tests/repl"))
    from terminal import Terminal  # pylint: disable=import-outside-toplevel,import-error
    shown = []
    with Terminal([gradus, "--no-init"], columns=120, rows=40) as t:
        t.until("the prompt", lambda: t.row() == ">")
        for line in program.strip().splitlines():
            place = t.place()
            t.send(line + "\r")
            t.wait_below(place, "> ")
            shown += t.lines()[place + 1:t.place()]
    return "\n".join(shown)


def check_lines(name, text, validator, problems):
    count = 0
    for line in text.splitlines():
        count += 1
        try:
            value = json.loads(line)
        except json.JSONDecodeError as broken:
            problems.append(f"{name}: no JSON: {broken}\n    {line[:300]}")
            break
        error = next(validator.iter_errors(value), None)
        if error:
            deep = min(validator.iter_errors(value), key=lambda e: len(e.path))
            inner = sorted(deep.context, key=lambda e: -len(e.absolute_path))[:2] if deep.context else []
            problems.append(f"{name}: {line[:300]}\n    " + "\n    ".join(
                f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in inner or [deep]))
            break
    return count


def cases(words):
    for path in sorted((ROOT / "tests/golden").glob("*/*.t")):
        yield f"{path.parent.name}/{path.stem}", golden.split(path.read_text(encoding="utf-8"))[0], path.parent
    for name, program in sections("core/session/examples.gr"):
        yield f"example of {name}", program, None
    for path in sorted((ROOT / "examples").glob("*.gr")):
        yield f"examples/{path.name}", path.read_text(encoding="utf-8"), path.parent
    yield "times", TIMES, None
    for name, program in sections("core/session/commands.gr"):
        if not program.startswith(TYPED):
            yield f"example of :{name}", program, None


def check_command(gradus, name, program, problems):
    """Its example prints something and no error."""
    if program.startswith(TYPED):
        said = typed(gradus, program)
        fine = said.strip() and "error" not in said
    else:
        out, err, status = run(gradus, program, [])
        said = out + err
        fine = status == 0 and (said.strip() or name in SILENT) and "error:" not in err
    if not fine:
        problems.append(f"the example of :{name}: {said[-300:] or 'says nothing'}")


def check_schema(problems):
    """It is one, and says no to what is none of ours."""
    from jsonschema import Draft202012Validator  # pylint: disable=import-outside-toplevel
    Draft202012Validator.check_schema(SCHEMA)
    validator = Draft202012Validator(SCHEMA)
    value = {"kind": "value", "name": None, "type": "f64", "dtype": "f64", "shape": [], "value": 1.5}
    for wrong in ({}, {"kind": "value"}, {**value, "value": None}, {**value, "more": 1}, {**value, "dtype": "f16"},
                  {"kind": "command", "command": "type", "text": "", "data": {}},
                  {"kind": "command", "command": "time", "text": "", "data": {"first_s": "soon"}}):
        if validator.is_valid(wrong):
            problems.append(f"the schema takes {wrong}")
    if not validator.is_valid(value):
        problems.append("the schema refuses a value")
    return validator


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradus", default=ROOT / "build/gradus")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    gradus, problems, lines = os.path.abspath(args.gradus), [], 0
    try:
        validator = check_schema(problems)
    except ImportError:
        print("LEFT OUT: python3-jsonschema is not there")
        validator = None
    chosen = [c for c in cases(args.words) if not args.words or any(w in c[0] for w in args.words)]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        jobs = [(name, pool.submit(run, gradus, program, ["--json"], files)) for name, program, files in chosen]
        for name, job in jobs:
            out = job.result()[0]
            if validator:
                lines += check_lines(name, out, validator, problems)
    commands = [c for c in sections("core/session/commands.gr") if not args.words or c[0] in args.words]
    for name, program in commands:
        check_command(gradus, name, program, problems)
    for problem in problems:
        print(f"FAIL {problem}")
    count = len(chosen) + len(commands) + 1
    print(f"{lines} lines of JSON")
    print(f"{count - len(problems)} passed, {len(problems)} failed")
    return bool(problems)


if __name__ == "__main__":
    raise SystemExit(main())
