/* Products of sums multiplied out, nothing else: the first part of a step of `simplify`. */
#include "passes/simplify.h"

#include "graph/provenance.h"

enum { MOST_TERMS = 64, MOST_FACTORS = 16, MOST_DEPTH = 64 };

/* Factors over a divisor (NULL: 1). */
typedef struct {
    bool negative;
    u32 n;
    Node *factors[MOST_FACTORS], *under;
} Term;
typedef struct {
    Store *st;
    u32 n;
    Term at[MOST_TERMS];
} Terms;

static bool is_square(const Node *n)
{
    double p;
    return n->op == OP_SQR || (n->op == OP_POW && node_const_f64(n->ops[1], &p) && p == 2);
}

static bool is_sum(const Node *n) { return n->op == OP_ADD || n->op == OP_SUB || n->op == OP_NEG; }

static bool add_terms(Terms *t, Node *n, bool negative, int depth);

static bool add_term(Terms *t, const Term *term)
{
    if (t->n == MOST_TERMS)
        return false;
    t->at[t->n++] = *term;
    return true;
}

static bool is_one(const Node *n)
{
    double x;
    return node_const_f64(n, &x) && x == 1;
}

/* A 1 is no factor next to others. */
static void put_factors(Term *t, const Term *by)
{
    for (u32 i = 0; i < by->n; i++)
        if (t->n == 1 && is_one(t->factors[0]))
            t->factors[0] = by->factors[i];
        else if (!is_one(by->factors[i]))
            t->factors[t->n++] = by->factors[i];
}

/* What both are multiplied out to. */
static bool multiply(Terms *t, const Terms *x, const Terms *y, bool negative)
{
    for (u32 i = 0; i < x->n; i++)
        for (u32 k = 0; k < y->n; k++) {
            Term both = x->at[i];
            const Term *by = &y->at[k];
            if (both.n + by->n > MOST_FACTORS || (both.under && by->under))
                return false;
            both.under = both.under ? both.under : by->under;
            both.negative = negative != (both.negative != by->negative);
            put_factors(&both, by);
            if (!add_term(t, &both))
                return false;
        }
    return true;
}

static bool add_product(Terms *t, Node *const *ops, u32 n, bool negative, int depth)
{
    Terms *x = xcalloc(3, sizeof *x), *y = x + 1, *both = x + 2;
    x->st = y->st = both->st = t->st;
    bool ok = add_terms(x, ops[0], negative, depth);
    for (u32 k = 1; k < n && ok; k++) {
        y->n = both->n = 0;
        ok = add_terms(y, ops[k], false, depth) && multiply(both, x, y, false);
        *x = *both;
    }
    for (u32 i = 0; i < x->n && ok; i++)
        ok = add_term(t, &x->at[i]);
    free(x);
    return ok;
}

static bool add_quotient(Terms *t, Node *n, bool negative, int depth)
{
    u32 first = t->n;
    if (!add_terms(t, n->ops[0], negative, depth))
        return false;
    for (u32 i = first; i < t->n; i++) {
        if (t->at[i].under)
            return false;
        t->at[i].under = n->ops[1];
    }
    return true;
}

static bool add_terms(Terms *t, Node *n, bool negative, int depth)
{
    Term alone = {negative, 1, {n}, NULL};
    bool ok = depth < MOST_DEPTH;
    if (n->op == OP_ADD || n->op == OP_SUB) {
        for (u32 k = 0; k < n->nops && ok; k++)
            ok = add_terms(t, node_operand_shown(t->st, n, k),
                           negative != (n->op == OP_SUB && k == 1), depth + 1);
        return ok;
    }
    if (n->op == OP_NEG)
        return ok && add_terms(t, n->ops[0], !negative, depth + 1);
    if (n->op == OP_MUL)
        return ok && add_product(t, n->ops, n->nops, negative, depth + 1);
    if (is_square(n) && is_sum(n->ops[0]))
        return ok && add_product(t, (Node *[]){n->ops[0], n->ops[0]}, 2, negative, depth + 1);
    if (n->op == OP_DIV)
        return ok && add_quotient(t, n, negative, depth + 1);
    return ok && add_term(t, &alone);
}

static Node *node_of_term(Store *st, const Term *t)
{
    Node *n = t->n > 1 ? node_make(st, OP_MUL, NULL, t->n, t->factors) : t->factors[0];
    return n && t->under ? node2(st, OP_DIV, NULL, n, t->under) : n;
}

/* What comes before term i, with it, and with those behind it if all of them are added. */
static Node *with_run(const Terms *t, Node *sum, u32 i, u32 *next)
{
    Node *ops[MOST_TERMS + 1] = {sum};
    u32 n = sum != NULL;
    bool negative = t->at[i].negative;
    for (*next = i; *next < t->n && t->at[*next].negative == negative; ++*next) {
        if (!(ops[n++] = node_of_term(t->st, &t->at[*next])))
            return NULL;
        if (negative) {
            ++*next;
            return sum ? node2(t->st, OP_SUB, NULL, sum, ops[1])
                       : node1(t->st, OP_NEG, NULL, ops[0]);
        }
    }
    return n > 1 ? node_make(t->st, OP_ADD, NULL, n, ops) : ops[0];
}

Node *simplify_distributed(Store *st, Node *n)
{
    Terms *t = xcalloc(1, sizeof *t);
    Node *sum = NULL;
    t->st = st;
    bool ok = add_terms(t, n, false, 0) && t->n > 1;
    for (u32 i = 0; i < t->n && ok;) {
        sum = with_run(t, sum, i, &i);
        ok = sum != NULL;
    }
    free(t);
    return ok ? sum : NULL;
}

static bool is_product_of_sum(const Node *n)
{
    u32 values = n->op == OP_MUL ? n->nops : n->op == OP_DIV || is_square(n) ? 1 : 0;
    for (u32 k = 0; k < values; k++)
        if (is_sum(n->ops[k]))
            return true;
    return false;
}

bool simplify_distributes(Node *n)
{
    NodeVec stack = {0};
    NodeSet seen = {0};
    bool found = false;
    vec_push(&stack, n);
    while (stack.len && !found) {
        Node *top = stack.at[--stack.len];
        bool inner = is_sum(top) || top->op == OP_MUL || top->op == OP_DIV || is_square(top);
        if (!inner || !set_add(&seen, top))
            continue;
        found = is_product_of_sum(top);
        for (u32 k = 0; k < (top->op == OP_DIV ? 1 : top->nops); k++)
            vec_push(&stack, top->ops[k]);
    }
    vec_free(&stack);
    map_free(&seen);
    return found;
}
