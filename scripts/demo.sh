#!/usr/bin/env bash
# The main job on a real example: examples/tour.gr evaluates, shows the rewrite steps, draws.
# The drawings go to build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."

gradus=$PWD/build/gradus
example=$PWD/examples/tour.gr
if [[ ! -x $gradus ]]; then
    echo 'demo: build/gradus is not there (yet)' >&2
    exit 1
fi

mkdir -p build/demo
cd build/demo

echo 'The program, examples/tour.gr:'
echo
sed 's/^/  | /; s/ *# =>.*//; s/ *$//' "$example"
echo
echo 'What it prints:'
echo
"$gradus" "$example"

cat <<'END'

What to look at next:

  build/demo/rnn.svg        the network: the loop is a box with its body inside
  build/demo/gradient.svg   its gradient as written: one node that owns a graph
  build/demo/expanded.svg   the gradient after all passes: a second loop, backwards
  build/demo/step.svg       one step, with what it added (+) and removed (-)

  build/gradus              the prompt; there, `:load examples/rnn.gr`, then
    :steps gW                 every step, by pass, with its rule
    :step gW                  walk through them: n, p, until RULE, in, out
    :why %30 gW               the steps that made node %30
    :graph gW pass=loops      the graph in the language, after a pass
    :help                     everything else
  examples/                 one short program per kind of loop, with comments
END
