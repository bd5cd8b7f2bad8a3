/* Nodes in a listing: operators that own graphs, and those that have no sign or syntax.
 *
 * Invariant: what is printed is read back as the node it was printed for. Where the short form of
 * the language would build something else, the operator is called by its own name with all its
 * attributes: add(a, b, c), slice(x, 1, n, axis=0). */
#include "graph/walk.h"
#include "graph/provenance.h"
#include "ops/build.h"
#include "surface/listing.h"

/* ---- which form ---- */

/* The operands of n as they are written, from one on. */
static void add_written(const Builder *b, const Node *n, u32 from, NodeVec *to)
{
    for (u32 i = from; i < n->nops; i++)
        vec_push(to, listing_operand(b, n, source_operand(b->st, n, i)));
}

/* Would n be read as one sum, if its first operand is `part`, a sum without parentheses? */
static bool is_chain(const Builder *b, const Node *n, const Node *part)
{
    NodeVec all = {0};
    if (part)
        add_written(b, part, 0, &all);
    add_written(b, n, part ? 1 : 0, &all);
    bool chain = build_is_chain((u32)all.len, all.at);
    vec_free(&all);
    return chain;
}

bool listing_nested(const Builder *b, const Node *n, const Node *part)
{
    if (part->op != n->op || !(op_table[n->op].flags & NARY))
        return false;
    return n->nops > 2 || part->nops > 2 || is_chain(b, n, part);
}

/* A constant from start to stop, in bounds: read as it stands. */
static bool plain_slice(const Node *n, const Type *whole, const Type *part)
{
    i64 start, size, len, axis = n->attrs[0].i, step = n->attrs[1].i;
    if (!node_const_i64(n->ops[1], &start) || !size_is_const(whole->dims[axis], &size) ||
        !size_is_const(part->dims[axis], &len) || step < 1 || start < 0 || len < 1)
        return false;
    i64 stop = start + (len - 1) * step + 1;
    return start + len * step <= size + step - 1 && stop <= size && !(len == size && step == 1);
}

static bool trailing(const Node *n)
{
    const IntList *axes = n->attrs[0].ints;
    for (u32 i = 0; i < axes->n; i++)
        if (axes->at[i] != (i64)(n->nops - 1 - axes->n + i) || size_is(n->ops[0]->type->dims[i], 1))
            return false;
    return n->nops > 1 + axes->n;
}

/* arange counts from 0 to n, and not to something else where n is negative or can be simplified. */
static bool is_range(Store *st, const Node *n)
{
    i64 least;
    Size *s = size_of_node(st, n->ops[0]);
    return size_lower_bound(s, &least) && least >= 0 && size_to_node(st, s) == n->ops[0];
}

/* A constant, or what stands for one in an inner graph. */
static bool is_literal(const Frame *f, const Node *n)
{
    Symbol text = map_get(&f->names, n);
    return n->op == OP_CONST || (text && strchr("0123456789(-", *text));
}

static bool all_literals(const Frame *f, const Node *n)
{
    for (u32 i = 0; i < n->nops; i++)
        if (!is_literal(f, n->ops[i]))
            return false;
    return true;
}

/* Would the short form be read as another node? */
static bool needs_raw(const Builder *b, const Node *n)
{
    const Frame *f = b->frame;
    switch (n->op) {
    case OP_NEG:
    case OP_CAST: return is_literal(f, n->ops[0]);
    case OP_SLICE: return n->ops[2]->op != OP_CONST || !plain_slice(n, n->ops[0]->type, n->type);
    case OP_SET_SLICE: return !plain_slice(n, n->type, n->ops[2]->type);
    case OP_BROADCAST: return !trailing(n);
    case OP_IOTA: return !is_range(f->l->st, n);
    case OP_CHECK:
    case OP_DIM: return true;
    default:
        return (op_table[n->op].flags & NARY) && n->nops > 2 &&
               (!is_chain(b, n, NULL) || all_literals(f, n));
    }
}

/* Do arrays meet whose sizes are not seen to be equal, so that they would be matched? */
static bool meets_unseen(const Node *n)
{
    const Type *like = NULL;
    for (u32 i = 0; i < n->nops && op_is_elementwise(n->op); i++) {
        const Type *t = n->ops[i]->type;
        if (like && t->rank && memcmp(t->dims, like->dims, (size_t)t->rank * sizeof *t->dims))
            return true;
        like = t->rank ? t : like;
    }
    return false;
}

