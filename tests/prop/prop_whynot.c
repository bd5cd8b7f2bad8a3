/* :whynot has the last word: of a rule that fits somewhere and did not fire there, the verdict
 * names what was in its way. With that out of the way, the rule fires there, or the verdict names
 * what is in its way next.
 *
 * Asked about sampled rules, in all programs that tests have and in random ones, as passes are set
 * and with some of them, and rules, switched off. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/unfired.h"
#include "corpus.h"
#include "effort.h"
#include "program_gen.h"
#include "run_text.h"
#include "session/keep.h"

enum {
    ANSWERS = 2000,   /* that are tried */
    CORPUS_SHARE = 2, /* of them, one in so many in programs of other tests */
    RULE_STRIDE = 7,  /* one rule in so many for each expression: prime to how many there are */
    MOST_NODES = 400, /* of an expression */
    EACH_PROGRAM = 8, /* answers tried, at most */
    EACH_OFF = 16,    /* one rule in so many is switched off */
    LEAST_PERCENT = 95
};

typedef struct {
    Session *s;
    u32 tried, wanted, program, in_program;
    u32 fired, next, neither; /* once it was out of the way */
    u32 verdicts[VERDICT_OTHER + 1];
    u32 bare; /* verdicts that say no more than that it would fire */
} Tally;

/* ---- one question ---- */

static void ask(UnfiredQuestion *q, Session *s, const Options *o, Exploration *x, const Rule *k)
{
    *q = (UnfiredQuestion){.x = x, .rules = s->rules, .options = o, .k = k};
    unfired_find(q);
}

/* Says nothing that helps, though all that the rule asks for is there. */
static bool is_bare(const Unfired *u)
{
    bool names_step = u->verdict == VERDICT_TAKEN || u->verdict == VERDICT_LATE;
    return (names_step && (!u->by.step || !*u->by.number)) ||
           (u->verdict >= VERDICT_NEAR && !*u->why);
}

/* ---- with that out of the way ---- */

static u32 times_fired(const Exploration *x, const Rule *k)
{
    return k->id < x->counts.fired.len ? x->counts.fired.at[k->id] : 0;
}

static void complain(const Tally *t, const Rule *k, const Unfired *u, const Unfired *then)
{
    print_error("program %u: %s, %s by %s %s: then %s by %s\n", t->program, k->name,
                verdict_word(u->verdict), u->by.number, u->by.step ? step_rule(u->by.step) : "",
                then ? verdict_word(then->verdict) : "nothing is said",
                then && then->by.step ? step_rule(then->by.step) : "");
    if (then && *then->why)
        print_error("    %s\n", then->why);
}

/* Tries again with what was in the way out of the way. */
static void check(Tally *t, const UnfiredQuestion *asked, const Unfired *u)
{
    Options o = *asked->options;
    const Exploration *x = asked->x;
    const Rule *k = asked->k;
    if (!verdict_clear_way(asked, u, &o))
        return;
    t->tried++;
    t->in_program++;
    Exploration *other = explore(&t->s->st, t->s->rules, &o, x->nroots, x->start);
    UnfiredQuestion q;
    ask(&q, t->s, &o, other, k);
    const Unfired *then = unfired_said_of(&q, u->at.thing);
    if (times_fired(other, k) > times_fired(x, k) || (then && then->verdict == VERDICT_FIRED)) {
        t->fired++;
    } else if (then && verdict_names_obstacle(then)) {
        t->next++;
    } else {
        t->neither++;
        if (getenv("GRADUS_TELL"))
            complain(t, k, u, then);
    }
    unfired_free(&q);
    exploration_free(other);
}

static void check_rule(Tally *t, const Options *o, Exploration *x, const Rule *k)
{
    UnfiredQuestion q;
    ask(&q, t->s, o, x, k);
    for (size_t i = 0; i < q.found.len; i++) {
        const Unfired *u = &q.found.at[i];
        t->verdicts[u->verdict]++;
        t->bare += is_bare(u);
        if (is_bare(u))
            complain(t, k, u, NULL);
        if (verdict_names_obstacle(u) && t->in_program < EACH_PROGRAM && t->tried < t->wanted)
            check(t, &q, u);
    }
    unfired_free(&q);
}

/* ---- programs ---- */

/* Every second program as passes are set; else without a pass, or with one switched off. */
static Options options_of(const Session *s, u32 seed)
{
    Options o = s->options;
    u32 which = seed / 2 % o.pipeline.len;
    Pipeline was = o.pipeline;
    if (seed % 4 == 1)
        o.pipeline.at[which].off = true;
    if (seed % 4 != 3)
        return o;
    pipeline_clear(&o.pipeline);
    for (u32 i = 0; i < was.len; i++)
        if (i != which)
            pipeline_add(&o.pipeline, was.at[i].pass);
    return o;
}

static void check_rule_off(Tally *t, Options o, const Rule *k, int n, Node *const *roots)
{
    rule_switch(&o, k, true);
    Exploration *x = explore(&t->s->st, t->s->rules, &o, n, roots);
    check_rule(t, &o, x, k);
    exploration_free(x);
}

static void check_roots(Tally *t, int n, Node *const *roots)
{
    const RuleSet *rs = t->s->rules;
    if (t->tried >= t->wanted || nodes_count(n, roots) > MOST_NODES)
        return;
    u32 seed = t->program++;
    t->in_program = 0;
    Options o = options_of(t->s, seed);
    Exploration *x = explore(&t->s->st, rs, &o, n, roots);
    for (size_t i = seed % RULE_STRIDE; i < rs->all.len; i += RULE_STRIDE) {
        if (i % EACH_OFF)
            check_rule(t, &o, x, rs->all.at[i]);
        else
            check_rule_off(t, o, rs->all.at[i], n, roots);
    }
    exploration_free(x);
}

static void on_roots(Corpus *c, int n, Node *const *roots)
{
    Tally *t = c->ctx;
    t->s = &c->s;
    check_roots(t, n, roots);
}

static void check_random(Tally *t)
{
    Session s;
    assert_true(session_init(&s));
    assert_true(run_statements(&s, program_header));
    t->s = &s;
    u32 from = from_env("GRADUS_SEED", 1);
    for (u32 seed = from; t->tried < t->wanted && seed < from + 20 * ANSWERS; seed++) {
        Text text = {0};
        Node **roots = NULL;
        program_gen(&text, seed);
        int n = run_roots(&s, text_str(&text), &roots);
        if (n > 0)
            check_roots(t, n, roots);
        free(roots);
        text_free(&text);
        diags_clear(&s.diags);
        session_collect(&s);
    }
    session_free(&s);
}

static void report(const Tally *t)
{
    print_message("%u tried: %u fire, %u name what is next, %u neither\n", t->tried, t->fired,
                  t->next, t->neither);
    for (int v = 0; v <= VERDICT_OTHER; v++)
        print_message("  %s: %u\n", verdict_word((Verdict)v), t->verdicts[v]);
}

static void test_last_word(void **state)
{
    (void)state;
    Tally t = {.wanted = effort_cases(ANSWERS) / CORPUS_SHARE};
    Corpus c = {.on_roots = on_roots, .ctx = &t, .affordable = false};
    corpus_run(&c);
    t.wanted = effort_cases(ANSWERS);
    check_random(&t);
    report(&t);
    assert_int_equal(t.bare, 0);
    assert_true(t.tried > 0);
    assert_true((t.fired + t.next) * 100 >= LEAST_PERCENT * t.tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_last_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
