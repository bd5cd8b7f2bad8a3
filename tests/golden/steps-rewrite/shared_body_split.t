# Two loops with one body, of which one changes: what goes on in the copy is not told of as new.
a : f64 = 0.5
u : f64[100000] = linspace(0.0, 1.0, 100000)
S = scan t over u from s = 0.0 { s[t] = a * s[t-1] + u[t] }
:steps S[-2:] pass=loops rule=dead-results
---
loops: 4 steps, 22 -> 23 nodes, done
  2  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
