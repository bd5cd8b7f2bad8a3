/* Functions, described from the tables: for :help and for LANGUAGE.md. */
#ifndef GRADUS_DESCRIBE_H
#define GRADUS_DESCRIBE_H

#include "session/manual.h"
#include "session/session.h"

typedef struct {
    const char *name;
    const Value *function; /* of the prelude; NULL: a built-in */
    OpId op;               /* of the same name, or OP_COUNT */
    Text call;             /* "sum(x, axis=None, keepdims=false)" */
    Text doc;
    Text types;      /* "bool, i32, i64 give f64; f32, f64 stay", or empty */
    Text derivative; /* "d tanh(x) = (1 - y * y) dx, y = tanh(x)", or empty */
    Text definition; /* of a composite: "norm(x, axis) = sqrt(sum(sqr(x), axis=axis))", or empty */
    Text facts;      /* "may fail at run time; ...", or empty */
    const char *cls; /* "elementwise" */
    ManualExample example;
} Description;

/* The chapters of functions, in the order of the manual: the groups of builtins.def, all
 * elementwise operators in theirs, the prelude last. NULL after the last. */
const char *describe_chapter(size_t k);
/* The k-th function of a chapter, or NULL. */
const char *describe_function_name(Session *scratch, size_t chapter, size_t k);

/* `scratch` is a Session of its own: trying which dtypes a function takes leaves traces in it.
 * False if no function of the language has that name. */
bool describe_function(Session *scratch, const char *name, Description *d);
void description_free(Description *d);
/* What the text of a definition says: what stands after its `=`, below the comments above it; so
 * many characters of its first line. */
void definition_put_meaning(Text *out, const char *text, size_t most_shown);

#endif
