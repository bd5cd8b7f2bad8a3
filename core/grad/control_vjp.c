/* Derivatives of calls and branches: the derivative of the graphs they own. */
#include "graph/names.h"
#include "grad/vjp.h"

bool vjp_call(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    u32 temps = v->st->temp_count;
    Graph *g = n->attrs[0].graph;
    Node **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs),
         **bars = xcalloc((size_t)g->nouts + 1, sizeof *bars);
    Node **holes = xcalloc((size_t)g->nparams + 1, sizeof *holes),
         **grads = xcalloc((size_t)g->nparams + 1, sizeof *grads);
    PtrMap memo = {0};
    for (int i = 0; i < g->nparams; i++) {
        holes[i] = node_temp(v->st, n->ops[i]->type, node_told(v->st, n->ops[i]));
        map_put(&memo, holes[i], n->ops[i]);
    }
    bool ok = graph_instantiate(v->st, g, holes, outs);
    for (int i = 0; i < g->nouts; i++)
        bars[i] = vjp_result(v, n, i);
    NodeVec wanted = {0};
    for (int i = 0; i < g->nparams; i++)
        if (vjp_active(v, n->ops[i]))
            vec_push(&wanted, holes[i]);
    ok = ok && vjp_pull(v->st, g->nouts, outs, bars, (int)wanted.len, wanted.at, grads);
    for (int i = 0, k = 0; i < g->nparams && ok; i++) {
        if (!vjp_active(v, n->ops[i]))
            continue;
        Node *c = grads[k++];
        ok = !c || vjp_add(v, n->ops[i], node_substitute(v->st, c, &memo));
    }
    v->st->temp_count = temps;
    vec_free(&wanted);
    map_free(&memo);
    free(outs);
    free(bars);
    free(holes);
    free(grads);
    return ok;
}

typedef struct {
    Vjp *v;
    IfShape s;
    Node **holes; /* one per operand */
    NodeVec bars; /* cotangents that exist */
    NodeVec bar_holes;
    NodeVec
        sizes;   /* outer nodes that the derivative needs besides, such as the size of an operand */
    int *bar_of; /* output -> index in bars, or -1 */
    int nouts;
} Branches;

/* Contributions of one branch to each operand; NULL where nothing flows. */
static bool branch_pull(Branches *b, Graph *g, const IntList *map, Node **grads)
{
    Store *st = b->v->st;
    Node **args = xcalloc(map->n + 1, sizeof *args),
         **outs = xcalloc((size_t)b->nouts + 1, sizeof *outs);
    Node **bars = xcalloc((size_t)b->nouts + 1, sizeof *bars);
    for (u32 i = 0; i < map->n; i++)
        args[i] = b->holes[map->at[i]];
    bool ok = graph_instantiate(st, g, args, outs);
    for (int i = 0; i < b->nouts; i++)
        bars[i] = b->bar_of[i] >= 0 ? b->bar_holes.at[b->bar_of[i]] : NULL;
    NodeVec wanted = {0};
    for (int i = 0; i < b->s.noperands; i++)
        if (vjp_active(b->v, b->s.operands[i]))
            vec_push(&wanted, b->holes[i]);
    Node **found = xcalloc(wanted.len + 1, sizeof *found);
    ok = ok && vjp_pull(st, b->nouts, outs, bars, (int)wanted.len, wanted.at, found);
    for (int i = 0, k = 0; i < b->s.noperands; i++)
        grads[i] = vjp_active(b->v, b->s.operands[i]) ? found[k++] : NULL;
    vec_free(&wanted);
    free(found);
    free(args);
    free(outs);
    free(bars);
    return ok;
}

/* The place of an outer node among the operands that follow the cotangents. */
static i64 further_operand(Branches *b, Node *n)
{
    size_t k = 0;
    while (k < b->sizes.len && b->sizes.at[k] != n)
        k++;
    if (k == b->sizes.len)
        vec_push(&b->sizes, n);
    return b->s.noperands + (i64)b->bars.len + (i64)k;
}

