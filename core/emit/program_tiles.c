/* The steps of a fused group as C, on the elements of a tile: what C can say in loops that
 * compilers make vectors of, array functions of the machine between them.
 *
 * Invariant: steps stay in their order, so a result may take the memory of an operand where the
 * machine lets it. */
#include "emit/elem_text.h"
#include "emit/program_write.h"

enum { MOST_BUFFERS = 48 }; /* tiles on the stack */

static ElemId id_of(const TileStep *s) { return (ElemId)((int)s->node->op - (int)OP_NEG); }

static bool is_call(const TileStep *s)
{
    char buffer[128];
    return s->kind <= TILE_2 && !elem_text(id_of(s), s->from, buffer, sizeof buffer);
}

bool tile_is_call(const TileStep *s) { return is_call(s); }

u32 tile_arity(const TileStep *s) { return s->arg[1] == NO_REG ? 1 : s->arg[2] == NO_REG ? 2 : 3; }

DType tile_arg_dtype(const TileStep *s, u32 k)
{
    return s->kind != TILE_WHERE ? s->from : k == 0 ? DT_BOOL : s->to;
}

/* ---- what is where ---- */

void tile_text_open(TileText *g, Writer *w, const Tiles *t, u32 nin)
{
    u32 loop = 0;
    *g = (TileText){.w = w, .t = t, .nin = nin};
    g->loop = xcalloc((size_t)t->nsteps + 1, sizeof *g->loop);
    g->stored = xcalloc((size_t)t->nsteps + 1, 1);
    g->given = xcalloc((size_t)t->nsteps + 1, 1);
    g->known = xcalloc((size_t)nin + t->nsteps + 1, sizeof *g->known);
    for (u32 i = 0; i < t->nsteps; i++) {
        const TileStep *s = &t->steps[i];
        bool call = is_call(s);
        loop += call;
        g->loop[i] = loop;
        g->stored[i] = call;
        for (u32 k = 0; k < tile_arity(s); k++) {
            u32 from = s->arg[k] - nin;
            if (s->arg[k] >= nin && (call || g->loop[from] != loop))
                g->stored[from] = true;
        }
    }
    g->nloops = loop + 1;
}

void tile_text_close(TileText *g)
{
    free(g->loop);
    free(g->stored);
    free(g->given);
    free(g->known);
}

bool tile_calls(const TileText *g) { return g->nloops > 1; }

static bool arrange(TileText *g)
{
    const Tiles *t = g->t;
    u32 buffers = 0;
    for (u32 i = 0; i < t->nsteps; i++)
        g->given[i] = t->steps[i].out != NO_REG;
    for (u32 i = 0; i < t->nfolds; i++)
        if (t->folds[i].arg >= g->nin)
            g->given[t->folds[i].arg - g->nin] = true;
    for (u32 i = 0; i < t->nsteps; i++)
        buffers += g->stored[i] && !g->given[i];
    return buffers <= MOST_BUFFERS;
}

static void declare_columns(const TileText *g)
{
    Text *c = &g->w->out->c;
    u32 nin = g->nin;
    bool *seen = xcalloc((size_t)nin + 1, 1);
    for (u32 i = 0; i < g->t->nsteps; i++) {
        const TileStep *s = &g->t->steps[i];
        for (u32 k = 0; k < tile_arity(s); k++) {
            u32 a = s->arg[k];
            const char *type = c_type(tile_arg_dtype(s, k));
            if (a >= nin || seen[a])
                continue;
            seen[a] = true;
            text_printf(c, "    const %s *const c%u = (const void *)column[%u];\n", type, a, a);
            if (!g->t->size[a])
                text_printf(c, "    const %s v%u = *c%u;\n", type, a, a);
        }
    }
    free(seen);
    for (u32 i = 0; i < g->t->nsteps; i++) {
        const char *type = c_type(g->t->steps[i].to);
        if (g->given[i])
            text_printf(c, "    %s *const c%u = (void *)column[%u];\n", type, nin + i, nin + i);
        else if (g->stored[i])
            text_printf(c, "    %s c%u[%d];\n", type, nin + i, (int)TILE);
    }
}

