/* The rule of each operator: the names of its result from those of its operands. */
#include "graph/control.h"
#include "lang/dimensions.h"

static const DimNames *operand(Dimensions *d, const Node *n, u32 k)
{
    return k < n->nops && n->ops[k]->type->kind == TYPE_TENSOR ? map_get(&d->of, n->ops[k]) : NULL;
}

static Symbol name_at(const DimNames *names, int axis) { return names ? names->at[axis] : NULL; }

/* ---- names that meet ---- */

/* a and b: whose types an error shows. */
static void clash(Dimensions *d, Node *at, const Node *a, const DimNames *na, Symbol x,
                  const Node *b, const DimNames *nb, Symbol y)
{
    if (d->outermost || d->clash.at) /* a body was looked at when it was open */
        return;
    d->clash = (DimClash){.at = at, .side = {a, b}, .name = {x, y}};
    d->clash.names[0] = na ? *na : (DimNames){0};
    d->clash.names[1] = nb ? *nb : (DimNames){0};
}

/* The name of an axis that is both axis i of operand a and axis k of operand b. */
static Symbol meet(Dimensions *d, Node *n, u32 a, int i, u32 b, int k)
{
    const DimNames *na = operand(d, n, a), *nb = operand(d, n, b);
    Symbol x = name_at(na, i), y = name_at(nb, k);
    if (x && y && x != y)
        clash(d, n, n->ops[a], na, x, n->ops[b], nb, y);
    return x ? x : y;
}

/* Operands aligned at the right. */
static const DimNames *aligned(Dimensions *d, Node *n)
{
    DimNames *r = dimensions_new(d, 1);
    u32 from[MAX_RANK];
    int rank = n->type->rank;
    for (u32 k = 0; k < n->nops; k++) {
        const DimNames *names = operand(d, n, k);
        int own = names ? node_rank(n->ops[k]) : 0;
        for (int i = 0; i < own && own <= rank; i++) {
            int at = rank - own + i;
            if (r->at[at])
                meet(d, n, from[at], node_rank(n->ops[from[at]]) - rank + at, k, i);
            else if (names->at[i])
                r->at[at] = names->at[i], from[at] = k;
        }
    }
    return r;
}

/* ---- axes ---- */

static bool is_in(const IntList *axes, int axis)
{
    for (u32 i = 0; i < axes->n; i++)
        if (axes->at[i] == axis)
            return true;
    return false;
}

static const DimNames *without(Dimensions *d, const Node *n, const IntList *axes)
{
    const DimNames *x = operand(d, n, 0);
    DimNames *r = x ? dimensions_new(d, 1) : NULL;
    for (int i = 0, k = 0; x && i < node_rank(n->ops[0]); i++)
        if (!is_in(axes, i))
            r->at[k++] = x->at[i];
    return r;
}

/* Axis `axis` of operand 0 replaced by those of operand 1; none if it is a number. */
static const DimNames *taken(Dimensions *d, const Node *n, int axis)
{
    const DimNames *x = operand(d, n, 0), *at = operand(d, n, 1);
    DimNames *r = x || at ? dimensions_new(d, 1) : NULL;
    int k = 0;
    for (int i = 0; r && i < node_rank(n->ops[0]); i++) {
        if (i != axis)
            r->at[k++] = name_at(x, i);
        for (int j = 0; i == axis && j < node_rank(n->ops[1]); j++)
            r->at[k++] = name_at(at, j);
    }
    return r;
}

static const DimNames *transposed(Dimensions *d, const Node *n)
{
    const DimNames *x = operand(d, n, 0);
    DimNames *r = x ? dimensions_new(d, 1) : NULL;
    for (u32 i = 0; x && i < n->attrs[0].ints->n; i++)
        r->at[i] = x->at[n->attrs[0].ints->at[i]];
    return r;
}

static const DimNames *broadcast(Dimensions *d, const Node *n)
{
    const DimNames *x = operand(d, n, 0);
    DimNames *r = x ? dimensions_new(d, 1) : NULL;
    for (u32 i = 0; x && i < n->attrs[0].ints->n; i++)
        r->at[n->attrs[0].ints->at[i]] = x->at[i];
    return r;
}

