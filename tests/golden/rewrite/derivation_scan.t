# Steps inside bodies and child steps below their owner; every number is defined.
# shows: d.md
u : f64[5, 3]
h0 : f64[3]
V : f64[3, 3]
S = scan t over u from h = h0 { h[t] = tanh(V @ h[t-1] + u[t]) }
:derivation grad(sum(sqr(S.final)), V) d.md open=all
---
d.md: 32 steps
==> d.md
# Derivation of `grad(sum(sqr(S.final)), V)`

```
u : f64[5, 3]
h0 : f64[3]
V : f64[3, 3]
grad({
  S = scan t over u from h = h0 {
    h[t] = tanh(V @ h[t-1] + u[t])
  }
  sum(sqr(S.final))
}, V)
```

## differentiate

implicit derivatives expanded, innermost first, and the result straightened

4 steps, 19 -\> 42 nodes, saturated

- 1 **expand-derivative** E, exact: the same bits for every input

  operator by operator; reverse sweep over 14 nodes

  new: scan h (%7), scan h (%22) and scan d h, sum d V (%31)

  d V = %31.final.sum d V

  ```diff
  - value_and_grad(sum(sqr(%7.final.h)), V)[0]
  + sum(sqr(%7.final.h))
  ```

  where

  ```
  %7 = scan t over u from h = h0 {
    h[t] = tanh(V @ h[t-1] + u[t])
  }
  ```

  where

  ```
  %22 = scan t over u from h = h0 {
    h[t] = tanh(V @ h[t-1] + u[t])
    h1[t-1] = h[t-1]
    one_minus_sqr_h[t] = 1 - h[t] * h[t]
  }
  ```

  where

  ```
  %31 = scan t over one_minus_sqr_h = %22.one_minus_sqr_h, h[t-1] = %22.h1 from d h = %15,
      sum d V = %16 keep () {
    %25 = d h[t] * one_minus_sqr_h[t]
    d h[t-1] = %25 @ V
    sum d V[t] = sum d V[t+1] + expand_dims(%25, axis=1) @ expand_dims(h[t-1], axis=0)
  }
  ```

  where `%15 = (2 * %7.final.h) * broadcast_to(1.0, (3,))`

  where `%16 = broadcast_to(0.0, (3, 3))`

  - 1.1 **d seed** E, exact: the same bits for every input; R, may change rounding

    the cotangent of the result is 1

    new: scan h (%7)

    d V = vjp(sum(sqr(%7.final.h)), V, 1.0)\[0\]

    ```diff
    - value_and_grad(sum(sqr(%7.final.h)), V)[0]
    + sum(sqr(%7.final.h))
    ```

  - 1.2 **d sum** E, exact: the same bits for every input; R, may change rounding

    d sum(x) = sum(dx): x gets dy repeated along the axes

    ```diff
    - vjp(«sum(»sqr(%«7.final.h)»), V, 1.0)[0]
    + vjp(sqr(%«61.final.h»), V, «broadcast_to(»1.0«, (3,)))»[0]
    ```

  - 1.3 **d sqr** E, exact: the same bits for every input; R, may change rounding

    d sqr(x) = (2 \* x) dx

    new: scan h (%7)

    d V = vjp(%61.final.h, V, (2 \* %7.final.h) \* broadcast\_to(1.0, (3,)))\[0\]

    where `%61 = scan h` in the function of vjp

  - 1.4 **d scan** E, exact: the same bits for every input; R, may change rounding

    the loop runs the other way; it carries the cotangents of h\[t-1\]; it adds up over the steps those of V (sums of products become one product after the loop, in pass loops); kept before each step: h\[t-1\]

    new: scan h (%61) and scan d h, sum d V (%75)

    d V = %75.final.sum d V

    where

    ```
    %75 = scan t over h[t-1] = %61.h1, u from d h = %15, sum d V = %16 keep () {
      d h[t-1], %73 = vjp(tanh(V @ h[t-1] + u[t]), [h[t-1], V], d h[t])
      sum d V[t] = sum d V[t+1] + %73
    }
    ```

    where `%73 = vjp(tanh(V @ h[t-1] + u[t]), (h[t-1], V), d h[t])[1]` in scan d h, sum d V

  - 1.5 **d scan** E, exact: the same bits for every input; R, may change rounding

    the body's derivative, operator by operator

    scan d h, sum d V:

    ```diff
    - d h[t-1] = %«71[0]»
    + d h[t-1] = %«82 @ V»
    - sum d V = sum d V + %«71»[1]
    + sum d V = sum d V + «expand_dims(%82, axis=1) @ expand_dims(h[t-»1]«, axis=0)»
    - «%71 = vjp(»tanh(V @ h[t-1] + u[t])«, (h[t-1], V), d h[t])»
    + «h[t]» = tanh(V @ h[t-1] + u[t])
    + %82 = d h[t] * (1 - h[t] * h[t])
    ```

    where `%82 = d h[t] * (1 - tanh(V @ h[t-1] + u[t]) * tanh(V @ h[t-1] + u[t]))` in scan d h, sum d V

    where `%71 = vjp(V @ h[t-1], (h[t-1], V), d h[t] * (1 - tanh(V @ h[t-1] + u[t]) * tanh(V @ h[t-1] + u[t])))` in scan d h, sum d V

    - 1.5.1 **d tanh** in scan d h, sum d V E, exact: the same bits for every input; R, may change rounding

      d tanh(x) = (1 - y \* y) dx

      ```diff
      - vjp(«tanh(»V @ h[t-1] + u[t]«)», (h[t-1], V), d h[t])
      + vjp(V @ h[t-1] + u[t], (h[t-1], V), d h[t] «* (1 - tanh(V @ h[t-1] + u[t]) * tanh(V @ h[t-1] + u[t])))»
      ```

    - 1.5.2 **d add** in scan d h, sum d V E, exact: the same bits for every input; R, may change rounding

      d (x + z) = dx + dz

      ```diff
      - vjp(V @ h[t-1] «+ u[t]», (h[t-1], V), %90)
      + vjp(V @ h[t-1], (h[t-1], V), %90)
      ```

      where `%90 = d h[t] * (1 - tanh(V @ h[t-1] + u[t]) * tanh(V @ h[t-1] + u[t]))` in scan d h, sum d V

    - 1.5.3 **d matmul** in scan d h, sum d V E, exact: the same bits for every input; R, may change rounding

      d (a @ b) = da @ b + a @ db: a gets dy @ b', b gets a' @ dy

      ```diff
      - vjp(V @ h[t-1], (h[t-1], V), %90)[0]
      + %90 @ V
      - vjp(V @ h[t-1], (h[t-1], V), %90)[1]
      + expand_dims(%90, axis=1) @ expand_dims(h[t-1], axis=0)
      ```

  - 1.6 **d scan** E, exact: the same bits for every input; R, may change rounding

    results of products, solves and inner loops are kept, not computed again

    new: scan d h, sum d V (%31) and scan h (%22)

