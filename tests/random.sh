#!/usr/bin/env bash
# A few of the random programs of make soak: passes on against off, and native code (tests/soak/random_programs.py).
cd "$(dirname "$0")/.." || exit 70
exec /usr/bin/python3 tests/soak/random_programs.py --cases 100 --alone 5 --native 3
