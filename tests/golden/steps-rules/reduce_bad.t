# What is no question for :reduce, and conditions that do not hold to begin with.
x : f64[3] = [0.3, 0.7, 1.1]
z : f64
:reduce x
:reduce while audit
:reduce x while
:reduce x while foo
:reduce x while fires
:reduce x while fires sine-neg
:reduce x while differs
:reduce x while differs off=sine-neg
:reduce x while unequal
:reduce x, x[0] while unequal
:reduce x while command
:reduce x + y while audit
:reduce exp(x) while audit
:reduce exp(x) while nan
:reduce exp(x) * z while nan
:reduce exp(x) while error index
:reduce exp(x) while fires sin-neg
:reduce sin(-x) while not fires sin-neg
:reduce sin(-x) while differs off=sin-neg
:reduce exp(x), exp(x) while unequal
:reduce exp(x) while audit small.txt
:reduce sin(-x) while fires sin-neg missing/small.gr
# What holds for everything: the smallest program there is, at once.
:reduce sum(exp(x) * x) + 3 while not fires sin-neg
:reduce 3 while not fires sin-neg
---
input.gr:4:9: error: :reduce needs an expression and, after `while`, a condition that holds for it
    :reduce x
            ^
  hint: :reduce EXPR while audit
input.gr:5:15: error: :reduce needs an expression and, after `while`, a condition that holds for it
    :reduce while audit
                  ^^^^^
  hint: :reduce EXPR while audit
input.gr:6:9: error: :reduce needs an expression and, after `while`, a condition that holds for it
    :reduce x while
            ^^^^^^^
  hint: :reduce EXPR while audit
input.gr:7:17: error: `foo` is not a condition of :reduce
    :reduce x while foo
                    ^^^
  hint: audit, nan, error CODE, fires RULE, not fires RULE, differs off=NAME, unequal
input.gr:8:17: error: `fires` is not a condition of :reduce
    :reduce x while fires
                    ^^^^^
  hint: audit, nan, error CODE, fires RULE, not fires RULE, differs off=NAME, unequal
input.gr:9:23: error: there is no rule sine-neg
    :reduce x while fires sine-neg
                          ^^^^^^^^
  hint: did you mean sin-neg?
input.gr:10:17: error: `differs` compares with the value without a rule or pass, and none is named
    :reduce x while differs
                    ^^^^^^^
  hint: :reduce EXPR while differs off=NAME
input.gr:11:29: error: there is no rule sine-neg
    :reduce x while differs off=sine-neg
                                ^^^^^^^^
  hint: did you mean sin-neg?
input.gr:12:9: error: two expressions with a comma between them are compared
    :reduce x while unequal
            ^
  hint: :equal sin(x)^2 + cos(x)^2, 1
input.gr:13:23: error: :equal has an answer about the two
    :reduce x, x[0] while unequal
                          ^^^^^^^
  hint: the condition has to hold for the whole expression to begin with
input.gr:14:17: error: `command` is not a condition of :reduce
    :reduce x while command
                    ^^^^^^^
  hint: audit, nan, error CODE, fires RULE, not fires RULE, differs off=NAME, unequal
input.gr:15:13: error: `y` is not defined
    :reduce x + y while audit
                ^
input.gr:16:22: error: no step changes more than its classes allow
    :reduce exp(x) while audit
                         ^^^^^
  hint: the condition has to hold for the whole expression to begin with
input.gr:17:22: error: the value has no nan
    :reduce exp(x) while nan
                         ^^^
  hint: the condition has to hold for the whole expression to begin with
input.gr:18:26: error: the condition is about the value, but z has none
    :reduce exp(x) * z while nan
                             ^^^
  hint: `NAME := VALUE` gives an input a value
input.gr:19:22: error: evaluating it gives no error with the code index
    :reduce exp(x) while error index
                         ^^^^^^^^^^^
  hint: the condition has to hold for the whole expression to begin with
input.gr:20:22: error: sin-neg fires at none of its nodes: `:whynot sin-neg exp(x)`
    :reduce exp(x) while fires sin-neg
                         ^^^^^^^^^^^^^
  hint: the condition has to hold for the whole expression to begin with
input.gr:21:23: error: sin-neg fires: `:steps sin(-x) rule=sin-neg`
    :reduce sin(-x) while not fires sin-neg
                          ^^^^^^^^^^^^^^^^^
  hint: the condition has to hold for the whole expression to begin with
input.gr:22:23: error: without sin-neg the value is the same, but for rounding
    :reduce sin(-x) while differs off=sin-neg
                          ^^^^^^^
  hint: the condition has to hold for the whole expression to begin with
input.gr:23:30: error: :equal has an answer about the two
    :reduce exp(x), exp(x) while unequal
                                 ^^^^^^^
  hint: the condition has to hold for the whole expression to begin with
input.gr:24:28: error: :reduce writes no such file as small.txt
    :reduce exp(x) while audit small.txt
                               ^^^^^^^^^
  hint: end it in .gr
input.gr:25:37: error: missing/small.gr cannot be written: No such file or directory
    :reduce sin(-x) while fires sin-neg missing/small.gr
                                        ^^^^^^^^^^^^^^^^
6 nodes -> 1 node; 4 tries
y : f64[1]
result = y
:whynot sin-neg result
1 node -> 1 node; 2 tries
result = 1
:whynot sin-neg result
exit 3
