/* Literals that are stored are constants: no program computes them, and they count as explored. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "run_text.h"
#include "session/keep.h"

static Session s;

static int set_up(void **state)
{
    (void)state;
    return session_init(&s) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    session_free(&s);
    return 0;
}

static double element(const char *name, i64 i)
{
    Value *v = env_own(s.elab.globals, symbol(&s.st, name));
    assert_non_null(v);
    const Tensor *t = session_leaf_value(&s, v->node);
    assert_non_null(t);
    return tensor_f64_at(t, i);
}

static void literals_take_no_program(void **state)
{
    static const char *const stored[] = {"x : f64[n] = [0.5, 1, 2]", "x := [0.5, 4, 2]",
                                         "y := [0.5, 1]", "shared w : f64 = 3",
                                         "x, y := [1.5, 2, 7], [8, 9]"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(stored); i++) {
        assert_true(run_statements(&s, stored[i]));
        assert_int_equal(s.cache.len, 0);
    }
    assert_true(element("x", 0) == 1.5 && element("x", 2) == 7 && element("y", 1) == 9 &&
                element("w", 0) == 3);
    assert_true(run_statements(&s, "x := x + [1, 1, 1]"));
    assert_int_equal(s.cache.len, 1);
    assert_true(element("x", 0) == 2.5);
}

/* What was taken stays until it is asked for, a collection in between. */
static void the_last_is_explored_when_it_is_asked_for(void **state)
{
    (void)state;
    assert_null(session_last(&s));
    assert_true(run_statements(&s, "x : f64[3] = [0.5, 1, 2]"));
    session_collect(&s);
    const Exploration *x = session_last(&s);
    assert_non_null(x);
    assert_int_equal(x->nroots, 1);
    assert_int_equal(x->start[0]->op, OP_CONST);
    assert_true(tensor_f64_at(x->start[0]->attrs[0].value, 2) == 2);
    assert_ptr_equal(session_last(&s), x);
    assert_true(run_statements(&s, "x := [7, 8, 9]\nx + 1"));
    x = session_last(&s);
    assert_int_not_equal(x->start[0]->op, OP_CONST);
    assert_true(run_statements(&s, "x := [7, 8, 9]"));
    session_forget(&s);
    assert_null(session_last(&s));
}

/* A later change in place is of the variable, not of the literal. */
static void a_literal_keeps_its_value(void **state)
{
    (void)state;
    assert_true(run_statements(&s, "shared w : f64[3] = [1, 2, 3]\n"
                                   "repeat 5 { w := w * 2 }\n"
                                   "held : f64[3] = [1, 2, 3]\n"
                                   "repeat 3 { w := [1, 2, 3] ; w := w with [0] = 5.0 }"));
    assert_true(element("held", 0) == 1 && element("w", 0) == 5 && element("w", 2) == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(literals_take_no_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_last_is_explored_when_it_is_asked_for, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_literal_keeps_its_value, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
