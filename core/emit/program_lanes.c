/* A loop that mixes no lanes as C: a few lanes at once, whose states stay in variables of the
 * function from the first step to the last.
 *
 * Invariant: each element is computed by the operations of the steps in their order, whichever
 * lanes it is computed with. */
#include "emit/elem_text.h"
#include "emit/program_write.h"

enum {
    LANES = 32,        /* at once: what compilers keep in registers or next to them */
    LANES_BYTES = 64,  /* the same where some column has bytes: as many as a vector has of these */
    LANES_FEW = 8,     /* the same of what is left */
    LANES_CALLED = 256 /* where array functions are called for them */
};

typedef struct {
    TileText g;
    const Block *b;
    const Lanes *l;
    int lanes;
} LaneText;

/* ---- types ---- */

DType lane_dtype(const Block *b, const LaneInput *in)
{
    return in->param == NO_REG ? in->constant->dtype
                               : b->graph->params[b->params[in->param].index]->dtype;
}

static DType input_dtype(const LaneText *t, u32 k) { return lane_dtype(t->b, &t->l->in[k]); }

static DType column_dtype(const LaneText *t, u32 k)
{
    return k < t->l->nin ? input_dtype(t, k) : t->l->tiles.steps[k - t->l->nin].to;
}

static bool is_sequence(const LaneText *t, u32 k)
{
    return lane_is_sequence(t->b, t->l->in[k].param);
}

static bool changes(const LaneText *t, u32 state) { return t->l->next[state] != state; }

/* ---- around the steps ---- */

/* What a loop over lanes other than that of a step reads is stored. */
static void find_stored(LaneText *t)
{
    const Lanes *l = t->l;
    TileText *g = &t->g;
    for (u32 k = 0; k < t->b->ntraces + l->nstates; k++) {
        u32 c = k < t->b->ntraces ? l->trace[k] : l->next[k - t->b->ntraces];
        if (c >= l->nin && g->loop[c - l->nin] + 1 < g->nloops)
            g->stored[c - l->nin] = true;
    }
}

static void declare_states(const LaneText *t)
{
    Text *c = &t->g.w->out->c;
    for (u32 i = 0; i < t->l->nstates; i++) {
        const char *type = c_type(input_dtype(t, i));
        text_printf(c, "    %s c%u[%d];\n", type, i, t->lanes);
        text_printf(
            c, "    for (i64 i = 0; i < n; i++)\n        c%u[i] = ((%s *)column[%u])[g + i];\n", i,
            type, i);
    }
}

static void declare_rest(const LaneText *t)
{
    Text *c = &t->g.w->out->c;
    const Lanes *l = t->l;
    for (u32 k = l->nstates; k < l->nin; k++) {
        const char *type = c_type(input_dtype(t, k));
        if (is_sequence(t, k))
            text_printf(c, "    const char *p%u = column[%u];\n", k, k);
        else if (l->tiles.size[k])
            text_printf(c, "    const %s *const c%u = (const %s *)column[%u] + g;\n", type, k, type,
                        k);
        else
            text_printf(c, "    const %s v%u = *(const %s *)column[%u], *const c%u = &v%u;\n", type,
                        k, type, k, k, k);
    }
    for (u32 i = 0; i < l->tiles.nsteps; i++)
        if (t->g.stored[i])
            text_printf(c, "    %s c%u[%d];\n", c_type(l->tiles.steps[i].to), l->nin + i, t->lanes);
    for (u32 k = 0; k < t->b->ntraces; k++)
        text_printf(c, "    char *r%u = to[%u];\n", k, k);
}

/* Of the present step. */
static void declare_rows(const LaneText *t)
{
    Text *c = &t->g.w->out->c;
    for (u32 k = t->l->nstates; k < t->l->nin; k++) {
        const char *type = c_type(input_dtype(t, k));
        if (is_sequence(t, k) && t->l->tiles.size[k])
            text_printf(c, "    const %s *const c%u = (const %s *)p%u + g;\n", type, k, type, k);
        else if (is_sequence(t, k))
            text_printf(c, "    const %s v%u = *(const %s *)p%u, *const c%u = &v%u;\n", type, k,
                        type, k, k, k);
    }
    for (u32 k = 0; k < t->b->ntraces; k++) {
        const char *type = c_type(column_dtype(t, t->l->trace[k]));
        text_printf(c, "    %s *const restrict t%u = (%s *)r%u + g;\n", type, k, type, k);
    }
}

