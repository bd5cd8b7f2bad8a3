/* What a step of `simplify` did, told by what the two programs read and how often they add. */
#include "passes/simplify.h"

#include "graph/names.h"
#include "graph/op.h"
#include "graph/walk.h"

typedef struct {
    NodeCounts reads; /* of each source */
    u32 sums;         /* operands that are added to others */
    u32 products;     /* of vectors and matrices, and sums over axes */
} Reads;

static void count_reads(Node *root, const Sources *from, Reads *out)
{
    NodeVec order = {0};
    nodes_topo_until(root, &from->stop, &order);
    for (size_t i = 0; i < order.len; i++) {
        const Node *n = order.at[i];
        bool sum = n->op == OP_ADD || n->op == OP_SUB;
        out->sums += sum ? n->nops - 1 : 0;
        out->products += n->op == OP_MATMUL || n->op == OP_SUM;
        for (u32 k = 0; k < n->nops; k++)
            if (map_has(&from->stop, n->ops[k]))
                map_put(&out->reads, n->ops[k], map_get(&out->reads, n->ops[k]) + 1);
    }
    if (map_has(&from->stop, root))
        map_put(&out->reads, root, 1u);
    vec_free(&order);
}

/* The first source of which that holds. */
static Node *first_less(const Sources *from, Reads *was, Reads *now, bool gone)
{
    for (size_t i = 0; i < from->nodes.len; i++) {
        Node *n = from->nodes.at[i];
        u32 before = map_get(&was->reads, n), after = map_get(&now->reads, n);
        if (after < before && gone == !after)
            return n;
    }
    return NULL;
}

static void put_with_name(Store *st, const char *what, const Node *n, Text *out)
{
    const char *name = node_name(st, n);
    text_printf(out, "%s %s", what, name ? name : op_word(n->op));
}

void simplify_note(Store *st, Node *was, Node *now, const Sources *from, Text *out)
{
    Reads before = {0}, after = {0};
    count_reads(was, from, &before);
    count_reads(now, from, &after);
    Node *gone = first_less(from, &before, &after, true);
    Node *less = first_less(from, &before, &after, false);
    if (gone)
        put_with_name(st, "cancel", gone, out);
    else if (less && after.sums == before.sums)
        put_with_name(st, "factor", less, out);
    else if (less)
        put_with_name(st, "collect", less, out);
    else if (before.products)
        text_put(out, "contract in a different order");
    map_free(&before.reads);
    map_free(&after.reads);
}
