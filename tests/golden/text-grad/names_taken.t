# The author's d_s is no cotangent, and builtins' names are taken: what is printed has other names.
x : f64[4] = [1, 2, 3, 4]
d_s : f64 = 0.5
S = scan t over x from s = d_s { s[t] = s[t-1] * d_s + x[t] }
g = grad(S.final, d_s)
:graph g pass=differentiate
softmax : f64[4] = [1, 2, 3, 4]
P = scan t over x from h = 0.0 { h[t] = tanh(h[t-1] + log(softmax)[0] * x[t]) }
Q = sum(P) * sum(log(softmax)) + sum(softmax)
:graph Q
Q
d x
---
x : f64[4]
d_s : f64
S = scan t over x from s = d_s keep s_2 {
  s_2[t-1] = s[t-1]
  s[t] = s[t-1] * d_s + x[t]
}
S_2 = scan t over s[t-1] = S.s_2 from d_s_2 = 1.0, sum_d_d_s = 0.0 keep () {
  d_s_2[t-1] = d_s_2[t] * d_s
  sum_d_d_s[t] = d_s_2[t] * s[t-1] + sum_d_d_s[t+1]
}
S_2.final.d_s_2 + S_2.final.sum_d_d_s
x : f64[4]
softmax : f64[4]
S = scan t over x from h = 0.0 {
  h[t] = tanh(h[t-1] + log(softmax)[0] * x[t])
}
sum(S) * sum(log(softmax)) + sum(softmax)
Q : f64 = 10.0
input.gr:12:3: error: expected the end of the statement, but found `x`
    d x
      ^
  hint: a function is called with brackets, f(x); or an operator is missing here
exit 1
