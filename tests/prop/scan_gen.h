/* Programs with a scan, written twice: as a scan and unrolled into plain definitions.
 *
 * Families of bodies times numbers of steps times directions and places to stop make up a grid; a
 * seed stands for a cell of it (GEN_CELLS seeds in a row for all) and for what is random in it.
 *
 * Invariant: a random choice never depends on which of the two is being written, nor on the lane,
 * so the same seed gives the same body, and writing it again at each step unrolls it. */
#ifndef GRADUS_SCAN_GEN_H
#define GRADUS_SCAN_GEN_H

#include "base/base.h"

enum {
    GEN_STATES = 3,
    GEN_OUTS = 2,
    GEN_EQUATIONS = GEN_STATES + GEN_OUTS,
    GEN_SEQS = 2,
    GEN_NEST = 2,
    GEN_WANTED = 8
};

typedef struct {
    char name[8];
    bool vector, state;
    int reach;    /* of a state: how far back its taps go */
    bool derived; /* the init is computed from the input */
    u64 seed;     /* of its equation */
} GenEquation;

typedef struct {
    bool vector, derived, used;
    int low, high; /* taps */
    int length;
} GenSeq;

typedef enum { GEN_FOR, GEN_OVER, GEN_OVER_FOR, GEN_WHILE } GenKind;

typedef enum {
    GEN_LINEAR,
    GEN_TANH,
    GEN_PRODUCTS,
    GEN_SEVERAL, /* states */
    GEN_TAPS,
    GEN_CAPTURES,
    GEN_NESTED,
    GEN_MIXED, /* anything, also without states */
    GEN_FAMILIES
} GenFamily;
typedef enum { GEN_NEVER, GEN_FIRST, GEN_MIDDLE, GEN_LAST, GEN_REVERSE, GEN_ENDS } GenEnd;
enum { GEN_COUNTS = 5, GEN_CELLS = GEN_FAMILIES * GEN_COUNTS * GEN_ENDS };
extern const char *const gen_family_names[GEN_FAMILIES], *const gen_end_names[GEN_ENDS];

typedef struct {
    u64 seed;
    GenFamily family;
    GenEnd end;
    GenKind kind;
    int lane; /* >= 0: the program of a lane that is to take so many steps */
    bool reverse, runtime_count, symbolic;
    bool tapped;    /* some equation reads a state: only then has the scan a direction */
    char width;     /* of vectors in the header: 3; the symbol V for sizes known when running */
    bool interior;  /* differentiate by what is computed from the inputs */
    int checkpoint; /* 0: none, -1: auto */
    int n, stop, executed; /* stop: after so many steps; 0: never */
    int t0;
    int nequations, nstates;
    GenEquation equations[GEN_EQUATIONS]; /* in the order of the text */
    GenSeq seqs[GEN_SEQS];
    Text inputs, definitions, scan,
        unrolled; /* statements; the scan is S, the unrolled values are NAME_FIN and NAME_TR */
    Text loss[2]; /* an expression in terms of the scan, of the unrolled values */
    int nwanted;
    char wanted[GEN_WANTED][8]; /* what to differentiate by: inputs, or values computed from them */
} ScanCase;

void scan_case_make(ScanCase *c, u64 seed);
/* The same program as a lane of a batch sees it: differentiated by inputs only, its number of steps
 * the input `lane` where that makes sense (scan_case_ragged). */
void scan_case_make_lane(ScanCase *c, u64 seed, int steps);
bool scan_case_ragged(const ScanCase *c);
/* The value of `lane` for that number of steps. */
int scan_case_lane_value(const ScanCase *c);
void scan_case_free(ScanCase *c);
/* The trace and the final value of equation i: in the scan, or unrolled. */
void scan_case_trace(const ScanCase *c, int i, bool unrolled, Text *out);
void scan_case_final(const ScanCase *c, int i, bool unrolled, Text *out);
/* A literal of the shape of a trace, or of an input to differentiate by. */
void scan_case_trace_vector(const ScanCase *c, int i, u64 seed, Text *out);
/* The sizes of an input: "", "V", "T0, 3". */
void scan_case_input_sizes(const ScanCase *c, int wanted, Text *out);
void scan_case_input_vector(const ScanCase *c, int wanted, u64 seed, Text *out);

#endif
