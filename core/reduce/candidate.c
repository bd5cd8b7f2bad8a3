/* Candidates: made, weighed, asked about. */
#include "reduce/parts.h"

#include "graph/op.h"
#include "graph/print.h"

/* ---- how large ---- */

/* A graph inside is harder to read than the nodes in it. */
enum { NODE = 4, GRAPH = 16 };

static u64 weight_of(int n, Node *const *roots)
{
    NodeVec order = {0};
    u64 weight = 0;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *at = order.at[i];
        int slots[4], graphs = node_graphs(at, slots);
        weight += NODE + at->nops;
        for (int k = 0; k < graphs; k++) {
            const Graph *g = at->attrs[slots[k]].graph;
            weight += GRAPH + weight_of(g->nouts, g->outs);
        }
    }
    vec_free(&order);
    return weight;
}

u64 reduce_weight(int n, Node *const *roots) { return weight_of(n, roots); }

/* ---- asking ---- */

void nodes_where(int n, Node *const *roots, bool (*is)(const Node *n), NodeVec *out)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (is(order.at[i]))
            vec_push(out, order.at[i]);
    vec_free(&order);
}

void candidate_free(Candidate *c)
{
    for (size_t i = 0; i < c->values.len; i++)
        tensor_unref(map_val(&c->values, i));
    map_free(&c->values);
    vec_free(&c->roots);
}

bool shrink_stops(Reduction *r) { return store_stops(r->st) || r->stopped(r->ctx); }

static u64 structure_of(const Candidate *c)
{
    u64 h = 1;
    for (size_t i = 0; i < c->roots.len; i++)
        h = hash_mix(h, c->roots.at[i]->shash);
    return h ? h : 1;
}

static void put_value(TensorMap *values, const Node *leaf, Tensor *t)
{
    Tensor *was = map_get(values, leaf);
    map_put(values, leaf, tensor_ref(t));
    tensor_unref(was);
}

static void adopt(Reduction *r, const Candidate *c)
{
    r->roots.len = 0;
    for (size_t i = 0; i < c->roots.len; i++)
        vec_push(&r->roots, c->roots.at[i]);
    for (size_t i = 0; i < c->values.len; i++)
        put_value(&r->values, map_key(&c->values, i), map_val(&c->values, i));
}

/* The values that it would have: those of the program, and its own. */
static void values_with(const Reduction *r, const Candidate *c, TensorMap *out)
{
    for (size_t i = 0; i < r->values.len; i++)
        put_value(out, map_key(&r->values, i), map_val(&r->values, i));
    for (size_t i = 0; i < c->values.len; i++)
        put_value(out, map_key(&c->values, i), map_val(&c->values, i));
}

static void values_free(TensorMap *values)
{
    for (size_t i = 0; i < values->len; i++)
        tensor_unref(map_val(values, i));
    map_free(values);
}

bool candidate_holds(Reduction *r, Candidate *c)
{
    TensorMap values = {0};
    DiagTry trial;
    bool holds = false;
    values_with(r, c, &values);
    if (!shrink_stops(r)) {
        diag_try_begin(&trial, &r->st->diags);
        r->tries++;
        holds = r->holds(r->ctx, (int)c->roots.len, c->roots.at, &values);
        diag_try_end(&trial);
    }
    if (holds)
        adopt(r, c);
    values_free(&values);
    candidate_free(c);
    return holds;
}

bool candidate_smaller(Reduction *r, Candidate *c)
{
    u64 structure = structure_of(c);
    bool worth = c->roots.len && !map_has(&r->failed, structure) &&
                 reduce_weight((int)c->roots.len, c->roots.at) <
                     reduce_weight((int)r->roots.len, r->roots.at);
    bool holds = worth && candidate_holds(r, c);
    if (!worth)
        candidate_free(c);
    else if (!holds)
        set_add(&r->failed, structure);
    return holds;
}

/* ---- replacing ---- */

bool candidate_replace(Reduction *r, Candidate *c, const Graph *within, const NodeMap *at)
{
    Rebuild b = {.st = r->st, .within = within, .at = at};
    Node **out = xmalloc((r->roots.len + 1) * sizeof *out);
    DiagTry trial;
    diag_try_begin(&trial, &r->st->diags);
    bool ok = rebuild(&b, (int)r->roots.len, r->roots.at, out);
    diag_try_end(&trial);
    for (size_t i = 0; i < r->roots.len && ok; i++)
        vec_push(&c->roots, out[i]);
    free(out);
    return ok;
}

