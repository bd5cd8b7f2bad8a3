/* Building the right side of a rule that matched, and asking its conditions. Nodes come from the
 * operators' own constructors; numbers take the dtype of the operands beside them, else of what is
 * replaced. */
#include "graph/walk.h"
#include "graph/provenance.h"
#include "ops/build.h"
#include "rewrite/inner.h"
#include "rewrite/match.h"
#include "rewrite/pattern_parts.h"
#include "surface/surface.h"

enum {
    BUILD_OPERANDS = 128, /* of an operator that is built: two rests of RULE_OPERANDS, and more */
    MATCH_OPERANDS = 64,  /* of a node of which a part matched: a bit of a u64 each */
    MANY_NODES = 10000,   /* looked at for one condition: then it counts as not proved */
    TERM_BYTES = 60       /* of a term in a message: most of a line */
};

static const RuleValue *bound(const RuleCall *c, const char *name)
{
    int slot = rule_var(c->vars, name);
    return slot >= 0 && c->b->bound >> slot & 1 ? &c->b->at[slot] : NULL;
}

static bool is_number(const Expr *x)
{
    return x->kind == E_INT || x->kind == E_FLOAT ||
           (x->kind == E_UNARY && x->op == AST_NEG && is_number(x->items[0]));
}

static double number(const Expr *x)
{
    return x->kind == E_UNARY ? -number(x->items[0]) : strtod(x->text, NULL);
}

/* ---- arguments and attributes ---- */

static const IntList *axes_of(Store *st, const Expr *x)
{
    i64 at[MAX_RANK] = {0};
    int n = x->kind == E_TUPLE ? x->nitems : 1;
    for (int i = 0; i < n && i < MAX_RANK; i++)
        at[i] = strtoll((x->kind == E_TUPLE ? x->items[i] : x)->text, NULL, 10);
    return n > MAX_RANK ? NULL : intlist(st, (u32)n, at);
}

static bool call_function(RuleCall *c, const RuleFunction *f, const Expr *x, RuleValue *out)
{
    RuleValue args[RULE_PARAMS];
    for (int i = 0; i < x->nargs; i++)
        if (!rule_value(c, x->args[i].value, f->params[i], &args[i]))
            return false;
    *out = (RuleValue){.kind = f->result};
    return f->apply(c, args, out);
}

static bool literal(RuleCall *c, const Expr *x, char wanted, RuleValue *out)
{
    out->kind = wanted;
    switch (wanted) {
    case 'f': out->number = number(x); return true;
    case 'i': out->attr.i = (i64)number(x); return true;
    case 'b': out->attr.i = x->flag; return x->kind == E_BOOL;
    case 'I': out->attr.ints = axes_of(c->st, x); return out->attr.ints != NULL;
    case 'd':
        for (int d = 0; d < DT_COUNT; d++)
            if (!strcmp(dtype_name((DType)d), x->text)) {
                out->attr.i = d;
                return true;
            }
        return false;
    default: return false;
    }
}

/* The value as one of the kind `wanted`: an integer as axes, a constant operand as a number. */
static bool adapt(RuleCall *c, char wanted, RuleValue *v)
{
    double x;
    if (v->kind == wanted)
        return true;
    if (v->kind == 'i' && wanted == 'I') {
        v->kind = 'I';
        v->attr.ints = intlist(c->st, 1, &v->attr.i);
        return true;
    }
    if (v->kind == 'n' && wanted == 'f' && node_const_f64(v->node, &x)) {
        *v = (RuleValue){.kind = 'f', .number = x};
        return true;
    }
    return false;
}

bool rule_value(RuleCall *c, const Expr *x, char wanted, RuleValue *out)
{
    const RuleValue *v = x->kind == E_NAME ? bound(c, x->text) : NULL;
    if (v) {
        *out = *v;
        if (c->inside >> rule_var(c->vars, x->text) & 1)
            out->node = v->hole;
        return adapt(c, wanted, out);
    }
    bool call = x->kind == E_CALL && x->items[0]->kind == E_NAME;
    const RuleFunction *f = call ? rule_function_by_name(x->items[0]->text) : NULL;
    if (f && f->result != 'n')
        return call_function(c, f, x, out) && adapt(c, wanted, out);
    if (wanted == 'n' || (wanted == 'f' && !is_number(x))) {
        *out = (RuleValue){.kind = 'n', .node = template_build(c, x)};
        return out->node && adapt(c, wanted, out);
    }
    return literal(c, x, wanted, out);
}

/* ---- nodes ---- */

typedef struct {
    Node *at[BUILD_OPERANDS];
    const Expr *numbers[BUILD_OPERANDS]; /* to be built when the dtype is known, or NULL */
    u32 n;
} Operands;

