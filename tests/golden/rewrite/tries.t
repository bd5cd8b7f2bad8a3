# A pass ends after so many rules tried, never after so much time: what comes out is a function of the input.
x : f64[n]
:set tries 3
:passes log(1 + exp(x * 1)) + (x - 0)
:set tries 100000000
:passes log(1 + exp(x * 1)) + (x - 0)
---
pass           steps  nodes before  after  stop
inline         0      9             9      saturated
canonicalize   0      9             9      limit of tries
stabilize      2      9             7      saturated
differentiate  0      7             7      saturated
expand         0      7             7      limit of tries
loops          0      7             7      limit of tries
specialize     0      7             7      saturated
fuse           0      7             7      limit of tries
lower          0      7             7      saturated
pass           steps  nodes before  after  stop
inline         0      9             9      saturated
canonicalize   2      9             6      saturated
stabilize      2      6             3      saturated
differentiate  0      3             3      saturated
expand         0      3             3      saturated
loops          0      3             3      saturated
specialize     0      3             3      saturated
fuse           1      3             6      saturated
lower          0      6             6      saturated
