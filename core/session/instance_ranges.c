/* Ranges read off a guard. */
#include "session/instance_ranges.h"

#include <float.h>
#include <math.h>

static const Range range_any = {.lo = -INFINITY, .hi = INFINITY};

double number_after(double x, DType d)
{
    return d == DT_F32   ? (double)nextafterf((float)x, INFINITY)
           : d == DT_F64 ? nextafter(x, INFINITY)
                         : x + 1;
}

double number_before(double x, DType d) { return -number_after(-x, d); }

static double largest(DType d) { return d == DT_F32 ? (double)FLT_MAX : DBL_MAX; }

/* The least number of the dtype that is not below the end. */
static double first_within(double lo, bool open, DType d, bool whole)
{
    double x = d == DT_F32 ? (double)(float)lo : lo;
    x = x < lo ? number_after(x, d) : x;
    x = whole ? ceil(x) : x;
    if (open && x == lo && isfinite(x))
        x = whole ? x + 1 : number_after(x, d);
    return x;
}

bool range_fit(Range *r, DType d)
{
    bool real = dtype_is_float(d), whole = r->whole || !real;
    r->whole = whole;
    r->lo = first_within(r->lo, r->lo_open, d, whole);
    r->hi = -first_within(-r->hi, r->hi_open, d, whole);
    r->lo_open = r->hi_open = false;
    if (r->nonzero && r->lo == 0)
        r->lo = whole ? 1 : number_after(0, d);
    if (r->nonzero && r->hi == 0)
        r->hi = whole ? -1 : number_before(0, d);
    double most = real && r->finite ? largest(d)
                  : d == DT_I32     ? 2147483647.0
                                    : 9223372036854775807.0;
    if (r->finite || !real) {
        r->lo = fmax(r->lo, real ? -most : -most - 1);
        r->hi = fmin(r->hi, most);
        r->no_nan = true;
    }
    return r->lo <= r->hi;
}

Fact range_fact(const Range *r)
{
    return (Fact){.lo = r->lo,
                  .hi = r->hi,
                  .nan = !r->no_nan,
                  .whole = r->whole,
                  .nonzero = r->nonzero || r->lo > 0 || r->hi < 0};
}

bool range_holds(const Range *r, double x)
{
    if (isnan(x))
        return !r->no_nan;
    return x >= r->lo && x <= r->hi && !(r->nonzero && x == 0) &&
           !(r->whole && isfinite(x) && trunc(x) != x);
}

const RangedLeaf *ranged_leaf(const Ranges *r, const Node *leaf)
{
    for (int i = 0; i < r->n; i++)
        if (r->at[i].leaf == leaf)
            return &r->at[i];
    return NULL;
}

bool ranges_assumed(const Ranges *r)
{
    bool found = false;
    for (int i = 0; i < r->n; i++)
        found = found || r->at[i].assumed;
    for (int i = 0; i < r->nexprs; i++)
        found = found || r->exprs[i].node;
    return found;
}

/* ---- the guard ---- */

typedef struct {
    const Rule *rule;
    u64 state;
    Ranges *out;
} Asking;

static u32 roll(Asking *a, u32 n)
{
    a->state = a->state * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(hash_mix(a->state, 19) >> 33) % n;
}

static Range *of_expression(Asking *a, const Expr *x)
{
    if (a->out->nexprs == RANGED_EXPRS)
        return NULL;
    RangedExpr *e = &a->out->exprs[a->out->nexprs++];
    *e = (RangedExpr){.asks = x, .range = range_any};
    return &e->range;
}

static Range *of_argument(Asking *a, const Expr *call, int i)
{
    const Expr *x = call->args[i].value;
    if (x->kind != E_NAME)
        return of_expression(a, x);
    int slot = rule_var(a->rule->vars, x->text);
    if (slot < 0 || a->rule->vars->kinds[slot] != 'n')
        return NULL;
    a->out->of[slot].asked = true;
    return &a->out->of[slot];
}

static void not_below(Range *r, double x, bool open)
{
    if (r && (x > r->lo || (x == r->lo && open)))
        r->lo = x, r->lo_open = open;
}

static void not_above(Range *r, double x, bool open)
{
    if (r && (x < r->hi || (x == r->hi && open)))
        r->hi = x, r->hi_open = open;
}

