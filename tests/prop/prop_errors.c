/* Errors are part of the value: on random programs full of operators that may fail (divisors that
 * are zero, positions out of range, extremes of nothing, loops of no step) every step keeps the
 * error, or the lack of it. GRADUS_SEED and GRADUS_CASES choose. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "effort.h"
#include "run_text.h"
#include "rewrite/history.h"

typedef struct {
    u64 state;
    Text out;
    int loops; /* nesting */
} Gen;

static u32 pick(Gen *g, u32 n)
{
    g->state = g->state * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(hash_mix(g->state, 5) >> 33) % n;
}

static void put(Gen *g, const char *s) { text_put(&g->out, s); }

/* A scalar, a vector of three, a vector of none; truths: scalars. */
typedef enum { SCALAR, THREE, NONE } Shape;
static void whole(Gen *g, Shape shape, int depth);
static void truth(Gen *g, int depth);

/* "before(inner)after" */
static void around(Gen *g, const char *before, Shape inner, int depth, const char *after)
{
    put(g, before);
    whole(g, inner, depth - 1);
    put(g, after);
}

static void binary(Gen *g, Shape a, Shape b, int depth)
{
    static const char *const ops[] = {" // ", " % ", " // ", " * ", " + ", " - "};
    around(g, "(", a, depth, ops[pick(g, COUNT_OF(ops))]);
    around(g, "", b, depth, ")");
}

static void choice(Gen *g, Shape shape, int depth)
{
    bool lazy = pick(g, 2);
    put(g, lazy ? "(if " : "where(");
    truth(g, depth - 1);
    around(g, lazy ? " then " : ", ", shape, depth, lazy ? " else " : ", ");
    around(g, "", shape, depth, ")");
}

/* The last value of a recurrence, or a trace as long as the shape says. */
static void loop(Gen *g, Shape shape, int depth)
{
    static const char *const index[] = {"t", "i", "j"}, *const state[] = {"a", "b", "c"};
    const char *t = index[g->loops], *s = state[g->loops];
    const char *over = shape == THREE ? "over u = K" : shape == NONE ? "over u = Z" : "for n";
    text_printf(&g->out, "{ L = scan %s %s from %s = 1 { %s[%s] = %s[%s-1] %s ", t, over, s, s, t,
                s, t, pick(g, 2) ? "+" : "//");
    g->loops++;
    whole(g, SCALAR, depth - 2);
    g->loops--;
    if (shape != SCALAR && pick(g, 2))
        text_printf(&g->out, " + %d // u[%s]", (int)pick(g, 3), t);
    put(g, shape != SCALAR ? " }; L }" : pick(g, 3) ? " }; L.final }" : " }; L[-1] }");
}

static void leaf(Gen *g, Shape shape)
{
    static const char *const scalars[] = {"k", "d", "n", "0", "1", "2", "-1", "3"};
    static const char *const three[] = {"K", "D", "arange(3)"};
    put(g, shape == SCALAR  ? scalars[pick(g, COUNT_OF(scalars))]
           : shape == THREE ? three[pick(g, COUNT_OF(three))]
                            : "Z");
}

static void reduced(Gen *g, int depth)
{
    static const char *const names[] = {"sum(", "max(", "min(", "argmax(", "prod(", "argmin("};
    around(g, names[pick(g, COUNT_OF(names))], pick(g, 2) ? THREE : NONE, depth, ")");
}

