/* What the two halves of node_source share; nobody else includes this.
 *
 * Invariant: `need` is how tightly the place binds; what binds less is put in parentheses. */
#ifndef GRADUS_SOURCE_H
#define GRADUS_SOURCE_H

#include "graph/op.h"
#include "graph/print.h"

/* Inside an inner graph: what its parameters stand for. */
typedef struct Env {
    Node *const *args;
    const IntList *map; /* parameter -> argument, or NULL: the same */
    i64 nargs;
    const struct Env *outer;
    const Graph *graph;
} Env;

struct Frame;
typedef struct {
    Store *st;
    Text *out;
    Node *root;
    struct Frame *frame; /* of a listing, in which nothing is left out; NULL: one line */
    Numbering *num;      /* deeper parts are %k; NULL: `…` */
    bool names;
    int depth;    /* levels to print */
    size_t limit; /* bytes */
    bool elided, full;
    const Graph *within;  /* whose parameters have names; NULL: what num says */
    const PtrMap *marked; /* or NULL */
    const PtrMap *leaves; /* shown by name or number, results of loops by name; NULL: nothing is */
    PtrMap leads;         /* nodes with a marked one below them */
} Writer;

/* n as an operand; parameters are looked up in env. */
void source_expression(Writer *w, Node *n, int need, int depth, const Env *env);
/* Operand i of n in source order, one level deeper. */
void source_at(Writer *w, Node *n, u32 i, int need, int depth, const Env *env);
/* Operands [from, to) with commas; a tuple of them where `tuple`. */
void source_list(Writer *w, Node *n, u32 from, u32 to, bool tuple, int depth, const Env *env);
/* One is written alone, several as a tuple. */
void source_one_or_tuple(Writer *w, Node *n, u32 from, u32 to, int depth, const Env *env);
/* n as it is written everywhere, without the forms of a listing. */
void source_usual(Writer *w, Node *n, int depth, const Env *env);
/* Operator, operands and attributes, all of them: name(a, b, axis=0). */
void source_raw(Writer *w, Node *n, const char *name);
/* %k of n, which stands in the graph of env. */
void source_number(Writer *w, const Node *n, const Env *env);
/* Would n be shown by its name? */
bool source_is_named(const Writer *w, const Node *n);

/* A listing's own forms (listing_nodes.c): how tightly n binds there, and n written so. */
int listing_level(Writer *w, const Node *n);
bool listing_named(Writer *w, Node *n);
/* Would part, the first operand of n, be read as more operands of n? */
bool listing_nested(const Node *n, const Node *part);
bool listing_form(Writer *w, Node *n);

/* 0: replaces, 1: adds, more: something else. */
static inline i64 source_store_mode(const Node *n) { return n->attrs[n->nattrs - 1].i; }
/* x[i], x[a:b] and x[indices], without the base; x with [i] = v */
void source_subscript(Writer *w, Node *n, int depth, const Env *env);
void source_changed_copy(Writer *w, Node *n, int depth, const Env *env);
typedef void (*SourceForm)(Writer *w, Node *n, int depth, const Env *env);
/* How operators that own graphs are written; NULL for other forms. */
SourceForm source_control(OpForm form);
void source_projection(Writer *w, Node *n, int depth, const Env *env);

#endif
