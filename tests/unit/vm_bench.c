/* Helpers of test_vm.c and test_vm_random.c; see vm_bench.h. */
#include "vm_bench.h"

static Tensor *leaf(void *ctx, const Node *n)
{
    Bench *b = ctx;
    b->asked++;
    return map_get(&b->values, n);
}

static bool no_size(void *ctx, const Node *leaf, i64 *out)
{
    (void)ctx, (void)leaf, (void)out;
    return false;
}

void open_bench(Bench *b)
{
    memset(b, 0, sizeof *b);
    store_init(&b->st);
    b->st.diags = &b->diags;
    b->env = (VmEnv){.st = &b->st,
                     .heap = &b->st.heap,
                     .leaf = leaf,
                     .size = no_size,
                     .ctx = b,
                     .interrupt = &b->interrupt};
}

void drop_results(Bench *b)
{
    for (int i = 0; i < MANY; i++) {
        tensor_unref(b->out[i]);
        b->out[i] = NULL;
    }
}

void close_bench(Bench *b)
{
    drop_results(b);
    for (size_t i = 0; i < b->values.len; i++)
        tensor_unref(map_val(&b->values, i));
    map_free(&b->values);
    text_free(&b->env.error);
    Heap *h = &b->st.heap;
    for (size_t i = 0; i < b->st.tensors.cap; i++) { /* constants are all that may be left */
        if (b->st.tensors.items && b->st.tensors.items[i])
            assert_int_equal(((Tensor *)b->st.tensors.items[i])->refs, 1);
    }
    (void)h;
    if (b->rules.complete)
        ruleset_free(&b->rules);
    diags_free(&b->diags);
    store_free(&b->st);
}

Type *dims_type(Bench *b, DType d, int rank, const i64 *dims)
{
    Size *sizes[MAX_RANK];
    for (int i = 0; i < rank; i++)
        sizes[i] = size_const(&b->st, dims[i]);
    return type_tensor(&b->st, d, rank, sizes);
}

/* An input with a value: start, start + step, ... */
Node *given(Bench *b, const char *name, Type *t, double start, double step)
{
    i64 shape[MAX_RANK];
    for (int i = 0; i < t->rank; i++)
        assert_true(size_is_const(t->dims[i], &shape[i]));
    Tensor *f = tensor_new(&b->st.heap, DT_F64, t->rank, shape);
    for (i64 i = 0; i < f->count; i++)
        ((double *)f->data)[i] = start + (double)i * step;
    Tensor *v = tensor_cast(&b->st.heap, f, t->dtype);
    tensor_unref(f);
    Node *n = node_input(&b->st, OP_INPUT, symbol(&b->st, name), t);
    Tensor *before = map_get(&b->values, n); /* given once more */
    if (before)
        tensor_unref(before);
    map_put(&b->values, n, v);
    return n;
}

void fuse(Bench *b, int n, Node **roots) { rewrite(b, "fuse", n, roots); }

void rewrite(Bench *b, const char *pass, int n, Node **roots)
{
    if (!b->rules.complete)
        assert_true(ruleset_init(&b->rules, &b->diags));
    b->options = options_usual();
    pipeline_clear(&b->options.pipeline);
    pipeline_add(&b->options.pipeline, pass_named(pass));
    Exploration *x = explore(&b->st, &b->rules, &b->options, n, roots);
    Text why = {0};
    assert_true(x && !x->failed);
    if (!graph_verify(&b->st, n, x->roots, &why))
        fail_msg("%s: %s", pass, text_str(&why));
    memcpy(roots, x->roots, (size_t)n * sizeof *roots);
    exploration_free(x);
}

bool run(Bench *b, int n, Node *const *given_roots)
{
    Node *roots[MANY];
    assert_true(n <= MANY);
    memcpy(roots, given_roots, (size_t)n * sizeof *roots);
    drop_results(b);
    text_free(&b->env.error);
    b->env.code = NULL;
    b->env.fault = NULL;
    for (int i = 0; i < n; i++)
        assert_non_null(roots[i]);
    if (b->fused)
        fuse(b, n, roots);
    Program *p = plan_build_with(&b->st, n, roots, b->flags);
    assert_non_null(p);
    bool ok = vm_run(p, &b->env, b->out);
    program_free(p);
    return ok;
}

bool run1(Bench *b, Node *root) { return run(b, 1, &root); }

double at(Bench *b, int result, i64 i)
{
    assert_non_null(b->out[result]);
    assert_true(i < b->out[result]->count);
    return tensor_f64_at(b->out[result], i);
}

void expect1(Bench *b, Node *root, double want)
{
    if (!run1(b, root))
        fail_msg("%s", text_str(&b->env.error));
    assert_true(at(b, 0, 0) == want);
}

void refused(Bench *b, Node *root, const char *code, const char *words)
{
    assert_false(run1(b, root));
    assert_string_equal(b->env.code, code);
    if (!strstr(text_str(&b->env.error), words))
        fail_msg("no \"%s\" in \"%s\"", words, text_str(&b->env.error));
}

Node *binary(Bench *b, OpId op, Node *x, Node *z) { return node2(&b->st, op, NULL, x, z); }
Node *num(Bench *b, double x) { return node_f64(&b->st, x); }
Node *whole(Bench *b, i64 x) { return node_i64(&b->st, x); }
Node *param(Bench *b, i64 i, Type *t) { return node_param(&b->st, i, t); }
Node *index_of(Bench *b, Node *x, Node *i)
{
    return node2(&b->st, OP_INDEX, &(Attr){.i = 0}, x, i);
}
Node *set_row(Bench *b, Node *x, Node *i, Node *v)
{
    return node3(&b->st, OP_SET_INDEX, (Attr[]){{.i = 0}, {.i = 0}}, x, i, v);
}
Node *sum_all(Bench *b, Node *x)
{
    i64 axes[MAX_RANK] = {0, 1, 2, 3};
    return node1(&b->st, OP_SUM, &(Attr){.ints = intlist(&b->st, (u32)node_rank(x), axes)}, x);
}

/* A scan from a body given as lists. */
Node *scan(Bench *b, Graph *body, Node *n, int ninits, Node **inits, int nseqs, Node **seqs,
           int ncaptures, Node **captures, bool reverse, bool stop)
{
    ScanShape s = {.body = body,
                   .nstates = ninits,
                   .nseqs = nseqs,
                   .ncaptures = ncaptures,
                   .reverse = reverse,
                   .stop = stop,
                   .n = n,
                   .inits = inits,
                   .seqs = seqs,
                   .captures = captures};
    return scan_node(&b->st, &s);
}
Graph *body_of(Bench *b, int nparams, Type **params, int nouts, Node **outs)
{
    for (int i = 0; i < nouts; i++)
        assert_non_null(outs[i]);
    return graph_make(&b->st, nparams, params, nouts, outs);
}
Node *result(Bench *b, Node *n, i64 k)
{
    assert_non_null(n);
    return node_proj(&b->st, n, k);
}
