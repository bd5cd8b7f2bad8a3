/* The store: interning of symbols, attributes, constants and nodes.
 *
 * Invariant: `node_make` is the only way to a node, so every node is typed, its
 * commutative operands are in canonical order (three floats or more in the order that they are
 * computed in), and equal nodes are one pointer. */
#include "graph/control.h"
#include "graph/store.h"
#include "graph/names.h"
#include "graph/op.h"
#include "graph/provenance.h"
#include "graph/collect.h"
#include "graph/temps.h"

/* ---- intern tables: open addressing on the full hash ---- */

/* Hash 0 is a free slot, so that what is not there is not looked for among the items. */
static u64 stored(u64 hash) { return hash ? hash : 1; }

void *intern_find(Intern *in, u64 hash, const void *probe, bool (*eq)(const void *, const void *))
{
    if (!in->cap)
        return NULL;
    hash = stored(hash);
    for (size_t i = hash & (in->cap - 1); in->hashes[i]; i = (i + 1) & (in->cap - 1))
        if (in->hashes[i] == hash && eq(in->items[i], probe))
            return in->items[i];
    return NULL;
}

static void intern_put(Intern *in, u64 hash, void *item)
{
    hash = stored(hash);
    size_t i = hash & (in->cap - 1);
    while (in->hashes[i])
        i = (i + 1) & (in->cap - 1);
    in->hashes[i] = hash;
    in->items[i] = item;
}

/* A table that cannot be doubled is filled further. */
static void intern_grow(Intern *in)
{
    Intern old = *in;
    size_t cap = old.cap ? 2 * old.cap : 64;
    bool room = old.len + 1 < old.cap / 16 * 15;
    u64 *hashes = room ? memory_try_zeroed(cap, sizeof *hashes) : xcalloc(cap, sizeof *hashes);
    void **items = !hashes ? NULL
                   : room  ? memory_try_zeroed(cap, sizeof *items)
                           : xcalloc(cap, sizeof *items);
    if (!items) {
        free(hashes);
        return;
    }
    *in = (Intern){.hashes = hashes, .items = items, .len = old.len, .cap = cap};
    for (size_t i = 0; i < old.cap; i++)
        if (old.items[i])
            intern_put(in, old.hashes[i], old.items[i]);
    intern_free(&old);
}

void intern_add(Intern *in, u64 hash, void *item)
{
    if (2 * (in->len + 1) > in->cap)
        intern_grow(in);
    intern_put(in, hash, item);
    in->len++;
}

void *store_alloc(Store *st, size_t bytes)
{
    st->bytes += bytes;
    return xcalloc(1, bytes);
}

void intern_free(Intern *in)
{
    free(in->hashes);
    free(in->items);
    memset(in, 0, sizeof *in);
}

/* ---- store ---- */

void store_init(Store *st) { memset(st, 0, sizeof *st); }

void store_free(Store *st)
{
    map_free(&st->input_order);
    Collection c;
    collect_begin(&c, st);
    provenance_free(st);
    collect_end(&c); /* nothing is marked */
    map_free(&st->names_made);
    map_free(&st->derivatives);
    temps_free(st);
    arena_free(&st->arena);
    arena_free(&st->scratch);
    heap_free(&st->heap);
}

void *store_error(Store *st, const char *code, const char *hint, const char *fmt, ...)
{
    Text t = {0};
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    if (st->diags)
        diag_add(st->diags, code, st->span, hint, "%s", text_str(&t));
    text_free(&t);
    return NULL;
}

bool store_short(Store *st, const char *doing)
{
    if (memory_short() && st->diags)
        diag_memory(st->diags, st->span, doing);
    return memory_short();
}

bool store_stopped(Store *st, const char *doing)
{
    if (interrupted(st->interrupt) && st->diags)
        diag_interrupted(st->diags, st->span, NULL);
    return store_short(st, doing) || interrupted(st->interrupt);
}

typedef struct {
    const char *at;
    size_t n;
} Chars;