bool try_replace(Reduction *r, const Graph *within, const NodeMap *at)
{
    Candidate c = {0};
    if (!candidate_replace(r, &c, within, at)) {
        candidate_free(&c);
        return false;
    }
    return candidate_smaller(r, &c);
}

bool try_instead(Reduction *r, const Graph *within, Node *n, Node *instead)
{
    NodeMap at = {0};
    map_put(&at, n, instead);
    bool ok = try_replace(r, within, &at);
    map_free(&at);
    return ok;
}

bool try_result(Reduction *r, Node *n)
{
    Candidate c = {0};
    if (r->paired || n->type->kind != TYPE_TENSOR)
        return false;
    vec_push(&c.roots, n);
    return candidate_smaller(r, &c);
}

/* ---- inputs ---- */

bool can_be_input(const Node *n)
{
    return n->nops && n->type->kind == TYPE_TENSOR && n->type->dtype != DT_RNG;
}

static bool is_free(const Reduction *r, const SymbolSet *used, Symbol s)
{
    return !map_has(&r->taken, s) && !map_has(used, s);
}

/* Short, none that the program has or that means something to readers. */
static Symbol free_name(Reduction *r, SymbolSet *used)
{
    static const char letters[] = "xyzwuvabcpqr";
    for (int round = 0;; round++)
        for (const char *l = letters; *l; l++) {
            char text[24];
            snprintf(text, sizeof text, round ? "%c%d" : "%c", *l, round);
            Symbol s = symbol(r->st, text);
            if (is_free(r, used, s)) {
                set_add(used, s);
                return s;
            }
        }
}

static void names_used(const Reduction *r, SymbolSet *used)
{
    NodeVec order = {0};
    nodes_topo((int)r->roots.len, r->roots.at, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_INPUT || order.at[i]->op == OP_SHARED)
            set_add(used, order.at[i]->attrs[0].name);
    vec_free(&order);
}

/* Its type where inputs are declared: sizes that only the computation knows are those of its value;
 * NULL: there is none. */
static Type *declared_type(Store *st, const Node *n, const Tensor *value)
{
    Size *dims[MAX_RANK];
    for (int a = 0; a < n->type->rank; a++) {
        Size *s = n->type->dims[a];
        bool known = !size_has_kind(s, ATOM_NODE) && !size_has_kind(s, ATOM_RESULT) &&
                     !size_has_kind(s, ATOM_PARAM) && !size_is_opaque(s);
        if (!known && !value)
            return NULL;
        dims[a] = known ? s : size_const(st, value->shape[a]);
    }
    return type_tensor(st, n->type->dtype, n->type->rank, dims);
}

/* Values of nodes as far as inputs have some. */
static Tensor **values_of(Reduction *r, const NodeVec *nodes)
{
    enum { WORK = 1 << 25 }; /* elements and steps: a loop may have become one without end */
    Tensor **at = xcalloc(nodes->len + 1, sizeof *at);
    DiagTry trial;
    if (!r->values.len || !nodes->len)
        return at;
    diag_try_begin(&trial, &r->st->diags);
    probe_limited(&r->eval, nodes->len, nodes->at, &r->values, WORK, at);
    diag_try_end(&trial);
    return at;
}

void inputs_for(Reduction *r, const NodeVec *nodes, Candidate *c, NodeMap *at)
{
    SymbolSet used = {0};
    Tensor **values = values_of(r, nodes);
    names_used(r, &used);
    for (size_t i = 0; i < nodes->len; i++) {
        Node *n = nodes->at[i], *leaf = NULL;
        Type *t = declared_type(r->st, n, values[i]);
        bool number = values[i] && dtype_is_int(n->type->dtype) && !n->type->rank;
        if (number)
            leaf = node_const(r->st, values[i]);
        else if (t)
            leaf = node_input(r->st, OP_INPUT, free_name(r, &used), t);
        if (leaf)
            map_put(at, n, leaf);
        if (leaf && !number && values[i])
            put_value(&c->values, leaf, values[i]);
    }
    probe_release(values, nodes->len);
    map_free(&used);
}
