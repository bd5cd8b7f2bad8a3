/* A quotient in place of sums and products of quotients, where something cancels over one
 * denominator: a - c * ((a * x + b) / (c * x + k)), over c * x + k, has no a * c * x.
 *
 * Invariant: the parts of the quotient have the forms that were asked for. What a nan was seen from
 * before is still read, so none is hidden; what is computed from infinite or very large numbers is
 * undefined only by overflow or an invalid operation, which a run is watched for (class O). */
#include "passes/simplify_fraction.h"

#include "algebra/parts.h"
#include "graph/walk.h"
#include "ops/build.h"

/* Between n and the sources, is all computed element by element? What it reads goes to *reads. */
static bool is_elementwise(const Regions *r, Node *n, NodeSet *reads)
{
    NodeVec order = {0};
    bool ok = true;
    nodes_topo_until(n, &r->sources.stop, &order);
    for (size_t i = 0; i < order.len; i++) {
        const Node *x = order.at[i];
        ok = ok && (op_is_elementwise(x->op) || x->op == OP_CONST);
        for (u32 k = 0; k < x->nops; k++)
            if (map_has(&r->sources.stop, x->ops[k]))
                set_add(reads, x->ops[k]);
    }
    vec_free(&order);
    return ok;
}

static bool reads_all(const Regions *r, Node *was, Node *now)
{
    NodeSet before = {0}, after = {0};
    bool ok = is_elementwise(r, was, &before) && is_elementwise(r, now, &after) &&
              before.len == after.len;
    map_free(&before);
    map_free(&after);
    return ok;
}

/* What has no axes stays a scalar. NULL: it is not made, or is not that form. */
static Node *part_back(Regions *r, const Form *f, Type *type)
{
    Type *t = form_free_names(f) ? type : type_scalar(r->st, f->dtype);
    Node *n = form_back(&r->algebra, f, t, &r->sources, true);
    return n && algebra_form(&r->algebra, n).form == f ? n : NULL;
}

static Node *below_back(Regions *r, const FormBelow *b, Type *type)
{
    Node *n = part_back(r, b->base, type);
    return n && b->power > 1
               ? node2(r->st, OP_POW, NULL, n, node_number(r->st, b->base->dtype, b->power))
               : n;
}

/* What all terms have in common comes out, as people write it. */
static Node *top_back(Regions *r, const Form *top, Type *type)
{
    Algebra *a = &r->algebra;
    const FormProduct *p = top->nterms > 1 ? form_common(a, top) : NULL;
    if (!p || !p->nfactors)
        return part_back(r, top, type);
    const Form *common = form_of_product(a, top->dtype, p), *over = form_power(a, common, -1);
    const Form *rest = over ? form_mul(a, top, over) : NULL;
    if (!rest || form_mul(a, rest, common) != top)
        return NULL;
    Node *x = part_back(r, common, type), *y = part_back(r, rest, type);
    return x && y ? build_mul(r->st, x, y) : NULL;
}

static u32 negative_terms(const Form *f)
{
    u32 n = 0;
    for (u32 i = 0; i < f->nterms; i++)
        n += f->terms[i].c.num < 0;
    return n;
}

/* -2 / (x^2 - 1) is 2 / (1 - x^2). Is a minus left for the whole? */
static bool take_sign_out(Algebra *a, FormFraction *f)
{
    const FormCoef minus = {-1, 1};
    if (negative_terms(f->top) < f->top->nterms)
        return false;
    f->top = form_scale(a, f->top, minus);
    for (u32 i = 0; i < f->n; i++)
        if (f->below[i].power % 2 && negative_terms(f->below[i].base)) {
            f->below[i].base = form_scale(a, f->below[i].base, minus);
            return false;
        }
    return true;
}

static Node *fraction_back(Regions *r, FormFraction *f, Type *type)
{
    bool minus = take_sign_out(&r->algebra, f);
    Node *top = f->top ? top_back(r, f->top, type) : NULL, *below = NULL;
    for (u32 i = 0; i < f->n && top; i++) {
        Node *n = f->below[i].base ? below_back(r, &f->below[i], type) : NULL;
        below = below && n ? build_mul(r->st, below, n) : n;
        if (!below)
            return NULL;
    }
    Node *q = top ? node2(r->st, OP_DIV, NULL, top, below) : NULL;
    q = q && minus ? build_neg(r->st, q) : q;
    return q && q->type == type ? q : NULL;
}

Node *simplify_fraction(Regions *r, Node *n, u32 *classes)
{
    FormFraction f;
    FormOf was = algebra_form(&r->algebra, n);
    if (!was.form || !form_fraction(&r->algebra, was.form, &f) || form_is_zero(f.top))
        return NULL;
    Node *now = fraction_back(r, &f, n->type);
    /* a zero that was added, or a number over itself, is gone from the form */
    *classes = HAZARD_R | HAZARD_NPLUS | HAZARD_O | (was.classes & HAZARD_Z);
    return now && now != n && reads_all(r, n, now) ? now : NULL;
}

bool simplify_fraction_pays(const BackCost *now, const BackCost *was)
{
    return now->work <= was->work * (1 + 1e-9) &&
           now->nodes + now->powers < was->nodes + was->powers;
}
