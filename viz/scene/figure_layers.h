/* What figure_layers.c, which finds chains of equal layers in a figure, and figure_repeat.c, which
 * draws them once, share; nobody else includes this.
 *
 * Items are the formulas, ends of lines and frames of the outermost level, in the order in which
 * they were drawn. A chain is a run of groups of `period` items, of which each reads only itself,
 * the group before it, and what all of them read alike. Groups are equal if their texts differ in
 * numbers alone that count the groups, at the ends of names: W1, W2, ... */
#ifndef GRADUS_FIGURE_LAYERS_H
#define GRADUS_FIGURE_LAYERS_H

#include "viz/scene/figure_parts.h"

/* A name in a text. */
typedef struct {
    Symbol text;
    int stem;   /* bytes before the number at its end; -1: it has none */
    i64 number; /* that */
    int node;   /* of the scene that says it; 0: a box does */
} Token;

typedef struct {
    int node, box;
    int order;    /* of its first node */
    Symbol shape; /* all of it but for its tokens */
    int tokens;   /* its first one; they are in a row */
    int reach;    /* the last item that reads it; of a result, more than there are */
} Item;

/* Where a node or box stands: nodes of an item by number from 1, its boxes from -1 down. */
typedef struct {
    int item, place;
    int token; /* the first one of its text */
} Spot;

/* What a group reads of the one before it. */
typedef struct {
    int node, line; /* of the first group: what the second one reads */
    int token;      /* its name; -1: it has none */
    int entry;    /* the edge that brings the first group the like; 0: none, it is known by name */
    Symbol start; /* that name, or NULL */
    int in, out;  /* where it enters and leaves the frame */
} Link;

typedef struct {
    Store *st;
    const Scene *s;
    VEC(Item) items;
    VEC(Token) tokens;
    Spot *of_node, *of_box; /* by number */
    int *reads, *reads_at;  /* edges, sorted by the item that they lead to; where its own begin */
    bool *entry;            /* edges that bring the first group what others read of the last */
    int start, period, n;   /* the chain: its first item, items and groups */
    VEC(Link) links;
    VEC(int) entries; /* which these are */
} Layers;

Spot layers_end(const Layers *l, const SceneEdge *e, bool to);
/* The group that an item stands in, from 0; -1: it is in none. */
int layers_group(const Layers *l, int item);
/* The like of a token of the first group in group k. */
const Token *layers_token(const Layers *l, int token, int k);
/* Does it count the groups from the second one on? */
bool layers_counts(const Layers *l, int token);
/* The longest chain of a scene; false: it has none. The caller frees it. */
bool layers_find(Store *st, const Scene *s, Layers *out);
void layers_free(Layers *l);

#endif