static u32 arrays_of(const Node *n)
{
    u32 arrays = 0;
    for (u32 i = 0; i < n->nops; i++)
        arrays += n->ops[i]->type->rank > 0;
    return arrays;
}

static bool has_open_size(const Type *t)
{
    for (int a = 0; t->kind == TYPE_TENSOR && a < t->rank; a++)
        if (!size_is_const(t->dims[a], NULL))
            return true;
    return false;
}

/* What was matched has the sizes of one of its operands, what an `if` gives those of one branch,
 * and the reader may take the other's; so may what is computed from it. */
void listing_sizes_unseen(Frame *f, const Node *n)
{
    bool unseen = meets_unseen(n) || n->op == OP_IFELSE;
    for (u32 i = 0; i < n->nops && !unseen; i++)
        unseen = map_has(&f->unseen, n->ops[i]);
    unseen &= n->type->kind == TYPE_TUPLE || has_open_size(n->type);
    if (unseen)
        set_add(&f->unseen, n);
}

void listing_given(Frame *inner, Node *param, const Frame *f, const Node *arg)
{
    if (map_has(&f->unseen, arg))
        set_add(&inner->unseen, param);
}

void listing_same(Frame *inner, Node *param, Node *arg) { map_put(&inner->given, param, arg); }

static bool needs_fits(const Frame *f, const Node *n)
{
    return op_is_elementwise(n->op) && map_has(&f->unseen, n) && arrays_of(n) > 1;
}

Expr *listing_named(Builder *b, Node *n)
{
    if (n->op == OP_CONST && (n->type->rank || n->type->dtype == DT_RNG)) {
        Text t = {0};
        constant_source(&t, n->attrs[0].value);
        return tree_text(b, E_ARRAY, &t);
    }
    Symbol s = n == b->root ? NULL : map_get(&b->frame->names, n);
    return s ? tree_new(b, E_NAME, s) : NULL;
}

Node *listing_operand(const Builder *b, const Node *n, Node *op)
{
    return frame_operand(b->frame, n, op);
}

/* ---- operators that own graphs ---- */

static Expr *branch(Builder *b, const Node *owner, Graph *g, Node *const *operands,
                    const IntList *args)
{
    Frame inner;
    frame_inside(&inner, b->frame, owner, g, operands, args);
    Expr *e = frame_block(&inner, g->nouts, g->outs);
    frame_close(&inner);
    return e;
}

static Expr *conditional(Builder *b, Node *n)
{
    IfShape s = if_shape(n);
    Expr *e = tree_new(b, E_IF, NULL);
    e->flag = true;
    tree_item(b, e, tree_at(b, n, 0, 0, NULL));
    tree_item(b, e, branch(b, n, s.then_graph, s.operands, s.then_args));
    tree_item(b, e, branch(b, n, s.else_graph, s.operands, s.else_args));
    return e;
}

/* f(block): what the graph takes from outside bears its name there. */
static Expr *block_call(Builder *b, Node *n, const char *name)
{
    Expr *e = tree_call(b, name);
    tree_arg(b, e, NULL, branch(b, n, n->attrs[0].graph, n->ops, NULL));
    return e;
}

static Expr *fused(Builder *b, Node *n) { return block_call(b, n, "fused"); }

/* One is written alone. */
static Expr *list_of(Builder *b, Node *n, u32 from, u32 to, ExprKind kind)
{
    if (to - from == 1)
        return tree_at(b, n, from, 0, NULL);
    Expr *e = tree_new(b, kind, NULL);
    tree_items(b, e, n, from, to, 0, NULL);
    return e;
}

static bool depends_on(int n, Node *const *roots, const Node *p);

static bool branch_reads(const Graph *g, const IntList *args, i64 operand)
{
    for (u32 i = 0; i < args->n; i++)
        if (args->at[i] == operand && depends_on(g->nouts, g->outs, g->param_nodes[i]))
            return true;
    return false;
}

/* What no step and no branch reads is not written. */
static bool writes_operand(const Node *n, u32 k)
{
    OpForm form = op_table[n->op].form;
    if (!k || (form != FORM_scan && form != FORM_choice))
        return true;
    if (form == FORM_choice) {
        IfShape s = if_shape(n);
        return branch_reads(s.then_graph, s.then_args, (i64)k - 1) ||
               branch_reads(s.else_graph, s.else_args, (i64)k - 1);
    }
    const Graph *body = n->attrs[0].graph;
    return depends_on(body->nouts, body->outs, body->param_nodes[k - 1]);
}

