/* Random sessions, with redefinitions, contexts, functions, loads and rounds: they print the same
 * whenever what is not reachable is freed; saved and loaded they print the same for every name; and
 * what they hold does not grow with the number of statements. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "effort.h"
#include "graph/provenance.h"
#include "session/undo.h"
#include "session/definitions.h"
#include "session/keep.h"
#include "repl/commands/repl.h"
#include <unistd.h>

/* ---- a session whose output is kept ---- */

typedef struct {
    Repl r;
    Text out, said, saved;
} Run;

static void on_diag(void *ctx, const Diag *d)
{
    Run *run = ctx;
    int line, column, length;
    span_locate(d->span, &line, &column, &length);
    text_printf(&run->said, "%d:%d %s: %s (%s)\n", line, column, d->code, d->message,
                d->hint ? d->hint : "");
}

static bool on_file(void *ctx, const char *path, const Text *bytes, const char *about, Span span)
{
    Run *run = ctx;
    (void)path, (void)about, (void)span;
    run->saved.len = 0;
    text_putn(&run->saved, bytes->at, bytes->len);
    return true;
}

static void run_begin(Run *run, u32 every)
{
    memset(run, 0, sizeof *run);
    assert_true(repl_init(&run->r));
    run->r.s.gc_every = every;
    run->r.capture = &run->out;
    run->r.listener = (Listener){.ctx = run, .diag = on_diag, .file = on_file};
}

static void run_text(Run *run, const char *text)
{
    repl_run_text(&run->r, "test", text, strlen(text));
}

static void run_end(Run *run)
{
    repl_free(&run->r);
    text_free(&run->out);
    text_free(&run->said);
    text_free(&run->saved);
}

/* ---- random statements ---- */

typedef struct {
    u64 state;
    const char *file; /* to be loaded */
} Dice;

static u32 roll(Dice *d, u32 n)
{
    d->state = hash_mix(d->state, 0x9177);
    return (u32)(d->state >> 20) % n;
}

static const char *const names[] = {"a", "b", "c", "d", "w"}, *const contexts[] = {"alt", "beta"};

static const char *name(Dice *d) { return names[roll(d, COUNT_OF(names))]; }

static void put_declaration(Dice *d, Text *t)
{
    u32 k = roll(d, 9);
    text_put(t, roll(d, 3) ? "" : "shared ");
    switch (roll(d, 5)) {
    case 0: text_printf(t, "%s : f64 = %u.5", name(d), k); break;
    case 1: text_printf(t, "%s : i64 = %u", name(d), k); break;
    case 2: text_printf(t, "%s : f64[n] = [%u, 2, 3]", name(d), k); break;
    case 3: text_printf(t, "%s : f32[?] = [%u.25, nan]", name(d), k); break;
    default: text_printf(t, "%s : f64[n]", name(d)); break;
    }
}

static void put_statement(Dice *d, Text *t)
{
    static const char *const binary = "+-*";
    u32 k = roll(d, 9);
    char op = binary[roll(d, 3)];
    switch (roll(d, 16)) {
    case 0:
    case 1: put_declaration(d, t); break;
    case 2:
    case 3: text_printf(t, "%s = %s %c %u", name(d), name(d), op, k); break;
    case 4: text_printf(t, "%s = %s %c %s", name(d), name(d), op, name(d)); break;
    case 5: text_printf(t, "%s = [%u, 1, %u]", name(d), k, roll(d, 3)); break;
    case 6: text_printf(t, "in %s { %s := %s + %u }", contexts[k % 2], name(d), name(d), k); break;
    case 7: text_printf(t, "%s := %u", name(d), k); break;
    case 8: text_printf(t, "# Doc %u.\nf(v, k=%u) = v * %s + k", k, k, name(d)); break;
    case 9: text_printf(t, "%s = f(%s)", name(d), name(d)); break;
    case 10: text_printf(t, "repeat 2 { %s = %s * 2 ; %s }", name(d), name(d), name(d)); break;
    case 11:
        text_printf(t, "%s, g = (scan t for 3 from p = %s { p[t] = p[t-1] * %u }, x -> x + %u)",
                    name(d), name(d), k, k);
        break;
    case 12: text_printf(t, "grad(sum(%s * %s), %s)", name(d), name(d), name(d)); break;
    case 13:
        text_printf(t, "s : rng = rng(%u)\n_, s := uniform(s, 2)\nu, _ = uniform(s, 2)", k);
        break;
    case 14:
        if (k < 3)
            text_printf(t, ":load %s", d->file);
        else if (k < 5)
            text_printf(t, ":set rule add-zero %s\n:set print %u", k % 2 ? "on" : "off", k);
        else
            text_printf(t, ":steps %s + 0 * %s\n:graph %s", name(d), name(d), name(d));
        break;
    default: text_printf(t, "%s", name(d)); break;
    }
    text_putc(t, '\n');
}

