# What makes a nan or an infinity: element, step, operands, place, way to the result.
x : f64[4] = [1.0, 2.0, -0.5, 4.0]
y = log(x) * 2
:trace nan sum(y)
:trace nan x
# The first step of a loop, and of one inside it.
u : f64[20] = linspace(1.0, -1.0, 20)
S = scan t over u from s = 0.0 { a[t] = sqrt(u[t]) ; s[t] = 0.5 * s[t-1] + a[t] }
:trace nan S.final.s * 3
N = scan t for 5 from z = 1.0 { q = scan k for 4 from w = z[t-1] { w[k] = log(w[k-1]) } ; z[t] = q.w[-1] + 1 }
:trace nan N
# From the end: rows of the trace are those of the steps.
R = scan t reverse over u from s = 0.0 { s[t] = 0.5 * s[t+1] + sqrt(u[t]) }
:trace nan R
# The branch that runs; what only the other one needs is left alone.
c = x[2] > 0
:trace nan (if c then 1.0 / f64(1 // 0) else log(x[2])) + 1
:trace nan where(x > 0, log(x), 0.0)
# On the way back.
L = scan t for 10 from s = x[0] { s[t] = s[t-1] * s[t-1] * 100 ; until s[t] > 1e300 }
:trace nan grad(L.final, x)
# The infinity that a nan comes from; one that was written is no news.
e = exp(x * 1000)
:trace nan sum(e - e)
:trace nan 1e308 * 10 - x
f(a) = log(a - 3) + 1
:trace nan vmap(f)(x)
given : f64[2] = [1.0, 1e308 * 10]
:trace nan given * 2
:trace inf e
k : f64
:trace nan k
:trace
---
log(x) makes nan at [2]
  where x = [1, 2, -0.5, 4]
  written at input.gr:3:5: log(x)
  on its way to the result: log(x) -> y -> sum(log(x) * 2)
no nan and no infinity in the value
sqrt(u[t]) makes nan
  in step 10 of scan s
  where u[t] = -0.0526316
  written at input.gr:8:41: sqrt(u[t])
  on its way to the result: a[t] -> s[t] -> scan s -> %1.final * 3
log(w[k-1]) makes -inf
  in step 0 of scan z
  in step 1 of scan w
  where w[k-1] = 0
  written at input.gr:10:75: log(w[k-1])
  on its way to the result: w[k] -> scan w -> %1.trace[-1] -> z[t] -> z
sqrt(u[t]) makes nan
  in step 0 of scan s
  where u[t] = -1
  written at input.gr:13:64: sqrt(u[t])
  on its way to the result: sqrt(u[t]) -> s[t] -> s
log(x[2]) makes nan
  where x[2] = -0.5
  written at input.gr:17:46: log(x[2])
  on its way to the result: log(x[2]) -> if x[2] > 0 then 1 / f64(1 // 0) else log(x[2]) -> (if x[2] > 0 then 1 / f64(1 // 0) else log(x[2])) + 1
input.gr:17:33: note: integer division by zero: an error if this branch runs
    :trace nan (if c then 1.0 / f64(1 // 0) else log(x[2])) + 1
                                    ^^^^^^
no nan and no infinity in the value
2 * d_s[t] * s[t-1] * 100 makes inf
  in the derivative of s[t-1] * s[t-1] * 100, input.gr:20:42
  in step 1 of scan d_s, which goes back through step 6
  where d_s[t] = 2e+256
  where s[t-1] = 1e+126
  on its way to the result: d_s[t-1] -> scan d_s -> d_x
exp(x * 1000) makes inf at [0]
  where x * 1000 = [1000, 2000, -500, 4000]
  written at input.gr:23:5: exp(x * 1000)
  on its way to the result: e -> exp(x * 1000) - exp(x * 1000) -> sum(exp(x * 1000) - exp(x * 1000))
1e+308 * 10.0 makes inf
  written at input.gr:25:12: 1e308 * 10
  on its way to the result: 1e+308 * 10.0 -> 1e+308 * 10.0 - x
log(x - 3) makes nan at [0]
  where x - 3 = [-2, -1, -3.5, 1]
  written at input.gr:26:8: log(a - 3)
  on its way to the result: log(x - 3) -> log(x - 3) + 1
given has inf at [1]: it was given
  on its way to the result: given -> given * 2
input.gr:30:12: error: expected the end of the expression, but found `e`
    :trace inf e
               ^
  hint: an operator, a comma, a bracket or a newline may be missing here
input.gr:32:12: error: `k` has no value
    :trace nan k
               ^
input.gr:33:1: error: there is no scan in this expression
    :trace
    ^^^^^^
exit 1
