/* Names as a book sets them: derived names in signs, and what that notation means.
 *
 * Invariant: a letter of ours is the name of nothing else in the graph; what is said of the
 * notation names only signs that were written. */
#include "graph/control.h"
#include "graph/name.h"
#include "graph/op.h"
#include "graph/provenance.h"
#include "surface/surface.h"

#define MINUS "\u2212"
#define GLUE "\u00A0" /* a blank within a name */

/* ---- all names of a graph ---- */

static void collect(BookNames *b, Symbol name)
{
    Symbol base = name ? name_base(b->st, name) : NULL;
    if (!base)
        return;
    set_add(&b->taken, base);
    if (base != name && name_is_word(b->st, base))
        set_add(&b->rows, base);
}

static void collect_graph(BookNames *b, GraphSet *seen, const Graph *g, int nroots,
                          Node *const *roots)
{
    NodeVec order = {0};
    const Symbol *names = g ? graph_names(b->st, g) : NULL;
    for (int i = 0; g && names && i < g->nparams; i++)
        collect(b, names[i]);
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        int slots[4], count = node_graphs(order.at[i], slots);
        collect(b, node_name_in(b->st, g, order.at[i]));
        for (u32 k = 0; order.at[i]->op == OP_SCAN && k + 1 < order.at[i]->nops; k++)
            collect(b, scan_roles(b->st, order.at[i]).names[k]);
        if (order.at[i]->op == OP_INPUT || order.at[i]->op == OP_SHARED)
            collect(b, order.at[i]->attrs[0].name);
        for (int k = 0; k < count; k++) {
            Graph *inner = order.at[i]->attrs[slots[k]].graph;
            if (!set_add(seen, inner))
                continue;
            collect_graph(b, seen, inner, inner->nouts, inner->outs);
        }
    }
    vec_free(&order);
}

void book_names_collect(BookNames *b, int nroots, Node *const *roots)
{
    GraphSet seen = {0};
    collect_graph(b, &seen, NULL, nroots, roots);
    map_free(&seen);
}

Symbol book_letter(BookNames *b)
{
    for (;;) {
        char text[16];
        snprintf(text, sizeof text, "z%d", ++b->letters);
        Symbol letter = symbol(b->st, text);
        if (!map_has(&b->taken, letter))
            return letter;
    }
}

/* ---- derived names ---- */

/* Notation that is explained where it stands. */
typedef enum {
    SIGN_NONE,
    SIGN_DERIVATIVE,
    SIGN_LATER,
    SIGN_DIRECT,
    SIGN_SUM,
    SIGN_TANGENT,
    SIGNS
} BookSign;

typedef struct {
    const char *before, *after;
    bool sum;      /* in parentheses where it is an operand */
    BookSign sign; /* that is explained */
} Derived;

static const Derived derived_names[] = {
    [NAME_CARRIED] = {"\u03B4\u207A", "", false, SIGN_LATER},
    [NAME_TRANSPOSED] = {"", "\u1D40", false, SIGN_NONE},
    [NAME_GIVEN] = {"\u2202", "", false, SIGN_DIRECT},
    [NAME_GATHERED] = {"\u03A3\u03B4", "", false, SIGN_SUM},
    [NAME_COTANGENT] = {"\u03B4", "", false, SIGN_DERIVATIVE},
    [NAME_TANGENT] = {"", "\u0307", false, SIGN_TANGENT},
    [NAME_COMPLEMENT] = {"1" GLUE MINUS GLUE, "", true, SIGN_NONE},
    [NAME_MINUS] = {MINUS, "", true, SIGN_NONE},
};
static const struct {
    OpId op;
    Derived how;
} applied_names[] = {
    {OP_SQR, {"", "\u00B2", false, SIGN_NONE}},
    {OP_BROADCAST, {"", "", false, SIGN_NONE}},
};

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

/* Is it written as one word, with its index behind it? */
static bool is_one_word(const Name *n)
{
    return !derived_as(n) &&
           (n->again || n->tap || n->kind == NAME_OWN || n->kind == NAME_GRADIENT);
}

static void put_letters(Pretty *out, const char *s, size_t n)
{
    size_t part = pretty_part(out, PHRASE_VARIABLE);
    pretty_printf(out, "%.*s", (int)n, s);
    pretty_part_end(out, part);
}

/* Of a word that is too long the two ends, which tell it from others. */
static void put_word(Pretty *out, const char *word)
{
    enum { LONGEST = 48, FIRST = 28, LAST = 12 };
    size_t n = strlen(word), first = FIRST, last = n - LAST;
    if (n <= LONGEST) {
        put_letters(out, word, n);
        return;
    }
    while ((word[first] & 0xC0) == 0x80)
        first--;
    while ((word[last] & 0xC0) == 0x80)
        last++;
    put_letters(out, word, first);
    pretty_put(out, "\u2026");
    put_letters(out, word + last, n - last);
}

void book_function(Pretty *out, const char *name)
{
    bool sigmoid = strcmp(name, op_table[OP_SIGMOID].name) == 0;
    size_t part = sigmoid ? pretty_part(out, PHRASE_SIGMOID) : 0;
    pretty_put(out, name);
    if (sigmoid)
        pretty_part_end(out, part);
}

