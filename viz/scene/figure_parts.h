/* What the parts of figure_from_graph share; nobody else includes this. */
#ifndef GRADUS_FIGURE_PARTS_H
#define GRADUS_FIGURE_PARTS_H

#include "graph/names.h"
#include "surface/surface.h"
#include "viz/scene/entry.h"
#include "viz/scene/figure.h"

/* One graph being drawn: the outermost one, or one in its box. */
typedef struct Level {
    const Graph *graph;        /* NULL: outermost */
    const struct Level *outer; /* the one in which the node that owns the graph is */
    const Node *owner;
    int box;
    int list;      /* the node that its equations stand in; 0: each in its own */
    bool foreign;  /* its graph is that of another loop, too, which its values are named after */
    bool lists;    /* its equations stand in one node: list */
    bool alone;    /* its only equation needs a name only if another one calls it */
    bool circles;  /* elementwise operators between formulas are nodes: in loops */
    NodeVec order; /* what its roots need, operands first */
    MAP(Node *, int) wire;             /* node -> the scene node that its line leaves */
    MAP(Node *, const Phrase *) text;  /* node -> what formulas call it */
    MAP(Node *, const Phrase *) whole; /* node -> what it is a row or a part of */
    MAP(Node *, int) line;             /* node -> its line, from 1, of the list that it stands in */
    NodeSet loose;                     /* whose text is an expression */
    MAP(Node *, const Phrase *) next; /* node without a name -> what it is called where it leaves */
    MAP(Node *, int) plain; /* node -> its formula, which gets a letter when another one calls it */
    NodeCounts uses;        /* node -> how many operands it is */
    NodeSet item;           /* what has a node or box of its own */
    NodeSet deep;           /* what is written into others, with something of its own below it */
    NodeSet given;          /* what has a name of its author's */
    NodeSet zero;           /* parameters that are given zeros */
    NodeSet root;           /* what leaves it */
    NodeSet form;  /* casts, broadcasts and such that all who read them see through: not drawn */
    NodeSet rung;  /* results of loops, and what is made of such, that only loops backwards read */
    bool step;     /* it is one step of a loop: */
    Symbol letter; /* of the loop's index, or NULL */
    i64 row;       /* that the index is in this step */
    KnownValues known;
    BoundSizes sizes;        /* of its graph; NULL: their names are not known */
    MAP(Node *, int) stands; /* root -> the end of a line that shows it already */
} Level;

/* A function that formulas call, and what is said of it below the figure. */
typedef struct {
    const Graph *graph;
    const Phrase *name;
    const char *body; /* "(y) = A y" */
} FigureCall;

typedef struct {
    Store *st;
    Scene *scene;
    const FigureOptions *options;
    int folded; /* 1: no circles; 2: the equations of a loop in one list; 3: and no lines */
    Arena arena;
    BookNames names;
    bool met;              /* the focus, in what was looked at last */
    const Phrase *defined; /* "W_if = [Wi Wf]; ..." or NULL */
    VEC(FigureCall) calls; /* functions that formulas call */
} Fig;

typedef VEC(int) Wires;