static const DimNames *expanded(Dimensions *d, const Node *n)
{
    const DimNames *x = operand(d, n, 0);
    DimNames *r = x ? dimensions_new(d, 1) : NULL;
    for (int i = 0, k = 0; x && i < n->type->rank; i++)
        if (!is_in(n->attrs[0].ints, i))
            r->at[i] = x->at[k++];
    return r;
}

/* ---- products ---- */

static const DimNames *product(Dimensions *d, Node *n)
{
    int ra = node_rank(n->ops[0]), rb = node_rank(n->ops[1]), rank = 0;
    const DimNames *a = operand(d, n, 0), *b = operand(d, n, 1);
    DimNames *r = a || b ? dimensions_new(d, 1) : NULL;
    if (!r)
        return NULL;
    meet(d, n, 0, ra - 1, 1, rb > 1 ? rb - 2 : 0);
    for (; rank < ra - 2 || rank < rb - 2; rank++)
        r->at[rank] = rank >= rb - 2   ? name_at(a, rank)
                      : rank >= ra - 2 ? name_at(b, rank)
                                       : meet(d, n, 0, rank, 1, rank);
    if (ra > 1)
        r->at[rank++] = name_at(a, ra - 2);
    if (rb > 1)
        r->at[rank++] = name_at(b, rb - 1);
    return r;
}

/* gemm, gemv and ger of matrices and vectors, whose names met before they became that. */
static const DimNames *blas(Dimensions *d, const Node *n)
{
    const DimNames *a = operand(d, n, 0), *b = operand(d, n, 1);
    DimNames *r = dimensions_new(d, 1);
    if (n->type->rank > 2)
        return NULL;
    bool turned = n->op != OP_GER && n->attrs[0].i;
    r->at[0] = name_at(a, turned ? node_rank(n->ops[0]) - 1 : 0);
    if (n->type->rank == 2)
        r->at[1] = name_at(b, n->op == OP_GEMM && !n->attrs[1].i ? 1 : 0);
    return r;
}

/* A x = b: x goes with the columns of A, b with its rows. */
static const DimNames *solution(Dimensions *d, Node *n)
{
    int ra = node_rank(n->ops[0]), rb = node_rank(n->ops[1]), k = rb == 1 ? 0 : ra - 2;
    bool turned = n->op == OP_SOLVE_TRIANGULAR && n->attrs[1].i;
    const DimNames *a = operand(d, n, 0), *b = operand(d, n, 1);
    DimNames *r = dimensions_new(d, 1);
    meet(d, n, 0, turned ? ra - 1 : ra - 2, 1, k);
    for (int i = 0; b && i < rb; i++)
        r->at[i] = b->at[i];
    r->at[k] = name_at(a, turned ? ra - 2 : ra - 1);
    return r;
}

static const DimNames *inverse(Dimensions *d, const Node *n)
{
    const DimNames *x = operand(d, n, 0);
    DimNames *r = x ? dimensions_new(d, 1) : NULL;
    int rank = n->type->rank;
    if (r) {
        *r = *x;
        r->at[rank - 2] = x->at[rank - 1];
        r->at[rank - 1] = x->at[rank - 2];
    }
    return r;
}

/* ---- what owns graphs ---- */

static const DimNames **room(Dimensions *d, int n)
{
    Dimensions *all = d->outermost ? d->outermost : d;
    const DimNames **at = arena_alloc(&all->arena, ((size_t)n + 1) * sizeof *at);
    return at;
}

/* `first` results, then the outputs of the body. */
static const DimNames *applied(Dimensions *d, const Node *n, int wrt)
{
    const Graph *g = n->attrs[0].graph;
    const DimNames **params = room(d, g->nparams);
    for (int i = 0; i < g->nparams; i++)
        params[i] = operand(d, n, (u32)i);
    const DimNames *const *outs = dimensions_of_body(d, g, params);
    DimNames *r = dimensions_new(d, n->type->nitems + g->nouts);
    for (int i = 0; i < wrt; i++)
        r[i] = params[i] ? *params[i] : (DimNames){0};
    for (int i = 0; i < g->nouts; i++)
        r[wrt + i] = outs[i] ? *outs[i] : (DimNames){0};
    return r;
}

