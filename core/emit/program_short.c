/* The steps of a fused group and its reductions over a last axis of a few elements as C: the
 * elements of a row one after the other, so that several rows become vectors.
 *
 * Invariant: so few elements are combined from the first to the last, as kernel_reduce does it. */
#include "emit/elem_text.h"
#include "emit/program_write.h"

enum { MOST = 15 }; /* elements of a row: 16 would be combined as lanes */

typedef struct {
    Text *c;
    const Tiles *t;
    u32 nin;
    i64 length;  /* of a row */
    DType *type; /* by operand; DT_COUNT: not read */
} Short;

static bool find_length(const Tiles *t, i64 *length)
{
    if (!t->nfolds || !t->repeat || t->over.count != 1)
        return false;
    const Type *x = t->folds[0].node->ops[0]->type;
    return t->over.first == x->rank - 1 && size_is_const(x->dims[t->over.first], length) &&
           *length > 1 && *length <= MOST;
}

/* Steps written as expressions, and no results but what is reduced. */
static bool is_short(const Wide *w, i64 *length)
{
    const Tiles *t = w->tiles;
    if (w->nin > SHORT_OPERANDS || t->nfolds > FUSED_REDUCTIONS || !find_length(t, length))
        return false;
    for (u32 k = 0; k < w->nout; k++)
        if (t->outs[k] != NO_REG)
            return false;
    for (u32 i = 0; i < t->nsteps; i++)
        if (tile_is_call(&t->steps[i]))
            return false;
    return true;
}

static void find_types(Short *s)
{
    for (u32 k = 0; k < s->nin; k++)
        s->type[k] = DT_COUNT;
    for (u32 i = 0; i < s->t->nsteps; i++)
        for (u32 k = 0; k < tile_arity(&s->t->steps[i]); k++)
            if (s->t->steps[i].arg[k] < s->nin)
                s->type[s->t->steps[i].arg[k]] = tile_arg_dtype(&s->t->steps[i], k);
    for (u32 i = 0; i < s->t->nfolds; i++)
        if (s->t->folds[i].arg < s->nin)
            s->type[s->t->folds[i].arg] = s->t->folds[i].from;
}

static bool is_array(const Short *s, u32 k) { return s->type[k] != DT_COUNT && s->t->size[k]; }

static void declare_operands(const Short *s)
{
    for (u32 k = 0; k < s->nin; k++) {
        if (s->type[k] == DT_COUNT)
            continue;
        const char *type = c_type(s->type[k]);
        if (is_array(s, k))
            text_printf(s->c, "    const %s *const c%u = (const void *)column[%u];\n", type, k, k);
        else
            text_printf(s->c, "    const %s v%u = *(const %s *)(const void *)column[%u];\n", type,
                        k, type, k);
    }
    for (u32 i = 0; i < s->t->nfolds; i++)
        text_printf(s->c, "    %s *const restrict s%u = (void *)sums[%u];\n",
                    c_type(s->t->folds[i].to), i, i);
}

static void write_element(const Short *s, i64 at)
{
    for (u32 k = 0; k < s->nin; k++)
        if (is_array(s, k))
            text_printf(s->c, "        const %s v%u = c%u[j * p%u + %lld * q%u];\n",
                        c_type(s->type[k]), k, k, k, (long long)at, k);
    for (u32 i = 0; i < s->t->nsteps; i++) {
        text_put(s->c, "        ");
        write_tile_value(s->c, &s->t->steps[i], s->nin + i);
    }
    for (u32 i = 0; i < s->t->nfolds; i++) {
        const TileFold *f = &s->t->folds[i];
        text_printf(s->c, "        { const %s e = ", c_type(f->to));
        put_fold_element(s->c, f);
        text_printf(s->c, at ? ", a = l%u; l%u = " : "; l%u = ", i, i);
        if (at)
            put_fold_combined(s->c, f);
        else
            text_put(s->c, "e");
        text_put(s->c, "; }\n");
    }
}

/* pK: elements from one row to the next, qK: to the next of a row. */
static void write_rows(const Short *s, u32 number)
{
    text_printf(s->c,
                "\nstatic inline __attribute__((always_inline)) void short_rows_%u(char *const "
                "*column, char *const *sums, i64 count",
                number);
    for (u32 k = 0; k < s->nin; k++)
        if (is_array(s, k))
            text_printf(s->c, ", const i64 p%u, const i64 q%u", k, k);
    text_put(s->c, ")\n{\n");
    declare_operands(s);
    text_put(s->c, "#pragma GCC ivdep\n    for (i64 j = 0; j < count; j++) {\n");
    for (u32 i = 0; i < s->t->nfolds; i++)
        text_printf(s->c, "        %s l%u;\n", c_type(s->t->folds[i].to), i);
    for (i64 at = 0; at < s->length; at++) {
        text_put(s->c, "        {\n");
        write_element(s, at);
        text_put(s->c, "        }\n");
    }
    for (u32 i = 0; i < s->t->nfolds; i++) /* a sum is never -0 */
        text_printf(s->c, "        s%u[j] = l%u%s;\n", i, i,
                    s->t->folds[i].op == RED_SUM ? " + 0" : "");
    text_put(s->c, "    }\n}\n");
}

/* With these distances between rows, which a compiler then knows; moving: a bit for each array
 * whose rows lie side by side, the others have one row for all. */
static void write_known(const Short *s, u32 number, const u32 *array, u32 n, u32 moving)
{
    text_put(s->c, "    if (");
    for (u32 i = 0; i < n; i++)
        text_printf(s->c, "%space[%u] == %lld && inside[%u] == 1", i ? " && " : "", array[i],
                    moving >> i & 1 ? (long long)s->length : 0, array[i]);
    text_printf(s->c, ") {\n        short_rows_%u(column, sums, count", number);
    for (u32 i = 0; i < n; i++)
        text_printf(s->c, ", %lld, 1", moving >> i & 1 ? (long long)s->length : 0);
    text_put(s->c, ");\n        return;\n    }\n");
}

static void write_function(const Short *s, u32 number)
{
    u32 array[SHORT_OPERANDS], n = 0;
    for (u32 k = 0; k < s->nin; k++)
        if (is_array(s, k))
            array[n++] = k;
    text_printf(s->c,
                "\nstatic void short_%u(char *const *column, const i64 *pace, const i64 *inside, "
                "char *const *sums, i64 count)\n{\n",
                number);
    for (u32 moving = 1; n <= 2 && moving < 1U << n; moving++)
        write_known(s, number, array, n, moving);
    text_printf(s->c, "    short_rows_%u(column, sums, count", number);
    for (u32 i = 0; i < n; i++)
        text_printf(s->c, ", pace[%u], inside[%u]", array[i], array[i]);
    text_put(s->c, ");\n}\n");
}

void write_short(Writer *w, const Wide *wide)
{
    DType type[SHORT_OPERANDS];
    Short s = {.c = &w->out->c, .t = wide->tiles, .nin = wide->nin, .type = type};
    if (!is_short(wide, &s.length))
        return;
    find_types(&s);
    write_rows(&s, w->out->shorts);
    write_function(&s, w->out->shorts++);
    vec_push(&w->out->slots, &wide->tiles->shorts);
}