static bool add_operand(RuleCall *c, Operands *o, const Expr *x)
{
    const RuleValue *v = x->kind == E_NAME ? bound(c, x->text) : NULL;
    u32 count = v && v->kind == 'r' ? v->count : 1;
    if (o->n + count > BUILD_OPERANDS)
        return false;
    for (u32 i = 0; i < count; i++) {
        o->numbers[o->n] = is_number(x) ? x : NULL;
        Node *node = v && v->kind == 'r' ? v->nodes[i] : is_number(x) ? NULL : template_build(c, x);
        if (!node && !is_number(x))
            return false;
        o->at[o->n++] = node;
    }
    return true;
}

static DType number_dtype(const RuleCall *c, const Operands *o, OpId op)
{
    bool positions = op_table[op].cls == CLASS_INDEX || op_table[op].cls == CLASS_SHAPE;
    if (positions && op != OP_CONCAT)
        return DT_I64;
    for (u32 i = 0; i < o->n; i++)
        if (o->at[i] && (o->at[i]->type->dtype != DT_BOOL || op != OP_WHERE))
            return o->at[i]->type->dtype;
    return c->dtype;
}

static bool in_order(const IntList *axes)
{
    for (u32 i = 0; i < axes->n; i++)
        if (axes->at[i] != i)
            return false;
    return true;
}

static Node *build_operation(RuleCall *c, OpId op, const Attr *attrs, Operands *o)
{
    DType d = number_dtype(c, o, op);
    for (u32 i = 0; i < o->n; i++)
        if (o->numbers[i])
            o->at[i] = node_number(c->st, d, number(o->numbers[i]));
    bool nothing =
        (op_table[op].flags & NARY && o->n == 1) || (op == OP_TRANSPOSE && in_order(attrs[0].ints));
    if (nothing)
        return o->at[0];
    if (op_is_elementwise(op) && op != OP_CAST)
        return build_elementwise(c->st, op, o->n, o->at);
    return node_make(c->st, op, attrs, o->n, o->at);
}

static Node *build_inner(RuleCall *c, const InnerCall *call)
{
    int slot = rule_var(c->vars, call->parameter);
    u32 outside = c->inside;
    Applied a = {.op = call->op, .hole = c->b->at[slot].hole};
    c->inside |= call->op == OP_VMAP ? 0 : 1u << slot;
    a.value = template_build(c, call->body);
    c->inside = outside;
    a.at = a.value ? template_build(c, call->at) : NULL;
    if (a.at && call->with)
        a.with = template_build(c, call->with);
    return a.at && (a.with || !call->with) ? applied_build(c->st, &a) : NULL;
}

static Node *build_call(RuleCall *c, const Expr *x)
{
    InnerCall call;
    if (expr_inner_call(x, &call))
        return build_inner(c, &call);
    const char *name = x->items[0]->text;
    const RuleFunction *f = rule_function_by_name(name);
    RuleValue v;
    if (f)
        return call_function(c, f, x, &v) ? v.node : NULL;
    OpId op = op_by_name(name);
    Attr attrs[8] = {{0}};
    Operands o = {.n = 0};
    for (int i = 0; i < x->nargs; i++) {
        const Arg *a = &x->args[i];
        int k = a->name ? op_attr_index(op, a->name) : -1;
        if (!a->name && !add_operand(c, &o, a->value))
            return NULL;
        if (a->name && !rule_value(c, a->value, op_attr_kind(op, k), &v))
            return NULL;
        if (a->name)
            attrs[k] = v.attr;
    }
    return build_operation(c, op, attrs, &o);
}

static Node *build_operator(RuleCall *c, const Expr *x)
{
    Operands o = {.n = 0};
    for (int i = 0; i < x->nitems; i++)
        if (!add_operand(c, &o, x->items[i]))
            return NULL;
    if (x->op == AST_TRANSPOSE)
        return o.at[0]->type->rank < 2 ? NULL : build_swap_last(c->st, o.at[0]);
    return build_operation(c, op_of_sign(x->op), NULL, &o);
}

/* What branches of an `if` on the right side do not compute themselves: what was there before the
 * `if`s of the left side. */
static void found_outside(const RuleCall *c, NodeSet *outside)
{
    for (int k = 0; k < c->vars->n; k++) {
        const RuleValue *v = &c->b->at[k];
        if (!(c->b->bound >> k & 1))
            continue;
        if (v->kind == 'n' && c->vars->always >> k & 1)
            set_add(outside, v->node);
        const Node *owner = v->kind == 'g' ? v->node : v->kind == 'l' ? v->loop->scan : NULL;
        for (u32 i = 0; owner && i < owner->nops; i++)
            set_add(outside, owner->ops[i]);
    }
}

