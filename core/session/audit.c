/* The audit: is the value after a step the value before it?
 *
 * Every intermediate graph is evaluated as it stands, on the values of the session, on random ones
 * of the same shapes and on hard ones (zeros of both signs; NaN and infinity), and compared with
 * the one before. A step may change what its classes allow (bounds.h) and nothing else: one of
 * class E keeps every bit. */
#include "rewrite/bounds.h"
#include "ops/cost.h"
#include "rewrite/history.h"
#include "session/session.h"

#include "tensor/philox.h"
#include "exec/plan.h"
#include "passes/passes.h"
#include <math.h>

/* Of values: those of the session, two at random, some zeros, some NaN and infinity. */
enum { GIVEN, ZEROS = 3, SPECIAL, ROUNDS, FREE_SIZE = 3 };
enum { WORK_LIMIT = 1 << 25 }; /* of one graph at random values: a loop may have no end at them */

typedef struct {
    Session *s;
    Exploration *x;
    TensorMap values[ROUNDS]; /* leaf -> Tensor*; round 0: those of the session */
    TensorMap moved[ROUNDS]; /* the same, each changed by as much as rounding may change a result */
    double inputs[ROUNDS];   /* the largest of them */
    bool left[ROUNDS];       /* some state overflowed or underflowed in this round */
    bool ok[ROUNDS];
    bool planned;              /* the state before could be run */
    SET(const StepLog *) done; /* inner logs */
    const Place *open;         /* whose child steps are wanted; n = 0: all; NULL: none */
    double began;              /* seconds */
} Work;

/* ---- inputs ---- */

/* Among numbers at random some that are easy to get wrong. */
static double hard_value(double x, int round, i64 i)
{
    static const double zeros[] = {0.0, -0.0, 1.0, -1.0, 0.5, 2.0},
                        special[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0};
    u64 roll = hash_mix((u64)i * 31 + (u64)round, (u64)(i64)(1000 * x));
    if (round == ZEROS && roll & 1)
        return zeros[(roll >> 8) % COUNT_OF(zeros)];
    return round == SPECIAL && roll % 3 == 0 ? special[(roll >> 8) % COUNT_OF(special)] : x;
}

static Tensor *random_tensor(Session *s, const Type *t, const i64 *shape, int round, i64 seed)
{
    Tensor *f = tensor_new(&s->st.heap, DT_F64, t->rank, shape);
    if (!f)
        return NULL;
    rng_normal(rng_seed(seed), DT_F64, f->count, f->data);
    double *at = f->data;
    for (i64 i = 0; i < f->count; i++)
        at[i] = dtype_is_int(t->dtype) ? 1 + fabs(floor(2 * at[i])) : hard_value(at[i], round, i);
    Tensor *r = tensor_cast(&s->st.heap, f, t->dtype);
    tensor_unref(f);
    return r;
}

/* An AtomNumber: what the values of the session say, which the other leaves have in every round. */
static double size_in_rounds(void *ctx, const SizeAtom *a)
{
    Session *s = ctx;
    i64 known;
    bool named = a && a->kind == ATOM_NAME;
    return named && session_size(s, size_to_node(&s->st, size_name(&s->st, a->name)), &known)
               ? (double)known
               : FREE_SIZE;
}

/* Of the shape of `like`, or (NULL) with FREE_SIZE for sizes that no value says. Rounds differ.
 * NULL: no memory, or a state of a generator. */
static Tensor *random_value(Session *s, const Node *leaf, const Tensor *like, int round)
{
    const Type *t = leaf->type;
    i64 shape[MAX_RANK];
    for (int a = 0; a < t->rank; a++)
        if (like)
            shape[a] = like->shape[a];
        else if (!size_is_const(t->dims[a], &shape[a]))
            shape[a] = (i64)fmax(0, size_estimate(t->dims[a], size_in_rounds, s));
    return t->dtype == DT_RNG ? NULL
                              : random_tensor(s, t, shape, round,
                                              1000 * round + (i64)leaf_place(&s->st, leaf) + 1);
}

static Tensor *value_for(Work *w, const Node *leaf, int round, bool *given)
{
    Session *s = w->s;
    Tensor *have = session_leaf_value(s, leaf);
    *given = have != NULL;
    if (have && (round == GIVEN || !dtype_is_float(leaf->type->dtype)))
        return tensor_ref(have);
    return random_value(s, leaf, have, round);
}

