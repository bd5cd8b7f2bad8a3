/* The explorer: an exploration as one HTML page that needs nothing else.
 *
 * Invariant: the same exploration and titles give the same bytes; the page makes no
 * request; what comes from names and sources stands in it as JSON data only. */
#ifndef GRADUS_PAGE_BUILD_H
#define GRADUS_PAGE_BUILD_H

#include "rewrite/exploration.h"
#include "viz/scene/scene.h"

/* A node that the reader is to see, in the states after so many steps. */
typedef struct {
    u32 number, from, until;
} PageFound;

/* A rule that came near at a node and did not fire there. */
typedef struct {
    u32 number;
    const char *rule, *why;
    const char *step; /* the step that is the reason: "4.2"; "": none is */
    int rank;         /* the nearest first: the verdict, */
    double near;      /* and how much of its pattern matched */
} PageUnfired;

typedef struct {
    const char *title;   /* the expression, as typed */
    const char *pattern; /* that these match; NULL: none was asked for */
    const PageFound *found;
    size_t nfound;
    bool whynot;                /* this is told of nodes: */
    const PageUnfired *unfired; /* by number */
    size_t nunfired;
    /* Fills in values as text (the page frees them) of those of the nodes that have one; nodes may
     * be NULL. NULL: no values. */
    void (*values)(void *ctx, int n, Node *const *nodes, char **texts);
    /* A number of operations or bytes, sizes that are not known taken as something; the page fills
     * nodes by it. NULL: it cannot. */
    double (*amount)(void *ctx, const Size *s);
    /* The number by which color= fills a node; nan: none. Called for each that is drawn. NULL, as
     * its name and unit: it is not given. */
    double (*number)(void *ctx, const SceneNode *n);
    const char *scale, *unit;
    /* Is told how much is done, from 0 to 1, now and then; may be NULL. */
    void (*progress)(void *ctx, double fraction);
    void *ctx;
} PageOptions;

typedef struct {
    int rows;    /* steps shown, inner ones included */
    int states;  /* graphs among which the page moves */
    int views;   /* layouts */
    int nodes;   /* drawn at most at once in a layout */
    char *notes; /* what was simplified, for the user; NULL: nothing. The caller frees it */
} PageStats;

/* Appends the page to *out. On failure
 * false and a message (the caller frees it) in *error. */
bool page_build(Exploration *x, const PageOptions *options, Text *out, PageStats *stats,
                char **error);

#endif
