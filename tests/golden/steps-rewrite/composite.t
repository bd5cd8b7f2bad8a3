# One node until nothing asks for it any more: rules see it whole, derivatives too.
x : f64[2, 3] = [[1, 2, 3], [4, 5, 6.5]]
y : f64[2, 3] = [[0, 0, 1], [1, 0, 0]]
:graph softmax(x) ssa=on
:graph var(x, ddof=1) ssa=on
# cross-entropy: log(softmax(x)) becomes log_softmax, whose derivative is dy - softmax(x) * sum(dy)
:steps grad(-sum(y * log(softmax(x))), x)
grad(-sum(y * log(softmax(x))), x)
softmax(x) - y
# what people write by hand
:steps exp(log_softmax(x, axis=0))
:steps log(sum(exp(x), axis=1))
:steps exp(x) / sum(exp(x))
:passes exp(x) / sum(exp(x), axis=1, keepdims=true)
:passes exp(x - logsumexp(x, axis=0, keepdims=true))
# repeated along another axis than the one it sums over: this is not softmax
q : f64[3, 3] = [[1, 2, 3], [4, 5, 6.5], [0, 0, 1]]
:passes exp(q) / sum(exp(q), axis=1)
# along axis 0 of a matrix that is not square
grad(sum(softmax(x, axis=0) * x), x)
# rows of nothing but -inf
z : f64[2, 2] = [[-inf, -inf], [-inf, 0]]
logsumexp(z, axis=1)
grad(sum(logsumexp(z, axis=1)), z)
# nothing at all
e : f64[n, 2] = zeros((0, 2))
logsumexp(e, axis=0)
softmax(e, axis=0)
(mean(e, axis=0), var(e, axis=0))
# one bad row does not touch the others, nor, where it is not chosen, its own gradient
b : f64[2, 2] = [[nan, 1], [1, 1]]
grad(sum(where(isnan(sum(b, axis=1, keepdims=true)), 0, softmax(b) * [1, 3])), b)
# single precision stays
s : f32[3] = [1, 2, 3]
(softmax(s), mean(s), std(s, ddof=1), norm(s))
# with the pass off it runs all the same
:set pass expand off
softmax(x)
scan t over x from h = 0.0 { h[t] = h[t-1] + logsumexp(x[t]) }
composite f(x) = x
---
%1 : f64[2, 3] = input{name=x}()
%2 : f64[2, 3] = softmax{axes=(1,)}(%1)
return %2
%1 : f64[2, 3] = input{name=x}()
%2 : f64 = var{axes=(0, 1), ddof=1}(%1)
return %2
stabilize: 1 step, 11 -> 10 nodes, done
  1  inner [R N+]  in the function of grad
    1.1  log-softmax [R N+]    # no underflow in softmax
        log(softmax(x, axis=1)) => log_softmax(x, axis=1)
differentiate: 5 steps, 10 -> 10 nodes, done
  2  expand-derivative [E]    # operator by operator; reverse sweep over 6 nodes
      - d_x = «grad(-sum(y» * log_softmax(x, axis=1)), «x»)
      + d_x = «broadcast_to(-1.0, (2, 3)) * y - exp(»log_softmax(x, axis=1)) «*
            sum(broadcast_to(-1.0, (2, 3)) * y, axis=1)[:, None]»
  3  exp-log-softmax [R]  exp(log_softmax(x, axis=1)) => softmax(x, axis=1)    # inverse pair
  4  broadcast-into [E]    # elementwise operators take scalars as they are
      broadcast_to(-1.0, (2, 3)) * y => -1 * y
  5  mul-minus-one [E]  -1 * y => -y    # multiplication by -1 negates
  6  broadcast-expand [E]    # the added axes get their final length at once
      - broadcast_to(sum(-y, axis=1)«[:, None],» (2, 3))
      + broadcast_to(sum(-y, axis=1), (2, 3)«, axis=0»)
