/* The syntax tree of a node's expression, as a person would write it.
 *
 * Invariant: what is built stays within the limits asked for, however large or shared the graph
 * is. */
#include "surface/tree.h"
#include "graph/provenance.h"
#include "graph/op.h"
#include <math.h>

enum {
    DEEPEST = 1500,     /* levels, so that the C stack suffices */
    LONGEST = 1 << 16,  /* characters of node_source */
    WHOLE_CONSTANT = 6, /* elements of a constant that is written out */
    DEEPEST_LEAD = 60   /* levels above something marked that are shown whatever the limit */
};

/* Of characters to build, so that so many can be written. */
#define LIMIT(max_chars) (4 * (size_t)(max_chars) + 64)

/* ---- literals ---- */

/* Takes a float from its neighbours: `2`, not `2.0` or `f32(2)`. */
static bool is_weak(const Builder *b, const Node *user, const Node *constant)
{
    if (!op_is_elementwise(user->op) || constant->op != OP_CONST ||
        (constant->type->rank && !b->reading))
        return false;
    for (u32 i = 0; i < user->nops; i++)
        if (user->ops[i]->op != OP_CONST && user->ops[i]->type->dtype == constant->type->dtype)
            return true;
    return false;
}

static void scalar_text(Text *out, const Tensor *t, bool weak)
{
    size_t start = out->len;
    if (t->dtype == DT_RNG) {
        constant_print(out, t);
        return;
    }
    if (t->dtype == DT_F32)
        text_float(out, *(const float *)t->data);
    else if (t->dtype == DT_F64)
        text_double(out, *(const double *)t->data);
    else if (t->dtype == DT_BOOL)
        text_put(out, tensor_i64_at(t, 0) ? "true" : "false");
    else
        text_printf(out, "%lld", (long long)tensor_i64_at(t, 0));
    double x = dtype_is_float(t->dtype) ? tensor_f64_at(t, 0) : 0;
    if (isnan(x) && signbit(x)) { /* its sign is kept, too */
        out->len = start;
        text_put(out, "-nan");
    }
    bool whole = out->len - start > 2 && !strcmp(out->at + out->len - 2, ".0");
    bool negative_zero = x == 0 && signbit(x); /* no whole number */
    if (whole && !negative_zero && (weak || t->dtype == DT_F32)) {
        out->len -= 2;
        out->at[out->len] = 0;
    }
}

Expr *tree_literal(Builder *b, const Tensor *t, bool weak)
{
    Text text = {0};
    scalar_text(&text, t, weak);
    const char *s = text_str(&text);
    bool negative = *s == '-', typed = !weak && (t->dtype == DT_F32 || t->dtype == DT_I32);
    Expr *e = tree_new(b, E_FLOAT, arena_strndup(&b->arena, s + negative, text.len - negative));
    text_free(&text);
    if (negative)
        e = tree_operator(b, AST_NEG, e, NULL);
    if (!typed)
        return e;
    Expr *call = tree_call(b, dtype_name(t->dtype));
    tree_arg(b, call, NULL, e);
    return call;
}

static Expr *constant(Builder *b, const Tensor *t, bool weak)
{
    if (t->rank == 0)
        return tree_literal(b, t, weak);
    if (b->reading)
        return reading_array(b, t, weak);
    Text text = {0};
    if (t->count <= WHOLE_CONSTANT) {
        constant_print(&text, t);
        return tree_text(b, E_ARRAY, &text);
    }
    Tensor first = *t; /* its first element says enough */
    first.rank = 0;
    first.count = 1;
    for (int i = 0; i < t->rank; i++)
        text_putc(&text, '[');
    scalar_text(&text, &first, false);
    for (int i = 0; i < t->rank; i++)
        text_put(&text, ", …]");
    return tree_text(b, E_ARRAY, &text);
}

/* ---- operands ---- */

/* In a step, what changes is written in any case. */
static Node *written_operand(Builder *b, const Node *n, Node *op)
{
    if (b->frame)
        return listing_operand(b, n, op);
    bool changed = b->marked && map_has(b->marked, op);
    return !b->reading && !changed && quiet_broadcasts(b->st, n) ? quiet_operand(op) : op;
}

