/* Names in options: `scan=`, and `only=`, which chooses among the values that are shown. */
#include "analysis/scan_by_name.h"
#include "repl/commands/looking.h"

/* The name that was perhaps meant, else all that there are; NULL: there is none. */
static const char *names_hint(Call *c, const char *asked, const ScanNames *names, const char *these)
{
    Text hint = {0};
    const char *close = closest_name(asked, names->at, names->len);
    if (close)
        text_printf(&hint, "did you mean %s?", close);
    for (size_t i = 0; i < names->len && !close; i++)
        text_printf(&hint, "%s%s", i ? ", " : these, names->at[i]);
    return names->len ? report_take(&c->report, &hint) : NULL;
}

static void unknown_scan(Looking *l, const Option *asked)
{
    ScanNames names = {0};
    scan_names(l->st, l->c->r->s.elab.globals, l->nroots, l->roots, &names);
    const char *hint = names_hint(l->c, asked->value, &names, "scans are found by these names: ");
    call_fail(l->c, asked->span, "unknown-name",
              hint ? hint : "there is no scan outside other loops",
              "there is no scan %s outside other loops here", asked->value);
    vec_free(&names);
}

Node *looking_scan(Looking *l)
{
    const Option *name = call_option(l->c, "scan");
    Node *found = scan_by_name(l->st, l->c->r->s.elab.globals, l->nroots, l->roots,
                               name ? name->value : NULL);
    if (!found && name)
        unknown_scan(l, name);
    else if (!found)
        call_fail(l->c, l->c->rest, "no-scan", NULL, "there is no scan in this expression");
    return found;
}

/* ---- only= ---- */

static bool unknown_label(Looking *l, const Option *only, const char *asked,
                          const LoopValues *values)
{
    ScanNames names = {0};
    for (size_t i = 0; i < values->len; i++)
        scan_names_add(l->st, &names, values->at[i].label);
    call_fail(l->c, only->span, "unknown-name", names_hint(l->c, asked, &names, "there are "),
              "nothing that is shown here is called %s", asked);
    vec_free(&names);
    return false;
}

bool looking_choose(Looking *l, LoopValues *values)
{
    const Option *only = call_option(l->c, "only");
    if (!only)
        return true;
    bool *chosen = xcalloc(values->len + 1, 1), ok = true;
    size_t kept = 0;
    for (const char *s = only->value; *s && ok; s += s[strcspn(s, ",")] == ',') {
        char *asked = arena_strndup(&l->c->arena, s, strcspn(s, ","));
        bool found = false;
        for (size_t i = 0; i < values->len; i++)
            if (scan_name_is(l->st, values->at[i].label, asked) ||
                !strcmp(values->at[i].label, asked))
                chosen[i] = found = true;
        ok = found || unknown_label(l, only, asked, values);
        s += strlen(asked);
    }
    for (size_t i = 0; i < values->len; i++)
        if (chosen[i])
            values->at[kept++] = values->at[i];
    values->len = kept;
    free(chosen);
    return ok;
}
