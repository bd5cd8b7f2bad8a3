#!/usr/bin/env bash
# fuzz.sh [MINUTES]: each fuzzer of build/fuzz/tests, then each property test with new
# seeds, for MINUTES (default 10) in all.  A finding stops it; its input is kept in build/fuzz.
#
# A property test reads GRADUS_SEED (a number) and GRADUS_CASES (how many cases).
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

minutes=${1:-10}
shopt -s nullglob
fuzzers=()
for source in tests/fuzz/*.c; do
    program=build/fuzz/tests/$(basename "$source" .c)
    [[ ! -x $program ]] || fuzzers+=("$program")
done
props=()
for source in tests/prop/*.c; do
    program=build/tests/$(basename "$source" .c)
    if grep -q '^int main' "$source" && [[ -x $program ]]; then props+=("$program"); fi
done
total=$((${#fuzzers[@]} + ${#props[@]}))
[[ $total -gt 0 ]] || { echo 'nothing to fuzz'; exit 0; }
each=$((minutes * 60 / total + 1))

[[ ${#fuzzers[@]} -eq 0 ]] || bash tests/fuzz/seeds.sh "$PWD/build/gradus" build/fuzz/seeds || exit 70
for program in "${fuzzers[@]}"; do
    name=$(basename "$program")
    mkdir -p "build/fuzz/corpus/$name"
    seeds=()
    [[ ! -d build/fuzz/seeds/$name ]] || seeds=("build/fuzz/seeds/$name")
    echo "---- $name, $each s"
    "$program" -max_total_time="$each" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="build/fuzz/$name-" "build/fuzz/corpus/$name" "${seeds[@]}" || exit 1
done
for program in "${props[@]}"; do
    name=$(basename "$program")
    echo "---- $name, $each s"
    end=$((SECONDS + each))
    while [[ $SECONDS -lt $end ]]; do
        seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
        if ! GRADUS_SEED=$seed GRADUS_CASES=1000 "$program" >build/fuzz.log 2>&1; then
            grep -v -e '^\[ RUN ' -e '^\[       OK ' build/fuzz.log | tail -n 40
            echo "found: GRADUS_SEED=$seed GRADUS_CASES=1000 $program"
            exit 1
        fi
    done
done
echo 'nothing found'