Expr *tree_at(Builder *b, Node *n, u32 i, int depth, const Env *env)
{
    Node *op = source_operand(b->st, n, i);
    op = written_operand(b, n, op);
    Expr *size = b->reading ? reading_size(b, n, i) : NULL;
    if (size)
        return size;
    if (b->reading)
        op = reading_operand(b, n, op, env);
    Expr *spread = b->reading ? reading_spread(b, n, op, depth + 1, env) : NULL;
    if (spread)
        return spread;
    if (!is_weak(b, n, op))
        return tree_of(b, op, depth + 1, env);
    Expr *e = constant(b, op->attrs[0].value, true);
    e->of = op;
    return e;
}

void tree_items(Builder *b, Expr *e, Node *n, u32 from, u32 to, int depth, const Env *env)
{
    for (u32 i = from; i < to && !b->full; i++)
        tree_item(b, e, tree_at(b, n, i, depth, env));
}

void tree_args(Builder *b, Expr *call, Node *n, u32 from, u32 to, int depth, const Env *env)
{
    for (u32 i = from; i < to && !b->full; i++)
        tree_arg(b, call, NULL, tree_at(b, n, i, depth, env));
}

static Expr *tuple_of(Builder *b, Node *n, u32 from, u32 to, int depth, const Env *env)
{
    Expr *e = tree_new(b, E_TUPLE, NULL);
    tree_items(b, e, n, from, to, depth, env);
    return e;
}

Expr *tree_one_or_tuple(Builder *b, Node *n, u32 from, u32 to, int depth, const Env *env)
{
    return to - from == 1 ? tree_at(b, n, from, depth, env) : tuple_of(b, n, from, to, depth, env);
}

/* ---- operators with a sign ---- */

static Expr *infix(Builder *b, Node *n, AstOp sign, int depth, const Env *env)
{
    Expr *e = tree_new(b, E_BINARY, NULL);
    Node *first = source_operand(b->st, n, 0);
    e->op = sign;
    /* in a step, a sum of sums is not the sum of their terms */
    e->flag = b->frame ? listing_nested(b, n, first)
                       : b->num && (op_table[n->op].flags & NARY) && first->op == n->op;
    tree_items(b, e, n, 0, n->nops, depth, env);
    return e;
}

static Expr *prefix(Builder *b, Node *n, AstOp sign, int depth, const Env *env)
{
    Expr *e = tree_operator(b, sign, tree_at(b, n, 0, depth, env), NULL);
    e->flag = n->op == OP_NEG; /* --x can be read, but not by people */
    return e;
}

/* ---- everything else: name(operands, attributes) ---- */

static bool reduces_all(const Node *n)
{
    u32 rank = (u32)n->ops[0]->type->rank;
    return (op_attr_kind(n->op, 0) == 'I' ? n->attrs[0].ints->n == rank : rank == 1);
}

static Expr *int_or_tuple(Builder *b, const IntList *list)
{
    if (list->n == 1)
        return tree_int(b, list->at[0]);
    Expr *e = tree_new(b, E_TUPLE, NULL);
    for (u32 i = 0; i < list->n; i++)
        tree_item(b, e, tree_int(b, list->at[i]));
    return e;
}

static Expr *word(Builder *b, const char *s, void (*print)(Text *, const char *))
{
    Text t = {0};
    print(&t, s);
    return tree_text(b, E_NAME, &t);
}

static Expr *attribute_value(Builder *b, const Node *n, int i)
{
    Attr a = n->attrs[i];
    switch (op_attr_kind(n->op, i)) {
    case 'b': return tree_new(b, E_NAME, "true");
    case 'd': return tree_new(b, E_NAME, dtype_name((DType)a.i));
    case 'I': return int_or_tuple(b, a.ints);
    case 's': /* a word is read as itself, and by people as a name */
        return b->reading ? tree_new(b, E_STRING, a.name) : word(b, a.name, word_print);
    case 'z': return tree_size(b, a.size);
    default: return tree_int(b, a.i);
    }
}

