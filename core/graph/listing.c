/* A whole graph in the surface language: declarations, definitions, the expression.
 *
 * What is used once stands where it is used; what is shared, named by the author or taken into a
 * body has a definition. Invariant: definitions stand before their uses and bear names that mean
 * nothing else there, so that the text can be read back. */
#include "graph/listing.h"
#include "syntax/lex.h"

enum { INDENT = 2 };

/* ---- names ---- */

static size_t plain_length(const char *s)
{
    Source src = {.name = (char *)(uintptr_t) "", .text = (char *)(uintptr_t)s, .len = strlen(s)};
    return lex_word_length(&src, 0);
}

/* The length of the name that the text begins with: "d h" of "d h[t-1]"; 0: it begins with none. */
static size_t name_length(const char *s)
{
    Source src = {.name = (char *)(uintptr_t) "", .text = (char *)(uintptr_t)s, .len = strlen(s)};
    size_t n = lex_name_length(&src, 0);
    return lex_is_keyword(s, n) ? 0 : n;
}

bool is_name_text(const char *s) { return name_length(s) == strlen(s) && *s; }

/* `far`: also what frames around have. */
static bool is_taken(const Frame *f, Symbol s, bool far)
{
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
        bool word = plain_length(wanted) || (out->len && strchr("0123456789", *wanted));
        if (word || (unsigned char)*wanted >= 0x80)
            text_putc(out, *wanted);
        else if (out->len)
            text_putc(out, '_');
    }
    if (!is_name_text(text_str(out)))
        out->len = 0;
}

Symbol frame_take(Frame *f, const char *wanted)
{
    Store *st = f->l->st;
    Text name = {0};
    name_like(&name, wanted);
    size_t stem = name.len;
    bool temp = !stem, far = temp || !strcmp(text_str(&name), "S");
    Symbol s = temp ? NULL : symbol(st, text_str(&name));
    for (unsigned k = 1; !s || is_taken(f, s, far); k++) {
        name.len = stem;
        text_printf(&name, "%s%u", temp ? "t" : "", temp ? ++f->l->temps : k);
        s = symbol(st, text_str(&name));
    }
    map_put(&f->taken, s, (void *)(uintptr_t)s);
    text_free(&name);
    return s;
}

void frame_take_text(Frame *f, const char *text)
{
    Symbol s = symbol_n(f->l->st, text, name_length(text));
    if (*s)
        map_put(&f->taken, s, (void *)(uintptr_t)s);
}

void frame_name(Frame *f, const Node *n, Symbol text)
{
    map_put(&f->names, n, (void *)(uintptr_t)text);
}

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

static i64 count(const PtrMap *m, const void *key) { return (i64)(uintptr_t)map_get(m, key); }
static void increase(PtrMap *m, const void *key)
{
    map_put(m, key, (void *)(uintptr_t)(count(m, key) + 1));
}

/* grad and the value with it: a pair, the second of which may be a tuple. */
static bool is_pair(const Frame *f, const Node *n)
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
    return node_is_loop(n) || is_pair(f, n) || node_parts(n) > 1;
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

static void count_uses(Frame *f, const Node *n)
{
    for (u32 i = 0; i < n->nops; i++) {
        increase(&f->uses, n->ops[i]);
        if (takes_inside(n, i))
            map_put(&f->forced, n->ops[i], n->ops[i]);
    }
}

/* The only use of the loop is one trace, and that is a result: it needs no name. */
static bool is_last(Frame *f, const Node *loop)
{
    if (count(&f->uses, loop) != 1 || !listing_loop_is_trace(f, node_of(loop)))
        return false;
    for (size_t i = 0; i < f->results.cap; i++) {
        const Node *r = f->results.keys ? f->results.keys[i] : NULL;
        if (r && r->op == OP_PROJ && r->ops[0] == loop)
            return count(&f->uses, r) == 1 && !map_has(&f->forced, r);
    }
    return false;
}

