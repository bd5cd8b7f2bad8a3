#!/usr/bin/env bash
# Drawings, figures of half of what the examples define among them (make test draws an eighth).
cd "$(dirname "$0")/../.." || exit 70
GRADUS_EFFORT=40 exec /usr/bin/python3 tests/drawings.py
