/* What loops keep for the way back.  See saved_values.h. */
#include "analysis/saved_values.h"
#include "graph/provenance.h"

#include "grad/vjp.h"
#include "graph/names.h"
#include "graph/walk.h"

typedef struct {
    Store *st;
    SavedValues *out;
    GraphSet graphs; /* those that were gone through */
    Owners owners;   /* of the graph that is gone through */
    bool derives;    /* the source takes derivatives */
} Keeping;

/* ---- the source's loops ---- */

static void find_written(Keeping *k, int n, Node *const *roots, NodeSet *active);

static void find_active(int n, Node *const *roots, NodeSet *active)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *at = order.at[i];
        for (u32 k = 0; k < at->nops && at->op != OP_STOP_GRADIENT; k++)
            if (map_has(active, at->ops[k]) && type_has_floats(at->type))
                set_add(active, at);
    }
    vec_free(&order);
}

/* States are active if what they begin with is, or what they become. */
static void enter_scan(Keeping *k, Node *n, const NodeSet *outer)
{
    ScanShape s = scan_shape(n);
    WrittenLoop w = {.scan = n};
    Node *const *params = s.body->param_nodes;
    for (int i = 0; i < s.nstates + s.nseqs + s.ncaptures; i++) {
        Node *from = i < s.nstates             ? s.inits[i]
                     : i < s.nstates + s.nseqs ? s.seqs[i - s.nstates]
                                               : s.captures[i - s.nstates - s.nseqs];
        if (map_has(outer, from))
            set_add(&w.active, params[i]);
    }
    for (bool more = true; more;) {
        more = false;
        find_active(s.body->nouts, s.body->outs, &w.active);
        for (int i = 0; i < s.nstates; i++)
            if (map_has(&w.active, s.body->outs[i]) && !map_has(&w.active, params[i])) {
                set_add(&w.active, params[i]);
                more = true;
            }
    }
    vec_push(&k->out->written, w);
    find_written(k, s.body->nouts, s.body->outs, &w.active);
}

/* A derivative is with respect to the first parameters of its function; other functions and
 * branches may be of all of theirs. */
static void enter_graph(Keeping *k, const Node *n, const Graph *g)
{
    NodeSet active = {0};
    bool derivative = n->op == OP_GRAD || n->op == OP_VJP || n->op == OP_JVP;
    int wanted = derivative ? (int)n->attrs[1].i : g->nparams;
    for (int i = 0; i < wanted && i < g->nparams; i++)
        set_add(&active, g->param_nodes[i]);
    find_written(k, g->nouts, g->outs, &active);
    map_free(&active);
}

static void find_written(Keeping *k, int n, Node *const *roots, NodeSet *active)
{
    NodeVec order = {0};
    find_active(n, roots, active);
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *at = order.at[i];
        int slots[4], count = node_graphs(at, slots);
        for (int j = 0; j < count; j++) {
            const Graph *g = at->attrs[slots[j]].graph;
            if (map_has(&k->graphs, g))
                continue;
            set_add(&k->graphs, g);
            if (at->op == OP_SCAN)
                enter_scan(k, at, active);
            else
                enter_graph(k, at, g);
        }
    }
    vec_free(&order);
}

/* ---- which derivative reads a value ---- */

/* The value itself, not through `but`, and not its size alone. */
static bool reads_value(Node *from, const Node *value, const Node *but)
{
    Descent d = {0};
    bool found = false;
    descent_from(&d, from);
    for (Node *n; !found && (n = descent_next(&d)) != NULL;) {
        found = n == value;
        if (n != but && n->op != OP_DIM)
            descent_operands(&d, n);
    }
    descent_end(&d);
    return found;
}

static bool derive_alone(Store *st, Node *f, NodeVec *xs, Node **found)
{
    DiagTry trial;
    diag_try_begin(&trial, &st->diags);
    Node *bar = node_temp(st, f->type, NULL);
    bool ok = vjp_pull(st, 1, &f, &bar, (int)xs->len, xs->at, found, NULL);
    diag_try_end(&trial);
    return ok;
}

