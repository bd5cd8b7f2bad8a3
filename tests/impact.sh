#!/usr/bin/env bash
# `gradus impact` against brute force, on a few programs: impact.py.
cd "$(dirname "$0")/.." || exit 70
exec /usr/bin/python3 tests/impact.py