static bool needs_definition(Frame *f, const Node *n)
{
    if (is_leaf(n) || n->op == OP_TUPLE || map_has(&f->names, n))
        return false;
    if (n->type->kind == TYPE_TUPLE)
        return frame_has_fields(f, n) && !(node_is_loop(n) && is_last(f, n));
    if (n->op == OP_PROJ && frame_has_fields(f, n->ops[0]))
        return false;
    i64 uses = count(&f->uses, n);
    return uses > 1 || map_has(&f->forced, n) ||
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
    if (is_pair(f, n)) {
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

static void name_leaf(Frame *f, Node *n)
{
    if (n->op != OP_INPUT && n->op != OP_SHARED)
        return;
    frame_name(f, n, n->attrs[0].name);
    frame_take_text(f, n->attrs[0].name);
}

void frame_count(Frame *f, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(nroots, roots, &order);
    for (int i = 0; i < nroots; i++) {
        increase(&f->uses, roots[i]);
        map_put(&f->results, roots[i], roots[i]);
    }
    for (size_t i = 0; i < order.len; i++) {
        name_leaf(f, order.at[i]);
        listing_sizes_unseen(f, order.at[i]);
        if (!map_has(&f->names, order.at[i]))
            count_uses(f, order.at[i]);
    }
    vec_free(&order);
}

void frame_find(Frame *f, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        bool part = n->op == OP_PROJ && frame_has_fields(f, n->ops[0]);
        if ((map_has(&f->equations, n) && !part) || needs_definition(f, n))
            map_put(&f->defined, n, n);
    }
    name_definitions(f, &order);
    vec_free(&order);
}

void frame_open(Frame *f, Listing *l, const Frame *outer, const Graph *g)
{
    *f = (Frame){.l = l, .outer = outer, .graph = g, .indent = outer ? outer->indent + 1 : 0};
}

void frame_close(Frame *f)
{
    PtrMap *maps[] = {&f->names,     &f->taken,   &f->uses, &f->forced, &f->defined,
                      &f->equations, &f->results, &f->seen, &f->unseen};
    for (size_t i = 0; i < COUNT_OF(maps); i++)
        map_free(maps[i]);
}

/* ---- definitions ---- */

void frame_line(Frame *f)
{
    if (f->out->len)
        text_putc(f->out, '\n');
    for (int i = 0; i < f->indent * INDENT; i++)
        text_putc(f->out, ' ');
}

/* The expression of n, whatever its own name is. */
static void frame_expression(Frame *f, Text *out, Node *n, int need)
{
    Writer w = {.st = f->l->st,
                .out = out,
                .root = n,
                .frame = f,
                .num = f->l->options->num,
                .depth = INT32_MAX,
                .limit = SIZE_MAX,
                .marked = f->l->options->marked};
    source_expression(&w, n, need, 0, NULL);
}

Symbol frame_text(Frame *f, Node *n, int need)
{
    Symbol s = map_get(&f->names, n);
    if (s)
        return s;
    Text text = {0};
    frame_expression(f, &text, n, need);
    s = symbol(f->l->st, text_str(&text));
    text_free(&text);
    return s;
}

/* "a, _, b = " */
static void put_targets(Frame *f, Text *out, Node *n)
{
    for (int i = 0; i < node_parts(n); i++) {
        Symbol part = map_get(&f->names, node_proj(f->l->st, n, i));
        text_printf(out, "%s%s", i ? ", " : "", part ? part : "_");
    }
    text_put(out, " = ");
}

static void define(Frame *f, Node *n)
{
    Text line = {0};
    if (node_parts(n) > 1 && !node_is_loop(n) && !is_pair(f, n))
        put_targets(f, &line, n);
    else
        text_printf(&line, "%s = ", (Symbol)map_get(&f->names, n));
    if (node_is_loop(n))
        listing_loop(f, &line, n, map_get(&f->names, n));
    else
        frame_expression(f, &line, n, LEVEL_ANY);
    frame_line(f);
    text_put(f->out, text_str(&line));
    text_free(&line);
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
    for (size_t i = 0; i < outer->taken.cap; i++)
        if (outer->taken.keys && outer->taken.keys[i])
            map_put(&f->taken, outer->taken.keys[i], outer->taken.vals[i]);
}

void frame_inside(Frame *inner, Frame *f, const Graph *g, Node *const *args, const IntList *map)
{
    frame_open(inner, f->l, f, g);
    inner->index = f->index;
    take_all(inner, f);
    for (int i = 0; i < g->nparams; i++) {
        Node *arg = args[map ? map->at[i] : i];
        if (arg) {
            frame_name(inner, g->param_nodes[i], frame_text(f, arg, LEVEL_POSTFIX));
            listing_given(inner, g->param_nodes[i], f, arg);
        }
    }
}

static void put_results(Frame *f, Text *out, int nouts, Node *const *outs, int need)
{
    if (nouts == 1) {
        Symbol name = map_get(&f->names, outs[0]);
        if (name)
            text_put(out, name);
        else
            frame_expression(f, out, outs[0], need);
        return;
    }
    text_putc(out, '(');
    for (int i = 0; i < nouts; i++) {
        text_put(out, i ? ", " : "");
        text_put(out, frame_text(f, outs[i], LEVEL_ANY));
    }
    text_putc(out, ')');
}

void frame_block(Writer *w, Frame *inner, int nouts, Node *const *outs, int need)
{
    Text lines = {0}, last = {0};
    inner->out = &lines;
    frame_count(inner, nouts, outs);
    frame_find(inner, nouts, outs);
    for (int i = 0; i < nouts; i++)
        frame_define(inner, outs[i]);
    put_results(inner, &last, nouts, outs, lines.len ? LEVEL_ANY : need);
    if (lines.len) {
        frame_line(inner);
        text_printf(w->out, "{\n%s%s", text_str(&lines), text_str(&last));
        inner->indent--;
        inner->out = w->out;
        frame_line(inner);
        text_putc(w->out, '}');
    } else {
        text_put(w->out, text_str(&last));
    }
    text_free(&lines);
    text_free(&last);
}

/* ---- the whole ---- */

static int by_declaration(const void *a, const void *b)
{
    const Node *x = *(Node *const *)a, *y = *(Node *const *)b;
    return (x->aux > y->aux) - (x->aux < y->aux);
}

static void note_names(PtrMap *known, const Size *s)
{
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            const SizeAtom *a = s->terms[i].factors[k];
            if (a->kind == ATOM_NAME)
                map_put(known, a->name, (void *)(uintptr_t)a->name);
            if (a->a)
                note_names(known, a->a), note_names(known, a->b);
        }
}

