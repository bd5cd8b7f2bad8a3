#!/bin/sh
# Writes pages with :explore and checks them without a browser: well formed, nothing asked of any
# network, size, the same bytes again, nothing of a name runs. Prints "N passed, N failed".
# tests/browser looks at them in Chromium and Firefox (make browser).
set -u
gradus=${1:-build/gradus}
root=$(cd "$(dirname "$0")/.." && pwd)
export PYTHONDONTWRITEBYTECODE=1
python=${PYTHON:-/usr/bin/python3}
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT INT TERM
passed=0
failed=0

check() { # check WHAT COMMAND...: counts one test
    what=$1
    shift
    if "$@" >"$dir/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        sed 's/^/    /' "$dir/log"
    fi
}

fails() { # fails STATUS ARGUMENT...: gradus ends with that status and says why
    want=$1
    shift
    "$gradus" "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    test "$got" -eq "$want" && test -s "$dir/err"
}

cat >"$dir/page.py" <<'PY'
import json, re, sys
from html.parser import HTMLParser
text = open(sys.argv[1], encoding="utf-8").read()
limit = int(sys.argv[2])
void = {"meta", "link", "input", "br"}
class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.data, self.seen = [], "", []
    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in ("src", "srcset", "action"), name
            assert name != "href" or value == "data:,", value
        if tag not in void:
            self.open.append((tag, dict(attrs)))
    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, ("unbalanced", tag, self.open[-3:])
        self.open.pop()
    def handle_data(self, s):
        if self.open and self.open[-1][1].get("id") == "data":
            self.data += s
page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
assert page.seen.count("script") == 2 and page.seen.count("style") == 1
assert not {"img", "iframe", "object", "embed", "base"} & set(page.seen)
assert "<" not in page.data, "an unescaped < in the data"
data = json.loads(page.data)
names = [p["name"] for p in data["passes"]]
assert names[0] == "source" and names[-1] == "result", names
for url in re.findall(r"https?://[^\s'\"<>)]*", text):
    assert url == "http://www.w3.org/2000/svg", url
assert "@import" not in text and "url(" not in text
assert len(text.encode()) < limit, len(text.encode())
sys.path.insert(0, sys.argv[3])
from explore_truth import read_numbers, read_since
nstrings = len(data["strings"])
turned = stayed = 0

