/* An expression over statements of a session: its roots, and what evaluates them. Included after
 * cmocka. */
#ifndef GRADUS_GIVEN_H
#define GRADUS_GIVEN_H

#include <math.h>

#include "analysis/probe.h"
#include "graph/walk.h"
#include "../run_text.h"

typedef struct {
    Session s;
    Evaluator e;
    Node **roots;
    int n;
} Given;

/* A session with these statements, and the roots of an expression, derivatives expanded. */
static inline void open_given(Given *g, const char *statements, const char *expression)
{
    assert_true(session_init(&g->s));
    g->e = session_evaluator(&g->s);
    if (!run_statements(&g->s, statements) || (g->n = run_roots(&g->s, expression, &g->roots)) < 1)
        fail_msg("%s: %s", expression,
                 g->s.diags.list.len ? g->s.diags.list.at[0].message : "it does not run");
}

static inline void close_given(Given *g)
{
    free(g->roots);
    session_free(&g->s);
}

static inline Node *scan_of(const Given *g)
{
    NodeVec order = {0};
    Node *found = NULL;
    nodes_topo(g->n, g->roots, &order);
    for (size_t i = 0; i < order.len; i++)
        found = order.at[i]->op == OP_SCAN ? order.at[i] : found;
    vec_free(&order);
    assert_non_null(found);
    return found;
}

static inline bool same_tensor(const Tensor *a, const Tensor *b)
{
    bool same = a && b && a->dtype == b->dtype && a->count == b->count && a->rank == b->rank;
    for (i64 i = 0; same && i < a->count; i++) {
        double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
        same = x == y || (isnan(x) && isnan(y));
    }
    return same;
}

#endif
