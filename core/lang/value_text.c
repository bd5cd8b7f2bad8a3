/* Types and signatures of values as people read them.  See elab.h. */
#include "lang/dimensions.h"

static void put_params(Text *out, const Value *f)
{
    text_putc(out, '(');
    for (int i = 0; i < f->nparams; i++) {
        text_printf(out, "%s%s", i ? ", " : "", f->params[i].name);
        if (f->params[i].init) {
            text_putc(out, '=');
            ast_print_expr(out, f->params[i].init);
        }
    }
    text_putc(out, ')');
}

void value_signature_print(Text *out, const Value *f)
{
    if (f->kind == V_BUILTIN)
        text_printf(out, "(%s)", f->builtin->signature);
    else if (f->kind == V_DERIVED && f->function)
        value_signature_print(out, f->function);
    else
        put_params(out, f);
}

void value_type_print_of(Elab *e, Text *out, Value *v, Tensor *const *tensors, int *used)
{
    v = value_plain(e, v);
    if (v && v->kind == V_TUPLE) {
        text_putc(out, '(');
        for (int i = 0; i < v->nitems; i++) {
            text_put(out, i ? ", " : "");
            if (v->names)
                text_printf(out, "%s: ", v->names[i]);
            value_type_print_of(e, out, v->items[i], tensors, used);
        }
        text_put(out, v->nitems == 1 && !v->names ? ",)" : ")");
    } else if (tensors) {
        tensor_type_print(out, tensors[(*used)++]);
    } else if (v && v->kind == V_NODE) {
        dimensions_type_print(out, v->node->type, dimensions_of_value(e, v), NULL);
    } else if (v && (v->kind == V_FUNCTION || v->kind == V_BUILTIN || v->kind == V_DERIVED)) {
        text_put(out, "function");
        value_signature_print(out, v);
    } else {
        text_put(out, v && v->kind == V_STRING ? "string" : v && v->kind == V_NONE ? "None" : "?");
    }
}

void value_type_print(Elab *e, Text *out, Value *v) { value_type_print_of(e, out, v, NULL, NULL); }
