/* Tuples as values: their structure, their parts, and that they are vectors.
 *
 * Invariant: names and their order belong to the structure; what asks whether two structures are
 * the same asks here. */
#include "lang/elab.h"

/* ---- structure ---- */

static void put_structure(Elab *e, Text *out, Value *v)
{
    v = value_plain(e, v);
    if (!v || v->kind != V_TUPLE) {
        text_put(out, v ? value_describe(e, v) : "?");
        return;
    }
    text_putc(out, '(');
    for (int i = 0; i < v->nitems; i++) {
        text_put(out, i ? ", " : "");
        if (v->names)
            text_printf(out, "%s: ", v->names[i]);
        put_structure(e, out, v->items[i]);
    }
    text_put(out, v->nitems == 1 && !v->names ? ",)" : ")");
}

const char *tuple_structure(Elab *e, Value *v)
{
    Text t = {0};
    put_structure(e, &t, v);
    const char *kept = arena_strndup(e->arena, text_str(&t), t.len);
    text_free(&t);
    return kept;
}

bool tuple_same(Elab *e, Value *a, Value *b)
{
    a = value_plain(e, a), b = value_plain(e, b);
    bool tuples = a && b && a->kind == V_TUPLE && b->kind == V_TUPLE;
    bool same = tuples ? a->nitems == b->nitems && !a->names == !b->names
                       : a && b && a->kind != V_TUPLE && b->kind != V_TUPLE;
    for (int i = 0; same && tuples && i < a->nitems; i++)
        same = (!a->names || a->names[i] == b->names[i]) && tuple_same(e, a->items[i], b->items[i]);
    return same;
}

bool tuple_check(Elab *e, Value *a, Value *b, Span span, const char *hint, const char *what)
{
    if (tuple_same(e, a, b))
        return true;
    Text t = {0};
    const char *sides[] = {tuple_structure(e, a), tuple_structure(e, b)};
    int k = 0;
    for (const char *c = what; *c; c++)
        if (c[0] == '%' && c[1] == 's' && k < 2)
            text_put(&t, sides[k++]), c++;
        else
            text_putc(&t, *c);
    elab_error(e, span, "type-mismatch", hint, "%s", text_str(&t));
    text_free(&t);
    return false;
}

bool tuple_leaves(Elab *e, Value *v, Span span, const char *what, ValueVec *out)
{
    if (value_leaves(e, v, out))
        return true;
    if (value_plain(e, v))
        elab_error(e, span, "type-mismatch", NULL, "%s must be made of tensors, but this is %s",
                   what, tuple_structure(e, v));
    return false;
}

/* ---- parts ---- */

int tuple_part(const Value *v, const char *name)
{
    int i = v->kind == V_TUPLE && v->names ? v->nitems : 0;
    while (i-- > 0 && strcmp(v->names[i], name)) {
    }
    return i;
}

Symbol tuple_path(Elab *e, const char *whole, const Value *v, int i)
{
    Text t = {0};
    if (v->names)
        text_printf(&t, "%s.%s", whole, v->names[i]);
    else
        text_printf(&t, "%s.%d", whole, i);
    Symbol s = symbol(e->st, text_str(&t));
    text_free(&t);
    return s;
}

void tuple_paths(Elab *e, const char *whole, Value *v, SymbolVec *out)
{
    v = value_plain(e, v);
    if (v && v->kind == V_NODE)
        vec_push(out, symbol(e->st, whole));
    for (int i = 0; v && v->kind == V_TUPLE && i < v->nitems; i++)
        tuple_paths(e, tuple_path(e, whole, v, i), v->items[i], out);
}

Value *tuple_field(Elab *e, Value *v, const char *name, Span span)
{
    int i = tuple_part(v, name);
    if (i >= 0)
        return v->items[i];
    char hint[128];
    const char *near = v->names ? closest_name(name, v->names, (size_t)v->nitems) : NULL;
    snprintf(hint, sizeof hint, near ? "did you mean .%.80s?" : "its parts are read with [0], [1]",
             near);
    return elab_error(e, span, "unknown-field", near || !v->names ? hint : NULL,
                      "the tuple %s has no part %s", tuple_structure(e, v), name);
}

