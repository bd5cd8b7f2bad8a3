/* What a program may become, in random e-graphs with one-way steps: as by brute force, and what is
 * taken out is the cheapest of it that trees can be, or cheaper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "egraph/extract.h"
#include "ops/build.h"

#include "../effort.h"
#include "../run_text.h"

enum { TERMS = 20, STEPS = 9, MOST = 64 };

static const Rule both_ways = {.name = "both-ways", .classes = HAZARD_E},
                  one_way = {.name = "one-way", .classes = HAZARD_NPLUS},
                  one_way_back = {
                      .name = "one-way-back", .classes = HAZARD_NPLUS, .backwards = true};

typedef struct {
    Session s;
    EGraph g;
    u64 state;
    Node *at[TERMS];
    int n;
    bool any_order;         /* operands of a product may be paired in each order; else, if they are
                               equal in both, as they stand: the e-graph knows at least that */
    bool leads[MOST][MOST]; /* by brute force, of terms */
} World;

static u32 roll(World *w, u32 n)
{
    w->state = hash_mix(w->state, 0x9e37);
    return (u32)(w->state >> 20) % n;
}

static void make_terms(World *w)
{
    static const OpId ops[] = {OP_SUB, OP_MUL, OP_EXP, OP_NEG, OP_DIV};
    Store *st = &w->s.st;
    for (int i = 0; i < 4; i++) {
        char name[2] = {(char)('a' + i), 0};
        w->at[w->n++] = node_input(st, OP_INPUT, symbol(st, name), type_scalar(st, DT_F64));
    }
    while (w->n < TERMS) {
        OpId op = ops[roll(w, COUNT_OF(ops))];
        u32 count = op == OP_EXP || op == OP_NEG ? 1 : 2;
        Node *x[2];
        for (u32 k = 0; k < count; k++)
            x[k] = w->at[roll(w, (u32)w->n)];
        w->at[w->n++] = node_make(st, op, NULL, count, x);
    }
    for (int i = 0; i < w->n; i++)
        eg_add(&w->g, w->at[i]);
}

static void make_steps(World *w)
{
    for (int k = 0; k < STEPS; k++) {
        TermId a = eg_add(&w->g, w->at[roll(w, TERMS)]), b = eg_add(&w->g, w->at[roll(w, TERMS)]);
        u32 kind = roll(w, 4);
        const Rule *r = kind < 2 ? &one_way : kind == 2 ? &one_way_back : &both_ways;
        eg_union(&w->g, &(Equality){a, b, .rule = r});
        w->leads[a][b] |= r != &one_way_back;
        w->leads[b][a] |= r != &one_way;
    }
    eg_rebuild(&w->g);
    eg_link_congruent(&w->g);
}

/* ---- brute force ---- */

static bool operands_lead(World *w, const Term *x, const Term *y)
{
    u32 n = x->node->nops;
    if (x->node->op != y->node->op || y->node->nops != n || !n)
        return false;
    bool same = true, turned = n == 2 && eg_any_order(x->node->op, n), equal = true;
    for (u32 i = 0; i < n; i++)
        equal = equal && eg_find(&w->g, x->kids[i]) == eg_find(&w->g, y->kids[i]);
    turned = turned && (w->any_order || !equal);
    for (u32 i = 0; i < n; i++) {
        same = same && w->leads[x->kids[i]][y->kids[i]];
        turned = turned && w->leads[x->kids[i]][y->kids[n - 1 - i]];
    }
    return same || turned;
}

static void close_brute(World *w)
{
    EGraph *g = &w->g;
    u32 n = (u32)g->terms.len;
    for (u32 i = 0; i < n; i++)
        w->leads[i][i] = true;
    for (bool more = true; more;) {
        more = false;
        for (u32 i = 0; i < n; i++)
            for (u32 k = 0; k < n; k++) {
                bool now = w->leads[i][k] || operands_lead(w, eg_term(g, i), eg_term(g, k));
                for (u32 j = 0; j < n && !now; j++)
                    now = w->leads[i][j] && w->leads[j][k];
                more = more || now != w->leads[i][k];
                w->leads[i][k] = now;
            }
    }
}

/* The cheapest tree that each term leads to. */
static void cheapest_trees(World *w, const CostModel *m, double *at)
{
    EGraph *g = &w->g;
    u32 n = (u32)g->terms.len;
    for (u32 i = 0; i < n; i++)
        at[i] = 1e300;
    for (bool more = true; more;) {
        more = false;
        for (u32 k = 0; k < n; k++) {
            const Term *t = eg_term(g, k);
            double sum = node_cost(g->st, m, t->node);
            for (u32 i = 0; i < t->node->nops; i++)
                sum += at[t->kids[i]];
            for (u32 i = 0; i < n; i++)
                if (w->leads[i][k] && sum < at[i] * (1 - 1e-12)) {
                    at[i] = sum;
                    more = true;
                }
        }
    }
}

/* ---- properties ---- */

/* *exact: all that brute force knows is known. */
static u32 check_relation(World *w, const Onward *o, bool *exact)
{
    u32 n = (u32)w->g.terms.len, one = 0;
    close_brute(w);
    for (u32 i = 0; i < n; i++)
        for (u32 k = 0; k < n; k++)
            assert_true(onward_leads(o, i, k) || !w->leads[i][k]);
    w->any_order = *exact = true;
    close_brute(w);
    for (u32 i = 0; i < n; i++)
        for (u32 k = 0; k < n; k++) {
            assert_true(w->leads[i][k] || !onward_leads(o, i, k));
            *exact = *exact && w->leads[i][k] == onward_leads(o, i, k);
            one += w->leads[i][k] && !w->leads[k][i];
        }
    return one;
}

/* The term that was taken out is one that the root leads to, by brute force. */
static void check_extracted(World *w, const Onward *o, bool exact, Node *root)
{
    CostModel m = {.kind = COST_TIME, .assumed = 10};
    double trees[MOST];
    Extracted e;
    Node *out;
    TermId at = eg_add(&w->g, root);
    assert_true(eg_extract(&w->g, o, &m, NULL, 1, &root, &out, &e));
    TermId to = eg_add(&w->g, out);
    assert_true(w->g.terms.len <= MOST);
    close_brute(w);
    assert_true(w->leads[at][to]);
    if (exact) { /* no way is open that the e-graph does not know */
        cheapest_trees(w, &m, trees);
        assert_true(e.cost <= trees[at] * (1 + 1e-9));
    }
    map_free(&e.chosen);
}

static u32 check(u64 seed, u32 *nexact)
{
    bool exact;
    World *w = xcalloc(1, sizeof *w);
    Onward onward;
    w->state = seed;
    assert_true(session_init(&w->s));
    eg_init(&w->g, &w->s.st);
    make_terms(w);
    make_steps(w);
    onward_open(&onward, &w->g, false);
    u32 one = check_relation(w, &onward, &exact);
    check_extracted(w, &onward, exact, w->at[TERMS - 1]);
    *nexact += exact;
    onward_close(&onward);
    eg_free(&w->g);
    session_free(&w->s);
    free(w);
    return one;
}

static void test_onward(void **state)
{
    (void)state;
    u32 cases = effort_cases(200), one = 0, exact = 0;
    for (u64 seed = 1; seed <= cases; seed++)
        one += check(seed, &exact);
    print_message(
        "%u pairs of terms of which one leads to the other, and not back, in %u e-graphs; "
        "all known in %u\n",
        one, cases, exact);
    assert_true(one > cases);
    assert_true(exact > cases * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_onward)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
