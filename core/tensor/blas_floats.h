/* Elements of matrices of either float dtype, as the calls of LAPACK need them. */
#ifndef GRADUS_BLAS_FLOATS_H
#define GRADUS_BLAS_FLOATS_H

#include "tensor/tensor.h"

/* Calls the d or s form of a function. */
#define BY_FLOAT(d, fd, fs, ...) ((d) == DT_F64 ? fd(__VA_ARGS__) : fs(__VA_ARGS__))

static inline double at(DType d, const void *a, i64 i)
{
    return d == DT_F64 ? ((const double *)a)[i] : (double)((const float *)a)[i];
}

static inline void put(DType d, void *a, i64 i, double x)
{
    if (d == DT_F64)
        ((double *)a)[i] = x;
    else
        ((float *)a)[i] = (float)x;
}

#endif
