# using: every capture counts, also what a function that the body calls mentions.
W : f64 = 2
b : f64 = 3
u : f64[3] = [1, 2, 3]
f(a) = a * W
g(a) = f(a) + 1
h(a, w=W) = a * w
two = 2
scan t over u from s = 0.0 using () { s[t] = s[t-1] + f(u[t]) }
scan t over u from s = 0.0 using b { s[t] = s[t-1] * b + g(u[t]) }
scan t over u from s = 0.0 using () { s[t] = s[t-1] + h(u[t]) }
scan t over u using () { s[t] = (v -> v * b)(u[t]) }
scan t over u using () { s[t] = sum(map(v -> v * b, [1, 2])) * u[t] }
scan t over u using () { s[t] = grad(f)(u[t]) }
# listed, functions, sequences, inits, counts and numbers
scan t over u from s = b for 2 using W { s[t] = s[t-1] + g(u[t]) * two }
scan t over u using W { s[t] = h(u[t]) }
scan t over u using () { s[t] = h(u[t], u[t]) }
scan t over u using () { k(a) = a * 2; s[t] = u[t] }
scan t over u using () { s[t] = { k(a) = a * u[t]; k(2) } }
scan t over u using () { s[t] = mean(stack((u[t], 1.0))) + softplus(u[t]) }
# a name of its own that is spelled like one on the list
make(W) = (a -> a * W)
by = make(b)
scan t over u using W { s[t] = by(u[t]) }
# a scan inside a function takes what the function gets; a strict one inside, what is on its list
run(w) = (scan t over u from s = 0.0 using w { s[t] = s[t-1] + w * u[t] }).final
run(W)
scan i over u using W { r[i] = (scan j for 2 from s = u[i] using W { s[j] = s[j-1] * W }).final }
scan i over u { r[i] = (scan j for 2 from s = 0.0 using () { s[j] = s[j-1] + u[i] }).final }
scan i over u { r[i] = (scan j for 2 from s = 0.0 using u { s[j] = s[j-1] + u[i] }).final }
scan i over u using W { r[i] = (scan j for 2 from s = u[i] { s[j] = s[j-1] * f(b) }).final }
# the whole of a sequence
scan t over a = u using a { s[t] = a[t] / sum(a) }
scan t over a = u using () { s[t] = a[t] / sum(a) }
scan t over u using c { s[t] = u[t] }
---
input.gr:5:12: error: the scan's body captures W through f, which its `using` does not list
    f(a) = a * W
               ^
  hint: add it to `using`, or give it to the function as an argument
input.gr:9:55: note: in this call of f
    scan t over u from s = 0.0 using () { s[t] = s[t-1] + f(u[t]) }
                                                          ^^^^^^^
input.gr:5:12: error: the scan's body captures W through f, which its `using` does not list
    f(a) = a * W
               ^
  hint: add it to `using`, or give it to the function as an argument
input.gr:6:8: note: in this call of f
    g(a) = f(a) + 1
           ^^^^
input.gr:10:58: note: in this call of g
    scan t over u from s = 0.0 using b { s[t] = s[t-1] * b + g(u[t]) }
                                                             ^^^^^^^
input.gr:7:8: error: the scan's body captures W through h, which its `using` does not list
    h(a, w=W) = a * w
           ^
  hint: add it to `using`, or give it to the function as an argument
input.gr:12:43: error: the scan's body captures b, which its `using` does not list
    scan t over u using () { s[t] = (v -> v * b)(u[t]) }
                                              ^
  hint: add it to `using`, or drop `using` to allow every capture
input.gr:13:50: error: the scan's body captures b, which its `using` does not list
    scan t over u using () { s[t] = sum(map(v -> v * b, [1, 2])) * u[t] }
                                                     ^
  hint: add it to `using`, or drop `using` to allow every capture
input.gr:13:37: note: in this call of map
    scan t over u using () { s[t] = sum(map(v -> v * b, [1, 2])) * u[t] }
                                        ^^^^^^^^^^^^^^^^^^^^^^^
input.gr:5:12: error: the scan's body captures W through f, which its `using` does not list
    f(a) = a * W
               ^
  hint: add it to `using`, or give it to the function as an argument
input.gr:14:33: note: in this call of f
    scan t over u using () { s[t] = grad(f)(u[t]) }
                                    ^^^^^^^^^^^^^
f64[2] = [9.0, 19.0]
f64[3] = [2.0, 4.0, 6.0]
f64[3] = [1.0, 4.0, 9.0]
f64[3] = [1.0, 2.0, 3.0]
f64[3] = [2.0, 4.0, 6.0]
f64[3] = [2.31326, 3.62693, 5.04859]
input.gr:23:21: error: the scan's body captures W through a function, which its `using` does not list
    make(W) = (a -> a * W)
                        ^
  hint: add it to `using`, or give it to the function as an argument
f64 = 12.0
f64[3] = [4.0, 8.0, 12.0]
input.gr:30:78: error: the scan's body captures u, which its `using` does not list
    scan i over u { r[i] = (scan j for 2 from s = 0.0 using () { s[j] = s[j-1] + u[i] }).final }
                                                                                 ^^^^
  hint: add it to `using`, or drop `using` to allow every capture
f64[3] = [2.0, 4.0, 6.0]
input.gr:32:80: error: the scan's body captures b, which its `using` does not list
    scan i over u using W { r[i] = (scan j for 2 from s = u[i] { s[j] = s[j-1] * f(b) }).final }
                                                                                   ^
  hint: add it to `using`, or drop `using` to allow every capture
f64[3] = [0.166667, 0.333333, 0.5]
input.gr:35:48: error: the scan's body captures the whole of a, which its `using` does not list
    scan t over a = u using () { s[t] = a[t] / sum(a) }
                                                   ^
  hint: add it to `using`, or drop `using` to allow every capture
input.gr:36:21: error: `c` is not defined
    scan t over u using c { s[t] = u[t] }
                        ^
exit 1
