#!/usr/bin/python3
"""LANGUAGE.md: it is what the program writes, and every example in it gives what it shows; so does
tests/language.gr, the code of the design. Every error code of the sources is explained in it."""
import re
import subprocess

from run import GRADUS, ROOT, Tally

CODE = re.compile(r'\b(?:elab_error|diag_add|diag_at|store_error|eval_fail|call_fail|fail|parser_error)\w*'
                  r'\((?:[^"();]|\([^"()]*\))*?"([a-z]+(?:-[a-z]+)*)"', re.S)
# Codes of texts that are not programs: files of steps, drawings.
ELSEWHERE = {"draw", "focus", "replay", "not-expanded"}


def run(*args):
    return subprocess.run([GRADUS, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
                          env={"NO_COLOR": "1", "PATH": "/usr/bin:/bin"}, check=False).stdout


def check_programs(tally, path):
    """`gradus test`, whose last line tells how many results were right."""
    *complaints, last = run("test", path).splitlines()
    passed, failed = map(int, re.fullmatch(r"(\d+) passed, (\d+) failed", last).groups())
    tally.passed += passed
    tally.failed += failed
    if failed:
        print("\n".join(complaints[:40]))
    tally.check(passed > 0, f"{path}: nothing was tested")


def check_codes(tally, text):
    table = text[text.index("## Errors"):text.index("## Functions")]
    told = set(re.findall(r"`([a-z-]+)`", table))
    found = set()
    for folder in ("core", "repl"):
        for path in (ROOT / folder).rglob("*.c"):
            found |= set(CODE.findall(path.read_text(encoding="utf-8")))
    tally.check(len(found) > 30, f"only {len(found)} error codes were found in the sources")
    for code in sorted(found - ELSEWHERE):
        tally.check(code in told, f"core/session/language.md, Errors: nothing is said of the code {code}")


def main():
    tally = Tally()
    text = (ROOT / "LANGUAGE.md").read_text(encoding="utf-8")
    tally.check(run("--language") == text, "LANGUAGE.md is not what the program writes now: run make language")
    check_programs(tally, "LANGUAGE.md")
    check_programs(tally, "tests/language.gr")
    check_codes(tally, text)
    tally.end()


if __name__ == "__main__":
    main()
