/* The audit: is the value after a step the value before it?
 *
 * Every intermediate graph is evaluated as it stands, on the values of the session and on
 * random ones of the same shapes, and compared with the one before. What a step may change
 * is what its classes say: a step of class E only must keep every bit, with one exception.
 * Sums and products of more than two operands are kept in a canonical order, which any
 * change below them may shift; then the last bits may differ. */
#include "rewrite/history.h"
#include "lang/session.h"

#include "exec/philox.h"
#include <math.h>

enum { ROUNDS = 3, FREE_SIZE = 3 };

typedef struct {
    Session *s;
    Exploration *x;
    PtrMap values[ROUNDS]; /* leaf -> Tensor*; round 0: those of the session */
    bool ok[ROUNDS];
    bool starved[ROUNDS]; /* a value did not fit into memory: that tells nothing of a step */
    bool order_mattered;  /* before the step */
    PtrMap done;          /* inner logs */
} Work;

/* ---- inputs ---- */

static Tensor *random_tensor(Session *s, const Type *t, const i64 *shape, i64 seed)
{
    Tensor *f = tensor_new(&s->st.heap, DT_F64, t->rank, shape);
    if (!f)
        return NULL;
    rng_normal(rng_seed(seed), DT_F64, f->count, f->data);
    double *at = f->data;
    for (i64 i = 0; i < f->count; i++)
        at[i] = dtype_is_int(t->dtype) ? 1 + fabs(floor(2 * at[i])) : at[i];
    Tensor *r = tensor_cast(&s->st.heap, f, t->dtype);
    tensor_unref(f);
    return r;
}

static Tensor *value_for(Work *w, const Node *leaf, int round, bool *given)
{
    Session *s = w->s;
    Leaf *l = session_leaf(s, leaf);
    Tensor *have = leaf->op == OP_SHARED ? map_get(&s->context->values, leaf) : l ? l->value : NULL;
    if (!have && leaf->op == OP_SHARED)
        have = map_get(&s->contexts.at[0]->values, leaf);
    *given = have != NULL;
    Type *t = leaf->type;
    if (have && (round == 0 || !dtype_is_float(t->dtype)))
        return tensor_ref(have);
    i64 shape[MAX_RANK];
    for (int a = 0; a < t->rank; a++)
        if (have)
            shape[a] = have->shape[a];
        else if (!size_is_const(t->dims[a], &shape[a]))
            shape[a] = FREE_SIZE + t->dims[a]->constant;
    if (t->dtype == DT_RNG)
        return NULL;
    return random_tensor(s, t, shape, 1000 * round + (i64)leaf->aux + 1);
}

static void choose_values(Work *w, const NodeVec *leaves)
{
    for (int r = 0; r < ROUNDS; r++) {
        w->ok[r] = true;
        for (size_t i = 0; i < leaves->len; i++) {
            bool given;
            Tensor *t = value_for(w, leaves->at[i], r, &given);
            if (t)
                map_put(&w->values[r], leaves->at[i], t);
            w->ok[r] = w->ok[r] && t && (given || r > 0);
        }
    }
}

static void find_leaves(Exploration *x, NodeVec *leaves)
{
    NodeVec order = {0};
    nodes_topo(x->nroots, x->start, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_INPUT || order.at[i]->op == OP_SHARED)
            vec_push(leaves, order.at[i]);
    vec_free(&order);
}

/* ---- comparing ---- */

static double ulp_distance(double a, double b)
{
    i64 x, y;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    x = x < 0 ? INT64_MIN - x : x;
    y = y < 0 ? INT64_MIN - y : y;
    return (double)(x > y ? (u64)x - (u64)y : (u64)y - (u64)x);
}

static void compare_tensors(AuditRow *row, const Tensor *a, const Tensor *b)
{
    if (a->rank != b->rank || memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape)) {
        row->shape_changed = true;
        return;
    }
    if (a->dtype == DT_RNG || tensor_same_bits(a, b))
        return;
    double scale = 0; /* an element far below the largest one is compared against that */
    for (i64 i = 0; i < a->count; i++)
        if (isfinite(tensor_f64_at(a, i)) && fabs(tensor_f64_at(a, i)) > scale)
            scale = fabs(tensor_f64_at(a, i));
    for (i64 i = 0; i < a->count; i++) {
        double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
        if (isnan(x) != isnan(y) || isinf(x) != isinf(y) || (isinf(x) && x != y))
            row->nan_changed = true;
        if (!isfinite(x) || !isfinite(y) || x == y)
            continue;
        double e = fabs(x - y) / fmax(fmax(fabs(x), fabs(y)), scale * 1e-3), u = ulp_distance(x, y);
        row->max_error = e > row->max_error ? e : row->max_error;
        row->max_absolute = fmax(row->max_absolute, fabs(x - y));
        row->max_ulp = u > row->max_ulp ? u : row->max_ulp;
    }
}

