/* What of all rules came near.  See unfired_rules.h. */
#include "viz/page/unfired_rules.h"

enum { MOST_OF_NODE = 5 };

/* Is it worth telling beside a node that a reader picked? Half of a pattern often matches by
 * chance. */
static bool is_told(const Unfired *u)
{
    bool near = u->verdict == VERDICT_NEAR && (u->condition || 2 * u->matched > u->of);
    return u->at.thing->number && (near || verdict_names_obstacle(u));
}

static void add_rule(UnfiredQuestion q, const Rule *k, Arena *arena, UnfiredList *out)
{
    q.k = k;
    unfired_find(&q);
    for (size_t i = 0; i < q.found.len; i++) {
        const Unfired *u = &q.found.at[i];
        Text why = {0};
        if (!is_told(u))
            continue;
        unfired_put_reason(&why, &q, u);
        vec_push(out,
                 ((PageUnfired){.number = u->at.thing->number,
                                .rule = k->name,
                                .why = text_keep(&why, arena),
                                .step = arena_printf(arena, "%s", u->by.step ? u->by.number : ""),
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

bool unfired_rules(Exploration *x, const RuleSet *rules, const Options *options, Arena *arena,
                   UnfiredList *out)
{
    things_of_states(x);
    for (size_t i = 0; i < rules->all.len; i++) {
        UnfiredQuestion q = {.x = x, .rules = rules, .options = options};
        if (interrupted(x->st->interrupt))
            return false;
        if (rules->all.at[i]->text)
            add_rule(q, rules->all.at[i], arena, out);
    }
    if (out->len)
        qsort(out->at, out->len, sizeof *out->at, by_node);
    keep_nearest(out);
    return true;
}
