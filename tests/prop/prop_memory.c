/* Failing allocation. Each statement of a list is run again and again, and each time another one of
 * its requests for memory is refused: it gives what it always gives, or exactly one error with the
 * code "memory"; then the session goes on: the statement, run again, gives the right thing; and no
 * block is left in the end.
 *
 * The requests of all of our objects go through the functions below by the linker's --wrap (see the
 * Makefile), so the program itself has no hook. Two ways to refuse: the n-th request only; and a
 * memory that is full from the n-th on, where only what is given back can be had again, the reserve
 * included.
 *
 * MEMORY_TRIES is for how many n of each statement (0: every n, which takes a quarter of an hour);
 * MEMORY_CASE selects statements by a part of their text. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "effort.h"
#include "repl/commands/repl.h"

#include <errno.h>
#include <malloc.h>
#include <unistd.h>

/* ---- a memory that refuses ---- */

typedef enum { GRANT, REFUSE_ONE, FULL } Refuse;

static struct {
    Refuse how;
    u64 n, count;       /* refuse the n-th request; requests so far */
    size_t room;        /* FULL: bytes that were given back */
    const void **live;  /* blocks that are in use, by open addressing */
    size_t nlive, caps; /* of them, and of the table */
} mem;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t align, size_t bytes);
void __real_free(void *p);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t align, size_t bytes);
void __wrap_free(void *p);

static size_t slot_of(const void *p)
{
    size_t i = (size_t)((u64)(uintptr_t)p * 0x9E3779B97F4A7C15u >> 40) & (mem.caps - 1);
    while (mem.live[i] && mem.live[i] != p)
        i = (i + 1) & (mem.caps - 1);
    return i;
}

static void *born(void *p)
{
    if (!p)
        return p;
    if (2 * (mem.nlive + 1) > mem.caps) {
        const void **old = mem.live;
        size_t n = mem.caps;
        mem.caps = n ? 2 * n : 1 << 16;
        mem.live = __real_calloc(mem.caps, sizeof *mem.live);
        for (size_t i = 0; i < n; i++)
            if (old[i])
                mem.live[slot_of(old[i])] = old[i];
        __real_free(old);
    }
    mem.live[slot_of(p)] = p;
    mem.nlive++;
    return p;
}

/* Blocks of the C library and of others are none of ours. */
static void dead(const void *p)
{
    size_t i = p ? slot_of(p) : 0;
    if (!p || !mem.live[i])
        return;
    mem.nlive--;
    mem.live[i] = NULL;
    for (size_t k = (i + 1) & (mem.caps - 1); mem.live[k]; k = (k + 1) & (mem.caps - 1)) {
        const void *q = mem.live[k];
        mem.live[k] = NULL;
        mem.live[slot_of(q)] = q;
    }
}

static bool granted(size_t bytes, size_t back)
{
    u64 n = ++mem.count;
    bool full = mem.how == FULL && n >= mem.n, absurd = bytes >> 32;
    if (absurd || (mem.how == REFUSE_ONE && n == mem.n) || (full && bytes > mem.room + back)) {
        errno = ENOMEM;
        return false;
    }
    if (full)
        mem.room = mem.room + back - bytes;
    return true;
}

void *__wrap_malloc(size_t bytes) { return granted(bytes, 0) ? born(__real_malloc(bytes)) : NULL; }

void *__wrap_calloc(size_t count, size_t size)
{
    return granted(count * size, 0) ? born(__real_calloc(count, size)) : NULL;
}

void *__wrap_aligned_alloc(size_t align, size_t bytes)
{
    return granted(bytes, 0) ? born(__real_aligned_alloc(align, bytes)) : NULL;
}

void *__wrap_realloc(void *old, size_t bytes)
{
    if (!granted(bytes, malloc_usable_size(old)))
        return NULL;
    dead(old);
    return born(__real_realloc(old, bytes));
}

void __wrap_free(void *p)
{
    if (mem.how == FULL)
        mem.room += malloc_usable_size(p);
    dead(p);
    __real_free(p);
}

/* ---- what is run ---- */

enum { WRONG = 1, JSON = 2 }; /* it gives an error; it is asked for JSON */

typedef struct {
    const char *setup, *text;
    u32 marks;
} Case;

#define DATA                                                                \
    "x : f64[4] = [0.5, -1.0, 2.0, 0.25]\n"                                 \
    "A : f64[3, 3] = [[4, 1, 0], [1, 3, 1], [0, 1, 5]]\n"                   \
    "S = scan t over x from s = 0.0 { s[t] = s[t-1] * 0.5 + tanh(x[t]) }\n" \
    "shared w : f64 = 1\n"                                                  \
    "f(v) = exp(v) - v * v + 3 * v * 0 + v / 1\n"
#define HAND ":move exp(w) - w * w / 1\n"
#define RNN "h = scan t over x from h = zeros(3) { h[t] = tanh(A @ h[t-1] + x[t]) }\n"

