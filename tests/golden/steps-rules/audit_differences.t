# :audit grad(E, x) by=differences: the slope along directions at random.
x : f64[3] = [1, 2, 3]
S = scan t over x from h = 1.0 { h[t] = tanh(h[t-1] + x[t] * x[0]) }
A : f64[n, n]
v : f64[n]
f : f32[3] = [1, 2, 3]
:audit grad(sum(S), x) by=differences
:audit grad(sum(sin(A @ v)), A) by=differences
:audit grad(sum(exp(f)), f) by=differences
:audit grad(sum(relu(x - 2)), x) by=differences
:audit grad(sum(abs(x - 2.5)), x) by=differences
:audit grad(sum(x * stop_gradient(x)), x) by=differences
:audit grad(sum(grad(sum(x ^ 3), x) * [1.0, 2.0, 3.0]), x) by=differences
:audit x * 2 by=differences
:audit by=differences
:audit grad(sum(x), x) by=nothing
---
direction  values  gradient    differences
1          given   -0.109326   -0.109326
2          given   -0.152756   -0.152756
3          given   0.00140228  0.00140228
4          given   0.252325    0.252325
the gradient is the slope of the function
direction  values     gradient  differences
1          at random  -6.40531  -6.40531
2          at random  -4.42243  -4.42243
3          at random  -5.31319  -5.31319
4          at random  3.88726   3.88726
the gradient is the slope of the function
direction  values  gradient  differences
1          given   -39.3545  -39.3541
2          given   -12.0077  -12.0071
3          given   -23.3664  -23.3662
4          given   27.6037   27.6037
the gradient is the slope of the function
direction  values  gradient   differences
1          given   -1.13262   -2.16221     unsure: there is a kink nearby
2          given   -0.724409  -0.378243    unsure: there is a kink nearby
3          given   -0.987257  -1.23535     unsure: there is a kink nearby
4          given   1.32512    1.11289      unsure: there is a kink nearby
not decided: no direction is free of kinks
direction  values  gradient   differences
1          given   1.43781    1.43781
2          given   -0.470107  -0.470107
3          given   -0.538704  -0.538704
4          given   0.232351   0.232351
the gradient is the slope of the function
direction  values  gradient  differences
1          given   -8.02748  -16.055      broken: not the slope
2          given   -1.7352   -3.4704      broken: not the slope
3          given   -3.90651  -7.81302     broken: not the slope
4          given   4.64367   9.28735      broken: not the slope
the gradient is not the slope of the function
direction  values  gradient  differences
1          given   -113.649  -113.649
2          given   -28.1819  -28.1819
3          given   -64.9345  -64.9345
4          given   70.4729   70.4729
the gradient is the slope of the function
input.gr:14:8: error: by=differences takes a gradient: grad(E, x)
    :audit x * 2 by=differences
           ^^^^^
  hint: :audit grad(E, x) by=differences
input.gr:15:1: error: by=differences takes a gradient: grad(E, x)
    :audit by=differences
    ^^^^^^
  hint: :audit grad(E, x) by=differences
input.gr:16:27: error: by= is differences
    :audit grad(sum(x), x) by=nothing
                              ^^^^^^^
exit 1
