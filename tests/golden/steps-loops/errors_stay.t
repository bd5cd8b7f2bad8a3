# What a loop of no step takes in any case fails as before: no part that reads it goes under a test
# of whether there is a step.
n : i64 = 0
k : i64 = 0
w = 1 // k
scan t for n { y[t] = w // k }
scan t for 0 { y[t] = w // k }
# what it takes elsewhere, too, may be read under the test
d : i64 = 1
v = 6 // d
:steps scan t for n from s = v { s[t] = s[t-1] + v // d } rule=hoist
# else what cannot fail is computed, be it in vain, and what can fail stays
M : f64[2, 2] = [[2, 1], [1, 3]]
W = inv(M)
:steps scan t for n from h = M { h[t] = tanh(h[t-1]) + W @ W } rule=hoist
:steps scan t for n from h = M { h[t] = tanh(h[t-1]) + inv(W) } rule=hoist
# in a body, what is captured stands for what may fail
:steps scan i for 2 { row[i] = sum(scan t for n { y[t] = w // k }) + i } rule=hoist
sum(scan i for 2 { row[i] = sum(scan t for n { y[t] = w // k }) + i })
# no step and no row is spared that may fail
D : i64[3] = [1, 2, 0]
map(v -> 3 // v, D)[0]
map(v -> 3 // v, D)[2:2]
(scan t over u = D from a = 1 { a[t] = a[t-1] + 6 // u[t] })[0]
(scan t over u = D from a = 1 { a[t] = a[t-1] + 7 // u[t]; until a[t] > 100 })[0]
# nor one within it
(scan t over u = D from a = 1 { a[t] = a[t-1] + (if a[t-1] > 0 then 6 // u[t] else 0) })[0]
:steps (scan t over u = D from a = 1 { a[t] = a[t-1] + (if a[t-1] > 3 then 6 // 2 else u[t]) })[0] rule=read-rows
---
input.gr:5:5: error: integer division by zero
    w = 1 // k
        ^^^^^^
input.gr:6:1: note: its value is needed here
    scan t for n { y[t] = w // k }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:5:5: error: integer division by zero
    w = 1 // k
        ^^^^^^
input.gr:7:1: note: its value is needed here
    scan t for 0 { y[t] = w // k }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
loops: 6 steps, 11 -> 18 nodes, done
  1  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; guarded, because the loop
      # may take no steps
      scan s: it no longer reads v, d
      it reads proj = if n >= 1 then 6 // d // d else 0
      - s[t] = s[t-1] + «v // d»
      + s[t] = s[t-1] + «proj»
loops: 2 steps, 10 -> 10 nodes, done
  1  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; the loop needs it to start
      scan h: it no longer reads W
      it reads W_W = inv(M) @ inv(M)
      - h[t] = tanh(h[t-1]) + «W @ W»
      + h[t] = tanh(h[t-1]) + «W_W»
no step of hoist; `:whynot hoist EXPR` says why
loops: 2 steps, 19 -> 13 nodes, done
  1  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; the loop runs at least
      # once
      scan without states: it no longer reads n, w, k
      it reads sum_y = sum(%12.y)
      - row[i] = «sum(y)» + i
      + row[i] = «sum_y» + i
      - y = %6.y
      new: scan without states (%12)
input.gr:5:5: error: integer division by zero
    w = 1 // k
        ^^^^^^
input.gr:19:1: note: its value is needed here
    sum(scan i for 2 { row[i] = sum(scan t for n { y[t] = w // k }) + i })
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:22:10: error: integer division by zero
    map(v -> 3 // v, D)[0]
             ^^^^^^
input.gr:23:10: error: integer division by zero
    map(v -> 3 // v, D)[2:2]
             ^^^^^^
input.gr:24:49: error: integer division by zero
    (scan t over u = D from a = 1 { a[t] = a[t-1] + 6 // u[t] })[0]
                                                    ^^^^^^^^^
input.gr:25:49: error: integer division by zero, in row 2 of the loop
    (scan t over u = D from a = 1 { a[t] = a[t-1] + 7 // u[t]; until a[t] > 100 })[0]
                                                    ^^^^^^^^^
input.gr:27:69: error: integer division by zero, in row 2 of the loop
    (scan t over u = D from a = 1 { a[t] = a[t-1] + (if a[t-1] > 0 then 6 // u[t] else 0) })[0]
                                                                        ^^^^^^^^^
canonicalize: 2 steps, 18 -> 15 nodes, done
  2  read-rows [E]
      # only the rows that are read are kept, and the loop stops after the last of them; one loop,
      # no trace
      new: scan a (%7)
      - %7.a[0]
      + %7.final.a
exit 1
