/* Trying a rule: random instances of its left side on which it fires, both sides evaluated on
 * random and on hard values. */
#include "rewrite/history.h"
#include "rewrite/rule_check.h"

#include "lang/session.h"
#include "rewrite/instance.h"
#include <math.h>

enum {
    MAX_INSTANCES = 40,
    KEPT_FOR_DTYPES = 6, /* of them for dtypes that did not occur before */
    ATTEMPTS = 6000,     /* to build one */
    ENDS_ON = 12,        /* instances on which rewriting must come to an end */
    TRY_STEPS = 300,
    TRY_NODES = 200000,
    TRY_TRIES = 1000000,
    TRY_BYTES = 1 << 28
};

typedef struct {
    Bindings b;
    Node *before, *after;
    u32 classes; /* of the rule, and R if it matched a part of a sum or product */
} Instance;

typedef struct {
    Session s;
    const Rule *rule;
    Instance instances[MAX_INSTANCES];
    int ninstances;
    u32 dtypes;   /* that variables had in instances */
    Text why_not; /* it does not fire */
} Trial;

/* ---- instances ---- */

static void ignore(void *ctx, Result *r) { (void)ctx, (void)r; }

/* Inputs that give the sizes n and m of instances their values. */
static void declare_sizes(Session *s)
{
    Text text = {0};
    for (int k = 0; k < 2; k++) {
        text_printf(&text, "size_%c : f64[%c] = [", "nm"[k], "nm"[k]);
        for (int i = 0; i < (k ? INSTANCE_M : INSTANCE_N); i++)
            text_put(&text, i ? ", 0" : "0");
        text_put(&text, "]\n");
    }
    const Source *src = session_source(s, "sizes", text_str(&text), text.len);
    Parser p;
    Stmt *stmt;
    parser_init(&p, src, &s->arena, &s->diags, false);
    while (parse_statement(&p, &stmt) == PARSE_OK)
        session_run(s, stmt, ignore, NULL);
    text_free(&text);
}

/* Bit d: a variable is of dtype d. */
static u32 dtypes_of(const Bindings *b)
{
    u32 mask = 0;
    for (int k = 0; k < RULE_VARS; k++)
        if (b->bound >> k & 1 && b->at[k].kind == 'n')
            mask |= 1u << b->at[k].node->type->dtype;
    return mask;
}

static void try_instance(Trial *t, u64 seed)
{
    Store *st = &t->s.st;
    Bindings b;
    Text evidence = {0};
    Facts facts = {0};
    u32 extra = 0;
    Node *before = instance_make(st, t->rule, seed, &b), *after = NULL;
    if (before)
        after = rule_apply_text(st, t->rule, &facts, before, &evidence, &extra);
    bool known = false;
    for (int i = 0; i < t->ninstances && !known; i++)
        known = t->instances[i].before == before;
    bool room =
        t->ninstances < MAX_INSTANCES - KEPT_FOR_DTYPES || (after && dtypes_of(&b) & ~t->dtypes);
    if (after && after != before && !known) {
        if (room)
            t->instances[t->ninstances++] = (Instance){b, before, after, t->rule->classes | extra};
        t->dtypes |= dtypes_of(&b);
    } else if (before && !after && !t->why_not.len)
        rule_explain_text(st, t->rule, before, &t->why_not);
    else if (before && after == before && !t->why_not.len)
        text_put(&t->why_not, "both sides are the same here");
    diags_clear(&t->s.diags);
    text_free(&evidence);
    facts_free(&facts);
}

/* Both dtypes of every variable that is float; operators do not take any of the integers. */
static bool has_all_dtypes(const Trial *t)
{
    const RuleVars *v = t->rule->vars;
    u32 wanted = 0;
    for (int i = 0; i < v->n; i++)
        if (v->kinds[i] == 'n')
            wanted |= v->types[i] == KIND_FLOAT ? 1u << DT_F32 | 1u << DT_F64 : 0;
    return !(wanted & ~t->dtypes);
}

