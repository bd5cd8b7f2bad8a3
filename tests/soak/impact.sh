#!/usr/bin/env bash
# As tests/impact.sh, with 20 rules on 200 programs, and 1,000 programs within a minute.
cd "$(dirname "$0")/../.." || exit 70
exec /usr/bin/python3 tests/impact.py --seed 1000 --rules 8 --programs "${1:-50}" --timed 300
