# Lowering a scan, part by part: the counter, each sequence indexed by it, the loop.
u : f64[n] = [1, 2, 3]
w : f64[n] = [4, 5, 6]
s = scan t over u, w from x = 0.0 { x[t] = 0.5 * x[t-1] * u[t] + w[t] }
:steps s rule=lower-scan open=all
:graph s step=3.2
:audit s open=3
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
lower: 2 steps, 12 -> 22 nodes, saturated
  2  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 2 sequences
      %6.trace => %6.trace
      %6 = loop(rows=n, go=0 < n, from=(0.0, 0), using=(w, u, n))
    2.1  counter [E]    # the number of the step is a state: 0, 1, ..., n-1
        %6.trace => %14.trace
        %14 = scan(n, from=(0.0, 0), over=(w, u))
    2.2  index w [E]    # row i of the whole array, a capture, in place of a sequence
        %14.trace => %15.trace
        %15 = scan(n, from=(0.0, 0), over=u, using=w)
    2.3  index u [E]    # row i of the whole array, a capture, in place of a sequence
        %15.trace => %16.trace
        %16 = scan(n, from=(0.0, 0), using=(w, u))
    2.4  loop [E]    # a test before each step; traces are arrays with a place for each
        %16.trace => %6.trace
        %6 = loop(rows=n, go=0 < n, from=(0.0, 0), using=(w, u, n))
input.gr:6:15: error: there is no step 3.2 here
    :graph s step=3.2
                  ^^^
  hint: the steps inside step 9 begin with 9.1; :steps numbers them
input.gr:7:15: error: no step 3 opens
    :audit s open=3
                  ^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse
lower: 1 step, 11 -> 21 nodes, saturated
  1  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from n-1 down to 0, in place of 1 sequence
      %6.trace => %6.trace
      %6 = loop(rows=n, go=n + -1 >= 0, from=(0.0, n + -1), using=u, down=true)
    1.1  counter [E]    # the number of the step is a state: n-1, n-2, ..., 0
        %6.trace => %13.trace
        %13 = scan(n, from=(0.0, n + -1), over=u, reverse=true)
    1.2  index u [E]    # row i of the whole array, a capture, in place of a sequence
        %13.trace => %14.trace
        %14 = scan(n, from=(0.0, n + -1), using=u, reverse=true)
    1.3  loop [E]    # a test before each step; traces are arrays with a place for each
        %14.trace => %6.trace
        %6 = loop(rows=n, go=n + -1 >= 0, from=(0.0, n + -1), using=u, down=true)
lower: 1 step, 10 -> 15 nodes, saturated
  1  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %6.trace => %6.trace
      %6 = loop(rows=n, go=0 < n, from=(0.0, 0), using=n)
    1.1  counter [E]    # the number of the step is a state: 0, 1, ..., n-1
        %6.trace => %11.trace
        %11 = scan(n, from=(0.0, 0), over=arange(n))
    1.2  index k [E]    # its rows are numbers that the counter gives: no array is needed
        %11.trace => %12.trace
        %12 = scan(n, from=(0.0, 0))
    1.3  loop [E]    # a test before each step; traces are arrays with a place for each
        %12.trace => %6.trace
        %6 = loop(rows=n, go=0 < n, from=(0.0, 0), using=n)
lower: 1 step, 10 -> 20 nodes, saturated
  2  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1
      %3 => %3
      %3 = loop(go=true, from=(1.0, 0, false))
    2.1  counter [E]    # the number of the step is a state: 0, 1, ..., n-1
        %3 => %11
        %11 = scan(1024, from=(1.0, 0))
    2.2  stopped [E]    # whether `until` ended it is a state: what it said last
        %11 => %12
        %12 = scan(1024, from=(1.0, 0, false))
    2.3  loop [E]    # a test before each step; traces are arrays that grow with each
        %12 => %3
        %3 = loop(go=true, from=(1.0, 0, false))
input.gr:16:37: error: no step opens
    :steps q.final rule=lower-scan open=all
                                        ^^^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse
exit 1
