/* What things are called, for display only: names never change what is computed, what is equal, or
 * the order of anything.
 *
 * Invariant: no name is wrong. A name belongs to the statement or exploration that gave it
 * (graph/provenance.h). A node without parameters means the same wherever it stands, so it has one
 * name there. An expression over parameters has a name in each graph of its own
 * (what is `h[t-1] + 1` in one loop is `k + 1` in another), and one over temporaries until one of
 * these is used again. In a graph no two nodes have one name, but for what a state is before a step
 * and after it, where it has no index (sum_d_W).
 *
 * A name is NAME, NAME[t], NAME[t-1] or NAME[t+2]; NAME is an identifier. How names are derived
 * from names, graph/name.h tells; tanh_x, one_minus_x, x_W, W_icfo is what a value without a name
 * of its own is called: what it is made of. */
#ifndef GRADUS_NAMES_H
#define GRADUS_NAMES_H

#include "graph/name.h"

/* ---- carrying ---- */

/* `to` is what `from` was: it gets its name and, of a scan, the names of its parts, unless it has
 * some. */
void node_carry_name(Store *st, const Node *from, Node *to);
/* Another name for an open node. */
void node_rename(Store *st, Node *n, Symbol name);
/* The name of what a gradient gives by W, if it has no other: dW. Else that of the node. */
Symbol node_result_name(Store *st, const Node *n);

/* While it is open, expressions over parameters are those of g: what is built from named ones gets
 * their names. Scopes nest; closing (opening) a graph works outside of all. */
typedef struct NameScope {
    const Graph *graph;
    NodeNames at; /* expression -> Symbol */
    struct NameScope *outer;
} NameScope;
void names_open(Store *st, NameScope *scope, const Graph *g);
/* `became`: the graph that was made of g, over the same parameters; NULL or g itself: none. It gets
 * the names of its parameters and nodes. */
void names_close(Store *st, NameScope *scope, const Graph *became);

/* The graph whose parameters they are keeps the names that were given so far, also of what is
 * between two of its states. */
void names_keep(Store *st, const NameScope *scope);

/* Gives the copies of g's nodes their names; memo: node of g -> its copy. Of a step that is written
 * out with the number of its row: "h[2]" for h[t]; NULL: it is none. */
void body_names_carry(Store *st, const Graph *g, const NodeMap *memo, const i64 *row);
/* Names a graph that was closed; memo: open node -> node of g, params: what each parameter stands
 * for. What has names keeps them. */
void graph_names_close(Store *st, const Graph *g, Node *const *params, const NodeMap *memo);
/* Names of parameters, copied; the first ones stay, and NULL gives none. */
void graph_set_names(Store *st, const Graph *g, const Symbol *names);
/* The same body in a state between two steps: names as far as nodes are the same. */
void graph_names_share(Store *st, const Graph *from, const Graph *to);

/* ---- names made of what a node is made of ---- */

/* The node's name, or one made of what it is made of; NULL if that has no names, or is too much. */
Symbol node_composed(Store *st, const Node *n);
/* The same, in the end the name of its operator. */
Symbol node_told(Store *st, const Node *n);
/* Makes equal names differ. */
void names_distinct(Store *st, int n, Symbol *names);

#endif
