# moves in the bodies of loops, of branches, and what opens a gradient
x : f64[4] = [1, 2, 3, 4]
h = scan t over x from h = 0.0 { h[t] = tanh(h[t-1] * 1 + x[t] * 1) }
g = scan t over x from h = 0.0 { h[t] = tanh(h[t-1] * 1 + x[t] * 1) }
:move sum(h) + h[-1] rule=mul-one list=on
:move rule=mul-one
:move rule=mul-one nth=2
:move rule=mul-one
:steps
:audit
:move grad(sum(x ^ 3), x)
:move rule=expand-derivative
:move pass=canonicalize
:move 1
:audit
---
3  mul-one  [E]  %3  x[t] * 1    =>  x[t]
4  mul-one  [E]  %2  h[t-1] * 1  =>  h[t-1]
input.gr:6:12: error: mul-one fires in several places: %3, %2
    :move rule=mul-one
               ^^^^^^^
  hint: at=%K or nth=K says which one
  1  inner [E]  in scan h
    1.1  mul-one [E]  h[t-1] * 1 => h[t-1]    # one times anything
S = scan t over x from h = 0.0 {
  h[t] = tanh(h[t-1] + x[t] * 1)
}
sum(S) + S[-1]
  2  inner [E]  in scan h
    2.1  mul-one [E]  x[t] * 1 => x[t]    # one times anything
S = scan t over x from h = 0.0 {
  h[t] = tanh(h[t-1] + x[t])
}
sum(S) + S[-1]
by hand: 2 steps, 16 -> 13 nodes, so far
  1  inner [E]  in scan h
    1.1  mul-one [E]  h[t-1] * 1 => h[t-1]    # one times anything
  2  inner [E]  in scan h
    2.1  mul-one [E]  x[t] * 1 => x[t]    # one times anything
step  pass     rule     classes  error  ulp
1.1   by hand  mul-one  [E]      0      0
1     by hand  inner    [E]      0      0
2.1   by hand  mul-one  [E]      0      0
2     by hand  inner    [E]      0      0
4 steps, 4 compared: all within what their classes allow; largest error 0
1  expand-derivative  [E]  %5  grad(sum(x^3), x)  =>  where(3.0 == 0.0 and not …, 0, … * 3 * x^…)
  1  expand-derivative [E]    # operator by operator; reverse sweep over 4 nodes
      - grad(sum(x^3), x)
      + d_x = where(3.0 == 0.0 and not abs(x) > 0, 0, (broadcast_to(1.0, (4,)) * 3) * x^(3.0 -
            1.0))
where(3.0 == 0.0 and not abs(x) > 0, 0, broadcast_to(1.0, (4,)) * 3 * x^(3.0 - 1.0))
1  fold           [E]    %6   3.0 == 0.0                                   =>  false
2  eq-never       [D]    %6   3.0 == 0.0                                   =>  false
6  fold           [E]    %13  3.0 - 1.0                                    =>  2.0
8  broadcast-out  [E]    %12  broadcast_to(1.0, (4,)) * 3                  =>  broadcast_to(1.0 * 3.0, (4,))
9  flatten-mul    [R O]  %15  broadcast_to(1.0, (4,)) * 3 * x^(3.0 - 1.0)  =>  broadcast_to(1.0, (4,)) * 3 * x^(3.0 - 1.0) (mul)
  2  fold [E]  3.0 == 0.0 => false    # the value is known while the graph is built
where(false and not abs(x) > 0, 0, broadcast_to(1.0, (4,)) * 3 * x^(3.0 - 1.0))
step  pass     rule               classes  error  ulp
1     by hand  expand-derivative  [E]      0      0
2     by hand  fold               [E]      0      0
2 steps, 2 compared: all within what their classes allow; largest error 0
exit 1
