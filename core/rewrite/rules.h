/* The rules of a session, in C and in text: which there are, which can match where. */
#ifndef GRADUS_RULES_H
#define GRADUS_RULES_H

#include "rewrite/pass.h"
#include "rewrite/site.h"
#include "syntax/ast.h"
#include <signal.h>

typedef struct Rule Rule;
typedef struct Pattern Pattern;
typedef struct RuleVars RuleVars;

struct Rule {
    const char *name;
    const char *pass;
    u32 classes;
    const char *reason;
    OpId root;            /* OP_COUNT: every operator with a value of its own */
    const Opener *opener; /* NULL: its steps have no parts */
    RuleFn fn;            /* or a rule in text: */
    const char *text;     /* "log(1 + x) => log1p(x)" */
    const char *source;   /* "stabilize.rules:3" */
    Pattern *pattern;
    RuleVars *vars;
    Expr *replacement, *guard;
    u32 dropped;    /* bit k: variable k is no operand of the right side */
    u32 kept;       /* the right side computes it always */
    u32 hoisted;    /* the right side computes it always, the left one only in a branch */
    u32 group;      /* the bit of its pass */
    Rule *back;     /* of `<=>`: the same read from right to left; NULL: it is read one way */
    bool backwards; /* what its classes say holds from its right side to its left */
    bool grows;     /* marked in its text: the right side may be larger than the left */
    bool off;
    bool own; /* read after the session's own rules: of a file or typed */
    u64 fired;
};

/* ---- the rules of a session ---- */

/* See rule_index.c. */
typedef struct {
    u32 key, first, count;
} RuleSlot;
typedef struct {
    bool built;
    u32 nslots;
    RuleSlot *slots; /* key -> places in `order` */
    u32 *order;
    u32 groups[OP_COUNT];                      /* of the rules with this operator at the root */
    u64 children[OP_COUNT][OP_COUNT / 64 + 1]; /* operators of operands that some rule asks for */
    u64 deep[OP_COUNT][OP_COUNT / 64 + 1];     /* of which it asks for an operand too */
} RuleIndex;
typedef VEC(u32) RuleList; /* places in RuleSet.all */

typedef struct {
    const char *name; /* a Symbol */
    double value;
} SizeGiven;

/* What equality saturation may do (egraph/saturate.h). */
typedef struct {
    u32 iterations, nodes;
    int cost;               /* a CostKind */
    double assumed;         /* for sizes that are not given */
    const SizeGiven *sizes; /* those that are */
    u32 nsizes;
    const char *rules;           /* names of rules and of passes, "," between; NULL: all */
    bool equate;                 /* it is to make the first root the second */
    struct Growth *report;       /* what it did, or NULL */
    struct EgPictures *pictures; /* of the outermost graph, to be drawn; or NULL */
} Saturating;
enum { SATURATE_ITERATIONS = 30, SATURATE_NODES = 10000, SATURATE_SIZE = 100 };

typedef struct RuleSet {
    Arena arena;
    VEC(Rule *) all;
    VEC(const char *) groups;
    RuleIndex index;
    u32 allowed; /* hazard classes */
    VEC(Pass) pipeline;
    u32 step_limit, node_limit; /* of one pass over one expression */
    u64 try_limit;              /* rules tried, a pass */
    Saturating saturating;
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
/* The groups that have a rule which may match at a node of that operator. */
u32 rule_groups_at(RuleSet *rs, OpId op);
u32 rule_groups(RuleSet *rs, const char *names); /* "canonicalize stabilize" -> bits */
void rule_index_free(RuleIndex *ix);
/* "name [R]: pattern => replacement if guard  "reason"", as a line of a .rules file. */
void rule_print(Text *out, const Rule *r);
/* Is it of equality saturation alone? Such a rule need not make anything simpler, and overflow of
 * one form counts as rounding. */
static inline bool rule_is_for_equality(const Rule *r) { return !strcmp(r->pass, "saturate"); }
bool rule_allowed(const RuleSet *rs, const Rule *r); /* enabled, and of an allowed class */
/* Does the rule look at the whole graph, between sweeps? */
bool rule_is_global(const Rule *r);
/* What the rule's left side is at its root: an operator's name, or "`if`". */
const char *rule_root_name(const Rule *r);
/* The name of the pass that the rule belongs to; of its group, if several passes have it. */
const char *rule_pass(const Rule *r);

/* ---- rules in text (pattern.h has the inside) ---- */

/* Tries one at n; the replacement (of n's type) or NULL. */
Node *rule_apply_text(Store *st, const Rule *r, Facts *facts, Node *n, Text *why, u32 *extra);
/* One on a loop as a whole (Rule.vars->loop): what becomes of the loop's results. */
bool rule_is_on_loop(const Rule *r);
bool rule_apply_loop(Store *st, const Rule *r, Facts *facts, Node *scan, Text *why, Changes *out);
/* Would it fire at n, which stands in a graph (NULL: the outermost)? If not, `why` tells the
 * condition that failed deepest in the pattern. *fits (or NULL): the pattern itself fits. */
bool rule_explain_text(Store *st, const Rule *r, const Graph *within, Node *n, Text *why,
                       bool *fits);

#endif
