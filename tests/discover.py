#!/usr/bin/env python3
"""How much of what is equal is proved: :discover over the families of discover/identities.txt, each with the least share that is to be
proved. What is found and not proved is listed there with a reason; each of these is checked by :equal, which must not refute it
where it is said to hold everywhere. What is found and not listed, or listed and proved by now, is told.

    discover.py [--bless] [WORD..]       only the families with these words; --bless writes the identities that are new
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIST = ROOT / "tests/discover/identities.txt"
TYPES = {"xyz": "f64", "uvw": "f64[n]", "abc": "f64[n, n]", "ijk": "i64", "pqr": "bool"}
DECLARED = "".join(f"{v} : {t}\n" for letters, t in TYPES.items() for v in letters)


def sections():
    """(what is asked, least share, {identity: reason}) for each family."""
    found = []
    for line in LIST.read_text().splitlines():
        if line.startswith("## "):
            asked, share = line[3:].split(" | ")
            found.append((asked.strip(), float(share), {}))
        elif line and not line.startswith("#"):
            identity, _, reason = line.partition("|")
            found[-1][2][identity.strip()] = reason.strip()
    return found


def run(gradus, program):
    out = subprocess.run([gradus, "--json", "-"], input=program, capture_output=True, text=True, check=False, timeout=600).stdout
    return [json.loads(line) for line in out.splitlines()]


def spelled(found):
    return f"{found['left']} = {found['right']}" + (f" if {found['when']}" if found["when"] else "")


def plain(identity):
    """The same with and without blanks around signs."""
    return identity.replace(" ", "")


def check_family(gradus, asked, least, listed):
    """Lines about what is wrong, about what is only to be told, and the identities that are not listed."""
    (answer,) = run(gradus, f":discover {asked}\n")
    if answer["kind"] == "error":
        return [f"{asked}: {answer['message']}"], [], [], (0, 0)
    data = answer["data"]
    open_ones = data["rules"] + data["unsaid"]
    equal = data["proved"] + len(open_ones)
    known = {plain(i) for i in listed}
    new = [spelled(f) for f in open_ones if plain(spelled(f)) not in known]
    gone = known - {plain(spelled(f)) for f in open_ones}
    wrong = []
    if data["stop"] != "done" or data["unused"]:
        wrong.append(f"{asked}: not all of it was looked at ({data['stop']}, {data['unused']})")
    if not equal or data["proved"] < least * equal:
        wrong.append(f"{asked}: {data['proved']} of {equal} proved, at least {least:g} of them are to be: " + "; ".join(map(spelled, open_ones)))
    told = [f"{asked}: not listed: {i}" for i in new] + [f"{asked}: proved by now: {i}" for i in gone]
    return wrong, told, new, (data["proved"], equal)


def refuted(gradus, listed):
    """Those of the list that hold everywhere, as it says, and that :equal refutes."""
    always = [i for i in listed if " if " not in i]
    asked = DECLARED + "".join(f":equal {i.replace(' = ', ', ')}\n" for i in always)
    answers = [a for a in run(gradus, asked) if a["kind"] in ("command", "error")]
    return [f"{i}: {a.get('message') or a['text']}" for i, a in zip(always, answers)
            if a["kind"] == "error" or a["data"]["verdict"] == "different"] + ([] if len(answers) == len(always) else ["answers are missing"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gradus", default=str(ROOT / "build" / "gradus"))
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    passed, failures, proved, equal, added = 0, [], 0, 0, {}
    for asked, least, listed in sections():
        if args.words and not all(w in asked for w in args.words):
            continue
        wrong, told, new, (mine, of) = check_family(args.gradus, asked, least, listed)
        wrong += refuted(args.gradus, listed) if listed else []
        proved, equal = proved + mine, equal + of
        added[asked] = new
        passed += not wrong
        failures += wrong
        print("\n".join(wrong + told) + "\n" if wrong or told else "", end="")
    if args.bless:
        lines = []
        for line in LIST.read_text().splitlines():
            lines.append(line)
            if line.startswith("## "):
                lines += [f"{i} | ?" for i in added.get(line[3:].split(" | ")[0].strip(), [])]
        LIST.write_text("\n".join(lines) + "\n")
    print(f"{proved} of {equal} identities are proved")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