/* Does the derivative of f alone, by what is active, read the value? */
static bool derivative_reads(Store *st, const WrittenLoop *w, Node *f, const Node *value)
{
    u32 temps = st->temp_count;
    NodeVec xs = {0};
    bool reads = false;
    if (op_table[f->op].cls == CLASS_CONTROL)
        return f != value && map_has(&w->active, f);
    if (f->type->kind != TYPE_TENSOR || !type_has_floats(f->type) || !f->nops)
        return false;
    for (u32 i = 0; i < f->nops; i++) {
        bool again = !map_has(&w->active, f->ops[i]);
        for (size_t j = 0; j < xs.len && !again; j++)
            again = xs.at[j] == f->ops[i];
        if (!again)
            vec_push(&xs, f->ops[i]);
    }
    Node **found = xcalloc(xs.len + 1, sizeof *found);
    if (xs.len && derive_alone(st, f, &xs, found))
        for (size_t i = 0; i < xs.len && !reads; i++)
            reads = found[i] && reads_value(found[i], value, f == value ? NULL : f);
    st->temp_count = temps;
    free(found);
    vec_free(&xs);
    return reads;
}

/* ---- reasons ---- */

/* The nodes of a body that bear a name, or would. */
static void find_named(Store *st, const Graph *g, Symbol name, NodeVec *out)
{
    NodeVec order = {0};
    NameScope scope;
    nodes_topo(g->nouts, g->outs, &order);
    names_open(st, &scope, g);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        Symbol own = n->op == OP_CONST ? NULL : node_name_in(st, g, n);
        if ((own ? own : n->op == OP_CONST ? NULL : node_told(st, n)) == name)
            vec_push(out, n);
    }
    names_close(st, &scope, NULL);
    vec_free(&order);
}

static void add_reasons(Store *st, const WrittenLoop *w, const Node *value, NodeVec *out)
{
    ScanShape s = scan_shape(w->scan);
    NodeVec order = {0};
    nodes_topo(s.body->nouts, s.body->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *f = order.at[i];
        bool near = f == value;
        for (u32 j = 0; j < f->nops; j++)
            near = near || f->ops[j] == value;
        if (near && node_span(st, f) && derivative_reads(st, w, f, value))
            vec_push(out, f);
    }
    vec_free(&order);
}

/* "one minus f" is kept because f is. */
static Symbol source_name(Store *st, Symbol name)
{
    Name n = name ? name_data(st, name) : (Name){0};
    return n.kind == NAME_COMPLEMENT ? name_with_index(st, n.base, name) : name;
}

void saved_reasons(const SavedValues *s, Symbol source, NodeVec *out)
{
    for (size_t i = 0; i < s->written.len && source && !out->len; i++) {
        const WrittenLoop *w = &s->written.at[i];
        NodeVec values = {0};
        find_named(s->st, scan_shape(w->scan).body, source, &values);
        for (size_t j = 0; j < values.len; j++)
            add_reasons(s->st, w, values.at[j], out);
        vec_free(&values);
    }
}

/* ---- outside of loops ---- */

static void find_plain(Keeping *k, Node *owner, const Graph *g, NodeSet *active);

/* The functions that are called are as if written here. */
static void enter_call(Keeping *k, Node *call, const NodeSet *outer)
{
    const Graph *g = call->attrs[0].graph;
    NodeSet active = {0};
    for (int i = 0; i < g->nparams; i++)
        if (map_has(outer, call->ops[i]))
            set_add(&active, g->param_nodes[i]);
    find_plain(k, call, g, &active);
    map_free(&active);
}

static void add_plain(Keeping *k, const WrittenLoop *w, const NodeVec *order, Node *value,
                      const Graph *g)
{
    Store *st = k->st;
    SavedPlain p = {.value = value, .within = g};
    for (size_t i = 0; i < order->len; i++) {
        Node *f = order->at[i];
        bool near = f == value;
        for (u32 j = 0; j < f->nops; j++)
            near = near || f->ops[j] == value;
        if (near && f->op != OP_CALL && node_span(st, f) && derivative_reads(st, w, f, value))
            vec_push(&p.reasons, f);
    }
    if (!p.reasons.len)
        return;
    p.type = type_outside(st, &k->owners, value->type);
    p.bytes = type_bytes(st, p.type);
    vec_push(&k->out->plain, p);
}

