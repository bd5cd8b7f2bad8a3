/* E-graphs: congruence as by brute force, proofs that replay, the cheapest form as by brute force.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/base.h"
#include "egraph/extract.h"
#include "ops/build.h"
#include "rewrite/history.h"
#include "session/equal.h"

#include "../effort.h"
#include "../run_text.h"

enum { TERMS = 24, UNIONS = 8 };

typedef struct {
    Session s;
    EGraph g;
    u64 state;
    Node *at[TERMS];
    int n;
} World;

static u32 roll(World *w, u32 n)
{
    w->state = hash_mix(w->state, 0x9e37);
    return (u32)(w->state >> 20) % n;
}

/* Random terms over four inputs. */
static void make_world(World *w, u64 seed)
{
    static const OpId ops[] = {OP_ADD, OP_MUL, OP_SUB, OP_EXP, OP_NEG};
    assert_true(session_init(&w->s));
    Store *st = &w->s.st;
    w->state = seed;
    w->n = 0;
    eg_init(&w->g, st);
    for (int i = 0; i < 4; i++) {
        char name[2] = {(char)('a' + i), 0};
        w->at[w->n++] = node_input(st, OP_INPUT, symbol(st, name), type_scalar(st, DT_F64));
    }
    while (w->n < TERMS) {
        OpId op = ops[roll(w, COUNT_OF(ops))];
        Node *x[3];
        u32 count = op == OP_EXP || op == OP_NEG ? 1 : op == OP_ADD ? 2 + roll(w, 2) : 2;
        for (u32 k = 0; k < count; k++)
            x[k] = w->at[roll(w, (u32)w->n)];
        w->at[w->n++] = node_make(st, op, NULL, count, x);
    }
    for (int i = 0; i < w->n; i++)
        eg_add(&w->g, w->at[i]);
}

static void free_world(World *w)
{
    eg_free(&w->g);
    session_free(&w->s);
}

static const Rule given = {.name = "given", .pass = "saturate", .classes = HAZARD_E};

/* ---- brute force ---- */

typedef struct {
    NodeVec nodes;
    int *class;
} Brute;

static int brute_of(const Brute *b, const Node *n)
{
    for (size_t i = 0; i < b->nodes.len; i++)
        if (b->nodes.at[i] == n)
            return b->class[i];
    return -1;
}

static void brute_unite(Brute *b, int x, int y)
{
    for (size_t i = 0; i < b->nodes.len; i++)
        if (b->class[i] == y)
            b->class[i] = x;
}

static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static bool brute_congruent(const Brute *b, const Node *x, const Node *y)
{
    int p[8], q[8];
    if (x->op != y->op || x->nops != y->nops || !x->nops)
        return false;
    for (u32 i = 0; i < x->nops; i++) {
        p[i] = brute_of(b, x->ops[i]);
        q[i] = brute_of(b, y->ops[i]);
    }
    if (eg_any_order(x->op, x->nops)) {
        qsort(p, x->nops, sizeof *p, by_int);
        qsort(q, x->nops, sizeof *q, by_int);
    }
    return !memcmp(p, q, x->nops * sizeof *p);
}

static void brute_close(Brute *b)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < b->nodes.len; i++)
            for (size_t k = 0; k < i; k++)
                if (b->class[i] != b->class[k] &&
                    brute_congruent(b, b->nodes.at[i], b->nodes.at[k])) {
                    brute_unite(b, b->class[k], b -> class[i]);
                    more = true;
                }
    }
}

static void brute_begin(Brute *b, World *w)
{
    *b = (Brute){.class = NULL};
    nodes_topo(w->n, w->at, &b->nodes);
    b->class = xcalloc(b->nodes.len + 1, sizeof *b->class);
    for (size_t i = 0; i < b->nodes.len; i++)
        b->class[i] = (int)i;
}

static void brute_end(Brute *b)
{
    vec_free(&b->nodes);
    free(b->class);
}

/* ---- properties ---- */

static void unite(World *w, Brute *b, Node *x, Node *y)
{
    Equality why = {.a = eg_add(&w->g, x), .b = eg_add(&w->g, y), .rule = &given};
    eg_union(&w->g, &why);
    brute_unite(b, brute_of(b, x), brute_of(b, y));
}

