/* S12: a loop whose states are only multiplied by the same at each step is a power.
 *
 *   s' = c * s, n times     =>     c^n * s_0
 *
 * Condition: c does not change; no `until`, no trace that is used. Integers wrap around alike. Of
 * floats, s_0 is 1, or c is a number in the text and c^n a normal one: where it overflows or
 * vanishes, c * (c * s_0) may do neither, and 0 * inf is no number; what lies between 1 and a
 * normal c^n is normal, too, so then nothing is lost on the way in one form that is not in the
 * other. If n is not known, the loop stays for an n for which c^n is not normal. Class R: n
 * roundings become two.
 *
 * What is to be differentiated is a power before it is, if it is one for every n: so the derivative
 * is n * c^(n - 1), and no second loop.
 *
 * Nothing of the kind is done to
 *   s' = c * s + u_t    as sums of c^(n-t) u_t: the powers overflow or vanish where the steps do
 * not, and dividing by them (cumsum(u_t / c^t) * c^t) is worse; x' = A @ x          as A^n @ x: A^n
 * may overflow, or lose what is small, where A @ (A @ x) does neither, and whether it did is not to
 * be seen from its elements. */
#include "passes/loops/gather.h"
#include "passes/loops/loops.h"

#include "graph/reads.h"

#include <float.h>
#include <math.h>

enum {
    FEW_STEPS = 8,    /* that many products are as good as a power of a number in the text, */
    MANY_STEPS = 128, /* and that many, a tenth of a nanosecond an element, as one of an array */
};

typedef struct {
    ScanEdit ed;
    Node **powers; /* by state: what it ends as */
    i64 most;      /* steps after which all powers are normal numbers */
    bool derived;  /* a derivative is asked for of it */
} Powers;

static const char does_more[] = "is not just multiplied by the same factor at each step";

/* Is state i only multiplied, once, by what is the same at each step? Refuses if it is not. */
static bool is_multiplied(Site *site, const ScanShape *s, int i)
{
    const Node *next = s->body->outs[i], *state = s->body->param_nodes[i];
    u32 times = 0, moving = 0;
    if (next->op == OP_MATMUL && (next->ops[0] == state || next->ops[1] == state))
        return refuse_state(site, s, i,
                            "is multiplied by a matrix, whose power may overflow or lose accuracy "
                            "where the products with the state do not");
    for (u32 k = 0; next->op == OP_MUL && k < next->nops; k++) {
        times += next->ops[k] == state;
        moving += reads_among(graph_reads(s->body), next->ops[k], 0, s->nstates);
    }
    return (times == 1 && moving == 1) || refuse_state(site, s, i, does_more);
}

/* What it is multiplied by, outside. */
static Node *factor_of(ScanEdit *ed, const EditState *s)
{
    NodeVec rest = {0};
    for (u32 i = 0; i < s->next->nops; i++)
        if (s->next->ops[i] != s->hole)
            vec_push(&rest, s->next->ops[i]);
    Node *open = rest.len == 1 ? rest.at[0]
                               : node_make(ed->st, OP_MUL, s->next->attrs, (u32)rest.len, rest.at);
    vec_free(&rest);
    Node *factor = open ? scan_outside(ed, open) : NULL;
    return factor && !factor->open && node_dtype(factor) == node_dtype(s->hole) ? factor : NULL;
}

/* Is x^n a normal number of dtype d, and n exact as a float? */
static bool is_normal(double x, double n, DType d)
{
    bool small = d == DT_F32;
    double p = fabs(pow(x, n));
    return n <= 0x1p53 && p >= (small ? FLT_MIN : DBL_MIN) && p <= (small ? FLT_MAX : DBL_MAX);
}

/* The largest n for which x^n is normal. */
static i64 most_steps(double x, DType d)
{
    double low = 0, high = 0x1p53;
    if (!is_normal(x, 1, d) || is_normal(x, high, d))
        return is_normal(x, 1, d) ? (i64)high : 0;
    while (high - low > 1) { /* low is, high is not */
        double middle = floor((low + high) / 2);
        *(is_normal(x, middle, d) ? &low : &high) = middle;
    }
    return (i64)low;
}

/* The initial value; where a derivative took it from outside, that. */
static const Node *init_of(const Site *site, const EditState *s)
{
    const Node *n = s->init, *owner = NULL;
    for (int level = 0; n->op == OP_PARAM && (owner = site_owner(site, level)) != NULL; level++)
        if (!node_is_implicit(owner))
            return n;
        else
            n = owner->ops[n->attrs[0].i];
    return n;
}

static bool starts_at_one(const Site *site, const EditState *s)
{
    double x;
    return gather_number(init_of(site, s), &x) && x == 1;
}

/* c^n s_0, the power as wide as exponents are exact. */
static Node *final_value(Site *site, const EditState *s, Node *c, Node *n)
{
    Store *st = site->st;
    DType d = node_dtype(s->hole), wide = dtype_is_float(d) ? DT_F64 : d;
    Node *ops[] = {node_cast(st, c, wide), node_cast(st, n, wide)};
    Node *power = ops[0] && ops[1] ? build_elementwise(st, OP_POW, 2, ops) : NULL;
    Node *last = power ? node_cast(st, power, d) : NULL;
    Node *r = !last                    ? NULL
              : starts_at_one(site, s) ? build_like(st, last, s->init)
                                       : build_mul(st, s->init, last);
    return r && type_compatible(st, r->type, s->init->type) ? r : NULL;
}

/* A power of a scalar costs as little as a loop, and a derivative takes more than one pass over the
 * rows of all steps. */
static bool is_worth_it(const Powers *w, const Node *c)
{
    i64 count;
    return w->derived || !node_rank(c) ||
           (node_const_i64(w->ed.s.n, &count) && count >= MANY_STEPS);
}

