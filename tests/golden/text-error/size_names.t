# A size may be called as a function is; what has a value of its own names no size.
A : f64[sum] = [1, 2, 3]
sum(A) + sum
zeros((sum,))
:graph exp(A) * sum
B : f64[e]
C : f64[n, None]
D : f64[2 * pi]
sum = 4
sum + 1
---
f64 = 9.0
f64[3] = [0.0, 0.0, 0.0]
A : f64[sum]
exp(A) * f64(sum)
input.gr:6:9: error: e has a value of its own, so it cannot name a size
    B : f64[e]
            ^
  hint: give the size another name
input.gr:7:12: error: None has a value of its own, so it cannot name a size
    C : f64[n, None]
               ^^^^
  hint: give the size another name
input.gr:8:13: error: pi has a value of its own, so it cannot name a size
    D : f64[2 * pi]
                ^^
  hint: give the size another name
i64 = 5
exit 1
