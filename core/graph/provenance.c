/* What statements and explorations know of nodes; see provenance.h. */
#include "graph/provenance.h"
#include "graph/collect.h"
#include "graph/control.h"
#include "graph/node_map.h"

struct Provenance {
    VEC(Provenance *) refers; /* directly */
    u64 says;                 /* hash of the names and orders that it gives itself; 0: none */
    u32 stamp;                /* the last walk that met it */
    u32 time;                 /* of its last step; 1: before the first */
    u32 view;                 /* 0: all of it */
    bool mark, running;
};

/* What one provenance says of one node. */
typedef struct Identity {
    const Node *node;
    Provenance *by;
    struct Identity *older; /* of the same node, or the next free one */
    Symbol name;
    u32 named_at;
    u32 since;         /* when its own provenance got to know the name */
    bool renamed;      /* the name counts even if it is NULL */
    Span span;         /* src NULL: none */
    Span derived_from; /* src NULL: none */
    const Node *like;  /* whose place it has, where it has none itself */
    const IntList *order;
    ScanRoles *roles;
} Identity;

typedef struct GraphIdentity {
    Provenance *by;
    struct GraphIdentity *older;
    Symbol *params; /* or NULL */
    NodeNames nodes;
} GraphIdentity;

struct Identities {
    NODE_MAP(Identity *) nodes; /* the newest */
    VEC(Identity *) blocks;
    Identity *free;
    MAP(const Graph *, GraphIdentity *) graphs;
    VEC(Provenance *) all;
    Provenance *reached; /* whose walk `stamp` is of; NULL: none is up to date */
    u32 stamp;
};

static struct Identities *identities(Store *st)
{
    if (!st->identities) {
        st->identities = xcalloc(1, sizeof *st->identities);
        provenance_open(st); /* of what belongs to no statement */
    }
    return st->identities;
}

/* ---- which one is current ---- */

Provenance *provenance_open(Store *st)
{
    Provenance *p = store_alloc(st, sizeof *p);
    p->time = 1;
    vec_push(&identities(st)->all, p);
    return st->provenance = p;
}

Provenance *provenance_enter(Store *st, Provenance *p)
{
    Provenance *was = st->provenance;
    st->provenance = p ? p : identities(st)->all.at[0];
    st->provenance->view = 0;
    return was;
}

void provenance_refer(Store *st, Provenance *of)
{
    identities(st);
    Provenance *p = st->provenance;
    for (size_t i = 0; i < p->refers.len; i++)
        if (p->refers.at[i] == of)
            return;
    if (!of || of == p)
        return;
    vec_push(&p->refers, of);
    st->bytes += sizeof of;
    identities(st)->reached = NULL;
}

void provenance_running(Provenance *p, bool running) { p->running = running; }

u32 provenance_tick(Store *st) { return st->provenance ? ++st->provenance->time : 0; }

u32 provenance_view(Store *st, u32 time)
{
    u32 was = st->provenance ? st->provenance->view : 0;
    if (st->provenance)
        st->provenance->view = time;
    return was;
}

/* What says nothing itself and refers to one is as good as that. */
static const Provenance *effective(const Provenance *p)
{
    while (p && !p->says && p->refers.len == 1)
        p = p->refers.at[0];
    return p && !p->says && !p->refers.len ? NULL : p;
}

bool provenance_same(const Provenance *a, const Provenance *b)
{
    a = effective(a);
    b = effective(b);
    if (a == b)
        return true;
    if (!a || !b || a->says != b->says || a->refers.len != b->refers.len)
        return false;
    for (size_t i = 0; i < a->refers.len; i++)
        if (effective(a->refers.at[i]) != effective(b->refers.at[i]))
            return false;
    return true;
}

void provenance_serve(Store *st, Provenance *p, Provenance *now)
{
    identities(st)->reached = NULL;
    if (p->refers.len > 1)
        p->refers.len = 1;
    if (p->refers.len && p->refers.at[0] != now && p != now)
        vec_push(&p->refers, now);
}

