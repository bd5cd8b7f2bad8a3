# Rows that nobody reads are not kept: the steps are cut where rows begin or cease to be read.
k : i64 = 6
i : i64 = 2
a : f64 = 0.5
S = scan t for k from h = 1.0 { h[t] = h[t-1] * a + f64(t); o[t] = h[t] * h[t] }
U = scan t for k from h = 1.0 { h[t] = h[t-1] * a + f64(t); o[t] = h[t] * h[t]; until h[t] > 4 }
R = scan t for k from h = 1.0 { h[t] = h[t+1] * a + f64(t) }
:steps sum(S.h[-3:]) pass=canonicalize
:steps S.h[4] pass=canonicalize
:steps S.h[i] pass=canonicalize
:steps (U.h[-1], U.h[-2:], U.o[-2]) pass=canonicalize
:steps (U.h[1], U.o[0]) pass=canonicalize
:steps (R[0], R[-2]) pass=canonicalize
:steps (S.h[-1:], S.h[k - 1]) pass=canonicalize
# unless the loop runs whole anyway
:steps (S.h, S.h[-3:]) pass=canonicalize
# the same rows
S.h
(S.h[-3:], S.h[4], S.h[i], S.h[i - k], S.h[1:3], S.o[[0, 3]], S.h[-1:], S.h[k - 1])
U.o
(U.h[-1], U.h[-2:], U.h[-7:], U.o[-2], U.h[1], U.o[0], U.steps)
(R, R[0], R[-2], R[:2], R[1:3])
grad(sum(S.h[-3:]) + S.o[1] + U.o[-2], a)
# inside a derivative and a vmap
:steps grad(sum(S.h[-3:]), a) pass=canonicalize
:steps vmap(v -> (scan t for k from h = v { h[t] = h[t-1] * a + 1.0 })[-2:])([1.0, 2.0]) pass=canonicalize
# rows that are not there
S.h[7]
S.h[-7]
U.h[5]
U.h[-6]
k := 0
(S.h[-3:], S.h[-1:], U.h[-2:], R[:1], S.h[4:])
S.h[-1]
R[0]
S.h[i]
S.h[-2]
U.h[-2]
k := -1
S.h[-3:]
S.h[4]
S.final.h
u : f64[n] = [1, 2, 3]
k := 9
V = scan t for k over u from h = 1.0 { h[t] = h[t-1] * a + u[t] }
V[1]
V[-2:]
# a derivative that counts the last steps of a loop keeps the loop
k := 6
:steps grad(sum(S.h[-3:]), a, truncate=2) pass=canonicalize
(grad(sum(S.h[-3:]), a, truncate=2), grad(S.h[2], a, truncate=2))
---
canonicalize: 1 step, 21 -> 33 nodes, done
  1  read-rows [E]
      # only the rows that are read are kept, and the loop stops after the last of them; 2 loops,
      # one after the other, the rows of 1 kept
      new: scan h (%21) and scan h (%8)
      - %8.h[maximum(k - 3, 0):maximum(k - 3, 0) + maximum(minimum(k, 3), 0)]
      + %21.h
canonicalize: 1 step, 15 -> 18 nodes, done
  1  read-rows [E]
      # only the rows that are read are kept, and the loop stops after the last of them; one loop,
      # no trace
      new: scan h (%8)
      - %8.h[4]
      + check(4 < k, %8.final.h, index=true)
canonicalize: 1 step, 15 -> 26 nodes, done
  1  read-rows [E]
      # only the rows that are read are kept, and the loop stops after the last of them; one loop,
      # no trace
      new: scan h (%8)
      - %8.h[i]
      + check(i + k >= 0 and i < k, %8.final.h, index=true)
canonicalize: 2 steps, 27 -> 36 nodes, done
  1  tail [E]
      # the last row of a state's trace is its final value; guarded by a check that the loop takes a
      # step
      %9.h[-1] => check(k >= 1, %9.final.h, index=true)
  2  recent-rows [E]
      # if only the last few rows are read, states carry them instead of a trace; 3 states more, no
      # trace
      scan h: states h, o, o are new
      traces h, o are no longer kept
      - %«9.h»[maximum(%9.steps - 2, 0):]
      + «concat((expand_dims(%9.final.h, axis=0), expand_dims(%9.final.h, axis=0)),
            axis=0)»[maximum(%9.steps - 2, 0) «- %9.steps + 2»:]
      - %9.o[-2]
      + check(%9.steps >= 2, %9.final.o, index=true)
canonicalize: 1 step, 20 -> 22 nodes, done
  1  first-rows [E]    # the loop stops after the last row that is read; 2 rows are enough
      scan h: it takes minimum(k, 2) steps, not k
canonicalize: 2 steps, 16 -> 36 nodes, done
  1  tail [E]
      # the last row of a state's trace is its final value; guarded by a check that the loop takes a
      # step
      %7.h[0] => check(k >= 1, %7.final.h, index=true)
  2  read-rows [E]
      # only the rows that are read are kept, and the loop stops after the last of them; 2 loops,
      # one after the other, no trace
      scan h: it takes maximum(k - 2, 0) steps, not k
      new: scan h (%23)
      - %7.h[-2]
      + check(-2 + k >= 0, %23.final.h, index=true)
