/* The engine: bottom-up sweeps over an immutable graph, one recorded step per firing.
 *
 * Invariant: `memo[n]` is the normal form of n under the rules of the pass; a step's
 * `before` stands in the graph that replaying the steps before it gives. When a node
 * that was rewritten earlier comes up again, a step is recorded again: a replay is
 * plain substitution, step by step, and knows nothing of memos. */
#include "rewrite/engine.h"
#include "graph/provenance.h"
#include "graph/names.h"
#include "graph/walk.h"
#include "rewrite/facts_body.h"

enum {
    MAX_REWRITE_DEPTH = 400, /* of rules that fire in what rules made: the stack is finite */
    MAX_ROUNDS = 100         /* of rules on the whole graph, with sweeps after each, in a phase */
};

/* Not a rule of the session: the step on an owner whose graph was rewritten. */
static const Rule inner_rule = {.name = "inner",
                                .reason = "rewrites inside the graph it owns; open it to see them"};

static Node *settle(Engine *e, Node *m);
static bool run_phase(Engine *e, int sweeps);

/* ---- recording ---- */

/* What a node is called goes over to what it became; outside of bodies not to what the author
 * wrote: that has a life of its own in the program. */
static void carry_name(const Engine *e, const Change *c)
{
    Node *to = c->after;
    if (!to->inner && node_is_written(e->st, to))
        return;
    node_carry_name(e->st, c->before, to);
    node_set_name(e->st, to, node_result_name(e->st, c->before));
}

static Step *record(Engine *e, const Rule *rule, size_t n, const Change *changes, const char *why)
{
    u32 time = provenance_tick(e->st);
    e->changed = true;
    e->steps++;
    for (size_t i = 0; i < n; i++)
        carry_name(e, &changes[i]);
    if (rule && rule != &inner_rule)
        rule_counts_add(e->counts, rule, 1);
    if (!e->log)
        return &e->unrecorded;
    Step s = {.seq = (u32)e->log->at.len + 1,
              .time = time,
              .pass = e->pass,
              .rule = rule,
              .nchanges = (int)n,
              .extra = e->derived ? HAZARD_DERIVED : 0};
    s.changes = arena_alloc(&e->log->arena, n * sizeof *s.changes);
    memcpy(s.changes, changes, n * sizeof *s.changes);
    if (why && *why)
        s.evidence = arena_strndup(&e->log->arena, why, strlen(why));
    vec_push(&e->log->at, s);
    for (size_t i = 0; i < n; i++)
        node_map_put(&e->log->last, changes[i].before, (u32)e->log->at.len);
    return &e->log->at.at[e->log->at.len - 1];
}

/* What a rule found at its site. */
static Step *record_site(Engine *e, const Rule *rule, Site *site)
{
    const Changes *changes = &site->changes;
    Step *s = record(e, rule, changes->len, changes->at, text_str(&site->why));
    size_t n = e->log ? site->records.len : 0;
    if (!n)
        return s;
    s->nrecords = (u32)n;
    s->records = arena_alloc(&e->log->arena, n * sizeof *s->records);
    memcpy(s->records, site->records.at, n * sizeof *s->records);
    return s;
}

/* ---- what is settled (settled.c) ---- */