/* Sizes are nothing to speak of, and what a loop gives is told with it. */
static bool is_plain(const Node *n)
{
    bool of_loop = n->op == OP_PROJ && n->ops[0]->op == OP_SCAN;
    return n->nops && n->type->kind == TYPE_TENSOR && !of_loop &&
           (n->type->rank || type_has_floats(n->type));
}

static void find_plain(Keeping *k, Node *owner, const Graph *g, NodeSet *active)
{
    NodeVec order = {0};
    WrittenLoop w = {0};
    find_active(g->nouts, g->outs, active);
    nodes_topo(g->nouts, g->outs, &order);
    w.active = *active;
    vec_push(&k->owners, ((Owner){owner, g}));
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if (n->op == OP_CALL)
            enter_call(k, n, active);
        else if (is_plain(n))
            add_plain(k, &w, &order, n, g);
    }
    k->owners.len--;
    vec_free(&order);
}

static void find_all_plain(Keeping *k, int n, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *d = order.at[i];
        if (d->op != OP_GRAD && d->op != OP_VJP)
            continue;
        const Graph *g = d->attrs[0].graph;
        NodeSet active = {0};
        for (int j = 0; j < (int)d->attrs[1].i && j < g->nparams; j++)
            set_add(&active, g->param_nodes[j]);
        find_plain(k, d, g, &active);
        map_free(&active);
    }
    vec_free(&order);
}

/* ---- what is read ---- */

/* The nodes that depend on one, loops passed over or not. */
static void find_dependent(const NodeVec *order, const Node *from, const NodeSet *but, bool loops,
                           NodeSet *out)
{
    set_add(out, from);
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        bool depends = false;
        for (u32 k = 0; k < n->nops && !depends; k++)
            depends = map_has(out, n->ops[k]);
        if (depends && (loops || n->op != OP_SCAN) && !(but && map_has(but, n)))
            set_add(out, n);
    }
}

/* How a trace is used: by the loop backward, by what follows that. */
typedef struct {
    bool inside, after;
    bool direct; /* it is a sequence itself */
} Use;

static Use use_of(const NodeVec *order, const Node *trace, const Node *back, const NodeSet *behind)
{
    NodeSet reach = {0};
    Use u = {false, false, false};
    find_dependent(order, trace, behind, false, &reach);
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        for (u32 k = 0; k < n->nops; k++)
            if (map_has(&reach, n->ops[k])) {
                u.inside = u.inside || n == back;
                u.after = u.after || (n->op != OP_SCAN && (!back || map_has(behind, n)));
                u.direct = u.direct || (n == back && n->ops[k] == trace);
            }
    }
    map_free(&reach);
    return u;
}

/* ---- what is computed again ---- */

/* Does the loop carry cotangents? */
static bool runs_back(Store *st, const Node *scan)
{
    ScanShape s = scan_shape(scan);
    const Symbol *names = scan_roles(st, scan).names;
    for (int i = 0; i < s.nstates; i++)
        if (name_is_cotangent(st, names[i]))
            return true;
    return false;
}

/* Values of the body that no cotangent enters. */
static void find_again(Store *st, const Node *back, NodeVec *out)
{
    ScanShape s = scan_shape(back);
    ScanRoles roles = scan_roles(st, back);
    NodeVec order = {0};
    NodeSet cotangent = {0}, value = {0};
    for (int i = 0; i < s.body->nparams; i++)
        if (i < s.nstates || name_is_cotangent(st, roles.names[i]))
            set_add(&cotangent, s.body->param_nodes[i]);
        else if (i < s.nstates + s.nseqs)
            set_add(&value, s.body->param_nodes[i]);
    nodes_topo(s.body->nouts, s.body->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        for (u32 k = 0; k < n->nops; k++) {
            if (map_has(&cotangent, n->ops[k]))
                set_add(&cotangent, n);
            if (map_has(&value, n->ops[k]))
                set_add(&value, n);
        }
        if (n->nops && map_has(&value, n) && !map_has(&cotangent, n))
            vec_push(out, n);
    }
    map_free(&cotangent);
    map_free(&value);
    vec_free(&order);
}

