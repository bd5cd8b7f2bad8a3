/* Elementwise operators: the rows of elem.def, `where` and casts.
 *
 * Invariant: operands are scalars or have one shape, and one dtype, the one the kernel
 * works on; build_elementwise broadcasts and casts, these rules only check. A
 * derivative is a text of elem.def, read once per store and built anew for each use. */
#include "graph/op.h"
#include "syntax/parse.h"
#include "ops/elem.h"
#include "ops/family.h"
#include "ops/mask.h"

/* ---- types ---- */

Type *infer_elem(Store *st, Node *n)
{
    if (!tensors_only(st, n))
        return NULL;
    ElemId id = elem_of(n->op);
    DType d = node_dtype(n->ops[0]), wanted = elem_operand_dtype(id, d);
    for (u32 i = 1; i < n->nops; i++)
        if (!same_dtypes(st, n, 0, i))
            return NULL;
    if (d == DT_RNG || wanted == DT_COUNT)
        return store_error(st, "type-mismatch", NULL, "%s is not defined for %s",
                           node_info(n)->name, dtype_name(d));
    if (wanted != d)
        return store_error(st, "type-mismatch", NULL, "%s works on %s: cast the %s operand first",
                           node_info(n)->name, dtype_name(wanted), dtype_name(d));
    int rank;
    Size *dims[MAX_RANK];
    if (!common_shape(st, n, 0, n->nops, &rank, dims))
        return NULL;
    return type_tensor(st, elem_result_dtype(id, d), rank, dims);
}

Type *infer_where(Store *st, Node *n)
{
    int rank;
    Size *dims[MAX_RANK];
    if (!tensors_only(st, n))
        return NULL;
    if (node_dtype(n->ops[0]) != DT_BOOL)
        return store_error(st, "type-mismatch", "compare it with something, for instance with 0",
                           "the condition of where must be bool, not %s",
                           shape_text(st, n->ops[0]->type));
    if (node_dtype(n->ops[1]) == DT_RNG)
        return wrong_type(st, n, 1, "numbers or bools");
    if (!same_dtypes(st, n, 1, 2) || !common_shape(st, n, 0, 3, &rank, dims))
        return NULL;
    return type_tensor(st, node_dtype(n->ops[1]), rank, dims);
}

Type *infer_cast(Store *st, Node *n)
{
    DType to = (DType)n->attrs[0].i;
    if (!tensors_only(st, n))
        return NULL;
    if ((node_dtype(n->ops[0]) == DT_RNG) != (to == DT_RNG))
        return store_error(st, "type-mismatch", NULL, "%s cannot be cast to %s",
                           shape_text(st, n->ops[0]->type), dtype_name(to));
    return type_with_dtype(st, n->ops[0]->type, to);
}

/* ---- derivative texts ---- */

typedef struct {
    Store *st;
    Node *x, *z, *y, *dy;
} Bound;

static Node *bound_node(const Bound *b, const Expr *e);

static Node *bound_name(const Bound *b, const char *name)
{
    return !strcmp(name, "x")    ? b->x
           : !strcmp(name, "z")  ? b->z
           : !strcmp(name, "y")  ? b->y
           : !strcmp(name, "dy") ? b->dy
                                 : NULL;
}

static bool is_number(const Node *n) { return n->op == OP_CONST && !node_rank(n); }

/* Is n a number, repeated or not? The number then, else NULL. */
static Node *number_in(Node *n)
{
    Node *x = n->op == OP_BROADCAST ? n->ops[0] : n;
    return is_number(x) ? x : NULL;
}

/* The number x in place of that in n. */
static Node *with_number(Store *st, Node *n, Node *x)
{
    Node *ops[MAX_RANK + 1];
    if (!x || n->op != OP_BROADCAST)
        return x;
    memcpy(ops, n->ops, n->nops * sizeof *ops);
    ops[0] = x;
    return node_with_operands(st, n, ops);
}

/* A number times g, which has the shape of both. */
static Node *number_times(Store *st, Node *number, Node *g)
{
    double x;
    if (node_const_f64(number, &x) && x == 1 && node_dtype(number) == node_dtype(g))
        return g;
    return build_mul(st, number, g);
}

/* The cotangent of a sum is a number for every element: its product with g is computed from the
 * number. NULL: neither is such a number. */
