#!/usr/bin/env bash
# The program from outside: options, order, exit status, streams, JSON.
# Takes no arguments.  The last line:  N passed, N failed
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

gradus=$PWD/build/gradus root=$PWD
python=/usr/bin/python3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder XDG_STATE_HOME=$folder HOME=$folder LC_ALL=C.UTF-8 TERM=dumb
unset NO_COLOR
cd "$folder" || exit 70
passed=0
failed=0

# check NAME CONDITION...: counts; tells what the last run gave if it fails.
check() {
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s\n  status %s\n' "$name" "$status"
        sed 's/^/  out: /' out | head -n 20
        sed 's/^/  err: /' err | head -n 20
    fi
}

# run ARGUMENT...: the program without input; out, err, $status.
run() {
    "$gradus" "$@" >out 2>err </dev/null
    status=$?
}

# feed TEXT ARGUMENT...: the same with TEXT on stdin.
feed() {
    local text=$1
    shift
    printf '%b' "$text" | "$gradus" "$@" >out 2>err
    status=${PIPESTATUS[1]}
}

is() { [[ $status -eq $1 ]]; }
out_is() { [[ $(<out) == "$1" ]]; }
out_has() { grep -qF -- "$1" out; }
err_has() { grep -qF -- "$1" err; }
out_empty() { [[ ! -s out ]]; }
err_empty() { [[ ! -s err ]]; }

# json EXPRESSION: true if every line of out is an object and the Python expression over `rows` holds.
json() {
    "$python" - "$1" <<'PY'
import json, sys
rows = [json.loads(line, parse_constant=lambda c: sys.exit(f"not JSON: {c}")) for line in open("out", encoding="utf-8")]
assert all(isinstance(row, dict) for row in rows)
sys.exit(0 if eval(sys.argv[1]) else f"{sys.argv[1]} does not hold for {rows}")
PY
}

# ---- options ----
run --version
check version is 0
check 'version: text' out_has 'gradus 0.'
run --help
check help is 0
for option in -e -i --json --color --no-init --version -o --check 'gradus test' 'gradus weave'; do check "help: $option" out_has "$option"; done
run --nonsense
check 'unknown option' is 2
check 'unknown option: on stderr' err_has 'nonsense'
check 'unknown option: nothing on stdout' out_empty
run -e
check '-e without a statement' is 2
run --color=pink -e 1
check 'a wrong colour' is 2
run --json=yes -e 1
check 'a value where none belongs' is 2
run test
check 'test without files' is 2

# ---- what runs, in which order ----
run -e 1 -e 2
check '-e twice' out_is $'i64 = 1\ni64 = 2'
echo 'a = 1; a' >first.gr
echo 'a + 1' >second.gr
run first.gr -e 'a + 2' second.gr
check 'files before statements' out_is $'a : i64 = 1\ni64 = 2\ni64 = 3'
feed '7 * 6\n'
check stdin out_is 'i64 = 42'
feed '1\n' first.gr
check 'stdin is left alone when a file is given' out_is 'a : i64 = 1'
feed '7\n' first.gr -
check 'stdin as a file' out_is $'a : i64 = 1\ni64 = 7'
feed 'a = 4\na\n' -i
check 'with -i, stdin is the prompt' out_is $'a : i64\na : i64 = 4'
run -- first.gr
check 'after --, files' out_is 'a : i64 = 1'
echo 'b = 5' >gradus-init.gr
mkdir -p gradus
mv gradus-init.gr gradus/init.gr
feed 'b\n' -i
check 'init file' out_is 'b : i64 = 5'
feed 'b\n' -i --no-init
check '--no-init' err_has 'b'
run -e b
check 'no init file without a prompt' is 1

# ---- text ----
run -e 'x : f64[3] = [1, 2, 3]' -e x -e 'x * 2' -e '[[1, 2], [3, 4]]' -e '(1, true)'
check 'values' out_is $'x : f64[3] = [1.0, 2.0, 3.0]\nf64[3] = [2.0, 4.0, 6.0]\ni64[2, 2] =\n[[1, 2],\n [3, 4]]\n[0] : i64 = 1\n[1] : bool = true'
run -e 'x : f64[n]' -e 'y = x + 1' -e y
check 'a graph' out_has 'y : f64[n]'
check 'a graph: its expression' out_has '  x + 1'
run -e 'f(x, k=2) = x * k' -e f
check 'a function' out_is 'f : function(x, k=2)'
run -e 'zeros((0, 3))'
check 'nothing' out_is 'f64[0, 3] = []'

