# Values at random have the sizes that other inputs give: n is 2 in every round, so `ones((n,))` fits each of them.
S : f64[n, n] = [[2, 1], [1, 3]]
B : f64[n, m]
:audit 1 * (B * (2 * ones((n,)))[:, None])
# A size made of others has the value that they make: m is 3 where no value says more, so 2 * m is 6.
y : f64[2 * m]
:audit 1 * (y * ones((2 * m,)))
---
step  pass          rule              classes  error  ulp
1     canonicalize  broadcast-out     [E]      0      0
2     canonicalize  fold              [E]      0      0
3     canonicalize  broadcast-expand  [E]      0      0
4     canonicalize  flatten-mul       [R O]    0      0
5     canonicalize  mul-one           [E]      0      0
5 steps, 5 compared: all within what their classes allow; largest error 0
step  pass          rule            classes  error  ulp
1     canonicalize  broadcast-into  [E]      0      0
2     canonicalize  mul-one         [E]      0      0
3     canonicalize  mul-one         [E]      0      0
3 steps, 3 compared: all within what their classes allow; largest error 0
