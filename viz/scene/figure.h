/* From a graph to a figure: what one would draw of it for a book.
 *
 * A figure is a scene of style STYLE_FIGURE. Chains of operators are one formula that names its
 * operands (op "formula"); in loops an elementwise operator between such formulas is a node of its
 * own, drawn as a circle. Each loop, branch, call is a box; its weights are in the subtitle. In a
 * box a state enters at a node of role state and leaves at one of role output, which an edge of
 * kind loopback joins; a sequence enters at a node of role sequence. What a loop backwards reads of
 * the loop forward is an edge from box to box, a rung.
 *
 * Invariant: the same graph gives the same scene. Numbers and types are not told. */
#ifndef GRADUS_FIGURE_H
#define GRADUS_FIGURE_H

#include "graph/store.h"
#include "viz/scene/scene.h"

/* The figure of the roots; never NULL. Folded: 1: operators stand in formulas, none is a circle; 2:
 * and the formulas of a loop are one list; 3: all is a list, without lines. A note tells. */
enum { FIGURE_FOLDS = 3 };
/* `lit`: nodes that the reader is to look at: the formula, circle or frame that holds one gets a
 * thick border. What was found is false in it. */
Scene *figure_from_graph(Store *st, int nroots, Node *const *roots, const char *title, int folded,
                         NodeSet *lit);

#endif
