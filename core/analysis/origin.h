/* Where a NaN or an infinity comes from: the first node that makes one out of numbers.
 *
 * From a value that is not finite the search goes down to an operand that is not either, element by
 * element where the operator is elementwise, until all operands are numbers. A loop is entered at
 * its first step that gives such a value (loop_probe.h); an `if` in the branch that was taken.
 *
 * Invariant: everything is evaluated as it was written, nothing rewritten. What only a branch needs
 * that was not taken is not evaluated. */
#ifndef GRADUS_ORIGIN_H
#define GRADUS_ORIGIN_H

#include "analysis/loop_probe.h"

/* A node on the way, and, of a copy over the leaves of a step, the node of which body. */
typedef struct {
    Node *node;
    Node *inside; /* NULL: it is no copy */
    const Graph *body;
} OriginPlace;

/* A loop that was entered at that step. */
typedef struct {
    Node *scan;
    i64 step;
    LoopProbe probe; /* at that step */
} OriginLoop;

typedef struct {
    bool found;
    Node *at;              /* the origin; given, not made, if it is a leaf or a constant */
    i64 element;           /* of its value, that is not finite */
    VEC(OriginLoop) loops; /* that were entered, the outermost first */
    VEC(OriginPlace) path; /* from the result down to the origin */
    TensorMap values;      /* node -> Tensor, owned: of what was evaluated in the innermost loop */
    MAP(Node *, OriginPlace *) copies; /* copy of a node of a body -> OriginPlace */
    Arena arena;
} NanOrigin;

/* Expands derivatives in the roots so that origin_derived_from knows whose they are. false after a
 * diagnostic. */
bool origin_expand(const Evaluator *e, int n, Node **roots);
/* Looks at the results one after the other, derivatives expanded. Free it either way. false after a
 * diagnostic. */
bool origin_find(const Evaluator *e, int n, Node *const *roots, NanOrigin *out);
void origin_free(NanOrigin *o);

const Tensor *origin_value(const NanOrigin *o, const Node *n); /* NULL: none is known */
/* The place of the operation whose derivative the origin is; NULL: it is none. */
const Span *origin_derived_from(const NanOrigin *o, Store *st);
/* The step of the loop forward through which step l->step of a loop that carries cotangents goes
 * back; -1: it carries none. */
i64 origin_forward_step(Store *st, const OriginLoop *l);
OriginPlace origin_place(const NanOrigin *o, Node *n);
/* Which element of an operand an element of the result of an elementwise operator is made of. */
i64 origin_element(const Tensor *result, i64 element, const Tensor *operand);

/* ---- in words (origin_text.c) ---- */

/* What is there: its name, else its expression, else operator and type. */
void origin_put_label(Text *out, Store *st, OriginPlace p);
/* The expression itself, also of what has a name. */
void origin_put_expression(Text *out, Store *st, const NanOrigin *o, Node *n);
/* " at [1, 2]": an element; nothing of a scalar. */
void origin_put_element(Text *out, const Tensor *v, i64 element);
/* Where it was written. Equal bodies are one graph, written where the first of them was: then the
 * loop says where. NULL: not known. */
const Span *origin_span(const NanOrigin *o, Store *st);

#endif