static Node *decided_product(Store *st, Node *const *ops)
{
    Node *a = number_in(ops[0]), *b = number_in(ops[1]);
    if (a && b && (is_number(ops[0]) || is_number(ops[1]))) {
        Node *product = build_mul(st, a, b);
        return with_number(st, is_number(ops[0]) ? ops[1] : ops[0],
                           product ? fold_node(st, product) : NULL);
    }
    if (a && (ops[0]->type == ops[1]->type || is_number(ops[0])))
        return number_times(st, a, ops[1]);
    if (b && (ops[0]->type == ops[1]->type || is_number(ops[1])))
        return number_times(st, b, ops[0]);
    return NULL;
}

/* What constants decide is decided: of x^3 the exponent is not 0. NULL: they do not. */
static Node *decided(Store *st, OpId op, u32 n, Node *const *ops)
{
    i64 truth;
    double power;
    if (op == OP_STOP_GRADIENT)
        return is_number(ops[0]) ? ops[0] : node1(st, op, NULL, ops[0]);
    if (op == OP_WHERE && ops[1] == ops[2])
        return ops[1];
    if (op == OP_WHERE && node_const_i64(ops[0], &truth))
        return truth ? ops[1] : ops[2];
    if (op == OP_LOGICAL_AND && node_const_i64(ops[0], &truth))
        return truth ? ops[1] : ops[0];
    if (op == OP_POW && node_const_f64(ops[1], &power) && power == 1)
        return ops[0];
    if (op == OP_MUL && n == 2)
        return decided_product(st, ops);
    for (u32 i = 0; i < n; i++)
        if (!is_number(ops[i]))
            return NULL;
    Node *known = build_elementwise(st, op, n, ops);
    return known ? fold_node(st, known) : NULL;
}

static Node *bound_apply(const Bound *b, OpId op, int n, Expr *const *items)
{
    Node *ops[3], *known;
    if (op == OP_COUNT || n > 3)
        die("a derivative uses an operator that is not elementwise");
    for (int i = 0; i < n; i++)
        ops[i] = bound_node(b, items[i]);
    known = decided(b->st, op, (u32)n, ops);
    return known ? known : build_elementwise(b->st, op, (u32)n, ops);
}

static Node *bound_call(const Bound *b, const Expr *e)
{
    Expr *items[3];
    if (e->nargs > 3)
        die("a derivative calls something with %d arguments", e->nargs);
    for (int i = 0; i < e->nargs; i++)
        items[i] = e->args[i].value;
    return bound_apply(b, op_by_name(e->items[0]->text), e->nargs, items);
}

/* Numbers take dy's dtype. */
static Node *bound_node(const Bound *b, const Expr *e)
{
    Node *n = NULL;
    switch (e->kind) {
    case E_INT:
    case E_FLOAT: return node_number(b->st, node_dtype(b->dy), strtod(e->text, NULL));
    case E_NAME: n = bound_name(b, e->text); break;
    case E_UNARY:
        if (e->op == AST_NEG && e->items[0]->kind == E_FLOAT)
            return node_number(b->st, node_dtype(b->dy), -strtod(e->items[0]->text, NULL));
        return bound_apply(b, op_of_sign(e->op), 1, e->items);
    case E_BINARY: return bound_apply(b, op_of_sign(e->op), 2, e->items);
    case E_CALL: return bound_call(b, e);
    default: break;
    }
    if (!n)
        die("a derivative has something unexpected in it");
    return n;
}

const Expr *elem_derivative_tree(Store *st, const char *text)
{
    const Expr *tree = map_get(&st->derivatives, text);
    if (tree)
        return tree;
    Source *src = arena_alloc(&st->arena, sizeof *src);
    src->name = arena_strndup(&st->arena, "elem.def", 8);
    src->text = arena_strndup(&st->arena, text, strlen(text));
    src->len = strlen(text);
    Diags diags = {0};
    Expr *parsed = parse_expression(source_whole(src), &st->arena, &diags);
    if (!parsed)
        die("derivative \"%s\": %s", text, diags.list.len ? diags.list.at[0].message : "?");
    diags_free(&diags);
    map_put(&st->derivatives, text, parsed);
    return parsed;
}

static Node *elem_derivative(Store *st, const char *text, Node *x, Node *z, Node *y, Node *dy)
{
    Bound b = {st, x, z, y, dy};
    return bound_node(&b, elem_derivative_tree(st, text));
}

/* ---- derivatives ---- */

