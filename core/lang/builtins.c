/* The table of builtins, elementwise operators by name, casts and derivatives. */
#include "lang/builtins.h"

#define B(NAME, SIG, DOC) Value *builtin_##NAME(Elab *e, Args *a);
#include "lang/builtins.def"
#undef B

static Value *apply_elementwise(Elab *e, Args *a);

const Builtin builtins[] = {
#define B(NAME, SIG, DOC) {#NAME, SIG, builtin_##NAME, DOC},
#include "lang/builtins.def"
#undef B
#define ELEM1(ID, NAME, F64, F32, INT, DERIV, NUMPY, LO, HI, FACTS, WORK, DOC) \
    {NAME, "x", apply_elementwise, DOC},
#define ELEM2(ID, NAME, F64, F32, INT, DX, DZ, NUMPY, LO, HI, FACTS, ORDER, WORK, DOC) \
    {NAME, (ORDER)&NARY ? "x, z, ..." : "x, z", apply_elementwise, DOC},
#include "ops/elem.def"
#undef ELEM1
#undef ELEM2
};
const size_t builtin_count = COUNT_OF(builtins);

/* Where each group begins among the rows of builtins.def. */
enum {
#define GROUP(ID, TITLE) FIRST_OF_##ID, BEFORE_##ID = FIRST_OF_##ID - 1,
#define B(NAME, SIG, DOC) ROW_OF_##NAME,
#include "lang/builtins.def"
#undef B
    ROW_COUNT
};

static const struct {
    BuiltinGroup group;
    int first;
} groups[] = {
#define GROUP(ID, TITLE) {{#ID, TITLE}, FIRST_OF_##ID},
#define B(...)
#include "lang/builtins.def"
#undef B
};

const BuiltinGroup *builtin_group(size_t k)
{
    return k < COUNT_OF(groups) ? &groups[k].group : NULL;
}

const BuiltinGroup *builtin_group_of(const Builtin *b)
{
    int row = (int)(b - builtins);
    size_t k = COUNT_OF(groups) - 1;
    if (row >= ROW_COUNT) /* elem.def */
        return &groups[0].group;
    while (groups[k].first > row)
        k--;
    return &groups[k].group;
}

const Builtin *builtin_by_name(const char *name)
{
    for (size_t i = 0; i < builtin_count; i++)
        if (!strcmp(builtins[i].name, name))
            return &builtins[i];
    return NULL;
}

/* One sum or product of all operands, which fit as they are. */
static Value *apply_nary(Elab *e, Args *a, OpId op)
{
    NodeVec ops = {0};
    bool ok = true;
    for (int i = 0; i < 2 + a->nrest && ok; i++) {
        Value *v = i < 2 ? a->at[i] : a->rest[i - 2];
        vec_push(&ops, value_to_node(e, v, a->span, a->builtin->name));
        ok = ops.at[i] && ops.at[i]->type->kind == TYPE_TENSOR;
    }
    Node *n = ok ? node_make(e->st, op, NULL, (u32)ops.len, ops.at) : NULL;
    vec_free(&ops);
    return value_node(e, n);
}

static Value *apply_elementwise(Elab *e, Args *a)
{
    OpId op = op_by_name(a->builtin->name);
    Node *ops[2];
    int n = a->n > 2 ? 2 : a->n;
    for (int i = 0; i < n; i++) {
        ops[i] = arg_tensor(e, a, i);
        if (!ops[i])
            return NULL;
    }
    if (n == 2) {
        args_meet(e, a, 0, 2, ops);
        if (!ops[0] || !ops[1])
            return NULL;
    }
    e->st->span = a->span;
    return a->nrest ? apply_nary(e, a, op)
                    : value_node(e, build_elementwise(e->st, op, (u32)n, ops));
}

/* ---- casts ---- */

static Value *cast_to(Elab *e, Args *a, DType d)
{
    Node *n = arg_node(e, a, 0);
    if (!n)
        return NULL;
    if (n->type->kind != TYPE_TENSOR || n->type->dtype == DT_RNG)
        return elab_error(e, a->spans[0], "type-mismatch", NULL, "%s cannot be cast to %s",
                          shape_text(e->st, n->type), dtype_name(d));
    if (value_plain(e, a->at[0])->weak && n->op == OP_CONST && dtype_is_number(d))
        return value_node(e, weak_retype(e->st, n, d));
    return value_node(e, node_cast(e->st, n, d));
}
BUILTIN(bool) { return cast_to(e, a, DT_BOOL); }
BUILTIN(i32) { return cast_to(e, a, DT_I32); }
BUILTIN(i64) { return cast_to(e, a, DT_I64); }
BUILTIN(f32) { return cast_to(e, a, DT_F32); }
BUILTIN(f64) { return cast_to(e, a, DT_F64); }

/* ---- derivatives ---- */

/* What a second argument wants: one node, or those of a tuple or of a list in brackets, which may
 * nest; and room for what is found for each. */
