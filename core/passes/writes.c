/* Parts and elements that are written: into what was put together, over what was written before,
 * and writes that change nothing.
 *
 * Where a place may not be there, so that writing is an error, nothing is said.
 *
 * Invariant: nothing is computed twice, and no more elements than before. */
#include "passes/code_rules.h"
#include "passes/places.h"
#include "tensor/kernels.h"

static bool is_write(const Node *n)
{
    return n->op == OP_SET_INDEX || n->op == OP_SET_SLICE || n->op == OP_SCATTER;
}

static StoreOp mode_of(const Node *w) { return (StoreOp)w->attrs[w->op == OP_SET_SLICE ? 2 : 1].i; }

/* The places that w, a part or an element that is written, writes; false: they are not all proved
 * to be there. */
static bool proved_places(Store *st, const Node *w, Places *p)
{
    Size *length = w->type->dims[w->attrs[0].i];
    if (w->op == OP_SET_INDEX) {
        *p = (Places){places_index(st, w->ops[1], length), size_const(st, 1), 1};
        return p->start != NULL;
    }
    return places_written(st, w, p) && places_inside(st, p, length);
}

static bool has_no_element(const Type *t)
{
    for (int i = 0; i < t->rank; i++)
        if (size_is(t->dims[i], 0))
            return true;
    return false;
}

static bool is_there(Store *st, const Node *w)
{
    Places p;
    if (w->op == OP_SCATTER)
        return has_no_element(w->ops[1]->type) || places_known(w);
    return proved_places(st, w, &p);
}

/* ---- writes that change nothing ---- */

static bool write_nothing(Site *site)
{
    Node *n = site->node;
    if (!has_no_element(n->ops[2]->type))
        return site_refuse(site, n->ops[2], "it is not empty");
    if (!is_there(site->st, n))
        return site_refuse(site, n, place_not_there);
    return site_drops_total(site, n, 0, 1) && site_put_alike(site, n->ops[0]);
}

static bool adds_zero(Site *site)
{
    Node *n = site->node, *v = n->ops[2];
    const Fact *f = fact_of(site->facts, v);
    if (mode_of(n) != STORE_ADD || f->nan || f->lo != 0 || f->hi != 0)
        return site_refuse(site, v, "the added value is not 0");
    if (!is_there(site->st, n))
        return site_refuse(site, n, place_not_there);
    return site_drops_total(site, n, 0, 1) && site_put_alike(site, n->ops[0]);
}

static bool increase_by_zero(Site *site)
{
    const Node *x = site->node->ops[0];
    if (dtype_is_float(x->type->dtype) && !fact_never_minus_zero(site->facts, x))
        return site_refuse(site, x, "it may be -0, and -0 + 0 is 0");
    return adds_zero(site);
}

/* ---- over what was written ---- */

/* Are all places of a among those of b? */
static bool covers(Store *st, const Places *a, const Places *b)
{
    Size *a_end = size_add(st, a->start, a->len), *b_end = size_add(st, b->start, b->len);
    return a->step == 1 && b->step == 1 && places_at_least(size_sub(st, a->start, b->start), 0) &&
           places_at_least(size_sub(st, b_end, a_end), 0);
}

/* What is written over was written in vain. */
static bool write_over(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *w = n->ops[0], *ops[] = {NULL, n->ops[1], n->ops[2]};
    Places before, now;
    if (mode_of(n) != STORE_SET || !is_write(w) || w->op == OP_SCATTER ||
        w->attrs[0].i != n->attrs[0].i)
        return site_refuse(site, w, "its operand is not an update along that axis");
    if (!proved_places(st, w, &before) || !proved_places(st, n, &now))
        return site_refuse(site, w, place_not_there);
    if (!covers(st, &before, &now))
        return site_refuse(site, w, "not proved: the earlier write is completely overwritten");
    ops[0] = w->ops[0];
    return site_drops_total(site, w, 0, 1) && site_put_alike(site, node_with_operands(st, n, ops));
}

/* All of an axis is written: what is written, or a sum. */
static bool write_all(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *x = n->ops[0], *v = n->ops[2];
    StoreOp mode = mode_of(n);
    if (v->type != x->type || n->attrs[1].i != 1 || !is_there(st, n))
        return site_refuse(site, v, "not proved: it is as long as the axis");
    if (!fact_total(site->facts, st, n->ops[1]))
        return site_refuse(site, n->ops[1], "it could raise an error");
    if (mode == STORE_ADD)
        return site_put_alike(site, build_add(st, x, v));
    if (mode != STORE_SET)
        return site_refuse(site, n, "it is neither set nor incremented");
    return site_drops_total(site, n, 2, 1) && site_put_alike(site, v);
}

