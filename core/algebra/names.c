/* Canonical names of bound axes: colour refinement, and where colours stay equal, each choice is
 * tried and the least result kept.
 *
 * Invariant: products that differ only by the names of bound axes, and by the order of factors, get
 * the same names, unless there were too many ways to try. */
#include "algebra/parts.h"

#include <string.h>

u64 factor_hash(const FormFactor *f, const u64 *free_colours, const u64 *bound_colours)
{
    u64 h = hash_mix(f->atom->key, (u64)(i64)f->power);
    for (u32 k = 0; k < f->arity; k++) {
        const FormIndex *x = &f->index[k];
        u64 name = x->name < 0            ? 0
                   : x->name < FORM_BOUND ? free_colours[x->name]
                                          : bound_colours[x->name - FORM_BOUND];
        h = hash_mix(hash_mix(h, name), hash_mix((u64)x->scale, x->at ? x->at->key : 0));
    }
    return h;
}

static int compare_index(const FormIndex *x, const FormIndex *y)
{
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (x->scale != y->scale)
        return x->scale < y->scale ? -1 : 1;
    if (x->at == y->at)
        return 0;
    if (!x->at || !y->at)
        return x->at ? 1 : -1;
    return x->at->key != y->at->key ? (x->at->key < y->at->key ? -1 : 1)
                                    : (x->at->id < y->at->id ? -1 : 1);
}

int compare_factors(const void *x, const void *y)
{
    const FormFactor *a = x, *b = y;
    if (a->atom != b->atom)
        return a->atom->key != b->atom->key ? (a->atom->key < b->atom->key ? -1 : 1)
                                            : (a->atom->id < b->atom->id ? -1 : 1);
    for (u32 k = 0; k < a->arity; k++) {
        int c = compare_index(&a->index[k], &b->index[k]);
        if (c)
            return c;
    }
    return 0;
}

/* ---- colours ---- */

typedef struct {
    const FormDraft *d;
    int n, tries;
    u64 free_colours[FORM_BOUND];
    int best[FORM_MOST_BOUND];
    FormFactor *now, *least; /* with the names of an order; the least so far */
    bool found;
} Naming;

static void recolour(const Naming *g, u64 *colour)
{
    u64 sum[FORM_MOST_BOUND] = {0};
    for (size_t i = 0; i < g->d->factors.len; i++) {
        const FormFactor *f = &g->d->factors.at[i];
        u64 h = 0;
        for (u32 k = 0; k < f->arity; k++) {
            int name = f->index[k].name - FORM_BOUND;
            if (name < 0)
                continue;
            h = h ? h : factor_hash(f, g->free_colours, colour);
            sum[name] += hash_mix(h, k + 1);
        }
    }
    for (int i = 0; i < g->n; i++)
        colour[i] = hash_mix(colour[i], sum[i]);
}

static int count_colours(const u64 *colour, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        bool first = true;
        for (int k = 0; k < i && first; k++)
            first = colour[k] != colour[i];
        count += first;
    }
    return count;
}

static void refine(const Naming *g, u64 *colour)
{
    for (int was = -1, now = 0; was != now && now < g->n;) {
        was = now;
        recolour(g, colour);
        now = count_colours(colour, g->n);
    }
}

/* ---- choices ---- */

static void name_factors(const Naming *g, const int *to)
{
    FormFactor *out = g->now;
    FormIndex *index = (FormIndex *)(out + g->d->factors.len + 1); /* sorting moved them */
    for (size_t i = 0; i < g->d->factors.len; i++, index += out[i - 1].arity) {
        const FormFactor *f = &g->d->factors.at[i];
        out[i] = *f;
        out[i].index = index;
        for (u32 k = 0; k < f->arity; k++) {
            index[k] = f->index[k];
            if (index[k].name >= FORM_BOUND)
                index[k].name = FORM_BOUND + to[index[k].name - FORM_BOUND];
        }
    }
    if (g->d->factors.len > 1)
        qsort(out, g->d->factors.len, sizeof *out, compare_factors);
}

