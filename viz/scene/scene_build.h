/* From a graph to the scene that shows it.
 *
 * Invariant: the same graph, numbers and options give the same scene.  Every node of
 * the graph is drawn or told of: scalar constants in the label of their user, what a
 * focus leaves out as a count at the nodes that are cut. */
#ifndef GRADUS_SCENE_BUILD_H
#define GRADUS_SCENE_BUILD_H

#include "analysis/unroll.h"
#include "rewrite/exploration.h"
#include "viz/scene/scene.h"

typedef MAP(Node *, const char *) NodeTexts;

/* A scan of which the first steps are drawn one by one. */
typedef struct {
    Unroll u;
    i64 rest;        /* how many steps there are after them; -1: not known */
    NodeTexts *grad; /* by step: node of the body -> text of the derivative by it; NULL: none */
} SceneUnroll;
typedef MAP(Node *, SceneUnroll *) UnrollMap; /* by scan */

/* What is known of the nodes of one graph; nothing, unless that runs once. */
typedef struct {
    const NodeTexts *data, *grad; /* values, derivatives with respect to them; may be NULL */
    const NodeMap *copy;          /* of an unrolled step: node -> the one that has its value */
} KnownValues;
KnownValues known_in_step(const SceneUnroll *u, int step, const NodeTexts *data);
/* NULL: not known. */
const char *known_value(const KnownValues *k, const Node *n);
const char *known_grad(const KnownValues *k, const Node *n);

typedef struct {
    const char *title;
    bool inner_closed; /* inner graphs are drawn as one box each */
    Node *focus;       /* only what is within `depth` edges of it; NULL: everything */
    int depth;
    Node *const *before; /* roots of another state, to mark what differs; NULL: no diff */
    bool no_ghosts;      /* what is only there is not drawn */
    bool bare;           /* neither tooltips nor labels of edges: who asks tells them otherwise */
    bool unnumbered;     /* an operand without a name is an ellipsis in the label of its user */
    const Step *step;    /* its nodes are outlined; may be NULL */
    const NodeTexts *data,
        *grad;  /* node -> text: its value, the derivative with respect to it; of the
                   outermost graph, values also of copies in unrolled steps; may be NULL */
    int npairs; /* of a gradient: values, and the cotangent of each or NULL */
    Node *const *primal, *const *adjoint;
    bool halves;                /* what computes cotangents in a box beside the rest */
    const UnrollMap *unrolled;  /* may be NULL */
    const struct Things *calls; /* nodes are in boxes by the calls that they come from; NULL: not */
} SceneOptions;

SceneRole scene_role_of(const Node *n); /* of a leaf; ROLE_NONE: it is none */
/* The scene of the roots (never NULL; without nodes if the focus is not in the graph). */
Scene *scene_from_graph(Store *st, Numbering *num, int nroots, Node *const *roots,
                        const SceneOptions *options);

#endif
