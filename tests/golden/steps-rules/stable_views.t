# what stands between the halves of a stable form moves: an index, a row, a branch, a trace
x := [1000.0, -1000.0]
log(softmax(x)[1])
grad(log(softmax(x)[1]), x)
:steps log(softmax(x)[1])
:steps log(1 - sigmoid(x)[1])
P = softmax(x)
:steps (scan t over P { y[t] = log(P[t]) })
:steps log(scan t for 2 { y[t] = softmax(x * f64(t)) })
c := true
:steps (if c then log(P[0]) else log(P[1]) + 1)
:steps log(where(x > 0, P, 1 - P))
:audit log(softmax(x)[1])
log(cosh([800.0, -800.0, 0.5]))
log(sinh([800.0, 0.5]))
---
f64 = -2000.0
f64[2] = [-1.0, 1.0]
stabilize: 2 steps, 5 -> 4 nodes, done
  1  stable-view [R]    # an index or reshape between the two halves of a stable form moves out
      log(softmax(x, axis=0)[1]) => log(softmax(x, axis=0))[1]
  2  log-softmax [R N+]    # no underflow in softmax
      log(softmax(x, axis=0)) => log_softmax(x, axis=0)
expand: 5 steps, 4 -> 11 nodes, done
  3  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      - log_softmax(x, axis=0)
      + x - expand_dims(peak(x), axis=0) - expand_dims(log(maximum(sum(exp(x - expand_dims(%8,
            axis=0))), 1)), axis=0)
  4  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(peak(x), axis=0), (2,)) => broadcast_to(peak(x), (2,))
  5  broadcast-into [E]    # elementwise operators take scalars as they are
      x - broadcast_to(peak(x), (2,)) => x - peak(x)
  6  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(%15, axis=0), (2,)) => broadcast_to(%15, (2,))
  7  broadcast-into [E]    # elementwise operators take scalars as they are
      x - peak(x) - broadcast_to(%15, (2,)) => x - peak(x) - %15
loops: 1 step, 11 -> 11 nodes, done
  8  index-elementwise [E]    # only the elements that are read are computed
      (x - peak(x) - %15)[1] => (x - peak(x))[1] - %15
fuse: 1 step, 11 -> 16 nodes, done
  9  fuse [E]
      # one pass, tile by tile; 2 operators and 1 reduction over f64[2]; 16 bytes not stored
      one kernel computes x - peak(x), sum(exp(%11)) from x, peak(x)
nothing to do: inline, canonicalize, differentiate, simplify, specialize, lower
canonicalize: 1 step, 7 -> 7 nodes, done
  1  index-elementwise [E]    # only the elements that are read are computed
      sigmoid(x)[1] => sigmoid(x[1])
stabilize: 3 steps, 7 -> 5 nodes, done
  2  1-sigmoid [R]  1 - sigmoid(x[1]) => sigmoid(-x[1])    # no cancellation near 1
  3  log-sigmoid [R N+]  log(sigmoid(-x[1])) => -softplus(-(-x[1]))    # no underflow in sigmoid
  4  neg-neg [E]  -(-x[1]) => x[1]    # minus minus
nothing to do: inline, differentiate, simplify, expand, loops, specialize, fuse, lower
stabilize: 2 steps, 7 -> 6 nodes, done
  1  stable-row [R]    # half of a stable form moves out of the loop, next to the other half
      scan without states: trace y is no longer kept
      trace y is kept now
      it no longer reads P[t] step by step
      at each step it reads y[t], a row of log(softmax(x, axis=0))
      - y[t] = log(P[t])
  2  log-softmax [R N+]    # no underflow in softmax
      log(softmax(x, axis=0)) => log_softmax(x, axis=0)
expand: 5 steps, 6 -> 13 nodes, done
  3  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      - log_softmax(x, axis=0)
      + x - expand_dims(peak(x), axis=0) - expand_dims(log(maximum(sum(exp(x - expand_dims(%10,
            axis=0))), 1)), axis=0)
  4  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(peak(x), axis=0), (2,)) => broadcast_to(peak(x), (2,))
  5  broadcast-into [E]    # elementwise operators take scalars as they are
      x - broadcast_to(peak(x), (2,)) => x - peak(x)
  6  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(%17, axis=0), (2,)) => broadcast_to(%17, (2,))
  7  broadcast-into [E]    # elementwise operators take scalars as they are
      x - peak(x) - broadcast_to(%17, (2,)) => x - peak(x) - %17
loops: 1 step, 13 -> 9 nodes, done
  8  map [R]    # a loop without states is its body applied to all rows at once; 1 trace
      scan without states (%4) is gone
      - y = %4.y
      + y = x - peak(x) - log(maximum(sum(exp(x - peak(x))), 1))
      - %4.steps
      + 2
      … and 1 more
