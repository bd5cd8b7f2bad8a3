x : f64[n] = [1, 2, 3]
:steps log(1 + x * 1)
:steps sum(x ^ 2) - 0
k : i64 = 3
power = scan t for k from r = ones_like(x) { r[t] = r[t-1] * (x + x) }
:steps power.final
:passes power[-1]
:steps power[-1]
---
canonicalize: 1 step, 5 -> 4 nodes, done
  1  mul-one [E]  x * 1 => x    # 1 is neutral
stabilize: 1 step, 4 -> 2 nodes, done
  2  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
nothing to do: inline, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 6 -> 4 nodes, done
  1  sub-zero [E]  sum(x^2) - 0 => sum(x^2)    # subtracting 0 has no effect
simplify: 1 step, 4 -> 2 nodes, done
  2  simplify [R N+ O]
      # the same sum of products in fewer operations; contract in a different order
      sum(x^2) => x @ x
nothing to do: inline, stabilize, differentiate, expand, loops, specialize, fuse, lower
loops: 3 steps, 11 -> 12 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan r: trace r is no longer kept
  2  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; nothing in it can raise an
      # error
      scan r: it no longer reads x
      it reads add_x = x + x
      - r[t] = r[t-1] * «(x + x)»
      + r[t] = r[t-1] * «add_x»
  3  simplify [R N+ O]  x + x => 2 * x    # the same sum of products in fewer operations; collect x
lower: 1 step, 12 -> 19 nodes, done
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan r runs as loop r, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse
pass           steps  nodes before  after  stop
inline         0      13            13     done
canonicalize   1      13            14     done
stabilize      0      14            14     done
differentiate  0      14            14     done
simplify       0      14            14     done
expand         0      14            14     done
loops          3      14            15     done
specialize     0      15            15     done
fuse           0      15            15     done
lower          1      15            22     done
canonicalize: 1 step, 13 -> 14 nodes, done
  1  tail [E]
      # the last row of a state's trace is its final value; guarded by a check that the loop takes a
      # step
      %7.r[-1] => check(k >= 1, %7.final.r, index=true)
loops: 3 steps, 14 -> 15 nodes, done
  2  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan r: trace r is no longer kept
  3  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; nothing in it can raise an
      # error
      scan r: it no longer reads x
      it reads add_x = x + x
      - r[t] = r[t-1] * «(x + x)»
      + r[t] = r[t-1] * «add_x»
  4  simplify [R N+ O]  x + x => 2 * x    # the same sum of products in fewer operations; collect x
lower: 1 step, 15 -> 22 nodes, done
  5  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan r runs as loop r, row
nothing to do: inline, stabilize, differentiate, simplify, expand, specialize, fuse
