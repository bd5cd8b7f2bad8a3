# shows: torch.py jax.py
x : f64[3]
w : f64
S = scan t for 4 from s = x { s[t] = tanh(w * s[t-1]) }
L = sum(S.final ^ 2)
:export grad(L, [x, w]) torch.py to=torch grad=native
:export grad(w * grad(L, w), w) jax.py to=jax grad=native
---
==> torch.py
# Written by gradus :export, with PyTorch.
import torch

torch.set_default_dtype(torch.float64)


def varied(x):
    """A copy of x that derivatives are taken by."""
    x = x.clone()
    return x if x.requires_grad else x.requires_grad_()


def derivatives(value, by, again):
    """Of value by each of these; again: they will be differentiated, too."""
    found = [None] * len(by)
    if value.requires_grad:
        found = torch.autograd.grad(value, by, allow_unused=True, create_graph=again)
    return tuple(torch.zeros_like(x) if d is None else d for x, d in zip(by, found))


def torch_1(x, w):
    """grad(L, [x, w])

    x: f64[3]
    w: f64
    """
    x = torch.as_tensor(x, dtype=torch.float64)
    w = torch.as_tensor(w, dtype=torch.float64)

    def L(x_1, w_1):
        s = x_1
        for t in range(4):
            s_1 = torch.tanh(s * w_1)
            s = s_1
        L_1 = torch.sum(torch.pow(s, torch.tensor(2.0, dtype=torch.float64)), dim=(0,))
        return L_1

    x_2 = varied(x)
    w_2 = varied(w)
    value = L(x_2, w_2)
    d_x, d_w = derivatives(value, (x_2, w_2), False)
    return d_x, d_w
==> jax.py
# Written by gradus :export, with JAX.
import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_enable_x64", True)


def jax_1(x, w):
    """grad(w * grad(L, w), w)

    x: f64[3]
    w: f64
    """
    x = jnp.asarray(x, dtype=jnp.float64)
    w = jnp.asarray(w, dtype=jnp.float64)

    def loss(w_1, x_1):

        def L(w_2, x_2):
            def step(carry, at):
                (s,) = carry
                s_1 = jnp.tanh(s * w_2)
                return (s_1,), ()

            (s,), () = lax.scan(step, (x_2,), (), length=4)
            L_1 = jnp.sum(jnp.power(s, 2.0))
            return L_1

        (d_w,) = jax.grad(L, argnums=(0,))(w_1, x_1)
        return w_1 * d_w

    (d_w_1,) = jax.grad(loss, argnums=(0,))(w, x)
    return d_w_1
