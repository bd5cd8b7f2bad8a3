/* Random instances of patterns. Types are chosen from the top down where an operator says something
 * about its operands, at random elsewhere; a choice that does not fit fails when the node is built,
 * and another seed is tried. Values with facts come by construction: squares are not negative. */
#include "rewrite/instance.h"

enum { DIMS = 4 };

typedef struct {
    Store *st;
    const Rule *rule;
    u64 state;
    Bindings *b;
    DType real, whole, any;
    Size *dims[DIMS];
    int inputs;
} Maker;

/* What an operand should be; no shape: any. */
typedef struct {
    DType dtype; /* DT_COUNT: any */
    const Type *shape;
    bool exact; /* no scalar in its place */
    i64 limit;  /* of a position: below this, if it is not 0 */
} Want;

static Node *make(Maker *m, const Pattern *p, Want w);

static u32 roll(Maker *m, u32 n)
{
    m->state = m->state * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(hash_mix(m->state, 11) >> 33) % n;
}

static Size *pick_dim(Maker *m) { return m->dims[roll(m, DIMS)]; }

static void choose_theme(Maker *m)
{
    static const DType any[] = {DT_F64, DT_F64, DT_F32, DT_I64, DT_I32, DT_BOOL};
    Store *st = m->st;
    m->real = roll(m, 4) ? DT_F64 : DT_F32;
    m->whole = roll(m, 3) ? DT_I64 : DT_I32;
    m->any = any[roll(m, COUNT_OF(any))];
    bool square = roll(m, 2);
    for (int i = 0; i < DIMS; i++) {
        u32 k = roll(m, 16);
        m->dims[i] = square && i ? m->dims[0]
                     : k < 7     ? size_const(st, 3)
                     : k < 10    ? size_name(st, symbol(st, "n"))
                     : k < 12    ? size_const(st, 2)
                     : k < 13    ? size_name(st, symbol(st, "m"))
                     : k < 15    ? size_const(st, 1)
                                 : size_const(st, 0);
    }
}

i64 instance_length(const Size *s)
{
    i64 k;
    if (size_is_const(s, &k))
        return k;
    SizeAtom *a = size_as_atom(s);
    return a && a->kind == ATOM_NAME && !strcmp(a->name, "n") ? INSTANCE_N : INSTANCE_M;
}

static Type *random_shape(Maker *m, int least)
{
    static const int ranks[] = {0, 1, 1, 1, 2, 2, 2, 3};
    Size *dims[MAX_RANK];
    int rank = ranks[roll(m, COUNT_OF(ranks))];
    rank = rank < least ? least : rank;
    for (int i = 0; i < rank; i++)
        dims[i] = pick_dim(m);
    return type_tensor(m->st, DT_F64, rank, dims);
}

/* ---- variables ---- */

static Node *input(Maker *m, DType d, const Type *shape)
{
    char name[16];
    snprintf(name, sizeof name, "v%d", m->inputs++);
    return node_input(m->st, OP_INPUT, symbol(m->st, name),
                      type_tensor(m->st, d, shape->rank, shape->dims));
}

static Node *constant(Maker *m, DType d)
{
    static const double reals[] = {2.5, 0.5, -1.5, 2, 3, -1, 0, 1};
    return node_number(m->st, d,
                       d == DT_BOOL        ? roll(m, 2)
                       : dtype_is_float(d) ? reals[roll(m, COUNT_OF(reals))]
                                           : (double)roll(m, 7) - 2);
}

/* Fewer axes, repeated to the shape. */
static Node *repeated(Maker *m, DType d, const Type *shape)
{
    Size *dims[MAX_RANK];
    i64 kept[MAX_RANK];
    Node *ops[MAX_RANK + 1];
    u32 n = 0;
    for (int i = 0; i < shape->rank; i++) {
        ops[i + 1] = size_to_node(m->st, shape->dims[i]);
        if (roll(m, 2) && (int)n + 1 < shape->rank)
            kept[n] = i, dims[n++] = shape->dims[i];
    }
    Type *from = type_tensor(m->st, DT_F64, (int)n, dims);
    ops[0] = input(m, d, from);
    return node_make(m->st, OP_BROADCAST, &(Attr){.ints = intlist(m->st, n, kept)},
                     (u32)shape->rank + 1, ops);
}

