/* Random instances of patterns. Types are chosen from the top down where an operator says something
 * about its operands, at random elsewhere; a choice that does not fit fails when the node is built,
 * and another seed is tried. Values with facts come by construction: squares are not negative. */
#include "session/instance.h"
#include "session/instance_leaves.h"
#include "session/instance_values.h"

enum {
    MOST_OPERANDS = 12, /* of an operator of a pattern: rules have fewer, and those of any order
                           match in as many ways as there are orders */
    ROOM = 16           /* for these and one beside them */
};

typedef struct {
    Node *at[ROOM];
    u32 n;
} Made;

static void choose_theme(Maker *m)
{
    static const DType any[] = {DT_F64, DT_F64, DT_F32, DT_I64, DT_I32, DT_BOOL};
    Store *st = m->st;
    m->real = instance_roll(m, 4) ? DT_F64 : DT_F32;
    m->whole = instance_roll(m, 3) ? DT_I64 : DT_I32;
    m->any = any[instance_roll(m, COUNT_OF(any))];
    bool square = instance_roll(m, 2);
    for (int i = 0; i < DIMS; i++) {
        u32 k = instance_roll(m, 16);
        m->dims[i] = square && i ? m->dims[0]
                     : k < 7     ? size_const(st, 3)
                     : k < 10    ? size_name(st, symbol(st, "n"))
                     : k < 12    ? size_const(st, 2)
                     : k < 13    ? size_name(st, symbol(st, "m"))
                     : k < 14    ? size_const(st, 1)
                                 : size_const(st, 0);
    }
}

/* A number of the pattern, of that dtype if it is one of numbers. */
static Node *number(Maker *m, const Pattern *p, DType d)
{
    return p->is_bool ? node_bool(m->st, p->number != 0)
                      : node_number(m->st, d == DT_COUNT || d == DT_BOOL ? m->real : d, p->number);
}

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
    bool choice = p->kind == PAT_IF;
    if (!choice && (p->kind != PAT_OP || !op_is_elementwise(p->op) || p->op == OP_CAST))
        return DT_COUNT;
    for (int i = choice || p->op == OP_WHERE; i < p->n; i++) {
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
    Node **own = arena_alloc(&m->st->scratch, (count + 1) * sizeof *own);
    memcpy(own, nodes, count * sizeof *own);
    if (m->b->bound >> p->slot & 1)
        return false; /* a rest that stands twice: too rare to build */
    m->b->bound |= 1u << p->slot;
    m->b->at[p->slot] = (RuleValue){.kind = 'r', .count = count, .nodes = own};
    return true;
}

/* A scalar, or of that shape. */
static bool fits_into(const Type *t, const Type *shape)
{
    bool same = !shape || !t->rank || t->rank == shape->rank;
    for (int i = 0; shape && i < t->rank && same; i++)
        same = t->dims[i] == shape->dims[i];
    return same;
}

static Node *make_elementwise(Maker *m, const Pattern *p, Want w, bool root)
{
    Made o = {.n = (u32)p->n};
    DType within = dtype_within(m, p);
    if (p->n > MOST_OPERANDS)
        return NULL;
    if (w.dtype == DT_COUNT || is_comparison(p->op) || p->op == OP_CAST)
        w.dtype = within;
    if (p->op == OP_CAST) {
        static const DType from[] = {DT_F64, DT_F32, DT_I64, DT_I32, DT_BOOL};
        w.dtype = from[instance_roll(m, COUNT_OF(from))];
    }
    w.limit = 0;
    w.exact = false;
    for (int round = 0; round < 3; round++) /* operations, then variables, then numbers */
        for (int i = 0; i < p->n; i++) {
            const Pattern *a = p->args[i];
            if ((a->kind != PAT_VAR && a->kind != PAT_NUMBER && a->kind != PAT_REST ? 0
                 : a->kind == PAT_VAR                                               ? 1
                                                                                    : 2) != round)
                continue;
            Want v = w;
            v.dtype = p->op == OP_WHERE && i == 0 ? DT_BOOL : w.dtype;
            o.at[i] = a->kind == PAT_NUMBER ? number(m, a, w.dtype)
                      : a->kind == PAT_REST
                          ? instance_input(m, w.dtype == DT_COUNT ? m->real : w.dtype,
                                           w.shape ? w.shape : type_scalar(m->st, DT_F64))
                          : instance_part(m, a, v);
            if (!o.at[i] || o.at[i]->type->kind != TYPE_TENSOR)
                return NULL;
            if (a->kind == PAT_REST && !put_rest(m, a, 1, &o.at[i]))
                return NULL;
            if (!fits_into(o.at[i]->type, w.shape))
                return NULL; /* perhaps equal when it runs; here they must be */
            if (o.at[i]->type->rank && !w.shape)
                w.shape = o.at[i]->type;
            if (w.dtype == DT_COUNT && !(p->op == OP_WHERE && i == 0) && p->op != OP_CAST)
                w.dtype = o.at[i]->type->dtype;
        }
    bool nary = op_table[p->op].flags & NARY;
    if (root && nary && p->rest < 0 && instance_roll(m, 4) == 0 && o.n < MOST_OPERANDS)
        o.at[o.n++] = m->beside =
            instance_input(m, o.at[0]->type->dtype, w.shape ? w.shape : o.at[0]->type);
    if (op_any_order(p->op) && o.n == 2 && instance_roll(m, 2))
        swap(&o.at[0], &o.at[1]);
    Attr attrs[8] = {{0}};
    instance_choose_attrs(m, p, o.at[0]->type, attrs);
    return node_make(m->st, p->op, attrs, o.n, o.at);
}

