#!/usr/bin/env bash
# What is installed: programs, manual page, completions; uninstalled again; the Debian package, unpacked
# and run.  Takes no arguments.  The last line:  N passed, N failed
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

gradus=$PWD/build/gradus
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_CONFIG_HOME=$folder XDG_STATE_HOME=$folder LC_ALL=C.UTF-8 TERM=dumb
passed=0
failed=0

# check NAME COMMAND...: counts; shows what the command said if it fails.
check() {
    local name=$1
    shift
    if "$@" >"$folder/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s\n' "$name"
        sed 's/^/  /' "$folder/said" | head -n 20
    fi
}
says() { grep -qF -- "$2" <<<"$1"; }
silent() { [[ -z $("$@" 2>&1 | tee /dev/stderr) ]]; }
left_out() { printf 'LEFT OUT: %s\n' "$1"; }

# ---- the manual page ----

man=$("$gradus" --man)
while read -r name; do
    check "gradus(1) tells of :$name" says "$man" "\\fB:$name\\fR"
done < <(sed -n 's/^C( *\([a-z]*\),.*/\1/p' repl/commands/commands.def)
while read -r option; do
    check "gradus(1) tells of $option" says "$man" "\\fB${option//-/\\-}\\fR"
done < <("$gradus" --help | sed -n 's/^  \(--*[a-z-]*\).*/\1/p')
printf '%s\n' "$man" >"$folder/gradus.1"
if command -v groff >/dev/null; then
    check 'groff finds nothing wrong' silent groff -man -Tutf8 -ww -z "$folder/gradus.1"
else
    left_out 'no groff: the manual page was not set'
fi

# ---- completions ----

check 'no such shell: usage' [ "$("$gradus" --completion=tcsh 2>/dev/null)$?" = 2 ]
for shell in bash zsh fish; do
    "$gradus" --completion=$shell >"$folder/$shell"
    check "$shell: not empty" [ -s "$folder/$shell" ]
    if $shell -c true >/dev/null 2>&1; then
        check "$shell can read it" $shell -n "$folder/$shell"
    else
        left_out "no $shell: its completions were not read by it"
    fi
done

# completes WORD... => what bash offers for the last one, a line each
completes() {
    bash -c 'compopt() { :; }
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gradus; printf "%s\n" "${COMPREPLY[@]}"' \
        _ "$folder/bash" "$@"
}
check 'bash: options' [ "$(completes gradus --js)" = --json ]
check 'bash: values behind =' [ "$(completes gradus --color = ne)" = never ]
check 'bash: jobs' [ "$(completes gradus wea)" = weave ]
check 'bash: files' [ "$(completes gradus test LICEN)" = LICENSE ]
check 'bash: nothing for a statement' [ -z "$(completes gradus -e x)" ]

# ---- installing and uninstalling ----

check 'make install' make -s -o programs install DESTDIR="$folder/root" PREFIX=/usr
place="$folder/root/usr"
for file in bin/gradus bin/gradus-draw share/man/man1/gradus.1 share/bash-completion/completions/gradus \
    share/zsh/site-functions/_gradus share/fish/vendor_completions.d/gradus.fish share/gradus/output.schema.json share/doc/gradus/README.md; do
    check "installed: $file" [ -s "$place/$file" ]
done
check 'the installed one runs' [ "$("$place/bin/gradus" -e '1 + 1')" = 'i64 = 2' ]
check 'and draws' "$place/bin/gradus" -e 'x : f64' -e ":draw x + 1 $folder/x.svg"
check 'make uninstall' make -s -o programs uninstall DESTDIR="$folder/root" PREFIX=/usr
check 'nothing is left' [ -z "$(find "$place" -type f)" ]

# ---- the package ----

if command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null; then
    check 'make deb' make -s -o programs deb
    package=$(tail -n 1 "$folder/said")
    check 'it unpacks' dpkg-deb -x "$package" "$folder/deb"
    check 'it names what it needs' grep -q 'libopenblas' <(dpkg-deb -f "$package" Depends)
    check 'its files are as their sums say' bash -c "cd '$folder/deb' && md5sum --quiet -c <(dpkg-deb -I '$PWD/$package' md5sums)"
    check 'it passes gradus test' bash -c "cd '$folder' && deb/usr/bin/gradus test deb/usr/share/doc/gradus/examples/*.gr"
else
    left_out 'no dpkg-dev: no package was made'
fi

printf '%d passed, %d failed\n' $passed $failed
[[ $failed -eq 0 ]]
