/* What a tile of a fused group gives, put into arrays in order (exec/plan_sinks.c), as C: one loop
 * over the elements for all scatters and running sums, so that these do not wait for each other.
 *
 * Invariant: each has its elements in their order, and combines them as its kernel does. */
#include "emit/elem_text.h"
#include "emit/program_write.h"

static const Node *taken(const TileSink *s) { return s->node->ops[s->base == NO_REG ? 0 : 2]; }

/* What runs begins with what is added to a number without changing it; that of others is the first
 * element itself, for which the kernels are there. */
static bool can_write(const Tiles *t)
{
    for (u32 i = 0; i < t->nsinks; i++)
        if (t->sinks[i].base == NO_REG && t->sinks[i].node->op != OP_CUMSUM)
            return false;
    return t->nsinks > 0;
}

/* The first sink that goes to the same positions. */
static u32 first_there(const Tiles *t, u32 i)
{
    u32 k = 0;
    while (t->sinks[k].place != t->sinks[i].place)
        k++;
    return k;
}

static bool goes_first(const Tiles *t, u32 i)
{
    return t->sinks[i].base != NO_REG && first_there(t, i) == i;
}

static bool is_array(const Wide *w, const TileSink *s)
{
    return s->value >= w->nin || w->tiles->size[s->value];
}

static void declare(Text *c, const Wide *w, u32 i)
{
    const TileSink *s = &w->tiles->sinks[i];
    const char *of = c_type(node_dtype(taken(s))), *to = c_type(node_dtype(s->node));
    text_printf(c, "    const %s *const v%u = (const %s *)(const void *)value[%u];\n", of, i, of,
                i);
    text_printf(c, "    %s *const o%u = (%s *)(void *)out[%u];\n", to, i, to, i);
    if (s->base == NO_REG)
        text_printf(c, "    %s a%u = start ? 0 : o%u[-1];\n", to, i, i);
    else if (!is_array(w, s))
        text_printf(c, "    const %s e%u = *v%u;\n", to, i, i);
    if (goes_first(w->tiles, i)) {
        const char *index = c_type(node_dtype(s->node->ops[1]));
        text_printf(c, "    const %s *const p%u = (const %s *)place[%u];\n", index, i, index, i);
    }
}

/* All positions are looked at first: those counted from the end are left to the machine. */
static void write_look(Text *c, const Tiles *t)
{
    text_put(c, "    u64 bad = 0;\n");
    for (u32 i = 0; i < t->nsinks; i++) {
        if (!goes_first(t, i))
            continue;
        text_printf(c, "    for (i64 i = 0; i < n; i++)\n        bad |= (u64)(i64)p%u[i]", i);
        for (u32 k = i; k < t->nsinks; k++)
            if (t->sinks[k].place == t->sinks[i].place)
                text_printf(c, " | ((u64)sizes[%u] - 1 - (u64)(i64)p%u[i])", k, i);
        text_put(c, ";\n");
    }
    text_put(c, "    if (bad >> 63)\n        return 0;\n");
}

static void put_sum(Text *c, DType d, const char *a, const char *b)
{
    if (dtype_is_float(d))
        text_printf(c, "%s + %s", a, b);
    else
        text_printf(c, "(%s)((u64)%s + (u64)%s)", c_type(d), a, b);
}

static void put_stored(Text *c, StoreOp op, DType d, const char *x, const char *e)
{
    const char *more = op == STORE_MAX ? ">" : "<";
    if (op == STORE_SET)
        text_put(c, e);
    else if (d == DT_BOOL)
        text_printf(c, "%s %s %s", x, op == STORE_MIN ? "&" : "|", e);
    else if (op == STORE_ADD)
        put_sum(c, d, x, e);
    else
        text_printf(c, "%s %s %s || %s != %s ? %s : %s", e, more, x, e, e, e, x);
}

/* What is read, before anything is written that could lie there. */
static void write_reads(Text *c, const Wide *w, u32 i)
{
    const TileSink *s = &w->tiles->sinks[i];
    if (goes_first(w->tiles, i))
        text_printf(c, "        const i64 k%u = p%u[i];\n", i, i);
    if (is_array(w, s))
        text_printf(c, "        const %s e%u = v%u[i];\n", c_type(node_dtype(s->node)), i, i);
}

static void write_element(Text *c, const Tiles *t, u32 i)
{
    const TileSink *s = &t->sinks[i];
    DType d = node_dtype(s->node);
    Word a, e;
    snprintf(e.at, sizeof e.at, "e%u", i);
    if (s->base == NO_REG) {
        snprintf(a.at, sizeof a.at, "a%u", i);
        text_printf(c, "        o%u[i] = a%u = ", i, i);
        put_sum(c, d, a.at, e.at);
    } else {
        snprintf(a.at, sizeof a.at, "o%u[k%u]", i, first_there(t, i));
        text_printf(c, "        %s = ", a.at);
        put_stored(c, (StoreOp)s->node->attrs[1].i, d, a.at, e.at);
    }
    text_put(c, ";\n");
}

void write_feed(Writer *w, const Wide *wide)
{
    Text *c = &w->out->c;
    const Tiles *t = wide->tiles;
    if (!can_write(t))
        return;
    text_printf(c,
                "\nstatic int feed_%u(char *const *value, const void *const *place, "
                "const i64 *sizes, char *const *out, i64 n, int start)\n{\n",
                w->out->feeds++);
    for (u32 i = 0; i < t->nsinks; i++)
        declare(c, wide, i);
    write_look(c, t);
    text_put(c, "    for (i64 i = 0; i < n; i++) {\n");
    for (u32 i = 0; i < t->nsinks; i++)
        write_reads(c, wide, i);
    for (u32 i = 0; i < t->nsinks; i++)
        write_element(c, t, i);
    text_put(c, "    }\n    return 1;\n}\n");
    vec_push(&w->out->slots, &wide->tiles->feed);
}
