/* Trying a rule: its left side is written in the language for variables of every kind that it may
 * have, the rule fires there, and both sides are evaluated on random and on hard values. */
#include "rewrite/rule_check.h"

#include "lang/session.h"
#include <math.h>

enum {
    LENGTH = 12,
    SIDE = 4,
    MAX_VARIABLES = 24,
    TRY_STEPS = 300,
    TRY_NODES = 200000,
    TRY_BYTES = 1 << 28
};

/* What the variables of an instance are. Facts are had by construction: squares are not negative.
 */
typedef struct {
    int rank;
    bool single;      /* f32 */
    bool integers;    /* x:any is an integer */
    const char *made; /* "": inputs as they are; else of this function */
    bool whole;       /* of integers */
    bool last_resort; /* only if nothing before it fired */
} Variant;

static const Variant variants[] = {
    {.rank = 1, .made = ""},
    {.rank = 1, .made = "", .integers = true},
    {.rank = 0, .made = ""},
    {.rank = 2, .made = ""},
    {.rank = 1, .made = "", .single = true},
    {.rank = 1, .made = "sqr", .last_resort = true},
    {.rank = 1, .made = "f64", .whole = true, .last_resort = true},
    {.rank = 1, .made = "cosh", .last_resort = true},
};

typedef struct {
    const Variant *v;
    Node *before, *after;
} Instance;

typedef struct {
    Session s;
    const Rule *rule;
    Text expr;                        /* the left side, in the language */
    const char *names[MAX_VARIABLES]; /* its variables */
    char kinds[MAX_VARIABLES];        /* float, any, int, bool, const: the first letter */
    int n;
    Instance instances[COUNT_OF(variants)];
    int ninstances;
    Text why_not; /* it does not fire */
} Trial;

/* ---- the left side ---- */

static void ignore(void *ctx, Result *r) { (void)ctx, (void)r; }

static void run_text(Session *s, const char *text)
{
    const Source *src = session_source(s, "rule", text, strlen(text));
    Parser p;
    parser_init(&p, src, &s->arena, &s->diags, false);
    Stmt *stmt;
    while (parse_statement(&p, &stmt) == PARSE_OK)
        session_run(s, stmt, ignore, NULL);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (c & 0x80);
}

static bool is_keyword(const char *word, size_t n)
{
    static const char *const words[] = {"not", "and", "or", "true", "false"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strlen(words[i]) == n && !strncmp(word, words[i], n))
            return true;
    return false;
}

static void add_variable(Trial *t, const char *at, size_t n, char kind)
{
    for (int i = 0; i < t->n; i++)
        if (strlen(t->names[i]) == n && !strncmp(t->names[i], at, n)) {
            if (kind != 'f')
                t->kinds[i] = kind;
            return;
        }
    if (t->n == MAX_VARIABLES)
        return;
    t->names[t->n] = arena_strndup(&t->s.arena, at, n);
    t->kinds[t->n++] = kind;
}

/* The pattern without annotations: `where(c:bool, x:any, x)` is `where(c, x, x)`; axis=A is axis=0.
 */
static void read_pattern(Trial *t)
{
    const char *p = t->rule->text, *end = strstr(p, "=>");
    while (p < end) {
        if (!is_word(*p)) {
            text_putc(&t->expr, *p++);
            continue;
        }
        const char *word = p;
        while (p < end && (is_word(*p) || (*p == '.' && *word >= '0' && *word <= '9')))
            p++;
        size_t n = (size_t)(p - word);
        char kind = 'f';
        if (*p == ':') {
            kind = p[1];
            for (p++; p < end && is_word(*p);)
                p++;
        }
        bool name = !is_keyword(word, n) && !(*word >= '0' && *word <= '9') && *p != '(' &&
                    (*p != '=' || p[1] == '=' || p == end);
        bool axes = name && word > t->rule->text && word[-1] == '=' && t->expr.len > 1 &&
                    is_word(t->expr.at[t->expr.len - 2]);
        if (name && !axes)
            add_variable(t, word, n, kind);
        text_putn(&t->expr, axes ? "0" : word, axes ? 1 : n);
    }
}

