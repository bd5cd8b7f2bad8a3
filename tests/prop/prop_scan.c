/* The unrolled oracle: a scan, written out step by step, has the same values and the same
 * derivatives. Programs come from scan_gen.c; final states, traces, steps, first, second
 * and third derivatives (in reverse for some), vjp and jvp are compared, with the rewriting of
 * loops on and off; first derivatives also with finite differences. GRADUS_SEED, GRADUS_CASES and
 * GRADUS_THIRD (one in so many) choose; GRADUS_SHOW=1 prints the programs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include "effort.h"
#include "scan_gen_body.h"
#include "scan_run.h"

enum { LARGE = 100000000 };

typedef struct {
    Text scan, unrolled; /* two tuples of as many items */
    int count;
} Pairs;

typedef struct {
    u32 cases, skipped, compared, differences, third, audited, steps, lowered;
    u32 by_family[GEN_FAMILIES], by_end[GEN_ENDS];
} Tally;

typedef struct {
    ScanCase c;
    Session s;
    Tally *tally;
    const char *what, *detail;
    Text why;
    bool too_large;
    u32 third_of; /* one in so many is differentiated three times in reverse */
} Run;

/* One of `most`, the same for a seed every time, not in step with the grid. */
static bool chosen(const ScanCase *c, u64 salt, u32 most)
{
    u64 rng = c->seed * 977 + salt;
    return gen_pick(&rng, 1u << 20) % most == 0;
}

/* ---- pairs to compare ---- */

static void pair_begin(Pairs *p)
{
    text_put(&p->scan, p->count ? ", " : "(");
    text_put(&p->unrolled, p->count ? ", " : "(");
    p->count++;
}

static void pair_end(Pairs *p)
{
    text_put(&p->scan, p->count == 1 ? ",)" : ")");
    text_put(&p->unrolled, p->count == 1 ? ",)" : ")");
}

static void pairs_free(Pairs *p)
{
    text_free(&p->scan);
    text_free(&p->unrolled);
}

static void pair_values(const ScanCase *c, Pairs *p)
{
    for (int i = 0; i < c->nequations; i++) {
        pair_begin(p);
        scan_case_trace(c, i, false, &p->scan);
        scan_case_trace(c, i, true, &p->unrolled);
        if (!c->equations[i].state)
            continue;
        pair_begin(p);
        scan_case_final(c, i, false, &p->scan);
        scan_case_final(c, i, true, &p->unrolled);
    }
    pair_begin(p);
    text_put(&p->scan, "S.steps");
    text_printf(&p->unrolled, "%d", c->executed);
    pair_begin(p);
    text_put(&p->scan, "S.stopped");
    text_put(&p->unrolled, c->stop && c->stop <= c->n && c->executed ? "true" : "false");
    pair_begin(p);
    text_put(&p->scan, text_str((Text *)&c->loss[0]));
    text_put(&p->unrolled, text_str((Text *)&c->loss[1]));
    pair_end(p);
}

/* grads of order `order`, defined by define_grads before. */
static void pair_grads(const ScanCase *c, int order, Pairs *p)
{
    for (int i = 0; i < c->nwanted; i++) {
        pair_begin(p);
        text_printf(&p->scan, "A%d_%d", order, i);
        text_printf(&p->unrolled, "B%d_%d", order, i);
    }
    pair_end(p);
}

static void pair_products(const ScanCase *c, Pairs *p)
{
    for (int i = 0; i < c->nequations; i++)
        for (int side = 0; side < 2; side++) {
            Text *t = side ? &p->unrolled : &p->scan;
            if (!side)
                pair_begin(p);
            text_put(t, "vjp(");
            scan_case_trace(c, i, side, t);
            text_put(t, ", [");
            for (int k = 0; k < c->nwanted; k++)
                text_printf(t, "%s%s", k ? ", " : "", c->wanted[k]);
            text_put(t, "], ");
            scan_case_trace_vector(c, i, c->seed * 31 + 7, t);
            text_put(t, ")");
            if (!c->equations[i].state)
                continue;
            int x = (int)(c->seed + (u64)i) % c->nwanted;
            text_put(t, ", jvp(");
            (c->seed % 2 ? scan_case_final : scan_case_trace)(c, i, side, t);
            text_printf(t, ", %s, ", c->wanted[x]);
            scan_case_input_vector(c, x, c->seed * 37 + 11, t);
            text_put(t, ")");
        }
    pair_end(p);
}

