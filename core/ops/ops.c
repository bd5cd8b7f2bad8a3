/* What all families use: checks of operands, memory for results, messages. */
#include "ops/family.h"
#include "base/threads.h"
#include "graph/name.h"
#include "ops/cost.h"

#include <stdatomic.h>

/* ---- types of operands ---- */

const char *shape_text(Store *st, const Type *t)
{
    Text text = {0};
    type_print(&text, t);
    char *s = arena_strndup(&st->scratch, text_str(&text), text.len);
    text_free(&text);
    return s;
}

static const char *size_text(Store *st, const Size *s)
{
    Text text = {0};
    size_print(&text, s);
    char *copy = arena_strndup(&st->scratch, text_str(&text), text.len);
    text_free(&text);
    return copy;
}

Type *wrong_type(Store *st, const Node *n, u32 operand, const char *needs)
{
    return store_error(st, "type-mismatch", NULL, "%s needs %s, not %s", node_info(n)->name, needs,
                       shape_text(st, n->ops[operand]->type));
}

bool tensors_only(Store *st, const Node *n)
{
    for (u32 i = 0; i < n->nops; i++)
        if (n->ops[i]->type->kind != TYPE_TENSOR)
            return wrong_type(st, n, i, "tensors") != NULL;
    return true;
}

bool axis_ok(Store *st, const Node *n, i64 axis, int rank)
{
    if (axis >= 0 && axis < rank)
        return true;
    store_error(st, "axis", NULL, "%s: there is no axis %lld, only %d ax%s", node_info(n)->name,
                (long long)axis, rank, rank == 1 ? "is" : "es");
    return false;
}

bool axes_ok(Store *st, const Node *n, const IntList *axes, int rank)
{
    for (u32 i = 0; i < axes->n; i++) {
        if (!axis_ok(st, n, axes->at[i], rank))
            return false;
        if (i && axes->at[i] <= axes->at[i - 1]) {
            store_error(st, "axis", NULL, "%s: axis %lld is given twice or out of order",
                        node_info(n)->name, (long long)axes->at[i]);
            return false;
        }
    }
    return true;
}

bool scalar_operand(Store *st, const Node *n, u32 k, DType d, const char *what)
{
    const Type *t = n->ops[k]->type;
    if (t->kind == TYPE_TENSOR && t->rank == 0 &&
        (d == DT_COUNT ? dtype_is_int(t->dtype) : t->dtype == d))
        return true;
    store_error(st, "type-mismatch", NULL, "%s: %s must be a scalar %s, not %s", node_info(n)->name,
                what, d == DT_COUNT ? "integer" : dtype_name(d), shape_text(st, t));
    return false;
}

/* "zeros(-1)" is a broadcast inside; who wrote it has not heard of that. */
static const char *public_name(const Node *n)
{
    return node_info(n)->flags & HIDDEN ? "" : node_info(n)->name;
}
#define SAID_BY(n) public_name(n), *public_name(n) ? ": " : ""

bool size_operands(Store *st, const Node *n, u32 first, Size **dims)
{
    if (n->nops - first > MAX_RANK) {
        store_error(st, "rank", "reshape so that fewer axes are needed",
                    "a tensor can have at most %d axes, this one would have %u", MAX_RANK,
                    n->nops - first);
        return false;
    }
    for (u32 i = first; i < n->nops; i++) {
        i64 k;
        if (!scalar_operand(st, n, i, DT_I64, "a size"))
            return false;
        dims[i - first] = size_of_node(st, n->ops[i]);
        if (size_is_const(dims[i - first], &k) && k < 0) {
            store_error(st, "negative-size", NULL,
                        "%s%sa size cannot be negative, but this is %lld", SAID_BY(n),
                        (long long)k);
            return false;
        }
    }
    return true;
}

/* Constants say most, then names and parameters, then values of nodes. */
static int size_knowledge(const Size *s)
{
    return size_is_const(s, NULL) ? 2 : size_has_kind(s, ATOM_NODE) ? 0 : 1;
}

Size *size_prefer(Size *a, Size *b) { return size_knowledge(a) > size_knowledge(b) ? a : b; }

bool sizes_agree(Store *st, const Node *n, Type *a, int axis_a, Type *b, int axis_b)
{
    Size *x = a->dims[axis_a], *y = b->dims[axis_b];
    if (!size_provably_different(st, x, y))
        return true;
    const char *other = "";
    if (axis_a != axis_b) {
        char text[48];
        snprintf(text, sizeof text, " (axis %d of the second)", axis_b);
        other = arena_strndup(&st->scratch, text, strlen(text));
    }
    store_error(st, "shape-mismatch", NULL,
                "%s: shapes %s and %s do not match: axis %d%s is %s and %s", node_info(n)->name,
                shape_text(st, a), shape_text(st, b), axis_a, other, size_text(st, x),
                size_text(st, y));
    return false;
}

