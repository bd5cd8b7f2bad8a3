#!/usr/bin/python3
"""random_pages.py GRADUS [CASES]: pages put together at random from pieces, woven.

Whatever stands beside what, with either line end, and with or without one at the end: the page is
woven, weaving it again gives the same bytes, --check agrees, and taking the woven parts away gives
back the source (with hidden blocks as comments).  Prints "N passed, N failed".
"""
import random
import re
import subprocess
import sys
import tempfile

PIECES = [
    "text\n", "# Title\n", "\n", "\n\n", "- a list\n  goes on\n", "    indented\n", "> quoted\n", "text <!-- inline --> text\n",
    "```\n```gradus\n```\n", "```python\nx = 1\n```\n", "~~~\n```gradus\n1\n```\n~~~\n", "````md\n```gradus\n1 +\n```\n````\n",
    "<!-- one line -->\n", "<!--\n```gradus\n1 +\n```\n-->\n", "    ```gradus\n", "![a picture](a.svg)\n", "[a link](b.md)\n",
    "```text\nnot woven\n```\n", "`` ```gradus `` in text\n", "<b>html</b>\n",
    "```gradus\n6 * 7\n```\n", "```gradus\n```\n", "```gradus\na = 1\n```\n", "  ```gradus\n  [1, 2]\n  3.5\n  ```\n", "~~~~gradus quiet\n1\n~~~~~\n",
    "```gradus fail\nnope\n```\n", "```gradus fail quiet\n1 +\n```\n", "```gradus hidden\nb = 2\nb\n```\n", "```gradus hidden quiet\n3\n```\n",
    "<!-- gradus\n7\n-->\n", "<!-- gradus hidden quiet fresh\n8\n-->\n", "<!--gradus fail\nnope\n-->\n", "```gradus fresh\n[[1, 2],\n [3, 4]]\n```\n",
    "```gradus\n:draw 1 + 1 one.dot\n```\n", "```gradus\n1\n:draw 1 + 1 \"a b.json\"\n2\n```\n", "```gradus\n:type 1  # ``` here\n```\n",
    "```gradus fail\n1 ``` 2\n```\n", "```gradus\n# comment only\n\n```\n",
    "```gradus guess\n6 * 7\n:draw 1 + 1 two.dot\n```\n", "```gradus guess quiet\n1\n```\n", "<!-- gradus guess\n7\n-->\n",
]


def without_woven(text):
    text = re.sub(r"\n(`{3,})text result\n.*?\n\1(?=\n|$)\n?", "", text, flags=re.S)
    return re.sub(r"\n(?:!?\[|</?details>)[^\n]*<!-- woven -->(?=\n|$)\n?", "", text)


def as_comment(text):
    return re.sub(r"```gradus (hidden[^\n]*)\n(.*?)```", r"<!-- gradus \1\n\2-->", text, flags=re.S)


def main():
    gradus, cases = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        def weave(*args):
            return subprocess.run([gradus, "weave", *args], cwd=folder, capture_output=True, check=False)

        def read(name):
            with open(f"{folder}/{name}", "rb") as f:
                return f.read()

        for seed in range(cases):
            r = random.Random(seed)
            source = "".join(r.choice(PIECES) for _ in range(r.randrange(1, 9)))
            if r.random() < 0.4:
                source = source.rstrip("\n")
            end = r.choice(["\n", "\r\n"])
            data = source.replace("\n", end).encode()
            with open(f"{folder}/in.md", "wb") as f:
                f.write(data)
            first = weave("in.md", "-o", "out.md")
            problem = first.returncode and f"status {first.returncode}: {first.stderr.decode()}"
            if not problem:
                once = read("out.md")
                weave("out.md", "-o", "out.md")
                check = weave("in.md", "-o", "out.md", "--check")
                text = once.decode()
                if read("out.md") != once:
                    problem = "not the same bytes when woven again"
                elif check.returncode:
                    problem = f"--check: {check.stdout.decode()}"
                elif end == "\r\n" and re.search(r"(?<!\r)\n", text):
                    problem = "line ends are mixed"
                elif text.endswith("\n") != source.endswith("\n") and text:
                    problem = "the newline at the end is not as it was"
                else:
                    left = without_woven(text.replace("\r\n", "\n"))
                    if re.sub(r"\n+", "\n", left).strip() != re.sub(r"\n+", "\n", as_comment(source)).strip():
                        problem = f"without its woven parts it is\n{left}"
            passed += not problem
            failed += bool(problem)
            if problem:
                print(f"seed {seed}: {problem}\n---- page\n{source}\n----")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
