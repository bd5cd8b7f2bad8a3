# The steps of the gradient of an LSTM, as a terminal of 80 columns shows them.
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
:set width 80
:steps gs
:step step=8
:step step=11
:step step=12
:step step=36.1
:step step=+1
:step step=-1
:why %31 gs
:why %107 gs
:steps gs pass=loops open=16
---
differentiate: 3 steps, 87 -> 165 nodes, done
  1  expand-derivative [E]
      # operator by operator; reverse sweep over 57 nodes
      new: scan h, c (%38) and scan d_h, carry_c, sum_d_Wf, sum_d_Uf, … (%126)
      d_Wi = %126.final.sum_d_Wi, d_Wf = %126.final.sum_d_Wf, d_Wo =
          %126.final.sum_d_Wo, d_Wc = %126.final.sum_d_Wc, d_Ui =
          %126.final.sum_d_Ui, d_Uf = %126.final.sum_d_Uf, d_Uo =
          %126.final.sum_d_Uo, d_Uc = %126.final.sum_d_Uc, d_bi =
          %126.final.sum_d_bi, d_bf = %126.final.sum_d_bf, d_bo =
          %126.final.sum_d_bo, d_bc = %126.final.sum_d_bc
  2  inner [R]  in scan h, c
    2.1-3  1-sigmoid [R]  3 times    # no cancellation near 1
        - one_minus_f = «1 -» sigmoid(x[t] @ Wf + h[t-1] @ Uf + bf)
        + one_minus_f = sigmoid(«-(»x[t] @ Wf + h[t-1] @ Uf + bf)«)»
  3  inner [R O]  in scan d_h, carry_c, sum_d_Wf, sum_d_Uf, …
    3.1-6  flatten-mul [R O]  6 times    # nested products become one product
        - «(»d_h[t] * o«)» * one_minus_sqr_tanh_c[t]
        + d_h[t] * o * one_minus_sqr_tanh_c[t]
    3.7  flatten-add [R O]    # nested sums become one sum
        (%84 + %88) + %92 => %84 + %88 + %92
    3.8-9  flatten-mul [R O]  2 times    # nested products become one product
        e.g. (d_h[t] * tanh_c[t]) * o => d_h[t] * tanh_c[t] * o
    3.10  flatten-add [R O]    # nested sums become one sum
        d_h[t-1] = (%84 + %88 + %92) + %97 => %84 + %88 + %92 + %97
loops: 5 steps, 165 -> 137 nodes, done
  4  batch-dots [R]
      # several products that share an operand are one product; 4 products that
      # share an operand
      scan h, c: it no longer reads Wf, Wc, Wi, Wo
      it reads W_oicf = concat((Wo, Wi, Wc, Wf), axis=1)
      - %19 = «x»[t] «@ Wo» + h[t-1] @ Uo + bo
      + %19 = «x_Wo»[t] + h[t-1] @ Uo + bo
      - %23 = «x»[t] «@ Wf» + h[t-1] @ Uf + bf
      + %23 = «x_Wf»[t] + h[t-1] @ Uf + bf
      … and 7 more
  5  batch-dots [R]
      # several products that share an operand are one product; 4 products that
      # share an operand
      scan h, c: it no longer reads Uo, Ui, Uc, Uf
      it reads U_cifo = concat((Uc, Ui, Uf, Uo), axis=1)
      - %23 = x_Wf[t] + «h»[t-1] «@ Uf» + bf
      + %23 = x_Wf[t] + «h_Uf»[t-1] + bf
      - tanh = tanh(x_Wc[t] + «h»[t-1] «@ Uc» + bc)
      + tanh = tanh(x_Wc[t] + «h_Uc»[t-1] + bc)
      … and 7 more
  6  sequence-dot [R]
      # a product with each row of a sequence is one product before the loop;
      # one product for all steps
      scan h, c: it no longer reads x[t] step by step
      it no longer reads W_oicf
      at each step it reads x_W_oicf[t], a row of x @ concat((Wo, Wi, Wc,
          Wf), axis=1)
      - x_Wo[t] = «%146»[:2]
      + x_Wo[t] = «x_W_oicf[t][»:2]
      - x_Wi[t] = «%146»[2:4]
      + x_Wi[t] = «x_W_oicf[t][»2:4]
      … and 3 more
  7  sink [R]
      # a value that no later step needs is computed for all rows at once, after
      # the loop; 2 traces from 0 new ones
      scan h, c: traces one_minus_sqr_tanh_c, one_minus_sqr_tanh are no
          longer kept
      - one_minus_sqr_tanh_c[t] = 1 - tanh_c[t] * tanh_c[t]
      - one_minus_sqr_tanh = 1 - tanh * tanh
      - %38.one_minus_sqr_tanh_c
      + 1 - %38.tanh_c * %38.tanh_c
      - %38.one_minus_sqr_tanh
      + 1 - %38.tanh * %38.tanh
  8  accumulate [R]
      # a sum of products over the steps is one product after the loop; 8 sums
      # of products
      scan d_h, carry_c, sum_d_Wf, sum_d_Uf, …: states sum_d_Wf, sum_d_Uf,
          sum_d_Wc, sum_d_Uc, sum_d_Wi, sum_d_Ui, sum_d_Wo, sum_d_Uo are gone
      traces %83, %91, %87, %96 are kept now
      it no longer reads x[t], h[t-1] step by step
      - %100 = x[t][:, None]
      - %101 = (d_c[t] * c[t-1] * f * one_minus_f)[None, :]
      … and 12 more
      - d_Wf = %126.final.sum_d_Wf
      + d_Wf = x' @ %126.trace[0]
      - d_Uf = %126.final.sum_d_Uf
      + d_Uf = %38.h' @ %126.trace[0]
      … and 6 more
