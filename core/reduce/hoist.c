/* Single nodes of any graph become one of their operands, sums and products lose one, and inputs
 * of one type become one. */
#include "reduce/parts.h"

#include "graph/op.h"

/* Every node with the graph that it stands in, users first. */
static void find_nodes(const Reduction *r, StandingVec *out)
{
    nodes_standing((int)r->roots.len, r->roots.at, NULL, out);
    for (size_t i = 0, k = out->len; i + 1 < k; i++) {
        Standing s = out->at[i];
        out->at[i] = out->at[--k];
        out->at[k] = s;
    }
}

/* The operand as a value of n's type; NULL: there is no simple change that makes it one. */
static Node *fitted(Reduction *r, Node *n, Node *operand)
{
    const Type *have = operand->type, *want = n->type;
    if (have->kind != TYPE_TENSOR || want->kind != TYPE_TENSOR || have == want)
        return have == want ? operand : NULL;
    bool number = want->dtype != DT_RNG && have->dtype != DT_RNG;
    bool shape = have->rank == want->rank;
    for (int a = 0; shape && a < have->rank; a++)
        shape = have->dims[a] == want->dims[a];
    return number && shape ? node_cast(r->st, operand, want->dtype) : NULL;
}

/* What n could be: operands of what gives it, too. */
static bool becomes_operand(Reduction *r, const Standing *s)
{
    const Node *from = s->node->op == OP_PROJ ? s->node->ops[0] : s->node;
    for (u32 k = 0; k < from->nops; k++) {
        DiagTry trial;
        diag_try_begin(&trial, &r->st->diags);
        Node *instead = fitted(r, s->node, from->ops[k]);
        diag_try_end(&trial);
        if (instead && try_instead(r, s->within, s->node, instead))
            return true;
    }
    return false;
}

/* A sum or product without operand k. */
static Node *without(Reduction *r, const Node *n, u32 k)
{
    Node **ops = xmalloc(n->nops * sizeof *ops);
    u32 m = 0;
    DiagTry trial;
    for (u32 i = 0; i < n->nops; i++)
        if (i != k)
            ops[m++] = n->ops[i];
    diag_try_begin(&trial, &r->st->diags);
    Node *less = node_make(r->st, n->op, n->attrs, m, ops);
    diag_try_end(&trial);
    free(ops);
    return less && less->type == n->type ? less : NULL;
}

static bool loses_operand(Reduction *r, const Standing *s)
{
    const Node *n = s->node;
    for (u32 k = 0; n->nops > 2 && op_table[n->op].flags & NARY && k < n->nops; k++) {
        Node *less = without(r, n, k);
        if (less && try_instead(r, s->within, s->node, less))
            return true;
    }
    return false;
}

static bool hoist_one(Reduction *r)
{
    StandingVec all = {0};
    bool found = false;
    find_nodes(r, &all);
    for (size_t i = 0; i < all.len && !found && !shrink_stops(r); i++)
        found = becomes_operand(r, &all.at[i]) || loses_operand(r, &all.at[i]);
    vec_free(&all);
    return found;
}

static bool is_leaf(const Node *n) { return n->op == OP_INPUT || n->op == OP_SHARED; }

static bool merge_one(Reduction *r)
{
    enum { MOST = 64 }; /* inputs: their pairs are tried */
    NodeVec order = {0}, leaves = {0};
    bool found = false;
    nodes_topo((int)r->roots.len, r->roots.at, &order);
    for (size_t i = 0; i < order.len && leaves.len < MOST; i++)
        if (is_leaf(order.at[i]))
            vec_push(&leaves, order.at[i]);
    for (size_t i = 0; i < leaves.len; i++)
        for (size_t k = 0; k < i && !found && !shrink_stops(r); k++)
            found = leaves.at[i]->type == leaves.at[k]->type &&
                    try_instead(r, NULL, leaves.at[i], leaves.at[k]);
    vec_free(&order);
    vec_free(&leaves);
    return found;
}

void shrink_hoist(Reduction *r)
{
    while (hoist_one(r))
        ;
    while (merge_one(r))
        ;
}