/* x x' + 9 I: symmetric, positive definite. */
static Node *positive_definite(Maker *m, DType d, const Type *shape)
{
    Node *x = input(m, d, shape), *ops[3];
    i64 n = instance_length(shape->dims[0]), at[] = {n, n};
    Tensor *eye = tensor_new(&m->st->heap, DT_F64, 2, at);
    for (i64 i = 0; i < n * n; i++)
        ((double *)eye->data)[i] = i % (n + 1) ? 0 : 9;
    ops[0] = node_cast(m->st, node_const(m->st, eye), d);
    if (ops[0]->op == OP_CAST)
        ops[0] = fold_node(m->st, ops[0]);
    tensor_unref(eye);
    ops[1] = node2(m->st, OP_MATMUL, NULL, x, build_swap_last(m->st, x));
    return ops[1] ? node_make(m->st, OP_ADD, NULL, 2, ops) : NULL;
}

static Node *float_value(Maker *m, DType d, const Type *shape)
{
    static const OpId made[] = {OP_TANH, OP_SIGMOID, OP_ABS, OP_SQR, OP_COSH};
    u32 k = roll(m, m->rule->guard ? 16 : 32);
    if (!m->rule->guard && (k == 3 || k == 4)) /* large values are for those who ask */
        k = 31;
    bool square = shape->rank == 2 && shape->dims[0] == shape->dims[1];
    if (k < COUNT_OF(made))
        return node1(m->st, made[k], NULL, input(m, d, shape));
    if (k < 7)
        return node_cast(m->st, input(m, DT_I32, shape), d);
    if (k < 10 && shape->rank)
        return repeated(m, d, shape);
    if (k < 11 && square && size_is_const(shape->dims[0], NULL))
        return positive_definite(m, d, shape);
    if (k < 11 && !shape->rank)
        return constant(m, d);
    return input(m, d, shape);
}

static Node *int_value(Maker *m, DType d, const Type *shape)
{
    bool asked = m->rule->guard; /* about its range, perhaps */
    u32 k = roll(m, asked ? 8 : 16);
    if (k == 0 && shape->rank == 1)
        return node_cast(m->st, node1(m->st, OP_IOTA, NULL, size_to_node(m->st, shape->dims[0])),
                         d);
    if (k == 1 && shape->rank)
        return repeated(m, d, shape);
    if (k == 2 && asked)
        return constant(m, d);
    if (k < 6 && asked)
        return node2(m->st, OP_MOD, NULL, input(m, d, shape), node_number(m->st, d, 3));
    return input(m, d, shape);
}

static Node *position(Maker *m, DType d, i64 limit)
{
    if (roll(m, 4) == 0)
        return input(m, d, type_scalar(m->st, d));
    i64 k = (i64)roll(m, (u32)limit + 1);
    return node_number(m->st, d, (double)(roll(m, 5) ? k : -k));
}

static Node *variable(Maker *m, const Pattern *p, Want w)
{
    if (m->b->bound >> p->slot & 1)
        return m->b->at[p->slot].node;
    DType d = w.dtype;
    switch (p->var) {
    case KIND_FLOAT: d = d < DT_RNG && dtype_is_float(d) ? d : m->real; break;
    case KIND_INT: d = d < DT_RNG && dtype_is_int(d) ? d : m->whole; break;
    case KIND_BOOL: d = DT_BOOL; break;
    case KIND_ANY:
    case KIND_CONST: d = d == DT_COUNT ? (p->var == KIND_ANY ? m->any : m->real) : d; break;
    }
    const Type *shape = w.shape ? w.shape : random_shape(m, 0);
    if (w.shape && !w.exact && roll(m, 7) == 0)
        shape = type_scalar(m->st, DT_F64);
    Node *n = p->var == KIND_CONST              ? constant(m, d)
              : w.limit && !shape->rank         ? position(m, d, w.limit)
              : dtype_is_float(d)               ? float_value(m, d, shape)
              : dtype_is_int(d)                 ? int_value(m, d, shape)
              : shape->rank && roll(m, 10) == 0 ? repeated(m, d, shape)
                                                : input(m, d, shape);
    m->b->bound |= 1u << p->slot;
    m->b->at[p->slot] = (RuleValue){.kind = 'n', .node = n};
    return n;
}

