/* Groups of elementwise nodes, and of reductions of what these give.
 *
 * Each node has a stage: that of its operands, plus one where the edge leaves a class
 * (elementwise nodes over arrays of one shape are a class, every other node is one of its own). A
 * group is a connected set of nodes of one class and one stage, and the reductions of its members'
 * values over neighbouring axes. What reads the same elements that lie apart, as every second one,
 * is connected: they are read once.
 *
 * Invariant: every edge between groups leads to a higher stage, or within one stage to a later part
 * of a group that was cut for its size. So groups are convex: no path leaves one and comes back. */
#include "passes/groups.h"
#include "graph/node_map.h"
#include "ops/fused.h"

#define NOWHERE UINT32_MAX

typedef struct {
    Store *st;
    NodeVec order;
    NODE_MAP(u32) place; /* node -> 1 + its place in order */
    u32 n;
    bool *root;
    Type **class; /* by place; NULL: not elementwise */
    u32 *stage;
    u32 *unit;     /* by place: the last member of its group, or itself */
    u32 *previous; /* by place: the member before it; NOWHERE */
} Find;

static u32 place_of(const Find *f, const Node *n) { return node_map_get(&f->place, n) - 1; }

/* Sums of many floats have an order of their own, which would change inside another graph: the pass
 * spells them out before (order.c). */
static bool may_join(const Node *n)
{
    bool many = n->nops > 2 && n->op != OP_WHERE && dtype_is_float(node_dtype(n));
    return fused_elementwise(n) && !many;
}

static void find_classes(Find *f)
{
    for (u32 i = 0; i < f->n; i++) {
        const Node *n = f->order.at[i];
        f->class[i] = may_join(n) ? type_with_dtype(f->st, n->type, DT_F64) : NULL;
    }
}

static bool one_class(const Find *f, u32 a, u32 b)
{
    return f->class[a] && f->class[a] == f->class[b];
}

static void find_stages(Find *f)
{
    for (u32 i = 0; i < f->n; i++) {
        const Node *n = f->order.at[i];
        f->stage[i] = 0;
        for (u32 k = 0; k < n->nops; k++) {
            u32 p = place_of(f, n->ops[k]), s = f->stage[p] + !one_class(f, p, i);
            f->stage[i] = s > f->stage[i] ? s : f->stage[i];
        }
    }
}

/* A node all of whose users are of its class moves up to the first of them. */
static void delay(Find *f)
{
    u32 *first = xmalloc((f->n + 1) * sizeof *first); /* stage of the first user; 0: it stays */
    for (u32 i = 0; i < f->n; i++)
        first[i] = NOWHERE;
    for (u32 i = f->n; i-- > 0;) {
        if (f->class[i] && first[i] != NOWHERE && first[i] > f->stage[i])
            f->stage[i] = first[i];
        const Node *n = f->order.at[i];
        for (u32 k = 0; k < n->nops; k++) {
            u32 p = place_of(f, n->ops[k]);
            u32 s = one_class(f, p, i) ? f->stage[i] : 0;
            first[p] = s < first[p] ? s : first[p];
        }
    }
    free(first);
}

static u32 find(u32 *unit, u32 i)
{
    while (unit[i] != i)
        i = unit[i] = unit[unit[i]];
    return i;
}

static void join(Find *f, u32 p, u32 i)
{
    u32 a = find(f->unit, p), b = find(f->unit, i);
    f->unit[a] = f->unit[b] = a > b ? a : b;
}

static void join_elementwise(Find *f)
{
    for (u32 i = 0; i < f->n; i++) {
        const Node *n = f->order.at[i];
        for (u32 k = 0; f->class[i] && k < n->nops; k++) {
            u32 p = place_of(f, n->ops[k]);
            if (one_class(f, p, i) && f->stage[p] == f->stage[i])
                join(f, p, i);
        }
    }
}

/* Its elements lie apart in the memory of its operand. */
static bool lies_apart(const Node *n)
{
    return (n->op == OP_SLICE && n->attrs[1].i != 1) ||
           (n->op == OP_INDEX && n->type->rank && n->attrs[0].i > 0);
}

static void join_readers(Find *f)
{
    u32 *reader = xmalloc((f->n + 1) * sizeof *reader); /* the last one that was found */
    for (u32 i = 0; i < f->n; i++)
        reader[i] = NOWHERE;
    for (u32 i = 0; i < f->n; i++) {
        const Node *n = f->order.at[i];
        for (u32 k = 0; f->class[i] && k < n->nops; k++) {
            u32 p = place_of(f, n->ops[k]), other = reader[p];
            if (!lies_apart(n->ops[k]))
                continue;
            if (other != NOWHERE && one_class(f, other, i) && f->stage[other] == f->stage[i])
                join(f, other, i);
            reader[p] = i;
        }
    }
    free(reader);
}

/* A reduction comes to the group of its operand: its users are of a higher stage already. All
 * reductions of a group go over the axes of its first one. */
