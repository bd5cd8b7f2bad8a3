/* The steps of a fused group as C, on the elements of a tile: what C can say in loops that
 * compilers make vectors of, array functions of the machine between them.
 *
 * Invariant: a result may take the memory of an operand where the machine lets it: steps that read
 * the operand stay before it. */
#include "emit/elem_text.h"
#include "emit/program_write.h"
#include "ops/fused.h"

enum {
    MOST_BUFFERS = 48, /* tiles on the stack */
    NEAR =
        16 * 1024, /* bytes: what of all columns is worked on at a time stays in the first cache */
    FEWEST = 128   /* elements, so that calls do not tell */
};

static ElemId id_of(const TileStep *s) { return (ElemId)((int)s->node->op - (int)OP_NEG); }

static const char *text_of(const TileStep *s, char *buffer, size_t size)
{
    i64 z;
    return elem_is_sure(s->node, &z) ? elem_sure_text(id_of(s), z)
                                     : elem_text(id_of(s), s->from, buffer, size);
}

bool tile_is_call(const TileStep *s)
{
    char buffer[128];
    return s->kind <= TILE_2 && !text_of(s, buffer, sizeof buffer);
}

u32 tile_arity(const TileStep *s) { return s->arg[1] == NO_REG ? 1 : s->arg[2] == NO_REG ? 2 : 3; }

/* ---- what comes when ---- */

static bool reads(const TileStep *s, u32 column)
{
    return s->arg[0] == column || s->arg[1] == column || s->arg[2] == column;
}

u8 tile_level(const TileText *g, u32 column)
{
    return !g->in            ? LEVEL_ELEMENT
           : column < g->nin ? g->in[column].level
                             : g->t->steps[column - g->nin].level;
}

static bool has_elements(const TileText *g, u32 at)
{
    return tile_level(g, g->nin + at) == LEVEL_ELEMENT;
}

bool tile_is_called(const TileText *g, u32 at)
{
    return tile_is_call(&g->t->steps[at]) && has_elements(g, at);
}

static const ElemComposite *composite_of(const TileStep *s)
{
    return s->kind == TILE_1 ? elem_composite(id_of(s), s->from) : NULL;
}

static bool in_parts(const TileText *g, u32 at)
{
    return g->parts && has_elements(g, at) && composite_of(&g->t->steps[at]);
}

/* Is its value one of a loop, not in memory before? */
static bool is_made_in_loop(const TileText *g, u32 at)
{
    return has_elements(g, at) && (!tile_is_called(g, at) || in_parts(g, at));
}

/* The first loop in which a step can be, or before which it can be called. */
static u32 first_loop(const TileText *g, u32 at)
{
    const TileStep *s = &g->t->steps[at];
    u32 loop = in_parts(g, at), taken = NO_REG;
    if (s->out != NO_REG && g->t->reuse)
        taken = g->t->reuse[s->out];
    for (u32 i = 0; i < at; i++) {
        if (!reads(s, g->nin + i) && (taken == NO_REG || !reads(&g->t->steps[i], taken)))
            continue;
        bool after = in_parts(g, at) || (tile_is_called(g, at) && is_made_in_loop(g, i));
        loop = g->loop[i] + after > loop ? g->loop[i] + after : loop;
    }
    return loop + (s->kind == TILE_FOLD);
}

/* A value is stored for other loops, for calls and for what reduces a row. */
static void find_stored(TileText *g, u32 at)
{
    const TileStep *s = &g->t->steps[at];
    bool memory = tile_is_call(s) || s->kind == TILE_FOLD;
    g->stored[at] = tile_is_call(s) && !in_parts(g, at);
    for (u32 k = 0; k < tile_arity(s); k++) {
        u32 from = s->arg[k] - g->nin;
        if (s->arg[k] >= g->nin && has_elements(g, from) &&
            (memory || g->loop[from] != g->loop[at]))
            g->stored[from] = true;
    }
}

/* z is the same for x and -x. */
static u32 without_sign(const TileText *g, u32 column)
{
    while (column >= g->nin && g->t->steps[column - g->nin].node->op == OP_NEG)
        column = g->t->steps[column - g->nin].arg[0];
    return column;
}

