#include "scan_run.h"

#include "analysis/unroll.h"
#include "passes/passes.h"
#include "rewrite/history.h"

#include <math.h>

void values_free(Values *v)
{
    for (int i = 0; i < v->n && v->at; i++)
        tensor_unref(v->at[i]);
    free(v->at);
    *v = (Values){0};
}

static void set_pass(Session *s, const char *name, bool on)
{
    pipeline_switch(&s->options.pipeline, name, !on);
}

/* Rules of loops that run in other passes go with the pass `loops`. */
static void leave_out_early_rules(const RuleSet *rs, Options *o)
{
    for (size_t i = 0; loop_rules[i].name; i++) {
        const Rule *r = rule_by_name(rs, loop_rules[i].name);
        if (!strcmp(r->pass, "canonicalize") || !strcmp(r->pass, "rows"))
            rule_switch(o, r, true);
    }
}

static Exploration *explored(Session *s, int n, Node *const *roots, bool loops)
{
    set_pass(s, "loops", loops);
    Options o = s->options;
    if (!loops)
        leave_out_early_rules(s->rules, &o);
    Exploration *x = explore(&s->st, s->rules, &o, n, roots);
    session_count_rules(s, x);
    if (x && x->failed) {
        exploration_free(x);
        return NULL;
    }
    return x;
}

bool run_values(Session *s, const char *text, bool loops, Values *out)
{
    Node **roots = NULL;
    int n = run_roots(s, text, &roots);
    Exploration *x = n > 0 ? explored(s, n, roots, loops) : NULL;
    out->at = xcalloc((size_t)(n > 0 ? n : 0) + 1, sizeof *out->at);
    bool ok = x && session_evaluate_raw(s, n, x->roots, NULL, out->at);
    out->n = ok ? n : 0;
    if (x)
        exploration_free(x);
    free(roots);
    return ok;
}

Exploration *run_explored(Session *s, const char *text)
{
    Node **roots = NULL;
    int n = run_roots(s, text, &roots);
    Exploration *x = n > 0 ? explored(s, n, roots, true) : NULL;
    free(roots);
    return x;
}

static Node *first_scan(int n, Node *const *roots, const NodeSet *done)
{
    NodeVec order = {0};
    Node *found = NULL;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        found = order.at[i]->op == OP_SCAN && !map_has(done, order.at[i]) ? order.at[i] : NULL;
    vec_free(&order);
    return found;
}

/* The rows in order, with the type of the scan's own trace where it is known before the run. */
static Node *trace(Store *st, const Unroll *u, int j)
{
    const ScanShape *s = &u->s;
    if (!u->k)
        return node_proj(st, u->scan, s->nstates + j);
    NodeVec rows = {0}, dims = {0};
    bool ok = true;
    for (int i = 0; i < u->k; i++) {
        int step = s->reverse ? u->k - 1 - i : i;
        vec_push(&rows, build_expand(st, u->outs.at[step * s->nouts + j], 0));
        ok = ok && rows.at[i];
    }
    Node *all = ok ? node_make(st, OP_CONCAT, &(Attr){.i = 0}, (u32)rows.len, rows.at) : NULL;
    vec_push(&dims, s->stop ? node_i64(st, u->k) : s->n);
    for (int a = 1; all && a < node_rank(all); a++)
        vec_push(&dims, node_dim(st, all, a));
    if (all && node_dtype(all) != DT_RNG)
        all = build_reshape(st, all, node_rank(all), dims.at);
    vec_free(&rows);
    vec_free(&dims);
    return all;
}

/* `root` with the scan's results replaced by what the k steps give: for a scan that runs exactly k
 * steps. NULL after a diagnostic. */
