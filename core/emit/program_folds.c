/* Reductions in loops over a row, as C.
 *
 * Invariant: operands are combined as kernels_reduce.c does it: a row in leaves, a leaf in lanes, the
 * lanes as a tree, what is left over at the end of a leaf one by one, then the leaves. Lanes begin
 * with what changes nothing. */
#include "emit/elem_text.h"
#include "emit/program_sweep.h"

enum { LANES = 16, DEPTH = 16 /* of leaves that wait for others */ };

static bool is_extreme(const SweepStep *s) { return s->op == RED_MIN || s->op == RED_MAX; }

bool fold_looks_again(const SweepStep *s)
{
    return s->reduces && is_extreme(s) && dtype_is_float(s->step.from);
}

/* Sums of integers wrap. */
static const char *type_of(const SweepStep *s)
{
    bool adds = s->op == RED_SUM || s->op == RED_PROD;
    return adds && !dtype_is_float(s->step.to) ? "u64" : c_type(s->step.to);
}

static const char *nothing(const SweepStep *s)
{
    static const char *const least[DT_COUNT] = {[DT_BOOL] = "0",
                                                [DT_I32] = "(-2147483647 - 1)",
                                                [DT_I64] = "(-9223372036854775807 - 1)",
                                                [DT_F32] = "-__builtin_inff()",
                                                [DT_F64] = "-__builtin_inf()"};
    static const char *const most[DT_COUNT] = {[DT_BOOL] = "1",
                                               [DT_I32] = "2147483647",
                                               [DT_I64] = "9223372036854775807",
                                               [DT_F32] = "__builtin_inff()",
                                               [DT_F64] = "__builtin_inf()"};
    switch (s->op) {
    case RED_SUM: return dtype_is_float(s->step.to) ? "-0.0" : "0";
    case RED_MIN: return most[s->step.from];
    case RED_MAX: return least[s->step.from];
    case RED_ANY: return "0";
    default: return "1"; /* a product, all */
    }
}

/* a = a and x, within a leaf. */
static void put_combine(Text *c, const SweepStep *s, const char *a, const char *x)
{
    switch (s->op) {
    case RED_SUM: text_printf(c, "%s = %s + (%s)%s;", a, a, type_of(s), x); return;
    case RED_PROD: text_printf(c, "%s = %s * (%s)%s;", a, a, type_of(s), x); return;
    case RED_MIN: text_printf(c, "%s = %s < %s ? %s : %s;", a, x, a, x, a); return;
    case RED_MAX: text_printf(c, "%s = %s > %s ? %s : %s;", a, x, a, x, a); return;
    case RED_ANY: text_printf(c, "%s = %s | (%s != 0);", a, a, x); return;
    default: text_printf(c, "%s = %s & (%s != 0);", a, a, x); return;
    }
}

void write_fold_helpers(Text *c)
{
    for (int wide = 0; wide < 2; wide++) {
        const char *type = wide ? "double" : "float", *d = wide ? "f64" : "f32";
        text_printf(c,
                    "static inline %s least_%s(%s a, %s b) { return b == a ? a == 0 ? -(-a - b) : a "
                    ": b < a || b != b ? b : a; }\n"
                    "static inline %s most_%s(%s a, %s b) { return b == a ? a == 0 ? a + b : a : b "
                    "> a || b != b ? b : a; }\n",
                    type, d, type, type, type, d, type, type);
    }
}

/* Of two leaves. */
static void put_join(Text *c, const SweepStep *s, const char *a, const char *x)
{
    if (fold_looks_again(s))
        text_printf(c, "%s = %s_%s(%s, %s);", a, s->op == RED_MIN ? "least" : "most",
                    dtype_name(s->step.from), a, x);
    else
        put_combine(c, s, a, x);
}

typedef void EachFold(const SweepText *t, const SweepStep *s, u32 column);

static void each_fold(const SweepText *t, u32 loop, EachFold *f)
{
    for (u32 i = 0; i < t->s->nsteps; i++)
        if (t->s->steps[i].reduces && sweep_in_loop(t, i, loop))
            f(t, &t->s->steps[i], t->s->nin + i);
}

/* ---- a leaf ---- */

static void open_row(const SweepText *t, const SweepStep *s, u32 column)
{
    text_printf(t->c, "        %s f%u[%d];\n", type_of(s), column, (int)DEPTH);
}

/* lK: lanes; nK: not 0 in those that have met a NaN. */
static void open_leaf(const SweepText *t, const SweepStep *s, u32 column)
{
    text_printf(t->c, "        %s l%u[%d];\n", type_of(s), column, (int)LANES);
    text_printf(t->c, "        for (int j = 0; j < %d; j++)\n            l%u[j] = %s;\n",
                (int)LANES, column, nothing(s));
    if (!fold_looks_again(s))
        return;
    text_printf(t->c, "        %s n%u[%d];\n", s->step.from == DT_F64 ? "i64" : "i32", column,
                (int)LANES);
    text_printf(t->c, "        for (int j = 0; j < %d; j++)\n            n%u[j] = 0;\n", (int)LANES,
                column);
}

