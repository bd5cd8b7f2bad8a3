/* A part that runs row by row as C: a few loops over a row that compilers make vectors of, what has
 * one value a row between them. What one loop leaves to another is in memory of the function, or
 * where a result is.
 *
 * Invariant: a step comes after what it reads; of loops, a step is in the first that it can be in.
 * A reduction takes its elements in the order of kernel_reduce (program_folds.c). */
#include "emit/program_sweep.h"

#include "emit/elem_text.h"

enum { ROOM = 1 << 20 /* bytes of the function's memory, at most */ };

static DType dtype_of(const SweepText *t, u32 column)
{
    const Sweep *s = t->s;
    return column < s->nin ? s->in[column].dtype : s->steps[column - s->nin].step.to;
}

static u8 level_of(const SweepText *t, u32 column)
{
    const Sweep *s = t->s;
    return column < s->nin ? s->in[column].level : s->steps[column - s->nin].level;
}

/* ---- what comes when ---- */

static bool is_call(const SweepStep *s) { return !s->reduces && tile_is_call(&s->step); }

/* The loop a step is in. What has one value a row is computed before the loop of its number; a
 * reduction in the loop before. */
static void find_loops(SweepText *t)
{
    const Sweep *s = t->s;
    for (u32 i = 0; i < s->nsteps; i++) {
        const SweepStep *step = &s->steps[i];
        bool call = is_call(step) && step->level == LEVEL_ELEMENT;
        u32 loop = 0;
        for (u32 k = 0; k < tile_arity(&step->step); k++) {
            u32 c = step->step.arg[k];
            if (c < s->nin)
                continue;
            const SweepStep *from = &s->steps[c - s->nin];
            u32 ready = t->loop[c - s->nin];
            ready += call && from->level == LEVEL_ELEMENT && !is_call(from);
            loop = ready > loop ? ready : loop;
        }
        t->loop[i] = loop + step->reduces;
        t->nloops = t->loop[i] + 1 > t->nloops ? t->loop[i] + 1 : t->nloops;
    }
}

static bool is_in_loop(const SweepText *t, u32 at, u32 loop)
{
    const SweepStep *s = &t->s->steps[at];
    return s->reduces ? t->loop[at] == loop + 1
                      : s->level == LEVEL_ELEMENT && !is_call(s) && t->loop[at] == loop;
}

static bool is_called_in(const SweepText *t, u32 at, u32 loop, u8 level)
{
    const SweepStep *s = &t->s->steps[at];
    return is_call(s) && s->level == level && t->loop[at] == loop;
}

/* ---- what is where ---- */

/* Values of elements that something else than their own loop reads. */
static void find_stored(SweepText *t)
{
    const Sweep *s = t->s;
    for (u32 i = 0; i < s->nsteps; i++) {
        const SweepStep *step = &s->steps[i];
        t->out[i] = NO_REG;
        t->stored[i] = is_call(step);
        for (u32 k = 0; k < tile_arity(&step->step); k++) {
            u32 c = step->step.arg[k];
            if (c < s->nin || s->steps[c - s->nin].level != LEVEL_ELEMENT)
                continue;
            if (is_call(step) || step->reduces || t->loop[c - s->nin] != t->loop[i])
                t->stored[c - s->nin] = true;
        }
    }
    for (u32 k = 0; k < s->nout; k++)
        t->out[s->out[k].column - s->nin] = k;
}

/* Twice the loop for what is called before it, one more for the loop: when a step runs. */
static u32 time_of(const SweepText *t, u32 at)
{
    const SweepStep *s = &t->s->steps[at];
    return 2 * (t->loop[at] - s->reduces) + (s->reduces || !is_call(s));
}

static u32 last_time(const SweepText *t, u32 column)
{
    u32 last = 0;
    for (u32 i = 0; i < t->s->nsteps; i++)
        for (u32 k = 0; k < tile_arity(&t->s->steps[i].step); k++)
            if (t->s->steps[i].step.arg[k] == column && time_of(t, i) > last)
                last = time_of(t, i);
    return last;
}

