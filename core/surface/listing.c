/* A whole graph in the surface language: declarations, definitions, the expression.
 *
 * What is used once stands where it is used; what is shared, named by the author, taken into a
 * body or very high has a definition. Invariant: definitions stand before their uses and bear names
 * that mean nothing else there, so that the text can be read back. */
#include "surface/listing.h"
#include "graph/name.h"
#include "graph/provenance.h"
#include "syntax/lex.h"

enum {
    USUAL_WIDTH = 100,
    HIGHEST = 200 /* levels of an expression: far fewer than the parser takes, and than the stack */
};

/* ---- names ---- */

/* The length of the name that the text begins with: "h" of "h[t-1]"; 0: it begins with none. */
static size_t name_length(const char *s)
{
    Source src = {.name = (char *)(uintptr_t) "", .text = (char *)(uintptr_t)s, .len = strlen(s)};
    size_t n = lex_word_length(&src, 0);
    return lex_is_keyword(s, n) ? 0 : n;
}

bool is_name_text(const char *s) { return name_length(s) == strlen(s) && *s; }

/* `far`: also what frames around have. */
static bool is_taken(const Frame *f, Symbol s, bool far)
{
    s = name_spelling(f->l->st, s);
    if (map_has(&f->taken, s) || map_has(&f->l->reserved, s))
        return true;
    return far && f->outer && is_taken(f->outer, s, true);
}

/* A name like what is wanted: parts of tuples "s.0" and whatever else is none become one. */
static void name_like(Text *out, const char *wanted)
{
    if (is_name_text(wanted)) {
        text_put(out, wanted);
        return;
    }
    for (; *wanted && *wanted != '['; wanted++) {
        bool word = name_length(wanted) || (out->len && strchr("0123456789", *wanted));
        if (word || (unsigned char)*wanted >= 0x80)
            text_putc(out, *wanted);
        else if (out->len)
            text_putc(out, '_');
    }
    if (!is_name_text(text_str(out)))
        out->len = 0;
}

Symbol frame_take(Frame *f, Symbol wanted)
{
    Store *st = f->l->st;
    bool made = name_is_made(st, wanted) && is_name_text(wanted);
    Text name = {0};
    name_like(&name, wanted);
    size_t stem = name.len;
    bool temp = !stem, far = temp || !strcmp(text_str(&name), "S");
    Symbol s = temp ? NULL : made ? wanted : symbol(st, text_str(&name));
    for (int k = 2; !s || is_taken(f, s, far); k++) {
        name.len = stem;
        text_printf(&name, temp ? "t%d" : "_%d", temp ? (int)++f->l->temps : k);
        s = made ? name_again(st, wanted, k) : symbol(st, text_str(&name));
    }
    set_add(&f->taken, name_spelling(st, s));
    text_free(&name);
    return s;
}

void frame_take_text(Frame *f, const char *text)
{
    Symbol s = symbol_n(f->l->st, text, name_length(text));
    if (*s)
        set_add(&f->taken, s);
}

void frame_name(Frame *f, const Node *n, Symbol text) { map_put(&f->names, n, text); }

/* The author's name, of this frame. */
static Symbol given_name(const Frame *f, const Node *n)
{
    Symbol s = node_name_in(f->l->st, f->graph, n);
    return s && is_name_text(s) ? s : NULL;
}

/* ---- what needs a definition ---- */

static Node *node_of(const Node *n) { return (Node *)(uintptr_t)n; }

static bool is_leaf(const Node *n)
{
    return n->op == OP_INPUT || n->op == OP_SHARED || n->op == OP_PARAM || n->op == OP_CONST ||
           n->op == OP_SIZE || n->op == OP_HOLE;
}

static void increase(NodeCounts *m, const Node *n) { map_put(m, n, map_get(m, n) + 1); }

bool frame_is_pair(const Frame *f, const Node *n)
{
    return n->op == OP_GRAD && map_has(&f->uses, node_proj(f->l->st, node_of(n), n->attrs[1].i));
}