static void whole(Gen *g, Shape shape, int depth)
{
    static const char *const same[] = {"flip(", "sort(", "cumsum(", "abs(", "-("};
    bool scalar = shape == SCALAR;
    if (depth <= 0) {
        leaf(g, shape);
        return;
    }
    switch (pick(g, 13)) {
    case 0:
    case 1: binary(g, shape, shape, depth); break;
    case 2: binary(g, shape, SCALAR, depth); break;
    case 3: binary(g, SCALAR, shape, depth); break;
    case 4: choice(g, shape, depth); break;
    case 5:
        if (g->loops < 2 && depth > 1)
            loop(g, shape, depth);
        else
            leaf(g, shape);
        break;
    case 6:
        if (scalar)
            reduced(g, depth);
        else
            around(g, shape == THREE ? "full((3,), " : "full((0,), ", SCALAR, depth, ")");
        break;
    case 7:
        if (scalar) {
            around(g, "(", pick(g, 3) ? THREE : NONE, depth, ")[");
            around(g, "", SCALAR, depth, "]");
        } else {
            around(g, same[pick(g, COUNT_OF(same))], shape, depth, ")");
        }
        break;
    case 8:
        if (scalar) {
            binary(g, SCALAR, SCALAR, depth);
        } else {
            around(g, "map(v -> ", SCALAR, depth, pick(g, 2) ? " // v, " : " + v // d, ");
            around(g, "", shape, depth, ")");
        }
        break;
    case 9:
        if (shape == THREE) {
            around(g, "stack([", SCALAR, depth, ", ");
            around(g, "", SCALAR, depth, ", ");
            around(g, "", SCALAR, depth, "])");
        } else if (shape == NONE) {
            around(g, "(", THREE, depth, ")[2:2]");
        } else {
            around(g, "concat((", THREE, depth, ", ");
            around(g, "", NONE, depth, "))[");
            text_printf(&g->out, "%u]", pick(g, 4));
        }
        break;
    case 10: /* read, and written, at places that may not be there */
        if (scalar) {
            around(g, "sum((", THREE, depth, ")[");
            around(g, "", THREE, depth, "])");
        } else {
            around(g, "(", pick(g, 3) ? THREE : shape, depth, ")[");
            around(g, "", shape, depth, "]");
        }
        break;
    case 11:
        if (scalar) {
            around(g, "sum((", THREE, depth, ")[");
            around(g, "", SCALAR, depth, ":2])");
        } else {
            around(g, "(", shape, depth, " with [");
            around(g, "", SCALAR, depth, pick(g, 2) ? "] = " : "] += ");
            around(g, "", SCALAR, depth, ")");
        }
        break;
    default: leaf(g, shape);
    }
}

static void truth(Gen *g, int depth)
{
    static const char *const ops[] = {" > ", " == ", " < ", " != "};
    if (depth <= 0 || pick(g, 4) == 0) {
        put(g, pick(g, 2) ? "y" : pick(g, 2) ? "true" : "false");
        return;
    }
    around(g, "(", SCALAR, depth, ops[pick(g, COUNT_OF(ops))]);
    around(g, "", SCALAR, depth, ")");
}

static void declare(Session *s, Gen *g)
{
    Text t = {0};
    text_printf(&t, "K : i64[3] = [%d, %d, %d]\nD : i64[3] = [%d, 1, %d]\nZ : i64[0] = []\n",
                (int)pick(g, 4) - 1, (int)pick(g, 4) - 1, (int)pick(g, 4) - 1, (int)pick(g, 2),
                (int)pick(g, 3));
    text_printf(&t, "k : i64 = %d\nd : i64 = %d\nn : i64 = %d\ny : bool = %s\n",
                (int)pick(g, 5) - 2, pick(g, 3) ? 0 : 2, (int)pick(g, 4) - (int)pick(g, 2),
                pick(g, 2) ? "true" : "false");
    run_statements(s, text_str(&t));
    text_free(&t);
}

typedef struct {
    u32 audited, steps, failing;
} Tally;

static bool audit_fine(Session *s, Exploration *x, Tally *t, Text *why)
{
    Audit a;
    bool ok = session_audit(s, x, &a);
    for (size_t i = 0; i < a.rows.len && ok; i++) {
        const AuditRow *row = &a.rows.at[i];
        ok = !row->breaks;
        if (ok)
            continue;
        place_print(why, &row->place);
        text_printf(why, ", %s: %s", step_rule(row->step), row->breaks);
    }
    t->audited += ok;
    t->steps += a.steps;
    t->failing += a.steps > a.compared;
    audit_free(&a);
    return ok;
}

static bool one_case(unsigned seed, u32 allowed, Tally *t)
{
    Gen g = {.state = seed * 7919ull + 29};
    Session s;
    bool ok = session_init(&s);
    declare(&s, &g);
    whole(&g, (Shape)pick(&g, 3), 4);
    s.options.allowed = allowed;
    Exploration *x = ok ? run_pipeline(&s, text_str(&g.out)) : NULL;
    Text why = {0};
    ok = !x || x->failed || audit_fine(&s, x, t, &why); /* wrong for certain: told when built */
    if (!ok)
        print_error("seed %u: %s\n  %s\n", seed, text_str(&why), text_str(&g.out));
    text_free(&why);
    text_free(&g.out);
    session_free(&s);
    return ok;
}

static void test_steps_keep_errors(void **state)
{
    (void)state;
    unsigned seed = from_env("GRADUS_SEED", 1), failed = 0;
    unsigned cases = from_env("GRADUS_CASES", effort_some(1500));
    Tally t = {0};
    for (unsigned i = 0; i < cases && failed < 10; i++)
        failed += !one_case(seed + i, i % 3 ? HAZARD_DEFAULT : HAZARD_ALL & ~(u32)HAZARD_S, &t);
    print_message("%u programs, %u audited, %u steps; %u with errors\n", cases, t.audited, t.steps,
                  t.failing);
    assert_int_equal(failed, 0);
    assert_true(t.failing > cases / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps_keep_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
