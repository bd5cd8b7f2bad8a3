#!/usr/bin/python3
"""Pictures in the terminal: what is sent to which terminal, and that it is the picture of the file.

    images.py [--gradus PROGRAM]
"""
import argparse
import base64
import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import tempfile
import termios
import time
import zlib

GRADUS = pathlib.Path(__file__).resolve().parent.parent / "build" / "gradus"
PROGRAM = ["a : f64", "y = a * 2 + 1"]
PROMPT = b"\x1b[?2004h"  # pasting is told apart from typing
QUESTION, ANSWER_KITTY = b"\x1b[c", b"\x1b_Gi=31;OK\x1b\\\x1b[?62;4c"
KITTY = re.compile(rb"\x1b_G(a=T[^;]*|m=[01]);([A-Za-z0-9+/=]*)\x1b\\")
ITERM = re.compile(rb"\x1b\]1337;File=([^:]*):([A-Za-z0-9+/=]*)\x07")
SIXEL = re.compile(rb'\x1bP0;1;0q"1;1;(\d+);(\d+)([^\x1b]*)\x1b\\')


def environment(folder, env):
    base = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": folder, "XDG_STATE_HOME": folder,
            "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PAGER": ""}
    base.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")})
    base.update(env)
    return base


def session(commands, env=None, answer=None, size=(24, 80, 0, 0)):
    """What the terminal gets, command by command; it answers the question what it is, or not."""
    with tempfile.TemporaryDirectory() as folder:
        pid, fd = pty.fork()
        if pid == 0:
            try:
                time.sleep(0.05)  # until the size is set
                os.chdir(folder)
                os.execve(GRADUS, [str(GRADUS), "--no-init"], environment(folder, env or {}))
            finally:
                os._exit(127)
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", *size))
        got, parts, asked = b"", [], False

        def read_until(done):
            nonlocal got, asked
            end = time.time() + 60
            while not done(got):
                assert time.time() < end, f"no answer: {got[-300:]!r}"
                if select.select([fd], [], [], 0.1)[0]:
                    try:
                        got += os.read(fd, 65536)
                    except OSError:
                        break
                if answer and not asked and QUESTION in got:
                    asked = True
                    os.write(fd, answer)

        read_until(lambda b: b"> " in b and (PROMPT in b or not answer))
        for i, command in enumerate(commands):
            got = b""
            mark = f"{70000 + i} + 1"  # its value is printed when all before it is
            os.write(fd, command.encode() + b"\r")
            if answer:  # nothing is asked while something waits to be read
                read_until(lambda b: PROMPT in b)
            os.write(fd, mark.encode() + b"\r")
            read_until(lambda b, value=f"i64 = {70001 + i}".encode(): value in b and (
                PROMPT in b.partition(value)[2] or not answer))
            parts.append(got)
        os.write(fd, b":quit\r")
        read_until(lambda b: False)
        os.waitpid(pid, 0)
        os.close(fd)
        return parts


