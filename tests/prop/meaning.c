/* See meaning.h. */
#include "meaning.h"
#include "graph/control.h"
#include "graph/print.h"

typedef struct {
    const u64 *params;  /* what the parameters stand for */
    Type *const *types; /* of that, as far as it is known; NULL each */
    MAP(Node *, u64) memo;
    Store *st;
    const Graph *graph;
} Level;

static u64 meaning(Level *l, const Node *n);

static u64 text_hash(const Text *t)
{
    return hash_bytes(text_str((Text *)(uintptr_t)t), t->len, 7);
}

static u64 size_meaning(const Size *s)
{
    Text t = {0};
    size_print(&t, s);
    u64 h = text_hash(&t);
    text_free(&t);
    return h;
}

/* The values of nodes in sizes have other names elsewhere. */
static u64 type_meaning(const Type *t)
{
    Text text = {0};
    for (int i = 0; t->kind == TYPE_TENSOR && i < t->rank; i++)
        if (size_has_kind(t->dims[i], ATOM_NODE))
            return (u64)t->rank;
    type_print(&text, t);
    u64 h = text_hash(&text);
    text_free(&text);
    return h;
}

static u64 attributes(const Node *n)
{
    u64 h = hash_bytes(op_table[n->op].name, strlen(op_table[n->op].name), 1);
    for (u32 i = 0; i < n->nattrs; i++) {
        Attr a = n->attrs[i];
        switch (op_attr_kind(n->op, (int)i)) {
        case 'g': break;
        case 't': h = hash_mix(h, type_meaning(a.type)); break;
        case 'I': h = hash_mix(h, hash_bytes(a.ints->at, a.ints->n * sizeof(i64), 2)); break;
        case 's': h = hash_mix(h, a.name ? hash_bytes(a.name, strlen(a.name), 3) : 0); break;
        case 'v': h = hash_mix(h, n->shash); break;
        case 'z': h = hash_mix(h, size_meaning(a.size)); break;
        default: h = hash_mix(h, (u64)a.i);
        }
    }
    return h;
}

/* The outputs of an inner graph, given what its parameters stand for. */
static u64 inside(const Level *outer, const Graph *g, const u64 *params, Type *const *types)
{
    Level l = {.params = params, .types = types, .st = outer->st, .graph = g};
    u64 h = (u64)g->nouts;
    for (int i = 0; i < g->nouts; i++)
        h = hash_mix(h, meaning(&l, g->outs[i]));
    map_free(&l.memo);
    return h;
}

/* What a size parameter of the graph stands for, if a parameter's type tells. */
static Size *outer_size(Store *st, SizeAtom *atom, void *ctx)
{
    const Level *l = ctx;
    (void)st;
    for (int i = 0; atom->kind == ATOM_PARAM && i < l->graph->nparams; i++) {
        const Type *own = l->graph->params[i], *outer = l->types[i];
        for (int a = 0; outer && a < own->rank && a < outer->rank; a++)
            if (size_as_atom(own->dims[a]) == atom)
                return outer->dims[a];
    }
    return NULL;
}

/* The type of an operand in terms of the outermost sizes, where they are known; or NULL. */
static Type *known_type(const Level *l, const Node *n)
{
    if (!l->types)
        return n->type;
    if (n->op == OP_PARAM)
        return l->types[n->attrs[0].i];
    if (n->type->kind != TYPE_TENSOR)
        return NULL;
    return type_map_sizes(l->st, n->type, outer_size, (void *)(uintptr_t)l);
}

static Type *without_axis(Store *st, Type *t, i64 axis)
{
    Size *dims[MAX_RANK];
    if (!t)
        return NULL;
    for (int k = 0, d = 0; k < t->rank; k++)
        if (k != axis)
            dims[d++] = t->dims[k];
    return type_tensor(st, t->dtype, t->rank - 1, dims);
}

