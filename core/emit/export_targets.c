/* The languages that expressions are written in: a row each. */
#include "emit/export.h"

const ExportTarget export_targets[] = {
    {"c", "c", "C11: one function, inputs and outputs as pointers with sizes; needs libm",
     export_c},
};
const size_t export_target_count = COUNT_OF(export_targets);