static void put_index(Pretty *out, const Name *n)
{
    if (!n->indexed)
        return;
    size_t part = pretty_part(out, PHRASE_INDEX);
    pretty_put(out, "[");
    if (n->letter)
        put_letters(out, n->letter, strlen(n->letter));
    if (!n->letter || n->offset)
        pretty_printf(out, n->letter ? "%+lld" : "%lld", (long long)n->offset);
    pretty_put(out, "]");
    pretty_part_end(out, part);
}

/* A name that is only that of an operator would be read as the operator. */
static const char *instead_of(BookNames *b, const char *name)
{
    if (op_by_name(name) == OP_COUNT)
        return name;
    Symbol known = map_get(&b->instead, symbol(b->st, name));
    if (!known) {
        known = book_letter(b);
        map_put(&b->instead, symbol(b->st, name), known);
    }
    return known;
}

/* after: a sign that stands over the last letter. */
static void put_one_word(BookNames *b, Pretty *out, Symbol name, const Name *n, const char *after)
{
    bool gradient = n->kind == NAME_GRADIENT && !n->again && !n->tap;
    const char *word = gradient ? name_gradient_text(b->st, n) : name_base(b->st, name);
    put_word(out, n->indexed ? word : instead_of(b, word));
    pretty_put(out, after);
    if (!gradient)
        put_index(out, n);
}

/* The rows of a product have the index of its first factor unless the second is known to have
 * rows. */
static void put_product(BookNames *b, Pretty *out, Symbol name, const Name *n)
{
    Symbol first = n->base, second = n->other;
    bool rows =
        map_has(&b->rows, second) || !name_is_word(b->st, first) || !name_is_word(b->st, second);
    if (n->indexed && !rows)
        first = name_with_index(b->st, first, name);
    else
        second = name_with_index(b->st, second, name);
    book_name(b, out, first, true);
    pretty_words(out, GLUE);
    book_name(b, out, second, true);
}

static bool is_call(const Name *n)
{
    OpId op = n->kind == NAME_APPLIED ? op_by_name(n->other) : OP_COUNT;
    return op != OP_COUNT && op_is_elementwise(op) && op_table[op].max_ops == 1;
}

/* "tanh(c[t])", "x[t] W", "slice x". */
static void put_in_words(BookNames *b, Pretty *out, Symbol name, const Name *n)
{
    Symbol of = name_with_index(b->st, n->base, name);
    bool call = is_call(n);
    if (n->kind == NAME_PRODUCT) {
        put_product(b, out, name, n);
        return;
    }
    book_function(out, n->other ? n->other : name_word(n->kind));
    if (call)
        pretty_open(out, "(");
    else
        pretty_words(out, n->kind == NAME_REDUCED ? GLUE "of" GLUE : GLUE);
    book_name(b, out, of, !call);
    if (call)
        pretty_close(out, ")");
}

/* Is it put together with blanks? */
static bool is_loose(const Name *n) { return !derived_as(n) && !is_one_word(n) && !is_call(n); }

void book_name(BookNames *b, Pretty *out, Symbol name, bool operand)
{
    Name n = name_data(b->st, name);
    const Derived *how = derived_as(&n);
    if (is_one_word(&n)) {
        put_one_word(b, out, name, &n, "");
        return;
    }
    if (!how) {
        put_in_words(b, out, name, &n);
        return;
    }
    b->signs |= 1u << how->sign;
    Symbol of = name_with_index(b->st, n.base, name);
    Name inner = name_data(b->st, of);
    bool over = how->sign == SIGN_TANGENT && is_one_word(&inner);
    bool closed = (how->sum && operand) || (*how->after && !over && is_loose(&inner));
    if (closed)
        pretty_open(out, "(");
    pretty_words(out, how->before);
    if (over)
        put_one_word(b, out, of, &inner, how->after);
    else
        book_name(b, out, of, true);
    if (closed)
        pretty_close(out, ")");
    pretty_put(out, over ? "" : how->after);
}

/* ---- what the notation means ---- */

void book_names_explain(const BookNames *b, Text *out)
{
    static const char *const words[SIGNS] = {
        [SIGN_DERIVATIVE] = "\u03B4x is the derivative of the result with respect to x",
        [SIGN_LATER] = "\u03B4\u207Ax is its part from later steps",
        [SIGN_DIRECT] = "\u2202x is the part from code outside the loop",
        [SIGN_SUM] = "\u03A3 is a running sum",
        [SIGN_TANGENT] = "a dot marks the tangent",
    };
    unsigned signs = b->signs;
    if (signs & (1u << SIGN_LATER | 1u << SIGN_DIRECT | 1u << SIGN_SUM))
        signs |= 1u << SIGN_DERIVATIVE;
    for (int i = 0; i < SIGNS; i++)
        if (words[i] && signs & 1u << i)
            text_printf(out, "%s%s", out->len ? "; " : "", words[i]);
}

void book_names_free(BookNames *b)
{
    map_free(&b->instead);
    map_free(&b->taken);
    map_free(&b->rows);
}
