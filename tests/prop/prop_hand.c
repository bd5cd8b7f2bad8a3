/* Derivations by hand on random typed programs: whatever moves are made, in whatever branches, and
 * taken back, the steps to where one stands replay, every graph between is well formed, each step
 * keeps to its classes; and what is saved, run in a session of its own, ends in the same graph.
 * GRADUS_SEED and GRADUS_CASES choose. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "session/keep.h"
#include "effort.h"
#include "program_gen.h"
#include "repl/commands/derivation_by_hand.h"
#include "session/save.h"
#include "steps_check.h"

typedef struct {
    Repl r;
    Text out;
    Text file;    /* that was saved last */
    char *failed; /* the first error */
    u64 state;    /* of the choices */
} Walker;

static void on_diag(void *ctx, const Diag *d)
{
    Walker *w = ctx;
    if (!d->note && !w->failed)
        w->failed = xstrdup(d->message);
}

static bool on_file(void *ctx, const char *path, const Text *bytes, const char *about, Span span)
{
    (void)path;
    (void)about;
    (void)span;
    Walker *w = ctx;
    w->file.len = 0;
    text_putn(&w->file, bytes->at, bytes->len);
    return true;
}

static void walker_open(Walker *w, u64 seed)
{
    *w = (Walker){.state = seed};
    assert_true(repl_init(&w->r));
    w->r.listener = (Listener){.ctx = w, .diag = on_diag, .file = on_file};
    w->r.capture = &w->out;
}

static void walker_close(Walker *w)
{
    repl_free(&w->r);
    text_free(&w->out);
    text_free(&w->file);
    free(w->failed);
}

