# sizes whose product cannot be counted
x : f64[2147483647, 2147483647, 8]
:steps tanh(x) * x + 1
---
inline: 0 steps, 5 -> 5 nodes, saturated
canonicalize: 0 steps, 5 -> 5 nodes, saturated
stabilize: 0 steps, 5 -> 5 nodes, saturated
differentiate: 0 steps, 5 -> 5 nodes, saturated
expand: 0 steps, 5 -> 5 nodes, saturated
loops: 0 steps, 5 -> 5 nodes, saturated
specialize: 0 steps, 5 -> 5 nodes, saturated
fuse: 1 step, 5 -> 8 nodes, saturated
  1  fuse [E]
      # one pass over the elements, a tile at a time; 3 operators over f64[2147483647, 2147483647, 8];
      # 16 bytes an element need not be stored
      tanh(x) * x + 1 => %8
      %8 = fused(x)
lower: 0 steps, 8 -> 8 nodes, saturated
