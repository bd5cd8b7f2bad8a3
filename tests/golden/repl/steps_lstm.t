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
:goto 10
:goto 13
:goto 14
:goto 36.1
:next
:prev
:why %70 gs
:why %128 gs
:steps gs pass=loops open=16
---
canonicalize: 1 step, 91 -> 87 nodes, saturated
  1  inner [R]  in the function of grad
    1.1  inner [R]  in scan h, c
      1.1.1-4  flatten-add [R]  4 times    # one sum instead of nested sums
          e.g. (x[t] @ Wf + h[t-1] @ Uf) + bf => x[t] @ Wf + h[t-1] @ Uf + bf
differentiate: 6 steps, 87 -> 202 nodes, saturated
  2  expand-derivative [E]
      # operator by operator; reverse sweep over 57 nodes
      new: scan h, c (%42), scan h, c (%92) and scan d h, d c, sum d Wo, sum
          d Uo, … (%153)
      d Wi = %153.final.sum d Wi, d Wf = %153.final.sum d Wf, d Wo =
          %153.final.sum d Wo, d Wc = %153.final.sum d Wc, d Ui =
          %153.final.sum d Ui, d Uf = %153.final.sum d Uf, d Uo =
          %153.final.sum d Uo, d Uc = %153.final.sum d Uc, d bi =
          %153.final.sum d bi, d bf = %153.final.sum d bf, d bo =
          %153.final.sum d bo, d bc = %153.final.sum d bc
      - «value_and_grad(»sum(sqr(%42.final.h - target))«, (Wi, Wf, Wo, Wc, Ui,
            Uf, Uo, Uc, bi, bf, bo, bc))[0]»
      + «loss =» sum(sqr(%42.final.h - target))
  3  inner [R]  in scan h, c
    3.1-3  1-sigmoid [R]  3 times    # no cancellation near 1
        - one minus o = «1 -» sigmoid(x[t] @ Wo + h[t-1] @ Uo + bo)
        + one minus o = sigmoid(«-(»x[t] @ Wo + h[t-1] @ Uo + bo)«)»
  4  broadcast-into [E]    # elementwise operators take scalars as they are
      - (2 * (%42.final.h - target)) * «broadcast_to(1.0, (2,))»
      + (2 * (%42.final.h - target)) * «1»
  5  flatten-mul [R]    # one product instead of nested products
      (2 * (%42.final.h - target)) * 1 => 2 * (%42.final.h - target) * 1
  6  fold-mul [R]    # constants of one product multiplied
      2 * (%42.final.h - target) * 1 => 2 * (%42.final.h - target)
  7  inner [R]  in scan d h, d c, sum d Wo, sum d Uo, …
    7.1-6  flatten-mul [R]  6 times
        # one product instead of nested products
        - «(»d h[t] * o«)» * one minus sqr tanh c[t]
        + d h[t] * o * one minus sqr tanh c[t]
    7.7  flatten-add [R]    # one sum instead of nested sums
        (%111 + %114) + %119 => %111 + %114 + %119
    7.8-9  flatten-mul [R]  2 times
        # one product instead of nested products
        e.g. (d h[t] * tanh c[t]) * o => d h[t] * tanh c[t] * o
    7.10  flatten-add [R]    # one sum instead of nested sums
        d h[t-1] = (%111 + %114 + %119) + %124 => %111 + %114 + %119 + %124
