/* Groups of elementwise nodes that run together, tile by tile.
 *
 * Each node has a stage: that of its operands, plus one where the edge leaves a class
 * (elementwise nodes of one shape are a class, every other node is one of its own). A
 * group is a connected set of nodes of one class and one stage. Every edge between
 * groups leads to a higher stage, so groups are convex and never wait for each other
 * in a circle.
 *
 * Invariant: the bits of every result are those of the nodes run one by one. */
#include "exec/plan_work.h"

enum { MOST_MEMBERS = 256 };

typedef struct {
    Emit *e;
    u32 n;
    u32 *class; /* by place; NO_REG: not elementwise */
    u32 *stage;
    u32 *size; /* of the group, by representative, while its members are linked */
} Fuse;

static bool fusable(const Node *n)
{
    if (!op_is_elementwise(n->op) || n->type->rank == 0 || n->type->dtype == DT_RNG)
        return false;
    return dtype_is_float(node_dtype(n->ops[0])) || !(node_info(n)->flags & PARTIAL);
}

static void find_classes(Fuse *f)
{
    PtrMap classes = {0};
    for (u32 i = 0; i < f->n; i++) {
        const Node *n = f->e->need.order.at[i];
        f->class[i] = NO_REG;
        if (!f->e->need.needed[i] || !fusable(n))
            continue;
        Type *shape = type_with_dtype(f->e->pl->st, n->type, DT_F64);
        if (!map_has(&classes, shape))
            map_put(&classes, shape, (void *)(uintptr_t)(classes.len + 1));
        f->class[i] = (u32)(uintptr_t)map_get(&classes, shape);
    }
    map_free(&classes);
}

static bool one_class(const Fuse *f, u32 a, u32 b)
{
    return f->class[a] != NO_REG && f->class[a] == f->class[b];
}

static void find_stages(Fuse *f)
{
    const Need *need = &f->e->need;
    for (u32 i = 0; i < f->n; i++) {
        const Node *n = need->order.at[i];
        f->stage[i] = 0;
        for (u32 k = 0; need->needed[i] && k < n->nops; k++) {
            u32 p = need_place(need, n->ops[k]), s = f->stage[p] + !one_class(f, p, i);
            f->stage[i] = need->needed[p] && s > f->stage[i] ? s : f->stage[i];
        }
    }
}

