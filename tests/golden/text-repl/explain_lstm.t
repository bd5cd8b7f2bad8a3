# What the gradient of an LSTM keeps, as :explain tells it.
x  : f64[T, 2] = [[0.5, -1.0], [1.5, 0.3], [-0.2, 0.8], [0.0, 1.1]]
Wi : f64[2, 2] = [[0.4, -0.3], [0.2, 0.7]]
Wf : f64[2, 2] = [[-0.1, 0.6], [0.5, 0.2]]
Wo : f64[2, 2] = [[0.3, 0.3], [-0.4, 0.1]]
Wc : f64[2, 2] = [[0.8, -0.2], [0.1, 0.9]]
Ui : f64[2, 2] = [[0.1, 0.2], [-0.3, 0.4]]
Uf : f64[2, 2] = [[0.5, -0.2], [0.1, 0.3]]
Uo : f64[2, 2] = [[-0.2, 0.1], [0.6, 0.2]]
Uc : f64[2, 2] = [[0.3, -0.5], [0.2, 0.1]]
bi : f64[2] = [0.1, 0]
bf : f64[2] = [1, 1]
bo : f64[2] = [0, 0.2]
bc : f64[2] = [-0.1, 0.1]
S = scan t over x from h = zeros(2), c = zeros(2) {
  i = sigmoid(x[t] @ Wi + h[t-1] @ Ui + bi)
  f = sigmoid(x[t] @ Wf + h[t-1] @ Uf + bf)
  o = sigmoid(x[t] @ Wo + h[t-1] @ Uo + bo)
  c[t] = f * c[t-1] + i * tanh(x[t] @ Wc + h[t-1] @ Uc + bc)
  h[t] = o * tanh(c[t])
}
target : f64[2] = [0.5, -0.5]
loss = sum(sqr(S.final.h - target))
gs = grad(loss, [Wi, Wf, Wo, Wc, Ui, Uf, Uo, Uc, bi, bf, bo, bc])
:explain gs
---
gs

loops
  written: scan h, c, 4 steps forward, 2 states (32 bytes), input.gr:15
  run: scan h, c, 4 steps forward, 2 states (32 bytes)
  run: scan d_h, carry_c, sum_d_bf, sum_d_bc, …, 4 steps backward, 6 states (96
      bytes)

saved for the backward pass, and whose derivative reads it (+1: one more)
  for scan d_h, carry_c, sum_d_bf, sum_d_bc, …
    o, one_minus_o  f64[4, 2], 128 bytes: `sigmoid(x[t] @ Wo …` input.gr:18, +1
    tanh_c[t]  f64[4, 2], 64 bytes: `tanh(c[t])` input.gr:20, +1
    c[t-1]  f64[4, 2], 64 bytes: `f * c[t-1]` input.gr:19
    f, one_minus_f  f64[4, 2], 128 bytes: `sigmoid(x[t] @ Wf …` input.gr:17, +1
    tanh  f64[4, 2], 64 bytes: `tanh(x[t] @ Wc + h…` input.gr:19, +1
    i, one_minus_i  f64[4, 2], 128 bytes: `sigmoid(x[t] @ Wi …` input.gr:16, +1
    h[t-1]  f64[4, 2], 64 bytes: `h[t-1] @ Uo` input.gr:18, +3, after the loop
  `S.final.h - target`  f64[2], 16 bytes: `sqr(S.final.h - ta…` input.gr:23
  11 values, in all 656 bytes

what is computed
  before the loops: 2 concat, 1 broadcast, 1 matmul; 128 operations
  in scan h, c (4 steps): 8 slice, 6 sigmoid, 5 add, 3 mul, 3 neg, 2 tanh, 1
      more; 312 operations
  between them: 3 sub, 2 sqr, 1 mul; 36 operations
  in scan d_h, carry_c, sum_d_bf, sum_d_bc, … (4 steps): 7 add, 6 mul, 3
      matmul, 1 gemv; 296 operations
  after the loops: 8 gemm; 256 operations

cost
  1028 operations; 9.6 KB read and written

rewrites that made the difference
  19 of 28 steps changed the cost: operations, and numbers read and written
    8 accumulate: -20 %, 3316 to 2637; scan d_h, carry_c, sum_d_Wf, sum_d_Uf,
        …: states sum_d_Wf, sum_d_Uf, sum_d_Wc, sum_d_Uc, …
    22 inner: -10 %, 2789 to 2509; in scan h, c: fuse
    26 inner: -10 %, 2470 to 2222; in scan d_h, carry_c, sum_d_bf, sum_d_bc, …:
        fuse
    3 inner: -5 %, 3322 to 3162; in scan d_h, carry_c, sum_d_Wf, sum_d_Uf, …:
        flatten-mul, flatten-add
    21 inner: +5 %, 2661 to 2789; in scan d_h, carry_c, sum_d_bf, sum_d_bc, …:
        order-product
