/* What two graphs differ in (core/analysis/graph_diff.h): random programs and copies with one to
 * five random edits, in loops and branches too. Every edit is in a place, and there are few places;
 * copies whose inputs are called otherwise have none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>

#include "analysis/graph_diff.h"
#include "program_gen.h"
#include "surface/surface.h"
#include "graph/op.h"
#include "session/session.h"

#include "../effort.h"
#include "../run_text.h"

enum { PAIRS = 300, MOST_EDITS = 5 };

/* No program has these, so an edit is known by what it put in. */
static const OpId marks[MOST_EDITS] = {OP_COSH, OP_ATAN, OP_LGAMMA, OP_ERF, OP_SINH};

typedef struct {
    Session s;
    u64 state;
    int n;
    Node **before, **after;
    int edits;
    bool marked[MOST_EDITS];
    u32 kinds[4];
} Pair;

static u32 roll(Pair *p, u32 n)
{
    p->state = hash_mix(p->state, 0x51f7);
    return (u32)(p->state >> 20) % n;
}

/* ---- programs ---- */

/* Several expressions, so that there is something around an edit. */
static bool make_program(Pair *p, u64 seed, bool renamed)
{
    static const char *const names = "xysrM";
    Text t = {0}, other = {0};
    text_put(&t, "(");
    for (unsigned k = 0; k < 4; k++) {
        text_put(&t, k ? ", " : "");
        program_gen(&t, (unsigned)(seed * 4 + k));
    }
    text_put(&t, ")");
    const char *s = text_str(&t);
    for (size_t i = 0; i < t.len; i++) {
        bool alone = (!i || (!isalnum((unsigned char)s[i - 1]) && s[i - 1] != '_')) &&
                     !isalnum((unsigned char)s[i + 1]) && s[i + 1] != '_';
        text_putc(&other, s[i]);
        if (renamed && alone && strchr(names, s[i]))
            text_put(&other, "_other");
    }
    Node **roots = NULL;
    p->n = run_roots(&p->s, text_str(&other), &roots);
    text_free(&t);
    text_free(&other);
    *(renamed ? &p->after : &p->before) = roots;
    return p->n > 0;
}

/* ---- edits ---- */

static bool is_real(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && n->type->dtype == DT_F64 && n->op != OP_PARAM;
}

static bool is_unary(const Node *n)
{
    return n->nops == 1 && op_table[n->op].cls == CLASS_ELEMENTWISE && is_real(n) &&
           is_real(n->ops[0]) && n->ops[0]->type == n->type;
}

/* Another node in place of this one, known by its operator; NULL: not this one. */
static Node *edited(Pair *p, Node *n, OpId mark)
{
    Store *st = &p->s.st;
    Node *ops[64];
    switch (roll(p, 3)) {
    case 0: p->kinds[0]++; return node1(st, mark, NULL, n); /* around it */
    case 1:
        if (!is_unary(n))
            return NULL;
        p->kinds[1]++;
        return node1(st, mark, NULL, n->ops[0]); /* instead of its operator */
    default: {
        u32 k = n->nops ? roll(p, n->nops) : 0;
        if (!n->nops || n->nops > 64 || !is_real(n->ops[k]) || n->ops[k]->op == OP_CONST)
            return NULL;
        memcpy(ops, n->ops, n->nops * sizeof *ops);
        ops[k] = node1(st, mark, NULL, ops[k]); /* around an operand, for this reader alone */
        p->kinds[2]++;
        return node_with_operands(st, n, ops);
    }
    }
}

/* An edit somewhere in a graph with these outputs; false: it came to nothing. */
static bool edit(Pair *p, int n, Node **outs, OpId mark)
{
    Store *st = &p->s.st;
    NodeVec order = {0};
    nodes_topo(n, outs, &order);
    Node *at = order.at[roll(p, (u32)order.len)], *to = NULL;
    int slots[4], graphs = node_graphs(at, slots);
    if (graphs && at->op != OP_GRAD) { /* in its body */
        Attr attrs[8];
        int slot = slots[roll(p, (u32)graphs)];
        Graph *g = at->attrs[slot].graph;
        Node **inner = xcalloc((size_t)g->nouts + 1, sizeof *inner);
        memcpy(inner, g->outs, (size_t)g->nouts * sizeof *inner);
        memcpy(attrs, at->attrs, at->nattrs * sizeof *attrs);
        if (edit(p, g->nouts, inner, mark)) {
            attrs[slot].graph = graph_make(st, g->nparams, g->params, g->nouts, inner);
            to = node_with_attrs(st, at, attrs);
            p->kinds[3]++;
        }
        free(inner);
    } else if (!graphs && is_real(at) && at->op != OP_PROJ) {
        to = edited(p, at, mark);
    }
    bool ok = to && to->type == at->type;
    NodeMap memo = {0};
    if (ok)
        map_put(&memo, at, to);
    for (int i = 0; i < n && ok; i++) {
        outs[i] = node_substitute(st, outs[i], &memo);
        ok = outs[i] != NULL;
    }
    map_free(&memo);
    vec_free(&order);
    return ok;
}

static bool make_edits(Pair *p, int count)
{
    size_t bytes = (size_t)p->n * sizeof *p->after;
    p->after = xcalloc(1, bytes + sizeof *p->after);
    memcpy(p->after, p->before, bytes);
    for (int tries = 0; p->edits < count && tries < 60; tries++)
        p->edits += edit(p, p->n, p->after, marks[p->edits]);
    return p->edits == count;
}

