#!/usr/bin/env bash
# Runs every suite that is there, one line each, and ends with the sum:  N passed, N failed
#
#   test.sh [SUITE...]          the tests (make test), some minutes
#   test.sh --soak [SUITE...]   what needs longer (make soak): with the sanitizers, and on more cases
#
#   unit, prop    build/tests/*         cmocka programs (their closing lines are counted)
#   golden        tests/golden.py       input --- expected
#   diff          tests/diff/*.py       against NumPy
#   NAME          tests/NAME.sh         any other script of tests/
#   repl          tests/repl/pty.py     the prompt, in a pseudo-terminal
#   screen        tests/screen/screen.py  what a terminal shows, against goldens
#   tidy          that all these left nothing at the top level
#   asan-...      unit, prop, golden and native with the sanitizers, properties on fewer cases; with --soak only
#   soak-NAME     tests/soak/NAME.*     with --soak only
#
# All jobs of all suites share the processors, the longest first. How many cases a property is tried on
# is a number (GRADUS_EFFORT, in percent; tests/effort.h), never a time, so a busy machine tests the same.
#
# A script reports by a last line "N passed, N failed".  A suite that ends badly without a count counts as
# one failure; a line LEFT OUT tells what could not run here.  Each job's output is kept in
# build/tests/logs, its counts in build/tests/NAME.count.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

soak=
if [[ ${1:-} == --soak ]]; then
    soak=1
    shift
