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
loops: 1 step, 19 -> 23 nodes, done
  1  batch-dots [R]
      # several products with an operand in common are one product; 3 products with one operand in
      # common
      scan h: it no longer reads U, V, W
      it reads U_W_V = concat((U, W, V), axis=1)
      - h[t] = tanh(«h»[t-1] «@ W») * sigmoid(«h»[t-1] «@ V») + sum(«h»[t-1] «@ U»)
      + h[t] = tanh(«h_W»[t-1]) * sigmoid(«h_V»[t-1]) + sum(«h_U»[t-1])
      + %16 = h[t-1] @ U_W_V
      … and 3 more
    1.1  product U [R]
        # the matrices are joined before the loop; this product is its part of the joint one
        scan h: it no longer reads U
        it reads U_W_V = concat((U, W, V), axis=1)
        - h[t] = tanh(h[t-1] @ W) * sigmoid(h[t-1] @ V) + sum(«h»[t-1] «@ U»)
        + h[t] = tanh(h[t-1] @ W) * sigmoid(h[t-1] @ V) + sum(«h_U»[t-1])
        + h_U[t-1] = (h[t-1] @ U_W_V)[:3]
    1.2  product W [R]    # its part of the product with all the matrices
        scan h: it no longer reads W
        - h[t] = tanh(«h»[t-1] «@ W») * sigmoid(h[t-1] @ V) + sum(h_U[t-1])
        + h[t] = tanh(«h_W»[t-1]) * sigmoid(h[t-1] @ V) + sum(h_U[t-1])
        + h_W[t-1] = (h[t-1] @ U_W_V)[3:5]
    1.3  product V [R]    # its part of the product with all the matrices
        scan h: it no longer reads U_W_V, V
        it reads U_W_V = concat((U, W, V), axis=1)
        - h_U[t-1] = %«34»[:3]
        + h_U[t-1] = %«16»[:3]
        - h[t] = tanh(h_W[t-1]) * sigmoid(«h»[t-1] «@ V») + sum(h_U[t-1])
        + h[t] = tanh(h_W[t-1]) * sigmoid(«h_V»[t-1]) + sum(h_U[t-1])
        … and 4 more
h : f64[2]
W : f64[2, 2]
V : f64[2, 2]
U : f64[2, 3]
t1 = concat((U, W, V), axis=1)
scan t for 4 from h = h {
  t2 = h[t-1] @ t1
  h[t] = tanh(t2[3:5]) * sigmoid(h[t-1] @ V) + sum(t2[:3])
}
step  pass   rule        classes  error  ulp
1.1   loops  product U   [R]      0      0
1.2   loops  product W   [R]      0      0
1.3   loops  product V   [R]      0      0
1     loops  batch-dots  [R]      0      0
2.1   fuse   fuse        [E]      0      0
2     fuse   inner       [E]      0      0
3     lower  lower-scan  [E]      0      0
7 steps, 7 compared: all within what their classes allow; largest error 0
loops: 1 step, 19 -> 23 nodes, done
  1  batch-dots [R]
      # several products with an operand in common are one product; 3 products with one operand in
      # common
      scan h: it no longer reads U, V, W
      it reads U_W_V = concat((U, W, V), axis=1)
      - h[t] = tanh(«h»[t-1] «@ W») * sigmoid(«h»[t-1] «@ V») + sum(«h»[t-1] «@ U»)
      + h[t] = tanh(«h_W»[t-1]) * sigmoid(«h_V»[t-1]) + sum(«h_U»[t-1])
      + %16 = h[t-1] @ U_W_V
      … and 3 more
fuse: 1 step, 23 -> 28 nodes, done
  2  inner [E]  in scan h
    2.1  fuse [E]
        # one pass over the elements, a tile at a time; 4 operators over f64[2]; 48 bytes need not
        # be stored
        one pass computes h[t] from sum(%16[:3]), h_V[t-1], h_W[t-1]
lower: 1 step, 28 -> 35 nodes, done
  3  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter
      # runs from 0 to n-1
      scan h runs as loop h, row
nothing to do: inline, canonicalize, stabilize, differentiate, expand, specialize
input.gr:12:15: error: open= takes a step: 7, or 9.1 or all
    :audit l open=x
                  ^
exit 1
