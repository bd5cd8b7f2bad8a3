/* A session: everything a program or a prompt holds between statements.
 *
 * Invariant: a statement either takes effect as a whole or, after a diagnostic, not at
 * all; nothing is global, so two sessions never meet. */
#ifndef GRADUS_SESSION_H
#define GRADUS_SESSION_H

#include "exec/vm.h"
#include "lang/elab.h"
#include "lang/parse.h"
#include "rewrite/rewrite.h"

typedef struct {
    Symbol name;
    Node *node;    /* Input or Shared */
    Tensor *value; /* of an input; NULL: none yet */
    bool shared;
} Leaf;

/* Values of shared variables under a name; `default` comes first and others read through to it. */
typedef struct {
    Symbol name;
    PtrMap values; /* Shared node -> Tensor* */
} Context;

typedef struct {
    int n;
    Node **roots; /* of the source graph */
    Program *program;
    Exploration *exploration;
} Compiled;

typedef struct Session {
    Store st;
    RuleSet rules;
    u32 plan_flags; /* PLAN_..., 0 but in tests */
    Arena arena;    /* trees and values of the elaborator: they live as long as the session */
    Diags diags;
    Elab elab;
    VEC(Leaf) leaves;
    VEC(Context *) contexts;
    Context *context;      /* current */
    VEC(Compiled *) cache; /* the last few */
    VEC(Source *) sources; /* kept alive for spans */
    VEC(Symbol) sizes;     /* names of sizes that types mention */
    volatile sig_atomic_t *interrupt;
    void (*progress)(void *ctx, double seconds, double fraction);
    void *progress_ctx;
    Exploration *last; /* the last graph explored; owned by the cache */
    PtrMap failed; /* names whose definition failed: statements that use them are skipped quietly */
    PtrMap random_reported; /* states of generators whose double use was noted */
    u64 work_limit;         /* of an evaluation, as in VmEnv; 0: none */
    double run_seconds;     /* of the last evaluation */
    u64 run_steps;          /* of its loops, inner ones too */
} Session;

bool session_init(
    Session *s); /* false: the embedded prelude or rules are broken; s->diags says how */
void session_free(Session *s);
/* Takes the text (copied); the Source lives as long as the session. */
const Source *session_source(Session *s, const char *name, const char *text, size_t len);

typedef enum {
    RESULT_NONE,     /* done; a definition, a store */
    RESULT_VALUE,    /* tensors, one per leaf of `value` in order */
    RESULT_GRAPH,    /* an input has no value: roots to show */
    RESULT_COMMAND,  /* a ':' statement: the caller runs it */
    RESULT_FUNCTION, /* an expression that is a function; value tells */
    RESULT_ERROR     /* diagnostics were added */
} ResultKind;

typedef struct {
    ResultKind kind;
    Symbol name;     /* the statement is a bare name, or the definition's name; else NULL */
    bool definition; /* prints only at the prompt */
    Value *value;    /* V_NODE or V_TUPLE */
    int n;
    Node **roots;
    Tensor **tensors; /* n references, freed by result_free */
    const Stmt *stmt;
} Result;

/* Runs one statement; each expression inside `in` and `repeat` that prints calls `emit`. */
typedef void (*Emit)(void *ctx, Result *r);
void session_run(Session *s, Stmt *stmt, Emit emit, void *ctx);
void result_free(Result *r);

/* Elaborates text (the argument of a command); NULL after a diagnostic. */
Value *session_value(Session *s, const Source *src);
/* The nodes of a value as roots (caller frees); -1 after a diagnostic. */
int session_roots(Session *s, Value *v, Span span, Node ***roots);
/* Takes roots through the passes; cached. NULL after a diagnostic. Owned by the session. */
Exploration *session_explore(Session *s, int n, Node *const *roots);
/* Evaluates roots with the present values: explores, plans, runs. false after a diagnostic. */
bool session_evaluate(Session *s, int n, Node *const *roots, Tensor **out);
/* Evaluates roots as they are: no rewriting. Roots must hold no implicit derivatives. With `values`
 * (may be NULL) leaves take their tensors from it (Node -> Tensor*) first. */
bool session_evaluate_raw(Session *s, int n, Node *const *roots, const PtrMap *values,
                          Tensor **out);
/* Inputs without a value that the roots need; false if there are none. */
bool session_missing(Session *s, int n, Node *const *roots, Node **first);
Leaf *session_leaf(Session *s, const Node *n);
/* Names for completion; caller frees the array, not the strings. */
size_t session_names(Session *s, const char ***names);

/* Audit (rewrite/audit.c): evaluates before and after every step on the values given and on random
 * ones, steps inside steps too: then the whole expression with the body as it is there. */
typedef struct {
    Place place;
    const Step *step;
    bool differs;        /* more than the step's classes allow */
    double max_error;    /* largest |a - b| / max(|a|, |b|, tiny) over all results */
    double max_absolute; /* largest |a - b| */
    double max_ulp;
    bool nan_changed; /* the pattern of NaN differs */
    bool shape_changed;
    bool unevaluated; /* implicit derivatives: compared after expansion */
} AuditRow;
typedef struct {
    VEC(AuditRow) rows;
    u32 steps, compared, differing; /* of the expression's own log and those inside */
    double worst;
} Audit;
bool session_audit(Session *s, Exploration *x, Audit *out);
void audit_free(Audit *a);

#endif
