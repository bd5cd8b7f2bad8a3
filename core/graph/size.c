/* Sizes: polynomials over atoms in normal form.
 *
 * Invariant: terms are sorted by their factors' hashes and have non-zero
 * coefficients; factors are sorted; equal sizes are one pointer. */
#include "graph/collect.h"
#include "graph/size_parts.h"

static bool atom_eq(const void *pa, const void *pb)
{
    const SizeAtom *a = pa, *b = pb;
    return a->kind == b->kind && a->name == b->name && a->index == b->index && a->node == b->node &&
           a->a == b->a && a->b == b->b;
}

static u64 atom_hash(const SizeAtom *a)
{
    u64 h = hash_mix(0x51, (u64)a->kind);
    if (a->name)
        h = hash_mix(h, hash_bytes(a->name, strlen(a->name), 1));
    h = hash_mix(h, (u64)a->index);
    if (a->node)
        h = hash_mix(h, a->node->shash);
    if (a->a)
        h = hash_mix(hash_mix(h, a->a->hash), a->b->hash);
    return h;
}

static SizeAtom *atom_intern(Store *st, SizeAtom probe)
{
    probe.hash = atom_hash(&probe);
    SizeAtom *found = intern_find(&st->atoms, probe.hash, &probe, atom_eq);
    if (found)
        return found;
    SizeAtom *atom = store_alloc(st, sizeof *atom);
    *atom = probe;
    intern_add(&st->atoms, probe.hash, atom);
    return atom;
}

bool size_terms_equal(const SizeTerm *a, const SizeTerm *b)
{
    return a->nfactors == b->nfactors &&
           (!a->nfactors || !memcmp(a->factors, b->factors, a->nfactors * sizeof *a->factors));
}

static bool size_eq(const void *pa, const void *pb)
{
    const Size *a = pa, *b = pb;
    if (a->constant != b->constant || a->nterms != b->nterms)
        return false;
    for (u32 i = 0; i < a->nterms; i++)
        if (a->terms[i].coef != b->terms[i].coef || !size_terms_equal(&a->terms[i], &b->terms[i]))
            return false;
    return true;
}

static int atom_compare(const void *pa, const void *pb)
{
    const SizeAtom *a = *(SizeAtom *const *)pa, *b = *(SizeAtom *const *)pb;
    return a->hash < b->hash ? -1 : a->hash > b->hash;
}

/* Higher degree first, then by factors; ties cannot happen between different terms of one size. */
static int term_compare(const void *pa, const void *pb)
{
    const SizeTerm *a = pa, *b = pb;
    if (a->nfactors != b->nfactors)
        return a->nfactors > b->nfactors ? -1 : 1;
    for (u32 i = 0; i < a->nfactors; i++)
        if (a->factors[i] != b->factors[i])
            return a->factors[i]->hash < b->factors[i]->hash ? -1 : 1;
    return 0;
}

static u32 terms_weight(const Size *s)
{
    u32 w = 1;
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            const SizeAtom *a = s->terms[i].factors[k];
            w += a->a ? a->a->weight + a->b->weight : 1;
        }
    return w;
}

Size *size_intern(Store *st, i64 constant, SizeTerms *terms)
{
    if (terms->len > 1)
        qsort(terms->at, terms->len, sizeof *terms->at, term_compare);
    u32 n = 0;
    for (size_t i = 0; i < terms->len; i++) {
        if (n && size_terms_equal(&terms->at[n - 1], &terms->at[i]))
            terms->at[n - 1].coef = (i64)((u64)terms->at[n - 1].coef + (u64)terms->at[i].coef);
        else
            terms->at[n++] = terms->at[i];
        if (terms->at[n - 1].coef == 0)
            n--;
    }
    Size probe = {.constant = constant, .nterms = n, .terms = terms->at};
    u64 h = hash_mix(0x52, (u64)constant);
    for (u32 i = 0; i < n; i++) {
        h = hash_mix(h, (u64)terms->at[i].coef);
        for (u32 k = 0; k < terms->at[i].nfactors; k++)
            h = hash_mix(h, terms->at[i].factors[k]->hash);
    }
    probe.hash = h;
    probe.weight = terms_weight(&probe);
    Size *s = intern_find(&st->sizes, h, &probe, size_eq);
    if (!s) {
        s = store_alloc(st, size_bytes(&probe));
        *s = probe;
        s->terms = (SizeTerm *)(s + 1);
        SizeAtom **factors = (SizeAtom **)(s->terms + n);
        for (u32 i = 0; i < n; i++) {
            s->terms[i] = terms->at[i];
            memcpy(factors, terms->at[i].factors, terms->at[i].nfactors * sizeof *factors);
            s->terms[i].factors = factors;
            factors += terms->at[i].nfactors;
        }
        intern_add(&st->sizes, h, s);
    }
    vec_free(terms);
    return s;
}

