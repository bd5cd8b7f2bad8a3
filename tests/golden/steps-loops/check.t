# `:graph` writes them as values, which can be read again; `:save` as they were written
x : f64[3] = [1, 2, 3]
S = scan t over x from s = 0.0 { check(x[t] > 0, "neg"); s[t] = s[t-1] + x[t]; check(s[t] > 0, "sum") }
:graph S
:steps S.final
f(a) = { check(a > 0, "a"); a }
f
:graph f(x)
:steps f(3.0)
repeat 2 { check(sum(S) > 0, "r") }
---
x : f64[3]
scan t over x from s = 0.0 {
  t1 = s[t-1] + x[t]
  s[t] = check(x[t] > 0, check(t1 > 0, t1, message="sum"), message="neg")
}
loops: 1 step, 13 -> 13 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
lower: 1 step, 13 -> 21 nodes, done
  2  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s runs as loop s, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse
f : function(a)
x : f64[3]
f(a) = check(a > 0, a, message="a")
f(x)
inline: 1 step, 6 -> 4 nodes, done
  1  inline-call [E]    # a call is replaced with the function's body; the body of f
      f() => check(3.0 > 0.0, 3.0)
canonicalize: 2 steps, 4 -> 1 nodes, done
  2-3  fold [E]  2 times    # the value is known while the graph is built
      e.g. 3.0 > 0.0 => true
nothing to do: stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
