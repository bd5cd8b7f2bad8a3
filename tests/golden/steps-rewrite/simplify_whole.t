# the pass simplify on whole numbers: a ring, exact in any order
i : i64[n]
k : i64[n]
j : i64
M : i64[n, n]
p : i32[n]
:steps 2 * i + 3 * i
:graph i * j + i * k pass=simplify
:graph (i + k) - i pass=simplify
:graph -(i - 4) pass=simplify
:graph (k * (-4) + 1) + k * 4 pass=simplify
:graph M @ i + M' @ i pass=simplify
:graph 3 * p - p pass=simplify
# modulo 2^64
:graph 4611686018427387904 * i * 4 pass=simplify
:graph i * 4611686018427387904 + k * 4611686018427387904 pass=simplify
# numbers of another kind are read as they are
:graph f64(i + i) * f64(k) + f64(i + i) * f64(k) pass=simplify
:audit i * j + i * k
---
simplify: 1 step, 6 -> 3 nodes, done
  1  simplify-whole [E]    # the same sum of products of integers in fewer operations; collect i
      2 * i + 3 * i => 5 * i
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops, specialize, fuse,
lower
i : i64[n]
k : i64[n]
j : i64
i * (j + k)
k : i64[n]
k
i : i64[n]
4 - i
_ : f64[n]
broadcast_to(1, (n,))
i : i64[n]
M : i64[n, n]
(M + M') @ i
p : i32[n]
2 * p
_ : f64[n]
broadcast_to(0, (n,))
i : i64[n]
k : i64[n]
i * 4611686018427387904 + k * 4611686018427387904
i : i64[n]
k : i64[n]
2 * f64(k) * f64(2 * i)
step  pass      rule            classes  error  ulp
1     simplify  simplify-whole  [E]      0      0
2     fuse      fuse            [E]      0      0
2 steps, 2 compared: all within what their classes allow; largest error 0
