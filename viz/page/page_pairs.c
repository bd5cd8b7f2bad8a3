/* Which loop, branch or derivative of a graph stands where another stood before a step.
 *
 * A rule that rebuilds a loop makes a new node with a new body: without a pair, all of it would
 * leave its place. Owners are paired in order, those of an operator with each other (and a scan
 * with the loop it runs as), then what stands in their graphs in the same way.
 *
 * Invariant: each node is in one pair at most. */
#include "viz/page/page_parts.h"

static bool owns_graph(const Node *n)
{
    int slots[4];
    return node_graphs(n, slots) > 0;
}

static bool may_follow(const Node *a, const Node *b)
{
    return a->op == b->op || (a->op == OP_SCAN && b->op == OP_LOOP);
}

static void pair_two(Pager *p, Node *a, Node *b, Pairs *moved, State *at);

static void pair_graphs(Pager *p, Graph *a, Graph *b, Pairs *moved, State *at)
{
    NodeVec before = {0}, after = {0};
    nodes_topo(a->nouts, a->outs, &before);
    nodes_topo(b->nouts, b->outs, &after);
    size_t next = 0;
    for (size_t i = 0; i < before.len; i++) {
        if (!owns_graph(before.at[i]))
            continue;
        size_t k = next;
        while (k < after.len && !may_follow(before.at[i], after.at[k]))
            k++;
        if (k == after.len)
            continue;
        if (after.at[k] != before.at[i])
            pair_two(p, before.at[i], after.at[k], moved, at);
        next = k + 1;
    }
    vec_free(&before);
    vec_free(&after);
}

static void pair_two(Pager *p, Node *a, Node *b, Pairs *moved, State *at)
{
    Pair pair = {number_of(p->num, a), number_of(p->num, b)};
    vec_push(moved, pair);
    vec_push(&at->loops, pair.to);
    int from[4], to[4], n = node_graphs(a, from);
    if (node_graphs(b, to) != n)
        return;
    for (int i = 0; i < n; i++)
        pair_graphs(p, a->attrs[from[i]].graph, b->attrs[to[i]].graph, moved, at);
}

/* Owners that the changes replace: the replaced nodes themselves. */
static void replaced_owners(const Step *s, NodeVec *out)
{
    for (int i = 0; i < s->nchanges; i++) {
        Node *a = s->changes[i].before;
        a = a->op == OP_PROJ ? a->ops[0] : a;
        if (owns_graph(a) && (!out->len || out->at[out->len - 1] != a))
            vec_push(out, a);
    }
}

/* Owners below the changes that are gone after them. */
static void gone_owners(const Step *s, NodeVec *out)
{
    NodeVec before = {0}, after = {0};
    PtrMap stays = {0}, seen = {0};
    for (int i = 0; i < s->nchanges; i++) {
        nodes_topo_more(s->changes[i].before, &seen, &before);
        nodes_topo_more(s->changes[i].after, &stays, &after);
    }
    for (size_t i = 0; i < before.len; i++)
        if (owns_graph(before.at[i]) && !map_has(&stays, before.at[i]))
            vec_push(out, before.at[i]);
    vec_free(&before);
    vec_free(&after);
    map_free(&stays);
    map_free(&seen);
}

void pair_owners(Pager *p, const Step *s, const NodeVec *made, Pairs *moved, State *at)
{
    NodeVec gone = {0};
    PtrMap taken = {0};
    if (p->opened)
        gone_owners(s, &gone);
    else
        replaced_owners(s, &gone);
    for (size_t i = 0; i < gone.len; i++)
        for (size_t k = 0; k < made->len; k++)
            if (may_follow(gone.at[i], made->at[k]) && !map_has(&taken, made->at[k])) {
                map_put(&taken, made->at[k], p);
                pair_two(p, gone.at[i], made->at[k], moved, at);
                break;
            }
    vec_free(&gone);
    map_free(&taken);
}
