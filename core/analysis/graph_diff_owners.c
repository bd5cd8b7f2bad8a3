/* Loops, branches, functions and derivatives compared: their graphs over common variables.  See
 * graph_diff_parts.h.
 *
 * Invariant: what a graph captures stands in the open one as it is outside, so it is compared where
 * it is read, and nowhere else. */
#include "analysis/graph_diff_parts.h"

#include "graph/provenance.h"
#include "ops/ops.h"

/* ---- opening ---- */

static void note_stands(GraphDiff *d, int side, Node *open, Node *closed, const Graph *g)
{
    if (map_has(&d->work->stands[side], open))
        return;
    Standing *at = arena_alloc(&d->arena, sizeof *at);
    *at = (Standing){closed, g};
    map_put(&d->work->stands[side], open, at);
}

/* The graph of an owner over what its parameters are on this side. */
static bool open_graph(GraphDiff *d, OwnerPair *o, int side, int slot, Graph *g, Node **args)
{
    DiagTry trial;
    NodeVec order = {0};
    nodes_topo(g->nouts, g->outs, &order);
    size_t nodes = order.len;
    for (int i = 0; i < g->nouts; i++)
        vec_push(&order, g->outs[i]);
    Node **open = arena_alloc(&d->arena, (order.len + 1) * sizeof *open);
    diag_try_begin(&trial, &d->st->diags);
    bool ok = graph_instantiate_nodes(d->st, g, args, (int)order.len, order.at, open);
    diag_try_end(&trial);
    NodeVec seen = {.at = open, .len = ok ? nodes : 0};
    diff_note_looks(d, &seen);
    for (size_t i = 0; i < nodes && ok; i++) {
        bool outside = order.at[i]->op == OP_PARAM && open[i]->op != OP_HOLE;
        set_add(&d->work->reach[side], open[i]);
        if (!outside)
            note_stands(d, side, open[i], order.at[i], g);
    }
    o->nouts[side][slot] = g->nouts;
    o->outs[side][slot] = open + nodes;
    vec_free(&order);
    return ok;
}

/* A variable for what is a parameter on both sides; two where they have different types. */
static void common(GraphDiff *d, Node **a, Node **b, Type *ta, Type *tb, Symbol name)
{
    *a = *b = node_temp(d->st, ta, name);
    if (ta != tb) {
        *b = node_temp(d->st, tb, name);
        diff_same(d, *a, *b);
    }
}

/* ---- scans ---- */

typedef struct {
    ScanShape s[2];
    const Symbol *names[2];
    Node **args[2];
} Scans;

static int *unpaired(GraphDiff *d, int n)
{
    int *at = arena_alloc(&d->arena, ((size_t)n + 1) * sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = UNPAIRED;
    return at;
}

static void pair_up(int **of, int i, int k)
{
    of[0][i] = k;
    of[1][k] = i;
}

/* States have an order of their own; where one is missing, names tell which. */
static void pair_states(const Scans *v, OwnerPair *o)
{
    int n = v->s[0].nstates, m = v->s[1].nstates;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m && n != m && o->states[0][i] == UNPAIRED; k++)
            if (o->states[1][k] == UNPAIRED && v->names[0][i] && v->names[0][i] == v->names[1][k])
                pair_up(o->states, i, k);
    for (int i = 0, k = 0; i < n; i++) {
        while (k < m && o->states[1][k] != UNPAIRED)
            k++;
        if (k < m && o->states[0][i] == UNPAIRED)
            pair_up(o->states, i, k);
    }
}