/* Does what is written of any of these depend on p, a parameter? */
static bool depends_on(int n, Node *const *roots, const Node *p)
{
    NodeVec order = {0};
    NodeSet needed = {0};
    nodes_topo(n, roots, &order);
    for (int i = 0; i < n; i++)
        set_add(&needed, roots[i]);
    for (size_t i = order.len; i-- > 0;) {
        const Node *at = order.at[i];
        for (u32 k = 0; map_has(&needed, at) && k < at->nops; k++)
            if (writes_operand(at, k))
                set_add(&needed, at->ops[k]);
    }
    bool found = map_has(&needed, p);
    map_free(&needed);
    vec_free(&order);
    return found;
}

/* Does the loss depend on each of the wanted values? */
static bool is_connected(const Graph *g, int wrt)
{
    for (int i = 0; i < wrt; i++)
        if (!depends_on(1, g->outs, g->param_nodes[i]))
            return false;
    return true;
}

/* Does n of the frame f, as it is written, depend on `what` of the frame `at`, f or one around it?
 */
static bool written_reads(const Frame *f, Node *n, const Frame *at, const Node *what)
{
    if (f == at)
        return node_reads(n, what);
    for (size_t i = 0; i < f->given.len; i++)
        if (node_reads(n, map_key(&f->given, i)) &&
            written_reads(f->outer, map_val(&f->given, i), at, what))
            return true;
    return false;
}

/* Is the derivative that of a function, because a wanted value is made of numbers alone, which a
 * call takes as they are, or something that is not to be differentiated depends on it? Two
 * parameters of a graph may stand for one value around it. */
static bool needs_function(const Frame *f, const Node *n)
{
    int wrt = (int)n->attrs[1].i, params = n->attrs[0].graph->nparams;
    for (int i = 0; i < wrt; i++) {
        const Frame *at = f;
        Node *what = n->ops[i];
        for (Node *outer; (outer = map_get(&at->given, what)); at = at->outer)
            what = outer;
        if (node_is_number(n->ops[i]))
            return true;
        for (int k = 0; k < params; k++)
            if (k != i && written_reads(f, n->ops[k], at, what))
                return true;
    }
    return false;
}

/* "(x, y)" of a function of the wanted values; of grad, which is by one value, "p", a tuple with
 * the parts p[0] and p[1]. */
static void put_wanted(Builder *b, Expr *lambda, Frame *inner, const Graph *g, u32 wrt, bool tuple)
{
    const Symbol *names = graph_names(b->st, g);
    Symbol whole = tuple ? frame_take(inner, "p") : NULL;
    if (tuple)
        tree_param(b, lambda, whole);
    for (u32 i = 0; i < wrt; i++) {
        Text part = {0};
        text_printf(&part, "%s[%u]", tuple ? whole : "", i);
        Symbol s = tuple ? symbol(b->st, text_str(&part))
                         : frame_take(inner, names && names[i] ? names[i] : "");
        text_free(&part);
        frame_name(inner, g->param_nodes[i], s);
        if (!tuple)
            tree_param(b, lambda, s);
    }
}

/* grad, value_and_grad, vjp, jvp */
static const char *derivative_name(const Builder *b, const Node *n)
{
    return frame_is_pair(b->frame, n) ? "value_and_grad" : op_table[n->op].name;
}

/* grad(x -> loss)(2.0), grad(p -> loss)((1.0, 2.0)), jvp((x, y) -> f)(1.0, 2.0, (dx, dy)) */
static Expr *derived_function(Builder *b, Node *n)
{
    Graph *g = n->attrs[0].graph;
    u32 wrt = (u32)n->attrs[1].i, params = (u32)g->nparams;
    bool tuple = n->op == OP_GRAD && wrt > 1;
    Node **args = xcalloc(n->nops + 1, sizeof *args);
    Expr *of = tree_call(b, derivative_name(b, n));
    Expr *e = tree_new(b, E_CALL, NULL), *lambda = tree_new(b, E_LAMBDA, NULL);
    Frame inner;
    for (u32 i = wrt; i < params; i++)
        args[i] = n->ops[i];
    frame_inside(&inner, b->frame, n, g, args, NULL);
    put_wanted(b, lambda, &inner, g, wrt, tuple);
    tree_item(b, lambda, frame_block(&inner, g->nouts, g->outs));
    frame_close(&inner);
    tree_arg(b, of, NULL, lambda);
    if (n->attrs[2].i >= 0)
        tree_arg_int(b, of, "truncate", n->attrs[2].i);
    tree_item(b, e, of);
    if (tuple)
        tree_arg(b, e, NULL, list_of(b, n, 0, wrt, E_TUPLE));
    else
        tree_args(b, e, n, 0, wrt, 0, NULL);
    if (n->nops > params)
        tree_arg(b, e, NULL, list_of(b, n, params, n->nops, E_TUPLE));
    free(args);
    return e;
}

