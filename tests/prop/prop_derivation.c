/* Derivatives taken apart, on random programs: every child state is well formed and has the value
 * of the first, the last state is what expanding in one step gives, and every child has the text
 * of a rule. GRADUS_SEED and GRADUS_CASES choose. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include "session/session.h"
#include "effort.h"
#include "passes/passes.h"
#include "rewrite/history.h"
#include "scan_gen.h"
#include "scan_run.h"

typedef struct {
    u32 programs, derivations, states, inner, compared;
} Tally;

static bool evaluate(Session *s, int n, Node *const *roots, Tensor **out)
{
    Node **plain = xmalloc(((size_t)n + 1) * sizeof *plain);
    memcpy(plain, roots, (size_t)n * sizeof *plain);
    bool ok = derivatives_expand(&s->st, s->rules, &s->options, n, plain) &&
              session_evaluate_raw(s, n, plain, NULL, out);
    free(plain);
    return ok;
}

static void drop(int n, Tensor **t)
{
    for (int i = 0; i < n && t; i++)
        tensor_unref(t[i]);
    free(t);
}

/* Does a root stand over parameters (a derivative inside a loop's body)? */
static bool is_inside(int n, Node *const *roots)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        found = found || order.at[i]->op == OP_PARAM;
    vec_free(&order);
    return found;
}

static const char *check_texts(const StepLog *log, Tally *t)
{
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        if (!s->rule || !s->rule->reason || strlen(s->rule->reason) < 8)
            return print_error("%s: ", step_rule(s)), "a child step has no rule text";
        t->inner += s->inner != NULL;
        const char *why = s->inner ? check_texts(s->inner, t) : NULL;
        if (why)
            return why;
    }
    return NULL;
}

/* Inner logs replay over their body too. */
static const char *check_inner(Session *s, const StepLog *log)
{
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *step = &log->at.at[i];
        if (!step->inner)
            continue;
        const Graph *g = step->inner_before;
        Node **roots = xmalloc(((size_t)g->nouts + 1) * sizeof *roots);
        bool ok = true;
        Text why = {0};
        for (u32 k = 0; k <= step->inner->at.len && ok; k++)
            ok = log_replay(&s->st, step->inner, k, g->nouts, g->outs, roots) &&
                 graph_verify(&s->st, g->nouts, roots, &why);
        for (int o = 0; o < g->nouts && ok; o++)
            ok = step->inner->at.len > 0;
        text_free(&why);
        free(roots);
        if (!ok)
            return "the steps inside a body do not replay";
    }
    return NULL;
}

static const char *check_states(Session *s, const Step *step, const Opened *o, Tally *t)
{
    Node **roots = xmalloc(((size_t)o->n + 1) * sizeof *roots);
    Tensor **first = NULL;
    const char *why = NULL;
    Text text = {0};
    bool inside = is_inside(o->n, o->start);
    for (u32 k = 0; k <= o->log.at.len && !why; k++) {
        if (!log_replay(&s->st, &o->log, k, o->n, o->start, roots))
            why = "the child steps do not replay";
        else if (!graph_verify(&s->st, o->n, roots, &text))
            why = "a child state is not well formed";
        if (why || inside)
            continue;
        Tensor **now = xcalloc((size_t)o->n + 1, sizeof *now);
        if (!evaluate(s, o->n, roots, now))
            why = "a child state cannot be evaluated";
        for (int i = 0; i < o->n && first && !why; i++) {
            if (!(values_error(first[i], now[i]) <= 1e-9))
                why = "a child state has another value";
            t->compared++;
        }
        if (first)
            drop(o->n, now);
        else
            first = now;
        t->states++;
    }
    for (int i = 0; i < o->n && !why; i++)
        if (roots[i] != step->changes[i].after)
            why = "the last state is not the whole expansion";
    drop(o->n, first);
    free(roots);
    text_free(&text);
    return why;
}

static const char *check_log(Session *s, const StepLog *log, Tally *t)
{
    const char *why = NULL;
    for (size_t i = 0; i < log->at.len && !why; i++) {
        const Step *step = &log->at.at[i];
        if (step->inner && !step->again)
            why = check_log(s, step->inner, t);
        if (why || !step_opens(step) || step->again)
            continue;
        Opened o;
        t->derivations++;
        why = !step_open(&s->st, step, &o) ? "a derivative cannot be taken apart"
              : !o.log.at.len              ? "a derivative has no child steps"
                                           : NULL;
        why = why ? why : check_texts(&o.log, t);
        why = why ? why : check_inner(s, &o.log);
        why = why ? why : check_states(s, step, &o, t);
        opened_free(&o);
    }
    return why;
}

