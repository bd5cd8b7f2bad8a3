/* What the values of global names are computed from, and until when a name over temporaries counts.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/names.h"
#include "graph/temps.h"
#include "graph/walk.h"
#include "session/in_use.h"

static Node *input(Store *st, const char *name, const char *size)
{
    Size *n = size_name(st, symbol(st, size));
    return node_input(st, OP_INPUT, symbol(st, name), type_tensor(st, DT_F64, 1, &n));
}

static Node *over(Store *st, OpId op, Node *a) { return node1(st, op, NULL, a); }

/* Parts count as long as one whole does that they are parts of, in whatever order these go. */
static void counts_parts(void **state)
{
    (void)state;
    Store st;
    InUse u = {0};
    store_init(&st);
    Node *x = input(&st, "x", "n"), *e = over(&st, OP_EXP, x), *t = over(&st, OP_TANH, e);
    in_use_add(&u, t);
    in_use_add(&u, e);
    in_use_add(&u, e);
    in_use_remove(&u, t);
    assert_false(in_use_has(&u, t));
    assert_true(in_use_has(&u, e));
    assert_true(in_use_has(&u, x));
    in_use_remove(&u, e);
    in_use_trim(&u);
    assert_true(in_use_has(&u, x));
    in_use_remove(&u, e);
    assert_false(in_use_has(&u, e));
    assert_false(in_use_has(&u, x));
    assert_int_equal(node_map_len(&u.nodes), 0);
    in_use_free(&u);
    store_free(&st);
}

/* A node whose type has a size that another node computes needs that one. */
static void counts_sizes(void **state)
{
    (void)state;
    Store st;
    InUse u = {0};
    store_init(&st);
    Node *k = node_input(&st, OP_INPUT, symbol(&st, "k"), type_scalar(&st, DT_I64));
    Size *size = size_of_node(&st, k);
    Node *x = node_input(&st, OP_INPUT, symbol(&st, "x"), type_tensor(&st, DT_F64, 1, &size));
    in_use_add(&u, x);
    assert_true(in_use_has(&u, k));
    in_use_remove(&u, x);
    assert_false(in_use_has(&u, k));
    in_use_free(&u);
    store_free(&st);
}

/* What a body mentions, and what this is computed from, is outside; also what is mentioned later.
 */
static void tells_outside(void **state)
{
    (void)state;
    Store st;
    Outside o = {0};
    store_init(&st);
    Node *x = input(&st, "x", "n"), *e = over(&st, OP_EXP, x), *t = over(&st, OP_TANH, e);
    Node *y = input(&st, "y", "n"), *s = over(&st, OP_SIN, y);
    set_add(&o.mentioned, e);
    assert_true(outside_has(&o, e));
    assert_true(outside_has(&o, x));
    assert_false(outside_has(&o, t));
    assert_false(outside_has(&o, s));
    set_add(&o.mentioned, s);
    assert_true(outside_has(&o, s));
    assert_true(outside_has(&o, y));
    assert_false(outside_has(&o, t));
    outside_end(&o);
    store_free(&st);
}

/* A temporary that is made again is another one: names over it are gone, others stay, and the same
 * holds after a collection may have forgotten which ones a node reaches. */
static void forgets_names_over_temporaries(void **state)
{
    (void)state;
    Store st;
    store_init(&st);
    Type *t = type_scalar(&st, DT_F64);
    Symbol a = symbol(&st, "a"), b = symbol(&st, "b");
    Node *outer = node_temp(&st, t, NULL), *x = over(&st, OP_EXP, outer);
    u32 temps = st.temp_count;
    Node *inner = node_temp(&st, t, NULL), *y = node2(&st, OP_MUL, NULL, x, inner);
    node_set_name(&st, x, a);
    node_set_name(&st, y, b);
    assert_true(node_over_temps(&st, y));
    assert_false(node_over_temps(&st, node_hole(&st, t, NULL)));
    assert_ptr_equal(node_name(&st, y), b);
    st.temp_count = temps;
    assert_ptr_equal(node_name(&st, y), b); /* as long as no other is made */
    assert_ptr_equal(node_temp(&st, t, NULL), inner);
    assert_null(node_name(&st, y));
    assert_ptr_equal(node_name(&st, x), a);
    temps_forget(&st);
    assert_null(node_name(&st, y));
    assert_ptr_equal(node_name(&st, x), a);
    node_set_name(&st, y, a);
    assert_ptr_equal(node_name(&st, y), a);
    store_free(&st);
}

/* Inputs are ordered by when their names were first declared, whenever they themselves were. */
static void orders_leaves(void **state)
{
    (void)state;
    Store st;
    store_init(&st);
    Node *x = input(&st, "x", "n"), *y = input(&st, "y", "n"), *again = input(&st, "x", "m");
    Node *all[] = {y, again, x};
    leaves_by_declaration(&st, 3, all);
    assert_ptr_equal(all[0], again);
    assert_ptr_equal(all[1], x);
    assert_ptr_equal(all[2], y);
    assert_int_equal(leaf_place(&st, again), 0);
    assert_int_equal(leaf_place(&st, y), 1);
    store_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_parts),  cmocka_unit_test(counts_sizes),
        cmocka_unit_test(tells_outside), cmocka_unit_test(forgets_names_over_temporaries),
        cmocka_unit_test(orders_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
