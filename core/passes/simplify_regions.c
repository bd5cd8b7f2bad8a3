/* Finding regions, and looking at one: see simplify_regions.h. */
#include "passes/simplify_regions.h"
#include "algebra/accuracy.h"

#include "graph/control.h"
#include "graph/provenance.h"
#include "graph/walk.h"

/* ---- what may be in a region ---- */

static bool is_size(const Node *n) { return n->op == OP_SIZE || n->op == OP_DIM; }

/* A number that every form takes as it is. */
static bool is_number(const Node *n)
{
    return (n->op == OP_CONST && !n->type->rank) || is_size(n) ||
           (n->op == OP_CAST && is_size(n->ops[0]));
}

static bool is_arithmetic(const Node *n)
{
    return accuracy_runs(n->op) && (n->op != OP_POW || is_number(n->ops[1]));
}

static bool is_places(const Node *n) { return n->op == OP_BROADCAST && n->ops[0]->op == OP_IOTA; }

/* f64(i == j), over the places of two axes: what eye(n) is made of. */
static bool is_unit_matrix(const Node *n)
{
    const Node *eq = n->op == OP_CAST ? n->ops[0] : n;
    return eq->op == OP_EQ && is_places(eq->ops[0]) && is_places(eq->ops[1]) &&
           eq->ops[0]->ops[0] == eq->ops[1]->ops[0];
}

/* Whole numbers are a ring: sums and products of them are exact in any order. */
bool region_takes(const Node *n)
{
    if (n->type->kind != TYPE_TENSOR || n->type->dtype == DT_BOOL || n->type->dtype == DT_RNG)
        return false;
    return (is_arithmetic(n) && !is_number(n)) ||
           (dtype_is_float(n->type->dtype) && is_unit_matrix(n));
}

/* Is it read as a number of the kind that n is? */
static bool is_alike(const Node *n, const Node *operand)
{
    return operand->type->kind == TYPE_TENSOR && operand->type->dtype == n->type->dtype;
}

static bool is_contraction(const Node *n)
{
    return n->op == OP_SUM || n->op == OP_MEAN || n->op == OP_TRACE || n->op == OP_MATMUL ||
           n->op == OP_DIAG || n->op == OP_EYE || n->op == OP_CAST;
}

/* ---- regions ---- */

u32 region_place(const Regions *r, const Node *n) { return node_map_get(&r->places, n) - 1; }

static void use(u32 *region, u32 by)
{
    *region = *region == NOT_USED || *region == by ? by : (u32)MIXED;
}

/* In the body of a loop: what does it change with? What is the same at every step is computed
 * outside, what depends on the step alone for all steps at once, so neither is mixed with the rest.
 */
enum { CONSTANT, OF_STEP, OF_STATES };

static u8 changes_with(const ScanShape *s, i64 param)
{
    return param < s->nstates ? OF_STATES : param < s->nstates + s->nseqs ? OF_STEP : CONSTANT;
}

static void find_changing(Regions *r)
{
    const Node *owner = r->e ? r->e->owner : NULL;
    if (!owner || owner->op != OP_SCAN)
        return;
    ScanShape s = scan_shape(owner);
    for (size_t i = 0; i < r->order.len; i++) {
        const Node *n = r->order.at[i];
        u8 own = n->op == OP_PARAM ? changes_with(&s, n->attrs[0].i) : (u8)CONSTANT;
        for (u32 k = 0; k < n->nops; k++) {
            u8 below = r->changes[region_place(r, n->ops[k])];
            own = below > own ? below : own;
        }
        r->changes[i] = own;
    }
}

void regions_find(Regions *r, int nroots, Node *const *roots)
{
    for (size_t i = 0; i < r->order.len; i++)
        node_map_put(&r->places, r->order.at[i], (u32)i + 1);
    find_changing(r);
    for (int i = 0; i < nroots; i++)
        r->region[region_place(r, roots[i])] = MIXED;
    for (size_t i = r->order.len; i-- > 0;) {
        const Node *n = r->order.at[i];
        u32 *own = &r->region[i];
        bool in = region_takes(n);
        bool full = in && *own >= FIRST && r->count[*own - FIRST] >= MOST_NODES;
        r->cut = r->cut || full;
        if (in && (*own < FIRST || full))
            *own = FIRST + (u32)i;
        if (in)
            r->count[*own - FIRST]++;
        for (u32 k = 0; k < n->nops; k++) {
            u32 place = region_place(r, n->ops[k]);
            if (!is_number(n->ops[k]))
                use(&r->region[place],
                    in && is_alike(n, n->ops[k]) && r->changes[place] == r->changes[i]
                        ? *own
                        : (u32)MIXED);
        }
    }
}

/* ---- one region ---- */

/* A formula in which everything stands once is as short as it can be, unless there are sums. */
bool region_is_promising(const Census *c)
{
    return c->again || c->numbers > 1 || (c->nodes > 1 && (c->contractions || c->turns));
}

static void count_node(Census *c, const Node *n)
{
    c->nodes++;
    c->contractions += is_contraction(n);
    c->turns +=
        n->op == OP_NEG || n->op == OP_RECIPROCAL || n->op == OP_DIV || n->op == OP_TRANSPOSE;
}

