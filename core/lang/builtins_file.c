/* Files of numbers: load and save.
 *
 * Invariant: both happen while the statement is elaborated. What load read is a constant
 * of the graph; save evaluates with the present values, stores whole files only, and is
 * allowed only where a statement stands, so it happens once. */
#include "tensor/npy.h"
#include "lang/builtins.h"

static const char *path_arg(Elab *e, Args *a, int i)
{
    const Value *v = a->at[i];
    if (v->kind != V_STRING)
        return elab_error(e, a->spans[i], "type-mismatch", "write it in quotes: \"a.npy\"",
                          "%s takes the name of a file here", a->builtin->name);
    if (!*v->text)
        return elab_error(e, a->spans[i], "io", NULL, "the name of the file is empty");
    return v->text;
}

static void *file_error(Elab *e, Span span, const char *path, char *message)
{
    bool named = message && strstr(message, path);
    if (interrupted(e->st->interrupt)) {
        free(message);
        return diag_interrupted(e->st->diags, span, NULL);
    }
    elab_error(e, span, "io", NULL, "%s%s%s", named ? "" : path, named ? "" : ": ",
               message ? message : "failed");
    free(message);
    return NULL;
}

BUILTIN(load)
{
    const char *path = path_arg(e, a, 0);
    char *message = NULL;
    e->files++;
    Tensor *t = path ? npy_load(&e->st->heap, path, e->st->interrupt, &message) : NULL;
    if (!t)
        return path ? file_error(e, a->spans[0], path, message) : NULL;
    Node *n = node_const(e->st, t);
    tensor_unref(t);
    return value_node(e, n);
}

static bool can_save(Elab *e, Args *a, Node *x)
{
    Node *missing;
    const Expr *s = e->statement;
    if (!s || a->span.src != s->span.src || a->span.start != s->span.start ||
        a->span.end != s->span.end)
        return elab_error(e, a->span, "context", "give the value a name and save that",
                          "save is a statement of its own: it stands alone on its line"),
               false;
    if (x->type->kind != TYPE_TENSOR || x->type->dtype == DT_RNG)
        return elab_error(e, a->spans[0], "type-mismatch", NULL, "%s cannot be saved as .npy",
                          shape_text(e->st, x->type)),
               false;
    if (!e->host->missing(e->host->session, x, &missing))
        return true;
    const char *name = missing->op == OP_SIZE ? "a size" : missing->attrs[0].name;
    return elab_error(e, a->spans[0], "no-value", "give it one with :=", "%s has no value", name),
           false;
}

BUILTIN(save)
{
    Node *x = arg_node(e, a, 0);
    const char *path = x ? path_arg(e, a, 1) : NULL;
    char *message = NULL;
    if (!path || !can_save(e, a, x))
        return NULL;
    e->st->span = a->spans[0];
    Tensor *t = e->host->evaluate(e->host->session, x);
    if (!t)
        return NULL;
    bool ok = npy_save(t, path, e->st->interrupt, &message);
    tensor_unref(t);
    return ok ? value_tuple(e, 0, NULL) : file_error(e, a->spans[1], path, message);
}
