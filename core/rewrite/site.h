/* A site: one node at which one rule in C is tried. It is all that such a rule gets: it asks here,
 * and what it finds, and why it does not fire, goes here, too.
 *
 * Invariant: a rule changes nothing but its site; whether the changes are made, the engine says. */
#ifndef GRADUS_SITE_H
#define GRADUS_SITE_H

#include "ops/build.h"
#include "ops/cotangent.h"
#include "rewrite/facts.h"
#include "rewrite/hazard.h"

typedef struct {
    Node *before, *after;
} Change;
typedef VEC(Change) Changes;

typedef struct Site {
    Store *st;
    Node *node;
    Facts *facts; /* of the whole pass; may be NULL */
    /* What follows belongs to the engine. */
    struct Engine *engine;
    Changes changes;
    DerivativeRecords records;
    Text why;
} Site;

/* A rule in C: puts at least one change and returns true if it fires. What it put otherwise does
 * not count. Rules on nodes of tuple type change their projections. */
typedef bool (*RuleFn)(Site *site);

/* ---- what it may ask ---- */

/* The results of the site's node, a tuple or a result of one, that the graph uses, however many it
 * has: a set of bits, 64 to an item, interned; NULL: all, or it is not known. */
const IntList *site_used(const Site *site);
bool result_is_used(const IntList *used, int result);
/* All nodes of the graph, operands first, where a rule looks at the whole of it (between two
 * sweeps); empty where it is tried in a sweep. */
const NodeVec *site_order(const Site *site);
/* The roots of the graph that the node stands in (level 0), of the one around its owner (1), ...;
 * -1: there is none that far out. */
int site_roots(const Site *site, int level, Node *const **roots);
/* The node whose body that graph is; NULL: it is the outermost, or not known. */
const Node *site_owner(const Site *site, int level);
/* Is a derivative asked for of the graph that the node stands in, or of one around it? */
bool site_is_derived(const Site *site);
/* Does the node stand in the body of another one? */
bool site_is_inside(const Site *site);

/* Would a rule that keeps a function in its range (one of the pass `stabilize`, or of class N+)
 * fire at n, a node that need not be in the graph? */
bool site_would_fire(const Site *site, Node *n);
/* Does one of that pass ask for that operator at all? */
bool site_may_fire(const Site *site, const Node *n);

/* Can nothing that root reaches fail, or go on for ever? Remembered. */
bool fact_total(Facts *f, Store *st, Node *root);

/* ---- what it finds ---- */

/* `after` in place of `before`. */
void site_put(Site *site, Node *before, Node *after);
/* Where the record of a derivative goes; NULL: nobody keeps it. */
DerivativeRecords *site_records(Site *site);
/* What was put in place of `before` so far, or NULL. */
Node *site_found(const Site *site, const Node *before);
/* Something else in place of `before`, for which something was put. */
void site_put_instead(Site *site, const Node *before, Node *after);
size_t site_count(const Site *site); /* how many changes */
void site_forget(Site *site);        /* none of them: it starts again */
/* The evidence for what it put: a text that may be made in parts. */
void site_why(Site *site, const char *fmt, ...) PRINTF_LIKE(2, 3);
Text *site_why_text(Site *site); /* for printers */

/* ---- why not ---- */

/* The condition that failed, at a node below the site's if not NULL: "state h is read at t-1". It
 * is formatted only if somebody asks. Returns false, for the rule to return. */
bool site_refuse(Site *site, const Node *at, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* What must not pass silently: the statement fails with this error. Only the first one counts.
 * `what` says what cannot be done, and is followed by the message that construction gave since
 * there were `errors` of them, or by `else_why`. */
void site_fail(Site *site, const char *code, size_t errors, const char *what, const char *else_why);

/* What was refused, in the order in which it was: for `:whynot`. */
typedef struct {
    const Node *site, *at; /* at: NULL if it is the site itself */
    const char *why;
} Refused;
typedef struct {
    VEC(Refused) all;
    Arena arena;
} Refusals;
void refusals_free(Refusals *r);

/* ---- the tables of rules in C ---- */

/* How steps of a rule are taken apart (open.h). */
typedef struct Opener Opener;

/* In place of a rule's operator: tried at every operator that it can concern; at every one that a
 * rule of the same pass asks for by name. */
enum { ROOT_ANY = OP_COUNT, ROOT_ASKED };

/* One table a file. `root`: the operator at which it is tried, or ROOT_*. `opener` NULL:
 * its steps have no parts to show. */
typedef struct {
    const char *name, *pass;
    u32 classes;
    u32 root;
    RuleFn fn;
    const char *reason;
    const Opener *opener;
} CodeRule;
/* All tables of rules in C, each ended by a row without a name; NULL ends the list
 * (core/registry.c). Their order is that in which rules are tried. */
extern const CodeRule *const rule_tables[];

/* ---- for the engine, and for sweeps that put changes themselves ---- */
void site_open(Site *site, struct Engine *e, Node *n);
void site_close(Site *site);

#endif
