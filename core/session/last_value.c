/* `ans`, the value that was shown last, as a name of the session.
 *
 * It is a value, not what computed it: constants that a later change of an input does not touch.
 * Invariant: it becomes a definition, with a text that `:save` can write, when a statement uses it,
 * as most values are never asked for again; a definition of that name by the user stands. */
#include "session/definitions.h"

static Symbol name_of_it(Session *s) { return symbol(&s->st, "ans"); }

/* The constants in the structure of v; NULL: one of them cannot be a constant. */
static Value *as_constants(Session *s, Value *v, Tensor *const *tensors, int *used)
{
    Elab *e = &s->elab;
    v = value_plain(e, v);
    if (v->kind == V_TUPLE) {
        Value **items = arena_alloc(e->arena, ((size_t)v->nitems + 1) * sizeof *items);
        for (int i = 0; i < v->nitems; i++)
            if (!(items[i] = as_constants(s, v->items[i], tensors, used)))
                return NULL;
        return value_tuple_like(e, v, items);
    }
    Tensor *t = tensors[(*used)++];
    if (t->dtype == DT_RNG)
        return NULL;
    Node *n = node_const(&s->st, t);
    return v->weak ? value_weak(e, n) : value_node(e, n);
}

void session_set_last(Session *s, const Result *res)
{
    Symbol name = name_of_it(s);
    Definition *old = map_get(&s->defined, name);
    int used = 0;
    if (old && !old->last_value)
        return;
    Value *v = as_constants(s, res->value, res->tensors, &used);
    if (!v)
        return;
    struct Undo *undo = s->undo;
    s->undo = NULL; /* nobody made it, nobody takes it back */
    env_set(&s->elab, s->elab.globals, name, v);
    s->undo = undo;
    if (old)
        definitions_forget(s, old, name);
}

/* As an expression that is read as the same value. */
static void put_constants(Session *s, Text *out, Value *v)
{
    if (v->kind != V_TUPLE) {
        const Tensor *t = v->node->attrs[0].value;
        bool cast = !v->weak && (t->dtype == DT_F64 || t->dtype == DT_I64);
        text_printf(out, cast ? "%s(" : "", dtype_name(t->dtype));
        tensor_literal(out, t);
        text_put(out, cast ? ")" : "");
        return;
    }
    text_putc(out, '(');
    for (int i = 0; i < v->nitems; i++) {
        text_printf(out, v->names ? "%s=" : "", v->names ? v->names[i] : "");
        put_constants(s, out, v->items[i]);
        text_put(out, i + 1 < v->nitems ? ", " : v->nitems == 1 && !v->names ? "," : "");
    }
    text_putc(out, ')');
}

Definition *definitions_last(Session *s, Symbol name)
{
    Value *v = name == name_of_it(s) ? env_own(s->elab.globals, name) : NULL;
    if (!v)
        return NULL;
    Text text = {0};
    text_printf(&text, "%s = ", name);
    put_constants(s, &text, v);
    return definitions_add_last(s, name, &text);
}