typedef struct {
    Value *form;
    int n;
    Node **x, **outs;
} Wanted;

static bool wanted(Elab *e, Args *a, int i, Wanted *w)
{
    ValueVec leaves = {0};
    w->form = value_plain(e, a->at[i]);
    bool ok = w->form && value_leaves(e, w->form, &leaves);
    if (w->form && !ok) /* says of a part what it is */
        for (int k = 0; k < (w->form->kind == V_TUPLE ? w->form->nitems : 1); k++)
            if (!value_to_node(e, w->form->kind == V_TUPLE ? w->form->items[k] : w->form,
                               a->spans[i], a->builtin->name))
                break;
    w->n = ok ? (int)leaves.len : 0;
    w->x = arena_alloc(e->arena, 2 * ((size_t)w->n + 1) * sizeof *w->x);
    w->outs = w->x + w->n;
    for (int k = 0; k < w->n; k++)
        w->x[k] = leaves.at[k]->node;
    vec_free(&leaves);
    return ok;
}

/* The outs in the form in which they were asked for. */
static Value *as_wanted(Elab *e, const Wanted *w)
{
    int used = 0;
    return value_in_form(e, w->form, w->outs, &used);
}

static bool wants_zero(Elab *e, Args *a, bool *zero)
{
    *zero = false;
    Value *v = a->at[2];
    if (!v || v->kind == V_NONE)
        return true;
    if (v->kind == V_STRING && !strcmp(v->text, "zero"))
        return *zero = true;
    return elab_error(e, a->spans[2], "type-mismatch", "write unconnected=zero",
                      "this is not a policy"),
           false;
}

static Value *derived_function(Elab *e, Args *a)
{
    if (strcmp(a->builtin->name, "jvp") && a->at[3] && a->at[3]->kind != V_NONE)
        return elab_error(e, a->spans[3], "arity", "write grad(loss, x, truncate=k)",
                          "the derivative of a function is not truncated");
    Value *v = value_of_kind(e, V_DERIVED);
    v->builtin = a->builtin;
    v->function = a->at[0];
    bool grad = strcmp(a->builtin->name, "jvp") && strcmp(a->builtin->name, "vjp");
    return !grad || wants_zero(e, a, &v->zero) ? v : NULL;
}

/* truncate=k, the argument after all others. */
static bool truncated(Elab *e, Args *a, i64 *k)
{
    const int at = 3;
    Value *v = a->at[at];
    if (!v || v->kind == V_NONE)
        return true;
    if (!value_const_int(e, v, k, a->spans[at], "truncate"))
        return false;
    return *k >= 0 ||
           (elab_error(e, a->spans[at], "type-mismatch", "truncate=0 lets nothing through a loop",
                       "a derivative cannot go through %lld steps", (long long)*k),
            false);
}

/* unconnected=keep: a derivative that is there is written so, whatever became of its loss. */
static bool keeps_all(Args *a)
{
    Value *v = a->at[2];
    return v && v->kind == V_STRING && !strcmp(v->text, "keep");
}

static Value *grad_of(Elab *e, Args *a, bool with_value)
{
    if (value_is_function(a->at[0]) && !a->at[1])
        return derived_function(e, a);
    if (!a->at[1])
        return elab_error(e, a->span, "arity", "grad(loss, x)",
                          "what should be differentiated by?");
    Node *loss = arg_node(e, a, 0), *value = NULL;
    DeriveOptions o = whole_derivative;
    Wanted w;
    o.keep = keeps_all(a);
    if (!loss || !wanted(e, a, 1, &w) || (!o.keep && !wants_zero(e, a, &o.zero)) ||
        !truncated(e, a, &o.truncate) ||
        !derive_grad(e, loss, w.n, w.x, o, w.outs, with_value ? &value : NULL, a->span))
        return NULL;
    Value *g = as_wanted(e, &w);
    if (!with_value)
        return g;
    Value *pair[] = {value_node(e, value), g};
    return value_tuple(e, 2, pair);
}
BUILTIN(grad) { return grad_of(e, a, false); }
BUILTIN(value_and_grad) { return grad_of(e, a, true); }

BUILTIN(vjp)
{
    if (value_is_function(a->at[0]) && !a->at[1])
        return derived_function(e, a);
    if (!a->at[1] || !a->at[2])
        return elab_error(e, a->span, "arity", "vjp(y, x, ybar)",
                          "vjp needs y, x and the cotangent of y");
    Wanted y, w;
    DeriveOptions o = whole_derivative;
    if (!wanted(e, a, 0, &y) || !wanted(e, a, 1, &w) || !truncated(e, a, &o.truncate) ||
        !derive_vectors(e, a->at[2], y.form, y.x, a->spans[2], "vjp", y.outs) ||
        !derive_vjp(e, y.n, y.x, w.n, w.x, y.outs, o, w.outs, a->span))
        return NULL;
    return as_wanted(e, &w);
}

