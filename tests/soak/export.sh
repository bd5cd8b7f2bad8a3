#!/usr/bin/env bash
# What `:export` writes computes what gradus computes: programs for PyTorch and Numba, where these are installed.
cd "$(dirname "$0")/../.." || exit 70
exec /usr/bin/python3 tests/export.py --targets torch,numba
