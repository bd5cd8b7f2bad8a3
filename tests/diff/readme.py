#!/usr/bin/python3
"""README.md: each ```console block is run, and what it shows must be what is printed.

readme.py --bless writes what is printed into the blocks.
"""
import re
import subprocess
import sys

from run import GRADUS, ROOT, Tally

BLOCK = re.compile(r"```console\n(\$ build/gradus <<'END'\n(.*?)END\n)(.*?)```\n", re.S)


def output(program):
    done = subprocess.run([GRADUS], input=program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          cwd=ROOT, env={"NO_COLOR": "1", "PATH": "/usr/bin:/bin", "COLUMNS": "80"}, check=False)
    return done.stdout


def main():
    path, tally = ROOT / "README.md", Tally()
    text = path.read_text(encoding="utf-8")
    if "--bless" in sys.argv:
        path.write_text(BLOCK.sub(lambda m: f"```console\n{m[1]}{output(m[2])}```\n", text), encoding="utf-8")
        return
    for _, program, shown in BLOCK.findall(text):
        got = output(program)
        tally.check(got == shown, f"README.md shows\n{shown}but this is printed\n{got}")
    tally.end()


if __name__ == "__main__":
    main()
