#!/usr/bin/env bash
# The programs of the bench at tiny sizes, not timed: C, NumPy and both tiers of ours agree on every row, so that
# what is timed is one computation; a row that is wrong, or an engine that gives nothing, is told.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70
export XDG_CACHE_HOME
XDG_CACHE_HOME=$(mktemp -d) || exit 70
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT
python=/usr/bin/python3
$python tests/bench/bench.py --check >"$XDG_CACHE_HOME/said" 2>&1
status=$?
grep -v ' passed, ' "$XDG_CACHE_HOME/said"
read -r passed _ failed _ < <(grep ' passed, ' "$XDG_CACHE_HOME/said" || echo '0 passed, 1 failed')
[[ $status == 0 || $failed != 0 ]] || failed=1

# One that gives other values is found: the check itself is checked.
for engine in C Gradus; do
    if $python tests/bench/bench.py --check --spoil "$engine" logistic >"$XDG_CACHE_HOME/said" 2>&1 ||
        ! grep -q 'differ' "$XDG_CACHE_HOME/said"; then
        failed=$((failed + 1))
        printf 'a wrong value of %s is not told: %s\n' "$engine" "$(cat "$XDG_CACHE_HOME/said")"
    else
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
