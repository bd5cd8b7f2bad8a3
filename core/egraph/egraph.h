/* An e-graph: all forms of an expression at once, as classes of terms that are equal.
 *
 * A term is a node of the graph; an e-node is a term up to the classes of its operands; a class
 * holds e-nodes. Operands of sums and products are kept sorted, so their order makes no e-node of
 * its own. Unions are noted with their reason, so why two terms are equal can be told (proof.c).
 *
 * Invariant, after eg_rebuild: two terms of one operator, with equal attributes and operands in
 * equal classes, are in one class (congruence); all terms of a class have one type. Numbers of
 * terms and classes depend on the order of calls alone. */
#ifndef GRADUS_EGRAPH_H
#define GRADUS_EGRAPH_H

#include "egraph/model.h"
#include "graph/op.h"
#include "rewrite/facts.h"
#include "rewrite/pattern.h"

typedef u32 TermId;
#define NO_TERM UINT32_MAX
enum {
    OP_WORDS = OP_COUNT / 64 + 1, /* of a set of operators */
    LEVELS = 3                    /* how far below a class changes are noted */
};

/* What a rule in text found; vars as many as the rule has variables. */
typedef struct EMatch {
    const Rule *rule;
    Node *left; /* the instance of the left side, a node of its own */
    u64 taken;  /* operands of a sum or product at its root that were taken */
    u32 bound;
    RuleValue *vars;
} EMatch;

/* Why two terms are equal: a rule, or congruence (rule NULL), where operand i of `a` goes with
 * operand with[i] of `b` (NULL: i). */
typedef struct {
    TermId a, b;
    const Rule *rule;
    const EMatch *match; /* of a rule in text */
    const char *why;     /* of a rule in C: its evidence, or NULL */
    u32 extra;           /* classes beyond the rule's */
    bool both;           /* it is the same rule read from right to left */
    const u8 *with;
} Equality;

typedef VEC(TermId) TermList;

typedef struct {
    Node *node;
    TermId parent; /* of the union-find; itself: it stands for its class */
    TermId up;     /* in the proof forest: the neighbour towards the root; NO_TERM: it is one */
    u32 up_edge;
    TermId next;     /* in the chain of the table */
    u64 key;         /* hash of the form under which it is in the table */
    u32 changed;     /* when it was made, got into another class, or an operand of it did so or
                        became a constant */
    u16 op;          /* of the node */
    bool dup;        /* another term of the class has the same form */
    TermId *kids;    /* of operands, as they were when they were made */
    TermId *classes; /* of operands, sorted where order does not count: the form */
} Term;

/* What is known, and the terms that say so: of its lower bound, its upper bound, and the rest. */
typedef struct {
    Fact is;
    TermId by[3];
} Known;

typedef struct {
    TermList terms;      /* e-nodes; some may be dup until the next rebuild */
    size_t sorted;       /* as many of them are in order: by operator, then by number */
    TermList parents;    /* terms with an operand in the class */
    size_t settled;      /* as many of them are up to date: their forms, what they know */
    Node *constant;      /* NULL: not known to be one */
    u32 changed[LEVELS]; /* when a term of it last did, or, [k], one up to k below it */
    u64 shown;           /* of who searches: what it showed of itself when that was looked at */
    u64 ops[OP_WORDS];   /* which operators its terms have */
    Known fact, sure;    /* known.c; sure: by what has a value wherever inputs are numbers */
    u32 hazards;         /* classes of the rules that these rest on */
    u32 learned, news;   /* how often they changed, and the time when they last did */
} EClass;

/* Alone, and in one sweep with all that uses it; negative: not asked for. */
typedef struct {
    double own, joined;
} TermCost;

typedef struct EGraph {
    Store *st;
    Arena arena;
    VEC(Term) terms;
    VEC(EClass *) classes; /* by the term that stands for it; NULL elsewhere */
    VEC(Equality) why;
    MAP(Node *, TermId) of; /* node -> term + 1 */
    TermId *table;
    u32 table_size, live; /* live: e-nodes */
    u32 time;             /* from 1 on; goes on when changes are spread, or who searches says so */
    u32 nclasses;
    TermList dirty;   /* classes whose users are to be looked at again */
    TermList touched; /* terms that changed since changes were spread; once for each time */
    u32 spread;       /* the time when they were */
    TermList by_op[OP_COUNT];
    u64 dups[OP_WORDS]; /* operators some of whose e-nodes are dup since the last rebuild */
    struct {
        VEC(TermCost) at; /* of terms, as far as they were asked for */
        CostModel of;
    } costs;
    bool contradiction;   /* two constants in one class, */
    bool clash_of_ranges; /* or two ranges that exclude each other */
    TermId clash[2];
    Facts *leaves; /* what is known of terms without operands; NULL: by their operators */
    Facts facts;   /* of nodes, by what their classes know */
    FactSource source;
    bool surely; /* they tell `sure` */
} EGraph;

