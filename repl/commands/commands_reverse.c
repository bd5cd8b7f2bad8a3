/* :trace forward EXPR, :trace backward EXPR: reverse mode over straight-line code as two tables, as
 * in Baydin et al., "Automatic Differentiation in Machine Learning: a Survey" (2018), table 3. */
#include "analysis/reverse_trace.h"
#include "repl/commands/looking.h"
#include "repl/commands/show.h"
#include "surface/surface.h"

typedef struct {
    Call *c;
    Store *st;
    ReverseTrace t;
} Tables;

static Datum source_of(Tables *t, Node *n)
{
    Text out = {0};
    node_source(t->st, &out, n, false);
    return text_built(&t->c->report, &out);
}

static Datum value_of(const Tensor *value) { return value ? tensor_of(value) : absent(); }

/* ---- forward ---- */

static void put_forward(Tables *t)
{
    const Column columns[] = {{"value", "variable"},
                              {"expression", "expression"},
                              {t->t.valued ? "number" : NULL, "value"},
                              {"name", "name"}};
    Rows rows = rows_begin(&t->c->report, columns, COUNT_OF(columns));
    for (size_t i = 0; i < t->t.values.len; i++) {
        const TracedValue *v = &t->t.values.at[i];
        rows_add(&rows, text_of(v->name), v->local ? source_of(t, v->local) : absent(),
                 value_of(v->value), v->given ? text_of(v->given) : absent());
    }
    rows_put(&rows, "forward");
}

/* ---- backward ---- */

/* "v3_bar dv3/dv1 + v4_bar dv4/dv1" */
static Datum chain_of(Tables *t, int of)
{
    Text out = {0};
    for (size_t i = 0; i < t->t.values.len; i++)
        for (size_t k = 0; k < t->t.values.at[i].reads.len; k++) {
            const TracedValue *v = &t->t.values.at[i];
            if (v->reads.at[k].of == of && v->reads.at[k].term)
                text_printf(&out, "%s%s d%s/d%s", out.len ? " + " : "", v->bar_name, v->name,
                            t->t.values.at[of].name);
        }
    return out.len ? text_built(&t->c->report, &out) : absent();
}

static void put_backward(Tables *t)
{
    const Column columns[] = {{"adjoint", "adjoint"},
                              {"chain rule", "chain"},
                              {"expression", "expression"},
                              {t->t.valued ? "number" : NULL, "value"},
                              {"of", "name"}};
    Rows rows = rows_begin(&t->c->report, columns, COUNT_OF(columns));
    for (size_t i = t->t.values.len; i--;) {
        const TracedValue *v = &t->t.values.at[i];
        if (v->sum)
            rows_add(&rows, text_of(v->bar_name), chain_of(t, (int)i), source_of(t, v->sum),
                     value_of(v->bar_value), v->given ? text_of(v->given) : absent());
    }
    rows_put(&rows, "backward");
}

bool trace_modes(Call *c, bool backward)
{
    if (c->noptions)
        return call_fail(c, c->options[0].span, "usage", NULL, "%s= does not go with %s",
                         c->options[0].key, c->word);
    Tables t = {.c = c, .st = &c->r->s.st};
    Node **roots = NULL;
    int n = call_roots(c, &roots);
    Evaluator e = session_evaluator(&c->r->s);
    bool ok = n > 0 && reverse_trace(&e, n, roots, TRACE_MOST, c->rest, &t.t);
    if (ok && backward)
        put_backward(&t);
    else if (ok)
        put_forward(&t);
    if (ok && backward && !t.t.values.at[t.t.values.len - 1].sum)
        text_put(&c->out, "nothing is propagated: `:whynot grad(EXPR, X)` says where it stops\n");
    if (ok && !t.t.valued)
        text_put(&c->out, "no numbers: not all inputs have values\n");
    reverse_trace_free(&t.t);
    free(roots);
    return ok;
}
