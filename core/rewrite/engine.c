/* The engine: bottom-up sweeps over an immutable graph, one recorded step per firing.
 *
 * Invariant: `memo[n]` is the normal form of n under the rules of the pass; a step's
 * `before` stands in the graph that replaying the steps before it gives. When a node
 * that was rewritten earlier comes up again, a step is recorded again: a replay is
 * plain substitution, step by step, and knows nothing of memos. */
#include "rewrite/engine.h"
#include "graph/names.h"
#include "rewrite/facts_body.h"

enum { MAX_REWRITE_DEPTH = 400, MAX_ROUNDS = 100 };

/* Not a rule of the session: the step on an owner whose graph was rewritten. */
static const Rule inner_rule = {.name = "inner",
                                .reason = "rewrites inside the graph it owns; open it to see them"};

static Node *settle(Engine *e, Node *m);
static bool run_phase(Engine *e, int sweeps);

/* ---- recording ---- */

/* What a node is called goes over to what it became; outside of bodies not to what was there before
 * the pass began: that has a life of its own in the program. */
static void carry_name(const Engine *e, const Change *c)
{
    Node *to = c->after;
    if (!to->inner && to->born < e->began)
        return;
    node_carry_name(e->st, c->before, to);
    node_set_name(e->st, to, node_result_name(e->st, c->before));
}

static Step *record(Engine *e, const Rule *rule, size_t n, const Change *changes, const char *why)
{
    e->changed = true;
    e->steps++;
    for (size_t i = 0; i < n; i++)
        carry_name(e, &changes[i]);
    if (rule && rule != &inner_rule)
        ((Rule *)(uintptr_t)rule)->fired++;
    if (!e->log)
        return &e->unrecorded;
    Step s = {.seq = (u32)e->log->at.len + 1,
              .pass = e->pass,
              .rule = rule,
              .nchanges = (int)n,
              .extra = e->derived ? HAZARD_R : 0};
    s.changes = arena_alloc(&e->log->arena, n * sizeof *s.changes);
    memcpy(s.changes, changes, n * sizeof *s.changes);
    if (why && *why)
        s.evidence = arena_strndup(&e->log->arena, why, strlen(why));
    vec_push(&e->log->at, s);
    for (size_t i = 0; i < n; i++)
        node_map_put(&e->log->last, changes[i].before, (void *)(uintptr_t)e->log->at.len);
    return &e->log->at.at[e->log->at.len - 1];
}

/* ---- what is settled (settled.c) ---- */

/* What a rule sees of who uses n. */
static const void *uses_key(Engine *e, const Node *n)
{
    return n->type->kind == TYPE_TUPLE ? engine_used(e, n) : NULL;
}

static void mark_normal(Engine *e, const Node *n)
{
    if (e->stop == STOP_SATURATED)
        settled_mark(e->settled, n, e->mask, uses_key(e, n));
}

/* ---- inner graphs ---- */

typedef struct Body {
    Graph *after;
    StepLog *log;
    double seconds;
    const Fact *given;  /* of its parameters, where bodies are told; else NULL */
    struct Body *other; /* of the same graph where it is given something else */
} Body;

static bool given_same(const Fact *a, const Fact *b, int n)
{
    bool same = true;
    for (int i = 0; i < n && a && same; i++)
        same = fact_same(&a[i], &b[i]);
    return same;
}

/* The body if it was rewritten before, knowing the same. */
static Body *known_body(Engine *e, const Graph *g, const Fact *given)
{
    Body *b = map_get(e->bodies, g);
    while (b && !given_same(b->given, given, g->nparams))
        b = b->other;
    return b;
}

static Body *new_body(Engine *e, Graph *g, const Fact *given)
{
    Body *b = arena_alloc(&e->st->scratch, sizeof *b);
    b->after = g;
    b->given = given;
    b->other = map_get(e->bodies, g);
    b->log = e->log ? xcalloc(1, sizeof *b->log) : NULL;
    if (b->log) {
        b->log->within = g;
        vec_push(e->logs, b->log);
    }
    map_put(e->bodies, g, b);
    return b;
}

/* Equal functions have equal derivatives, but not bit by bit. */
static bool is_derivative(const Node *owner)
{
    return op_table[owner->op].cls == CLASS_IMPLICIT && owner->op != OP_VMAP;
}