/* Is a called step all that still reads what is in a buffer? Then it gives its values there. */
static bool takes_over(const SweepText *t, u32 at, u32 buffer)
{
    const Sweep *s = t->s;
    u32 from = NO_REG;
    for (u32 k = 0; k < tile_arity(&s->steps[at].step); k++) {
        u32 c = s->steps[at].step.arg[k];
        if (c >= s->nin && t->stored[c - s->nin] && t->out[c - s->nin] == NO_REG &&
            s->steps[c - s->nin].level == LEVEL_ELEMENT && t->buffer[c - s->nin] == buffer)
            from = c;
    }
    if (from == NO_REG || !is_call(&s->steps[at]) || last_time(t, from) != time_of(t, at))
        return false;
    for (u32 i = 0; i < s->nsteps; i++)
        for (u32 k = 0; k < tile_arity(&s->steps[i].step); k++)
            if (s->steps[i].step.arg[k] == from && i != at && time_of(t, i) == time_of(t, at))
                return false;
    return true;
}

/* Memory for what is stored and is no result; what is read for the last time makes room. */
static bool place_buffers(SweepText *t)
{
    const Sweep *s = t->s;
    u32 *busy = xcalloc((size_t)s->nsteps + 1, sizeof *busy); /* by buffer: until when */
    size_t bytes = 0;
    for (u32 time = 0; time < 2 * t->nloops; time++)
        for (u32 i = 0; i < s->nsteps; i++) {
            if (!t->stored[i] || s->steps[i].level != LEVEL_ELEMENT || t->out[i] != NO_REG ||
                time_of(t, i) != time)
                continue;
            u32 k = 0;
            while (k < t->nbuffers &&
                   ((busy[k] >= time && !takes_over(t, i, k)) || t->type[k] != s->steps[i].step.to))
                k++;
            if (k == t->nbuffers) {
                t->type[t->nbuffers++] = s->steps[i].step.to;
                bytes += SWEEP_ROW * dtype_size(s->steps[i].step.to);
            }
            busy[k] = last_time(t, s->nin + i);
            t->buffer[i] = k;
        }
    free(busy);
    return bytes <= ROOM;
}

static void sweep_text_open(SweepText *t)
{
    size_t n = (size_t)t->s->nsteps + 1;
    t->loop = xcalloc(n, sizeof *t->loop);
    t->stored = xcalloc(n, sizeof *t->stored);
    t->out = xcalloc(n, sizeof *t->out);
    t->buffer = xcalloc(n, sizeof *t->buffer);
    t->type = xcalloc(n, sizeof *t->type);
    find_loops(t);
    find_stored(t);
}

static void sweep_text_close(SweepText *t)
{
    free(t->loop);
    free(t->stored);
    free(t->out);
    free(t->buffer);
    free(t->type);
}

/* ---- memory ---- */

/* cK of elements: where those of the first row at work are; of rows: where their values are; vK of
 * what is one value. */
static void declare_inputs(const SweepText *t)
{
    Text *c = t->c;
    for (u32 k = 0; k < t->s->nin; k++) {
        const SweepInput *in = &t->s->in[k];
        const char *type = c_type(in->dtype);
        if (in->level == LEVEL_ALL)
            text_printf(c, "    const %s *const c%u = (const void *)column[%u], v%u = *c%u;\n",
                        type, k, k, k, k);
        else
            text_printf(c, "    const %s *const c%u = (const %s *)column[%u]%s;\n", type, k, type,
                        k,
                        in->whole                ? ""
                        : in->level == LEVEL_ROW ? " + first"
                                                 : " + first * n");
    }
}

static void declare_steps(const SweepText *t)
{
    Text *c = t->c;
    for (u32 i = 0; i < t->s->nsteps; i++) {
        bool element = t->s->steps[i].level == LEVEL_ELEMENT;
        const char *type = c_type(t->s->steps[i].step.to);
        u32 column = t->s->nin + i;
        if (t->out[i] != NO_REG)
            text_printf(c, "    %s *const c%u = (%s *)column[%u] + first%s;\n", type, column, type,
                        t->s->nin + t->out[i], element ? " * n" : "");
        else if (!element)
            text_printf(c, "    %s c%u[%d];\n", type, column, (int)SWEEP_ROWS);
        else if (t->stored[i])
            text_printf(c, "    %s *const c%u = b%u;\n", type, column, t->buffer[i]);
    }
}

