/* Closing an open body: which outer nodes it captures, in which order, and with which sizes.
 *
 * Invariant: the result depends on the structure of the body only. Names, the order of
 * capture and the order in which commutative operands were written do not change it.
 * Captures and sequences are therefore ordered by labels that are refined the way
 * Weisfeiler and Leman refine vertex colours (B. Weisfeiler, A. Leman, 1968): a label
 * gathers how a value is used, level by level, until no more values can be told apart. */
#include "graph/store.h"
#include "graph/names.h"
#include "graph/op.h"
#include "graph/walk.h"

typedef MAP(const void *, u64) LabelMap;

typedef struct {
    Store *st;
    const CloseRequest *rq;
    NodeSet inside;       /* interior nodes */
    NodeVec order;        /* interior and leaves, operands first */
    NodeVec leaves;       /* own holes that are used, captures, sizes */
    MAP(Node *, int) own; /* own hole -> 1 + index (fixed, then sequences) */
    LabelMap down, up;
    NodeVec seqs, captures, sizes;
    NodeSet placed;
} Close;

static u64 label(const LabelMap *m, const void *key) { return map_get(m, key); }
static void set_label(LabelMap *m, const void *key, u64 h)
{
    map_put(m, key, h | 1); /* never NULL */
}
/* Sums are of even numbers, so that the bit that says "not NULL" never carries: the order of adding
 * is lost. */
static void add_label(LabelMap *m, const void *key, u64 h)
{
    set_label(m, key, label(m, key) + (h << 1));
}

/* ---- 1. the frontier ---- */

static bool is_leaf(const Close *c, const Node *n)
{
    return map_has(&c->own, n) || n->op == OP_HOLE || n->op == OP_INPUT || n->op == OP_SHARED ||
           n->op == OP_SIZE || n->op == OP_PARAM ||
           (n->op != OP_CONST && c->rq->mentioned && map_has(c->rq->mentioned, n));
}

/* What a derivative cuts through: it is computed outside of the body. */
static bool cut_by(const Close *c, const Node *user, const Node *n)
{
    return op_table[user->op].cls == CLASS_IMPLICIT && n->op != OP_CONST && c->rq->outside &&
           outside_has(c->rq->outside, n);
}

static bool is_reached_leaf(const Close *c, const Node *n)
{
    return map_has(&c->placed, n) || is_leaf(c, n);
}

static Node *reach_operand(void *ctx, Node *n, u32 k)
{
    Close *c = ctx;
    if (k == n->nops || (k == 0 && is_reached_leaf(c, n)))
        return NULL;
    Node *op = n->ops[k];
    if (!map_has(&c->inside, op) && cut_by(c, n, op))
        set_add(&c->placed, op); /* marks it as a leaf */
    return op;
}

static void reached(void *ctx, Node *n)
{
    Close *c = ctx;
    if (is_reached_leaf(c, n))
        vec_push(&c->leaves, n);
    vec_push(&c->order, n);
}

/* ---- 2. labels ---- */

/* A size's label does not see symbols' names: each symbol is labelled by where it occurs. */
static u64 size_label(const Close *c, const LabelMap *symbols, const Size *s)
{
    u64 h = hash_mix(0x81, (u64)s->constant);
    for (u32 i = 0; i < s->nterms; i++) {
        u64 t = hash_mix(0x82, (u64)s->terms[i].coef);
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            const SizeAtom *a = s->terms[i].factors[k];
            t += a->a ? hash_mix(size_label(c, symbols, a->a), size_label(c, symbols, a->b))
                      : label(symbols, a);
        }
        h += hash_mix(t, 0x83);
    }
    return h;
}

static u64 type_label(const Close *c, const LabelMap *symbols, const Type *t)
{
    u64 h = hash_mix(0x84 + (u64)t->kind, (u64)t->dtype);
    for (int i = 0; i < t->rank; i++)
        h = hash_mix(h, size_label(c, symbols, t->dims[i]));
    for (int i = 0; i < t->nitems; i++)
        h = hash_mix(h, type_label(c, symbols, t->items[i]));
    return h;
}

static void label_atoms(LabelMap *next, const LabelMap *leaf_labels, const Size *s, u64 where)
{
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            SizeAtom *a = s->terms[i].factors[k];
            u64 here = hash_mix(where, (u64)s->terms[i].coef);
            add_label(next, a, here);
            if (a->kind == ATOM_NODE) { /* the value and the size it is know each other */
                add_label(next, a->node, here);
                add_label(next, a, hash_mix(label(leaf_labels, a->node), 0x87));
            }
            if (a->a) {
                label_atoms(next, leaf_labels, a->a, hash_mix(where, 1));
                label_atoms(next, leaf_labels, a->b, hash_mix(where, 2));
            }
        }
}