/* ---- attributes ---- */

/* The attribute's value if the rule or an earlier choice says it. */
static bool attr_known(const Maker *m, const PatAttr *a, char kind, Attr *out)
{
    if (a->slot >= 0 && m->b->bound >> a->slot & 1) {
        *out = m->b->at[a->slot].attr;
        return true;
    }
    if (a->slot >= 0)
        return false;
    if (kind == 'I')
        out->ints = intlist(m->st, a->ints->n, a->ints->at);
    else
        out->i = a->value;
    return true;
}

static void attr_keep(Maker *m, const PatAttr *a, char kind, Attr v)
{
    if (a->slot < 0)
        return;
    m->b->bound |= 1u << a->slot;
    m->b->at[a->slot] = (RuleValue){.kind = kind, .attr = v};
}

/* Axes of a tensor of that rank, at least one if it has any. */
static const IntList *random_axes(Maker *m, int rank)
{
    i64 at[MAX_RANK];
    u32 n = 0;
    for (int i = 0; i < rank; i++)
        if (roll(m, 2))
            at[n++] = i;
    if (!n && rank && roll(m, 8))
        at[n++] = roll(m, (u32)rank);
    return intlist(m->st, n, at);
}

static const IntList *random_order(Maker *m, int rank)
{
    i64 at[MAX_RANK];
    for (int i = 0; i < rank; i++)
        at[i] = i;
    for (int i = rank - 1; i > 0; i--) {
        u32 k = roll(m, (u32)i + 1);
        i64 t = at[i];
        at[i] = at[k], at[k] = t;
    }
    return intlist(m->st, (u32)rank, at);
}

static Attr random_attr(Maker *m, OpId op, int i, const Type *x)
{
    static const DType dtypes[] = {DT_F64, DT_F32, DT_I64, DT_I32, DT_BOOL};
    char kind = op_attr_kind(op, i), name[32];
    int rank = x->rank;
    op_attr_name(op, i, name);
    if (kind == 'd')
        return (Attr){.i = dtypes[roll(m, COUNT_OF(dtypes))]};
    if (kind == 'b')
        return (Attr){.i = roll(m, 2)};
    if (!strcmp(name, "step"))
        return (Attr){.i = roll(m, 4) ? 1 : roll(m, 2) ? 2 : -1};
    if (!strcmp(name, "mode"))
        return (Attr){.i = roll(m, 2)};
    if (!strcmp(name, "k"))
        return (Attr){.i = (i64)roll(m, 4) - 1};
    if (kind == 'i')
        return (Attr){.i = rank ? roll(m, (u32)rank) : 0};
    if (op == OP_TRANSPOSE)
        return (Attr){.ints = random_order(m, rank)};
    if (op == OP_EXPAND_DIMS)
        return (Attr){.ints = intlist(m->st, 1, (i64[]){roll(m, (u32)rank + 1)})};
    return (Attr){.ints = random_axes(m, rank)};
}

/* Every attribute, for a first operand of type x. */
static void choose_attrs(Maker *m, const Pattern *p, const Type *x, Attr out[8])
{
    if (p->swaps_last) {
        i64 at[MAX_RANK];
        for (int i = 0; i < x->rank; i++)
            at[i] = x->rank > 1 && i >= x->rank - 2 ? 2 * x->rank - 3 - i : i;
        out[0].ints = intlist(m->st, (u32)x->rank, at);
        return;
    }
    for (int i = 0; i < op_attr_count(p->op); i++)
        if (!attr_known(m, &p->attrs[i], op_attr_kind(p->op, i), &out[i])) {
            out[i] = random_attr(m, p->op, i, x);
            attr_keep(m, &p->attrs[i], op_attr_kind(p->op, i), out[i]);
        }
}

