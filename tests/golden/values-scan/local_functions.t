u = arange(4.)
# A function of the body may read its states and sequences.
scan t over u from s = 0. { f(x) = x ^ 2; s[t] = f(s[t-1]) + u[t] }
scan t over u from s = 0. { f(x, k=u[t]) = k * x + s[t-1]; s[t] = f(1) + f(2, k=3) }
{ f(x) = x ^ 2; g(x) = f(x) + 1; f(3) + g(4) }
S = scan t for 3 from a = 1., b = 2. {
  step(x, y) = (x + y, x * y)
  a[t], b[t] = step(a[t-1], b[t-1])
}
S.final
x : f64 = 2
loss = (scan t for 3 from s = x { h(z) = sin(z) * x; s[t] = h(s[t-1]) }).last
loss
grad(loss, x)
w : f64[3]
y = scan t over w from s = x { h(z) = sin(z) * w[t]; s[t] = h(s[t-1]) }
y
scan t over u from s = 0. { c = 2; f(x) = c * x; c = 3; s[t] = f(s[t-1]) + c }
# Mistakes
scan t over u from s = 0. { s(x) = x; s[t] = s[t-1] }
scan t over u from s = 0. { f(x) = y; s[t] = f(s[t-1]) }
scan t over u from s = 0. { f(x) = f(x); s[t] = f(s[t-1]) }
scan t over u from s = 0. { f(s[t-1]); s[t] = s[t-1] }
scan t over u from s = 0. { f(x, x) = x; s[t] = f(s[t-1]) }
scan t over u from s = 0. { f(x) = x }
scan t over u from s = 0. using () { f(z) = z + x; s[t] = f(s[t-1]) }
f(2)
---
f64[4] = [0.0, 1.0, 3.0, 12.0]
f64[4] = [6.0, 19.0, 46.0, 101.0]
i64 = 26
.a : f64 = 11.0
.b : f64 = 30.0
loss : f64 = 1.8660160163605068
f64 = 0.262466564342807
y : f64[3]    # w has no value
  h(z, w) = sin(z) * w
  scan t over w from s = x {
    s[t] = h(s[t-1], w[t])
  }
f64[4] = [3.0, 12.0, 39.0, 120.0]
input.gr:20:29: error: s is a state, sequence or output of this scan
    scan t over u from s = 0. { s(x) = x; s[t] = s[t-1] }
                                ^
  hint: give the function another name
input.gr:21:39: error: state `s` changes type: it starts as f64, but its equation produces f64[3]
    scan t over u from s = 0. { f(x) = y; s[t] = f(s[t-1]) }
                                          ^^^^
  hint: start from an array of that shape, for example ones_like(A) or zeros_like(A)
input.gr:22:36: error: `f` calls itself, but recursion is not supported: calls are expanded while the graph is built
    scan t over u from s = 0. { f(x) = f(x); s[t] = f(s[t-1]) }
                                       ^^^^
  hint: write it as a recurrence: scan t for n from s = s0 { s[t] = ... }
input.gr:22:49: note: in this call of f
    scan t over u from s = 0. { f(x) = f(x); s[t] = f(s[t-1]) }
                                                    ^^^^^^^^^
input.gr:23:29: error: this has no use in a scan
    scan t over u from s = 0. { f(s[t-1]); s[t] = s[t-1] }
                                ^^^^^^^^^
  hint: an item of a scan is `s[t] = e`, `name = e`, `f(x) = e`, `check(c, "message")` or `until c`
input.gr:24:34: error: two parameters bear the name `x`
    scan t over u from s = 0. { f(x, x) = x; s[t] = f(s[t-1]) }
                                     ^
input.gr:25:20: error: the state s has no equation s[t] = ...
    scan t over u from s = 0. { f(x) = x }
                       ^
  hint: write s[t] = ... in the body, or take s out of `from`
input.gr:26:49: error: the scan's body captures x, which its `using` does not list
    scan t over u from s = 0. using () { f(z) = z + x; s[t] = f(s[t-1]) }
                                                    ^
  hint: add it to `using`, or drop `using` to allow every capture
input.gr:26:59: note: in this call of f
    scan t over u from s = 0. using () { f(z) = z + x; s[t] = f(s[t-1]) }
                                                              ^^^^^^^^^
input.gr:27:1: error: `f` is not defined
    f(2)
    ^
exit 1
