/* Closed graphs: interning, traversal, substitution, inlining, typing by arguments.
 *
 * Invariant: a Graph's nodes reach only its own parameters and constants, so
 * replacing parameters is all that inlining takes. Traversals are iterative: a
 * chain of 10^6 nodes must not overflow the stack. */
#include "graph/graph.h"
#include "ops/ops.h"

static bool graph_eq(const void *pa, const void *pb)
{
    const Graph *a = pa, *b = pb;
    return a->nparams == b->nparams && a->nouts == b->nouts &&
           (!a->nparams || !memcmp(a->params, b->params, (size_t)a->nparams * sizeof *a->params)) &&
           (!a->nouts || !memcmp(a->outs, b->outs, (size_t)a->nouts * sizeof *a->outs));
}

Graph *graph_make(Store *st, int nparams, Type *const *params, int nouts, Node *const *outs)
{
    Graph probe = {.nparams = nparams, .nouts = nouts};
    probe.params = (Type **)(uintptr_t)params; /* only read */
    probe.outs = (Node **)(uintptr_t)outs;
    u64 h = hash_mix(0x71, (u64)nparams);
    for (int i = 0; i < nparams; i++)
        h = hash_mix(h, params[i]->hash);
    for (int i = 0; i < nouts; i++)
        h = hash_mix(h, outs[i]->shash);
    Graph *g = intern_find(&st->graphs, h, &probe, graph_eq);
    if (g)
        return g;
    g = arena_alloc(&st->arena, sizeof *g);
    *g = probe;
    g->shash = h;
    g->id = st->graph_count++;
    g->params = arena_alloc(&st->arena, (size_t)(nparams + 1) * sizeof *g->params);
    g->param_nodes = arena_alloc(&st->arena, (size_t)(nparams + 1) * sizeof *g->param_nodes);
    g->outs = arena_alloc(&st->arena, (size_t)(nouts + 1) * sizeof *g->outs);
    for (int i = 0; i < nparams; i++) {
        g->params[i] = params[i];
        g->param_nodes[i] = node_param(st, i, params[i]);
    }
    for (int i = 0; i < nouts; i++)
        g->outs[i] = outs[i];
    intern_add(&st->graphs, h, g);
    return g;
}

typedef struct {
    Node *node;
    u32 next;
} Frame;

/* Nodes that were met: one bit each, or those of a map. */
typedef struct {
    u64 *bits;
    PtrMap *map;
} Seen;

/* Operands are older than their users, so no id in the cones of the roots exceeds the roots'. */
static Seen seen_below(int nroots, Node *const *roots)
{
    u32 last = 0;
    for (int i = 0; i < nroots; i++)
        last = roots[i]->id > last ? roots[i]->id : last;
    return (Seen){.bits = xcalloc(last / 64 + 1, sizeof(u64))};
}

static bool first_visit(Seen *s, const Node *n)
{
    if (s->map) {
        bool known = map_has(s->map, n);
        if (!known)
            map_put(s->map, n, (void *)(uintptr_t)n);
        return !known;
    }
    u64 *word = &s->bits[n->id / 64], bit = 1ull << n->id % 64;
    bool known = *word & bit;
    *word |= bit;
    return !known;
}

static void topo_visit(Node *root, Seen *seen, const PtrMap *stop, NodeVec *out)
{
    VEC(Frame) stack = {0};
    if ((stop && map_has(stop, root)) || !first_visit(seen, root))
        return;
    vec_push(&stack, ((Frame){root, 0}));
    while (stack.len) {
        Frame *f = &stack.at[stack.len - 1];
        if (f->next == f->node->nops) {
            vec_push(out, f->node);
            stack.len--;
            continue;
        }
        Node *op = f->node->ops[f->next++];
        if (first_visit(seen, op) && !(stop && map_has(stop, op)))
            vec_push(&stack, ((Frame){op, 0}));
    }
    vec_free(&stack);
}

void nodes_topo(int nroots, Node *const *roots, NodeVec *out)
{
    Seen seen = seen_below(nroots, roots);
    for (int i = 0; i < nroots; i++)
        topo_visit(roots[i], &seen, NULL, out);
    free(seen.bits);
}

void nodes_topo_more(Node *root, PtrMap *seen, NodeVec *out)
{
    topo_visit(root, &(Seen){.map = seen}, NULL, out);
}

u32 nodes_count(int nroots, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(nroots, roots, &order);
    u32 n = (u32)order.len;
    for (size_t i = 0; i < order.len; i++) {
        int slots[4], ng = node_graphs(order.at[i], slots);
        for (int k = 0; k < ng; k++)
            n += graph_node_count(order.at[i]->attrs[slots[k]].graph);
    }
    vec_free(&order);
    return n;
}

u32 graph_node_count(Graph *g) { return nodes_count(g->nouts, g->outs); }

int node_graphs(const Node *n, int slots[4])
{
    int count = 0;
    OpClass cls = op_table[n->op].cls;
    if (cls != CLASS_CONTROL && cls != CLASS_IMPLICIT)
        return 0;
    for (u32 i = 0; i < n->nattrs && count < 4; i++)
        if (op_attr_kind(n->op, (int)i) == 'g')
            slots[count++] = (int)i;
    return count;
}

