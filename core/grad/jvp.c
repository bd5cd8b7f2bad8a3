/* The forward sweep over an open graph, and the rules that serve many operators.
 *
 * A. Griewank, A. Walther, "Evaluating Derivatives", 2nd ed., SIAM 2008, chapter 3:
 * tangents by forward propagation. */
#include "grad/jvp.h"
#include "graph/provenance.h"
#include "grad/vjp.h"
#include "ops/functions.h"

/* ---- the sweep ---- */

/* n over the values that its operands have now. */
static Node *current(Jvp *j, Node *n)
{
    Node *small[8], **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    bool same = true;
    for (u32 k = 0; k < n->nops; k++) {
        ops[k] = map_get(&j->values, n->ops[k]);
        same = same && ops[k] == n->ops[k];
    }
    Node *m = same ? n : node_with_operands(j->st, n, ops);
    if (ops != small)
        free(ops);
    return m;
}

static bool flows_into(const Jvp *j, const Node *m)
{
    for (u32 k = 0; k < m->nops; k++)
        if (jvp_tangent(j, m->ops[k]))
            return true;
    return false;
}

/* Gives n its value of now; what has results is followed by its projections. */
static Node *settle(Jvp *j, Node *n)
{
    Node *m = current(j, n);
    if (m && m->op == OP_PROJ && map_has(&j->moved, m))
        m = map_get(&j->moved, m);
    if (m)
        map_put(&j->values, n, m);
    return m;
}

void jvp_begin(JvpSweep *s, Store *st, int nx, Node *const *xs, Node *const *dxs, int ny,
               Node *const *ys)
{
    *s = (JvpSweep){.j.st = st};
    nodes_topo(ny, ys, &s->order);
    for (int i = 0; i < nx; i++) {
        map_put(&s->j.values, xs[i], xs[i]);
        if (dxs[i])
            map_put(&s->j.tangents, xs[i], dxs[i]);
    }
}

Node *jvp_peek(JvpSweep *s)
{
    for (; s->at < s->order.len && !s->failed && !s->ready; s->at++) {
        Node *n = s->order.at[s->at], *m;
        if (map_has(&s->j.values, n))
            continue;
        if (!(m = settle(&s->j, n)))
            s->failed = true;
        else if (n->op != OP_PROJ && flows_into(&s->j, m))
            s->ready = m;
    }
    return s->failed ? NULL : s->ready;
}

bool jvp_next(JvpSweep *s)
{
    Node *m = jvp_peek(s);
    if (store_stopped(s->j.st, "in a derivative"))
        return s->failed = true, false;
    if (m && !op_table[m->op].jvp(&s->j, m)) {
        s->failed = true;
        derivative_missing_place(s->j.st, &s->order, s->order.at[s->at - 1]);
    }
    bool results = m && m->type->kind == TYPE_TUPLE;
    for (size_t i = s->at; i < s->order.len && results && !s->failed; i++) {
        Node *n = s->order.at[i];
        if (n->op == OP_PROJ && n->ops[0] == s->order.at[s->at - 1])
            s->failed = !settle(&s->j, n);
    }
    s->ready = NULL;
    return !s->failed;
}

void jvp_end(JvpSweep *s)
{
    vec_free(&s->order);
    map_free(&s->j.tangents);
    map_free(&s->j.values);
    map_free(&s->j.moved);
    vec_free(&s->j.wider);
}

/* What nobody reads of the loops is dropped. */
static bool trim_both(Store *st, const NodeVec *scans, int n, Node **dys, Node **values)
{
    Node **all = xcalloc((size_t)(2 * n) + 1, sizeof *all);
    memcpy(all, dys, (size_t)n * sizeof *all);
    memcpy(all + n, values, (size_t)n * sizeof *all);
    bool ok = scans_trim(st, scans, 2 * n, all, NULL);
    memcpy(dys, all, (size_t)n * sizeof *all);
    memcpy(values, all + n, (size_t)n * sizeof *all);
    free(all);
    return ok;
}

bool jvp_push(Store *st, int nx, Node *const *xs, Node *const *dxs, int ny, Node *const *ys,
              Node **dys, Node **values, NodeVec *wider)
{
    JvpSweep s;
    jvp_begin(&s, st, nx, xs, dxs, ny, ys);
    while (jvp_peek(&s) && jvp_next(&s)) {
    }
    for (int i = 0; i < ny && !s.failed; i++) {
        values[i] = map_get(&s.j.values, ys[i]);
        dys[i] = jvp_tangent(&s.j, values[i]);
    }
    for (size_t i = 0; i < s.j.wider.len && wider; i++)
        vec_push(wider, s.j.wider.at[i]);
    bool ok = !s.failed && (wider || !s.j.wider.len || trim_both(st, &s.j.wider, ny, dys, values));
    jvp_end(&s);
    return ok;
}

/* ---- rules of many operators ---- */

bool jvp_none(Jvp *j, Node *n)
{
    if (!type_has_floats(n->type) || node_info(n)->cls == CLASS_RANDOM)
        return true;
    return derivative_missing(j->st, n, NULL);
}

