/* Inside gradus-draw: a scene on its way to a picture.
 *
 *   draw_read.c   scene JSON -> Scene
 *   draw_text.c   labels broken into lines and measured -> Block
 *   draw_picture.c what is drawn, sizes, ends of edges; the picture as JSON
 *   draw_dot.c    Scene -> cgraph; with draw_ranks.c, draw_ghosts.c
 *   draw_ids.c    an order for cgraph's objects that is the same on every run
 *   draw_work.c   how much work a layout will be
 *   draw_layout.c cgraph -> positions (Graphviz dot) -> Picture
 *   draw_frames.c films: pictures with one place for what goes on from one to the next
 *   draw_halves.c a gradient in two halves beside each other; with draw_mirror.c, draw_rungs.c
 *   draw_rows.c   the same without Graphviz, for what dot cannot do
 *   draw_routes.c what dot does not do: ends at borders, corners for tabs
 *   draw_ports.c  the last row of a loop, where all that leaves it leaves it
 *   draw_lanes.c  the ways of next states back to the first row
 *   draw_view.c   a picture turned and stretched
 *   draw_labels.c free places for the texts and badges of edges
 *   draw_cairo.c  SVG -> PNG, PDF
 *   draw_style.c  palette, style sheet, legend entries
 *   draw_document.c Picture -> SVG, TikZ; with draw_shapes.c, draw_edges.c, draw_legend.c (paint.h)
 *   draw_main.c   options, how much is asked of dot, time limit
 *
 * Invariant: the size of everything is decided by draw_text.c from built-in font
 * metrics, so a layout depends neither on installed fonts nor on the machine.
 * Units are CSS pixels, y grows downwards. */
#ifndef GRADUS_PICTURE_H
#define GRADUS_PICTURE_H

#include "base/utf8.h"
#include "viz/canvas/canvas.h"
#include "viz/scene/draw.h"

/* ---- text ---- */
typedef enum { /* also the CSS class of the line */
               LINE_LABEL,
               LINE_ID, /* on the line of what stands before it */
               LINE_DETAIL,
               LINE_VALUE,
               LINE_GRAD,
               LINE_MORE,
               LINE_EDGE,
               LINE_KINDS
} LineKind;

typedef struct {
    char *text; /* printable, one line */
    LineKind kind;
    double width;
} Line;

#define BESIDE_GAP 6.0 /* before a LINE_ID */
enum { MAX_LINES = 14 };
typedef struct {
    Line at[MAX_LINES];
    int n;
    double w, h;
} Block;

double text_width(Font f, double size, const char *s);
Font line_font(LineKind k);
double line_size(LineKind k);   /* font size */
double line_height(LineKind k); /* 0 for LINE_ID */
Block block_of_node(const Scene *s, const SceneNode *n);
Block block_of_box(const Scene *s,
                   const SceneBox *b); /* the tab of an open box, the label of a closed one */
Block block_of_text(LineKind kind, const char *s, int max, int lines); /* lines <= MAX_LINES */
double block_row_width(const Block *b,
                       bool more); /* of the tab's own lines, or of those beside it */
double tab_width(const SceneBox *b, const Block *text); /* of the plate of an open box */
/* One printable line of at most max characters, shortened in the middle. */
char *text_elide(const char *s, int max);
/* The same to fit into a width; at least 8 characters. */
char *text_fit(Font f, double size, const char *s, double width);
void block_free(Block *b);

/* ---- pictures ---- */
#define TAB_HEIGHT 21.0
#define TAB_PAD 9.0
typedef struct {
    double x0, y0, x1, y1;
} Rect;

typedef struct {
    bool drawn;
    Block text;
    double x, y, w, h; /* top left corner */
    double tab_x;      /* an open box: how far right in its upper edge the tab begins */
    bool last;         /* a node: it leaves a loop and stands in the last row there */
    bool loops;        /* an open box: a state goes back in it */
    bool top,
        bottom; /* an open box: has an invisible node there, for edges from or to its own border */
} Item;

/* A text of an edge, in one line. */
typedef struct {
    char *text; /* NULL: none */
    double w;
    bool mono;
    bool shown; /* there was a place for it */
    Point at;   /* centre */
} Small;
#define SMALL_SIZE 9.5 /* of the letters, if not mono */
#define SMALL_BASE 3.5 /* from the centre down to the base line */

typedef struct {
    bool drawn;
    int n; /* cubic Bezier: 3k + 1 points; straight: 2 */
    Point *at;
    bool has_tip;
    Point tip;      /* where the arrow points */
    bool at_border; /* it ends at the border of the box that it stands in */
    Small label, head, tail;
    bool has_badge; /* of its mark; none where one of its ends has it */
    Point badge;
} Route;

