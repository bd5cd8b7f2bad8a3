/* What draw_dot.c, draw_ranks.c and draw_ghosts.c share; nobody else includes this. */
#ifndef GRADUS_DRAW_DOT_H
#define GRADUS_DRAW_DOT_H

#include "viz/draw/picture.h"

#include <graphviz/cgraph.h>

typedef struct {
    const Picture *p;
    const Scene *s;
    Agraph_t *g;
    Agraph_t **clusters; /* by box - 1; the root for what is not drawn as a cluster */
    bool bare;
} Build;

/* ---- draw_dot.c ---- */
void put_attr(Build *b, void *obj, const char *name, const char *value);
Agraph_t *home_of(const Build *b, int box); /* the cluster of a box, or the graph */

/* ---- draw_ranks.c ---- */
/* The node that stands for an end of an edge: that of a node or closed box, or an anchor. */
Agnode_t *end_of(const Build *b, int code, int anchor, char letter);
/* Is this edge given to dot the other way round, so that it flows from bottom to top? */
bool is_upward(const Build *b, int from, int to);
/* From the adjoint half into the other one? */
bool is_beside(const Build *b, int from, int to);
/* Into the first or the last row of a box. */
void put_in_row(Build *b, Agnode_t *v, int box, bool first);
/* Is it a node in the first or the last row of its box? */
bool has_row(const Build *b, int code);
/* What enters a box stands in its first row; what leaves a loop, in its last. */
void fill_rows(Build *b);
/* Rows that are given, and nothing else about ranks. */
void fill_given_rows(Build *b);
/* Many inputs of one reader stand in several rows. */
void wrap_crowds(Build *b);
/* Of the forward half of a gradient: inputs above it, loops below each other. */
void arrange_forward(Build *b);
/* What uses the results of a loop or call goes on below all of it. */
void lower_consumers(Build *b);

/* ---- draw_ghosts.c ---- */
/* What was removed stands beside what came in its place. */
void pair_ghosts(Build *b);

#endif