bool jvp_stop(Jvp *j, Node *n)
{
    (void)j, (void)n;
    return true;
}

/* Linear in operand 0: the same operator on its tangent. */
bool jvp_linear(Jvp *j, Node *n)
{
    Node *ops[MAX_RANK + 3], *dx = jvp_tangent(j, n->ops[0]);
    if (!dx || !type_has_floats(n->type))
        return true;
    memcpy(ops, n->ops, n->nops * sizeof *ops);
    ops[0] = dx;
    return jvp_give(j, n, node_make(j->st, n->op, n->attrs, n->nops, ops));
}

/* The value is operand 1. */

bool jvp_check(Jvp *j, Node *n)
{
    Node *dx = jvp_tangent(j, n->ops[1]);
    Node *checked = dx ? node2(j->st, OP_CHECK, n->attrs, n->ops[0], dx) : NULL;
    if (checked)
        node_carry_span(j->st, n, checked);
    return !dx || jvp_give(j, n, checked);
}

/* ---- any operator ---- */

typedef struct {
    Node *alone;                              /* the operator over holes */
    NodeVec holes, tangents;                  /* of the operands through which something flows */
    NodeVec outs, bars, places, pulled, ones; /* real results; their cotangents; which they are */
    NodeMap memo;                             /* holes -> what they stand for */
} Twice;

static bool twice_open(Twice *t, Jvp *j, Node *n)
{
    Node **ops = xmalloc((n->nops + 1) * sizeof *ops);
    for (u32 k = 0; k < n->nops; k++) {
        Node *o = n->ops[k], *dx = jvp_tangent(j, o);
        bool real = o->type->kind == TYPE_TENSOR && dtype_is_float(node_dtype(o));
        ops[k] = real ? node_temp(j->st, o->type, NULL) : o;
        map_put(&t->memo, ops[k], o);
        if (!real || !dx)
            continue;
        Node *tangent = node_temp(j->st, o->type, NULL);
        map_put(&t->memo, tangent, dx);
        vec_push(&t->holes, ops[k]);
        vec_push(&t->tangents, tangent);
    }
    t->alone = node_make(j->st, n->op, n->attrs, n->nops, ops);
    free(ops);
    int count = n->type->kind == TYPE_TUPLE ? n->type->nitems : 1;
    for (int i = 0; i < count && t->alone; i++) {
        bool tuple = n->type->kind == TYPE_TUPLE;
        Node *out = tuple ? node_proj(j->st, t->alone, i) : t->alone;
        if (out->type->kind != TYPE_TENSOR || !dtype_is_float(node_dtype(out)))
            continue;
        vec_push(&t->outs, out);
        vec_push(&t->bars, node_temp(j->st, out->type, NULL));
        vec_push(&t->places, tuple ? node_proj(j->st, n, i) : n);
    }
    return t->alone != NULL;
}

static bool twice_pull(Twice *t, Jvp *j, Node **pushed)
{
    Node **pulled = xcalloc(t->holes.len + 1, sizeof *pulled);
    bool ok = vjp_pull(j->st, (int)t->outs.len, t->outs.at, t->bars.at, (int)t->holes.len,
                       t->holes.at, pulled, NULL);
    for (size_t i = 0; i < t->holes.len && ok; i++)
        if (pulled[i]) {
            vec_push(&t->pulled, pulled[i]);
            vec_push(&t->ones, t->tangents.at[i]);
        }
    free(pulled);
    return ok && vjp_pull(j->st, (int)t->pulled.len, t->pulled.at, t->ones.at, (int)t->bars.len,
                          t->bars.at, pushed, NULL);
}

/* J v = d(u' J)/du' v: the pull-back u -> J' u is linear in u, so pulling v back through it pushes
 * v forward through the operator (J. Townsend, "A new trick for calculating Jacobian vector
 * products", 2017). What still mentions u is multiplied by nothing: any value will do. */
bool jvp_twice(Jvp *j, Node *n)
{
    Store *st = j->st;
    u32 temps = st->temp_count;
    Twice t = {0};
    if (!type_has_floats(n->type))
        return true;
    bool ok = twice_open(&t, j, n);
    Node **pushed = xcalloc(t.outs.len + 1, sizeof *pushed);
    ok = ok && twice_pull(&t, j, pushed);
    for (size_t i = 0; i < t.bars.len && ok; i++) {
        Node *zero = build_zeros_like(st, t.places.at[i]);
        ok = zero != NULL;
        map_put(&t.memo, t.bars.at[i], zero);
    }
    for (size_t i = 0; i < t.outs.len && ok; i++)
        if (pushed[i])
            ok = jvp_give(j, t.places.at[i], node_substitute(st, pushed[i], &t.memo));
    st->temp_count = temps;
    free(pushed);
    vec_free(&t.holes);
    vec_free(&t.tangents);
    vec_free(&t.outs);
    vec_free(&t.bars);
    vec_free(&t.places);
    vec_free(&t.pulled);
    vec_free(&t.ones);
    map_free(&t.memo);
    return ok;
}