static void attribute(Builder *b, Expr *call, const Node *n, int i)
{
    char kind = op_attr_kind(n->op, i);
    Attr a = n->attrs[i];
    i64 usual;
    if (node_attr_is_usual(n, i) || (kind == 'b' && !a.i) ||
        (node_info(n)->cls == CLASS_COMPOSITE && kind == 'i' && !a.i &&
         !op_attr_default(n->op, i, &usual)) ||
        (kind == 's' && (!a.name || b->leaves)) || kind == 'g' || kind == 't' || kind == 'v')
        return;
    const char *name = op_attr_name(n->op, i);
    bool axis = !strcmp(name, "axes") && n->op != OP_TRANSPOSE;
    tree_arg(b, call, axis ? "axis" : name, attribute_value(b, n, i));
}

static bool trailing_axes(const Node *n)
{
    const IntList *axes = n->attrs[0].ints;
    for (u32 i = 0; i < axes->n; i++)
        if (axes->at[i] != (i64)(n->nops - 1 - axes->n + i))
            return false;
    return true;
}

/* Operands up to this one are arguments; the rest are a shape. */
static u32 shape_operands(const Node *n)
{
    const OpInfo *info = node_info(n);
    return info->flags & SIZES ? (u32)info->min_ops : UINT32_MAX;
}

/* One width for all, (before, after) of the only axis, or a pair for each. */
static Expr *pad_widths(Builder *b, Node *n, int depth, const Env *env)
{
    bool same = n->nops > 2;
    for (u32 i = 3; i < n->nops; i++)
        same = same && n->ops[i] == n->ops[2];
    if (same || n->nops == 4)
        return tree_one_or_tuple(b, n, 2, same ? 3 : 4, depth, env);
    if (n->nops == 2)
        return tree_int(b, 0);
    Expr *e = tree_new(b, E_TUPLE, NULL);
    for (u32 i = 2; i < n->nops; i += 2)
        tree_item(b, e, tuple_of(b, n, i, i + 2, depth, env));
    return e;
}

/* The arguments of a call whose operands are no list of them; false: it has others. */
static bool special_arguments(Builder *b, Expr *call, Node *n, int depth, const Env *env)
{
    double zero;
    if (n->op != OP_ROLL && n->op != OP_PAD)
        return false;
    tree_args(b, call, n, 0, 1, depth, env);
    tree_arg(b, call, NULL,
             n->op == OP_ROLL ? tree_one_or_tuple(b, n, 1, n->nops, depth, env)
                              : pad_widths(b, n, depth, env));
    if (n->op == OP_PAD && !(node_const_f64(n->ops[1], &zero) && zero == 0 && !signbit(zero)))
        tree_arg(b, call, "constant_values", tree_at(b, n, 1, depth, env));
    return true;
}

static Expr *function(Builder *b, Node *n, int depth, const Env *env)
{
    u32 shape = shape_operands(n), last = n->nops < shape ? n->nops : shape;
    Expr *e = tree_call(b, op_word(n->op));
    bool special = n->op == OP_CONCAT || special_arguments(b, e, n, depth, env);
    if (n->op == OP_CONCAT)
        tree_arg(b, e, NULL, tuple_of(b, n, 0, n->nops, depth, env));
    else if (!special)
        tree_args(b, e, n, 0, last, depth, env);
    if (!special && (n->nops > last || n->op == OP_RESHAPE || n->op == OP_BROADCAST))
        tree_arg(b, e, NULL, tuple_of(b, n, last, n->nops, depth, env));
    OpClass cls = op_table[n->op].cls;
    bool whole = cls == CLASS_COMPOSITE && !n->type->rank && n->ops[0]->type->rank;
    bool reduction = (cls == CLASS_REDUCE || whole) && reduces_all(n);
    bool plain = n->op == OP_BROADCAST && trailing_axes(n);
    if (n->op == OP_DIM)
        tree_arg_int(b, e, NULL, n->attrs[0].i);
    else
        for (int i = reduction || plain ? 1 : 0; i < (int)n->nattrs; i++)
            attribute(b, e, n, i);
    return e;
}

