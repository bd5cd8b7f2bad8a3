/* How much of a difference is rounding: both sides again, with every input and every intermediate
 * result off by a few units in its last place.
 *
 * Invariant: only what rounds is moved; sizes, integers and what is only carried about stay. */
#include "graph/walk.h"
#include "session/rule_trial.h"
#include "exec/plan.h"

#include <float.h>
#include <math.h>

enum {
    RUNS = 8,          /* with factors of their own: the largest change of them counts */
    UNITS = 64,        /* of the last place: as much as any factor changes a result */
    TRY_WORK = 1 << 20 /* of one run */
};

static bool is_exact(OpId op)
{
    static const OpId ops[] = {OP_INPUT,   OP_CONST, OP_PROJ,  OP_NEG,   OP_ABS,   OP_MAXIMUM,
                               OP_MINIMUM, OP_RELU,  OP_WHERE, OP_MAX,   OP_MIN,   OP_CUMMAX,
                               OP_SORT,    OP_FLOOR, OP_CEIL,  OP_ROUND, OP_TRUNC, OP_SIGN};
    OpClass c = op_table[op].cls;
    for (size_t i = 0; i < COUNT_OF(ops); i++)
        if (op == ops[i])
            return true;
    return c == CLASS_SHAPE || c == CLASS_INDEX || c == CLASS_STRUCTURAL || c == CLASS_CONTROL ||
           c == CLASS_RANDOM || c == CLASS_IMPLICIT;
}

/* Sizes that instance_length knows. */
static bool has_plain_shape(const Type *t)
{
    for (int i = 0; i < t->rank; i++) {
        const SizeAtom *a = size_as_atom(t->dims[i]);
        if (!size_is_const(t->dims[i], NULL) && !(a && a->kind == ATOM_NAME))
            return false;
    }
    return true;
}

static bool is_float(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && dtype_is_float(n->type->dtype);
}

static Node *with_factor(Trial *t, Node *n, NodeVec *factors)
{
    char name[32];
    snprintf(name, sizeof name, "factor%zu", factors->len);
    Node *f = node_input(&t->s.st, OP_INPUT, symbol(&t->s.st, name), n->type);
    Node *r = node2(&t->s.st, OP_MUL, NULL, n, f);
    if (!r || r->type != n->type)
        return n;
    vec_push(factors, f);
    return r;
}

static Node *with_factors(Trial *t, Node *root, NodeVec *factors)
{
    NodeVec order = {0}, ops = {0};
    NodeMap made = {0};
    nodes_topo(1, &root, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i], *r = n;
        bool changed = false;
        ops.len = 0;
        for (u32 k = 0; k < n->nops; k++) {
            Node *x = map_get(&made, n->ops[k]);
            changed = changed || x != n->ops[k];
            vec_push(&ops, x);
        }
        if (changed)
            r = node_with_operands(&t->s.st, n, ops.at);
        if (!r || r->type != n->type)
            r = n;
        if (is_float(n) && !is_exact(n->op) && has_plain_shape(n->type))
            r = with_factor(t, r, factors);
        map_put(&made, n, r);
    }
    Node *r = map_get(&made, root);
    vec_free(&order);
    vec_free(&ops);
    map_free(&made);
    return r;
}

static double unit_of(DType d) { return d == DT_F32 ? (double)FLT_EPSILON : DBL_EPSILON; }

/* How a run moves numbers: every other one towards 0 only, as what is large may leave the range. */
typedef struct {
    u64 state;
    bool shrinks;
} Mover;

static double amount(Mover *m)
{
    m->state = m->state * 6364136223846793005ull + 1442695040888963407ull;
    double x = 2 * ((double)(hash_mix(m->state, 43) >> 11) / 9007199254740992.0) - 1;
    return m->shrinks ? -fabs(x) : x;
}