/* ---- into what was put together ---- */

/* part, which begins at `first`, with what n writes at p. */
static Node *part_written(Store *st, const Node *n, Node *part, const Places *p, Size *first)
{
    Node *at = size_to_node(st, size_sub(st, p->start, first)), *ops[] = {part, at, n->ops[2]};
    return at ? node_make(st, n->op, n->attrs, 3, ops) : NULL;
}

static bool write_in_part(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *c = n->ops[0];
    Places p;
    if (c->op != OP_CONCAT || c->attrs[0].i != n->attrs[0].i)
        return site_refuse(site, c, "its operand was not concatenated along that axis");
    if (!proved_places(st, n, &p) || p.step != 1)
        return site_refuse(site, n, place_not_there);
    Size *end = size_add(st, p.start, p.len), *first;
    int k = places_part(st, c, c->attrs[0].i, p.start, end, &first);
    if (k < 0)
        return site_refuse(site, c, "not proved: which part it reads");
    Node **parts = xmalloc(c->nops * sizeof *parts);
    memcpy(parts, c->ops, c->nops * sizeof *parts);
    parts[k] = part_written(st, n, c->ops[k], &p, first);
    Node *after = parts[k] ? node_make(st, OP_CONCAT, c->attrs, c->nops, parts) : NULL;
    free(parts);
    return site_put_alike(site, after);
}

/* ---- elements of what was scattered ---- */

/* How often a known place of w is `at`; *last: where it is the last time. */
static int times_written(const Node *w, i64 at, i64 *last)
{
    const Tensor *places = w->ops[1]->attrs[0].value;
    i64 length;
    int times = 0;
    if (!size_is_const(w->type->dims[w->attrs[0].i], &length))
        return -1;
    for (i64 i = 0; i < places->count; i++) {
        i64 place = (i64)tensor_f64_at(places, i);
        if ((place < 0 ? place + length : place) == at) {
            *last = i;
            times++;
        }
    }
    return times;
}

/* An element at a known place, of what was written at known places. */
static bool index_scattered(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *w = n->ops[0];
    i64 at, k = 0;
    if (w->op != OP_SCATTER || w->attrs[0].i != n->attrs[0].i)
        return site_refuse(site, w, "its operand is not a scatter along that axis");
    Size *place = places_index(st, n->ops[1], w->type->dims[w->attrs[0].i]);
    if (!place || !size_is_const(place, &at) || !places_known(w))
        return site_refuse(site, w, place_not_there);
    int times = times_written(w, at, &k);
    bool set = times && mode_of(w) == STORE_SET;
    if (times < 0 || (times && !set))
        return site_refuse(site, w, "it is not set at that position");
    if (!site_drops_total(site, w, set ? 2 : 0, 1))
        return false;
    Node *old = n->ops[1], *where = set ? node_i64(st, k) : old;
    return site_put_alike(site, node2(st, OP_INDEX, n->attrs, w->ops[set ? 2 : 0], where));
}

#define CANON(NAME, CLASSES, OP_, FN, REASON)                \
    {                                                        \
        NAME, "canonicalize", CLASSES, OP_, FN, REASON, NULL \
    }
#define WRITES(NAME, CLASSES, FN, REASON)                    \
    CANON(NAME "-slice", CLASSES, OP_SET_SLICE, FN, REASON), \
        CANON(NAME "-index", CLASSES, OP_SET_INDEX, FN, REASON)
const CodeRule write_rules[] = {
    CANON("write-nothing", HAZARD_D, OP_SET_SLICE, write_nothing, "the update writes no element"),
    CANON("scatter-nothing", HAZARD_D, OP_SCATTER, write_nothing, "the update writes no element"),
    WRITES("add-zero", HAZARD_D, increase_by_zero, "0 is added"),
    CANON("add-zero-scatter", HAZARD_D, OP_SCATTER, increase_by_zero, "0 is added"),
    CANON("write-all", HAZARD_D, OP_SET_SLICE, write_all, "the update covers the whole axis"),
    CANON("write-over-slice", HAZARD_D, OP_SET_SLICE, write_over, "the last write wins"),
    WRITES("concat-with", HAZARD_D, write_in_part, "only the part that is written matters"),
    CANON("index-scattered", HAZARD_D, OP_INDEX, index_scattered,
          "the value that was just written"),
    {0}};
