"""Derivations line by line, and what a class did.

    teaching.py GRADUS

Ten derivations: 50 wrong lines (sign, factor, transposed, index shifted) are refuted, each at the part that is
wrong, and 40 right ones are accepted. Then 30 learners play a lesson with
numbers of their own, and `gradus learn report` counts what was counted while they typed.
"""
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

PROGRAM = """
x : f64 = 2.0
a : f64 = 3.0
b : f64 = 0.5
c : f64 = 1.5
v : f64[4] = [1.0, 2.0, 4.0, 8.0]
w : f64[4] = [3.0, 1.0, 5.0, 7.0]
A : f64[3, 3] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]]
B : f64[3, 3] = [[2.0, 0.0, 1.0], [1.0, 3.0, 5.0], [4.0, 1.0, 1.0]]
u : f64[3] = [1.0, 2.0, 5.0]
"""
# (from, to, wrong lines, each with what the mistake is or, if no smaller part is to blame, None, right lines; the
# last is the end)
DERIVATIONS = [
    ("(x + 1)^2 * a", "a * x^2 + 2 * a * x + a",
     [("(x - 1)^2 * a", "the sign of 1 in x - 1"),
      ("(x + 1)^3 * a", "where (x + 1)^2 became (x + 1)^3"),
      ("(x + 2)^2 * a", "where x + 1 became 2 + x"),
      ("(x + 1)^2 * b", "where a became b"),
      ("(x^2 + 1) * a", "where (x + 1)^2 became 1 + x^2")],
     ["(x + 1) * (x + 1) * a", "a * (x^2 + 2 * x + 1)", "a * x^2 + a * (2 * x + 1)"]),
    ("(a + b) * (a - b)", "a^2 - b^2",
     [("(a + b) * (a + b)", "the sign of b in a + b"),
      ("(a - b) * (a - b)", "the sign of b in a - b"),
      ("(a + b) * (a - c)", "where b became c"),
      ("a^2 + b^2", "the sign of b^2"),
      ("2 * a^2 - b^2", "the extra factor 2 in 2 * a^2")],
     ["a * (a - b) + b * (a - b)", "a * a - a * b + b * a - b * b", "a * a - b * b"]),
    ("grad(x^3 + sin(x), x)", "3 * x^2 + cos(x)",
     [("3 * x^2 - cos(x)", "the sign of cos(x)"),
      ("3 * x + cos(x)", "in x"),
      ("x^2 + cos(x)", "a missing factor in x^2"),
      ("3 * x^2 + sin(x)", "in sin(x)"),
      ("3 * x^3 + cos(x)", "in x^3")],
     ["grad(x^3, x) + grad(sin(x), x)", "3 * x * x + cos(x)", "cos(x) + x * 3 * x"]),
    ("exp(a + b) * c", "c * exp(a) * exp(b)",
     [("exp(a - b) * c", "the sign of b in a - b"),
      ("exp(a * b) * c", "where a + b became a * b"),
      ("exp(a + b) * b", "where c became b"),
      ("-exp(a + b) * c", "the sign of c * -exp(a + b)"),
      ("exp(a) + exp(b) * c", None)],
     ["c * exp(b + a)", "exp(a + b) * c + 0 * a", "c * exp(a + b)"]),
    ("sum(2 * v - w)", "2 * sum(v) - sum(w)",
     [("sum(2 * v + w)", "the sign of w in w + 2 * v"),
      ("sum(3 * v - w)", "where 2 * v became 3 * v"),
      ("sum(2 * w - w)", "where v became w"),
      ("2 * sum(v) + sum(w)", "the sign of sum(w)"),
      ("sum(v) - sum(w)", "a missing factor in sum(v)")],
     ["sum(2 * v) - sum(w)", "sum(v) + sum(v) - sum(w)", "sum(v + v) - sum(w)"]),
    ("(A @ B)' @ u", "B' @ (A' @ u)",
     [("(A @ B) @ u", "where (A @ B)' became A @ B"),
      ("A' @ B' @ u", "where (A @ B)' became A' @ B'"),
      ("(B @ A)' @ u", "where A @ B became B @ A"),
      ("(A @ A)' @ u", "where B became A"),
      ("B @ (A' @ u)", "in B")],
     ["B' @ A' @ u", "u @ (A @ B)", "(u @ A) @ B"]),
    ("v[1:][0] + w[2]", "v[1] + w[2]",
     [("v[0] + w[2]", "where v[1:][0] became v[0]"),
      ("v[2] + w[2]", "where v[1:][0] became v[2]"),
      ("v[1] + w[1]", "where w[2] became w[1]"),
      ("v[1:][1] + w[2]", "where v[1:][0] became v[1:][1]"),
      ("v[1] - w[2]", "the sign of w[2]")],
     ["w[2] + v[1:][0]", "w[2:][0] + v[1]", "w[2] + v[1:3][0]"]),
    ("grad(sum(v^2 * w), v)", "2 * v * w",
     [("2 * v", "a missing factor"),
      ("v * w", "a missing factor"),
      ("-2 * v * w", "in -2"),
      ("2 * v^2 * w", "in v^2"),
      ("2 * v[::-1] * w", "in v[::-1]")],
     ["v * w + v * w", "v * w + w * v", "w * (v + v)"]),
    ("a * (b + c) - x", "a * b + a * c - x",
     [("a * (b - c) - x", "the sign of c in b - c"),
      ("a * (b + c) + x", "the sign of x"),
      ("a * b + c - x", "where a * (b + c) became c + a * b"),
      ("a * (b + x) - x", "where c became x"),
      ("2 * a * (b + c) - x", "the extra factor 2 in 2 * a * (b + c)")],
     ["(b + c) * a - x", "-(x - a * (b + c))", "a * b - (x - a * c)"]),
    ("sum(A @ u)", "sum(A, axis=0) @ u",
     [("sum(A' @ u)", "where A became A'"),
      ("sum(A, axis=1) @ u", "in sum(A, axis=1)"),
      ("sum(B @ u)", "where A became B"),
      ("2 * sum(A @ u)", "the extra factor 2"),
      ("sum(A[::-1] @ u[::-1])", "where A @ u became A[::-1] @ u[::-1]")],
     ["sum(u @ A')", "ones(3) @ (A @ u)", "ones(3) @ A @ u"]),
]
LESSON = """# Class

```gradus question
What is {a} + 2 * {b}?
let: a in 2..9
let: b in 2..9
answer: a + 2 * b
hint: Twice {b} is {2 * b}.
wrong: (a + b) * 2 "The product comes first."
```

```gradus question
What is {a} squared?
answer: a^2
hint: It is {a} times {a}.
```
"""
passed = failed = 0


