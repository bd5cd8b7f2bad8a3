n : i64
m : i64
x : f64[n]
y : f64[n]
A : f64[m, n]
S : f64[n, n]
u : f64[3, 4]
w : f64[5]
p : f64[2]
k : i64
c : bool
d : bool
# a sum begins with 0
[1 / sum([-0.0, -0.0]), 1 / cumsum([-0.0])[0], 1 / ([-0.0] @ [1.0]), 1 / sum([[-0.0, -0.0], [-0.0, -0.0]], axis=0)[1]]
:steps (scan t over x from s = 0.0 { s[t] = s[t-1] - x[t] }).final
:steps scan t over x from s = 0.0 { s[t] = s[t-1] - x[t] }
:steps (scan t over x from s = -0.0 { s[t] = s[t-1] + x[t] }).final
:steps 0 + A @ x
# what only rises
:steps maximum(x, exp(relu(x)))
:steps minimum(x, softplus(exp(x)))
:steps maximum(x, tanh(x))
:steps maximum(0.0, cummax(exp(x)))
:steps abs(cos(tanh(x)))
# factors of signs
:steps sign(0.5 * x)
:steps sign(-2 * x)
:steps sign(i64(c) << 1)
:steps (-expm1(x)) - 1
:steps 1 + expm1(x)
:steps softplus(log(sqrt(x)))
# exponentials of one, and shifted
:steps logsumexp(sum(x))
:steps logsumexp(x[:, None], axis=1)
:set passes inline canonicalize stabilize
:steps softmax(x + 2)
:steps softmax(x - 2)
:steps { e = exp(u - max(u, axis=1, keepdims=true)); e / sum(e, axis=1, keepdims=true) }
:steps { e = exp(w - max(w)); e / sum(e) }
:set passes default
# products with what is arranged
:steps jacobian(x[::-1], x) @ y
:steps jacobian(-cumsum(x), x) @ y
:steps cumsum(A, axis=0) @ x
:steps cumsum(A, axis=1) @ x
:steps A[::-1] @ x
:steps -eye(3) @ u
# integers and truths
:steps (k // 4) >> 1
:steps (k >> 1) // 4
:steps bitwise_and(k, -4) >> 2
:steps sign(k) % 2
:steps (c and d) < c
:steps (c < d) < c
# parts of parts, and writing
:type x[1:] - x[:-1]
:steps x[1:][2:]
:steps x[:5][:3]
:steps w with [1:3] = w[1:3] + p
:steps w with [2] = w[2] + 1
:steps sum(x * y)
:equal abs(tanh(x)), tanh(abs(x))
---
f64[4] = [inf, inf, inf, inf]
loops: 3 steps, 8 -> 3 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
  2  reduce [R O]    # states that only accumulate sequence rows are reductions; 1 state
      scan s (%4) is gone
      - %4.final.s
      + sum(-x)
      - %4.steps
      + n
      … and 1 more
  3  simplify [R N+ O]
      # the same sum of products in fewer operations; contract in a different order
      sum(-x) => -sum(x)
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse,
lower
loops: 2 steps, 8 -> 3 nodes, done
  1  running [R O]
      # the rows of a running sum, product or extreme are computed at once; a running sum
      scan s: state s is gone
      trace s is no longer kept
      trace s is kept now
      it no longer reads x[t] step by step
      at each step it reads s[t], a row of cumsum(-x)
      - s[t] = s[t-1] - x[t]
      - %4.final.s
      + concat((expand_dims(0.0, axis=0), cumsum(-x)), axis=0)[n]
  2  map [R]    # a loop without states is its body applied to all rows at once; 1 trace
      scan without states (%4) is gone
      - s = %4.s
      + s = cumsum(-x)
      - %4.steps
      + n
      … and 1 more
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse,
lower
loops: 3 steps, 8 -> 2 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
  2  reduce [R O]    # states that only accumulate sequence rows are reductions; 1 state
      scan s (%4) is gone
      - %4.final.s
      + -0.0 + sum(x)
      - %4.steps
      + n
      … and 1 more
  3  simplify [R N+ O]
      # the same sum of products in fewer operations; contract in a different order
      -0.0 + sum(x) => sum(x)
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse,
lower
canonicalize: 1 step, 5 -> 3 nodes, done
  1  add-zero-known [D]    # 0 is neutral for a value that is never -0; `x` is never -0
      0 + A @ x => A @ x
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 4 -> 3 nodes, done
  1  maximum-risen [R]    # the other operand is at least as large
      maximum(x, exp(relu(x))) => exp(relu(x))
fuse: 1 step, 3 -> 6 nodes, done
  2  fuse [E]    # one pass, tile by tile; 2 operators over f64[n]; 8 bytes per element not stored
      one kernel computes exp(relu(x)) from x
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, lower
canonicalize: 1 step, 4 -> 1 nodes, done
  1  minimum-risen [R]    # the other operand is at least as large
      minimum(x, softplus(exp(x))) => x
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
fuse: 1 step, 3 -> 6 nodes, done
  1  fuse [E]    # one pass, tile by tile; 2 operators over f64[n]; 8 bytes per element not stored
      one kernel computes maximum(x, tanh(x)) from x
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize,
lower
canonicalize: 1 step, 5 -> 3 nodes, done
  1  maximum-known [D]
      # the ranges imply which is larger; `z` is never above the other: a constant, 0; `z` is never
      # NaN: a constant, 0
      maximum(0, cummax(exp(x))) => cummax(exp(x))
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 4 -> 3 nodes, done
  1  abs-known [D]
      # it is not negative; `x` is not negative: cos(tanh(x)) is within [0.540301, 1]; `x` is never
      # -0
      abs(cos(tanh(x))) => cos(tanh(x))
fuse: 1 step, 3 -> 6 nodes, done
  2  fuse [E]    # one pass, tile by tile; 2 operators over f64[n]; 8 bytes per element not stored
      one kernel computes cos(tanh(x)) from x
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, lower
canonicalize: 1 step, 4 -> 2 nodes, done
  1  sign-times [R]    # a positive factor keeps the sign; `c` is positive: a constant, 0.5
      sign(0.5 * x) => sign(x)
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 4 -> 3 nodes, done
  1  sign-times-down [R]
      # a negative factor flips the sign; `c` is not positive: a constant, -2; `c` is not zero: a
      # constant, -2
      sign(-2 * x) => -sign(x)
fuse: 1 step, 3 -> 6 nodes, done
  2  fuse [E]    # one pass, tile by tile; 2 operators over f64[n]; 8 bytes per element not stored
      one kernel computes -sign(x) from x
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, lower
canonicalize: 4 steps, 5 -> 2 nodes, done
  1  left-shift-times [E]
      # shifted by k is multiplied by 2^k; `k` is large enough: a constant, 1; `k` is small enough:
      # a constant, 1
      i64(c) << 1 => (1 << 1) * i64(c)
  2  fold [E]  1 << 1 => 2    # the value is known while the graph is built
  3  sign-times-int [D]
      # a positive factor keeps the sign; nothing wraps around; `c` is large enough: a constant, 2;
      # `c` is small enough: a constant, 2; `x` is large enough: i64(c) is within [0, 1]; `x` is
      # small enough: i64(c) is within [0, 1]
      sign(2 * i64(c)) => sign(i64(c))
  4  sign-of-sign [D]
      # it is -1, 0 or 1; `x` is large enough: i64(c) is within [0, 1]; `x` is small enough: i64(c)
      # is within [0, 1]
      sign(i64(c)) => i64(c)
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
stabilize: 1 step, 5 -> 3 nodes, done
  1  minus-expm1-1 [R]  -expm1(x) - 1 => -exp(x)    # by definition
fuse: 1 step, 3 -> 6 nodes, done
  2  fuse [E]    # one pass, tile by tile; 2 operators over f64[n]; 8 bytes per element not stored
      one kernel computes -exp(x) from x
nothing to do: inline, canonicalize, differentiate, simplify, expand, loops, specialize, lower
stabilize: 1 step, 4 -> 2 nodes, done
  1  1-plus-expm1 [R]  1 + expm1(x) => exp(x)    # by definition
nothing to do: inline, canonicalize, differentiate, simplify, expand, loops, specialize, fuse, lower
stabilize: 2 steps, 4 -> 3 nodes, done
  1  log-sqrt [R]  log(sqrt(x)) => 0.5 * log(x)    # one function instead of two
  2  softplus-half-log [R N+]  softplus(0.5 * log(x)) => log1p(sqrt(x))    # inverse pair
fuse: 1 step, 3 -> 6 nodes, done
  3  fuse [E]    # one pass, tile by tile; 2 operators over f64[n]; 8 bytes per element not stored
      one kernel computes log1p(sqrt(x)) from x
nothing to do: inline, canonicalize, differentiate, simplify, expand, loops, specialize, lower
canonicalize: 1 step, 3 -> 2 nodes, done
  1  logsumexp-nothing [R]  logsumexp(sum(x), axis=()) => sum(x)    # no axes
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 2 steps, 3 -> 1 nodes, done
  1  logsumexp-one-long [R]    # the logarithm of one exponential; the axes of x have length 1
      logsumexp(x[:, None], axis=1) => squeeze(x[:, None], axis=1)
  2  squeeze-expand [E]  squeeze(x[:, None], axis=1) => x    # an axis is added and dropped
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
stabilize: 1 step, 4 -> 2 nodes, done
  1  softmax-shift [R N+]
      # softmax does not change when all inputs are shifted equally; c is a scalar; `c` is finite: a
      # constant, 2
      softmax(x + 2, axis=0) => softmax(x, axis=0)
nothing to do: inline, canonicalize
stabilize: 1 step, 4 -> 2 nodes, done
  1  softmax-shift-back [R N+]
      # softmax does not change when all inputs are shifted equally; c is a scalar; `c` is finite: a
      # constant, 2
      softmax(x - 2, axis=0) => softmax(x, axis=0)
nothing to do: inline, canonicalize
canonicalize: 2 steps, 12 -> 10 nodes, done
  1-2  broadcast-expand [E]  2 times    # the added axes get their final length at once
      - broadcast_to(max(u, axis=1)«[:, None],» (3, 4))
      + broadcast_to(max(u, axis=1), (3, 4)«, axis=0»)
stabilize: 2 steps, 10 -> 2 nodes, done
  3  softmax-rows [R N+]    # no overflow in exp; each sum is repeated along the axes it is over
      exp(%5) / broadcast_to(sum(exp(%5), axis=1), (3, 4), axis=0) => softmax(%5, axis=1)
  4  softmax-largest-along [R N+]
      # it subtracts the maximum itself; the axes of x have length 1 or more
      softmax(u - broadcast_to(max(u, axis=1), (3, 4), axis=0), axis=1) => softmax(u, axis=1)
nothing to do: inline
stabilize: 2 steps, 6 -> 2 nodes, done
  1  softmax-rows [R N+]    # no overflow in exp; each sum is repeated along the axes it is over
      exp(w - max(w)) / sum(exp(w - max(w))) => softmax(w - max(w), axis=0)
  2  softmax-largest [R N+]
      # it subtracts the maximum itself; the axes of x have length 1 or more
      softmax(w - max(w), axis=0) => softmax(w, axis=0)
nothing to do: inline, canonicalize
canonicalize: 2 steps, 18 -> 18 nodes, done
  1  numbers-in-vmap [E]
      # captured scalars are computed in the body, where rules can see their values; 1 value
      - vmap(p0 -> vjp(x[«n» - 1:«n» - 1 + size(x, 0) * -1:-1], x, p0)[0])(eye(n))
      + vmap(p0 -> vjp(x[«size(p0, 0)» - 1:«size(p0, 0)» - 1 + size(x, 0) * -1:-1], x, p0)[0])(eye(n))
  2  inner [R]  in the function of vmap
    2.1  numbers-in-vjp [R]
        # captured scalars are computed in the body, where rules can see their values; 1 value
differentiate: 4 steps, 18 -> 2 nodes, done
  3  inner [E]  in the function of vmap
    3.1  expand-derivative [E]    # operator by operator; reverse sweep over 6 nodes
        - d_x = «vjp(x[size(value, 0) - 1:size»(value, «0) - 1 + size(x,» 0) «* -1:-1], x, value)[0]»
        + d_x = «flip»(value, «axis=»0)
  4  expand-vmap [E]    # batched operator by operator; 2 nodes for all lanes at once
      vmap(p0 -> flip(p0, axis=0))(eye(n)) => flip(eye(n), axis=1)
  5  flip-adjoint [R N+ O]    # reverse the vector, which is smaller
      flip(eye(n), axis=1) @ y => eye(n) @ flip(y, axis=0)
  6  eye-vector [R N+]  eye(n) @ flip(y, axis=0) => flip(y, axis=0)    # the identity
nothing to do: inline, stabilize, simplify, expand, loops, specialize, fuse, lower
differentiate: 5 steps, 14 -> 3 nodes, done
  1  inner [E]  in the function of vmap
    1.1  expand-derivative [E]    # operator by operator; reverse sweep over 3 nodes
        vjp(-cumsum(x), x, ybar)[0] => d_x = cumsum(-ybar, reverse=true)
  2  expand-vmap [E]    # batched operator by operator; 3 nodes for all lanes at once
      vmap(p0 -> cumsum(-p0, reverse=true))(eye(n)) => cumsum(-eye(n), axis=1, reverse=true)
  3  cumsum-adjoint [R N+ O]    # running sums of a vector instead of a matrix
      cumsum(-eye(n), axis=1, reverse=true) @ y => -eye(n) @ cumsum(y)
  4  matrix-neg [E]    # negate the vector instead, which is smaller
      -eye(n) @ cumsum(y) => eye(n) @ -cumsum(y)
  5  eye-vector [R N+]  eye(n) @ -cumsum(y) => -cumsum(y)    # the identity
nothing to do: inline, canonicalize, stabilize, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 4 -> 4 nodes, done
  1  cumsum-product [R N+ O]    # sum the rows of the product instead, which is smaller
      cumsum(A, axis=0) @ x => cumsum(A @ x)
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 4 -> 4 nodes, done
  1  cumsum-adjoint-back [R N+ O]    # running sums of a vector instead of a matrix
      cumsum(A, axis=1) @ x => A @ cumsum(x, reverse=true)
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 2 steps, 7 -> 4 nodes, done
  1  flip-of-slice [E]  A[::-1] => flip(A, axis=0)    # the slice is the whole axis, reversed
  2  flip-product [E]    # transpose the product, which is smaller
      flip(A, axis=0) @ x => flip(A @ x, axis=0)
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 5 -> 2 nodes, done
  1  eye-minus [R N+]  -eye(3) @ u => -u    # minus the identity
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 2 steps, 5 -> 3 nodes, done
  1  div-right-shift [E]
      # one division instead of two; `a` is large enough: a constant, 4; `a` is small enough: a
      # constant, 4; `k` is large enough: a constant, 1; `k` is small enough: a constant, 1
      k // 4 >> 1 => k // (4 << 1)
  2  fold [E]  4 << 1 => 8    # the value is known while the graph is built
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 2 steps, 5 -> 3 nodes, done
  1  right-shift-div [E]
      # one division instead of two; `a` is large enough: a constant, 4; `a` is small enough: a
      # constant, 4; `k` is large enough: a constant, 1; `k` is small enough: a constant, 1
      (k >> 1) // 4 => k // (4 << 1)
  2  fold [E]  4 << 1 => 8    # the value is known while the graph is built
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 3 steps, 5 -> 3 nodes, done
  1  band-right-shift [E]
      # a shift and a mask; `k` is large enough: a constant, 2; `k` is small enough: a constant, 2
      (k & -4) >> 2 => k >> 2 & -4 >> 2
  2  fold [E]  -4 >> 2 => -1    # the value is known while the graph is built
  3  band-ones [E]  k >> 2 & -1 => k >> 2    # every bit
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 4 -> 3 nodes, done
  1  mod-two-sign [D]
      # it is -1, 0 or 1; `x` is large enough: sign(k) is within [-1, 1]; `x` is small enough:
      # sign(k) is within [-1, 1]
      sign(k) % 2 => abs(sign(k))
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 4 -> 3 nodes, done
  1  bool-lt-and [E]  (c and d) < c => d < c    # absorption
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 4 -> 1 nodes, done
  1  bool-lt-lt [E]  (c < d) < c => c    # absorption
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
f64[max(n-1, 0)]
canonicalize: 1 step, 14 -> 8 nodes, done
  1  slice-slice [D]    # a slice of a slice is a slice
      - x[minimum(n, «1):][minimum(maximum(n - 1, 0), 2):min(max(n-1, 0), 2)+max(n-»3«, 0»)]
      + x[minimum(n, 3)«:»]
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 9 -> 6 nodes, done
  1  slice-slice [D]  x[:min(n, 5)][:min(n, 3)] => x[:min(n, 3)]    # a slice of a slice is a slice
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 7 -> 4 nodes, done
  1  slice-increase [E]    # setting an element to its value plus a term increases it
      w with [1:3] = w[1:3] + p => w with [1:3] += p
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 6 -> 4 nodes, done
  1  increase [E]    # setting an element to its value plus a term increases it
      w with [2] = w[2] + 1 => w with [2] += 1.0
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
simplify: 1 step, 4 -> 3 nodes, done
  1  simplify [R N+ O]
      # the same sum of products in fewer operations; contract in a different order
      sum(x * y) => x @ y
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops, specialize, fuse,
lower
equal up to rounding
saturate: 1 step, 5 -> 3 nodes, done
  1 iteration, 21 e-nodes in 16 classes, equal
  1  abs-tanh [R]  abs(tanh(x)) => tanh(abs(x))    # odd and increasing
nothing to do: inline, differentiate
