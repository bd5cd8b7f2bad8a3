# A form does not say what was multiplied by 0: what may fail stays, but for a proof that says so.
d : i64; i : i64
:saturate 0 * (2 // d)
:saturate where(true, 1, 2 // d)
:saturate (i // d) * 2 + i // d
:equal 0 * (2 // d), 0
:equal i // d - i // d, 0
---
iteration  e-nodes  classes  matches  best cost
1          5        5        1        0.0474 us
saturated: cost 0.0474 us -> 0.0474 us (time, exact)
0 * (2 // d)
saturate: 0 steps, 5 -> 5 nodes, done
  1 iteration, 5 e-nodes in 5 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          6        6        2        0.0491 us
saturated: cost 0.0491 us -> 0.0491 us (time, exact)
where(true, 1, 2 // d)
saturate: 0 steps, 6 -> 6 nodes, done
  1 iteration, 6 e-nodes in 6 classes, saturated
nothing to do: inline, differentiate
iteration  e-nodes  classes  matches  best cost
1          5        5        0        0.0474 us
saturated: cost 0.0491 us -> 0.0474 us (time, exact)
3 * (i // d)
simplify: 1 step, 6 -> 5 nodes, done
  1  simplify-whole [E]
      # the same sum of products of integers in fewer operations; collect floordiv
      i // d * 2 + i // d => 3 * (i // d)
saturate: 0 steps, 5 -> 5 nodes, done
  1 iteration, 5 e-nodes in 5 classes, saturated
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops, specialize
equal except where one side is an error: for d = 0 the left side is an error (integer division by zero), the right side is 0 (by rules of class S, which is off: same-elements)
saturate: 1 step, 5 -> 1 nodes, done
  1 iteration, 5 e-nodes in 4 classes, equal
  1  same-elements [E S]
      # the same elements read differently, or the same sum of products of integers
      0 * (2 // d) => 0
nothing to do: inline, differentiate
equal except where one side is an error: for d = 0, i = 0 the left side is an error (integer division by zero), the right side is 0 (by rules of class S, which is off: same-elements)
saturate: 1 step, 5 -> 1 nodes, done
  1 iteration, 5 e-nodes in 4 classes, equal
  1  same-elements [E S]
      # the same elements read differently, or the same sum of products of integers
      i // d - i // d => 0
nothing to do: inline, differentiate
