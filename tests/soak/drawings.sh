#!/usr/bin/env bash
# Drawings, figures of all that the examples define among them (make test draws an eighth of these).
cd "$(dirname "$0")/../.." || exit 70
exec /usr/bin/python3 tests/drawings.py
