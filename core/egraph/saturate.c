/* The loop of equality saturation, and what becomes of it: see saturate.h. */
#include "egraph/forms.h"
#include "egraph/picture.h"
#include "egraph/usual.h"
#include "passes/code_rules.h"
#include "surface/surface.h"

#include <math.h>

enum {
    TRIES = 6,          /* forms that are taken out: each one fails by a step that may not be taken,
                           whose term is banned for the next */
    MOST_LINKED = 4000, /* e-nodes: in larger e-graphs it takes longer than it is worth to note of
                           every two congruent terms that they are */
    MOST_STEPS = 400,   /* of a proof whose detours are cut: all states of it are kept for that */
    TERM_BYTES = 60     /* of a term in a message: most of a line */
};

const char *saturate_stop_name(SaturateStop s)
{
    static const char *const names[] = {
        "saturated",        "equal",       "limit of iterations", "limit of nodes",
        "limit of matches", "interrupted", "out of memory",       "contradiction"};
    return names[s];
}

void growth_free(Growth *g) { vec_free(&g->rows); }

static bool roots_equal(Saturator *s, Node *const *roots)
{
    return eg_find(&s->g, eg_add(&s->g, roots[0])) == eg_find(&s->g, eg_add(&s->g, roots[1]));
}

static void note_growth(Saturator *s, u32 matches, double seconds, int n, Node *const *roots)
{
    GrowthRow row = {.nodes = s->g.live,
                     .classes = s->g.nclasses,
                     .matches = matches,
                     .searched = s->finds,
                     .search_seconds = s->search_seconds,
                     .seconds = seconds};
    size_t rows = s->growth.rows.len;
    double known = rows ? s->growth.rows.at[rows - 1].best : s->growth.before;
    if (s->how->report && !s->how->equate) {
        Onward onward;
        onward_open(&onward, &s->g, saturator_is_free(s));
        row.best = fmin(known, eg_estimate(&s->g, &onward, &s->model, n, roots, NULL));
        onward_close(&onward);
    }
    vec_push(&s->growth.rows, row);
}

static void take_picture(Saturator *s, u32 iteration, int n, Node *const *roots, Node *const *out)
{
    if (s->how->pictures && !s->e->outer)
        egraph_picture(s->how->pictures, &s->g, &s->model, saturator_is_free(s), iteration, n,
                       roots, out);
}

static SaturateStop run(Saturator *s, int n, Node *const *roots)
{
    for (int i = 0; i < n; i++)
        eg_add(&s->g, roots[i]);
    if (s->how->pictures && !s->e->outer)
        egraph_pictures_free(s->how->pictures);
    take_picture(s, 0, n, roots, NULL);
    s->growth.before = roots_cost(s->e->st, &s->model, n, roots);
    for (u32 round = 0; round < s->how->iterations; round++) {
        u32 before = s->g.live, classes = s->g.nclasses, matches;
        bool resting;
        if (s->equate && roots_equal(s, roots))
            return SATURATE_EQUAL;
        s->finds = 0;
        double start = processor_seconds();
        saturator_iterate(s, round, &matches);
        if (!s->equate || !roots_equal(s, roots)) /* a rule with a name of its own says more */
            saturator_unite_forms(s, n, roots, round > 0);
        s->growth.searched += s->finds;
        note_growth(s, matches, processor_seconds() - start, n, roots);
        take_picture(s, round + 1, n, roots, NULL);
        if (s->g.contradiction)
            return SATURATE_CONTRADICTION;
        if (s->equate && roots_equal(s, roots))
            return SATURATE_EQUAL;
        if (store_stops(s->e->st))
            return memory_short() ? SATURATE_MEMORY : SATURATE_INTERRUPT;
        if (s->full)
            return SATURATE_SIZE_LIMIT;
        if (s->g.live != before || s->g.nclasses != classes)
            continue;
        if (!round) { /* before that, rules with names of their own may find more */
            saturator_unite_forms(s, n, roots, true);
            if (s->equate && roots_equal(s, roots))
                return SATURATE_EQUAL;
        }
        if (s->g.live == before && s->g.nclasses == classes &&
            !saturator_wake(s, round + 1, &resting))
            return resting ? SATURATE_MATCHES : SATURATE_DONE;
    }
    return SATURATE_ROUNDS;
}

/* ---- the proof as steps ---- */

/* Congruence knows no order of operands, so no rule is searched for that changes it: a proof has
 * such a step where it needs one. */