/* "jvp(E, x, v)", nested `times` deep, for the loss of one side. */
static void put_pushed(const ScanCase *c, int side, int x, int times, Text *t)
{
    for (int i = 0; i < times; i++)
        text_put(t, "jvp(");
    text_put(t, text_str((Text *)&c->loss[side]));
    for (int i = 0; i < times; i++) {
        text_printf(t, ", %s, ", c->wanted[x]);
        scan_case_input_vector(c, x, c->seed * 41 + 13, t);
        text_put(t, ")");
    }
}

static void put_along(const ScanCase *c, const char *derivative, int x, Text *t)
{
    text_printf(t, "sum(%s * ", derivative);
    scan_case_input_vector(c, x, c->seed * 41 + 13, t);
    text_put(t, ")");
}

/* Forward mode of the scan against reverse mode of the unrolled program: of first and second order
 * in all ways to mix them, and the third order for some. First derivatives must be defined. */
static void pair_modes(const ScanCase *c, Pairs *p)
{
    for (int x = 0; x < c->nwanted; x++) {
        char first[32];
        snprintf(first, sizeof first, "B1_%d", x);
        pair_begin(p);
        put_pushed(c, 0, x, 1, &p->scan);
        put_along(c, first, x, &p->unrolled);
    }
    int x = (int)(c->seed % (u64)c->nwanted);
    char pushed[32];
    for (int way = 0; way < 3; way++) { /* F over F, F over R, R over F; all against R over R */
        Text inner = {0};
        pair_begin(p);
        if (way == 0) {
            put_pushed(c, 0, x, 2, &p->scan);
        } else if (way == 1) {
            snprintf(pushed, sizeof pushed, "A1_%d", x);
            text_put(&p->scan, "jvp(");
            put_along(c, pushed, x, &p->scan);
            text_printf(&p->scan, ", %s, ", c->wanted[x]);
            scan_case_input_vector(c, x, c->seed * 41 + 13, &p->scan);
            text_put(&p->scan, ")");
        } else {
            text_put(&inner, "grad(");
            put_pushed(c, 0, x, 1, &inner);
            text_printf(&inner, ", %s, unconnected=zero)", c->wanted[x]);
            put_along(c, text_str(&inner), x, &p->scan);
        }
        inner.len = 0;
        text_put(&inner, "grad(");
        snprintf(pushed, sizeof pushed, "B1_%d", x);
        put_along(c, pushed, x, &inner);
        text_printf(&inner, ", %s, unconnected=zero)", c->wanted[x]);
        put_along(c, text_str(&inner), x, &p->unrolled);
        text_free(&inner);
    }
    pair_begin(p);
    put_pushed(c, 0, x, 3, &p->scan);
    put_pushed(c, 1, x, 3, &p->unrolled);
    pair_end(p);
}

/* Definitions of all first derivatives of the loss; those of order k + 1 are of the sum of those of
 * order k. */
static void define_grads(const ScanCase *c, int order, bool unrolled, Text *out)
{
    char side = unrolled ? 'B' : 'A';
    for (int i = 0; i < c->nwanted; i++)
        text_printf(out, "%s%c%d_%d", i ? ", " : "", side, order, i);
    text_put(out, " = grad(");
    if (order == 1)
        text_put(out, text_str((Text *)&c->loss[unrolled]));
    for (int i = 0; i < c->nwanted && order > 1; i++)
        text_printf(out, "%s%.1f * sum(%c%d_%d)", i ? " + " : "", 1 - 0.1 * i, side, order - 1, i);
    text_put(out, ", [");
    for (int i = 0; i < c->nwanted; i++)
        text_printf(out, "%s%s", i ? ", " : "", c->wanted[i]);
    text_put(out, "], unconnected=zero)\n");
}

/* ---- comparing ---- */

static bool failed_at(Run *r, const char *what, const char *detail)
{
    r->what = what;
    r->detail = detail;
    return false;
}

static bool is_tame(const Values *v)
{
    for (int i = 0; i < v->n; i++)
        for (i64 k = 0; k < v->at[i]->count; k++)
            if (!(fabs(tensor_f64_at(v->at[i], k)) < LARGE))
                return false;
    return true;
}

