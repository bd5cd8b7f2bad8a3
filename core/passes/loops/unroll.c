/* Writing out steps: a copy of the body for each, its parameters replaced. */
#include "passes/loops/unroll.h"

#include "ops/build.h"

/* The row of every sequence that step i reads. */
static Node *row_of(Store *st, const ScanShape *s, int i)
{
    if (!s->reverse)
        return node_i64(st, i);
    i64 n;
    if (node_const_i64(s->n, &n))
        return node_i64(st, n - 1 - i);
    return node2(st, OP_ADD, NULL, s->n, node_i64(st, -1 - i));
}

static bool one_step(Store *st, Unroll *u, int i)
{
    const ScanShape *s = &u->s;
    Graph *g = s->body;
    PtrMap *memo = &u->of_body[i];
    Node *row = row_of(st, s, i);
    bool ok = row != NULL;
    for (int p = 0; p < g->nparams && ok; p++) {
        int seq = p - s->nstates;
        Node *arg = seq < 0          ? u->states.at[i * s->nstates + p]
                    : seq < s->nseqs ? build_index(st, s->seqs[seq], 0, row)
                                     : s->captures[seq - s->nseqs];
        ok = arg != NULL;
        map_put(memo, g->param_nodes[p], arg);
    }
    for (int o = 0; o < g->nouts && ok; o++) {
        Node *out = node_substitute(st, g->outs[o], memo);
        ok = out != NULL;
        vec_push(o < s->nstates ? &u->states : o < s->steps ? &u->outs : &u->stops, out);
    }
    body_names_carry(st, g, memo);
    return ok;
}

bool scan_unroll(Store *st, Node *scan, int k, Unroll *u)
{
    *u = (Unroll){.scan = scan, .s = scan_shape(scan), .k = k};
    u->of_body = xcalloc((size_t)k + 1, sizeof *u->of_body);
    for (int j = 0; j < u->s.nstates; j++)
        vec_push(&u->states, u->s.inits[j]);
    bool ok = true;
    for (int i = 0; i < k && ok; i++)
        ok = one_step(st, u, i);
    return ok;
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
