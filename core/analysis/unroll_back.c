/* The reverse sweep over written-out steps, a step at a time.
 *
 * The loss is pulled back to the results of the scan, and from there through the steps after those
 * written out, which stay a loop. Then, from the last step written out to the first, a copy of the
 * body over holes of its own is swept: no two of its parameters are one node there, so what
 * flows to one of them flows to no other. */
#include "analysis/unroll_back.h"

#include "grad/vjp.h"
#include "passes/loops/segment.h"

typedef struct {
    Store *st;
    const Unroll *u;
    i64 total; /* steps of the scan */
    ScanRoles roles;
    UnrollBack *out;
    NodeVec results; /* by result of the scan: its cotangent, or NULL */
    NodeVec order;   /* of the body */
    int *first;      /* by output of the body: the first output that is the same node */
    int *state_of;   /* by trace: the state whose equation it is, or -1 */
} Back;

/* One step over holes. */
typedef struct {
    int i;
    NodeMap copy;    /* node of the body -> its copy */
    NodeMap closing; /* hole -> what it is outside */
    NodeVec holes;   /* the real ones */
    NodeVec seeds;   /* by output of the body: the cotangent that comes in, or NULL */
} OpenStep;

static Node *sum_of(Store *st, Node *a, Node *b)
{
    return a && b ? cotangent_sum(st, a, b) : a ? a : b;
}

/* ---- what comes in ---- */

static bool pull_to_results(Back *b, Node *loss)
{
    const ScanShape *s = &b->u->s;
    NodeVec results = {0};
    VEC(int) places = {0};
    for (int r = 0; r < s->nresults; r++) {
        Node *p = node_proj(b->st, b->u->scan, r);
        vec_push(&b->results, NULL);
        if (p && type_has_floats(p->type)) {
            vec_push(&results, p);
            vec_push(&places, r);
        }
    }
    Node *one = node_number(b->st, node_dtype(loss), 1);
    Node **bars = xcalloc(results.len + 1, sizeof *bars);
    bool ok = one && vjp_pull(b->st, 1, &loss, &one, (int)results.len, results.at, bars, NULL);
    for (size_t i = 0; ok && i < results.len; i++)
        b->results.at[places.at[i]] = bars[i];
    free(bars);
    vec_free(&results);
    vec_free(&places);
    return ok;
}

/* Row i of the cotangent of a trace. */
static bool trace_row(Back *b, int i, int trace, Node **row)
{
    Node *whole = b->results.at[b->u->s.nstates + trace];
    i64 step = b->u->first + i, at = b->u->s.reverse ? b->total - 1 - step : step;
    *row = whole ? build_index(b->st, whole, 0, node_i64(b->st, at)) : NULL;
    return !whole || *row;
}

/* What comes into the outputs of step i: from the step after it, and from the traces. */
static bool find_seeds(Back *b, OpenStep *o)
{
    const ScanShape *s = &b->u->s;
    for (int j = 0; j < s->nstates; j++)
        vec_push(&o->seeds, b->out->before.at[(o->i + 1) * s->nstates + j]);
    for (int t = 0; t < s->nouts; t++) {
        Node *row;
        if (!trace_row(b, o->i, t, &row))
            return false;
        int state = b->state_of[t];
        vec_push(&o->seeds, state < 0 ? row : NULL);
        if (state < 0 || !row)
            continue;
        Node *all = sum_of(b->st, o->seeds.at[state], row);
        o->seeds.at[state] = all;
        if (!all)
            return false;
    }
    if (s->stop)
        vec_push(&o->seeds, NULL);
    return true;
}

/* ---- one step ---- */

static bool open_step(Back *b, OpenStep *o)
{
    Graph *g = b->u->s.body;
    const NodeMap *outside = &b->u->of_body[o->i];
    for (int p = 0; p < g->nparams; p++) {
        Node *value = map_get(outside, g->param_nodes[p]);
        Node *hole = node_temp(b->st, value->type, NULL);
        map_put(&o->copy, g->param_nodes[p], hole);
        map_put(&o->closing, hole, value);
        if (type_has_floats(value->type))
            vec_push(&o->holes, hole);
    }
    for (int i = 0; i < g->nouts; i++)
        if (!node_substitute(b->st, g->outs[i], &o->copy))
            return false;
    return true;
}

static Node *copy_of(const OpenStep *o, const Node *n) { return map_get(&o->copy, n); }