/* Forward mode: the tangents of the outputs, then the outputs. */
static const DimNames *pushed(Dimensions *d, const Node *n)
{
    const Graph *g = n->attrs[0].graph;
    const DimNames *outs = applied(d, n, 0);
    DimNames *r = dimensions_new(d, 2 * g->nouts);
    for (int i = 0; i < 2 * g->nouts; i++)
        r[i] = outs[i % g->nouts];
    return r;
}

/* `names` without an axis; -1: with all of them. */
static const DimNames *lane_of(Dimensions *d, const DimNames *names, i64 axis)
{
    if (!names || axis < 0)
        return names;
    DimNames *r = dimensions_new(d, 1);
    for (int i = 0, k = 0; i < MAX_RANK; i++)
        if (i != axis)
            r->at[k++] = names->at[i];
    return r;
}

/* What the axis along which steps or lanes lie is called, and the operand that says so. */
typedef struct {
    Symbol name;
    Node *first;
} Along;

static void meet_along(Dimensions *d, Node *n, Along *a, Node *operand, i64 axis)
{
    const DimNames *names = map_get(&d->of, operand);
    Symbol name = axis < 0 ? NULL : name_at(names, (int)axis);
    if (name && a->name && name != a->name)
        clash(d, n, a->first, map_get(&d->of, a->first), a->name, operand, names, name);
    if (name && !a->name)
        *a = (Along){name, operand};
}

static DimNames with_axis(const DimNames *names, i64 axis, Symbol name)
{
    DimNames r = {0};
    for (int i = 0, k = 0; i < MAX_RANK; i++)
        r.at[i] = i == axis ? name : name_at(names, k++);
    return r;
}

static const DimNames *mapped(Dimensions *d, Node *n)
{
    const Graph *g = n->attrs[0].graph;
    const DimNames **params = room(d, g->nparams);
    Along lanes = {0};
    for (int i = 0; i < g->nparams; i++) {
        i64 axis = n->attrs[1].ints->at[i];
        meet_along(d, n, &lanes, n->ops[i], axis);
        params[i] = lane_of(d, operand(d, n, (u32)i), axis);
    }
    const DimNames *const *outs = dimensions_of_body(d, g, params);
    DimNames *r = dimensions_new(d, g->nouts);
    for (int i = 0; i < g->nouts; i++)
        r[i] = with_axis(outs[i], n->attrs[2].ints->at[i], lanes.name);
    return r;
}

/* Both branches may be one graph, of different operands. */
static const DimNames *const *branch_outs(Dimensions *d, const IfShape *s, const Graph *g,
                                          const IntList *args)
{
    const DimNames **params = room(d, g->nparams);
    for (int i = 0; i < g->nparams; i++)
        params[i] = map_get(&d->of, s->operands[args->at[i]]);
    return dimensions_of_body(d, g, params);
}

/* The branches were compared when they were open. */
static const DimNames *chosen(Dimensions *d, const Node *n)
{
    IfShape s = if_shape(n);
    const DimNames *const *a = branch_outs(d, &s, s.then_graph, s.then_args), *const *b =
                                                                                  branch_outs(
                                                                                      d, &s,
                                                                                      s.else_graph,
                                                                                      s.else_args);
    DimNames *r = dimensions_new(d, n->type->nitems);
    for (int i = 0; i < n->type->nitems; i++)
        for (int k = 0; k < MAX_RANK; k++) {
            Symbol x = name_at(a[i], k);
            r[i].at[k] = x ? x : name_at(b[i], k);
        }
    return r;
}

/* ---- loops ---- */

typedef struct {
    const Graph *body;
    int nstates, ntraces, stop; /* outputs: states, then traces (a loop: after the test) */
    const DimNames **params;
    Along rows;
} LoopNames;

