/* Nodes as forms, operands first: arithmetic, sums, and what is an atom. */
#include "algebra/readers.h"
#include "ops/ops.h"
#include "rewrite/facts.h"

#include <math.h>

void algebra_init(Algebra *a, Store *st)
{
    FormDraft none = {0};
    *a = (Algebra){.st = st, .most_work = FORM_MOST_WORK};
    a->one = draft_close(a, &none);
    a->facts = xcalloc(1, sizeof *a->facts);
}

void algebra_free(Algebra *a)
{
    intern_free(&a->atoms);
    intern_free(&a->products);
    intern_free(&a->forms);
    vec_free(&a->gone);
    map_free(&a->of);
    map_free(&a->lengths);
    facts_free(a->facts);
    free(a->facts);
    arena_free(&a->arena);
}

/* ---- numbers ---- */

const Form *form_read_const(Algebra *a, const Node *n, const Form *const *x)
{
    DType d = node_dtype(n);
    FormCoef c;
    i64 whole;
    double number;
    (void)x;
    if (node_rank(n) || d == DT_BOOL)
        return NULL;
    if (!dtype_is_float(d) && node_const_i64(n, &whole))
        return form_number(a, d, coef_whole(d, whole));
    return node_const_f64(n, &number) && coef_of_number(d, number, &c) ? form_number(a, d, c)
                                                                       : NULL;
}

const Form *form_read_size(Algebra *a, const Node *n, const Form *const *x)
{
    (void)x;
    return form_of_size(a, DT_I64, n->attrs[0].size);
}

const Form *form_read_dim(Algebra *a, const Node *n, const Form *const *x)
{
    (void)x;
    return form_of_size(a, DT_I64, n->ops[0]->type->dims[n->attrs[0].i]);
}

/* Or of places along axes. */
static bool is_of_lengths(const FormProduct *p)
{
    for (u32 i = 0; i < p->nfactors; i++)
        if (p->factors[i].atom->kind != ATOM_LENGTH && p->factors[i].atom->kind != ATOM_PLACE)
            return false;
    return !p->nbound;
}

static const Form *cast_lifted(Algebra *a, const void *ctx, const Form *const *x)
{
    const DType *d = ctx;
    return form_cast(a, x[0], *d);
}

/* Lengths are small, and their products are taken for exact. */
const Form *form_cast(Algebra *a, const Form *x, DType d)
{
    static const i64 most = (i64)1 << 40;
    FormCoef truth;
    FormTerms terms = {0};
    if (!x || x->dtype == d)
        return x;
    if (x->choice)
        return form_lift(a, 1, &x, cast_lifted, &d);
    if (x->dtype == DT_BOOL)
        return form_is_number(x, &truth) ? form_number(a, d, truth) : NULL;
    bool ok = x->dtype == DT_I64 && d == DT_F64;
    for (u32 i = 0; i < x->nterms && ok; i++) {
        i64 c = x->terms[i].c.num;
        ok = is_of_lengths(x->terms[i].of) && c < most && c > -most;
        vec_push(&terms, x->terms[i]);
    }
    const Form *f = ok ? form_make(a, d, &terms) : NULL;
    vec_free(&terms);
    return f;
}

const Form *form_read_cast(Algebra *a, const Node *n, const Form *const *x)
{
    const Form *places = form_of_equal_places(a, x[0], node_dtype(n));
    return places ? places : form_cast(a, x[0], node_dtype(n));
}

/* ---- arithmetic ---- */

static void note_rounding(Algebra *a, DType d)
{
    a->classes |= dtype_is_float(d) ? HAZARD_R | HAZARD_O : 0;
}

/* An operand as numbers of n's dtype. */
static const Form *operand(Algebra *a, const Node *n, const Form *const *x, u32 i)
{
    DType d = n->type->dtype;
    note_rounding(a, d);
    return d == DT_BOOL ? NULL : form_cast(a, x[i], d);
}

/* What a sum is of, sums in it taken apart: of these, no forms are made, which would be as much as
 * there are terms in all of them. False: it is too much. */
