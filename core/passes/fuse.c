/* The pass `fuse`: each group of elementwise nodes becomes one node that owns their graph.
 *
 * What runs together is decided here and nowhere else; the planner only writes the code. It is
 * the last pass that looks at single operators: derivatives are expanded, loops are in their final
 * form. Inner graphs are fused like the outer one, but for those of derivatives, which nothing
 * runs.
 *
 * Invariant: every result keeps its bits (class E). */
#include "graph/names.h"
#include "graph/provenance.h"
#include "passes/groups.h"
#include "graph/walk.h"
#include "passes/openers.h"
#include "passes/passes.h"
#include "ops/fused.h"

/* ---- is there anything to do? ---- */

static bool node_fuses(const Node *n)
{
    if (fused_elementwise(n) && n->nops > 2 && n->op != OP_WHERE)
        return true;
    if (!fused_elementwise(n) && !fused_reduction(n, NULL))
        return false;
    for (u32 k = 0; k < n->nops; k++)
        if (fused_elementwise(n->ops[k]))
            return true;
    return false;
}

/* ---- one group ---- */

typedef struct {
    Store *st;
    NodeVec members; /* operands first */
    NodeVec outs;    /* those that others use */
    NodeSet inside;
    NodeVec inputs; /* in order of first use from the outs */
    Node *fused;
} Group;

static void find_inputs(Group *g)
{
    Descent d = {0};
    descent_roots(&d, (int)g->outs.len, g->outs.at);
    for (Node *n; (n = descent_next(&d));)
        if (map_has(&g->inside, n))
            descent_operands(&d, n);
        else if (n->op != OP_CONST || n->type->rank)
            vec_push(&g->inputs, n);
    descent_end(&d);
}

static const Type *shape_of(const Node *n)
{
    return fused_elementwise(n) ? n->type : n->ops[0]->type;
}

/* The group's shape over sizes of its own graph: equal sizes are one. */
static void name_sizes(Store *st, const Type *shape, Size **dims)
{
    i64 next = 0;
    for (int a = 0; a < shape->rank; a++) {
        dims[a] = size_is_const(shape->dims[a], NULL) ? shape->dims[a] : NULL;
        for (int b = 0; b < a && !dims[a]; b++)
            dims[a] = shape->dims[b] == shape->dims[a] ? dims[b] : NULL;
        if (!dims[a])
            dims[a] = size_param(st, next++);
    }
}

static Graph *close_group(Group *g)
{
    Store *st = g->st;
    const Type *shape = shape_of(g->members.at[0]);
    Size *dims[MAX_RANK];
    NodeMap memo = {0};
    Type **types = xmalloc((g->inputs.len + 1) * sizeof *types);
    Node **outs = xmalloc((g->outs.len + 1) * sizeof *outs);
    bool ok = true;
    name_sizes(st, shape, dims);
    for (size_t i = 0; i < g->inputs.len; i++) {
        Node *x = g->inputs.at[i];
        types[i] = x->type->rank ? type_tensor(st, node_dtype(x), shape->rank, dims) : x->type;
        map_put(&memo, x, node_param(st, (i64)i, types[i]));
    }
    NameScope *around = st->scope;
    st->scope = NULL; /* the parameters are others than those around */
    for (size_t i = 0; i < g->outs.len && ok; i++)
        ok = (outs[i] = node_substitute(st, g->outs.at[i], &memo)) != NULL;
    st->scope = around;
    Graph *body = ok ? graph_make(st, (int)g->inputs.len, types, (int)g->outs.len, outs) : NULL;
    if (body)
        graph_names_close(st, body, g->inputs.at, &memo);
    map_free(&memo);
    free(types);
    free(outs);
    return body;
}

/* The results stand for the outs: same types, same names. */
static bool give_results(Site *site, Group *g)
{
    for (size_t i = 0; i < g->outs.len; i++) {
        Node *was = g->outs.at[i], *now = node_proj(g->st, g->fused, (i64)i);
        if (!now || now->type != was->type)
            return false;
        site_put(site, was, now);
    }
    for (size_t i = 0; i < g->outs.len; i++) {
        Node *was = g->outs.at[i], *now = node_proj(g->st, g->fused, (i64)i);
        node_set_name(g->st, now, node_name(g->st, was));
        node_carry_span(g->st, was, now);
        node_carry_span(g->st, was, g->fused);
    }
    return true;
}

