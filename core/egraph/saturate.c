/* The loop of equality saturation: see saturate.h. */
#include "egraph/saturate.h"

#include "graph/print.h"
#include "rewrite/match.h"

enum { MATCH_LIMIT = 1000, WORK_LIMIT = 100000, BAN_ROUNDS = 5, TRIES = 6, LEVELS = 3 };

/* A rule that finds too much rests for a while, each time longer (the back-off scheduler of egg).
 */
typedef struct {
    const Rule *rule;
    u32 banned, until; /* how often; the iteration in which it takes part again */
    u32 height;
    u32 since;   /* when it was last searched everywhere */
    size_t seen; /* terms that there were then */
} Searched;

typedef struct {
    EGraph g;
    Engine *e;
    RuleSet *rs;
    const Saturating *how;
    CostModel model;
    VEC(Searched) rules; /* those that are searched */
    u32 groups;          /* those whose rules in C are tried at each new term */
    u64 *applied;        /* matches that were applied, by hash; open addressing */
    size_t napplied, capplied;
    VEC(EMatch) found; /* of one rule */
    u32 most, *changed[LEVELS]; /* by class: when it, or what is so far below it, last changed */
    u64 finds;
    size_t tried; /* terms at which rules in C were tried */
    Arena arena;  /* of matches */
    Growth growth;
    bool equate; /* stops when the two roots are equal */
    bool full;   /* the limit of nodes is met */
} Saturator;

const char *saturate_stop_name(SaturateStop s)
{
    static const char *const names[] = {
        "saturated",   "equal",         "limit of iterations", "limit of nodes",
        "interrupted", "out of memory", "contradiction"};
    return names[s];
}

void growth_free(Growth *g) { vec_free(&g->rows); }

/* ---- which rules take part ---- */

static bool listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *s = list; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL)
        if (!strncmp(s, name, n) && (s[n] == ',' || !s[n]))
            return true;
    return false;
}

static const char *const taking_part[] = {"canonicalize", "stabilize", "expand", "specialize",
                                          "loops",        "saturate"};

static bool takes_part(const Saturator *s, const Rule *r)
{
    bool group = false;
    for (size_t i = 0; i < COUNT_OF(taking_part); i++)
        group = group || !strcmp(r->pass, taking_part[i]);
    const char *list = s->how->rules;
    return group && rule_allowed(s->rs, r) &&
           (!list || listed(list, r->name) || listed(list, r->pass));
}

static void choose_rules(Saturator *s)
{
    for (size_t i = 0; i < s->rs->all.len; i++) {
        const Rule *r = s->rs->all.at[i];
        if (takes_part(s, r) && ematch_can(r))
            vec_push(&s->rules, ((Searched){.rule = r, .height = ematch_height(r)}));
    }
    for (size_t i = 0; i < COUNT_OF(taking_part); i++)
        s->groups |= rule_groups(s->rs, taking_part[i]);
}

/* ---- what was applied ---- */

/* Notes it; false if it was. */
static bool note_applied(Saturator *s, u64 key)
{
    key |= !key;
    if (2 * (s->napplied + 1) > s->capplied) {
        size_t cap = s->capplied ? 2 * s->capplied : 4096;
        u64 *at = xcalloc(cap, sizeof *at);
        for (size_t i = 0; i < s->capplied; i++)
            if (s->applied[i]) {
                size_t k = s->applied[i] & (cap - 1);
                while (at[k])
                    k = (k + 1) & (cap - 1);
                at[k] = s->applied[i];
            }
        free(s->applied);
        s->applied = at;
        s->capplied = cap;
    }
    size_t k = key & (s->capplied - 1);
    for (; s->applied[k]; k = (k + 1) & (s->capplied - 1))
        if (s->applied[k] == key)
            return false;
    s->applied[k] = key;
    s->napplied++;
    return true;
}

