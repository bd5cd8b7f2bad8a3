/* The expression of a node in the surface language, as a person would write it.
 *
 * Invariant: parentheses stand only where the grammar needs them, and what is printed
 * stays within the limits asked for, however large or shared the graph is. */
#include "graph/source.h"
#include "graph/op.h"
#include <math.h>

enum {
    DEEPEST = 1500,     /* levels, so that the C stack suffices */
    LONGEST = 1 << 16,  /* characters of node_source */
    WHOLE_CONSTANT = 6, /* elements of a constant that is written out */
    DEEPEST_LEAD = 60   /* levels above something marked that are shown whatever the limit */
};

/* ---- literals ---- */

/* Takes a float from its neighbours: `2`, not `2.0` or `f32(2)`. */
static bool is_weak(const Node *user, const Node *constant)
{
    if (!user || !op_is_elementwise(user->op) || constant->op != OP_CONST || constant->type->rank)
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
    if (t->dtype == DT_F64 && isnan(*(const double *)t->data) &&
        signbit(*(const double *)t->data)) { /* its bits are kept, too */
        out->len = start;
        text_put(out, "-nan");
    }
    bool whole = out->len - start > 2 && !strcmp(out->at + out->len - 2, ".0");
    if (whole && (weak || t->dtype == DT_F32)) {
        out->len -= 2;
        out->at[out->len] = 0;
    }
}

static void literal(Writer *w, const Tensor *t, int need, bool weak)
{
    Text text = {0};
    scalar_text(&text, t, weak);
    bool wrap = !weak && (t->dtype == DT_F32 || t->dtype == DT_I32);
    bool paren = !wrap && *text_str(&text) == '-' && need > LEVEL_NEG;
    if (wrap)
        text_put(w->out, dtype_name(t->dtype));
    text_put(w->out, wrap || paren ? "(" : "");
    text_put(w->out, text_str(&text));
    text_put(w->out, wrap || paren ? ")" : "");
    text_free(&text);
}

static void constant(Writer *w, const Tensor *t, int need)
{
    if (t->rank == 0) {
        literal(w, t, need, false);
    } else if (t->count <= WHOLE_CONSTANT) {
        constant_print(w->out, t);
    } else { /* its first element says enough */
        for (int i = 0; i < t->rank; i++)
            text_putc(w->out, '[');
        Tensor first = *t;
        first.rank = 0;
        first.count = 1;
        scalar_text(w->out, &first, false);
        for (int i = 0; i < t->rank; i++)
            text_put(w->out, ", …]");
    }
}

/* ---- operands ---- */

static void put_mark(Writer *w, const Node *n, char mark)
{
    if (w->marked && map_has(w->marked, n))
        text_putc(w->out, mark);
}

void source_at(Writer *w, Node *n, u32 i, int need, int depth, const Env *env)
{
    Node *op = source_operand(w->st, n, i);
    if (!is_weak(n, op)) {
        source_expression(w, op, need, depth + 1, env);
        return;
    }
    put_mark(w, op, MARK_OPEN);
    literal(w, op->attrs[0].value, need, true);
    put_mark(w, op, MARK_CLOSE);
}

/* Operands [from, to) with commas; a tuple of them where `tuple`. */
void source_list(Writer *w, Node *n, u32 from, u32 to, bool tuple, int depth, const Env *env)
{
    if (tuple)
        text_putc(w->out, '(');
    for (u32 i = from; i < to && !w->full; i++) {
        text_put(w->out, i > from ? ", " : "");
        source_at(w, n, i, LEVEL_ANY, depth, env);
    }
    if (tuple)
        text_put(w->out, to - from == 1 ? ",)" : ")");
}

/* One is written alone, several as a tuple. */
void source_one_or_tuple(Writer *w, Node *n, u32 from, u32 to, int depth, const Env *env)
{
    source_list(w, n, from, to, to - from != 1, depth, env);
}

