x : f64[3, 2] = [[1, 2], [3, 4], [5, 6]]
p : (W: f64[2], b: f64) = (W=[0.1, 0.2], b=0)
step = p - 0.1 * grad(q -> mean((x @ q.W + q.b) ^ 2))(p)
:graph step
S = scan t for 10 from q = p { q[t] = 0.5 * q[t-1] }
:graph S.final
:steps step rule=expand-derivative
:export step step.c
:export step step.py
:export step step.tex
# shows: step.c
# shows: step.py
# shows: step.tex
---
x : f64[3, 2]
p_W : f64[2]
p_b : f64
d_p_W, d_p_b = grad(mean((x @ p_W + p_b)^2), [p_W, p_b])
(p_W - 0.1 * d_p_W, p_b - 0.1 * d_p_b)
p_W : f64[2]
p_b : f64
S = scan t for 10 from q_W = p_W, q_b = p_b {
  q_W[t] = 0.5 * q_W[t-1]
  q_b[t] = 0.5 * q_b[t-1]
}
(S.final.q_W, S.final.q_b)
differentiate: 10 steps, 19 -> 15 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 8 nodes
      - d_p_W = «grad(mean»((x @ p.W + p.b)«^2), p.W)»
      + d_p_W = («2 * broadcast_to(expand_dims(1.0 / 3.0, axis=0), (3,))) * (»x @ p.W + p.b) «@ x»
      - d_p_b = «grad(mean»((x @ p.W + p.b)«^2), p.b)»
      + d_p_b = «sum((2 * broadcast_to(expand_dims(1.0 / 3.0, axis=0), (3,))) * (»x @ p.W + p.b))
==> step.c
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

/* step, written by Gradus from
 *
 *     x : f64[3, 2]
 *     p_W : f64[2]
 *     p_b : f64
 *     d_p_W, d_p_b = grad(mean((x @ p_W + p_b)^2), [p_W, p_b])
 *     (p_W - 0.1 * d_p_W, p_b - 0.1 * d_p_b)
 *
 * Returns NULL, or an error message.  Arrays are in row-major order. */
const char *step(const double *x, const double *p_W, double p_b, double *step_W_out, double *step_b_out)
{
    const char *error = NULL;
    double matmul[3];
    memset(matmul, 0, 3 * sizeof *matmul);
    for (i64 i = 0; i < 3; i++)
        for (i64 k = 0; k < 2; k++)
            matmul[i] += x[i * 2 + k] * p_W[k];
    double mul[3];
    for (i64 i = 0; i < 3; i++)
        mul[i] = 0.6666666666666666 * (p_b + matmul[i]);
    double d_p_W[2];
    memset(d_p_W, 0, 2 * sizeof *d_p_W);
    for (i64 k = 0; k < 3; k++)
        for (i64 j = 0; j < 2; j++)
            d_p_W[j] += mul[k] * x[k * 2 + j];
    double d_p_b = 0;
    for (i64 i = 0; i < 3; i++) {
        d_p_b += mul[i];
    }
    for (i64 i = 0; i < 2; i++)
        step_W_out[i] = p_W[i] - 0.1 * d_p_W[i];
    *step_b_out = p_b - 0.1 * d_p_b;
    return error;
}
==> step.py
# Written by gradus :export, with NumPy.
import numpy as np


def step(x, p_W, p_b):
    """step

    x: f64[3, 2]
    p_W: f64[2]
    p_b: f64
    """
    x = np.asarray(x, dtype=np.float64)
    p_W = np.asarray(p_W, dtype=np.float64)
    p_b = np.asarray(p_b, dtype=np.float64)[()]
    with np.errstate(all="ignore"):
        v = 0.6666666666666666 * (p_b + x @ p_W)
        d_p_W = v @ x
        d_p_b = np.sum(v)
        return p_W - 0.1 * d_p_W, p_b - 0.1 * d_p_b
==> step.tex
% step
%
% Written by Gradus from
%
%     x : f64[3, 2]
%     p_W : f64[2]
%     p_b : f64
%     t1 = x @ p_W + p_b
%     (p_W - t1 @ x / 15, p_b - sum(t1) * 0.06666666666666667)
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & x \in \mathbb{R}^{3 \times 2}, \quad p_{W} \in \mathbb{R}^{2}, \quad p_{b} \in \mathbb{R} \\
  & t_{1} = x\,p_{W} + p_{b} \\
  & \mathrm{step} = \left(p_{W} - \frac{t_{1}\,x}{15}, p_{b} - \left(\sum_{i} \left(t_{1}\right)_{i}\right) \cdot 0.06666666666666667\right)
\end{align*}}
