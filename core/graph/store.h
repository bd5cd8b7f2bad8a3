/* The store: what interns sizes, types, nodes and graphs, and owns them.
 *
 * Invariant: nothing interned is ever changed, or freed before its Store unless nothing reaches it
 * (collect.h). */
#ifndef GRADUS_STORE_H
#define GRADUS_STORE_H

#include "base/diag.h"
#include "graph/node.h"

typedef struct Thing
    Thing; /* what a node is over the states of an exploration (rewrite/things.h) */

typedef struct {
    u64 *hashes;
    void **items;
    size_t len, cap;
} Intern;

struct Store {
    Arena arena;   /* what lasts: trees of the tables */
    Arena scratch; /* of the statement that runs; freed after it (collect.h) */
    size_t bytes;  /* that everything interned takes */
    Intern symbols, names, intlists, atoms, sizes, types, tensors, nodes, graphs;
    MAP(Symbol, struct Made *) names_made; /* those of graph/name.h by their spelling */
    Heap heap;
    Diags *diags;               /* where construction reports */
    Span span;                  /* what is being elaborated */
    const Interrupt *interrupt; /* ^C; NULL: nobody can */
    u32 node_count, graph_count, hole_count, temp_count;
    MAP(Symbol, u32) input_order;  /* Symbol -> order of first declaration, from 1 */
    struct Temps *temps;           /* of names over temporaries: graph/temps.h */
    struct NameScope *scope;       /* whose parameters expressions are over; NULL: not known */
    struct Provenance *provenance; /* the current one (graph/provenance.h); NULL: none yet */
    struct Identities *identities; /* what all of them know */
    size_t limit;                  /* bytes of graph memory before building is refused; 0: none */
    MAP(const char *, struct Expr *) derivatives; /* text of elem.def -> its tree in the arena */
    bool notes_derivatives;         /* what a derivative makes gets node_derived_from */
    struct Composites *composites;  /* what the prelude says of them, once it was asked */
    MAP(Node *, Size *) node_sizes; /* i64 node -> Size: what size_of_node gave */
    NodeCounts derivative_depths;   /* what node_result_name found */
    MAP(Node *, Symbol *)
    dimensions;        /* of an input: their names, by axis; NULL where there is none */
    u32 dimension_age; /* another one: what was found by them holds no more */
};
void store_init(Store *st);
void store_free(Store *st);
Symbol symbol(Store *st, const char *s);
Symbol symbol_n(Store *st, const char *s, size_t n);
/* Adds an error at st->span and returns NULL. */
void *store_error(Store *st, const char *code, const char *hint, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* Did memory run out? Then an error says so; `doing` as in diag_memory. */
bool store_short(Store *st, const char *doing);
/* Is the statement to end, as ^C was pressed or memory ran out? What takes long polls this and
 * leaves its work half done; the statement ends with an error (store_stopped), and nobody shows it.
 */
static inline bool store_stops(const Store *st)
{
    return interrupted(st->interrupt) || memory_short();
}
/* The same, with the error; `doing` as in diag_memory. */
bool store_stopped(Store *st, const char *doing);
void *intern_find(Intern *in, u64 hash, const void *probe, bool (*eq)(const void *, const void *));
void intern_add(Intern *in, u64 hash, void *item);
void intern_free(Intern *in);
void *store_alloc(Store *st, size_t bytes); /* zeroed, for something to be interned */

/* ---- inputs and shared variables ---- */
void leaf_declare(Store *st, Symbol name);         /* one of that name is made */
u32 leaf_place(const Store *st, const Node *leaf); /* in the order of declaration, from 0 */
/* The names of its dimensions, by axis, from now on; NULL: they have none. */
void leaf_name_dimensions(Store *st, Node *leaf, const Symbol *names);
const Symbol *leaf_dimensions(const Store *st, const Node *leaf); /* NULL: they have none */
void leaves_by_declaration(const Store *st, size_t n, Node **leaves);

/* ---- names; more of them in graph/names.h ---- */
/* Of an expression over parameters as the open scope knows it. */
Symbol node_name(Store *st, const Node *n);          /* or NULL */
void node_set_name(Store *st, Node *n, Symbol name); /* the first name stays */
/* The name inside a body (NULL: outside): one node may stand for different things in two bodies. */
Symbol node_name_in(Store *st, const Graph *g, const Node *n);

/* ---- texts ---- */
/* SSA text of everything the roots reach; numbers from `num` (node -> k + 1), extended as needed.
 */
typedef struct {
    MAP(const void *, u32) of;
    u32 next;
    u32 graphs;          /* how many of them have a number; their keys in `of`: numbering_graph */
    const Graph *within; /* the inner graph that is being shown; NULL: the outermost */
    const void *things;  /* for `thing`: which thing a node is in a graph; NULL: none */
    const Thing *(*thing)(const void *things, const Graph *within, const Node *n);
    u32 (*thing_number)(const Thing *thing);
} Numbering;
/* The thing that n is in the graph that is being shown; NULL: it is not known to be one. */
const Thing *numbering_thing(const Numbering *num, const Node *n);
/* That of its thing, else one for the node itself. */
u32 number_of(Numbering *num, const Node *n); /* gives the next free number at first sight */
void graph_print(Store *st, Text *out, int nroots, Node *const *roots, Numbering *num);
/* Checks the invariants; a message and false if one is broken. */
bool graph_verify(Store *st, int nroots, Node *const *roots, Text *why);

#endif
