"""What runs a row: C, NumPy, Numba, PyTorch, and Gradus in its two tiers.

An engine is set up for rows at sizes; `values` gives the outputs of one, `seconds` the best of some runs of it,
without what comes before the first (compiling, planning, starting)."""
import ctypes
import inspect
import json
import os
import pathlib
import platform
import subprocess
import time

import numpy as np

from rows import call

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GRADUS = ROOT / "build" / "gradus"


class Failed(Exception):
    """An engine gives no values; says why."""


def shape_of(row, name, sizes):
    dtype, *names = row.outputs[name].split()
    return np.dtype(dtype), tuple(sizes[n] for n in names)


def best_of(function, budget):
    """The least of at least two runs, or of as many as fit into the budget."""
    best, spent, runs = float("inf"), 0.0, 0
    while runs < 2 or spent < budget:
        start = time.perf_counter()
        function()
        taken = time.perf_counter() - start
        best, spent, runs = min(best, taken), spent + taken, runs + 1
        if runs == 1 and taken > 2:
            break
    return best


# ---- C ----

C_HEAD = r"""
#include <cblas.h>
#include <math.h>
#include <string.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
double best_of(void (*f)(void *const *), void *const *given, double budget)
{
#if defined __FAST_MATH__ && defined __SSE__
    unsigned usual = __builtin_ia32_stmxcsr(); /* as a program of that option starts */
    __builtin_ia32_ldmxcsr(usual | 0x8040);
#endif
    double best = 1e9, spent = 0;
    for (long runs = 0; runs < 2 || spent < budget; runs++) {
        double t = now();
        f(given);
        t = now() - t;
        spent += t;
        best = t < best ? t : best;
    }
#if defined __FAST_MATH__ && defined __SSE__
    __builtin_ia32_ldmxcsr(usual);
#endif
    return best;
}
"""


def c_type(dtype):
    return "long" if dtype == np.int64 else "double"


def c_function(row, sizes, inputs):
    lines = [f"void {symbol(row)}(void *const *given)", "{", "    enum { " + ", ".join(f"{k} = {v}" for k, v in sizes.items()) + " };"]
    for i, (name, value) in enumerate(inputs.items()):
        if isinstance(value, (int, float)):
            kind = c_type(np.asarray(value).dtype)
            lines.append(f"    const {kind} {name} = *(const {kind} *)given[{i}];")
        else:
            lines.append(f"    const {c_type(value.dtype)} *restrict {name} = given[{i}];")
    for i, name in enumerate(row.outputs, len(inputs)):
        lines.append(f"    {c_type(shape_of(row, name, sizes)[0])} *restrict {name} = given[{i}];")
    return "\n".join(lines) + "\n" + row.c + "\n}\n"


def symbol(row):
    return "row_" + row.__name__


class C:
    """gcc -O3 -march=native, with and without -ffast-math (which brings the vector functions of libmvec)."""

    name = "C"
    flags = ([], ["-ffast-math", "-nostartfiles"])  # the start of -ffast-math would change the rounding of all that is here

    def __init__(self, made, folder, more=()):
        """made: [(row, sizes, inputs)]; more: options of gcc"""
        source = folder / "rows.c"
        source.write_text(C_HEAD + "".join(dict.fromkeys(row.head for row, _, _ in made)) + "".join(c_function(*one) for one in made), encoding="utf-8")
        self.libraries = []
        for i, flags in enumerate(self.flags):
            library = folder / f"rows{i}.so"
            subprocess.run(["gcc", "-O3", "-march=native", *more, *flags, "-shared", "-fPIC", "-w", str(source), "-o", str(library),
                            "-lopenblas", *(["-lmvec"] if flags and platform.machine() == "x86_64" else []), "-lm"], check=True)
            self.libraries.append(ctypes.CDLL(str(library)))
            self.libraries[-1].best_of.restype = ctypes.c_double

    def arguments(self, row, sizes, inputs):
        arrays = [np.ascontiguousarray(v) for v in inputs.values()]
        outs = [np.full(shape, 7, dtype) for dtype, shape in (shape_of(row, name, sizes) for name in row.outputs)]
        pointers = (ctypes.c_void_p * len(arrays + outs))(*[a.ctypes.data for a in arrays + outs])
        return arrays, outs, pointers

    def run(self, row, sizes, inputs, budget):
        for library in self.libraries:
            keep, outs, pointers = self.arguments(row, sizes, inputs)
            best = library.best_of(getattr(library, symbol(row)), pointers, ctypes.c_double(budget))
            del keep
            yield outs, best

    def values(self, row, sizes, inputs):
        """The outputs with each choice of options."""
        return [outs for outs, _ in self.run(row, sizes, inputs, 0)]

    def seconds(self, row, sizes, inputs, budget):
        return min(best for _, best in self.run(row, sizes, inputs, budget / 2))


