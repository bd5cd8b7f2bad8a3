# roll, pad, repeat and linspace are one node each until expand.
A : f64[n, m] = [[1, 2, 3], [4, 5, 6]]; v : f64[n] = [1, 2]
k : i64 = 2; s : f64 = 0.5
:graph roll(A, 1) + roll(A, 1, axis=0) + roll(A, (k, -1), axis=(0, 1))
(roll(A, 1), roll(A, 1, axis=0), roll(A, (k, -1), axis=(0, 1)), roll(A, 4, axis=-1), roll(A, -k))
:graph (pad(A, 1), pad(v, (1, k)), pad(A, ((1, 0), (0, 2)), constant_values=s), pad(A, 0), pad(3, 1), pad(v, (2, 0), constant_values=-0.0))
(pad(A, 1), pad(v, (1, k)), pad(A, ((1, 0), (0, 2)), constant_values=s), pad(A, 0), pad(3, 1), pad([1, 2], 1))
:graph (repeat(A, 2), repeat(A, k, axis=1), repeat(v, 3), repeat(v, [2, 1]))
(repeat(A, 2), repeat(A, k, axis=1), repeat(v, 3), repeat(v, [2, 1]))
:graph (linspace(0, 1, 5), linspace(s, 2, k), linspace(0, 10, 4, dtype=i64))
(linspace(0, 1, 5), linspace(s, 2, k), linspace(0, 10, 4, dtype=i64))
:type (roll(A, k), pad(A, 1), pad(v, (k, 0)), repeat(A, 2), repeat(A, k, axis=1), linspace(0, 1, k))
# derivatives
:steps grad(sum(roll(v, k) * [3, 4]), v) pass=differentiate
:steps grad(sum(pad(v, (1, 0)) * [3, 4, 5]), v) pass=differentiate
(grad(sum(roll(A, (1, k), axis=(0, 1)) * A^2), A), grad(sum(roll(A, k) * A^2), A))
(grad(sum(pad(A, 1, constant_values=s)^3), A), grad(sum(pad(A, ((1, 0), (0, k)), constant_values=s)^3), s))
(grad(sum(repeat(A, k, axis=0)^2 * [[1], [2], [3], [4]]), A), grad(sum(repeat(A, 2)^2), A))
(grad(sum(linspace(s, 2, 5)^2), s), grad(sum(linspace(0, s, 5)), s))
(jvp(sum(pad(v, 1)^2), v, v), jvp(repeat(v, 2), v, v), jvp(roll(v, 1), v, v), jvp(linspace(s, 2, 3), s, 1))
# lanes, loops, branches, functions
:graph vmap(x -> (roll(x, 1), pad(x, 1)))(A)
vmap(x -> roll(x, 1))(A)
vmap((x, i) -> roll(x, i))(A, [1, 2])
vmap(x -> pad(x, (1, 2), constant_values=x[0]))(A)
vmap(x -> repeat(x, 2))(A)
vmap(x -> linspace(x, 1, 3))(v)
(scan t for 3 from h = v { h[t] = roll(h[t-1], 1) * [2, 1] }).final
(scan t for 2 from h = A { h[t] = h[t-1] + pad(h[t-1][:, 1:], ((0, 0), (1, 0))) * repeat(v, 1)[:, None] }).final
scan t for 2 { r[t] = sum(repeat(A, 2)) + sum(linspace(0, t, 3)) + (if t > 0 then sum(pad(roll(v, t), t)) else 0) }
(x -> repeat(x, 2) + roll(repeat(x, 2), 1))(A)
# expand puts in their place what they are made of
:steps roll(A, k, axis=1) pass=expand
:steps pad(v, (1, k)) pass=expand
:steps repeat(A, 2, axis=1) pass=expand
:set passes differentiate lower
(roll(A, 1, axis=0), pad(v, (1, k)), repeat(v, 2), linspace(0, 1, 3))
# what is refused
:set passes default
roll(v, 0.5)
pad(v, -1)
pad(v, (1, k - 3))
repeat(v, -1)
repeat(v, k - 3)
linspace(0, 1, k - 3)
---
A : f64[n, m]
k : i64
roll(A, 1) + roll(A, 1, axis=0) + roll(A, (k, -1), axis=(0, 1))
[0] : f64[2, 3] =
[[6.0, 1.0, 2.0],
 [3.0, 4.0, 5.0]]
