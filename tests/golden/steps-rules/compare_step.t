# :compare off=#K leaves out one firing.
x : f64[3]
S = scan t over x from h = 1.0 { h[t] = tanh(1 * h[t-1] + x[t] * (1 * 1)) }
y = log(1 + exp(sum(S * 1))) + sqrt(sqr(exp(x[0])))
:compare y off=#5
:compare y off=#1.1
:compare y off=#2
:compare y off=#7
:compare exp(x * 1) + sin(x * 1) off=#1
:compare y off=#1
:compare y off=#99
:compare y off=#1.9
:compare y off=#5,#6
:compare y off=#x
:compare y off=#
---
                  as set     without #5
steps             7          5
  pass stabilize  2          0
  rule log1p      1          0
  rule softplus   1          0
nodes             22         24
predicted         0.6387 us  0.6391 us
not evaluated: x has no value
                as set     without #1.1
steps           7          7
  rule mul-one  3          2
nodes           22         24
predicted       0.6387 us  0.6387 us
not evaluated: x has no value
                     as set     without #2
steps                7          8
  pass canonicalize  4          5
  rule sum-scale     0          1
nodes                22         22
predicted            0.6387 us  0.6387 us
not evaluated: x has no value
                   as set     without #7
steps              7          6
  pass lower       1          0
  rule lower-scan  1          0
nodes              22         15
predicted          0.6387 us  0.6387 us
not evaluated: x has no value
                     as set     without #1
steps                2          1
  pass canonicalize  1          0
  rule mul-one       1          0
nodes                7          9
predicted            0.3022 us  0.3147 us
not evaluated: x has no value
input.gr:10:16: error: this step of inner cannot be left out by itself
    :compare y off=#1
                   ^^
  hint: the steps inside it can be left out: off=#1.1
input.gr:11:16: error: there is no step 99 here
    :compare y off=#99
                   ^^^
  hint: :steps numbers them
input.gr:12:16: error: there is no step 1.9 here
    :compare y off=#1.9
                   ^^^^
  hint: :steps numbers them
input.gr:13:19: error: one step can be left out at a time
    :compare y off=#5,#6
                      ^^
input.gr:14:16: error: a step is #7, or #9.1
    :compare y off=#x
                   ^^
  hint: :steps numbers them
input.gr:15:16: error: a step is #7, or #9.1
    :compare y off=#
                   ^
  hint: :steps numbers them
exit 1