/* A size that no input has is declared with one that has no name. */
static void put_sizes(Frame *f, const NodeVec *order, PtrMap *known)
{
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        const SizeAtom *a = n->op == OP_SIZE ? size_as_atom(n->attrs[0].size) : NULL;
        if (!a || a->kind != ATOM_NAME || map_has(known, a->name))
            continue;
        map_put(known, a->name, (void *)(uintptr_t)a->name);
        frame_line(f);
        text_printf(f->out, "_ : f64[%s]", a->name);
    }
}

/* In the order in which they were declared: it decides about that of operands. */
static void put_declarations(Frame *f, int nroots, Node *const *roots)
{
    NodeVec order = {0}, inputs = {0};
    PtrMap known = {0};
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_INPUT || order.at[i]->op == OP_SHARED)
            vec_push(&inputs, order.at[i]);
    if (inputs.len)
        qsort(inputs.at, inputs.len, sizeof *inputs.at, by_declaration);
    for (size_t i = 0; i < inputs.len; i++) {
        Node *n = inputs.at[i];
        frame_line(f);
        text_printf(f->out, "%s%s : ", n->op == OP_SHARED ? "shared " : "", n->attrs[0].name);
        type_print(f->out, n->type);
        for (int k = 0; k < n->type->rank; k++)
            note_names(&known, n->type->dims[k]);
    }
    put_sizes(f, &order, &known);
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
        map_put(&l->reserved, s, (void *)(uintptr_t)s);
    }
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        Symbol s = symbol(l->st, more[i]);
        map_put(&l->reserved, s, (void *)(uintptr_t)s);
    }
}

