/* A session: everything a program or a prompt holds between statements.
 *
 * Invariant: a statement either takes effect as a whole or, after a diagnostic, not at
 * all; nothing is global, so two sessions never meet. */
#ifndef GRADUS_SESSION_H
#define GRADUS_SESSION_H

#include "analysis/probe.h"
#include "exec/native.h"
#include "exec/vm.h"
#include "lang/elab.h"
#include "lang/random_use.h"
#include "syntax/parse.h"
#include "rewrite/bounds.h"
#include "rewrite/exploration.h"
#include "session/in_use.h"

typedef VEC(u32) LeafList; /* places in the list of leaves */
typedef struct {
    Symbol name;
    Node *node;    /* Input or Shared */
    Tensor *value; /* of an input; NULL: none yet */
    bool shared;
} Leaf;

/* Values of shared variables under a name; `default` comes first and others read through to it. */
typedef struct {
    Symbol name;
    TensorMap values; /* of shared nodes */
} Context;

typedef struct {
    int n;
    Node **roots; /* of the source graph */
    Program *program;
    Exploration *exploration;
    bool outdated; /* by a setting: it is not used again, but can still be looked at */
    bool apart;    /* made by other settings, or by hand: it serves nothing else */
    u32 watched; /* flags that make a value doubtful (overflow.h); 0: no step of class O is in it */
    u32 pins;    /* statements that are repeated and want it to stay in the cache */
} Compiled;

/* The memory of a statement: its tree and the elaborator's values (keep.h). */
typedef struct {
    Arena arena;
    const Source *src; /* that the tree refers to; NULL: none */
    struct Provenance *provenance;
    bool kept; /* a name's value refers to it */
    bool mark; /* of a collection under way */
} Chapter;

typedef struct Definition Definition; /* definitions.h */
typedef struct {
    Symbol of,
        by; /* `by`, the definition with this number, was built from an older meaning of `of` */
    u64 serial;
    Span span; /* where `of` was given anew */
} StaleUse;

typedef struct Session {
    Store st;
    const RuleSet *rules; /* `own`, or borrowed */
    RuleSet *own;         /* NULL: it has none of its own */
    Options options;
    VEC(u64) fired; /* how often, by Rule.id */
    u32 plan_flags; /* PLAN_..., 0 but in tests */
    Arena arena;    /* the prelude; trees and values of the elaborator outside chapters */
    Diags diags;
    Elab elab;
    ElabHost host; /* what elab may ask of this session */
    VEC(Leaf) leaves;
    NodeCounts leaf_of;              /* node -> place + 1 */
    MAP(Symbol, LeafList *) by_size; /* name of a size -> the leaves whose types mention it */
    InUse in_use;                    /* by the values of global names */
    VEC(Context *) contexts;
    Context *context;            /* current */
    VEC(Compiled *) cache;       /* the last few */
    VEC(Source *) sources;       /* kept alive for spans */
    VEC(const Source *) running; /* texts that are being read */
    VEC(Symbol) sizes;           /* names of sizes that types mention */
    SymbolSet size_known;        /* the same as keys */
    VEC(Chapter *) chapters;     /* those kept, and copies of values */
    Chapter *chapter;            /* of the statement that runs; NULL: there is none */
    size_t kept_bytes;           /* of chapters and texts */
    size_t base_bytes;           /* of all when the last collection had run */
    u32 gc_every,
        gc_count; /* for tests: a collection after so many statements; 0: when it is due */
    Definition *first_definition, *last_definition;
    MAP(Symbol, Definition *) defined; /* Symbol -> Definition that gives it its meaning */
    VEC(Definition *) used;            /* by the statement that runs */
    u64 use_stamp, definition_count;
    u32 names_changed; /* how often a name got another meaning, or a command ran */
    u32 repeating;     /* `repeat`s that run, one in the other */
    MAP(const Stmt *, struct Settled *)
    settled;               /* statements of theirs -> what need not be done again (assign.c) */
    struct Undo *undo;     /* what :undo takes back; NULL: nothing is noted */
    bool same_value;       /* what the statement defined was the same before */
    VEC(StaleUse) pending; /* to be told */
    void (*progress)(void *ctx, double seconds, double fraction);
    void *progress_ctx;
    Exploration *last;          /* the last graph explored; owned by the cache: see session_last */
    NodeVec last_taken;         /* constants that were taken as they stand since then */
    u32 forgotten;              /* how often all explorations were dropped */
    Exploration *walked;        /* that somebody walks through: stays in the cache */
    struct ByHand *by_hand;     /* the derivation by hand; NULL: there is none (by_hand.h) */
    struct ByHand *all_by_hand; /* those that :undo may bring back, too */
    Exploration *hand_steps;    /* the way to its present state, or NULL; stays in the cache */
    Exploration *recent; /* what commands without an expression are about: explored most recently,
                            an interactive derivation and a proof too; stays in the cache */
    struct Saturated *saturated; /* how it was found, if by :saturate (saturated.h); or NULL */
    char *recent_text;           /* its expression, as it was typed */
    Exploration *listed; /* the last one whose numbers a command showed; stays in the cache */
    SymbolSet
        failed; /* names whose definition failed: statements that use them are skipped quietly */
    SymbolSet failed_anew;    /* those that keep an older meaning; of the text that runs */
    StateSet random_reported; /* those whose double use was noted */
    Native native;            /* the tier of compiled code */
    int threads;              /* that share large work, as threads_set takes it */
    u64 work_limit;           /* of an evaluation, as in VmEnv; 0: none */
    double run_seconds;       /* of the last evaluation */
    u64 run_steps;            /* of its loops, inner ones too */
    u32 run_raised;           /* flags that its arithmetic raised (base/flags.h) */
    NativeState run_native;   /* what of it was compiled */
} Session;