static bool has_op(const NodeSet *set, OpId op)
{
    for (size_t i = 0; i < set->len; i++)
        if (map_key(set, i)->op == op)
            return true;
    return false;
}

static u32 count_op(const Pair *p, OpId op)
{
    StandingVec all = {0};
    u32 found = 0;
    nodes_standing(p->n, p->after, NULL, &all);
    for (size_t i = 0; i < all.len; i++)
        found += all.at[i].node->op == op;
    vec_free(&all);
    return found;
}

/* Is it in a part that is only on the second side, or in a graph that stands there whole? */
static bool is_reported(const GraphDiff *d, OpId op)
{
    if (has_op(&d->only[1], op))
        return true;
    for (size_t i = 0; i < d->only[1].len; i++) {
        Node *n = map_key(&d->only[1], i);
        StandingVec all = {0};
        bool found = false;
        int slots[4];
        if (!node_graphs(n, slots))
            continue;
        nodes_standing(1, &n, NULL, &all);
        for (size_t k = 0; k < all.len; k++)
            found = found || all.at[k].node->op == op;
        vec_free(&all);
        if (found)
            return true;
    }
    return false;
}

/* ---- pairs ---- */

typedef struct {
    u32 pairs, edits, places, missed, many, nodes, differ, kinds[4];
} Found;

static void complain(const Pair *p, const GraphDiff *d, u64 seed)
{
    print_error("seed %llu: %d edits, %zu places, %u of %u nodes:\n", (unsigned long long)seed,
                p->edits, d->places.len, d->differ, d->nodes);
    for (size_t i = 0; i < d->places.len; i++) {
        Text path = {0}, side[2] = {{0}, {0}};
        diff_put_path(d, &path, d->places.at[i]);
        for (int k = 0; k < 2; k++)
            if (d->places.at[i]->side[k])
                node_source_limited(d->st, &side[k],
                                    diff_stands(d, k, d->places.at[i]->side[k]).node, false, 80);
        print_error("  %s: %s against %s\n", text_str(&path), text_str(&side[0]),
                    text_str(&side[1]));
        text_free(&path);
        text_free(&side[0]);
        text_free(&side[1]);
    }
}

static void look_at(Pair *p, u64 seed, Found *f)
{
    GraphDiff d = {.st = &p->s.st, .nroots = {p->n, p->n}, .roots = {p->before, p->after}};
    u32 missed = 0, edits = 0;
    assert_true(graph_diff(&d));
    for (int k = 0; k < p->edits; k++) {
        bool there = count_op(p, marks[k]) > 0; /* else a later edit took it away */
        edits += there;
        missed += there && !is_reported(&d, marks[k]);
    }
    f->pairs++;
    f->edits += edits;
    f->places += (u32)d.places.len;
    f->missed += missed;
    f->nodes += d.nodes;
    f->differ += d.differ;
    bool many = 2 * d.places.len > 3 * (edits ? edits : 1) + 1;
    f->many += many;
    if (missed || many)
        complain(p, &d, seed);
    for (int k = 0; k < 4; k++)
        f->kinds[k] += p->kinds[k];
    graph_diff_free(&d);
}

static void begin(Pair *p, u64 seed)
{
    *p = (Pair){.state = seed};
    assert_true(session_init(&p->s));
    run_statements(&p->s, program_header);
}

static void end(Pair *p)
{
    free(p->before);
    free(p->after);
    session_free(&p->s);
}

static void test_edits(void **state)
{
    (void)state;
    Found f = {0};
    u32 cases = effort_cases(PAIRS);
    for (u64 seed = from_env("GRADUS_SEED", 1); f.pairs < cases; seed++) {
        Pair p;
        begin(&p, seed);
        if (make_program(&p, seed, false) && make_edits(&p, 1 + (int)roll(&p, MOST_EDITS)))
            look_at(&p, seed, &f);
        end(&p);
    }
    print_message(
        "%u pairs, %u edits (%u around, %u operators, %u operands; %u of them in bodies), "
        "%u places, %u missed, %u pairs with too many; %u of %u nodes differ\n",
        f.pairs, f.edits, f.kinds[0], f.kinds[1], f.kinds[2], f.kinds[3], f.places, f.missed,
        f.many, f.differ, f.nodes);
    assert_int_equal(f.missed, 0);
    assert_int_equal(f.many, 0);
    assert_true(2 * f.places <= 3 * f.edits);
    assert_true(f.differ * 4 < f.nodes); /* one place around all would be no answer */
}

static void test_renamed(void **state)
{
    (void)state;
    u32 cases = effort_cases(PAIRS / 3), done = 0;
    for (u64 seed = from_env("GRADUS_SEED", 1); done < cases; seed++) {
        Pair p;
        begin(&p, seed);
        run_statements(&p.s, "x_other : f64[m]\ny_other : f64[m]\ns_other : f64\nr_other : f64\n"
                             "M_other : f64[m, m]\n");
        if (make_program(&p, seed, false) && make_program(&p, seed, true)) {
            GraphDiff d = {.st = &p.s.st, .nroots = {p.n, p.n}, .roots = {p.before, p.after}};
            assert_true(graph_diff(&d));
            if (d.places.len)
                complain(&p, &d, seed);
            assert_int_equal(d.places.len, 0);
            assert_int_equal(d.differ, 0);
            graph_diff_free(&d);
            done++;
        }
        end(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edits),
                                       cmocka_unit_test(test_renamed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
