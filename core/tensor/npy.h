/* NumPy's .npy files, versions 1 to 3 (numpy/lib/format.py describes the format).
 *
 * Invariant: a file is not trusted: nothing is allocated beyond what the file's own
 * length can fill, and every failure is a message, never a crash. */
#ifndef GRADUS_NPY_H
#define GRADUS_NPY_H

#include "tensor/tensor.h"

/* b1 gives bool; i4 i32; f4 f32; f8 f64; i1 i2 i8 u1 u2 u4 u8 i64 (u8 must fit). Either byte
 * order, C or Fortran order. On failure NULL and *error, which the caller frees. What the header
 * says is checked before any of the data is read, so of a stream without end only its first bytes
 * are; ^C (`interrupt` may be NULL) ends the reading. */
Tensor *npy_load(Heap *h, const char *path, const Interrupt *interrupt, char **error);
/* The same from memory. `name` is for messages. */
Tensor *npy_parse(Heap *h, const char *name, const char *bytes, size_t len, char **error);
/* Writes version 1, little endian, C order; the file appears complete or not at all. */
bool npy_save(const Tensor *t, const char *path, const Interrupt *interrupt, char **error);
/* The bytes of that file, piece by piece; t has no random states. */
void npy_put(const Tensor *t, void (*put)(void *to, const void *bytes, size_t n), void *to);

#endif
