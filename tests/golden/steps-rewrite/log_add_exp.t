# the logarithm of a sum of two exponentials
a : f64[3] = [1000, -1000, 2]
b : f64[3] = [999, -1001, 5]
:steps log(exp(a) + exp(b)) rule=log-add-exp
log(exp(a) + exp(b))
log(exp(a) + exp(a))
grad(sum(log(exp(a) + exp(b))), [a, b])
:audit log(exp(a) + exp(b))
# a chain of them, as in sums over paths
(scan t over b from s = 700.0 { s[t] = log(exp(s[t-1] + 1) + exp(b[t])) }).final
# three, or a number, are none
:steps log(exp(a) + exp(b) + exp(2 * a)) rule=log-add-exp
:steps log(2 + exp(a)) rule=log-add-exp
:set rule log-add-exp off
log(exp(a) + exp(b))
---
stabilize: 1 step, 6 -> 3 nodes, done
  1  log-add-exp [R N+]  log(exp(a) + exp(b)) => logaddexp(b, a)    # no overflow in exp
f64[3] = [1000.31, -999.687, 5.04859]
f64[3] = [1000.69, -999.307, 2.69315]
[0] : f64[3] = [0.731059, 0.731059, 0.0474259]
[1] : f64[3] = [0.268941, 0.268941, 0.952574]
step  pass       rule         classes  error    ulp
1     stabilize  log-add-exp  [R N+]   2.2e-16  1    nan or infinity is gone
1 step, 1 compared: all within what their classes allow; largest error 2.2e-16
f64 = 1001.0
no step of log-add-exp; `:whynot log-add-exp EXPR` says why
no step of log-add-exp; `:whynot log-add-exp EXPR` says why
f64[3] = [inf, -inf, 5.04859]