/* What a rule sees of who uses n. */
static const IntList *uses_key(Engine *e, const Node *n)
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
    bool asked, judged; /* it mattered whether its owner's results are judged: they were */
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
    while (b && !(given_same(b->given, given, g->nparams) &&
                  (!b->asked || b->judged == engine_judged(e, (Node *)(uintptr_t)e->inside))))
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
                   .options = e->options,
                   .pass = e->pass,
                   .phase = e->phase,
                   .nroots = nroots,
                   .roots = roots,
                   .log = b->log,
                   .counts = e->counts,
                   .logs = e->logs,
                   .bodies = e->bodies,
                   .facts = e->facts,
                   .settled = e->settled,
                   .refusals = e->refusals,
                   .outer = e,
                   .derived = e->derived || is_derivative(e->inside),
                   .first_node = e->first_node,
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
    b->asked = in.judged.asked;
    b->judged = b->asked && engine_judged(e, (Node *)(uintptr_t)e->inside);
    judged_free(&in.judged);
    e->steps = in.steps;
    e->stop = in.stop;
    e->failed = e->failed || in.failed;
    if (changed) {
        b->after = graph_make(e->st, g->nparams, g->params, g->nouts, outs);
        if (!in.changed && in.stop == STOP_SATURATED && !known_body(e, b->after, given)) {
            Body *done = new_body(e, b->after, given); /* nothing is left to do in it */
            done->asked = b->asked;
            done->judged = b->judged;
        }
    }
    names_close(e->st, &scope, b->after);
    free(outs);
    return b;
}

/* What was fused stays as it is, and nothing runs a derivative's graph, so nothing in it is
 * lowered. Where a derivative counts the last steps of a loop, the loop keeps them. */
static bool is_swept(const Engine *e, const Node *owner)
{
    bool derivative = owner->op == OP_GRAD || owner->op == OP_VJP || owner->op == OP_JVP;
    bool counts = derivative && owner->attrs[2].i >= 0;
    if (counts && !e->sweep && e->phase->shortens)
        return false;
    if (!e->sweep && e->phase->runs && op_table[owner->op].cls == CLASS_IMPLICIT)
        return false;
    return owner->op != OP_FUSED &&
           !(e->sweep && !e->derivatives && op_table[owner->op].cls == CLASS_IMPLICIT);
}

static bool uses_param(const Graph *g, int i)
{
    for (int k = 0; k < g->nouts; k++)
        if (node_reads(g->outs[k], g->param_nodes[i]))
            return true;
    return false;
}

/* An implicit derivative or vmap computes its operands only as far as its graph needs them. Would
 * the body do without one that may fail outside, and lose its error? (A derivative inside it that
 * is expanded does without what only its loss needs, with or without rules.) */
static bool loses_error(Engine *e, const Node *owner, const Graph *before, const Graph *after)
{
    bool asked = op_table[owner->op].cls == CLASS_IMPLICIT && strcmp(e->pass, "differentiate") != 0;
    for (int i = 0; asked && i < before->nparams && i < (int)owner->nops; i++)
        if (!fact_total(e->facts, e->st, owner->ops[i]) && uses_param(before, i) &&
            !uses_param(after, i))
            return true;
    return false;
}

static Node *settle_bodies(Engine *e, Node *m)
{
    int slots[4], n = is_swept(e, m) ? node_graphs(m, slots) : 0;
    for (int i = 0; i < n; i++) {
        Graph *g = m->attrs[slots[i]].graph;
        e->inside = m;
        Body *b = rewrite_body(e, g);
        if (b->after == g || loses_error(e, m, g, b->after))
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
        s->extra |= is_derivative(m) ? HAZARD_DERIVED : 0;
        engine_carry_judged(e, m, r);
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
    return e->log ? node_map_get(&e->log->last, m) : 0;
}

static bool needs_visit(const Engine *e, const NodeFlags *here, Node *n, bool fresh)
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
    if (m)
        engine_carry_judged(e, n, m);
    Node *x = m ? settle(e, m) : NULL;
    if (!x) {
        e->failed = true;
        x = n;
    }
    engine_carry_uses(e, n, x);
    node_carry_span(e->st, n, x);
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
    NodeFlags here = {0};
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
            node_map_put(&here, n, true);
        visit(e, n);
    }
    vec_free(&stack);
    node_map_free(&here);
    e->depth--;
    Node *x = node_map_get(&e->memo, r);
    return x ? x : r;
}

/* Applies what a rule found: the first change is usually m itself, others wait until they are met.
 */
