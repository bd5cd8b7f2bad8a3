/* A laid out picture painted on a canvas: draw_shapes.c, draw_edges.c, draw_legend.c, and
 * draw_document.c around them. Nobody else includes this. */
#ifndef GRADUS_DRAW_PAINT_H
#define GRADUS_DRAW_PAINT_H

#include "viz/draw/picture.h"

typedef struct {
    Canvas c;
    const Picture *p;
    char *prefix;   /* of every id */
    char **node_id; /* by number - 1 */
    char **box_id;
} Pen;

/* Styles of letters: those of lines (LineKind), then these. */
enum {
    LETTERS_END = LINE_KINDS, /* at an edge's ends */
    LETTERS_BADGE,
    LETTERS_HEADING,
    LETTERS_CAPTION,
    LETTERS_LEGEND,
    LETTERS_SIGN,
    LETTERS_COUNT
};
extern const Letters picture_letters[LETTERS_COUNT]; /* draw_text.c */

Color mark_color(SceneMark m);
Color edge_color(SceneEdgeKind k);
/* Fill and line, nothing else. */
Look class_look(SceneClass c);
Look node_look(const SceneNode *n);
Look box_look(SceneBoxKind k);

void paint_node(Pen *v, int k);
void paint_frame(Pen *v, int k); /* of an open box */
void paint_tab(Pen *v, int k);   /* a closed box: all of it */
void paint_edge(Pen *v, int k);
void paint_badge(Pen *v, SceneMark m, double x, double y);
void paint_tip(Pen *v, Point base, Point tip, double half, Color color);
/* Draws the legend and the notes from `top` down, within `width`; returns the height it takes. With
 * `dry`, only measures. */
double paint_legend(Pen *v, double top, double width, const char *note, bool dry);

#endif