Node *node_substitute(Store *st, Node *root, PtrMap *memo)
{
    NodeVec order = {0};
    Seen seen = seen_below(1, &root);
    topo_visit(root, &seen, memo, &order);
    free(seen.bits);
    bool ok = !store_short(st, "where a graph is copied");
    for (size_t i = 0; i < order.len && ok; i++) {
        Node *n = order.at[i], *small[8];
        Node **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
        for (u32 k = 0; k < n->nops; k++)
            ops[k] = map_get(memo, n->ops[k]);
        Node *r = n->nops ? node_with_operands(st, n, ops) : n;
        if (ops != small)
            free(ops);
        ok = r != NULL;
        if (ok)
            map_put(memo, n, r);
    }
    vec_free(&order);
    return ok ? map_get(memo, root) : NULL;
}

bool graph_instantiate(Store *st, Graph *g, Node *const *args, Node **outs)
{
    PtrMap memo = {0};
    bool ok = true;
    for (int i = 0; i < g->nparams; i++)
        map_put(&memo, g->param_nodes[i], args[i]);
    for (int i = 0; i < g->nouts && ok; i++) {
        outs[i] = node_substitute(st, g->outs[i], &memo);
        ok = outs[i] != NULL;
    }
    body_names_carry(st, g, &memo);
    map_free(&memo);
    return ok;
}

/* ---- types of the results under given arguments ---- */

typedef struct {
    Size **values; /* by index of d_i */
    i64 n;
    Node *const *args; /* may be NULL: values of integer parameters are then unknown */
    int nargs;
    u64 salt; /* of the arguments: sizes that only the inner run knows differ from call to call */
} Binding;

static Size *bind_atom(Store *st, SizeAtom *a, void *ctx)
{
    Binding *b = ctx;
    if (a->kind == ATOM_PARAM && a->index < b->n)
        return b->values[a->index];
    if (a->kind == ATOM_NODE && a->node->op == OP_PARAM && b->args &&
        a->node->attrs[0].i < b->nargs && b->args[a->node->attrs[0].i])
        return size_of_node(st, b->args[a->node->attrs[0].i]);
    if (a->kind == ATOM_NODE) { /* known only inside: an opaque symbol outside, shown as `?` */
        char name[40];
        snprintf(name, sizeof name, ".%016llx",
                 (unsigned long long)hash_mix(a->node->shash, b->salt));
        return size_name(st, symbol(st, name));
    }
    return NULL;
}

/* Solves `param == actual` for the one unbound size parameter of an affine dim, if there is one. */
static void bind_dim(Store *st, Binding *b, Size *param, Size *actual)
{
    for (u32 i = 0; i < param->nterms; i++) {
        SizeTerm *t = &param->terms[i];
        if (t->nfactors != 1 || t->coef != 1 || t->factors[0]->kind != ATOM_PARAM ||
            b->values[t->factors[0]->index])
            continue;
        Size *rest = size_sub(st, param, size_param(st, t->factors[0]->index));
        if (size_has_kind(rest, ATOM_PARAM)) {
            rest = size_map(st, rest, bind_atom, b);
            if (!rest || size_has_kind(rest, ATOM_PARAM))
                continue;
        }
        b->values[t->factors[0]->index] = size_sub(st, actual, rest);
        return;
    }
}

static bool bind_arg(Store *st, Binding *b, Type *param, Type *actual, int index)
{
    if (param->kind == TYPE_TUPLE || actual->kind == TYPE_TUPLE || param->rank != actual->rank ||
        param->dtype != actual->dtype) {
        Text want = {0}, got = {0};
        type_print(&want, param);
        type_print(&got, actual);
        store_error(st, "type-mismatch", NULL,
                    "argument %d of an inner graph has type %s where %s is needed", index,
                    text_str(&got), text_str(&want));
        text_free(&want);
        text_free(&got);
        return false;
    }
    for (int a = 0; a < param->rank; a++)
        bind_dim(st, b, param->dims[a], actual->dims[a]);
    return true;
}

bool graph_types_from(Store *st, Graph *g, Type *const *types, Node *const *args, Type **outs)
{
    Binding b = {.args = args, .nargs = g->nparams};
    for (int i = 0; i < g->nparams; i++)
        for (int a = 0; a < g->params[i]->rank; a++) {
            i64 n = size_param_count(g->params[i]->dims[a]);
            b.n = n > b.n ? n : b.n;
        }
    for (int i = 0; i < g->nparams; i++)
        b.salt = hash_mix(b.salt, args && args[i] ? args[i]->shash : types[i]->hash);
    b.values = xcalloc((size_t)b.n + 1, sizeof *b.values);
    bool ok = true;
    for (int i = 0; i < g->nparams && ok; i++)
        ok = bind_arg(st, &b, g->params[i], types[i], i);
    for (int i = 0; i < g->nouts && ok; i++)
        outs[i] = type_map_sizes(st, g->outs[i]->type, bind_atom, &b);
    free(b.values);
    return ok;
}

bool graph_result_types(Store *st, Graph *g, int nargs, Node *const *args, Type **outs)
{
    if (nargs != g->nparams) {
        store_error(st, "arity", NULL,
                    "an inner graph has %d parameters but %d arguments are given", g->nparams,
                    nargs);
        return false;
    }
    Type **types = xmalloc((size_t)(nargs + 1) * sizeof *types);
    for (int i = 0; i < nargs; i++)
        types[i] = args[i]->type;
    bool ok = graph_types_from(st, g, types, args, outs);
    free(types);
    return ok;
}