/* ---- calls ---- */

/* Its operand k as an argument and how far it is from one element to the next. */
static void put_argument(const SweepText *t, const SweepStep *s, u32 k, bool by_row)
{
    u32 c = s->step.arg[k];
    u8 level = level_of(t, c);
    bool each = level == s->level;
    if (level == LEVEL_ELEMENT && c < t->s->nin && t->s->in[c].whole)
        text_printf(t->c, ", c%u + (first + k) %% period[%u] * n", c, c);
    else if (by_row && level == LEVEL_ELEMENT)
        text_printf(t->c, ", c%u + k * n", c);
    else if (by_row && level == LEVEL_ROW)
        text_printf(t->c, ", c%u + k", c);
    else
        text_printf(t->c, ", c%u", c);
    if (s->step.kind == TILE_2)
        text_printf(t->c, ", %d", each);
}

static void write_call(const SweepText *t, u32 at)
{
    const SweepStep *s = &t->s->steps[at];
    AnyFunction f = s->step.kind == TILE_1 ? (AnyFunction)s->step.f1 : (AnyFunction)s->step.f2;
    bool by_row = false;
    for (u32 k = 0; k < tile_arity(&s->step) && s->level == LEVEL_ELEMENT; k++) {
        u32 c = s->step.arg[k];
        bool whole = c < t->s->nin && t->s->in[c].whole;
        by_row = by_row || whole || level_of(t, c) == LEVEL_ROW;
    }
    text_put(t->c, by_row ? "    for (i64 k = 0; k < m; k++)\n        " : "    ");
    text_printf(t->c, "((kernel%d)T[%u])(%s", s->step.kind == TILE_1 ? 1 : 2,
                place_of_function(t->w, f),
                by_row                      ? "n"
                : s->level == LEVEL_ELEMENT ? "m * n"
                                            : "m");
    for (u32 k = 0; k < tile_arity(&s->step); k++)
        put_argument(t, s, k, by_row);
    text_printf(t->c, ", c%u%s); /* %s */\n", t->s->nin + at, by_row ? " + k * n" : "",
                node_info(s->step.node)->name);
}

/* ---- one value a row ---- */

static void write_row_step(const SweepText *t, u32 at)
{
    const SweepStep *s = &t->s->steps[at];
    for (u32 k = 0; k < tile_arity(&s->step); k++) {
        u32 c = s->step.arg[k];
        bool again = (k > 0 && c == s->step.arg[0]) || (k > 1 && c == s->step.arg[1]);
        if (level_of(t, c) == LEVEL_ROW && !again)
            text_printf(t->c, "        const %s v%u = c%u[k];\n", c_type(dtype_of(t, c)), c, c);
    }
    text_put(t->c, "        ");
    write_tile_value(t->c, &s->step, t->s->nin + at);
    text_printf(t->c, "        c%u[k] = v%u;\n", t->s->nin + at, t->s->nin + at);
}

/* Those that are ready before the loop. */
static void write_row_steps(const SweepText *t, u32 loop)
{
    for (u32 i = 0; i < t->s->nsteps; i++) {
        const SweepStep *s = &t->s->steps[i];
        if (s->reduces || s->level == LEVEL_ELEMENT || t->loop[i] != loop)
            continue;
        if (is_call(s)) {
            write_call(t, i);
            continue;
        }
        text_put(t->c, "    for (i64 k = 0; k < m; k++) {\n");
        write_row_step(t, i);
        text_put(t->c, "    }\n");
    }
}

/* ---- loops over elements ---- */

