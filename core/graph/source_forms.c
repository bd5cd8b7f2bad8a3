/* Subscripts, control and derivatives in the surface language.
 *
 * Invariant: inner graphs are shown with their parameters replaced by what the owner gives
 * them; no node is built for that. */
#include "graph/source.h"
#include "graph/control.h"

/* ---- subscripts ---- */

static void colons(Writer *w, i64 axis)
{
    for (i64 i = 0; i < axis; i++)
        text_put(w->out, ":, ");
}

/* start:stop:step along an axis of `whole` sizes; ends that say nothing are left out. */
static void range(Writer *w, Node *n, Size *whole, Size *len, int depth, const Env *env)
{
    Store *st = w->st;
    i64 step = n->attrs[1].i;
    Size *start = size_of_node(st, n->ops[1]);
    Size *stop = size_add(st, start, size_scale(st, len, step));
    bool backwards = step < 0;
    bool from_end = backwards ? start == size_sub(st, whole, size_const(st, 1)) : size_is(start, 0);
    bool to_end = backwards ? size_is(stop, -1) : stop == whole;
    if (!from_end)
        source_at(w, n, 1, LEVEL_OR, depth, env);
    text_putc(w->out, ':');
    if (!to_end && !size_has_kind(stop, ATOM_NODE)) {
        size_print_numbered(w->out, stop, w->num);
    } else if (!to_end) { /* a size that only the run knows */
        if (!size_is(start, 0)) {
            source_at(w, n, 1, LEVEL_ADD, depth, env);
            text_put(w->out, " + ");
        }
        if (n->op == OP_SLICE)
            source_at(w, n, 2, LEVEL_MUL, depth, env);
        else
            size_print_numbered(w->out, len, w->num);
        if (step != 1)
            text_printf(w->out, " * %lld", (long long)step);
    }
    if (step != 1)
        text_printf(w->out, ":%lld", (long long)step);
}

void source_subscript(Writer *w, Node *n, int depth, const Env *env)
{
    i64 axis = n->attrs[0].i;
    text_putc(w->out, '[');
    colons(w, axis);
    if (n->op == OP_SLICE)
        range(w, n, n->ops[0]->type->dims[axis], n->type->dims[axis], depth, env);
    else if (n->op == OP_SET_SLICE)
        range(w, n, n->type->dims[axis], n->ops[2]->type->dims[axis], depth, env);
    else
        source_at(w, n, 1, LEVEL_ANY, depth, env);
    text_putc(w->out, ']');
}

void source_changed_copy(Writer *w, Node *n, int depth, const Env *env)
{
    source_at(w, n, 0, LEVEL_WITH, depth, env);
    text_put(w->out, " with ");
    source_subscript(w, n, depth, env);
    text_put(w->out, source_store_mode(n) ? " += " : " = ");
    source_at(w, n, 2, LEVEL_ADD, depth, env);
}

/* ---- operators that own graphs ---- */

static void outputs(Writer *w, Graph *g, int depth, const Env *env)
{
    text_put(w->out, g->nouts == 1 ? "" : "(");
    for (int i = 0; i < g->nouts && !w->full; i++) {
        text_put(w->out, i ? ", " : "");
        source_expression(w, g->outs[i], LEVEL_ANY, depth + 1, env);
    }
    text_put(w->out, g->nouts == 1 ? "" : ")");
}

static void scan(Writer *w, Node *n, int depth, const Env *env)
{
    ScanShape s = scan_shape(n);
    const u32 starts[] = {0, 1, 1 + (u32)s.nstates, 1 + (u32)(s.nstates + s.nseqs), n->nops};
    static const char *const roles[] = {"", "from=", "over=", "using="};
    i64 steps;
    bool endless = node_const_i64(s.n, &steps) && steps == SCAN_UNBOUNDED, any = false;
    text_put(w->out, endless ? "while(" : "scan(");
    for (int k = endless ? 1 : 0; k < 4; k++) {
        if (starts[k] == starts[k + 1])
            continue;
        text_printf(w->out, "%s%s", any ? ", " : "", roles[k]);
        source_one_or_tuple(w, n, starts[k], starts[k + 1], depth, env);
        any = true;
    }
    text_put(w->out, s.reverse ? ", reverse=true" : "");
    if (s.checkpoint == CHECKPOINT_AUTO)
        text_put(w->out, ", checkpoint=auto");
    else if (s.checkpoint)
        text_printf(w->out, ", checkpoint=%lld", (long long)s.checkpoint);
    text_putc(w->out, ')');
}