static void put_program(Dice *d, Text *t)
{
    for (u32 n = 5 + roll(d, 30); n; n--)
        put_statement(d, t);
}

static char path[] = "build/tests/prop_session_XXXXXX";

static int make_file(void **state)
{
    static const char text[] = "a = 4\nshared w : f64 = 3\nb = a * w\nh(x) = x + b\n";
    (void)state;
    int f = mkstemp(path);
    return f >= 0 && write(f, text, sizeof text - 1) > 0 && close(f) == 0 ? 0 : -1;
}

static int drop_file(void **state)
{
    (void)state;
    return unlink(path);
}

/* ---- it makes no difference when something is freed ---- */

static void compare_runs(u64 seed, const char *program)
{
    Run runs[3];
    static const u32 every[] = {0, 1, 7};
    for (int i = 0; i < 3; i++) {
        run_begin(&runs[i], every[i]);
        run_text(&runs[i], program);
    }
    for (int i = 1; i < 3; i++)
        if (strcmp(text_str(&runs[0].out), text_str(&runs[i].out)) ||
            strcmp(text_str(&runs[0].said), text_str(&runs[i].said)))
            fail_msg("seed %llu, every %u:\n%s--- without:\n%s%s--- with:\n%s%s",
                     (unsigned long long)seed, every[i], program, text_str(&runs[0].out),
                     text_str(&runs[0].said), text_str(&runs[i].out), text_str(&runs[i].said));
    for (int i = 0; i < 3; i++)
        run_end(&runs[i]);
}

static void test_freed_or_not(void **state)
{
    (void)state;
    for (u64 seed = 1; seed <= effort_some(150); seed++) {
        Dice d = {seed, path};
        Text t = {0};
        put_program(&d, &t);
        compare_runs(seed, text_str(&t));
        text_free(&t);
    }
}

/* ---- saved and loaded ---- */

static void ask(Run *run, const char *what)
{
    run->out.len = 0;
    run_text(run, what);
}

/* Every name, its type, and what it is in each context. */
static void same_name(Run *was, Run *is, Symbol nm, const char *program)
{
    static const char *const forms[] = {"%s", ":type %s", "in alt { %s }", "in beta { %s }",
                                        "%s(2.5)"};
    bool function = value_is_function(env_own(was->r.s.elab.globals, nm));
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        char question[80];
        if (i == 4 && !function)
            continue;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(question, sizeof question, forms[i], nm);
#pragma GCC diagnostic pop
        ask(was, question);
        ask(is, question);
        if (strcmp(text_str(&was->out), text_str(&is->out)))
            fail_msg("%s was %s is %s after\n%s--- saved as\n%s", question, text_str(&was->out),
                     text_str(&is->out), program, text_str(&was->saved));
    }
}

static bool is_of_prelude(const Session *s, Symbol nm) { return !map_has(&s->defined, nm); }

static void save_and_load(const char *program)
{
    Run was, is;
    run_begin(&was, 3);
    run_begin(&is, 0);
    run_text(&was, program);
    run_text(&was, ":save x.gr");
    run_text(&is, text_str(&was.saved));
    run_text(&is, ":save x.gr");
    if (strcmp(text_str(&was.saved), text_str(&is.saved)))
        fail_msg("saved as\n%s--- and then as\n%s", text_str(&was.saved), text_str(&is.saved));
    for (int i = 0; i < was.r.s.elab.globals->len; i++) {
        Symbol nm = was.r.s.elab.globals->at[i].name;
        if (!is_of_prelude(&was.r.s, nm))
            same_name(&was, &is, nm, program);
    }
    run_end(&was);
    run_end(&is);
}