/* A size that is read off an operand is that size. */
static bool known_dim(const Level *l, const Node *n, u64 *h)
{
    Type *t = n->op == OP_DIM ? known_type(l, n->ops[0]) : NULL;
    const Size *s = n->op == OP_SIZE ? n->attrs[0].size : t ? t->dims[n->attrs[0].i] : NULL;
    if (!s || (t && (size_has_kind(s, ATOM_PARAM) || size_has_kind(s, ATOM_NODE))))
        return false;
    *h = hash_mix(17, size_meaning(s));
    return true;
}

/* How many graphs are inside each other. */
static u64 height(const Graph *g)
{
    NodeVec order = {0};
    u64 most = 0;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        int slots[4], n = node_graphs(order.at[i], slots);
        for (int k = 0; k < n; k++) {
            u64 h = 1 + height(order.at[i]->attrs[slots[k]].graph);
            most = h > most ? h : most;
        }
    }
    vec_free(&order);
    return most;
}

/* A parameter that stands for nothing outside: owners inside each other differ in height. */
static u64 place(const Graph *g, u64 kind, int i)
{
    return hash_mix(hash_mix(kind, height(g)), (u64)i);
}

static u64 scan(Level *l, const Node *n, const u64 *ops)
{
    ScanShape s = scan_shape(n);
    u64 *params = xcalloc(n->nops, sizeof *params), h = hash_mix(ops[0], (u64)s.nstates);
    Type **types = xcalloc(n->nops, sizeof(Type *));
    for (u32 i = 1; i < n->nops; i++)
        types[i - 1] = known_type(l, n->ops[i]);
    for (int i = s.nstates; i < s.nstates + s.nseqs; i++)
        types[i] = without_axis(l->st, types[i], 0);
    for (int i = 0; i < s.nstates; i++) {
        params[i] = place(s.body, 11, i);
        h = hash_mix(h, ops[1 + i]);
    }
    for (int i = 0; i < s.nseqs; i++)
        params[s.nstates + i] = hash_mix(place(s.body, 12, 0), ops[1 + s.nstates + i]);
    for (int i = s.nstates + s.nseqs; i < s.body->nparams; i++)
        params[i] = ops[1 + i];
    h = hash_mix(h, inside(l, s.body, params, types));
    free(params);
    free(types);
    u64 flags[] = {s.reverse, s.stop, (u64)s.checkpoint};
    return hash_mix(h, hash_bytes(flags, sizeof flags, 4));
}

static u64 loop(Level *l, const Node *n, const u64 *ops)
{
    LoopShape s = loop_shape(n);
    u64 *params = xcalloc(n->nops, sizeof *params), h = hash_mix(ops[0], ops[1]);
    Type **types = xcalloc(n->nops, sizeof(Type *));
    for (u32 i = 2; i < n->nops; i++)
        types[i - 2] = known_type(l, n->ops[i]);
    for (int i = 0; i < s.nstates; i++) {
        params[i] = place(s.body, 13, i);
        h = hash_mix(h, ops[2 + i]);
    }
    for (int i = s.nstates; i < s.body->nparams; i++)
        params[i] = ops[2 + i];
    h = hash_mix(h, inside(l, s.body, params, types));
    free(params);
    free(types);
    return hash_mix(h, (u64)(2 * s.down + s.grows));
}

static u64 choice(Level *l, const Node *n, const u64 *ops)
{
    IfShape s = if_shape(n);
    Graph *graphs[] = {s.then_graph, s.else_graph};
    const IntList *maps[] = {s.then_args, s.else_args};
    u64 h = ops[0];
    for (int b = 0; b < 2; b++) {
        u64 *params = xcalloc(maps[b]->n + 1, sizeof *params);
        Type **types = xcalloc(maps[b]->n + 1, sizeof(Type *));
        for (u32 i = 0; i < maps[b]->n; i++) {
            params[i] = ops[1 + maps[b]->at[i]];
            types[i] = known_type(l, n->ops[1 + maps[b]->at[i]]);
        }
        h = hash_mix(h, inside(l, graphs[b], params, types));
        free(params);
        free(types);
    }
    return h;
}

