#!/usr/bin/env bash
# The English of pages, messages and help texts (words.py).
cd "$(dirname "$0")/.." || exit 70
exec /usr/bin/python3 tests/words.py
