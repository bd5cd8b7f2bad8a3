/* Writing trees in another notation than the language's. */
#ifndef GRADUS_AST_PRINT_H
#define GRADUS_AST_PRINT_H

#include "syntax/ast.h"

typedef struct Printer Printer;

/* What a notation has no form for is written as in the language. */
typedef struct {
    Tightness (*level)(const Expr *e);
    bool (*put)(Printer *p, const Expr *e); /* without parentheses around it; false: it has none */
} Notation;

struct Printer {
    Pretty *l;
    const HashTable *marked;  /* what trees are of that is to be marked; or NULL */
    bool lines;               /* definitions of blocks and scans stand on lines of their own */
    const Notation *notation; /* NULL: the language's */
};

/* How tightly the language's form of e binds. */
Tightness ast_level(const Expr *e);
/* e, in parentheses if it binds less tightly than its place asks for. */
void ast_put(Printer *p, const Expr *e, Tightness place);
/* What stands behind the name of a call. */
void ast_put_args(Printer *p, const Expr *call);

#endif
