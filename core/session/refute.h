/* Do two expressions of one type have the same values? Both are evaluated, as they stand, on many
 * inputs (sample_points.h); how they differ is told by kind, each with the shortest inputs that
 * show it.
 *
 * A difference of two numbers counts if rounding does not explain it: both are evaluated with other
 * roundings, too, and what then lies between the results is rounding. */
#ifndef GRADUS_REFUTE_H
#define GRADUS_REFUTE_H

#include "session/sample_points.h"

/* From harmless to grave. */
typedef enum {
    DIFFER_NOT,
    DIFFER_ROUNDING,
    DIFFER_ZERO,     /* in the sign of a zero */
    DIFFER_OVERFLOW, /* something left the range of its type: infinite, nan or 0 is only one side */
    DIFFER_INFINITY,
    DIFFER_NAN,
    DIFFER_ERROR, /* one side is an error */
    DIFFER_VALUE, /* two numbers are not the same one */
    DIFFER_KINDS
} DifferKind;
extern const char *const differ_names[DIFFER_KINDS];

typedef struct {
    const Node *leaf;
    Tensor *value;
} LeafValue;

/* Inputs that show a difference. */
typedef struct {
    bool found;
    size_t length;            /* how much of inputs there is to read */
    const SamplePoint *point; /* they come from this one, but may have been shortened since */
    VEC(LeafValue) inputs;
    Tensor *sides[2]; /* NULL: an error, */
    char *error[2];   /* this one */
} Witness;

/* What is taken for granted of each element of an input; so it is not nan. */
typedef enum { AT_LEAST_ZERO, ABOVE_ZERO, AT_MOST_ZERO } AssumedSign;
typedef struct {
    const Node *leaf;
    AssumedSign sign;
} Assumption;
enum { MOST_ASSUMED = 6 }; /* more assumptions are no help to a reader */
typedef struct {
    int n;
    Assumption at[MOST_ASSUMED];
    bool broken; /* at least one of them does not hold */
} Assumptions;

typedef struct {
    size_t tried; /* points where both sides were evaluated, or one of them was an error */
    bool jumps;   /* rounds to whole numbers, where other roundings say nothing */
    Witness at[DIFFER_KINDS][POINT_KINDS];
    VEC(u64) agrees,
        differs; /* ordinary points: by three bits for each input: is it >= 0, <= 0, != 0 */
    Sampler points;
} Evidence;

/* Compares them wherever the inputs are as assumed (NULL: everywhere). False if they could be
 * evaluated nowhere. End with evidence_free in either case. */
bool session_compare_values(Session *s, Node *const sides[2], const Assumptions *given,
                            Evidence *out);
void evidence_free(Evidence *e);
/* Elements of a witness of theirs become 0 or 1 wherever the same kind of difference remains, so
 * that a reader sees what matters. */
void evidence_shorten(Session *s, Node *const sides[2], const Assumptions *given, Evidence *e,
                      const Witness *which);
/* The shortest inputs that show such a difference at points of a kind up to `last`; NULL: none. */
const Witness *evidence_of(const Evidence *e, DifferKind kind, PointKind last);
bool assumptions_hold(const Evidence *e, const Assumptions *given, u64 signs);

#endif
