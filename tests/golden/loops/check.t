# `:graph` writes them as values, which can be read again; `:save` as they were written
x : f64[3] = [1, 2, 3]
S = scan t over x from s = 0.0 { check(x[t] > 0, "neg"); s[t] = s[t-1] + x[t]; check(s[t] > 0, "sum") }
:graph S
:steps S.final
f(a) = { check(a > 0, "a"); a }
f
:graph f(x)
:steps f(3.0)
:plan f(x)
:plan S.final
repeat 2 { check(sum(S) > 0, "r") }
---
x : f64[3]
scan t over x from s = 0.0 {
  t1 = s[t-1] + x[t]
  s[t] = check(x[t] > 0, check(t1 > 0, t1, message="sum"), message="neg")
}
loops: 1 step, 13 -> 13 nodes, saturated
  1  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      scan s: trace s is no longer kept
lower: 1 step, 13 -> 21 nodes, saturated
  2  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter
      # runs from 0 to n-1, in place of 1 sequence
      scan s runs as loop s, row
nothing to do: inline, canonicalize, stabilize, differentiate, expand, specialize, fuse
f : function(a)
x : f64[3]
f(a) = check(a > 0, a, message="a")
f(x)
canonicalize: 2 steps, 4 -> 1 nodes, saturated
  1-2  fold [E]  2 times    # the value is known while the graph is built
      e.g. 3.0 > 0.0 => true
nothing to do: inline, stabilize, differentiate, expand, loops, specialize, fuse, lower
@0: 2 tensors, 1 scalars
    r0 : 0.0
   0  t0 = leaf x
   1  t1 = gt(t0, r0)
   2  check_all t1
   3  drop t1
   4  end (t0!)
native: nothing to compile, no loops and no fused groups
@0: 1 tensors, 3 scalars
    r0 : 3
    r1 : 0.0
   0  t0 = leaf x
   1  r2, _, _ = loop @1(r0, r1, t0!)
   2  end (r2)
@1 loop: 1 tensors, 6 scalars
    states r0
    elements r1
    r3 : 0.0
   0  r1 = seq8 r2
   1  r4 = gt.f64 r1, r3
   2  check r4
   3  r0 = add.f64 r0, r1
   4  r5 = gt.f64 r0, r3
   5  check r5
   6  loop
native: auto: compiled once it has taken the machine about 0.1 s
    loops as C: @1
