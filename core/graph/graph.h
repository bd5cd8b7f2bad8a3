/* The graph: sizes, types, nodes and closed inner graphs, all immutable and interned.
 *
 * Invariant: structurally equal means the same pointer. Nothing interned is ever
 * changed or freed before its Store. A type is a pure function of operator,
 * attributes and operand types. A Graph captures nothing: its nodes reach only its
 * own parameters (nominal: `Param(i, type)` is one shared node) and constants. */
#ifndef GRADUS_GRAPH_H
#define GRADUS_GRAPH_H

#include "base/base.h"
#include "base/diag.h"
#include "tensor/tensor.h"

typedef const char *Symbol; /* interned string: compare by pointer */
typedef struct Size Size;
typedef struct Type Type;
typedef struct Node Node;
typedef struct Graph Graph;
typedef struct Store Store;
typedef struct Thing
    Thing; /* what a node is over the states of an exploration (rewrite/things.h) */

/* ------------------------------------------------------------------ sizes */
/* A size is a polynomial with integer coefficients over atoms, in normal form. */
typedef enum {
    ATOM_NAME,   /* a symbol of the program: n */
    ATOM_PARAM,  /* d0, d1, ...: a size parameter of the Graph it stands in */
    ATOM_NODE,   /* the value of an i64 scalar node */
    ATOM_RESULT, /* inside a tuple type: the value of result `index` of the node that has the type
                  */
    ATOM_MAX,
    ATOM_MIN,
    ATOM_FLOORDIV
} AtomKind;

typedef struct {
    AtomKind kind;
    Symbol name;
    i64 index;
    Node *node;
    Size *a, *b;
    u64 hash;
    bool mark;
} SizeAtom;

typedef struct {
    i64 coef;
    u32 nfactors;
    SizeAtom **factors; /* sorted; a repeated factor is a power */
} SizeTerm;

struct Size {
    u64 hash;
    i64 constant;
    u32 nterms;
    u32 weight; /* how much there is to walk through, shared parts counted each time */
    bool mark;
    SizeTerm *terms;
};

Size *size_const(Store *st, i64 k);
Size *size_name(Store *st, Symbol name);
Size *size_param(Store *st, i64 index);
Size *size_result(Store *st, i64 index);
Size *size_of_node(Store *st, Node *n); /* the value of an i64 scalar, in normal form */
Size *size_add(Store *st, Size *a, Size *b);
Size *size_sub(Store *st, Size *a, Size *b);
Size *size_mul(Store *st, Size *a, Size *b);
Size *size_product(Store *st, int n, Size *const *sizes); /* 1 if there are none */
Size *size_scale(Store *st, Size *a, i64 k);
Size *size_max(Store *st, Size *a, Size *b);
Size *size_min(Store *st, Size *a, Size *b);
Size *size_floordiv(Store *st, Size *a, Size *b);
Size *size_pair(Store *st, AtomKind kind, Size *a, Size *b); /* ATOM_MAX, _MIN, _FLOORDIV */
bool size_is_const(const Size *s, i64 *k);                   /* k may be NULL */
bool size_is(const Size *s, i64 k);
/* The atom if s is exactly one atom, else NULL. */
SizeAtom *size_as_atom(const Size *s);
bool size_lower_bound(const Size *s, i64 *bound); /* symbols are >= 0; false if none is known */
bool size_provably_different(Store *st, Size *a, Size *b);
bool size_has_kind(const Size *s, AtomKind kind);
/* Does it mention a symbol that only a run inside a branch or body knows (a name that starts with a
 * dot)? Its value can only be read off a tensor. */
bool size_is_opaque(const Size *s);
/* Is it known outside of every body, so that it need not be read off a tensor? */
bool size_is_global(const Size *s);
/* Replaces atoms: f returns a size for an atom, or NULL to keep it. */
typedef Size *(*AtomMap)(Store *st, SizeAtom *atom, void *ctx);
Size *size_map(Store *st, Size *s, AtomMap f, void *ctx);
void size_print(Text *out, const Size *s);
/* The value of a size as an i64 scalar node: constants, `size` leaves, arithmetic. */
Node *size_to_node(Store *st, Size *s);
/* How many size parameters it refers to: the highest index + 1. */
i64 size_param_count(const Size *s);

/* ------------------------------------------------------------------ types */
typedef enum { TYPE_TENSOR, TYPE_TUPLE } TypeKind;
struct Type {
    TypeKind kind;
    DType dtype; /* tensor */
    int rank;
    Size *dims[MAX_RANK];
    int nitems; /* tuple */
    Type **items;
    u64 hash;
    bool mark;
};
Type *type_tensor(Store *st, DType d, int rank, Size *const *dims);
Type *type_scalar(Store *st, DType d);
Type *type_tuple(Store *st, int n, Type *const *items);
Type *type_with_dtype(Store *st, Type *t, DType d);
bool type_is_scalar(const Type *t);
Type *type_map_sizes(Store *st, Type *t, AtomMap f, void *ctx);
void type_print(Text *out, const Type *t);
/* False if dtype, rank or some size provably differ. */
bool type_compatible(Store *st, Type *a, Type *b);

