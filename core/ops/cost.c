/* Costs of operators by class; see cost.h. */
#include "ops/cost.h"
#include "graph/control.h"
#include "ops/elem.h"
#include "ops/ops.h"

#include <math.h>

static Size *elements(Store *st, const Type *t) { return size_product(st, t->rank, t->dims); }

static Size *times(Store *st, Size *n, i64 k) { return size_scale(st, n, k); }

/* ---- operations ---- */

static Size *graph_flops(Store *st, Graph *g)
{
    NodeVec order = {0};
    Size *sum = size_const(st, 0);
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; sum && i < order.len; i++) {
        Size *k = node_flops(st, order.at[i]);
        sum = k ? size_add(st, sum, k) : NULL;
    }
    vec_free(&order);
    return sum;
}

/* Without symbols that only a run knows. */
static Size *known(Size *s) { return s && !size_is_opaque(s) ? s : NULL; }

static Size *control_flops(Store *st, Node *n)
{
    if (n->op == OP_CALL || n->op == OP_FUSED)
        return graph_flops(st, n->attrs[0].graph);
    if (n->op == OP_IFELSE) {
        IfShape f = if_shape(n);
        Size *a = graph_flops(st, f.then_graph), *b = graph_flops(st, f.else_graph);
        return a && b ? size_max(st, a, b) : NULL;
    }
    bool scan = n->op == OP_SCAN;
    Size *rows = size_of_node(st, scan ? n->ops[0] : loop_shape(n).rows);
    Size *step = graph_flops(st, scan ? scan_shape(n).body : loop_shape(n).body);
    if (!step || !rows || size_is(rows, SCAN_UNBOUNDED))
        return NULL;
    return size_mul(st, rows, step);
}

static Size *product_flops(Store *st, const Node *n)
{
    const Type *a = n->ops[0]->type;
    bool flipped = n->op == OP_GEMM && n->attrs[0].i;
    Size *inner = a->dims[flipped ? 0 : a->rank - 1];
    return times(st, size_mul(st, elements(st, n->type), inner), 2);
}

static Size *convolution_flops(Store *st, const Node *n)
{
    const Type *w = n->ops[1]->type;
    Size *depth = size_product(st, w->rank == 4 ? 3 : 2, w->dims + (w->rank == 4));
    return times(st, size_mul(st, elements(st, n->type), depth), 2);
}

/* Of the square matrices `a`, `per` thirds of n^3 each, and with `b` n^2 a column. */
static Size *factor_flops(Store *st, const Type *a, i64 thirds, Size *columns)
{
    Size *n = a->dims[a->rank - 1], *all = elements(st, a), *sum = size_const(st, 0);
    if (thirds)
        sum = size_floordiv(st, times(st, size_mul(st, all, n), thirds), size_const(st, 3));
    return columns ? size_add(st, sum, size_mul(st, all, columns)) : sum;
}

/* 5 n log2 n; of a length that is not known yet as if it were 1024. */
static Size *fourier_flops(Store *st, const Type *a)
{
    i64 n, halvings = 0;
    if (!size_is_const(a->dims[a->rank - 1], &n))
        n = 1024;
    for (; n > 1; n /= 2)
        halvings++;
    return times(st, elements(st, a), 5 * halvings);
}

static Size *columns_of(Store *st, const Node *n)
{
    const Type *b = n->ops[1]->type;
    return b->rank < n->ops[0]->type->rank ? size_const(st, 1) : b->dims[b->rank - 1];
}

static Size *linalg_flops(Store *st, const Node *n)
{
    const Type *a = n->ops[0]->type;
    switch (n->op) {
    case OP_GEMM:
    case OP_MATMUL: return product_flops(st, n);
    case OP_GEMV: return times(st, elements(st, a), 2);
    case OP_GER: return times(st, elements(st, n->type), 2);
    case OP_CHOLESKY: return factor_flops(st, a, 1, NULL);
    case OP_SOLVE: return factor_flops(st, a, 2, times(st, columns_of(st, n), 2));
    case OP_SOLVE_TRIANGULAR: return factor_flops(st, a, 0, columns_of(st, n));
    case OP_INV:
    case OP_QR: return factor_flops(st, a, 6, NULL);
    case OP_EIGH: return factor_flops(st, a, 27, NULL);
    case OP_DFT: return fourier_flops(st, a);
    case OP_SVD:
    case OP_PINV: return factor_flops(st, a, 60, NULL);
    default: return factor_flops(st, a, 2, NULL);
    }
}

static i64 composite_passes(OpId op)
{
    switch (op) {
    case OP_MEAN: return 1;
    case OP_NORM: return 2;
    case OP_LOGSUMEXP: return 3;
    default: return 4;
    }
}

