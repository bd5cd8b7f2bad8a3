/* Matching a pattern: goals are solved one after the other, and where operands may stand in any
 * order, or have several forms, each way is tried until all goals are met and the rule's conditions
 * hold.
 *
 * Operands of sums, products and other operators whose order does not matter match in any order; at
 * the root of a sum or product, operands that no pattern took stay. Variables are bound once; on
 * the way back from a dead end they are unbound by restoring a bit mask. */
#include "rewrite/match.h"
#include "graph/provenance.h"
#include "rewrite/inner.h"
#include "surface/surface.h"

#include <limits.h>
#include <math.h>

enum {
    MATCH_BUDGET = 50000, /* places one attempt may look at: any order is many ways */
    ACCEPT_COST = 20, /* of it for a whole match: the conditions that are asked then take longer */
    TERM_BYTES = 60   /* of a term in a message: most of a line */
};

/* false, with the reason if one is wanted and this attempt went further than any before it */
static bool tell_no_match(Matcher *m, const Pattern *p, const Node *n, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
static bool tell_no_match(Matcher *m, const Pattern *p, const Node *n, const char *fmt, ...)
{
    if (m->done < m->deepest)
        return false;
    va_list ap;
    va_start(ap, fmt);
    m->deepest = m->done;
    m->failed->len = 0;
    text_put(m->failed, "`");
    node_source_within(m->st, m->failed, (Node *)(uintptr_t)n, TERM_BYTES, m->within);
    text_put(m->failed, "` ");
    text_vprintf(m->failed, fmt, ap);
    va_end(ap);
    if (p->written) {
        text_put(m->failed, "; the pattern has ");
        ast_print_expr(m->failed, p->written);
    }
    return false;
}

/* Nothing is put together for nobody. */
#define no_match(m, ...) ((m)->failed ? tell_no_match(m, __VA_ARGS__) : false)

static bool same_rest(const RuleValue *v, u32 count, Node *const *nodes)
{
    return v->count == count && !memcmp(v->nodes, nodes, count * sizeof *nodes);
}

static bool match_rest(Matcher *m, const Pattern *p, Node *n, u32 count, Node *const *nodes)
{
    if (m->b->bound >> p->slot & 1)
        return same_rest(&m->b->at[p->slot], count, nodes) ||
               no_match(m, p, n, "has operands left over");
    m->b->bound |= 1u << p->slot;
    m->b->at[p->slot] = (RuleValue){.kind = 'r', .count = count, .nodes = nodes};
    m->done++;
    return true;
}

/* What no pattern took, in the order of the source. */
static bool match_leftover(Matcher *m, const Pattern *p, Node *n, u64 taken)
{
    bool known = m->b->bound >> p->slot & 1;
    Node *again[RULE_OPERANDS], **left = again; /* any order: there are not more */
    if (!known)
        left =
            m->rest ? m->rest[p->slot] : arena_alloc(&m->st->scratch, (n->nops + 1) * sizeof *left);
    u32 count = 0;
    const IntList *order = node_order(m->st, n);
    for (u32 k = 0; k < n->nops; k++) {
        u32 i = order ? (u32)order->at[k] : k;
        if (!(taken >> i & 1))
            left[count++] = n->ops[i];
    }
    return match_rest(m, p, n, count, left);
}

/* ---- at nodes, or wherever m->places says ---- */

static Node *value_at(Matcher *m, Spot at) { return m->places ? m->places->value(m, at) : at.node; }

/* A later occurrence of a variable takes what the first one took. */
static bool is_same(Matcher *m, const Pattern *p, Spot at)
{
    const RuleValue *v = &m->b->at[p->slot];
    return m->places ? m->places->is_same(m, p->slot, at)
                     : (p->inside ? v->hole : v->node) == at.node;
}

static bool took(Matcher *m, const Pattern *p, Spot at, Node *n)
{
    if (m->places)
        m->places->took(m, p, at, n);
    m->done++;
    return true;
}

static bool may_be(Matcher *m, const Pattern *p, Spot at)
{
    return !m->places || m->places->may_be(m, p, at);
}

static bool match_number(Matcher *m, const Pattern *p, Spot at)
{
    double x;
    Node *n = value_at(m, at);
    if (!node_const_f64(n, &x))
        return no_match(m, p, at.node, "is not a number");
    double number = n->type->dtype == DT_F32 ? (double)(float)p->number : p->number;
    bool same = (n->type->dtype == DT_BOOL) == p->is_bool && x == number;
    if (!same || (x == 0 && signbit(x))) /* a pattern's 0 is +0 */
        return no_match(m, p, n, "is a different number");
    return took(m, p, at, n);
}

static bool match_row(Matcher *m, const Pattern *p, Node *n);

static bool match_var(Matcher *m, const Pattern *p, Spot at)
{
    if (p->row)
        return match_row(m, p, at.node);
    RuleValue *v = &m->b->at[p->slot];
    const char *name = m->vars->names[p->slot];
    if (m->b->bound >> p->slot & 1)
        return is_same(m, p, at)
                   ? took(m, p, at, v->node)
                   : no_match(m, p, at.node, "differs from the earlier match of %s", name);
    Node *n = value_at(m, at);
    if (!var_kind_accepts(p->var, n)) {
        const char *what = n->type->kind == TYPE_TENSOR ? dtype_name(n->type->dtype) : "a tuple";
        if (p->var == KIND_CONST)
            return no_match(m, p, n, "is not a constant");
        return no_match(m, p, n, "is %s, but %s must be %s", what, name, var_kind_names[p->var]);
    }
    m->b->bound |= 1u << p->slot;
    *v = (RuleValue){.kind = 'n', .node = n};
    return took(m, p, at, n);
}

static bool same_ints(const IntList *a, const IntList *b)
{
    return a == b || (a->n == b->n && !memcmp(a->at, b->at, a->n * sizeof *a->at));
}

static bool match_attr(Matcher *m, const PatAttr *a, char kind, Attr is)
{
    if (a->slot < 0)
        return kind == 'I' ? same_ints(a->ints, is.ints) : a->value == is.i;
    RuleValue *v = &m->b->at[a->slot];
    if (m->b->bound >> a->slot & 1)
        return kind == 'I' ? same_ints(v->attr.ints, is.ints) : v->attr.i == is.i;
    m->b->bound |= 1u << a->slot;
    *v = (RuleValue){.kind = kind, .attr = is};
    return true;
}

static bool match_head(Matcher *m, const Pattern *p, Node *n, bool root)
{
    if (n->op != p->op)
        return no_match(m, p, n, "is %s, not %s", op_table[n->op].name, op_table[p->op].name);
    if (p->swaps_last && !node_swaps_last(n))
        return no_match(m, p, n, "permutes the axes differently");
    for (u32 i = 0; i < n->nattrs && !p->swaps_last; i++)
        if (!match_attr(m, &p->attrs[i], op_attr_kind(n->op, (int)i), n->attrs[i])) {
            return no_match(m, p, n, "has another %s", op_attr_name(n->op, (int)i));
        }
    bool open = p->rest >= 0 || (p->any_order && root && op_table[n->op].flags & NARY);
    int least = p->rest >= 0 ? p->n - 1 : p->n;
    if ((p->any_order && n->nops > RULE_OPERANDS) ||
        (open ? (int)n->nops < least : (int)n->nops != p->n))
        return no_match(m, p, n, "has %u operands", n->nops);
    m->done++;
    return true;
}

/* ---- branches of an `if` ---- */

static bool match_if(Matcher *m, const Pattern *p, Node *n)
{
    if (n->op != OP_PROJ || n->ops[0]->op != OP_IFELSE)
        return no_match(m, p, n, "is not an `if`");
    m->b->bound |= 1u << p->slot;
    m->b->at[p->slot] = (RuleValue){.kind = 'g', .node = n->ops[0]};
    m->done++;
    return true;
}

/* ---- derivatives and maps ---- */

static bool match_inner(Matcher *m, const Pattern *p, Node *n)
{
    Applied a;
    if (!applied_shape(n, p->inner, &a))
        return no_match(m, p, n, "is not a %s of one value with respect to one variable",
                        op_table[p->inner].name);
    m->done++;
    return true;
}

/* What depends on the variable of a derivative or map. */
static Node *inner_value(Matcher *m, const Pattern *p, Node *n)
{
    Applied a;
    RuleValue *v = &m->b->at[p->slot];
    applied_shape(n, p->inner, &a);
    Type *t = applied_parameter(m->st, &a);
    bool map = p->inner == OP_VMAP, known = m->b->bound >> p->slot & 1;
    Node *hole = !map ? v->hole : known ? v->node : NULL;
    if (!hole)
        hole = node_temp(m->st, t, symbol(m->st, m->vars->names[p->slot]));
    if (hole->type != t) {
        no_match(m, p, n, "has a variable of another type");
        return NULL;
    }
    if (map)
        *v = (RuleValue){.kind = 'n', .node = hole};
    v->hole = hole;
    m->b->bound |= 1u << p->slot;
    m->budget -= (int)graph_node_count(n->ops[0]->attrs[0].graph);
    return applied_value(m->st, n, hole);
}

/* ---- loops ---- */

/* Is it a loop of the form, whatever its states do? */
static bool match_loop(Matcher *m, const Pattern *p, Node *n)
{
    const ScanForm *f = p->scan;
    Node *scan = f->final ? n->ops[0] : n;
    if (n->op != p->op || scan->op != OP_SCAN || (f->final && n->attrs[0].i >= scan->attrs[1].i))
        return no_match(m, p, n, "is not a %s", f->final ? "final value of a loop" : "loop");
    ScanShape s = scan_shape(scan);
    i64 steps;
    bool counted = !node_const_i64(s.n, &steps) || steps != SCAN_UNBOUNDED;
    int named = f->written->nover - f->more_seqs;
    if (!s.nstates)
        return no_match(m, p, n, "has no state");
    if (s.reverse)
        return no_match(m, p, n, "runs backwards");
    if ((s.stop || !counted) && (f->final || f->count >= 0 || !f->more_items))
        return no_match(m, p, n, "has an `until`, so it may stop at any step");
    if ((s.nstates != 1 && !f->more_states) || (s.nseqs > named && !f->more_seqs) ||
        (s.nouts && !f->more_items))
        return no_match(m, p, n, "has more parts than the pattern");
    m->done++;
    return true;
}

static void bind(Matcher *m, int slot, RuleValue v)
{
    m->b->bound |= 1u << slot;
    m->b->at[slot] = v;
}

/* Binds the loop, its state, the step's number and the number of steps. */
static void bind_loop(Matcher *m, const Pattern *p, const LoopParts *parts, int state)
{
    const ScanForm *f = p->scan;
    LoopParts *l = arena_alloc(&m->st->scratch, sizeof *l);
    *l = *parts;
    l->state = state;
    int t = loop_index_sequence(l);
    Node *index = t >= 0 ? l->seqs[t] : node_temp(m->st, type_scalar(m->st, DT_I64), NULL);
    bind(m, p->slot, (RuleValue){.kind = 'l', .loop = l});
    bind(m, f->state, (RuleValue){.kind = 'n', .node = l->states[state]});
    bind(m, f->index, (RuleValue){.kind = 'n', .node = index});
    if (f->count >= 0)
        bind(m, f->count, (RuleValue){.kind = 'n', .node = l->scan->ops[0]});
}

/* A row of a sequence that has one for each step, and no more. */
static bool match_row(Matcher *m, const Pattern *p, Node *n)
{
    RuleValue *v = &m->b->at[p->slot];
    if (m->b->bound >> p->slot & 1)
        return v->hole == n || no_match(m, p, n, "is a row of a different sequence");
    const LoopParts *l = NULL;
    for (int k = 0; k < m->vars->n && !l; k++)
        l = m->vars->kinds[k] == 'l' && m->b->bound >> k & 1 ? m->b->at[k].loop : NULL;
    ScanShape s = scan_shape(l->scan);
    for (int i = 0; i < s.nseqs; i++) {
        bool whole = s.seqs[i]->type->dims[0] == size_of_node(m->st, s.n);
        if (l->seqs[i] != n || !var_kind_accepts(p->var, n) || !whole)
            continue;
        bind(m, p->slot, (RuleValue){.kind = 'n', .node = s.seqs[i], .hole = n});
        m->done++;
        return true;
    }
    return no_match(m, p, n,
                    "is not a row of a sequence of that element type with one row per step");
}

/* What operand i of the pattern is matched at; no node: nowhere. */
static Spot operand_of(Matcher *m, const Goal *g, int i, u32 at)
{
    const Pattern *p = g->p;
    Node *n = g->at.node;
    Applied a;
    if (p->kind == PAT_OP)
        return (Spot){n->ops[at], g->kids ? g->kids[at] : 0, at};
    if (p->kind == PAT_IF && i)
        m->budget -= (int)graph_node_count(n->ops[0]->attrs[i - 1].graph);
    if (p->kind == PAT_IF)
        return (Spot){.node = i ? if_result(m->st, n, i - 1) : n->ops[0]->ops[0]};
    if (p->kind == PAT_SCAN) {
        const LoopParts *l = m->b->at[p->slot].loop;
        return (Spot){.node = i ? l->outs[l->state] : scan_shape(l->scan).inits[l->state]};
    }
    applied_shape(n, p->inner, &a);
    return (Spot){.node = i == 0 ? a.at : i == 1 ? inner_value(m, p, n) : a.with};
}

/* ---- goals ---- */

static bool solve(Matcher *m, const Goal *g);

/* The operands of g->p from the k-th on, in order; the rest takes what is between its neighbours.
 */
static bool solve_in_order(Matcher *m, const Goal *g)
{
    const Pattern *p = g->p;
    Node *n = g->at.node;
    u32 rest = n->nops - (u32)(p->n - 1), at = (u32)g->k;
    if (g->k == p->n)
        return solve(m, g->next);
    Goal more = *g;
    more.k++;
    if (g->k == p->rest)
        return match_rest(m, p->args[g->k], n, rest, n->ops + g->k) && solve(m, &more);
    if (p->rest >= 0 && g->k > p->rest)
        at += rest - 1;
    Goal first = {.p = p->args[g->k], .at = operand_of(m, g, g->k, at), .k = -1, .next = &more};
    return first.at.node && solve(m, &first);
}

static bool solve_any_order(Matcher *m, const Goal *g)
{
    const Pattern *p = g->p;
    Node *n = g->at.node;
    int k = g->k == p->rest ? g->k + 1 : g->k;
    if (k >= p->n) {
        u64 taken = m->taken;
        if (g->root)
            m->taken = p->rest >= 0 ? ~0ull : g->taken;
        bool met =
            (p->rest < 0 || match_leftover(m, p->args[p->rest], n, g->taken)) && solve(m, g->next);
        m->taken = met ? m->taken : taken;
        return met;
    }
    u32 saved = m->b->bound;
    int done = m->done;
    for (u32 i = 0; i < n->nops; i++) {
        Spot at = {n->ops[i], g->kids ? g->kids[i] : 0, i};
        if (g->taken >> i & 1 || !may_be(m, p->args[k], at))
            continue;
        Goal more = {p, g->at, g->kids, k + 1, g->root, g->taken | 1ull << i, g->next};
        Goal first = {.p = p->args[k], .at = at, .k = -1, .next = &more};
        if (solve(m, &first))
            return true;
        m->b->bound = saved;
        m->done = done;
    }
    return no_match(m, p->args[k], n,
                    g->taken ? "has no other matching operand" : "has no matching operand");
}

static bool solve_parts(Matcher *m, const Goal *g)
{
    return solve_in_order(m, &(Goal){.p = g->p, .at = g->at, .next = g->next});
}

/* Each state in turn. */
static bool solve_loop(Matcher *m, const Goal *g)
{
    const Pattern *p = g->p;
    Node *n = g->at.node;
    if (!match_loop(m, p, n))
        return false;
    Node *scan = p->scan->final ? n->ops[0] : n;
    LoopParts *l = loop_parts(m->st, scan);
    int states = l ? scan_shape(scan).nstates : 0, first = p->scan->final ? (int)n->attrs[0].i : 0;
    u32 bound = m->b->bound;
    int done = m->done;
    m->budget -= (int)graph_node_count(scan->attrs[0].graph);
    for (int i = first; i < (p->scan->final ? first + 1 : states) && l; i++) {
        bind_loop(m, p, l, i);
        if (solve_parts(m, g))
            return true;
        m->b->bound = bound;
        m->done = done;
    }
    return false;
}

static bool solve(Matcher *m, const Goal *g)
{
    if (!g) {
        m->deepest = INT_MAX; /* the conditions say why not */
        m->budget -= m->accept_cost;
        return !m->accept || m->accept(m->ctx);
    }
    const Pattern *p = g->p;
    Node *n = g->at.node;
    if (g->k >= 0)
        return p->any_order ? solve_any_order(m, g) : solve_in_order(m, g);
    if (m->budget <= 0)
        return no_match(m, p, n, "could match in too many ways");
    m->budget--;
    switch (p->kind) {
    case PAT_VAR: return match_var(m, p, g->at) && solve(m, g->next);
    case PAT_NUMBER: return match_number(m, p, g->at) && solve(m, g->next);
    case PAT_OP: return m->places ? m->places->forms(m, g) : match_form(m, g, n, NULL);
    case PAT_IF: return match_if(m, p, n) && solve_parts(m, g);
    case PAT_INNER: return match_inner(m, p, n) && solve_parts(m, g);
    case PAT_SCAN: return solve_loop(m, g);
    case PAT_REST: break;
    }
    return false;
}

bool match_form(Matcher *m, const Goal *g, Node *n, const u32 *kids)
{
    Goal parts = {.p = g->p, .at = {n, g->at.term, g->at.place}, .kids = kids, .root = g->root};
    parts.next = g->next;
    return match_head(m, g->p, n, g->root) && solve(m, &parts);
}

bool pattern_match(Store *st, const Rule *r, Node *n, Match *out, Text *failed)
{
    Matcher m = {.st = st,
                 .b = &out->b,
                 .vars = r->vars,
                 .budget = MATCH_BUDGET,
                 .accept_cost = ACCEPT_COST,
                 .failed = failed,
                 .within = out->within,
                 .accept = out->accept,
                 .ctx = out->ctx};
    out->b.bound = 0;
    bool ok = solve(&m, &(Goal){.p = r->pattern, .at = {.node = n}, .k = -1, .root = true});
    out->taken = m.taken;
    out->matched = m.deepest;
    return ok;
}
