/* Steps of elementwise operations, and what groups of them have in common: columns, the tiles that
 * these are in, operands that are put together tile by tile. */
#include "exec/plan_work.h"

/* ---- steps ---- */

u32 tile_step_count(const Node *n)
{
    return !fused_elementwise(n) ? 0 : n->nops > 2 && n->op != OP_WHERE ? n->nops - 1 : 1;
}

static TileStep step_on(const Node *n, u32 nargs, const u32 *args)
{
    ElemId id = (ElemId)((int)n->op - (int)OP_NEG);
    TileStep s = {.node = n, .arg = {NO_REG, NO_REG, NO_REG}, .buffer = NO_REG, .out = NO_REG};
    s.from = node_dtype(n->ops[0]);
    s.to = node_dtype(n);
    memcpy(s.arg, args, nargs * sizeof *args);
    s.kind = n->op == OP_WHERE  ? TILE_WHERE
             : n->op == OP_CAST ? TILE_CAST
             : nargs == 1       ? TILE_1
                                : TILE_2;
    if (s.kind == TILE_1)
        s.f1 = elem_fn1(id, s.from);
    if (s.kind == TILE_2)
        s.f2 = elem_fn2(id, s.from);
    return s;
}

/* More than two operands become a chain, from left to right. */
void tile_steps_of(const Node *n, const u32 *columns, u32 first, TileStep *out)
{
    u32 used = n->nops < 2 ? 1 : n->op == OP_WHERE ? 3 : 2;
    *out = step_on(n, used, columns);
    for (u32 k = 2; out->kind == TILE_2 && k < n->nops; k++)
        out[k - 1] = step_on(n, 2, (u32[]){first + k - 2, columns[k]});
}

u32 wide_step_count(const Wide *w)
{
    return w->tiles ? w->tiles->nsteps : tile_step_count(w->node);
}

u32 wide_steps_of(const Wide *w, const u32 *columns, u32 first, TileStep *out)
{
    u32 count = wide_step_count(w);
    if (!w->tiles) {
        tile_steps_of(w->node, columns, first, out);
        return count;
    }
    for (u32 i = 0; i < count; i++) {
        out[i] = w->tiles->steps[i];
        out[i].out = out[i].buffer = NO_REG;
        for (u32 k = 0; k < 3; k++) {
            u32 *c = &out[i].arg[k];
            if (*c != NO_REG)
                *c = *c < w->nin ? columns[*c] : first + *c - w->nin;
        }
    }
    return count;
}

u32 wide_column(const Wide *w, u32 out, u32 first)
{
    return first + (w->tiles ? w->tiles->outs[out] : wide_step_count(w) - 1);
}

/* ---- tiles ---- */

u32 *tile_last_reads(const Tiles *t, u32 nin)
{
    u32 *last = xcalloc((size_t)nin + t->nsteps + 1, sizeof *last);
    for (u32 i = 0; i < t->nsteps; i++)
        for (u32 k = 0; k < 3; k++)
            if (t->steps[i].arg[k] != NO_REG)
                last[t->steps[i].arg[k]] = i;
    return last;
}

void tile_place_steps(Tiles *t, u32 nin, const u32 *last)
{
    VEC(u32) idle = {0};
    for (u32 i = 0; i < t->nsteps; i++) {
        TileStep *s = &t->steps[i];
        if (s->out == NO_REG && s->buffer == NO_REG)
            s->buffer = idle.len ? idle.at[--idle.len] : t->nbuffers++;
        for (u32 k = 0; k < 3; k++) { /* read for the last time: free from the next step on */
            u32 c = s->arg[k];
            bool again = (k > 0 && c == s->arg[0]) || (k > 1 && c == s->arg[1]);
            if (c != NO_REG && !again && c >= nin && last[c] == i &&
                t->steps[c - nin].buffer != NO_REG)
                vec_push(&idle, t->steps[c - nin].buffer);
        }
    }
    vec_free(&idle);
}

void plan_room(Planner *pl, u32 columns, u32 buffers)
{
    Program *p = pl->p;
    p->max_columns = columns > p->max_columns ? columns : p->max_columns;
    p->max_buffers = buffers > p->max_buffers ? buffers : p->max_buffers;
}

void tile_fill_operand(Planner *pl, Wide *w, u32 k, u8 how)
{
    Tiles *t = w->tiles;
    if (!t->repeat) {
        t->repeat = plan_alloc(pl, w->nin, 1);
        t->fill = plan_alloc(pl, w->nin, sizeof *t->fill);
    }
    t->repeat[k] = how;
    t->fill[k] = t->nbuffers++;
    for (u32 i = 0; i < w->nout; i++)
        if (t->reuse[i] == k)
            t->reuse[i] = NO_REG;
    plan_room(pl, w->nin + t->nsteps, t->nbuffers);
}
