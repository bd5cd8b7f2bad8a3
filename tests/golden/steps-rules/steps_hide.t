# :steps without the steps of some rules, which are counted.
x : f64[3] = [1, 2, 3]
S = scan t over x from h = 1.0 { h[t] = tanh(1 * h[t-1] + x[t] * (1 * 1)) }
y = log(1 + exp(sum(S * 1))) + sqrt(sqr(exp(x[0])))
:steps y pass=canonicalize hide=mul-one,fold
:steps y hide=mul-one,inner by=rule
:steps y hide=mul-one,mul-one,exp-log pass=stabilize
:steps grad(sum(sin(x)), x) open=all hide="d sum,expand-derivative"
:steps grad(sum(sin(x)), x) open=all hide="d sum"
:steps y hide="d sin,d sine"
:steps y hide=mul-on
:steps y hide=mul-one,,fold
:steps y hide=fold,mul-one rule=mul-one
:set rule fold off
:steps y hide=fold pass=canonicalize
---
canonicalize: 4 steps, 24 -> 17 nodes, done
  1  inner [E]  in scan h
  3  sqrt-sqr [R N+]  sqrt(sqr(exp(x[0]))) => abs(exp(x[0]))    # no overflow in the square
  4  abs-known [D]
      # it is not negative; `x` is not negative: exp(x[0]) is at least 0; `x` is never -0
      abs(exp(x[0])) => exp(x[0])
hidden: 3 steps of mul-one, 1 of fold
steps  inside  rule        classes  pass
1      0       abs-known   [D]      canonicalize
1      1       fold        [E]      canonicalize
1      0       log1p       [R]      stabilize
1      0       lower-scan  [E]      lower
1      0       softplus    [R N+]   stabilize
1      0       sqrt-sqr    [R N+]   canonicalize
hidden: 3 steps of mul-one, 1 of inner
stabilize: 2 steps, 17 -> 15 nodes, done
  5  log1p [R]  log(1 + exp(sum(h))) => log1p(exp(sum(h)))    # accurate for small x
  6  softplus [R N+]  log1p(exp(sum(h))) => softplus(sum(h))    # no overflow in exp
hidden: 0 steps of mul-one, 0 of exp-log
differentiate: 1 step, 6 -> 2 nodes, done
nothing to do: inline, canonicalize, stabilize, simplify, expand, loops, specialize, fuse, lower
hidden: 0 steps of d sum, 1 of expand-derivative
differentiate: 1 step, 6 -> 2 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 3 nodes
      grad(sum(sin(x)), x) => d_x = cos(x)
    1.1  d seed [E R]    # the cotangent of the result is 1
        grad(sum(sin(x)), x) => vjp(sum(sin(x)), x, 1.0)[0]
    1.3  d sin [E R]    # d sin(x) = cos(x) dx
        vjp(sin(x), x, broadcast_to(1.0, (3,)))[0] => d_x = cos(x)
nothing to do: inline, canonicalize, stabilize, simplify, expand, loops, specialize, fuse, lower
hidden: 1 step of d sum
input.gr:10:21: error: there is no rule d sine
    :steps y hide="d sin,d sine"
                        ^^^^^^
  hint: :rules lists them
input.gr:11:15: error: there is no rule mul-on
    :steps y hide=mul-on
                  ^^^^^^
  hint: did you mean mul-one?
input.gr:12:15: error: a name is missing in hide=mul-one,,fold
    :steps y hide=mul-one,,fold
                  ^^^^^^^^^^^^^
input.gr:13:20: error: rule= and hide= both name mul-one
    :steps y hide=fold,mul-one rule=mul-one
                       ^^^^^^^
canonicalize: 4 steps, 24 -> 17 nodes, done
  1  inner [E]  in scan h
    1.1-3  mul-one [E]  3 times    # 1 is neutral
        e.g. 1 * h[t-1] => h[t-1]
  2  mul-one [E]  h * 1 => h = %7.h    # 1 is neutral
  3  sqrt-sqr [R N+]  sqrt(sqr(exp(x[0]))) => abs(exp(x[0]))    # no overflow in the square
  4  abs-known [D]
      # it is not negative; `x` is not negative: exp(x[0]) is at least 0; `x` is never -0
      abs(exp(x[0])) => exp(x[0])
hidden: 0 steps of fold
exit 1