[1] : f64[2, 3] =
[[4.0, 5.0, 6.0],
 [1.0, 2.0, 3.0]]
[2] : f64[2, 3] =
[[2.0, 3.0, 1.0],
 [5.0, 6.0, 4.0]]
[3] : f64[2, 3] =
[[3.0, 1.0, 2.0],
 [6.0, 4.0, 5.0]]
[4] : f64[2, 3] =
[[3.0, 4.0, 5.0],
 [6.0, 1.0, 2.0]]
A : f64[n, m]
v : f64[n]
k : i64
s : f64
(pad(A, 1), pad(v, (1, k)), pad(A, ((1, 0), (0, 2)), constant_values=s), pad(A, 0), pad(3, 0),
    pad(v, (2, 0), constant_values=-0.0))
[0] : f64[4, 5] =
[[0.0, 0.0, 0.0, 0.0, 0.0],
 [0.0, 1.0, 2.0, 3.0, 0.0],
 [0.0, 4.0, 5.0, 6.0, 0.0],
 [0.0, 0.0, 0.0, 0.0, 0.0]]
[1] : f64[5] = [0.0, 1.0, 2.0, 0.0, 0.0]
[2] : f64[3, 5] =
[[0.5, 0.5, 0.5, 0.5, 0.5],
 [1.0, 2.0, 3.0, 0.5, 0.5],
 [4.0, 5.0, 6.0, 0.5, 0.5]]
[3] : f64[2, 3] =
[[1.0, 2.0, 3.0],
 [4.0, 5.0, 6.0]]
[4] : i64 = 3
[5] : i64[4] = [0, 1, 2, 0]
A : f64[n, m]
v : f64[n]
k : i64
t1 = match_shape([2, 1], arange(n))
(repeat(A, 2), repeat(A, k, axis=1), repeat(v, 3),
    v[searchsorted(cumsum(check(all(t1 >= 0), t1,
    message="repeat: a number of copies is negative")),
    iota(check(sum(f64(t1)) < 4.611686018427388e+18, sum(t1),
    message="repeat: the result would have more elements than can be counted")), side="right")])
[0] : f64[12] = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 5.0, 6.0, 6.0]
[1] : f64[2, 6] =
[[1.0, 1.0, 2.0, 2.0, 3.0, 3.0],
 [4.0, 4.0, 5.0, 5.0, 6.0, 6.0]]
[2] : f64[6] = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]
[3] : f64[3] = [1.0, 1.0, 2.0]
k : i64
s : f64
(linspace(0.0, 1.0, 5), linspace(s, 2.0, k), linspace(0.0, 10.0, 4, dtype=i64))
[0] : f64[5] = [0.0, 0.25, 0.5, 0.75, 1.0]
[1] : f64[2] = [0.5, 2.0]
[2] : i64[4] = [0, 3, 6, 10]
(f64[n, m], f64[n+2, m+2], f64[k+n], f64[2*m*n], f64[n, k*m], f64[k])
differentiate: 3 steps, 11 -> 7 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 7 nodes
      - «grad(sum»(match_shape(«roll(v, k), [3.0, 4.0]») * [3.0, 4.0]«)», v)
      + «d_v = roll»(match_shape(«broadcast_to(1.0, (2,))» * [3.0, 4.0], «roll(»v«, k)), -k)»
  2  broadcast-into [E]    # elementwise operators take scalars as they are
      broadcast_to(1.0, (2,)) * [3.0, 4.0] => 1.0 * [3.0, 4.0]
  3  fold [E]  1.0 * [3.0, 4.0] => [3.0, 4.0]    # the value is known while the graph is built
differentiate: 3 steps, 12 -> 9 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 9 nodes
      - «grad(sum(»match_shape(«pad(v, (1, 0)),» [3.0, 4.0, 5.0]«) * [3.0, 4.0, 5.0]), v»)
      + «d_v =» match_shape(«broadcast_to(1.0, (3,)) *» [3.0, 4.0, 5.0], «pad(v, (1, 0)))[1:]»
  2  broadcast-into [E]    # elementwise operators take scalars as they are
      broadcast_to(1.0, (3,)) * [3.0, 4.0, 5.0] => 1.0 * [3.0, 4.0, 5.0]
  3  fold [E]    # the value is known while the graph is built
      1.0 * [3.0, 4.0, 5.0] => [3.0, 4.0, 5.0]
