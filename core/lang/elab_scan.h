/* What the files that elaborate a scan share: its slots (states, sequences, outputs) and their
 * taps. */
#ifndef GRADUS_ELAB_SCAN_H
#define GRADUS_ELAB_SCAN_H

#include "graph/name.h"
#include "lang/elab_check.h"

enum { MAX_REACH = 1000 };

typedef struct {
    Symbol name;
    Span span;
    bool state, sequence; /* else an output */
    Value *whole;         /* sequence: the outer value */
    Node *source;         /* sequence: its node; state: the init as given */
    bool adapts;          /* the init is weak: the state takes the dtype of the body */
    bool weak;            /* which is not known yet: read as a weak number */
    bool now_weak;
    VEC(i64) offsets;
    bool read_now;    /* s[t] is read */
    Node *now;        /* the value of s[t] once its equation has been met */
    int reach;        /* state: how many registers */
    Node **holes;     /* state: registers, t-1 first; sequence: one per offset */
    Value *form;      /* a tuple: its structure; each tensor of it is a slot of its own: */
    int first, parts; /* these slots; an output gets them with its equation */
    bool part;        /* of a tuple */
    bool given;       /* a sequence of which only the rows called name[t + shift] are there */
    i64 shift; /* and where the equation of a state or output stands: name[t + shift] = ... */
    bool defined;
    Span defined_at, ahead_at; /* ahead_at: where it is read ahead, if it is */
} Slot;

/* What one equation gives: the slot, and where it stands among `equations`. */
typedef struct {
    int slot, first, n;
} Equated;

typedef struct ScanBody {
    Elab *e;
    ScanExpr *x;
    Span span;
    Symbol index;
    bool reverse;
    VEC(Slot) slots;
    Node *t_hole;
    Node *n; /* number of steps */
    Node *t0;
    bool unbounded, index_state;
    OpenScope open;
    Guards guards; /* checks of the body */
    Node *stop;
    Node *go;           /* of a loop: whether it begins */
    i64 checkpoint;     /* as in ops/control.h */
    VEC(int) equations; /* slots in order of their equations; of a tuple, its parts */
    VEC(Equated) equated;
    int *traces; /* by equation: which trace it leaves, or -1 */
    int ntraces;
} ScanBody;

Slot *slot_find(ScanBody *b, const char *name);
/* The rows of a sequence that are called name[t + offset], where they were given so. */
Slot *slot_given(ScanBody *b, const char *name, i64 offset);
/* t, t-3, t+1 for the scan's index: true and the offset. */
bool tap_offset(const Expr *x, const char *index, i64 *offset);
/* The slots for the tensors of a tuple, after all others; false after a diagnostic. */
bool tuple_parts(ScanBody *b, int slot, Value *v, bool state, Span span);
/* The taps of a tuple are those of its parts. */
void share_taps(ScanBody *b);
/* The values of the parts in the form of the tuple. */
Value *tuple_of_parts(const ScanBody *b, const Slot *s, Value *const *parts);
/* Finds every tap in an expression of the body; false after a diagnostic. */
bool tap_walk(ScanBody *b, const Expr *x);
bool tap_walk_item(ScanBody *b, const ScanItem *it);
i64 slot_min(const Slot *s); /* the least offset, 0 or below */
i64 slot_max(const Slot *s); /* the largest, 0 or above */
/* Forward or backward, and how many registers each state needs. */
bool find_direction(ScanBody *b);
/* Sets n, t0 and unbounded from `over`, `for` and `until`; false after a diagnostic. */
bool find_steps(ScanBody *b, bool has_until);

/* The registers of a state, of the type of its initial value; false after a diagnostic. */
bool state_holes(ScanBody *b, Slot *s);
/* Weak initial values take the dtype that the body gives, read as weak numbers until it is known;
 * true if it must be elaborated again. */
bool adopt_dtypes(ScanBody *b);
/* The equation gives what the state starts as; false after a diagnostic. */
bool state_fits(ScanBody *b, Slot *s);

/* Notes that a state starts from the row that its first step reads, where that counts it twice. */
void note_first_row(ScanBody *b);
/* The node of a scan whose body is there, as a record; NULL after a diagnostic. */
Value *close_scan(ScanBody *b);

/* The index is no other name, and `using` lists what exists; false after a diagnostic. */
bool check_scan_names(ScanBody *b);

#endif
