/* S19: a loop that ends when a counter arrives takes a known number of steps.
 *
 *   c' = c + 1, until c' >= K     =>     for max(K, c_0 + 1) - c_0
 *   until t >= K, t = 0, 1, ...   =>     for max(K, 0) + 1
 *
 * The step at which the condition is met is still taken, so there is at least one, unless
 * the loop has none at all. Condition: K is the same at every step; i64. Counting from
 * beyond K would wrap around only after 2^63 steps. */
#include "passes/loops/loops.h"

typedef struct {
    Node *counter, *limit; /* open */
    bool strict;           /* counter > limit */
} Ending;

static bool ending(ScanEdit *ed, Ending *x)
{
    Node *c = ed->stop;
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

/* Its value at the first step; it grows by 1 with each. NULL if it is no such counter. */
static Node *first_value(ScanEdit *ed, const Node *counter)
{
    Store *st = ed->st;
    i64 one;
    for (int i = 0; i < ed->s.nseqs; i++)
        if (ed->seqs[i].hole == counter && ed->seqs[i].value->op == OP_IOTA)
            return node_i64(st, 0);
    for (int i = 0; i < ed->s.nstates; i++) {
        EditState *s = &ed->states[i];
        bool steps = s->next->op == OP_ADD && s->next->nops == 2 &&
                     ((s->next->ops[0] == s->hole && node_const_i64(s->next->ops[1], &one)) ||
                      (s->next->ops[1] == s->hole && node_const_i64(s->next->ops[0], &one)));
        if (steps && one == 1 && counter == s->next)
            return plus_one(st, s->init);
        if (steps && one == 1 && counter == s->hole)
            return s->init;
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
    if (!scan_shape(n).stop)
        return site_refuse(site, NULL, "it has no `until`");
    if (!scan_open(st, n, &ed))
        return false;
    Node *first = ending(&ed, &x) ? first_value(&ed, x.counter) : NULL, *r = NULL;
    Node *limit = first ? scan_outside(&ed, x.limit) : NULL;
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
            site_why(site, bounded ? "or when it has taken all its steps" : "nothing else ends it");
        }
    }
    if (!first)
        site_refuse(site, NULL, "`until` does not compare a counter that grows by 1 at each step");
    else if (!limit || limit->open)
        site_refuse(site, x.limit, "what the counter is compared with changes from step to step");
    scan_edit_free(&ed);
    return r != NULL;
}
