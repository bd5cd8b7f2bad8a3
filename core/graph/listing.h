/* What the files that print whole graphs in the surface language share; nobody else includes this.
 *
 * A frame is a graph that is being printed: the outermost, the body of a loop, a branch, what a
 * derivative is of. Invariant: in a frame every node has one text, and that text means, where it
 * stands, this node. */
#ifndef GRADUS_LISTING_H
#define GRADUS_LISTING_H

#include "graph/control.h"
#include "graph/source.h"

typedef struct Listing {
    Store *st;
    const ListingOptions *options;
    PtrMap reserved;  /* names that are taken everywhere */
    PtrMap functions; /* body of a call -> its name */
    Text head;        /* definitions of functions */
    unsigned temps;   /* t1, t2, ... so far */
    bool failed;      /* something cannot be said; a diagnostic tells what */
} Listing;

typedef struct Frame {
    Listing *l;
    const struct Frame *outer;
    const Graph *graph; /* NULL: the outermost */
    PtrMap names;       /* node -> how it is called here */
    PtrMap taken;       /* names that mean something here */
    PtrMap uses;        /* node -> how often it is an operand or a result */
    PtrMap forced;      /* what a body takes from here: it needs a name */
    PtrMap defined;     /* nodes with a definition of their own */
    PtrMap equations;   /* those of them that are equations of the loop: their names stand */
    PtrMap results;     /* results of the frame */
    PtrMap seen;        /* what was gone through */
    PtrMap unseen;      /* arrays whose sizes the reader may see as others that are equal */
    Symbol index;       /* of the loop of which this is the body, or NULL */
    int indent;
    Text *out; /* where definitions go */
} Frame;

/* ---- frames (listing.c) ---- */
/* Begins the frame of a graph with these results; the names of its parameters are noted before. */
void frame_open(Frame *f, Listing *l, const Frame *outer, const Graph *g);
/* How often what is used, and what bodies take. */
void frame_count(Frame *f, int nroots, Node *const *roots);
/* Then: what gets a definition, and its name. */
void frame_find(Frame *f, int nroots, Node *const *roots);
/* Are the results of n called by names, and not expressions over n? */
bool frame_has_fields(const Frame *f, const Node *n);
/* How many values the expression of n gives, its first results. */
int node_parts(const Node *n);
void frame_close(Frame *f);
/* Notes a name of the frame that is like `wanted`, which need not be one, and is not taken yet. */
Symbol frame_take(Frame *f, const char *wanted);
/* What the text begins with is taken: "S" of "S.final.h", "d h" of "d h[t-1]". */
void frame_take_text(Frame *f, const char *text);
void frame_name(Frame *f, const Node *n, Symbol text);
/* Prints the definitions that n needs and that were not printed yet. */
void frame_define(Frame *f, Node *n);
/* How n is written as an operand. */
Symbol frame_text(Frame *f, Node *n, int need);
void frame_line(Frame *f); /* begins a line */
/* The results of an inner frame: one expression or a tuple, in a block if there are definitions. */
void frame_block(Writer *w, Frame *inner, int nouts, Node *const *outs, int need);
/* Begins the frame of a graph without loops of its own, whose parameters are `args` of f. */
void frame_inside(Frame *inner, Frame *f, const Graph *g, Node *const *args, const IntList *map);

/* ---- lines (listing_lines.c) ---- */
void listing_lines(Text *out, const char *text, int width); /* 0: the usual width */

/* ---- nodes (listing_nodes.c) ---- */
/* Notes whether the sizes of n, whose operands were noted before, are seen by the reader, too. */
void listing_sizes_unseen(Frame *f, const Node *n);
/* .. and those of a parameter that is given arg of the frame f. */
void listing_given(Frame *inner, Node *param, const Frame *f, const Node *arg);

/* ---- loops (listing_loops.c) ---- */
/* The scan or loop n; `record`: how its results are reached, or NULL. */
void listing_loop(Frame *f, Text *out, Node *n, Symbol record);
/* Does the name of the whole stand for its only trace? */
bool listing_loop_is_trace(Frame *f, Node *n);
/* "d h", "h", "sum d Uf": one name in the language? */
bool is_name_text(const char *s);

#endif
