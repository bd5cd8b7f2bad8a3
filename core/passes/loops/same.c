/* S5, the part that needs no search: two scans over the same operands whose states step
 * alike and which stop alike run as one, with the outputs of both: a loop that was written
 * twice, or beside its own derivative, runs once. */
#include "graph/names.h"
#include "graph/provenance.h"
#include "passes/loops/loops.h"

#include "passes/openers.h"

static bool steps_alike(const ScanShape *a, const ScanShape *b)
{
    if (a->nstates != b->nstates || a->nseqs != b->nseqs || a->ncaptures != b->ncaptures ||
        a->stop != b->stop || a->reverse != b->reverse || a->body->nparams != b->body->nparams)
        return false;
    for (int i = 0; i < a->body->nparams; i++)
        if (a->body->params[i] != b->body->params[i])
            return false;
    for (int i = 0; i < a->nstates; i++)
        if (a->body->outs[i] != b->body->outs[i])
            return false;
    return !a->stop || a->body->outs[a->body->nouts - 1] == b->body->outs[b->body->nouts - 1];
}

static void add_outputs(const ScanShape *s, NodeVec *outs)
{
    for (int i = 0; i < s->nouts; i++) {
        Node *value = s->body->outs[s->nstates + i];
        bool there = false;
        for (size_t k = (size_t)s->nstates; k < outs->len; k++)
            there = there || outs->at[k] == value;
        if (!there)
            vec_push(outs, value);
    }
}

static Node *union_scan(Store *st, const ScanShape *a, const ScanShape *b)
{
    NodeVec outs = {0};
    for (int i = 0; i < a->nstates; i++)
        vec_push(&outs, a->body->outs[i]);
    add_outputs(a, &outs);
    add_outputs(b, &outs);
    if (a->stop)
        vec_push(&outs, a->body->outs[a->body->nouts - 1]);
    ScanShape both = *a;
    both.body = graph_make(st, a->body->nparams, a->body->params, (int)outs.len, outs.at);
    graph_set_names(st, both.body, graph_names(st, a->body));
    vec_free(&outs);
    return scan_node(st, &both);
}

static int find_output(const ScanShape *s, const Node *value)
{
    for (int i = 0; i < s->nouts; i++)
        if (s->body->outs[s->nstates + i] == value)
            return s->nstates + i;
    return -1;
}

static void move_results(Site *site, Node *from, Node *to)
{
    ScanShape a = scan_shape(from), b = scan_shape(to);
    for (int i = 0; i < a.nresults && from != to; i++) {
        int k = i < a.nstates ? i
                : i < a.steps ? find_output(&b, a.body->outs[i])
                              : b.steps + (i - a.steps);
        site_put(site, node_proj(site->st, from, i), node_proj(site->st, to, k));
    }
}

bool loop_same(Site *site)
{
    Node *n = site->node;
    Node *both = NULL;
    for (size_t i = 0; i < site_order(site)->len && !both; i++) {
        Node *o = site_order(site)->at[i];
        if (o == n || o->op != OP_SCAN || o->nops != n->nops ||
            memcmp(o->ops, n->ops, n->nops * sizeof *n->ops))
            continue;
        ScanShape a = scan_shape(n), b = scan_shape(o);
        if (steps_alike(&a, &b) && (both = union_scan(site->st, &a, &b))) {
            move_results(site, n, both);
            move_results(site, o, both);
        }
    }
    if (!both)
        site_refuse(site, NULL, "no other loop has the same operands and the same next states");
    if (both)
        site_why(site, "same operands and next states; their outputs are kept together");
    return both && site_count(site);
}

/* ---- its parts: first one of them gives what both give ---- */

static bool has_parts(const Step *s)
{
    Node *x, *y;
    return step_two_loops(s, &x, &y);
}

static bool parts_open(Opening *o)
{
    const Step *s = o->step;
    Node *x, *y, **to = xcalloc((size_t)o->n + 1, sizeof *to);
    bool ok = step_two_loops(s, &x, &y);
    for (int i = 0; i < o->n; i++)
        if (o->start[i]->ops[0] == x)
            to[i] = s->changes[i].after;
    if (ok)
        open_part(o, "outputs", "one loop also produces the outputs of the other", to);
    free(to);
    return ok && open_last(o, "one loop", "the results of the other loop are taken from it");
}

const Opener open_same = {has_parts, parts_open};
