#!/usr/bin/env bash
# Runs the benchmarks: tests/bench/*.sh, then tests/bench/*.py.  Arguments select by word.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

status=0
for file in tests/bench/*.sh tests/bench/*.py; do
    [[ -e $file ]] || continue
    if [[ $# -gt 0 ]]; then
        hit=no
        for word in "$@"; do [[ $file != *"$word"* ]] || hit=yes; done
        [[ $hit == yes ]] || continue
    fi
    printf -- '---- %s\n' "$file"
    case $file in
    *.sh) bash "$file" ;;
    *.py) grep -q '__main__' "$file" && /usr/bin/python3 "$file" ;;
    esac || status=1
done
exit $status
