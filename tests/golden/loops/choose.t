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
inline: 0 steps, 26 -> 26 nodes, saturated
canonicalize: 0 steps, 26 -> 26 nodes, saturated
stabilize: 0 steps, 26 -> 26 nodes, saturated
differentiate: 0 steps, 26 -> 26 nodes, saturated
expand: 0 steps, 26 -> 26 nodes, saturated
loops: 3 steps, 26 -> 33 nodes, saturated
  1  unswitch [E]
      # a choice that is the same at every step is made once, before the loop; one loop for each
      # answer
      %13.trace => if p then %20.trace else %27.trace
  2  inner [E]  %29 => %29    # rewrites inside the graph it owns; open it to see them
    2.1  inner [E]  %20 => %20    # rewrites inside the graph it owns; open it to see them
      2.1.1  known-branch [E]    # the branch that runs; the condition is true
          if true then tanh(s[t-1] + x[t]) else x[t] * c => tanh(s[t-1] + x[t])
    2.2  unused-inputs [E]
        # sequences and captures that the body no longer reads; 3 of 4 inputs stay
        %20 => %20
        %20 = scan(size(x, 0), from=zeros, over=x)
  3  inner [E]  %29 => %29    # rewrites inside the graph it owns; open it to see them
    3.1  inner [E]  %27 => %27    # rewrites inside the graph it owns; open it to see them
      3.1.1  known-branch [E]    # the branch that runs; the condition is false
          if false then tanh(s[t-1] + x[t]) else x[t] * c => x[t] * c
    3.2  dead-results [E]    # states and traces that nothing uses; 1 state and 0 traces
        %27 => %27
        %27 = scan(size(x, 0), over=x, using=c)
specialize: 0 steps, 33 -> 33 nodes, saturated
fuse: 1 step, 33 -> 37 nodes, saturated
  4  inner [E]  %29 => %29    # rewrites inside the graph it owns; open it to see them
    4.1  inner [E]  %20 => %20    # rewrites inside the graph it owns; open it to see them
      4.1.1  fuse [E]
          # one pass over the elements, a tile at a time; 2 operators over f64[2]; 16 bytes need not
          # be stored
          tanh(s[t-1] + x[t]) => %38
          %38 = fused(s[t-1], x[t])
lower: 2 steps, 37 -> 57 nodes, saturated
  5  inner [E]  %29 => %29    # rewrites inside the graph it owns; open it to see them
    5.1  lower-scan [E]
        # what runs: a counter, a test before each step, arrays indexed by the counter; the counter
        # runs from 0 to n-1, in place of 1 sequence
        %20 => %20
        %20 = loop(rows=size(x, 0), go=0 < size(x, 0), from=(zeros, 0), using=(x, size(x, 0)))
  6  inner [E]  %29 => %29    # rewrites inside the graph it owns; open it to see them
    6.1  lower-scan [E]
        # what runs: a counter, a test before each step, arrays indexed by the counter; the counter
        # runs from 0 to n-1, in place of 1 sequence
        %27 => %27
        %27 = loop(rows=size(x, 0), go=0 < size(x, 0), from=0, using=(c, x, size(x, 0)))
[0] : f64[3, 2] =
[[0.7615941559557649, 0.9640275800758169],
 [0.998919770102253,  0.9999024315880504],
 [0.9999876850737757, 0.9999997748857521]]
[1] : f64[2] = [0.9999876850737757, 0.9999997748857521]
[2] : i64 = 3
[3] : bool = false
[0] : f64[3, 2] =
[[4.2088121156296293e-01, 7.0664610764371710e-02],
 [2.1593460816000950e-03, 1.9512739215612844e-04],
 [2.4629700791312104e-05, 4.5022844519237990e-07]]
[1] : f64 = 0.0
[0] : f64[3, 2] =
[[0.3,                0.6],
 [0.8999999999999999, 1.2],
 [1.5,                2.1]]
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
2       loops          same-loop          [E]      0      0
3       loops          dead-results       [E]      0      0
4       loops          unswitch           [E]      0      0
5.1.1   loops          known-branch       [E]      0      0
5.1     loops          inner              [E]      0      0
5.2     loops          unused-inputs      [E]      0      0
5       loops          inner              [E]      0      0
6.1.1   loops          known-branch       [E]      0      0
6.1     loops          inner              [E]      0      0
6       loops          inner              [E]      0      0
7       loops          inner              [E]      0      0
8       loops          repeated-sequence  [E]      0      0
9       loops          unswitch           [E]      0      0
10.1.1  loops          known-branch       [E]      0      0
10.1    loops          inner              [E]      0      0
10.2    loops          unused-inputs      [E]      0      0
10.3    loops          constant-state     [E]      0      0
10      loops          inner              [E]      0      0
11.1.1  loops          known-branch       [E]      0      0
11.1    loops          inner              [E]      0      0
11.2    loops          unused-inputs      [E]      0      0
11.3    loops          hoist              [E]      0      0
11      loops          inner              [E]      0      0
12      loops          inner              [E]      0      0
13.1.1  specialize     mul-self           [E]      0      0
13.1    specialize     inner              [E]      0      0
13      specialize     inner              [E]      0      0
14.1.1  fuse           fuse               [E]      0      0
14.1    fuse           inner              [E]      0      0
14      fuse           inner              [E]      0      0
15.1.1  fuse           fuse               [E]      0      0
15.1    fuse           inner              [E]      0      0
15      fuse           inner              [E]      0      0
16.1.1  fuse           fuse               [E]      0      0
16.1    fuse           inner              [E]      0      0
16      fuse           inner              [E]      0      0
17.1    lower          lower-scan         [E]      0      0
17      lower          inner              [E]      0      0
18.1    lower          lower-scan         [E]      0      0
18      lower          inner              [E]      0      0
19.1    lower          lower-scan         [E]      0      0
19      lower          inner              [E]      0      0
20.1    lower          lower-scan         [E]      0      0
20      lower          inner              [E]      0      0
45 steps, 45 compared: all within what their classes allow; largest error 0
inline: 0 steps, 24 -> 24 nodes, saturated
canonicalize: 0 steps, 24 -> 24 nodes, saturated
stabilize: 0 steps, 24 -> 24 nodes, saturated
differentiate: 0 steps, 24 -> 24 nodes, saturated
expand: 0 steps, 24 -> 24 nodes, saturated
loops: 0 steps, 24 -> 24 nodes, saturated
specialize: 0 steps, 24 -> 24 nodes, saturated
fuse: 1 step, 24 -> 28 nodes, saturated
  1  inner [E]  %12 => %12    # rewrites inside the graph it owns; open it to see them
    1.1  inner [E]  %10 => %10    # rewrites inside the graph it owns; open it to see them
      1.1.1  fuse [E]
          # one pass over the elements, a tile at a time; 2 operators over f64[2]; 16 bytes need not
          # be stored
          tanh(s[t-1] + x[t]) => %14
          %14 = fused(s[t-1], x[t])
lower: 1 step, 28 -> 36 nodes, saturated
  2  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %12.trace => %12.trace
      %12 = loop(rows=T, go=0 < T, from=(broadcast_to(0.0, (2,)), 0), using=(x, c, T))
