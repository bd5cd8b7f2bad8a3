#!/usr/bin/env bash
# gradus weave: the documents of this project are as they are woven now; pages with everything that a page
# can have, and what is wrong with a page.
# Takes no arguments.  The last line:  N passed, N failed
# shellcheck disable=SC2016 # backticks are Markdown here
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

root=$PWD
gradus=$root/build/gradus
python=/usr/bin/python3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder XDG_STATE_HOME=$folder HOME=$folder LC_ALL=C.UTF-8 TERM=dumb GRADUS_KERNELS=base OPENBLAS_CORETYPE=Prescott
unset NO_COLOR
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
        sed 's/^/  out: /' "$folder/out" | head -n 40
        sed 's/^/  err: /' "$folder/err" | head -n 20
    fi
}

run() {
    "$gradus" weave "$@" >"$folder/out" 2>"$folder/err" </dev/null
    status=$?
}

is() { [[ $status -eq $1 ]]; }
out_is() { [[ $(<"$folder/out") == "$1" ]]; }
out_has() { grep -qF -- "$1" "$folder/out"; }
err_has() { grep -qF -- "$1" "$folder/err"; }
err_empty() { [[ ! -s $folder/err ]]; }
has() { grep -qF -- "$2" "$1"; }
hasnt() { ! has "$@"; }

# ---- the documents ----
# Another Graphviz draws otherwise: then only the texts are compared.
same_graphviz=true
[[ $("$gradus-draw" --version) == "$(<tests/golden/draw/graphviz.version)" ]] || same_graphviz=false
for page in README.md examples/*.in.md; do
    [[ -e $page ]] || continue
    if $same_graphviz; then
        run "$page" -o "${page/.in.md/.md}" --check
        check "$page is woven (make weave)" is 0
    else
        mkdir -p "$folder/pages/examples"
        cp "$page" "$folder/pages/$page"
        run "$folder/pages/$page" -o "$folder/pages/${page/.in.md/.md}"
        check "the text of $page is woven (make weave); drawings left out: another Graphviz" \
            cmp -s "$folder/pages/${page/.in.md/.md}" "${page/.in.md/.md}"
    fi
done

cd "$folder" || exit 70
mkdir -p "a b"
cp "$root/tests/weave/page.in.md" "a b/"

# ---- a page with everything ----
run "a b/page.in.md" -o page.md
check 'a page with everything' is 0
check 'a page with everything: as expected' diff page.md "$root/tests/weave/page.md"
cp page.md again.md

# ---- a woven page is its own source ----
run page.md -o page.md
check 'weaving in place' is 0
check 'weaving in place: the same bytes' cmp -s page.md again.md
run "a b/page.in.md" -o "a b/page.md"
check 'a folder with a blank' is 0
check 'a folder with a blank: the same page' cmp -s "a b/page.md" page.md
check 'a folder with a blank: the same drawing' cmp -s "a b/page/the power.svg" "page/the power.svg"
check 'a link is a link' has page.md '(page/the%20power.svg)'
run "a b/page.in.md" -o page.md --check
check '--check: the page is not where its source is' is 0
check '--check: says so' out_is 'page.md: 9 blocks, 2 files, all up to date'
check '--check: silent' err_empty

# ---- stale ----
cp "$root/tests/weave/stale.md" page.md
rm "page/not_shown.svg"
touch page/old.svg page/notes.txt
sed -i 's/viewBox/viewbox/' "page/the power.svg"
cp page.md before.md
run "a b/page.in.md" -o page.md --check
check 'stale: status' is 1
sed -i 's/^\([-+]<svg\).*/\1/' out
check 'stale: how it is told' diff out "$root/tests/weave/stale.txt"
check 'stale: nothing is written' cmp -s page.md before.md
check 'stale: no drawing either' test ! -e page/not_shown.svg
run "a b/page.in.md" -o page.md
check 'stale: written anew' cmp -s page.md again.md
check 'surplus: told when weaving' err_has 'page/old.svg is surplus'
check 'surplus: not deleted' test -e page/old.svg
rm page/old.svg
run "a b/page.in.md" -o page.md --check
check 'fresh again' is 0
touch -d '2001-01-01' page.md
run "a b/page.in.md" -o page.md
check 'what is the same is not written' test ! page.md -nt "$root/Makefile"
run page.md -o none.md --check
check 'a page that is not there' is 1
check 'a page that is not there: told' out_has 'none.md is missing'
check 'a page that is not there: not written' test ! -e none.md