simplify: 1 step, 10 -> 9 nodes, done
  7  simplify [R N+ O]
      # the same sum of products in fewer operations; contract in a different order
      - d_x = «-y - softmax(x, axis=1) *» broadcast_to(sum(«-»y, axis=1), (2, 3), axis=0)
      + d_x = broadcast_to(sum(y, axis=1), (2, 3), axis=0) «* softmax(x, axis=1) - y»
expand: 3 steps, 9 -> 17 nodes, done
  8  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      - «softmax»(x, axis=1)
      + «exp»(x «- peak(x», axis=1)«[:, None]) / maximum(sum(exp(x - peak(x, axis=1)[:, None]),
            axis=1), 1)[:, None]»
  9-10  broadcast-expand [E]  2 times    # the added axes get their final length at once
      - broadcast_to(peak(x, axis=1)«[:, None],» (2, 3))
      + broadcast_to(peak(x, axis=1), (2, 3)«, axis=0»)
fuse: 2 steps, 17 -> 28 nodes, done
  11  fuse [E]
      # one pass, tile by tile; 2 operators and 1 reduction over f64[2, 3]; 48 bytes not stored
      one kernel computes exp(x - %26), sum(exp(%27), axis=1) from x, broadcast_to(%24, (2, 3),
          axis=0)
  12  fuse [E]    # one pass, tile by tile; 3 operators over f64[2, 3]; 96 bytes not stored
      one kernel computes d_x from broadcast_to(%21, (2, 3), axis=0), %37[0], broadcast_to(%30,
          (2, 3), axis=0), y
nothing to do: inline, canonicalize, loops, specialize, lower
f64[2, 3] =
[[ 0.0900306,  0.244728,  -0.334759],
 [-0.93711,    0.170953,   0.766157]]
f64[2, 3] =
[[ 0.0900306,  0.244728,  -0.334759],
 [-0.93711,    0.170953,   0.766157]]
stabilize: 1 step, 3 -> 2 nodes, done
  1  exp-log-softmax [R]  exp(log_softmax(x, axis=0)) => softmax(x, axis=0)    # inverse pair
expand: 3 steps, 2 -> 12 nodes, done
  2  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      - «softmax»(x, axis=0)
      + «exp»(x «- peak(x», axis=0)«[None, :]) / maximum(sum(exp(x - peak(x, axis=0)[None, :]),
            axis=0), 1)[None, :]»
  3-4  broadcast-expand [E]  2 times    # the added axes get their final length at once
      e.g. broadcast_to(peak(x, axis=0)[None, :], (2, 3)) => broadcast_to(peak(x, axis=0), (2, 3))
fuse: 1 step, 12 -> 17 nodes, done
  5  fuse [E]
      # one pass, tile by tile; 2 operators and 1 reduction over f64[2, 3]; 48 bytes not stored
      one kernel computes exp(x - %5), sum(exp(%8), axis=0) from x, broadcast_to(%5, (2, 3))
nothing to do: inline, canonicalize, differentiate, simplify, loops, specialize, lower
stabilize: 1 step, 4 -> 2 nodes, done
  1  log-sum-exp [R N+]  log(sum(exp(x), axis=1)) => logsumexp(x, axis=1)    # no overflow in exp
expand: 2 steps, 2 -> 14 nodes, done
  2  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      - «logsumexp»(x, axis=1)
      + «log(sum(exp(»x «- where(%6 == inf, 0, peak(x,» axis=1)«)[:, None]), axis=1)) + where(peak(x,
            axis=1) == inf, 0, peak(x, axis=1))»
  3  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(shift[:, None], (2, 3)) => broadcast_to(shift, (2, 3), axis=0)
fuse: 3 steps, 14 -> 25 nodes, done
  4  fuse [E]    # one pass, tile by tile; 2 operators over bool[2]; 2 bytes not stored
      one kernel computes shift from peak(x, axis=1)
  5  fuse [E]
      # one pass, tile by tile; 2 operators and 1 reduction over f64[2, 3]; 96 bytes not stored
      one kernel computes sum(exp(%11), axis=1) from x, broadcast_to(shift, (2, 3), axis=0)
  6  fuse [E]    # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
      one kernel computes log(%24) + %18 from shift, %23
