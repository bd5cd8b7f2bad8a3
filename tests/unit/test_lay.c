/* The layered layout, by counts: nothing lies on anything, edges end where they should, few cross.
 * No text: graphs are made here, and a loop is what the page makes of one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viz/page/lay.h"

typedef struct {
    double x, y;
} Spot;

typedef struct {
    int crossings, overlaps, hits; /* hits: of edges with nodes that they do not join */
    double length;
} Counts;

/* ---- graphs ---- */

static int add_node(LayGraph *g, int box, bool head)
{
    vec_push(&g->nodes, ((LayNode){.box = box, .w = 60, .h = 30, .head = head}));
    return (int)g->nodes.len;
}

static int add_box(LayGraph *g, int box)
{
    vec_push(&g->boxes, ((LayBox){.box = box}));
    return (int)g->boxes.len;
}

static void join(LayGraph *g, int from, int to, LayKind kind)
{
    vec_push(&g->edges, ((LayEdge){.from = from, .to = to, .weight = 1, .kind = kind}));
}

/* A loop of so many states that are independent: each has an init, an input and an operator. */
static void add_rails(LayGraph *g, int n)
{
    int box = add_box(g, 0);
    for (int i = 0; i < n; i++) {
        int init = add_node(g, 0, false), weight = add_node(g, 0, false);
        int state = add_node(g, box, true), seq = add_node(g, box, true);
        int next = add_node(g, box, false), result = add_node(g, 0, false);
        join(g, init, state, LAY_FLOW);
        join(g, weight, seq, LAY_FLOW);
        join(g, state, next, LAY_FLOW);
        join(g, seq, next, LAY_FLOW);
        join(g, next, result, LAY_FLOW);
        join(g, next, state, LAY_BACK);
    }
}

/* Rows of a shift register: each state goes on to the next one. */
static void add_register(LayGraph *g, int n)
{
    int box = add_box(g, 0), before = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        int state = add_node(g, box, true);
        if (before)
            join(g, before, state, LAY_BACK);
        before = state;
        if (!sum)
            sum = add_node(g, box, false);
        join(g, state, sum, LAY_FLOW);
    }
    join(g, sum, 1, LAY_BACK);
}

/* ---- counts ---- */

typedef VEC(Spot) Way;

static void flatten(const Places *p, Way *way)
{
    size_t n = p->len / 2;
    for (size_t i = 0; i + 3 < n; i += 3)
        for (int k = 0; k <= 12; k++) {
            double t = k / 12.0, u = 1 - t,
                   w[] = {u * u * u, 3 * t * u * u, 3 * t * t * u, t * t * t};
            Spot q = {0, 0};
            for (size_t j = 0; j < 4; j++) {
                q.x += w[j] * p->at[2 * (i + j)];
                q.y += w[j] * p->at[2 * (i + j) + 1];
            }
            vec_push(way, q);
        }
    for (size_t i = way->len ? n - 1 : 0; i < n; i++)
        vec_push(way, ((Spot){p->at[2 * i], p->at[2 * i + 1]}));
}