static bool was_applied(const Saturator *s, u64 key)
{
    key |= !key;
    for (size_t k = key & (s->capplied - 1); s->capplied && s->applied[k];
         k = (k + 1) & (s->capplied - 1))
        if (s->applied[k] == key)
            return true;
    return false;
}

static u64 match_key(const EMatch *m)
{
    u64 h = hash_mix((u64)m->left->id, m->taken);
    h = hash_mix(h, (u64)(uintptr_t)m->rule);
    for (int i = 0; i < m->rule->vars->n; i++) {
        const RuleValue *v = &m->vars[i];
        if (!(m->bound >> i & 1))
            continue;
        h = hash_mix(h, v->kind == 'n' ? v->node->id : v->kind == 'r' ? v->count : v->attr.bits);
        for (u32 k = 0; v->kind == 'r' && k < v->count; k++)
            h = hash_mix(h, v->nodes[k]->id);
    }
    return h;
}

/* ---- searching ---- */

static bool keep_match(void *ctx, const EMatch *m)
{
    Saturator *s = ctx;
    s->finds++;
    if (was_applied(s, match_key(m)))
        return true;
    EMatch own = *m;
    size_t n = (size_t)m->rule->vars->n;
    own.vars = arena_alloc(&s->arena, (n + 1) * sizeof *own.vars);
    memcpy(own.vars, m->vars, n * sizeof *own.vars);
    for (size_t i = 0; i < n; i++)
        if (m->bound >> i & 1 && own.vars[i].kind == 'r') {
            Node **rest = arena_alloc(&s->arena, (own.vars[i].count + 1) * sizeof *rest);
            memcpy(rest, m->vars[i].nodes, own.vars[i].count * sizeof *rest);
            own.vars[i].nodes = rest;
        }
    vec_push(&s->found, own);
    return s->found.len <= s->most;
}

static bool stopped(const Saturator *s)
{
    return (s->rs->interrupt && *s->rs->interrupt) || memory_short();
}

/* What a rule sees below an e-node changes only where a class does, at most so far below. */
static void note_changes(Saturator *s)
{
    EGraph *g = &s->g;
    size_t n = g->terms.len;
    for (int level = 0; level < LEVELS; level++)
        s->changed[level] = xrealloc(s->changed[level], (n + 1) * sizeof *s->changed[level]);
    for (TermId i = 0; i < n; i++)
        s->changed[0][i] = g->classes.at[i] ? g->classes.at[i]->changed : 0;
    for (int level = 1; level < LEVELS; level++) {
        const u32 *below = s->changed[level - 1];
        memcpy(s->changed[level], below, n * sizeof *below);
        for (TermId i = 0; i < n; i++) {
            if (eg_term(g, i)->dup)
                continue;
            u32 *at = &s->changed[level][eg_find(g, i)];
            for (u32 k = 0; k < eg_node(g, i)->nops; k++) {
                u32 t = below[eg_find(g, eg_term(g, i)->kids[k])];
                *at = t > *at ? t : *at;
            }
        }
    }
}

static bool worth_searching(Saturator *s, const Searched *r, TermId t)
{
    const u32 *changed = s->changed[r->height <= LEVELS ? r->height - 1 : LEVELS - 1];
    bool fresh = t >= r->seen || r->height > LEVELS;
    for (u32 k = 0; k < eg_node(&s->g, t)->nops && !fresh; k++)
        fresh = changed[eg_find(&s->g, eg_term(&s->g, t)->kids[k])] >= r->since;
    return fresh;
}

/* What the rule finds and did not find before, in s->found; nothing if that is too much. One that
 * takes long rests, too. */