static void type(Walker *w, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void type(Walker *w, const char *fmt, ...)
{
    Text line = {0};
    va_list args;
    va_start(args, fmt);
    text_vprintf(&line, fmt, args);
    va_end(args);
    repl_run_text(&w->r, "case", text_str(&line), line.len);
    text_free(&line);
}

static u32 choose(Walker *w, u32 n)
{
    w->state = w->state * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(w->state >> 33) % n;
}

static u32 length(const Walker *w)
{
    const struct ByHand *h = w->r.s.by_hand;
    return hand_length(h, hand_state(h));
}

/* One of the moves that are allowed; false: there is none. */
static bool move(Walker *w)
{
    Session *s = &w->r.s;
    HandMoves moves = {0};
    Exploration *x = hand_exploration(s);
    VEC(u32) good = {0};
    hand_find(&s->st, s->rules, &s->options, x->nroots, x->roots, &moves);
    for (u32 i = 0; i < moves.len; i++)
        if (hand_bar(&s->options, &moves.at[i]) == MOVE_ALLOWED)
            vec_push(&good, i + 1);
    bool any = good.len > 0;
    if (any)
        type(w, ":move %u", good.at[choose(w, (u32)good.len)]);
    vec_free(&good);
    vec_free(&moves);
    return any;
}

/* Taking back leads exactly to where one was. */
static bool move_and_back(Walker *w)
{
    const struct ByHand *h = w->r.s.by_hand;
    Node *was = hand_roots(h, hand_state(h))[0];
    u32 states = (u32)h->states.len;
    if (!move(w))
        return true;
    type(w, ":undo");
    return w->r.s.by_hand == h && hand_roots(h, hand_state(h))[0] == was && h->states.len == states;
}

static const char *walk(Walker *w)
{
    enum { STEPS = 8 };
    for (int i = 0; i < STEPS && !w->failed; i++)
        switch (choose(w, 6)) {
        case 0:
            if (!move_and_back(w))
                return ":undo leads elsewhere";
            break;
        case 1: type(w, ":move branch=b%u", choose(w, 3)); break;
        case 2:
            session_forget(&w->r.s);
            session_collect(&w->r.s);
            break;
        default: move(w);
        }
    return w->failed;
}

/* Each branch leads where the one of that name does, by as many moves; the present one is the same.
 */
static bool same_branches(const struct ByHand *h, const struct ByHand *g)
{
    bool same = h->branches.len == g->branches.len &&
                !strcmp(h->branches.at[h->branch].name, g->branches.at[g->branch].name);
    for (size_t i = 0; i < h->branches.len && same; i++) {
        const HandBranch *a = &h->branches.at[i], *b = NULL;
        for (size_t k = 0; k < g->branches.len; k++)
            b = strcmp(g->branches.at[k].name, a->name) == 0 ? &g->branches.at[k] : b;
        Text mine = {0}, other = {0};
        same = b && hand_length(h, a->state) == hand_length(g, b->state);
        hand_digest(&mine, h->start->nroots, hand_roots(h, a->state));
        hand_digest(&other, g->start->nroots, hand_roots(g, b ? b->state : 0));
        same = same && strcmp(text_str(&mine), text_str(&other)) == 0;
        text_free(&mine);
        text_free(&other);
    }
    return same;
}

static const char *check_script(Walker *w, u32 *moves)
{
    Walker again;
    const struct ByHand *h = w->r.s.by_hand;
    type(w, ":save x.gr");
    if (w->failed)
        return w->failed;
    walker_open(&again, 0);
    type(&again, "%s", text_str(&w->file));
    const struct ByHand *g = again.r.s.by_hand;
    bool ok = !again.failed && g && same_branches(h, g);
    if (!ok)
        print_error("%s\n%s\n", text_str(&w->file), again.failed ? again.failed : "elsewhere");
    *moves += length(w);
    walker_close(&again);
    return ok ? NULL : "what was saved does not lead there again";
}

static bool one_case(unsigned seed, u32 *moves, u32 *compared)
{
    Walker w;
    Text program = {0};
    program_gen(&program, seed);
    walker_open(&w, seed);
    w.r.s.options.allowed = seed % 3 ? HAZARD_DEFAULT : HAZARD_ALL & ~(u32)HAZARD_S;
    type(&w, "%s", program_header);
    type(&w, ":move (%s)", text_str(&program)); /* a number alone would be that of a move */
    const char *why = w.failed ? w.failed : walk(&w);
    Exploration *x = why ? NULL : hand_exploration(&w.r.s);
    const char *wrong = NULL;
    const char *rough[] = {"floor(", "until"}; /* of a rounded number they make another */
    bool audited = !strstr(text_str(&program), rough[0]) && !strstr(text_str(&program), rough[1]);
    if (x && (!steps_replay(&w.r.s, x, &wrong) ||
              (audited && !steps_audit(&w.r.s, x, true, &wrong, compared))))
        why = wrong;
    why = why ? why : check_script(&w, moves);
    if (why)
        print_error("seed %u: %s\n  %s\n", seed, text_str(&program), why);
    text_free(&program);
    walker_close(&w);
    return !why;
}

static void test_walks(void **state)
{
    (void)state;
    unsigned seed = from_env("GRADUS_SEED", 1), cases = effort_cases(120), failed = 0;
    u32 moves = 0, compared = 0;
    for (unsigned i = 0; i < cases && failed < 10; i++)
        failed += !one_case(seed + i, &moves, &compared);
    print_message("%u programs, %u moves made again from scripts; %u steps compared\n", cases,
                  moves, compared);
    assert_int_equal(failed, 0);
    assert_true(moves > cases);
}

/* ^C while moves are looked for: the derivation is as it was, and goes on. */
static void test_interrupted(void **state)
{
    (void)state;
    static volatile sig_atomic_t pressed;
    Walker w;
    walker_open(&w, 1);
    w.r.s.st.interrupt = &pressed;
    type(&w, "x : f64\n:move log(1 + x) * 1\n");
    pressed = 1;
    type(&w, ":move rule=log1p\n");
    assert_non_null(w.failed);
    assert_non_null(strstr(w.failed, "interrupted"));
    assert_int_equal(length(&w), 0);
    pressed = 0;
    type(&w, ":move rule=log1p\n:move rule=mul-one\n");
    assert_int_equal(length(&w), 2);
    walker_close(&w);
}

/* What :undo may bring back of older derivations is freed with the session, and when it is too long
 * ago. */
static void test_many_derivations(void **state)
{
    (void)state;
    enum { MANY = 150 };
    Walker w;
    walker_open(&w, 1);
    type(&w, "x : f64\n");
    for (int i = 0; i < MANY; i++)
        type(&w, ":move log(1 + x) * %d\n:move 1\n", i + 2);
    u32 live = 0, undone = 0;
    for (const struct ByHand *h = w.r.s.all_by_hand; h; h = h->next)
        live++;
    assert_true(live < MANY);
    while (!w.failed && undone < 2 * MANY) {
        type(&w, ":undo\n");
        undone++;
    }
    assert_true(w.failed && undone > 50);
    assert_true(undone < 2 * MANY);
    walker_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walks),
                                       cmocka_unit_test(test_interrupted),
                                       cmocka_unit_test(test_many_derivations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
