# what :saturate and :equal gave last is what commands without an expression are about
x : f64; y : f64
:steps
y = x * x
:saturate (x + y)^2 - x^2 iterations=3
:steps by=rule
:audit
:graph step=1
:diff step=1
x = 3
:graph
:why %3
:draw step=1
:draw egraph=on
:explore egraph=on
x : f64; y : f64
:equal cosh(x)^2 - sinh(x)^2, 1
:audit
:bisect
:step step=1
:step step=+1
:step
:steps rule=hyperbola
# refuted: there is no proof any more
:equal x, y
:steps
# what came last counts
:move x * 1 + y
:move 1
:equal x, 1 * x
:steps
:move
:steps
:equal 2 * x, x + x
:audit
---
input.gr:3:1: error: :steps needs an expression, because nothing was explored yet
    :steps
    ^^^^^^
  hint: :steps [EXPR] [pass=NAME] [rule=NAME] [by=rule] [hide=A,B] [open=K|all] [form=N] [times=on]
iteration  e-nodes  classes  matches  best cost
1          21       11       7        0.006802 us
2          41       14       49       0.006802 us
3          58       18       106      0.006802 us
limit of iterations: cost 0.1265 us -> 0.006802 us (time, exact)
x * x * x * (x + 2)
simplify: 1 step, 7 -> 6 nodes, done
  1  simplify [R N+ O]    # the same sum of products in fewer operations; collect x
      (x + x * x)^2 - x^2 => x^3 * (x + 2)
specialize: 2 steps, 6 -> 5 nodes, done
  2  pow-three [R]  x^3 => x * sqr(x)    # two products instead of a power
  3  flatten-mul [R O]    # nested products become one product
      (x * sqr(x)) * (x + 2) => x * sqr(x) * (x + 2)
saturate: 2 steps, 5 -> 4 nodes, limit of iterations
  3 iterations, 58 e-nodes in 18 classes, limit of iterations
  4  reorder [R O]    # the same operands in a different order
      x * sqr(x) * (x + 2) => sqr(x) * x * (x + 2)
  5  mul-self-back [E R O]  sqr(x) * x * (x + 2) => x * x * x * (x + 2)    # a square
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops
steps  inside  rule           classes   pass
1      0       flatten-mul    [R O]     canonicalize
1      0       mul-self-back  [E R O]   specialize
1      0       pow-three      [R]       specialize
1      0       reorder        [R O]     saturate
1      0       simplify       [R N+ O]  simplify
step  pass        rule           classes   error    ulp
1     simplify    simplify       [R N+ O]  3.9e-16  3
2     specialize  pow-three      [R]       1.7e-16  1
3     specialize  flatten-mul    [R O]     0        0
4     saturate    reorder        [R O]     0        0
5     saturate    mul-self-back  [E R O]   0        0
5 steps, 5 compared: all within what their classes allow; largest error 3.9e-16
x : f64
x^3 * (x + 2)
- %2 : f64 = mul(%1, %1)
- %3 : f64 = add(%1, %2)
- %4 : f64 = pow(%3, 2.0)
- %5 : f64 = pow(%1, 2.0)
- %6 : f64 = sub(%4, %5)
+ %7 : f64 = pow(%1, 3.0)
+ %8 : f64 = add(%1, 2.0)
+ %9 : f64 = mul(%7, %8)
- return %6
+ return %9
5 nodes removed, 3 added, 0 changed
x : f64
y = x * x
(x + y)^2 - x^2
%3 : f64 = add(%1, %2)
  from the source: x + x * x
  written at input.gr:5:12: x + y
  gone at step 1, simplify: simplify, as nothing needs it after that
input.gr:13:12: error: this goes with a picture, and the terminal shows none
    :draw step=1
               ^
  hint: `:draw EXPR FILE.svg` writes a picture; where the terminal shows some: `:set images kitty` (or iterm, sixel)
input.gr:14:1: error: the drawing of an e-graph goes to a file
    :draw egraph=on
    ^^^^^
  hint: :draw EXPR FILE.svg egraph=on, or :explore EXPR FILE.html egraph=on
input.gr:15:1: error: the page of an e-graph goes to a file
    :explore egraph=on
    ^^^^^^^^
  hint: :explore EXPR FILE.html egraph=on