static void test_saved(void **state)
{
    static const char *const seen[] = {
        "x : f64 = 2\ny = x * 3\nx = 10\n",
        "shared n : i64 = 1\nn = 3\nshared n : i64 = 2\nb = n * 10\n",
        "shared w : f64[2] = [1, 2]\nin alt { w := [5, nan] }\nz = sum(w)\nw = 3\nin beta { z }\n",
        "x : f64[?] = [1, inf, -inf]\nx := [1, 2]\ny = x + 1\nx : i64 = 4\nz = x * 2\n",
        "r : rng = rng(7)\nu, t = uniform(r, 2)\nr := t\nrs : rng[2] = split(r, 2)\nx := r\n",
        "k = 2\nmore(v) = x -> x + v\ng = more(k)\nmore = 3\nk = 4\n",
        ":set steps 100\n:set print 3\nq : f32[2, 0] = zeros((2, 0), dtype=f32)\n",
        "inf = 3\nf32(v) = v + inf\nx : f32[?] = [1.5, 1/0]\nshared y : f64 = -1/0\nin alt { y := "
        "nan }\n",
        "nan = x -> x\nz : f64[2] = [0/0, 2]\ni32 = 1\nq : i32[2] = [-3, 4]\nnan : f64 = 5\n",
        "a = 1\nb, c = (a + 1, a + 2)\na = 5\nb = c\nc = b + a\n",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(seen); i++)
        save_and_load(seen[i]);
    for (u64 seed = 1; seed <= effort_some(150); seed++) {
        Dice d = {seed + 1000, path};
        Text t = {0};
        put_program(&d, &t);
        save_and_load(text_str(&t));
        text_free(&t);
    }
}

/* ---- nothing grows ---- */

typedef struct {
    const char *before, *each; /* each: with its number, up to four times */
} Stream;

static const Stream streams[] = {
    {"x : f64 = 2", "y = x * %u.5\ny"},
    {"x : f64[3] = [1, 2, 3]", "%u.25 + 3\nsum(x * [%u, 2, 3])"},
    {"", "x := %u.25\nv := x * %u"},
    {"", "f(x) = x * %u\nf(2)\ng = x -> x + %u"},
    {"", "nope + %u\nz = nope * %u\n(%u"},
    {"x : f64[3] = [1, 2, 3]",
     "s = scan t for 3 from r = x { r[t] = r[t-1] * %u.5 }\ngrad(sum(s), x)"},
    {"x : f64[3] = [1, 2, 3]", ":steps log(1 + exp(x * %u))\n:graph x + %u"},
    {"", "x : f64[%u]\ny = x * 2"},
    {"shared w : f64 = 1", "repeat 2 { w := w * 0.5 + %u }\nin alt { w := %u }"},
    {"", "u, r = uniform(rng(%u), 2)\nu\na, b = (%u, 2)"},
    {"k : i64 = 3", "q = zeros(k + %u)\nq[k:k+2]"},
};

/* How many things of each kind are there after so many statements? */
static void count_after(const Stream *s, u32 n, size_t counts[13])
{
    Run run;
    Text t = {0};
    run_begin(&run, 100);
    run_text(&run, s->before);
    for (u32 i = 1; i <= n; i++) {
        u32 k = 1000 + i;
        t.len = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        text_printf(&t, s->each, k, k, k, k);
#pragma GCC diagnostic pop
        run_text(&run, text_str(&t));
        run.out.len = run.said.len = 0;
    }
    Session *q = &run.r.s;
    undo_forget(q); /* so many rounds, and no more */
    session_forget(q);
    session_collect(q);
    const size_t all[13] = {q->st.symbols.len,
                            q->st.intlists.len,
                            q->st.atoms.len,
                            q->st.sizes.len,
                            q->st.types.len,
                            q->st.tensors.len,
                            q->st.nodes.len,
                            q->st.graphs.len,
                            provenance_count(&q->st),
                            q->chapters.len,
                            q->sources.len,
                            q->leaves.len,
                            q->defined.len + q->failed.len};
    memcpy(counts, all, sizeof all);
    text_free(&t);
    run_end(&run);
}

