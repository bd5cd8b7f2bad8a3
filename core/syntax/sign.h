/* Operators that are written as signs, and how tightly they bind. */
#ifndef GRADUS_SIGN_H
#define GRADUS_SIGN_H

/* Operators: the rows of syntax.def, and the quote behind an operand. */
typedef enum {
#define INFIX(TREE, TOKEN, SIGN, LEVEL, LEFT, RIGHT, OPERATOR) AST_##TREE,
#define WORD INFIX
#define PREFIX(TREE, TOKEN, SIGN, LEVEL, OPERAND, OPERATOR) AST_##TREE,
#include "syntax/syntax.def"
    AST_TRANSPOSE
} AstOp;

/* Operators from loose to tight: a tree stands in parentheses where its level is looser than its
 * place allows. */
typedef enum {
    LEVEL_ANY, /* functions and `if` reach as far as they can */
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE,
    LEVEL_WITH,
    LEVEL_BITOR,
    LEVEL_BITAND,
    LEVEL_SHIFT,
    LEVEL_ADD,
    LEVEL_MUL,
    LEVEL_NEG,
    LEVEL_POW,
    LEVEL_POSTFIX
} Tightness;

/* A row of syntax.def. A prefix operator has its operand on the right. */
typedef struct {
    const char *sign;
    Tightness level, left, right;
} Sign;
const Sign *ast_sign(AstOp op);
const char *ast_op_text(AstOp op); /* its sign */

#endif