loops: 15 steps, 202 -> 145 nodes, saturated
  8  same-loop [E]
      # two loops that step alike run as one; same operands and next states;
      # their outputs are kept together
      scan h, c (%42) is no loop of its own: its results are those of scan h,
          c (%92)
  9  dead-results [E]
      # states and traces that nothing uses; 0 states and 2 traces
      scan h, c: traces c, h are no longer kept
  10-11  batch-dots [R]  2 times
      # several products with one left operand are one product; 4 products with
      # one left operand
      scan h, c: it no longer reads Wf, Wi, Wc, Wo
      it reads W_icfo = concat((Wi, Wc, Wf, Wo), axis=1)
      - %70 = x[t] «@ Wf» + h[t-1] @ Uf + bf
      + %70 = x «Wf»[t] + h[t-1] @ Uf + bf
      - %75 = x[t] «@ Wi» + h[t-1] @ Ui + bi
      + %75 = x «Wi»[t] + h[t-1] @ Ui + bi
      … and 7 more
  12  sequence-dot [R]
      # a product with each row of a sequence is one product before the loop;
      # one product for all steps
      scan h, c: it no longer reads x[t] step by step
      it no longer reads W_icfo
      step by step it reads x W_icfo[t], a row of x @ concat((Wi, Wc, Wf,
          Wo), axis=1)
      - x Wo[t] = «%176»[6:]
      + x Wo[t] = «x W_icfo[t][»6:]
      - x Wc[t] = «%176»[2:4]
      + x Wc[t] = «x W_icfo[t][»2:4]
      … and 3 more
  13  sink [R]
      # what no step needs is computed for all rows at once, after the loop; 2
      # traces from 0 new ones
      scan h, c: traces one minus sqr tanh c, one minus sqr tanh are no
          longer kept
      - one minus sqr tanh c[t] = 1 - tanh c[t] * tanh c[t]
      - one minus sqr tanh = 1 - tanh * tanh
      - %92.one minus sqr tanh c
      + 1 - %92.tanh c * %92.tanh c
      - %92.one minus sqr tanh
      + 1 - %92.tanh * %92.tanh
  14  accumulate [R]
      # products that a state adds up are one product after the loop; 8 sums of
      # products
      scan d h, d c, sum d Wo, sum d Uo, …: states sum d Wo, sum d Uo, sum d
          Wc, sum d Uc, sum d Wi, sum d Ui, sum d Uf, sum d Wf are gone
      traces %123, %113, %110, %118 are kept now
      it no longer reads x[t], h[t-1] step by step
      - %127 = expand_dims(x[t], axis=1)
      - %128 = expand_dims(d h[t] * tanh c[t] * o * one minus o, axis=0)
      … and 12 more
      - dWo = %153.final.sum d Wo
      + dWo = broadcast_to(0.0, (2, 2)) + x' @ %153.trace[0]
      - dUo = %153.final.sum d Uo
      + dUo = broadcast_to(0.0, (2, 2)) + %92.h' @ %153.trace[0]
      … and 6 more
  15-22  broadcast-into [E]  8 times
      # elementwise operators take scalars as they are
      - dWi = «broadcast_to(0.0, (2, 2))» + x' @ %153.trace[2]
      + dWi = «0» + x' @ %153.trace[2]
specialize: 11 steps, 145 -> 144 nodes, saturated
  23-24  mul-self [E]  2 times    # a square
      e.g. %92.tanh * %92.tanh => sqr(%92.tanh)
  25-32  gemm [R]  8 times
      # a transposed matrix is read as it lies, not copied
      e.g. x' @ %153.trace[2] => gemm(x, %153.trace[2], ta=true)
  33  inner [R]  in scan d h, d c, sum d bo, sum d bc, …
    33.1  product-add [R]
        # the product is added up where the sum goes, without an array of its
        # own
        - d h[t-1] = Ui «@» %110 «+» %114 + %119 + %124
        + d h[t-1] = «(gemv(»Ui«,» %110«,» %114«)» + %119«)» + %124
