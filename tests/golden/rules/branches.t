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
canonicalize: 1 step, 8 -> 7 nodes, saturated
  1  if-not [E]  if not c then k // k else k => if c then k else k // k    # turn the choice around
i64 = 0
canonicalize: 2 steps, 25 -> 7 nodes, saturated
  1  if-chosen [E]    # the condition is known in the branch
      - if c then «(if c then» x else «exp(x)) else» if c then f64(1 // k) * x else tanh(x)
      + if c then x else if c then f64(1 // k) * x else tanh(x)
  2  if-not-chosen [E]    # the condition is known in the branch
      if c then x else if c then f64(1 // k) * x else tanh(x) => if c then x else tanh(x)
exp-if [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 9 -> 10 nodes, saturated
  1  exp-if [E]  exp(if c then x else 2 * x) => if c then exp(x) else exp(2 * x)
if-exp [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 10 -> 9 nodes, saturated
  1  if-exp [E]  if c then exp(x) else exp(2 * x) => exp(if c then x else 2 * x)
if-true [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
and-if [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
where-if [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
where-if does not fire
  at %5, if c then k // k else k: a may fail, and the right side computes it where the left side may not
where-if does not fire
  there is no `if` in it
where-if does not fire
  there is no `if` in it
i64 = 0
same-if [E S]: both sides agree on 1000 instances; a rule of the pass canonicalize now
it does not fire yet: `:set allow S` opens its class
input.gr:23:7: error: not accepted: for c = false, x = [[6, 9, 6], [-2, 6, 5], [8, 6, 8]], z = [[0, -5, -7], [5, 7, 0], [5, -1, -7]], b = [[-5, -7, 6], [5, -4, -5], [-4, 4, -6]] only the right side fails (integer division by zero); the left side is [[-5, -7, 6], [5, -4, -5], [-4, 4, -6]]
    :rule div-if [E]: if c then x:int // z:int else b:int => where(c, x // z, b)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:24:7: error: not accepted: for c = false, a = [-1.623, 1.094, -0.695], b = [-2.13, -0.386, 2.569] the left side is -2.13, the right side -1.623
    :rule first [E]: if c then a:any else b:any => a
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:25:7: error: not accepted: for c = false, a = [-1.623, 1.094, -0.695], b = [-2.13, -0.386, 2.569] the left side is -2.13, the right side -1.623
    :rule turned [E]: if c then a:any else b:any => if c then b else a
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:26:50: error: e is not bound by the left side of the rule
    :rule lost [E]: if c then a:any else b:any => if e then b else a
                                                     ^
input.gr:27:38: error: this cannot stand in a rule
    :rule pair [E]: if c then a:any else (b, b) => a
                                         ^^^^^^
input.gr:28:21: error: a condition is a bool
    :rule wrong [E]: if c:float then a:any else b:any => b
                        ^^^^^^^
  hint: if c then a else b
input.gr:29:7: error: not accepted: again and if-not undo each other
    :rule again [E]: if c then a:any else b:any => if not c then b else a
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
input.gr:30:19: error: a condition is a bool
    :rule one [E]: if 1 then a:any else b:any => b
                      ^
  hint: if c then a else b
exit 1
