#!/usr/bin/env bash
# ^C at random moments of all that may take long. Prints "N passed, N failed".
cd "$(dirname "$0")/../.." || exit 70
exec /usr/bin/python3 tests/interrupt.py --gradus "${1:-build/gradus}" --runs 2