static void raw_attribute(Builder *b, Expr *call, const Node *n, int i)
{
    char kind = op_attr_kind(n->op, i);
    const char *name = op_attr_name(n->op, i);
    if (kind == 's')
        tree_arg(b, call, name, word(b, n->attrs[i].name, quoted_print));
    else if (kind == 'I')
        tree_arg(b, call, name, int_or_tuple(b, n->attrs[i].ints));
    else
        attribute(b, call, n, i);
}

Expr *tree_raw(Builder *b, Node *n, const char *name)
{
    u32 shape = shape_operands(n);
    Expr *e = tree_call(b, name), *sizes = tree_new(b, E_TUPLE, NULL);
    for (u32 i = 0; i < n->nops; i++) { /* numbers with their types: nothing tells them here */
        Expr *operand = tree_of(b, n->ops[i], 0, NULL);
        if (i < shape)
            tree_arg(b, e, NULL, operand);
        else
            tree_item(b, sizes, operand);
    }
    if (shape < UINT32_MAX)
        tree_arg(b, e, NULL, sizes);
    for (int i = 0; i < (int)n->nattrs; i++)
        raw_attribute(b, e, n, i);
    return e;
}

/* ---- one node ---- */

static Expr *dtype_call(Builder *b, Node *n, int depth, const Env *env)
{
    Expr *e = tree_call(b, dtype_name((DType)n->attrs[0].i));
    tree_args(b, e, n, 0, 1, depth, env);
    return e;
}

static Expr *tuple(Builder *b, Node *n, int depth, const Env *env)
{
    return tuple_of(b, n, 0, n->nops, depth, env);
}

static Expr *quote(Builder *b, Node *n, int depth, const Env *env)
{
    if (!node_swaps_last(n))
        return function(b, n, depth, env);
    return tree_operator(b, AST_TRANSPOSE, tree_at(b, n, 0, depth, env), NULL);
}

Expr *tree_usual(Builder *b, Node *n, int depth, const Env *env)
{
    static const TreeForm forms[FORM_COUNT] = {[FORM_dtype] = dtype_call,
                                               [FORM_tuple] = tuple,
                                               [FORM_quote] = quote,
                                               [FORM_result] = tree_projection};
    AstOp sign;
    if (op_sign(n->op, n->nops > 1, &sign))
        return (n->nops > 1 ? infix : prefix)(b, n, sign, depth, env);
    if (n->op == OP_EXPAND_DIMS && n->attrs[0].ints->n == 1 && n->ops[0]->type->rank)
        return tree_new_axes(b, n, false, depth, env);
    u32 flags = op_table[n->op].flags;
    bool stores = flags & UPDATES && tree_store_mode(n) <= 1; /* others have no form */
    if (stores || (flags & MOVES && flags & READS)) {
        Expr *base = tree_at(b, n, 0, depth, env);
        Expr *value = stores ? tree_at(b, n, 2, depth, env) : NULL;
        return tree_subscript(b, n, base, value, depth, env);
    }
    OpForm form = op_table[n->op].form;
    TreeForm how = forms[form] ? forms[form] : tree_control(form);
    return (how ? how : function)(b, n, depth, env);
}

/* The graph that is being shown; NULL: the outermost, or it is not known. */
static const Graph *shown_graph(const Builder *b) { return b->num ? b->num->within : b->within; }

bool tree_is_named(const Builder *b, const Node *n)
{
    return b->names && n != b->root && node_name(b->st, n);
}

const char *tree_parameter(Builder *b, const Node *n)
{
    const Graph *g = shown_graph(b);
    const Symbol *names = g ? graph_names(b->st, g) : NULL;
    i64 i = n->attrs[0].i;
    if (names && i < g->nparams && names[i])
        return names[i];
    char text[24];
    int len = snprintf(text, sizeof text, "p%lld", (long long)i);
    return arena_strndup(&b->arena, text, (size_t)len);
}

static Expr *hole(Builder *b, const Node *n)
{
    Symbol name = node_name(b->st, n);
    return tree_new(b, E_NAME, name ? name : "?");
}

