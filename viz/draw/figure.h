/* Inside gradus-draw: a scene of style figure on its way to a picture, without Graphviz.
 *
 *   figure_typeset.c names and signs as a book sets them
 *   figure_text.c   formulas broken into lines and measured
 *   figure_level.c  what stands in one box: columns, order, heights; lines between columns
 *   figure_lines.c  the way of each line
 *   figure_frame.c  frames, titles, what sticks out; branches of an if
 *   figure_stack.c  frames one below the other
 *   figure_rungs.c  what a loop backwards reads of the one forward
 *   figure_lanes.c  lines between frames and formulas over the sides
 *   figure_reverse.c reverse mode: ranks, with lines forward and back
 *   figure_grid.c   cells in rows and columns
 *   figure_list.c   all of it as a list, where nothing else is as narrow
 *   figure_layout.c the whole, by trying letters and lines until the width is kept
 *   figure_document.c as SVG and TikZ
 *
 * Invariant: in a box everything flows from left to right, in a loop that runs backwards from right
 * to left. Positions are of the box's own corner until the whole is placed. */
#ifndef GRADUS_FIGURE_DRAW_H
#define GRADUS_FIGURE_DRAW_H

#include "viz/draw/picture.h"

typedef struct {
    double x, y, w, h; /* top left; of ends of lines: where the line meets the border */
    Phrase *lines;
    int nlines;
    bool circle, placed;
    Phrase tag;  /* what its line is told to carry; text NULL: nothing */
    double room; /* for the tag, at the beginning of its line */
} FigNode;

typedef struct {
    double x, y, w, h;     /* of the block: frame, what sticks out of it, and labels around it */
    double fx, fy, fw, fh; /* of the frame */
    Phrase *lines;         /* title and weights */
    int nlines;
    bool placed, row; /* row: it is one of steps */
    double lacking;   /* of the outermost level: width that something in it has too little */
} FigBox;

typedef struct {
    int box; /* whose level it belongs to */
    VEC(Point) at;
    bool arrow, thick, dashed, bundle;
} FigLine;

typedef struct {
    int box;
    double x, y; /* of the baseline */
    int anchor;  /* -1: starts there, 0: middle, 1: ends there */
    bool prose;  /* words, no formula */
    Phrase text;
} FigLabel;

typedef struct {
    int box;
    Point at;
} FigDot;

typedef struct {
    const Scene *scene;
    Arena words;        /* texts of lines and labels */
    double size;        /* of letters, in px */
    int wrap;           /* letters to a line of a formula */
    bool brief;         /* sigmoid is told as a Greek letter */
    bool stacked;       /* the outermost level is rows of frames */
    bool bundled;       /* rungs that lack room are one line */
    Arena known;        /* names of all tries */
    const char **names; /* all that are slanted, sorted */
    int nnames;
    double least;   /* a frame that is laid out now is at least so wide */
    FigNode *nodes; /* by number - 1 */
    FigBox *boxes;  /* by number; 0: the outermost level */
    VEC(FigLine) lines;
    VEC(FigDot) dots;
    VEC(FigLabel) labels;
} Figure;

/* ---- figure_text.c ---- */
double figure_width(const Figure *f, const Phrase *p);
double figure_line_height(const Figure *f);
enum { SHIFTED_PERCENT = 72 };
#define SHIFTED_SIZE (SHIFTED_PERCENT / 100.0) /* letters above or below the line */
/* The text without its parts before `from` and behind `to`, and without blanks at its end. */
Phrase figure_slice(Figure *f, const Phrase *p, int from, int to);
/* Lines of at most `max` letters, broken before signs, where the fewest parentheses are open. */
Phrase *figure_wrap(Figure *f, const Phrase *text, int max, int *n);
/* How far below the middle of a node a line of its label, from 1, is. */
double figure_line_middle(Figure *f, int node, int line);
/* What its line carries, as the last line of its text. */
void figure_tag_below(Figure *f, FigNode *n);
void figure_measure(Figure *f); /* nodes and titles of boxes */

/* ---- figure_typeset.c ---- */
/* The names of the scene, which tell how they can be set. */
void figure_collect_names(Figure *f);
/* Names and signs as a book sets them: Greek letters, numbers below the line. */
Phrase figure_typeset(Figure *f, const Phrase *p);

/* ---- figure_level.c, figure_stack.c ---- */
void figure_level(Figure *f, int box);
/* Is there a loop that runs backwards at the outermost level? */
bool figure_has_turn(const Figure *f);
/* Frames are at least so wide. */
void figure_stack(Figure *f, double least);
void figure_branches(Figure *f, int box);
/* Forgets the lines and labels of a box, to lay it out anew. */
void figure_forget(Figure *f, int box);
/* Title and weights: side by side where that has room. Returns the height that they take; `dry`
 * only measures. */
double figure_title(Figure *f, int box, double x, double w, bool dry);
/* The whole in a list that is w wide. */
void figure_list(Figure *f, double w);
/* Moves all that stands in a box, at any depth. */
void figure_move(Figure *f, int box, double dx, double dy);
/* Does its outermost box run backwards? Then all in it flows from right to left. */
bool figure_is_turned(const Figure *f, int box);
/* What stands in a box that is w wide, the other way round. */
void figure_mirror(Figure *f, int box, double w);
bool figure_in(const Figure *f, int box, int ancestor);
FigLine *figure_line(Figure *f, int box);
void figure_point(FigLine *l, double x, double y);
void figure_label(Figure *f, int box, double x, double y, int anchor, const Phrase *text);
/* Frame, title and ends around contents that are w wide and h high and begin at (0, 0). */
void figure_frame(Figure *f, int box, double w, double h);

/* ---- figure_reverse.c ---- */
/* Has it lines that run back? Then it is laid out by this alone: to the right, or downwards. */
bool figure_is_reverse(const Scene *s);
void figure_reverse(Figure *f, bool down);

/* ---- figure_grid.c ---- */
/* Has it cells in rows and columns? Then these are its layout; close: with less room between. */
bool figure_is_grid(const Scene *s);
void figure_grid(Figure *f, bool close);

/* ---- figure_layout.c, figure_document.c ---- */
/* Positions; false and a message if it cannot be as narrow as was asked for. */
bool figure_layout(Figure *f, const Scene *s, Text *error);
void figure_free(Figure *f);
/* What was done to keep the width, or NULL. */
const char *figure_shortened(const Figure *f);
/* The scene in a format. */
bool figure_draw(Scene *s, const char *format, Text *out, Text *remark, Text *error);

#endif
