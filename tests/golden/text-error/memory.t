# A limit for tensors: what is beyond it is refused, numbers never are, and the session goes on.
:set memory 1000
1.5 + 2
x = arange(50) * 0.5
sum(x)
arange(1000) * 0.5
sum(x)
:set memory 0
sum(arange(1000) * 0.5)
---
f64 = 3.5
f64 = 612.5
input.gr:6:1: error: out of memory: could not allocate the result of fused
    arange(1000) * 0.5
    ^^^^^^^^^^^^^^^^^^
  hint: smaller sizes need less; :set memory and `ulimit -v` set limits
f64 = 612.5
f64 = 249750.0
exit 1