static const char *check_text(Session *s, const char *text, Tally *t)
{
    Exploration *x = run_pipeline(s, text);
    t->programs++;
    return x && !x->failed ? check_log(s, &x->log, t) : "it does not build";
}

/* ---- programs ---- */

static bool one_case(u64 seed, Tally *t)
{
    ScanCase c;
    Session s;
    scan_case_make(&c, seed);
    bool ok = session_init(&s) && run_statements(&s, text_str(&c.inputs)) &&
              run_statements(&s, text_str(&c.definitions)) && run_statements(&s, text_str(&c.scan));
    const char *why = ok ? NULL : "it does not build", *loss = text_str(&c.loss[0]);
    Text texts[4] = {{0}};
    text_printf(&texts[0], "grad(%s, [", loss);
    for (int i = 0; i < c.nwanted; i++)
        text_printf(&texts[0], "%s%s", i ? ", " : "", c.wanted[i]);
    text_put(&texts[0], "], unconnected=zero)");
    text_printf(&texts[1], "jvp(%s, %s, ", loss, c.wanted[0]);
    scan_case_input_vector(&c, 0, seed, &texts[1]);
    text_put(&texts[1], ")");
    text_printf(&texts[2], "jvp(grad(%s, %s, unconnected=zero), %s, ", loss, c.wanted[0],
                c.wanted[0]);
    scan_case_input_vector(&c, 0, seed, &texts[2]);
    text_put(&texts[2], ")");
    text_printf(&texts[3], "grad(sum(sqr(grad(%s, %s, unconnected=zero))), %s, unconnected=zero)",
                loss, c.wanted[0], c.wanted[0]);
    size_t at = 0;
    for (; at < COUNT_OF(texts) && !why; at++)
        why = seed % 5 && at == 3 ? NULL : check_text(&s, text_str(&texts[at]), t);
    if (why) {
        fprintf(stderr, "seed %llu: %s\n%s%s%s%s\n", (unsigned long long)seed, why,
                text_str(&c.inputs), text_str(&c.definitions), text_str(&c.scan),
                at ? text_str(&texts[at - 1]) : "");
        for (size_t i = 0; i < s.diags.list.len; i++)
            fprintf(stderr, "  %s\n", s.diags.list.at[i].message);
    }
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        text_free(&texts[i]);
    session_free(&s);
    scan_case_free(&c);
    return why == NULL;
}

static void test_derivations(void **state)
{
    (void)state;
    u32 seed = from_env("GRADUS_SEED", 1), cases = effort_cases(30), failed = 0;
    Tally t = {0};
    for (u32 i = 0; i < cases && failed < 5; i++)
        failed += !one_case(seed + i, &t);
    print_message("%u programs, %u derivatives taken apart, %u states (%u with steps inside a "
                  "body), %u values compared\n",
                  t.programs, t.derivations, t.states, t.inner, t.compared);
    assert_int_equal(failed, 0);
    assert_true(t.states > 10 * cases && t.inner > 0);
}

/* Every operator with a derivative says how it goes. */
static void test_every_rule_has_a_text(void **state)
{
    (void)state;
    u32 count = 0;
    for (int op = 0; op < OP_COUNT; op++) {
        const OpInfo *info = &op_table[op];
        bool none = info->vjp == op_table[OP_IOTA].vjp || info->cls == CLASS_ELEMENTWISE ||
                    info->cls == CLASS_STRUCTURAL;
        if (op == OP_LOOP || (none && op != OP_WHERE && op != OP_CAST)) /* a loop has none */
            continue;
        if (strncmp(info->rule, "d ", 2) != 0)
            print_error("%s: no rule\n", info->name);
        assert_int_equal(strncmp(info->rule, "d ", 2), 0);
        count++;
    }
    print_message("%u operators\n", count);
    assert_true(count > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_derivations),
                                       cmocka_unit_test(test_every_rule_has_a_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
