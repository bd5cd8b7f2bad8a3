# shows: rnn.py gw.py root.py
x : f64[t, n]
W : f64[n, n]
h0 : f64[n]
rnn = scan t over x from h = h0 { h[t] = tanh(x[t] + h[t-1] @ W) }
a : f64
:export rnn rnn.py
:export grad(sum(rnn), W) gw.py to=jax
:export scan t for 50 from r = 1.0 { r[t] = (r[t-1] + a / r[t-1]) / 2; until abs(r[t] ^ 2 - a) < 1e-12 } root.py to=numba
---
==> rnn.py
# Written by gradus :export, with NumPy.
import numpy as np


def rnn(x, W, h0):
    """rnn

    x: f64[t, n]
    W: f64[n, n]
    h0: f64[n]
    """
    x = np.asarray(x, dtype=np.float64)
    W = np.asarray(W, dtype=np.float64)
    h0 = np.asarray(h0, dtype=np.float64)
    t = x.shape[0]
    n = x.shape[1]
    with np.errstate(all="ignore"):
        h = h0
        h_rows = np.empty((t, n), dtype=np.float64)
        for t_1 in range(t):
            h_1 = np.tanh(x[t_1] + h @ W)
            h_rows[t_1] = h_1
            h = h_1
        return h_rows
==> gw.py
# Written by gradus :export, with JAX.
import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_enable_x64", True)


def gw(x, W, h0):
    """grad(sum(rnn), W)

    x: f64[t, n]
    W: f64[n, n]
    h0: f64[n]
    """
    x = jnp.asarray(x, dtype=jnp.float64)
    W = jnp.asarray(W, dtype=jnp.float64)
    h0 = jnp.asarray(h0, dtype=jnp.float64)
    t = x.shape[0]
    n = x.shape[1]
    def step(carry, at):
        (h,) = carry
        (x_1,) = at
        h_1 = jnp.tanh(x_1 + h @ W)
        return (h_1,), (h, 1.0 - h_1 * h_1)

    (h,), (h_rows, one_minus_sqr_h_rows) = lax.scan(step, (h0,), (x[:t],), length=t)
    v = jnp.full((n,), 1.0)
    def step_1(carry, at):
        (carry_h,) = carry
        (one_minus_sqr_h,) = at
        v_1 = one_minus_sqr_h * (carry_h + v)
        return (W @ v_1,), (v_1,)

    (carry_h,), (y_rows,) = lax.scan(step_1, (jnp.full((n,), 0.0),), (one_minus_sqr_h_rows[:t],), length=t, reverse=True)
    return h_rows.T @ y_rows
==> root.py
# Written by gradus :export, with Numba.
import numba
import numpy as np
from numba import njit


@njit(error_model="numpy", boundscheck=True)
def root(a):
    """scan t for 50 from r = 1.0 { r[t] = (r[t-1] + a / r[t-1]) / 2; until abs(r[t] ^ 2 - a) < 1e-12 }

    a: f64
    """
    steps = 0
    stopped = False
    r = np.float64(1.0)
    r_rows = np.empty(50, dtype=np.float64)
    for t in range(50):
        r_1 = (r + a / r) / 2.0
        r_rows[t] = r_1
        stopped = np.abs(np.power(r_1, 2.0) - a) < 1e-12
        steps = t + 1
        r = r_1
        if stopped:
            break
    r_rows = r_rows[:steps]
    return r_rows
