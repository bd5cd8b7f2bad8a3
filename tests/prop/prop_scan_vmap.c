/* vmap of scans against the unrolled oracle: the programs of scan_gen.c as functions of a lane.
 * Lanes have values of their own and, where a loop has `until` or a count that is an input, numbers
 * of steps of their own. What vmap gives of the function with the scan is the stack of what the
 * unrolled function of each lane gives: final states, sums of traces, steps, the loss; and so are
 * derivatives of the whole batch (grad, jvp, second order) and batches of derivatives. GRADUS_SEED,
 * GRADUS_CASES and GRADUS_SHOW as in prop_scan. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include "effort.h"
#include "scan_gen_body.h"
#include "scan_run.h"

enum { LANES = 3, LARGE = 100000000 };

typedef struct {
    Session s;
    ScanCase lane[LANES];
    u64 random;
    bool batched[GEN_WANTED + 1]; /* the last: the number of steps */
    bool ragged;
    Text program, why;
    const char *what;
    bool too_large;
} Run;

typedef struct {
    u32 cases, ragged, skipped, compared, none;
    u32 by_family[GEN_FAMILIES], by_end[GEN_ENDS];
} Tally;

static const ScanCase *one(const Run *r) { return &r->lane[0]; }

/* ---- the program ---- */

/* Lanes of an input: multiples of its value, so that they are of its size whatever that is. */
static void declare_lanes(Run *r, int i)
{
    const ScanCase *c = one(r);
    const char *x = c->wanted[i];
    Text sizes = {0};
    scan_case_input_sizes(c, i, &sizes);
    text_printf(&r->program, "L%s : f64[%d%s%s]\nL%s := stack((%s, 0.7 * %s + 0.1, 0.4 - %s))\n", x,
                LANES, sizes.len ? ", " : "", text_str(&sizes), x, x, x, x);
    text_free(&sizes);
}

static void parameters(const Run *r, Text *out)
{
    for (int i = 0; i < one(r)->nwanted; i++)
        text_printf(out, "%s, ", one(r)->wanted[i]);
    text_put(out, "lane");
}

/* What a lane computes: everything that is not of the lane's own length. */
static void results(const ScanCase *c, bool unrolled, Text *out)
{
    text_printf(out, "(%s", text_str((Text *)&c->loss[unrolled]));
    for (int i = 0; i < c->nequations; i++) {
        text_put(out, ", sum(cos(");
        scan_case_trace(c, i, unrolled, out);
        text_put(out, "), axis=0)");
        if (c->equations[i].state) {
            text_put(out, ", ");
            scan_case_final(c, i, unrolled, out);
        }
    }
    if (unrolled)
        text_printf(out, ", %d)", c->executed);
    else
        text_put(out, ", S.steps)");
}

/* f: with the scan; g0, g1, g2: unrolled, by lane. F and G0... give the loss alone, which always
 * depends on c. */
static void define(Run *r, int lane)
{
    Text *p = &r->program;
    const ScanCase *c = lane < 0 ? one(r) : &r->lane[lane];
    for (int loss = 0; loss < 2; loss++) {
        if (lane < 0)
            text_put(p, loss ? "F(" : "f(");
        else
            text_printf(p, loss ? "G%d(" : "g%d(", lane);
        parameters(r, p);
        text_printf(p, ") = {\n%s%s", text_str((Text *)&c->definitions),
                    text_str((Text *)(lane < 0 ? &c->scan : &c->unrolled)));
        if (loss)
            text_printf(p, "%s + 0.3 * c ^ 2", text_str((Text *)&c->loss[lane >= 0]));
        else
            results(c, lane >= 0, p);
        text_put(p, "\n}\n");
    }
}

static bool pick(Run *r, u32 n) { return gen_pick(&r->random, n) == 0; }

/* Every lane takes a number of steps of its own, where that can be. */
static void make_lanes(Run *r, u64 seed)
{
    scan_case_make_lane(&r->lane[0], seed, 1);
    int n = r->lane[0].n, most = r->lane[0].kind == GEN_WHILE || r->lane[0].stop ? 4 : n;
    r->ragged = scan_case_ragged(&r->lane[0]) && r->batched[GEN_WANTED];
    for (int l = 0; l < LANES; l++) {
        int steps = n && most ? 1 + (int)gen_pick(&r->random, (u32)most) : n;
        if (l && !r->ragged)
            steps = r->lane[0].lane;
        scan_case_free(&r->lane[l]);
        scan_case_make_lane(&r->lane[l], seed, steps);
    }
}

