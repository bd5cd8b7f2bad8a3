/* Counterexamples in words. */
#include "session/rule_trial.h"

#include <math.h>

static void put_number(Text *out, const Tensor *t, i64 i)
{
    double x = tensor_f64_at(t, i);
    if (t->dtype == DT_BOOL)
        text_put(out, x != 0 ? "true" : "false");
    else if (t->dtype == DT_F32)
        text_float(out, (float)x);
    else if (dtype_is_float(t->dtype))
        text_double(out, x);
    else
        text_printf(out, "%.0f", x);
}

/* On one line. */
static void put_tensor(Text *out, const Tensor *t)
{
    Text rows = {0};
    tensor_print(&rows, t, 0, 0);
    for (size_t i = 0; i < rows.len; i++) {
        bool blank = rows.at[i] == ' ' || rows.at[i] == '\n';
        if (!blank || (out->at[out->len - 1] != ' ' && out->at[out->len - 1] != '['))
            text_putc(out, blank ? ' ' : rows.at[i]);
    }
    text_free(&rows);
}

/* "x = 800.0", at element i of a pointwise expression. */
static bool put_value(Trial *t, Node *n, bool single, const TensorMap *values, i64 i, Text *out)
{
    Tensor *value = NULL;
    DiagTry trial;
    diag_try_begin(&trial, &t->s.st.diags);
    n = trial_runnable(t, n);
    bool ok = session_evaluate_raw(&t->s, 1, &n, values, &value);
    diag_try_end(&trial);
    if (ok && single && value->count)
        put_number(out, value, value->count == 1 ? 0 : i);
    else if (ok)
        put_tensor(out, value);
    else
        text_put(out, "an error");
    tensor_unref(value);
    return ok;
}

static void put_attribute(const RuleValue *x, Text *out)
{
    if (x->kind == 'd')
        text_put(out, dtype_name((DType)x->attr.i));
    else if (x->kind == 'I')
        for (u32 a = 0; a <= x->attr.ints->n; a++)
            a < x->attr.ints->n
                ? text_printf(out, "%s%lld", a ? ", " : "(", (long long)x->attr.ints->at[a])
                : text_put(out, a ? ")" : "()");
    else
        text_printf(out, "%lld", (long long)x->attr.i);
}

/* "x = 800.0, A = (0, 1)": what the rule's variables were at element i, and what stood beside its
 * left side in a larger sum or product. */
static void put_variables(Trial *t, const Instance *c, bool single, const TensorMap *values, i64 i,
                          Text *out)
{
    const RuleVars *v = t->rule->vars;
    bool first = true;
    for (int k = 0; k < v->n; k++) {
        const RuleValue *x = &c->b.at[k];
        if (!(c->b.bound >> k & 1) || strchr("rgl", x->kind))
            continue;
        text_printf(out, "%s%s = ", first ? "" : ", ", v->names[k]);
        first = false;
        if (x->kind == 'n')
            put_value(t, x->node, single, values, i, out);
        else
            put_attribute(x, out);
    }
    if (!c->beside)
        return;
    text_put(out, c->before->op == OP_MUL ? ", times " : ", plus ");
    put_value(t, c->beside, single, values, i, out);
}

void trial_refute(Comparison *k, i64 i, RuleCheck *out)
{
    static const u32 more[] = {HAZARD_Z,
                               HAZARD_R,
                               HAZARD_O,
                               HAZARD_R | HAZARD_O,
                               HAZARD_NPLUS,
                               HAZARD_NPLUS | HAZARD_R,
                               HAZARD_NPLUS | HAZARD_R | HAZARD_O};
    const Instance *c = k->c;
    out->refuted = true;
    text_put(&out->says, "for ");
    put_variables(k->t, c, c->pointwise, k->values, i, &out->says);
    text_put(&out->says, " the left side is ");
    put_number(&out->says, k->a, i);
    text_put(&out->says, ", the right side ");
    put_number(&out->says, k->b, i);
    for (size_t m = 0; m < COUNT_OF(more) && !out->allow; m++)
        if (!(more[m] & HAZARD_NPLUS && isnan(tensor_f64_at(k->b, i))) && /* it makes one */
            trial_agrees(k, i, c->classes | more[m]))
            out->allow = more[m];
}

void trial_refute_failure(Trial *t, const Instance *c, const TensorMap *values, const char *side,
                          const Tensor *other, RuleCheck *out)
{
    const Diag *d = t->s.diags.errors ? &t->s.diags.list.at[t->s.diags.list.len - 1] : NULL;
    bool left = !strcmp(side, "left");
    out->refuted = true;
    text_put(&out->says, "for ");
    put_variables(t, c, false, values, 0, &out->says);
    text_printf(&out->says, " only the %s side fails (%s); the %s side is ", side,
                d ? d->message : "it cannot be evaluated", left ? "right" : "left");
    put_tensor(&out->says, other);
    out->allow = left ? HAZARD_S : 0;
}
