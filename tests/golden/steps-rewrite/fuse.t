# the pass fuse: what runs together, and why
:set pass lower off
x : f64[n] = [0.1, 0.2, 0.3]
y : f64[n] = [1, 2, 3]
A : f64[2, 3] = [[1, 2, 3], [4, 5, 6]]
k : i64 = 2
# several results, one of them used by the others; a reduction at the end
a = tanh(x * y + 1)
:graph (a * x, a, sum(a)) pass=fuse
# not through a reduction and back: two groups
:steps exp(x - max(x * x)) * y
:graph exp(x - max(x * x)) * y pass=fuse
# sums end a group, over whatever neighbouring axes; others do not; mixed dtypes; scalars
:graph (sum(A * 2.0 + 1.0, axis=1), sum(A * 3.0 - 1.0, axis=0)) pass=fuse
B = reshape(f64(arange(24)), (2, 3, 4))
:graph (sum(sqrt(B), axis=1), max(exp(B), axis=(0, 1)), sum(sqr(B), axis=(0, 2))) pass=fuse
# all over the same axes are of one group
:graph (sum(sqrt(A), axis=0), max(sqrt(A), axis=0), sum(sqrt(A), axis=1)) pass=fuse
:graph where(x > f64(k), f32(x), f32(y) * 2) pass=fuse
# a sum of many is spelled out first
:steps (x + y + exp(x) + 1) * 2
# inside a body and a branch
H = scan t over A from h = zeros(3) { h[t] = tanh(h[t-1] * x + A[t]) }
:graph H.final pass=fuse
:graph (if k > 1 then sum(tanh(x) * y) else 0.0) pass=fuse
# alone is no group; what can fail on integers is none
:steps tanh(x)
:steps (arange(3) * 2 + 1) // k
# off: the same values
[a * x, tanh(x - sum(x)), sqrt(x) + 1]
:set pass fuse off
[a * x, tanh(x - sum(x)), sqrt(x) + 1]
:set pass fuse on
:try fuse tanh(x) + 1
:try fuse tanh(x)
:audit exp(x - max(x * x)) * y + x + a
:why %9
---
x : f64[n]
y : f64[n]
a, t1, t2 = fused({
  a_2 = tanh(x * y + 1)
  (a_2, a_2 * x, sum(a_2))
})
(t1, a, t2)
specialize: 1 step, 7 -> 7 nodes, done
  1  mul-self [E]  x * x => sqr(x)    # a square
fuse: 2 steps, 7 -> 15 nodes, done
  2  fuse [E]
      # one pass, tile by tile; 1 operator and 1 reduction over f64[n]; 8 bytes per element not
      # stored
      one kernel computes max(sqr(x)) from x
  3  fuse [E]
      # one pass, tile by tile; 3 operators over f64[n]; 16 bytes per element not stored
      one kernel computes exp(%4) * y from y, x, %11
lower: 0 steps, 15 -> 15 nodes, off
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops
x : f64[n]
y : f64[n]
t1 = fused(max(sqr(x)))
fused(exp(x - t1) * y)
A : f64[2, 3]
(fused(sum(A * 2 + 1, axis=1)), fused(sum(A * 3 - 1, axis=0)))
B = reshape(f64(arange(24)), (2, 3, 4))
(fused(sum(sqrt(B), axis=1)), exp(max(B, axis=(0, 1))), sum(sqr(B), axis=(0, 2)))
A : f64[2, 3]
t1, t2, t3 = fused({
  t4 = sqrt(A)
  (t4, sum(t4, axis=0), max(t4, axis=0))
})
(t2, t3, sum(t1, axis=1))
x : f64[n]
y : f64[n]
k : i64
t1 = f64(k)
fused(where(x > t1, f32(x), f32(y) * 2))
fuse: 2 steps, 7 -> 13 nodes, done
  1  order-sum [E]    # term by term, in evaluation order
      x + y + exp(x) + 1 => ((x + y) + exp(x)) + 1
  2  fuse [E]
      # one pass, tile by tile; 5 operators over f64[n]; 32 bytes per element not stored
      one kernel computes (%7 + 1) * 2 from x, y
lower: 0 steps, 13 -> 13 nodes, off
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize
x : f64[n]
A : f64[2, 3]
t1 = A[1]
t2 = match_shape(x, broadcast_to(0.0, (3,)))
t3 = A[0]
t4 = fused(tanh(0 * t2 + t3))
t5 = match_shape(x, t4)
fused(tanh(t4 * t5 + t1))
x : f64[n]
y : f64[n]
k : i64
if k > 1 then fused(sum(tanh(x) * y)) else 0.0
lower: 0 steps, 2 -> 2 nodes, off
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize,
fuse
fuse: 1 step, 8 -> 11 nodes, done
  1  fuse [E]    # one pass, tile by tile; 2 operators over i64[3]; 24 bytes not stored
      one kernel computes %1 * 2 + 1 from arange(3)
lower: 0 steps, 11 -> 11 nodes, off
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize
f64[3, 3] =
[[ 0.0800499,  0.17707,    0.286871],
 [-0.462117,  -0.379949,  -0.291313],
 [ 1.31623,    1.44721,    1.54772]]
f64[3, 3] =
[[ 0.0800499,  0.17707,    0.286871],
 [-0.462117,  -0.379949,  -0.291313],
 [ 1.31623,    1.44721,    1.54772]]
fuse [E]  tanh(x) + 1 => %6, %6 = fused(x)
  # one pass, tile by tile; 2 operators over f64[n]; 8 bytes per element not stored
  before  tanh(x) + 1
  after   fused(tanh(x) + 1)
fuse fires nowhere
  at %2, tanh(x): no operand is elementwise over the same shape
  `:help fuse`: what it matches, and when
step  pass        rule       classes  error  ulp
1     specialize  mul-self   [E]      0      0
2     fuse        order-sum  [E]      0      0
3     fuse        fuse       [E]      0      0
4     fuse        fuse       [E]      0      0
4 steps, 4 compared: all within what their classes allow; largest error 0
%9 : f64[n] = add(%8, 1.0)
  from the source: x * y + 1
  written at input.gr:8:10: x * y + 1
  gone at step 4, fuse: fuse, as nothing needs it after that