/* A scalar that stood for every element gets the sum; a scalar mask stays outside it. */
static bool give_elementwise(Vjp *v, Node *operand, Node *g, const Mask *mask)
{
    bool sum = node_rank(operand) == 0;
    if (g && sum && mask->condition && node_rank(mask->condition) == 0)
        g = build_sum_all(v->st, g);
    g = mask_apply(v->st, mask, g);
    if (g && sum)
        g = build_sum_all(v->st, g);
    return vjp_give(v, operand, g);
}

/* How often is operand k one of the factors? 0 if it has been before. */
static u32 times_factor(const Node *n, u32 k)
{
    u32 times = 0;
    for (u32 i = 0; i < n->nops; i++) {
        if (i < k && n->ops[i] == n->ops[k])
            return 0;
        times += n->ops[i] == n->ops[k];
    }
    return times;
}

/* `times` * dy, if dy is one number in every place; NULL if it is not. */
static Node *times_number(Store *st, Node *dy, u32 times)
{
    double x;
    bool filled = dy->op == OP_BROADCAST;
    if (!node_const_f64(filled ? dy->ops[0] : dy, &x))
        return NULL;
    Node *number = node_number(st, node_dtype(dy), times * x);
    return filled ? build_like(st, number, dy) : number;
}

/* d(x * z * w) = dy * z * w for x, and 3 * dy * x * x for x * x * x: the factor comes `times`. */
static Node *others_product(Store *st, Node *n, u32 except, u32 times, Node *dy)
{
    Node *small[8],
        **ops = n->nops + 1 <= COUNT_OF(small) ? small : xmalloc((n->nops + 1) * sizeof *ops);
    Node *seed = times > 1 ? times_number(st, dy, times) : dy;
    u32 count = 0;
    if (!seed)
        ops[count++] = node_number(st, node_dtype(n), times);
    ops[count++] = seed ? seed : dy;
    for (u32 i = 0; i < n->nops; i++)
        if (i != except)
            ops[count++] = n->ops[i];
    Node *r = build_elementwise(st, OP_MUL, count, ops);
    if (ops != small)
        free(ops);
    return r;
}

/* No derivative with respect to an operand, perhaps one to the other. */
static bool operand_missing(Store *st, const Node *n)
{
    const ElemInfo *info = elem_info(elem_of(n->op));
    return derivative_missing(st, n,
                              *info->dx || (info->arity == 2 && *info->dz)
                                  ? "it has one with respect to its other argument only; "
                                    "stop_gradient(...) leaves this one out"
                                  : NULL);
}

/* dy / x, where x may be a factor of dy. */
static Node *over(Store *st, Node *dy, Node *x)
{
    Node *rest = dy == x ? node_number(st, node_dtype(x), 1) : NULL, *pair[] = {dy, x};
    if (dy->op == OP_MUL && dy->nops == 2 && (dy->ops[0] == x || dy->ops[1] == x))
        rest = dy->ops[dy->ops[0] == x];
    return rest ? build_like(st, rest, dy) : build_elementwise(st, OP_DIV, 2, pair);
}

/* dy * y' / y, where log hands on dy / y: y cancels, so that of log(x * z) it is dy / x. NULL: n is
 * none of the operators of which that is shorter. */
static Node *over_itself(Store *st, Node *n, u32 k, Node *dy)
{
    Node *x = n->ops[k];
    double times = 1;
    switch (n->op) {
    case OP_MUL: times = times_factor(n, k); break;
    case OP_DIV: times = k == 0 ? 1 : -1; break;
    case OP_NEG:
    case OP_ABS: break;
    case OP_EXP: return build_like(st, dy, n);
    case OP_SQR: times = 2; break;
    case OP_SQRT: times = 0.5; break;
    case OP_RECIPROCAL: times = -1; break;
    case OP_POW:
        if (k || !node_const_f64(n->ops[1], &times) || times == 0)
            return NULL;
        break;
    default: return NULL;
    }
    dy = build_like(st, dy, n);
    Node *r = dy ? over(st, dy, x) : NULL;
    if (!r || times == 1)
        return r;
    return times == -1 ? node1(st, OP_NEG, NULL, r)
                       : build_mul(st, node_number(st, node_dtype(n), times), r);
}