int node_parts(const Node *n)
{
    if (n->type->kind != TYPE_TUPLE || n->op == OP_TUPLE)
        return 1;
    if (op_table[n->op].form != FORM_derivative)
        return n->type->nitems;
    return n->op == OP_JVP ? n->attrs[0].graph->nouts : (int)n->attrs[1].i;
}

bool frame_has_fields(const Frame *f, const Node *n)
{
    return node_is_loop(n) || frame_is_pair(f, n) || node_parts(n) > 1;
}

/* Does the owner n name operand i in its graph, instead of being given it? */
static bool takes_inside(const Node *n, u32 i)
{
    OpForm form = op_table[n->op].form;
    if (form == FORM_scan || form == FORM_loop)
        return (int)i >= (int)n->nops -
                             (n->op == OP_SCAN ? scan_shape(n).ncaptures : loop_shape(n).ncaptures);
    if (form == FORM_choice)
        return i > 0;
    if (form == FORM_lanes)
        return n->attrs[1].ints->at[i] < 0;
    return (form == FORM_fused || form == FORM_derivative) && (int)i < n->attrs[0].graph->nparams;
}

Node *frame_operand(const Frame *f, const Node *n, Node *op)
{
    return map_has(&f->quiet, n) && !given_name(f, op) ? quiet_operand(op) : op;
}

static void count_uses(Frame *f, const Node *n)
{
    for (u32 i = 0; i < n->nops; i++) {
        increase(&f->uses, frame_operand(f, n, n->ops[i]));
        if (takes_inside(n, i))
            set_add(&f->forced, n->ops[i]);
    }
}

/* The only use of the loop is one trace, and that is a result: it needs no name. */
static bool is_last(Frame *f, const Node *loop)
{
    if (map_get(&f->uses, loop) != 1 || !listing_loop_is_trace(f, node_of(loop)))
        return false;
    for (size_t i = 0; i < f->results.len; i++) {
        const Node *r = map_key(&f->results, i);
        if (r->op == OP_PROJ && r->ops[0] == loop)
            return map_get(&f->uses, r) == 1 && !map_has(&f->forced, r);
    }
    return false;
}

/* The levels of what is written for n where nothing stands for it. */
static u32 height_of(const Frame *f, const NodeCounts *heights, const Node *n)
{
    u32 height = 0;
    for (u32 i = 0; i < n->nops; i++) {
        const Node *op = frame_operand(f, n, n->ops[i]);
        u32 below = map_has(&f->names, op) ? 0 : map_get(heights, op);
        height = below > height ? below : height;
    }
    return height + 1;
}

static bool needs_definition(Frame *f, const Node *n, u32 height)
{
    if (is_leaf(n) || n->op == OP_TUPLE || map_has(&f->names, n) || !map_has(&f->uses, n))
        return false;
    if (n->type->kind == TYPE_TUPLE)
        return frame_has_fields(f, n) && !(node_is_loop(n) && is_last(f, n));
    if (n->op == OP_PROJ && frame_has_fields(f, n->ops[0]))
        return false;
    u32 uses = map_get(&f->uses, n);
    return uses > 1 || height >= HIGHEST || map_has(&f->forced, n) ||
           (given_name(f, n) && !(uses == 1 && map_has(&f->results, n)));
}

static Symbol number_text(const Frame *f, const Node *n)
{
    char text[16];
    Numbering *num = f->l->options->num;
    const Graph *around = num->within;
    num->within = f->graph;
    snprintf(text, sizeof text, "%%%u", number_of(num, n));
    num->within = around;
    return symbol(f->l->st, text);
}

static Symbol definition_name(Frame *f, const Node *n)
{
    Symbol name = given_name(f, n);
    if (!name && f->l->options->num)
        return number_text(f, n);
    return frame_take(f, name ? name : node_is_loop(n) ? "S" : n->op == OP_GRAD ? "G" : "");
}

