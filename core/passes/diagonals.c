/* Matrices that are a diagonal and zeros beside it: diag(v), eye(n).
 *
 * In C, as the rules of text have no instances of them to be tried on. */
#include "passes/code_rules.h"
#include "passes/places.h"

static bool is_eye(const Node *n) { return n->op == OP_EYE && n->nops == 1; }

/* The main diagonal of a matrix that was made of it; NULL: it was not. */
static Node *diagonal_of(const Node *n)
{
    bool made = n->op == OP_DIAG && n->attrs[0].i == 0 && n->type->rank == 2;
    return made ? n->ops[0] : NULL;
}

static const char no_diagonal[] = "it is not a diagonal matrix";

static Node *reduced(Store *st, OpId op, Node *x)
{
    return node1(st, op, &(Attr){.ints = all_axes(st, x->type->rank)}, x);
}

static bool det_diagonal(Site *site)
{
    Node *m = site->node->ops[0], *v = diagonal_of(m);
    if (is_eye(m))
        return site_put_alike(site, build_ones_like(site->st, site->node));
    return v ? site_put_alike(site, reduced(site->st, OP_PROD, v))
             : site_refuse(site, m, no_diagonal);
}

/* A matrix that is zero but for one diagonal; *k: which. */
static bool on_one_diagonal(const Node *n, i64 *k)
{
    *k = n->op == OP_DIAG ? n->attrs[0].i : 0;
    if (n->op == OP_EYE)
        return n->nops < 3 || node_const_i64(n->ops[2], k);
    return n->op == OP_DIAG && n->type->rank == 2;
}

static bool trace_diagonal(Site *site)
{
    Node *m = site->node->ops[0], *v = diagonal_of(m);
    i64 k;
    if (on_one_diagonal(m, &k) && k)
        return site_put_alike(site, build_zeros_like(site->st, site->node));
    return v ? site_put_alike(site, reduced(site->st, OP_SUM, v))
             : site_refuse(site, m, no_diagonal);
}

static bool inverse_diagonal(Site *site)
{
    Node *m = site->node->ops[0], *v = diagonal_of(m);
    Node *each = v ? node1(site->st, OP_RECIPROCAL, NULL, v) : NULL;
    if (!v)
        return site_refuse(site, m, no_diagonal);
    return site_put_alike(site, each ? node1(site->st, OP_DIAG, m->attrs, each) : NULL);
}

static bool inverse_eye(Site *site)
{
    Node *m = site->node->ops[0];
    return is_eye(m) ? site_put_alike(site, m) : site_refuse(site, m, "it is not the identity");
}

static bool solve_eye(Site *site)
{
    Node *n = site->node;
    return is_eye(n->ops[1]) ? site_put_alike(site, node1(site->st, OP_INV, NULL, n->ops[0]))
                             : site_refuse(site, n->ops[1], "it is not the identity");
}

static bool transpose_diagonal(Site *site)
{
    Node *m = site->node->ops[0];
    return is_eye(m) || diagonal_of(m) ? site_put_alike(site, m)
                                       : site_refuse(site, m, no_diagonal);
}

/* The diagonal that was set, wherever it lies; any other is zero. */
static bool diagonal_set(Site *site)
{
    Node *n = site->node, *m = n->ops[0];
    i64 k;
    if (n->type->rank != 1 || !on_one_diagonal(m, &k))
        return site_refuse(site, m, no_diagonal);
    if (k != n->attrs[0].i)
        return site_put_alike(site, build_zeros_like(site->st, n));
    return site_put_alike(site, m->op == OP_EYE ? build_ones_like(site->st, n) : m->ops[0]);
}

/* What a factor of eye(n) has on the diagonal: a number, or what is repeated along one of its axes.
 * NULL: there is more to it. */
static Node *on_diagonal(Node *n)
{
    if (!n->type->rank)
        return n;
    return n->op == OP_BROADCAST && n->ops[0]->type->rank <= 1 ? n->ops[0] : NULL;
}

