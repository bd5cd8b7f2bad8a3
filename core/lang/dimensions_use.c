/* What the elaborator does with names of dimensions: those that meet agree, and `axis=` and indices
 * may say them.  See dimensions.h. */
#include "lang/dimensions.h"

static Dimensions *known(Elab *e)
{
    if (!e->dimensions) {
        e->dimensions = xcalloc(1, sizeof *e->dimensions);
        *e->dimensions = (Dimensions){.st = e->st, .e = e, .age = e->st->dimension_age};
    }
    return e->dimensions;
}

void dimensions_forget(Elab *e)
{
    if (e->dimensions)
        dimensions_end(e->dimensions);
    free(e->dimensions);
    e->dimensions = NULL;
}

const DimNames *dimensions_of_value(Elab *e, const Value *v)
{
    return dimensions_exist(e->st) && e->host && v->kind == V_NODE
               ? dimensions_of(known(e), v->node)
               : NULL;
}

void dimensions_note_state(Elab *e, Node *variable, Node *init)
{
    if (!dimensions_exist(e->st) || !e->host || variable->type->rank != init->type->rank)
        return;
    dimensions_of(known(e), init); /* what does not hold any more is forgotten first */
    map_put(&known(e)->like, variable, init);
}

static const char *text_of(Elab *e, Text *t)
{
    const char *s = arena_strndup(e->arena, text_str(t), t->len);
    text_free(t);
    return s;
}

static const char *type_text(Elab *e, const Type *t, const DimNames *names)
{
    Text out = {0};
    dimensions_type_print(&out, t, names, NULL);
    return text_of(e, &out);
}

/* ---- names that meet ---- */

static bool bears(const DimNames *names, Symbol name)
{
    for (int i = 0; i < MAX_RANK; i++)
        if (names->at[i] == name)
            return true;
    return false;
}

static const char one_name[] = "give them the same name if they mean the same; a dimension without "
                               "a name matches any other";

static const char *clash_hint(const DimClash *c)
{
    bool product = c->at->op == OP_MATMUL, matrices = true;
    for (int k = 0; k < 2; k++)
        matrices = matrices && c->side[k]->type->kind == TYPE_TENSOR && node_rank(c->side[k]) == 2;
    if (matrices && product && bears(&c->names[1], c->name[0]))
        return "transpose the second operand: a @ b'";
    if (matrices && product && bears(&c->names[0], c->name[1]))
        return "transpose the first operand: a' @ b";
    if (matrices && bears(&c->names[1], c->name[0]))
        return "transpose one of them, as in b'";
    return one_name;
}

static void report(Elab *e, const DimClash *c, Span span)
{
    const char *both[2];
    for (int k = 0; k < 2; k++)
        both[k] = type_text(e, c->side[k]->type, &c->names[k]);
    const char *what = c->at->op == OP_MATMUL ? "@" : op_table[c->at->op].name;
    elab_error(e, span, "dimension", clash_hint(c),
               "%s: dimension %s of %s does not match %s of %s", what, c->name[0], both[0],
               c->name[1], both[1]);
}

bool dimensions_same(Elab *e, Node *a, Node *b, Span span, const char *what)
{
    if (!dimensions_exist(e->st) || !e->host)
        return true;
    const DimNames *na = dimensions_of(known(e), a), *nb = dimensions_of(known(e), b);
    for (int i = 0; i < MAX_RANK && na && nb; i++)
        if (na->at[i] && nb->at[i] && na->at[i] != nb->at[i])
            return elab_error(e, span, "dimension", one_name, "%s: %s and %s", what,
                              type_text(e, a->type, na), type_text(e, b->type, nb)),
                   false;
    return true;
}

static bool all_agree(Dimensions *d, const Value *v)
{
    if (v->kind == V_NODE || v->kind == V_RECORD)
        dimensions_of(d, v->kind == V_NODE ? v->node : v->record->scan);
    bool ok = !d->clash.at;
    for (int i = 0; i < v->nitems && v->kind == V_TUPLE && ok; i++)
        ok = all_agree(d, v->items[i]);
    return ok;
}

bool dimensions_agree(Elab *e, const Expr *x, Value *v)
{
    if (!dimensions_exist(e->st) || !e->host || x->kind == E_NAME)
        return true;
    Dimensions *d = known(e);
    if (all_agree(d, v))
        return true;
    report(e, &d->clash, x->span);
    d->clash = (DimClash){0};
    d->age--; /* so that it is found again where it is written again */
    return false;
}

/* ---- along which axis ---- */

static bool names_axes(const Value *f, const char *parameter)
{
    static const struct {
        const char *function, *parameter;
    } more[] = {
        {"transpose", "axes"}, {"swapaxes", "a"}, {"swapaxes", "b"}, {"moveaxis", "source"}};
    const char *name = f->kind == V_BUILTIN ? f->builtin->name : "";
    for (size_t i = 0; i < COUNT_OF(more); i++)
        if (!strcmp(name, more[i].function) && !strcmp(parameter, more[i].parameter))
            return true;
    return !strcmp(parameter, "axis") && strcmp(name, "stack") && strcmp(name, "expand_dims");
}

