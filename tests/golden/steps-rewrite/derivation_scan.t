# Steps inside bodies and child steps below their owner; every number is defined.
# shows: d.md
u : f64[5, 3]
h0 : f64[3]
V : f64[3, 3]
S = scan t over u from h = h0 { h[t] = tanh(V @ h[t-1] + u[t]) }
:export grad(sum(sqr(S.final)), V) d.md open=all steps=on
---
d.md: 27 steps
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

1 step, 19 -\> 35 nodes, done

- 1 **expand-derivative** E, exact: the same bits for every input

  operator by operator; reverse sweep over 14 nodes

  new: scan h (%7) and scan d\_h, sum\_d\_V (%25)

  d\_V = %25.final.sum\_d\_V

  where

  ```
  %7 = scan t over u from h = h0 keep h_2, one_minus_sqr_h {
    h_2[t-1] = h[t-1]
    h[t] = tanh(V @ h[t-1] + u[t])
    one_minus_sqr_h[t] = 1 - h[t] * h[t]
  }
  ```

  where

  ```
  %25 = scan t over one_minus_sqr_h = %7.one_minus_sqr_h, h[t-1] = %7.h_2 from d_h = %15,
      sum_d_V = %16 keep () {
    %19 = d_h[t] * one_minus_sqr_h[t]
    d_h[t-1] = %19 @ V
    sum_d_V[t] = sum_d_V[t+1] + %19[:, None] @ h[t-1][None, :]
  }
  ```

  where `%15 = 2 * %7.final.h`

  where `%16 = broadcast_to(0.0, (3, 3))`

  - 1.1 **d seed** E, exact: the same bits for every input; R, may change rounding

    the cotangent of the result is 1

    ```diff
    - «grad»(sum(sqr(%7.final.h)), V)
    + «vjp»(sum(sqr(%7.final.h)), V«, 1.0)[0]»
    ```

  - 1.2 **d sum** E, exact: the same bits for every input; R, may change rounding

    d sum(x) = sum(dx): x gets dy repeated along the axes

    ```diff
    - vjp(«sum(»sqr(%7.final.h)«)», V, 1.0)[0]
    + vjp(sqr(%7.final.h), V, «broadcast_to(»1.0«, (3,)))»[0]
    ```

  - 1.3 **d sqr** E, exact: the same bits for every input; R, may change rounding

    d sqr(x) = (2 \* x) dx

    new: scan h (%7)

    d\_V = vjp(%7.final.h, V, 2 \* %7.final.h)\[0\]

  - 1.4 **d scan** E, exact: the same bits for every input; R, may change rounding

    the loop runs in the opposite direction; it carries the cotangents of h\[t-1\]; it accumulates over the steps those of V (the pass \`loops\` turns sums of products into one product after the loop); saved before each step: h\[t-1\]

    new: scan h (%7) and scan d\_h, sum\_d\_V (%61)

    d\_V = %61.final.sum\_d\_V

    where

    ```
    %61 = scan t over h[t-1] = %7.h_2, u from d_h = %52, sum_d_V = %16 keep () {
      d_h[t-1], %59 = vjp(tanh(V @ h[t-1] + u[t]), [h[t-1], V], d_h[t])
      sum_d_V[t] = sum_d_V[t+1] + %59
    }
    ```

    where `%52 = 2 * %7.final.h`

    where `%59 = vjp(tanh(V @ h[t-1] + u[t]), (h[t-1], V), d_h[t])[1]` in scan d\_h, sum\_d\_V

  - 1.5 **d scan** E, exact: the same bits for every input; R, may change rounding

    the body's derivative, operator by operator

    scan d\_h, sum\_d\_V:

    ```diff
    - d_h[t-1] = %«57[0]»
    + d_h[t-1] = %«68 @ V»
    - sum_d_V = sum_d_V + %«57»[1]
    + sum_d_V = sum_d_V + %«68[:, None] @ h[t-»1]«[None, :]»
    - «%57 = vjp(»tanh(V @ h[t-1] + u[t])«, (h[t-1], V), d_h[t])»
    + «h[t]» = tanh(V @ h[t-1] + u[t])
    + %68 = d_h[t] * (1 - h[t] * h[t])
    ```

    where `%57 = vjp(V @ h[t-1], (h[t-1], V), d_h[t] * (1 - tanh(V @ h[t-1] + u[t]) * tanh(V @ h[t-1] + u[t])))` in scan d\_h, sum\_d\_V

    where `%68 = d_h[t] * (1 - tanh(V @ h[t-1] + u[t]) * tanh(V @ h[t-1] + u[t]))` in scan d\_h, sum\_d\_V

    - 1.5.1 **d tanh** in scan d\_h, sum\_d\_V E, exact: the same bits for every input; R, may change rounding

      d tanh(x) = (1 - y \* y) dx

      ```diff
      - vjp(«tanh(»V @ h[t-1] + u[t]«)», (h[t-1], V), d_h[t])
      + vjp(V @ h[t-1] + u[t], (h[t-1], V), d_h[t] «* (1 - tanh(V @ h[t-1] + u[t]) * tanh(V @ h[t-1] + u[t])))»
      ```

    - 1.5.2 **d add** in scan d\_h, sum\_d\_V E, exact: the same bits for every input; R, may change rounding

      d (x + z) = dx + dz

      ```diff
      - vjp(V @ h[t-1] «+ u[t]», (h[t-1], V), %76)
      + vjp(V @ h[t-1], (h[t-1], V), %76)
      ```

      where `%76 = d_h[t] * (1 - tanh(V @ h[t-1] + u[t]) * tanh(V @ h[t-1] + u[t]))` in scan d\_h, sum\_d\_V

    - 1.5.3 **d matmul** in scan d\_h, sum\_d\_V E, exact: the same bits for every input; R, may change rounding

      d (a @ b) = da @ b + a @ db: a gets dy @ b', b gets a' @ dy

      ```diff
      - vjp(V @ h[t-1], (h[t-1], V), %76)[0]
      + %76 @ V
      - vjp(V @ h[t-1], (h[t-1], V), %76)[1]
      + %76[:, None] @ h[t-1][None, :]
      ```

  - 1.6 **d scan** E, exact: the same bits for every input; R, may change rounding

    results of products, solves and inner loops are saved instead of being recomputed

    new: scan d\_h, sum\_d\_V (%25) and scan h (%7)

## loops

loops that do less, run together, or become products, reductions and maps

1 step, 35 -\> 28 nodes, done

- 2 **accumulate** R, may change rounding

  a sum of products over the steps is one product after the loop; 1 sum of products

  scan d\_h, sum\_d\_V: state sum\_d\_V is gone

  trace %19 is kept now

  it no longer reads h\[t-1\] step by step

  ```diff
  - sum_d_V = sum_d_V + (d_h[t] * one_minus_sqr_h[t])[:, None] @ h[t-1][None, :]
  - d_V = %25.final.sum_d_V
  + d_V = %25.trace' @ %7.h
  ```

## specialize

cheaper operators for special cases

2 steps, 28 -\> 27 nodes, done

- 3 **inner** E, exact: the same bits for every input

  in scan h

  - 3.1 **mul-self** in scan h E, exact: the same bits for every input

    a square

    ```diff
    - h[t] * h[t]
    + sqr(h[t])
    ```

- 4 **gemm** R, may change rounding

  the transposed matrix is read in place, without a copy

  ```diff
  - d_V = %25.trace«' @» %7.h
  + d_V = «gemm(»%25.trace«,» %7.h«, ta=true)»
  ```

## fuse

elementwise operators over the same elements in one pass over them

1 step, 27 -\> 32 nodes, done

- 5 **inner** E, exact: the same bits for every input

  in scan h

  - 5.1 **fuse** in scan h E, exact: the same bits for every input

    one pass, tile by tile; 4 operators over f64\[3\]; 48 bytes not stored

    one kernel computes h\[t\], one\_minus\_sqr\_h\[t\] from u\[t\], V @ h\[t-1\]

    ```diff
      h[t] = tanh(V @ h[t-1] + u[t])
      one_minus_sqr_h[t] = 1 - sqr(h[t])
    ```

    - 5.1.1 **with sqr** in scan h E, exact: the same bits for every input

      2 operators over f64\[3\]; 24 bytes not stored

      one kernel computes one\_minus\_sqr\_h\[t\] from h\[t\]

      ```diff
        one_minus_sqr_h[t] = 1 - sqr(h[t])
      ```

    - 5.1.2 **with tanh** in scan h E, exact: the same bits for every input

      3 operators over f64\[3\]; 24 bytes not stored

      one kernel computes h\[t\], %85 from V @ h\[t-1\] + u\[t\]

      ```diff
        h[t] = tanh(V @ h[t-1] + u[t])
      ```

      where `%85 = fused(V @ h[t-1] + u[t])` in scan h

    - 5.1.3 **with add** in scan h E, exact: the same bits for every input

      4 operators over f64\[3\]; 48 bytes not stored

      one kernel computes %85\[0\], %85\[1\] from u\[t\], V @ h\[t-1\]

## lower

scans as the loops that run: counters, indices and tests spelled out

2 steps, 32 -\> 47 nodes, done

- 6 **lower-scan** E, exact: the same bits for every input

  the loop that runs: a counter, a test before each step, arrays indexed by the counter; the counter runs from 0 to n-1, in place of 1 sequence

  scan h runs as loop h, row

  - 6.1 **counter** E, exact: the same bits for every input

    the step number becomes a state: 0, 1, ..., n-1

    scan h: state row is new

    ```diff
    + row + 1
    ```

  - 6.2 **index u** E, exact: the same bits for every input

    the sequence becomes row i of a captured array

    scan h, row: it no longer reads u\[t\] step by step

    it reads u

    ```diff
    + u[t] = u[row]
    ```

  - 6.3 **loop** E, exact: the same bits for every input

    a test before each step; traces are arrays with one row per step

    scan h, row runs as loop h, row

- 7 **lower-scan** E, exact: the same bits for every input

  the loop that runs: a counter, a test before each step, arrays indexed by the counter; the counter runs from n-1 down to 0, in place of 1 sequence

  scan d\_h runs as loop d\_h, row

  ```diff
  - %25.stopped
  + false
  ```

  - 7.1 **counter** E, exact: the same bits for every input

    the step number becomes a state: n-1, n-2, ..., 0

    scan d\_h: state row is new

    ```diff
    + row + -1
    ```

  - 7.2 **index one\_minus\_sqr\_h** E, exact: the same bits for every input

    the sequence becomes row i of a captured array

    scan d\_h, row: it no longer reads one\_minus\_sqr\_h\[t\] step by step

    it reads one\_minus\_sqr\_h = %7.one\_minus\_sqr\_h

    ```diff
    + one_minus_sqr_h[t] = one_minus_sqr_h[row]
    ```

  - 7.3 **loop** E, exact: the same bits for every input

    a test before each step; traces are arrays with one row per step

    scan d\_h, row runs as loop d\_h, row

    ```diff
    - %25.stopped
    + false
    ```

Nothing to do: inline, canonicalize, stabilize, simplify, expand

## result

```
S = loop t for 5 if true from h = h0, row = 0 keep h_2, one_minus_sqr_h {
  h_2[t-1] = h[t-1]
  t1 = u[row[t-1]]
  t2 = V @ h[t-1]
  h[t], one_minus_sqr_h[t] = fused({
    t3 = tanh(t2 + t1)
    (t3, 1 - sqr(t3))
  })
  row[t] = row[t-1] + 1
  while row[t] < 5
}
S_2 = loop t for 5 if true from d_h = 2 * S.final.h, row = 4 down keep y {
  y[t] = d_h[t-1] * S.one_minus_sqr_h[row[t-1]]
  d_h[t] = y[t] @ V
  row[t] = row[t-1] + -1
  while row[t] >= 0
}
gemm(S_2.y, S.h_2, ta=true)
```
