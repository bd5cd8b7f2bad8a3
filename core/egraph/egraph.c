/* Terms, classes, congruence: see egraph.h. After Willsey et al., egg, POPL 2021: users of what was
 * united are looked at once per rebuild, not once per union. */
#include "egraph/egraph.h"

#include <math.h>

enum {
    FIRST_TABLE = 1024, /* slots at first: a power of two */
    MOST_PAIRED = 255,  /* operands: the place of each is noted in a byte */
    MOST_COMPARED = 40  /* terms of one hash before each: all pairs of them could be too many */
};

bool eg_any_order(OpId op, u32 nops)
{
    return nops > 1 && (op_table[op].flags & (COMMUTES | ANY_ORDER)) != 0;
}

void eg_init(EGraph *g, Store *st)
{
    *g = (EGraph){.st = st, .table_size = FIRST_TABLE, .time = 1};
    g->table = xmalloc(g->table_size * sizeof *g->table);
    memset(g->table, 0xff, g->table_size * sizeof *g->table);
    known_open(g);
}

static void class_free(EClass *c)
{
    vec_free(&c->terms);
    vec_free(&c->parents);
    free(c);
}

void eg_free(EGraph *g)
{
    for (size_t i = 0; i < g->classes.len; i++)
        if (g->classes.at[i])
            class_free(g->classes.at[i]);
    for (int op = 0; op < OP_COUNT; op++)
        vec_free(&g->by_op[op]);
    vec_free(&g->classes);
    vec_free(&g->terms);
    vec_free(&g->why);
    vec_free(&g->dirty);
    vec_free(&g->touched);
    vec_free(&g->costs.at);
    map_free(&g->of);
    facts_free(&g->facts);
    free(g->table);
    arena_free(&g->arena);
}

/* ---- forms and their table ---- */

static void sort_ids(u32 n, TermId *at)
{
    for (u32 i = 1; i < n; i++)
        for (u32 k = i; k > 0 && at[k - 1] > at[k]; k--) {
            TermId t = at[k];
            at[k] = at[k - 1];
            at[k - 1] = t;
        }
}

/* Brings the form of t up to date; true if it became another one. */
static bool form_update(EGraph *g, TermId id)
{
    Term *t = eg_term(g, id);
    const Node *n = t->node;
    TermId small[16], *now = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *now);
    for (u32 i = 0; i < n->nops; i++)
        now[i] = eg_find(g, t->kids[i]);
    if (eg_any_order(n->op, n->nops))
        sort_ids(n->nops, now);
    bool changed = n->nops && memcmp(now, t->classes, n->nops * sizeof *now) != 0;
    if (n->nops)
        memcpy(t->classes, now, n->nops * sizeof *now);
    if (now != small)
        free(now);
    u64 h = hash_mix((u64)n->op, n->nops ? 1 : n->shash);
    for (u32 i = 0; i < n->nattrs; i++)
        h = hash_mix(h, n->attrs[i].bits);
    for (u32 i = 0; i < n->nops; i++)
        h = hash_mix(h, t->classes[i]);
    t->key = h;
    return changed;
}

static bool form_equal(const Term *a, const Term *b)
{
    const Node *x = a->node, *y = b->node;
    return a->key == b->key && x->op == y->op && x->nops == y->nops && x->nattrs == y->nattrs &&
           x->nops && (!x->nattrs || !memcmp(x->attrs, y->attrs, x->nattrs * sizeof *x->attrs)) &&
           !memcmp(a->classes, b->classes, x->nops * sizeof *a->classes);
}

static void table_put(EGraph *g, TermId id)
{
    u32 slot = (u32)eg_term(g, id)->key & (g->table_size - 1);
    eg_term(g, id)->next = g->table[slot];
    g->table[slot] = id;
}

/* It stands there under this key. */
static void table_take(EGraph *g, TermId id, u64 key)
{
    TermId *at = &g->table[(u32)key & (g->table_size - 1)];
    while (*at != id)
        at = &eg_term(g, *at)->next;
    *at = eg_term(g, id)->next;
}

