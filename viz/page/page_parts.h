/* What the parts of page_build share; nobody else includes this.
 *
 *   page_states.c  the steps one by one: rows of the list and the graphs between them
 *   page_text.c    what a state says: formulas of its results, its program
 *   page_union.c   the scenes of a pass put together: what is the same stands in one place
 *   lay_sizes.c    a union as a graph to be laid out (lay.h)
 *   page_stops.c   layouts of two states at a time
 *   page_repeat.c  what repeats, such as layers
 *   page_turns.c   its turns, forward and back
 *   page_fold.c    that drawn once
 *   page_layout.c  layouts in few letters
 *   page_data.c    rows and views as JSON
 *   page_nodes.c   nodes and rules as JSON
 *   page_build.c   layouts, the template */
#ifndef GRADUS_PAGE_PARTS_H
#define GRADUS_PAGE_PARTS_H

#include "base/json.h"
#include "graph/print.h"
#include "rewrite/things.h"
#include "viz/page/lay.h"
#include "viz/page/page_build.h"
#include "viz/scene/scene.h"

/* A change as the page tells it. */
typedef struct {
    u32 before, after; /* 0: a constant or a parameter, which has no number */
    char *before_text, *after_text;
} RowChange;

/* A line of the list of steps. */
typedef struct {
    const Step *step;
    char *number; /* "4.2" */
    int depth;
    int before, after; /* states of the view */
    bool whole;        /* has rows of its own below: the change of a body as one */
    VEC(RowChange) changes;
    Scene *scene; /* of `after`, marked by what differs from `before`; NULL: that of the state is */
    VEC(int) changed_nodes, changed_boxes; /* slots that hold the same thing before and after */
    VEC(int) kept; /* numbers of results that are there before and after, drawn in one of them */
} Row;

/* A row whose steps are shown on graphs of their own: those that end at what it replaces, or of a
 * body. */
typedef struct {
    char *number; /* of the row */
    int depth;
    const StepLog *log;
    int n;
    Node *const *start;
    const Graph *within; /* the body, for the names of its parameters; NULL: none */
} Opening;

/* A graph of a view, derived from an earlier one. */
typedef struct {
    int parent;   /* -1: the first */
    Scene *scene; /* marked by what differs from the parent */
    Node **roots;
    int n;
    char *sentence, *program; /* page_text.c */
} State;

/* A node that has a number, and the graph in which it was met; node NULL: none was. */
typedef struct {
    Node *node;
    const Graph *within;
    const Thing *thing;
    bool stays; /* it stands in the result */
} Known;

/* What is laid out together: the states of several passes, or of child steps. */
typedef struct {
    VEC(Row) rows;
    VEC(State) states;
} View;

typedef struct {
    Exploration *x;
    const PageOptions *options;
    Store *st;
    Numbering *num;
    View *view;
    const Graph *graph;         /* that its states are states of; NULL: the outermost */
    int state;                  /* the current one of the view */
    SET(const StepLog *) shown; /* logs of bodies: each is listed once */
    GraphSet met;               /* graphs of nodes that stand in some state */
    VEC(Known) known;           /* by number - 1 */
    bool last;                  /* what is met is the result */
    bool opened;                /* the view is that of child steps of a derivative */
    VEC(Opening) openings;      /* of the pass, to be shown yet */
    size_t budget;              /* nodes that may still be drawn in states of inner steps */
    bool cut;                   /* it was not enough */
    size_t told;                /* nodes in the programs that are written */
    u32 stride;                 /* so many steps of the view's graph lead to the next state */
    size_t waiting;             /* rows at the end of the view whose state is yet to come */
} Pager;

/* ---- page_states.c ---- */
/* The first state of a view. */
void view_source(Pager *p, View *v, int n, Node *const *roots);
void pager_end(Pager *p, int n, Node *const *roots); /* these are the result */
/* The rows and states of a pass, added to the view; `roots` are taken through its steps. */
bool view_pass(Pager *p, const PassRun *run, int n, Node **roots);
/* A view of its own, in which so many steps lead to the next state; the pager goes on with the one
 * it had. */
bool view_opened(Pager *p, View *v, const Opening *o, u32 stride);
void view_free(View *v);

