/* What the files that write Python share; nobody else includes this.
 *
 * A scope is a graph that is being written: the function itself, the body of a loop, a branch.
 * Invariant: in a scope every node has one text, which means this node from the line on where it
 * was defined until the end of the scope. */
#ifndef GRADUS_PYTHON_H
#define GRADUS_PYTHON_H

#include "emit/export.h"
#include "graph/control.h"
#include "graph/names.h"

typedef enum { PYTHON_NUMPY, PYTHON_NUMBA, PYTHON_JAX, PYTHON_TORCH, PYTHON_TARGETS } PythonTarget;

/* Precedence: how tightly a text binds, and how tightly one that is put into another has to. A text
 * and its level belong together (Said); python.def has both for each operator, and said_at, which
 * compares them, is all that writes parentheses for precedence. */
enum {
    ANYTHING = 0, /* also x if c else y */
    COMPARE = 2,  /* x < y; `not` takes these */
    SUM = 7,      /* x + y, x - y */
    TERM = 8,     /* x * y, x / y, x // y, x @ y */
    UNARY = 9,    /* -x */
    NUMBER = 10,  /* 2: no dot or bracket may follow it */
    CALL = 11     /* a name, f(x), x[i], x.T */
};

typedef struct {
    const char *text;
    int level;
} Said;

typedef struct Py {
    Export *x;
    Store *st;
    PythonTarget target;
    Arena arena;
    MAP(Symbol, int) taken; /* names in use -> the number to try next behind them */
    SymbolSet sizes;        /* names of sizes that are mentioned */
    MAP(Symbol, const char *)
    size_names;        /* names of sizes -> what they are called in the program */
    VEC(Symbol) given; /* those of them that are parameters: no input has them */
    Text body;         /* the lines of the function */
    bool unchecked;    /* a check was left out: the target cannot raise */
    int derived;       /* inside of how many functions that the target differentiates */
} Py;

typedef struct Scope {
    Py *py;
    const Graph *graph; /* NULL: the outermost */
    MAP(Node *, Said *) said;
    NodeCounts uses; /* node -> how often it is read */
    NodeSet results; /* what it gives */
    NodeSet later;   /* what only branches need, and may fail: written as functions */
    int indent;
} Scope;

static inline bool is_for(const Scope *s, PythonTarget t) { return s->py->target == t; }

/* ---- scopes (python.c) ---- */
void py_scope_open(Scope *s, Py *py, const Graph *g, int indent);
void py_scope_close(Scope *s);
/* Writes all that the roots need. False after a diagnostic. */
bool py_scope_write(Scope *s, int nroots, Node *const *roots);
/* A text of one level where another one is wanted. */
const char *leveled(Py *py, Said said, int level);
/* The text of a node that was written, in parentheses if it binds less than `level`. */
const char *said_at(Scope *s, const Node *n, int level);
void py_say(Scope *s, const Node *n, const char *text, int level);
/* n means what x means: it has no text of its own. */
void py_say_through(Scope *s, const Node *n, const Node *x);
/* Nothing will get this name. */
void py_reserve(Py *py, const char *name);
/* A name like that of `wanted`, an identifier that nothing has yet. */
const char *name_taken(Py *py, const char *wanted);
/* How n is called by its author, else `otherwise`; not an identifier yet. */
const char *name_wanted(const Scope *s, const Node *n, const char *otherwise);
/* The node by a name or a number: gives it one if need be, like `otherwise` if it has none. */
const char *said_by_name(Scope *s, Node *n, const char *otherwise);
void py_line(Scope *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
const char *py_text(Py *py, const char *fmt, ...) PRINTF_LIKE(2, 3); /* in the arena */
/* "np" in texts of NumPy is "jnp" for JAX. */
const char *py_library(const Py *py);
/* The name of a dtype: np.float64 */
const char *py_dtype(const Py *py, DType d);
/* Notes what the target cannot say, and why (may be NULL); false. */
bool py_cannot(Scope *s, const Node *n, const char *why);
/* What a size that the author named is called (python_sizes.c). */
const char *py_size_name(Py *py, Symbol size);
/* A size as an expression; NULL after a diagnostic. */
const char *size_said(Scope *s, const Node *where, const Size *size, int level);
/* "(n, 3)": the sizes of axes [from, rank) of a type. NULL after a diagnostic. */
const char *shape_said(Scope *s, const Node *where, const Type *t, int from);
/* A string between double quotes. */
const char *py_quoted(Py *py, const char *text);
/* A constant of any rank. */
const char *constant_said(Scope *s, const Tensor *t, bool bare);

/* ---- operators by their row (python_rows.c) ---- */
/* Notes the text of n; false if there is no row, or after a diagnostic, which *failed tells. */
bool say_by_row(Scope *s, Node *n, bool *failed);
/* "(0, 1)", "0"; what NumPy calls axis. */
const char *axes_said(Py *py, const IntList *axes);

/* ---- operators that need more (python_forms.c, python_control.c) ---- */
typedef bool (*PyForm)(Scope *s, Node *n);
PyForm python_form(OpId op); /* NULL: none */
bool py_scan(Scope *s, Node *n);
bool py_choice(Scope *s, Node *n);
/* By result of n, `count` of them: the node that reads it in this scope, or NULL. In the arena. */
Node **py_results_of(Scope *s, Node *n, int count);
/* ---- derivatives by the target (python_grad.c) ---- */
bool py_grad(Scope *s, Node *n);
/* ---- matrices (python_linalg.c) ---- */
bool py_matmul(Scope *s, Node *n);
bool py_by_lanes(Scope *s, Node *n); /* cholesky, solve, inv, det */
bool py_slogdet(Scope *s, Node *n);
bool py_several(Scope *s, Node *n); /* qr, svd, eigh */
bool py_solve_triangular(Scope *s, Node *n);

/* ---- for Numba (python_numba.c) ---- */
bool numba_along(Scope *s, Node *n); /* for the others by its row */
bool numba_gather(Scope *s, Node *n, int axis);
bool numba_where(Scope *s, Node *n);
void numba_add_at(Scope *s, const Node *n, int axis, const char *name, const char *at,
                  const char *value);

/* ---- the program around the function (python_main.c) ---- */
void python_reserve(Py *py); /* the names of its functions */
void python_helpers(Py *py, Text *out, const char *body);
void python_main(Py *py, Text *out, int nleaves, Node *const *leaves, const char *const *names,
                 const char *function);

#endif
