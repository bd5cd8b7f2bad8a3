/* What a step may change, by its classes: the one place that says it, for the audit, the trial of
 * rules and what the prompt tells of classes. */
#ifndef GRADUS_BOUNDS_H
#define GRADUS_BOUNDS_H

#include "tensor/tensor.h"
#include "rewrite/exploration.h"

typedef struct {
    u32 bit;
    const char *name;         /* "N+" */
    const char *means;        /* of a rule */
    const char *bound;        /* what the audit allows */
    const char *tells;        /* a sentence for who has not met it */
    const char *rule, *shows; /* a rule of this class, and a case in which it matters */
} HazardClass;
extern const HazardClass hazard_classes[];
extern const size_t hazard_class_count;

/* Rounding: relative to the largest number of a result, or what changing every input by as much of
 * itself makes. */
double rounding_bound(DType d); /* 1e-9; f32: 1e-4 */

/* How two values differ, over all elements of all results that were compared. */
typedef struct {
    double ulp;   /* units in the last place */
    double error; /* relative to the larger one, or to the largest of the result */
    double absolute;
    bool shape;          /* of shape or type */
    bool made, unmade;   /* a number became NaN or infinity; NaN or infinity became a number */
    bool overflow;       /* infinity became NaN, or NaN infinity: of finite inputs, one side of an
                            overflow or the other */
    bool zero;           /* the sign of a zero, or of an infinity that came of it */
    bool left;           /* some number overflowed or underflowed on the way, here or there */
    bool rounding;       /* an element by more than rounding allows */
    bool failed, passed; /* a value became an error; an error became a value */
} Deviation;

/* Adds how b differs from a. `moved` is b for inputs that were changed by the bound, or NULL: not
 * known; `inputs` the size of the largest input. */
void deviation_add(Deviation *d, const Tensor *a, const Tensor *b, const Tensor *moved,
                   double inputs);
/* What these classes do not allow, in a few words; NULL: nothing. */
const char *deviation_breaks(const Deviation *d, u32 classes);

#endif
