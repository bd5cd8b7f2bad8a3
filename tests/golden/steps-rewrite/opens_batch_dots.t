# Products with one left operand become one, each in turn.
h : f64[2] = [1, 2]
W : f64[2, 2] = [[1, 2], [3, 4]]
V : f64[2, 2] = [[5, 6], [7, 8]]
U : f64[2, 3] = [[1, 0, 1], [0, 1, 1]]
l = scan t for 4 from h = h { h[t] = tanh(h[t-1] @ W) * sigmoid(h[t-1] @ V) + sum(h[t-1] @ U) }
:steps l rule=batch-dots open=all
:graph l step=1.2
:audit l open=1
# which steps open is told where one does not
:steps l open=2
:audit l open=x
---
loops: 2 steps, 19 -> 22 nodes, done
  3  batch-dots [R]
      # several products that share an operand are one product; 2 products that share an operand
      scan h: it no longer reads V, W
      it reads W_V = concat((W, V), axis=1)
      - h[t] = tanh(«h»[t-1] «@ W») * sigmoid(«h»[t-1] «@ V») + h[t-1] @ sum_U
      + h[t] = tanh(«h_W»[t-1]) * sigmoid(«h_V»[t-1]) + h[t-1] @ sum_U
      + %22 = h[t-1] @ W_V
      … and 2 more
    3.1  product W [R]
        # the matrices are concatenated before the loop; this product is one part of the joint
        # product
        scan h: it no longer reads W
        it reads W_V = concat((W, V), axis=1)
        - h[t] = tanh(«h»[t-1] «@ W») * sigmoid(h[t-1] @ V) + h[t-1] @ sum_U
        + h[t] = tanh(«h_W»[t-1]) * sigmoid(h[t-1] @ V) + h[t-1] @ sum_U
        + h_W[t-1] = (h[t-1] @ W_V)[:2]
    3.2  product V [R]    # the part of the joint product that belongs to this matrix
        scan h: it no longer reads W_V, V
        it reads W_V = concat((W, V), axis=1)
        - h[t] = tanh(h_W[t-1]) * sigmoid(«h»[t-1] «@ V») + h[t-1] @ sum_U
        + h[t] = tanh(h_W[t-1]) * sigmoid(«h_V»[t-1]) + h[t-1] @ sum_U
        - h_W[t-1] = «(h[t-1] @ W_V)»[:2]
        + h_W[t-1] = «%22»[:2]
        … and 2 more
input.gr:8:15: error: there is no step 1.2 here
    :graph l step=1.2
                  ^^^
  hint: the steps inside step 9 begin with 9.1; :steps numbers them
input.gr:9:15: error: no step 1 opens
    :audit l open=1
                  ^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse, simplify, simplify-whole
simplify: 1 step, 19 -> 19 nodes, done
  1  inner [R N+ O]  in scan h
    1.1  simplify [R N+ O]
        # the same sum of products in fewer operations; contract in a different order
        h[t] = %9 + sum(h[t-1] @ U) => %9 + h[t-1] @ sum(U, axis=1)
loops: 2 steps, 19 -> 22 nodes, done
  2  hoist [E]
      # loop-invariant values are computed once, before the loop; 1 part; the loop runs at least
      # once
      scan h: it no longer reads U
      it reads sum_U = sum(U, axis=1)
      - h[t] = tanh(h[t-1] @ W) * sigmoid(h[t-1] @ V) + h[t-1] @ «sum(U, axis=1)»
      + h[t] = tanh(h[t-1] @ W) * sigmoid(h[t-1] @ V) + h[t-1] @ «sum_U»
  3  batch-dots [R]
      # several products that share an operand are one product; 2 products that share an operand
      scan h: it no longer reads V, W
      it reads W_V = concat((W, V), axis=1)
      - h[t] = tanh(«h»[t-1] «@ W») * sigmoid(«h»[t-1] «@ V») + h[t-1] @ sum_U
      + h[t] = tanh(«h_W»[t-1]) * sigmoid(«h_V»[t-1]) + h[t-1] @ sum_U
      + %22 = h[t-1] @ W_V
      … and 2 more
fuse: 1 step, 22 -> 27 nodes, done
  4  inner [E]  in scan h
    4.1  fuse [E]    # one pass, tile by tile; 4 operators over f64[2]; 48 bytes not stored
        one kernel computes h[t] from h_W[t-1], h_V[t-1], h[t-1] @ sum_U
lower: 1 step, 27 -> 34 nodes, done
  5  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan h runs as loop h, row
nothing to do: inline, canonicalize, stabilize, differentiate, expand, specialize
input.gr:12:15: error: open= takes a step: 7, or 9.1 or all
    :audit l open=x
                  ^
exit 1
