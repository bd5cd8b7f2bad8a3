/* conv2d, max_pool and avg_pool: what may be written for their windows, as the operators have it.
 */
#include "lang/builtins.h"
#include "ops/definitions.h"

/* A number for both sides, or (rows, columns). Not given, or the usual number throughout: an empty
 * list. NULL after a diagnostic. */
static const IntList *sides(Elab *e, Args *a, int i, i64 least, i64 usual)
{
    char name[32];
    if (!a->at[i])
        return intlist(e->st, 0, NULL);
    Value *v = value_plain(e, a->at[i]);
    i64 at[2];
    bool pair = v && v->kind == V_TUPLE;
    arg_name(a, i, name);
    if (pair && v->nitems != 2)
        return elab_error(e, a->spans[i], "arity", NULL, "%s is a number, or (rows, columns)",
                          name);
    for (int side = 0; side < 2; side++) {
        if (!value_const_int(e, pair ? v->items[side] : v, &at[side], a->spans[i], name))
            return NULL;
        if (at[side] < least || at[side] > INT32_MAX)
            return elab_error(e, a->spans[i], "range", NULL, "%s cannot be %lld", name,
                              (long long)at[side]);
    }
    bool as_usual = at[0] == usual && at[1] == usual;
    return intlist(e->st, as_usual ? 0 : at[0] == at[1] ? 1 : 2, at);
}

/* Does a window fit between the borders, as far as that is known? */
static bool fits(Elab *e, Args *a, int at, const Size *side, i64 border, i64 width, bool row)
{
    i64 length;
    if (!size_is_const(side, &length) || length + 2 * border >= width)
        return true;
    return elab_error(e, a->spans[at], "shape-mismatch", "pad=K puts K zeros around x",
                      "a window of %lld %s does not fit into %lld", (long long)width,
                      row ? "rows" : "columns", (long long)(length + 2 * border)),
           false;
}

/* Operand i, an image or a batch of them: `least` axes or more. */
static Node *image(Elab *e, Args *a, int i, int least, const char *axes)
{
    Node *x = arg_tensor(e, a, i);
    if (x && (node_dtype(x) == DT_RNG || node_dtype(x) == DT_BOOL))
        return elab_error(e, a->spans[i], "type-mismatch", NULL, "%s takes numbers, but this is %s",
                          a->builtin->name, shape_text(e->st, x->type));
    if (x && (node_rank(x) < least || node_rank(x) + 2 > MAX_RANK))
        return elab_error(e, a->spans[i], "rank", NULL, "%s takes %s, but this is %s",
                          a->builtin->name, axes, shape_text(e->st, x->type));
    return x;
}

static bool channels_fit(Elab *e, Args *a, Node *x, Node *w, i64 groups)
{
    Store *st = e->st;
    Size *channels = x->type->dims[node_rank(x) - 3], *own = w->type->dims[1];
    i64 outputs;
    if (groups < 1 || (size_is_const(w->type->dims[0], &outputs) && outputs % groups))
        return elab_error(e, a->spans[4], "range", NULL,
                          "%lld outputs cannot be dealt to %lld groups",
                          groups < 1 ? 0LL : (long long)outputs, (long long)groups),
               false;
    if (!size_provably_different(st, size_scale(st, own, groups), channels))
        return true;
    return elab_error(e, a->spans[1], "shape-mismatch",
                      "kernels are [outputs, channels / groups, rows, columns]",
                      "the kernels %s do not fit the channels of %s", shape_text(st, w->type),
                      shape_text(st, x->type)),
           false;
}