static Expr *leaf(Builder *b, Node *n)
{
    switch (op_table[n->op].form) {
    case FORM_name: return tree_new(b, E_NAME, n->attrs[0].name);
    case FORM_param: return tree_new(b, E_NAME, tree_parameter(b, n));
    case FORM_hole: return hole(b, n);
    case FORM_constant: return constant(b, n->attrs[0].value, false);
    case FORM_size: return tree_size(b, n->attrs[0].size);
    default: return NULL;
    }
}

/* The argument that a parameter stands for, or NULL; *env becomes where that is meant. */
static Node *argument(const Node *n, const Env **env)
{
    const Env *e = *env;
    i64 i = n->attrs[0].i;
    if (!e || (e->map && i >= e->map->n))
        return NULL;
    i64 k = e->map ? e->map->at[i] : i;
    if (k >= e->nargs)
        return NULL;
    *env = e->outer;
    return e->args[k];
}

Expr *tree_number(Builder *b, const Node *n, const Env *env)
{
    const Graph *shown = b->num->within;
    Text t = {0};
    b->num->within = env ? env->graph : shown;
    text_printf(&t, "%%%u", number_of(b->num, n));
    b->num->within = shown;
    return tree_text(b, E_NAME, &t);
}

/* By its name, if it has one in the graph that is being shown, else by its number. */
static Expr *reference(Builder *b, const Node *n, const Env *env)
{
    Symbol name = b->leaves ? node_name_in(b->st, env ? env->graph : shown_graph(b), n) : NULL;
    return name ? tree_new(b, E_NAME, name) : tree_number(b, n, env);
}

static bool is_leaf(const Builder *b, const Node *n)
{
    return b->leaves && n != b->root && map_has(b->leaves, n);
}

static bool is_too_deep(const Builder *b, const Node *n, int depth)
{
    return depth >= b->depth && !(b->marked && depth < DEEPEST_LEAD && map_has(&b->leads, n));
}

/* What a fused node computes, where there is no line that says so. */
static Expr *fused_result(Builder *b, Node *n, int depth, const Env *env)
{
    Node *fused = n->ops[0];
    Graph *g = fused->attrs[0].graph;
    Env inner = {fused->ops, NULL, fused->nops, env, g};
    return tree_of(b, g->outs[n->attrs[0].i], depth, &inner);
}

static Expr *node_tree(Builder *b, Node *n, int depth, const Env *env)
{
    Expr *e = b->frame ? listing_named(b, n) : b->reading ? reading_form(b, n, depth, env) : NULL;
    if (e)
        return e;
    if (tree_is_named(b, n) && n->op != OP_PARAM)
        return tree_new(b, E_NAME, node_name_in(b->st, shown_graph(b), n));
    if ((e = leaf(b, n)))
        return e;
    if (n->op == OP_PROJ && n->ops[0]->op == OP_FUSED && !b->num && !b->frame)
        return fused_result(b, n, depth, env);
    if (is_leaf(b, n))
        return reference(b, n, env);
    if (is_too_deep(b, n, depth)) {
        b->elided = true;
        return b->num ? reference(b, n, env) : tree_new(b, E_NAME, "…");
    }
    e = b->frame ? listing_form(b, n) : NULL;
    return e ? e : tree_usual(b, n, depth, env);
}

Expr *tree_of(Builder *b, Node *n, int depth, const Env *env)
{
    b->full = b->full || b->width > b->limit || store_stops(b->st);
    if (b->full)
        return tree_new(b, E_SIZE, b->reading ? "…" : "");
    for (Node *arg; n->op == OP_PARAM && (arg = argument(n, &env));)
        n = arg;
    Expr *e = node_tree(b, n, depth, env);
    if (!(e->of && b->places && map_has(b->places, e->of)))
        e->of = n;
    return e;
}

/* ---- written, with limits ---- */

static void tree_write(Builder *b, Text *out, Edges *edges)
{
    Pretty l = {0};
    const HashTable *marked = tree_keys(b->places ? b->places : b->marked);
    ast_lay_expr(&l, tree_of(b, b->root, 0, NULL), LEVEL_ANY, marked);
    pretty_write(out, edges, &l, 0);
    pretty_free(&l);
    arena_free(&b->arena);
}

