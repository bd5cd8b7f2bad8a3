/* The rules that bring the halves of a stable form together (views.c): at an operator, and across
 * the borders of loops and branches, where one half is inside and the other outside.
 *
 * Invariant: as in views.c; a loop or an `if` keeps all of its results. */
#include "passes/views.h"

#include "graph/reads.h"
#include "passes/code_rules.h"
#include "passes/loops/loops.h"

/* f(view(g(x))), at f. */
static bool stable_view(Site *site)
{
    Views v;
    views_open(&v, site);
    Node *n = site->node;
    if (!views_between(&v, n))
        return site_refuse(site, NULL, "none of its operands is an index, reshape or choice");
    Node *r = views_moved(&v, n, VIEWS_DEPTH);
    views_close(&v);
    if (!r || r == n)
        return site_refuse(site, NULL, "no rule of the pass would fire with the index elsewhere");
    site_put(site, n, r);
    return true;
}

/* All nodes of `order` that can move, and what they become. Where one stands above another, the
 * upper one counts. */
static bool find_moves(Views *v, const NodeVec *order, const NodeSet *leave, NodeMap *memo)
{
    bool some = false;
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        if (map_has(leave, n) || !site_may_fire(v->site, n) || !views_between(v, n))
            continue;
        v->tries = VIEWS_TRIES;
        Node *r = views_moved(v, n, VIEWS_DEPTH);
        if (r && r != n) {
            map_put(memo, n, r);
            some = true;
        }
    }
    return some;
}

/* ---- g outside of a loop, f inside: p = softmax(x), log(p[t][k]) ---- */

/* Is there something to move in the body, closed as it is? */
static bool may_move_in(Site *site)
{
    Views v;
    ScanShape s = scan_shape(site->node);
    const NodeVec *order = &graph_reads(s.body)->order;
    bool may = false;
    views_open(&v, site);
    v.closed = &s;
    for (size_t i = 0; i < order->len && !may; i++)
        may = site_may_fire(site, order->at[i]) && views_between(&v, order->at[i]);
    views_close(&v);
    return may;
}

static const char nothing_in[] = "no rule would fire if the outer half moved into the body";