# ---- ends of lines ----
sed 's/$/\r/' again.md >crlf.md
mkdir crlf
run crlf.md -o crlf.md
check 'Windows line ends' is 0
tr -d '\r' <crlf.md | cmp -s - again.md
check 'Windows line ends: the same page' test $? -eq 0
check 'Windows line ends: in every line' test "$(grep -c $'\r$' crlf.md)" = "$(wc -l <crlf.md)"
twice() { # twice NAME TEXT WOVEN: TEXT is woven to WOVEN, and that to itself
    printf '%b' "$2" >twice.in.md
    printf '%b' "$3" >want.md
    run twice.in.md -o twice.md
    check "$1" cmp -s twice.md want.md
    run twice.md -o twice.md
    check "$1: again" cmp -s twice.md want.md
}
block='```gradus\n6 * 7\n```'
answer='```text result\ni64 = 42\n```'
twice 'no newline at the end' "$block" "$block\n\n$answer"
twice 'a newline at the end' "$block\n" "$block\n\n$answer\n"
twice 'empty lines at the end' "$block\n\n\n" "$block\n\n$answer\n\n\n"
twice 'text at once' "$block\ntext" "$block\n\n$answer\ntext"
twice 'block after block' "$block\n$block" "$block\n\n$answer\n$block\n\n$answer"
twice 'Windows, no newline at the end' '```gradus\r\n1\r\n```' '```gradus\r\n1\r\n```\r\n\r\n```text result\r\ni64 = 1\r\n```'
twice 'a drawing, then text at once' '```gradus\n:draw 1 + 1 a.dot\n```\ntext' \
    '```gradus\n:draw 1 + 1 a.dot\n```\n\n[a.dot](a.dot)<!-- woven -->\n\ntext'
twice 'a drawing at the end' '```gradus\n:draw 1 + 1 a.dot\n```' \
    '```gradus\n:draw 1 + 1 a.dot\n```\n\n[a.dot](a.dot)<!-- woven -->'
twice 'an old result goes' "\`\`\`gradus\na = 1\n\`\`\`\n\n$answer\n\ntext\n" '```gradus\na = 1\n```\n\ntext\n'
twice 'an empty block' '```gradus\n```\n' '```gradus\n```\n'
twice 'nothing' '' ''
twice 'a result with a fence' '```gradus fail\n1 ``` 2\n```\n' '```gradus fail\n1 ``` 2\n```\n\n````text result\nerror: ``` is not an operator of this language\n    1 ``` 2\n      ^\n````\n'
twice 'no block' '# Title\n\ntext' '# Title\n\ntext'

# ---- words ----
twice 'hidden' '```gradus hidden\n6 * 7\n```\n' "<!-- gradus hidden\n6 * 7\n-->\n\n$answer\n"
twice 'quiet' '```gradus quiet\n6 * 7\n```\n' '```gradus quiet\n6 * 7\n```\n'
twice 'hidden quiet' '```gradus  quiet hidden\n6 * 7\n```\n' '<!-- gradus  quiet hidden\n6 * 7\n-->\n'
twice 'fail' '```gradus fail\nx\n```\n' '```gradus fail\nx\n```\n\n```text result\nerror: `x` is not defined\n    x\n    ^\n```\n'
twice 'fresh' '```gradus\nx = 1\n```\n```gradus fresh fail\nx\n```\n' '```gradus\nx = 1\n```\n```gradus fresh fail\nx\n```\n\n```text result\nerror: `x` is not defined\n    x\n    ^\n```\n'