static bool equal_values(Run *r, const Values *a, const Values *b, const char *what)
{
    if (a->n != b->n)
        return failed_at(r, what, "another number of values");
    for (int i = 0; i < a->n; i++) {
        double error = values_error(a->at[i], b->at[i]);
        r->tally->compared++;
        if (error <= 1e-9)
            continue;
        r->why.len = 0;
        text_printf(&r->why, "item %d, error %g\n", i, error);
        tensor_print(&r->why, a->at[i], 0, 0);
        text_put(&r->why, "\n");
        tensor_print(&r->why, b->at[i], 0, 0);
        return failed_at(r, what, text_str(&r->why));
    }
    return true;
}

static bool compare(Run *r, Pairs *p, const char *what)
{
    Values scan = {0}, plain = {0}, unrolled = {0};
    bool ok = true;
    if (!run_values(&r->s, text_str(&p->unrolled), true, &unrolled))
        ok = failed_at(r, what, "the unrolled program does not run");
    else if (!is_tame(&unrolled))
        r->too_large = true;
    else if (!run_values(&r->s, text_str(&p->scan), true, &scan))
        ok = failed_at(r, what, "the scan does not run");
    else if (!run_values(&r->s, text_str(&p->scan), false, &plain))
        ok = failed_at(r, what, "the scan does not run with loops off");
    else
        ok = equal_values(r, &scan, &unrolled, what) && equal_values(r, &plain, &scan, what);
    values_free(&scan);
    values_free(&plain);
    values_free(&unrolled);
    return ok;
}

static bool compare_and_free(Run *r, Pairs *p, const char *what)
{
    bool ok = r->too_large || compare(r, p, what);
    pairs_free(p);
    return ok;
}

static bool compare_order(Run *r, int order)
{
    static const char *const names[] = {"values", "gradient", "second derivative",
                                        "third derivative"};
    if (r->too_large)
        return true;
    for (int side = 0; side < 2; side++) {
        Text t = {0};
        define_grads(&r->c, order, side, &t);
        bool ok = run_statements(&r->s, text_str(&t));
        text_free(&t);
        if (!ok)
            return failed_at(r, names[order], "the derivative is refused");
    }
    Pairs p = {0};
    pair_grads(&r->c, order, &p);
    return compare_and_free(r, &p, names[order]);
}

/* Central differences of the loss along a random direction of each input. */
static bool compare_differences(Run *r)
{
    ScanCase *c = &r->c;
    Pairs p = {0};
    pair_grads(c, 1, &p);
    Values g = {0};
    bool ok = run_values(&r->s, text_str(&p.scan), true, &g);
    for (int i = 0; i < c->nwanted && ok; i++) {
        double slope, along;
        ok = run_difference(&r->s, text_str(&c->loss[0]), c->wanted[i], g.at[i], c->seed + (u64)i,
                            &slope, &along);
        if (ok && !(fabs(slope - along) <= 1e-5 * fmax(1, fmax(fabs(slope), fabs(along))))) {
            r->why.len = 0;
            text_printf(&r->why, "by %s: %.12g, differences give %.12g", c->wanted[i], along,
                        slope);
            ok = failed_at(r, "finite differences", text_str(&r->why));
        }
        r->tally->differences++;
    }
    values_free(&g);
    pairs_free(&p);
    return ok;
}

static bool compare_audit(Run *r, int order)
{
    Pairs p = {0};
    if (order)
        pair_grads(&r->c, order, &p);
    else
        pair_values(&r->c, &p);
    u32 steps = 0;
    r->why.len = 0;
    bool ok = run_audit(&r->s, text_str(&p.scan), &steps, &r->why);
    r->tally->audited++;
    r->tally->steps += steps;
    pairs_free(&p);
    return ok || failed_at(r, "audit", text_str(&r->why));
}

/* The values and first derivatives with and without the pass `lower`, bit for bit. */
static bool compare_lowered(Run *r)
{
    Pairs values = {0}, grads = {0};
    pair_values(&r->c, &values);
    pair_grads(&r->c, 1, &grads);
    r->why.len = 0;
    bool ok = run_lowered(&r->s, text_str(&values.scan), &r->tally->lowered, &r->why) &&
              run_lowered(&r->s, text_str(&grads.scan), &r->tally->lowered, &r->why);
    pairs_free(&values);
    pairs_free(&grads);
    return ok || failed_at(r, "lowered", text_str(&r->why));
}