static bool symbol_eq(const void *item, const void *probe)
{
    const Chars *c = probe;
    return !strncmp(item, c->at, c->n) && ((const char *)item)[c->n] == 0;
}

Symbol symbol_n(Store *st, const char *s, size_t n)
{
    Chars probe = {s, n};
    u64 h = hash_bytes(s, n, 0);
    Symbol found = intern_find(&st->symbols, h, &probe, symbol_eq);
    if (found)
        return found;
    char *copy = (char *)store_alloc(st, n + 2) + 1; /* its mark stands before it */
    memcpy(copy, s, n);
    intern_add(&st->symbols, h, copy);
    return copy;
}

Symbol symbol(Store *st, const char *s) { return symbol_n(st, s, strlen(s)); }

static bool intlist_eq(const void *pa, const void *pb)
{
    const IntList *a = pa, *b = pb;
    return a->n == b->n && (!a->n || !memcmp(a->at, b->at, a->n * sizeof *a->at));
}

const IntList *intlist(Store *st, u32 n, const i64 *at)
{
    IntList *probe = xmalloc(sizeof *probe + n * sizeof *at);
    *probe = (IntList){.n = n};
    if (n)
        memcpy(probe->at, at, n * sizeof *at);
    u64 h = hash_bytes(probe->at, n * sizeof *at, n + 7);
    IntList *found = intern_find(&st->intlists, h, probe, intlist_eq);
    if (!found) {
        found = store_alloc(st, sizeof *found + n * sizeof *at);
        memcpy(found, probe, sizeof *found + n * sizeof *at);
        intern_add(&st->intlists, h, found);
    }
    free(probe);
    return found;
}

bool intlist_has(const IntList *l, i64 x)
{
    for (u32 i = 0; i < l->n; i++)
        if (l->at[i] == x)
            return true;
    return false;
}

/* ---- nodes ---- */

static u64 attr_hash(char kind, Attr a)
{
    switch (kind) {
    case 'I': return hash_bytes(a.ints->at, a.ints->n * sizeof(i64), a.ints->n);
    case 's': return a.name ? hash_bytes(a.name, strlen(a.name), 3) : 3;
    case 't': return a.type->hash;
    case 'v': return tensor_hash(a.value);
    case 'g': return a.graph->shash;
    case 'z': return a.size->hash;
    default: return a.bits;
    }
}

u64 node_operator_hash(const Node *n)
{
    u64 h = hash_bytes(op_table[n->op].name, strlen(op_table[n->op].name), n->nops);
    for (u32 i = 0; i < n->nattrs; i++)
        h = hash_mix(h, attr_hash(op_attr_kind(n->op, (int)i), n->attrs[i]));
    return h;
}

static u64 node_hash(const Node *n)
{
    u64 h = node_operator_hash(n);
    for (u32 i = 0; i < n->nops; i++)
        h = hash_mix(h, n->ops[i]->shash);
    return h;
}

static bool node_eq(const void *pa, const void *pb)
{
    const Node *a = pa, *b = pb;
    return a->op == b->op && a->nops == b->nops && a->nattrs == b->nattrs &&
           (!a->nattrs || !memcmp(a->attrs, b->attrs, a->nattrs * sizeof *a->attrs)) &&
           (!a->nops || !memcmp(a->ops, b->ops, a->nops * sizeof *a->ops));
}

/* Constants, parameters, inputs by declaration, holes by age, then the rest by structure. */
static int operand_rank(const Node *n)
{
    return n->op == OP_CONST                         ? 0
           : n->op == OP_PARAM                       ? 1
           : n->op == OP_INPUT || n->op == OP_SHARED ? 2
           : n->op == OP_HOLE                        ? 3
                                                     : 4;
}

