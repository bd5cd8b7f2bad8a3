# What vmap refuses, and lanes that stop, branch or are none.
x : f64[3, 2] = [[1,2],[3,4],[5,6]]
w : f64[2] = [10, 20]
y : f64[n]
z : f64[m]
f(a, b) = sum(a * b) + 1
vmap(f)(x, w)
vmap(f, in_axes=(0, 2))(x, w)
vmap(f, in_axes=0)(x, 3.0)
vmap(f, in_axes=(0, None, 0))(x, w)
vmap(3)
vmap(f, in_axes=None)(x, w)
vmap(a -> f)(x)
vmap(a -> (a, a), out_axes=(0, 1, 2))(x)
vmap(a -> a, out_axes=5)(x)
vmap((a, b) -> a + b)(y, z)
vmap((a, b) -> a + b)(y, b=z)
y := [1, 2]
z := [1, 2, 3]
vmap((a, b) -> a + b)(y, z)
z := [3, 5]
vmap((a, b) -> a + b)(y, z)
vmap(a -> zeros(i64(a)))(y)
vmap(a -> zeros(i64(a)))([3.0, 3.0])
vmap(a -> 1.5)(y)
vmap(a -> sum(w))(y)
jacobian(vmap(tanh)(w), w)
grad(sum(vmap(v -> { s = scan t for 10 from p = v { p[t] = p[t-1] * 2; until p[t] > 10 }; sum(s)})(y)), y)
grad(sum(vmap(v -> if v > 1 then v^3 else v)(y)), y)
vmap(grad(v -> if v > 1 then v^3 else v))(y)
jvp(vmap(v -> if v > 1 then v^3 else v)(y), y, [1.0, 1.0])
vmap(vmap(v -> { s = scan t for 10 from p = v { p[t] = p[t-1] * 2; until p[t] > 10 }; (s.steps, s.final.p) }))(x)
vmap(v -> { s = scan t over v from p = 0.0 { p[t] = p[t-1] * 2 + v[t] }; s })(x)
vmap((i, v) -> { s = scan t for 4 from a = v { a[t] = a[t-1] + w[i * t]; until t > 0 or i > 0}; s.final.a})([0, 1], [1.0,2.0])
zeros((0, 3))
vmap(v -> sum(v))(zeros((0, 3)))
vmap(v -> { s = scan t for 10 from p = v { p[t] = p[t-1] * 2; until p[t] > 10 }; s.steps })(zeros((0,)))
---
input.gr:7:1: error: vmap: axis 0 of x has size 3, but axis 0 of w has size 2
    vmap(f)(x, w)
    ^^^^^^^^^^^^^
  hint: an argument that is the same for every lane gets None in in_axes
input.gr:8:1: error: vmap: there is no axis 2, the argument has type f64[2]
    vmap(f, in_axes=(0, 2))(x, w)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: in_axes counts the axes of an argument from 0
input.gr:9:1: error: vmap: an argument of type f64 has no axis to map over
    vmap(f, in_axes=0)(x, 3.0)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: give it None in in_axes: in_axes=(0, None)
input.gr:10:1: error: vmap: in_axes has 3 items for 2 arguments
    vmap(f, in_axes=(0, None, 0))(x, w)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: one axis, or None, for each argument
input.gr:11:6: error: vmap takes a function, but this is i64
    vmap(3)
         ^
  hint: vmap(f)(a, b) applies the function f to every a[i] and b[i]
input.gr:12:1: error: vmap: no argument is mapped over
    vmap(f, in_axes=None)(x, w)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: give in_axes a number for at least one of them
input.gr:13:1: error: vmap: the function gives a function
    vmap(a -> f)(x)
    ^^^^^^^^^^^^^^^
  hint: a function for vmap gives tensors
input.gr:14:1: error: vmap: out_axes has 3 items for 2 results
    vmap(a -> (a, a), out_axes=(0, 1, 2))(x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: one axis for each result
input.gr:15:1: error: vmap: there is no axis 5 in a stack of f64[2]
    vmap(a -> a, out_axes=5)(x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: out_axes counts the axes of the result from 0
f64[n]    # y has no value
  vmap((y_2, z_2) -> y_2 + z_2)(y, z)
input.gr:17:1: error: vmap(f) takes its arguments by position
    vmap((a, b) -> a + b)(y, b=z)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write the values in the order of the parameters
input.gr:20:1: error: vmap: the batch axes of z and of y have different lengths
    vmap((a, b) -> a + b)(y, z)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
f64[2] = [4.0, 7.0]
input.gr:23:11: error: a traced value changes shape from (1,) to (2,), in row 1 of the loop
    vmap(a -> zeros(i64(a)))(y)
              ^^^^^^^^^^^^^
f64[2, 3] =
[[0.0, 0.0, 0.0],
 [0.0, 0.0, 0.0]]
f64[2] = [1.5, 1.5]
f64[2] = [30.0, 30.0]
f64[2, 2] =
[[8.24461e-09, 0.00000e+00],
 [0.00000e+00, 0.00000e+00]]
f64[2] = [30.0, 14.0]
f64[2] = [1.0, 12.0]
f64[2] = [1.0, 12.0]
f64[2] = [1.0, 12.0]
[0] : i64[3, 2] =
[[4, 3],
 [2, 2],
 [2, 1]]
[1] : f64[3, 2] =
[[16.0, 16.0],
 [12.0, 16.0],
 [20.0, 12.0]]
f64[3, 2] =
[[ 1.0,  4.0],
 [ 3.0, 10.0],
 [ 5.0, 16.0]]
f64[2] = [21.0, 12.0]
f64[0, 3] = []
f64[0] = []
i64[0] = []
exit 1