static Node *build_choice(RuleCall *c, const Expr *x)
{
    NodeSet outside = {0};
    Node *parts[3], *r = NULL;
    bool ok = true;
    for (int i = 0; i < 3 && ok; i++)
        ok = (parts[i] = template_build(c, x->items[i])) != NULL;
    found_outside(c, &outside);
    if (ok)
        r = build_if(c->st, parts[0], 1, &parts[1], &parts[2], &outside);
    map_free(&outside);
    return r ? node_proj(c->st, r, 0) : NULL;
}

static Node *build_name(const RuleCall *c, const Expr *x)
{
    const RuleValue *v = bound(c, x->text);
    if (!v || v->kind != 'n')
        return NULL;
    return c->inside >> rule_var(c->vars, x->text) & 1 ? v->hole : v->node;
}

Node *template_build(RuleCall *c, const Expr *x)
{
    if (is_number(x))
        return node_number(c->st, c->dtype, number(x));
    switch (x->kind) {
    case E_NAME: return build_name(c, x);
    case E_BOOL: return node_bool(c->st, x->flag);
    case E_CALL: return build_call(c, x);
    case E_IF: return build_choice(c, x);
    case E_UNARY:
    case E_BINARY: return build_operator(c, x);
    default: return NULL;
    }
}

/* ---- conditions ---- */

static void say_unproved(RuleCall *c, const Expr *g, Text *failed)
{
    text_put(failed, "the condition ");
    ast_print_expr(failed, g);
    text_put(failed, " does not hold, or cannot be proved");
    bool first = true;
    for (int i = 0; i < g->nargs; i++) {
        const Expr *a = g->args[i].value;
        const RuleValue *v = a->kind == E_NAME ? bound(c, a->text) : NULL;
        if (!v || v->kind != 'n')
            continue;
        text_printf(failed, "%s %s = `", first ? ", for" : ",", a->text);
        node_source_limited(c->st, failed, v->node, true, TERM_BYTES);
        text_putc(failed, '`');
        first = false;
    }
}

static bool ask(RuleCall *c, const Expr *g)
{
    RuleValue out;
    if (g->kind == E_UNARY)
        return !ask(c, g->items[0]);
    if (g->kind == E_BINARY) {
        bool first = ask(c, g->items[0]);
        return g->op == AST_AND ? first && ask(c, g->items[1]) : first || ask(c, g->items[1]);
    }
    return call_function(c, guard_by_name(g->items[0]->text), g, &out);
}

bool guard_holds(RuleCall *c, const Expr *g, Text *failed)
{
    if (g->kind == E_BINARY && g->op == AST_AND)
        return guard_holds(c, g->items[0], failed) && guard_holds(c, g->items[1], failed);
    if (ask(c, g))
        return true;
    if (failed)
        say_unproved(c, g, failed);
    return false;
}

/* ---- a rule at a node ---- */

/* Of the operands that were taken, the one that stays while the others go; -1: it is another node.
 */
static int staying(const Node *n, u64 taken, const Node *part)
{
    for (u32 i = 0; i < n->nops; i++)
        if (taken >> i & 1 && n->ops[i] == part)
            return (int)i;
    return -1;
}

/* What was not matched stays: the replacement joins the remaining operands, in source order. It is
 * placed where it was if it is one of them, else where the first was that it replaces. */
static Node *with_rest(Store *st, Node *n, u64 taken, Node *part)
{
    int stays = staying(n, taken, part);
    Node *ops[MATCH_OPERANDS];
    u32 count = 0;
    const IntList *order = node_order(st, n);
    bool placed = false;
    for (u32 k = 0; k < n->nops; k++) {
        u32 i = order ? (u32)order->at[k] : k;
        if (!(taken >> i & 1))
            ops[count++] = n->ops[i];
        else if (!placed && (stays < 0 || stays == (int)i)) {
            ops[count++] = part;
            placed = true;
        }
    }
    return count == 1 ? ops[0] : node_make(st, n->op, NULL, count, ops);
}

static DType plain_dtype(const Rule *r, const Bindings *b, const Node *n)
{
    DType d = n->type->dtype;
    for (int i = 0; i < r->vars->n && d == DT_BOOL; i++) /* comparisons: that of the operands */
        if (b->bound >> i & 1 && b->at[i].kind == 'n')
            d = b->at[i].node->type->dtype;
    return d;
}

