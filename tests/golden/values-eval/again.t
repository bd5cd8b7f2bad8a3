# A name that meant something else in between begins anew; the order of sums does not depend on it.
x : f64 = 2
y : f64 = 3
x : i64 = 1
x : f64
x + y
x := 5
x + y
shared w : f64 = 1
in alt { w := 7 }
w = 2
shared w : f64 = 3
in alt { w }
# a size is known from inputs that a name stands for
v : f64[n] = [1, 2, 3]
sum(ones(n))
v = 1
sum(ones(n))
u, _ = uniform([rng(1), rng_state(1, 2, 3, 4, 5, 6)][1], 2)
u
[rng(1), 2]
---
f64    # x has no value
  x + y
f64 = 8.0
w : f64 = 3.0
f64 = 3.0
f64    # n has no value
  sum(broadcast_to(1.0, (n,)))
u : f64[2] = [0.755279, 0.489754]
input.gr:21:1: error: an array holds generators' states or numbers, not both
    [rng(1), 2]
    ^^^^^^^^^^^
exit 1
