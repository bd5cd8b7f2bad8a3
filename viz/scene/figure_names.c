/* Names of figures: derived names as a book sets them, and what that notation means.
 *
 * Invariant: a letter of ours is the name of nothing else in the graph; what is said of the
 * notation names only signs that stand in the figure. */
#include "graph/op.h"
#include "graph/provenance.h"
#include "viz/scene/figure_parts.h"

#define MINUS "\u2212"

/* ---- all names of a graph ---- */

static const char *after(const char *name, const char *word)
{
    size_t n = strlen(word);
    return strncmp(name, word, n) == 0 && name[n] ? name + n : NULL;
}

static void collect(Fig *f, Symbol name)
{
    Symbol base = name ? name_base(f->st, name) : NULL;
    if (!base)
        return;
    set_add(&f->taken, base);
    if (base != name && !strchr(base, ' '))
        set_add(&f->rows, base);
    const char *total = after(base, "total d ");
    if (total) {
        Symbol of = symbol(f->st, total);
        set_add(&f->totals, of);
    }
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
    const char *word, *form;
    bool sum;     /* in parentheses where it is an operand */
    FigSign sign; /* that is explained */
} Derived;

static const Derived derived_names[] = {
    {"total d ", "\u03B4%s", false, SIGN_DERIVATIVE},
    {"given d ", "\u2202%s", false, SIGN_DIRECT},
    {"sum d ", "\u03A3\u03B4%s", false, SIGN_SUM},
    {"d ", "\u03B4%s", false, SIGN_DERIVATIVE},
    {"dot ", "%s\u0307", false, SIGN_TANGENT},
    {"one minus ", "1 " MINUS " %s", true, SIGN_NONE},
    {"minus ", MINUS "%s", true, SIGN_NONE},
    {"sqr ", "%s\u00B2", false, SIGN_NONE},
    {"transpose ", "%s\u1D40", false, SIGN_NONE},
    {"broadcast ", "%s", false, SIGN_NONE},
};
static const Derived later = {"d ", "\u03B4\u207A%s", false, SIGN_LATER};
static const Derived gathered = {"d ", "\u03A3\u03B4%s", false, SIGN_SUM};

static const char *name_of(Fig *f, const char *name, bool operand);

/* "x tap 2[t-1]" is what x[t-1] has gathered so far. */
static const char *tapped(Fig *f, const char *rest)
{
    const char *tap = strstr(rest, " tap ");
    const char *index = tap ? strchr(tap, '[') : NULL;
    return index ? figure_text(f, "%.*s%s", (int)(tap - rest), rest, index) : NULL;
}

/* Has what comes from later steps a name of its own beside the whole derivative? */
static bool has_total(Fig *f, const char *rest)
{
    Symbol name = symbol(f->st, rest), base = name_base(f->st, name);
    return base != name && map_has(&f->totals, base);
}

/* The rest of a derived name, and how it is derived. */
static const char *rest_of(Fig *f, const char *name, const Derived **how)
{
    for (size_t i = 0; i < COUNT_OF(derived_names); i++) {
        const char *rest = after(name, derived_names[i].word);
        *how = &derived_names[i];
        if (!rest)
            continue;
        if (strcmp((*how)->word, "d ") != 0)
            return rest;
        const char *taps = tapped(f, rest);
        *how = taps ? &gathered : has_total(f, rest) ? &later : *how;
        return taps ? taps : rest;
    }
    return NULL;
}

/* "%s\u0307" of "h[t]": the dot stands over the h. */
static const char *put_in(Fig *f, const Derived *how, const char *inner)
{
    const char *form = how->form, *hole = strstr(form, "%s");
    size_t n = strlen(inner);
    if (how->sign == SIGN_TANGENT && strchr(inner, '['))
        n = (size_t)(strchr(inner, '[') - inner);
    bool closed = hole[2] && how->sign == SIGN_NONE && strchr(inner, ' ');
    return figure_text(f, "%.*s%s%.*s%s%s%s", (int)(hole - form), form, closed ? "(" : "", (int)n,
                       inner, closed ? ")" : "", hole + 2, inner + n);
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

/* "tanh c[t]" is a call; "x W[t]", rows of a product, has the rows of its first factor unless the
 * second is known to have rows. */
static const char *composed(Fig *f, const char *name)
{
    const char *blank = strchr(name, ' ');
    if (!blank || !blank[1])
        return NULL;
    Symbol first = symbol_n(f->st, name, (size_t)(blank - name));
    OpId op = op_by_name(first);
    const char *all = NULL, *index = strchr(blank, '[');
    bool plain = index && !strchr(blank + 1, ' ') && !strchr(first, '[');
    if (op != OP_COUNT && op_is_elementwise(op) && op_table[op].max_ops == 1)
        all = figure_text(f, "%s(%s)", first, name_of(f, blank + 1, false));
    else if (op == OP_COUNT && plain &&
             !map_has(&f->rows, name_base(f->st, symbol(f->st, blank + 1))))
        all = figure_text(f, "%s%s %.*s", first, index, (int)(index - blank - 1), blank + 1);
    return all;
}

static const char *name_of(Fig *f, const char *name, bool operand)
{
    const Derived *how = NULL;
    const char *rest = rest_of(f, name, &how);
    if (!rest) {
        const char *made = composed(f, name);
        return made ? made : base_name(f, name);
    }
    f->signs |= 1u << how->sign;
    const char *all = put_in(f, how, name_of(f, rest, true));
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
