#!/usr/bin/env bash
# As tests/overflow.sh, on more random expressions.
cd "$(dirname "$0")/../.." || exit 70
exec /usr/bin/python3 tests/overflow.py --seed 2 --cases "${1:-25000}"