Size *node_flops(Store *st, Node *n)
{
    switch (op_table[n->op].cls) {
    case CLASS_CONTROL: return known(control_flops(st, n));
    case CLASS_IMPLICIT: return NULL;
    case CLASS_ELEMENTWISE:
        return known(times(st, elements(st, n->type), n->nops > 2 ? (i64)n->nops - 1 : 1));
    case CLASS_COMPOSITE:
        if (n->op == OP_CONV2D)
            return known(convolution_flops(st, n));
        return known(times(st, elements(st, n->ops[0]->type), composite_passes(n->op)));
    case CLASS_REDUCE: return known(elements(st, n->ops[0]->type));
    case CLASS_LINALG: return known(linalg_flops(st, n));
    default: return size_const(st, 0);
    case CLASS_INDEX: /* comparisons, but for a logarithm, which sizes do not have */
        return n->op == OP_SORT || n->op == OP_ARGSORT ? known(elements(st, n->ops[0]->type))
                                                       : size_const(st, 0);
    }
}

/* ---- bytes ---- */

Size *type_bytes(Store *st, const Type *t)
{
    if (t->kind == TYPE_TENSOR)
        return times(st, elements(st, t), (i64)dtype_size(t->dtype));
    Size *sum = size_const(st, 0);
    for (int i = 0; i < t->nitems; i++)
        sum = size_add(st, sum, type_bytes(st, t->items[i]));
    return sum;
}

Size *node_bytes(Store *st, Node *n)
{
    Size *result = type_bytes(st, n->type), *sum = result;
    bool part = op_table[n->op].flags & READS; /* as much of it as they give */
    if (n->op == OP_PROJ || n->op == OP_TUPLE || !n->nops)
        return size_const(st, 0);
    for (u32 i = 0; i < n->nops; i++)
        sum = size_add(st, sum, i == 0 && part ? result : type_bytes(st, n->ops[i]->type));
    return known(sum);
}

/* ---- numbers ---- */

static double atom_estimate(const SizeAtom *a, AtomNumber number, void *ctx)
{
    bool pair = a->kind == ATOM_MAX || a->kind == ATOM_MIN || a->kind == ATOM_FLOORDIV;
    if (!pair)
        return number(ctx, a);
    double x = size_estimate(a->a, number, ctx), y = size_estimate(a->b, number, ctx);
    return a->kind == ATOM_MAX   ? fmax(x, y)
           : a->kind == ATOM_MIN ? fmin(x, y)
           : y != 0              ? floor(x / y)
                                 : 0;
}

double size_estimate(const Size *s, AtomNumber number, void *ctx)
{
    double sum = (double)s->constant;
    for (u32 i = 0; i < s->nterms; i++) {
        double product = (double)s->terms[i].coef;
        for (u32 k = 0; k < s->terms[i].nfactors; k++)
            product *= atom_estimate(s->terms[i].factors[k], number, ctx);
        sum += product;
    }
    return sum;
}

/* ---- time ---- */

const Machine machine = {.work = 0.16,
                         .pair = 0.024,
                         .factor = 0.05,
                         .near = 0.01,
                         .far = 0.055,
                         .cache = 8e6,
                         .start = 200,
                         .kernel = 50,
                         .library = 1000,
                         .group = 60,
                         .group_step = 12,
                         .call = 40,
                         .loop = 300,
                         .row = 25,
                         .instruction = 1.7,
                         .scalar_work = 1,
                         .compile = 1e8};

static bool is_product(OpId op) { return op == OP_MATMUL || op == OP_GEMM; }

static bool is_factorisation(OpId op)
{
    return op_table[op].cls == CLASS_LINALG && !is_product(op) && op != OP_GEMV && op != OP_GER;
}

double op_work(OpId op)
{
    if (op_is_elem_row(op))
        return elem_info(elem_of(op))->work;
    switch (op) {
    case OP_SORT:
    case OP_ARGSORT: return 20; /* a comparison, and what it moves */
    case OP_CUMSUM:
    case OP_CUMPROD:
    case OP_CUMMAX:
    case OP_RECURRENCE: return 5; /* each element waits for the one before */
    default:
        return is_product(op)         ? machine.pair / machine.work
               : is_factorisation(op) ? machine.factor / machine.work
                                      : 1;
    }
}

double scalar_nanoseconds(double work)
{
    return machine.instruction + (work - 1) * machine.scalar_work;
}

bool op_is_view(const Node *n)
{
    u32 flags = op_table[n->op].flags;
    return (flags & ALIASES) && (!(flags & READS) || n->attrs[0].i == 0);
}

double op_start_nanoseconds(OpId op)
{
    return is_factorisation(op) ? machine.library : machine.kernel;
}

double bytes_nanoseconds(double bytes)
{
    return bytes * machine.near + fmax(bytes - machine.cache, 0) * (machine.far - machine.near);
}

double op_nanoseconds(OpId op, double flops, double bytes)
{
    if (op == OP_TRANSPOSE) /* read in strides */
        bytes *= 3;
    if (op == OP_SORT || op == OP_ARGSORT) /* counted as elements: a size has no logarithm */
        flops *= log2(flops + 2);
    return fmax(flops * op_work(op) * machine.work, bytes_nanoseconds(bytes));
}