canonicalize: 2 steps, 21 -> 21 nodes, done
  1  tail-slice [E]
      # the last row of a state's trace is its final value; or empty, if the loop takes no step
      - «%8.h[maximum(k - 1», 0):maximum(«k - 1, 0) + maximum(»minimum(k, 1), 0)]
      + «expand_dims(%8.final.h, axis=»0)«[»:maximum(minimum(k, 1), 0)]
  2  tail [E]
      # the last row of a state's trace is its final value; guarded by a check that the loop takes a
      # step
      %8.h[k - 1] => check(k >= 1, %8.final.h, index=true)
canonicalize: 0 steps, 20 -> 20 nodes, done
f64[6] = [0.5, 1.25, 2.625, 4.3125, 6.15625, 8.07812]
[0] : f64[3] = [4.3125, 6.15625, 8.07812]
[1] : f64 = 6.15625
[2] : f64 = 2.625
[3] : f64 = 2.625
[4] : f64[2] = [1.25, 2.625]
[5] : f64[2] = [0.25, 18.5977]
[6] : f64[1] = [8.07812]
[7] : f64 = 8.078125
f64[4] = [0.25, 1.5625, 6.89062, 18.5977]
[0] : f64 = 4.3125
[1] : f64[2] = [2.625, 4.3125]
[2] : f64[4] = [0.5, 1.25, 2.625, 4.3125]
[3] : f64 = 6.890625
[4] : f64 = 1.25
[5] : f64 = 0.25
[6] : i64 = 4
[0] : f64[6] = [1.79688, 3.59375, 5.1875, 6.375, 6.75, 5.5]
[1] : f64 = 1.796875
[2] : f64 = 6.75
[3] : f64[2] = [1.79688, 3.59375]
[4] : f64[2] = [3.59375, 5.1875]
f64 = 30.4375
canonicalize: 2 steps, 27 -> 37 nodes, done
  1  numbers-in-grad [R]
      # captured scalars are computed in the body, where rules can see their values; 2 values
  2  inner [E R N+]  in the function of grad
    2.1  read-rows [E R N+]
        # only the rows that are read are kept, and the loop stops after the last of them; 2 loops,
        # one after the other, the rows of 1 kept
        new: scan h (%28) and scan h (%12)
        - %12.h[maximum(k - 3, 0):maximum(k - 3, 0) + maximum(minimum(k, 3), 0)]
        + %28.h
canonicalize: 2 steps, 24 -> 30 nodes, done
  1  numbers-in-vmap [E]
      # captured scalars are computed in the body, where rules can see their values; 2 values
      vmap(p0 -> h[%16:%16 + %18])([1.0, 2.0]), which is printed as before
  2  inner [E]  in the function of vmap
    2.1  read-rows [E]
        # only the rows that are read are kept, and the loop stops after the last of them; 2 loops,
        # one after the other, the rows of 1 kept
        new: scan h (%22) and scan h (%10)
        - %10.h[maximum(k - 2, 0):maximum(k - 2, 0) + maximum(minimum(k, 2), 0)]
        + %22.h
input.gr:28:1: error: index 7 is out of range: the scan takes too few steps, its trace has no such row
    S.h[7]
    ^^^^^^
input.gr:29:1: error: index -7 is out of range: the scan takes too few steps, its trace has no such row
    S.h[-7]
    ^^^^^^^
input.gr:30:1: error: index 5 is out of range for axis 0 of f64[4]
    U.h[5]
    ^^^^^^
input.gr:31:1: error: index -6 is out of range: the scan stopped after fewer steps
    U.h[-6]
    ^^^^^^^
[0] : f64[0] = []
[1] : f64[0] = []
[2] : f64[0] = []
[3] : f64[0] = []
[4] : f64[0] = []
input.gr:34:1: error: index -1 is out of range: the scan took no step, its trace is empty
    S.h[-1]
    ^^^^^^^
input.gr:35:1: error: index 0 is out of range: the scan took no step, its trace is empty
    R[0]
    ^^^^
input.gr:36:1: error: index is out of range: the scan takes too few steps, its trace has no such row
    S.h[i]
    ^^^^^^
input.gr:37:1: error: index -2 is out of range: the scan takes too few steps, its trace has no such row
    S.h[-2]
    ^^^^^^^
input.gr:38:1: error: index -2 is out of range: the scan stopped after fewer steps
    U.h[-2]
    ^^^^^^^
input.gr:40:1: error: the number of steps is negative
    S.h[-3:]
    ^^^^^^^^
input.gr:41:1: error: index 4 is out of range: the scan takes too few steps, its trace has no such row
    S.h[4]
    ^^^^^^
input.gr:42:1: error: the number of steps is negative
    S.final.h
    ^^^^^^^^^
input.gr:46:1: error: 9 steps over 3 rows of u
    V[1]
    ^^^^
input.gr:47:1: error: 9 steps over 3 rows of u
    V[-2:]
    ^^^^^^
canonicalize: 1 step, 27 -> 25 nodes, done
  1  numbers-in-grad [R]
      # captured scalars are computed in the body, where rules can see their values; 2 values
[0] : f64 = 12.625
[1] : f64 = 0.0
exit 1