static void advance(const LaneText *t)
{
    Text *c = &t->g.w->out->c;
    for (u32 k = t->l->nstates; k < t->l->nin; k++)
        if (is_sequence(t, k))
            text_printf(c, "    p%u += pace[%u];\n", k, k);
    for (u32 k = 0; k < t->b->ntraces; k++)
        text_printf(c, "    r%u += to_pace[%u];\n", k, k);
}

/* At the end of the last loop of a step: rows, then all states at once. */
static void write_changes(const LaneText *t)
{
    Text *c = &t->g.w->out->c;
    const Lanes *l = t->l;
    u32 loop = t->g.nloops - 1;
    for (u32 i = 0; i < l->nstates; i++)
        if (changes(t, i))
            read_tile_column(&t->g, l->next[i], loop, column_dtype(t, l->next[i]));
    for (u32 k = 0; k < t->b->ntraces; k++) {
        read_tile_column(&t->g, l->trace[k], loop, column_dtype(t, l->trace[k]));
        text_printf(c, "        t%u[i] = v%u;\n", k, l->trace[k]);
    }
    for (u32 i = 0; i < l->nstates; i++)
        if (changes(t, i))
            text_printf(c, "        c%u[i] = v%u;\n", i, l->next[i]);
    text_put(c, "    }\n");
}

/* A group whose lanes are all done takes no more steps. */
static void test_done(const LaneText *t)
{
    if (t->l->done != NO_REG)
        text_printf(
            &t->g.w->out->c,
            "    u8 all = 1;\n    for (i64 i = 0; i < n; i++)\n        all &= c%u[i];\n    if "
            "(all) {\n        left--;\n        break;\n    }\n",
            t->l->done);
}

/* ---- functions ---- */

static const char parameters[] =
    "void *const *T, char *const *column, const i64 *pace, char *const "
    "*to, const i64 *to_pace";

/* All steps on n lanes from lane g on. */
static void write_group(const LaneText *t)
{
    Text *c = &t->g.w->out->c;
    text_printf(c,
                "\nstatic inline __attribute__((always_inline)) i64 group_%u(%s, i64 g, const i64 "
                "n, const i64 most)\n{\n    i64 left = most;\n",
                t->b->id, parameters);
    declare_states(t);
    declare_rest(t);
    text_put(c, "    for (; left > 0; left--) {\n");
    declare_rows(t);
    write_tile_steps(&t->g, true);
    write_changes(t);
    advance(t);
    test_done(t);
    text_put(c, "    }\n");
    for (u32 i = 0; i < t->l->nstates; i++)
        if (changes(t, i))
            text_printf(
                c, "    for (i64 i = 0; i < n; i++)\n        ((%s *)column[%u])[g + i] = c%u[i];\n",
                c_type(input_dtype(t, i)), i, i);
    text_put(c, "    return most - left;\n}\n");
}

static void write_function(const LaneText *t)
{
    Text *c = &t->g.w->out->c;
    static const char arguments[] = "T, column, pace, to, to_pace";
    text_printf(c, "\nstatic i64 lanes_%u(%s, i64 n, i64 left)\n{\n    i64 g = 0, most = 0, now;\n",
                t->b->id, parameters);
    for (int lanes = t->lanes; lanes;
         lanes = lanes == t->lanes && !tile_calls(&t->g) ? LANES_FEW : 0)
        text_printf(
            c,
            "    for (; g + %d <= n; g += %d, most = now > most ? now : most)\n        now = "
            "group_%u(%s, g, %d, left);\n",
            lanes, lanes, t->b->id, arguments, lanes);
    text_printf(
        c,
        "    now = g < n ? group_%u(%s, g, n - g, left) : 0;\n    return now > most ? now : "
        "most;\n}\n",
        t->b->id, arguments);
}

static bool has_bytes(const Lanes *l)
{
    for (u32 k = 0; k < l->nin; k++)
        if (l->tiles.size[k] == 1)
            return true;
    return false;
}

void write_lanes(Writer *w, Block *b)
{
    LaneText t = {.b = b, .l = b->lanes};
    tile_text_open(&t.g, w, &t.l->tiles, t.l->nin);
    t.lanes = tile_calls(&t.g) ? LANES_CALLED : has_bytes(t.l) ? LANES_BYTES : LANES;
    tile_text_parts(&t.g, t.lanes);
    find_stored(&t);
    write_group(&t);
    write_function(&t);
    tile_text_close(&t.g);
    vec_push(&w->out->slots, &b->lanes->native);
    vec_push(&w->out->blocks, b);
    vec_push(&w->out->heavy, b->heavy);
}
