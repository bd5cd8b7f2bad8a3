# what :saturate and :equal gave last is what commands without an expression are about
x : f64; y : f64
:steps
y = x * x
:saturate (x + y)^2 - x^2 iterations=3
:steps by=rule
:audit
:graph step=1
:diff from=0 to=1
x = 3
:graph
:why %3
:draw step=1
:draw egraph f.svg
:explore egraph f.html
x : f64; y : f64
:equal sqr(x), x*x + 0*y
:audit
:bisect
:goto 1
:next
:step
:steps rule=add-zero
# refuted: there is no proof any more
:equal x, y
:steps
# what came last counts
:moves x * 1 + y
:move 1
:equal x, 1 * x
:steps
:moves
:steps
:equal 2 * x, x + x
:audit
---
input.gr:3:1: error: :steps needs an expression
    :steps
    ^^^^^^
  hint: :steps [EXPR] [pass=NAME] [rule=NAME] [by=rule] [open=K|all] [times=on]
iteration  e-nodes  classes  matches  best cost
1          14       9        7        6.804
2          24       12       12       6.804
3          56       18       50       6.804
limit of iterations: cost 126.505 -> 6.804 (time, exact)
sqr(x + y) - y
saturate: 3 steps, 7 -> 5 nodes, limit of iterations
  3 iterations, 56 e-nodes in 18 classes, limit of iterations
  1  square-power-back [R]  (x + y)^2 => sqr(x + y)    # a square
  2  square-power-back [R]  x^2 => sqr(x)    # a square
  3  square-product [R]  sqr(x) => y = x * x    # a square
nothing to do: inline, differentiate
steps  inside  rule               classes  pass
1      0       square-power-back  [R]      saturate
1      0       square-power-back  [R]      saturate
1      0       square-product     [R]      saturate
step  pass      rule               classes  error  ulp
1     saturate  square-power-back  [R]      0      0
2     saturate  square-power-back  [R]      0      0
3     saturate  square-product     [R]      0      0
3 steps, 3 compared: all within what their classes allow; largest error 0
x : f64
y = x * x
sqr(x + y) - x^2
- %4 : f64 = pow(%3, 2.0)
+ %7 : f64 = sqr(%3)
~ %6 : f64 = sub(%7, %5)
    was %6 : f64 = sub(%4, %5)
1 node removed, 1 added, 1 changed
x : f64
y = x * x
(x + y)^2 - x^2
%3 : f64 = add(%1, %2)
  from the source: x + x * x
  written at input.gr:5:12: x + y
input.gr:13:12: error: this goes with a picture, and the terminal shows none
    :draw step=1
               ^
  hint: `:draw EXPR FILE.svg` writes a picture; where the terminal shows some: `:set images kitty` (or iterm, sixel)
input.gr:14:1: error: which expression's e-graph?
    :draw egraph f.svg
    ^^^^^
  hint: :draw EXPR egraph FILE.svg, or :explore EXPR egraph FILE.html
input.gr:15:1: error: which expression's e-graph?
    :explore egraph f.html
    ^^^^^^^^
  hint: :draw EXPR egraph FILE.svg, or :explore EXPR egraph FILE.html
equal
saturate: 3 steps, 7 -> 2 nodes, saturated
  2 iterations, 15 e-nodes in 6 classes, equal
  1  mul-self-back [E]  sqr(x) => y = x * x    # a square
  2  mul-zero [Z N-]  0 * y => 0.0    # zero times anything finite; hides NaN and infinity
  3  add-zero [Z]  y + 0 => y = x * x    # zero plus anything; -0 + 0 is +0
nothing to do: inline, differentiate
step  pass      rule           classes  error  ulp
1     saturate  mul-self-back  [E]      0      0
2     saturate  mul-zero       [Z N-]   0      0
3     saturate  add-zero       [Z]      0      0
3 steps, 3 compared: all within what their classes allow; largest error 0
3 steps, 3 compared: none differs more than its classes allow
1/3  saturate, mul-self-back [E]
    # a square
    - sqr(x)
    + y = x * x
    used in y + 0 * y
2/3  saturate, mul-zero [Z N-]
    # zero times anything finite; hides NaN and infinity
    - 0 * y
    + 0.0
0/3  start
  = sqr(x)
    x * x + 0 * y
1/3  saturate, mul-self-back [E]
    # a square
    - sqr(x)
    + y = x * x
    used in y + 0 * y
2/3  saturate, mul-zero [Z N-]
    # zero times anything finite; hides NaN and infinity
    - 0 * y
    + 0.0
3/3  saturate, add-zero [Z]
    # zero plus anything; -0 + 0 is +0
    - y + 0
    + y = x * x
saturate: 3 steps, 7 -> 2 nodes, saturated
  2 iterations, 15 e-nodes in 6 classes, equal
  3  add-zero [Z]  y + 0 => y = x * x    # zero plus anything; -0 + 0 is +0
different: for x = -1.27022, y = -1.47487 the left side is -1.27022, the right side is -1.47487
input.gr:26:1: error: :steps needs an expression
    :steps
    ^^^^^^
  hint: :steps [EXPR] [pass=NAME] [rule=NAME] [by=rule] [open=K|all] [times=on]
1  mul-one  [E]  %2  x * 1  =>  x
  1  mul-one [E]  x * 1 => x    # one times anything
x + y
equal
saturate: 1 step, 3 -> 1 nodes, saturated
  1 iteration, 4 e-nodes in 2 classes, equal
  1  mul-one [E]  x * 1 => x    # one times anything
nothing to do: inline, differentiate
saturate: 1 step, 3 -> 1 nodes, saturated
  1 iteration, 4 e-nodes in 2 classes, equal
  1  mul-one [E]  x * 1 => x    # one times anything
nothing to do: inline, differentiate
no rule fires here
by hand: 1 step, 5 -> 3 nodes, so far
  1  mul-one [E]  x * 1 => x    # one times anything
equal
saturate: 1 step, 4 -> 2 nodes, saturated
  1 iteration, 4 e-nodes in 3 classes, equal
  1  term-twice-back [R]  2 * x => x + x    # twice
nothing to do: inline, differentiate
step  pass      rule             classes  error  ulp
1     saturate  term-twice-back  [R]      0      0
1 step, 1 compared: all within what their classes allow; largest error 0
exit 1