# ---- Python ----

class NumPy:
    name = "NumPy"

    def function(self, row):
        return row.numpy

    def convert(self, value):
        return value

    def give(self, row, sizes, inputs):
        """A function without arguments that runs the row."""
        function = self.function(row)
        values = {**{k: self.convert(v) for k, v in inputs.items()}, **sizes}
        return lambda: call(function, values)

    def values(self, row, sizes, inputs):
        return [[np.asarray(v) for v in self.give(row, sizes, inputs)()]]

    def seconds(self, row, sizes, inputs, budget):
        return best_of(self.give(row, sizes, inputs), budget)


class Numba(NumPy):
    name = "Numba"

    def __init__(self):
        import numba  # pylint: disable=import-outside-toplevel
        import warnings  # pylint: disable=import-outside-toplevel
        warnings.simplefilter("ignore", numba.NumbaPerformanceWarning)
        self.numba, self.made = numba, {}

    def function(self, row):
        if row not in self.made:
            self.made[row] = self.numba.njit(fastmath=True, error_model="numpy")(row.numba or row.numpy)
        made = self.made[row]
        made.__signature__ = inspect.signature(row.numba or row.numpy)
        return made


class PyTorch(NumPy):
    name = "PyTorch"

    def __init__(self):
        import torch  # pylint: disable=import-outside-toplevel
        torch.set_num_threads(1)
        self.torch = torch

    def function(self, row):
        return row.torch

    def convert(self, value):
        return self.torch.from_numpy(value) if isinstance(value, np.ndarray) else value

    def give(self, row, sizes, inputs):
        return super().give(row, {**sizes, "torch": self.torch}, inputs)

    def values(self, row, sizes, inputs):
        return [[v.detach().numpy() for v in self.give(row, sizes, inputs)()]]


# ---- Gradus ----

class Gradus:
    """One tier of ours, in a process of its own for each question."""

    def __init__(self, mode, folder):
        self.name = {"off": "machine", "on": "native"}[mode]
        self.folder = folder
        (folder / "cache").mkdir(mode=0o700, exist_ok=True)
        self.environment = {**os.environ, "GRADUS_NATIVE": mode, "XDG_CACHE_HOME": str(folder / "cache")}

    def ask(self, row, sizes, inputs, lines):
        place = self.folder / f"{row.__name__}-{self.name}"
        place.mkdir(exist_ok=True)
        text = []
        for name, value in inputs.items():
            dtype = "i64" if np.asarray(value).dtype == np.int64 else "f64"
            if isinstance(value, (int, float)):
                text.append(f"{name} : {dtype} = {value!r}")
                continue
            np.save(place / f"{name}.npy", value)
            text.append(f'{name} : {dtype}[{", ".join(map(str, value.shape))}] = load("{name}.npy")')
        program = row.gradus
        for name, size in sizes.items():
            program = program.replace("{" + name + "}", str(size))
        done = subprocess.run([str(GRADUS), "--no-init", "--json"], input="\n".join(text + [program] + lines) + "\n",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=place,
                              env=self.environment, check=False)
        try:
            told = [json.loads(line) for line in done.stdout.splitlines()]
        except ValueError:
            raise Failed(done.stdout[-500:]) from None
        errors = [o["message"] for o in told if o["kind"] == "error"]
        if errors or done.returncode:
            raise Failed("; ".join(errors) or f"status {done.returncode}")
        return place, told

    def values(self, row, sizes, inputs):
        place, _ = self.ask(row, sizes, inputs, [f'save({e}, "{name}.npy")' for e, name in zip(row.results, row.outputs)])
        return [[np.load(place / f"{name}.npy") for name in row.outputs]]

    def seconds(self, row, sizes, inputs, budget):
        asked = row.results[0] if len(row.results) == 1 else f"({', '.join(row.results)})"
        _, told = self.ask(row, sizes, inputs, [f":time {asked}"])
        return next(o["data"]["best_s"] for o in told if o.get("command") == "time")
