/* Which rules can match at a node: an index by root operator, the operator of one operand that the
 * pattern asks for, and the operator of one operand of that. So the cost of a node does not grow
 * with rules that ask for something else there.
 *
 * Invariant: every rule stands under exactly one key per root, and a node is looked up under all
 * keys that it and its operands give; candidates come out in the order of the rule set. */
#include "rewrite/pattern.h"

enum {
    ANY = OP_COUNT,
    PROBE_OPERANDS = 64, /* that are asked for at most: no fewer than rules match (RULE_OPERANDS) */
    FIRST_SLOTS = 64     /* of the table: a power of two */
};

static u32 key_of(u32 root, u32 child, u32 grandchild)
{
    return (root * (OP_COUNT + 1) + child) * (OP_COUNT + 1) + grandchild + 1; /* 0 is none */
}

/* The operator that this part of a pattern asks for; ANY if it asks for none. */
static u32 asked(const Pattern *p)
{
    if (p->kind == PAT_OP || p->kind == PAT_IF || p->kind == PAT_INNER || p->kind == PAT_SCAN)
        return p->op;
    return p->kind == PAT_NUMBER || (p->kind == PAT_VAR && p->var == KIND_CONST) ? OP_CONST : ANY;
}

static u32 key_of_pattern(const Pattern *p)
{
    u32 child = ANY, grandchild = ANY;
    if (p->kind == PAT_IF)
        return key_of(p->op, OP_IFELSE, asked(p->args[0]));
    if (p->kind == PAT_SCAN)
        return key_of(p->op, p->scan->final ? (u32)OP_SCAN : (u32)ANY, ANY);
    if (p->kind == PAT_INNER)
        return key_of(p->op, p->inner, ANY);
    for (int i = 0; i < p->n; i++) {
        u32 c = asked(p->args[i]), g = ANY;
        for (int k = 0; p->args[i]->kind == PAT_OP && k < p->args[i]->n && g == ANY; k++)
            g = asked(p->args[i]->args[k]);
        if (p->args[i]->kind == PAT_IF)
            g = OP_IFELSE;
        if (p->args[i]->kind == PAT_INNER)
            g = p->args[i]->inner;
        if (p->args[i]->kind == PAT_SCAN)
            g = OP_SCAN;
        bool better =
            child == ANY || (child == OP_CONST && c != OP_CONST) || (grandchild == ANY && g != ANY);
        if (c != ANY && better)
            child = c, grandchild = g;
    }
    return key_of(p->op, child, grandchild);
}

typedef struct {
    u32 key, order;
} Entry;

static int by_key(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->order > y->order) - (x->order < y->order);
}

static void add_slot(RuleIndex *ix, u32 key, u32 first, u32 count)
{
    u32 at = (u32)hash_mix(key, 1) & (ix->nslots - 1);
    while (ix->slots[at].key)
        at = (at + 1) & (ix->nslots - 1);
    ix->slots[at] = (RuleSlot){key, first, count};
}

static bool concerns(OpId op)
{
    return op_table[op].cls != CLASS_CONTROL && op_table[op].cls != CLASS_IMPLICIT &&
           op_table[op].max_ops;
}

static bool asks_by_name(const Rule *r) { return r->pattern || r->root < OP_COUNT; }

/* Of each operator: the groups of the rules that ask for it by name. */
static void find_asking(RuleSet *rs)
{
    RuleIndex *ix = &rs->index;
    memset(ix->asking, 0, sizeof ix->asking);
    for (size_t i = 0; i < rs->all.len; i++) {
        const Rule *r = rs->all.at[i];
        if (asks_by_name(r))
            ix->asking[r->pattern ? r->pattern->op : r->root] |= r->group;
    }
}