static Node *unroll_replace(Store *st, const Unroll *u, Node *root)
{
    const ScanShape *s = &u->s;
    NodeMap memo = {0};
    bool ok = true;
    for (int r = 0; r < s->nresults && ok; r++) {
        bool stopped = u->stops.len && u->s.stop && u->k > 0;
        Node *before = node_proj(st, u->scan, r);
        Node *after = r < s->nstates  ? u->states.at[u->k * s->nstates + r]
                      : r < s->steps  ? trace(st, u, r - s->nstates)
                      : r == s->steps ? node_i64(st, u->k)
                      : stopped       ? u->stops.at[u->k - 1]
                                      : node_bool(st, false);
        ok = before && after;
        map_put(&memo, before, after);
    }
    Node *result = ok ? node_substitute(st, root, &memo) : NULL;
    map_free(&memo);
    return result;
}

/* The operands hold no loop any more that takes a step. */
static bool unroll_one(Session *s, Node *scan, int n, Node **roots)
{
    ScanShape shape = scan_shape(scan);
    Node *steps = node_proj(&s->st, scan, shape.steps);
    Tensor *count = NULL;
    Unroll u;
    Exploration *x = explored(s, 1, &steps, false);
    bool ok = x && session_evaluate_raw(s, 1, x->roots, NULL, &count);
    if (x)
        exploration_free(x);
    if (!ok)
        return false;
    ok = scan_unroll(&s->st, scan, (int)tensor_f64_at(count, 0), &u);
    for (int i = 0; i < n && ok; i++)
        ok = (roots[i] = unroll_replace(&s->st, &u, roots[i])) != NULL;
    unroll_free(&u);
    tensor_unref(count);
    return ok;
}

bool run_unrolled(Session *s, const char *text, u32 *loops, Values *out)
{
    Node **roots = NULL, *scan;
    int n = run_roots(s, text, &roots);
    bool ok = n > 0;
    NodeSet done = {0}; /* a trace without rows is the loop's own */
    for (; ok && (scan = first_scan(n, roots, &done)); ++*loops) {
        ok = unroll_one(s, scan, n, roots);
        set_add(&done, scan);
    }
    map_free(&done);
    Exploration *x = ok ? explored(s, n, roots, false) : NULL;
    out->at = xcalloc((size_t)(n > 0 ? n : 0) + 1, sizeof *out->at);
    ok = x && session_evaluate_raw(s, n, x->roots, NULL, out->at);
    out->n = ok ? n : 0;
    if (x)
        exploration_free(x);
    free(roots);
    return ok;
}

static bool same_bits(const Tensor *a, const Tensor *b)
{
    return a->dtype == b->dtype && a->rank == b->rank &&
           !memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) &&
           (!a->count || !memcmp(a->data, b->data, (size_t)a->count * dtype_size(a->dtype)));
}

static u32 count_op(int n, Node *const *roots, OpId op)
{
    NodeVec order = {0};
    u32 count = 0;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        count += order.at[i]->op == op;
    vec_free(&order);
    return count;
}

bool run_lowered(Session *s, const char *text, u32 *compared, Text *why)
{
    static const char *const ways[] = {"as scans", "as loops", "as loops without counters"};
    Node **roots = NULL;
    int n = run_roots(s, text, &roots);
    Tensor **first = xcalloc((size_t)(n > 0 ? n : 0) + 1, sizeof *first), **at;
    bool ok = n > 0;
    for (int way = 0; way < 3 && ok; way++) {
        rule_switch(&s->options, rule_by_name(s->rules, "lower-scan"),
                    way == 0); /* sums are ordered every way */
        s->plan_flags = way == 2 ? PLAN_UNCOUNTED : 0;
        at = way ? xcalloc((size_t)n + 1, sizeof *at) : first;
        Exploration *x = explored(s, n, roots, true);
        ok = x && session_evaluate_raw(s, n, x->roots, NULL, at);
        if (!ok || (way && count_op(n, x->roots, OP_SCAN))) {
            text_printf(why, ok ? "a scan is left %s" : "it does not run %s", ways[way]);
            ok = false;
        }
        for (int i = 0; i < n && way; i++) {
            if (ok && !same_bits(first[i], at[i])) {
                text_printf(why, "item %d has other bits %s", i, ways[way]);
                ok = false;
            }
            *compared += ok;
            tensor_unref(at[i]);
        }
        if (way)
            free(at);
        if (x)
            exploration_free(x);
    }
    rule_switch(&s->options, rule_by_name(s->rules, "lower-scan"), false);
    s->plan_flags = 0;
    for (int i = 0; i < n; i++)
        tensor_unref(first[i]);
    free(first);
    free(roots);
    return ok;
}