static void tell_bytes(Text *why, const Group *g, i64 bytes)
{
    const Type *shape = shape_of(g->members.at[0]);
    i64 elements = 1, all, k;
    for (int a = 0; a < shape->rank && elements; a++)
        if (!size_is_const(shape->dims[a], &k) || __builtin_mul_overflow(elements, k, &elements))
            elements = 0; /* not known, or more than can be counted */
    if (!bytes)
        text_put(why, "; operands are read once");
    else if (elements && !__builtin_mul_overflow(bytes, elements, &all))
        text_printf(why, "; %lld bytes not stored", (long long)all);
    else
        text_printf(why, "; %lld bytes per element not stored", (long long)bytes);
}

static void explain(Text *why, const Group *g)
{
    u32 reductions = 0;
    i64 bytes = 0;
    NodeSet kept = {0};
    for (size_t i = 0; i < g->outs.len; i++)
        set_add(&kept, g->outs.at[i]);
    for (size_t i = 0; i < g->members.len; i++) {
        Node *n = g->members.at[i];
        reductions += !fused_elementwise(n);
        bytes += map_has(&kept, n) ? 0 : (i64)dtype_size(node_dtype(n));
    }
    map_free(&kept);
    size_t operators = g->members.len - reductions;
    text_printf(why, "%zu operator%s", operators, operators == 1 ? "" : "s");
    if (reductions)
        text_printf(why, " and %u reduction%s", reductions, reductions > 1 ? "s" : "");
    text_put(why, " over ");
    type_print(why, shape_of(g->members.at[0]));
    tell_bytes(why, g, bytes);
}

/* Two members may have become one node. */
static void add_member(Group *g, Node *n, bool outside)
{
    bool again = map_has(&g->inside, n);
    if (!again) {
        set_add(&g->inside, n);
        vec_push(&g->members, n);
    }
    for (size_t i = 0; again && i < g->outs.len; i++)
        outside = outside && g->outs.at[i] != n;
    if (outside)
        vec_push(&g->outs, n);
}

/* One node in place of the group; false if it cannot be made. */
static bool make_fused(Group *g)
{
    if (g->members.len < 2 || !g->outs.len)
        return false;
    find_inputs(g);
    Graph *body = close_group(g);
    Attr a = {.graph = body};
    g->fused = body ? node_make(g->st, OP_FUSED, &a, (u32)g->inputs.len, g->inputs.at) : NULL;
    return g->fused != NULL;
}

static bool fuse_group(Site *site, Group *g)
{
    if (!make_fused(g) || !give_results(site, g))
        return false;
    explain(site_why_text(site), g);
    return true;
}

static void group_free(Group *g)
{
    vec_free(&g->members);
    vec_free(&g->outs);
    vec_free(&g->inputs);
    map_free(&g->inside);
}

/* ---- the sweep ---- */

typedef struct {
    const Groups *groups;
    const Rule *rule;
} Sweep;

/* At the last member of a group all members stand with their operands as they have become. */
static Node *at_place(Engine *e, size_t place, Node *now, void *ctx)
{
    const Sweep *s = ctx;
    u32 size = s->groups->members[place];
    if (!size)
        return now;
    double since = now_seconds();
    Group g = {.st = e->st};
    Site site;
    site_open(&site, e, now);
    for (size_t i = place + 1 - size; i <= place; i++)
        add_member(&g, engine_became(e, s->groups->order.at[i]), s->groups->outside[i]);
    if (fuse_group(&site, &g)) {
        engine_record(&site, s->rule, since);
        for (size_t i = place + 1 - size; i <= place; i++) {
            Node *result = site_found(&site, engine_became(e, s->groups->order.at[i]));
            if (result)
                engine_put(e, s->groups->order.at[i], result);
        }
    }
    now = engine_became(e, s->groups->order.at[place]);
    group_free(&g);
    site_close(&site);
    return now;
}

static bool sweep(Engine *e)
{
    Groups groups;
    Sweep s = {&groups, engine_rule(e, "fuse")};
    groups_find(e->st, e->nroots, e->roots, &groups);
    bool changed = s.rule && engine_walk(e, &groups.order, at_place, &s);
    groups_free(&groups);
    return changed;
}

