/* What the forward scan keeps for its derivative: the states before each step that this reads, rows
 * of states of which only some are read, and values that took an expensive operator.
 *
 * Invariant: the scan that keeps them has all that the one it was has, so it can take its place
 * (extended.c); a value that has a trace already gets no second one. */
#include "grad/scan_reverse.h"
#include "graph/names.h"

static bool is_expensive(Node *n)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(1, &n, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        found = op_table[order.at[i]->op].flags & EXPENSIVE;
    vec_free(&order);
    return found;
}

/* Larger than anything the loop carries, or of a kind that cannot be stored in a trace (a size that
 * is computed inside the body may differ from step to step): computed again instead. So is the
 * length of an axis: it takes no value to know it, and as a value of each step it would make sizes
 * that nobody knows. */
static bool can_be_kept(Reverse *r, const Node *n)
{
    if (n->op == OP_CONST || n->op == OP_HOLE || n->op == OP_DIM || n->type->kind != TYPE_TENSOR ||
        n->type->dtype == DT_RNG)
        return false;
    for (int i = 0; i < n->type->rank; i++)
        if (size_has_kind(n->type->dims[i], ATOM_NODE))
            return false;
    int rank = 0;
    for (int i = 0; i < r->s.nstates; i++)
        rank = r->s.inits[i]->type->rank > rank ? r->s.inits[i]->type->rank : rank;
    for (int i = 0; i < r->s.nseqs; i++)
        rank = r->s.seqs[i]->type->rank - 1 > rank ? r->s.seqs[i]->type->rank - 1 : rank;
    return n->type->rank <= rank;
}

static void keep_value(Reverse *r, Node *n)
{
    Symbol name = node_told(r->v->st, n);
    node_set_name(r->v->st, n, name);
    vec_push(&r->values, n);
    vec_push(&r->value_holes, node_temp(r->v->st, n->type, name));
}

static void taint(NodeSet *tainted, Node *const *holes, int n)
{
    for (int i = 0; i < n; i++)
        if (holes[i])
            set_add(tainted, holes[i]);
}

/* What depends on a cotangent, so that the forward loop does not know it. */
static void mark_tainted(Reverse *r, const NodeVec *order, NodeSet *tainted)
{
    taint(tainted, r->a_holes, r->s.nstates);
    taint(tainted, r->sum_holes, r->s.ncaptures);
    taint(tainted, r->y_holes, r->s.nouts);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        for (u32 k = 0; k < n->nops && !map_has(tainted, n); k++)
            if (map_has(tainted, n->ops[k]))
                set_add(tainted, n);
    }
}

/* Values of the forward step that the backward step uses as they are, and that are dear. */
static void find_values(Reverse *r, NodeVec *outs)
{
    NodeSet tainted = {0};
    NodeVec order = {0};
    nodes_topo((int)outs->len, outs->at, &order);
    mark_tainted(r, &order, &tainted);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        for (u32 k = 0; k < n->nops && map_has(&tainted, n); k++) {
            Node *o = n->ops[k];
            bool seen = map_has(&tainted, o);
            for (size_t j = 0; j < r->values.len && !seen; j++)
                seen = r->values.at[j] == o;
            if (!seen && can_be_kept(r, o) && is_expensive(o))
                keep_value(r, o);
        }
    }
    map_free(&tainted);
    vec_free(&order);
}

static bool use_kept_values(Reverse *r, NodeVec *outs)
{
    NodeMap memo = {0};
    bool ok = true;
    for (size_t i = 0; i < r->values.len; i++)
        map_put(&memo, r->values.at[i], r->value_holes.at[i]);
    for (size_t i = 0; i < outs->len && ok; i++)
        ok = (outs->at[i] = node_substitute(r->v->st, outs->at[i], &memo)) != NULL;
    map_free(&memo);
    return ok;
}

/* Are `parts`, the only uses of a state, less to keep than the state itself? */
static bool is_less(const NodeVec *parts, const Node *state)
{
    i64 all = 1, some = 0, n;
    for (int a = 0; a < state->type->rank; a++) {
        if (!size_is_const(state->type->dims[a], &n))
            return parts->len > 0; /* of a rank less */
        all *= n;
    }
    for (size_t i = 0; i < parts->len; i++) {
        i64 part = 1;
        for (int a = 0; a < parts->at[i]->type->rank; a++)
            part *= size_is_const(parts->at[i]->type->dims[a], &n) ? n : 1;
        some += part;
    }
    return parts->len && some < all;
}

/* A state of which only some rows are read: these are kept, not the state. */
static void find_parts(Reverse *r, NodeVec *outs)
{
    NodeVec order = {0}, parts = {0};
    NodeSet tainted = {0};
    nodes_topo((int)outs->len, outs->at, &order);
    mark_tainted(r, &order, &tainted);
    for (int i = 0; i < r->s.nstates; i++) {
        bool only = true;
        parts.len = 0;
        for (size_t k = 0; k < outs->len; k++)
            only = only && outs->at[k] != r->s_holes[i];
        for (size_t k = 0; k < order.len && only; k++) {
            Node *n = order.at[k];
            for (u32 j = 0; j < n->nops && only; j++)
                if (n->ops[j] == r->s_holes[i])
                    only =
                        n->op == OP_INDEX && j == 0 && can_be_kept(r, n) && !map_has(&tainted, n);
            if (only && n->nops && n->ops[0] == r->s_holes[i])
                vec_push(&parts, n);
        }
        if (only && is_less(&parts, r->s_holes[i]))
            for (size_t k = 0; k < parts.len; k++)
                keep_value(r, parts.at[k]);
    }
    map_free(&tainted);
    vec_free(&order);
    vec_free(&parts);
}

