#!/usr/bin/env bash
# The pages of :explore in headless Chromium and Firefox, in each that is there; those of :play in Chromium.
#
#   run.sh [GRADUS] [--short] [--only=REGULAR-EXPRESSION]
#
# Needs node and a browser. playwright-core, axe-core and ws come from npm into build/browser, where the
# screenshots end too. Prints "N passed, N failed". Exit status 3: something is missing.
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
for program in node npm; do
    command -v $program >/dev/null || missing "$program is not installed"
done
chromium=$(command -v chromium || true)
firefox=$(command -v firefox-esr || command -v firefox || true)
# A browser may be there and not start: without a library, or in a sandbox that it cannot have.
[[ -z $chromium ]] || timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --dump-dom about:blank >/dev/null 2>&1 || chromium=
[[ -z $firefox ]] || timeout 60 "$firefox" --version >/dev/null 2>&1 || firefox=
[[ -n $chromium$firefox ]] || missing 'neither chromium nor firefox-esr is installed and starts'
mkdir -p "$out"
for package in playwright-core axe-core ws; do
    if [[ ! -d $out/node_modules/$package ]]; then
        npm install --silent --no-audit --no-fund --prefix "$out" playwright-core@1 axe-core@4 ws@8 ||
            missing 'npm cannot install playwright-core, axe-core and ws'
    fi
done
short=
for word in "${options[@]}"; do [[ $word != --short ]] || short=--short; done
bash tests/browser/graphs.sh "$gradus" "$out" $short 2>/dev/null

passed=0
failed=0
look() { # look NAME SCRIPT: in one browser, and adds up
    local log=$out/$1.log
    node "tests/browser/$2" "$out" "${options[@]}" | tee "$log" | grep -vE '^[0-9]+ passed, [0-9]+ failed$' || true
    local p f
    read -r p _ f _ < <(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" || echo '0 passed, 1 failed')
    passed=$((passed + p))
    failed=$((failed + f))
}
if [[ -n $chromium ]]; then look chromium explore.mjs; else echo 'LEFT OUT: the pages in Chromium: it is not installed, or does not start'; fi
if [[ -n $firefox ]]; then
    FIREFOX=$firefox look firefox firefox.mjs
else
    echo 'LEFT OUT: the pages in Firefox: firefox-esr is not installed, or does not start'
fi
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