[0] : f64[2, 3] =
[[46.0, 40.0, 49.0],
 [25.0, 31.0, 16.0]]
[1] : f64[2, 3] =
[[19.0, 40.0, 31.0],
 [52.0, 31.0, 52.0]]
[0] : f64[2, 3] =
[[  3.0,  12.0,  27.0],
 [ 48.0,  75.0, 108.0]]
[1] : f64 = 6.75
[0] : f64[2, 3] =
[[ 6.0, 12.0, 18.0],
 [56.0, 70.0, 84.0]]
[1] : f64[2, 3] =
[[ 4.0,  8.0, 12.0],
 [16.0, 20.0, 24.0]]
[0] : f64 = 4.375
[1] : f64 = 2.5
[0] : f64 = 10.0
[1] : f64[4] = [1.0, 1.0, 2.0, 2.0]
[2] : f64[2] = [2.0, 1.0]
[3] : f64[3] = [1.0, 0.5, 0.0]
A : f64[n, m]
t1, t2 = vmap(A_2 -> (roll(A_2, 1), pad(A_2, 1)))(A)
(t1, t2)
f64[2, 3] =
[[3.0, 1.0, 2.0],
 [6.0, 4.0, 5.0]]
f64[2, 3] =
[[3.0, 1.0, 2.0],
 [5.0, 6.0, 4.0]]
f64[2, 6] =
[[1.0, 1.0, 2.0, 3.0, 1.0, 1.0],
 [4.0, 4.0, 5.0, 6.0, 4.0, 4.0]]
f64[2, 6] =
[[1.0, 1.0, 2.0, 2.0, 3.0, 3.0],
 [4.0, 4.0, 5.0, 5.0, 6.0, 6.0]]
f64[2, 3] =
[[1.0, 1.0, 1.0],
 [2.0, 1.5, 1.0]]
f64[2] = [8.0, 2.0]
f64[2, 3] =
[[ 1.0,  8.0, 12.0],
 [ 4.0, 45.0, 54.0]]
f64[2] = [42.0, 46.5]
f64[12] = [7.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]
expand: 1 step, 3 -> 7 nodes, done
  1  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      roll(A, k, axis=1) => A[:, (arange(m) - k) % m]
expand: 1 step, 5 -> 7 nodes, done
  1  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      pad(v, (1, k)) => concat((broadcast_to(0.0, (1,)), v, broadcast_to(0.0, (k,))), axis=0)
expand: 2 steps, 3 -> 7 nodes, done
  1  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      repeat(A, 2, axis=1) => reshape(broadcast_to(A[:, :, None], (n, m, 2)), (n, m * 2))
  2  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(A[:, :, None], (n, m, 2)) => broadcast_to(A, (n, m, 2), axis=(0, 1))
[0] : f64[2, 3] =
[[4.0, 5.0, 6.0],
 [1.0, 2.0, 3.0]]
[1] : f64[5] = [0.0, 1.0, 2.0, 0.0, 0.0]
[2] : f64[4] = [1.0, 1.0, 2.0, 2.0]
[3] : f64[3] = [0.0, 0.5, 1.0]
input.gr:40:9: error: the shift of roll must be a whole number, but this is f64
    roll(v, 0.5)
            ^^^
input.gr:41:8: error: a width of pad cannot be negative
    pad(v, -1)
           ^^
  hint: take a slice to make it smaller
input.gr:42:1: error: a size cannot be negative, but axis 0 has -1
    pad(v, (1, k - 3))
    ^^^^^^^^^^^^^^^^^^
input.gr:43:11: error: a number of copies cannot be negative
    repeat(v, -1)
              ^^
input.gr:44:1: error: a size cannot be negative, but axis 1 has -1
    repeat(v, k - 3)
    ^^^^^^^^^^^^^^^^
input.gr:45:1: error: the number of steps is negative
    linspace(0, 1, k - 3)
    ^^^^^^^^^^^^^^^^^^^^^
exit 1
