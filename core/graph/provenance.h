/* Provenance: what a node is called, where it was written, in which order its operands were, and
 * what the parts of a scan are to its author. None of this is stored in the node, because equal
 * nodes are one node, and two definitions may give it two names.
 *
 * A provenance is what one statement, or one exploration, knows of nodes. It refers to those that
 * it was built from, as a definition refers to the definitions that its text mentions, and sees
 * what they know. The store has a current one (`st->provenance`): all functions here read what it
 * sees and write to it alone.
 *
 * Invariant: two provenances that do not refer to each other never see each other's names, whatever
 * nodes they share. Of several identities of one node that are visible, the newest counts; whoever
 * gives a name checks first that the node has none. */
#ifndef GRADUS_PROVENANCE_H
#define GRADUS_PROVENANCE_H

#include "graph/store.h"

typedef struct Provenance Provenance;
struct ScanRoles;

/* A new one that refers to nothing; becomes current. Lives until a collection finds that nothing
 * refers to it: see provenance_collect. */
Provenance *provenance_open(Store *st);
/* The current one sees from now on what `of` sees (NULL: nothing more). */
void provenance_refer(Store *st, Provenance *of);
/* Makes p the current one (NULL: that of no statement); returns that which was. */
Provenance *provenance_enter(Store *st, Provenance *p);
/* Is it that of a statement that has not ended yet? Collections leave those alone. */
void provenance_running(Provenance *p, bool running);
/* Do they give the same names and orders to all nodes? May say no where they do. */
bool provenance_same(const Provenance *a, const Provenance *b);
/* What was made under p serves another statement, which says the same of its nodes but wrote them
 * elsewhere: places are those of `now`. */
void provenance_serve(Store *st, Provenance *p, Provenance *now);

/* ---- time: a name is given by some step, and no earlier state knows it ---- */

/* Another step is about to be recorded; returns its time. */
u32 provenance_tick(Store *st);
/* From here on the current one is seen as it was at that time, and what is named is named then; 0:
 * as it is. Returns what held so far. Ends when another one, or it, is entered. */
u32 provenance_view(Store *st, u32 time);

/* ---- of a node ---- */
const Span *node_span(Store *st, const Node *n); /* NULL: its place is not known */
void node_set_span(Store *st, const Node *n, Span span);
/* The place of the operation whose derivative made it; NULL: none, or nobody noted it
 * (Store.notes_derivatives). It is carried with the place. */
const Span *node_derived_from(Store *st, const Node *n);
void node_set_derived_from(Store *st, const Node *n, Span span);
/* Does one that the current one refers to know its name or place? Then it is something of its own
 * in the program. */
bool node_is_written(Store *st, const Node *n);
/* `to` stands for what was written where `from` was, unless it has a place of its own: run-time
 * errors show it. */
void node_carry_span(Store *st, const Node *from, const Node *to);
/* The operands as written: position in the source -> operand; NULL: as they are kept. */
const IntList *node_order(Store *st, const Node *n);
/* The operand that is shown at place k. */
Node *node_operand_shown(Store *st, const Node *n, u32 k);
void node_set_order(Store *st, const Node *n, const IntList *order); /* the first stays */
/* As it was noted; NULL: nothing was. Takes over a block from malloc. */
const struct ScanRoles *node_roles(Store *st, const Node *scan);
void node_set_roles(Store *st, const Node *scan, struct ScanRoles *roles);
/* For names.c: the name as it was given, and when. NULL: takes it away. */
Symbol provenance_name(Store *st, const Node *n, u32 *named_at);
void provenance_set_name(Store *st, const Node *n, Symbol name, u32 named_at);

/* ---- of a graph ---- */
const Symbol *graph_names(Store *st, const Graph *g); /* of its parameters, or NULL */
void provenance_set_params(Store *st, const Graph *g, Symbol *names); /* takes over */
const NodeNames *body_names(Store *st, const Graph *g);               /* of its nodes, or NULL */
NodeNames *body_names_own(Store *st, const Graph *g);                 /* to be added to */
bool graph_has_names(Store *st, const Graph *g);                      /* of either kind */

/* ---- the collector (graph/collect.c) ---- */
struct Collection;
/* Something refers to it; NULL is fine. */
void provenance_collect(struct Collection *c, Provenance *p);
/* Before anything is marked: those that are running. */
void provenance_begin(struct Collection *c);
/* Marks what those that are kept say of marked nodes and graphs; all that is kept is marked. */
void provenance_mark(struct Collection *c);
void provenance_sweep(struct Collection *c);
void provenance_free(Store *st);
size_t provenance_count(const Store *st); /* identities, for tests */

#endif
