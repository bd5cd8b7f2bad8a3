# `until` reads what the step has made: x[t].
a = scan t for 100 from x = 0.0 { x[t] = x[t-1] + 1; until x > 5 }
b = scan t for 100 from x = 0.0 { x[t] = x[t-1] + 1; until x[t] > 5 }
b.final
b.steps
# An equation of another output comes after that of the state; its own reads the step before.
c = scan t for 3 from x = 0.0 { x[t] = x[t-1] + 1; y[t] = tanh(x) }
d = scan t for 3 from x = 0.0 { x[t] = x + 1 }
# The rows of a sequence that have names.
u = [1.0, 2.0, 3.0]
e = scan t over r[t] = u from x = 0.0 { x[t] = x[t-1] + tanh(r) }
---
input.gr:2:60: error: inside the scan, x must be indexed: x[t], x[t-1], ...
    a = scan t for 100 from x = 0.0 { x[t] = x[t-1] + 1; until x > 5 }
                                                               ^
  hint: write x[t] for its value at this step, x[t-1] for that of the step before
f64 = 6.0
i64 = 6
input.gr:7:64: error: inside the scan, x must be indexed: x[t], x[t-1], ...
    c = scan t for 3 from x = 0.0 { x[t] = x[t-1] + 1; y[t] = tanh(x) }
                                                                   ^
  hint: write x[t] for its value at this step, x[t-1] for that of the step before
input.gr:8:40: error: inside the scan, x must be indexed: x[t-1], x[t-2], ...
    d = scan t for 3 from x = 0.0 { x[t] = x + 1 }
                                           ^
  hint: the offset of a tap is a number: write x[t-1] for the value of the step before
input.gr:11:62: error: inside the scan, r is read by the names of its rows
    e = scan t over r[t] = u from x = 0.0 { x[t] = x[t-1] + tanh(r) }
                                                                 ^
  hint: write r[t]
exit 1