static u32 part_of_step(const TileText *g, u32 at)
{
    const TileStep *s = &g->t->steps[at], *all = g->t->steps;
    for (u32 i = 0; i < at; i++)
        if (g->part[i] == i + 1 && g->loop[i] <= g->loop[at] && all[i].from == s->from &&
            composite_of(&all[i]) == composite_of(s) &&
            without_sign(g, all[i].arg[0]) == without_sign(g, s->arg[0]))
            return i + 1;
    return at + 1;
}

static void find_loops(TileText *g)
{
    g->nloops = 1;
    for (u32 i = 0; i < g->t->nsteps; i++) {
        g->loop[i] = first_loop(g, i);
        g->nloops = g->loop[i] + 1 > g->nloops ? g->loop[i] + 1 : g->nloops;
        g->part[i] = in_parts(g, i) ? part_of_step(g, i) : 0;
        find_stored(g, i);
    }
}

void tile_text_open_rows(TileText *g, Writer *w, const Tiles *t, u32 nin, const SweepInput *in)
{
    *g = (TileText){.w = w, .t = t, .nin = nin, .in = in};
    g->loop = xcalloc((size_t)t->nsteps + 1, sizeof *g->loop);
    g->stored = xcalloc((size_t)t->nsteps + 1, 1);
    g->given = xcalloc((size_t)t->nsteps + 1, 1);
    g->part = xcalloc((size_t)t->nsteps + 1, sizeof *g->part);
    g->known = xcalloc((size_t)nin + t->nsteps + 1, sizeof *g->known);
    find_loops(g);
}

void tile_text_open(TileText *g, Writer *w, const Tiles *t, u32 nin)
{
    tile_text_open_rows(g, w, t, nin, NULL);
}

void tile_text_parts(TileText *g, int room)
{
    g->room = room;
    g->parts = true;
    find_loops(g);
}

void tile_text_close(TileText *g)
{
    free(g->loop);
    free(g->stored);
    free(g->given);
    free(g->known);
    free(g->part);
}

bool tile_calls(const TileText *g)
{
    for (u32 i = 0; i < g->t->nsteps; i++)
        if (tile_is_call(&g->t->steps[i]))
            return true;
    return false;
}

/* How many elements loops and calls between them work on at a time: the whole tile where there are
 * no calls, as nothing is stored then. */
static int room_of(const TileText *g)
{
    u32 columns = 0;
    if (!tile_calls(g))
        return (int)TILE;
    for (u32 i = 0; i < g->nin; i++)
        columns += g->t->size[i] != 0;
    for (u32 i = 0; i < g->t->nsteps; i++)
        columns += (u32)(g->stored[i] || g->given[i]) + (g->part[i] == i + 1);
    int n = NEAR / (8 * (int)columns) / 64 * 64;
    return n > (int)TILE ? (int)TILE : n < FEWEST ? FEWEST : n;
}

static bool arrange(TileText *g)
{
    const Tiles *t = g->t;
    u32 buffers = 0;
    for (u32 i = 0; i < t->nsteps; i++)
        g->given[i] = t->steps[i].out != NO_REG;
    for (u32 i = 0; i < t->nfolds; i++)
        if (t->folds[i].arg >= g->nin)
            g->given[t->folds[i].arg - g->nin] = true;
    for (u32 i = 0; i < t->nsinks; i++)
        for (u32 k = 0; k < 2; k++) {
            u32 column = k ? t->sinks[i].place : t->sinks[i].value;
            if (column != NO_REG && column >= g->nin)
                g->given[column - g->nin] = true;
        }
    for (u32 i = 0; i < t->nsteps; i++)
        buffers += (u32)(g->stored[i] && !g->given[i]) + (g->part[i] == i + 1);
    return buffers <= MOST_BUFFERS;
}

/* Elements from one of a row to the next. */
static i64 stride_of(const TileText *g, u32 column)
{
    i64 stride = g->repeat && column < g->nin ? tile_stride(g->t, column) : 0;
    return stride ? stride : 1;
}

/* Where the row at work of a column begins. */
static Word row_of(const TileText *g, u32 column)
{
    Word w = {""};
    if (g->repeat && (column >= g->nin || g->t->size[column] || g->repeat[column]))
        snprintf(w.at, sizeof w.at, " + q * pace[%u]", column);
    return w;
}