/* Is it anything but a dimension? */
static bool means_otherwise(Elab *e, Symbol name)
{
    for (const Env *env = e->env; env; env = env->parent)
        if (env_own(env, name))
            return true;
    return name_is_value(name) || (e->host && e->host->size_known(e->host->session, name)) ||
           builtin_by_name(name);
}

static void *no_such(Elab *e, const Node *n, const DimNames *names, Symbol name, Span span)
{
    Text hint = {0};
    for (int i = 0, k = 0; names && i < node_rank(n); i++)
        if (names->at[i])
            text_printf(&hint, "%s%s", k++ ? ", " : "its dimensions are ", names->at[i]);
    if (!names)
        text_put(&hint, "give the axis by its number, or name it where the input is declared: "
                        "x : f64[batch n, 3]");
    return elab_error(e, span, "dimension", text_of(e, &hint), "%s has no dimension called %s",
                      type_text(e, n->type, names), name);
}

/* The axis of that name; -1: there is none; -2 after a diagnostic. */
static int axis_called(Elab *e, const Node *n, const DimNames *names, Symbol name, Span span)
{
    int found = -1;
    for (int i = 0; names && i < node_rank(n); i++) {
        if (names->at[i] != name)
            continue;
        if (found >= 0)
            return elab_error(e, span, "dimension", "give the axis by its number",
                              "two dimensions of %s are called %s", type_text(e, n->type, names),
                              name),
                   -2;
        found = i;
    }
    return found;
}

/* The tensor that an axis is of: of several, as of concat, the first. */
static Node *tensor_of(Elab *e, Value *v)
{
    v = value_plain(e, v);
    while (v && v->kind == V_TUPLE && v->nitems)
        v = value_plain(e, v->items[0]);
    return v && v->kind == V_NODE && v->node->type->kind == TYPE_TENSOR ? v->node : NULL;
}

static Value *one_axis(Elab *e, const Expr *x, Node *n, bool *failed)
{
    if (x->kind != E_NAME)
        return NULL;
    Symbol name = symbol(e->st, x->text);
    const DimNames *names = dimensions_of(known(e), n);
    int axis = axis_called(e, n, names, name, x->span);
    *failed = axis == -2 || (axis < 0 && !means_otherwise(e, name));
    if (axis == -1 && *failed)
        no_such(e, n, names, name, x->span);
    return axis < 0 ? NULL : value_weak(e, node_i64(e->st, axis));
}

static Value *several_axes(Elab *e, const Expr *x, Node *n, bool *failed)
{
    Value **items = arena_alloc(e->arena, ((size_t)x->nitems + 1) * sizeof *items);
    bool any = false;
    for (int i = 0; i < x->nitems && !*failed; i++) {
        items[i] = one_axis(e, x->items[i], n, failed);
        any = any || items[i];
    }
    for (int i = 0; i < x->nitems && any && !*failed; i++)
        if (!items[i])
            *failed = !(items[i] = elab_expr(e, x->items[i]));
    return any && !*failed ? value_tuple(e, x->nitems, items) : NULL;
}

Value *dimensions_as_axis(Elab *e, const Value *f, const char *parameter, const Expr *x, Value *of,
                          bool *failed)
{
    if (!dimensions_exist(e->st) || !e->host || !names_axes(f, parameter))
        return NULL;
    Node *n = tensor_of(e, of);
    if (!n || (x->kind == E_TUPLE && x->nargs))
        return NULL;
    return x->kind == E_TUPLE ? several_axes(e, x, n, failed) : one_axis(e, x, n, failed);
}

/* ---- indices ---- */

static bool put_named(Elab *e, Node *n, const DimNames *names, const Sub *s, Sub *by_axis)
{
    Symbol name = symbol(e->st, s->name);
    int axis = axis_called(e, n, names, name, s->name_span);
    if (axis == -1)
        no_such(e, n, names, name, s->name_span);
    if (axis < 0)
        return false;
    if (by_axis[axis].name)
        return elab_error(e, s->span, "dimension", NULL, "the dimension %s is given twice", name),
               false;
    by_axis[axis] = *s;
    return true;
}

Sub *dimensions_in_order(Elab *e, Node *n, Sub *subs, int *nsubs, Span span)
{
    int named = 0;
    for (int i = 0; i < *nsubs; i++)
        named += subs[i].name != NULL;
    if (!named)
        return subs;
    for (int i = 0; i < *nsubs; i++)
        if (!subs[i].name || (subs[i].kind != SUB_INDEX && subs[i].kind != SUB_SLICE))
            return elab_error(e, subs[i].span, "dimension",
                              "name all of them: x[batch=0, feature=1:3]",
                              subs[i].name ? "a dimension takes an index or a slice"
                                           : "name the dimension of every index, or of none");
    if (n->type->kind != TYPE_TENSOR)
        return elab_error(e, span, "rank", NULL, "only tensors have dimensions");
    Sub *by_axis = arena_alloc(e->arena, ((size_t)node_rank(n) + 1) * sizeof *by_axis);
    for (int i = 0; i < node_rank(n); i++)
        by_axis[i] = (Sub){.kind = SUB_SLICE, .span = span};
    const DimNames *names = dimensions_exist(e->st) && e->host ? dimensions_of(known(e), n) : NULL;
    for (int i = 0; i < *nsubs; i++)
        if (!put_named(e, n, names, &subs[i], by_axis))
            return NULL;
    *nsubs = node_rank(n);
    return by_axis;
}
