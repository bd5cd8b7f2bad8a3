/* Products with rows that are 0 but for a 1, as memberships of classes are: each row of the other
 * operand is added to the sum of its class.
 *
 * Invariant: no position is outside of its axis; that is proved first. */
#include "passes/code_rules.h"
#include "passes/places.h"
#include "tensor/kernels.h"

/* The vector that lies along that axis of a matrix and is repeated along the other; NULL: not that.
 */
static Node *along(Node *b, i64 axis)
{
    if (b->op != OP_BROADCAST || b->type->rank != 2)
        return NULL;
    Node *x = b->ops[0];
    if (x->type->rank == 1)
        return b->attrs[0].ints->at[0] == axis ? x : NULL;
    bool column = x->op == OP_EXPAND_DIMS && x->type->rank == 2 && x->attrs[0].ints->n == 1 &&
                  x->attrs[0].ints->at[0] == 1 - axis;
    return column ? x->ops[0] : NULL;
}

/* The classes of which each row of i == (0, 1, .. n-1) has one at most; NULL: it is no such. */
static Node *classes_of(Node *member)
{
    Node *eq = member->op == OP_CAST ? member->ops[0] : member;
    for (u32 k = 0; eq->op == OP_EQ && eq->nops == 2 && k < 2; k++) {
        Node *at = along(eq->ops[k], 0), *count = along(eq->ops[1 - k], 1);
        if (at && count && dtype_is_int(node_dtype(at)) && count->op == OP_IOTA)
            return at;
    }
    return NULL;
}

static bool are_inside(Site *site, Node *at, Size *classes)
{
    i64 n;
    return site->facts && size_lower_bound(classes, &n) && fact_at_least(site->facts, at, 0) &&
           fact_at_most(site->facts, at, (double)(n - 1));
}

/* The rows of x, or x itself, added up by classes. */
static bool add_by_class(Site *site, Node *member, Node *x)
{
    Store *st = site->st;
    Node *at = classes_of(member), *dims[2] = {node_dim(st, member, 1)};
    if (!at)
        return site_refuse(site, member, "its rows are not 0 but for a 1");
    if (!are_inside(site, at, member->type->dims[1]))
        return site_refuse(site, at, "a class may be none of the columns");
    if (x->type->rank)
        dims[1] = node_dim(st, x, 1);
    Node *none = build_full(st, node_number(st, node_dtype(x), 0), x->type->rank ? 2 : 1, dims);
    Attr add[] = {{.i = 0}, {.i = STORE_ADD}};
    return site_put_alike(site, none ? node3(st, OP_SCATTER, add, none, at, x) : NULL);
}

/* member' @ x */
static bool one_hot_product(Site *site)
{
    Node *n = site->node, *member = n->ops[0];
    if (n->nops != 2 || n->type->rank != 2 || !n->attrs[0].i || n->attrs[1].i ||
        member->op != OP_CAST)
        return site_refuse(site, member, "it is not the product of a transposed matrix of 0 and 1");
    return add_by_class(site, member, n->ops[1]);
}

/* sum(member, axis=0) */
static bool one_hot_sum(Site *site)
{
    Node *n = site->node, *member = n->ops[0];
    const IntList *axes = n->attrs[0].ints;
    if (axes->n != 1 || axes->at[0] || member->type->rank != 2)
        return site_refuse(site, NULL, "it is not a sum over the rows of a matrix");
    return add_by_class(site, member, node_number(site->st, node_dtype(n), 1));
}

const CodeRule one_hot_rules[] = {{"one-hot-product", "specialize", HAZARD_R | HAZARD_NPLUS,
                                   OP_GEMM, one_hot_product,
                                   "each row is added to the sum of its class", NULL},
                                  {"one-hot-sum", "specialize", HAZARD_E, OP_SUM, one_hot_sum,
                                   "each row counts for its class", NULL},
                                  {0}};
