/* Failing allocation, and ^C. Each statement of a list (memory_cases.c) is run again and again, and
 * each time at another one of its requests for memory something happens: the request is refused, or
 * ^C is pressed. The statement gives what it always gives, or exactly one error, which says so;
 * then the session goes on: the statement, run again, gives the right thing; and no block is left
 * in the end.
 *
 * MEMORY_TRIES is for how many n of each statement (0: every n, which takes hours); GRADUS_SEED
 * moves them; MEMORY_CASE selects statements by a part of their text, MEMORY_WAY one of one, full
 * and interrupt. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "effort.h"
#include "memory_cases.h"
#include "repl/commands/repl.h"
#include "trouble.h"

#include <unistd.h>

typedef struct {
    Trouble how;
    const char *name, *code; /* of the error that tells it */
    const char *what;        /* happened at request */
} Way;

static const Way ways[] = {
    {REFUSE_ONE, "one", "memory", "only this one refused"},
    {FULL, "full", "memory", "this and all others refused"},
    {INTERRUPT, "interrupt", "interrupted", "^C pressed"},
};

/* ---- running ---- */

typedef struct {
    Text out; /* what would be printed, and the files */
    u32 errors, told;
    const char *code; /* that tells of the trouble; NULL: there is none */
    char *message;    /* of the last error */
} Outcome;

static void on_diag(void *ctx, const Diag *d)
{
    Outcome *o = ctx;
    if (d->note)
        return;
    o->errors++;
    o->told += o->code && strcmp(d->code, o->code) == 0;
    free(o->message);
    Trouble how = trouble_end(); /* this copy is the test's own */
    o->message = xstrdup(d->message);
    trouble_resume(how);
}

static bool on_file(void *ctx, const char *path, const Text *bytes, const char *about, Span span)
{
    (void)about;
    (void)span;
    Outcome *o = ctx;
    text_printf(&o->out, "%s: ", path);
    text_putn(&o->out, bytes->at, bytes->len);
    return true;
}

/* Statements as they are typed: ^C ends one of them. */
static void run(Repl *r, const char *text, const Way *way, Outcome *o)
{
    *o = (Outcome){.code = way ? way->code : NULL};
    r->capture = &o->out;
    r->listener.ctx = o;
    r->prompting = true;
    repl_run_text(r, "case", text, strlen(text));
    trouble_end();
    term_take_interrupt(); /* pressed when all was done */
    r->interrupted = false;
    r->capture = NULL;
    text_str(&o->out);
}

static void outcome_free(Outcome *o)
{
    text_free(&o->out);
    free(o->message);
}

/* From a little before the first difference on. */
static void print_difference(Outcome *a, Outcome *b)
{
    const char *x = text_str(&a->out), *y = text_str(&b->out);
    size_t i = 0;
    while (x[i] && x[i] == y[i])
        i++;
    i = i > 40 ? i - 40 : 0;
    print_error("    got:      %.120s\n    expected: %.120s\n", x + i, y + i);
}

/* Pages of what was explored before and tables of times are never the same: that there is one will
 * do. */
static bool same(Outcome *a, Outcome *b)
{
    const char *x = text_str(&a->out), *y = text_str(&b->out);
    bool varies = strstr(x, "x.html: ") || strstr(x, "median time") ||
                  strstr(x, "with each instruction timed");
    return a->errors == b->errors && a->told == b->told &&
           (varies ? strncmp(x, y, 8) == 0 : strcmp(x, y) == 0);
}

static void begin(Repl *r, const MemoryCase *c)
{
    Outcome o;
    assert_true(repl_init(r));
    r->json = c->marks & JSON;
    r->listener = (Listener){.diag = on_diag, .file = on_file};
    run(r, c->setup, NULL, &o);
    if (o.errors)
        fail_msg("%s: %s", c->setup, o.message);
    outcome_free(&o);
}

/* Without any trouble. How many requests that takes. */
static u64 in_peace(const MemoryCase *c, Outcome *expected)
{
    Repl r;
    begin(&r, c);
    trouble_begin(NO_TROUBLE, 0, NULL);
    run(&r, c->text, NULL, expected);
    u64 requests = trouble_requests();
    repl_free(&r);
    if (expected->errors != (c->marks & WRONG))
        fail_msg("%s: %u errors without any trouble: %s", c->text, expected->errors,
                 expected->message ? expected->message : "");
    return requests;
}

