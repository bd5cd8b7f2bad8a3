# What a fact rests on stands in the step.
x : f64[3]=[1,2,3]
k : i64[3] = [1,2,3]
:set allow Z
:steps abs(exp(x)+sqr(x))
:steps relu(exp(x))
:steps abs(exp(x)[0:2])
:steps abs(tanh(x) + 2)
:steps 0 * tanh(x)
:steps abs(softmax(x)) 
:steps abs(size(x,0) * k * k)
:steps maximum(sigmoid(x), 0)
S = scan t over x from h = 1.0 { h[t] = abs(exp(h[t-1]) * sqr(x[t])) }
:steps S
---
inline: 0 steps, 5 -> 5 nodes, saturated
canonicalize: 1 step, 5 -> 4 nodes, saturated
  1  abs-known [Z D]
      # it is not negative; -0 stays; `x` is not negative: exp(x) + sqr(x) is at least 0, as exp(x) is
      # at least 0 and sqr(x) is at least 0
      abs(exp(x) + sqr(x)) => exp(x) + sqr(x)
stabilize: 0 steps, 4 -> 4 nodes, saturated
differentiate: 0 steps, 4 -> 4 nodes, saturated
expand: 0 steps, 4 -> 4 nodes, saturated
loops: 0 steps, 4 -> 4 nodes, saturated
specialize: 0 steps, 4 -> 4 nodes, saturated
fuse: 1 step, 4 -> 7 nodes, saturated
  2  fuse [E]
      # one pass over the elements, a tile at a time; 3 operators over f64[3]; 48 bytes need not be
      # stored
      exp(x) + sqr(x) => %9
      %9 = fused(x)
lower: 0 steps, 7 -> 7 nodes, saturated
inline: 0 steps, 3 -> 3 nodes, saturated
canonicalize: 1 step, 3 -> 2 nodes, saturated
  1  relu-known [Z D]    # it is not negative; -0 stays; `x` is not negative: exp(x) is at least 0
      relu(exp(x)) => exp(x)
stabilize: 0 steps, 2 -> 2 nodes, saturated
differentiate: 0 steps, 2 -> 2 nodes, saturated
expand: 0 steps, 2 -> 2 nodes, saturated
loops: 0 steps, 2 -> 2 nodes, saturated
specialize: 0 steps, 2 -> 2 nodes, saturated
fuse: 0 steps, 2 -> 2 nodes, saturated
lower: 0 steps, 2 -> 2 nodes, saturated
inline: 0 steps, 6 -> 6 nodes, saturated
canonicalize: 1 step, 6 -> 5 nodes, saturated
  1  abs-known [Z D]
      # it is not negative; -0 stays; `x` is not negative: its elements are those of exp(x), which is
      # at least 0
      abs(exp(x)[:2]) => exp(x)[:2]
stabilize: 0 steps, 5 -> 5 nodes, saturated
differentiate: 0 steps, 5 -> 5 nodes, saturated
expand: 0 steps, 5 -> 5 nodes, saturated
loops: 0 steps, 5 -> 5 nodes, saturated
specialize: 0 steps, 5 -> 5 nodes, saturated
fuse: 0 steps, 5 -> 5 nodes, saturated
lower: 0 steps, 5 -> 5 nodes, saturated
inline: 0 steps, 5 -> 5 nodes, saturated
canonicalize: 1 step, 5 -> 4 nodes, saturated
  1  abs-known [Z D]
      # it is not negative; -0 stays; `x` is not negative: tanh(x) + 2 is within [1, 3], as tanh(x) is
      # within [-1, 1]
      abs(tanh(x) + 2) => tanh(x) + 2
stabilize: 0 steps, 4 -> 4 nodes, saturated
differentiate: 0 steps, 4 -> 4 nodes, saturated
expand: 0 steps, 4 -> 4 nodes, saturated
loops: 0 steps, 4 -> 4 nodes, saturated
specialize: 0 steps, 4 -> 4 nodes, saturated
fuse: 1 step, 4 -> 7 nodes, saturated
  2  fuse [E]
      # one pass over the elements, a tile at a time; 2 operators over f64[3]; 24 bytes need not be
      # stored
      tanh(x) + 2 => %7
      %7 = fused(x)
lower: 0 steps, 7 -> 7 nodes, saturated
inline: 0 steps, 4 -> 4 nodes, saturated
canonicalize: 0 steps, 4 -> 4 nodes, saturated
stabilize: 0 steps, 4 -> 4 nodes, saturated
differentiate: 0 steps, 4 -> 4 nodes, saturated
expand: 0 steps, 4 -> 4 nodes, saturated
loops: 0 steps, 4 -> 4 nodes, saturated
specialize: 0 steps, 4 -> 4 nodes, saturated
fuse: 1 step, 4 -> 7 nodes, saturated
  1  fuse [E]
      # one pass over the elements, a tile at a time; 2 operators over f64[3]; 24 bytes need not be
      # stored
      0 * tanh(x) => %6
      %6 = fused(x)