static int compare_lists(const FormFactor *x, const FormFactor *y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int c = compare_factors(&x[i], &y[i]);
        c = c ? c : x[i].power - y[i].power;
        if (c)
            return c;
    }
    return 0;
}

/* All colours differ: their order is that of the names. */
static void weigh_order(Naming *g, const u64 *colour)
{
    int to[FORM_MOST_BOUND];
    size_t n = g->d->factors.len;
    for (int i = 0; i < g->n; i++) {
        to[i] = 0;
        for (int k = 0; k < g->n; k++)
            to[i] += colour[k] < colour[i];
    }
    name_factors(g, to);
    if (g->found && compare_lists(g->now, g->least, n) >= 0)
        return;
    g->found = true;
    FormFactor *t = g->least;
    g->least = g->now;
    g->now = t;
    for (int i = 0; i < g->n; i++)
        g->best[to[i]] = i;
}

/* Do these two names stand in the same places? Then one choice is as good as the other. */
static bool can_swap(const Naming *g, int x, int y)
{
    u64 before = 0, after = 0, names[FORM_MOST_BOUND];
    for (int i = 0; i < g->n; i++)
        names[i] = (u64)i + 1;
    for (size_t i = 0; i < g->d->factors.len; i++)
        before += factor_hash(&g->d->factors.at[i], g->free_colours, names);
    names[x] = (u64)y + 1;
    names[y] = (u64)x + 1;
    for (size_t i = 0; i < g->d->factors.len; i++)
        after += factor_hash(&g->d->factors.at[i], g->free_colours, names);
    return before == after;
}

/* The names of the first colour that several have; how many. */
static int first_tie(const Naming *g, const u64 *colour, int *out)
{
    u64 least = 0;
    int n = 0;
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < i; k++)
            if (colour[k] == colour[i] && (!n || colour[i] < least)) {
                least = colour[i];
                n = 1;
            }
    if (!n)
        return 0;
    n = 0;
    for (int k = 0; k < g->n; k++)
        if (colour[k] == least)
            out[n++] = k;
    return n;
}

static void choose(Naming *g, u64 *colour)
{
    int tie[FORM_MOST_BOUND];
    if (g->tries > FORM_MOST_TRIES)
        return;
    refine(g, colour);
    int n = first_tie(g, colour, tie);
    if (n < 2) {
        g->tries++;
        weigh_order(g, colour);
        return;
    }
    for (int i = 0; i < n; i++) {
        u64 next[FORM_MOST_BOUND];
        bool same = false;
        for (int k = 0; k < i && !same; k++)
            same = can_swap(g, tie[k], tie[i]);
        if (same)
            continue;
        memcpy(next, colour, (size_t)g->n * sizeof *next);
        next[tie[i]] = hash_mix(next[tie[i]], 1);
        choose(g, next);
    }
}

/* The factors, and behind them their indices. */
static FormFactor *factors_with_room(const FormDraft *d)
{
    size_t n = d->factors.len, room = 1;
    for (size_t i = 0; i < n; i++)
        room += d->factors.at[i].arity;
    return xmalloc((n + 1) * sizeof(FormFactor) + room * sizeof(FormIndex));
}

bool names_order(const Algebra *a, const FormDraft *d, int *out)
{
    Naming g = {.d = d, .n = (int)d->sizes.len};
    u64 colour[FORM_MOST_BOUND];
    FormFactor *first = factors_with_room(d), *second = factors_with_room(d);
    g.now = first;
    g.least = second;
    for (int i = 0; i < FORM_BOUND; i++)
        g.free_colours[i] = hash_mix(7, (u64)i);
    for (int i = 0; i < g.n; i++)
        colour[i] = hash_mix(5, size_key(a, d->sizes.at[i]));
    choose(&g, colour);
    memcpy(out, g.best, (size_t)g.n * sizeof *out);
    free(first);
    free(second);
    return g.tries <= FORM_MOST_TRIES;
}