Size *size_const(Store *st, i64 k)
{
    SizeTerms none = {0};
    return size_intern(st, k, &none);
}

static Size *size_from_atom(Store *st, SizeAtom probe)
{
    SizeTerm term = {.coef = 1, .nfactors = 1};
    term.factors = arena_alloc(&st->scratch, sizeof *term.factors);
    term.factors[0] = atom_intern(st, probe);
    SizeTerms terms = {0};
    vec_push(&terms, term);
    return size_intern(st, 0, &terms);
}

Size *size_name(Store *st, Symbol name)
{
    return size_from_atom(st, (SizeAtom){.kind = ATOM_NAME, .name = name});
}
Size *size_param(Store *st, i64 index)
{
    return size_from_atom(st, (SizeAtom){.kind = ATOM_PARAM, .index = index});
}
Size *size_result(Store *st, i64 index)
{
    return size_from_atom(st, (SizeAtom){.kind = ATOM_RESULT, .index = index});
}

static void terms_add(SizeTerms *out, const Size *s, i64 k)
{
    for (u32 i = 0; i < s->nterms; i++) {
        SizeTerm t = s->terms[i];
        t.coef = (i64)((u64)t.coef * (u64)k);
        vec_push(out, t);
    }
}

Size *size_plain_sum(Store *st, Size *a, Size *b)
{
    SizeTerms terms = {0};
    terms_add(&terms, a, 1);
    terms_add(&terms, b, 1);
    return size_intern(st, (i64)((u64)a->constant + (u64)b->constant), &terms);
}

Size *size_add(Store *st, Size *a, Size *b) { return size_cancelled(st, size_plain_sum(st, a, b)); }

Size *size_scale(Store *st, Size *a, i64 k)
{
    SizeTerms terms = {0};
    if (k)
        terms_add(&terms, a, k);
    return size_intern(st, (i64)((u64)a->constant * (u64)k), &terms);
}

Size *size_sub(Store *st, Size *a, Size *b) { return size_add(st, a, size_scale(st, b, -1)); }

static SizeTerm term_product(Store *st, const SizeTerm *a, const SizeTerm *b)
{
    SizeTerm t = {.coef = (i64)((u64)a->coef * (u64)b->coef),
                  .nfactors = a->nfactors + b->nfactors};
    t.factors = arena_alloc(&st->scratch, t.nfactors * sizeof *t.factors);
    memcpy(t.factors, a->factors, a->nfactors * sizeof *t.factors);
    memcpy(t.factors + a->nfactors, b->factors, b->nfactors * sizeof *t.factors);
    qsort(t.factors, t.nfactors, sizeof *t.factors, atom_compare);
    return t;
}

/* Above this weight a size becomes the value of a node: otherwise nested slices and products of
 * sums would double it each time. */
enum { MAX_WEIGHT = 400 };

static bool is_light(const Size *a, const Size *b, u64 weight)
{
    return weight <= MAX_WEIGHT || size_has_kind(a, ATOM_PARAM) || size_has_kind(b, ATOM_PARAM) ||
           size_has_kind(a, ATOM_RESULT) || size_has_kind(b, ATOM_RESULT);
}

static Size *size_as_node(Store *st, OpId op, Size *a, Size *b)
{
    Node *n = node2(st, op, NULL, size_to_node(st, a), size_to_node(st, b));
    return n ? size_from_atom(st, (SizeAtom){.kind = ATOM_NODE, .node = n}) : size_const(st, 0);
}

Size *size_mul(Store *st, Size *a, Size *b)
{
    if (a->nterms && b->nterms && !is_light(a, b, (u64)a->weight * b->weight))
        return size_as_node(st, OP_MUL, a, b);
    SizeTerms terms = {0};
    terms_add(&terms, a, b->constant);
    terms_add(&terms, b, a->constant);
    for (u32 i = 0; i < a->nterms; i++)
        for (u32 j = 0; j < b->nterms; j++)
            vec_push(&terms, term_product(st, &a->terms[i], &b->terms[j]));
    /* multiplying by a zero constant leaves terms with coefficient 0, which size_intern drops */
    return size_intern(st, (i64)((u64)a->constant * (u64)b->constant), &terms);
}

Size *size_product(Store *st, int n, Size *const *sizes)
{
    Size *product = size_const(st, 1);
    for (int i = 0; i < n; i++)
        product = size_mul(st, product, sizes[i]);
    return product;
}

bool size_is_const(const Size *s, i64 *k)
{
    if (s->nterms)
        return false;
    if (k)
        *k = s->constant;
    return true;
}