/* Stamps all that the current one sees. */
static void reach(Store *st)
{
    struct Identities *t = identities(st);
    VEC(Provenance *) todo = {0};
    t->reached = st->provenance;
    st->provenance->stamp = ++t->stamp;
    vec_push(&todo, st->provenance);
    while (todo.len) {
        Provenance *p = todo.at[--todo.len];
        for (size_t i = 0; i < p->refers.len; i++)
            if (p->refers.at[i]->stamp != t->stamp) {
                p->refers.at[i]->stamp = t->stamp;
                vec_push(&todo, p->refers.at[i]);
            }
    }
    vec_free(&todo);
}

static bool sees(Store *st, const Provenance *of)
{
    enum { FEW = 8 };
    const Provenance *p = st->provenance;
    if (of == p)
        return true;
    for (size_t i = 0; i < p->refers.len && i < FEW; i++)
        if (p->refers.at[i] == of)
            return true;
    if (st->identities->reached != p)
        reach(st);
    return of->stamp == st->identities->stamp;
}

/* ---- of a node ---- */

static Identity *newest(const Store *st, const Node *n)
{
    return st->identities ? node_map_get(&st->identities->nodes, n) : NULL;
}

/* The newest identity of each node, one after the other: place k of `slots`, NULL if it is free. */
static size_t slots(const struct Identities *t)
{
    return t ? t->nodes.pages.npages * NODE_PAGE : 0;
}
static Identity *at_slot(const struct Identities *t, size_t k)
{
    const NodePage *page = &t->nodes.pages.pages[k / NODE_PAGE];
    return page->has >> k % NODE_PAGE & 1 ? page->vals[k % NODE_PAGE] : NULL;
}

enum { BLOCK = 128 }; /* identities that are allocated together */

static Identity *identity_new(Store *st)
{
    struct Identities *t = st->identities;
    if (!t->free) {
        Identity *block = xmalloc(BLOCK * sizeof *block);
        vec_push(&t->blocks, block);
        for (int i = 0; i < BLOCK; i++) {
            block[i].older = t->free;
            t->free = &block[i];
        }
    }
    Identity *i = t->free;
    t->free = i->older;
    st->bytes += sizeof *i;
    return i;
}

/* That which the current one says of n itself; made if there is none. */
static Identity *own(Store *st, const Node *n)
{
    struct Identities *t = identities(st);
    Provenance *p = st->provenance;
    Identity *first = node_map_get(&t->nodes, n);
    for (Identity *i = first; i; i = i->older)
        if (i->by == p)
            return i;
    Identity *i = identity_new(st);
    *i = (Identity){.node = n, .by = p, .older = first};
    node_map_put(&t->nodes, n, i);
    return i;
}

static void says(Store *st, const void *of, u64 what)
{
    st->provenance->says += hash_mix((u64)(uintptr_t)of, what) | 1;
}

/* What tells the place of n: of itself, or of that which it took the place of. */
static const Identity *placed(Store *st, const Node *n)
{
    const Identity *i = newest(st, n);
    while (i) {
        bool seen = (i->span.src || i->like) && sees(st, i->by);
        if (seen && i->span.src)
            return i;
        i = seen ? newest(st, i->like) : i->older;
    }
    return NULL;
}

const Span *node_span(Store *st, const Node *n)
{
    const Identity *i = placed(st, n);
    return i ? &i->span : NULL;
}

void node_set_span(Store *st, const Node *n, Span span)
{
    if (n->op != OP_CONST) /* equal numbers are one node, wherever they are */
        own(st, n)->span = span;
}

const Span *node_derived_from(Store *st, const Node *n)
{
    for (const Identity *i = newest(st, n); i; i = i->older)
        if (i->derived_from.src && sees(st, i->by))
            return &i->derived_from;
    return NULL;
}

