#!/usr/bin/python3
"""Every command and option of the table, misused: each line gives one error, with a caret and words that help.

    commands.py [GRADUS]

The table is what `:help` says under --json.  Each command gets garbage, empty, doubled and unknown options, too many
words and wrong files; each option every word that it declares, which no parser may refuse, and values that are none
of its kind, which it must.  What was written in another way once reports a line, and that line is read today.
Prints "N passed, N failed".
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

GRADUS = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/gradus")
SETUP = ["x : f64[3] = [1, 2, 3]", "y : f64 = 2.0", "S = scan t over x from h = 0.0 { h[t] = tanh(h[t-1] + x[t]) }"]
KINDS = {"FILE", "K", "N", "X", "A", "B", "NAME", "RULE", "PASS", "HEX", "TEXT", "COLOR"}
# What a command is given so that what is wrong with it is the option.
ABOUT = {"equal": "y, y + 1", "why": "%1 y + 1", "whynot": "log1p y + 1", "try": "log1p y + 1", "trace": "sum(S)",
         "play": "sum(S)", "rules": "", "rule": "log1p", "save": "", "load": "", "plot": "x", "export": "y f.c"}
OLD = {  # an old line, and what is to be typed instead
    ":moves": ":move", ":moves y + 1": ":move y + 1", ":moves %3": ":move at=%3",
    ":moves rule=log1p most=2": ":move rule=log1p list=on most=2", ":branch": ":move branches=on",
    ":branch other": ":move branch=other", ":goal": ":graph", ":goal y + 1": ":expect y + 1",
    ":goal digest=0a": ":expect digest=0a", ":goto 9.1": ":step step=9.1", ":next": ":step step=+1",
    ":prev": ":step step=-1", ":until log1p": ":step until=log1p",
    ":derivation y + 1 f.md open=all": ":export y + 1 f.md open=all steps=on",
    ":derivation y f.tex": ":export y f.tex to=document", ":watch sum(S) grad=x from=1": ":trace sum(S) grad=x at=1..",
    ":unroll S 3": ":trace S at=0..2 all=on", ":unroll S 1 from=2 only=h": ":trace S at=2 only=h all=on",
    ":contexts": ":vars", ":reload": ":load", ":diff y from=1": ":diff y step=2..", ":diff y from=0 to=1": ":diff y step=1",
    ":draw y f.svg from=2 to=5": ":draw y f.svg step=3..5", ":draw y f.svg steps=1,3": ":draw y f.svg step=1,3 film=on",
    ":draw y egraph f.svg": ":draw y egraph=on f.svg", ":explore y egraph f.html": ":explore y egraph=on f.html",
    ":graph y + 1 ssa": ":graph y + 1 ssa=on", ":graph y boxes step=1": ":graph y boxes=on step=1",
    ":play S from=1": ":play S at=1..", ":play S steps=0..1": ":play S at=0..1", ":rule mine drop": ":rule mine drop=on",
    ":rules own": ":rules only=own", ":plot x kind=hist": ":plot x kind=bars", ":watch": ":trace", ":wat S": ":trace S",
}
passed = failed = 0


def check(what, ok, told=""):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print(f"FAILED {what}\n  {told}")


def run(lines, setup=SETUP):
    """The objects of each line, by its number."""
    with tempfile.TemporaryDirectory(prefix="gradus-commands-") as folder:
        path = f"{folder}/a.gr"
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(list(setup) + list(lines)) + "\n")
        p = subprocess.run([GRADUS, "--json", path], cwd=folder, capture_output=True, text=True, timeout=300)
    check(f"exit status of {len(lines)} lines", p.returncode in (0, 1, 3), p.stderr[-500:])
    by = {}
    for row in map(json.loads, p.stdout.splitlines()):
        if row["kind"] == "error":
            by.setdefault(row["line"] - len(setup), []).append(row)
    return [by.get(i + 1, []) for i in range(len(lines))]


def one_error(line, errors, pattern=None, code=None):
    """Exactly one, whose caret is on the line, and which says something."""
    ok = (len(errors) == 1 and errors[0]["length"] > 0 and 0 < errors[0]["column"] <= len(line) and
          len(errors[0]["message"]) > 8 and (code is None or errors[0]["code"] == code) and
          (pattern is None or re.search(pattern, errors[0]["message"])))
    check(line, ok, errors)


def table():
    p = subprocess.run([GRADUS, "--json", "-e", ":help"], capture_output=True, text=True, check=True)
    return json.loads(p.stdout)["data"]["commands"]


def options(command):
    return [o.split("=", 1) for o in command["options"].split()]


def is_word(value):
    return bool(re.fullmatch(r"[A-Za-z_+\-][\w+\-]*", value)) and value not in KINDS


def wrong_values(values):
    """Values that are none of these kinds."""
    kinds = values.split("|")
    if kinds in (["on"], ["off"]):
        return ["maybe", "1", "onn"]
    if not all(is_word(k) or re.fullmatch(r"\d+|K|N|%K|%K,%L|N\.\.M|K\.\.L", k) for k in kinds):
        return []  # what the command makes of it
    out = ["?", "-5", "no_such", "99999999999999999999999", "1e3"]
    return out if "%" not in values else out + ["%x", "%"]


def right_values(values):
    kinds = values.split("|")
    return ["on", "off", "yes", "no"] if kinds in (["on"], ["off"]) else [k for k in kinds if is_word(k)]


def sweep(commands):
    lines, patterns = [], []

    def bad(line, pattern=None, code=None):
        lines.append(line)
        patterns.append((pattern, code))

    for c in commands:
        about = ABOUT.get(c["name"], "y + 1")
        call = f":{c['name']} {about}".rstrip()
        if not c["options"]:
            continue
        bad(f"{call} frobnicate=1", "takes no frobnicate=|no input has a size frobnicate")
        bad(f"{call} {options(c)[0][0]}x=1")
        for key, values in options(c):
            bad(f"{call} {key}=", "needs a value|not closed|takes")
            good = (right_values(values) or ["1"])[0]
            bad(f"{call} {key}={good} {key}={good}", "given twice|takes")
            if "'" not in values and '"' not in values:
                bad(f'{call} {key}="open', None)
            for value in wrong_values(values):
                bad(f"{call} {key}={value}", rf"^{key}= (is|takes|goes)|takes|goes")
    for c in commands:
        if "FILE" in c["args"] and "." in c["args"].split("FILE")[1].split(" ")[0]:
            about = "y + 1" if c["name"] != "learn" else ""
            bad(f":{c['name']} {about} f.xyz", "no such file|lesson")
        if c["args"] == "":
            bad(f":{c['name']} x", "takes no arguments|is for the prompt")
    for line in (":undo x", ":ops nosuch", ":set nosuch 1", ":quit x", ":history x", ":set digits many", ":set digits 3 4",
                 ":why", ":why x", ":whynot", ":whynot nosuch x", ":whynot sin(1.0)", ":whynot grad(", ":try", ":equal", ":equal x", ":save", ":save a b",
                 ":draw y (", ":steps (", ":type )", ":rule", ":rule nosuch", ":rule drop nosuch", ":learn nosuch", ":help zzzzq",
                 ":frobnicate", ":", ":draw y \"\"", ":export y", ":draw y a.svg b.svg", ":step step=1 until=log1p",
                 ":move 1 at=%1", ":move branch=a+b", ":move branch=two words", ":steps pass=inline y", ":compare y",
                 ":trace nan y rows=3", ":plot x over y from 1", ":graph y f.gr boxes=on", ":draw y f.svg step=1,2",
                 ":draw y f.svg film=on", ":diff log(1 + y * 1) step=2..1", ":graph y step=9.99999999999",
                 ":audit y open=99999999999", ":export y f.py to=document", ":export y f.md", ":export y f.c open=1", ":draw y f.svg rules=log1p", ":move"):
        bad(line)
    for line, errors, (pattern, code) in zip(lines, run(lines), patterns):
        one_error(line, errors, pattern, code)


def accepted(commands):
    """No parser refuses a value that is declared."""
    lines = []
    for c in commands:
        call = f":{c['name']} {ABOUT.get(c['name'], 'y + 1')}".rstrip()
        lines += [f"{call} {key}={v}" for key, values in options(c) for v in right_values(values)
                  if c["name"] not in ("explore", "export", "draw")]
    for line, errors in zip(lines, run(lines)):
        key = line.split()[-1].split("=")[0]
        check(line, all(not re.search(rf"^{key}= (is|takes)", e["message"]) for e in errors), errors)


def without_expression(commands):
    """In an empty session each says that there is no expression."""
    lines = [f":{c['name']}" for c in commands if c["args"].startswith("[EXPR]")
             and c["name"] not in ("passes", "expect", "compare", "export", "draw", "explore")]
    for line, errors in zip(lines, run(lines, setup=())):
        one_error(line, errors, "needs an expression", "usage")


def renamed():
    lines = list(OLD)
    told = [e[0]["hint"] if len(e) == 1 and e[0]["code"] == "renamed" else e for e in run(lines)]
    for line, hint in zip(lines, told):
        check(line, hint == f"type `{OLD[line]}`", hint)
    new = sorted(set(OLD.values()))
    for line, errors in zip(new, run(new)):
        check(line, all(e["code"] not in ("renamed", "unknown-key", "unknown-command") for e in errors), errors)


def newcomers():
    """`:help` shows at least one entry for each word of help_words.def."""
    source = pathlib.Path("repl/commands/help_words.def").read_text(encoding="utf-8")
    words = [w for row in re.findall(r'^S(?:EE|AY)\( "([^"]*)"', source, re.M) for w in row.split("|")]
    check("words that newcomers use", len(words) >= 200, len(words))
    check("each word is there once", len(set(words)) == len(words), [w for w in words if words.count(w) > 1])
    p = subprocess.run([GRADUS, "--json"], input="".join(f":help {w}\n" for w in words), capture_output=True, text=True,
                       check=False)
    shown = [json.loads(line) for line in p.stdout.splitlines()]
    check("an answer for each", len(shown) == len(words), (len(shown), len(words)))
    for word, answer in zip(words, shown):
        check(f":help {word}", bool(answer.get("data", {}).get("entries")), answer)


def overview():
    """`:help` fits on a screen of 40 rows and 80 columns, and has each command once."""
    p = subprocess.run([GRADUS, "-e", ":help"], capture_output=True, text=True, check=True)
    rows = p.stdout.splitlines()
    check("rows of :help", len(rows) < 40, len(rows))
    steps = subprocess.run([GRADUS, "-e", "x : f64[3] = [1, 2, 3]", "-e", ":steps grad(sum(x ^ 3), x)"],
                           capture_output=True, text=True, check=True).stdout
    check("the steps of a gradient fit in ten lines", "3 * x^2" in steps and steps.count("\n") <= 10, steps)
    check("columns of :help", max(map(len, rows)) <= 80, max(rows, key=len))
    names = re.findall(r"(?<=[ ])[:]([a-z]+) ", "\n".join(rows[3:]))
    check("each command once", sorted(names) == sorted(c["name"] for c in table()), names)


def main():
    commands = table()
    overview()
    newcomers()
    check("the commands have options", sum(len(options(c)) for c in commands) > 80)
    sweep(commands)
    accepted(commands)
    without_expression(commands)
    renamed()
    print(f"{passed} passed, {failed} failed")
    raise SystemExit(failed > 0)


main()