static void scan_params(Dimensions *d, Node *n, LoopNames *l)
{
    ScanShape s = scan_shape(n);
    for (int i = 0; i < s.nstates; i++)
        l->params[i] = map_get(&d->of, s.inits[i]);
    for (int i = 0; i < s.nseqs; i++) {
        meet_along(d, n, &l->rows, s.seqs[i], 0);
        l->params[s.nstates + i] = lane_of(d, map_get(&d->of, s.seqs[i]), 0);
    }
    for (int i = 0; i < s.ncaptures; i++)
        l->params[s.nstates + s.nseqs + i] = map_get(&d->of, s.captures[i]);
}

/* What is known of a state from what it starts as and what its equation gives, which were compared
 * when the body was open. True if the second told more. */
static bool learn(Dimensions *d, LoopNames *l, int k, const DimNames *next)
{
    const DimNames *now = l->params[k];
    DimNames *all = dimensions_new(d, 1);
    bool more = false;
    for (int i = 0; i < MAX_RANK; i++) {
        Symbol x = name_at(now, i), y = name_at(next, i);
        more = more || (y && !x);
        all->at[i] = x ? x : y;
    }
    l->params[k] = all;
    return more;
}

static const DimNames *const *loop_outs(Dimensions *d, LoopNames *l)
{
    for (int round = 0;; round++) {
        const DimNames *const *outs = dimensions_of_body(d, l->body, l->params);
        bool more = false;
        const DimNames **params = room(d, l->body->nparams); /* the others are remembered */
        memcpy(params, l->params, (size_t)l->body->nparams * sizeof *params);
        l->params = params;
        for (int k = 0; k < l->nstates && k < l->body->nparams; k++)
            more = learn(d, l, k, outs[k]) || more;
        if (!more || round > MAX_RANK)
            return outs;
    }
}

static const DimNames *loop_results(Dimensions *d, const Node *n, LoopNames *l)
{
    const DimNames *const *outs = loop_outs(d, l);
    DimNames *r = dimensions_new(d, n->type->nitems);
    for (int k = 0; k < l->nstates; k++)
        r[k] = l->params[k] ? *l->params[k] : (DimNames){0};
    for (int k = 0; k < l->ntraces; k++)
        r[l->nstates + k] = with_axis(outs[l->stop + k], 0, l->rows.name);
    return r;
}

static const DimNames *scanned(Dimensions *d, Node *n)
{
    ScanShape s = scan_shape(n);
    LoopNames l = {.body = s.body,
                   .nstates = s.nstates,
                   .ntraces = s.nouts,
                   .stop = s.nstates,
                   .params = room(d, s.body->nparams)};
    scan_params(d, n, &l);
    return loop_results(d, n, &l);
}

/* ---- dispatch ---- */

static const DimNames *of_hole(Dimensions *d, Node *n)
{
    int axis;
    Node *source = dimensions_source(d, n, &axis);
    return source ? lane_of(d, map_get(&d->of, source), axis) : NULL;
}

static const DimNames *of_leaf(Dimensions *d, const Node *n)
{
    const Symbol *names = leaf_dimensions(d->st, n);
    DimNames *r = names ? dimensions_new(d, 1) : NULL;
    for (int i = 0; names && i < n->type->rank; i++)
        r->at[i] = names[i];
    return r;
}

static const DimNames *of_parts(Dimensions *d, const Node *n)
{
    DimNames *r = dimensions_new(d, (int)n->nops);
    for (u32 i = 0; i < n->nops; i++) {
        const DimNames *part = operand(d, n, i);
        r[i] = part ? *part : (DimNames){0};
    }
    return r;
}

static const DimNames *of_part(Dimensions *d, const Node *n)
{
    const DimNames *all = map_get(&d->of, n->ops[0]);
    return all ? all + n->attrs[0].i : NULL;
}

/* Repeated along an axis, or flattened first. */
static const DimNames *repeated(Dimensions *d, const Node *n)
{
    return n->attrs[0].i < 0 ? NULL : operand(d, n, 0);
}

static const DimNames *of_axis(Dimensions *d, const Node *n)
{
    i64 axis[] = {n->attrs[0].i};
    return without(d, n, intlist(d->st, 1, axis));
}