/* A proof replays: each step changes the state, and the last one is what was to be shown. */
static u32 check_proof(World *w, Node *from, Node *to)
{
    Proof proof = {0};
    Node *now = from;
    assert_true(eg_prove(&w->g, 1, &from, &to, false, &proof));
    for (size_t i = 0; i < proof.len; i++) {
        NodeMap memo = {0};
        map_put(&memo, proof.at[i].before, proof.at[i].after);
        Node *next = node_substitute(&w->s.st, now, &memo);
        assert_ptr_not_equal(next, now);
        now = next;
        map_free(&memo);
    }
    assert_ptr_equal(now, to);
    u32 steps = (u32)proof.len;
    vec_free(&proof);
    return steps;
}

static void check_congruence(u64 seed, u32 *proofs)
{
    World *w = xcalloc(1, sizeof *w);
    Brute b;
    Text why = {0};
    make_world(w, seed);
    brute_begin(&b, w);
    for (int k = 0; k < UNIONS; k++) {
        unite(w, &b, w->at[roll(w, TERMS)], w->at[roll(w, TERMS)]);
        if (roll(w, 2))
            eg_rebuild(&w->g);
    }
    eg_rebuild(&w->g);
    brute_close(&b);
    if (!eg_verify(&w->g, &why))
        fail_msg("seed %llu: %s", (unsigned long long)seed, text_str(&why));
    for (int i = 0; i < w->n; i++)
        for (int k = 0; k < i; k++) {
            bool equal =
                eg_find(&w->g, eg_add(&w->g, w->at[i])) == eg_find(&w->g, eg_add(&w->g, w->at[k]));
            bool wanted = brute_of(&b, w->at[i]) == brute_of(&b, w->at[k]);
            if (equal != wanted)
                fail_msg("seed %llu: terms %d and %d", (unsigned long long)seed, k, i);
            if (equal && w->at[i] != w->at[k] && roll(w, 4) == 0) {
                check_proof(w, w->at[i], w->at[k]);
                ++*proofs;
            }
        }
    text_free(&why);
    brute_end(&b);
    free_world(w);
    free(w);
}

static void test_congruence(void **state)
{
    (void)state;
    u32 cases = effort_cases(300), proofs = 0;
    for (u32 i = 0; i < cases; i++)
        check_congruence(i + 1, &proofs);
    print_message("%u e-graphs as by brute force, %u proofs replayed\n", cases, proofs);
    assert_true(proofs > cases);
}

/* What is equal by one reason is proved in one step. */
static void test_one_step(void **state)
{
    (void)state;
    for (u64 seed = 1; seed <= 50; seed++) {
        World *w = xcalloc(1, sizeof *w);
        Brute b;
        make_world(w, seed);
        brute_begin(&b, w);
        for (int k = 0; k < UNIONS; k++)
            unite(w, &b, w->at[roll(w, TERMS)], w->at[roll(w, TERMS)]);
        Node *x = w->at[0], *y = w->at[1];
        unite(w, &b, x, y);
        eg_rebuild(&w->g);
        assert_int_equal(check_proof(w, x, y), 1);
        brute_end(&b);
        free_world(w);
        free(w);
    }
}

/* ---- searching only what changed ---- */

typedef struct {
    SET(u64) seen; /* hashes of the ways that were found so far */
    bool all;      /* searching everywhere: each way has to be among them */
    u32 found, missed, lately;
} Ways;

static bool note_way(void *ctx, const EMatch *m)
{
    Ways *w = ctx;
    u64 h = hash_mix((u64)(uintptr_t)m->left, m->taken);
    h = hash_mix(h, (u64)(uintptr_t)m->rule);
    for (int i = 0; i < m->rule->vars->n; i++) {
        const RuleValue *v = &m->vars[i];
        if (!(m->bound >> i & 1))
            continue;
        h = hash_mix(h, v->kind == 'n' ? (u64)(uintptr_t)v->node : v->count);
        for (u32 k = 0; v->kind == 'r' && k < v->count; k++)
            h = hash_mix(h, (u64)(uintptr_t)v->nodes[k]);
    }
    u64 key = h | 1;
    w->missed += w->all && !map_has(&w->seen, key);
    w->found += w->all;
    set_add(&w->seen, key);
    return true;
}

