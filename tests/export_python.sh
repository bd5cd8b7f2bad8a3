#!/usr/bin/env bash
# Exported Python computes what gradus computes: NumPy's programs (export_python.py; the others in soak).
cd "$(dirname "$0")/.." || exit 70
exec /usr/bin/python3 tests/export_python.py --targets numpy
