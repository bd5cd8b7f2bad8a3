/* The virtual machine: runs programs.
 *
 * Invariant: after vm_run, whatever happened, no tensor it made is left behind but
 * the results. A borrowed value is never written to. */
#ifndef GRADUS_VM_H
#define GRADUS_VM_H

#include "exec/plan.h"

typedef struct VmEnv {
    Store *st;
    Heap *heap;
    struct Native *native; /* NULL: the machine alone */
    /* The value of an input or a shared variable, borrowed; NULL: the error "no-value". */
    Tensor *(*leaf)(void *ctx, const Node *input_or_shared);
    /* From here on the program cannot fail but before it changes what it works on: values that are
     * to be replaced may be lent to it, their owner's reference given up (back: taken again, as it
     * failed). Only of a program_lends; may be NULL. */
    void (*lend)(void *ctx, bool back);
    bool (*size)(void *ctx, const Node *size_leaf, i64 *out);
    void *ctx;
    /* Polled before every array operation and every 1024 steps of a loop over scalars, by native
     * code after some thousand light steps or a part of a millisecond's work; may be NULL. */
    const Interrupt *interrupt;
    /* Called from loops after 0.5 s, at most every 0.1 s; fraction < 0: unknown (a while loop). May
     * be NULL. */
    void (*progress)(void *ctx, double seconds, double fraction);
    struct Profile *profile; /* of a program_profile (cost.h): filled; may be NULL */
    /* Elements and steps of loops after which it ends with "work", at the next poll; 0: no limit.
     */
    u64 work_limit;
    u64 steps; /* filled: steps of loops that ran, those of inner loops too */
    /* Filled on failure. */
    Text error;
    const char
        *code; /* "check", "index", "shape-mismatch", "interrupted", "memory", "no-value", ... */
    const Node *fault;
} VmEnv;

/* One reference to each result; false after filling env->error. */
bool vm_run(const Program *p, VmEnv *env, Tensor **results);

#endif