/* -------------------------------------------------------------- attributes */
typedef struct {
    u32 n;
    bool mark;
    i64 at[];
} IntList;
const IntList *intlist(Store *st, u32 n, const i64 *at);

typedef union {
    i64 i;               /* schema letters: i integer, b bool, d dtype */
    const IntList *ints; /* I */
    Symbol name;         /* s */
    Type *type;          /* t */
    Tensor *value;       /* v: interned by content */
    Graph *graph;        /* g */
    Size *size;          /* z */
    u64 bits;
} Attr;

/* ------------------------------------------------------------------- nodes */
typedef enum {
#define OP(ID, ...) OP_##ID,
#include "ops/all.def"
#undef OP
    OP_COUNT
} OpId;
OpId size_pair_op(AtomKind kind); /* of size_pair */

/* Who needs a node: what a name stands for, or a kept exploration. See collect.h. */
enum { HOLD_NAMES, HOLD_STEPS, HOLDS };

struct Node {
    OpId op;
    u32 nattrs;
    u32 nops;
    u32 id;     /* order of creation in this Store; never printed */
    u32 aux;    /* leaves: order of declaration; holes: serial; derivatives: see names.c */
    bool open;  /* reaches a hole */
    bool inner; /* reaches a parameter: an expression in some graph */
    bool mark;  /* of a collection under way */
    u32 born;   /* when it was built, or built again after nothing used it: st->clock then */
    u32 held[HOLDS];
    u32 temps; /* 1 + the number of the last temporary that it reaches; 0: none */
    u64 shash; /* structural hash, the same on every run */
    Type *type;
    Attr *attrs;
    Node **ops;
};

/* ---- Maps and sets of these (base/map.h) ---- */
typedef MAP(Node *, Node *) NodeMap;
typedef MAP(Node *, u32) NodeCounts;
typedef MAP(Node *, Symbol) NodeNames;
typedef MAP(Node *, Tensor *) TensorMap;
typedef MAP(const Graph *, Graph *) GraphMap;
typedef SET(Node *) NodeSet;
typedef SET(const Graph *) GraphSet;
typedef SET(Symbol) SymbolSet;

/* Builds (or finds) a node; infers its type. NULL after a diagnostic at st->span. */
Node *node_make(Store *st, OpId op, const Attr *attrs, u32 nops, Node *const *ops);
/* Are the operands kept in canonical order, so that it does not matter how they are given? Those of
 * sums and products, but of three or more floats not: there the order decides about the last bits.
 */
bool operands_sorted(OpId op, u32 nops, Node *const *ops);
/* Of its operator, how many operands it has, and its attributes: a part of its structural hash. */
u64 node_operator_hash(const Node *n);
/* The operator and attributes of n over other operands, displayed in the order of its own. */
Node *node_like(Store *st, const Node *n, Node *const *ops);
/* The same node with other operands (or itself); display order and names carry over. */
Node *node_with_operands(Store *st, Node *n, Node *const *ops);
Node *node_with_attrs(Store *st, Node *n, const Attr *attrs);
/* Short forms. */
Node *node0(Store *st, OpId op, const Attr *attrs);
Node *node1(Store *st, OpId op, const Attr *attrs, Node *a);
Node *node2(Store *st, OpId op, const Attr *attrs, Node *a, Node *b);
Node *node3(Store *st, OpId op, const Attr *attrs, Node *a, Node *b, Node *c);
Node *node_const(Store *st, Tensor *t); /* takes no reference; the content is interned */
Node *node_f64(Store *st, double x);
Node *node_i64(Store *st, i64 x);
Node *node_bool(Store *st, bool x);
Node *node_number(Store *st, DType d, double x); /* scalar constant of that dtype */
Node *node_input(Store *st, OpId input_or_shared, Symbol name, Type *type);
Node *node_param(Store *st, i64 index, Type *type);
Node *node_hole(Store *st, Type *type, Symbol hint); /* a fresh open variable */
/* An open variable for a construction that closes or replaces it before it returns: save
 * st->temp_count before the first, restore it after the last. The same construction then meets the
 * same variables every time, so that what it builds does not depend on what was built before. */
Node *node_temp(Store *st, Type *type, Symbol hint);
/* Is it a transpose of the last two axes, x'? */
bool node_swaps_last(const Node *n);
Node *node_proj(Store *st, Node *tuple, i64 index); /* of a `tuple` node: the operand itself */
Node *node_cast(Store *st, Node *x, DType d);       /* x itself if it has that dtype */
Node *node_dim(Store *st, Node *x, int axis);       /* the size of an axis as an i64 scalar */
bool node_is_const(const Node *n);
bool node_const_i64(const Node *n, i64 *out);    /* scalar integer or bool constant */
bool node_const_f64(const Node *n, double *out); /* scalar constant, any number */

static inline DType node_dtype(const Node *n) { return n->type->dtype; }
static inline int node_rank(const Node *n) { return n->type->rank; }

