# Reverse mode over straight-line code, as two tables.
x1 : f64 = 0.5
x2 : f64 = 4.2
y = x1 * x2 + sin(x1)
:trace forward y
:trace backward y
:trace backward grad(y, x2)
x : f64[n]
W : f64[m, n]
b : f64[m]
L = sum(sqr(tanh(W @ x + b) - 2 * b)) / 2
:trace forward L
:trace backward L
square(z) = z * z
:trace forward square(x1) + square(x2)
:trace backward stop_gradient(x1)
:trace backward floor(x1) * x1
v1 : f64 = 2
:trace backward v1 * x1
:trace forward grad(x1 ^ 3, x1) ^ 2
x1_bar : f64 = 3
:trace backward x1 * x1_bar
:trace forward 3.0
:trace forward x
:trace backward if x1 > 0 then x1 else x2
:trace backward (scan t for 3 from s = x1 { s[t] = sin(s[t-1]) }).final
:trace forward x1 rows=3
:trace backwards x1
:draw y y.svg style=figure adjoint=on ids=on
:draw L L.svg style=figure adjoint=on values=on
---
value  expression  number    name
x1                 0.5
x2                 4.2
v1     x1 * x2     2.1
v2     sin(x1)     0.479426
v3     v1 + v2     2.57943   y
adjoint  chain rule                       expression                      number   of
v3_bar                                    1.0                             1        y
v2_bar   v3_bar dv3/dv2                   v3_bar                          1
v1_bar   v3_bar dv3/dv1                   v3_bar                          1
x2_bar   v1_bar dv1/dx2                   v1_bar * x1                     0.5
x1_bar   v1_bar dv1/dx1 + v2_bar dv2/dx1  v1_bar * x2 + v2_bar * cos(x1)  5.07758
adjoint  chain rule      expression   number  of
v3_bar                   1.0          1       y
v1_bar   v3_bar dv3/dv1  v3_bar       1
x2_bar   v1_bar dv1/dx2  v1_bar * x1  0.5
value  expression  name
W
x
b
v1     W @ x
v2     v1 + b
v3     tanh(v2)
v4     2 * b
v5     v3 - v4
v6     sqr(v5)
v7     sum(v6)
v8     v7 / 2      L
no numbers: not all inputs have values
adjoint  chain rule                     expression                    of
v8_bar                                  1.0                           L
v7_bar   v8_bar dv8/dv7                 v8_bar / 2
v6_bar   v7_bar dv7/dv6                 broadcast_to(v7_bar, (m,))
v5_bar   v6_bar dv6/dv5                 2 * v5 * v6_bar
v4_bar   v5_bar dv5/dv4                 -v5_bar
v3_bar   v5_bar dv5/dv3                 v5_bar
v2_bar   v3_bar dv3/dv2                 v3_bar * (1 - v3 * v3)
v1_bar   v2_bar dv2/dv1                 v2_bar
b_bar    v2_bar dv2/db + v4_bar dv4/db  v2_bar + v4_bar * 2
x_bar    v1_bar dv1/dx                  v1_bar @ W
W_bar    v1_bar dv1/dW                  v1_bar[:, None] @ x[None, :]
no numbers: not all inputs have values
value  expression  number  name
x1                 0.5
x2                 4.2
v1     x1 * x1     0.25
v2     x2 * x2     17.64
v3     v1 + v2     17.89
adjoint  chain rule  expression  number  of
nothing is propagated: `:whynot grad(EXPR, X)` says where it stops
adjoint  chain rule      expression   number  of
v2_bar                   1.0          1
v1_bar   v2_bar dv2/dv1  v2_bar * x1  0.5
x1_bar   v2_bar dv2/dx1  v2_bar * v1  0
adjoint  chain rule      expression   number  of
w1_bar                   1.0          1
x1_bar   w1_bar dw1/dx1  w1_bar * v1  2
v1_bar   w1_bar dw1/dv1  w1_bar * x1  0.5
value  expression  number  name
x1                 0.5
v1     x1^2        0.25
v2     3 * v1      0.75    d_x1
v3     v2^2        0.5625
adjoint         chain rule          expression       number  of
v1_bar                              1.0              1
x1_bar_bar_bar  v1_bar dv1/dx1_bar  v1_bar * x1      0.5
x1_bar_bar      v1_bar dv1/dx1      v1_bar * x1_bar  3
input.gr:23:16: error: the result depends on no input
    :trace forward 3.0
                   ^^^
input.gr:24:16: error: reverse mode starts from a single real number
    :trace forward x
                   ^
  hint: sum(...) reduces an array to a scalar
input.gr:25:17: error: reverse mode is shown value by value only for straight-line code, but this contains a branch
    :trace backward if x1 > 0 then x1 else x2
                    ^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: follow one branch, as an expression of its own
input.gr:26:17: error: reverse mode is shown value by value only for straight-line code, but this contains a loop
    :trace backward (scan t for 3 from s = x1 { s[t] = sin(s[t-1]) }).final
                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: `:trace EXPR grad=X` tabulates the steps of a loop, `:draw EXPR FILE unroll=N values=grad` draws them
input.gr:27:24: error: rows= does not go with forward
    :trace forward x1 rows=3
                           ^
input.gr:28:18: error: expected the end of the expression, but found `x1`
    :trace backwards x1
                     ^^
  hint: an operator, a comma, a bracket or a newline may be missing here
input.gr:29:43: error: ids= does not go with adjoint= in a figure, which shows the expression as it is written, value by value
    :draw y y.svg style=figure adjoint=on ids=on
                                              ^^
  hint: leave it out, or draw the graph: style=graph adjoint=links
input.gr:30:46: error: not all inputs have values
    :draw L L.svg style=figure adjoint=on values=on
                                                 ^^
  hint: give inputs values with :=, or leave values= out
exit 1
