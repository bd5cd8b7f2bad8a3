/* See backprop.h. */
#include "analysis/backprop.h"

#include "analysis/reverse_sweep.h"
#include "grad/derivation.h"
#include "grad/vjp.h"
#include "graph/names.h"
#include "tensor/brief.h"

enum { SHORT_DIGITS = 6, PER_EDGE = 4 };

typedef struct {
    Backprop *b;
    Store *st;
    NodeVec order;          /* of the graph */
    NodeMap of;             /* node -> what stands for it in formulas: an input */
    MAP(Node *, int) place; /* node -> its number + 1 */
    NodeSet inputs;
    NodeVec asked; /* the nodes' values, then of each edge: local, in, part, sum */
} Opening;

/* ---- nodes ---- */

static int place_of(const Opening *o, Node *n) { return map_get(&o->place, n) - 1; }

static bool is_leaf(const Node *n) { return n->op == OP_INPUT || n->op == OP_SHARED; }

static bool name_taken(const Opening *o, Symbol name)
{
    for (size_t i = 0; i < o->order.len; i++) {
        const Node *n = o->order.at[i];
        if ((is_leaf(n) ? n->attrs[0].name : node_name(o->st, n)) == name)
            return true;
    }
    return false;
}

/* The author's name if no other node has it, else v1, v2, .. */
static Symbol name_of(const Opening *o, const Node *n, int *count)
{
    Symbol name = is_leaf(n) ? n->attrs[0].name : node_name(o->st, n);
    for (size_t i = 0; i < o->b->nodes.len && name; i++)
        if (o->b->nodes.at[i].name == name)
            name = NULL;
    while (!name) {
        char text[24];
        snprintf(text, sizeof text, "v%d", ++*count);
        name = symbol(o->st, text);
        name = name_taken(o, name) ? NULL : name;
    }
    return name;
}

static void add_node(Opening *o, Node *n, int *count)
{
    BackNode node = {.node = n, .name = name_of(o, n, count)};
    char label[24];
    snprintf(label, sizeof label, "{%zu}", o->b->nodes.len);
    Node *open = is_leaf(n) ? NULL : node_substitute(o->st, n, &o->of);
    if (open)
        play_parts(o->st, &o->b->arena, open, &o->inputs, &node.formula);
    Node *input = node_input(o->st, OP_INPUT, symbol(o->st, label), n->type);
    map_put(&o->of, n, input);
    set_add(&o->inputs, input);
    vec_push(&o->b->nodes, node);
    map_put(&o->place, n, (int)o->b->nodes.len);
    vec_push(&o->asked, n);
}

static void add_nodes(Opening *o)
{
    int count = 0;
    for (size_t i = 0; i < o->order.len; i++) {
        Node *n = o->order.at[i];
        if (n->op != OP_CONST && n->type->kind == TYPE_TENSOR && !n->open)
            add_node(o, n, &count);
    }
}

/* ---- edges ---- */

/* What each operand of n gets of the cotangent 1 of one number: the local derivatives, in the order
 * in which the rule adds them. */
static void add_locals(Opening *o, const NodeSet *active, Node *n, NodeVec *added)
{
    DiagTry trial;
    VjpSweep s;
    NodeVec xs = {0};
    if (n->type->kind != TYPE_TENSOR || node_rank(n))
        return;
    for (u32 k = 0; k < n->nops; k++)
        if (map_has(active, n->ops[k]))
            vec_push(&xs, n->ops[k]);
    Node *one = node_number(o->st, node_dtype(n), 1);
    diag_try_begin(&trial, &o->st->diags);
    vjp_begin(&s, o->st, 1, &n, &one, (int)xs.len, xs.at);
    s.v.added = added;
    if (!vjp_peek(&s) || !vjp_next(&s))
        added->len = 0;
    vjp_end(&s);
    diag_try_end(&trial);
    vec_free(&xs);
}

/* The node whose value n is, or is part of. */
static int shown_as(const Opening *o, Node *n)
{
    int k = place_of(o, n);
    for (size_t i = 0; i < o->b->nodes.len && k < 0; i++) {
        const Node *p = o->b->nodes.at[i].node;
        if (p->op == OP_PROJ && p->ops[0] == n)
            k = (int)i;
    }
    return k;
}

