/* S19, induction variables: a loop that ends when a counter arrives takes a known number of steps.
 *
 *   c' = c + 1, until c' >= K     =>     for max(K, c_0 + 1) - c_0
 *   until t >= K, t = 0, 1, ...   =>     for max(K, 0) + 1
 *
 * The step at which the condition is met is still taken, so there is at least one, unless
 * the loop has none at all. Condition: K is the same at every step; i64. Counting from
 * beyond K would wrap around only after 2^63 steps. */
#include "graph/reads.h"
#include "passes/loops/loops.h"

typedef struct {
    Node *counter, *limit;
    bool strict; /* counter > limit */
} Ending;

static bool ending(const Node *c, Ending *x)
{
    if (c->op == OP_GE || c->op == OP_GT)
        *x = (Ending){c->ops[0], c->ops[1], c->op == OP_GT};
    else if (c->op == OP_LE || c->op == OP_LT)
        *x = (Ending){c->ops[1], c->ops[0], c->op == OP_LT};
    else
        return false;
    return node_dtype(x->counter) == DT_I64 && !node_rank(x->counter) && !node_rank(x->limit);
}

static Node *plus_one(Store *st, Node *n)
{
    Node *r = build_add(st, n, node_i64(st, 1));
    return r && can_fold(r) ? fold_node(st, r) : r;
}

/* Of a node of the body, its value at the first step; it grows by 1 with each. NULL if it is no
 * such counter. */
static Node *first_value(Store *st, const ScanShape *s, const Node *counter)
{
    i64 one;
    if (is_param_among(counter, s->nstates, s->nstates + s->nseqs))
        return s->seqs[counter->attrs[0].i - s->nstates]->op == OP_IOTA ? node_i64(st, 0) : NULL;
    for (int i = 0; i < s->nstates; i++) {
        const Node *next = s->body->outs[i], *state = s->body->param_nodes[i];
        bool steps = next->op == OP_ADD && next->nops == 2 &&
                     ((next->ops[0] == state && node_const_i64(next->ops[1], &one)) ||
                      (next->ops[1] == state && node_const_i64(next->ops[0], &one)));
        if (steps && one == 1 && (counter == next || counter == state))
            return counter == next ? plus_one(st, s->inits[i]) : s->inits[i];
    }
    return NULL;
}

static Node *larger(Store *st, OpId op, Node *a, Node *b)
{
    return build_elementwise(st, op, 2, (Node *[]){a, b});
}

/* last - first + 1 */
static Node *steps_to(Store *st, Node *last, Node *first)
{
    i64 k;
    if (node_const_i64(first, &k) && k > INT64_MIN)
        return k == 1 ? last : build_sub(st, last, node_i64(st, k - 1));
    return build_add(st, build_sub(st, last, first), node_i64(st, 1));
}

bool loop_counted(Site *site)
{
    Node *n = site->node;
    Store *st = site->st;
    ScanEdit ed;
    Ending x;
    ScanShape s = scan_shape(n);
    if (!s.stop)
        return site_refuse(site, NULL, "it has no `until`");
    bool ends = ending(s.body->outs[s.body->nouts - 1], &x);
    Node *first = ends ? first_value(st, &s, x.counter) : NULL, *r = NULL;
    if (!first)
        return site_refuse(site, NULL,
                           "`until` does not compare a counter that grows by 1 at each step");
    if (!scan_open(st, n, &ed))
        return false;
    Node *limit = ending(ed.stop, &x) ? scan_outside(&ed, x.limit) : NULL;
    if (limit && !limit->open) {
        Node *least = x.strict ? build_sub(st, first, node_i64(st, 1)) : first;
        Node *all = steps_to(st, larger(st, OP_MAXIMUM, limit, least), least);
        i64 max;
        bool bounded = !node_const_i64(ed.s.n, &max) || max != SCAN_UNBOUNDED;
        Node *stopped = bounded ? node2(st, OP_GE, NULL, ed.s.n, all) : node_bool(st, true);
        ed.s.n = bounded ? larger(st, OP_MINIMUM, ed.s.n, all) : all;
        ed.s.stop = false;
        ed.stop = NULL;
        r = all && stopped && ed.s.n ? scan_close(&ed) : NULL;
        if (r) {
            scan_changes(site, &ed, r);
            site_put_instead(site, node_proj(st, n, n->type->nitems - 1), stopped);
            site_why(site, bounded ? "or after its last step" : "nothing else stops it");
        }
    }
    if (!limit || limit->open)
        site_refuse(site, x.limit,
                    "the bound that the counter is compared with is not loop-invariant");
    scan_edit_free(&ed);
    return r != NULL;
}
