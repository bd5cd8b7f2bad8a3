/* The three ways to run a program, of which tests say that they give the same. */
#ifndef GRADUS_RUN_WAYS_H
#define GRADUS_RUN_WAYS_H

#include "exec/plan.h"
#include "scan_run.h"

/* way 0: operator by operator, 1: the machine, 2: native code. */
static inline bool run_way(Session *s, int way, const char *text, Values *out, Text *message)
{
    pipeline_switch(&s->options.pipeline, "fuse", way == 0);
    s->plan_flags = way ? 0 : PLAN_PLAIN;
    native_set(&s->native, way == 2 ? NATIVE_ON : NATIVE_OFF);
    s->threads = way + 1;
    size_t before = s->diags.list.len;
    bool ok = run_values(s, text, true, out);
    if (!ok && s->diags.list.len > before)
        text_put(message, s->diags.list.at[before].message);
    s->plan_flags = 0;
    pipeline_switch(&s->options.pipeline, "fuse", false);
    return ok;
}

#endif
