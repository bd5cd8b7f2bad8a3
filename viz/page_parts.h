/* What the parts of page_build share; nobody else includes this.
 *
 *   page_states.c  the steps one by one: rows of the list and the graphs between them
 *   page_union.c   the scenes of a pass put together: what is the same stands in one place
 *   page_data.c    rows, views and nodes as JSON
 *   page_build.c   layouts, the template */
#ifndef GRADUS_PAGE_PARTS_H
#define GRADUS_PAGE_PARTS_H

#include "base/json.h"
#include "graph/print.h"
#include "viz/page_build.h"
#include "viz/scene.h"

typedef struct {
    u32 from, to; /* numbers of nodes */
} Pair;
typedef VEC(Pair) Pairs;

/* A change as the page tells it. */
typedef struct {
    u32 before, after; /* 0: a constant or a parameter, which has no number */
    char *before_text, *after_text;
    VEC(u32) made; /* numbers that come with it */
} RowChange;

/* A line of the list of steps. */
typedef struct {
    const Step *step;
    char *number; /* "4.2" */
    int depth;
    int before, after; /* states of the view */
    bool whole;        /* has rows of its own below: the change of a body as one */
    VEC(RowChange) changes;
    Pairs moved; /* users that were rebuilt over new operands */
} Row;

/* A graph of a view, derived from an earlier one. */
typedef struct {
    int parent; /* -1: the first */
    Scene *scene;
    Pairs moved;    /* what became what since the parent */
    VEC(u32) loops; /* owners whose body was rebuilt as a whole */
} State;

/* What is laid out together: the states of one pass. */
typedef struct {
    const PassRun *run; /* NULL: the source or the result */
    VEC(Row) rows;
    VEC(State) states;
} View;

typedef struct {
    Exploration *x;
    Store *st;
    Numbering *num;
    View *view;
    int state;     /* the current one of the view */
    PtrMap shown;  /* logs of bodies: each is listed once */
    PtrMap met;    /* nodes and graphs that stand in some state */
    NodeVec nodes; /* the nodes among them, by number - 1; may hold NULL */
    size_t budget; /* nodes that may still be drawn in states of inner steps */
    bool cut;      /* it was not enough */
} Pager;

/* ---- page_states.c ---- */
void view_source(Pager *p, View *v, int n, Node *const *roots);
/* The states of a pass; `roots` are taken through its steps. */
bool view_pass(Pager *p, View *v, const PassRun *run, int n, Node **roots);
void view_free(View *v);

/* ---- page_union.c ---- */
/* A thing with one place in the layout, and what it shows in the states. */
typedef struct {
    int box;              /* slot of the box it stands in; 0: outermost */
    VEC(SceneNode) shows; /* or, of a box: */
    VEC(SceneBox) titles;
    int now;   /* which of them the state shows; -1: not there */
    int next;  /* the same for the state that is being placed */
    u32 id;    /* its number where it was seen last */
    int last;  /* the state in which it was placed last */
    int chain; /* next slot that hashes alike */
    u64 feeds; /* what goes into it, hashed */
} Slot;

typedef struct {
    SceneEdge edge; /* ends are slots; texts stay in the first scene that has it */
    int now, last, chain;
} EdgeSlot;

typedef struct {
    int slot, shows;
} Show;

/* What a state shows other than its parent. */
typedef struct {
    VEC(Show) nodes, boxes, edges; /* shows -1: gone */
} Delta;

typedef struct {
    Arena arena;
    VEC(Slot) nodes, boxes; /* slot k is at[k - 1] */
    VEC(EdgeSlot) edges;
    VEC(Delta) states;
    Scene *scene; /* of everything, to be laid out; NULL if there is nothing */
} Union;
void union_build(Union *u, const View *v);
void union_free(Union *u);

/* ---- page_data.c ---- */
typedef struct {
    Text strings; /* the table, as JSON */
    PtrMap index; /* Symbol -> its place in the table + 1 */
    int count;
    PtrMap rules;
    VEC(const Rule *) rule_list;
    Json j;
} Data;
void data_begin(Data *d, const PageOptions *options, Text *out);
/* `layout` is JSON; `name` is told if no pass ran. */
void data_view(Data *d, Pager *p, const char *name, const View *v, const Union *u,
               const char *layout);
void data_empty(Data *d, const PassRun *run);
void data_end(Data *d, Pager *p, const char *notes);

#endif
