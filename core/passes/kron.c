/* Kronecker products: the prelude writes kron(a, b) as all products of elements, reshaped. What is
 * asked of the whole is asked of the two matrices instead, which are smaller.
 *
 * In C, because the matrices are found through the views that repeat them. */
#include "passes/code_rules.h"
#include "passes/places.h"

enum { KRON_RANK = 4 };

/* The matrix that n repeats, if its axes are those two of n; NULL: it does not. */
static Node *matrix_at(Node *n, int first, int second)
{
    int at[2] = {first, second};
    while (n->op == OP_BROADCAST || n->op == OP_EXPAND_DIMS) {
        const IntList *axes = n->attrs[0].ints;
        for (int k = 0; k < 2; k++) {
            int below = 0, found = -1; /* axes of the operand before this one; which it is */
            for (u32 i = 0; i < axes->n; i++) {
                below += n->op == OP_EXPAND_DIMS && axes->at[i] < at[k];
                if (axes->at[i] == at[k])
                    found = (int)i;
            }
            if ((found < 0) == (n->op == OP_BROADCAST))
                return NULL;
            at[k] = n->op == OP_BROADCAST ? found : at[k] - below;
        }
        n = n->ops[0];
    }
    return node_rank(n) == 2 && at[0] == 0 && at[1] == 1 ? n : NULL;
}

static Node *repeated(Store *st, Node *x, int first, int second, Node *const *dims)
{
    x = build_expand(st, build_expand(st, x, first), second);
    return x ? build_broadcast_to(st, x, KRON_RANK, dims) : NULL;
}

/* As the prelude has it. */
static Node *build_kron(Store *st, Node *a, Node *b)
{
    if (!a || !b)
        return NULL;
    Node *dims[] = {node_dim(st, a, 0), node_dim(st, b, 0), node_dim(st, a, 1), node_dim(st, b, 1)};
    Node *all = build_mul(st, repeated(st, a, 1, 3, dims), repeated(st, b, 0, 2, dims));
    Node *whole[] = {build_mul(st, dims[0], dims[1]), build_mul(st, dims[2], dims[3])};
    return all ? build_reshape(st, all, 2, whole) : NULL;
}

/* Is n the Kronecker product of two matrices? */
static bool kron_of(Store *st, Node *n, Node **a, Node **b)
{
    Node *all = n->op == OP_RESHAPE && node_rank(n) == 2 ? n->ops[0] : NULL;
    if (!all || all->op != OP_MUL || all->nops != 2 || node_rank(all) != KRON_RANK)
        return false;
    for (int k = 0; k < 2; k++) {
        *a = matrix_at(all->ops[k], 0, 2);
        *b = matrix_at(all->ops[1 - k], 1, 3);
        Node *again = *a && *b ? build_kron(st, *a, *b) : NULL;
        if (again && again->type == n->type)
            return true;
    }
    return false;
}

static const char no_kron[] = "it is not a Kronecker product of matrices";

static bool is_square(const Node *n) { return n->type->dims[0] == n->type->dims[1]; }

static bool kron_transpose(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *a, *b;
    if (!node_swaps_last(n) || !kron_of(st, n->ops[0], &a, &b))
        return site_refuse(site, n->ops[0], no_kron);
    return site_put_alike(site, build_kron(st, build_swap_last(st, a), build_swap_last(st, b)));
}

/* kron(a, b) @ kron(c, d) */
static bool kron_product(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *a, *b, *c, *d;
    if (!kron_of(st, n->ops[0], &a, &b) || !kron_of(st, n->ops[1], &c, &d))
        return site_refuse(site, NULL, no_kron);
    if (a->type->dims[1] != c->type->dims[0] || b->type->dims[1] != d->type->dims[0])
        return site_refuse(site, NULL, "the sizes of the factors do not fit");
    return site_put_alike(
        site, build_kron(st, node2(st, OP_MATMUL, NULL, a, c), node2(st, OP_MATMUL, NULL, b, d)));
}

/* Of both, if they are square. */
static bool of_both(Site *site, OpId op, Node **a, Node **b)
{
    Node *of = site->node->ops[0];
    if (!kron_of(site->st, of, a, b))
        return site_refuse(site, of, no_kron);
    if (!is_square(*a) || !is_square(*b))
        return site_refuse(site, of, "its factors are not square");
    *a = node1(site->st, op, NULL, *a);
    *b = node1(site->st, op, NULL, *b);
    return *a && *b;
}

static bool kron_trace(Site *site)
{
    Node *a, *b;
    return of_both(site, OP_TRACE, &a, &b) && site_put_alike(site, build_mul(site->st, a, b));
}

static bool kron_inverse(Site *site)
{
    Node *a, *b;
    return of_both(site, OP_INV, &a, &b) && site_put_alike(site, build_kron(site->st, a, b));
}

/* det(a)^m * det(b)^n, where a has n rows and b has m */
static bool kron_det(Site *site)
{
    Store *st = site->st;
    Node *a, *b;
    if (!of_both(site, OP_DET, &a, &b))
        return false;
    DType d = node_dtype(a);
    Node *n = node_cast(st, node_dim(st, a->ops[0], 0), d),
         *m = node_cast(st, node_dim(st, b->ops[0], 0), d), *left[] = {a, m}, *right[] = {b, n};
    return site_put_alike(site, build_mul(st, build_elementwise(st, OP_POW, 2, left),
                                          build_elementwise(st, OP_POW, 2, right)));
}

const CodeRule kron_rules[] = {
    {"kron-transpose", "saturate", HAZARD_E, OP_TRANSPOSE, kron_transpose,
     "the transpose of a Kronecker product", NULL},
    {"kron-product", "canonicalize", HAZARD_R | HAZARD_NPLUS | HAZARD_O, OP_MATMUL, kron_product,
     "the product of Kronecker products is that of their factors", NULL},
    {"kron-trace", "canonicalize", HAZARD_R | HAZARD_NPLUS | HAZARD_O, OP_TRACE, kron_trace,
     "the trace of a Kronecker product", NULL},
    {"kron-inverse", "canonicalize", HAZARD_R | HAZARD_NPLUS | HAZARD_S | HAZARD_O, OP_INV,
     kron_inverse, "the inverse of a Kronecker product; a singular matrix may go unnoticed", NULL},
    {"kron-det", "canonicalize", HAZARD_R | HAZARD_NPLUS | HAZARD_O, OP_DET, kron_det,
     "the determinant of a Kronecker product", NULL},
    {0}};
