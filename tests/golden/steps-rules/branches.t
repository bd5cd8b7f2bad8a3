# Patterns over `if`: branches are matched as they would stand outside, and what only a branch computes stays in one.
c : bool = true
d : bool = false
k : i64 = 0
x : f64[2] = [1, 2]
:steps if not c then k // k else k pass=canonicalize
if not c then k // k else k
:steps if c then (if c then x else exp(x)) else (if c then 1 // k * x else tanh(x)) pass=canonicalize
:rule exp-if [E grows]: exp(if c then a else b) => if c then exp(a) else exp(b)
:steps exp(if c then x else 2 * x) pass=canonicalize
:set rule exp-if off
:rule if-exp [E]: if c then exp(a) else exp(b) => exp(if c then a else b)
:steps if c then exp(x) else exp(2 * x) pass=canonicalize
:rule if-true [E]: if true then a:any else b:any => a
:rule and-if [E]: if c then (if d then a:any else b:any) else b => if c and d then a else b
# An operand that a branch computes comes out of it only if it cannot fail.
:rule where-if [E grows]: if c then a:any else b:any => where(c, a, b)
:whynot where-if if c then k // k else k
:whynot where-if x
:whynot where-if exp(x)
if d then k // k else k
:rule same-if [E S]: if c then a:any else a => a
:rule div-if [E]: if c then x:int // z:int else b:int => where(c, x // z, b)
:rule first [E]: if c then a:any else b:any => a
:rule turned [E]: if c then a:any else b:any => if c then b else a
:rule lost [E]: if c then a:any else b:any => if e then b else a
:rule pair [E]: if c then a:any else (b, b) => a
:rule wrong [E]: if c:float then a:any else b:any => b
:rule again [E]: if c then a:any else b:any => if not c then b else a
:rule one [E]: if 1 then a:any else b:any => b
---
canonicalize: 1 step, 8 -> 7 nodes, done
  1  if-not [E]    # negate the condition and swap the choices
      if not c then k // k else k => if c then k else k // k
i64 = 0
canonicalize: 2 steps, 25 -> 7 nodes, done
  1  if-chosen [E]    # the condition is known in the branch
      - if c then «(if c then» x else «exp(x)) else» if c then f64(1 // k) * x else tanh(x)
      + if c then x else if c then f64(1 // k) * x else tanh(x)
  2  if-not-chosen [E]    # the condition is known in the branch
      if c then x else if c then f64(1 // k) * x else tanh(x) => if c then x else tanh(x)
exp-if [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 9 -> 10 nodes, done
  1  exp-if [E]  exp(if c then x else 2 * x) => if c then exp(x) else exp(2 * x)
if-exp [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 10 -> 9 nodes, done
  1  if-exp [E]  if c then exp(x) else exp(2 * x) => exp(if c then x else 2 * x)
if-true [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
and-if [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
where-if [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
where-if does not fire
  at %5, if c then k // k else k: a may fail, and the right side computes it where the left side might not
  `:help where-if`: what it matches, and when
where-if does not fire
  there is no `if` in it
where-if does not fire
  there is no `if` in it
i64 = 0
same-if [E S]: both sides agree on 1000 instances; a rule of the pass canonicalize now
it does not fire yet: `:set allow S` opens its class
input.gr:23:7: error: not accepted: for c = false, x = [[[-6, 3, -3], [1, -8, -2], [8, -5, -1]], [[-4, 6, -2], [-10, 5, -10], [-5, 9, 7]], [[-1, -8, -2], [-4, 8, 0], [-6, 4, -8]]], z = [[[-8, 2, -2], [-7, -5, 8], [-7, 1, 4]], [[0, 1, 6], [-5, -1, 4], [2, 1, 0]], [[1, 4, 4], [-5, 8, -3], [6, 9, -6]]], b = [[[2, -1, -8], [7, -6, 8], [7, 5, -10]], [[4, 3, 6], [7, -1, 7], [9, 4, 7]], [[-8, -5, 1], [-4, -4, -6], [-7, 5, -3]]] only the right side fails (integer division by zero); the left side is [[[2, -1, -8], [7, -6, 8], [7, 5, -10]], [[4, 3, 6], [7, -1, 7], [9, 4, 7]], [[-8, -5, 1], [-4, -4, -6], [-7, 5, -3]]]
    :rule div-if [E]: if c then x:int // z:int else b:int => where(c, x // z, b)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:24:7: error: not accepted: for c = false, a = [[[-1.623, 1.094, -0.695], [0.308, -2.13, -0.386], [2.569, -1.43, -0.13]], [[-1.052, 2.081, -0.51], [-2.732, 1.636, -2.975], [-1.385, 2.978, 2.13]], [[-0.233, -2.116, -0.392], [-1.085, 2.51, 0.209], [-1.682, 1.47, -2.145]]], b = [[[-2.292, 0.74, -0.576], [-1.83, -1.266, 2.477], [-1.89, 0.497, 1.379]], [[0.23, 0.568, 1.873], [-1.474, -0.055, 1.367], [0.678, 0.403, 0.268]], [[0.508, 1.281, 1.495], [-1.391, 2.667, -0.876], [1.85, 2.739, -1.697]]] the left side is -2.292, the right side -1.623
    :rule first [E]: if c then a:any else b:any => a
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:25:7: error: not accepted: for c = false, a = [[[-1.623, 1.094, -0.695], [0.308, -2.13, -0.386], [2.569, -1.43, -0.13]], [[-1.052, 2.081, -0.51], [-2.732, 1.636, -2.975], [-1.385, 2.978, 2.13]], [[-0.233, -2.116, -0.392], [-1.085, 2.51, 0.209], [-1.682, 1.47, -2.145]]], b = [[[-2.292, 0.74, -0.576], [-1.83, -1.266, 2.477], [-1.89, 0.497, 1.379]], [[0.23, 0.568, 1.873], [-1.474, -0.055, 1.367], [0.678, 0.403, 0.268]], [[0.508, 1.281, 1.495], [-1.391, 2.667, -0.876], [1.85, 2.739, -1.697]]] the left side is -2.292, the right side -1.623
    :rule turned [E]: if c then a:any else b:any => if c then b else a
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:26:50: error: e is not bound by the left side of the rule
    :rule lost [E]: if c then a:any else b:any => if e then b else a
                                                     ^
input.gr:27:38: error: this is not allowed in a rule
    :rule pair [E]: if c then a:any else (b, b) => a
                                         ^^^^^^
input.gr:28:21: error: a condition must be a bool
    :rule wrong [E]: if c:float then a:any else b:any => b
                        ^^^^^^^
  hint: if c then a else b
input.gr:29:7: error: not accepted: again and if-not undo each other
    :rule again [E]: if c then a:any else b:any => if not c then b else a
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
input.gr:30:19: error: a condition must be a bool
    :rule one [E]: if 1 then a:any else b:any => b
                      ^
  hint: if c then a else b
exit 1
