/* Classes as places where patterns match: rewrite/match.c walks the pattern and asks these. An
 * operator of a pattern stands for each e-node of its class with that operator, one after the
 * other; all ways are found.
 *
 * A variable stands for the operand of the e-node that was matched, or for the constant of its
 * class, so an instance of a left side is mostly a term that is there.
 *
 * Only ways with an e-node that changed since the last search are followed to the end: as soon as
 * nothing that is still to be matched can have changed, and nothing did, the way is left. */
#include "egraph/egraph.h"
#include "rewrite/match.h"

enum {
    PARTS = 48,           /* of a pattern, at most: rules with more are tried at new terms only */
    SEARCH_BUDGET = 20000 /* places one search may look at: in any order there are n! ways */
};

/* What a part of the pattern stands for. */
typedef struct {
    u32 place;  /* which operand of the e-node around it */
    Node *node; /* of a variable or number; of an operator the e-node's */
} Part;

typedef struct {
    Matcher m; /* first, so that it leads to the rest */
    EGraph *g;
    const Rule *rule;
    Bindings b;
    TermId classes[RULE_VARS]; /* of bound operands */
    Part parts[PARTS];         /* by Pattern.id */
    u32 since;
    bool fresh; /* an e-node of this way changed since then */
    EFound found;
    void *ctx;
} Search;

static bool pattern_is_plain(const Pattern *p)
{
    if (p->kind == PAT_IF || p->kind == PAT_INNER || p->kind == PAT_SCAN || p->inside || p->row)
        return false;
    for (int i = 0; i < p->n; i++)
        if (!pattern_is_plain(p->args[i]))
            return false;
    return true;
}

bool ematch_can(const Rule *r)
{
    return r->pattern && r->pattern->kind == PAT_OP && pattern_is_plain(r->pattern) &&
           r->pattern->end <= PARTS;
}

/* ---- one match ---- */

/* The instance of the operator of the pattern. The nodes that stand for its patterns go to `args`,
 * as many as there are. */
static Node *instance_of(Search *s, const Pattern *p, Node **args)
{
    Node *n = s->parts[p->id].node, *small[16];
    Node **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    memcpy(ops, n->ops, n->nops * sizeof *ops);
    bool same = true, ok = true;
    for (int i = 0; i < p->n && ok; i++) {
        if (p->args[i]->kind == PAT_REST)
            continue;
        const Part *part = &s->parts[p->args[i]->id];
        Node *x = p->args[i]->kind == PAT_OP ? instance_of(s, p->args[i], NULL) : part->node;
        ok = x != NULL;
        same = same && ops[part->place] == x;
        ops[part->place] = x;
        if (args)
            args[i] = x;
    }
    Node *r = !ok ? NULL : same ? n : node_with_operands(s->g->st, n, ops);
    if (ops != small)
        free(ops);
    return r;
}

/* Where the nodes that stand for patterns are among the operands of the instance. */
static u64 taken_operands(const Search *s, const Node *left, const Pattern *p, Node *const *args)
{
    const Node *n = s->parts[p->id].node;
    u64 taken = 0, all = n->nops >= 64 ? ~0ull : (1ull << n->nops) - 1;
    if (!s->m.taken)
        return 0;
    if (s->m.taken == ~0ull || s->m.taken == all)
        return ~0ull;
    for (int i = 0; i < p->n; i++)
        for (u32 k = 0; k < left->nops && args[i]; k++)
            if (left->ops[k] == args[i] && !(taken >> k & 1)) {
                taken |= 1ull << k;
                break;
            }
    return taken;
}

static bool full_match(void *search)
{
    Search *s = search;
    if (!s->fresh)
        return false;
    Node *args[RULE_OPERANDS] = {NULL};
    const Pattern *p = s->rule->pattern;
    Node *left = instance_of(s, p, args);
    if (!left || left->type != s->parts[p->id].node->type)
        return false;
    EMatch m = {.rule = s->rule, .left = left, .bound = s->b.bound, .vars = s->b.at};
    m.taken = taken_operands(s, left, p, args);
    return !s->found(s->ctx, &m); /* true ends the search */
}

/* ---- what match.c asks ---- */

static Node *value_at(Matcher *m, Spot at)
{
    Node *constant = eg_class(((Search *)m)->g, at.term)->constant;
    return constant ? constant : at.node;
}

static bool is_same(Matcher *m, int slot, Spot at)
{
    Search *s = (Search *)m;
    return s->classes[slot] == eg_find(s->g, at.term);
}

static void took(Matcher *m, const Pattern *p, Spot at, Node *n)
{
    Search *s = (Search *)m;
    s->parts[p->id] = (Part){at.place, n};
    if (p->kind == PAT_VAR)
        s->classes[p->slot] = eg_find(s->g, at.term);
}