fuse: 7 steps, 144 -> 226 nodes, saturated
  34  inner [E]  in scan h, c
    34.1-4  order-sum [E]  4 times    # term by term, in the order that runs
        e.g. x Wo[t] + h Uo[t-1] + bo => (x Wo[t] + h Uo[t-1]) + bo
  35  inner [E]  in scan d h, d c, sum d bo, sum d bc, …
    35.1-5  order-product [E]  5 times
        # factor by factor, in the order that runs
        - d h[t] * o * one minus sqr tanh c[t]
        + «(»d h[t] * o«)» * one minus sqr tanh c[t]
  36  inner [E]  in scan h, c
    36.1  fuse [E]
        # one pass over the elements, a tile at a time; 23 operators over
        # f64[2]; 208 bytes need not be stored
        one pass computes tanh, i, f, c[t], tanh c[t], o, h[t], one minus o,
            one minus i, one minus f from bc, h Uc[t-1], x Wc[t], bi, x
            Wi[t], h Ui[t-1], bf, h Uf[t-1], x Wf[t], c[t-1], bo, x Wo[t], h
            Uo[t-1]
  37  fuse [E]
      # one pass over the elements, a tile at a time; 2 operators over f64[2];
      # 16 bytes need not be stored
      one pass computes 2 * (%43 - target) from %92.final.h, target
  38-39  fuse [E]  2 times
      # one pass over the elements, a tile at a time; 2 operators over f64[T,
      # 2]; 8 bytes an element need not be stored
      one pass computes 1 - sqr(%95) from %92.tanh c
  40  inner [E]  in scan d h, d c, sum d bo, sum d bc, …
    40.1  fuse [E]
        # one pass over the elements, a tile at a time; 4 operators over f64[2];
        # 32 bytes need not be stored
        one pass computes (%235 * o) * one minus o, sum d bo from one minus
            o, o, d h[t], tanh c[t], sum d bo
    40.2  fuse [E]
        # one pass over the elements, a tile at a time; 15 operators over
        # f64[2]; 128 bytes need not be stored
        one pass computes d c[t-1], sum d bc, sum d bi, sum d bf and 3 more
            from one minus f, f, c[t-1], d c[t], one minus sqr tanh c[t], d
            h[t], o, one minus i, i, tanh, one minus sqr tanh, sum d bc, sum
            d bi, sum d bf
    40.3  fuse [E]
        # one pass over the elements, a tile at a time; 2 operators over f64[2];
        # 16 bytes need not be stored
        one pass computes d h[t-1] from Uo @ %285[0], Uf @ %303[0], gemv(Ui,
            %303[1], Uc @ %306)
lower: 2 steps, 226 -> 253 nodes, saturated
  41  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the
      # counter; the counter runs from 0 to n-1, in place of 1 sequence
      scan h, c runs as loop h, c, row
  42  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the
      # counter; the counter runs from n-1 down to 0, in place of 11 sequences
      scan d h, d c, sum d bo, sum d bc, … runs as loop d h, d c, sum d bo,
          sum d bc, …
      - %153.stopped
      + false
nothing to do: inline, stabilize, expand
10/42  loops, batch-dots [R]
    # several products with one left operand are one product; 4 products with
        one left operand
    scan h, c: it no longer reads Wf, Wi, Wc, Wo
    it reads W_icfo = concat((Wi, Wc, Wf, Wo), axis=1)
    - %70 = x[t] «@ Wf» + h[t-1] @ Uf + bf
    + %70 = x «Wf»[t] + h[t-1] @ Uf + bf
    - %75 = x[t] «@ Wi» + h[t-1] @ Ui + bi
    + %75 = x «Wi»[t] + h[t-1] @ Ui + bi
    - tanh = tanh(x[t] «@ Wc» + h[t-1] @ Uc + bc)
    + tanh = tanh(x «Wc»[t] + h[t-1] @ Uc + bc)
    - %66 = x[t] «@ Wo» + h[t-1] @ Uo + bo
    + %66 = x «Wo»[t] + h[t-1] @ Uo + bo
    + %176 = x[t] @ W_icfo
    … and 4 more
13/42  loops, sink [R]
    # what no step needs is computed for all rows at once, after the loop; 2
        traces from 0 new ones
    scan h, c: traces one minus sqr tanh c, one minus sqr tanh are no longer
        kept
    - one minus sqr tanh c[t] = 1 - tanh c[t] * tanh c[t]
    - one minus sqr tanh = 1 - tanh * tanh
    - %92.one minus sqr tanh c
    + 1 - %92.tanh c * %92.tanh c
    - %92.one minus sqr tanh
    + 1 - %92.tanh * %92.tanh