static void declare_operand(const TileText *g, u32 a, DType d, bool *seen)
{
    Text *c = &g->w->out->c;
    const char *type = c_type(d);
    if (a >= g->nin || seen[a])
        return;
    seen[a] = true;
    text_printf(c, "    const %s *const c%u = (const %s *)(const void *)column[%u]%s", type, a,
                type, a, row_of(g, a).at);
    if (g->t->size[a])
        text_printf(c, " + from * %lld;\n", (long long)stride_of(g, a));
    else
        text_printf(c, ", v%u = *c%u;\n", a, a);
}

void declare_tile_columns(const TileText *g)
{
    Text *c = &g->w->out->c;
    bool *seen = xcalloc((size_t)g->nin + 1, 1);
    for (u32 i = 0; i < g->t->nsteps; i++)
        for (u32 k = 0; k < tile_arity(&g->t->steps[i]); k++)
            declare_operand(g, g->t->steps[i].arg[k], tile_arg_dtype(&g->t->steps[i], k), seen);
    for (u32 i = 0; i < g->t->nfolds; i++)
        declare_operand(g, g->t->folds[i].arg, g->t->folds[i].from, seen);
    free(seen);
    for (u32 i = 0; i < g->t->nsteps; i++) {
        const char *type = c_type(g->t->steps[i].to);
        u32 k = g->nin + i;
        if (g->given[i])
            text_printf(c, "    %s *const c%u = (%s *)(void *)column[%u]%s + from;\n", type, k,
                        type, k, row_of(g, k).at);
        else if (g->stored[i])
            text_printf(c, "    %s c%u[%d];\n", type, k, g->room);
    }
}

/* ---- steps ---- */

static Word element_of(const TileText *g, u32 column)
{
    Word w = {"i"};
    if (stride_of(g, column) > 1)
        snprintf(w.at, sizeof w.at, "i * %lld", (long long)stride_of(g, column));
    if (g->row)
        snprintf(w.at, sizeof w.at, "i + %u * p%u", g->row, column);
    return w;
}

void read_tile_column(const TileText *g, u32 column, u32 loop, DType d)
{
    if (g->known[column] == loop + 1 || (column < g->nin && !g->t->size[column]))
        return;
    g->known[column] = loop + 1;
    text_printf(&g->w->out->c, "        const %s v%u = c%u[%s];\n", c_type(d), column, column,
                element_of(g, column).at);
}

static Word operand(const TileStep *s, u32 k)
{
    Word w;
    i64 z;
    snprintf(w.at, sizeof w.at, "v%u", s->arg[k]);
    if (k == 1 && elem_is_sure(s->node, &z))
        snprintf(w.at, sizeof w.at, "%lld",
                 (long long)z); /* gcc divides by numbers that it knows */
    return w;
}

void write_tile_value(Text *c, const TileStep *s, u32 column)
{
    char buffer[128];
    text_printf(c, "const %s v%u = ", c_type(s->to), column);
    if (s->kind == TILE_WHERE)
        text_printf(c, "v%u ? v%u : v%u", s->arg[0], s->arg[1], s->arg[2]);
    else if (s->kind == TILE_CAST)
        native_cast_put(c, s->from, s->to, operand(s, 0).at);
    else
        elem_put(c, text_of(s, buffer, sizeof buffer), s->from, operand(s, 0).at,
                 tile_arity(s) > 1 ? operand(s, 1).at : "");
    text_put(c, ";\n");
}

static bool is_tested(const TileText *g, u32 at)
{
    u32 out = g->t->steps[at].out;
    return g->tests && out != NO_REG && tile_tests(g->t, out);
}

void write_tile_step(const TileText *g, u32 at)
{
    Text *c = &g->w->out->c;
    const TileStep *s = &g->t->steps[at];
    u32 column = g->nin + at;
    for (u32 k = 0; k < tile_arity(s); k++)
        read_tile_column(g, s->arg[k], g->loop[at], tile_arg_dtype(s, k));
    g->known[column] = g->loop[at] + 1;
    text_put(c, "        ");
    if (g->told == at + 1)
        text_printf(c, "const u8 v%u = %d;\n", column, g->truth);
    else
        write_tile_value(c, s, column);
    if (is_tested(g, at))
        text_printf(c, "        t%u = v%u ? t%u : 0;\n", column, column, column);
    if (g->stored[at] || (g->given[at] && !is_tested(g, at)))
        text_printf(c, "        c%u[%s] = v%u;\n", column, element_of(g, column).at, column);
}