/* ---- figure_formula.c ---- */
/* What was put together, kept; frees l. */
const Phrase *figure_keep(Fig *f, Pretty *l);
/* Words of ours. */
const Phrase *figure_text(Fig *f, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Words of ours, and for each @ in them a phrase. */
const Phrase *figure_say(Fig *f, const char *words, ...);
/* A name for what has none. */
const Phrase *figure_letter(Fig *f);
/* What an author's or derived name is in a figure; NULL of NULL. */
const Phrase *figure_name(Fig *f, Symbol name);
/* The same where it is an operand: "(1 − f)". */
const Phrase *figure_operand_name(Fig *f, Symbol name);
/* n written out as far as nothing in it is drawn by itself; the scene nodes that it reads are added
 * to wires, which may be NULL, each once. */
const Phrase *figure_formula(Fig *f, Level *l, Node *n, Wires *wires);
/* The same; *loose: it is more than one thing. */
const Phrase *figure_operand(Fig *f, Level *l, Node *n, Wires *wires, bool *loose);
/* What the size of an axis is called outermost, or NULL: sizes of a body have no names of theirs.
 */
const Phrase *figure_size(Fig *f, const Level *l, const Size *s);
/* The node that n is made of if it only changes the form: casts, broadcasts and such. */
Node *figure_core(Node *n);
/* The same where every one who reads n in l sees that. */
Node *level_core(const Level *l, Node *n);
void level_find_forms(Level *l, const NodeVec *order, int nroots, Node *const *roots);
/* What stands in the circle of an operator: its sign as a book sets it, else its name. */
const char *figure_circle(const Node *n);
/* A constant, or one element of one. */
bool figure_is_constant(Node *n);
bool figure_is_zero(Node *n);

/* ---- figure_build.c ---- */
/* Is n itself to be looked at? */
bool figure_lights(Fig *f, const Level *l, const Node *n);
/* Was the focus met since this was asked last? */
bool figure_met(Fig *f);
bool figure_is_leaf(const Node *n);
/* What n is called in the graph of l, or NULL. */
Symbol level_name(Fig *f, const Level *l, const Node *n);
/* The same, or of a result of all that nothing else reads, what its author called that. */
Symbol level_name_to_draw(Fig *f, Level *l, Node *n);
/* Decides what in l is drawn by itself. */
void level_open(Level *l, Fig *f, int nroots, Node *const *roots);
void level_close(Level *l);
/* Draws it. */
void level_draw(Fig *f, Level *l);
/* They call it by this formula. */
void level_call(Level *l, Node *n, const Phrase *text, bool loose);
/* What formulas call n, which gets a letter now if it is drawn and has no name; NULL: nothing. */
const Phrase *level_text(Fig *f, Level *l, Node *n);
/* The scene node that n's line leaves, drawn now if it is not yet; 0: n is only ever named. */
int level_value(Fig *f, Level *l, Node *n);
void figure_set_title(Fig *f, int box, const Phrase *title);
void figure_edge(Fig *f, int from, int to, SceneEdgeKind kind);
/* A node that tells its text: an end of a line. */
int figure_end(Fig *f, int box, SceneRole role, const Phrase *text);
/* A node that tells a formula; name: what it is called, or NULL. */
int figure_equation(Fig *f, int box, const Phrase *name, const Phrase *text);

/* ---- figure_written.c: calls and choices that stand in formulas ---- */
/* Is it small enough for that? */
bool figure_is_written(const Fig *f, const Node *n);
/* "f(y + h k1)" of the result of such a call, "∇f(y)" of such a derivative; what f is, is said
 * below the figure. NULL: n is something else. */
const Phrase *figure_call(Fig *f, Level *l, Node *n, Wires *wires);

/* ---- figure_inner.c ---- */
/* A box being filled, and the level that it stands in. */
typedef struct {
    Fig *f;
    Level *outer;
    Level in;
    Node *owner;
    const Symbol *names; /* of parameters, as this owner calls them; or NULL */
    Pretty weights;
} Inner;
Inner inner_begin(Fig *f, Level *outer, Node *owner, const Graph *g, const SceneBox *box);
void inner_end(Inner *in);
/* What the level outside calls it. */
const Phrase *inner_operand_text(Inner *in, Node *operand);
/* Parameter i by its own name, else by that of its operand (NULL: it has none). */
const Phrase *inner_param_text(Inner *in, int i, Node *operand, bool as_operand);
/* Is it zero, here or where this level is given it? */
bool inner_is_zero(const Inner *in, Node *operand);
void inner_call_param(Inner *in, int i, Node *operand);
/* A value from outside that the formulas inside name: told at the box, with a line to it if it is
 * computed. */
void inner_capture(Inner *in, int i, Node *operand);
/* The end of a line for parameter i. */
int inner_port(Inner *in, SceneRole role, int i, Node *operand);
/* What comes in from outside for parameter i, if it is more than a zero. */
void inner_feed(Inner *in, int i, Node *operand, int to, SceneEdgeKind kind);
/* Says at the box which value outside a parameter is, where there are no lines and at calls; false:
 * it is called the same. */
bool inner_tell(Inner *in, int i, Node *operand, const char *word);
/* Where a value of the body leaves; text: what it is called there. */
int inner_leave(Inner *in, Node *value, const Phrase *text, SceneEdgeKind kind);
/* Result k of that node, if something in the level is drawn that reads it, or NULL. */
Node *level_result(const Level *l, const Node *owner, int k);
/* What a name of the level's graph is in the step that the level is: h[t-1] in step 3 is h[2]. */
Symbol level_in_step(Fig *f, const Level *l, Symbol name);
void level_name_result(Level *l, Node *result, const Phrase *text, int at);
void wire_add(Wires *wires, int w);
/* An edge from each, to where `like` leads; frees them. */
void wires_draw(Fig *f, Wires *wires, const SceneEdge *like);

/* ---- figure_rungs.c ---- */
/* Which results of loops, and what of such, only loops that run backwards read. */
void figure_find_rungs(Fig *f, Level *l, const NodeVec *order, int nroots, Node *const *roots);
/* "tanh c[t]" of "one minus sqr tanh c[t]", which is read off it. */
Symbol figure_rung_base(Fig *f, Symbol name);
/* The results of loops that a rung is made of. */
void figure_rung_traces(const Level *l, Node *seq, NodeVec *out);

/* ---- figure_told.c: what is only told if it is asked for ---- */
/* "28×28", "i64 5"; NULL: types are not told, or it is a real number. */
const Phrase *figure_shape(Fig *f, const Level *l, const Type *t);
/* Its number, as in any other listing. */
u32 figure_number(Fig *f, const Level *l, const Node *n);
/* "h[t] : 5", if types are told and the text is not empty. */
const Phrase *figure_with_shape(Fig *f, const Level *l, const Phrase *text, const Type *type);
/* The sizes of a box's graph, by what enters it. */
void figure_bind_sizes(Fig *f, const Level *outer, Level *in, const Node *owner);
/* Says at a node of the scene what there is to tell of n; `below`: in a line of its own. */
void figure_tell(Fig *f, const Level *l, int at, Node *n, bool below);
/* The same of inputs, below the figure, for which this is the end. */
void figure_tell_inputs(Fig *f, Level *outermost, Text *out);

/* ---- figure_repeat.c ---- */
/* Chains of three or more equal layers drawn once, each in a frame that tells how many there are;
 * frees `whole`, unless there are none. */
Scene *figure_fold_layers(Fig *f, Scene *whole);

/* ---- figure_unroll.c ---- */
/* A loop as a row of its steps; false: it is to be drawn as a loop. */
bool figure_unrolled(Fig *f, Level *l, Node *n);

/* ---- figure_scan.c ---- */
/* A loop being drawn: as such, or as a row of its steps. */
typedef struct {
    Inner in;
    ScanShape s; /* of a loop that runs, too: without sequences */
    ScanRoles roles;
    bool lowered;  /* it is such a one */
    bool *drawn;   /* by state; rows of one state are drawn with the last of them */
    NodeVec roots; /* of the body: next states, and traces that more than rungs read */
} ScanFigure;
ScanFigure scan_begin(Fig *f, Level *l, Node *n);
void scan_end(ScanFigure *r);
/* The state that state i is only an earlier row of. */
int scan_rail_of(const ScanFigure *r, int i);
/* "for each x[t]", "50 steps", "until ..": what people say of the loop, and how much of it is
 * `shown`, or NULL. */
void scan_put_title(ScanFigure *r, const Phrase *shown);
/* Is sequence i known by its name, so that no line brings it? */
bool scan_names_sequence(const ScanFigure *r, int i);
/* What the loop backwards reads of the one forward, each value once. */
void scan_draw_rungs(ScanFigure *r);
/* In `in`, the body or one step of it: what state i is called behind it, "h[t]"; trace t, "y[t]".
 */
const Phrase *scan_next_name(const ScanFigure *r, const Inner *in, int i);
const Phrase *scan_trace_name(const ScanFigure *r, Inner *in, int t);
/* In a body that is another loop's, too, only what its states become has a name. */
void scan_name_next(const ScanFigure *r, Inner *in);
/* Outside: "final h"; "y" of all rows, or NULL. */
const Phrase *scan_final_name(ScanFigure *r, int i);
const Phrase *scan_rows_name(const ScanFigure *r, int t);
/* Result k, if it is drawn: how many steps there were is only told, and rungs show what only loops
 * backwards read. */
Node *scan_result(const ScanFigure *r, int k);

/* ---- figure_scan.c, figure_fused.c, figure_control.c: nodes that own graphs ---- */
void figure_loop(Fig *f, Level *l, Node *n);
void figure_fused(Fig *f, Level *l, Node *n);
void figure_control(Fig *f, Level *l, Node *n);

#endif
