/* See places.h. */
#include "passes/places.h"

bool places_at_least(Size *s, i64 least)
{
    i64 low;
    return size_lower_bound(s, &low) && low >= least;
}

bool places_read(Store *st, const Node *n, i64 axis, Places *p)
{
    Size *one = size_const(st, 1);
    if (n->op == OP_FLIP && n->attrs[0].ints->n == 1 && n->attrs[0].ints->at[0] == axis) {
        Size *len = n->type->dims[axis];
        *p = (Places){size_sub(st, len, one), len, -1};
        return true;
    }
    if (n->op != OP_SLICE || n->attrs[0].i != axis)
        return false;
    *p = (Places){size_of_node(st, n->ops[1]), size_of_node(st, n->ops[2]), n->attrs[1].i};
    return true;
}

bool places_written(Store *st, const Node *n, Places *p)
{
    if (n->op != OP_SET_SLICE || n->ops[2]->type->rank != n->type->rank)
        return false;
    *p = (Places){size_of_node(st, n->ops[1]), n->ops[2]->type->dims[n->attrs[0].i], n->attrs[1].i};
    return true;
}

bool places_inside(Store *st, const Places *p, Size *length)
{
    i64 k;
    bool unit = p->step == 1 || p->step == -1;
    if (!unit && (!size_is_const(p->len, &k) || k < 1))
        return false;
    Size *steps = size_sub(st, p->len, size_const(st, 1));
    Size *last = size_add(st, p->start, size_scale(st, steps, p->step));
    Size *low = p->step > 0 ? p->start : last, *high = p->step > 0 ? last : p->start;
    return places_at_least(low, 0) && size_above(st, length, high, 1) && places_at_least(p->len, 0);
}

Size *places_index(Store *st, Node *index, Size *length)
{
    i64 k;
    Size *at = size_of_node(st, index);
    if (size_is_const(at, &k) && k < 0)
        at = size_add(st, length, at);
    return places_at_least(at, 0) && places_at_least(size_sub(st, length, at), 1) ? at : NULL;
}

Node *places_taken(Store *st, Node *x, i64 axis, const Places *p)
{
    Size *length = x->type->dims[axis];
    i64 first = axis;
    if (p->step == 1 && size_is(p->start, 0) && p->len == length)
        return x;
    if (p->step == -1 && p->len == length && size_is(size_sub(st, length, p->start), 1))
        return node1(st, OP_FLIP, &(Attr){.ints = intlist(st, 1, &first)}, x);
    Node *start = size_to_node(st, p->start), *len = size_to_node(st, p->len);
    return start && len ? build_slice(st, x, (int)axis, start, len, p->step) : NULL;
}

bool site_put_alike(Site *site, Node *after)
{
    if (!after || after->type != site->node->type)
        return site_refuse(site, NULL, "its source does not give the same type");
    site_put(site, site->node, after);
    return true;
}

bool site_drops_total(Site *site, const Node *n, u32 first, u32 count)
{
    bool ok = true;
    for (u32 i = 0; i < n->nops && ok; i++)
        ok = (i >= first && i < first + count) || fact_total(site->facts, site->st, n->ops[i]);
    return ok || site_refuse(site, n, "what is not read may fail");
}

bool places_known(const Node *g)
{
    const Node *at = g->ops[1];
    i64 length;
    if (!node_is_const(at) || at->type->rank != 1 ||
        !size_lower_bound(g->ops[0]->type->dims[g->attrs[0].i], &length))
        return false;
    for (i64 i = 0; i < at->attrs[0].value->count; i++) {
        double k = tensor_f64_at(at->attrs[0].value, i);
        if (k >= (double)length || k < -(double)length)
            return false;
    }
    return true;
}

int places_part(Store *st, const Node *c, i64 axis, Size *from, Size *end, Size **first)
{
    *first = size_const(st, 0);
    for (u32 i = 0; i < c->nops; i++) {
        Size *next = size_add(st, *first, c->ops[i]->type->dims[axis]);
        if (places_at_least(size_sub(st, from, *first), 0) &&
            places_at_least(size_sub(st, next, end), 0))
            return (int)i;
        *first = next;
    }
    return -1;
}
