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
loops: 3 steps, 23 -> 18 nodes, saturated
  3  merge-loops [E]
      # two loops of as many steps run as one; the same number of steps, and neither needs the other
      %7.final[0] => %7.final[0]
      %7.final[1] => %7.final[1]
      %7.trace => %7.trace[0]
      %13.final[0] => %7.final[0]
      %13.final[1] => %7.final[2]
      %13.trace => %7.trace[1]
      %7.steps => %7.steps
      %7.stopped => %7.stopped
      %13.steps => %7.steps
      %13.stopped => %7.stopped
      %7 = scan(n, from=(0.0, 2.0, 1.0), over=u)
    3.1  states [E]    # the states of the second beside those of the first
        %7.final[0] => %29.final[0]
        %7.final[1] => %29.final[1]
        %7.trace => %29.trace
        %13.final[0] => %29.final[2]
        %13.final[1] => %29.final[3]
        %7.steps => %29.steps
        %7.stopped => %29.stopped
        %13.steps => %29.steps
        %13.stopped => %29.stopped
        %29 = scan(n, from=(0.0, 2.0, 0.0, 1.0), over=u)
    3.2  output [E]    # the first gives an output of the second as well
        %29.final[0] => %30.final[0]
        %29.final[1] => %30.final[1]
        %29.trace => %30.trace[0]
        %29.final[2] => %30.final[2]
        %29.final[3] => %30.final[3]
        %13.trace => %30.trace[1]
        %29.steps => %30.steps
        %29.stopped => %30.stopped
        %30 = scan(n, from=(0.0, 2.0, 0.0, 1.0), over=u)
    3.3  shared [E]    # what starts alike and steps alike is there once
        %30 => %7
        %7 = scan(n, from=(0.0, 2.0, 1.0), over=u)
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
loops: 2 steps, 19 -> 17 nodes, saturated
  2  merge-loops [E]
      # two loops of as many steps run as one; the same number of steps, and neither needs the other
      %6.trace => %6.trace[0]
      %11.final => %6.final
      %11.trace => %6.trace[1]
      %6.steps => %6.steps
      %6.stopped => %6.stopped
      %11.steps => %6.steps
      %11.stopped => %6.stopped
      %6 = scan(n, from=0.0, over=u, reverse=true)
    2.1  direction [E]    # without states it may go the way that the other goes
        %6 => %28
        %28 = scan(n, over=u, reverse=true)
    2.2  states [E]    # the states of the second beside those of the first
        %28.trace => %29.trace
        %11.final => %29.final
        %28.steps => %29.steps
        %28.stopped => %29.stopped
        %11.steps => %29.steps
        %11.stopped => %29.stopped
        %29 = scan(n, from=0.0, over=u, reverse=true)
    2.3  output [E]    # the first gives an output of the second as well
        %29.trace => %6.trace[0]
        %29.final => %6.final
        %11.trace => %6.trace[1]
        %29.steps => %6.steps
        %29.stopped => %6.stopped
        %6 = scan(n, from=0.0, over=u, reverse=true)
loops: 3 steps, 18 -> 14 nodes, saturated
  2  fuse-loops [E]
      # a loop over the rows that another gives runs with it; the second reads rows of the first as
      # they come
      %5.final => %5.final[0]
      %5.trace => %5.trace[0]
      %10.final => %5.final[1]
      %10.trace => %5.trace[1]
      %5.steps => %5.steps
      %5.stopped => %5.stopped
      %10.steps => %5.steps
      %10.stopped => %5.stopped
      %5 = scan(n, from=(0.0, 1.0), over=u)
    2.1  states [E]    # the states of the second beside those of the first
        %5.final => %23.final[0]
        %5.trace => %23.trace
        %10.final => %23.final[1]
        %5.steps => %23.steps
        %5.stopped => %23.stopped
        %10.steps => %23.steps
        %10.stopped => %23.stopped
        %23 = scan(n, from=(0.0, 1.0), over=u)
    2.2  output [E]    # the first gives an output of the second as well
        %23.final[0] => %5.final[0]
        %23.trace => %5.trace[0]
        %23.final[1] => %5.final[1]
        %24.trace => %5.trace[1]
        %23.steps => %5.steps
        %23.stopped => %5.stopped
        %5 = scan(n, from=(0.0, 1.0), over=u)
loops: 2 steps, 18 -> 13 nodes, saturated
  1  same-loop [E]
      # two loops that step alike run as one; same operands and next states; their outputs are kept
      # together
      %6.final => %6.final
      %6.trace[0] => %6.trace[0]
      %6.trace[1] => %6.trace[1]
      %6.steps => %6.steps
      %6.stopped => %6.stopped
      %11.final => %6.final
      %11.trace[0] => %6.trace[0]
      %11.trace[1] => %6.trace[2]
      %11.steps => %6.steps
      %11.stopped => %6.stopped
      %6 = scan(n, from=0.0, over=u)
    1.1  outputs [E]    # one loop gives the outputs of the other as well
        %6 => %6
        %6 = scan(n, from=0.0, over=u)
    1.2  one loop [E]    # what the other gave is read off it: it runs no more
        %11 => %6
        %6 = scan(n, from=0.0, over=u)
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
