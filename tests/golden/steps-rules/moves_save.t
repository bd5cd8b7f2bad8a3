# a derivation with branches is saved with all of them, and what they have in common once
# shows: proof.gr
x : f64; y : f64
:move log(1 + x * 1) + exp(y) * exp(x)
:move branch=other
:move rule=mul-one
:move branches=on
:move branch=third
:move rule=log1p
:move branch=main
:move rule=exp-exp
:move branch=other
:move rule=exp-of-sum
:move rule=log1p
:move branch=third
:save proof.gr
:move branches=on
---
1  mul-one     [E]         %2  x * 1            =>  x
2  factor-one  [Z R N+ O]  %3  1 + x * 1        =>  (1 + x) * 1   not allowed
3  log1p       [R]         %4  log(1 + x * 1)   =>  log1p(x * 1)
4  exp-exp     [R N+]      %8  exp(y) * exp(x)  =>  exp(y + x)
5  exp-of-sum  [R N+]      %8  exp(y) * exp(x)  =>  exp(y + x)
other begins after 0 moves
log(1 + x * 1) + exp(y) * exp(x)
  1  mul-one [E]  x * 1 => x    # 1 is neutral
log(1 + x) + exp(y) * exp(x)
   branch  moves  cost        goal
   main    0      0.02791 us  log(1 + x * 1) + exp(y) * exp(x)
*  other   1      0.02621 us  log(1 + x) + exp(y) * exp(x)
third begins after 1 move
log(1 + x) + exp(y) * exp(x)
  2  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
log1p(x) + exp(y) * exp(x)
main, after 0 moves
log(1 + x * 1) + exp(y) * exp(x)
  1  exp-exp [R N+]  exp(y) * exp(x) => exp(y + x)    # one exponential instead of two
log(1 + x * 1) + exp(y + x)
other, after 1 move
log(1 + x) + exp(y) * exp(x)
  2  exp-of-sum [R N+]  exp(y) * exp(x) => exp(y + x)    # sums become products
log(1 + x) + exp(y + x)
  3  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
log1p(x) + exp(y + x)
third, after 2 moves
log1p(x) + exp(y) * exp(x)
2 statements and 5 moves in proof.gr
   branch  moves  cost        goal
   main    1      0.02121 us  log(1 + x * 1) + exp(y + x)
   other   3      0.0208 us   log1p(x) + exp(y + x)
*  third   2      0.02751 us  log1p(x) + exp(y) * exp(x)
==> proof.gr
x : f64
y : f64

# an interactive derivation and its result
:move log(1 + x * 1) + exp(y) * exp(x)
:move branch=other
:move rule=mul-one at=%2
:move branch=third
:move rule=log1p at=%4
:expect log1p(x) + exp(y) * exp(x)
:move branch=other
:move rule=exp-of-sum at=%8
:move rule=log1p at=%4
:expect log1p(x) + exp(y + x)
:move branch=main
:move rule=exp-exp at=%8
:expect log(1 + x * 1) + exp(y + x)
:move branch=third
