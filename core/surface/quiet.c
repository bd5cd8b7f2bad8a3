/* Broadcasts that need not be written: the operators repeat their operands along axes by
 * themselves.
 *
 * Invariant: without them, what is written is read as the same node. Only sizes decide about that,
 * so variables of the operands' types stand for the operands; in a graph their sizes are names, as
 * those of what is being read. */
#include <stdio.h>

#include "ops/build.h"
#include "surface/tree.h"

enum {
    DEEPEST_SIZE = 8, /* n // 2 - 2 + .. */
    MOST_OPERANDS = 8 /* of a longer sum all is written */
};

static bool is_repeated(const Node *op) { return op->op == OP_BROADCAST && op->ops[0]->type->rank; }

Node *quiet_operand(Node *op) { return is_repeated(op) ? op->ops[0] : op; }

static Size *as_name(Store *st, SizeAtom *a, void *context)
{
    (void)context;
    char name[32];
    if (a->kind != ATOM_PARAM)
        return NULL;
    snprintf(name, sizeof name, "d%lld", (long long)a->index);
    return size_name(st, symbol(st, name));
}

/* A size as it is over such variables; NULL: that cannot be said. */
static Node *size_over_names(Store *st, Node *n, int depth)
{
    Node *ops[3];
    if (n->op == OP_CONST || n->op == OP_SIZE)
        return n;
    if (n->op == OP_DIM)
        return size_to_node(st, size_map(st, n->ops[0]->type->dims[n->attrs[0].i], as_name, NULL));
    if (!n->nops || n->nops > COUNT_OF(ops) || depth == DEEPEST_SIZE)
        return NULL;
    for (u32 i = 0; i < n->nops; i++)
        if (!(ops[i] = size_over_names(st, n->ops[i], depth + 1)))
            return NULL;
    return node_with_operands(st, n, ops);
}

/* Is `repeated`, made of a variable, as `op` is made of what the variable stands for? */
static bool same_broadcast(Store *st, const Node *repeated, const Node *op)
{
    bool same = repeated->op == OP_BROADCAST && repeated->nops == op->nops &&
                repeated->attrs[0].ints == op->attrs[0].ints;
    for (u32 i = 1; i < op->nops && same; i++)
        same = repeated->ops[i] == size_over_names(st, op->ops[i], 0);
    return same;
}

/* Is the variable x, an operand that was given for `op`, repeated in n as that is? */
static bool same_operand(Store *st, const Node *n, const Node *x, const Node *op)
{
    for (u32 i = 0; i < n->nops; i++)
        if (n->ops[i] == x || quiet_operand(n->ops[i]) == x)
            return is_repeated(op) ? same_broadcast(st, n->ops[i], op) : n->ops[i] == x;
    return false;
}

static bool same_node(Store *st, const Node *n)
{
    Node *given[MOST_OPERANDS];
    for (u32 i = 0; i < n->nops; i++) {
        Node *x = quiet_operand(source_operand(st, n, i));
        Type *t = x->op == OP_CONST ? NULL : type_map_sizes(st, x->type, as_name, NULL);
        given[i] = t ? node_temp(st, t, NULL) : x;
    }
    if (n->nops > 2 && op_table[n->op].flags & NARY && !build_is_chain(n->nops, given))
        return false;
    Node *made = build_elementwise(st, n->op, n->nops, given);
    bool same = made && made->op == n->op && made->nops == n->nops;
    for (u32 i = 0; i < n->nops && same; i++)
        same = same_operand(st, made, given[i], source_operand(st, n, i));
    return same;
}

bool quiet_broadcasts(Store *st, const Node *n)
{
    bool any = false;
    for (u32 i = 0; i < n->nops && op_is_elementwise(n->op) && !n->nattrs && !any; i++)
        any = is_repeated(n->ops[i]);
    if (!any || n->nops > MOST_OPERANDS)
        return false;
    u32 temps = st->temp_count;
    struct NameScope *around = st->scope;
    DiagTry trial;
    diag_try_begin(&trial, &st->diags);
    st->scope = NULL;
    bool quiet = same_node(st, n);
    st->scope = around;
    st->temp_count = temps;
    diag_try_end(&trial);
    return quiet;
}
