/* The table of builtins, elementwise operators by name, casts and derivatives. */
#include "graph/control.h"
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

static bool wanted(Elab *e, Args *a, int i, Wrt *w)
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
static Value *as_wanted(Elab *e, const Wrt *w)
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

/* checkpoint=k or checkpoint=auto, after truncate=. */
static bool checkpointed(Elab *e, Args *a, i64 *k)
{
    const int at = 4;
    Value *v = a->at[at];
    if (!v || v->kind == V_NONE)
        return true;
    if (v->kind == V_STRING && !strcmp(v->text, "auto")) {
        *k = CHECKPOINT_AUTO;
        return true;
    }
    if (!value_const_int(e, v, k, a->spans[at], "checkpoint"))
        return false;
    return *k >= 1 || (elab_error(e, a->spans[at], "type-mismatch", "`checkpoint=auto` chooses k",
                                  "checkpoint keeps every k-th state, k >= 1"),
                       false);
}

/* How far back it goes, and what is saved for it. */
static bool limited(Elab *e, Args *a, DeriveOptions *o)
{
    return truncated(e, a, &o->truncate) && checkpointed(e, a, &o->checkpoint);
}

static bool by_what(Elab *e, Args *a)
{
    if (a->at[1])
        return true;
    char hint[48];
    snprintf(hint, sizeof hint, "%s(%s, x)", a->builtin->name,
             strcmp(a->builtin->name, "jacobian") ? "loss" : "y");
    return elab_error(e, a->span, "arity", hint,
                      "grad needs a second argument: what to differentiate with respect to") !=
           NULL;
}

static Value *derived_function(Elab *e, Args *a)
{
    Value *v = value_of_kind(e, V_DERIVED);
    v->builtin = a->builtin;
    v->function = a->at[0];
    DeriveOptions *o = &v->derive;
    *o = whole_derivative;
    bool forward = !strcmp(a->builtin->name, "jvp"), product = forward;
    product = product || !strcmp(a->builtin->name, "vjp");
    bool ok = (product || wants_zero(e, a, &o->zero)) &&
              (forward ? truncated(e, a, &o->truncate) : limited(e, a, o));
    return ok ? v : NULL;
}

/* Is it asked of a function? Then *out is its derivative, a function; NULL after a diagnostic. */
static bool of_function(Elab *e, Args *a, Value **out)
{
    const Value *f = a->at[0];
    if (!value_is_function(f))
        return false;
    if (!a->at[1]) {
        *out = derived_function(e, a);
        return true;
    }
    char hint[160];
    snprintf(hint, sizeof hint, "%s(%.60s)(x%s)", a->builtin->name,
             f->kind == V_BUILTIN               ? f->builtin->name
             : f->kind == V_FUNCTION && f->text ? f->text
                                                : "f",
             a->at[2] ? ", v" : "");
    *out =
        elab_error(e, a->spans[0], "type-mismatch", hint,
                   "%s of a function takes that function alone and gives another one, which takes "
                   "the rest",
                   a->builtin->name);
    return true;
}

/* unconnected=keep: a derivative that is there is written so, whatever became of its loss. */
static bool keeps_all(Args *a)
{
    Value *v = a->at[2];
    return v && v->kind == V_STRING && !strcmp(v->text, "keep");
}

static Value *grad_of(Elab *e, Args *a, bool with_value)
{
    Value *derived;
    if (of_function(e, a, &derived))
        return derived;
    Node *loss = by_what(e, a) ? arg_node(e, a, 0) : NULL, *value = NULL;
    DeriveOptions o = whole_derivative;
    Wrt w;
    o.keep = keeps_all(a);
    if (!loss || !wanted(e, a, 1, &w) || (!o.keep && !wants_zero(e, a, &o.zero)) ||
        !limited(e, a, &o) ||
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
    Value *derived;
    if (of_function(e, a, &derived))
        return derived;
    if (!a->at[1] || !a->at[2])
        return elab_error(e, a->span, "arity", "vjp(y, x, ybar)",
                          "vjp needs y, x and the cotangent of y");
    Wrt y, w;
    DeriveOptions o = whole_derivative;
    if (!wanted(e, a, 0, &y) || !wanted(e, a, 1, &w) || !limited(e, a, &o) ||
        !derive_vectors(e, a->at[2], y.form, y.x, a->spans[2], "vjp", y.outs) ||
        !derive_vjp(e, y.n, y.x, w.n, w.x, y.outs, o, w.outs, a->span))
        return NULL;
    return as_wanted(e, &w);
}

BUILTIN(jvp)
{
    Value *derived;
    if (of_function(e, a, &derived))
        return derived;
    if (!a->at[1] || !a->at[2])
        return elab_error(e, a->span, "arity", "jvp(y, x, dx)",
                          "jvp needs y, x and the tangent of x");
    Wrt w;
    DeriveOptions o = whole_derivative;
    if (!wanted(e, a, 1, &w) || !truncated(e, a, &o.truncate) ||
        !derive_vectors(e, a->at[2], w.form, w.x, a->spans[2], "jvp", w.outs))
        return NULL;
    return derive_push(e, a->at[0], w.n, w.x, w.outs, o, a->spans[0], a->span);
}

BUILTIN(jacobian)
{
    Value *derived;
    if (of_function(e, a, &derived))
        return derived;
    Wrt w;
    DeriveOptions o = whole_derivative;
    if (!by_what(e, a) || !wanted(e, a, 1, &w) || !wants_zero(e, a, &o.zero) || !limited(e, a, &o))
        return NULL;
    return derive_jacobian(e, a->at[0], &w, o, a->spans[0], a->span);
}

BUILTIN(hessian)
{
    Value *derived;
    if (of_function(e, a, &derived))
        return derived;
    Node *loss = by_what(e, a) ? arg_node(e, a, 0) : NULL;
    DeriveOptions o = whole_derivative;
    Wrt w;
    if (!loss || !wanted(e, a, 1, &w) || !wants_zero(e, a, &o.zero) || !limited(e, a, &o))
        return NULL;
    return derive_hessian(e, loss, &w, o, a->span);
}

BUILTIN(stop_gradient)
{
    Wrt w;
    if (!wanted(e, a, 0, &w))
        return NULL;
    for (int i = 0; i < w.n; i++)
        if (!(w.outs[i] = node1(e->st, OP_STOP_GRADIENT, NULL, w.x[i])))
            return NULL;
    return as_wanted(e, &w);
}
