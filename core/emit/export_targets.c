/* The languages that expressions are written in: a row each. */
#include "emit/export.h"

const ExportTarget export_targets[] = {
    {"c", "c", "C11: one function, inputs and outputs as pointers with sizes; needs libm", export_c,
     false, false, false},
    {"numpy", "py", "Python: one function; needs NumPy", export_numpy, true, false, false},
    {"numba", "py", "the NumPy program, compiled by Numba", export_numba, false, false, false},
    {"jax", "py", "Python with JAX: lax.scan, lax.while_loop, lax.cond", export_jax, true, true,
     false},
    {"torch", "py", "Python with PyTorch", export_torch, true, true, false},
    {"latex", "tex", "formulas in LaTeX, to \\input; need amsmath and amssymb", export_latex, true,
     true, true},
    {"typst", "typ", "formulas in Typst", export_typst, true, true, true},
};
const size_t export_target_count = COUNT_OF(export_targets);

bool export_is_name(const char *source)
{
    static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    bool digit = *source >= '0' && *source <= '9';
    return *source && !digit && source[strspn(source, letters)] == '\0';
}

const ExportTarget *export_target_of(const char *to, const char *file)
{
    const char *end = strrchr(file, '.');
    for (size_t i = 0; i < export_target_count; i++)
        if (to ? !strcmp(to, export_targets[i].name)
               : end && !strcmp(end + 1, export_targets[i].extension))
            return &export_targets[i];
    return &export_targets[0];
}