static bool vjp_operand(Vjp *v, Node *n, u32 k, Node *dy, const Mask *mask)
{
    const ElemInfo *info = elem_info(elem_of(n->op));
    const char *text = k == 0 ? info->dx : info->dz;
    Node *z = n->nops > 1 ? n->ops[1] : NULL;
    if (n->op == OP_ADD)
        return give_elementwise(v, n->ops[k], dy, mask);
    u32 times = n->op == OP_MUL ? times_factor(n, k) : 1;
    if (!times)
        return true; /* an operand before it is the same factor */
    Node *short_one = divided_by(dy, n) ? over_itself(v->st, n, k, dy->ops[0]) : NULL;
    if (short_one)
        return give_elementwise(v, n->ops[k], short_one, mask);
    if (n->op == OP_MUL)
        return give_elementwise(v, n->ops[k], others_product(v->st, n, k, times, dy), mask);
    if (!strcmp(text, "zero"))
        return true;
    if (!*text)
        return dtype_is_float(node_dtype(n)) ? operand_missing(v->st, n) : true;
    return give_elementwise(v, n->ops[k], elem_derivative(v->st, text, n->ops[0], z, n, dy), mask);
}

bool vjp_elem(Vjp *v, Node *n, Node *dy)
{
    Mask mask;
    dy = mask_peel(v->st, dy, &mask); /* NULL only after a diagnostic */
    if (!dy)
        return false;
    for (u32 k = 0; k < n->nops; k++)
        if (dtype_is_float(node_dtype(n->ops[k])) && vjp_active(v, n->ops[k]) &&
            !vjp_operand(v, n, k, dy, &mask))
            return false;
    return true;
}

/* The texts are linear in dy: with the operand's tangent for it they push forward. */
static Node *push_operand(Jvp *j, Node *n, u32 k, u32 times, Node *dx)
{
    const ElemInfo *info = elem_info(elem_of(n->op));
    const char *text = k == 0 ? info->dx : info->dz;
    Node *z = n->nops > 1 ? n->ops[1] : NULL;
    if (n->op == OP_ADD)
        return dx;
    Mask mask;
    dx = mask_peel(j->st, dx, &mask);
    Node *g = !dx               ? NULL
              : n->op == OP_MUL ? others_product(j->st, n, k, times, dx)
                                : elem_derivative(j->st, text, n->ops[0], z, n, dx);
    return mask_apply(j->st, &mask, g);
}

bool jvp_elem(Jvp *j, Node *n)
{
    const ElemInfo *info = elem_info(elem_of(n->op));
    Node *sum = NULL;
    if (!dtype_is_float(node_dtype(n)))
        return true;
    for (u32 k = 0; k < n->nops; k++) {
        const char *text = k == 0 ? info->dx : info->dz;
        Node *dx = jvp_tangent(j, n->ops[k]);
        u32 times = n->op == OP_MUL ? times_factor(n, k) : 1;
        if (!dx || !times || !strcmp(text, "zero"))
            continue;
        if (!*text)
            return operand_missing(j->st, n);
        Node *part = push_operand(j, n, k, times, dx);
        if (part && part->type != n->type) /* a scalar may stand for every element */
            part = build_like(j->st, part, n);
        sum = sum ? build_add(j->st, sum, part) : part;
        if (!sum)
            return false;
    }
    return !sum || jvp_give(j, n, sum);
}

/* da = where(c, dy, 0), db = where(c, 0, dy) */
bool vjp_where(Vjp *v, Node *n, Node *dy)
{
    for (u32 k = 1; k <= 2; k++) {
        Mask mask = {n->ops[0], k == 2};
        if (vjp_active(v, n->ops[k]) && !give_elementwise(v, n->ops[k], dy, &mask))
            return false;
    }
    return true;
}

bool jvp_where(Jvp *j, Node *n)
{
    Node *ops[] = {n->ops[0], jvp_tangent(j, n->ops[1]), jvp_tangent(j, n->ops[2])};
    for (int k = 1; k <= 2; k++)
        if (!ops[k])
            ops[k] = zero_of(j->st, n);
    return jvp_give(j, n, build_elementwise(j->st, OP_WHERE, 3, ops));
}

bool vjp_cast(Vjp *v, Node *n, Node *dy)
{
    Node *x = n->ops[0];
    if (!dtype_is_float(node_dtype(x)) || !dtype_is_float(node_dtype(n)) || !vjp_active(v, x))
        return true;
    return vjp_give(v, x, node_cast(v->st, dy, node_dtype(x)));
}

/* ---- values ---- */