# ---- errors ----
run -e 'y = 1' -e nope -e y
check 'an error does not stop the rest' out_is 'y : i64 = 1'
check 'an error: status' is 1
check 'an error: where' err_has '-e 2:1:1: error:'
check 'an error: caret' err_has '^^^^'
run -e 'lenght = 3' -e 'lenghht'
check 'did you mean' err_has "did you mean \`lenght\`"
run -e 'a = [1, 2] + [1, 2, 3]' -e 'a * 2' -e 7
check 'what depends on a failure is skipped' out_is 'i64 = 7'
check 'and told of once' test "$(grep -c error: err)" = 1
run -e 'b = (1 +' -e 'b'
check 'a statement that cannot be read is not an unknown name' test "$(grep -c error: err)" = 1
run -e 'x : f32 = 1.0; y : i64 = true'
check 'wrong dtype' err_has 'i64'
run -e 'x = (1 + 2'
check 'unclosed bracket' is 1
printf '\x00\xff\xfe\x01PK\x03\x04' >binary.gr
head -c 20000 /dev/urandom >noise.gr
run binary.gr
check 'binary' is 1
run noise.gr
check 'noise' is 1
: >empty.gr
run empty.gr
check 'empty file' is 0
check 'empty file: silent' out_empty
feed ''
check 'empty stdin' is 0
printf '1 + 1' >noeol.gr
run noeol.gr
check 'no newline at the end' out_is 'i64 = 2'
printf '1 + 1\r\n2\r\n' >crlf.gr
run crlf.gr
check 'CRLF' out_is $'i64 = 2\ni64 = 2'
run missing.gr
check 'missing file' is 3
check 'missing file: told' err_has 'missing.gr'
run gradus
check 'a folder' is 3
check 'a folder: told' err_has 'directory'
run missing.gr first.gr
check 'a missing file does not stop the rest' out_is 'a : i64 = 1'
if [[ $(id -u) -ne 0 ]]; then
    cp first.gr secret.gr
    chmod 000 secret.gr
    run secret.gr
    check 'unreadable file' is 3
fi
run -e ':load missing.gr'
check ':load of a missing file' is 3
run -e ':quit 5' -e 1
check ':quit with a code' is 5
check ':quit ends' out_empty
run -e ':frobnicate'
check 'unknown command' err_has 'there is no command :frobnicate'
run -e ':typ 1'
check 'prefix of a command' out_is 'i64'
run -e ':ty'
check 'a command without its argument' err_has 'needs an expression'
run -e ':c 1'
check 'ambiguous prefix' err_has ':c could be :compare, :cost'
run -e ':rel 1'
check 'prefix of an old name alone, as :reset is written out' err_has ':load 1'
run -e ':type nope + 1'
check 'an error in an argument: caret' err_has '-e 1:1:7'
run -e ':graph 1 + 1 step=99'
check 'step= beyond the last' is 1
run -e ':graph 1 + 1 stop=1'
check 'unknown key' err_has 'did you mean step='
run -e 'f(x, step=1) = x + step' -e ':type f(1, step=3)'
check 'a key inside brackets belongs to the expression' out_is 'i64'