/* With the embedded rules, or with those that are somebody else's and outlive it. False: the
 * embedded prelude or rules are broken; its diagnostics say how. */
bool session_init(Session *s);
bool session_open(Session *s, const RuleSet *rules);
/* Its rules as a set of its own, to which it may add. */
RuleSet *session_own_rules(Session *s);
/* Counts what rules did in x; it is done once, by who made it. */
void session_count_rules(Session *s, const Exploration *x);
u64 session_rule_fired(const Session *s, const Rule *r); /* in all that was counted */
void session_free(Session *s);
Context *session_context(Session *s, Symbol name); /* made if there is none of that name */
/* Forgets compiled programs and explorations. */
void session_forget(Session *s);
/* After a change of what rewriting gives: nothing compiled is used again. Explorations that are
 * kept stay, `last` among them. */
void session_outdate(Session *s);
bool session_last_outdated(const Session *s);
/* Between statements: if memory was short, gives back what is only kept to be quick, and sets the
 * reserve aside again. */
void session_recover(Session *s);
/* Takes the text (copied); the Source lives as long as the session. Empty after a diagnostic if
 * there is no memory for it. */
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
    Tensor **tensors; /* n references, until `emit` returns */
    const Stmt *stmt;
} Result;

/* Runs one statement; each expression inside `in` and `repeat` that prints calls `emit`. */
typedef void (*Emit)(void *ctx, Result *r);
void session_run(Session *s, Stmt *stmt, Emit emit, void *ctx);
/* `ans` stands for these values from now on (last_value.c). */
void session_set_last(Session *s, const Result *res);
/* Its definition had an error: statements that use it are skipped quietly. */
void session_failed(Session *s, Symbol name);

/* Tells how far work is (0 to 1) that began at that second of the clock, once it has taken half a
 * second; to be called often. */
void session_progress(const Session *s, double began, double fraction);

/* Elaborates the expression that is that part of a text (the argument of a command); NULL after a
 * diagnostic. */
Value *session_value(Session *s, Span part);
/* The nodes of a value as roots (caller frees); -1 after a diagnostic. */
int session_roots(Session *s, Value *v, Span span, Node ***roots);
/* Both at once: those of the expression that is that part. */
int session_roots_at(Session *s, Span part, Node ***roots);
/* The node that `%12` stands for in the last listing; its text becomes the expression that the node
 * is, where it is part of a definition. NULL after a diagnostic. */
Node *session_numbered(void *session, Expr *x);
/* Takes roots through the passes; cached. NULL after a diagnostic. Owned by the session. */
Exploration *session_explore(Session *s, int n, Node *const *roots);
/* The same by other options than those of the session: made anew, and kept to be looked at; nothing
 * else uses it. */
Exploration *session_explore_apart(Session *s, const Options *o, int n, Node *const *roots);
/* What was explored or evaluated last: constants that were taken as they stand are explored now.
 * NULL: nothing, or it was interrupted, after a diagnostic. Owned by the session. */
