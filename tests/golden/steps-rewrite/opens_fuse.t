# A fused group grows from its results down, an operator at a time.
u : f64[n] = [1, 2, 3]
w : f64[n] = [4, 5, 6]
:steps sqrt(u * u + exp(w) * w + 1) rule=fuse open=all
# a reduction is one of the group
:steps sum(tanh(u) * exp(w) + 1) rule=fuse open=all
# two results; and a group of two has no parts
y = tanh(u + w)
:steps (y, sqr(y) + 1) rule=fuse open=all
:steps tanh(u + w) rule=fuse open=all
:audit sqrt(u * u + exp(w) * w + 1) open=all
---
fuse: 2 steps, 8 -> 13 nodes, done
  3  fuse [E]
      # one pass, tile by tile; 6 operators over f64[n]; 40 bytes per element not stored
      one kernel computes sqrt(%9 + 1) from u, w
    3.1  with add [E]    # 2 operators over f64[n]; 8 bytes per element not stored
        one kernel computes sqrt(%9 + 1) from sqr(u) + %4 * w
    3.2  with add [E]    # 3 operators over f64[n]; 16 bytes per element not stored
        one kernel computes %20 from sqr(u), exp(w) * w
    3.3  with mul [E]    # 4 operators over f64[n]; 24 bytes per element not stored
        one kernel computes %20 from sqr(u), w, exp(w)
    3.4  with exp [E]    # 5 operators over f64[n]; 32 bytes per element not stored
        one kernel computes %20 from sqr(u), w
    3.5  with sqr [E]    # 6 operators over f64[n]; 40 bytes per element not stored
        one kernel computes %20 from u, w
fuse: 1 step, 8 -> 12 nodes, done
  1  fuse [E]
      # one pass, tile by tile; 4 operators and 1 reduction over f64[n]; 32 bytes per element not
      # stored
      one kernel computes sum(%5 + 1) from u, w
    1.1  with add [E]    # 1 operator and 1 reduction over f64[n]; 8 bytes per element not stored
        one kernel computes sum(%5 + 1) from tanh(u) * exp(w)
    1.2  with mul [E]
        # 2 operators and 1 reduction over f64[n]; 16 bytes per element not stored
        one kernel computes %17 from tanh(u), exp(w)
    1.3  with exp [E]
        # 3 operators and 1 reduction over f64[n]; 24 bytes per element not stored
        one kernel computes %17 from tanh(u), w
    1.4  with tanh [E]
        # 4 operators and 1 reduction over f64[n]; 32 bytes per element not stored
        one kernel computes %17 from u, w
fuse: 1 step, 7 -> 12 nodes, done
  1  fuse [E]
      # one pass, tile by tile; 4 operators over f64[n]; 16 bytes per element not stored
      one kernel computes y, sqr(y) + 1 from u, w
    1.1  with sqr [E]    # 2 operators over f64[n]; 8 bytes per element not stored
        one kernel computes sqr(y) + 1 from y
    1.2  with tanh [E]    # 3 operators over f64[n]; 8 bytes per element not stored
        one kernel computes y, %16 from u + w
    1.3  with add [E]    # 4 operators over f64[n]; 16 bytes per element not stored
        one kernel computes y, %16[1] from u, w
input.gr:10:35: error: no step opens
    :steps tanh(u + w) rule=fuse open=all
                                      ^^^
  hint: these open, where they have more than one part: expand-vmap, expand-derivative, batch-dots, lower-scan, same-loop, fuse-loops, merge-loops, fuse, simplify, simplify-whole
step  pass        rule       classes  error  ulp
1     specialize  mul-self   [E]      0      0
2     fuse        order-sum  [E]      0      0
3.1   fuse        with add   [E]      0      0
3.2   fuse        with add   [E]      0      0
3.3   fuse        with mul   [E]      0      0
3.4   fuse        with exp   [E]      0      0
3.5   fuse        with sqr   [E]      0      0
3     fuse        fuse       [E]      0      0
8 steps, 8 compared: all within what their classes allow; largest error 0
exit 1