/* Those of one rule. */
static void add_edges(Opening *o, const ReverseSweep *s, const SweptEdge *edges, size_t count)
{
    NodeVec locals = {0};
    Node *n = edges->user;
    int to = shown_as(o, n);
    add_locals(o, &s->active, n, &locals);
    for (size_t i = 0; i < count; i++) {
        const SweptEdge *e = &edges[i];
        bool one =
            locals.len == 2 * count && !node_rank(e->operand) && locals.at[2 * i] == e->operand;
        int from = place_of(o, e->operand);
        if (from < 0 || to < 0)
            continue;
        vec_push(&o->b->edges,
                 ((BackEdge){
                     .from = from, .to = to, .rule = derivative_rule(o->st, n), .adds = e->adds}));
        Node *in = map_get(&s->bars, o->b->nodes.at[to].node);
        Node *asked[PER_EDGE] = {one ? locals.at[2 * i + 1] : NULL, in, e->part, e->sum};
        for (int k = 0; k < PER_EDGE; k++)
            vec_push(&o->asked, asked[k]);
    }
    vec_free(&locals);
}

static bool sweep_back(Opening *o, Node *root, int n, Node *const *xs)
{
    ReverseSweep s;
    bool ok = reverse_sweep(o->st, root, n, xs, &s);
    for (size_t i = 0, end; ok && i < s.edges.len; i = end) {
        for (end = i; end < s.edges.len && s.edges.at[end].user == s.edges.at[i].user; end++)
            ;
        add_edges(o, &s, &s.edges.at[i], end - i);
    }
    reverse_sweep_free(&s);
    return ok;
}

/* ---- values ---- */

static bool evaluate(Opening *o, const Evaluator *e)
{
    Backprop *b = o->b;
    Tensor **at = xcalloc(o->asked.len + 1, sizeof *at), **edge = at + b->nodes.len;
    bool ok = probe_nodes(e, o->asked.len, o->asked.at, NULL, at);
    for (size_t i = 0; i < b->nodes.len; i++)
        b->nodes.at[i].value = at[i];
    for (size_t i = 0; i < b->edges.len; i++, edge += PER_EDGE) {
        BackEdge *x = &b->edges.at[i];
        x->local = edge[0], x->in = edge[1], x->part = edge[2], x->sum = edge[3];
    }
    free(at);
    return ok;
}

bool backprop_open(Backprop *b, const Evaluator *e, Node *root, int n, Node *const *xs)
{
    *b = (Backprop){.nodes = {0}};
    Opening o = {.b = b, .st = e->st};
    nodes_topo(1, &root, &o.order);
    add_nodes(&o);
    bool ok = (!n || sweep_back(&o, root, n, xs)) && evaluate(&o, e);
    vec_free(&o.order);
    map_free(&o.of);
    map_free(&o.place);
    map_free(&o.inputs);
    vec_free(&o.asked);
    return ok;
}

void backprop_free(Backprop *b)
{
    for (size_t i = 0; i < b->nodes.len; i++) {
        vec_free(&b->nodes.at[i].formula);
        tensor_unref(b->nodes.at[i].value);
    }
    for (size_t i = 0; i < b->edges.len; i++) {
        Tensor *all[PER_EDGE] = {b->edges.at[i].local, b->edges.at[i].in, b->edges.at[i].part,
                                 b->edges.at[i].sum};
        for (int k = 0; k < PER_EDGE; k++)
            tensor_unref(all[k]);
    }
    vec_free(&b->nodes);
    vec_free(&b->edges);
    arena_free(&b->arena);
}

const Tensor *backprop_cotangent(const Backprop *b, int node, size_t edges)
{
    const Tensor *found = NULL;
    for (size_t i = 0; i < b->edges.len; i++) {
        const BackEdge *e = &b->edges.at[i];
        if (i < edges && e->from == node)
            found = e->sum;
        if (e->to == node && !found && node == (int)b->nodes.len - 1)
            found = e->in; /* the result's own is there from the start */
    }
    return found;
}

static void put_value(const Tensor *t, bool alone, int digits, Text *out)
{
    Text v = {0};
    play_put_value(t, digits ? digits : SHORT_DIGITS, &v);
    bool paren = *text_str(&v) == '-' && !alone;
    text_printf(out, paren ? "(%s)" : "%s", text_str(&v));
    text_free(&v);
}

void backprop_formula(const Backprop *b, int node, PlayFill fill, int digits, Text *out)
{
    const PlayParts *f = &b->nodes.at[node].formula;
    for (size_t i = 0; i < f->len; i++) {
        const BackNode *n = f->at[i].text ? NULL : &b->nodes.at[f->at[i].place];
        if (!n)
            text_put(out, f->at[i].text);
        else if (fill == PLAY_NAMES || !play_is_short(n->value))
            text_put(out, n->name);
        else
            put_value(n->value, f->at[i].alone, digits, out);
    }
}
