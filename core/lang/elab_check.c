/* Checks that stand by themselves.  See elab_check.h. */
#include "lang/elab_check.h"
#include "graph/provenance.h"
#include "lang/elab_prelude.h"

bool elab_guard(Elab *e, const Expr *call, Guards *out)
{
    Value *function = elab_expr(e, call->items[0]);
    if (!function)
        return false;
    if (function->kind != V_BUILTIN || strcmp(function->builtin->name, "check") != 0)
        return elab_error(e, call->span, "syntax", "give your function another name",
                          "`check` is your own function here, and its value is not used"),
               false;
    const Expr *asked = call->args[0].value;
    Node *n = elab_node(e, call->args[0].value, "the condition of `check`");
    if (n && node_dtype(n) != DT_BOOL)
        n = elab_error(e, asked->span, "type-mismatch", "compare: x > 0",
                       "`check` takes bools, but this is %s", dtype_name(node_dtype(n)));
    int known = n && in_prelude(e, asked->span) ? prelude_known(e, n) : -1;
    if (known == 0)
        return elab_error(e, asked->span, "check", NULL, "%s", call->args[1].value->text), false;
    if (n && known < 0)
        vec_push(out, ((Guard){n, symbol(e->st, call->args[1].value->text), call->span}));
    return n != NULL;
}

Node *guarded(Elab *e, Node *n, const Guards *guards)
{
    for (size_t i = guards->len; i-- > 0 && n;) { /* the first one outermost */
        const Guard *g = &guards->at[i];
        e->st->span = g->span;
        n = node_check(e->st, g->message, g->condition, n);
        if (n)
            node_set_span(e->st, n, g->span);
    }
    return n;
}

static Value *guarded_tuple(Elab *e, const Value *v, const Guards *guards, Span span)
{
    Value **items = arena_alloc(e->arena, ((size_t)v->nitems + 1) * sizeof *items);
    for (int i = 0; i < v->nitems; i++)
        if (!(items[i] = guarded_value(e, v->items[i], guards, span)))
            return NULL;
    return value_tuple_like(e, v, items);
}

Value *guarded_value(Elab *e, Value *v, const Guards *guards, Span span)
{
    if (!v || !guards->len)
        return v;
    if (v->kind == V_TUPLE)
        return guarded_tuple(e, v, guards, span);
    if (v->kind != V_NODE)
        return elab_error(e, span, "type-mismatch",
                          v->kind == V_RECORD ? "put the check into the body of the scan"
                                              : "check inside of the function",
                          "a check guards tensors, and the value of this block is %s",
                          value_describe(e, v));
    Node *n = guarded(e, v->node, guards);
    return v->weak ? value_weak(e, n) : value_node(e, n);
}