double values_error(const Tensor *a, const Tensor *b)
{
    if (a->dtype != b->dtype || a->rank != b->rank ||
        memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape))
        return INFINITY;
    double scale = 1, error = 0;
    for (i64 i = 0; i < a->count; i++) {
        double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
        if (!isfinite(x) || !isfinite(y))
            return INFINITY;
        scale = fmax(scale, fmax(fabs(x), fabs(y)));
        error = fmax(error, fabs(x - y));
    }
    return error / scale;
}

static Leaf *leaf_named(Session *s, const char *name)
{
    for (size_t i = 0; i < s->leaves.len; i++)
        if (!strcmp(s->leaves.at[i].name, name))
            return &s->leaves.at[i];
    return NULL;
}

static double component(u64 *rng)
{
    *rng = *rng * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*rng >> 33) / (double)(1u << 30) - 1;
}

static bool value_at(Session *s, Exploration *x, const Leaf *l, const double *direction, double h,
                     double *out)
{
    Tensor *moved = tensor_copy(&s->st.heap, l->value), *result = NULL;
    double *at = moved->data;
    for (i64 i = 0; i < moved->count; i++)
        at[i] += h * direction[i];
    TensorMap values = {0};
    map_put(&values, l->node, moved);
    bool ok = session_evaluate_raw(s, 1, x->roots, &values, &result);
    *out = ok ? tensor_f64_at(result, 0) : NAN;
    map_free(&values);
    tensor_unref(result);
    tensor_unref(moved);
    return ok;
}

bool run_difference(Session *s, const char *text, const char *input, const Tensor *gradient,
                    u64 seed, double *slope, double *along)
{
    Leaf *l = leaf_named(s, input);
    Node **roots = NULL;
    int n = run_roots(s, text, &roots);
    Exploration *x = n == 1 && l ? explored(s, n, roots, true) : NULL;
    i64 count = l ? l->value->count : 0;
    double *direction = xcalloc((size_t)count + 1, sizeof *direction), above, below, h = 1e-5;
    *along = 0;
    for (i64 i = 0; i < count; i++) {
        direction[i] = component(&seed);
        *along += direction[i] * tensor_f64_at(gradient, i);
    }
    bool ok =
        x && value_at(s, x, l, direction, h, &above) && value_at(s, x, l, direction, -h, &below);
    *slope = ok ? (above - below) / (2 * h) : NAN;
    free(direction);
    if (x)
        exploration_free(x);
    free(roots);
    return ok;
}

static void say_worst(const Audit *a, Text *why)
{
    const AuditRow *worst = NULL;
    for (size_t i = 0; i < a->rows.len && !worst; i++)
        worst = a->rows.at[i].breaks ? &a->rows.at[i] : NULL;
    if (!worst)
        return;
    text_put(why, "step ");
    place_print(why, &worst->place);
    text_printf(why, ", rule %s: %s, error %g, %g ulp", step_rule(worst->step), worst->breaks,
                worst->by.error, worst->by.ulp);
}

bool run_audit(Session *s, const char *text, u32 *steps, Text *why)
{
    Node **roots = NULL;
    int n = run_roots(s, text, &roots);
    Exploration *x = n > 0 ? explored(s, n, roots, true) : NULL;
    Audit a = {0};
    bool ok = x && session_audit(s, x, &a);
    if (!ok)
        text_put(why, "the audit does not run");
    else if (a.differing)
        say_worst(&a, why);
    ok = ok && !a.differing;
    *steps = a.compared;
    audit_free(&a);
    if (x)
        exploration_free(x);
    free(roots);
    return ok;
}