static bool trial_init(Trial *t, const Rule *r)
{
    memset(t, 0, sizeof *t);
    t->rule = r;
    if (!session_init(&t->s))
        return false;
    t->s.st.heap.limit = TRY_BYTES;
    declare_sizes(&t->s);
    u32 most = t->s.st.node_count + TRY_NODES;
    for (u64 seed = 0; seed < ATTEMPTS && t->ninstances < MAX_INSTANCES; seed++) {
        bool enough = t->ninstances >= MAX_INSTANCES - KEPT_FOR_DTYPES && has_all_dtypes(t);
        if (enough || (seed > ATTEMPTS / 3 && t->ninstances > 4))
            break; /* rare: these will do */
        if (t->s.st.node_count > most)
            break;
        try_instance(t, seed);
    }
    return true;
}

static void trial_free(Trial *t)
{
    text_free(&t->why_not);
    session_free(&t->s);
}

/* ---- values ---- */

/* `tame`: without values whose products overflow. */
static double pick(u64 bits, int round, bool tame)
{
    static const double hard[] = {0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 1e-300, 0.5, 800.0, -800.0};
    double u = (double)(bits >> 11) / 9007199254740992.0;
    switch (round % 8) {
    case 1: return hard[(bits >> 40) % (tame ? 4 : COUNT_OF(hard))];
    case 2: return u < 0.2 ? NAN : u > 0.6 || tame ? 6 * u - 3 : u < 0.4 ? INFINITY : -INFINITY;
    case 3: return u < 0.2 ? -0.0 : u < 0.4 ? 0.0 : rint(1000 * (0.2 * u - 0.14)) / 1000;
    case 4: return rint(1000 * (16 * u - 8)) / 1000;
    case 5: return floor(7 * u) - 3;
    default: return rint(1000 * (6 * u - 3)) / 1000; /* few digits: they may have to be read */
    }
}

static Tensor *value_of(Trial *t, const Node *leaf, int round, bool tame, u64 *state)
{
    i64 shape[MAX_RANK];
    DType dtype = leaf->type->dtype;
    for (int i = 0; i < leaf->type->rank; i++)
        shape[i] = instance_length(leaf->type->dims[i]);
    Tensor *x = tensor_new(&t->s.st.heap, DT_F64, leaf->type->rank, shape);
    double *at = x->data;
    for (i64 i = 0; i < x->count; i++) {
        *state = *state * 6364136223846793005ull + 1442695040888963407ull;
        u64 bits = hash_mix(*state, 7);
        double u = (double)(bits >> 11) / 9007199254740992.0;
        at[i] = dtype == DT_BOOL        ? u < 0.5
                : dtype_is_float(dtype) ? pick(bits, round, tame)
                : round & 1             ? floor(5 * u) - 2 /* a position too */
                                        : floor(20 * u) - 10;
    }
    Tensor *r = tensor_cast(&t->s.st.heap, x, dtype);
    tensor_unref(x);
    return r;
}

/* Is b an allowed replacement for a, with inputs up to `scale`? */
static bool agrees(double a, double b, u32 classes, double tolerance, double scale)
{
    if (isnan(a) && isnan(b))
        return true;
    if (!isfinite(a) && classes & (HAZARD_NPLUS | HAZARD_NMINUS) && a != b)
        return true;
    if (isnan(a) != isnan(b) || isinf(a) != isinf(b))
        return false;
    if (isinf(a))
        return a == b;
    if (a == b)
        return signbit(a) == signbit(b) || (classes & (HAZARD_Z | HAZARD_R | HAZARD_NPLUS));
    /* the unstable side of a stabilising rule has lost digits, as has a sum whose large terms
     * cancel: compare on the scale of the inputs too */
    return classes & (HAZARD_R | HAZARD_NPLUS) &&
           fabs(a - b) <= tolerance * fmax(fmax(fabs(a), fabs(b)), scale);
}

/* Inverses, solutions and determinants of what is not finite say nothing. */
static bool factorises(Node *n)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(1, &n, &order);
    for (size_t i = 0; i < order.len; i++)
        found = found || (op_table[order.at[i]->op].cls == CLASS_LINALG &&
                          order.at[i]->op != OP_MATMUL && order.at[i]->op != OP_GEMM);
    vec_free(&order);
    return found;
}

static double tolerance_of(Node *n)
{
    double t = n->type->dtype == DT_F32 ? 1e-4 : 1e-11;
    return factorises(n) ? 100 * t : t; /* matrices are sometimes badly conditioned */
}

