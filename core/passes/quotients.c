/* Quotients and remainders of sums of integers by a constant: what is a multiple of the divisor
 * comes out, and what is left is known if its bounds lie between two multiples.
 *
 * Nothing wraps around: each operand of the sum is proved to be small. Of a product that is taken
 * apart, this is asked of its factors, as a product that wrapped may be small, too. */
#include "passes/code_rules.h"
#include "passes/places.h"

#include <math.h>

enum { MOST_TERMS = 16, MOST_SHIFT = 40 };
/* Sums of MOST_TERMS such numbers are exact as doubles, in which bounds are kept. */
static const double most_size = 1e14;

/* m * times + rest, where rest lies within lo..hi. */
typedef struct {
    Node *times, *rest; /* NULL: 0 */
    double lo, hi;
    int terms;
} Parted;

static Node *plus(Store *st, Node *a, Node *b) { return a && b ? build_add(st, a, b) : a ? a : b; }

/* n / m, where n is a product with a constant factor that m divides; NULL: it is another, or may
 * wrap around. */
static Node *divided(Site *site, Node *n, i64 m)
{
    Node *rest = NULL;
    double size = 1;
    i64 c = 0, k;
    for (u32 i = 0; n->op == OP_MUL && i < n->nops; i++) {
        const Fact *f = fact_of(site->facts, n->ops[i]);
        size *= fmax(fabs(f->lo), fabs(f->hi));
        if (!c && node_const_i64(n->ops[i], &k) && k && k % m == 0)
            c = k;
        else
            rest = rest ? build_mul(site->st, rest, n->ops[i]) : n->ops[i];
    }
    if (!c || !rest || !(size <= most_size))
        return NULL;
    return c == m ? rest : build_mul(site->st, node_i64(site->st, c / m), rest);
}

static Node *plus_signed(Store *st, Node *a, Node *b, bool minus)
{
    if (!minus)
        return plus(st, a, b);
    return a ? build_sub(st, a, b) : build_neg(st, b);
}

/* Adds a term to p, or subtracts it; false: it may wrap around. */
static bool part_term(Site *site, Node *n, bool minus, i64 m, Parted *p)
{
    const Fact *f = fact_of(site->facts, n);
    if (++p->terms > MOST_TERMS || !(f->lo >= -most_size && f->hi <= most_size))
        return site_refuse(site, n, "not proved: it is below the divisor");
    Node *q = divided(site, n, m);
    if (q) {
        p->times = plus_signed(site->st, p->times, q, minus);
        return true;
    }
    p->rest = plus_signed(site->st, p->rest, n, minus);
    p->lo += minus ? -f->hi : f->lo;
    p->hi += minus ? -f->lo : f->hi;
    return true;
}

static bool part(Site *site, Node *n, bool minus, i64 m, Parted *p)
{
    if (n->op != OP_ADD && n->op != OP_SUB)
        return part_term(site, n, minus, m, p);
    bool ok = true;
    for (u32 i = 0; i < n->nops && ok; i++)
        ok = part(site, n->ops[i], minus != (n->op == OP_SUB && i), m, p);
    return ok;
}

/* What n divides by: a shift to the right does so by a power of 2, and a mask of the last bits
 * keeps the remainder. */
static bool divisor_of(const Node *n, i64 *m)
{
    i64 k;
    if (!node_const_i64(n->ops[1], &k))
        return false;
    if (n->op == OP_RIGHT_SHIFT)
        k = k >= 0 && k < MOST_SHIFT ? (i64)1 << k : 0;
    if (n->op == OP_BITWISE_AND)
        k = k > 0 && k < (i64)1 << MOST_SHIFT && !(k & (k + 1)) ? k + 1 : 0;
    *m = k;
    return true;
}

/* The sum under a division by m, a constant above 0, in parts; false: it is no such division. */
static bool sum_in_parts(Site *site, i64 *m, Parted *p)
{
    Node *n = site->node;
    if (n->type->dtype != DT_I64 || !divisor_of(n, m) || *m < 1 || (double)*m > most_size)
        return site_refuse(site, n->ops[1], "it is not a constant i64 above 0");
    *p = (Parted){0};
    return part(site, n->ops[0], false, *m, p) &&
           (p->times || p->terms > 1 ||
            site_refuse(site, n->ops[0], "it is neither a sum nor a multiple"));
}

/* What rest // m is for all values in its bounds. */
static bool known_quotient(const Parted *p, i64 m, i64 *q)
{
    *q = (i64)floor(p->lo / (double)m);
    return *q == (i64)floor(p->hi / (double)m);
}

static Node *number_like(Store *st, Node *n, i64 k) { return build_like(st, node_i64(st, k), n); }

/* (m * x + r) // m */
static bool quotient_of_sum(Site *site)
{
    Store *st = site->st;
    Node *n = site->node;
    Parted p;
    i64 m, q;
    if (!sum_in_parts(site, &m, &p))
        return false;
    bool known = known_quotient(&p, m, &q);
    if (known && p.rest && !fact_total(site->facts, st, p.rest))
        return site_refuse(site, p.rest, "it could raise an error");
    if (!known && !p.times)
        return site_refuse(site, n->ops[0], "no term is a multiple of the divisor");
    Node *rest = known ? (q ? node_i64(st, q) : NULL)
                       : build_elementwise(st, n->op, 2, (Node *[]){p.rest, n->ops[1]});
    return site_put_alike(site, p.times ? plus(st, p.times, rest) : number_like(st, n, q));
}

/* (m * x + r) % m */
static bool remainder_of_sum(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *after;
    Parted p;
    i64 m, q;
    if (!sum_in_parts(site, &m, &p))
        return false;
    bool known = known_quotient(&p, m, &q);
    if (p.times && !fact_total(site->facts, st, p.times))
        return site_refuse(site, p.times, "it could raise an error");
    if (!known && !p.times)
        return site_refuse(site, n->ops[0], "no term is a multiple of the divisor");
    if (!p.rest)
        after = number_like(st, n, 0);
    else if (known)
        after = q ? build_sub(st, p.rest, node_i64(st, q * m)) : p.rest;
    else
        after = build_elementwise(st, n->op, 2, (Node *[]){p.rest, n->ops[1]});
    return site_put_alike(site, after);
}

#define CANON(NAME, OP_, FN, REASON)                          \
    {                                                         \
        NAME, "canonicalize", HAZARD_D, OP_, FN, REASON, NULL \
    }
const CodeRule quotient_rules[] = {
    CANON("div-plus-multiple", OP_FLOORDIV, quotient_of_sum, "a multiple divides"),
    CANON("shift-plus-multiple", OP_RIGHT_SHIFT, quotient_of_sum, "a multiple divides"),
    CANON("mask-plus-multiple", OP_BITWISE_AND, remainder_of_sum,
          "the low bits of a multiple are 0"),
    CANON("mod-plus-multiple", OP_MOD, remainder_of_sum, "a multiple leaves no remainder"),
    {0}};
