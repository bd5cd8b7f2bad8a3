/* S1, loop-invariant code motion: a part of the body that depends on captures only is computed
 * once, before the loop.
 *
 * A loop that may take no step must not fail where it did not before, nor work in vain. What cannot
 * fail and is cheap is computed anyway; so is what the operands of the loop take in any case. The
 * rest, unless the loop is proved to run, is computed under `if n >= 1`, else zeros that no step
 * will see: all parts that each step needs under one `if`, so that they share; a part that only
 * some branch of the body needs under one of its own, so that nothing else is computed with it.
 * A part that would take into the `if` what the loop needed in any case, and what may fail, is not
 * guarded: its error would be gone. */
#include "passes/loops/loops.h"
#include "graph/reads.h"
#include "graph/walk.h"

static bool worth_hoisting(const Node *n)
{
    return n->op != OP_CONST && n->op != OP_HOLE && n->op != OP_DIM && n->op != OP_SIZE &&
           n->nops && n->type->kind == TYPE_TENSOR;
}

/* Is there a part of the body that reads neither a state nor a sequence? */
static bool has_invariant_part(const ScanShape *s)
{
    const GraphReads *reads = graph_reads(s->body);
    for (size_t i = 0; i < reads->order.len; i++)
        if (worth_hoisting(reads->order.at[i]) &&
            !reads_among(reads, reads->order.at[i], 0, s->nstates + s->nseqs))
            return true;
    return false;
}

typedef enum { STAYS, GOES, GUARDED } Fate;

typedef struct {
    ScanEdit *ed;
    NodeSet moving;   /* open nodes that change from step to step */
    NodeSet seen;     /* invariant ones that were looked at */
    NodeSet demanded; /* what every step needs, whatever branches it takes */
    NodeVec found, outside;
    VEC(u8) fates;
    NodeSet before; /* what the loop needs before it begins, once it was asked for */
    NodeSet kept;   /* the same of what it still needs when the parts are out */
    const Site *site;
    Node *stays; /* one that may not be computed before the loop, or NULL */
    bool runs, asked;
} Hoist;

static void demand(int nroots, Node *const *roots, NodeSet *out);

/* Does a node that changes from step to step, and that each step needs, read it? */
static bool stays_read(const Hoist *h, const Node *hole)
{
    for (size_t i = 0; i < h->demanded.len; i++) {
        const Node *n = map_key(&h->demanded, i);
        for (u32 k = 0; map_has(&h->moving, n) && k < n->nops; k++)
            if (n->ops[k] == hole)
                return true;
    }
    return false;
}

/* A capture that no step needs for certain is computed when a step first needs it. */
static void find_before(Hoist *h)
{
    NodeVec kept = {0}, before = {0};
    ScanEdit *ed = h->ed;
    u32 first = 1 + (u32)ed->s.nstates + (u32)ed->s.nseqs;
    for (u32 i = 0; i < first; i++)
        vec_push(&kept, ed->scan->ops[i]);
    for (size_t i = 0; i < ed->captures.len; i++) {
        const EditOuter *c = &ed->captures.at[i];
        if (map_has(&h->demanded, c->hole))
            vec_push(stays_read(h, c->hole) ? &kept : &before, c->value);
    }
    demand((int)kept.len, kept.at, &h->kept);
    for (size_t i = 0; i < kept.len; i++)
        vec_push(&before, kept.at[i]);
    demand((int)before.len, before.at, &h->before);
    vec_free(&kept);
    vec_free(&before);
    h->asked = true;
}

static bool may_fail(const Site *site, int level, Store *st, const Node *n);

static bool any_may_fail(const Site *site, int level, Store *st, Node *root)
{
    NodeVec order = {0};
    bool fails = false;
    nodes_topo(1, &root, &order);
    for (size_t i = 0; i < order.len && !fails; i++)
        fails = may_fail(site, level, st, order.at[i]);
    vec_free(&order);
    return fails;
}

