/* Nodes and closed inner graphs, all immutable and interned.
 *
 * Invariant: structurally equal means the same pointer. A Graph captures nothing: its nodes reach
 * only its own parameters (nominal: `Param(i, type)` is one shared node) and constants. */
#ifndef GRADUS_NODE_H
#define GRADUS_NODE_H

#include "graph/type.h"

/* One for each row of ops.def, then of elem.def. They stand in a file of their own (see the
 * Makefile), so that a comment in a row compiles nothing anew. */
typedef enum {
#define OP_ID(ID) OP_##ID,
#define ELEM_ID OP_ID
#include "embed/op_ids.def"
#undef OP_ID
#undef ELEM_ID
    OP_COUNT
} OpId;
OpId size_pair_op(AtomKind kind); /* of ATOM_MAX, ATOM_MIN, ATOM_FLOORDIV */

struct Node {
    OpId op;
    u32 nattrs;
    u32 nops;
    u32 id;     /* order of creation in this Store; never printed */
    bool open;  /* reaches a hole */
    bool inner; /* reaches a parameter: an expression in some graph */
    bool mark;  /* of a collection under way */
    u64 shash;  /* structural hash, the same on every run */
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

/* ---- inner graphs ---- */

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
    struct Outside *outside; /* operands of derivatives that it has are captured; NULL: none */
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

#endif
