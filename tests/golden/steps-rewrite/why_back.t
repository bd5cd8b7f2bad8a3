# A body that one pass changes, and another changes back: the loop goes on as the same one.
x1 : f64[1] = [0.3]
A = scan t for 6 from x = x1 keep was { was[t] = x[t-1]; x[t] = (3.5 * x[t-1]) * (1 - x[t-1]) }
:steps A
:why %5
---
canonicalize: 1 step, 10 -> 9 nodes, done
  1  inner [R O]  in scan x
    1.1  flatten-mul [R O]    # nested products become one product
        x[t] = (3.5 * x[t-1]) * (1 - x[t-1]) => 3.5 * x[t-1] * (1 - x[t-1])
fuse: 2 steps, 9 -> 13 nodes, done
  2  inner [E]  in scan x
    2.1  order-product [E]    # factor by factor, in evaluation order
        x[t] = 3.5 * x[t-1] * (1 - x[t-1]) => (3.5 * x[t-1]) * (1 - x[t-1])
  3  inner [E]  in scan x
    3.1  fuse [E]    # one pass, tile by tile; 3 operators over f64[1]; 16 bytes not stored
        one kernel computes x[t] from x[t-1]
lower: 1 step, 13 -> 20 nodes, done
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan x runs as loop x, row
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize
%5 : (f64[1], i64, f64[6, 1], i64) = loop{body=@1, counter=1}(rows=6, go=true, init=%1, init=0)
  from the source: scan(6, from=x1)
  written at input.gr:3:5: scan t for 6 from x = x1 keep was { was[t] = x[t-1]; x[t] =  …
  changed by step 4, lower: lower-scan
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter;
          the counter runs from 0 to n-1
      - «scan»(6, from=x1)
      + «loop(rows=»6, «go=true,» from=«(»x1«, 0))»
