#!/usr/bin/env bash
# Layers (layers.sh), sizes, formatting, scripts.  Tools that are not installed are skipped with a note.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

status=0
complain() { echo "$*"; status=1; }
mapfile -t files < <(find core repl viz tests -name '*.[ch]' | sort)

scripts/layers.sh || complain 'lint: an arrow points up'
# Readline is in repl/terminal/line.c only, Graphviz in viz/draw/ only.
grep -lE '#include <readline/' "${files[@]}" | grep -v '^repl/terminal/line\.c$' && complain 'lint: Readline outside repl/terminal/line.c'
grep -lE '#include <((graphviz/)?(gvc|cgraph)|librsvg/)' "${files[@]}" | grep -v '^viz/draw/' &&
    complain 'lint: Graphviz or librsvg outside viz/draw/'
if [[ -x build/gradus ]]; then
    ldd build/gradus | grep -E 'libgvc|libcgraph|librsvg' && complain 'lint: gradus is linked with Graphviz or librsvg'
fi
if [[ -x build/gradus-draw ]]; then
    ldd build/gradus-draw | grep -E 'readline' && complain 'lint: gradus-draw is linked with Readline'
fi

# Sizes: files up to 700 lines; lines of up to 100 columns, a few by hand up to 120.
for file in "${files[@]}"; do
    lines=$(wc -l <"$file")
    [[ $lines -le 700 ]] || complain "$file: $lines lines (at most 700)"
done
LC_ALL=C.UTF-8 grep -nE '^.{121,}$' "${files[@]}" && complain 'lint: lines longer than 120 columns'
printf 'lines: core %d, repl %d, viz %d, tests %d\n' "$(find core -name '*.[ch]' -exec cat {} + | wc -l)" \
    "$(find repl -name '*.[ch]' -exec cat {} + | wc -l)" "$(find viz -name '*.[ch]' -exec cat {} + | wc -l)" \
    "$(find tests -name '*.[ch]' -exec cat {} + | wc -l)"

# The top level: folders, the Makefile, dotfiles and root documents.
strays=$(git ls-files 2>/dev/null | cut -d/ -f1 | sort -u |
    grep -vE '^(core|repl|viz|scripts|tests|examples|Makefile|README\.md|LANGUAGE\.md|CONTRIBUTING\.md|CHANGELOG\.md|LICENSE|\..*)$')
[[ -z $strays ]] || complain "lint: at the top level, without a place there: ${strays//$'\n'/ }"

if command -v clang-format >/dev/null; then
    unformatted=$(clang-format --dry-run "${files[@]}" 2>&1 | sed -nE 's/^([^ :]+\.[ch]):[0-9]+:.*/\1/p' | sort -u)
    [[ -z $unformatted ]] || complain "not formatted (make format): ${unformatted//$'\n'/ }"
else
    echo 'lint: no clang-format, formatting not checked'
fi
if command -v shellcheck >/dev/null; then
    find scripts tests .ci -name '*.sh' -print0 | xargs -0 shellcheck .ci/run || status=1
else
    echo 'lint: no shellcheck, scripts not checked'
fi
exit $status
