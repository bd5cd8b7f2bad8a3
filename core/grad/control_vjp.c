/* Derivatives of calls and branches: the derivative of the graphs they own. */
#include "graph/names.h"
#include "grad/vjp.h"

/* The cotangents of n's operands, by what n computes of holes in their place. */
bool pull_inside(Vjp *v, Node *n, Inside *inside, int nouts, Node *const *bars)
{
    u32 temps = v->st->temp_count;
    Node **outs = xcalloc((size_t)nouts + 1, sizeof *outs);
    Node **holes = xcalloc((size_t)n->nops + 1, sizeof *holes),
         **grads = xcalloc((size_t)n->nops + 1, sizeof *grads);
    NodeMap memo = {0};
    for (u32 i = 0; i < n->nops; i++) {
        holes[i] = node_temp(v->st, n->ops[i]->type, node_told(v->st, n->ops[i]));
        map_put(&memo, holes[i], n->ops[i]);
    }
    bool ok = inside(v->st, n, holes, outs);
    NodeVec wanted = {0};
    for (u32 i = 0; i < n->nops; i++)
        if (vjp_active(v, n->ops[i]))
            vec_push(&wanted, holes[i]);
    ok = ok && vjp_pull(v->st, nouts, outs, bars, (int)wanted.len, wanted.at, grads, NULL);
    for (u32 i = 0, k = 0; i < n->nops && ok; i++) {
        if (!vjp_active(v, n->ops[i]))
            continue;
        Node *c = grads[k++];
        ok = !c || vjp_add(v, n->ops[i], node_substitute(v->st, c, &memo));
    }
    v->st->temp_count = temps;
    vec_free(&wanted);
    map_free(&memo);
    free(outs);
    free(holes);
    free(grads);
    return ok;
}

bool inside_call(Store *st, Node *n, Node *const *ops, Node **outs)
{
    return graph_instantiate(st, n->attrs[0].graph, ops, outs);
}

bool inside_product(Store *st, Node *n, Node *const *ops, Node **outs)
{
    return (outs[0] = product_plain(st, n, ops)) != NULL;
}

bool vjp_call(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    int nouts = n->attrs[0].graph->nouts;
    Node **bars = xcalloc((size_t)nouts + 1, sizeof *bars);
    for (int i = 0; i < nouts; i++)
        bars[i] = vjp_result(v, n, i);
    bool ok = pull_inside(v, n, inside_call, nouts, bars);
    free(bars);
    return ok;
}

bool vjp_product(Vjp *v, Node *n, Node *dy) { return pull_inside(v, n, inside_product, 1, &dy); }

typedef struct {
    Vjp *v;
    IfShape s;
    Node **holes;     /* one per operand */
    Node **bar_holes; /* by output: the hole for its cotangent, NULL where there is none */
    IfParts parts; /* operands: the old ones, the cotangents, what the derivative needs besides */
    int nouts;
} Branches;

/* Contributions of one branch to each operand; NULL where nothing flows. */
static bool branch_pull(Branches *b, Graph *g, const IntList *map, Node **grads)
{
    Store *st = b->v->st;
    Node **args = xcalloc(map->n + 1, sizeof *args),
         **outs = xcalloc((size_t)b->nouts + 1, sizeof *outs);
    for (u32 i = 0; i < map->n; i++)
        args[i] = b->holes[map->at[i]];
    bool ok = graph_instantiate(st, g, args, outs);
    NodeVec wanted = {0};
    for (int i = 0; i < b->s.noperands; i++)
        if (vjp_active(b->v, b->s.operands[i]))
            vec_push(&wanted, b->holes[i]);
    Node **found = xcalloc(wanted.len + 1, sizeof *found);
    ok = ok && vjp_pull(st, b->nouts, outs, b->bar_holes, (int)wanted.len, wanted.at, found, NULL);
    for (int i = 0, k = 0; i < b->s.noperands; i++)
        grads[i] = vjp_active(b->v, b->s.operands[i]) ? found[k++] : NULL;
    vec_free(&wanted);
    free(found);
    free(args);
    free(outs);
    return ok;
}

static bool branches_join(Branches *b, Node **then_grads, Node **else_grads)
{
    Store *st = b->v->st;
    NodeVec sides[2] = {{0}, {0}};
    for (int i = 0; i < b->s.noperands; i++) {
        if (!then_grads[i] && !else_grads[i])
            continue;
        vec_push(&sides[0], then_grads[i] ? then_grads[i] : build_zeros_like(st, b->holes[i]));
        vec_push(&sides[1], else_grads[i] ? else_grads[i] : build_zeros_like(st, b->holes[i]));
    }
    bool ok = true;
    for (int k = 0; k < 2 && ok; k++) {
        CloseRequest rq = {.nouts = (int)sides[k].len, .outs = sides[k].at};
        ok = if_branch(st, &b->parts, k, &rq);
    }
    Node *r = ok ? if_node(st, &b->parts) : NULL;
    ok = r != NULL;
    for (int i = 0, k = 0; i < b->s.noperands && ok; i++)
        if (then_grads[i] || else_grads[i])
            ok = vjp_add(b->v, b->s.operands[i], node_proj(st, r, k++));
    vec_free(&sides[0]);
    vec_free(&sides[1]);
    return ok;
}

/* Of result i, which may have a name of its own. */
static Symbol bar_name(Branches *b, Node *n, int i)
{
    Symbol name = node_name(b->v->st, node_proj(b->v->st, n, i));
    return name_derived(b->v->st, NAME_COTANGENT, name ? name : symbol(b->v->st, "if"));
}

bool vjp_ifelse(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    u32 temps = v->st->temp_count;
    Branches b = {.v = v, .s = if_shape(n), .nouts = n->type->nitems};
    b.holes = xcalloc((size_t)b.s.noperands + 1, sizeof *b.holes);
    b.bar_holes = xcalloc((size_t)b.nouts + 1, sizeof *b.bar_holes);
    if_open(&b.parts, b.s.condition);
    for (int i = 0; i < b.s.noperands; i++) {
        b.holes[i] = node_temp(v->st, b.s.operands[i]->type, node_told(v->st, b.s.operands[i]));
        if_operand(&b.parts, b.s.operands[i], b.holes[i]);
    }
    for (int i = 0; i < b.nouts; i++) {
        Node *bar = vjp_result(v, n, i);
        b.bar_holes[i] = bar ? node_temp(v->st, bar->type, bar_name(&b, n, i)) : NULL;
        if (bar)
            if_operand(&b.parts, bar, b.bar_holes[i]);
    }
    Node **t = xcalloc((size_t)b.s.noperands + 1, sizeof *t),
         **f = xcalloc((size_t)b.s.noperands + 1, sizeof *f);
    bool ok = branch_pull(&b, b.s.then_graph, b.s.then_args, t) &&
              branch_pull(&b, b.s.else_graph, b.s.else_args, f) && branches_join(&b, t, f);
    v->st->temp_count = temps;
    free(t);
    free(f);
    free(b.holes);
    free(b.bar_holes);
    if_parts_free(&b.parts);
    return ok;
}
