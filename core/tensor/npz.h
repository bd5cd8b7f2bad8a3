/* NumPy's .npz files: a zip archive that has a .npy file for each array.
 *
 * Invariant: as npy.h: a file is not trusted, and every failure is a message. */
#ifndef GRADUS_NPZ_H
#define GRADUS_NPZ_H

#include "tensor/tensor.h"

typedef struct {
    int n;
    char **names; /* without ".npy" */
    Tensor **tensors;
} Npz;

/* Stored or deflated, also with numbers of 64 bits (zip64). On failure false and *error, which the
 * caller frees, and there is nothing to free. */
bool npz_load(Heap *h, const char *path, const Interrupt *interrupt, Npz *out, char **error);
/* The same from memory. `name` is for messages. */
bool npz_parse(Heap *h, const char *name, const char *bytes, size_t len, Npz *out, char **error);
void npz_free(Npz *z);
/* Writes stored arrays below 4 GiB, as numpy.savez does; the file appears complete or not at all.
 */
bool npz_save(int n, char *const *names, Tensor *const *tensors, const char *path,
              const Interrupt *interrupt, char **error);

#endif
