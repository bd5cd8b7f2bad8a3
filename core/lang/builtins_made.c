/* Operators that passes make, called by their own names, so that every graph can be written.
 *
 * Invariant: such a call is the node and nothing else: operands are neither cast nor broadcast, and
 * attributes are taken as they are. */
#include "lang/builtins.h"
#include "lang/elab.h"

/* ---- attributes ---- */

static bool whole_numbers(Elab *e, Value *v, Span span, const char *what, Attr *out)
{
    v = value_plain(e, v);
    if (!v)
        return false;
    int n = v->kind == V_TUPLE ? v->nitems : 1;
    i64 at[MAX_RANK];
    if (n > MAX_RANK)
        return elab_error(e, span, "rank", NULL, "more than %d axes", MAX_RANK), false;
    for (int i = 0; i < n; i++)
        if (!value_const_int(e, v->kind == V_TUPLE ? v->items[i] : v, &at[i], span, what))
            return false;
    out->ints = intlist(e->st, (u32)n, at);
    return true;
}

static bool word_of(Elab *e, Args *a, int i, Attr *out)
{
    if (!a->at[i] || a->at[i]->kind != V_STRING)
        return elab_error(e, a->spans[i], "type-mismatch", NULL, "%s takes a text in quotes here",
                          a->builtin->name),
               false;
    out->name = symbol(e->st, a->at[i]->text);
    return true;
}

static bool attribute(Elab *e, Args *a, int i, char kind, const char *name, Attr *out)
{
    bool flag;
    DType d;
    switch (kind) {
    case 'b':
        if (!arg_bool(e, a, i, false, &flag))
            return false;
        out->i = flag;
        return true;
    case 'd':
        if (!arg_dtype(e, a, i, DT_F64, &d))
            return false;
        out->i = (i64)d;
        return true;
    case 'I': return a->at[i] && whole_numbers(e, a->at[i], a->spans[i], name, out);
    case 's': return word_of(e, a, i, out);
    default: return arg_int(e, a, i, strcmp(name, "step") ? 0 : 1, &out->i);
    }
}

/* ---- operands ---- */

static bool operand(Elab *e, Args *a, int i, NodeVec *ops)
{
    Value *v = value_plain(e, a->at[i]);
    for (int k = 0; v && k < (v->kind == V_TUPLE ? v->nitems : 1); k++) {
        Node *n =
            value_to_node(e, v->kind == V_TUPLE ? v->items[k] : v, a->spans[i], a->builtin->name);
        if (!n)
            return false;
        vec_push(ops, n);
    }
    return v != NULL;
}

/* The node of the operator that bears the builtin's name. */
static Value *made(Elab *e, Args *a)
{
    OpId op = op_by_name(a->builtin->name);
    Attr attrs[8] = {{0}};
    NodeVec ops = {0};
    bool ok = true;
    for (int i = 0; i < a->n && ok; i++) {
        char name[32];
        int k = op_attr_index(op, arg_name(a, i, name));
        if (k >= 0)
            ok = attribute(e, a, i, op_attr_kind(op, k), name, &attrs[k]);
        else if (a->at[i] && a->at[i]->kind != V_NONE)
            ok = operand(e, a, i, &ops);
    }
    e->st->span = a->span;
    Node *n = ok ? node_make(e->st, op, attrs, (u32)ops.len, ops.at) : NULL;
    vec_free(&ops);
    return value_node(e, n);
}

BUILTIN(gemm) { return made(e, a); }
BUILTIN(gemv) { return made(e, a); }
BUILTIN(ger) { return made(e, a); }
BUILTIN(slice) { return made(e, a); }
BUILTIN(index) { return made(e, a); }
BUILTIN(gather) { return made(e, a); }
BUILTIN(set_index) { return made(e, a); }
BUILTIN(set_slice) { return made(e, a); }
BUILTIN(scatter) { return made(e, a); }
BUILTIN(broadcast) { return made(e, a); }
BUILTIN(iota) { return made(e, a); }
BUILTIN(dim) { return made(e, a); }
BUILTIN(cast) { return made(e, a); }
BUILTIN(check) { return made(e, a); }
BUILTIN(recurrence) { return made(e, a); }

/* ---- fused ---- */

/* The arrays that an expression takes from outside, and constants in it. */
static void arrays_taken(const NodeVec *order, const NodeSet *outside, NodeVec *taken)
{
    NodeSet seen = {0};
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        if (n->op == OP_CONST && n->type->rank)
            vec_push(taken, n);
        for (u32 k = 0; k < n->nops; k++) {
            Node *x = n->ops[k];
            if (map_has(outside, x) && node_rank(x) && set_add(&seen, x))
                vec_push(taken, x);
        }
    }
    map_free(&seen);
}

static void open_one(Store *st, Node *n, Type *type, NodeMap *memo, NodeVec *holes, NodeVec *values)
{
    vec_push(values, n);
    vec_push(holes, node_hole(st, type, node_name(st, n)));
    map_put(memo, n, holes->at[holes->len - 1]);
}

/* What is fused has one shape: constant arrays become variables, and so do sizes and what is of
 * another shape than the first of them, as far as one can see. No operator is there to make sure.
 */