static bool find_power(Site *site, Powers *w, int i, Node *n)
{
    ScanEdit *ed = &w->ed;
    const EditState *s = &ed->states[i];
    DType d = node_dtype(s->hole);
    double x;
    Node *c = factor_of(ed, s);
    if (!c || !(scan_runs(&ed->s) || nodes_are_total(ed->st, c)))
        return refuse_state(site, &ed->s, i, does_more);
    if (!dtype_is_float(d) && d != DT_I64)
        return refuse_state(site, &ed->s, i,
                            "has an integer dtype too narrow for the number of steps");
    bool exact = !dtype_is_float(d), literal = node_const_f64(c, &x);
    bool every = exact || starts_at_one(site, s);
    if (!every && !literal)
        return refuse_state(site, &ed->s, i,
                            "does not start at 1, and its factor is not a literal number: the "
                            "power may overflow or vanish where the steps do not");
    if (!exact && !literal && !is_worth_it(w, c))
        return refuse_state(site, &ed->s, i,
                            "has a factor that is not a literal number, and does not take enough "
                            "steps for a power to be faster");
    i64 most = every ? INT64_MAX : most_steps(x, d);
    w->most = most < w->most ? most : w->most;
    return (w->powers[i] = final_value(site, s, c, n)) != NULL;
}

static bool find_powers(Site *site, Powers *w)
{
    const ScanShape *s = &w->ed.s;
    Node *n = scan_count(site->st, s);
    i64 count;
    if (!n)
        return false;
    for (int i = 0; i < s->nstates; i++)
        if (!find_power(site, w, i, n))
            return false;
    bool known = node_const_i64(s->n, &count);
    if (w->most < FEW_STEPS || (known && count > w->most))
        return site_refuse(site, NULL, "a power overflows or vanishes after %lld steps",
                           (long long)w->most);
    w->most = known ? INT64_MAX : w->most;
    return true;
}

/* What the powers give as long as they are normal, else what the loop gives. */
static Node *choose(Store *st, Powers *w)
{
    Node *scan = w->ed.scan, *few = node2(st, OP_LE, NULL, w->ed.s.n, node_i64(st, w->most));
    NodeSet mentioned = {0};
    NodeVec no = {0};
    for (u32 i = 0; i < scan->nops; i++)
        set_add(&mentioned, scan->ops[i]);
    for (int i = 0; i < w->ed.s.nstates; i++)
        vec_push(&no, node_proj(st, scan, i));
    bool all = few != NULL;
    for (size_t i = 0; i < no.len; i++)
        all = all && no.at[i];
    Node *r = all ? build_if(st, few, (int)no.len, w->powers, no.at, &mentioned) : NULL;
    map_free(&mentioned);
    vec_free(&no);
    return r;
}

static bool put_powers(Site *site, Powers *w)
{
    Store *st = site->st;
    Node *scan = w->ed.scan, *choice = w->most < INT64_MAX ? choose(st, w) : NULL;
    if (w->most < INT64_MAX && !choice)
        return false;
    for (int i = 0; i < w->ed.s.nstates; i++)
        site_put(site, node_proj(st, scan, i), choice ? node_proj(st, choice, i) : w->powers[i]);
    site_put(site, node_proj(st, scan, w->ed.s.steps), scan_count(st, &w->ed.s));
    site_put(site, node_proj(st, scan, w->ed.s.steps + 1), node_bool(st, false));
    if (choice)
        site_why(site, "the power stays a normal number for up to %lld steps", (long long)w->most);
    else
        site_why(site, "%d state%s", w->ed.s.nstates, w->ed.s.nstates == 1 ? "" : "s");
    return true;
}

static int used_traces(Site *site, const ScanShape *s)
{
    const IntList *used = site_used(site);
    int count = 0;
    for (int i = 0; i < s->nouts; i++)
        count += result_is_used(used, s->nstates + i);
    return count;
}

static bool powers(Site *site, bool derived)
{
    Node *n = site->node;
    const Node *owner = site_owner(site, 0);
    ScanShape s = scan_shape(n);
    i64 count;
    Powers w = {.most = INT64_MAX, .derived = derived};
    if (!s.nstates || s.nseqs)
        return site_refuse(site, NULL, !s.nstates ? "it has no state" : "it reads a sequence");
    if (used_traces(site, &s))
        return site_refuse(site, NULL, "its trace is used");
    if (s.stop)
        return site_refuse(site, NULL, "`until` may end it at any step");
    if (node_const_i64(s.n, &count) && count < FEW_STEPS)
        return site_refuse(site, NULL, "it takes too few steps");
    if (owner && owner->op == OP_IFELSE)
        return site_refuse(
            site, NULL, "it is in a branch, which may exist because a power is not accurate there");
    for (int i = 0; i < s.nstates; i++)
        if (!is_multiplied(site, &s, i))
            return false;
    if (!scan_open(site->st, n, &w.ed))
        return false;
    w.powers = xcalloc((size_t)s.nstates + 1, sizeof *w.powers);
    bool ok = find_powers(site, &w) && (!derived || w.most == INT64_MAX) && put_powers(site, &w);
    free(w.powers);
    scan_edit_free(&w.ed);
    return ok;
}

bool loop_powers(Site *site) { return powers(site, false); }

bool loop_powers_derived(Site *site)
{
    if (!site_is_derived(site))
        return site_refuse(site, NULL, "no derivative is asked for of it");
    if (scan_shape(site->node).checkpoint != CHECKPOINT_NONE)
        return site_refuse(site, NULL, "`checkpoint` says how its derivative is to be computed");
    return powers(site, true);
}