/* ---- operations ---- */

typedef struct {
    Node *at[16];
    u32 n;
} Made;

static void swap(Node **a, Node **b)
{
    Node *t = *a;
    *a = *b, *b = t;
}

/* The dtype of the variables that stand in this part of an elementwise expression. */
static DType dtype_within(const Maker *m, const Pattern *p)
{
    if (p->kind == PAT_VAR)
        return p->var == KIND_INT     ? m->whole
               : p->var == KIND_BOOL  ? DT_BOOL
               : p->var == KIND_ANY   ? m->any
               : p->var == KIND_FLOAT ? m->real
                                      : DT_COUNT;
    if (p->kind != PAT_OP || !op_is_elementwise(p->op) || p->op == OP_CAST)
        return DT_COUNT;
    for (int i = p->op == OP_WHERE; i < p->n; i++) {
        DType d = dtype_within(m, p->args[i]);
        if (d != DT_COUNT)
            return d;
    }
    return DT_COUNT;
}

static bool is_comparison(OpId op)
{
    return op == OP_EQ || op == OP_NE || op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE ||
           op == OP_ISNAN || op == OP_ISINF || op == OP_ISFINITE;
}

static bool put_rest(Maker *m, const Pattern *p, u32 count, Node *const *nodes)
{
    Node **own = arena_alloc(&m->st->arena, (count + 1) * sizeof *own);
    memcpy(own, nodes, count * sizeof *own);
    if (m->b->bound >> p->slot & 1)
        return false; /* a rest that stands twice: too rare to build */
    m->b->bound |= 1u << p->slot;
    m->b->at[p->slot] = (RuleValue){.kind = 'r', .count = count, .nodes = own};
    return true;
}

static Node *number_node(Maker *m, const Pattern *p, DType d)
{
    return p->is_bool ? node_bool(m->st, p->number != 0)
                      : node_number(m->st, d == DT_COUNT || d == DT_BOOL ? m->real : d, p->number);
}

static Node *make_elementwise(Maker *m, const Pattern *p, Want w, bool root)
{
    Made o = {.n = (u32)p->n};
    DType within = dtype_within(m, p);
    if (p->n > 12)
        return NULL;
    if (w.dtype == DT_COUNT || is_comparison(p->op) || p->op == OP_CAST)
        w.dtype = within;
    if (p->op == OP_CAST) {
        static const DType from[] = {DT_F64, DT_F32, DT_I64, DT_I32, DT_BOOL};
        w.dtype = from[roll(m, COUNT_OF(from))];
    }
    w.limit = 0;
    w.exact = false;
    for (int round = 0; round < 3; round++) /* operations, then variables, then numbers */
        for (int i = 0; i < p->n; i++) {
            const Pattern *a = p->args[i];
            if ((a->kind == PAT_OP ? 0 : a->kind == PAT_VAR ? 1 : 2) != round)
                continue;
            Want v = w;
            v.dtype = p->op == OP_WHERE && i == 0 ? DT_BOOL : w.dtype;
            o.at[i] = a->kind == PAT_NUMBER ? number_node(m, a, w.dtype)
                      : a->kind == PAT_REST ? input(m, w.dtype == DT_COUNT ? m->real : w.dtype,
                                                    w.shape ? w.shape : type_scalar(m->st, DT_F64))
                                            : make(m, a, v);
            if (!o.at[i] || o.at[i]->type->kind != TYPE_TENSOR)
                return NULL;
            if (a->kind == PAT_REST && !put_rest(m, a, 1, &o.at[i]))
                return NULL;
            if (o.at[i]->type->rank && !w.shape)
                w.shape = o.at[i]->type;
            if (w.dtype == DT_COUNT && !(p->op == OP_WHERE && i == 0) && p->op != OP_CAST)
                w.dtype = o.at[i]->type->dtype;
        }
    bool nary = op_table[p->op].flags & NARY;
    if (root && nary && p->rest < 0 && roll(m, 4) == 0 && o.n < 12)
        o.at[o.n++] = input(m, o.at[0]->type->dtype, w.shape ? w.shape : o.at[0]->type);
    if (op_any_order(p->op) && o.n == 2 && roll(m, 2))
        swap(&o.at[0], &o.at[1]);
    Attr attrs[8] = {{0}};
    choose_attrs(m, p, o.at[0]->type, attrs);
    return node_make(m->st, p->op, attrs, o.n, o.at);
}

