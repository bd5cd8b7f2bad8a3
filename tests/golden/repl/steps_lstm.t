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
differentiate: 6 steps, 87 -> 202 nodes, saturated
  1  expand-derivative [E]
      # operator by operator; reverse sweep over 57 nodes
      new: scan h, c (%38), scan h, c (%88) and scan d h, d c, sum d Wf, sum
          d Uf, … (%149)
      d Wi = %149.final.sum d Wi, d Wf = %149.final.sum d Wf, d Wo =
          %149.final.sum d Wo, d Wc = %149.final.sum d Wc, d Ui =
          %149.final.sum d Ui, d Uf = %149.final.sum d Uf, d Uo =
          %149.final.sum d Uo, d Uc = %149.final.sum d Uc, d bi =
          %149.final.sum d bi, d bf = %149.final.sum d bf, d bo =
          %149.final.sum d bo, d bc = %149.final.sum d bc
      - «value_and_grad(»sum(sqr(%38.final.h - target))«, (Wi, Wf, Wo, Wc, Ui,
            Uf, Uo, Uc, bi, bf, bo, bc))[0]»
      + «loss =» sum(sqr(%38.final.h - target))
  2  inner [R]  in scan h, c
    2.1-3  1-sigmoid [R]  3 times    # no cancellation near 1
        - one minus f = «1 -» sigmoid(x[t] @ Wf + h[t-1] @ Uf + bf)
        + one minus f = sigmoid(«-(»x[t] @ Wf + h[t-1] @ Uf + bf)«)»
  3  broadcast-into [E]    # elementwise operators take scalars as they are
      - (2 * (%38.final.h - target)) * «broadcast_to(1.0, (2,))»
      + (2 * (%38.final.h - target)) * «1»
  4  flatten-mul [R]    # one product instead of nested products
      (2 * (%38.final.h - target)) * 1 => 2 * (%38.final.h - target) * 1
  5  fold-mul [R]    # constants of one product multiplied
      2 * (%38.final.h - target) * 1 => 2 * (%38.final.h - target)
  6  inner [R]  in scan d h, d c, sum d Wf, sum d Uf, …
    6.1-6  flatten-mul [R]  6 times
        # one product instead of nested products
        - «(»d h[t] * o«)» * one minus sqr tanh c[t]
        + d h[t] * o * one minus sqr tanh c[t]
    6.7  flatten-add [R]    # one sum instead of nested sums
        (%107 + %111) + %115 => %107 + %111 + %115
    6.8-9  flatten-mul [R]  2 times
        # one product instead of nested products
        e.g. (d h[t] * tanh c[t]) * o => d h[t] * tanh c[t] * o
    6.10  flatten-add [R]    # one sum instead of nested sums
        d h[t-1] = (%107 + %111 + %115) + %120 => %107 + %111 + %115 + %120
loops: 7 steps, 202 -> 137 nodes, saturated
  7  same-loop [E]
      # two loops that step alike run as one; same operands and next states;
      # their outputs are kept together
      scan h, c (%38) is no loop of its own: its results are those of scan h,
          c (%88)
  8  dead-results [E]
      # states and traces that nothing uses; 0 states and 2 traces
      scan h, c: traces c, h are no longer kept
  9  batch-dots [R]
      # several products with one left operand are one product; 4 products with
      # one left operand
      scan h, c: it no longer reads Wf, Wi, Wc, Wo
      it reads W_icfo = concat((Wi, Wc, Wf, Wo), axis=1)
      - %66 = x[t] «@ Wf» + h[t-1] @ Uf + bf
      + %66 = x «Wf»[t] + h[t-1] @ Uf + bf
      - %71 = x[t] «@ Wi» + h[t-1] @ Ui + bi
      + %71 = x «Wi»[t] + h[t-1] @ Ui + bi
      … and 7 more
  10  batch-dots [R]
      # several products with one left operand are one product; 4 products with
      # one left operand
      scan h, c: it no longer reads Uo, Uf, Ui, Uc
      it reads U_fico = concat((Uf, Ui, Uc, Uo), axis=1)
      - %62 = x Wo[t] + h[t-1] «@ Uo» + bo
      + %62 = x Wo[t] + h «Uo»[t-1] + bo
      - %66 = x Wf[t] + h[t-1] «@ Uf» + bf
      + %66 = x Wf[t] + h «Uf»[t-1] + bf
      … and 7 more
  11  sequence-dot [R]
      # a product with each row of a sequence is one product before the loop;
      # one product for all steps
      scan h, c: it no longer reads x[t] step by step
      it no longer reads W_icfo
      step by step it reads x W_icfo[t], a row of x @ concat((Wi, Wc, Wf,
          Wo), axis=1)
      - x Wi[t] = «%174»[:2]
      + x Wi[t] = «x W_icfo[t][»:2]
      - x Wc[t] = «%174»[2:4]
      + x Wc[t] = «x W_icfo[t][»2:4]
      … and 3 more
  12  sink [R]
      # what no step needs is computed for all rows at once, after the loop; 2
      # traces from 0 new ones
      scan h, c: traces one minus sqr tanh c, one minus sqr tanh are no
          longer kept
      - one minus sqr tanh c[t] = 1 - tanh c[t] * tanh c[t]
      - one minus sqr tanh = 1 - tanh * tanh
      - %88.one minus sqr tanh c
      + 1 - %88.tanh c * %88.tanh c
      - %88.one minus sqr tanh
      + 1 - %88.tanh * %88.tanh
  13  accumulate [R]
      # products that a state adds up are one product after the loop; 8 sums of
      # products
      scan d h, d c, sum d Wf, sum d Uf, …: states sum d Wf, sum d Uf, sum d
          Wc, sum d Uc, sum d Wi, sum d Ui, sum d Wo, sum d Uo are gone
      traces %106, %114, %110, %119 are kept now
      it no longer reads x[t], h[t-1] step by step
      - %123 = expand_dims(x[t], axis=1)
      - %124 = expand_dims(total d c[t] * c[t-1] * f * one minus f, axis=0)
      … and 12 more
      - dWf = %149.final.sum d Wf
      + dWf = x' @ %149.trace[0]
      - dUf = %149.final.sum d Uf
      + dUf = %88.h' @ %149.trace[0]
      … and 6 more
