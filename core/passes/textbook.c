/* Forms of derivatives that books have, and those that have a value everywhere: one expression on
 * paper. Programs keep theirs; the rules are for proofs. */
#include "passes/code_rules.h"

#include "ops/derived.h"
#include "passes/passes.h"
#include "rewrite/kinds.h"

/* ---- guards that keep NaN or infinity away: they stay in programs ---- */

/* Does the choice at this site put k in place of what can only be NaN or infinite there, or (zero)
 * 0 in place of what can be 0, too? Then z leads to it. */
static bool hides(Site *site, bool zero)
{
    u32 may_be = zero ? KIND_NOT_FINITE | KIND_ZEROS : KIND_NOT_FINITE;
    Node *n = site->node;
    bool some = false;
    for (u32 side = 1; side <= 2; side++) {
        Node *z = n->ops[3 - side];
        double k;
        if (!node_const_f64(n->ops[side], &k) || (zero && k != 0) || z->type != n->type)
            continue;
        some = true;
        u32 is = kinds_where(site->facts, n->ops[0], side == 1, z);
        if (is & ~may_be || (zero && !(is & KIND_ZEROS)))
            continue;
        site_put(site, z, n);
        return true;
    }
    return site_refuse(site, NULL, "%s",
                       some ? "not proved: it keeps only NaN and infinity away"
                            : "neither choice is a number that fits");
}

static bool choice_hides(Site *site) { return hides(site, false); }

static bool choice_hides_zero(Site *site) { return hides(site, true); }

/* ---- products and determinants ---- */

/* prod(x) / x, over all axes or along some */
static bool product_of_others(Site *site)
{
    Node *n = site->node, *all = n->ops[0], *x = n->ops[1];
    while (all->op == OP_BROADCAST || all->op == OP_EXPAND_DIMS)
        all = all->ops[0];
    if (all->op != OP_PROD || all->ops[0] != x)
        return site_refuse(site, all, "it is not the product of what it is divided by");
    const IntList *axes = all->attrs[0].ints;
    if (node_rank(all) && build_unreduce(site->st, all, axes, x) != n->ops[0])
        return site_refuse(site, all, "the product is not repeated along its own axes");
    Node *others = derived_other_factors(site->st, x, axes);
    if (!others || others->type != n->type)
        return site_refuse(site, NULL, "the replacement would have another type");
    site_put(site, n, others);
    return true;
}

/* n as these passes leave it: some rules may have been at work in its branches, and others not. */
static Node *straightened(Site *site, Node *n)
{
    static const char *const names[] = {"canonicalize", "simplify"};
    Engine *e = site->engine;
    DiagTry trial;
    diag_try_begin(&trial, &e->st->diags);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const Pass *pass = pass_named(names[i]);
        Engine aside;
        engine_open(&aside, e->st, e->rs, e->options, pass->name, 1, &n);
        pass->run(&aside, pass->phases);
        engine_close(&aside);
    }
    diag_try_end(&trial);
    return n;
}

/* Cofactors are a choice between two ways to compute them, of a matrix among what it reads. */
static bool cofactors(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *choice = n->ops[0];
    for (u32 i = 0; i < choice->nops && choice->op == OP_IFELSE; i++) {
        Node *a = choice->ops[i];
        Node *det = a->type == n->type && node_rank(a) == 2 ? node1(st, OP_DET, NULL, a) : NULL;
        Node *whole = det ? derived_cofactors(st, a, det) : NULL;
        if (!whole || (whole != n && straightened(site, whole) != straightened(site, n)))
            continue;
        Node *inverse = node1(st, OP_INV, NULL, a);
        Node *form = inverse ? build_mul(st, det, build_swap_last(st, inverse)) : NULL;
        if (!form)
            return false;
        site_put(site, form, n);
        return true;
    }
    return site_refuse(site, choice, "it is not how the cofactors of a matrix are computed");
}

const CodeRule textbook_rules[] = {
    {"guard-hides", "saturate", HAZARD_NMINUS, OP_WHERE, choice_hides,
     "the choice hides NaN or infinity", NULL},
    {"guard-hides-zero", "saturate", HAZARD_NMINUS | HAZARD_Z, OP_WHERE, choice_hides_zero,
     "0 where it is 0 anyway, or NaN or infinite, which the choice hides", NULL},
    {"product-of-others", "saturate", HAZARD_R | HAZARD_NPLUS | HAZARD_O, OP_DIV, product_of_others,
     "the product of all elements over one is the product of the others", NULL},
    {"cofactors", "saturate", HAZARD_R | HAZARD_NPLUS | HAZARD_S | HAZARD_O, OP_PROJ, cofactors,
     "the inverse times the determinant has the cofactors, which a singular matrix has, too", NULL},
    {0}};