/* ---- operators with a sign ---- */

static void infix(Writer *w, Node *n, const Sign *how, int depth, const Env *env)
{
    for (u32 i = 0; i < n->nops && !w->full; i++) {
        if (i)
            text_printf(w->out, n->op == OP_POW ? "%s" : " %s ", how->sign);
        /* in a step, a sum of sums is not the sum of their terms */
        bool nested = w->frame ? listing_nested(n, source_operand(w->st, n, i))
                               : w->num && (op_table[n->op].flags & NARY) &&
                                     source_operand(w->st, n, i)->op == n->op;
        source_at(w, n, i, (int)(i || nested ? how->right : how->left), depth, env);
    }
}

/* ---- everything else: name(operands, attributes) ---- */

static bool reduces_all(const Node *n)
{
    u32 rank = (u32)n->ops[0]->type->rank;
    return (op_attr_kind(n->op, 0) == 'I' ? n->attrs[0].ints->n == rank : rank == 1);
}

static void int_or_tuple(Writer *w, const IntList *list)
{
    text_put(w->out, list->n == 1 ? "" : "(");
    for (u32 i = 0; i < list->n; i++)
        text_printf(w->out, "%s%lld", i ? ", " : "", (long long)list->at[i]);
    text_put(w->out, list->n == 1 ? "" : ")");
}

