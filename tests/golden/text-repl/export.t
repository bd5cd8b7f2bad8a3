# shows: powers.c rnn.c
limit : f64 = 45
powers = scan t for 1024 from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > limit }
:export powers powers.c
W : f64[2, 2] = [[0.1, 0.2], [0.3, 0.4]]
u : f64[n, 2]
H = scan t over u from h = zeros(2) { h[t] = tanh(u[t] + h[t-1] @ W) }
loss = sum(H ^ 2)
:export grad(loss, W) rnn.c to=c
---
==> powers.c
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

/* powers, written by Gradus from
 *
 *     limit : f64
 *     scan t for 1024 from p = 1.0 {
 *       p[t] = 2 * p[t-1]
 *       until p[t] > limit
 *     }
 *
 * Returns NULL, or an error message.  Arrays are in row-major order. */
const char *powers(double limit, double **p_out, i64 p_out_shape[1])
{
    const char *error = NULL;
    Room rooms[1] = {{0}};
    double p = 1.0;
    i64 steps = 0;
    double *p_t_rows = NULL;
    for (i64 t = 0; t < 1024; t++) {
        const double p_t = 2.0 * p;
        p_t_rows = grow(&rooms[0], (t + 1), sizeof *p_t_rows);
        if (!p_t_rows)
            goto no_memory;
        p_t_rows[t] = p_t;
        const bool stop = p_t > limit;
        p = p_t;
        steps++;
        if (stop)
            break;
    }
    *p_out = malloc((size_t)(steps) * sizeof **p_out + 1);
    if (!*p_out)
        goto no_memory;
    p_out_shape[0] = steps;
    for (i64 i = 0; i < steps; i++)
        (*p_out)[i] = p_t_rows[i];
    goto end;
no_memory:
    error = "out of memory";
end:
    for (int k = 0; k < 1; k++)
        free(rooms[k].at);
    return error;
}
==> rnn.c
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

/* grad(loss, W), written by Gradus from
 *
 *     W : f64[2, 2]
 *     u : f64[n, 2]
 *     t1 = broadcast_to(0.0, (2,))
 *     grad({
 *       S = scan t over u for dim(u, axis=0) from h = t1 {
 *         h[t] = tanh(u[t] + h[t-1] @ W)
 *       }
 *       sum(S^2)
 *     }, W)
 *
 * Returns NULL, or an error message.  Arrays are in row-major order. */
const char *rnn(i64 n, const double *W, const double *u, double *d_W_out)
{
    const char *error = NULL;
    Room rooms[6] = {{0}};
    double broadcast[2];
    for (i64 i = 0; i < 2; i++)
        broadcast[i] = 0.0;
    double h[2];
    memcpy(h, broadcast, 2 * sizeof *h);
    double *h_t_rows = room(&rooms[0], n * 2, sizeof *h_t_rows);
    if (!h_t_rows)
        goto no_memory;
    double *h_rows = room(&rooms[1], n * 2, sizeof *h_rows);
    if (!h_rows)
        goto no_memory;
    for (i64 t = 0; t < n; t++) {
        const double *const u_t = u + t * 2;
        double matmul[2];
        memset(matmul, 0, 2 * sizeof *matmul);
        for (i64 k = 0; k < 2; k++)
            for (i64 j = 0; j < 2; j++)
                matmul[j] += h[k] * W[k * 2 + j];
        double h_t[2];
        for (i64 i = 0; i < 2; i++)
            h_t[i] = tanh(u_t[i] + matmul[i]);
        memcpy(h_t_rows + t * 2, h_t, 2 * sizeof *h_t_rows);
        memcpy(h_rows + t * 2, h, 2 * sizeof *h_rows);
        memmove(h, h_t, 2 * sizeof *h);
    }
    double *transpose = room(&rooms[2], n * 2, sizeof *transpose);
    if (!transpose)
        goto no_memory;
    for (i64 i = 0, i0 = 0; i0 < 2; i0++) {
        for (i64 i1 = 0; i1 < n; i1++) {
            transpose[i++] = h_rows[i1 * 2 + i0];
        }
    }
    double *sub = room(&rooms[3], n * 2, sizeof *sub);
    if (!sub)
        goto no_memory;
    for (i64 i = 0; i < n * 2; i++)
        sub[i] = 1.0 - h_t_rows[i] * h_t_rows[i];
    double *mul = room(&rooms[4], n * 2, sizeof *mul);
    if (!mul)
        goto no_memory;
    for (i64 i = 0; i < n * 2; i++)
        mul[i] = 2.0 * h_t_rows[i];
    double carry_h[2];
    memcpy(carry_h, broadcast, 2 * sizeof *carry_h);
    double *mul_2_rows = room(&rooms[5], n * 2, sizeof *mul_2_rows);
    if (!mul_2_rows)
        goto no_memory;
    for (i64 t_2 = n - 1; t_2 >= 0; t_2--) {
        const double *const one_minus_sqr_h_t = sub + t_2 * 2;
        const double *const given_h_t = mul + t_2 * 2;
        double d_h_t[2];
        for (i64 i = 0; i < 2; i++)
            d_h_t[i] = carry_h[i] + given_h_t[i];
        double mul_2[2];
        for (i64 i = 0; i < 2; i++)
            mul_2[i] = one_minus_sqr_h_t[i] * d_h_t[i];
        memcpy(mul_2_rows + t_2 * 2, mul_2, 2 * sizeof *mul_2_rows);
        double carry_h_t_1[2];
        memset(carry_h_t_1, 0, 2 * sizeof *carry_h_t_1);
        for (i64 i = 0; i < 2; i++)
            for (i64 k = 0; k < 2; k++)
                carry_h_t_1[i] += W[i * 2 + k] * mul_2[k];
        memmove(carry_h, carry_h_t_1, 2 * sizeof *carry_h);
    }
    double d_W[4];
    memset(d_W, 0, 4 * sizeof *d_W);
    for (i64 i = 0; i < 2; i++)
        for (i64 k = 0; k < n; k++)
            for (i64 j = 0; j < 2; j++)
                d_W[i * 2 + j] += transpose[i * n + k] * mul_2_rows[k * 2 + j];
    for (i64 i = 0; i < 4; i++)
        d_W_out[i] = d_W[i];
    goto end;
no_memory:
    error = "out of memory";
end:
    for (int k = 0; k < 6; k++)
        free(rooms[k].at);
    return error;
}