fuse: 1 step, 9 -> 14 nodes, done
  9  fuse [E]
      # one pass, tile by tile; 2 operators and 1 reduction over f64[2]; 16 bytes not stored
      one kernel computes x - peak(x), sum(exp(%13)) from x, peak(x)
nothing to do: inline, canonicalize, differentiate, simplify, specialize, lower
stabilize: 2 steps, 11 -> 11 nodes, done
  1  stable-trace [R]    # half of a stable form moves into the loop, next to the other half
      scan without states: trace %9 is kept now
      + log(y[t])
      - log(%6.y)
      + %6.trace[1]
  2  inner [R N+]  in scan without states
    2.1  log-softmax [R N+]    # no underflow in softmax
        log(softmax(x * f64(t), axis=0)) => log_softmax(x * f64(t), axis=0)
expand: 1 step, 11 -> 18 nodes, done
  3  inner [E]  in scan without states
    3.1  expand-composite [E]    # it is replaced with its definition; no later rule needs it
        - y[t] = «softmax»(x * f64(t), axis=0)
        + y[t] = «exp»(x * f64(t) «- expand_dims(peak(x * f64(t))», axis=0)«) /
              expand_dims(maximum(sum(exp(x * f64(t) - expand_dims(peak(%4), axis=0))), 1),
              axis=0)»
    3.2  broadcast-expand [E]    # the added axes get their final length at once
        - broadcast_to(«expand_dims(»peak(x * f64(t)), «axis=0),» (2,))
        + broadcast_to(peak(x * f64(t)), (2,))
    3.3  broadcast-into [E]    # elementwise operators take scalars as they are
        x * f64(t) - broadcast_to(peak(x * f64(t)), (2,)) => x * f64(t) - peak(x * f64(t))
    3.4  broadcast-expand [E]    # the added axes get their final length at once
        broadcast_to(expand_dims(%20, axis=0), (2,)) => broadcast_to(%20, (2,))
    3.5  broadcast-into [E]    # elementwise operators take scalars as they are
        y[t] = %18 / broadcast_to(%20, (2,)) => %18 / %20
    3.6  expand-composite [E]    # it is replaced with its definition; no later rule needs it
        - «log_softmax»(x * f64(t), axis=0)
        + «x * f64(t) - expand_dims(peak(»x * f64(t)«)», axis=0) «- expand_dims(log(maximum(sum(exp(x
              * %3 - expand_dims(%14, axis=0))), 1)), axis=0)»
    3.7  broadcast-expand [E]    # the added axes get their final length at once; as before
        - broadcast_to(«expand_dims(»peak(x * f64(t)), «axis=0),» (2,))
        + broadcast_to(peak(x * f64(t)), (2,))
    3.8  broadcast-into [E]    # elementwise operators take scalars as they are; as before
        x * f64(t) - broadcast_to(peak(x * f64(t)), (2,)) => x * f64(t) - peak(x * f64(t))
    3.9  broadcast-expand [E]    # the added axes get their final length at once
        broadcast_to(expand_dims(%24, axis=0), (2,)) => broadcast_to(%24, (2,))
    3.10  broadcast-into [E]    # elementwise operators take scalars as they are
        %17 - broadcast_to(%24, (2,)) => %17 - %24
loops: 2 steps, 18 -> 17 nodes, done
  4  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan without states: trace y is no longer kept
      - y[t] = exp(x * f64(t) - peak(x * f64(t))) / maximum(sum(exp(x * f64(t) - peak(x *
            f64(t)))), 1)
  5  map [R]    # a loop without states is its body applied to all rows at once; 1 trace
      scan without states (%6) is gone
      - %6.trace
      + broadcast_to(x, (2, 2)) * broadcast_to(%31, (2, 2), axis=0) - broadcast_to(peak(%33,
            axis=1), (2, 2), axis=0) - broadcast_to(log(maximum(%38, 1)), (2, 2), axis=0)
      - %6.steps
      + 2
      … and 1 more
fuse: 2 steps, 17 -> 25 nodes, done
  6  fuse [E]
      # one pass, tile by tile; 2 operators and 1 reduction over f64[2, 2]; 32 bytes not stored
      one kernel computes %30 * %32 - broadcast_to(%34, (2, 2), axis=0), sum(exp(%36), axis=1)
          from %30 * %32, broadcast_to(%34, (2, 2), axis=0)
  7  fuse [E]    # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
      one kernel computes log(maximum(%48, 1)) from %46[1]
nothing to do: inline, canonicalize, differentiate, simplify, specialize, lower
stabilize: 2 steps, 15 -> 13 nodes, done
  1  stable-branch [R]    # half of a stable form moves out of the `if`, next to the other half
      if c then log(P[0]) else log(P[1]) + 1 => if c then log(P)[0] else log(P)[1] + 1
  2  log-softmax [R N+]    # no underflow in softmax
      log(softmax(x, axis=0)) => log_softmax(x, axis=0)