bool fuse_groups(Engine *e, const Phase *phases)
{
    (void)phases;
    if (!engine_rule(e, "fuse"))
        return false;
    bool changed = index_lift_shared(e);
    changed = concats_apart(e) || changed;
    if (!engine_any(e, node_fuses))
        return changed;
    changed = order_fix(e) || changed;
    return engine_sweep_with(e, sweep, 1, false) || changed;
}

/* The rule at one node: the group it is the last of, seen from there. */
static bool fuse_here(Site *site)
{
    Node *n = site->node;
    Groups groups;
    groups_find(site->st, 1, &n, &groups);
    size_t last = groups.order.len - 1;
    Group g = {.st = site->st};
    for (size_t i = last + 1 - groups.members[last]; i <= last; i++)
        add_member(&g, groups.order.at[i], groups.outside[i]);
    if (!groups.members[last])
        site_refuse(site, NULL, "no operand is elementwise over the same shape");
    bool fires = groups.members[last] && fuse_group(site, &g);
    group_free(&g);
    groups_free(&groups);
    return fires;
}

/* ---- the parts of a step: the group grows from its results down, an operator at a time ---- */

/* More nobody steps through: of a large group several operators join at once. */
enum { MOST_PARTS = 32 };

/* The group of a step, operands first. */
static void members_of(const Step *s, NodeVec *members)
{
    const Node *fused = s->changes[0].after->ops[0];
    NodeVec order = {0};
    NodeSet seen = {0};
    for (u32 i = 0; i < fused->nops; i++)
        set_add(&seen, fused->ops[i]);
    for (int i = 0; i < s->nchanges; i++)
        nodes_topo_more(s->changes[i].before, &seen, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op != OP_CONST)
            vec_push(members, order.at[i]);
    vec_free(&order);
    map_free(&seen);
}

/* Those from `first` on as one node; those before it stay as they are. */
static void put_group(Opening *o, const NodeVec *members, size_t first)
{
    Group g = {.st = o->st};
    NodeSet results = {0};
    Text name = {0}, why = {0};
    Node **to = xcalloc((size_t)o->n + 1, sizeof *to);
    for (int i = 0; i < o->n; i++)
        set_add(&results, o->start[i]);
    for (size_t i = first; i < members->len; i++)
        add_member(&g, members->at[i], map_has(&results, members->at[i]));
    bool ok = make_fused(&g);
    for (int i = 0; i < o->n && ok; i++)
        for (size_t k = 0; k < g.outs.len; k++)
            if (g.outs.at[k] == o->start[i])
                to[i] = node_proj(o->st, g.fused, (i64)k);
    text_printf(&name, "with %s", node_info(members->at[first])->name);
    if (ok) {
        explain(&why, &g);
        open_part(o, text_str(&name), text_str(&why), to);
    }
    text_free(&name);
    text_free(&why);
    free(to);
    map_free(&results);
    group_free(&g);
}

static bool parts_open(Opening *o)
{
    NodeVec members = {0};
    Text name = {0};
    members_of(o->step, &members);
    size_t count = members.len, at_once = (count + MOST_PARTS - 1) / MOST_PARTS;
    for (size_t k = 1 + at_once; k < count; k += at_once)
        put_group(o, &members, count - k);
    if (count)
        text_printf(&name, "with %s", node_info(members.at[0])->name);
    vec_free(&members);
    bool ok = open_last(o, text_str(&name), o->step->evidence ? o->step->evidence : "all of them");
    text_free(&name);
    return ok;
}

static bool has_parts(const Step *s)
{
    const Node *n = s->changes[0].after;
    if (n->op != OP_PROJ || n->ops[0]->op != OP_FUSED)
        return false;
    const Graph *g = n->ops[0]->attrs[0].graph;
    NodeVec order = {0};
    size_t members = 0;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        members += order.at[i]->op != OP_PARAM && order.at[i]->op != OP_CONST;
    vec_free(&order);
    return members > 2;
}

const Opener open_fuse = {has_parts, parts_open};

const CodeRule fuse_rules[] = {
    {"concat-apart", "fuse", HAZARD_E, OP_COUNT, concat_apart, "computed with each part", NULL},
    {"fuse", "fuse", HAZARD_E, OP_COUNT, fuse_here, "one pass, tile by tile", &open_fuse},
    {0}};