/* An engine for the body of the node that e is inside of. */
static void open_inside(Engine *in, Engine *e, Body *b, int nroots, Node **roots, const Graph *g)
{
    *in = (Engine){.st = e->st,
                   .rs = e->rs,
                   .pass = e->pass,
                   .phase = e->phase,
                   .nroots = nroots,
                   .roots = roots,
                   .log = b->log,
                   .logs = e->logs,
                   .bodies = e->bodies,
                   .facts = e->facts,
                   .settled = e->settled,
                   .refusals = e->refusals,
                   .outer = e,
                   .derived = e->derived || is_derivative(e->inside),
                   .first_node = e->first_node,
                   .began = e->began,
                   .tries = e->tries,
                   .steps = e->steps,
                   .depth = e->depth,
                   .sweep = e->sweep,
                   .derivatives = e->derivatives,
                   .tells = e->tells,
                   .ctx = e->ctx,
                   .owner = e->inside,
                   .body = g};
}

/* What holds of the parameters holds in this graph alone, so it gets a table of its own. */
static void run_inside(Engine *in, Engine *e, const Graph *g, const Fact *given)
{
    Facts told = {0};
    const Graph *outside = e->facts ? e->facts->within : NULL;
    if (given) {
        facts_enter(&told, e->st, e->facts, e->inside, g, given);
        in->facts = &told;
    } else if (e->facts)
        e->facts->within = g;
    Reach reached = {0};
    in->reached = &reached;
    run_phase(in, e->sweep ? 1 : 8);
    reached_free(&reached);
    if (e->facts)
        e->facts->within = outside;
    facts_free(&told);
}

static Body *rewrite_body(Engine *e, Graph *g)
{
    const Fact *given =
        e->tells && e->facts ? facts_given(&e->st->scratch, e->facts, e->inside, g) : NULL;
    Body *b = known_body(e, g, given);
    if (b)
        return b;
    b = new_body(e, g, given);
    Node **outs = xmalloc(((size_t)g->nouts + 1) * sizeof *outs);
    memcpy(outs, g->outs, (size_t)g->nouts * sizeof *outs);
    Engine in;
    open_inside(&in, e, b, g->nouts, outs, g);
    NameScope scope;
    names_open(e->st, &scope, g);
    double start = now_seconds();
    run_inside(&in, e, g, given);
    b->seconds = now_seconds() - start;
    bool changed = in.steps > e->steps;
    e->steps = in.steps;
    e->tries = in.tries;
    e->stop = in.stop;
    e->failed = e->failed || in.failed;
    if (changed) {
        b->after = graph_make(e->st, g->nparams, g->params, g->nouts, outs);
        if (!in.changed && in.stop == STOP_SATURATED && !known_body(e, b->after, given))
            new_body(e, b->after, given); /* nothing is left to do in it */
    }
    names_close(e->st, &scope, b->after);
    free(outs);
    return b;
}

/* What was fused stays as it is, and nothing runs a derivative's graph. Where a derivative counts
 * the last steps of a loop, the loop keeps them. */
static bool is_swept(const Engine *e, const Node *owner)
{
    bool counts = (owner->op == OP_GRAD || owner->op == OP_VJP) && owner->attrs[2].i >= 0;
    if (counts && !e->sweep && e->phase->shortens)
        return false;
    return owner->op != OP_FUSED &&
           !(e->sweep && !e->derivatives && op_table[owner->op].cls == CLASS_IMPLICIT);
}

static Node *settle_bodies(Engine *e, Node *m)
{
    int slots[4], n = is_swept(e, m) ? node_graphs(m, slots) : 0;
    for (int i = 0; i < n; i++) {
        Graph *g = m->attrs[slots[i]].graph;
        e->inside = m;
        Body *b = rewrite_body(e, g);
        if (b->after == g)
            continue;
        Attr attrs[8];
        memcpy(attrs, m->attrs, m->nattrs * sizeof *attrs);
        attrs[slots[i]].graph = b->after;
        Node *r = node_with_attrs(e->st, m, attrs);
        if (!r || !type_compatible(e->st, r->type, m->type))
            continue; /* the body's types got weaker: keep the old body */
        engine_carry_uses(e, m, r);
        Step *s = record(e, &inner_rule, 1, &(Change){m, r}, NULL);
        s->inner = b->log;
        s->inner_before = g;
        s->inner_after = b->after;
        s->seconds = b->seconds;
        s->extra |= is_derivative(m) ? HAZARD_R : 0;
        node_map_put(&e->memo, m, r);
        m = r;
    }
    return m;
}

