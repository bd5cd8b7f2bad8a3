/* Constant folding: the operator's own kernel on constant operands, so that folded and
 * computed values have the same bits. */
#include "ops/build.h"

bool can_fold(const Node *n)
{
    OpClass cls = op_table[n->op].cls;
    if (cls == CLASS_CONTROL || cls == CLASS_IMPLICIT || cls == CLASS_COMPOSITE || !n->nops ||
        n->type->kind != TYPE_TENSOR)
        return false;
    for (u32 i = 0; i < n->nops; i++)
        if (n->ops[i]->op != OP_CONST)
            return false;
    return true;
}

Node *fold_node(Store *st, Node *n)
{
    if (!can_fold(n))
        return n;
    Tensor **in = xcalloc(n->nops, sizeof *in), *out[4] = {NULL};
    bool *moved = xcalloc(n->nops, sizeof *moved);
    for (u32 i = 0; i < n->nops; i++)
        in[i] = n->ops[i]->attrs[0].value;
    Text error = {0};
    EvalArgs e = {.st = st,
                  .heap = &st->heap,
                  .node = n,
                  .nin = (int)n->nops,
                  .nout = 1,
                  .in = in,
                  .moved = moved,
                  .out = out,
                  .error = &error};
    Node *r = NULL;
    if (op_table[n->op].eval(&e) != 0)
        store_error(st, e.code ? e.code : "check", NULL, "%s", text_str(&error));
    else {
        r = node_const(st, out[0]);
        tensor_unref(out[0]);
    }
    text_free(&error);
    free(in);
    free(moved);
    return r;
}
