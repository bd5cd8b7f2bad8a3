/* Reductions of a row that is in memory, as C: a function for each that is needed.
 *
 * Invariant: the operands are combined as kernels_reduce.c combines them. Where the order tells
 * (sums and products of floats), a row goes in the same parts, a part in as many lanes, the lanes
 * as a tree, what is left over one by one, then the parts; else in any order. */
#include "emit/elem_text.h"
#include "emit/program_write.h"

static const char head[] =
    /* sums and products of floats */
    "#define ORDERED(NAME, T, OP, FIRST) \\\n"
    "static __attribute__((noinline)) T NAME(const T *x, i64 all, const i64 *part) { \\\n"
    "    typedef T V __attribute__((vector_size(32), aligned(sizeof(T)), may_alias)); \\\n"
    "    enum { E = 32 / sizeof(T), K = 16 / E }; \\\n"
    "    T f[16], l[E]; \\\n"
    "    i64 top = 0; \\\n"
    "    for (; *part; part += 2) { \\\n"
    "        const i64 n = *part; \\\n"
    "        i64 i = 1; \\\n"
    "        T s = x[0]; \\\n"
    "        if (n >= 16) { \\\n"
    "            V a[K]; \\\n"
    "            for (int k = 0; k < K; k++) a[k] = *(const V *)(x + k * E); \\\n"
    "            for (i = 16; i + 16 <= n; i += 16) \\\n"
    "                for (int k = 0; k < K; k++) a[k] = a[k] OP *(const V *)(x + i + k * E); \\\n"
    "            for (int h = K / 2; h > 0; h /= 2) \\\n"
    "                for (int k = 0; k < h; k++) a[k] = a[k] OP a[k + h]; \\\n"
    "            for (int k = 0; k < E; k++) l[k] = a[0][k]; \\\n"
    "            for (int h = E / 2; h > 0; h /= 2) \\\n"
    "                for (int k = 0; k < h; k++) l[k] = l[k] OP l[k + h]; \\\n"
    "            s = l[0]; \\\n"
    "        } \\\n"
    "        for (; i < n; i++) s = s OP x[i]; \\\n"
    "        f[top] = s; \\\n"
    "        for (i64 k = 0; k < part[1]; k++) f[top - 1 - k] = f[top - 1 - k] OP f[top - k]; \\\n"
    "        top += 1 - part[1]; \\\n"
    "        x += n; \\\n"
    "    } \\\n"
    "    return f[0] FIRST; \\\n"
    "}\n"
    /* extremes of floats: NaN wins; of zeros -0 is the least */
    "#define EXTREME(NAME, T, I, OP, ZERO) \\\n"
    "static __attribute__((noinline)) T NAME(const T *x, i64 n, const i64 *part) { \\\n"
    "    typedef T V __attribute__((vector_size(32), aligned(sizeof(T)), may_alias)); \\\n"
    "    typedef I M __attribute__((vector_size(32))); \\\n"
    "    enum { E = 32 / sizeof(T), K = 4 }; \\\n"
    "    T s = x[0]; \\\n"
    "    int bad = 0; \\\n"
    "    i64 i = 0; \\\n"
    "    if (n >= K * E) { \\\n"
    "        V a[K]; \\\n"
    "        M u = {0}; \\\n"
    "        for (int k = 0; k < K; k++) a[k] = *(const V *)(x + k * E), u |= a[k] != a[k]; \\\n"
    "        for (i = K * E; i + K * E <= n; i += K * E) \\\n"
    "            for (int k = 0; k < K; k++) { \\\n"
    "                const V v = *(const V *)(x + i + k * E); \\\n"
    "                const M m = v OP a[k]; \\\n"
    "                a[k] = (V)(((M)v & m) | ((M)a[k] & ~m)); \\\n"
    "                u |= v != v; \\\n"
    "            } \\\n"
    "        for (int k = 0; k < K; k++) \\\n"
    "            for (int e = 0; e < E; e++) s = a[k][e] OP s ? a[k][e] : s; \\\n"
    "        for (int e = 0; e < E; e++) bad |= u[e] != 0; \\\n"
    "    } \\\n"
    "    for (; i < n; i++) { s = x[i] OP s ? x[i] : s; bad |= x[i] != x[i]; } \\\n"
    "    for (i = 0; s == 0 && i < n; i++) \\\n"
    "        if (x[i] == 0) s = ZERO; \\\n"
    "    return bad ? __builtin_nan(\"\") : s; \\\n"
    "}\n"
    /* in any order */
    "#define ANYHOW(NAME, T, A, FIRST, COMBINE) \\\n"
    "static __attribute__((noinline)) A NAME(const T *x, i64 n, const i64 *part) { \\\n"
    "    A s = FIRST; \\\n"
    "    for (i64 i = 0; i < n; i++) s = COMBINE; \\\n"
    "    return s; \\\n"
    "}\n";