/* ---- settling ---- */

static Node *rebuild(Engine *e, Node *n)
{
    Node *small[8], **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    bool same = true;
    for (u32 i = 0; i < n->nops; i++) {
        ops[i] = node_map_get(&e->memo, n->ops[i]);
        ops[i] = ops[i] ? ops[i] : n->ops[i]; /* settled before this sweep */
        same = same && ops[i] == n->ops[i];
    }
    Node *r = same ? n : node_with_operands(e->st, n, ops);
    if (ops != small)
        free(ops);
    return r;
}

/* The place + 1 of the step that replaced m, or 0. */
static size_t step_of(const Engine *e, const Node *m)
{
    return e->log ? (size_t)(uintptr_t)node_map_get(&e->log->last, m) : 0;
}

static bool needs_visit(const Engine *e, const NodeMap *here, Node *n, bool fresh)
{
    if (fresh && node_map_has(here, n))
        return false;
    Node *known = node_map_get(&e->memo, n);
    return known ? fresh && known != n : !settled_deep(e->settled, n, e->mask);
}

static void visit(Engine *e, Node *n)
{
    if (node_map_has(&e->memo, n)) { /* rewritten before, and here again: recorded again */
        settle(e, n);
        return;
    }
    Node *m = rebuild(e, n);
    if (m && m != n && e->log)
        vec_push(&e->log->moves, ((Move){n, m, (u32)e->log->at.len}));
    Node *x = m ? settle(e, m) : NULL;
    if (!x) {
        e->failed = true;
        x = n;
    }
    engine_carry_uses(e, n, x);
    node_carry_span(n, x);
    carry_name(e, &(Change){n, x});
    node_map_put(&e->memo, n, x);
}

/* Brings everything under r to its normal form, operands first. `fresh`: r was just made by a rule,
 * so nodes in it that were rewritten earlier stand in the graph once more. */
static Node *settle_deep(Engine *e, Node *r, bool fresh)
{
    if (++e->depth > MAX_REWRITE_DEPTH) {
        e->depth--;
        return r;
    }
    NodeMap here = {0};
    NodeVec stack = {0};
    if (needs_visit(e, &here, r, fresh))
        vec_push(&stack, r);
    while (stack.len) {
        Node *n = stack.at[stack.len - 1];
        size_t before = stack.len;
        bool known = node_map_has(&e->memo, n), again_here = known && (!e->log || step_of(e, n));
        bool done = fresh ? node_map_has(&here, n) : known;
        for (u32 i = 0; i < n->nops && !done && !again_here; i++)
            if (needs_visit(e, &here, n->ops[i], fresh))
                vec_push(&stack, n->ops[i]);
        if (stack.len > before)
            continue;
        stack.len--;
        if (done)
            continue;
        if (fresh)
            node_map_put(&here, n, n);
        visit(e, n);
    }
    vec_free(&stack);
    node_map_free(&here);
    e->depth--;
    Node *x = node_map_get(&e->memo, r);
    return x ? x : r;
}

bool engine_try(const Rule *r, Site *site, u32 *extra)
{
    *extra = 0;
    site->changes.len = site->why.len = 0;
    if (r->fn)
        return r->fn(site) && site->changes.len;
    Node *m = site->node;
    if (rule_is_on_loop(r))
        return rule_apply_loop(site->st, r, site->facts, m, &site->why, &site->changes);
    Node *after = rule_apply_text(site->st, r, site->facts, m, &site->why, extra);
    if (!after || after == m)
        return false;
    site_put(site, m, after);
    return true;
}

/* Applies what a rule found: the first change is usually m itself, others wait until they are met.
 */
