#!/usr/bin/env bash
# Turns text files into C:  embed.sh OUTDIR FILE...  writes OUTDIR/embed.c and OUTDIR/embed.h.
#
# NAME.rules files become rows of one table, embed_rules[], in order of their names, and files of a
# folder lessons/ rows of embed_lessons[];
# prelude*.gr are one text, embed_prelude_gr; any other file becomes an array named after it (manual.gr -> embed_manual_gr).
# Every array ends with a NUL that its length does not count.
# Scripts and style sheets lose their comments and indentation: pages hold them whole.
set -euo pipefail
export LC_ALL=C

out=$1
shift
mkdir -p "$out"

symbol() { local n; n=$(basename "$1"); printf 'embed_%s' "${n//[^A-Za-z0-9]/_}"; }

# A script or style sheet without comments that begin a line or end it, and without indentation.
plain() {
    awk '{ sub(/^[ \t]+/, "") }
         /^\/\*/ { inside = 1 }
         inside { if (/\*\/$/) inside = 0; next }
         { sub(/ *\/\* [^*]* \*\/$/, "") }
         length' "$1"
}

# One array: the bytes as signed decimals, so that no compiler complains about char.
array() {
    printf '%sconst char %s[] = {\n' "$1" "$2"
    od -An -v -td1 "${3:-/dev/null}" | sed 's/\([0-9]\) *$/\1,/; s/\([0-9]\)  */\1,/g'
    printf '0};\n'
}

{
    printf '/* Written by scripts/embed.sh. */\n#include "embed.h"\n'
    rows=''
    lessons=''
    count=0
    prelude=()
    for file in "$@"; do
        name=$(symbol "$file")
        if [[ $file == *.rules ]]; then
            array 'static ' "$name" "$file"
            rows+="    {\"$(basename "$file")\", $name, sizeof $name - 1},"$'\n'
            count=$((count + 1))
        elif [[ $file == */lessons/* ]]; then
            array 'static ' "$name" "$file"
            lessons+="    {\"$(basename "$file")\", $name, sizeof $name - 1},"$'\n'
        elif [[ $name == embed_prelude* ]]; then
            prelude+=("$file")
        elif [[ $file == *.js || $file == *.css ]]; then
            plain "$file" >"$out/plain"
            array '' "$name" "$out/plain"
            printf 'const size_t %s_len = sizeof %s - 1;\n' "$name" "$name"
            rm "$out/plain"
        else
            array '' "$name" "$file"
            printf 'const size_t %s_len = sizeof %s - 1;\n' "$name" "$name"
        fi
    done
    cat "${prelude[@]:-/dev/null}" >"$out/plain"
    array '' embed_prelude_gr "$out/plain"
    printf 'const size_t embed_prelude_gr_len = sizeof embed_prelude_gr - 1;\n'
    rm "$out/plain"
    printf 'const EmbedFile embed_rules[] = {\n%s    {0, 0, 0}};\n' "$rows"
    printf 'const size_t embed_rules_count = %d;\n' "$count"
    printf 'const EmbedFile embed_lessons[] = {\n%s    {0, 0, 0}};\n' "$lessons"
    printf 'const size_t embed_lessons_count = sizeof embed_lessons / sizeof embed_lessons[0] - 1;\n'
} >"$out/embed.c.new"

{
    printf '/* Written by scripts/embed.sh: the text files that are compiled in. */\n'
    printf '#ifndef GRADUS_EMBED_H\n#define GRADUS_EMBED_H\n#include <stddef.h>\n\n'
    printf 'typedef struct {\n    const char *name; /* "simplify.rules" */\n'
    printf '    const char *text; /* NUL-terminated */\n    size_t len;       /* without the NUL */\n} EmbedFile;\n\n'
    printf 'extern const EmbedFile embed_rules[]; /* core/rewrite/rules, by name; ends with a NULL row */\n'
    printf 'extern const size_t embed_rules_count;\n'
    printf 'extern const EmbedFile embed_lessons[]; /* repl/teach/lessons, in order; ends with a NULL row */\n'
    printf 'extern const size_t embed_lessons_count;\n'
    {
        printf 'embed_prelude_gr\n'
        for file in "$@"; do [[ $file == *.rules || $file == */lessons/* || $file == */prelude*.gr ]] || printf '%s\n' "$(symbol "$file")"; done
    } | sort -u | sed 's/.*/extern const char &[];\nextern const size_t &_len;/'
    printf '#endif\n'
} >"$out/embed.h.new"

# The header keeps its date when nothing in it changed: a new word in a rule recompiles one file.
if cmp -s "$out/embed.h.new" "$out/embed.h"; then
    rm "$out/embed.h.new"
else
    mv "$out/embed.h.new" "$out/embed.h"
fi
mv "$out/embed.c.new" "$out/embed.c"
