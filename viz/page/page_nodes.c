/* What the page tells of each node: operator, type, source, value, cost, and where it was written.
 *
 *   nodes  %k: 0, or the number of an earlier node of which it is the same over new operands, or
 *          [operator, type, source, value, operations, bytes, then, where it was written: file,
 * line, text of the line, column, length]; all texts in the table
 *
 * Invariant: a node is told of only if it stands in a graph of the page. */
#include "ops/cost.h"
#include "viz/page/page_parts.h"

enum { NODE_DEPTH = 2, LONGEST_LINE = 400 };

static void put_place(Data *d, Pager *p, const Node *n)
{
    const Span *span = node_span(n);
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

void data_nodes(Data *d, Pager *p)
{
    char **values = xcalloc(p->nodes.len + 1, sizeof *values);
    if (d->options->values)
        d->options->values(d->options->ctx, (int)p->nodes.len, p->nodes.at, values);
    json_key(&d->j, "nodes");
    json_begin(&d->j, '[');
    for (size_t i = 0; i < p->nodes.len; i++) {
        u32 like = i < p->alike.len ? p->alike.at[i] : 0;
        if (like || !p->nodes.at[i])
            json_int(&d->j, like);
        else
            put_node(d, p, p->nodes.at[i], values[i]);
        free(values[i]);
    }
    json_end(&d->j, ']');
    free(values);
}
