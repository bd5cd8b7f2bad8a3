/* Derived names: how they are spelled, and that they are never those of an author. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text_help.h"
#include "graph/names.h"

static void test_spelling(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Symbol x = symbol(st, "x"), t = symbol(st, "t"), h = name_at(st, symbol(st, "h"), t, -1);
    static const struct {
        NameKind kind;
        const char *plain, *at;
    } rows[] = {
        {NAME_COTANGENT, "d_x", "d_h[t-1]"},       {NAME_GIVEN, "given_x", "given_h[t-1]"},
        {NAME_CARRIED, "carry_x", "carry_h[t-1]"}, {NAME_GATHERED, "sum_d_x", "sum_d_h[t-1]"},
        {NAME_TANGENT, "dot_x", "dot_h[t-1]"},     {NAME_FINAL, "x_last", "h_last[t-1]"},
        {NAME_ROW, "x_row", "h_row[t-1]"},         {NAME_TRANSPOSED, "x_T", "h_T[t-1]"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_string_equal(name_derived(st, rows[i].kind, x), rows[i].plain);
        assert_string_equal(name_derived(st, rows[i].kind, h), rows[i].at);
    }
    Symbol d = name_derived(st, NAME_COTANGENT, h);
    assert_string_equal(name_shifted(st, d, 1), "d_h[t]");
    assert_string_equal(name_in_row(st, d, 3), "d_h[2]");
    assert_null(name_in_row(st, d, 0));
    assert_string_equal(name_base(st, d), "d_h");
    assert_string_equal(name_tap(st, d, 2), "d_h_tap_2[t-1]");
    assert_string_equal(name_again(st, d, 2), "d_h_2[t-1]");
    assert_string_equal(name_derived(st, NAME_COTANGENT, d), "d_d_h[t-1]");
    assert_string_equal(name_derived(st, NAME_COTANGENT, symbol(st, "p.W")), "d_p_W");
    assert_string_equal(name_product(st, h, x), "h_x[t-1]");
    assert_null(name_product(st, h, name_shifted(st, h, 1)));
    world_is_fine(w);
    world_free(w);
}

/* One symbol for one name, another for what an author spells alike. */
static void test_identity(void **state)
{
    (void)state;
    World *w = world_new();
    Store *st = &w->st;
    Symbol x = symbol(st, "x"), own = symbol(st, "d_x"), d = name_derived(st, NAME_COTANGENT, x);
    assert_ptr_equal(d, name_derived(st, NAME_COTANGENT, x));
    assert_ptr_not_equal(d, own);
    assert_ptr_equal(name_spelling(st, d), own);
    assert_int_equal(name_data(st, own).kind, NAME_OWN);
    assert_int_equal(name_data(st, d).kind, NAME_COTANGENT);
    assert_ptr_equal(name_data(st, d).base, x);
    Symbol all[] = {own, d, own, name_derived(st, NAME_GRADIENT, x)};
    names_distinct(st, 4, all);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(all[i], all[k]);
    assert_ptr_equal(all[0], own);
    assert_int_equal(name_data(st, all[1]).kind, NAME_COTANGENT);
    assert_true(name_is_cotangent(st, all[1]));
    assert_false(name_is_cotangent(st, own));
    world_is_fine(w);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spelling),
                                       cmocka_unit_test(test_identity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
