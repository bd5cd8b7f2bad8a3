# What failed to be given anew is not used with its older meaning: one error, and what it holds back.
x : f64[n] = [1, 2, 3]
u : f64[n] = [3, 2, 1]
y = sum(x * u)
x : f64[n, 2] = [[1, 2], [3, 4]]
y = sum(x @ [1, 2])
y
x : f64[2] = [5, 6]
x
---
input.gr:5:17: error: n is 2 by x but 3 by x
    x : f64[n, 2] = [[1, 2], [3, 4]]
                    ^^^^^^^^^^^^^^^^
  hint: assign a matching value to the other in the same statement; `:reset` forgets everything
input.gr:6:9: note: skipped, because the definition of `x` failed
    y = sum(x @ [1, 2])
            ^
input.gr:7:1: note: skipped, because the definition of `y` failed
    y
    ^
x : f64[2] = [5.0, 6.0]
input.gr:8:1: note: these definitions still refer to the previous `x`: y
    x : f64[2] = [5, 6]
    ^^^^^^^^^^^^^^^^^^^
exit 1