static bool pointwise(const NodeVec *order)
{
    for (size_t i = 0; i < order->len; i++) {
        OpId op = order->at[i]->op;
        if (!op_is_elementwise(op) && op != OP_INPUT && op != OP_CONST && op != OP_CAST &&
            op != OP_BROADCAST)
            return false;
    }
    return true;
}

/* The largest finite input at element i of a pointwise expression, else of all; at least 1. */
static double scale_of(const NodeVec *order, const PtrMap *values, i64 i)
{
    bool single = pointwise(order);
    double scale = 1;
    for (size_t k = 0; k < order->len; k++) {
        const Tensor *x = map_get(values, order->at[k]);
        for (i64 j = 0; x && j < x->count; j++) {
            double v = fabs(tensor_f64_at(x, j));
            if (isfinite(v) && (!single || x->count == 1 || j == i))
                scale = fmax(scale, v);
        }
    }
    return scale;
}

/* ---- counterexamples ---- */

static void put_number(Text *out, const Tensor *t, i64 i)
{
    double x = tensor_f64_at(t, i);
    if (t->dtype == DT_BOOL)
        text_put(out, x != 0 ? "true" : "false");
    else if (t->dtype == DT_F32)
        text_float(out, (float)x);
    else if (dtype_is_float(t->dtype))
        text_double(out, x);
    else
        text_printf(out, "%.0f", x);
}

/* On one line. */
static void put_tensor(Text *out, const Tensor *t)
{
    Text rows = {0};
    tensor_print(&rows, t, 0);
    for (size_t i = 0; i < rows.len; i++) {
        bool blank = rows.at[i] == ' ' || rows.at[i] == '\n';
        if (!blank || (out->at[out->len - 1] != ' ' && out->at[out->len - 1] != '['))
            text_putc(out, blank ? ' ' : rows.at[i]);
    }
    text_free(&rows);
}

/* "x = 800.0, A = (0, 1)": what the rule's variables were at element i. */
static void put_variables(Trial *t, const Instance *c, bool single, const PtrMap *values, i64 i,
                          Text *out)
{
    const RuleVars *v = t->rule->vars;
    bool first = true;
    for (int k = 0; k < v->n; k++) {
        const RuleValue *x = &c->b.at[k];
        Tensor *value = NULL;
        if (!(c->b.bound >> k & 1) || x->kind == 'r')
            continue;
        if (x->kind == 'n' && !session_evaluate_raw(&t->s, 1, &x->node, values, &value))
            continue;
        text_printf(out, "%s%s = ", first ? "" : ", ", v->names[k]);
        first = false;
        if (value && single)
            put_number(out, value, value->count == 1 ? 0 : i);
        else if (value)
            put_tensor(out, value);
        else if (x->kind == 'd')
            text_put(out, dtype_name((DType)x->attr.i));
        else if (x->kind == 'I')
            for (u32 a = 0; a <= x->attr.ints->n; a++)
                a < x->attr.ints->n
                    ? text_printf(out, "%s%lld", a ? ", " : "(", (long long)x->attr.ints->at[a])
                    : text_put(out, a ? ")" : "()");
        else
            text_printf(out, "%lld", (long long)x->attr.i);
        tensor_unref(value);
    }
}

static void refute(Trial *t, const Instance *c, const NodeVec *order, const PtrMap *values, i64 i,
                   const Tensor *a, const Tensor *b, RuleCheck *out)
{
    static const u32 more[] = {HAZARD_Z, HAZARD_R, HAZARD_NPLUS, HAZARD_NPLUS | HAZARD_R};
    out->refuted = true;
    text_put(&out->says, "for ");
    put_variables(t, c, pointwise(order), values, i, &out->says);
    text_put(&out->says, " the left side is ");
    put_number(&out->says, a, i);
    text_put(&out->says, ", the right side ");
    put_number(&out->says, b, i);
    double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
    for (size_t k = 0; k < COUNT_OF(more) && !out->allow; k++)
        if (agrees(x, y, c->classes | more[k], tolerance_of(c->before), scale_of(order, values, i)))
            out->allow = more[k];
}

static void refute_failure(Trial *t, const char *side, RuleCheck *out)
{
    const Diag *d = t->s.diags.errors ? &t->s.diags.list.at[t->s.diags.list.len - 1] : NULL;
    out->refuted = true;
    text_printf(&out->says, "only the %s side fails: %s", side,
                d ? d->message : "it cannot be evaluated");
}

