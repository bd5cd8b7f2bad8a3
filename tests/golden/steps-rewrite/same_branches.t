# Both branches of an `if` give the same: nothing is chosen.
c : bool = true
x : f64 = 2
y : f64 = 3
f(v) = tanh(v * y)
:steps if c then f(x) + 1 else 1 + f(x)
# one result of several that no branch computes goes by itself; the other stays
p, q = if c then (x, y) else (x, sin(y))
:steps (p, q) rule=same-branches
(p, q)
:graph p ssa=on pass=canonicalize
c := false
(p, q)
# a step's own choice that is none: the loop becomes a sum
u : f64[4] = [1, -2, 3, -4]
S = scan t over u from s = 0.0 { s[t] = s[t-1] + (if u[t] > 0 then u[t] else u[t]) }
:steps S.final rule=same-branches
S.final
:audit S.final
# why not
:whynot same-branches if c then x else y
k : i64 = 0
:whynot same-branches if 10 // k > 1 then x * y else x * y
if 10 // k > 1 then x * y else x * y
---
inline: 2 steps, 25 -> 17 nodes, done
  1  inner [E]  in the then branch of if
    1.1  inline-call [E]    # a call is replaced with the function's body; the body of f
        f(x, y) => tanh(x * y)
  2  inner [E]  in the then branch of if
canonicalize: 1 step, 17 -> 6 nodes, done
  3  same-branches [E]    # both branches give the same result
      if c then tanh(x * y) + 1 else tanh(x * y) + 1 => tanh(x * y) + 1
nothing to do: stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 11 -> 10 nodes, done
  1  same-branches [E]  p = if c then x else x => x    # both branches give the same result
[0] : f64 = 2.0
[1] : f64 = 3.0
%2 : f64 = input{name=x}()
return %2
[0] : f64 = 2.0
[1] : f64 = 0.1411200080598672
canonicalize: 1 step, 14 -> 8 nodes, done
  1.1  same-branches [E]    # both branches give the same result
      if u[t] > 0 then u[t] else u[t] => u[t]
f64 = -2.0
step  pass          rule           classes  error  ulp
1.1   canonicalize  same-branches  [E]      0      0
1     canonicalize  inner          [E]      0      0
2     loops         dead-results   [E]      0      0
3     loops         reduce         [R O]    0      0
4 steps, 4 compared: all within what their classes allow; largest error 0
same-branches does not fire
  at %4, if c then x else y: result 1 differs between the branches, or they compute it
  `:help same-branches`: what it matches, and when
same-branches does not fire
  at %7, if 10 // k > 1 then x * y else x * y: computing the condition can raise an error, which would be lost
  `:help same-branches`: what it matches, and when
input.gr:24:4: error: integer division by zero
    if 10 // k > 1 then x * y else x * y
       ^^^^^^^
exit 1