/* The tensor with every float moved by what rounding may change; what is not finite stays. */
static Tensor *moved_tensor(Session *s, const Tensor *t)
{
    Tensor *f = dtype_is_float(t->dtype) ? tensor_cast(&s->st.heap, t, DT_F64) : NULL;
    Tensor *own = f ? tensor_copy(&s->st.heap, f) : NULL;
    double *at = own ? own->data : NULL, by = rounding_bound(t->dtype);
    for (i64 i = 0; own && i < own->count; i++)
        at[i] *= hash_mix((u64)i, 0x51) & 1 ? 1 + by : 1 - by;
    Tensor *r = own ? tensor_cast(&s->st.heap, own, t->dtype) : NULL;
    tensor_unref(f);
    tensor_unref(own);
    return r;
}

static void keep_value(Work *w, int round, const Node *leaf, Tensor *t)
{
    Tensor *moved = moved_tensor(w->s, t);
    map_put(&w->values[round], leaf, t);
    if (dtype_is_float(leaf->type->dtype))
        w->inputs[round] = fmax(w->inputs[round], tensor_largest(t));
    map_put(&w->moved[round], leaf, moved ? moved : tensor_ref(t));
}

static void choose_values(Work *w, const NodeVec *leaves)
{
    for (int r = 0; r < ROUNDS; r++) {
        w->ok[r] = true;
        for (size_t i = 0; i < leaves->len; i++) {
            bool given;
            Tensor *t = value_for(w, leaves->at[i], r, &given);
            if (t)
                keep_value(w, r, leaves->at[i], t);
            w->ok[r] = w->ok[r] && t && (given || r > GIVEN);
        }
    }
}

/* The inputs that have a size: its value is read off theirs. */
static void add_leaves_of_size(Session *s, const Node *size, NodeSet *seen, NodeVec *leaves)
{
    const SizeAtom *atom = size_as_atom(size->attrs[0].size);
    size_t at = 0;
    for (const Leaf *l;
         atom && atom->kind == ATOM_NAME && (l = session_next_of_size(s, atom->name, &at)) != NULL;)
        if (set_add(seen, l->node))
            vec_push(leaves, l->node);
}

static void find_leaves(Session *s, Exploration *x, NodeVec *leaves)
{
    NodeVec order = {0};
    NodeSet seen = {0};
    nodes_topo(x->nroots, x->start, &order);
    for (size_t i = 0; i < order.len; i++)
        if ((order.at[i]->op == OP_INPUT || order.at[i]->op == OP_SHARED) &&
            set_add(&seen, order.at[i]))
            vec_push(leaves, order.at[i]);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_SIZE)
            add_leaves_of_size(s, order.at[i], &seen, leaves);
    map_free(&seen);
    vec_free(&order);
}

/* ---- values of a graph ---- */

static void drop(Tensor **t, int n)
{
    for (int i = 0; i < n && t; i++)
        tensor_unref(t[i]);
    free(t);
}

/* The roots as they stand, ready to run; NULL: they cannot be planned. Freed with program_free. */
static Program *plan_roots(Work *w, Node *const *roots)
{
    Node **plain = xmalloc(((size_t)w->x->nroots + 1) * sizeof *plain);
    memcpy(plain, roots, (size_t)w->x->nroots * sizeof *plain);
    Program *p = NULL;
    if (derivatives_expand(w->x->st, w->s->rules, &w->s->options, w->x->nroots, plain))
        p = plan_build_with(w->x->st, w->x->nroots, plain, w->s->plan_flags);
    free(plain);
    return p;
}

/* Errors that say nothing of the graph. */
static bool is_limit(const Diags *ds)
{
    const char *code = ds->list.len ? ds->list.at[ds->list.len - 1].code : "";
    return !strcmp(code, "work") || !strcmp(code, "memory") || !strcmp(code, "out-of-memory") ||
           !strcmp(code, "interrupted");
}

/* NULL: an error at run time. A loop need not end on values at random: a round in which it does not
 * is given up. */
static Tensor **run_once(Work *w, Program *p, int round, const TensorMap *values)
{
    Tensor **out = xcalloc((size_t)w->x->nroots + 1, sizeof *out);
    DiagTry trial; /* run-time errors go to the session's list: they are not the user's */
    diag_try_begin(&trial, &w->s->st.diags);
    bool ok = session_run_program(w->s, p, values, round == GIVEN ? 0 : WORK_LIMIT, out);
    w->left[round] = w->left[round] || w->s->run_raised;
    w->ok[round] = w->ok[round] && (ok || !is_limit(&trial.found));
    diag_try_end(&trial);
    if (!ok)
        free(out);
    return ok ? out : NULL;
}

/* Values in every round; NULL where there are none. false: it was not tried. */
static bool evaluate_rounds(Work *w, Node *const *roots, Tensor **out[ROUNDS], Program **keep)
{
    DiagTry trial;
    diag_try_begin(&trial, &w->s->st.diags);
    Program *p = roots ? plan_roots(w, roots) : NULL;
    for (int r = 0; r < ROUNDS; r++)
        out[r] = p && w->ok[r] ? run_once(w, p, r, &w->values[r]) : NULL;
    diag_try_end(&trial);
    if (keep)
        *keep = p;
    else if (p)
        program_free(p);
    return p != NULL;
}

