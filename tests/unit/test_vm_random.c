/* Planner and virtual machine: superinstructions, fusion and order change no bit. */
#include "vm_bench.h"

/* ---- random graphs: superinstructions, fusion and order change no bit ---- */

typedef struct {
    Bench *b;
    u64 seed;
    NodeVec scalars, vectors, bools;
    i64 length;
} Pool;

static u32 roll(Pool *p, u32 n)
{
    p->seed = p->seed * 6364136223846793005u + 1442695040888963407u;
    return (u32)(p->seed >> 33) % n;
}
#define PICK(p, list) ((p)->list.at[roll(p, (u32)(p)->list.len)])

/* A value of the kind wanted, or now and then a scalar where a vector would do. */
static Node *pick(Pool *p, bool vector)
{
    return vector && roll(p, 4) ? PICK(p, vectors) : PICK(p, scalars);
}

static Node *pool_cast(Pool *p, Node *x)
{
    Store *st = &p->b->st;
    static const DType via[] = {DT_F32, DT_I64, DT_I32, DT_BOOL};
    return node_cast(st, node_cast(st, x, via[roll(p, 4)]), DT_F64);
}

static void grow_pool(Pool *p)
{
    static const OpId two[] = {OP_ADD, OP_SUB, OP_MUL, OP_MAXIMUM, OP_DIV, OP_ADD, OP_SUB, OP_MUL};
    static const OpId one[] = {OP_NEG, OP_TANH, OP_ABS, OP_SQRT, OP_RELU, OP_SIGMOID};
    static const OpId compare[] = {OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE};
    Store *st = &p->b->st;
    bool vector = p->vectors.len && roll(p, 2);
    Node *x = pick(p, vector), *z = pick(p, vector), *n = NULL;
    switch (roll(p, 10)) {
    case 0: n = node1(st, one[roll(p, 6)], NULL, x); break;
    case 1: n = node2(st, compare[roll(p, 6)], NULL, PICK(p, scalars), PICK(p, scalars)); break;
    case 2: n = node3(st, OP_WHERE, NULL, PICK(p, bools), x, z); break;
    case 3: n = node_make(st, OP_ADD, NULL, 4, (Node *[]){x, z, pick(p, vector), x}); break;
    case 4: n = pool_cast(p, x); break;
    case 5:
        n = !vector ? binary(p->b, OP_LOGICAL_AND, PICK(p, bools), PICK(p, bools))
            : p->length > 3
                ? set_row(p->b, PICK(p, vectors), whole(p->b, roll(p, 3)), PICK(p, scalars))
                : sum_all(p->b, PICK(p, vectors));
        break;
    default: n = node2(st, two[roll(p, 8)], NULL, x, z);
    }
    if (!n)
        fail_msg("%s", p->b->diags.list.at[0].message);
    if (node_dtype(n) == DT_BOOL)
        vec_push(&p->bools, n);
    else if (node_rank(n))
        vec_push(&p->vectors, n);
    else
        vec_push(&p->scalars, n);
}

static void free_pool(Pool *p)
{
    vec_free(&p->scalars);
    vec_free(&p->vectors);
    vec_free(&p->bools);
}

static void same_under_all_flags(Bench *b, int n, Node **roots, u64 seed)
{
    Tensor *plain[MANY];
    b->flags = PLAN_PLAIN | PLAN_UNORDERED;
    if (!run(b, n, roots))
        fail_msg("seed %llu: %s", (unsigned long long)seed, text_str(&b->env.error));
    memcpy(plain, b->out, sizeof plain);
    memset(b->out, 0, sizeof b->out);
    for (u32 flags = 0; flags < 8; flags++) {
        b->flags = flags & (PLAN_PLAIN | PLAN_UNORDERED);
        b->fused = flags & 4;
        assert_true(run(b, n, roots));
        for (int k = 0; k < n; k++)
            if (!tensor_same_bits(plain[k], b->out[k]))
                fail_msg("seed %llu flags %u: result %d differs", (unsigned long long)seed, flags,
                         k);
    }
    for (int k = 0; k < n; k++)
        tensor_unref(plain[k]);
    b->flags = 0;
    b->fused = false;
}

