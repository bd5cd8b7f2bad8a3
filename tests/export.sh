#!/usr/bin/env bash
# :export: what is written, compiled and run, gives our own values (export.py); formulas (formulas.py); from a shell.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70
gradus=$PWD/build/gradus
work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

check() { # check WHAT COMMAND...
    local what=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: %s\n' "$what" "$(head -c 2000 "$work/out")"
    fi
}

check 'from a shell' "$gradus" export examples/powers_of_two.gr powers -o "$work/powers.c"
check 'nothing else is printed' test ! -s "$work/out"
check 'a function of that name' grep -q '^const char \*powers(double limit, double \*\*p_out' "$work/powers.c"
# Products by CBLAS give what loops give.
if echo 'int main(void) { return 0; }' | "${CC:-cc}" -xc - -lopenblas -o "$work/probe" 2>/dev/null; then
    printf '%s\n' 'A : f64[2, 3, 4] = reshape(f64(arange(24)), (2, 3, 4))' 'v : f64[4] = [1, -1, 2, 0.5]' \
        'p = (A @ A[0]'"'"', A @ v, f32(v) @ f32(A[1])'"'"', A[:, :, :0] @ zeros((0, 2)))' \
        ":export p $work/loops.c values=on" ":export p $work/blas.c values=yes blas=yes" >"$work/p.gr"
    check 'products by loops and by BLAS' "$gradus" "$work/p.gr"
    for way in loops blas; do
        check "products in C: $way" "${CC:-cc}" -std=c11 -o "$work/$way" "$work/$way.c" -lopenblas -lm
        "$work/$way" >"$work/$way.out"
    done
    check 'the file calls BLAS' grep -q cblas_dgemm "$work/blas.c"
    check 'BLAS gives the same products' cmp "$work/loops.out" "$work/blas.out"
else
    echo 'LEFT OUT: exported C was not linked with OpenBLAS, which is not installed'
fi
# refused STATUS WORD ARGUMENT...: gradus ends with that status and says the word.
refused() {
    local status=$1 word=$2
    shift 2
    "$gradus" "$@" 2>"$work/said"
    [[ $? == "$status" ]] && grep -q -- "$word" "$work/said"
}
check 'no file' refused 2 -o export examples/powers_of_two.gr powers
check 'no such name' refused 1 nothing export examples/powers_of_two.gr nothing -o "$work/n.c"
check 'no such program' refused 3 none.gr export "$work/none.gr" x -o "$work/n.c"

GRADUS_EFFORT=${GRADUS_EFFORT:-4} /usr/bin/python3 tests/export.py >"$work/compared" 2>&1
GRADUS_EFFORT=${GRADUS_EFFORT:-4} /usr/bin/python3 tests/formulas.py >>"$work/compared" 2>&1
/usr/bin/python3 tests/export_operators.py --share 1600 >>"$work/compared" 2>&1 || echo '0 passed, 1 failed' >>"$work/compared"
/usr/bin/python3 tests/export_names.py >>"$work/compared" 2>&1 || echo '0 passed, 1 failed' >>"$work/compared"
grep -v ' passed, ' "$work/compared"
while read -r p _ f _; do
    passed=$((passed + p))
    failed=$((failed + f))
done < <(grep ' passed, ' "$work/compared")
echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
