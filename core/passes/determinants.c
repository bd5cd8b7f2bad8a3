/* Determinants beside their signs and logarithms: det(a), slogdet(a).
 *
 * In C, as the rules of text have no results of operators that give several. */
#include "passes/code_rules.h"
#include "passes/places.h"

/* Is it that result of slogdet? Of which matrix? NULL: it is not. */
static Node *matrix_of(const Node *n, i64 result)
{
    bool is = n->op == OP_PROJ && n->attrs[0].i == result && n->ops[0]->op == OP_SLOGDET;
    return is ? n->ops[0]->ops[0] : NULL;
}

enum { SIGN, LOG };

static bool slogdet_transpose(Site *site)
{
    Node *n = site->node, *of = n->ops[0];
    if (of->op != OP_SLOGDET || !node_swaps_last(of->ops[0]))
        return site_refuse(site, NULL, "it is not the determinant of a transpose");
    Node *plain = node1(site->st, OP_SLOGDET, NULL, of->ops[0]->ops[0]);
    return site_put_alike(site, plain ? node_proj(site->st, plain, n->attrs[0].i) : NULL);
}

/* The sign is the product of signs, the logarithm the sum of logarithms. */
static bool slogdet_diagonal(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *m = n->ops[0]->op == OP_SLOGDET ? n->ops[0]->ops[0] : n;
    bool log = n->attrs[0].i == LOG;
    if (m->op == OP_EYE && m->nops == 1)
        return site_put_alike(site, node_number(st, n->type->dtype, log ? 0 : 1));
    if (m->op != OP_DIAG || m->attrs[0].i || m->type->rank != 2)
        return site_refuse(site, NULL, "it is not the determinant of a diagonal matrix");
    Attr all = {.ints = all_axes(st, 1)};
    Node *parts = node1(st, log ? OP_ABS : OP_SIGN, NULL, m->ops[0]);
    parts = log && parts ? node1(st, OP_LOG, NULL, parts) : parts;
    return site_put_alike(site, parts ? node1(st, log ? OP_SUM : OP_PROD, &all, parts) : NULL);
}

static bool log_det(Site *site)
{
    Node *size = site->node->ops[0];
    if (size->op != OP_ABS || size->ops[0]->op != OP_DET)
        return site_refuse(site, NULL, "it is not log(abs(det(..)))");
    Node *both = node1(site->st, OP_SLOGDET, NULL, size->ops[0]->ops[0]);
    return site_put_alike(site, both ? node_proj(site->st, both, LOG) : NULL);
}

static bool exp_slogdet(Site *site)
{
    Node *m = matrix_of(site->node->ops[0], LOG);
    Node *det = m ? node1(site->st, OP_DET, NULL, m) : NULL;
    return m ? site_put_alike(site, det ? node1(site->st, OP_ABS, NULL, det) : NULL)
             : site_refuse(site, NULL, "its argument is not the logarithm of a determinant");
}

/* Its size comes as abs(det(a)) by the rule above, or as it was written. */
static Node *matrix_of_size(const Node *n)
{
    if (n->op == OP_EXP)
        return matrix_of(n->ops[0], LOG);
    return n->op == OP_ABS && n->ops[0]->op == OP_DET ? n->ops[0]->ops[0] : NULL;
}

static bool det_of_parts(Site *site)
{
    Node *n = site->node;
    for (u32 i = 0; i < 2 && n->nops == 2; i++) {
        Node *sign = matrix_of(n->ops[i], SIGN);
        if (sign && sign == matrix_of_size(n->ops[1 - i]))
            return site_put_alike(site, node1(site->st, OP_DET, NULL, sign));
    }
    return site_refuse(site, NULL, "it is not the sign of a determinant times its absolute value");
}

#define CANON(name, classes, root, fn, reason)                \
    {                                                         \
        name, "canonicalize", classes, root, fn, reason, NULL \
    }

const CodeRule determinant_rules[] = {
    CANON("slogdet-transpose", HAZARD_R | HAZARD_O, OP_PROJ, slogdet_transpose,
          "a matrix and its transpose have the same determinant"),
    CANON("slogdet-diagonal", HAZARD_R | HAZARD_NPLUS, OP_PROJ, slogdet_diagonal,
          "the determinant is the product of the diagonal"),
    CANON("log-det", HAZARD_R | HAZARD_NPLUS, OP_LOG, log_det,
          "computed as a logarithm, because the determinant may overflow"),
    CANON("exp-slogdet", HAZARD_R | HAZARD_O, OP_EXP, exp_slogdet,
          "exp undoes the logarithm of the determinant"),
    CANON("det-of-parts", HAZARD_R | HAZARD_O, OP_MUL, det_of_parts,
          "the determinant is its sign times its absolute value"),
    {0}};
