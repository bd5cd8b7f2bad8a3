# A read of a trace has one code of error, whatever the loop becomes.
n : i64 = 0
r = scan t for n from x = 0.0 { x[t] = x[t-1] + 1 }
s = scan t for 7 from x = 0.0 { x[t] = x[t-1] + 1; until x[t] > 2 * f64(n + 1) }
r[-1]
r[0]
(2 * r)[-1]
s[-5]
:set passes inline
r[-1]
r[0]
(2 * r)[-1]
s[-5]
---
input.gr:5:1: error: index -1 is out of range: the scan took no step, its trace is empty
    r[-1]
    ^^^^^
input.gr:6:1: error: index 0 is out of range: the scan takes too few steps, its trace has no such row
    r[0]
    ^^^^
input.gr:7:1: error: index -1 is out of range: the scan took no step, its trace is empty
    (2 * r)[-1]
    ^^^^^^^^^^^
input.gr:8:1: error: index -5 is out of range: the scan stopped after fewer steps
    s[-5]
    ^^^^^
input.gr:10:1: error: index -1 is out of range for axis 0 of f64[0]
    r[-1]
    ^^^^^
input.gr:11:1: error: index 0 is out of range for axis 0 of f64[0]
    r[0]
    ^^^^
input.gr:12:1: error: index -1 is out of range for axis 0 of f64[0]
    (2 * r)[-1]
    ^^^^^^^^^^^
input.gr:13:1: error: index -5 is out of range for axis 0 of f64[3]
    s[-5]
    ^^^^^
exit 1