fi
selection=("$@")
python=/usr/bin/python3
build=build/tests
logs=$build/logs${soak:+/soak}
counts=$build${soak:+/soak}
rm -rf "$logs"
mkdir -p "$logs" "$counts"
rm -f "$counts"/*.count
workers=$(nproc 2>/dev/null || echo 2)
passed=0
failed=0

# Golden files and messages must not depend on where the tests run.
export LC_ALL=C.UTF-8 TZ=UTC TERM=dumb
unset NO_COLOR MAKEFLAGS MAKELEVEL
top=$(ls -A)

# count_of LOG STATUS: "passed failed" of one program's output.
count_of() {
    awk -v status="$2" '
        /^[0-9]+ passed, [0-9]+ failed$/           { said = 1; sp = $1; sf = $3 }
        /^\[  PASSED  \] [0-9]+ test/              { p += $4 }
        /^\[  FAILED  \] [0-9]+ test/              { f += $4 }
        END { if (said) { p = sp; f = sf }
              if (status != 0 && f == 0) f = 1
              if (status == 0 && p + f == 0 && !said) f = 1    # said nothing: it tested nothing
              print p + 0, f + 0 }' "$1"
}

# run NAME COMMAND...: one program, its log, its count, the processor time it took.  The limit is for what hangs.
run() {
    local name=$1 status TIMEFORMAT='%U %S'
    shift
    { time timeout -k 5 1700 "$@" >"$logs/$name.log" 2>&1 </dev/null; } 2>"$logs/$name.time"
    status=$?
    [[ $status -ne 124 ]] || echo "timed out" >>"$logs/$name.log"
    count_of "$logs/$name.log" "$status" >"$counts/$name.count.new"
    mv "$counts/$name.count.new" "$counts/$name.count"
}

# ---- jobs ----

suites=() # in the order of the first job of each
names=()
commands=()
declare -A open # suite -> jobs that have not ended

wanted() {
    local word
    [[ ${#selection[@]} -gt 0 ]] || return 0
    for word in "${selection[@]}"; do [[ $1 != "$word" ]] || return 0; done
    return 1
}

# job SUITE PART COMMAND...
job() {
    local name=$1 part=$2
    shift 2
    wanted "$name" || return 0
    [[ -n ${open[$name]:-} ]] || suites+=("$name")
    open[$name]=$((${open[$name]:-0} + 1))
    names+=("$name--$part")
    commands+=("$(printf '%q ' "$@")")
}

# programs SUITE FOLDER EFFORT SOURCE...: the cmocka programs built from these sources
programs() {
    local name=$1 folder=$2 effort=$3 source base
    shift 3
    for source in "$@"; do
        grep -qs '^int main' "$source" || continue
        base=$(basename "$source" .c)
        job "$name" "$base" env GRADUS_EFFORT="${GRADUS_EFFORT:-$effort}" "$folder/$base"
    done
}

# finish SUITE: its line, and the logs of what failed.
finish() {
    local name=$1 file p f sp=0 sf=0 work
    for file in "$counts/$name"--*.count; do
        read -r p f <"$file"
        sp=$((sp + p))
        sf=$((sf + f))
    done
    work=$(awk '{ s += $1 + $2 } END { printf "%.0f", s }' "$logs/$name"--*.time)
    printf '%-14s %5d passed, %d failed  (%s s of work)\n' "$name" "$sp" "$sf" "$work"
    if [[ $sf -gt 0 ]]; then
        for file in "$counts/$name"--*.count; do
            read -r p f <"$file"
            [[ $f -gt 0 ]] || continue
            file=$logs/$(basename "$file" .count).log
            printf -- '---- %s\n' "$file"
            grep -v -e '^\[ RUN ' -e '^\[       OK ' -e '^\[====' "$file" | tail -n 60
            printf -- '----\n'
        done
    fi
    grep -h '^LEFT OUT' "$logs/$name"--*.log 2>/dev/null
    passed=$((passed + sp))
    failed=$((failed + sf))
}

# ended: prints the suites of which all jobs have ended since.
ended() {
    local name file n
    for name in "${suites[@]}"; do
        [[ ${open[$name]} -gt 0 ]] || continue
        n=0
        for file in "$counts/$name"--*.count; do [[ ! -e $file ]] || n=$((n + 1)); done
        if [[ $n -eq ${open[$name]} ]]; then
            open[$name]=0
            finish "$name"
        fi
    done
}

work_off() {
    local i running=0
    for i in "${!names[@]}"; do
        eval "run ${names[i]} ${commands[i]}" &
        running=$((running + 1))
        if [[ $running -ge $workers ]]; then
            wait -n
            running=$((running - 1))
            ended
        fi
    done
    wait
    ended
}

# ---- what there is, the longest first ----

# With the sanitizers.  Leaks are found unless something (ptrace) forbids looking.
export UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:allocator_may_return_null=1
asan=
if [[ -x build/asan/gradus ]]; then
    asan=build/asan/tests
    if build/asan/gradus --version 2>&1 </dev/null | grep -q 'LeakSanitizer has encountered a fatal error'; then
        ASAN_OPTIONS=${ASAN_OPTIONS/detect_leaks=1/detect_leaks=0}
        echo 'asan: leaks cannot be looked for here'
    fi
fi

add_tests() {
    local file
    programs prop "$build" 6 tests/prop/*.c
    if [[ -x build/gradus ]]; then
        for file in tests/*.sh; do
            [[ -e $file ]] && job "$(basename "$file" .sh)" all bash "$file"
        done
        for file in tests/diff/*.py; do
            # A file without a main part is a helper.
            ! grep -qs '__main__' "$file" || job diff "$(basename "$file" .py)" "$python" "$file"
        done
    fi
    programs unit "$build" 100 tests/unit/*.c
    # The functions of narrower processors.
    for name in avx2 base; do
        [[ ! -x $build/test_kernels ]] || job unit "test_kernels-$name" env GRADUS_KERNELS="$name" "$build/test_kernels"
    done
    if [[ -x build/gradus ]]; then
        job golden all "$python" tests/golden.py --gradus build/gradus --timeout 600
        [[ ! -e tests/repl/pty.py ]] || job repl pty "$python" tests/repl/pty.py
        [[ ! -e tests/screen/screen.py ]] || job screen all "$python" tests/screen/screen.py
        job repl images "$python" tests/images.py
        job output all "$python" tests/output.py
        job boxes all "$python" tests/boxes.py --share 4
    fi
}

add_soak() {
    local file name
    for file in tests/soak/*; do
        name=soak-$(basename "${file%.*}")
        case $file in
        *.sh) job "$name" all bash "$file" ;;
        *.py) ! grep -qs '__main__' "$file" || job "$name" all "$python" "$file" ;;
        esac
    done
    [[ -z $asan ]] || programs asan-prop "$asan" 5 tests/prop/*.c
    [[ -z $asan ]] || programs asan-unit "$asan" 25 tests/unit/*.c
    [[ -z $asan ]] || job asan-golden all "$python" tests/golden.py --gradus build/asan/gradus --timeout 600
    [[ -z $asan ]] || job asan-native all env GRADUS_EFFORT=20 "$python" tests/native.py --gradus build/asan/gradus --timeout 600
    programs prop "$build" 20 tests/prop/*.c
    job soak-boxes all "$python" tests/boxes.py
    # What is not reachable is freed after each statement: nothing may refer to it.
    job soak-golden collected env GRADUS_COLLECT_EVERY=1 "$python" tests/golden.py --gradus build/gradus --timeout 600
    # As on narrower processors; each takes another third of the programs.
    job soak-native avx2 env GRADUS_KERNELS=avx2 GRADUS_EFFORT=33 GRADUS_SEED=0 "$python" tests/native.py
    job soak-native base env GRADUS_KERNELS=base GRADUS_EFFORT=33 GRADUS_SEED=1 "$python" tests/native.py
}

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

if [[ -n $soak ]]; then add_soak; else add_tests; fi
work_off
names=()
commands=()
job tidy all bash -c left_behind
work_off

printf '%d passed, %d failed\n' "$passed" "$failed" | tee "$counts/total.count"
[[ $failed -eq 0 ]]