void node_set_derived_from(Store *st, const Node *n, Span span)
{
    if (n->op != OP_CONST)
        own(st, n)->derived_from = span;
}

static void carry_derived_from(Store *st, const Node *from, const Node *to)
{
    const Span *span = from != to ? node_derived_from(st, from) : NULL;
    if (span && !node_derived_from(st, to))
        node_set_derived_from(st, to, *span);
}

void node_carry_span(Store *st, const Node *from, const Node *to)
{
    if (st->notes_derivatives)
        carry_derived_from(st, from, to);
    const Identity *at = from != to ? placed(st, from) : NULL;
    if (!at || placed(st, to))
        return;
    if (from->open || from->inner) /* it may soon stand for something else */
        node_set_span(st, to, at->span);
    else /* after many steps the way to it would be long */
        own(st, to)->like = at->node;
}

bool node_is_written(Store *st, const Node *n)
{
    for (const Identity *i = newest(st, n); i; i = i->older)
        if (i->by != st->provenance && (i->name || i->span.src) && sees(st, i->by))
            return true;
    return false;
}

const IntList *node_order(Store *st, const Node *n)
{
    for (const Identity *i = newest(st, n); i; i = i->older)
        if (i->order && sees(st, i->by))
            return i->order;
    return NULL;
}

Node *node_operand_shown(Store *st, const Node *n, u32 k)
{
    const IntList *order = node_order(st, n);
    return n->ops[order && order->n == n->nops ? (u32)order->at[k] : k];
}

void node_set_order(Store *st, const Node *n, const IntList *order)
{
    if (node_order(st, n))
        return;
    own(st, n)->order = order;
    says(st, n, (u64)(uintptr_t)order);
}

const ScanRoles *node_roles(Store *st, const Node *scan)
{
    for (const Identity *i = newest(st, scan); i; i = i->older)
        if (i->roles && sees(st, i->by))
            return i->roles;
    return NULL;
}

void node_set_roles(Store *st, const Node *scan, ScanRoles *roles)
{
    Identity *i = own(st, scan);
    free(i->roles);
    i->roles = roles;
}

static bool is_later(const Store *st, const Identity *i)
{
    const Provenance *p = st->provenance;
    return i->by == p && p->view && i->since > p->view;
}

Symbol provenance_name(Store *st, const Node *n, u32 *named_at)
{
    for (const Identity *i = newest(st, n); i; i = i->older)
        if ((i->name || i->renamed) && sees(st, i->by) && !is_later(st, i)) {
            *named_at = i->named_at;
            return i->name;
        }
    return NULL;
}

void provenance_set_name(Store *st, const Node *n, Symbol name, u32 named_at)
{
    Identity *i = own(st, n);
    i->name = name;
    i->named_at = named_at;
    i->since = i->by->view ? i->by->view : i->by->time;
    i->renamed = !name;
    says(st, n, (u64)(uintptr_t)name);
}

/* ---- of a graph ---- */

static GraphIdentity *own_graph(Store *st, const Graph *g)
{
    struct Identities *t = identities(st);
    Provenance *p = st->provenance;
    GraphIdentity *first = map_get(&t->graphs, g);
    for (GraphIdentity *i = first; i; i = i->older)
        if (i->by == p)
            return i;
    GraphIdentity *i = store_alloc(st, sizeof *i);
    *i = (GraphIdentity){.by = p, .older = first};
    map_put(&t->graphs, g, i);
    return i;
}

static GraphIdentity *newest_graph(const Store *st, const Graph *g)
{
    return st->identities && g ? map_get(&st->identities->graphs, g) : NULL;
}

const Symbol *graph_names(Store *st, const Graph *g)
{
    for (const GraphIdentity *i = newest_graph(st, g); i; i = i->older)
        if (i->params && sees(st, i->by))
            return i->params;
    return NULL;
}

