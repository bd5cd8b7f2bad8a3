/* Subscripts, control and derivatives in the surface language.
 *
 * Invariant: inner graphs are shown with their parameters replaced by what the owner gives
 * them; no node is built for that. */
#include "graph/control.h"
#include "graph/provenance.h"
#include "graph/names.h"
#include "surface/tree.h"

/* ---- subscripts ---- */

static AstOp sign_of(OpId op)
{
    AstOp sign = AST_ADD;
    op_sign(op, true, &sign);
    return sign;
}

/* Where a range ends whose length only the run knows: start + len * step. */
static Expr *open_end(Builder *b, Node *n, Size *len, bool from_zero, int depth, const Env *env)
{
    i64 step = n->attrs[1].i;
    Expr *e = n->op == OP_SLICE ? tree_at(b, n, 2, depth, env) : tree_size(b, len);
    if (step != 1)
        e = tree_operator(b, sign_of(OP_MUL), e, tree_int(b, step));
    return from_zero ? e : tree_operator(b, sign_of(OP_ADD), tree_at(b, n, 1, depth, env), e);
}

/* start:stop:step along an axis of `whole` sizes; ends that say nothing are left out. */
static Sub range(Builder *b, Node *n, Size *whole, Size *len, int depth, const Env *env)
{
    Store *st = b->st;
    Sub sub = {.kind = SUB_SLICE};
    i64 step = n->attrs[1].i;
    Size *start = size_of_node(st, n->ops[1]);
    Size *stop = size_add(st, start, size_scale(st, len, step));
    bool backwards = step < 0;
    bool from_end = backwards ? start == size_sub(st, whole, size_const(st, 1)) : size_is(start, 0);
    bool to_end = backwards ? size_is(stop, -1) : stop == whole;
    if (!from_end)
        sub.start = tree_at(b, n, 1, depth, env);
    if (!to_end)
        sub.stop = size_has_kind(stop, ATOM_NODE)
                       ? open_end(b, n, len, size_is(start, 0), depth, env)
                       : tree_size(b, stop);
    if (step != 1)
        sub.step = tree_int(b, step);
    return sub;
}

/* x[:, None] of x, whose new axis stands in front of that of n: n's goes in the same brackets. */
static bool joins(const Expr *x, const Node *n)
{
    const IntList *axes = n->attrs[0].ints;
    const Node *of = x->of;
    return x->kind == E_INDEX && of && of->op == OP_EXPAND_DIMS && n->op == OP_EXPAND_DIMS &&
           axes->n == 1 && axes->at[0] == x->nsubs;
}

Expr *tree_new_axes(Builder *b, Node *n, bool old, int depth, const Env *env)
{
    const IntList *axes = n->attrs[0].ints;
    Expr *e = tree_new(b, E_INDEX, NULL), *x = tree_of(b, n->ops[0], depth + 1, env);
    bool joined = joins(x, n);
    tree_item(b, e, joined ? x->items[0] : x);
    e->nsubs = n->type->rank;
    e->subs = arena_alloc(&b->arena, (size_t)e->nsubs * sizeof *e->subs);
    for (int i = 0; i < e->nsubs; i++)
        e->subs[i] =
            joined && i < x->nsubs ? x->subs[i] : (Sub){.kind = old ? SUB_NEWAXIS : SUB_SLICE};
    for (u32 i = 0; i < axes->n; i++)
        e->subs[axes->at[i]].kind = old ? SUB_SLICE : SUB_NEWAXIS;
    return e;
}

Expr *tree_subscript(Builder *b, Node *n, Expr *base, Expr *value, int depth, const Env *env)
{
    i64 axis = n->attrs[0].i;
    Expr *e = tree_new(b, value ? E_WITH : E_INDEX, NULL);
    tree_item(b, e, base);
    if (value) {
        tree_item(b, e, value);
        e->flag = tree_store_mode(n) != 0;
    }
    e->nsubs = (int)axis + 1;
    e->subs = arena_alloc(&b->arena, (size_t)e->nsubs * sizeof *e->subs);
    for (i64 i = 0; i < axis; i++)
        e->subs[i].kind = SUB_SLICE;
    if (n->op == OP_SLICE)
        e->subs[axis] = range(b, n, n->ops[0]->type->dims[axis], n->type->dims[axis], depth, env);
    else if (n->op == OP_SET_SLICE)
        e->subs[axis] = range(b, n, n->type->dims[axis], n->ops[2]->type->dims[axis], depth, env);
    else
        e->subs[axis] = (Sub){.kind = SUB_INDEX, .index = tree_at(b, n, 1, depth, env)};
    return e;
}

/* ---- operators that own graphs ---- */

static Expr *outputs(Builder *b, Graph *g, int depth, const Env *env)
{
    if (g->nouts == 1)
        return tree_of(b, g->outs[0], depth + 1, env);
    Expr *e = tree_new(b, E_TUPLE, NULL);
    for (int i = 0; i < g->nouts && !b->full; i++)
        tree_item(b, e, tree_of(b, g->outs[i], depth + 1, env));
    return e;
}

