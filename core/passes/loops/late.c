/* What a step waits for comes last in a sum or product:
 *
 *   x' = a x + b y + v, y' = x      =>     x' = v + b y + a x
 *
 * Terms are added in the order in which they stand, and the next step cannot begin before its state
 * is there: what hangs on the newest state is added last, so that one operation follows it in place
 * of two. Numbers only: of arrays a step has enough to do meanwhile.
 *
 * The level of a node is the number of operations after which it is there, once the newest state
 * is; what hangs on no state is there from the beginning. */
#include "passes/loops/loops.h"

#include "graph/names.h"

enum { ALWAYS = -1000000, EARLIER = 1000, LONG = 4, MOST_TERMS = 64 };

typedef struct {
    Store *st;
    int n; /* states: what they are in a step, and what they are after it */
    Node *const *now, *const *next;
    bool asks;              /* of the closed body, whether there is such a chain: builds none */
    MAP(Node *, int) level; /* node -> 1 + level - ALWAYS */
    NodeMap memo;           /* sum or product -> the same in the better order */
    NodeCounts uses;        /* node -> how often, in what next states are made of */
    int count;
} Late;

typedef struct {
    Node *node;
    int level;
    bool negative;
} Term;
typedef VEC(Term) Terms;

static int level_of(const Late *l, const Node *n)
{
    int known = map_get(&l->level, n);
    return known ? known - 1 + ALWAYS : ALWAYS;
}

static void set_level(Late *l, const Node *n, int level)
{
    map_put(&l->level, n, 1 + level - ALWAYS);
}

/* It is there so much later; what is always there stays so. */
static int after(int level, int cost) { return level == ALWAYS ? ALWAYS : level + cost; }

static int later(int a, int b) { return a > b ? a : b; }

/* A state that is another one's value a step ago has been there for that long. */
static void set_states(Late *l)
{
    int n = l->n;
    for (int i = 0; i < n; i++) {
        const Node *next = l->next[i];
        int ago = 0;
        for (bool more = true; more && ago < n;) {
            more = false;
            for (int k = 0; k < n && !more; k++)
                if (next == l->now[k]) {
                    next = l->next[k];
                    more = true;
                    ago++;
                }
        }
        set_level(l, l->now[i], -EARLIER * ago);
    }
}

/* ---- terms ---- */

static bool is_number(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && !n->type->rank && dtype_is_float(node_dtype(n));
}

static bool is_chain(const Node *n)
{
    return (n->op == OP_ADD || n->op == OP_SUB || n->op == OP_MUL) && is_number(n);
}

/* Of a sum those of the sums and differences in it that nothing else uses. */
static void add_terms(const Late *l, Node *n, OpId op, bool negative, Terms *out)
{
    for (u32 k = 0; k < n->nops; k++) {
        Node *x = n->ops[k];
        bool minus = negative != (n->op == OP_SUB && k == 1);
        bool more = op != OP_MUL && (x->op == OP_ADD || x->op == OP_SUB) && is_number(x) &&
                    map_get(&l->uses, x) == 1 && out->len < MOST_TERMS;
        if (more)
            add_terms(l, x, op, minus, out);
        else
            vec_push(out, ((Term){x, level_of(l, x), minus}));
    }
}

static int chain_level(const Terms *t)
{
    int level = t->at[0].level;
    for (size_t k = 1; k < t->len; k++)
        level = after(later(level, t->at[k].level), 1);
    return level;
}

/* By level, those that are equal as they were; the first one is not negative. */
static void arrange(Terms *t)
{
    for (size_t i = 1; i < t->len; i++) {
        Term x = t->at[i];
        size_t k = i;
        for (; k && t->at[k - 1].level > x.level; k--)
            t->at[k] = t->at[k - 1];
        t->at[k] = x;
    }
    size_t first = 0;
    while (first < t->len && t->at[first].negative)
        first++;
    if (first == t->len)
        return;
    Term x = t->at[first];
    memmove(t->at + 1, t->at, first * sizeof *t->at);
    t->at[0] = x;
}

