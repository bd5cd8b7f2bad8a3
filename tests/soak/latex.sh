#!/usr/bin/env bash
# What is written for LaTeX is taken by pdflatex: drawings of the tests, and some made here. Prints "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 70
gradus=$PWD/${1:-build/gradus}
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT INT TERM
# document BODY: a document with the preamble of all that follow
document() {
    printf '%s\n' '\documentclass{article}' '\usepackage{tikz}' '\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}' '\begin{document}' "$1" \
        '\end{document}' >"$dir/document.tex"
    (cd "$dir" && pdflatex -halt-on-error -interaction=nonstopmode document.tex)
}
if ! { command -v pdflatex && document x; } >/dev/null 2>&1; then
    echo 'LEFT OUT: no drawing was given to pdflatex, which is not installed, or not with TikZ'
    echo '0 passed, 0 failed'
    exit 0
fi
for file in tests/golden/draw/*.gr; do
    name=$(basename "$file" .gr)
    { sed '$d' "$file"; echo "$(tail -n 1 "$file") $name.tex"; } >"$dir/$name.gr"
done
cat >"$dir/odd.gr" <<'EOF'
α : f64
a_b = log(α * 2 + 1) ^ 2
:draw a_b * α odd.tex title="50% of $x_1^2$ & {more} \\ #1 ~" scale=0.5 background=#fff7e6 highlight=%1
EOF
passed=0
failed=0
for program in "$dir"/*.gr; do
    name=$(basename "$program" .gr)
    if { (cd "$dir" && "$gradus" "$program") && document "\\input{$name.tex}"; } >"$dir/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        grep -aA4 '^!' "$dir/log" | head -8
    fi
done
echo "$passed passed, $failed failed"
test "$failed" -eq 0
