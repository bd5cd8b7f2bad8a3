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
loops: 1 step, 19 -> 23 nodes, saturated
  1  batch-dots [R]
      # several products with one left operand are one product; 3 products with one left operand
      %13 => %13
      %13 = scan(4, from=h, using=concat((U, W, V), axis=1))
    1.1  product U [R]
        # the matrices stand side by side, joined before the loop; this product is its columns of the
        # joint one
        %13 => %31
        %31 = scan(4, from=h, using=(concat((U, W, V), axis=1), W, V))
    1.2  product W [R]    # its columns of the product with all the matrices
        %31 => %32
        %32 = scan(4, from=h, using=(concat((U, W, V), axis=1), V))
    1.3  product V [R]    # its columns of the product with all the matrices
        %32 => %13
        %13 = scan(4, from=h, using=concat((U, W, V), axis=1))
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
input.gr:11:15: error: no step 2 opens
    :steps l open=2
                  ^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse
input.gr:12:15: error: x is no step
    :audit l open=x
                  ^
  hint: open=9, open=9.1 or open=all
exit 1