static void declare_variables(Trial *t, const Variant *v)
{
    static const char *const shapes[] = {"", "[12]", "[4, 4]"};
    Text out = {0};
    for (int i = 0; i < t->n; i++) {
        const char *name = t->names[i], *real = v->single ? "f32" : "f64";
        char kind = t->kinds[i];
        bool whole = v->whole || kind == 'i' || (v->integers && kind == 'a');
        const char *type = kind == 'b' ? "bool" : whole ? "i64" : real;
        if (kind == 'c')
            text_printf(&out, "%s = %s(%d.5)\n", name, real, i + 2);
        else if (*v->made && kind != 'b' && kind != 'i')
            text_printf(&out, "v%s : %s%s\n%s = %s(v%s)\n", name, type, shapes[v->rank], name,
                        v->made, name);
        else
            text_printf(&out, "%s : %s%s\n", name, type, shapes[v->rank]);
    }
    run_text(&t->s, text_str(&out));
    text_free(&out);
}

/* The node as patterns mean it: a negative number is a number, a sum of sums one sum. */
static Node *straight(Store *st, Node *n, const PtrMap *memo)
{
    NodeVec ops = {0};
    bool nary = op_table[n->op].flags & NARY;
    for (u32 i = 0; i < n->nops; i++) {
        Node *x = map_get(memo, n->ops[i]);
        if (nary && x->op == n->op)
            for (u32 k = 0; k < x->nops; k++)
                vec_push(&ops, x->ops[k]);
        else
            vec_push(&ops, x);
    }
    Node *r = ops.len == n->nops ? node_with_operands(st, n, ops.at)
                                 : node_make(st, n->op, n->attrs, (u32)ops.len, ops.at);
    vec_free(&ops);
    bool number = r && (r->op == OP_NEG || r->op == OP_CAST) && r->ops[0]->op == OP_CONST;
    return number ? fold_node(st, r) : r;
}

static Node *straighten(Store *st, Node *root)
{
    PtrMap memo = {0};
    NodeVec order = {0};
    nodes_topo(1, &root, &order);
    Node *last = root;
    for (size_t i = 0; i < order.len && last; i++) {
        last = straight(st, order.at[i], &memo);
        if (last)
            map_put(&memo, order.at[i], last);
    }
    map_free(&memo);
    vec_free(&order);
    return last;
}

static void try_variant(Trial *t, const Variant *v)
{
    Store *st = &t->s.st;
    declare_variables(t, v);
    Value *value =
        session_value(&t->s, session_source(&t->s, t->rule->name, text_str(&t->expr), t->expr.len));
    Node *before = value && value->kind == V_NODE ? value->node : NULL, *after = NULL;
    before = before ? straighten(st, before) : NULL;
    Text evidence = {0};
    Facts facts = {0};
    u32 extra = 0;
    if (before && before->op == t->rule->root)
        after = rule_apply_text(st, t->rule, &facts, before, &evidence, &extra);
    if (after && after != before)
        t->instances[t->ninstances++] = (Instance){v, before, after};
    else if (before && !t->why_not.len)
        rule_explain_text(st, t->rule, before, &t->why_not);
    else if (!before && !t->why_not.len && t->s.diags.errors)
        text_put(&t->why_not, t->s.diags.list.at[t->s.diags.list.len - 1].message);
    diags_clear(&t->s.diags);
    text_free(&evidence);
    facts_free(&facts);
}

static bool trial_init(Trial *t, const Rule *r)
{
    memset(t, 0, sizeof *t);
    t->rule = r;
    if (!session_init(&t->s))
        return false;
    t->s.st.heap.limit = TRY_BYTES;
    read_pattern(t);
    for (size_t i = 0; i < COUNT_OF(variants); i++)
        if (!variants[i].last_resort || !t->ninstances)
            try_variant(t, &variants[i]);
    return true;
}

static void trial_free(Trial *t)
{
    text_free(&t->expr);
    text_free(&t->why_not);
    session_free(&t->s);
}

/* ---- values ---- */

static double pick(u64 bits, int round)
{
    static const double hard[] = {0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 1e-300, 0.5, 800.0, -800.0};
    double u = (double)(bits >> 11) / 9007199254740992.0;
    switch (round % 8) {
    case 1: return hard[(bits >> 40) % COUNT_OF(hard)];
    case 2: return u < 0.2 ? NAN : u < 0.4 ? INFINITY : u < 0.6 ? -INFINITY : 6 * u - 3;
    case 3: return rint(1000 * (0.2 * u - 0.1)) / 1000;
    case 4: return rint(1000 * (16 * u - 8)) / 1000;
    case 5: return floor(7 * u) - 3;
    default: return rint(1000 * (6 * u - 3)) / 1000; /* few digits: they may have to be read */
    }
}

