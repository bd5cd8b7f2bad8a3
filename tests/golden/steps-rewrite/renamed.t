# A name that was given anew is not the name of what had it before.
v : f64[4] = [1, 2, 3, 4]
h = sum(v * v)
h = sum(v * 3) + sum(v * v)
:graph h
g = h + 1
:graph g
---
v : f64[4]
sum(v * 3) + sum(v * v)
v : f64[4]
h = sum(v * 3) + sum(v * v)
h + 1