/* ---- the walk ---- */

static void add_round(Work *w, Deviation *d, int r, Tensor **before, Tensor **after, Tensor **moved)
{
    for (int i = 0; before && after && i < w->x->nroots; i++)
        deviation_add(d, before[i], after[i], moved ? moved[i] : NULL, w->inputs[r]);
    d->left = d->left || w->left[r];
    d->failed = d->failed || (before && !after);
    d->passed = d->passed || (!before && after);
}

/* A round. Where a rounding step seems to change too much, how much the result depends on its
 * inputs decides. What a rounding step makes of NaN and infinity in inputs is not compared, and of
 * what overflows not whether it ends as NaN: sums that overflow, or not, in another order. */
static void compare_round(Work *w, Program *p, u32 classes, int r, Tensor **before, Tensor **after,
                          Deviation *d)
{
    bool rounds = classes & (HAZARD_R | HAZARD_NPLUS | HAZARD_NMINUS);
    Deviation one = *d;
    if (r == SPECIAL && rounds)
        return;
    add_round(w, &one, r, before, after, NULL);
    bool doubtful = one.rounding || one.made || one.unmade;
    if (doubtful && rounds && before && after) {
        Tensor **moved = run_once(w, p, r, &w->moved[r]);
        one = *d;
        add_round(w, &one, r, before, after, moved);
        drop(moved, w->x->nroots);
    }
    *d = one;
}

/* Compares what is now with `before` (which it replaces, and frees). */
static void audit_state(Work *w, const Step *step, u32 classes, const Place *place,
                        Node *const *roots, Tensor **before[ROUNDS], Audit *out)
{
    Tensor **after[ROUNDS];
    Program *p;
    AuditRow row = {.place = *place, .step = step, .classes = classes};
    bool compared = false, tried = evaluate_rounds(w, roots, after, &p) && w->planned;
    for (int r = 0; r < ROUNDS; r++) {
        if (tried && w->ok[r] && (before[r] || after[r])) {
            compare_round(w, p, classes, r, before[r], after[r], &row.by);
            compared = true;
        }
        drop(before[r], w->x->nroots);
        before[r] = after[r];
    }
    w->planned = p != NULL;
    if (p)
        program_free(p);
    row.unevaluated = !compared;
    row.breaks = deviation_breaks(&row.by, classes);
    out->steps++;
    out->compared += compared;
    out->differing += row.breaks != NULL;
    out->worst = fmax(out->worst, row.by.error);
    vec_push(&out->rows, row);
}

/* A log being gone through: its roots as they are now, and whose body they are. */
typedef struct Level {
    const struct Level *outer;
    const Step *owner; /* in the outer log; NULL: the expression's own */
    int n;
    Node **roots;
    u32 context; /* classes of the owners' steps beyond those of the steps inside them */
} Level;

