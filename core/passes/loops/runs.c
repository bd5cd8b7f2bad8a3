/* Inside the body of a loop there is a step: a test outside of whether there is one is true there.
 *
 *   scan(n) { if n >= 1 then a else b }   =>   scan(n) { a }
 *
 * Such tests guard what inner loops of as many steps hoisted (hoist.c). */
#include "passes/loops/loops.h"

/* x >= 1, x > 0, 0 < x, 1 <= x */
static Node *tested(Node *test)
{
    i64 low;
    if (test->op == OP_GE || test->op == OP_GT)
        return node_const_i64(test->ops[1], &low) && low <= (test->op == OP_GE) ? test->ops[0]
                                                                                : NULL;
    if (test->op == OP_LE || test->op == OP_LT)
        return node_const_i64(test->ops[0], &low) && low <= (test->op == OP_LE) ? test->ops[1]
                                                                                : NULL;
    return NULL;
}

bool loop_runs(Site *site)
{
    Node *n = site->node;
    Store *st = site->st;
    ScanShape s = scan_shape(n);
    int known = 0;
    Size *steps = size_of_node(st, s.n);
    NodeMap memo = {0};
    ScanEdit ed = {0};
    for (int i = 0; i < s.ncaptures; i++) {
        Node *x = tested(s.captures[i]);
        if (!x || x->type != s.n->type || size_of_node(st, x) != steps)
            continue;
        if (!known++ && !scan_open(st, n, &ed))
            return false;
        for (size_t k = 0; k < ed.captures.len; k++)
            if (ed.captures.at[k].value == s.captures[i])
                map_put(&memo, ed.captures.at[k].hole, node_bool(st, true));
    }
    if (!known)
        return site_refuse(site, NULL, "nothing in its body tests whether the loop takes a step");
    Node *r = scan_become(site, &ed, &memo);
    site_why(site, "%d test%s", known, known == 1 ? "" : "s");
    map_free(&memo);
    scan_edit_free(&ed);
    return r != NULL;
}
