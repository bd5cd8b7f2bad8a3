/* Every rule in text, without a line of code per rule: its left side is built on random and on
 * hard values (NaN, infinities, zeros of both signs), the rule fires, both sides have one type
 * and, within the rule's classes, one value, and rewriting them comes to an end. A rule that never
 * fires is a failure. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "session/session.h"
#include "rewrite/pattern.h"
#include "session/rule_check.h"

enum { INSTANCES = 200 };

/* What the rules were compared on, and for how many. */
typedef struct {
    unsigned compared, empty, special, signed0; /* comparisons */
    unsigned with_empty, with_special, with_signed0, of_dtype[DT_COUNT];
} Kinds;

static void add_kinds(Kinds *k, const RuleCheck *c)
{
    k->compared += c->instances;
    k->empty += c->empty;
    k->special += c->special;
    k->signed0 += c->signed0;
    k->with_empty += c->empty > 0;
    k->with_special += c->special > 0;
    k->with_signed0 += c->signed0 > 0;
    for (int d = 0; d < DT_COUNT; d++)
        k->of_dtype[d] += c->dtypes >> d & 1;
}

static bool factorises(const Pattern *p)
{
    bool found = p->kind == PAT_OP && op_table[p->op].cls == CLASS_LINALG && p->op != OP_MATMUL;
    for (int i = 0; p->kind == PAT_OP && i < p->n && !found; i++)
        found = factorises(p->args[i]);
    return found;
}

/* What a rule was not compared on, but ought to be; NULL: nothing. Conditions may leave no such
 * values, and factorisations say nothing of what is not finite. */
static const char *missing_kind(const Rule *r, const RuleCheck *c)
{
    bool real = false;
    for (int i = 0; i < r->vars->n; i++)
        real = real || (r->vars->kinds[i] == 'n' && r->vars->types[i] == KIND_FLOAT);
    if (!real)
        return NULL;
    if (!(c->dtypes >> DT_F32 & 1) || !(c->dtypes >> DT_F64 & 1))
        return c->dtypes >> DT_F32 & 1 ? "f64" : "f32";
    if (r->guard || factorises(r->pattern))
        return NULL;
    return !c->special ? "NaN or infinity" : !c->signed0 ? "-0" : NULL;
}

static bool check_rule(const Rule *r, const RuleSet *all, Kinds *kinds)
{
    RuleCheck check;
    Text loop = {0};
    rule_check(r, INSTANCES, &check);
    add_kinds(kinds, &check);
    const char *missing = missing_kind(r, &check);
    bool ok = check.fired && !check.refuted && rule_check_ends(r, all, &loop);
    if (!check.fired)
        print_error("%s (%s) does not fire on its own left side: %s\n", r->name, r->text,
                    text_str(&check.says));
    else if (check.refuted)
        print_error("%s (%s): %s\n", r->name, r->text, text_str(&check.says));
    else if (!ok)
        print_error("%s (%s): %s\n", r->name, r->text, text_str(&loop));
    else if (missing)
        print_error("%s (%s) was not compared on %s\n", r->name, r->text, missing);
    ok = ok && !missing;
    text_free(&check.says);
    text_free(&loop);
    return ok;
}

static void test_each_rule(void **state)
{
    (void)state;
    Session s;
    assert_true(session_init(&s));
    unsigned bad = 0, rules = 0;
    Kinds k = {0};
    for (size_t i = 0; i < s.rules.all.len; i++) {
        const Rule *r = s.rules.all.at[i];
        if (r->fn)
            continue;
        rules++;
        bad += !check_rule(r, &s.rules, &k);
    }
    print_message("%u rules, %u bad, %u comparisons\n", rules, bad, k.compared);
    print_message(
        "with NaN or infinity %u (%u rules), with -0 %u (%u rules), without elements %u (%u "
        "rules)\n",
        k.special, k.with_special, k.signed0, k.with_signed0, k.empty, k.with_empty);
    for (int d = 0; d < DT_COUNT; d++)
        if (k.of_dtype[d])
            print_message("%s: %u rules\n", dtype_name((DType)d), k.of_dtype[d]);
    assert_int_equal(bad, 0);
    session_free(&s);
}

/* Every rule in text makes its expression simpler in the canonical order, or says that it does not.
 */
