"""Enough of JAX to run what `:export to=jax` writes where JAX is not installed: its loops and branches, on
NumPy's arrays.  Like JAX it refuses a carry whose type changes from step to step, and calls the functions
of a loop with what it carries only.
"""
import math
import sys
import types

import numpy as np


class Array(np.ndarray):
    @property
    def at(self):
        return Places(self)


class Places:
    def __init__(self, array, where=None):
        self.array, self.where = array, where

    def __getitem__(self, where):
        return Places(self.array, where)

    def set(self, value):
        out = self.array.copy()
        out[self.where] = value
        return out

    def add(self, value):
        out = self.array.copy()
        np.add.at(out, self.where, value)
        return out


def wrapped(x):
    if isinstance(x, tuple):
        return tuple(wrapped(e) for e in x)
    return np.asarray(x).view(Array) if isinstance(x, (np.ndarray, np.generic, bool, int, float)) else x


def quiet(function):
    def call(*args, **kwargs):
        if kwargs.pop("stable", False):
            kwargs["kind"] = "stable"
        with np.errstate(all="ignore"):
            return wrapped(function(*args, **kwargs))
    return call


class Library(types.ModuleType):
    """NumPy, or a part of it such as numpy.fft, whose functions give arrays of this module."""

    def __init__(self, name, of):
        super().__init__(name)
        self.__dict__["of"] = of

    def __getattr__(self, name):
        value = getattr(self.of, name)
        if isinstance(value, types.ModuleType):
            return Library(f"{self.__name__}.{name}", value)
        if isinstance(value, type) or not callable(value):
            return value
        return quiet(value)


def same_types(before, after):
    for a, b in zip(before, after):
        a, b = np.asarray(a), np.asarray(b)
        if a.shape != b.shape or a.dtype != b.dtype:
            raise TypeError(f"carry changes from {a.dtype}{a.shape} to {b.dtype}{b.shape}")


def scan(step, carry, xs, length, reverse=False):
    rows, carry = [], wrapped(carry)
    for x in xs:
        if len(x) != length:
            raise ValueError("a sequence of another length")
    for t in (range(length - 1, -1, -1) if reverse else range(length)):
        after, row = step(carry, tuple(wrapped(x[t]) for x in xs))
        same_types(carry, after)
        carry = wrapped(after)
        rows.append(row)
    rows = rows[::-1] if reverse else rows
    return carry, tuple(wrapped(np.stack([np.asarray(r[k]) for r in rows])) for k in range(len(rows[0]))) if rows else Empty()


class Empty:
    """Rows of a loop without steps: as many as are asked for."""
    def __iter__(self):
        raise SkipsRows()


class SkipsRows(Exception):
    """No step ran, so the stand-in does not know the shapes of rows that JAX would."""


def while_loop(going, step, loop):
    loop = wrapped(loop)
    while np.asarray(going(loop)):
        after = step(loop)
        same_types(loop, after)
        loop = wrapped(after)
    return loop


def cond(condition, then, otherwise):
    return wrapped(then() if np.asarray(condition) else otherwise())


def module(name, **content):
    m = types.ModuleType(name)
    m.__dict__.update(content)
    sys.modules[name] = m
    return m


def softmax(x, axis=None):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def logsumexp(x, axis=None):
    with np.errstate(all="ignore"):
        m = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
        m = np.where(np.isfinite(m), m, 0.0)
        return wrapped(np.log(np.sum(np.exp(x - m), axis=axis)) + np.squeeze(m, axis=axis))


def skips(*_):
    raise SkipsRows


def install():
    jnp = Library("jax.numpy", np)
    elements = {n: quiet(np.vectorize(f, otypes=[float])) for n, f in
                (("erf", math.erf), ("erfc", math.erfc), ("gammaln", math.lgamma))}
    elements["xlogy"] = quiet(lambda x, z: np.where(x == 0, 0.0, x * np.log(np.where(x == 0, 1.0, z))))
    try:
        import scipy.special
        elements |= {n: quiet(getattr(scipy.special, n)) for n in ("digamma", "polygamma", "erfinv")}
    except ImportError:  # what needs them cannot be tried
        elements |= {n: skips for n in ("digamma", "polygamma", "erfinv")}
    special = module("jax.scipy.special", logsumexp=logsumexp, **elements)
    nn = module("jax.nn", sigmoid=quiet(lambda x: 1 / (1 + np.exp(-np.asarray(x)))), softmax=quiet(softmax),
                log_softmax=quiet(lambda x, axis=None: np.log(softmax(x, axis))))
    lax = module("jax.lax", scan=scan, while_loop=while_loop, cond=cond, stop_gradient=lambda x: x,
                 cummax=lambda x, axis: wrapped(np.maximum.accumulate(x, axis=axis)))
    sys.modules["jax.numpy"] = jnp
    module("jax", numpy=jnp, lax=lax, nn=nn, scipy=module("jax.scipy", special=special),
           config=types.SimpleNamespace(update=lambda *_: None))
