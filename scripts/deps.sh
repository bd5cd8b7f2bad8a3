#!/usr/bin/env bash
# Installs what is missing, or says how.  deps.sh [build|test|soak|browser|check]
#
#   build    what building and running needs
#   test     that, and what the tests need (default)
#   soak     that, and PyTorch, Numba and SciPy to compare with; where that cannot be had the tests say what is left out
#   browser  that of test, and what looking at the pages of :explore in Chromium and Firefox needs
#   check    installs nothing: says what is missing for building
#
# Looks at files only, so that it is fast, silent and offline when nothing is missing.
# Exit status: 0 all there, 3 something is missing and could not be installed.
set -euo pipefail

what=${1:-test}
multiarch=$(gcc -print-multiarch 2>/dev/null || true)
missing=()

# need PACKAGE PATTERN...: one of the files (globs) must exist; a bare word is a command.
need() {
    local package=$1 pattern
    shift
    for pattern in "$@"; do
        if [[ $pattern == */* ]]; then
            compgen -G "$pattern" >/dev/null && return
        else
            command -v "$pattern" >/dev/null && return
        fi
    done
    missing+=("$package")
}
header() { need "$1" "/usr/include/$2" "/usr/include/$multiarch/$2" "/usr/local/include/$2"; }

need gcc gcc
need libc6-dev /usr/include/stdio.h
need make make
need pkg-config pkg-config
header libreadline-dev readline/readline.h
need libopenblas-serial-dev "/usr/lib/$multiarch/libopenblas.so" /usr/lib/libopenblas.so /usr/lib64/libopenblas.so
header liblapacke-dev lapacke.h
header libgraphviz-dev graphviz/gvc.h
header libjansson-dev jansson.h
header librsvg2-dev librsvg-2.0/librsvg/rsvg.h
header libxxhash-dev xxhash.h
header zlib1g-dev zlib.h
need fonts-dejavu-core '/usr/share/fonts/*/dejavu/DejaVuSans.ttf' '/usr/share/fonts/*/DejaVuSans.ttf' \
    '/usr/share/fonts/*/*/DejaVuSans.ttf'
if [[ $what == test || $what == soak || $what == browser ]]; then
    header libcmocka-dev cmocka.h
    need python3 /usr/bin/python3
    need python3-jsonschema /usr/lib/python3/dist-packages/jsonschema '/usr/local/lib/python3*/*-packages/jsonschema'
    need python3-numpy /usr/lib/python3/dist-packages/numpy '/usr/lib/python3*/site-packages/numpy' \
        '/usr/local/lib/python3*/*-packages/numpy'
    need python3-pyte /usr/lib/python3/dist-packages/pyte '/usr/lib/python3*/site-packages/pyte' \
        '/usr/local/lib/python3*/*-packages/pyte'
fi
if [[ $what == soak ]]; then
    need python3-torch /usr/lib/python3/dist-packages/torch '/usr/local/lib/python3*/*-packages/torch'
    need python3-numba /usr/lib/python3/dist-packages/numba '/usr/local/lib/python3*/*-packages/numba'
    need python3-scipy /usr/lib/python3/dist-packages/scipy '/usr/local/lib/python3*/*-packages/scipy'
fi
if [[ $what == browser ]]; then
    need chromium chromium
    need firefox-esr firefox-esr firefox
    need nodejs node
    need npm npm
fi

[[ ${#missing[@]} -gt 0 ]] || exit 0

command="apt-get install -y --no-install-recommends ${missing[*]}"
if [[ $what == check ]]; then
    printf 'missing: %s\nInstall with:  scripts/deps.sh   or:  sudo %s\n' "${missing[*]}" "$command" >&2
    exit 3
fi
if ! command -v apt-get >/dev/null; then
    printf 'missing (names as in Debian): %s\nInstall them with your package manager.\n' "${missing[*]}" >&2
    exit 3
fi
if [[ $(id -u) -eq 0 ]]; then
    as_root=(env)
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
    as_root=(sudo env)
else
    printf 'missing: %s\nRun as root:  apt-get update && %s\n' "${missing[*]}" "$command" >&2
    exit 3
fi

printf 'Installing: %s\n' "${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
quiet=(-qq -o Dpkg::Use-Pty=0)
if ! { "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get "${quiet[@]}" update &&
    "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get "${quiet[@]}" install -y --no-install-recommends \
        "${missing[@]}" >/dev/null; }; then
    printf 'Installing failed. By hand, as root:  apt-get update && %s\n' "$command" >&2
    exit 3
fi