/* ---- steps ---- */

void read_tile_column(const TileText *g, u32 column, u32 loop, DType d)
{
    if (g->known[column] == loop + 1 || (column < g->nin && !g->t->size[column]))
        return;
    g->known[column] = loop + 1;
    text_printf(&g->w->out->c, "        const %s v%u = c%u[i];\n", c_type(d), column, column);
}

static Word operand(const TileStep *s, u32 k)
{
    Word w;
    snprintf(w.at, sizeof w.at, "v%u", s->arg[k]);
    return w;
}

void write_tile_value(Text *c, const TileStep *s, u32 column)
{
    char buffer[128];
    text_printf(c, "const %s v%u = ", c_type(s->to), column);
    if (s->kind == TILE_WHERE)
        text_printf(c, "v%u ? v%u : v%u", s->arg[0], s->arg[1], s->arg[2]);
    else if (s->kind == TILE_CAST)
        cast_put(c, s->from, s->to, operand(s, 0).at);
    else
        elem_put(c, elem_text(id_of(s), s->from, buffer, sizeof buffer), s->from, operand(s, 0).at,
                 tile_arity(s) > 1 ? operand(s, 1).at : "");
    text_put(c, ";\n");
}

static void write_step(const TileText *g, u32 at)
{
    Text *c = &g->w->out->c;
    const TileStep *s = &g->t->steps[at];
    u32 column = g->nin + at;
    for (u32 k = 0; k < tile_arity(s); k++)
        read_tile_column(g, s->arg[k], g->loop[at], tile_arg_dtype(s, k));
    g->known[column] = g->loop[at] + 1;
    text_put(c, "        ");
    write_tile_value(c, s, column);
    if (g->stored[at] || g->given[at])
        text_printf(c, "        c%u[i] = v%u;\n", column, column);
}

static void write_call(const TileText *g, const TileStep *s)
{
    Text *c = &g->w->out->c;
    u32 nin = g->nin;
    AnyFunction f = s->kind == TILE_1 ? (AnyFunction)s->f1 : (AnyFunction)s->f2;
    text_printf(c, "    ((kernel%d)T[%u])(n", s->kind == TILE_1 ? 1 : 2,
                place_of_function(g->w, f));
    for (u32 k = 0; k < tile_arity(s); k++) {
        text_printf(c, ", c%u", s->arg[k]);
        if (s->kind == TILE_2)
            text_printf(c, ", %d", s->arg[k] >= nin || g->t->size[s->arg[k]] != 0);
    }
    text_printf(c, ", c%u); /* %s */\n", nin + (u32)(s - g->t->steps), node_info(s->node)->name);
}

void write_tile_loop(const TileText *g)
{
    text_put(&g->w->out->c, "#pragma GCC ivdep\n    for (i64 i = 0; i < n; i++) {\n");
}

void write_tile_steps(const TileText *g, bool open)
{
    const Tiles *t = g->t;
    bool in_loop = false;
    for (u32 i = 0; i < t->nsteps; i++) {
        bool call = is_call(&t->steps[i]);
        if (in_loop && call)
            text_put(&g->w->out->c, "    }\n");
        if (!in_loop && !call)
            write_tile_loop(g);
        in_loop = !call;
        if (call)
            write_call(g, &t->steps[i]);
        else
            write_step(g, i);
    }
    if (open && !in_loop)
        write_tile_loop(g);
    if (in_loop && !open)
        text_put(&g->w->out->c, "    }\n");
}

void write_tiles(Writer *w, const Wide *wide, u32 number)
{
    TileText g;
    tile_text_open(&g, w, wide->tiles, wide->nin);
    if (g.t->nsteps && arrange(&g)) {
        text_printf(&w->out->c,
                    "\nstatic void tiles_%u(void *const *T, char *const *column, i64 n)\n{\n",
                    number);
        declare_columns(&g);
        write_tile_steps(&g, false);
        text_put(&w->out->c, "}\n");
        vec_push(&w->out->slots, &wide->tiles->native);
        w->out->tiles++;
    }
    tile_text_close(&g);
}