static TermId table_find(EGraph *g, TermId id)
{
    TermId at = g->table[(u32)eg_term(g, id)->key & (g->table_size - 1)];
    while (at != NO_TERM && !form_equal(eg_term(g, at), eg_term(g, id)))
        at = eg_term(g, at)->next;
    return at;
}

static void table_grow(EGraph *g)
{
    if (g->live < g->table_size)
        return;
    g->table_size *= 4;
    g->table = xrealloc(g->table, g->table_size * sizeof *g->table);
    memset(g->table, 0xff, g->table_size * sizeof *g->table);
    for (TermId i = 0; i < g->terms.len; i++)
        if (!eg_term(g, i)->dup)
            table_put(g, i);
}

/* ---- what changed ---- */

static void term_changed(EGraph *g, TermId t)
{
    if (eg_term(g, t)->changed == g->time)
        return;
    eg_term(g, t)->changed = g->time;
    vec_push(&g->touched, t);
}

/* Guards that ask about it may hold now, and its users know more than they did. */
static void class_learned(EGraph *g, EClass *c)
{
    c->settled = 0;
    for (size_t i = 0; i < c->parents.len; i++)
        term_changed(g, c->parents.at[i]);
}

/* ---- terms ---- */

/* Which operand of b each of a goes with, as things are now; NULL: the same. Operands that are one
 * node go together where they can. */
static const u8 *pairing(EGraph *g, TermId a, TermId b)
{
    const Term *x = eg_term(g, a), *y = eg_term(g, b);
    u32 n = x->node->nops;
    if (!eg_any_order(x->node->op, n) || n > MOST_PAIRED)
        return NULL;
    u8 *with = arena_alloc(&g->arena, n);
    bool used[MOST_PAIRED + 1] = {false}, paired[MOST_PAIRED + 1] = {false}, same = true;
    for (u32 i = 0; i < n; i++) /* in place */
        if ((paired[i] = eg_find(g, x->kids[i]) == eg_find(g, y->kids[i])))
            with[i] = (u8)i, used[i] = true;
    for (int strict = 1; strict >= 0; strict--)
        for (u32 i = 0; i < n; i++)
            for (u32 k = 0; k < n && !paired[i]; k++) {
                bool fits = strict ? x->kids[i] == y->kids[k]
                                   : eg_find(g, x->kids[i]) == eg_find(g, y->kids[k]);
                if (used[k] || !fits)
                    continue;
                with[i] = (u8)k;
                used[k] = paired[i] = true;
                same = same && i == k;
            }
    return same ? NULL : with;
}

static void unite_equal_forms(EGraph *g, TermId a, TermId b)
{
    Equality e = {.a = a, .b = b, .with = pairing(g, a, b)};
    eg_union(g, &e);
}

/* A node whose operands are terms. */
static TermId add_one(EGraph *g, Node *n)
{
    TermId id = (TermId)g->terms.len;
    Term t = {.node = n, .op = (u16)n->op, .parent = id, .up = NO_TERM, .next = NO_TERM};
    t.kids = arena_alloc(&g->arena, 2 * n->nops * sizeof *t.kids + 1);
    t.classes = t.kids + n->nops;
    for (u32 i = 0; i < n->nops; i++)
        t.kids[i] = map_get(&g->of, n->ops[i]) - 1;
    vec_push(&g->terms, t);
    map_put(&g->of, n, id + 1);
    EClass *c = xcalloc(1, sizeof *c);
    c->constant = n->op == OP_CONST ? n : NULL;
    c->ops[n->op / 64] |= 1ull << n->op % 64;
    vec_push(&g->classes, c);
    g->nclasses++;
    known_make(g, id);
    form_update(g, id);
    TermId same = n->nops ? table_find(g, id) : NO_TERM;
    if (same != NO_TERM) {
        eg_term(g, id)->dup = true;
        unite_equal_forms(g, id, same);
        return id;
    }
    vec_push(&c->terms, id);
    term_changed(g, id);
    vec_push(&g->by_op[n->op], id);
    table_put(g, id);
    g->live++;
    table_grow(g);
    for (u32 i = 0; i < n->nops; i++) {
        EClass *k = eg_class(g, eg_term(g, id)->kids[i]);
        k->settled += k->settled == k->parents.len;
        vec_push(&k->parents, id);
    }
    return id;
}

