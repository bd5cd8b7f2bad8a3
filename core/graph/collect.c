/* Collecting; see collect.h.
 *
 * Invariant: between statements no mark is set. Marking uses a stack of its own: a chain of 10^6
 * nodes must not overflow that of the program. */
#include "graph/collect.h"
#include "graph/name.h"
#include "graph/op.h"
#include "graph/provenance.h"
#include "graph/reads.h"
#include "graph/temps.h"

/* ---- marking ---- */

void collect_begin(Collection *c, Store *st)
{
    *c = (Collection){.st = st};
    provenance_begin(c);
}

void collect_source(const Source *src)
{
    if (src)
        ((Source *)(uintptr_t)src)->mark = true;
}

static bool symbol_is(const void *item, const void *probe) { return item == probe; }

/* Some texts are of the program, not of the store. */
void collect_symbol(Collection *c, Symbol s)
{
    if (!s || name_collect(c, s))
        return;
    char *own = intern_find(&c->st->symbols, hash_bytes(s, strlen(s), 0), s, symbol_is);
    if (own)
        own[-1] = 1;
}

static void mark_size(Collection *c, Size *s)
{
    if (!s || s->mark)
        return;
    s->mark = true;
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            SizeAtom *a = s->terms[i].factors[k];
            if (a->mark)
                continue;
            a->mark = true;
            collect_symbol(c, a->name);
            collect_node(c, a->node);
            collect_node(c, a->source);
            mark_size(c, a->a);
            mark_size(c, a->b);
        }
}

static void mark_type(Collection *c, Type *t)
{
    if (!t || t->mark)
        return;
    t->mark = true;
    for (int i = 0; t->kind == TYPE_TENSOR && i < t->rank; i++)
        mark_size(c, t->dims[i]);
    for (int i = 0; i < t->nitems; i++)
        mark_type(c, t->items[i]);
}

static void mark_ints(const IntList *l)
{
    if (l)
        ((IntList *)(uintptr_t)l)->mark = true;
}

void collect_node(Collection *c, const Node *n)
{
    if (!n || n->mark)
        return;
    ((Node *)(uintptr_t)n)->mark = true;
    vec_push(&c->todo, (Node *)(uintptr_t)n);
}

void collect_graph(Collection *c, const Graph *g)
{
    if (!g || g->mark)
        return;
    ((Graph *)(uintptr_t)g)->mark = true;
    for (int i = 0; i < g->nparams; i++) {
        mark_type(c, g->params[i]);
        collect_node(c, g->param_nodes[i]);
    }
    for (int i = 0; i < g->nouts; i++)
        collect_node(c, g->outs[i]);
}

static void mark_attr(Collection *c, char kind, Attr a)
{
    switch (kind) {
    case 'I': mark_ints(a.ints); break;
    case 's': collect_symbol(c, a.name); break;
    case 't': mark_type(c, a.type); break;
    case 'v': a.value->mark = true; break;
    case 'g': collect_graph(c, a.graph); break;
    case 'z': mark_size(c, a.size); break;
    default: break;
    }
}

void collect_reach(Collection *c)
{
    while (c->todo.len) {
        const Node *n = c->todo.at[--c->todo.len];
        mark_type(c, n->type);
        for (u32 i = 0; i < n->nattrs; i++)
            mark_attr(c, op_attr_kind(n->op, (int)i), n->attrs[i]);
        for (u32 i = 0; i < n->nops; i++)
            collect_node(c, n->ops[i]);
    }
}

/* ---- what lasts although nothing in a graph refers to it ---- */

static void mark_store(Collection *c)
{
    for (size_t i = 0; i < c->st->input_order.len; i++)
        collect_symbol(c, map_key(&c->st->input_order, i));
}

static bool is_marked(const void *node) { return ((const Node *)node)->mark; }

/* Names of dimensions last as long as the input that has them. */
static void keep_dimensions(Collection *c)
{
    Store *st = c->st;
    map_keep(&st->dimensions, is_marked, free);
    for (size_t i = 0; i < st->dimensions.len; i++)
        for (int k = 0; k < map_key(&st->dimensions, i)->type->rank; k++)
            if (map_val(&st->dimensions, i)[k])
                collect_symbol(c, map_val(&st->dimensions, i)[k]);
    st->dimension_age++;
}