/* Rows of the same sequence are one variable; the others are paired in order. */
static void pair_sequences(const Scans *v, int **rows)
{
    const ScanShape *a = &v->s[0], *b = &v->s[1];
    for (int i = 0; i < a->nseqs; i++)
        for (int k = 0; k < b->nseqs && rows[0][i] == UNPAIRED; k++)
            if (rows[1][k] == UNPAIRED && a->seqs[i] == b->seqs[k])
                pair_up(rows, i, k);
    for (int i = 0; i < a->nseqs; i++)
        for (int k = 0; k < b->nseqs && rows[0][i] == UNPAIRED; k++)
            if (rows[1][k] == UNPAIRED && diff_heads_agree(a->seqs[i], b->seqs[k]) &&
                diff_likeness(a->seqs[i], b->seqs[k]) >= ALIKE)
                pair_up(rows, i, k);
    for (int i = 0, k = 0; i < a->nseqs; i++) {
        while (k < b->nseqs && rows[1][k] != UNPAIRED)
            k++;
        if (k < b->nseqs && rows[0][i] == UNPAIRED)
            pair_up(rows, i, k);
    }
}

static Type *row_type(Store *st, const Node *seq)
{
    return type_tensor(st, seq->type->dtype, seq->type->rank - 1, seq->type->dims + 1);
}

static void variables(GraphDiff *d, const Scans *v, int **of, bool rows)
{
    int first[2] = {rows ? v->s[0].nstates : 0, rows ? v->s[1].nstates : 0},
        n[2] = {rows ? v->s[0].nseqs : first[0] + v->s[0].nstates,
                rows ? v->s[1].nseqs : first[1] + v->s[1].nstates};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < n[side]; i++) {
            Node *const *feeds = rows ? v->s[side].seqs : v->s[side].inits,
                        *const *others = rows ? v->s[!side].seqs : v->s[!side].inits;
            Type *t = rows ? row_type(d->st, feeds[i]) : feeds[i]->type;
            int k = of[side][i];
            Node **mine = &v->args[side][first[side] + i];
            if (k == UNPAIRED)
                *mine = node_temp(d->st, t, v->names[side][first[side] + i]);
            else if (!side)
                common(d, mine, &v->args[1][first[1] + k], t,
                       rows ? row_type(d->st, others[k]) : others[k]->type,
                       v->names[0][first[0] + i]);
        }
}

static void push_states(GraphDiff *d, const Scans *v, OwnerPair *o)
{
    for (int i = 0; i < v->s[0].nstates; i++) {
        int k = o->states[0][i];
        if (k == UNPAIRED) {
            diff_place_at(d, o->path, o->outs[0][0][i], NULL, PART_EQUATION, i);
            continue;
        }
        diff_push(d, o->path, v->s[0].inits[i], v->s[1].inits[k], PART_INITIAL, i);
        diff_push(d, o->path, o->outs[0][0][i], o->outs[1][0][k], PART_EQUATION, i);
    }
    for (int k = 0; k < v->s[1].nstates; k++)
        if (o->states[1][k] == UNPAIRED)
            diff_place_at(d, o->path, NULL, o->outs[1][0][k], PART_EQUATION, k);
}

static Node *stop_of(const Scans *v, const OwnerPair *o, int side)
{
    const ScanShape *s = &v->s[side];
    return s->stop ? o->outs[side][0][s->nstates + s->nouts] : NULL;
}

static void push_scan(GraphDiff *d, const Scans *v, OwnerPair *o)
{
    Node *a = stop_of(v, o, 0), *b = stop_of(v, o, 1);
    diff_push(d, o->path, v->s[0].n, v->s[1].n, PART_COUNT, 0);
    for (int i = 0; i < v->s[0].nseqs; i++)
        if (o->rows[0][i] != UNPAIRED)
            diff_push(d, o->path, v->s[0].seqs[i], v->s[1].seqs[o->rows[0][i]], PART_SEQUENCE, i);
    push_states(d, v, o);
    if (a && b)
        diff_push(d, o->path, a, b, PART_UNTIL, 0);
    else if (a || b)
        diff_place_at(d, o->path, a, b, PART_UNTIL, 0);
}