def shown_in(v):
    """For each state which slots of nodes, boxes and edges show something."""
    sizes = (len(v["nodes"]), len(v["boxes"]), len(read_numbers(v["edges"])) // 7)
    now, out = [[False] * n for n in sizes], []
    for state in v["states"]:
        for there, letters in zip(now, state):
            flat, slot = read_numbers(letters), 0
            for way, what in zip(flat[::2], flat[1::2]):
                slot += way
                there[slot - 1] = what >= 0
        out.append([list(x) for x in now])
    return out

def points_of(way):
    """The ends of the curves of an edge, and its tip: of "x y tip" and 2 dx + corner, dy for each."""
    x, y, tip, *curves = way
    out = [x, y]
    assert len(curves) % 2 == 0
    for dx, dy in zip(curves[::2], curves[1::2]):
        x, y = x + (dx >> 1), y + dy
        out += [x, y]
    return out + ([x, y + tip] if tip else [])

def layouts_of(v):
    """(before, after, nodes, boxes, edges) of each pair of states: rectangles and points, or None."""
    states, ends = shown_in(v), read_numbers(v["edges"])
    sizes = read_numbers(v["layout"]["rooms"])
    nodes = [[0, 0, *sizes[2 * i:2 * i + 2]] for i in range(len(v["nodes"]))]
    boxes = [[0, 0, 0, 0] for _ in v["boxes"]]
    ways = [[] for _ in range(len(ends) // 7)]
    for before, after, width, height, *letters in v["layout"]["layouts"]:
        there = [[a or b for a, b in zip(x, y)] for x, y in zip(states[before], states[after])]
        numbers = [iter(read_numbers(s)) for s in letters]
        for was, present, way, count in ((nodes, there[0], numbers[0], 2), (boxes, there[1], numbers[1], 4)):
            for k in range(len(was)):
                if present[k]:
                    was[k] = [x + next(way) for x in was[k][:count]] + was[k][count:]
        lines = [None] * len(ways)
        for k in range(len(ways)):
            if present_edge := there[2][k]:
                ways[k] = read_since(numbers[2], ways[k])
                corner = boxes[ends[7 * k + 1] - 1] if ends[7 * k + 1] else nodes[ends[7 * k] - 1]
                lines[k] = points_of([ways[k][0] + corner[0], ways[k][1] + corner[1], *ways[k][2:]])
                assert len(lines[k]) >= 4 and present_edge, "an edge without a way"
                assert all(0 <= x <= width for x in lines[k][::2]), "an edge outside of the picture"
                assert all(0 <= y <= height for y in lines[k][1::2]), "an edge outside of the picture"
        assert all(next(n, None) is None for n in numbers), "more numbers than places"
        yield before, after, [list(r) if p else None for r, p in zip(nodes, there[0])], \
            [list(r) if p else None for r, p in zip(boxes, there[1])], lines, (width, height)

def check_order(was, now):
    """Counts pairs of nodes of one row in both layouts, and those that changed their order."""
    global turned, stayed
    both = [k for k in range(len(now)) if was[k] and now[k]]
    for i, a in enumerate(both):
        for b in both[i + 1:]:
            if was[a][1] == was[b][1] and now[a][1] == now[b][1]:
                stayed += 1
                turned += (was[a][0] < was[b][0]) != (now[a][0] < now[b][0])

def check_stops(v):
    """The layout of each stop alone: of what is there, and hardly turned round from the one before."""
    was, pairs = None, set()
    for before, after, nodes, boxes, lines, (width, height) in layouts_of(v):
        assert (before, after) not in pairs, "a pair twice"
        pairs.add((before, after))
        check_places(v, nodes + boxes, len(nodes))
        if was and min(len([x for x in nodes if x]), len([x for x in was if x])):
            check_order(was, nodes)
        right = max([r[0] + r[2] for r in nodes + boxes if r], default=0)
        assert right <= width and max([r[1] + r[3] for r in nodes + boxes if r], default=0) <= height
        was = nodes
    return pairs

def check_places(v, rects, n):
    """Nothing stands on anything else; what is in a box stands inside."""
    parents = [s[0] for s in v["nodes"]] + [s[0] for s in v["boxes"]]
    def around(k):
        while k:
            yield n + k - 1
            k = parents[n + k - 1]
    holders = [set(around(p)) for p in parents]
    shown = [k for k in range(len(rects)) if rects[k]]
    for k in shown:
        x, y, w, h = rects[k]
        for b in holders[k]:
            X, Y, W, H = rects[b]
            assert X <= x and Y <= y and x + w <= X + W and y + h <= Y + H, ("outside its box", k, b)
    order = sorted(shown, key=lambda k: rects[k][0])
    for i, a in enumerate(order):
        x, y, w, h = rects[a]
        for b in order[i + 1:]:
            X, Y, W, H = rects[b]
            if X >= x + w:
                break
            assert a in holders[b] or b in holders[a] or Y >= y + h or y >= Y + H, ("overlap", a, b)

def stands_of(letters, n):
    """(group, part, turn) of each slot, or None."""
    flat, out = iter(read_numbers(letters)), []
    for _ in range(n):
        k = next(flat)
        out.append(((k - 1) // 2, (k - 1) % 2, next(flat)) if k else None)
    return out

def check_folded(v):
    """What repeats has the same places in all turns; of any turn nothing lies on anything."""
    turns, folds, nodes, boxes, paths, closed, (_, _, at, around, lines, tails, heads) = v["folded"]
    turns, flat = read_numbers(turns), read_numbers(folds)
    frames = [tuple(flat[i:i + 3]) for i in range(0, len(flat), 3)]
    nn, nb = len(v["nodes"]), len(v["boxes"])
    assert len(at) == nn and len(around) == nb + len(frames)
    stands = stands_of(nodes, nn) + stands_of(boxes, nb)
    rects = [read_numbers(x) for x in at] + [read_numbers(x) for x in around[:nb]]
    frame_at = {f[:2]: read_numbers(around[nb + i]) for i, f in enumerate(frames)}
    parents = [s[0] for s in v["nodes"]] + [s[0] for s in v["boxes"]]
    hidden = sum(not r for r in rects)
    assert sum(s is not None for s in stands) + hidden > len(stands) / 2, "little is folded"
    assert all(s is None or 0 <= s[2] < turns[s[0]] for s in stands)
    def holds(a, k):
        while parents[k]:
            k = nn + parents[k] - 1
            if k == a:
                return True
        return False
    for part in (0, 0.5, 1):
        shown = [k for k, s in enumerate(stands) if rects[k] and (s is None or s[2] == int(part * (turns[s[0]] - 1)))]
        for k in shown:
            x, y, w, h = rects[k]
            if stands[k]:
                X, Y, W, H = frame_at[stands[k][:2]]
                assert X <= x and Y <= y and x + w <= X + W and y + h <= Y + H, ("outside its frame", k)
            for b in shown:
                X, Y, W, H = rects[b]
                apart = X >= x + w or x >= X + W or Y >= y + h or y >= Y + H
                assert k == b or apart or holds(k, b) or holds(b, k), ("overlap", k, b)
    for k in (k - 1 for k in read_numbers(paths) if k):
        assert lines[k] or tails[k] or heads[k], "an edge without a way"
    return len(shown)

def check_program(text):
    """Marks of nodes nest, and name nodes that the page tells of."""
    open_, parts = 0, re.split("(\x91\\d+\x92|\x9c)", text)
    for part in parts[1::2]:
        open_ += 1 if part[0] == "\x91" else -1
        assert open_ >= 0, text
        if part[0] == "\x91":
            assert isinstance(data["nodes"][int(part[1:-1]) - 1], list), (part, text)
    assert open_ == 0 and "".join(parts[::2]).strip(), text

def check_view(v):
    """Every state as versions of slots; a slot holds one thing. Returns what the texts say."""
    if "folded" in v:
        _, _, at, boxes, lines = v["layout"]
        check_places(v, [read_numbers(x) for x in at + boxes], len(at))
        check_folded(v)
        assert all(lines), "an edge without a way"
        v["pairs"] = None
    else:
        v["pairs"] = check_stops(v)
    assert len(v["texts"]) == len(v["states"])
    program = []
    for sentence, letters in v["texts"]:
        assert data["strings"][sentence], "a state without a formula"
        program = read_since(iter(read_numbers(letters)), program)
        check_program("\n".join(data["strings"][k] for k in program))
    ids = [[s[0], [x if isinstance(x, int) else x[0] for x in s[1:]]] for s in v["nodes"]]
    shown, graphs = [-1] * len(ids), []
    for state in v["states"]:
        flat, slot = read_numbers(state[0]), 0
        for way, what in zip(flat[::2], flat[1::2]):
            slot += way
            assert -1 <= what < len(ids[slot - 1][1]) and shown[slot - 1] != what
            shown[slot - 1] = what
        now = {}
        for k, (box, versions) in enumerate(ids):
            if shown[k] >= 0 and versions[shown[k]]:
                key = (box, versions[shown[k]])
                assert key not in now, "a node is shown twice"
                now[key] = k
        graphs.append(now)
    return graphs

def check_rows(rows, v):
    for r in rows:
        assert 0 <= r[7] < len(v["states"]) and 0 <= r[8] < len(v["states"]), r
        assert v["pairs"] is None or (r[7], r[8]) in v["pairs"], "a row without a layout"
        assert all(0 <= r[i] < nstrings for i in (0, 4, 5)) and 0 <= r[3] < len(data["rules"])
        for c in r[9]:
            assert c[0] >= 0 and c[1] >= 0
    return sum(r[1] == 0 for r in rows)

for v in data["views"]:
    check_view(v)
for p in data["passes"]:
    if "at" not in p:
        assert p.get("steps", 0) == 0
        continue
    tops = check_rows(p["rows"], data["views"][p["view"]])
    assert tops == p.get("steps", 0), (p["name"], tops)
    numbers = {data["strings"][r[0]] for r in p["rows"]}
    for number, rows, view in p["opened"]:
        assert number in numbers and rows, number
        numbers |= {data["strings"][r[0]] for r in rows}
        check_view(view)
        check_rows(rows, view)
assert turned <= 0.03 * stayed, (turned, stayed)
PY

page() { # page NAME EXPR LIMIT ARGUMENT...: writes it twice, and looks at it
    name=$1
    expr=$2
    limit=$3
    shift 3
    check "$name: is written" "$gradus" "$@" -e ":explore $expr $dir/$name.html"
    mv "$dir/$name.html" "$dir/again.html"
    check "$name: again" "$gradus" "$@" -e ":explore $expr $dir/$name.html"
    check "$name: has the same bytes" cmp "$dir/$name.html" "$dir/again.html"
    check "$name: is sound" "$python" "$dir/page.py" "$dir/$name.html" "$limit" "$root/tests"
    check "$name: marks what changed" "$python" "$root/tests/explore_truth.py" --check \
        "$gradus" "$dir/$name.html" "$expr" "$@"
}

# marks NAME EXPR ARGUMENT...: of every step, and the lives of all that it draws
marks() {
    name=$1
    expr=$2
    shift 2
    check "$name: is written" "$gradus" "$@" -e ":explore $expr $dir/$name.html"
    check "$name: marks what changed" "$python" "$root/tests/explore_truth.py" --check \
        "$gradus" "$dir/$name.html" "$expr" "$@"
}

page small 'x + x * 0' 153000 -e 'x: f64[3]'
page constant '1 + 1' 153000
page fold 'log(1 + x) + log(1 + x)' 154000 -e 'x: f64[n]'
page rnn gW 450000 "$root/examples/rnn.gr"
page lstm 'S.h' 280000 "$root/examples/lstm.gr"
page gradient gs 900000 "$root/examples/lstm.gr" \
    -e 'gs = grad(loss, [Wi, Wf, Wo, Wc, Ui, Uf, Uo, Uc, bi, bf, bo, bc])'
page nested 'grad(loss, w)' 310000 "$root/tests/browser/nested.gr"
page two 'grad(sum(tanh(W @ x)), W)' 163000 -e 'W: f64[3,3]' -e 'x: f64[3]'
# From 400 nodes on what repeats is drawn once.
{
    echo 'z0 : f64[8]'
    for k in $(seq 0 99); do
        echo "w$k : f64[8, 8]"
        echo "b$k : f64[8]"
        echo "z$((k + 1)) = tanh(w$k @ z$k + b$k)"
    done
} >"$dir/layers.gr"
page layers 'sum(z100)' 1500000 "$dir/layers.gr"
check "layers: it is folded" grep -q '"folded":' "$dir/layers.html"
check "fewer nodes are not" sh -c "! grep -q '\"folded\":' '$dir/gradient.html'"
# 300 nodes and more, over 300 steps: no state is written as a whole.
{
    echo 'z0 : f64[8]'
    for k in $(seq 0 15); do
        echo "w$k : f64[8, 8]"
        echo "b$k : f64[8]"
        echo "z$((k + 1)) = log(1 + sqr(w$k @ z$k * 1 + b$k + 0)) * 1 * 1 * 1 + 0"
    done
} >"$dir/steps.gr"
check "many steps: is written" "$gradus" "$dir/steps.gr" -e ":explore grad(sum(z16), w0) $dir/steps.html"
check "many steps: is sound" "$python" "$dir/page.py" "$dir/steps.html" 2000000 "$root/tests"
marks checkpoint g "$root/examples/checkpoint.gr"
marks gibbs S "$root/examples/gibbs.gr"
marks hessian H "$root/examples/jacobian.gr"
marks mandelbrot picture "$root/examples/mandelbrot.gr"
marks newton root "$root/examples/newton.gr"
marks polynomial poly "$root/examples/polynomial.gr"
marks power 'grad(loss, A)' "$root/examples/power.gr"
marks triangular triangular "$root/examples/triangular.gr"
marks branch 'grad(sum(f(x)), x)' -e 'x: f64[3]' -e 'f(a) = if sum(a) > 0 then a * 2 else a * a'
marks lanes 'vmap(a -> sum(tanh(a) * w))(X)' -e 'X: f64[4, 3]' -e 'w: f64[3]'

# Operations and bytes: a product counts two for each pair, a loop its body as often as it runs.
cat >"$dir/cost.py" <<'PY'
import sys
sys.path.insert(0, sys.argv[2])
from explore_truth import page_data
data = page_data(sys.argv[1])
text = data["strings"]
costs = {text[n[0]]: (text[n[4]], text[n[5]]) for n in data["nodes"] if isinstance(n, list)}
want = dict(pair.split("=") for pair in sys.argv[3:])
for op, cost in want.items():
    assert costs.get(op) == tuple(cost.split(",")), (op, costs.get(op), cost)
PY
costs() { # costs EXPR OP=OPERATIONS,BYTES... -- ARGUMENT...
    expr=$1
    shift
    want=""
    while [ "$1" != -- ]; do want="$want $1" && shift; done
    shift
    check "the costs of $expr" "$gradus" "$@" -e ":explore $expr $dir/c.html"
    # shellcheck disable=SC2086
    check "they are$want" "$python" "$dir/cost.py" "$dir/c.html" "$root/tests" $want
}
costs 'tanh(W @ x)' 'matmul=24,152' 'tanh=3,48' 'input=0,0' -- -e 'W: f64[3, 4]' -e 'x: f64[4]'
costs 'prod(A @ B)' 'matmul=30*n,64*n+120' 'prod=3*n,24*n+8' -- -e 'A: f64[n, 5]' -e 'B: f64[5, 3]'
costs 'cholesky(A)' 'cholesky=9,144' -- -e 'A: f64[3, 3]'

# Names are plain words, but texts and file names are not: none may end the data or run.
evil="$dir/<script>alert(1)<!--.gr"
printf 'y: f64[2]\nloss = sum(y * 1 + log(1 + y))\n' >"$evil"
check "a hostile file name" "$gradus" "$evil" -e ":explore loss $dir/h.html"
check "it is told as data" grep -q 'u003cscript>alert(1)' "$dir/h.html"
check "its page is sound" "$python" "$dir/page.py" "$dir/h.html" 160000 "$root/tests"
check "a hostile title" "$gradus" -e 'y: f64[2]' -e ":explore y < 2 $dir/t.html"
check "its page is sound" "$python" "$dir/page.py" "$dir/t.html" 160000 "$root/tests"
check "the title is escaped" grep -q '<title>y &lt; 2 - Gradus' "$dir/t.html"

# Numbers that nodes are filled by, rules that came near: only where they are asked for.
asked() { # asked FILE SCALE NUMBERS UNFIRED: name of the scale, how many have a number, a rule and words of why
    "$python" - "$@" <<'PY'
import json, re, sys
path, scale, numbers, rule, why = sys.argv[1:]
data = json.loads(re.search(r'id="data">(.*?)</script>', open(path, encoding="utf-8").read(), re.S)[1])
s = data["strings"]
if scale:
    assert data["scale"]["name"] == scale and len(data["scale"]["of"]) == int(numbers), data["scale"]
else:
    assert "scale" not in data
if rule:
    near = [[k, *(s[i] for i in rest)] for k, *rest in data["unfired"]]
    assert any(r == rule and why in w for _, r, w, _ in near), near
else:
    assert "unfired" not in data
PY
}
printf '{"x": 1.5, "%%1": -2, "y": 3}' >"$dir/n.json"
printf '{"x": 1.5, "nowhere": 2}' >"$dir/wrong.json"
near='x: f64[3]; y = exp(x) * log(x)'
check "color=time" "$gradus" -e "$near" -e ":explore y color=time $dir/told.html"
check "times of the result" asked "$dir/told.html" time 3 '' ''
check "color=FILE.json" "$gradus" -e "$near" -e ":explore y color=$dir/n.json $dir/told.html"
check "numbers of names and of %k" asked "$dir/told.html" n.json 6 '' ''
check "whynot=on" "$gradus" -e "$near" -e ":explore y whynot=on $dir/told.html"
check "a rule that came near" asked "$dir/told.html" '' 0 exp-exp "has no other matching operand"
check "nothing of that unasked" "$gradus" -e "$near" -e ":explore y $dir/told.html"
check "no numbers, no rules" asked "$dir/told.html" '' 0 '' ''
check "a name that is nowhere" fails 1 -e "$near" -e ":explore y color=$dir/wrong.json $dir/x.html"
check "it is named" grep -q 'wrong.json:1: nothing on this page is nowhere' "$dir/err"
check "another word" fails 1 -e "$near" -e ":explore y color=pink $dir/x.html"
check "sizes for costs" "$gradus" -e 'x: f64[n]' -e ":explore exp(x) assume=7 $dir/told.html"

# Without a file: into the cache, the same place for the same text, and nothing is opened.
cache() { # cache ARGUMENT...: the file that it says
    XDG_CACHE_HOME="$dir/cache" DISPLAY=:0 "$gradus" "$@" | sed -n 's/: [0-9]* steps\{0,1\}[, ].*//p'
}
same() { test "$(cache -e 'x: f64[3]' -e ":explore $1")" = "$dir/cache/gradus/$2" && test -s "$dir/cache/gradus/$2"; }
other() { test "$(cache -e 'x: f64[3]' -e ":explore x + x")" != "$(cache -e 'x: f64[3]' -e ":explore x * x")"; }
mkdir "$dir/bin"
printf '#!/bin/sh\necho "$@" >>%s/opened\n' "$dir" >"$dir/bin/xdg-open"
chmod +x "$dir/bin/xdg-open"
PATH="$dir/bin:$PATH"
check "no file: the cache" same x explore-x.html
check "no file: a name for each text" other
check "open=no" same 'x open=no' explore-x.html
check "nothing is opened where nobody looks" test ! -e "$dir/opened"
opens() { # opens WHETHER ARGUMENT...: in a terminal
    want=$1
    shift
    rm -f "$dir/opened"
    XDG_CACHE_HOME="$dir/cache" DISPLAY=:0 "$python" -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
        "$gradus" -e 'x: f64[3]' "$@" </dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        if test -e "$dir/opened"; then break; fi
        test "$want" = yes || break
        sleep 1
    done
    test "$want" = "$(test -s "$dir/opened" && echo yes || echo no)"
}
check "it opens at a terminal" opens yes -e ':explore x'
check "open=off at a terminal" opens no -e ':explore x open=off'
check "a file of one's own is not opened" opens no -e ":explore x $dir/own.html"
check "no home, no cache" env -u HOME -u XDG_CACHE_HOME sh -c "! '$gradus' -e ':explore 1 + 1' 2>'$dir/err' && grep -q HOME '$dir/err'"
check "another kind of file" fails 1 -e ":explore 1 + 1 $dir/x.svg"
check "a folder that is not there" fails 3 -e ":explore 1 + 1 $dir/no/x.html"
check "an unknown name" fails 1 -e ":explore nonsense $dir/x.html"
check "no page is left behind" sh -c "test ! -e '$dir/x.html'"

# The page of an e-graph: a frame in the picture for each iteration, nothing asked of any server.
growth() { # growth FILE
    "$python" - "$1" <<'PY'
import json, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
frames = re.findall(r'<g class="box kind-frame', data["svg"])
sizes = [list(map(int, re.findall(r"(\d+) (?:e-nodes|classes)", f["size"]))) for f in data["frames"]]
good = len(frames) == len(sizes) > 2 and sizes[0][0] < sizes[-1][0] and "stroke-dasharray" in data["svg"]
good = good and not re.search(r"(?:src|href)=\"(?!data:)", page.replace("\\", "")) and "type=\"range\"" in page
sys.exit(not good)
PY
}
check "the page of an e-graph" "$gradus" -e 'x: f64[9]; y: f64[9]' -e ":explore (exp(x) * exp(y))[1] egraph=on $dir/g.html"
check "its frames" growth "$dir/g.html"
check "an e-graph needs a file" fails 1 -e "x: f64" -e ":explore x egraph=on"

echo "$passed passed, $failed failed"
test "$failed" -eq 0
