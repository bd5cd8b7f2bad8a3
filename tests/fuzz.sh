#!/usr/bin/env bash
# Runs each fuzzer of tests/fuzz: text of programs and of rules, token soup, .npy files, tables and archives. None may
# crash, hang, leak or leave the session unusable; the listing of a graph must read back as the same
# graph.
#
#   fuzz.sh [THOUSANDS [FOLDER]]   about so many thousand inputs in all (default 2; `make soak` takes more)
#
# The fuzzers of FOLDER (default build/tests; `make soak` takes those with the sanitizers).
# They make mutations of valid inputs, always the same ones. `make fuzz` runs for as long as you
# like and lets the coverage lead. Each fuzzer counts as one test; the last line: N passed, N failed
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

thousands=${1:-2}
gradus=$PWD/build/gradus
programs=$PWD/${2:-build/tests}
[[ -x $programs/fuzz_program ]] || { echo "no fuzzers in $programs: make fuzzers"; exit 70; }
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if "$programs/fuzz_npy" -cases=1 2>&1 | grep -q 'LeakSanitizer has encountered a fatal error'; then
    ASAN_OPTIONS=${ASAN_OPTIONS/detect_leaks=1/detect_leaks=0}
fi

bash tests/fuzz/seeds.sh "$gradus" "$folder" || exit 70

# ---- each fuzzer ----

passed=0
failed=0

# fuzz PERMILLE NAME FILE...: its part of the inputs; the limit on time is for what hangs
fuzz() {
    local cases=$((thousands * $1)) name=$2 last=build/tests/$2.input count
    shift 2
    if timeout 1500 "$programs/$name" -cases="$cases" -keep="$last" "$@" >"$folder/log" 2>&1 &&
        count=$(sed -n 's/^\([0-9]*\) passed, 0 failed$/\1/p' "$folder/log") && [[ ${count:-0} -gt 0 ]]; then
        passed=$((passed + 1))
        printf '%s: %d inputs\n' "$name" "$count"
        rm -f "$last"
    else
        failed=$((failed + 1))
        printf '%s failed on the input that is kept in %s:\n' "$name" "$last"
        head -c 600 "$last"
        printf '\n'
        tail -n 30 "$folder/log"
    fi
}

fuzz 350 fuzz_tokens
fuzz 350 fuzz_program "$folder"/fuzz_program/*
fuzz 150 fuzz_rules "$folder"/fuzz_rules/*
fuzz 100 fuzz_npy "$folder"/fuzz_npy/*
fuzz 50 fuzz_tables "$folder"/fuzz_tables/*

printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
