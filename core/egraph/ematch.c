/* Searching patterns: as in rewrite/match.c, but at classes. An operator of a pattern stands for
 * each e-node of its class with that operator, one after the other; all ways are found.
 *
 * A variable stands for the operand of the e-node that was matched, or for the constant of its
 * class, so an instance of a left side is mostly a term that is there.
 *
 * Only ways with an e-node that changed since the last search are followed to the end: as soon as
 * nothing that is still to be matched can have changed, and nothing did, the way is left. */
#include "egraph/egraph.h"
#include <math.h>

enum { PARTS = 48, SEARCH_BUDGET = 20000 };

/* What a part of the pattern stands for, in the order in which parts are matched. */
typedef struct {
    u32 place;  /* which operand of the e-node around it */
    Node *node; /* of a variable or number; of an operator the e-node's */
} Part;

typedef struct {
    EGraph *g;
    const Rule *rule;
    Bindings b;
    TermId classes[RULE_VARS]; /* of bound operands */
    Part parts[PARTS];
    int nparts;
    u64 taken; /* of the operands at the root */
    u32 since;
    bool fresh; /* an e-node of this way changed since then */
    int budget;
    EFound found;
    void *ctx;
    Node *(*rest)[RULE_OPERANDS]; /* of variables for the rest of operands */
} Search;

/* A part of the pattern at an operand of an e-node; or, with k >= 0, the operands of the e-node
 * `term` from the k-th on. */
typedef struct Goal Goal;
struct Goal {
    const Pattern *p;
    TermId term; /* k < 0: the operand's class; else the e-node */
    Node *node;  /* the operand as it was written */
    u32 place;
    int k;
    bool root;
    u64 taken;
    const Goal *next;
};

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
    return r->pattern && r->pattern->kind == PAT_OP && pattern_is_plain(r->pattern);
}

static bool solve(Search *s, const Goal *g);

/* ---- one match ---- */

/* The instance of the operator whose e-node is parts[*at]. The nodes that stand for its patterns
 * go to `args`, as many as there are. */
