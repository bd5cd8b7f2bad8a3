/* Tests of composite operators: what the prelude says of each can be read, printed and opened, for
 * every choice of axes, without a change of type; opening reaches into loops and branches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ast_equal.h"
#include "lang/composite.h"
#include "ops/definitions.h"
#include "syntax/parse.h"
#include "session/session.h"

static bool is_composite(OpId op) { return op_table[op].cls == CLASS_COMPOSITE; }
static bool is_in_prelude(OpId op) { return is_composite(op) && !op_is_defined(op); }

static void texts_read_back(void **state)
{
    (void)state;
    Session s;
    assert_true(session_init(&s));
    int texts = 0;
    for (OpId op = 0; op < OP_COUNT; op++)
        for (int which = 0; which < 2 && is_in_prelude(op); which++) {
            const Stmt *stmt = composite_text(&s.st, op, which);
            Text out = {0};
            Stmt *again;
            Parser p;
            ast_print_stmt(&out, stmt);
            parser_init(&p, session_source(&s, "t.gr", text_str(&out), out.len), &s.arena, &s.diags,
                        false);
            assert_int_equal(parse_statement(&p, &again), PARSE_OK);
            assert_int_equal(again->kind, which ? S_DERIVATIVE : S_COMPOSITE);
            assert_true(ast_stmt_equal(stmt, again));
            text_free(&out);
            texts++;
        }
    print_message("%d texts\n", texts);
    assert_true(texts >= 14);
    session_free(&s);
}

static bool has_composite(int n, Node *const *roots)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len && !found; i++) {
        int slots[4], ng = node_graphs(order.at[i], slots);
        found = is_composite(order.at[i]->op);
        for (int k = 0; k < ng && !found; k++) {
            Graph *g = order.at[i]->attrs[slots[k]].graph;
            found = has_composite(g->nouts, g->outs);
        }
    }
    vec_free(&order);
    return found;
}

/* All subsets of the axes of f32[n, 3, m] and of the shapes before it. */
static void opening_keeps_the_type(void **state)
{
    (void)state;
    Session s;
    assert_true(session_init(&s));
    Store *st = &s.st;
    Size *dims[] = {size_name(st, symbol(st, "n")), size_const(st, 3),
                    size_name(st, symbol(st, "m"))};
    int opened = 0;
    for (OpId op = 0; op < OP_COUNT; op++)
        for (int rank = 0; rank <= 3 && is_in_prelude(op); rank++)
            for (int mask = 0; mask < 1 << rank; mask++) {
                DType d = mask & 1 ? DT_F32 : DT_F64;
                Type *type = type_tensor(st, d, rank, dims);
                Node *x = node_input(st, OP_INPUT, symbol(st, d == DT_F32 ? "a" : "b"), type);
                i64 axes[3];
                u32 n = 0;
                for (int i = 0; i < rank; i++)
                    if (mask >> i & 1)
                        axes[n++] = i;
                Attr a[] = {{.ints = intlist(st, n, axes)}, {.i = 1}};
                Node *y = node1(st, op, a, x), *all;
                assert_non_null(y);
                assert_ptr_equal(composite_open(st, y)->type, y->type);
                assert_true(composites_open(st, 1, &y, true, &all));
                assert_ptr_equal(all->type, y->type);
                assert_false(has_composite(1, &all));
                opened++;
            }
    print_message("%d opened\n", opened);
    assert_int_equal(s.diags.errors, 0);
    session_free(&s);
}

static void opening_reaches_bodies(void **state)
{
    (void)state;
    static const char text[] =
        "scan t for 3 from h = 1.0 { h[t] = if h[t-1] > 0 then logsumexp([h[t-1], 1.0]) else "
        "sum(scan i for 2 { r[i] = std([h[t-1], f64(i)]) }) }";
    Session s;
    assert_true(session_init(&s));
    Value *v = session_value(&s, source_whole(session_source(&s, "t.gr", text, sizeof text - 1)));
    assert_non_null(v);
    Node *root = v->node, *all;
    assert_true(has_composite(1, &root));
    assert_true(composites_open(&s.st, 1, &root, true, &all));
    assert_ptr_equal(all->type, root->type);
    assert_false(has_composite(1, &all));
    session_free(&s);
}

/* Only floats, only axes that are there. */
static void wrong_operands_are_refused(void **state)
{
    (void)state;
    Session s;
    assert_true(session_init(&s));
    Store *st = &s.st;
    Size *dims[] = {size_const(st, 3)};
    for (OpId op = 0; op < OP_COUNT; op++) {
        if (!is_in_prelude(op))
            continue;
        i64 one = 1, zero = 0;
        Attr beyond[] = {{.ints = intlist(st, 1, &one)}, {.i = 0}};
        Attr first[] = {{.ints = intlist(st, 1, &zero)}, {.i = 0}};
        Node *x = node_input(st, OP_INPUT, symbol(st, "x"), type_tensor(st, DT_F64, 1, dims));
        Node *k = node_input(st, OP_INPUT, symbol(st, "k"), type_tensor(st, DT_I64, 1, dims));
        assert_null(node1(st, op, beyond, x));
        assert_null(node1(st, op, first, k));
        assert_non_null(node1(st, op, first, x));
    }
    assert_true(s.diags.errors >= 14);
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_read_back),
        cmocka_unit_test(opening_keeps_the_type),
        cmocka_unit_test(opening_reaches_bodies),
        cmocka_unit_test(wrong_operands_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
