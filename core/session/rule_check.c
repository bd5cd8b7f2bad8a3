/* Trying a rule: random instances of its left side on which it fires, both sides evaluated on
 * random and on hard values (instance_values.h): one type, one value within the rule's classes, and
 * where one side fails the other does. */
#include "graph/walk.h"
#include "rewrite/bounds.h"
#include "rewrite/history.h"
#include "session/rule_check.h"
#include "session/session.h"
#include "session/instance.h"
#include "session/rule_trial.h"
#include "exec/plan.h"
#include <math.h>

enum {
    ATTEMPTS = 6000, /* to build an instance */
    TRY_BYTES = 1 << 28,
    TRY_WORK = 1 << 20 /* of one evaluation */
};

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

static bool is_sum(const Node *n) { return n->op == OP_ADD || n->op == OP_SUB; }

/* A sum of three terms or more: in another order it overflows elsewhere, which no class can say. */
static bool has_long_sum(const NodeVec *order)
{
    bool found = false;
    for (size_t i = 0; i < order->len; i++)
        for (u32 k = 0; k < order->at[i]->nops && is_sum(order->at[i]); k++)
            found = found || k > 1 || is_sum(order->at[i]->ops[k]);
    return found;
}

static bool is_implicit(const Node *n) { return op_table[n->op].cls == CLASS_IMPLICIT; }

/* Inverses, solutions, determinants and derivatives of what is not finite say nothing. */
static bool factorises(const NodeVec *order)
{
    bool found = false;
    for (size_t i = 0; i < order->len; i++) {
        OpId op = order->at[i]->op;
        found = found || is_implicit(order->at[i]) ||
                (op_table[op].cls == CLASS_LINALG && op != OP_MATMUL && op != OP_GEMM);
    }
    return found;
}

/* The same without derivatives and maps, which do not run as they are. */
Node *trial_runnable(Trial *t, Node *root)
{
    if (!nodes_any(1, &root, is_implicit))
        return root;
    RuleSet *rs = &t->s.rules;
    size_t passes = rs->pipeline.len, at = 0;
    while (at < passes && strcmp(rs->pipeline.at[at].name, "differentiate"))
        at++;
    if (at == passes)
        return root;
    Pass first = rs->pipeline.at[0];
    rs->pipeline.at[0] = rs->pipeline.at[at];
    rs->pipeline.len = 1;
    Exploration *x = explore(&t->s.st, rs, 1, &root);
    rs->pipeline.at[0] = first;
    rs->pipeline.len = passes;
    Node *r = x && !x->failed ? x->roots[0] : root;
    exploration_free(x);
    return r;
}

/* What an instance is like: the dtypes of its variables, axes without or with one element, a
 * variable that stands for something that may fail. */
static u32 kinds_of(Store *st, const Bindings *b)
{
    u32 kinds = 0;
    for (int k = 0; k < RULE_VARS; k++) {
        if (!(b->bound >> k & 1) || b->at[k].kind != 'n')
            continue;
        Node *n = b->at[k].node;
        kinds |= 1u << n->type->dtype;
        for (int i = 0; i < n->type->rank; i++)
            kinds |= size_is(n->type->dims[i], 0)   ? (u32)KIND_EMPTY
                     : size_is(n->type->dims[i], 1) ? (u32)KIND_ONE_LONG
                                                    : 0;
        kinds |= nodes_are_total(st, n) ? 0 : (u32)KIND_FAILS;
    }
    return kinds;
}

static void add_instance(Trial *t, const Bindings *b, Node *before, Node *after, Node *beside,
                         u32 extra)
{
    Instance *c = &t->instances[t->ninstances++];
    if (t->rule->backwards) {
        Node *n = before;
        before = after;
        after = n;
    }
    Node *both[] = {before, after};
    *c = (Instance){.b = *b,
                    .before = before,
                    .after = after,
                    .beside = beside,
                    .classes = t->rule->classes | extra};
    nodes_topo(2, both, &c->order);
    c->pointwise = pointwise(&c->order);
    c->factorises = factorises(&c->order);
    /* overflow within a sum or product that is computed in another order counts as rounding */
    c->tame = c->classes & HAZARD_R &&
              (extra || !c->pointwise || has_long_sum(&c->order) || rule_is_for_equality(t->rule));
}

