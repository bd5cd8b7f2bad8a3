#!/usr/bin/python3
"""What a terminal shows: keys are typed into gradus, the screen is compared with goldens.

    screen.py [--gradus PROGRAM] [--bless] [WORD...]      WORDs select files by name

A file tests/screen/NAME.screen holds rows of what is done, then `---`, then the screens:

    size 20 24           instead of 80 24 and 120 40; several sizes may be given
    env TERM=dumb
    file NAME TEXT       there is such a file, in the folder where the program runs
    type TEXT            keys of a row and Return; \\t, \\x03 and the like are those of Python
    key RIGHT TAB x ^C   single keys, the screen is waited for after each
    paste TEXT           as a terminal pastes, in brackets
    wait TEXT            until the screen shows it
    resize 60 10
    signal TSTP          and CONT, INT, ...: to the program
    shot NAME            the screen is compared here
    colors NAME          the same, and below rows that have some the first letters of their colours, large if bold

Nothing is timed: a screen is looked at when the program has answered, has read all keys and waits.
"""
import argparse
import copy
import fcntl
import os
import pathlib
import select
import signal
import struct
import sys
import termios
import time

try:
    import pyte
except ImportError:
    print("LEFT OUT: screens were not compared, as python3-pyte is not there (scripts/deps.sh installs it)\n0 passed, 0 failed")
    sys.exit(0)

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "repl"))
from terminal import Late, Terminal  # noqa: E402  pylint: disable=wrong-import-position

SIZES = [(80, 24), (120, 40)]
LIMIT = 120.0  # seconds, for what hangs
KEYS = {"UP": "\x1b[A", "DOWN": "\x1b[B", "RIGHT": "\x1b[C", "LEFT": "\x1b[D", "HOME": "\x1b[H", "END": "\x1b[F",
        "PGUP": "\x1b[5~", "PGDN": "\x1b[6~", "TAB": "\t", "ENTER": "\r", "ESC": "\x1b", "SPACE": " ",
        "BACK": "\x7f"}
ALTERNATE = 1049
TIOCGPTN = 0x80045430  # the number of the terminal whose other end this is


class Emulated(pyte.Screen):
    """A screen of pyte with a second one that programs may draw on, and the rows that scrolled away."""

    def __init__(self, columns, rows):
        self.past = 0
        self.kept = None
        super().__init__(columns, rows)
        self.stream = pyte.Stream(self)

    def feed(self, text):
        self.stream.feed(text)

    def index(self):
        if self.cursor.y == self.lines - 1:
            self.past += 1
        super().index()

    def set_mode(self, *modes, **kwargs):
        if ALTERNATE in modes:
            self.kept = copy.deepcopy(self.buffer), copy.copy(self.cursor)
        super().set_mode(*modes, **kwargs)

    def reset_mode(self, *modes, **kwargs):
        super().reset_mode(*modes, **kwargs)
        if ALTERNATE in modes and self.kept:
            self.buffer, self.cursor = self.kept
            self.kept = None
            self.dirty.update(range(self.lines))

    def rows(self):
        rows = [row.rstrip() for row in self.display]
        while rows and not rows[-1]:
            rows.pop()
        return rows


class Watched(Terminal):
    """A program in a terminal of which we know when it waits for keys."""

    def __init__(self, command, columns, rows, env):
        self.answers = 0  # bytes that came
        super().__init__(command, columns, rows, env=env, timeout=LIMIT, screen=Emulated(columns, rows))
        number = struct.unpack("i", fcntl.ioctl(self.fd, TIOCGPTN, b"\0" * 4))[0]
        self.slave = os.open(f"/dev/pts/{number}", os.O_RDWR | os.O_NOCTTY)

    def __exit__(self, *of):
        super().__exit__(*of)
        os.close(self.slave)

    def lines(self):
        return self.screen.rows()

    def read(self, seconds):
        before = len(self.raw)
        there = super().read(seconds)
        self.answers += len(self.raw) - before
        return there

    def waits(self):
        """Has it read all that was typed, and does it wait for more (or is it stopped, or gone)?"""
        try:
            state = pathlib.Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return True
        unread = struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, b"\0" * 4))[0]
        return state in "TZ" or (state == "S" and unread == 0)

    def quiet(self, answered=True):
        """Until it has answered what was done last, and waits."""
        end = time.monotonic() + self.timeout
        before = self.answers if answered is True else answered
        calm = 0
        while calm < 3:
            if time.monotonic() > end:
                raise Late("the program does not come to rest; the screen:\n" + "\n".join(self.lines()))
            got = select.select([self.fd], [], [], 0.005)[0]
            if got:
                self.read(0)
            calm = calm + 1 if not got and self.waits() and (answered is None or self.answers > before) else 0

    def press(self, text, answer=True):
        before = self.answers
        self.send(text)
        self.quiet(before if answer else None)

    def resize(self, columns, rows):
        before = self.answers
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.quiet(before)


