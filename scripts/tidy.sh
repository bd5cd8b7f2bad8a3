#!/usr/bin/env bash
# The top level holds folders, the Makefile and root documents only: tells what does not belong there, such as
# files that a test left behind. Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

strays=0
for entry in *; do
    case $entry in
    build | core | examples | repl | scripts | tests | viz | Makefile) ;;
    README.md | LANGUAGE.md | CHANGELOG.md | LICENSE) ;;
    *)
        echo "at the top level, without a place there: $entry"
        strays=$((strays + 1))
        ;;
    esac
done
if [[ $strays -eq 0 ]]; then echo '1 passed, 0 failed'; else echo '0 passed, 1 failed'; fi
[[ $strays -eq 0 ]]
