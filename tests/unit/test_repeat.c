/* `repeat`: what is done once, and what is changed in place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/repl_test.h"

enum { LENGTH = 100000, BYTES = LENGTH * 8 };

static Node *node_of(const char *name)
{
    Value *v = env_own(repl.s.elab.globals, symbol(&repl.s.st, name));
    assert_non_null(v);
    return v->node;
}

static double element(const char *name, i64 i)
{
    return tensor_f64_at(session_leaf_value(&repl.s, node_of(name)), i);
}

/* Bytes of tensors that the last evaluation had beside those that stayed. */
static size_t extra(void) { return repl.s.st.heap.peak - repl.s.st.heap.live; }

static void variables_are_changed_in_place(void **state)
{
    static const char *const rounds[] = {"w := w with [3] = w[2] + 1", "w := w * 0.5",
                                         "w := w * 0.5 + 1 / (w * w + 1)"};
    (void)state;
    run("shared w : f64[100000] = ones(100000)");
    for (size_t i = 0; i < COUNT_OF(rounds); i++) {
        char text[100];
        snprintf(text, sizeof text, "repeat 5 { %s }", rounds[i]);
        run(text);
        if (extra() >= BYTES)
            fail_msg("%s takes %zu bytes more than there are", text, extra());
    }
}

/* The value of an input that is the same tensor, of another context, of a :undo. */
static void what_else_holds_a_value_keeps_it(void **state)
{
    (void)state;
    run("shared w : f64[100000] = ones(100000)\nheld := w");
    run("repeat 4 { w := w * 2 }");
    assert_true(element("held", 7) == 1 && element("w", 7) == 16);
    run("in alt { repeat 3 { w := w with [7] = -1.0 } }");
    assert_true(element("w", 7) == 16);
    run("repeat 3 { w := w with [8] = 5.0 ; held := w ; w := w * 2 }");
    assert_true(element("held", 7) == 64 && element("w", 7) == 128);
    run(":undo");
    assert_true(element("held", 7) == 1 && element("w", 7) == 16 && element("w", 8) == 16);
}

static void a_round_that_fails_changes_nothing(void **state)
{
    Text out = {0};
    (void)state;
    run("shared w : f64[100000] = ones(100000)\nshared i : i64 = 99990");
    const char *text = "repeat 100 { w := w with [i] = 2.0 ; i := i + 1 }";
    repl.capture = &out;
    repl_run_text(&repl, "test", text, strlen(text));
    repl.capture = NULL;
    text_free(&out);
    assert_int_equal(repl.status, 1);
    assert_true(element("i", 0) == LENGTH && element("w", LENGTH - 1) == 2);
    repl.status = 0;
    assert_true(element("w", 0) == 1);
}

/* A statement of a `repeat` is elaborated in its first two rounds at most. */
static void rounds_make_no_nodes(void **state)
{
    (void)state;
    run("x : f64[3] = [1, 2, 3]\nshared w : f64 = 1");
    run("repeat 3 { w := w - 0.01 * grad(sum((w * x - 2)^2), w) }");
    size_t nodes = repl.s.st.nodes.len;
    u64 born = repl.s.st.bytes;
    run("repeat 1000 { w := w - 0.01 * grad(sum((w * x - 2)^2), w) }");
    assert_true(repl.s.st.nodes.len <= nodes + 50);
    assert_true(repl.s.st.bytes < born + 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(variables_are_changed_in_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_else_holds_a_value_keeps_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_round_that_fails_changes_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rounds_make_no_nodes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
