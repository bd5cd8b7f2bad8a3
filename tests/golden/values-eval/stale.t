A : f64[3] = [1, 2, 3]
B = A * 2
C = sum(B)
A : f64[3] = [3, 2, 1]
A : f64[2] = [1, 2]
# the note comes before the first use
C
grad(C, A)
# all given anew: nothing to tell
B = A * 2
C = sum(B)
A : f64[2]
f(x) = x * 2
y = f(3)
z = y + 1
f(x) = x * 2
f(x) = x * 5
y = f(3)
z = y + 1
z
# at the end of the text
k = 2
m = k * 3
k = 4
---
input.gr:5:1: note: these definitions still refer to the previous `A`: B, C
    A : f64[2] = [1, 2]
    ^^^^^^^^^^^^^^^^^^^
C : f64 = 12.0
input.gr:8:1: error: the value does not depend on the new A
    grad(C, A)
    ^^^^^^^^^^
  hint: C was built from an older A: define it again to use the new one
z : i64 = 16
input.gr:24:1: note: these definitions still refer to the previous `k`: m
    k = 4
    ^^^^^
exit 1
