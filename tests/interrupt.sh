#!/usr/bin/env bash
# ^C ends what runs, and the session goes on: a few cases of interrupt.py; all of them with make soak.
cd "$(dirname "$0")/.." || exit 70
exec /usr/bin/python3 tests/interrupt.py --short