TermId eg_add(EGraph *g, Node *n)
{
    TermId known = map_get(&g->of, n);
    if (known)
        return known - 1;
    NodeVec stack = {0};
    vec_push(&stack, n);
    while (stack.len) {
        Node *top = stack.at[stack.len - 1];
        size_t before = stack.len;
        if (!map_has(&g->of, top))
            for (u32 i = 0; i < top->nops; i++)
                if (!map_has(&g->of, top->ops[i]))
                    vec_push(&stack, top->ops[i]);
        if (stack.len > before)
            continue;
        stack.len--;
        if (!map_has(&g->of, top))
            add_one(g, top);
    }
    vec_free(&stack);
    return map_get(&g->of, n) - 1;
}

/* ---- unions ---- */

/* Turns the edges from t to the root of its tree around: then t is the root. */
static void forest_reroot(EGraph *g, TermId t)
{
    TermId above = NO_TERM;
    u32 edge = 0;
    while (t != NO_TERM) {
        Term *x = eg_term(g, t);
        TermId next = x->up;
        u32 next_edge = x->up_edge;
        x->up = above;
        x->up_edge = edge;
        above = t;
        edge = next_edge;
        t = next;
    }
}

typedef enum { CONSTANTS_SAME, CONSTANTS_CLOSE, CONSTANTS_DIFFER } Sameness;

/* Floats that differ by rounding are close. */
static Sameness compare_constants(const Node *a, const Node *b)
{
    if (!a || !b || a == b || tensor_same_bits(a->attrs[0].value, b->attrs[0].value))
        return CONSTANTS_SAME;
    const Tensor *x = a->attrs[0].value, *y = b->attrs[0].value;
    if (x->dtype != y->dtype || x->count != y->count || !dtype_is_float(x->dtype))
        return CONSTANTS_DIFFER;
    double bound = x->dtype == DT_F32 ? 1e-4 : 1e-9;
    for (i64 i = 0; i < x->count; i++) {
        double p = tensor_f64_at(x, i), q = tensor_f64_at(y, i);
        double size = fmax(1, fmax(fabs(p), fabs(q)));
        if (isfinite(p) && isfinite(q) && !(fabs(p - q) <= bound * size))
            return CONSTANTS_DIFFER;
    }
    return CONSTANTS_CLOSE;
}

bool eg_union(EGraph *g, const Equality *why)
{
    TermId a = eg_find(g, why->a), b = eg_find(g, why->b);
    if (why->a == why->b || eg_node(g, a)->type != eg_node(g, b)->type)
        return false;
    Sameness same = compare_constants(g->classes.at[a]->constant, g->classes.at[b]->constant);
    if (same == CONSTANTS_CLOSE)
        return false; /* equal on paper; as numbers they are two */
    vec_push(&g->why, *why);
    if (a == b)
        return false;
    if (same == CONSTANTS_DIFFER && !g->contradiction) {
        g->contradiction = true;
        g->clash[0] = map_get(&g->of, g->classes.at[a]->constant) - 1;
        g->clash[1] = map_get(&g->of, g->classes.at[b]->constant) - 1;
    }
    TermId from = why->a, to = why->b;
    EClass *x = g->classes.at[a], *y = g->classes.at[b];
    if (x->parents.len + x->terms.len > y->parents.len + y->terms.len ||
        (x->parents.len + x->terms.len == y->parents.len + y->terms.len && a < b)) {
        TermId t = a;
        a = b;
        b = t;
        from = why->b;
        to = why->a;
        x = g->classes.at[a];
        y = g->classes.at[b];
    }
    /* a goes into b; its tree of reasons hangs on the term that the reason is about */
    forest_reroot(g, from);
    eg_term(g, from)->up = to;
    eg_term(g, from)->up_edge = (u32)g->why.len - 1;
    eg_term(g, a)->parent = b;
    for (size_t i = 0; x->constant && !y->constant && i < y->parents.len; i++)
        term_changed(g, y->parents.at[i]);
    y->constant = y->constant ? y->constant : x->constant;
    for (size_t i = 0; i < x->terms.len; i++) {
        vec_push(&y->terms, x->terms.at[i]);
        term_changed(g, x->terms.at[i]);
    }
    for (size_t i = 0; i < x->parents.len; i++)
        vec_push(&y->parents, x->parents.at[i]);
    for (size_t i = 0; i < COUNT_OF(y->ops); i++)
        y->ops[i] |= x->ops[i];
    if (known_join(g, y, x, eg_node(g, b)->type, why->rule ? why->rule->classes | why->extra : 0))
        class_learned(g, y);
    g->classes.at[a] = NULL;
    class_free(x);
    g->nclasses--;
    vec_push(&g->dirty, b);
    return true;
}