static void search_rule(Saturator *s, Searched *r, u32 round)
{
    const TermList *at = &s->g.by_op[r->rule->pattern->op];
    u32 more = r->banned < 10 ? r->banned : 10;
    u64 work = 0, limit = (u64)WORK_LIMIT << more;
    size_t i = 0;
    s->found.len = 0;
    s->most = MATCH_LIMIT << more;
    for (; i < at->len && s->found.len <= s->most && work <= limit && !stopped(s); i++)
        if (worth_searching(s, r, at->at[i]))
            work += ematch_at(&s->g, r->rule, at->at[i], keep_match, s);
    bool all = i == at->len && s->found.len <= s->most;
    s->found.len = s->found.len <= s->most ? s->found.len : 0;
    if (all) {
        r->since = s->g.time;
        r->seen = s->g.terms.len;
    } else {
        r->until = round + (BAN_ROUNDS << r->banned);
        r->banned++;
    }
}

/* ---- applying ---- */

static bool has_room(Saturator *s)
{
    s->full = s->full || s->g.live >= s->how->nodes;
    return !s->full;
}

static Node *right_side(Saturator *s, const EMatch *m, Text *why, u32 *extra)
{
    Bindings b = {.bound = m->bound};
    memcpy(b.at, m->vars, (size_t)m->rule->vars->n * sizeof *b.at);
    *extra = 0;
    Node *r = rule_build_text(s->e->st, m->rule, s->e->facts, m->left, &b, m->taken, why, extra);
    return r && r->type == m->left->type ? r : NULL;
}

static void apply_match(Saturator *s, const EMatch *m)
{
    u32 extra;
    if (!has_room(s) || !note_applied(s, match_key(m)))
        return;
    Node *after = right_side(s, m, NULL, &extra);
    if (!after || after == m->left)
        return;
    EMatch *own = arena_alloc(&s->arena, sizeof *own);
    *own = *m;
    Equality why = {.a = eg_add(&s->g, m->left),
                    .b = eg_add(&s->g, after),
                    .rule = m->rule,
                    .match = own,
                    .extra = extra};
    ((Rule *)(uintptr_t)m->rule)->fired += eg_union(&s->g, &why);
}

/* What a rule that is not searched for put at a term. */
static void apply_changes(Saturator *s, const Rule *r, const Site *site, u32 extra)
{
    for (size_t i = 0; i < site->changes.len && has_room(s); i++) {
        const Change *c = &site->changes.at[i];
        if (!c->after || c->after == c->before || c->after->type != c->before->type)
            continue;
        Equality why = {.a = eg_add(&s->g, c->before),
                        .b = eg_add(&s->g, c->after),
                        .rule = r,
                        .extra = extra};
        if (site->why.len)
            why.why = arena_strndup(&s->arena, site->why.at, site->why.len);
        eg_union(&s->g, &why);
    }
}

/* Rules in C, and those that look into graphs, at one term. */
static void try_at(Saturator *s, Node *n, RuleList *list)
{
    Site site;
    u32 extra;
    site_open(&site, s->e, n);
    rule_candidates(s->rs, n, s->groups, list);
    for (size_t i = 0; i < list->len && has_room(s); i++) {
        const Rule *r = s->rs->all.at[list->at[i]];
        if (takes_part(s, r) && !ematch_can(r) && !rule_is_global(r) &&
            engine_try(r, &site, &extra))
            apply_changes(s, r, &site, extra);
    }
    site_close(&site);
}

/* A term as its class knows it now: constants where there are some, and sums and products in place
 * of what they are equal to, so that rules in C see them. */
static Node *term_of_now(Saturator *s, TermId t)
{
    EGraph *g = &s->g;
    Node *n = eg_node(g, t), *small[16];
    if (n->nops > COUNT_OF(small) || !n->nops)
        return n;
    bool same = true;
    for (u32 i = 0; i < n->nops; i++) {
        const EClass *c = eg_class(g, eg_term(g, t)->kids[i]);
        small[i] = c->constant ? c->constant : n->ops[i];
        bool nested = op_table[n->op].flags & NARY && class_has(c, n->op);
        for (size_t k = 0; nested && k < c->terms.len; k++)
            if (eg_node(g, c->terms.at[k])->op == n->op) {
                small[i] = eg_node(g, c->terms.at[k]);
                break;
            }
        same = same && small[i] == n->ops[i];
    }
    return same ? n : node_with_operands(s->e->st, n, small);
}

