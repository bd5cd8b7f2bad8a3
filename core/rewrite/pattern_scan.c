/* Reading the loops of rules:
 *
 *   scan t over us... from s = a, ss... { s[t] = value; rest... }
 *
 * a loop that has a state with this equation; `us...`, `ss...` and `rest...` are what else it has,
 * and a loop that has more does not match where one of them is missing. The right side is the same
 * loop without s, and says what s[t-1] is; or the left side is `(scan ...).final`, and the right
 * side any expression. */
#include "rewrite/pattern_parts.h"

static const char loop_form[] = "scan t over us... from s = a, ss... { s[t] = value; rest... }";

static bool is_rest_name(const char *name) { return strstr(name, "...") != NULL; }

static bool form_error(Diags *diags, Span at, const char *what)
{
    diag_add(diags, "rule", at, loop_form, "%s", what);
    return false;
}

/* The one state of the form, and whether there may be others. */
static const Bind *find_state(const ScanExpr *s, bool *more)
{
    const Bind *found = NULL;
    for (int i = 0; i < s->nfrom; i++)
        if (is_rest_name(s->from[i].name) && i == s->nfrom - 1)
            *more = true;
        else if (found || !s->from[i].init)
            return NULL;
        else
            found = &s->from[i];
    return found;
}

static const ScanItem *find_equation(const ScanExpr *s, const char *state, bool *more)
{
    const ScanItem *found = NULL;
    for (int i = 0; i < s->nitems; i++) {
        const ScanItem *item = &s->items[i];
        bool rest = !item->ntargets && !item->until;
        if (rest && i == s->nitems - 1)
            *more = true;
        else if (found || item->until || item->ntargets != 1 ||
                 strcmp(item->targets[0].name, state) || !item->targets[0].indexed)
            return NULL;
        else
            found = item;
    }
    return found;
}

static bool plain_clauses(const ScanExpr *s)
{
    bool ok = !s->has_using && !s->zip_strict && !s->checkpoint_auto && !s->checkpoint &&
              (!s->count || (s->count->kind == E_NAME && !is_rest_name(s->count->text)));
    for (int i = 0; i < s->nover && ok; i++)
        ok = !s->over[i].init && (!is_rest_name(s->over[i].name) || i == s->nover - 1);
    return ok;
}

bool scan_form_read(const Expr *x, ScanForm *form, const Bind **state, const Expr **value,
                    Diags *diags)
{
    const ScanExpr *s = x->scan;
    *form = (ScanForm){.state = -1, .index = -1, .count = -1, .written = s};
    if (!plain_clauses(s))
        return form_error(diags, x->span, "a loop in a rule has no other clauses");
    *state = find_state(s, &form->more_states);
    if (!*state)
        return form_error(diags, x->span,
                          "a loop in a rule must have one state with its initial value");
    const ScanItem *item = find_equation(s, (*state)->name, &form->more_items);
    if (!item || item->targets[0].earlier)
        return form_error(diags, x->span, "a loop in a rule must have one equation, for its state");
    form->more_seqs = s->nover && is_rest_name(s->over[s->nover - 1].name);
    *value = item->value;
    return true;
}

/* ---- right sides ---- */

const Expr *scan_edit_value(const Expr *x) { return x->scan->items[0].value; }

static bool same_rest(bool more, int n, const char *name)
{
    return more ? n > 0 && is_rest_name(name) : n == 0;
}

bool scan_edit_check(const Expr *x, const RuleVars *vars, Diags *diags)
{
    const ScanForm *form = vars->loop;
    const ScanExpr *s = x->kind == E_SCAN ? x->scan : NULL, *left = form->written;
    bool ok = s && plain_clauses(s) && s->nover == left->nover && !s->count == !left->count &&
              !strcmp(s->index, left->index) &&
              same_rest(form->more_states, s->nfrom, s->nfrom ? s->from[0].name : "") &&
              s->nfrom <= 1 && s->nitems == 1 + form->more_items && s->items[0].ntargets == 1 &&
              s->items[0].targets[0].earlier &&
              !strcmp(s->items[0].targets[0].name, vars->names[form->state]) &&
              (!form->more_items || (!s->items[1].ntargets && !s->items[1].until));
    for (int i = 0; ok && i < s->nover; i++)
        ok = !strcmp(s->over[i].name, left->over[i].name);
    if (ok)
        return template_check(s->items[0].value, vars, diags);
    diag_add(
        diags, "rule", x->span,
        "scan t over us... from ss... { s[t-1] = value; rest... }, with the names on the left",
        "the right side of a rule on a loop is that loop without its state, and what the state "
        "is");
    return false;
}