/* Sweeps once for the outputs that are the first (or not the first) that their node is. */
static bool sweep(Back *b, OpenStep *o, bool firsts, NodeMap *bars)
{
    Graph *g = b->u->s.body;
    NodeVec ys = {0}, seeds = {0};
    for (int i = 0; i < g->nouts; i++)
        if (o->seeds.at[i] && (b->first[i] == i) == firsts) {
            vec_push(&ys, copy_of(o, g->outs[i]));
            vec_push(&seeds, o->seeds.at[i]);
        }
    VjpSweep s;
    vjp_begin(&s, b->st, (int)ys.len, ys.at, seeds.at, (int)o->holes.len, o->holes.at);
    while (vjp_peek(&s) && vjp_next(&s)) {
    }
    bool ok = !s.failed;
    for (size_t i = 0; i < b->order.len && ok; i++) {
        Node *copy = copy_of(o, b->order.at[i]);
        Node *bar = copy ? map_get(&s.v.cotangents, copy) : NULL;
        if (!bar)
            continue;
        Node *closed = node_substitute(b->st, bar, &o->closing);
        Node *all = sum_of(b->st, map_get(bars, b->order.at[i]), closed);
        ok = closed && all;
        map_put(bars, b->order.at[i], all);
    }
    vjp_end(&s);
    vec_free(&ys);
    vec_free(&seeds);
    return ok;
}

/* What the equation of state j gives changes the loss through its own place and, if it is the first
 * that its node is, through what else the step does with it. What a step only passes on is nothing
 * that it computes: other uses of that belong to where it came from. */
static Node *of_equation(const Back *b, const OpenStep *o, const NodeMap *firsts, int j)
{
    const Node *out = b->u->s.body->outs[j];
    Node *all = out->op == OP_PARAM || b->first[j] != j ? NULL : map_get(firsts, out);
    return all ? all : o->seeds.at[j];
}

static bool back_step(Back *b, int i)
{
    const ScanShape *s = &b->u->s;
    OpenStep o = {.i = i};
    NodeMap firsts = {0}, *all = &b->out->of_body[i];
    u32 temps = b->st->temp_count;
    bool ok = find_seeds(b, &o) && open_step(b, &o) && sweep(b, &o, true, &firsts);
    for (size_t n = 0; n < b->order.len && ok; n++)
        if (map_has(&firsts, b->order.at[n]))
            map_put(all, b->order.at[n], map_get(&firsts, b->order.at[n]));
    ok = ok && sweep(b, &o, false, all);
    for (int j = 0; j < s->nstates && ok; j++) {
        b->out->before.at[i * s->nstates + j] = map_get(all, s->body->param_nodes[j]);
        b->out->next.at[i * s->nstates + j] = of_equation(b, &o, &firsts, j);
    }
    b->st->temp_count = temps;
    map_free(&o.copy);
    map_free(&o.closing);
    map_free(&firsts);
    vec_free(&o.holes);
    vec_free(&o.seeds);
    return ok;
}

/* ---- the steps after those written out ---- */

/* The real results of that loop to which something flows, and what does. */
static bool rest_results(Back *b, Node *rest, i64 from, NodeVec *ys, NodeVec *bars)
{
    const ScanShape *s = &b->u->s;
    bool ok = true;
    for (int r = 0; r < s->nstates + s->nouts && ok; r++) {
        Node *bar = b->results.at[r];
        if (!bar)
            continue;
        if (r >= s->nstates)
            bar = segment_rows(b->st, s, bar, b->total, from, b->total);
        Node *y = node_proj(b->st, rest, r);
        ok = bar && y;
        vec_push(ys, y);
        vec_push(bars, bar);
    }
    return ok;
}

/* The cotangents of the holes: as nodes vjp that a policy of memory still applies to. */
static bool pull_to_holes(Back *b, const NodeVec *ys, const NodeVec *bars, const NodeVec *holes,
                          Node **out)
{
    NodeVec flows = {0};
    Node **now = xcalloc(holes->len + 1, sizeof *now),
         **later = xcalloc(holes->len + 1, sizeof *now);
    bool ok =
        vjp_pull(b->st, (int)ys->len, ys->at, bars->at, (int)holes->len, holes->at, now, NULL);
    for (size_t i = 0; i < holes->len && ok; i++)
        if (now[i])
            vec_push(&flows, holes->at[i]);
    ok = ok && (!flows.len ||
                vjp_node(b->st, (int)ys->len, ys->at, bars->at, (int)flows.len, flows.at, later));
    for (size_t i = 0, k = 0; i < holes->len && ok; i++)
        out[i] = now[i] ? later[k++] : NULL;
    free(now);
    free(later);
    vec_free(&flows);
    return ok;
}

