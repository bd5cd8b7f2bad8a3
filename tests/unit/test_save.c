/* core/session/save: what is written builds the session again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/by_hand.h"
#include "session/save.h"

#include "../run_text.h"

static double value_of(Session *s, const char *expression)
{
    Node **roots = NULL;
    Tensor *t = NULL;
    assert_int_equal(run_roots(s, expression, &roots), 1);
    assert_true(session_evaluate(s, 1, roots, &t));
    double x = tensor_f64_at(t, 0);
    tensor_unref(t);
    free(roots);
    return x;
}

/* A definition keeps the older meaning of a name that was given anew. */
static void reads_back(void **state)
{
    (void)state;
    Session a, b;
    Text text = {0};
    assert_true(session_init(&a) && session_init(&b));
    run_statements(&a, "x = 2.0\ny = x * 3\nx = 5.0\nz = x + y\n"); /* notes that y is older */
    assert_int_equal(session_print(&a, &text), 4);
    run_statements(&b, text_str(&text));
    assert_true(!a.diags.errors && !b.diags.errors);
    assert_true(value_of(&a, "z") == 11 && value_of(&b, "z") == 11);
    assert_true(value_of(&b, "x") == 5 && value_of(&b, "y") == 6);
    text_free(&text);
    session_free(&a);
    session_free(&b);
}

/* Equal graphs have one digest in every session, others another; without moves there are none. */
static void digests(void **state)
{
    (void)state;
    static const char *const expressions[] = {"sin(x) + x", "sin(x) + x", "sin(x) * x"};
    Text digest[3] = {{0}, {0}, {0}}, script = {0};
    u32 moves = 7;
    for (int i = 0; i < 3; i++) {
        Session s;
        Node **roots = NULL;
        assert_true(session_init(&s) && run_statements(&s, "x : f64 = 2.0\n"));
        assert_int_equal(run_roots(&s, expressions[i], &roots), 1);
        hand_digest(&digest[i], 1, roots);
        assert_true(hand_print(&s, &script, &moves) && !script.len && !moves);
        hand_begin(&s, expressions[i], 1, roots);
        assert_true(hand_print(&s, &script, &moves) && script.len && !moves);
        text_free(&script);
        free(roots);
        session_free(&s);
    }
    assert_string_equal(text_str(&digest[0]), text_str(&digest[1]));
    assert_string_not_equal(text_str(&digest[0]), text_str(&digest[2]));
    for (int i = 0; i < 3; i++)
        text_free(&digest[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back),
        cmocka_unit_test(digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
