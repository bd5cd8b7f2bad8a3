/* The text of a graph, as `:graph` writes it, run like a statement: it declares the inputs that it
 * mentions and gives its results a name.
 *
 * Invariant: the text is not trusted. Either all of it takes effect or, after a diagnostic, nothing
 * does. */
#include "graph/print.h"
#include "graph/provenance.h"
#include "session/definitions.h"
#include "session/statements.h"
#include "syntax/lex.h"

typedef struct {
    Session *s;
    const Source *src;
    Symbol name;    /* of the value */
    NodeVec leaves; /* the inputs and shared variables that it mentions, operands first */
    int nroots;
    Node **roots;
} GraphText;

/* ---- names ---- */

static bool is_plain_name(const char *name)
{
    size_t n = strlen(name);
    Source src = {.text = (char *)(uintptr_t)name, .len = n};
    return n && lex_word_length(&src, 0) == n && !lex_is_keyword(name, n) && strcmp(name, "_");
}

/* The file's name without folders and ending; `_` for what cannot stand in a name. */
static Symbol name_of_file(Session *s, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t n = dot ? (size_t)(dot - base) : strlen(base);
    Source src = {.text = (char *)(uintptr_t)base, .len = n};
    Text name = {0};
    text_put(&name, n && base[0] >= '0' && base[0] <= '9' ? "_" : "");
    for (size_t i = 0; i < n;) {
        bool digit = base[i] >= '0' && base[i] <= '9';
        size_t word = digit ? 1 : lex_word_length(&src, i);
        text_putn(&name, word ? base + i : "_", word ? word : 1);
        i += word ? word : 1;
    }
    if (!name.len || lex_is_keyword(text_str(&name), name.len) || !strcmp(text_str(&name), "_"))
        text_put(&name, name.len ? "_" : "graph");
    Symbol made = symbol(&s->st, text_str(&name));
    text_free(&name);
    return made;
}

/* One of its own inputs may bear the file's name. */
static Symbol value_name(GraphText *g)
{
    Text name = {0};
    text_put(&name, name_of_file(g->s, g->src->name));
    for (size_t i = 0; i < g->leaves.len; i++)
        if (!strcmp(g->leaves.at[i]->attrs[0].name, text_str(&name))) {
            text_putc(&name, '_');
            i = SIZE_MAX; /* all of them once more */
        }
    Symbol made = symbol(&g->s->st, text_str(&name));
    text_free(&name);
    return made;
}

/* ---- what a program could have written ---- */

/* Where the text defines a node, or its beginning: the node may be older. */
static Span place_of(const GraphText *g, const Node *n)
{
    const Span *at = node_span(&g->s->st, n);
    return at && at->src == g->src ? *at : (Span){.src = g->src, .end = 1};
}

static bool refuse(const GraphText *g, const Node *n, const char *hint, const char *why)
{
    diag_add(g->s->st.diags, "graph-text", place_of(g, n), hint, "%s", why);
    return false;
}

static bool sizes_are_named(const Type *t)
{
    for (int a = 0; a < t->rank; a++)
        for (u32 i = 0; i < t->dims[a]->nterms; i++)
            for (u32 k = 0; k < t->dims[a]->terms[i].nfactors; k++)
                if (t->dims[a]->terms[i].factors[k]->kind != ATOM_NAME)
                    return false;
    return true;
}

static bool leaf_is_plain(GraphText *g, Node *n)
{
    Symbol name = n->attrs[0].name;
    if (!is_plain_name(name))
        return refuse(g, n, NULL, "the name of this input is none that a program could write");
    if (n->type->kind != TYPE_TENSOR || !sizes_are_named(n->type))
        return refuse(
            g, n, "as in f64[n, 3]",
            "an input is one tensor, and its sizes are numbers, names, and + - * of those");
    for (int a = 0; a < n->type->rank; a++) {
        i64 k;
        if (size_is_const(n->type->dims[a], &k) && k < 0)
            return refuse(g, n, NULL, "a size cannot be negative");
    }
    for (size_t i = 0; i < g->leaves.len; i++)
        if (g->leaves.at[i]->attrs[0].name == name)
            return refuse(g, n, NULL, "an input of this name stands here already, and is another");
    const Leaf *old = session_leaf(g->s, n);
    if (n->op == OP_SHARED && !(old && leaf_in_force(old)))
        return refuse(g, n, "declare it before, as in shared W : f64[2] = [1, 2]",
                      "there is no shared variable of this name and type, and a graph holds no "
                      "values");
    return true;
}