bool size_is(const Size *s, i64 k) { return s->nterms == 0 && s->constant == k; }

SizeAtom *size_as_atom(const Size *s)
{
    return s->constant == 0 && s->nterms == 1 && s->terms[0].coef == 1 && s->terms[0].nfactors == 1
               ? s->terms[0].factors[0]
               : NULL;
}

OpId size_pair_op(AtomKind kind)
{
    return kind == ATOM_MAX ? OP_MAXIMUM : kind == ATOM_MIN ? OP_MINIMUM : OP_FLOORDIV;
}

Size *size_binary(Store *st, AtomKind kind, Size *a, Size *b)
{
    bool later =
        !b->nterms != !a->nterms ? !a->nterms : a->hash > b->hash; /* a constant comes second */
    if (kind != ATOM_FLOORDIV && later) {                          /* max and min commute */
        Size *t = a;
        a = b, b = t;
    }
    if (!is_light(a, b, (u64)a->weight + b->weight))
        return size_as_node(st, size_pair_op(kind), a, b);
    return size_from_atom(st, (SizeAtom){.kind = kind, .a = a, .b = b});
}

Size *size_floordiv(Store *st, Size *a, Size *b)
{
    i64 x, y;
    if (size_is(b, 1))
        return a;
    if (size_is_const(a, &x) && size_is_const(b, &y) && y > 0)
        return size_const(st, x / y - (x % y < 0));
    if (size_is_const(b, &y) && y > 0 && a->constant % y == 0) {
        SizeTerms terms = {0};
        bool exact = true;
        for (u32 i = 0; i < a->nterms; i++) {
            SizeTerm t = a->terms[i];
            exact = exact && t.coef % y == 0;
            t.coef /= y;
            vec_push(&terms, t);
        }
        if (exact)
            return size_intern(st, a->constant / y, &terms);
        vec_free(&terms);
    }
    return size_binary(st, ATOM_FLOORDIV, a, b);
}

Size *size_pair(Store *st, AtomKind kind, Size *a, Size *b)
{
    return kind == ATOM_MAX   ? size_max(st, a, b)
           : kind == ATOM_MIN ? size_min(st, a, b)
                              : size_floordiv(st, a, b);
}

bool size_is_opaque(const Size *s)
{
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            const SizeAtom *a = s->terms[i].factors[k];
            if ((a->kind == ATOM_NAME && a->name[0] == '.') ||
                (a->a && (size_is_opaque(a->a) || size_is_opaque(a->b))))
                return true;
        }
    return false;
}

void size_read_off(Node *n)
{
    for (int i = 0; !n->inner && n->type->kind == TYPE_TENSOR && i < n->type->rank; i++) {
        SizeAtom *a = size_as_atom(n->type->dims[i]);
        if (a && a->kind == ATOM_NAME && a->name[0] == '.' && !a->source) {
            a->source = n;
            a->axis = i;
        }
    }
}

bool size_is_global(const Size *s)
{
    return !size_has_kind(s, ATOM_PARAM) && !size_has_kind(s, ATOM_RESULT) && !size_is_opaque(s);
}

bool size_has_kind(const Size *s, AtomKind kind)
{
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            const SizeAtom *a = s->terms[i].factors[k];
            if (a->kind == kind ||
                (a->a && (size_has_kind(a->a, kind) || size_has_kind(a->b, kind))))
                return true;
        }
    return false;
}

static Size *atom_map(Store *st, SizeAtom *a, AtomMap f, void *ctx)
{
    Size *r = f(st, a, ctx);
    if (r)
        return r;
    if (!a->a)
        return size_from_atom(st, *a);
    Size *x = size_map(st, a->a, f, ctx), *y = size_map(st, a->b, f, ctx);
    return size_pair(st, a->kind, x, y);
}

Size *size_map(Store *st, Size *s, AtomMap f, void *ctx)
{
    if (!s->nterms)
        return s;
    Size *sum = size_const(st, s->constant);
    for (u32 i = 0; i < s->nterms; i++) {
        Size *product = size_const(st, s->terms[i].coef);
        for (u32 k = 0; k < s->terms[i].nfactors; k++)
            product = size_mul(st, product, atom_map(st, s->terms[i].factors[k], f, ctx));
        sum = size_add(st, sum, product);
    }
    return sum;
}

/* The first operand that the value is computed from: a check gives its second one. */
static u32 first_part(const Node *n) { return n->op == OP_CHECK; }

static bool is_size_arithmetic(const Node *n)
{
    i64 y;
    if (n->type->dtype != DT_I64 || n->nops < 1 || n->nops > 4)
        return false;
    return n->op == OP_ADD || n->op == OP_MUL || n->op == OP_SUB || n->op == OP_NEG ||
           n->op == OP_CHECK || n->op == OP_MAXIMUM || n->op == OP_MINIMUM ||
           ((n->op == OP_FLOORDIV || n->op == OP_MOD) && node_const_i64(n->ops[1], &y) && y > 0);
}

