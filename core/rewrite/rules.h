/* Rules, in C and in text: which there are, which can match where.
 *
 * Invariant: a rule is const once it was read, and so is a set of rules for everybody but the
 * owner: any number of sessions may use one set (options.h has what differs between them). */
#ifndef GRADUS_RULES_H
#define GRADUS_RULES_H

#include "rewrite/facts.h"
#include "rewrite/site.h"
#include "syntax/ast.h"

typedef struct Rule Rule;
typedef struct Pattern Pattern;
typedef struct RuleVars RuleVars;

enum { RULES_MOST = 4096 }; /* of a set, those that were dropped included */
struct Rule {
    const char *name;
    u32 id; /* of the set that it was read into, below RULES_MOST: never another's */
    const char *pass;
    u32 classes;
    const char *reason;
    u32 root;             /* an operator or ROOT_* (site.h) */
    const Opener *opener; /* NULL: its steps have no parts */
    RuleFn fn;            /* or a rule in text: */
    const char *text;     /* "log(1 + x) => log1p(x)" */
    const char *source;   /* "stabilize.rules:3" */
    Pattern *pattern;
    RuleVars *vars;
    Expr *replacement, *guard;
    u32 dropped; /* bit k: variable k is no operand of the right side */
    u32 kept;    /* the right side computes it always */
    u32 hoisted; /* the right side computes it always, the left one only in a branch */
    u32 group;   /* the bit of its pass */
    struct RuleExamples *examples; /* rule_example.h */
    const Rule *back; /* of `<=>`: the same read from right to left; NULL: it is read one way */
    bool backwards;   /* what its classes say holds from its right side to its left */
    bool grows;       /* marked in its text: the right side may be larger than the left */
    bool untried;     /* accepted without a trial */
    bool own;         /* read into a set that was complete: of a file or typed */
};

/* ---- sets of rules ---- */

/* See rule_index.c. */
typedef struct {
    u32 key, first, count;
} RuleSlot;
typedef struct {
    u32 nslots;
    RuleSlot *slots; /* key -> places in `order` */
    u32 *order;
    u32 groups[OP_COUNT];                      /* of the rules with this operator at the root */
    u32 asking[OP_COUNT];                      /* of those that ask for it by name */
    u64 children[OP_COUNT][OP_COUNT / 64 + 1]; /* operators of operands that some rule asks for */
    u64 deep[OP_COUNT][OP_COUNT / 64 + 1];     /* of which it asks for an operand too */
} RuleIndex;
typedef VEC(u32) RuleList; /* places in RuleSet.all */

typedef struct RuleSet {
    Arena arena;
    VEC(const Rule *) all;
    VEC(const char *) groups;
    VEC(const Source *) texts; /* that own rules were read from, those dropped since included */
    RuleIndex index;
    u32 ids;       /* given to rules so far */
    bool complete; /* the embedded rules are there; what comes now is somebody's own */
} RuleSet;

/* Reads the embedded rules; false: they are broken (a bug). */
bool ruleset_init(RuleSet *rs, Diags *diags);
/* One that has the rules of `base`, the same ones, to which others can be added; base outlives it.
 */
void ruleset_extend(RuleSet *rs, const RuleSet *base);
void ruleset_free(RuleSet *rs);
/* Adds the rules of a text; `source` for messages. false after a diagnostic. */
bool ruleset_add_text(RuleSet *rs, const Source *src, const char *pass, Diags *diags);
/* The same; they count as accepted without a trial. */
bool ruleset_add_untried(RuleSet *rs, const Source *src, const char *pass, Diags *diags);
/* Adds a copy of a rule in C. */
const Rule *ruleset_add(RuleSet *rs, const Rule *r);
const Rule *rule_by_name(const RuleSet *rs, const char *name);
/* No longer one of its rules; steps may still name it. */
void ruleset_drop(RuleSet *rs, const Rule *r);
void ruleset_put(RuleSet *rs, const Rule *r); /* one that was dropped is a rule again */
/* Its rules are these, which it had once, in this order. */
void ruleset_set(RuleSet *rs, size_t n, const Rule *const *rules);
/* The rules of these groups that can match at n, in the order of the rule set; out may be reused.
 */
void rule_candidates(const RuleSet *rs, const Node *n, u32 groups, RuleList *out);
/* The groups that have a rule which may match at a node of that operator. */
u32 rule_groups_at(const RuleSet *rs, OpId op);
/* Of the rules that ask for that operator by name. */
u32 rule_groups_asking(const RuleSet *rs, OpId op);
/* "canonicalize stabilize" -> bits; a group without rules has none. */
u32 rule_groups(const RuleSet *rs, const char *names);
void rule_index_build(RuleSet *rs); /* after a change of `all` */
void rule_index_free(RuleIndex *ix);
/* "name [R]: pattern => replacement if guard  "reason"", as a line of a .rules file. */
void rule_print(Text *out, const Rule *r);
/* Is it of equality saturation alone? Such a rule need not make anything simpler, and overflow of
 * one form counts as rounding. */
static inline bool rule_is_for_equality(const Rule *r) { return !strcmp(r->pass, "saturate"); }
/* Its classes, and HAZARD_UNTRIED. */
static inline u32 rule_shown_classes(const Rule *r)
{
    return r->classes | (r->untried ? (u32)HAZARD_UNTRIED : 0);
}
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
/* How much of a rule's left side matched at a node. */
typedef struct {
    bool fits;       /* all of it; what failed, if anything did, is a condition */
    int matched, of; /* parts of the pattern: operators, names, numbers */
    u32 extra;       /* classes that this match has beyond the rule's */
} RuleFit;
/* Would it fire at n, which stands in a graph (NULL: the outermost)? If not, `why` tells the
 * condition that failed deepest in the pattern. fit may be NULL. */
bool rule_explain_text(Store *st, const Rule *r, const Graph *within, Node *n, Text *why,
                       RuleFit *fit);

#endif
