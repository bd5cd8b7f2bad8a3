/* Types, numbers and values of figures: what is told only if it is asked for.
 *
 * Invariant: a size of a body is told as what it is outside; a type with a size that has no name
 * there is not told. */
#include "viz/scene/figure_parts.h"

/* ---- types ---- */

typedef struct {
    Store *st;
    const Level *l;
    bool unknown;
} SizesOf;

static Size *size_outside(Store *st, SizeAtom *a, void *ctx)
{
    SizesOf *of = ctx;
    Size *size = NULL;
    if (a->kind == ATOM_PARAM)
        size = map_get(&of->l->sizes, a->index + 1);
    else if (a->kind == ATOM_NODE && node_name_in(st, of->l->graph, a->node))
        size = size_name(st, node_name_in(st, of->l->graph, a->node));
    of->unknown |= !size && a->kind != ATOM_NAME && a->kind < ATOM_MAX;
    return size;
}

static Size *known_outside(void *ctx, Size *s)
{
    SizesOf *of = ctx;
    of->unknown = false;
    Size *size = size_map(of->st, s, size_outside, of);
    return of->unknown ? NULL : size;
}

void figure_bind_sizes(Fig *f, const Level *outer, Level *in, const Node *owner)
{
    if (f->options->types)
        in->sizes = entry_sizes(owner, 0, known_outside, &(SizesOf){f->st, outer, false});
}

const Phrase *figure_shape(Fig *f, const Level *l, const Type *type)
{
    SizesOf of = {f->st, l, false};
    if (!f->options->types || type->kind != TYPE_TENSOR)
        return NULL;
    const Type *t = type_map_sizes(f->st, (Type *)(uintptr_t)type, size_outside, &of);
    bool usual = t->dtype == DT_F64;
    if (of.unknown || (usual && !t->rank))
        return NULL;
    Text out = {0};
    text_put(&out, usual ? "" : dtype_name(t->dtype));
    for (int i = 0; i < t->rank; i++) {
        text_put(&out, i ? "\u00D7" : usual ? "" : "\u00A0");
        size_print(&out, t->dims[i]);
    }
    const Phrase *shape = figure_text(f, "%s", text_str(&out));
    text_free(&out);
    return shape;
}

const Phrase *figure_with_shape(Fig *f, const Level *l, const Phrase *text, const Type *type)
{
    const Phrase *shape = *text->text ? figure_shape(f, l, type) : NULL;
    return shape ? figure_say(f, "@\u00A0:\u00A0@", text, shape) : text;
}

/* ---- numbers and values ---- */

u32 figure_number(Fig *f, const Level *l, const Node *n)
{
    Numbering *num = f->options->numbers;
    const Graph *around = num->within;
    num->within = l->graph;
    u32 number = number_of(num, n);
    num->within = around;
    return number;
}

/* "%7 = 3.14", "∂ = 2": its number, value and derivative; NULL: none of it. */
static const Phrase *facts_of(Fig *f, const Level *l, const Node *n)
{
    const char *value = known_value(&l->known, n), *derivative = known_grad(&l->known, n);
    Text t = {0};
    if (f->options->ids)
        text_printf(&t, "%%%u", figure_number(f, l, n));
    if (value)
        text_printf(&t, "%s= %s", t.len ? "\u00A0 " : "", value);
    if (derivative)
        text_printf(&t, "%s\u2202 = %s", t.len ? ",\u00A0 " : "", derivative);
    const Phrase *facts = t.len ? figure_text(f, "%s", text_str(&t)) : NULL;
    text_free(&t);
    return facts;
}

/* One after the other; either may be NULL. */
static const Phrase *both(Fig *f, const Phrase *a, const Phrase *b)
{
    return a && b ? figure_say(f, "@\u00A0 @", a, b) : a ? a : b;
}

void figure_tell(Fig *f, const Level *l, int at, Node *n, bool below)
{
    const Phrase *facts = facts_of(f, l, n), *shape = figure_shape(f, l, n->type);
    SceneNode *s = scene_node_at(f->scene, at);
    bool list = l->lists || f->folded == FIGURE_FOLDS;
    if (f->options->ids && !s->id)
        s->id = (i64)figure_number(f, l, n);
    const Phrase *side = !below ? both(f, shape, facts) : list ? NULL : shape;
    if (facts && below)
        scene_add_line(f->scene, at, facts);
    if (side)
        s->detail = arena_strndup(&f->scene->arena, side->text, strlen(side->text));
}

/* "W : 3×4 = [1, 2, ..]" */
static void tell_input(Fig *f, const Level *l, Node *n, Text *out)
{
    const Phrase *name = figure_name(f, n->attrs[0].name);
    const Phrase *facts = facts_of(f, l, n), *shape = figure_shape(f, l, n->type);
    if (!facts && !shape)
        return;
    text_printf(out, "%s%s", out->len ? "; " : "", name->text);
    if (shape)
        text_printf(out, " : %s", shape->text);
    if (facts)
        text_printf(out, " %s", facts->text);
}

/* Inputs alone, as they were declared. */
static void keep_inputs(NodeVec *order)
{
    size_t n = 0;
    for (size_t i = 0; i < order->len; i++) {
        Node *input = order->at[i];
        if (input->op != OP_INPUT && input->op != OP_SHARED)
            continue;
        size_t at = n++;
        for (; at && order->at[at - 1]->id > input->id; at--)
            order->at[at] = order->at[at - 1];
        order->at[at] = input;
    }
    order->len = n;
}

void figure_tell_inputs(Fig *f, Level *outermost, Text *out)
{
    keep_inputs(&outermost->order);
    for (size_t i = 0; i < outermost->order.len; i++)
        tell_input(f, outermost, outermost->order.at[i], out);
}