# ---- JSON ----
run --json -e 'x : f64[3] = [1, 0.1, 3e300]' -e x -e '1 + 1' -e '(1.5, [true], (2, 3))' -e 'zeros((0, 2))' -e '[nan, inf, -inf]'
check 'JSON: status' is 0
check 'JSON: a name' json 'rows[0] == {"kind": "value", "name": "x", "type": "f64[3]", "dtype": "f64", "shape": [3], "value": [1.0, 0.1, 3e300]}'
check 'JSON: a scalar' json 'rows[1] == {"kind": "value", "name": None, "type": "i64", "dtype": "i64", "shape": [], "value": 2}'
check 'JSON: a tuple' json 'rows[2]["type"] == "(f64, bool[1], (i64, i64))" and rows[2]["values"][1]["value"] == [True] and rows[2]["values"][2]["values"][0]["value"] == 2 and sorted(rows[2]) == ["kind", "name", "type", "values"]'
check 'JSON: no elements' json 'rows[3]["shape"] == [0, 2] and rows[3]["value"] == []'
check 'JSON: nan and inf' json 'rows[4]["value"] == ["nan", "inf", "-inf"]'
run --json -e 'x : f64[n]' -e 'y = x * 2' -e y
check 'JSON: a graph' json 'len(rows) == 1 and sorted(rows[0]) == ["kind", "name", "text", "type"] and rows[0]["kind"] == "graph" and rows[0]["name"] == "y" and rows[0]["type"] == "f64[n]"'
run --json -e 'a = 1' -e 'nope * 2' -e ':frob' -e '(1 +'
check 'JSON: errors: status' is 1
check 'JSON: errors' json '[r["kind"] for r in rows] == ["error"] * 3 and all(sorted(r) == ["code", "column", "file", "hint", "kind", "length", "line", "message"] for r in rows)'
check 'JSON: place of an error' json 'rows[0]["code"] == "unknown-name" and rows[0]["file"] == "-e 2" and (rows[0]["line"], rows[0]["column"], rows[0]["length"]) == (1, 1, 4)'
check 'JSON: nothing on stderr' err_empty
run --json missing.gr
check 'JSON: a missing file' json 'rows[0]["code"] == "io" and rows[0]["file"] is None'
run --json -e 'x : f64[n]' -e 'y = log(1 + x * 1)' -e ':steps y' -e ':passes y' -e ':type y' -e ':help' -e ':rules' -e ':ops' -e ':graph y' -e ':step y' -e ':why %2' -e ':set' -e ':vars'
check 'JSON: commands' json 'all(sorted(r) == ["command", "data", "kind", "text"] and r["kind"] == "command" for r in rows) and [r["command"] for r in rows] == "steps passes type help rules ops graph step why set vars".split()'
check 'JSON: steps' json 'sorted(rows[0]["data"]) == ["passes", "steps"] and list(rows[0]["data"]["passes"][0]) == ["name", "steps", "nodes_before", "nodes_after", "stop"] and list(rows[0]["data"]["steps"][0]) == ["seq", "pass", "rule", "classes", "path", "before", "after", "why"]'
check 'JSON: sum of the steps' json 'sum(p["steps"] for p in rows[0]["data"]["passes"]) == max(s["seq"] for s in rows[0]["data"]["steps"])'
run --json -e ':time sum(arange(10))'
check 'JSON: time' json 'sorted(rows[0]["data"]) == ["best_s", "first_s", "loop_steps", "median_s", "peak_bytes", "runs", "tier"] and rows[0]["data"]["runs"] >= 3'
feed '1\n2 +\n3\n(\n' --json -i
check 'JSON at the prompt' json '[r.get("value") for r in rows[:2]] == [1, 5]'

# ---- streams ----
for i in $(seq 1 20000); do echo "$i"; done >many.gr
{ "$gradus" many.gr 2>err; echo $? >code; } | head -n 1 >out
status=$(<code)
check 'a closed stdout makes no noise' err_empty
check 'a closed stdout: the first line' out_is 'i64 = 1'
if [[ -e /dev/full ]]; then
    "$gradus" -e 1 >/dev/full 2>err
    status=$?
    check 'a full disk' is 3
fi
"$gradus" -e 1 -e nope -e 2 >both 2>&1
cp both out
check 'streams keep their order' test "$(head -n 1 both)$(tail -n 1 both)" = 'i64 = 1i64 = 2'
run --color=always -e nope
check '--color=always' grep -q $'\033' err
program='x : f64[3]
y = sum(log(1 + x))'
for command in ':graph y' ':graph y ssa=on' ':diff y' y; do
    run --color=always -e "$program" -e "$command"
    check "--color=always: $command" grep -q $'\033\[34mf64' out
    sed 's/\x1b\[[0-9;]*m//g' out >plain
    run --color=never -e "$program" -e "$command"
    check "--color=never: $command is the same without colours" cmp -s out plain
    NO_COLOR=1 run -e "$program" -e "$command"
    check "NO_COLOR: $command" cmp -s out plain
