/* What of all rules came near.  See unfired_rules.h. */
#include "repl/commands/unfired_rules.h"
#include "repl/commands/whynot.h"

enum { MOST_OF_NODE = 5 };

/* Is it worth telling beside a node that a reader picked? Half of a pattern often matches by
 * chance. */
static bool is_told(const Unfired *u)
{
    bool near = u->verdict == VERDICT_NEAR && (u->condition || 2 * u->matched > u->of);
    return u->at.thing->number && (near || verdict_names_obstacle(u));
}

static void add_rule(Call *c, Exploration *x, const Rule *k, UnfiredList *out)
{
    UnfiredQuestion q = {.x = x, .rules = c->r->s.rules, .options = &c->r->s.options, .k = k};
    unfired_find(&q);
    for (size_t i = 0; i < q.found.len; i++) {
        const Unfired *u = &q.found.at[i];
        const char *why = is_told(u) ? unfired_reason(c, &q, u) : NULL;
        if (why)
            vec_push(out, ((PageUnfired){.number = u->at.thing->number,
                                         .rule = k->name,
                                         .why = arena_strndup(&c->arena, why, strlen(why)),
                                         .step = u->by.step ? arena_strndup(&c->arena, u->by.number,
                                                                            strlen(u->by.number))
                                                            : "",
                                         .rank = (int)u->verdict * 2 + !u->condition,
                                         .near = u->of ? (double)u->matched / u->of : 1}));
    }
    unfired_free(&q);
}

/* By node, the nearest first; of equally near ones that with the longer pattern came first. */
static int by_node(const void *a, const void *b)
{
    const PageUnfired *u = a, *v = b;
    if (u->number != v->number)
        return u->number < v->number ? -1 : 1;
    if (u->rank != v->rank)
        return u->rank < v->rank ? -1 : 1;
    if (u->near != v->near)
        return u->near > v->near ? -1 : 1;
    return strcmp(u->rule, v->rule);
}

static void keep_nearest(UnfiredList *all)
{
    size_t kept = 0, of_node = 0;
    for (size_t i = 0; i < all->len; i++) {
        of_node = i && all->at[i].number == all->at[i - 1].number ? of_node + 1 : 0;
        if (of_node < MOST_OF_NODE)
            all->at[kept++] = all->at[i];
    }
    all->len = kept;
}

bool unfired_rules(Call *c, Exploration *x, UnfiredList *out)
{
    const RuleSet *rules = c->r->s.rules;
    things_of_states(x);
    for (size_t i = 0; i < rules->all.len; i++) {
        if (interrupted(c->r->s.st.interrupt))
            return call_fail(c, c->span, "interrupted", NULL, "interrupted while rules were tried");
        if (rules->all.at[i]->text)
            add_rule(c, x, rules->all.at[i], out);
    }
    if (out->len)
        qsort(out->at, out->len, sizeof *out->at, by_node);
    keep_nearest(out);
    return true;
}
