/* The rows of traits.def. */
#include "graph/op.h"

const u32 op_traits[OP_COUNT] = {
#define TRAITS(ID, ALL) [OP_##ID] = ALL,
#include "ops/traits.def"
#undef TRAITS
};
