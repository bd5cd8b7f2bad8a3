/* A prompt's state for a test program: `repl`, made and freed around its tests. */
#ifndef GRADUS_REPL_TEST_H
#define GRADUS_REPL_TEST_H

#include "repl/commands/repl.h"

static Repl repl;

static inline int set_up(void **state)
{
    (void)state;
    return repl_init(&repl) ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    repl_free(&repl);
    return 0;
}

/* Runs a text that must not fail; what it prints goes nowhere. */
static inline void run(const char *text)
{
    Text out = {0};
    repl.capture = &out;
    repl_run_text(&repl, "test", text, strlen(text));
    assert_int_equal(repl.status, 0);
    repl.capture = NULL;
    text_free(&out);
}

#endif