/* A rule on a loop: each result is an instance. */
static bool try_loop(Trial *t, Node *loop, const Bindings *b)
{
    Store *st = &t->s.st;
    Facts facts = {0};
    Changes changes = {0};
    bool fired = rule_apply_loop(st, t->rule, &facts, loop, NULL, &changes);
    for (size_t i = 0; i < changes.len && fired; i++) {
        u32 kinds = kinds_of(st, b);
        if (changes.at[i].before != changes.at[i].after &&
            (t->ninstances < MAX_INSTANCES - KEPT_FOR_KINDS ||
             (kinds & ~t->kinds && t->ninstances < MAX_INSTANCES)))
            add_instance(t, b, changes.at[i].before, changes.at[i].after, NULL, 0);
    }
    if (fired)
        t->kinds |= kinds_of(st, b);
    vec_free(&changes);
    facts_free(&facts);
    return fired;
}

static void try_instance(Trial *t, u64 seed)
{
    Store *st = &t->s.st;
    Bindings b;
    Text evidence = {0};
    Facts facts = {0};
    u32 extra = 0;
    Node *beside, *before = instance_make(st, t->rule, seed, &b, &beside), *after = NULL;
    if (before && rule_is_on_loop(t->rule)) {
        if (!try_loop(t, before, &b) && !t->why_not.len)
            rule_explain_text(st, t->rule, NULL, before, &t->why_not, NULL);
        diags_clear(&t->s.diags);
        return;
    }
    if (before)
        after = rule_apply_text(st, t->rule, &facts, before, &evidence, &extra);
    bool known = false;
    for (int i = 0; i < t->ninstances && !known; i++)
        known = t->instances[i].before == before;
    if (after && after != before && !known) {
        u32 kinds = kinds_of(st, &b);
        if (t->ninstances < MAX_INSTANCES - KEPT_FOR_KINDS || kinds & ~t->kinds)
            add_instance(t, &b, before, after, beside, extra);
        t->kinds |= kinds;
    } else if (before && !after && !t->why_not.len)
        rule_explain_text(st, t->rule, NULL, before, &t->why_not, NULL);
    else if (before && after == before && !t->why_not.len)
        text_put(&t->why_not, "both sides are the same here");
    diags_clear(&t->s.diags);
    text_free(&evidence);
    facts_free(&facts);
}

/* Both dtypes of every variable that is float; operators do not take any of the integers. */
static bool has_all_kinds(const Trial *t)
{
    const RuleVars *v = t->rule->vars;
    u32 wanted = KIND_EMPTY | KIND_ONE_LONG | KIND_FAILS;
    for (int i = 0; i < v->n; i++)
        if (v->kinds[i] == 'n')
            wanted |= v->types[i] == KIND_FLOAT ? 1u << DT_F32 | 1u << DT_F64 : 0;
    return !(wanted & ~t->kinds);
}

bool trial_init(Trial *t, const Rule *r)
{
    memset(t, 0, sizeof *t);
    t->rule = r;
    number_pool(r, &t->pool);
    if (!session_init(&t->s))
        return false;
    t->s.st.heap.limit = TRY_BYTES;
    declare_sizes(&t->s);
    for (u64 seed = 0; seed < ATTEMPTS && t->ninstances < MAX_INSTANCES; seed++) {
        bool enough = t->ninstances >= MAX_INSTANCES - KEPT_FOR_KINDS;
        if ((enough && (has_all_kinds(t) || seed > ATTEMPTS / 6)) ||
            (seed > ATTEMPTS / 3 && t->ninstances > 4))
            break; /* rare: these will do */
        try_instance(t, seed);
    }
    return true;
}

void trial_free(Trial *t)
{
    for (int i = 0; i < t->ninstances; i++) {
        for (int k = 0; k < 2; k++)
            if (t->instances[i].program[k])
                program_free(t->instances[i].program[k]);
        vec_free(&t->instances[i].order);
    }
    text_free(&t->why_not);
    session_free(&t->s);
}

/* ---- comparing ---- */

static bool floats_agree(double a, double b, u32 classes, double tolerance, double scale)
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

