#!/usr/bin/python3
"""Tables (.csv, .tsv, .txt) and archives (.npz) against NumPy and the csv module.

    files.py [PROGRAM]

What is written reads back to the bit, here and in NumPy; what is damaged or no table is refused with its line and column.  The
last line is `N passed, N failed`.
"""
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy as np
from more import GRADUS, array, run

RNG = np.random.RandomState(3)


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, ok, what):
        self.passed += ok
        self.failed += not ok
        if not ok:
            print("failed:", what)


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def load(folder, name, text, more=""):
    pathlib.Path(folder, name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return run('load("%s"%s)\n' % (name, more), folder)[0]


# text, names of the columns (None: a matrix), columns
NAN = float("nan")
TABLES = [
    ("a,b\n1,2.5\n3,4\n", ["a", "b"], [[1, 3], [2.5, 4.0]]),
    ("a;b\r\n1;NA\r\n-2;3\r\n", ["a", "b"], [[1, -2], [NAN, 3.0]]),
    ("a\tb\n\t1\n2\t\n", ["a", "b"], [[NAN, 2.0], [1.0, NAN]]),
    ("a|b\ntrue|nan\nFALSE|inf\n", ["a", "b"], [[True, False], [NAN, np.inf]]),
    ("x y\n1 2\n  3   4  \n", ["x", "y"], [[1, 3], [2, 4]]),
    ("\ufeffa\n1\n", ["a"], [[1]]),
    ("# a comment\n\n a , b c ,2d,\n\n1,2,3,4\n# the end", ["a", "b_c", "_2d", "c3"], [[1], [2], [3], [4]]),
    ('"a","b ""c"" ,d"\n"1"," 2.5 "\n', ["a", "b_c_d"], [[1], [2.5]]),
    ("größe (m),if\n1,2\n", ["größe_m", "if"], [[1], [2]]),
    ("a\n9223372036854775807\n-9223372036854775808\n", ["a"], [[2 ** 63 - 1, -2 ** 63]]),
    ("a\n9223372036854775808\n1\n", ["a"], [[2.0 ** 63, 1.0]]),
    ("a,b\n", ["a", "b"], [np.zeros(0), np.zeros(0)]),
    ("1,2\n3,4\n", None, [[1, 2], [3, 4]]),
    ("1 2.5\n3 4", None, [[1.0, 2.5], [3.0, 4.0]]),
    ("true,false\n", None, [[True, False]]),
    (",1\n2,\n", None, [[NAN, 1.0], [2.0, NAN]]),
]
REFUSED = [
    ("a,b\n1,2\n3,x\n", 'line 3, column 2 (b): "x" is not a number'),
    ("a,b\n1,2\n3\n", "line 3 has 1 field, the first line has 2"),
    ("a,b\n1,2,3\n", "line 2 has more than the 2 fields of the first line"),
    ("a,a\n1,2\n", "its parts 1 and 2 are both called a"),
    ("", "the file has no line with fields"),
    ("\n# only this\n", "the file has no line with fields"),
    ('a,b\n1,"2\n', "has a quote that does not end"),
    ('a,b\n"1"x,2\n', "follows a quoted field"),
    ("a\ntrue\n1\n", 'line 3, column 1 (a): "1" is in a column of true and false'),
    ("a\n1\ntrue\n", 'line 3, column 1 (a): "true" is in a column of numbers'),
    ("a\n1e\n", "is not a number"), ("a\n1.2.3\n", "is not a number"), ("a\n.\n", "is not a number"), ("a\n0x10\n", "is not a number"),
    (b"a\n1\0\n", "not a text: it has a zero byte"),
]


def tables(t, folder):
    for text, names, columns in TABLES:
        got = load(folder, "t.csv", text)
        want = [np.asarray(c) for c in columns] if names else np.asarray(columns)
        ok = got["kind"] == "value" and got.get("names") == names
        ok = ok and (all(map(same, array(got), want)) if names else same(array(got), want))
        t.check(ok, (text, got))
    for text, message in REFUSED:
        got = load(folder, "t.csv", text)
        t.check(got.get("code") == "io" and message in got["message"], (text, got))
    t.check(array(load(folder, "t.csv", "1,2\n3,4\n", ", header=true"))[1][0] == 4, "header=true")
    words = "# of plants\nid,kind,x\n1,,0.5\n2,red,NA\n3,\"big, blue\",2\n4,red,1\n"
    got = array(load(folder, "t.csv", words, ', text="code"'))
    t.check(all(map(same, got, (np.array([1, 2, 3, 4]), np.array([-1, 0, 1, 0]), np.array([0.5, NAN, 2, 1])))), "words as codes")
    got = load(folder, "t.csv", words, ', text="skip"')
    t.check(got["names"] == ["id", "x"] and same(array(got)[1], np.array([0.5, NAN, 2, 1])), "words left out")
    t.check('line 4, column 2 (kind): "red" is not a number; text=' in load(folder, "t.csv", words)["message"], "words refused")
    got = load(folder, "t.csv", "red,1\nblue,2\nred,3\n", ', header=false, text="code"')
    t.check(same(array(got), np.array([[0, 1], [1, 2], [0, 3]])), "words in a matrix")
    t.check("is a word in a column of numbers" in load(folder, "t.csv", "a\n1\nx\n", ', text="code"')["message"], "a word among numbers")
    t.check("each of its columns is of words" in load(folder, "t.csv", "a\nx\n", ', text="skip"')["message"], "nothing but words")
    t.check(load(folder, "t.csv", words, ', text="keep"')["code"] == "type-mismatch", "another use of words")
    t.check("line 1, column 1" in load(folder, "t.csv", "a,2\n", ", header=false")["message"], "header=false")
    t.check(same(array(load(folder, "t.csv", "1:2\n", ', separator=":"')), np.array([[1, 2]])), "separator")
    t.check(load(folder, "t.npy", "1", ", header=true")["code"] == "usage", "header of .npy")


def numbers(t, folder):
    """Decimals read as Python reads them, however they are written."""
    x = np.concatenate((RNG.randn(3000) * 10.0 ** RNG.randint(-320, 308, 3000), RNG.randn(2000), np.round(RNG.randn(2000), 4)))
    forms = ("%r", "%.3e", "%.20f", "%.17g", "+%.2g", "%.25e", "%.0f.")
    texts = [forms[i % len(forms)] % v for i, v in enumerate(abs(x).tolist())]
    got = array(load(folder, "t.csv", "a\n" + "\n".join(texts) + "\n0.5\n"))[0]
    t.check(same(got, np.array([float(s) for s in texts] + [0.5])), "decimals")


def round_trips(t, folder):
    columns = {"f": RNG.randn(50) * 10.0 ** RNG.randint(-300, 300, 50), "g": RNG.randn(50).astype(np.float32), "i": RNG.randint(-9, 9, 50),
               "b": RNG.rand(50) < 0.5}
    np.savez(pathlib.Path(folder, "a.npz"), **columns)
    np.savez_compressed(pathlib.Path(folder, "b.npz"), m=RNG.randn(3, 4), z=np.zeros(10000), s=np.float64(2), t=np.asfortranarray(RNG.randn(2, 3)))
    run('save(load("a.npz"), "a.csv")\nsave(load("a.npz"), "c.npz")\nsave(load("b.npz"), "d.npz")\nsave(load("b.npz").m, "m.tsv")\n'
        'save([1.5, 2.5], "v.txt")\nsave(([1, 2], 3.0), "u.npz")\n', folder)
    for name, other in (("a.npz", "c.npz"), ("b.npz", "d.npz")):
        a, b = np.load(pathlib.Path(folder, name)), np.load(pathlib.Path(folder, other))
        t.check(a.files == b.files and all(same(a[k], b[k]) for k in a.files), name)
    back = array(run('load("a.csv")\n', folder)[0])
    for got, (name, want) in zip(back, columns.items()):
        t.check(same(got, want.astype(np.float64) if name == "g" else want) or
                (name == "g" and same(got.astype(np.float32), want)), "column " + name)
    t.check(same(np.loadtxt(pathlib.Path(folder, "m.tsv")), np.load(pathlib.Path(folder, "b.npz"))["m"]), "m.tsv")
    t.check(pathlib.Path(folder, "v.txt").read_text() == "1.5\n2.5\n", "v.txt")
    t.check(np.load(pathlib.Path(folder, "u.npz")).files == ["arr_0", "arr_1"], "names of an unnamed tuple")


def long_numbers(t, folder):
    """An archive whose directory has numbers of 64 bits, as one of more than 4 GiB has."""
    limit, zipfile.ZIP64_LIMIT = zipfile.ZIP64_LIMIT, 8
    try:
        np.savez_compressed(pathlib.Path(folder, "long.npz"), x=np.arange(40), y=np.ones(3))
    finally:
        zipfile.ZIP64_LIMIT = limit
    whole = pathlib.Path(folder, "long.npz").read_bytes()
    end = len(whole) - 22  # where the short record says: see the long one
    whole = whole[:end + 8] + b"\xff" * 12 + whole[end + 20:]
    pathlib.Path(folder, "long.npz").write_bytes(whole)
    t.check(b"PK\x06\x06" in whole, "the archive has a long end record")
    got = array(run('load("long.npz")\n', folder)[0])
    t.check(same(got[0], np.arange(40)) and same(got[1], np.ones(3)), "numbers of 64 bits")
    for at in (whole.index(b"PK\x06\x06") + 32, whole.index(b"PK\x06\x06") + 48, whole.index(b"PK\x06\x07") + 8):
        pathlib.Path(folder, "long.npz").write_bytes(whole[:at] + b"\xff" * 8 + whole[at + 8:])
        t.check(run('load("long.npz")\n', folder)[0].get("code") == "io", "a damaged number of 64 bits")


def damaged(t, folder):
    """No byte of an archive can be changed or left out without a message, or without meaning."""
    out = io.BytesIO()
    np.savez_compressed(out, x=np.arange(40), y=np.ones(3))
    whole = out.getvalue()
    for at in range(0, len(whole), 7):
        for text in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1:]):
            got = load(folder, "x.npz", text)
            t.check(got["kind"] == "value" or got.get("code") == "io", (at, got))
    with zipfile.ZipFile(pathlib.Path(folder, "z.npz"), "w") as z:
        z.writestr("notes.txt", "no array")
    t.check("not a .npy file" in run('load("z.npz")\n', folder)[0]["message"], "other files in an archive")
    t.check("not a .npz file" in load(folder, "x.npz", "PK")["message"], "no archive")


