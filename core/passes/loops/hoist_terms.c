/* S1, sums and products: what of the terms is the same at every step is added or multiplied once,
 * before the loop, wherever the parentheses stood.
 *
 *   s[t-1] * 2 * x     =>     s[t-1] * y,     y = 2 * x
 *
 * Condition: two terms or more are captures or constants, not all of them constants; what is an
 * operator of its own has been moved out by `hoist`. Nothing in it can fail, so it does not matter
 * whether there is a step. Classes R and O: the terms are added in another order. */
#include "graph/reads.h"
#include "passes/loops/loops.h"

static bool has_fixed_terms(const ScanShape *s, const Node *n)
{
    u32 captures = 0, constants = 0;
    if ((n->op != OP_ADD && n->op != OP_MUL) || n->nops < 3)
        return false;
    for (u32 k = 0; k < n->nops; k++) {
        captures += is_param_among(n->ops[k], s->nstates + s->nseqs, s->body->nparams);
        constants += n->ops[k]->op == OP_CONST;
    }
    return captures && captures + constants > 1 && captures + constants < n->nops;
}

static void find_terms(const ScanShape *s, NodeVec *out)
{
    const NodeVec *order = &graph_reads(s->body)->order;
    for (size_t i = 0; i < order->len; i++)
        if (has_fixed_terms(s, order->at[i]))
            vec_push(out, order->at[i]);
}

static bool is_capture(const ScanEdit *ed, const Node *n)
{
    for (size_t i = 0; i < ed->captures.len; i++)
        if (ed->captures.at[i].hole == n)
            return true;
    return false;
}

/* The hole of a value that is captured already, or a new one. */
static Node *captured(ScanEdit *ed, Node *open)
{
    Node *outside = scan_outside(ed, open);
    for (size_t i = 0; i < ed->captures.len; i++)
        if (ed->captures.at[i].value == outside)
            return ed->captures.at[i].hole;
    return outside ? scan_capture(ed, outside, open) : NULL;
}

/* n with one capture where the first of its fixed terms stood. */
static Node *with_one_term(ScanEdit *ed, Node *n, NodeMap *memo)
{
    Node **fixed = xmalloc(2 * n->nops * sizeof *fixed), **ops = fixed + n->nops, *r = NULL;
    u32 nfixed = 0, nops = 0, place = 0;
    bool ok = true;
    for (u32 k = 0; k < n->nops; k++) {
        bool same = n->ops[k]->op == OP_CONST || is_capture(ed, n->ops[k]);
        if (same && !nfixed)
            place = nops++;
        if (same)
            fixed[nfixed++] = n->ops[k];
        else
            ok = (ops[nops++] = node_substitute(ed->st, n->ops[k], memo)) && ok;
    }
    Node *part = ok ? node_make(ed->st, n->op, NULL, nfixed, fixed) : NULL;
    if (part && (ops[place] = captured(ed, part)))
        r = node_make(ed->st, n->op, NULL, nops, ops);
    free(fixed);
    return r && r->type == n->type ? r : NULL;
}

bool loop_hoist_terms(Site *site)
{
    Node *n = site->node, *r = NULL;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    NodeVec sums = {0}, open = {0};
    NodeMap memo = {0};
    find_terms(&s, &sums);
    if (!sums.len)
        site_refuse(site, NULL, "no sum or product has two loop-invariant terms");
    else if (scan_open(site->st, n, &ed)) {
        bool ok = scan_inside(&ed, &sums, &open);
        for (size_t i = 0; i < open.len && ok; i++) {
            Node *now = with_one_term(&ed, open.at[i], &memo);
            ok = now != NULL;
            map_put(&memo, open.at[i], now);
        }
        if (ok && (r = scan_become(site, &ed, &memo)))
            site_why(site, "%zu sum%s or product%s", sums.len, sums.len == 1 ? "" : "s",
                     sums.len == 1 ? "" : "s");
        scan_edit_free(&ed);
    }
    map_free(&memo);
    vec_free(&sums);
    vec_free(&open);
    return r != NULL;
}