def file_of(name, program=None):
    """The picture that :draw writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        keys = "" if name.endswith(".svg") else " dpi=96 background=white theme=light"
        lines = (program or PROGRAM) + [f":draw y {path}{keys}"]
        subprocess.run([GRADUS, "--no-init"] + [w for line in lines for w in ("-e", line)], check=True,
                       stdout=subprocess.DEVNULL)
        return path.read_bytes()


def kitty_picture(got):
    parts = KITTY.findall(got)
    assert parts, got[:300]
    assert [b"m=1" in keys for keys, _ in parts] == [True] * (len(parts) - 1) + [False]
    assert all(len(data) <= 4096 for _, data in parts)
    assert b"q=2" in parts[0][0], "it would answer, and nobody reads that"
    return parts[0][0], base64.b64decode(b"".join(data for _, data in parts))


# ---- pixels ----


def png_pixels(png):
    """Rows of (r, g, b) of a PNG as Cairo writes it."""
    at, data, width, height, channels = 8, b"", 0, 0, 4
    while at < len(png):
        n, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + n]
        if kind == b"IHDR":
            width, height, _, color = struct.unpack(">IIBB", body[:10])
            channels = {2: 3, 6: 4}[color]
        data += body if kind == b"IDAT" else b""
        at += n + 12
    raw, rows, above = zlib.decompress(data), [], bytes(width * channels)
    for y in range(height):
        start = y * (width * channels + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + width * channels])
        for i in range(len(row)):
            left = row[i - channels] if i >= channels else 0
            up, corner = above[i], above[i - channels] if i >= channels else 0
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda v: abs(guess - v))
            row[i] = (row[i] + [0, left, up, (left + up) // 2, paeth][kind]) & 255
        rows.append([tuple(row[x:x + 3]) for x in range(0, len(row), channels)])
        above = bytes(row)
    return rows


def sixel_pixels(match):
    """The same of sixels; every pixel is painted once."""
    width, height, body = int(match[1]), int(match[2]), match[3].decode()
    palette, rows = {}, [[None] * width for _ in range(height)]
    color, x, top = 0, 0, 0
    for number, rgb, run, sign in re.findall(r"#(\d+)((?:;\d+)*)|(?:!(\d+))?([?-~$-])", body):
        if number:
            color = int(number)
            if rgb:
                palette[color] = tuple(round(int(v) * 255 / 100) for v in rgb.split(";")[2:])
        elif sign == "$":
            x = 0
        elif sign == "-":
            x, top = 0, top + 6
        else:
            for _ in range(int(run or 1)):
                for y in range(6):
                    if ord(sign) - 63 >> y & 1:
                        assert rows[top + y][x] is None, "painted twice"
                        rows[top + y][x] = palette[color]
                x += 1
    assert all(p is not None for row in rows for p in row), "a pixel is missing"
    return rows


def test_sixels_are_the_picture():
    match = SIXEL.search(file_of("y.sixel"))
    rows, want = sixel_pixels(match), png_pixels(file_of("y.png"))
    assert (len(rows), len(rows[0])) == (len(want), len(want[0]))
    far = [max(abs(a - b) for a, b in zip(p, q)) for row, other in zip(rows, want) for p, q in zip(row, other)]
    assert max(far) <= 40 and sum(far) / len(far) < 2, (max(far), sum(far) / len(far))
    assert len({p for row in rows for p in row}) > 10


# ---- terminals ----


def test_kitty():
    for env in ({"KITTY_WINDOW_ID": "1"}, {"TERM": "xterm-kitty"}, {"TERM_PROGRAM": "ghostty"}):
        got = session(PROGRAM + [":draw y"], env)[-1]
        keys, png = kitty_picture(got)
        assert png == file_of("y.png"), env
        assert QUESTION not in got and b"c=" not in keys


def test_kitty_scales_what_is_wide():
    keys, _ = kitty_picture(session(PROGRAM + [":draw y"], {"TERM": "xterm-kitty"}, size=(24, 10, 80, 432))[-1])
    assert b"c=10," in keys, keys


def test_letters_of_the_picture_are_as_high_as_the_terminals():
    _, png = kitty_picture(session(PROGRAM + [":draw y"], {"TERM": "xterm-kitty"}, size=(24, 80, 1600, 864))[-1])
    small = png_pixels(file_of("y.png"))
    assert abs(len(png_pixels(png)) - 2 * len(small)) <= 2


def test_iterm():
    got = session(PROGRAM + [":draw y"], {"TERM_PROGRAM": "iTerm.app"})[-1]
    match = ITERM.search(got)
    png = base64.b64decode(match[2])
    assert png == file_of("y.png")
    assert f"inline=1;size={len(png)};".encode() in match[1]


def test_sixel():
    got = session(PROGRAM + [":draw y"], {"TERM": "foot"})[-1]
    assert SIXEL.search(got)[0] == file_of("y.sixel")
    narrow = SIXEL.search(session(PROGRAM + [":draw y"], {"TERM": "foot"}, size=(24, 10, 90, 432))[-1])
    assert int(narrow[1]) <= 90, narrow[1]


def test_a_terminal_is_asked():
    got = session(PROGRAM + [":draw y", ":draw y"], answer=ANSWER_KITTY)
    assert kitty_picture(got[-2])[1] == kitty_picture(got[-1])[1] == file_of("y.png")
    assert QUESTION in got[-2] and QUESTION not in got[-1], "once is enough"
    assert SIXEL.search(session(PROGRAM + [":draw y"], answer=b"\x1b[?62;4;6c")[-1])
    neither = session(PROGRAM + [":draw y"], answer=b"\x1b[?1;2c")[-1]
    assert not SIXEL.search(neither) and not KITTY.search(neither.replace(b"AAAA", b"")) and "┏━━".encode() in neither


def test_boxes_where_nothing_is_shown():
    for env in ({"TMUX": "/tmp/x,1,0"}, {"TERM": "screen"}, {"TERM": "linux"}):
        got = session(PROGRAM + [":draw y"], env)[-1]
        assert "╭".encode() in got and QUESTION not in got and not KITTY.search(got), env
    dumb = session(PROGRAM + [":draw y"], {"TERM": "dumb"})[-1]
    assert b"| a : f64 |" in dumb and QUESTION not in dumb
    latin = session(PROGRAM + [":draw y"], {"TERM": "screen", "LC_ALL": "C"})[-1]
    assert b"| a : f64 |" in latin
    narrow = session(PROGRAM + [":draw (sin(a) + y) * (y - cos(a))"], {"TERM": "screen"}, size=(24, 30, 0, 0))[-1]
    assert b"columns" in narrow and b":set images" in narrow, narrow


def test_as_set():
    got = session(PROGRAM + [":set images kitty", ":draw y", ":set images off", ":draw y"], {"TMUX": "x"})
    assert kitty_picture(got[3])[1] == file_of("y.png")
    assert "╭".encode() in got[5]
    assert b"images is auto" in session([":set images maybe"], {"TMUX": "x"})[0]


def test_nothing_is_sent_where_no_terminal_is():
    env = {"KITTY_WINDOW_ID": "1", "TERM": "xterm-kitty", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    lines = PROGRAM + [":set images kitty", ":draw y"]
    got = subprocess.run([GRADUS, "--no-init"] + [w for line in lines for w in ("-e", line)], env=env, check=True,
                         stdout=subprocess.PIPE).stdout
    assert b"\x1b" not in got and "╭".encode() in got


def main():
    global GRADUS  # pylint: disable=global-statement
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradus", default=GRADUS)
    GRADUS = pathlib.Path(parser.parse_args().gradus).resolve()
    failed = 0
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    for name, test in tests:
        try:
            test()
        except Exception as problem:  # pylint: disable=broad-except
            failed += 1
            print(f"FAIL {name}: {type(problem).__name__} {problem}")
    print(f"{len(tests) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    raise SystemExit(main())
