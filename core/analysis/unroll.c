/* Writing out steps: a copy of the body for each, its parameters replaced. */
#include "graph/names.h"
#include "analysis/unroll.h"

#include "ops/build.h"
#include "passes/loops/segment.h"

/* The row of every sequence that step i reads. */
static Node *row_of(Store *st, const ScanShape *s, i64 i)
{
    if (!s->reverse)
        return node_i64(st, i);
    i64 n;
    if (node_const_i64(s->n, &n))
        return node_i64(st, n - 1 - i);
    return node2(st, OP_ADD, NULL, s->n, node_i64(st, -1 - i));
}

bool scan_copy_step(Store *st, const ScanShape *s, Node *const *states, Node *row, NodeMap *memo)
{
    Graph *g = s->body;
    NameScope *around = st->scope;
    bool ok = true;
    st->scope = NULL; /* the copies are not over the body's parameters */
    for (int p = 0; p < g->nparams && ok; p++) {
        int seq = p - s->nstates;
        Node *arg = seq < 0          ? states[p]
                    : seq < s->nseqs ? build_index(st, s->seqs[seq], 0, row)
                                     : s->captures[seq - s->nseqs];
        ok = arg != NULL;
        map_put(memo, g->param_nodes[p], arg);
    }
    for (int o = 0; o < g->nouts && ok; o++)
        ok = node_substitute(st, g->outs[o], memo) != NULL;
    st->scope = around;
    return ok;
}

static bool one_step(Store *st, Unroll *u, int i)
{
    const ScanShape *s = &u->s;
    Graph *g = s->body;
    NodeMap *memo = &u->of_body[i];
    Node *row = row_of(st, s, u->first + i);
    i64 at;
    if (!row || !scan_copy_step(st, s, u->states.at + i * s->nstates, row, memo))
        return false;
    for (int o = 0; o < g->nouts; o++)
        vec_push(o < s->nstates ? &u->states
                 : o < s->steps ? &u->outs
                                : &u->stops,
                 map_get(memo, g->outs[o]));
    if (node_const_i64(row, &at))
        body_names_carry(st, g, memo, &at);
    return true;
}

/* The states before the first step that is written out. */
static bool push_starts(Store *st, Unroll *u, i64 total)
{
    Node *before = u->first ? scan_segment(st, u->scan, total, 0, u->first, u->s.inits) : NULL;
    for (int j = 0; j < u->s.nstates; j++)
        vec_push(&u->states, before ? node_proj(st, before, j) : u->s.inits[j]);
    return before || !u->first;
}

bool scan_unroll_from(Store *st, Node *scan, i64 total, i64 first, int k, Unroll *u)
{
    *u = (Unroll){.scan = scan, .s = scan_shape(scan), .first = first, .k = k};
    u->of_body = xcalloc((size_t)k + 1, sizeof *u->of_body);
    bool ok = push_starts(st, u, total);
    for (int i = 0; i < k && ok; i++)
        ok = one_step(st, u, i);
    return ok;
}

bool scan_unroll(Store *st, Node *scan, int k, Unroll *u)
{
    return scan_unroll_from(st, scan, k, 0, k, u);
}

void unroll_free(Unroll *u)
{
    for (int i = 0; i < u->k; i++)
        map_free(&u->of_body[i]);
    free(u->of_body);
    vec_free(&u->states);
    vec_free(&u->outs);
    vec_free(&u->stops);
    *u = (Unroll){0};
}