static void test_nothing_grows(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(streams); i++) {
        size_t few[13], many[13];
        count_after(&streams[i], 40, few);
        count_after(&streams[i], 160, many);
        for (int k = 0; k < 13; k++)
            if (many[k] > few[k] + 4) /* which operand comes first depends on the numbers */
                fail_msg("%s: of kind %d there are %zu after 40 and %zu after 160", streams[i].each,
                         k, few[k], many[k]);
    }
}

/* Entries that make nothing are forgotten, too, by themselves. */
static void test_texts_are_forgotten(void **state)
{
    (void)state;
    enum { ENTRIES = 60000 };
    Run run;
    run_begin(&run, 0);
    for (u32 i = 0; i < ENTRIES; i++) {
        run_text(&run, ":set digits 3");
        run.out.len = run.said.len = 0;
    }
    if (run.r.s.sources.len > ENTRIES * 9 / 10)
        fail_msg("%zu texts are there after %d entries", run.r.s.sources.len, ENTRIES);
    run_end(&run);
}

/* ---- what is asked again is told again ---- */

/* Each is asked, then others, then again: numbers must not depend on what was printed before. */
static void test_told_again(void **state)
{
    static const char *const asked[] = {":explore grad(sum(S), x) x.html",
                                        ":explore [S.final, sum(S)] x.html",
                                        ":graph grad(sum(S), x)",
                                        ":graph grad(sum(S), x) pass=differentiate",
                                        ":steps grad(sum(S), x)",
                                        ":draw grad(sum(S), x) x.svg",
                                        ":export grad(sum(S), x) x.md steps=on"};
    Run run;
    Text first[COUNT_OF(asked)] = {{0}};
    (void)state;
    run_begin(&run, 0);
    run_text(&run, "x : f64[3] = [1, 2, 3]\n"
                   "S = scan t over x from s = 0.0 { s[t] = tanh(s[t-1] + x[t]) }\n");
    for (size_t i = 0; i < 3 * COUNT_OF(asked); i++) {
        const size_t k = i < COUNT_OF(asked) ? i : 2 * i % COUNT_OF(asked);
        run.saved.len = 0;
        ask(&run, asked[k]);
        text_putn(&run.out, run.saved.at, run.saved.len);
        if (i < COUNT_OF(asked))
            text_put(&first[k], text_str(&run.out));
        else if (strcmp(text_str(&first[k]), text_str(&run.out)))
            fail_msg("%s: first\n%s--- then\n%s", asked[k], text_str(&first[k]),
                     text_str(&run.out));
    }
    for (size_t i = 0; i < COUNT_OF(asked); i++)
        text_free(&first[i]);
    run_end(&run);
}

/* What was dropped is freed by a collection, once. */
static void test_collection_frees(void **state)
{
    Run run;
    (void)state;
    run_begin(&run, 0);
    run_text(&run, "x : f64[1000] = ones(1000)\ny = sin(x) * exp(x)\ny\ny = 1\n");
    Session *s = &run.r.s;
    session_forget(s);
    Collected got = session_collect(s), again = session_collect(s);
    assert_true(got.nodes >= 3);
    assert_true(got.bytes > 0);
    assert_true(s->st.heap.live >= 8000);
    assert_int_equal(again.nodes, 0);
    assert_int_equal(again.kept, got.kept);
    run_end(&run);
}

/* A command late in a long text is not about the text before it. */
static void test_commands_copy_no_text(void **state)
{
    Run run;
    Text t = {0};
    (void)state;
    run_begin(&run, 0);
    for (int i = 0; i < 50; i++)
        text_put(&t, "# a comment that is long enough\n:type 1 + 2\n");
    size_t before = run.r.s.sources.len;
    run_text(&run, text_str(&t));
    assert_int_equal(run.r.s.sources.len, before + 1);
    text_free(&t);
    run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_freed_or_not),         cmocka_unit_test(test_saved),
        cmocka_unit_test(test_nothing_grows),        cmocka_unit_test(test_texts_are_forgotten),
        cmocka_unit_test(test_told_again),           cmocka_unit_test(test_collection_frees),
        cmocka_unit_test(test_commands_copy_no_text)};
    return cmocka_run_group_tests(tests, make_file, drop_file);
}