Value *tuple_item(Elab *e, Value *v, Expr *x)
{
    i64 k;
    Value *i = x->nsubs == 1 && x->subs[0].kind == SUB_INDEX && !x->subs[0].name
                   ? elab_expr(e, x->subs[0].index)
                   : NULL;
    if (!i)
        return elab_error(e, x->span, "index", NULL, "a tuple takes one constant index");
    if (!value_const_int(e, i, &k, x->subs[0].span, "the index of a tuple"))
        return NULL;
    i64 at = k < 0 ? k + v->nitems : k;
    if (at < 0 || at >= v->nitems)
        return elab_error(e, x->subs[0].span, "index", NULL,
                          "the tuple has %d items, there is no item %lld", v->nitems, (long long)k);
    return v->items[at];
}

/* A tensor that takes the place of another: a weak number takes its dtype, and the type stays. */
static Value *tuple_like_part(Elab *e, const Value *was, Value *part, const char *name, Span span)
{
    Type *want = was->node->type;
    Node *n = value_as(e, part, want->dtype, span, "with");
    if (!n)
        return NULL;
    if (n->type->dtype == want->dtype && type_compatible(e->st, n->type, want))
        return part->kind == V_NODE && part->weak && was->weak ? value_weak(e, n)
                                                               : value_node(e, n);
    return elab_error(e, span, n->type->dtype != want->dtype ? "type-mismatch" : "shape-mismatch",
                      "a part of a tuple keeps its type", "the part %s is %s and cannot become %s",
                      name, shape_text(e->st, want), shape_text(e->st, n->type));
}

Value *tuple_with(Elab *e, Value *v, const char *path, Value *part, bool add, const Span at[3])
{
    v = value_plain(e, v);
    if (!v)
        return NULL;
    if (v->kind != V_TUPLE)
        return elab_error(e, at[0], "type-mismatch", "a part of an array is written with [i] = v",
                          "`with .%s` changes a part of a tuple, but this is %s", path,
                          value_describe(e, v));
    size_t len = strcspn(path, ".");
    const char *name = arena_strndup(e->arena, path, len);
    Value *was = value_plain(e, tuple_field(e, v, name, at[2])), *now = part;
    if (!was)
        return NULL;
    if (path[len])
        now = tuple_with(e, was, path + len + 1, part, add, at);
    else if (add)
        now = elab_binary(e, AST_ADD, was, part, at[2], at[1], at[2]);
    else if (was->kind == V_NODE)
        now = tuple_like_part(e, was, part, name, at[1]);
    else if (!tuple_check(e, was, part, at[1], "a part of a tuple keeps its form",
                          "the part is %s and cannot become %s"))
        return NULL;
    if (!now)
        return NULL;
    Value **items = arena_alloc(e->arena, ((size_t)v->nitems + 1) * sizeof *items);
    memcpy(items, v->items, (size_t)v->nitems * sizeof *items);
    items[tuple_part(v, name)] = now;
    return value_tuple_like(e, v, items);
}

/* ---- vectors ---- */

/* (a = 1) where a bool is expected: most likely it was to be compared. */
static const char *comparison_meant(AstOp op, const Value *v)
{
    bool logic = op == AST_AND || op == AST_OR || op == AST_NOT;
    return logic && v->kind == V_TUPLE && v->names && v->nitems == 1 ? "to compare write `==`"
                                                                     : NULL;
}

/* (re=, im=) */
static bool is_complex(const Value *v)
{
    return v->kind == V_TUPLE && v->names && v->nitems == 2 && !strcmp(v->names[0], "re") &&
           !strcmp(v->names[1], "im");
}

