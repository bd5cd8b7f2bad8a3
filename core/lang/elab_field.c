/* What stands behind a point: fields of the result of a scan, parts of tuples with names. */
#include "lang/elab.h"
#include "lang/foreign.h"
#include "graph/control.h"

static Value *states_tuple(Elab *e, Record *r, Span span)
{
    Value **items = arena_alloc(e->arena, ((size_t)r->nequations + 1) * sizeof *items);
    Symbol *names = arena_alloc(e->arena, ((size_t)r->nequations + 1) * sizeof *names);
    int n = 0;
    for (int i = 0; i < r->nequations; i++) {
        if (!r->equations[i].finals)
            continue;
        names[n] = r->equations[i].name;
        if (!(items[n++] = equation_value(e, r, &r->equations[i], r->equations[i].finals)))
            return NULL;
    }
    if (!n)
        return elab_error(e, span, "no-state", "the traces are available by their names",
                          "this scan has no state, so it has no final one");
    return n == 1 ? items[0] : value_tuple_like(e, &(Value){.nitems = n, .names = names}, items);
}

static const Equation *record_equation(const Record *r, const char *name)
{
    for (int i = 0; i < r->nequations; i++)
        if (!strcmp(r->equations[i].name, name))
            return &r->equations[i];
    return NULL;
}

static bool is_final(const char *s) { return !strcmp(s, "final") || !strcmp(s, "last"); }

/* x.final of a record, which is the states and not an equation of that name. */
static bool names_final(const Expr *x, const Record *r)
{
    return is_final(x->text) && (x->flag || !record_equation(r, x->text));
}

/* S.final.v: the last state v, also where v is the only one; NULL, found false: v is no state, but
 * the only state may be a tuple with such a part. */
static Value *final_field(Elab *e, Expr *x, Record *r, bool *found)
{
    const Equation *eq = record_equation(r, x->text);
    int states = 0;
    for (int i = 0; i < r->nequations; i++)
        states += r->equations[i].finals != NULL;
    *found = true;
    if (eq && eq->finals)
        return equation_value(e, r, eq, eq->finals);
    if (!eq && states == 1)
        return *found = false, NULL;
    return elab_error(e, x->span, "unknown-field", NULL,
                      eq ? "%s is not a state of this scan" : "this scan has no equation %s",
                      x->text);
}

/* The result of one equation is its trace; of a tuple, a part can be read at once. -1: none. */
static int trace_part(const Record *r, const char *name)
{
    static const char *const fields[] = {"final", "last", "steps", "stopped"};
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (!strcmp(name, fields[i]))
            return -1;
    return r->nequations == 1 && r->equations[0].form ? tuple_part(r->equations[0].form, name) : -1;
}

static Value *unknown_field(Elab *e, const Expr *x)
{
    char hint[192];
    snprintf(hint, sizeof hint,
             "the fields are its equations, final, steps and stopped; to keep a value of the body, "
             "write %.40s[t] = .. there",
             x->text);
    return elab_error(e, x->span, "unknown-field", hint, "this scan has no field `%s`", x->text);
}

static Value *record_field(Elab *e, Expr *x, Value *record)
{
    Record *r = record->record;
    const Equation *eq = x->flag ? NULL : record_equation(r, x->text);
    if (!eq && trace_part(r, x->text) >= 0) {
        Value *v = value_plain(e, record);
        return v ? tuple_field(e, v, x->text, x->span) : NULL;
    }
    if (!eq && is_final(x->text))
        return states_tuple(e, r, x->span);
    if (!eq && !strcmp(x->text, "steps"))
        return value_node(e, node_proj(e->st, r->scan, r->steps));
    if (!eq && !strcmp(x->text, "stopped") && r->scan->op == OP_SCAN)
        return value_node(e, node_proj(e->st, r->scan, r->steps + 1));
    if (!eq)
        return unknown_field(e, x);
    if (!eq->traces)
        return elab_error(e, x->span, "unknown-field",
                          "only its last value is available, in `final`",
                          "this scan keeps no rows of %s", x->text);
    return equation_value(e, r, eq, eq->traces);
}

/* A function written behind a point, as in other systems: x.sum. */
static Value *no_fields(Elab *e, const Expr *x, Value *v)
{
    const Expr *base = x->items[0];
    char hint[FOREIGN_HINT];
    foreign_name(x->text, hint);
    if (builtin_by_name(x->text))
        snprintf(hint, sizeof hint, "write %s(%s)", x->text,
                 base->kind == E_NAME && strlen(base->text) < 40 ? base->text : "...");
    return elab_error(
        e, x->span, "unknown-field", *hint ? hint : NULL,
        "only a tuple with names and the result of a scan have fields, but this is %s",
        value_describe(e, v));
}

Value *elab_field(Elab *e, Expr *x)
{
    Expr *base = x->items[0];
    if (base->kind == E_FIELD && is_final(base->text)) {
        Value *v = elab_expr(e, base->items[0]);
        if (!v)
            return NULL;
        bool found = false;
        Value *state = v->kind == V_RECORD && names_final(base, v->record)
                           ? final_field(e, x, v->record, &found)
                           : NULL;
        if (found)
            return state;
    }
    Value *v = elab_expr(e, base);
    if (!v)
        return NULL;
    if (v->kind == V_RECORD)
        return record_field(e, x, v);
    return v->kind == V_TUPLE && v->names ? tuple_field(e, v, x->text, x->span)
                                          : no_fields(e, x, v);
}
