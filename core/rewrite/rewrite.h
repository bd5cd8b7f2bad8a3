/* Rewriting: rules, the engine that applies them, and the record of every step.
 *
 * Invariant: a graph changes only through a recorded step, and replaying the steps of
 * an exploration by substitution gives exactly the graphs that the engine saw. */
#ifndef GRADUS_REWRITE_H
#define GRADUS_REWRITE_H

#include "syntax/ast.h"
#include <signal.h>
#include "grad/vjp.h"
#include "graph/collect.h"
#include "ops/build.h"
#include "rewrite/facts.h"

/* Hazard classes of a rule; `:rule NAME` tells what they mean. */
enum {
    HAZARD_E = 1,       /* exact: same bits for every input */
    HAZARD_Z = 2,       /* may change the sign of a zero */
    HAZARD_R = 4,       /* may change rounding */
    HAZARD_NPLUS = 8,   /* removes NaN or infinity that the source would have given */
    HAZARD_NMINUS = 16, /* may hide NaN or infinity */
    HAZARD_D = 32,      /* needs a proven fact */
    HAZARD_S = 64,      /* may hide an error */
    HAZARD_C = 128      /* cost only */
};
#define HAZARD_DEFAULT (HAZARD_E | HAZARD_R | HAZARD_C | HAZARD_NPLUS | HAZARD_D)
u32 hazard_parse(const char *text, size_t n); /* "R N+" -> bits; 0 if malformed */
void hazard_print(Text *out, u32 classes);

typedef struct Engine Engine;
typedef struct Rule Rule;
typedef struct Pattern Pattern;
typedef struct RuleVars RuleVars;

typedef struct {
    Node *before, *after;
} Change;
typedef VEC(Change) Changes;

/* A rule in C: fills `out` and returns true if it fires. The changes are applied at once; rules on
 * tuple-typed nodes change their projections. `why` may get evidence. */
typedef bool (*RuleFn)(Engine *e, Node *n, Changes *out, Text *why);

struct Rule {
    const char *name;
    const char *pass;
    u32 classes;
    const char *reason;
    OpId root;          /* OP_COUNT: every operator with a value of its own */
    RuleFn fn;          /* or a rule in text: */
    const char *text;   /* "log(1 + x) => log1p(x)" */
    const char *source; /* "stabilize.rules:3" */
    Pattern *pattern;
    RuleVars *vars;
    Expr *replacement, *guard;
    u32 dropped; /* bit k: variable k is no operand of the right side */
    u32 group;   /* the bit of its pass */
    bool grows;  /* marked in its text: the right side may be larger than the left */
    bool off;
    bool own; /* read after the session's own rules: of a file or typed */
    u64 fired;
};

/* ---- steps ---- */
typedef struct StepLog StepLog;
typedef struct {
    u32 seq;
    const char *pass;
    const Rule *rule;
    bool nested; /* of its changes some stand below others */
    bool again;  /* the same change as an earlier step: the node came up once more */
    int nchanges;
    Change *changes;
    /* Classes beyond the rule's: a match of part of a sum or product re-associates it; the
     * derivative of another form of a function is rounded otherwise. */
    u32 extra;
    const char *evidence; /* conditions that let it fire, or NULL */
    StepLog *inner;       /* the body's own steps, for a rewrite inside an inner graph */
    Graph *inner_before, *inner_after;
    double seconds; /* matching and building, rules tried in vain at the node included */
} Step;
/* A node that became another because its operands did, after so many steps. */
typedef struct {
    Node *before, *after;
    u32 step;
} Move;
/* The roots when a sweep began, after so many steps: replays start from the nearest. */
typedef struct {
    u32 step;
    Node **roots;
} SweepStart;
struct StepLog {
    VEC(Step) at;
    VEC(Move) moves;
    VEC(SweepStart) sweeps;
    PtrMap last; /* node -> place + 1 of the latest step that replaced it */
    Arena arena; /* changes, evidence, roots */
};

typedef VEC(StepLog *) LogList;
void loglist_free(LogList *l);

typedef enum {
    STOP_SATURATED,
    STOP_STEPS,
    STOP_NODES,
    STOP_TRIES,
    STOP_INTERRUPTED,
    STOP_MEMORY,
    STOP_OFF
} StopReason;
const char *stop_name(StopReason r);

typedef struct {
    const char *name;
    u32 first_step, steps; /* in the log */
    u32 nodes_before, nodes_after;
    StopReason stop;
    double seconds;
} PassRun;

/* "9.1": the first step inside step 9. A last 0 is the state before the first one there. */
enum { PLACE_DEPTH = 16 };
typedef struct {
    u32 n;
    u32 at[PLACE_DEPTH];
} Place;

/* One expression taken through the pipeline. */
typedef struct {
    Store *st;
    int nroots;
    Node **start, **roots; /* before and after */
    StepLog log;
    LogList inner_logs; /* of bodies; steps refer to them, several to one */
    VEC(PassRun) passes;
    Numbering numbering;
    struct History *history; /* NULL until asked for (history.h) */
    Place at;                /* where `:next` and the like stand; n = 0: at the start */
    bool failed;
} Exploration;