static void label_dims(LabelMap *next, const LabelMap *leaf_labels, const Type *t, u64 base)
{
    for (int a = 0; t->kind == TYPE_TENSOR && a < t->rank; a++)
        label_atoms(next, leaf_labels, t->dims[a], hash_mix(base, (u64)a));
}

/* Symbols take the labels of the places they stand in: (value, axis). Parameters count even if
 * unused. */
static void relabel_symbols(Close *c, LabelMap *symbols, const LabelMap *leaf_labels)
{
    LabelMap next = {0};
    for (size_t i = 0; i < c->leaves.len; i++) {
        Node *n = c->leaves.at[i];
        u64 base = label(leaf_labels, n);
        if (n->op == OP_SIZE)
            label_atoms(&next, leaf_labels, n->attrs[0].size, hash_mix(base, 99));
        label_dims(&next, leaf_labels, n->type, base);
    }
    for (int i = 0; i < c->rq->nfixed; i++)
        label_dims(&next, leaf_labels, c->rq->fixed[i]->type, hash_mix(0x91, (u64)i));
    map_free(symbols);
    *symbols = next;
}

static u64 attrs_label(const Node *n)
{
    u64 h = hash_bytes(op_table[n->op].name, strlen(op_table[n->op].name), n->nops);
    if (n->op == OP_CONST)
        return hash_mix(h, n->shash);
    for (u32 i = 0; i < n->nattrs; i++) {
        char kind = op_attr_kind(n->op, (int)i);
        u64 bits =
            kind == 'g'   ? n->attrs[i].graph->shash
            : kind == 'I' ? hash_bytes(n->attrs[i].ints->at, n->attrs[i].ints->n * sizeof(i64), 5)
            : kind == 's'
                ? (n->attrs[i].name ? hash_bytes(n->attrs[i].name, strlen(n->attrs[i].name), 3) : 0)
            : kind == 't' || kind == 'v' || kind == 'z' ? 0
                                                        : n->attrs[i].bits;
        h = hash_mix(h, bits);
    }
    return h;
}

static void labels_down(Close *c, const LabelMap *leaf_labels)
{
    map_clear(&c->down);
    for (size_t i = 0; i < c->order.len; i++) {
        Node *n = c->order.at[i];
        if (map_has(leaf_labels, n)) {
            set_label(&c->down, n, label(leaf_labels, n));
            continue;
        }
        u64 h = attrs_label(n);
        bool commutes = operands_sorted(n->op, n->nops, n->ops);
        for (u32 k = 0; k < n->nops; k++) {
            u64 x = label(&c->down, n->ops[k]);
            h = commutes ? h + hash_mix(x, 0x85) : hash_mix(h, x);
        }
        set_label(&c->down, n, h);
    }
}

static void labels_up(Close *c)
{
    map_clear(&c->up);
    for (int i = 0; i < c->rq->nouts; i++) {
        Node *o = c->rq->outs[i];
        add_label(&c->up, o, hash_mix(0x86, (u64)i));
    }
    for (size_t i = c->order.len; i-- > 0;) {
        Node *n = c->order.at[i];
        if (map_has(&c->placed, n))
            continue;
        u64 h = hash_mix(label(&c->up, n), label(&c->down, n));
        bool commutes = operands_sorted(n->op, n->nops, n->ops);
        for (u32 k = 0; k < n->nops; k++) {
            Node *op = n->ops[k];
            add_label(&c->up, op, hash_mix(h, commutes ? 0 : k + 1));
        }
    }
}

static u64 own_label(const Close *c, const Node *n)
{
    int own = map_get(&c->own, n);
    if (own && own <= c->rq->nfixed)
        return hash_mix(0x91, (u64)own);
    return own ? 0x92 : n->op == OP_SIZE ? 0x94 : 0x93;
}

