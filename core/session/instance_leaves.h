/* What operations of random instances stand on: sizes, inputs, variables, attributes. */
#ifndef GRADUS_INSTANCE_LEAVES_H
#define GRADUS_INSTANCE_LEAVES_H

#include "session/instance_ranges.h"

enum { DIMS = 4 };

/* An instance while it is made. */
typedef struct {
    Store *st;
    const Rule *rule;
    u64 state;
    Bindings *b;
    DType real, whole, any;
    Size *dims[DIMS];
    int inputs;
    bool factorises; /* the pattern inverts, solves or the like */
    Node *beside;    /* an operand that no pattern takes */
    Node *variable;  /* of the derivative or map around what is made, or NULL */
    Ranges *ranges;
    u64 seed;
} Maker;

/* What an operand should be; no shape: any. */
typedef struct {
    DType dtype; /* DT_COUNT: any */
    const Type *shape;
    bool exact; /* no scalar in its place */
    i64 limit;  /* of a position: below this, if it is not 0 */
} Want;

u32 instance_roll(Maker *m, u32 n);
Size *instance_pick_dim(Maker *m);
Type *instance_random_shape(Maker *m, int least);
Node *instance_input(Maker *m, DType d, const Type *shape);
Node *instance_variable(Maker *m, const Pattern *p, Want w);
bool instance_attr_known(const Maker *m, const PatAttr *a, char kind, Attr *out);
void instance_attr_keep(Maker *m, const PatAttr *a, char kind, Attr v);
void instance_choose_attrs(Maker *m, const Pattern *p, const Type *x, Attr out[8]);
/* A part of the pattern, its operands first; NULL: the choice makes no sense. */
Node *instance_part(Maker *m, const Pattern *p, Want w);
const Type *instance_with_axes(Maker *m, const Type *t, const IntList *axes, Size *len);
Node *instance_choice(Maker *m, const Pattern *p, Want w);
Node *instance_inner(Maker *m, const Pattern *p, Want w);
Node *instance_loop(Maker *m, const Pattern *p, Want w); /* the whole, or the final value */
/* Values of what was inside, at the operand: they can be shown. What has none is unbound. */
void instance_close_variables(Maker *m);

#endif
