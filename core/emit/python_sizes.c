/* Sizes as expressions of Python: by the names that inputs give them, or read off what is there.
 *
 * Invariant: a size of the author that is mentioned is noted, to be bound or given. */
#include "emit/python.h"

const char *py_size_name(Py *py, Symbol size)
{
    const char *name = map_get(&py->size_names, size);
    if (!name)
        map_put(&py->size_names, size, name = name_taken(py, size));
    return name;
}

static const char *size_of_parameter(Scope *s, const SizeAtom *atom)
{
    for (int i = 0; s->graph && i < s->graph->nparams; i++) {
        Type *t = s->graph->params[i];
        for (int a = 0; t->kind == TYPE_TENSOR && a < t->rank; a++)
            if (size_as_atom(t->dims[a]) == atom && map_has(&s->said, s->graph->param_nodes[i]))
                return py_text(s->py, "%s.shape[%d]", said_at(s, s->graph->param_nodes[i], CALL),
                               a);
    }
    return NULL;
}

static const char *atom_said(Scope *s, const Node *where, const SizeAtom *atom)
{
    const char *text = NULL;
    if (atom->kind == ATOM_NAME && *atom->name != '.') {
        set_add(&s->py->sizes, atom->name);
        return py_size_name(s->py, atom->name);
    }
    if (atom->kind == ATOM_PARAM)
        text = size_of_parameter(s, atom);
    if (atom->kind == ATOM_NODE && py_scope_write(s, 1, &atom->node)) {
        text = said_at(s, atom->node, CALL);
        return is_for(s, PYTHON_TORCH) && atom->node->op != OP_CONST
                   ? py_text(s->py, "int(%s)", text)
                   : text;
    }
    if (atom->kind == ATOM_MAX || atom->kind == ATOM_MIN || atom->kind == ATOM_FLOORDIV) {
        bool divides = atom->kind == ATOM_FLOORDIV;
        const char *a = size_said(s, where, atom->a, divides ? TERM : ANYTHING);
        const char *b = a ? size_said(s, where, atom->b, divides ? UNARY : ANYTHING) : NULL;
        const char *fmt = divides                  ? "%s // %s"
                          : atom->kind == ATOM_MAX ? "max(%s, %s)"
                                                   : "min(%s, %s)";
        Said said = {b ? py_text(s->py, fmt, a, b) : NULL, divides ? TERM : CALL};
        if (b)
            text = leveled(s->py, said, UNARY); /* a factor */
    }
    if (!text)
        py_cannot(s, where, "one of its sizes cannot be derived from any array");
    return text;
}

const char *size_said(Scope *s, const Node *where, const Size *size, int level)
{
    Text t = {0};
    int binds = CALL;
    for (u32 i = 0; i < size->nterms; i++) {
        const SizeTerm *term = &size->terms[i];
        i64 coef = term->coef < 0 ? -term->coef : term->coef;
        bool first = !t.len;
        text_put(&t, first ? (term->coef < 0 ? "-" : "") : (term->coef < 0 ? " - " : " + "));
        if (coef != 1)
            text_printf(&t, "%lld * ", (long long)coef);
        for (u32 f = 0; f < term->nfactors; f++) {
            const char *atom = atom_said(s, where, term->factors[f]);
            if (!atom) {
                text_free(&t);
                return NULL;
            }
            text_printf(&t, "%s%s", f ? " * " : "", atom);
        }
        if (term->coef != 1 || term->nfactors > 1 || i)
            binds = SUM;
    }
    if (size->constant || !t.len) {
        i64 c = size->constant;
        binds = t.len ? SUM : c < 0 ? UNARY : NUMBER;
        text_printf(&t, "%s%lld", t.len ? (c < 0 ? " - " : " + ") : (c < 0 ? "-" : ""),
                    (long long)(c < 0 ? -c : c));
    }
    Said said = {py_text(s->py, "%s", text_str(&t)), binds};
    text_free(&t);
    return leveled(s->py, said, level);
}

const char *shape_said(Scope *s, const Node *where, const Type *t, int from)
{
    Text shape = {0};
    const char *size = "";
    text_putc(&shape, '(');
    for (int a = from; a < t->rank && size; a++) {
        size = size_said(s, where, t->dims[a], ANYTHING);
        text_printf(&shape, "%s%s", a > from ? ", " : "", size ? size : "");
    }
    text_put(&shape, t->rank - from == 1 ? ",)" : ")");
    const char *text = size ? py_text(s->py, "%s", text_str(&shape)) : NULL;
    text_free(&shape);
    return text;
}
