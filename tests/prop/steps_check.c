/* See steps_check.h. */
#include "steps_check.h"

#include "rewrite/history.h"

static const char *missing(const Step *s)
{
    return !s->rule || !*step_rule(s)                ? "rule"
           : !s->pass || !*s->pass                   ? "pass"
           : (!s->rule->reason || !*s->rule->reason) ? "reason"
           : !step_classes(s)                        ? "class"
           : s->nchanges < 1                         ? "change"
                                                     : NULL;
}

bool steps_tell(Store *st, const StepLog *log, u32 *count, Text *why)
{
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        const char *lacks = missing(s);
        (*count)++;
        if (lacks) {
            text_printf(why, "step %zu of the pass %s, rule %s: no %s", i + 1,
                        s->pass ? s->pass : "?", s->rule ? step_rule(s) : "?", lacks);
            return false;
        }
        if (s->inner && !steps_tell(st, s->inner, count, why))
            return false;
        Opened o;
        bool ok = true;
        if (step_opens(s)) {
            ok = step_open(st, s, &o) && steps_tell(st, &o.log, count, why);
            opened_free(&o);
        }
        if (!ok)
            return false;
    }
    return true;
}

bool steps_replay(Session *s, Exploration *x, const char **why)
{
    Node **roots = xmalloc(((size_t)x->nroots + 1) * sizeof *roots);
    Text text = {0};
    bool ok = true;
    *why = "the log does not replay to the result";
    Walk w;
    walk_begin(&w, &s->st, &x->log, x->nroots, x->start);
    for (u32 k = 0; k <= x->log.at.len && ok; k++) {
        ok = exploration_replay(x, k, roots) && (k == 0 || walk_next(&w));
        if (ok && memcmp(roots, w.roots, (size_t)x->nroots * sizeof *roots))
            *why = "a state reached at once is not the one reached step by step", ok = false;
        if (ok && !graph_verify(&s->st, x->nroots, roots, &text))
            *why = "an intermediate graph is not well formed", ok = false;
    }
    walk_end(&w);
    for (int i = 0; i < x->nroots && ok; i++)
        ok = roots[i] == x->roots[i];
    text_free(&text);
    free(roots);
    return ok;
}

/* For rules of equality overflow of one form is rounding. */
static bool overflows(const AuditRow *row)
{
    return row->step->rule && rule_is_for_equality(row->step->rule) &&
           (strstr(row->breaks, "infinity") || strstr(row->breaks, "became nan"));
}

bool steps_audit(Session *s, Exploration *x, bool by_hand, const char **why, u32 *steps)
{
    Audit a;
    *why = "the audit does not run";
    bool ok = session_audit(s, x, &a);
    for (size_t i = 0; i < a.rows.len && ok; i++) {
        const AuditRow *row = &a.rows.at[i];
        Text text = {0};
        ok = !row->breaks || (by_hand && overflows(row));
        place_print(&text, &row->place);
        text_printf(&text, ", %s: %s (%g, %g ulp)", step_rule(row->step), row->breaks,
                    row->by.error, row->by.ulp);
        *why = ok ? *why : arena_strndup(&s->arena, text_str(&text), text.len);
        text_free(&text);
    }
    *steps += a.compared;
    audit_free(&a);
    return ok;
}