/* ---- page_text.c ---- */
void state_tell(Pager *p, State *s); /* fills in the texts; view_free frees them */

/* ---- unions ---- */
/* A place in the layout, and what it shows in the states. */
typedef struct {
    int box;              /* slot of the box it stands in; 0: outermost */
    VEC(SceneNode) shows; /* or, of a box: */
    VEC(SceneBox) titles;
    int now;    /* which of them the state shows; -1: not there */
    int next;   /* the same for the state that is being placed */
    u64 key;    /* of what it held last (page_union.c) */
    u32 origin; /* of that, as in SceneNode */
    int last;   /* the state in which it was placed last */
    int life;   /* in how many states it is */
} Slot;

typedef struct {
    SceneEdge edge; /* ends are slots; texts stay in the first scene that has it */
    int now, last, chain;
    int life; /* in how many states it is */
} EdgeSlot;

typedef struct {
    int slot, shows;
} Show;

typedef VEC(Show) Shows;

/* What a state shows other than its parent. */
typedef struct {
    Shows nodes, boxes, edges; /* shows -1: gone */
} Delta;

typedef struct {
    Arena arena;
    VEC(Slot) nodes, boxes; /* slot k is at[k - 1] */
    VEC(EdgeSlot) edges;
    VEC(Delta) states;
} Union;

/* ---- page_union.c ---- */
void union_build(Union *u, View *v); /* and the marks of its rows */
void union_free(Union *u);

/* ---- lay_sizes.c ---- */
/* How large the place of a slot has to be for all that it shows. */
LayNode node_room(const Slot *s, int box);
LayBox box_room(const Slot *s, int parent);
LayKind edge_room(SceneEdgeKind k);
/* Lays a union out; the caller frees it. */
void union_layout(const Union *u, Layout *out);

/* ---- page_stops.c ---- */
/* As JSON: rooms of the nodes, and the layout of each pair of states that a row leads between. */
void stops_put(Json *j, const Union *u, const View *v);

/* ---- page_layout.c ---- */
void letters_put(Text *out, i64 x);
/* A list by what differs from the one before: 0 if nothing does, else how many numbers are written
 * plus 1, how many at both ends are those before, and the numbers between. */
void letters_put_since(Text *out, const Places *was, const Places *is);
/* The points of an edge as "x y tip" and its curves, in few numbers; nothing if it has none. */
void way_shorten(const Places *way, Places *out);
void json_letters(Json *j, Text *letters);           /* which are freed */
void layout_put(Json *j, const Layout *l, bool cut); /* cut: with tails and heads */

/* ---- page_data.c ---- */
typedef struct {
    Text strings;           /* the table, as JSON */
    MAP(Symbol, int) index; /* Symbol -> its place in the table + 1 */
    int count;
    MAP(const char *, int) rules; /* "name\nreason" -> its place in the list + 1 */
    Text rule_list;
    int rule_count;
    const PageOptions *options;
    VEC(double) numbers; /* of color=, by %k; nan: none */
    Json j;
} Data;
void data_begin(Data *d, const PageOptions *options, Text *out);
/* A pass, or, without a run, what is called `name`; its rows are those from `first` to before
 * `end`. */
typedef struct {
    const PassRun *run;
    const char *name;
    int view; /* which one */
    size_t first, end;
    int at;       /* the state before it; -1: it did nothing */
    char *opened; /* views of child steps as JSON */
} Part;
void data_pass(Data *d, Pager *p, const View *v, const Part *part);
void data_views_begin(Data *d); /* after the passes */
/* `layout` and `folded` are JSON; the latter may be empty. */
void data_view(Data *d, Pager *p, const View *v, const Union *u, const char *layout,
               const char *folded);
void data_views_end(Data *d);
/* [number, rows, view] of child steps. */
void data_opening(Data *d, Pager *p, const char *number, const View *v, const Union *u,
                  const char *layout, const char *folded);
int data_string(Data *d, Pager *p, const char *s); /* its place in the table */
void data_text(Data *d, Pager *p, const char *s);  /* puts that */
void data_end(Data *d, Pager *p, const char *notes);

/* ---- page_nodes.c ---- */
void data_nodes(Data *d, Pager *p); /* the keys "nodes", "lives", "amounts" */

#endif