static double turn(Spot a, Spot b, Spot c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int crossings(const Way *a, const Way *b)
{
    int n = 0;
    for (size_t i = 0; i + 1 < a->len; i++)
        for (size_t k = 0; k + 1 < b->len; k++) {
            Spot p = a->at[i], q = a->at[i + 1], r = b->at[k], s = b->at[k + 1];
            n += turn(p, q, r) * turn(p, q, s) < -1e-6 && turn(r, s, p) * turn(r, s, q) < -1e-6;
        }
    return n;
}

static bool is_inside(const Places *p, Spot q)
{
    return q.x > p->at[0] + 1 && q.x < p->at[0] + p->at[2] - 1 && q.y > p->at[1] + 1 &&
           q.y < p->at[1] + p->at[3] - 1;
}

static bool overlap(const Places *a, const Places *b)
{
    return a->at[0] < b->at[0] + b->at[2] && b->at[0] < a->at[0] + a->at[2] &&
           a->at[1] < b->at[1] + b->at[3] && b->at[1] < a->at[1] + a->at[3];
}

static Counts count(const LayGraph *g)
{
    Counts c = {0};
    Layout l;
    lay_out(g, &l);
    Way *ways = xcalloc(g->edges.len + 1, sizeof *ways);
    for (size_t i = 0; i < g->edges.len; i++) {
        const LayEdge *e = &g->edges.at[i];
        flatten(&l.edges.at[i], &ways[i]);
        for (size_t k = 0; k + 1 < ways[i].len; k++)
            c.length +=
                hypot(ways[i].at[k + 1].x - ways[i].at[k].x, ways[i].at[k + 1].y - ways[i].at[k].y);
        for (size_t k = 0; k < i; k++)
            c.crossings += crossings(&ways[i], &ways[k]);
        for (int k = 1; (size_t)k <= g->nodes.len; k++)
            for (size_t at = 0; at < ways[i].len && k != e->from && k != e->to; at++)
                c.hits += is_inside(&l.nodes.at[k - 1], ways[i].at[at]);
        /* it points at the node that it leads to */
        const Places *to = &l.nodes.at[e->to - 1];
        Spot tip = ways[i].at[ways[i].len - 1];
        assert_true(tip.x >= to->at[0] && tip.x <= to->at[0] + to->at[2]);
        assert_int_equal((int)tip.y, to->at[1]);
    }
    for (size_t i = 0; i < g->nodes.len; i++)
        for (size_t k = 0; k < i; k++)
            c.overlaps += overlap(&l.nodes.at[i], &l.nodes.at[k]);
    for (size_t i = 0; i < g->edges.len; i++)
        vec_free(&ways[i]);
    free(ways);
    layout_free(&l);
    return c;
}

/* Counts of a graph that is freed; at most so many crossings, and so long. */
static void expect(LayGraph *g, int most, double length, const char *what)
{
    Counts c = count(g);
    print_message("%s: %d crossings, %.0f long\n", what, c.crossings, c.length);
    assert_int_equal(c.overlaps, 0);
    assert_int_equal(c.hits, 0);
    assert_true(c.crossings <= most);
    assert_true(c.length <= length);
    lay_graph_free(g);
}

/* ---- tests ---- */

static void a_chain_is_straight(void **state)
{
    (void)state;
    LayGraph g = {0};
    int before = add_node(&g, 0, false);
    for (int i = 0; i < 5; i++) {
        int next = add_node(&g, 0, false);
        join(&g, before, next, LAY_FLOW);
        before = next;
    }
    Layout l;
    lay_out(&g, &l);
    for (size_t i = 0; i < g.edges.len; i++)
        for (size_t k = 0; k < l.edges.at[i].len; k += 2)
            assert_int_equal(l.edges.at[i].at[k], l.edges.at[0].at[0]);
    layout_free(&l);
    expect(&g, 0, 120, "chain");
}

/* Next states go back at the side that they are near. */
static void rails_use_both_sides(void **state)
{
    (void)state;
    LayGraph g = {0};
    add_rails(&g, 2);
    Layout l;
    lay_out(&g, &l);
    const Places *box = &l.boxes.at[0];
    int sides[2] = {0};
    for (size_t i = 0; i < g.edges.len; i++) {
        int least = 1 << 30, most = 0;
        for (size_t k = 0; k < l.edges.at[i].len && g.edges.at[i].kind == LAY_BACK; k += 2) {
            least = l.edges.at[i].at[k] < least ? l.edges.at[i].at[k] : least;
            most = l.edges.at[i].at[k] > most ? l.edges.at[i].at[k] : most;
        }
        if (g.edges.at[i].kind == LAY_BACK) {
            assert_true(least > box->at[0] && most < box->at[0] + box->at[2]);
            sides[least - box->at[0] > box->at[0] + box->at[2] - most]++;
        }
    }
    assert_int_equal(sides[0], 1);
    assert_int_equal(sides[1], 1);
    layout_free(&l);
    lay_graph_free(&g);
}

/* The limits are what there is, and 3 % in length: with lanes at one side only, in the other order
 * in them, or with ports in the order that suits the inside alone, there is more. */
static void loops_cross_little(void **state)
{
    (void)state;
    LayGraph one = {0}, two = {0}, four = {0}, shift = {0};
    add_rails(&one, 1);
    expect(&one, 0, 600, "1 rail");
    add_rails(&two, 2);
    expect(&two, 1, 1500, "2 rails");
    add_rails(&four, 4);
    expect(&four, 8, 4310, "4 rails");
    add_register(&shift, 4);
    expect(&shift, 4, 2580, "register of 4");
}

static bool holds(const Places *a, const Places *b)
{
    return b->at[0] >= a->at[0] && b->at[1] >= a->at[1] &&
           b->at[0] + b->at[2] <= a->at[0] + a->at[2] && b->at[1] + b->at[3] <= a->at[1] + a->at[3];
}

/* A loop in a loop, another beside it, and one that is drawn closed. */
static void add_nest(LayGraph *g)
{
    add_rails(g, 1);
    int outer = 1, inner = add_box(g, outer), closed = add_box(g, outer);
    g->boxes.at[closed - 1].w = 90;
    g->boxes.at[closed - 1].h = 40;
    int a = add_node(g, inner, true), b = add_node(g, inner, false), c = add_node(g, outer, false);
    join(g, 3, a, LAY_FLOW);
    join(g, a, b, LAY_FLOW);
    join(g, b, a, LAY_BACK);
    join(g, b, c, LAY_FLOW);
    vec_push(&g->edges, ((LayEdge){.from = b, .to_box = closed, .weight = 1, .kind = LAY_FLOW}));
    add_rails(g, 2);
}

/* A box holds what stands in it and nothing else, and the picture holds all. */
static void boxes_hold_their_own(void **state)
{
    (void)state;
    LayGraph g = {0};
    Layout l;
    add_nest(&g);
    lay_out(&g, &l);
    Places whole = {0};
    vec_push(&whole, 0);
    vec_push(&whole, 0);
    vec_push(&whole, l.width);
    vec_push(&whole, l.height);
    for (size_t i = 0; i < g.nodes.len; i++) {
        assert_true(holds(&whole, &l.nodes.at[i]));
        for (int b = 1; (size_t)b <= g.boxes.len; b++) {
            bool in = false;
            for (int at = g.nodes.at[i].box; at; at = g.boxes.at[at - 1].box)
                in = in || at == b;
            assert_true(in ? holds(&l.boxes.at[b - 1], &l.nodes.at[i])
                           : !overlap(&l.boxes.at[b - 1], &l.nodes.at[i]));
        }
    }
    for (size_t i = 0; i < g.boxes.len; i++) {
        assert_true(holds(&whole, &l.boxes.at[i]));
        if (g.boxes.at[i].box)
            assert_true(holds(&l.boxes.at[g.boxes.at[i].box - 1], &l.boxes.at[i]));
    }
    assert_false(overlap(&l.boxes.at[1], &l.boxes.at[2]));
    assert_true(l.boxes.at[2].at[2] >= 90 && l.boxes.at[2].at[3] >= 40);
    vec_free(&whole);
    layout_free(&l);
    lay_graph_free(&g);
}

/* States are the first row of their box, whatever else has nothing above it. */
static void heads_come_first(void **state)
{
    (void)state;
    LayGraph g = {0};
    Layout l;
    add_rails(&g, 3);
    int free_standing = add_node(&g, 1, false);
    join(&g, free_standing, 5, LAY_FLOW);
    lay_out(&g, &l);
    for (size_t i = 0; i < g.nodes.len; i++)
        for (size_t k = 0; k < g.nodes.len; k++)
            if (g.nodes.at[i].box == 1 && g.nodes.at[k].box == 1 && g.nodes.at[i].head)
                assert_true(l.nodes.at[i].at[1] <= l.nodes.at[k].at[1]);
    layout_free(&l);
    lay_graph_free(&g);
}

static void assert_same_places(const Layout *a, const Layout *b, size_t nodes)
{
    for (size_t i = 0; i < nodes; i++)
        assert_memory_equal(a->nodes.at[i].at, b->nodes.at[i].at, 4 * sizeof(int));
}

/* The same graph has the same layout; edges that are loose change nothing in it. */
static void loose_edges_change_nothing(void **state)
{
    (void)state;
    LayGraph g = {0}, loose = {0};
    Layout a, b, c;
    add_nest(&g);
    add_nest(&loose);
    join(&loose, (int)loose.nodes.len, 1, LAY_LOOSE);
    join(&loose, 2, (int)loose.nodes.len - 1, LAY_LOOSE);
    lay_out(&g, &a);
    lay_out(&g, &b);
    lay_out(&loose, &c);
    assert_same_places(&a, &b, g.nodes.len);
    assert_same_places(&a, &c, g.nodes.len);
    layout_free(&a);
    layout_free(&b);
    layout_free(&c);
    lay_graph_free(&g);
    lay_graph_free(&loose);
}

/* With the places of the layout before as wishes, what was in one row in some order still is. */
static void wishes_keep_the_order(void **state)
{
    (void)state;
    LayGraph g = {0};
    Layout a, b;
    add_nest(&g);
    lay_out(&g, &a);
    for (size_t i = 0; i < g.nodes.len; i++) {
        const Places *p = &a.nodes.at[i];
        g.nodes.at[i].wish = p->at[0] + p->at[2] / 2 + 1;
        g.nodes.at[i].wish_y = p->at[1] + 1;
    }
    for (size_t i = 0; i < g.boxes.len; i++) {
        const Places *p = &a.boxes.at[i];
        g.boxes.at[i].wish = p->at[0] + p->at[2] / 2 + 1;
        g.boxes.at[i].wish_y = p->at[1] + 1;
    }
    g.quick = true;
    lay_out(&g, &b);
    int pairs = 0;
    for (size_t i = 0; i < g.nodes.len; i++)
        for (size_t k = 0; k < i; k++)
            if (a.nodes.at[i].at[1] == a.nodes.at[k].at[1] &&
                b.nodes.at[i].at[1] == b.nodes.at[k].at[1]) {
                assert_true((a.nodes.at[i].at[0] < a.nodes.at[k].at[0]) ==
                            (b.nodes.at[i].at[0] < b.nodes.at[k].at[0]));
                pairs++;
            }
    assert_true(pairs > 10);
    layout_free(&a);
    layout_free(&b);
    lay_graph_free(&g);
}

/* In letters, edges that lead down run upright and level, and nothing lies on anything. */
static void letters_are_square(void **state)
{
    (void)state;
    LayGraph g = {.letters = true};
    Layout l;
    add_nest(&g);
    for (size_t i = 0; i < g.nodes.len; i++) {
        g.nodes.at[i].w = 7;
        g.nodes.at[i].h = 3;
    }
    g.boxes.at[2].w = 9;
    g.boxes.at[2].h = 3;
    lay_out(&g, &l);
    for (size_t i = 0; i < g.edges.len; i++) {
        const Places *p = &l.edges.at[i];
        assert_true(p->len >= 4);
        for (size_t k = 0; k + 3 < p->len && g.edges.at[i].kind == LAY_FLOW; k += 2)
            assert_true(p->at[k] == p->at[k + 2] || p->at[k + 1] == p->at[k + 3]);
    }
    for (size_t i = 0; i < g.nodes.len; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(overlap(&l.nodes.at[i], &l.nodes.at[k]));
    layout_free(&l);
    lay_graph_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_is_straight),   cmocka_unit_test(rails_use_both_sides),
        cmocka_unit_test(loops_cross_little),    cmocka_unit_test(boxes_hold_their_own),
        cmocka_unit_test(heads_come_first),      cmocka_unit_test(loose_edges_change_nothing),
        cmocka_unit_test(wishes_keep_the_order), cmocka_unit_test(letters_are_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
