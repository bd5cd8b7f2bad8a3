/* A gradient drawn in two halves: draw_halves.c, draw_mirror.c and draw_rungs.c; nobody else
 * includes this. */
#ifndef GRADUS_DRAW_HALVES_H
#define GRADUS_DRAW_HALVES_H

#include "viz/draw/draw_view.h"

#include <limits.h>

enum { NO_ROW = INT_MIN };

/* A horizontal piece of ways from one half to the other, or in from a column of rows. */
typedef struct {
    int of;     /* what it comes from: a node, a closed box (negative), or a link (LINK_RUN + k) */
    int row;    /* at the height of the row, or in the gap below it */
    bool level; /* the first of these */
    double h;   /* how much of the gap it takes */
    double x;   /* where it comes from: those from further right lie higher */
    double y;   /* in the end */
} Run;

typedef struct {
    Picture *p;
    const Scene *s;
    View view;
    bool *right;  /* by unit: it stands in the adjoint half */
    bool *column; /* by unit: a sequence from the other half; stands at the left side of its loop */
    int *row;     /* by unit */
    int *top, *bottom; /* by box: of loops in the adjoint half, their last and first row */
    int *pair;         /* by box: of these, the loop whose traces enter it; 0: none */
    VEC(Run) runs;
    int *out, *in; /* by edge: the run where its way begins and where it ends, from 1; 0: no way */
    int low, high; /* rows of both halves */
    double *centre, *reach; /* by row - low: where it is, and half of its height */
} Halves;

enum { LINK_RUN = 1 << 28 };

/* Units are nodes and boxes in one count, from 0. */
static inline size_t unit_of(const Halves *h, int code)
{
    return code > 0 ? (size_t)code - 1 : h->s->nodes.len + (size_t)(-code) - 1;
}
static inline int code_of(const Halves *h, size_t unit)
{
    return unit < h->s->nodes.len ? (int)unit + 1 : -(int)(unit - h->s->nodes.len) - 1;
}
static inline size_t units(const Halves *h) { return h->s->nodes.len + h->s->boxes.len; }
/* A drawn node or closed box? */
bool is_unit(const Halves *h, size_t unit);
/* Does edge k join the halves? */
bool crosses(const Halves *h, int k);

/* ---- draw_mirror.c ---- */
/* The rows of the adjoint half, by those of the other one, which are known. */
void mirror_rows(Halves *h);

/* ---- draw_rungs.c ---- */
/* Which ways there are from half to half, and how much each row wants below it. */
void rungs_plan(Halves *h, double *wanted);
/* Columns and ways, once all rows are at the same heights in both halves. */
void rungs_draw(Halves *h);

#endif
