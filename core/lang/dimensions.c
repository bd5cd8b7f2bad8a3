/* Which names the dimensions of a node have.  See dimensions.h. */
#include "lang/dimensions.h"
#include "graph/control.h"
#include "graph/print.h"

static Dimensions *outermost(Dimensions *d) { return d->outermost ? d->outermost : d; }

static bool dimensions_any(int n, const DimNames *names)
{
    for (int i = 0; i < n && names; i++)
        for (int k = 0; k < MAX_RANK; k++)
            if (names[i].at[k])
                return true;
    return false;
}

DimNames *dimensions_new(Dimensions *d, int n)
{
    DimNames *names = arena_alloc(&outermost(d)->arena, ((size_t)n + 1) * sizeof *names);
    return names;
}

void dimensions_end(Dimensions *d)
{
    map_free(&d->of);
    map_free(&d->bodies);
    map_free(&d->like);
    map_free(&d->done);
    if (!d->outermost)
        arena_free(&d->arena);
}

/* What was found is of graphs and declarations that may be gone. */
static void refresh(Dimensions *d)
{
    if (d->outermost || d->age == d->st->dimension_age)
        return;
    Dimensions fresh = {.st = d->st, .e = d->e, .age = d->st->dimension_age};
    dimensions_end(d);
    *d = fresh;
}

Node *dimensions_source(Dimensions *d, Node *n, int *axis)
{
    *axis = -1;
    Node *init = n->op == OP_HOLE ? map_get(&d->like, n) : NULL;
    return init || !d->e || n->op != OP_HOLE ? init : view_of(d->e, n, axis);
}

/* Pushes what has to be known before n and is not; false: nothing. */
static bool push_unknown(Dimensions *d, Node *n, NodeVec *todo)
{
    size_t before = todo->len;
    int axis;
    Node *source = dimensions_source(d, n, &axis);
    if (source && !map_has(&d->done, source))
        vec_push(todo, source);
    for (u32 i = 0; i < n->nops; i++)
        if (!map_has(&d->done, n->ops[i]))
            vec_push(todo, n->ops[i]);
    return todo->len > before;
}

const DimNames *dimensions_of(Dimensions *d, Node *n)
{
    refresh(d);
    NodeVec todo = {0};
    vec_push(&todo, n);
    while (todo.len) {
        Node *x = todo.at[todo.len - 1];
        bool known = map_has(&d->done, x);
        if (!known && push_unknown(d, x, &todo))
            continue;
        todo.len--;
        const DimNames *names = known ? NULL : dimensions_infer(d, x);
        if (dimensions_any(x->type->kind == TYPE_TUPLE ? x->type->nitems : 1, names))
            map_put(&d->of, x, names);
        set_add(&d->done, x);
    }
    vec_free(&todo);
    return map_get(&d->of, n);
}

/* ---- bodies ---- */

/* Names are interned, so that their addresses tell them apart; nothing is put in the order of
 * these numbers. */
static u64 body_key(const Graph *g, const DimNames *const *params)
{
    u64 h = (u64)(uintptr_t)g | 1;
    for (int i = 0; i < g->nparams; i++)
        for (int k = 0; k < MAX_RANK; k++)
            h = hash_mix(h, params[i] ? (u64)(uintptr_t)params[i]->at[k] : 0);
    return h | 1;
}

const DimNames *const *dimensions_of_body(Dimensions *d, const Graph *g,
                                          const DimNames *const *params)
{
    bool any = false;
    for (int i = 0; i < g->nparams; i++)
        any = any || dimensions_any(1, params[i]);
    Dimensions *all = outermost(d);
    u64 key = body_key(g, params);
    const DimNames *const *known = map_get(&all->bodies, key);
    if (known)
        return known;
    const DimNames **outs = arena_alloc(&all->arena, ((size_t)g->nouts + 1) * sizeof *outs);
    Dimensions in = {.st = d->st, .params = params, .nparams = g->nparams, .outermost = all};
    for (int i = 0; i < g->nouts; i++)
        outs[i] = any ? dimensions_of(&in, g->outs[i]) : NULL;
    dimensions_end(&in);
    map_put(&all->bodies, key, outs);
    return outs;
}

/* The names of a row: those after the first. */
static const DimNames *row_of(Dimensions *d, const DimNames *names)
{
    if (!names)
        return NULL;
    DimNames *row = dimensions_new(d, 1);
    memcpy(row->at, names->at + 1, sizeof row->at - sizeof *row->at);
    return row;
}

static Node *stands_for(const Node *owner, const Graph *body, int i, bool *row)
{
    *row = false;
    bool lane = owner->op == OP_VMAP && owner->attrs[1].ints->at[i] >= 0;
    return lane || owner->op == OP_LOOP ? NULL : body_operand(owner, body, i, row);
}

Dimensions dimensions_within(Dimensions *d, const Node *owner, const Graph *body)
{
    size_t n = (size_t)body->nparams + 1;
    const DimNames **params = arena_alloc(&outermost(d)->arena, n * sizeof *params);
    for (int i = 0; i < body->nparams; i++) {
        bool row;
        Node *from = stands_for(owner, body, i, &row);
        params[i] = from ? dimensions_of(d, from) : NULL;
        if (row)
            params[i] = row_of(d, params[i]);
    }
    return (Dimensions){
        .st = d->st, .params = params, .nparams = body->nparams, .outermost = outermost(d)};
}

/* ---- printing ---- */

static void put_tensor(Text *out, const Type *t, const DimNames *names, Numbering *num)
{
    text_put(out, dtype_name(t->dtype));
    for (int i = 0; i < t->rank; i++) {
        text_put(out, i ? ", " : "[");
        if (names->at[i])
            text_printf(out, "%s ", names->at[i]);
        size_print_numbered(out, t->dims[i], num);
    }
    text_put(out, t->rank ? "]" : "");
}

void dimensions_type_print(Text *out, const Type *t, const DimNames *names, Numbering *num)
{
    if (names && t->kind == TYPE_TENSOR)
        put_tensor(out, t, names, num);
    else if (num)
        type_print_numbered(out, t, num);
    else
        type_print(out, t);
}
