/* What is known of a value holds of the value that is computed, in whatever order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "run_text.h"

/* Each factor is small, the product of some is infinite in f32, and infinity times 0 is nan: it
 * must not be taken for granted that it never is. */
static void long_products_may_be_nan(void **state)
{
    (void)state;
    Session s;
    assert_true(session_init(&s));
    assert_true(run_statements(&s, "i : i64 = 900000000\no : i64 = 0\n"
                                   "a = f32(clip(i, 0, 900000000))\n"
                                   "b = f32(clip(i, 1, 800000000))\n"
                                   "c = f32(clip(i, 1, 700000000))\n"
                                   "d = f32(clip(i, 1, 600000000))\n"
                                   "e = f32(clip(i, 1, 500000000))\n"
                                   "z = f32(clip(o, 0, 1))"));
    static const struct {
        const char *text;
        bool nan;
    } rows[] = {{"isnan(a * b * c * d * e * z)", true}, {"isnan(a * b * c * z)", false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Node **roots = NULL;
        Tensor *t = NULL;
        int n = run_roots(&s, rows[i].text, &roots);
        assert_int_equal(n, 1);
        assert_true(session_evaluate(&s, 1, roots, &t));
        assert_int_equal(tensor_f64_at(t, 0) != 0, rows[i].nan);
        tensor_unref(t);
        free(roots);
    }
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_products_may_be_nan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