const Type *instance_with_axes(Maker *m, const Type *t, const IntList *axes, Size *len)
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
        dims[i] = here ? (len ? len : instance_pick_dim(m)) : t->dims[k++];
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
        return instance_random_shape(m, p->op == OP_TRIANGLE || p->swaps_last ? 2 : 1);
    if (drops) {
        const Type *t = w.shape ? w.shape : instance_random_shape(m, 0);
        Attr a = {0};
        char kind = op_attr_kind(p->op, 0);
        if (!instance_attr_known(m, &p->attrs[0], kind, &a)) {
            a.i = instance_roll(m, (u32)t->rank + 1);
            if (kind == 'I')
                a.ints = intlist(m->st, 1, &a.i);
            instance_attr_keep(m, &p->attrs[0], kind, a);
        }
        const IntList *axes = kind == 'I' ? a.ints : intlist(m->st, 1, &a.i);
        return instance_with_axes(m, t, axes, p->op == OP_SQUEEZE ? size_const(m->st, 1) : NULL);
    }
    if (p->op == OP_TRANSPOSE && w.shape->rank) {
        Attr a[8] = {{0}};
        Size *dims[MAX_RANK] = {NULL};
        instance_choose_attrs(m, p, w.shape, a);
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
        int rank = t->rank + 1 + (int)instance_roll(m, 2), k = 0;
        for (int i = 0; i < rank; i++) {
            bool own = (u32)k < axes->n && axes->at[k] == i;
            o->at[1 + n++] = size_to_node(m->st, own ? t->dims[k++] : instance_pick_dim(m));
        }
        return n;
    }
    Size *all = size_product(m->st, t->rank, t->dims);
    u32 how = instance_roll(m, 3);
    if (how == 0 || !t->rank)
        o->at[1 + n++] = size_to_node(m->st, all);
    for (int i = 0; how && i < t->rank; i++)
        o->at[1 + n++] = size_to_node(m->st, t->dims[how == 1 ? t->rank - 1 - i : i]);
    return n;
}

