/* From a graph to a figure: what one would draw of it for a book.
 *
 * A figure is a scene of style STYLE_FIGURE. Chains of operators are one formula that names its
 * operands (op "formula"); in loops an elementwise operator between such formulas is a node of its
 * own, drawn as a circle. Each loop, branch, call is a box; its weights are in the subtitle. In a
 * box a state enters at a node of role state and leaves at one of role output, which an edge of
 * kind loopback joins; a sequence enters at a node of role sequence. What a loop backwards reads of
 * the loop forward is an edge from box to box, a rung.
 *
 * A step of a loop that is unrolled is a box of kind step in that of the loop: its j-th node of
 * role state and the j-th end that a state leaves at are one state.
 *
 * Invariant: the same graph and options give the same scene. Numbers, types and values are told
 * only if they are asked for. */
#ifndef GRADUS_FIGURE_H
#define GRADUS_FIGURE_H

#include "viz/scene/scene_build.h"

typedef struct {
    /* 1: operators stand in formulas, none is a circle; 2: and the formulas of a loop are one list;
     * 3: all is a list, without lines. A note tells. */
    int folded;
    /* Nodes that the reader is to look at: the formula, circle or frame that holds one gets a thick
     * border. What was found is false in it. NULL: none. */
    NodeSet *lit;
    bool types;                   /* shapes at lines, those of inputs below */
    Numbering *numbers;           /* of the state; NULL: nothing asks for numbers */
    bool ids;                     /* they are told, as %7 */
    const NodeTexts *data, *grad; /* values, and what the result changes by with them; or NULL */
    i64 unroll;                   /* so many steps of each loop one by one; 0: loops as such */
    const UnrollMap *unrolled;    /* of loops of the outermost graph, with their values; or NULL */
    u32 focus; /* only what is within `depth` lines of what holds that number; 0: everything */
    int depth;
    bool closed; /* frames without what is in them */
    bool each;   /* equal layers one by one, not once for all */
} FigureOptions;

enum { FIGURE_FOLDS = 3 };
/* The figure of the roots; never NULL. */
Scene *figure_from_graph(Store *st, int nroots, Node *const *roots, const char *title,
                         const FigureOptions *options);

#endif