void eg_init(EGraph *g, Store *st);
void eg_free(EGraph *g);
/* The term of a node, added with all below it if it is not there. */
TermId eg_add(EGraph *g, Node *n);
/* They are equal, for this reason; false if they were. The reason is kept in either case: another
 * proof may be shorter. Nothing happens where types differ. */
bool eg_union(EGraph *g, const Equality *why);
/* Restores congruence; returns the number of unions that made. */
u32 eg_rebuild(EGraph *g);
/* Notes of every two terms that are congruent that they are, in small groups of them, so that a
 * proof need not go by a third one. After a rebuild. */
void eg_link_congruent(EGraph *g);
/* The term that stands for the class of this one. */
static inline TermId eg_find(EGraph *g, TermId t)
{
    Term *at = g->terms.at;
    while (at[t].parent != t) {
        at[t].parent = at[at[t].parent].parent;
        t = at[t].parent;
    }
    return t;
}
static inline EClass *eg_class(EGraph *g, TermId t) { return g->classes.at[eg_find(g, t)]; }
static inline Term *eg_term(EGraph *g, TermId t) { return &g->terms.at[t]; }
static inline Node *eg_node(EGraph *g, TermId t) { return g->terms.at[t].node; }
static inline bool class_has(const EClass *c, OpId op) { return c->ops[op / 64] >> op % 64 & 1; }
/* Where the e-nodes of an operator begin in its list, as far as that is sorted: all of it, after a
 * rebuild. */
size_t class_first(EGraph *g, const EClass *c, OpId op);
/* The first e-node of an operator in its list; NO_TERM: there is none. */
TermId class_term(EGraph *g, const EClass *c, OpId op);
/* The e-node of the term's form, the term itself unless it is dup. After a rebuild. */
TermId eg_living(EGraph *g, TermId t);
/* Does the order of operands not count? */
bool eg_any_order(OpId op, u32 nops);
u32 eg_depth(EGraph *g, TermId t); /* how far below the root of the forest of proofs */
/* Checks the invariant by brute force, for tests. */
bool eg_verify(EGraph *g, Text *why);

/* ---- changes (changes.c) ---- */

/* What rules of a pattern up to so high can find anew there. */
typedef struct {
    TermId term;
    u32 height;
    u64 ops[OP_WORDS]; /* which operators the classes of its operands have */
} Fresh;
typedef VEC(Fresh) FreshList;
/* E-nodes that changed since the last call, or with such ones below them as deep as patterns of
 * that operator are high, by operator and number; times of classes above them are brought up to
 * date. After a rebuild; then time goes on. Returns the time to which the last call had led. */
u32 eg_spread_changes(EGraph *g, const u32 high[OP_COUNT], FreshList by_op[OP_COUNT]);
/* Can a pattern so high find at t what it could not before that time? *f is filled if so. */
bool eg_is_fresh(EGraph *g, TermId t, u32 height, u32 since, Fresh *f);

/* ---- what classes know (known.c) ---- */

void known_open(EGraph *g);
/* Of a term that is a class of its own: after it was added. */
void known_make(EGraph *g, TermId t);
/* `from` becomes part of `to`, by a rule of these classes (0: by congruence): true if what one of
 * them knows is news to the other. */
bool known_join(EGraph *g, EClass *to, const EClass *from, const Type *type, u32 hazards);
/* Something below the term may be known better: true if its class has come to know more, or rests
 * on more. */
bool known_update(EGraph *g, TermId t);

/* ---- matching (ematch.c) ---- */

/* Can the rule's pattern be searched for: does it look into no loop, branch or derivative? */
bool ematch_can(const Rule *r);
/* Calls `found` for each way in which r's left side stands for the e-node t, if some e-node that it
 * needs changed at `since` or later (as egglog does it: Zhang et al., PLDI 2023), until it returns
 * false or as much work is done as one e-node is worth; the match lasts as long as the call. Times
 * of classes are as eg_spread_changes left them. Returns the work: places looked at. */
typedef bool (*EFound)(void *ctx, const EMatch *m);
u32 ematch_at(EGraph *g, const Rule *r, TermId t, u32 since, EFound found, void *ctx);
/* The operators that operands of its root must have, each some. */
void ematch_needs(const Rule *r, u64 ops[OP_WORDS]);

/* ---- proofs (proof.c) ---- */

/* One rewriting of a state: `before` becomes `after` wherever it stands. */
typedef struct {
    Node *before, *after;
    Equality why; /* rule NULL: operands in another order */
    bool back;    /* the rule is read from right to left */
} ProofStep;
typedef VEC(ProofStep) Proof;
/* May it turn NaN into a number, or an error into a value, so that read from right to left it would
 * make what was not there? */
bool equality_is_one_way(const Equality *e);
/* The steps from each of these nodes to the other; `onward`: if possible none that reads a one-way
 * rule from right to left. False if there is no way, or it is too long. The nodes are equal. */
bool eg_prove(EGraph *g, int n, Node *const *from, Node *const *to, bool onward, Proof *out);
/* The same, all ways weighed against each other: of small e-graphs. */
bool eg_prove_closely(EGraph *g, int n, Node *const *from, Node *const *to, bool onward,
                      Proof *out);

#endif
