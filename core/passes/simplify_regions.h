/* The regions of the pass `simplify`: operators of sums and products that nothing but the region's
 * root needs, and what they read.
 *
 * Invariant: each node is in one region, and regions are small. */
#ifndef GRADUS_SIMPLIFY_REGIONS_H
#define GRADUS_SIMPLIFY_REGIONS_H

#include "algebra/back.h"
#include "rewrite/engine.h"

enum {
    NOT_USED = 0,
    MIXED = 1,      /* by several regions, or by what is in none */
    FIRST = 2,      /* region k is FIRST + the place of its root */
    MOST_NODES = 96 /* of a region: what is more begins a new one */
};

typedef struct {
    Store *st;
    Facts *facts;
    Engine *e; /* NULL: at one node only */
    NodeVec order;
    NODE_MAP(u32) places;   /* node -> 1 + place */
    u32 *region;            /* by place */
    u32 *count;             /* of the nodes of the region with this root */
    u8 *changes;            /* by place */
    MAP(Node *, bool) read; /* by operators of the region at hand */
    NODE_MAP(u32) now;      /* node as it is by now -> its region */
    Algebra algebra;
    Sources sources;
    NodeVec inside; /* of the region at hand, users first */
    NodeSet kept;   /* sums in it that are sources for now */
    u32 left;
    bool cut;                   /* some region was too large for one */
    const Rule *floats, *whole; /* NULL: switched off */
} Regions;

typedef struct {
    u32 nodes, contractions, numbers, turns;
    u32 again; /* operands that several operators read */
    /* numbers: that something is multiplied or divided by */
} Census;

/* May it be in a region at all? */
bool region_takes(const Node *n);
u32 region_place(const Regions *r, const Node *n);
/* Which node is in which region: r->region, r->count. */
void regions_find(Regions *r, int nroots, Node *const *roots);
/* What stands under `root` in its region, and what that reads, in the author's order. */
Census region_look(Regions *r, Node *root, u32 region);
/* Sums that are read twice, are squared, or are over axes and divided, are sources from here on.
 * False: there are none. */
bool region_keep_sums(Regions *r);
/* A formula in which everything stands once is as short as it can be, unless there are sums. */
bool region_is_promising(const Census *c);
/* What has come into the region; what another one has stays there. */
void region_enter(Regions *r, Node *root, u32 region);

#endif
