/* The scene: what a drawing shows, and nothing about where it is drawn.
 *
 * `gradus` builds one from a graph (scene_build.c) and writes it as JSON; the
 * program `gradus-draw` reads that JSON and makes the picture. Neither graphs nor
 * Graphviz are known here.
 *
 * Invariant: nodes, boxes and edges are named by the numbers that scene_node,
 * scene_box and scene_edge return, all from 1 in order of adding; 0 means "none"
 * (for a box: the outermost level). So a zeroed struct is a plain, valid one. A
 * box is added before what stands in it, an edge after its ends. All strings are
 * UTF-8 with any content, are copied, and may be NULL for "nothing". The same
 * calls in the same order give the same bytes. */
#ifndef GRADUS_SCENE_H
#define GRADUS_SCENE_H

#include "base/pretty.h"

/* Class of operator: the fill. CSS class `op-<name>`. Ten fills: input and const
 * share the neutral one of structural; border and label tell them apart. */
typedef enum {
    CLS_STRUCTURAL, /* tuple, projection */
    CLS_INPUT,
    CLS_CONST,
    CLS_ELEMENTWISE,
    CLS_COMPOSITE,
    CLS_REDUCE,
    CLS_SHAPE,
    CLS_IMPLICIT,
    CLS_INDEX,
    CLS_LINALG,
    CLS_RANDOM,
    CLS_CONTROL, /* scan, if, call, derivatives: as a node or as a closed box */
    CLS_COUNT
} SceneClass;

/* What a node is to the graph it stands in: the border. CSS class `role-<name>`. */
typedef enum {
    ROLE_NONE,     /* thin line */
    ROLE_INPUT,    /* pill, thick line */
    ROLE_SHARED,   /* pill, double line: state that lasts between evaluations */
    ROLE_PARAM,    /* pill, thin line: a parameter of an inner graph */
    ROLE_STATE,    /* pill, thick line: the carried value of a loop */
    ROLE_SEQUENCE, /* pill on a stack of cards: one row of it per step */
    ROLE_CAPTURE,  /* pill, dashed: a value from outside the inner graph */
    ROLE_OUTPUT,   /* rectangle, double line */
    ROLE_CONST,    /* dotted line */
    ROLE_COUNT
} SceneRole;

/* In a diff. CSS class `mark-<name>`; also a glyph, never colour alone. */
typedef enum { MARK_NONE, MARK_ADDED, MARK_REMOVED, MARK_CHANGED, MARK_COUNT } SceneMark;

/* CSS class `kind-<name>` on boxes. */
typedef enum {
    BOX_GROUP, /* any other region, e.g. the backward half beside the forward half */
    BOX_SCAN,
    BOX_LOOP,
    BOX_IF, /* around both branches and the node that joins them */
    BOX_THEN,
    BOX_ELSE,
    BOX_CALL,
    BOX_FUSED,
    BOX_GRAD,
    BOX_VJP,
    BOX_JVP,
    BOX_VMAP,
    BOX_FORWARD, /* the half of a graph that a gradient was taken of */
    BOX_ADJOINT, /* the other half, which runs the other way: laid out from bottom to top */
    BOX_STEP,    /* one step of a scan that is unrolled */
    BOX_LAYERS,  /* of a figure: one of a chain of equal layers, which stands for all */
    BOX_CLASS,   /* of an e-graph: dashed; what stands in it is equal */
    BOX_FRAME,   /* a picture of its own, outermost: laid out alone, in the order of adding */
    BOX_COUNT
} SceneBoxKind;