specialize: 11 steps, 137 -> 136 nodes, saturated
  14-15  mul-self [E]  2 times    # a square
      e.g. %88.tanh * %88.tanh => sqr(%88.tanh)
  16-23  gemm [R]  8 times
      # a transposed matrix is read as it lies, not copied
      e.g. dWi = x' @ %149.trace[2] => gemm(x, %149.trace[2], ta=true)
  24  inner [R]  in scan d h, d c, sum d bf, sum d bc, …
    24.1  product-add [R]
        # the product is added up where the sum goes, without an array of its
        # own
        - d h[t-1] = Uf «@» %106 «+» %111 + %115 + %120
        + d h[t-1] = «(gemv(»Uf«,» %106«,» %111«)» + %115«)» + %120
fuse: 7 steps, 136 -> 218 nodes, saturated
  25  inner [E]  in scan h, c
    25.1-4  order-sum [E]  4 times    # term by term, in the order that runs
        e.g. x Wf[t] + h Uf[t-1] + bf => (x Wf[t] + h Uf[t-1]) + bf
  26  inner [E]  in scan d h, d c, sum d bf, sum d bc, …
    26.1-5  order-product [E]  5 times
        # factor by factor, in the order that runs
        - d h[t] * o * one minus sqr tanh c[t]
        + «(»d h[t] * o«)» * one minus sqr tanh c[t]
  27  inner [E]  in scan h, c
    27.1  fuse [E]
        # one pass over the elements, a tile at a time; 23 operators over
        # f64[2]; 208 bytes need not be stored
        one pass computes tanh, i, f, c[t], tanh c[t], o, h[t], one minus f,
            one minus i, one minus o from bc, x Wc[t], h Uc[t-1], bi, h
            Ui[t-1], x Wi[t], bf, h Uf[t-1], x Wf[t], c[t-1], bo, x Wo[t], h
            Uo[t-1]
  28  fuse [E]
      # one pass over the elements, a tile at a time; 2 operators over f64[2];
      # 16 bytes need not be stored
      one pass computes 2 * (%39 - target) from %88.final.h, target
  29-30  fuse [E]  2 times
      # one pass over the elements, a tile at a time; 2 operators over f64[T,
      # 2]; 8 bytes an element need not be stored
      one pass computes 1 - sqr(%99) from %88.tanh c
  31  inner [E]  in scan d h, d c, sum d bf, sum d bc, …
    31.1  fuse [E]
        # one pass over the elements, a tile at a time; 15 operators over
        # f64[2]; 128 bytes need not be stored
        one pass computes d c[t-1], sum d bf, sum d bc, sum d bi and 3 more
            from one minus sqr tanh, i, d c[t], one minus sqr tanh c[t], d
            h[t], o, one minus f, f, c[t-1], one minus i, tanh, sum d bf, sum
            d bc, sum d bi
    31.2  fuse [E]
        # one pass over the elements, a tile at a time; 4 operators over f64[2];
        # 32 bytes need not be stored
        one pass computes (%226 * o) * one minus o, sum d bo from one minus
            o, o, d h[t], tanh c[t], sum d bo
    31.3  fuse [E]
        # one pass over the elements, a tile at a time; 2 operators over f64[2];
        # 16 bytes need not be stored
        one pass computes d h[t-1] from Uc @ %287[0], gemv(Uf, %287[1], Ui @
            %290), Uo @ %299[0]
lower: 2 steps, 218 -> 245 nodes, saturated
  32  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the
      # counter; the counter runs from 0 to n-1, in place of 1 sequence
      scan h, c runs as loop h, c, row
  33  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the
      # counter; the counter runs from n-1 down to 0, in place of 11 sequences
      scan d h, d c, sum d bf, sum d bc, … runs as loop d h, d c, sum d bf,
          sum d bc, …
      - %149.stopped
      + false
