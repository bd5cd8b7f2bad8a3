/* Graphs of an exploration for exports; see export_state.h. */
#include "emit/export_state.h"

#include "lang/composite.h"
#include "rewrite/history.h"

#include <ctype.h>

u32 export_last_step(const Exploration *x, bool native)
{
    static const char *const late[] = {"specialize", "fuse", "lower", "differentiate"};
    return steps_before_passes(x, COUNT_OF(late) - !native, late);
}

static bool has_derivative(const Exploration *x)
{
    for (size_t i = 0; i < x->passes.len; i++)
        if (!strcmp(x->passes.at[i].name, "differentiate") && x->passes.at[i].steps)
            return true;
    return false;
}

bool export_roots(Exploration *x, const ExportTarget *t, bool native, Node **roots)
{
    if (t->mathematics && (native || !has_derivative(x))) {
        memcpy(roots, x->start, (size_t)x->nroots * sizeof *roots);
        return true;
    }
    native = native && !t->mathematics;
    return exploration_replay(x, export_last_step(x, native), roots) &&
           (t->mathematics || composites_open(x->st, x->nroots, roots, !t->composites, roots));
}

void export_function_name(Text *out, const char *expression, const char *file)
{
    const char *slash = strrchr(file, '/'), *from = slash ? slash + 1 : file;
    bool name = export_is_name(expression);
    from = name ? expression : from;
    size_t n = name ? strlen(from) : strcspn(from, ".");
    text_put(out, !n || (*from >= '0' && *from <= '9') ? "f_" : "");
    for (const char *s = from; s < from + n; s++)
        text_putc(out, (*s & 0x80) == 0 && isalnum((unsigned char)*s) ? *s : '_');
}

bool export_state(void *exploration, u32 k, Node **roots, Text *step)
{
    Exploration *x = exploration;
    if (k) {
        const Step *s = &x->log.at.at[k - 1];
        const char *why = s->rule && s->rule->reason ? s->rule->reason : "";
        text_printf(step, "%u. %s: %s%s%s%s", k, s->pass, step_rule(s), step_mark(s),
                    *why ? ", " : "", why);
    }
    return exploration_replay(x, k, roots);
}
