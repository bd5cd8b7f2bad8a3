# :equal grades its answer
x : f64; y : f64; a : f64; n : i64; f : f32; u : f64[m]; A : f64[m, m]
:equal a / a, 1
:equal x - x, 0
:equal x / x * x, x
:equal x + 0, x
:equal log(exp(x)), x
:equal n // n, 1
:equal n % n, 0
:equal inv(inv(A)), A
:equal sqrt(x)^2, x
:equal abs(x), -x
:equal log(x / y), log(x) - log(y) nodes=500
:equal sqr(x), x * x
:equal x * (y + a), x * y + x * a
# halves, integers below zero and at the ends, small sizes and large, equal values, single precision
:equal round(x), floor(x + 0.5)
:equal n // 2, i64(trunc(f64(n) / 2)) nodes=300
:equal n * 2 // 2, n
:equal mean(u), sum(u) / 3
:equal sum(u[:5]), sum(u)
:equal f64(x > y) + f64(y > x), 1
:equal minimum(x, 1e6), x
:equal round(f), floor(f + 0.5)
# what is allowed is not off
:set allow E R C N+ N- D
:equal a / a, 1
:set allow default
# a class may matter nowhere
:equal abs(n) * 0, 0 * n
---
equal except where nan differs: for a = 0.0 the left side is nan, the right side is 1.0 (by rules of class N-, which is off: divide-self)
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 5 e-nodes in 3 classes, equal
  1  divide-self [R N-]  a / a => 1.0    # the difference is zero; hides 0 / 0
nothing to do: inline, differentiate
equal except where nan differs: for x = inf the left side is nan, the right side is 0.0 (by rules of class N-, which is off: sub-self)
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 5 e-nodes in 3 classes, equal
  1  sub-self [N-]  x - x => 0.0    # hides inf - inf and NaN
nothing to do: inline, differentiate
equal except where nan differs: for x = 0.0 the left side is nan, the right side is 0.0 (by rules of classes Z N-, which are off: same-sum-of-products)
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 7 e-nodes in 3 classes, equal
  1  same-sum-of-products [Z R N- O]  x / x * x => x    # the same sum of products in index form
nothing to do: inline, differentiate
equal except where the sign of a zero differs: for x = -0.0 the left side is 0.0, the right side is -0.0 (by rules of class Z, which is off: add-zero)
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 4 e-nodes in 2 classes, equal
  1  add-zero [Z]  x + 0 => x    # 0 is neutral; -0 + 0 is +0
nothing to do: inline, differentiate
equal up to rounding except where an operation overflows or underflows: for x = 800.0 the left side is inf, the right side is 800.0
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 3 e-nodes in 2 classes, equal
  1  log-exp [R N+]  log(exp(x)) => x    # inverse pair; no overflow in exp
nothing to do: inline, differentiate
equal except where one side is an error: for n = 0 the left side is an error (integer division by zero), the right side is 1 (by rules of class S, which is off: floordiv-self)
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 3 e-nodes in 2 classes, equal
  1  floordiv-self [S]  n // n => 1    # a number divided by itself is 1; 0 // 0 is an error
nothing to do: inline, differentiate
equal except where one side is an error: for n = 0 the left side is an error (integer division by zero), the right side is 0 (by rules of class S, which is off: mod-self)
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 3 e-nodes in 2 classes, equal
  1  mod-self [S]  n % n => 0    # no remainder; 0 % 0 is an error
nothing to do: inline, differentiate
equal up to rounding except where one side is an error: for A = [[0.0]] the left side is an error (inv: singular matrix), the right side is [[0.0]] (by rules of class S, which is off: inv-inv)
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 3 e-nodes in 2 classes, equal
  1  inv-inv [R S]    # the inverse of the inverse; a singular matrix may go unnoticed
      inv(inv(A)) => A
nothing to do: inline, differentiate
equal up to rounding if x >= 0; otherwise, for x = -1.0 the left side is nan, the right side is -1.0 (by rules of class Z, which is off: sqr-sqrt-zero)
with that assumed, except where the sign of a zero differs: for x = -0.0 the left side is 0.0, the right side is -0.0
saturate: 2 steps, 4 -> 1 nodes, done
  2 iterations, 6 e-nodes in 3 classes, equal
  1  square-power-back [R]  sqrt(x)^2 => sqr(sqrt(x))    # a square
  2  sqr-sqrt-zero [Z R D]
      # a root squared; of -0 it is 0; `x` is not negative: x is at least 0, as it is assumed
      sqr(sqrt(x)) => x
nothing to do: inline, differentiate
equal if x <= 0; otherwise, for x = 1.0 the left side is 1.0, the right side is -1.0 (by rules of class Z, which is off: abs-known-neg)
with that assumed, except where the sign of a zero differs: for x = 0.0 the left side is 0.0, the right side is -0.0
saturate: 1 step, 3 -> 2 nodes, done
  1 iteration, 5 e-nodes in 3 classes, equal
  1  abs-known-neg [Z D]
      # it is not positive; `x` is not positive: x is at most 0, as it is assumed
      abs(x) => -x
nothing to do: inline, differentiate
equal up to rounding if x > 0 and y > 0; otherwise, for x = -1.0, y = -1.0 the left side is 0.0, the right side is nan
with that assumed, except where an operation overflows or underflows: for x = 1e+200, y = 1e-200 the left side is inf, the right side is 921.034
saturate: 1 step, 7 -> 5 nodes, done
  1 iteration, 11 e-nodes in 8 classes, equal
  1  log-of-quotient [R N+ D]
      # quotients become differences; `x` is positive: x is at least 4.94066e-324, as it is assumed;
      # `z` is positive: y is at least 4.94066e-324, as it is assumed
      log(x / y) => log(x) - log(y)
nothing to do: inline, differentiate
equal
saturate: 1 step, 3 -> 2 nodes, done
  1 iteration, 5 e-nodes in 3 classes, equal
  1  mul-self-back [E]  sqr(x) => x * x    # a square
nothing to do: inline, differentiate
equal up to rounding except where nan differs or an operation overflows or underflows: for x = 4.94065645841247e-324, y = -0.82, a = 1.47 the left side is 4.94065645841247e-324, the right side is 0.0
simplify: 1 step, 8 -> 5 nodes, done
  1  simplify [R N+ O]    # the same sum of products in fewer operations; factor x
      x * y + x * a => x * (y + a)
saturate: 0 steps, 5 -> 5 nodes, done
  0 iterations, 5 e-nodes in 5 classes, equal
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops, specialize
different: for x = 0.5 the left side is 0.0, the right side is 1.0
different: for n = -1 the left side is -1, the right side is 0
different: for n = 9223372036854775807 the left side is -1, the right side is 9223372036854775807
different: for u = [1.0] the left side is 1.0, the right side is 0.333333
different: for u = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0] the left side is 5.0, the right side is 9.0
different: for x = 0.0, y = 0.0 the left side is 0.0, the right side is 1.0
different: for x = 1e+16 the left side is 1000000.0, the right side is 1e+16
different: for f = 0.5 the left side is 0.0, the right side is 1.0
equal except where nan differs: for a = 0.0 the left side is nan, the right side is 1.0
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 5 e-nodes in 3 classes, equal
  1  divide-self [R N-]  a / a => 1.0    # the difference is zero; hides 0 / 0
nothing to do: inline, differentiate
equal
saturate: 2 steps, 5 -> 1 nodes, done
  1 iteration, 7 e-nodes in 3 classes, equal
  1-2  mul-zero-int [E]  2 times    # integers have no NaN
      e.g. abs(n) * 0 => 0
nothing to do: inline, differentiate