/* In a body a captured value stands for what may fail outside: what the owner takes. */
static bool param_may_fail(const Site *site, int level, Store *st, i64 i)
{
    const Node *o = site_owner(site, level);
    if (o->op == OP_SCAN)
        return i >= o->attrs[1].i + o->attrs[2].i &&
               any_may_fail(site, level + 1, st, o->ops[i + 1]);
    if (o->op != OP_IFELSE)
        return true;
    const IntList *args[] = {o->attrs[2].ints, o->attrs[3].ints};
    bool fails = false;
    for (int k = 0; k < 2; k++)
        fails = fails ||
                (i < args[k]->n && any_may_fail(site, level + 1, st, o->ops[args[k]->at[i] + 1]));
    return fails;
}

/* At that level: 0 is the graph of the site's node, 1 the one around its owner. */
static bool may_fail(const Site *site, int level, Store *st, const Node *n)
{
    return n->op == OP_PARAM && site_owner(site, level)
               ? param_may_fail(site, level, st, n->attrs[0].i)
               : !node_is_total(st, n);
}

typedef struct {
    bool dear, fails; /* some of it is, or may, and the loop would not have computed it */
    bool hides;       /* some of it may fail, and the loop would need it no more */
} Cost;

static Cost cost_of(Hoist *h, Node *outside)
{
    Cost c = {0};
    NodeVec order = {0};
    nodes_topo(1, &outside, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        bool dear = op_table[n->op].flags & EXPENSIVE, fails = may_fail(h->site, 0, h->ed->st, n);
        if ((dear || fails) && !h->asked)
            find_before(h);
        bool before = (dear || fails) && map_has(&h->before, n);
        c.dear = c.dear || (dear && !before);
        c.fails = c.fails || (fails && !before);
        c.hides = c.hides || (fails && before && !map_has(&h->kept, n));
    }
    vec_free(&order);
    return c;
}

/* ---- what stands in for a part when there is no step ---- */

static bool is_length(const Hoist *h, Size *z)
{
    const Node *scan = h->ed->scan;
    i64 low;
    if (size_lower_bound(z, &low) && low >= 0)
        return true;
    for (u32 i = 0; i < scan->nops; i++)
        for (int a = 0; scan->ops[i]->type->kind == TYPE_TENSOR && a < node_rank(scan->ops[i]); a++)
            if (scan->ops[i]->type->dims[a] == z)
                return true;
    return false;
}

/* Zeros of the same type; their sizes are put into `mentioned`. NULL if somebody might see that it
 * is another shape, or that there is none. */
static Node *stand_in(Hoist *h, const Type *t, NodeSet *mentioned)
{
    Node *dims[MAX_RANK];
    if (t->dtype == DT_RNG)
        return NULL;
    for (int a = 0; a < t->rank; a++) {
        dims[a] = is_length(h, t->dims[a]) ? scan_length(h->ed->st, h->ed->scan, t->dims[a]) : NULL;
        if (!dims[a])
            return NULL;
        set_add(mentioned, dims[a]);
    }
    return build_full(h->ed->st, node_number(h->ed->st, t->dtype, 0), t->rank, dims);
}

/* What the loop took in any case, and may fail, must not come under the guard: the error would be
 * gone. Then a part is computed even if that may be in vain, or stays. */
static Fate fate_of(Hoist *h, Node *outside)
{
    Cost c = h->runs ? (Cost){0} : cost_of(h, outside);
    if (!c.fails && (!c.dear || c.hides))
        return GOES;
    if (c.hides)
        return STAYS;
    NodeSet sizes = {0};
    Node *zeros = stand_in(h, outside->type, &sizes);
    bool ok = zeros && zeros->type == outside->type;
    map_free(&sizes);
    return ok ? GUARDED : STAYS;
}

/* ---- which parts ---- */

