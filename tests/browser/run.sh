#!/usr/bin/env bash
# The pages of :explore and :play in headless Chromium.
#
#   run.sh [GRADUS] [--short] [--only=REGULAR-EXPRESSION]
#
# Needs chromium and node. playwright-core and axe-core come from npm into build/browser, where the
# screenshots end too. Exit status 3: something is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
gradus=build/gradus
options=()
for word in "$@"; do
    case $word in
    --*) options+=("$word") ;;
    *) gradus=$word ;;
    esac
done
out=$PWD/build/browser
missing() {
    echo "browser: $1" >&2
    exit 3
}
for program in node npm chromium; do
    command -v $program >/dev/null || missing "$program is not installed"
done
mkdir -p "$out"
if [[ ! -d $out/node_modules/playwright-core || ! -d $out/node_modules/axe-core ]]; then
    npm install --silent --no-audit --no-fund --prefix "$out" playwright-core@1 axe-core@4 ||
        missing 'npm cannot install playwright-core and axe-core'
fi
short=
for word in "${options[@]}"; do [[ $word != --short ]] || short=--short; done
bash tests/browser/graphs.sh "$gradus" "$out" $short 2>/dev/null
exec node tests/browser/explore.mjs "$out" "${options[@]}"