static Node *build(Late *l, OpId op, const Terms *t)
{
    Store *st = l->st;
    Node **ops = xmalloc(t->len * sizeof *ops), *sum = NULL;
    bool plain = true, ok = true;
    for (size_t k = 0; k < t->len; k++) {
        ops[k] = node_substitute(st, t->at[k].node, &l->memo);
        ok = ok && ops[k];
        plain = plain && !t->at[k].negative;
    }
    if (ok && plain) {
        sum = node_make(st, op, NULL, (u32)t->len, ops);
    } else if (ok && !t->at[0].negative) {
        sum = ops[0];
        for (size_t k = 1; k < t->len && sum; k++)
            sum = node2(st, t->at[k].negative ? OP_SUB : OP_ADD, NULL, sum, ops[k]);
    }
    free(ops);
    return sum;
}

static void look_at_chain(Late *l, Node *n, int now)
{
    Terms t = {0};
    OpId op = n->op == OP_MUL ? OP_MUL : OP_ADD;
    add_terms(l, n, op, false, &t);
    arrange(&t);
    int better = chain_level(&t);
    bool does = better < now && t.len > 2 && !t.at[0].negative;
    Node *other = does && !l->asks ? build(l, op, &t) : NULL;
    if (other) {
        node_carry_name(l->st, n, other);
        map_put(&l->memo, n, other);
    }
    does = does && (other || l->asks);
    l->count += does;
    set_level(l, n, does ? better : now);
    vec_free(&t);
}

/* As it stands: of a sum or product term by term. */
static int level_now(const Late *l, const Node *n)
{
    int level = ALWAYS, cost = op_is_elementwise(n->op) && n->op != OP_DIV ? 1 : LONG;
    for (u32 k = 0; k < n->nops; k++) {
        level = later(level, level_of(l, n->ops[k]));
        if (k && is_chain(n))
            level = after(level, cost);
    }
    return is_chain(n) ? level : after(level, cost);
}

/* Only what the next states are made of: the rest nobody waits for. */
static void look_at_all(Late *l)
{
    NodeVec order = {0};
    nodes_topo(l->n, l->next, &order);
    set_states(l);
    for (size_t i = 0; i < order.len; i++)
        for (u32 k = 0; k < order.at[i]->nops; k++) {
            Node *x = order.at[i]->ops[k];
            map_put(&l->uses, x, map_get(&l->uses, x) + 1);
        }
    for (size_t i = 0; i < order.len; i++) {
        Node *x = order.at[i];
        if (x->nops && is_chain(x))
            look_at_chain(l, x, level_now(l, x));
        else if (x->nops)
            set_level(l, x, level_now(l, x));
    }
    vec_free(&order);
}

static void late_free(Late *l)
{
    map_free(&l->level);
    map_free(&l->memo);
    map_free(&l->uses);
}

static bool waits(Store *st, const ScanShape *s)
{
    Graph *g = s->body;
    Late l = {.st = st, .n = s->nstates, .now = g->param_nodes, .next = g->outs, .asks = true};
    look_at_all(&l);
    late_free(&l);
    return l.count > 0;
}

bool loop_late(Site *site)
{
    Store *st = site->st;
    ScanShape s = scan_shape(site->node);
    ScanEdit ed;
    if (!s.nstates)
        return site_refuse(site, NULL, "it has no state");
    if (!waits(st, &s))
        return site_refuse(site, NULL,
                           "no sum or product of three numbers uses the newest state too early");
    if (!scan_open(st, site->node, &ed))
        return false;
    Node **now = xcalloc(2 * (size_t)s.nstates, sizeof *now), **next = now + s.nstates;
    for (int i = 0; i < s.nstates; i++) {
        now[i] = ed.states[i].hole;
        next[i] = ed.states[i].next;
    }
    Late l = {.st = st, .n = s.nstates, .now = now, .next = next};
    look_at_all(&l);
    Node *r = l.count ? scan_become(site, &ed, &l.memo) : NULL;
    site_why(site, "%d sum%s or product%s", l.count, l.count == 1 ? "" : "s",
             l.count == 1 ? "" : "s");
    late_free(&l);
    free(now);
    scan_edit_free(&ed);
    return r != NULL;
}
