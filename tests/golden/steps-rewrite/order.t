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
canonicalize: 3 steps, 10 -> 7 nodes, done
  1  sqr-neg [E]  sqr(-c) => sqr(c)    # even function
  2  sub-neg [E]  b - -b => b + b    # subtracting a negation adds
  3  flatten-add [R O]    # nested sums become one sum
      exp(a) + (b + b) + sqr(c) + 1 => exp(a) + b + b + sqr(c) + 1
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
step  pass          rule         classes  error    ulp
1     canonicalize  sqr-neg      [E]      0        0
2     canonicalize  sub-neg      [E]      0        0
3     canonicalize  flatten-add  [R O]    1.7e-16  1
3 steps, 3 compared: all within what their classes allow; largest error 1.7e-16
step  pass           rule               classes   error    ulp
1.1   canonicalize   sqr-neg            [E R N+]  0        0
1     canonicalize   inner              [E R N+]  0        0
2     differentiate  expand-derivative  [E]       0        0
3     differentiate  mul-one            [E]       0        0
4     differentiate  flatten-mul        [R O]     0        0
5     differentiate  mul-one            [E]       0        0
6     differentiate  flatten-mul        [R O]     0        0
7     simplify       simplify           [R N+ O]  1.7e-16  1
8     expand         flatten-mul        [R O]     0        0
9     expand         flatten-mul        [R O]     1.7e-16  1
10 steps, 10 compared: all within what their classes allow; largest error 1.7e-16
canonicalize: 1 step, 8 -> 7 nodes, done
  1  same-sum [R O]  a + exp(b) + c => c + a + exp(b)    # a sum of the same terms already exists
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
