/* Names -> values: what the program defines first, then sizes and what the language defines. */
#include "graph/provenance.h"
#include "lang/elab.h"
#include "lang/elab_prelude.h"
#include "lang/foreign.h"

static bool constant_value(const char *name, double *v)
{
    static const struct {
        const char *name, *digits;
    } constants[] = {
        {"pi", "3.14159265358979323846"},
        {"e", "2.71828182845904523536"},
        {"nan", "nan"},
        {"inf", "inf"},
    };
    for (size_t i = 0; i < COUNT_OF(constants); i++)
        if (!strcmp(name, constants[i].name)) {
            *v = strtod(constants[i].digits, NULL);
            return true;
        }
    return false;
}

/* Words that arguments take as they are: unconnected=zero, checkpoint=auto. */
static bool is_policy(const char *name)
{
    return !strcmp(name, "zero") || !strcmp(name, "keep") || !strcmp(name, "auto");
}

bool name_is_value(const char *name)
{
    double v;
    return !strcmp(name, "None") || is_policy(name) || constant_value(name, &v);
}

/* A function of the language for a slip of the keys: one letter, two of a long word. What is
 * further off, or a short word, is more likely to mean something else (eigh is no sign). */
static const char *builtin_meant(const char *name)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; i < builtin_count; i++)
        vec_push(&names, builtins[i].name);
    const char *best = closest_name(name, names.at, names.len);
    vec_free(&names);
    size_t n = strlen(name);
    int slips = n < 4 ? 0 : n < 8 ? 1 : 2;
    bool near = best && (!strcasecmp(best, name) || edit_distance(name, best, slips) <= slips);
    return near ? best : NULL;
}

static const char *suggest(Elab *e, const char *name)
{
    VEC(const char *) names = {0};
    for (Env *env = e->env; env; env = env->parent)
        for (int i = 0; i < env->len; i++)
            if (env->at[i].value)
                vec_push(&names, env->at[i].name);
    const char *own = closest_name(name, names.at, names.len), *builtin = builtin_meant(name);
    vec_free(&names);
    int far = (int)strlen(name) + 1;
    bool closer =
        own && builtin && edit_distance(name, builtin, far) < edit_distance(name, own, far);
    return own && !closer ? own : builtin;
}

/* %12 stands where a global name would. */
static Value *elab_numbered(Elab *e, Expr *x)
{
    bool may = env_may_capture(e, e->globals, symbol(e->st, x->text), x->span);
    Node *n = may && e->host ? e->host->numbered(e->host->session, x) : NULL;
    if (n)
        env_mention(e, e->globals, n);
    return value_node(e, n);
}

/* A name that nothing of the program defines; NULL: there is none. */
static Value *predefined(Elab *e, const char *name)
{
    const Builtin *b = builtin_by_name(name);
    Value *v = NULL;
    double number;
    if (constant_value(name, &number))
        return value_weak(e, node_f64(e->st, number));
    if (!strcmp(name, "None"))
        return value_of_kind(e, V_NONE);
    if (is_policy(name)) {
        v = value_of_kind(e, V_STRING);
        v->text = name;
    } else if (b) {
        v = value_of_kind(e, V_BUILTIN);
        v->builtin = b;
    }
    return v;
}

static Value *declared_size(Elab *e, Symbol name)
{
    if (!e->host || !e->host->size_known(e->host->session, name))
        return NULL;
    Attr a = {.size = size_name(e->st, name)};
    return value_weak(e, node0(e->st, OP_SIZE, &a)); /* it counts, and has no dtype to say */
}

static Value *unknown_name(Elab *e, Symbol name, Span span)
{
    if (e->host && e->host->name_failed(e->host->session, name)) {
        diag_note(e->st->diags, "skipped", span, "skipped, because the definition of `%s` failed",
                  name);
        return NULL;
    }
    char hint[FOREIGN_HINT];
    const char *best = foreign_name(name, hint) ? NULL : suggest(e, name);
    if (best)
        snprintf(hint, sizeof hint, "did you mean `%s`?", best);
    return elab_error(e, span, "unknown-name", *hint ? hint : NULL, "`%s` is not defined", name);
}

/* What is called is a function: a size may have the name of one. */
static Value *resolved(Elab *e, Expr *x, bool called)
{
    if (*x->text == '%')
        return elab_numbered(e, x);
    Symbol name = symbol(e->st, x->text);
    bool refused = false;
    Value *v = env_lookup(e, name, x->span, &refused);
    if (v || refused)
        return v;
    v = called ? predefined(e, name) : declared_size(e, name);
    if (!v)
        v = called ? declared_size(e, name) : predefined(e, name);
    return v ? v : unknown_name(e, name, x->span);
}

Value *elab_name(Elab *e, Expr *x) { return resolved(e, x, false); }

Value *elab_called(Elab *e, Expr *x)
{
    Value *v = x->kind == E_NAME ? resolved(e, x, true) : elab_expr(e, x);
    return v && v->kind == V_TAPPED ? elab_whole(e, v, x->span) : v;
}
