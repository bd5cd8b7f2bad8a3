#!/usr/bin/python3
"""What the hints for NumPy's names say to write gives what NumPy gives (core/lang/foreign.def).

A row is taken from the table by its word; the call of NumPy's function is below, with the same names. A word of the
list that the table no longer has is a failure, too.
"""
import re

import numpy as np
from run import ROOT, Tally, batch, decode

VALUES = {"x": np.array([-2.5, -0.5, 0.0, 1.5, 7.25]), "y": np.array([0.5, -3.0, 2.0, -1.25, 4.0]), "v": np.array([1.0, 2.0, -3.0]),
          "A": np.array([[4.0, 1, 0], [1, 3, 1], [0.5, 1, 2]]), "B": np.array([[2.0, 1, 0], [1, 2, 1], [0, 1, 2]]),
          "p": np.array([True, False, True, False, True]), "q": np.array([True, True, False, False, True]),
          "i": np.array([1, 2]), "j": np.array([2, 0]), "lo": np.float64(0.25), "hi": np.float64(0.75)}
CALLS = """power: np.power(x, y)              float_power: np.float_power(x, y)         square: np.square(x)
absolute: np.absolute(x)           fabs: np.fabs(x)                         cbrt: np.cbrt(x)
arcsin: np.arcsin(x)               arccos: np.arccos(x)                     arctan: np.arctan(x)
arctan2: np.arctan2(y, x)          arcsinh: np.arcsinh(x)                   arccosh: np.arccosh(x)
arctanh: np.arctanh(x)             logaddexp2: np.logaddexp2(x, y)          sinc: np.sinc(x)
deg2rad: np.deg2rad(x)             radians: np.radians(x)                   rad2deg: np.rad2deg(x)
degrees: np.degrees(x)             rint: np.rint(x)                         around: np.around(x)
fix: np.trunc(x)                   signbit: np.signbit(x)                   heaviside: np.heaviside(x, y)
copysign: np.copysign(x, y)        fmax: np.fmax(x, y)                      fmin: np.fmin(x, y)
subtract: np.subtract(x, y)        multiply: np.multiply(x, y)              divide: np.divide(x, y)
true_divide: np.true_divide(x, y)  negative: np.negative(x)                 floor_divide: np.floor_divide(x, y)
remainder: np.remainder(x, y)      fmod: np.fmod(x, y)                      divmod: np.divmod(x, y)
equal: np.equal(x, y)              not_equal: np.not_equal(x, y)            less: np.less(x, y)
less_equal: np.less_equal(x, y)    greater: np.greater(x, y)                greater_equal: np.greater_equal(x, y)
logical_and: np.logical_and(p, q)  logical_or: np.logical_or(p, q)          logical_not: np.logical_not(p)
logical_xor: np.logical_xor(p, q)  invert: np.invert(i)                     bitwise_left_shift: np.left_shift(i, 2)
bitwise_right_shift: np.right_shift(i, 2)                                   isposinf: np.isposinf(x)
isneginf: np.isneginf(x)           average: np.average(x)                   amax: np.amax(x)
amin: np.amin(x)                   nansum: np.nansum(x)                     nanprod: np.nanprod(x)
nanmean: np.nanmean(x)             nanvar: np.nanvar(x)                     nanstd: np.nanstd(x)
nanmax: np.nanmax(x)               nanmin: np.nanmin(x)                     array_equal: np.array(np.array_equal(x, y))
ravel: np.ravel(A)                 matrix_transpose: np.swapaxes(A, -1, -2)
concatenate: np.concatenate((x, y))                                         append: np.append(x, y)
hstack: np.hstack((A, B))          vstack: np.vstack((A, B))                column_stack: np.column_stack((x, y))
dstack: np.dstack((A, B))          fliplr: np.fliplr(A)                     flipud: np.flipud(A)
rot90: np.rot90(A)                 digitize: np.digitize(y, x)     extract: np.extract(p, x)
compress: np.compress(p, x)        inner: np.inner(x, y)                    vdot: np.vdot(x, y)
newaxis: x[np.newaxis, :]          identity: np.identity(3)                 tri: np.tri(3)
geomspace: np.geomspace(lo, hi, 5)  diagflat: np.diagflat(x)                 trapezoid: np.trapz(y, x)
fill: np.ones(3)                   unsqueeze: np.expand_dims(x, 0)          permute_dims: np.transpose(A, (1, 0))
flatnonzero: np.flatnonzero(x)"""


def table():
    text = (ROOT / "core/lang/foreign.def").read_text(encoding="utf-8")
    rows = re.findall(r'^HABIT\( "([^"]*)",\s*"((?:[^"\\]|\\.)*)",', text, re.MULTILINE)
    return {word: write.replace('\\"', '"') for words, write in rows for word in words.split()}


def declared(name, v):
    kind = {"f": "f64", "b": "bool", "i": "i64"}[v.dtype.kind]
    sizes = f"[{', '.join(map(str, v.shape))}]" if v.shape else ""
    return f"{name} : {kind}{sizes} = {str(v.tolist()).replace('True', 'true').replace('False', 'false')}\n"


def main():
    tally, rows = Tally(), table()
    calls = [c.split(": ", 1) for c in re.split(r"\s{2,}|\n", CALLS)]
    asked = [(word, call, rows.get(word)) for word, call in calls]
    prelude = "".join(declared(k, v) for k, v in VALUES.items())
    known = [(w, c, r) for w, c, r in asked if r]
    for word, _, row in asked:
        tally.check(row is not None, f"{word} has no remedy in the table")
    for (word, call, row), got in zip(known, batch([r for _, _, r in known], prelude)):
        with np.errstate(all="ignore"):
            want = eval(call, {"np": np, **VALUES})  # pylint: disable=eval-used
        ours = decode(got) if got["kind"] == "value" else None
        parts = zip(ours, want) if isinstance(ours, list) else [(ours, want)]
        ok = ours is not None and all(np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-12, atol=1e-15, equal_nan=True)
                                      for a, b in parts)
        tally.check(ok, f"{word}: {row} gives {ours}, {call} {want}")
    print(f"{len(known)} names of NumPy")
    tally.end()


if __name__ == "__main__":
    main()
