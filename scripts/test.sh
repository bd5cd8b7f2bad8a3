#!/usr/bin/env bash
# Runs every suite that is there, one line each, and ends with the sum:  N passed, N failed
#
#   unit, prop    build/tests/*         cmocka programs (their closing lines are counted)
#   golden        tests/golden.py       input --- expected
#   diff          tests/diff/*.py       against NumPy
#   NAME          tests/NAME.sh         any other script of tests/
#   repl          tests/repl/pty.py     the prompt, in a pseudo-terminal
#   asan ...      unit, prop and golden with the sanitizers
#   tidy          that all these left nothing at the top level
#
# A script reports by a last line "N passed, N failed".  A suite that ends badly
# without a count counts as one failure.  Arguments select suites by name: test.sh golden repl
# Each suite's output is kept in build/tests/logs, its counts in build/tests/NAME.count.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

python=/usr/bin/python3
build=build/tests
logs=$build/logs
rm -rf "$logs"
mkdir -p "$logs"
rm -f "$build"/*.count
jobs=$(nproc 2>/dev/null || echo 2)
passed=0
failed=0

# Golden files and messages must not depend on where the tests run.
export LC_ALL=C.UTF-8 TZ=UTC TERM=dumb
unset NO_COLOR MAKEFLAGS MAKELEVEL
top=$(ls -A)

# counts LOG STATUS: "passed failed" of one program's output.
counts() {
    awk -v status="$2" '
        /^[0-9]+ passed, [0-9]+ failed$/           { said = 1; sp = $1; sf = $3 }
        /^\[  PASSED  \] [0-9]+ test/              { p += $4 }
        /^\[  FAILED  \] [0-9]+ test/              { f += $4 }
        END { if (said) { p = sp; f = sf }
              if (status != 0 && f == 0) f = 1
              if (status == 0 && p + f == 0 && !said) f = 1    # said nothing: it tested nothing
              print p + 0, f + 0 }' "$1"
}

# run NAME COMMAND...: one program, its log and its count.
run() {
    local name=$1 status
    shift
    timeout -k 5 600 "$@" >"$logs/$name.log" 2>&1 </dev/null
    status=$?
    [[ $status -ne 124 ]] || echo "timed out after 600 s" >>"$logs/$name.log"
    counts "$logs/$name.log" "$status" >"$build/$name.count"
}

# suite NAME: adds up the counts NAME--*.count, prints the line, shows the logs of what failed.
suite() {
    local name=$1 started=$2 file p f sp=0 sf=0
    for file in "$build/$name"--*.count; do
        [[ -e $file ]] || return
        read -r p f <"$file"
        sp=$((sp + p))
        sf=$((sf + f))
    done
    printf '%-14s %5d passed, %d failed  (%d s)\n' "$name" "$sp" "$sf" $((SECONDS - started))
    if [[ $sf -gt 0 ]]; then
        for file in "$build/$name"--*.count; do
            read -r p f <"$file"
            [[ $f -gt 0 ]] || continue
            file=$logs/$(basename "$file" .count).log
            printf -- '---- %s\n' "$file"
            grep -v -e '^\[ RUN ' -e '^\[       OK ' -e '^\[====' "$file" | tail -n 60
            printf -- '----\n'
        done
    fi
    # A suite that cannot run here says so.
    grep -h '^LEFT OUT' "$logs/$name"--*.log 2>/dev/null
    passed=$((passed + sp))
    failed=$((failed + sf))
}

selection=("$@")
wanted() {
    local word
    [[ ${#selection[@]} -gt 0 ]] || return 0
    for word in "${selection[@]}"; do [[ $1 != "$word" ]] || return 0; done
    return 1
}

# programs SUITE FOLDER SOURCE...: the cmocka programs built from these sources, some at a time.
programs() {
    local name=$1 folder=$2 started=$SECONDS source base running=0
    shift 2
    wanted "$name" || return 0
    for source in "$@"; do
        grep -qs '^int main' "$source" || continue
        base=$(basename "$source" .c)
        run "$name--$base" "$folder/$base" &
        running=$((running + 1))
        if [[ $running -ge $jobs ]]; then
            wait -n
            running=$((running - 1))
        fi
    done
    wait
    suite "$name" "$started"
}

# script SUITE NAME COMMAND...
script() {
    local name=$1 part=$2 started=$SECONDS
    shift 2
    wanted "$name" || return 0
    run "$name--$part" "$@"
    suite "$name" "$started"
}

programs unit "$build" tests/unit/*.c
programs prop "$build" tests/prop/*.c
if [[ -x build/gradus ]]; then
    script golden all "$python" tests/golden.py --gradus build/gradus
    if wanted diff; then
        started=$SECONDS
        for file in tests/diff/*.py; do
            # A file without a main part is a helper.
            grep -qs '__main__' "$file" && run "diff--$(basename "$file" .py)" "$python" "$file"
        done
        suite diff "$started"
    fi
    for file in tests/*.sh; do
        [[ -e $file ]] && script "$(basename "$file" .sh)" all bash "$file"
    done
    [[ ! -e tests/repl/pty.py ]] || script repl pty "$python" tests/repl/pty.py
fi

# The same under the sanitizers.  Leaks are found unless something (ptrace) forbids looking.
export UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:allocator_may_return_null=1
if [[ -x build/asan/gradus ]] &&
    build/asan/gradus --version 2>&1 </dev/null | grep -q 'LeakSanitizer has encountered a fatal error'; then
    ASAN_OPTIONS=${ASAN_OPTIONS/detect_leaks=1/detect_leaks=0}
    echo 'asan: leaks cannot be looked for here'
fi
programs asan-unit build/asan/tests tests/unit/*.c
programs asan-prop build/asan/tests tests/prop/*.c
[[ ! -x build/asan/gradus ]] ||
    script asan-golden all "$python" tests/golden.py --gradus build/asan/gradus --timeout 120

# left_behind: what stands beside the Makefile that did not before.
left_behind() {
    local new
    new=$(comm -13 <(printf '%s\n' "$top") <(ls -A))
    if [[ -z $new ]]; then
        echo '1 passed, 0 failed'
    else
        printf 'the tests left behind: %s\n0 passed, 1 failed\n' "${new//$'\n'/ }"
    fi
}
export top
export -f left_behind
script tidy all bash -c left_behind

printf '%d passed, %d failed\n' "$passed" "$failed" | tee "$build/total.count"
[[ $failed -eq 0 ]]