done
NO_COLOR=1 run -e nope
check 'no colour by itself' test -z "$(grep $'\033' err)"

# ---- gradus reduce ----
cat >whole.gr <<'GR'
x : f64[3] = [1, 2, 3]
y = sum(tanh(exp(x) * 2)) + 1
y
GR
cat >has_tanh.sh <<'SH'
grep -q tanh "$2" && test "$1" = given
SH
run reduce whole.gr y -- sh has_tanh.sh given
check 'reduce: status' is 0
check 'reduce: the summary' out_has '8 nodes -> 2 nodes'
check 'reduce: the program' grep -qx 'y = tanh(.)' out
check 'reduce: nothing of the file is printed' test -z "$(grep '^f64' out)"
run reduce whole.gr y -o small.gr --json -- sh has_tanh.sh given
check 'reduce: to a file' grep -qx 'y = tanh(.)' small.gr
check 'reduce: JSON' grep -qF '"before":8,"after":2' out
run small.gr
check 'reduce: what is left can be read' is 0
run reduce whole.gr y -- true
check 'reduce: what holds for everything' out_has '-> 1 node'
run reduce whole.gr y -- sh has_tanh.sh other
check 'reduce: it does not hold' is 1
check 'reduce: why' err_has 'sh ended with status 1'
run reduce whole.gr y -- sh -c 'exit 125'
check 'reduce: it cannot tell' err_has 'the command cannot tell'
run reduce whole.gr y -- ./missing
check 'reduce: no such command' is 1
check 'reduce: no such command: which' err_has './missing cannot be run'
run reduce whole.gr nope -- true
check 'reduce: no such name' is 2
run reduce wrong_place.gr y -- true
check 'reduce: no such file' is 3
run reduce whole.gr y
check 'reduce: no command' is 2
run reduce whole.gr y --
check 'reduce: an empty command' is 2
check 'reduce: nothing is left behind' test -z "$(ls -d "${TMPDIR:-/tmp}"/gradus-reduce-* 2>/dev/null)"
# ---- gradus test: claims, examples of rules, --bless ----
cat >claims.gr <<'END'
x : f64
:expect log(1 + x) => log1p(x)
:expect log(1 + x) => log(x)  # the claim is wrong
:expect exp(x) * exp(2 * x) fires exp-exp 3
[1, 2] * 2  # => [2, 5]
1 + 1  # => 3
END
cat >mine.rules <<'END'
pass stabilize
fold-exp [R N+]: exp(a) * exp(b) => exp(a + b)
    try exp(x) * exp(2 * x) => exp(x)
    try exp(x) * exp(2 * x) => exp(x + 2 * x)
    not exp(x) + exp(y)
    not exp(x) * exp(y)
rule log1p
    try log(1 + x) => log1p(x)
rule no-such
    try x
END
run test claims.gr
check 'test: claims that fail' is 1
check 'test: counts claims' grep -qx '1 passed, 4 failed' out
check 'test: shows the difference' grep -qF 'log1p(x) against log(x)' out
run test mine.rules
check 'test: examples that fail' is 1
check 'test: counts examples' grep -qx '3 passed, 4 failed' out
check 'test: what a rule gives' grep -qF 'fold-exp fires, but does not give this: it gives exp(' out
check 'test: an unknown rule' grep -qF 'mine.rules:9: error unknown-name' out
cp claims.gr blessed.gr
run test --bless blessed.gr
check 'test --bless: what it writes' test "$(sed -n '3,6p' blessed.gr)" = ':expect log(1 + x) => log1p(x)  # the claim is wrong
:expect exp(x) * exp(2 * x) fires exp-exp 1
[1, 2] * 2  # => [2, 4]
1 + 1  # => 2'
run test blessed.gr
check 'test --bless: then it holds' is 0
cp mine.rules blessed.rules
run test --bless blessed.rules
run test blessed.rules
check 'test --bless: a line of a rule' grep -qx '4 passed, 3 failed' out
check 'test --bless: a not line that fires stays' grep -qF 'not exp(x) * exp(y)' blessed.rules
run --bless claims.gr
check '--bless is for test' is 2
run -e ':load "mine.rules"' -e ':help fold-exp'
check 'examples in :help' grep -qF 'not exp(x) + exp(y)' out

