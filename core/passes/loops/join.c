/* S5 and S6: two loops of the same number of steps run as one.
 *
 *   merge: neither needs a result of the other. States that start alike and step alike,
 *          sequences and captures that are the same are there once.
 *   fuse:  one reads the other's trace, row by row and from the same end; in the joint
 *          step it reads the value itself, and the trace goes if nothing else needs it.
 *
 * Condition: the same direction (it does not matter for a loop without states); no
 * `until`, or one that is the same in both; or, to fuse, a consumer that takes as many
 * steps as the producer took. To merge, they read something in common, or one is small: what
 * one long body loads should not drive out what the other does. No other way leads from one to the
 * other: the joint loop would wait for itself. */
#include "passes/loops/loops.h"

#include "graph/walk.h"
#include "passes/openers.h"

enum { SMALL_BODY = 48 };

typedef struct {
    ScanEdit a, b;
    int *state_of, *out_of; /* of b: where among those of the joint loop */
    NodeMap memo;           /* what is open in b -> in a */
    NodeSet comparisons;    /* of a */
} Join;

/* ---- may they? ---- */

static bool same_direction(const ScanShape *a, const ScanShape *b)
{
    return a->reverse == b->reverse || (!a->nstates && !b->stop) || (!b->nstates && !a->stop);
}

/* One of the two is small, or they read something in common. */
static bool is_worth_it(const ScanShape *a, const ScanShape *b, const Node *x, const Node *y)
{
    if (graph_node_count(a->body) <= SMALL_BODY || graph_node_count(b->body) <= SMALL_BODY)
        return true;
    for (u32 i = 1; i < x->nops; i++)
        for (u32 k = 1; k < y->nops; k++)
            if (x->ops[i] == y->ops[k] && x->ops[i]->op != OP_CONST && node_rank(x->ops[i]))
                return true;
    return false;
}

/* x comes before y, so it does not need y's results. */
static bool may_merge(Site *site, Node *x, Node *y)
{
    ScanShape a = scan_shape(x), b = scan_shape(y);
    if (size_of_node(site->st, a.n) != size_of_node(site->st, b.n))
        return site_refuse(site, NULL, "no other loop is known to take the same number of steps");
    if (a.stop != b.stop)
        return site_refuse(site, NULL, "only one of two loops has `until`");
    if (!same_direction(&a, &b))
        return site_refuse(site, NULL, "the two loops run in opposite directions");
    if (!is_worth_it(&a, &b, x, y))
        return site_refuse(site, NULL, "the bodies are large and share no inputs");
    return !node_reads(y, x) || site_refuse(site, NULL, "one loop needs a result of the other");
}

/* Operand k of the consumer as a trace of the producer. */
static bool reads_trace(const ScanShape *consumer, int k, Node *producer)
{
    Node *s = consumer->seqs[k];
    ScanShape p = scan_shape(producer);
    return s->op == OP_PROJ && s->ops[0] == producer && s->attrs[0].i >= p.nstates &&
           s->attrs[0].i < p.steps;
}

static bool may_fuse(Site *site, Node *producer, Node *consumer)
{
    ScanShape p = scan_shape(producer), c = scan_shape(consumer);
    bool reads = false;
    if (c.stop)
        return site_refuse(site, NULL, "the loop that would read the rows has `until`");
    if (!same_direction(&p, &c))
        return site_refuse(site, NULL, "the two loops run in opposite directions");
    for (u32 i = 0; i < consumer->nops; i++) {
        Node *operand = consumer->ops[i];
        int k = (int)i - 1 - c.nstates;
        if (k >= 0 && k < c.nseqs && reads_trace(&c, k, producer)) {
            reads = true;
            if (operand->type->dims[0] != size_of_node(site->st, c.n))
                return site_refuse(site, NULL,
                                   "the second loop takes fewer steps than the first has rows");
        } else if (i && node_reads(operand, producer)) {
            return site_refuse(site, NULL,
                               "the second loop needs more of the first than its current row");
        }
    }
    /* of a length that is the number of steps of both */
    return reads ||
           site_refuse(site, NULL, "no loop reads the rows of another loop's trace in order");
}

/* ---- together ---- */

