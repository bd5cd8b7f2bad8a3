"""A program in a pseudo-terminal, and the screen it draws on (standard library only).

    with Terminal(["build/gradus"]) as t:
        t.wait("> ")                 # until the screen shows it
        t.send("1 + 1\r")
        t.wait("2")
        print(t.lines())
"""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import tempfile
import termios
import time
import unicodedata

CSI = re.compile(r"\x1b\[([?>]?)([0-9;]*)([A-Za-z@])")
OTHER = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-B]|[=>78DMc])")


class Screen:
    """As much of a VT100 as line editors use.  Rows that scroll away are kept in `past`."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.past = []
        self.row = self.column = 0
        self.pasting = False  # bracketed paste is on
        self.unknown = []  # sequences not understood
        self.rest = ""

    def feed(self, text):
        text, self.rest = self.rest + text, ""
        i = 0
        while i < len(text):
            c = text[i]
            if c == "\x1b":
                match = CSI.match(text, i) or OTHER.match(text, i)
                if not match:
                    if len(text) - i < 32:
                        self.rest = text[i:]
                        return
                    self.unknown.append(text[i:i + 8])
                    i += 1
                    continue
                if match.re is CSI:
                    self.control(*match.groups())
                i = match.end()
                continue
            self.put(c)
            i += 1

    def put(self, c):
        if c == "\r":
            self.column = 0
        elif c == "\n":
            self.newline()
        elif c == "\b":
            self.column = max(0, min(self.column, self.columns - 1) - 1)
        elif c == "\t":
            self.column = min(self.columns - 1, self.column // 8 * 8 + 8)
        elif c >= " ":
            if unicodedata.combining(c):
                return
            wide = unicodedata.east_asian_width(c) in "WF"
            if self.column + wide >= self.columns:  # the last column: wrap only now
                self.column = 0
                self.newline()
            self.cells[self.row][self.column] = c
            self.column += 1
            if wide:
                self.cells[self.row][self.column] = ""
                self.column += 1

    def newline(self):
        if self.row + 1 < self.rows:
            self.row += 1
        else:
            self.past.append("".join(self.cells.pop(0)).rstrip())
            self.cells.append([" "] * self.columns)

    def control(self, private, numbers, final):
        values = [int(n) if n else 0 for n in numbers.split(";")]
        n = max(1, values[0])
        here = min(self.column, self.columns - 1)
        if private:
            if "2004" in numbers:
                self.pasting = final == "h"
        elif final == "A":
            self.row = max(0, self.row - n)
        elif final == "B":
            self.row = min(self.rows - 1, self.row + n)
        elif final == "C":
            self.column = min(self.columns - 1, self.column + n)
        elif final == "D":
            self.column = max(0, here - n)
        elif final == "G":
            self.column = min(self.columns, n) - 1
        elif final == "H":
            self.row = min(self.rows, n) - 1
            self.column = min(self.columns, max(1, values[1] if len(values) > 1 else 1)) - 1
        elif final == "K":
            span = {0: range(here, self.columns), 1: range(here + 1), 2: range(self.columns)}[values[0]]
            for c in span:
                self.cells[self.row][c] = " "
        elif final == "J":
            for r in range(self.row + 1 if values[0] == 0 else 0, self.rows):
                self.cells[r] = [" "] * self.columns
            if values[0] == 0:
                self.cells[self.row][here:] = [" "] * (self.columns - here)
        elif final == "P":
            row = self.cells[self.row]
            row[here:] = row[here + n:] + [" "] * n
        elif final == "@":
            row = self.cells[self.row]
            row[here:] = ([" "] * n + row[here:])[:self.columns - here]
        elif final != "m":
            self.unknown.append(f"CSI {private}{numbers}{final}")

    def lines(self):
        """What is shown, and what has scrolled away, without empty lines at the end."""
        lines = self.past + ["".join(row).rstrip() for row in self.cells]
        while lines and not lines[-1]:
            lines.pop()
        return lines


class Late(Exception):
    """What was waited for did not come."""


class Terminal:
    def __init__(self, command, columns=80, rows=24, env=None, timeout=10.0, home=None, screen=None):
        self.timeout = timeout
        self.screen = screen or Screen(columns, rows)
        self.raw = ""
        self.status = None
        self.folder = None if home else tempfile.TemporaryDirectory(prefix="gradus-pty-")
        home = home or self.folder.name
        full = {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
        full.update(PATH=os.environ.get("PATH", "/usr/bin:/bin"), HOME=home, XDG_STATE_HOME=home + "/state",
                    XDG_CONFIG_HOME=home + "/config", INPUTRC="/dev/null", TERM="xterm", LC_ALL="C.UTF-8",
                    PAGER="")
        full.update(env or {})
        command = [os.path.abspath(command[0]), *command[1:]]
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(home)
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
                os.execve(command[0], command, full)
            finally:  # this process must not go on as a second test
                os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)
        if self.folder:
            self.folder.cleanup()

    def send(self, text):
        os.write(self.fd, text.encode())

    def read(self, seconds):
        """Reads what there is, waiting up to `seconds`; False at the end of output."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        text = self.decode(data)
        self.raw += text
        self.screen.feed(text)
        return bool(data)

    def until(self, what, holds):
        end = time.monotonic() + self.timeout
        while not holds():
            left = end - time.monotonic()
            if left <= 0 or not self.read(left):
                if holds():
                    return
                shown = "\n".join("  |" + line for line in self.lines())
                raise Late(f"waited for {what}; the screen:\n{shown}\n  raw end: {self.raw[-200:]!r}")

    def lines(self):
        return self.screen.lines()

    def text(self):
        return "\n".join(self.lines())

    def row(self):
        """The row of the cursor."""
        return "".join(self.screen.cells[self.screen.row]).rstrip()

    def wait(self, text):
        """Until the screen shows this text."""
        self.until(repr(text), lambda: text in self.text())

    def wait_row(self, row):
        """Until the row with the cursor is exactly this."""
        self.until(f"row {row!r}", lambda: self.row() == row.rstrip())

    def place(self):
        """How many rows above the cursor there are, those that scrolled away included."""
        return len(self.screen.past) + self.screen.row

    def wait_below(self, place, row):
        """Until the cursor is in a row that is exactly this, below `place`."""
        self.until(f"{row!r} below row {place}", lambda: self.place() > place and self.row() == row.rstrip())

    def wait_end(self, *rows):
        """Until the last rows shown are exactly these."""
        want = [row.rstrip() for row in rows]
        self.until(f"end {want!r}", lambda: self.lines()[-len(want):] == want)

    def wait_exit(self):
        """The exit status, once the program has ended."""
        end = time.monotonic() + self.timeout
        while time.monotonic() < end:
            self.read(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                while self.read(0):
                    if not select.select([self.fd], [], [], 0)[0]:
                        break
                return self.status
        raise Late("waited for the program to end; the screen:\n" + self.text())

    def resize(self, columns, rows):
        """Only for tests that look at the text, not at where it is: rows are not wrapped anew."""
        for row in self.screen.cells:
            row[:] = (row + [" "] * columns)[:columns]
        while len(self.screen.cells) < rows:
            self.screen.cells.append([" "] * columns)
        self.screen.columns, self.screen.rows = columns, max(rows, len(self.screen.cells))
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