static int operand_compare(const Store *st, const Node *a, const Node *b)
{
    if (a == b)
        return 0;
    int ra = operand_rank(a), rb = operand_rank(b);
    if (ra != rb)
        return ra - rb;
    i64 ka = 0, kb = 0;
    if (ra == 1 || ra == 3)
        ka = a->attrs[0].i, kb = b->attrs[0].i;
    else if (ra == 2)
        ka = leaf_place(st, a), kb = leaf_place(st, b);
    if (ka != kb)
        return ka < kb ? -1 : 1;
    return a->shash < b->shash ? -1 : a->shash > b->shash;
}

/* Stable insertion sort: operand lists are short, and equal operands stay in place. */
static void sort_operands(const Store *st, u32 n, Node **ops)
{
    for (u32 i = 1; i < n; i++)
        for (u32 j = i; j > 0 && operand_compare(st, ops[j - 1], ops[j]) > 0; j--) {
            Node *t = ops[j];
            ops[j] = ops[j - 1];
            ops[j - 1] = t;
        }
}

/* Floats round: the order in which three or more of them are added or multiplied is part of the
 * node. Nothing reorders them but a rule that says so. */
bool operands_sorted(OpId op, u32 nops, Node *const *ops)
{
    return op_table[op].flags & COMMUTES &&
           !(nops > 2 && ops[0]->type->kind == TYPE_TENSOR && dtype_is_float(ops[0]->type->dtype));
}

/* The first time that it is built under a provenance decides how it is shown. */
static void remember_order(Store *st, const Node *n, Node *const *source)
{
    if (node_order(st, n))
        return;
    i64 few[4], *at = n->nops <= COUNT_OF(few) ? few : xcalloc(n->nops, sizeof *at);
    bool few_used[4] = {0}, *used = at == few ? few_used : xcalloc(n->nops, sizeof *used);
    for (u32 i = 0; i < n->nops; i++)
        for (u32 k = 0; k < n->nops; k++)
            if (!used[k] && n->ops[k] == source[i]) {
                used[k] = true;
                at[i] = k;
                break;
            }
    node_set_order(st, n, intlist(st, n->nops, at));
    if (at != few) {
        free(at);
        free(used);
    }
}

static Node *node_new(Store *st, const Node *probe, Type *type, u64 hash)
{
    size_t bytes = sizeof(Node) + probe->nattrs * sizeof(Attr) + probe->nops * sizeof(Node *);
    Node *n = store_alloc(st, bytes);
    *n = *probe;
    n->attrs = (Attr *)(n + 1);
    n->ops = (Node **)(n->attrs + probe->nattrs);
    if (probe->nattrs)
        memcpy(n->attrs, probe->attrs, probe->nattrs * sizeof(Attr));
    if (probe->nops)
        memcpy(n->ops, probe->ops, probe->nops * sizeof(Node *));
    n->type = type;
    n->shash = hash;
    n->id = st->node_count++;
    n->open = n->op == OP_HOLE;
    n->inner = n->op == OP_PARAM;
    for (u32 i = 0; i < n->nops; i++) {
        n->open = n->open || n->ops[i]->open;
        n->inner = n->inner || n->ops[i]->inner;
    }
    if (n->op == OP_INPUT || n->op == OP_SHARED)
        leaf_declare(st, n->attrs[0].name);
    intern_add(&st->nodes, hash, n);
    if (n->op == OP_PROJ)
        size_read_off(n);
    return n;
}

static bool arity_ok(Store *st, const Node *n)
{
    const OpInfo *info = &op_table[n->op];
    int max = info->flags & NARY ? -1 : info->max_ops;
    if ((int)n->nops >= info->min_ops && (max < 0 || (int)n->nops <= max))
        return true;
    store_error(st, "arity", NULL, "%s takes %s%d operand%s, not %u", info->name,
                max < 0 ? "at least " : "", info->min_ops, info->min_ops == 1 ? "" : "s", n->nops);
    return false;
}

static bool graph_memory_left(Store *st)
{
    if (!st->limit || st->bytes < st->limit)
        return true;
    store_error(
        st, "memory",
        "start afresh; a recurrence written as a scan needs one body, not one node per step",
        "the graph needs more than the %zu MB it may use", st->limit >> 20);
    return false;
}

