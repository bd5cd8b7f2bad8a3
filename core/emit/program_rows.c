/* A part that runs row by row as C: a few loops over a row that compilers make vectors of, what has
 * one value a row between them. What one loop leaves to another is in memory of the function, or
 * where a result is.
 *
 * Invariant: a step comes after what it reads; of loops, a step is in the first that it can be in.
 * A reduction takes its elements in the order of kernel_reduce (program_folds.c). */
#include "emit/elem_text.h"
#include "emit/program_write.h"

enum { ROOM = 1 << 20 /* bytes of the function's memory, at most */ };

typedef struct {
    TileText g;
    Text *c;
    const Sweep *s;
    u32 *buffer; /* by step that is stored and no result */
    DType *type; /* by buffer */
    u32 nbuffers;
} SweepText;

static DType dtype_of(const SweepText *t, u32 column)
{
    return column < t->g.nin ? t->s->in[column].dtype : t->g.t->steps[column - t->g.nin].to;
}

static bool has_elements(const SweepText *t, u32 column)
{
    return tile_level(&t->g, column) == LEVEL_ELEMENT;
}

static bool is_whole(const SweepText *t, u32 column)
{
    return column < t->g.nin && t->s->in[column].whole;
}

static bool is_in_loop(const SweepText *t, u32 at, u32 loop)
{
    bool fold = t->g.t->steps[at].kind == TILE_FOLD;
    return t->g.loop[at] == loop + fold &&
           (fold || (has_elements(t, t->g.nin + at) && !tile_is_called(&t->g, at)));
}

/* ---- what is where ---- */

/* Twice the loop for what is called before it, one more for the loop: when a step runs. */
static u32 time_of(const SweepText *t, u32 at)
{
    const TileStep *s = &t->g.t->steps[at];
    return 2 * (t->g.loop[at] - (s->kind == TILE_FOLD)) + !tile_is_call(s);
}

static u32 last_time(const SweepText *t, u32 column)
{
    u32 last = 0;
    for (u32 i = 0; i < t->g.t->nsteps; i++)
        for (u32 k = 0; k < tile_arity(&t->g.t->steps[i]); k++)
            if (t->g.t->steps[i].arg[k] == column && time_of(t, i) > last)
                last = time_of(t, i);
    return last;
}

/* Of elements that are stored, and no result. */
static bool has_buffer(const SweepText *t, u32 at)
{
    return t->g.stored[at] && has_elements(t, t->g.nin + at) && !t->g.given[at];
}

/* Is a called step all that still reads what is in a buffer? Then it gives its values there. */
static bool takes_over(const SweepText *t, u32 at, u32 buffer)
{
    const TileStep *steps = t->g.t->steps;
    u32 from = NO_REG;
    for (u32 k = 0; k < tile_arity(&steps[at]); k++) {
        u32 c = steps[at].arg[k];
        if (c >= t->g.nin && has_buffer(t, c - t->g.nin) && t->buffer[c - t->g.nin] == buffer)
            from = c;
    }
    if (from == NO_REG || !tile_is_call(&steps[at]) || last_time(t, from) != time_of(t, at))
        return false;
    for (u32 i = 0; i < t->g.t->nsteps; i++)
        for (u32 k = 0; k < tile_arity(&steps[i]); k++)
            if (steps[i].arg[k] == from && i != at && time_of(t, i) == time_of(t, at))
                return false;
    return true;
}

/* What is read for the last time makes room. */
static bool place_buffers(SweepText *t)
{
    const TileStep *steps = t->g.t->steps;
    u32 *busy = xcalloc((size_t)t->g.t->nsteps + 1, sizeof *busy); /* by buffer: until when */
    size_t bytes = 0;
    for (u32 time = 0; time < 2 * t->g.nloops; time++)
        for (u32 i = 0; i < t->g.t->nsteps; i++) {
            if (!has_buffer(t, i) || time_of(t, i) != time)
                continue;
            u32 k = 0;
            while (k < t->nbuffers &&
                   ((busy[k] >= time && !takes_over(t, i, k)) || t->type[k] != steps[i].to))
                k++;
            if (k == t->nbuffers) {
                t->type[t->nbuffers++] = steps[i].to;
                bytes += SWEEP_ROW * dtype_size(steps[i].to);
            }
            busy[k] = last_time(t, t->g.nin + i);
            t->buffer[i] = k;
        }
    free(busy);
    return bytes <= ROOM;
}

static void sweep_text_open(SweepText *t, Writer *w)
{
    size_t n = (size_t)t->s->tiles.nsteps + 1;
    tile_text_open_rows(&t->g, w, &t->s->tiles, t->s->nin, t->s->in);
    t->buffer = xcalloc(n, sizeof *t->buffer);
    t->type = xcalloc(n, sizeof *t->type);
    for (u32 i = 0; i < t->g.t->nsteps; i++)
        t->g.given[i] = t->g.t->steps[i].out != NO_REG;
}

