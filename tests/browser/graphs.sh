#!/usr/bin/env bash
# The pages that are looked at, and what their steps truly change: graphs.sh GRADUS DIRECTORY [--short]
#
#   rnn lstm   examples, the gradients of loops     nested  a loop in a loop
#   chain      100 nodes and 50 steps               net     200 nodes
#   small none names asked                          loops  sixteen loops, closed
#   layers     a net of 90 layers, folded           film film-none  loops, of :play, film-back  without
#   growth     an e-graph
#   calls      functions called in a loop           inputs      500 of them
#   names      from right to left, and of 10,000 letters
#   deep       the gradient of a net of 75 layers: two views, both folded
set -euo pipefail
cd "$(dirname "$0")/../.."
gradus=$1
dir=$2

# 100 nodes, 50 steps: in each link a logarithm becomes another, and a factor 1 goes.
{
    echo 'x : f64[8] = [1, 2, 3, 4, 5, 6, 7, 8]'
    echo 'z0 = x'
    for k in {0..24}; do echo "z$((k + 1)) = log(1 + sin(z$k * $((k + 2)))) * 1"; done
    echo 'y = sum(z25)'
} >"$dir/chain.gr"

# 200 nodes: ten narrow nets side by side, four layers each.
{
    echo 'x : f64[8] = [1, 2, 3, 4, 5, 6, 7, 8]'
    for i in {0..9}; do
        echo "w$i : f64[8, 8]"
        echo "z$i = x"
        for k in {1..4}; do echo "z$i = tanh(w$i @ z$i) + log(1 + sqr(z$i))"; done
    done
    echo 'y = sum(z0 + z1 + z2 + z3 + z4 + z5 + z6 + z7 + z8 + z9)'
} >"$dir/net.gr"

# 90 layers: from 400 nodes on what repeats is drawn once.
{
    echo 'z0 : f64[8] = [1, 2, 3, 4, 5, 6, 7, 8]'
    for k in {0..89}; do
        echo "w$k : f64[8, 8]"
        echo "b$k : f64[8]"
        echo "z$((k + 1)) = tanh(w$k @ z$k + b$k) * 1"
    done
    echo 'y = sum(z90)'
} >"$dir/layers.gr"

{
    echo 'z0 : f64[8] = [1, 2, 3, 4, 5, 6, 7, 8]'
    for k in {0..74}; do
        echo "w$k : f64[8, 8]"
        echo "b$k : f64[8]"
        echo "z$((k + 1)) = tanh(w$k @ z$k + b$k)"
    done
    echo 'y = sum(z75)'
} >"$dir/deep.gr"

# Sixteen loops that are not alike, 25 nodes each: they are closed.
{
    echo 'u : f64[50]'
    steps=('tanh(%s)' '%s * u[t]' 'sin(%s)' 'exp(%s)' 'sqr(%s)' 'cos(%s) + u[t]')
    for k in {0..15}; do
        echo "s$k = scan t over u from a = 0.$k, b = $k.5 {"
        last='a[t-1]'
        for j in {0..23}; do
            # shellcheck disable=SC2059
            printf "  q$j = ${steps[((k >> (j % 4)) & 1) * 3 + (j * j + j / 5) % 3]}\n" "$last"
            last=q$j
        done
        printf '  a[t] = %s * 0.1 + b[t-1]\n  b[t] = b[t-1] * 0.9 + %s\n}\n' "$last" "$last"
    done
    echo "y = $(printf 'sum(s%d.a) + ' {0..15})0.5"
} >"$dir/loops.gr"

# Names as nobody should choose them.
long=$(printf 'a%.0s' {1..10000})
{
    echo "$long : f64[3]"
    echo 'שלום : f64[3]'
    echo "مرحبا = tanh($long + שלום) * 1"
    echo 'y = log(1 + مرحبا)'
} >"$dir/names.gr"

{
    for k in {0..499}; do echo "x$k : f64[3]"; done
    echo "y = $(printf 'tanh(x%d) + ' {0..498})tanh(x499)"
} >"$dir/inputs.gr"

# page NAME EXPR ARGUMENT...
page() {
    local name=$1 expr=$2
    shift 2
    "$gradus" "$@" -e ":explore $expr $dir/$name.html" >/dev/null
    /usr/bin/python3 tests/explore_truth.py "$gradus" "$dir/$name.html" "$expr" "$@" >"$dir/$name.json"
}
film() {
    local name=$1 command=$2
    shift 2
    "$gradus" "$@" -e ":play $command $dir/$name.html" >/dev/null
}
film film 'sum(H) grad=w' -e 'x: f64[4] = [0.2, -0.4, 0.3, 0.8]; w: f64 = 0.5' \
    -e 'H = scan t over x from h = 1.1 { a = w * x[t]; h[t] = tanh(a + h[t-1]) }'
film film-none P -e 'P = scan t for 0 from p = 1.0 { p[t] = 2 * p[t-1] }'
film film-back 'tanh(x * y) + x * x' -e 'x: f64 = 0.5; y: f64 = 2'
"$gradus" -e 'x: f64[9]; y: f64[9]' -e ":explore (exp(x) * exp(y))[1] + sum(log(exp(x) * y)) egraph=on $dir/growth.html" >/dev/null
page rnn gW examples/rnn.gr
page small 'log(1 + x)' -e 'x: f64[3]'
page none x -e 'x: f64[3]'
"$gradus" -e 'x: f64[3] = [1, 2, 3]; y = exp(x) * log(x)' -e ":explore y whynot=on color=time $dir/asked.html" >/dev/null
"$gradus" "$dir/layers.gr" -e ":explore y $dir/layers.html" >/dev/null
"$gradus" "$dir/loops.gr" -e ":explore y $dir/loops.html" >/dev/null
"$gradus" "$dir/names.gr" -e ":explore y $dir/names.html" >/dev/null
[[ ${3:-} != --short ]] || exit 0
"$gradus" "$dir/inputs.gr" -e ":explore y $dir/inputs.html" >/dev/null
"$gradus" "$dir/deep.gr" -e ":explore grad(y, w0) $dir/deep.html" >/dev/null
"$gradus" examples/gibbs.gr -e ":explore L $dir/calls.html" >/dev/null
page lstm 'grad(loss, Uf)' examples/lstm.gr
page nested 'grad(loss, w)' tests/browser/nested.gr
page chain y "$dir/chain.gr"
page net y "$dir/net.gr"
