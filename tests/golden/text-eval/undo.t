# :undo takes the last statement back, again and again.
:undo
x : f64 = 2
y = x * 3
x := 10
y
:undo
y
:undo
y
x := 5
x : f64[2] = [1, 2]
:undo
x
shared w : f64 = 1
repeat 3 { w := w * 2 }
w
in other { w := 7 }
:undo
:vars
:undo
w
f(a) = a + 1
f(a) = a + 2
f(1)
:undo
f(1)
:undo
f(1)
a = 1
b = a + 1
a = 10
:undo
b
a
a = 5
:undo
a
p, q = (1, 2)
p, q = (3, 4)
:undo
(p, q)
# what is taken back is not saved
:save undo.gr
:undo
:undo
a
---
input.gr:2:1: error: there is nothing to undo
    :undo
    ^^^^^
y : f64 = 30.0
x is again: x : f64 = 2
y : f64 = 6.0
y has no meaning any more
input.gr:10:1: error: `y` is not defined
    y
    ^
x is again: x : f64 = 5
x : f64 = 5.0
w : f64 = 8.0
w is again: shared w : f64 = 8
x  input   f64  5
w  shared  f64  8
in default:
  w : f64 = 8.0
in other:
w is again: shared w : f64 = 1
w : f64 = 1.0
i64 = 3
f is again: f(a) = a + 1
i64 = 2
f has no meaning any more
input.gr:29:1: error: `f` is not defined
    f(1)
    ^
a is again: a = 1
b : i64 = 2
a : i64 = 1
a is again: a = 1
a : i64 = 1
p is again: p, q = (1, 2)
q is again: p, q = (1, 2)
[0] : i64 = 1
[1] : i64 = 2
5 statements in undo.gr
p has no meaning any more
q has no meaning any more
b has no meaning any more
a : i64 = 1
exit 1