static void classify(Hoist *h, const NodeVec *order)
{
    for (int i = 0; i < h->ed->s.nstates; i++)
        set_add(&h->moving, h->ed->states[i].hole);
    for (int i = 0; i < h->ed->s.nseqs; i++)
        set_add(&h->moving, h->ed->seqs[i].hole);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        for (u32 k = 0; k < n->nops && !map_has(&h->moving, n); k++)
            if (map_has(&h->moving, n->ops[k]))
                set_add(&h->moving, n);
    }
}

/* Of an `if`: the condition, and what both branches need. */
static void push_needed_of_if(Descent *d, const Node *n)
{
    IfShape s = if_shape(n);
    const IntList *args[] = {s.then_args, s.else_args};
    Graph *graphs[] = {s.then_graph, s.else_graph};
    u8 *by = xcalloc(n->nops, 1); /* a bit for each branch that needs the operand */
    for (int k = 0; k < 2; k++) {
        NodeSet needed = {0};
        demand(graphs[k]->nouts, graphs[k]->outs, &needed);
        for (u32 p = 0; p < args[k]->n; p++)
            if (map_has(&needed, graphs[k]->param_nodes[p]))
                by[args[k]->at[p] + 1] |= (u8)(1 << k);
        map_free(&needed);
    }
    for (u32 i = 0; i < n->nops; i++)
        if (i == 0 || by[i] == 3)
            descent_from(d, n->ops[i]);
    free(by);
}

/* Of a loop: what its first step needs before it, and what each step needs of what it captures. */
static void push_needed_of_loop(Descent *d, const Node *n)
{
    ScanShape s = scan_shape(n);
    u32 first = 1 + (u32)s.nstates + (u32)s.nseqs;
    NodeSet needed = {0};
    demand(s.body->nouts, s.body->outs, &needed);
    for (u32 i = 0; i < n->nops; i++)
        if (i < first || map_has(&needed, s.body->param_nodes[i - 1]))
            descent_from(d, n->ops[i]);
    map_free(&needed);
}

static void demand(int nroots, Node *const *roots, NodeSet *out)
{
    Descent d = {0};
    descent_roots(&d, nroots, roots);
    for (Node *n; (n = descent_next(&d));) {
        set_add(out, n);
        if (n->op == OP_IFELSE)
            push_needed_of_if(&d, n);
        else if (n->op == OP_SCAN)
            push_needed_of_loop(&d, n);
        else if (n->op != OP_DIM) /* lengths of axes are known without the values */
            for (u32 i = 0; i < n->nops; i++)
                descent_from(&d, n->ops[i]);
    }
    descent_end(&d);
}

static void consider(Hoist *h, Node *n)
{
    if (map_has(&h->moving, n) || map_has(&h->seen, n) || !worth_hoisting(n))
        return;
    set_add(&h->seen, n);
    Node *outside = scan_outside(h->ed, n);
    Fate fate = outside ? fate_of(h, outside) : STAYS;
    if (fate == STAYS) {
        h->stays = n;
        return;
    }
    vec_push(&h->found, n);
    vec_push(&h->outside, outside);
    vec_push(&h->fates, (u8)fate);
}

