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
canonicalize: 1 step, 5 -> 4 nodes, done
  1  abs-known [D]
      # it is not negative; `x` is not negative: exp(x) + sqr(x) is at least 0, as exp(x) is at
      # least 0 and sqr(x) is at least 0; `x` is never -0
      abs(exp(x) + sqr(x)) => exp(x) + sqr(x)
fuse: 1 step, 4 -> 7 nodes, done
  2  fuse [E]    # one pass, tile by tile; 3 operators over f64[3]; 48 bytes not stored
      one kernel computes exp(x) + sqr(x) from x
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, lower
canonicalize: 1 step, 3 -> 2 nodes, done
  1  relu-known [D]
      # it is not negative; `x` is not negative: exp(x) is at least 0; `x` is never -0
      relu(exp(x)) => exp(x)
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 2 steps, 6 -> 5 nodes, done
  1  abs-known [D]
      # it is not negative; `x` is not negative: its elements are those of exp(x), which is at least
      # 0; `x` is never -0
      abs(exp(x)[:2]) => exp(x)[:2]
  2  slice-elementwise [E]    # only the elements that are read are computed
      exp(x)[:2] => exp(x[:2])
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 5 -> 4 nodes, done
  1  abs-known [D]
      # it is not negative; `x` is not negative: tanh(x) + 2 is within [1, 3], as tanh(x) is within
      # [-1, 1]; `x` is never -0
      abs(tanh(x) + 2) => tanh(x) + 2
fuse: 1 step, 4 -> 7 nodes, done
  2  fuse [E]    # one pass, tile by tile; 2 operators over f64[3]; 24 bytes not stored
      one kernel computes tanh(x) + 2 from x
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, lower
fuse: 1 step, 4 -> 7 nodes, done
  1  fuse [E]    # one pass, tile by tile; 2 operators over f64[3]; 24 bytes not stored
      one kernel computes 0 * tanh(x) from x
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize,
lower
canonicalize: 1 step, 3 -> 2 nodes, done
  1  abs-known-zero [Z D]
      # it is not negative; -0 is preserved; `x` is not negative: softmax(x, axis=0) is within [0,
      # 1]
      abs(softmax(x, axis=0)) => softmax(x, axis=0)
expand: 5 steps, 2 -> 8 nodes, done
  2  expand-composite [E]    # it is replaced with its definition; no later rule needs it
      - «softmax»(x, axis=0)
      + «exp»(x «- expand_dims(peak(x)», axis=0)«) / expand_dims(maximum(sum(exp(x -
            expand_dims(peak(x), axis=0))), 1), axis=0)»
  3  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(peak(x), axis=0), (3,)) => broadcast_to(peak(x), (3,))
  4  broadcast-into [E]    # elementwise operators take scalars as they are
      x - broadcast_to(peak(x), (3,)) => x - peak(x)
  5  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(%10, axis=0), (3,)) => broadcast_to(%10, (3,))
  6  broadcast-into [E]    # elementwise operators take scalars as they are
      exp(x - peak(x)) / broadcast_to(%10, (3,)) => exp(x - peak(x)) / %10
fuse: 1 step, 8 -> 13 nodes, done
  7  fuse [E]
      # one pass, tile by tile; 2 operators and 1 reduction over f64[3]; 24 bytes not stored
      one kernel computes exp(x - %4), sum(exp(%7)) from x, peak(x)
nothing to do: inline, stabilize, differentiate, simplify, loops, specialize, lower
specialize: 1 step, 4 -> 5 nodes, done
  1  mul-self [E R O]  3 * k * k => 3 * sqr(k)    # a square
fuse: 1 step, 5 -> 8 nodes, done
  2  fuse [E]    # one pass, tile by tile; 3 operators over i64[3]; 48 bytes not stored
      one kernel computes abs(3 * %4) from k
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, lower
canonicalize: 1 step, 4 -> 2 nodes, done
  1  maximum-known [D]
      # the ranges imply which is larger; `z` is never above the other: a constant, 0; `z` is never
      # NaN: a constant, 0
      maximum(sigmoid(x), 0) => sigmoid(x)
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
canonicalize: 1 step, 11 -> 10 nodes, done
  1  inner [D]  in scan h
    1.1  abs-known [D]
        # it is not negative; `x` is not negative: exp(h[t-1]) * sqr(x[t]) is at least 0, as
        # exp(h[t-1]) is at least 0.999999 and sqr(x[t]) is at least 0; `x` is never -0
        h[t] = abs(exp(h[t-1]) * sqr(x[t])) => exp(h[t-1]) * sqr(x[t])
lower: 1 step, 10 -> 18 nodes, done
  2  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan h runs as loop h, row
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse
