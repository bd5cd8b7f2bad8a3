/* Does rewriting with a rule come to an end? Tried on instances of both its sides. */
#include "rewrite/history.h"
#include "session/rule_trial.h"

#include <math.h>

enum {
    ENDS_ON = 12, /* instances on which rewriting must come to an end */
    TRY_STEPS = 300,
    TRY_NODES = 200000
};

/* "a, b and c" of the rules of steps [from, to), each once. */
static void put_rules(Text *out, const StepLog *log, u32 from, u32 to)
{
    const char *names[8];
    size_t n = 0;
    for (u32 k = from; k < to; k++) {
        bool known = n == COUNT_OF(names) || !strcmp(step_rule(&log->at.at[k]), "inner");
        for (size_t i = 0; i < n && !known; i++)
            known = !strcmp(names[i], step_rule(&log->at.at[k]));
        if (!known)
            names[n++] = step_rule(&log->at.at[k]);
    }
    for (size_t i = 0; i < n; i++)
        text_printf(out, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", names[i]);
}

static bool uses_rule(const StepLog *log, u32 from, u32 to, const char *name)
{
    for (u32 k = from; k < to; k++)
        if (!strcmp(step_rule(&log->at.at[k]), name))
            return true;
    return false;
}

/* Is the expression within one pass what it was before? */
static bool goes_round(Exploration *x, const PassRun *p, const char *rule, Text *says)
{
    PtrMap seen = {0}; /* root -> step + 1 */
    bool found = false;
    Node *root = NULL;
    StepLog one;
    if (!exploration_replay(x, p->first_step, &root))
        return false;
    for (u32 k = p->first_step; k <= p->first_step + p->steps && !found; k++) {
        u32 earlier = (u32)(uintptr_t)map_get(&seen, root);
        if (earlier && uses_rule(&x->log, earlier - 1, k, rule)) {
            found = true;
            put_rules(says, &x->log, earlier - 1, k);
            text_put(says, k - earlier + 1 > 1 ? " undo each other" : " changes nothing");
        }
        map_put(&seen, root, (void *)(uintptr_t)(k + 1));
        one = (StepLog){.at = {x->log.at.at + k, 1, 1}};
        if (k < p->first_step + p->steps && !log_replay(x->st, &one, 1, 1, (Node *[]){root}, &root))
            break;
    }
    map_free(&seen);
    return found;
}

static bool ends(Trial *t, Node *root, Text *says)
{
    RuleSet *rs = &t->s.rules;
    rs->step_limit = TRY_STEPS;
    rs->node_limit = t->s.st.node_count + TRY_NODES;
    Exploration *x = explore(&t->s.st, rs, 1, &root);
    for (size_t i = 0; x && i < x->passes.len && !says->len; i++) {
        const PassRun *p = &x->passes.at[i];
        if (goes_round(x, p, t->rule->name, says))
            break;
        if (p->stop == STOP_STEPS || p->stop == STOP_NODES) {
            u32 last = p->first_step + p->steps, from = last > 20 ? last - 20 : 0;
            text_put(says, "rewriting with ");
            put_rules(says, &x->log, from, last);
            text_printf(says, " does not come to an end: after %u steps %u nodes have become %u",
                        p->steps, p->nodes_before, p->nodes_after);
        }
    }
    exploration_free(x);
    return !says->len;
}

bool rule_check_ends(const Rule *r, const RuleSet *all, Text *says)
{
    Trial t;
    bool ok = trial_init(&t, r);
    if (ok && !ruleset_copy(&t.s.rules, all, &t.s.diags)) {
        ok = false;
        text_put(says, "the rules of the session cannot be copied");
    }
    t.s.rules.allowed |= r->classes;
    for (int i = 0; i < t.ninstances && i < ENDS_ON && ok; i++)
        ok = ends(&t, t.instances[i].before, says) && ends(&t, t.instances[i].after, says);
    trial_free(&t);
    return ok;
}
