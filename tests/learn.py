"""Plays lessons: every answer is accepted, every listed mistake and a plainly wrong answer refused,
each with its text, hints come one at a time.

    learn.py GRADUS FOLDER   all lessons of a folder
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

MARK = re.compile(r"^f64\[(7\d{5})\]\n?", re.M)
WRONG = {"derive": "123456.789", "answer": "123456.789", "formula": "123456.789", "type": "f64[999]", "step": "no-such-rule"}
passed = failed = 0


def check(ok, what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print("FAILED:", what)


def items(text):
    """("screen",), ("guess",), ("question", fields) in order."""
    out, lines, k, filled = [], text.split("\n"), 0, False
    while k < len(lines):
        line = lines[k]
        k += 1
        if re.match(r"(```|~~~)", line):
            begin = k
            while not lines[k].startswith(line[:3]):
                k += 1
            block, k = lines[begin:k], k + 1
            filled = True
            if line.startswith("```gradus question"):
                out.append(("question", fields(block)))
            elif line.startswith("```gradus guess"):
                out.append(("guess",))
        elif line.startswith("## "):
            if filled:
                out.append(("screen",))
            filled = True
        elif line.strip() and not line.startswith("# "):
            filled = True
    return out + [("screen",)]


def fields(block):
    found = {"hint": [], "wrong": []}
    at = None
    for line in block:
        m = re.match(r"([a-z]+): ?(.*)", line)
        if m:
            at = m.group(1)
            if at in ("hint", "wrong"):
                found[at].append(m.group(2))
            else:
                found.setdefault(at, m.group(2))
        elif at and line.strip():
            if at in ("hint", "wrong"):
                found[at][-1] += "\n" + line
    found["kind"] = next(k for k in ("answer", "formula", "type", "step", "derive") if k in found)
    return found


def plain(text):
    """As a terminal shows it, on one row."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(?<!\s)\*+|\*+(?!\s)", "", re.sub(r"`[^`]*`", lambda m: m.group().replace("*", "\0"), text))
    return " ".join(text.replace("\0", "*").split())


def play(gradus, lesson, entries):
    """What is printed after each entry."""
    text = "".join(f"{entry}\n:type zeros({700000 + k})\n" for k, entry in enumerate(entries))
    with tempfile.TemporaryDirectory() as state:
        env = dict(os.environ, XDG_STATE_HOME=state)
        run = subprocess.run([gradus, "learn", lesson], input=text, env=env, text=True, timeout=300,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    parts = MARK.split(run.stdout)
    return run.returncode, parts[0::2], run.stdout


def told_answers(gradus, path, all_items):
    entries = ["skip" if item[0] == "question" else "" for item in all_items]
    status, parts, out = play(gradus, path, entries)
    told = re.findall(r"^The answer is (.*)$", out, re.M)
    asked = sum(item[0] == "question" for item in all_items)
    check(status == 0 and len(told) == asked, f"{path}: skipping through fails:\n{out}")
    return told


def play_lesson(gradus, path):
    all_items = items(open(path, encoding="utf-8").read())
    answers = told_answers(gradus, path, all_items)
    entries, expected = [], []

    def say(entry, *parts, no=()):
        entries.append(entry)
        expected.append((parts, no))

    questions = 0
    for item in all_items:
        if item[0] != "question":
            say("")
            continue
        q, kind = item[1], item[1]["kind"]
        told = answers[questions] if questions < len(answers) else "?"
        questions += 1
        say(WRONG[kind], "No", no=("Right",)) if kind != "step" else say(WRONG[kind], "There is no rule of that name. No")
        for n, hint in enumerate(q["hint"]):
            number = f" {n + 1} of {len(q['hint'])}" if len(q["hint"]) > 1 else ""
            say("", f"Hint{number}: " + plain(hint))
        say("", "No more hints" if q["hint"] else "There is no hint")
        for wrong in q["wrong"]:
            what, text = re.match(r'(?s)(.*) "(.*)"$', wrong).groups()
            say(what, ("" if kind == "derive" else "No. ") + plain(text), no=("Right",))
        say(q[kind] if kind in ("answer", "formula") else told, "Right", plain(q.get("right", "")))
    status, parts, out = play(gradus, path, entries)
    check(status == 0, f"{path}: status {status}\n{out}")
    check(f"{questions} of {questions} question" in out and questions > 0, f"{path}: not all answered\n{out}")
    # parts[k] is what was printed before mark k: entry k's reaction is its end.
    for k, (entry, (wanted, no)) in enumerate(zip(entries, expected)):
        got = plain(parts[k]) if k < len(parts) else ""
        for text in wanted:
            check(plain(text) in got, f"{path}: to {entry!r} expected {text!r}, got {got!r}")
        for text in no:
            check(text not in got, f"{path}: {entry!r} was accepted: {got!r}")
    return questions


if __name__ == "__main__":
    program, folder = sys.argv[1:3]
    for page in sorted(glob.glob(os.path.join(folder, "*.md"))):
        count = play_lesson(program, page)
        check(count >= 5, f"{page} asks only {count} questions")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)
