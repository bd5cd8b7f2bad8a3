/* A number that a body captures stands in the body, where rules see its value.
 *
 * A derivative leaves such captures: the cotangent 1 of a result, the tangent 1 of an input. */
#include "passes/loops/loops.h"

static bool is_number(const Node *n) { return n->op == OP_CONST && !node_rank(n); }

bool loop_captured_numbers(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    NodeMap memo = {0};
    int count = 0;
    for (int p = s.nstates + s.nseqs; p < s.body->nparams; p++)
        count += is_number(n->ops[1 + p]);
    if (!count)
        return site_refuse(site, NULL, "it captures no number");
    if (!scan_open(site->st, n, &ed))
        return false;
    for (size_t i = 0; i < ed.captures.len; i++)
        if (is_number(ed.captures.at[i].value))
            map_put(&memo, ed.captures.at[i].hole, ed.captures.at[i].value);
    Node *r = scan_become(site, &ed, &memo);
    map_free(&memo);
    site_why(site, "%d number%s", count, count == 1 ? "" : "s");
    scan_edit_free(&ed);
    return r != NULL;
}