14/42  loops, accumulate [R]
    # products that a state adds up are one product after the loop; 8 sums of
        products
    scan d h, d c, sum d Wo, sum d Uo, …: states sum d Wo, sum d Uo, sum d
        Wc, sum d Uc, sum d Wi, sum d Ui, sum d Uf, sum d Wf are gone
    traces %123, %113, %110, %118 are kept now
    it no longer reads x[t], h[t-1] step by step
    - %127 = expand_dims(x[t], axis=1)
    - %128 = expand_dims(d h[t] * tanh c[t] * o * one minus o, axis=0)
    - sum d Wo = sum d Wo + %127 @ %128
    - %131 = expand_dims(h[t-1], axis=1)
    - sum d Uo = sum d Uo + %131 @ %128
    … and 9 more
    - dWo = %153.final.sum d Wo
    + dWo = broadcast_to(0.0, (2, 2)) + x' @ %153.trace[0]
    - dUo = %153.final.sum d Uo
    + dUo = broadcast_to(0.0, (2, 2)) + %92.h' @ %153.trace[0]
    - dWc = %153.final.sum d Wc
    + dWc = broadcast_to(0.0, (2, 2)) + x' @ %153.trace[1]
    - dUc = %153.final.sum d Uc
    + dUc = broadcast_to(0.0, (2, 2)) + %92.h' @ %153.trace[1]
    - dWi = %153.final.sum d Wi
    + dWi = broadcast_to(0.0, (2, 2)) + x' @ %153.trace[2]
    … and 3 more
36.1/1  fuse, fuse [E] in scan h, c
    # one pass over the elements, a tile at a time; 23 operators over f64[2];
        208 bytes need not be stored
    one pass computes tanh, i, f, c[t], tanh c[t], o, h[t], one minus o, one
        minus i, one minus f from bc, h Uc[t-1], x Wc[t], bi, x Wi[t], h
        Ui[t-1], bf, h Uf[t-1], x Wf[t], c[t-1], bo, x Wo[t], h Uo[t-1]
    tanh = tanh((x Wc[t] + h Uc[t-1]) + bc)
    i = sigmoid((x Wi[t] + h Ui[t-1]) + bi)
    f = sigmoid((x Wf[t] + h Uf[t-1]) + bf)
    c[t] = f * c[t-1] + i * tanh
    tanh c[t] = tanh(c[t])
36/42  fuse, inner [E]
    in scan h, c: fuse
35/42  fuse, inner [E]
    in scan d h, d c, sum d bo, sum d bc, …: order-product 5 times
%70 : f64[2] = add(%228, p7)
  in scan h, c
  from the source: grad(sum(sqr(%44)), Wi)
  made by step 2, differentiate: expand-derivative
  changed by step 10, loops: batch-dots
      # several products with one left operand are one product; 4 products
          with one left operand
      - x[t] «@ Wf» + h[t-1] @ Uf + bf
      + x «Wf»[t] + h[t-1] @ Uf + bf
  changed by step 11, loops: batch-dots
      # several products with one left operand are one product; 4 products
          with one left operand
      - x Wf[t] + h[t-1] «@ Uf» + bf
      + x Wf[t] + h «Uf»[t-1] + bf
  changed by step 34.4, fuse: order-sum
      # term by term, in the order that runs
      - x Wf[t] + h Uf[t-1] + bf
      + «(»x Wf[t] + h Uf[t-1]«)» + bf
  gone at step 36.1, fuse: fuse, as nothing needs it after that
%128 : f64[1, 2] = expand_dims{axes=(0,)}(%123)
  in scan d h, d c, sum d Wo, sum d Uo, …
  from the source: grad(sum(sqr(%44)), Wi)
  made by step 2, differentiate: expand-derivative
  changed by step 7.8, differentiate: flatten-mul
      # one product instead of nested products
      - expand_dims((«d o * o) * one minus o», axis=0)
      + expand_dims((«p0 * p16 * p15) * p14», axis=0)
  changed by step 7.9, differentiate: flatten-mul
      # one product instead of nested products
      - expand_dims(«(»d h[t] * tanh c[t] * o«)» * one minus o, axis=0)
      + expand_dims(d h[t] * tanh c[t] * o * one minus o, axis=0)
  gone at step 14, loops: accumulate, as nothing needs it after that