static const Case cases[] = {
    /* texts that are wrong */
    {DATA, "y = (1 + x", WRONG},
    {DATA, "y = xx * 2 + undefined(3)", WRONG},
    {DATA, "A @ [1.0, 2.0]", WRONG | JSON},
    {DATA, ":stepps x", WRONG},
    /* definitions and declarations */
    {DATA, "g(a, b=2) = (a + b, a * f(b)); g(x)", 0},
    {DATA, "z : f64[2, k] = [[1, 2, 3], [4, 5, 6]]; sum(z, axis=1)", 0},
    {DATA, "w := 3", 0},
    {DATA, "repeat 3 { w := 2 * 4 }", 0},
    {DATA, "shared v : f64[4] = x; repeat 5 { v := v with [1] = v[0] + 1; v := v * 0.5 }; v", 0},
    {DATA, "in other { w := 5 }", 0},
    /* values */
    {DATA, "(x, sum(f(x)), if sum(x) > 0 then 1 else 2, [1, 2, 3])", JSON},
    {DATA, "(A @ A, solve(A, ones(3)), inv(A), det(A), cholesky(A))", 0},
    {DATA, "(sort(x), argsort(x), einsum(\"ij,jk->ik\", A, A), x[1:3], concat((x, x)))", 0},
    {DATA, "normal(rng(7), 4)", 0},
    {DATA, "vmap(f)(x)", 0},
    {DATA, "load(\"tests/no such file.npy\")", WRONG},
    {DATA, "1000000000000 * ones((100000, 1000000))", WRONG},
    /* loops and derivatives */
    {DATA, "S", 0},
    {DATA, "grad(sum(sqr(S)), x)", 0},
    {DATA RNN, "grad(sum(h), [A, x])", 0},
    {DATA, "jvp(f(x), x, ones(4))", 0},
    {DATA, "scan t from p = 1 { p[t] = p[t-1] * 3; until p[t] > 1000 }", 0},
    /* commands */
    {DATA, ":graph grad(sum(S), x)", 0},
    {DATA, ":passes f(x)", JSON},
    {DATA, ":steps grad(sum(f(x)), x)", 0},
    {DATA, ":steps grad(sum(S), x)", JSON},
    {DATA, ":why %3 f(x)", 0},
    {DATA, ":whynot add-zero f(x)", 0},
    {DATA, ":audit sum(f(x))", 0},
    {DATA, ":diff f(x)", 0},
    {DATA, ":compare sum(f(x)) off=canonicalize", 0},
    {DATA, ":saturate sum(x) + sum(2 * x) iterations=3", 0},
    {DATA, ":equal f(w), exp(w) - w * w + w iterations=3", 0},
    {DATA, ":equal w, w + 1", JSON},
    {DATA, ":move f(w)", JSON},
    {DATA HAND HAND HAND, ":move rule=div-one\n:undo\n", 0},
    {DATA HAND ":move branch=b\n", ":move branch=main", 0},
    {DATA HAND ":move rule=div-one\n", ":graph exp(w) - w * w", 0},
    {DATA HAND ":move rule=div-one\n", ":save x.gr", 0},
    {DATA HAND ":move rule=div-one\n", ":steps", 0},
    {DATA, ":rule mine [R]: abs(neg(x)) => abs(x)", 0},
    {DATA, ":plan grad(sum(S), x)", 0},
    {DATA, ":cost grad(sum(S), x) assume=7", JSON},
    {DATA, ":profile grad(sum(S), x)", 0},
    {DATA, ":trace S all=on", 0},
    {DATA, ":trace sum(S) grad=x", 0},
    {DATA, ":play sum(S) grad=x at=1..2", JSON},
    {DATA, ":trace nan sum(log(S))", 0},
    {DATA, ":export sum(S) f.py values=on", 0},
    {DATA, ":export sum(S) f.tex", 0},
    {DATA, ":export sum(S * 1) f.tex steps=on", 0},
    {DATA, ":plot S, x kind=points", 0},
    {DATA, ":plot w * sum(S) over w from=0 to=1 samples=3", WRONG},
    {DATA, ":plot A x.svg", 0},
    {DATA, ":draw S x.svg style=figure", 0},
    {DATA, ":explain grad(sum(S), x)", 0},
    {DATA, ":type S", JSON},
    {DATA, ":help scan", 0},
    {DATA, ":draw S x.svg", 0},
    {DATA, ":draw f(x) x.dot", 0},
    {DATA, ":explore grad(sum(f(x)), x) x.html", 0},
    {DATA, ":draw sum(x) + sum(2 * x) egraph=on x.svg nodes=60", 0},
    {DATA, ":explore sum(x) + sum(2 * x) egraph=on x.html iterations=2", 0},
    {DATA, ":export grad(sum(f(x)), x) x.md steps=on", 0},
    {DATA, ":save x.gr", 0},
    {DATA, ":load examples/power.gr", 0},
};

