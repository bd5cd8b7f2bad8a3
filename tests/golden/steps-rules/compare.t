# Two pipelines side by side.
x : f64[n]
S = scan t over x from h = 1.0 { h[t] = tanh(1 * h[t-1] + x[t]) }
y = log(1 + S[-1]) * 1
:compare y off=stabilize,mul-one
:compare y passes=canonicalize,stabilize,lower
:compare y passes=canonicalize,lower,canonicalize off=mul-one
:compare y passes=nosuch
:compare y passes=lower off=loops
:compare y
:set
---
                     as set    without stabilize,mul-one
steps                6         3
  pass canonicalize  3         1
  pass stabilize     1         0
  rule mul-one       2         0
  rule log1p         1         0
nodes                21        25
predicted            2.594 us  2.595 us
not evaluated: a size is not known
                     as set    passes canonicalize,stabilize,lower
steps                6         5
  pass loops         1         0
  rule dead-results  1         0
nodes                21        21
predicted            2.594 us  2.594 us
not evaluated: a size is not known
                     as set    passes canonicalize,lower,canonicalize without mul-one
steps                6         2
  pass canonicalize  3         1
  pass stabilize     1         0
  pass loops         1         0
  rule mul-one       2         0
  rule log1p         1         0
  rule dead-results  1         0
nodes                21        25
predicted            2.594 us  2.595 us
not evaluated: a size is not known
input.gr:8:19: error: there is no pass nosuch
    :compare y passes=nosuch
                      ^^^^^^
  hint: :passes lists them
input.gr:9:29: error: leave the pass loops out of passes=
    :compare y passes=lower off=loops
                                ^^^^^
input.gr:10:1: error: :compare needs off=, what is left out, or passes=, what runs instead
    :compare y
    ^^^^^^^^
  hint: :compare EXPR off=stabilize
allow    E R N+ D C O
steps    200000
nodes    20000000
tries    100000000
memory   0
print    1000
digits   default
width    0
color    auto
images   auto
native   auto
threads  1
passes   inline canonicalize stabilize differentiate simplify expand loops specialize fuse lower
exit 1
