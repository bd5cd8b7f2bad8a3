/* One iteration of equality saturation: which rules take part, what they find, applying it. Rules
 * in text are searched for in all e-nodes; rules in C, and those that look into graphs, are tried
 * at each new term. */
#include "egraph/usual.h"

#include <math.h>

/* A rule that finds more, or takes longer, rests: it would fill the e-graph alone (the backoff of
 * egg). Both limits, and the rest, double each time. */
enum {
    MATCH_LIMIT = 1000, /* matches in one iteration */
    WORK_LIMIT = 20000, /* places that are looked at */
    BAN_ROUNDS = 5,     /* iterations that it rests at first */
    MOST_DOUBLED = 5,   /* times that the limits double: 32,000 matches fill an e-graph */
    MOST_BANS = 6,      /* a rule that rested more often is no reason to go on */
    STOP_EVERY = 64, /* terms until the next look whether to stop: a look costs as much as a few */
    FIRST_NOTES = 4096, /* slots of the table of what was applied: a power of two */
    SHORT_BITS = 10,    /* behind the point, of a number that rounds nowhere near; */
    SHORT_WHOLE = 20    /* and before it: products of two are exact, in f64 */
};

/* ---- which rules take part ---- */

static bool listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *s = list; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL)
        if (!strncmp(s, name, n) && (s[n] == ',' || !s[n]))
            return true;
    return false;
}

bool saturation_takes(const char *pass) { return pass_tries(pass_named("saturate"), pass); }

bool saturation_names(const char *list, const Rule *r)
{
    return !list || listed(list, r->name) || listed(list, r->pass);
}

bool saturator_may_use(const Saturator *s, u32 classes)
{
    return !(classes & ~(s->options->allowed | s->how->also)) &&
           !(s->careful && classes & HAZARD_O);
}

static bool takes_part(const Saturator *s, const Rule *r)
{
    return saturation_takes(r->pass) && !rule_is_off(s->options, r) &&
           (s->how->equate || strcmp(r->pass, "equate") != 0) && saturator_may_use(s, r->classes) &&
           saturation_names(s->how->rules, r);
}

void saturator_choose_rules(Saturator *s)
{
    s->at_terms = xcalloc(s->rs->all.len + 1, sizeof *s->at_terms);
    for (size_t i = 0; i < s->rs->all.len; i++) {
        const Rule *r = s->rs->all.at[i];
        bool takes = takes_part(s, r), searched = takes && ematch_can(r);
        s->at_terms[i] = takes && !searched && !rule_is_global(r);
        if (searched) {
            vec_push(&s->rules, ((Searched){.rule = r, .height = r->pattern->height}));
            Searched *last = &s->rules.at[s->rules.len - 1];
            u32 *high = &s->high[r->pattern->op];
            ematch_needs(r, last->needs);
            *high = last->height > *high ? last->height : *high;
        }
    }
    const Pass *pass = pass_named("saturate");
    s->groups |= rule_groups(s->rs, pass->phases[0].groups) | rule_groups(s->rs, pass->also);
}

/* ---- what was applied ---- */

/* Notes it; false if it was. */
static bool note_applied(Saturator *s, u64 key)
{
    key |= !key;
    if (2 * (s->napplied + 1) > s->capplied) {
        size_t cap = s->capplied ? 2 * s->capplied : FIRST_NOTES;
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

/* How often what its class knows has changed. */
static u32 learned_of(Saturator *s, const Node *n)
{
    TermId t = map_get(&s->g.of, n) - 1;
    return t == NO_TERM ? 0 : eg_class(&s->g, t)->learned;
}

/* A guard that does not hold may come to, when more is known of what it asks about. */
static u64 match_key(Saturator *s, const EMatch *m)
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
        if (m->rule->guard && v->kind == 'n')
            h = hash_mix(h, learned_of(s, v->node));
    }
    return h;
}

/* ---- searching ---- */

