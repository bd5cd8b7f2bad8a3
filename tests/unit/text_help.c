/* Small worlds and graphs for the tests of graphs and their texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text_help.h"

World *world_new(void)
{
    World *w = xcalloc(1, sizeof *w);
    store_init(&w->st);
    w->st.diags = &w->diags;
    return w;
}

void world_free(World *w)
{
    store_free(&w->st);
    diags_free(&w->diags);
    free(w);
}

void world_is_fine(World *w)
{
    for (size_t i = 0; i < w->diags.list.len; i++) {
        Text t = {0};
        diag_render(&t, &w->diags.list.at[i], false);
        print_error("%s\n", text_str(&t));
        text_free(&t);
    }
    assert_int_equal(w->diags.errors, 0);
}

char *print_text(Store *st, int n, Node *const *roots)
{
    Numbering num = {0};
    Text t = {0};
    graph_print(st, &t, n, roots, &num);
    map_free(&num.of);
    return text_take(&t);
}

Node *input_of(Store *st, const char *name, DType d, int rank, Size *const *dims)
{
    return node_input(st, OP_INPUT, symbol(st, name), type_tensor(st, d, rank, dims));
}

Node *vector_input(Store *st, const char *name, const char *size)
{
    Size *n = size_name(st, symbol(st, size));
    return input_of(st, name, DT_F64, 1, &n);
}

Node *scalar_input(Store *st, const char *name) { return input_of(st, name, DT_F64, 0, NULL); }

Node *reduce_axis(Store *st, OpId op, Node *x, i64 axis)
{
    Attr a = {.ints = intlist(st, 1, &axis)};
    return node1(st, op, &a, x);
}

Node *tensor_node(Store *st, DType d, int rank, const i64 *shape, const void *data)
{
    Tensor *t = tensor_new(&st->heap, d, rank, shape);
    assert_non_null(t);
    if (t->count)
        memcpy(t->data, data, (size_t)t->count * dtype_size(d));
    Node *n = node_const(st, t);
    tensor_unref(t);
    return n;
}

/* ---- bodies ---- */

Graph *close_body(Store *st, int nfixed, Node *const *fixed, int nseqs, Node *const *seqs,
                  int nouts, Node *const *outs, Closed *closed)
{
    CloseRequest rq = {.nfixed = nfixed,
                       .fixed = fixed,
                       .nseqs = nseqs,
                       .seqs = seqs,
                       .nouts = nouts,
                       .outs = outs};
    for (int i = 0; i < nouts; i++)
        assert_non_null(outs[i]);
    assert_true(graph_close(st, &rq, closed));
    return closed->graph;
}

/* s[t] = tanh(s[t-1] * W + u[t]); until sum(s[t]) > limit */
Node *rnn_scan(Store *st, Node *s0, Node *u, Node *W, Node *limit, Node *n)
{
    Node *s = node_hole(st, s0->type, symbol(st, "s"));
    Node *e = node_hole(st, s0->type, symbol(st, "u_t"));
    Node *next = node1(st, OP_TANH, NULL, build_add(st, build_mul(st, s, W), e));
    Node *outs[3] = {next, build_sub(st, next, s)};
    int nouts = 2;
    if (limit)
        outs[nouts++] = build_elementwise(st, OP_GT, 2, (Node *[]){build_sum_all(st, next), limit});
    Closed c;
    close_body(st, 1, &s, 1, &e, nouts, outs, &c);
    ScanShape shape = {.body = c.graph,
                       .nstates = 1,
                       .nseqs = c.nseqs,
                       .ncaptures = c.ncaptures,
                       .stop = limit != NULL,
                       .reverse = limit == NULL,
                       .n = n,
                       .inits = &s0,
                       .seqs = &u,
                       .captures = c.captures};
    return scan_node(st, &shape);
}

Node *sequence_input(Store *st, const char *name)
{
    Size *dims[] = {size_name(st, symbol(st, "steps")), size_name(st, symbol(st, "n"))};
    return input_of(st, name, DT_F64, 2, dims);
}

/* A scan inside a scan, the inner one running on what the outer one captures. */
Node *nested_scan(Store *st, Node *x, Node *u, Node *W, Node *n)
{
    Node *s = node_hole(st, x->type, NULL);
    Node *inner = rnn_scan(st, s, u, build_mul(st, W, s), NULL, node_dim(st, u, 0));
    Node *out = build_add(st, node_proj(st, inner, 0), W);
    Closed c;
    close_body(st, 1, &s, 0, NULL, 1, &out, &c);
    ScanShape shape = {.body = c.graph,
                       .nstates = 1,
                       .ncaptures = c.ncaptures,
                       .n = n,
                       .inits = &x,
                       .captures = c.captures};
    return scan_node(st, &shape);
}

Node *square_gradient(Store *st, OpId op, Node *x, Node *y, Node *seed)
{
    Node *hx = node_hole(st, x->type, NULL), *hy = node_hole(st, y->type, NULL);
    Node *loss = build_sum_all(st, build_mul(st, build_mul(st, hx, hx), hy));
    Node *fixed[] = {hx, hy};
    Closed c;
    close_body(st, 2, fixed, 0, NULL, 1, &loss, &c);
    Attr attrs[] = {{.graph = c.graph}, {.i = op == OP_VJP ? 2 : 1}, {.i = -1}};
    Node *ops[] = {x, y, seed};
    return node_make(st, op, attrs, seed ? 3 : 2, ops);
}

Node *choice_node(Store *st, Node *c, Node *x, Node *y)
{
    Node *a = node_hole(st, x->type, NULL), *b = node_hole(st, y->type, NULL);
    Node *yes = build_mul(st, a, b), *no = node1(st, OP_EXP, NULL, b);
    Closed then_c, else_c;
    close_body(st, 2, (Node *[]){a, b}, 0, NULL, 1, &yes, &then_c);
    close_body(st, 1, &b, 0, NULL, 1, &no, &else_c);
    Attr attrs[] = {{.graph = then_c.graph},
                    {.graph = else_c.graph},
                    {.ints = intlist(st, 2, (i64[]){0, 1})},
                    {.ints = intlist(st, 1, (i64[]){1})}};
    return node3(st, OP_IFELSE, attrs, c, x, y);
}
