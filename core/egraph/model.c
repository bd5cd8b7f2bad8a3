/* Costs of nodes; see model.h. */
#include "egraph/model.h"
#include "ops/cost.h"
#include "ops/fused.h"

#include <math.h>

const char *const cost_names[5] = {"time", "flops", "bytes", "nodes", "operators"};

/* What breaks ties: of two forms that take no time the one with fewer operators. */
static const double NOTHING = 0.001;
/* Of an operator that is not known before it is expanded: no reason to choose it. */
static const double UNKNOWN_COST = 1e9;

CostModel cost_model(const Saturating *how)
{
    return (CostModel){.kind = (CostKind)how->cost,
                       .assumed = how->assumed,
                       .sizes = how->sizes,
                       .nsizes = how->nsizes,
                       .ops = how->ops,
                       .nops = how->nops};
}

const CostPlace *cost_place(Arena *a, const Engine *e)
{
    if (!e->outer || !e->owner || !e->body)
        return NULL;
    CostPlace *p = arena_alloc(a, sizeof *p);
    *p = (CostPlace){cost_place(a, e->outer), e->owner, e->body};
    return p;
}

/* ---- sizes ---- */

typedef struct {
    Store *st;
    const CostModel *m;
    const CostPlace *place;
} Where;

static double size_at_place(const Where *w, const Size *s);

static double atom_number(void *ctx, const SizeAtom *a)
{
    const Where *w = ctx;
    const CostModel *m = w->m;
    for (u32 i = 0; a->kind == ATOM_NAME && i < m->nsizes; i++)
        if (m->sizes[i].name == a->name)
            return m->sizes[i].value;
    Size *outside = w->place ? body_size_outside(w->st, w->place->owner, w->place->body, a) : NULL;
    return outside ? size_at_place(&(Where){w->st, m, w->place->up}, outside) : m->assumed;
}

static double size_at_place(const Where *w, const Size *s)
{
    return s ? fmax(size_estimate(s, atom_number, (void *)(uintptr_t)w), 0) : 0;
}

/* ---- nodes ---- */

static double cost_at(const Where *w, Node *n);

static double joined_cost_at(const Where *w, Node *n);

/* Roots, and what some user does not join. */
static void find_apart(const NodeVec *order, int n, Node *const *roots, NodeSet *apart)
{
    for (int i = 0; i < n; i++)
        set_add(apart, roots[i]);
    for (size_t i = 0; i < order->len; i++)
        for (u32 k = 0; k < order->at[i]->nops; k++)
            if (!node_joins(order->at[i], order->at[i]->ops[k]))
                set_add(apart, order->at[i]->ops[k]);
}

static double cost_of_all(const Where *w, int n, Node *const *roots)
{
    NodeVec order = {0};
    NodeSet apart = {0};
    double sum = 0;
    nodes_topo(n, roots, &order);
    find_apart(&order, n, roots, &apart);
    for (size_t i = 0; i < order.len; i++)
        sum +=
            map_has(&apart, order.at[i]) ? cost_at(w, order.at[i]) : joined_cost_at(w, order.at[i]);
    map_free(&apart);
    vec_free(&order);
    return sum;
}

static double cost_inside(const Where *w, const Node *owner, const Graph *g)
{
    CostPlace place = {w->place, owner, g};
    return cost_of_all(&(Where){w->st, w->m, &place}, g->nouts, g->outs);
}

/* Nanoseconds, where those are asked for. */
static double if_time(const Where *w, double nanoseconds)
{
    return w->m->kind == COST_TIME ? nanoseconds : 0;
}

/* A row of a sequence that is read, or of a trace that is kept. */
static double cost_of_rows(const Where *w, const Node *n)
{
    if (n->op != OP_SCAN)
        return 0;
    ScanShape s = scan_shape(n);
    return if_time(w, (s.nseqs + s.nouts) * machine.row);
}

static double cost_of_loop(const Where *w, Node *n)
{
    bool scan = n->op == OP_SCAN;
    Size *rows = size_of_node(w->st, scan ? n->ops[0] : loop_shape(n).rows);
    bool bounded = rows && !size_is(rows, SCAN_UNBOUNDED);
    double steps = bounded ? size_at_place(w, rows) : w->m->assumed;
    double step = cost_inside(w, n, scan ? scan_shape(n).body : loop_shape(n).body);
    return if_time(w, machine.loop) + steps * (step + cost_of_rows(w, n));
}

