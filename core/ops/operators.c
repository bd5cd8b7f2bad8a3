/* Operators of the syntax, in one place for the elaborator, the rules and the derivatives. */
#include "ops/operators.h"

OpId ast_operator(AstOp op)
{
    switch (op) {
    case AST_OR: return OP_LOGICAL_OR;
    case AST_AND: return OP_LOGICAL_AND;
    case AST_NOT: return OP_LOGICAL_NOT;
    case AST_EQ: return OP_EQ;
    case AST_NE: return OP_NE;
    case AST_LT: return OP_LT;
    case AST_LE: return OP_LE;
    case AST_GT: return OP_GT;
    case AST_GE: return OP_GE;
    case AST_ADD: return OP_ADD;
    case AST_SUB: return OP_SUB;
    case AST_MUL: return OP_MUL;
    case AST_DIV: return OP_DIV;
    case AST_FLOORDIV: return OP_FLOORDIV;
    case AST_MOD: return OP_MOD;
    case AST_MATMUL: return OP_MATMUL;
    case AST_NEG: return OP_NEG;
    case AST_POW: return OP_POW;
    default: return OP_COUNT;
    }
}