static bool sum_operands(Algebra *a, const Node *n, NodeVec *out)
{
    NodeVec stack = {0};
    for (u32 i = n->nops; i-- > 0;)
        vec_push(&stack, n->ops[i]);
    while (stack.len && out->len < FORM_MOST_TERMS) {
        Node *top = stack.at[--stack.len];
        bool inner = top->op == OP_ADD && !map_has(&a->of, top);
        for (u32 i = top->nops; inner && i-- > 0;)
            vec_push(&stack, top->ops[i]);
        if (!inner)
            vec_push(out, top);
    }
    bool all = !stack.len;
    vec_free(&stack);
    return all || algebra_limit(a, FORM_MOST_TERMS, "terms of a sum");
}

const Form *form_read_add(Algebra *a, const Node *n, const Form *const *x)
{
    FormTerms terms = {0};
    NodeVec parts = {0};
    const Form *choices = NULL;
    bool ok = sum_operands(a, n, &parts);
    (void)x;
    note_rounding(a, n->type->dtype);
    for (size_t i = 0; i < parts.len && ok; i++) {
        const FormOf *o = map_get(&a->of, parts.at[i]);
        const Form *f =
            o && n->type->dtype != DT_BOOL ? form_cast(a, o->form, n->type->dtype) : NULL;
        ok = f != NULL;
        a->classes |= o ? o->classes : 0;
        a->classes |= ok && form_is_zero(f) ? (u32)HAZARD_Z : 0; /* -0 + 0 is 0 */
        if (ok && f->choice)
            choices = choices ? form_add(a, choices, f) : f;
        ok = ok && (!f->choice || choices);
        for (u32 k = 0; ok && k < f->nterms; k++)
            vec_push(&terms, f->terms[k]);
    }
    vec_free(&parts);
    const Form *f = ok ? form_make(a, n->type->dtype, &terms) : NULL;
    vec_free(&terms);
    return f && choices ? form_add(a, f, choices) : f;
}

static const Form *negative(Algebra *a, const Form *x)
{
    if (x && x->nterms > 1)
        a->classes |= FORM_EXPANDS;
    return x ? form_scale(a, x, coef_whole(x->dtype, -1)) : NULL;
}

const Form *form_read_sub(Algebra *a, const Node *n, const Form *const *x)
{
    const Form *left = operand(a, n, x, 0), *right = operand(a, n, x, 1);
    a->classes |= (left && !left->nterms) || (right && !right->nterms) ? (u32)HAZARD_Z : 0;
    return form_add(a, left, negative(a, right));
}

const Form *form_read_neg(Algebra *a, const Node *n, const Form *const *x)
{
    return negative(a, operand(a, n, x, 0));
}

const Form *form_read_mul(Algebra *a, const Node *n, const Form *const *x)
{
    const Form *f = operand(a, n, x, 0);
    for (u32 i = 1; i < n->nops && f; i++)
        f = form_mul(a, f, operand(a, n, x, i));
    return f;
}

const Form *form_read_reciprocal(Algebra *a, const Node *n, const Form *const *x)
{
    return form_power(a, operand(a, n, x, 0), -1);
}

const Form *form_read_div(Algebra *a, const Node *n, const Form *const *x)
{
    return form_mul(a, operand(a, n, x, 0), form_power(a, operand(a, n, x, 1), -1));
}

const Form *form_read_sqr(Algebra *a, const Node *n, const Form *const *x)
{
    return form_power(a, operand(a, n, x, 0), 2);
}

const Form *form_read_one_minus_sqr(Algebra *a, const Node *n, const Form *const *x)
{
    const Form *one = form_number(a, n->type->dtype, (FormCoef){1, 1});
    return form_add(a, one, negative(a, form_read_sqr(a, n, x)));
}

const Form *form_read_pow(Algebra *a, const Node *n, const Form *const *x)
{
    enum { MOST = 64 };
    FormCoef p;
    bool whole = x[1] && form_is_number(x[1], &p) && p.den == 1 && p.num <= MOST && p.num >= -MOST;
    if (!whole || (p.num < 0 && !dtype_is_float(n->type->dtype)))
        return NULL;
    return form_power(a, operand(a, n, x, 0), (int)p.num);
}

/* ---- sums ---- */

