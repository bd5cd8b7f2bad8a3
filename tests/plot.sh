#!/usr/bin/env bash
# Plots as SVG: well-formed, as many lines, points and cells as there are, no number that is none, the same
# bytes again.  Takes no arguments.  The last line:  N passed, N failed
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

gradus=$PWD/build/gradus
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_CONFIG_HOME=$folder XDG_STATE_HOME=$folder LC_ALL=C.UTF-8 TERM=dumb
passed=0
failed=0

cat >"$folder/p.gr" <<'END'
t : f64[50] = linspace(0.0, 6.25, 50)
k : f64 = 3.2
L = scan i for 60 from x = 0.3 { x[i] = k * x[i-1] * (1 - x[i-1]) }
END

# plot NAME COMMAND PYTHON: an expression over root (of the SVG), n(tag): how many, text
plot() {
    local name=$1 command=$2 condition=$3 said
    if said=$("$gradus" "$folder/p.gr" -e "$command" 2>&1) &&
        cp "$folder/x.svg" "$folder/first.svg" && "$gradus" "$folder/p.gr" -e "$command" >/dev/null &&
        cmp -s "$folder/x.svg" "$folder/first.svg" &&
        said=$(/usr/bin/python3 - "$folder/x.svg" "$condition" 2>&1 <<'END'
import re, sys
import xml.etree.ElementTree as tree
text = open(sys.argv[1], encoding="utf-8").read()
root = tree.fromstring(text)
n = lambda tag: sum(e.tag.endswith("}" + tag) for e in root.iter())
lines = [e.get("d") for e in root.iter() if e.get("stroke-width") == "1.8"]
says = lambda words: any((e.text or "") == words for e in root.iter())
assert not re.search(r'"[^"]*\b(nan|inf)\b[^"]*"', text), "a coordinate is no number"
width, height = float(root.get("width")), float(root.get("height"))
for e in root.iter():
    for key, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
        if e.get(key):
            assert -1 <= float(e.get(key)) <= most + 1, f"{e.tag} is outside"
    for x, y in re.findall(r"[ML](\S+) ([0-9.-]+)", e.get("d", "")):
        assert -1 <= float(x) <= width + 1 and -1 <= float(y) <= height + 1, "a line is outside"
assert eval(sys.argv[2]), sys.argv[2]
END
        ); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s\n%s\n' "$name" "$said"
    fi
}

x=$folder/x.svg
plot 'one line' ":plot sin(t) $x over t" 'len(lines) == 1 and n("circle") == 0 and says("t")'
plot 'three, with a title of markup' ":plot sin(t), cos(t), t / 6 $x title=\"a <b> & c\"" \
    'len(lines) == 3 and says("a <b> & c") and says("cos(t)")'
plot 'points' ":plot L $x kind=points" 'n("circle") == 60'
plot 'over an input' ":plot L[-1] over k from 2.5 to 4 samples=31 kind=points $x" 'n("circle") == 31 and says("k")'
plot 'bars' ":plot L $x kind=bars" 'n("rect") == 1 + 7'
plot 'a heat map' ":plot expand_dims(t, 0) * expand_dims(t, 1) $x" 'n("rect") == 1 + 50 * 50'
plot 'a large one: blocks' ":plot zeros((300, 400)) $x" 'n("rect") == 1 + 128 * 128'
plot 'gaps where nothing is finite' ":plot where(t > 3, log(t - 4), t) $x" \
    'len(lines) == 1 and lines[0].count("M") == 2'
plot 'nothing finite at all' ":plot t / 0 - t / 0 $x" 'len(lines) == 0'
plot 'one number' ":plot [7.0] $x" 'len(lines) == 1 and re.fullmatch("M[0-9.]+ [0-9.]+h0", lines[0])'
plot 'huge numbers' ":plot [-1e308, 1e308, 3.0] $x" 'len(lines) == 1'
plot 'equal numbers' ":plot [2.0, 2.0] $x" 'len(lines) == 1'

plot 'a part of it: cut at the borders' ":plot 10 * sin(t), cos(t) $x over t xrange=1..5 yrange=-1..1" \
    'len(lines) == 2 and lines[0].count("M") >= 1 and not says("6")'
plot 'bands: two of them and the median' ":plot expand_dims(t, 0) * expand_dims(t, 1) $x kind=bands" \
    'len(lines) == 1 and sum("fill-opacity" in e.attrib for e in root.iter()) == 2'
plot 'panels' ":plot t, 100 * sin(t), cos(t) $x over t panels=on" \
    'len(lines) == 3 and sum(e.text == "cos(t)" for e in root.iter()) == 1 and height > 500'
plot 'the index of a trace' ":plot L $x" 'says("i") and not says("index")'

# Quantiles as NumPy has them, of what is finite.
if "$gradus" --json -e 'A : f64[7, 3] = [[1,5,2],[2,4,9],[3,3,1],[8,2,1],[5,1,0],[6,7,0],[9,1,4]]' \
    -e ':plot A kind=bands' | /usr/bin/python3 -c '
import json, sys
import numpy as np
data = [json.loads(line) for line in sys.stdin][-1]["data"]["series"][0]
A = np.array([[1,5,2],[2,4,9],[3,3,1],[8,2,1],[5,1,0],[6,7,0],[9,1,4]])
for key, q in ("p05", 5), ("p25", 25), ("y", 50), ("p75", 75), ("p95", 95):
    assert np.allclose(data[key], np.percentile(A, q, axis=0)), (key, data[key])
'; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo 'FAILED quantiles'; fi

printf '%d passed, %d failed\n' $passed $failed
[[ $failed -eq 0 ]]
