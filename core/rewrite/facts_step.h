/* Between facts.c and facts_elem.c. */
#ifndef GRADUS_FACTS_STEP_H
#define GRADUS_FACTS_STEP_H

#include "ops/ops.h"
#include "rewrite/facts.h"

Fact fact_unknown(DType d);
Fact fact_union(Fact a, Fact b);
/* Of an elementwise node whose operands are known. */
Fact fact_elementwise(Facts *f, const Node *n);

#endif