Node *node_make(Store *st, OpId op, const Attr *attrs, u32 nops, Node *const *ops)
{
    for (u32 i = 0; i < nops; i++)
        if (!ops[i])
            return NULL;
    Node probe = {.op = op, .nattrs = (u32)op_attr_count(op), .nops = nops};
    Node *small[8], **sorted = NULL;
    Attr record[LOOP_ATTRS];
    if (op == OP_LOOP) /* what it records is what holds, whoever edits it */
        attrs = loop_recorded(st, attrs, nops, ops, record);
    probe.attrs = (Attr *)(uintptr_t)attrs; /* only read until copied by node_new */
    probe.ops = (Node **)(uintptr_t)ops;
    if (operands_sorted(op, nops, ops)) {
        sorted = nops <= COUNT_OF(small) ? small : xmalloc(nops * sizeof *sorted);
        memcpy(sorted, ops, nops * sizeof *sorted);
        sort_operands(st, nops, sorted);
        probe.ops = sorted;
    }
    u64 h = node_hash(&probe);
    Node *n = intern_find(&st->nodes, h, &probe, node_eq);
    if (!n && arity_ok(st, &probe) && graph_memory_left(st)) {
        Type *type = op_table[op].infer(st, &probe);
        n = type ? node_new(st, &probe, type, h) : NULL;
    }
    if (n && sorted)
        remember_order(st, n, ops);
    if (sorted && sorted != small)
        free(sorted);
    return n;
}

/* Built in source order, so that the new node is displayed like the old one. */
Node *node_like(Store *st, const Node *n, Node *const *ops)
{
    const IntList *order = node_order(st, n);
    if (!order)
        return node_make(st, n->op, n->attrs, n->nops, ops);
    Node **source = xmalloc(n->nops * sizeof *source);
    for (u32 i = 0; i < n->nops; i++)
        source[i] = ops[order->at[i]];
    Node *r = node_make(st, n->op, n->attrs, n->nops, source);
    free(source);
    return r;
}

Node *node_with_operands(Store *st, Node *n, Node *const *ops)
{
    bool same = true;
    for (u32 i = 0; i < n->nops && same; i++)
        same = ops[i] == n->ops[i];
    if (same)
        return n;
    if (n->op == OP_PROJ) {
        Node *p = node_proj(st, ops[0], n->attrs[0].i);
        if (p)
            node_carry_name(st, n, p);
        return p;
    }
    /* a length that is known by type is its expression; one that a node computes is read off */
    bool named = n->op == OP_DIM && !size_has_kind(ops[0]->type->dims[n->attrs[0].i], ATOM_NODE);
    Node *r = named ? node_dim(st, ops[0], (int)n->attrs[0].i) : node_like(st, n, ops);
    if (r && r->op == n->op) {
        node_carry_name(st, n, r);
        node_carry_span(st, n, r);
    }
    return r;
}

Node *node_with_attrs(Store *st, Node *n, const Attr *attrs)
{
    Node *r = node_make(st, n->op, attrs, n->nops, n->ops);
    if (r) {
        node_carry_name(st, n, r);
        node_carry_span(st, n, r);
    }
    return r;
}

Node *node0(Store *st, OpId op, const Attr *attrs) { return node_make(st, op, attrs, 0, NULL); }
Node *node1(Store *st, OpId op, const Attr *attrs, Node *a)
{
    return node_make(st, op, attrs, 1, &a);
}
Node *node2(Store *st, OpId op, const Attr *attrs, Node *a, Node *b)
{
    Node *ops[] = {a, b};
    return node_make(st, op, attrs, 2, ops);
}
Node *node3(Store *st, OpId op, const Attr *attrs, Node *a, Node *b, Node *c)
{
    Node *ops[] = {a, b, c};
    return node_make(st, op, attrs, 3, ops);
}

