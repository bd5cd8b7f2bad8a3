/* In which order the factors of a term are multiplied, so that its sums over axes cost least.
 *
 * Up to ten factors all orders are looked at (dynamic programming over subsets); of more, those two
 * go together next that leave least behind. */
#include "algebra/back_parts.h"

#include <math.h>

enum { MOST_EXACT = 10 };
static const double START = 1000; /* of a product, in operations */

typedef struct {
    Back *b;
    const Parts *factors;
    Names keep;
    double *cost; /* by subset */
    u32 *split;   /* one side of it */
    Names *names; /* what it leaves */
} Orders;

static double elements(const Back *b, Names names)
{
    double n = 1;
    for (int i = 0; i < BACK_NAMES; i++)
        if (names & name_bit(i))
            n *= fmax(back_length(b, i), 1);
    return n;
}

/* What the others have, too, or what stays. */
static Names needed(const Parts *factors, u32 inside, Names keep)
{
    Names names = keep;
    for (u32 i = 0; i < factors->n; i++)
        if (!(inside >> i & 1))
            names |= part_names(&factors->at[i]);
    return names;
}

static Names names_of(const Parts *factors, u32 inside)
{
    Names names = 0;
    for (u32 i = 0; i < factors->n; i++)
        if (inside >> i & 1)
            names |= part_names(&factors->at[i]);
    return names;
}

static void weigh_subset(Orders *o, u32 s)
{
    bool single = !(s & (s - 1));
    Names all = names_of(o->factors, s);
    o->names[s] = all & needed(o->factors, s, o->keep);
    o->cost[s] = single ? (o->names[s] == all ? 0 : elements(o->b, all)) : INFINITY;
    for (u32 x = (s - 1) & s; x && !single; x = (x - 1) & s) {
        u32 y = s & ~x;
        if (x < y)
            continue;
        double own = START + elements(o->b, o->names[x] | o->names[y]);
        double cost = o->cost[x] + o->cost[y] + own;
        if (cost < o->cost[s]) {
            o->cost[s] = cost;
            o->split[s] = y;
        }
    }
}

static bool build_subset(const Orders *o, u32 s, Part *out)
{
    Part x, y;
    Names keep = needed(o->factors, s, o->keep);
    if (!(s & (s - 1)))
        return build_summed(o->b, &o->factors->at[__builtin_ctz(s)], keep, out);
    u32 first = o->split[s] & -s & s ? o->split[s] : s & ~o->split[s];
    return build_subset(o, first, &x) && build_subset(o, s & ~first, &y) &&
           build_pair(o->b, &x, &y, keep, out);
}

static bool build_exactly(Back *b, const Parts *factors, Names keep, Part *out)
{
    u32 all = (1u << factors->n) - 1;
    size_t n = (size_t)all + 1;
    Orders o = {b,
                factors,
                keep,
                xmalloc(n * sizeof(double)),
                xcalloc(n, sizeof(u32)),
                xcalloc(n, sizeof(Names))};
    for (u32 s = 1; s <= all; s++)
        weigh_subset(&o, s);
    bool ok = build_subset(&o, all, out);
    free(o.cost);
    free(o.split);
    free(o.names);
    return ok;
}

/* The two that leave least, compared with what they are. */
static void best_pair(Back *b, const Parts *p, Names keep, u32 *x, u32 *y)
{
    double least = INFINITY;
    for (u32 i = 0; i < p->n; i++)
        for (u32 k = i + 1; k < p->n; k++) {
            Names own = part_names(&p->at[i]), other = part_names(&p->at[k]);
            Names left = (own | other) & needed(p, 1u << i | 1u << k, keep);
            double change = elements(b, left) - elements(b, own) - elements(b, other);
            if (change >= least)
                continue;
            least = change;
            *x = i, *y = k;
        }
}

static bool build_greedily(Back *b, Parts p, Names keep, Part *out)
{
    while (p.n > 1) {
        u32 x = 0, y = 1;
        Part both;
        best_pair(b, &p, keep, &x, &y);
        if (!build_pair(b, &p.at[x], &p.at[y], needed(&p, 1u << x | 1u << y, keep), &both))
            return false;
        p.at[x] = both;
        for (u32 i = y; i + 1 < p.n; i++)
            p.at[i] = p.at[i + 1];
        p.n--;
    }
    return build_summed(b, &p.at[0], keep, out);
}

/* Numbers go last: they scale the result. */
static void set_apart(const Parts *all, Parts *arrays, Parts *numbers)
{
    arrays->n = numbers->n = 0;
    for (u32 i = 0; i < all->n; i++) {
        Parts *to = node_rank(all->at[i].node) ? arrays : numbers;
        to->at[to->n++] = all->at[i];
    }
}

bool build_contraction(Back *b, const Parts *factors, Names keep, Part *out)
{
    Parts arrays, numbers;
    Part sum;
    if (!(names_of(factors, ~0u) & ~keep))
        return build_product_of(b, factors, out);
    set_apart(factors, &arrays, &numbers);
    bool ok = arrays.n <= MOST_EXACT ? build_exactly(b, &arrays, keep, &sum)
                                     : build_greedily(b, arrays, keep, &sum);
    if (!ok || !numbers.n)
        return ok && (*out = sum, true);
    numbers.at[numbers.n++] = sum;
    return build_product_of(b, &numbers, out);
}