static Node *accept(Engine *e, const Rule *r, Site *site, u32 extra, double seconds)
{
    const Changes *changes = &site->changes;
    Step *s = record(e, r, changes->len, changes->at, text_str(&site->why));
    s->extra |= extra;
    s->seconds = seconds;
    Node *after = NULL;
    for (size_t i = 0; i < changes->len; i++) {
        if (changes->at[i].before == site->node)
            after = changes->at[i].after;
        else
            node_map_put(&e->pending, changes->at[i].before, changes->at[i].after);
    }
    return after;
}

/* m was x before, and is here again. If no rule replaced m itself, its operands did change: they
 * have been recorded again, and what is left is what a rule made of m with them. */
static Node *again(Engine *e, Node *m, Node *x)
{
    if (e->log && !step_of(e, m)) {
        m = rebuild(e, m);
        if (!m || m == x)
            return x;
    }
    size_t place = step_of(e, m);
    Step *s = record(e, &inner_rule, 1, &(Change){m, x}, NULL);
    s->again = true;
    if (place) {
        const Step *old = &e->log->at.at[place - 1];
        s->rule = old->rule;
        s->extra |= old->extra;
        s->inner = old->inner;
        s->inner_before = old->inner_before;
        s->inner_after = old->inner_after;
    }
    return x;
}

static Node *settle(Engine *e, Node *m)
{
    Node *known = node_map_get(&e->memo, m);
    if (known)
        return known == m ? m : again(e, m, known);
    node_map_put(&e->memo, m, m); /* in progress: a rule that comes back to m ends here */
    Node *waiting = node_map_get(&e->pending, m);
    if (waiting) {
        carry_name(e, &(Change){m, waiting});
        Node *x = settle_deep(e, waiting, true);
        node_map_put(&e->memo, m, x);
        return x;
    }
    Node *start = m;
    m = settle_bodies(e, m);
    Site site;
    site_open(&site, e, m);
    Node *result = m;
    bool fired = false;
    u32 extra;
    RuleList rules = {0};
    rule_candidates(e->rs, m, e->mask & ~settled_normal(e->settled, m, uses_key(e, m)), &rules);
    double start_time = rules.len ? now_seconds() : 0; /* rules that did not fire are in it */
    for (size_t i = 0; i < rules.len && engine_within_limits(e); i++) {
        const Rule *r = e->rs->all.at[rules.at[i]];
        if (!rule_allowed(e->rs, r) || !engine_try(r, &site, &extra))
            continue;
        double took = now_seconds() - start_time;
        Node *after = accept(e, r, &site, extra, took);
        fired = true;
        if (after) /* else its projections were changed; m itself is on its way out */
            result = settle_deep(e, after, true);
        break;
    }
    if (!fired)
        mark_normal(e, m);
    vec_free(&rules);
    site_close(&site);
    node_map_put(&e->memo, start, result);
    if (m != start)
        node_map_put(&e->memo, m, result);
    return result;
}

static void began_sweep(Engine *e)
{
    if (!e->log)
        return;
    size_t bytes = (size_t)e->nroots * sizeof(Node *);
    SweepStart s = {(u32)e->log->at.len, arena_alloc(&e->log->arena, bytes + 1)};
    memcpy(s.roots, e->roots, bytes);
    vec_push(&e->log->sweeps, s);
}

/* Construction inside rules may fail, into `scratch`: then they do not fire. Returns where
 * diagnostics went before. */
static Diags *open_sweep(Engine *e, Diags *scratch)
{
    Diags *saved = e->st->diags;
    node_map_clear(&e->memo);
    node_map_clear(&e->pending);
    if (!e->report)
        e->report = e->outer ? e->outer->report : saved;
    e->st->diags = scratch;
    e->changed = false;
    began_sweep(e);
    return saved;
}

static bool close_sweep(Engine *e, Diags *scratch, Diags *saved)
{
    if (!e->changed && e->log)
        e->log->sweeps.len--;
    e->st->diags = saved;
    diags_free(scratch);
    return e->changed;
}

/* One bottom-up sweep with the rules of the phase; bodies first. */
static bool sweep_rules(Engine *e)
{
    Diags scratch = {0}, *saved = open_sweep(e, &scratch);
    e->mask = rule_groups(e->rs, e->phase->groups);
    engine_count_uses(e);
    bool concerned = engine_concerned(e, e->mask);
    for (int i = 0; i < e->nroots && concerned; i++)
        e->roots[i] = settle_deep(e, e->roots[i], false);
    return close_sweep(e, &scratch, saved);
}

