# shows: seen.py checked.py checked.c names.c places.py torch.py
# what writes its operand alone keeps how tightly that binds
a : f64 = 3
b : f64 = 0.25
:export (a / stop_gradient(1 - b), a - { check(b > 0, "b"); b - 1 }, 2 * f64(a + b)) seen.py
# messages are strings of the target's
said = { check(a > b, "a \"b\"\nis 100% \\ ??/ ä */"); a }
:export said checked.py
:export said checked.c
# names of the author are not those of the writer; sizes of results are said by their names in main
at : i64[2] = [1, 0]
i0 : f64[m] = [1, 2, 3]
:export i0[at] * zeros((m + 1, 2)) names.c values=on
# a place twice, along the second axis
M : f64[2, 3] = [[1, 2, 3], [4, 5, 6]]
:export M with [:, at] += 1 places.py
:export M with [:, at] += 1 torch.py to=torch
---
==> seen.py
# Written by gradus :export, with NumPy.
import numpy as np


def seen(a, b):
    """(a / stop_gradient(1 - b), a - { check(b > 0, \"b\"); b - 1 }, 2 * f64(a + b))

    a: f64
    b: f64
    """
    a = np.asarray(a, dtype=np.float64)[()]
    b = np.asarray(b, dtype=np.float64)[()]
    with np.errstate(all="ignore"):
        if not b > 0.0:
            raise ValueError("b")
        return a / (1.0 - b), a - (b - 1.0), 2.0 * (a + b)
==> checked.py
# Written by gradus :export, with NumPy.
import numpy as np


def said(a, b):
    """said

    a: f64
    b: f64
    """
    a = np.asarray(a, dtype=np.float64)[()]
    b = np.asarray(b, dtype=np.float64)[()]
    with np.errstate(all="ignore"):
        if not a > b:
            raise ValueError("a \"b\"\nis 100% \\ ??/ ä */")
        return a
==> checked.c
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;
typedef int32_t i32;
typedef uint64_t u64;
typedef uint32_t u32;
typedef uint8_t u8;

/* said, written by Gradus from
 *
 *     a : f64
 *     b : f64
 *     check(a > b, a, message="a \"b\"\nis 100% \\ ? ?/ ä * /")
 *
 * Returns NULL, or an error message.  Arrays are in row-major order. */
const char *said(double a, double b, double *said_out)
{
    const char *error = NULL;
    if (!(a > b)) {
        error = "a \"b\"\012is 100% \\ \077?/ ä */";
        goto end;
    }
    *said_out = a;
end:
    return error;
}
==> names.c
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;
typedef int32_t i32;
typedef uint64_t u64;
typedef uint32_t u32;
typedef uint8_t u8;

/* A buffer that is reused each time this point of the program is reached. */
typedef struct {
    void *at;
    size_t bytes;
} Room;

static inline void *grow(Room *r, i64 count, size_t size)
{
    const size_t bytes = (size_t)count * size + 1;
    if (count < 0 || (size_t)count > SIZE_MAX / 4 / size)
        return NULL;
    if (bytes > r->bytes) {
        void *at = realloc(r->at, 2 * bytes);
        if (!at)
            return NULL;
        r->at = at;
        r->bytes = 2 * bytes;
    }
    return r->at;
}

static inline void *room(Room *r, i64 count, size_t size)
{
    const size_t bytes = (size_t)count * size + 1;
    if (count < 0 || (size_t)count > SIZE_MAX / 4 / size)
        return NULL;
    if (bytes > r->bytes) {
        free(r->at);
        r->at = malloc(bytes);
        r->bytes = r->at ? bytes : 0;
    }
    return r->at;
}

/* i0[at] * zeros((m + 1, 2)), written by Gradus from
 *
 *     at : i64[2]
 *     i0 : f64[m]
 *     i0[at] * broadcast_to(0.0, (m + 1, 2))
 *
 * Returns NULL, or an error message.  Arrays are in row-major order. */