static void sweep_text_close(SweepText *t)
{
    tile_text_close(&t->g);
    free(t->buffer);
    free(t->type);
}

/* ---- memory ---- */

/* aK of elements: where those of the first row at work are; of rows: where their values are; vK of
 * what is one value. */
static void declare_inputs(const SweepText *t)
{
    Text *c = t->c;
    for (u32 k = 0; k < t->s->nin; k++) {
        const SweepInput *in = &t->s->in[k];
        const char *type = c_type(in->dtype);
        if (in->level == LEVEL_ALL)
            text_printf(c, "    const %s *const a%u = (const void *)column[%u], v%u = *a%u;\n",
                        type, k, k, k, k);
        else
            text_printf(c, "    const %s *const a%u = (const %s *)column[%u]%s;\n", type, k, type,
                        k,
                        in->whole                ? ""
                        : in->level == LEVEL_ROW ? " + first"
                                                 : " + first * n");
    }
}

static void declare_steps(const SweepText *t)
{
    Text *c = t->c;
    for (u32 i = 0; i < t->g.t->nsteps; i++) {
        u32 column = t->g.nin + i;
        bool element = has_elements(t, column);
        const char *type = c_type(t->g.t->steps[i].to);
        if (t->g.given[i])
            text_printf(c, "    %s *const a%u = (%s *)column[%u] + first%s;\n", type, column, type,
                        t->s->nin + t->g.t->steps[i].out, element ? " * n" : "");
        else if (!element)
            text_printf(c, "    %s a%u[%d];\n", type, column, (int)SWEEP_ROWS);
        else if (t->g.stored[i])
            text_printf(c, "    %s *const a%u = b%u;\n", type, column, t->buffer[i]);
    }
}

/* ---- calls ---- */

/* Column c as an argument of a step, and how far it is from one element to the next. */
static void put_argument(const SweepText *t, const TileStep *s, u32 c, bool by_row)
{
    u8 level = tile_level(&t->g, c);
    text_printf(t->c, ", a%u", c);
    if (is_whole(t, c))
        text_printf(t->c, " + (first + k) %% period[%u] * n", c);
    else if (by_row && level != LEVEL_ALL)
        text_put(t->c, level == LEVEL_ELEMENT ? " + k * n" : " + k");
    if (s->kind == TILE_2)
        text_printf(t->c, ", %d", level == s->level);
}

static void write_call(const SweepText *t, u32 at)
{
    const TileStep *s = &t->g.t->steps[at];
    AnyFunction f = s->kind == TILE_1 ? (AnyFunction)s->f1 : (AnyFunction)s->f2;
    bool element = s->level == LEVEL_ELEMENT, by_row = false;
    for (u32 k = 0; k < tile_arity(s) && element; k++)
        by_row = by_row || is_whole(t, s->arg[k]) || tile_level(&t->g, s->arg[k]) == LEVEL_ROW;
    text_put(t->c, by_row ? "    for (i64 k = 0; k < m; k++)\n        " : "    ");
    text_printf(t->c, "((kernel%d)T[%u])(%s", s->kind == TILE_1 ? 1 : 2,
                place_of_function(t->g.w, f),
                by_row    ? "n"
                : element ? "m * n"
                          : "m");
    for (u32 k = 0; k < tile_arity(s); k++)
        put_argument(t, s, s->arg[k], by_row);
    text_printf(t->c, ", a%u%s); /* %s */\n", t->g.nin + at, by_row ? " + k * n" : "",
                node_info(s->node)->name);
}

/* ---- one value a row ---- */

static void write_row_step(const SweepText *t, u32 at)
{
    const TileStep *s = &t->g.t->steps[at];
    u32 column = t->g.nin + at;
    text_put(t->c, "    for (i64 k = 0; k < m; k++) {\n");
    for (u32 k = 0; k < tile_arity(s); k++) {
        u32 c = s->arg[k];
        bool again = (k > 0 && c == s->arg[0]) || (k > 1 && c == s->arg[1]);
        if (tile_level(&t->g, c) == LEVEL_ROW && !again)
            text_printf(t->c, "        const %s v%u = a%u[k];\n", c_type(dtype_of(t, c)), c, c);
    }
    text_put(t->c, "        ");
    write_tile_value(t->c, s, column);
    text_printf(t->c, "        a%u[k] = v%u;\n    }\n", column, column);
}

/* What is ready before a loop, then what is called before it. */
static void write_before(const SweepText *t, u32 loop)
{
    for (int element = 0; element < 2; element++)
        for (u32 i = 0; i < t->g.t->nsteps; i++) {
            const TileStep *s = &t->g.t->steps[i];
            if (t->g.loop[i] != loop || s->kind == TILE_FOLD ||
                has_elements(t, t->g.nin + i) != element)
                continue;
            if (tile_is_call(s))
                write_call(t, i);
            else if (!element)
                write_row_step(t, i);
        }
}

/* ---- loops over elements ---- */