static void complain(const MemoryCase *c, const Way *way, u64 n, const char *when, Outcome *got,
                     Outcome *expected)
{
    print_error("%s\n  request %llu, %s%s: %u errors (%s)\n", c->text, (unsigned long long)n,
                way->what, when, got->errors, got->message ? got->message : "none");
    print_difference(got, expected);
}

/* Where all requests are refused, each statement of a file may be one that says so. */
static bool tells_it(const Way *way, const Outcome *o)
{
    return o->told > 0 && o->errors == o->told && (o->errors == 1 || way->how == FULL);
}

/* The statement in trouble, and once more without: 0 if all is well. */
static int try_case(const MemoryCase *c, const Way *way, u64 n, Outcome *expected)
{
    size_t live = blocks_in_use();
    Repl r;
    Outcome first, second;
    begin(&r, c);
    trouble_begin(way->how, n, term_interrupt_flag());
    run(&r, c->text, way, &first);
    bool ok = tells_it(way, &first) || same(&first, expected);
    if (!ok)
        complain(c, way, n, "", &first, expected);
    run(&r, c->text, NULL, &second);
    if (!same(&second, expected)) {
        complain(c, way, n, ", and then again", &second, expected);
        ok = false;
    }
    outcome_free(&first);
    outcome_free(&second);
    repl_free(&r);
    memory_refill();
    if (blocks_in_use() != live) {
        print_error("%s\n  request %llu, %s: %lld blocks are left\n", c->text,
                    (unsigned long long)n, way->what, (long long)blocks_in_use() - (long long)live);
        ok = false;
    }
    return !ok;
}

/* Where to begin in a stride: another place for each case and way, anywhere in it. */
static u64 offset_of(const MemoryCase *c, const Way *way, u64 stride)
{
    u64 k = (u64)(c - memory_cases) * COUNT_OF(ways) + (u64)(way - ways);
    return ((k + 1 + from_env("GRADUS_SEED", 0)) * 0x9E3779B97F4A7C15u >> 32) % stride;
}

/* At some of 1..all, evenly. */
static int try_some(const MemoryCase *c, const Way *way, u64 all, u64 tries, Outcome *expected)
{
    int failures = 0;
    u64 stride = !tries || all <= tries ? 1 : all / tries;
    for (u64 n = 1 + offset_of(c, way, stride); n <= all && failures < 3; n += stride)
        failures += try_case(c, way, n, expected);
    return failures;
}

static void one_case(void **state)
{
    const MemoryCase *c = *state;
    const char *only = getenv("MEMORY_WAY"), *tries = getenv("MEMORY_TRIES");
    u64 some = tries ? strtoull(tries, NULL, 10) : effort_some(4);
    Outcome expected;
    int failures = 0;
    u64 all = in_peace(c, &expected); /* what is built at the first use is built now */
    for (size_t w = 0; w < COUNT_OF(ways); w++)
        if (!only || strcmp(ways[w].name, only) == 0)
            failures += try_some(c, &ways[w], all, some, &expected);
    if (getenv("MEMORY_TELL"))
        print_message("%8llu requests: %s\n", (unsigned long long)all, c->text);
    outcome_free(&expected);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const char *only = getenv("MEMORY_CASE");
    struct CMUnitTest *tests = xcalloc(memory_cases_count, sizeof *tests);
    size_t n = 0;
    for (size_t i = 0; i < memory_cases_count; i++)
        if (!only || strstr(memory_cases[i].text, only))
            tests[n++] = (struct CMUnitTest){.name = memory_cases[i].text,
                                             .test_func = one_case,
                                             .initial_state = (void *)(uintptr_t)&memory_cases[i]};
    memory_refill();
    setenv("GRADUS_NATIVE", "off", 1); /* what loads libraries asks for memory that is not ours */
    int failed = _cmocka_run_group_tests("memory", tests, n, NULL, NULL);
    free(tests);
    return failed;
}