/* ---- comparing ---- */

static bool some_empty(const NodeVec *order, const PtrMap *values)
{
    for (size_t i = 0; i < order->len; i++) {
        const Tensor *x = map_get(values, order->at[i]);
        if (x && !x->count)
            return true;
        for (int k = 0; k < order->at[i]->type->rank; k++)
            if (size_is(order->at[i]->type->dims[k], 0))
                return true;
    }
    return false;
}

static void compare_values(Trial *t, const Instance *c, const NodeVec *order, const PtrMap *values,
                           RuleCheck *out)
{
    Tensor *a = NULL, *b = NULL;
    bool left = session_evaluate_raw(&t->s, 1, &c->before, values, &a);
    if (left)
        diags_clear(&t->s.diags);
    bool right = session_evaluate_raw(&t->s, 1, &c->after, values, &b);
    if (left && !right)
        refute_failure(t, "right", out);
    else if (!left && right && !(t->rule->classes & HAZARD_S)) {
        refute_failure(t, "left", out);
        out->allow = HAZARD_S;
    } else if (left && right && a->count != b->count) {
        out->refuted = true;
        text_put(&out->says, "the two sides have different shapes");
    }
    /* an empty sum's 0 times a factor that is not finite: what moving factors does */
    bool empty = c->classes & HAZARD_R && some_empty(order, values);
    for (i64 i = 0; left && right && !out->refuted && i < a->count; i++)
        if (empty && tensor_f64_at(a, i) == 0 && isnan(tensor_f64_at(b, i)))
            continue;
        else if (!agrees(tensor_f64_at(a, i), tensor_f64_at(b, i), c->classes,
                         tolerance_of(c->before), scale_of(order, values, i)))
            refute(t, c, order, values, i, a, b, out);
    diags_clear(&t->s.diags);
    tensor_unref(a);
    tensor_unref(b);
    out->instances += left && right;
    out->failed += !left && !right;
}

/* What the values of a comparison were like. */
static void count_kinds(const Instance *c, const NodeVec *order, const PtrMap *values,
                        RuleCheck *out)
{
    bool special = false, signed0 = false;
    for (size_t i = 0; i < order->len; i++) {
        const Tensor *x = map_get(values, order->at[i]);
        for (i64 k = 0; x && dtype_is_float(x->dtype) && k < x->count; k++) {
            double v = tensor_f64_at(x, k);
            special = special || !isfinite(v);
            signed0 = signed0 || (v == 0 && signbit(v));
        }
    }
    out->special += special;
    out->signed0 += signed0;
    out->empty += some_empty(order, values);
    out->dtypes |= dtypes_of(&c->b);
}

static void compare_round(Trial *t, const Instance *c, int round, RuleCheck *out)
{
    PtrMap values = {0};
    NodeVec order = {0};
    Node *both[] = {c->before, c->after};
    u64 state = (u64)round * 977 + 5;
    if (round % 8 == 2 && factorises(c->before))
        return;
    nodes_topo(2, both, &order);
    /* overflow within a sum or product that is computed in another order counts as rounding */
    bool tame = c->classes & HAZARD_R && (c->classes != t->rule->classes || !pointwise(&order));
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_INPUT)
            map_put(&values, order.at[i], value_of(t, order.at[i], round, tame, &state));
    u32 compared = out->instances;
    compare_values(t, c, &order, &values, out);
    if (out->instances > compared)
        count_kinds(c, &order, &values, out);
    for (size_t i = 0; i < order.len; i++)
        tensor_unref(map_get(&values, order.at[i]));
    map_free(&values);
    vec_free(&order);
}

