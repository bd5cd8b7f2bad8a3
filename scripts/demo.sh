#!/usr/bin/env bash
# The main job on a real example: evaluates, shows the rewrite steps, draws.
# Drawings and pages go to build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."

gradus=$PWD/build/gradus
if [[ ! -x $gradus ]]; then
    echo 'demo: build/gradus is not there (yet)' >&2
    exit 1
fi
example=examples/demo.gr
if [[ ! -e $example ]]; then
    echo "demo: $example is not there (yet)" >&2
    exit 1
fi

mkdir -p build/demo
example=$PWD/$example
cd build/demo
"$gradus" "$example"
echo
echo 'Files in build/demo:'
ls -1
