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
4  mul-one  [E]  %3  x[t] * 1    =>  x[t]
5  mul-one  [E]  %2  h[t-1] * 1  =>  h[t-1]
input.gr:6:12: error: mul-one fires in several places: %3, %2
    :move rule=mul-one
               ^^^^^^^
  hint: at=%K or nth=K says which one
  1  inner [E]  in scan h
    1.1  mul-one [E]  h[t-1] * 1 => h[t-1]    # 1 is neutral
S = scan t over x from h = 0.0 {
  h[t] = tanh(h[t-1] + x[t] * 1)
}
sum(S) + S[-1]
  2  inner [E]  in scan h
    2.1  mul-one [E]  x[t] * 1 => x[t]    # 1 is neutral
S = scan t over x from h = 0.0 {
  h[t] = tanh(h[t-1] + x[t])
}
sum(S) + S[-1]
by hand: 2 steps, 16 -> 13 nodes, so far
  1  inner [E]  in scan h
    1.1  mul-one [E]  h[t-1] * 1 => h[t-1]    # 1 is neutral
  2  inner [E]  in scan h
    2.1  mul-one [E]  x[t] * 1 => x[t]    # 1 is neutral
step  pass     rule     classes  error  ulp
1.1   by hand  mul-one  [E]      0      0
1     by hand  inner    [E]      0      0
2.1   by hand  mul-one  [E]      0      0
2     by hand  inner    [E]      0      0
4 steps, 4 compared: all within what their classes allow; largest error 0
1  expand-derivative  [E]  %5  grad(sum(x^3), x)  =>  3 * x^2
  1  expand-derivative [E]    # operator by operator; reverse sweep over 4 nodes
      grad(sum(x^3), x) => d_x = 3 * x^2
3 * x^2
no rule fires there
  2  pow-two [R]  x^2 => sqr(x)    # a square
3 * sqr(x)
step  pass     rule               classes  error  ulp
1     by hand  expand-derivative  [E]      0      0
2     by hand  pow-two            [R]      0      0
2 steps, 2 compared: all within what their classes allow; largest error 0
exit 1
