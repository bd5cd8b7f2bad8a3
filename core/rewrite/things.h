/* Things: which node is the same one, later.
 *
 * Hash-consing answers "equal", not "the same": a node over other operands is another node, and one
 * in a body that lost a parameter, too. A thing is what goes on through all that: a class of
 * corresponding nodes over the states of an exploration, with one number and one life.
 *
 * Nodes correspond if a step says so (what it replaced by an operator of the same kind, what was
 * rebuilt around that), else bottom-up, where operator, attributes and corresponding operands
 * agree, else top-down from what corresponds, by operator and operand position (same.c).
 * A loop that was made anew corresponds by its states; its parameters by role: a state by its name,
 * what enters from outside by what that is.
 *
 * Invariant: in one graph of one state a thing is one node. Numbers depend on the exploration
 * alone, not on what was asked before: start and steps first, in order, then what stands only
 * between child steps that are made on demand. */
#ifndef GRADUS_THINGS_H
#define GRADUS_THINGS_H

#include "rewrite/exploration.h"

/* A graph and what it becomes as long as its parameters mean the same: the outermost one, a body.
 */
typedef struct Body Body;
typedef MAP(const Graph *, Body *) BodiesByGraph;

/* The step that made a node, and what the node was before. */
typedef struct {
    const Step *step;
    const char *log; /* "" or the number of the step that owns the log: "4.2" */
    u32 number;      /* of the step in its log, from 1 */
    Node *before;
    bool operands_only; /* the node itself stayed; something below it was replaced */
} Origin;
/* "9", or inside another "4.2.1": the number of the step. */
char *origin_text(Arena *a, const Origin *o);
/* The step of the expression's own log in which it was; 0 of NULL: it was there from the start. */
u32 origin_outermost(const Origin *o);

/* A node that a thing is, from some step on. */
typedef struct Occurrence {
    Node *node;
    struct Thing *thing;
    Body *body;              /* that the node stands in */
    const Origin *origin;    /* NULL: it was there from the start */
    struct Occurrence *next; /* what the thing became */
} Occurrence;

struct Thing {
    u32 number; /* %k; 0: written where it is used (a parameter, a scalar) */
    u32 id;     /* from 1; every thing has one */
    bool aside; /* stands only in states beside the line of steps */
    Body *body;
    Occurrence *first, *last;
    Occurrence *now;    /* in the latest state: the last one, or an earlier that came back */
    Thing *of;          /* in a body that was copied: the original; NULL: none */
    const Origin *gone; /* the step after which it was needed no longer; NULL: it goes on */
};

typedef struct Things Things;

/* Finds the things of the start and of all steps, once; then x->numbering knows them. The pointer
 * lives as long as x. */
Things *exploration_things(Exploration *x);
/* And of the graphs between steps, as far as replaying them all is affordable. */
void things_of_states(Exploration *x);
/* And of the one after k steps, if that was asked for and they were too many. */
void things_of_state(Exploration *x, u32 k);
/* Puts the roots after k steps in *roots; the things of that state are known then. false: the log
 * does not replay (a bug). */
bool things_replay(Exploration *x, u32 k, Node **roots);
/* And of child steps that are made on demand (open.c). */
void things_open(Exploration *x);
/* One more state, in the graph `within` (NULL: the outermost): what nodes of a known one became
 * when they were substituted are the same things. */
void things_adopt(Exploration *x, const Graph *within, const NodeMap *became, int n,
                  Node *const *roots);

/* The thing that n is in a graph (NULL: the outermost); NULL: it is none. */
const Thing *thing_of(const Things *t, const Graph *within, const Node *n);
const Occurrence *thing_occurrence(const Things *t, const Graph *within, const Node *n);
/* Are they one thing, or one a copy of the other: in a body that two loops shared until one
 * changed? */
bool thing_same(const Thing *a, const Thing *b);
/* What it was before the step that made it; NULL: it was there from the start. */
const Occurrence *thing_before(const Things *t, const Occurrence *o);
/* Takes away the numbers that printing and drawing gave to what is no thing (graphs, states that
 * were built for the moment), so that what comes next is told as if it came first. */
void things_renumber(Exploration *x);
/* Do two nodes of one thing differ: in operator, attributes (but for graphs), things that they
 * read?
 */