specialize: 11 steps, 137 -> 136 nodes, done
  9-10  mul-self [E]  2 times    # a square
      e.g. %38.tanh * %38.tanh => sqr(%38.tanh)
  11-18  gemm [R]  8 times
      # the transposed matrix is read in place, without a copy
      e.g. d_Wi = x' @ %126.trace[2] => gemm(x, %126.trace[2], ta=true)
  19  inner [R]  in scan d_h, carry_c, sum_d_bf, sum_d_bc, …
    19.1  product-add [R]
        # the product is accumulated into the sum, without a temporary
        - d_h[t-1] = Uf «@» %83 «+» %88 + %92 + %97
        + d_h[t-1] = «(gemv(»Uf«,» %83«,» %88«)» + %92«)» + %97
fuse: 7 steps, 136 -> 218 nodes, done
  20  inner [E]  in scan h, c
    20.1-4  order-sum [E]  4 times    # term by term, in evaluation order
        e.g. x_Wf[t] + h_Uf[t-1] + bf => (x_Wf[t] + h_Uf[t-1]) + bf
  21  inner [E]  in scan d_h, carry_c, sum_d_bf, sum_d_bc, …
    21.1-5  order-product [E]  5 times
        # factor by factor, in evaluation order
        - d_h[t] * o * one_minus_sqr_tanh_c[t]
        + «(»d_h[t] * o«)» * one_minus_sqr_tanh_c[t]
  22  inner [E]  in scan h, c
    22.1  fuse [E]
        # one pass, tile by tile; 23 operators over f64[2]; 208 bytes not stored
        one kernel computes o, f, i, tanh, c[t], tanh_c[t], h[t],
            one_minus_f, one_minus_i, one_minus_o from bo, x_Wo[t],
            h_Uo[t-1], bf, x_Wf[t], h_Uf[t-1], bi, h_Ui[t-1], x_Wi[t], bc,
            h_Uc[t-1], x_Wc[t], c[t-1]
  23  fuse [E]
      # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
      one kernel computes 2 * (%39 - target) from %38.final.h, target
  24-25  fuse [E]  2 times
      # one pass, tile by tile; 2 operators over f64[T, 2]; 8 bytes per element
      # not stored
      one kernel computes 1 - sqr(%76) from %38.tanh_c
  26  inner [E]  in scan d_h, carry_c, sum_d_bf, sum_d_bc, …
    26.1  fuse [E]
        # one pass, tile by tile; 15 operators over f64[2]; 128 bytes not stored
        one kernel computes carry_c[t-1], sum_d_bf, sum_d_bc, sum_d_bi and 3
            more from one_minus_sqr_tanh, i, carry_c[t],
            one_minus_sqr_tanh_c[t], d_h[t], o, one_minus_f, f, c[t-1],
            one_minus_i, tanh, sum_d_bf, sum_d_bc, sum_d_bi
    26.2  fuse [E]
        # one pass, tile by tile; 4 operators over f64[2]; 32 bytes not stored
        one kernel computes (%201 * o) * one_minus_o, sum_d_bo from
            one_minus_o, o, d_h[t], tanh_c[t], sum_d_bo
    26.3  fuse [E]
        # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
        one kernel computes d_h[t-1] from Uc @ %262[0], gemv(Uf, %262[1], Ui
            @ %265), Uo @ %274[0]
lower: 2 steps, 218 -> 245 nodes, done
  27  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed
      # by the counter; the counter runs from 0 to n-1, in place of 1 sequence
      scan h, c runs as loop h, c, row
  28  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed
      # by the counter; the counter runs from n-1 down to 0, in place of 11
      # sequences
      scan d_h, carry_c, sum_d_bf, sum_d_bc, … runs as loop d_h, carry_c,
          sum_d_bf, sum_d_bc, …
      - %126.stopped
      + false
