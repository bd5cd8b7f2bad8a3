/* A loop over states that are put together from slices as C: a loop over the elements of each
 * part, row by row, which reads the state where it is and writes the state where it goes.
 *
 * Invariant: each element is computed by the operations of the steps in their order. */
#include "emit/elem_text.h"
#include "emit/program_write.h"

enum { AT_ONCE = 256 /* elements where array functions are called for them */ };

typedef struct {
    TileText g;
    const Block *b;
    const Shifts *s;
    const ShiftPart *p;
} PartText;

static DType result_dtype(const Block *b, u32 out)
{
    u32 index =
        out < b->nstates ? (u32)b->params[out].index : (u32)b->traces[out - b->nstates].index;
    return b->graph->outs[index]->type->dtype;
}

/* ---- a part ---- */

static void find_stored(PartText *t)
{
    TileText *g = &t->g;
    for (u32 k = 0; k < t->s->nouts; k++) {
        u32 c = t->p->out[k];
        if (c != NO_REG && c >= t->p->nin && g->loop[c - t->p->nin] + 1 < g->nloops)
            g->stored[c - t->p->nin] = true;
    }
}

static void declare_operands(const PartText *t)
{
    Text *c = &t->g.w->out->c;
    for (u32 k = 0; k < t->p->nin; k++) {
        u32 input = t->p->in[k].input;
        const char *type = c_type(lane_dtype(t->b, &t->s->in[input]));
        if (t->p->tiles.size[k])
            text_printf(c, "        const %s *const c%u = (const %s *)x%u + g + %lld + h * %lld;\n",
                        type, k, type, input, (long long)t->p->in[k].from,
                        (long long)t->p->in[k].pitch);
        else
            text_printf(c, "        const %s v%u = *(const %s *)x%u, *const c%u = &v%u;\n", type, k,
                        type, input, k, k);
    }
    for (u32 i = 0; i < t->p->tiles.nsteps; i++)
        if (t->g.stored[i])
            text_printf(c, "        %s c%u[%d];\n", c_type(t->p->tiles.steps[i].to), t->p->nin + i,
                        (int)AT_ONCE);
    for (u32 k = 0; k < t->s->nouts; k++)
        if (t->p->out[k] != NO_REG) {
            const char *type = c_type(result_dtype(t->b, k));
            text_printf(c, "        %s *const restrict d%u = (%s *)y%u + g + %lld + h * %lld;\n",
                        type, k, type, k, (long long)t->p->from, (long long)t->p->pitch);
        }
}

static void write_results(const PartText *t)
{
    Text *c = &t->g.w->out->c;
    for (u32 k = 0; k < t->s->nouts; k++)
        if (t->p->out[k] != NO_REG) {
            read_tile_column(&t->g, t->p->out[k], t->g.nloops - 1, result_dtype(t->b, k));
            text_printf(c, "        d%u[i] = v%u;\n", k, t->p->out[k]);
        }
    text_put(c, "    }\n");
}

static void write_part(Writer *w, const Block *b, const ShiftPart *p)
{
    PartText t = {.b = b, .s = b->shifts, .p = p};
    long long count = (long long)p->count;
    tile_text_open(&t.g, w, &p->tiles, p->nin);
    tile_text_parts(&t.g, (int)AT_ONCE);
    find_stored(&t);
    text_printf(&w->out->c, "        for (i64 h = 0; h < %lld; h++)\n", (long long)p->rows);
    if (tile_calls(&t.g))
        text_printf(&w->out->c,
                    "        for (i64 g = 0; g < %lld; g += %d) {\n"
                    "        const i64 n = %lld - g < %d ? %lld - g : %d;\n",
                    count, (int)AT_ONCE, count, (int)AT_ONCE, count, (int)AT_ONCE);
    else
        text_printf(&w->out->c, "        {\n        const i64 g = 0, n = %lld;\n", count);
    declare_operands(&t);
    write_tile_steps(&t.g, true);
    write_results(&t);
    text_put(&w->out->c, "        }\n");
    tile_text_close(&t.g);
}

/* ---- the function ---- */

/* Operands are x0, x1, ..; results y0, y1, .. */
static void declare(const Block *b, Text *c)
{
    const Shifts *s = b->shifts;
    for (u32 k = 0; k < s->nin; k++)
        text_printf(c, "    const char *x%u = %s[%u];\n", k, k < s->nstates ? "now" : "column", k);
    for (u32 k = 0; k < s->nouts; k++)
        if (k < s->nstates)
            text_printf(c, "    char *y%u = next[%u];\n", k, k);
        else
            text_printf(c, "    char *y%u = to[%u];\n", k, k - s->nstates);
}

static void advance(const Block *b, Text *c)
{
    const Shifts *s = b->shifts;
    for (u32 k = 0; k < s->nstates; k++)
        if (s->changes[k])
            text_printf(c, "        { char *const z = y%u; y%u = (char *)x%u; x%u = z; }\n", k, k,
                        k, k);
    for (u32 k = s->nstates; k < s->nin; k++)
        if (lane_is_sequence(b, s->in[k].param))
            text_printf(c, "        x%u += pace[%u];\n", k, k);
    for (u32 k = s->nstates; k < s->nouts; k++)
        text_printf(c, "        y%u += to_pace[%u];\n", k, k - s->nstates);
}

void write_shifts(Writer *w, Block *b)
{
    const Shifts *s = b->shifts;
    Text *c = &w->out->c;
    text_printf(c,
                "\nstatic void shifts_%u(void *const *T, char **now, char **next, char *const "
                "*column, const i64 *pace, char *const *to, const i64 *to_pace, i64 left)\n{\n",
                b->id);
    declare(b, c);
    text_put(c, "    for (; left > 0; left--) {\n");
    for (u32 i = 0; i < s->nparts; i++)
        write_part(w, b, &s->parts[i]);
    advance(b, c);
    text_put(c, "    }\n");
    for (u32 k = 0; k < s->nstates; k++)
        text_printf(c, "    now[%u] = (char *)x%u, next[%u] = y%u;\n", k, k, k, k);
    text_put(c, "}\n");
    vec_push(&w->out->slots, &b->shifts->native);
    vec_push(&w->out->blocks, b);
    vec_push(&w->out->heavy, b->heavy);
}
