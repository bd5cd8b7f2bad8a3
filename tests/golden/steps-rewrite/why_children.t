# The life of nodes that stand in child steps only.
x : f64[3] = [1,2,3]
W : f64[3,3] = [[1,2,3],[4,5,6],[7,8,9]]
S = scan t over x from h = 1.0 { h[t] = tanh(h[t-1] * x[t]) }
:steps grad(sum(S.h), x) open=all
:why %52
:why %50
:why %47
---
differentiate: 2 steps, 13 -> 23 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 10 nodes
      new: scan h (%4) and scan carry_h (%17)
      d_x = %17.d_x
    1.1  d seed [E R]    # the cotangent of the result is 1
        grad(sum(%4.h), x) => vjp(sum(%4.h), x, 1.0)[0]
    1.2  d sum [E R]    # d sum(x) = sum(dx): x gets dy repeated along the axes
        vjp(sum(%4.h), x, 1.0)[0] => vjp(%4.h, x, broadcast_to(1.0, (3,)))[0]
    1.3  d scan [E R]
        # the loop runs in the opposite direction; it carries the cotangents of h[t-1]; it outputs
        # at each step those of x[t]; saved before each step: h[t-1]
        new: scan h (%4) and scan d_h (%40)
        d_x = %40.d_x
    1.4  d scan [E R]    # the body's derivative, operator by operator
        scan d_h (%40) is no longer a separate loop: its results are those of scan carry_h (%17)
      1.4.1  d tanh [E R]    # d tanh(x) = (1 - y * y) dx
          - vjp(«(tanh(»h[t-1] * x[t]«), tanh»(h[t-1] «*» x[t])«), (h»[t«-1],» x[t])«, (d_h»[t]«, 1.0»))
          + vjp(h[t-1] * x[t], (h[t-1]«,» x[t]), («d_h»[t] «+ 1) * (1 - tanh(»x[t] «* h[t-1]) *
                tanh(x»[t] «* h[t-1])))»
      1.4.2  d mul [E R]    # d (x * z) = z dx + x dz
          - «vjp(h[t-1]» * x[t]«, (h[t-1], x[t]), %47)[0]»
          + «%47» * x[t]
          - «vjp(h[t-1] * x[t], (»h[t-1]«, x[t]), %47)[1]»
          + «%47» * h[t-1]
  2  inner [R O]  in scan carry_h
    2.1  flatten-mul [R O]    # nested products become one product
        carry_h[t-1] = (d_h[t] * %13) * x[t] => d_h[t] * %13 * x[t]
    2.2  flatten-mul [R O]    # nested products become one product
        d_x[t] = (d_h[t] * %13) * h[t-1] => d_h[t] * %13 * h[t-1]
specialize: 2 steps, 23 -> 23 nodes, done
  3  inner [E]  in scan carry_h
    3.1  mul-self [E]  h[t] * h[t] => sqr(h[t])    # a square
  4  late-operands [R O]
      # the term that depends on the newest state is added or multiplied last; 1 sum or product
lower: 3 steps, 23 -> 41 nodes, done
  5  inner [E]  in scan carry_h
    5.1  order-product [E]    # factor by factor, in evaluation order
        carry_h[t-1] = (1 - sqr(h[t])) * x[t] * d_h[t] => ((1 - sqr(h[t])) * x[t]) * d_h[t]
    5.2  order-product [E]    # factor by factor, in evaluation order
        d_x[t] = d_h[t] * (1 - sqr(h[t])) * h[t-1] => (d_h[t] * (1 - sqr(h[t]))) * h[t-1]
  6  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan h runs as loop h, row
    6.1  counter [E]    # the step number becomes a state: 0, 1, ..., n-1
        scan h: state row is new
        + row + 1
    6.2  index x [E]    # the sequence becomes row i of a captured array
        scan h, row: it no longer reads x[t] step by step
        it reads x
        + x[t] = x[row]
    6.3  loop [E]    # a test before each step; traces are arrays with one row per step
        scan h, row runs as loop h, row
  7  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from n-1 down to 0, in place of 2 sequences
      scan carry_h runs as loop carry_h, row
      - %17.stopped
      + false
    7.1  counter [E]    # the step number becomes a state: n-1, n-2, ..., 0
        scan carry_h: state row is new
        + row + -1
    7.2  index h [E]    # the sequence becomes row i of a captured array
        scan carry_h, row: it no longer reads h[t-1] step by step
        it reads h = %4.h
        + h[t-1] = h[row]
    7.3  index x [E]    # the sequence becomes row i of a captured array
        scan carry_h, row: it no longer reads x[t] step by step
        it reads x
        + x[t] = x[row]
    7.4  loop [E]    # a test before each step; traces are arrays with one row per step
        scan carry_h, row runs as loop carry_h, row
        - %17.stopped
        + false
nothing to do: inline, canonicalize, stabilize, simplify, expand, loops, fuse
%52 : f64 = index{axis=0}(p2, p1)
  in scan h
  made by step 6.2, lower: index x
%50 : f64 = mul(%47, p1)
  in scan d_h
  from the source: grad(sum(%4.trace), x)
  written at input.gr:5:8: grad(sum(S.h), x)
  made by step 1.1, differentiate: d seed
      # the cotangent of the result is 1
      - «grad»(sum(%4.h), x)
      + «vjp»(sum(%4.h), x«, 1.0)[0]»
  made by step 1.3, differentiate: d scan
  changed by step 1.4.1, differentiate: d tanh
      # d tanh(x) = (1 - y * y) dx
      - d_x[t] = vjp((tanh(h[t-1] * x[t]), tanh(h[t-1] * x[t])), (h[t-1], x[t]), (d_h[t], 1.0))[1]
      + d_x[t] = vjp(p1 * p2, (p1, p2), (p0 + 1) * (1 - tanh(p2 * p1) * tanh(p2 * p1)))[1]
  made by step 1.4.2, differentiate: d mul
      # d (x * z) = z dx + x dz
      - «vjp(p1 * p2, (»p1«, p2), %62)[1]»
      + «%62» * p1
%47 : f64 = mul(%44, %46)
  in scan d_h
  from the source: grad(sum(%4.trace), x)
  written at input.gr:5:8: grad(sum(S.h), x)
  made by step 1.1, differentiate: d seed
      # the cotangent of the result is 1
      - «grad»(sum(%4.h), x)
      + «vjp»(sum(%4.h), x«, 1.0)[0]»
  made by step 1.3, differentiate: d scan
  made by step 1.4.1, differentiate: d tanh
      # d tanh(x) = (1 - y * y) dx
      - d_h[t-1] = «vjp((tanh(h[t-»1«] * x[t]),» tanh(«h[t-1] * x[t])), (h[t-1], x[t]), (d_h[t],
            1.0))[0]»
      + d_h[t-1] = («p0 +» 1«) * (1 -» tanh(«p2 * p1) * tanh(p2 * p1»))