static bool tensor_item_eq(const void *a, const void *b) { return tensor_same_bits(a, b); }

Node *node_const(Store *st, Tensor *t)
{
    u64 h = tensor_hash(t);
    Tensor *kept = intern_find(&st->tensors, h, t, tensor_item_eq);
    if (!kept) {
        kept = t->base ? tensor_copy(&st->heap, t) : tensor_ref(t);
        if (!kept)
            return store_error(st, "memory", NULL,
                               "out of memory: could not allocate a constant of %lld elements",
                               (long long)t->count);
        intern_add(&st->tensors, h, kept);
    }
    Attr a = {.value = kept};
    return node0(st, OP_CONST, &a);
}

static Node *const_take(Store *st, Tensor *t)
{
    Node *n = node_const(st, t);
    tensor_unref(t);
    return n;
}

Node *node_f64(Store *st, double x) { return const_take(st, tensor_scalar_f64(&st->heap, x)); }
Node *node_i64(Store *st, i64 x) { return const_take(st, tensor_scalar_i64(&st->heap, x)); }
Node *node_bool(Store *st, bool x) { return const_take(st, tensor_scalar_bool(&st->heap, x)); }

Node *node_number(Store *st, DType d, double x)
{
    Tensor *t = tensor_scalar_f64(&st->heap, x);
    Tensor *c = tensor_cast(&st->heap, t, d);
    tensor_unref(t);
    return const_take(st, c);
}

bool node_swaps_last(const Node *n)
{
    if (n->op != OP_TRANSPOSE || n->attrs[0].ints->n < 2)
        return false;
    const IntList *axes = n->attrs[0].ints;
    u32 r = axes->n;
    for (u32 i = 0; i + 2 < r; i++)
        if (axes->at[i] != i)
            return false;
    return axes->at[r - 2] == r - 1 && axes->at[r - 1] == r - 2;
}

Node *node_input(Store *st, OpId op, Symbol name, Type *type)
{
    Attr a[] = {{.name = name}, {.type = type}};
    Node *n = node0(st, op, a);
    if (n)
        node_set_name(st, n, name);
    return n;
}

Node *node_param(Store *st, i64 index, Type *type)
{
    Attr a[] = {{.i = index}, {.type = type}};
    return node0(st, OP_PARAM, a);
}

Node *node_hole(Store *st, Type *type, Symbol hint)
{
    Attr a[] = {{.i = st->hole_count++}, {.type = type}};
    Node *n = node0(st, OP_HOLE, a);
    if (n)
        node_set_name(st, n, hint);
    return n;
}

Node *node_proj(Store *st, Node *tuple, i64 index)
{
    if (!tuple)
        return NULL;
    if (tuple->op == OP_TUPLE)
        return tuple->ops[index];
    Attr a = {.i = index};
    return node1(st, OP_PROJ, &a, tuple);
}

Node *node_cast(Store *st, Node *x, DType d)
{
    if (!x || x->type->dtype == d)
        return x;
    Attr a = {.i = d};
    return node1(st, OP_CAST, &a, x);
}

Node *node_dim(Store *st, Node *x, int axis)
{
    if (!x)
        return NULL;
    Size *s = x->type->dims[axis];
    if (size_is_global(s))
        return size_to_node(st, s);
    Attr a = {.i = axis};
    return node1(st, OP_DIM, &a, x);
}

bool node_is_const(const Node *n) { return n->op == OP_CONST; }

bool node_const_i64(const Node *n, i64 *out)
{
    if (n->op != OP_CONST || n->type->rank || dtype_is_float(n->type->dtype) ||
        n->type->dtype == DT_RNG)
        return false;
    *out = tensor_i64_at(n->attrs[0].value, 0);
    return true;
}

bool node_const_f64(const Node *n, double *out)
{
    if (n->op != OP_CONST || n->type->rank || n->type->dtype == DT_RNG)
        return false;
    *out = tensor_f64_at(n->attrs[0].value, 0);
    return true;
}
