#!/usr/bin/env bash
# What default passes make of numbers at the ends of their range: overflow.py.
cd "$(dirname "$0")/.." || exit 70
exec /usr/bin/python3 tests/overflow.py --cases $((15 * ${GRADUS_EFFORT:-100}))