static void share_inputs(Join *j)
{
    ScanEdit *a = &j->a, *b = &j->b;
    for (int k = 0; k < b->s.nseqs; k++) {
        Node *rows = b->seqs[k].value, *hole = NULL;
        for (int i = 0; i < a->s.nseqs && !hole; i++)
            hole = a->seqs[i].value == rows ? a->seqs[i].hole : NULL;
        if (reads_trace(&b->s, k, a->scan)) /* the value itself */
            hole = a->outs[(int)rows->attrs[0].i - a->s.nstates].value;
        map_put(&j->memo, b->seqs[k].hole, hole ? hole : scan_sequence(a, rows, b->seqs[k].hole));
    }
    for (size_t k = 0; k < b->captures.len; k++) {
        Node *outer = b->captures.at[k].value, *hole = NULL;
        for (size_t i = 0; i < a->captures.len && !hole; i++)
            hole = a->captures.at[i].value == outer ? a->captures.at[i].hole : NULL;
        map_put(&j->memo, b->captures.at[k].hole,
                hole ? hole : scan_capture(a, outer, b->captures.at[k].hole));
    }
}

static void find_comparisons(Join *j)
{
    NodeVec roots = {0}, order = {0};
    scan_roots(&j->a, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->open && build_turned(j->a.st, order.at[i]))
            set_add(&j->comparisons, order.at[i]);
    vec_free(&roots);
    vec_free(&order);
}

/* x > y is y < x if that is what a has. */
static Node *compared_as_in_first(Join *j, Node *open)
{
    NodeVec order = {0};
    NodeMap memo = {0};
    nodes_topo(1, &open, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        Node *now = n->open ? node_substitute(j->a.st, n, &memo) : NULL;
        Node *turned = now ? build_turned(j->a.st, now) : NULL;
        if (turned && map_has(&j->comparisons, turned))
            map_put(&memo, n, turned);
    }
    Node *r = node_substitute(j->a.st, open, &memo);
    vec_free(&order);
    map_free(&memo);
    return r;
}

static Node *moved(Join *j, Node *open)
{
    NodeMap memo = {0};
    for (size_t i = 0; i < j->memo.len; i++)
        map_put(&memo, map_key(&j->memo, i), map_val(&j->memo, i));
    Node *r = node_substitute(j->a.st, open, &memo);
    map_free(&memo);
    return r && j->comparisons.len ? compared_as_in_first(j, r) : r;
}

/* The state of a that state k of b may be: of those that start alike the one in the same place
 * among them, -1: none. */
static int counterpart(const Join *j, int k)
{
    const Node *init = j->b.states[k].init;
    int before = 0;
    for (int i = 0; i < k; i++)
        before += j->b.states[i].init == init;
    for (int i = 0; i < j->a.s.nstates; i++)
        if (j->a.states[i].init == init && before-- == 0)
            return i;
    return -1;
}

/* States of b that are states of a: assumed of all that start alike, until their steps show that
 * one is not. */
static void share_states(Join *j)
{
    ScanEdit *a = &j->a, *b = &j->b;
    for (int k = 0; k < b->s.nstates; k++)
        j->state_of[k] = counterpart(j, k);
    for (bool again = true; again;) {
        again = false;
        for (int k = 0; k < b->s.nstates; k++)
            map_put(&j->memo, b->states[k].hole,
                    j->state_of[k] >= 0 ? a->states[j->state_of[k]].hole : b->states[k].hole);
        for (int k = 0; k < b->s.nstates; k++)
            if (j->state_of[k] >= 0 &&
                moved(j, b->states[k].next) != a->states[j->state_of[k]].next) {
                j->state_of[k] = -1;
                again = true;
            }
    }
}

/* The states of b that are none of a's. */
static bool add_states(Join *j)
{
    ScanEdit *a = &j->a, *b = &j->b;
    bool ok = true;
    a->states =
        xrealloc(a->states, ((size_t)(a->s.nstates + b->s.nstates) + 1) * sizeof *a->states);
    for (int k = 0; k < b->s.nstates && ok; k++) {
        if (j->state_of[k] >= 0)
            continue;
        EditState s = b->states[k];
        ok = (s.next = moved(j, s.next)) != NULL;
        j->state_of[k] = a->s.nstates;
        a->states[a->s.nstates++] = s;
    }
    return ok;
}