/* More terms, of what the left sides of many rules are made of, and reasons for some to be equal.
 */
static void stir(World *w, Node **at, u32 *n, u32 most)
{
    static const OpId ops[] = {OP_ADD, OP_MUL, OP_ADD, OP_MUL,        OP_SUB, OP_DIV,
                               OP_EXP, OP_NEG, OP_SQR, OP_RECIPROCAL, OP_LOG, OP_SIN};
    for (u32 end = *n + 6; *n < end && *n < most;) {
        OpId op = ops[roll(w, COUNT_OF(ops))];
        Node *x[2] = {at[roll(w, *n)], at[roll(w, *n)]};
        at[(*n)++] = node_make(&w->s.st, op, NULL, (u32)op_table[op].min_ops, x);
        eg_add(&w->g, at[*n - 1]);
    }
    for (u32 k = roll(w, 4); k > 0; k--) {
        Node *x = at[roll(w, *n)], *y = at[roll(w, *n)];
        Equality why = {.a = eg_add(&w->g, x), .b = eg_add(&w->g, y), .rule = &given};
        if (!node_is_const(x) || !node_is_const(y))
            eg_union(&w->g, &why);
    }
    eg_rebuild(&w->g);
}

/* As saturation searches: of e-nodes that changed lately if a rule took part in the last round,
 * else of all that changed since it did. */
static void search_changed(World *w, const Rule *r, u32 *since, const FreshList *fresh, Ways *ways)
{
    EGraph *g = &w->g;
    u32 height = r->pattern->height;
    OpId op = r->pattern->op;
    bool lately = *since && *since == ways->lately && height <= LEVELS + 1;
    for (size_t i = 0; lately && i < fresh[op].len; i++)
        if (fresh[op].at[i].height <= height)
            ematch_at(g, r, fresh[op].at[i].term, *since, note_way, ways);
    for (size_t i = 0; !lately && i < g->by_op[op].len; i++) {
        Fresh f;
        if (eg_is_fresh(g, g->by_op[op].at[i], height, *since, &f))
            ematch_at(g, r, f.term, *since, note_way, ways);
    }
    *since = g->time;
}

/* Some rules rest in a round; those that do not must have found all that there is. */
static void search_round(World *w, u32 *since, FreshList *fresh, Ways *ways)
{
    EGraph *g = &w->g;
    u32 high[OP_COUNT] = {0};
    for (size_t i = 0; i < w->s.rules->all.len; i++) {
        const Rule *r = w->s.rules->all.at[i];
        if (ematch_can(r) && r->pattern->height > high[r->pattern->op])
            high[r->pattern->op] = r->pattern->height;
    }
    ways->lately = eg_spread_changes(g, high, fresh);
    for (size_t i = 0; i < w->s.rules->all.len; i++) {
        const Rule *r = w->s.rules->all.at[i];
        if (!ematch_can(r) || !roll(w, 4))
            continue;
        const TermList *at = &g->by_op[r->pattern->op];
        ways->all = false;
        search_changed(w, r, &since[i], fresh, ways);
        ways->all = true;
        for (size_t k = 0; k < at->len; k++)
            ematch_at(g, r, at->at[k], 0, note_way, ways);
    }
}

static u32 check_changes(u64 seed)
{
    enum { MOST = 60, ROUNDS = 8 };
    World *w = xcalloc(1, sizeof *w);
    FreshList *fresh = xcalloc(OP_COUNT, sizeof *fresh);
    Node *at[MOST + 1];
    Ways ways = {0};
    make_world(w, seed);
    u32 n = (u32)w->n, *since = xcalloc(w->s.rules->all.len + 1, sizeof *since);
    memcpy(at, w->at, n * sizeof *at);
    for (int k = 1; k <= 2; k++) {
        at[n++] = node_number(&w->s.st, DT_F64, k);
        eg_add(&w->g, at[n - 1]);
    }
    for (int round = 0; round < ROUNDS && !ways.missed; round++) {
        search_round(w, since, fresh, &ways);
        stir(w, at, &n, MOST);
    }
    if (ways.missed)
        fail_msg("seed %llu: %u ways were missed", (unsigned long long)seed, ways.missed);
    map_free(&ways.seen);
    for (int op = 0; op < OP_COUNT; op++)
        vec_free(&fresh[op]);
    free(fresh);
    free(since);
    free_world(w);
    free(w);
    return ways.found;
}

