x : f64[3] = [1, 2, 3]
p = (W=2.0 * x, b=1.5)
p
:type p
(W=1)
:type (W=1)
p.W
p[0]
p[-1]
f(W) = W
f(W=1)
f((W=1))
f((W=1)).W
g(if=2) = 1
(if=2, scan=3).if
nest = (a=(u=x, v=2), b=(1.0, 2.0))
nest
nest.a.u
nest.b[1]
nest with .a.v = 7
p with .b = 3
p with .b += 1
p with .W += x
{ q = p with .b = 0; q.b }
W, b = p
b
(u, v) = (p.b, 2)
u
{ k = (n=x, m=2.0); k.n * k.m }
h(q) = (W=q.W + 1, s=sum(q.W))
h(p)
h(p).s
if p.b > 1 then p else 2 * p
if p.b > 2 then nest else nest with .a.v = 1
stop_gradient(p)
# mistakes
p.Z
p.w
(1, 2).W
x.W
(a=1, a=2)
(a=1, 2)
(1, a=2)
p with .Z = 1
p with .b = x
p with .b = true
p with .W.u = 1
x with .W = 1
p with W = 1
if (a = 1) then 1 else 2
if p.b > 1 then p else (b=1.0, W=x)
if p.b > 1 then p else (2.0 * x, 1.5)
if p.b > 1 then p else x
scan t for 3 from s = 0 { s[t] = s[t-1] + 1; until (s = 2) }
not (a = true)
(a = true) and true
p[2]
p[x]
sum(p)
exp(p)
stack(p)
p.W = 3
(W=1
---
p.W : f64[3] = [2.0, 4.0, 6.0]
p.b : f64 = 1.5
(W: f64[3], b: f64)
.W : i64 = 1
(W: i64)
f64[3] = [2.0, 4.0, 6.0]
f64[3] = [2.0, 4.0, 6.0]
f64 = 1.5
i64 = 1
.W : i64 = 1
i64 = 1
i64 = 2
nest.a.u : f64[3] = [1.0, 2.0, 3.0]
nest.a.v : i64 = 2
nest.b[0] : f64 = 1.0
nest.b[1] : f64 = 2.0
f64[3] = [1.0, 2.0, 3.0]
f64 = 2.0
.a.u : f64[3] = [1.0, 2.0, 3.0]
.a.v : i64 = 7
.b[0] : f64 = 1.0
.b[1] : f64 = 2.0
.W : f64[3] = [2.0, 4.0, 6.0]
.b : f64 = 3.0
.W : f64[3] = [2.0, 4.0, 6.0]
.b : f64 = 2.5
.W : f64[3] = [3.0, 6.0, 9.0]
.b : f64 = 1.5
f64 = 0.0
b : f64 = 1.5
u : f64 = 1.5
f64[3] = [2.0, 4.0, 6.0]
.W : f64[3] = [3.0, 5.0, 7.0]
.s : f64 = 12.0
f64 = 12.0
.W : f64[3] = [2.0, 4.0, 6.0]
.b : f64 = 1.5
.a.u : f64[3] = [1.0, 2.0, 3.0]
.a.v : i64 = 1
.b[0] : f64 = 1.0
.b[1] : f64 = 2.0
.W : f64[3] = [2.0, 4.0, 6.0]
.b : f64 = 1.5
input.gr:37:1: error: the tuple (W: f64[3], b: f64) has no part Z
    p.Z
    ^^^
input.gr:38:1: error: the tuple (W: f64[3], b: f64) has no part w
    p.w
    ^^^
  hint: did you mean .W?
input.gr:39:1: error: only a tuple with names and the result of a scan have fields, but this is a tuple
    (1, 2).W
    ^^^^^^^^
input.gr:40:1: error: only a tuple with names and the result of a scan have fields, but this is f64[3]
    x.W
    ^^^
input.gr:41:7: error: two parts of this tuple bear the name `a`
    (a=1, a=2)
          ^
  hint: give one of them another name
input.gr:42:7: error: an argument or part without a name cannot follow one with a name
    (a=1, 2)
          ^
  hint: give it a name too, or move it to the front
input.gr:43:6: error: expected `)` for the `(` of line 43, column 1, but found `=`
    (1, a=2)
         ^
  hint: to compare write `==`; a definition `name = expression` is a statement of its own
input.gr:44:1: error: the tuple (W: f64[3], b: f64) has no part Z
    p with .Z = 1
    ^^^^^^^^^^^^^
input.gr:45:13: error: the part b is f64 and cannot become f64[3]
    p with .b = x
                ^
  hint: a part of a tuple keeps its type
input.gr:46:13: error: the part b is f64 and cannot become bool
    p with .b = true
                ^^^^
  hint: a part of a tuple keeps its type
input.gr:47:1: error: `with .u` changes a part of a tuple, but this is f64[3]
    p with .W.u = 1
    ^
  hint: a part of an array is written with [i] = v
input.gr:48:1: error: `with .W` changes a part of a tuple, but this is f64[3]
    x with .W = 1
    ^
  hint: a part of an array is written with [i] = v
input.gr:49:8: error: expected `[` or `.` after `with`, but found `W`
    p with W = 1
           ^
input.gr:50:4: error: the condition of `if` needs a tensor here, but this is (a: i64)
    if (a = 1) then 1 else 2
       ^^^^^^^
  hint: to compare write `==`; its part is read with .a
input.gr:51:1: error: the branches of `if` are (W: f64[3], b: f64) and (b: f64, W: f64[3])
    if p.b > 1 then p else (b=1.0, W=x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: both branches give one tensor, or tuples of equal form
input.gr:52:1: error: the branches of `if` are (W: f64[3], b: f64) and (f64[3], f64)
    if p.b > 1 then p else (2.0 * x, 1.5)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: both branches give one tensor, or tuples of equal form
input.gr:53:1: error: the branches of `if` are (W: f64[3], b: f64) and f64[3]
    if p.b > 1 then p else x
    ^^^^^^^^^^^^^^^^^^^^^^^^
  hint: both branches give one tensor, or tuples of equal form
input.gr:54:52: error: `until` needs a tensor here, but this is (s: i64)
    scan t for 3 from s = 0 { s[t] = s[t-1] + 1; until (s = 2) }
                                                       ^^^^^^^
  hint: to compare write `==`; its part is read with .s
input.gr:55:1: error: `not` of (a: bool): tuples are added, subtracted and scaled by one number
    not (a = true)
    ^^^^^^^^^^^^^^
  hint: to compare write `==`
input.gr:56:1: error: `and` of (a: bool) and bool: tuples are added, subtracted and scaled by one number
    (a = true) and true
    ^^^^^^^^^^^^^^^^^^^
  hint: to compare write `==`
input.gr:57:3: error: the tuple has 2 items, there is no item 2
    p[2]
      ^
input.gr:58:3: error: the index of a tuple must be a whole number known while the graph is built
    p[x]
      ^
input.gr:59:5: error: sum needs a tensor here, but this is (W: f64[3], b: f64)
    sum(p)
        ^
  hint: take one of its parts with .W
input.gr:60:5: error: exp needs a tensor here, but this is (W: f64[3], b: f64)
    exp(p)
        ^
  hint: map(exp, p) applies it to each part of p
input.gr:61:1: error: concat: f64[1, 3] and f64[1] have 2 and 1 axes
    stack(p)
    ^^^^^^^^
input.gr:62:1: error: only names are allowed to the left of `=`
    p.W = 3
    ^^^
  hint: write `q = p with .W = v` for a copy, `p.W := v` for a store
input.gr:63:1: error: this `(` is never closed
    (W=1
    ^
exit 1