/* One level more of how each leaf is used. */
static void refine_once(Close *c, LabelMap *leaf_labels)
{
    LabelMap symbols = {0}, next = {0};
    relabel_symbols(c, &symbols, leaf_labels);
    for (size_t i = 0; i < c->leaves.len; i++) {
        Node *n = c->leaves.at[i];
        u64 t = n->op == OP_SIZE ? size_label(c, &symbols, n->attrs[0].size)
                                 : type_label(c, &symbols, n->type);
        set_label(&next, n, hash_mix(label(leaf_labels, n), hash_mix(t, label(&symbols, n))));
    }
    labels_down(c, &next);
    labels_up(c);
    for (size_t i = 0; i < c->leaves.len; i++) {
        Node *n = c->leaves.at[i];
        set_label(&next, n, hash_mix(label(&next, n), label(&c->up, n)));
    }
    map_free(leaf_labels);
    map_free(&symbols);
    *leaf_labels = next;
}

static int compare_labels(const void *a, const void *b)
{
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return x < y ? -1 : x > y;
}

/* How many different labels there are; *tied: the least one that several leaves have, or 0. */
static size_t count_labels(const Close *c, const LabelMap *leaf_labels, u64 *tied)
{
    u64 *all = xmalloc((c->leaves.len + 1) * sizeof *all);
    for (size_t i = 0; i < c->leaves.len; i++)
        all[i] = label(leaf_labels, c->leaves.at[i]);
    qsort(all, c->leaves.len, sizeof *all, compare_labels);
    size_t distinct = 0;
    *tied = 0;
    for (size_t i = 0; i < c->leaves.len; i++) {
        bool again = i && all[i] == all[i - 1];
        distinct += !again;
        if (again && !*tied)
            *tied = all[i];
    }
    free(all);
    return distinct;
}

/* Until nothing more can be told apart; then, if leaves still look alike, one of them is made
 * special and so decides about the others. Which one does not matter where they are alike because
 * they are interchangeable, which is all but always. Beyond MAX_WORK ties stay: a body of thousands
 * of interchangeable captures may then not be recognised as the same, nothing worse. */
static void refine(Close *c)
{
    enum { MAX_WORK = 1 << 23 };
    LabelMap leaf_labels = {0};
    for (size_t i = 0; i < c->leaves.len; i++)
        set_label(&leaf_labels, c->leaves.at[i], own_label(c, c->leaves.at[i]));
    u64 tied;
    size_t before = count_labels(c, &leaf_labels, &tied);
    for (size_t work = 0;; work += c->order.len) {
        refine_once(c, &leaf_labels);
        size_t distinct = count_labels(c, &leaf_labels, &tied);
        bool stable = distinct == before;
        before = distinct;
        if (!tied || work > MAX_WORK)
            break;
        for (size_t i = 0; stable && i < c->leaves.len; i++)
            if (label(&leaf_labels, c->leaves.at[i]) == tied) {
                set_label(&leaf_labels, c->leaves.at[i], hash_mix(tied, 0x95));
                before++;
                break;
            }
    }
    labels_down(c, &leaf_labels);
    map_free(&leaf_labels);
}

/* ---- 3. canonical order: first use, commutative operands visited by label ---- */

static void place(Close *c, Node *n)
{
    int own = map_get(&c->own, n);
    if (own > c->rq->nfixed)
        vec_push(&c->seqs, n);
    else if (!own && n->op == OP_SIZE)
        vec_push(&c->sizes, n);
    else if (!own)
        vec_push(&c->captures, n);
}

/* With the operands, in an order that is the same however they were put together. */
static void go_on(const Close *c, const Node *n, Descent *d)
{
    Node *small[16], **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    memcpy(ops, n->ops, n->nops * sizeof *ops);
    if (operands_sorted(n->op, n->nops, n->ops))
        for (u32 i = 1; i < n->nops; i++)
            for (u32 j = i; j > 0 && label(&c->down, ops[j - 1]) > label(&c->down, ops[j]); j--) {
                Node *t = ops[j];
                ops[j] = ops[j - 1];
                ops[j - 1] = t;
            }
    descent_roots(d, (int)n->nops, ops);
    if (ops != small)
        free(ops);
}

static void order_leaves(Close *c)
{
    NodeSet is_leaf_set = {0};
    for (size_t i = 0; i < c->leaves.len; i++)
        set_add(&is_leaf_set, c->leaves.at[i]);
    Descent d = {0};
    descent_roots(&d, c->rq->nouts, c->rq->outs);
    for (Node *n; (n = descent_next(&d));)
        if (map_has(&is_leaf_set, n))
            place(c, n);
        else
            go_on(c, n, &d);
    descent_end(&d);
    map_free(&is_leaf_set);
}