# ---- gradus diff ----
printf 'x : f64[3]\nW : f64[3, 3]\ny = tanh(x @ W)\n1 + 1\n' >one.gr
printf "u : f64[n]\nV : f64[n, n]\ny = tanh(u @ V)\nz = tanh(u @ V')\n" >two.gr
printf 'y = nope\n' >wrong.gr
run diff one.gr y one.gr 'tanh(x @ W)'
check 'diff: the same' is 0
run diff one.gr y two.gr y
check 'diff: other sizes' is 1
run diff two.gr y two.gr z
check 'diff: they differ' is 1
check 'diff: the path' grep -qF "operand 2 of @: V against V'" out
check 'diff: nothing of the files is printed' test -z "$(grep 'i64' out)"
run --json diff two.gr y two.gr z
check 'diff: --json comes after its name' is 3
run diff --json two.gr y two.gr z
check 'diff: --json' grep -qF '"places":[{"path":"operand 2 of @"' out
run diff two.gr y two.gr nope
check 'diff: an unknown name' is 2
run diff wrong.gr y two.gr y
check 'diff: an error in a program' is 2
run diff none.gr y two.gr y
check 'diff: no such file' is 3
run diff two.gr y
check 'diff: usage' is 2
run diff two.gr y two.gr z -e 1
check 'diff: -e' is 2
run diff two.gr y two.gr z names=maybe
check 'diff: an option' is 2
run diff two.gr y two.gr 'z pass=lower' names=on
check 'diff: keys' is 1

# ---- interruption ----
echo 's = scan t for 100000000000 from r = 0.0 { r[t] = r[t-1] + 1.0 }; s.final; 1' >endless.gr
# interrupt FILE: the program, half a second, ^C. An asynchronous command of a script ignores SIGINT unless
# it gets its handler back. Stdin is a pipe that nobody writes to.
interrupt() {
    "$python" - "$gradus" "$1" <<'PY' >out 2>err
import signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], sys.argv[2]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                     stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(0.5)
p.send_signal(signal.SIGINT)
p.send_signal(signal.SIGINT)  # timeout(1) sends one to the program and one to its group
try:
    p.wait(timeout=10)  # with stdin still open: its end would end the program too
except subprocess.TimeoutExpired:
    p.kill()
out, err = p.communicate()
sys.stdout.buffer.write(out)
sys.stderr.buffer.write(err)
sys.exit(p.returncode if p.returncode >= 0 else 128 - p.returncode)
PY
    status=$?
}
interrupt endless.gr
check '^C: status' is 130
check '^C: nothing more runs' out_empty
interrupt -
check '^C while stdin is read: status' is 130
check '^C while stdin is read: nothing is said' out_empty

# ---- gradus test ----
mkdir woven_page
echo 'k = 20' >woven_page/other.gr
cat >woven_page/page.md <<'MD'
<!-- gradus hidden quiet
:load other.gr
-->

```gradus
k + 1    # => 21
m = 2
```

```gradus
m * k    # => 40
```

```gradus fresh
m        # => error unknown-name
```
MD
run test woven_page/page.md
check 'a woven page is one program, run in its folder' out_has '3 passed, 0 failed'
cat >good.gr <<'GR'
x : f64[2] = [1, 2]
x             # => [1, 2]
x * 2         # => f64[2] = [2, 4]
sum(x) / 3    # => 1
(x, 1)
# => ([1.0, 2.0], 1)
0.1 + 0.2     # => 0.3
y : f64[n]
y             # => f64[n]
nope          # => error unknown-name
[[1, 2],
 [3, 4]]      # => [[1, 2],
              #     [3, 4]]