const char *names(i64 m, const i64 *at_2, const double *i0_, double *result_out)
{
    const char *error = NULL;
    Room rooms[1] = {{0}};
    double gather[2];
    for (i64 o = 0; o < 1; o++)
        for (i64 k = 0; k < 2; k++) {
            i64 at_ = at_2[k];
            at_ += at_ < 0 ? m : 0;
            if (at_ < 0 || at_ >= m) {
                error = "an index is out of range";
                goto end;
            }
            for (i64 j = 0; j < 1; j++)
                gather[(o * 2 + k) * 1 + j] = i0_[(o * m + at_) * 1 + j];
    }
    const i64 add = 1 + m;
    double *broadcast = room(&rooms[0], add * 2, sizeof *broadcast);
    if (!broadcast)
        goto no_memory;
    for (i64 i = 0, i0 = 0; i0 < add; i0++) {
        for (i64 i1 = 0; i1 < 2; i1++) {
            broadcast[i++] = gather[i1];
        }
    }
    for (i64 i = 0; i < add * 2; i++)
        result_out[i] = 0.0 * broadcast[i];
    goto end;
no_memory:
    error = "out of memory";
end:
    for (int k = 0; k < 1; k++)
        free(rooms[k].at);
    return error;
}

/* Nested brackets, as JSON has them. */
static void print_part(char kind, const void *x, int rank, const i64 *shape, i64 *at)
{
    if (rank) {
        putchar('[');
        for (i64 i = 0; i < shape[0]; i++) {
            fputs(i ? ", " : "", stdout);
            print_part(kind, x, rank - 1, shape + 1, at);
        }
        putchar(']');
        return;
    }
    const i64 i = (*at)++;
    if (kind == 'r') {
        for (int k = 0; k < 6; k++)
            printf("%s%lu%s", k ? ", " : "[", (unsigned long)((const u32 *)x)[6 * i + k], k < 5 ? "" : "]");
    } else if (kind == 'b') {
        fputs(((const u8 *)x)[i] ? "true" : "false", stdout);
    } else if (kind == 'i' || kind == 'l') {
        printf("%lld", kind == 'i' ? (long long)((const i32 *)x)[i] : (long long)((const i64 *)x)[i]);
    } else {
        const double v = kind == 'f' ? (double)((const float *)x)[i] : ((const double *)x)[i];
        if (isnan(v) || isinf(v))
            fputs(isnan(v) ? "\"nan\"" : v > 0 ? "\"inf\"" : "\"-inf\"", stdout);
        else
            printf(kind == 'f' ? "%.9g" : "%.17g", v);
    }
}

static void print_value(const char *name, const char *dtype, char kind, const void *x, int rank, const i64 *shape)
{
    i64 at = 0;
    printf("{\"kind\": \"value\", \"name\": %s, \"type\": \"%s", name, dtype);
    for (int a = 0; a < rank; a++)
        printf("%s%lld", a ? ", " : "[", (long long)shape[a]);
    printf("%s\", \"dtype\": \"%s\", \"shape\": [", rank ? "]" : "", dtype);
    for (int a = 0; a < rank; a++)
        printf("%s%lld", a ? ", " : "", (long long)shape[a]);
    fputs("], \"value\": ", stdout);
    print_part(kind, x, rank, shape, &at);
    puts("}");
}

int main(void)
{
    const i64 m = 3;
    static const i64 at_2[] = {1, 0};
    static const double i0_[] = {1.0, 2.0, 3.0};
    double *result_out = calloc((size_t)((1 + m) * 2) + 1, sizeof *result_out);
    const char *error = names(m, at_2, i0_, result_out);
    if (error)
        fprintf(stderr, "%s\n", error);
    if (!error) {
        print_value("null", "f64", 'd', result_out, 2, (const i64[]){(1 + m), 2});
    }
    free(result_out);
    return error != NULL;
}
==> places.py
# Written by gradus :export, with NumPy.
import numpy as np


def places(at, M):
    """M with [:, at] += 1

    at: i64[2]
    M: f64[2, 3]
    """
    at = np.asarray(at, dtype=np.int64)
    M = np.asarray(M, dtype=np.float64)
    with np.errstate(all="ignore"):
        changed = M.copy()
        np.add.at(changed, (slice(None), at,), 1.0)
        return changed
==> torch.py
# Written by gradus :export, with PyTorch.
import torch

torch.set_default_dtype(torch.float64)


def torch_1(at, M):
    """M with [:, at] += 1

    at: i64[2]
    M: f64[2, 3]
    """
    at = torch.as_tensor(at, dtype=torch.int64)
    M = torch.as_tensor(M, dtype=torch.float64)
    changed = M.clone()
    changed.movedim(1, 0).index_put_((at,), torch.tensor(1.0, dtype=torch.float64), accumulate=True)
    return changed