static u64 derivative(Level *l, const Node *n, const u64 *ops)
{
    Graph *g = n->attrs[0].graph;
    const IntList *in = n->op == OP_VMAP ? n->attrs[1].ints : NULL;
    u64 *params = xcalloc(n->nops + 1, sizeof *params), h = (u64)n->op;
    Type **types = xcalloc(n->nops + 1, sizeof(Type *));
    for (int i = 0; i < g->nparams; i++) {
        types[i] = known_type(l, n->ops[i]);
        types[i] = in && in->at[i] >= 0 ? without_axis(l->st, types[i], in->at[i]) : types[i];
    }
    for (int i = 0, k = 0; i < g->nparams; i++) {
        bool own = in ? in->at[i] >= 0 : i < n->attrs[1].i;
        params[i] = own ? place(g, 14, in ? 0 : k++) : ops[i];
        if (own && in) /* lanes are told apart by what they are of */
            params[i] = hash_mix(hash_mix(params[i], (u64)in->at[i]), ops[i]);
        h = own && !in ? hash_mix(h, ops[i]) : h;
    }
    for (u32 i = (u32)g->nparams; i < n->nops; i++)
        h = hash_mix(h, ops[i]);
    h = hash_mix(h, inside(l, g, params, types));
    free(params);
    free(types);
    if (n->op == OP_VMAP)
        return hash_mix(h, hash_bytes(n->attrs[2].ints->at, n->attrs[2].ints->n * sizeof(i64), 5));
    return hash_mix(h, (u64)n->attrs[2].i);
}

static u64 plain(Level *l, const Node *n, const u64 *ops)
{
    Type **types = xcalloc(n->nops + 1, sizeof(Type *));
    for (u32 i = 0; i < n->nops; i++)
        types[i] = known_type(l, n->ops[i]);
    u64 h = hash_mix((u64)n->op, inside(l, n->attrs[0].graph, ops, types));
    free(types);
    return h;
}

static u64 applied(Level *l, const Node *n, const u64 *ops)
{
    switch (n->op) {
    case OP_SCAN: return scan(l, n, ops);
    case OP_LOOP: return loop(l, n, ops);
    case OP_IFELSE: return choice(l, n, ops);
    case OP_CALL:
    case OP_FUSED: return plain(l, n, ops);
    case OP_GRAD:
    case OP_VJP:
    case OP_JVP:
    case OP_VMAP: return derivative(l, n, ops);
    default: break;
    }
    u64 h, sum = 0;
    if (known_dim(l, n, &h))
        return h;
    h = attributes(n);
    bool sorted = operands_sorted(n->op, n->nops, n->ops);
    for (u32 i = 0; i < n->nops; i++) {
        sum += sorted ? hash_mix(ops[i], 15) : 0;
        h = sorted ? h : hash_mix(h, ops[i]);
    }
    return hash_mix(hash_mix(h, sum), n->type->kind == TYPE_TENSOR ? (u64)n->type->dtype : 0);
}

static u64 meaning(Level *l, const Node *root)
{
    NodeVec order = {0};
    Node *n = (Node *)(uintptr_t)root;
    nodes_topo(1, &n, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *x = order.at[i];
        if (map_has(&l->memo, x))
            continue;
        u64 *ops = xcalloc(x->nops + 1, sizeof *ops);
        for (u32 k = 0; k < x->nops; k++)
            ops[k] = map_get(&l->memo, x->ops[k]);
        u64 h = x->op == OP_PARAM ? l->params[x->attrs[0].i] : applied(l, x, ops);
        map_put(&l->memo, x, h);
        free(ops);
    }
    vec_free(&order);
    return map_get(&l->memo, root);
}

u64 graph_meaning(Store *st, int n, Node *const *roots)
{
    Level l = {.st = st};
    u64 h = (u64)n;
    for (int i = 0; i < n; i++)
        h = hash_mix(h, meaning(&l, roots[i]));
    map_free(&l.memo);
    return h;
}
