/* Which values leave the range of their types: see left_range.h. What operators may do is in
 * ops/traits.def.
 *
 * An infinity that an operation makes of finite numbers is an overflow, unless it is a pole; a 0 or
 * a subnormal number that it makes of others is an underflow. Products of matrices add up what
 * cannot be seen: their operands say it. */
#include "session/left_range.h"

#include "graph/op.h"

#include <float.h>
#include <math.h>

enum { MOST_NODES = 400 }; /* that are watched: each is a result that is kept */

void range_watch_open(RangeWatch *w, Session *s, int n, Node *const *roots)
{
    NodeVec order = {0};
    *w = (RangeWatch){.s = s};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *x = order.at[i];
        if (x->type->kind != TYPE_TENSOR || !dtype_is_float(x->type->dtype))
            continue;
        vec_push(&w->nodes, x);
        map_put(&w->places, x, (u32)w->nodes.len);
    }
    vec_free(&order);
    if (w->nodes.len && w->nodes.len <= MOST_NODES)
        w->program =
            plan_build_with(&s->st, (int)w->nodes.len, w->nodes.at, s->plan_flags | PLAN_PLAIN);
}

void range_watch_close(RangeWatch *w)
{
    program_free(w->program);
    map_free(&w->places);
    vec_free(&w->nodes);
}

/* What a value is like, or several of them. */
typedef struct {
    bool zero, odd, infinite; /* some element is 0; nan or infinite; infinite */
    bool tiny;                /* 0 or subnormal */
    bool empty;               /* some value has no elements */
    double least;             /* the product of their least sizes but 0 */
    bool flushed;             /* one of these is subnormal, which BLAS may take for 0 */
} Extent;

static void look_at(Extent *e, const Tensor *t)
{
    double normal = t->dtype == DT_F32 ? (double)FLT_MIN : DBL_MIN, least = INFINITY;
    e->empty = e->empty || !t->count;
    for (i64 i = 0; i < t->count; i++) {
        double v = fabs(tensor_f64_at(t, i));
        e->zero = e->zero || v == 0;
        e->odd = e->odd || !isfinite(v);
        e->infinite = e->infinite || isinf(v);
        e->tiny = e->tiny || v < normal;
        least = v != 0 && v < least ? v : least;
    }
    e->least *= least;
    e->flushed = e->flushed || least < normal;
}

/* All operands; those of a loop are those of its results. */
static void look_at_operands(const RangeWatch *w, const Node *n, Tensor *const *values, Extent *e)
{
    for (u32 i = 0; i < n->nops; i++) {
        u32 place = map_get(&w->places, n->ops[i]);
        if (place && values[place - 1])
            look_at(e, values[place - 1]);
        else if (n->ops[i]->type->kind == TYPE_TUPLE)
            look_at_operands(w, n->ops[i], values, e);
    }
}

static bool adds_products(OpId op)
{
    return op_table[op].cls == CLASS_LINALG && op_table[op].min_ops >= 2;
}

/* One over nothing counts as one that left the range: it is computed again without class O. */
static void look_at_product(RangeLeft *left, const Extent *own, const Extent *ops, const Tensor *t)
{
    double normal = t->dtype == DT_F32 ? (double)FLT_MIN : DBL_MIN;
    left->over = left->over || (own->odd && !ops->odd) || (t->count && ops->empty);
    left->under = left->under || ops->least < normal || ops->flushed;
}

static void look_at_node(const RangeWatch *w, size_t i, Tensor *const *values, RangeLeft *left)
{
    const Node *n = w->nodes.at[i];
    u32 traits = op_traits[n->op];
    Extent own = {.least = 1}, ops = {.least = 1};
    if (!n->nops || !values[i])
        return;
    look_at(&own, values[i]);
    bool product = adds_products(n->op);
    if (!own.tiny && !own.infinite && !product)
        return;
    look_at_operands(w, n, values, &ops);
    if (product) {
        look_at_product(left, &own, &ops, values[i]);
        return;
    }
    bool pole = !(traits & ENTIRE) && (ops.zero || !(traits & POLE_AT_ZERO));
    bool small = traits & NEVER_ZERO || (traits & UNDERFLOWS && !ops.tiny);
    left->over = left->over || (own.infinite && !ops.odd && !pole);
    left->under = left->under || (own.tiny && !ops.odd && small);
}

RangeLeft range_left(RangeWatch *w, const TensorMap *values, u64 work_limit)
{
    RangeLeft left = {false, false};
    if (!w->program)
        return left;
    Tensor **out = xcalloc(w->nodes.len + 1, sizeof *out);
    DiagTry trial;
    diag_try_begin(&trial, &w->s->st.diags);
    bool ok = session_run_program(w->s, w->program, values, work_limit, out);
    diag_try_end(&trial);
    for (size_t i = 0; ok && i < w->nodes.len; i++)
        look_at_node(w, i, out, &left);
    for (size_t i = 0; ok && i < w->nodes.len; i++)
        tensor_unref(out[i]);
    free(out);
    return left;
}