static bool reorder(Site *site)
{
    return site_refuse(site, NULL, "it is available only in equality saturation");
}

/* points.c puts it. */
static bool known_value(Site *site)
{
    return site_refuse(site, NULL, "it is available only in equality saturation");
}

/* forms.c puts it. */
static bool known_form(Site *site)
{
    return site_refuse(site, NULL, "it is available only in equality saturation");
}

const CodeRule equality_rules[] = {
    {"reorder", "saturate", HAZARD_R | HAZARD_O, OP_ADD, reorder,
     "the same operands in a different order", NULL},
    {"known-value", "saturate", HAZARD_D, OP_PARAM, known_value, "its range is a single number",
     NULL},
    {"same-sum-of-products", "saturate", HAZARD_R | HAZARD_O, OP_PARAM, known_form,
     "the same sum of products in index form", NULL},
    {"same-elements", "saturate", HAZARD_E, OP_PARAM, known_form,
     "the same elements read differently, or the same sum of products of integers", NULL},
    {0}};

bool rule_is_of_proofs(const Rule *k)
{
    static const CodeRule *const tables[] = {equality_rules, textbook_rules};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const CodeRule *r = tables[i]; r->name && !found; r++)
            found = !strcmp(r->name, k->name);
    return found;
}

/* The rule that leads from the right side of this one to its left, if it is there by that name:
 * `x-back` leads back where `x` comes from. */
static const Rule *rule_back(const Engine *e, const Rule *r)
{
    static const char ending[] = "-back";
    size_t n = strlen(r->name), k = sizeof ending - 1;
    if (r->back || n <= k || strcmp(r->name + n - k, ending) != 0)
        return r->back;
    Text name = {0};
    text_printf(&name, "%.*s", (int)(n - k), r->name);
    const Rule *b = rule_by_name(e->rs, text_str(&name));
    text_free(&name);
    return b && b->classes == r->classes ? b : NULL;
}

const Rule *saturator_rule_of(const Saturator *s, const ProofStep *p)
{
    const Engine *e = s->e;
    const Rule *r = p->why.rule;
    if (!r)
        return rule_by_name(e->rs, "reorder");
    if (!p->back || p->why.both || !e->log)
        return r;
    const Rule *known = rule_back(e, r);
    if (known)
        return known;
    Text name = {0};
    Rule *b = arena_alloc(&e->log->arena, sizeof *b);
    text_printf(&name, "%s-back", r->name);
    *b = (Rule){.name = arena_strndup(&e->log->arena, text_str(&name), name.len),
                .pass = r->pass,
                .classes = r->classes,
                .reason = r->reason,
                .root = OP_COUNT,
                .backwards = true,
                .source = "a rule read from right to left"};
    text_free(&name);
    return b;
}

static bool write_step(Saturator *s, const ProofStep *p)
{
    Site site;
    u32 extra;
    Engine *e = s->e;
    site_open(&site, e, p->before);
    site_put(&site, p->before, p->after);
    if (p->why.why)
        text_put(&site.why, p->why.why);
    else if (p->why.match)
        saturator_right_side(s, p->why.match, &site.why, &extra, NULL);
    bool done = engine_apply(&site, saturator_rule_of(s, p), now_seconds());
    if (done && e->log)
        e->log->at.at[e->log->at.len - 1].extra |= p->why.extra;
    site_close(&site);
    return done;
}

void saturator_cut_detours(Saturator *s, Proof *p, int n, Node *const *roots)
{
    if (p->len > MOST_STEPS)
        return;
    size_t width = (size_t)n;
    Node **states = xmalloc((p->len + 1) * (width + 1) * sizeof *states);
    memcpy(states, roots, width * sizeof *states);
    bool ok = true; /* no memory: as it is */
    for (size_t k = 0; ok && k < p->len; k++) {
        NodeMap memo = {0};
        map_put(&memo, p->at[k].before, p->at[k].after);
        for (size_t i = 0; ok && i < width; i++)
            ok = (states[(k + 1) * width + i] =
                      node_substitute(s->e->st, states[k * width + i], &memo)) != NULL;
        map_free(&memo);
    }
    size_t len = 0, at = 0;
    while (ok && at < p->len) {
        size_t next = at + 1;
        for (size_t k = p->len; k > at; k--)
            if (!memcmp(&states[at * width], &states[k * width], width * sizeof *states)) {
                next = k;
                break;
            }
        if (memcmp(&states[at * width], &states[next * width], width * sizeof *states) != 0)
            p->at[len++] = p->at[at];
        at = next;
    }
    p->len = ok ? len : p->len;
    free(states);
}

