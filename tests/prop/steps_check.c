/* See steps_check.h. */
#include "steps_check.h"

static const char *missing(const Step *s)
{
    return !s->rule || !*step_rule(s)                ? "rule"
           : !s->pass || !*s->pass                   ? "pass"
           : (!s->rule->reason || !*s->rule->reason) ? "reason"
           : !step_classes(s)                        ? "class"
           : s->nchanges < 1                         ? "change"
                                                     : NULL;
}

bool steps_tell(Store *st, const StepLog *log, u32 *count, Text *why)
{
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        const char *lacks = missing(s);
        (*count)++;
        if (lacks) {
            text_printf(why, "step %zu of the pass %s, rule %s: no %s", i + 1,
                        s->pass ? s->pass : "?", s->rule ? step_rule(s) : "?", lacks);
            return false;
        }
        if (s->inner && !steps_tell(st, s->inner, count, why))
            return false;
        Opened o;
        bool ok = true;
        if (step_opens(s)) {
            ok = step_open(st, s, &o) && steps_tell(st, &o.log, count, why);
            opened_free(&o);
        }
        if (!ok)
            return false;
    }
    return true;
}