/* The forward scan's parts are those it had; what it keeps besides is called as the body calls it.
 */
static void note_forward(Reverse *r)
{
    Store *st = r->v->st;
    ScanShape s = scan_shape(r->forward);
    ScanRoles roles = scan_roles(st, r->n);
    Symbol *outs = arena_alloc(&st->scratch, ((size_t)s.nouts + 1) * sizeof *outs);
    for (int i = 0; i < s.nouts; i++)
        outs[i] = i < r->s.nouts ? roles.outs[i] : NULL;
    for (int i = 0; i < r->s.nstates; i++)
        if (r->kept[i] >= r->s.nouts)
            outs[r->kept[i]] = roles.names[i];
    for (size_t i = 0; i < r->values.len; i++)
        if (r->value_traces.at[i] >= r->s.nouts)
            outs[r->value_traces.at[i]] = node_name(st, r->value_holes.at[i]);
    roles.outs = outs;
    node_set_name(st, r->forward, node_name(st, r->n));
    scan_note_roles(st, r->forward, &roles);
}

/* The trace of a value of the body, one more if there is none. */
static int trace_of(const Reverse *r, NodeVec *outs, Node *value)
{
    size_t first = (size_t)r->s.nstates, k = first;
    while (k < outs->len && outs->at[k] != value)
        k++;
    if (k == outs->len)
        vec_push(outs, value);
    return (int)(k - first);
}

/* What the forward step gives, open, loops in it that keep more being one with what they were:
 * next states, traces, what is kept besides, stop. */
static bool forward_outs(Reverse *r, const NodeVec *backward, NodeVec *outs)
{
    const ScanShape *s = &r->s;
    size_t nouts = (size_t)s->body->nouts;
    NodeSet used = {0};
    NodeMap kept = {0}; /* a value may be made of others */
    NodeVec order = {0}, now = {0};
    for (size_t i = 0; i < nouts; i++)
        vec_push(&now, r->body_outs[i]);
    bool ok = true;
    for (size_t i = 0; i < r->values.len && ok; i++) {
        Node *value = node_substitute(r->v->st, r->values.at[i], &kept);
        ok = value != NULL;
        map_put(&kept, r->value_holes.at[i], value);
        vec_push(&now, value);
    }
    ok = ok && (!r->values.len || (scans_extend(r->v->st, &r->inner, (int)nouts, now.at) &&
                                   scans_trim(r->v->st, &r->inner, (int)now.len, now.at, NULL)));
    nodes_topo((int)backward->len, backward->at, &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(&used, order.at[i]);
    for (int i = 0; i < s->nstates + s->nouts; i++)
        vec_push(outs, now.at[i]);
    for (int i = 0; i < s->nstates; i++)
        r->kept[i] = map_has(&used, r->s_holes[i]) ? trace_of(r, outs, r->s_holes[i]) : -1;
    for (size_t i = 0; i < r->values.len; i++)
        vec_push(&r->value_traces, trace_of(r, outs, now.at[nouts + i]));
    if (s->stop)
        vec_push(outs, now.at[nouts - 1]);
    map_free(&used);
    map_free(&kept);
    vec_free(&order);
    vec_free(&now);
    return ok;
}

/* The body that gives them, over the parameters that it had. */
static Graph *forward_body(Reverse *r, const NodeVec *open)
{
    Store *st = r->v->st;
    const ScanShape *s = &r->s;
    NodeMap memo = {0};
    NodeVec outs = {0};
    for (int i = 0; i < s->body->nparams; i++)
        map_put(&memo, r->s_holes[i], s->body->param_nodes[i]);
    bool ok = true;
    NameScope scope;
    names_open(st, &scope, s->body);
    for (size_t i = 0; i < open->len && ok; i++) {
        Node *n = node_substitute(st, open->at[i], &memo);
        ok = n != NULL;
        vec_push(&outs, n);
    }
    Graph *body =
        ok ? graph_make(st, s->body->nparams, s->body->params, (int)outs.len, outs.at) : NULL;
    names_close(st, &scope, body);
    map_free(&memo);
    vec_free(&outs);
    return body;
}

static bool keep_states(Reverse *r, const NodeVec *backward)
{
    NodeVec outs = {0};
    ScanShape f = r->s;
    bool ok = forward_outs(r, backward, &outs);
    r->forward = r->n;
    if (ok && (int)outs.len > r->s.body->nouts) {
        f.body = forward_body(r, &outs);
        r->forward = f.body ? scan_node(r->v->st, &f) : NULL;
        if ((ok = r->forward != NULL)) {
            note_forward(r);
            vec_push(&r->v->extended, r->n);
            vec_push(&r->v->extended, r->forward);
        }
    }
    vec_free(&outs);
    return ok;
}

bool reverse_keep(Reverse *r, NodeVec *backward)
{
    if (r->v->detail == VJP_WHOLE && r->s.checkpoint == CHECKPOINT_NONE)
        find_values(r, backward);
    if (!use_kept_values(r, backward))
        return false;
    find_parts(r, backward);
    return use_kept_values(r, backward) && keep_states(r, backward);
}
