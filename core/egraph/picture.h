/* What an e-graph looked like after an iteration, to be drawn: classes, the e-nodes in them, and
 * which of these the cheapest term has.
 *
 * Of a large one only a part is kept, chosen by counting: the classes of the cheapest term first,
 * then those nearest to the roots. */
#ifndef GRADUS_EGRAPH_PICTURE_H
#define GRADUS_EGRAPH_PICTURE_H

#include "egraph/extract.h"

/* As much as can be seen at once on a page. */
enum {
    PICTURE_NODES = 60,              /* e-nodes that are kept */
    PICTURE_CLASS = 6,               /* of one class: the others are counted */
    PICTURE_ITERATIONS = 24,         /* pictures, but for the last one */
    PICTURE_NEAR = 4 * PICTURE_NODES /* classes of which the first are taken, as far as they fit */
};

typedef struct {
    Node *node;
    u32 class;          /* place of its class */
    const TermId *kids; /* classes of its operands, by their terms */
    bool chosen;
} PictureNode;

typedef struct {
    TermId term;       /* what stands for it */
    u32 first, count;  /* its e-nodes */
    u32 left_out;      /* e-nodes of it that are not there */
    bool root, chosen; /* chosen: the cheapest term has a node of it */
} PictureClass;

typedef struct {
    u32 iteration;      /* 0: before the first */
    u32 nodes, classes; /* of the whole e-graph */
    double cost;
    VEC(PictureClass) at;
    VEC(PictureNode) terms;
    Arena arena;
} EgPicture;

/* Asked for by RuleSet.saturating.pictures. */
typedef struct EgPictures {
    i64 only;        /* this iteration, < 0: the first PICTURE_ITERATIONS and the last one */
    u32 most;        /* classes that are drawn; 0: as many as fit */
    Node *focus;     /* what is near the class of that node, NULL: what is near the roots */
    bool focus_seen; /* the e-graph has it */
    VEC(EgPicture *) at;
} EgPictures;

/* Adds the picture; `out`: the term that was taken out in the end, NULL: the best trees are shown.
 * Another one of the same iteration is replaced. */
void egraph_picture(EgPictures *all, EGraph *g, const CostModel *m, bool freely, u32 iteration,
                    int n, Node *const *roots, Node *const *out);
void egraph_pictures_free(EgPictures *all);

#endif