static Attr broadcast_axes(Maker *m, const Type *x)
{
    i64 at[MAX_RANK], shift = instance_roll(m, 2);
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
    Size *few = size_const(m->st, 1 + instance_roll(m, 3));
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
        o->at[i] = a->kind == PAT_NUMBER ? number(m, a, DT_I64) : instance_part(m, a, w);
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
    if (!from || p->n < 1 || p->n > MOST_OPERANDS || p->args[0]->kind == PAT_REST)
        return NULL;
    o.at[0] = p->args[0]->kind == PAT_NUMBER ? number(m, p->args[0], DT_I64)
                                             : instance_part(m, p->args[0], v);
    if (!o.at[0] || o.at[0]->type->kind != TYPE_TENSOR)
        return NULL;
    if (p->op == OP_BROADCAST && !instance_attr_known(m, &p->attrs[0], 'I', &attrs[0]))
        instance_attr_keep(m, &p->attrs[0], 'I', broadcast_axes(m, o.at[0]->type));
    instance_choose_attrs(m, p, o.at[0]->type, attrs);
    if (op_table[p->op].cls == CLASS_INDEX && p->n > 1 && p->op != OP_SEARCHSORTED)
        return index_operands(m, p, attrs, &o) ? node_make(m->st, p->op, attrs, o.n, o.at) : NULL;
    if (p->op == OP_CONCAT) {
        for (int i = 1; i < p->n; i++) {
            Want next = {o.at[0]->type->dtype, o.at[0]->type, true, 0};
            o.at[i] = p->args[i]->kind == PAT_REST ? instance_input(m, next.dtype, next.shape)
                                                   : instance_part(m, p->args[i], next);
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

/* Is it a product of a variable with an operation, such as eye(n), that decides its inner size? */
static bool decides_size(const Pattern *p)
{
    return p->op == OP_MATMUL && p->args[0]->kind == PAT_VAR && p->args[1]->kind == PAT_OP;
}

/* The size that both operands of a product have. */
static Size *inner_size(const Type *t, int operand)
{
    return operand == 0 || t->rank < 2 ? t->dims[t->rank - 1] : t->dims[t->rank - 2];
}

/* Operand i of a product, solve and the like, after those in o: a matrix, or a vector. */
static Want want_linear(Maker *m, const Pattern *p, Want w, const Made *o, int i, bool vector)
{
    Size *dims[] = {instance_pick_dim(m), instance_pick_dim(m)};
    if (p->op == OP_MATMUL) {
        const Node *other = p->n == 2 ? o->at[1 - i] : NULL;
        if (other && other->type->rank)
            dims[i == 0 && !vector] = inner_size(other->type, 1 - i);
    } else if (i == 0) { /* square */
        if (w.shape && w.shape->rank == 2)
            dims[0] = w.shape->dims[0];
        dims[1] = dims[0];
    } else if (i == 1) {
        dims[0] = o->at[0]->type->dims[0];
    }
    return (Want){w.dtype, type_tensor(m->st, DT_F64, vector ? 1 : 2, dims), true, 0};
}

/* Matrices of sizes by chance, and now and then a vector on either side of a product. */
static Node *make_linear(Maker *m, const Pattern *p, Want w)
{
    Made o = {.n = (u32)p->n};
    Attr attrs[8] = {{0}};
    int chance = p->n == 2 ? (int)instance_roll(m, 5) : 2;
    for (int k = 0; k < p->n; k++) {
        int i = decides_size(p) ? p->n - 1 - k : k;
        bool vector = p->op == OP_MATMUL ? chance == 1 - i : chance == 0 && i == 1;
        o.at[i] = instance_part(m, p->args[i], want_linear(m, p, w, &o, i, vector));
        if (!o.at[i] || o.at[i]->type->kind != TYPE_TENSOR)
            return NULL;
        if (p->op != OP_MATMUL && !o.at[i]->type->rank)
            return NULL; /* a product of scalars is no matrix */
    }
    const Type *a = o.at[0]->type, *b = o.at[p->n - 1]->type;
    if (p->n == 2 && a->rank && b->rank &&
        a->dims[a->rank - 1] != b->dims[b->rank > 1 && p->op == OP_MATMUL ? b->rank - 2 : 0])
        return NULL; /* perhaps equal when it runs; here they must be */
    instance_choose_attrs(m, p, o.at[0]->type, attrs);
    return node_make(m->st, p->op, attrs, o.n, o.at);
}

/* An operation of the pattern, its operands first. */
static Node *operation(Maker *m, const Pattern *p, Want w, bool root)
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
        for (int i = 0; i < p->n && i < MOST_OPERANDS; i++) {
            if (!(o.at[i] = instance_part(m, p->args[i], w)))
                return NULL;
            w.shape = o.at[i]->type;
        }
        instance_choose_attrs(m, p, o.at[0]->type, attrs);
        return p->n ? node_make(m->st, p->op, attrs, o.n, o.at) : NULL;
    }
    }
}

/* ---- the whole ---- */

Node *instance_part(Maker *m, const Pattern *p, Want w)
{
    switch (p->kind) {
    case PAT_VAR: return instance_variable(m, p, w);
    case PAT_NUMBER: return number(m, p, w.dtype);
    case PAT_OP: return operation(m, p, w, false);
    case PAT_IF: return instance_choice(m, p, w);
    case PAT_INNER: return instance_inner(m, p, w);
    case PAT_SCAN: return instance_loop(m, p, w);
    case PAT_REST: break;
    }
    return NULL;
}

/* Matrices of few different rows would mostly be singular. */
static bool factorises(const Pattern *p)
{
    bool found = p->kind == PAT_OP && op_table[p->op].cls == CLASS_LINALG && p->op != OP_MATMUL;
    for (int i = 0; i < p->n && !found; i++)
        found = factorises(p->args[i]);
    return found;
}

Node *instance_make(Store *st, const Rule *r, u64 seed, Bindings *b, Node **beside, Ranges *ranges)
{
    Maker m = {.st = st,
               .rule = r,
               .state = hash_mix(seed, 3),
               .b = b,
               .factorises = factorises(r->pattern),
               .ranges = ranges,
               .seed = seed};
    b->bound = 0;
    ranges_choose(r, seed, ranges);
    choose_theme(&m);
    Want any = {.dtype = DT_COUNT};
    u32 temps = st->temp_count;
    Node *n = r->pattern->kind == PAT_OP ? operation(&m, r->pattern, any, true)
                                         : instance_part(&m, r->pattern, any);
    instance_close_variables(&m);
    st->temp_count = temps;
    *beside = m.beside;
    return n;
}