/* ---- congruence ---- */

static u32 look_at_user(EGraph *g, TermId p)
{
    Term *t = eg_term(g, p);
    u64 key = t->key;
    if (t->dup)
        return 0;
    if (known_update(g, p)) {
        class_learned(g, eg_class(g, p));
        vec_push(&g->dirty, eg_find(g, p));
    }
    if (!form_update(g, p))
        return 0;
    table_take(g, p, key);
    term_changed(g, p);
    TermId same = table_find(g, p);
    if (same == NO_TERM) {
        table_put(g, p);
        return 0;
    }
    OpId op = eg_node(g, p)->op;
    eg_term(g, p)->dup = true;
    g->dups[op / 64] |= 1ull << op % 64;
    g->live--;
    Equality e = {.a = p, .b = same, .with = pairing(g, p, same)};
    return eg_union(g, &e);
}

static void drop_dups(EGraph *g, TermList *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->len; i++)
        if (!eg_term(g, l->at[i])->dup)
            l->at[n++] = l->at[i];
    l->len = n;
}

static int by_id(const void *a, const void *b)
{
    TermId x = *(const TermId *)a, y = *(const TermId *)b;
    return x < y ? -1 : x > y;
}

static void sort_unique(TermList *l)
{
    if (l->len)
        qsort(l->at, l->len, sizeof *l->at, by_id);
    size_t n = 0;
    for (size_t i = 0; i < l->len; i++)
        if (!n || l->at[n - 1] != l->at[i])
            l->at[n++] = l->at[i];
    l->len = n;
}

static int by_key(const void *a, const void *b)
{
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return x < y ? -1 : x > y;
}

static u64 place_in_class(EGraph *g, TermId t) { return (u64)eg_term(g, t)->op << 32 | t; }

/* Those behind the sorted ones are brought in order, and merged with them. */
static void sort_by_operator(EGraph *g, EClass *c)
{
    size_t n = c->terms.len, rest = n - c->sorted, i = c->sorted;
    TermId *at = c->terms.at;
    u64 *keys = xmalloc((rest + 1) * sizeof *keys);
    for (size_t k = 0; k < rest; k++)
        keys[k] = place_in_class(g, at[c->sorted + k]);
    if (rest > 1)
        qsort(keys, rest, sizeof *keys, by_key);
    while (rest) {
        bool old = i && place_in_class(g, at[i - 1]) > keys[rest - 1];
        at[--n] = old ? at[--i] : (TermId)keys[--rest];
    }
    free(keys);
    c->sorted = c->terms.len;
}

/* Without those that are dup; how many of the sorted ones are left. */
static void tidy_class(EGraph *g, EClass *c)
{
    size_t sorted = 0;
    for (size_t i = 0; i < c->sorted; i++)
        sorted += !eg_term(g, c->terms.at[i])->dup;
    c->sorted = sorted;
    drop_dups(g, &c->parents);
    drop_dups(g, &c->terms);
    sort_unique(&c->parents);
    c->settled = c->parents.len;
    sort_by_operator(g, c);
}

