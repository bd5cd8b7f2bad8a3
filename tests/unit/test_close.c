/* Closing a body: it depends on structure only. The same body built twice, with other names,
 * other sizes' names, another order of declaration, of capture, of construction and of
 * commutative operands, gives one Graph. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "effort.h"
#include "graph/reads.h"
#include "graph/walk.h"
#include "text_help.h"

enum { MAX_STATES = 3, MAX_LEAVES = 12, MAX_VALUES = 40, MAX_ARGS = 4 };

/* A body as a list of values; a value's arguments come before it. */
typedef enum { V_STATE, V_SEQ, V_CAPTURE, V_COMPUTED, V_SIZE, V_CONST, V_OP, V_CALL } ValueKind;
typedef struct {
    ValueKind kind;
    int shape; /* 0: a scalar, 1: [n], 2: [m], 3: [n, m] */
    OpId op;
    int nargs, args[MAX_ARGS];
    double number;
} Value;
typedef struct {
    Value v[MAX_VALUES];
    int n, nstates, nleaves, nouts, outs[MAX_STATES + 3];
    bool sizes;
    DType dtype; /* of everything; sums of more than two floats keep the order of their operands */
    int dynamic; /* which sizes are values of integers: 1 n, 2 m */
} Plan;

static u64 draw(u64 *seed, u64 n)
{
    *seed = hash_mix(*seed, 0x71);
    return (*seed >> 11) % n;
}

/* ---- random plans ---- */

static int pick(const Plan *p, u64 *seed, int shape)
{
    int found = -1, count = 0;
    for (int i = 0; i < p->n; i++)
        if (p->v[i].shape == shape && draw(seed, (u64)++count) == 0)
            found = i;
    return found;
}

static void plan_leaves(Plan *p, u64 *seed)
{
    static const ValueKind kinds[] = {V_SEQ,      V_CAPTURE, V_CAPTURE, V_CAPTURE,
                                      V_COMPUTED, V_SIZE,    V_CONST};
    p->dtype = draw(seed, 2) ? DT_F64 : DT_I64;
    p->nstates = 1 + (int)draw(seed, MAX_STATES);
    p->dynamic = (int)draw(seed, 4);
    p->nleaves = p->nstates + 1 + (int)draw(seed, (u64)(MAX_LEAVES - p->nstates));
    int shapes = 1 + (int)draw(seed, 4); /* few shapes: more values that look alike */
    for (; p->n < p->nleaves; p->n++) {
        ValueKind kind = p->n < p->nstates ? V_STATE : kinds[draw(seed, COUNT_OF(kinds))];
        int shape = (int)draw(seed, (u64)shapes);
        bool plain = kind == V_SIZE || kind == V_CONST;
        p->v[p->n] = (Value){.kind = kind, .shape = plain ? 0 : shape};
        p->v[p->n].number = (double)draw(seed, 2); /* which size, which number */
        p->sizes = p->sizes || kind == V_SIZE;
    }
}

static void plan_op(Plan *p, u64 *seed)
{
    static const OpId many[] = {OP_ADD, OP_MUL}, two[] = {OP_SUB, OP_MOD, OP_MAXIMUM, OP_MINIMUM},
                      one[] = {OP_SIGN, OP_NEG};
    Value *v = &p->v[p->n];
    *v = (Value){.kind = V_OP, .shape = (int)draw(seed, 4)};
    int like = pick(p, seed, v->shape);
    if (like < 0)
        return;
    u64 what = draw(seed, 10);
    v->nargs = what < 5 ? 2 + (int)draw(seed, MAX_ARGS - 1) : what < 8 ? 2 : 1;
    v->op = what < 5 ? many[draw(seed, 2)] : what < 7 ? two[draw(seed, 4)] : one[draw(seed, 2)];
    if (what == 7 && v->shape < 3)
        v->kind = V_CALL;
    v->args[0] = like;
    for (int i = 1; i < v->nargs; i++) {
        int scalar = v->kind == V_OP && draw(seed, 4) == 0 ? pick(p, seed, 0) : -1;
        v->args[i] = scalar >= 0 ? scalar : pick(p, seed, v->shape);
    }
    if (what == 7 && v->shape == 3)
        v->op = OP_SUB;
    if (what == 9 && v->shape) {
        v->op = OP_SUM;
        v->shape = 0;
    }
    p->n++;
}

