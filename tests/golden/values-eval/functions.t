# Functions are generic, and values while a graph is built.
s = 3
scale(x) = s * x
scale(1)
scale([1.0, 2.0])
twice(f, x) = f(f(x))
twice(scale, 2)
compose(f, g) = x -> f(g(x))
h = compose(scale, z -> z + 1)
h(1)
pair(a, b=2) = (b, a)
pair(1)
pair(b=7, a=1)
pair()
pair(1, 2, 3)
pair(1, c=3)
scale
fact(n) = if n < 1 then 1 else n * fact(n - 1)
fact(3)
exp(x) = x + 1
exp(1)
---
i64 = 3
f64[2] = [3.0, 6.0]
i64 = 18
i64 = 6
[0] : i64 = 2
[1] : i64 = 1
[0] : i64 = 7
[1] : i64 = 1
input.gr:14:1: error: pair needs a value for a
    pair()
    ^^^^^^
input.gr:15:1: error: pair takes 2 arguments, 3 are given
    pair(1, 2, 3)
    ^^^^^^^^^^^^^
input.gr:16:9: error: pair has no parameter c
    pair(1, c=3)
            ^
scale : function(x)
input.gr:18:36: error: `fact` calls itself, but recursion is not supported: calls are expanded while the graph is built
    fact(n) = if n < 1 then 1 else n * fact(n - 1)
                                       ^^^^^^^^^^^
  hint: write it as a recurrence: scan t for n from s = s0 { s[t] = ... }
input.gr:19:1: note: in this call of fact
    fact(3)
    ^^^^^^^
i64 = 2
exit 1