/* Random code straight through, on vectors of lengths around the tile's. */
static void test_random_arrays(void **state)
{
    static const i64 lengths[] = {0, 1, 5, 1023, 1024, 1025, 3000};
    (void)state;
    for (u64 seed = 1; seed <= 140; seed++) {
        Bench bench, *b = &bench;
        open_bench(b);
        Pool p = {.b = b, .seed = seed * 7919, .length = lengths[seed % 7]};
        Type *t = TYPE(b, DT_F64, p.length);
        vec_push(&p.vectors, given(b, "v", t, -1, 0.37));
        vec_push(&p.vectors, given(b, "w", t, 2, -0.11));
        vec_push(&p.scalars, given(b, "s", F64, 0.7, 0));
        vec_push(&p.scalars, num(b, 1.5));
        vec_push(&p.bools, binary(b, OP_LT, p.scalars.at[0], p.scalars.at[1]));
        if (p.length)
            vec_push(&p.bools, binary(b, OP_LT, p.vectors.at[0], p.vectors.at[1]));
        u32 nodes = 3 + roll(&p, 60);
        for (u32 i = 0; i < nodes; i++) {
            grow_pool(&p);
            if (p.bools.len > 1 && node_rank(p.bools.at[1]) && p.vectors.len > 4)
                p.bools.at[0] = p.bools.at[1]; /* masks that are vectors are more fun */
        }
        Node *roots[4];
        for (int k = 0; k < 4; k++)
            roots[k] = k < 2 ? PICK(&p, vectors) : PICK(&p, scalars);
        same_under_all_flags(b, 4, roots, seed);
        free_pool(&p);
        close_bench(b);
    }
}

/* Random bodies of loops. */
static void test_random_loops(void **state)
{
    (void)state;
    for (u64 seed = 1; seed <= 200; seed++) {
        Bench bench, *b = &bench;
        open_bench(b);
        Pool p = {.b = b, .seed = seed * 104729, .length = 5};
        Type *t = TYPE(b, DT_F64, 5);
        bool vectors = seed % 3 == 0, stop = seed % 5 == 0, reverse = !stop && seed % 2;
        Type *types[] = {F64, F64, F64, vectors ? t : F64, F64, vectors ? t : F64};
        for (int i = 0; i < 6; i++) {
            Node *x = param(b, i, types[i]);
            vec_push(types[i] == t ? &p.vectors : &p.scalars, x);
        }
        vec_push(&p.scalars, num(b, 0.25));
        vec_push(&p.bools, binary(b, OP_LT, p.scalars.at[0], p.scalars.at[1]));
        for (u32 i = 0, nodes = 1 + roll(&p, 30); i < nodes; i++)
            grow_pool(&p);
        Node *vstate = vectors ? PICK(&p, vectors) : PICK(&p, scalars);
        Node *outs[] = {PICK(&p, scalars), PICK(&p, scalars),
                        PICK(&p, scalars), vstate,
                        PICK(&p, scalars), vectors ? PICK(&p, vectors) : PICK(&p, scalars),
                        PICK(&p, bools)};
        while (node_rank(outs[6]))
            outs[6] = p.bools.at[0];
        Graph *g = body_of(b, 6, types, stop ? 7 : 6, outs);
        Node *init = vectors ? given(b, "v", t, 1, 0.5) : num(b, 0.5);
        Node *inits[] = {num(b, 0.1), given(b, "x", F64, 0.2, 0), num(b, 0.3), init};
        Node *seqs[] = {given(b, "q", TYPE(b, DT_F64, 9), 0.1, 0.1)};
        for (i64 n = 0; n < 9; n += 1 + n * 2) {
            Node *s = scan(b, g, whole(b, n), 4, inits, 1, seqs, 1, &init, reverse, stop);
            Node *roots[8];
            int count = 0;
            for (int k = 0; k < 8; k++)
                if (k == (int)seed % 8 || roll(&p, 3))
                    roots[count++] = result(b, s, k);
            same_under_all_flags(b, count, roots, seed);
        }
        free_pool(&p);
        close_bench(b);
    }
}

/* One kernel, many operations: results that are used outside, memory that is taken over. */
static void test_fused(void **state)
{
    Bench bench, *b = &bench;
    (void)state;
    open_bench(b);
    Type *t = TYPE(b, DT_F64, 100000);
    Node *v = given(b, "v", t, 0, 1e-5), *x = v;
    for (int i = 0; i < 20; i++)
        x = binary(b, OP_ADD, binary(b, OP_MUL, x, num(b, 0.5)), v);
    fuse(b, 1, &x);
    Program *p = plan_build(&b->st, 1, &x);
    assert_int_equal(program_stats(p).instructions, 3); /* leaf, fused, end */
    program_free(p);
    heap_free(&b->st.heap);
    size_t before = b->st.heap.peak = b->st.heap.live;
    assert_true(run1(b, x));
    assert_int_equal(b->st.heap.peak - before, 800000);
    Node *m = node_input(
        &b->st, OP_INPUT, symbol(&b->st, "m"),
        type_tensor(&b->st, DT_F64, 1, (Size *[]){size_name(&b->st, symbol(&b->st, "n"))}));
    Node *k = node_input(&b->st, OP_INPUT, symbol(&b->st, "k"), m->type);
    map_put(&b->values, m, tensor_ref(map_get(&b->values, v)));
    map_put(&b->values, k, tensor_new(&b->st.heap, DT_F64, 1, (i64[]){3}));
    refused(b, binary(b, OP_MUL, binary(b, OP_ADD, m, k), k), "shape-mismatch", "(3,)");
    close_bench(b);
}

#define TEST(name) cmocka_unit_test(test_##name)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(random_arrays), TEST(random_loops), TEST(fused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