begin='<details><summary>Guess first, then look</summary> <!-- woven -->' end='</details> <!-- woven -->'
twice 'guess' '```gradus guess\n6 * 7\n```\n' "\`\`\`gradus guess\n6 * 7\n\`\`\`\n\n$begin\n\n$answer\n\n$end\n"
twice 'guess, then text at once' '```gradus guess\n6 * 7\n```\ntext\n' "\`\`\`gradus guess\n6 * 7\n\`\`\`\n\n$begin\n\n$answer\n\n$end\n\ntext\n"
twice 'nothing to guess' '```gradus guess\na = 1\n```\n' '```gradus guess\na = 1\n```\n'
question='question\nWhat is\n6 * 7?\nanswer: 6 * 7\nright: Of course.\n'
asked='> **Question.** What is <!-- woven -->\n> 6 * 7? <!-- woven -->\n\n<details><summary>Answer</summary> <!-- woven -->\n\n'
asked+='> `6 * 7` <!-- woven -->\n><!-- woven -->\n> Of course. <!-- woven -->\n\n</details> <!-- woven -->\n'
twice 'question' "\`\`\`gradus $question\`\`\`\n" "<!-- gradus $question-->\n\n$asked"
twice 'question, then text at once' "\`\`\`gradus $question\`\`\`\ntext\n" "<!-- gradus $question-->\n\n$asked\ntext\n"

# ---- pages put together at random ----
"$python" "$root/tests/weave/random_pages.py" "$gradus" 60 >out 2>err
status=$?
check 'random pages' is 0
[[ $(tail -n 1 out) =~ ^([0-9]+)' passed' ]] && passed=$((passed + BASH_REMATCH[1]))

# ---- what is wrong ----
wrong() { # wrong NAME TEXT MESSAGE: exit status 1, MESSAGE on stderr, nothing written
    printf '%b' "$2" >wrong.in.md
    rm -f wrong.md
    run wrong.in.md -o wrong.md
    check "$1: status" is 1
    check "$1" err_has "$3"
    check "$1: nothing is written" test ! -e wrong.md
}
wrong 'an error' 'text\n\n```gradus\nx = 1\n  y + x\n```\n' 'wrong.in.md:5:3: error: `y` is not defined'
check 'an error: its line' err_has '      y + x'
check 'an error: its caret' grep -q '^      ^$' err
wrong 'an error in an earlier block' '```gradus\nf(x) = x + nope\n```\n\n```gradus\nf(1)\n```\n' 'wrong.in.md:2:12: error: `nope` is not defined'
wrong 'an error in a command' '```gradus\n:type nope\n```\n' 'wrong.in.md:2:7: error: `nope` is not defined'
wrong 'a question without an answer' 'text\n```gradus question\nWhat?\nhint: no\n```\n' 'wrong.in.md:2:4: error: this question has no answer'
wrong 'an unknown word' '```gradus gess\n1\n```\n' 'did you mean guess?'
wrong 'an unclosed fence' 'text\n```gradus\n1\n' 'wrong.in.md:2:1: error: this fence is never closed'
wrong 'an unclosed fence of another kind' '~~~~ python\n~~~\n' 'wrong.in.md:1:1: error: this fence is never closed'
wrong 'an unclosed block in a comment' '<!-- gradus\n1\n' 'wrong.in.md:1:1: error: this comment is never closed'
wrong 'an unclosed comment' 'a\n<!-- b\n' 'wrong.in.md:2:1: error: this comment is never closed'
wrong 'an unknown word' '```gradus quiet hiden\n1\n```\n' 'wrong.in.md:1:17: error: a block of gradus cannot be hiden'
check 'an unknown word: hint' err_has 'did you mean hidden?'
wrong 'no failure' '```gradus fail\n1\n```\n' 'wrong.in.md:1:4: error: this block is marked `fail`, but it gives no error'
wrong 'a result of nothing' 'text\n\n```text result\n1\n```\n' 'wrong.in.md:3:1: error: this was woven, but no block'
wrong 'a drawing of nothing' '![a](b.svg)<!-- woven -->\n' 'wrong.in.md:1:1: error: this was woven, but no block'
wrong 'leaving' '```gradus\n:quit\n```\n' 'wrong.in.md:1:4: error: a block cannot leave with :quit'
wrong 'an end of a comment in a hidden block' '```gradus hidden\n1 # -->\n```\n' 'wrong.in.md:2:5: error: a hidden block becomes a comment'
wrong 'a drawing elsewhere' '```gradus\n:draw 1 + 1 ../x.svg\n```\n' 'wrong.in.md:2:13: error: ../x.svg is not in the folder of the page'
wrong 'a drawing at the root' '```gradus\n:draw 1 + 1 /tmp/x.svg\n```\n' 'error: /tmp/x.svg is not in the folder'
wrong 'two drawings of one name' '```gradus\n:draw 1 + 1 x.svg\n:draw 1 + 2 x.svg\n```\n' 'wrong.in.md:3:13: error: the page has another drawing of the name x.svg'
check 'two drawings of one name: none is written' test ! -e x.svg
wrong 'several mistakes' '```gradus what\nx\n```\n```\n' 'this fence is never closed'
check 'several mistakes: all are told' test "$(grep -c error: err)" = 3

