#!/usr/bin/env bash
# What is drawn does not depend on time: the page of a graph of some hundred nodes has the same bytes alone, with all
# processors busy, and again.  Last line: N passed, N failed
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 70
gradus=$PWD/build/gradus
folder=$(mktemp -d)
busy=()
trap 'kill "${busy[@]}" 2>/dev/null; rm -rf "$folder"' EXIT
layers=24
{
    echo 'x : f64[8]'
    for ((i = 1; i <= layers; i++)); do echo "W$i : f64[8, 8]"; done
    echo 'h0 = x'
    for ((i = 1; i <= layers; i++)); do echo "h$i = tanh(W$i @ h$((i - 1)))"; done
    echo "loss = sum(h$layers ^ 2)"
    printf 'g = grad(loss, [W1'
    for ((i = 2; i <= layers; i++)); do printf ', W%d' "$i"; done
    echo '])'
} >"$folder/net.gr"

passed=0
failed=0
check() {
    if "${@:2}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
    fi
}
page() { "$gradus" "$folder/net.gr" -e ":explore g $folder/$1.html" && "$gradus" "$folder/net.gr" -e ":draw g $folder/$1.svg pass=fuse"; }

check 'a page and a drawing' page first
for ((i = 0; i < $(nproc); i++)); do
    (while :; do :; done) &
    busy+=($!)
done
check 'the same, with busy processors' bash -c "$(declare -f page); gradus=$gradus folder=$folder; page second"
kill "${busy[@]}" 2>/dev/null
check 'and once more' page third
for kind in html svg; do
    for other in second third; do
        check "$other.$kind has the same bytes" cmp "$folder/first.$kind" "$folder/$other.$kind"
    done
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