bool saturator_is_free(const Saturator *s) { return s->options->allowed & HAZARD_NMINUS; }

void saturator_open_onward(Saturator *s, Onward *o)
{
    if (s->g.live < MOST_LINKED && !s->linked) {
        eg_link_congruent(&s->g);
        s->linked = true;
    }
    onward_open(o, &s->g, saturator_is_free(s));
}

size_t saturator_one_way_step(const Saturator *s, const Proof *p)
{
    if (saturator_is_free(s))
        return p->len;
    for (size_t i = 0; i < p->len; i++) {
        const Equality *e = &p->at[i].why;
        if (equality_is_one_way(e) && p->at[i].back != e->rule->backwards)
            return i;
    }
    return p->len;
}

/* What was chosen where the proof has a step that may not be taken is not chosen again: there is a
 * way without one, but the proof was not found that goes there. */
static void ban(Saturator *s, const Extracted *x, const ProofStep *bad, Banned *banned)
{
    TermId t = eg_add(&s->g, bad->after), chosen = map_get(&x->chosen, eg_find(&s->g, t) + 1);
    t = chosen ? chosen - 1 : eg_living(&s->g, t);
    while (banned->len <= t)
        vec_push(banned, (u8)0);
    banned->at[t] = 1;
}

/* Takes out the best form that can be reached; `to` has it, and *proof the way. */
static bool best_form(Saturator *s, int n, Node *const *roots, Node **to, Proof *proof)
{
    Banned banned = {0};
    Onward onward;
    bool found = false, ok = true;
    saturator_open_onward(s, &onward);
    for (int attempt = 0; attempt < TRIES && ok && !found; attempt++) {
        Extracted x;
        ok = eg_extract(&s->g, &onward, &s->model, &banned, n, roots, to, &x);
        s->growth.exact = x.exact && !attempt;
        s->growth.after = ok ? roots_cost(s->e->st, &s->model, n, to) : 0;
        proof->len = 0;
        ok = ok && s->growth.after < s->growth.before * COST_CHEAPER &&
             eg_prove(&s->g, n, roots, to, true, proof);
        if (ok) {
            saturator_cut_detours(s, proof, n, roots);
            size_t bad = saturator_one_way_step(s, proof);
            found = bad == proof->len;
            if (!found)
                ban(s, &x, &proof->at[bad], &banned);
        }
        map_free(&x.chosen);
    }
    onward_close(&onward);
    vec_free(&banned);
    if (found)
        saturator_shorten(s, n, roots, to, true, proof);
    else {
        proof->len = 0;
        s->growth.after = s->growth.before;
    }
    return found;
}

/* ---- a contradiction ---- */

static void put_chain(Saturator *s, Text *out, TermId from, TermId to)
{
    Proof proof = {0};
    Node *a = eg_node(&s->g, from), *b = eg_node(&s->g, to);
    text_putc(out, '`');
    node_source_limited(s->e->st, out, a, true, TERM_BYTES);
    text_put(out, "` is ");
    node_source_limited(s->e->st, out, b, true, TERM_BYTES);
    text_put(out, " by ");
    if (!eg_prove(&s->g, 1, &a, &b, false, &proof) || !proof.len)
        text_put(out, "no step");
    for (size_t i = 0; i < proof.len; i++)
        text_printf(out, "%s%s", i ? ", " : "", saturator_rule_of(s, &proof.at[i])->name);
    vec_free(&proof);
}

/* Two terms are shown to be one another, and what each of them is. */
static void tell_ranges(Saturator *s, Text *out)
{
    put_chain(s, out, s->g.clash[0], s->g.clash[1]);
    for (int k = 0; k < 2; k++) {
        Node *n = eg_node(&s->g, s->g.clash[k]);
        Fact is = fact_by_operator(&s->g.facts, n);
        text_put(out, k ? ", `" : "; `");
        node_source_limited(s->e->st, out, n, true, TERM_BYTES);
        text_put(out, "` is ");
        fact_put_range(out, &is);
    }
}