/* ---- pairs of loops ---- */

static void find_pair(Keeping *k, const NodeVec *order, Node *fwd, const NodeSet *behind,
                      SavedFor *out)
{
    ScanShape s = scan_shape(fwd);
    ScanRoles roles = scan_roles(k->st, fwd);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        int trace = n->op == OP_PROJ && n->ops[0] == fwd ? (int)n->attrs[0].i - s.nstates : -1;
        if (trace < 0 || trace >= s.nouts)
            continue;
        Use use = use_of(order, n, out->back, behind);
        Type *type = type_outside(k->st, &k->owners, n->type);
        SavedValue v = {.loop = fwd,
                        .trace = n,
                        .name = roles.outs[trace],
                        .source = source_name(k->st, roles.outs[trace]),
                        .type = type,
                        .bytes = type_bytes(k->st, type),
                        .inside = use.inside,
                        .after = use.after,
                        .direct = use.direct};
        if (use.inside || use.after)
            vec_push(&out->values, v);
    }
}

static void find_back(Keeping *k, const NodeVec *order, Node *back)
{
    NodeSet behind = {0};
    SavedFor f = {.back = back};
    find_dependent(order, back, NULL, true, &behind);
    for (size_t i = 0; i < order->len; i++)
        if (order->at[i]->op == OP_SCAN && !map_has(&behind, order->at[i]))
            find_pair(k, order, order->at[i], &behind, &f);
    find_again(k->st, back, &f.again);
    vec_push(&k->out->loops, f);
    map_free(&behind);
}

static void find_alone(Keeping *k, const NodeVec *order)
{
    SavedFor f = {.back = NULL};
    NodeSet none = {0};
    for (size_t i = 0; i < order->len; i++)
        if (order->at[i]->op == OP_SCAN)
            find_pair(k, order, order->at[i], &none, &f);
    vec_push(&k->out->loops, f);
}

static bool takes_derivatives(const Node *n) { return n->op == OP_GRAD || n->op == OP_VJP; }

static void find_level(Keeping *k, int n, Node *const *roots)
{
    NodeVec order = {0};
    bool back = false;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_SCAN && runs_back(k->st, order.at[i])) {
            find_back(k, &order, order.at[i]);
            back = true;
        }
    if (!back && !k->owners.len && k->derives)
        find_alone(k, &order);
    for (size_t i = 0; i < order.len; i++) {
        const Graph *body = order.at[i]->op == OP_SCAN ? scan_shape(order.at[i]).body : NULL;
        if (!body)
            continue;
        vec_push(&k->owners, ((Owner){order.at[i], body}));
        find_level(k, body->nouts, body->outs);
        k->owners.len--;
    }
    vec_free(&order);
}

void saved_find(SavedValues *s, Store *st, int n, Node *const *roots, int nstart,
                Node *const *start)
{
    *s = (SavedValues){.st = st};
    Keeping k = {.st = st, .out = s, .derives = nodes_any(nstart, start, takes_derivatives)};
    NodeSet none = {0};
    find_written(&k, nstart, start, &none);
    find_all_plain(&k, nstart, start);
    find_level(&k, n, roots);
    map_free(&k.graphs);
    map_free(&none);
    vec_free(&k.owners);
}

void saved_free(SavedValues *s)
{
    for (size_t i = 0; i < s->written.len; i++)
        map_free(&s->written.at[i].active);
    for (size_t i = 0; i < s->loops.len; i++) {
        vec_free(&s->loops.at[i].values);
        vec_free(&s->loops.at[i].again);
    }
    for (size_t i = 0; i < s->plain.len; i++)
        vec_free(&s->plain.at[i].reasons);
    vec_free(&s->plain);
    vec_free(&s->written);
    vec_free(&s->loops);
}
