#!/usr/bin/env bash
# Lessons: those that come with the program are played through (learn.py), and what may go wrong with one.
#
#   tests/learn.sh [GRADUS]   (build/gradus)
# shellcheck disable=SC2016  # pages have backquotes
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
gradus=$(realpath "${1:-$root/build/gradus}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 70
unset HOME
export XDG_STATE_HOME=$scratch/state XDG_CONFIG_HOME=$scratch/config

passed=0
failed=0
# ok NAME CONDITION...
ok() {
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n' "$name"
        [[ ! -e out ]] || sed 's/^/    /' out
    fi
}
says() { grep -qF -- "$1" out; }
silent() { ! grep -qF -- "$1" out; }
# learn STATUS ARGUMENT...: gradus with these, what is typed on standard input; says what it prints in `out`.
learn() {
    local want=$1 status
    shift
    timeout 120 "$gradus" "$@" >out 2>&1
    status=$?
    ok "$* ends with $want" test "$status" = "$want"
}

# ---- a lesson of one's own ----

cat >own.md <<'END'
# Mine

```gradus
x : f64 = 3.0
y = x * x
v = [1.0, 2.0, 3.0]
```

```gradus question
The value of y?
answer: y
hint: x is 3.
hint: Three times three.
wrong: 6 "That is x + x."
right: A square.
show: y
```

## Second

```gradus question
Its derivative, as a formula?
formula: 2 * x
```

```gradus question
The type of v?
type: v
wrong: [2] "Count again."
```

```gradus question
A third, nearly?
answer: 1 / 3
within: 0.1
```

## Third

```gradus question
Which rule?
step: 1 -(-x)
wrong: add-zero "Nothing is added."
```

```gradus question
Is y more than 8?
answer: y > 8
```
END

printf '%s\n' '7' '6' '' '' '' '3 + 6' '' '6' '2*x*1' '[4]' '[2]' 'f64[3]' 0.35 '' add-zero mul-zero neg-neg yes '' |
    learn 0 learn own.md
ok 'a wrong number' says 'No. Try again; Enter gives a hint.'
ok 'a listed mistake' says 'No. That is x + x.'
ok 'the first hint' says 'Hint 1 of 2: x is 3.'
ok 'the second hint' says 'Hint 2 of 2: Three times three.'
ok 'no third hint' says 'No more hints'
ok 'an explanation' says 'A square.'
ok 'what shows it' says 'y : f64 = 9.0'
ok 'a number is no formula' says 'That is its value now.'
ok 'a wrong type' says 'Count again.'
ok 'a wrong rule' says 'Nothing is added.'
ok 'all answered' says '6 of 6 questions answered'

# A derivation line by line, and a choice.
cat >derive.md <<'END'
# Derive

```gradus
x : f64
a : f64
b : f64
c : f64
```

```gradus question
Expand it.
derive: (x + 1)^2 * x to x^3 + 2*x^2 + x
hint: Expand the square.
wrong: (x^2 + 1) * x "The square of a sum has a mixed term."
```

```gradus question
Which one?
choice: x
choice: 2 * x
answer: 2
wrong: 1 "That is x."
```

```gradus question
Again.
derive: a * b - c + sin(a) to sin(a) - c + a * b
```
END
printf '%s\n' '(x^2 + 1) * x' '(x^2 - 2*x + 1) * x' 'x > 1' '(x^2 + 2*x + 1) * x' 'x^3 + x + 2*x^2' 1 2 \
    'a * b - c + sin(b)' 'a * b - c - -sin(a)' 'sin(a) - c + a * b' '' | learn 0 learn derive.md
ok 'a wrong line' says 'No: for x = 1 the line before is 4, and this one is 2.'
ok 'a listed wrong line' says 'The square of a sum has a mixed term.'
ok 'the part that is wrong' says 'The mistake is where'
ok 'another type' says 'one expression of the same type'
ok 'a right line' says 'Right by '
ok 'choices' says '2 2 * x'
ok 'a wrong choice' says 'That is x.'
ok 'the wrong operand' says 'where a became b'
ok 'all derived' says '3 of 3 questions answered'
learn 0 weave derive.md -o woven.md
ok 'choices in a page' grep -q '^> 2. 2 \* x' woven.md

rm -rf state # else it goes on where it was left

# What is typed beside the answers; names of one's own go on, those of the lesson come back.
printf '%s\n' 'z = x + 1' 'x := 5' 'y' 'y = 4' 'sum(v)' 'nonsense' '1 +* 2' 9 '' 'z' 'y' '2 * x' skip skip '' quit |
    learn 0 learn own.md
ok 'statements run' says 'z : f64'
ok 'a changed input' says 'y : f64 = 25.0'
ok 'other values are no answers' says '(That is not the answer.)'
ok 'errors as usual' says 'error: `nonsense` is not defined'
ok 'a name of the learner' says 'z : f64 = 4.0'
ok 'the lesson again' says 'y : f64 = 9.0'
ok 'leaving' says 'Left at screen 3 of 3'

# Words.
rm -rf state
printf '%s\n' help skip '' back again 9 '' start quit | learn 0 learn own.md
ok 'help' says 'skip: the answer'
ok 'skip' says 'The answer is 9'
ok 'back and again' test "$(grep -c 'The value of y?' out)" = 4

# The end of input in each state.
for n in 0 1 2 3; do
    rm -rf state
    printf '%s\n' 9 '' '2 * x' 1 | head -n $n | learn 0 learn own.md
    ok "input ends after $n lines" silent 'rror'
done

# ---- the session that asked ----

rm -rf state
printf '%s\n' 'x = 1000' 'y = x + 1' ':learn own.md' 9 '' 'x = 7' quit y x |
    learn 0
ok 'definitions are as they were' says 'y : i64 = 1001'
ok 'and that one' says 'x : i64 = 1000'
rm -rf state
printf '%s\n' ':learn own.md' ':quit' 'y' | learn 0
ok ':quit in a lesson leaves all' silent '1001'
printf '%s\n' ':learn own.md' ':learn 2' quit '1 + 1' | learn 0
ok 'another lesson' says 'Until it is done'
ok 'and back' says 'i64 = 2'

# ---- progress ----

rm -rf state
learn 0 -e ':learn'
ok 'nothing done' test -z "$(grep -E '[0-9] of [0-9]' out)"
printf '%s\n' 14 '' quit | learn 0 learn scan
learn 0 -e ':learn'
ok 'one screen' says '1 of 9'
printf 'quit\n' | learn 0 learn 1
ok 'it goes on there' says '2 of 9 ---'
learn 0 --json -e ':learn'
ok 'as data' says '"progress":"1 of 9"'
learn 0 -e ':learn reset scan' -e ':learn'
ok 'forgotten' silent '1 of 9'
printf '%s\n' 14 '' quit | learn 0 learn scan
learn 0 -e ':learn reset' -e ':learn'
ok 'all forgotten' silent '1 of 9'
mkdir -p state/gradus/lessons # no file can be written there
printf '%s\n' 14 '' quit | learn 0 learn scan
ok 'progress that cannot be kept' says 'your progress cannot be kept'
rmdir state/gradus/lessons
printf 'nonsense\n-3 4 \n99999999999 1 scan\n' >state/gradus/lessons
learn 0 -e ':learn'

# ---- what is no lesson ----

# bad NAME TEXT MESSAGE...: a page that is refused with these words.
bad() {
    local name=$1 word
    printf '%b' "$2" >bad.md
    shift 2
    printf '1\n' | learn 1 learn bad.md
    for word; do ok "$name: $word" says "$word"; done
}
q='# T\n\n```gradus question\n'
bad 'no question' '# T\n\nText.\n' 'bad.md' 'it has no questions' ':help lessons'
bad 'empty' '' 'it has no questions'
bad 'no answer' "${q}What?\nhint: no\n\`\`\`\n" 'bad.md:3:' 'has no answer' 'answer: EXPR'
bad 'no text' "${q}answer: 1\n\`\`\`\n" 'bad.md:3:' 'asks nothing'
bad 'unknown field' "${q}What?\nanser: 1\n\`\`\`\n" 'bad.md:5:1' 'no field anser:' 'did you mean answer:?'
bad 'two answers' "${q}What?\nanswer: 1\ntype: 2\n\`\`\`\n" 'bad.md:6:1' 'two answers'
bad 'no words' "${q}What?\nanswer: 1\nwrong: 2\n\`\`\`\n" 'bad.md:6:' 'in quotes'
bad 'wrong is right' "${q}What?\nanswer: 1\nwrong: 2 - 1 \"no\"\n\`\`\`\n" 'bad.md:6:8' 'but it is the answer'
bad 'an answer with an error' "${q}What?\nanswer: 1 + nope\n\`\`\`\n" 'bad.md:5:13' '`nope` is not defined'
bad 'a mistake with an error' "${q}What?\nanswer: 1\nwrong: ( \"x\"\n\`\`\`\n" 'bad.md:6:'
bad 'a program with an error' "# T\n\n\`\`\`gradus\nx = nope\n\`\`\`\n\n${q#\# T}What?\nanswer: 1\n\`\`\`\n" 'bad.md:4:5' '`nope` is not defined'
bad 'no value' "# T\n\n\`\`\`gradus\nx : f64\n\`\`\`\n${q#\# T}What?\nanswer: x\n\`\`\`\n" 'no value' 'formula:'
bad 'within' "${q}What?\nanswer: 1\nwithin: lots\n\`\`\`\n" 'bad.md:6:9' 'from 0 to 1'
bad 'no step' "${q}What?\nstep: 9 1 + 1\n\`\`\`\n" 'bad.md:5:' 'steps, not 9'
bad 'a step without a number' "${q}What?\nstep: x\n\`\`\`\n" 'bad.md:5:7' 'a number and an expression'
bad 'no way' "${q}What?\nderive: x\n\`\`\`\n" 'bad.md:5:9' 'from one expression to another'
bad 'not equal' "${q}What?\nderive: 1.0 to 2.0\n\`\`\`\n" 'bad.md:5:9' 'not proved equal'
bad 'not wrong' "${q}What?\nderive: 1.0 + 1 to 2.0\nwrong: 3.0 - 1 \"no\"\n\`\`\`\n" 'bad.md:6:8' 'is not different'
bad 'one choice' "${q}What?\nchoice: x\nanswer: 1\n\`\`\`\n" 'bad.md:5:9' 'only one choice'
bad 'no such choice' "${q}What?\nchoice: x\nchoice: y\nanswer: 3\n\`\`\`\n" 'bad.md:7:9' 'the number of one'
bad 'no field' "${q}What?\nanswer: 1\nmore\n\`\`\`\n" 'bad.md:6:1' 'begin the line with a blank'
bad 'never closed' "${q}What?\nanswer: 1\n" 'bad.md:3:1' 'never closed'
printf '# T\r\n\r\n```gradus question\r\nWhat?\r\nanswer: 1\r\nwrong: 2 "no\r\n  more"\r\n```\r\n' >crlf.md
printf '2\r\n1\r\n\r\n' | learn 0 learn crlf.md
ok 'line ends of another system' says '1 of 1 question answered'
ok 'in a text, too' says 'No. no more'
learn 3 learn nowhere.md </dev/null
ok 'no file' says 'nowhere.md cannot be read'
learn 1 learn nosuch </dev/null
ok 'no lesson' says 'there is no lesson nosuch'
learn 2 learn one.md two.md </dev/null
learn 2 learn -e 1 </dev/null
learn 1 --json -e ':learn 1' </dev/null
ok 'not as data' says 'at the prompt'
printf '# P\n\n```gradus\n:learn 1\n```\n' >page.md
learn 1 weave page.md -o woven.md
ok 'not in a page' says 'at the prompt'

# ---- as pages ----

rm -rf state
learn 0 test own.md
learn 0 weave own.md -o woven.md
ok 'a question in a page' grep -q '^> \*\*Question.\*\* The value of y?' woven.md
ok 'its answer folded' grep -q '<details><summary>Answer</summary>' woven.md
learn 0 weave woven.md -o again.md
ok 'woven again' cmp woven.md again.md
printf '%s\n' 9 '' 2*x skip skip '' skip skip '' | learn 0 learn woven.md
ok 'a woven lesson is one, too' says '2 of 6 questions answered'
for page in "$root"/repl/teach/lessons/*.md; do
    learn 0 test "$page"
    learn 0 weave "$page" -o lesson.md
done

# ---- derivations, records and the report of a class ----

/usr/bin/python3 "$root/tests/teaching.py" "$gradus" >out
read -r p _ f _ < <(tail -n 1 out)
passed=$((passed + ${p:-0}))
failed=$((failed + ${f:-1}))
grep -v 'passed,' out

cat >drawn.md <<'END'
# Drawn

```gradus question
What is {a} squared?
let: a in 2..9
answer: a^2
wrong: 2 * a "That is {a} + {a}."
```
END
learn 1 weave drawn.md -o woven.md
ok 'a mistake that one number makes right' says 'this is listed as wrong, but it is the answer'
ok 'which number' says 'so it is with a = 2'
ok 'and which seed' says 'gradus learn --seed'
learn 1 test drawn.md
sed -i 's/2\.\.9/3..9/' drawn.md
printf '\n```gradus\na * a\n```\n' >>drawn.md
learn 0 weave drawn.md -o woven.md
drawn=$(sed -n 's/.*What is \([3-9]\) squared?.*/\1/p' woven.md)
ok 'a woven page shows numbers that were drawn' grep -q "^> .a^2., here .$((drawn * drawn)). <!-- woven -->$" woven.md
ok 'and its programs run with them' grep -qx "i64 = $((drawn * drawn))" woven.md
cp woven.md again.md
learn 0 weave woven.md -o woven.md
ok 'weaving it again changes nothing' cmp -s woven.md again.md
learn 0 test drawn.md
for bad in 'a' 'a in 2' 'a in 9..2' 'in 2..9' 'a in x..y' 'a in 2..9999999999' '2..9'; do
    sed "s/^let: .*/let: $bad/" drawn.md >bad.md
    learn 1 learn bad.md </dev/null
    ok "let: $bad" says 'a drawn number has a name and a range'
done
sed 's/{a} squared/{a + nope} squared/' drawn.md >bad.md
learn 1 learn bad.md </dev/null
ok 'a hole with an error' says '`nope` is not defined'
learn 2 --seed x </dev/null
learn 2 learn report </dev/null

# The lesson on the page for teachers.
sed -n '/^````markdown$/,/^````$/p' "$root/examples/teaching.in.md" | sed '1d;$d' >interest.md
learn 0 test interest.md
printf '%s\n' 'skip' | learn 0 learn --seed ada --record ada.json interest.md
ok 'numbers are drawn' test "$(grep -cE 'You put [1-9]00 on an account that earns [4-9] % a year' out)" = 1
learn 0 learn report ada.json
ok 'and reported' says 'reached by 1, answered by 0, skipped by 1; tries: 0, hints: 0'

# ---- what people type ----

rm -rf state
printf '%s\n' '9 m' '9 %' '9 km/h' '$9' '9 euros' 'I do not know' "don't know, sorry" 'it is nine' '9,5' 'print(9)' '(' ')' '' 9 \
    '' quit | learn 0 learn own.md
ok 'units' test "$(grep -c 'Type the number alone, without a unit.' out)" = 5
ok 'prose' test "$(grep -c 'An answer is a number or an expression.' out)" = 3
ok 'a comma' says 'written with a point'
ok 'code' says '`print` is not defined'
ok 'the place is kept' says 'Left at screen 2 of 3'
rm -rf state
printf '%s\n' '−6' '−(−9)' '' quit | learn 0 learn own.md
ok 'a typographic minus' says 'Right.'

# ---- the lessons ----

/usr/bin/python3 "$root/tests/learn.py" "$gradus" "$root/repl/teach/lessons" >out
read -r p _ f _ < <(tail -n 1 out)
passed=$((passed + ${p:-0}))
failed=$((failed + ${f:-1}))
grep -v 'passed,' out
printf '%d passed, %d failed\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