/* Searching again only where something changed finds all that searching everywhere does. */
static void test_changes(void **state)
{
    (void)state;
    u32 cases = effort_cases(150), found = 0;
    for (u32 i = 0; i < cases; i++)
        found += check_changes(5000 + i);
    print_message("%u e-graphs, %u ways found\n", cases, found);
    assert_true(found > 10 * cases);
}

/* The cheapest choice of one e-node for each class that is needed, all tried. */
static double cheapest(World *w, const CostModel *m, TermId root, TermId *choice, TermId *open,
                       u32 nopen, double sum, double best)
{
    EGraph *g = &w->g;
    if (sum >= best)
        return best;
    if (!nopen) {
        /* is it a tree without loops? */
        for (TermId i = 0; i < g->terms.len; i++)
            if (choice[i] != NO_TERM)
                open[i] = 0;
        for (bool more = true; more;) {
            more = false;
            for (TermId i = 0; i < g->terms.len; i++) {
                bool ready = choice[i] != NO_TERM && !open[i];
                for (u32 k = 0; ready && k < eg_node(g, choice[i])->nops; k++)
                    ready = open[eg_find(g, eg_term(g, choice[i])->kids[k])] == 1;
                if (ready)
                    open[i] = 1, more = true;
            }
        }
        return open[root] == 1 ? sum : best;
    }
    TermId c = open[nopen - 1];
    const EClass *class = g->classes.at[c];
    for (size_t t = 0; t < class->terms.len; t++) {
        TermId *copy = xmalloc((g->terms.len + 4 * TERMS) * sizeof *copy);
        TermId id = class->terms.at[t];
        u32 n = nopen - 1;
        memcpy(copy, open, n * sizeof *copy);
        choice[c] = id;
        for (u32 k = 0; k < eg_node(g, id)->nops; k++) {
            TermId kid = eg_find(g, eg_term(g, id)->kids[k]);
            bool known = choice[kid] != NO_TERM;
            for (u32 j = 0; j < n; j++)
                known = known || copy[j] == kid;
            if (!known)
                copy[n++] = kid;
        }
        best = cheapest(w, m, root, choice, copy, n, sum + node_cost(&w->s.st, m, eg_node(g, id)),
                        best);
        choice[c] = NO_TERM;
        free(copy);
    }
    return best;
}

static void test_extraction(void **state)
{
    (void)state;
    u32 cases = effort_cases(100), exact = 0;
    for (u64 seed = 1; seed <= cases; seed++) {
        World *w = xcalloc(1, sizeof *w);
        Brute b;
        CostModel m = {.kind = COST_TIME, .assumed = 10};
        make_world(w, 1000 + seed);
        brute_begin(&b, w);
        for (int k = 0; k < 5; k++)
            unite(w, &b, w->at[roll(w, TERMS)], w->at[roll(w, TERMS)]);
        eg_rebuild(&w->g);
        Node *root = w->at[TERMS - 1], *out;
        Extracted e;
        Onward onward;
        eg_add(&w->g, root);
        onward_open(&onward, &w->g, false);
        assert_true(eg_extract(&w->g, &onward, &m, NULL, 1, &root, &out, &e));
        onward_close(&onward);
        size_t n = w->g.terms.len;
        TermId *choice = xmalloc((n + 1) * sizeof *choice),
               *open = xmalloc((n + 4 * TERMS) * sizeof *open);
        memset(choice, 0xff, n * sizeof *choice);
        TermId at = open[0] = eg_find(&w->g, eg_add(&w->g, root));
        double best = cheapest(w, &m, at, choice, open, 1, 0, 1e300);
        assert_true(e.cost >= best * (1 - 1e-9));
        assert_true(!e.exact || e.cost <= best * (1 + 1e-9));
        assert_true(roots_cost(&w->s.st, &m, 1, &out) <= e.cost * (1 + 1e-9));
        exact += e.exact;
        map_free(&e.chosen);
        free(choice);
        free(open);
        brute_end(&b);
        free_world(w);
        free(w);
    }
    print_message("%u of %u exact\n", exact, cases);
    assert_true(exact > cases / 2);
}