static void try_new_terms(Saturator *s)
{
    RuleList list = {0};
    PtrMap seen = {0};
    size_t end = s->g.terms.len;
    for (size_t t = 0; t < end && has_room(s) && !stopped(s); t++) {
        if (eg_term(&s->g, (TermId)t)->dup)
            continue;
        Node *n = term_of_now(s, (TermId)t);
        if (!n || map_has(&seen, n) || (t < s->tried && n == eg_node(&s->g, (TermId)t)))
            continue;
        map_put(&seen, n, n);
        if (n != eg_node(&s->g, (TermId)t)) {
            if (map_has(&s->g.of, n))
                continue;
            eg_add(&s->g, n);
        }
        try_at(s, n, &list);
    }
    s->tried = end;
    map_free(&seen);
    vec_free(&list);
}

static void iterate(Saturator *s, u32 round, u32 *matches)
{
    VEC(EMatch) all = {0};
    s->g.time++;
    note_changes(s);
    for (size_t i = 0; i < s->rules.len && !stopped(s); i++) {
        if (s->rules.at[i].until > round)
            continue;
        search_rule(s, &s->rules.at[i], round);
        for (size_t k = 0; k < s->found.len; k++)
            vec_push(&all, s->found.at[k]);
    }
    *matches = (u32)all.len;
    for (size_t i = 0; i < all.len && has_room(s) && !stopped(s); i++)
        apply_match(s, &all.at[i]);
    vec_free(&all);
    eg_rebuild(&s->g);
    try_new_terms(s);
    eg_rebuild(&s->g);
}

/* Nothing is new: rules that rest need not any longer. Is there one? */
static bool wake(Saturator *s, u32 round)
{
    bool some = false;
    for (size_t i = 0; i < s->rules.len; i++) {
        some = some || s->rules.at[i].until > round;
        s->rules.at[i].until = 0;
    }
    return some;
}

static bool roots_equal(Saturator *s, Node *const *roots)
{
    return eg_find(&s->g, eg_add(&s->g, roots[0])) == eg_find(&s->g, eg_add(&s->g, roots[1]));
}

static void note_growth(Saturator *s, u32 matches, int n, Node *const *roots)
{
    GrowthRow row = {s->g.live, s->g.nclasses, matches, 0};
    if (s->how->report && !s->how->equate)
        row.best = eg_estimate(&s->g, &s->model, n, roots);
    vec_push(&s->growth.rows, row);
}

static SaturateStop run(Saturator *s, int n, Node *const *roots)
{
    for (int i = 0; i < n; i++)
        eg_add(&s->g, roots[i]);
    for (u32 round = 0; round < s->how->iterations; round++) {
        u32 before = s->g.live, classes = s->g.nclasses, matches;
        if (s->equate && roots_equal(s, roots))
            return SATURATE_EQUAL;
        s->finds = 0;
        iterate(s, round, &matches);
        s->growth.searched += s->finds;
        note_growth(s, matches, n, roots);
        if (s->g.contradiction)
            return SATURATE_CONTRADICTION;
        if (s->equate && roots_equal(s, roots))
            return SATURATE_EQUAL;
        if (stopped(s))
            return memory_short() ? SATURATE_MEMORY : SATURATE_INTERRUPT;
        if (s->full)
            return SATURATE_SIZE_LIMIT;
        if (s->g.live == before && s->g.nclasses == classes && !wake(s, round + 1))
            return SATURATE_DONE;
    }
    return SATURATE_ROUNDS;
}

/* ---- the proof as steps ---- */

/* Congruence knows no order of operands, so no rule is searched for that changes it: a proof has
 * such a step where it needs one. */
static bool reorder(Site *site)
{
    return site_refuse(site, NULL, "only proofs of equality saturation have it");
}