/* A remainder is a size of its own, unless it is known. */
static Size *size_of_remainder(Store *st, Node *n, const Size *x, const Size *y)
{
    i64 a, b;
    return size_is_const(x, &a) && size_is_const(y, &b)
               ? size_const(st, a % b + (a % b < 0 ? b : 0))
               : size_from_atom(st, (SizeAtom){.kind = ATOM_NODE, .node = n});
}

/* All operands are known. */
static Size *size_of_arithmetic(Store *st, Node *n)
{
    u32 first = first_part(n);
    Size *a = map_get(&st->node_sizes, n->ops[first]);
    if (n->op == OP_NEG)
        return size_scale(st, a, -1);
    for (u32 i = first + 1; i < n->nops; i++) {
        Size *b = map_get(&st->node_sizes, n->ops[i]);
        a = n->op == OP_ADD       ? size_add(st, a, b)
            : n->op == OP_MUL     ? size_mul(st, a, b)
            : n->op == OP_SUB     ? size_sub(st, a, b)
            : n->op == OP_MAXIMUM ? size_max(st, a, b)
            : n->op == OP_MINIMUM ? size_min(st, a, b)
            : n->op == OP_MOD     ? size_of_remainder(st, n, a, b)
                                  : size_floordiv(st, a, b);
    }
    return a;
}

static Size *size_of_leaf(Store *st, Node *n)
{
    i64 k;
    if (node_const_i64(n, &k))
        return size_const(st, k);
    if (n->op == OP_SIZE)
        return n->attrs[0].size;
    if (n->op == OP_DIM)
        return n->ops[0]->type->dims[n->attrs[0].i];
    return size_from_atom(st, (SizeAtom){.kind = ATOM_NODE, .node = n});
}

/* Without recursion, and every node once: a chain of definitions can be as long as a program. */
Size *size_of_node(Store *st, Node *n)
{
    NodeVec stack = {0};
    vec_push(&stack, n);
    while (stack.len) {
        Node *top = stack.at[stack.len - 1], *wait = NULL;
        bool known = map_has(&st->node_sizes, top), arithmetic = is_size_arithmetic(top);
        for (u32 i = first_part(top); arithmetic && !known && !wait && i < top->nops; i++)
            if (!map_has(&st->node_sizes, top->ops[i]))
                wait = top->ops[i];
        if (wait) {
            vec_push(&stack, wait);
            continue;
        }
        if (!known)
            map_put(&st->node_sizes, top,
                    arithmetic ? size_of_arithmetic(st, top) : size_of_leaf(st, top));
        stack.len--;
    }
    vec_free(&stack);
    return map_get(&st->node_sizes, n);
}

static Node *atom_to_node(Store *st, SizeAtom *a)
{
    if (a->kind == ATOM_NODE)
        return a->node;
    if (a->source) {
        Attr axis = {.i = a->axis};
        return node1(st, OP_DIM, &axis, a->source);
    }
    if (!a->a) {
        Attr attr = {.size = size_from_atom(st, *a)};
        return node0(st, OP_SIZE, &attr);
    }
    Node *x = size_to_node(st, a->a), *y = size_to_node(st, a->b);
    return node2(st, size_pair_op(a->kind), NULL, x, y);
}

Node *size_to_node(Store *st, Size *s)
{
    Node *sum = s->nterms ? NULL : node_i64(st, s->constant);
    for (u32 i = 0; i < s->nterms; i++) {
        Node *product = s->terms[i].coef == 1 ? NULL : node_i64(st, s->terms[i].coef);
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            Node *f = atom_to_node(st, s->terms[i].factors[k]);
            product = product ? node2(st, OP_MUL, NULL, product, f) : f;
        }
        sum = sum ? node2(st, OP_ADD, NULL, sum, product) : product;
    }
    if (s->nterms && s->constant > 0)
        sum = node2(st, OP_ADD, NULL, sum, node_i64(st, s->constant));
    if (s->nterms && s->constant < 0 && s->constant != INT64_MIN)
        sum = node2(st, OP_SUB, NULL, sum, node_i64(st, -s->constant));
    return sum;
}

i64 size_param_count(const Size *s)
{
    i64 n = 0;
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            const SizeAtom *a = s->terms[i].factors[k];
            i64 m = a->kind == ATOM_PARAM ? a->index + 1 : 0;
            if (a->a) {
                i64 x = size_param_count(a->a), y = size_param_count(a->b);
                m = x > y ? x : y;
            }
            n = m > n ? m : n;
        }
    return n;
}