static bool open_scans(GraphDiff *d, OwnerPair *o)
{
    Scans v;
    for (int side = 0; side < 2; side++) {
        Node *scan = o->path->side[side];
        ScanShape *s = &v.s[side];
        *s = scan_shape(scan);
        v.names[side] = scan_roles(d->st, scan).names;
        v.args[side] =
            arena_alloc(&d->arena, ((size_t)s->body->nparams + 1) * sizeof *v.args[side]);
        for (int i = 0; i < s->ncaptures; i++)
            v.args[side][s->nstates + s->nseqs + i] = s->captures[i];
        o->states[side] = unpaired(d, s->nstates);
        o->traces[side] = unpaired(d, s->nouts);
        o->rows[side] = unpaired(d, s->nseqs);
    }
    pair_states(&v, o);
    pair_sequences(&v, o->rows);
    variables(d, &v, o->states, false);
    variables(d, &v, o->rows, true);
    for (int side = 0; side < 2; side++)
        if (!open_graph(d, o, side, 0, v.s[side].body, v.args[side]))
            return false;
    push_scan(d, &v, o);
    return true;
}

/* ---- other owners ---- */

/* How many parameters are variables of the owner's own: the first ones. */
static int own_variables(const Node *n)
{
    int mapped = 0;
    switch (n->op) {
    case OP_LOOP: return loop_shape(n).nstates;
    case OP_GRAD:
    case OP_VJP:
    case OP_JVP: return (int)n->attrs[1].i;
    case OP_VMAP:
        while (mapped < (int)n->attrs[1].ints->n && n->attrs[1].ints->at[mapped] >= 0)
            mapped++;
        return mapped;
    default: return 0;
    }
}

/* What parameter i of one of its graphs is outside. */
Node *diff_outside(const Node *owner, const Graph *g, int i)
{
    bool row;
    if (owner->op == OP_LOOP)
        return owner->ops[i + 2];
    return body_operand(owner, g, i, &row);
}

static Type *variable_type(Store *st, const Node *owner, const Graph *g, int i)
{
    Type *t = diff_outside(owner, g, i)->type;
    return owner->op == OP_VMAP
               ? type_without_axis(st, t, (int)owner->attrs[1].ints->at[i], t->dtype)
               : t;
}

static bool open_owners(GraphDiff *d, OwnerPair *o)
{
    Node *const *owner = o->path->side;
    int slots[4], graphs = node_graphs(owner[0], slots), own = own_variables(owner[0]);
    for (int k = 0; k < graphs; k++) {
        Graph *g[2] = {owner[0]->attrs[slots[k]].graph, owner[1]->attrs[slots[k]].graph};
        Node **args[2];
        for (int side = 0; side < 2; side++) {
            args[side] =
                arena_alloc(&d->arena, ((size_t)g[side]->nparams + 1) * sizeof *args[side]);
            for (int i = own; i < g[side]->nparams; i++)
                args[side][i] = diff_outside(owner[side], g[side], i);
        }
        for (int i = 0; i < own; i++)
            common(d, &args[0][i], &args[1][i], variable_type(d->st, owner[0], g[0], i),
                   variable_type(d->st, owner[1], g[1], i), NULL);
        for (int side = 0; side < 2; side++)
            if (!open_graph(d, o, side, k, g[side], args[side]))
                return false;
    }
    return true;
}

/* Operands that are captures, and so compared where they are read: the last ones, from here on. */
static u32 first_capture(const Node *n)
{
    if (n->op == OP_SCAN)
        return (u32)(1 + scan_shape(n).nstates + scan_shape(n).nseqs);
    return n->op == OP_CALL || n->op == OP_FUSED ? n->nops
           : n->op == OP_IFELSE                  ? 1
                                : (u32)own_variables(n) + (n->op == OP_LOOP ? 2 : 0);
}

/* What enters beside captures: what a derivative is taken by and with, what a map goes over, the
 * condition of an `if`. */
