u : f64[5] = [1, 2, 3, 4, 5]
A : f64[3] = [1, 2, 3]
W : f64 = 2
k : i64 = 2
scan t for 3 { s[t] = s[t-1] + 1 }
scan t for 3 from s = 1.0 { r[t] = s[t-1] }
scan t from s = 1.0 { s[t] = s[t-1] }
scan t for 3 from s = 1 { s[t] = s[t-1] * 0.5 }
scan t for 3 from s = k { s[t] = s[t-1] * 0.5 }
scan t for 3 from s = 1.0 { s[t] = s[t-1] * A }
scan t for 3 from s = A { s[t] = sum(s[t-1]) }
scan t for 3 from s = 1.0 { s[t] = s[t-1] + s[t-2] }
scan t for 3 from s = A { s[t] = s[t-1] + s[t-2] }
scan t for 3 from s = 1.0 { s[t] = s[t+1] + s[t-1] }
scan t for 3 from a = 1.0, b = 1.0 { a[t] = a[t-1]; b[t] = b[t+1] }
scan t for 3 from s = 1.0 { s[t] = s[t] + 1 }
scan t for 3 from s = 1.0 { s[t] = s[0] + 1 }
scan t for 3 from s = 1.0 { s[t] = s[k] + 1 }
scan t for 3 from s = 1.0 { s[t] = s + 1 }
scan t for 3 from s = 1.0 { s[t] = s[t-k] + 1 }
scan t for 3 from s = 1.0 { s[t] = s[t-1]; s[t] = 2.0 }
scan t for 3 from s = 1.0 { s = 2.0 }
scan t over u { u[t] = 1.0 }
scan t over W { y[t] = W[t] }
scan t over u { y[t] = u[t-9] }
scan t for 3 from s = 1.0 using () { s[t] = s[t-1] * W }
scan t for 3 from s = 1.0 using A { s[t] = s[t-1] * W }
scan t for 3 from s = 1.0 { s[t] = s[t-1]; until s[t] }
scan t for 3 from s = A { s[t] = s[t-1]; until s[t] > 2 }
scan t for 3 from s = 1.0 { until s[t-1] > 2; s[t] = s[t-1] }
scan t over u from s = 0.0 { s[t] = s[t+1] + u[t]; until s[t] > 2 }
scan t for 3 from s = 1.0 { s[j] = s[t-1] }
scan t for 2.5 from s = 1.0 { s[t] = s[t-1] }
scan t for -1 from s = 1.0 { s[t] = s[t-1] }
scan t for 3 from s { s[t] = s[t-1] }
scan t for 3 from s = 1.0 { }
scan t for 3 from s = 1.0, s = 2.0 { s[t] = s[t-1] }
scan t for 3 { final[t] = 1.0 }
scan t for 3 { y[t] = scan t for 2 { z[t] = 1.0 } }
scan t for 3 { y[t] = nope + 1 }
scan t for 3 checkpoint 0 { y[t] = 1.0 }
scan t for 3 { y[t] = zeros(t) }
f(n) = scan t for n from s = 1.0 { s[t] = f(n) }
f(3)
---
input.gr:5:23: error: s is an output of this scan, so its earlier values are not kept
    scan t for 3 { s[t] = s[t-1] + 1 }
                          ^^^^^^
  hint: give it an initial value with `from`
input.gr:6:19: error: the state s has no equation s[t] = ...
    scan t for 3 from s = 1.0 { r[t] = s[t-1] }
                      ^
  hint: write s[t] = ... in the body, or take s out of `from`