/* G[0], the value, and G[1], the derivatives. */
static void name_pair(Frame *f, Node *n)
{
    Store *st = f->l->st;
    Symbol own = definition_name(f, n);
    i64 wrt = n->attrs[1].i;
    Text t = {0};
    frame_name(f, n, own);
    for (i64 i = 0; i <= wrt; i++) {
        t.len = 0;
        text_printf(&t, "%s[%d]", own, i < wrt);
        if (i < wrt && wrt > 1)
            text_printf(&t, "[%lld]", (long long)i);
        frame_name(f, node_proj(st, n, i), symbol(st, text_str(&t)));
    }
    text_free(&t);
}

static void name_definition(Frame *f, Node *n)
{
    if (frame_is_pair(f, n)) {
        name_pair(f, n);
        return;
    }
    if (node_parts(n) == 1 || node_is_loop(n)) {
        frame_name(f, n, definition_name(f, n));
        return;
    }
    for (int i = 0; i < node_parts(n); i++) {
        Node *part = node_proj(f->l->st, n, i);
        if (map_has(&f->uses, part) && !map_has(&f->names, part))
            frame_name(f, part, definition_name(f, part));
    }
}

/* Those with names first, so that they keep them. */
static void name_definitions(Frame *f, const NodeVec *order)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < order->len; i++) {
            Node *n = order->at[i];
            if (map_has(&f->defined, n) && !map_has(&f->equations, n) &&
                (given_name(f, n) != NULL) == (pass == 0))
                name_definition(f, n);
        }
}

/* Of what is written only: without the broadcasts that are not, and what only these read. */
static void count_written(Frame *f, const NodeVec *order, int nroots, Node *const *roots)
{
    NodeSet written = {0};
    for (int i = 0; i < nroots; i++)
        set_add(&written, roots[i]);
    for (size_t i = order->len; i-- > 0;) {
        const Node *n = order->at[i];
        if (!map_has(&written, n))
            continue;
        for (u32 k = 0; k < n->nops; k++)
            set_add(&written, frame_operand(f, n, n->ops[k]));
        if (!map_has(&f->names, n))
            count_uses(f, n);
    }
    map_free(&written);
}

void frame_count(Frame *f, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(nroots, roots, &order);
    for (int i = 0; i < nroots; i++) {
        increase(&f->uses, roots[i]);
        set_add(&f->results, roots[i]);
    }
    for (int parts = 0; parts < 2; parts++)
        for (size_t i = 0; i < order.len; i++)
            frame_name_leaf(f, order.at[i], parts);
    for (size_t i = 0; i < order.len; i++)
        listing_sizes_unseen(f, order.at[i]);
    for (size_t i = 0; i < order.len; i++)
        if (!map_has(&f->unseen, order.at[i]) && quiet_broadcasts(f->l->st, order.at[i]))
            set_add(&f->quiet, order.at[i]);
    count_written(f, &order, nroots, roots);
    vec_free(&order);
}

void frame_find(Frame *f, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    NodeCounts heights = {0}; /* of what has no definition */
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        bool part = n->op == OP_PROJ && frame_has_fields(f, n->ops[0]);
        u32 height = height_of(f, &heights, n);
        if ((map_has(&f->equations, n) && !part) || needs_definition(f, n, height))
            set_add(&f->defined, n);
        else
            map_put(&heights, n, height);
    }
    name_definitions(f, &order);
    map_free(&heights);
    vec_free(&order);
}

void frame_open(Frame *f, Listing *l, const Frame *outer, const Graph *g)
{
    *f = (Frame){.l = l, .outer = outer, .graph = g, .block = tree_new(&l->b, E_BLOCK, NULL)};
}

void frame_place(Frame *f, const Frame *around, const Node *owner)
{
    GraphPlace *place = arena_alloc(&f->l->b.arena, sizeof *place);
    *place = (GraphPlace){owner, f->graph, around->place};
    f->place = place;
}

