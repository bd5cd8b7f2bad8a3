# Reading one position: the operators above it are applied to that position alone, whatever they are.
x : f64[5] = [1, 2, 3, 4, 5]
k : i64 = 1
:steps (where(x > 2, sin(x) * 2, -x) + exp(x))[k]
(where(x > 2, sin(x) * 2, -x) + exp(x))[k]
# Not if something else needs them all, or if one may fail where it is not read.
a = sin(x)
:whynot index-elementwise a[3] + sum(a)
d : i64[3] = [1, 2, 4]
:whynot index-elementwise (8 // d)[1]
:whynot index-elementwise sort(x)[1]
# In a loop what changes from step to step; the rest leaves the loop first.
S = scan t for 3 from s = x { s[t] = s[t-1] * (cos(s[t-1]) + 1)[2] + exp(x)[k] }
:steps S.final
S.final
---
canonicalize: 1 step, 11 -> 11 nodes, done
  1  index-elementwise [E]    # only the elements that are read are computed
      - (where(x > 2, sin(x) «* 2», -x«) + exp(x))»[k]
      + «exp(x[k]) +» where(x«[k]» > 2, «2 *» sin(x«[k]»), -x[k]«)»
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
f64 = 5.38905609893065
index-elementwise does not fire
  at %3, sin(x)[3]: its operand is also used elsewhere: sin; after step 1 its operand is not an elementwise operator: proj
  `:help index-elementwise`: what it matches, and when
index-elementwise does not fire
  at %3, (8 // d)[1]: it could raise an error at a position that is not read: floordiv
  `:help index-elementwise`: what it matches, and when
index-elementwise does not fire
  at %3, sort(x, axis=0)[1]: its operand is not an elementwise operator: sort
  `:help index-elementwise`: what it matches, and when
canonicalize: 1 step, 17 -> 17 nodes, done
  1  inner [E]  in scan s
    1.1  index-elementwise [E]    # only the elements that are read are computed
        (cos(s[t-1]) + 1)[2] => 1 + cos(s[t-1][2])
loops: 3 steps, 17 -> 16 nodes, done
  2  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
  3  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; the loop runs at least
      # once
      scan s: it no longer reads x, k
      it reads index_exp_x = exp(x)[k]
      - s[t] = s[t-1] * (1 + cos(s[t-1][2])) + «exp(x)[k]»
      + s[t] = s[t-1] * (1 + cos(s[t-1][2])) + «index_exp_x»
  4  index-elementwise [E]  exp(x)[k] => exp(x[k])    # only the elements that are read are computed
fuse: 1 step, 16 -> 21 nodes, done
  5  inner [E]  in scan s
    5.1  fuse [E]    # one pass, tile by tile; 2 operators over f64[5]; 40 bytes not stored
        one kernel computes s[t] from index_exp_x, s[t-1], 1 + cos(%12)
lower: 1 step, 21 -> 28 nodes, done
  6  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan s runs as loop s, row
nothing to do: inline, stabilize, differentiate, simplify, expand, specialize
f64[5] = [36.2047, 36.2276, 36.2505, 36.2734, 36.2963]
