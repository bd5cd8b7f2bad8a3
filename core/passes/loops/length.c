/* Sizes as values: in a closed graph a size has no name, it is read off a tensor that has it. */
#include "passes/loops/loops.h"

/* An axis of an operand that is as long, or the number of steps. */
static Node *read_off(Store *st, const Node *scan, Size *z)
{
    for (u32 i = 0; i < scan->nops; i++)
        for (int a = 0; scan->ops[i]->type->kind == TYPE_TENSOR && a < node_rank(scan->ops[i]); a++)
            if (scan->ops[i]->type->dims[a] == z)
                return node_dim(st, scan->ops[i], a);
    return size_of_node(st, scan->ops[0]) == z ? scan->ops[0] : NULL;
}

static Node *atom_length(Store *st, const Node *scan, SizeAtom *a)
{
    for (u32 i = 0; i < scan->nops; i++) {
        const Type *type = scan->ops[i]->type;
        for (int k = 0; type->kind == TYPE_TENSOR && k < type->rank; k++)
            if (size_as_atom(type->dims[k]) == a)
                return node_dim(st, scan->ops[i], k);
    }
    if (size_as_atom(size_of_node(st, scan->ops[0])) == a)
        return scan->ops[0];
    if (a->kind == ATOM_NODE)
        return a->node;
    if (a->kind != ATOM_MAX && a->kind != ATOM_MIN && a->kind != ATOM_FLOORDIV)
        return NULL;
    Node *x = scan_length(st, scan, a->a), *y = scan_length(st, scan, a->b);
    return x && y ? node2(st, size_pair_op(a->kind), NULL, x, y) : NULL;
}

static Node *term_length(Store *st, const Node *scan, const SizeTerm *t)
{
    Node *product = t->coef == 1 ? NULL : node_i64(st, t->coef);
    for (u32 k = 0; k < t->nfactors; k++) {
        Node *f = atom_length(st, scan, t->factors[k]);
        if (!f)
            return NULL;
        product = product ? node2(st, OP_MUL, NULL, product, f) : f;
    }
    return product;
}

Node *scan_length(Store *st, const Node *scan, Size *z)
{
    Node *whole = read_off(st, scan, z);
    if (whole)
        return whole;
    if (size_is_global(z))
        return size_to_node(st, z);
    Node *sum = NULL;
    for (u32 i = 0; i < z->nterms; i++) {
        Node *term = term_length(st, scan, &z->terms[i]);
        if (!term)
            return NULL;
        sum = sum ? node2(st, OP_ADD, NULL, sum, term) : term;
    }
    if (!sum || !z->constant)
        return sum ? sum : node_i64(st, z->constant);
    return node2(st, OP_ADD, NULL, sum, node_i64(st, z->constant));
}