/* Writes `depth` levels. Does it fit? */
static bool attempt(Builder *b, Styled *out, int depth, int max_chars)
{
    out->text.len = out->edges.len = b->width = 0;
    b->depth = depth;
    b->elided = b->full = false;
    tree_write(b, &out->text, &out->edges);
    return !b->full && pretty_columns(text_str(&out->text), out->text.len) <= max_chars;
}

/* As many levels as fit: doubled until they do not, then halved. */
static void within_limit(Builder *b, Text *out, Edges *edges, int max_chars)
{
    Styled best = {0}, trial = {0};
    int good = 1, bad = 0;
    bool cut = !attempt(b, &best, 1, max_chars) && b->full, more = !cut && b->elided;
    while (more && bad != good + 1) {
        int depth = bad ? good + (bad - good) / 2 : 2 * good < DEEPEST ? 2 * good : DEEPEST;
        if (attempt(b, &trial, depth, max_chars)) {
            Styled swap = best;
            best = trial;
            trial = swap;
            good = depth;
            more = b->elided && depth < DEEPEST;
        } else {
            bad = depth;
        }
    }
    styled_put(out, edges, &best);
    text_put(out, cut ? "…" : "");
    styled_free(&best);
    styled_free(&trial);
}

bool reading_print(Pretty *out, Store *st, Node *n, const Reading *r, size_t limit)
{
    Builder b = {.st = st, .root = n, .reading = r, .depth = DEEPEST, .limit = limit};
    const Expr *e = tree_of(&b, n, 0, NULL);
    ast_put(&(Printer){.l = out, .notation = &figure_notation}, e, LEVEL_ANY);
    bool one = figure_notation.level(e) == LEVEL_POSTFIX;
    arena_free(&b.arena);
    return one;
}

void node_source_limited(Store *st, Text *out, Node *n, bool names, int max_chars)
{
    Builder b = {.st = st, .root = n, .names = names, .limit = LIMIT(max_chars)};
    within_limit(&b, out, NULL, max_chars);
}

void node_source_within(Store *st, Text *out, Node *n, int max_chars, const Graph *within)
{
    Builder b = {.st = st, .root = n, .within = within, .limit = LIMIT(max_chars)};
    within_limit(&b, out, NULL, max_chars);
}

void node_source_places(Store *st, Styled *out, Node *n, int max_chars, const NodeSet *places)
{
    Builder b = {.st = st, .root = n, .places = places, .limit = LIMIT(max_chars)};
    within_limit(&b, &out->text, &out->edges, max_chars);
}

void node_source_marked(Store *st, Styled *out, Node *n, int max_chars, const NodeSet *marked,
                        const Graph *within)
{
    Builder b = {.st = st, .root = n, .within = within, .marked = marked};
    b.limit = LIMIT(max_chars);
    NodeVec order = {0};
    nodes_topo(1, &n, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *x = order.at[i];
        bool leads = map_has(marked, x);
        for (u32 k = 0; k < x->nops && !leads; k++)
            leads = map_has(&b.leads, x->ops[k]);
        if (leads)
            set_add(&b.leads, x);
    }
    vec_free(&order);
    within_limit(&b, &out->text, &out->edges, max_chars);
    map_free(&b.leads);
}

void node_source(Store *st, Text *out, Node *n, bool names)
{
    node_source_limited(st, out, n, names, LONGEST);
}

void node_source_numbered(Store *st, Text *out, Node *n, Numbering *num, int depth)
{
    Builder b = {.st = st, .root = n, .num = num};
    b.depth = depth < 1 ? 1 : depth < DEEPEST ? depth : DEEPEST;
    b.limit = LONGEST;
    tree_write(&b, out, NULL);
    text_put(out, b.full ? "…" : "");
}

bool node_source_leaves(Store *st, Text *out, Node *n, Numbering *num, int depth,
                        const NodeSet *leaves, size_t limit)
{
    Builder b = {.st = st, .root = n, .num = num, .leaves = leaves, .depth = depth};
    b.limit = limit ? limit : LONGEST;
    tree_write(&b, out, NULL);
    return !b.elided && !b.full;
}
