# Loops that gather what sequences give: at the end, and row by row
x := [0.5, -1.0, 2.0]
c := 3.0
:graph (scan t over x from s = -inf { s[t] = logaddexp(s[t-1], x[t]) }).final pass=specialize
:graph (scan t over x from s = c { s[t] = logaddexp(s[t-1], x[t]) }).final pass=specialize
:graph (scan t over x from s = 1.0 { s[t] = s[t-1] / x[t] }).final pass=specialize
:graph (scan t over x from s = 2.0 { s[t] = -s[t-1] * x[t] }).final pass=specialize
:graph (scan t over x from s = 1.0 { s[t] = s[t-1] * exp(x[t]) }).final pass=specialize
:graph (scan t over x from s = c { s[t] = s[t-1] - x[t] }) pass=specialize
:graph (scan t over x from s = -inf { s[t] = maximum(s[t-1], x[t]) }) pass=specialize
:graph (scan t over x from s = c { s[t] = minimum(s[t-1], x[t]) }) pass=specialize
:graph (scan t over x from s = 1.0 { s[t] = s[t-1] / x[t] }) pass=specialize
:graph (scan t over x from s = c { s[t] = s[t-1] / x[t] }) pass=specialize
(scan t over x from s = c { s[t] = logaddexp(s[t-1], x[t]) }).final - logsumexp(concat(([c], x)))
(scan t over x from s = c { s[t] = minimum(s[t-1], x[t]) })
(scan t reverse over x from s = c { s[t] = s[t+1] / x[t] })
:equal (scan t over x from s = -inf { s[t] = maximum(s[t-1], x[t]) }), cummax(x)
:audit (scan t over x from s = c { s[t] = minimum(s[t-1], x[t]) })
# rows that are vectors, as many as they are long
u := [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [0.0, 0.0, 9.0]]
(scan t over u from h = 10 * x { h[t] = h[t-1] + u[t] })
# what the passes find is a proof
:equal grad(sum(x[::-1]), x), ones_like(x)
---
x : f64[3]
logsumexp(x)
x : f64[3]
c : f64
logaddexp(c, logsumexp(x))
x : f64[3]
reciprocal(prod(x))
x : f64[3]
2 * prod(-x)
x : f64[3]
exp(sum(x))
x : f64[3]
c : f64
c + cumsum(-x)
x : f64[3]
cummax(x)
x : f64[3]
c : f64
minimum(c, -cummax(-x))
x : f64[3]
reciprocal(cumprod(x))
x : f64[3]
c : f64
cumprod(concat((expand_dims(c, axis=0), reciprocal(x)), axis=0))[1:]
f64 = 0.0
f64[3] = [0.5, -1.0, -1.0]
f64[3] = [-3.0, -1.5, 1.5]
equal up to rounding
saturate: 2 steps, 9 -> 2 nodes, done
  2 iterations, 36 e-nodes in 24 classes, equal
  1  running-form [R O]
      # the rows of a running sum, product or extreme are computed at once; a running maximum or
      # minimum
      scan s: state s is gone
      trace s is no longer kept
      trace s is kept now
      it no longer reads x[t] step by step
      at each step it reads s[t], a row of cummax(x)
      - s[t] = maximum(s[t-1], x[t])
  2  map [R]    # a loop without states is its body applied to all rows at once; 1 trace
      scan without states (%3) is gone
      - s = %3.s
      + s = cummax(x)
nothing to do: inline, differentiate
step  pass   rule            classes  error  ulp
1     loops  running         [R O]    0      0
2     loops  broadcast-into  [E]      0      0
3     loops  map             [R]      0      0
4     fuse   fuse            [E]      0      0
4 steps, 4 compared: all within what their classes allow; largest error 0
f64[3, 3] =
[[ 6.0, -8.0, 23.0],
 [10.0, -3.0, 29.0],
 [10.0, -3.0, 38.0]]
equal
differentiate: 2 steps, 11 -> 3 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 5 nodes
      grad(sum(x[::-1]), x) => d_x = flip(broadcast_to(1.0, (3,)), axis=0)
  2  flip-along [E]    # reversing equal numbers has no effect; x is repeated along these axes
      d_x = flip(broadcast_to(1.0, (3,)), axis=0) => broadcast_to(1.0, (3,))
saturate: 0 steps, 3 -> 3 nodes, done
  0 iterations, 3 e-nodes in 3 classes, equal
nothing to do: inline