nothing to do: inline, canonicalize, differentiate, simplify, loops, specialize, lower
stabilize: 1 step, 4 -> 2 nodes, done
  1  softmax-rows [R N+]    # no overflow in exp; each sum is repeated along the axes it is over
      exp(x) / sum(exp(x)) => softmax(x, axis=(0, 1))
expand: 5 steps, 2 -> 8 nodes, done
  2  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      - «softmax»(x, axis=(0, 1))
      + «exp»(x «- expand_dims(peak(x)», axis=(0, 1))«) / expand_dims(maximum(sum(exp(x -
            expand_dims(peak(x), axis=(0, 1)))), 1), axis=(0, 1))»
  3  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(peak(x), axis=(0, 1)), (2, 3)) => broadcast_to(peak(x), (2, 3))
  4  broadcast-into [E]    # elementwise operators take scalars as they are
      x - broadcast_to(peak(x), (2, 3)) => x - peak(x)
  5  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(%12, axis=(0, 1)), (2, 3)) => broadcast_to(%12, (2, 3))
  6  broadcast-into [E]    # elementwise operators take scalars as they are
      exp(x - peak(x)) / broadcast_to(%12, (2, 3)) => exp(x - peak(x)) / %12
fuse: 1 step, 8 -> 13 nodes, done
  7  fuse [E]
      # one pass, tile by tile; 2 operators and 1 reduction over f64[2, 3]; 48 bytes not stored
      one kernel computes exp(x - %6), sum(exp(%9)) from x, peak(x)
nothing to do: inline, canonicalize, differentiate, simplify, loops, specialize, lower
pass           steps  nodes before  after  stop
inline         0      8             8      done
canonicalize   1      8             7      done
stabilize      1      7             2      done
differentiate  0      2             2      done
simplify       0      2             2      done
expand         3      2             12     done
loops          0      12            12     done
specialize     0      12            12     done
fuse           1      12            17     done
lower          0      17            17     done
pass           steps  nodes before  after  stop
inline         0      8             8      done
canonicalize   1      8             7      done
stabilize      2      7             2      done
differentiate  0      2             2      done
simplify       0      2             2      done
expand         3      2             12     done
loops          0      12            12     done
specialize     0      12            12     done
fuse           1      12            17     done
lower          0      17            17     done
pass           steps  nodes before  after  stop
inline         0      6             6      done
canonicalize   0      6             6      done
stabilize      0      6             6      done
differentiate  0      6             6      done
simplify       0      6             6      done
expand         0      6             6      done
loops          0      6             6      done
specialize     0      6             6      done
fuse           1      6             10     done
lower          0      10            10     done
f64[2, 3] =
[[-0.0881041, -0.0881041, -0.0702734],
 [ 1.0881,     1.0881,     1.07027]]
f64[2] = [-inf, 0.0]
f64[2, 2] =
[[0.0, 0.0],
 [0.0, 1.0]]
f64[2] = [-inf, -inf]
f64[0, 2] = []
[0] : f64[2] = [nan, nan]
[1] : f64[2] = [nan, nan]
f64[2, 2] =
[[ 0.0,  0.0],
 [-0.5,  0.5]]
[0] : f32[3] = [0.0900306, 0.244728, 0.665241]
[1] : f32 = 2.0
[2] : f32 = 1.0
[3] : f32 = 3.7416575
f64[2, 3] =
[[0.0900306, 0.244728,  0.665241],
 [0.06289,   0.170953,  0.766157]]
f64[2] = [3.40761, 10.174]
input.gr:40:1: error: composite operators are declared in the prelude only
    composite f(x) = x
    ^^^^^^^^^^^^^^^^^^
  hint: a function: f(x) = ...
exit 1