/* The oldest term of the class that is no constant is shown to be the one and the other. */
static void tell_constants(Saturator *s, Text *out)
{
    TermId of = NO_TERM;
    for (TermId i = 0; i < s->g.terms.len && of == NO_TERM; i++)
        if (eg_find(&s->g, i) == eg_find(&s->g, s->g.clash[0]) && !node_is_const(eg_node(&s->g, i)))
            of = i;
    of = of == NO_TERM ? s->g.clash[0] : of;
    put_chain(s, out, of, s->g.clash[0]);
    text_put(out, ", and ");
    put_chain(s, out, of, s->g.clash[1]);
}

static void tell_contradiction(Saturator *s)
{
    Text t = {0};
    if (s->g.clash_of_ranges)
        tell_ranges(s, &t);
    else
        tell_constants(s, &t);
    Diags *to = s->e->report;
    if (to)
        diag_add(to, "contradiction", s->e->st->span, "one of these rules is unsound", "%s",
                 text_str(&t));
    s->e->failed = true;
    text_free(&t);
}

/* ---- the pass ---- */

/* In the graph that is to run; where two sides are compared nothing runs. */
static bool decides_something(Engine *e)
{
    Judged j = {0};
    bool all = e->outer && e->owner && engine_judged(e->outer, (Node *)(uintptr_t)e->owner);
    judged_find(&j, e->nroots, e->roots, e->owner, e->body, all);
    bool some = node_map_len(&j.has) > 0;
    judged_free(&j);
    return some;
}

void saturator_open(Saturator *s, Engine *e)
{
    *s = (Saturator){.e = e, .rs = e->rs, .options = e->options, .how = &e->options->saturating};
    s->model = cost_model(s->how);
    s->model.place = cost_place(&s->arena, e);
    eg_init(&s->g, e->st);
    s->g.leaves = e->facts;
    s->g.facts.within = e->facts->within;
    s->careful = !s->how->equate && decides_something(e);
    saturator_choose_rules(s);
}

void saturator_close(Saturator *s)
{
    saturator_forms_close(s);
    eg_free(&s->g);
    vec_free(&s->rules);
    vec_free(&s->found);
    vec_free(&s->later);
    for (int op = 0; op < OP_COUNT; op++)
        vec_free(&s->fresh[op]);
    free(s->applied);
    free(s->at_terms);
    arena_free(&s->arena);
    for (size_t i = 0; i < s->others.len; i++)
        arena_free(&s->others.at[i]);
    vec_free(&s->others);
}

void growth_put_form_limit(Text *out, const Growth *g)
{
    if (g->form_limit.what)
        text_printf(out, "; the sum-of-products form stops at %u %s", g->form_limit.most,
                    g->form_limit.what);
}

static void tell(Saturator *s)
{
    Engine *e = s->e;
    Text t = {0};
    text_printf(&t, "%zu iteration%s, %u e-nodes in %u classes, %s", s->growth.rows.len,
                s->growth.rows.len == 1 ? "" : "s", s->g.live, s->g.nclasses,
                saturate_stop_name(s->growth.stop));
    growth_put_form_limit(&t, &s->growth);
    free(e->told);
    e->told = text_take(&t);
}

/* The list of the best forms, and that of them which is to be chosen. */
static bool take_several(Saturator *s, Node *const *roots, bool found, Node **to, Proof *proof)
{
    int n = s->e->nroots;
    if (!found)
        memcpy(to, roots, (size_t)n * sizeof *to);
    return saturator_several(s, n, roots, to, proof);
}

static Node *as_it_is(Engine *e, size_t place, Node *now, void *ctx)
{
    (void)e, (void)place, (void)ctx;
    return now;
}