const Form *form_sum_axes(Algebra *a, const Form *x, int rank, u64 axes, Size *const *dims)
{
    FormIndex to[FORM_BOUND] = {{0}};
    Size *sizes[FORM_BOUND];
    u32 nbound = 0;
    if (x && x->choice && axes)
        return form_sum_choice(a, x, rank, axes, dims);
    for (int i = 0, left = 0; i < rank; i++) {
        if (!(axes >> i & 1)) {
            to[i] = index_name(left++);
        } else if (size_is(dims[i], 1)) {
            to[i] = (FormIndex){-1, 0, NULL};
        } else {
            sizes[nbound] = dims[i];
            to[i] = index_name(FORM_BOUND + (int)nbound++);
        }
    }
    return form_substitute(a, x, to, nbound, sizes);
}

static u64 axes_of(const IntList *axes)
{
    u64 set = 0;
    for (u32 i = 0; i < axes->n; i++)
        set |= 1ull << axes->at[i];
    return set;
}

const Form *form_read_sum(Algebra *a, const Node *n, const Form *const *x)
{
    const Type *t = n->ops[0]->type;
    if (t->dtype != n->type->dtype)
        return NULL;
    return form_sum_axes(a, operand(a, n, x, 0), t->rank, axes_of(n->attrs[0].ints), t->dims);
}

const Form *form_read_mean(Algebra *a, const Node *n, const Form *const *x)
{
    const Type *t = n->ops[0]->type;
    const Form *f = form_read_sum(a, n, x);
    for (u32 i = 0; i < n->attrs[0].ints->n && f; i++)
        f = form_mul(
            a, f, form_power(a, form_of_size(a, t->dtype, t->dims[n->attrs[0].ints->at[i]]), -1));
    return f;
}

const Form *form_read_trace(Algebra *a, const Node *n, const Form *const *x)
{
    const Type *t = n->ops[0]->type;
    FormIndex to[FORM_BOUND] = {{0}};
    if (t->rank != 2 || t->dims[0] != t->dims[1] || t->dtype != n->type->dtype)
        return NULL;
    bool one = size_is(t->dims[0], 1);
    to[0] = to[1] = one ? (FormIndex){-1, 0, NULL} : index_name(0);
    return form_sum_axes(a, form_substitute(a, operand(a, n, x, 0), to, 0, NULL), 1, !one, t->dims);
}

/* One side of a product: the axis that is summed over becomes the last name. */
static const Form *product_side(Algebra *a, const Form *x, const Type *t, const Type *result,
                                bool left, bool other_is_vector)
{
    FormIndex to[FORM_BOUND] = {{0}};
    int r = result->rank, own = t->rank > 1, batch = r - own - !other_is_vector;
    int kept = left ? t->rank - 2 : t->rank - 1, summed = !left && own ? t->rank - 2 : t->rank - 1;
    for (int i = 0; i + 2 < t->rank; i++)
        to[i] = index_name(batch - (t->rank - 2) + i);
    if (own)
        to[kept] = index_name(left ? batch : r - 1);
    to[summed] = index_name(r);
    return form_substitute(a, x, to, 0, NULL);
}

const Form *form_read_matmul(Algebra *a, const Node *n, const Form *const *x)
{
    const Type *left = n->ops[0]->type, *right = n->ops[1]->type;
    Size *dims[MAX_RANK + 1] = {NULL};
    int r = n->type->rank;
    if (left->dtype != n->type->dtype || right->dtype != n->type->dtype)
        return NULL;
    dims[r] = left->dims[left->rank - 1];
    if (size_is(dims[r], 1) != size_is(right->dims[right->rank > 1 ? right->rank - 2 : 0], 1))
        return NULL;
    const Form *f =
        form_mul(a, product_side(a, operand(a, n, x, 0), left, n->type, true, right->rank < 2),
                 product_side(a, operand(a, n, x, 1), right, n->type, false, left->rank < 2));
    return form_sum_axes(a, f, r + 1, 1ull << r, dims);
}

/* ---- whatever it is ---- */

static FormReader *const readers[OP_COUNT] = {
#define READ(ID, NAME, RUN) [OP_##ID] = form_read_##NAME,
#include "algebra/read.def"
#undef READ
};

static FormReader *const laws[OP_COUNT] = {
#define LAW(ID, NAME) [OP_##ID] = form_law_##NAME,
#include "algebra/laws.def"
#undef LAW
};

static bool has_form(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && n->type->dtype != DT_RNG;
}

static bool is_function(const Node *n)
{
    return op_is_elementwise(n->op) || n->op == OP_STOP_GRADIENT;
}

