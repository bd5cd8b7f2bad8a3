/* The graph's operator for each infix and prefix operator of the syntax. */
#ifndef GRADUS_OPERATORS_H
#define GRADUS_OPERATORS_H

#include "graph/graph.h"
#include "syntax/ast.h"

OpId ast_operator(AstOp op); /* OP_COUNT if it is not one node (transposition) */

#endif