static bool sweep(Engine *e)
{
    NodeVec order = {0};
    Proof proof = {0};
    Saturator s;
    nodes_topo(e->nroots, e->roots, &order);
    bool changed = engine_walk(e, &order, as_it_is, NULL); /* bodies */
    vec_free(&order);
    DiagTry trial;
    diag_try_begin(&trial, &e->st->diags);
    Node **to = xmalloc(((size_t)e->nroots + 1) * sizeof *to),
         **roots = xmalloc(((size_t)e->nroots + 1) * sizeof *roots);
    memcpy(roots, e->roots, (size_t)e->nroots * sizeof *roots);
    engine_count_uses(e);
    saturator_open(&s, e);
    bool found = false;
    s.equate = s.how->equate && !e->outer && e->nroots == 2;
    s.growth.stop = run(&s, e->nroots, roots);
    s.growth.form_limit = saturator_form_limit(&s);
    if (s.growth.stop == SATURATE_CONTRADICTION)
        tell_contradiction(&s);
    else if (s.equate && s.growth.stop == SATURATE_EQUAL) {
        found = saturator_prove_equal(&s, roots, &proof);
        s.growth.proved = found;
    } else if (!s.equate)
        found = best_form(&s, e->nroots, roots, to, &proof);
    if (s.how->several && !e->outer && s.growth.stop != SATURATE_CONTRADICTION)
        found = take_several(&s, roots, found, to, &proof);
    if (!s.equate)
        take_picture(&s, (u32)s.growth.rows.len, e->nroots, roots, found ? to : roots);
    for (size_t i = 0; i < proof.len && found; i++)
        changed = write_step(&s, &proof.at[i]) || changed;
    if (!e->outer) {
        tell(&s);
        e->stop = e->stop != STOP_SATURATED              ? e->stop
                  : s.growth.stop == SATURATE_ROUNDS     ? STOP_ROUNDS
                  : s.growth.stop == SATURATE_SIZE_LIMIT ? STOP_NODES
                                                         : e->stop;
    }
    if (!e->outer && s.how->report) {
        growth_free(s.how->report);
        *s.how->report = s.growth;
    } else
        growth_free(&s.growth);
    diag_try_end(&trial);
    saturator_close(&s);
    vec_free(&proof);
    free(to);
    free(roots);
    return changed;
}

/* Where the pass was, to come back to. */
typedef struct {
    LogMark mark;
    Node **roots;
    u32 steps;
    double cost;
} Before;

/* Of the best form that was found, whichever was chosen. */
static double cost_now(Engine *e)
{
    const Saturating *how = &e->options->saturating;
    if (how->several && how->several->at.len)
        return how->several->at.at[0].cost;
    CostModel m = cost_model(how);
    return roots_cost(e->st, &m, e->nroots, e->roots);
}

static Before before_now(Engine *e)
{
    Before b = {.steps = e->steps, .cost = cost_now(e)};
    b.mark = e->log ? steplog_mark(e->log) : (LogMark){0};
    b.roots = xmalloc(((size_t)e->nroots + 1) * sizeof *b.roots);
    memcpy(b.roots, e->roots, (size_t)e->nroots * sizeof *b.roots);
    return b;
}

static void go_back(Engine *e, const Before *b)
{
    memcpy(e->roots, b->roots, (size_t)e->nroots * sizeof *b->roots);
    if (e->log)
        steplog_cut(e->log, b->mark);
    e->steps = b->steps;
    map_clear(e->bodies);
    if (e->options->saturating.several)
        several_clear(e->options->saturating.several);
}

/* A body knows less than its owner about what it costs: what it took for cheaper may not be. */
static void sweep_to_less(Engine *e)
{
    Before b = before_now(e);
    e->tells = true;
    engine_sweep_with(e, sweep, 1, false);
    e->tells = false;
    if (!e->options->saturating.equate && cost_now(e) > b.cost * COST_DEARER)
        go_back(e, &b);
    free(b.roots);
}

/* From what the passes give, where that is cheaper than what was found: the result then is this, or
 * better. */
static void go_on_from_passes(Engine *e, const Before *start)
{
    CostModel m = cost_model(&e->options->saturating);
    if (!usual_is_cheaper(e, &m, start->roots, cost_now(e)))
        return;
    go_back(e, start);
    e->stop = STOP_SATURATED;
    usual_apply(e);
    sweep_to_less(e);
    Text t = {0};
    text_printf(&t, "from the result of the passes: %s", e->told ? e->told : "");
    free(e->told);
    e->told = text_take(&t);
}

bool pass_equalities(Engine *e, const Phase *phases)
{
    (void)phases;
    const Saturating *how = &e->options->saturating;
    if (how->several)
        several_clear(how->several);
    Before start = before_now(e);
    e->report = e->st->diags;
    for (u32 i = 0; i < how->ngiven; i++)
        fact_assume(e->facts, how->given[i].leaf, how->given[i].fact, "it is assumed");
    sweep_to_less(e);
    if (!how->equate && !how->rules && !e->failed && !store_stops(e->st))
        go_on_from_passes(e, &start);
    if (how->report && !how->equate) {
        how->report->before = start.cost;
        how->report->after = cost_now(e);
    }
    bool changed = memcmp(start.roots, e->roots, (size_t)e->nroots * sizeof *start.roots) != 0;
    free(start.roots);
    return changed;
}
