/* What changed, and which e-nodes rules can find something new at.
 *
 * A way in which a pattern matches is made of e-nodes, one below the other. It is new if one of
 * them is: made, moved into another class, or with an operand that was moved or became a constant.
 * So a rule that was searched needs to be searched again only at e-nodes that changed, or that have
 * changed ones below them, no deeper than the pattern reaches (de Moura and Bjorner, Efficient
 * E-matching for SMT solvers, 2007).
 *
 * Invariant: changed[k] of a class is no less than the last change at most k below it that was
 * spread; times only grow. */
#include "egraph/egraph.h"

static void operators_below(EGraph *g, TermId t, u64 ops[OP_WORDS])
{
    const Term *x = eg_term(g, t);
    memset(ops, 0, OP_WORDS * sizeof *ops);
    for (u32 i = 0; i < x->node->nops; i++) {
        const EClass *c = eg_class(g, x->kids[i]);
        for (int w = 0; w < OP_WORDS; w++)
            ops[w] |= c->ops[w];
    }
}

bool eg_is_fresh(EGraph *g, TermId t, u32 height, u32 since, Fresh *f)
{
    const Term *x = eg_term(g, t);
    bool fresh = x->changed >= since || height > LEVELS + 1;
    for (u32 i = 0; i < x->node->nops && height > 1 && !fresh; i++)
        fresh = eg_class(g, x->kids[i])->changed[height - 2] >= since;
    if (fresh) {
        *f = (Fresh){.term = t, .height = 1};
        operators_below(g, t, f->ops);
    }
    return fresh;
}

/* The class changed so far below it, or less; it comes to the list if that is news. */
static void change_class(EGraph *g, TermId c, u32 level, TermList *news)
{
    u32 *changed = g->classes.at[c]->changed;
    if (changed[level] == g->time)
        return;
    for (u32 k = level; k < LEVELS; k++)
        changed[k] = g->time;
    vec_push(news, c);
}

/* From classes to their users: which heights of patterns reach from there to what changed. */
static void spread_up(EGraph *g, TermList *news, u8 *height)
{
    size_t from = 0;
    for (u32 level = 0; level < LEVELS; level++) {
        size_t to = news->len;
        for (; from < to; from++) {
            const TermList *users = &g->classes.at[news->at[from]]->parents;
            for (size_t k = 0; k < users->len; k++) {
                TermId p = users->at[k];
                height[p] = height[p] ? height[p] : (u8)(level + 2);
                if (level + 1 < LEVELS)
                    change_class(g, eg_find(g, p), level + 1, news);
            }
        }
    }
}

u32 eg_spread_changes(EGraph *g, const u32 high[OP_COUNT], FreshList by_op[OP_COUNT])
{
    TermList news = {0};
    u8 *height = xcalloc(g->terms.len + 1, 1);
    for (size_t i = 0; i < g->touched.len; i++) {
        height[g->touched.at[i]] = 1;
        change_class(g, eg_find(g, g->touched.at[i]), 0, &news);
    }
    g->touched.len = 0;
    spread_up(g, &news, height);
    for (int op = 0; op < OP_COUNT; op++)
        by_op[op].len = 0;
    for (TermId t = 0; t < g->terms.len; t++)
        if (height[t] && height[t] <= high[eg_term(g, t)->op] && !eg_term(g, t)->dup) {
            Fresh f = {.term = t, .height = height[t]};
            operators_below(g, t, f.ops);
            vec_push(&by_op[eg_term(g, t)->op], f);
        }
    vec_free(&news);
    free(height);
    u32 last = g->spread;
    return g->spread = ++g->time, last;
}
