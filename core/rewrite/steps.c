/* The record of steps. */
#include "rewrite/history.h"

static const struct {
    const char *name;
    u32 bit;
} hazards[] = {{"E", HAZARD_E},       {"Z", HAZARD_Z}, {"R", HAZARD_R}, {"N+", HAZARD_NPLUS},
               {"N-", HAZARD_NMINUS}, {"D", HAZARD_D}, {"S", HAZARD_S}, {"C", HAZARD_C}};

u32 hazard_parse(const char *text, size_t n)
{
    u32 bits = 0;
    for (size_t i = 0; i < n;) {
        size_t len = 0;
        while (i + len < n && !strchr(" ,", text[i + len]))
            len++;
        bool found = len == 0;
        for (size_t k = 0; k < COUNT_OF(hazards); k++)
            if (len && strlen(hazards[k].name) == len && !strncmp(hazards[k].name, text + i, len))
                bits |= hazards[k].bit, found = true;
        if (!found)
            return 0;
        i += len + 1;
    }
    return bits;
}

void hazard_print(Text *out, u32 classes)
{
    bool first = true;
    for (size_t k = 0; k < COUNT_OF(hazards); k++)
        if (classes & hazards[k].bit) {
            text_printf(out, "%s%s", first ? "" : " ", hazards[k].name);
            first = false;
        }
}

const char *stop_name(StopReason r)
{
    static const char *const names[] = {"saturated",      "limit of steps", "limit of nodes",
                                        "limit of tries", "interrupted",    "off"};
    return names[r];
}

const char *step_rule(const Step *s) { return s->rule ? s->rule->name : "inner"; }

u32 step_classes(const Step *s)
{
    u32 c = (s->rule ? s->rule->classes : 0) | s->extra;
    for (size_t i = 0; s->inner && i < s->inner->at.len; i++)
        c |= step_classes(&s->inner->at.at[i]);
    return c;
}

void loglist_free(LogList *l)
{
    for (size_t i = 0; i < l->len; i++) {
        steplog_free(l->at[i]);
        free(l->at[i]);
    }
    vec_free(l);
}

void steplog_free(StepLog *log)
{
    vec_free(&log->at);
    vec_free(&log->moves);
    vec_free(&log->sweeps);
    map_free(&log->last);
}

void exploration_free(Exploration *x)
{
    if (!x)
        return;
    steplog_free(&x->log);
    loglist_free(&x->inner_logs);
    vec_free(&x->passes);
    history_free(x->history);
    map_free(&x->numbering.of);
    free(x->start);
    free(x->roots);
    free(x);
}