/* Operands behind these are sizes and exponents, not values. */
static u32 values_of(const Node *n)
{
    return n->op == OP_BROADCAST || n->op == OP_POW ? 1
           : n->op == OP_EYE || n->op == OP_CAST    ? 0
                                                    : n->nops;
}

static void push_operands(Regions *r, const Node *n, NodeVec *stack)
{
    u32 values = values_of(n);
    bool sum = n->op == OP_ADD || n->op == OP_SUB;
    for (u32 k = n->nops; k-- > 0;)
        if (k >= values && !is_number(n->ops[k]) && n->op != OP_CAST)
            vec_push(stack, n->ops[k]);
    for (u32 k = values; k-- > 0;) {
        Node *o = values == n->nops ? node_operand_shown(r->st, n, k) : n->ops[k];
        if (sum || o->op != OP_CONST || o->type->rank)
            vec_push(stack, o);
    }
}

/* x * x reads x once, x + x twice. */
static void count_sources(Regions *r, const Node *n, Census *c)
{
    for (u32 k = 0; k < n->nops; k++) {
        bool before = false;
        for (u32 i = 0; i < k && !before && n->nops < 8; i++)
            before = n->ops[i] == n->ops[k];
        c->again += before && n->op == OP_ADD;
        if (is_number(n->ops[k]))
            c->numbers += n->op == OP_MUL || n->op == OP_DIV;
        if (before || is_number(n->ops[k]))
            continue;
        if (map_has(&r->read, n->ops[k]))
            c->again++;
        else
            map_put(&r->read, n->ops[k], true);
    }
}

static bool is_small_power(const Node *n)
{
    enum { MOST = 4 };
    double p;
    return n->op == OP_SQR ||
           (n->op == OP_POW && node_const_f64(n->ops[1], &p) && p == (int)p && p > 1 && p <= MOST);
}

/* Several others may read 2 * x^2, too: what that is made of is cheap to make again. In a loop it
 * may be computed outside. */
static bool may_look_through(const Regions *r, const Node *n)
{
    bool scaled = n->op == OP_MUL && n->nops == 2 && is_number(n->ops[0]) != is_number(n->ops[1]);
    return (scaled || is_small_power(n)) && dtype_is_float(n->type->dtype) && !n->type->rank &&
           region_takes(n) && !map_has(&r->kept, n) && !(r->e && r->e->owner);
}

/* What stands under `root` in its region, and what that reads, in the author's order. */
Census region_look(Regions *r, Node *root, u32 region)
{
    Census c = {0};
    NodeVec stack = {0};
    NodeSet seen = {0};
    sources_clear(&r->sources);
    map_clear(&r->read);
    r->inside.len = 0;
    vec_push(&stack, root);
    while (stack.len) {
        Node *n = stack.at[--stack.len];
        if (is_number(n)) {
            if (n->op == OP_CONST && !r->sources.number)
                r->sources.number = (u32)r->sources.nodes.len + 1;
            for (Node *s = n; s->op == OP_CAST || s->op == OP_DIM;) {
                s = s->ops[0];
                if (!is_number(s))
                    sources_add(&r->sources, s);
            }
            continue;
        }
        bool own = n == root || (node_map_get(&r->now, n) == region && !map_has(&r->kept, n));
        if (!own && !may_look_through(r, n)) {
            sources_add(&r->sources, n);
        } else if (set_add(&seen, n)) {
            count_node(&c, n);
            count_sources(r, n, &c);
            if (own)
                vec_push(&r->inside, n);
            push_operands(r, n, &stack);
        }
    }
    sources_relate(&r->sources);
    vec_free(&stack);
    map_free(&seen);
    return c;
}

/* (x - m)^2 + a * (x - m) need not be multiplied out: sums that are read twice, or are squared, may
 * be kept as they are, and so may sums over axes that are divided. False: there are none. */
bool region_keep_sums(Regions *r)
{
    NodeCounts uses = {0};
    for (size_t i = 0; i < r->inside.len; i++) {
        const Node *n = r->inside.at[i];
        for (u32 k = 0; k < n->nops; k++) {
            Node *o = n->ops[k];
            u32 count = map_get(&uses, o) + 1 + (n->op == OP_SQR || n->op == OP_POW);
            map_put(&uses, o, count);
            bool sum = o->op == OP_ADD || o->op == OP_SUB;
            bool numerator = (o->op == OP_SUM || o->op == OP_MATMUL) && n->op == OP_DIV && !k;
            if (((count > 1 && sum) || numerator) && !map_has(&r->sources.stop, o))
                set_add(&r->kept, o);
        }
    }
    map_free(&uses);
    return r->kept.len > 0;
}

/* What has come into the region; what another one has stays there. */
void region_enter(Regions *r, Node *root, u32 region)
{
    NodeVec order = {0};
    nodes_topo_until(root, &r->sources.stop, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if (region_takes(n) && !node_map_get(&r->now, n) && !map_has(&r->sources.stop, n))
            node_map_put(&r->now, n, region);
    }
    vec_free(&order);
}