static void test_order(void **state)
{
    (void)state;
    Session s;
    unsigned bad = 0, marked = 0, rules = 0;
    assert_true(session_init(&s));
    for (size_t i = 0; i < s.rules.all.len; i++) {
        const Rule *r = s.rules.all.at[i];
        Text why = {0};
        bool less = rule_decreases(r, &why);
        rules += r->text != NULL;
        marked += r->grows;
        if (less == r->grows)
            print_error("%s (%s): %s\n", r->name, r->text,
                        less ? "it is marked, but decreases" : text_str(&why));
        bad += less == r->grows;
        text_free(&why);
    }
    print_message("%u rules, %u marked as growing\n", rules, marked);
    assert_int_equal(bad, 0);
    session_free(&s);
}

/* Rules that must be refused: what is wrong with them has to be found. */
static void test_wrong_rules(void **state)
{
    static const char *const wrong[] = {
        "w [E]: sin(x) => x",
        "w [E]: x / x => ones_like(x)",
        "w [R]: exp(x) * exp(z) => exp(x + z)",
        "w [E]: 0 + x => x",
        "w [R]: sqrt(sqr(x)) => x",
        "w [R]: log(x * z) => log(x) + log(z)",
        "w [R]: sum(x, axis=A) => prod(x, axis=A)",
        "w [E]: (x + y) + z => x + (y - z)",
        "w [E]: maximum(x, y) => y",
        "w [E]: x:int // z:int => x",
        "w [D E]: abs(x) => x if finite(x)",
        "w [E]: tanh(x) => tanh(0 + x)",
        "w [E]: x - z => -(z - x)",
        "w [R]: tanh(x) => tanh(1 * x)",
        "w [R]: tanh(x) => tanh(tanh(x))",
        "w [E]: c:const * x => x",
        "w [E]: c:const * x => x * c",
        "w [R]: sin(x) => sin(x + 0 * sin(x))",
        "w [E]: x:any - z:any => z - x",
        "w [R]: x @ z => z @ x",
        /* found in other systems, or near to what they do (semantics: D7, E3, B3, B5, A8, E10, E2)
         */
        "w [R N+]: c ^ x * c ^ z => c ^ (x + z)",
        "w [R]: x ^ 0.5 => sqrt(x)",
        "w [R]: x * z / x => z",
        "w [E]: x + z - x => z",
        "w [E]: x == x => true",
        "w [E]: 0 * x => zeros_like(x)",
        "w [E]: x - x => 0",
        "w [R]: log(prod(x, axis=A)) => sum(log(x), axis=A)",
        "w [R]: log(sqr(x)) => 2 * log(x)",
        "w [E]: not (x < z) => x >= z",
        "w [E]: where(x < z, x, z) => minimum(x, z)",
        "w [E]: maximum(minimum(x, z), z) => z",
        "w [R]: sqr(sqrt(x)) => x",
        "w [R]: exp(log(x)) => x",
        "w [E]: abs(x * z) => abs(x) * z",
        "w [R N+]: exp(x) / sum(exp(x), axis=A) => exp(x)",
        "w [E]: index(sum(x, axis=A), i:int, axis=K) => sum(index(x, i, axis=K), axis=A)",
        "w [E]: transpose(transpose(x, axes=Q), axes=P) => transpose(x, axes=compose(Q, P))",
        "w [E]: sum(transpose(x, axes=P), axis=A) => sum(x, axis=A)",
        "w [R]: sum(sum(x, axis=B), axis=A) => sum(x, axis=union(A, B))",
        "w [E]: gather(scatter(x, i:int, v, axis=K, mode=0), i, axis=K) => v",
        "w [E]: flip(flip(x, axes=B), axes=A) => flip(x, axes=union(A, B))",
        "w [E]: cast(cast(x:any, dtype=C), dtype=D) => cast(x, dtype=D)",
        "w [E]: x:int % m:int => x if nonnegative(x)",
        "w [E]: floor(x) => trunc(x)",
        "w [D R]: sqrt(x) * sqrt(x) => x if finite(x)",
        "w [E]: sort(flip(x, axes=B), axis=K) => x",
        "w [E]: c:bool and (c or d:bool) => d",
        "w [E]: relu(x) => x if finite(x)",
        "w [R]: det(a @ b) => det(a) + det(b)",
        "w [R]: (a @ b)' => a' @ b'",
        "w [R]: inv(a) @ b => solve(a', b)",
    };
    (void)state;
    unsigned taken = 0;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        Session s;
        assert_true(session_init(&s));
        const Source *src = session_source(&s, "wrong", wrong[i], strlen(wrong[i]));
        Text loop = {0};
        RuleCheck check = {0};
        assert_true(ruleset_add_text(&s.rules, src, "canonicalize", &s.diags));
        const Rule *r = rule_by_name(&s.rules, "w");
        rule_check(r, INSTANCES, &check);
        bool accepted = check.fired && !check.refuted && rule_check_ends(r, &s.rules, &loop);
        if (accepted)
            print_error("accepted: %s\n", wrong[i]);
        print_message("%s: %s%s\n", wrong[i], text_str(&check.says), text_str(&loop));
        taken += accepted;
        text_free(&check.says);
        text_free(&loop);
        session_free(&s);
    }
    print_message("%zu wrong rules, %u of them taken\n", COUNT_OF(wrong), taken);
    assert_int_equal(taken, 0);
}