:type x       # => f64[2]
nan           # => nan
GR
run test good.gr
check 'test: all pass' out_is '10 passed, 0 failed'
check 'test: status' is 0
cat >bad.gr <<'GR'
1 + 1         # => 3
2             # => f64 = 2
oops
z = 1         # => 1
[1, 2]        # => [1, 2, 3]
repeat 2 {
  1           # => 1
}
GR
run test bad.gr
check 'test: failures' out_has '0 passed, 6 failed'
check 'test: failures: where' out_has 'bad.gr:5: expected [1, 2, 3]'
check 'test: failures: status' is 1
cat >notes.md <<'MD'
# Notes

```gradus
x = 2
x + 1  # => 3
```

This block is a program of its own.

```gradus fresh
x  # => error unknown-name
1 < 2 < 3  # => error syntax
1 + 1  # => 3
```
MD
run test notes.md
check 'test: markdown' out_has '3 passed, 1 failed'
check 'test: markdown: where' out_has 'notes.md:13: expected 3'
check 'test: markdown: blocks' out_has 'notes.md: 2 blocks'
run --language
check 'the reference is printed' out_has '# The Gradus language'
run test good.gr missing.gr
check 'test: missing file' is 3

# ---- saving ----
run -e 'x : f64[n]' -e 'shared W : f64[2] = [1, 2]' -e 'f(a, k=2) = a * k' -e 'y = sum(f(x)) + W[0]' -e 'x := [1, 2, 3]' -e 'W := W * 2' -e 'q := 5' -e 'in alt { W := [7.5, 8] }' -e 'y' -e ':save saved.gr'
check ':save' is 0
head -n 1 out >was
run saved.gr -e y -e q -e 'in alt { W }'
check 'what was saved gives the same' test "$(cat was; printf 'q : i64 = 5\nW : f64[2] = [7.5, 8.0]')" = "$(cat out)"
# ---- rules and passes in files
cat >my.rules <<'END'
# two of them are wrong
fold-exp [R N+]: exp(a) * exp(b) => exp(a + b)  "one exponential"

pass specialize
turn [R]: atan2(x, 1) => atan(x)   # the passes of the lines after
wrong [E]: sin(x) => x
  indented [E]: abs(sqr(x)) => sqr(x) if no_nan(x)