/* Is its value told by its operator and the forms of its operands? */
static bool is_told_by_operands(const Node *n)
{
    OpClass c = op_table[n->op].cls;
    return n->nops && c != CLASS_CONTROL && c != CLASS_IMPLICIT && c != CLASS_RANDOM &&
           (c != CLASS_STRUCTURAL || is_function(n));
}

/* ---- operators that only read their first operand elsewhere ---- */

static bool reads_elsewhere(OpId op) { return op == OP_RESHAPE || op == OP_GATHER; }

/* A term apart from what has no names: that commutes with any reading. */
typedef struct {
    const Form *inside, *outside;
} TermParts;

static TermParts term_parts(Algebra *a, DType d, const FormTerm *t)
{
    FormDraft in = {0}, out = {0};
    for (u32 i = 0; i < t->of->nfactors; i++) {
        FormProduct alone = {.nfactors = 1, .factors = &t->of->factors[i]};
        bool outside = !t->of->nbound && !product_free_names(&alone);
        if (outside)
            vec_push(&out.factors, t->of->factors[i]);
        else
            vec_push(&in.factors, t->of->factors[i]);
    }
    for (u32 i = 0; i < t->of->nbound; i++)
        vec_push(&in.sizes, t->of->sizes[i]);
    const Form *outside = form_of_product(a, d, draft_close(a, &out));
    TermParts parts = {.inside = form_of_product(a, d, draft_close(a, &in)),
                       .outside = outside ? form_scale(a, outside, t->c) : NULL};
    draft_free(&in);
    draft_free(&out);
    return parts;
}

/* What is read of a sum is the sum of what is read. NULL: a limit. */
static const Form *read_by_terms(Algebra *a, const Node *n, const Form *const *x)
{
    const Form *f = form_number(a, x[0]->dtype, (FormCoef){0, 1}), *args[MAX_RANK + 2];
    for (u32 i = 1; i < n->nops; i++)
        args[i] = x[i];
    for (u32 i = 0; i < x[0]->nterms && f; i++) {
        TermParts parts = term_parts(a, x[0]->dtype, &x[0]->terms[i]);
        args[0] = parts.inside;
        const Form *read = parts.inside && parts.outside
                               ? form_of_atom(a, atom_opaque(a, n, n->nops, args), n->type)
                               : NULL;
        f = read ? form_add(a, f, form_mul(a, parts.outside, read)) : NULL;
    }
    return f;
}

static const Form *read_atom(Algebra *a, Node *n, const Form *const *x)
{
    bool all = is_told_by_operands(n);
    for (u32 i = 0; i < n->nops && all; i++)
        all = x[i] && x[i]->depth < FORM_MOST_DEPTH;
    if (all && is_function(n)) {
        FormFactor f;
        return atom_function(a, n, n->nops, x, &f) ? form_of_factor(a, node_dtype(n), &f) : NULL;
    }
    if (all && reads_elsewhere(n->op) && !x[0]->choice && n->nops <= MAX_RANK + 2) {
        const Form *f = read_by_terms(a, n, x);
        if (f)
            return f;
    }
    return form_of_atom(a, all ? atom_opaque(a, n, n->nops, x) : atom_leaf(a, n), n->type);
}

static const Form *read_plain(Algebra *a, Node *n, const Form *const *x)
{
    FormReader *reader = readers[n->op];
    const Form *f = NULL;
    u32 classes = a->classes;
    bool all = reader != NULL;
    for (u32 i = 0; i < n->nops && all && n->op != OP_ADD; i++)
        all = x[i] != NULL;
    if (all)
        f = reader(a, n, x);
    if (f)
        return f;
    a->classes = classes;
    f = read_atom(a, n, x);
    return f ? f : form_of_atom(a, atom_leaf(a, n), n->type);
}

/* By a law that the operator has, or as it stands; of no choices. */
static const Form *read_related(Algebra *a, const void *node, const Form *const *x)
{
    const Node *n = node;
    u32 classes = a->classes;
    FormReader *law = laws[n->op];
    bool all = law != NULL;
    for (u32 i = 0; i < n->nops && all; i++)
        all = x[i] != NULL;
    const Form *f = all ? law(a, n, x) : NULL;
    if (f)
        return f;
    a->classes = classes;
    f = read_plain(a, (Node *)(uintptr_t)n, x);
    return f && f->dtype == DT_BOOL && !f->choice ? form_of_truth(a, f) : f;
}