/* ---- a case ---- */

static bool compare_all(Run *r)
{
    ScanCase *c = &r->c;
    if (!run_statements(&r->s, text_str(&c->inputs)) ||
        !run_statements(&r->s, text_str(&c->definitions)))
        return failed_at(r, "the inputs", "do not build");
    if (!run_statements(&r->s, text_str(&c->scan)))
        return failed_at(r, "the scan", "does not build");
    if (!run_statements(&r->s, text_str(&c->unrolled)))
        return failed_at(r, "the unrolled text", "does not build");
    Pairs values = {0}, products = {0}, modes = {0};
    pair_values(c, &values);
    pair_products(c, &products);
    pair_modes(c, &modes);
    bool ok = compare_and_free(r, &values, "values") && compare_order(r, 1);
    ok = (ok && compare_and_free(r, &products, "vjp and jvp")) || (pairs_free(&products), false);
    ok = (ok && compare_and_free(r, &modes, "forward and reverse")) || (pairs_free(&modes), false);
    ok = ok && (r->too_large || compare_lowered(r)) && compare_order(r, 2);
    if (ok && !r->too_large && c->n <= 3 && chosen(c, 3, r->third_of)) {
        ok = compare_order(r, 3);
        r->tally->third++;
    }
    if (ok && !r->too_large && !c->interior && chosen(c, 1, 3))
        ok = compare_differences(r);
    if (ok && !r->too_large && chosen(c, 2, 6))
        ok = compare_audit(r, chosen(c, 4, 2) ? 1 : 0);
    return ok;
}

static void show(Run *r)
{
    ScanCase *c = &r->c;
    Text t = {0};
    text_printf(&t, "%s%s%s%s", text_str(&c->inputs), text_str(&c->definitions), text_str(&c->scan),
                text_str(&c->unrolled));
    define_grads(c, 1, false, &t);
    define_grads(c, 1, true, &t);
    fprintf(stderr, "%s", text_str(&t)); /* cmocka's own printing cuts long texts */
    text_free(&t);
}

static bool one_case(u64 seed, Tally *tally)
{
    Run r = {.tally = tally, .third_of = from_env("GRADUS_THIRD", 8)};
    scan_case_make(&r.c, seed);
    bool ok = session_init(&r.s) && compare_all(&r);
    if (!ok || getenv("GRADUS_SHOW"))
        show(&r);
    if (!ok) {
        print_error("seed %llu: %s: %s\n", (unsigned long long)seed, r.what,
                    r.detail ? r.detail : "");
        for (size_t i = 0; i < r.s.diags.list.len; i++)
            print_error("  %s\n", r.s.diags.list.at[i].message);
    }
    tally->cases++;
    tally->by_family[r.c.family]++;
    tally->by_end[r.c.end]++;
    tally->skipped += r.too_large;
    text_free(&r.why);
    session_free(&r.s);
    scan_case_free(&r.c);
    return ok;
}

static void test_scan_equals_unrolled(void **state)
{
    (void)state;
    u32 seed = from_env("GRADUS_SEED", 1), cases = effort_cases(GEN_CELLS),
        stride = effort_stride(), failed = 0;
    Tally t = {0};
    for (u32 i = 0; i < cases && failed < 10; i++)
        failed += !one_case(seed + i * stride, &t);
    print_message("%u programs (%u left early: values beyond 1e8), %u values compared, %u finite "
                  "differences, "
                  "%u audits of %u steps, %u values the same bits when lowered\n",
                  t.cases, t.skipped, t.compared, t.differences, t.audited, t.steps, t.lowered);
    print_message("%u third derivatives in reverse; families:", t.third);
    for (int i = 0; i < GEN_FAMILIES; i++)
        print_message(" %s %u%c", gen_family_names[i], t.by_family[i], ",;"[i == GEN_FAMILIES - 1]);
    for (int i = 0; i < GEN_ENDS; i++)
        print_message(" %s %u%c", gen_end_names[i], t.by_end[i], ",\n"[i == GEN_ENDS - 1]);
    assert_int_equal(failed, 0);
    assert_true(t.lowered > t.cases);
    assert_true(t.skipped * 4 < t.cases + 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scan_equals_unrolled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
