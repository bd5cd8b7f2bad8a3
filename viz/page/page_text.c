/* What a state says in words: a sentence, the formulas of its results and the first equations of
 * its loops; and its text, the program that computes them.
 *
 * Invariant: names are those that the exploration knows; of a sentence that is too long the rest is
 * an ellipsis, the text is whole. */
#include "graph/control.h"
#include "graph/names.h"
#include "graph/provenance.h"
#include "surface/surface.h"
#include "viz/page/page_parts.h"

/* Around what shows a node that has a number: OPENS number NUMBER_ENDS text CLOSES. Control
 * characters, which no program has. */
#define OPENS "\xc2\x91"
#define NUMBER_ENDS "\xc2\x92"
#define CLOSES "\xc2\x9c"
#define FOLLOWS "          " /* as wide as "where " */

enum { MOST_TOLD = 200000 }; /* nodes in the programs of all states */
enum {
    FORMULAS = 3,
    EQUATIONS = 3,
    FORMULA_CHARS = 150,
    INNER_CHARS = 60,
    TEXT_WIDTH = 64,
    LONGEST_NAME = 40
};

typedef struct Telling {
    Pager *p;
    const Graph *within;
    const Node *root;            /* which is written out */
    const Node *owner;           /* its operands stand for the parameters; NULL: they have names */
    const struct Telling *outer; /* where these stand */
    bool named;                  /* also the root stands by its name */
    Arena arena;
} Telling;

static const Phrase *phrase(Telling *t, const char *s)
{
    Phrase *made = arena_alloc(&t->arena, sizeof *made);
    made->text = arena_strndup(&t->arena, s, strlen(s));
    return made;
}

/* A parameter or an input, and what somebody named. */
static Symbol own_name(const Telling *t, const Node *n)
{
    const Graph *g = t->within;
    if (n->op == OP_INPUT || n->op == OP_SHARED)
        return n->attrs[0].name;
    if (n->op != OP_PARAM)
        return node_name_in(t->p->st, g, n);
    const Symbol *names = g ? graph_names(t->p->st, g) : NULL;
    return names ? names[n->attrs[0].i] : NULL;
}

/* What has a graph of its own, or is a result of that, stands in a sentence by its name, or as
 * "scan(...)". */
static const Node *with_graph(const Node *n)
{
    const Node *of = n->op == OP_PROJ ? n->ops[0] : n;
    return node_graphs(of, (int[4]){0}) ? of : NULL;
}

static bool put_reading(const Telling *inner, Text *out, Node *n, size_t limit);

/* What the graph computes that a node has: "grad(loss, W)", "scan(h)". */
static void put_inner(Telling *t, Text *out, const Node *of, const Node *n)
{
    int slots[4];
    const Graph *g = node_graphs(of, slots) == 1 ? of->attrs[slots[0]].graph : NULL;
    u32 k = n->op == OP_PROJ ? (u32)n->attrs[0].i : 0;
    Symbol name = g && k < (u32)g->nouts ? node_name_in(t->p->st, g, g->outs[k]) : NULL;
    if (g && of->op == OP_FUSED) { /* what it computes, and not that it does so at once */
        put_reading(&(Telling){.p = t->p, .within = g, .owner = of, .outer = t}, out, g->outs[k],
                    FORMULA_CHARS);
        return;
    }
    text_printf(out, "%s(", op_table[of->op].name);
    if (g && of->op == OP_GRAD) {
        put_reading(&(Telling){.p = t->p, .within = g}, out, g->outs[0], INNER_CHARS);
        if (k < of->nops) {
            text_put(out, ", ");
            put_reading(&(Telling){.p = t->p, .within = t->within}, out, of->ops[k], INNER_CHARS);
        }
    } else {
        text_put(out, name ? name_base(t->p->st, name) : "\u2026");
    }
    text_put(out, ")");
}

/* What a parameter stands for. */
static const Phrase *operand_of(Telling *t, Node *n, bool *loose)
{
    Text words = {0};
    Telling outer = {.p = t->p,
                     .within = t->outer->within,
                     .owner = t->outer->owner,
                     .outer = t->outer->outer,
                     .named = true};
    *loose = !put_reading(&outer, &words, n, INNER_CHARS);
    const Phrase *made = phrase(t, text_str(&words));
    text_free(&words);
    return made;
}

static const Phrase *called(void *context, Node *n, bool *loose)
{
    Telling *t = context;
    if (n->op == OP_PARAM && t->owner && n->attrs[0].i < t->owner->nops)
        return operand_of(t, t->owner->ops[n->attrs[0].i], loose);
    const Node *of = with_graph(n);
    Symbol name = n == t->root ? NULL : own_name(t, n);
    *loose = false;
    if (name && (of || strlen(name) <= LONGEST_NAME))
        return phrase(t, name);
    if (!of)
        return NULL;
    Text words = {0};
    *loose = of->op == OP_FUSED;
    put_inner(t, &words, of, n);
    const Phrase *made = phrase(t, text_str(&words));
    text_free(&words);
    return made;
}

/* "loss", else what stands for the result of an expression; NULL: it has no name. */
static const char *result_name(const Pager *p, int n, const Node *root)
{
    Symbol name = node_result_name(p->st, root);
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *title = p->options->title;
    bool plain = n == 1 && !p->graph && !title[strspn(title, word)];
    return name ? name : plain ? title : NULL;
}

