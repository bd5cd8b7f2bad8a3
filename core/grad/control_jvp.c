/* Forward derivatives of calls and branches: the graphs they own, with tangents beside the values.
 */
#include "graph/names.h"
#include "grad/jvp.h"

/* ---- calls ---- */

/* The body in place of the call: arguments may be equal or depend on one another, so it works on
 * holes. */
bool jvp_call(Jvp *j, Node *n)
{
    Store *st = j->st;
    u32 temps = st->temp_count;
    Graph *g = n->attrs[0].graph;
    size_t params = (size_t)g->nparams + 1, nouts = (size_t)g->nouts + 1;
    Node **holes = xcalloc(params, sizeof *holes), **dholes = xcalloc(params, sizeof *dholes),
         **outs = xcalloc(nouts, sizeof *outs), **douts = xcalloc(nouts, sizeof *douts),
         **values = xcalloc(nouts, sizeof *values);
    PtrMap memo = {0};
    for (int i = 0; i < g->nparams; i++) {
        Node *dx = jvp_tangent(j, n->ops[i]);
        Symbol name = node_told(st, n->ops[i]);
        holes[i] = node_temp(st, n->ops[i]->type, name);
        dholes[i] = dx ? node_temp(st, n->ops[i]->type, name_with(st, "dot ", name)) : NULL;
        map_put(&memo, holes[i], n->ops[i]);
        if (dx)
            map_put(&memo, dholes[i], dx);
    }
    bool ok = graph_instantiate(st, g, holes, outs) &&
              jvp_push(st, g->nparams, holes, dholes, g->nouts, outs, douts, values);
    for (int i = 0; i < g->nouts && ok; i++) {
        Node *value = node_substitute(st, values[i], &memo),
             *d = value && douts[i] ? node_substitute(st, douts[i], &memo) : NULL;
        ok = value && (d || !douts[i]);
        if (ok)
            jvp_result(j, n, i, value, d);
    }
    st->temp_count = temps;
    map_free(&memo);
    free(holes);
    free(dholes);
    free(outs);
    free(douts);
    free(values);
    return ok;
}

/* ---- branches ---- */

typedef struct {
    Jvp *j;
    IfShape s;
    Node **holes, **dholes; /* by operand */
    int nouts;
    IfParts wider; /* its operands: the old ones, their tangents, what only the derivative needs */
} Branches;

static bool branch_push(Branches *b, Graph *g, const IntList *map, Node **values, Node **douts)
{
    Node **args = xcalloc(map->n + 1, sizeof *args), **dargs = xcalloc(map->n + 1, sizeof *dargs),
         **outs = xcalloc((size_t)b->nouts + 1, sizeof *outs);
    for (u32 i = 0; i < map->n; i++) {
        args[i] = b->holes[map->at[i]];
        dargs[i] = b->dholes[map->at[i]];
    }
    bool ok = graph_instantiate(b->j->st, g, args, outs) &&
              jvp_push(b->j->st, (int)map->n, args, dargs, b->nouts, outs, douts, values);
    free(args);
    free(dargs);
    free(outs);
    return ok;
}

/* Values, then the tangents that one side has at least. */
static bool side_outputs(Branches *b, Node *const *values, Node *const *own, Node *const *other,
                         NodeVec *outs)
{
    for (int i = 0; i < b->nouts; i++)
        vec_push(outs, values[i]);
    for (int i = 0; i < b->nouts; i++)
        if (own[i] || other[i]) {
            Node *d = own[i] ? own[i] : build_zeros_like(b->j->st, values[i]);
            if (!d)
                return false;
            vec_push(outs, d);
        }
    return true;
}

static bool branches_join(Branches *b, Node *n, Node **sides[4])
{
    Store *st = b->j->st;
    NodeVec outs[2] = {{0}, {0}};
    bool ok = side_outputs(b, sides[0], sides[1], sides[3], &outs[0]) &&
              side_outputs(b, sides[2], sides[3], sides[1], &outs[1]);
    for (int k = 0; k < 2 && ok; k++) {
        CloseRequest rq = {.nouts = (int)outs[k].len, .outs = outs[k].at};
        ok = if_branch(st, &b->wider, k, &rq);
    }
    Node *r = ok ? if_node(st, &b->wider) : NULL;
    for (int i = 0, d = b->nouts; i < b->nouts && r; i++)
        jvp_result(b->j, n, i, node_proj(st, r, i),
                   sides[1][i] || sides[3][i] ? node_proj(st, r, d++) : NULL);
    vec_free(&outs[0]);
    vec_free(&outs[1]);
    return r != NULL;
}

bool jvp_ifelse(Jvp *j, Node *n)
{
    Store *st = j->st;
    u32 temps = st->temp_count;
    Branches b = {.j = j, .s = if_shape(n), .nouts = n->type->nitems};
    size_t count = (size_t)b.s.noperands + 1;
    b.holes = xcalloc(count, sizeof *b.holes);
    b.dholes = xcalloc(count, sizeof *b.dholes);
    if_open(&b.wider, b.s.condition);
    for (int i = 0; i < b.s.noperands; i++) {
        Node *x = b.s.operands[i];
        Symbol name = node_told(st, x);
        b.holes[i] = node_temp(st, x->type, name);
        b.dholes[i] =
            jvp_tangent(j, x) ? node_temp(st, x->type, name_with(st, "dot ", name)) : NULL;
        if_operand(&b.wider, x, b.holes[i]);
    }
    for (int i = 0; i < b.s.noperands; i++)
        if (b.dholes[i])
            if_operand(&b.wider, jvp_tangent(j, b.s.operands[i]), b.dholes[i]);
    Node **sides[4]; /* values and tangents of `then`, of `else` */
    for (int i = 0; i < 4; i++)
        sides[i] = xcalloc((size_t)b.nouts + 1, sizeof(Node *));
    bool ok = branch_push(&b, b.s.then_graph, b.s.then_args, sides[0], sides[1]) &&
              branch_push(&b, b.s.else_graph, b.s.else_args, sides[2], sides[3]) &&
              branches_join(&b, n, sides);
    st->temp_count = temps;
    for (int i = 0; i < 4; i++)
        free(sides[i]);
    free(b.holes);
    free(b.dholes);
    if_parts_free(&b.wider);
    return ok;
}
