/* What is weak: a number, what is computed from weak numbers alone; and what takes a program over
 * f32 to f64 though nobody declared it. */
#include "graph/walk.h"
#include "lang/elab.h"

/* Operators that give of weak numbers weak ones: those that only rearrange numbers or compute with
 * them. */
static bool keeps_weak(const Builtin *b)
{
    static const char *const groups[] = {"elementwise", "reduce", "shape", "sort", "linalg"};
    const char *group = builtin_group_of(b)->name;
    for (size_t i = 0; i < COUNT_OF(groups); i++)
        if (!strcmp(group, groups[i]))
            return true;
    return false;
}

/* Are the numbers among these arguments, parts of tuples too, weak? *any: there is one. Conditions
 * have no say. */
static bool all_weak(Elab *e, Value *v, bool *any)
{
    v = v ? value_plain(e, v) : NULL;
    bool weak = true;
    for (int i = 0; v && v->kind == V_TUPLE && i < v->nitems && weak; i++)
        weak = all_weak(e, v->items[i], any);
    if (!v || v->kind != V_NODE || v->node->type->kind != TYPE_TENSOR ||
        v->node->type->dtype == DT_BOOL)
        return weak;
    *any = *any || v->weak;
    return v->weak;
}

Value *weak_where_all_are(Elab *e, const Args *a, Value *v)
{
    bool any = false, weak = v && v->kind == V_NODE && !v->weak && keeps_weak(a->builtin) &&
                             v->node->type->kind == TYPE_TENSOR &&
                             dtype_is_number(v->node->type->dtype);
    for (int i = 0; i < a->n && weak; i++) {
        char name[32];
        bool typed = a->at[i] && a->at[i]->kind != V_NONE && !strcmp(arg_name(a, i, name), "dtype");
        weak = !typed && all_weak(e, a->at[i], &any);
    }
    for (int i = 0; i < a->nrest && weak; i++)
        weak = all_weak(e, a->rest[i], &any);
    return weak && any ? value_weak(e, v->node) : v;
}

/* ---- f32 that becomes f64 ---- */

enum { MOST_LOOKED_AT = 200 };

static bool is_draw(const Node *n)
{
    return n->op == OP_PROJ && (n->ops[0]->op == OP_UNIFORM || n->ops[0]->op == OP_NORMAL);
}

static bool was_whole(const Node *n)
{
    return n->op == OP_CAST && !dtype_is_float(n->ops[0]->type->dtype);
}

/* What makes n f64 though nobody declared it so: a draw, or whole numbers in a quotient, a root, a
 * mean. NULL: an input that is f64, a cast of f32, or it is too far away. */
static const Node *widening(Node *n)
{
    Descent d = {0};
    const Node *found = NULL;
    int left = MOST_LOOKED_AT;
    descent_from(&d, n);
    for (Node *x; left-- > 0 && (x = descent_next(&d));) {
        bool declared = x->op == OP_INPUT || x->op == OP_SHARED || x->op == OP_HOLE ||
                        (x->op == OP_CAST && !was_whole(x)) || (x->op == OP_CONST && x->type->rank);
        if (declared && x->type->dtype == DT_F64) {
            found = NULL;
            break;
        }
        if (is_draw(x) || (x != n && was_whole(x) && x->type->dtype == DT_F64))
            found = found && is_draw(found) ? found : x;
        else if (x->type->kind == TYPE_TENSOR && !declared && x->op != OP_CAST)
            descent_operands(&d, x);
    }
    descent_end(&d);
    return left > 0 ? found : NULL;
}

/* Of one that is f64, or whole and so makes f64 of f32. */
static void note_one(Elab *e, Node *n, Span span)
{
    DType d = n->type->dtype;
    const Node *found = d == DT_F64 ? widening(n) : NULL;
    if (d == DT_I64 || d == DT_I32)
        diag_note(e->st->diags, "dtype", span,
                  "this is %s, and with f32 it gives f64; f32(...) around it keeps f32",
                  dtype_name(d));
    else if (found && is_draw(found))
        diag_note(e->st->diags, "dtype", span,
                  "a draw of f64 is in this, and f32 with it gives f64; draw with %s(..., "
                  "dtype=f32)",
                  op_table[found->ops[0]->op].name);
    else if (found)
        diag_note(e->st->diags, "dtype", span,
                  "%s became f64 in this, and f32 with it gives f64; f32(...) around it keeps f32",
                  found->ops[0]->type->dtype == DT_BOOL ? "bools" : "whole numbers");
}

void note_widening(Elab *e, int n, Value *const *v, Node *const *nodes, const Span *spans)
{
    bool single = false;
    for (int i = 0; i < n; i++)
        single = single || (nodes[i]->type->dtype == DT_F32 && !value_plain(e, v[i])->weak);
    for (int i = 0; i < n && single; i++)
        if (!value_plain(e, v[i])->weak)
            note_one(e, nodes[i], spans[i]);
}