static void join_reductions(Find *f)
{
    AxisRun *axes = xcalloc(f->n + 1, sizeof *axes);
    u32 *count = xcalloc(f->n + 1, sizeof *count);
    for (u32 i = 0; i < f->n; i++) {
        const Node *n = f->order.at[i];
        AxisRun over = {0};
        u32 p = n->nops == 1 ? place_of(f, n->ops[0]) : 0;
        if (n->nops != 1 || !f->class[p] || !fused_reduction(n, &over))
            continue;
        u32 group = find(f->unit, p), many = count[group];
        if (many == FUSED_REDUCTIONS || (many && !axis_runs_equal(axes[group], over)))
            continue;
        join(f, p, i);
        f->stage[i] = f->stage[p];
        group = find(f->unit, p);
        axes[group] = over;
        count[group] = many + 1;
    }
    free(axes);
    free(count);
}

/* Very large groups are cut where they are, in topological order. */
static void link_members(Find *f)
{
    u32 *size = xcalloc(f->n + 1, sizeof *size), *last = xmalloc((f->n + 1) * sizeof *last),
        *part = xmalloc((f->n + 1) * sizeof *part);
    for (u32 i = f->n; i-- > 0;) {
        u32 group = find(f->unit, i);
        if (size[group]++ % GROUP_MEMBERS == 0)
            last[group] = i;
        part[i] = last[group];
    }
    for (u32 i = 0; i < f->n; i++)
        last[i] = NOWHERE;
    for (u32 i = 0; i < f->n; i++) {
        f->unit[i] = part[i];
        f->previous[i] = last[part[i]];
        last[part[i]] = i;
    }
    free(size);
    free(last);
    free(part);
}

/* ---- the answer ---- */

/* Units by stage, then by place: a counting sort. */
static u32 *units_in_order(const Find *f, u32 *count)
{
    u32 *start = xcalloc((size_t)f->n + 2, sizeof *start),
        *units = xmalloc((f->n + 1) * sizeof *units);
    for (u32 i = 0; i < f->n; i++)
        start[f->stage[i] + 1] += f->unit[i] == i;
    for (u32 s = 0; s < f->n; s++)
        start[s + 1] += start[s];
    *count = start[f->n];
    for (u32 i = 0; i < f->n; i++)
        if (f->unit[i] == i)
            units[start[f->stage[i]]++] = i;
    free(start);
    return units;
}

static bool *used_outside(const Find *f)
{
    bool *outside = xcalloc(f->n + 1, sizeof *outside);
    for (u32 i = 0; i < f->n; i++) {
        const Node *n = f->order.at[i];
        outside[i] = outside[i] || f->root[i];
        for (u32 k = 0; k < n->nops; k++) {
            u32 p = place_of(f, n->ops[k]);
            outside[p] = outside[p] || f->unit[p] != f->unit[i];
        }
    }
    return outside;
}

/* The members of a unit, which are linked from the last to the first. */
static void put_unit(const Find *f, const bool *outside, u32 unit, Groups *out)
{
    u32 size = 0;
    for (u32 m = unit; m != NOWHERE; m = f->previous[m])
        size++;
    size_t end = out->order.len + size, at = end;
    while (out->order.len < end)
        vec_push(&out->order, NULL);
    for (u32 m = unit; m != NOWHERE; m = f->previous[m]) {
        out->order.at[--at] = f->order.at[m];
        out->outside[at] = outside[m];
    }
    out->members[end - 1] = size > 1 ? size : 0;
    out->count += size > 1;
}

void groups_find(Store *st, int nroots, Node *const *roots, Groups *out)
{
    Find f = {.st = st};
    *out = (Groups){0};
    nodes_topo(nroots, roots, &f.order);
    size_t n = f.order.len + 1;
    f.n = (u32)f.order.len;
    f.root = xcalloc(n, sizeof *f.root);
    f.class = xcalloc(n, sizeof *f.class);
    f.stage = xmalloc(n * sizeof *f.stage);
    f.unit = xmalloc(n * sizeof *f.unit);
    f.previous = xmalloc(n * sizeof *f.previous);
    for (u32 i = 0; i < f.n; i++) {
        node_map_put(&f.place, f.order.at[i], i + 1);
        f.unit[i] = i;
    }
    for (int i = 0; i < nroots; i++)
        f.root[place_of(&f, roots[i])] = true;
    find_classes(&f);
    find_stages(&f);
    delay(&f);
    join_elementwise(&f);
    join_readers(&f);
    join_reductions(&f);
    link_members(&f);
    out->members = xcalloc(n, sizeof *out->members);
    out->outside = xcalloc(n, sizeof *out->outside);
    bool *outside = used_outside(&f);
    u32 count, *units = units_in_order(&f, &count);
    for (u32 i = 0; i < count; i++)
        put_unit(&f, outside, units[i], out);
    free(units);
    free(outside);
    free(f.root);
    free(f.class);
    free(f.stage);
    free(f.unit);
    free(f.previous);
    node_map_free(&f.place);
    vec_free(&f.order);
}

void groups_free(Groups *g)
{
    vec_free(&g->order);
    free(g->members);
    free(g->outside);
}
