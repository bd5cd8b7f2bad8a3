#!/usr/bin/env bash
# What `:export` writes computes what gradus computes: NumPy's programs, and JAX's (tests/export.py).
cd "$(dirname "$0")/.." || exit 70
exec /usr/bin/python3 tests/export.py --targets numpy,jax
