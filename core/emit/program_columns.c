/* The steps of a fused group and its reductions over others than the last axes as C: each row onto
 * a row of accumulators, in vectors, without an array in between.
 *
 * Invariant: an element is combined as reduce_rows does it (tensor/kernels.h), so both engines give
 * the same bits. */
#include "emit/elem_text.h"
#include "emit/program_write.h"

/* A lane has 16 rows at most: half of them are combined before they go to memory, if the steps are
 * few. */
enum { ROWS = 8, MANY_STEPS = 12 };

static bool is_by_columns(const Tiles *t)
{
    const TileFold *f = t->folds;
    return t->nfolds && t->nsteps && t->over.first + t->over.count < node_rank(f->node->ops[0]);
}

/* ---- rows ---- */

void put_fold_element(Text *c, const TileFold *f)
{
    char value[24];
    snprintf(value, sizeof value, "v%u", f->arg);
    if (f->op == RED_ANY || f->op == RED_ALL)
        text_printf(c, "(%s != 0)", value);
    else
        native_cast_put(c, f->from, f->to, value);
}

void put_fold_combined(Text *c, const TileFold *f)
{
    static const ElemId as[] = {
        [RED_SUM] = EL_ADD, [RED_PROD] = EL_MUL, [RED_MIN] = EL_MINIMUM, [RED_MAX] = EL_MAXIMUM};
    char buffer[128];
    if (f->op == RED_ANY || f->op == RED_ALL) {
        text_put(c, f->op == RED_ANY ? "a | e" : "a & e");
        return;
    }
    bool extreme = f->op == RED_MIN || f->op == RED_MAX; /* the later NaN wins */
    elem_put(c, elem_text(as[f->op], f->to, buffer, sizeof buffer), f->to, extreme ? "e" : "a",
             extreme ? "a" : "e");
}

/* Steps and reductions of one row; `start`: onto nothing. */
static void write_row(TileText *g, u32 row, bool start)
{
    Text *c = &g->w->out->c;
    const Tiles *t = g->t;
    g->row = row;
    memset(g->known, 0, ((size_t)g->nin + t->nsteps) * sizeof *g->known);
    text_put(c, "        {\n");
    for (u32 i = 0; i < t->nsteps; i++)
        write_tile_step(g, i);
    for (u32 i = 0; i < t->nfolds; i++) {
        const TileFold *f = &t->folds[i];
        const char *type = c_type(f->to);
        read_tile_column(g, f->arg, 0, f->from);
        text_printf(c, "        { const %s e = ", type);
        put_fold_element(c, f);
        if (start)
            text_printf(c, "; b%u = e%s; }\n", i, f->op == RED_SUM ? " + 0" : ""); /* never -0 */
        else {
            text_printf(c, ", a = b%u; b%u = ", i, i);
            put_fold_combined(c, f);
            text_put(c, "; }\n");
        }
    }
    text_put(c, "        }\n");
    g->row = 0;
}

/* So many rows from row q on. */
static void write_rows(TileText *g, u32 rows, bool start)
{
    Text *c = &g->w->out->c;
    const Tiles *t = g->t;
    declare_tile_columns(g);
    write_tile_loop(g);
    for (u32 i = 0; i < t->nfolds; i++)
        text_printf(c, start ? "        %s b%u;\n" : "        %s b%u = s%u[i];\n",
                    c_type(t->folds[i].to), i, i);
    for (u32 row = 0; row < rows; row++)
        write_row(g, row, start && !row);
    for (u32 i = 0; i < t->nfolds; i++)
        text_printf(c, "        s%u[i] = b%u;\n", i, i);
    text_put(c, "    }\n");
}

static void write_start(TileText *g, u32 rows)
{
    Text *c = &g->w->out->c;
    text_printf(c, "    if (start && count >= %u) {\n", rows);
    write_rows(g, rows, true);
    text_printf(c, "    q = %u;\n    start = 0;\n    }\n", rows);
}

static void write_function(TileText *g, u32 number)
{
    Text *c = &g->w->out->c;
    text_printf(c,
                "\nstatic void columns_%u(void *const *T, char *const *column, const i64 *pace, "
                "char *const *sums, i64 n, i64 count, int start)\n{\n"
                "    const i64 from = 0;\n    i64 q = 0;\n",
                number);
    for (u32 k = 0; k < g->nin + g->t->nsteps; k++)
        text_printf(c, "    const i64 p%u = pace[%u];\n", k, k);
    for (u32 i = 0; i < g->t->nfolds; i++)
        text_printf(c, "    %s *const restrict s%u = (void *)sums[%u];\n",
                    c_type(g->t->folds[i].to), i, i);
    if (g->t->nsteps <= MANY_STEPS)
        write_start(g, ROWS);
    write_start(g, 1);
    text_put(c, "    for (; q < count; q++) {\n");
    write_rows(g, 1, false);
    text_put(c, "    }\n}\n");
}

void write_columns(Writer *w, const Wide *wide)
{
    Tiles *t = wide->tiles;
    TileText g;
    if (!is_by_columns(t))
        return;
    tile_text_open(&g, w, t, wide->nin);
    if (!tile_calls(&g)) {
        u8 *repeat = xcalloc((size_t)wide->nin + 1, 1);
        for (u32 i = 0; i < t->nsteps; i++)
            g.given[i] = t->steps[i].out != NO_REG;
        g.repeat = repeat;
        write_function(&g, w->out->columns++);
        vec_push(&w->out->slots, &t->columns);
        free(repeat);
    }
    tile_text_close(&g);
}