/* Is a column read, or written, by a step of the loop? */
static bool touches(const SweepText *t, u32 column, u32 loop)
{
    if (column >= t->s->nin && is_in_loop(t, column - t->s->nin, loop))
        return t->s->steps[column - t->s->nin].level == LEVEL_ELEMENT;
    for (u32 i = 0; i < t->s->nsteps; i++)
        for (u32 k = 0; is_in_loop(t, i, loop) && k < tile_arity(&t->s->steps[i].step); k++)
            if (t->s->steps[i].step.arg[k] == column)
                return true;
    return false;
}

static bool is_in_memory(const SweepText *t, u32 column)
{
    u32 i = column - t->s->nin;
    return column < t->s->nin || t->stored[i] || t->out[i] != NO_REG;
}

/* pK: the row of elements; vK of a value that is one for the row. */
static void declare_row(const SweepText *t, u32 loop)
{
    for (u32 k = 0; k < t->s->nin + t->s->nsteps; k++) {
        u8 level = level_of(t, k);
        const char *type = c_type(dtype_of(t, k));
        if (!touches(t, k, loop) || level == LEVEL_ALL)
            continue;
        if (level == LEVEL_ROW)
            text_printf(t->c, "        const %s v%u = c%u[k];\n", type, k, k);
        else if (k < t->s->nin && t->s->in[k].whole)
            text_printf(t->c,
                        "        const %s *const p%u = c%u + (first + k) %% period[%u] * n;\n",
                        type, k, k, k);
        else if (is_in_memory(t, k))
            text_printf(t->c, "        %s%s *const p%u = c%u + k * n;\n",
                        k < t->s->nin ? "const " : "", type, k, k);
    }
}

static void write_body(const SweepText *t, u32 loop)
{
    for (u32 k = 0; k < t->s->nin + t->s->nsteps; k++)
        if (level_of(t, k) == LEVEL_ELEMENT && touches(t, k, loop) &&
            (k < t->s->nin || !is_in_loop(t, k - t->s->nin, loop)))
            text_printf(t->c, "        const %s v%u = p%u[i];\n", c_type(dtype_of(t, k)), k, k);
    for (u32 i = 0; i < t->s->nsteps; i++) {
        u32 column = t->s->nin + i;
        if (!is_in_loop(t, i, loop) || t->s->steps[i].reduces)
            continue;
        text_put(t->c, "        ");
        write_tile_value(t->c, &t->s->steps[i].step, column);
        if (is_in_memory(t, column))
            text_printf(t->c, "        p%u[i] = v%u;\n", column, column);
    }
}

static void write_loop(const SweepText *t, u32 loop)
{
    bool steps = false, folds = false;
    for (u32 i = 0; i < t->s->nsteps; i++) {
        bool in = is_in_loop(t, i, loop);
        steps = steps || (in && !t->s->steps[i].reduces);
        folds = folds || (in && t->s->steps[i].reduces);
    }
    if (!steps && !folds)
        return;
    text_put(t->c, "    for (i64 k = 0; k < m; k++) {\n");
    declare_row(t, loop);
    if (steps) {
        text_put(t->c, "#pragma GCC ivdep\n        for (i64 i = 0; i < n; i++) {\n");
        write_body(t, loop);
        text_put(t->c, "        }\n");
    }
    for (u32 i = 0; i < t->s->nsteps; i++)
        if (t->s->steps[i].reduces && is_in_loop(t, i, loop))
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
    SweepText t = {.w = w, .c = &w->out->c, .s = s};
    sweep_text_open(&t);
    bool ok = place_buffers(&t);
    if (ok) {
        open_function(&t, number);
        declare_inputs(&t);
        declare_steps(&t);
        for (u32 loop = 0; loop < t.nloops; loop++) {
            write_row_steps(&t, loop);
            for (u32 i = 0; i < s->nsteps; i++)
                if (is_called_in(&t, i, loop, LEVEL_ELEMENT))
                    write_call(&t, i);
            write_loop(&t, loop);
        }
        text_put(t.c, "    }\n}\n");
        vec_push(&w->out->slots, &s->native);
    }
    sweep_text_close(&t);
    return ok;
}
