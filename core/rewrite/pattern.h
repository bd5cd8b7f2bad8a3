/* The rule language inside: patterns, what their variables stand for, guards and functions.
 *
 * Invariant: a rule that was read refers only to variables that its pattern binds, with values of
 * the kinds that its guards and functions take; so matching and building need no checks of form. */
#ifndef GRADUS_PATTERN_H
#define GRADUS_PATTERN_H

#include "rewrite/facts.h"
#include "rewrite/rules.h"

enum {
    RULE_VARS = 24,    /* variables of one rule: a bit of a u32 each */
    RULE_PARAMS = 4,   /* of a guard or function */
    RULE_OPERANDS = 62 /* of a sum or product that takes part in matching in any order: a bit of a
                          u64 each */
};

/* What a name of a rule stands for. Kinds: 'n' an operand, 'r' the rest of the operands; an
 * attribute: 'I' axes, 'i' an integer, 'd' a dtype, 'b' a flag; in guards 'f' a number too. 'g':
 * the `if` that a part of the pattern matched, 'l': the loop; no name stands for them. */
typedef struct {
    char kind;
    u32 count;  /* of a rest */
    Node *hole; /* of an operand by which is differentiated: what stands for it inside */
    union {
        Node *node;
        const struct LoopParts *loop;
        Node *const *nodes;
        Attr attr;
        double number;
    };
} RuleValue;

typedef struct {
    u32 bound; /* bit k: variable k has a value */
    RuleValue at[RULE_VARS];
} Bindings;

/* PAT_IF: one result of an `if`; args are the condition and what the branches give. PAT_INNER: a
 * derivative or map (inner.h); args are its operand, its value and what it is applied with.
 * PAT_SCAN: a loop, or the final value of a state; args are that state's initial and its next
 * value. */
typedef enum { PAT_VAR, PAT_REST, PAT_NUMBER, PAT_OP, PAT_IF, PAT_INNER, PAT_SCAN } PatKind;
typedef enum { KIND_FLOAT, KIND_ANY, KIND_INT, KIND_BOOL, KIND_CONST } VarKind;
extern const char *const var_kind_names[5];
bool var_kind_accepts(VarKind kind, const Node *n);

/* An attribute of a pattern's operator: a variable, or a value. */
typedef struct {
    int slot; /* of the variable; -1: the value */
    i64 value;
    const IntList *ints; /* of kind I */
} PatAttr;

/* What a pattern says of a loop beside the equation of its state. */
typedef struct {
    int state, index, count; /* slots of s, of t and of n in `for n` (-1: not said) */
    bool final;              /* the final value of s, not the whole loop */
    bool more_seqs, more_states, more_items;
    const ScanExpr *written;
} ScanForm;

struct Pattern {
    PatKind kind;
    int id, end; /* its number in the pattern, each before its operands; that after all of these */
    u32 height;  /* how many operators stand on one another in it; 0: of a variable or number */
    int slot;    /* PAT_VAR, PAT_REST; PAT_IF: of the node; PAT_INNER: of its variable */
    VarKind var;
    double number;
    bool is_bool;
    bool any_order;  /* of a PAT_OP: op_any_order */
    bool swaps_last; /* x': a transpose of the last two axes */
    bool inside;     /* a PAT_VAR that stands for the variable of the derivative around it */
    bool row;        /* a PAT_VAR that stands for a sequence, at its row x[t] */
    const ScanForm *scan;
    OpId op;
    OpId inner;  /* PAT_INNER: of the owner of the graph */
    int n, rest; /* `rest`: which operand is the rest, or -1 */
    Pattern **args;
    PatAttr *attrs; /* as many as the operator has */
    const Expr *written;
};

/* The variables of a rule, in order of first appearance. */
struct RuleVars {
    int n;
    const char *names[RULE_VARS];
    char kinds[RULE_VARS];
    VarKind types[RULE_VARS]; /* of operands: as annotated where the name stands first or later */
    const ScanForm *loop;     /* of the whole left side, if it is a loop; else NULL */
    u32 parameters;           /* bit k: some derivative or map has it as its variable */
    u32 always, chosen;       /* bit k: it stands where the left side always computes it; where it
                                 does so only if a condition says so */
};
int rule_var(const RuleVars *v, const char *name); /* the slot, or -1; `rest...` is `rest` */

/* Does x write the loop of the left side again, without its state, as in `s[t-1] = value`? */
bool scan_edit_check(const Expr *x, const RuleVars *vars, Diags *diags);
const Expr *scan_edit_value(const Expr *x); /* that value */

int pattern_parts(const Pattern *p); /* with those inside it */
Pattern *pattern_compile(Arena *arena, const Expr *x, RuleVars *vars, Diags *diags);
/* Every name of x is bound, every call can be built: errors stand at x's own place. */
bool template_check(const Expr *x, const RuleVars *vars, Diags *diags);
bool guard_check(const Expr *x, const RuleVars *vars, Diags *diags);
/* Are operands of a binary operator exchangeable for matching: sums, products, comparisons for
 * equality, minimum, ... */
bool op_any_order(OpId op);

/* ---- functions of right sides, and guards ---- */
typedef struct {
    Store *st;
    Facts *facts;
    const RuleVars *vars;
    const Bindings *b;
    Node *root;  /* what is replaced */
    u32 inside;  /* bit k: this is inside a derivative by variable k */
    DType dtype; /* of numbers that nothing else gives one */
    Text *why;   /* evidence, or NULL */
} RuleCall;

typedef struct {
    const char *name, *params; /* kinds of its arguments */
    char result;               /* kind; of guards 0 */
    bool (*apply)(RuleCall *c, const RuleValue *args, RuleValue *out);
    const char *doc;
} RuleFunction;
extern const RuleFunction guards[], rule_functions[];
extern const size_t guard_count, rule_function_count;
const RuleFunction *guard_by_name(const char *name);
const RuleFunction *rule_function_by_name(const char *name);

/* The value of an argument or attribute; false if it has none here. */
bool rule_value(RuleCall *c, const Expr *x, char wanted, RuleValue *out);
Node *template_build(RuleCall *c, const Expr *x);
/* With `failed`, tells which condition does not hold. */
bool guard_holds(RuleCall *c, const Expr *g, Text *failed);

#endif