/* ---- rules and passes of a session ---- */
typedef struct {
    const char *name;
    const char *doc;
    bool (*run)(Engine *e, const char *groups);
    const char *groups;
    bool off;
} Pass;

/* See rule_index.c. */
typedef struct {
    u32 key, first, count;
} RuleSlot;
typedef struct {
    bool built;
    u32 nslots;
    RuleSlot *slots; /* key -> places in `order` */
    u32 *order;
    u64 children[OP_COUNT][OP_COUNT / 64 + 1]; /* operators of operands that some rule asks for */
    u64 deep[OP_COUNT][OP_COUNT / 64 + 1];     /* of which it asks for an operand too */
} RuleIndex;
typedef VEC(u32) RuleList; /* places in RuleSet.all */

typedef struct RuleSet {
    Arena arena;
    VEC(Rule *) all;
    VEC(const char *) groups;
    RuleIndex index;
    u32 allowed; /* hazard classes */
    VEC(Pass) pipeline;
    u32 step_limit, node_limit; /* of one pass over one expression */
    u64 try_limit;              /* rules tried, a pass */
    volatile sig_atomic_t *interrupt;
    bool unrecorded; /* explorations without steps: what recording costs can be measured */
    bool complete;   /* the embedded rules are there; what comes now is somebody's own */
} RuleSet;

enum { STEP_LIMIT = 200000, NODE_LIMIT = 20000000, TRY_LIMIT = 100000000 }; /* where it starts */
bool ruleset_init(RuleSet *rs,
                  Diags *diags); /* reads the embedded rules; false: they are broken (a bug) */
void ruleset_free(RuleSet *rs);
/* Adds the rules of a text; `source` for messages. false after a diagnostic. */
bool ruleset_add_text(RuleSet *rs, const Source *src, const char *pass, Diags *diags);
Rule *rule_by_name(const RuleSet *rs, const char *name);
void ruleset_drop(RuleSet *rs,
                  const Rule *r); /* no longer a rule of the session; steps may still name it */
void ruleset_put(RuleSet *rs, Rule *r); /* one that was dropped is a rule again */
/* Adds the rules in text of `from` that rs has none of that name for, and switches rules as they
 * are there. */
bool ruleset_copy(RuleSet *rs, const RuleSet *from, Diags *diags);
/* The rules of these groups that can match at n, in the order of the rule set; out may be reused.
 */
void rule_candidates(RuleSet *rs, const Node *n, u32 groups, RuleList *out);
u32 rule_groups(RuleSet *rs, const char *names); /* "canonicalize stabilize" -> bits */
void rule_index_free(RuleIndex *ix);
/* "name [R]: pattern => replacement if guard  "reason"", as a line of a .rules file. */
void rule_print(Text *out, const Rule *r);
extern const Pass pass_table[]; /* core/registry.c; ends with a row without a name */
size_t pass_count(void);
const Pass *pass_named(const char *name); /* in the table, or NULL */

/* Runs the pipeline on roots. Free with exploration_free. NULL after a diagnostic. */
Exploration *explore(Store *st, RuleSet *rs, int nroots, Node *const *roots);
void exploration_free(Exploration *x);
/* What it shows keeps its names and places for as long as it is kept (graph/collect.h). */
void exploration_hold(Exploration *x);
void exploration_release(Exploration *x);
void exploration_collect(Exploration *x, Collection *c); /* marks what it refers to */
/* Expands every implicit derivative in place, unrecorded: for evaluating an intermediate graph. */
bool derivatives_expand(Store *st, RuleSet *rs, int nroots, Node **roots);
void steplog_free(StepLog *log);
u32 step_classes(const Step *s);
const char *step_rule(const Step *s); /* the rule's name */

/* ---- a step opened (open.c) ---- */

/* The child steps of one that expands a derivative: from the nodes it replaced to what it put
 * there, one operator's rule each, made on demand (grad/derivation.h). The nodes are the roots of
 * the child states. A child on a loop may have steps inside, on the loop's body. */
typedef struct {
    StepLog log;
    LogList inner; /* owns the logs of bodies */
    int n;
    Node **start;
} Opened;
bool step_opens(const Step *s); /* has child steps */
/* false: it has none. Freed with opened_free in either case. */
bool step_open(Store *st, const Step *s, Opened *out);
void opened_free(Opened *o);
/* The child steps of an implicit node itself, all results of it. */
bool derivation_steps(Store *st, Node *n, StepLog *log, LogList *inner);

/* ---- the engine, for passes and rules in C ---- */
/* What is known of nodes of an exploration, by their ids. No rule of a group in `normal` fires at
 * the node, none of a group in `deep` anywhere below it either, and no loop or branch is below it.
 * Rules see a node and what is below it, those of tuples which results are used, nothing else, so
 * this stays true. */