Exploration *session_last(Session *s);
void session_note_last(Session *s, Exploration *x); /* it is that from now on */
/* It is what commands without an expression are about from now on. */
void session_note_recent(Session *s, Exploration *x, const char *text);
/* Was it made by session_explore_apart, or adopted? */
bool session_is_apart(const Session *s, const Exploration *x);
/* Keeps an exploration that was made elsewhere to be looked at; nothing else uses it. Owned by the
 * session from now on, and the last one explored. */
void session_adopt(Session *s, Exploration *x);
/* Forgets one that was adopted, unless somebody walks through it. */
void session_disown(Session *s, const Exploration *x);
/* Evaluates roots with the present values: explores, plans, runs. false after a diagnostic. */
bool session_evaluate(Session *s, int n, Node *const *roots, Tensor **out);
/* The same for values that are to be stored: constants are taken as they stand, without a program,
 * and count as explored (session_last); not so inside `repeat`. */
bool session_evaluate_stored(Session *s, int n, Node *const *roots, Tensor **out);
/* Evaluates roots as they are: no rewriting. Roots must hold no implicit derivatives. With `values`
 * (may be NULL) leaves take their tensors from it (Node -> Tensor*) first. */
bool session_evaluate_raw(Session *s, int n, Node *const *roots, const TensorMap *values,
                          Tensor **out);

/* The values that the session has, for core/analysis. Refers to the session. */
Evaluator session_evaluator(Session *s);

/* Variables that are to get the results of an evaluation. Their values are changed in place where
 * nothing else refers to them; if the evaluation fails they are as they were. */
enum { MOST_OVERWRITTEN = 16 };
typedef struct {
    int n;
    const Node *leaves[MOST_OVERWRITTEN];
    Tensor *lent[MOST_OVERWRITTEN];
} Overwrite;
/* What session_evaluate runs, kept until session_unpin (or session_forget, which counts
 * `forgotten`; then it is gone). NULL: it was not evaluated, or not as a whole. */
typedef Compiled Pinned;
Pinned *session_pin(Session *s, int n, Node *const *roots);
void session_unpin(Session *s, Pinned *c);
bool session_run_pinned(Session *s, Pinned *c, Overwrite *o, Tensor **out);

/* Inputs without a value that the roots need; false if there are none. */
bool session_missing(Session *s, int n, Node *const *roots, Node **first);
Leaf *session_leaf(Session *s, const Node *n);
/* A name stands for it, or something was built from it that one stands for. Others may be gone any
 * time, and count for nothing. */
bool leaf_in_force(const Session *s, const Leaf *leaf);
Leaf *session_add_leaf(Session *s, Leaf leaf);
/* The leaves in force whose types mention that size, one after the other; *at is 0 at first. */
Leaf *session_next_of_size(Session *s, Symbol name, size_t *at);
void session_index_leaves(Session *s); /* after some were dropped */
/* The value of an input or a shared variable, borrowed; NULL: it has none. */
Tensor *session_leaf_value(Session *s, const Node *n);
/* The value of a `size` leaf; false: it has none. */
bool session_size(Session *s, const Node *size, i64 *out);
/* Names for completion; caller frees the array, not the strings. */
size_t session_names(Session *s, const char ***names);

/* Runs a program made of roots as they are; leaves take their tensors from `values` (may be NULL)
 * first; with a limit (0: none) ends with the error "work" (vm.h). */
bool session_run_program(Session *s, Program *p, const TensorMap *values, u64 work_limit,
                         Tensor **out);

/* The same by the virtual machine alone; `profile` (may be NULL) is filled if the program measures
 * itself (exec/cost.h). */
bool session_run_measured(Session *s, Program *p, struct Profile *profile, Tensor **out);

/* Audit (session/audit.c): evaluates before and after every step on the values given, on random and
 * on hard ones, steps inside steps too: then the whole expression with the body as it is there. */
typedef struct {
    Place place;
    const Step *step;
    u32 classes; /* of the step, and of those it stands inside */
    Deviation by;
    const char *breaks; /* what its classes do not allow; NULL: nothing */
    bool unevaluated;   /* it could not be, before or after */
} AuditRow;
typedef struct {
    VEC(AuditRow) rows;
    u32 opened;                     /* steps whose child steps were compared, too */
    u32 steps, compared, differing; /* of the expression's own log and those inside */
    double worst;
} Audit;
bool session_audit(Session *s, Exploration *x, Audit *out);
/* The same with the child steps of the step `open` (n = 0: of all) that are made on demand. */
bool session_audit_open(Session *s, Exploration *x, const Place *open, Audit *out);
void audit_free(Audit *a);

#endif
