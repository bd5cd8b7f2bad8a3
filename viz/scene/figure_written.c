/* Calls and choices that are as small as formulas, and stand in them.
 *
 * Invariant: a name is that of one function in a figure, and what the function is, is said once. */
#include "graph/provenance.h"
#include "viz/scene/figure_parts.h"

enum { MOST_CALLED = 3, MOST_CHOSEN = 1, MOST_DERIVED = 6 }; /* operators of a body */

/* One result that is made by few operators, none of which has a frame. */
static bool is_small(const Graph *g, int most)
{
    NodeVec order = {0};
    int slots[4], count = 0;
    bool plain = g->nouts == 1;
    if (plain)
        nodes_topo(1, g->outs, &order);
    for (size_t i = 0; i < order.len && plain; i++) {
        plain = node_graphs(order.at[i], slots) == 0;
        count += !figure_is_leaf(order.at[i]) && figure_core(order.at[i]) == order.at[i];
    }
    vec_free(&order);
    return plain && count <= most;
}

/* Is parameter i what is called the same in `here`, the graph where the function is called, too? */
static bool is_captured(const Fig *f, const Graph *here, const Node *call, int i)
{
    Symbol name = leaf_symbol(f->st, here, call->ops[i]);
    return name && param_symbol(f->st, call->attrs[0].graph, i) == name;
}

/* The call of which this is the derivative by its only argument, if it is written as that. */
static const Node *derived_call(const Fig *f, const Node *n)
{
    const Graph *g = n->attrs[0].graph;
    const Node *out = g->nouts == 1 ? g->outs[0] : NULL;
    const Node *call = out && out->op == OP_PROJ ? out->ops[0] : out;
    if (!call || call->op != OP_CALL || n->attrs[1].i != 1 || n->attrs[2].i >= 0 ||
        n->nops > (u32)g->nparams || !is_small(call->attrs[0].graph, MOST_DERIVED))
        return NULL;
    bool by_first = false;
    for (u32 i = 0; i < call->nops; i++) {
        const Node *op = call->ops[i];
        bool first = op->op == OP_PARAM && op->attrs[0].i == 0;
        if (op->op != OP_PARAM || (!first && !is_captured(f, g, call, (int)i)) ||
            (first && by_first))
            return NULL;
        by_first = by_first || first;
    }
    return by_first ? call : NULL;
}

bool figure_is_written(const Fig *f, const Node *n)
{
    if (n->op == OP_GRAD)
        return derived_call(f, n) != NULL;
    if (n->op == OP_CALL)
        return is_small(n->attrs[0].graph, MOST_CALLED);
    if (n->op != OP_IFELSE)
        return false;
    IfShape s = if_shape((Node *)n);
    return is_small(s.then_graph, MOST_CHOSEN) && is_small(s.else_graph, MOST_CHOSEN);
}

/* ---- sizes ---- */

/* Is it known of which sizes those of its graph are? */
static bool binds_sizes(const Node *owner)
{
    return owner->op == OP_SCAN || owner->op == OP_CALL || owner->op == OP_VMAP ||
           owner->op == OP_GRAD;
}

static const Phrase *size_text(Fig *f, const Size *s)
{
    Pretty t = {0};
    Text text = {0};
    size_print(&text, s);
    pretty_variable(&t, text_str(&text));
    text_free(&text);
    return figure_keep(f, &t);
}

const Phrase *figure_size(Fig *f, const Level *l, const Size *s)
{
    if (!l->graph)
        return size_has_kind(s, ATOM_NODE) ? NULL : size_text(f, s);
    for (int i = 0; l->owner && binds_sizes(l->owner) && i < l->graph->nparams; i++) {
        const Type *t = l->graph->params[i];
        Entry e = entry_of(l->owner, 0, i);
        for (int k = 0; t->kind == TYPE_TENSOR && k < t->rank; k++)
            if (t->dims[k] == s && entry_axis(&e, k) < e.operand->type->rank)
                return figure_size(f, l->outer, e.operand->type->dims[entry_axis(&e, k)]);
    }
    return NULL;
}

/* ---- what a function is ---- */

static const Phrase *param_name(Fig *f, const Graph *g, int i)
{
    Symbol name = param_symbol(f->st, g, i);
    return name ? figure_operand_name(f, name) : figure_text(f, "p%d", i);
}

/* "(y) = A y" */
static const char *body_of(Fig *f, const Graph *here, const Node *call)
{
    const Graph *g = call->attrs[0].graph;
    Level l = {.graph = g};
    Pretty t = {0};
    int count = 0;
    pretty_open(&t, "(");
    for (int i = 0; i < g->nparams; i++) {
        const Phrase *name = param_name(f, g, i);
        level_call(&l, g->param_nodes[i], name, false);
        if (is_captured(f, here, call, i))
            continue;
        pretty_words(&t, count++ ? ", " : "");
        pretty_phrase(&t, name);
    }
    pretty_close(&t, ")");
    pretty_words(&t, " = ");
    pretty_phrase(&t, figure_formula(f, &l, g->outs[0], NULL));
    level_close(&l);
    return figure_keep(f, &t)->text;
}

static bool is_name_of_other(const Fig *f, const char *name)
{
    for (size_t i = 0; i < f->calls.len; i++)
        if (strcmp(f->calls.at[i].name->text, name) == 0)
            return true;
    return false;
}

/* What a call of this function is called; one of another function of that name gets a letter. */
static const Phrase *function_name(Fig *f, const Graph *here, const Node *call)
{
    const Graph *g = call->attrs[0].graph;
    const char *own = call->attrs[1].name ? call->attrs[1].name : "f",
               *body = body_of(f, here, call);
    for (size_t i = 0; i < f->calls.len; i++)
        if (f->calls.at[i].graph == g && strcmp(f->calls.at[i].body, body) == 0)
            return f->calls.at[i].name;
    FigureCall called = {g, figure_text(f, "%s", own), body};
    if (is_name_of_other(f, own))
        called.name = figure_letter(f);
    vec_push(&f->calls, called);
    const Phrase *told = figure_say(f, "@@", called.name, figure_text(f, "%s", body));
    f->defined = f->defined ? figure_say(f, "@; @", f->defined, told) : told;
    return called.name;
}

/* "∇J(w)", or of the value "J(w)". */
static const Phrase *derivative_text(Fig *f, Level *l, const Node *n, Wires *wires)
{
    const Node *owner = n->ops[0], *call = derived_call(f, owner);
    bool loose;
    return figure_say(f, "@@(@)", figure_text(f, n->attrs[0].i ? "" : "\u2207"),
                      function_name(f, owner->attrs[0].graph, call),
                      figure_operand(f, l, owner->ops[0], wires, &loose));
}

const Phrase *figure_call(Fig *f, Level *l, Node *n, Wires *wires)
{
    const Node *call = n->op == OP_PROJ ? n->ops[0] : n;
    bool called = call->op == OP_CALL || (call->op == OP_GRAD && call != n);
    if (!called || !figure_is_written(f, call))
        return NULL;
    if (call->op == OP_GRAD)
        return derivative_text(f, l, n, wires);
    Pretty t = {0};
    int count = 0;
    bool loose;
    pretty_phrase(&t, function_name(f, l->graph, call));
    pretty_open(&t, "(");
    for (u32 i = 0; i < call->nops; i++) {
        if (is_captured(f, l->graph, call, (int)i))
            continue;
        pretty_words(&t, count++ ? ", " : "");
        pretty_phrase(&t, figure_operand(f, l, call->ops[i], wires, &loose));
    }
    pretty_close(&t, ")");
    return figure_keep(f, &t);
}
