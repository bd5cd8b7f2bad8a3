/* Closed graphs: interning, substitution, inlining, typing by arguments.
 *
 * Invariant: a Graph's nodes reach only its own parameters and constants, so
 * replacing parameters is all that inlining takes. */
#include "graph/store.h"
#include "graph/names.h"
#include "graph/op.h"
#include "graph/collect.h"
#include "graph/walk.h"

static bool graph_eq(const void *pa, const void *pb)
{
    const Graph *a = pa, *b = pb;
    return a->nparams == b->nparams && a->nouts == b->nouts &&
           (!a->nparams || !memcmp(a->params, b->params, (size_t)a->nparams * sizeof *a->params)) &&
           (!a->nouts || !memcmp(a->outs, b->outs, (size_t)a->nouts * sizeof *a->outs));
}

size_t graph_bytes(const Graph *g)
{
    return sizeof *g + 2 * (size_t)g->nparams * sizeof(void *) + (size_t)g->nouts * sizeof(Node *);
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
    g = store_alloc(st, graph_bytes(&probe));
    *g = probe;
    g->shash = h;
    g->id = st->graph_count++;
    g->params = (Type **)(g + 1);
    g->param_nodes = (Node **)(g->params + nparams);
    g->outs = g->param_nodes + nparams;
    for (int i = 0; i < nparams; i++) {
        g->params[i] = params[i];
        g->param_nodes[i] = node_param(st, i, params[i]);
    }
    for (int i = 0; i < nouts; i++)
        g->outs[i] = outs[i];
    intern_add(&st->graphs, h, g);
    return g;
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

Node *node_substitute(Store *st, Node *root, NodeMap *memo)
{
    NodeVec order = {0};
    nodes_topo_until(root, memo, &order);
    bool ok = !store_stopped(st, "where a graph is copied");
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

/* row: of the step that is written out; NULL: it is none. */
static bool instantiate(Store *st, Graph *g, Node *const *args, int n, Node *const *inner,
                        Node **outs, const i64 *row)
{
    NodeMap memo = {0};
    NameScope *around = st->scope;
    bool ok = true;
    for (int i = 0; i < g->nparams; i++)
        map_put(&memo, g->param_nodes[i], args[i]);
    st->scope = NULL; /* what is copied is not over the parameters around */
    for (int i = 0; i < n && ok; i++) {
        outs[i] = node_substitute(st, inner[i], &memo);
        ok = outs[i] != NULL;
    }
    st->scope = around;
    body_names_carry(st, g, &memo, row);
    map_free(&memo);
    return ok;
}

bool graph_instantiate(Store *st, Graph *g, Node *const *args, Node **outs)
{
    return instantiate(st, g, args, g->nouts, g->outs, outs, NULL);
}

bool graph_instantiate_row(Store *st, Graph *g, Node *const *args, i64 row, Node **outs)
{
    return instantiate(st, g, args, g->nouts, g->outs, outs, &row);
}

bool graph_instantiate_nodes(Store *st, Graph *g, Node *const *args, int n, Node *const *inner,
                             Node **outs)
{
    return instantiate(st, g, args, n, inner, outs, NULL);
}

/* ---- types of the results under given arguments ---- */

typedef struct {
    Size **values; /* by index of d_i */
    i64 n;
    Node *const *args; /* may be NULL: values of integer parameters are then unknown */
    int nargs;
    u64 salt; /* of the arguments: sizes that only the inner run knows differ from call to call */
} Binding;

/* A size that only the run inside knows: an opaque symbol outside, shown as `?`. */
static Size *opaque_size(Store *st, u64 hash)
{
    char name[40];
    snprintf(name, sizeof name, ".%016llx", (unsigned long long)hash);
    return size_name(st, symbol(st, name));
}

static Size *bind_atom(Store *st, SizeAtom *a, void *ctx)
{
    Binding *b = ctx;
    if (a->kind == ATOM_PARAM && a->index < b->n)
        return b->values[a->index];
    if (a->kind == ATOM_NODE && a->node->op == OP_PARAM && b->args &&
        a->node->attrs[0].i < b->nargs && b->args[a->node->attrs[0].i])
        return size_of_node(st, b->args[a->node->attrs[0].i]);
    if (a->kind == ATOM_NODE)
        return opaque_size(st, hash_mix(a->node->shash, b->salt));
    if (a->kind == ATOM_NAME && a->name[0] == '.') /* of a run inside that one */
        return opaque_size(st, hash_mix(a->hash, b->salt));
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