static bool add_output(Join *j, int k)
{
    Node *value = moved(j, j->b.outs[k].value);
    if (value)
        j->out_of[k] = scan_add_output(&j->a, value);
    return value != NULL;
}

static void moves(Site *site, Node *from, int i, Node *to, int k)
{
    if (from != to || i != k) /* the joint loop may be one of the two */
        site_put(site, node_proj(site->st, from, i), node_proj(site->st, to, k));
}

static void results(Site *site, Join *j, Node *scan)
{
    Store *st = j->a.st;
    Node *x = j->a.scan, *y = j->b.scan;
    ScanShape s = scan_shape(scan), a = scan_shape(x), b = scan_shape(y);
    for (int i = 0; i < a.nstates; i++)
        moves(site, x, i, scan, i);
    for (int i = 0; i < a.nouts; i++)
        moves(site, x, a.nstates + i, scan, s.nstates + i);
    for (int k = 0; k < b.nstates; k++)
        moves(site, y, k, scan, j->state_of[k]);
    for (int k = 0; k < b.nouts; k++)
        moves(site, y, b.nstates + k, scan, s.nstates + j->out_of[k]);
    for (int i = 0; i < 2; i++)
        moves(site, x, a.steps + i, scan, s.steps + i);
    moves(site, y, b.steps, scan, s.steps);
    if (a.stop == b.stop)
        moves(site, y, b.steps + 1, scan, s.steps + 1);
    else /* the consumer of a loop that stopped ran to its own end */
        site_put(site, node_proj(st, y, b.steps + 1), node_bool(st, false));
}

/* Opens both; what they read is there once. Ended with join_end if true. */
static bool join_begin(Join *j, Store *st, Node *x, Node *y)
{
    *j = (Join){0};
    if (!scan_open(st, x, &j->a))
        return false;
    if (!scan_open(st, y, &j->b)) {
        scan_edit_free(&j->a);
        return false;
    }
    j->state_of = xmalloc(((size_t)j->b.s.nstates + 1) * sizeof *j->state_of);
    j->out_of = xmalloc(((size_t)j->b.s.nouts + 1) * sizeof *j->out_of);
    for (int k = 0; k < j->b.s.nstates; k++)
        j->state_of[k] = -1;
    for (int k = 0; k < j->b.s.nouts; k++)
        j->out_of[k] = -1;
    share_inputs(j);
    find_comparisons(j);
    return true;
}

static void join_end(Join *j)
{
    free(j->state_of);
    free(j->out_of);
    map_free(&j->memo);
    map_free(&j->comparisons);
    scan_edit_free(&j->b);
    scan_edit_free(&j->a);
}

/* A loop without states goes the way of the other. */
static void turn(Join *j)
{
    if (!j->a.s.nstates)
        j->a.s.reverse = j->b.s.reverse;
}

/* x and y as one loop; y may read x's traces. */
static bool join(Site *site, Node *x, Node *y)
{
    Join j;
    Node *r = NULL;
    if (!join_begin(&j, site->st, x, y))
        return false;
    share_states(&j);
    turn(&j);
    bool ok = (!j.b.stop || moved(&j, j.b.stop) == j.a.stop) && add_states(&j);
    for (int k = 0; k < j.b.s.nouts && ok; k++)
        ok = add_output(&j, k);
    if (ok && (r = scan_close(&j.a)))
        results(site, &j, r);
    join_end(&j);
    return r != NULL;
}

/* The first scan of the graph that `may` run with n; of two, the one that comes first is x. */
static bool with_another(Site *site, bool (*may)(Site *, Node *, Node *))
{
    Node *n = site->node;
    bool done = false, later = false;
    site_refuse(site, NULL, "there is no other loop in its graph");
    for (size_t i = 0; i < site_order(site)->len && !done; i++) {
        Node *o = site_order(site)->at[i], *x = later ? n : o, *y = later ? o : n;
        later = later || o == n;
        if (o == n || o->op != OP_SCAN || !may(site, x, y))
            continue;
        site_forget(site);
        done = join(site, x, y);
    }
    return done;
}