static bool open_arrays(Store *st, const NodeSet *outside, NodeVec *outs, NodeVec *holes,
                        NodeVec *values)
{
    NodeVec order = {0}, taken = {0};
    NodeMap memo = {0};
    NodeSet seen = {0};
    bool ok = true;
    for (size_t i = 0; i < outside->len; i++) {
        map_put(&memo, map_key(outside, i), map_key(outside, i));
        set_add(&seen, map_key(outside, i));
    }
    for (size_t i = 0; i < outs->len; i++)
        nodes_topo_more(outs->at[i], &seen, &order);
    arrays_taken(&order, outside, &taken);
    for (size_t i = 0; i < taken.len; i++) {
        Node *n = taken.at[i];
        Type *shape = type_with_dtype(st, taken.at[0]->type, n->type->dtype);
        if (n->op != OP_CONST && n->type == shape)
            continue;
        open_one(st, n, shape, &memo, holes, values);
    }
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_SIZE || order.at[i]->op == OP_DIM)
            open_one(st, order.at[i], order.at[i]->type, &memo, holes, values);
    for (size_t i = 0; i < order.len && ok && holes->len; i++)
        if (order.at[i]->op == OP_MATCH_SHAPE) {
            Node *x = node_substitute(st, order.at[i]->ops[0], &memo);
            map_put(&memo, order.at[i], x);
            ok = x != NULL;
        }
    for (size_t i = 0; i < outs->len && ok && holes->len; i++)
        ok = (outs->at[i] = node_substitute(st, outs->at[i], &memo)) != NULL;
    map_free(&memo);
    map_free(&seen);
    vec_free(&order);
    vec_free(&taken);
    return ok;
}

/* What the words of an expression compute, as a graph that takes what it mentions. */
static Value *close_fused(Elab *e, OpenScope *open, Value *v, Span span)
{
    NodeVec outs = {0}, holes = {0}, values = {0}, ops = {0};
    Closed c;
    Value *r = NULL;
    e->st->span = span;
    if (value_nodes(e, v, &outs) && outs.len &&
        open_arrays(e->st, &open->outside.mentioned, &outs, &holes, &values) &&
        elab_close(e, open, 0, NULL, (int)holes.len, holes.at, (int)outs.len, outs.at, &c)) {
        Attr body = {.graph = c.graph};
        for (int i = 0; i < c.nseqs; i++)
            vec_push(&ops, values.at[c.seqs[i]]);
        for (int i = 0; i < c.ncaptures; i++)
            vec_push(&ops, c.captures[i]);
        Node *n = node_make(e->st, OP_FUSED, &body, (u32)ops.len, ops.at);
        for (size_t i = 0; i < outs.len && n; i++)
            outs.at[i] = node_proj(e->st, n, (i64)i);
        int used = 0;
        r = n ? value_in_form(e, v, outs.at, &used) : NULL;
    }
    NodeVec *all[] = {&outs, &holes, &values, &ops};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        vec_free(all[i]);
    return r;
}

Value *elab_fused(Elab *e, Expr *x)
{
    if (x->nargs != 1 || x->args[0].name)
        return elab_error(e, x->span, "arity", NULL, "fused(x) takes one expression");
    OpenScope open = {.span = x->span};
    Env *saved = e->env;
    scope_enter(e, &open, saved);
    Value *v = value_plain(e, elab_expr(e, x->args[0].value));
    scope_leave(e, &open, saved);
    ValueVec leaves = {0};
    bool tensors = v && value_leaves(e, v, &leaves) && leaves.len;
    if (v && !tensors)
        elab_error(e, x->span, "type-mismatch", NULL, "fused takes tensors, but this is %s",
                   value_describe(e, v));
    vec_free(&leaves);
    Value *r = tensors ? close_fused(e, &open, v, x->span) : NULL;
    outside_end(&open.outside);
    return r;
}

/* ---- fits ---- */

static bool is_among(const Node *x, u32 n, Node *const *ops)
{
    for (u32 i = 0; i < n; i++)
        if (ops[i] == x)
            return true;
    return false;
}

/* The operator without what makes sure that its operands have one shape. */
Value *elab_fits(Elab *e, Expr *x)
{
    if (x->nargs != 1 || x->args[0].name)
        return elab_error(e, x->span, "arity", NULL, "fits(x) takes one expression");
    Value *v = value_plain(e, elab_expr(e, x->args[0].value));
    Node *n = v ? value_to_node(e, v, x->span, "fits") : NULL;
    if (!n || !op_is_elementwise(n->op))
        return n ? elab_error(e, x->span, "type-mismatch", NULL,
                              "fits takes an elementwise operator, as in fits(a + b)")
                 : NULL;
    Node **ops = arena_alloc(e->arena, n->nops * sizeof *ops);
    for (u32 i = 0; i < n->nops; i++) {
        Node *of = n->ops[i];
        bool matched = of->op == OP_MATCH_SHAPE && is_among(of->ops[1], n->nops, n->ops);
        ops[i] = matched ? of->ops[0] : of;
    }
    e->st->span = x->span;
    return value_node(e, node_with_operands(e->st, n, ops));
}

/* A function that is given one of them gets values, which are computed already. */
BUILTIN(fused)
{
    return elab_error(e, a->span, "type-mismatch", NULL,
                      "%s is not a function of values: it takes an expression, written in place",
                      a->builtin->name);
}
BUILTIN(fits) { return builtin_fused(e, a); }
