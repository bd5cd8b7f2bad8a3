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

/* Arrays that are constants are operands of what is fused: they become variables. What stands
 * outside stays. */
static bool open_constants(Store *st, const PtrMap *outside, NodeVec *outs, NodeVec *holes,
                           NodeVec *constants)
{
    NodeVec order = {0};
    PtrMap memo = {0}, seen = {0};
    bool ok = true;
    for (size_t i = 0; i < outside->cap; i++)
        if (outside->keys && outside->keys[i]) {
            map_put(&memo, outside->keys[i], (void *)(uintptr_t)outside->keys[i]);
            map_put(&seen, outside->keys[i], (void *)(uintptr_t)outside->keys[i]);
        }
    for (size_t i = 0; i < outs->len; i++)
        nodes_topo_more(outs->at[i], &seen, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if (n->op != OP_CONST || !n->type->rank)
            continue;
        vec_push(constants, n);
        vec_push(holes, node_hole(st, n->type, NULL));
        map_put(&memo, n, holes->at[holes->len - 1]);
    }
    for (size_t i = 0; i < outs->len && ok && holes->len; i++)
        ok = (outs->at[i] = node_substitute(st, outs->at[i], &memo)) != NULL;
    map_free(&memo);
    map_free(&seen);
    vec_free(&order);
    return ok;
}

/* What the words of an expression compute, as a graph that takes what it mentions. */
static Value *close_fused(Elab *e, OpenScope *open, Value *v, Span span)
{
    NodeVec outs = {0}, holes = {0}, constants = {0}, ops = {0};
    Closed c;
    Value *r = NULL;
    e->st->span = span;
    if (value_nodes(e, v, &outs) && outs.len &&
        open_constants(e->st, &open->mentioned, &outs, &holes, &constants) &&
        elab_close(e, open, 0, NULL, (int)holes.len, holes.at, (int)outs.len, outs.at, &c)) {
        Attr body = {.graph = c.graph};
        for (int i = 0; i < c.nseqs; i++)
            vec_push(&ops, constants.at[c.seqs[i]]);
        for (int i = 0; i < c.ncaptures; i++)
            vec_push(&ops, c.captures[i]);
        Node *n = node_make(e->st, OP_FUSED, &body, (u32)ops.len, ops.at);
        for (size_t i = 0; i < outs.len && n; i++)
            outs.at[i] = node_proj(e->st, n, (i64)i);
        int used = 0;
        r = n ? value_in_form(e, v, outs.at, &used) : NULL;
    }
    NodeVec *all[] = {&outs, &holes, &constants, &ops};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        vec_free(all[i]);
    return r;
}

Value *elab_fused(Elab *e, Expr *x)
{
    if (x->nargs != 1 || x->args[0].name)
        return elab_error(e, x->span, "arity", NULL, "fused(x) takes one expression");
    OpenScope open = {.opened_at = e->st->clock, .span = x->span};
    Env *saved = e->env;
    e->env = env_new(e, saved, &open);
    Value *v = value_plain(e, elab_expr(e, x->args[0].value));
    e->env = saved;
    ValueVec leaves = {0};
    bool tensors = v && value_leaves(e, v, &leaves) && leaves.len;
    if (v && !tensors)
        elab_error(e, x->span, "type-mismatch", NULL, "fused takes tensors, this is %s",
                   value_describe(e, v));
    vec_free(&leaves);
    Value *r = tensors ? close_fused(e, &open, v, x->span) : NULL;
    map_free(&open.mentioned);
    return r;
}

/* A function that is given `fused` gets values, which are computed already. */
BUILTIN(fused)
{
    return elab_error(e, a->span, "type-mismatch", NULL,
                      "fused is not a function of values: it takes an expression where it stands");
}
