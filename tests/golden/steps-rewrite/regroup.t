# A rule that takes some terms of a sum, where its result is one of the other terms: the sum is regrouped.
:rule sine-minus [E]: sin(a) + -b => sin(a) - b pass=canonicalize
:set rule add-neg off
u : f64 = 0.1
v : f64 = 0.3
:steps (sin(u) - v) + sin(u) + -v pass=canonicalize
:audit (sin(u) - v) + sin(u) + -v
---
sine-minus [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 6 -> 5 nodes, done
  1  sine-minus [E R O]  sin(u) - v + sin(u) + -v => sin(u) - v + (sin(u) - v)
step  pass          rule        classes   error  ulp
1     canonicalize  sine-minus  [E R O]   0      0
2     simplify      simplify    [R N+ O]  0      0
2 steps, 2 compared: all within what their classes allow; largest error 0
