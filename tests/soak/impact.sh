#!/usr/bin/env bash
# As tests/impact.sh, with 8 rules on 50 programs, and 300 programs in one call; `impact.sh 200` takes 200 of them.
cd "$(dirname "$0")/../.." || exit 70
exec /usr/bin/python3 tests/impact.py --seed 1000 --rules 8 --programs "${1:-50}" --timed 300