/* By the reduction and the dtype. */
void put_fold_name(Text *c, const TileStep *s)
{
    text_printf(c, "%s_%s", node_info(s->node)->name, dtype_name(s->from));
}

static void write_ordered(Text *c, const TileStep *s)
{
    text_put(c, "ORDERED(");
    put_fold_name(c, s);
    text_printf(c, ", %s, %s)\n", c_type(s->from), s->op == RED_SUM ? "+, + 0" : "*,");
}

static void write_extreme(Text *c, const TileStep *s)
{
    text_put(c, "EXTREME(");
    put_fold_name(c, s);
    text_printf(c, ", %s, %s, %s)\n", c_type(s->from), s->from == DT_F64 ? "i64" : "i32",
                s->op == RED_MIN ? "<, -(-s - x[i])" : ">, s + x[i]");
}

/* Sums of integers wrap. */
static void write_anyhow(Text *c, const TileStep *s)
{
    static const char *const combine[] = {
        [RED_SUM] = "u64, 0, s + (u64)x[i]",     [RED_PROD] = "u64, 1, s * (u64)x[i]",
        [RED_MIN] = "x[0], x[i] < s ? x[i] : s", [RED_MAX] = "x[0], x[i] > s ? x[i] : s",
        [RED_ANY] = "u8, 0, s | (x[i] != 0)",    [RED_ALL] = "u8, 1, s & (x[i] != 0)"};
    bool extreme = s->op == RED_MIN || s->op == RED_MAX;
    text_put(c, "ANYHOW(");
    put_fold_name(c, s);
    text_printf(c, ", %s, %s%s%s)\n", c_type(s->from), extreme ? c_type(s->from) : "",
                extreme ? ", " : "", combine[s->op]);
}

static bool same_function(const TileStep *a, const TileStep *b)
{
    return a->kind == TILE_FOLD && a->node->op == b->node->op && a->from == b->from;
}

static void write_function(Text *c, const TileStep *s)
{
    bool adds = s->op == RED_SUM || s->op == RED_PROD;
    if (!dtype_is_float(s->from) || s->op == RED_ANY || s->op == RED_ALL)
        write_anyhow(c, s);
    else if (adds)
        write_ordered(c, s);
    else
        write_extreme(c, s);
}

void write_fold_functions(Writer *w, const Sweep *const *all, size_t n)
{
    text_put(&w->out->c, head);
    for (size_t i = 0; i < n; i++)
        for (u32 k = 0; k < all[i]->tiles.nsteps; k++) {
            const TileStep *s = &all[i]->tiles.steps[k];
            bool first = s->kind == TILE_FOLD;
            for (size_t j = 0; j <= i && first; j++)
                for (u32 m = 0; m < (j < i ? all[j]->tiles.nsteps : k) && first; m++)
                    first = !same_function(&all[j]->tiles.steps[m], s);
            if (first)
                write_function(&w->out->c, s);
        }
}
