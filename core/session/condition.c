/* Conditions on what a session has read; see condition.h. */
#include "session/condition.h"

#include "rewrite/bounds.h"
#include "session/equal.h"

#include <math.h>

bool condition_audit_breaks(Condition *c, Session *s, int n, Node *const *roots)
{
    Exploration *x = session_explore(s, n, roots);
    Audit a = {0};
    bool holds = false;
    if (!x || !session_audit(s, x, &a))
        return false;
    for (size_t i = 0; i < a.rows.len && !holds; i++) {
        const char *rule = step_rule(a.rows.at[i].step);
        holds = a.rows.at[i].breaks && (!c->rule || !strcmp(rule, c->rule));
        if (holds && !c->rule)
            c->rule = rule; /* what is smaller is to break the same */
    }
    audit_free(&a);
    return holds;
}

/* NULL: it cannot be evaluated. */
static Tensor **evaluated(Session *s, int n, Node *const *roots)
{
    Tensor **values = xcalloc((size_t)n + 1, sizeof *values);
    Node *missing;
    if (!session_missing(s, n, roots, &missing) && session_evaluate(s, n, roots, values))
        return values;
    probe_release(values, (size_t)n);
    return NULL;
}

/* Is a nan or an infinity given to it? */
static bool is_given_special(Session *s)
{
    for (size_t i = 0; i < s->leaves.len; i++) {
        const Tensor *t = session_leaf_value(s, s->leaves.at[i].node);
        for (i64 k = 0; t && dtype_is_float(t->dtype) && k < t->count; k++)
            if (!isfinite(tensor_f64_at(t, k)))
                return true;
    }
    return false;
}

/* Where a nan comes from is what is asked, so none is given, nor an infinity, unless the whole
 * program was given some. */
bool condition_gives_nan(Condition *c, Session *s, int n, Node *const *roots)
{
    bool special = is_given_special(s), found = false;
    if (special && c->asked && !c->special)
        return false;
    c->special = c->special || special;
    c->asked = true;
    Tensor **values = evaluated(s, n, roots);
    for (int i = 0; values && i < n; i++)
        for (i64 k = 0; k < values[i]->count && dtype_is_float(values[i]->dtype); k++)
            found = found || isnan(tensor_f64_at(values[i], k));
    if (values)
        probe_release(values, (size_t)n);
    return found;
}

bool condition_gives_error(Condition *c, Session *s, int n, Node *const *roots)
{
    Tensor **values = evaluated(s, n, roots);
    bool found = false;
    if (values)
        probe_release(values, (size_t)n);
    for (size_t i = 0; i < s->diags.list.len && !values; i++)
        found = found || (!s->diags.list.at[i].note && !strcmp(s->diags.list.at[i].code, c->code));
    return found;
}

bool condition_rule_fires(Condition *c, Session *s, int n, Node *const *roots)
{
    const Rule *rule = rule_by_name(s->rules, c->rule);
    const Exploration *x = rule ? session_explore(s, n, roots) : NULL;
    bool fires = x && rule->id < x->counts.fired.len && x->counts.fired.at[rule->id];
    return x && !x->failed && fires == c->wanted;
}

static bool values_differ(const Tensor *a, const Tensor *b)
{
    double largest = 0, worst = 0;
    if (a->count != b->count || a->dtype == DT_RNG)
        return a->count != b->count;
    for (i64 i = 0; i < a->count; i++) {
        double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
        if (isnan(x) != isnan(y) || isinf(x) != isinf(y) || (isinf(x) && x != y))
            return true;
        if (isfinite(x) && isfinite(y)) {
            largest = fmax(largest, fmax(fabs(x), fabs(y)));
            worst = fmax(worst, fabs(x - y));
        }
    }
    return worst > largest * rounding_bound(a->dtype);
}

static bool switch_off(Session *s, const char *name)
{
    const Rule *rule = rule_by_name(s->rules, name);
    if (pipeline_switch(&s->options.pipeline, name, true))
        return true;
    if (rule)
        rule_switch(&s->options, rule, true);
    return rule != NULL;
}

bool condition_differs_without(Condition *c, Session *s, int n, Node *const *roots)
{
    Options mine = s->options;
    Tensor **a = evaluated(s, n, roots), **b = NULL;
    bool differs = false;
    if (a && switch_off(s, c->off)) {
        session_forget(s);
        b = evaluated(s, n, roots);
    }
    s->options = mine;
    session_forget(s);
    for (int i = 0; b && i < n; i++)
        differs = differs || values_differ(a[i], b[i]);
    if (a)
        probe_release(a, (size_t)n);
    if (b)
        probe_release(b, (size_t)n);
    return differs || (a && !b && !c->interrupted && !store_stops(&s->st));
}

bool condition_is_undecided(Condition *c, Session *s, int n, Node *const *roots)
{
    (void)c;
    return n == 2 && roots[0]->type == roots[1]->type &&
           session_undecided(s, &s->options.saturating, (Node *const[2]){roots[0], roots[1]});
}