bool trial_agrees(const Instance *c, const Tensor *a, const Tensor *b, i64 i, u32 classes,
                  double scale)
{
    if (!dtype_is_float(a->dtype))
        return tensor_i64_at(a, i) == tensor_i64_at(b, i);
    double tolerance = a->dtype == DT_F32 ? 1e-4 : 1e-11;
    if (c->factorises)
        tolerance *= 100; /* matrices are sometimes badly conditioned */
    return floats_agree(tensor_f64_at(a, i), tensor_f64_at(b, i), classes, tolerance, scale);
}

/* The largest finite input at element i of a pointwise expression, else of all; at least 1. */
static double scale_of(const Instance *c, const PtrMap *values, i64 i)
{
    double scale = 1;
    for (size_t k = 0; k < c->order.len; k++) {
        const Tensor *x = map_get(values, c->order.at[k]);
        for (i64 j = 0; x && j < x->count; j++) {
            double v = fabs(tensor_f64_at(x, j));
            if (isfinite(v) && (!c->pointwise || x->count == 1 || j == i))
                scale = fmax(scale, v);
        }
    }
    return scale;
}

static bool some_empty(const Instance *c, const PtrMap *values)
{
    for (size_t i = 0; i < c->order.len; i++) {
        const Tensor *x = map_get(values, c->order.at[i]);
        if (x && !x->count)
            return true;
        for (int k = 0; k < c->order.at[i]->type->rank; k++)
            if (size_is(c->order.at[i]->type->dims[k], 0))
                return true;
    }
    return false;
}

typedef enum { RUN_VALUE, RUN_ERROR, RUN_LIMIT } RunEnd;

/* One side. Errors of memory and work say nothing. */
static RunEnd evaluate(Trial *t, Instance *c, int side, const PtrMap *values, Tensor **out)
{
    if (!c->program[side]) {
        Node *root = trial_runnable(t, side ? c->after : c->before);
        c->program[side] = plan_build(&t->s.st, 1, &root);
    }
    *out = NULL;
    if (c->program[side] && session_run_program(&t->s, c->program[side], values, TRY_WORK, out))
        return RUN_VALUE;
    const Diags *ds = &t->s.diags;
    const char *code = ds->list.len ? ds->list.at[ds->list.len - 1].code : "";
    return !strcmp(code, "memory") || !strcmp(code, "work") ? RUN_LIMIT : RUN_ERROR;
}

/* Does something that the left side computes of finite inputs become infinite, or NaN? Then a rule
 * that avoids that may give another number. */
static bool overflows(Trial *t, const Instance *c, const PtrMap *values, i64 i)
{
    NodeVec order = {0};
    bool found = false, finite = true;
    nodes_topo(1, &c->before, &order);
    for (size_t k = 0; k < order.len && finite; k++) {
        Node *n = trial_runnable(t, order.at[k]);
        Tensor *x = NULL;
        if (n->type->kind == TYPE_TENSOR && dtype_is_float(n->type->dtype) &&
            session_evaluate_raw(&t->s, 1, &n, values, &x))
            for (i64 j = 0; j < x->count; j++) {
                bool there = !c->pointwise || x->count == 1 || j == i;
                bool special = there && !isfinite(tensor_f64_at(x, j));
                found = found || (special && n->op != OP_INPUT);
                finite = finite && !(special && n->op == OP_INPUT);
            }
        tensor_unref(x);
    }
    vec_free(&order);
    return found && finite;
}

static void compare_elements(Trial *t, const Instance *c, const PtrMap *values, const Tensor *a,
                             const Tensor *b, RuleCheck *out)
{
    /* an empty sum's 0 times a factor that is not finite: what moving factors does */
    bool empty = c->classes & HAZARD_R && some_empty(c, values);
    bool equal = rule_is_for_equality(t->rule);
    if (a->count != b->count) {
        out->refuted = true;
        text_put(&out->says, "the two sides have different shapes");
    }
    for (i64 i = 0; !out->refuted && i < a->count; i++) {
        double scale = scale_of(c, values, i);
        if (empty && tensor_f64_at(a, i) == 0 && isnan(tensor_f64_at(b, i)))
            continue;
        if (empty && equal && tensor_f64_at(b, i) == 0 && isnan(tensor_f64_at(a, i)))
            continue;
        bool may = c->classes & (HAZARD_NPLUS | HAZARD_NMINUS) && !isnan(tensor_f64_at(b, i));
        if (!trial_agrees(c, a, b, i, c->classes, scale) && !(may && overflows(t, c, values, i)))
            trial_refute(t, c, values, i, a, b, scale, out);
    }
}

