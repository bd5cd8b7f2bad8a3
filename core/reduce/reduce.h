/* Delta debugging on typed graphs: the smallest program found for which a condition still holds.
 *
 * The condition is a function of the caller; what it means is not known here. Candidates are made
 * from the best program so far: a node becomes one of its operands, a part of the graph an input or
 * a constant, a loop one of its steps, a body a program of its own; states, sizes and digits go.
 * Each is a typed graph, so the condition is only asked about programs that make sense.
 *
 * Invariant: at any time the program here is one for which the condition held. Nothing depends on
 * time: the same program and condition give the same result. */
#ifndef GRADUS_REDUCE_H
#define GRADUS_REDUCE_H

#include "analysis/probe.h"

typedef struct {
    Store *st;
    Evaluator eval; /* for the values of what becomes an input, and for rules and options */
    /* Does the condition hold for these results, with these values of inputs (leaf -> Tensor*)? */
    bool (*holds)(void *ctx, int n, Node *const *roots, const TensorMap *values);
    bool (*stopped)(void *ctx); /* is the search to end with the best so far? */
    void *ctx;
    bool paired; /* as many results stay as there are: the condition is about all of them */

    NodeVec roots;    /* the program; a smaller one when reduce ends */
    TensorMap values; /* of its inputs, references that it owns */
    u32 tries;        /* how often the condition was asked */
    SET(u64) failed;  /* candidates for which it did not hold, by their structure */
    SymbolSet taken;  /* names that no new input gets */
} Reduction;

/* Makes the program smaller, for which the condition must hold, until no candidate is smaller or
 * the search is stopped. */
void reduce(Reduction *r);
/* How large programs are compared: nodes first, then operands; a graph inside counts as several. */
u64 reduce_weight(int n, Node *const *roots);
void reduction_free(Reduction *r);
/* A name for the result that none of the inputs bears: the wanted one, or "result_2" and so on. */
Symbol reduction_name(const Reduction *r, const char *wanted);

#endif
