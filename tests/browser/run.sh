#!/usr/bin/env bash
# make browser: the pages of :explore in headless Chromium. Needs chromium, nodejs and npm; puts
# playwright-core and axe-core (from npm) into build/browser, where screenshots end too.
set -euo pipefail
cd "$(dirname "$0")/../.."
gradus=${1:-build/gradus}
out=$PWD/build/browser
for program in node npm chromium; do
    command -v $program >/dev/null || { echo "browser: $program is not installed" >&2; exit 1; }
done
mkdir -p "$out"
if [[ ! -d $out/node_modules/playwright-core || ! -d $out/node_modules/axe-core ]]; then
    npm install --silent --no-audit --no-fund --prefix "$out" playwright-core@1 axe-core@4
fi
"$gradus" examples/rnn.gr -e ":explore gW $out/rnn.html" >/dev/null
"$gradus" examples/lstm.gr -e ":explore grad(loss, Uf) $out/lstm.html" >/dev/null
"$gradus" -e 'x: f64[3]' -e ":explore log(1 + x) $out/small.html" >/dev/null
"$gradus" -e 'x: f64[3]' -e ":explore x $out/none.html" >/dev/null
exec node tests/browser/explore.mjs "$out"
