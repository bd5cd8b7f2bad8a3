/* See moved.h. */
#include "moved.h"
#include "graph/op.h"

typedef struct {
    Store *st;
    u64 seed;
    bool terms;
    GraphMap graphs; /* -> the same, moved */
} Mover;

static bool move_all(Mover *m, int n, Node *const *from, Node **to);

/* Copies, signs, choices and comparisons round nothing. */
static bool rounds(const Node *n)
{
    const OpInfo *op = &op_table[n->op];
    bool computes = op->cls == CLASS_ELEMENTWISE || op->cls == CLASS_REDUCE ||
                    op->cls == CLASS_LINALG || op->cls == CLASS_COMPOSITE;
    if (n->type->kind != TYPE_TENSOR || !dtype_is_float(n->type->dtype) || !computes)
        return false;
    switch (n->op) {
    case OP_NEG:
    case OP_ABS:
    case OP_SIGN:
    case OP_RELU:
    case OP_WHERE:
    case OP_MINIMUM:
    case OP_MAXIMUM:
    case OP_MAX:
    case OP_MIN:
    case OP_CUMMAX:
    case OP_PEAK:
    case OP_FLOOR:
    case OP_CEIL:
    case OP_ROUND:
    case OP_TRUNC: return false;
    case OP_CAST: return n->type->dtype == DT_F32;
    default: return true;
    }
}

/* 1 and something (`add`: nothing and something) of the shape of t where that is known. */
static Node *constant(Mover *m, const Type *t, u64 seed, bool add)
{
    i64 shape[MAX_RANK];
    int rank = t->rank;
    for (int a = 0; a < t->rank; a++)
        if (!size_is_const(t->dims[a], &shape[a]))
            rank = 0;
    Tensor *c = tensor_new(&m->st->heap, t->dtype, rank, shape);
    if (!c)
        return NULL;
    for (i64 i = 0; i < c->count; i++) {
        u64 h = hash_mix(seed, (u64)i + 3);
        double by = (h & 1 ? 1 : -1) * (double)(1 + (h >> 8) % 2);
        if (t->dtype == DT_F64)
            ((double *)c->data)[i] = add ? by * 0x1p-1022 : 1 + by * 0x1p-52;
        else
            ((float *)c->data)[i] = (float)(add ? by * 0x1p-126 : 1 + by * 0x1p-23);
    }
    Node *n = node_const(m->st, c);
    tensor_unref(c);
    return n;
}

static Node *times_factor(Mover *m, Node *n, u64 seed)
{
    Node *factor = n ? constant(m, n->type, seed, false) : NULL;
    return factor ? node2(m->st, OP_MUL, NULL, n, factor) : NULL;
}

static Node *moved(Mover *m, const Node *of, Node *n)
{
    u64 seed = hash_mix(of->shash, m->seed);
    n = times_factor(m, n, seed);
    if (!n || !m->terms)
        return n;
    Node *addend = constant(m, n->type, seed, true);
    return addend ? node2(m->st, OP_ADD, NULL, n, addend) : NULL;
}

static Graph *move_graph(Mover *m, Graph *g)
{
    Graph *have = map_get(&m->graphs, g);
    if (have)
        return have;
    Node **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    bool ok = move_all(m, g->nouts, g->outs, outs);
    have = ok ? graph_make(m->st, g->nparams, g->params, g->nouts, outs) : NULL;
    if (have)
        map_put(&m->graphs, g, have);
    free(outs);
    return have;
}

static Node *rebuilt(Mover *m, NodeMap *memo, Node *n)
{
    Node **ops = xcalloc((size_t)n->nops + 1, sizeof *ops);
    bool terms = m->terms && (n->op == OP_ADD || n->op == OP_SUB) && rounds(n);
    for (u32 i = 0; i < n->nops; i++) {
        ops[i] = map_get(memo, n->ops[i]);
        ops[i] = terms ? times_factor(m, ops[i], hash_mix(n->shash, i + m->seed)) : ops[i];
    }
    Node *r = n->nops ? node_with_operands(m->st, n, ops) : n;
    free(ops);
    int slots[4], graphs = node_graphs(n, slots);
    if (!r || !graphs)
        return r;
    Attr *attrs = xcalloc((size_t)r->nattrs + 1, sizeof *attrs);
    memcpy(attrs, r->attrs, (size_t)r->nattrs * sizeof *attrs);
    bool ok = true;
    for (int k = 0; k < graphs && ok; k++)
        ok = (attrs[slots[k]].graph = move_graph(m, attrs[slots[k]].graph)) != NULL;
    r = ok ? node_with_attrs(m->st, r, attrs) : NULL;
    free(attrs);
    return r;
}

static bool move_all(Mover *m, int n, Node *const *from, Node **to)
{
    NodeVec order = {0};
    NodeMap memo = {0};
    bool ok = true;
    nodes_topo(n, from, &order);
    for (size_t i = 0; i < order.len && ok; i++) {
        Node *x = order.at[i], *r = rebuilt(m, &memo, x);
        r = r && rounds(x) ? moved(m, x, r) : r;
        ok = r != NULL;
        map_put(&memo, x, r);
    }
    for (int i = 0; i < n && ok; i++)
        to[i] = map_get(&memo, from[i]);
    map_free(&memo);
    vec_free(&order);
    return ok;
}

bool graph_moved(Store *st, int n, Node **roots, u64 seed, bool terms)
{
    Mover m = {.st = st, .seed = seed, .terms = terms};
    Node **to = xcalloc((size_t)n + 1, sizeof *to);
    bool ok = move_all(&m, n, roots, to);
    for (int i = 0; i < n && ok; i++)
        roots[i] = to[i];
    free(to);
    map_free(&m.graphs);
    return ok;
}