static Tensor *value_of(Trial *t, const Node *leaf, int round, u64 *state)
{
    i64 shape[] = {leaf->type->rank == 2 ? SIDE : LENGTH, SIDE};
    DType dtype = leaf->type->dtype;
    Tensor *x = tensor_new(&t->s.st.heap, DT_F64, leaf->type->rank, shape);
    double *at = x->data;
    for (i64 i = 0; i < x->count; i++) {
        *state = *state * 6364136223846793005ull + 1442695040888963407ull;
        u64 bits = hash_mix(*state, 7);
        double u = (double)(bits >> 11) / 9007199254740992.0;
        at[i] = dtype == DT_BOOL        ? u < 0.5
                : dtype_is_float(dtype) ? pick(bits, round)
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

static double tolerance_of(const Node *n) { return n->type->dtype == DT_F32 ? 1e-4 : 1e-11; }

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

/* "x = 800.0, z = sqr(2.0)": what the inputs were at element i. */
static void put_inputs(Trial *t, const Instance *c, const NodeVec *order, const PtrMap *values,
                       i64 i, Text *out)
{
    bool single = pointwise(order), made = *c->v->made, first = true;
    for (int k = 0; k < t->n; k++) {
        const char *name = t->names[k];
        Tensor *x = NULL;
        bool inside = false;
        for (size_t j = 0; j < order->len && !x; j++) {
            const Node *leaf = order->at[j];
            const char *own = leaf->op == OP_INPUT ? leaf->attrs[0].name : "";
            inside = made && *own == 'v' && !strcmp(own + 1, name);
            x = inside || !strcmp(own, name) ? map_get(values, leaf) : NULL;
        }
        if (!x && t->kinds[k] != 'c')
            continue;
        text_printf(out, "%s%s = %s", first ? "" : ", ", name, inside ? c->v->made : "");
        first = false;
        text_put(out, inside ? "(" : "");
        if (!x)
            text_printf(out, "%d.5", k + 2);
        else if (single)
            put_number(out, x, x->count == 1 ? 0 : i);
        else
            put_tensor(out, x);
        text_put(out, inside ? ")" : "");
    }
}

static void refute(Trial *t, const Instance *c, const NodeVec *order, const PtrMap *values, i64 i,
                   const Tensor *a, const Tensor *b, RuleCheck *out)
{
    static const u32 more[] = {HAZARD_Z, HAZARD_R, HAZARD_NPLUS, HAZARD_NPLUS | HAZARD_R};
    out->refuted = true;
    text_put(&out->says, "for ");
    put_inputs(t, c, order, values, i, &out->says);
    text_put(&out->says, " the left side is ");
    put_number(&out->says, a, i);
    text_put(&out->says, ", the right side ");
    put_number(&out->says, b, i);
    double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
    for (size_t k = 0; k < COUNT_OF(more) && !out->allow; k++)
        if (agrees(x, y, t->rule->classes | more[k], tolerance_of(c->before),
                   scale_of(order, values, i)))
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
    for (i64 i = 0; left && right && !out->refuted && i < a->count; i++)
        if (!agrees(tensor_f64_at(a, i), tensor_f64_at(b, i), t->rule->classes,
                    tolerance_of(c->before), scale_of(order, values, i)))
            refute(t, c, order, values, i, a, b, out);
    diags_clear(&t->s.diags);
    tensor_unref(a);
    tensor_unref(b);
    out->instances++;
}

static void compare_round(Trial *t, const Instance *c, int round, RuleCheck *out)
{
    PtrMap values = {0};
    NodeVec order = {0};
    Node *both[] = {c->before, c->after};
    u64 state = (u64)round * 977 + 5;
    nodes_topo(2, both, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_INPUT)
            map_put(&values, order.at[i], value_of(t, order.at[i], round, &state));
    compare_values(t, c, &order, &values, out);
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
    int share = t.ninstances ? ((int)instances + t.ninstances - 1) / t.ninstances : 0;
    for (int i = 0; i < t.ninstances && !out->refuted; i++)
        for (int round = 0; round < share && !out->refuted && out->instances < instances; round++)
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
    rs->time_limit = 2;
    Exploration *x = explore(&t->s.st, rs, 1, &root);
    for (size_t i = 0; x && i < x->passes.len && !says->len; i++) {
        const PassRun *p = &x->passes.at[i];
        if (goes_round(x, p, t->rule->name, says))
            break;
        if (p->stop == STOP_STEPS || p->stop == STOP_NODES || p->stop == STOP_TIME) {
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
    for (int i = 0; i < t.ninstances && ok; i++)
        ok = ends(&t, t.instances[i].before, says) && ends(&t, t.instances[i].after, says);
    trial_free(&t);
    return ok;
}
