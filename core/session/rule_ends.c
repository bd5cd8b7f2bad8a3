/* Does rewriting with a rule come to an end? Tried on instances of both its sides. */
#include "rewrite/history.h"
#include "session/rule_trial.h"

#include <math.h>

enum {
    ENDS_ON = 24,      /* instances on which rewriting must come to an end */
    TRY_STEPS = 300,   /* instances have few nodes: more steps are a circle */
    TRY_NODES = 200000 /* the same for graphs that grow */
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
    NodeCounts seen = {0}; /* root -> step + 1 */
    bool found = false;
    Node *root = NULL;
    StepLog one;
    if (!exploration_replay(x, p->first_step, &root))
        return false;
    for (u32 k = p->first_step; k <= p->first_step + p->steps && !found; k++) {
        u32 earlier = map_get(&seen, root);
        if (earlier && uses_rule(&x->log, earlier - 1, k, rule)) {
            found = true;
            put_rules(says, &x->log, earlier - 1, k);
            text_put(says, k - earlier + 1 > 1 ? " undo each other" : " changes nothing");
        }
        map_put(&seen, root, k + 1);
        one = (StepLog){.at = {x->log.at.at + k, 1, 1}};
        if (k < p->first_step + p->steps && !log_replay(x->st, &one, 1, 1, (Node *[]){root}, &root))
            break;
    }
    map_free(&seen);
    return found;
}

static bool ends(Trial *t, Node *root, Text *says)
{
    Options o = t->s.options;
    o.step_limit = TRY_STEPS;
    o.node_limit = TRY_NODES;
    Exploration *x = explore(&t->s.st, t->s.rules, &o, 1, &root);
    for (size_t i = 0; i < x->passes.len && !says->len; i++) {
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

bool rule_check_ends(const Rule *r, const RuleSet *all, const Options *options, Text *says)
{
    Trial t;
    bool ok = trial_init(&t, r, all);
    memcpy(t.s.options.off, options->off, sizeof options->off);
    t.s.options.allowed = options->allowed | r->classes;
    int tried = 0;
    for (int k = 0; k < t.ninstances && tried < ENDS_ON && ok; k++) {
        /* the last ones are of kinds that the first ones are not */
        const Instance *c = &t.instances[k % 2 ? t.ninstances - 1 - k / 2 : k / 2];
        if (ranges_assumed(&c->ranges))
            continue; /* nothing proves the guard to a pass */
        tried++;
        ok = ends(&t, c->before, says) && ends(&t, c->after, says);
    }
    trial_free(&t);
    return ok;
}
