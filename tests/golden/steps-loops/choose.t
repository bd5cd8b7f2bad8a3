# A choice that no step changes is made once; each loop is then free of the other branch.
x : f64[T, 2] = [[1, 2], [3, 4], [5, 7]]
p : bool = true
c : f64 = 0.3
a = scan t over x from s = zeros(2) { s[t] = if p then tanh(s[t-1] + x[t]) else x[t] * c; until s[t, 0] > 2 }
:steps a.s
(a.s, a.final, a.steps, a.stopped)
grad(sum(a.s), [x, c])
p := false
(a.s, a.final, a.steps, a.stopped)
grad(sum(a.s), [x, c])
:audit grad(sum(a.s), [x, c])
# a choice that a step makes stays in it
:steps (scan t over x from s = zeros(2) { s[t] = if s[t-1, 0] > 0 then tanh(s[t-1] + x[t]) else x[t] * c }).s
---
loops: 3 steps, 26 -> 30 nodes, done
  1  unswitch [E]
      # a loop-invariant choice is made once, before the loop; one loop for each value of the
      # condition
      scan s (%13) is gone
      - %13.s
      + if p then %20.s else %27.s
  2  inner [E D]  in the then branch of if
    2.1  inner [E D]  in scan s, in the then branch of if
      2.1.1  known-branch [E]
          # the condition is known: only this branch runs; the condition is true
          s[t] = if true then tanh(s[t-1] + x[t]) else x[t] * c => tanh(s[t-1] + x[t])
      2.1.2  gt-never [D]
          # the ranges imply it; NaN also compares false; `x` is never above the other: its elements
          # are those of tanh(s[t-1] + x[t]), which is within [-1, 1]
          tanh(s[t-1] + x[t])[0] > 2 => false
    2.2  unused-inputs [E]
        # sequences and captures that the body does not read are removed; 3 of 4 inputs stay
        scan s: it no longer reads c
  3  inner [E]  in the else branch of if
    3.1  inner [E]  in scan s, in the else branch of if
      3.1.1  known-branch [E]
          # the condition is known: only this branch runs; the condition is false
          s[t] = if false then tanh(s[t-1] + x[t]) else x[t] * c => x[t] * c
    3.2  dead-results [E]    # unused states and traces are removed; 1 state and 0 traces
        scan s: state s is gone
fuse: 1 step, 30 -> 34 nodes, done
  4  inner [E]  in the then branch of if
    4.1  inner [E]  in scan s, in the then branch of if
      4.1.1  fuse [E]    # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
          one kernel computes s[t] from s[t-1], x[t]
lower: 2 steps, 34 -> 54 nodes, done
  5  inner [E]  in the then branch of if
    5.1  lower-scan [E]
        # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
        # counter runs from 0 to n-1, in place of 1 sequence
        scan s runs as loop s, row
  6  inner [E]  in the else branch of if
    6.1  lower-scan [E]
        # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
        # counter runs from 0 to n-1, in place of 1 sequence
        scan without states runs as loop row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize
[0] : f64[3, 2] =
[[0.761594, 0.964028],
 [0.99892,  0.999902],
 [0.999988, 1.0]]
[1] : f64[2] = [0.999988, 1.0]
[2] : i64 = 3
[3] : bool = false
[0] : f64[3, 2] =
[[4.20881e-01, 7.06646e-02],
 [2.15935e-03, 1.95127e-04],
 [2.46297e-05, 4.50228e-07]]
[1] : f64 = 0.0
[0] : f64[3, 2] =
[[0.3, 0.6],
 [0.9, 1.2],
 [1.5, 2.1]]
[1] : f64[2] = [1.5, 2.1]
[2] : i64 = 3
[3] : bool = false
[0] : f64[3, 2] =
[[0.3, 0.3],
 [0.3, 0.3],
 [0.3, 0.3]]
[1] : f64 = 22.0
step    pass           rule               classes  error  ulp
1       differentiate  expand-derivative  [E]      0      0
2       loops          unswitch           [E]      0      0
3.1.1   loops          known-branch       [E]      0      0
3.1.2   loops          gt-never           [D]      0      0
3.1     loops          inner              [E D]    0      0
3.2     loops          unused-inputs      [E]      0      0
3       loops          inner              [E D]    0      0
4.1.1   loops          known-branch       [E]      0      0
4.1     loops          inner              [E]      0      0
4       loops          inner              [E]      0      0
5       loops          inner              [E D]    0      0
6       loops          unswitch           [E]      0      0
7.1.1   loops          known-branch       [E]      0      0
7.1     loops          inner              [E]      0      0
7.2     loops          unused-inputs      [E]      0      0
7.3     loops          constant-state     [E]      0      0
7       loops          inner              [E]      0      0
8.1.1   loops          known-branch       [E]      0      0
8.1     loops          inner              [E]      0      0
8.2     loops          unused-inputs      [E]      0      0
8.3     loops          hoist              [E]      0      0
8       loops          inner              [E]      0      0
9       loops          inner              [E]      0      0
10.1.1  specialize     mul-self           [E]      0      0
10.1    specialize     inner              [E]      0      0
10      specialize     inner              [E]      0      0
11.1.1  fuse           fuse               [E]      0      0
11.1    fuse           inner              [E]      0      0
11      fuse           inner              [E]      0      0
12.1.1  fuse           fuse               [E]      0      0
12.1    fuse           inner              [E]      0      0
12      fuse           inner              [E]      0      0
13.1.1  fuse           fuse               [E]      0      0
13.1    fuse           inner              [E]      0      0
13      fuse           inner              [E]      0      0
14.1    lower          lower-scan         [E]      0      0
14      lower          inner              [E]      0      0
15.1    lower          lower-scan         [E]      0      0
15      lower          inner              [E]      0      0
16.1    lower          lower-scan         [E]      0      0
16      lower          inner              [E]      0      0
17.1    lower          lower-scan         [E]      0      0
17      lower          inner              [E]      0      0
43 steps, 43 compared: all within what their classes allow; largest error 0
fuse: 1 step, 24 -> 28 nodes, done
  1  inner [E]  in scan s
    1.1  inner [E]  in the then branch of if, in loop s, row
      1.1.1  fuse [E]    # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
          one kernel computes tanh(s[t-1] + x[t]) from s[t-1], x[t]
lower: 1 step, 28 -> 36 nodes, done
  2  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan s runs as loop s, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize
