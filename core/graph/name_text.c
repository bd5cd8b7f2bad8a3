/* Names made from names: see names.h. */
#include "graph/names.h"
#include "graph/provenance.h"
#include "graph/control.h"
#include "graph/op.h"

enum { LONGEST = 40, DEEPEST = 3 };

/* "h[t-1]": the base "h" and the index "[t-1]", which may be empty. */
typedef struct {
    const char *base, *index;
    int length; /* of the base */
} Parts;

static Parts split(const char *name)
{
    size_t n = strlen(name);
    const char *bracket = n && name[n - 1] == ']' ? strrchr(name, '[') : NULL;
    size_t base = bracket ? (size_t)(bracket - name) : n;
    return (Parts){name, name + base, (int)base};
}

static Symbol made(Store *st, const char *format, ...) PRINTF_LIKE(2, 3);
static Symbol made(Store *st, const char *format, ...)
{
    Text t = {0};
    va_list ap;
    va_start(ap, format);
    text_vprintf(&t, format, ap);
    va_end(ap);
    Symbol s = symbol(st, text_str(&t));
    text_free(&t);
    return s;
}

Symbol name_with(Store *st, const char *before, Symbol name)
{
    return name ? made(st, "%s%s", before, name) : NULL;
}

Symbol name_base(Store *st, Symbol name)
{
    Parts p = split(name ? name : "");
    return name ? symbol_n(st, p.base, (size_t)p.length) : NULL;
}

/* "h 2[t]" */
static Symbol name_numbered(Store *st, Symbol name, int k)
{
    Parts p = split(name ? name : "");
    return name ? made(st, "%.*s %d%s", p.length, p.base, k, p.index) : NULL;
}

Symbol name_tap(Store *st, Symbol name, int k)
{
    Parts p = split(name ? name : "");
    return name ? made(st, "%.*s tap %d%s", p.length, p.base, k, p.index) : NULL;
}

Symbol name_shifted(Store *st, Symbol name, i64 by)
{
    Parts p = split(name ? name : "");
    int letter = *p.index ? (int)strcspn(p.index + 1, "+-]") : 0;
    if (!letter)
        return name;
    i64 at = by + strtoll(p.index + 1 + letter, NULL, 10);
    return at ? made(st, "%.*s[%.*s%+lld]", p.length, p.base, letter, p.index + 1, (long long)at)
              : made(st, "%.*s[%.*s]", p.length, p.base, letter, p.index + 1);
}

Symbol name_in_row(Store *st, Symbol name, i64 row)
{
    Parts p = split(name);
    int letter = *p.index ? (int)strcspn(p.index + 1, "+-]") : 0;
    i64 at = row + (letter ? strtoll(p.index + 1 + letter, NULL, 10) : 0);
    return at >= 0 ? made(st, "%.*s[%lld]", p.length, p.base, (long long)at) : NULL;
}

Symbol name_of_row(Store *st, Symbol rows, const Symbol *near, int n)
{
    if (!rows || *split(rows).index)
        return rows;
    for (int i = 0; i < n; i++) {
        Parts p = split(near[i] ? near[i] : "");
        if (*p.index)
            return made(st, "%s[%.*s]", rows, (int)strcspn(p.index + 1, "+-]"), p.index + 1);
    }
    return made(st, "%s[t]", rows);
}

void names_distinct(Store *st, int n, Symbol *names)
{
    SymbolSet taken = {0};
    for (int i = 0; i < n; i++) {
        Symbol name = names[i];
        for (int k = 2; name && map_has(&taken, name); k++)
            name = name_numbered(st, names[i], k);
        if ((names[i] = name))
            set_add(&taken, name);
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
    Parts p = split(name ? name : "");
    return name ? made(st, "%s%.*s", k < nstates ? "final " : "", p.length, p.base) : NULL;
}

static Symbol result_of_fused(Store *st, const Node *n, int depth)
{
    NameScope scope;
    const Graph *g = n->ops[0]->attrs[0].graph;
    names_open(st, &scope, g);
    Symbol name = told(st, g->outs[n->attrs[0].i], depth);
    names_close(st, &scope, NULL);
    return name;
}

static Symbol named_size(Store *st, const Node *n)
{
    const SizeAtom *atom = size_as_atom(size_of_node(st, (Node *)(uintptr_t)n));
    return atom && atom->kind == ATOM_NAME && *atom->name != '.' ? atom->name : NULL;
}

/* Two factors side by side, at the index that they share or that one has. */
static Symbol product(Store *st, Symbol a, Symbol b)
{
    Parts p = split(a), q = split(b);
    const char *index = *p.index ? p.index : q.index;
    if (*p.index && *q.index && strcmp(p.index, q.index) != 0)
        return NULL;
    return made(st, "%.*s %.*s%s", p.length, p.base, q.length, q.base, index);
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
        all = name && !strpbrk(name, " [");
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
        return product(st, a, b);
    if (n->op == OP_SUB && b && is_one(n->ops[0]))
        return name_with(st, "one minus ", b);
    if (n->op == OP_MUL && a && a == b)
        return name_with(st, "sqr ", a);
    if (n->op == OP_NEG && a)
        return name_with(st, "minus ", a);
    if (n->nops != 1 || !op_is_elementwise(n->op))
        return NULL;
    return a ? made(st, "%s %s", node_info(n)->name, a) : symbol(st, node_info(n)->name);
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
    const char *op = node_info(n)->name, *of = node_info(n)->cls == CLASS_REDUCE ? " of" : "";
    if (n->op == OP_BROADCAST && node_const_f64(n->ops[0], &x) && (x == 0 || x == 1))
        return symbol(st, x == 0 ? "zeros" : "ones");
    for (u32 i = 0; i < n->nops; i++) {
        Symbol name = told(st, n->ops[i], 1);
        if (name && strlen(name) <= LONGEST)
            return made(st, "%s%s %s", op, of, name);
    }
    return symbol(st, op);
}

Symbol node_told(Store *st, const Node *n)
{
    Symbol name = told(st, n, DEEPEST);
    return name ? name : vaguely(st, n);
}