/* CSS class `kind-<name>` on edges. */
typedef enum {
    EDGE_DATA,     /* thin, solid */
    EDGE_STATE,    /* thick, solid: an init that enters, a next state that leaves */
    EDGE_LOOPBACK, /* thick, dashed, from the next state back to the state; no influence on ranks */
    EDGE_CAPTURE,  /* thin, dashed: from outside to the capture parameter */
    EDGE_SEQUENCE, /* double line: an array of which one row enters at each step */
    EDGE_UNTIL,    /* dotted: the stop condition */
    EDGE_ADJOINT,  /* dash-dotted, from a derivative to the value it belongs to; no influence on
                      ranks */
    EDGE_CHOSEN,   /* of an e-graph: thick, solid, of what was taken out */
    EDGE_KINDS
} SceneEdgeKind;

typedef enum { THEME_AUTO, THEME_LIGHT, THEME_DARK, THEME_COUNT } SceneTheme;
typedef enum { DIR_TB, DIR_LR, DIR_COUNT } SceneDirection;
/* Exact, or as one would draw it for a book (figure.h). */
typedef enum { STYLE_GRAPH, STYLE_FIGURE, STYLE_COUNT } SceneStyle;

/* The words used in JSON and CSS, indexed by the enums; scene_word finds one (or -1). */
extern const char *const scene_class_words[CLS_COUNT];
extern const char *const scene_role_words[ROLE_COUNT];
extern const char *const scene_mark_words[MARK_COUNT];
extern const char *const scene_box_words[BOX_COUNT];
extern const char *const scene_edge_words[EDGE_KINDS];
extern const char *const scene_theme_words[THEME_COUNT];
extern const char *const scene_direction_words[DIR_COUNT];
extern const char *const scene_style_words[STYLE_COUNT];
extern const char *const scene_part_words[PHRASE_KINDS];
int scene_word(const char *const *words, int count, const char *word);

typedef struct {
    i64 id;     /* shown as %id beside the label; 0: not shown. The SVG element is `n<id>`; a second
                 * node with the same id (a shared body node in two boxes) is `n<id>_2` */
    u32 thing;  /* what it shows, over all states of an exploration; 0: not known to be anything */
    u32 origin; /* the thing that it is a copy of, else itself */
    const char *key;     /* data-key in the SVG: what the explorer calls it; or NULL */
    const char *op;      /* name of the operator: data-op, also used in descriptions */
    const char *label;   /* main line: "tanh", "x", "x + y"; falls back to op */
    Phrase words;        /* the label with its parts, if they are known */
    const char *detail;  /* second line, monospace: the type */
    const char *value;   /* third line, "= value" */
    const char *grad;    /* fourth line, the derivative of the result with respect to it */
    const char *amount;  /* another line: the number that its shade is of */
    int shade;           /* 1 to SCENE_SHADES: filled by a number, and not by its class */
    const char *link;    /* where it leads, or NULL */
    const char *tooltip; /* all there is to say; full label and detail are always in the tooltip */
    SceneClass cls;
    SceneRole role;
    SceneMark mark;
    bool focus;      /* outlined: what is being looked at, the redex of a step */
    bool lit;        /* in a ring: what the reader is to look at */
    int box;         /* the box it stands in; 0: outermost */
    int output;      /* of several results the so many-th, from 1; shown as "[0]" */
    int elided;      /* how many neighbours are not drawn; shown as "... 3 more" */
    int row, column; /* of a figure of cells, from 1; 0: it is none */
    int place; /* in a film: what has the same one in another frame stands at the same place */
} SceneNode;

typedef struct {
    const char *key;                    /* data-key */
    const char *title;                  /* in the tab: "scan n=4" */
    const char *subtitle;               /* beside it, small: "backwards, checkpoint 8" */
    Phrase title_words, subtitle_words; /* the same with their parts, if they are known */
    const char *tooltip;
    SceneBoxKind kind;
    SceneMark mark;
    bool focus, lit;
    int parent;   /* the box it stands in; 0: outermost */
    int owner;    /* the node that stands for the operator, drawn or not; 0: none. data-owner */
    i64 owner_id; /* the operator's %id, shown in the tab; 0: none. Also the SVG id: `b<id>` */
    u32 thing, origin; /* the operator's, as of a node */
    int repeat;        /* > 1: shown as a badge "xN" (an equal body drawn once) */
    bool closed; /* contents not drawn: shown as one node; edges of what is inside end at it */
    int place;   /* as of a node */
} SceneBox;

