# What best=, has=, form= and cost= do not take.
x : f64[3]
y : f64
:steps form=2
:saturate tanh(y) best=2 nodes=100 iterations=2
:steps form=3
:steps form=0
:steps tanh(y) form=2
:audit form=first
:steps y * 1
:audit form=2
:saturate y * 1 best=0
:saturate y * 1 best=10000000
:saturate y * 1 has="x"
:saturate y * 1 has="y +"
:saturate y * 1 has="nosuch"
:saturate (y * 1, y) has="y"
:saturate y * 1 cost="ep=20"
:saturate y * 1 cost=speed
:saturate y * 1 cost="exp=-1"
:saturate y * 1 cost="exp"
:saturate y * 1 cost=""
:saturate log(1 + y) best=2
:set rule log1p-open off
:steps form=2
---
input.gr:4:1: error: :steps needs an expression, because nothing was explored yet
    :steps form=2
    ^^^^^^
  hint: :steps [EXPR] [pass=NAME] [rule=NAME] [by=rule] [hide=A,B] [open=K|all] [form=N] [times=on]
iteration  e-nodes  classes  matches  best cost
1          11       9        2        0.0138 us
2          34       21       12       0.0138 us
limit of iterations: cost 0.0157 us -> 0.0138 us (time, exact)
sigmoid(y + y) + sigmoid(y + y) + -1
saturate: 5 steps, 2 -> 5 nodes, limit of iterations
  2 iterations, 34 e-nodes in 21 classes, limit of iterations
  1  tanh-by-sigmoid-back [R]  tanh(y) => 2 * sigmoid(2 * y) - 1    # no cancellation near 0
  2  sub-add-neg [E]    # subtraction is addition of the negation
      2 * sigmoid(2 * y) - 1 => 2 * sigmoid(2 * y) + -1.0
  3  term-twice-back [E]  2 * y => y + y    # twice
  4  fold [E]    # the value is known while the graph is built
  5  term-twice-back [E R O]    # twice
      2 * sigmoid(y + y) + -1 => sigmoid(y + y) + sigmoid(y + y) + -1
nothing to do: inline, differentiate
form  cost       as a tree
1     0.0138 us  0.0242 us  sigmoid(y + y) + sigmoid(y + y) + -1
2     0.0138 us  0.0242 us  sigmoid(2 * y) + sigmoid(2 * y) + -1
input.gr:6:13: error: form= goes from 1 to 2
    :steps form=3
                ^
input.gr:7:13: error: form= goes from 1 to 2
    :steps form=0
                ^
input.gr:8:21: error: form= is about the forms that :saturate found: without an expression
    :steps tanh(y) form=2
                        ^
  hint: `:saturate tanh(y) best=5`, then `:steps form=2`
input.gr:9:13: error: form= takes a whole number
    :audit form=first
                ^^^^^
canonicalize: 1 step, 3 -> 1 nodes, done
  1  mul-one [E]  y * 1 => y    # 1 is neutral
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
input.gr:11:13: error: form= takes one of the forms that :saturate found, if that came last
    :audit form=2
                ^
  hint: `:saturate EXPR best=5`, then form=2
input.gr:12:22: error: best= goes from 1 to 1000
    :saturate y * 1 best=0
                         ^
input.gr:13:22: error: best= goes from 1 to 1000
    :saturate y * 1 best=10000000
                         ^^^^^^^^
input.gr:14:22: error: the expression is f64, this f64[3]
    :saturate y * 1 has="x"
                         ^
input.gr:15:25: error: expected an expression, but found the end of the text
    :saturate y * 1 has="y +"
                            ^
input.gr:16:22: error: `nosuch` is not defined
    :saturate y * 1 has="nosuch"
                         ^^^^^^
input.gr:17:26: error: has= is for an expression of one tensor
    :saturate (y * 1, y) has="y"
                             ^^^
  hint: compare its parts one by one
input.gr:18:22: error: there is no operator ep
    :saturate y * 1 cost="ep=20"
                         ^^^^^^^
  hint: :ops lists them
input.gr:19:22: error: cost= is time, flops, bytes, nodes, or what operators count
    :saturate y * 1 cost=speed
                         ^^^^^
  hint: cost="exp=20 dot=5"
input.gr:20:22: error: cost= is time, flops, bytes, nodes, or what operators count
    :saturate y * 1 cost="exp=-1"
                         ^^^^^^^^
  hint: cost="exp=20 dot=5"
input.gr:21:22: error: cost= is time, flops, bytes, nodes, or what operators count
    :saturate y * 1 cost="exp"
                         ^^^^^
  hint: cost="exp=20 dot=5"
input.gr:22:22: error: cost= is time, flops, bytes, nodes, or what operators count
    :saturate y * 1 cost=""
                         ^^
  hint: cost="exp=20 dot=5"
iteration  e-nodes  classes  matches  best cost
1          5        4        1        0.009402 us
2          5        4        1        0.009402 us
saturated: cost 0.009402 us -> 0.009402 us (time, exact)
log(1 + y)
saturate: 0 steps, 4 -> 4 nodes, done
  2 iterations, 5 e-nodes in 4 classes, saturated
nothing to do: inline, differentiate
form  cost
1     0.009402 us  log(1 + y)
2     0.0107 us    log1p(y)
saturate: 1 step, 4 -> 2 nodes, done
  2 iterations, 5 e-nodes in 4 classes, saturated
  1  log1p [R]  log(1 + y) => log1p(y)    # accurate for small x
nothing to do: inline, differentiate
exit 1