static const Type *with_axes(Maker *m, const Type *t, const IntList *axes, Size *len)
{
    Size *dims[MAX_RANK];
    int rank = t->rank + (int)axes->n, k = 0;
    if (rank > 6)
        return NULL;
    for (int i = 0; i < rank; i++) {
        bool here = false;
        for (u32 a = 0; a < axes->n; a++)
            here = here || axes->at[a] == i;
        if (!here && k >= t->rank)
            return NULL;
        dims[i] = here ? (len ? len : pick_dim(m)) : t->dims[k++];
    }
    return type_tensor(m->st, DT_F64, rank, dims);
}

/* The shape that the first operand needs so that the result gets the wanted one; else a random one.
 */
static const Type *source_shape(Maker *m, const Pattern *p, Want w)
{
    OpClass c = op_table[p->op].cls;
    bool drops =
        (c == CLASS_REDUCE && p->op != OP_CUMSUM && p->op != OP_CUMPROD && p->op != OP_CUMMAX) ||
        p->op == OP_SQUEEZE || p->op == OP_INDEX;
    if (!w.shape && p->op != OP_SQUEEZE)
        return random_shape(m, p->op == OP_TRIANGLE || p->swaps_last ? 2 : 1);
    if (drops) {
        const Type *t = w.shape ? w.shape : random_shape(m, 0);
        Attr a = {0};
        char kind = op_attr_kind(p->op, 0);
        if (!attr_known(m, &p->attrs[0], kind, &a)) {
            a.i = roll(m, (u32)t->rank + 1);
            if (kind == 'I')
                a.ints = intlist(m->st, 1, &a.i);
            attr_keep(m, &p->attrs[0], kind, a);
        }
        const IntList *axes = kind == 'I' ? a.ints : intlist(m->st, 1, &a.i);
        return with_axes(m, t, axes, p->op == OP_SQUEEZE ? size_const(m->st, 1) : NULL);
    }
    if (p->op == OP_TRANSPOSE && w.shape->rank) {
        Attr a[8] = {{0}};
        Size *dims[MAX_RANK] = {NULL};
        choose_attrs(m, p, w.shape, a);
        if ((int)a[0].ints->n != w.shape->rank)
            return NULL;
        for (u32 i = 0; i < a[0].ints->n; i++)
            dims[a[0].ints->at[i]] = w.shape->dims[i];
        return type_tensor(m->st, DT_F64, w.shape->rank, dims);
    }
    return w.shape;
}

/* Sizes as operands, for what a reshape or broadcast leaves open. */
static u32 sizes_for(Maker *m, const Pattern *p, const Node *x, const Attr *attrs, Made *o)
{
    u32 n = 0;
    const Type *t = x->type;
    if (p->op == OP_BROADCAST) {
        const IntList *axes = attrs[0].ints;
        int rank = t->rank + 1 + (int)roll(m, 2), k = 0;
        for (int i = 0; i < rank; i++) {
            bool own = (u32)k < axes->n && axes->at[k] == i;
            o->at[1 + n++] = size_to_node(m->st, own ? t->dims[k++] : pick_dim(m));
        }
        return n;
    }
    Size *all = size_const(m->st, 1);
    for (int i = 0; i < t->rank; i++)
        all = size_mul(m->st, all, t->dims[i]);
    u32 how = roll(m, 3);
    if (how == 0 || !t->rank)
        o->at[1 + n++] = size_to_node(m->st, all);
    for (int i = 0; how && i < t->rank; i++)
        o->at[1 + n++] = size_to_node(m->st, t->dims[how == 1 ? t->rank - 1 - i : i]);
    return n;
}

