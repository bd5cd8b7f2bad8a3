#!/bin/sh
# Renders every scene under tests/golden/scene with gradus-draw (${1:-build/gradus-draw}) and checks what
# must hold of any picture. Prints "N passed, N failed"; fails if anything did.
set -u
draw=${1:-build/gradus-draw}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-/usr/bin/python3}
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT INT TERM
passed=0
failed=0

check() { # check WHAT COMMAND...: counts one test
    what=${1:-build/gradus-draw}
    shift
    if "$@" >"$dir/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        sed 's/^/    /' "$dir/log"
    fi
}

render() { # render FORMAT SCENE OUT
    "$draw" --format "${1:-build/gradus-draw}" <"$2" >"$3"
}

exits() { # exits STATUS INPUT ARGUMENT...
    want=${1:-build/gradus-draw}
    input=$2
    shift 2
    printf '%s' "$input" | "$draw" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    test "$got" -eq "$want" || { echo "exit status $got, not $want"; return 1; }
    test "$want" -eq 0 || { test -s "$dir/err" && test ! -s "$dir/out"; }
}

# Well formed, with title, description and role; no script, no link, no reference to anything outside.
cat >"$dir/svg.py" <<'PY'
import os, sys
import xml.etree.ElementTree as ET
text = open(sys.argv[1], encoding="utf-8").read()
root = ET.fromstring(text)
ns = "{http://www.w3.org/2000/svg}"
assert root.tag == ns + "svg", root.tag
assert root.get("role") == "img" and root.get("aria-labelledby"), "no role or label"
labels = root.get("aria-labelledby").split()
for name, label in zip(("title", "desc"), labels):
    e = root.find(ns + name)
    assert e is not None and (e.text or "").strip(), "no " + name
    assert e.get("id") == label, name + " has another id"
ids = [e.get("id") for e in root.iter() if e.get("id")]
assert len(ids) == len(set(ids)), "an id is used twice"
bad = [e.tag for e in root.iter() if e.tag in (ns + "script", ns + "a", ns + "image", ns + "foreignObject")]
assert not bad, bad
assert not [k for e in root.iter() for k in e.keys() if k.startswith("on") or k.endswith("href")], "active attribute"
for word in ("<script", "<!DOCTYPE", "<!--", "<?xml", "Graphviz", "/home/", "/usr/", os.getcwd()):
    assert word not in text, word
PY

for scene in "$here"/golden/scene/*.json; do
    name=$(basename "$scene" .json)
    for format in svg png pdf dot json tex mmd sixel; do
        check "$name: $format" render $format "$scene" "$dir/1.$format"
        check "$name: $format again" render $format "$scene" "$dir/2.$format"
        check "$name: $format has the same bytes" cmp "$dir/1.$format" "$dir/2.$format"
    done
    check "$name: the SVG is sound" "$python" "$dir/svg.py" "$dir/1.svg"
    check "$name: the PNG is one" sh -c "head -c 4 '$dir/1.png' | grep -q PNG"
    check "$name: the PDF is one" sh -c "head -c 5 '$dir/1.pdf' | grep -q '%PDF-'"
    check "$name: the PDF tells no time" sh -c "! grep -aq Date '$dir/1.pdf'"
    check "$name: the JSON is one" "$python" -m json.tool "$dir/1.json" "$dir/null"
    check "$name: the JSON draws the same" render svg "$dir/1.json" "$dir/3.svg"
    check "$name: with the same bytes" cmp "$dir/1.svg" "$dir/3.svg"
    if command -v dot >/dev/null; then
        check "$name: dot reads the DOT" dot -Tcanon -o "$dir/null" "$dir/1.dot"
    fi
done

good='{"nodes":[{"op":"a"}]}'
check "a small scene" exits 0 "$good"
check "an empty scene" exits 0 '{"nodes":[]}'
check "no JSON" exits 1 'nonsense'
check "nothing at all" exits 1 ''
check "no scene" exits 1 '[]'
check "a wrong word" exits 1 '{"nodes":[{"class":"nonsense"}]}'
check "a wrong type" exits 1 '{"nodes":[{"label":7}]}'
check "a missing box" exits 1 '{"nodes":[{"box":2}]}'
check "a box in itself" exits 1 '{"nodes":[],"boxes":[{"parent":1}]}'
check "a missing node" exits 1 '{"nodes":[{}],"edges":[{"from":1,"to":2}]}'
check "a NUL" exits 1 '{"nodes":[{"label":"\u0000"}]}'
check "an unsafe background" exits 1 '{"background":"url(x)","nodes":[]}'
check "no scale" exits 1 '{"scale":0,"nodes":[]}'
check "too fine" exits 1 '{"dpi":1000000,"nodes":[]}'
check "an unsafe prefix" exits 1 '{"prefix":"a b","nodes":[]}'
check "an unknown option" exits 2 "$good" --nonsense
check "an unknown format" exits 2 "$good" --format gif
check "a bad limit" exits 2 "$good" --time-limit soon
check "a full disk" sh -c "printf '%s' '$good' | '$draw' >/dev/full; test \$? -eq 3"

# The command :draw, made families of scenes.
GRADUS_EFFORT=${GRADUS_EFFORT:-12} "$python" "$here/drawings.py" --gradus "$(dirname "$draw")/gradus" >"$dir/made"
made=$?
grep -v ' passed, [0-9]* failed$' "$dir/made"
last=$(tail -n 1 "$dir/made")
case $last in
*' passed, '*' failed')
    more=${last#* passed, }
    passed=$((passed + ${last%% *}))
    failed=$((failed + ${more%% *}))
    ;;
*) failed=$((failed + 1)) ;;
esac
test "$made" -eq 0 || echo "drawings.py: exit status $made"

echo "$passed passed, $failed failed"
test "$failed" -eq 0