bool thing_differs(const Things *t, const Graph *g, const Node *before, const Graph *h,
                   const Node *after);
/* Does it differ from what the thing was before, in that or in its graphs? */
bool occurrence_differs(const Things *t, const Occurrence *before, const Occurrence *after);
/* The thing with number k, or NULL. */
const Thing *thing_numbered(Exploration *x, u32 k);
/* The graph that it stands in, as it was last; NULL: the outermost. */
const Graph *thing_graph(const Thing *thing);
/* The thing that owns the graph that it stands in; NULL: it is in the outermost. */
const Thing *thing_owner(const Thing *thing);
/* What the thing is in a state, whose roots are given; NULL: it is not there. *within: the graph it
 * is in (may be NULL). */
Node *thing_in_state(Exploration *x, const Thing *thing, int n, Node *const *roots,
                     const Graph **within);

void things_collect(const Things *t, Collection *c); /* marks what it refers to */
void things_clear(Things *t);                        /* as if nothing had been found */
void things_free(Things *t);

/* ---- for things.c and same.c ---- */

struct Body {
    Thing *owner;                 /* NULL: the outermost graph */
    const Graph *graph;           /* the latest */
    MAP(Node *, Occurrence *) at; /* node -> Occurrence */
};

struct Things {
    Store *st;
    Exploration *x;
    Body *outer;
    BodiesByGraph bodies;
    SET(const StepLog *) seen; /* logs that were gone through */
    VEC(Thing *) all;          /* by id - 1 */
    VEC(Thing *) listed;       /* by number - 1 */
    Arena arena;
    VEC(Body *) maps; /* to be freed */
    bool states, opened;
    bool partly; /* the states were too many */
    bool cut;    /* ^C ended the search: it begins anew when they are asked for again */
};

typedef SET(const Thing *) ThingSet;

/* What is being gone through. */
typedef struct Tracer {
    Things *t;
    const struct Tracer *around; /* of the owner of the body that this one goes through, or NULL */
    const Origin *cause;         /* of what is new; NULL: the start */
    bool aside; /* states beside the line of steps: they end no life and begin none anew */
    const NodeSet *stays;   /* nodes of the state that the sweep led to; NULL: none known */
    const GraphSet *graphs; /* its graphs, however deep */
    const ThingSet *here;   /* beside the line of steps: the things that are known to stand in it */
} Tracer;

/* Something that a step took away, or may have. */
typedef struct {
    Body *in;
    Node *node;
    Occurrence *occ;
    const Node *owner; /* its graph's, where that was taken away whole (inlined); NULL: none */
    Body *owner_in;
    int slot;
    int next; /* in the table by key; -1: the last */
    bool taken;
} Gone;
typedef VEC(Gone) GoneList;

/* n continues what `was` is a node of: both are keys of the map. */
void same_pair(PtrMap *pairs, Node *n, Occurrence *was);
/* Gives a thing to each node that the roots reach and that is unknown so far in `to`: one of
 * `gone`, or a new one. `pairs`: as far as it is known what continues what. */
void same_roots(Tracer *b, Body *to, int n, Node *const *roots, GoneList *gone, PtrMap *pairs);
/* May what it is a node of be continued by another node? */
bool same_is_free(const Tracer *b, const Occurrence *occ);
/* Does it stand in the state that the sweep led to? */
bool same_stays(const Tracer *b, const Graph *g);
/* Operators that may stand for one another. */
bool same_kind(const Node *a, const Node *b);
void gone_push(GoneList *gone, Body *in, Node *n);
/* What went on as nothing else ends with the step, and what went on in the graph `in` (NULL: in
 * none) as something that the state does not hold. */
void gone_end(const Tracer *b, const Body *in, const GoneList *gone);
Occurrence *body_at(const Body *b, const Node *n);
/* The thing of `o` is that node again, after it was another one: B in A, B, A. */
void thing_returns(Tracer *b, Occurrence *o, const Origin *cause);
Thing *thing_make(Tracer *b, Thing *of); /* without a node or a number yet */
Occurrence *thing_stands(Tracer *b, Body *to, Node *n, Thing *thing);
Body *body_known(Things *t, const Graph *g); /* or NULL */
Body *body_make(Things *t, Thing *owner, const Graph *g);

#endif
