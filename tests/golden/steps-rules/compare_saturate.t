# equality saturation against the passes: what each of them does, and what the result costs
g : f64[1000]; h : f64[1000]; a : f64
:compare (exp(g) * exp(h))[10] passes=inline,differentiate,saturate,fuse,lower
:compare a * 2 / 2 passes=inline,saturate
:compare a * 2 / 2 passes=saturate,default
A : f64[n, n]; v : f64[n]; w : f64[n]
:compare (A @ v) * 3 + (A @ w) * 3 passes=inline,saturate,fuse,lower
:compare sum(v * 3) passes=inline,saturate
S = scan t for 20 from s = a { s[t] = s[t-1] * 2 / 2 + a * 3 }
:compare S[-1] passes=inline,saturate,loops,lower
:set passes inline saturate
:compare a * 2 / 2 passes=default
:compare a * 2 / 2 off=saturate
:compare a * 2 / 2 passes=lower,defaults
---
                          as set     passes inline,differentiate,saturate,fuse,lower
steps                     2          3
  pass canonicalize       2          0
  pass saturate           0          3
  rule exp-exp            1          0
  rule index-elementwise  1          0
  rule index-of-mul       0          1
  rule stable-view        0          1
  rule exp-of-sum         0          1
nodes                     7          7
predicted                 0.2118 us  0.2118 us
not evaluated: h has no value
                             as set  passes inline,saturate
steps                        1       1
  pass simplify              1       0
  pass saturate              0       1
  rule simplify              1       0
  rule same-sum-of-products  0       1
nodes                        1       1
predicted                    0.2 us  0.2 us
not evaluated: a has no value
                             as set  passes saturate,default
steps                        1       1
  pass simplify              1       0
  pass saturate              0       1
  rule simplify              1       0
  rule same-sum-of-products  0       1
nodes                        1       1
predicted                    0.2 us  0.2 us
not evaluated: a has no value
                 as set    passes inline,saturate,fuse,lower
steps            1         1
  pass simplify  1         0
  pass fuse      0         1
  rule simplify  1         0
  rule fuse      0         1
nodes            7         13
predicted        1.206 us  2.076 us
not evaluated: A has no value
                       as set     passes inline,saturate
steps                  1          1
  pass canonicalize    1          0
  pass saturate        0          1
  rule sum-scale       1          0
  rule sum-scale-many  0          1
nodes                  4          4
predicted              0.2677 us  0.2677 us
not evaluated: v has no value
                              as set     passes inline,saturate,loops,lower
steps                         5          10
  pass canonicalize           1          0
  pass simplify               1          0
  pass lower                  1          0
  pass saturate               0          8
  rule tail                   1          0
  rule simplify               1          0
  rule dead-results           1          0
  rule hoist                  1          0
  rule lower-scan             1          0
  rule same-sum-of-products   0          1
  rule running-form           0          1
  rule map                    0          1
  rule index-of-add           0          1
  rule index-repeated         0          1
  rule last-of-running-there  0          1
  rule sum-along              0          1
  rule flatten-mul            0          1
  rule fold                   0          1
  rule fold-mul               0          1
nodes                         16         4
predicted                     0.5697 us  0.2017 us
not evaluated: a has no value
                             as set  passes default
steps                        1       1
  pass saturate              1       0
  pass simplify              0       1
  rule same-sum-of-products  1       0
  rule simplify              0       1
nodes                        1       1
predicted                    0.2 us  0.2 us
not evaluated: a has no value
                             as set  without saturate
steps                        1       0
  pass saturate              1       0
  rule same-sum-of-products  1       0
nodes                        1       4
predicted                    0.2 us  0.2044 us
not evaluated: a has no value
input.gr:14:33: error: there is no pass defaults
    :compare a * 2 / 2 passes=lower,defaults
                                    ^^^^^^^^
  hint: :passes lists them
exit 1
