/* Verdicts on rules in words; see unfired.h. */
#include "analysis/unfired.h"

#include "surface/surface.h"

enum { FORM_SHOWN = 60 /* bytes of what a node became: most of a line */ };

static void put_by(Text *out, const Unfired *u)
{
    text_printf(out, "step %s, %s", u->by.number, step_rule(u->by.step));
}

static void put_taken(Text *out, const UnfiredQuestion *q, const Unfired *u)
{
    bool same = !strcmp(u->by.step->pass, u->pass);
    text_put(out, "taken by ");
    put_by(out, u);
    if (!same)
        text_printf(out, " (%s)", u->by.step->pass);
    if (u->by.became && u->by.became != u->at.node) {
        text_put(out, ", which made `");
        node_source_within(q->x->st, out, (Node *)(uintptr_t)u->by.became, FORM_SHOWN,
                           u->at.within);
        text_put(out, "` of it");
    }
    text_printf(out, same ? ", in the same pass, %s" : ", before the pass %s ran", u->pass);
}

void unfired_put_reason(Text *out, const UnfiredQuestion *q, const Unfired *u)
{
    switch (u->verdict) {
    case VERDICT_FIRED: text_printf(out, "it fires, step %s", u->by.number); return;
    case VERDICT_TAKEN: put_taken(out, q, u); return;
    case VERDICT_RULE_OFF: text_put(out, "it matches, but the rule is switched off"); return;
    case VERDICT_PASS_OFF:
        text_printf(out, "it matches, but the pass %s is switched off", u->pass);
        return;
    case VERDICT_NO_PASS:
        text_printf(out, "it matches, but the pass %s is not among those that run",
                    pass_trying(q->k)->name);
        return;
    case VERDICT_SATURATION:
        text_put(out, "it matches, but the rule is of equality saturation alone");
        return;
    case VERDICT_CLASS:
        text_put(out, "it matches, but its class is not allowed: ");
        hazard_print(out, u->shut);
        return;
    case VERDICT_LATE:
        put_by(out, u);
        text_printf(out, " (%s) made what it matches, after the pass %s had ended",
                    u->by.step ? u->by.step->pass : "", u->pass);
        return;
    case VERDICT_NEAR:
    case VERDICT_OTHER: break;
    }
    if (!u->condition && u->matched)
        text_printf(out, "%d of %d: ", u->matched, u->of);
    text_put(out, u->why);
}
