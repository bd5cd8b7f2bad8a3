#!/usr/bin/env bash
# Bad input of every kind: each gives an error that names its place, the right exit status, in
# bounded time and memory, and leaves the session usable (6 * 7 is still 42 afterwards).
# Takes no arguments; BAD_GRADUS names another program.  The last line:  N passed, N failed
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

gradus=${BAD_GRADUS:-$PWD/build/gradus}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder XDG_STATE_HOME=$folder HOME=$folder LC_ALL=C.UTF-8 TERM=dumb
unset NO_COLOR
cd "$folder" || exit 70
passed=0
failed=0

run() {
    (ulimit -v 4194304 && exec timeout 10 "$gradus" "$@") >out 2>err </dev/null
    status=$?
}

# judge NAME PLACE USABLE: of the last run; PLACE is what the message must mention.
judge() {
    local why=''
    case $status in
        1 | 3) ;;
        0) why='no error' ;;
        124) why='too slow' ;;
        *) why="exit status $status" ;;
    esac
    if [[ -z $why && ! -s err ]]; then why='nothing on stderr'; fi
    if [[ -z $why ]] && ! grep -qF -- "$2" err; then why="the message does not name $2"; fi
    if [[ -z $why ]] && grep -q 'internal error' err; then why='an internal error'; fi
    if [[ -z $why && -n $3 && $(tail -n 1 out) != 'i64 = 42' ]]; then why='what follows does not run'; fi
    if [[ -z $why ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %.100s: %s\n' "$1" "$why"
        head -n 4 err | cut -c 1-200 | sed 's/^/  /'
    fi
}

bad_line() {
    run -e "$1" -e '6 * 7'
    judge "$1" '-e 1:' usable
}

# bad_file NAME: the file, then a good statement.
bad_file() {
    run "$1" -e '6 * 7'
    judge "$1" "$1" usable
}

# ---- statements ----

while IFS= read -r line; do
    [[ -z $line || $line == '#'* ]] || bad_line "$line"
done <<'LINES'
# sizes
zeros((1000000000, 1000000000))
zeros(10^18)
zeros(2^62)
zeros((2^32, 2^32))
zeros(-1)
zeros((1, 1, 1, 1, 1, 1, 1, 1, 1))
arange(10^18)
arange(0, 1, 1e-18)
arange(0, nan, 1.0)
arange(0, 10, 0)
arange(-9223372036854775807, 9223372036854775807, 1)
linspace(0, 1, 10^18)
eye(10^10)
reshape(arange(6), (4, 2))
reshape(arange(6), (-1, -1))
reshape(arange(6), (4294967296, 4294967296))
expand_dims(ones((1, 1, 1, 1, 1, 1, 1, 1)), 0)
split(rng(1), 10^15)
uniform(rng(1), 10^18)
x : f64[-1] = []
x : f64[99999999999999999999] = 1
x : f64[n*9223372036854775807+9223372036854775807] = [1, 2]
x : f64[(a+b)*(c+d)*(e+f)*(g+h)*(i+j)*(k+l)*(m+n)*(o+p)*(q+r)*(s+t)] = 1
x : f64[n, n] = [[1, 2]]
# numbers
99999999999999999999
1 // 0
i32(1) % i32(0)
2 ^ -1
0 ^ -1
1e
[1, 2, 3][9223372036854775807]
[1, 2, 3][1:2:0]
[1, 2] with [5] = 1
# values of the wrong kind
"abc" + 1
-"abc"
sin + 1
sin(sin)
grad("abc", 1)
sum((1, 2))
[[1, 2], [3]]
[1, "a"]
if 3 then 1 else 2
if true then 1 else rng(1)
1 < 2 < 3
x : i64 = 1.5
x : f64 = (1, 2)
repeat 1.5 { w := 1 }
repeat "a" { w := 1 }
y, z := 1
in alt { x := 3 }
# functions
f(x) = f(x); f(1)
f(x) = g(x); g(x) = f(x); f(1)
f(f) = f(f); f(f)
w = x -> x(x); w(w)
f(x, x) = x; f(1, 2)
f(x, y=f(1)) = x + y; f(1)
f(x) = x; f(1, x=1)
# scans
scan t { }
scan t for 5 { }
scan t { x[t] = 3 }
scan t for 1.5 { x[t] = t }
k : i64 = -5; scan t for k { x[t] = t }
scan t over 5 { x[t] = t }
scan t for 3 from s = 0 { s[t] = s[t-0] }
scan t for 3 from s = 0 { s[t] = s[t-1000000] }
scan t for 3 from s = 0 { s[t] = s[t-9999999999999999999999] }
scan t for 3 from s = 0 { s[t] = s[t-1] + s[t+1] }
scan t for 3 from s = 0, s = 1 { s[t] = s[t-1] }
scan t for 3 from s = 0 { s[t] = s[t-1]; until [true, false] }
scan t for 3 from s = 0 { s[t] = [s[t-1], 1] }
scan t for 3 using q { s[t] = 1 }
scan t for 10^15 { s[t] = t }
S = scan t for 0 from s = 0 { s[t] = s[t-1] }; S[-1]
# derivatives
x : f64 = 1; grad(2, x)
x : f64[2] = [1, 2]; grad(x, x)
k : i64 = 1; grad(k * 1.0, k)
x : f64 = 1; vjp(x, x, [1, 2])
vmap(5)(1)
# syntax
((((
))))
]
{
"abc
x =
3 = x
f(1) = 3
@
é
# commands
:draw
:draw 1 /nonexistent/x.svg
:steps )
:set allow Q
:set memory -1
:why %99999
:why %99999999999999999999999
:load /
:load missing.gr
:load "
:save /nonexistent/x.gr
:graph 1 step=99999999999999999999
:time nope
:nosuch
load("missing.npy")
save(1, "/nonexistent/x.npy")
LINES