typedef struct {
    int from, to;         /* nodes */
    int line;             /* of the label of from, from 1: the one that it leaves; 0: the whole */
    int from_box, to_box; /* if not 0, that end is the border of this box, and the node may be 0 */
    const char *label;    /* in the middle, small: type or shape */
    Phrase words;         /* the label with its parts, if they are known */
    const char *head;     /* at the arrow: which operand, "0", "init", "cond" */
    const char *tail;     /* at the start: which result, "trace", "final" */
    SceneEdgeKind kind;
    SceneMark mark;
    const char *key; /* data-key */
} SceneEdge;

enum { SCENE_SHADES = 6, SCENE_CELLS = 1000 };
enum { SCENE_DPI = 192, SCENE_LEAST_DPI = 10, SCENE_MOST_DPI = 2400 };
#define SCENE_LEAST_SCALE 0.01
#define SCENE_MOST_SCALE 100.0

/* A key of a look and its value (look.h). */
typedef struct {
    const char *key, *value;
} SceneLook;

typedef struct {
    Arena arena;
    const char *title;    /* heading and accessible name */
    const char *desc;     /* alternative text; NULL: scene_describe writes it */
    const char *note;     /* a remark under the picture ("depth 2 around %7"); also for limits */
    const char *caption;  /* under the picture */
    const char *notation; /* of a figure: what its signs mean */
    const char
        *prefix; /* put before every SVG id, letters, digits, - _; NULL: a hash of the scene */
    const char *background; /* "none" or "#rrggbb"; NULL: in SVG that of the theme, else none */
    SceneTheme theme;
    SceneDirection direction;
    SceneStyle style;
    int width_mm;     /* of a figure: how wide at most; 0: as wide as it is */
    int least_tenths; /* of a figure: its smallest letters, in tenths of a point; 0: 70 */
    double scale;     /* of the size on paper and screen; 0: 1 */
    int dpi;          /* of PNG; 0: SCENE_DPI */
    bool no_legend, no_types, no_ids;
    bool lowered;  /* of a figure: the index of a row stands below the line */
    bool listed;   /* of a figure: everything is told by name, there are no lines */
    bool untitled; /* the title is for readers who do not see the picture */
    VEC(SceneLook) look;
    VEC(SceneNode) nodes; /* node k is nodes.at[k - 1] */
    VEC(SceneBox) boxes;
    VEC(SceneEdge) edges;
} Scene;

Scene *scene_new(const char *title);
void scene_free(Scene *s); /* NULL is fine */

/* Adds a copy; returns its number. A reference to what is not there is a bug: die(). */
int scene_node(Scene *s, const SceneNode *n);
int scene_box(Scene *s, const SceneBox *b);
/* `name = text`, or the text alone where there is no name. */
Phrase scene_equation(Scene *s, const Phrase *name, const Phrase *text);
/* One more line of a node's label. */
void scene_add_line(Scene *s, int node, const Phrase *line);
/* The first line of a node, which had no name, names this. */
void scene_name_line(Scene *s, int node, const Phrase *name);
int scene_edge(Scene *s, const SceneEdge *e);
/* Why adding this edge would be a bug, or NULL; for readers of untrusted scenes. */
const char *scene_edge_problem(const Scene *s, const SceneEdge *e);

