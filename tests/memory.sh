#!/usr/bin/env bash
# Programs that want more memory than they are allowed (ulimit -v, so the machine's size does not
# matter): each gives an error with the code "memory", exit status 1, and the session goes on.
# Takes no arguments; MEMORY_GRADUS names another program.  The last line:  N passed, N failed
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

gradus=${MEMORY_GRADUS:-$PWD/build/gradus}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder XDG_STATE_HOME=$folder HOME=$folder LC_ALL=C.UTF-8 TERM=dumb
export OPENBLAS_NUM_THREADS=1
cd "$folder" || exit 70
passed=0
failed=0

# limited NAME MB ARGUMENT...: then 6 * 7 must still be 42.
limited() {
    local name=$1 megabytes=$2 why=''
    shift 2
    (ulimit -v $((megabytes * 1024)) && exec timeout 60 "$gradus" --json "$@" -e '6 * 7') \
        >out 2>err </dev/null
    local status=$?
    [[ $status -eq 1 ]] || why="exit status $status"
    grep -q '"code":"memory"' out || why="$why no error with the code memory;"
    [[ $(grep -c '"kind":"error"' out) -eq 1 ]] || why="$why other errors, too;"
    [[ $(tail -n 1 out) == *'"value":42}' ]] || why="$why what follows does not run;"
    if [[ -z $why ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: %s\n' "$name" "$why"
        cut -c 1-200 out err | head -n 6 | sed 's/^/  /'
    fi
}

# items N FORMAT: a list of so many items.
items() { seq 1 "$1" | sed "s|.*|$2|" | paste -sd, ; }

limited 'a tensor' 2000 -e 'a : f64[1000000000]' -e 'sum(sort(arange(1000000000) * 0.5)[::3])'
limited 'a result' 2000 -e 'x = arange(100000) * 0.5' -e 'sum(exp(outer(x, x)) @ x)'
limited 'a trace' 2000 -e 'S = scan t for 1000000000 from s = 0.0 { s[t] = s[t-1] + t }' -e 'S[::2]'
GRADUS_NATIVE=on limited 'a trace of native code' 2000 -e 'S = scan t for 1000000000 from s = 0.0 { s[t] = s[t-1] + t }' -e 'S[::2]'
GRADUS_NATIVE=on limited 'a trace of too many steps' 2000 -e 'S = scan t for 1000000000000000000 from s = 0.5 { s[t] = s[t-1] / 2 }' -e 'S[::2]'
limited 'a size that overflows' 2000 -e 'x = zeros((4000000000, 4000000000))' -e 'max(cumsum(exp(x), axis=1))'
limited 'random numbers' 2000 -e 'x, r = normal(rng(1), (100000, 100000))' -e 'sum(x)'

printf 'x : f64 = 1\ny = [%s]\n' "$(items 250000 'x*&.5')" >graph.gr
limited 'a graph' 200 graph.gr
{
    printf 'x : f64 = 1\nf(v) = (%s)\n' "$(items 2000 'v*&.5')"
    printf 'y = [%s]\n' "$(items 300 'sum(stack(f(x+&)))')"
} >calls.gr
limited 'calls' 200 calls.gr
yes '# a line of a text that is too large' | head -c 200000000 >text.gr
limited 'a text' 200 text.gr
limited 'a text that is loaded' 200 -e ':load text.gr'

printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
