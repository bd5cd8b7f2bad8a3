/* Inputs on which two expressions are compared: ordinary numbers, corners where functions change
 * (zeros of both signs, halves, equal values, empty and short axes, the expressions' own
 * constants), the ends of the ranges of the types, and nan and infinity.
 *
 * Invariant: the points of two expressions depend on nothing but these. */
#ifndef GRADUS_SAMPLE_POINTS_H
#define GRADUS_SAMPLE_POINTS_H

#include "session/session.h"

/* How unusual the inputs of a point are; each kind may have what those before it have. */
typedef enum { ORDINARY, CORNER, EXTREME, NONFINITE, POINT_KINDS } PointKind;

enum { EVERY_LEAF = 1000, SAMPLE_SIZES = 8, SAMPLE_POOL = 16 };

/* What the leaves that are not named hold. */
typedef enum {
    FILL_ONES,
    FILL_MIXED,    /* of both signs */
    FILL_POSITIVE, /* some functions want that */
    FILL_SIGNED,   /* each leaf of one sign */
    FILL_UNIT,     /* within (0, 1) */
    FILL_LARGE,    /* up to 20 */
    FILL_WHOLE,    /* -1, 0, 1, 2 */
    FILL_HALVES,
    FILL_EQUAL,    /* all leaves alike */
    FILL_FROM_KIND /* any values of the point's kind, and of the kinds before it */
} Fill;

typedef struct {
    PointKind kind;
    Fill fill;
    u32 seed, sizes;
    int leaf[2];  /* those that hold a value of their own; -1: none; EVERY_LEAF: all */
    int place[2]; /* which one of the kind's values for their dtype; -1: `at` */
    double at;
    bool first; /* only their first elements do */
} SamplePoint;

typedef struct {
    Session *s;
    VEC(Node *)
    leaves; /* the first `own` are the expressions'; others only have their sizes */
    size_t own;
    Symbol names[SAMPLE_SIZES]; /* of sizes */
    size_t nnames;
    double pool[SAMPLE_POOL]; /* constants of the expressions */
    size_t npool;
    i64 longest;   /* axis, but the usual ones */
    bool measures; /* a value is the size of something: integers are small */
    VEC(SamplePoint) points;
} Sampler;

void sampler_open(Sampler *p, Session *s, int n, Node *const *roots);
void sampler_close(Sampler *p);
/* The value of a leaf there; NULL: no memory, or no such value. */
Tensor *sampler_value(const Sampler *p, const SamplePoint *at, size_t leaf);

#endif