static void push_entering(GraphDiff *d, OwnerPair *o)
{
    Node *a = o->path->side[0], *b = o->path->side[1];
    u32 last[2] = {a->nops, b->nops};
    for (u32 i = 0, own = a->op == OP_CALL || a->op == OP_FUSED ? 0 : first_capture(a); i < own;
         i++)
        diff_push(d, o->path, a->ops[i], b->ops[i], PART_OPERAND, (int)i);
    if (a->op == OP_VJP || a->op == OP_JVP) /* seeds stand behind the operands of the function */
        for (u32 k = (u32)a->attrs[0].graph->nparams, m = (u32)b->attrs[0].graph->nparams;
             k < last[0] && m < last[1]; k++, m++)
            diff_push(d, o->path, a->ops[k], b->ops[m], PART_OPERAND, (int)k);
}

static void push_inside(GraphDiff *d, OwnerPair *o)
{
    push_entering(d, o);
    if (o->path->side[0]->op == OP_IFELSE)
        return; /* results are compared as they are read */
    for (int i = 0; i < o->nouts[0][0]; i++)
        diff_push(d, o->path, o->outs[0][0][i], o->outs[1][0][i], PART_INSIDE, i);
}

/* Do they have the same variables of their own, and give the same number of results? */
static bool forms_agree(const Node *a, const Node *b)
{
    int own = own_variables(a);
    if (!diff_heads_agree(a, b) || own != own_variables(b))
        return false;
    if (a->op == OP_SCAN || a->op == OP_IFELSE)
        return true;
    for (int i = 0; i < own && a->op == OP_VMAP; i++)
        if (a->attrs[1].ints->at[i] != b->attrs[1].ints->at[i])
            return false;
    return a->attrs[0].graph->nouts == b->attrs[0].graph->nouts;
}

/* ---- pairs of owners ---- */

/* Is all that differs between them what enters, not what is inside? */
static bool same_graphs(const Node *a, const Node *b)
{
    int slots[4], n = node_graphs(a, slots);
    bool same = a->nops == b->nops;
    for (u32 i = first_capture(a); i < a->nops && same; i++)
        same = a->ops[i] == b->ops[i];
    for (int i = 0; i < n && same; i++)
        same = a->attrs[slots[i]].graph == b->attrs[slots[i]].graph;
    for (u32 i = 0; i < a->nattrs && same; i++)
        same = a->attrs[i].bits == b->attrs[i].bits || op_attr_kind(a->op, (int)i) == 's';
    return same;
}

/* How operand i of a loop is called. */
static DiffPart part_of_operand(const Node *n, int i, int *index)
{
    *index = i;
    if (n->op != OP_SCAN)
        return PART_OPERAND;
    ScanShape s = scan_shape(n);
    *index = i <= s.nstates ? i - 1 : i - 1 - s.nstates;
    return !i                         ? PART_COUNT
           : i <= s.nstates           ? PART_INITIAL
           : i <= s.nstates + s.nseqs ? PART_SEQUENCE
                                      : (*index = i, PART_OPERAND);
}

static void push_operands(GraphDiff *d, OwnerPair *o)
{
    Node *a = o->path->side[0], *b = o->path->side[1];
    for (u32 i = 0; i < a->nops; i++) {
        int index;
        DiffPart part = part_of_operand(a, (int)i, &index);
        diff_push(d, o->path, a->ops[i], b->ops[i], part, index);
    }
}

static bool open_pair(GraphDiff *d, OwnerPair *o)
{
    Node *a = o->path->side[0], *b = o->path->side[1];
    o->same = same_graphs(a, b);
    if (o->same)
        push_operands(d, o);
    else if (!forms_agree(a, b) || !(a->op == OP_SCAN ? open_scans : open_owners)(d, o))
        return false;
    else if (a->op != OP_SCAN)
        push_inside(d, o);
    return true;
}

