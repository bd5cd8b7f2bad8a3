# rewriting by hand
x : f64; y : f64
:move log(1 + exp(x)) * 1
:move 2
:move
:graph
:undo
:move x
:move x - x
:move 1
:move tanh(x)
:move rule=tanh-quotient-back
---
1  softplus-form  [R N+]  %4  log(1 + exp(x))      =>  softplus(x)
2  log1p          [R]     %4  log(1 + exp(x))      =>  log1p(exp(x))
3  mul-one        [E]     %5  log(1 + exp(x)) * 1  =>  log(1 + exp(x))
  1  log1p [R]  log(1 + exp(x)) => log1p(exp(x))    # accurate for small x
log1p(exp(x)) * 1
1  log1p-open  [R]     %6  log1p(exp(x))      =>  log(1 + exp(x))
2  softplus    [R N+]  %6  log1p(exp(x))      =>  softplus(x)
3  mul-one     [E]     %5  log1p(exp(x)) * 1  =>  log1p(exp(x))
x : f64
log1p(exp(x)) * 1
again on the branch main, after 0 moves
log(1 + exp(x)) * 1
no rule fires here
1  sub-self     [N-]  %2  x - x  =>  0.0     not allowed
2  sub-add-neg  [E]   %2  x - x  =>  x + -x
input.gr:10:1: error: sub-self is of a class that is not allowed
    :move 1
    ^^^^^
  hint: :set allow N-
1  tanh-quotient-back  [R N+]  %2  tanh(x)  =>  sinh(x) / cosh(x)       only in proofs
2  tanh-sigmoid        [R]     %2  tanh(x)  =>  2 * sigmoid(2 * x) - 1
input.gr:12:1: error: tanh-quotient-back, read from right to left, would make nan of a number
    :move rule=tanh-quotient-back
    ^^^^^
  hint: :equal uses it in proofs
exit 1