equal up to rounding except where nan differs or an operation overflows or underflows: for x = 800.0 the left side is nan, the right side is 1.0 (by rules of classes Z N-, which are off: same-sum-of-products)
saturate: 4 steps, 8 -> 1 nodes, done
  2 iterations, 42 e-nodes in 21 classes, equal
  1  sub-add-neg [E]    # subtraction is addition of the negation
      cosh(x)^2 - sinh(x)^2 => cosh(x)^2 + -sinh(x)^2
  2  square-power-back [R]  cosh(x)^2 => sqr(cosh(x))    # a square
  3  hyperbola [R]  sqr(cosh(x)) => 1 + sqr(sinh(x))    # on the unit hyperbola
  4  same-sum-of-products [Z R N- O]    # the same sum of products in index form
      (1 + sqr(sinh(x))) + -sinh(x)^2 => 1.0
nothing to do: inline, differentiate
step  pass      rule                  classes     error    ulp
1     saturate  sub-add-neg           [E]         0        0
2     saturate  square-power-back     [R]         0        0
3     saturate  hyperbola             [R]         4.4e-16  2
4     saturate  same-sum-of-products  [Z R N- O]  2.2e-16  1
4 steps, 4 compared: all within what their classes allow; largest error 4.4e-16
4 steps, 4 compared: none differs more than its classes allow
1/4  saturate, sub-add-neg [E]
    # subtraction is addition of the negation
    - cosh(x)^2 «-» sinh(x)^2
    + cosh(x)^2 «+ -»sinh(x)^2
2/4  saturate, square-power-back [R]
    # a square
    - cosh(x)«^2»
    + «sqr(»cosh(x)«)»
    used in %9 + -sinh(x)^2
0/4  start
  = cosh(x)^2 - sinh(x)^2
    1.0
1/4  saturate, sub-add-neg [E]
    # subtraction is addition of the negation
    - cosh(x)^2 «-» sinh(x)^2
    + cosh(x)^2 «+ -»sinh(x)^2
2/4  saturate, square-power-back [R]
    # a square
    - cosh(x)«^2»
    + «sqr(»cosh(x)«)»
    used in %9 + -sinh(x)^2
3/4  saturate, hyperbola [R]
    # on the unit hyperbola
    - sqr(«cosh»(x))
    + «1 +» sqr(«sinh»(x))
    used in %11 + -sinh(x)^2
4/4  saturate, same-sum-of-products [Z R N- O]
    # the same sum of products in index form
    - (1 + sqr(sinh(x))) + -sinh(x)^2
    + 1.0
saturate: 4 steps, 8 -> 1 nodes, done
  2 iterations, 42 e-nodes in 21 classes, equal
  3  hyperbola [R]  sqr(cosh(x)) => 1 + sqr(sinh(x))    # on the unit hyperbola
different: for x = 0.0, y = 1.0 the left side is 0.0, the right side is 1.0
saturate: 4 steps, 8 -> 1 nodes, done
  2 iterations, 42 e-nodes in 21 classes, equal
  1  sub-add-neg [E]    # subtraction is addition of the negation
      cosh(x)^2 - sinh(x)^2 => cosh(x)^2 + -sinh(x)^2
  2  square-power-back [R]  cosh(x)^2 => sqr(cosh(x))    # a square
  3  hyperbola [R]  sqr(cosh(x)) => 1 + sqr(sinh(x))    # on the unit hyperbola
  4  same-sum-of-products [Z R N- O]    # the same sum of products in index form
      (1 + sqr(sinh(x))) + -sinh(x)^2 => 1.0
nothing to do: inline, differentiate
1  mul-one  [E]  %2  x * 1  =>  x
  1  mul-one [E]  x * 1 => x    # 1 is neutral
x + y
equal
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 4 e-nodes in 2 classes, equal
  1  mul-one [E]  1 * x => x    # 1 is neutral
nothing to do: inline, differentiate
saturate: 1 step, 3 -> 1 nodes, done
  1 iteration, 4 e-nodes in 2 classes, equal
  1  mul-one [E]  1 * x => x    # 1 is neutral
nothing to do: inline, differentiate
no rule fires here
by hand: 1 step, 5 -> 3 nodes, so far
  1  mul-one [E]  x * 1 => x    # 1 is neutral
equal
saturate: 1 step, 4 -> 2 nodes, done
  1 iteration, 4 e-nodes in 3 classes, equal
  1  term-twice-back [E]  2 * x => x + x    # twice
nothing to do: inline, differentiate
step  pass      rule             classes  error  ulp
1     saturate  term-twice-back  [E]      0      0
1 step, 1 compared: all within what their classes allow; largest error 0
exit 1
