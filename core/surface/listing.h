/* What the files that print whole graphs in the surface language share; nobody else includes this.
 *
 * A frame is a graph that is being printed: the outermost, the body of a loop, a branch, what a
 * derivative is of. Invariant: in a frame every node has one text, and that text means, where it
 * stands, this node. */
#ifndef GRADUS_LISTING_H
#define GRADUS_LISTING_H

#include "graph/control.h"
#include "surface/tree.h"

typedef struct Listing {
    Store *st;
    const ListingOptions *options;
    SymbolSet reserved;                   /* names that are taken everywhere */
    MAP(const Graph *, Symbol) functions; /* body of a call -> its name */
    Builder b;                            /* of all trees, which live as long as the listing */
    Expr *inputs, *called;                /* blocks: declarations, definitions of functions */
    unsigned temps;                       /* t1, t2, ... so far */
} Listing;

typedef struct Frame {
    Listing *l;
    const struct Frame *outer;
    const Graph *graph;      /* NULL: the outermost */
    const GraphPlace *place; /* of the graph, or NULL */
    NodeNames names;         /* node -> how it is called here */
    SymbolSet taken;         /* names that mean something here */
    NodeCounts uses;         /* node -> how often it is an operand or a result */
    NodeSet quiet;           /* operators of which the broadcasts are not written */
    NodeSet forced;          /* what a body takes from here: it needs a name */
    NodeSet defined;         /* nodes with a definition of their own */
    NodeCounts equations;    /* those that are equations of the loop -> 1 + which; named already */
    NodeSet results;         /* results of the frame */
    NodeSet seen;            /* what was gone through */
    NodeSet unseen;          /* arrays whose sizes the reader may see as others that are equal */
    NodeMap given;           /* parameter -> what it stands for in the outer frame */
    Symbol index;            /* of the loop of which this is the body, or NULL */
    Expr *block;             /* E_BLOCK: definitions so far */
} Frame;

/* ---- frames (listing.c) ---- */
/* Begins the frame of a graph with these results; the names of its parameters are noted before. */
void frame_open(Frame *f, Listing *l, const Frame *outer, const Graph *g);
/* The graph of the frame stands in `owner`, a node of the frame `around`. */
void frame_place(Frame *f, const Frame *around, const Node *owner);
/* The operand `op` of n, or what is written in its place. */
Node *frame_operand(const Frame *f, const Node *n, Node *op);
/* How often what is used, and what bodies take. */
void frame_count(Frame *f, int nroots, Node *const *roots);
/* Then: what gets a definition, and its name. */
void frame_find(Frame *f, int nroots, Node *const *roots);
/* grad and the value with it: a pair, the second of which may be a tuple? */
bool frame_is_pair(const Frame *f, const Node *n);
/* Are the results of n called by names, and not expressions over n? */
bool frame_has_fields(const Frame *f, const Node *n);
/* How many values the expression of n gives, its first results. */
int node_parts(const Node *n);
void frame_close(Frame *f);
/* Notes a name of the frame that is like `wanted`, which need not be one, and is not taken yet. */
Symbol frame_take(Frame *f, Symbol wanted);
/* What the text begins with is taken: "S" of "S.final.h", "d_h" of "d_h[t-1]". */
void frame_take_text(Frame *f, const char *text);
void frame_name(Frame *f, const Node *n, Symbol text);
/* The definitions that n needs and that do not stand yet. */
void frame_define(Frame *f, Node *n);
/* n as an operand: by its name if it has one. */
Expr *frame_tree(Frame *f, Node *n);
/* The same as a name for inner frames, in parentheses where it needs them. */
Symbol frame_text(Frame *f, Node *n);
/* The results of an inner frame: one expression or a tuple, in a block if there are definitions. */
Expr *frame_block(Frame *inner, int nouts, Node *const *outs);
/* One more statement of a block; name NULL: it has none yet. */
Stmt *listing_put(Listing *l, Expr *block, StmtKind kind, const char *name, Expr *value);
/* Begins the frame of a graph of `owner` that is no loop, whose parameters are `args` of f. */
void frame_inside(Frame *inner, Frame *f, const Node *owner, const Graph *g, Node *const *args,
                  const IntList *map);

/* ---- the whole (listing.c) ---- */
/* The outermost frame, in which parameters, and what is not to be opened, have names; o: may be
 * NULL. */
void listing_begin(Listing *l, Frame *f, Store *st, const ListingOptions *o);
/* All statements: in the blocks of the listing and of its frame. */
void listing_whole(Frame *f, int nroots, Node *const *roots);
/* Frees both. false after a diagnostic: it was interrupted. */
bool listing_end(Listing *l, Frame *f);

/* ---- nodes (listing_nodes.c) ---- */
/* Notes whether the sizes of n, whose operands were noted before, are seen by the reader, too. */
void listing_sizes_unseen(Frame *f, const Node *n);
/* .. and those of a parameter that is given arg of the frame f. */
void listing_given(Frame *inner, Node *param, const Frame *f, const Node *arg);
/* A parameter of the inner frame is the same value as `arg` of the outer one. */
void listing_same(Frame *inner, Node *param, Node *arg);

/* ---- loops (listing_loops.c) ---- */
/* The scan or loop n; `record`: how its results are reached, or NULL. */
Expr *listing_loop(Frame *f, Node *n, Symbol record);
/* Does the name of the whole stand for its only trace? */
bool listing_loop_is_trace(Frame *f, Node *n);
/* "d_h", "h", "sum_d_Uf": one name in the language? */
bool is_name_text(const char *s);
/* "d_h[t-1]": the name in front, the index and the offset; false if it has no such form. */
bool tap_of(Store *st, Symbol name, Symbol *base, Symbol *index, i64 *offset);

/* An input or a shared variable has its name; one that is a part of a tuple only with `parts`. */
void frame_name_leaf(Frame *f, Node *n, bool parts);

#endif