/* Each part that is not empty, called as it says. */
static void parts(Builder *b, Expr *call, Node *n, const u32 *starts, const char *const *roles,
                  int depth, const Env *env)
{
    for (int k = 0; k < 4; k++)
        if (starts[k] != starts[k + 1])
            tree_arg(b, call, roles[k],
                     tree_one_or_tuple(b, n, starts[k], starts[k + 1], depth, env));
}

static Expr *scan(Builder *b, Node *n, int depth, const Env *env)
{
    static const char *const roles[] = {NULL, "from", "over", "using"};
    ScanShape s = scan_shape(n);
    i64 steps;
    bool endless = node_const_i64(s.n, &steps) && steps == SCAN_UNBOUNDED;
    const u32 starts[] = {endless, 1, 1 + (u32)s.nstates, 1 + (u32)(s.nstates + s.nseqs), n->nops};
    Expr *e = tree_call(b, endless ? "while" : "scan");
    parts(b, e, n, starts, roles, depth, env);
    if (s.reverse)
        tree_arg_text(b, e, "reverse", "true");
    if (s.checkpoint == CHECKPOINT_AUTO)
        tree_arg_text(b, e, "checkpoint", "auto");
    else if (s.checkpoint)
        tree_arg_int(b, e, "checkpoint", s.checkpoint);
    return e;
}

static Expr *loop(Builder *b, Node *n, int depth, const Env *env)
{
    static const char *const roles[] = {"rows", "go", "from", "using"};
    LoopShape s = loop_shape(n);
    const u32 starts[] = {s.grows && !s.ntraces, 1, 2, 2 + (u32)s.nstates, n->nops};
    Expr *e = tree_call(b, "loop");
    parts(b, e, n, starts, roles, depth, env);
    if (s.down)
        tree_arg_text(b, e, "down", "true");
    return e;
}

/* of.final.h or of.h by the name of the state or trace; NULL: it has none. */
static Expr *named_result(Builder *b, const Node *n, i64 index, Expr *of)
{
    bool is_scan = n->op == OP_SCAN;
    const Graph *body = is_scan ? scan_shape(n).body : loop_shape(n).body;
    int nstates = is_scan ? scan_shape(n).nstates : loop_shape(n).nstates;
    int steps = is_scan ? scan_shape(n).steps : loop_shape(n).steps;
    const Symbol *names = is_scan ? scan_roles(b->st, n).names : graph_names(b->st, body);
    Symbol name = NULL;
    if (index < nstates)
        name = names ? names[index] : NULL;
    else if (index < steps)
        name = is_scan ? scan_roles(b->st, n).outs[index - nstates]
                       : node_name_in(b->st, body, body->outs[index]);
    if (!name)
        return NULL;
    of = index < nstates ? tree_field(b, of, "final") : of;
    return tree_field(b, of, name_base(b->st, name));
}

/* Result `index` of a scan or a loop, which is `of`. */
static Expr *loop_result(Builder *b, const Node *n, i64 index, Expr *of)
{
    Expr *named = b->leaves ? named_result(b, n, index, of) : NULL;
    if (named)
        return named;
    bool is_scan = n->op == OP_SCAN;
    int nstates = is_scan ? scan_shape(n).nstates : loop_shape(n).nstates;
    int steps = is_scan ? scan_shape(n).steps : loop_shape(n).steps;
    if (index >= steps)
        return tree_field(b, of, index == steps ? "steps" : "stopped");
    bool final = index < nstates;
    of = tree_field(b, of, final ? "final" : "trace");
    if ((final ? nstates : steps - nstates) == 1)
        return of;
    return tree_index(b, of, final ? index : index - nstates);
}

/* The whole value, or result `only` of both branches. */
static Expr *conditional(Builder *b, Node *n, i64 only, int depth, const Env *env)
{
    IfShape s = if_shape(n);
    Env then_env = {s.operands, s.then_args, s.noperands, env, s.then_graph};
    Env else_env = {s.operands, s.else_args, s.noperands, env, s.else_graph};
    Expr *e = tree_new(b, E_IF, NULL);
    e->flag = true;
    tree_item(b, e, tree_at(b, n, 0, depth, env));
    tree_item(b, e,
              only >= 0 ? tree_of(b, s.then_graph->outs[only], depth + 1, &then_env)
                        : outputs(b, s.then_graph, depth, &then_env));
    tree_item(b, e,
              only >= 0 ? tree_of(b, s.else_graph->outs[only], depth + 1, &else_env)
                        : outputs(b, s.else_graph, depth, &else_env));
    return e;
}