/* With relations: what a composite stands for; choices among operands are those of the result. */
static const Form *read_operator(Algebra *a, Node *n, const Form *const *x)
{
    bool all = true;
    u32 classes = a->classes;
    if (!a->relations)
        return read_plain(a, n, x);
    for (u32 i = 0; i < n->nops; i++)
        all = all && x[i];
    bool lifted = all && is_function(n) && n->op != OP_ADD && form_has_choice(n->nops, x);
    const Form *f = lifted ? form_lift(a, n->nops, x, read_related, n) : NULL;
    if (!lifted)
        f = read_related(a, n, x);
    if (f && f->choice && !is_function(n)) {
        a->dims = n->type->dims;
        a->rank = n->type->rank;
        f = form_settle(a, f);
    }
    if (f)
        return f;
    a->classes = classes;
    f = form_of_atom(a, atom_leaf(a, n), n->type);
    return f && f->dtype == DT_BOOL ? form_of_truth(a, f) : f;
}

/* An error that would have stopped the program is gone with what is cancelled. */
static void note_errors(Algebra *a, Node *n)
{
    if (a->classes & HAZARD_NMINUS && !nodes_are_total(a->st, n))
        a->classes |= HAZARD_S;
}

static const Form *read_with_dims(Algebra *a, Node *n, const Form *const *x)
{
    bool known = is_function(n);
    a->dims = known ? n->type->dims : NULL;
    a->rank = known ? n->type->rank : 0;
    const Form *f = read_operator(a, n, x);
    a->dims = NULL;
    return f;
}

static bool has_float_operand(const Node *n)
{
    for (u32 i = 0; i < n->nops; i++)
        if (n->ops[i]->type->kind == TYPE_TENSOR && dtype_is_float(n->ops[i]->type->dtype))
            return true;
    return false;
}

static FormOf *read_node(Algebra *a, Node *n)
{
    FormOf *out = arena_alloc(&a->arena, sizeof *out);
    const Form **x = xmalloc((n->nops + 1) * sizeof *x);
    u32 below = 0;
    for (u32 i = 0; i < n->nops; i++) {
        const FormOf *o = map_get(&a->of, n->ops[i]);
        x[i] = o ? o->form : NULL;
        below |= o ? o->classes : 0;
    }
    a->classes = 0;
    a->most_work =
        a->work + FORM_NODE_WORK < FORM_MOST_WORK ? a->work + FORM_NODE_WORK : FORM_MOST_WORK;
    if (has_form(n) && a->work < a->most_work)
        out->form = read_with_dims(a, n, x);
    bool leaf = out->form && out->form->nterms == 1 && out->form->terms[0].of->nfactors == 1 &&
                out->form->terms[0].of->factors[0].atom->kind == ATOM_LEAF &&
                out->form->terms[0].of->factors[0].atom->node == n;
    if (!leaf)
        note_errors(a, n);
    if (out->form && !dtype_is_float(out->form->dtype) && !has_float_operand(n))
        a->classes &=
            HAZARD_S; /* of whole numbers nothing rounds, and nothing is hidden but errors */
    out->classes = a->classes | (leaf ? 0 : below);
    free(x);
    map_put(&a->of, n, out);
    return out;
}

/* What has to be read before it. */
static void push_unread(Algebra *a, const Node *n, NodeVec *stack)
{
    NodeVec parts = {0};
    bool sum = n->op == OP_ADD && n->type->kind == TYPE_TENSOR && sum_operands(a, n, &parts);
    size_t count = sum ? parts.len : n->nops;
    Node *const *at = sum ? parts.at : n->ops;
    for (size_t i = 0; i < count; i++)
        if (!map_has(&a->of, at[i]))
            vec_push(stack, at[i]);
    vec_free(&parts);
}

FormOf algebra_form(Algebra *a, Node *n)
{
    const FormOf *known = map_get(&a->of, n);
    if (known)
        return *known;
    NodeVec stack = {0};
    vec_push(&stack, n);
    while (stack.len) {
        Node *top = stack.at[stack.len - 1];
        size_t before = stack.len;
        if (!map_has(&a->of, top))
            push_unread(a, top, &stack);
        if (stack.len > before)
            continue;
        stack.len--;
        if (!map_has(&a->of, top))
            read_node(a, top);
    }
    vec_free(&stack);
    return *map_get(&a->of, n);
}
