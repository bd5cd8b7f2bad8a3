#!/usr/bin/env bash
# Every arrow points down: a room uses only rooms above it in the list below.  By what files
# include, and by the symbols of the objects if they are built.  Tables (*.def) are data: all rooms
# may read them.  Prints what goes against the order; status 1 if there is anything.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 70

# The ground first.  A file of core/ itself is a room of its own.
rooms=(core/base core/tensor core/syntax core/graph core/ops core/batch core/grad core/lang core/surface
    core/rewrite core/algebra core/passes core/egraph core/exec core/analysis core/reduce core/emit core/session core/discover core/registry.c
    viz/canvas viz/plot viz/scene viz/draw viz/page viz/film viz/boxes repl/terminal repl/commands repl/documents repl/teach repl/prompt)

# What may be read from below, at most three: the tables of core/registry.c, which knows every room
# because it names their functions; each is declared by the room that reads it.
allowed='op_table pass_table rule_tables'

order=$(printf '%s\n' "${rooms[@]}" | awk '{ print $1, NR }')
status=0

# Every source file stands in a room.
homeless=$(find core viz repl -name '*.[ch]' |
    awk -v order="$order" '
        BEGIN { n = split(order, w); for (i = 1; i < n; i += 2) rank[w[i]] = 1 }
        { split($0, p, "/"); if (!((p[1] "/" p[2]) in rank)) print }')
[[ -z $homeless ]] || { printf 'in no room of scripts/layers.sh: %s\n' "$homeless"; status=1; }

# LINES "file what target": those whose target is in a room further down the list than the file.
upward() {
    awk -v order="$order" -v allowed="$allowed" '
        function room(path, p) { split(path, p, "/"); return rank[p[1] "/" p[2]] }
        BEGIN { n = split(order, w); for (i = 1; i < n; i += 2) rank[w[i]] = w[i + 1]
                n = split(allowed, w, " "); for (i = 1; i <= n; i++) free[w[i]] = 1 }
        !($2 in free) && room($1) && room($3) && room($3) > room($1) { print $1 ": " $2 " is in " $3; bad = 1 }
        END { exit bad }'
}

find core viz repl -name '*.[ch]' -print0 | xargs -0 grep -HoE '^#include "[^"]+\.h"' |
    sed -E 's/^([^:]+):#include "([^"]+)"/\1 \2/' |
    awk '{ print $1, $2, ($2 ~ /^(core|viz|repl)\// ? "" : "core/") $2 }' | upward || status=1

if compgen -G 'build/obj/core/*/*.o' >/dev/null; then
    # Objects whose source is gone do not count.
    find build/obj/core build/obj/viz build/obj/repl -name '*.o' | while read -r object; do
        source=${object#build/obj/}
        [[ ! -e ${source%.o}.c ]] || nm -P "$object" | awk -v f="${source%.o}.c" '{ print f, $1, $2 }'
    done >build/symbols
    # The linker takes one of two functions of one name out of a library, and does not tell.
    awk '$3 ~ /[TDBRC]/ && $2 != "main" {
             if ($2 in home) { print "defined twice: " $2 " in " home[$2] " and " $1; bad = 1 }
             home[$2] = $1 }
         END { exit bad }' build/symbols || status=1
    awk '$3 ~ /[TDBRC]/ { home[$2] = $1 }
         $3 == "U" { uses[++n] = $1 " " $2 }
         END { for (i = 1; i <= n; i++) { split(uses[i], u, " "); if (u[2] in home) print u[1], u[2], home[u[2]] } }' \
        build/symbols | upward || status=1
fi
exit $status