static Node *instance_of(Search *s, const Pattern *p, int *at, Node **args)
{
    Node *n = s->parts[(*at)++].node, *small[16];
    Node **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    memcpy(ops, n->ops, n->nops * sizeof *ops);
    bool same = true, ok = true;
    for (int i = 0; i < p->n && ok; i++) {
        if (p->args[i]->kind == PAT_REST)
            continue;
        u32 place = s->parts[*at].place;
        Node *x = p->args[i]->kind == PAT_OP ? instance_of(s, p->args[i], at, NULL)
                                             : s->parts[(*at)++].node;
        ok = x != NULL;
        same = same && ops[place] == x;
        ops[place] = x;
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
    u64 taken = 0;
    if (s->taken == ~0ull)
        return s->taken;
    for (int i = 0; i < p->n; i++)
        for (u32 k = 0; k < left->nops && args[i]; k++)
            if (left->ops[k] == args[i] && !(taken >> k & 1)) {
                taken |= 1ull << k;
                break;
            }
    return taken;
}

static bool full_match(Search *s)
{
    if (!s->fresh)
        return false;
    Node *args[RULE_OPERANDS] = {NULL};
    const Pattern *p = s->rule->pattern;
    int at = 0;
    Node *left = instance_of(s, p, &at, args);
    if (!left || left->type != s->parts[0].node->type)
        return false;
    EMatch m = {.rule = s->rule, .left = left, .bound = s->b.bound, .vars = s->b.at};
    m.taken = s->taken ? taken_operands(s, left, p, args) : 0;
    return !s->found(s->ctx, &m); /* true ends the search */
}

/* ---- parts ---- */

static void push_part(Search *s, u32 place, Node *n) { s->parts[s->nparts++] = (Part){place, n}; }

static bool bind_attr(Search *s, const PatAttr *a, char kind, Attr is)
{
    RuleValue *v = a->slot < 0 ? NULL : &s->b.at[a->slot];
    const IntList *ints = v ? v->attr.ints : a->ints;
    if (v && !(s->b.bound >> a->slot & 1)) {
        s->b.bound |= 1u << a->slot;
        *v = (RuleValue){.kind = kind, .attr = is};
        return true;
    }
    if (kind != 'I')
        return (v ? v->attr.i : a->value) == is.i;
    return ints == is.ints ||
           (ints->n == is.ints->n && !memcmp(ints->at, is.ints->at, ints->n * sizeof *ints->at));
}

static bool head_fits(Search *s, const Pattern *p, const Node *n, bool root)
{
    if (p->swaps_last && !node_swaps_last(n))
        return false;
    for (u32 i = 0; i < n->nattrs && !p->swaps_last; i++)
        if (!bind_attr(s, &p->attrs[i], op_attr_kind(n->op, (int)i), n->attrs[i]))
            return false;
    bool any_order = op_any_order(n->op);
    bool open = p->rest >= 0 || (any_order && root && op_table[n->op].flags & NARY);
    int least = p->rest >= 0 ? p->n - 1 : p->n;
    return !(any_order && n->nops > RULE_OPERANDS) &&
           (open ? (int)n->nops >= least : (int)n->nops == p->n);
}

static bool solve_var(Search *s, const Goal *g)
{
    const Pattern *p = g->p;
    TermId c = eg_find(s->g, g->term);
    const EClass *class = s->g->classes.at[c];
    if (s->b.bound >> p->slot & 1) {
        if (s->classes[p->slot] != c)
            return false;
        push_part(s, g->place, s->b.at[p->slot].node);
        return solve(s, g->next);
    }
    Node *n = class->constant ? class->constant : g->node;
    if (!var_kind_accepts(p->var, n))
        return false;
    s->b.bound |= 1u << p->slot;
    s->b.at[p->slot] = (RuleValue){.kind = 'n', .node = n};
    s->classes[p->slot] = c;
    push_part(s, g->place, n);
    return solve(s, g->next);
}

static bool solve_number(Search *s, const Goal *g)
{
    Node *n = eg_class(s->g, g->term)->constant;
    double x;
    if (!n || !node_const_f64(n, &x) || (n->type->dtype == DT_BOOL) != g->p->is_bool ||
        x != g->p->number || (x == 0 && signbit(x)))
        return false;
    push_part(s, g->place, n);
    return solve(s, g->next);
}

/* ---- operands ---- */

/* What no pattern took, in the order of the source. */
static bool bind_rest(Search *s, const Pattern *p, const Node *n, u64 taken)
{
    RuleValue *v = &s->b.at[p->slot];
    bool bound = s->b.bound >> p->slot & 1;
    Node *again[RULE_OPERANDS], **left = bound ? again : s->rest[p->slot];
    u32 count = 0;
    if (n->nops > RULE_OPERANDS)
        return false;
    const IntList *order = map_get(&s->g->st->order, n);
    for (u32 k = 0; k < n->nops; k++) {
        u32 i = order ? (u32)order->at[k] : k;
        if (!(taken >> i & 1))
            left[count++] = n->ops[i];
    }
    if (bound)
        return v->count == count && !memcmp(v->nodes, left, count * sizeof *left);
    s->b.bound |= 1u << p->slot;
    *v = (RuleValue){.kind = 'r', .count = count, .nodes = left};
    return true;
}

static Goal operand_goal(Search *s, const Goal *g, int k, u32 place, const Goal *next)
{
    const Term *t = eg_term(s->g, g->term);
    return (Goal){g->p->args[k], t->kids[place], t->node->ops[place], place, -1, false, 0, next};
}

static bool solve_in_order(Search *s, const Goal *g)
{
    const Pattern *p = g->p;
    Node *n = eg_node(s->g, g->term);
    u32 rest = n->nops - (u32)(p->n - 1), at = (u32)g->k;
    if (g->k == p->n)
        return solve(s, g->next);
    Goal more = *g;
    more.k++;
    if (g->k == p->rest) {
        u64 others = 0;
        for (u32 i = 0; i < n->nops && i < 64; i++)
            others |= (u64)(i < at || i >= at + rest) << i;
        return n->nops <= 64 && bind_rest(s, p->args[g->k], n, others) && solve(s, &more);
    }
    if (p->rest >= 0 && g->k > p->rest)
        at += rest - 1;
    Goal first = operand_goal(s, g, g->k, at, &more);
    return solve(s, &first);
}

/* Can the pattern stand for the operand, by what is seen at once? */
static bool may_stand_for(const Search *s, const Pattern *p, TermId kid)
{
    TermId c = eg_find(s->g, kid);
    const EClass *class = s->g->classes.at[c];
    return p->kind == PAT_OP       ? class_has(class, p->op)
           : p->kind == PAT_NUMBER ? class->constant != NULL
           : p->kind == PAT_VAR    ? !(s->b.bound >> p->slot & 1) || s->classes[p->slot] == c
                                   : true;
}

static bool solve_any_order(Search *s, const Goal *g)
{
    const Pattern *p = g->p;
    Node *n = eg_node(s->g, g->term);
    int k = g->k == p->rest ? g->k + 1 : g->k;
    if (k >= p->n) {
        u64 all = n->nops == 64 ? ~0ull : (1ull << n->nops) - 1;
        u64 taken = s->taken;
        if (g->root)
            s->taken = p->rest >= 0 || g->taken == all ? ~0ull : g->taken;
        bool done =
            (p->rest < 0 || bind_rest(s, p->args[p->rest], n, g->taken)) && solve(s, g->next);
        s->taken = taken;
        return done;
    }
    for (u32 i = 0; i < n->nops; i++) {
        if (g->taken >> i & 1 || !may_stand_for(s, p->args[k], eg_term(s->g, g->term)->kids[i]))
            continue;
        u32 bound = s->b.bound;
        int parts = s->nparts;
        Goal more = *g;
        more.k = k + 1;
        more.taken |= 1ull << i;
        Goal first = operand_goal(s, g, k, i, &more);
        if (solve(s, &first))
            return true;
        s->b.bound = bound;
        s->nparts = parts;
    }
    return false;
}

static u32 height(const Pattern *p)
{
    u32 most = 0;
    for (int i = 0; i < p->n; i++) {
        u32 h = p->args[i]->kind == PAT_OP ? height(p->args[i]) : 0;
        most = h > most ? h : most;
    }
    return most + 1;
}

static bool has_operators(const Pattern *p)
{
    for (int i = 0; i < p->n; i++)
        if (p->args[i]->kind == PAT_OP)
            return true;
    return false;
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
    const Term *t = eg_term(s->g, g->term);
    bool any = op_any_order(p->op);
    for (int k = g->k; k < p->n; k++) {
        if (p->args[k]->kind != PAT_OP)
            continue;
        if (!any && p->rest >= 0)
            return true;
        u32 high = height(p->args[k]), from = any ? 0 : (u32)k, to = any ? t->node->nops : from + 1;
        for (u32 i = from; i < to; i++) {
            const EClass *c = any && g->taken >> i & 1 ? NULL : eg_class(s->g, t->kids[i]);
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
    const Pattern *p = g->p;
    const Term *x = eg_term(s->g, t);
    Node *n = x->node;
    bool fresh = s->fresh;
    if (n->op != p->op || s->budget-- <= 0 || !head_fits(s, p, n, g->root))
        return false;
    s->fresh = fresh || x->changed >= s->since;
    push_part(s, g->place, n);
    Goal args = {p, t, n, 0, 0, g->root, 0, g->next};
    bool done = solve(s, &args);
    s->fresh = fresh;
    return done;
}

static bool solve_operator(Search *s, const Goal *g)
{
    const EClass *c = eg_class(s->g, g->term);
    u32 bound = s->b.bound;
    bool all = s->fresh || rest_fresh(s, g);
    if (!all && !class_fresh(s, c, height(g->p)))
        return false;
    all = all || has_operators(g->p);
    int parts = s->nparts;
    size_t i = class_has(c, g->p->op) ? class_first(s->g, c, g->p->op) : c->terms.len;
    for (; i < c->terms.len && eg_term(s->g, c->terms.at[i])->op == g->p->op; i++) {
        if (!all && eg_term(s->g, c->terms.at[i])->changed < s->since)
            continue;
        if (solve_at(s, g, c->terms.at[i]))
            return true;
        s->b.bound = bound;
        s->nparts = parts;
    }
    return false;
}

static bool solve(Search *s, const Goal *g)
{
    if (!g)
        return full_match(s);
    if (g->k >= 0)
        return op_any_order(g->p->op) ? solve_any_order(s, g) : solve_in_order(s, g);
    if (s->budget <= 0 || s->nparts >= PARTS)
        return false;
    s->budget--;
    return g->p->kind == PAT_VAR      ? solve_var(s, g)
           : g->p->kind == PAT_NUMBER ? solve_number(s, g)
           : g->p->kind == PAT_OP     ? solve_operator(s, g)
                                      : false;
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

u32 ematch_height(const Rule *r) { return height(r->pattern); }

u32 ematch_at(EGraph *g, const Rule *r, TermId t, u32 since, EFound found, void *ctx)
{
    Search s; /* large: what is not bound is not read */
    Node *rest[RULE_VARS][RULE_OPERANDS];
    s.g = g;
    s.rule = r;
    s.b.bound = 0;
    s.nparts = 0;
    s.taken = 0;
    s.since = since;
    s.fresh = false;
    s.budget = SEARCH_BUDGET;
    s.found = found;
    s.ctx = ctx;
    s.rest = rest;
    Goal goal = {r->pattern, t, eg_node(g, t), 0, -1, true, 0, NULL};
    solve_at(&s, &goal, t);
    return (u32)(SEARCH_BUDGET - s.budget);
}