void rule_index_build(RuleSet *rs)
{
    RuleIndex *ix = &rs->index;
    VEC(Entry) all = {0};
    rule_index_free(ix);
    find_asking(rs);
    for (u32 i = 0; i < rs->all.len; i++) {
        const Rule *r = rs->all.at[i];
        if (r->pattern)
            vec_push(&all, ((Entry){key_of_pattern(r->pattern), i}));
        else if (r->root < OP_COUNT)
            vec_push(&all, ((Entry){key_of(r->root, ANY, ANY), i}));
        for (int op = 0; !asks_by_name(r) && op < OP_COUNT; op++)
            if (concerns((OpId)op) && (r->root == ROOT_ANY || ix->asking[op] & r->group))
                vec_push(&all, ((Entry){key_of((u32)op, ANY, ANY), i}));
    }
    if (all.len)
        qsort(all.at, all.len, sizeof *all.at, by_key);
    ix->nslots = FIRST_SLOTS;
    while (ix->nslots < 2 * all.len + 2)
        ix->nslots *= 2;
    ix->slots = xcalloc(ix->nslots, sizeof *ix->slots);
    ix->order = xmalloc((all.len + 1) * sizeof *ix->order);
    for (u32 i = 0, end; i < all.len; i = end) {
        for (end = i; end < all.len && all.at[end].key == all.at[i].key; end++)
            ix->order[end] = all.at[end].order;
        add_slot(ix, all.at[i].key, i, end - i);
        u32 child = (all.at[i].key - 1) / (OP_COUNT + 1);
        u32 root = child / (OP_COUNT + 1);
        child %= OP_COUNT + 1;
        for (u32 k = i; k < end; k++)
            ix->groups[root] |= rs->all.at[all.at[k].order]->group;
        ix->children[root][child / 64] |= 1ull << child % 64;
        if ((all.at[i].key - 1) % (OP_COUNT + 1) != ANY)
            ix->deep[root][child / 64] |= 1ull << child % 64;
    }
    vec_free(&all);
}

void rule_index_free(RuleIndex *ix)
{
    free(ix->slots);
    free(ix->order);
    memset(ix, 0, sizeof *ix);
}

static void collect(const RuleSet *rs, u32 key, u32 groups, RuleList *out)
{
    const RuleIndex *ix = &rs->index;
    u32 at = (u32)hash_mix(key, 1) & (ix->nslots - 1);
    while (ix->slots[at].key && ix->slots[at].key != key)
        at = (at + 1) & (ix->nslots - 1);
    const RuleSlot *s = &ix->slots[at];
    for (u32 i = 0; i < (s->key ? s->count : 0); i++) {
        u32 order = ix->order[s->first + i], k = (u32)out->len;
        if (!(rs->all.at[order]->group & groups))
            continue;
        while (k > 0 && out->at[k - 1] > order)
            k--;
        if (k > 0 && out->at[k - 1] == order)
            continue;
        vec_push(out, order);
        memmove(out->at + k + 1, out->at + k, (out->len - 1 - k) * sizeof *out->at);
        out->at[k] = order;
    }
}

static bool asks(const u64 *set, u32 op) { return set[op / 64] >> op % 64 & 1; }

void rule_candidates(const RuleSet *rs, const Node *n, u32 groups, RuleList *out)
{
    const u64 *children = rs->index.children[n->op], *deep = rs->index.deep[n->op];
    out->len = 0;
    if (!(rs->index.groups[n->op] & groups))
        return;
    if (asks(children, ANY))
        collect(rs, key_of(n->op, ANY, ANY), groups, out);
    u32 seen[PROBE_OPERANDS], nseen = 0;
    for (u32 i = 0; i < n->nops; i++) {
        const Node *c = n->ops[i];
        if (!asks(children, c->op))
            continue;
        u32 keys[1 + PROBE_OPERANDS], nkeys = 0;
        keys[nkeys++] = key_of(n->op, c->op, ANY);
        for (u32 k = 0; asks(deep, c->op) && k < c->nops && nkeys < COUNT_OF(keys); k++)
            keys[nkeys++] = key_of(n->op, c->op, c->ops[k]->op);
        for (u32 k = 0; k < nkeys; k++) {
            bool known = false;
            for (u32 j = 0; j < nseen && !known; j++)
                known = seen[j] == keys[k];
            if (!known)
                collect(rs, keys[k], groups, out);
            if (!known && nseen < PROBE_OPERANDS)
                seen[nseen++] = keys[k];
        }
    }
}

u32 rule_groups_at(const RuleSet *rs, OpId op) { return rs->index.groups[op]; }

u32 rule_groups_asking(const RuleSet *rs, OpId op) { return rs->index.asking[op]; }

/* ---- groups: the passes, as bits ---- */

static u32 group_bit(const RuleSet *rs, const char *name, size_t n)
{
    for (size_t i = 0; i < rs->groups.len; i++)
        if (strlen(rs->groups.at[i]) == n && !strncmp(rs->groups.at[i], name, n))
            return 1u << i;
    return 0;
}

u32 rule_groups(const RuleSet *rs, const char *names)
{
    u32 bits = 0;
    for (const char *p = names; *p;) {
        size_t n = strcspn(p, " ");
        bits |= group_bit(rs, p, n);
        p += n + (p[n] == ' ');
    }
    return bits;
}
