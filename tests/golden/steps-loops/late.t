# What the next step waits for comes last in a sum or product of numbers: one operation then follows the newest state.
u : f64[n] = [1, 4, 9, 16]
R = scan t over u from x = zeros(2) { x[t] = 0.6 * x[t-1] - 0.2 * x[t-2] + u[t] }
:steps R open=all
R
:audit R
L = scan t for 5 from x = 0.3 { x[t] = 3.2 * x[t-1] * (1 - x[t-1]) }
:steps grad(sum(sqr(R)), u) rule=late-operands
:steps L rule=late-operands
# what nobody waits for keeps its order, and so do arrays and what hangs on all states alike
S = scan t over u from x = 0.0, y = zeros(2) {
  x[t] = x[t-1] * 0.5 + u[t]
  y[t] = y[t-1] * 0.5 + u[t] + u[t] * u[t]
  o[t] = x[t] + u[t] + 1
  p[t] = x[t-1] + o[t] * x[t-1] + sum(y[t-1])
}
:try late-operands (S.o, S.p, S.y)
---
canonicalize: 2 steps, 20 -> 14 nodes, done
  1  index-repeated [D]    # the index comes first, the broadcast after it
      broadcast_to(0.0, (2,))[0] => 0.0
  2  index-repeated [D]    # the index comes first, the broadcast after it
      broadcast_to(0.0, (2,))[1] => 0.0
specialize: 1 step, 14 -> 14 nodes, done
  3  late-operands [R O]
      # the term that depends on the newest state is added or multiplied last; 1 sum or product
      scan x:
      - x[t] = «0.6 * x»[t«-1»] - 0.2 * x[t-2] + «u»[t]
      + x[t] = «u»[t] - 0.2 * x[t-2] + «0.6 * x»[t«-1»]
lower: 1 step, 14 -> 22 nodes, done
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan x runs as loop x, row
    4.1  counter [E]    # the step number becomes a state: 0, 1, ..., n-1
        scan x: state row is new
        + row + 1
    4.2  index u [E]    # the sequence becomes row i of a captured array
        scan x, row: it no longer reads u[t] step by step
        it reads u
        + u[t] = u[row]
    4.3  loop [E]    # a test before each step; traces are arrays with one row per step
        scan x, row runs as loop x, row
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, fuse
R : f64[4] = [1.0, 4.6, 11.56, 22.016]
step  pass          rule            classes  error    ulp
1     canonicalize  index-repeated  [D]      0        0
2     canonicalize  index-repeated  [D]      0        0
3     specialize    late-operands   [R O]    2.1e-16  1
4     lower         lower-scan      [E]      0        0
4 steps, 4 compared: all within what their classes allow; largest error 2.1e-16
specialize: 1 step, 27 -> 27 nodes, done
  7  late-operands [R O]
      # the term that depends on the newest state is added or multiplied last; 1 sum or product
      scan x:
      - x[t] = «0.6 * x»[t«-1»] - 0.2 * x[t-2] + «u»[t]
      + x[t] = «u»[t] - 0.2 * x[t-2] + «0.6 * x»[t«-1»]
no step of late-operands; `:whynot late-operands EXPR` says why
late-operands fires nowhere
  at %13, scan x, y: no sum or product of three numbers uses the newest state too early
  `:help late-operands`: what it matches, and when
