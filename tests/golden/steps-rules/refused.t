x : f64[3] = [0.1, 0.2, 0.3]
y : f64[4] = [1, 2, 3, 4]
:whynot map scan t over x from h = 0.0 { h[t] = tanh(h[t-1] + x[t]) }
:whynot map scan t over x { y[t] = sum(scan k over x from g = x[t] { g[k] = tanh(g[k-1] + x[k]) }) }
:whynot hoist scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:whynot reduce scan t over x from h = 0.0 { h[t] = h[t-1] * x[t] }
:whynot merge-loops scan t over x from h = 0.0 { h[t] = h[t-1] * x[t] }
:whynot merge-loops sum(scan t over x from h = 0.0 { h[t] = tanh(h[t-1] + x[t]) }) + sum(scan t over y from h = 0.0 { h[t] = tanh(h[t-1] + y[t]) })
:whynot fuse-loops sum(scan t over x from h = 0.0 { h[t] = tanh(h[t-1] + x[t]) }) + sum(scan t over y from h = 0.0 { h[t] = tanh(h[t-1] + y[t]) })
:whynot constant-state scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:whynot counted-while scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:whynot duplicate-state scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:whynot few-steps scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:whynot unroll scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:whynot unswitch scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:whynot induction scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:whynot index-rows scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:whynot sink scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:whynot sequence-dot scan t over x from h = 0.0 { h[t] = tanh(h[t-1]) + x[t] }
:whynot dead-results scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:whynot first-rows scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
:try repeated-sequence scan t over x from h = 0.0 { h[t] = h[t-1] + x[t] }
---
map does not fire
  at %4, scan h: state h is read at t-1, so this loop is not a map
  `:help map`: what it matches, and when
map does not fire
  at %4, scan g: state g is read at t-1, so this loop is not a map
  at %7, scan without states: an operator cannot be applied to all rows at once: scan; after step 1 an operator cannot be applied to all rows at once: loop
  `:help map`: what it matches, and when
hoist does not fire
  at %3, scan h: nothing in its body is loop-invariant
  `:help hoist`: what it matches, and when
reduce does not fire
  at %3, scan h: it has traces, not only final values; after step 1 it has no state
  `:help reduce`: what it matches, and when
merge-loops does not fire
  at %3, scan h: there is no other loop in its graph
  `:help merge-loops`: what it matches, and when
merge-loops does not fire
  at %4, scan h: no other loop is known to take the same number of steps; after step 1 there is no other loop in its graph
  at %8, scan h: no other loop is known to take the same number of steps
  `:help merge-loops`: what it matches, and when
fuse-loops does not fire
  at %4, scan h: no loop reads the rows of another loop's trace in order; after step 1 there is no other loop in its graph
  at %8, scan h: no loop reads the rows of another loop's trace in order
  `:help fuse-loops`: what it matches, and when
constant-state does not fire
  at %3, scan h: state h leaves its initial constant; after step 1 it has no state
  `:help constant-state`: what it matches, and when
counted-while does not fire
  at %3, scan h: it has no `until`
  `:help counted-while`: what it matches, and when
duplicate-state does not fire
  at %3, scan h: no two states have equal initial values
  `:help duplicate-state`: what it matches, and when
few-steps does not fire
  at %3, scan h: it takes 3 steps
  `:help few-steps`: what it matches, and when
unroll does not fire
  at %3, scan h: it takes 3 steps
  `:help unroll`: what it matches, and when
unswitch does not fire
  at %3, scan h: there is no choice in its body
  `:help unswitch`: what it matches, and when
induction does not fire
  at %3, scan h: no state grows by the same integer at each step; after step 1 it has no state
  `:help induction`: what it matches, and when
index-rows does not fire
  at %3, scan h: no array is indexed by the step number
  `:help index-rows`: what it matches, and when
sink does not fire
  at %3, scan h: each trace is needed by the steps, or sinking would save nothing; after step 1 it has no state
  `:help sink`: what it matches, and when
sequence-dot does not fire
  at %4, scan h: no product has a sequence row and a loop-invariant matrix as its operands
  `:help sequence-dot`: what it matches, and when
dead-results does not fire
  at %3, scan h: the unused results are needed to compute the used ones; after step 1 all its results are used
  `:help dead-results`: what it matches, and when
first-rows does not fire
  at %3, scan h: it has no `until`
  `:help first-rows`: what it matches, and when
repeated-sequence fires nowhere
  at %3, scan h: no sequence is known to be one row, repeated for every step
  `:help repeated-sequence`: what it matches, and when
