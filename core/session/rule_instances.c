/* The instances of a trial: graphs of the form of the rule's left side on which it fires, with what
 * the guard asks of their inputs. */
#include "graph/walk.h"
#include "rewrite/history.h"
#include "session/instance.h"
#include "session/rule_trial.h"

enum {
    ATTEMPTS = 6000, /* to build instances: most are of no rule's form, or refused by its guard; */
    ATTEMPTS_NEW = ATTEMPTS / 4,    /* so many with new forms only, */
    ATTEMPTS_KINDS = ATTEMPTS / 6,  /* so many for kinds that are missing once there are enough, */
    ATTEMPTS_SCARCE = ATTEMPTS / 3, /* so many for a rule that seldom fires, with more than */
    SCARCE = 4,                     /* instances */
    OF_ONE_FORM = 2,                /* more show nothing new */
    TRY_BYTES = 1 << 28             /* of all instances of a rule */
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
    parser_init(&p, src, &s->arena, s->st.diags, false);
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

/* Inverses, solutions, determinants and derivatives of what is not finite say nothing. */
static bool factorises(const NodeVec *order)
{
    bool found = false;
    for (size_t i = 0; i < order->len; i++) {
        OpId op = order->at[i]->op;
        found = found || node_is_implicit(order->at[i]) ||
                (op_table[op].cls == CLASS_LINALG && op != OP_MATMUL && op != OP_GEMM);
    }
    return found;
}

/* The same without derivatives and maps, which do not run as they are. */
Node *trial_runnable(Trial *t, Node *root)
{
    if (!nodes_any(1, &root, node_is_implicit))
        return root;
    Options o = t->s.options;
    pipeline_clear(&o.pipeline);
    pipeline_add(&o.pipeline, pass_named("differentiate"));
    Exploration *x = explore(&t->s.st, t->s.rules, &o, 1, &root);
    Node *r = !x->failed ? x->roots[0] : root;
    exploration_free(x);
    return r;
}

/* What an instance is like: the dtypes of its variables, axes without or with one element, a
 * variable that stands for something that may fail. */
u32 trial_kinds(Store *st, const Bindings *b)
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

/* `made`: what was built, of which only its after and its classes are not known. */
static void add_instance(Trial *t, const Instance *made, Node *before, Node *after, u32 extra)
{
    t->forms[t->ninstances] = t->form;
    Instance *c = &t->instances[t->ninstances++];
    if (t->rule->backwards) {
        Node *n = before;
        before = after;
        after = n;
    }
    Node *both[] = {before, after};
    *c = *made;
    c->before = before;
    c->after = after;
    /* a sum or product in another order may also stay in range where it did not */
    c->classes = t->rule->classes | extra | (extra & HAZARD_O ? (u32)HAZARD_NPLUS : 0);
    nodes_topo(2, both, &c->order);
    c->pointwise = pointwise(&c->order);
    c->factorises = factorises(&c->order);
}

/* What the guard asks of inputs that nothing else proves. */
static void assume(Facts *facts, const Ranges *r)
{
    for (int i = 0; i < r->n; i++)
        if (r->at[i].assumed)
            fact_assume(facts, r->at[i].leaf, range_fact(&r->at[i].range), "");
}

static u64 form_of_type(const Type *t)
{
    u64 h = t->kind == TYPE_TENSOR ? (u64)t->rank * 8 + t->dtype : 7;
    for (int k = 0; t->kind == TYPE_TENSOR && k < t->rank; k++)
        h = hash_mix(h, size_is(t->dims[k], 0) ? 1 : size_is(t->dims[k], 1) ? 2 : 3);
    return h;
}

static u64 constant_form(const Node *n)
{
    double x;
    u64 bits = 0;
    if (node_const_f64(n, &x))
        memcpy(&bits, &x, sizeof bits);
    return hash_mix(bits, node_is_const(n));
}

/* What the rule's variables are, values and lengths aside: many of one form would say the same. */
static u64 form_of(const Bindings *b)
{
    u64 h = 5;
    for (int k = 0; k < RULE_VARS; k++) {
        const RuleValue *x = &b->at[k];
        if (!(b->bound >> k & 1))
            continue;
        h = hash_mix(h, (u64)k);
        if (x->kind == 'n')
            h = hash_mix(h, form_of_type(x->node->type) + constant_form(x->node));
        else if (x->kind == 'I')
            for (u32 j = 0; j < x->attr.ints->n; j++)
                h = hash_mix(h, (u64)x->attr.ints->at[j] + 17);
        else if (!strchr("rgl", x->kind))
            h = hash_mix(h, (u64)x->attr.i);
    }
    return h;
}

static bool is_common(Trial *t, const Bindings *b, u64 seed)
{
    u64 h = form_of(b);
    int same = 0;
    for (int i = 0; i < t->ninstances; i++)
        same += t->forms[i] == h;
    t->form = h;
    return same >= OF_ONE_FORM && seed < ATTEMPTS_NEW;
}

static bool has_room(const Trial *t, u32 kinds)
{
    return t->ninstances < MAX_INSTANCES - KEPT_FOR_KINDS ||
           (kinds & ~t->kinds && t->ninstances < MAX_INSTANCES);
}

/* A rule on a loop: each result is an instance. */
static bool try_loop(Trial *t, const Instance *made, Facts *facts)
{
    Store *st = &t->s.st;
    Changes changes = {0};
    bool fired = rule_apply_loop(st, t->rule, facts, made->before, NULL, &changes);
    u32 kinds = trial_kinds(st, &made->b);
    for (size_t i = 0; i < changes.len && fired; i++)
        if (changes.at[i].before != changes.at[i].after && has_room(t, kinds))
            add_instance(t, made, changes.at[i].before, changes.at[i].after, 0);
    t->kinds |= fired ? kinds : 0;
    vec_free(&changes);
    return fired;
}

static bool try_node(Trial *t, const Instance *made, Facts *facts)
{
    Store *st = &t->s.st;
    Text evidence = {0};
    u32 extra = 0, kinds = trial_kinds(st, &made->b);
    Node *before = made->before,
         *after = rule_apply_text(st, t->rule, facts, before, &evidence, &extra);
    bool known = false;
    for (int i = 0; i < t->ninstances && !known; i++)
        known = t->instances[i].before == before;
    if (after && after != before && !known) {
        if (has_room(t, kinds))
            add_instance(t, made, before, after, extra);
        t->kinds |= kinds;
    } else if (after == before && !t->why_not.len)
        text_put(&t->why_not, "both sides are the same here");
    text_free(&evidence);
    return after != NULL;
}

static void try_instance(Trial *t, u64 seed)
{
    Instance made = {0};
    Facts facts = {0};
    made.before = instance_make(&t->s.st, t->rule, seed, &made.b, &made.beside, &made.ranges);
    if (made.before && !is_common(t, &made.b, seed)) {
        assume(&facts, &made.ranges);
        guard_use_expressions(t, &made, &facts);
        bool fired =
            rule_is_on_loop(t->rule) ? try_loop(t, &made, &facts) : try_node(t, &made, &facts);
        if (fired)
            guard_use_note(t, &made, &facts);
        else if (!t->why_not.len && !ranges_assumed(&made.ranges))
            rule_explain_text(&t->s.st, t->rule, NULL, made.before, &t->why_not, NULL);
    }
    diags_clear(&t->s.diags);
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

bool trial_init(Trial *t, const Rule *r, const RuleSet *all)
{
    memset(t, 0, sizeof *t);
    t->rule = r;
    number_pool(r, &t->pool);
    if (!session_open(&t->s, all))
        return false;
    t->s.st.heap.limit = TRY_BYTES;
    declare_sizes(&t->s);
    for (u64 seed = 0; seed < ATTEMPTS && t->ninstances < MAX_INSTANCES; seed++) {
        bool enough = t->ninstances >= MAX_INSTANCES - KEPT_FOR_KINDS;
        if ((enough && (has_all_kinds(t) || seed > ATTEMPTS_KINDS)) ||
            (seed > ATTEMPTS_SCARCE && t->ninstances > SCARCE))
            break; /* rare: these will do */
        try_instance(t, seed);
    }
    return true;
}

void trial_free(Trial *t)
{
    for (int i = 0; i < t->ninstances; i++) {
        Instance *c = &t->instances[i];
        for (int k = 0; k < 2; k++) {
            if (c->program[k])
                program_free(c->program[k]);
            if (c->noisy[k])
                program_free(c->noisy[k]);
            vec_free(&c->factors[k]);
        }
        vec_free(&c->order);
    }
    text_free(&t->why_not);
    session_free(&t->s);
}
