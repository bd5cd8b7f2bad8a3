#!/usr/bin/env bash
# Graphs as files: every definition of every example, as written and after passes, is written,
# read back in the same session (the same value), and in a new one (the same text).  Then bad files.
# Takes no arguments.  The last line:  N passed, N failed
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

gradus=$PWD/build/gradus
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder XDG_STATE_HOME=$folder HOME=$folder LC_ALL=C.UTF-8 TERM=dumb
passed=0
failed=0

pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    printf 'FAILED %s\n' "$1"
    sed 's/^/  /' "${2:-/dev/null}" | head -n 20
}

# ---- round trips ----

# Names that definitions of one name give, functions left out.
definitions() { grep -oE '^[A-Za-z_][A-Za-z_0-9]* +=[^=>]' "$1" | sed -E 's/ .*//' | sort -u; }

# What a name's value prints, without its name and type.
value() { grep -F "\"name\":\"$1\"" | sed -E 's/.*"shape"://' | tail -n 1; }

# write_again FROM TO NAME...: a new session reads the graphs FROM_NAME and writes them as TO_NAME.
write_again() {
    local from=$1 to=$2 name
    local -a statements=()
    shift 2
    for name; do
        statements+=(-e ":load ${from}_$name.graph" -e ":graph ${from}_$name ${to}_$name.graph")
    done
    (cd "$folder" && "$gradus" "${statements[@]}" >out 2>&1 </dev/null)
}

round() {
    local example=$1 name when
    local -a statements=() names=()
    for name in $(definitions "$example"); do
        statements+=(-e "$name")
        for when in start specialize lower; do
            statements+=(-e ":graph $name ssa=on a_${name}_$when.graph pass=$when" -e ":load a_${name}_$when.graph")
            names+=("${name}_$when")
        done
    done
    statements=("${statements[@]/ pass=start/}")
    (cd "$folder" && "$gradus" --json "$example" "${statements[@]}" >values 2>&1 </dev/null)
    write_again a b "${names[@]}"
    write_again b c "${names[@]}"
    for name in "${names[@]}"; do
        [[ ! -e $folder/a_$name.graph ]] && grep -q 'is a function' "$folder/values" && continue
        value "${name%_*}" <"$folder/values" >"$folder/before"
        value "a_$name" <"$folder/values" >"$folder/after"
        if [[ -s $folder/before ]] && cmp -s "$folder/before" "$folder/after"; then pass; else fail "$example $name: another value" "$folder/after"; fi
        if cmp -s "$folder/b_$name.graph" "$folder/c_$name.graph"; then pass; else fail "$example $name: another text" "$folder/out"; fi
    done
}

# Not those that hold shared variables (a graph has no values), load others, draw, or run long.
for name in jacobian lstm polynomial power powers_of_two rnn set_at_position triangular; do
    round "$PWD/examples/$name.gr"
done

# ---- bad files ----

# bad NAME TEXT MESSAGE: reading the text gives an error at its place, and status 1.
bad() {
    printf '%b' "$2" >"$folder/bad.graph"
    (cd "$folder" && "$gradus" bad.graph -e '1 + 1') >"$folder/out" 2>"$folder/err" </dev/null
    local status=$?
    if [[ $status -eq 1 && $(<"$folder/out") == 'i64 = 2' ]] && grep -qF -- "$3" "$folder/err"; then
        pass
    else
        fail "$1 (status $status)" "$folder/err"
    fi
}

bad 'unknown number' '%1 : f64 = input{name=x}()\n%2 = add(%1, %3)\nreturn %2\n' 'bad.graph:2:14: error: %3 is used before'
bad 'wrong type' '%1 : f64 = input{name=x}()\n%2 : f64[2] = neg(%1)\nreturn %2\n' 'bad.graph:2:1: error: the type is said to be f64[2], but it is f64'
bad 'no operator' '%1 = frobnicate()\nreturn %1\n' 'bad.graph:1:6: error: the name of an operator is missing'
bad 'empty' '' 'bad.graph:1:1: error: a line starts with'
bad 'a program' 'x = 1\n' 'bad.graph:1:1: error: a line starts with'
bad 'a name twice' '%1 : f64 = input{name=x}()\n%2 : f64[2] = input{name=x}()\n%3 = sub(%1, %2)\nreturn %3\n' 'bad.graph:2:1: error: an input of this name stands here already'
bad 'a free parameter' 'p0 : f64 = param{index=0}()\n%1 = neg(p0)\nreturn %1\n' 'a parameter or a hole stands free'
bad 'a name that is none' '%1 : f64 = input{name="a b"}()\nreturn %1\n' 'bad.graph:1:1: error: the name of this input is none'
bad 'a size from a node' '%1 : i64 = input{name=k}()\n%2 : f64[%1] = input{name=x}()\nreturn %2\n' 'bad.graph:2:1: error: an input is one tensor'
bad 'a shared variable' '%1 : f64 = shared{name=w}()\nreturn %1\n' 'bad.graph:1:1: error: there is no shared variable of this name'
bad 'more after return' '%1 : f64 = input{name=x}()\nreturn %1\n%2 = neg(%1)\n' 'bad.graph:3:1: error: nothing may follow'

# ---- names and values ----

# gives NAME EXPECTED ARGUMENT...
gives() {
    local name=$1 expected=$2
    shift 2
    (cd "$folder" && "$gradus" "$@") >"$folder/out" 2>&1 </dev/null
    if [[ $(<"$folder/out") == "$expected" ]]; then pass; else fail "$name" "$folder/out"; fi
}
text='%1 : f64 = input{name=x}()\n%2 : f64 = add(%1, 1.0)\nreturn %2\n'
for file in y x 2-y scan; do printf '%b' "$text" >"$folder/$file.graph"; done
printf '%%1 : f64 = input{name=x}()\nreturn %%1, 2.0\n' >"$folder/pair.graph"
gives 'named after the file' 'y : f64 = 3.0' -e 'x : f64 = 2' -e ':load y.graph'
gives 'named like its input' 'x_ : f64 = 3.0' -e 'x : f64 = 2' -e ':load x.graph'
gives 'not a name' '_2_y : f64 = 3.0' -e 'x : f64 = 2' -e ':load 2-y.graph'
gives 'a keyword' 'scan_ : f64 = 3.0' -e 'x : f64 = 2' -e ':load scan.graph'
gives 'several results' $'pair[0] : f64 = 2.0\npair[1] : f64 = 2.0' -e 'x : f64 = 2' -e ':load pair.graph'
gives 'another type' $'f64[2]\ny : f64    # x has no value\n  x + 1\nf64' \
    -e 'x : f64[2] = [1, 2]' -e ':type x' -e ':load y.graph' -e ':type x'
gives 'saved' $'y : f64 = 3.0\n2 statements in all.gr' -e 'x : f64 = 2' -e ':load y.graph' -e ':save all.gr'
gives 'what :save wrote' $'y : f64 = 3.0\nf64 = 4.0' all.gr -e 'y + 1'
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
