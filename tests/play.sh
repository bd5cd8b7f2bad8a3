#!/bin/sh
# Frames of :play, as text and in its page, against what :trace tells. Prints "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 70
export PYTHONDONTWRITEBYTECODE=1
exec "${PYTHON:-/usr/bin/python3}" tests/play_truth.py "${1:-build/gradus}"
