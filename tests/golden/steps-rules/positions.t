# A position goes to the source of what was arranged, gathered, repeated, put together or written.
v : f64[5]; w : f64[5]; x : f64[n]; A : f64[3, 5]
:steps v[::-1][0]
:steps v[1:][::-1]
:steps x[::-1][::-1]
:steps A[[2, 0]][1]
:steps v[1:4][[2, 0]]
:steps broadcast_to(v, (7, 5))[1:3]
:steps A[:, None][1:]
:steps pad(v, 1)[1:6]
:steps concat((v, w))[7]
:steps (v with [1] = 5.0)[3]
:steps (v with [1:3] = [8.0, 9.0])[2]
:steps (exp(v) + w)[1:3]
:steps max(v[None, :])
:steps max(reshape(A, (15,)))
# a part that may fail is read
d : i64
:steps concat(([1, 2], [3 // d]))[0]
# diagonals
:steps det(diag(v))
:steps diag(x) @ x
:steps inv(eye(4)) @ diag(diag(x, k=1), k=1)[:4]
# what specialize leaves is simplified, too
:steps log(exp(x) * exp(2 * x))
:steps sqrt(x^2)
# integers
k : i64; p : bool; q : bool
:steps k * (-1) + k // 4 * 4
:steps (4 - k) % 2
:steps k // 4 >= 2
:steps i64(p) != 1
:steps i64(p) < i64(q)
---
canonicalize: 2 steps, 6 -> 3 nodes, done
  1  flip-of-slice [E]  v[::-1] => flip(v, axis=0)    # the slice is the whole axis, reversed
  2  index-slice [D]    # an element of a slice is an element of the array
      flip(v, axis=0)[0] => v[4]
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 2 steps, 6 -> 3 nodes, done
  1  flip-of-slice [E]    # the slice is the whole axis, reversed
      v[1:][::-1] => flip(v[1:], axis=0)
  2  flip-slice [D]  flip(v[1:], axis=0) => v[:0:-1]    # a reversed slice is a slice
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 4 steps, 6 -> 1 nodes, done
  1-2  flip-of-slice [E]  2 times    # the slice is the whole axis, reversed
      e.g. x[::-1] => flip(x, axis=0)
  3  flip-flip [E]    # axes reversed twice are not reversed
      flip(flip(x, axis=0), axis=0) => flip(x, axis=())
  4  flip-nothing [E]  flip(x, axis=()) => x    # no axes to reverse
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 2 steps, 5 -> 3 nodes, done
  1  index-gather [D]    # an element of a gathered array is one lookup
      A[[2, 0]][1] => A[[2, 0][1]]
  2  fold [E]  [2, 0][1] => 0    # the value is known while the graph is built
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 6 steps, 6 -> 3 nodes, done
  1  gather-slice [D]    # positions in a slice are positions in the array
      v[1:4][[2, 0]] => v[1 + 1 * where([2, 0] < 0, [2, 0] + 3, [2, 0])]
  2-6  fold [E]  5 times    # the value is known while the graph is built
      e.g. [2, 0] + 3 => [5, 3]
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 7 -> 4 nodes, done
  1  slice-repeated [D]    # the part that is read is repeated directly
      broadcast_to(v, (7, 5))[1:3] => broadcast_to(v, (2, 5))
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 5 -> 5 nodes, done
  1  slice-expanded [E]    # the read comes first, the added axes after it
      A[:, None, :][1:] => A[1:][:, None, :]
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
expand: 2 steps, 6 -> 1 nodes, done
  1  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      pad(v, 1) => concat((broadcast_to(0.0, (1,)), v, broadcast_to(0.0, (1,))), axis=0)
  2  slice-parts [D]    # the slice consists of whole parts
      concat((broadcast_to(0.0, (1,)), v, broadcast_to(0.0, (1,))), axis=0)[1:6] => v
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, loops, specialize, fuse,
lower
canonicalize: 1 step, 5 -> 3 nodes, done
  1  index-concat [D]    # the index falls into one of the joined arrays
      concat((v, w), axis=0)[7] => w[2]
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 6 -> 3 nodes, done
  1  index-elsewhere [D]  (v with [1] = 5.0)[3] => v[3]    # the update wrote another element
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 2 steps, 6 -> 1 nodes, done
  1  index-written [D]    # the value that was just written
      (v with [1:3] = [8.0, 9.0])[2] => [8.0, 9.0][1]
  2  fold [E]  [8.0, 9.0][1] => 9.0    # the value is known while the graph is built
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 7 -> 8 nodes, done
  1  slice-elementwise [E]    # only the elements that are read are computed
      (exp(v) + w)[1:3] => w[1:3] + exp(v[1:3])
fuse: 1 step, 8 -> 12 nodes, done
  2  fuse [E]    # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
      one kernel computes w[1:3] + exp(%7) from w[1:3], v[1:3]
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, lower
canonicalize: 1 step, 3 -> 2 nodes, done
  1  max-expanded [E]  max(v[None, :]) => max(v)    # the added axes have length 1
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 4 -> 2 nodes, done
  1  max-reshaped [E]  max(reshape(A, (15,))) => max(A)    # reduced in its original shape
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 9 -> 8 nodes, done
  1  concat-one [E]    # one part
      concat((expand_dims(3 // d, axis=0),), axis=0) => expand_dims(3 // d, axis=0)
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 3 -> 2 nodes, done
  1  det-diagonal [R N+ O]    # the determinant is the product of the diagonal
      det(diag(v)) => prod(v)
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 3 -> 2 nodes, done
  1  diagonal-times [R N+]  diag(x) @ x => x * x    # each row or column is scaled by its own number
specialize: 1 step, 2 -> 2 nodes, done
  2  mul-self [E]  x * x => sqr(x)    # a square
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, fuse, lower
canonicalize: 2 steps, 11 -> 8 nodes, done
  1  diagonal-set [E]    # the same diagonal that the matrix was made from
      diag(diag(x, k=1), k=1) => x
  2  inv-eye [E]  inv(eye(4)) => eye(4)    # the identity is its own inverse
expand: 2 steps, 8 -> 12 nodes, done
  3  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      eye(4) => f64(arange(4)[:, None] == arange(4))
  4  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(arange(4)[:, None], (4, 4)) => broadcast_to(arange(4), (4, 4), axis=0)
fuse: 1 step, 12 -> 16 nodes, done
  5  fuse [E]    # one pass, tile by tile; 2 operators over bool[4, 4]; 16 bytes not stored
      one kernel computes f64(%12 == %13) from broadcast_to(%10, (4, 4), axis=0),
          broadcast_to(%10, (4, 4))
nothing to do: inline, stabilize, differentiate, simplify, loops, specialize, lower
canonicalize: 2 steps, 7 -> 4 nodes, done
  1  exp-exp [R N+]  exp(x) * exp(2 * x) => exp(x + 2 * x)    # one exponential instead of two
  2  log-exp [R N+]  log(exp(x + 2 * x)) => x + 2 * x    # inverse pair; no overflow in exp
simplify: 1 step, 4 -> 3 nodes, done
  3  simplify [R N+ O]    # the same sum of products in fewer operations; collect x
      x + 2 * x => 3 * x
nothing to do: inline, stabilize, differentiate, expand, loops, specialize, fuse, lower
specialize: 2 steps, 4 -> 2 nodes, done
  1  pow-two [R]  x^2 => sqr(x)    # a square
  2  sqrt-sqr [R N+]  sqrt(sqr(x)) => abs(x)    # no overflow in the square
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, fuse, lower
canonicalize: 2 steps, 7 -> 5 nodes, done
  1  mul-minus-one [E]  k * -1 => -k    # multiplication by -1 negates
  2  add-neg [E]  -k + k // 4 * 4 => k // 4 * 4 - k    # adding a negation subtracts
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 2 steps, 5 -> 3 nodes, done
  1  mod-sub-power [E]    # a multiple leaves no remainder; for powers of two even after wrapping
      (4 - k) % 2 => -k % 2
  2  mod-neg-two [E]  -k % 2 => k % 2    # odd numbers stay odd
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 2 steps, 5 -> 3 nodes, done
  1  floordiv-from [E]
      # the divisor moves to the other side; `m` is large enough: a constant, 4; `m` is small
      # enough: a constant, 4; `c` is large enough: a constant, 2; `c` is small enough: a constant,
      # 2
      k // 4 >= 2 => k >= 2 * 4
  2  fold [E]  2 * 4 => 8    # the value is known while the graph is built
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 4 -> 2 nodes, done
  1  cast-not-one [E]  i64(p) != 1 => not p    # 1 where it holds
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 5 -> 3 nodes, done
  1  cast-lt [E]  i64(p) < i64(q) => p < q    # both casts lose nothing; every bool is a i64
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
