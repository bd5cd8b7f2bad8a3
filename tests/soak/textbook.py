#!/usr/bin/python3
"""Derivatives end in the form a textbook prints: in as few nodes, and proved equal to it.

    textbook.py [--gradus PROGRAM] [-v] [FILTER]

Prints what falls short of it. Of the lists in SHARES, only how many fall short counts: see there. The last line is "N passed, N failed": a derivative that is larger than its form, or not
proved, fails unless its line ends in "| short" or "| open"; one that no longer does fails too.
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "textbook" / "derivatives.txt"
SHARES = [ROOT / "tests" / "textbook" / name for name in ("identities.txt", "handbook.txt")]
CLASSES = ("", ":set allow E R C N+ D O N- Z S\n")


def cases():
    decl = ""
    for line in TABLE.read_text().splitlines():
        if line.startswith("decl "):
            decl = line[5:]
        elif line and not line.startswith("#"):
            name, derivative, form, *known = (part.strip() for part in line.split(" | "))
            yield name, decl, derivative, form, set(known)


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


def share_cases(path):
    """The counts that must not fall, and (declarations, left, right) of each line."""
    least, cases, decl = None, [], ""
    for line in path.read_text().splitlines():
        if line.startswith("decl "):
            decl = line[5:]
        elif line.startswith("least "):
            least = tuple(map(int, line.split()[1:]))
        elif line and not line.startswith("#"):
            left, right = line.split(" | ")
            cases.append((decl, left, right))
    return least, cases


def judge_share(gradus, decl, left, right):
    """Does it end as small, with the usual classes or with all; and is it proved? None: refuted."""
    passes = "".join(f"{allow}:passes {left}\n:passes {right}\n" for allow in CLASSES)
    out = answers(gradus, f"{decl}\n:equal {left}, {right}\n{passes}")
    errors = [a["message"] for a in out if a["kind"] == "error"]
    if errors:
        raise SystemExit(f"{left}: {errors[0]}")
    sizes = [end_nodes(a) for a in out if a.get("command") == "passes"]
    answer = next(a for a in out if a.get("command") == "equal")["data"]["answer"]
    return any(sizes[k] <= sizes[k + 1] for k in (0, 2)), answer


def check_shares(gradus, path, verbose):
    """Is it at least as good as the list says?"""
    (least_small, least_proved), cases = share_cases(path)
    small = proved = refuted = 0
    for decl, left, right in cases:
        is_small, answer = judge_share(gradus, decl, left, right)
        small += is_small
        proved += answer == "equal"
        refuted += answer == "different"
        if answer == "different" or (verbose and not (is_small and answer == "equal")):
            print(f"{left} | {right}: {'as small' if is_small else 'larger'}, {answer}")
    print(f"{path.name}: {small} of {len(cases)} as small, {proved} proved, {refuted} refuted; at least {least_small} and {least_proved}")
    return small >= least_small and proved >= least_proved and not refuted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    parser.add_argument("-v", action="store_true")
    parser.add_argument("filter", nargs="?", default="")
    args = parser.parse_args()
    small = proved = count = failed = 0
    for name, decl, derivative, form, known in cases():
        if args.filter not in name:
            continue
        have, want, answer = judge(args.gradus, decl, derivative, form)
        found = {word for word, short in (("short", have > want), ("open", answer != "equal")) if short}
        count += 1
        small += have <= want
        proved += answer == "equal"
        failed += found != known
        if args.v or found != known:
            print(f"{name}: {have} nodes, the form {want}, {answer}; the list says: {' '.join(sorted(known)) or 'as small, proved'}")
    print(f"{small} of {count} as small, {proved} proved")
    for path in [] if args.filter else SHARES:
        count += 1
        failed += not check_shares(args.gradus, path, args.v)
    print(f"{count - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