size_t class_first(EGraph *g, const EClass *c, OpId op)
{
    size_t low = 0, high = c->sorted;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (eg_term(g, c->terms.at[mid])->op < op)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

TermId class_term(EGraph *g, const EClass *c, OpId op)
{
    size_t i = class_has(c, op) ? class_first(g, c, op) : c->terms.len;
    if (i < c->sorted && eg_term(g, c->terms.at[i])->op != op)
        i = c->sorted;
    for (; i < c->terms.len; i++)
        if (eg_term(g, c->terms.at[i])->op == op)
            return c->terms.at[i];
    return NO_TERM;
}

TermId eg_living(EGraph *g, TermId t)
{
    if (!eg_term(g, t)->dup)
        return t;
    form_update(g, t);
    TermId same = table_find(g, t);
    return same == NO_TERM ? t : same;
}

u32 eg_rebuild(EGraph *g)
{
    u32 unions = 0;
    TermList touched = {0};
    while (g->dirty.len) {
        TermList round = g->dirty;
        g->dirty = (TermList){0};
        for (size_t i = 0; i < round.len; i++)
            round.at[i] = eg_find(g, round.at[i]);
        sort_unique(&round);
        for (size_t i = 0; i < round.len; i++) {
            TermId c = eg_find(g, round.at[i]);
            EClass *class = g->classes.at[c];
            TermList users = {0}; /* unions may add to it meanwhile */
            for (; class->settled < class->parents.len; class->settled++)
                vec_push(&users, class->parents.at[class->settled]);
            for (size_t k = 0; k < users.len; k++)
                unions += look_at_user(g, users.at[k]);
            vec_free(&users);
            vec_push(&touched, c);
        }
        vec_free(&round);
    }
    for (size_t i = 0; i < touched.len; i++) {
        EClass *c = eg_class(g, touched.at[i]);
        tidy_class(g, c);
    }
    for (int op = 0; op < OP_COUNT; op++)
        if (g->dups[op / 64] >> op % 64 & 1)
            drop_dups(g, &g->by_op[op]);
    memset(g->dups, 0, sizeof g->dups);
    vec_free(&touched);
    return unions;
}

void eg_link_congruent(EGraph *g)
{
    size_t n = g->terms.len, from = 0;
    u64 *keys = xmalloc((n + 1) * sizeof *keys);
    for (TermId i = 0; i < n; i++) {
        form_update(g, i);
        keys[i] = eg_term(g, i)->key << 32 | i;
    }
    if (n > 1)
        qsort(keys, n, sizeof *keys, by_key);
    for (size_t i = 0; i < n; i++) {
        from = keys[i] >> 32 == keys[from] >> 32 ? from : i;
        for (size_t k = i > from + MOST_COMPARED ? i - MOST_COMPARED : from; k < i; k++) {
            TermId a = (TermId)keys[k], b = (TermId)keys[i];
            if (form_equal(eg_term(g, a), eg_term(g, b)))
                vec_push(&g->why, ((Equality){.a = a, .b = b, .with = pairing(g, a, b)}));
        }
    }
    free(keys);
}

/* ---- for tests ---- */

bool eg_verify(EGraph *g, Text *why)
{
    for (TermId i = 0; i < g->terms.len; i++) {
        Term *t = eg_term(g, i);
        if (t->node->type != eg_node(g, eg_find(g, i))->type) {
            text_printf(why, "the type of term %u differs from that of its class", i);
            return false;
        }
        form_update(g, i);
    }
    for (TermId i = 0; i < g->terms.len; i++)
        for (TermId k = 0; k < i; k++)
            if (form_equal(eg_term(g, i), eg_term(g, k)) && eg_find(g, i) != eg_find(g, k)) {
                text_printf(why, "terms %u and %u are congruent but in different classes", k, i);
                return false;
            }
    return true;
}
