/* Formulas of figures: trees as people write them, in which what is drawn by itself is a name.
 *
 * Invariant: a formula never says more than about MOST_TEXT bytes, and then ends in an ellipsis. */
#include "graph/op.h"
#include "viz/scene/figure_parts.h"

enum { MOST_TEXT = 600 };

/* ---- texts ---- */

const Phrase *figure_keep(Fig *f, Pretty *l)
{
    Phrase *kept = arena_alloc(&f->arena, sizeof *kept);
    *kept = phrase_of(&f->arena, l);
    pretty_free(l);
    return kept;
}

const Phrase *figure_text(Fig *f, const char *fmt, ...)
{
    Pretty l = {0};
    va_list ap;
    va_start(ap, fmt);
    pretty_words(&l, arena_vprintf(&f->arena, fmt, ap));
    va_end(ap);
    return figure_keep(f, &l);
}

const Phrase *figure_say(Fig *f, const char *words, ...)
{
    Pretty l = {0};
    va_list ap;
    va_start(ap, words);
    for (size_t n; *words; words += n + (words[n] == '@')) {
        n = strcspn(words, "@");
        pretty_words(&l, arena_strndup(&f->arena, words, n));
        if (words[n])
            pretty_phrase(&l, va_arg(ap, const Phrase *));
    }
    va_end(ap);
    return figure_keep(f, &l);
}

const Phrase *figure_letter(Fig *f) { return figure_name(f, book_letter(&f->names)); }

static const Phrase *named(Fig *f, Symbol name, bool operand)
{
    Pretty l = {0};
    if (!name)
        return NULL;
    book_name(&f->names, &l, name, operand);
    return figure_keep(f, &l);
}

const Phrase *figure_name(Fig *f, Symbol name) { return named(f, name, false); }

const Phrase *figure_operand_name(Fig *f, Symbol name) { return named(f, name, true); }

/* ---- what is seen through ---- */

Node *figure_core(Node *n)
{
    for (;;) {
        switch (n->op) {
        case OP_CAST:
        case OP_BROADCAST:
        case OP_MATCH_SHAPE:
        case OP_STOP_GRADIENT:
        case OP_SQUEEZE: n = n->ops[0]; break;
        default: return n;
        }
    }
}

Node *level_core(const Level *l, Node *n)
{
    while (map_has(&l->form, n))
        n = reading_operand_of(n);
    return n;
}

/* What all that read it see through. */
void level_find_forms(Level *l, const NodeVec *order, int nroots, Node *const *roots)
{
    NodeSet own = {0};
    for (int i = 0; i < nroots; i++)
        set_add(&own, roots[i]);
    for (size_t i = order->len; i--;) { /* users first */
        Node *n = order->at[i];
        for (u32 k = 0; k < n->nops; k++)
            if (map_has(&l->form, n) && !map_has(&own, n) && n->ops[k] != reading_operand_of(n))
                continue;
            else if (reading_is_evident(n, n->ops[k]))
                set_add(&l->form, n->ops[k]);
            else
                set_add(&own, n->ops[k]);
    }
    for (size_t i = 0; i < order->len; i++)
        if (map_has(&own, order->at[i]))
            map_remove(&l->form, order->at[i]);
    map_free(&own);
}

bool figure_is_constant(Node *n)
{
    i64 k;
    n = figure_core(n);
    return n->op == OP_CONST ||
           (n->op == OP_INDEX && node_rank(n) == 0 && node_const_i64(n->ops[1], &k) &&
            figure_core(n->ops[0])->op == OP_CONST && node_rank(figure_core(n->ops[0])) == 1);
}

/* The elements of a constant: [*first, *first + *count) of the tensor. */
static const Tensor *elements(Node *n, i64 *first, i64 *count)
{
    n = figure_core(n);
    bool one = n->op == OP_INDEX;
    const Tensor *t = (one ? figure_core(n->ops[0]) : n)->attrs[0].value;
    *first = 0, *count = t->count;
    if (one && node_const_i64(n->ops[1], first)) {
        *first += *first < 0 ? t->count : 0;
        *count = *first >= 0 && *first < t->count; /* else it fails when it runs */
    }
    return t;
}

bool figure_is_zero(Node *n)
{
    i64 first, count;
    if (!figure_is_constant(n) || figure_core(n)->type->dtype == DT_RNG)
        return false;
    const Tensor *t = elements(n, &first, &count);
    for (i64 i = first; i < first + count; i++)
        if (tensor_f64_at(t, i) != 0)
            return false;
    return count || !t->count;
}

/* ---- formulas ---- */

typedef struct {
    Fig *f;
    Level *l;
    Wires *wires;
} Formula;

static bool is_part(const Node *n) { return n->op == OP_SLICE || n->op == OP_INDEX; }

/* A part that is told by its name is read off the line of the whole. */
static void read_wire(Formula *m, Node *n)
{
    while (!map_has(&m->l->wire, n) && is_part(n))
        n = n->ops[0];
    wire_add(m->wires, map_get(&m->l->wire, n));
}

static const Phrase *size_of_axis(Formula *m, const Node *n)
{
    const Type *t = n->op == OP_DIM ? n->ops[0]->type : NULL;
    i64 axis = t ? n->attrs[0].i : -1;
    return axis >= 0 && axis < t->rank ? figure_size(m->f, m->l, t->dims[axis]) : NULL;
}

static const Phrase *called(void *context, Node *n, bool *loose)
{
    Formula *m = context;
    const Phrase *text = level_text(m->f, m->l, n);
    *loose = map_has(&m->l->loose, n);
    if (text)
        read_wire(m, n);
    else if (is_source(n))
        text = figure_operand_name(m->f, n->attrs[0].name);
    if (!text)
        text = figure_call(m->f, m->l, n, m->wires);
    return text ? text : size_of_axis(m, n);
}

const Phrase *figure_formula(Fig *f, Level *l, Node *n, Wires *wires)
{
    return figure_operand(f, l, n, wires, &(bool){false});
}

const Phrase *figure_operand(Fig *f, Level *l, Node *n, Wires *wires, bool *loose)
{
    Pretty out = {0};
    Formula m = {f, l, wires};
    *loose = !reading_print(&out, f->st, n, &(Reading){called, &m}, MOST_TEXT);
    return figure_keep(f, &out);
}

const char *figure_circle(const Node *n)
{
    AstOp sign;
    if (op_sign(n->op, n->nops > 1, &sign))
        return reading_sign(sign);
    return n->op == OP_SQR ? "\u00B2" : op_table[n->op].name;
}