/* More choices than are looked at: then it is not said that nothing is cheaper. */
static void test_inexact(void **state)
{
    (void)state;
    enum { CHOICES = 15 };
    static const Rule exact = {.name = "exact", .classes = HAZARD_E};
    Session s;
    EGraph g;
    Node **sines = NULL, **cosines = NULL, **sum = NULL, *out;
    Text texts[3] = {{0}};
    assert_true(session_init(&s));
    assert_true(run_statements(&s, "x : f64"));
    for (int i = 0; i < CHOICES; i++) {
        text_printf(&texts[0], "%ssin(x + %d)", i ? ", " : "(", i);
        text_printf(&texts[1], "%scos(x + %d)", i ? ", " : "(", i);
        text_printf(&texts[2], "%ssin(x + %d)", i ? " + " : "", i);
    }
    text_putc(&texts[0], ')');
    text_putc(&texts[1], ')');
    assert_int_equal(run_roots(&s, text_str(&texts[0]), &sines), CHOICES);
    assert_int_equal(run_roots(&s, text_str(&texts[1]), &cosines), CHOICES);
    assert_int_equal(run_roots(&s, text_str(&texts[2]), &sum), 1);
    eg_init(&g, &s.st);
    eg_add(&g, sum[0]);
    for (int i = 0; i < CHOICES; i++)
        eg_union(&g, &(Equality){eg_add(&g, sines[i]), eg_add(&g, cosines[i]), .rule = &exact});
    eg_rebuild(&g);
    CostModel m = cost_model(&s.options.saturating);
    Extracted e;
    Onward onward;
    onward_open(&onward, &g, false);
    assert_true(eg_extract(&g, &onward, &m, NULL, 1, sum, &out, &e));
    onward_close(&onward);
    assert_false(e.exact);
    map_free(&e.chosen);
    eg_free(&g);
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        text_free(&texts[i]);
    free(sines);
    free(cosines);
    free(sum);
    session_free(&s);
}

/* What is told of saturating it with rules that are wrong; to be freed. */
static char *contradiction_of(const char *wrong, const char *text)
{
    Session s;
    Node **roots = NULL;
    Growth growth;
    assert_true(session_init(&s));
    assert_true(run_statements(&s, "x : f64; v : f64[n]; w : f64[3]"));
    const Source *src = session_source(&s, "rules", wrong, strlen(wrong));
    assert_true(ruleset_add_text(session_own_rules(&s), src, "saturate", &s.diags));
    assert_int_equal(run_roots(&s, text, &roots), 1);
    Saturating how = s.options.saturating;
    how.nodes = 300;
    Exploration *x = session_saturate(&s, &how, 1, roots, &growth);
    char *said = NULL;
    if (!x) {
        assert_true(s.diags.errors > 0);
        assert_string_equal(s.diags.list.at[0].code, "contradiction");
        said = xstrdup(s.diags.list.at[0].message);
    }
    growth_free(&growth);
    free(roots);
    session_free(&s);
    return said;
}

/* Two constants in one class: the error names the rules of both chains. */
static void test_contradiction(void **state)
{
    (void)state;
    char *said = contradiction_of(
        "bad-zero [E]: x - x => ones_like(x)\nbad-one [E]: x - x => zeros_like(x)", "x - x");
    assert_non_null(said);
    const char *by = strstr(said, " by "), *also = by ? strstr(by + 1, " by ") : NULL;
    assert_non_null(also); /* two chains, each of at least one step */
    assert_true(strstr(said, "bad-") != NULL && strstr(said, "no step") == NULL);
    free(said);
}