static bool keep_match(void *ctx, const EMatch *m)
{
    Saturator *s = ctx;
    s->finds++;
    if (was_applied(s, match_key(s, m)))
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

/* The i-th e-node at which the rule is to be searched, NULL if nothing can be new there: of those
 * that changed lately, if it was searched until then, else of all of its operator. */
static const Fresh *place_of(Saturator *s, const Searched *r, bool lately, size_t i, Fresh *own)
{
    OpId op = r->rule->pattern->op;
    const Fresh *f = own;
    if (lately) {
        f = &s->fresh[op].at[i];
        if (f->height > r->height && r->height <= LEVELS + 1)
            return NULL;
    } else if (!eg_is_fresh(&s->g, s->g.by_op[op].at[i], r->height, r->since, own))
        return NULL;
    for (int k = 0; k < OP_WORDS; k++)
        if (r->needs[k] & ~f->ops[k])
            return NULL;
    return f;
}

/* What the rule finds and did not find before, in s->found; nothing if that is too much. One that
 * takes long rests, too. */
static void search_rule(Saturator *s, Searched *r, u32 round)
{
    OpId op = r->rule->pattern->op;
    bool lately = r->since && r->since == s->lately && r->height <= LEVELS + 1;
    size_t i = 0, n = lately ? s->fresh[op].len : s->g.by_op[op].len;
    u32 more = r->banned < MOST_DOUBLED ? r->banned : MOST_DOUBLED;
    u64 work = 0, limit = (u64)WORK_LIMIT << more;
    s->found.len = 0;
    s->most = (u32)MATCH_LIMIT << more;
    for (; i < n && s->found.len <= s->most && work <= limit; i++) {
        if (i % STOP_EVERY == 0 && store_stops(s->e->st))
            break;
        Fresh own;
        const Fresh *f = place_of(s, r, lately, i, &own);
        if (f)
            work += ematch_at(&s->g, r->rule, f->term, r->since, keep_match, s);
    }
    bool all = i == n && s->found.len <= s->most;
    s->found.len = s->found.len <= s->most ? s->found.len : 0;
    if (all) {
        r->before = r->since;
        r->since = s->g.time;
    } else {
        r->until = round + ((u32)BAN_ROUNDS << r->banned);
        r->banned++;
    }
}

/* What was found and not applied is to be found again. */
static void search_again(Saturator *s)
{
    for (size_t i = 0; i < s->rules.len; i++)
        s->rules.at[i].since = s->rules.at[i].before;
}

/* ---- applying ---- */

static bool has_room(Saturator *s)
{
    s->full = s->full || (!s->closed && s->g.live >= s->how->nodes);
    return !s->full;
}

/* The guard by what the classes of its variables know, where they know more than their operators
 * tell. */
static Node *right_side_by_classes(Saturator *s, const EMatch *m, const Bindings *b, u32 *extra,
                                   Text *known)
{
    u32 learned = 0, hazards = 0;
    for (int i = 0; i < m->rule->vars->n && m->rule->guard; i++) {
        if (!(m->bound >> i & 1) || m->vars[i].kind != 'n')
            continue;
        TermId t = map_get(&s->g.of, m->vars[i].node) - 1;
        learned |= t == NO_TERM ? 0 : eg_class(&s->g, t)->learned;
        hazards |= t == NO_TERM ? 0 : eg_class(&s->g, t)->hazards;
    }
    Node *r = learned ? rule_build_text(s->e->st, m->rule, &s->g.facts, m->left, b, m->taken, known,
                                        extra)
                      : NULL;
    map_clear(&s->g.facts.of); /* of what is no term: it holds as long as nothing changes */
    if (r)
        *extra |= hazards;
    return r;
}

Node *saturator_right_side(Saturator *s, const EMatch *m, Text *why, u32 *extra, Text *known)
{
    Bindings b = {.bound = m->bound};
    memcpy(b.at, m->vars, (size_t)m->rule->vars->n * sizeof *b.at);
    *extra = 0;
    Node *r = rule_build_text(s->e->st, m->rule, s->e->facts, m->left, &b, m->taken, why, extra);
    if (!r && known)
        r = right_side_by_classes(s, m, &b, extra, known);
    return r && r->type == m->left->type ? r : NULL;
}

/* Is it said to be one number that is 0 or too large, or too small to have all its digits? */
static bool leaves_floats(Facts *f, const Node *n)
{
    const Fact *k = fact_of(f, n);
    return k->lo == k->hi && !isnormal(n->type->dtype == DT_F32 ? (float)k->lo : k->lo);
}

static bool an_operand_leaves(Facts *f, const Node *n)
{
    bool some = false;
    for (u32 i = 0; i < n->nops; i++)
        some = some || leaves_floats(f, n->ops[i]);
    return some;
}

/* A product of constants that becomes 0 or infinite is a number on paper: what is known of the one
 * is not true of the other, and a rule that writes 1 as x / x can make such products. */
static bool overflows(Saturator *s, const Node *n)
{
    return op_traits[n->op] & UNDERFLOWS && n->type->kind == TYPE_TENSOR &&
           dtype_is_float(n->type->dtype) && leaves_floats(s->e->facts, n) &&
           !an_operand_leaves(s->e->facts, n);
}

/* Does some new term of it overflow? */
static bool has_overflow(Saturator *s, Node *n, NodeSet *seen)
{
    if (map_has(&s->g.of, n) || !set_add(seen, n))
        return false;
    for (u32 i = 0; i < n->nops; i++)
        if (has_overflow(s, n->ops[i], seen))
            return true;
    return overflows(s, n);
}

static bool may_be_added(Saturator *s, Node *n)
{
    if (map_has(&s->g.of, n))
        return true;
    NodeSet seen = {0};
    bool may = !s->closed && !has_overflow(s, n, &seen);
    map_free(&seen);
    return may;
}

static void apply_match(Saturator *s, const EMatch *m)
{
    u32 extra;
    if (!has_room(s) || !note_applied(s, match_key(s, m)))
        return;
    Text known = {0};
    Node *after = saturator_right_side(s, m, NULL, &extra, &known);
    const char *evidence =
        after && known.len ? arena_strndup(&s->arena, known.at, known.len) : NULL;
    text_free(&known);
    if (!after || after == m->left || !saturator_may_use(s, extra & HAZARD_O) ||
        !may_be_added(s, m->left) || !may_be_added(s, after))
        return;
    EMatch *own = arena_alloc(&s->arena, sizeof *own);
    *own = *m;
    Equality why = {.a = eg_add(&s->g, m->left),
                    .b = eg_add(&s->g, after),
                    .rule = m->rule,
                    .match = own,
                    .why = evidence,
                    .extra = extra};
    rule_counts_add(s->e->counts, m->rule, eg_union(&s->g, &why));
}

bool saturator_is_short(const Node *n)
{
    double x;
    if (!node_const_f64(n, &x) || !dtype_is_float(node_dtype(n)))
        return node_is_const(n) && !dtype_is_float(node_dtype(n));
    return fabs(x) < 1 << SHORT_WHOLE && x * (1 << SHORT_BITS) == floor(x * (1 << SHORT_BITS));
}

/* A constant that was computed, and rounded, is not equal to what it was computed from: with rules
 * that undo one another such differences grow until everything is equal. So only what is exact is
 * computed here; passes do the rest. */
static bool folds_exactly(const Node *before, const Node *after)
{
    const Node *sides[] = {before, after};
    for (int k = 0; k < 2; k++)
        for (u32 i = 0; i < sides[k]->nops; i++)
            if (node_is_const(sides[k]->ops[i]) && !saturator_is_short(sides[k]->ops[i]))
                return false;
    if (!node_is_const(after))
        return true;
    bool arithmetic = before->op == OP_ADD || before->op == OP_SUB || before->op == OP_MUL ||
                      before->op == OP_NEG || before->op == OP_DIV || before->op == OP_SQR ||
                      !op_is_elementwise(before->op);
    double x, y;
    bool known = before->nops == 1 && node_const_f64(before->ops[0], &x) &&
                 node_const_f64(after, &y) && ((fabs(x) <= 1 && fabs(y) <= 1) || y * y == x);
    return saturator_is_short(after) && (arithmetic || known || !dtype_is_float(node_dtype(after)));
}

/* What a rule that is not searched for put at a term. */
static void apply_changes(Saturator *s, const Rule *r, const Site *site, u32 extra)
{
    for (size_t i = 0; i < site->changes.len && has_room(s); i++) {
        const Change *c = &site->changes.at[i];
        if (!c->after || c->after == c->before || c->after->type != c->before->type)
            continue;
        if (!may_be_added(s, c->before) || !may_be_added(s, c->after))
            continue;
        if (!strncmp(r->name, "fold", 4) && !folds_exactly(c->before, c->after))
            continue;
        Equality why = {
            .a = eg_add(&s->g, c->before), .b = eg_add(&s->g, c->after), .rule = r, .extra = extra};
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
        if (s->at_terms[list->at[i]] && engine_try(r, &site, &extra) &&
            saturator_may_use(s, extra & HAZARD_O))
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
        TermId inner = nested ? class_term(g, c, n->op) : NO_TERM;
        small[i] = inner == NO_TERM ? small[i] : eg_node(g, inner);
        same = same && small[i] == n->ops[i];
    }
    return same ? n : node_with_operands(s->e->st, n, small);
}

typedef struct {
    EGraph *g;
    u8 *mark; /* by term */
    int n;
    OpId nested[OP_COUNT]; /* sums, products and the like */
} Marker;
enum { TO_TRY = 1, LOOKED_AT = 2 /* its class */ };

static void marker_open(Marker *m, EGraph *g)
{
    *m = (Marker){.g = g, .mark = xcalloc(g->terms.len + 1, 1)};
    for (int op = 0; op < OP_COUNT; op++)
        if (op_table[op].flags & NARY)
            m->nested[m->n++] = (OpId)op;
}

/* What term_of_now sees of a class: its constant, its first sums and products. */
static u64 class_shows(const Marker *m, const EClass *c)
{
    u64 h = hash_mix(1, c->constant ? c->constant->id + 1 : 0);
    for (int i = 0; i < m->n; i++)
        if (class_has(c, m->nested[i]))
            h = hash_mix(h, class_term(m->g, c, m->nested[i]));
    return h;
}

/* These terms are to be tried, and those with operands in classes of them that show something else
 * than before. */
static void mark_terms(Marker *m, const TermList *changed)
{
    for (size_t i = 0; i < changed->len; i++) {
        TermId k = eg_find(m->g, changed->at[i]);
        EClass *c = m->g->classes.at[k];
        m->mark[changed->at[i]] |= TO_TRY;
        if (m->mark[k] & LOOKED_AT)
            continue;
        m->mark[k] |= LOOKED_AT;
        u64 was = c->shown;
        c->shown = class_shows(m, c);
        for (size_t u = 0; c->shown != was && u < c->parents.len; u++)
            m->mark[c->parents.at[u]] |= TO_TRY;
    }
}

/* Each new term as it is, and each as it has become. */
static void try_new_terms(Saturator *s)
{
    RuleList list = {0};
    NodeSet seen = {0};
    size_t end = s->g.terms.len, changed = s->g.touched.len;
    Marker m;
    marker_open(&m, &s->g);
    mark_terms(&m, &s->later);
    mark_terms(&m, &s->g.touched);
    s->g.time++;
    for (size_t t = 0; t < end && has_room(s) && !store_stops(s->e->st); t++) {
        if ((t < s->tried && !(m.mark[t] & TO_TRY)) || eg_term(&s->g, (TermId)t)->dup)
            continue;
        Node *own = eg_node(&s->g, (TermId)t);
        if (t >= s->tried)
            try_at(s, own, &list);
        Node *n = term_of_now(s, (TermId)t);
        if (!n || n == own || !may_be_added(s, n) || map_has(&seen, n) || map_has(&s->g.of, n))
            continue;
        set_add(&seen, n);
        eg_add(&s->g, n);
        try_at(s, n, &list);
    }
    s->tried = end;
    eg_rebuild(&s->g);
    s->later.len = 0;
    for (size_t i = changed; i < s->g.touched.len; i++)
        vec_push(&s->later, s->g.touched.at[i]);
    free(m.mark);
    map_free(&seen);
    vec_free(&list);
}

void saturator_iterate(Saturator *s, u32 round, u32 *matches)
{
    VEC(EMatch) all = {0};
    double start = processor_seconds();
    s->lately = eg_spread_changes(&s->g, s->high, s->fresh);
    for (size_t i = 0; i < s->rules.len && !store_stops(s->e->st); i++) {
        if (s->rules.at[i].until > round)
            continue;
        search_rule(s, &s->rules.at[i], round);
        for (size_t k = 0; k < s->found.len; k++)
            vec_push(&all, s->found.at[k]);
    }
    s->search_seconds = processor_seconds() - start;
    *matches = (u32)all.len;
    size_t i = 0;
    for (; i < all.len && has_room(s) && !store_stops(s->e->st); i++)
        apply_match(s, &all.at[i]);
    if (s->full || i < all.len)
        search_again(s);
    vec_free(&all);
    eg_rebuild(&s->g);
    saturator_put_points(s, engine_rule(s->e, "known-value"));
    try_new_terms(s);
}

bool saturator_wake(Saturator *s, u32 round, bool *some)
{
    bool worth = false;
    *some = false;
    for (size_t i = 0; i < s->rules.len; i++) {
        Searched *r = &s->rules.at[i];
        *some = *some || r->until > round;
        worth = worth || (r->until > round && r->banned <= MOST_BANS);
        r->until = 0;
    }
    return worth;
}
