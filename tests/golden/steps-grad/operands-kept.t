# What a gradient does without still has its error.
n : i64 = 0
x : f64[3] = [1.0, 2.0, 3.0]
z : f64 = 1e200
grad(sum(where(1 // n > 2, x, x)), x)
grad(sum(if 1 // n > 2 then x else x), x)
vmap(v -> where(1 // n > 2, v, v))(x)
# a derivative of a constant has no infinity of the form that was written
s = grad(sum(exp(z)^0 + z), z)
s
:steps s
# an initial value that a loop of two steps does without
w : f64[2] = [1, 2]
(scan t over w from q = f64(1 // n) { q[t] = 2 * w[t] }).final
---
input.gr:5:16: error: integer division by zero
    grad(sum(where(1 // n > 2, x, x)), x)
                   ^^^^^^
input.gr:6:13: error: integer division by zero
    grad(sum(if 1 // n > 2 then x else x), x)
                ^^^^^^
input.gr:7:17: error: integer division by zero
    vmap(v -> where(1 // n > 2, v, v))(x)
                    ^^^^^^
s : f64 = 1.0
canonicalize: 1 step, 9 -> 6 nodes, done
  1  inner [E R N+]  in the function of grad
    1.1  pow-zero [E R N+]  exp(z)^0 => 1.0    # IEEE: anything to the power 0 is 1, even NaN
    1.2  sum-nothing [E R N+]  sum(1 + z) => 1 + z    # no axes to sum over
differentiate: 1 step, 6 -> 1 nodes, done
  2  expand-derivative [E]    # operator by operator; reverse sweep over 3 nodes
      s = grad(1 + z, z) => 1.0
nothing to do: inline, stabilize, simplify, expand, loops, specialize, fuse, lower
input.gr:14:29: error: integer division by zero
    (scan t over w from q = f64(1 // n) { q[t] = 2 * w[t] }).final
                                ^^^^^^
exit 1
