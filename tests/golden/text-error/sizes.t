# Values of inputs must agree on the sizes they share.
x : f64[n] = [1, 2]
y : f64[n] = [1, 2, 3]
z : f64[n, n] = [[1, 2], [3, 4]]
x + z[0]
x := [1, 2, 3]
z := [[1, 2, 3]]
w : f64[n+1] = [1, 2, 3]
sum(x) + sum(w)
:type x + w
---
input.gr:3:14: error: n is 3 by y but 2 by x
    y : f64[n] = [1, 2, 3]
                 ^^^^^^^^^
  hint: assign a matching value to the other in the same statement; `:reset` forgets everything
f64[2] = [2.0, 4.0]
input.gr:6:1: error: n is 3 by x but 2 by z
    x := [1, 2, 3]
    ^
  hint: assign a matching value to the other in the same statement; `:reset` forgets everything
input.gr:7:1: error: z is declared as f64[n, n] but this value is f64[1, 3]
    z := [[1, 2, 3]]
    ^
f64 = 9.0
input.gr:10:7: error: add: shapes f64[n] and f64[n+1] do not match: axis 0 is n and n+1
    :type x + w
          ^^^^^
  hint: for all pairs, give one of them an axis of length 1: x[:, None]
exit 1
