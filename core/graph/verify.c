/* Checks the invariants of graphs; for tests, for graphs that were read from files and, in the
 * sanitizer builds, after every pass.
 *
 * Invariant: checking changes nothing that shows: diagnostics go nowhere, and a node that
 * is in order is found again, not built. */
#include "graph/print.h"
#include "graph/provenance.h"
#include "graph/op.h"

typedef struct {
    Store *st;
    Text *why;
    GraphSet seen;        /* graphs that were checked or wait for it */
    VEC(Graph *) waiting; /* inner graphs still to check */
} Verify;

static bool broken(Verify *v, Node *n, const char *fmt, ...) PRINTF_LIKE(3, 4);
static bool broken(Verify *v, Node *n, const char *fmt, ...)
{
    if (v->why) {
        va_list ap;
        text_printf(v->why, "%s: ", op_table[n->op].name);
        va_start(ap, fmt);
        text_vprintf(v->why, fmt, ap);
        va_end(ap);
    }
    return false;
}

static bool check_arity(Verify *v, Node *n)
{
    const OpInfo *info = &op_table[n->op];
    int max = info->flags & NARY ? -1 : info->max_ops;
    if ((int)n->nops < info->min_ops || (max >= 0 && (int)n->nops > max))
        return broken(v, n, "%s has %u operands", info->name, n->nops);
    if ((int)n->nattrs != op_attr_count(n->op))
        return broken(v, n, "%s has %u attributes", info->name, n->nattrs);
    for (u32 i = 0; i < n->nops; i++)
        if (n->ops[i]->id >= n->id)
            return broken(v, n, "operand %u is younger than the node", i);
    return true;
}

/* The same attributes and operands must give the same node: it is interned and its operands sorted.
 */
static bool check_interned(Verify *v, Node *n)
{
    if (node_make(v->st, n->op, n->attrs, n->nops, n->ops) == n)
        return true;
    return broken(v, n,
                  operands_sorted(n->op, n->nops, n->ops)
                      ? "it is not interned, or its operands are not sorted"
                      : "it is not interned");
}

static bool check_type(Verify *v, Node *n)
{
    Node probe = *n;
    probe.type = NULL;
    Type *t = op_table[n->op].infer(v->st, &probe);
    if (t == n->type)
        return true;
    Text has = {0}, gives = {0};
    type_print(&has, n->type);
    if (t)
        type_print(&gives, t);
    else
        text_put(&gives, "none");
    broken(v, n, "its type is %s, but operator and operands give %s", text_str(&has),
           text_str(&gives));
    text_free(&has);
    text_free(&gives);
    return false;
}

static bool check_constant(Verify *v, Node *n)
{
    const Tensor *t = n->attrs[0].value;
    i64 count = 1;
    for (int i = 0; i < t->rank; i++)
        count *= t->shape[i];
    if (t->base)
        return broken(v, n, "the constant is a view");
    if (count != t->count || t->refs == 0 || (count && !t->data))
        return broken(v, n, "the constant's shape, count or memory is wrong");
    return true;
}

static bool check_order(Verify *v, Node *n)
{
    const IntList *order = node_order(v->st, n);
    if (!order)
        return true;
    if (order->n != n->nops)
        return broken(v, n, "the source order is of %u operands, not %u", order->n, n->nops);
    bool *used = xcalloc(n->nops, sizeof *used), ok = true;
    for (u32 i = 0; i < n->nops && ok; i++) {
        ok = order->at[i] >= 0 && order->at[i] < n->nops && !used[order->at[i]];
        if (ok)
            used[order->at[i]] = true;
    }
    free(used);
    return ok || broken(v, n, "the source order is not a permutation");
}

static bool check_open(Verify *v, Node *n)
{
    bool open = n->op == OP_HOLE;
    for (u32 i = 0; i < n->nops; i++)
        open = open || n->ops[i]->open;
    if (open != n->open)
        return broken(v, n, "it is %s, but its operands say otherwise",
                      n->open ? "open" : "closed");
    return !open || broken(v, n, "a hole is left");
}

static bool check_node(Verify *v, Node *n)
{
    return check_arity(v, n) && check_open(v, n) && (n->op != OP_CONST || check_constant(v, n)) &&
           check_interned(v, n) && check_type(v, n) && check_order(v, n);
}

static void enqueue_graphs(Verify *v, const Node *n)
{
    int slots[4], count = node_graphs(n, slots);
    for (int i = 0; i < count; i++) {
        Graph *g = n->attrs[slots[i]].graph;
        if (set_add(&v->seen, g)) {
            vec_push(&v->waiting, g);
        }
    }
}

/* A node of an inner graph: reaches nothing from outside. */
static bool check_inner(Verify *v, const Graph *g, Node *n)
{
    if (n->op == OP_INPUT || n->op == OP_SHARED)
        return broken(v, n, "an inner graph captures it by itself");
    if (n->op != OP_PARAM)
        return true;
    i64 i = n->attrs[0].i;
    if (i < 0 || i >= g->nparams)
        return broken(v, n, "parameter %lld of an inner graph that has %d", (long long)i,
                      g->nparams);
    return g->param_nodes[i] == n || broken(v, n, "parameter %lld has another type", (long long)i);
}

static bool check_params(Verify *v, const Graph *g)
{
    for (int i = 0; i < g->nparams; i++) {
        Node *p = g->param_nodes[i];
        if (p->op != OP_PARAM || p->attrs[0].i != i || p->type != g->params[i])
            return broken(v, p, "it is not parameter %d of its graph", i);
    }
    return true;
}

static bool check_nodes(Verify *v, const Graph *inner, int n, Node *const *outs)
{
    NodeVec order = {0};
    nodes_topo(n, outs, &order);
    bool ok = true;
    for (size_t i = 0; i < order.len && ok; i++) {
        ok = check_node(v, order.at[i]) && (!inner || check_inner(v, inner, order.at[i]));
        enqueue_graphs(v, order.at[i]);
    }
    vec_free(&order);
    return ok;
}

bool graph_verify(Store *st, int nroots, Node *const *roots, Text *why)
{
    Verify v = {.st = st, .why = why};
    DiagTry trial;
    diag_try_begin(&trial, &st->diags);
    bool ok = check_nodes(&v, NULL, nroots, roots);
    for (size_t i = 0; i < v.waiting.len && ok; i++) {
        Graph *g = v.waiting.at[i];
        ok = check_params(&v, g) && check_nodes(&v, g, g->nouts, g->outs);
    }
    diag_try_end(&trial);
    map_free(&v.seen);
    vec_free(&v.waiting);
    return ok;
}