def check(ok, what):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print("FAILED:", what)


def run(gradus, folder, arguments, entries):
    env = dict(os.environ, XDG_STATE_HOME=os.path.join(folder, "state"))
    done = subprocess.run([gradus, "learn", *arguments], input="".join(e + "\n" for e in entries), env=env, text=True,
                          timeout=300, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout


def derivations(gradus, folder):
    page, entries, marks = "# Lines\n\n```gradus" + PROGRAM + "```\n", [], 0
    for start, end, wrong, right in DERIVATIONS:
        page += f"\n```gradus question\nDerive it.\nderive: {start} to {end}\n```\n"
        for line in [w for w, _ in wrong] + right + [end]:
            entries += [line, f":type zeros({700000 + marks})"]
            marks += 1
    with open(os.path.join(folder, "lines.md"), "w", encoding="utf-8") as out:
        out.write(page)
    said = re.split(r"^f64\[7\d{5}\]\n", run(gradus, folder, ["lines.md"], entries), flags=re.M)
    check(len(said) == marks + 1, f"{marks} lines were judged, not {len(said) - 1}: {said[-1][-300:]}")
    answers = iter(said)
    for start, end, wrong, right in DERIVATIONS:
        for line, part in wrong:
            answer = next(answers, "")
            check(re.search(r"No: (for .* )?the line before is .*, and this one is ", answer),
                  f"{start}: {line} is refuted: {answer}")
            told = re.findall(r"^The mistake is (.*)\.$", answer, re.M)
            check(told == ([part] if part else []), f"{start}: {line} is refuted at {part}: {answer}")
        for line in right + [end]:
            answer = next(answers, "")
            check(re.search(r"^Right\b", answer, re.M), f"{start}: {line} is accepted: {answer}")
    check(sum(len(w) for _, _, w, _ in DERIVATIONS) == 50 and sum(len(r) + 1 for _, _, _, r in DERIVATIONS) == 40,
          "50 wrong lines and 40 right ones")


def numbers_of(text):
    return [int(n) for n in re.search(r"What is (\d+) \+ 2 \* (\d+)\?", text).groups()]


def one_learner(gradus, folder, who, dice, count):
    """Plays with random slips and counts them by what they were meant to be."""
    a, b = numbers_of(run(gradus, folder, ["--seed", who, "class.md"], []))
    entries = []
    for k in range(2):
        tally = count[k]
        right = a + 2 * b if k == 0 else a * a
        tally["reached"] += 1
        if dice.random() < 0.5:
            entries.append("")
            tally["hints"] += 1
        for _ in range(dice.randrange(4)):
            slip = dice.choice(["reply", "-1", "-2", "-2"])
            entries.append(str((a + b) * 2) if slip == "reply" and k == 0 else "-3" if slip == "reply" else slip)
            tally["tries"] += 1
            tally["wrong", "The product comes first." if slip == "reply" and k == 0 else entries[-1]] += 1
        if dice.random() < 0.2:
            entries.append("skip")
            tally["skipped"] += 1
        else:
            entries.append(str(right))
            tally["tries"] += 1
            tally["answered"] += 1
    # A hint that there is not is no hint.
    run(gradus, folder, ["--seed", who, "--record", who + ".json", "class.md"], entries + [""])


def a_class(gradus, folder):
    with open(os.path.join(folder, "class.md"), "w", encoding="utf-8") as out:
        out.write(LESSON)
    dice, count = random.Random(3), [collections.Counter(), collections.Counter()]
    names = [f"learner{k}" for k in range(30)]
    for who in names:
        one_learner(gradus, folder, who, dice, count)
    report = run(gradus, folder, ["report"] + [n + ".json" for n in names], [])
    check("Class (class.md): 30 learners" in report, report)
    for k, tally in enumerate(count):
        block = re.split(r"^ +\d+  ", report, flags=re.M)[k + 1]
        want = "reached by {reached}, answered by {answered}, skipped by {skipped}; tries: {tries}, hints: {hints}"
        check(want.format_map(tally) in block, f"question {k + 1}: {want.format_map(tally)}\n{block}")
        slips = sorted((n for key, n in tally.items() if key[0] == "wrong"), reverse=True)[:3]
        shown = [int(n) for n in re.findall(r"^ +(\d+) x  ", block, re.M)]
        check(shown == slips, f"question {k + 1}: {slips}\n{block}")
    bad_records(gradus, folder, names[0] + ".json")


def bad_records(gradus, folder, good):
    other = os.path.join(folder, "other.md")
    with open(other, "w", encoding="utf-8") as out:
        out.write("# Other\n\n```gradus question\nOne?\nanswer: 1\n```\n")
    before = open(os.path.join(folder, good), encoding="utf-8").read()
    said = run(gradus, folder, ["--record", good, "other.md"], ["1"])
    check("is the record of another lesson" in said and "Right" not in said, said)
    check(open(os.path.join(folder, good), encoding="utf-8").read() == before, "the record is as it was")
    record = json.loads(before)
    for name, text in (("empty.json", ""), ("list.json", "[]"), ("text.json", "# Class"), ("null.json", "null"),
                       ("tries.json", json.dumps({**record, "questions": [{**record["questions"][0], "tries": -1}]})),
                       ("wrong.json", json.dumps({**record, "questions": [{**record["questions"][0], "wrong": [3]}]})),
                       ("nul.json", "\0"), ("deep.json", "[" * 100000)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(text)
        said = run(gradus, folder, ["report", name, good], [])
        check(f"{name} is not" in said and "it is left out" in said and ": 1 learner" in said, f"{name}: {said}")
    said = run(gradus, folder, ["report", "missing.json"], [])
    check("missing.json cannot be read" in said, said)


def main():
    gradus = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        derivations(gradus, folder)
        a_class(gradus, folder)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
