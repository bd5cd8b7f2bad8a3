/* Structural equality of trees; see ast_equal.c. */
#ifndef GRADUS_AST_EQUAL_H
#define GRADUS_AST_EQUAL_H

#include "syntax/ast.h"

bool ast_equal(const Expr *a, const Expr *b);
bool ast_stmt_equal(const Stmt *a, const Stmt *b); /* comments (`doc`) ignored */

#endif