/* Two states may start from one node, so the loop is built over holes. */
static bool pull_through_rest(Back *b)
{
    const ScanShape *s = &b->u->s;
    i64 from = b->u->first + b->u->k;
    Node *const *starts = b->u->states.at + b->u->k * s->nstates;
    NodeVec inits = {0}, holes = {0}, ys = {0}, bars = {0};
    NodeMap closing = {0};
    u32 temps = b->st->temp_count;
    for (int j = 0; j < s->nstates; j++) {
        vec_push(&inits, node_temp(b->st, starts[j]->type, NULL));
        map_put(&closing, inits.at[j], starts[j]);
        if (type_has_floats(inits.at[j]->type))
            vec_push(&holes, inits.at[j]);
    }
    Node *rest = scan_segment(b->st, b->u->scan, b->total, from, b->total, inits.at);
    Node **out = xcalloc(holes.len + 1, sizeof *out);
    bool ok = rest && rest_results(b, rest, from, &ys, &bars) &&
              pull_to_holes(b, &ys, &bars, &holes, out);
    for (int j = 0, k = 0; j < s->nstates && ok; j++) {
        Node *bar = type_has_floats(inits.at[j]->type) ? out[k++] : NULL;
        Node *closed = bar ? node_substitute(b->st, bar, &closing) : NULL;
        ok = closed || !bar;
        b->out->before.at[b->u->k * s->nstates + j] = closed;
    }
    b->st->temp_count = temps;
    free(out);
    map_free(&closing);
    NodeVec *all[] = {&inits, &holes, &ys, &bars};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        vec_free(all[i]);
    return ok;
}

/* ---- the whole ---- */

static void find_places(Back *b)
{
    const ScanShape *s = &b->u->s;
    Graph *g = s->body;
    b->roles = scan_roles(b->st, b->u->scan);
    b->first = xcalloc((size_t)g->nouts + 1, sizeof *b->first);
    b->state_of = xcalloc((size_t)s->nouts + 1, sizeof *b->state_of);
    for (int t = 0; t < s->nouts; t++)
        b->state_of[t] = -1;
    for (int j = 0; j < s->nstates; j++)
        if (b->roles.traces[j] >= 0)
            b->state_of[b->roles.traces[j]] = j;
    for (int i = 0; i < g->nouts; i++)
        while (g->outs[b->first[i]] != g->outs[i])
            b->first[i]++;
    nodes_topo(g->nouts, g->outs, &b->order);
}

bool unroll_back(Store *st, const Unroll *u, i64 total, Node *loss, UnrollBack *out)
{
    Back b = {.st = st, .u = u, .total = total, .out = out};
    *out = (UnrollBack){.of_body = xcalloc((size_t)u->k + 1, sizeof *out->of_body)};
    find_places(&b);
    for (int i = 0; i < (u->k + 1) * u->s.nstates; i++)
        vec_push(&out->before, NULL);
    for (int i = 0; i < u->k * u->s.nstates; i++)
        vec_push(&out->next, NULL);
    bool ok = pull_to_results(&b, loss);
    bool all = u->first + u->k == total;
    for (int j = 0; j < u->s.nstates && ok && all; j++)
        out->before.at[u->k * u->s.nstates + j] = b.results.at[j];
    ok = ok && (all || pull_through_rest(&b));
    for (int i = u->k - 1; i >= 0 && ok; i--)
        ok = back_step(&b, i);
    free(b.first);
    free(b.state_of);
    vec_free(&b.results);
    vec_free(&b.order);
    return ok;
}

void unroll_back_free(const Unroll *u, UnrollBack *b)
{
    for (int i = 0; b->of_body && i < u->k; i++)
        map_free(&b->of_body[i]);
    free(b->of_body);
    vec_free(&b->before);
    vec_free(&b->next);
    *b = (UnrollBack){0};
}

/* ---- with respect to what the loop reads ---- */

/* The value with the scan as one segment of all its steps, which has a policy if it is long. */
static Node *with_segment(Store *st, Node *scan, i64 steps, Node *loss)
{
    ScanShape s = scan_shape(scan);
    Node *all = scan_segment(st, scan, steps, 0, steps, s.inits);
    NodeMap memo = {0};
    bool ok = all != NULL;
    for (int r = 0; r < s.steps && ok; r++) {
        Node *result = node_proj(st, all, r);
        ok = result != NULL;
        map_put(&memo, node_proj(st, scan, r), result);
    }
    Node *r = ok ? node_substitute(st, loss, &memo) : NULL;
    map_free(&memo);
    return r;
}

Node *loop_gradient(Store *st, Node *scan, i64 steps, bool in_segment, Node *loss, Node *x)
{
    Node *one = node_number(st, node_dtype(loss), 1), *bar = NULL;
    if (!vjp_pull(st, 1, &loss, &one, 1, &x, &bar, NULL))
        return NULL;
    if (!bar)
        return build_zeros_like(st, x);
    if (!in_segment)
        return bar;
    Node *same = with_segment(st, scan, steps, loss);
    return same && vjp_node(st, 1, &same, &one, 1, &x, &bar) ? bar : NULL;
}

bool loop_way_back(Store *st, Node *loop, Node *loss, Node *x, Node **back)
{
    Node *one = node_number(st, node_dtype(loss), 1), *bar = NULL;
    DerivativeRecords record = {0};
    bool ok = vjp_pull_recorded(st, 1, &loss, &one, 1, &x, &bar, NULL, &record);
    *back = NULL;
    for (size_t i = 0; i < record.len && ok && bar && !*back; i++)
        if (record.at[i].kind == RECORD_LOOP && record.at[i].of == loop)
            *back = record.at[i].is;
    vec_free(&record);
    return ok;
}
