/* Graphs in the surface language: the tree of a node's expression, and whole graphs with their
 * definitions. What shows a graph goes through here.
 *
 * Invariant: what is shown costs what is shown, however large the graph is; a listing is read back
 * as the same graph. */
#ifndef GRADUS_SURFACE_H
#define GRADUS_SURFACE_H

#include "base/pretty.h"
#include "graph/print.h"
#include "syntax/sign.h"

/* ---- expressions ---- */

/* The expression as source text of the language; names stop the descent when `names` is true. */
void node_source(Store *st, Text *out, Node *n, bool names);
/* At most about max_chars characters: the deepest parts are elided as `…`. */
void node_source_limited(Store *st, Text *out, Node *n, bool names, int max_chars);
/* The same; parameters of `within` (may be NULL) have their names. */
void node_source_within(Store *st, Text *out, Node *n, int max_chars, const Graph *within);
/* The same, nodes of `marked` marked; what leads to one is shown where that is possible. */
void node_source_marked(Store *st, Styled *out, Node *n, int max_chars, const NodeSet *marked,
                        const Graph *within);
/* Marks the nodes of `places`, which are inputs, wherever they stand. */
void node_source_places(Store *st, Styled *out, Node *n, int max_chars, const NodeSet *places);
/* `depth` levels of operators (at least 1); what is deeper is shown by its number, %k. */
void node_source_numbered(Store *st, Text *out, Node *n, Numbering *num, int depth);
/* The same; what is deeper, and what is a key of `leaves` below n, is shown by its name in
 * num->within, else by its number. Stops soon after `limit` bytes (0: the usual limit). false: some
 * of it is missing. */
bool node_source_leaves(Store *st, Text *out, Node *n, Numbering *num, int depth,
                        const NodeSet *leaves, size_t limit);

/* ---- names as a book sets them (book_names.c) ---- */

/* Of one graph. */
typedef struct {
    Store *st;
    int letters;                 /* how many values without a name have got one */
    MAP(Symbol, Symbol) instead; /* what names that would be misread are called */
    SymbolSet taken;             /* names without their index */
    SymbolSet rows;              /* those that stand with an index */
    unsigned signs;              /* that were written, by their bits */
} BookNames;
void book_names_collect(BookNames *b, int nroots, Node *const *roots);
/* A name for what has none. */
Symbol book_letter(BookNames *b);
/* What an author's or derived name is: "dh[t]", "1 − f"; where it is an operand: "(1 − f)". */
void book_name(BookNames *b, Pretty *out, Symbol name, bool operand);
/* Adds what the signs mean that were written. */
void book_names_explain(const BookNames *b, Text *out);
void book_names_free(BookNames *b);

/* The name of a function that is called. */
void book_function(Pretty *out, const char *name);

/* ---- as people write it: for figures (reading.c) ---- */

typedef struct {
    /* What a node is called; NULL: nothing, it is written out. *loose: parentheses have to stand
     * around it where it is an operand. */
    const Phrase *(*called)(void *context, Node *n, bool *loose);
    void *context;
} Reading;
/* The formula of n in a book's signs. Casts and axes are left out only where the types beside them
 * make them evident; nothing else is. Of more than about `limit` bytes the rest is `…`.
 * true: it is one thing, which needs no parentheses anywhere. */
bool reading_print(Pretty *out, Store *st, Node *n, const Reading *r, size_t limit);
/* Is op, an operand of user, no more than the form in which user would take its operand anyway? */
bool reading_is_evident(const Node *user, const Node *op);
/* What op is the form of. */
Node *reading_operand_of(const Node *op);
/* A sign as it stands alone in a book. */
const char *reading_sign(AstOp sign);

/* ---- whole graphs, loops with their bodies (listing.c) ---- */

typedef struct {
    Numbering *num;         /* what is shared and has no name is %k; NULL: t1, t2, ... */
    const NodeSet *marked;  /* where they stand goes to `edges`; may be NULL */
    Edges *edges;           /* of the text; may be NULL */
    const NodeSet *leaves;  /* written by name or number where that is possible, else as ever */
    const Graph *within;    /* the roots are nodes of this body; NULL: of the outermost graph */
    int width;              /* longer lines are broken after operators; 0: 100 */
    bool declared;          /* inputs are not declared: who reads it knows them */
    const TensorMap *given; /* inputs are declared with these values; NULL: without */
    Symbol result;          /* the roots are the definition of this name; NULL: an expression */
} ListingOptions;
/* Declarations of the inputs, functions, definitions of what is used more than once, of loops and
 * of what bears a name, then the roots: an expression, or a tuple. Reading it gives the same graph
 * (language.md says how). false after a diagnostic: it was interrupted. */
bool listing_print(Store *st, Text *out, int nroots, Node *const *roots, const ListingOptions *o);
/* The definition of one node, `i = sigmoid(..)`, `d_h[t-1] = ..` for an equation of the loop whose
 * body is o->within; before it those that it needs and that have no name. */
bool listing_node(Store *st, Text *out, Node *n, const ListingOptions *o);

/* ---- the same as trees (listing_trees.c) ---- */

/* In a graph that a node owns: sizes there are those of the graph. */
typedef struct GraphPlace {
    const Node *owner;
    const Graph *graph;
    const struct GraphPlace *outer;
} GraphPlace;

typedef struct {
    Arena arena;
    int n;
    struct Stmt **statements; /* what listing_print would write */
} GraphTrees;
/* As the parser builds them; `of` of an expression or a scan is its node, or NULL, that of a
 * function the GraphPlace of a call. false after a diagnostic: it was interrupted. Free in any
 * case. */
bool graph_trees(Store *st, GraphTrees *t, int nroots, Node *const *roots);
void graph_trees_free(GraphTrees *t);
/* The tree of a text, which stands for no nodes; NULL: it cannot be read. */
struct Expr *tree_read(const char *text, Arena *arena);

#endif