/* ---- 4. sizes of the parameters ---- */

typedef struct {
    Close *c;
    MAP(const SizeAtom *, Size *) atoms; /* atom -> Size* */
    MAP(const Size *, Size *) whole;     /* composite Size -> Size* */
    i64 next;
    const NodeMap *params; /* outer node -> Param */
} SizeNames;

static Size *rename_atom(Store *st, SizeAtom *a, void *ctx)
{
    SizeNames *s = ctx;
    Node *p = a->kind == ATOM_NODE ? map_get(s->params, a->node) : NULL;
    return p ? size_of_node(st, p) : map_get(&s->atoms, a);
}

static int unknown_atoms(SizeNames *s, const Size *z, SizeAtom **last, bool *linear)
{
    int n = 0;
    for (u32 i = 0; i < z->nterms; i++)
        for (u32 k = 0; k < z->terms[i].nfactors; k++) {
            SizeAtom *a = z->terms[i].factors[k];
            if (map_has(&s->atoms, a) || (a->kind == ATOM_NODE && map_has(s->params, a->node)))
                continue;
            n += a->a ? 2 : 1;
            *linear = z->terms[i].nfactors == 1 && z->terms[i].coef == 1;
            *last = a;
        }
    return n;
}

static void name_sizes(SizeNames *s, int n, Type *const *types)
{
    Store *st = s->c->st;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < n; i++)
            for (int a = 0; a < types[i]->rank; a++) {
                Size *z = types[i]->dims[a];
                SizeAtom *atom = NULL;
                bool linear = false;
                int unknown = unknown_atoms(s, z, &atom, &linear);
                if (!unknown || map_has(&s->whole, z))
                    continue;
                if (pass == 0 ? size_as_atom(z) == atom && !atom->a
                              : pass == 1 && unknown == 1 && linear)
                    map_put(&s->atoms, atom, size_param(st, s->next++));
                else if (pass == 2)
                    map_put(&s->whole, z, size_param(st, s->next++));
            }
}

static Type *rename_type(SizeNames *s, Type *t)
{
    Size *dims[MAX_RANK];
    for (int a = 0; a < t->rank; a++) {
        Size *whole = map_get(&s->whole, t->dims[a]);
        dims[a] = whole ? whole : size_map(s->c->st, t->dims[a], rename_atom, s);
    }
    return type_tensor(s->c->st, t->dtype, t->rank, dims);
}

/* ---- 5. building the closed graph ---- */

/* A size used as a value is read off a parameter's shape where one has it. */
static Node *size_from_param(Close *c, Node *size, int n, Node *const *outer, Node *const *params)
{
    for (int i = 0; i < n; i++)
        for (int a = 0; a < outer[i]->type->rank; a++)
            if (outer[i]->type->dims[a] == size->attrs[0].size) {
                Attr at = {.i = a};
                return node1(c->st, OP_DIM, &at, params[i]);
            }
    return NULL;
}

static bool only_scalars_and_tensors(Close *c)
{
    for (size_t i = 0; i < c->captures.len; i++)
        if (c->captures.at[i]->type->kind == TYPE_TUPLE) {
            store_error(c->st, "type-mismatch", NULL, "a body cannot capture a tuple as one value");
            return false;
        }
    return true;
}

/* What the parameters stand for, in order: fixed, sequences, captures, and sizes used as values
 * that no parameter's shape tells, which become captures too. */
static void collect_outer(Close *c, NodeVec *outer)
{
    for (int i = 0; i < c->rq->nfixed; i++)
        vec_push(outer, c->rq->fixed[i]);
    for (size_t i = 0; i < c->seqs.len; i++)
        vec_push(outer, c->seqs.at[i]);
    for (size_t i = 0; i < c->captures.len; i++)
        vec_push(outer, c->captures.at[i]);
    size_t shaped = outer->len;
    for (size_t i = 0; i < c->sizes.len; i++) {
        bool found = false;
        for (size_t k = 0; k < shaped && !found; k++)
            for (int a = 0; a < outer->at[k]->type->rank; a++)
                found = found || outer->at[k]->type->dims[a] == c->sizes.at[i]->attrs[0].size;
        if (!found) {
            vec_push(outer, c->sizes.at[i]);
            vec_push(&c->captures, c->sizes.at[i]);
        }
    }
}

