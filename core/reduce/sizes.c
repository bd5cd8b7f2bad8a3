/* Sizes become smaller: a number wherever it is a size or a count, a name by the values that have
 * it. */
#include "reduce/parts.h"

/* ---- a part of a tensor ---- */

/* `to` elements along these axes, the first or the last ones. */
static Tensor *shortened(Heap *h, const Tensor *t, const bool *axes, i64 to, bool last)
{
    i64 shape[MAX_RANK], at[MAX_RANK] = {0}, skipped[MAX_RANK];
    size_t size = dtype_size(t->dtype);
    for (int a = 0; a < t->rank; a++) {
        shape[a] = axes[a] && t->shape[a] > to ? to : t->shape[a];
        skipped[a] = last ? t->shape[a] - shape[a] : 0;
    }
    Tensor *out = tensor_new(h, t->dtype, t->rank, shape);
    for (i64 i = 0; out && i < out->count; i++) {
        i64 from = 0;
        for (int a = 0; a < t->rank; a++)
            from = from * t->shape[a] + at[a] + skipped[a];
        memcpy((char *)out->data + (size_t)i * size, (const char *)t->data + (size_t)from * size,
               size);
        for (int a = t->rank - 1; a >= 0 && ++at[a] == shape[a]; a--)
            at[a] = 0;
    }
    return out;
}

/* ---- one size ---- */

/* A size and what it becomes: a number, or a name. */
typedef struct {
    Reduction *r;
    Candidate *c;
    i64 from, to;
    bool last;   /* the last elements stay, not the first */
    Symbol name; /* NULL: a number */
} Shorter;

static bool is_size(const Shorter *s, const Size *size)
{
    const SizeAtom *atom = size_as_atom(size);
    i64 k;
    return s->name ? atom && atom->kind == ATOM_NAME && atom->name == s->name
                   : size_is_const(size, &k) && k == s->from;
}

static bool shorter_axes(const Shorter *s, const Type *t, bool *axes)
{
    bool any = false;
    for (int a = 0; a < t->rank; a++)
        any |= axes[a] = is_size(s, t->dims[a]);
    return any;
}

static Type *shorter_type(void *ctx, Type *t)
{
    const Shorter *s = ctx;
    Size *dims[MAX_RANK];
    if (t->kind != TYPE_TENSOR || s->name)
        return t;
    for (int a = 0; a < t->rank; a++)
        dims[a] = is_size(s, t->dims[a]) ? size_const(s->r->st, s->to) : t->dims[a];
    return type_tensor(s->r->st, t->dtype, t->rank, dims);
}

static void shorten_value(Shorter *s, Node *was, Node *leaf)
{
    bool axes[MAX_RANK];
    Tensor *value = map_get(&s->r->values, was);
    if (!value || map_has(&s->c->values, leaf) || !shorter_axes(s, was->type, axes))
        return;
    Tensor *less = shortened(&s->r->st->heap, value, axes, s->to, s->last);
    if (less)
        map_put(&s->c->values, leaf, less);
}

static Node *shorter_constant(Shorter *s, Node *n)
{
    bool axes[MAX_RANK];
    i64 k;
    if (node_const_i64(n, &k) && dtype_is_int(n->type->dtype))
        return k == s->from ? node_number(s->r->st, n->type->dtype, (double)s->to) : n;
    if (!shorter_axes(s, n->type, axes))
        return n;
    Tensor *less = shortened(&s->r->st->heap, n->attrs[0].value, axes, s->to, s->last);
    Node *out = less ? node_const(s->r->st, less) : NULL;
    tensor_unref(less);
    return out;
}

static Node *shorter_leaf(void *ctx, Node *n)
{
    Shorter *s = ctx;
    if (n->op == OP_CONST)
        return s->name ? n : shorter_constant(s, n);
    if (n->op != OP_INPUT && n->op != OP_SHARED)
        return n;
    Type *t = shorter_type(s, n->type);
    Node *leaf = t == n->type ? n : node_input(s->r->st, n->op, n->attrs[0].name, t);
    shorten_value(s, n, leaf);
    return leaf;
}

/* All values of that size, also of inputs that the program no longer has: they say what it is. */
static void shorten_values(Shorter *s)
{
    for (size_t i = 0; i < s->r->values.len && s->name; i++)
        shorten_value(s, map_key(&s->r->values, i), map_key(&s->r->values, i));
}

static bool try_size(Reduction *r, Symbol name, i64 from, i64 to, bool last)
{
    Candidate c = {0};
    Shorter s = {.r = r, .c = &c, .from = from, .to = to, .last = last, .name = name};
    Rebuild b = {.st = r->st, .leaf = shorter_leaf, .type = shorter_type, .ctx = &s};
    Node **out = xmalloc((r->roots.len + 1) * sizeof *out);
    DiagTry trial;
    diag_try_begin(&trial, &r->st->diags);
    bool ok = to < from && rebuild(&b, (int)r->roots.len, r->roots.at, out);
    diag_try_end(&trial);
    for (size_t i = 0; i < r->roots.len && ok; i++)
        vec_push(&c.roots, out[i]);
    free(out);
    if (ok)
        shorten_values(&s);
    ok = ok && c.roots.len;
    if (!ok)
        candidate_free(&c);
    return ok && candidate_holds(r, &c);
}

/* ---- all of them ---- */

typedef struct {
    Symbol name;
    i64 value;
} KnownSize;
typedef VEC(KnownSize) KnownSizes;

static void add_size(KnownSizes *all, Symbol name, i64 value)
{
    for (size_t i = 0; i < all->len; i++)
        if (all->at[i].name == name && (name || all->at[i].value == value))
            return;
    if (value > 1)
        vec_push(all, ((KnownSize){name, value}));
}

static void sizes_of_input(const Reduction *r, const Node *n, KnownSizes *all)
{
    const Tensor *value = map_get(&r->values, n);
    for (int a = 0; a < n->type->rank; a++) {
        const SizeAtom *atom = size_as_atom(n->type->dims[a]);
        i64 k;
        if (size_is_const(n->type->dims[a], &k))
            add_size(all, NULL, k);
        else if (value && atom && atom->kind == ATOM_NAME)
            add_size(all, atom->name, value->shape[a]);
    }
}

static void find_sizes(const Reduction *r, KnownSizes *all)
{
    NodeVec order = {0};
    i64 k;
    nodes_topo((int)r->roots.len, r->roots.at, &order);
    for (size_t i = 0; i < order.len; i++) {
        const Node *n = order.at[i];
        if (n->op == OP_INPUT || n->op == OP_SHARED)
            sizes_of_input(r, n, all);
        else if (node_const_i64(n, &k) && dtype_is_int(n->type->dtype) && k < SCAN_UNBOUNDED)
            add_size(all, NULL, k);
    }
    vec_free(&order);
}

static bool smaller_size(Reduction *r, const KnownSize *s)
{
    const i64 to[] = {1, 2, 3, s->value / 2, s->value - 1};
    for (size_t i = 0; i < 2 * COUNT_OF(to); i++) {
        i64 k = to[i / 2];
        if (k > 0 && !shrink_stops(r) && try_size(r, s->name, s->value, k, i % 2))
            return true;
    }
    return false;
}

bool shrink_sizes(Reduction *r)
{
    bool found = true, any = false;
    while (found && !shrink_stops(r)) {
        KnownSizes all = {0};
        found = false;
        find_sizes(r, &all);
        for (size_t i = 0; i < all.len && !found; i++)
            found = smaller_size(r, &all.at[i]);
        any = any || found;
        vec_free(&all);
    }
    return any;
}