/* ---- sweeping ---- */

size_t size_bytes(const Size *s)
{
    size_t bytes = sizeof *s + s->nterms * sizeof *s->terms;
    for (u32 i = 0; i < s->nterms; i++)
        bytes += s->terms[i].nfactors * sizeof(SizeAtom *);
    return bytes;
}

typedef struct {
    bool (*keep)(void *item); /* takes the mark away */
    size_t (*bytes)(const void *item);
    void (*free)(void *item);
} Kind;

#define KEEP(NAME, TYPE)             \
    static bool keep_##NAME(void *p) \
    {                                \
        TYPE *x = p;                 \
        bool marked = x->mark;       \
        x->mark = false;             \
        return marked;               \
    }
KEEP(ints, IntList)
KEEP(atom, SizeAtom)
KEEP(size, Size)
KEEP(type, Type)
KEEP(tensor, Tensor)
KEEP(node, Node)
KEEP(graph, Graph)

static bool keep_symbol(void *p)
{
    char *s = p;
    bool marked = s[-1];
    s[-1] = 0;
    return marked;
}

static size_t symbol_bytes(const void *p) { return strlen(p) + 2; }
static size_t ints_bytes(const void *p)
{
    return sizeof(IntList) + ((const IntList *)p)->n * sizeof(i64);
}
static size_t atom_bytes(const void *p) { return sizeof *(const SizeAtom *)p; }
static size_t whole_size(const void *p) { return size_bytes(p); }
static size_t type_bytes(const void *p)
{
    return sizeof(Type) + (size_t)((const Type *)p)->nitems * sizeof(Type *);
}
static size_t node_bytes(const void *p)
{
    const Node *n = p;
    return sizeof *n + n->nattrs * sizeof *n->attrs + n->nops * sizeof *n->ops;
}
static size_t whole_graph(const void *p) { return graph_bytes(p); }
static size_t no_bytes(const void *p)
{
    (void)p;
    return 0; /* of the heap */
}
static void free_symbol(void *p) { free((char *)p - 1); }
static void free_tensor(void *p) { tensor_unref(p); }
static void free_graph(void *p)
{
    graph_reads_free(((Graph *)p)->reads);
    free(p);
}

static size_t sweep(Collection *c, Intern *in, const Kind *k)
{
    Intern old = *in;
    size_t freed = 0;
    *in = (Intern){0};
    for (size_t i = 0; i < old.cap; i++) {
        if (!old.items[i])
            continue;
        if (k->keep(old.items[i])) {
            intern_add(in, old.hashes[i], old.items[i]);
            continue;
        }
        size_t bytes = k->bytes(old.items[i]);
        c->bytes += bytes;
        c->st->bytes -= bytes;
        k->free(old.items[i]);
        freed++;
    }
    intern_free(&old);
    return freed;
}

void collect_end(Collection *c)
{
    static const Kind symbols = {keep_symbol, symbol_bytes, free_symbol},
                      ints = {keep_ints, ints_bytes, free}, atoms = {keep_atom, atom_bytes, free},
                      sizes = {keep_size, whole_size, free}, types = {keep_type, type_bytes, free},
                      tensors = {keep_tensor, no_bytes, free_tensor},
                      nodes = {keep_node, node_bytes, free},
                      graphs = {keep_graph, whole_graph, free_graph};
    Store *st = c->st;
    mark_store(c);
    collect_reach(c);
    vec_free(&c->todo);
    keep_dimensions(c);
    map_free(&st->node_sizes); /* found again when asked for, as the next two */
    map_free(&st->derivative_depths);
    temps_forget(st);
    provenance_mark(c);
    provenance_sweep(c);
    c->nodes = sweep(c, &st->nodes, &nodes);
    sweep(c, &st->graphs, &graphs);
    sweep(c, &st->types, &types);
    sweep(c, &st->sizes, &sizes);
    sweep(c, &st->atoms, &atoms);
    sweep(c, &st->intlists, &ints);
    sweep(c, &st->tensors, &tensors);
    sweep(c, &st->symbols, &symbols);
    names_sweep(c);
}
