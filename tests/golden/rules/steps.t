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
:steps grad(y, x) rule=expand-derivative open=all
:steps y by=pass
:steps y pass=nosuch
:steps y rule=nosuch
:steps y times=maybe
:steps y colour=red
---
stabilize: 2 steps, 18 -> 16 nodes, saturated
  4  log1p [R]  log(1 + exp(%25)) => log1p(exp(sum(%23)))    # accurate for small x
  5  softplus [R N+]  log1p(exp(sum(%23))) => softplus(sum(%22.trace))    # no overflow in exp
canonicalize: 3 steps, 24 -> 18 nodes, saturated
  1.1  mul-one [E]  1 * h[t-1] => h[t-1]    # one times anything
  1.3  mul-one [E]  x[t] * 1 => x[t]    # one times anything
  2  mul-one [E]  %22.trace * 1 => %22.trace    # one times anything
no step of mul-one; `:whynot mul-one EXPR` tells why
no step of exp-log; `:whynot exp-log EXPR` tells why
steps  inside  rule        classes  pass
3      2       mul-one     [E]      canonicalize
1      1       fold        [E]      canonicalize
1      0       inner       [E]
1      0       log1p       [R]      stabilize
1      0       lower-scan  [E]      lower
1      0       softplus    [R N+]   stabilize
1      0       sqrt-sqr    [R N+]   canonicalize
steps  inside  rule      classes  pass
3      2       mul-one   [E]      canonicalize
1      1       fold      [E]      canonicalize
1      0       inner     [E]
1      0       sqrt-sqr  [R N+]   canonicalize
differentiate: 3 steps, 19 -> 38 nodes, saturated
  3  expand-derivative [E]  grad(softplus(%27) + abs(%15), x) => %54.trace with [0] += (1 * %58) * exp(%56), value_and_grad(softplus(%27) + abs(%15), x)[0] => softplus(sum(%43)) + abs(exp(%56)), %40 = scan(3, from=1.0, over=x), %42 = scan(3, from=1.0, over=x), %54 = scan(3, from=0.0, over=(%40.trace[1], x, broadcast_to(1 * %45, (3,))), reverse=true)    # operator by operator; reverse sweep over 16 nodes
    3.1  d seed [E]  grad(softplus(%27) + abs(%15), x) => vjp(softplus(%27) + abs(%15), x, 1.0)[0], value_and_grad(softplus(%27) + abs(%15), x)[0] => softplus(sum(%43)) + abs(exp(%56)), %42 = scan(3, from=1.0, over=x)    # the cotangent of the result is 1
    3.2  d add [E]  vjp(softplus(%27) + abs(%15), x, 1.0)[0] => vjp((softplus(sum(%25)), abs(exp(%14))), x, (1.0, 1.0))[0]    # d (x + z) = dx + dz
    3.3  d abs [E]  vjp((softplus(sum(%25)), abs(exp(%14))), x, (1.0, 1.0))[0] => vjp((softplus(sum(%25)), exp(x[0])), x, (1.0, 1 * sign(%57)))[0]    # d abs(x) = sign(x) dx
    3.4  d exp [E]  vjp((softplus(sum(%25)), exp(x[0])), x, (1.0, 1 * sign(%57)))[0] => vjp((softplus(sum(%25)), x[0]), x, (1.0, (1 * %58) * exp(%56)))[0]    # d exp(x) = y dx
    3.5  d index [E]  vjp((softplus(sum(%25)), x[0]), x, (1.0, (1 * %58) * exp(%56)))[0] => (broadcast_to(0.0, (3,)) with [0] += %59 * %57) + vjp(softplus(%27), x, 1.0)[0]    # d x[i] = dx[i]: dy is added at place i of zeros
    3.6  d softplus [E]  (broadcast_to(0.0, (3,)) with [0] += %59 * %57) + vjp(softplus(%27), x, 1.0)[0] => (broadcast_to(0.0, (3,)) with [0] += %59 * %57) + vjp(sum(%25), x, 1 * %45)[0], %42 = scan(3, from=1.0, over=x)    # d softplus(x) = sigmoid(x) dx
    3.7  d sum [E]  (broadcast_to(0.0, (3,)) with [0] += %59 * %57) + vjp(sum(%25), x, 1 * %45)[0] => (broadcast_to(0.0, (3,)) with [0] += %59 * %57) + vjp(%24.trace, x, broadcast_to(%46, (3,)))[0]    # d sum(x) = sum(dx): x gets dy repeated along the axes
    3.8  d scan [E]  (broadcast_to(0.0, (3,)) with [0] += %59 * %57) + vjp(%24.trace, x, broadcast_to(%46, (3,)))[0] => %110.trace with [0] += (1 * %58) * exp(%56), %40 = scan(3, from=1.0, over=x), %110 = scan(3, from=0.0, over=(%40.trace[1], x, broadcast_to(1 * %45, (3,))), reverse=true)    # the loop runs the other way; it carries the cotangents of h[t-1]; it gives step by step those of x[t]; kept before each step: h[t-1]
    3.9  d scan [E]  %111 => %61    # the body's derivative, operator by operator
      3.9.1  d tanh [E]  vjp((tanh(h[t-1] + x[t]), tanh(h[t-1] + x[t])), (h[t-1], x[t]), (d h[t-1], d trace))[0] => vjp(h[t-1] + x[t], (h[t-1], x[t]), (d h[t-1] + d trace) * (1 - %51))[0], vjp((tanh(h[t-1] + x[t]), tanh(h[t-1] + x[t])), (h[t-1], x[t]), (d h[t-1], d trace))[1] => vjp(h[t-1] + x[t], (h[t-1], x[t]), (d h[t-1] + d trace) * (1 - %51))[1], vjp((tanh(h[t-1] + x[t]), tanh(h[t-1] + x[t])), (h[t-1], x[t]), (d h[t-1], d trace))[2] => tanh(h[t-1] + x[t]), vjp((tanh(h[t-1] + x[t]), tanh(h[t-1] + x[t])), (h[t-1], x[t]), (d h[t-1], d trace))[3] => tanh(h[t-1] + x[t])    # d tanh(x) = (1 - y * y) dx
      3.9.2  d add [E]  vjp(h[t-1] + x[t], (h[t-1], x[t]), (d h[t-1] + d trace) * (1 - %51))[0] => (d h[t-1] + d trace) * (1 - %50 * %50), vjp(h[t-1] + x[t], (h[t-1], x[t]), (d h[t-1] + d trace) * (1 - %51))[1] => (d h[t-1] + d trace) * (1 - %50 * %50)    # d (x + z) = dx + dz
input.gr:12:13: error: by= is step or rule
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
  hint: it takes pass=, rule=, by=, open=, times=
exit 1