static double cost_of_control(const Where *w, Node *n)
{
    if (node_is_loop(n))
        return cost_of_loop(w, n);
    if (n->op != OP_IFELSE)
        return if_time(w, machine.call) + cost_inside(w, n, n->attrs[0].graph);
    IfShape f = if_shape(n);
    return if_time(w, machine.call) +
           (cost_inside(w, n, f.then_graph) + cost_inside(w, n, f.else_graph)) / 2;
}

/* Numbers are in registers: nothing is started, nothing moved. */
static bool is_scalar(const Node *n)
{
    bool scalar = n->type->kind == TYPE_TENSOR && !n->type->rank;
    bool part = (op_table[n->op].flags & READS) != 0;
    for (u32 i = 0; scalar && i < n->nops; i++)
        scalar = (part && !i) || !n->ops[i]->type->rank;
    return scalar && (part || op_is_elementwise(n->op));
}

static double time_of_operator(const Where *w, Node *n, double flops)
{
    if (is_scalar(n))
        return fmax(flops, 1) * scalar_nanoseconds(op_is_elementwise(n->op) ? op_work(n->op) : 1);
    Size *bytes = op_is_view(n) ? NULL : node_bytes(w->st, n);
    return op_start_nanoseconds(n->op) + op_nanoseconds(n->op, flops, size_at_place(w, bytes));
}

static double count_of_operator(const CostModel *m, OpId op)
{
    for (u32 i = 0; i < m->nops; i++)
        if (m->ops[i].op == (int)op)
            return m->ops[i].value;
    return 1;
}

static double cost_at(const Where *w, Node *n)
{
    CostKind kind = w->m->kind;
    bool free = n->op == OP_PROJ || n->op == OP_TUPLE || n->op == OP_SHARED;
    if (n->op == OP_CONST || n->op == OP_SIZE || n->op == OP_PARAM || n->op == OP_INPUT)
        return 0; /* one constant less is no reason for another form */
    if (free || kind == COST_NODES)
        return free ? NOTHING : 1;
    if (kind == COST_OPERATORS)
        return fmax(count_of_operator(w->m, n->op), NOTHING);
    if (op_table[n->op].cls == CLASS_CONTROL)
        return NOTHING + cost_of_control(w, n);
    if (kind == COST_BYTES)
        return NOTHING + size_at_place(w, node_bytes(w->st, n));
    Size *flops = node_flops(w->st, n);
    if (!flops)
        return UNKNOWN_COST;
    double f = size_at_place(w, flops);
    return NOTHING + (kind == COST_FLOPS ? f : time_of_operator(w, n, f));
}

/* Of the bytes that an elementwise operator reads and writes those of a group: its result goes
 * through no memory, and what it is used by counts one array that is read. */
static double joined_bytes(const Where *w, Node *n)
{
    double arrays = 0, all = size_at_place(w, node_bytes(w->st, n));
    for (u32 i = 0; i < n->nops; i++)
        arrays += n->ops[i]->type->rank > 0;
    return arrays > 1 ? all * (arrays - 1) / (arrays + 1) : 0;
}

/* In a group nothing is started. */
static double joined_cost_at(const Where *w, Node *n)
{
    double alone = cost_at(w, n);
    CostKind kind = w->m->kind;
    if ((kind != COST_TIME && kind != COST_BYTES) || !fused_elementwise(n))
        return alone;
    double bytes = joined_bytes(w, n);
    if (kind == COST_BYTES)
        return fmin(alone, NOTHING + bytes);
    Size *flops = node_flops(w->st, n);
    if (!flops)
        return alone;
    return fmin(alone, NOTHING + machine.group_step +
                           op_nanoseconds(n->op, size_at_place(w, flops), bytes));
}

bool node_takes_along(const Node *user, const Type *operand)
{
    if (fused_reduction(user, NULL))
        return true;
    const Type *a = user->type, *b = operand;
    return b && fused_elementwise(user) && a->rank == b->rank &&
           !memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims);
}

bool node_joins(const Node *user, const Node *operand)
{
    return fused_elementwise(operand) && node_takes_along(user, operand->type);
}

double node_cost_joined(Store *st, const CostModel *m, Node *n)
{
    return joined_cost_at(&(Where){st, m, m->place}, n);
}

double node_cost(Store *st, const CostModel *m, Node *n)
{
    return cost_at(&(Where){st, m, m->place}, n);
}

double roots_cost(Store *st, const CostModel *m, int n, Node *const *roots)
{
    return cost_of_all(&(Where){st, m, m->place}, n, roots);
}