/* grad(body, wrt), vjp(body, wrt, cotangents), jvp(body, wrt, tangents) */
static Expr *derivative(Builder *b, Node *n, i64 only, int depth, const Env *env)
{
    Graph *g = n->attrs[0].graph;
    u32 wrt = (u32)n->attrs[1].i, params = (u32)g->nparams;
    Env inner = {n->ops, NULL, n->nops, env, g};
    bool one = n->op == OP_GRAD && only >= 0 && only < wrt;
    Expr *e = tree_call(b, n->op == OP_GRAD && !one ? "value_and_grad" : op_table[n->op].name);
    tree_arg(b, e, NULL, outputs(b, g, depth, &inner));
    tree_arg(b, e, NULL,
             one ? tree_at(b, n, (u32)only, depth, env)
                 : tree_one_or_tuple(b, n, 0, wrt, depth, env));
    if (n->nops > params)
        tree_arg(b, e, NULL, tree_one_or_tuple(b, n, params, n->nops, depth, env));
    if (n->attrs[2].i >= 0)
        tree_arg_int(b, e, "truncate", n->attrs[2].i);
    if (only < 0 || one)
        return e;
    return tree_index(b, e, n->op == OP_GRAD ? 0 : only); /* the value comes first there */
}

void tree_arg_axes(Builder *b, Expr *call, const char *name, const IntList *axes)
{
    bool same = true;
    i64 first = -1;
    Expr *all = tree_new(b, E_TUPLE, NULL);
    for (u32 i = 0; i < axes->n; i++) {
        first = first < 0 ? axes->at[i] : first;
        same = same && (axes->at[i] < 0 || axes->at[i] == first);
        if (axes->at[i] >= 0)
            tree_item(b, all, tree_int(b, axes->at[i]));
    }
    if (!same || first > 0)
        tree_arg(b, call, name, same ? tree_int(b, first) : all);
}

/* vmap((p0, p1) -> body, in_axes=(0, 1))(x, y): what has no lanes stands in the body. */
static Expr *vmap(Builder *b, Node *n, int depth, const Env *env)
{
    Graph *g = n->attrs[0].graph;
    const IntList *in = n->attrs[1].ints;
    Node **args = xcalloc(n->nops + 1, sizeof *args);
    Expr *lambda = tree_new(b, E_LAMBDA, NULL), *outer = tree_call(b, "vmap");
    Expr *e = tree_new(b, E_CALL, NULL);
    Env inner = {args, NULL, n->nops, env, g};
    for (u32 i = 0; i < in->n; i++)
        if (in->at[i] < 0)
            args[i] = n->ops[i];
    for (u32 i = 0; i < in->n; i++)
        if (in->at[i] >= 0) {
            tree_param(b, lambda, tree_parameter(b, g->param_nodes[i]));
            tree_arg(b, e, NULL, tree_at(b, n, i, depth, env));
        }
    tree_item(b, lambda, outputs(b, g, depth, &inner));
    tree_arg(b, outer, NULL, lambda);
    tree_arg_axes(b, outer, "in_axes", in);
    tree_arg_axes(b, outer, "out_axes", n->attrs[2].ints);
    tree_item(b, e, outer);
    free(args);
    return e;
}

/* All results. */
static Expr *choice(Builder *b, Node *n, int depth, const Env *env)
{
    return conditional(b, n, -1, depth, env);
}
static Expr *derived(Builder *b, Node *n, int depth, const Env *env)
{
    return derivative(b, n, -1, depth, env);
}

static Expr *call(Builder *b, Node *n, int depth, const Env *env)
{
    Symbol name = n->attrs[1].name;
    Expr *e = tree_call(b, name ? name : "f");
    tree_args(b, e, n, 0, n->nops, depth, env);
    return e;
}

/* Without numbers, what it computes; else what it reads: the node has a line of its own. */
static Expr *fused(Builder *b, Node *n, int depth, const Env *env)
{
    Env inner = {n->ops, NULL, n->nops, env, n->attrs[0].graph};
    if (!b->num)
        return outputs(b, n->attrs[0].graph, depth, &inner);
    Expr *e = tree_call(b, "fused");
    tree_args(b, e, n, 0, n->nops, depth, env);
    return e;
}

Expr *tree_projection(Builder *b, Node *n, int depth, const Env *env)
{
    Node *t = n->ops[0];
    i64 i = n->attrs[0].i;
    bool named = tree_is_named(b, t), loops = node_is_loop(t);
    if (t->op == OP_IFELSE && !named)
        return conditional(b, t, i, depth, env);
    if (t->op == OP_GRAD && !named)
        return derivative(b, t, i, depth, env);
    /* too long to stand in a line */
    bool by_number = (loops || t->op == OP_FUSED) && b->num && !named;
    Expr *whole = by_number ? tree_number(b, t, env) : tree_of(b, t, depth, env);
    if (loops)
        return loop_result(b, t, i, whole);
    return t->type->nitems > 1 || named ? tree_index(b, whole, i) : whole;
}

TreeForm tree_control(OpForm form)
{
    static const TreeForm forms[FORM_COUNT] = {
        [FORM_scan] = scan,   [FORM_loop] = loop,    [FORM_choice] = choice,
        [FORM_fused] = fused, [FORM_applied] = call, [FORM_derivative] = derived,
        [FORM_lanes] = vmap,
    };
    return forms[form];
}