expand: 5 steps, 13 -> 20 nodes, done
  3  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      - log_softmax(x, axis=0)
      + x - expand_dims(peak(x), axis=0) - expand_dims(log(maximum(sum(exp(x - expand_dims(%15,
            axis=0))), 1)), axis=0)
  4  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(peak(x), axis=0), (2,)) => broadcast_to(peak(x), (2,))
  5  broadcast-into [E]    # elementwise operators take scalars as they are
      x - broadcast_to(peak(x), (2,)) => x - peak(x)
  6  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(%22, axis=0), (2,)) => broadcast_to(%22, (2,))
  7  broadcast-into [E]    # elementwise operators take scalars as they are
      x - peak(x) - broadcast_to(%22, (2,)) => x - peak(x) - %22
fuse: 1 step, 20 -> 25 nodes, done
  8  fuse [E]
      # one pass, tile by tile; 2 operators and 1 reduction over f64[2]; 16 bytes not stored
      one kernel computes x - peak(x), sum(exp(%18)) from x, peak(x)
nothing to do: inline, canonicalize, differentiate, simplify, loops, specialize, lower
stabilize: 3 steps, 8 -> 8 nodes, done
  1  stable-view [R]    # an index or reshape between the two halves of a stable form moves out
      log(where(x > 0, P, 1 - P)) => where(x > 0, log(P), log(1 - P))
  2  log1p-sub [R]  log(1 - P) => log1p(-P)    # accurate for small x
  3  log-softmax [R N+]    # no underflow in softmax
      log(softmax(x, axis=0)) => log_softmax(x, axis=0)
expand: 10 steps, 8 -> 15 nodes, done
  4  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      - P = «softmax»(x, axis=0)
      + P = «exp»(x «- expand_dims(peak(x)», axis=0)«) / expand_dims(maximum(sum(exp(x -
            expand_dims(peak(x), axis=0))), 1), axis=0)»
  5  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(peak(x), axis=0), (2,)) => broadcast_to(peak(x), (2,))
  6  broadcast-into [E]    # elementwise operators take scalars as they are
      x - broadcast_to(peak(x), (2,)) => x - peak(x)
  7  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(%19, axis=0), (2,)) => broadcast_to(%19, (2,))
  8  broadcast-into [E]    # elementwise operators take scalars as they are
      P = exp(x - peak(x)) / broadcast_to(%19, (2,)) => exp(x - peak(x)) / %19
  9  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      - log_softmax(x, axis=0)
      + x - expand_dims(peak(x), axis=0) - expand_dims(log(maximum(sum(exp(x - expand_dims(%13,
            axis=0))), 1)), axis=0)
  10  broadcast-expand [E]    # the added axes get their final length at once; as before
      broadcast_to(expand_dims(peak(x), axis=0), (2,)) => broadcast_to(peak(x), (2,))
  11  broadcast-into [E]    # elementwise operators take scalars as they are; as before
      x - broadcast_to(peak(x), (2,)) => x - peak(x)
  12  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(%23, axis=0), (2,)) => broadcast_to(%23, (2,))
  13  broadcast-into [E]    # elementwise operators take scalars as they are
      x - peak(x) - broadcast_to(%23, (2,)) => x - peak(x) - %23
fuse: 2 steps, 15 -> 28 nodes, done
  14  fuse [E]
      # one pass, tile by tile; 2 operators and 1 reduction over f64[2]; operands are read once
      one kernel computes 3 values from x, peak(x)
  15  fuse [E]    # one pass, tile by tile; 6 operators over bool[2]; 66 bytes not stored
      one kernel computes where(x > 0, %31 - %23, log1p(%10)) from x, %30[0], log(maximum(%33,
          1)), %30[1], maximum(%30[2], 1)
nothing to do: inline, canonicalize, differentiate, simplify, loops, specialize, lower
step  pass       rule               classes  error    ulp
1     stabilize  stable-view        [R]      0        0
2     stabilize  log-softmax        [R N+]   1.7e-16  1    nan or infinity is gone
3     expand     expand-composite   [E]      0        0
4     expand     broadcast-expand   [E]      0        0
5     expand     broadcast-into     [E]      0        0
6     expand     broadcast-expand   [E]      0        0
7     expand     broadcast-into     [E]      0        0
8     loops      index-elementwise  [E]      0        0
9     fuse       fuse               [E]      0        0
9 steps, 9 compared: all within what their classes allow; largest error 1.7e-16
f64[3] = [7.99307e+02, 7.99307e+02, 1.20115e-01]
f64[2] = [7.99307e+02, -6.51822e-01]
