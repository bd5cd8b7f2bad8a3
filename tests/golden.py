#!/usr/bin/python3
"""Golden tests: tests/golden/PURPOSE-TOPIC/NAME.t holds a program, a line `---`, and what it prints.

    golden.py [--gradus PROGRAM] [--bless] [--timeout SECONDS] [WORD...]

The program is run as `gradus input.gr` in an empty folder (files of the topic's
folder that do not end in .t are copied into it), stdout and stderr together, and
`exit N` is appended where the status is not 0.  WORDs select tests whose path
contains one of them.  --bless writes what was printed into the files.

A first line `# args: --json` gives more arguments.  A line `# shows: a.md b.html` appends what the program
wrote into these files.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent
GOLDEN = ROOT / "golden"


def split(text):
    """(program, expected); without a `---` line nothing is expected yet."""
    if text.startswith("---\n"):
        return "", text[4:]
    program, line, expected = text.partition("\n---\n")
    return program + "\n" if line or not program.endswith("\n") else program, expected


def arguments(program):
    first = program.split("\n", 1)[0]
    return first[len("# args:"):].split() if first.startswith("# args:") else []


def shown(program, folder):
    """The files that the program is to show, each after a line with its name."""
    names = [n for line in program.splitlines() if line.startswith("# shows:") for n in line[len("# shows:"):].split()]
    return "".join(f"==> {n}\n{pathlib.Path(folder, n).read_text(encoding='utf-8')}" for n in names)


def environment(folder):
    env = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS") or k == "GRADUS_COLLECT_EVERY"}
    env.update(PATH=os.environ.get("PATH", "/usr/bin:/bin"), HOME=folder, XDG_STATE_HOME=folder,
               XDG_CONFIG_HOME=folder, TMPDIR=folder, LC_ALL="C.UTF-8", TZ="UTC", TERM="dumb",
               COLUMNS="80", NO_COLOR="1", GRADUS_CHECK_SCENES="1",
               GRADUS_KERNELS="base", OPENBLAS_CORETYPE="Prescott")  # the same last digits on all processors
    return env


def run(gradus, path, program, timeout):
    with tempfile.TemporaryDirectory(prefix="gradus-golden-") as folder:
        for extra in path.parent.iterdir():
            if extra.is_file() and extra.suffix != ".t":
                shutil.copy(extra, folder)
        pathlib.Path(folder, "input.gr").write_text(program, encoding="utf-8")
        try:
            done = subprocess.run([gradus, *arguments(program), "input.gr"], cwd=folder, env=environment(folder),
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=timeout, check=False)
        except subprocess.TimeoutExpired as late:
            return (late.stdout or b"").decode("utf-8", "replace") + f"timed out after {timeout} s\n"
        files = shown(program, folder) if done.returncode == 0 else ""
    out = done.stdout.decode("utf-8", "replace") + files
    if done.returncode != 0:
        if out and not out.endswith("\n"):
            out += "\n"
        out += f"exit {done.returncode}\n"
    return out


def test(args, path):
    """None if it passes (or was blessed), else what to print."""
    program, expected = split(path.read_text(encoding="utf-8"))
    got = run(args.gradus, path, program, args.timeout)
    if got == expected:
        return None
    name = path.relative_to(ROOT.parent)
    if args.bless and "\ntimed out after " not in got:
        path.write_text(f"{program}---\n{got}", encoding="utf-8")
        print(f"blessed {name}")
        return None
    diff = difflib.unified_diff(expected.splitlines(True), got.splitlines(True), f"{name} expected", "got")
    return "".join(line if line.endswith("\n") else line + "\n(no newline at the end)\n" for line in diff)


def main():
    parser = argparse.ArgumentParser(description="Golden tests.")
    parser.add_argument("--gradus", default=str(ROOT.parent / "build" / "gradus"))
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("--timeout", type=float, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    args.gradus = os.path.abspath(args.gradus)

    paths = [p for p in sorted(GOLDEN.rglob("*.t"))
             if not args.words or any(w in str(p.relative_to(GOLDEN)) for w in args.words)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda path: test(args, path), paths))
    failures = [r for r in results if r is not None]
    for report in failures:
        print(report)
    print(f"{len(results) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