static Plan plan_random(u64 seed)
{
    Plan p = {0};
    plan_leaves(&p, &seed);
    int want = p.n + 2 + (int)draw(&seed, (u64)(MAX_VALUES - MAX_LEAVES - 2));
    for (int tries = 0; p.n < want && tries < 200; tries++)
        plan_op(&p, &seed);
    p.nouts = 1 + (int)draw(&seed, COUNT_OF(p.outs));
    for (int i = 0; i < p.nouts; i++)
        p.outs[i] = (int)(draw(&seed, 3) ? (u64)p.n - 1 - draw(&seed, (u64)(p.n - p.nleaves + 1))
                                         : draw(&seed, (u64)p.n));
    return p;
}

/* ---- one way to build a plan ---- */

typedef struct {
    Store *st;
    const Plan *plan;
    u64 seed;
    Size *n, *m;
    Node *node[MAX_VALUES];
    NodeSet mentioned;
    NodeVec seqs;
    Graph *callee;
} Build;

static Symbol fresh_name(Build *b)
{
    char name[32];
    snprintf(name, sizeof name, "v%llx", (unsigned long long)draw(&b->seed, UINT64_MAX));
    return symbol(b->st, name);
}

static Type *type_of_shape(Build *b, int shape)
{
    Size *both[] = {b->n, b->m}, *one[] = {shape == 2 ? b->m : b->n};
    return type_tensor(b->st, b->plan->dtype, shape == 3 ? 2 : shape > 0, shape == 3 ? both : one);
}

static Node *build_leaf(Build *b, const Value *v)
{
    Type *t = type_of_shape(b, v->shape);
    Node *n;
    switch (v->kind) {
    case V_STATE: return node_hole(b->st, t, fresh_name(b));
    case V_SEQ:
        n = node_hole(b->st, t, fresh_name(b));
        vec_push(&b->seqs, n);
        return n;
    case V_CAPTURE:
        return node_input(b->st, draw(&b->seed, 2) ? OP_INPUT : OP_SHARED, fresh_name(b), t);
    case V_COMPUTED:
        n = node1(b->st, OP_SIGN, NULL, node_input(b->st, OP_INPUT, fresh_name(b), t));
        set_add(&b->mentioned, n);
        return n;
    case V_SIZE:
        return node_cast(b->st, size_to_node(b->st, v->number > 0 ? b->m : b->n), b->plan->dtype);
    default: return node_number(b->st, b->plan->dtype, v->number);
    }
}

static Node *build_op(Build *b, const Value *v)
{
    Node *args[MAX_ARGS];
    for (int i = 0; i < v->nargs; i++)
        args[i] = b->node[v->args[i]];
    if (v->kind == V_OP && operands_sorted(v->op, (u32)v->nargs, args))
        for (int i = v->nargs; i-- > 1;) {
            u64 k = draw(&b->seed, (u64)i + 1);
            Node *t = args[i];
            args[i] = args[k];
            args[k] = t;
        }
    if (v->op == OP_SUM)
        return build_sum_all(b->st, args[0]);
    if (v->kind != V_CALL)
        return node_make(b->st, v->op, NULL, (u32)v->nargs, args);
    Node *x = node_hole(b->st, args[0]->type, NULL), *y = node_hole(b->st, args[0]->type, NULL);
    Node *out = build_sub(b->st, build_mul(b->st, x, y), y);
    Closed c;
    Attr attrs[] = {{.graph = close_body(b->st, 2, (Node *[]){x, y}, 0, NULL, 1, &out, &c)},
                    {.name = NULL}};
    return node_proj(b->st, node2(b->st, OP_CALL, attrs, args[0], args[1]), 0);
}

static bool is_ready(const Build *b, const Value *v)
{
    for (int i = 0; i < v->nargs; i++)
        if (!b->node[v->args[i]])
            return false;
    return true;
}

/* Values in a random order, arguments first. */
static void build_values(Build *b)
{
    for (int left = b->plan->n; left > 0;) {
        int i = (int)draw(&b->seed, (u64)b->plan->n);
        const Value *v = &b->plan->v[i];
        if (b->node[i] || !is_ready(b, v))
            continue;
        b->node[i] = v->nargs ? build_op(b, v) : build_leaf(b, v);
        assert_non_null(b->node[i]);
        left--;
    }
}

