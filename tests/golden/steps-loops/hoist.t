# What is the same at every step is computed before the loop: what may fail, or is dear, only if
# there is a step.
n : i64 = 3
k : i64 = 2
A : f64[2, 2] = [[2, 1], [1, 3]]
b : f64[2] = [1, 2]
S = scan t for n from h = b { h[t] = tanh(h[t-1]) + solve(A, b) }
:steps S.final pass=loops
S.final
# cheap and total: at any rate
:steps (scan t for n from h = b { h[t] = tanh(h[t-1]) * exp(k * b) }).final pass=loops
# two parts under one test; one that only a branch needs under its own
P = scan t for n from h = b { h[t] = if h[t-1, 0] > 0 then tanh(h[t-1]) + solve(A, b) * sum(A @ b) else h[t-1] + inv(A) @ b }
:graph P.final ssa=on pass=loops
P.final
:steps (scan t for n from h = b { h[t] = tanh(h[t-1]) + f64(6 // k) * sum(A @ b); until h[t, 0] > 100 }).final pass=loops
# under an `if`, where it stands
:steps if n >= 1 then S.final else b pass=loops
# an inner loop of as many steps needs no test
:steps (scan t for n from h = b { h[t] = (scan j for n from g = h[t-1] { g[j] = tanh(g[j-1]) * f64(6 // (t + 1)) }).final }).final pass=loops
# no step: nothing runs that would fail
n := 0
A := [[0, 0], [0, 0]]
k := 0
S.final
if n >= 1 then S.final else 2 * b
(scan t for n from h = b { h[t] = tanh(h[t-1]) + f64(6 // k) }).final
n := 1
S.final
(scan t for n from h = b { h[t] = tanh(h[t-1]) + f64(6 // k) }).final
---
loops: 2 steps, 11 -> 19 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan h: trace h is no longer kept
  2  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; guarded, because the loop
      # may take no steps
      scan h: it no longer reads A, b
      it reads proj = if n >= 1 then solve(A, b) else broadcast_to(0.0, (2,))
      - h[t] = tanh(h[t-1]) + «solve(A, b)»
      + h[t] = tanh(h[t-1]) + «proj»
f64[2] = [0.937505, 1.50801]
loops: 2 steps, 13 -> 12 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan h: trace h is no longer kept
  2  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; nothing in it can raise an
      # error
      scan h: it no longer reads b, k
      it reads exp = exp(f64(k) * b)
      - h[t] = tanh(h[t-1]) * exp«(f64(k) * b)»
      + h[t] = tanh(h[t-1]) * exp
%1 : i64 = input{name=n}()
%2 : f64[2] = input{name=b}()
%3 : f64[2, 2] = input{name=A}()
@1 = graph(p0: f64[2, 2], p1: f64[2], p2: f64[2]) {  # p0 A, p1 b, p2 "h[t-1]"
  %6 : f64[2] = tanh(p2)
  %7 : f64[2] = solve(p0, p1)
  %8 : f64[2] = matmul(p0, p1)
  %9 : f64 = sum{axes=(0,)}(%8)
  %10 : f64[2] = mul(%7, %9)
  %11 : f64[2] = add(%6, %10)
  return %11
}
@2 = graph(p0: f64[2, 2], p1: f64[2], p2: f64[2]) {  # p0 A, p1 b, p2 "h[t-1]"
  %19 : f64[2] = solve(p0, p1)
  %14 : f64[2] = add(p2, %19)
  return %14
}
@3 = graph(p0: f64[2], p1: f64[2, 2], p2: f64[2]) {  # p0 "h[t-1]", p1 A, p2 b
  %4 : f64 = index{axis=0}(p0, 0)
  %5 : bool = gt(%4, 0.0)
  %15 : (f64[2],) = ifelse{then=@1, else=@2, then_args=(0, 1, 2), else_args=(0, 1, 2)}(%5, p1, p2, p0)
  %16 : f64[2] = %15.0  # "h[t]"
  return %16
}
%17 : (f64[2], i64, bool) = scan{body=@3, reverse=false, stop=false}(n=%1, init=%2, capture=%3, capture=%2)
%18 : f64[2] = %17.0
return %18
f64[2] = [3.19665, 7.6]
loops: 2 steps, 22 -> 28 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan h: trace h is no longer kept
  2  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; guarded, because the loop
      # may take no steps
      scan h: it no longer reads k, A, b
      it reads proj = if n >= 1 then f64(%19) * sum(%21) else 0.0
      - h[t] = tanh(h[t-1]) + «f64(6 // k) * sum(A @ b)»
      + h[t] = tanh(h[t-1]) + «proj»
loops: 1 step, 19 -> 27 nodes, done
  2  inner [E]  in the then branch of if
    2.1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
        scan h: trace h is no longer kept
    2.2  hoist [E]
        # loop-invariant values are computed once, before the loop; 1 part; guarded, because the
        # loop may take no steps
        scan h: it no longer reads A, b
        it reads proj = if n >= 1 then solve(A, b) else broadcast_to(0.0, (2,))
        - h[t] = tanh(h[t-1]) + «solve(A, b)»
        + h[t] = tanh(h[t-1]) + «proj»
loops: 5 steps, 19 -> 19 nodes, done
  1  inner [E]  in scan h
    1.1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
        scan g: trace g is no longer kept
    1.2  hoist [E]
        # loop-invariant values are computed once, before the loop; 1 part; guarded, because the
        # loop may take no steps
        scan g: it no longer reads t
        it reads cast = if n >= 1 then f64(6 // %16) else 0.0
        - g[j] = tanh(g[j-1]) * «f64(6 // (t + 1))»
        + g[j] = tanh(g[j-1]) * «cast»
  2  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan h: trace h is no longer kept
  3  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; nothing in it can raise an
      # error
      scan h: it reads ge_n = n >= 1
  4  step-runs [E]    # inside the body, the loop is known to take a step; 1 test
      scan h: it no longer reads ge_n
  5  inner [E]  in scan h
    5.1  known-branch [E]
        # the condition is known: only this branch runs; the condition is true
        if true then f64(6 // (t + 1)) else 0.0 => f64(6 // (t + 1))
f64[2] = [1.0, 2.0]
f64[2] = [2.0, 4.0]
f64[2] = [1.0, 2.0]
input.gr:7:53: error: solve: singular matrix
    S = scan t for n from h = b { h[t] = tanh(h[t-1]) + solve(A, b) }
                                                        ^^^^^^^^^^^
input.gr:29:1: note: its value is needed here
    S.final
    ^^^^^^^
input.gr:30:54: error: integer division by zero
    (scan t for n from h = b { h[t] = tanh(h[t-1]) + f64(6 // k) }).final
                                                         ^^^^^^
exit 1
