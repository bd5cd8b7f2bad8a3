/* Where a nan comes from, in words; see origin.h. */
#include "analysis/origin.h"

#include "analysis/step_text.h"
#include "graph/names.h"
#include "graph/provenance.h"
#include "surface/surface.h"

enum { LABEL_LEVELS = 8, LABEL = 60 };

void origin_put_label(Text *out, Store *st, OriginPlace p)
{
    Node *n = p.inside ? p.inside : p.node;
    const Graph *g = p.body;
    Text t = {0};
    Numbering num = {.within = g};
    Symbol name = n->op == OP_CONST ? NULL : node_name_in(st, g, n);
    if (name) {
        text_put(&t, name);
    } else if (n->op == OP_PROJ && n->ops[0]->op == OP_SCAN) {
        put_called(&t, st, n->ops[0], &num);
    } else {
        node_source_numbered(st, &t, n, &num, LABEL_LEVELS);
    }
    if (t.len > LABEL) {
        text_free(&t);
        text_printf(&t, "%s of ", node_info(n)->name);
        type_print(&t, n->type);
    }
    map_free(&num.of);
    text_put(out, text_str(&t));
    text_free(&t);
}

void origin_put_expression(Text *out, Store *st, const NanOrigin *o, Node *n)
{
    OriginPlace p = origin_place(o, n);
    Numbering num = {.within = p.body};
    NodeSet named = {0};
    n = p.inside ? p.inside : n;
    for (u32 i = 0; i < n->nops; i++)
        if (node_name_in(st, num.within, n->ops[i]))
            set_add(&named, n->ops[i]);
    node_source_leaves(st, out, n, &num, LABEL_LEVELS, &named, 0);
    map_free(&named);
    map_free(&num.of);
}

static void put_index(Text *out, const Tensor *v, i64 element)
{
    i64 index[MAX_RANK];
    for (int k = v->rank; k-- > 0; element /= v->shape[k])
        index[k] = element % v->shape[k];
    text_putc(out, '[');
    for (int k = 0; k < v->rank; k++)
        text_printf(out, "%s%lld", k ? ", " : "", (long long)index[k]);
    text_putc(out, ']');
}

void origin_put_element(Text *out, const Tensor *v, i64 element)
{
    if (!v->rank)
        return;
    text_put(out, " at ");
    put_index(out, v, element);
}

const Span *origin_span(const NanOrigin *o, Store *st)
{
    Node *inside = origin_place(o, o->at).inside;
    const Span *span = node_span(st, inside ? inside : o->at);
    const Span *around =
        inside && o->loops.len ? node_span(st, o->loops.at[o->loops.len - 1].scan) : NULL;
    bool here = span && around && span->src == around->src && span->start >= around->start &&
                span->end <= around->end;
    return around && !here ? around : span;
}
