/* The column `facts` of the table: what is known of one node, its operands' facts being known.
 * facts.c and facts_elem.c have the functions. */
#ifndef GRADUS_FACTS_STEP_H
#define GRADUS_FACTS_STEP_H

#include "ops/ops.h"
#include "rewrite/facts.h"

#define WHOLE_EXACT 1e7 /* whole numbers up to it, and their sums, are exact in f32 (2^24) */

/* facts_*(f, n): of n, or of the first result of a drawing operator. */
#define OP(ID, NAME, MIN, MAX, CLS, FLAGS, ATTRS, INFER, VJP, JVP, BATCH, EVAL, SURE, FACTS, ...) \
    Fact facts_##FACTS(Facts *f, const Node *n);
#include "ops/all.def"
#undef OP

/* For some real inputs, may there be no such number on paper, or another one than k says?
 * (facts_domain.c) */
bool fact_may_be_undefined(Facts *f, const Node *n, const Fact *k);
/* Sums, products and the like of integers may wrap: then they are anything. */
Fact fact_wrapped(Fact k, const Node *n);
static inline Fact fact_operand(Facts *f, const Node *n, u32 i) { return *fact_of(f, n->ops[i]); }

#endif
