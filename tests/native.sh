#!/usr/bin/env bash
# The native tier.  native.py compares it with the virtual machine; here is what goes wrong on the way:
# no compiler, one that fails or hangs, a folder that cannot be written or that others can write, a
# library that is broken: the virtual machine runs, and one note says why.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70
gradus=$PWD/build/gradus
passed=0
failed=0
work=$(mktemp -d) || exit 70
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
unset CC GRADUS_CC

program='x = scan t for 1000 from x = 0.3 { x[t] = 3.7 * x[t-1] * (1 - x[t-1]) }
sum(x)
sum(x * 2)'
values=$(printf '%s\n' "$program" | GRADUS_NATIVE=off "$gradus" 2>&1)

# expect NAME WORD COMMAND...: the values, and one note with that word (none if it is empty).
expect() {
    local name=$1 word=$2 out notes
    shift 2
    out=$(printf '%s\n' "$program" | XDG_CACHE_HOME="$work/$name" env "$@" GRADUS_NATIVE=on "$gradus" 2>"$work/notes")
    notes=$(grep -c 'the virtual machine runs' "$work/notes")
    if [[ $out == "$values" ]] && { [[ -z $word && $notes == 0 ]] || { [[ $notes == 1 ]] && grep -q -- "$word" "$work/notes"; }; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: %s\n' "$name" "$out"
        cat "$work/notes"
    fi
}

kept() { find "$work/$1" -name '*.so' | wc -l; }

equal() { # equal WHAT A B
    if [[ $2 == "$3" ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: %s, not %s\n' "$1" "$2" "$3"
    fi
}

expect none 'no C compiler' GRADUS_CC="$work/missing"
expect false 'fails' GRADUS_CC=/bin/false
expect true 'cannot be loaded\|fails\|took too long' GRADUS_CC=/bin/true
printf '#!/bin/sh\nexec sleep 1000\n' >"$work/sleeper"
chmod +x "$work/sleeper"
expect hangs 'took too long' GRADUS_CC="$work/sleeper"
expect homeless 'no folder' -u XDG_CACHE_HOME -u HOME

mkdir -m 500 "$work/readonly"
if [[ ! -w $work/readonly ]]; then
    expect readonly 'no folder' A=
else
    echo 'LEFT OUT: everything can be written here'
fi
printf 'no folder' >"$work/file"
expect file 'no folder' A=
mkdir -p "$work/others/gradus/native"
chmod 777 "$work/others/gradus/native"
expect others 'written by others' A=

if command -v cc >/dev/null; then
    expect fine '' A=
    equal 'the loop of both is one library' "$(kept fine)" 1
    equal 'folder' "$(stat -c %a "$work/fine/gradus/native")" 700
    library=$(find "$work/fine" -name '*.so' | head -n 1)
    printf 'x' >>"$library"
    expect fine '' A=
    equal 'a broken library is made anew' "$(kept fine)" 1
    head -c 5000 "$library" >"$work/part"
    cp "$work/part" "$library"
    expect fine '' A=
    chmod 666 "$library"
    expect fine '' A=
    equal 'a library that others may write is made anew' "$(stat -c %a "$library")" 600
    equal 'temporary files' "$(find "$work/fine" -name 'new-*' | wc -l)" 0
    # An endless loop in native code ends with ^C.
    printf 'x = scan t from x = 0.3 { x[t] = 3.7 * x[t-1] * (1 - x[t-1]); until x[t] > 2 }\nx.final\n' >"$work/endless.gr"
    GRADUS_NATIVE=on XDG_CACHE_HOME="$work/fine" timeout --preserve-status -s INT 2 "$gradus" "$work/endless.gr" >/dev/null 2>&1
    equal 'interrupted' "$?" 130
else
    echo 'LEFT OUT: no C compiler'
fi

/usr/bin/python3 tests/native.py >"$work/compared" 2>&1
grep -v ' passed, ' "$work/compared"
while read -r p _ f _; do
    passed=$((passed + p))
    failed=$((failed + f))
done < <(grep ' passed, ' "$work/compared")

echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