/* What was inside a derivative, outside of it: its variable is the operand. */
static Node *at_operands(RuleCall *c, Node *part)
{
    NodeMap memo = {0};
    for (int k = 0; k < c->vars->n; k++)
        if (c->vars->parameters & c->b->bound & 1u << k && c->b->at[k].hole != c->b->at[k].node)
            map_put(&memo, c->b->at[k].hole, c->b->at[k].node);
    Node *r = node_substitute(c->st, part, &memo);
    map_free(&memo);
    return r;
}

static Node *replace_matched(RuleCall *c, const Rule *r, Node *n, u64 taken, u32 *extra)
{
    Node *part = template_build(c, r->replacement);
    if (part && r->vars->parameters)
        part = at_operands(c, part);
    if (part && part->open && !n->open) /* on a step of a loop, or on the variable of a map */
        return NULL;
    if (!part)
        return NULL;
    if (taken && (u32)__builtin_popcountll(taken) < n->nops) {
        bool regroups = staying(n, taken, part) < 0; /* else the rest is in the order as before */
        part = with_rest(c->st, n, taken, part);
        *extra |= !regroups                            ? 0
                  : n->op == OP_ADD || n->op == OP_MUL ? HAZARD_R | HAZARD_O
                                                       : HAZARD_R;
    }
    if (part && part->type != n->type && part->type->kind == TYPE_TENSOR && part->type->rank == 0 &&
        part->type->dtype == n->type->dtype)
        part = build_like(c->st, part, n);
    bool fits = part && part->type->kind == TYPE_TENSOR && part->type->dtype == n->type->dtype &&
                type_compatible(c->st, part->type, n->type);
    if (fits && part->type != n->type) /* the sizes were made sure to agree; no longer */
        *extra |= HAZARD_S;
    return fits ? part : NULL;
}

/* One attempt: the match and what its conditions say. */
typedef struct {
    const Rule *rule;
    Match m;
    RuleCall call;
    Text *failed; /* or NULL */
    bool fits;    /* the pattern did, at least once */
} Attempt;

/* What among these variables' values may fail, itself or in what it is computed from, but for what
 * `known` has: into `out`, or, if that is NULL, is there such a node that fails itself? */
static bool find_failing(const Attempt *a, u32 among, const NodeSet *known, NodeSet *out)
{
    Descent d = {0};
    bool found = false;
    u32 met = 0;
    for (int k = 0; k < a->rule->vars->n; k++)
        if (among & a->m.b.bound & 1u << k && a->rule->vars->kinds[k] == 'n')
            descent_from(&d, a->m.b.at[k].node);
    for (Node *n; !found && (n = descent_next(&d));) {
        if (fact_total(a->call.facts, a->call.st, n) || (known && map_has(known, n)))
            continue;
        if (out)
            set_add(out, n);
        found = !out && !node_is_total(a->call.st, n);
        if (++met > MANY_NODES) {
            found = !out;
            break;
        }
        descent_operands(&d, n);
    }
    descent_end(&d);
    return found;
}

/* Does the right side, which computes other variables in any case, fail wherever variable k does?
 */
static bool fails_still(const Attempt *a, int k)
{
    NodeSet kept = {0};
    if (!a->rule->kept || a->rule->vars->kinds[k] != 'n')
        return false;
    find_failing(a, a->rule->kept, NULL, &kept);
    bool still = !find_failing(a, 1u << k, &kept, NULL);
    map_free(&kept);
    return still;
}

/* The first variable among these whose value may fail; -1: there is none. `lost`: and the right
 * side would not fail with it. */
static int may_fail(const Attempt *a, u32 among, bool lost)
{
    for (int k = 0; k < a->rule->vars->n; k++) {
        const RuleValue *v = &a->m.b.at[k];
        u32 count = !(among & a->m.b.bound & 1u << k) ? 0 : v->kind == 'r' ? v->count : 1;
        for (u32 i = 0; i < count; i++)
            if (!fact_total(a->call.facts, a->call.st, v->kind == 'r' ? v->nodes[i] : v->node) &&
                !(lost && fails_still(a, k)))
                return k;
    }
    return -1;
}

/* An error must not vanish with an operand that the right side does without, unless the rule says
 * that it may; and none may come out of a branch that does not run. */
static bool errors_stay(const Attempt *a)
{
    const Rule *r = a->rule;
    int lost = r->classes & HAZARD_S ? -1 : may_fail(a, r->dropped, true),
        moved = may_fail(a, r->hoisted, false);
    if (a->failed && (lost >= 0 || moved >= 0))
        text_printf(a->failed, "%s may fail, and the right side %s",
                    r->vars->names[lost >= 0 ? lost : moved],
                    lost >= 0 ? "does without it" : "computes it where the left side might not");
    return lost < 0 && moved < 0;
}