/* A product or quotient with a complex number has functions of its own; NULL: it is none. */
static const char *complex_hint(AstOp op, const Value *a, const Value *b)
{
    if (!is_complex(a) && !is_complex(b))
        return NULL;
    return op == AST_MUL   ? "for complex numbers: cmul(p, q)"
           : op == AST_DIV ? "for complex numbers: cdiv(p, q)"
                           : NULL;
}

/* What to write for an operator that tuples do not have. */
static Value *no_operator(Elab *e, AstOp op, const Value *a, const Value *b, Span at)
{
    const char *sign = ast_op_text(op);
    char hint[160];
    if (a->kind == V_TUPLE && b->kind == V_TUPLE)
        snprintf(hint, sizeof hint, "part by part: map((a, b) -> a %s b, p, q)", sign);
    else
        snprintf(hint, sizeof hint, "for each part: map(a -> %s %s %s, p)",
                 a->kind == V_TUPLE ? "a" : "c", sign, a->kind == V_TUPLE ? "c" : "a");
    const char *meant = comparison_meant(op, a);
    meant = meant ? meant : comparison_meant(op, b);
    meant = meant ? meant : complex_hint(op, a, b);
    return elab_error(e, at, "type-mismatch", meant ? meant : hint,
                      "`%s` of %s and %s: tuples are added, subtracted and scaled by one number",
                      sign, value_describe(e, (Value *)(uintptr_t)a),
                      value_describe(e, (Value *)(uintptr_t)b));
}

static bool is_one_number(const Value *v)
{
    return v->kind == V_NODE && type_is_scalar(v->node->type) &&
           dtype_is_number(v->node->type->dtype);
}

Value *tuple_binary(Elab *e, AstOp op, Value *a, Value *b, const Span at[3])
{
    bool both = a->kind == V_TUPLE && b->kind == V_TUPLE;
    Value *whole = a->kind == V_TUPLE ? a : b, *other = whole == a ? b : a;
    Span span = span_join(at[0], at[1]);
    bool fits = both ? op == AST_ADD || op == AST_SUB
                     : is_one_number(other) && (op == AST_MUL || (op == AST_DIV && whole == a));
    if (!fits)
        return no_operator(e, op, a, b, span);
    if (both &&
        !tuple_check(e, a, b, span, "both sides have the same parts in the same order",
                     op == AST_ADD ? "%s cannot be added to %s" : "from %s one cannot subtract %s"))
        return NULL;
    Value **items = arena_alloc(e->arena, ((size_t)whole->nitems + 1) * sizeof *items);
    for (int i = 0; i < whole->nitems; i++)
        if (!(items[i] = elab_binary(e, op, a->kind == V_TUPLE ? a->items[i] : a,
                                     b->kind == V_TUPLE ? b->items[i] : b, at[0], at[1], at[2])))
            return NULL;
    return value_tuple_like(e, whole, items);
}

Value *tuple_unary(Elab *e, AstOp op, Value *v, Span at, Span span)
{
    bool quote = op == AST_TRANSPOSE;
    char hint[64];
    snprintf(hint, sizeof hint, "for each part: map(a -> %s%sa%s, p)", quote ? "" : ast_op_text(op),
             op == AST_NOT ? " " : "", quote ? "'" : "");
    if (op != AST_NEG)
        return elab_error(e, span, "type-mismatch",
                          comparison_meant(op, v) ? comparison_meant(op, v) : hint,
                          "`%s` of %s: tuples are added, subtracted and scaled by one number",
                          ast_op_text(op), value_describe(e, v));
    Value **items = arena_alloc(e->arena, ((size_t)v->nitems + 1) * sizeof *items);
    for (int i = 0; i < v->nitems; i++) {
        Value *part = value_plain(e, v->items[i]);
        if (!part || !(items[i] = elab_prefixed(e, op, part, at, span)))
            return NULL;
    }
    return value_tuple_like(e, v, items);
}