/* ---- functions in parts ---- */

static void declare_parts(const TileText *g)
{
    for (u32 i = 0; i < g->t->nsteps; i++)
        if (g->part[i] == i + 1)
            text_printf(&g->w->out->c, "    %s z%u[%d];\n", c_type(g->t->steps[i].from), i,
                        g->room);
}

/* At the end of the loop before the calls. */
static void write_before(const TileText *g, u32 at)
{
    Text *c = &g->w->out->c;
    const TileStep *s = &g->t->steps[at];
    read_tile_column(g, s->arg[0], g->loop[at] - 1, s->from);
    text_printf(c, "        z%u[i] = ", at);
    elem_put(c, composite_of(s)->before, s->from, operand(s, 0).at, "");
    text_put(c, ";\n");
}

static void write_part_calls(const TileText *g, u32 at)
{
    const TileStep *s = &g->t->steps[at];
    const ElemId *call = composite_of(s)->call;
    for (int k = 0; k < 2 && call[k] != EL_COUNT; k++)
        text_printf(&g->w->out->c, "    ((kernel1)T[%u])(n, z%u, z%u); /* %s */\n",
                    place_of_function(g->w, (AnyFunction)elem_fn1(call[k], s->from)), at, at,
                    elem_info(call[k])->name);
}

static void write_after(const TileText *g, u32 at)
{
    Text *c = &g->w->out->c;
    const TileStep *s = &g->t->steps[at];
    u32 column = g->nin + at, from = g->part[at] - 1;
    char z[16];
    snprintf(z, sizeof z, "z%u[i]", from);
    read_tile_column(g, s->arg[0], g->loop[at], s->from);
    g->known[column] = g->loop[at] + 1;
    text_printf(c, "        const %s v%u = ", c_type(s->to), column);
    elem_put(c, composite_of(s)->after, s->from, operand(s, 0).at, z);
    text_put(c, ";\n");
    if (g->stored[at] || g->given[at])
        text_printf(c, "        c%u[%s] = v%u;\n", column, element_of(g, column).at, column);
}

/* ---- loops and calls ---- */

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

static void write_calls(const TileText *g, u32 loop)
{
    for (u32 i = 0; i < g->t->nsteps; i++) {
        if (g->loop[i] != loop || !tile_is_call(&g->t->steps[i]))
            continue;
        if (!g->part[i])
            write_call(g, &g->t->steps[i]);
        else if (g->part[i] == i + 1)
            write_part_calls(g, i);
    }
}

/* What a step has in the loop: its value, what is called after it, or neither. */
static bool has_value(const TileText *g, u32 at, u32 loop)
{
    return g->loop[at] == loop && (g->part[at] || !tile_is_call(&g->t->steps[at]));
}

static bool has_before(const TileText *g, u32 at, u32 loop)
{
    return g->part[at] == at + 1 && g->loop[at] == loop + 1;
}

void write_tile_steps(const TileText *g, bool open)
{
    declare_parts(g);
    for (u32 loop = 0; loop < g->nloops; loop++) {
        bool last = open && loop + 1 == g->nloops, any = last;
        write_calls(g, loop);
        for (u32 i = 0; i < g->t->nsteps; i++)
            any = any || has_value(g, i, loop) || has_before(g, i, loop);
        if (!any)
            continue;
        write_tile_loop(g);
        for (u32 i = 0; i < g->t->nsteps; i++)
            if (has_value(g, i, loop))
                (g->part[i] ? write_after : write_tile_step)(g, i);
        for (u32 i = 0; i < g->t->nsteps; i++)
            if (has_before(g, i, loop))
                write_before(g, i);
        if (!last)
            text_put(&g->w->out->c, "    }\n");
    }
}

/* What array functions give is looked at after all steps. */
static void write_tests_of_calls(const TileText *g)
{
    for (u32 i = 0; i < g->t->nsteps; i++)
        if (is_tested(g, i) && tile_is_call(&g->t->steps[i]))
            text_printf(&g->w->out->c,
                        "    for (i64 i = 0; i < n; i++)\n        t%u = c%u[i] ? t%u : 0;\n",
                        g->nin + i, g->nin + i, g->nin + i);
}