BUILTIN(jvp)
{
    if (value_is_function(a->at[0]) && !a->at[1])
        return derived_function(e, a);
    if (!a->at[1] || !a->at[2])
        return elab_error(e, a->span, "arity", "jvp(y, x, dx)",
                          "jvp needs y, x and the tangent of x");
    Wanted w;
    if (!wanted(e, a, 1, &w) ||
        !derive_vectors(e, a->at[2], w.form, w.x, a->spans[2], "jvp", w.outs))
        return NULL;
    return derive_push(e, a->at[0], w.n, w.x, w.outs, a->spans[0], a->span);
}

/* 1 on the diagonal, of the dtype of a vector and its length. */
static Node *identity(Store *st, Node *vector)
{
    Attr dtype = {.i = (i64)vector->type->dtype};
    Node *n = node_dim(st, vector, 0);
    return n ? node1(st, OP_EYE, &dtype, n) : NULL;
}

/* The rows of the Jacobian: vmap of vjp over the rows of the identity. */
static Node *jacobian_rows(Elab *e, Node *flat, Node *x, Span span)
{
    Store *st = e->st;
    Node *ybar = node_hole(st, flat->type, symbol(st, "ybar")), *row = NULL;
    return ybar && derive_vjp(e, 1, &flat, 1, &x, &ybar, whole_derivative, &row, span)
               ? vmap_rows(e, row, ybar, identity(st, flat), span)
               : NULL;
}

static Value *jacobian_of(Elab *e, Node *y, Node *x, Span span)
{
    Store *st = e->st;
    if (y->type->kind != TYPE_TENSOR || y->type->rank + x->type->rank > MAX_RANK)
        return elab_error(e, span, "rank", NULL, "this Jacobian would have more than %d axes",
                          MAX_RANK);
    Node *out;
    DeriveOptions o = whole_derivative;
    o.zero = true; /* whether y may be unconnected was asked before */
    if (y->type->rank == 0)
        return derive_grad(e, y, 1, &x, o, &out, NULL, span) ? value_node(e, out) : NULL;
    Node *dims[MAX_RANK];
    for (int k = 0; k < y->type->rank; k++)
        dims[k] = node_dim(st, y, k);
    Node *flat = build_merged(st, y, 0, y->type->rank);
    Node *rows = flat ? jacobian_rows(e, flat, x, span) : NULL;
    if (!rows || y->type->rank == 1)
        return value_node(e, rows);
    for (int k = 0; k < x->type->rank; k++)
        dims[y->type->rank + k] = node_dim(st, x, k);
    return value_node(e, build_reshape(st, rows, y->type->rank + x->type->rank, dims));
}

/* The Jacobians of y by each of w, in w's form. */
static Value *jacobians(Elab *e, Node *y, const Wanted *w, Span span)
{
    Value **items = arena_alloc(e->arena, ((size_t)w->n + 1) * sizeof *items);
    int used = 0;
    for (int i = 0; i < w->n; i++)
        if (!(items[i] = jacobian_of(e, y, w->x[i], span)))
            return NULL;
    return value_of_leaves(e, w->form, items, &used);
}

/* In the form of the ys, for each what is in the form of the xs. */
static Value *jacobians_of(Elab *e, Value *form, int n, Node *const *y, const Wanted *w, Span span)
{
    Value **rows = arena_alloc(e->arena, ((size_t)n + 1) * sizeof *rows);
    int used = 0;
    for (int i = 0; i < n; i++)
        if (!(rows[i] = jacobians(e, y[i], w, span)))
            return NULL;
    return value_of_leaves(e, form, rows, &used);
}

BUILTIN(jacobian)
{
    Wanted y, w;
    bool zero;
    if (!wanted(e, a, 0, &y) || !wanted(e, a, 1, &w) || !wants_zero(e, a, &zero))
        return NULL;
    for (int i = 0; i < y.n; i++)
        if (!derive_connected(e, y.x[i], w.n, w.x, zero, a->span))
            return NULL;
    return jacobians_of(e, y.form, y.n, y.x, &w, a->span);
}

BUILTIN(hessian)
{
    Node *loss = arg_node(e, a, 0);
    DeriveOptions o = whole_derivative;
    Wanted w;
    if (!loss || !wanted(e, a, 1, &w) || !wants_zero(e, a, &o.zero) ||
        !derive_grad(e, loss, w.n, w.x, o, w.outs, NULL, a->span))
        return NULL;
    return jacobians_of(e, w.form, w.n, w.outs, &w, a->span);
}

BUILTIN(stop_gradient)
{
    Wanted w;
    if (!wanted(e, a, 0, &w))
        return NULL;
    for (int i = 0; i < w.n; i++)
        if (!(w.outs[i] = node1(e->st, OP_STOP_GRADIENT, NULL, w.x[i])))
            return NULL;
    return as_wanted(e, &w);
}
