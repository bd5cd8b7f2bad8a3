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
    [[ $1 == unshare ]] || set -- "$@" "$gradus"
    out=$(printf '%s\n' "$program" | XDG_CACHE_HOME="$work/$name" GRADUS_NATIVE=on env "$@" 2>"$work/notes")
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
expect homeless 'no directory' -u XDG_CACHE_HOME -u HOME

# A compilation that is killed leaves its files; the next one takes them away.
left() { find "$work/killed" -name 'new-*' 2>/dev/null | wc -l; }
printf '#!/bin/sh\nexec sleep 3\n' >"$work/slow"
chmod +x "$work/slow"
printf '%s\n' "$program" >"$work/killed.gr"
XDG_CACHE_HOME="$work/killed" GRADUS_NATIVE=on GRADUS_CC="$work/slow" "$gradus" "$work/killed.gr" >/dev/null 2>&1 &
for _ in {1..100}; do
    [[ $(left) == 0 ]] || break
    sleep 0.05
done
kill -KILL $!
wait $! 2>/dev/null
equal 'left by a compilation that was killed' "$(left)" 1
touch "$work/killed/gradus/native/new-old.so"
expect killed '' A=
equal 'and swept away by the next' "$(left)" 0

# mounted NAME WORD MOUNT...: the same where the folder $XDG_CACHE_HOME is mounted so, seen by this process alone.
mounted() {
    local name=$1 word=$2
    shift 2
    mkdir -p "$work/$name"
    # shellcheck disable=SC2016
    expect "$name" "$word" unshare -rm sh -c 'program=$1; shift; "$@" >&2 && exec "$program"' sh "$gradus" "$@"
}

if unshare -rm mount -t tmpfs none /mnt 2>/dev/null; then
    can_mount=yes
    mounted readonly 'cannot create the directory.*Read-only' mount -t tmpfs -o ro none "$work/readonly"
    mounted full 'cannot write\|no space left' mount -t tmpfs -o size=4k,nr_inodes=64 none "$work/full"
    mounted nearly_full 'cannot write\|no space left' mount -t tmpfs -o size=16k none "$work/nearly_full"
    mounted no_inodes 'cannot create the directory\|cannot write' mount -t tmpfs -o nr_inodes=3 none "$work/no_inodes"
else
    can_mount=
    echo 'LEFT OUT: folders that are full or cannot be written (nothing can be mounted here)'
fi
printf 'no folder' >"$work/file"
expect file 'cannot create the directory' A=
mkdir -p "$work/others/gradus/native"
chmod 777 "$work/others/gradus/native"
expect others 'writable by other users' A=

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
    if [[ $(id -u) == 0 ]]; then
        chown 65534 "$library"
        expect fine '' A=
        equal 'a library of somebody else is made anew' "$(stat -c %u "$library")" 0
        chown 65534 "$work/fine/gradus/native"
        expect fine 'belongs to another user' A=
        chown 0 "$work/fine/gradus/native"
    else
        echo 'LEFT OUT: files of somebody else (only root can make some)'
    fi
    rm "$library"
    ln -s "$work/part" "$library"
    expect fine '' A=
    equal 'a link is no library' "$(find "$library" -type f)" "$library"
    if [[ -n $can_mount ]] && grep -q '^flags' /proc/cpuinfo; then
        sed 's/^\(flags.*\)/\1 another/' /proc/cpuinfo >"$work/cpuinfo"
        mounted fine '' mount --bind "$work/cpuinfo" /proc/cpuinfo
        equal 'another processor has a library of its own' "$(kept fine)" 2
        mounted fine '' mount --bind "$work/cpuinfo" /proc/cpuinfo
        equal 'and finds it again' "$(kept fine)" 2
    else
        echo 'LEFT OUT: another processor'
    fi
    before=$(kept fine)
    expect fine '' CC='cc -O1'
    equal 'another compiler, too' "$(kept fine)" "$((before + 1))"
    equal 'temporary files' "$(find "$work/fine" -name 'new-*' | wc -l)" 0
    # What has no end ends with ^C, in native code, too; it would be killed after a minute.
    while IFS= read -r endless; do
        printf '%b\n' "$endless" >"$work/endless.gr"
        GRADUS_NATIVE=on XDG_CACHE_HOME="$work/fine" timeout -k 60 --preserve-status -s INT 2 "$gradus" "$work/endless.gr" >"$work/out" 2>&1
        equal "interrupted: $endless" "$? $(grep -c 'error: interrupted' "$work/out")" '130 1'
    done <<'END'
x = scan t from x = 0.3 { x[t] = 3.7 * x[t-1] * (1 - x[t-1]); until x[t] > 2 }\nx.final
x = scan t for 1000000000000000000 from x = 0.3 { x[t] = 3.7 * x[t-1] * (1 - x[t-1]) }\nx.final
y = scan i from s = 0.0 { I = scan t for 100000000000 from x = 0.3 { x[t] = 3.7 * x[t-1] }\n s[i] = s[i-1]+I.final; until s[i] < -1 }\ny.final
v : f64[1000] = ones(1000)\ny = scan i for 1000000000000000000 from s = v { s[i] = s[i-1] * v }\nsum(y.final)
v = zeros(100000)\ny = scan i from s = v { s[i] = tanh(s[i-1]) + 1; until s[i][0] < -1 }\nsum(y.final)
y = scan i from s = rng(1) { x[i], s[i] = normal(s[i-1], (2000000,)); until x[i][0] > 1000 }\ny.final
END
else
    echo 'LEFT OUT: no C compiler'
fi

GRADUS_EFFORT=${GRADUS_EFFORT:-20} /usr/bin/python3 tests/native.py >"$work/compared" 2>&1
grep -v ' passed, ' "$work/compared"
while read -r p _ f _; do
    passed=$((passed + p))
    failed=$((failed + f))
done < <(grep ' passed, ' "$work/compared")

echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