/* grad(loss, [a, b]), vjp(y, [a, b], ybar), jvp(y, (a, b), (da, db)) */
static Expr *derivative(Builder *b, Node *n)
{
    if (needs_function(b->frame, n))
        return derived_function(b, n);
    Graph *g = n->attrs[0].graph;
    u32 wrt = (u32)n->attrs[1].i, params = (u32)g->nparams;
    Expr *e = block_call(b, n, derivative_name(b, n));
    tree_arg(b, e, NULL, list_of(b, n, 0, wrt, n->op == OP_JVP ? E_TUPLE : E_ARRAY));
    if (n->nops > params)
        tree_arg(b, e, NULL, list_of(b, n, params, n->nops, E_TUPLE));
    if (n->op == OP_GRAD && !is_connected(g, (int)wrt))
        tree_arg_text(b, e, "unconnected", "keep");
    if (n->attrs[2].i >= 0)
        tree_arg_int(b, e, "truncate", n->attrs[2].i);
    return e;
}

static Expr *vmap(Builder *b, Node *n)
{
    Graph *g = n->attrs[0].graph;
    const IntList *in = n->attrs[1].ints;
    Node **args = xcalloc(n->nops + 1, sizeof *args);
    const Symbol *names = graph_names(b->st, g);
    Expr *of = tree_call(b, "vmap"), *e = tree_new(b, E_CALL, NULL);
    Expr *lambda = tree_new(b, E_LAMBDA, NULL);
    Frame inner;
    for (u32 i = 0; i < in->n; i++)
        if (in->at[i] < 0)
            args[i] = n->ops[i];
    frame_inside(&inner, b->frame, n, g, args, NULL);
    for (u32 i = 0; i < in->n; i++)
        if (in->at[i] >= 0) {
            Symbol s = frame_take(&inner, names && names[i] ? names[i] : "");
            frame_name(&inner, g->param_nodes[i], s);
            tree_param(b, lambda, s);
            tree_arg(b, e, NULL, tree_at(b, n, i, 0, NULL));
        }
    tree_item(b, lambda, frame_block(&inner, g->nouts, g->outs));
    frame_close(&inner);
    tree_arg(b, of, NULL, lambda);
    tree_arg_axes(b, of, "in_axes", in);
    tree_arg_axes(b, of, "out_axes", n->attrs[2].ints);
    tree_item(b, e, of);
    free(args);
    return e;
}

/* The name of the function that n calls; it is defined before everything else. */
static Symbol function_of(Builder *b, const Node *n)
{
    Graph *g = n->attrs[0].graph;
    const char *wanted = n->attrs[1].name;
    Listing *l = b->frame->l;
    Symbol known = map_get(&l->functions, g);
    if (known)
        return known;
    Frame f;
    Expr *params = tree_new(b, E_LAMBDA, NULL);
    frame_open(&f, l, NULL, g);
    frame_place(&f, b->frame, n);
    const Symbol *names = graph_names(l->st, g);
    Symbol own = frame_take(&f, wanted ? wanted : "f");
    set_add(&l->reserved, own); /* functions that its body calls have other names */
    for (int i = 0; i < g->nparams; i++) {
        Symbol s = frame_take(&f, names && names[i] ? names[i] : "");
        frame_name(&f, g->param_nodes[i], s);
        tree_param(b, params, s);
    }
    Expr *value = frame_block(&f, g->nouts, g->outs);
    Stmt *define = listing_put(l, l->called, S_FUNCTION, own, value);
    define->params = params->params, define->nparams = params->nparams;
    define->of = f.place;
    frame_close(&f);
    map_put(&l->functions, g, own);
    return own;
}

/* A number would be read as part of the function, not as its argument; a cast to its own dtype is
 * no number any more. */
