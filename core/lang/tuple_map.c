/* map and the folds where tuples are among what they are given.
 *
 * Invariant: a tuple that map is given is taken part by part, nested ones too; a tuple of sequences
 * that a fold is given runs in lockstep, and `over` reads a row of each. */
#include "lang/elab.h"

/* ---- map ---- */

static Value *map_parts(Elab *e, Value *f, int n, Value **of, Span span)
{
    Value *first = value_plain(e, of[0]);
    if (first->kind != V_TUPLE)
        return elab_apply(e, f, n, of, span);
    Value **items = arena_alloc(e->arena, ((size_t)first->nitems + 1) * sizeof *items);
    Value **parts = arena_alloc(e->arena, ((size_t)n + 1) * sizeof *parts);
    for (int i = 0; i < first->nitems; i++) {
        for (int k = 0; k < n; k++)
            parts[k] = value_plain(e, of[k])->items[i];
        if (!(items[i] = map_parts(e, f, n, parts, span)))
            return NULL;
    }
    return value_tuple_like(e, first, items);
}

static Value *map_tuples(Elab *e, int n, Value **args, Span span)
{
    Value **of = args + 1, *first = value_plain(e, of[0]);
    for (int i = 1; i < n - 1 && first; i++) {
        Value *other = value_plain(e, of[i]);
        if (other && (other->kind == V_TUPLE) != (first->kind == V_TUPLE))
            return elab_error(
                e, span, "type-mismatch",
                "give it tuples alone, or arrays alone; what is the same for each part "
                "the function can capture other values: map(a -> a * c, p)",
                "map takes arrays along axis 0 or tuples part by part, but these are %s "
                "and %s",
                value_describe(e, first), value_describe(e, other));
        if (!other || !tuple_check(e, first, other, span, "they have the same parts in one order",
                                   "map takes tuples of one structure, but these are %s and %s"))
            return NULL;
    }
    return first ? map_parts(e, args[0], n - 1, of, span) : NULL;
}

/* ---- folds ---- */

static Expr *new_expr(Elab *e, ExprKind kind, const char *text, Span span)
{
    Expr *x = arena_alloc(e->arena, sizeof *x);
    x->kind = kind;
    x->text = text;
    x->span = span;
    return x;
}

/* x[i] */
static Expr *part_of(Elab *e, int i, Span span)
{
    char number[16];
    int len = snprintf(number, sizeof number, "%d", i);
    Expr *x = new_expr(e, E_INDEX, NULL, span);
    x->nitems = x->nsubs = 1;
    x->items = arena_alloc(e->arena, sizeof *x->items);
    x->items[0] = new_expr(e, E_NAME, "x", span);
    x->subs = arena_alloc(e->arena, sizeof *x->subs);
    x->subs[0] =
        (Sub){.kind = SUB_INDEX,
              .span = span,
              .index = new_expr(e, E_INT, arena_strndup(e->arena, number, (size_t)len), span)};
    return x;
}

/* (acc, x) -> f(acc, x[0], x[1], ..) */
static Value *spread(Elab *e, Value *f, int n, Span span)
{
    static const char *const names[] = {"acc", "x"};
    Value *v = value_of_kind(e, V_FUNCTION);
    Expr *call = new_expr(e, E_CALL, NULL, span);
    call->nitems = 1;
    call->items = arena_alloc(e->arena, sizeof *call->items);
    call->items[0] = new_expr(e, E_NAME, "f", span);
    call->nargs = n + 1;
    call->args = arena_alloc(e->arena, (size_t)call->nargs * sizeof *call->args);
    call->args[0].value = new_expr(e, E_NAME, names[0], span);
    for (int i = 0; i < n; i++)
        call->args[i + 1].value = part_of(e, i, span);
    v->nparams = 2;
    v->params = arena_alloc(e->arena, 2 * sizeof *v->params);
    for (int i = 0; i < 2; i++)
        v->params[i] = (Bind){.name = names[i], .span = span};
    v->body = call;
    v->env = env_new(e, e->globals);
    env_set(e, v->env, symbol(e->st, "f"), f);
    return v;
}

/* The fold itself is that of the prelude; a function of two arguments takes the rows as a tuple. */
static Value *fold_tuples(Elab *e, const char *name, int n, Value **args, Span span)
{
    Value *xs = value_plain(e, args[1]), *fold = env_own(e->globals, symbol(e->st, name));
    if (!xs)
        return NULL;
    if (n != 3)
        return elab_error(
            e, span, "arity", "give it the first value: reduce(f, (xs, ys), init)",
            "a fold over several sequences takes a function, the sequences and a first "
            "value");
    Value **given = arena_alloc(e->arena, 3 * sizeof *given);
    memcpy(given, args, 3 * sizeof *given);
    bool whole = args[0]->kind == V_FUNCTION && args[0]->nparams == 2;
    if (xs->kind == V_TUPLE && !whole)
        given[0] = spread(e, args[0], xs->nitems, span);
    Value plain = *fold;
    plain.of_tuples = NULL;
    return elab_apply(e, &plain, 3, given, span);
}

static Value *foldl_tuples(Elab *e, int n, Value **args, Span span)
{
    return fold_tuples(e, "foldl", n, args, span);
}

static Value *foldr_tuples(Elab *e, int n, Value **args, Span span)
{
    return fold_tuples(e, "foldr", n, args, span);
}

Value *(*tuple_form_of(const char *name))(Elab *e, int n, Value **args, Span span)
{
    return !strcmp(name, "map")      ? map_tuples
           : !strcmp(name, "foldl")  ? foldl_tuples
           : !strcmp(name, "reduce") ? foldl_tuples
           : !strcmp(name, "foldr")  ? foldr_tuples
                                     : NULL;
}