/* The formula of a node of a graph; one that is named is still written out. */
static bool put_reading(const Telling *t, Text *out, Node *n, size_t limit)
{
    Pretty line = {0};
    Telling inner = *t;
    inner.root = n->nops && !t->named ? n : NULL;
    bool plain = reading_print(&line, t->p->st, n, &(Reading){called, &inner}, limit);
    pretty_write(out, NULL, &line, 0);
    pretty_free(&line);
    arena_free(&inner.arena);
    return plain;
}

static void put_formula(const Telling *t, Text *out, int n, Node *root)
{
    const char *name = result_name(t->p, n, root);
    if (name)
        text_printf(out, "%s = ", name);
    put_reading(t, out, root, FORMULA_CHARS);
}

/* ---- the equations of loops ---- */

/* The loops of a graph and of the gradients in it, outermost first; a loop in a loop is told by the
 * text. */
static void find_loops(int n, Node *const *roots, NodeSet *met, NodeVec *out)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *of = order.at[i];
        int slots[4], count = node_graphs(of, slots);
        if (map_has(met, of))
            continue;
        set_add(met, of);
        if (of->op == OP_SCAN || of->op == OP_LOOP)
            vec_push(out, of);
        else if (count == 1)
            find_loops(of->attrs[slots[0]].graph->nouts, of->attrs[slots[0]].graph->outs, met, out);
    }
    vec_free(&order);
}

/* "where x[t] = tanh(x[t-1] W + u[t] W1)": what somebody named of what a step computes. Returns how
 * many there are now. */
static int put_equations(Pager *p, Text *out, const Node *loop, int told)
{
    int slots[4];
    const Graph *body = node_graphs(loop, slots) ? loop->attrs[slots[0]].graph : NULL;
    Telling t = {.p = p, .within = body};
    NodeSet met = {0};
    for (int k = 0; body && k < body->nouts && told < EQUATIONS; k++) {
        Node *n = body->outs[k];
        Symbol name = node_name_in(p->st, body, n);
        if (!name || !strchr(name, '[') || n->op == OP_PARAM || map_has(&met, n))
            continue;
        set_add(&met, n);
        text_printf(out, "\n%s%s = ", told ? FOLLOWS : "where ", name);
        put_reading(&t, out, n, FORMULA_CHARS);
        told++;
    }
    map_free(&met);
    return told;
}

static void put_loops(Pager *p, Text *out, const State *s)
{
    NodeSet met = {0};
    NodeVec loops = {0};
    int told = 0;
    find_loops(s->n, s->roots, &met, &loops);
    for (size_t i = 0; i < loops.len; i++)
        told = put_equations(p, out, loops.at[i], told);
    map_free(&met);
    vec_free(&loops);
}

static char *sentence_of(Pager *p, const State *s)
{
    Telling t = {.p = p, .within = p->graph};
    Text out = {0};
    for (int i = 0; i < s->n && i < FORMULAS; i++) {
        text_put(&out, i ? "\n" : "");
        put_formula(&t, &out, s->n, s->roots[i]);
    }
    if (s->n > FORMULAS)
        text_printf(&out, "\nand %d more", s->n - FORMULAS);
    put_loops(p, &out, s);
    return text_take(&out);
}

typedef MAP(const Node *, const Graph *) Around;

/* The nodes of a state, and the graph that each stands in. */
static void collect(const Graph *within, int n, Node *const *roots, NodeSet *marked, Around *around)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        int slots[4], count = node_graphs(order.at[i], slots);
        if (map_has(around, order.at[i]))
            continue;
        map_put(around, order.at[i], within);
        if (!node_is_inline(order.at[i]))
            set_add(marked, order.at[i]);
        for (int g = 0; g < count; g++) {
            const Graph *body = order.at[i]->attrs[slots[g]].graph;
            collect(body, body->nouts, body->outs, marked, around);
        }
    }
    vec_free(&order);
}

/* The text with the numbers of what is marked in it. */
static void put_marked(Pager *p, Text *out, Text *plain, const Edges *edges, Around *around)
{
    StyledPart part = {0};
    const char *text = text_str(plain);
    while (styled_next(&part, text, plain->len, edges)) {
        if (!part.edge) {
            text_putn(out, part.text, part.len);
        } else if (part.edge->opens) {
            const Node *n = part.edge->of;
            p->num->within = map_get(around, n);
            text_printf(out, OPENS "%u" NUMBER_ENDS, number_of(p->num, n));
        } else {
            text_put(out, CLOSES);
        }
    }
}

static char *program_of(Pager *p, const State *s)
{
    Text plain = {0}, out = {0};
    Edges edges = {0};
    NodeSet marked = {0};
    Around at = {0};
    const Graph *around = p->num->within;
    p->num->within = p->graph;
    collect(p->graph, s->n, s->roots, &marked, &at);
    ListingOptions o = {.num = p->num,
                        .marked = &marked,
                        .edges = &edges,
                        .within = p->graph,
                        .width = TEXT_WIDTH,
                        .declared = true};
    listing_print(p->st, &plain, s->n, s->roots, &o);
    put_marked(p, &out, &plain, &edges, &at);
    p->num->within = around;
    text_free(&plain);
    vec_free(&edges);
    map_free(&marked);
    map_free(&at);
    return text_take(&out);
}

void state_tell(Pager *p, State *s)
{
    size_t nodes = nodes_count(s->n, s->roots);
    s->sentence = sentence_of(p, s);
    if (p->told + nodes > MOST_TOLD) {
        s->program = xstrdup("this graph has too many nodes for the texts of its states");
        return;
    }
    p->told += nodes;
    s->program = program_of(p, s);
}
