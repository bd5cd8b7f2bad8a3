# A statement that is repeated is elaborated and planned once, and its variable changed in place;
# whatever else holds the value keeps it.
shared w : f64[3] = [1, 2, 3]
held := w
first = w * 1
repeat 3 { w := w * 2 }
w
held
:undo
w
# a context reads through to `default`, whose value stays
in alt { repeat 2 { w := w + 1 } ; w }
w
in alt { w }
# elements
repeat 4 { w := w with [1] = w[1] * 10 }
w
held
# several at once, and one that holds the other's value
shared v : f64[3] = [7, 8, 9]
repeat 3 { w, v := v, w }
(w, v)
repeat 2 { w := v ; v := v * 2 }
(w, v)
# names that mean something else in each round
repeat 3 { step = w * 0.5 ; w := step + 1 }
w
# the round that fails changes nothing, those before it stay
shared i : i64 = 0
repeat 10 { i := i + 1 ; w := w with [i] = 9.0 }
(i, w)
# a command, a value, another repeat
repeat 2 { :type w
  repeat 2 { i := i + 10 }
  i }
# a name that is new is an input from the first round on
repeat 3 { total := i ; total := total + 1 }
total
# the size may change where the type allows it
x : f64[n] = [1]
repeat 3 { x := concat((x, x)) }
x
y : f64[2] = [1, 2]
repeat 2 { y := concat((y, y)) }
y
# more statements than programs are kept
shared s : f64 = 0
repeat 3 { s := s + 1 ; s := s * 2 ; s := s - 1 ; s := s / 2 ; s := s + 3 ; s := s * s ; s := s - 2 ; s := s / 4 ; s := s + 5 ; s := sqrt(s) }
s
---
w : f64[3] = [8.0, 16.0, 24.0]
held : f64[3] = [1.0, 2.0, 3.0]
w is again: shared w : f64[3] = [1, 2, 3]
w : f64[3] = [1.0, 2.0, 3.0]
w : f64[3] = [3.0, 4.0, 5.0]
w : f64[3] = [1.0, 2.0, 3.0]
w : f64[3] = [3.0, 4.0, 5.0]
w : f64[3] = [1.0e+00, 2.0e+04, 3.0e+00]
held : f64[3] = [1.0, 2.0, 3.0]
[0] : f64[3] = [7.0, 8.0, 9.0]
[1] : f64[3] = [1.0e+00, 2.0e+04, 3.0e+00]
[0] : f64[3] = [2.0e+00, 4.0e+04, 6.0e+00]
[1] : f64[3] = [4.0e+00, 8.0e+04, 1.2e+01]
w : f64[3] = [2.00000e+00, 5.00175e+03, 2.50000e+00]
input.gr:30:31: error: index 3 is out of range for axis 0 of f64[3]
    repeat 10 { i := i + 1 ; w := w with [i] = 9.0 }
                                  ^^^^^^^^^^^^^^^^
[0] : i64 = 3
[1] : f64[3] = [2.0, 9.0, 9.0]
f64[3]
i : i64 = 23
f64[3]
i : i64 = 43
total : i64 = 44
x : f64[8] = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
input.gr:44:12: error: y is declared as f64[2] but this value is f64[4]
    repeat 2 { y := concat((y, y)) }
               ^
y : f64[2] = [1.0, 2.0]
s : f64 = 4.211725555726588
exit 1