/* Maximal invariant parts: operands of something that moves, and outputs themselves. */
static void find_invariants(Hoist *h)
{
    NodeVec roots = {0}, order = {0};
    scan_roots(h->ed, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    classify(h, &order);
    demand((int)roots.len, roots.at, &h->demanded);
    for (size_t i = 0; i < order.len; i++)
        if (map_has(&h->moving, order.at[i]))
            for (u32 k = 0; k < order.at[i]->nops; k++)
                consider(h, order.at[i]->ops[k]);
    for (size_t i = 0; i < roots.len; i++)
        consider(h, roots.at[i]);
    vec_free(&roots);
    vec_free(&order);
}

/* ---- the guard ---- */

/* Puts parts under one `if n >= 1`: those that every step needs, or only part `alone`. */
static bool guard(Hoist *h, i64 alone)
{
    Store *st = h->ed->st;
    const Node *scan = h->ed->scan;
    NodeVec yes = {0}, no = {0};
    VEC(size_t) places = {0};
    NodeSet mentioned = {0};
    for (u32 i = 0; i < scan->nops; i++)
        set_add(&mentioned, scan->ops[i]);
    for (size_t i = 0; i < h->found.len; i++) {
        bool lazy = !map_has(&h->demanded, h->found.at[i]);
        if (h->fates.at[i] != GUARDED || (alone < 0 ? lazy : i != (size_t)alone))
            continue;
        vec_push(&places, i);
        vec_push(&yes, h->outside.at[i]);
        vec_push(&no, stand_in(h, h->outside.at[i]->type, &mentioned));
    }
    bool ok = true;
    if (places.len) {
        Node *some = node2(st, OP_GE, NULL, h->ed->s.n, node_i64(st, 1));
        Node *r = build_if(st, some, (int)yes.len, yes.at, no.at, &mentioned);
        for (size_t i = 0; i < places.len && (ok = ok && r); i++) {
            Node *value = node_proj(st, r, (i64)i);
            ok = value && value->type == yes.at[i]->type;
            h->outside.at[places.at[i]] = value;
        }
    }
    vec_free(&yes);
    vec_free(&no);
    vec_free(&places);
    map_free(&mentioned);
    return ok;
}

static bool guard_parts(Hoist *h, u32 *guarded)
{
    bool ok = guard(h, -1);
    for (size_t i = 0; i < h->found.len && ok; i++) {
        if (h->fates.at[i] != GUARDED)
            continue;
        ++*guarded;
        if (!map_has(&h->demanded, h->found.at[i]))
            ok = guard(h, (i64)i);
    }
    return ok;
}

static void tell(Site *site, const Hoist *h, u32 guarded)
{
    site_why(site, "%zu part%s; ", h->found.len, h->found.len == 1 ? "" : "s");
    if (guarded == h->found.len)
        site_why(site, "guarded, because the loop may take no steps");
    else if (guarded)
        site_why(site, "%u of them guarded, because the loop may take no steps", guarded);
    else
        site_why(site, h->runs    ? "the loop runs at least once"
                       : h->asked ? "the loop needs it to start"
                                  : "nothing in it can raise an error");
}

static const char all_moves[] = "nothing in its body is loop-invariant";

bool loop_hoist(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    if (!has_invariant_part(&s))
        return site_refuse(site, NULL, all_moves);
    if (!scan_open(site->st, n, &ed))
        return false;
    Hoist h = {.ed = &ed, .runs = scan_runs(&ed.s), .site = site};
    NodeMap memo = {0};
    Node *r = NULL;
    u32 guarded = 0;
    find_invariants(&h);
    if (!h.found.len && h.stays)
        site_refuse(
            site, h.stays,
            "not hoisted: it can raise an error or is expensive, and the loop may take no steps");
    else if (!h.found.len)
        site_refuse(site, NULL, all_moves);
    bool ok = h.found.len > 0 && guard_parts(&h, &guarded);
    for (size_t i = 0; i < h.found.len && ok; i++)
        map_put(&memo, h.found.at[i], scan_capture(&ed, h.outside.at[i], h.found.at[i]));
    if (ok && scan_substitute(&ed, &memo))
        r = scan_close(&ed);
    if (r && r != n) {
        tell(site, &h, guarded);
        scan_changes(site, &ed, r);
    }
    map_free(&memo);
    map_free(&h.moving);
    map_free(&h.seen);
    map_free(&h.demanded);
    map_free(&h.before);
    map_free(&h.kept);
    vec_free(&h.found);
    vec_free(&h.outside);
    vec_free(&h.fates);
    scan_edit_free(&ed);
    return r && r != n;
}
