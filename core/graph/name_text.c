/* Names made from names: see names.h. */
#include "graph/names.h"
#include "graph/provenance.h"
#include "graph/control.h"
#include "graph/op.h"

enum { LONGEST = 40, DEEPEST = 3 };

void names_distinct(Store *st, int n, Symbol *names)
{
    SymbolSet taken = {0};
    for (int i = 0; i < n; i++) {
        Symbol name = names[i];
        for (int k = 2; name && map_has(&taken, name_spelling(st, name)); k++)
            name = name_again(st, names[i], k);
        if ((names[i] = name))
            set_add(&taken, name_spelling(st, name));
    }
    map_free(&taken);
}

/* ---- of what a node is made of ---- */

static Symbol told(Store *st, const Node *n, int depth);

/* Final states and traces by the names that the body has for them. */
static Symbol result_of_loop(Store *st, const Node *n)
{
    const Node *loop = n->ops[0];
    bool scan = loop->op == OP_SCAN;
    const Graph *body = loop->attrs[0].graph;
    int nstates = scan ? scan_shape(loop).nstates : loop_shape(loop).nstates;
    int steps = scan ? scan_shape(loop).steps : loop_shape(loop).steps;
    i64 k = n->attrs[0].i;
    if (k >= steps)
        return symbol(st, k == steps ? "steps" : "stopped");
    const Symbol *params = graph_names(st, body);
    Symbol name = scan && k < nstates ? scan_roles(st, loop).names[k]
                  : scan              ? scan_roles(st, loop).outs[k - nstates]
                  : k < nstates       ? (params ? params[k] : NULL)
                                      : node_name_in(st, body, body->outs[k]);
    Symbol base = name_base(st, name);
    return k < nstates ? name_derived(st, NAME_FINAL, base) : base;
}

static Symbol result_of_fused(Store *st, const Node *n, int depth)
{
    const Graph *g = n->ops[0]->attrs[0].graph;
    const NodeNames *own = body_names(st, g);
    NameScope scope = {.graph = g, .at = own ? *own : (NodeNames){0}, .outer = st->scope};
    st->scope = &scope; /* only looked at: nothing is named in it */
    Symbol name = told(st, g->outs[n->attrs[0].i], depth);
    st->scope = scope.outer;
    return name;
}

static Symbol named_size(Store *st, const Node *n)
{
    const SizeAtom *atom = size_as_atom(size_of_node(st, (Node *)(uintptr_t)n));
    return atom && atom->kind == ATOM_NAME && *atom->name != '.' ? atom->name : NULL;
}

/* Wi, Wc, Wf: W_icf. What has no common beginning: x_W. */
static Symbol joined(Store *st, const Node *n)
{
    Text t = {0};
    Symbol first = node_name(st, n->ops[0]), s = NULL;
    size_t common = first ? strlen(first) : 0;
    bool all = first != NULL;
    for (u32 i = 0; i < n->nops && all; i++) {
        Symbol name = node_name(st, n->ops[i]);
        all = name && name_is_word(st, name);
        size_t k = 0;
        while (all && k < common && name[k] == first[k] && name[k + 1])
            k++;
        common = k;
    }
    if (common)
        text_printf(&t, "%.*s_", (int)common, first);
    for (u32 i = 0; i < n->nops && all; i++)
        text_printf(&t, "%s%s", !common && i ? "_" : "", node_name(st, n->ops[i]) + common);
    if (all && t.len <= LONGEST)
        s = symbol(st, text_str(&t));
    text_free(&t);
    return s;
}

static bool is_one(const Node *n)
{
    double x;
    return node_const_f64(n, &x) && x == 1;
}

static Symbol composed(Store *st, const Node *n, int depth)
{
    if (n->op == OP_PROJ && (n->ops[0]->op == OP_SCAN || n->ops[0]->op == OP_LOOP))
        return result_of_loop(st, n);
    if (n->op == OP_PROJ && n->ops[0]->op == OP_FUSED)
        return result_of_fused(st, n, depth - 1);
    if (n->op == OP_CONCAT)
        return joined(st, n);
    if (n->op == OP_SIZE || n->op == OP_DIM)
        return named_size(st, n);
    Symbol a = n->nops ? told(st, n->ops[0], depth - 1) : NULL;
    Symbol b = n->nops == 2 ? told(st, n->ops[1], depth - 1) : NULL;
    if (n->op == OP_MATMUL && a && b)
        return name_product(st, a, b);
    if (n->op == OP_SUB && b && is_one(n->ops[0]))
        return name_derived(st, NAME_COMPLEMENT, b);
    if (n->op == OP_MUL && a && a == b)
        return name_applied(st, NAME_APPLIED, "sqr", a);
    if (n->op == OP_NEG && a)
        return name_derived(st, NAME_MINUS, a);
    if (n->nops != 1 || !op_is_elementwise(n->op))
        return NULL;
    const char *op = node_info(n)->name;
    return a ? name_applied(st, NAME_APPLIED, op, a) : symbol(st, op);
}

/* NULL if it is made of what has no names, or of too much. */
static Symbol told(Store *st, const Node *n, int depth)
{
    Symbol name = node_name(st, n);
    if (name || depth < 0 || n->op == OP_CONST || n->op == OP_HOLE || n->op == OP_PARAM)
        return name;
    name = composed(st, n, depth);
    return name && strlen(name) <= LONGEST ? name : NULL;
}

Symbol node_composed(Store *st, const Node *n) { return told(st, n, DEEPEST); }

/* "zeros", "slice x", "sum of x", "add". */
static Symbol vaguely(Store *st, const Node *n)
{
    double x;
    if (n->op == OP_HOLE)
        return symbol(st, "value");
    const char *op = node_info(n)->name;
    NameKind kind = node_info(n)->cls == CLASS_REDUCE ? NAME_REDUCED : NAME_APPLIED;
    if (n->op == OP_BROADCAST && node_const_f64(n->ops[0], &x) && (x == 0 || x == 1))
        return symbol(st, x == 0 ? "zeros" : "ones");
    for (u32 i = 0; i < n->nops; i++) {
        Symbol name = told(st, n->ops[i], 1);
        if (name && strlen(name) <= LONGEST)
            return n->op == OP_TRANSPOSE ? name_derived(st, NAME_TRANSPOSED, name)
                                         : name_applied(st, kind, op, name);
    }
    return symbol(st, op);
}

Symbol node_told(Store *st, const Node *n)
{
    Symbol name = told(st, n, DEEPEST);
    return name ? name : vaguely(st, n);
}