typedef struct {
    u32 id; /* of the node */
    u32 normal, deep;
    bool used;
    u64 uses; /* of a tuple: which of its results are used where this holds (an address); else 0 */
} Mark;
typedef struct {
    Mark *at; /* by open addressing: as large as what is known, not as what was ever built */
    u32 len, cap;
} Settled;
void settled_free(Settled *s);

struct Engine {
    Store *st;
    RuleSet *rs;
    const char *pass;
    const char *groups; /* whose rules take part in this sweep: "canonicalize stabilize" */
    int nroots;
    Node **roots;
    StepLog *log;    /* NULL: nothing is recorded */
    Step unrecorded; /* what is written about a step then */
    PtrMap memo;     /* node -> its normal form in this sweep */
    PtrMap pending;  /* node -> replacement, already recorded */
    PtrMap used;     /* tuple node -> its used results as in engine_used */
    LogList *logs;   /* owns the logs of bodies */
    PtrMap *bodies;  /* Graph -> rewritten body, shared by one pass */
    Engine *outer;
    StopReason stop;
    Facts *facts;     /* of the whole pass */
    Settled *settled; /* of the whole exploration */
    u32 mask;         /* the bits of `groups` */
    u32 steps;        /* in this pass, bodies included */
    u32 first_node;   /* how many nodes had been built when it began */
    u64 tries;
    NodeVec order; /* everything, for global rules */
    int depth;
    bool (*sweep)(Engine *e); /* how the pass goes through a graph and its bodies; NULL: by rules */
    bool derivatives;         /* such a sweep goes through the graphs of derivatives, too */
    const Node *owner;        /* of the graph that this engine rewrites; NULL: the outer one */
    const Node *inside;       /* the owner whose graphs are being rewritten */
    bool changed, failed;
    bool derived;  /* inside the function of a derivative, however deep */
    Diags *report; /* for what must not pass silently: a derivative that cannot be expanded */
};
/* One bottom-up sweep with the rules of the pass; bodies first. */
bool engine_sweep(Engine *e);
/* Sweeps until nothing changes or a limit is met. */
bool engine_saturate(Engine *e, int max_sweeps);
/* The global rules of that group, as often as they fire; false if none does (merge.c). */
bool engine_merge(Engine *e, const char *group);
bool engine_join(Engine *e); /* those of the first group in which one fires */
bool engine_within_limits(Engine *e);
bool rule_is_global(const Rule *r);
/* Applies changes to the whole graph as one step; looking for them began at `since`. */
bool engine_apply(Engine *e, const Rule *rule, const Changes *changes, const char *why,
                  double since);
/* For sweeps that look at a graph as a whole before they change it: one walk over `order` (all that
 * the roots reach, operands first). Each node is rebuilt with what its operands have become, its
 * bodies are swept, then `f` says what stands in its place: `now` itself, or what it recorded a
 * step for. */
typedef Node *(*WalkFn)(Engine *e, size_t place, Node *now, void *ctx);
bool engine_walk(Engine *e, const NodeVec *order, WalkFn f, void *ctx);
Node *engine_became(const Engine *e, Node *was); /* in this walk, so far */
void engine_put(Engine *e, Node *was, Node *now);
/* Of several nodes that it replaces some may stand below others; work on it began at `since`. */
void engine_record(Engine *e, const Rule *rule, const Changes *changes, const char *why,
                   double since);
/* The results of a tuple node that the current graph uses, however many it has: a set of bits, 64
 * to an item, interned; NULL: all, or it is not known. */
const IntList *engine_used(Engine *e, const Node *tuple);
bool result_is_used(const IntList *used, int result);
void engine_count_uses(Engine *e); /* of its roots */
/* `to` takes the place of `from`, perhaps of others, too. */
void engine_carry_uses(Engine *e, const Node *from, const Node *to);
const Rule *engine_rule(Engine *e, const char *name); /* enabled and allowed, else NULL */
bool rule_allowed(const RuleSet *rs, const Rule *r);

/* ---- rules in text (pattern.h has the inside) ---- */
/* Tries one at n; the replacement (of n's type) or NULL. */
Node *rule_apply_text(Store *st, const Rule *r, Facts *facts, Node *n, Text *why, u32 *extra);
/* Would it fire at n? If not, `why` tells the condition that failed deepest in the pattern. */
bool rule_explain_text(Store *st, const Rule *r, Node *n, Text *why);

/* nodes_are_total (ops/ops.h), remembered. */
bool fact_total(Facts *f, Store *st, Node *root);

/* Rules in C: a table per file. `root` OP_COUNT: tried at every operator that it can concern. */
typedef struct {
    const char *name, *pass;
    u32 classes;
    OpId root;
    RuleFn fn;
    const char *reason;
} CodeRule;
/* All tables of rules in C, each ended by a row without a name; NULL ends the list
 * (core/registry.c). Their order is that in which rules are tried. */
extern const CodeRule *const rule_tables[];

#endif