static void write_program(Run *r)
{
    const ScanCase *c = one(r);
    text_put(&r->program, text_str((Text *)&c->inputs));
    text_printf(&r->program, "lane : i64 = %d\nLlane : i64[%d] = [", scan_case_lane_value(c),
                LANES);
    for (int l = 0; l < LANES; l++)
        text_printf(&r->program, "%s%d", l ? ", " : "", scan_case_lane_value(&r->lane[l]));
    text_put(&r->program, "]\n");
    for (int i = 0; i < c->nwanted; i++)
        if (r->batched[i])
            declare_lanes(r, i);
    for (int l = -1; l < LANES; l++)
        define(r, l);
}

/* "vmap(f, in_axes=(0, None))(Lc, v)" */
static void put_batch(const Run *r, const char *f, Text *out)
{
    text_printf(out, "vmap(%s, in_axes=(", f);
    for (int i = 0; i < one(r)->nwanted; i++)
        text_put(out, r->batched[i] ? "0, " : "None, ");
    text_put(out, r->ragged ? "0))(" : "None))(");
    for (int i = 0; i < one(r)->nwanted; i++)
        text_printf(out, "%s%s, ", r->batched[i] ? "L" : "", one(r)->wanted[i]);
    text_put(out, r->ragged ? "Llane)" : "lane)");
}

/* "g1(Lc[1], v)" */
static void put_lane(const Run *r, const char *f, int lane, Text *out)
{
    text_printf(out, f, lane);
    text_put(out, "(");
    for (int i = 0; i < one(r)->nwanted; i++)
        if (r->batched[i])
            text_printf(out, "L%s[%d], ", one(r)->wanted[i], lane);
        else
            text_printf(out, "%s, ", one(r)->wanted[i]);
    text_put(out, "lane)");
}

static void put_stack(const Run *r, const char *f, const char *after, Text *out)
{
    text_put(out, "stack((");
    for (int l = 0; l < LANES; l++) {
        text_put(out, l ? ", " : "");
        put_lane(r, f, l, out);
        text_put(out, after);
    }
    text_put(out, "))");
}

/* ---- comparing ---- */

static bool is_tame(const Values *v)
{
    for (int i = 0; i < v->n; i++)
        for (i64 k = 0; k < v->at[i]->count; k++)
            if (!(fabs(tensor_f64_at(v->at[i], k)) < LARGE))
                return false;
    return true;
}

static bool equal_values(Run *r, const Values *a, const Values *b, Tally *t)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++, t->compared++) {
        double error = values_error(a->at[i], b->at[i]);
        if (error <= 1e-9)
            continue;
        text_printf(&r->why, "item %d, error %g\n", i, error);
        tensor_print(&r->why, a->at[i], 0, 0);
        text_put(&r->why, "\n");
        tensor_print(&r->why, b->at[i], 0, 0);
        return false;
    }
    return true;
}

/* Frees both texts. */
static bool compare(Run *r, const char *what, Text *batch, Text *lanes, Tally *t)
{
    Values a = {0}, b = {0};
    bool ok = r->too_large;
    r->what = what;
    if (!ok && run_values(&r->s, text_str(lanes), true, &b)) {
        r->too_large = !is_tame(&b);
        ok = r->too_large ||
             (run_values(&r->s, text_str(batch), true, &a) && equal_values(r, &a, &b, t));
    }
    if (!ok)
        text_printf(&r->why, "\n%s\n%s\n", text_str(batch), text_str(lanes));
    values_free(&a);
    values_free(&b);
    text_free(batch);
    text_free(lanes);
    return ok;
}

static bool compare_values(Run *r, Tally *t)
{
    Text a = {0}, b = {0};
    int n = 2 + one(r)->nequations + one(r)->nstates;
    put_batch(r, "f", &a);
    for (int i = 0; i < n; i++) {
        char part[16];
        snprintf(part, sizeof part, "[%d]", i);
        text_put(&b, i ? ", " : "(");
        put_stack(r, "g%d", part, &b);
    }
    text_put(&b, ")");
    return compare(r, "values", &a, &b, t);
}

static void put_wanted(const Run *r, Text *out)
{
    text_put(out, ", [");
    for (int i = 0; i < one(r)->nwanted; i++)
        text_printf(out, "%s%s%s", i ? ", " : "", r->batched[i] ? "L" : "", one(r)->wanted[i]);
    text_put(out, "], unconnected=zero)");
}