void frame_close(Frame *f)
{
    map_free(&f->names);
    map_free(&f->taken);
    map_free(&f->uses);
    map_free(&f->quiet);
    map_free(&f->forced);
    map_free(&f->defined);
    map_free(&f->equations);
    map_free(&f->results);
    map_free(&f->seen);
    map_free(&f->unseen);
    map_free(&f->given);
}

/* ---- definitions ---- */

Stmt *listing_put(Listing *l, Expr *block, StmtKind kind, const char *name, Expr *value)
{
    Stmt *s = tree_stmt(&l->b, block, kind, value);
    if (name)
        tree_bind(&l->b, &s->names, &s->nnames, name, NULL);
    return s;
}

/* The expression of n, whatever its own name is. */
static Expr *frame_expression(Frame *f, Node *n)
{
    Builder *b = &f->l->b;
    Frame *around = b->frame;
    Node *root = b->root;
    b->frame = f, b->root = n;
    Expr *e = tree_of(b, n, 0, NULL);
    b->frame = around, b->root = root;
    return e;
}

Expr *frame_tree(Frame *f, Node *n)
{
    Symbol name = map_get(&f->names, n);
    if (!name)
        return frame_expression(f, n);
    Expr *e = tree_new(&f->l->b, E_NAME, name);
    e->of = n;
    return e;
}

Symbol frame_text(Frame *f, Node *n)
{
    Symbol s = map_get(&f->names, n);
    if (s)
        return s;
    Text text = {0};
    Pretty p = {0};
    ast_lay_expr(&p, frame_expression(f, n), LEVEL_POSTFIX, NULL);
    pretty_write(&text, NULL, &p, 0);
    s = symbol(f->l->st, text_str(&text));
    pretty_free(&p);
    text_free(&text);
    return s;
}

/* a = value, a, _, b = value */
static void define(Frame *f, Node *n)
{
    Symbol name = map_get(&f->names, n);
    bool parts = node_parts(n) > 1 && !node_is_loop(n) && !frame_is_pair(f, n);
    Expr *value = node_is_loop(n) ? listing_loop(f, n, name) : frame_expression(f, n);
    Stmt *s = listing_put(f->l, f->block, S_DEFINE, parts ? NULL : name, value);
    for (int i = 0; parts && i < node_parts(n); i++) {
        Symbol part = map_get(&f->names, node_proj(f->l->st, n, i));
        tree_bind(&f->l->b, &s->names, &s->nnames, part ? part : "_", NULL);
    }
}

void frame_define(Frame *f, Node *n)
{
    NodeVec part = {0};
    nodes_topo_more(n, &f->seen, &part);
    for (size_t i = 0; i < part.len; i++)
        if (map_has(&f->defined, part.at[i]))
            define(f, part.at[i]);
    vec_free(&part);
}

/* ---- inner graphs without a loop ---- */

static void take_all(Frame *f, const Frame *outer)
{
    for (size_t i = 0; i < outer->taken.len; i++)
        set_add(&f->taken, map_key(&outer->taken, i));
}

void frame_inside(Frame *inner, Frame *f, const Node *owner, const Graph *g, Node *const *args,
                  const IntList *map)
{
    frame_open(inner, f->l, f, g);
    frame_place(inner, f, owner);
    inner->index = f->index;
    take_all(inner, f);
    for (int i = 0; i < g->nparams; i++) {
        Node *arg = args[map ? map->at[i] : i];
        if (arg) {
            frame_name(inner, g->param_nodes[i], frame_text(f, arg));
            listing_given(inner, g->param_nodes[i], f, arg);
            listing_same(inner, g->param_nodes[i], arg);
        }
    }
}

static Expr *frame_results(Frame *f, int nouts, Node *const *outs)
{
    if (nouts == 1)
        return frame_tree(f, outs[0]);
    Expr *e = tree_new(&f->l->b, E_TUPLE, NULL);
    for (int i = 0; i < nouts; i++)
        tree_item(&f->l->b, e, frame_tree(f, outs[i]));
    return e;
}