loops: 15 steps, 202 -> 145 nodes, saturated
  8  same-loop [E]
      # two loops that step alike run as one; same operands and next states;
      # their outputs are kept together
      scan h, c (%42) is no loop of its own: its results are those of scan h,
          c (%92)
  9  dead-results [E]
      # states and traces that nothing uses; 0 states and 2 traces
      scan h, c: traces c, h are no longer kept
  10-11  batch-dots [R]  2 times
      # several products with one left operand are one product; 4 products with
      # one left operand
      scan h, c: it no longer reads Wf, Wi, Wc, Wo
      it reads W_icfo = concat((Wi, Wc, Wf, Wo), axis=1)
      - %70 = x[t] «@ Wf» + h[t-1] @ Uf + bf
      + %70 = x «Wf»[t] + h[t-1] @ Uf + bf
      - %75 = x[t] «@ Wi» + h[t-1] @ Ui + bi
      + %75 = x «Wi»[t] + h[t-1] @ Ui + bi
      … and 7 more
  12  sequence-dot [R]
      # a product with each row of a sequence is one product before the loop;
      # one product for all steps
      scan h, c: it no longer reads x[t] step by step
      it no longer reads W_icfo
      step by step it reads x W_icfo[t], a row of x @ concat((Wi, Wc, Wf,
          Wo), axis=1)
      - x Wo[t] = «%176»[6:]
      + x Wo[t] = «x W_icfo[t][»6:]
      - x Wc[t] = «%176»[2:4]
      + x Wc[t] = «x W_icfo[t][»2:4]
      … and 3 more
  13  sink [R]
      # what no step needs is computed for all rows at once, after the loop; 2
      # traces from 0 new ones
      scan h, c: traces one minus sqr tanh c, one minus sqr tanh are no
          longer kept
      - one minus sqr tanh c[t] = 1 - tanh c[t] * tanh c[t]
      - one minus sqr tanh = 1 - tanh * tanh
      - %92.one minus sqr tanh c
      + 1 - %92.tanh c * %92.tanh c
      - %92.one minus sqr tanh
      + 1 - %92.tanh * %92.tanh
  14  accumulate [R]
      # products that a state adds up are one product after the loop; 8 sums of
      # products
      scan d h, d c, sum d Wo, sum d Uo, …: states sum d Wo, sum d Uo, sum d
          Wc, sum d Uc, sum d Wi, sum d Ui, sum d Uf, sum d Wf are gone
      traces %123, %113, %110, %118 are kept now
      it no longer reads x[t], h[t-1] step by step
      - %127 = expand_dims(x[t], axis=1)
      - %128 = expand_dims(d h[t] * tanh c[t] * o * one minus o, axis=0)
      … and 12 more
      - dWo = %153.final.sum d Wo
      + dWo = broadcast_to(0.0, (2, 2)) + x' @ %153.trace[0]
      - dUo = %153.final.sum d Uo
      + dUo = broadcast_to(0.0, (2, 2)) + %92.h' @ %153.trace[0]
      … and 6 more
  15  broadcast-into [E]    # elementwise operators take scalars as they are
      - dWi = «broadcast_to(0.0, (2, 2))» + x' @ %153.trace[2]
      + dWi = «0» + x' @ %153.trace[2]
  16  broadcast-into [E]    # elementwise operators take scalars as they are
      - dWf = «broadcast_to(0.0, (2, 2))» + x' @ %153.trace[3]
      + dWf = «0» + x' @ %153.trace[3]
  17-22  broadcast-into [E]  6 times
      # elementwise operators take scalars as they are
      - dWo = «broadcast_to(0.0, (2, 2))» + x' @ %153.trace[0]
      + dWo = «0» + x' @ %153.trace[0]