static Node *accept(Engine *e, const Rule *r, Site *site, u32 extra, double seconds)
{
    const Changes *changes = &site->changes;
    Step *s = record_site(e, r, site);
    s->extra |= extra;
    s->seconds = seconds;
    Node *after = NULL;
    for (size_t i = 0; i < changes->len; i++) {
        engine_carry_judged(e, changes->at[i].before, changes->at[i].after);
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
    bool fired = false, held = false;
    u32 extra;
    RuleList rules = {0};
    rule_candidates(e->rs, m, e->mask & ~settled_normal(e->settled, m, uses_key(e, m)), &rules);
    double start_time = rules.len ? now_seconds() : 0; /* rules that did not fire are in it */
    for (size_t i = 0; i < rules.len && engine_within_limits(e); i++) {
        const Rule *r = e->rs->all.at[rules.at[i]];
        if (!rule_allowed(e->options, r) || !engine_try_timed(e, r, &site, &extra))
            continue;
        if (engine_skips(e, r, &site) || !engine_may_take(e, r, &site, extra)) {
            held = true;
            continue;
        }
        double took = now_seconds() - start_time;
        Node *after = accept(e, r, &site, extra, took);
        fired = true;
        if (after) /* else its projections were changed; m itself is on its way out */
            result = settle_deep(e, after, true);
        break;
    }
    if (!fired && !held)
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

/* Construction inside rules may fail: then they do not fire. */
static void open_sweep(Engine *e, DiagTry *trial)
{
    node_map_clear(&e->memo);
    node_map_clear(&e->pending);
    judged_free(&e->judged);
    if (!e->report)
        e->report = e->outer ? e->outer->report : e->st->diags;
    diag_try_begin(trial, &e->st->diags);
    e->changed = false;
    began_sweep(e);
}

static bool close_sweep(Engine *e, DiagTry *trial)
{
    if (!e->changed && e->log)
        e->log->sweeps.len--;
    diag_try_end(trial);
    return e->changed;
}

/* One bottom-up sweep with the rules of the phase; bodies first. */
static bool sweep_rules(Engine *e)
{
    DiagTry trial;
    open_sweep(e, &trial);
    e->mask = rule_groups(e->rs, e->phase->groups);
    engine_count_uses(e);
    bool concerned = engine_concerned(e, e->mask);
    for (int i = 0; i < e->nroots && concerned; i++)
        e->roots[i] = settle_deep(e, e->roots[i], false);
    return close_sweep(e, &trial);
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
    Step *s = record_site(site->engine, rule, site);
    s->nested = site->changes.len > 1;
    s->seconds = now_seconds() - since;
}

void engine_put_one(Engine *e, const Rule *rule, Node *was, Node *now, double since)
{
    record(e, rule, 1, &(Change){was, now}, NULL)->seconds = now_seconds() - since;
}

void engine_put_as(Engine *e, const Rule *rule, const Change *c, u32 extra, const char *why,
                   double since)
{
    Step *s = record(e, rule, 1, c, why);
    s->extra |= extra;
    s->seconds = now_seconds() - since;
}

bool engine_walk(Engine *e, const NodeVec *order, WalkFn f, void *ctx)
{
    DiagTry trial;
    open_sweep(e, &trial);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i], *m = rebuild(e, n);
        if (!m) {
            e->failed = true;
            m = n;
        }
        if (m != n && e->log)
            vec_push(&e->log->moves, ((Move){n, m, (u32)e->log->at.len}));
        engine_carry_judged(e, n, m);
        m = settle_bodies(e, m);
        node_map_put(&e->memo, n, m);
        Node *x = engine_within_limits(e) ? f(e, i, m, ctx) : m;
        engine_carry_judged(e, m, x);
        if (x != m)
            node_map_put(&e->memo, n, x);
    }
    for (int i = 0; i < e->nroots; i++)
        e->roots[i] = engine_became(e, e->roots[i]);
    return close_sweep(e, &trial);
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
    judged_free(&e->judged);
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
    NodeMap memo = {0};
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
        record_site(e, rule, site)->seconds = now_seconds() - since;
    }
    free(roots);
    map_free(&memo);
    return ok && moved;
}
