/* The native tier against the virtual machine, bit for bit, on random loops whose masks keep parts
 * of a matrix: triangles, rows, columns, boxes, and products with vectors that a mask made zero;
 * with zeros of both signs, infinities and NaN; with vectors that count up, or do not. Of a NaN,
 * that it is one.
 *
 * Left out where there is no C compiler. The cache is a folder of its own, which is removed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "both_tiers.h"
#include "effort.h"

enum { CASES = 60 };

typedef struct {
    u64 random;
    int rows, columns;
    const char *type;
} MaskCase;

static u32 below(MaskCase *c, u32 n)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    return (u32)(c->random >> 33) % n;
}

#define ONE_OF(c, ...) \
    ((const char *[]){__VA_ARGS__}[below(c, sizeof(const char *[]){__VA_ARGS__} / sizeof(char *))])

/* ---- masks over places, named i or j ---- */

static void put_mask(MaskCase *c, const char *place, int depth, Text *out)
{
    const char *sign = ONE_OF(c, ">", ">=", "<", "<=", "==", "!=");
    const char *count = ONE_OF(c, "k", "k", "k", "(k - 1)", "(k + 2)");
    if (depth && below(c, 3) == 0) {
        text_put(out, "(");
        put_mask(c, place, depth - 1, out);
        text_printf(out, " %s ", ONE_OF(c, "and", "or"));
        put_mask(c, place, depth - 1, out);
        text_put(out, ")");
    } else if (depth && below(c, 6) == 0) {
        text_put(out, "(not ");
        put_mask(c, place, depth - 1, out);
        text_put(out, ")");
    } else {
        bool left = below(c, 3) != 0;
        text_printf(out, "(%s %s %s)", left ? place : count, sign, left ? count : place);
    }
}

static void put_box(MaskCase *c, Text *out)
{
    u32 form = below(c, 4);
    if (form != 1) {
        text_put(out, "reshape(");
        put_mask(c, "i", 1, out);
        text_printf(out, ", (%d, 1))", c->rows);
    }
    text_put(out, form < 2 ? "" : form == 2 ? " and " : " or ");
    if (form != 0) {
        text_put(out, "reshape(");
        put_mask(c, "j", 1, out);
        text_printf(out, ", (1, %d))", c->columns);
    }
}

/* ---- what a step computes ---- */

static void put_vector(MaskCase *c, bool column, Text *out)
{
    Text source = {0};
    text_printf(&source, column ? "x[:, k %% %d]" : "x[k %% %d]", column ? c->columns : c->rows);
    if (below(c, 3) == 0) {
        source.len = 0;
        text_put(&source, column ? "u" : "w");
    }
    text_put(&source, below(c, 3) == 0 ? " * c" : "");
    u32 form = below(c, 6);
    if (form) {
        text_put(out, "where(");
        put_mask(c, column ? "i" : "j", 2, out);
        if (form > 1)
            text_printf(out, ", %s, %s(0))", text_str(&source), c->type);
        else
            text_printf(out, ", %s(0), %s)", c->type, text_str(&source));
    } else {
        text_put(out, text_str(&source));
    }
    text_free(&source);
}

static void put_next(MaskCase *c, Text *out)
{
    Text next = {0};
    u32 form = below(c, 3);
    text_printf(&next, "x %s reshape(f, (%d, 1)) * reshape(g, (1, %d))", ONE_OF(c, "-", "+"),
                c->rows, c->columns);
    if (below(c, 3) == 0) {
        next.len = 0;
        text_put(&next, ONE_OF(c, "x - outer(f, g)", "outer(f, g) + x", "x - c * outer(f, g)"));
    }
    text_put(out, form ? "where(" : "");
    if (form)
        put_box(c, out);
    text_printf(out, form == 0 ? "%s" : form == 1 ? ", %s, x)" : ", x * c, %s)", text_str(&next));
    text_free(&next);
}

static void put_matrix(MaskCase *c, Text *out)
{
    bool real = c->type[0] == 'f';
    text_printf(out, "A = reshape(%s(iota(%d) * 7 %% 11 - 5), (%d, %d))%s\n", c->type,
                c->rows * c->columns, c->rows, c->columns, real ? " * 0.37" : "");
    if (!real)
        return;
    const char *special = ONE_OF(c, "0.0", "0.0", "-0.0", "inf", "nan");
    text_printf(out, "A = where(A %s, %s(%s), A)\n", ONE_OF(c, "== 0", "> 1.8"), c->type, special);
}

static void put_program(MaskCase *c, Text *out)
{
    c->rows = 2 + (int)below(c, 16);
    c->columns = below(c, 2) ? c->rows : 2 + (int)below(c, 16);
    c->type = ONE_OF(c, "f64", "f64", "f32", "i64");
    text_printf(out, "i = %s(%d)%s; j = iota(%d)\n", below(c, 8) ? "iota" : "2 * iota", c->rows,
                below(c, 8) ? "" : " + 1", c->columns);
    put_matrix(c, out);
    text_printf(out, "u = %s(iota(%d) * 5 %% 7 - 3); w = %s(iota(%d) * 3 %% 7 - 2); c = %s(%s)\n",
                c->type, c->rows, c->type, c->columns, c->type, ONE_OF(c, "1", "-1", "2"));
    text_printf(out, "S = scan k for %u from a = A {\n    x = a[k-1]\n    f = ",
                1 + below(c, (u32)c->rows + 3));
    put_vector(c, true, out);
    text_put(out, "\n    g = ");
    put_vector(c, false, out);
    text_put(out, "\n    a[k] = ");
    u32 row = below(c, 4);
    text_put(out, row ? "" : "set_index(");
    put_next(c, out);
    if (!row)
        text_printf(out, ", k %% %d, w)", c->rows);
    text_put(out, "\n}\n");
}

static void test_masks(void **state)
{
    u32 cases = effort_cases(CASES), compared = 0, first = from_env("GRADUS_SEED", 1);
    (void)state;
    for (u32 k = 0; k < cases; k++) {
        const u64 seed = first + (u64)k * effort_stride();
        MaskCase c = {.random = seed * 0x9e3779b97f4a7c15u + 1};
        Text text = {0};
        put_program(&c, &text);
        compare_tiers(text_str(&text), "S.final", seed, &compared);
        text_free(&text);
    }
    print_message("%u of %u loops ran as native code\n", compared, cases);
    assert_true(compared > cases / 2);
}

static int all(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_masks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) { return run_both_tiers(all); }