/* Two ranges that exclude each other, where there surely is an element that is a number. */
static void test_contradiction_of_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *rules, *of;
        bool wrong;
    } cases[] = {
        {"bad [R]: exp(x) + 2 => sin(x)", "exp(x) + 2", true},
        {"bad [R]: exp(x) + 2 => sin(x)", "exp(w) + 2", true},
        {"bad [R]: exp(x) + 2 => sin(x)", "exp(v) + 2", false}, /* v may be empty */
        {"bad [R]: sqrt(x) => -1 - sqrt(x)", "sqrt(x)", false}, /* defined nowhere, perhaps */
        {"bad [R]: sqrt(x) => -1 - sqrt(x)", "sqrt(exp(x))", true},
        {"bad [R]: sin(x) => cos(x)", "sin(x)", false},
        /* what overflows, or becomes 0, says nothing of what it equals on paper */
        {"fine [R]: sin(x) => cos(x)",
         "sqr(reciprocal(exp(384.0)^1)) * sqr(reciprocal(exp(384.0)^-1))", false},
        {"fine [R]: sin(x) => cos(x)", "sqr(1 / exp(384.0 + x * 0)) * sqr(exp(384.0 + x * 0))",
         false},
        {"bad [R]: cos(x) => tanh(x)\nworse [R]: tanh(x) => sqr(x) + 2", "cos(x)", true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *said = contradiction_of(cases[i].rules, cases[i].of);
        if ((said != NULL) != cases[i].wrong)
            fail_msg("%s with %s: %s", cases[i].of, cases[i].rules, said ? said : "nothing");
        if (said) {
            assert_non_null(strstr(said, " by "));
            assert_true(strstr(said, "bad") || strstr(said, "worse"));
            assert_true(strstr(said, "at least") || strstr(said, "within"));
        }
        free(said);
    }
}

static Known known_in(EGraph *g, Node *n) { return eg_class(g, eg_add(g, n))->fact; }

/* Bounds are widened by what rounding may do. */
static bool near(double a, double b)
{
    return a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= 1e-3 * fabs(b));
}

/* What one term of a class knows all of it does, and what stands above it. */
static void test_facts_meet(void **state)
{
    (void)state;
    static const Rule exact = {.name = "exact", .classes = HAZARD_E},
                      rounds = {.name = "rounds", .classes = HAZARD_R},
                      unmakes = {.name = "unmakes", .classes = HAZARD_R | HAZARD_NPLUS};
    static const struct {
        const char *a, *b;
        const Rule *by;
        double lo, hi;
    } cases[] = {
        {"exp(x)", "5 - exp(x * 2)", &rounds, 0, 5},
        {"exp(x)", "5 - exp(x * 2)", &unmakes, 0, 5},
        {"exp(y)", "x", &exact, 0, INFINITY},
        {"exp(x)", "x", &exact, 3814279, INFINITY}, /* exp of exp of ..., as far as floats go */
        {"sqrt(y)", "x", &rounds, 0, INFINITY},
        {"sqrt(y)", "x", &unmakes, -INFINITY, INFINITY}, /* below 0 it says nothing of x */
        {"sin(x)", "sqrt(x)", &unmakes, -1, 1},
        {"sin(x)", "sqrt(x)", &exact, 0, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Session s;
        EGraph g;
        Node **a = NULL, **b = NULL, **above = NULL;
        Text text = {0};
        assert_true(session_init(&s));
        assert_true(run_statements(&s, "x : f64; y : f64"));
        text_printf(&text, "2 * (%s) + 1", cases[i].b);
        assert_int_equal(run_roots(&s, cases[i].a, &a), 1);
        assert_int_equal(run_roots(&s, cases[i].b, &b), 1);
        assert_int_equal(run_roots(&s, text_str(&text), &above), 1);
        eg_init(&g, &s.st);
        eg_add(&g, above[0]);
        eg_union(&g, &(Equality){eg_add(&g, a[0]), eg_add(&g, b[0]), .rule = cases[i].by});
        eg_rebuild(&g);
        Known k = known_in(&g, b[0]), over = known_in(&g, above[0]);
        if (!near(k.is.lo, cases[i].lo) || k.is.hi != cases[i].hi)
            fail_msg("%s and %s: %g to %g", cases[i].a, cases[i].b, k.is.lo, k.is.hi);
        if (over.is.lo != 2 * k.is.lo + 1 || over.is.hi != 2 * k.is.hi + 1)
            fail_msg("%s: %g to %g", text_str(&text), over.is.lo, over.is.hi);
        assert_false(g.contradiction);
        eg_free(&g);
        text_free(&text);
        free(a);
        free(b);
        free(above);
        session_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_congruence),
                                       cmocka_unit_test(test_one_step),
                                       cmocka_unit_test(test_extraction),
                                       cmocka_unit_test(test_inexact),
                                       cmocka_unit_test(test_changes),
                                       cmocka_unit_test(test_contradiction),
                                       cmocka_unit_test(test_contradiction_of_ranges),
                                       cmocka_unit_test(test_facts_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
