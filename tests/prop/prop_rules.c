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

static bool check_rule(const Rule *r, const RuleSet *all, Kinds *kinds)
{
    RuleCheck check;
    Text loop = {0};
    rule_check(r, effort_keeps_all() ? INSTANCES : FEW, &check);
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
    rule_candidates(&t->s.rules, n, rule_groups(&t->s.rules, r->pass), &candidates);
    for (size_t k = 0; k < candidates.len && !first; k++) {
        const Rule *q = t->s.rules.all.at[candidates.at[k]];
        Text why = {0};
        u32 extra = 0;
        bool itself = !strcmp(q->name, r->name);
        if (itself || (q->text && !rule_is_on_loop(q) && rule_allowed(&t->s.rules, q) &&
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
    bool fires = !trial_init(t, r) || t->ninstances == 0;
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
    for (size_t i = 0; i < s.rules.all.len; i++) {
        const Rule *r = s.rules.all.at[i];
        bool in_order = r->text && !rule_is_on_loop(r) && !rule_is_for_equality(r);
        const Rule *before = in_order ? always_before(r, &s.rules) : NULL;
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
    for (size_t i = 0; i < s.rules.all.len; i++) {
        const Rule *r = s.rules.all.at[i];
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
    bool read, fired, refuted, accepted;
    char *says;
} Verdict;

/* What `:rule` would say of a rule called w. */
static Verdict judge(const char *rule)
{
    Session s;
    Verdict v = {0};
    Text loop = {0};
    RuleCheck check = {0};
    assert_true(session_init(&s));
    const Source *src = session_source(&s, "rule", rule, strlen(rule));
    v.read = ruleset_add_text(&s.rules, src, "canonicalize", &s.diags);
    if (v.read) {
        const Rule *r = rule_by_name(&s.rules, "w");
        rule_check(r, INSTANCES, &check);
        v.accepted = check.fired && !check.refuted && rule_check_ends(r, &s.rules, &loop);
        text_put(&check.says, text_str(&loop));
    } else {
        text_put(&check.says, s.diags.list.at[0].message);
    }
    v.fired = check.fired;
    v.refuted = check.refuted;
    v.says = text_take(&check.says);
    text_free(&loop);
    session_free(&s);
    return v;
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
        /* wrong at one number, which stands in the rule */
        "w [E]: where(x == 0.123, x + 1, x) => x",
        "w [R]: where(x == 0.123, x + 1, x) => x",
        "w [E]: where(x == 7.0, 0.0, x) => x",
        "w [E]: where(x:int == 7, 0, x) => x",
        "w [E]: where(x:int == 123456, x + 1, x) => x",
        "w [E]: where(x > 1e300, 0.0, x) => x",
        "w [E]: where(x < -1e300, 0.0, x) => x",
        "w [E]: where(x >= 1234.5, x, z) => where(x > 1234.5, x, z)",
        "w [E]: x < 0.1 => x <= 0.1",
        "w [E]: x:int < 1000 => x < 999",
        "w [E]: x:int <= 77777 => x < 77777",
        "w [E]: where(x + 2.5 == 7.25, 0.0, x) => x",
        "w [E]: where(x * 4 == 9, 0.0, x) => x",
        "w [E]: where(sqr(x) == 49, 0.0, x) => x",
        "w [E]: where(abs(x) > 1e100, x, 0.0) => where(x > 1e100, x, 0.0)",
        "w [R]: minimum(maximum(x, -1000.0), 1000.0) => x",
        "w [E]: maximum(x, -1e6) => x",
        "w [E]: minimum(x, 1e6) => x",
        "w [E]: maximum(x:int, -100000) => x",
        "w [E]: where(x == z + 0.5, 0.0, x) => x",
        "w [E]: where(isinf(x), 0.0, x) => x",
        "w [E]: where(isnan(x), 0.0, x) => x",
        /* integers that wrap */
        "w [E]: x:int * 3 // 3 => x",
        "w [E]: x:int * 2 // 2 => x",
        "w [E]: (x:int + 1) * 2 - x > x => true",
        "w [E]: x:int + 1 > x => true",
        "w [E]: x:int - 1 < x => true",
        "w [E]: abs(x:int) >= 0 => true",
        "w [E]: abs(x:int) < 0 => false",
        "w [E]: -(x:int) != x => x != 0",
        "w [E]: right_shift(left_shift(x:int, 1), 1) => x",
        "w [E]: left_shift(right_shift(x:int, 1), 1) => x",
        "w [E]: x:int * x >= 0 => true",
        "w [E]: sqr(x:int) >= 0 => true",
        "w [E]: x:int < z:int => x - z < 0",
        "w [E]: x:int == z:int => cast(x, dtype=f64) == cast(z, dtype=f64)",
        "w [E]: cast(cast(x:int, dtype=f64), dtype=i64) => cast(x, dtype=i64)",
        "w [E]: cast(cast(x:int, dtype=i32), dtype=i64) => cast(x, dtype=i64)",
        "w [E]: x:int % 128 => x",
        "w [E]: x:int % 2 == 1 => x % 2 != 1",
        "w [E]: bitwise_and(x:int, 255) => x % 255",
        "w [E]: bitwise_and(x:int, 127) => x",
        "w [E]: x:int // 2 => right_shift(x, 2)",
        "w [E]: x:int // z:int * z => x",
        "w [E]: -x:int // z:int => -(x // z)",
        "w [E]: -x:int % z:int => -(x % z)",
        "w [E]: (x:int + z:int) // 2 => x // 2 + z // 2",
        "w [E]: x:int ^ 2 > 100000 => x > 316",
        /* an intermediate that overflows, or loses all digits */
        "w [E]: x * 2 / 2 => x",
        "w [E]: x / 3 * 3 => x",
        "w [R]: x * 1e200 * 1e-200 => x",
        "w [R]: exp(x) * exp(-x) => ones_like(x)",
        "w [R]: sqrt(sqr(x) + sqr(z)) => hypot(x, z)",
        "w [R]: sqr(x) / x => x",
        "w [R]: (x + z) - z => x if finite(x)",
        "w [R]: log(exp(x)) => x",
        "w [R]: reciprocal(x) * reciprocal(z) => reciprocal(x * z)",
        "w [R]: x * reciprocal(z) => x / z",
        "w [R]: log(x) - log(z) => log(x / z)",
        "w [R]: tanh(atanh(x)) => x",
        "w [R]: sin(asin(x)) => x",
        "w [R]: asin(sin(x)) => x",
        "w [R N+]: atan(tan(x)) => x",
        "w [R]: x ^ 2 ^ 0.5 => x",
        "w [R]: cosh(x) - sinh(x) => exp(-x)",
        "w [E]: x == z => x - z == 0",
        "w [E]: x < z => x - z < 0",
        "w [E]: x == z => cast(x, dtype=f32) == cast(z, dtype=f32)",
        "w [E]: cast(cast(x, dtype=f32), dtype=f64) => cast(x, dtype=f64)",
        "w [R]: cast(cast(x, dtype=i64), dtype=f64) => floor(cast(x, dtype=f64))",
        "w [R]: cast(cast(x, dtype=i32), dtype=f64) => trunc(cast(x, dtype=f64))",
        /* zeros of both signs, NaN, infinity */
        "w [E]: x * -1 + 0 => -x",
        "w [E]: 0 - x => -x",
        "w [E]: x + 0 => x",
        "w [E]: sqrt(x) => x ^ 0.5",
        "w [E]: abs(x) => where(x >= 0, x, -x)",
        "w [E]: relu(x) => where(x > 0, x, 0.0)",
        "w [E]: sign(x) * abs(x) => x",
        "w [E]: maximum(x, z) => where(x > z, x, z)",
        "w [E]: minimum(x, z) => where(x < z, x, z)",
        "w [E]: x <= z => not (x > z)",
        "w [E]: x != x => false",
        "w [E]: x / z == x / z => true",
        "w [Z]: 0 * x => zeros_like(x)",
        "w [Z]: x - x => zeros_like(x)",
        "w [R]: a * 0 + 5 => 5",
        "w [R]: a - a + 7 => 7",
        "w [R]: sin(a) ^ 2 + cos(a) ^ 2 => 1",
        "w [R]: x / x => ones_like(x)",
        "w [E]: floor(x + 0.5) => round(x)",
        "w [E]: -(x + z) => -x - z",
        /* empty axes and axes of one element */
        "w [E]: max(x:any, axis=A) => -min(-x, axis=A)",
        "w [E]: sum(c, axis=A) => drop(c, A) if constant_along(c, A)",
        "w [E]: max(c, axis=A) => drop(c, A) if constant_along(c, A)",
        "w [E]: any(c:bool, axis=A) => drop(c, A) if constant_along(c, A)",
        "w [E]: all(c:bool, axis=A) => drop(c, A) if constant_along(c, A)",
        "w [E]: prod(c, axis=A) => drop(c, A) if constant_along(c, A)",
        "w [E]: all(c:bool, axis=A) => any(c, axis=A) if one_long(c, (0,))",
        "w [E]: sum(x:int, axis=A) => max(x, axis=A)",
        "w [E]: cumsum(x:int, axis=K, reverse=R) => x",
        "w [E]: argmax(x:any, axis=K) => argmin(x, axis=K)",
        "w [E]: sort(x:any, axis=K) => cummax(x, axis=K, reverse=false)",
        /* the sum of i32 is an i64; a product over nothing is 0, and 0 * nan is nan */
        "w [E]: sum(x:int + z:int, axis=A) => sum(x, axis=A) + sum(z, axis=A) if same_type(x, z)",
        "w [R]: (a @ b) @ c => a @ (b @ c) if matrix(a) and matrix(b) and matrix(c)",
        /* errors that vanish, or appear */
        "w [E]: index(x:any, i:int, axis=K) => drop(x, K) if constant_along(x, K)",
        "w [E]: x:int // z:int // z => x // z // (z * 1) if nonzero(x)",
        "w [E]: x:int % m:int % m => x if nonnegative(x)",
        "w [E]: 1 ^ x:int => ones_like(x)",
        "w [E]: where(c:bool, x:int // z:int, x) => where(c, x, x // z)",
        "w [E]: x:int * z:int // z => x",
        "w [E]: index(set_index(x:any, i:int, v:any, axis=K, mode=0), i, axis=K) => v",
        "w [E]: gather(gather(x:any, i:int, axis=0), j:int, axis=0) => "
        "gather(x, gather(i, j, axis=0), axis=0) if vector(i)",
        "w [E]: x:int + 1 // z:int - 1 // z => x",
    };
    (void)state;
    unsigned taken = 0, unread = 0;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        Verdict v = judge(wrong[i]);
        if (!v.read)
            print_error("not read: %s: %s\n", wrong[i], v.says);
        else if (v.accepted)
            print_error("accepted: %s\n", wrong[i]);
        else if (!v.fired)
            print_error("it was not tried: %s: %s\n", wrong[i], v.says);
        print_message("%s: %s\n", wrong[i], v.says);
        taken += v.accepted;
        unread += !v.read || !v.fired;
        free(v.says);
    }
    print_message("%zu wrong rules, %u of them taken\n", COUNT_OF(wrong), taken);
    assert_int_equal(unread, 0);
    assert_int_equal(taken, 0);
}

/* Rules that must be accepted: no hard value speaks against them. */
static void test_sound_rules(void **state)
{
    static const char *const sound[] = {
        "w [E]: x * 2 => x + x",
        "w [E]: where(x == x, x, z) => where(isnan(x), z, x)",
        "w [E]: where(x > 1e300, x, x) => x",
        "w [E]: not (x == 0.123) => x != 0.123",
        "w [E]: where(x:int == 7, 7, x) => x",
        "w [E]: x:int - 1 + 1 => x",
        "w [E]: (x:int + 5) - x => 5 * ones_like(x)",
        "w [E]: x:int * 4 => left_shift(x, 2)",
        "w [E]: bitwise_xor(bitwise_xor(x:int, z:int), z) => x",
        "w [E]: bitwise_not(bitwise_and(bitwise_not(x:int), bitwise_not(z:int))) => "
        "bitwise_or(x, z)",
        "w [E]: -(x:int) => bitwise_not(x) + 1",
        "w [E]: x:int % 2 == 1 => bitwise_and(x, 1) == 1",
        "w [E]: x:int // 4 => right_shift(x, 2)",
        "w [E]: bitwise_and(x:int, 255) => x % 256",
        "w [E]: x:int < 1000 => x <= 999",
        "w [E]: x:int > 5 => x >= 6",
        "w [E]: x:int ^ 2 => x * x",
        "w [E]: maximum(x:int, z:int) + minimum(x, z) => x + z",
        "w [E]: x / 4 => 0.25 * x",
        "w [E]: abs(x * z) => abs(x) * abs(z)",
        "w [E]: -(x * z) => x * -z",
        "w [E]: sqr(abs(x) * z) => sqr(x * z)",
        "w [E]: maximum(-x, x) => abs(x)",
        "w [E]: x - z == 0 and isfinite(x) => x == z and isfinite(x)",
        "w [E]: c:bool == d:bool => not (c != d)",
        "w [E]: where(not c:bool, x, z) => where(c, z, x)",
        "w [Z]: 0 - x => -x",
        "w [Z]: x + 0 => x",
        "w [Z]: -(x - z) => z - x",
        "w [N- Z]: 0 * x => zeros_like(x)",
        "w [R N+]: sqr(x) / x => x if nonzero(x)",
        "w [R N+]: exp(x) * exp(z) => exp(x + z)",
        "w [R N+]: log(exp(x)) => x",
        "w [R]: 3 * x + 2 * x => 5 * x",
        "w [R]: x / 3 => x * 0.3333333333333333",
        "w [R N+]: 1 / (1 / x) => x",
        "w [R]: sin(x) * 2 => sin(x) + sin(x)",
        "w [R]: tanh(-x) => -tanh(x)",
        "w [E]: max(flip(x:any, axes=B), axis=A) => max(x, axis=A) if includes(A, B)",
        "w [E]: max(c, axis=A) => drop(c, A) if constant_along(c, A) and not_empty(c, A)",
        "w [E]: transpose(transpose(x:any, axes=Q), axes=P) => transpose(x, axes=compose(P, Q))",
        "w [R]: sum(x + z, axis=A) => sum(x, axis=A) + sum(z, axis=A) if same_type(x, z)",
        "w [S]: x:int // z:int * 0 => zeros_like(x // z)",
        "w [E]: x:int % m:int % m => x % m",
        "w [R N-]: (a @ b) @ c => a @ (b @ c) if matrix(a) and matrix(b) and matrix(c)",
    };
    (void)state;
    unsigned refused = 0;
    for (size_t i = 0; i < COUNT_OF(sound); i++) {
        Verdict v = judge(sound[i]);
        if (!v.read || !v.fired || v.refuted)
            print_error("refused: %s: %s\n", sound[i], v.says);
        refused += !v.read || !v.fired || v.refuted;
        free(v.says);
    }
    print_message("%zu sound rules, %u of them refused\n", COUNT_OF(sound), refused);
    assert_int_equal(refused, 0);
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
        Verdict v = judge(cases[i].rule);
        assert_true(v.refuted);
        if (!strstr(v.says, cases[i].right) || strstr(v.says, ", plus ") ||
            strstr(v.says, ", times "))
            fail_msg("%s: %s", cases[i].rule, v.says);
        free(v.says);
    }
    Verdict v = judge("w [R]: x + z + y => x + z + y if finite(x)"); /* itself: nothing to say */
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
        cmocka_unit_test(test_each_rule),           cmocka_unit_test(test_order),
        cmocka_unit_test(test_no_rule_is_hidden),   cmocka_unit_test(test_many_rules),
        cmocka_unit_test(test_wrong_rules),         cmocka_unit_test(test_sound_rules),
        cmocka_unit_test(test_true_counterexamples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