def printed(t, folder):
    done = subprocess.run([GRADUS], input="(day=[1, 2], price=[2.5, nan], ok=[true, false])\n", capture_output=True, text=True,
                          cwd=folder, check=False)
    want = "(day: i64[2], price: f64[2], ok: bool[2]) =\nday  price     ok\n  1    2.5   true\n  2    nan  false\n"
    t.check(done.stdout == want, done.stdout)


def refused(t, folder):
    for line, code in (('save((a=[1, 2], b=[1, 2, 3]), "x.csv")', "shape-mismatch"), ('save(zeros((2, 2, 2)), "x.csv")', "shape-mismatch"),
                       ('save((a=(b=1, c=2), d=3), "x.npz")', "type-mismatch"), ('save((a=[1, 2], b=3), "x.npy")', "type-mismatch"),
                       ('save(rng(1), "x.npz")', "type-mismatch"), ('x = save([1], "x.csv")', "context")):
        got = run(line + "\n", folder)[0]
        t.check(got.get("code") == code, (line, got))
    t.check(not os.path.exists(os.path.join(folder, "x.csv")), "nothing is left of what was refused")


def main():
    t = Tally()
    with tempfile.TemporaryDirectory(prefix="gradus-files-") as folder:
        for part in (tables, numbers, round_trips, long_numbers, damaged, printed, refused):
            part(t, folder)
    print("%d passed, %d failed" % (t.passed, t.failed))
    return 1 if t.failed else 0


if __name__ == "__main__":
    sys.exit(main())
