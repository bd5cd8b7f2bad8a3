/* What the page tells of each node: operator, type, source, value, cost, where it was written, and
 * which steps made, changed and ended it.
 *
 *   nodes  %k: 0, or [operator, type, source, value, operations, bytes, then, where it was written:
 *          file, line, text of the line, column, length]; all texts in the table
 *   amounts  of each node operations and bytes as numbers; -1: not known
 *   lives  %k: what it is a copy of, what stood there before it was made, the steps with which it
 *          goes and with which it came, then those that changed it (times 2, plus 1 if they only
 *          gave it other operands)
 *
 * Invariant: a node is told of only if it stands in a graph of the page. */
#include "ops/cost.h"
#include "graph/provenance.h"
#include "viz/page/page_parts.h"
#include "surface/surface.h"

enum { NODE_DEPTH = 2, LONGEST_LINE = 400 };

static void put_place(Data *d, Pager *p, const Node *n)
{
    const Span *span = node_span(p->st, n);
    if (!span || !span->src)
        return;
    int line, column, length;
    span_locate(*span, &line, &column, &length);
    const char *text = span->src->text;
    u32 from = span->start, to = span->start;
    while (from > 0 && text[from - 1] != '\n')
        from--;
    while (text[to] && text[to] != '\n' && to - from < LONGEST_LINE)
        to++;
    Text whole = {0};
    text_putn(&whole, text + from, to - from);
    data_text(d, p, span->src->name);
    json_int(&d->j, line);
    data_text(d, p, text_str(&whole));
    json_int(&d->j, column);
    json_int(&d->j, length);
    text_free(&whole);
}

static void put_size(Data *d, Pager *p, const Size *s)
{
    Text t = {0};
    if (s)
        size_print_numbered(&t, s, p->num);
    data_text(d, p, text_str(&t));
    text_free(&t);
}

static void put_node(Data *d, Pager *p, Node *n, const char *value)
{
    Text type = {0}, source = {0};
    type_print_numbered(&type, n->type, p->num);
    node_source_numbered(p->st, &source, n, p->num, NODE_DEPTH);
    json_begin(&d->j, '[');
    data_text(d, p, op_table[n->op].name);
    data_text(d, p, n->type->kind == TYPE_TUPLE ? "" : text_str(&type));
    data_text(d, p, node_graphs(n, (int[4]){0}) ? "" : text_str(&source));
    data_text(d, p, value);
    put_size(d, p, node_flops(p->st, n));
    put_size(d, p, node_bytes(p->st, n));
    put_place(d, p, n);
    json_end(&d->j, ']');
    text_free(&type);
    text_free(&source);
}

static void put_amount(Data *d, const Size *s)
{
    const PageOptions *o = d->options;
    Text t = {0};
    text_printf(&t, "%.4g", s && o->amount ? o->amount(o->ctx, s) : -1);
    json_raw(&d->j, text_str(&t));
    text_free(&t);
}

/* Operations and bytes of each. */
static void put_amounts(Data *d, Pager *p, size_t n, Node *const *nodes)
{
    json_key(&d->j, "amounts");
    json_begin(&d->j, '[');
    for (size_t i = 0; i < n; i++) {
        put_amount(d, nodes[i] ? node_flops(p->st, nodes[i]) : NULL);
        put_amount(d, nodes[i] ? node_bytes(p->st, nodes[i]) : NULL);
    }
    json_end(&d->j, ']');
}

/* ---- lives ---- */

/* The place of a step's number in the table of texts; 0: none. */
static int step_text(Data *d, Pager *p, const Origin *o)
{
    Text t = {0};
    if (o && o->step)
        text_printf(&t, "%s%s%u", o->log, *o->log ? "." : "", o->number);
    int at = data_string(d, p, text_str(&t));
    text_free(&t);
    return at;
}

/* The step with which it is needed no longer, or what it stands in; NULL: it stays. */
static const Origin *gone_with(const Known *k)
{
    const Thing *thing = k->stays ? NULL : k->thing;
    for (; thing && !thing->gone; thing = thing_owner(thing))
        ;
    return thing ? thing->gone : NULL;
}

static void put_life(Data *d, Pager *p, const Known *k)
{
    Text t = {0};
    const Thing *thing = k->thing;
    const Occurrence *o = thing ? thing->first : NULL;
    const Node *from = o && o->origin ? o->origin->before : NULL;
    const Occurrence *was = from ? thing_occurrence(p->x->things, thing_graph(thing), from) : NULL;
    if (o) {
        letters_put(&t, thing->of ? thing->of->number : 0);
        letters_put(&t, was ? was->thing->number : 0);
        letters_put(&t, step_text(d, p, gone_with(k)));
        letters_put(&t, step_text(d, p, o->origin));
        for (; o->next; o = o->next)
            if (o->next->origin && occurrence_differs(p->x->things, o, o->next))
                letters_put(&t,
                            2 * step_text(d, p, o->next->origin) + o->next->origin->operands_only);
    }
    json_string(&d->j, text_str(&t));
    text_free(&t);
}

void data_nodes(Data *d, Pager *p)
{
    size_t n = p->known.len;
    Node **nodes = xcalloc(n + 1, sizeof *nodes);
    char **values = xcalloc(n + 1, sizeof *values);
    for (size_t i = 0; i < n; i++)
        nodes[i] = p->known.at[i].node;
    if (d->options->values)
        d->options->values(d->options->ctx, (int)n, nodes, values);
    json_key(&d->j, "nodes");
    json_begin(&d->j, '[');
    for (size_t i = 0; i < n; i++) {
        p->num->within = p->known.at[i].within;
        if (nodes[i])
            put_node(d, p, nodes[i], values[i]);
        else
            json_int(&d->j, 0);
        free(values[i]);
    }
    p->num->within = NULL;
    json_end(&d->j, ']');
    json_key(&d->j, "lives");
    json_begin(&d->j, '[');
    for (size_t i = 0; i < n; i++)
        put_life(d, p, &p->known.at[i]);
    json_end(&d->j, ']');
    put_amounts(d, p, n, nodes);
    free(nodes);
    free(values);
}