Expr *frame_block(Frame *inner, int nouts, Node *const *outs)
{
    frame_count(inner, nouts, outs);
    frame_find(inner, nouts, outs);
    for (int i = 0; i < nouts; i++)
        frame_define(inner, outs[i]);
    Expr *results = frame_results(inner, nouts, outs);
    if (!inner->block->nstmts)
        return results;
    tree_item(&inner->l->b, inner->block, results);
    return inner->block;
}

/* ---- the whole ---- */

static void note_names(SymbolSet *known, const Size *s)
{
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            const SizeAtom *a = s->terms[i].factors[k];
            if (a->kind == ATOM_NAME)
                set_add(known, a->name);
            if (a->a)
                note_names(known, a->a), note_names(known, a->b);
        }
}

static Stmt *declare(Listing *l, StmtKind kind, Symbol name, DType dtype, int rank,
                     Size *const *dims)
{
    TypeExpr *type = arena_alloc(&l->b.arena, sizeof *type);
    type->dtype = dtype_name(dtype);
    type->dims = arena_alloc(&l->b.arena, (size_t)rank * sizeof *type->dims);
    for (; type->ndims < rank; type->ndims++) {
        Text size = {0};
        size_print(&size, dims[type->ndims]); /* as in any type: `?` is no name */
        type->dims[type->ndims] = tree_text(&l->b, E_SIZE, &size);
    }
    Stmt *s = listing_put(l, l->inputs, kind, name, NULL);
    s->type = type;
    return s;
}

/* With the value that it is given. */
static void declare_leaf(Frame *f, Node *n)
{
    Listing *l = f->l;
    const Tensor *value = l->options->given ? map_get(l->options->given, n) : NULL;
    Stmt *s = declare(l, n->op == OP_SHARED ? S_SHARED : S_INPUT, map_get(&f->names, n),
                      n->type->dtype, n->type->rank, n->type->dims);
    s->type->dim_names = leaf_dimensions(l->st, n);
    Text literal = {.interrupt = l->st->interrupt};
    if (value) {
        tensor_literal(&literal, value);
        s->value = tree_text(&l->b, E_SIZE, &literal);
    }
}

/* A size that no input has is declared with one that has no name. */
static void declare_sizes(Listing *l, const NodeVec *order, SymbolSet *known)
{
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        const SizeAtom *a = n->op == OP_SIZE ? size_as_atom(n->attrs[0].size) : NULL;
        if (!a || a->kind != ATOM_NAME || !set_add(known, a->name))
            continue;
        declare(l, S_INPUT, "_", DT_F64, 1, &n->attrs[0].size);
    }
}

/* In the order in which they were declared: it decides about that of operands. */
static void declare_inputs(Frame *f, int nroots, Node *const *roots)
{
    NodeVec order = {0}, inputs = {0};
    SymbolSet known = {0};
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_INPUT || order.at[i]->op == OP_SHARED)
            vec_push(&inputs, order.at[i]);
    leaves_by_declaration(f->l->b.st, inputs.len, inputs.at);
    for (size_t i = 0; i < inputs.len; i++) {
        Node *n = inputs.at[i];
        declare_leaf(f, n);
        for (int k = 0; k < n->type->rank; k++)
            note_names(&known, n->type->dims[k]);
    }
    declare_sizes(f->l, &order, &known);
    map_free(&known);
    vec_free(&order);
    vec_free(&inputs);
}

/* Names that would hide an operator. */
static void reserve(Listing *l)
{
    static const char *const more[] = {
        "size", "broadcast_to", "arange",    "split", "bool", "i32",   "i64",    "f32",
        "f64",  "tril",         "triu",      "pi",    "e",    "nan",   "inf",    "value_and_grad",
        "zero", "None",         "rng_state", "final", "last", "steps", "stopped"};
    for (int op = 0; op < OP_COUNT; op++) {
        Symbol s = symbol(l->st, op_table[op].name);
        set_add(&l->reserved, s);
    }
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        Symbol s = symbol(l->st, more[i]);
        set_add(&l->reserved, s);
    }
}

