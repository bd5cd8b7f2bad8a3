/* Nodes in a listing: operators that own graphs, and those that have no sign or syntax.
 *
 * Invariant: what is printed is read back as the node it was printed for. Where the short form of
 * the language would build something else, the operator is called by its own name with all its
 * attributes: add(a, b, c), slice(x, 1, n, axis=0). */
#include "graph/listing.h"
#include "graph/walk.h"

/* What cannot be said is an error that shows the node. */
static void listing_fail(Listing *l, const Node *n, const char *why)
{
    Text line = {0};
    Numbering num = {0};
    if (!l->failed)
        node_print_line(l->st, &line, n, &num);
    if (!l->failed)
        store_error(l->st, "no-source", ":graph EXPR ssa writes it as text", "%s: %s", why,
                    text_str(&line));
    l->failed = true;
    map_free(&num.of);
    text_free(&line);
}

/* ---- which form ---- */

static bool one_type(const Node *n)
{
    for (u32 i = 1; i < n->nops; i++)
        if (n->ops[i]->type != n->ops[0]->type)
            return false;
    return true;
}

bool listing_nested(const Node *n, const Node *part)
{
    if (part->op != n->op || !(op_table[n->op].flags & NARY))
        return false;
    bool alike = one_type(n) && one_type(part) && part->ops[0]->type == n->ops[0]->type;
    return n->nops > 2 || part->nops > 2 || alike;
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
static bool needs_raw(const Frame *f, const Node *n)
{
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
               (!one_type(n) || all_literals(f, n));
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
        map_put(&f->unseen, n, (void *)n);
}

void listing_given(Frame *inner, Node *param, const Frame *f, const Node *arg)
{
    if (map_has(&f->unseen, arg))
        map_put(&inner->unseen, param, param);
}

static bool needs_fits(const Frame *f, const Node *n)
{
    return op_is_elementwise(n->op) && map_has(&f->unseen, n) && arrays_of(n) > 1;
}

int listing_level(Writer *w, const Node *n)
{
    const Node *t = n->op == OP_PROJ ? n->ops[0] : n;
    if (t->op == OP_IFELSE)
        return LEVEL_ANY;
    bool call = t->op == OP_PROJ || needs_raw(w->frame, n) || needs_fits(w->frame, n);
    return call ? LEVEL_POSTFIX : -1;
}

bool listing_named(Writer *w, Node *n)
{
    Symbol s = n == w->root ? NULL : map_get(&w->frame->names, n);
    if (n->op == OP_CONST && (n->type->rank || n->type->dtype == DT_RNG)) {
        constant_source(w->out, n->attrs[0].value);
        return true;
    }
    if (s)
        text_put(w->out, s);
    return s != NULL;
}

/* ---- operators that own graphs ---- */

static void conditional(Writer *w, Node *n)
{
    IfShape s = if_shape(n);
    Frame branch;
    text_put(w->out, "if ");
    source_at(w, n, 0, LEVEL_OR, 0, NULL);
    text_put(w->out, " then ");
    frame_inside(&branch, w->frame, s.then_graph, s.operands, s.then_args);
    frame_block(w, &branch, s.then_graph->nouts, s.then_graph->outs, LEVEL_OR);
    frame_close(&branch);
    text_put(w->out, " else ");
    frame_inside(&branch, w->frame, s.else_graph, s.operands, s.else_args);
    frame_block(w, &branch, s.else_graph->nouts, s.else_graph->outs, LEVEL_ANY);
    frame_close(&branch);
}

/* f(block): what the graph takes from outside bears its name there. */
static void block_call(Writer *w, Node *n, const char *name)
{
    Graph *g = n->attrs[0].graph;
    Frame inner;
    text_printf(w->out, "%s(", name);
    frame_inside(&inner, w->frame, g, n->ops, NULL);
    frame_block(w, &inner, g->nouts, g->outs, LEVEL_ANY);
    frame_close(&inner);
}

static void fused(Writer *w, Node *n)
{
    block_call(w, n, "fused");
    text_putc(w->out, ')');
}

static void put_list(Writer *w, Node *n, u32 from, u32 to, char open, char close)
{
    bool many = to - from != 1;
    text_printf(w->out, "%.*s", many, &open);
    source_list(w, n, from, to, false, 0, NULL);
    text_printf(w->out, "%.*s", many, &close);
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
    PtrMap needed = {0};
    nodes_topo(n, roots, &order);
    for (int i = 0; i < n; i++)
        map_put(&needed, roots[i], roots[i]);
    for (size_t i = order.len; i-- > 0;) {
        const Node *at = order.at[i];
        for (u32 k = 0; map_has(&needed, at) && k < at->nops; k++)
            if (writes_operand(at, k))
                map_put(&needed, at->ops[k], at->ops[k]);
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

/* Is the derivative that of a function, because a wanted value is a constant, or something that is
 * not to be differentiated depends on it? */
static bool needs_function(const Node *n)
{
    int wrt = (int)n->attrs[1].i, params = n->attrs[0].graph->nparams;
    for (int i = 0; i < wrt; i++) {
        if (n->ops[i]->op == OP_CONST)
            return true;
        for (int k = 0; k < params; k++)
            if (k != i && node_reads(n->ops[k], n->ops[i]))
                return true;
    }
    return false;
}

/* grad(x -> loss)(2.0), jvp((x, y) -> f)(1.0, 2.0, (dx, dy)) */
static void derived_function(Writer *w, Node *n)
{
    Graph *g = n->attrs[0].graph;
    u32 wrt = (u32)n->attrs[1].i, params = (u32)g->nparams;
    Symbol *names = map_get(&w->st->param_names, g);
    Node **args = xcalloc(n->nops + 1, sizeof *args);
    bool valued = n->op == OP_GRAD && map_has(&w->frame->uses, node_proj(w->st, n, wrt));
    Frame inner;
    for (u32 i = wrt; i < params; i++)
        args[i] = n->ops[i];
    frame_inside(&inner, w->frame, g, args, NULL);
    text_printf(w->out, "%s(%s", valued ? "value_and_grad" : op_table[n->op].name,
                wrt > 1 ? "(" : "");
    for (u32 i = 0; i < wrt; i++) {
        Symbol s = frame_take(&inner, names && names[i] ? names[i] : "");
        frame_name(&inner, g->param_nodes[i], s);
        text_printf(w->out, "%s%s", i ? ", " : "", s);
    }
    text_put(w->out, wrt > 1 ? ") -> " : " -> ");
    frame_block(w, &inner, g->nouts, g->outs, LEVEL_ANY);
    frame_close(&inner);
    text_put(w->out, ")(");
    source_list(w, n, 0, wrt, false, 0, NULL);
    if (n->nops > params) {
        text_put(w->out, ", ");
        put_list(w, n, params, n->nops, '(', ')');
    }
    text_putc(w->out, ')');
    free(args);
}

/* grad(loss, [a, b]), vjp(y, [a, b], ybar), jvp(y, (a, b), (da, db)) */
static void derivative(Writer *w, Node *n)
{
    if (needs_function(n)) {
        if (n->op == OP_GRAD && n->attrs[1].i > 1)
            listing_fail(w->frame->l, n, "wanted values of a derivative depend on each other");
        derived_function(w, n);
        return;
    }
    Graph *g = n->attrs[0].graph;
    u32 wrt = (u32)n->attrs[1].i, params = (u32)g->nparams;
    bool valued = n->op == OP_GRAD && map_has(&w->frame->uses, node_proj(w->st, n, wrt));
    if (n->op == OP_VJP && g->nouts > 1)
        listing_fail(w->frame->l, n, "vjp is of one value");
    block_call(w, n, valued ? "value_and_grad" : op_table[n->op].name);
    text_put(w->out, ", ");
    put_list(w, n, 0, wrt, n->op == OP_JVP ? '(' : '[', n->op == OP_JVP ? ')' : ']');
    if (n->nops > params) {
        text_put(w->out, ", ");
        put_list(w, n, params, n->nops, '(', ')');
    }
    text_put(w->out, n->op == OP_GRAD && !is_connected(g, (int)wrt) ? ", unconnected=keep" : "");
    if (n->op != OP_JVP && n->attrs[2].i >= 0)
        text_printf(w->out, ", truncate=%lld", (long long)n->attrs[2].i);
    text_putc(w->out, ')');
}

/* None for what every lane gets whole is not written: that is taken inside. */
static void put_axes(Writer *w, const char *name, const IntList *axes)
{
    bool zero = true;
    u32 shown = 0;
    for (u32 i = 0; i < axes->n; i++)
        zero = zero && axes->at[i] <= 0, shown += axes->at[i] >= 0;
    if (zero)
        return;
    text_printf(w->out, ", %s=%s", name, shown > 1 ? "(" : "");
    for (u32 i = 0, k = 0; i < axes->n; i++)
        if (axes->at[i] >= 0)
            text_printf(w->out, "%s%lld", k++ ? ", " : "", (long long)axes->at[i]);
    text_put(w->out, shown > 1 ? ")" : "");
}

static void vmap(Writer *w, Node *n)
{
    Graph *g = n->attrs[0].graph;
    const IntList *in = n->attrs[1].ints;
    Node **args = xcalloc(n->nops + 1, sizeof *args);
    Symbol *names = map_get(&w->st->param_names, g);
    Frame inner;
    u32 lanes = 0, k = 0;
    for (u32 i = 0; i < in->n; i++)
        if (in->at[i] < 0)
            args[i] = n->ops[i];
        else
            lanes++;
    frame_inside(&inner, w->frame, g, args, NULL);
    text_printf(w->out, "vmap(%s", lanes > 1 ? "(" : "");
    for (u32 i = 0; i < in->n; i++)
        if (in->at[i] >= 0) {
            Symbol s = frame_take(&inner, names && names[i] ? names[i] : "");
            frame_name(&inner, g->param_nodes[i], s);
            text_printf(w->out, "%s%s", k++ ? ", " : "", s);
        }
    text_put(w->out, lanes > 1 ? ") -> " : " -> ");
    frame_block(w, &inner, g->nouts, g->outs, LEVEL_ANY);
    frame_close(&inner);
    put_axes(w, "in_axes", in);
    put_axes(w, "out_axes", n->attrs[2].ints);
    text_put(w->out, ")(");
    for (u32 i = k = 0; i < in->n; i++)
        if (in->at[i] >= 0) {
            text_put(w->out, k++ ? ", " : "");
            source_at(w, n, i, LEVEL_ANY, 0, NULL);
        }
    text_putc(w->out, ')');
    free(args);
}

/* The name of the function whose body g is; it is defined before everything else. */
static Symbol function_of(Listing *l, Graph *g, const char *wanted)
{
    Symbol known = map_get(&l->functions, g);
    if (known)
        return known;
    Frame f;
    Text line = {0};
    frame_open(&f, l, NULL, g);
    Symbol *names = map_get(&l->st->param_names, g), own = frame_take(&f, wanted ? wanted : "f");
    text_printf(&line, "%s(", own);
    for (int i = 0; i < g->nparams; i++) {
        Symbol s = frame_take(&f, names && names[i] ? names[i] : "");
        frame_name(&f, g->param_nodes[i], s);
        text_printf(&line, "%s%s", i ? ", " : "", s);
    }
    text_put(&line, ") = ");
    Writer w = {.st = l->st, .out = &line, .frame = &f};
    frame_block(&w, &f, g->nouts, g->outs, LEVEL_ANY);
    frame_close(&f);
    map_put(&l->functions, g, (void *)(uintptr_t)own);
    map_put(&l->reserved, own, (void *)(uintptr_t)own);
    text_printf(&l->head, "%s\n", text_str(&line));
    text_free(&line);
    return own;
}

static void call(Writer *w, Node *n)
{
    text_printf(w->out, "%s(", function_of(w->frame->l, n->attrs[0].graph, n->attrs[1].name));
    source_list(w, n, 0, n->nops, false, 0, NULL);
    text_putc(w->out, ')');
}

/* ---- functions whose arguments are called otherwise than the attributes ---- */

static bool named_otherwise(Writer *w, Node *n)
{
    const char *name = op_table[n->op].name;
    if (n->op == OP_TRIANGLE)
        name = n->attrs[0].i ? "tril" : "triu";
    else if (n->op != OP_SEARCHSORTED && n->op != OP_SOLVE_TRIANGULAR)
        return false;
    text_printf(w->out, "%s(", name);
    source_list(w, n, 0, n->nops, false, 0, NULL);
    if (n->op == OP_TRIANGLE && n->attrs[1].i)
        text_printf(w->out, ", k=%lld", (long long)n->attrs[1].i);
    if (n->op == OP_SEARCHSORTED && n->attrs[0].i)
        text_put(w->out, ", side=\"right\"");
    if (n->op == OP_SOLVE_TRIANGULAR) {
        text_put(w->out, n->attrs[0].i ? ", lower=true" : "");
        text_put(w->out, n->attrs[1].i ? ", trans=1" : "");
        text_put(w->out, n->attrs[2].i ? ", unit_diagonal=true" : "");
    }
    text_putc(w->out, ')');
    return true;
}

/* ---- all ---- */

static void loop(Writer *w, Node *n) { listing_loop(w->frame, w->out, n, NULL); }

static bool control(Writer *w, Node *n)
{
    static void (*const forms[FORM_COUNT])(Writer *, Node *) = {
        [FORM_scan] = loop,   [FORM_loop] = loop,    [FORM_choice] = conditional,
        [FORM_fused] = fused, [FORM_applied] = call, [FORM_derivative] = derivative,
        [FORM_lanes] = vmap,
    };
    OpForm form = op_table[n->op].form;
    if (forms[form])
        forms[form](w, n);
    return forms[form] != NULL;
}

bool listing_form(Writer *w, Node *n)
{
    if (n->op == OP_PROJ) {
        source_expression(w, n->ops[0], LEVEL_ANY, 0, NULL);
        return true;
    }
    if (control(w, n) || named_otherwise(w, n))
        return true;
    if (needs_raw(w->frame, n)) {
        source_raw(w, n, op_table[n->op].name);
        return true;
    }
    if (!needs_fits(w->frame, n))
        return false;
    text_put(w->out, "fits(");
    source_usual(w, n, 0, NULL);
    text_putc(w->out, ')');
    return true;
}