void scene_set_title(Scene *s, const char *text);
void scene_set_desc(Scene *s, const char *text);
void scene_set_note(Scene *s, const char *text); /* a second note is added to the first */
void scene_set_caption(Scene *s, const char *text);
void scene_set_notation(Scene *s, const char *text);
void scene_set_prefix(Scene *s, const char *text);
/* False, and nothing is set, where that is no background. */
bool scene_set_background(Scene *s, const char *text);
/* Puts rings around the nodes and boxes of that %id; how many. */
int scene_light(Scene *s, i64 id);
/* Fills a node by a number. */
void scene_set_shade(Scene *s, int node, int shade, const char *amount);
/* Is it called that, perhaps with an index, or does it say how that is made? */
bool scene_node_bears(const SceneNode *n, const char *name);
/* Where a node leads. */
void scene_set_link(Scene *s, int node, const char *link);
/* Puts a text before what the nodes of that name, or where that is NULL of that %id, say: "input
 * gate: i = ..", only where it is defined if that is drawn; how many. */
int scene_add_labels(Scene *s, i64 id, const char *name, const char *text);

static inline SceneNode *scene_node_at(const Scene *s, int k) { return &s->nodes.at[k - 1]; }
static inline SceneBox *scene_box_at(const Scene *s, int k) { return &s->boxes.at[k - 1]; }
static inline SceneEdge *scene_edge_at(const Scene *s, int k) { return &s->edges.at[k - 1]; }

/* Adds a copy of all that `from` holds, into a box of `to` (0: outermost). */
void scene_put(Scene *to, const Scene *from, int box);

/* ---- scene_link.c ---- */
/* Is it an address that a click may follow (http, https, a path), and not a script? */
bool link_leads_somewhere(const char *url);
/* Gives each node the address of a template with {op}, {name}, {id}; returns where the template has
 * another word, or NULL. */
const char *scene_set_links(Scene *s, const char *template);

/* ---- scene_shade.c ---- */
/* Fills the nodes on one scale by their numbers (nan: none), in that unit ("", "s", "bytes"), and
 * notes what the numbers are of. */
void scene_set_shades(Scene *s, const double *numbers, const char *unit, const char *of);

/* ---- scene_film.c ---- */
/* Sets the places of all that stands in frames, by the things that are shown. */
void scene_find_places(Scene *s);

/* ---- scene_fold.c ---- */
/* Closes open boxes, the innermost first and of these the largest, until at most `limit` nodes are
 * visible or none is open; a note says how many. */
void scene_fold(Scene *s, size_t limit);
/* Of more than `limit` inputs that only one node reads, draws one for all; a note says so. */
void scene_fold_crowds(Scene *s, size_t limit);
/* Closes the outermost ones; without a note. */
void scene_close(Scene *s);
/* How many nodes stand in closed boxes. */
size_t scene_hidden_nodes(const Scene *s);

int scene_outermost(const Scene *s, int box); /* that it stands in, itself or 0 */
/* Outermost closed box that hides what stands in `box`, or 0. */
int scene_hidden_by(const Scene *s, int box);
static inline bool scene_node_is_formula(const SceneNode *n)
{
    return n->op && strcmp(n->op, "formula") == 0;
}
/* The next part of its label behind part `after` that names a line; -1: none. */
int scene_next_given(const SceneNode *n, int after);
/* What its first line names, or NULL. */
static inline const PhrasePart *scene_node_given(const SceneNode *n)
{
    bool named = n->words.nparts && n->words.parts->kind == PHRASE_NAME && !n->words.parts->at;
    return named ? n->words.parts : NULL;
}
/* What a node is called in a sentence: its label, or operator, or %id. */
const char *scene_node_name(const SceneNode *n);

/* {"scene":1,"title":...,"nodes":[...],"boxes":[...],"edges":[...]} on one line, without newline.
 * Fields that have their zero value are left out. */
void scene_json(Text *out, const Scene *s);
/* Of what is shown, wherever its lines are broken. */
u64 scene_hash(const Scene *s);
/* The alternative text of the picture: its own, else a readable paragraph, then an outline. */
void scene_describe(Text *out, const Scene *s);
/* The first part of it, in one line after the title: for places that take only a short text. */
void scene_summary(Text *out, const Scene *s);

#endif