/* The body with its parameters replaced by what they stand for is the open body again. */
static void expect_inverse(const Build *b, const Closed *c, Node *const *outs)
{
    NodeVec args = {0};
    for (int i = 0; i < b->plan->nstates; i++)
        vec_push(&args, b->node[i]);
    for (int i = 0; i < c->nseqs; i++)
        vec_push(&args, b->seqs.at[c->seqs[i]]);
    for (int i = 0; i < c->ncaptures; i++)
        vec_push(&args, c->captures[i]);
    assert_int_equal(args.len, c->graph->nparams);
    Node *back[COUNT_OF(b->plan->outs)];
    assert_true(graph_instantiate(b->st, c->graph, args.at, back));
    for (int i = 0; i < b->plan->nouts && !b->plan->sizes; i++)
        assert_ptr_equal(back[i], outs[i]);
    vec_free(&args);
}

static Size *random_size(Build *b, bool dynamic)
{
    Symbol name = fresh_name(b);
    return dynamic
               ? size_of_node(b->st, node_input(b->st, OP_INPUT, name, type_scalar(b->st, DT_I64)))
               : size_name(b->st, name);
}

static Graph *build_plan(Store *st, const Plan *plan, u64 seed)
{
    Build b = {.st = st, .plan = plan, .seed = seed};
    bool m_first = draw(&b.seed, 2);
    for (int i = 0; i < 2; i++)
        *((i == 0) == m_first ? &b.m : &b.n) =
            random_size(&b, plan->dynamic & ((i == 0) == m_first ? 2 : 1));
    build_values(&b);
    Node *fixed[MAX_STATES], *outs[COUNT_OF(plan->outs)];
    for (int i = 0; i < plan->nstates; i++)
        fixed[i] = b.node[i];
    for (int i = 0; i < plan->nouts; i++)
        outs[i] = b.node[plan->outs[i]];
    CloseRequest rq = {.nfixed = plan->nstates,
                       .fixed = fixed,
                       .nseqs = (int)b.seqs.len,
                       .seqs = b.seqs.at,
                       .nouts = plan->nouts,
                       .outs = outs,
                       .mentioned = &b.mentioned};
    Closed c;
    assert_true(graph_close(st, &rq, &c));
    expect_inverse(&b, &c, outs);
    map_free(&b.mentioned);
    vec_free(&b.seqs);
    return c.graph;
}

/* A call of the graph is well formed. */
static void expect_call(Store *st, Graph *g)
{
    NodeVec args = {0};
    for (int i = 0; i < g->nparams; i++) {
        char name[24];
        snprintf(name, sizeof name, "arg%d", i);
        vec_push(&args, node_input(st, OP_INPUT, symbol(st, name), g->params[i]));
    }
    Attr attrs[] = {{.graph = g}, {.name = NULL}};
    Node *call = node_make(st, OP_CALL, attrs, (u32)args.len, args.at);
    assert_non_null(call);
    Text why = {0};
    if (!graph_verify(st, 1, &call, &why))
        fail_msg("%s", text_str(&why));
    text_free(&why);
    vec_free(&args);
}

/* What the graph keeps about its nodes is what a walk finds. */
static void expect_reads(Graph *g)
{
    const GraphReads *r = graph_reads(g);
    for (size_t i = 0; i < r->order.len; i++) {
        Node *n = r->order.at[i];
        bool among = false;
        for (int k = 0; k < g->nparams; k++) {
            bool reads = node_reads(n, g->param_nodes[k]);
            assert_int_equal(reads_param(r, n, k), reads);
            among = among || (reads && k > 0);
        }
        assert_int_equal(reads_among(r, n, 1, g->nparams), among);
    }
    for (int i = 0; i < g->nouts; i++)
        assert_true(map_has(&r->places, g->outs[i]));
}

static bool same_twice(Store *st, const Plan *plan, u64 seed, bool tell)
{
    Graph *a = build_plan(st, plan, hash_mix(seed, 1)),
          *b = build_plan(st, plan, hash_mix(seed, 2));
    if (a != b && tell) {
        char *x = print_text(st, a->nouts, a->outs), *y = print_text(st, b->nouts, b->outs);
        print_error("seed %llu:\n%s\n%s\n", (unsigned long long)seed, x, y);
        free(x);
        free(y);
    }
    if (seed % 16 == 0) {
        expect_call(st, a);
        expect_reads(a);
    }
    return a == b;
}

