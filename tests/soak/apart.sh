#!/usr/bin/env bash
# All cases of tests/diff/apart.py: stable forms with something between their halves.
set -u
cd "$(dirname "$0")/../.." || exit 70
exec /usr/bin/python3 tests/diff/apart.py --all
