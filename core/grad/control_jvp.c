/* Forward derivatives of calls and branches: the graphs they own, with tangents beside the values.
 */
#include "graph/names.h"
#include "grad/jvp.h"
#include "grad/vjp.h"

/* ---- calls ---- */

/* What n computes of its operands, and the tangents of that (NULL: none). Operands may be equal or
 * depend on one another, so it works on holes. */
static bool push_inside(Jvp *j, Node *n, Inside *inside, int nouts, Node **values, Node **tangents)
{
    Store *st = j->st;
    u32 temps = st->temp_count;
    size_t params = (size_t)n->nops + 1;
    Node **holes = xcalloc(params, sizeof *holes), **dholes = xcalloc(params, sizeof *dholes),
         **outs = xcalloc((size_t)nouts + 1, sizeof *outs);
    NodeMap memo = {0};
    for (u32 i = 0; i < n->nops; i++) {
        Node *dx = jvp_tangent(j, n->ops[i]);
        Symbol name = node_told(st, n->ops[i]);
        holes[i] = node_temp(st, n->ops[i]->type, name);
        dholes[i] =
            dx ? node_temp(st, n->ops[i]->type, name_derived(st, NAME_TANGENT, name)) : NULL;
        map_put(&memo, holes[i], n->ops[i]);
        if (dx)
            map_put(&memo, dholes[i], dx);
    }
    bool ok = inside(st, n, holes, outs) &&
              jvp_push(st, (int)n->nops, holes, dholes, nouts, outs, tangents, values, NULL);
    for (int i = 0; i < nouts && ok; i++) {
        bool moves = tangents[i] != NULL;
        values[i] = node_substitute(st, values[i], &memo);
        tangents[i] = values[i] && moves ? node_substitute(st, tangents[i], &memo) : NULL;
        ok = values[i] && (tangents[i] || !moves);
    }
    st->temp_count = temps;
    map_free(&memo);
    free(holes);
    free(dholes);
    free(outs);
    return ok;
}

bool jvp_call(Jvp *j, Node *n)
{
    int nouts = n->attrs[0].graph->nouts;
    Node **values = xcalloc((size_t)nouts + 1, sizeof *values),
         **tangents = xcalloc((size_t)nouts + 1, sizeof *tangents);
    bool ok = push_inside(j, n, inside_call, nouts, values, tangents);
    for (int i = 0; i < nouts && ok; i++)
        jvp_result(j, n, i, values[i], tangents[i]);
    free(values);
    free(tangents);
    return ok;
}

static bool push_one(Jvp *j, Node *n, Inside *inside)
{
    Node *value = NULL, *tangent = NULL;
    return push_inside(j, n, inside, 1, &value, &tangent) && (!tangent || jvp_give(j, n, tangent));
}

bool jvp_product(Jvp *j, Node *n) { return push_one(j, n, inside_product); }
bool jvp_defined(Jvp *j, Node *n) { return push_one(j, n, inside_definition); }

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
              jvp_push(b->j->st, (int)map->n, args, dargs, b->nouts, outs, douts, values, NULL);
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
            jvp_tangent(j, x) ? node_temp(st, x->type, name_derived(st, NAME_TANGENT, name)) : NULL;
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
