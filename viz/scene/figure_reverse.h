/* Reverse mode over straight-line code as a figure: the graph with v1, v2, .. and adjoints at its
 * nodes, factors at its lines, and arrows that run backwards, as in Griewank and Walther,
 * "Evaluating Derivatives" (2008).
 *
 * A scene of style STYLE_FIGURE whose nodes are formulas; each line forward is an edge of kind
 * data, the arrow beside it that runs back an edge of kind adjoint, labelled with the local
 * derivative. */
#ifndef GRADUS_FIGURE_REVERSE_H
#define GRADUS_FIGURE_REVERSE_H

#include "analysis/reverse_trace.h"
#include "viz/scene/scene.h"

enum { FIGURE_REVERSE_MOST = 40 }; /* values: the lines of more cannot be followed on a page */

/* With values if they are known and `values` asks for them. Never NULL. */
Scene *figure_of_reverse(Store *st, const ReverseTrace *t, const char *title, bool values);

#endif