static void loop(Writer *w, Node *n, int depth, const Env *env)
{
    LoopShape s = loop_shape(n);
    const u32 starts[] = {0, 1, 2, 2 + (u32)s.nstates, n->nops};
    static const char *const roles[] = {"rows=", "go=", "from=", "using="};
    text_put(w->out, "loop(");
    for (int k = s.grows && !s.ntraces ? 1 : 0, any = 0; k < 4; k++) {
        if (starts[k] == starts[k + 1])
            continue;
        text_printf(w->out, "%s%s", any++ ? ", " : "", roles[k]);
        source_one_or_tuple(w, n, starts[k], starts[k + 1], depth, env);
    }
    text_put(w->out, s.down ? ", down=true)" : ")");
}

/* ".final.h" or ".h" by the name of the state or trace; false: it has none. */
static bool named_result(Writer *w, const Node *n, i64 index)
{
    bool is_scan = n->op == OP_SCAN;
    const Graph *body = is_scan ? scan_shape(n).body : loop_shape(n).body;
    int nstates = is_scan ? scan_shape(n).nstates : loop_shape(n).nstates;
    int steps = is_scan ? scan_shape(n).steps : loop_shape(n).steps;
    const Symbol *names = is_scan ? scan_roles(w->st, n).names : map_get(&w->st->param_names, body);
    Symbol name = NULL;
    if (index < nstates)
        name = names ? names[index] : NULL;
    else if (index < steps)
        name = is_scan ? scan_roles(w->st, n).outs[index - nstates]
                       : node_name_in(w->st, body, body->outs[index]);
    if (name)
        text_printf(w->out, "%s.%.*s", index < nstates ? ".final" : "", (int)strcspn(name, "["),
                    name);
    return name != NULL;
}

/* Result `index` of a scan or a loop. */
static void scan_result(Writer *w, const Node *n, i64 index)
{
    if (w->leaves && named_result(w, n, index))
        return;
    bool is_scan = n->op == OP_SCAN;
    int nstates = is_scan ? scan_shape(n).nstates : loop_shape(n).nstates;
    int steps = is_scan ? scan_shape(n).steps : loop_shape(n).steps;
    if (index < nstates)
        text_put(w->out, ".final");
    else if (index < steps)
        text_put(w->out, ".trace");
    else
        text_put(w->out, index == steps ? ".steps" : ".stopped");
    if (index < nstates && nstates > 1)
        text_printf(w->out, "[%lld]", (long long)index);
    else if (index >= nstates && index < steps && steps - nstates > 1)
        text_printf(w->out, "[%lld]", (long long)(index - nstates));
}

/* The whole value, or result `only` of both branches. */
static void conditional(Writer *w, Node *n, i64 only, int depth, const Env *env)
{
    IfShape s = if_shape(n);
    Env then_env = {s.operands, s.then_args, s.noperands, env, s.then_graph};
    Env else_env = {s.operands, s.else_args, s.noperands, env, s.else_graph};
    text_put(w->out, "if ");
    source_at(w, n, 0, LEVEL_OR, depth, env);
    text_put(w->out, " then ");
    if (only >= 0)
        source_expression(w, s.then_graph->outs[only], LEVEL_OR, depth + 1, &then_env);
    else
        outputs(w, s.then_graph, depth, &then_env);
    text_put(w->out, " else ");
    if (only >= 0)
        source_expression(w, s.else_graph->outs[only], LEVEL_ANY, depth + 1, &else_env);
    else
        outputs(w, s.else_graph, depth, &else_env);
}

/* grad(body, wrt), vjp(body, wrt, cotangents), jvp(body, wrt, tangents) */
static void derivative(Writer *w, Node *n, i64 only, int depth, const Env *env)
{
    Graph *g = n->attrs[0].graph;
    u32 wrt = (u32)n->attrs[1].i, params = (u32)g->nparams;
    Env inner = {n->ops, NULL, n->nops, env, g};
    bool one = n->op == OP_GRAD && only >= 0 && only < wrt;
    text_printf(w->out, "%s(", n->op == OP_GRAD && !one ? "value_and_grad" : op_table[n->op].name);
    outputs(w, g, depth, &inner);
    text_put(w->out, ", ");
    if (one)
        source_at(w, n, (u32)only, LEVEL_ANY, depth, env);
    else
        source_one_or_tuple(w, n, 0, wrt, depth, env);
    if (n->nops > params) {
        text_put(w->out, ", ");
        source_one_or_tuple(w, n, params, n->nops, depth, env);
    }
    if (n->op != OP_JVP && n->attrs[2].i >= 0)
        text_printf(w->out, ", truncate=%lld", (long long)n->attrs[2].i);
    text_putc(w->out, ')');
    if (only < 0 || one)
        return;
    if (n->op == OP_GRAD) /* the value comes first there */
        text_put(w->out, "[0]");
    else
        text_printf(w->out, "[%lld]", (long long)only);
}