bool loop_merge(Site *site)
{
    site_why(site, "both take the same number of steps, and neither uses the other's results");
    return with_another(site, may_merge);
}

bool loop_fuse(Site *site)
{
    site_why(site, "the second loop reads the first loop's rows in order");
    return with_another(site, may_fuse);
}

/* ---- its parts: first the states of one beside those of the other, then its outputs, then what is
 * there twice goes ---- */

enum { MOST_PARTS = 16 }; /* outputs join so that there are no more */

bool step_two_loops(const Step *s, Node **x, Node **y)
{
    *x = *y = NULL;
    for (int i = 0; i < s->nchanges; i++) {
        const Node *n = s->changes[i].before;
        if (n->op != OP_PROJ || n->ops[0]->op != OP_SCAN)
            return false;
        *x = *x ? *x : n->ops[0];
        *y = *y || n->ops[0] == *x ? *y : n->ops[0];
    }
    return *y != NULL;
}

/* What stands for a result of the two when they are one so far; NULL: still the second one's. */
static Node *result_now(const Join *j, const Node *was, Node *scan)
{
    Store *st = j->a.st;
    ScanShape s = scan_shape(scan), of = scan_shape(was->ops[0]);
    int k = (int)was->attrs[0].i, out = k - of.nstates;
    bool first = was->ops[0] == j->a.scan;
    if (k >= of.steps)
        return first || k == of.steps || of.stop == s.stop
                   ? node_proj(st, scan, s.steps + k - of.steps)
                   : node_bool(st, false);
    if (out < 0)
        return node_proj(st, scan, first ? k : j->state_of[k]);
    out = first ? out : j->out_of[out];
    return out < 0 ? NULL : node_proj(st, scan, s.nstates + out);
}

static void put_joint(Opening *o, Join *j, const char *name, const char *reason)
{
    Node *scan = scan_close(&j->a), **to = xcalloc((size_t)o->n + 1, sizeof *to);
    for (int i = 0; i < o->n && scan; i++)
        to[i] = result_now(j, o->start[i], scan);
    if (scan)
        open_part(o, name, reason, to);
    free(to);
}

/* The first one alone, backwards. */
static void put_turned(Opening *o, Join *j)
{
    Node *scan = scan_close(&j->a), **to = xcalloc((size_t)o->n + 1, sizeof *to);
    for (int i = 0; i < o->n && scan; i++)
        if (o->start[i]->ops[0] == j->a.scan)
            to[i] = node_proj(o->st, scan, o->start[i]->attrs[0].i);
    if (scan)
        open_part(o, "direction", "a loop without states can run in either direction", to);
    free(to);
}

static bool put_parts(Opening *o, Join *j)
{
    int outs = j->b.s.nouts, at_once = (outs + MOST_PARTS - 1) / MOST_PARTS;
    bool turns = j->a.s.reverse != j->b.s.reverse && !j->a.s.nstates;
    turn(j);
    if (turns)
        put_turned(o, j);
    bool ok = add_states(j);
    if (ok && j->b.s.nstates)
        put_joint(o, j, "states", "the states of the second are added to those of the first");
    for (int k = 0; k < outs && ok; k++) {
        ok = add_output(j, k);
        if (ok && ((k + 1) % at_once == 0 || k + 1 == outs))
            put_joint(o, j, "output", "the first also produces an output of the second");
    }
    return ok &&
           open_last(o, "shared", "states with equal initial values and equal updates are merged");
}

static bool parts_open(Opening *o)
{
    Join j;
    Node *x, *y;
    if (!step_two_loops(o->step, &x, &y) || !join_begin(&j, o->st, x, y))
        return false;
    for (int k = 0; k < j.b.s.nstates; k++)
        map_put(&j.memo, j.b.states[k].hole, j.b.states[k].hole);
    bool ok = put_parts(o, &j);
    join_end(&j);
    return ok;
}

static bool has_parts(const Step *s)
{
    Node *x, *y;
    if (!step_two_loops(s, &x, &y))
        return false;
    ScanShape a = scan_shape(x), b = scan_shape(y);
    return (a.reverse != b.reverse && !a.nstates) + (b.nstates > 0) + b.nouts > 1;
}

const Opener open_join = {has_parts, parts_open};