static void write_tests(const TileText *g, bool begin)
{
    for (u32 i = 0; i < g->t->nsteps; i++)
        if (is_tested(g, i) && begin)
            text_printf(&g->w->out->c, "    i64 t%u = 1;\n", g->nin + i);
        else if (is_tested(g, i))
            text_printf(&g->w->out->c, "    *(u8 *)(void *)column[%u] = (u8)t%u;\n", g->nin + i,
                        g->nin + i);
}

static void write_elements(TileText *g)
{
    Text *c = &g->w->out->c;
    int room = g->room = room_of(g);
    write_tests(g, true);
    if (room == (int)TILE)
        text_put(c, "    {\n    const i64 from = 0, n = all;\n");
    else
        text_printf(c,
                    "    for (i64 from = 0; from < all; from += %d) {\n"
                    "    const i64 n = all - from < %d ? all - from : %d;\n",
                    room, room, room);
    declare_tile_columns(g);
    write_tile_steps(g, false);
    write_tests_of_calls(g);
    text_put(c, "    }\n");
    write_tests(g, false);
}

void write_tiles(Writer *w, const Wide *wide)
{
    TileText g;
    tile_text_open(&g, w, wide->tiles, wide->nin);
    g.tests = true;
    tile_text_parts(&g, (int)TILE);
    if (g.t->nsteps && arrange(&g)) {
        text_printf(&w->out->c,
                    "\nstatic void tiles_%u(void *const *T, char *const *column, i64 all)\n{\n",
                    w->out->tiles++);
        write_elements(&g);
        text_put(&w->out->c, "}\n");
        vec_push(&w->out->slots, &wide->tiles->native);
    }
    tile_text_close(&g);
}

/* ---- rows of operands that are smaller or have strides ---- */

/* Functions of arrays are called with arrays. */
static bool has_call_of_ones(const Tiles *t, u32 nin)
{
    for (u32 i = 0; i < t->nsteps; i++) {
        const TileStep *s = &t->steps[i];
        bool array = false;
        for (u32 k = 0; k < tile_arity(s); k++)
            array = array || s->arg[k] >= nin || t->size[s->arg[k]];
        if (tile_is_call(s) && !array)
            return true;
    }
    return false;
}

/* Calls take elements side by side: views that they read are put together, which the machine has to
 * know, too. */
static void drop_strides_of_calls(Tiles *t, u32 nin)
{
    for (u32 i = 0; t->stride && i < t->nsteps; i++)
        for (u32 k = 0; tile_is_call(&t->steps[i]) && k < tile_arity(&t->steps[i]); k++)
            if (t->steps[i].arg[k] < nin)
                t->stride[t->steps[i].arg[k]] = 0;
}

static void write_strided_group(TileText *g)
{
    Text *c = &g->w->out->c;
    text_printf(c,
                "\nstatic void strided_%u(void *const *T, char *const *column, const i64 *pace, "
                "i64 all, i64 count)\n{\n    for (i64 q = 0; q < count; q++)\n",
                g->w->out->strided++);
    write_elements(g);
    text_put(c, "}\n");
}

void write_strided(Writer *w, const Wide *wide)
{
    TileText g;
    if (!wide->tiles->repeat)
        return;
    drop_strides_of_calls(wide->tiles, wide->nin);
    Tiles t = *wide->tiles;
    t.size = xcalloc((size_t)wide->nin + 1, 1);
    for (u32 k = 0; k < wide->nin; k++)
        t.size[k] = t.repeat[k] == REPEAT_EACH ? 0 : wide->tiles->size[k];
    tile_text_open(&g, w, &t, wide->nin);
    g.repeat = t.repeat;
    tile_text_parts(&g, (int)TILE);
    if (t.nsteps && !has_call_of_ones(&t, wide->nin) && arrange(&g)) {
        write_strided_group(&g);
        vec_push(&w->out->slots, &wide->tiles->strided);
        wide->tiles->calls = tile_calls(&g);
    }
    tile_text_close(&g);
    free(t.size);
}