/* grad(sum(cos(batch)), all inputs), and the derivative of the sum of that. */
static void put_gradient(const Run *r, bool batch, int order, Text *out)
{
    if (order > 1) {
        text_put(out, "{ s = ");
        put_gradient(r, batch, order - 1, out);
        text_put(out, "; grad(");
        for (int i = 0; i < one(r)->nwanted; i++)
            text_printf(out, "%ssum(s[%d])", i ? " + " : "", i);
    } else {
        text_put(out, "grad(sum(cos(");
        if (batch)
            put_batch(r, "F", out);
        else
            put_stack(r, "G%d", "", out);
        text_put(out, "))");
    }
    put_wanted(r, out);
    text_put(out, order > 1 ? " }" : "");
}

static bool compare_gradients(Run *r, int order, Tally *t)
{
    Text a = {0}, b = {0};
    put_gradient(r, true, order, &a);
    put_gradient(r, false, order, &b);
    return compare(r, order == 1 ? "gradient of the batch" : "second derivative of the batch", &a,
                   &b, t);
}

/* By the first input, which is c: a batch of gradients, and the tangent of a batch. */
static bool compare_inside(Run *r, Tally *t)
{
    Text a = {0}, b = {0}, tangent = {0};
    put_batch(r, "grad(F)", &a);
    put_stack(r, "grad(G%d)", "", &b);
    if (!compare(r, "batch of gradients", &a, &b, t))
        return false;
    text_printf(&tangent, ", %sc, %s)", r->batched[0] ? "L" : "",
                r->batched[0] ? "[1.0, -0.5, 0.25]" : "0.75");
    text_put(&a, "jvp(");
    put_batch(r, "F", &a);
    text_put(&a, text_str(&tangent));
    text_put(&b, "jvp(");
    put_stack(r, "G%d", "", &b);
    text_put(&b, text_str(&tangent));
    text_free(&tangent);
    return compare(r, "tangent of the batch", &a, &b, t);
}

/* ---- a case ---- */

static bool one_case(u64 seed, Tally *t)
{
    Run r = {.random = seed * 104729 + 71};
    bool some = false;
    for (int i = 0; i <= GEN_WANTED; i++)
        r.batched[i] = !pick(&r, 3);
    for (int i = 0; i < GEN_WANTED; i++)
        some |= r.batched[i] && i < 3;
    r.batched[1] |= !some;
    make_lanes(&r, seed);
    write_program(&r);
    bool ok = session_init(&r.s) && run_statements(&r.s, text_str(&r.program));
    r.what = "does not build";
    bool second = one(&r)->n <= 3 && pick(&r, 3);
    ok = ok && compare_values(&r, t) && compare_gradients(&r, 1, t) && compare_inside(&r, t) &&
         (!second || compare_gradients(&r, 2, t));
    if (!ok || getenv("GRADUS_SHOW"))
        fprintf(stderr, "%s", text_str(&r.program));
    if (!ok) {
        fprintf(stderr, "seed %llu: %s: %s\n", (unsigned long long)seed, r.what, text_str(&r.why));
        for (size_t i = 0; i < r.s.diags.list.len; i++)
            fprintf(stderr, "  %s\n", r.s.diags.list.at[i].message);
    }
    t->cases++;
    t->ragged += r.ragged;
    t->skipped += r.too_large;
    t->by_family[one(&r)->family]++;
    t->by_end[one(&r)->end]++;
    session_free(&r.s);
    for (int l = 0; l < LANES; l++)
        scan_case_free(&r.lane[l]);
    text_free(&r.program);
    text_free(&r.why);
    return ok;
}

static void test_batches_of_scans(void **state)
{
    (void)state;
    u32 seed = from_env("GRADUS_SEED", 1), cases = effort_cases(GEN_CELLS), failed = 0;
    Tally t = {0};
    for (u32 i = 0; i < cases && failed < 10; i++)
        failed += !one_case(seed + i * effort_stride(), &t);
    print_message(
        "%u programs of %d lanes (%u with steps of their own, %u left early: values beyond "
        "1e8), %u values compared; families:",
        t.cases, LANES, t.ragged, t.skipped, t.compared);
    for (int i = 0; i < GEN_FAMILIES; i++)
        print_message(" %s %u%c", gen_family_names[i], t.by_family[i], ",;"[i == GEN_FAMILIES - 1]);
    for (int i = 0; i < GEN_ENDS; i++)
        print_message(" %s %u%c", gen_end_names[i], t.by_end[i], ",\n"[i == GEN_ENDS - 1]);
    assert_int_equal(failed, 0);
    assert_true(t.ragged * 5 > t.cases || cases < GEN_CELLS);
    assert_true(t.skipped * 4 < t.cases + 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_batches_of_scans)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