static Attr broadcast_axes(Maker *m, const Type *x)
{
    i64 at[MAX_RANK], shift = roll(m, 2);
    for (int i = 0; i < x->rank; i++)
        at[i] = i + shift;
    return (Attr){.ints = intlist(m->st, (u32)x->rank, at)};
}

/* x, then scalars or index tensors, then what is written. */
static bool index_operands(Maker *m, const Pattern *p, const Attr *attrs, Made *o)
{
    const Type *x = o->at[0]->type;
    i64 axis = attrs[0].i;
    if (axis < 0 || axis >= x->rank)
        return false;
    i64 len = instance_length(x->dims[axis]);
    const Type *scalar = type_scalar(m->st, DT_I64);
    Want at = {.dtype = DT_I64, .shape = scalar, .exact = true, .limit = len < 1 ? 1 : len};
    Size *few = size_const(m->st, 1 + roll(m, 3));
    bool many = p->op == OP_GATHER || p->op == OP_SCATTER;
    if (many)
        at.shape = type_tensor(m->st, DT_I64, 1, &few), at.limit = 0;
    for (int i = 1; i < p->n; i++) {
        Want w = at;
        if (i == 2 && p->op != OP_SLICE) { /* what is written */
            Size *dims[MAX_RANK];
            int n = 0;
            for (int k = 0; k < x->rank; k++)
                if (k != axis || p->op != OP_SET_INDEX)
                    dims[n++] = k != axis ? x->dims[k] : few;
            w = (Want){x->dtype, type_tensor(m->st, x->dtype, n, dims), true, 0};
        }
        const Pattern *a = p->args[i];
        if (a->kind == PAT_REST)
            return false;
        o->at[i] = a->kind == PAT_NUMBER ? number_node(m, a, DT_I64) : make(m, a, w);
        if (!o->at[i])
            return false;
    }
    o->n = (u32)p->n;
    return true;
}

static Node *make_shaped(Maker *m, const Pattern *p, Want w)
{
    Made o = {.n = (u32)p->n};
    Attr attrs[8] = {{0}};
    if (p->op == OP_IOTA || p->op == OP_DIM)
        w.shape = NULL;
    const Type *from = p->op == OP_IOTA ? type_scalar(m->st, DT_I64) : source_shape(m, p, w);
    bool logical = p->op == OP_ANY || p->op == OP_ALL;
    Want v = {.dtype = p->op == OP_IOTA ? DT_I64
                       : logical        ? DT_BOOL
                                        : w.dtype,
              .shape = from,
              .exact = true,
              .limit = p->op == OP_IOTA ? 5 : 0};
    if (!from || p->n < 1 || p->n > 12 || p->args[0]->kind == PAT_REST)
        return NULL;
    o.at[0] = p->args[0]->kind == PAT_NUMBER ? number_node(m, p->args[0], DT_I64)
                                             : make(m, p->args[0], v);
    if (!o.at[0] || o.at[0]->type->kind != TYPE_TENSOR)
        return NULL;
    if (p->op == OP_BROADCAST && !attr_known(m, &p->attrs[0], 'I', &attrs[0]))
        attr_keep(m, &p->attrs[0], 'I', broadcast_axes(m, o.at[0]->type));
    choose_attrs(m, p, o.at[0]->type, attrs);
    if (op_table[p->op].cls == CLASS_INDEX && p->n > 1 && p->op != OP_SEARCHSORTED)
        return index_operands(m, p, attrs, &o) ? node_make(m->st, p->op, attrs, o.n, o.at) : NULL;
    if (p->op == OP_CONCAT) {
        for (int i = 1; i < p->n; i++) {
            Want next = {o.at[0]->type->dtype, o.at[0]->type, true, 0};
            o.at[i] = p->args[i]->kind == PAT_REST ? input(m, next.dtype, next.shape)
                                                   : make(m, p->args[i], next);
            if (!o.at[i] || (p->args[i]->kind == PAT_REST && !put_rest(m, p->args[i], 1, &o.at[i])))
                return NULL;
        }
    } else if (p->n == 2 && p->args[1]->kind == PAT_REST) {
        u32 n = sizes_for(m, p, o.at[0], attrs, &o);
        o.n = n + 1;
        if (!put_rest(m, p->args[1], n, o.at + 1))
            return NULL;
    } else if (p->n > 1) {
        Made sizes = {0};
        u32 n = sizes_for(m, p, o.at[0], attrs, &sizes);
        for (int i = 1; i < p->n; i++) {
            const Pattern *a = p->args[i];
            if ((int)n != p->n - 1 || a->kind != PAT_VAR || m->b->bound >> a->slot & 1)
                return NULL;
            m->b->bound |= 1u << a->slot;
            m->b->at[a->slot] = (RuleValue){.kind = 'n', .node = o.at[i] = sizes.at[i]};
        }
    }
    return node_make(m->st, p->op, attrs, o.n, o.at);
}