open [R]: sin(x => cos(x)
pass nosuch
END
run my.rules -e ':rules only=own' -e ':save again.rules' -e ':set rule turn off' -e ':set pass stabilize off' \
    -e ':set passes inline canonicalize specialize lower' -e ':set allow Z' -e ':save all.gr'
check 'a file of rules with mistakes is 1' is 1
check 'the others are rules' out_has '3 rules; allowed classes'
check 'a wrong rule is refused at its place' err_has 'my.rules:6:1: error: not accepted'
check 'syntax too' err_has 'my.rules:8:17: error'
check 'a pass that is none' err_has 'my.rules:9:6: error: there is no pass nosuch'
run again.rules -e ':rules only=own' -e ':save third.rules'
check 'rules that were saved are rules again' is 0
check 'all of them' out_has '3 rules; allowed classes'
check 'and saved alike' cmp -s again.rules third.rules
run all.gr -e ':set' -e ':rules only=own'
check 'switches are saved' out_has 'rule turn off'
check 'and the order of passes' out_has 'passes   inline canonicalize specialize lower'
check 'and classes' out_has 'allow    E Z R N+ D C'
feed ':load my.rules\n:load again.rules\n:rules only=own\n:load\n:rules only=own\n' -i
check 'loading rules again replaces them' test "$(grep -c '3 rules; allowed' out)" = 2
run --json -e ':load again.rules' -e ':rules only=own'
check 'as JSON' json 'len(rows[-1]["data"]["rules"]) == 3 and rows[0]["data"]["instances"] > 0'
head -c 2000 /dev/urandom >noise.rules
run noise.rules -e '1 + 1'
check 'noise is no rule, and does no harm' out_has 'i64 = 2'
run -e ':load none.rules'
check 'no such file of rules' is 3

run -e ':save no/such/folder/x.gr'
check ':save where nothing can be written' is 3

# ---- reasons ----
# Every rule there is says why it does not fire, wherever a node of its operator stands.
cat >reasons.py <<'PY'
import json, subprocess, sys
gradus, root = sys.argv[1:]
rules = [r["name"] for r in json.loads(subprocess.run([gradus, "--json", "-e", ":rules"], capture_output=True, text=True).stdout)["data"]["rules"]]
head = """x : f64[3] = [1, 2, 3]
A : f64[3, 3] = [[1, 2, 3], [4, 5, 6], [7, 8, 10]]
c : bool = true
n : i64 = 3
S = scan t for n from h = 1.0 { h[t] = h[t-1] * 2; until h[t] > 5 }
R = scan t over x from a = 0.0, b = 0.0 { a[t] = a[t-1] + x[t]; b[t] = if c then tanh(b[t-1]) else x[t] * n }
f(a) = sum(exp(a) * a)
"""
whole = "(S.final, R.a, R.final.b, vmap(f)(A), grad(f(x), x), if c then x + 1 else x * 2, A @ A @ x, sort(x), x[1:] + x[:-1], concat((x, x))[2])"
bad, places = [], 0
for files, text, expr in (([], head, whole), ([root + "/examples/rnn.gr"], "", "gW")):
    text += "".join(f":whynot {r} {expr}\n" for r in rules)
    run = subprocess.run([gradus, "--json"] + files + sum((["-e", l] for l in text.splitlines()), []), capture_output=True, text=True)
    answers = [o for o in map(json.loads, run.stdout.splitlines()) if o.get("command") == "whynot"]
    assert len(answers) == len(rules), (len(answers), len(rules))
    for o in answers:
        for p in o["data"].get("places", []):
            places += 1
            if len(p["why"]) < 8 or p["why"] == "its conditions do not hold here":
                bad.append((o["data"]["rule"], p))
assert not bad, bad[:10]
assert places > 1000, places
PY
check ':whynot: each rule gives reasons' "$python" reasons.py "$gradus" "$root"

# ---- drawing ----
if [[ -x ${gradus%gradus}gradus-draw ]]; then
    run -e 'x : f64[n]' -e 'y = sum(log(1 + x * 1))' -e ':draw y a.svg' -e ':draw y b.svg' -e ':draw y c.svg step=2 inner=closed focus=%1 depth=1'
    check ':draw' is 0
    check ':draw: the same twice' cmp -s a.svg b.svg
    check ':draw: SVG' "$python" -c 'import xml.dom.minidom as m; [m.parse(f) for f in ("a.svg", "c.svg")]'
    # What a step is said to change in a loop is what it changes, however sums are sorted anew.
    cat >cell.gr <<'GR'
x : f64[T, 3]
Wf : f64[3, 2]
Wg : f64[3, 2]
Uf : f64[2, 2]
Ug : f64[2, 2]
S = scan t over x from h = zeros(2) {
  f = sigmoid(x[t] @ Wf + h[t-1] @ Uf)
  g = tanh(x[t] @ Wg + h[t-1] @ Ug)
  h[t] = f * h[t-1] + (1 - f) * g
}
:steps S.final rule=batch-dots
:steps S.final rule=sequence-dot
:draw S.final batch.json step=3
:draw S.final sequence.json step=5
GR
    run cell.gr
    check 'steps of a loop: which' test "$(grep -cE '^  (3  batch-dots|4  batch-dots|5  sequence-dot)' out)" = 3
    marked() { # marked FILE.json ADDED REMOVED: operators and parameters that are marked so, sorted
        "$python" - "$@" <<'PY'
import json, sys
nodes = json.load(open(sys.argv[1], encoding="utf-8"))["nodes"]
for mark, want in zip(("added", "removed"), sys.argv[2:]):
    got = " ".join(sorted(n["label"] if n["op"] == "param" else n["op"] for n in nodes if n.get("mark") == mark))
    if got != want:
        sys.exit(f"{mark}: {got}, not {want}")
PY
    }
    check 'a step that joins products is drawn as such' marked batch.json 'W_fg concat matmul slice slice' 'Wf Wg matmul matmul'
    check 'a step that takes a product out is drawn as such' marked sequence.json 'matmul x_W_fg[t]' 'W_fg matmul x[t]'
    run -e ':draw 1 + 1 out.bmp'
    check ':draw of an unknown kind' is 1
    run -e ':draw 1 + 1 no/such/out.svg'
    check ':draw where nothing can be written' is 3
fi

echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
