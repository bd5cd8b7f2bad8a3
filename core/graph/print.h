/* Printing parts of graphs, for those who print more than whole graphs: steps, drawings, the REPL.
 *
 * Invariant: a node has one number for as long as its Numbering lives, whoever prints it;
 * scalar constants and parameters are written out where they are used and have none. */
#ifndef GRADUS_PRINT_H
#define GRADUS_PRINT_H

#include "graph/graph.h"

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
/* "{axes=(0, 1), reverse=true}", or nothing if there are none to tell. */
void attrs_print(Text *out, const Node *n, Numbering *num);
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

/* ---- in the surface language, as node_source ---- */

/* At most about max_chars characters: the deepest parts are elided as `…`. */
void node_source_limited(Store *st, Text *out, Node *n, bool names, int max_chars);
/* The same, with MARK_OPEN and MARK_CLOSE around each node of `marked` (may be NULL); what leads to
 * one is shown where that is possible. Parameters of `within` (may be NULL) have their names. */
void node_source_marked(Store *st, Text *out, Node *n, int max_chars, const PtrMap *marked,
                        const Graph *within);
enum { MARK_OPEN = 1, MARK_CLOSE = 2 }; /* characters that take no room */
/* `depth` levels of operators (at least 1); what is deeper is shown by its number, %k. */
void node_source_numbered(Store *st, Text *out, Node *n, Numbering *num, int depth);
/* The same; what is deeper, and what is a key of `leaves` below n, is shown by its name in
 * num->within, else by its number. false: something was too deep. */
bool node_source_leaves(Store *st, Text *out, Node *n, Numbering *num, int depth,
                        const PtrMap *leaves);

/* ---- whole graphs in the surface language, loops with their bodies (listing.c) ---- */
typedef struct {
    Numbering *num;       /* what is shared and has no name is %k; NULL: t1, t2, ... */
    const PtrMap *marked; /* between MARK_OPEN and MARK_CLOSE; may be NULL */
    const PtrMap *leaves; /* written by name or number where that is possible, else as ever */
    const Graph *within;  /* the roots are nodes of this body; NULL: of the outermost graph */
    int width;            /* longer lines are broken after operators; 0: 100 */
    bool declared;        /* inputs are not declared: who reads it knows them */
} ListingOptions;
/* Declarations of the inputs, functions, definitions of what is used more than once, of loops and
 * of what bears a name, then the roots: an expression, or a tuple. Reading it gives the same graph
 * (language.md says how). false after a diagnostic that names what cannot be said. */
bool listing_print(Store *st, Text *out, int nroots, Node *const *roots, const ListingOptions *o);
/* The definition of one node, `i = sigmoid(..)`, `d h[t-1] = ..` for an equation of the loop whose
 * body is o->within; before it those that it needs and that have no name. */
bool listing_node(Store *st, Text *out, Node *n, const ListingOptions *o);

#endif