/* Closes one side; operands are the old operands, then the cotangents, then sizes. */
static const IntList *branch_close(Branches *b, NodeVec *outs, Graph **graph)
{
    Closed c;
    CloseRequest rq = {.nouts = (int)outs->len, .outs = outs->at};
    if (!graph_close(b->v->st, &rq, &c))
        return NULL;
    *graph = c.graph;
    i64 *at = xmalloc(((size_t)c.ncaptures + 1) * sizeof *at);
    for (int i = 0; i < c.ncaptures; i++) {
        at[i] = -1;
        for (int k = 0; k < b->s.noperands; k++)
            if (b->holes[k] == c.captures[i])
                at[i] = k;
        for (size_t k = 0; k < b->bar_holes.len; k++)
            if (b->bar_holes.at[k] == c.captures[i])
                at[i] = b->s.noperands + (i64)k;
        if (at[i] < 0)
            at[i] = further_operand(b, c.captures[i]);
    }
    const IntList *map = intlist(b->v->st, (u32)c.ncaptures, at);
    free(at);
    return map;
}

static bool branches_join(Branches *b, Node *n, Node **then_grads, Node **else_grads)
{
    Store *st = b->v->st;
    NodeVec t = {0}, f = {0}, ops = {0};
    for (int i = 0; i < b->s.noperands; i++) {
        if (!then_grads[i] && !else_grads[i])
            continue;
        vec_push(&t, then_grads[i] ? then_grads[i] : build_zeros_like(st, b->holes[i]));
        vec_push(&f, else_grads[i] ? else_grads[i] : build_zeros_like(st, b->holes[i]));
    }
    Attr a[4] = {{0}};
    bool ok = (a[2].ints = branch_close(b, &t, &a[0].graph)) &&
              (a[3].ints = branch_close(b, &f, &a[1].graph));
    for (u32 i = 0; i < n->nops; i++)
        vec_push(&ops, n->ops[i]);
    for (size_t i = 0; i < b->bars.len; i++)
        vec_push(&ops, b->bars.at[i]);
    for (size_t i = 0; i < b->sizes.len; i++)
        vec_push(&ops, b->sizes.at[i]);
    Node *r = ok ? node_make(st, OP_IFELSE, a, (u32)ops.len, ops.at) : NULL;
    ok = r != NULL;
    for (int i = 0, k = 0; i < b->s.noperands && ok; i++)
        if (then_grads[i] || else_grads[i])
            ok = vjp_add(b->v, b->s.operands[i], node_proj(st, r, k++));
    vec_free(&t);
    vec_free(&f);
    vec_free(&ops);
    return ok;
}

/* Of result i, which may have a name of its own. */
static Symbol bar_name(Branches *b, Node *n, int i)
{
    Symbol name = node_name(b->v->st, node_proj(b->v->st, n, i));
    return name_with(b->v->st, "d ", name ? name : symbol(b->v->st, "if"));
}

bool vjp_ifelse(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    u32 temps = v->st->temp_count;
    Branches b = {.v = v, .s = if_shape(n), .nouts = n->type->nitems};
    b.holes = xcalloc((size_t)b.s.noperands + 1, sizeof *b.holes);
    b.bar_of = xcalloc((size_t)b.nouts + 1, sizeof *b.bar_of);
    for (int i = 0; i < b.s.noperands; i++)
        b.holes[i] = node_temp(v->st, b.s.operands[i]->type, node_told(v->st, b.s.operands[i]));
    for (int i = 0; i < b.nouts; i++) {
        Node *bar = vjp_result(v, n, i);
        b.bar_of[i] = bar ? (int)b.bars.len : -1;
        if (bar) {
            vec_push(&b.bars, bar);
            vec_push(&b.bar_holes, node_temp(v->st, bar->type, bar_name(&b, n, i)));
        }
    }
    Node **t = xcalloc((size_t)b.s.noperands + 1, sizeof *t),
         **f = xcalloc((size_t)b.s.noperands + 1, sizeof *f);
    bool ok = branch_pull(&b, b.s.then_graph, b.s.then_args, t) &&
              branch_pull(&b, b.s.else_graph, b.s.else_args, f) && branches_join(&b, n, t, f);
    v->st->temp_count = temps;
    free(t);
    free(f);
    free(b.holes);
    free(b.bar_of);
    vec_free(&b.bars);
    vec_free(&b.bar_holes);
    vec_free(&b.sizes);
    return ok;
}
