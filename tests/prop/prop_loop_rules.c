/* Rules in text over branches, derivatives, maps and loops: what is right holds on every random
 * instance (loops of 0, 1, 2 and 5 steps among them), what is wrong is refuted, and what is no rule
 * says so at its place. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "session/rule_check.h"
#include "session/session.h"

#define LOOP "scan t over us... from s = a:any, ss... { s[t] = "
#define BARE "scan t over us... from ss... { s[t-1] = "
#define MORE "; rest... }"
#define FINAL "(scan t over x, us... from s = a, ss... { s[t] = "

enum { INSTANCES = 400 };

static const char *const right[] = {
    "[E]: if not c then a:any else b:any => if c then b else a",
    "[E]: if c then a:any else a => a",
    "[E]: if true then a:any else b:any => a",
    "[E]: if c then (if d then a:any else b:any) else b => if c and d then a else b",
    "[E]: exp(if c then a else b) => if c then exp(a) else exp(b)",
    "[E]: if c then exp(a) else exp(b) => exp(if c then a else b)",
    "[E]: if c then a:any else b:any => where(c, a, b)",
    "[R]: grad(f + g, x) => grad(f, x) + grad(g, x)",
    "[R]: grad(c * f, x) => c * grad(f, x) if constant(c)",
    "[R]: grad(exp(f), x) => exp(f) * grad(f, x)",
    "[R]: vjp(-y, x, dy) => -vjp(y, x, dy)",
    "[R]: jvp(y + z, x, dx) => jvp(y, x, dx) + jvp(z, x, dx)",
    "[R]: vmap(v -> exp(y))(a) => exp(vmap(v -> y)(a))",
    "[E]: " LOOP "s[t-1]" MORE " => " BARE "a" MORE,
    "[E]: " LOOP "s[t-1] + c:any" MORE " => " BARE "a + c * t" MORE
    " if is_dtype(a, i64) and constant(c)",
    "[R O]: " FINAL "s[t-1] + x[t]" MORE ").final => a + sum(x, axis=0)",
    "[R]: " FINAL "maximum(s[t-1], x[t])" MORE
    ").final => maximum(a, max(x, axis=0)) if not_empty(x, 0)",
    "[E]: (scan t for n over us... from s = a:any, ss... { s[t] = s[t-1] + c:any" MORE
    ").final => a + c * n if is_dtype(a, i64) and constant(c)",
};

static const char *const wrong[] = {
    "[E]: if c then a:any else b:any => a",
    "[E]: if c then a:any else b:any => if c then b else a",
    "[E]: if c then x:int // z:int else b:int => where(c, x // z, b)",
    "[R]: grad(c * f, x) => c * grad(f, x)",
    "[R]: grad(f * g, x) => grad(f, x) * grad(g, x)",
    "[R]: vjp(-y, x, dy) => vjp(y, x, dy)",
    "[R]: vmap(v -> exp(y))(a) => vmap(v -> y)(a)",
    "[E]: " LOOP "e:any" MORE " => " BARE "a" MORE,
    "[E]: " LOOP "e:any" MORE " => " BARE "a" MORE " if reads(e, s)",
    "[E]: " LOOP "s[t-1] + c:any" MORE " => " BARE "a + c * (t + 1)" MORE
    " if is_dtype(a, i64) and constant(c)",
    "[E]: " LOOP "s[t-1] + c:any" MORE " => " BARE "a + c" MORE
    " if is_dtype(a, i64) and constant(c)",
    "[R]: " FINAL "s[t-1] + x[t]" MORE ").final => sum(x, axis=0)",
    "[R]: " FINAL "x[t]" MORE ").final => a",
};

static const char *const no_rules[] = {
    "[E]: if 1 then a else b => a",
    "[E]: if c then a else b => if d then a else b",
    "[E]: grad(f, 2 * x) => f",
    "[E]: grad(f, x) => grad(f, z)",
    "[E]: vmap(f)(a) => a",
    "[E]: " LOOP "s[t-2]" MORE " => " BARE "a" MORE,
    "[E]: " LOOP "r[t-1]" MORE " => " BARE "a" MORE,
    "[E]: " LOOP "s[t-1]" MORE " => a",
    "[E]: " LOOP "s[t-1]" MORE " => " BARE "b" MORE,
    "[E]: " LOOP "s[t-1]" MORE " => " LOOP "s[t-1]" MORE,
    "[E]: scan t over us... from s = a, r = b { s[t] = r[t-1]" MORE " => " BARE "a" MORE,
    "[E]: scan t over us... from ss... { rest... } => a",
    "[E]: scan t over us... from s = a { s[t] = s[t-1]; until s[t] > 3 } => a",
    "[E]: " LOOP "s[t-1]" MORE " + 1 => a",
};

/* The rule, or NULL; errors stay in s->diags. */
static const Rule *read_rule(Session *s, const char *text)
{
    Text line = {0};
    text_printf(&line, "tried %s", text);
    const Source *src = session_source(s, "rule", text_str(&line), line.len);
    size_t before = s->rules->all.len;
    bool ok = ruleset_add_text(session_own_rules(s), src, "canonicalize", &s->diags);
    text_free(&line);
    return ok && s->rules->all.len > before ? s->rules->all.at[before] : NULL;
}

static int check(const char *text, bool holds)
{
    Session s;
    RuleCheck c;
    assert_true(session_init(&s));
    const Rule *r = read_rule(&s, text);
    if (!r) {
        print_error("%s: %s\n", text, s.diags.errors ? s.diags.list.at[0].message : "no rule");
        session_free(&s);
        return 1;
    }
    rule_check(r, s.rules, INSTANCES, &c);
    bool ok = c.fired && c.refuted != holds && (!holds || c.instances >= INSTANCES / 2);
    if (!ok)
        print_error("%s: %s%s (%u instances)\n", text, c.fired ? "" : "does not fire: ",
                    c.says.len ? text_str(&c.says) : "not refuted", c.instances);
    text_free(&c.says);
    session_free(&s);
    return !ok;
}

static void test_right(void **state)
{
    (void)state;
    int bad = 0;
    for (size_t i = 0; i < COUNT_OF(right); i++)
        bad += check(right[i], true);
    assert_int_equal(bad, 0);
}

static void test_wrong(void **state)
{
    (void)state;
    int bad = 0;
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        bad += check(wrong[i], false);
    assert_int_equal(bad, 0);
}

static void test_no_rules(void **state)
{
    (void)state;
    int bad = 0;
    for (size_t i = 0; i < COUNT_OF(no_rules); i++) {
        Session s;
        assert_true(session_init(&s));
        bool read = read_rule(&s, no_rules[i]) != NULL;
        if (read || !s.diags.errors)
            print_error("%s is taken for a rule\n", no_rules[i]);
        bad += read || !s.diags.errors;
        session_free(&s);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_no_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