OwnerPair *diff_owners(GraphDiff *d, const DiffPath *p, Node *a, Node *b)
{
    u64 key = pair_key(a, b);
    if (map_has(&d->work->owners, key))
        return map_get(&d->work->owners, key);
    OwnerPair *o = arena_alloc(&d->arena, sizeof *o);
    DiffPath *path = arena_alloc(&d->arena, sizeof *path);
    *path = (DiffPath){p->up, {a, b}, p->part, p->index};
    o->path = path;
    if (!open_pair(d, o)) {
        map_put(&d->work->owners, key, NULL);
        diff_place(d, p);
        return NULL;
    }
    map_put(&d->work->owners, key, o);
    diff_same(d, a, b);
    return o;
}

/* ---- results ---- */

static bool scan_results(GraphDiff *d, OwnerPair *o, int i, int k)
{
    ScanShape a = scan_shape(o->path->side[0]), b = scan_shape(o->path->side[1]);
    if (i < a.nstates || k < b.nstates)
        return i < a.nstates && k < b.nstates && o->states[0][i] == k;
    i -= a.nstates;
    k -= b.nstates;
    if (i >= a.nouts || k >= b.nouts)
        return i - a.nouts == k - b.nouts;
    if (o->traces[0][i] == UNPAIRED && o->traces[1][k] == UNPAIRED) {
        pair_up(o->traces, i, k);
        diff_push(d, o->path, o->outs[0][0][a.nstates + i], o->outs[1][0][b.nstates + k],
                  PART_TRACE, i);
    }
    return o->traces[0][i] == k;
}

bool diff_results(GraphDiff *d, const DiffPath *p, OwnerPair *o)
{
    int i = (int)p->side[0]->attrs[0].i, k = (int)p->side[1]->attrs[0].i;
    OpId op = o->path->side[0]->op;
    if (o->same || (op != OP_SCAN && op != OP_IFELSE))
        return i == k;
    if (op == OP_SCAN)
        return scan_results(d, o, i, k);
    for (int branch = 0; branch < 2; branch++)
        diff_push(d, o->path, o->outs[0][branch][i], o->outs[1][branch][k], PART_BRANCH, branch);
    return true;
}

/* ---- names ---- */

/* Which parameter of the first loop is what parameter i of the second is; UNPAIRED: none. */
static int first_of(const OwnerPair *o, const ScanShape *a, const ScanShape *b, int i)
{
    int row = i - b->nstates, capture = row - b->nseqs;
    if (row < 0)
        return o->states[1][i];
    if (capture < 0)
        return o->rows[1][row] == UNPAIRED ? UNPAIRED : a->nstates + o->rows[1][row];
    for (int k = 0; k < a->ncaptures; k++)
        if (a->captures[k] == b->captures[capture])
            return a->nstates + a->nseqs + k;
    return UNPAIRED;
}

/* The parameters of the second loop's body are called as those of the first that they stand for. */
static void name_body(GraphDiff *d, const OwnerPair *o)
{
    ScanShape a = scan_shape(o->path->side[0]), b = scan_shape(o->path->side[1]);
    const Symbol *first = scan_roles(d->st, diff_stands(d, 0, o->path->side[0]).node).names,
                 *own = scan_roles(d->st, diff_stands(d, 1, o->path->side[1]).node).names;
    Symbol *names = xcalloc((size_t)b.body->nparams + 1, sizeof *names);
    for (int i = 0; i < b.body->nparams; i++) {
        int k = first_of(o, &a, &b, i);
        names[i] = k == UNPAIRED ? own[i] : first[k];
    }
    provenance_set_params(d->st, b.body, names);
}

void diff_name_bodies(GraphDiff *d)
{
    for (size_t i = 0; i < d->work->owners.len; i++) {
        const OwnerPair *o = map_val(&d->work->owners, i);
        if (o && o->states[0])
            name_body(d, o);
    }
}
