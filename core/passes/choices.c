/* A choice that makes no difference: where(x == c, k, z) is z if z is k at c, by what its operators
 * make of that number. So guards go that derivatives have for points at which nothing happens. */
#include "passes/code_rules.h"
#include "passes/places.h"
#include "rewrite/kinds.h"

#include <math.h>

enum { MOST_LOOKED_AT = 24 }; /* nodes between the choice and x: guards are near what they guard */

/* Does each element of z follow from the one of x, by few operators? *left: how many may be looked
 * at. */
static bool is_near(const Node *z, const Node *x, int *left)
{
    if (z == x || node_is_const(z))
        return true;
    bool near = op_is_elementwise(z->op) && --*left > 0;
    for (u32 i = 0; i < z->nops && near; i++)
        near = is_near(z->ops[i], x, left);
    return near;
}

/* Is z that number wherever x is c? */
static bool is_there(const Node *z, const Node *x, double c, double k)
{
    Facts f = {0};
    Fact at = fact_unknown(x->type->dtype);
    at.lo = at.hi = c;
    at.nan = false;
    at.nonzero = c != 0;
    fact_assume(&f, x, at, "");
    const Fact *is = fact_of(&f, z);
    bool same = !is->nan && is->lo == k && is->hi == k && (k != 0 || fact_never_minus_zero(&f, z));
    facts_free(&f);
    return same;
}

/* The operand of the condition, and the one or two numbers at which it holds. */
static const Node *condition_of(const Node *p, double c[2])
{
    if (p->op == OP_ISINF) {
        c[0] = INFINITY;
        c[1] = -INFINITY;
        return p->ops[0];
    }
    for (u32 i = 0; p->op == OP_EQ && i < 2; i++)
        if (node_const_f64(p->ops[i], &c[0]) && c[0] != 0 && !isnan(c[0])) {
            c[1] = c[0];
            return p->ops[1 - i];
        }
    return NULL;
}

static bool choice_known(Site *site)
{
    Node *n = site->node, *p = n->ops[0], *k = n->ops[1], *z = n->ops[2];
    double c[2], number;
    const Node *x = condition_of(p, c);
    if (!x || !node_const_f64(k, &number) || !dtype_is_float(x->type->dtype) ||
        signbit(number) != (number < 0))
        return site_refuse(site, p, "its condition does not compare a value with a number");
    int left = MOST_LOOKED_AT;
    if (!is_near(z, x, &left))
        return site_refuse(site, z, "it is not computed from that operand by a few operators");
    for (int i = 0; i < 2; i++)
        if (!is_there(z, x, c[i], number))
            return site_refuse(site, z, "not proved: it is %g where %s is %g", number,
                               "that operand", c[i]);
    return fact_total(site->facts, site->st, p) && site_put_alike(site, z);
}

/* Does n put 0 where z is NaN or infinite, and z elsewhere? */
static bool hides_of(Site *site, Node *n, const Node *z)
{
    for (u32 side = 1; side <= 2 && n->op == OP_WHERE && n->type == z->type; side++) {
        double k;
        if (node_const_f64(n->ops[side], &k) && k == 0 && n->ops[3 - side] == z)
            return !(kinds_where(site->facts, n->ops[0], side == 1, z) & ~(u32)KIND_NOT_FINITE);
    }
    return false;
}

/* (a + where(p, 0, z)) - z */
static bool choice_cancels(Site *site)
{
    Node *n = site->node, *sum = n->ops[0], *z = n->ops[1];
    if (hides_of(site, sum, z))
        return site_put_alike(site, build_zeros_like(site->st, n));
    for (u32 k = 0; k < sum->nops && sum->op == OP_ADD; k++)
        if (hides_of(site, sum->ops[k], z)) {
            NodeVec rest = {0};
            for (u32 i = 0; i < sum->nops; i++)
                if (i != k)
                    vec_push(&rest, sum->ops[i]);
            Node *less = rest.len == 1 ? rest.at[0]
                                       : node_make(site->st, OP_ADD, NULL, (u32)rest.len, rest.at);
            vec_free(&rest);
            return site_put_alike(site, less);
        }
    return site_refuse(site, sum, "it does not have what is subtracted, guarded, as a term");
}

const CodeRule choice_rules[] = {
    {"where-no-difference", "canonicalize", HAZARD_D, OP_WHERE, choice_known,
     "it already has that value there", NULL},
    {"guard-cancels", "canonicalize", HAZARD_R | HAZARD_NPLUS | HAZARD_NMINUS, OP_SUB,
     choice_cancels, "what is not finite where the choice puts 0 is subtracted again", NULL},
    {0}};