/* x, or 1 if there is none, each element off by some units. */
static Tensor *moved(Heap *h, const Node *leaf, const Tensor *x, Mover *m)
{
    i64 shape[MAX_RANK];
    DType d = leaf->type->dtype;
    for (int i = 0; i < leaf->type->rank; i++)
        shape[i] = instance_length(leaf->type->dims[i]);
    Tensor *wide = tensor_new(h, DT_F64, leaf->type->rank, shape);
    for (i64 i = 0; wide && i < wide->count; i++)
        ((double *)wide->data)[i] =
            (x ? tensor_f64_at(x, i) : 1) * (1 + UNITS * unit_of(d) * amount(m));
    Tensor *r = wide ? tensor_cast(h, wide, d) : NULL;
    tensor_unref(wide);
    return r;
}

/* Powers tell whole numbers from others, and -1 from what is next to it. */
static bool has_power(const Instance *c)
{
    bool found = false;
    for (size_t i = 0; i < c->order.len; i++)
        found = found || c->order.at[i]->op == OP_POW;
    return found;
}

static void run_moved(Comparison *k, int side, Mover *m, Tensor **out)
{
    Trial *t = k->t;
    Instance *c = k->c;
    Heap *h = &t->s.st.heap;
    bool exact = has_power(c);
    TensorMap values = {0};
    NodeVec own = {0};
    for (size_t i = 0; i < c->order.len; i++) {
        Tensor *x = map_get(k->values, c->order.at[i]);
        if (x && is_float(c->order.at[i]) && !exact) {
            map_put(&values, c->order.at[i], moved(h, c->order.at[i], x, m));
            vec_push(&own, c->order.at[i]);
        } else if (x) {
            map_put(&values, c->order.at[i], x);
        }
    }
    for (size_t i = 0; i < c->factors[side].len; i++) {
        map_put(&values, c->factors[side].at[i], moved(h, c->factors[side].at[i], NULL, m));
        vec_push(&own, c->factors[side].at[i]);
    }
    if (!session_run_program(&t->s, c->noisy[side], &values, TRY_WORK, out))
        *out = NULL;
    for (size_t i = 0; i < own.len; i++)
        tensor_unref(map_get(&values, own.at[i]));
    vec_free(&own);
    map_free(&values);
    diags_clear(&t->s.diags);
}

static void add_side(Comparison *k, int side)
{
    Instance *c = k->c;
    const Tensor *plain = side ? k->b : k->a;
    if (!c->noisy[side]) {
        Node *root = trial_runnable(k->t, side ? c->after : c->before);
        root = with_factors(k->t, root, &c->factors[side]);
        c->noisy[side] = plan_build(&k->t->s.st, 1, &root);
    }
    Mover m = {.state = 7};
    for (int run = 0; run < RUNS && c->noisy[side]; run++) {
        Tensor *x = NULL;
        m.shrinks = run % 2;
        run_moved(k, side, &m, &x);
        for (i64 i = 0; x && i < plain->count && x->count == plain->count; i++) {
            double off = fabs(tensor_f64_at(x, i) - tensor_f64_at(plain, i));
            if (isfinite(off)) /* else it left the range, or where it is defined */
                k->spread[i] = fmax(k->spread[i], off);
        }
        tensor_unref(x);
    }
}

double trial_spread(Comparison *k, i64 i)
{
    if (!k->spread) {
        k->spread = xcalloc((size_t)k->a->count + 1, sizeof *k->spread);
        add_side(k, 0);
        add_side(k, 1);
    }
    return k->spread[i];
}

static bool jumps(const Node *n)
{
    OpId op = n->op;
    bool whole = n->type->kind == TYPE_TENSOR && !dtype_is_float(n->type->dtype);
    bool reads = false;
    for (u32 i = 0; i < n->nops; i++)
        reads = reads || is_float(n->ops[i]);
    return op == OP_FLOOR || op == OP_CEIL || op == OP_ROUND || op == OP_TRUNC || op == OP_SIGN ||
           op == OP_MOD || op == OP_FLOORDIV || (whole && reads && n->op != OP_DIM);
}

bool trial_may_jump(const Instance *c)
{
    bool found = false;
    for (size_t i = 0; i < c->order.len; i++)
        found = found || jumps(c->order.at[i]);
    return found;
}
