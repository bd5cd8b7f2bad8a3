#!/usr/bin/env python3
"""Derivatives end in the form a textbook prints: as few nodes, and proved equal to it.

textbook.py GRADUS [-v] [FILTER]: prints what falls short, and how many of all hold.
"""
import json
import pathlib
import subprocess
import sys

TABLE = pathlib.Path(__file__).parent / "textbook" / "derivatives.txt"


def cases():
    decl = ""
    for line in TABLE.read_text().splitlines():
        if line.startswith("decl "):
            decl = line[5:]
        elif line and not line.startswith("#"):
            name, derivative, form = (part.strip() for part in line.split(" | "))
            yield name, decl, derivative, form


def answers(gradus, text):
    run = subprocess.run([gradus, "--no-init", "--json"], input=text, capture_output=True, text=True, timeout=120)
    return [json.loads(line) for line in run.stdout.splitlines() if line.strip()]


def end_nodes(answer):
    return next(p["nodes_after"] for p in answer["data"]["passes"] if p["name"] == "specialize")


def judge(gradus, decl, derivative, form):
    out = answers(gradus, f"{decl}\n:passes {derivative}\n:passes {form}\n:equal {derivative}, {form}\n")
    errors = [a["message"] for a in out if a["kind"] == "error"]
    if errors:
        raise SystemExit(f"{derivative}: {errors[0]}")
    sizes = [end_nodes(a) for a in out if a.get("command") == "passes"]
    proof = next(a for a in out if a.get("command") == "equal")
    return sizes[0], sizes[1], proof["data"]["answer"]


def main():
    words = [w for w in sys.argv[2:] if w != "-v"]
    rows = [c for c in cases() if not words or words[0] in c[0]]
    small = proved = 0
    for name, decl, derivative, form in rows:
        have, want, answer = judge(sys.argv[1], decl, derivative, form)
        small += have <= want
        proved += answer == "equal"
        if "-v" in sys.argv or have > want or answer != "equal":
            print(f"{name}: {have} nodes, the form {want}, {answer}")
    print(f"{small} of {len(rows)} as small, {proved} proved")


main()