/* The shape of the result: that of the operands that are no scalars. */
static const Tensor *result_shape(EvalArgs *e)
{
    const Tensor *like = e->in[0];
    for (int k = 1; k < e->nin; k++) {
        const Tensor *t = e->in[k];
        if (!like->rank)
            like = t;
        if (!t->rank || t == like)
            continue;
        if (t->rank != like->rank || memcmp(t->shape, like->shape, (size_t)t->rank * sizeof(i64))) {
            eval_shape_error(e, like, t);
            return NULL;
        }
    }
    return like;
}

static i64 step_of(const Tensor *t, const Tensor *out) { return t->rank || !out->rank; }

/* Elements of an operator, its operands and its result. */
typedef struct {
    EvalArgs *e;
    Tensor *out;
    ElemId id;
    DType from;
    i64 step[3];
} ElemWork;

static void *element(const Tensor *t, i64 i)
{
    return (char *)t->data + (size_t)i * dtype_size(t->dtype);
}

static const void *operand_at(const ElemWork *w, int k, i64 i)
{
    return element(w->e->in[k], step_of(w->e->in[k], w->out) * i);
}

static int elem_piece(void *ctx, i64 from, i64 to)
{
    const ElemWork *w = ctx;
    i64 n = to - from;
    void *out = element(w->out, from);
    if (w->e->nin == 1)
        return elem_fn1(w->id, w->from)(n, operand_at(w, 0, from), out);
    ElemFn2 f = elem_fn2(w->id, w->from);
    int status = f(n, operand_at(w, 0, from), w->step[0], operand_at(w, 1, from), w->step[1], out);
    for (int k = 2; k < w->e->nin && status == K_OK; k++) /* left to right */
        status = f(n, out, 1, operand_at(w, k, from), step_of(w->e->in[k], w->out), out);
    return status;
}

/* The result if all pieces of it could be made. */
static int elem_spread(ElemWork *w, EvalPiece *piece)
{
    EvalArgs *e = w->e;
    i64 n = w->out->count, each = 8 * (e->nin + 1);
    int failed = eval_spread(e, n, &(EvalWork){n, n * each}, piece, w);
    if (failed)
        tensor_unref(w->out);
    else
        e->out[0] = w->out;
    return failed;
}

int eval_elem(EvalArgs *e)
{
    ElemWork w = {.e = e, .id = elem_of(e->node->op), .from = e->in[0]->dtype};
    const Tensor *like = result_shape(e);
    if (!like)
        return 1;
    Tensor shape = *like;
    w.step[0] = step_of(e->in[0], &shape);
    w.step[1] = e->nin > 1 ? step_of(e->in[1], &shape) : 0;
    w.out = eval_reuse(e, 0, 2, elem_result_dtype(w.id, w.from), shape.rank, shape.shape);
    return w.out ? elem_spread(&w, elem_piece) : 1;
}

static int where_piece(void *ctx, i64 from, i64 to)
{
    const ElemWork *w = ctx;
    kernel_where(dtype_size(w->out->dtype), to - from, operand_at(w, 0, from), w->step[0],
                 operand_at(w, 1, from), w->step[1], operand_at(w, 2, from), w->step[2],
                 element(w->out, from));
    return K_OK;
}

int eval_where(EvalArgs *e)
{
    ElemWork w = {.e = e};
    const Tensor *like = result_shape(e);
    if (!like)
        return 1;
    Tensor shape = *like;
    for (int k = 0; k < 3; k++)
        w.step[k] = step_of(e->in[k], &shape);
    w.out = eval_reuse(e, 1, 2, e->in[1]->dtype, shape.rank, shape.shape);
    return w.out ? elem_spread(&w, where_piece) : 1;
}

static int cast_piece(void *ctx, i64 from, i64 to)
{
    const ElemWork *w = ctx;
    const char *x = w->e->in[0]->data;
    kernel_cast(w->from, w->out->dtype, to - from, x + (size_t)from * dtype_size(w->from),
                element(w->out, from));
    return K_OK;
}

int eval_cast(EvalArgs *e)
{
    const Tensor x = *e->in[0];
    DType to = (DType)e->node->attrs[0].i;
    ElemWork w = {.e = e, .from = x.dtype};
    if (x.dtype == to) {
        e->out[0] = tensor_ref(e->in[0]);
        return 0;
    }
    w.out = eval_new(e, to, x.rank, x.shape);
    return w.out ? elem_spread(&w, cast_piece) : 1;
}
