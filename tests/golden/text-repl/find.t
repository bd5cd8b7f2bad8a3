# :find: places in all states, bodies too, what took them; near misses; patterns and conditions that are wrong
x : f64[3]
u : f64[4]
y = exp(x) * exp(2 * x) + 0 * x
s = scan t over u from h = 0.0 { h[t] = tanh(h[t-1] * 2 + u[t]) * exp(u[t]) * exp(h[t-1]) }
:find exp(a) * exp(b) in y
:find exp(a)
:find exp(a) * exp(b) if nonnegative(a) in y near=1
:find exp(a) * exp(b) in s.h
:find tanh(a * c:const + b) in grad(sum(s.h), u)
:find if c then a else b in (if sum(x) > 0 then x else 2 * x)
:find log(1 + a) in y near=2
:find sum(a, axis=A) in sum(exp(x))
:find exp(a) * tanh(b) in exp(x) * exp(u[0]) near=5
:find x + rest... in x + exp(x) + 1
:find
:find exp(a
:find exp(a in y
:find exp(a) if
:find exp(a) if foo(a) in y
:find exp(a) in
:find exp(a) in nothing
:find exp(a) exp(b)
:find a in y
:find exp(a) in y near=x
:find y2(a) in y
:draw y find.json find="exp(a) * exp(b)"
:draw y find.json find="exp(a"
:draw y find.json find="exp(a) in y"
:draw y find.json find="log(a)"
:explore y find.html find="nofunction(a)"
---
%5  exp(x) * exp(2 * x)
      a = x, b = 2 * x; from the start until step 1, exp-exp [pass canonicalize], took it
%2  exp(x)
      a = x; from the start until step 1, exp-exp [pass canonicalize], took it
%4  exp(2 * x)
      a = 2 * x; from the start until step 1, exp-exp [pass canonicalize], took it
%9  exp(x + 2 * x)
      a = x + 2 * x; from step 1 until step 3, fuse [pass fuse], took it
%12  exp(3 * x)   in the function of fused
      a = 3 * x; from step 3 to the end
it matches nowhere, in no state
nearest misses:
%5  exp(x) * exp(2 * x)
      5 of 5: the condition nonnegative(a) does not hold, or cannot be proved, for a = `2 * x`
%7  tanh(h[t-1] * 2 + u[t]) * exp(u[t]) * exp(h[t-1])   in scan h
      a = u[t], b = h[t-1]; from the start until step 1.1, exp-exp [pass canonicalize], took it
%4  tanh(h[t-1] * 2 + u[t])   in scan h
      a = h[t-1], c = 2.0, b = u[t]; from the start to the end
%20  tanh(h[t-1] * 2 + u[t])   in scan carry_h
      a = h[t-1], c = 2.0, b = u[t]; from step 2 to the end
%6  if sum(x) > 0 then x else 2 * x
      c = sum(x) > 0, a = x, b = 2 * x; from the start to the end
it matches nowhere, in no state
there is no other log in it
%3  sum(exp(x))
      A = 0, a = exp(x); from the start until step 1, fuse [pass fuse], took it
%5  sum(exp(x))   in the function of fused
      A = 0, a = exp(x); from step 1 to the end
it matches nowhere, in no state
nearest misses:
%6  exp(x) * exp(u[0])
      3 of 5: `exp(x) * exp(u[0])` has no other matching operand; the pattern has tanh(b)
%3  x + exp(x) + 1
      x = x, rest = exp(x), 1.0; from the start until step 2, fuse [pass fuse], took it
%4  x + exp(x)
      x = x, rest = exp(x); from step 1 until step 2, fuse [pass fuse], took it
%6  x + exp(x)   in the function of fused
      x = x, rest = exp(x); from step 2 to the end
%7  x + exp(x) + 1   in the function of fused
      x = 1.0, rest = x + exp(x); from step 2 to the end
input.gr:16:6: error: a pattern is missing
    :find
         ^
  hint: exp(a) * exp(b) if finite(a) in y
input.gr:17:10: error: this `(` is never closed
    :find exp(a
             ^
input.gr:18:13: error: expected `)` for the `(` of line 18, column 10, but found `in`
    :find exp(a in y
                ^^
  hint: an operator, a comma, a bracket or a newline may be missing here
input.gr:19:7: error: a condition is missing after `if`
    :find exp(a) if
          ^^^^^^^^^
  hint: exp(a) * exp(b) if finite(a) in y
input.gr:20:17: error: there is no guard of that name as foo
    :find exp(a) if foo(a) in y
                    ^^^^^^
  hint: :help guards lists them
input.gr:21:14: error: an expression is missing after `in`
    :find exp(a) in
                 ^^
input.gr:22:17: error: `nothing` is not defined
    :find exp(a) in nothing
                    ^^^^^^^
  hint: Gradus has no null value; a missing number is nan
input.gr:23:14: error: only `if` or `in` may follow the pattern
    :find exp(a) exp(b)
                 ^^^^^^
  hint: exp(a) * exp(b) if finite(a) in y
input.gr:24:7: error: a pattern must be an operation, not a name or a number alone
    :find a in y
          ^
input.gr:25:24: error: near= takes a whole number
    :find exp(a) in y near=x
                           ^
input.gr:26:7: error: a pattern can call only operators, and `y2` is not one
    :find y2(a) in y
          ^^
find.json: 7 nodes, 8 edges
input.gr:28:24: error: this `(` is never closed
    :draw y find.json find="exp(a"
                           ^^^^^^^
input.gr:29:24: error: find= takes a pattern and a condition: no `in`
    :draw y find.json find="exp(a) in y"
                           ^^^^^^^^^^^^^
  hint: the expression is that of the command
find.json: 7 nodes, 8 edges
input.gr:30:24: note: this matches nowhere in this graph
    :draw y find.json find="log(a)"
                           ^^^^^^^^
input.gr:31:27: error: a pattern can call only operators, and `nofunction` is not one
    :explore y find.html find="nofunction(a)"
                              ^^^^^^^^^^^^^^^
exit 1