BUILTIN(conv2d)
{
    Store *st = e->st;
    Node *both[2];
    i64 groups, width;
    DType d = args_meet(e, a, 0, 2, both);
    if (!both[0] || !both[1])
        return NULL;
    Node *x = image(e, a, 0, 2, "images [.., channels, rows, columns]"),
         *w = x ? image(e, a, 1, 2, "kernels [outputs, channels, rows, columns]") : NULL;
    const IntList *stride = w ? sides(e, a, 2, 1, 1) : NULL,
                  *pad = stride ? sides(e, a, 3, 0, 0) : NULL;
    if (!pad || !arg_int(e, a, 4, 1, &groups))
        return NULL;
    x = node_cast(st, both[0], d), w = node_cast(st, both[1], d);
    if (!x || !w)
        return NULL;
    bool plain = node_rank(w) == 2; /* one kernel for images without channels */
    if (!plain && (node_rank(w) != 4 || node_rank(x) < 3))
        return elab_error(e, a->spans[1], "rank", "kernels are [outputs, channels, rows, columns]",
                          "kernels %s do not fit images %s", shape_text(st, both[1]->type),
                          shape_text(st, both[0]->type));
    if (plain ? groups != 1 : !channels_fit(e, a, x, w, groups))
        return plain ? elab_error(e, a->spans[4], "range", NULL,
                                  "images without channels have no groups")
                     : NULL;
    for (int side = 0; side < 2; side++)
        if (size_is_const(w->type->dims[node_rank(w) - 2 + side], &width) &&
            !fits(e, a, 1, x->type->dims[node_rank(x) - 2 + side], window_number(pad, side, 0),
                  width, side == 0))
            return NULL;
    Attr attrs[] = {{.ints = stride}, {.ints = pad}, {.i = groups}};
    e->st->span = a->span;
    return value_node(e, node2(st, OP_CONV2D, attrs, x, w));
}

typedef struct {
    Node *x;
    const IntList *size, *stride, *pad;
} Pool;

/* The arguments x, size, stride=None, pad=0. */
static bool pool_of(Elab *e, Args *a, Pool *p)
{
    p->x = image(e, a, 0, 2, "images [.., rows, columns]");
    p->size = p->x ? sides(e, a, 1, 1, 0) : NULL;
    p->pad = p->size ? sides(e, a, 3, 0, 0) : NULL;
    if (!p->pad)
        return false;
    if (a->at[2] && a->at[2]->kind == V_NONE)
        a->at[2] = NULL;
    bool square = p->size->n == 1; /* the usual stride is the window's size */
    p->stride = sides(e, a, 2, 1, square ? p->size->at[0] : 0);
    if (!p->stride)
        return false;
    if (p->stride == p->size)
        p->stride = intlist(e->st, 0, NULL);
    for (int side = 0; side < 2; side++) {
        i64 width = window_number(p->size, side, 1), border = window_number(p->pad, side, 0);
        if (border > width / 2)
            return elab_error(e, a->spans[3], "range", NULL,
                              "a border of %lld is more than half a window of %lld",
                              (long long)border, (long long)width),
                   false;
        if (!fits(e, a, 1, p->x->type->dims[node_rank(p->x) - 2 + side], border, width, side == 0))
            return false;
    }
    return true;
}

BUILTIN(max_pool)
{
    Pool p;
    if (!pool_of(e, a, &p))
        return NULL;
    Attr attrs[] = {{.ints = p.size}, {.ints = p.stride}, {.ints = p.pad}};
    e->st->span = a->span;
    return value_node(e, node1(e->st, OP_MAX_POOL, attrs, p.x));
}

/* By a kernel of ones. */
BUILTIN(avg_pool)
{
    Pool p;
    Store *st = e->st;
    if (!pool_of(e, a, &p))
        return NULL;
    e->st->span = a->span;
    DType d = dtype_is_float(node_dtype(p.x)) ? node_dtype(p.x) : DT_F64;
    i64 rows = window_number(p.size, 0, 1), columns = window_number(p.size, 1, 1);
    Node *dims[] = {node_i64(st, rows), node_i64(st, columns)};
    Node *w = build_full(st, node_number(st, d, 1), 2, dims), *x = node_cast(st, p.x, d);
    Attr attrs[] = {{.ints = p.stride->n ? p.stride : p.size}, {.ints = p.pad}, {.i = 1}};
    Node *sums = w && x ? node2(st, OP_CONV2D, attrs, x, w) : NULL;
    Node *ops[] = {sums, node_number(st, d, (double)rows * (double)columns)};
    return sums ? value_node(e, build_elementwise(st, OP_DIV, 2, ops)) : NULL;
}
