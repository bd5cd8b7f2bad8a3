/* Maps by numbers of nodes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/node_map.h"

enum { NODES = 3000, FAR = 100000 };

/* Only the number counts. */
static Node *nodes_numbered(u32 first, u32 apart)
{
    Node *nodes = xcalloc(NODES, sizeof *nodes);
    for (u32 i = 0; i < NODES; i++)
        nodes[i].id = first + i * apart;
    return nodes;
}

typedef NODE_MAP(Node *) PointerMap;

static void check(const PointerMap *m, Node *nodes, bool even)
{
    for (u32 i = 0; i < NODES; i++) {
        bool there = i % 2 == 0 || !even;
        assert_int_equal(node_map_has(m, &nodes[i]), there);
        assert_ptr_equal(node_map_get(m, &nodes[i]),
                         there && i != 8 ? &nodes[NODES - 1 - i] : NULL);
    }
}

static void put_every(PointerMap *m, Node *nodes, u32 step)
{
    for (u32 i = 0; i < NODES; i += step)
        node_map_put(m, &nodes[i], i == 8 ? NULL : &nodes[NODES - 1 - i]);
}

static void keeps_what_was_put(void **state)
{
    (void)state;
    static const u32 apart[] = {1, 7, 32, 997};
    for (size_t a = 0; a < COUNT_OF(apart); a++) {
        Node *nodes = nodes_numbered(FAR, apart[a]), other = {.id = FAR - 1};
        PointerMap m = {0};
        assert_false(node_map_has(&m, &nodes[0]));
        assert_null(node_map_get(&m, &nodes[0]));
        put_every(&m, nodes, 2);
        assert_int_equal(node_map_len(&m), NODES / 2);
        check(&m, nodes, true);
        put_every(&m, nodes, 1);
        assert_int_equal(node_map_len(&m), NODES);
        check(&m, nodes, false);
        assert_false(node_map_has(&m, &other));
        node_map_clear(&m);
        assert_int_equal(node_map_len(&m), 0);
        assert_false(node_map_has(&m, &nodes[0]));
        put_every(&m, nodes, 2); /* nothing of before is left on the pages */
        check(&m, nodes, true);
        node_map_free(&m);
        free(nodes);
    }
}

/* Numbers that are far apart cost a page each, those between them nothing. */
static void takes_what_is_put(void **state)
{
    (void)state;
    PointerMap m = {0};
    Node first = {.id = 0}, last = {.id = UINT32_MAX};
    node_map_put(&m, &first, &first);
    node_map_put(&m, &last, &last);
    assert_int_equal(m.pages.npages, 2);
    assert_ptr_equal(node_map_get(&m, &first), &first);
    assert_ptr_equal(node_map_get(&m, &last), &last);
    node_map_free(&m);
}

/* What is removed is gone, also for who asks before a trim; what stays is there after it. */
static void forgets_what_was_removed(void **state)
{
    (void)state;
    static const u32 apart[] = {1, 32};
    for (size_t a = 0; a < COUNT_OF(apart); a++) {
        Node *nodes = nodes_numbered(FAR, apart[a]);
        PointerMap m = {0};
        put_every(&m, nodes, 1);
        for (u32 i = 1; i < NODES; i += 2)
            node_map_remove(&m, &nodes[i]);
        node_map_remove(&m, &nodes[1]); /* again: nothing happens */
        assert_int_equal(node_map_len(&m), NODES / 2);
        check(&m, nodes, true);
        size_t pages = m.pages.npages;
        node_map_trim(&m);
        assert_int_equal(m.pages.npages, apart[a] == 1 ? pages : pages / 2);
        assert_int_equal(node_map_len(&m), NODES / 2);
        check(&m, nodes, true);
        put_every(&m, nodes, 1);
        check(&m, nodes, false);
        node_map_free(&m);
        free(nodes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_what_was_put),
                                       cmocka_unit_test(takes_what_is_put),
                                       cmocka_unit_test(forgets_what_was_removed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