/* eye(n) * v, by its diagonal v; NULL: it is another matrix. */
static Node *scaled_diagonal(Store *st, const Node *n)
{
    Node *v = NULL;
    u32 eyes = 0;
    for (u32 i = 0; n->op == OP_MUL && i < n->nops; i++) {
        bool eye = is_eye(n->ops[i]);
        Node *own = eye ? NULL : on_diagonal(n->ops[i]);
        eyes += eye;
        if (!eye && !own)
            return NULL;
        v = v && own ? build_mul(st, v, own) : own ? own : v;
    }
    return eyes == 1 && v && v->type->rank == 1 ? v : NULL;
}

/* diag(v) @ x, x @ diag(v): each element by its own. */
static bool diagonal_times(Site *site)
{
    Node *n = site->node;
    for (int side = 0; side < 2; side++) {
        Node *m = n->ops[side], *x = n->ops[1 - side], *v = diagonal_of(m);
        v = v ? v : scaled_diagonal(site->st, m);
        if (!v || x->type->rank > 2)
            continue;
        Node *other = diagonal_of(x), *both = other ? build_mul(site->st, v, other) : NULL;
        if (both)
            return site_put_alike(site, node1(site->st, OP_DIAG, x->attrs, both));
        bool rows = x->type->rank == 2 && side == 0;
        Node *by = rows ? build_expand(site->st, v, 1) : v;
        return site_put_alike(site, by ? build_mul(site->st, by, x) : NULL);
    }
    return site_refuse(site, NULL, no_diagonal);
}

/* The sum of a diagonal is a trace. */
static bool sum_diagonal(Site *site)
{
    Node *n = site->node, *d = n->ops[0];
    if (d->op != OP_DIAG || d->type->rank != 1 || d->attrs[0].i || n->type->rank)
        return site_refuse(site, d, "it is not a diagonal matrix");
    return site_put_alike(site, node1(site->st, OP_TRACE, NULL, d->ops[0]));
}

/* Sums of what is 1 on the diagonal: ones on and below it, or above. */
static Node *cumsum_eye_of(Store *st, const Node *n)
{
    bool lower = (n->attrs[0].i == 1) == (n->attrs[1].i != 0);
    Node *ones = build_ones_like(st, n->ops[0]);
    return ones ? node1(st, OP_TRIANGLE, (Attr[]){{.i = lower}, {.i = 0}}, ones) : NULL;
}

static bool cumsum_eye(Site *site)
{
    Node *n = site->node;
    return is_eye(n->ops[0]) ? site_put_alike(site, cumsum_eye_of(site->st, n))
                             : site_refuse(site, n->ops[0], "it is not the identity");
}

#define CANON(NAME, CLASSES, OP_, FN, REASON)                \
    {                                                        \
        NAME, "canonicalize", CLASSES, OP_, FN, REASON, NULL \
    }
const CodeRule diagonal_rules[] = {
    CANON("det-diagonal", HAZARD_R | HAZARD_NPLUS | HAZARD_O, OP_DET, det_diagonal,
          "the determinant is the product of the diagonal"),
    CANON("trace-diagonal", HAZARD_R, OP_TRACE, trace_diagonal,
          "the same diagonal that the matrix was made from"),
    CANON("cumsum-eye", HAZARD_E, OP_CUMSUM, cumsum_eye, "running sums of the identity"),
    CANON("inverse-diagonal", HAZARD_R | HAZARD_S, OP_INV, inverse_diagonal,
          "inverted element by element; a singular matrix may go unnoticed"),
    CANON("inv-eye", HAZARD_E, OP_INV, inverse_eye, "the identity is its own inverse"),
    CANON("solve-eye", HAZARD_R, OP_SOLVE, solve_eye, "by the definition of the inverse"),
    CANON("transpose-diagonal", HAZARD_E, OP_TRANSPOSE, transpose_diagonal, "it is symmetric"),
    CANON("diagonal-set", HAZARD_E, OP_DIAG, diagonal_set,
          "the same diagonal that the matrix was made from"),
    CANON("diagonal-times", HAZARD_R | HAZARD_NPLUS, OP_MATMUL, diagonal_times,
          "each row or column is scaled by its own number"),
    CANON("sum-diagonal", HAZARD_R, OP_SUM, sum_diagonal, "by its definition"),
    {0}};