static void attribute(Writer *w, const Node *n, int i)
{
    char kind = op_attr_kind(n->op, i);
    Attr a = n->attrs[i];
    if ((kind == 'b' && !a.i) || (node_info(n)->cls == CLASS_COMPOSITE && kind == 'i' && !a.i) ||
        (kind == 's' && (!a.name || w->leaves)) || kind == 'g' || kind == 't' || kind == 'v')
        return;
    const char *name = op_attr_name(n->op, i);
    text_printf(w->out, ", %s=", strcmp(name, "axes") || n->op == OP_TRANSPOSE ? name : "axis");
    switch (kind) {
    case 'b': text_put(w->out, "true"); return;
    case 'd': text_put(w->out, dtype_name((DType)a.i)); return;
    case 'I': int_or_tuple(w, a.ints); return;
    case 's': word_print(w->out, a.name); return;
    case 'z': size_print_numbered(w->out, a.size, w->num); return;
    default: text_printf(w->out, "%lld", (long long)a.i);
    }
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

static void function(Writer *w, Node *n, int depth, const Env *env)
{
    u32 shape = shape_operands(n), last = n->nops < shape ? n->nops : shape;
    text_printf(w->out, "%s(", op_word(n->op));
    if (n->op == OP_CONCAT) {
        source_list(w, n, 0, n->nops, true, depth, env);
    } else {
        source_list(w, n, 0, last, false, depth, env);
        if (n->nops > last || n->op == OP_RESHAPE || n->op == OP_BROADCAST) {
            text_put(w->out, ", ");
            source_list(w, n, last, n->nops, true, depth, env);
        }
    }
    OpClass cls = op_table[n->op].cls;
    bool whole = cls == CLASS_COMPOSITE && !n->type->rank && n->ops[0]->type->rank;
    bool reduction = (cls == CLASS_REDUCE || whole) && reduces_all(n);
    bool plain = n->op == OP_BROADCAST && trailing_axes(n);
    if (n->op == OP_DIM)
        text_printf(w->out, ", %lld", (long long)n->attrs[0].i);
    else
        for (int i = reduction || plain ? 1 : 0; i < (int)n->nattrs; i++)
            attribute(w, n, i);
    text_putc(w->out, ')');
}

static void raw_attribute(Writer *w, const Node *n, int i)
{
    const IntList *list = op_attr_kind(n->op, i) == 'I' ? n->attrs[i].ints : NULL;
    if (op_attr_kind(n->op, i) == 's') {
        text_printf(w->out, ", %s=", op_attr_name(n->op, i));
        quoted_print(w->out, n->attrs[i].name);
    } else if (list && list->n != 1) {
        text_printf(w->out, ", %s=", op_attr_name(n->op, i));
        int_or_tuple(w, list);
    } else {
        if (list)
            text_printf(w->out, ", %s=%lld", op_attr_name(n->op, i), (long long)list->at[0]);
        else
            attribute(w, n, i);
    }
}

void source_raw(Writer *w, Node *n, const char *name)
{
    u32 shape = shape_operands(n);
    text_printf(w->out, "%s(", name);
    for (u32 i = 0; i < n->nops; i++) { /* numbers with their types: nothing tells them here */
        text_printf(w->out, "%s%s", i ? ", " : "", i == shape ? "(" : "");
        source_expression(w, n->ops[i], LEVEL_ANY, 0, NULL);
    }
    if (n->nops > shape)
        text_put(w->out, n->nops == shape + 1 ? ",)" : ")");
    else if (shape < UINT32_MAX)
        text_put(w->out, ", ()");
    for (int i = 0; i < (int)n->nattrs; i++)
        raw_attribute(w, n, i);
    text_putc(w->out, ')');
}

/* ---- one node ---- */

static int level_of(Writer *w, const Node *n)
{
    int own = w->frame ? listing_level(w, n) : -1;
    if (own >= 0)
        return own;
    const Sign *sign = n->nops > 1 ? op_infix(n->op) : op_prefix(n->op);
    if (sign)
        return (int)sign->level;
    if (op_table[n->op].flags & UPDATES)
        return LEVEL_WITH;
    OpForm form = op_table[n->op].form;
    bool result = form == FORM_result && !source_is_named(w, n->ops[0]);
    if (form == FORM_choice || (result && op_table[n->ops[0]->op].form == FORM_choice))
        return LEVEL_ANY;
    return form == FORM_size && !size_as_atom(n->attrs[0].size) ? LEVEL_ADD : LEVEL_POSTFIX;
}

static void dtype_call(Writer *w, Node *n, int depth, const Env *env)
{
    text_printf(w->out, "%s(", dtype_name((DType)n->attrs[0].i));
    source_at(w, n, 0, LEVEL_ANY, depth, env);
    text_putc(w->out, ')');
}

static void tuple(Writer *w, Node *n, int depth, const Env *env)
{
    source_list(w, n, 0, n->nops, true, depth, env);
}

static void quote(Writer *w, Node *n, int depth, const Env *env)
{
    if (!node_swaps_last(n)) {
        function(w, n, depth, env);
        return;
    }
    source_at(w, n, 0, LEVEL_POSTFIX, depth, env);
    text_putc(w->out, '\'');
}

void source_usual(Writer *w, Node *n, int depth, const Env *env)
{
    const Sign *sign = n->nops > 1 ? op_infix(n->op) : op_prefix(n->op);
    if (sign) {
        if (n->nops > 1) {
            infix(w, n, sign, depth, env);
            return;
        }
        text_printf(w->out, n->op == OP_LOGICAL_NOT ? "%s " : "%s", sign->sign);
        /* --x can be read, but not by people */
        source_at(w, n, 0, n->op == OP_NEG ? LEVEL_POW : (int)sign->right, depth, env);
        return;
    }
    u32 flags = op_table[n->op].flags;
    if (flags & UPDATES) {
        source_changed_copy(w, n, depth, env);
        return;
    }
    if (flags & MOVES && flags & READS) {
        source_at(w, n, 0, LEVEL_POSTFIX, depth, env);
        source_subscript(w, n, depth, env);
        return;
    }
    static const SourceForm forms[FORM_COUNT] = {[FORM_dtype] = dtype_call,
                                                 [FORM_tuple] = tuple,
                                                 [FORM_quote] = quote,
                                                 [FORM_result] = source_projection};
    OpForm form = op_table[n->op].form;
    SourceForm how = forms[form] ? forms[form] : source_control(form);
    (how ? how : function)(w, n, depth, env);
}

static void application(Writer *w, Node *n, int depth, const Env *env)
{
    if (!w->frame || !listing_form(w, n))
        source_usual(w, n, depth, env);
}

/* The graph that is being shown; NULL: the outermost, or it is not known. */
static const Graph *shown_graph(const Writer *w) { return w->num ? w->num->within : w->within; }

bool source_is_named(const Writer *w, const Node *n)
{
    return w->names && n != w->root && node_name(w->st, n);
}

/* By the name it has in the graph that is being shown, else p0. */
static void parameter(Writer *w, const Node *n)
{
    const Graph *g = shown_graph(w);
    Symbol *names = g ? map_get(&w->st->param_names, g) : NULL;
    i64 i = n->attrs[0].i;
    if (names && i < g->nparams && names[i])
        text_put(w->out, names[i]);
    else
        text_printf(w->out, "p%lld", (long long)i);
}

static void hole(Writer *w, const Node *n)
{
    Symbol name = node_name(w->st, n);
    text_put(w->out, name ? name : "?");
}

static void size(Writer *w, const Node *n, int need)
{
    bool paren = level_of(w, n) < need;
    text_put(w->out, paren ? "(" : "");
    size_print_numbered(w->out, n->attrs[0].size, w->num);
    text_put(w->out, paren ? ")" : "");
}

static bool leaf(Writer *w, Node *n, int need)
{
    switch (op_table[n->op].form) {
    case FORM_name: text_put(w->out, n->attrs[0].name); return true;
    case FORM_param: parameter(w, n); return true;
    case FORM_hole: hole(w, n); return true;
    case FORM_constant: constant(w, n->attrs[0].value, need); return true;
    case FORM_size: size(w, n, need); return true;
    default: return false;
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

void source_number(Writer *w, const Node *n, const Env *env)
{
    const Graph *shown = w->num->within;
    w->num->within = env ? env->graph : shown;
    text_printf(w->out, "%%%u", number_of(w->num, n));
    w->num->within = shown;
}

/* By its name, if it has one in the graph that is being shown, else by its number. */
static void reference(Writer *w, const Node *n, const Env *env)
{
    Symbol name = w->leaves ? node_name_in(w->st, env ? env->graph : shown_graph(w), n) : NULL;
    if (name)
        text_put(w->out, name);
    else
        source_number(w, n, env);
}

static bool is_leaf(const Writer *w, const Node *n)
{
    return w->leaves && n != w->root && map_has(w->leaves, n);
}

static bool is_too_deep(const Writer *w, const Node *n, int depth)
{
    return depth >= w->depth && !(w->marked && depth < DEEPEST_LEAD && map_has(&w->leads, n));
}

static void unmarked(Writer *w, Node *n, int need, int depth, const Env *env)
{
    if (w->frame && listing_named(w, n)) {
        return;
    } else if (source_is_named(w, n) && n->op != OP_PARAM) {
        text_put(w->out, node_name_in(w->st, shown_graph(w), n));
    } else if (leaf(w, n, need)) {
        return;
    } else if (n->op == OP_PROJ && n->ops[0]->op == OP_FUSED && !w->num &&
               !w->frame) { /* what it computes */
        Node *fused = n->ops[0];
        Env inner = {fused->ops, NULL, fused->nops, env, fused->attrs[0].graph};
        source_expression(w, fused->attrs[0].graph->outs[n->attrs[0].i], need, depth, &inner);
    } else if (is_leaf(w, n)) {
        reference(w, n, env);
    } else if (is_too_deep(w, n, depth)) {
        w->elided = true;
        if (w->num)
            reference(w, n, env);
        else
            text_put(w->out, "…");
    } else {
        bool paren = level_of(w, n) < need;
        text_put(w->out, paren ? "(" : "");
        application(w, n, depth, env);
        text_put(w->out, paren ? ")" : "");
    }
}

void source_expression(Writer *w, Node *n, int need, int depth, const Env *env)
{
    w->full = w->full || w->out->len > w->limit;
    if (w->full)
        return;
    for (Node *arg; n->op == OP_PARAM && (arg = argument(n, &env));)
        n = arg;
    put_mark(w, n, MARK_OPEN);
    unmarked(w, n, need, depth, env);
    put_mark(w, n, MARK_CLOSE);
}

/* ---- with limits ---- */

static int characters(const Text *t)
{
    int n = 0;
    for (size_t i = 0; i < t->len; i++)
        n += ((unsigned char)t->at[i] & 0xC0) != 0x80 && t->at[i] != MARK_OPEN &&
             t->at[i] != MARK_CLOSE;
    return n;
}

/* Prints `depth` levels. Does it fit? */
static bool attempt(Writer *w, Text *out, int depth, int max_chars)
{
    out->len = 0;
    w->out = out;
    w->depth = depth;
    w->elided = w->full = false;
    source_expression(w, w->root, LEVEL_ANY, 0, NULL);
    return !w->full && characters(out) <= max_chars;
}

/* As many levels as fit: doubled until they do not, then halved. */
static void within_limit(Writer *w, Text *out, int max_chars)
{
    Text best = {0}, trial = {0};
    int good = 1, bad = 0;
    bool cut = !attempt(w, &best, 1, max_chars) && w->full, more = !cut && w->elided;
    while (more && bad != good + 1) {
        int depth = bad ? good + (bad - good) / 2 : 2 * good < DEEPEST ? 2 * good : DEEPEST;
        if (attempt(w, &trial, depth, max_chars)) {
            Text swap = best;
            best = trial;
            trial = swap;
            good = depth;
            more = w->elided && depth < DEEPEST;
        } else {
            bad = depth;
        }
    }
    text_put(out, text_str(&best));
    text_put(out, cut ? "…" : "");
    text_free(&best);
    text_free(&trial);
}

void node_source_limited(Store *st, Text *out, Node *n, bool names, int max_chars)
{
    Writer w = {.st = st, .root = n, .names = names, .limit = 4 * (size_t)max_chars + 64};
    within_limit(&w, out, max_chars);
}

void node_source_marked(Store *st, Text *out, Node *n, int max_chars, const PtrMap *marked,
                        const Graph *within)
{
    Writer w = {.st = st, .root = n, .within = within, .marked = marked};
    w.limit = 4 * (size_t)max_chars + 64;
    NodeVec order = {0};
    if (marked)
        nodes_topo(1, &n, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *x = order.at[i];
        bool leads = map_has(marked, x);
        for (u32 k = 0; k < x->nops && !leads; k++)
            leads = map_has(&w.leads, x->ops[k]);
        if (leads)
            map_put(&w.leads, x, x);
    }
    vec_free(&order);
    within_limit(&w, out, max_chars);
    map_free(&w.leads);
}

void node_source(Store *st, Text *out, Node *n, bool names)
{
    node_source_limited(st, out, n, names, LONGEST);
}

void node_source_numbered(Store *st, Text *out, Node *n, Numbering *num, int depth)
{
    Writer w = {.st = st, .out = out, .root = n, .num = num};
    w.depth = depth < 1 ? 1 : depth < DEEPEST ? depth : DEEPEST;
    w.limit = out->len + LONGEST;
    source_expression(&w, n, LEVEL_ANY, 0, NULL);
    text_put(out, w.full ? "…" : "");
}

bool node_source_leaves(Store *st, Text *out, Node *n, Numbering *num, int depth,
                        const PtrMap *leaves)
{
    Writer w = {.st = st, .out = out, .root = n, .num = num, .leaves = leaves, .depth = depth};
    w.limit = out->len + LONGEST;
    source_expression(&w, n, LEVEL_ANY, 0, NULL);
    return !w.elided && !w.full;
}
