# Lowering a scan, part by part: the counter, each sequence indexed by it, the loop.
u : f64[n] = [1, 2, 3]
w : f64[n] = [4, 5, 6]
s = scan t over u, w from x = 0.0 { x[t] = 0.5 * x[t-1] * u[t] + w[t] }
:steps s rule=lower-scan open=all
:graph s step=4.2
:audit s open=4
g = scan t over u from G = 0.0 { G[t] = tanh(u[t] + 0.5 * G[t+1]) }
:steps g rule=lower-scan open=all
i = scan t over k = arange(n) from c = 0.0 { c[t] = cos(c[t-1]) * f64(k[t]) }
:steps i rule=lower-scan open=all
p = scan t for 1024 from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > 100.0 }
:steps (p.final, p.stopped) rule=lower-scan open=all
# a while loop that nobody asks what ended it has no parts
q = scan t from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > 100.0 }
:steps q.final rule=lower-scan open=all
---
lower: 2 steps, 12 -> 22 nodes, done
  3  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 2 sequences
      scan x runs as loop x, row
    3.1  counter [E]    # the step number becomes a state: 0, 1, ..., n-1
        scan x: state row is new
        + row + 1
    3.2  index w [E]    # the sequence becomes row i of a captured array
        scan x, row: it no longer reads w[t] step by step
        it reads w
        + w[t] = w[row]
    3.3  index u [E]    # the sequence becomes row i of a captured array
        scan x, row: it no longer reads u[t] step by step
        it reads u
        + u[t] = u[row]
    3.4  loop [E]    # a test before each step; traces are arrays with one row per step
        scan x, row runs as loop x, row
input.gr:6:15: error: there is no step 4.2 here
    :graph s step=4.2
                  ^^^
  hint: the steps inside step 9 begin with 9.1; :steps numbers them
input.gr:7:15: error: no step 4 opens
    :audit s open=4
                  ^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse, simplify, simplify-whole
lower: 1 step, 11 -> 21 nodes, done
  1  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from n-1 down to 0, in place of 1 sequence
      scan G runs as loop G, row
    1.1  counter [E]    # the step number becomes a state: n-1, n-2, ..., 0
        scan G: state row is new
        + row + -1
    1.2  index u [E]    # the sequence becomes row i of a captured array
        scan G, row: it no longer reads u[t] step by step
        it reads u
        + u[t] = u[row]
    1.3  loop [E]    # a test before each step; traces are arrays with one row per step
        scan G, row runs as loop G, row
lower: 1 step, 10 -> 15 nodes, done
  1  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan c runs as loop c, k
    1.1  counter [E]    # the step number becomes a state: 0, 1, ..., n-1
        scan c: state k is new
        it no longer reads k[t] step by step
        at each step it reads k_2[t], a row of arange(n)
        - c[t] = cos(c[t-1]) * f64(«k»[t])
        + c[t] = cos(c[t-1]) * f64(«k_2»[t])
        + k[t] + 1
    1.2  index k [E]    # its rows are computed from the counter: no array is needed
        scan c, k: it no longer reads k_2[t] step by step
        - c[t] = cos(c[t-1]) * f64(«k_2»[t])
        + c[t] = cos(c[t-1]) * f64(«k»[t])
    1.3  loop [E]    # a test before each step; traces are arrays with one row per step
        scan c, k runs as loop c, k
lower: 1 step, 10 -> 20 nodes, done
  2  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan p runs as loop p, row, stopped
    2.1  counter [E]    # the step number becomes a state: 0, 1, ..., n-1
        scan p: state row is new
        + row + 1
    2.2  stopped [E]    # whether `until` stopped the loop becomes a state
        scan p, row: state stopped is new
    2.3  loop [E]    # a test before each step; traces are arrays that grow by a row at each step
        scan p, row, stopped runs as loop p, row, stopped
input.gr:16:37: error: no step opens
    :steps q.final rule=lower-scan open=all
                                        ^^^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse, simplify, simplify-whole
exit 1