# ---- the command line ----
run page.md
check 'without -o' is 2
run -o page.md
check 'without a page' is 2
run page.md again.md -o page.md
check 'two pages' is 2
run page.md -o page.md -e 1
check 'with -e' is 2
"$gradus" page.md -o page.md >out 2>err
status=$?
check '-o without weave' is 2
"$gradus" --check -e 1 >out 2>err
status=$?
check '--check without weave' is 2
run missing.md -o x.md
check 'no such page' is 3
check 'no such page: told' err_has 'missing.md cannot be read'
run twice.md -o no/such/x.md
check 'a folder that is not there' is 3
check 'a folder that is not there: told' err_has 'no/such/x.md cannot be written: No such file or directory'
run . -o x.md
check 'a folder as page' is 3
run page.md -o page
check 'a folder as output' is 3
: >page.new
printf '```gradus\n:draw 1 + 1 page.new/x.svg\n```\n' >in_file.md
run in_file.md -o in_file.md
check 'a file where a folder is needed' is 3
check 'a file where a folder is needed: told' err_has 'page.new/x.svg cannot be written'
if [[ -e /dev/full ]]; then
    printf '```gradus\n1\n```\n' >tests.in.md
    run tests.in.md -o /dev/full
    check 'a full disk' is 3
fi
if [[ $(id -u) -ne 0 ]]; then
    chmod 444 page.md
    printf 'more\n' >>again.md
    run again.md -o page.md
    check 'a page that cannot be written' is 3
fi

# ---- interruption ----
# An asynchronous command of a script ignores SIGINT unless it gets its handler back.
printf '```gradus fail\n(scan t for 100000000000 from r = 0.0 { r[t] = r[t-1] + 1.0 }).final\n```\n' >endless.md
"$python" - "$gradus" <<'PY' >out 2>err
import signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "weave", "endless.md", "-o", "endless_out.md"],
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(0.5)
p.send_signal(signal.SIGINT)
sys.exit(p.wait(timeout=20))
PY
status=$?
check '^C: status' is 130
check '^C: nothing is written' test ! -e endless_out.md

# ---- the same blocks under gradus test ----
printf '~~~gradus\n1  # => 2\n~~~\n\n````markdown\n```gradus\n1  # => 3\n```\n````\n\n```gradus fail\nx\n```\n```gradus fail\n1\n```\n```gradus\n' >tests.md
"$gradus" test tests.md >out 2>err
status=$?
check 'test: which blocks run' out_has 'tests.md: 4 blocks'
check 'test: a block that must fail, and one that does not' out_has '1 passed, 3 failed'
check 'test: where' out_has 'tests.md:15: expected an error, but there was none'
check 'test: an unclosed fence' out_has 'tests.md:17: this fence is never closed'
printf '```gradus\na = 1\n```\n\n```gradus\na + 1  # => 2\n```\n\n```gradus fresh\na = 2\n```\n' >tests.md
"$gradus" test tests.md >out 2>err
status=$?
check 'test: blocks are one program until one is fresh, as when they are woven' out_has '1 passed, 0 failed'

echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