nothing to do: inline, canonicalize, stabilize, simplify, expand
8/28  loops, accumulate [R]
    # a sum of products over the steps is one product after the loop; 8 sums of
        products
    scan d_h, carry_c, sum_d_Wf, sum_d_Uf, …: states sum_d_Wf, sum_d_Uf,
        sum_d_Wc, sum_d_Uc, sum_d_Wi, sum_d_Ui, sum_d_Wo, sum_d_Uo are gone
    traces %83, %91, %87, %96 are kept now
    it no longer reads x[t], h[t-1] step by step
    - %100 = x[t][:, None]
    - %101 = (d_c[t] * c[t-1] * f * one_minus_f)[None, :]
    - sum_d_Wf = sum_d_Wf + %100 @ %101
    - %104 = h[t-1][:, None]
    - sum_d_Uf = sum_d_Uf + %104 @ %101
    … and 9 more
    - d_Wf = %126.final.sum_d_Wf
    + d_Wf = x' @ %126.trace[0]
    - d_Uf = %126.final.sum_d_Uf
    + d_Uf = %38.h' @ %126.trace[0]
    - d_Wc = %126.final.sum_d_Wc
    + d_Wc = x' @ %126.trace[1]
    - d_Uc = %126.final.sum_d_Uc
    + d_Uc = %38.h' @ %126.trace[1]
    - d_Wi = %126.final.sum_d_Wi
    + d_Wi = x' @ %126.trace[2]
    … and 3 more
11/28  specialize, gemm [R]
    # the transposed matrix is read in place, without a copy
    - d_Wi = x«' @» %126.trace[2]
    + d_Wi = «gemm(»x«,» %126.trace[2]«, ta=true)»
12/28  specialize, gemm [R]
    # the transposed matrix is read in place, without a copy
    - d_Wf = x«' @» %126.trace[0]
    + d_Wf = «gemm(»x«,» %126.trace[0]«, ta=true)»
input.gr:30:12: error: the steps are 0 to 28 here
    :step step=36.1
               ^^^^
  hint: one inside another is 9.1; :steps numbers them
13/28  specialize, gemm [R]
    # the transposed matrix is read in place, without a copy
    - d_Wo = x«' @» %126.trace[3]
    + d_Wo = «gemm(»x«,» %126.trace[3]«, ta=true)»
12/28  specialize, gemm [R]
    # the transposed matrix is read in place, without a copy
    - d_Wf = x«' @» %126.trace[0]
    + d_Wf = «gemm(»x«,» %126.trace[0]«, ta=true)»
%31 : f64[2] = matmul(p0, p8)
  in scan h, c
  from the source: h[t-1] @ Uc
  written at input.gr:19:44: h[t-1] @ Uc
  gone at step 5, loops: batch-dots, as nothing needs it after that
%107 : f64[2] = add(p2, %83)
  in scan d_h, carry_c, sum_d_bf, sum_d_bc, …
  from the source: grad(sum(sqr(%40)), Wi)
  made by step 1, differentiate: expand-derivative
  changed by step 3.1, differentiate: flatten-mul
      # nested products become one product
      - sum_d_bf = sum_d_bf + (d_f * f) * one_minus_f
      + sum_d_bf = p4 + (((p1 + p0 * p15 * p16) * p19) * p18) * p20
  changed by step 3.4, differentiate: flatten-mul
      # nested products become one product
      - p4 + ((«(»p1 + p0 * p15 * p16) * p19«)» * p18) * p20
      + p4 + ((p1 + p0 * p15 * p16) * p19 * p18) * p20
  changed by step 3.5, differentiate: flatten-mul
      # nested products become one product
      - sum_d_bf + «(»d_c[t] * c[t-1] * f«)» * one_minus_f
      + sum_d_bf «= sum_d_bf» + d_c[t] * c[t-1] * f * one_minus_f
  changed by step 21.1, fuse: order-product
      # factor by factor, in evaluation order
      - sum_d_bf = sum_d_bf + d_c[t] * c[t-1] * f * one_minus_f
      + sum_d_bf = p2 + (p1 + (p0 * p6) * p7) * p8 * p9 * p10
  changed by step 21.2, fuse: order-product
      # factor by factor, in evaluation order
      - sum_d_bf + d_c[t] * c[t-1] * f * one_minus_f
      + sum_d_bf «= sum_d_bf + ((»d_c[t] * c[t-1]«)» * f«)» * one_minus_f
  gone at step 26.1, fuse: fuse
      - sum_d_bf «+ (((carry_c[t] + (d_h[t] * o) * one_minus_sqr_tanh_c[t]) *
            c[t-1]) * f) * one_minus_f»
      + sum_d_bf «= %262[4»]
input.gr:35:27: error: no step 16 opens
    :steps gs pass=loops open=16
                              ^^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse, simplify, simplify-whole
exit 1