/* Which rules are tried at the nodes of a graph, and how long all passes take (to look at only). */
typedef struct {
    u64 tried;
    double seconds;
} Cost;

/* With `n` rules more that cannot match, of every kind of root that the expression has. */
static Cost cost_with(unsigned n)
{
    static const char *const outer[] = {"%s + x",  "%s * x",   "exp(%s)",
                                        "sin(%s)", "tanh(%s)", "x - %s"};
    static const char *const inner[] = {"lgamma(x)", "atan(%s)", "cosh(%s)", "asinh(%s)",
                                        "erf(%s)"};
    static const char *const last[] = {"log10(x)", "digamma(x)", "acos(x)", "erfinv(x)", "tan(x)"};
    Session s;
    Text rules = {0};
    assert_true(session_init(&s));
    for (unsigned i = 0; i < n; i++) {
        char a[64], b[64];
        snprintf(a, sizeof a, inner[i % 5], last[i / 5 % 5]);
        snprintf(b, sizeof b, outer[i / 25 % 6], a);
        text_printf(&rules, "r%u [E]: %s => x\n", i, b);
    }
    const Source *src = session_source(&s, "many", text_str(&rules), rules.len);
    assert_true(ruleset_add_text(&s.rules, src, "canonicalize", &s.diags));
    Node *x = node_input(&s.st, OP_INPUT, symbol(&s.st, "x"), type_scalar(&s.st, DT_F64));
    Node *y = x;
    for (int i = 0; i < 4000; i++) {
        Node *k = node_f64(&s.st, i + 0.5);
        y = node2(&s.st, OP_ADD, NULL, node1(&s.st, OP_TANH, NULL, node1(&s.st, OP_SIN, NULL, y)),
                  node1(&s.st, OP_EXP, NULL, node2(&s.st, OP_SUB, NULL, x, k)));
    }
    Cost c = {0};
    double start = now_seconds();
    exploration_free(explore(&s.st, &s.rules, 1, &y));
    c.seconds = now_seconds() - start;
    NodeVec order = {0};
    RuleList candidates = {0};
    nodes_topo(1, &y, &order);
    for (size_t i = 0; i < order.len; i++) {
        rule_candidates(&s.rules, order.at[i], rule_groups(&s.rules, "canonicalize"), &candidates);
        c.tried += candidates.len;
    }
    vec_free(&order);
    vec_free(&candidates);
    text_free(&rules);
    session_free(&s);
    return c;
}

static void test_many_rules(void **state)
{
    (void)state;
    Cost few = cost_with(0), many = cost_with(1080);
    print_message("20,000 nodes: %llu rules tried, %.1f ms; with 1080 rules more that cannot match "
                  "%llu tried, %.1f ms\n",
                  (unsigned long long)few.tried, 1000 * few.seconds, (unsigned long long)many.tried,
                  1000 * many.seconds);
    assert_true(few.tried > 0);
    assert_int_equal(many.tried, few.tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule), cmocka_unit_test(test_order),
        cmocka_unit_test(test_many_rules), cmocka_unit_test(test_wrong_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
