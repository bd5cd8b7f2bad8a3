/* What the fuzzers share: a session with limits.
 *
 * A fuzzer defines LLVMFuzzerTestOneInput. Built with clang -fsanitize=fuzzer and -DFUZZ_DRIVEN
 * (`make fuzz`) libFuzzer calls it; built otherwise the main() of fuzz_main.h does.
 *
 * Invariant: no input may crash, hang, leak, die() or leave the session unusable. */
#ifndef FUZZ_H
#define FUZZ_H

#include <signal.h>
#include <time.h>

#include "rewrite/history.h"
#include "session/session.h"
#include "tests/prop/listing_check.h"
#include "tests/prop/steps_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- an interrupt after some time, as ^C would ---- */

typedef struct {
    volatile sig_atomic_t flag;
    timer_t timer;
    bool armed;
} FuzzAlarm;

static inline void fuzz_on_alarm(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)context;
    *(volatile sig_atomic_t *)info->si_value.sival_ptr = 1;
}

static inline void fuzz_alarm_start(FuzzAlarm *a, double seconds)
{
    struct sigaction action = {.sa_sigaction = fuzz_on_alarm, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    event.sigev_value.sival_ptr = (void *)(uintptr_t)&a->flag;
    struct itimerspec when = {.it_value.tv_nsec = (long)(seconds * 1e9)};
    a->flag = 0;
    sigaction(SIGRTMIN, &action, NULL);
    a->armed = timer_create(CLOCK_MONOTONIC, &event, &a->timer) == 0 &&
               timer_settime(a->timer, 0, &when, NULL) == 0;
}

static inline void fuzz_alarm_stop(FuzzAlarm *a)
{
    if (a->armed)
        timer_delete(a->timer);
    a->armed = false;
}

/* ---- a session with limits ---- */

static inline void fuzz_session_init(Session *s, FuzzAlarm *a)
{
    if (!session_init(s))
        die("the embedded prelude or rules are broken");
    s->st.interrupt = &a->flag;
    s->st.heap.limit = (size_t)64 << 20;
    s->options.step_limit = 2000;
    s->options.node_limit = 20000;
    s->options.try_limit = 200000;
}

/* The listing of a graph reads back as the same graph. */
static inline void fuzz_check_listing(Store *st, int n, Node *const *roots)
{
    Text why = {0};
    if (!graph_verify(st, n, roots, &why))
        die("a graph is not well formed: %s", text_str(&why));
    if (listing_check(st, n, roots, &why) && !store_stops(st)) /* the alarm rang */
        die("%s", text_str(&why));
    text_free(&why);
}

/* A result: its graph can be printed and read, its steps tell what they are, and replay. */
static inline void fuzz_result(void *ctx, Result *r)
{
    Session *s = ctx;
    if (r->kind != RESULT_VALUE && r->kind != RESULT_GRAPH)
        return;
    fuzz_check_listing(&s->st, r->n, r->roots);
    Exploration *x = r->kind == RESULT_VALUE ? session_explore(s, r->n, r->roots) : NULL;
    if (!x)
        return;
    fuzz_check_listing(&s->st, x->nroots, x->roots);
    Text why = {0};
    u32 steps = 0;
    if (!steps_tell(&s->st, &x->log, &steps, &why) && !store_stops(&s->st)) /* the alarm rang */
        die("%s", text_str(&why));
    text_free(&why);
    Node **roots = xcalloc((size_t)r->n + 1, sizeof *roots);
    if (!exploration_replay(x, (u32)x->log.at.len, roots)) {
        if (!store_stops(&s->st))
            die("the steps do not replay");
        free(roots);
        return;
    }
    for (int i = 0; i < x->nroots; i++)
        if (roots[i] != x->roots[i])
            die("the steps replay to another graph");
    free(roots);
}

/* Every error says something. */
static inline void fuzz_check_diags(Session *s)
{
    for (size_t i = 0; i < s->diags.list.len; i++) {
        Text text = {0};
        diag_render(&text, &s->diags.list.at[i], false);
        diag_json(&text, &s->diags.list.at[i]);
        if (!s->diags.list.at[i].message[0])
            die("an error without a message: %s", text_str(&text));
        text_free(&text);
    }
}

static inline void fuzz_run(Session *s, const char *text, size_t len)
{
    const Source *src = session_source(s, "fuzz", text, len);
    Parser p;
    parser_init(&p, src, &s->arena, &s->diags, false);
    for (ParseStatus status = PARSE_OK; status != PARSE_END && status != PARSE_INCOMPLETE;) {
        Stmt *stmt = NULL;
        status = parse_statement(&p, &stmt);
        size_t errors = s->diags.errors;
        if (status == PARSE_ERROR && !errors)
            die("a mistake of syntax without an error");
        if (status == PARSE_OK)
            session_run(s, stmt, fuzz_result, s);
        fuzz_check_diags(s);
        diags_clear(&s->diags);
    }
}

static inline void fuzz_expect(void *ctx, Result *r)
{
    *(bool *)ctx = r->kind == RESULT_VALUE && r->n == 1 && r->tensors[0]->dtype == DT_I64 &&
                   tensor_i64_at(r->tensors[0], 0) == 42;
}

/* A good statement still gives its value. */
static inline void fuzz_still_works(Session *s)
{
    const char *text = "{ a_ = 6; a_ * 7 }";
    const Source *src = session_source(s, "after", text, strlen(text));
    Parser p;
    Stmt *stmt = NULL;
    bool good = false;
    parser_init(&p, src, &s->arena, &s->diags, false);
    if (parse_statement(&p, &stmt) == PARSE_OK)
        session_run(s, stmt, fuzz_expect, &good);
    if (!good)
        die("after this input 6 * 7 is no longer 42: %s",
            s->diags.list.len ? s->diags.list.at[0].message : "without an error");
}

/* A whole input: statements in a new session, then the check that it still works. */
static inline void fuzz_statements(const char *text, size_t len, double seconds)
{
    FuzzAlarm alarm;
    Session s;
    if (memmem(text, len, "save", 4)) /* it would write files anywhere */
        return;
    fuzz_alarm_start(&alarm, seconds);
    fuzz_session_init(&s, &alarm);
    fuzz_run(&s, text, len);
    fuzz_alarm_stop(&alarm);
    alarm.flag = 0;
    fuzz_still_works(&s);
    session_free(&s);
}

#ifndef FUZZ_DRIVEN
#include "fuzz_main.h"
#endif

#endif