/* ---- running ---- */

typedef struct {
    Text out; /* what would be printed, and the files */
    u32 errors, memory;
    char *message; /* of the last error */
} Outcome;

static void on_diag(void *ctx, const Diag *d)
{
    Outcome *o = ctx;
    if (d->note)
        return;
    o->errors++;
    o->memory += strcmp(d->code, "memory") == 0;
    free(o->message);
    Refuse how = mem.how;
    mem.how = GRANT; /* this copy is the test's own */
    o->message = xstrdup(d->message);
    mem.how = how;
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

static void run(Repl *r, const char *text, Outcome *o)
{
    *o = (Outcome){0};
    r->capture = &o->out;
    r->listener.ctx = o;
    repl_run_text(r, "case", text, strlen(text));
    mem.how = GRANT;
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
    return a->errors == b->errors && a->memory == b->memory &&
           (varies ? strncmp(x, y, 8) == 0 : strcmp(x, y) == 0);
}

/* One run with a refusal, one without: 0 if all is well. `expected` is set where n is 0. */
static int try_case(const Case *c, Refuse how, u64 n, Outcome *expected, u64 *requests)
{
    size_t live = mem.nlive;
    Repl r;
    Outcome first, second, o;
    assert_true(repl_init(&r));
    r.json = c->marks & JSON;
    r.listener = (Listener){.diag = on_diag, .file = on_file};
    run(&r, c->setup, &o);
    assert_int_equal(o.errors, 0);
    outcome_free(&o);
    mem.count = mem.room = 0;
    mem.n = n;
    mem.how = how;
    run(&r, c->text, &first);
    *requests = mem.count;
    if (!n) {
        *expected = first;
        repl_free(&r);
        return 0;
    }
    /* where all requests are refused, each statement of a file may be one that says so */
    bool told =
             first.memory > 0 && first.errors == first.memory && (first.errors == 1 || how == FULL),
         ok = told || same(&first, expected);
    if (!ok) {
        print_error("%s\n  refused %s request %llu: %u errors (%s)\n", c->text,
                    how == FULL ? "from" : "only", (unsigned long long)n, first.errors,
                    first.message ? first.message : "none");
        print_difference(&first, expected);
    }
    run(&r, c->text, &second);
    if (!same(&second, expected)) {
        print_error("%s\n  after request %llu was refused%s, again: %u errors (%s)\n", c->text,
                    (unsigned long long)n, how == FULL ? " and all others" : "", second.errors,
                    second.message ? second.message : "none");
        print_difference(&second, expected);
        ok = false;
    }
    outcome_free(&first);
    outcome_free(&second);
    repl_free(&r);
    memory_refill();
    if (mem.nlive != live) {
        print_error("%s\n  after request %llu was refused: %lld blocks are left\n", c->text,
                    (unsigned long long)n, (long long)mem.nlive - (long long)live);
        ok = false;
    }
    return !ok;
}

/* Some of 1..requests, evenly, each case at another offset. */
static int refuse_in(const Case *c, Refuse how, u64 tries)
{
    Outcome expected;
    u64 requests, all;
    int failures = 0;
    try_case(c, GRANT, 0, &expected, &requests);
    if (expected.errors != (c->marks & WRONG))
        fail_msg("%s: %u errors without any refusal: %s", c->text, expected.errors,
                 expected.message ? expected.message : "");
    outcome_free(&expected);
    try_case(c, GRANT, 0, &expected, &all); /* what is built at the first use is built now */
    u64 stride = !tries || all <= tries ? 1 : all / tries;
    u64 offset = (u64)(c - cases) * 7 % stride;
    for (u64 n = 1 + offset; n <= all && failures < 3; n += stride)
        failures += try_case(c, how, n, &expected, &requests);
    if (getenv("MEMORY_TELL"))
        print_message("%8llu requests: %s\n", (unsigned long long)all, c->text);
    outcome_free(&expected);
    return failures;
}

static void refuse_in_all(Refuse how)
{
    const char *only = getenv("MEMORY_CASE"), *tries = getenv("MEMORY_TRIES");
    int failures = 0;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (!only || strstr(cases[i].text, only))
            failures +=
                refuse_in(&cases[i], how, tries ? strtoull(tries, NULL, 10) : 1 + effort_some(7));
    assert_int_equal(failures, 0);
}

static void one_request_refused(void **state)
{
    (void)state;
    refuse_in_all(REFUSE_ONE);
}

static void all_requests_refused(void **state)
{
    (void)state;
    refuse_in_all(FULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_request_refused),
        cmocka_unit_test(all_requests_refused),
    };
    memory_refill();
    setenv("GRADUS_NATIVE", "off", 1); /* what loads libraries asks for memory that is not ours */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
