# A state that only hands on a row of a sequence is that sequence, one step later: no loop is left.
u : f64[n] = [1, 4, 9, 16]
D = scan t over u from p = 0.0 { d[t] = u[t] - p[t-1]; p[t] = u[t] }
:steps D.d
(D.d, D.final)
:audit (D.d, D.final)
grad(sum(sqr(D.d)), u)
# backwards; computed from the row; handed on twice; a loop is left, but no product in it
x : f64[3, 2] = [[1, 2], [3, 4], [5, 7]]
W : f64[2, 2] = [[0.1, -0.2], [0.3, 0.4]]
B = scan t over x from f = zeros(2), g = ones(2), h = zeros(2) {
  h[t] = tanh(h[t+1] + g[t+1] @ W); g[t] = f[t+1]; f[t] = sin(x[t])
}
:steps B.final.h pass=loops
(B.h, B.final.g)
:set rule delay off
(B.h, B.final.g)
:set rule delay on
# no step: the initial value
u := zeros(0)
(D.d, D.final)
:whynot delay D.d
:whynot delay (scan t over u from p = 0.0 { p[t] = p[t-1] * u[t] })
:whynot delay (scan t over u from p = 0.0 { p[t] = u[t]; until u[t] > p[t-1] })
---
loops: 4 steps, 8 -> 7 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan p: trace p is no longer kept
  2  delay [R]
      # a state computed only from this step's rows is a sequence delayed by one step; 1 state
      scan p: state p is gone
      at each step it reads p[t-1], a row of concat((expand_dims(0.0, axis=0), u), axis=0)
      - %4.final.p
      + concat((expand_dims(0.0, axis=0), u), axis=0)[-1]
  3  fold [E]  expand_dims(0.0, axis=0) => [0.0]    # the value is known while the graph is built
  4  map [R]    # a loop without states is its body applied to all rows at once; 1 trace
      scan without states (%4) is gone
      - %4.d
      + u - concat(([0.0], u), axis=0)[:n]
      - %4.steps
      + n
      … and 1 more
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize, fuse,
lower
[0] : f64[4] = [1.0, 3.0, 5.0, 7.0]
[1] : f64 = 16.0
step  pass   rule          classes  error  ulp
1     loops  dead-results  [E]      0      0
2     loops  delay         [R]      0      0
3     loops  fold          [E]      0      0
4     loops  map           [R]      0      0
5     loops  fold          [E]      0      0
5 steps, 5 compared: all within what their classes allow; largest error 0
f64[4] = [-4.0, -4.0, -4.0, 14.0]
loops: 4 steps, 19 -> 23 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 3 traces
      scan f, g, h: traces h, g, f are no longer kept
  2  delay [R]
      # a state computed only from this step's rows is a sequence delayed by one step; 1 state
      scan f, g, h: state f is gone
      it no longer reads x[t] step by step
      at each step it reads f[t+1], a row of concat((sin(x), %1[None, :]), axis=0)[1:]
      - f[t] = sin(x[t])
      - %9.final.f
      + concat((sin(x), broadcast_to(0.0, (2,))[None, :]), axis=0)[0]
  3  delay [R]
      # a state computed only from this step's rows is a sequence delayed by one step; 1 state
      scan g, h: state g is gone
      it no longer reads f[t+1] step by step
      at each step it reads g[t+1], a row of concat((%17[1:], %2[None, :]), axis=0)[1:]
      - %9.final.g
      + concat((%19, broadcast_to(1.0, (2,))[None, :]), axis=0)[0]
  4  sequence-dot [R]
      # a product with each row of a sequence is one product before the loop; one product for all
      # steps
      scan h: it no longer reads g[t+1] step by step
      it no longer reads W
      at each step it reads g_W[t+1], a row of concat((%19, %20), axis=0)[1:] @ W
      - h[t] = tanh(h[t+1] + «g»[t+1] «@ W»)
      + h[t] = tanh(h[t+1] + «g_W»[t+1])
[0] : f64[3, 2] =
[[0.43323,  0.571287],
 [0.362663, 0.194852],
 [0.379949, 0.197375]]
[1] : f64[2] = [0.14112, -0.756802]
[0] : f64[3, 2] =
[[0.43323,  0.571287],
 [0.362663, 0.194852],
 [0.379949, 0.197375]]
[1] : f64[2] = [0.14112, -0.756802]
[0] : f64[0] = []
[1] : f64 = 0.0
delay fires, step 2: %4.final => concat((expand_dims(0.0, axis=0), u), axis=0)[-1], %4.trace => %4.trace, %4.steps => %4.steps, %4.stopped => %4.stopped, %4 = scan(n, over=(u, concat((expand_dims(0.0, axis=0), u), axis=0)))
delay does not fire
  at %4, scan p: state p is computed from more than sequence rows; after step 1 it has no state
  `:help delay`: what it matches, and when
delay does not fire
  at %4, scan p: `until` may end it at any step
  `:help delay`: what it matches, and when