/* Can the pattern stand for the operand, by what is seen at once? */
static bool may_stand_for(Matcher *m, const Pattern *p, Spot at)
{
    const Search *s = (const Search *)m;
    TermId c = eg_find(s->g, at.term);
    const EClass *class = s->g->classes.at[c];
    return p->kind == PAT_OP       ? class_has(class, p->op)
           : p->kind == PAT_NUMBER ? class->constant != NULL
           : p->kind == PAT_VAR    ? !(s->b.bound >> p->slot & 1) || s->classes[p->slot] == c
                                   : true;
}

/* Can e-nodes of the class, for a part so high, have changed? */
static bool class_fresh(const Search *s, const EClass *c, u32 high)
{
    return high > LEVELS || c->changed[high - 1] >= s->since;
}

/* Can what the operands from the k-th on stand for have changed? */
static bool operands_fresh(const Search *s, const Goal *g)
{
    const Pattern *p = g->p;
    const Node *n = g->at.node;
    bool any = p->any_order;
    for (int k = g->k; k < p->n; k++) {
        if (p->args[k]->kind != PAT_OP)
            continue;
        if (!any && p->rest >= 0)
            return true;
        u32 high = p->args[k]->height, from = any ? 0 : (u32)k, to = any ? n->nops : from + 1;
        for (u32 i = from; i < to; i++) {
            const EClass *c = any && g->taken >> i & 1 ? NULL : eg_class(s->g, g->kids[i]);
            if (c && class_has(c, p->args[k]->op) && class_fresh(s, c, high))
                return true;
        }
    }
    return false;
}

/* Can anything that is to be matched after this goal have changed? */
static bool rest_fresh(const Search *s, const Goal *g)
{
    for (const Goal *next = g->next; next; next = next->next)
        if (operands_fresh(s, next))
            return true;
    return false;
}

/* An operator of the pattern at one e-node. */
static bool solve_at(Search *s, const Goal *g, TermId t)
{
    const Term *x = eg_term(s->g, t);
    bool fresh = s->fresh;
    if (s->m.budget-- <= 0)
        return false;
    s->fresh = fresh || x->changed >= s->since;
    s->parts[g->p->id] = (Part){g->at.place, x->node};
    bool done = match_form(&s->m, g, x->node, x->kids);
    s->fresh = fresh;
    return done;
}

static bool solve_forms(Matcher *m, const Goal *g)
{
    Search *s = (Search *)m;
    const EClass *c = eg_class(s->g, g->at.term);
    u32 bound = s->b.bound;
    bool all = s->fresh || rest_fresh(s, g);
    if (!all && !class_fresh(s, c, g->p->height))
        return false;
    all = all || g->p->height > 1;
    size_t i = class_has(c, g->p->op) ? class_first(s->g, c, g->p->op) : c->terms.len;
    for (; i < c->terms.len && eg_term(s->g, c->terms.at[i])->op == g->p->op; i++) {
        if (!all && eg_term(s->g, c->terms.at[i])->changed < s->since)
            continue;
        if (solve_at(s, g, c->terms.at[i]))
            return true;
        s->b.bound = bound;
    }
    return false;
}

void ematch_needs(const Rule *r, u64 ops[OP_WORDS])
{
    const Pattern *p = r->pattern;
    memset(ops, 0, OP_WORDS * sizeof *ops);
    for (int i = 0; i < p->n; i++) {
        OpId op = p->args[i]->kind == PAT_OP ? p->args[i]->op : OP_CONST;
        if (p->args[i]->kind == PAT_OP || p->args[i]->kind == PAT_NUMBER)
            ops[op / 64] |= 1ull << op % 64;
    }
}

u32 ematch_at(EGraph *g, const Rule *r, TermId t, u32 since, EFound found, void *ctx)
{
    static const MatchPlaces classes = {solve_forms, value_at, is_same, took, may_stand_for};
    Search s; /* large: what is not bound is not read */
    Node *rest[RULE_VARS][RULE_OPERANDS];
    s.m = (Matcher){.st = g->st, .b = &s.b, .vars = r->vars, .places = &classes, .rest = rest};
    s.m.budget = SEARCH_BUDGET;
    s.m.accept = full_match;
    s.m.ctx = &s;
    s.g = g;
    s.rule = r;
    s.b.bound = 0;
    s.since = since;
    s.fresh = false;
    s.found = found;
    s.ctx = ctx;
    Node *n = eg_node(g, t);
    if (n->op == r->pattern->op)
        solve_at(&s, &(Goal){.p = r->pattern, .at = {n, t, 0}, .k = -1, .root = true}, t);
    return (u32)(SEARCH_BUDGET - s.m.budget);
}
