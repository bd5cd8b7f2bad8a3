"""What the differential tests share: running gradus with --json, decoding and comparing values."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRADUS = os.path.abspath(os.environ.get("GRADUS", ROOT / "build" / "gradus"))
DTYPES = {"bool": np.bool_, "i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64}
WORDS = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}


def number(v):
    if isinstance(v, list):
        return [number(x) for x in v]
    return WORDS[v] if isinstance(v, str) else v


def decode(item):
    """A `value` object as an array, or a list of them; None where there is no NumPy dtype."""
    if "values" in item:
        return [decode(v) for v in item["values"]]
    dtype = DTYPES.get(item["dtype"])
    return None if dtype is None else np.array(number(item["value"]), dtype).reshape(item["shape"])


def gradus(*args, program=None, timeout=120):
    """The objects that a run prints, and its exit status. `program` is run as a file."""
    with tempfile.TemporaryDirectory(prefix="gradus-diff-") as folder:
        if program is not None:
            path = pathlib.Path(folder, "program.gr")
            path.write_text(program, encoding="utf-8")
            args += (str(path),)
        done = subprocess.run([GRADUS, "--json", *args], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=timeout, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, done.stderr


def batch(lines, prelude="", size=500):
    """One object per line, each line being one statement that prints one value or fails."""
    results = []
    for start in range(0, len(lines), size):
        part = lines[start:start + size]
        objects, status, err = gradus(program=prelude + "".join(line + "\n" for line in part))
        got = [o for o in objects if o["kind"] in ("value", "error")]
        if status not in (0, 1) or len(got) != len(part):
            raise SystemExit(f"gradus ended with {status}, {len(got)} results for {len(part)} statements: {err}"
                             f"{[o for o in got if o['kind'] == 'error'][:1]}")
        results += got
    return results


def same(ours, theirs, rtol=1e-12, atol=0.0):
    """Equal dtype, shape and values: exactly for integers and bools, else within rtol."""
    theirs = np.asarray(theirs)
    if ours is None or isinstance(ours, list) or ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return False
    if ours.dtype.kind != "f":
        return bool(np.array_equal(ours, theirs))
    return bool(np.allclose(ours, theirs, rtol=rtol, atol=atol, equal_nan=True))


# What passes make, each written as a call: prop_listing reads them all back to the same graph.
MADE = ("fused", "gemm", "gemv", "ger", "slice", "index", "gather", "set_index", "set_slice", "scatter", "broadcast", "iota",
        "dim", "cast", "check", "recurrence")


class Tally:
    """Counts, and prints what failed (the first 12 of each family)."""

    def __init__(self):
        self.passed = self.failed = self.shown = 0

    def check(self, ok, what):
        if ok:
            self.passed += 1
            return
        self.failed += 1
        self.shown += 1
        if self.shown <= 12:
            print(what() if callable(what) else what)

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)
