# rewriting by hand
x : f64; y : f64
:moves log(1 + exp(x)) * 1
:moves log(1 + exp(x)) * 1 move=2
:moves x
:moves x - x
:moves x move=3
---
1  softplus-form  [R N+]  log(1 + exp(x))      =>  softplus(x)
2  log1p          [R]     log(1 + exp(x))      =>  log1p(exp(x))
3  mul-one        [E]     log(1 + exp(x)) * 1  =>  log(1 + exp(x))
log1p(exp(x)) * 1
no rule fires here
1  sub-self     [N-]  x - x  =>  0.0     not allowed
2  sub-add-neg  [E]   x - x  =>  x + -x
input.gr:7:15: error: there are 0 moves
    :moves x move=3
                  ^
  hint: :moves EXPR lists them
exit 1