/* ------------------------------------------------------------------ graphs */
struct Graph {
    u32 id;
    int nparams;
    Type **params;
    Node **param_nodes; /* node_param(i, params[i]) */
    int nouts;
    Node **outs;
    u64 shash;
    struct GraphReads *reads; /* graph/reads.h; NULL: not asked for yet */
    bool mark;
    u32 born, held[HOLDS]; /* as of a node */
};
Graph *graph_make(Store *st, int nparams, Type *const *params, int nouts, Node *const *outs);
/* Closes an open computation. `fixed` (holes) become the first nfixed parameters in this order,
 * used or not; then come, in a canonical order that depends on structure only (never on names or on
 * the order of capture): those of `seqs` (holes) that are used, and the captures. On return
 * *seq_used lists the indices into `seqs` in parameter order, *captures the outer nodes.
 * `mentioned` says which closed nodes are captured where they stand (may be NULL); leaves and sizes
 * always are. Arrays are in st->scratch. */
typedef struct {
    int nfixed;
    Node *const *fixed;
    int nseqs;
    Node *const *seqs;
    int nouts;
    Node *const *outs;
    const NodeSet *mentioned;
    u32 opened_at; /* st->clock when the body was opened: older operands of derivatives are
                      captured */
} CloseRequest;
typedef struct {
    Graph *graph;
    int nseqs;
    int *seqs;
    int ncaptures;
    Node **captures;
    Node **params; /* by parameter: what it stands for, open */
} Closed;
bool graph_close(Store *st, const CloseRequest *rq, Closed *out);
/* The outputs with parameters replaced by args (inlining). false after a diagnostic. */
bool graph_instantiate(Store *st, Graph *g, Node *const *args, Node **outs);
/* One step of a loop written out, that of this row: names have its number. */
bool graph_instantiate_row(Store *st, Graph *g, Node *const *args, i64 row, Node **outs);
/* The same as the first for n nodes over g's parameters. */
bool graph_instantiate_nodes(Store *st, Graph *g, Node *const *args, int n, Node *const *inner,
                             Node **outs);
/* Result types of g's outputs under args. false after a diagnostic naming the argument. */
bool graph_result_types(Store *st, Graph *g, int nargs, Node *const *args, Type **outs);
bool graph_types_from(Store *st, Graph *g, Type *const *arg_types, Node *const *args, Type **outs);

/* Operands before users, each once; only what roots reach; inner graphs are not entered. */
typedef VEC(Node *) NodeVec;
void nodes_topo(int nroots, Node *const *roots, NodeVec *out);
/* The same for one root, leaving out what `seen` holds and adding to it: many walks over one graph
 * in linear time. */
void nodes_topo_more(Node *root, NodeSet *seen, NodeVec *out);
/* Rebuilds with `map` (node -> node) applied; memo is filled. NULL after a diagnostic. */
Node *node_substitute(Store *st, Node *n, NodeMap *memo);
u32 graph_node_count(Graph *g); /* inner graphs included once per owner */
u32 nodes_count(int nroots, Node *const *roots);

/* Inner graphs of a node: attribute slots of kind g. */
int node_graphs(const Node *n, int slots[4]);

/* ------------------------------------------------------------------- store */
typedef struct {
    u64 *hashes;
    void **items;
    size_t len, cap;
} Intern;

struct Store {
    Arena arena;   /* what lasts: trees of the tables */
    Arena scratch; /* of the statement that runs; freed after it (collect.h) */
    size_t bytes;  /* that everything interned takes */
    u32 clock;     /* counts what is built */
    u32 epoch;     /* st->clock when the statement that runs began */
    Intern symbols, names, intlists, atoms, sizes, types, tensors, nodes, graphs;
    MAP(Symbol, struct Made *) names_made; /* those of graph/name.h by their spelling */
    Heap heap;
    Diags *diags;               /* where construction reports */
    Span span;                  /* what is being elaborated */
    const Interrupt *interrupt; /* ^C; NULL: nobody can */
    u32 node_count, graph_count, hole_count, temp_count;
    MAP(Symbol, u32) input_order; /* Symbol -> order of first declaration, from 1 */
    VEC(u32) temps_since;         /* by temporary: when its present use began */
    u32 temp_clock;
    struct NameScope *scope;       /* whose parameters expressions are over; NULL: not known */
    struct Provenance *provenance; /* the current one (graph/provenance.h); NULL: none yet */
    struct Identities *identities; /* what all of them know */
    size_t limit;                  /* bytes of graph memory before building is refused; 0: none */
    MAP(const char *, struct Expr *) derivatives; /* text of elem.def -> its tree in the arena */
    struct Composites *composites;  /* what the prelude says of them, once it was asked */
    MAP(Node *, Size *) node_sizes; /* i64 node -> Size: what size_of_node gave */
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

/* ------------------------------------------------------------------- names */
/* More of them in graph/names.h. Of an expression over parameters as the open scope knows it. */
Symbol node_name(Store *st, const Node *n);          /* or NULL */
void node_set_name(Store *st, Node *n, Symbol name); /* the first name stays */
/* The name inside a body (NULL: outside): one node may stand for different things in two bodies. */
Symbol node_name_in(Store *st, const Graph *g, const Node *n);

/* ------------------------------------------------------------------- texts */
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
