#!/usr/bin/env bash
# How much of what :discover finds is proved (discover.py).
cd "$(dirname "$0")/../.." || exit 70
exec /usr/bin/python3 tests/discover.py