/* Where something leaves a loop: a point in its last row. */
typedef struct {
    int from;   /* node or closed box (negative) whose value it is */
    int before; /* the port further in where the way comes from; 0: from the node itself */
    int box;
    Point *way; /* a spline from there */
    int n;
} Port;

/* How much is asked of dot; later ones are for scenes that are too much work for an earlier one, or
 * where that crashed. */
typedef enum {
    EFFORT_FULL,
    EFFORT_LESS,   /* limits on its iterations */
    EFFORT_PLAIN,  /* and no wishes about ranks and borders */
    EFFORT_LEAST,  /* and straight lines */
    EFFORT_FOLDED, /* and inner graphs closed: draw_main.c closes them */
    EFFORT_ROWS,   /* without dot: draw_rows.c */
    EFFORT_COUNT
} Effort;

/* Rows that are known before dot lays anything out; it runs from bottom to top then. */
typedef struct {
    const int *of;           /* by number - 1, boxes after nodes */
    const int *top, *bottom; /* by box: its last and its first one */
} GivenRows;

typedef struct {
    const Scene *scene;
    Effort effort;
    const GivenRows *rows; /* NULL: dot decides */
    bool forward_half;     /* what is drawn now is the forward half of a gradient */
    Item *nodes;           /* by number - 1, as in the scene */
    Item *boxes;
    Route *edges;
    int *from,
        *to; /* ends of each edge as drawn: a node number, or minus the number of a closed box */
    int *box_first,
        *box_last; /* ends to use for edges at an open box, coded likewise; 0 if it is empty */
    int *anchor_from,
        *anchor_to; /* by edge: the end is the top or bottom node of this box; 0: no */
    VEC(Port) ports;
    int *port; /* by edge: the outermost port on its way, from 1; 0: it has none */
    double w, h;
    Text remark; /* on how it was drawn, for the user */
} Picture;

/* Blocks and ends, no positions yet. */
void picture_init(Picture *p, const Scene *s, Effort effort);
void picture_free(Picture *p);
/* A remark on a picture that is larger than can be looked at. */
void picture_judge(Picture *p);
/* How much work dot will have with it, frame by frame; goes with what is drawn. */
double picture_work(Picture *p);
/* The same for one graph of dot_build: about the square of how many nodes there are once each rank
 * that an edge crosses has one. */
double layout_work(void *graph);
/* Runs dot and fills in positions. False and a message if Graphviz refuses. */
bool picture_layout(Picture *p, Text *error);
/* Positions of what is drawn now, as one picture with its upper left corner at the margin. */
bool layout_drawn(Picture *p, Text *error);
#define PICTURE_MARGIN 16.0
void picture_shift(Picture *p, double dx, double dy);
/* The same of a film. */
bool frames_layout(Picture *p, Text *error);
/* Positions by dot of what is drawn now, and nothing after that. row[i], unless NULL, is set to the
 * rank of what is drawn: nodes by number - 1, then boxes. */
bool layout_part(Picture *p, int *row, Text *error);
/* Is it a gradient with both halves open? */
bool has_halves(const Picture *p);
/* Such a picture's positions. */
bool halves_layout(Picture *p, Text *error);
const char *layout_version(void); /* of Graphviz */
/* Positions without Graphviz. */
void rows_layout(Picture *p);
/* Which ports there are: for picture_init. */
void ports_plan(Picture *p);
/* Puts the ways to ports before the edges that go on from them. */
void ports_join(Picture *p);
/* Is it a loop back whose way is ours (draw_lanes.c)? Such an edge is not given to dot. */
bool has_lane(const Picture *p, int k);
void lanes_route(Picture *p);
/* Improves the routes of a laid out picture. */
void routes_refine(Picture *p);
/* Puts the tabs of boxes where the fewest edges cross them. */
void tabs_place(Picture *p);
/* Places for the texts and badges of its edges. */
void labels_place(Picture *p);
/* Graphviz's own drawing as "png" or "pdf", plainer than ours. Needs no layout before. */
bool picture_by_graphviz(const Picture *p, const char *format, Text *out, Text *error);
/* Gives its width and height. Without `paper` its background is empty unless the scene names one.
 */
Point picture_svg(const Picture *p, bool paper, Text *out);
/* Dots per pixel of the layout, for PNG. */
double picture_density(const Scene *s);
/* The scene's SVG of that size as "png", "pdf" or "sixel". False, and nothing written, where that
 * fails; a remark if it is not as large as was asked. */
bool svg_to(const Scene *s, const char *format, const Text *svg, Point size, Text *remark,
            Text *out);