lower: 0 steps, 7 -> 7 nodes, saturated
inline: 0 steps, 3 -> 3 nodes, saturated
canonicalize: 1 step, 3 -> 2 nodes, saturated
  1  abs-known [Z D]
      # it is not negative; -0 stays; `x` is not negative: softmax(x, axis=0) is within [0, 1]
      abs(softmax(x, axis=0)) => softmax(x, axis=0)
stabilize: 0 steps, 2 -> 2 nodes, saturated
differentiate: 0 steps, 2 -> 2 nodes, saturated
expand: 5 steps, 2 -> 6 nodes, saturated
  2  expand-composite [E]    # what it is made of; no rule asks for it any more
      softmax(x, axis=0) => exp(x - %6) / broadcast_to(expand_dims(%9, axis=0), (3,))
  3  broadcast-expand [E]    # new axes have their length at once
      broadcast_to(expand_dims(peak(x), axis=0), (3,)) => broadcast_to(peak(x), (3,))
  4  broadcast-into [E]    # elementwise operators take scalars as they are
      x - broadcast_to(peak(x), (3,)) => x - peak(x)
  5  broadcast-expand [E]    # new axes have their length at once
      broadcast_to(expand_dims(sum(%8), axis=0), (3,)) => broadcast_to(sum(exp(%7)), (3,))
  6  broadcast-into [E]    # elementwise operators take scalars as they are
      exp(x - %4) / broadcast_to(sum(%8), (3,)) => exp(x - %4) / sum(exp(%7))
loops: 0 steps, 6 -> 6 nodes, saturated
specialize: 0 steps, 6 -> 6 nodes, saturated
fuse: 1 step, 6 -> 11 nodes, saturated
  7  fuse [E]
      # one pass over the elements, a tile at a time; 2 operators and 1 reduction over f64[3]; 24
      # bytes need not be stored
      exp(x - peak(x)) => %16[0]
      sum(exp(x - %4)) => %16[1]
      %16 = fused(x, peak(x))
lower: 0 steps, 11 -> 11 nodes, saturated
inline: 0 steps, 5 -> 5 nodes, saturated
canonicalize: 1 step, 5 -> 4 nodes, saturated
  1  flatten-mul [R]  (3 * k) * k => 3 * k * k    # one product instead of nested products
stabilize: 0 steps, 4 -> 4 nodes, saturated
differentiate: 0 steps, 4 -> 4 nodes, saturated
expand: 0 steps, 4 -> 4 nodes, saturated
loops: 0 steps, 4 -> 4 nodes, saturated
specialize: 1 step, 4 -> 5 nodes, saturated
  2  mul-self [E R]  3 * k * k => 3 * sqr(k)    # a square
fuse: 1 step, 5 -> 8 nodes, saturated
  3  fuse [E]
      # one pass over the elements, a tile at a time; 3 operators over i64[3]; 48 bytes need not be
      # stored
      abs(3 * sqr(k)) => %9
      %9 = fused(k)
lower: 0 steps, 8 -> 8 nodes, saturated
inline: 0 steps, 4 -> 4 nodes, saturated
canonicalize: 1 step, 4 -> 2 nodes, saturated
  1  maximum-known [D]
      # the ranges say which is larger; `z` is nowhere above the other: a constant, 0; `z` is never
      # NaN: a constant, 0
      maximum(sigmoid(x), 0) => sigmoid(x)
stabilize: 0 steps, 2 -> 2 nodes, saturated
differentiate: 0 steps, 2 -> 2 nodes, saturated
expand: 0 steps, 2 -> 2 nodes, saturated
loops: 0 steps, 2 -> 2 nodes, saturated
specialize: 0 steps, 2 -> 2 nodes, saturated
fuse: 0 steps, 2 -> 2 nodes, saturated
lower: 0 steps, 2 -> 2 nodes, saturated
inline: 0 steps, 11 -> 11 nodes, saturated
canonicalize: 1 step, 11 -> 10 nodes, saturated
  1  inner [Z D]  %6 => %6    # rewrites inside the graph it owns; open it to see them
    1.1  abs-known [Z D]
        # it is not negative; -0 stays; `x` is not negative: exp(h[t-1]) * sqr(x[t]) is at least 0, as
        # exp(h[t-1]) is at least 0 and sqr(x[t]) is at least 0
        abs(exp(h[t-1]) * sqr(x[t])) => exp(h[t-1]) * sqr(x[t])
stabilize: 0 steps, 10 -> 10 nodes, saturated
differentiate: 0 steps, 10 -> 10 nodes, saturated
expand: 0 steps, 10 -> 10 nodes, saturated
loops: 0 steps, 10 -> 10 nodes, saturated
specialize: 0 steps, 10 -> 10 nodes, saturated
fuse: 0 steps, 10 -> 10 nodes, saturated
lower: 1 step, 10 -> 18 nodes, saturated
  2  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %6.trace => %6.trace
      %6 = loop(rows=3, go=true, from=(1.0, 0), using=x)
