/* The steps of a fused group as C, on the elements of a tile: what C can say in loops that
 * compilers make vectors of, array functions of the machine between them.
 *
 * Invariant: steps stay in their order, so a result may take the memory of an operand where the
 * machine lets it. */
#include "emit/elem_text.h"
#include "emit/program_write.h"

enum { MOST_BUFFERS = 48 }; /* tiles on the stack */

typedef struct {
    Writer *w;
    const Wide *wide;
    const Tiles *t;
    u32 *loop;    /* by step: the loop it is in; of a call, that after it */
    bool *stored; /* by step: its values are read from memory */
    bool *given;  /* by step: into memory of the machine: a result, or what is reduced */
} Group;

static ElemId id_of(const TileStep *s) { return (ElemId)((int)s->node->op - (int)OP_NEG); }

static bool is_call(const TileStep *s)
{
    char buffer[128];
    return s->kind <= TILE_2 && !elem_text(id_of(s), s->from, buffer, sizeof buffer);
}

static u32 arity(const TileStep *s)
{
    return s->arg[1] == NO_REG ? 1 : s->arg[2] == NO_REG ? 2 : 3;
}

static DType arg_dtype(const TileStep *s, u32 k)
{
    return s->kind != TILE_WHERE ? s->from : k == 0 ? DT_BOOL : s->to;
}

/* ---- what is where ---- */

static bool arrange(Group *g)
{
    const Tiles *t = g->t;
    u32 nin = g->wide->nin, loop = 0, buffers = 0;
    for (u32 i = 0; i < t->nsteps; i++) {
        const TileStep *s = &t->steps[i];
        bool call = is_call(s);
        loop += call;
        g->loop[i] = loop;
        g->stored[i] = call;
        for (u32 k = 0; k < arity(s); k++) {
            u32 from = s->arg[k] - nin;
            if (s->arg[k] >= nin && (call || g->loop[from] != loop))
                g->stored[from] = true;
        }
        g->given[i] = s->out != NO_REG;
    }
    for (u32 i = 0; i < t->nfolds; i++)
        if (t->folds[i].arg >= nin)
            g->given[t->folds[i].arg - nin] = true;
    for (u32 i = 0; i < t->nsteps; i++)
        buffers += g->stored[i] && !g->given[i];
    return buffers <= MOST_BUFFERS;
}

static void declare_columns(const Group *g)
{
    Text *c = &g->w->out->c;
    u32 nin = g->wide->nin;
    bool *seen = xcalloc((size_t)nin + 1, 1);
    for (u32 i = 0; i < g->t->nsteps; i++) {
        const TileStep *s = &g->t->steps[i];
        for (u32 k = 0; k < arity(s); k++) {
            u32 a = s->arg[k];
            const char *type = c_type(arg_dtype(s, k));
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

static Word operand(const Group *g, const TileStep *s, u32 k)
{
    Word w;
    snprintf(w.at, sizeof w.at, "v%u", s->arg[k]);
    (void)g;
    return w;
}

/* In a loop each column is read once, where it is first needed. */
static void read_columns(const Group *g, u32 at, u32 first)
{
    u32 nin = g->wide->nin;
    const TileStep *s = &g->t->steps[at];
    for (u32 k = 0; k < arity(s); k++) {
        u32 a = s->arg[k];
        bool array = a < nin ? g->t->size[a] != 0
                             : g->loop[a - nin] != g->loop[at] || is_call(&g->t->steps[a - nin]);
        for (u32 i = first; i <= at && array; i++)
            for (u32 j = 0; j < (i < at ? arity(&g->t->steps[i]) : k); j++)
                array = array && g->t->steps[i].arg[j] != a;
        if (array)
            text_printf(&g->w->out->c, "        const %s v%u = c%u[i];\n", c_type(arg_dtype(s, k)),
                        a, a);
    }
}

static void write_step(const Group *g, u32 at)
{
    Text *c = &g->w->out->c;
    const TileStep *s = &g->t->steps[at];
    u32 column = g->wide->nin + at;
    char buffer[128];
    text_printf(c, "        const %s v%u = ", c_type(s->to), column);
    if (s->kind == TILE_WHERE)
        text_printf(c, "v%u ? v%u : v%u", s->arg[0], s->arg[1], s->arg[2]);
    else if (s->kind == TILE_CAST)
        cast_put(c, s->from, s->to, operand(g, s, 0).at);
    else
        elem_put(c, elem_text(id_of(s), s->from, buffer, sizeof buffer), s->from,
                 operand(g, s, 0).at, arity(s) > 1 ? operand(g, s, 1).at : "");
    text_put(c, ";\n");
    if (g->stored[at] || g->given[at])
        text_printf(c, "        c%u[i] = v%u;\n", column, column);
}

static void write_call(const Group *g, const TileStep *s)
{
    Text *c = &g->w->out->c;
    u32 nin = g->wide->nin;
    AnyFunction f = s->kind == TILE_1 ? (AnyFunction)s->f1 : (AnyFunction)s->f2;
    text_printf(c, "    ((kernel%d)T[%u])(n", s->kind == TILE_1 ? 1 : 2,
                place_of_function(g->w, f));
    for (u32 k = 0; k < arity(s); k++) {
        text_printf(c, ", c%u", s->arg[k]);
        if (s->kind == TILE_2)
            text_printf(c, ", %d", s->arg[k] >= nin || g->t->size[s->arg[k]]);
    }
    text_printf(c, ", c%u); /* %s */\n", nin + (u32)(s - g->t->steps), node_info(s->node)->name);
}

static void write_steps(const Group *g)
{
    const Tiles *t = g->t;
    Text *c = &g->w->out->c;
    for (u32 i = 0; i < t->nsteps;) {
        if (is_call(&t->steps[i])) {
            write_call(g, &t->steps[i++]);
            continue;
        }
        u32 first = i;
        text_put(c, "#pragma GCC ivdep\n    for (i64 i = 0; i < n; i++) {\n");
        for (; i < t->nsteps && !is_call(&t->steps[i]); i++) {
            read_columns(g, i, first);
            write_step(g, i);
        }
        text_put(c, "    }\n");
    }
}

void write_tiles(Writer *w, const Wide *wide, u32 number)
{
    u32 n = wide->tiles->nsteps;
    Group g = {.w = w, .wide = wide, .t = wide->tiles};
    g.loop = xcalloc((size_t)n + 1, sizeof *g.loop);
    g.stored = xcalloc((size_t)n + 1, 1);
    g.given = xcalloc((size_t)n + 1, 1);
    if (n && arrange(&g)) {
        text_printf(&w->out->c,
                    "\nstatic void tiles_%u(void *const *T, char *const *column, i64 n)\n{\n",
                    number);
        declare_columns(&g);
        write_steps(&g);
        text_put(&w->out->c, "}\n");
        vec_push(&w->out->slots, &wide->tiles->native);
        w->out->tiles++;
    }
    free(g.loop);
    free(g.stored);
    free(g.given);
}