/* Collects the leaves; what is only part of a graph cannot stand by itself. */
static bool check_nodes(GraphText *g)
{
    NodeVec order = {0};
    nodes_topo(g->nroots, g->roots, &order);
    bool ok = true;
    for (size_t i = 0; i < order.len && ok; i++) {
        Node *n = order.at[i];
        if (n->op == OP_PARAM || n->op == OP_HOLE)
            ok = refuse(g, n, "`:graph EXPR` writes whole graphs",
                        "this is part of a graph, not a graph: a parameter or a hole stands free");
        else if (n->op == OP_INPUT || n->op == OP_SHARED) {
            ok = leaf_is_plain(g, n);
            vec_push(&g->leaves, n);
        }
    }
    vec_free(&order);
    return ok;
}

static bool check_rules(GraphText *g)
{
    Text why = {0};
    bool ok = graph_verify(&g->s->st, g->nroots, g->roots, &why);
    if (!ok)
        diag_add(g->s->st.diags, "graph-text", (Span){.src = g->src, .end = 1}, NULL,
                 "this graph breaks a rule of graphs: %s", text_str(&why));
    text_free(&why);
    return ok;
}

/* ---- taking effect ---- */

static Value *value_of_root(Elab *e, Node *n)
{
    if (n->type->kind != TYPE_TUPLE)
        return value_node(e, n);
    Value **items = arena_alloc(e->arena, ((size_t)n->type->nitems + 1) * sizeof *items);
    for (int i = 0; i < n->type->nitems; i++) {
        Node *part = node_proj(e->st, n, i);
        if (!part || !(items[i] = value_of_root(e, part)))
            return NULL;
    }
    return value_tuple(e, n->type->nitems, items);
}

static Value *value_of_roots(const GraphText *g)
{
    Elab *e = &g->s->elab;
    if (g->nroots == 1)
        return value_of_root(e, g->roots[0]);
    Value **items = arena_alloc(e->arena, ((size_t)g->nroots + 1) * sizeof *items);
    for (int i = 0; i < g->nroots; i++)
        if (!(items[i] = value_of_root(e, g->roots[i])))
            return NULL;
    return value_tuple(e, g->nroots, items);
}

static Value *take_effect(GraphText *g, const Stmt *stmt)
{
    Session *s = g->s;
    Value *v = value_of_roots(g);
    for (size_t i = 0; i < g->leaves.len && v; i++) {
        Node *n = g->leaves.at[i];
        s->st.span = place_of(g, n);
        session_note_sizes(s, n->type);
        if (!session_declare(s, stmt, n->attrs[0].name, value_node(&s->elab, n),
                             n->op == OP_SHARED))
            v = NULL;
    }
    if (!v)
        return NULL;
    s->st.span = stmt->span;
    s->same_value = true;
    env_set(&s->elab, s->elab.globals, g->name, v);
    definitions_start(s);
    for (size_t i = 0; i < g->leaves.len; i++)
        definitions_used(s, g->leaves.at[i]->attrs[0].name);
    definitions_add_load(s, g->name, g->src->name);
    return v;
}

void session_run_graph(Session *s, const Source *src, Emit emit, void *ctx)
{
    GraphText g = {.s = s, .src = src};
    Stmt stmt = {.kind = S_EXPR, .span = {.src = src, .end = (u32)src->len}};
    Value *v = NULL;
    elab_start(&s->elab);
    g.nroots = graph_read(&s->st, src, &g.roots);
    if (g.nroots >= 0 && check_nodes(&g) && check_rules(&g)) {
        g.name = value_name(&g);
        v = take_effect(&g, &stmt);
    }
    if (!v)
        session_failed(s, name_of_file(s, src->name));
    s->st.span = stmt.span;
    session_emit_value(s, &stmt, g.name, v, emit, ctx);
    vec_free(&g.leaves);
    free(g.roots);
}
