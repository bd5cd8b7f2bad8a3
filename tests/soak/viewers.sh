#!/usr/bin/env bash
# Drawings look the same in Chromium, resvg and rsvg-convert (tests/browser/viewers.mjs), where these are there; resvg
# and playwright-core come from npm into build/browser. Prints "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 70
left_out() {
    echo "LEFT OUT: drawings were not compared between viewers: $1"
    echo '0 passed, 0 failed'
    exit 0
}
for program in node npm chromium; do
    command -v $program >/dev/null || left_out "$program is not installed"
done
timeout 60 chromium --headless --no-sandbox --disable-gpu --dump-dom about:blank >/dev/null 2>&1 ||
    left_out 'chromium does not start'
out=$PWD/build/browser
mkdir -p "$out"
if [[ ! -d $out/node_modules/playwright-core || ! -d $out/node_modules/@resvg/resvg-js ]]; then
    npm install --silent --no-audit --no-fund --prefix "$out" playwright-core@1 @resvg/resvg-js@2 >&2 ||
        left_out 'npm cannot install playwright-core and @resvg/resvg-js'
fi
exec node tests/browser/viewers.mjs "$out" "${1:-build/gradus}"