/* Does the graph, or one inside it, hold a sum or product whose order of operands matters? Under a
 * derivative it always does: equal functions have equal derivatives, added up in another order. */
static bool order_matters(int n, Node *const *roots)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len && !found; i++) {
        Node *x = order.at[i];
        int slots[4], ng = node_graphs(x, slots);
        found = ((op_table[x->op].flags & COMMUTES) && x->nops > 2) ||
                op_table[x->op].cls == CLASS_IMPLICIT;
        for (int k = 0; k < ng && !found; k++) {
            Graph *g = x->attrs[slots[k]].graph;
            found = order_matters(g->nouts, g->outs);
        }
    }
    vec_free(&order);
    return found;
}

static bool beyond_classes(const AuditRow *row, u32 classes, bool reordered)
{
    if (row->shape_changed)
        return true;
    if (row->nan_changed && !(classes & (HAZARD_NPLUS | HAZARD_NMINUS)))
        return true;
    bool rounding = classes & (HAZARD_R | HAZARD_NPLUS | HAZARD_NMINUS) || reordered;
    /* A stable form may differ from a cancelling one in every digit of what is left: then the
     * absolute error counts. */
    return row->max_error > (rounding ? 1e-9 : 0) && !(rounding && row->max_absolute < 1e-13);
}

/* ---- the walk ---- */

static bool evaluate(Work *w, Node *const *roots, int round, Tensor **out)
{
    Diags scratch = {0}, *saved = w->s->st.diags;
    w->s->st.diags = &scratch;
    Diags mine =
        w->s->diags; /* run-time errors go to the session's list: they are not the user's */
    memset(&w->s->diags, 0, sizeof w->s->diags);
    bool ok = session_evaluate_raw(w->s, w->x->nroots, roots, &w->values[round], out);
    for (size_t i = 0; i < w->s->diags.list.len; i++)
        w->starved[round] |= !strcmp(w->s->diags.list.at[i].code, "memory");
    diags_free(&w->s->diags);
    w->s->diags = mine;
    w->s->st.diags = saved;
    diags_free(&scratch);
    return ok;
}

static void drop(Tensor **t, int n)
{
    for (int i = 0; i < n && t; i++)
        tensor_unref(t[i]);
    free(t);
}

/* Values of a graph in every round; NULL where it cannot be evaluated (an error at run time). */
static void evaluate_rounds(Work *w, Node *const *roots, Tensor **out[ROUNDS])
{
    Node **plain = xmalloc(((size_t)w->x->nroots + 1) * sizeof *plain);
    memcpy(plain, roots, (size_t)w->x->nroots * sizeof *plain);
    bool expanded = derivatives_expand(w->x->st, &w->s->rules, w->x->nroots, plain);
    for (int r = 0; r < ROUNDS; r++) {
        out[r] = NULL;
        if (!w->ok[r] || !expanded)
            continue;
        out[r] = xcalloc((size_t)w->x->nroots + 1, sizeof **out);
        if (!evaluate(w, plain, r, out[r])) {
            free(out[r]);
            out[r] = NULL;
        }
    }
    free(plain);
}

/* Compares what is now with `before` (which it replaces, and frees). */
static void audit_state(Work *w, const Step *step, const Place *place, Node *const *roots,
                        Tensor **before[ROUNDS], Audit *out)
{
    Tensor **after[ROUNDS] = {NULL};
    if (roots)
        evaluate_rounds(w, roots, after);
    AuditRow row = {.place = *place, .step = step};
    bool compared = false;
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; before[r] && after[r] && i < w->x->nroots; i++) {
            compare_tensors(&row, before[r][i], after[r][i]);
            compared = true;
        }
        if (roots && w->ok[r] && before[r] && !after[r] && !w->starved[r])
            row.nan_changed = true; /* a value became an error */
        drop(before[r], w->x->nroots);
        before[r] = after[r];
    }
    row.unevaluated = !compared;
    bool order = roots && order_matters(w->x->nroots, roots);
    row.differs = beyond_classes(&row, step_classes(step), order || w->order_mattered);
    w->order_mattered = order;
    out->steps++;
    out->compared += compared;
    out->differing += row.differs;
    out->worst = row.max_error > out->worst ? row.max_error : out->worst;
    vec_push(&out->rows, row);
}