# ---- files ----

head -c 20000 /dev/urandom >garbage.gr
bad_file garbage.gr
printf 'x = 1\0\0 2\n' >nul.gr
bad_file nul.gr
printf 'x = \xff\xfe\xc3(\n' >utf8.gr
bad_file utf8.gr
printf 'x = "\xed\xa0\x80"\nnope\n' >surrogate.gr
bad_file surrogate.gr
{ printf 'x = nope + '; head -c 10485760 /dev/zero | tr '\0' 1; } >line.gr
bad_file line.gr
{ printf 'x = ['; yes '1, ' | head -n 3000000 | tr -d '\n'; } >open.gr
bad_file open.gr
for pair in '()' '[]' '{}'; do
    { head -c 10000 /dev/zero | tr '\0' "${pair:0:1}"; printf 1; head -c 10000 /dev/zero | tr '\0' "${pair:1}"; } >deep.gr
    bad_file deep.gr
done
{ printf 'x : f64 = 1\ny = x'; yes ' + x' | head -n 100000 | tr -d '\n'; } >long.gr
bad_file long.gr
{ printf 'x = '; yes -- '-' | head -n 10000 | tr -d '\n'; printf '1\n'; } >minus.gr
bad_file minus.gr
{ printf 'f0(x) = x\n'; for i in {1..40}; do printf 'f%d(x) = f%d(x) * f%d(x)\n' "$i" $((i - 1)) $((i - 1)); done; printf 'f40(1.0)\n'; } >double.gr
bad_file double.gr
bad_file missing.gr
bad_file /
printf ':load again.gr\n' >again.gr
bad_file again.gr
printf '\x93NUMPY\x01\x00\xff\xff{' >short.npy
bad_line 'load("short.npy")'
printf '\x93NUMPY\x01\x00\x46\x00%-69s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976,)}" >huge.npy
bad_line 'load("huge.npy")'

# Nothing wrong with these.
: >empty.gr
run empty.gr -e '6 * 7'
status=$((status == 0 ? 1 : 99))
printf 'empty.gr is fine\n' >>err
judge empty.gr empty.gr usable

# A loop without end can be interrupted. --foreground: one signal, as from ^C; a second one would kill.
(ulimit -v 4194304 && exec timeout --foreground -s INT 2 "$gradus" -e 'S = scan t for 10^15 from s = 0.0 { s[t] = s[t-1] + 1 }; S.final') >out 2>err </dev/null
grep -q interrupted err && status=1
judge 'an endless loop, interrupted' '-e 1:' ''

printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