- 2 **broadcast-into** E, exact: the same bits for every input

  elementwise operators take scalars as they are

  ```diff
  - (2 * %7.final.h) * «broadcast_to(1.0, (3,))»
  + (2 * %7.final.h) * «1»
  ```

- 3 **flatten-mul** R, may change rounding

  one product instead of nested products

  ```diff
  - «(»2 * %7.final.h«)» * 1
  + 2 * %7.final.h * 1
  ```

- 4 **fold-mul** R, may change rounding

  constants of one product multiplied

  ```diff
  - 2 * %7.final.h «* 1»
  + 2 * %7.final.h
  ```

## loops

loops that do less, run together, or become products, reductions and maps

3 steps, 42 -\> 28 nodes, saturated

- 5 **same-loop** E, exact: the same bits for every input

  two loops that step alike run as one; same operands and next states; their outputs are kept together

  scan h (%7) is no loop of its own: its results are those of scan h (%22)

- 6 **dead-results** E, exact: the same bits for every input

  states and traces that nothing uses; 0 states and 1 trace

  scan h: trace h is no longer kept

- 7 **accumulate** R, may change rounding

  products that a state adds up are one product after the loop; 1 sum of products

  scan d h, sum d V: state sum d V is gone

  trace %25 is kept now

  it no longer reads h\[t-1\] step by step

  ```diff
  - sum d V = sum d V + expand_dims(d h[t] * one minus sqr h[t], axis=1) @ expand_dims(h[t-1], axis=0)
  - dV = %31.final.sum d V
  + dV = %31.trace' @ %22.h
  ```

## specialize

cheaper operators for special cases

2 steps, 28 -\> 27 nodes, saturated

- 8 **inner** E, exact: the same bits for every input

  in scan h

  - 8.1 **mul-self** in scan h E, exact: the same bits for every input

    a square

    ```diff
    - h[t] * h[t]
    + sqr(h[t])
    ```

