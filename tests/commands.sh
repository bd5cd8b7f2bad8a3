#!/bin/sh
# Every command and option of the table, misused. Prints "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 70
export PYTHONDONTWRITEBYTECODE=1
exec "${PYTHON:-/usr/bin/python3}" tests/commands.py "${1:-build/gradus}"