static bool literal_of(const Expr *x, double *out)
{
    bool minus = x->kind == E_UNARY && x->op == AST_NEG;
    x = minus ? x->items[0] : x;
    if (x->kind != E_INT && x->kind != E_FLOAT)
        return false;
    double k = strtod(x->text, NULL);
    *out = minus ? -k : k;
    return true;
}

/* A border between two variables. */
static double border(Asking *a, const Range *low, const Range *high)
{
    static const double at[] = {0, 0, 1, -1, 0.5, -2.5, 1e300, -1e-300, 3};
    double least = fmax(low->lo, -INFINITY), most = fmin(high->hi, INFINITY);
    double x = at[roll(a, COUNT_OF(at))];
    return x < least ? least : x > most ? most : x;
}

/* The number that a constant of the rule is, on this instance. */
static bool constant_of(Asking *a, const Expr *x, double *out)
{
    static const double at[] = {0, 1, 2, -1, 3, -7};
    int slot = x->kind == E_NAME ? rule_var(a->rule->vars, x->text) : -1;
    if (slot < 0 || a->rule->vars->types[slot] != KIND_CONST)
        return false;
    Range *c = &a->out->of[slot];
    bool chosen = c->asked && c->lo == c->hi;
    *out = chosen ? c->lo : at[roll(a, COUNT_OF(at))];
    c->asked = true;
    c->lo = c->hi = *out;
    return true;
}

static void ask_number(Asking *a, const Expr *g, const char *name)
{
    double k;
    Range *r = of_argument(a, g, 0);
    if (!r || (!literal_of(g->args[1].value, &k) && !constant_of(a, g->args[1].value, &k)))
        return;
    if (!strcmp(name, "at_least"))
        not_below(r, k, false), r->lo_told = true;
    else
        not_above(r, k, false), r->hi_told = true;
}

static void ask_order(Asking *a, const Expr *g, bool open)
{
    Range *low = of_argument(a, g, 0), *high = of_argument(a, g, 1);
    if (!low || !high || low == high)
        return;
    double x = border(a, low, high);
    bool upper = roll(a, 2); /* the border itself is one of the two */
    not_above(low, x, open && upper);
    not_below(high, x, open && !upper);
}

static void ask_one(Asking *a, const Expr *g)
{
    const char *name = g->items[0]->text;
    if (!strcmp(name, "at_least") || !strcmp(name, "at_most"))
        ask_number(a, g, name);
    else if (!strcmp(name, "not_above") || !strcmp(name, "below"))
        ask_order(a, g, !strcmp(name, "below"));
    else if (!strcmp(name, "nonnegative") || !strcmp(name, "positive")) {
        Range *r = of_argument(a, g, 0);
        not_below(r, 0, !strcmp(name, "positive"));
        if (r)
            r->lo_told = true;
    } else if (!strcmp(name, "nonpositive")) {
        Range *r = of_argument(a, g, 0);
        not_above(r, 0, false);
        if (r)
            r->hi_told = true;
    } else if (!strcmp(name, "finite") || !strcmp(name, "no_nan") || !strcmp(name, "whole") ||
               !strcmp(name, "nonzero") || !strcmp(name, "even") || !strncmp(name, "neutral", 7)) {
        Range *r = of_argument(a, g, 0);
        if (!r)
            return;
        r->finite = r->finite || !strcmp(name, "finite") || !strcmp(name, "neutral");
        r->no_nan = r->no_nan || !strcmp(name, "no_nan") || !strcmp(name, "neutral_below");
        r->whole = r->whole || !strcmp(name, "whole") || !strcmp(name, "even");
        r->even = r->even || !strcmp(name, "even");
        r->nonzero = r->nonzero || !strcmp(name, "nonzero") || !strcmp(name, "neutral_below");
    }
}

static void ask(Asking *a, const Expr *g)
{
    if (g->kind == E_BINARY && g->op == AST_OR)
        ask(a, g->items[roll(a, 2)]);
    else if (g->kind == E_BINARY)
        ask(a, g->items[0]), ask(a, g->items[1]);
    else if (g->kind == E_CALL)
        ask_one(a, g);
}

void ranges_choose(const Rule *r, u64 seed, Ranges *out)
{
    Asking a = {r, hash_mix(seed, 23), out};
    out->n = out->nexprs = 0;
    for (int i = 0; i < RULE_VARS; i++)
        out->of[i] = range_any;
    if (r->guard)
        ask(&a, r->guard);
}