/* The axes of `axes` that are not -1: a number if they are all the same, else a tuple. */
static void vmap_axes(Writer *w, const char *name, const IntList *axes)
{
    bool same = true;
    i64 first = -1;
    for (u32 i = 0; i < axes->n; i++) {
        first = first < 0 ? axes->at[i] : first;
        same = same && (axes->at[i] < 0 || axes->at[i] == first);
    }
    if (same && first <= 0)
        return;
    text_printf(w->out, ", %s=", name);
    bool any = false;
    for (u32 i = 0; i < axes->n && !same; i++)
        if (axes->at[i] >= 0) {
            text_printf(w->out, "%s%lld", any ? ", " : "(", (long long)axes->at[i]);
            any = true;
        }
    if (same)
        text_printf(w->out, "%lld", (long long)first);
    else
        text_putc(w->out, ')');
}

/* vmap((p0, p1) -> body, in_axes=(0, 1))(x, y): what has no lanes stands in the body. */
static void vmap(Writer *w, Node *n, int depth, const Env *env)
{
    Graph *g = n->attrs[0].graph;
    const IntList *in = n->attrs[1].ints;
    Node **args = xcalloc(n->nops + 1, sizeof *args);
    u32 lanes = 0, k = 0;
    for (u32 i = 0; i < in->n; i++)
        if (in->at[i] < 0)
            args[i] = n->ops[i];
        else
            lanes++;
    Env inner = {args, NULL, n->nops, env, g};
    text_put(w->out, lanes > 1 ? "vmap((" : "vmap(");
    for (u32 i = 0; i < in->n; i++)
        if (in->at[i] >= 0) {
            text_put(w->out, k++ ? ", " : "");
            source_expression(w, g->param_nodes[i], LEVEL_ANY, depth, &inner);
        }
    text_put(w->out, lanes > 1 ? ") -> " : " -> ");
    outputs(w, g, depth, &inner);
    vmap_axes(w, "in_axes", in);
    vmap_axes(w, "out_axes", n->attrs[2].ints);
    text_put(w->out, ")(");
    for (u32 i = k = 0; i < in->n; i++)
        if (in->at[i] >= 0) {
            text_put(w->out, k++ ? ", " : "");
            source_at(w, n, i, LEVEL_ANY, depth, env);
        }
    text_putc(w->out, ')');
    free(args);
}

/* All results. */
static void choice(Writer *w, Node *n, int depth, const Env *env)
{
    conditional(w, n, -1, depth, env);
}
static void derived(Writer *w, Node *n, int depth, const Env *env)
{
    derivative(w, n, -1, depth, env);
}

static void call(Writer *w, Node *n, int depth, const Env *env)
{
    Symbol name = n->attrs[1].name;
    text_put(w->out, name ? name : "f");
    text_putc(w->out, '(');
    source_list(w, n, 0, n->nops, false, depth, env);
    text_putc(w->out, ')');
}

/* Without numbers, what it computes; else what it reads: the node has a line of its own. */
static void fused(Writer *w, Node *n, int depth, const Env *env)
{
    Env inner = {n->ops, NULL, n->nops, env, n->attrs[0].graph};
    if (!w->num) {
        outputs(w, n->attrs[0].graph, depth, &inner);
        return;
    }
    text_put(w->out, "fused(");
    source_list(w, n, 0, n->nops, false, depth, env);
    text_putc(w->out, ')');
}

void source_projection(Writer *w, Node *n, int depth, const Env *env)
{
    Node *t = n->ops[0];
    i64 i = n->attrs[0].i;
    bool named = source_is_named(w, t);
    if (t->op == OP_IFELSE && !named) {
        conditional(w, t, i, depth, env);
    } else if (t->op == OP_GRAD && !named) {
        derivative(w, t, i, depth, env);
    } else {
        bool loops = t->op == OP_SCAN || t->op == OP_LOOP;
        /* too long to stand in a line */
        bool by_number = (loops || t->op == OP_FUSED) && w->num && !named;
        if (by_number)
            source_number(w, t, env);
        else
            source_expression(w, t, LEVEL_POSTFIX, depth, env);
        if (loops)
            scan_result(w, t, i);
        else if (t->type->nitems > 1 || named)
            text_printf(w->out, "[%lld]", (long long)i);
    }
}

SourceForm source_control(OpForm form)
{
    static const SourceForm forms[FORM_COUNT] = {
        [FORM_scan] = scan,   [FORM_loop] = loop,    [FORM_choice] = choice,
        [FORM_fused] = fused, [FORM_applied] = call, [FORM_derivative] = derived,
        [FORM_lanes] = vmap,
    };
    return forms[form];
}