static void take_lane(const SweepText *t, const SweepStep *s, u32 column)
{
    char lane[32], x[32];
    snprintf(lane, sizeof lane, "l%u[j]", column);
    snprintf(x, sizeof x, "v%u", s->step.arg[0]);
    text_put(t->c, "        ");
    put_combine(t->c, s, lane, x);
    text_putc(t->c, '\n');
    if (fold_looks_again(s))
        text_printf(t->c, "        n%u[j] |= -(%s)(%s != %s);\n", column,
                    s->step.from == DT_F64 ? "i64" : "i32", x, x);
}

static void close_lanes(const SweepText *t, const SweepStep *s, u32 column)
{
    char lane[32], other[32];
    snprintf(lane, sizeof lane, "l%u[j]", column);
    snprintf(other, sizeof other, "l%u[j + h]", column);
    text_printf(t->c,
                "        for (int h = %d; h > 0; h /= 2)\n            for (int j = 0; j < h; j++) {\n"
                "                ",
                LANES / 2);
    put_combine(t->c, s, lane, other);
    if (fold_looks_again(s))
        text_printf(t->c, "\n                n%u[j] |= n%u[j + h];", column, column);
    text_put(t->c, "\n            }\n");
    text_printf(t->c, "        %s a%u = l%u[0];\n", type_of(s), column, column);
    if (fold_looks_again(s))
        text_printf(t->c, "        int u%u = n%u[0] != 0;\n", column, column);
}

static void take_one(const SweepText *t, const SweepStep *s, u32 column)
{
    char a[32], x[32];
    snprintf(a, sizeof a, "a%u", column);
    snprintf(x, sizeof x, "v%u", s->step.arg[0]);
    text_put(t->c, "        ");
    put_combine(t->c, s, a, x);
    text_putc(t->c, '\n');
    if (fold_looks_again(s))
        text_printf(t->c, "        u%u |= %s != %s;\n", column, x, x);
}

/* A leaf of floats: NaN wins; of zeros -0 is the least. */
static void close_leaf(const SweepText *t, const SweepStep *s, u32 column)
{
    u32 x = s->step.arg[0];
    char a[32], one[32];
    if (fold_looks_again(s)) {
        text_printf(t->c,
                    "        for (i64 e = from; a%u == 0 && e < end; e++)\n"
                    "            if (p%u[e] == 0)\n                a%u = ",
                    column, x, column);
        text_printf(t->c, s->op == RED_MIN ? "-(-a%u - p%u[e]);\n" : "a%u + p%u[e];\n", column, x);
        text_printf(t->c, "        if (u%u)\n            a%u = __builtin_nan(\"\");\n", column,
                    column);
    }
    text_printf(t->c, "        f%u[top] = a%u;\n", column, column);
    text_printf(t->c,
                "        for (i64 joins = 0; joins < part[1]; joins++)\n            ");
    snprintf(a, sizeof a, "f%u[top - 1 - joins]", column);
    snprintf(one, sizeof one, "f%u[top - joins]", column);
    put_join(t->c, s, a, one);
    text_putc(t->c, '\n');
}

/* ---- a row ---- */

/* A peak is 0 where there is nothing to shift by (eval_peak). */
static void close_row(const SweepText *t, const SweepStep *s, u32 column)
{
    if (s->step.node->op != OP_PEAK) {
        text_printf(t->c, "        c%u[k] = f%u[0];\n", column, column);
        return;
    }
    text_printf(t->c, "        c%u[k] = f%u[0] != f%u[0] || f%u[0] == %s ? 0 : f%u[0];\n", column,
                column, column, column, nothing(s), column);
}

void write_folds(const SweepText *t, u32 loop)
{
    text_put(t->c, "        i64 e = 0, top = 0;\n");
    each_fold(t, loop, open_row);
    text_put(t->c, "        for (const i64 *part = leaves; *part; part += 2) {\n"
                   "        const i64 from = e, end = e + *part;\n");
    each_fold(t, loop, open_leaf);
    text_printf(t->c,
                "        i64 i = from;\n        for (; i + %d <= end; i += %d)\n"
                "#pragma GCC ivdep\n            for (int j = 0; j < %d; j++) {\n"
                "        const i64 e = i + j;\n",
                (int)LANES, (int)LANES, (int)LANES);
    write_sweep_body(t, loop);
    each_fold(t, loop, take_lane);
    text_put(t->c, "            }\n");
    each_fold(t, loop, close_lanes);
    text_put(t->c, "        for (e = i; e < end; e++) {\n");
    write_sweep_body(t, loop);
    each_fold(t, loop, take_one);
    text_put(t->c, "        }\n");
    each_fold(t, loop, close_leaf);
    text_put(t->c, "        top += 1 - part[1];\n        }\n");
    each_fold(t, loop, close_row);
}
