/* What the parts of scene_build share; nobody else includes this. */
#ifndef GRADUS_SCENE_PARTS_H
#define GRADUS_SCENE_PARTS_H

#include "graph/print.h"
#include "lang/dimensions.h"
#include "viz/scene/entry.h"
#include "viz/scene/scene_build.h"

/* Where an edge from a value begins. */
typedef struct {
    int node, box;
    const char *tail;
    SceneEdgeKind kind;
} End;

/* The results of a node with inner graphs. */
typedef struct {
    int n;
    End at[];
} Results;

typedef struct Diff Diff;

/* One graph being drawn: the outermost one, or a body in its box. */
typedef struct Frame {
    int box;  /* that nodes are put into now */
    int base; /* without the boxes of calls */
    MAP(Node *, End *) ends;
    MAP(Node *, Results *) results;
    const Diff *diff; /* from the same graph before; NULL: nothing is marked */
    bool outermost;
    KnownValues known;
} Frame;

/* What a call became. */
typedef struct {
    int around; /* the box that it stands in */
    const struct Thing *call;
    int box;
} CallBox;

typedef struct {
    Store *st;
    Numbering *num;
    const SceneOptions *options;
    Scene *scene;
    Arena arena;
    MAP(const Graph *, int) boxes; /* Graph -> its first box + 1 */
    MAP(Node *, int) boxes_of;     /* node with inner graphs -> its first box */
    Diff *diffs;                   /* all of them, to be freed */
    NodeSet forward;               /* nodes of the forward half */
    int halves[2];                 /* its box, and that of the adjoint half; 0: not drawn so */
    VEC(CallBox) calls;
    NodeSet used; /* projections that something in the graphs drawn so far reads */
    int depth;
    const Graph *graph;      /* the body being drawn; NULL: the outermost graph */
    BoundSizes sizes;        /* of that body */
    Dimensions *dimensions;  /* and the names that they have there */
    MAP(int, Symbol) called; /* node of the scene -> its name, or NULL */
} Builder;

/* ---- scene_label.c ---- */
SceneClass label_class(const Node *n);
/* Is it written into the labels of its users instead of being drawn? */
bool label_folds(const Node *n);
/* "tanh", "x * 2.0", "sum axis=0"; lives in the builder's arena. */
const char *label_node(Builder *b, const Node *n);
/* The same behind the name that it has. */
Phrase label_words(Builder *b, const Node *n);
/* "y", "tanh", "+": how others refer to it. */
const char *label_short(Builder *b, const Node *n);
/* What people call the value of a node of the graph being drawn, or NULL. */
Symbol label_name(Builder *b, const Node *n);
const char *label_type(Builder *b, const Type *t);
const char *label_type_of(Builder *b, Node *n); /* with the names of its dimensions */
/* A size as the graph being drawn calls it. */
Size *label_size(void *builder, Size *s);
const char *label_source(Builder *b, Node *n); /* for tooltips; NULL: there are none */
const char *label_text(Builder *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "0" for operands of which the order matters, "" for others. */
const char *label_operand(Builder *b, const Node *n, u32 i);
/* "scan n=4", "loop n<=k", "scan". */
const char *label_loop(Builder *b, const Node *loop);
const char *label_steps(Builder *b, const Node *loop); /* direction and policy, or NULL */

/* ---- scene_build.c ---- */
/* Which thing it shows; the numbering knows the graph that is being drawn. */
void node_identify(const Builder *b, const Node *n, SceneNode *out);
void thing_ids(const struct Thing *t, u32 *thing, u32 *origin); /* 0: it is none */
const struct Thing *thing_original(const struct Thing *t);
/* What is known of a node's value is written on it. */
void frame_value(const Frame *f, const Node *n, SceneNode *out);
/* Where edges from n begin; returns it. */
End frame_set_end(Builder *b, Frame *f, const Node *n, End e);
End frame_end(Builder *b, Frame *f, Node *n);
void draw_edge(Builder *b, End from, End to, const Node *value, const char *head,
               SceneEdgeKind kind, SceneMark mark);
void frame_draw(Builder *b, Frame *f, int nroots, Node *const *roots);

/* ---- scene_control.c: nodes that own graphs ---- */
void control_draw(Builder *b, Frame *f, Node *n);
/* False: there is none, or it is written in labels. */
bool operand_is_drawn(const Node *n);
const char *param_name(Builder *b, const Graph *g, int i);
Results *results_new(Builder *b, Frame *f, Node *n, int count);

/* ---- scene_unroll.c ---- */
void unrolled_draw(Builder *b, Frame *f, Node *scan, const SceneUnroll *u);

/* ---- scene_diff.c ---- */
const Diff *diff_outermost(Builder *b, int nroots, Node *const *roots);
/* Of inner graph g of `owner`; NULL if it is as before, or the owner is new. */
const Diff *diff_inside(Builder *b, const Diff *around, const Node *owner, Graph *g);
SceneMark diff_mark(const Diff *d, const Node *n);
SceneMark diff_edge(const Diff *d, const Node *user, const Node *operand);
/* What is no longer there, drawn once more in the frame of what is. */
void diff_ghosts(Builder *b, Frame *f);
void diff_free(Builder *b);

/* ---- scene_adjoint.c ---- */
/* Boxes for the halves, if both have nodes. */
void halves_begin(Builder *b, int nroots, Node *const *roots);
int half_of(const Builder *b, const Node *n); /* the box; 0 for what belongs to neither */
bool is_half(const Builder *b, int box);
/* Links from cotangents to what they belong to. */
void adjoint_links(Builder *b, Frame *f);

/* ---- scene_calls.c ---- */
/* Where n of the graph being drawn stands: in the box of a call that it comes from, or in `base`.
 */
int called_box(Builder *b, int base, const Node *n);
bool is_called(const Builder *b, int box); /* Is it the box of such a call? */

#endif