/* The expression's roots with everything as it is in this level; NULL: types do not fit. */
static Node **whole(Work *w, const Level *l)
{
    Node **roots = xmalloc(((size_t)l->n + 1) * sizeof *roots);
    memcpy(roots, l->roots, (size_t)l->n * sizeof *roots);
    for (; l->outer; l = l->outer) {
        Node *owner = step_owner_with(w->x->st, l->owner, roots);
        NodeMap memo = {0};
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

static void copy_values(const Work *w, Tensor **from[ROUNDS], Tensor **to[ROUNDS])
{
    for (int r = 0; r < ROUNDS; r++) {
        to[r] = from[r] ? xcalloc((size_t)w->x->nroots + 1, sizeof **to) : NULL;
        for (int i = 0; from[r] && i < w->x->nroots; i++)
            to[r][i] = tensor_ref(from[r][i]);
    }
}

/* The steps on a body, from the same values on. */
static bool audit_inside(Work *w, const Step *s, const Level *outer, Place *place,
                         Tensor **before[ROUNDS], Audit *out)
{
    const Graph *g = s->inner_before;
    if (!step_rewrites_inside(s) || map_has(&w->done, s->inner) || place->n == PLACE_DEPTH)
        return true;
    set_add(&w->done, s->inner);
    Tensor **mine[ROUNDS] = {NULL};
    copy_values(w, before, mine);
    Level inner = {outer, s, g->nouts, xmalloc(((size_t)g->nouts + 1) * sizeof(Node *)),
                   outer->context | s->extra};
    memcpy(inner.roots, g->outs, (size_t)g->nouts * sizeof *inner.roots);
    bool planned = w->planned;
    place->n++;
    bool ok = audit_log(w, s->inner, &inner, place, mine, out);
    place->n--;
    w->planned = planned;
    for (int r = 0; r < ROUNDS; r++)
        drop(mine[r], w->x->nroots);
    free(inner.roots);
    return ok;
}

static bool same_place(const Place *a, const Place *b)
{
    return a->n == b->n && !memcmp(a->at, b->at, a->n * sizeof *a->at);
}

/* The graph of the level with child step k of an opened one made; NULL: types do not fit. */
static Node **child_roots(Work *w, const Opened *o, u32 k, const Level *l)
{
    Node **now = xmalloc(((size_t)o->n + 1) * sizeof *now), **roots = NULL;
    Level at = *l;
    NodeMap memo = {0};
    bool ok = log_replay(w->x->st, &o->log, k, o->n, o->start, now);
    for (int i = 0; i < o->n && ok; i++)
        map_put(&memo, o->start[i], now[i]);
    at.roots = xmalloc(((size_t)l->n + 1) * sizeof *at.roots);
    for (int i = 0; i < l->n && ok; i++)
        ok = (at.roots[i] = node_substitute(w->x->st, l->roots[i], &memo)) != NULL;
    if (ok)
        roots = whole(w, &at);
    map_free(&memo);
    free(at.roots);
    free(now);
    return roots;
}

/* The child steps of one, from the same values on. */
static void audit_children(Work *w, const Step *s, const Level *l, Place *place,
                           Tensor **before[ROUNDS], Audit *out)
{
    bool asked = w->open && (!w->open->n || same_place(w->open, place)) && !s->again;
    const Opened *o = asked && place->n < PLACE_DEPTH ? exploration_opened(w->x, s) : NULL;
    if (!o)
        return;
    Tensor **mine[ROUNDS];
    bool planned = w->planned;
    out->opened++;
    copy_values(w, before, mine);
    place->n++;
    for (u32 k = 1; k <= o->log.at.len; k++) {
        const Step *child = &o->log.at.at[k - 1];
        Node **roots = child_roots(w, o, k, l);
        place->at[place->n - 1] = k;
        audit_state(w, child, step_classes(child) | l->context, place, roots, mine, out);
        free(roots);
    }
    place->n--;
    w->planned = planned;
    for (int r = 0; r < ROUNDS; r++)
        drop(mine[r], w->x->nroots);
}

static bool audit_log(Work *w, const StepLog *log, Level *l, Place *place, Tensor **before[ROUNDS],
                      Audit *out)
{
    Walk walk;
    bool ok = true;
    walk_begin(&walk, w->x->st, log, l->n, l->roots);
    while (ok && walk.at < log->at.len) {
        if ((ok = !store_stopped(w->x->st, "here")) == false)
            break;
        const Step *s = &log->at.at[walk.at];
        place->at[place->n - 1] = walk.at + 1;
        session_progress(w->s, w->began, (double)(place->at[0] - 1) / (double)w->x->log.at.len);
        audit_children(w, s, l, place, before, out);
        ok = audit_inside(w, s, l, place, before, out) && walk_next(&walk);
        if (!ok)
            break;
        memcpy(l->roots, walk.roots, (size_t)l->n * sizeof *l->roots);
        Node **roots = whole(w, l);
        audit_state(w, s, step_classes(s) | l->context, place, roots, before, out);
        free(roots);
    }
    walk_end(&walk);
    return ok;
}

bool session_audit(Session *s, Exploration *x, Audit *out)
{
    return session_audit_open(s, x, NULL, out);
}

bool session_audit_open(Session *s, Exploration *x, const Place *open, Audit *out)
{
    memset(out, 0, sizeof *out);
    Work w = {.s = s, .x = x, .open = open, .began = now_seconds()};
    NodeVec leaves = {0};
    Tensor **before[ROUNDS];
    find_leaves(s, x, &leaves);
    choose_values(&w, &leaves);
    Level outermost = {.n = x->nroots, .roots = xmalloc(((size_t)x->nroots + 1) * sizeof(Node *))};
    memcpy(outermost.roots, x->start, (size_t)x->nroots * sizeof *outermost.roots);
    w.planned = evaluate_rounds(&w, outermost.roots, before, NULL);
    Place place = {.n = 1};
    bool ok = audit_log(&w, &x->log, &outermost, &place, before, out);
    for (int r = 0; r < ROUNDS; r++) {
        drop(before[r], x->nroots);
        for (size_t i = 0; i < leaves.len; i++)
            tensor_unref(map_get(&w.values[r], leaves.at[i])),
                tensor_unref(map_get(&w.moved[r], leaves.at[i]));
        map_free(&w.values[r]);
        map_free(&w.moved[r]);
    }
    free(outermost.roots);
    map_free(&w.done);
    vec_free(&leaves);
    if (!ok)
        audit_free(out);
    return ok;
}

void audit_free(Audit *a) { vec_free(&a->rows); }