const CodeRule equality_rules[] = {
    {"reorder", "saturate", HAZARD_R, OP_ADD, reorder, "the same operands in another order", NULL},
    {0}};

/* The rule of a step; read from right to left it is another rule. */
static const Rule *rule_of(const Engine *e, const ProofStep *p)
{
    const Rule *r = p->why.rule;
    if (!r)
        return rule_by_name(e->rs, "reorder");
    if (!p->back || !e->log)
        return r;
    if (r->back)
        return r->back;
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
    if (p->why.match)
        right_side(s, p->why.match, &site.why, &extra);
    else if (p->why.why)
        text_put(&site.why, p->why.why);
    bool done = engine_apply(&site, rule_of(e, p), now_seconds());
    if (done && e->log)
        e->log->at.at[e->log->at.len - 1].extra |= p->why.extra;
    site_close(&site);
    return done;
}

/* States of a proof that come again: what lies between is no part of it. */
static void cut_detours(Saturator *s, Proof *p, int n, Node *const *roots)
{
    enum { MOST = 400 };
    if (p->len > MOST)
        return;
    size_t width = (size_t)n;
    Node **states = xmalloc((p->len + 1) * (width + 1) * sizeof *states);
    memcpy(states, roots, width * sizeof *states);
    for (size_t k = 0; k < p->len; k++) {
        PtrMap memo = {0};
        map_put(&memo, p->at[k].before, p->at[k].after);
        for (size_t i = 0; i < width; i++)
            states[(k + 1) * width + i] =
                node_substitute(s->e->st, states[k * width + i], &memo);
        map_free(&memo);
    }
    size_t len = 0, at = 0;
    while (at < p->len) {
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
    p->len = len;
    free(states);
}

/* A step from right to left that could turn a number into nan, or a value into an error: not in a
 * program that is to run. Its place; or the number of steps. */
static size_t one_way_step(const Saturator *s, const Proof *p)
{
    if (s->rs->allowed & HAZARD_NMINUS)
        return p->len;
    for (size_t i = 0; i < p->len; i++) {
        const Rule *r = p->at[i].why.rule;
        if (r && rule_is_one_way(r) && p->at[i].back != r->backwards)
            return i;
    }
    return p->len;
}

/* Takes out the best form that can be reached; `to` has it, and *proof the way. */
static bool best_form(Saturator *s, int n, Node *const *roots, Node **to, Proof *proof)
{
    PtrMap banned = {0};
    bool found = false;
    s->growth.before = roots_cost(s->e->st, &s->model, n, roots);
    for (int attempt = 0; attempt < TRIES && !found; attempt++) {
        Extracted x;
        bool ok = eg_extract(&s->g, &s->model, &banned, n, roots, to, &x);
        map_free(&x.chosen);
        s->growth.exact = x.exact && !attempt;
        s->growth.after = ok ? roots_cost(s->e->st, &s->model, n, to) : 0;
        if (!ok || s->growth.after >= s->growth.before * (1 - 1e-9))
            break;
        proof->len = 0;
        if (!eg_prove(&s->g, n, roots, to, true, proof))
            break;
        cut_detours(s, proof, n, roots);
        size_t bad = one_way_step(s, proof);
        found = bad == proof->len;
        if (!found) {
            TermId t = eg_add(&s->g, proof->at[bad].after);
            eg_rebuild(&s->g);
            map_put(&banned, (void *)((uintptr_t)t + 1), s);
        }
    }
    map_free(&banned);
    if (!found) {
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
    node_source_limited(s->e->st, out, a, true, 60);
    text_put(out, "` is ");
    node_source_limited(s->e->st, out, b, true, 60);
    text_put(out, " by ");
    if (!eg_prove(&s->g, 1, &a, &b, false, &proof) || !proof.len)
        text_put(out, "no step");
    for (size_t i = 0; i < proof.len; i++)
        text_printf(out, "%s%s", i ? ", " : "", rule_of(s->e, &proof.at[i])->name);
    vec_free(&proof);
}

/* The oldest term of the class that is no constant is shown to be the one and the other. */
static void tell_contradiction(Saturator *s)
{
    TermId of = NO_TERM;
    Text t = {0};
    for (TermId i = 0; i < s->g.terms.len && of == NO_TERM; i++)
        if (eg_find(&s->g, i) == eg_find(&s->g, s->g.clash[0]) && !node_is_const(eg_node(&s->g, i)))
            of = i;
    of = of == NO_TERM ? s->g.clash[0] : of;
    put_chain(s, &t, of, s->g.clash[0]);
    text_put(&t, ", and ");
    put_chain(s, &t, of, s->g.clash[1]);
    Diags *to = s->e->report;
    if (to)
        diag_add(to, "contradiction", s->e->st->span, "one of these rules is wrong", "%s",
                 text_str(&t));
    s->e->failed = true;
    text_free(&t);
}

/* ---- the pass ---- */

static void saturator_open(Saturator *s, Engine *e)
{
    *s = (Saturator){.e = e, .rs = e->rs, .how = &e->rs->saturating};
    s->model = (CostModel){(CostKind)s->how->cost, s->how->assumed};
    eg_init(&s->g, e->st);
    choose_rules(s);
}

static void saturator_close(Saturator *s)
{
    eg_free(&s->g);
    vec_free(&s->rules);
    vec_free(&s->found);
    for (int level = 0; level < LEVELS; level++)
        free(s->changed[level]);
    free(s->applied);
    arena_free(&s->arena);
}

static void tell(Saturator *s)
{
    Engine *e = s->e;
    Text t = {0};
    text_printf(&t, "%zu iteration%s, %u e-nodes in %u classes, %s", s->growth.rows.len,
                s->growth.rows.len == 1 ? "" : "s", s->g.live, s->g.nclasses,
                saturate_stop_name(s->growth.stop));
    free(e->told);
    e->told = text_take(&t);
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
    Diags scratch = {0}, *saved = e->st->diags;
    e->st->diags = &scratch;
    Node **to = xmalloc(((size_t)e->nroots + 1) * sizeof *to),
         **roots = xmalloc(((size_t)e->nroots + 1) * sizeof *roots);
    memcpy(roots, e->roots, (size_t)e->nroots * sizeof *roots);
    engine_count_uses(e);
    saturator_open(&s, e);
    bool found = false;
    s.equate = s.how->equate && !e->outer && e->nroots == 2;
    s.growth.stop = run(&s, e->nroots, roots);
    if (s.growth.stop == SATURATE_CONTRADICTION)
        tell_contradiction(&s);
    else if (s.equate && s.growth.stop == SATURATE_EQUAL) {
        to[0] = to[1] = roots[1];
        found = eg_prove(&s.g, 2, roots, to, false, &proof);
        cut_detours(&s, &proof, 2, roots);
        s.growth.proved = found;
    } else if (!s.equate)
        found = best_form(&s, e->nroots, roots, to, &proof);
    for (size_t i = 0; i < proof.len && found; i++)
        changed = write_step(&s, &proof.at[i]) || changed;
    if (!e->outer) {
        tell(&s);
        e->stop = e->stop != STOP_SATURATED                 ? e->stop
                  : s.growth.stop == SATURATE_ROUNDS     ? STOP_ROUNDS
                  : s.growth.stop == SATURATE_SIZE_LIMIT ? STOP_NODES
                                                         : e->stop;
    }
    if (!e->outer && s.how->report)
        *s.how->report = s.growth;
    else
        growth_free(&s.growth);
    e->st->diags = saved;
    saturator_close(&s);
    diags_free(&scratch);
    vec_free(&proof);
    free(to);
    free(roots);
    return changed;
}

bool pass_equalities(Engine *e, const Phase *phases)
{
    (void)phases;
    e->report = e->st->diags;
    return engine_sweep_with(e, sweep, 1, false);
}