/* ---- sweeps that see the whole graph ---- */

Node *engine_became(const Engine *e, Node *was)
{
    Node *now = node_map_get(&e->memo, was);
    return now ? now : was;
}

void engine_put(Engine *e, Node *was, Node *now) { node_map_put(&e->memo, was, now); }

void engine_record(Site *site, const Rule *rule, double since)
{
    const Changes *changes = &site->changes;
    Step *s = record(site->engine, rule, changes->len, changes->at, text_str(&site->why));
    s->nested = changes->len > 1;
    s->seconds = now_seconds() - since;
}

void engine_put_one(Engine *e, const Rule *rule, Node *was, Node *now, double since)
{
    record(e, rule, 1, &(Change){was, now}, NULL)->seconds = now_seconds() - since;
}

bool engine_walk(Engine *e, const NodeVec *order, WalkFn f, void *ctx)
{
    Diags scratch = {0}, *saved = open_sweep(e, &scratch);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i], *m = rebuild(e, n);
        if (!m) {
            e->failed = true;
            m = n;
        }
        if (m != n && e->log)
            vec_push(&e->log->moves, ((Move){n, m, (u32)e->log->at.len}));
        m = settle_bodies(e, m);
        node_map_put(&e->memo, n, m);
        Node *x = engine_within_limits(e) ? f(e, i, m, ctx) : m;
        if (x != m)
            node_map_put(&e->memo, n, x);
    }
    for (int i = 0; i < e->nroots; i++)
        e->roots[i] = engine_became(e, e->roots[i]);
    return close_sweep(e, &scratch, saved);
}

/* ---- phases ---- */

/* Sweeps until nothing changes or a limit is met. */
static bool saturate(Engine *e, int sweeps)
{
    bool changed = false;
    bool (*sweep)(Engine *) = e->sweep ? e->sweep : sweep_rules;
    for (int i = 0; i < sweeps && e->stop == STOP_SATURATED && sweep(e); i++)
        changed = true;
    node_map_free(&e->memo);
    node_map_free(&e->pending);
    node_map_free(&e->used);
    return changed;
}

/* Of the graph of e, as e->phase or e->sweep says. */
static bool run_phase(Engine *e, int sweeps)
{
    if (e->sweep)
        return saturate(e, sweeps);
    bool changed = e->phase->before && engine_merge(e, e->phase->before);
    changed = saturate(e, sweeps) || changed;
    for (int round = 0; round < MAX_ROUNDS && engine_join(e); round++) {
        saturate(e, sweeps);
        changed = true;
    }
    return changed;
}

bool engine_phase(Engine *e, const Phase *phase, int sweeps)
{
    e->phase = phase;
    map_clear(e->bodies); /* what a body becomes depends on the rules that take part */
    return run_phase(e, sweeps);
}

bool engine_sweep_with(Engine *e, bool (*sweep)(Engine *e), int sweeps, bool derivatives)
{
    e->sweep = sweep;
    e->derivatives = derivatives;
    map_clear(e->bodies);
    bool changed = run_phase(e, sweeps);
    e->sweep = NULL;
    e->derivatives = false;
    return changed;
}

bool engine_apply(Site *site, const Rule *rule, double since)
{
    Engine *e = site->engine;
    const Changes *changes = &site->changes;
    PtrMap memo = {0};
    for (size_t i = 0; i < changes->len; i++)
        map_put(&memo, changes->at[i].before, changes->at[i].after);
    Node **roots = xmalloc(((size_t)e->nroots + 1) * sizeof *roots);
    bool ok = true, moved = false;
    for (int i = 0; i < e->nroots && ok; i++) {
        ok = (roots[i] = node_substitute(e->st, e->roots[i], &memo)) != NULL;
        moved = moved || (ok && roots[i] != e->roots[i]);
    }
    if (ok && moved) {
        began_sweep(e);
        memcpy(e->roots, roots, (size_t)e->nroots * sizeof *roots);
        record(e, rule, changes->len, changes->at, text_str(&site->why))->seconds =
            now_seconds() - since;
    }
    free(roots);
    map_free(&memo);
    return ok && moved;
}
