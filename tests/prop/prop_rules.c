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
#include "effort.h"
#include "rule_order.h"
#include "session/rule_check.h"
#include "session/rule_trial.h"

enum { INSTANCES = 1000, FEW = 250 };

/* What the rules were compared on, and for how many. */
typedef struct {
    unsigned compared, empty, special, signed0; /* comparisons */
    unsigned with_empty, with_special, with_signed0, with_partial, of_dtype[DT_COUNT];
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
    k->with_partial += c->partial > 0;
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

static bool check_rule(const Rule *r, const Session *s, Kinds *kinds)
{
    RuleCheck check;
    Text loop = {0};
    rule_check(r, s->rules, effort_keeps_all() ? INSTANCES : FEW, &check);
    add_kinds(kinds, &check);
    const char *missing = missing_kind(r, &check);
    bool ok = check.fired && !check.refuted && !check.untested &&
              rule_check_ends(r, s->rules, &s->options, &loop);
    if (!check.fired)
        print_error("%s (%s) does not fire on its own left side: %s\n", r->name, r->text,
                    text_str(&check.says));
    else if (check.refuted || check.untested)
        print_error("%s [%s] (%s): %s\n", r->name, r->source, r->text, text_str(&check.says));
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
    for (size_t i = 0; i < s.rules->all.len; i++) {
        const Rule *r = s.rules->all.at[i];
        if (r->fn)
            continue;
        rules++;
        bad += !check_rule(r, &s, &k);
    }
    print_message("%u rules, %u bad, %u comparisons\n", rules, bad, k.compared);
    print_message(
        "with NaN or infinity %u (%u rules), with -0 %u (%u rules), without elements %u (%u "
        "rules)\n",
        k.special, k.with_special, k.signed0, k.with_signed0, k.empty, k.with_empty);
    print_message("with operands that may fail %u rules\n", k.with_partial);
    assert_true(k.with_empty > 0.9 * rules && k.with_partial > 0.5 * rules);
    for (int d = 0; d < DT_COUNT; d++)
        if (k.of_dtype[d])
            print_message("%s: %u rules\n", dtype_name((DType)d), k.of_dtype[d]);
    assert_int_equal(bad, 0);
    session_free(&s);
}

/* The rule in text that is first to fire at n, of those that take part with r. */
static const Rule *first_at(Trial *t, const Rule *r, Node *n)
{
    RuleList candidates = {0};
    Facts facts = {0};
    const Rule *first = NULL;
    rule_candidates(t->s.rules, n, rule_groups(t->s.rules, r->pass), &candidates);
    for (size_t k = 0; k < candidates.len && !first; k++) {
        const Rule *q = t->s.rules->all.at[candidates.at[k]];
        Text why = {0};
        u32 extra = 0;
        bool itself = !strcmp(q->name, r->name);
        if (itself || (q->text && !rule_is_on_loop(q) && rule_allowed(&t->s.options, q) &&
                       rule_apply_text(&t->s.st, q, &facts, n, &why, &extra)))
            first = q;
        text_free(&why);
    }
    vec_free(&candidates);
    facts_free(&facts);
    return first;
}

/* An earlier rule that fires wherever r could, or NULL. */
static const Rule *always_before(const Rule *r, const RuleSet *rs)
{
    Trial *t = xcalloc(1, sizeof *t);
    const Rule *before = NULL;
    bool fires = !trial_init(t, r, rs) || t->ninstances == 0;
    for (int i = 0; i < t->ninstances && !fires; i++) {
        const Rule *first = first_at(t, r, t->instances[i].before);
        fires = !first || !strcmp(first->name, r->name);
        before = fires ? NULL : rule_by_name(rs, first->name);
    }
    trial_free(t);
    free(t);
    return before;
}

/* Matching knows which operators commute, so a rule needs no second form. */
static void test_no_rule_is_hidden(void **state)
{
    (void)state;
    Session s;
    unsigned hidden = 0;
    assert_true(session_init(&s));
    for (size_t i = 0; i < s.rules->all.len; i++) {
        const Rule *r = s.rules->all.at[i];
        bool in_order = r->text && !rule_is_on_loop(r) && !rule_is_for_equality(r);
        const Rule *before = in_order ? always_before(r, s.rules) : NULL;
        if (before)
            print_error("%s (%s) never fires: %s (%s) does before it\n", r->name, r->text,
                        before->name, before->text);
        hidden += before != NULL;
    }
    assert_int_equal(hidden, 0);
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
    for (size_t i = 0; i < s.rules->all.len; i++) {
        const Rule *r = s.rules->all.at[i];
        Text why = {0};
        bool less = rule_is_for_equality(r) ? !r->grows : rule_decreases(r, &why);
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

typedef struct {
    bool read, fired, refuted, untested, accepted;
    char *says;
} EqualVerdict;

/* What `:rule` would say of a rule called w. */
static EqualVerdict judge(const char *rule)
{
    Session s;
    EqualVerdict v = {0};
    Text loop = {0};
    RuleCheck check = {0};
    assert_true(session_init(&s));
    const Source *src = session_source(&s, "rule", rule, strlen(rule));
    v.read = ruleset_add_text(session_own_rules(&s), src, "canonicalize", &s.diags);
    if (v.read) {
        const Rule *r = rule_by_name(s.rules, "w");
        rule_check(r, s.rules, INSTANCES, &check);
        v.accepted = check.fired && !check.refuted && !check.untested &&
                     rule_check_ends(r, s.rules, &s.options, &loop);
        text_put(&check.says, text_str(&loop));
    } else {
        text_put(&check.says, s.diags.list.at[0].message);
    }
    v.fired = check.fired;
    v.refuted = check.refuted;
    v.untested = check.untested;
    v.says = text_take(&check.says);
    text_free(&loop);
    session_free(&s);
    return v;
}

/* The rules of a file, a line each; `#` begins a comment. Calls `each` with a rule that is named w
 * and with its own name. */
static unsigned each_rule(const char *path, unsigned *bad, bool (*each)(const char *, const char *))
{
    FILE *in = fopen(path, "r");
    char line[1024], rule[1100], name[64];
    unsigned n = 0;
    if (!in)
        fail_msg("%s cannot be read", path);
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        const char *classes = strchr(line, '[');
        if (line[0] == '#' || !classes || sscanf(line, "%63s", name) != 1)
            continue;
        snprintf(rule, sizeof rule, "w %s", classes);
        *bad += !each(name, rule);
        n++;
    }
    fclose(in);
    return n;
}

static bool is_refused(const char *name, const char *rule)
{
    EqualVerdict v = judge(rule);
    bool ok = v.read && !v.accepted;
    if (!ok)
        print_error("%s: %s: %s%s\n", v.read ? "accepted" : "not read", name, rule + 2,
                    v.read ? "" : v.says);
    else
        print_message("%s: %s\n", name, v.says);
    free(v.says);
    return ok;
}

static bool is_refuted(const char *name, const char *rule)
{
    EqualVerdict v = judge(rule);
    bool ok = v.read && v.fired && !v.accepted;
    print_message("%s: %s\n", name, v.says);
    if (!ok)
        print_error("%s: %s: %s\n",
                    !v.read   ? "not read"
                    : v.fired ? "accepted"
                              : "not tried",
                    name, rule + 2);
    free(v.says);
    return ok;
}

static bool is_accepted(const char *name, const char *rule)
{
    EqualVerdict v = judge(rule);
    bool ok = v.read && v.fired && !v.refuted && !v.untested;
    if (!ok)
        print_error("refused: %s: %s: %s\n", name, rule + 2, v.says);
    free(v.says);
    return ok;
}

/* A file's rules, `least` of them and more, are as they should be. */
static void try_file(const char *path, unsigned least, bool (*is_so)(const char *, const char *))
{
    unsigned bad = 0, n = each_rule(path, &bad, is_so);
    print_message("%s: %u rules, %u not as they should be\n", path, n, bad);
    assert_true(n >= least);
    assert_int_equal(bad, 0);
}

static void test_wrong_rules(void **state)
{
    (void)state;
    try_file("tests/rules_trial/wrong.rules", 160, is_refuted);
}

static void test_right_rules(void **state)
{
    (void)state;
    try_file("tests/rules_trial/right.rules", 40, is_accepted);
}

/* Rules that are wrong in one subtle way each, and their right relatives. */
static void test_rules_on_trial(void **state)
{
    (void)state;
    try_file("tests/rules_trial/unsound.rules", 100, is_refused);
    try_file("tests/rules_trial/sound.rules", 100, is_accepted);
}

/* A counterexample shows what both sides are on that very instance: for a right side that is a
 * number, that number, unless something stood beside the left side, which is then told. */
static void test_true_counterexamples(void **state)
{
    static const struct {
        const char *rule, *right;
    } cases[] = {
        {"w [R]: a * 0 + 5 => 5", "the right side 5.0"},
        {"w [R]: a - a + 7 => 7", "the right side 7.0"},
        {"w [R]: sin(a) ^ 2 + cos(a) ^ 2 => 1", "the right side 1.0"},
        {"w [R]: a / a * 3 => 3", "the right side 3.0"},
        {"w [E]: x:int - x + 2 => 3", "the right side 3"},
        {"w [E]: x:int * 0 => 1", "the right side 1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EqualVerdict v = judge(cases[i].rule);
        assert_true(v.refuted);
        if (!strstr(v.says, cases[i].right) || strstr(v.says, ", plus ") ||
            strstr(v.says, ", times "))
            fail_msg("%s: %s", cases[i].rule, v.says);
        free(v.says);
    }
    EqualVerdict v =
        judge("w [R]: x + z + y => x + z + y if finite(x)"); /* itself: nothing to say */
    assert_false(v.accepted);
    free(v.says);
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
    assert_true(ruleset_add_text(session_own_rules(&s), src, "canonicalize", &s.diags));
    Node *x = node_input(&s.st, OP_INPUT, symbol(&s.st, "x"), type_scalar(&s.st, DT_F64));
    Node *y = x;
    for (int i = 0; i < 4000; i++) {
        Node *k = node_f64(&s.st, i + 0.5);
        y = node2(&s.st, OP_ADD, NULL, node1(&s.st, OP_TANH, NULL, node1(&s.st, OP_SIN, NULL, y)),
                  node1(&s.st, OP_EXP, NULL, node2(&s.st, OP_SUB, NULL, x, k)));
    }
    Cost c = {0};
    double start = now_seconds();
    exploration_free(explore(&s.st, s.rules, &s.options, 1, &y));
    c.seconds = now_seconds() - start;
    NodeVec order = {0};
    RuleList candidates = {0};
    nodes_topo(1, &y, &order);
    for (size_t i = 0; i < order.len; i++) {
        rule_candidates(s.rules, order.at[i], rule_groups(s.rules, "canonicalize"), &candidates);
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

int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_rule),         cmocka_unit_test(test_order),
        cmocka_unit_test(test_no_rule_is_hidden), cmocka_unit_test(test_many_rules),
        cmocka_unit_test(test_wrong_rules),       cmocka_unit_test(test_right_rules),
        cmocka_unit_test(test_rules_on_trial),    cmocka_unit_test(test_true_counterexamples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
