# Three floats or more are added in the order in which they stand, whatever they are called and
# whatever becomes of them: exact steps below a sum leave its last bits alone.
a : f64 = 0.1
b : f64 = 0.2
c : f64 = 0.3
a + b + c
c + b + a
b + c + a
:steps exp(a) + (b - -b) + sqr(-c) + 1
:audit exp(a) + (b - -b) + sqr(-c) + 1
# the same for the derivative of another form: its steps have R
:audit grad(sqr(-a) * exp(a) * b, a)
# sums of the same terms in another order are computed once
:steps (a + exp(b) + c) * sin(c + a + exp(b))
---
f64 = 0.6000000000000001
f64 = 0.6
f64 = 0.6
canonicalize: 5 steps, 12 -> 7 nodes, saturated
  1  sub-neg [E]  b - -b => b + b    # minus minus is plus
  2  flatten-add [R]  exp(a) + (b + b) => exp(a) + b + b    # one sum instead of nested sums
  3  sqr-neg [E]  sqr(-c) => sqr(c)    # even function
  4-5  flatten-add [R]  2 times    # one sum instead of nested sums
      e.g. (exp(a) + b + b) + sqr(c) => exp(a) + b + b + sqr(c)
nothing to do: inline, stabilize, differentiate, expand, loops, specialize, fuse, lower
step  pass          rule         classes  error    ulp
1     canonicalize  sub-neg      [E]      0        0
2     canonicalize  flatten-add  [R]      1.7e-16  1
3     canonicalize  sqr-neg      [E]      0        0
4     canonicalize  flatten-add  [R]      0        0
5     canonicalize  flatten-add  [R]      0        0
5 steps, 5 compared: all within what their classes allow; largest error 1.7e-16
step  pass           rule               classes  error  ulp
1.1   canonicalize   sqr-neg            [E R]    0      0
1.2   canonicalize   flatten-mul        [R]      0      0
1     canonicalize   inner              [E R]    0      0
2     differentiate  expand-derivative  [E]      0      0
3     differentiate  mul-one            [E R]    0      0
4     differentiate  flatten-mul        [R]      0      0
5     differentiate  mul-one            [E R]    0      0
6     differentiate  flatten-mul        [R]      0      0
8 steps, 8 compared: all within what their classes allow; largest error 0
canonicalize: 3 steps, 10 -> 7 nodes, saturated
  1-2  flatten-add [R]  2 times    # one sum instead of nested sums
      e.g. (c + a) + exp(b) => c + a + exp(b)
  3  same-sum [R]  a + exp(b) + c => c + a + exp(b)    # a sum of the same terms is there already
nothing to do: inline, stabilize, differentiate, expand, loops, specialize, fuse, lower