/* Parameters of the body that is shown have the names that stand in it. */
static void name_parameters(Frame *f, const Graph *g)
{
    const Symbol *names = g ? graph_names(f->l->st, g) : NULL;
    for (int i = 0; g && i < g->nparams; i++) {
        char text[16];
        snprintf(text, sizeof text, "p%d", i);
        Symbol name = names && names[i] ? names[i] : symbol(f->l->st, text);
        frame_name(f, g->param_nodes[i], name);
        frame_take_text(f, name);
    }
}

static void name_known(Frame *f, const NodeSet *leaves)
{
    for (size_t i = 0; leaves && i < leaves->len; i++) {
        const Node *n = map_key(leaves, i);
        if (is_leaf(n))
            continue;
        Symbol name = node_name_in(f->l->st, f->graph, n);
        if (name || f->l->options->num)
            frame_name(f, n, name ? name : number_text(f, n));
    }
}

static const ListingOptions usual = {0};

void listing_begin(Listing *l, Frame *f, Store *st, const ListingOptions *o)
{
    *l = (Listing){.st = st, .options = o ? o : &usual};
    l->b = (Builder){.st = st, .num = l->options->num, .depth = INT32_MAX, .limit = SIZE_MAX};
    l->inputs = tree_new(&l->b, E_BLOCK, NULL);
    l->called = tree_new(&l->b, E_BLOCK, NULL);
    reserve(l);
    if (l->options->result)
        set_add(&l->reserved, l->options->result);
    frame_open(f, l, NULL, l->options->within);
    name_parameters(f, f->graph);
    name_known(f, l->options->leaves);
}

static void lay_block(Pretty *p, const Listing *l, const Expr *block)
{
    for (int i = 0; i < block->nstmts; i++) {
        if (p->text.len)
            pretty_line(p);
        ast_lay_stmt(p, block->stmts[i], tree_keys(l->options->marked));
    }
}

/* The definitions and the roots, called `name` if it is not NULL. */
static void put_roots(Frame *f, Symbol name, int nroots, Node *const *roots)
{
    Expr *e = frame_block(f, nroots, roots);
    listing_put(f->l, f->block, name ? S_DEFINE : S_EXPR, name, e == f->block ? *e->items : e);
}

void listing_whole(Frame *f, int nroots, Node *const *roots)
{
    put_roots(f, f->l->options->result, nroots, roots);
    if (!f->l->options->declared)
        declare_inputs(f, nroots, roots);
}

static void write_listing(const Listing *l, const Frame *f, Text *out, bool head)
{
    Pretty p = {0};
    if (head) {
        lay_block(&p, l, l->inputs);
        lay_block(&p, l, l->called);
    }
    lay_block(&p, l, f->block);
    pretty_write(out, l->options->edges, &p, l->options->width ? l->options->width : USUAL_WIDTH);
    pretty_free(&p);
}

bool listing_end(Listing *l, Frame *f)
{
    frame_close(f);
    map_free(&l->reserved);
    map_free(&l->functions);
    arena_free(&l->b.arena);
    return !store_stopped(l->st, "where a graph is written");
}

bool listing_print(Store *st, Text *out, int nroots, Node *const *roots, const ListingOptions *o)
{
    Listing l;
    Frame f;
    listing_begin(&l, &f, st, o);
    listing_whole(&f, nroots, roots);
    write_listing(&l, &f, out, true);
    return listing_end(&l, &f);
}

bool listing_node(Store *st, Text *out, Node *n, const ListingOptions *o)
{
    Listing l;
    Frame f;
    listing_begin(&l, &f, st, o);
    map_remove(&f.names, n);
    put_roots(&f, node_name_in(st, f.graph, n), 1, &n);
    write_listing(&l, &f, out, false);
    return listing_end(&l, &f);
}