static bool stable_row(Site *site)
{
    Views v;
    ScanEdit ed;
    NodeMap memo = {0};
    NodeSet leave = {0};
    NodeVec roots = {0}, order = {0};
    if (!may_move_in(site))
        return site_refuse(site, NULL, nothing_in);
    if (!scan_open(site->st, site->node, &ed))
        return false;
    views_open(&v, site);
    v.body = &ed;
    scan_roots(&ed, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    Node *r = find_moves(&v, &order, &leave, &memo) ? scan_become(site, &ed, &memo) : NULL;
    vec_free(&roots);
    vec_free(&order);
    map_free(&memo);
    views_close(&v);
    scan_edit_free(&ed);
    return r || site_refuse(site, NULL, nothing_in);
}

/* ---- g inside of a loop, f outside: p[t] = softmax(h[t]), log(S.p) ---- */

/* The loop with its new traces; they take the place of what stood for them. */
static bool put_traces(Site *site, ScanEdit *ed, const StandMap *stands, const NodeMap *moved,
                       const NodeVec *order)
{
    Store *st = site->st;
    Node *r = scan_close(ed);
    NodeMap memo = {0};
    if (!r)
        return false;
    for (size_t i = 0; i < stands->len; i++)
        map_put(&memo, map_key(stands, i), scan_trace(ed, r, map_val(stands, i) - 1));
    bool ok = true;
    for (size_t i = 0; i < order->len && ok; i++) {
        Node *to = map_get(moved, order->at[i]);
        if (!to)
            continue;
        ok = (to = node_substitute(st, to, &memo)) != NULL;
        if (ok)
            site_put(site, order->at[i], to);
    }
    map_free(&memo);
    if (ok)
        scan_changes(site, ed, r);
    return ok;
}

/* Does a trace go into anything but another loop? */
static bool meets_operators(const Site *site, const ScanShape *s)
{
    const NodeVec *order = site_order(site);
    for (size_t i = 0; i < order->len; i++)
        for (u32 k = 0; k < order->at[i]->nops && order->at[i]->op != OP_SCAN; k++) {
            const Node *x = order->at[i]->ops[k];
            if (x->op == OP_PROJ && x->ops[0] == site->node && x->attrs[0].i >= s->nstates &&
                x->attrs[0].i < s->steps)
                return true;
        }
    return false;
}

static const char nothing_met[] =
    "no rule would fire if the users of its traces moved into the body";

static bool stable_trace(Site *site)
{
    Views v;
    ScanEdit ed;
    NodeMap memo = {0};
    NodeSet leave = {0};
    StandMap stands = {0};
    const NodeVec *order = site_order(site);
    ScanShape s = scan_shape(site->node);
    if (!s.nouts || s.checkpoint == CHECKPOINT_STATES)
        return site_refuse(site, NULL,
                           "it has no trace, or its checkpoint policy limits what it keeps");
    if (!meets_operators(site, &s))
        return site_refuse(site, NULL, nothing_met);
    if (!scan_open(site->st, site->node, &ed))
        return false;
    views_open(&v, site);
    v.traces = &ed;
    v.stands = &stands;
    bool ok = find_moves(&v, order, &leave, &memo) && stands.len &&
              put_traces(site, &ed, &stands, &memo, order);
    map_free(&memo);
    map_free(&stands);
    views_close(&v);
    scan_edit_free(&ed);
    return ok || site_refuse(site, NULL, nothing_met);
}

/* ---- g outside of an `if`, f inside: if c then log(p[0]) else log(p[1]) ---- */

static bool stable_branch(Site *site)
{
    Views v;
    Node *n = site->node;
    size_t nouts = (size_t)n->type->nitems;
    Node **outs = xcalloc(2 * nouts + 1, sizeof *outs);
    NodeMap memo = {0};
    NodeSet outside = {0};
    NodeVec order = {0};
    views_open(&v, site);
    bool ok = views_branches(site->st, n, outs, outs + nouts, &outside);
    if (ok)
        nodes_topo((int)(2 * nouts), outs, &order);
    ok = ok && find_moves(&v, &order, &outside, &memo);
    for (size_t i = 0; i < 2 * nouts && ok; i++)
        ok = (outs[i] = node_substitute(site->st, outs[i], &memo)) != NULL;
    views_meet_outside(&v, &outside);
    Node *r = ok ? build_if(site->st, n->ops[0], (int)nouts, outs, outs + nouts, &outside) : NULL;
    ok = r && r != n && r->type->nitems == n->type->nitems;
    for (i64 i = 0; i < (i64)nouts && ok; i++)
        site_put(site, node_proj(site->st, n, i), node_proj(site->st, r, i));
    vec_free(&order);
    map_free(&memo);
    map_free(&outside);
    views_close(&v);
    free(outs);
    return ok ||
           site_refuse(site, NULL, "no rule would fire if the outer half moved into the body");
}

#define VIEW(NAME, PASS, OP_, FN, REASON)           \
    {                                               \
        NAME, PASS, HAZARD_R, OP_, FN, REASON, NULL \
    }
const CodeRule view_rules[] = {
    VIEW("stable-view", "stabilize", ROOT_ASKED, stable_view,
         "an index or reshape between the two halves of a stable form moves out"),
    VIEW("stable-row", "stabilize", OP_SCAN, stable_row,
         "half of a stable form moves out of the loop, next to the other half"),
    VIEW("stable-branch", "stabilize", OP_IFELSE, stable_branch,
         "half of a stable form moves out of the `if`, next to the other half"),
    VIEW("stable-trace", "halves", OP_SCAN, stable_trace,
         "half of a stable form moves into the loop, next to the other half"),
    {0}};