/* Parameters of the body that is shown have the names that stand in it. */
static void name_parameters(Frame *f, const Graph *g)
{
    Symbol *names = g ? map_get(&f->l->st->param_names, g) : NULL;
    for (int i = 0; g && i < g->nparams; i++) {
        char text[16];
        snprintf(text, sizeof text, "p%d", i);
        Symbol name = names && names[i] ? names[i] : symbol(f->l->st, text);
        frame_name(f, g->param_nodes[i], name);
        frame_take_text(f, name);
    }
}

static void name_known(Frame *f, const PtrMap *leaves)
{
    for (size_t i = 0; leaves && i < leaves->cap; i++) {
        const Node *n = leaves->keys ? leaves->keys[i] : NULL;
        Symbol name = n && !is_leaf(n) ? node_name_in(f->l->st, f->graph, n) : NULL;
        if (name || (n && !is_leaf(n) && f->l->options->num))
            frame_name(f, n, name ? name : number_text(f, n));
    }
}

static const ListingOptions usual = {0};

/* The outermost frame, in which parameters, and what is not to be opened, have names. */
static void listing_begin(Listing *l, Frame *f, Store *st, const ListingOptions *o)
{
    *l = (Listing){.st = st, .options = o ? o : &usual};
    reserve(l);
    frame_open(f, l, NULL, l->options->within);
    name_parameters(f, f->graph);
    name_known(f, l->options->leaves);
}

static bool listing_end(Listing *l, Frame *f, Text *out, Text *all)
{
    listing_lines(out, text_str(all), l->options->width);
    frame_close(f);
    map_free(&l->reserved);
    map_free(&l->functions);
    text_free(&l->head);
    return !l->failed;
}

static void put_definitions(Frame *f, Text *lines, int nroots, Node *const *roots)
{
    f->out = lines;
    frame_count(f, nroots, roots);
    frame_find(f, nroots, roots);
    for (int i = 0; i < nroots; i++)
        frame_define(f, roots[i]);
    frame_line(f);
}

bool listing_print(Store *st, Text *out, int nroots, Node *const *roots, const ListingOptions *o)
{
    Listing l;
    Frame f;
    Text lines = {0}, all = {0};
    listing_begin(&l, &f, st, o);
    put_definitions(&f, &lines, nroots, roots);
    put_results(&f, &lines, nroots, roots, LEVEL_ANY);
    f.out = &all;
    if (!l.options->declared)
        put_declarations(&f, nroots, roots);
    text_printf(&all, "%s%s%s", all.len ? "\n" : "", text_str(&l.head), text_str(&lines));
    bool ok = listing_end(&l, &f, out, &all);
    text_free(&lines);
    text_free(&all);
    return ok;
}

bool listing_node(Store *st, Text *out, Node *n, const ListingOptions *o)
{
    Listing l;
    Frame f;
    Text lines = {0};
    Symbol name = node_name_in(st, o ? o->within : NULL, n);
    listing_begin(&l, &f, st, o);
    map_remove(&f.names, n);
    put_definitions(&f, &lines, 1, &n);
    if (name)
        text_printf(&lines, "%s = ", name);
    put_results(&f, &lines, 1, &n, LEVEL_ANY);
    bool ok = listing_end(&l, &f, out, &lines);
    text_free(&lines);
    return ok;
}
