# :steps, in parts and counted.
x : f64[3] = [1, 2, 3]
S = scan t over x from h = 1.0 { h[t] = tanh(1 * h[t-1] + x[t] * (1 * 1)) }
y = log(1 + exp(sum(S * 1))) + sqrt(sqr(exp(x[0])))
:steps y pass=stabilize
:steps y rule=mul-one
:steps y rule=mul-one pass=stabilize
:steps y rule=exp-log
:steps y by=rule
:steps y by=rule pass=canonicalize
:steps grad(sum(sin(x)), x) rule=expand-derivative open=all
:steps y by=pass
:steps y pass=nosuch
:steps y rule=nosuch
:steps y times=maybe
:steps y colour=red
---
stabilize: 2 steps, 17 -> 15 nodes, done
  5  log1p [R]  log(1 + exp(sum(h))) => log1p(exp(sum(h)))    # accurate for small x
  6  softplus [R N+]  log1p(exp(sum(h))) => softplus(sum(h))    # no overflow in exp
canonicalize: 4 steps, 24 -> 17 nodes, done
  1.1  mul-one [E]  1 * h[t-1] => h[t-1]    # 1 is neutral
  1.3  mul-one [E]  x[t] * 1 => x[t]    # 1 is neutral
  2  mul-one [E]  h * 1 => h = %7.h    # 1 is neutral
no step of mul-one; `:whynot mul-one EXPR` says why
no step of exp-log; `:whynot exp-log EXPR` says why
steps  inside  rule        classes  pass
3      2       mul-one     [E]      canonicalize
1      0       abs-known   [D]      canonicalize
1      1       fold        [E]      canonicalize
1      0       inner       [E]
1      0       log1p       [R]      stabilize
1      0       lower-scan  [E]      lower
1      0       softplus    [R N+]   stabilize
1      0       sqrt-sqr    [R N+]   canonicalize
steps  inside  rule       classes  pass
3      2       mul-one    [E]      canonicalize
1      0       abs-known  [D]      canonicalize
1      1       fold       [E]      canonicalize
1      0       inner      [E]
1      0       sqrt-sqr   [R N+]   canonicalize
differentiate: 1 step, 6 -> 2 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 3 nodes
      grad(sum(sin(x)), x) => d_x = cos(x)
    1.1  d seed [E R]    # the cotangent of the result is 1
        grad(sum(sin(x)), x) => vjp(sum(sin(x)), x, 1.0)[0]
    1.2  d sum [E R]    # d sum(x) = sum(dx): x gets dy repeated along the axes
        vjp(sum(sin(x)), x, 1.0)[0] => vjp(sin(x), x, broadcast_to(1.0, (3,)))[0]
    1.3  d sin [E R]    # d sin(x) = cos(x) dx
        vjp(sin(x), x, broadcast_to(1.0, (3,)))[0] => d_x = cos(x)
input.gr:12:13: error: by= is rule
    :steps y by=pass
                ^^^^
input.gr:13:15: error: there is no pass nosuch
    :steps y pass=nosuch
                  ^^^^^^
  hint: :passes lists them
input.gr:14:15: error: there is no rule nosuch
    :steps y rule=nosuch
                  ^^^^^^
  hint: :rules lists them
input.gr:15:16: error: times= is on or off
    :steps y times=maybe
                   ^^^^^
input.gr:16:10: error: :steps takes no colour=
    :steps y colour=red
             ^^^^^^^^^^
  hint: it takes pass=, rule=, by=, hide=, open=, form=, times=
exit 1