- 9 **gemm** R, may change rounding

  a transposed matrix is read as it lies, not copied

  ```diff
  - dV = %31.trace«' @» %22.h
  + dV = «gemm(»%31.trace«,» %22.h«, ta=true)»
  ```

## fuse

elementwise operators over the same elements in one pass over them

1 step, 27 -\> 32 nodes, saturated

- 10 **inner** E, exact: the same bits for every input

  in scan h

  - 10.1 **fuse** in scan h E, exact: the same bits for every input

    one pass over the elements, a tile at a time; 4 operators over f64\[3\]; 48 bytes need not be stored

    one pass computes h\[t\], one minus sqr h\[t\] from u\[t\], V @ h\[t-1\]

    ```diff
      h[t] = tanh(V @ h[t-1] + u[t])
      one minus sqr h[t] = 1 - sqr(h[t])
    ```

    - 10.1.1 **with sqr** in scan h E, exact: the same bits for every input

      2 operators over f64\[3\]; 24 bytes need not be stored

      one pass computes one minus sqr h\[t\] from h\[t\]

      ```diff
        one minus sqr h[t] = 1 - sqr(h[t])
      ```

    - 10.1.2 **with tanh** in scan h E, exact: the same bits for every input

      3 operators over f64\[3\]; 24 bytes need not be stored

      one pass computes h\[t\], %99 from V @ h\[t-1\] + u\[t\]

      ```diff
        h[t] = tanh(V @ h[t-1] + u[t])
      ```

      where `%99 = fused(V @ h[t-1] + u[t])` in scan h

    - 10.1.3 **with add** in scan h E, exact: the same bits for every input

      4 operators over f64\[3\]; 48 bytes need not be stored

      one pass computes %99\[0\], %99\[1\] from u\[t\], V @ h\[t-1\]

## lower

scans as the loops that run: counters, indices and tests spelled out

2 steps, 32 -\> 47 nodes, saturated

- 11 **lower-scan** E, exact: the same bits for every input

  what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs from 0 to n-1, in place of 1 sequence

  scan h runs as loop h, row

  - 11.1 **counter** E, exact: the same bits for every input

    the number of the step is a state: 0, 1, ..., n-1

    scan h: state row is new

    ```diff
    + row + 1
    ```

  - 11.2 **index u** E, exact: the same bits for every input

    row i of the whole array, a capture, in place of a sequence

    scan h, row: it no longer reads u\[t\] step by step

    it reads u

    ```diff
    + u[t] = u[row]
    ```

  - 11.3 **loop** E, exact: the same bits for every input

    a test before each step; traces are arrays with a place for each

    scan h, row runs as loop h, row

- 12 **lower-scan** E, exact: the same bits for every input

  what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs from n-1 down to 0, in place of 1 sequence

  scan d h runs as loop d h, row

  ```diff
  - %31.stopped
  + false
  ```

  - 12.1 **counter** E, exact: the same bits for every input

    the number of the step is a state: n-1, n-2, ..., 0

    scan d h: state row is new

    ```diff
    + row + -1
    ```

  - 12.2 **index one minus sqr h** E, exact: the same bits for every input

    row i of the whole array, a capture, in place of a sequence

    scan d h, row: it no longer reads one minus sqr h\[t\] step by step

    it reads one minus sqr h = %22.one minus sqr h

    ```diff
    + one minus sqr h[t] = one minus sqr h[row]
    ```

  - 12.3 **loop** E, exact: the same bits for every input

    a test before each step; traces are arrays with a place for each

    scan d h, row runs as loop d h, row

    ```diff
    - %31.stopped
    + false
    ```

Nothing to do: inline, canonicalize, stabilize, expand

## result

```
S = loop t for 5 if true from h = h0, row = 0 keep h1, one_minus_sqr_h {
  h1[t-1] = h[t-1]
  t1 = u[row[t-1]]
  t2 = V @ h[t-1]
  h[t], one_minus_sqr_h[t] = fused({
    t3 = tanh(t2 + t1)
    (t3, 1 - sqr(t3))
  })
  row[t] = row[t-1] + 1
  while row[t] < 5
}
S1 = loop t for 5 if true from d h = 2 * S.final.h, row = 4 down keep y {
  y[t] = d h[t-1] * S.one_minus_sqr_h[row[t-1]]
  d h[t] = y[t] @ V
  row[t] = row[t-1] + -1
  while row[t] >= 0
}
gemm(S1.y, S.h1, ta=true)
```