def key_text(name):
    if len(name) == 2 and name[0] == "^":
        return chr(ord(name[1].upper()) & 31)
    return KEYS.get(name, name)


def unescaped(text):
    return text.encode("latin-1", "backslashreplace").decode("unicode_escape")


def shown(t, name):
    """The screen as rows of a golden; the cursor as ▮ where it stands, if it is to be seen."""
    rows = [row.rstrip() for row in t.screen.display]
    y, x = t.screen.cursor.y, t.screen.cursor.x
    if not t.screen.cursor.hidden:
        rows[y] = rows[y].ljust(x)[:x] + "▮" + rows[y][x + 1:]
    while rows and not rows[-1]:
        rows.pop()
    return [f"[{name}]"] + ["|" + row for row in rows]


def colors(t, name):
    out = shown(t, name)
    for y in range(len(out) - 1, 0, -1):
        cells = [t.screen.buffer[y - 1][x] for x in range(t.screen.columns)]
        letters = ["d" if c.fg == "default" and c.bold else " " if c.fg == "default" else c.fg[0] for c in cells]
        row = "".join(a.upper() if c.bold else a for a, c in zip(letters, cells)).rstrip()
        if row:
            out.insert(y + 1, "~" + row)
    return out


def perform(t, rows, out):
    for row in rows:
        word, _, rest = row.partition(" ")
        if word == "type":
            before = t.answers
            t.send(unescaped(rest) + "\r")
            t.quiet(before)
        elif word == "key":
            for name in rest.split():
                t.press(key_text(name))
        elif word == "paste":
            t.press("\x1b[200~" + unescaped(rest) + "\x1b[201~")
        elif word == "wait":
            t.until(repr(rest), lambda text=rest: any(text in shown_row for shown_row in t.lines()))
            t.quiet(None)
        elif word == "resize":
            t.resize(*map(int, rest.split()))
        elif word == "signal":
            os.kill(t.pid, getattr(signal, "SIG" + rest))
            t.quiet(None)
        elif word in ("shot", "colors"):
            out += (shown if word == "shot" else colors)(t, rest)
        elif word not in ("size", "env", "file", ""):
            raise ValueError(f"what is {word!r}?")


def play(gradus, rows, size):
    env = {"PAGER": "", "GRADUS_KERNELS": "base", "OPENBLAS_CORETYPE": "Prescott"}
    files = []
    for row in rows:
        word, _, rest = row.partition(" ")
        if word == "env":
            key, _, value = rest.partition("=")
            env[key] = value
        elif word == "file":
            files.append(rest.partition(" "))
    out = [f"== {size[0]}x{size[1]}"]
    with Watched([gradus], *size, env) as t:
        for name, _, text in files:
            pathlib.Path(t.folder.name, name).write_text(unescaped(text), encoding="utf-8")
        t.until("the prompt", lambda: any(row.startswith(">") for row in t.lines()))
        t.quiet(None)
        perform(t, rows, out)
    return out


def run(gradus, path, bless):
    text = path.read_text(encoding="utf-8")
    script, _, golden = text.partition("\n---\n")
    rows = [row for row in script.split("\n") if not row.startswith("#")]
    sizes = [tuple(map(int, row.split()[1:])) for row in rows if row.startswith("size ")] or SIZES
    out = []
    for size in sizes:
        out += play(gradus, rows, size)
    got = "\n".join(out) + "\n"
    if bless:
        path.write_text(script + "\n---\n" + got, encoding="utf-8")
    elif got != golden:
        difference(golden.split("\n"), got.split("\n"))
        return False
    return True


def difference(want, got):
    import difflib  # pylint: disable=import-outside-toplevel
    for row in list(difflib.unified_diff(want, got, "golden", "screen", lineterm=""))[:80]:
        print("  " + row)


def main():
    parser = argparse.ArgumentParser(description="Screens of gradus.")
    parser.add_argument("--gradus", default=str(HERE.parent.parent / "build" / "gradus"))
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    passed = failed = 0
    for path in sorted(HERE.glob("*.screen")):
        if args.words and not any(w in path.stem for w in args.words):
            continue
        try:
            good = run(os.path.abspath(args.gradus), path, args.bless)
        except (Late, OSError, ValueError) as problem:
            good = False
            print(f"  {type(problem).__name__}: {problem}")
        passed += good
        failed += not good
        if not good:
            print(f"FAILED tests/screen/{path.name}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
