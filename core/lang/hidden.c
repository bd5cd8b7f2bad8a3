/* Definitions that hide a function of the language: rng = rng(1), and what is said when the
 * function is called afterwards. */
#include "lang/elab.h"

static bool hides(const char *name) { return builtin_by_name(name) != NULL; }

static bool is_defined(const Elab *e, Symbol name)
{
    const Env *env = e->env;
    while (env && !env_own(env, name))
        env = env->parent;
    return env != NULL;
}

/* ---- the definition itself ---- */

static const Expr *call_of(const Expr *x, const char *name);

static const Expr *call_in_statements(const Expr *x, const char *name)
{
    const Expr *found = NULL;
    for (int i = 0; i < x->nstmts && !found; i++)
        found = call_of(x->stmts[i]->value, name);
    for (int i = 0; x->scan && i < x->scan->nfrom && !found; i++)
        found = call_of(x->scan->from[i].init, name);
    for (int i = 0; x->scan && i < x->scan->nover && !found; i++)
        found = call_of(x->scan->over[i].init, name);
    for (int i = 0; x->scan && i < x->scan->nitems && !found; i++)
        found = call_of(x->scan->items[i].value, name);
    return found;
}

/* Where x calls that function; NULL: nowhere. */
static const Expr *call_of(const Expr *x, const char *name)
{
    if (!x)
        return NULL;
    const Expr *called = x->kind == E_CALL ? x->items[0] : NULL, *found = NULL;
    if (called && called->kind == E_NAME && !strcmp(called->text, name))
        return called;
    for (int i = 0; i < x->nitems && !found; i++)
        found = call_of(x->items[i], name);
    for (int i = 0; i < x->nargs && !found; i++)
        found = call_of(x->args[i].value, name);
    for (int i = 0; i < x->nsubs && !found; i++)
        found = call_of(x->subs[i].index, name);
    return found ? found : call_in_statements(x, name);
}

void note_hidden(Elab *e, const Stmt *s)
{
    for (int i = 0; i < s->nnames; i++) {
        const char *name = s->names[i].name;
        if (hides(name) && call_of(s->value, name) && !is_defined(e, symbol(e->st, name)))
            diag_note(e->st->diags, "hidden", s->names[i].span,
                      "from here on %s is this value, and the function %s that made it cannot be "
                      "called: another name would keep both",
                      name, name);
    }
}

/* ---- afterwards ---- */

const char *hint_recursion(const Value *f)
{
    return f->text && hides(f->text)
               ? "the definition hides the function of that name: give yours another one"
               : "write it as a recurrence: scan t for n from s = s0 { s[t] = ... }";
}

Value *elab_not_callable(Elab *e, const Expr *called, Value *v)
{
    char hint[120];
    bool hidden = called->kind == E_NAME && hides(called->text);
    if (hidden)
        snprintf(hint, sizeof hint,
                 "a definition of %.30s hides the function: give the value another name",
                 called->text);
    return elab_error(e, called->span, "type-mismatch", hidden ? hint : "use [ ] to index",
                      "this is %s, not a function", value_describe(e, v));
}
