/* Printing parts of graphs, for those who print more than whole graphs: steps, drawings, the REPL.
 *
 * Invariant: a node has one number for as long as its Numbering lives, whoever prints it;
 * scalar constants and parameters are written out where they are used and have none. */
#ifndef GRADUS_PRINT_H
#define GRADUS_PRINT_H

#include "graph/store.h"

/* ---- as in graph_print ---- */

/* As type_print, but sizes that are values of nodes are %k, and the text can be read back. */
void type_print_numbered(Text *out, const Type *t, Numbering *num);
void size_print_numbered(Text *out, const Size *s, Numbering *num);
/* @k of an inner graph: counted on its own, kept in the same Numbering. */
u32 number_of_graph(Numbering *num, const Graph *g);
/* The graph that has this key in a numbering, or NULL: it is that of a node. */
Graph *numbering_graph(const void *key);
/* Is it written out where it is used (a scalar constant, a parameter)? */
bool node_is_inline(const Node *n);
/* "%4", "p0", "2.0", "f32(0.5)". */
void operand_print(Text *out, const Node *n, Numbering *num);
/* "%4 : f64[n] = mul(%1, 2.0)", without newline. */
void node_print_line(Store *st, Text *out, const Node *n, Numbering *num);
/* All elements, so that the same bits can be read back: "[[1.0, nan], [-0.0, inf]]", "f32([0.5])".
 */
void constant_print(Text *out, const Tensor *t);
/* The same as an expression of the language that is read as this constant. */
void constant_source(Text *out, const Tensor *t);
void quoted_print(Text *out, const char *s); /* in quotes */
/* A plain identifier as it is, anything else as a quoted string. */
void word_print(Text *out, const char *s);
/* Operand i in the order in which the source wrote them (commutative operators sort theirs). */
Node *source_operand(Store *st, const Node *n, u32 i);

#endif
