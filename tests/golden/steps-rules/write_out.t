a : f64
b : f64
x : f64[3]
:equal (scan t for 4 from s = 0.0 { s[t] = a * s[t-1] + b }).final, b * (1 - a^4) / (1 - a)
:equal (scan t for 3 from s = 0.0 { s[t] = a * s[t-1] + x[t] }).final, x[2] + a * x[1] + a^2 * x[0]
:equal (scan t for 3 from s = 0.0 { s[t] = a * s[t-1] + x[t] }).final, x[0] + a * x[1] + a^2 * x[2]
:equal (scan t for 3 from s = 1.0 { s[t] = s[t-1] * s[t-1] * a }).final, a^7
:try write-out (scan t for 3 from s = 1.0 { s[t] = s[t-1] * a }).final
:whynot write-out (scan t for 20 from s = 1.0 { s[t] = s[t-1] * a }).final
:whynot write-out (scan t for 5 from s = 1.0 { s[t] = s[t-1] * a; until s[t] > 3 }).final
y : f64[3]
A : f64[2, 2]
:equal x[0] + x[1] + x[2], sum(x)
:equal x[0] * y[0] + x[1] * y[1] + x[2] * y[2], x @ y
:equal x[0] * y[0] + x[1] * y[1] + x[2] * y[1], x @ y
:equal trace(A), A[0, 0] + A[1, 1]
:equal mean(x), (x[0] + x[1] + x[2]) / 3
---
equal up to rounding except where nan or the sign of a zero differs or an operation overflows or underflows: for a = 1.0, b = 1.0 the left side is 4.0, the right side is nan (by rules of classes Z N-, which are off: same-sum-of-products, factor-one)
saturate: 4 steps, 18 -> 9 nodes, done
  2 iterations, 92 e-nodes in 37 classes, equal
  1  write-out [E]    # the steps of a loop, one after another; 4 steps
      scan s (%5) is gone
      - %5.final.s
      + s[3] = a * (a * (a * (a * 0 + b) + b) + b) + b
  2  same-sum-of-products [Z R N- O]    # the same sum of products in index form
      s[0] = a * 0 + b => b
  3  factor-one [Z R N+ O]  a * (a * b + b) => a * (1 + a) * b    # x is 1 * x
  4  same-sum-of-products [Z R N+ N- O]    # the same sum of products in index form
      s[3] = a * (a * (1 + a) * b + b) + b => b * (1 - a^4) / (1 - a)
nothing to do: inline, differentiate
equal up to rounding except where nan or the sign of a zero differs or an operation overflows or underflows: for a = 1e+200, x = [0.0, 0.0, 0.0] the left side is 0.0, the right side is nan (by rules of classes Z N-, which are off: same-sum-of-products)
saturate: 3 steps, 25 -> 13 nodes, done
  2 iterations, 58 e-nodes in 28 classes, equal
  1  index-rows [E]    # indexing by the step number reads a sequence; rows from 0 on
      scan s: it no longer reads t step by step
      it no longer reads x
      at each step it reads x[t]
  2  write-out [E]    # the steps of a loop, one after another; 3 steps
      scan s (%7) is gone
      - %7.final.s
      + s[2] = a * (a * (a * 0 + x[0]) + x[1]) + x[2]
  3  same-sum-of-products [Z R N+ N- O]    # the same sum of products in index form
      s[2] = a * (a * (a * 0 + x[0]) + x[1]) + x[2] => x[2] + a * x[1] + a^2 * x[0]
nothing to do: inline, differentiate
different: for a = 0.0, x = [1.0, 0.0, 0.0] the left side is 0.0, the right side is 1.0
equal up to rounding
saturate: 2 steps, 10 -> 3 nodes, done
  1 iteration, 26 e-nodes in 15 classes, equal
  1  write-out [E]    # the steps of a loop, one after another; 3 steps
      scan s (%3) is gone
      - %3.final.s
      + s[2] = ((1 * 1 * a) * (1 * 1 * a) * a) * ((1 * 1 * a) * (1 * 1 * a) * a) * a
  2  same-sum-of-products [R O]    # the same sum of products in index form
      s[2] = ((1 * 1 * a) * (1 * 1 * a) * a) * ((1 * 1 * a) * (1 * 1 * a) * a) * a => a^7
nothing to do: inline, differentiate
write-out [E]  %3.final => ((1 * a) * a) * a, %3.trace => concat((expand_dims(1 * a, axis=0), expand_dims(%5 * a, axis=0), expand_dims(%6 * a, axis=0)), axis=0), %3.steps => 3, %3.stopped => false
  # the steps of a loop, one after another; 3 steps
  before  scan(3, from=1.0, using=a).final
  after   1 * a * a * a
write-out does not fire
  at %3, scan s: it takes 20 steps
  `:help write-out`: what it matches, and when
write-out does not fire
  at %4, scan s: `until` may end it at any step
  `:help write-out`: what it matches, and when
equal except where the sign of a zero differs: for x = [-0.0, -0.0, -0.0] the left side is -0.0, the right side is 0.0 (by rules of class Z, which is off: same-sum-of-products)
saturate: 1 step, 9 -> 2 nodes, done
  1 iteration, 9 e-nodes in 8 classes, equal
  1  same-sum-of-products [Z R O]    # the same sum of products in index form
      x[0] + x[1] + x[2] => sum(x)
nothing to do: inline, differentiate
equal except where the sign of a zero differs: for x = [-0.0, -0.0, -0.0], y = [1.0, 1.0, 1.0] the left side is -0.0, the right side is 0.0 (by rules of class Z, which is off: same-sum-of-products)
saturate: 4 steps, 16 -> 3 nodes, done
  2 iterations, 20 e-nodes in 16 classes, equal
  1-3  index-of-mul-back [E]  3 times    # indexing commutes with elementwise operators
      e.g. x[0] * y[0] => (x * y)[0]
  4  same-sum-of-products [Z R O]    # the same sum of products in index form
      (x * y)[0] + (x * y)[1] + (x * y)[2] => x @ y
nothing to do: inline, differentiate
different: for x = [1.0, 0.0, 1.0], y = [0.0, 1.0, 0.0] the left side is 1.0, the right side is 0.0
equal except where the sign of a zero differs: for A = [[-0.0, 0.0], [0.0, -0.0]] the left side is 0.0, the right side is -0.0 (by rules of class Z, which is off: same-sum-of-products)
saturate: 1 step, 9 -> 8 nodes, done
  2 iterations, 19 e-nodes in 16 classes, equal
  1  same-sum-of-products [Z R O]    # the same sum of products in index form
      trace(A) => A[0][0] + A[1][1]
nothing to do: inline, differentiate
equal except where the sign of a zero differs: for x = [-0.0, -0.0, -0.0] the left side is 0.0, the right side is -0.0 (by rules of class Z, which is off: same-sum-of-products)
saturate: 1 step, 11 -> 10 nodes, done
  2 iterations, 18 e-nodes in 13 classes, equal
  1  same-sum-of-products [Z R N+ O]    # the same sum of products in index form
      mean(x) => (x[0] + x[1] + x[2]) / 3
nothing to do: inline, differentiate