/* Matrices: square ones half of the time, else of sizes by chance. */
static Node *make_linear(Maker *m, const Pattern *p, Want w)
{
    Made o = {.n = (u32)p->n};
    Attr attrs[8] = {{0}};
    bool vector = p->n == 2 && roll(m, 5) == 0;
    for (int i = 0; i < p->n; i++) {
        Size *dims[] = {pick_dim(m), pick_dim(m)};
        bool needs_square = p->op != OP_MATMUL && i == 0;
        if (needs_square && w.shape && w.shape->rank == 2)
            dims[0] = w.shape->dims[0];
        if (needs_square)
            dims[1] = dims[0];
        if (p->op == OP_MATMUL && i == 1 && o.at[0]->type->rank)
            dims[0] = o.at[0]->type->dims[o.at[0]->type->rank - 1];
        if (i == 1 && p->op != OP_MATMUL)
            dims[0] = o.at[0]->type->dims[0];
        Want v = {w.dtype, type_tensor(m->st, DT_F64, vector && i == 1 ? 1 : 2, dims), true, 0};
        o.at[i] = make(m, p->args[i], v);
        if (!o.at[i] || o.at[i]->type->kind != TYPE_TENSOR)
            return NULL;
    }
    const Type *a = o.at[0]->type, *b = o.at[p->n - 1]->type;
    if (p->n == 2 && a->rank && b->rank &&
        a->dims[a->rank - 1] != b->dims[b->rank > 1 && p->op == OP_MATMUL ? b->rank - 2 : 0])
        return NULL; /* perhaps equal when it runs; here they must be */
    choose_attrs(m, p, o.at[0]->type, attrs);
    return node_make(m->st, p->op, attrs, o.n, o.at);
}

static Node *make_op(Maker *m, const Pattern *p, Want w, bool root)
{
    switch (op_table[p->op].cls) {
    case CLASS_ELEMENTWISE: return make_elementwise(m, p, w, root);
    case CLASS_LINALG: return make_linear(m, p, w);
    case CLASS_REDUCE:
    case CLASS_SHAPE:
    case CLASS_INDEX: return make_shaped(m, p, w);
    default: {
        Made o = {.n = (u32)p->n};
        Attr attrs[8] = {{0}};
        for (int i = 0; i < p->n && i < 12; i++) {
            if (!(o.at[i] = make(m, p->args[i], w)))
                return NULL;
            w.shape = o.at[i]->type;
        }
        choose_attrs(m, p, o.at[0]->type, attrs);
        return p->n ? node_make(m->st, p->op, attrs, o.n, o.at) : NULL;
    }
    }
}

static Node *make(Maker *m, const Pattern *p, Want w)
{
    switch (p->kind) {
    case PAT_VAR: return variable(m, p, w);
    case PAT_NUMBER: return number_node(m, p, w.dtype);
    case PAT_OP: return make_op(m, p, w, false);
    case PAT_REST: break;
    }
    return NULL;
}

Node *instance_make(Store *st, const Rule *r, u64 seed, Bindings *b)
{
    Maker m = {.st = st, .rule = r, .state = hash_mix(seed, 3), .b = b};
    b->bound = 0;
    choose_theme(&m);
    return make_op(&m, r->pattern, (Want){.dtype = DT_COUNT}, true);
}