/* A node all of whose users are of its class moves up to the first of them. */
static void delay(Fuse *f)
{
    const Need *need = &f->e->need;
    u32 *first =
        xmalloc((f->n + 1) * sizeof *first); /* stage of the first user; 0: not to be moved */
    for (u32 i = 0; i < f->n; i++)
        first[i] = need->root[i] ? 0 : NO_REG;
    for (u32 i = f->n; i-- > 0;) {
        if (!need->needed[i])
            continue;
        if (f->class[i] != NO_REG && first[i] != NO_REG && first[i] > f->stage[i])
            f->stage[i] = first[i];
        const Node *n = need->order.at[i];
        for (u32 k = 0; k < n->nops; k++) {
            u32 p = need_place(need, n->ops[k]);
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

static void join_groups(Fuse *f)
{
    const Need *need = &f->e->need;
    u32 *unit = f->e->unit;
    for (u32 i = 0; i < f->n; i++) {
        const Node *n = need->order.at[i];
        for (u32 k = 0; need->needed[i] && f->class[i] != NO_REG && k < n->nops; k++) {
            u32 p = need_place(need, n->ops[k]);
            if (!need->needed[p] || !one_class(f, p, i) || f->stage[p] != f->stage[i])
                continue;
            u32 a = find(unit, p), b = find(unit, i);
            if (a == b)
                continue;
            unit[a] = unit[b] = a > b ? a : b;
        }
    }
}

/* Very large groups are cut where they are, in topological order. */
static void link_members(Fuse *f)
{
    u32 *unit = f->e->unit, *last = xmalloc((f->n + 1) * sizeof *last);
    for (u32 i = 0; i < f->n; i++)
        f->size[i] = 0;
    for (u32 i = f->n; i-- > 0;) {
        u32 group = find(unit, i);
        if (f->size[group]++ % MOST_MEMBERS == 0)
            last[group] = i;
        f->stage[i] = last[group]; /* stages are not needed any more */
    }
    for (u32 i = 0; i < f->n; i++)
        last[i] = NO_REG;
    for (u32 i = 0; i < f->n; i++) {
        unit[i] = f->stage[i];
        f->e->previous[i] = last[unit[i]];
        last[unit[i]] = i;
    }
    free(last);
}

/* unit[i]: the last member of the group of place i; previous[i]: the member before it. */
void plan_groups(Emit *e)
{
    Fuse f = {.e = e, .n = (u32)e->need.order.len};
    e->unit = xmalloc((f.n + 1) * sizeof *e->unit);
    e->previous = xmalloc((f.n + 1) * sizeof *e->previous);
    for (u32 i = 0; i < f.n; i++) {
        e->unit[i] = i;
        e->previous[i] = NO_REG;
    }
    if (e->pl->flags & PLAN_UNFUSED)
        return;
    f.class = xmalloc((f.n + 1) * sizeof *f.class);
    f.stage = xmalloc((f.n + 1) * sizeof *f.stage);
    f.size = xmalloc((f.n + 1) * sizeof *f.size);
    find_classes(&f);
    find_stages(&f);
    delay(&f);
    join_groups(&f);
    link_members(&f);
    free(f.class);
    free(f.stage);
    free(f.size);
}

/* ---- code of a group ---- */

typedef struct {
    Emit *e;
    Wide *w;
    Tiles *t;
    PtrMap column; /* node -> 1 + column */
    u32 *last;     /* by column: the last step that reads it */
    u32 capacity;
} Group;

/* Two nodes with one value are one column. */
static const Node *passed_on(const Node *n)
{
    for (;;)
        if (n->op == OP_CHECK)
            n = n->ops[1];
        else if (n->op == OP_STOP_GRADIENT || (n->op == OP_MATCH_SHAPE && !n->type->rank))
            n = n->ops[0];
        else if (n->op == OP_PROJ && n->ops[0]->op == OP_TUPLE)
            n = n->ops[0]->ops[n->attrs[0].i];
        else
            return n;
}

static u32 column_of(const Group *g, const Node *n)
{
    return (u32)(uintptr_t)map_get(&g->column, passed_on(n)) - 1;
}

static void read_column(Group *g, TileStep *s, u32 k, u32 column)
{
    s->arg[k] = column;
    g->last[column] = (u32)(s - g->t->steps);
}

static TileStep *new_step(Group *g, const Node *n)
{
    TileStep *s = &g->t->steps[g->t->nsteps++];
    *s = (TileStep){.node = n, .arg = {NO_REG, NO_REG, NO_REG}, .buffer = NO_REG, .out = NO_REG};
    s->from = node_dtype(n->ops[0]);
    s->to = node_dtype(n);
    return s;
}

/* More than two operands become a chain, from left to right. */
static void add_steps(Group *g, const Node *n)
{
    ElemId id = (ElemId)((int)n->op - (int)OP_NEG);
    TileStep *s = new_step(g, n);
    u32 used = n->nops < 2 ? 1 : n->op == OP_WHERE ? 3 : 2;
    for (u32 k = 0; k < used; k++)
        read_column(g, s, k, column_of(g, n->ops[k]));
    s->kind = n->op == OP_WHERE  ? TILE_WHERE
              : n->op == OP_CAST ? TILE_CAST
              : used == 1        ? TILE_1
                                 : TILE_2;
    if (s->kind == TILE_1)
        s->f1 = elem_fn1(id, s->from);
    if (s->kind == TILE_2)
        s->f2 = elem_fn2(id, s->from);
    for (u32 k = 2; s->kind == TILE_2 && k < n->nops; k++) {
        u32 before = g->w->nin + g->t->nsteps - 1;
        TileStep *next = new_step(g, n);
        next->kind = TILE_2;
        next->f2 = s->f2;
        read_column(g, next, 0, before);
        read_column(g, next, 1, column_of(g, n->ops[k]));
    }
    map_put(&g->column, n, (void *)(uintptr_t)(g->w->nin + g->t->nsteps));
}

static void add_inputs(Group *g, u32 nmembers, const u32 *members)
{
    VEC(const Node *) inputs = {0};
    u32 nsteps = 0;
    for (u32 i = 0; i < nmembers; i++)
        map_put(&g->column, g->e->need.order.at[members[i]], g);
    for (u32 i = 0; i < nmembers; i++) {
        const Node *n = g->e->need.order.at[members[i]];
        nsteps += n->nops > 2 && n->op != OP_WHERE ? n->nops - 1 : 1;
        for (u32 k = 0; k < n->nops; k++)
            if (!map_has(&g->column, passed_on(n->ops[k]))) {
                vec_push(&inputs, passed_on(n->ops[k]));
                map_put(&g->column, passed_on(n->ops[k]), (void *)(uintptr_t)inputs.len);
            }
    }
    u32 nin = (u32)inputs.len;
    Wide *w = g->w = emit_wide(g->e, I_FUSED, g->e->at, nin, nmembers);
    for (u32 k = 0; k < nin; k++)
        w->in[k] = arg_of(g->e, value_of(g->e, inputs.at[k]));
    g->t = w->tiles = plan_alloc(g->e->pl, 1, sizeof *w->tiles);
    g->t->size = plan_alloc(g->e->pl, nin, sizeof *g->t->size);
    for (u32 k = 0; k < nin; k++)
        g->t->size[k] = w->in[k].kind == KIND_TENSOR ? (u8)dtype_size(node_dtype(inputs.at[k])) : 0;
    g->t->steps = plan_alloc(g->e->pl, nsteps, sizeof *g->t->steps);
    g->capacity = nin + nsteps;
    g->last = xmalloc((g->capacity + 1) * sizeof *g->last);
    for (u32 i = 0; i < g->capacity; i++)
        g->last[i] = NO_REG;
    vec_free(&inputs);
}

static bool used_outside(Emit *e, u32 place) { return e->need.root[place] || e->outside[place]; }

/* Results go straight to their tensors; the rest to as few scratch tiles as possible. */
static void place_columns(Group *g)
{
    Tiles *t = g->t;
    VEC(u32) idle = {0};
    for (u32 i = 0; i < t->nsteps; i++) {
        TileStep *s = &t->steps[i];
        if (s->out == NO_REG) {
            s->buffer = idle.len ? idle.at[--idle.len] : t->nbuffers++;
        }
        for (u32 k = 0; k < 3; k++) { /* read for the last time: free from the next step on */
            u32 c = s->arg[k];
            bool again = (k > 0 && c == s->arg[0]) || (k > 1 && c == s->arg[1]);
            if (c == NO_REG || again || c < g->w->nin || g->last[c] != i)
                continue;
            if (t->steps[c - g->w->nin].buffer != NO_REG)
                vec_push(&idle, t->steps[c - g->w->nin].buffer);
        }
    }
    vec_free(&idle);
}

/* The input whose memory result k may take: nothing reads it after the result is written. */
static void find_reuse(Group *g)
{
    Tiles *t = g->t;
    t->reuse = plan_alloc(g->e->pl, g->w->nout, sizeof *t->reuse);
    bool *taken = xcalloc(g->w->nin + 1, sizeof *taken);
    for (u32 k = 0; k < g->w->nout; k++) {
        t->reuse[k] = NO_REG;
        const TileStep *s = &t->steps[t->outs[k]];
        for (u32 c = 0; c < g->w->nin && t->reuse[k] == NO_REG; c++) {
            const Value *v = &g->e->values.at[g->w->in[c].reg];
            bool condition = s->kind == TILE_WHERE && s->arg[0] == c;
            if (taken[c] || condition || v->kind != KIND_TENSOR || g->last[c] > t->outs[k])
                continue;
            t->reuse[k] = c;
            taken[c] = true;
        }
    }
    free(taken);
}

static void add_results(Group *g, u32 nmembers, const u32 *members)
{
    Emit *e = g->e;
    Wide *w = g->w;
    w->nout = 0;
    g->t->outs = plan_alloc(e->pl, nmembers, sizeof *g->t->outs);
    for (u32 i = 0; i < nmembers; i++) {
        if (!used_outside(e, members[i]))
            continue;
        const Node *n = e->need.order.at[members[i]];
        u32 v = value_new(e, KIND_TENSOR), step = column_of(g, n) - w->nin;
        e->value[members[i]] = v;
        e->values.at[v].written = true;
        g->t->outs[w->nout] = step;
        g->t->steps[step].out = w->nout;
        w->out[w->nout++] = (Arg){.reg = v, .kind = KIND_TENSOR};
    }
}

/* The group whose last member is at `place`. */
void emit_group(Emit *e, u32 place)
{
    VEC(u32) members = {0};
    for (u32 m = place; m != NO_REG; m = e->previous[m])
        vec_push(&members, m);
    for (size_t i = 0; i < members.len / 2; i++) {
        u32 t = members.at[i];
        members.at[i] = members.at[members.len - 1 - i];
        members.at[members.len - 1 - i] = t;
    }
    Group g = {.e = e};
    u32 n = (u32)members.len;
    add_inputs(&g, n, members.at);
    for (u32 i = 0; i < n; i++)
        add_steps(&g, e->need.order.at[members.at[i]]);
    add_results(&g, n, members.at);
    place_columns(&g);
    find_reuse(&g);
    Program *p = e->pl->p;
    p->max_columns = g.capacity > p->max_columns ? g.capacity : p->max_columns;
    p->max_buffers = g.t->nbuffers > p->max_buffers ? g.t->nbuffers : p->max_buffers;
    map_free(&g.column);
    free(g.last);
    for (u32 i = 0; i < n && e->trace; i++)
        emit_traces_of(e, members.at[i]);
    vec_free(&members);
}

/* Which nodes somebody outside their group uses. */
void plan_outside(Emit *e)
{
    const Need *need = &e->need;
    e->outside = xcalloc(need->order.len + 1, sizeof *e->outside);
    for (u32 i = 0; i < need->order.len; i++)
        for (u32 k = 0; need->needed[i] && k < need->order.at[i]->nops; k++) {
            u32 p = need_place(need, need->order.at[i]->ops[k]);
            e->outside[p] = e->outside[p] || e->unit[p] != e->unit[i];
        }
}
