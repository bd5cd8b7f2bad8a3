/* :trace EXPR grad=x: what the value changes by with the states of a loop, from its last step to
 * the first.
 *
 * The steps that are shown are written out; those before and after them stay loops, so a table of
 * a long loop costs a few runs of it. */
#include "repl/commands/looking.h"
#include "analysis/unroll_back.h"

/* ---- by what ---- */

Node *watched_variable(Looking *l)
{
    const Option *o = call_option(l->c, "grad");
    Node **roots = NULL;
    if (!looking_loss(l))
        return NULL;
    int n = session_roots_at(&l->c->r->s, o->span, &roots);
    Node *x = n == 1 ? roots[0] : NULL;
    free(roots);
    if (n >= 0 && !x)
        call_fail(l->c, o->span, "usage", NULL, "grad= takes one tensor");
    if (x && (x->type->kind != TYPE_TENSOR || !dtype_is_float(node_dtype(x)))) {
        call_fail(l->c, o->span, "no-derivative", NULL, "there is no derivative with respect to %s",
                  o->value);
        x = NULL;
    }
    return x;
}

/* ---- the table ---- */

static bool any_value(Tensor *const *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (at[i])
            return true;
    return false;
}

static void real_states(const Looking *l, const LoopValues *all, LoopValues *real)
{
    for (size_t i = 0; i < all->len; i++)
        if (all->at[i].state >= 0 && dtype_is_float(l->s.body->params[all->at[i].state]->dtype))
            vec_push(real, all->at[i]);
}

/* Which of two equations that give one node the rest of the step means cannot be told. */
static void put_twins(Looking *l, const LoopValues *states)
{
    for (size_t i = 1; i < states->len; i++) {
        const LoopValue *second = &states->at[i], *first = states->at;
        while (first->node != second->node)
            first++;
        if (first == second || second->node->op == OP_PARAM)
            continue;
        Text note = {0};
        text_printf(&note,
                    "%s is the same value as %s; what the step itself does with it counts for %s",
                    second->label, first->label, first->label);
        grid_note(&l->c->out, text_str(&note), l->width);
        text_free(&note);
    }
}

static void put_gradient(Looking *l, const Tensor *t)
{
    Text label = {0};
    text_printf(&label, "d_%s", call_option(l->c, "grad")->value);
    grid_value_line(&l->c->out, text_str(&label), t, l->width, l->digits);
    text_free(&label);
    report_field(&l->c->report, "gradient", tensor_of(t));
}

/* The rows from the last one that is shown, if all are to what was there before the first, then the
 * gradient. */
static void put_way_back(Looking *l, const LoopValues *states, Tensor **at)
{
    size_t width = states->len;
    Cells rows = cells_begin(&l->c->report, text_of("row"), l->width, l->digits);
    grid_note(&l->c->out, "backwards: the derivative of the value with respect to each state",
              l->width);
    watched_heading(&rows, "d_", states, false);
    for (int i = l->k - 1; i >= (l->first ? 0 : -1); i--, at += width)
        if (any_value(at, width)) /* not an init that is a constant */
            watched_row(l, &rows, i, at);
    l->part = cells_put(&rows, "backward_columns", "backward_rows") || l->part;
    looking_put_way_back(l);
    put_twins(l, states);
    put_gradient(l, *at);
}

/* What the loss changes by: after each step from the last on, before the first, then with x. */
static bool cotangents(Looking *l, const LoopValues *states, const UnrollBack *back, Node *x,
                       NodeVec *cells)
{
    const ScanShape *s = &l->s;
    for (int i = l->k - 1; i >= (l->first ? 0 : -1); i--)
        for (size_t c = 0; c < states->len; c++) {
            int state = states->at[c].state;
            bool known = i < 0 && node_is_const(s->inits[state]); /* nothing changes it */
            vec_push(cells, known    ? NULL
                            : i >= 0 ? back->next.at[i * s->nstates + state]
                                     : back->before.at[state]);
        }
    Node *dx = loop_gradient(l->st, l->scan, l->steps, l->steps > l->rows, l->roots[0], x);
    vec_push(cells, dx);
    return dx != NULL;
}

/* Without `at=` the way back begins where it begins: at the last step. */
static bool write_out(Looking *l, Unroll *u)
{
    if (l->from < 0 && l->steps != l->k)
        looking_show(l, l->steps > l->rows ? l->steps - l->rows : 0);
    return scan_unroll_from(l->st, l->scan, l->steps, l->first, l->k, u);
}

bool watched_way_back(Looking *l, const LoopValues *all, Node *x)
{
    Unroll u;
    LoopValues states = {0};
    NodeVec cells = {0};
    UnrollBack back = {0};
    real_states(l, all, &states);
    bool ok = write_out(l, &u) && unroll_back(l->st, &u, l->steps, l->roots[0], &back) &&
              cotangents(l, &states, &back, x, &cells);
    Tensor **at = xcalloc(cells.len + 1, sizeof *at);
    ok = ok && probe_nodes(&l->e, cells.len, cells.at, NULL, at);
    if (ok)
        put_way_back(l, &states, at);
    unroll_back_free(&u, &back);
    unroll_free(&u);
    probe_release(at, cells.len);
    vec_free(&cells);
    vec_free(&states);
    return ok;
}
