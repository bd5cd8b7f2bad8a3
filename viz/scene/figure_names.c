/* Names of figures: derived names as a book sets them, and what that notation means.
 *
 * Invariant: a letter of ours is the name of nothing else in the graph; what is said of the
 * notation names only signs that stand in the figure. */
#include "graph/op.h"
#include "graph/name.h"
#include "graph/provenance.h"
#include "viz/scene/figure_parts.h"

#define MINUS "\u2212"

/* ---- all names of a graph ---- */

static void collect(Fig *f, Symbol name)
{
    Symbol base = name ? name_base(f->st, name) : NULL;
    if (!base)
        return;
    set_add(&f->taken, base);
    if (base != name && name_is_word(f->st, base))
        set_add(&f->rows, base);
}

static void collect_graph(Fig *f, GraphSet *seen, const Graph *g, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    const Symbol *names = g ? graph_names(f->st, g) : NULL;
    for (int i = 0; g && names && i < g->nparams; i++)
        collect(f, names[i]);
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        int slots[4], count = node_graphs(order.at[i], slots);
        collect(f, node_name_in(f->st, g, order.at[i]));
        for (u32 k = 0; order.at[i]->op == OP_SCAN && k + 1 < order.at[i]->nops; k++)
            collect(f, scan_roles(f->st, order.at[i]).names[k]);
        if (order.at[i]->op == OP_INPUT || order.at[i]->op == OP_SHARED)
            collect(f, order.at[i]->attrs[0].name);
        for (int k = 0; k < count; k++) {
            Graph *inner = order.at[i]->attrs[slots[k]].graph;
            if (!set_add(seen, inner))
                continue;
            collect_graph(f, seen, inner, inner->nouts, inner->outs);
        }
    }
    vec_free(&order);
}

void figure_collect_names(Fig *f, int nroots, Node *const *roots)
{
    GraphSet seen = {0};
    collect_graph(f, &seen, NULL, nroots, roots);
    map_free(&seen);
}

const char *figure_letter(Fig *f)
{
    for (;;) {
        const char *letter = figure_text(f, "z%d", ++f->letters);
        if (!map_has(&f->taken, symbol(f->st, letter)))
            return letter;
    }
}

/* ---- derived names ---- */

typedef struct {
    const char *before, *after;
    bool sum;     /* in parentheses where it is an operand */
    FigSign sign; /* that is explained */
} Derived;

static const Derived derived_names[] = {
    [NAME_CARRIED] = {"\u03B4\u207A", "", false, SIGN_LATER},
    [NAME_TRANSPOSED] = {"", "\u1D40", false, SIGN_NONE},
    [NAME_GIVEN] = {"\u2202", "", false, SIGN_DIRECT},
    [NAME_GATHERED] = {"\u03A3\u03B4", "", false, SIGN_SUM},
    [NAME_COTANGENT] = {"\u03B4", "", false, SIGN_DERIVATIVE},
    [NAME_TANGENT] = {"", "\u0307", false, SIGN_TANGENT},
    [NAME_COMPLEMENT] = {"1 " MINUS " ", "", true, SIGN_NONE},
    [NAME_MINUS] = {MINUS, "", true, SIGN_NONE},
};
static const struct {
    OpId op;
    Derived how;
} applied_names[] = {
    {OP_SQR, {"", "\u00B2", false, SIGN_NONE}},
    {OP_BROADCAST, {"", "", false, SIGN_NONE}},
};

static const char *name_of(Fig *f, Symbol name, bool operand);

/* NULL: it is written in words. */
static const Derived *derived_as(const Name *n)
{
    const Derived *how = n->kind < COUNT_OF(derived_names) ? &derived_names[n->kind] : NULL;
    for (size_t i = 0; n->kind == NAME_APPLIED && i < COUNT_OF(applied_names); i++)
        if (applied_names[i].op == op_by_name(n->other))
            how = &applied_names[i].how;
    bool carried = n->kind == NAME_CARRIED;
    if ((carried || n->kind == NAME_COTANGENT) && n->tap) /* what has been gathered so far */
        how = &derived_names[NAME_GATHERED];
    else if (carried && !n->indexed) /* after the last step it is all */
        how = &derived_names[NAME_COTANGENT];
    return how && how->before && !n->again ? how : NULL;
}

/* Of the tangent of "h[t]" the dot stands over the h. */
static const char *put_in(Fig *f, const Derived *how, const char *inner)
{
    size_t n = strlen(inner);
    if (how->sign == SIGN_TANGENT && strchr(inner, '['))
        n = (size_t)(strchr(inner, '[') - inner);
    bool closed = *how->after && how->sign == SIGN_NONE && strchr(inner, ' ');
    return figure_text(f, "%s%s%.*s%s%s%s", how->before, closed ? "(" : "", (int)n, inner,
                       closed ? ")" : "", how->after, inner + n);
}