/* Pixels of four bytes, as Cairo has them, row by row. */
typedef struct {
    const unsigned char *at;
    int w, h, stride;
} Pixels;
void pixels_to_sixels(const Pixels *p, Text *out);

/* draw_<format>: a picture without positions in each of the formats (viz/scene/draw.h), laid out
 * first where it needs that. False and a message if it cannot be. */
#define ROW(NAME) bool draw_##NAME(Picture *p, Text *out, Text *error);
DRAW_FORMATS(ROW)
#undef ROW

/* An empty graph in which the order of everything depends on the calls only. */
void *dot_open(const char *name);
/* Does box (a number) hold what has this code, at any depth? */
bool box_holds(const Scene *s, int box, int code);
Point bezier_at(const Point *q, double t);
/* The box that it stands in; 0: none. */
int home_of_code(const Scene *s, int code);

/* Does it stand in an adjoint half, where everything flows from bottom to top? */
bool runs_up(const Scene *s, int code);

/* The scene as a Graphviz graph (Agraph_t *). Bare: no text, sizes fixed, for layout; else with
 * labels, fills and a legend, for Graphviz itself to draw. Node k is named "n<k>", a closed box
 * "c<k>", an open one is the subgraph "cluster_<k>" with the invisible nodes "a<k>" at its top and
 * "z<k>" at its bottom where edges need them; edge k has the key "e<k>". */
void *dot_build(const Picture *p, bool bare);

/* ---- style ---- */
typedef struct {
    const char *fill, *line, *dark_fill, *dark_line;
} Paint;
const Paint *class_paint(SceneClass c);
const Paint *node_paint(const SceneNode *n);
Color shade_color(int shade);
const Paint *box_paint(SceneBoxKind k);
const Paint *mark_paint(SceneMark m); /* line colours only; MARK_NONE gives NULL */
const Paint *edge_paint(SceneEdgeKind k);
SceneClass class_of_fill(SceneClass c); /* input and const: structural */
const char *mark_glyph(SceneMark m);    /* "+", minus sign, "~" or "" */
double edge_width(SceneEdgeKind k);
const char *edge_dash(SceneEdgeKind k, SceneMark m); /* SVG dash array, or NULL for solid */
const char *box_dash(SceneBoxKind k, SceneMark m);   /* of an open box: the same */
typedef enum { INK_TEXT, INK_MUTED, INK_PAPER, INK_RULE, INK_LIT } InkKind;
Color ink_color(InkKind k);

typedef enum { LEGEND_FILL, LEGEND_ROLE, LEGEND_EDGE, LEGEND_MARK, LEGEND_SIGN } LegendKind;
/* What is written in nodes and tabs besides names and types. */
typedef enum {
    SIGN_ID,
    SIGN_OUTPUT,
    SIGN_VALUE,
    SIGN_GRAD,
    SIGN_REPEAT,
    SIGN_MORE,
    SIGN_COUNT
} Sign;
const char *sign_sample(Sign s);
typedef struct {
    LegendKind kind;
    int value;
    const char *text;
} LegendEntry;
enum { MAX_LEGEND = 40 };
/* Exactly the encodings that this picture uses, in a fixed order. */
int legend_entries(const Picture *p, LegendEntry at[MAX_LEGEND]);
/* What stands in <style>: fonts, and the colours once more as variables, for viewers that can
 * follow the reader's theme. All of it holds inside the class <prefix>scene only. */
void style_sheet(const Picture *p, const char *prefix, Text *out);
/* As on the root; the first is the one that texts are measured with. */
#define SANS_FAMILY "'DejaVu Sans',system-ui,'Segoe UI','Helvetica Neue',Arial,sans-serif"
#define MONO_FAMILY "'DejaVu Sans Mono',ui-monospace,Menlo,Consolas,'Liberation Mono',monospace"

/* What the scene's look asks of a canvas, and of the families of letters (draw_look.c). */
void look_apply(Canvas *c, const Scene *s);
void look_family(const Scene *s, const char *usual, Text *out);

/* ---- documents (draw_document.c) ---- */

/* What every id begins with: the scene's own prefix, or one that no other scene has. Caller frees.
 */
char *svg_prefix(const Scene *s);
/* Title, caption, description and note as comments of TeX. Caller frees. */
char *tex_remarks(const Scene *s);
const char *role_dash(SceneRole r, SceneMark m);
double role_width(SceneRole r, SceneMark m);

/* ---- reading ---- */
/* NULL and a message with the place if the text is not a scene. */
Scene *scene_read(const char *json, size_t len, Text *error);

#endif