static bool conditions_hold(void *ctx)
{
    Attempt *a = ctx;
    a->fits = true;
    a->call.dtype = plain_dtype(a->rule, &a->m.b, a->call.root);
    if (a->call.why)
        a->call.why->len = 0;
    if (a->failed)
        a->failed->len = 0;
    if (a->rule->vars->loop)
        a->call.dtype = node_dtype(a->m.b.at[a->rule->vars->loop->state].node);
    return (!a->rule->guard || guard_holds(&a->call, a->rule->guard, a->failed)) && errors_stay(a);
}

static bool attempt(Attempt *a, Store *st, const Rule *r, Facts *facts, Node *n, Text *why,
                    Text *failed)
{
    a->rule = r;
    a->failed = failed;
    a->call =
        (RuleCall){.st = st, .facts = facts, .vars = r->vars, .b = &a->m.b, .root = n, .why = why};
    a->m.accept = conditions_hold;
    a->m.ctx = a;
    return (r->vars->loop || n->type->kind == TYPE_TENSOR) &&
           pattern_match(st, r, n, &a->m, failed);
}

Node *rule_apply_text(Store *st, const Rule *r, Facts *facts, Node *n, Text *why, u32 *extra)
{
    Attempt a = {.rule = r};
    u32 temps = st->temp_count;
    bool fits = attempt(&a, st, r, facts, n, why, NULL);
    Node *after = fits ? replace_matched(&a.call, r, n, a.m.taken, extra) : NULL;
    st->temp_count = temps;
    if (why && !fits)
        why->len = 0;
    return after;
}

Node *rule_build_text(Store *st, const Rule *r, Facts *facts, Node *n, const Bindings *b, u64 taken,
                      Text *why, u32 *extra)
{
    Attempt a = {.rule = r, .m.b = *b};
    a.call =
        (RuleCall){.st = st, .facts = facts, .vars = r->vars, .b = &a.m.b, .root = n, .why = why};
    return conditions_hold(&a) ? replace_matched(&a.call, r, n, taken, extra) : NULL;
}

bool rule_apply_loop(Store *st, const Rule *r, Facts *facts, Node *scan, Text *why, Changes *out)
{
    Attempt a = {.rule = r};
    u32 temps = st->temp_count;
    bool fits = attempt(&a, st, r, facts, scan, why, NULL) && replace_state(&a.call, r, scan, out);
    st->temp_count = temps;
    if (why && !fits)
        why->len = 0;
    return fits;
}

bool rule_matches(Store *st, const Rule *r, Facts *facts, Node *n, Match *m, Text *failed)
{
    Attempt a = {.m.within = m->within};
    bool found = attempt(&a, st, r, facts, n, NULL, failed);
    *m = a.m;
    return found;
}

int pattern_parts(const Pattern *p)
{
    int n = 1;
    for (int i = 0; i < p->n; i++)
        n += pattern_parts(p->args[i]);
    return n;
}

static RuleFit fit_of(const Attempt *a, const Rule *r, u32 extra)
{
    RuleFit fit = {.fits = a->fits, .of = pattern_parts(r->pattern), .extra = extra};
    fit.matched = fit.fits || a->m.matched > fit.of ? fit.of : a->m.matched;
    return fit;
}

bool rule_explain_text(Store *st, const Rule *r, const Graph *within, Node *n, Text *why,
                       RuleFit *fit)
{
    Facts facts = {0};
    Text evidence = {0};
    DiagTry trial;
    Attempt a = {.m.within = within};
    u32 extra = 0, temps = st->temp_count;
    diag_try_begin(&trial, &st->diags);
    facts.within = within;
    bool fires = attempt(&a, st, r, &facts, n, &evidence, why);
    if (fires) {
        why->len = 0;
        Changes changes = {0};
        bool loop = r->vars->loop != NULL, done = loop && replace_state(&a.call, r, n, &changes);
        Node *after = loop ? NULL : replace_matched(&a.call, r, n, a.m.taken, &extra);
        vec_free(&changes);
        fires = loop ? done : after && after != n;
        if (!after && !fires)
            text_printf(why, "the right side has a different type here%s%s",
                        trial.found.errors ? ": " : "",
                        trial.found.errors ? trial.found.list.at[0].message : "");
        else if (!fires)
            text_put(why, "both sides are the same here");
    }
    if (fit)
        *fit = fit_of(&a, r, extra);
    diag_try_end(&trial);
    st->temp_count = temps;
    text_free(&evidence);
    facts_free(&facts);
    return fires;
}