/* A log being gone through: its roots as they are now, and whose body they are. */
typedef struct Level {
    const struct Level *outer;
    const Step *owner; /* in the outer log; NULL: the expression's own */
    int n;
    Node **roots;
} Level;

/* The expression's roots with everything as it is in this level; NULL: types do not fit. */
static Node **whole(Work *w, const Level *l)
{
    Node **roots = xmalloc(((size_t)l->n + 1) * sizeof *roots);
    memcpy(roots, l->roots, (size_t)l->n * sizeof *roots);
    for (; l->outer; l = l->outer) {
        Node *owner = step_owner_with(w->x->st, l->owner, roots);
        PtrMap memo = {0};
        if (owner)
            map_put(&memo, l->owner->changes[0].before, owner);
        roots = xrealloc(roots, ((size_t)l->outer->n + 1) * sizeof *roots);
        bool ok = owner != NULL;
        for (int i = 0; i < l->outer->n && ok; i++)
            ok = (roots[i] = node_substitute(w->x->st, l->outer->roots[i], &memo)) != NULL;
        map_free(&memo);
        if (!ok) {
            free(roots);
            return NULL;
        }
    }
    return roots;
}

static bool audit_log(Work *w, const StepLog *log, Level *l, Place *place, Tensor **before[ROUNDS],
                      Audit *out);

/* The steps on a body, from the same values on. */
static bool audit_inside(Work *w, const Step *s, const Level *outer, Place *place,
                         Tensor **before[ROUNDS], Audit *out)
{
    const Graph *g = s->inner_before;
    if (!step_rewrites_inside(s) || map_has(&w->done, s->inner) || place->n == PLACE_DEPTH)
        return true;
    map_put(&w->done, s->inner, w);
    Tensor **mine[ROUNDS] = {NULL};
    for (int r = 0; r < ROUNDS; r++) {
        mine[r] = before[r] ? xcalloc((size_t)w->x->nroots + 1, sizeof **mine) : NULL;
        for (int i = 0; before[r] && i < w->x->nroots; i++)
            mine[r][i] = tensor_ref(before[r][i]);
    }
    Level inner = {outer, s, g->nouts, xmalloc(((size_t)g->nouts + 1) * sizeof(Node *))};
    memcpy(inner.roots, g->outs, (size_t)g->nouts * sizeof *inner.roots);
    bool mattered = w->order_mattered;
    place->n++;
    bool ok = audit_log(w, s->inner, &inner, place, mine, out);
    place->n--;
    w->order_mattered = mattered;
    for (int r = 0; r < ROUNDS; r++)
        drop(mine[r], w->x->nroots);
    free(inner.roots);
    return ok;
}

static bool audit_log(Work *w, const StepLog *log, Level *l, Place *place, Tensor **before[ROUNDS],
                      Audit *out)
{
    Walk walk;
    bool ok = true;
    walk_begin(&walk, w->x->st, log, l->n, l->roots);
    while (ok && walk.at < log->at.len) {
        const Step *s = &log->at.at[walk.at];
        place->at[place->n - 1] = walk.at + 1;
        ok = audit_inside(w, s, l, place, before, out) && walk_next(&walk);
        if (!ok)
            break;
        memcpy(l->roots, walk.roots, (size_t)l->n * sizeof *l->roots);
        Node **roots = whole(w, l);
        audit_state(w, s, place, roots, before, out);
        free(roots);
    }
    walk_end(&walk);
    return ok;
}

bool session_audit(Session *s, Exploration *x, Audit *out)
{
    memset(out, 0, sizeof *out);
    Work w = {.s = s, .x = x};
    NodeVec leaves = {0};
    Tensor **before[ROUNDS];
    find_leaves(x, &leaves);
    choose_values(&w, &leaves);
    Level outermost = {.n = x->nroots, .roots = xmalloc(((size_t)x->nroots + 1) * sizeof(Node *))};
    memcpy(outermost.roots, x->start, (size_t)x->nroots * sizeof *outermost.roots);
    evaluate_rounds(&w, outermost.roots, before);
    w.order_mattered = order_matters(x->nroots, outermost.roots);
    Place place = {.n = 1};
    bool ok = audit_log(&w, &x->log, &outermost, &place, before, out);
    for (int r = 0; r < ROUNDS; r++) {
        drop(before[r], x->nroots);
        for (size_t i = 0; i < leaves.len; i++)
            tensor_unref(map_get(&w.values[r], leaves.at[i]));
        map_free(&w.values[r]);
    }
    free(outermost.roots);
    map_free(&w.done);
    vec_free(&leaves);
    if (!ok)
        audit_free(out);
    return ok;
}

void audit_free(Audit *a) { vec_free(&a->rows); }
