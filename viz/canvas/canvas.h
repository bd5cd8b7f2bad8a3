/* One canvas for pictures, with two back ends: SVG and TikZ.
 *
 * A picture is drawn once, with calls of a CanvasBack; which of the two documents comes out is
 * decided when the canvas is opened. Lengths are CSS pixels, y grows downwards; TikZ counts 0.75 bp
 * to a pixel and places elements in the same coordinates.
 *
 * Invariant: the same calls give the same bytes. What is said of an element for readers and style
 * sheets (groups, classes, titles) is left out in TikZ, where a named shape can be pointed at. */
#ifndef GRADUS_CANVAS_H
#define GRADUS_CANVAS_H

#include "base/base.h"

typedef struct {
    double x, y;
} Point;

typedef enum { FONT_SANS, FONT_BOLD, FONT_MONO } Font;

/* A colour by its name, in up to three parts that are written as one, without hyphens ("op",
 * "linalg", "fill"), and by its values "#rrggbb" on light and on dark paper. No name: nothing is
 * painted. */
typedef struct {
    const char *of, *word, *part;
    const char *light, *dark;
} Color;

/* The palette that all pictures share: values of a Color, for its initialiser. */
#define PAINT_TEXT .light = "#1b2027", .dark = "#e8ebef"
#define PAINT_MUTED .light = "#59626d", .dark = "#a2acb8"
#define PAINT_PAPER .light = "#ffffff", .dark = "#0f141a"
#define PAINT_FRAME .light = "#f6f8fa", .dark = "#161c24"

/* How a shape is painted. */
typedef struct {
    const char *class; /* for style sheets, or NULL */
    Color fill, line;
    double width;     /* of the line; 0: not said */
    const char *dash; /* lengths as SVG has them, "6 4", or NULL */
    double clear;     /* how much of what lies below shows through the fill, 0 to 1 */
    double round;     /* corners: their radius */
    bool soft;        /* SVG: the ends of the line and of its dashes are round */
    char kind;        /* with a number: the name in TikZ, (n12) */
    i64 number;       /* 0: none */
} Look;

/* A style of letters. */
typedef struct {
    const char *macro; /* what TeX calls it */
    Font font;
    double size;
} Letters;

/* Part of a text, or all of it. */
typedef struct {
    const char *text;
    size_t len;        /* of the text in bytes; 0: all */
    int letters;       /* which of the canvas' styles, where the line leaves that to its runs */
    Color color;       /* none: that of the line */
    const char *class; /* or NULL */
    double width;      /* as measured */
    bool italic;
    int shift; /* 1: above the line, -1: below it, in smaller letters */
} TextRun;

/* A line of text. */
typedef struct {
    const char *class; /* or NULL */
    Point at;          /* on the base line */
    int side;          /* -1: it begins there, 0: its middle is there, 1: it ends there */
    Color color;
    int letters;       /* which style; -1: each run has one, and a colour of its own */
    Color halo;        /* a rim that keeps it readable over lines; none: it has no rim */
    double rim;        /* its width */
    double halo_clear; /* how much shows through it */
    bool backed;       /* TikZ, which knows no rims, fills what is behind the text instead */
} Words;

typedef struct {
    const char *name, *value; /* NULL or "": the attribute is left out */
} Attribute;

/* Signs that each back end draws in its own way. */
typedef enum { GLYPH_CYCLE, GLYPH_STOP } Glyph;

typedef struct Canvas Canvas;
typedef struct {
    /* What follows up to end() belongs together. The title may be NULL. */
    void (*group)(Canvas *c, const Attribute *at, int n, const char *title);
    void (*end)(Canvas *c);
    /* What follows up to end() leads somewhere; TikZ knows nothing of it. */
    void (*link)(Canvas *c, const char *where);
    void (*paper)(Canvas *c, const char *class, Color color, Point size);
    void (*rect)(Canvas *c, const Look *l, double x, double y, double w, double h);
    /* The plate with a title in the upper edge of a frame with round corners: it shares a corner
     * with the frame at the left, at the right, or both. */
    void (*plate)(Canvas *c, const Look *l, double x, double y, double w, bool left, bool right);
    /* A line through n points; with four or more: cubic curves. */
    void (*curve)(Canvas *c, const Look *l, const Point *at, int n);
    /* Straight pieces with round corners, with gaps where points are not finite; a point between
     * gaps is a dot if the look is soft. */
    void (*path)(Canvas *c, const Look *l, const Point *at, int n);
    void (*polygon)(Canvas *c, const Look *l, const Point *at, int n);
    void (*dot)(Canvas *c, const Look *l, Point at, double radius);
    void (*glyph)(Canvas *c, const Look *l, Glyph g, Point at);
    /* A line of text, of n runs. */
    void (*text)(Canvas *c, const Words *w, const TextRun *runs, int n);
    /* The same, of runs in several fonts side by side, with `gap` between them: some viewers of SVG
     * lose a text of two fonts, and there each is a text of its own. */
    void (*row)(Canvas *c, const Words *w, const TextRun *runs, int n, double gap);
} CanvasBack;

struct Canvas {
    const CanvasBack *to;
    Text out;        /* the elements */
    bool dark;       /* the theme of the colours that are written */
    bool tinted;     /* SVG: each colour is a class, too: "f-ink" for fills and "s-ink" for lines */
    bool fine;       /* SVG: two decimals instead of at most one */
    int depth;       /* of groups and links */
    VEC(bool) links; /* SVG: is it a link? by depth */
    const char *(*own)(const void *of,
                       Color color); /* a color of one's own, or NULL; may be NULL */
    const void *own_of;
    double thick;     /* lines are so many times as thick; 0: as they are */
    bool serif, mono; /* TikZ: letters that are not sans by themselves */
    const Letters *letters;
    int nletters;
    VEC(Color) used; /* TikZ: in the order of first use */
    bool foreign;    /* TikZ: it has letters that pdfTeX has not */
};

extern const CanvasBack canvas_svg, canvas_tex;

const char *color_value(const Canvas *c, Color color);
double line_width(const Canvas *c, const Look *l);
bool is_gap(Point q);
void canvas_free(Canvas *c);

/* ---- documents ---- */

typedef struct {
    const char *width, *height; /* with units, if not pixels; NULL: the size in pixels */
    Point size;                 /* of the coordinates */
    const char *class, *prefix; /* of every id; NULL: it has no class and no ids */
    const char *family;
    const char *more;         /* attributes, or "" */
    const char *title, *desc; /* the latter may be NULL */
} SvgHead;
/* From <svg to the title and the description. What follows is the style sheet, the elements and
 * </svg>. */
void svg_open(Text *out, const SvgHead *h);
void svg_number(Text *out, double x); /* at most one decimal */

/* A tikzpicture of what was drawn. `remarks`: lines for its comment; those after \begin are what a
 * document needs for it. Scale 0 or 1: as it is. */
void tex_document(const Canvas *c, const char *remarks, double scale, Text *out);
/* Text as lines of a comment. */
void tex_remark(Text *out, const char *s);

#endif