static Expr *argument(Builder *b, Node *n, u32 i)
{
    Node *op = n->ops[i];
    Expr *e = tree_at(b, n, i, 0, NULL);
    if (op->op == OP_CONST || op->type->kind != TYPE_TENSOR || !dtype_is_number(node_dtype(op)) ||
        !node_is_number(op))
        return e;
    Expr *cast = tree_call(b, dtype_name(node_dtype(op)));
    tree_arg(b, cast, NULL, e);
    return cast;
}

static Expr *call(Builder *b, Node *n)
{
    Expr *e = tree_call(b, function_of(b, n));
    for (u32 i = 0; i < n->nops && !b->full; i++)
        tree_arg(b, e, NULL, argument(b, n, i));
    return e;
}

/* ---- functions whose arguments are called otherwise than the attributes ---- */

static Expr *named_otherwise(Builder *b, Node *n)
{
    const char *name = op_table[n->op].name;
    if (n->op == OP_TRIANGLE)
        name = n->attrs[0].i ? "tril" : "triu";
    else if (n->op != OP_SEARCHSORTED && n->op != OP_SOLVE_TRIANGULAR)
        return NULL;
    Expr *e = tree_call(b, name);
    tree_args(b, e, n, 0, n->nops, 0, NULL);
    if (n->op == OP_TRIANGLE && n->attrs[1].i)
        tree_arg_int(b, e, "k", n->attrs[1].i);
    if (n->op == OP_SEARCHSORTED && n->attrs[0].i)
        tree_arg_text(b, e, "side", "\"right\"");
    if (n->op == OP_SOLVE_TRIANGULAR && n->attrs[0].i)
        tree_arg_text(b, e, "lower", "true");
    if (n->op == OP_SOLVE_TRIANGULAR && n->attrs[1].i)
        tree_arg_int(b, e, "trans", 1);
    if (n->op == OP_SOLVE_TRIANGULAR && n->attrs[2].i)
        tree_arg_text(b, e, "unit_diagonal", "true");
    return e;
}

/* ---- all ---- */

static Expr *loop(Builder *b, Node *n) { return listing_loop(b->frame, n, NULL); }

Expr *listing_form(Builder *b, Node *n)
{
    static Expr *(*const forms[FORM_COUNT])(Builder *, Node *) = {
        [FORM_scan] = loop,   [FORM_loop] = loop,    [FORM_choice] = conditional,
        [FORM_fused] = fused, [FORM_applied] = call, [FORM_derivative] = derivative,
        [FORM_lanes] = vmap,
    };
    OpForm form = op_table[n->op].form;
    if (n->op == OP_PROJ)
        return tree_of(b, n->ops[0], 0, NULL);
    if (forms[form])
        return forms[form](b, n);
    Expr *e = named_otherwise(b, n);
    if (e || needs_raw(b, n))
        return e ? e : tree_raw(b, n, op_table[n->op].name);
    if (!needs_fits(b->frame, n))
        return NULL;
    e = tree_call(b, "fits");
    tree_arg(b, e, NULL, tree_usual(b, n, 0, NULL));
    return e;
}

/* ---- inputs and shared variables ---- */

/* "p.W", "p[0]": the part of a tuple that was declared, as it is read. */
static Symbol as_part(Store *st, const char *path)
{
    Text t = {0};
    for (const char *dot; *path; path = dot) {
        dot = path + 1 + strcspn(path + 1, ".");
        bool item = *path == '.' && strchr("0123456789", path[1]);
        text_put(&t, item ? "[" : "");
        text_putn(&t, path + item, (size_t)(dot - path) - item);
        text_put(&t, item ? "]" : "");
    }
    Symbol s = symbol(st, text_str(&t));
    text_free(&t);
    return s;
}

/* Parts of tuples are inputs of their own, called p_W, where the declaration stands there too. */
void frame_name_leaf(Frame *f, Node *n, bool parts)
{
    bool part = (n->op == OP_INPUT || n->op == OP_SHARED) && strchr(n->attrs[0].name, '.');
    if ((n->op != OP_INPUT && n->op != OP_SHARED) || part != parts || map_has(&f->names, n))
        return;
    if (part) {
        frame_name(f, n,
                   f->l->options->declared ? as_part(f->l->st, n->attrs[0].name)
                                           : frame_take(f, n->attrs[0].name));
        return;
    }
    frame_name(f, n, n->attrs[0].name);
    frame_take_text(f, n->attrs[0].name);
}
