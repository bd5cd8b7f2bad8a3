/* Steps that open, over all programs that tests have: the child steps of each replay from what it
 * replaced to what it put there, the same nodes; every state between is well formed and has the
 * value that was there before, to the bit where the rule's class is exact. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "corpus.h"
#include "effort.h"
#include "graph/print.h"
#include "passes/passes.h"
#include "rewrite/bounds.h"
#include "rewrite/history.h"

typedef struct {
    const char *rule;
    u32 steps, states, compared;
} Seen;

typedef struct {
    Corpus *c;
    VEC(Seen) seen;
    u32 failed;
    PtrMap logs; /* of bodies that were gone through */
} Tally;

static Seen *seen_of(Tally *t, const char *rule)
{
    for (size_t i = 0; i < t->seen.len; i++)
        if (!strcmp(t->seen.at[i].rule, rule))
            return &t->seen.at[i];
    vec_push(&t->seen, ((Seen){.rule = rule}));
    return &t->seen.at[t->seen.len - 1];
}

static bool is_param(const Node *n) { return n->op == OP_PARAM; }

/* In a body there are no values to compute with. */
static bool is_inside(int n, Node *const *roots)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        found = found || is_param(order.at[i]);
    vec_free(&order);
    return found;
}

static void drop(int n, Tensor **t)
{
    for (int i = 0; i < n && t; i++)
        tensor_unref(t[i]);
    free(t);
}

/* NULL: they have no value (an input without one, an error at run time). */
static Tensor **evaluate(Session *s, int n, Node *const *roots)
{
    Node **plain = xmalloc(((size_t)n + 1) * sizeof *plain);
    Tensor **out = xcalloc((size_t)n + 1, sizeof *out);
    memcpy(plain, roots, (size_t)n * sizeof *plain);
    bool ok = derivatives_expand(&s->st, s->rules, &s->options, n, plain) &&
              session_evaluate_raw(s, n, plain, NULL, out);
    free(plain);
    if (!ok) {
        drop(n, out);
        diags_free(&s->diags);
        memset(&s->diags, 0, sizeof s->diags);
    }
    return ok ? out : NULL;
}

/* The part of a derivative that is not expanded yet does not know that a cotangent of zero is of a
 * branch that was not taken (0 * inf). */
static const char *differs(const Step *step, const Tensor *a, const Tensor *b)
{
    Deviation d = {0};
    deviation_add(&d, a, b, NULL, 1);
    bool derivative = !strcmp(step_rule(step), "expand-derivative");
    if (derivative)
        d.made = false;
    /* on the way contributions are added up in another order */
    return deviation_breaks(&d, step_classes(step) | (derivative ? HAZARD_R : 0));
}

static const char *check_state(Tally *t, const Step *step, const Opened *o, Node *const *roots,
                               Tensor **first)
{
    Session *s = &t->c->s;
    Text text = {0};
    bool fine = graph_verify(&s->st, o->n, roots, &text);
    if (!fine)
        print_error("%s\n", text_str(&text));
    text_free(&text);
    if (!fine)
        return "a child state is not well formed";
    if (!first)
        return NULL;
    Tensor **now = evaluate(s, o->n, roots);
    const char *why = now ? NULL : "a child state cannot be evaluated";
    for (int i = 0; i < o->n && !why; i++) {
        why = differs(step, first[i], now[i]);
        seen_of(t, step_rule(step))->compared++;
    }
    drop(o->n, now);
    return why;
}

static const char *check_opened(Tally *t, const Step *step, const Opened *o)
{
    Node **roots = xmalloc(((size_t)o->n + 1) * sizeof *roots);
    Tensor **first = is_inside(o->n, o->start) ? NULL : evaluate(&t->c->s, o->n, o->start);
    const char *why = o->log.at.len ? NULL : "it has no child steps";
    for (u32 k = 1; k <= o->log.at.len && !why; k++) {
        const Step *child = &o->log.at.at[k - 1];
        seen_of(t, step_rule(step))->states++;
        if (strlen(child->rule->reason) < 8)
            why = "a child step has no reason";
        else if (!log_replay(&t->c->s.st, &o->log, k, o->n, o->start, roots))
            why = "the child steps do not replay";
        else
            why = check_state(t, step, o, roots, first);
        if (why)
            print_error("child %u, %s: ", k, step_rule(child));
    }
    for (int i = 0; i < o->n && !why; i++)
        if (roots[i] != step->changes[i].after)
            why = "the last state is not what the step put there";
    drop(o->n, first);
    free(roots);
    return why;
}

static void check_log(Tally *t, const StepLog *log)
{
    if (map_has(&t->logs, log))
        return;
    map_put(&t->logs, log, t);
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *step = &log->at.at[i];
        if (step->inner)
            check_log(t, step->inner);
        if (step->again || !step_opens(step))
            continue;
        Opened o;
        seen_of(t, step_rule(step))->steps++;
        const char *why = step_open(&t->c->s.st, step, &o) ? check_opened(t, step, &o)
                                                           : "it cannot be taken apart";
        if (why) {
            print_error("%s, step %zu, %s: %s\n", t->c->file, i + 1, step_rule(step), why);
            t->failed++;
        }
        opened_free(&o);
    }
}

static void look(Corpus *c, int n, Node *const *roots)
{
    Tally *t = c->ctx;
    Exploration *x = session_explore(&c->s, n, roots);
    t->c = c;
    if (x)
        check_log(t, &x->log);
    map_clear(&t->logs);
}

static void test_openings(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "expand-derivative", "expand-vmap", "lower-scan", "fuse",
        "merge-loops",       "fuse-loops",  "same-loop",  "batch-dots"};
    Tally t = {0};
    Corpus c = {.on_roots = look, .ctx = &t};
    corpus_run(&c);
    for (size_t i = 0; i < t.seen.len; i++)
        print_message("%s: %u steps opened, %u child steps, %u values compared\n",
                      t.seen.at[i].rule, t.seen.at[i].steps, t.seen.at[i].states,
                      t.seen.at[i].compared);
    assert_int_equal(t.failed, 0);
    for (size_t i = 0; i < COUNT_OF(rules) && effort_is_full(); i++) {
        Seen *s = seen_of(&t, rules[i]);
        assert_true(s->steps && s->compared && s->states > s->steps);
    }
    vec_free(&t.seen);
    map_free(&t.logs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_openings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