bool same_dtypes(Store *st, const Node *n, u32 a, u32 b)
{
    DType x = node_dtype(n->ops[a]), y = node_dtype(n->ops[b]);
    if (x == y)
        return true;
    char hint[64];
    snprintf(hint, sizeof hint, "cast one of them, for instance with %s(...)", dtype_name(x));
    store_error(st, "type-mismatch", hint, "%s: operands have types %s and %s", node_info(n)->name,
                shape_text(st, n->ops[a]->type), shape_text(st, n->ops[b]->type));
    return false;
}

Type *type_without_axis(Store *st, const Type *t, int axis, DType d)
{
    Size *dims[MAX_RANK];
    int rank = 0;
    for (int i = 0; i < t->rank; i++)
        if (i != axis)
            dims[rank++] = t->dims[i];
    return type_tensor(st, d, rank, dims);
}

bool common_shape(Store *st, Node *n, u32 first, u32 count, int *rank, Size **dims)
{
    Type *like = NULL;
    for (u32 k = first; k < first + count; k++) {
        Type *t = n->ops[k]->type;
        if (!t->rank)
            continue;
        if (!like) {
            like = t;
            memcpy(dims, t->dims, (size_t)t->rank * sizeof *dims);
            continue;
        }
        if (t->rank != like->rank) {
            store_error(st, "shape-mismatch", NULL, "%s: shapes %s and %s have %d and %d axes",
                        node_info(n)->name, shape_text(st, like), shape_text(st, t), like->rank,
                        t->rank);
            return false;
        }
        for (int i = 0; i < t->rank; i++) {
            if (!sizes_agree(st, n, like, i, t, i))
                return false;
            dims[i] = size_prefer(t->dims[i], dims[i]);
        }
    }
    *rank = like ? like->rank : 0;
    return true;
}

/* ---- evaluation ---- */

int eval_fail(EvalArgs *e, const char *code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    e->code = code;
    if (e->error) {
        e->error->len = 0;
        text_vprintf(e->error, fmt, ap);
    }
    va_end(ap);
    return 1;
}

i64 eval_int(const EvalArgs *e, int k) { return tensor_i64_at(e->in[k], 0); }

/* The memory where the result belongs, once: there may be other arrays of that shape on the way. */
static Tensor *destination(EvalArgs *e, DType d, int rank, const i64 *shape)
{
    Tensor *t = tensor_at(&e->to, d, rank, shape);
    if (t)
        e->to.whole = NULL;
    return t;
}

Tensor *eval_fresh(EvalArgs *e, DType d, int rank, const i64 *shape)
{
    Tensor *t = destination(e, d, rank, shape);
    if (!t)
        t = tensor_new(e->heap, d, rank, shape);
    if (!t) {
        Text text = {0};
        text_shape(&text, rank, shape);
        eval_fail(e, "memory", "%s%sno memory for a result of shape %s", SAID_BY(e->node),
                  text_str(&text));
        text_free(&text);
    }
    return t;
}

Tensor *eval_reuse(EvalArgs *e, int first, int count, DType d, int rank, const i64 *shape)
{
    i64 elements = 1;
    for (int i = 0; i < rank; i++)
        elements *= shape[i];
    Tensor *there = destination(e, d, rank, shape);
    if (there)
        return there;
    for (int k = first; k < first + count && k < e->nin; k++) {
        Tensor *t = e->in[k];
        if (!e->moved[k] || t->count != elements || dtype_size(t->dtype) != dtype_size(d) ||
            !tensor_writable(t))
            continue;
        t->dtype = d;
        t->rank = rank;
        for (int i = 0; i < rank; i++)
            t->shape[i] = shape[i];
        return tensor_ref(t);
    }
    return eval_fresh(e, d, rank, shape);
}

Tensor *eval_new(EvalArgs *e, DType d, int rank, const i64 *shape)
{
    return eval_reuse(e, 0, e->nin, d, rank, shape);
}

Tensor *eval_take(EvalArgs *e, int k)
{
    Tensor *t = e->in[k];
    if (e->moved[k] && tensor_writable(t))
        return tensor_ref(t);
    Tensor *copy = tensor_copy(e->heap, t);
    if (!copy)
        eval_fail(e, "memory", "%s%sno memory for a copy of %lld elements", SAID_BY(e->node),
                  (long long)t->count);
    return copy;
}

/* The same wherever it happens, so that nobody sees which path ran: an operator that is written as
 * a sign needs no name. */
void status_error(Text *out, const Node *n, int status)
{
    if (!op_is_elementwise(n->op))
        text_printf(out, "%s: ", node_info(n)->name);
    text_put(out, kstatus_text(status));
}

bool eval_interrupted(EvalArgs *e)
{
    return interrupted(e->interrupt) && eval_fail(e, "interrupted", "interrupted");
}

int eval_status(EvalArgs *e, int status)
{
    Text text = {0};
    if (status == K_OK)
        return 0;
    status_error(&text, e->node, status);
    int r = eval_fail(e, kstatus_code(status), "%s", text_str(&text));
    text_free(&text);
    return r;
}