void provenance_set_params(Store *st, const Graph *g, Symbol *names)
{
    GraphIdentity *i = own_graph(st, g);
    free(i->params);
    i->params = names;
    for (int k = 0; k < g->nparams; k++)
        says(st, g->param_nodes[k], hash_mix((u64)(uintptr_t)g, (u64)(uintptr_t)names[k]));
}

const NodeNames *body_names(Store *st, const Graph *g)
{
    for (const GraphIdentity *i = newest_graph(st, g); i; i = i->older)
        if (i->nodes.len && sees(st, i->by))
            return &i->nodes;
    return NULL;
}

NodeNames *body_names_own(Store *st, const Graph *g)
{
    GraphIdentity *i = own_graph(st, g);
    const NodeNames *seen = i->nodes.len ? NULL : body_names(st, g);
    for (size_t k = 0; seen && k < seen->len; k++)
        map_put(&i->nodes, map_key(seen, k), map_val(seen, k));
    return &i->nodes;
}

bool graph_has_names(Store *st, const Graph *g) { return graph_names(st, g) || body_names(st, g); }

/* ---- the collector ---- */

void provenance_collect(Collection *c, Provenance *p)
{
    VEC(Provenance *) todo = {0};
    (void)c;
    if (p && !p->mark)
        vec_push(&todo, p);
    while (todo.len) {
        p = todo.at[--todo.len];
        p->mark = true;
        for (size_t i = 0; i < p->refers.len; i++)
            if (!p->refers.at[i]->mark)
                vec_push(&todo, p->refers.at[i]);
    }
    vec_free(&todo);
}

static void mark_roles(Collection *c, const Node *n, const ScanRoles *r)
{
    ScanShape s = scan_shape(n);
    for (int i = 0; i < s.body->nparams; i++)
        collect_symbol(c, r->names[i]);
    for (int i = 0; i < s.nouts; i++)
        collect_symbol(c, r->outs[i]);
}

static void mark_identity(Collection *c, const Identity *i)
{
    collect_symbol(c, i->name);
    collect_source(i->span.src);
    collect_source(i->derived_from.src);
    if (i->order)
        ((IntList *)(uintptr_t)i->order)->mark = true;
    if (i->roles)
        mark_roles(c, i->node, i->roles);
}

static void mark_graph_identity(Collection *c, const Graph *g, const GraphIdentity *i)
{
    for (int k = 0; i->params && k < g->nparams; k++)
        collect_symbol(c, i->params[k]);
    for (size_t k = 0; k < i->nodes.len; k++)
        collect_symbol(c, map_val(&i->nodes, k));
}

/* The place of what is about to be freed, as far as it is known without asking who sees it. */
static void keep_place(Store *st, Identity *i)
{
    for (const Identity *from = newest(st, i->like); from;) {
        if (from->by->mark && from->span.src) {
            i->span = from->span;
            break;
        }
        from = from->by->mark && from->like ? newest(st, from->like) : from->older;
    }
    i->like = NULL;
}

static void keep_places(Store *st)
{
    const struct Identities *t = st->identities;
    for (size_t k = 0; k < slots(t); k++)
        for (Identity *i = at_slot(t, k); i; i = i->older)
            if (i->like && i->by->mark && !i->like->mark)
                keep_place(st, i);
}

void provenance_mark(Collection *c)
{
    const struct Identities *t = c->st->identities;
    if (t)
        keep_places(c->st);
    for (size_t k = 0; k < slots(t); k++)
        for (const Identity *i = at_slot(t, k); i; i = i->older)
            if (i->by->mark && i->node->mark)
                mark_identity(c, i);
    for (size_t k = 0; t && k < t->graphs.len; k++)
        for (const GraphIdentity *i = map_val(&t->graphs, k); i; i = i->older)
            if (i->by->mark && map_key(&t->graphs, k)->mark)
                mark_graph_identity(c, map_key(&t->graphs, k), i);
}