nothing to do: inline, canonicalize, stabilize, expand
10/33  loops, batch-dots [R]
    # several products with one left operand are one product; 4 products with
        one left operand
    scan h, c: it no longer reads Uo, Uf, Ui, Uc
    it reads U_fico = concat((Uf, Ui, Uc, Uo), axis=1)
    - %62 = x Wo[t] + h[t-1] «@ Uo» + bo
    + %62 = x Wo[t] + h «Uo»[t-1] + bo
    - %66 = x Wf[t] + h[t-1] «@ Uf» + bf
    + %66 = x Wf[t] + h «Uf»[t-1] + bf
    - %71 = x Wi[t] + h[t-1] «@ Ui» + bi
    + %71 = x Wi[t] + h «Ui»[t-1] + bi
    - tanh = tanh(x Wc[t] + h[t-1] «@ Uc» + bc)
    + tanh = tanh(x Wc[t] + h «Uc»[t-1] + bc)
    + %180 = h[t-1] @ U_fico
    … and 4 more
13/33  loops, accumulate [R]
    # products that a state adds up are one product after the loop; 8 sums of
        products
    scan d h, d c, sum d Wf, sum d Uf, …: states sum d Wf, sum d Uf, sum d
        Wc, sum d Uc, sum d Wi, sum d Ui, sum d Wo, sum d Uo are gone
    traces %106, %114, %110, %119 are kept now
    it no longer reads x[t], h[t-1] step by step
    - %123 = expand_dims(x[t], axis=1)
    - %124 = expand_dims(total d c[t] * c[t-1] * f * one minus f, axis=0)
    - sum d Wf = sum d Wf + %123 @ %124
    - %127 = expand_dims(h[t-1], axis=1)
    - sum d Uf = sum d Uf + %127 @ %124
    … and 9 more
    - dWf = %149.final.sum d Wf
    + dWf = x' @ %149.trace[0]
    - dUf = %149.final.sum d Uf
    + dUf = %88.h' @ %149.trace[0]
    - dWc = %149.final.sum d Wc
    + dWc = x' @ %149.trace[1]
    - dUc = %149.final.sum d Uc
    + dUc = %88.h' @ %149.trace[1]
    - dWi = %149.final.sum d Wi
    + dWi = x' @ %149.trace[2]
    … and 3 more
14/33  specialize, mul-self [E]
    # a square
    - «%88.tanh *» %88.tanh
    + «sqr(»%88.tanh«)»
    used in 1 - %204
input.gr:30:7: error: the steps are 0 to 33 here
    :goto 36.1
          ^^^^
  hint: one inside another is 9.1; :steps numbers them
15/33  specialize, mul-self [E]
    # a square
    - «%88.tanh c *» %88.tanh c
    + «sqr(»%88.tanh c«)»
    used in 1 - %205
14/33  specialize, mul-self [E]
    # a square
    - «%88.tanh *» %88.tanh
    + «sqr(»%88.tanh«)»
    used in 1 - %204
%70 : f64[2] = matmul(p0, p8)
  in scan h, c
  from the source: grad(sum(sqr(%40)), Wi)
  made by step 1, differentiate: expand-derivative
  gone at step 10, loops: batch-dots, as nothing needs it after that
%128 : f64[2, 2] = matmul(%127, %124)
  in scan d h, d c, sum d Wf, sum d Uf, …
  from the source: grad(sum(sqr(%40)), Wi)
  made by step 1, differentiate: expand-derivative
  changed by step 6.1, differentiate: flatten-mul
      # one product instead of nested products
      - expand_dims(«h[t-1]», axis=1) @ expand_dims((«d f * f) * one minus f»,
            axis=0)
      + expand_dims(«p26», axis=1) @ expand_dims((«((p1 + p0 * p15 * p16) * p19)
            * p18) * p20», axis=0)
  changed by step 6.4, differentiate: flatten-mul
      # one product instead of nested products
      - expand_dims(p26, axis=1) @ expand_dims(((«(»p1 + p0 * p15 * p16) * p19«)»
            * p18) * p20, axis=0)
      + expand_dims(p26, axis=1) @ expand_dims(((p1 + p0 * p15 * p16) * p19 *
            p18) * p20, axis=0)
  changed by step 6.5, differentiate: flatten-mul
      # one product instead of nested products
      - expand_dims(h[t-1], axis=1) @ expand_dims(«(»total d c[t] * c[t-1] * f«)»
            * one minus f, axis=0)
      + expand_dims(h[t-1], axis=1) @ expand_dims(total d c[t] * c[t-1] * f *
            one minus f, axis=0)
  gone at step 13, loops: accumulate, as nothing needs it after that
input.gr:35:27: error: no step 16 opens
    :steps gs pass=loops open=16
                              ^^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse
exit 1
