#!/usr/bin/python3
"""The English of pages, messages and help texts.

    words.py [GRADUS]

No phrase of BANNED comes back in a page, or in a string of the sources.  Every command in the prose of a page exists and
has the options that are given there.  The numbers that pages state about the program are those of the program.  A line
with `lint-ok` is exempt.  Prints "N passed, N failed".
"""
import json
import os
import pathlib
import re
import subprocess
import sys

GRADUS = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/gradus")
PAGES = [pathlib.Path(p) for p in ("README.md", "CONTRIBUTING.md", "tests/README.md", "core/session/language.md")]
PAGES += sorted(pathlib.Path("repl/teach/lessons").glob("*.md")) + sorted(pathlib.Path("examples").glob("*.in.md"))
SOURCES = [p for d in ("core", "repl", "viz") for p in sorted(pathlib.Path(d).rglob("*"))
           if p.suffix in (".c", ".def", ".rules", ".js") and p.is_file()]

BANNED = {  # a pattern, and what to write instead
    r"(^|[.] )Who (has|does|divides|wants|knows|never)\b[^?]*$|\bfor who (has|does)\b": "if you .., users who ..",
    r"\b(is|are|was|were|be|been) told\b(?! apart)": "is shown, printed, reported",
    r"\b[Tt]ells? (of|what|how|which|whether|about|the answer)\b": "shows, says, reports",
    r"\b([Aa]sked|[Cc]ounted) is\b": "the question asks for; subject first",
    r"\bstands? (behind|left|right|there|here|beside|below|above)\b": "is, appears",
    r"\bbehind (it|its|that|this|each|those|the (row|name|value|line|first|last|statement))\b": "after, following",
    r"\banew\b": "again, from scratch; redefined",
    r"\bof one's own\b|\bnames? of your own\b": "your own, user-defined",
    r"\b(it|this|that|which|they|what|%s) (is|are) no (?!longer)[a-km-z][a-z]*": "is not a, has no",
    r"\bnot to be [a-z]+(ed|d|n|t)\b": "must not be, cannot be",
    r"\bfor want of\b": "for lack of, because there is no",
    r"\bso many\b": "that many; better name the number",
    r"\b(in|of|takes|with) as many\b": "the same number of",
    r"\bdear(er|est)?\b": "expensive",
    r"\bin vain\b": "without success; unnecessarily",
    r"\b[Ww]ays? (back|there)\b": "backward pass, forward pass",
    r"\bloops? (back|for)wards?\b": "backward loop, forward loop",
    r"\bcomes? of (it|them|that|what)\b": "results from",
    r"\b([Nn]obody|[Ss]omebody|[Aa]nybody)\b": "nothing, the caller, any node; no one",
    r", for (there|they|none|nobody|it|no|nothing) [a-z]+": "because",
    r"\bas ever\b": "as usual",
    r"\b(and|or) the like\b|\btheir like\b": "and similar ones; name them",
    r"\bnot a bit\b|\bto the bit\b": "bitwise identical",
    r"\blet go\b|\bgiven? back\b|\bgives back\b": "freed, released, returned",
    r"\bread off\b": "taken from, derived from",
    r"\b[Mm]ostly\b": "usually",
    r"\b(of|from) outside\b": "captured; outer",
    r"\bput together\b|\btakes? apart\b|\btaken apart\b": "assembled; unpacked, expanded",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\b(if|as|where|what|when|[Mm]ostly|hand|chain) one (wants|would|multiplies|needs|could|asks|looks|writes)\b": "you",
    r"\b([Dd]erivatives?|[Dd]ifferentiated|[Gg]radients?) by (it|its|all|the|something|[a-z]|`[a-zA-Z]+`)([^a-zA-Z]|$)":
        "with respect to",
    r"\bexplored last\b": "current, most recent",
    r'"no memory for\b': "out of memory: could not ..",
    r"\b[Cc]an(not)? stand\b": "is (not) allowed",
}
COUNTED = {"lessons": lambda: len(list(pathlib.Path("repl/teach/lessons").glob("*.md")))}
NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
passed, failed = 0, 0


def check(where, good, said=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAIL {where}: {said}")


def prose(path):
    """The lines that people read: of sources the strings, of tables all but comments."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if "lint-ok" in line:
            continue
        if path.suffix in (".c", ".js", ".def"):
            line = " ".join(re.findall(r'"(?:[^"\\\\]|\\\\.)*"', line))
        yield number, line


def phrases():
    banned = [(re.compile(p), instead) for p, instead in BANNED.items()]
    for path in PAGES + SOURCES:
        found = [f"{path}:{n}: `{m[0].strip()}`; write: {instead}" for n, line in prose(path)
                 for pattern, instead in banned for m in [pattern.search(line)] if m]
        check(path, not found, "\n  ".join(found))


def commands():
    p = subprocess.run([GRADUS, "--json", "-e", ":help"], capture_output=True, text=True, check=True)
    known = {c["name"]: {o.split("=", 1)[0] for o in c["options"].split()}
             for c in json.loads(p.stdout)["data"]["commands"]}
    for path in PAGES:
        text = re.sub(r"^(`{3,}).*?^\1", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
        for call in re.findall(r"`:([a-z]+[^`]*)`", text):
            name = re.match(r"[a-z]+", call)[0]
            check(f"{path}: `:{call}`", name in known or name in {n[:k] for n in known for k in range(1, len(n))},
                  "there is no such command")


def numbers():
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for what, count in COUNTED.items():
            for word in re.findall(rf"\b({'|'.join(NUMBERS)}|\d+) (?:short )?{what}\b", text):
                stated = int(word) if word.isdigit() else NUMBERS.index(word)
                check(f"{path}: {word} {what}", stated == count(), f"there are {count()}")


def constant(path, pattern):
    return int(re.search(pattern, pathlib.Path(path).read_text(encoding="utf-8"))[1])


def rules():
    p = subprocess.run([GRADUS, "--json", "-e", ":rules"], capture_output=True, text=True, check=True)
    return len(json.loads(p.stdout)["data"]["rules"])


def claims():
    """What pages say about the program: a number in a sentence, and where it comes from."""
    readme = pathlib.Path("README.md").read_text(encoding="utf-8")
    deeper = re.search(r"pages go deeper:(.*?)\. ", readme, re.S)[1].count("](")
    seeds = constant("repl/teach/lesson.c", r"TRIED_SEEDS = (\d+)")
    for path, pattern, actual in (
            ("README.md", r"(\w+) pages go deeper", deeper),
            ("CONTRIBUTING.md", r"Files up to (\d+) lines", constant("scripts/lint.sh", r"-le (\d+) ")),
            ("examples/order.in.md", r"more than (\d+) rules", rules() // 100 * 100),
            ("examples/teaching.in.md", r"for (\d+) different seeds", seeds),
            ("core/session/language.md", r"for (\d+) seeds", seeds),
            ("core/session/language.md", r"(\w+) most common wrong answers",
             constant("repl/teach/learn_report.c", r"MOST_SHOWN = (\d+)"))):
        found = re.search(pattern, " ".join(pathlib.Path(path).read_text(encoding="utf-8").split()))
        word = found[1].lower() if found else ""
        stated = int(word) if word.isdigit() else NUMBERS.index(word) if word in NUMBERS else None
        check(f"{path}: {pattern}", stated == actual, f"{word or 'nothing'}, but it is {actual}")


phrases()
commands()
numbers()
claims()
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