static const DimNames *of_control(Dimensions *d, Node *n)
{
    switch (n->op) {
    case OP_SCAN: return scanned(d, n);
    case OP_IFELSE: return chosen(d, n);
    case OP_CALL:
    case OP_FUSED: return applied(d, n, 0);
    case OP_GRAD:
    case OP_VJP: return applied(d, n, (int)n->attrs[1].i);
    case OP_JVP: return pushed(d, n);
    case OP_VMAP: return mapped(d, n);
    default: return NULL;
    }
}

static const DimNames *of_structure(Dimensions *d, Node *n)
{
    switch (n->op) {
    case OP_INPUT:
    case OP_SHARED: return of_leaf(d, n);
    case OP_PARAM: return n->attrs[0].i < d->nparams ? d->params[n->attrs[0].i] : NULL;
    case OP_HOLE: return of_hole(d, n);
    case OP_TUPLE: return of_parts(d, n);
    case OP_PROJ: return of_part(d, n);
    case OP_CHECK: return operand(d, n, 1);
    case OP_MATCH_SHAPE:
    case OP_STOP_GRADIENT: return operand(d, n, 0);
    default: return NULL;
    }
}

static const DimNames *of_product(Dimensions *d, Node *n)
{
    switch (n->op) {
    case OP_MATMUL: return product(d, n);
    case OP_GEMM:
    case OP_GEMV:
    case OP_GER: return blas(d, n);
    case OP_SOLVE:
    case OP_SOLVE_TRIANGULAR: return solution(d, n);
    case OP_INV: return inverse(d, n);
    case OP_CHOLESKY: return operand(d, n, 0);
    default: return NULL;
    }
}

static const DimNames *of_shape(Dimensions *d, Node *n)
{
    switch (n->op) {
    case OP_TRANSPOSE: return transposed(d, n);
    case OP_BROADCAST: return broadcast(d, n);
    case OP_EXPAND_DIMS: return expanded(d, n);
    case OP_SQUEEZE: return without(d, n, n->attrs[0].ints);
    case OP_CONCAT: return aligned(d, n);
    case OP_INDEX:
    case OP_GATHER: return taken(d, n, (int)n->attrs[0].i);
    case OP_FLIP:
    case OP_TRIANGLE:
    case OP_SLICE:
    case OP_SET_INDEX:
    case OP_SET_SLICE:
    case OP_SCATTER:
    case OP_SORT:
    case OP_ARGSORT: return operand(d, n, 0);
    default: return NULL;
    }
}

static const DimNames *of_reduction(Dimensions *d, const Node *n)
{
    switch (n->op) {
    case OP_CUMSUM:
    case OP_CUMPROD:
    case OP_CUMMAX:
    case OP_SOFTMAX:
    case OP_LOG_SOFTMAX:
    case OP_ROLL:
    case OP_PAD: return operand(d, n, 0);
    case OP_REPEAT: return repeated(d, n);
    case OP_ARGMAX:
    case OP_ARGMIN: return of_axis(d, n);
    case OP_LOGSUMEXP:
    case OP_MEAN:
    case OP_VAR:
    case OP_STD:
    case OP_NORM: return without(d, n, n->attrs[0].ints);
    default: return NULL;
    }
}

const DimNames *dimensions_infer(Dimensions *d, Node *n)
{
    switch (op_table[n->op].cls) {
    case CLASS_STRUCTURAL: return of_structure(d, n);
    case CLASS_CONTROL:
    case CLASS_IMPLICIT: return of_control(d, n);
    case CLASS_ELEMENTWISE: return aligned(d, n);
    case CLASS_COMPOSITE: return of_reduction(d, n);
    case CLASS_REDUCE:
        return op_attr_kind(n->op, 0) == 'I' ? without(d, n, n->attrs[0].ints)
               : n->op == OP_RECURRENCE      ? aligned(d, n)
                                             : of_reduction(d, n);
    case CLASS_SHAPE:
    case CLASS_INDEX: return of_shape(d, n);
    case CLASS_LINALG: return of_product(d, n);
    default: return NULL;
    }
}