input.gr:7:1: error: this scan has no stopping condition
    scan t from s = 1.0 { s[t] = s[t-1] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: add a step count (for n), a sequence (over xs), or `until` as the last line of the body
f64[3] = [0.5, 0.25, 0.125]
input.gr:9:27: error: state `s` changes type: it starts as i64, but its equation produces f64
    scan t for 3 from s = k { s[t] = s[t-1] * 0.5 }
                              ^^^^
  hint: start from f64(...), or write s[t] = i64(...)
input.gr:10:29: error: state `s` changes type: it starts as f64, but its equation produces f64[3]
    scan t for 3 from s = 1.0 { s[t] = s[t-1] * A }
                                ^^^^
  hint: start from an array of that shape, for example ones_like(A) or zeros_like(A)
input.gr:11:27: error: state `s` changes type: it starts as f64[3], but its equation produces f64
    scan t for 3 from s = A { s[t] = sum(s[t-1]) }
                              ^^^^
  hint: a state keeps its shape: start from f64, or make the equation give f64[3]
input.gr:12:19: error: s is read as far as s[t-2], so its initial value must have 2 rows along axis 0, in order of t, but it is f64
    scan t for 3 from s = 1.0 { s[t] = s[t-1] + s[t-2] }
                      ^
  hint: stack 2 initial values: for example from s = stack((a, b))
input.gr:13:19: error: s is read as far as s[t-2], so its initial value must have 2 rows along axis 0, in order of t, but it is f64[3]
    scan t for 3 from s = A { s[t] = s[t-1] + s[t-2] }
                      ^
  hint: stack 2 initial values: for example from s = stack((a, b))
input.gr:14:36: error: s reads the past and s reads ahead: a scan runs in one direction
    scan t for 3 from s = 1.0 { s[t] = s[t+1] + s[t-1] }
                                       ^^^^^^
  hint: split it into one scan that runs forward and one backward
input.gr:15:60: error: a reads the past and b reads ahead: a scan runs in one direction
    scan t for 3 from a = 1.0, b = 1.0 { a[t] = a[t-1]; b[t] = b[t+1] }
                                                               ^^^^^^
  hint: split it into one scan that runs forward and one backward
input.gr:16:36: error: s[t] is read before its equation
    scan t for 3 from s = 1.0 { s[t] = s[t] + 1 }
                                       ^^^^
  hint: write its equation before, or s[t-1] for the value of the step before
input.gr:17:36: error: inside the scan, s must be indexed: s[t-1], s[t-2], ...
    scan t for 3 from s = 1.0 { s[t] = s[0] + 1 }
                                       ^^^^
  hint: the offset of a tap is a number: write s[t-1] for the value of the step before
input.gr:18:36: error: inside the scan, s must be indexed: s[t-1], s[t-2], ...
    scan t for 3 from s = 1.0 { s[t] = s[k] + 1 }
                                       ^^^^
  hint: the offset of a tap is a number: write s[t-1] for the value of the step before
input.gr:19:36: error: inside the scan, s must be indexed: s[t-1], s[t-2], ...
    scan t for 3 from s = 1.0 { s[t] = s + 1 }
                                       ^
  hint: the offset of a tap is a number: write s[t-1] for the value of the step before
input.gr:20:36: error: inside the scan, s must be indexed: s[t-1], s[t-2], ...
    scan t for 3 from s = 1.0 { s[t] = s[t-k] + 1 }
                                       ^^^^^^
  hint: the offset of a tap is a number: write s[t-1] for the value of the step before
input.gr:21:44: error: s[t] has two equations
    scan t for 3 from s = 1.0 { s[t] = s[t-1]; s[t] = 2.0 }
                                               ^^^^
  hint: give one of them another name
input.gr:22:29: error: write s[t] = ... for its value at this step
    scan t for 3 from s = 1.0 { s = 2.0 }
                                ^
input.gr:23:17: error: u is a sequence of this scan and cannot be written
    scan t over u { u[t] = 1.0 }
                    ^^^^
  hint: name the equation differently
input.gr:24:13: error: `over` runs along axis 0, but W is f64
    scan t over W { y[t] = W[t] }
                ^
  hint: `for` gives a number of steps
f64[0] = []
input.gr:26:54: error: the scan's body captures W, which its `using` does not list
    scan t for 3 from s = 1.0 using () { s[t] = s[t-1] * W }
                                                         ^
  hint: add it to `using`, or drop `using` to allow every capture
input.gr:27:53: error: the scan's body captures W, which its `using` does not list
    scan t for 3 from s = 1.0 using A { s[t] = s[t-1] * W }
                                                        ^
  hint: add it to `using`, or drop `using` to allow every capture
input.gr:28:50: error: `until` takes one bool, but this is f64
    scan t for 3 from s = 1.0 { s[t] = s[t-1]; until s[t] }
                                                     ^^^^
  hint: compare, or use any(...) or all(...)
input.gr:29:48: error: `until` takes one bool, but this is bool[3]
    scan t for 3 from s = A { s[t] = s[t-1]; until s[t] > 2 }
                                                   ^^^^^^^^
  hint: compare, or use any(...) or all(...)
input.gr:30:47: error: nothing can follow `until` in a scan
    scan t for 3 from s = 1.0 { until s[t-1] > 2; s[t] = s[t-1] }
                                                  ^
  hint: move `until` to the end
input.gr:31:52: error: `until` is not possible in a scan that runs backwards
    scan t over u from s = 0.0 { s[t] = s[t+1] + u[t]; until s[t] > 2 }
                                                       ^^^^^^^^^^^^^^
  hint: run forward over flip(xs) instead
input.gr:32:29: error: the left side must be indexed by `t` alone, the scan's variable
    scan t for 3 from s = 1.0 { s[j] = s[t-1] }
                                ^^^^
  hint: write `s[t] = ...`
input.gr:33:12: error: the number of steps must be one whole number, but this is f64
    scan t for 2.5 from s = 1.0 { s[t] = s[t-1] }
               ^^^
  hint: cast it: i64(...); or `over` a sequence, for one step per row
input.gr:34:12: error: a scan cannot take -1 steps
    scan t for -1 from s = 1.0 { s[t] = s[t-1] }
               ^^
input.gr:35:21: error: expected `=` and the state's first value (`from s = s0`), but found `{`
    scan t for 3 from s { s[t] = s[t-1] }
                        ^
input.gr:36:29: error: the body of this scan is empty
    scan t for 3 from s = 1.0 { }
                                ^
  hint: an item of a scan is `s[t] = e`, `name = e`, `f(x) = e`, `check(c, "message")` or `until c`
input.gr:37:28: error: s is declared twice in this scan
    scan t for 3 from s = 1.0, s = 2.0 { s[t] = s[t-1] }
                               ^
  hint: give the second another name
f64[3] = [1.0, 1.0, 1.0]
input.gr:39:28: error: an inner scan may not reuse the index name t of the outer one
    scan t for 3 { y[t] = scan t for 2 { z[t] = 1.0 } }
                               ^
  hint: choose another name for the inner index
input.gr:40:23: error: `nope` is not defined
    scan t for 3 { y[t] = nope + 1 }
                          ^^^^
input.gr:41:25: error: checkpoint keeps every k-th state, k >= 1
    scan t for 3 checkpoint 0 { y[t] = 1.0 }
                            ^
  hint: `checkpoint auto` chooses k
input.gr:42:23: error: a traced value changes shape from (0,) to (1,), in row 1 of the loop
    scan t for 3 { y[t] = zeros(t) }
                          ^^^^^^^^
input.gr:43:43: error: `f` calls itself, but recursion is not supported: calls are expanded while the graph is built
    f(n) = scan t for n from s = 1.0 { s[t] = f(n) }
                                              ^^^^
  hint: write it as a recurrence: scan t for n from s = s0 { s[t] = ... }
input.gr:44:1: note: in this call of f
    f(3)
    ^^^^
exit 1
