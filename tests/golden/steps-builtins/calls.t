# What is called stays what was called until expand: one node, which reads back, has a derivative, is batched, and runs in
# loops, with and without rules.
A : f64[n, n] = [[1, 2, 3], [4, 5, 6], [7, 8, 10]]; R : f64[2, 3] = [[1, 2, 3], [4, 5, 6]]; v : f64[n] = [1, 2, 3]
k : i64 = 2
:graph eye(n) @ A
:graph eye(n, n) + eye(n, k=1) + eye(n, k=-k)
:graph (eye(2, 3), eye(2, 3, k=k), eye(k, dtype=bool), eye(k, dtype=f32))
(eye(2, 3), eye(2, 3, k=k), eye(k, dtype=bool), eye(k, dtype=f32))
:graph one_hot([0, 2], n) @ A
(one_hot([0, 2, -1], 3), one_hot(k, 3, dtype=i64))
:graph trace(A) * diag(A) + diag(diag(v, k=1), k=1)[:3]
(trace(A), trace(R), trace(R > 3), diag(A), diag(R, k=1), diag(v, k=-1))
:type (trace(A), diag(A), diag(A, k=1), diag(v), one_hot([0, 2], n), eye(n, k))
# derivatives
:steps grad(trace(A), A) pass=differentiate
:steps grad(sin(trace(A)), A) pass=differentiate
:steps grad(sum(diag(A) * v), A) pass=differentiate
:steps grad(sum(diag(v) * A), v) pass=differentiate
(grad(sum(diag(R) * [1, 2]), R), grad(sum(diag(A, k=-1) * [1, 2]), A), grad(sum(diag(v, k=2)^2), v))
(jvp(trace(A), A, A @ A), jvp(diag(v, k=1)[0], v, v))
# lanes, loops, branches, functions
:graph vmap(x -> trace(x) * diag(x))(stack((A, A')))
vmap(x -> trace(x) * diag(x))(stack((A, 2 * A)))
vmap(x -> diag(x, k=1))(R)
vmap(i -> eye(2, 3, k=i))([-1, 0, 2])
vmap(i -> one_hot(i, 3))([[0, 1], [2, 3]])
(scan t for 2 from h = A { h[t] = h[t-1] + diag(diag(h[t-1], k=1), k=1) }).final
scan t for 3 { r[t] = trace(eye(t + 1)) * (if t > 1 then sum(one_hot(t, 2)) else sum(diag(A))) }
(x -> trace(x @ x))(A)
# expand puts in their place what they are made of
:steps eye(2, k=k) pass=expand
:steps trace(A) pass=expand
:steps diag(R)
:set passes differentiate lower
(eye(2, 3, k=k), trace(A), diag(v), one_hot([0, 2], n), grad(trace(A), A))
:set passes default
# what is refused
eye(-1)
eye(k - 3)
eye(1.5)
one_hot(0.5, 3)
trace(v)
diag(1)
diag(v, k=4294967296)
---
A : f64[n, n]
eye(n) @ A
k : i64
_ : f64[n]
eye(n) + eye(n, n, 1) + eye(n, n, -k)
k : i64
(eye(2, 3), eye(2, 3, k), eye(k, dtype=bool), eye(k, dtype=f32))
[0] : f64[2, 3] =
[[1.0, 0.0, 0.0],
 [0.0, 1.0, 0.0]]
[1] : f64[2, 3] =
[[0.0, 0.0, 1.0],
 [0.0, 0.0, 0.0]]
[2] : bool[2, 2] =
[[ true, false],
 [false,  true]]
[3] : f32[2, 2] =
[[1.0, 0.0],
 [0.0, 1.0]]
A : f64[n, n]
one_hot([0, 2], n) @ A
[0] : f64[3, 3] =
[[1.0, 0.0, 0.0],
 [0.0, 0.0, 1.0],
 [0.0, 0.0, 0.0]]
[1] : i64[3] = [0, 0, 1]
A : f64[n, n]
v : f64[n]
t1 = trace(A) * diag(A)
t1 + match_shape(slice(diag(diag(v, k=1), k=1), 0, minimum(n, 3), axis=0, step=1), t1)
[0] : f64 = 16.0
[1] : f64 = 6.0
[2] : i64 = 1
[3] : f64[3] = [1.0, 5.0, 10.0]
[4] : f64[2] = [2.0, 6.0]
[5] : f64[4, 4] =
[[0.0, 0.0, 0.0, 0.0],
 [1.0, 0.0, 0.0, 0.0],
 [0.0, 2.0, 0.0, 0.0],
 [0.0, 0.0, 3.0, 0.0]]
(f64, f64[n], f64[max(n-1, 0)], f64[n, n], f64[2, n], f64[n, k])
differentiate: 1 step, 5 -> 2 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 2 nodes
      grad(trace(A), A) => d_A = eye(n)
differentiate: 1 step, 6 -> 7 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 3 nodes
      grad(sin(trace(A)), A) => d_A = where(eye(n, dtype=bool), cos(trace(A)), 0)
differentiate: 3 steps, 9 -> 2 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 5 nodes
      grad(sum(diag(A) * v), A) => d_A = diag(broadcast_to(1.0, (n,)) * v)
  2  broadcast-into [E]    # elementwise operators take scalars as they are
      broadcast_to(1.0, (n,)) * v => 1 * v
  3  mul-one [E]  1 * v => v    # 1 is neutral
differentiate: 3 steps, 9 -> 2 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 5 nodes
      grad(sum(diag(v) * A), v) => d_v = diag(broadcast_to(1.0, (n, n)) * A)
  2  broadcast-into [E]    # elementwise operators take scalars as they are
      broadcast_to(1.0, (n, n)) * A => 1 * A
  3  mul-one [E]  1 * A => A    # 1 is neutral
[0] : f64[2, 3] =
[[1.0, 0.0, 0.0],
 [0.0, 2.0, 0.0]]
[1] : f64[3, 3] =
[[0.0, 0.0, 0.0],
 [1.0, 0.0, 0.0],
 [0.0, 2.0, 0.0]]
[2] : f64[3] = [2.0, 4.0, 6.0]
[0] : f64 = 280.0
[1] : f64[4] = [0.0, 1.0, 0.0, 0.0]
A : f64[n, n]
vmap(value -> trace(value) * diag(value))(concat((A[None, :, :], A'[None, :, :]), axis=0))
f64[2, 3] =
[[ 16.0,  80.0, 160.0],
 [ 64.0, 320.0, 640.0]]
f64[2, 4, 4] =
[[[0.0, 1.0, 0.0, 0.0],
  [0.0, 0.0, 2.0, 0.0],
  [0.0, 0.0, 0.0, 3.0],
  [0.0, 0.0, 0.0, 0.0]],

 [[0.0, 4.0, 0.0, 0.0],
  [0.0, 0.0, 5.0, 0.0],
  [0.0, 0.0, 0.0, 6.0],
  [0.0, 0.0, 0.0, 0.0]]]
f64[3, 2, 3] =
[[[0.0, 0.0, 0.0],
  [1.0, 0.0, 0.0]],

 [[1.0, 0.0, 0.0],
  [0.0, 1.0, 0.0]],

 [[0.0, 0.0, 1.0],
  [0.0, 0.0, 0.0]]]
f64[2, 2, 3] =
[[[1.0, 0.0, 0.0],
  [0.0, 1.0, 0.0]],

 [[0.0, 0.0, 1.0],
  [0.0, 0.0, 0.0]]]
f64[3, 3] =
[[ 1.0,  8.0,  3.0],
 [ 4.0,  5.0, 24.0],
 [ 7.0,  8.0, 10.0]]
f64[3] = [16.0, 32.0, 0.0]
f64 = 280.0
expand: 2 steps, 3 -> 8 nodes, done
  1  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      eye(2, 2, k) => f64(arange(2) - arange(2)[:, None] == k)
  2  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(arange(2)[:, None], (2, 2)) => broadcast_to(arange(2), (2, 2), axis=0)
expand: 2 steps, 2 -> 9 nodes, done
  1  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      trace(A) => sum(where(arange(n)[:, None] == arange(n), A, 0))
  2  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(arange(n)[:, None], (n, n)) => broadcast_to(arange(n), (n, n), axis=0)
expand: 1 step, 2 -> 6 nodes, done
  1  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      diag(R) => reshape(R, (6,))[:8:4]
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, loops, specialize, fuse,
lower
[0] : f64[2, 3] =
[[0.0, 0.0, 1.0],
 [0.0, 0.0, 0.0]]
[1] : f64 = 16.0
[2] : f64[3, 3] =
[[1.0, 0.0, 0.0],
 [0.0, 2.0, 0.0],
 [0.0, 0.0, 3.0]]
[3] : f64[2, 3] =
[[1.0, 0.0, 0.0],
 [0.0, 0.0, 1.0]]
[4] : f64[3, 3] =
[[1.0, 0.0, 0.0],
 [0.0, 1.0, 0.0],
 [0.0, 0.0, 1.0]]
input.gr:38:1: error: a size cannot be negative, but this is -1
    eye(-1)
    ^^^^^^^
input.gr:39:1: error: the number of steps is negative
    eye(k - 3)
    ^^^^^^^^^^
input.gr:40:5: error: eye takes whole numbers here, but this is f64
    eye(1.5)
        ^^^
input.gr:41:9: error: one_hot takes whole numbers, but this is f64
    one_hot(0.5, 3)
            ^^^
input.gr:42:7: error: trace takes a matrix, but this is f64[n]
    trace(v)
          ^
input.gr:43:6: error: diag takes a vector or a matrix, but this is i64
    diag(1)
         ^
input.gr:44:11: error: diag: a matrix with that diagonal has more elements than can be counted
    diag(v, k=4294967296)
              ^^^^^^^^^^
exit 1