/* Of a name that is too long the two ends, which tell it from others. */
static const char *shortened(Fig *f, const char *name)
{
    enum { LONGEST = 48, FIRST = 28, LAST = 12 };
    size_t n = strlen(name), first = FIRST, last = n > LONGEST ? n - LAST : 0;
    if (n <= LONGEST)
        return name;
    while ((name[first] & 0xC0) == 0x80)
        first--;
    while ((name[last] & 0xC0) == 0x80)
        last++;
    return figure_text(f, "%.*s\u2026%s", (int)first, name, name + last);
}

/* A name that is only that of an operator would be read as the operator. */
static const char *base_name(Fig *f, const char *name)
{
    if (op_by_name(name) == OP_COUNT)
        return shortened(f, name);
    const char *known = map_get(&f->instead, symbol(f->st, name));
    if (!known) {
        known = figure_letter(f);
        map_put(&f->instead, symbol(f->st, name), known);
    }
    return known;
}

/* The rows of a product have the index of its first factor unless the second is known to have
 * rows. */
static const char *product(Fig *f, Symbol name, const Name *n)
{
    Symbol first = n->base, second = n->other;
    bool rows =
        map_has(&f->rows, second) || !name_is_word(f->st, first) || !name_is_word(f->st, second);
    if (n->indexed && !rows)
        first = name_with_index(f->st, first, name);
    else
        second = name_with_index(f->st, second, name);
    return figure_text(f, "%s %s", name_of(f, first, true), name_of(f, second, true));
}

/* "tanh(c[t])", "x[t] W", "slice x". */
static const char *in_words(Fig *f, Symbol name, const Name *n)
{
    Symbol of = name_with_index(f->st, n->base, name);
    OpId op = n->other ? op_by_name(n->other) : OP_COUNT;
    bool call = n->kind == NAME_APPLIED && op_is_elementwise(op) && op_table[op].max_ops == 1;
    if (n->again || n->tap || n->kind == NAME_OWN)
        return base_name(f, name);
    if (n->kind == NAME_GRADIENT)
        return base_name(f, name_gradient_text(f->st, n));
    if (n->kind == NAME_PRODUCT)
        return product(f, name, n);
    if (call)
        return figure_text(f, "%s(%s)", n->other, name_of(f, of, false));
    const char *word = n->other ? n->other : name_word(n->kind);
    return shortened(f, figure_text(f, n->kind == NAME_REDUCED ? "%s of %s" : "%s %s", word,
                                    name_of(f, of, true)));
}

static const char *name_of(Fig *f, Symbol name, bool operand)
{
    Name n = name_data(f->st, name);
    const Derived *how = derived_as(&n);
    if (!how)
        return in_words(f, name, &n);
    f->signs |= 1u << how->sign;
    const char *all = put_in(f, how, name_of(f, name_with_index(f->st, n.base, name), true));
    return how->sum && operand ? figure_text(f, "(%s)", all) : all;
}

/* Blanks in names are no places to break a line at. */
static const char *unbroken(Fig *f, const char *name)
{
    Text t = {0};
    for (; *name; name++)
        text_put(&t, *name == ' ' ? "\u00A0" : (char[]){*name, '\0'});
    const char *kept = figure_text(f, "%s", text_str(&t));
    text_free(&t);
    return kept;
}

const char *figure_name(Fig *f, Symbol name)
{
    return name ? unbroken(f, name_of(f, name, false)) : NULL;
}

const char *figure_operand_name(Fig *f, Symbol name)
{
    return name ? unbroken(f, name_of(f, name, true)) : NULL;
}

/* ---- what the notation means ---- */

void figure_define(Fig *f, const char *text)
{
    f->defined = f->defined ? figure_text(f, "%s; %s", f->defined, text) : text;
}

void figure_explain(Fig *f)
{
    static const char *const words[SIGNS] = {
        [SIGN_DERIVATIVE] = "\u03B4x is the derivative of the result by x",
        [SIGN_LATER] = "\u03B4\u207Ax what later steps give of it",
        [SIGN_DIRECT] = "\u2202x what is given from outside the loop",
        [SIGN_SUM] = "\u03A3 what is summed up so far",
        [SIGN_TANGENT] = "a dot: the change with the direction",
    };
    Text t = {0};
    text_put(&t, f->defined ? f->defined : "");
    unsigned signs = f->signs;
    if (signs & (1u << SIGN_LATER | 1u << SIGN_DIRECT | 1u << SIGN_SUM))
        signs |= 1u << SIGN_DERIVATIVE;
    for (int i = 0; i < SIGNS; i++)
        if (words[i] && signs & 1u << i)
            text_printf(&t, "%s%s", t.len ? "; " : "", words[i]);
    scene_set_notation(f->scene, t.len ? text_str(&t) : NULL);
    text_free(&t);
}