typedef struct {
    EvalArgs *e;
    EvalPiece *piece;
    void *ctx;
    atomic_int status;
} Pieces;

static bool run_piece(void *ctx, int thread, i64 from, i64 to)
{
    Pieces *p = ctx;
    int status = interrupted(p->e->interrupt) ? K_INTERRUPTED : p->piece(p->ctx, from, to);
    (void)thread;
    if (status != K_OK)
        atomic_store(&p->status, status);
    return status == K_OK;
}

int eval_spread(EvalArgs *e, i64 n, const EvalWork *work, EvalPiece *piece, void *ctx)
{
    enum { FEW = 4096, UNIT = 1024 };
    Pieces p = {.e = e, .piece = piece, .ctx = ctx};
    if (work->flops <= FEW)
        return eval_status(e, piece(ctx, 0, n));
    double all = op_nanoseconds(e->node->op, (double)work->flops, (double)work->bytes);
    int threads = threads_for(all);
    i64 size = threads_piece(threads, n, n < FEW ? 2 : UNIT, all / (double)n);
    if (threads_spread(threads, n, size, run_piece, &p))
        return 0;
    int status = atomic_load(&p.status);
    return status == K_INTERRUPTED ? eval_fail(e, "interrupted", "interrupted")
                                   : eval_status(e, status);
}

/* As the elaborator says it where it is certain. */
int eval_index_error(EvalArgs *e, i64 index, int axis)
{
    const Tensor *x = e->in[0];
    Text text = {0};
    for (int i = 0; i < x->rank; i++)
        text_printf(&text, "%s%lld", i ? ", " : "", (long long)x->shape[i]);
    int r = eval_fail(e, "index", "index %lld is out of range for axis %d of %s[%s]",
                      (long long)index, axis, dtype_name(x->dtype), text_str(&text));
    text_free(&text);
    return r;
}

int eval_dims(EvalArgs *e, int first, int rank, i64 *shape)
{
    i64 elements = 1;
    for (int i = 0; i < rank; i++) {
        shape[i] = eval_int(e, first + i);
        if (shape[i] < 0)
            return eval_fail(e, "negative-size",
                             "%s%sa size cannot be negative, but axis %d has %lld",
                             SAID_BY(e->node), i, (long long)shape[i]);
        if (__builtin_mul_overflow(elements, shape[i], &elements))
            return eval_fail(e, "memory",
                             "%s%sthe result would have more elements than can be counted",
                             SAID_BY(e->node));
    }
    return 0;
}

void text_shape(Text *out, int rank, const i64 *shape)
{
    text_putc(out, '(');
    for (int i = 0; i < rank; i++)
        text_printf(out, "%s%lld", i ? ", " : "", (long long)shape[i]);
    text_put(out, rank == 1 ? ",)" : ")");
}

int eval_shape_error(EvalArgs *e, const Tensor *a, const Tensor *b)
{
    Text x = {0}, y = {0};
    text_shape(&x, a->rank, a->shape);
    text_shape(&y, b->rank, b->shape);
    int r =
        eval_fail(e, "shape-mismatch", "shapes %s and %s do not match", text_str(&x), text_str(&y));
    text_free(&x);
    text_free(&y);
    return r;
}

Layout layout_of(const Tensor *t, int axis) { return layout_over(t, (AxisRun){axis, 1}); }

Layout layout_over(const Tensor *t, AxisRun over)
{
    Layout l = {1, 1, 1};
    for (int i = 0; i < t->rank; i++)
        *(i < over.first                ? &l.outer
          : i < over.first + over.count ? &l.axis
                                        : &l.inner) *= t->shape[i];
    return l;
}

/* ---- derivatives ---- */

Node *zero_of(Store *st, const Node *like) { return node_number(st, node_dtype(like), 0); }

bool derivative_missing(Store *st, const Node *n, const char *why)
{
    store_error(st, "no-derivative", why ? why : "stop_gradient(...) around it leaves it out",
                "%s has no derivative", node_info(n)->name);
    return false;
}

/* The first node with a name that n is, or that needs n. */
static Symbol name_around(Store *st, const NodeVec *order, const Node *n)
{
    NodeSet users = {0};
    Symbol name = NULL;
    for (size_t i = 0; i < order->len && !name; i++) {
        Node *user = order->at[i];
        bool found = user == n;
        for (u32 k = 0; k < user->nops && !found; k++)
            found = map_has(&users, user->ops[k]);
        if (!found)
            continue;
        set_add(&users, user);
        name = node_name(st, user);
    }
    map_free(&users);
    return name;
}

void derivative_missing_place(Store *st, const NodeVec *order, const Node *n)
{
    Symbol name = st->diags ? name_around(st, order, n) : NULL;
    if (name)
        diag_place(st->diags, "no-derivative", "; it is in the %s of %s",
                   name_data(st, name).indexed ? "equation" : "definition", name);
}
