#!/usr/bin/env bash
# Tuples of parameters against a name for each (tuples.py), on many models.
cd "$(dirname "$0")/../.." || exit 70
exec /usr/bin/python3 tests/tuples.py --cases 180 --exports 36 --seed 1000