/* Is a column read, or written, by a step of the loop? */
static bool touches(const SweepText *t, u32 column, u32 loop)
{
    if (column >= t->g.nin && is_in_loop(t, column - t->g.nin, loop))
        return has_elements(t, column);
    for (u32 i = 0; i < t->g.t->nsteps; i++)
        for (u32 k = 0; is_in_loop(t, i, loop) && k < tile_arity(&t->g.t->steps[i]); k++)
            if (t->g.t->steps[i].arg[k] == column)
                return true;
    return false;
}

/* cK: the row of elements; vK of a value that is one for the row. */
static void declare_row(const SweepText *t, u32 loop)
{
    for (u32 k = 0; k < t->g.nin + t->g.t->nsteps; k++) {
        u8 level = tile_level(&t->g, k);
        const char *type = c_type(dtype_of(t, k));
        if (!touches(t, k, loop) || level == LEVEL_ALL)
            continue;
        if (level == LEVEL_ROW) {
            text_printf(t->c, "        const %s v%u = a%u[k];\n", type, k, k);
            t->g.known[k] = loop + 1;
        } else if (is_whole(t, k)) {
            text_printf(t->c,
                        "        const %s *const c%u = a%u + (first + k) %% period[%u] * n;\n",
                        type, k, k, k);
        } else if (k < t->g.nin || t->g.stored[k - t->g.nin] || t->g.given[k - t->g.nin]) {
            text_printf(t->c, "        %s%s *const c%u = a%u + k * n;\n",
                        k < t->g.nin ? "const " : "", type, k, k);
        }
    }
}

/* A peak is 0 where there is nothing to shift by (eval_peak). */
static void write_fold(const SweepText *t, u32 at)
{
    const TileStep *s = &t->g.t->steps[at];
    u32 column = t->g.nin + at;
    text_printf(t->c, "        a%u[k] = ", column);
    put_fold_name(t->c, s);
    text_printf(t->c, "(c%u, n, leaves);\n", s->arg[0]);
    if (s->node->op == OP_PEAK)
        text_printf(t->c,
                    "        a%u[k] = a%u[k] != a%u[k] || a%u[k] == -__builtin_inf() ? 0 : "
                    "a%u[k];\n",
                    column, column, column, column, column);
}

static void write_loop(const SweepText *t, u32 loop)
{
    bool steps = false, folds = false;
    for (u32 i = 0; i < t->g.t->nsteps; i++) {
        bool fold = t->g.t->steps[i].kind == TILE_FOLD, in = is_in_loop(t, i, loop);
        steps = steps || (in && !fold);
        folds = folds || (in && fold);
    }
    if (!steps && !folds)
        return;
    text_put(t->c, "    for (i64 k = 0; k < m; k++) {\n");
    declare_row(t, loop);
    if (steps)
        write_tile_loop(&t->g);
    for (u32 i = 0; i < t->g.t->nsteps; i++)
        if (is_in_loop(t, i, loop) && t->g.t->steps[i].kind != TILE_FOLD)
            write_tile_step(&t->g, i);
    text_put(t->c, steps ? "    }\n" : "");
    for (u32 i = 0; i < t->g.t->nsteps; i++)
        if (is_in_loop(t, i, loop) && t->g.t->steps[i].kind == TILE_FOLD)
            write_fold(t, i);
    text_put(t->c, "    }\n");
}

/* ---- functions ---- */

/* A few short rows at once, long ones one by one. */
static void open_function(const SweepText *t, u32 number)
{
    Text *c = t->c;
    text_printf(
        c,
        "\nstatic void rows_%u(void *const *T, char *const *column, const i64 *period, const "
        "i64 *leaves, i64 n, i64 first, i64 to)\n{\n",
        number);
    for (u32 k = 0; k < t->nbuffers; k++)
        text_printf(c, "    %s b%u[%d] __attribute__((aligned(64)));\n", c_type(t->type[k]), k,
                    (int)SWEEP_ROW);
    text_printf(c, "    const i64 few = %d / n, most = few < 1 ? 1 : few < %d ? few : %d;\n",
                (int)TILE, (int)SWEEP_ROWS, (int)SWEEP_ROWS);
    text_put(c, "    for (; first < to; first += most) {\n"
                "    const i64 m = most < to - first ? most : to - first;\n");
}

bool write_sweep(Writer *w, Sweep *s, u32 number)
{
    SweepText t = {.c = &w->out->c, .s = s};
    sweep_text_open(&t, w);
    bool ok = place_buffers(&t);
    if (ok) {
        open_function(&t, number);
        declare_inputs(&t);
        declare_steps(&t);
        for (u32 loop = 0; loop < t.g.nloops; loop++) {
            write_before(&t, loop);
            write_loop(&t, loop);
        }
        text_put(t.c, "    }\n}\n");
        vec_push(&w->out->slots, &s->native);
    }
    sweep_text_close(&t);
    return ok;
}