static void test_random_bodies(void **state)
{
    (void)state;
    u64 from = from_env("GRADUS_SEED", 0), n = effort_cases(5000);
    World *w = world_new();
    int different = 0;
    for (u64 seed = from; seed < from + n; seed++) {
        if (seed % 100 == 0) {
            world_is_fine(w);
            world_free(w);
            w = world_new();
        }
        Plan plan = plan_random(seed);
        different += !same_twice(&w->st, &plan, seed, different < 3);
    }
    world_is_fine(w);
    assert_int_equal(different, 0);
    world_free(w);
}

/* ---- bodies that are hard because values look alike ---- */

static Value leaf_of(ValueKind kind) { return (Value){.kind = kind}; }
static Value op_of(OpId op, int a, int b)
{
    return (Value){.kind = V_OP, .op = op, .nargs = 2, .args = {a, b}};
}

static void expect_canonical(const Plan *plan)
{
    World *w = world_new();
    for (u64 seed = 0; seed < 200; seed++)
        assert_true(same_twice(&w->st, plan, seed, true));
    world_is_fine(w);
    world_free(w);
}

/* a + b, x + y, a * x + b * y: which of a, b comes first decides which of x, y does. */
static void test_paired_captures(void **state)
{
    (void)state;
    Plan p = {.n = 10, .nstates = 1, .nleaves = 5, .nouts = 3, .outs = {5, 6, 9}, .dtype = DT_F64};
    p.v[0] = leaf_of(V_STATE);
    for (int i = 1; i < 5; i++)
        p.v[i] = leaf_of(V_CAPTURE);
    p.v[5] = op_of(OP_ADD, 1, 2);
    p.v[6] = op_of(OP_ADD, 3, 4);
    p.v[7] = op_of(OP_MUL, 1, 3);
    p.v[8] = op_of(OP_MUL, 2, 4);
    p.v[9] = op_of(OP_ADD, 7, 8);
    expect_canonical(&p);
}

/* Captures in a ring of products: every one looks like every other, their order does not matter
 * alone. */
static void ring(Plan *p, int first, int count, int *sum)
{
    for (int i = 0; i < count; i++)
        p->v[p->n++] = op_of(OP_MUL, first + i, first + (i + 1) % count);
    Value v = {.kind = V_OP, .op = OP_ADD, .nargs = count};
    for (int i = 0; i < count; i++)
        v.args[i] = p->n - count + i;
    *sum = p->n;
    p->v[p->n++] = v;
}

static void test_rings(void **state)
{
    (void)state;
    for (int count = 3; count <= 4; count++) {
        Plan p = {.n = 1, .nstates = 1, .nouts = 2, .dtype = DT_I64};
        p.v[0] = leaf_of(V_STATE);
        for (int i = 0; i < 2 * count; i++)
            p.v[p.n++] = leaf_of(V_CAPTURE);
        ring(&p, 1, count, &p.outs[0]);
        ring(&p, 1 + count, count, &p.outs[1]);
        expect_canonical(&p);
        p.v[p.n] = op_of(OP_MUL, p.outs[0], p.outs[1]); /* the rings, too, look alike */
        p.outs[0] = p.n++;
        p.nouts = 1;
        expect_canonical(&p);
    }
}

/* Sequences are ordered like captures, states stay where they are. */
static void test_sequences(void **state)
{
    (void)state;
    Plan p = {.n = 9, .nstates = 2, .nleaves = 6, .nouts = 2, .outs = {7, 8}, .dtype = DT_F64};
    p.v[0] = p.v[1] = leaf_of(V_STATE);
    p.v[2] = p.v[3] = leaf_of(V_SEQ);
    p.v[4] = p.v[5] = leaf_of(V_CAPTURE);
    p.v[6] = op_of(OP_SUB, 2, 4);
    p.v[7] = op_of(OP_MUL, 6, 3);
    p.v[8] = op_of(OP_ADD, 5, 1);
    expect_canonical(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_bodies),
        cmocka_unit_test(test_paired_captures),
        cmocka_unit_test(test_rings),
        cmocka_unit_test(test_sequences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