void rule_check(const Rule *r, u32 instances, RuleCheck *out)
{
    Trial t;
    memset(out, 0, sizeof *out);
    if (!trial_init(&t, r)) {
        text_put(&out->says, "there is no memory to try it");
        return;
    }
    out->fired = t.ninstances > 0;
    if (!out->fired)
        text_put(&out->says,
                 t.why_not.len ? text_str(&t.why_not) : "its left side has no instance");
    for (int i = 0; i < t.ninstances && !out->refuted; i++)
        if (t.instances[i].after->type != t.instances[i].before->type) {
            out->refuted = true;
            text_put(&out->says, "the left side is ");
            type_print(&out->says, t.instances[i].before->type);
            text_put(&out->says, ", the right side ");
            type_print(&out->says, t.instances[i].after->type);
        }
    int rounds = t.ninstances ? 2 * (int)instances / t.ninstances + 2 : 0;
    for (int round = 0; round < rounds && !out->refuted; round++)
        for (int i = 0; i < t.ninstances && !out->refuted && out->instances < instances; i++)
            compare_round(&t, &t.instances[i], round, out);
    trial_free(&t);
}

/* ---- coming to an end ---- */

/* "a, b and c" of the rules of steps [from, to), each once. */
static void put_rules(Text *out, const StepLog *log, u32 from, u32 to)
{
    const char *names[8];
    size_t n = 0;
    for (u32 k = from; k < to; k++) {
        bool known = n == COUNT_OF(names) || !strcmp(step_rule(&log->at.at[k]), "inner");
        for (size_t i = 0; i < n && !known; i++)
            known = !strcmp(names[i], step_rule(&log->at.at[k]));
        if (!known)
            names[n++] = step_rule(&log->at.at[k]);
    }
    for (size_t i = 0; i < n; i++)
        text_printf(out, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", names[i]);
}

static bool uses_rule(const StepLog *log, u32 from, u32 to, const char *name)
{
    for (u32 k = from; k < to; k++)
        if (!strcmp(step_rule(&log->at.at[k]), name))
            return true;
    return false;
}

/* Is the expression within one pass what it was before? */
static bool goes_round(Exploration *x, const PassRun *p, const char *rule, Text *says)
{
    PtrMap seen = {0}; /* root -> step + 1 */
    bool found = false;
    Node *root = NULL;
    StepLog one;
    if (!exploration_replay(x, p->first_step, &root))
        return false;
    for (u32 k = p->first_step; k <= p->first_step + p->steps && !found; k++) {
        u32 earlier = (u32)(uintptr_t)map_get(&seen, root);
        if (earlier && uses_rule(&x->log, earlier - 1, k, rule)) {
            found = true;
            put_rules(says, &x->log, earlier - 1, k);
            text_put(says, k - earlier + 1 > 1 ? " undo each other" : " changes nothing");
        }
        map_put(&seen, root, (void *)(uintptr_t)(k + 1));
        one = (StepLog){.at = {x->log.at.at + k, 1, 1}};
        if (k < p->first_step + p->steps && !log_replay(x->st, &one, 1, 1, (Node *[]){root}, &root))
            break;
    }
    map_free(&seen);
    return found;
}

static bool ends(Trial *t, Node *root, Text *says)
{
    RuleSet *rs = &t->s.rules;
    rs->step_limit = TRY_STEPS;
    rs->node_limit = t->s.st.node_count + TRY_NODES;
    rs->try_limit = TRY_TRIES;
    Exploration *x = explore(&t->s.st, rs, 1, &root);
    for (size_t i = 0; x && i < x->passes.len && !says->len; i++) {
        const PassRun *p = &x->passes.at[i];
        if (goes_round(x, p, t->rule->name, says))
            break;
        if (p->stop == STOP_STEPS || p->stop == STOP_NODES || p->stop == STOP_TRIES) {
            u32 last = p->first_step + p->steps, from = last > 20 ? last - 20 : 0;
            text_put(says, "rewriting with ");
            put_rules(says, &x->log, from, last);
            text_printf(says, " does not come to an end: after %u steps %u nodes have become %u",
                        p->steps, p->nodes_before, p->nodes_after);
        }
    }
    exploration_free(x);
    return !says->len;
}

bool rule_check_ends(const Rule *r, const RuleSet *all, Text *says)
{
    Trial t;
    bool ok = trial_init(&t, r);
    if (ok && !ruleset_copy(&t.s.rules, all, &t.s.diags)) {
        ok = false;
        text_put(says, "the rules of the session cannot be copied");
    }
    t.s.rules.allowed |= r->classes;
    for (int i = 0; i < t.ninstances && i < ENDS_ON && ok; i++)
        ok = ends(&t, t.instances[i].before, says) && ends(&t, t.instances[i].after, says);
    trial_free(&t);
    return ok;
}
