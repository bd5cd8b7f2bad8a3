# Two loops that run as one: the states of the second beside those of the first, its outputs, then
# what is there twice goes.
u : f64[n] = [1, 2, 3]
a = scan t over u from q = 0.0, s = 2.0 { q[t] = tanh(q[t-1] + u[t]); s[t] = cos(s[t-1] + q[t]) }
b = scan t over u from q = 0.0, r = 1.0 { q[t] = tanh(q[t-1] + u[t]) ; r[t] = sin(r[t-1] * q[t]) }
:steps (a.s, b.r) rule=merge-loops open=all
:graph (a.s, b.r) step=3.2
:audit (a.s, b.r) open=3
# a loop without states goes the way of the other
g = scan t over u from G = 0.0 { G[t] = tanh(u[t] + 0.5 * G[t+1]) }
h = scan t over u { y[t] = (scan k for 5 from m = u[t] { m[k] = sin(m[k-1]) }).final }
:steps (h, g) rule=merge-loops open=all
# one reads the rows of the other
c = scan t over u from q = 0.0 { q[t] = tanh(q[t-1] + u[t]) }
d = scan t over c from r = 1.0 { r[t] = tanh(r[t-1] * c[t]); z[t] = sin(r[t]) }
:steps d rule=fuse-loops open=all
# the same states, other outputs
e = scan t over u from q = 0.0 { q[t] = tanh(q[t-1] + u[t]); y[t] = 2 * q[t]}
f = scan t over u from q = 0.0 { q[t] = tanh(q[t-1] + u[t]); z[t] = exp(q[t])}
:steps (e.y, f.z) rule=same-loop open=all
:audit (e.y, f.z) open=all
---
loops: 3 steps, 23 -> 18 nodes, done
  3  merge-loops [E]
      # loop fusion: two loops with the same number of steps run as one; both take the same number
      # of steps, and neither uses the other's results
      scan q, s (%7) and scan q, r (%13) run as one: scan q, s, r (%7)
    3.1  states [E]    # the states of the second are added to those of the first
        scan q, s (%7) and scan q, r (%13) run as one: scan q, s, q_2, r (%7)
    3.2  output [E]    # the first also produces an output of the second
        scan q, s, q_2, r (%7) and scan q, r (%13) run as one: scan q, s, q_2, r (%7)
    3.3  shared [E]    # states with equal initial values and equal updates are merged
        scan q, s, q_2, r: states q_2, r are gone
        state r is new
        trace r is no longer kept
        trace r is kept now
        - r[t] = sin(r[t-1] * «q_2»[t])
        + r[t] = sin(r[t-1] * «q»[t])
        - q_2[t] = tanh(q_2[t-1] + u[t])
        - %7.final.q_2
        + %7.final.q
u : f64[n]
S = scan t over u from q = 0.0, s = 2.0, q_2 = 0.0, r = 1.0 keep s, r {
  q[t] = tanh(q[t-1] + u[t])
  s[t] = cos(s[t-1] + q[t])
  q_2[t] = tanh(q_2[t-1] + u[t])
  r[t] = sin(r[t-1] * q_2[t])
}
(S.s, S.r)
step  pass   rule          classes  error  ulp
1     loops  dead-results  [E]      0      0
2     loops  dead-results  [E]      0      0
3.1   loops  states        [E]      0      0
3.2   loops  output        [E]      0      0
3.3   loops  shared        [E]      0      0
3     loops  merge-loops   [E]      0      0
4     lower  lower-scan    [E]      0      0
7 steps, 7 compared: all within what their classes allow; largest error 0
loops: 2 steps, 19 -> 17 nodes, done
  2  merge-loops [E]
      # loop fusion: two loops with the same number of steps run as one; both take the same number
      # of steps, and neither uses the other's results
      scan without states (%6) and scan G (%11) run as one: scan G (%6)
    2.1  direction [E]    # a loop without states can run in either direction
    2.2  states [E]    # the states of the second are added to those of the first
        scan without states (%6) and scan G (%11) run as one: scan G (%6)
    2.3  output [E]    # the first also produces an output of the second
        scan G (%6) and scan G (%11) run as one: scan G (%6)
loops: 3 steps, 18 -> 14 nodes, done
  2  fuse-loops [E]
      # loop fusion: a loop over the rows of another loop's trace runs with it; the second loop
      # reads the first loop's rows in order
      scan q (%5) and scan r (%10) run as one: scan q, r (%5)
    2.1  states [E]    # the states of the second are added to those of the first
        scan q (%5) and scan r (%10) run as one: scan q, r (%5)
    2.2  output [E]    # the first also produces an output of the second
        scan q, r (%5) and scan r (%10) run as one: scan q, r (%5)
loops: 2 steps, 18 -> 13 nodes, done
  1  same-loop [E]
      # two loops with equal updates run as one; same operands and next states; their outputs are
      # kept together
      scan q (%6) and scan q (%11) run as one: scan q (%6)
      - %6.q
      + %6.trace[0]
      - %11.q
      + %6.trace[0]
      … and 2 more
    1.1  outputs [E]    # one loop also produces the outputs of the other
        scan q: trace %13 is kept now
        + exp(tanh(q[t-1] + u[t]))
        - %6.q
        + %6.trace[0]
    1.2  one loop [E]    # the results of the other loop are taken from it
        scan q (%11) is no longer a separate loop: its results are those of scan q (%6)
        - %11.q
        + %6.trace[0]
step  pass   rule          classes  error  ulp
1.1   loops  outputs       [E]      0      0
1.2   loops  one loop      [E]      0      0
1     loops  same-loop     [E]      0      0
2     loops  dead-results  [E]      0      0
3.1   lower  counter       [E]      0      0
3.2   lower  index u       [E]      0      0
3.3   lower  loop          [E]      0      0
3     lower  lower-scan    [E]      0      0
8 steps, 8 compared: all within what their classes allow; largest error 0