static bool node_is_marked(const void *key) { return ((const Node *)key)->mark; }

static Identity *drop(Store *st, Identity *i)
{
    Identity *older = i->older;
    free(i->roles);
    st->bytes -= sizeof *i;
    i->older = st->identities->free;
    st->identities->free = i;
    return older;
}

static GraphIdentity *drop_graph(GraphIdentity *i)
{
    GraphIdentity *older = i->older;
    free(i->params);
    map_free(&i->nodes);
    free(i);
    return older;
}

static bool is_kept(const Store *st, const Provenance *p)
{
    return p->mark || p->running || p == st->provenance;
}

/* Before marking: what needs no other to be kept. */
void provenance_begin(Collection *c)
{
    struct Identities *t = c->st->identities;
    for (size_t i = 0; t && i < t->all.len; i++)
        if (i == 0 || is_kept(c->st, t->all.at[i]))
            provenance_collect(c, t->all.at[i]);
}

static void sweep_nodes(Store *st)
{
    __typeof__(st->identities->nodes) kept = {0}, *was = &st->identities->nodes;
    for (size_t k = 0; k < slots(st->identities); k++) {
        Identity *first = at_slot(st->identities, k);
        for (Identity **at = &first; *at;)
            if ((*at)->node->mark && (*at)->by->mark)
                at = &(*at)->older;
            else
                *at = drop(st, *at);
        if (first)
            node_map_put(&kept, first->node, first);
    }
    node_map_free(was);
    *was = kept;
}

static void sweep_graphs(Store *st)
{
    __typeof__(st->identities->graphs) kept = {0}, *was = &st->identities->graphs;
    for (size_t k = 0; k < was->len; k++) {
        const Graph *g = map_key(was, k);
        GraphIdentity *first = map_val(was, k);
        for (GraphIdentity **at = &first; *at;)
            if (g->mark && (*at)->by->mark) {
                map_keep(&(*at)->nodes, node_is_marked, NULL);
                at = &(*at)->older;
            } else {
                *at = drop_graph(*at);
                st->bytes -= sizeof **at;
            }
        if (first)
            map_put(&kept, g, first);
    }
    map_free(was);
    *was = kept;
}

static void provenance_drop(Store *st, Provenance *p)
{
    st->bytes -= sizeof *p + p->refers.len * sizeof *p->refers.at;
    vec_free(&p->refers);
    free(p);
}

void provenance_sweep(Collection *c)
{
    struct Identities *t = c->st->identities;
    size_t n = 0;
    if (!t)
        return;
    sweep_nodes(c->st);
    sweep_graphs(c->st);
    t->reached = NULL;
    for (size_t i = 0; i < t->all.len; i++) {
        Provenance *p = t->all.at[i];
        if (!p->mark) {
            provenance_drop(c->st, p);
            continue;
        }
        p->mark = false;
        t->all.at[n++] = p;
    }
    t->all.len = n;
}

void provenance_free(Store *st)
{
    struct Identities *t = st->identities;
    if (!t)
        return;
    for (size_t k = 0; k < slots(t); k++)
        for (Identity *i = at_slot(t, k); i;)
            i = drop(st, i);
    for (size_t i = 0; i < t->blocks.len; i++)
        free(t->blocks.at[i]);
    vec_free(&t->blocks);
    for (size_t k = 0; k < t->graphs.len; k++)
        for (GraphIdentity *i = map_val(&t->graphs, k); i;)
            i = drop_graph(i);
    for (size_t i = 0; i < t->all.len; i++)
        provenance_drop(st, t->all.at[i]);
    vec_free(&t->all);
    node_map_free(&t->nodes);
    map_free(&t->graphs);
    free(t);
    st->identities = NULL;
}

size_t provenance_count(const Store *st)
{
    return st->identities ? node_map_len(&st->identities->nodes) + st->identities->graphs.len : 0;
}