static void compare_values(Trial *t, Instance *c, const PtrMap *values, RuleCheck *out)
{
    Tensor *a, *b;
    diags_clear(&t->s.diags);
    RunEnd left = evaluate(t, c, 0, values, &a);
    if (left == RUN_VALUE)
        diags_clear(&t->s.diags);
    RunEnd right = left == RUN_LIMIT ? RUN_LIMIT : evaluate(t, c, 1, values, &b);
    if (left == RUN_VALUE && right == RUN_ERROR)
        trial_refute_failure(t, c, values, "right", a, out);
    else if (left == RUN_ERROR && right == RUN_VALUE && !(t->rule->classes & HAZARD_S))
        trial_refute_failure(t, c, values, "left", b, out);
    else if (left == RUN_VALUE && right == RUN_VALUE)
        compare_elements(t, c, values, a, b, out);
    diags_clear(&t->s.diags);
    out->instances += left == RUN_VALUE && right == RUN_VALUE;
    out->failed += left == RUN_ERROR && right == RUN_ERROR;
    if (left == RUN_VALUE)
        tensor_unref(a);
    if (right == RUN_VALUE)
        tensor_unref(b);
}

/* What the values of a comparison were like. */
static void count_kinds(Trial *t, const Instance *c, const PtrMap *values, RuleCheck *out)
{
    bool special = false, signed0 = false;
    for (size_t i = 0; i < c->order.len; i++) {
        const Tensor *x = map_get(values, c->order.at[i]);
        for (i64 k = 0; x && dtype_is_float(x->dtype) && k < x->count; k++) {
            double v = tensor_f64_at(x, k);
            special = special || !isfinite(v);
            signed0 = signed0 || (v == 0 && signbit(v));
        }
    }
    out->special += special;
    out->signed0 += signed0;
    out->empty += some_empty(c, values);
    u32 kinds = kinds_of(&t->s.st, &c->b);
    out->dtypes |= kinds & ((1u << DT_COUNT) - 1);
    out->partial += (kinds & KIND_FAILS) != 0;
}

/* Matrices that are far from singular. */
static int tame_round(int round) { return round - round % VALUE_ROUNDS + 4 * (round % 2); }

static void compare_round(Trial *t, Instance *c, int round, RuleCheck *out)
{
    PtrMap values = {0};
    u64 state = (u64)round * 977 + 5 + ((u64)(c - t->instances) << 32);
    round = c->factorises ? tame_round(round) : round;
    for (size_t i = 0; i < c->order.len; i++)
        if (c->order.at[i]->op == OP_INPUT)
            map_put(
                &values, c->order.at[i],
                instance_value(&t->s.st.heap, c->order.at[i], &t->pool, round, c->tame, &state));
    u32 compared = out->instances;
    compare_values(t, c, &values, out);
    if (out->instances > compared)
        count_kinds(t, c, &values, out);
    for (size_t i = 0; i < c->order.len; i++)
        tensor_unref(map_get(&values, c->order.at[i]));
    map_free(&values);
}

static void compare_types(const Trial *t, RuleCheck *out)
{
    for (int i = 0; i < t->ninstances && !out->refuted; i++)
        if (t->instances[i].after->type != t->instances[i].before->type) {
            out->refuted = true;
            text_put(&out->says, "the left side is ");
            type_print(&out->says, t->instances[i].before->type);
            text_put(&out->says, ", the right side ");
            type_print(&out->says, t->instances[i].after->type);
        }
}

/* Those of the rule alone come first: their counterexamples are the easiest to read. */
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
    compare_types(&t, out);
    int rounds = t.ninstances ? 2 * (int)instances / t.ninstances + VALUE_ROUNDS : 0;
    for (int round = 0; round < rounds && !out->refuted; round++)
        for (int k = 0; k < 2 * t.ninstances && !out->refuted && out->instances < instances; k++) {
            Instance *c = &t.instances[k % t.ninstances];
            if ((c->beside != NULL) == (k >= t.ninstances))
                compare_round(&t, c, round, out);
        }
    trial_free(&t);
}