/* Types of the parameters over the graph's own sizes; memo: outer node -> parameter. */
static void make_params(Close *c, const NodeVec *outer, Type **types, Node **params, NodeMap *memo)
{
    Store *st = c->st;
    int n = (int)outer->len;
    SizeNames names = {.c = c, .params = memo};
    for (int i = 0; i < n; i++)
        if (type_is_scalar(outer->at[i]->type)) /* first, because sizes may be their values */
            map_put(memo, outer->at[i], node_param(st, i, outer->at[i]->type));
    for (int i = 0; i < n; i++)
        types[i] = outer->at[i]->type;
    name_sizes(&names, n, types);
    for (int i = 0; i < n; i++) {
        types[i] = rename_type(&names, types[i]);
        params[i] = node_param(st, i, types[i]);
        map_put(memo, outer->at[i], params[i]);
    }
    map_free(&names.atoms);
    map_free(&names.whole);
}

static bool sizes_from_params(Close *c, const NodeVec *outer, Node *const *params, NodeMap *memo)
{
    for (size_t i = 0; i < c->sizes.len; i++) {
        if (map_has(memo, c->sizes.at[i]))
            continue;
        Node *dim = size_from_param(c, c->sizes.at[i], (int)outer->len, outer->at, params);
        if (!dim)
            return false;
        map_put(memo, c->sizes.at[i], dim);
    }
    return true;
}

static bool build(Close *c, Closed *out)
{
    Store *st = c->st;
    const CloseRequest *rq = c->rq;
    NodeVec outer = {0};
    NodeMap memo = {0};
    collect_outer(c, &outer);
    Type **types = xmalloc((outer.len + 1) * sizeof *types);
    Node **params = xmalloc((outer.len + 1) * sizeof *params);
    Node **outs = xmalloc(((size_t)rq->nouts + 1) * sizeof *outs);
    make_params(c, &outer, types, params, &memo);
    bool ok = sizes_from_params(c, &outer, params, &memo);
    NameScope *around = st->scope;
    st->scope = NULL; /* parameters of the new graph are not those around it */
    for (int i = 0; i < rq->nouts && ok; i++)
        ok = (outs[i] = node_substitute(st, rq->outs[i], &memo)) != NULL;
    st->scope = around;
    if (ok) {
        out->graph = graph_make(st, (int)outer.len, types, rq->nouts, outs);
        graph_names_close(st, out->graph, outer.at, &memo);
        out->params = arena_alloc(&st->scratch, (outer.len + 1) * sizeof *out->params);
        for (size_t i = 0; i < outer.len; i++)
            out->params[i] = outer.at[i];
    }
    free(outs);
    free(types);
    free(params);
    map_free(&memo);
    vec_free(&outer);
    return ok;
}

static void export_leaves(Close *c, Closed *out)
{
    out->nseqs = (int)c->seqs.len;
    out->seqs = arena_alloc(&c->st->scratch, (c->seqs.len + 1) * sizeof *out->seqs);
    for (size_t i = 0; i < c->seqs.len; i++)
        out->seqs[i] = map_get(&c->own, c->seqs.at[i]) - 1 - c->rq->nfixed;
    out->ncaptures = (int)c->captures.len;
    out->captures = arena_alloc(&c->st->scratch, (c->captures.len + 1) * sizeof *out->captures);
    for (size_t i = 0; i < c->captures.len; i++)
        out->captures[i] = c->captures.at[i];
}

bool graph_close(Store *st, const CloseRequest *rq, Closed *out)
{
    Close c = {.st = st, .rq = rq};
    for (int i = 0; i < rq->nfixed; i++)
        map_put(&c.own, rq->fixed[i], i + 1);
    for (int i = 0; i < rq->nseqs; i++)
        map_put(&c.own, rq->seqs[i], rq->nfixed + i + 1);
    for (int i = 0; i < rq->nouts; i++)
        nodes_visit(rq->outs[i], &c.inside, &(Visit){reach_operand, reached, &c});
    for (size_t i = 0; i < c.leaves.len; i++)
        set_add(&c.placed, c.leaves.at[i]);
    refine(&c);
    order_leaves(&c);
    bool ok = only_scalars_and_tensors(&c) && build(&c, out);
    if (ok)
        export_leaves(&c, out);
    map_free(&c.inside);
    map_free(&c.own);
    map_free(&c.down);
    map_free(&c.up);
    map_free(&c.placed);
    vec_free(&c.order);
    vec_free(&c.leaves);
    vec_free(&c.seqs);
    vec_free(&c.captures);
    vec_free(&c.sizes);
    return ok;
}
